/* webnn_vulkan.h: WebNN graphs on any device with a Vulkan driver.
   SPDX-License-Identifier: MIT-0

   A companion of webnn.h. In one file of the program:

       #define WEBNN_IMPLEMENTATION
       #include "webnn.h"
       #define WEBNN_VULKAN_IMPLEMENTATION
       #include "webnn_vulkan.h"

   Other files that use its declarations include it after webnn.h without the macros. Compiling
   needs the Vulkan headers (1.3.239 or newer), and running needs a driver for Vulkan 1.1. Nothing
   is linked: the loader is opened when a context is created. Then

       webnn_context_options options = WEBNN_ZERO;
       options.backend = webnn_vulkan_backend();
       webnn_create_context(&options, &context, &error);

   is all that a program needs to compute on the GPU. Everything else is webnn.h's interface. */
#ifndef WEBNN_VULKAN_H
#define WEBNN_VULKAN_H

#ifndef WEBNN_H
#error "webnn_vulkan.h comes after webnn.h"
#elif WEBNN_VERSION_MAJOR == 0 && WEBNN_VERSION_MINOR < 2
#error "webnn_vulkan.h needs webnn.h 0.2 or newer"
#endif

/* The file with the implementation calls Vulkan through its own table. To call Vulkan by prototypes
   in that file, include <vulkan/vulkan.h> before this header. */
#if defined(WEBNN_VULKAN_IMPLEMENTATION) && !defined(VK_NO_PROTOTYPES)
#define VK_NO_PROTOTYPES
#endif
#include <vulkan/vulkan_core.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The value of webnn_context_options.backend. The backend lacks reference numerics: such contexts
   are a NotSupportedError. `threads` and parallel_for provide the threads on which the driver
   compiles kernels while a graph is built; a driver may need a stack of several megabytes for this.
   The first instance of Vulkan that contexts or webnn_vulkan_devices make stays until the process
   ends, and the drivers with it. Any thread. */
WEBNN_API const webnn_backend *webnn_vulkan_backend(void);

/* Optional parts of Vulkan that the caller has enabled in a device of its own. Other parts are not
   used. */
typedef enum webnn_vulkan_features {
  WEBNN_VULKAN_TIMELINE_SEMAPHORE = 1,  /* the feature timelineSemaphore, of Vulkan 1.2 or of
                                           VK_KHR_timeline_semaphore */
  WEBNN_VULKAN_FLOAT16 = 2,             /* shaderFloat16 */
  WEBNN_VULKAN_DOT_PRODUCT = 4,         /* shaderIntegerDotProduct */
  WEBNN_VULKAN_FLOAT_CONTROLS = 8,      /* Vulkan 1.2, or VK_KHR_shader_float_controls */
  WEBNN_VULKAN_SUBGROUP_SIZE = 16,      /* subgroupSizeControl and computeFullSubgroups, of Vulkan
                                           1.3 or of VK_EXT_subgroup_size_control */
  WEBNN_VULKAN_COOPERATIVE_MATRIX = 32, /* VK_KHR_cooperative_matrix with cooperativeMatrix, and
                                           vulkanMemoryModel with vulkanMemoryModelDeviceScope, of
                                           Vulkan 1.2 or of VK_KHR_vulkan_memory_model */
  WEBNN_VULKAN_INT8 = 64                /* shaderInt8: for cooperative matrices of bytes */
} webnn_vulkan_features;

/* Receives a message of the validation layer or of the loader, on the thread whose call caused it.
   `text` lives during the call. The function must not call into webnn.h or Vulkan. */
typedef void (*webnn_vulkan_message)(void *user, bool is_error, const char *text);

/* Receives a compiled kernel: its text, in the language of docs/vulkan.md, and the SPIR-V that the
   driver gets. Both live during the call. It is called on the thread that builds a graph, on
   several at once if several build; it must not call into webnn.h. */
typedef void (*webnn_vulkan_kernel)(void *user, const char *text, const uint32_t *words,
                                    size_t word_count);

/* Options for webnn_context_options.backend_options. They must stay until the context is created;
   the caller's objects, and the data of the `user` pointers, until it is freed. NULL, or all zero,
   means the best device of the system, with an instance, a device and a queue of the context's
   own. */
typedef struct webnn_vulkan_options {
  /* The device, as webnn_vulkan_devices lists it. Without number and name power_preference decides:
     discrete GPUs come first, with WEBNN_POWER_LOW_POWER integrated ones, software last. */
  /* Counted from 1; 0: any. TypeError if there are fewer devices. */
  uint32_t device_number WEBNN__DEFAULT;
  /* A part of its name, with the same case; NULL: any. NotSupportedError if no device has it. */
  const char *device_name WEBNN__DEFAULT;

  /* The source of all functions of Vulkan; NULL: the system's loader. */
  PFN_vkGetInstanceProcAddr get_instance_proc_addr WEBNN__DEFAULT;

  /* A device of the caller: all five members, and an instance and a device of Vulkan 1.1 or newer.
     The queue must be able to compute. TypeError if only some are given. */
  VkInstance instance WEBNN__DEFAULT;
  VkPhysicalDevice physical_device WEBNN__DEFAULT;
  VkDevice device WEBNN__DEFAULT;
  VkQueue queue WEBNN__DEFAULT;
  uint32_t queue_family WEBNN__DEFAULT;
  /* The webnn_vulkan_features that the caller has enabled. A device with vulkanMemoryModel needs
     vulkanMemoryModelDeviceScope, too. */
  uint32_t features WEBNN__DEFAULT;
  /* Called around each use of a queue that the caller also uses; both or neither. */
  void (*lock_queue)(void *user) WEBNN__DEFAULT;
  void (*unlock_queue)(void *user) WEBNN__DEFAULT;
  void *queue_user WEBNN__DEFAULT;

  /* The bytes that webnn_vulkan_pipeline_cache returned in an earlier run of the program. Those of
     another device or driver are ignored, and so are those that were cut or changed, since some
     drivers trust them. Copied. */
  const void *pipeline_cache WEBNN__DEFAULT;
  size_t pipeline_cache_size WEBNN__DEFAULT;

  /* Enables VK_LAYER_KHRONOS_validation, which must be installed (else NotSupportedError), and
     passes its warnings and errors to `message`. Not with a device of the caller. */
  bool validation WEBNN__DEFAULT;
  webnn_vulkan_message message WEBNN__DEFAULT;
  void *message_user WEBNN__DEFAULT;

  /* Called for each kernel before the driver gets it; or NULL. */
  webnn_vulkan_kernel kernel WEBNN__DEFAULT;
  void *kernel_user WEBNN__DEFAULT;

  bool not_robust WEBNN__DEFAULT; /* without robustBufferAccess: for tests of kernels */
  /* Bytes of memory that this context may take, of all heaps of the device; 0: all. */
  uint64_t memory_limit WEBNN__DEFAULT;
  /* The number of estimated scalar operations after which work goes to the queue as a submission of
     its own, so that no watchdog fires; a longer dispatch is cut into several. 0: time decides: the
     first run of a graph is timed, and later submissions take about 50 ms. */
  uint64_t submission_cost WEBNN__DEFAULT;
} webnn_vulkan_options;

/* A device, as webnn_vulkan_devices lists it. */
typedef struct webnn_vulkan_device {
  char name[256];
  char driver[256]; /* its name and version as text; "" if the driver gives none */
  VkPhysicalDeviceType type;
  uint32_t vendor_id, device_id;
  uint32_t api_version, driver_version; /* as Vulkan packs them */
  uint64_t memory;                      /* bytes of the largest heap that is local to the device */
  uint64_t max_tensor_byte_length;
  uint32_t max_workgroup_invocations, shared_memory_bytes, subgroup_size; /* 0: not known */
  bool usable; /* Vulkan 1.1, a queue that computes, four storage buffers */
} webnn_vulkan_device;

/* Lists the devices in Vulkan's order: the first `capacity` go to `devices` (may be NULL), *count
   is their number. Of the options (may be NULL) only get_instance_proc_addr is read.
   NotSupportedError, and a count of 0, without a loader or a driver. Any thread. */
WEBNN_API webnn_status webnn_vulkan_devices(const webnn_vulkan_options *options,
                                            webnn_vulkan_device *devices, size_t capacity,
                                            size_t *count, webnn_error *error);

/* The device of a context, as listed. TypeError if the context is not Vulkan's. Any thread. */
WEBNN_API webnn_status webnn_vulkan_context_device(webnn_context *context,
                                                   webnn_vulkan_device *device, webnn_error *error);

/* The usage flags that a buffer needs to become a tensor, and that buffers of tensors have. */
#define WEBNN_VULKAN_BUFFER_USAGE                                                                  \
  (VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |                         \
   VK_BUFFER_USAGE_TRANSFER_DST_BIT)

/* Makes a tensor of a part of a buffer of the caller's device. The buffer must have been created
   with at least WEBNN_VULKAN_BUFFER_USAGE, for the context's queue family or for sharing by
   several; it must be bound to memory, and stay until the tensor is freed and webnn_wait has
   returned. `offset` is a multiple of 256 and of the device's minStorageBufferOffsetAlignment;
   `size`, a multiple of 16, is at least the tensor's bytes. Kernels may write the bytes after the
   tensor's last up to the next multiple of 16. TypeError if offset or size is wrong or the end lies
   outside of the buffer. Vulkan cannot report how a buffer was created, so that only the validation
   layer sees a missing flag. Any thread. */
WEBNN_API webnn_status webnn_vulkan_create_tensor(webnn_context *context,
                                                  webnn_tensor_descriptor descriptor,
                                                  VkBuffer buffer, uint64_t offset, uint64_t size,
                                                  webnn_tensor **tensor, webnn_error *error);

/* The place of a tensor: *offset bytes into *buffer, a buffer of the context's device with the
   usage flags WEBNN_VULKAN_BUFFER_USAGE. *size may be bound: the tensor's bytes rounded up to a
   multiple of 16. Elements are packed as webnn_read_tensor returns them. The place is valid until
   the tensor is destroyed. TypeError for constant tensors and those of other backends,
   InvalidStateError for destroyed ones. Any thread. */
WEBNN_API webnn_status webnn_vulkan_tensor_buffer(webnn_tensor *tensor, VkBuffer *buffer,
                                                  uint64_t *offset, uint64_t *size,
                                                  webnn_error *error);

/* Makes all work that is given to the context after this call wait until the timeline semaphore has
   the value. NotSupportedError if the device lacks timeline semaphores; InvalidStateError if the
   context is lost. The semaphore must stay until that work has finished. Until it has the value,
   calls may wait, too: those that read results, and those for which memory is short. Any thread. */
WEBNN_API webnn_status webnn_vulkan_wait_semaphore(webnn_context *context, VkSemaphore semaphore,
                                                   uint64_t value, webnn_error *error);

/* Sets the caller's timeline semaphore to the value when all work that was given to the context
   before this call has finished. Errors as above. Any thread. */
WEBNN_API webnn_status webnn_vulkan_signal_semaphore(webnn_context *context, VkSemaphore semaphore,
                                                     uint64_t value, webnn_error *error);

/* Returns the context's own timeline semaphore, and the value that the semaphore has when all work
   given so far has finished. Other submissions can wait for this value and need no semaphore of
   their own. The semaphore belongs to the context. Errors as above. Any thread. */
WEBNN_API webnn_status webnn_vulkan_timeline(webnn_context *context, VkSemaphore *semaphore,
                                             uint64_t *value, webnn_error *error);

/* The Vulkan handles of a context, for programs that use the context's own objects, too: the queue
   only while no call of the context is running. Each result may be NULL. TypeError if the context
   is not Vulkan's. Any thread. */
WEBNN_API webnn_status webnn_vulkan_handles(webnn_context *context, VkInstance *instance,
                                            VkPhysicalDevice *physical_device, VkDevice *device,
                                            VkQueue *queue, uint32_t *queue_family,
                                            webnn_error *error);

/* Measures which tiles (docs/vulkan.md) make products the fastest on the context's device, and uses
   the result for graphs that are built afterwards: runs products of 4096 x 4096 results with 512
   terms, of each kind and with each tile, for a tenth of a second and twice more. Results keep all
   their bits. A tile that cannot run for lack of memory comes last. Measures nothing on software
   drivers, or if options.pipeline_cache had a result. Waits for all work of the context. Errors:
   TypeError if the context is not Vulkan's, UnknownError (memory), InvalidStateError if it is lost.
   No other thread may build graphs of the context meanwhile. */
WEBNN_API webnn_status webnn_vulkan_tune(webnn_context *context, webnn_error *error);

/* The driver's compiled kernels of all graphs that the context has built, and what
   webnn_vulkan_tune has measured, for webnn_vulkan_options.pipeline_cache: a program that saves
   them builds its graphs faster when it runs again. *size becomes the number of bytes; if data is
   not NULL, *size is the room at data on entry, and too little room is a TypeError. Any thread. */
WEBNN_API webnn_status webnn_vulkan_pipeline_cache(webnn_context *context, void *data, size_t *size,
                                                   webnn_error *error);

#ifdef __cplusplus
}
#endif
#endif /* WEBNN_VULKAN_H */

#if defined(WEBNN_VULKAN_IMPLEMENTATION) && !defined(WEBNN_VULKAN_IMPLEMENTATION_INCLUDED)
#define WEBNN_VULKAN_IMPLEMENTATION_INCLUDED
#ifndef WEBNN_IMPLEMENTATION_INCLUDED
#error "webnn_vulkan.h's implementation comes after webnn.h's, in the same file"
#elif WEBNN__BACKEND_VERSION != 4
#error "this webnn_vulkan.h was written for another webnn.h: take both from one version"
#endif

/* ==============================================================================================
   THE IMPLEMENTATION

   A graph's program is rewritten by the passes of webnn.h for what chapter 3 can fuse; chapter 3
   plans each node, as steps that each run one kernel; chapter 10 compiles the texts of kernels;
   chapter 8 makes pipelines of them, places values in memory, records the steps for the tensors of
   a dispatch and hands them to the queue.

      1  what planning and          >>vulkan_steps         steps, operands, kernels by text
         execution share
      2  how kernels are written    >>vulkan_frame         functions for texts; bindings, grids
      3  kernels                    >>vulkan_kernels       a text and a plan for each operator
      4  loader and function table  >>vulkan_loader        all that calls Vulkan
      5  device                     >>vulkan_device        choosing and making one
      6  submissions                >>vulkan_submissions   command buffers, the queue, waiting
      7  memory and tensors         >>vulkan_memory        blocks of memory, staging
      8  plans and runs             >>vulkan_plans         pipelines, recordings, dispatches
      9  the table                  >>vulkan_table         what webnn.h calls; the interface
     10  the compiler of kernels    >>vulkan_compiler      a subset of GLSL becomes SPIR-V
   ============================================================================================== */

/* ==============================================================================================
   1  what planning and execution share                                            >>vulkan_steps

   Planning turns each node of a program into steps: one dispatch of one kernel each. A kernel is a
   text of chapter 10's language, and its operands are its storage buffers, operand i at binding i.
   Execution makes pipelines of the texts, finds where each operand lies, and records the steps.
   ============================================================================================== */

#define WEBNN_VK__OPERANDS 16
#define WEBNN_VK__PUSHES 32 /* words of push constants: the 128 bytes that every device has */
#define WEBNN_VK__MATRIX_SHAPES 32

/* Orders in which tiles of products are tried, by kind of product (of floats, of float16 by
   matrices, of bytes): 21 bits each, of which three are the number of a tile. */
#define WEBNN_VK__TILES 7
#define WEBNN_VK__PRODUCT_KINDS 3
#define WEBNN_VK__ORDER(orders, kind) ((uint32_t)((orders) >> 21 * (kind)) & 0x1fffff)

/* Numbers of Vulkan, and below some structures, that headers before 1.3.255 do not have. */
#ifndef VK_KHR_cooperative_matrix
typedef VkComponentTypeNV VkComponentTypeKHR;
#define VK_COMPONENT_TYPE_FLOAT16_KHR VK_COMPONENT_TYPE_FLOAT16_NV
#define VK_COMPONENT_TYPE_FLOAT32_KHR VK_COMPONENT_TYPE_FLOAT32_NV
#define VK_COMPONENT_TYPE_SINT8_KHR VK_COMPONENT_TYPE_SINT8_NV
#define VK_COMPONENT_TYPE_SINT32_KHR VK_COMPONENT_TYPE_SINT32_NV
#define VK_SCOPE_SUBGROUP_KHR VK_SCOPE_SUBGROUP_NV
#endif

/* Cooperative matrices that a subgroup can multiply: A (m x k) times B (k x n) plus C is the result
   (m x n). A and B are of float16, C of float32; or of int8 and int32. */
typedef struct webnn_vk__matrix_shape {
  uint32_t m, n, k;
  bool bytes;
} webnn_vk__matrix_shape;

/* What planning may know of a device. */
typedef struct webnn_vk__traits {
  uint64_t alignment;         /* of operands in memory: at least 256 */
  uint32_t max_groups[3];     /* of one dispatch */
  uint32_t max_group_size[3]; /* of local_size */
  uint32_t max_invocations;   /* of one workgroup */
  uint32_t shared_bytes;      /* of one workgroup */
  uint32_t max_operands;      /* of one kernel: at most WEBNN_VK__OPERANDS */
  uint64_t max_range;         /* bytes of one operand */
  uint32_t subgroup_size;     /* 0: not known */
  bool is_cpu;                /* a software driver: small tiles, no large kernels */
  bool float16;               /* arithmetic of these in shaders */
  bool converts_halves;       /* float32 becomes the nearest float16, subnormal or not, or NaN */
  bool unrolls;               /* no software driver, which would compile long code for long */
  bool dot_products;          /* integer dot products of four bytes can be written */
  bool relaxed;               /* the context's numerics */
  /* Sizes of subgroups that a kernel can ask for, with whole subgroups, by
     webnn_vk__planned_kernel.subgroup_size: powers of two from the least to the most; 0: none. */
  uint32_t least_subgroup, most_subgroup;
  /* Cooperative matrices, in subgroups of this size, with the memory model of Vulkan that they
     need; none: 0. */
  uint32_t matrix_shape_count, matrix_subgroup;
  webnn_vk__matrix_shape matrix_shapes[WEBNN_VK__MATRIX_SHAPES];
  uint32_t registers;   /* of 32 bits, that sums and loads ahead of an invocation may take */
  uint64_t tile_orders; /* 0 of a kind: not measured, tiles stand in their order */
  uint32_t trial;       /* the tile that is measured, counted from 1; 0: none */
} webnn_vk__traits;

/* Zeroed memory for so many of a type; NULL without memory. */
#define WEBNN_VK__NEW(allocator, type, count)                                                      \
  ((type *)webnn__allocate_zeroed(allocator, (uint64_t)(count) * sizeof(type)))
#define WEBNN_VK__TAKE(arena, type, count)                                                         \
  ((type *)webnn__arena_take(arena, (uint64_t)(count) * sizeof(type)))

typedef enum webnn_vk__memory_kind {
  WEBNN_VK__VALUE,     /* a value of the rewritten program, wherever it is placed */
  WEBNN_VK__SCRATCH,   /* the node's scratch memory, from `offset` */
  WEBNN_VK__PARAMETERS /* words that planning has put, from `offset` */
} webnn_vk__memory_kind;

/* What a kernel reads or writes. Offsets are multiples of traits.alignment. Of a value all is bound
   if byte_length is 0. The buffer that the kernel sees is rounded up to 16 bytes; a plan of which
   one has more than traits.max_range is an error. */
typedef struct webnn_vk__operand {
  webnn_vk__memory_kind kind;
  uint32_t value;
  uint64_t offset, byte_length;
  webnn_data_type type; /* of its elements */
  bool written;
} webnn_vk__operand;

typedef struct webnn_vk__step {
  uint32_t node, kernel, operand_count;
  webnn_vk__operand operands[WEBNN_VK__OPERANDS];
  uint32_t push_count, push[WEBNN_VK__PUSHES];
  uint32_t groups[3];
  uint64_t cost; /* estimated scalar operations, for cutting submissions */
} webnn_vk__step;

/* A kernel that some step of a plan runs. */
typedef struct webnn_vk__planned_kernel {
  char *text; /* in the planner's arena */
  uint64_t hash;
  uint32_t operand_count;
  /* That it asks for; 0: any. Whoever has added the kernel sets it, for one text
     always the same. */
  uint32_t subgroup_size;
} webnn_vk__planned_kernel;

/* What planning of a node may say beside its steps. */
typedef struct webnn_vk__planned_node {
  uint64_t scratch; /* bytes */
  bool overwrites;  /* the last result may lie over any operand of as many elements of its size */
} webnn_vk__planned_node;

/* A text that grows. */
typedef struct webnn_vk__text_buffer {
  char *bytes;
  uint64_t length, room;
} webnn_vk__text_buffer;

#define WEBNN_VK__TEXT_PARTS 5

/* The planning of one program. Lists grow; all memory is the arena's. */
typedef struct webnn_vk__planner {
  const webnn_vk__traits *traits;
  const webnn__program *program;
  webnn__arena *arena;
  webnn_vk__planned_node *nodes; /* of each node of the program */
  webnn_vk__step *steps;
  uint32_t step_count;
  webnn_vk__planned_kernel *kernels;
  uint32_t kernel_count;
  uint32_t *parameters;
  uint64_t parameter_count, parameter_room;          /* words */
  webnn_vk__text_buffer texts[WEBNN_VK__TEXT_PARTS]; /* of the kernel that is being made */
  webnn_status status;                               /* of the first failure */
  webnn_error *error;
} webnn_vk__planner;

/* Chapter 3. Plans a node that is not fused away; false after webnn_vk__plan_fails or
   webnn_vk__plan_lacks_memory. Called for each node in order, also for those that turn out to
   be nothing but views of their operand, whose steps are dropped. */
static bool webnn_vk__plan_node(webnn_vk__planner *planner, uint32_t node);

/* Chapter 3. What passes may make of a program for this device. */
static void webnn_vk__set_target(const webnn_vk__traits *traits, webnn__target *target);

/* What the device lets a module ask for: rounding to nearest even, signed zeros, infinities and
   NaNs as IEEE 754 has them, and subnormal numbers; for 32 bits and for 16. */
typedef struct webnn_vk__compile_options {
  bool rounding_rte_32, rounding_rte_16, preserve_32, preserve_16, subnormals_32, subnormals_16;
} webnn_vk__compile_options;

/* Chapter 10. Compiles a text to SPIR-V 1.3, as Vulkan 1.1 has it. The words are released by
   webnn__release. On failure there are none, and the error says the line, what was found and what
   expected. */
static webnn_status webnn_vk__compile_kernel(const webnn_allocator *allocator, const char *text,
                                             const webnn_vk__compile_options *options,
                                             uint32_t **words, size_t *word_count,
                                             webnn_error *error);

/* ---- What planning calls ---- */

static bool webnn_vk__plan_lacks_memory(webnn_vk__planner *planner) {
  if (planner->status == WEBNN_OK) {
    planner->status = webnn__out_of_memory(planner->error, "build");
  }
  return false;
}

/* The name of a node's operator, for messages. */
static const char *webnn_vk__node_name(const webnn__node *node) {
  return (unsigned)node->op < WEBNN_OP_COUNT     ? webnn_op_name(node->op)
         : node->op == (webnn_op)WEBNN__OP_CHAIN ? "a chain of operators"
                                                 : "attention";
}

/* The node cannot be run; `reason` is words, such as "no kernel for these types". */
static bool webnn_vk__plan_fails(webnn_vk__planner *planner, uint32_t index, const char *reason) {
  const webnn__node *node = &planner->program->nodes[index];
  if (planner->status == WEBNN_OK) {
    planner->status = webnn__fail(planner->error, WEBNN_OPERATION_ERROR, "build: %s %q: %s",
                                  webnn_vk__node_name(node), node->label, reason);
  }
  return false;
}

/* A list twice as long, at least `least`; NULL without memory. */
static void *webnn_vk__longer(webnn_vk__planner *planner, const void *old, uint64_t count,
                              uint64_t room, size_t size) {
  void *list = webnn__arena_take(planner->arena, room * size);
  if (list == NULL) {
    (void)webnn_vk__plan_lacks_memory(planner);
  } else if (count > 0) {
    memcpy(list, old, (size_t)count * size);
  }
  return list;
}

static uint64_t webnn_vk__hash_text(const void *bytes, size_t length) {
  const unsigned char *p = (const unsigned char *)bytes;
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  size_t i;
  for (i = 0; i < length; i++) {
    hash = (hash ^ p[i]) * UINT64_C(0x100000001b3);
  }
  return hash ^ hash >> 29;
}

/* A list with room for one more. It is full when its length is a power of two, from 16 on; then it
   gets twice the room. NULL without memory. */
static void *webnn_vk__make_longer(webnn_vk__planner *planner, void *list, uint32_t count,
                                   size_t size) {
  const bool full = count == 0 || (count >= 16 && (count & (count - 1)) == 0);
  return full ? webnn_vk__longer(planner, list, count, count > 0 ? (uint64_t)count * 2 : 16, size)
              : list;
}

/* The number of the kernel with this text, which is copied; WEBNN__NONE without memory. */
static uint32_t webnn_vk__add_kernel(webnn_vk__planner *planner, const char *text, size_t length,
                                     uint32_t operand_count) {
  const uint64_t hash = webnn_vk__hash_text(text, length);
  webnn_vk__planned_kernel *kernel;
  uint32_t i;
  for (i = 0; i < planner->kernel_count; i++) {
    kernel = &planner->kernels[i];
    if (kernel->hash == hash && strlen(kernel->text) == length &&
        memcmp(kernel->text, text, length) == 0) {
      return i;
    }
  }
  kernel = (webnn_vk__planned_kernel *)webnn_vk__make_longer(planner, planner->kernels,
                                                             planner->kernel_count, sizeof *kernel);
  if (kernel == NULL) {
    return WEBNN__NONE;
  }
  planner->kernels = kernel;
  kernel += planner->kernel_count;
  kernel->text = (char *)webnn__arena_take(planner->arena, (uint64_t)length + 1);
  if (kernel->text == NULL) {
    (void)webnn_vk__plan_lacks_memory(planner);
    return WEBNN__NONE;
  }
  memcpy(kernel->text, text, length);
  kernel->text[length] = 0;
  kernel->hash = hash;
  kernel->operand_count = operand_count;
  kernel->subgroup_size = 0;
  return planner->kernel_count++;
}

/* A step of its node, after all others; false without memory. */
static bool webnn_vk__add_step(webnn_vk__planner *planner, const webnn_vk__step *step) {
  webnn_vk__step *list = (webnn_vk__step *)webnn_vk__make_longer(planner, planner->steps,
                                                                 planner->step_count, sizeof *list);
  if (list == NULL) {
    return false;
  }
  planner->steps = list;
  list[planner->step_count++] = *step;
  return true;
}

/* Scratch memory for a node: where in it these bytes lie. It is shared by the node's steps. */
static uint64_t webnn_vk__take_scratch(webnn_vk__planner *planner, uint32_t node,
                                       uint64_t byte_length) {
  const uint64_t alignment = planner->traits->alignment;
  const uint64_t offset = planner->nodes[node].scratch;
  planner->nodes[node].scratch = offset + (byte_length + alignment - 1) / alignment * alignment;
  return offset;
}

/* Words that kernels read from a buffer: their offset there, in bytes. False without memory. */
static bool webnn_vk__put_parameters(webnn_vk__planner *planner, const uint32_t *words,
                                     uint32_t count, uint64_t *offset) {
  const uint64_t boundary = planner->traits->alignment / 4;
  const uint64_t needed = (count + boundary - 1) / boundary * boundary;
  if (planner->parameter_count + needed > planner->parameter_room) {
    const uint64_t room = (planner->parameter_count + needed) * 2;
    uint32_t *longer = (uint32_t *)webnn_vk__longer(planner, planner->parameters,
                                                    planner->parameter_count, room, sizeof *longer);
    if (longer == NULL) {
      return false;
    }
    planner->parameters = longer;
    planner->parameter_room = room;
  }
  *offset = planner->parameter_count * 4;
  memset(planner->parameters + planner->parameter_count, 0, (size_t)needed * 4);
  memcpy(planner->parameters + planner->parameter_count, words, count * sizeof *words);
  planner->parameter_count += needed;
  return true;
}

/* ==============================================================================================
   2  how kernels are written                                                      >>vulkan_frame

   A library of functions in the language of chapter 10, and the frame around the kernels of chapter
   3: bindings, numbers, how many invocations there are and which element each of them computes.
   ============================================================================================== */

/* ---- The library of kernels ---------------------------------------------------------------------

   Functions that texts use, in parts: a text gets those parts that it asks for, and those which
   they need. Nothing here uses a driver's functions beyond + - * / sqrt, fma, rounding to integers
   and operations on bits, so that drivers differ by little: whether fma rounds once, and by how
   much division and square roots are off. The compiler of kernels lets no driver fuse or
   reorder. */

typedef enum webnn_vk__library_part {
  WEBNN_VK__LIB_HALF, /* to_half, to_halves, from_half, half_of, round_half */
  WEBNN_VK__LIB_BITS, /* is_nan, with_sign, abs_of, neg_of, float_key, max_nan, min_nan */
  WEBNN_VK__LIB_TWO,  /* two_sum, two_product */
  WEBNN_VK__LIB_SQRT,
  WEBNN_VK__LIB_LINEAR,
  WEBNN_VK__LIB_SUM,     /* add_to, total_of: sums with what rounding takes away */
  WEBNN_VK__LIB_INVERSE, /* or_nan, inverse_of, power_of_two */
  WEBNN_VK__LIB_EXP,     /* exp_of, expm1_of, and the parts of others */
  WEBNN_VK__LIB_LOG,     /* log_of */
  WEBNN_VK__LIB_SIGMOID,
  WEBNN_VK__LIB_SOFTPLUS,
  WEBNN_VK__LIB_TANH,
  WEBNN_VK__LIB_ERF,
  WEBNN_VK__LIB_GELU,
  WEBNN_VK__LIB_NEAR, /* functions for results of float16: exp_half, tanh_half and so on */
  WEBNN_VK__LIB_LARGE_ANGLE,
  WEBNN_VK__LIB_ANGLE,
  WEBNN_VK__LIB_SIN, /* sin_of, cos_of */
  WEBNN_VK__LIB_TAN,
  WEBNN_VK__LIB_POW,
  WEBNN_VK__LIB_LONG,        /* 64-bit integers: add, sub, neg, mul, compare, shift */
  WEBNN_VK__LIB_LONG_DIVIDE, /* u64_divide, i64_divide */
  WEBNN_VK__LIB_LONG_FLOAT,  /* from and to float */
  WEBNN_VK__LIB_INT_FLOAT,   /* float_to_int, float_to_uint */
  WEBNN_VK__LIB_INT_POW,     /* i32_pow, u32_pow */
  WEBNN_VK__LIB_LONG_POW,
  WEBNN_VK__LIB_QUANTIZE,
  WEBNN_VK__LIB_QUANTIZE_LONG,
  WEBNN_VK__LIB_QUOTIENT, /* quotient_of, by a reciprocal */
  WEBNN_VK__LIBRARY_COUNT
} webnn_vk__library_part;

#define WEBNN_VK__PART(part) (UINT64_C(1) << WEBNN_VK__LIB_##part)
#define WEBNN_VK__HALF_EXTENSION                                                                   \
  "#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require\n"

/* half_bits: the bits of a float16, rounded to nearest, ties to even; below 2^-14 more bits go. A
   GPU's driver has been seen to leave a value as it is that is converted to float16 and back by
   itself, so round_half takes these. half_of: the low one of the word's two, or, if i is odd, the
   high one. */
#define WEBNN_VK__HALF_BITS                                                                        \
  "uint half_bits(float x) {\n"                                                                    \
  "  uint bits = floatBitsToUint(x), top = bits >> 16 & 0x8000u, m = bits & 0x7fffffffu;\n"        \
  "  bool tiny = m < 0x38800000u;\n"                                                               \
  "  uint shift = tiny ? min(126u - (m >> 23), 25u) : 13u;\n"                                      \
  "  uint whole = tiny ? m & 0x7fffffu | 0x800000u : m - 0x38000000u;\n"                           \
  "  uint y = whole + ((1u << shift >> 1) - 1u) + (whole >> shift & 1u) >> shift;\n"               \
  "  return top | (m > 0x7f800000u ? 0x7e00u : m >= 0x47800000u ? 0x7c00u : y);\n"                 \
  "}\n"                                                                                            \
  "float from_half(uint bits) { return unpackHalf2x16(bits).x; }\n"                                \
  "float half_of(uint word, uint i) {\n"                                                           \
  "  vec2 two = unpackHalf2x16(word);\n"                                                           \
  "  return (i & 1u) == 0u ? two.x : two.y;\n"                                                     \
  "}\n"                                                                                            \
  "float round_half(float x) { return from_half(half_bits(x)); }\n"

/* Where the device converts what is stored, in place of the part HALF. */
static const char webnn_vk__device_half[] = WEBNN_VK__HALF_BITS
    "uint to_halves(float x, float y) { return packFloat2x16(f16vec2(vec2(x, y))); }\n"
    "uint to_half(float x) { return to_halves(x, 0.0); }\n";

/* In the order of the enumerators. */
static const struct webnn_vk__library_text {
  uint64_t needs; /* parts that stand before it */
  const char *text;
} webnn_vk__library[WEBNN_VK__LIBRARY_COUNT] = {
    {0, WEBNN_VK__HALF_BITS
     "uint to_half(float x) { return half_bits(x); }\n"
     "uint to_halves(float x, float y) { return half_bits(x) | half_bits(y) << 16; }\n"},
    {0, "bool is_nan(float x) { return (floatBitsToUint(x) & 0x7fffffffu) > 0x7f800000u; }\n"
        "bool is_infinite(float x) { return (floatBitsToUint(x) & 0x7fffffffu) == 0x7f800000u; }\n"
        "float nan_value() { return uintBitsToFloat(0x7fc00000u); }\n"
        "float infinity() { return uintBitsToFloat(0x7f800000u); }\n"
        "float abs_of(float x) { return uintBitsToFloat(floatBitsToUint(x) & 0x7fffffffu); }\n"
        "float neg_of(float x) { return uintBitsToFloat(floatBitsToUint(x) ^ 0x80000000u); }\n"
        "float with_sign(float y, float x) {\n"
        "  return uintBitsToFloat(floatBitsToUint(y) & 0x7fffffffu | floatBitsToUint(x) & "
        "0x80000000u);\n"
        "}\n"
        /* Integers in the order of the floats, -0 before +0; and both zeros alike. */
        "int float_key(float x) {\n"
        "  int bits = floatBitsToInt(x);\n"
        "  return bits ^ int(uint(bits >> 31) >> 1);\n"
        "}\n"
        "int zero_key(float x) {\n"
        "  int key = float_key(x);\n"
        "  return key == -1 ? 0 : key;\n"
        "}\n"
        "float ceil_of(float x) {\n"
        "  uint m = floatBitsToUint(x) & 0x7fffffffu;\n"
        "  return m < 0x3f800000u ? with_sign(m == 0u || floatBitsToInt(x) < 0 ? 0.0 : 1.0, x)\n"
        "                         : with_sign(ceil(x), x);\n"
        "}\n"
        "float floor_of(float x) { return neg_of(ceil_of(neg_of(x))); }\n"
        "float sign_of(float x) {\n"
        "  uint m = floatBitsToUint(x) & 0x7fffffffu;\n"
        "  return m == 0u || m > 0x7f800000u ? 0.0 : with_sign(1.0, x);\n"
        "}\n"
        /* NaN if there is one; +0 is larger than -0. */
        "float max_nan(float x, float y) {\n"
        "  return is_nan(x) || is_nan(y) ? nan_value() : float_key(x) > float_key(y) ? x : y;\n"
        "}\n"
        "float min_nan(float x, float y) {\n"
        "  return is_nan(x) || is_nan(y) ? nan_value() : float_key(x) < float_key(y) ? x : y;\n"
        "}\n"},
    {0,
     /* x + y and x y, exactly, as the sum of the result and low. */
     "float two_sum(float x, float y, out float low) {\n"
     "  float s = x + y, t = s - x;\n"
     "  low = (x - (s - t)) + (y - t);\n"
     "  return s;\n"
     "}\n"
     "float two_product(float x, float y, out float low) {\n"
     "  float p = x * y, cx = 4097.0 * x, cy = 4097.0 * y;\n"
     "  float xh = cx - (cx - x), yh = cy - (cy - y), xl = x - xh, yl = y - yh;\n"
     "  low = ((xh * yh - p) + xh * yl + xl * yh) + xl * yl;\n"
     "  return p;\n"
     "}\n"},
    {WEBNN_VK__PART(BITS) | WEBNN_VK__PART(TWO),
     /* Drivers may be off by a last place: what is missing, x - s s, is added. */
     "float sqrt_of(float x) {\n"
     "  uint bits = floatBitsToUint(x);\n"
     "  if (bits == 0u || bits == 0x80000000u || bits == 0x7f800000u) { return x; }\n"
     "  if (bits > 0x7f800000u) { return nan_value(); }\n"
     "  bool small = bits < 0x800000u;\n"
     "  if (small) { x = float(2u * bits); }\n"
     "  bool raised = x < 1.0e-20, lowered = x > 1.0e20;\n"
     "  x *= raised ? 18446744073709551616.0 : lowered ? 5.421010862427522e-20 : 1.0;\n"
     "  float low, s = sqrt(x), square = two_product(s, s, low);\n"
     "  s += ((x - square) - low) / (s + s);\n"
     "  s *= raised ? 2.3283064365386963e-10 : lowered ? 4294967296.0 : 1.0;\n"
     "  return small ? s * 2.64697796e-23 : s;\n"
     "}\n"},
    {WEBNN_VK__PART(BITS) | WEBNN_VK__PART(TWO),
     /* a x + b, rounded nearly once; where a part overflows, twice. */
     "float linear_of(float x, float a, float b) {\n"
     "  if (is_infinite(b) && abs_of(x) < infinity() && abs_of(a) < infinity()) { return b; }\n"
     "  float low, rest, s = two_sum(two_product(a, x, low), b, rest);\n"
     "  rest += low;\n"
     "  return is_nan(rest) || is_infinite(rest) ? a * x + b : rest == 0.0 ? s : s + rest;\n"
     "}\n"},
    {WEBNN_VK__PART(BITS) | WEBNN_VK__PART(TWO),
     /* A sum in two floats. */
     "void add_to(inout float s, inout float c, float x) {\n"
     "  float low;\n"
     "  s = two_sum(s, x, low);\n"
     "  c += low;\n"
     "}\n"
     "bool is_finite(float x) { return (floatBitsToUint(x) & 0x7fffffffu) < 0x7f800000u; }\n"
     "float total_of(float s, float c) { return !is_finite(c) || c == 0.0 ? s : s + c; }\n"},
    {WEBNN_VK__PART(BITS),
     /* To be called before with_sign: LLVM until 2026 makes wrong code of c ? x : with_sign(y, x)
        for AVX-512. */
     "float or_nan(float y, float x) { return is_nan(x) ? x : y; }\n"
     /* 1/d for 2^-120 < d < 2^120, within 2^-22, in steps from what its bits say. Divisions of a
        device treat all numbers there are, which takes longer. */
     "float inverse_of(float d) {\n"
     "  float y = uintBitsToFloat(0x7ef311c7u - floatBitsToUint(d)), e = fma(-d, y, 1.0);\n"
     "  y = fma(y, fma(e, e, e), y);\n"
     "  e = fma(-d, y, 1.0);\n"
     "  return fma(y, fma(e, e, e), y);\n"
     "}\n"
     /* k, the integer next to x / ln 2, and 2^k, if `one` has the bits of 1.0. */
     "float power_of_two(float x, uint one, out float k) {\n"
     "  float shifted = fma(x, 1.44269504, 12582912.0);\n"
     "  k = shifted - 12582912.0;\n"
     "  return uintBitsToFloat((floatBitsToUint(shifted) << 23) + one);\n"
     "}\n"},
    {WEBNN_VK__PART(BITS),
     /* x 2^n for -252 <= n <= 254. */
     "float two_to(int n) { return uintBitsToFloat(uint(n + 127) << 23); }\n"
     "float scale_of(float x, int n) { return x * two_to(n >> 1) * two_to(n - (n >> 1)); }\n"
     /* e^r - 1 for |r| <= 0.35. */
     "float small_expm1(float r) {\n"
     "  float q = fma(0.00138662185, r, 0.00836715009);\n"
     "  q = fma(fma(fma(q, r, 0.0416674949), r, 0.16666539), r, 0.49999997);\n"
     "  return fma(r * r, q, r);\n"
     "}\n"
     "float minus_k_ln2(float x, float k) {\n"
     "  return fma(k, -1.42860677e-6, fma(k, -0.693145752, x));\n"
     "}\n"
     /* e^x, and what rounding took from it. */
     "float exp_and_rest(float x, out float rest) {\n"
     "  float t = x > 89.0 ? 89.0 : x < -115.0 ? -115.0 : x, k = roundEven(t * 1.44269504);\n"
     "  float p = small_expm1(minus_k_ln2(t, k)), y = 1.0 + p;\n"
     "  rest = scale_of(p - (y - 1.0), int(k));\n"
     "  y = scale_of(y, int(k));\n"
     "  return is_nan(x) ? x : y;\n"
     "}\n"
     "float exp_of(float x) { float rest; return exp_and_rest(x, rest); }\n"
     /* e^x - 1 for x <= 0. */
     "float expm1_of(float x) {\n"
     "  float t = x < -20.0 ? -20.0 : x, k = roundEven(t * 1.44269504);\n"
     "  float r = small_expm1(minus_k_ln2(t, k)), p = two_to(int(k));\n"
     "  return is_nan(x) ? x : p * r + (p - 1.0);\n"
     "}\n"},
    {WEBNN_VK__PART(BITS) | WEBNN_VK__PART(EXP),
     /* x = 2^k (1 + f), sqrt(1/2) <= 1 + f < sqrt 2, for finite x > 0. */
     "float split_of(float x, out float k) {\n"
     "  uint bits = floatBitsToUint(x);\n"
     "  int tiny = bits < 0x800000u ? 23 - findMSB(bits) : 0;\n"
     "  bits <<= uint(tiny);\n"
     "  int offset = int(bits) - 0x3f3504f3, exponent = offset >> 23;\n"
     "  k = float(exponent - tiny);\n"
     "  return uintBitsToFloat(uint(offset - (exponent << 23) + 0x3f3504f3)) - 1.0;\n"
     "}\n"
     /* ln 2^k (1 + f), smallest terms first. */
     "float log_of_parts(float k, float f) {\n"
     "  float p = -0.0763603225, square = f * f;\n"
     "  p = ((p * f + 0.127631783) * f - 0.131602481) * f + 0.142014667;\n"
     "  p = ((p * f - 0.166233227) * f + 0.200012445) * f - 0.250008225;\n"
     "  p = p * f + 0.333333313;\n"
     "  float y = square * f * p + k * 1.42860677e-6;\n"
     "  y = f + (y - 0.5 * square);\n"
     "  return k * 0.693145752 + y;\n"
     "}\n"
     "float log_of(float x) {\n"
     "  uint bits = floatBitsToUint(x);\n"
     "  if ((bits & 0x7fffffffu) == 0u) { return neg_of(infinity()); }\n"
     "  if (bits >= 0x7f800000u) { return bits == 0x7f800000u ? x : nan_value(); }\n"
     "  float k, f = split_of(x, k);\n"
     "  return log_of_parts(k, f);\n"
     "}\n"},
    {WEBNN_VK__PART(BITS) | WEBNN_VK__PART(EXP),
     "float sigmoid_of(float x) {\n"
     "  float e = exp_of(neg_of(abs_of(x)));\n"
     "  return is_nan(x) ? x : floatBitsToInt(x) < 0 ? e / (1.0 + e) : 1.0 / (1.0 + e);\n"
     "}\n"},
    {WEBNN_VK__PART(BITS) | WEBNN_VK__PART(EXP),
     /* max(x, 0) + ln(1 + e^-|x|). */
     "float softplus_of(float x) {\n"
     "  float rest, u = exp_and_rest(neg_of(abs_of(x)), rest), q = -0.00331055722;\n"
     "  q = ((q * u + 0.0201679971) * u - 0.0575936884) * u + 0.1067314;\n"
     "  q = ((q * u - 0.153508395) * u + 0.196937442) * u - 0.249582469;\n"
     "  q = (q * u + 0.333304763) * u - 0.499999315;\n"
     "  return is_nan(x) ? x : u + (u * u * q + (rest * 0.75 + (x > 0.0 ? x : 0.0)));\n"
     "}\n"},
    {WEBNN_VK__PART(BITS) | WEBNN_VK__PART(INVERSE) | WEBNN_VK__PART(EXP),
     /* t + t^3 p(t^2) to 0.6, and 1 - 2 / (e^2t + 1). */
     "float tanh_of(float x) {\n"
     "  float t = min(abs_of(x), 10.0), q = t * t, p = 0.00237076564, k;\n"
     "  p = fma(fma(fma(p, q, -0.0084100708), q, 0.021788322), q, -0.0539615518);\n"
     "  p = fma(fma(p, q, 0.133333129), q, -0.333333332);\n"
     "  float scale = power_of_two(2.0 * t, 0x3f800000u, k);\n"
     "  float d = fma(scale, small_expm1(minus_k_ln2(2.0 * t, k)), scale + 1.0);\n"
     "  float y = fma(-2.0, inverse_of(d), 1.0);\n"
     "  y = t < 0.6 ? fma(t * q, p, t) : y;\n"
     "  return with_sign(or_nan(y, x), x);\n"
     "}\n"},
    {WEBNN_VK__PART(BITS) | WEBNN_VK__PART(EXP),
     /* t + t p(t^2) to 0.875, and 1 - e^p(t). */
     "float erf_of(float x) {\n"
     "  float t = abs_of(x), q = t * t, p;\n"
     "  if (is_nan(x)) { return x; }\n"
     "  if (t < 1.0e-8) { return with_sign(t * 1.12837917, x); }\n"
     "  if (t < 0.875) {\n"
     "    p = 8.6582785e-5;\n"
     "    p = ((p * q - 0.000820776258) * q + 0.0052065115) * q - 0.0268615122;\n"
     "    p = ((p * q + 0.112837321) * q - 0.37612636) * q + 0.128379167;\n"
     "    return with_sign(t + t * p, x);\n"
     "  }\n"
     "  t = t > 3.95 ? 3.95 : t;\n"
     "  p = 1.65537488e-6;\n"
     "  p = ((p * t - 4.63790458e-5) * t + 0.000599156866) * t - 0.00476882734;\n"
     "  p = ((p * t + 0.0264419216) * t - 0.110106409) * t - 0.631809716;\n"
     "  p = (p * t - 1.13023577) * t + 0.000318843817;\n"
     "  return with_sign(1.0 - exp_of(p), x);\n"
     "}\n"},
    {WEBNN_VK__PART(BITS) | WEBNN_VK__PART(INVERSE) | WEBNN_VK__PART(EXP),
     /* max(x, 0) - t h(t) e^(-t^2/2), t = |x|, h(t) = erfc(t / sqrt 2) e^(t^2/2) / 2 =
        u p(u - 1/2), u = 1 / (1 + t/4). Where x is negative nothing hides an error of the
        factors: `off` adds up what rounding has taken from u, on which p depends, too, and from
        u t, relative to the result. Numbers of 12 bits have exact products. */
     "float high_of(float x) { return uintBitsToFloat(floatBitsToUint(x) & 0xfffff000u); }\n"
     "float gelu_of(float x) {\n"
     "  float t = min(abs_of(x), 14.9375), th = high_of(t), tl = t - th, k;\n"
     "  float d = 1.0 + 0.25 * t, d_low = 0.25 * t - (d - 1.0), dh = high_of(d), dl = d - dh;\n"
     "  float u = inverse_of(d), uh = high_of(u), ul = u - uh, w = u - 0.5, ut = u * t;\n"
     "  float u_off = fma(-ul, dl, fma(-ul, dh, fma(-uh, dl, fma(-uh, dh, 1.0))));\n"
     "  float ut_low = fma(ul, tl, fma(ul, th, fma(uh, tl, fma(uh, th, -ut))));\n"
     "  float slope = fma(fma(0.916, w, 2.317), w, 1.827);\n"
     "  float off = fma(u_off, slope, -u * d_low * slope);\n"
     "  off = fma(ut_low, uintBitsToFloat(0x7ef311c7u - floatBitsToUint(ut)), off);\n"
     "  float b = fma(fma(-0.0115751615, w, 0.0281114783), w, 0.0109923547);\n"
     "  b = fma(fma(fma(b, w, -0.0523419976), w, -0.0558737554), w, 0.0603412166);\n"
     "  b = fma(fma(fma(b, w, 0.241593316), w, 0.37304315), w, 0.387137294);\n"
     "  b = fma(b, w, 0.303948313) * w;\n"
     "  float high = -0.5 * th * th, low = -0.5 * (t + th) * tl;\n"
     "  float scale = power_of_two(high, 0x5f800000u, k);\n"
     "  float e = small_expm1(minus_k_ln2(high, k) + low);\n"
     "  e = fma(e, 0.188821286 + b, b);\n"
     "  float q = ut * (0.188821286 + fma(off, 0.188821286 + e, e)) * scale * 5.42101086e-20;\n"
     "  uint bits = floatBitsToUint(x);\n"
     "  q = t < 1.0e-9 ? 0.5 * x : int(bits) >= 0 ? x - q : neg_of(q);\n"
     "  return is_nan(x) || bits == 0xff800000u ? nan_value() : q;\n"
     "}\n"},
    {WEBNN_VK__PART(BITS) | WEBNN_VK__PART(INVERSE),
     /* Within 2^-15 of the result, or of 2^-25 where that is more. This is e^x - y, y = 0 or 1. */
     "float exp_less(float x, float y) {\n"
     "  float k, scale = power_of_two(x, 0x3f800000u, k), r = fma(k, -0.693147182, x);\n"
     "  float p = fma(r * r, fma(fma(0.0412769988, r, 0.16753687), r, 0.500051379), r);\n"
     "  return fma(scale, p, scale - y);\n"
     "}\n"
     "float exp_half(float x) { return or_nan(exp_less(max(min(x, 20.0), -20.0), 0.0), x); }\n"
     /* For x <= 0. */
     "float expm1_half(float x) { return or_nan(exp_less(max(x, -20.0), 1.0), x); }\n"
     "float sigmoid_half(float x) { return or_nan(inverse_of(1.0 + exp_half(neg_of(x))), x); }\n"
     "float softplus_half(float x) {\n"
     "  float u = exp_half(neg_of(abs_of(x))), q = fma(-0.0238691531, u, 0.101222292);\n"
     "  q = fma(fma(q, u, -0.21004869), u, 0.325206697);\n"
     "  q = fma(fma(q, u, -0.499361366), u, 0.999991596);\n"
     "  return or_nan(fma(u, q, x > 0.0 ? x : 0.0), x);\n"
     "}\n"
     /* (e^2t - 1) / (e^2t + 1) */
     "float tanh_half(float x) {\n"
     "  float e = exp_less(2.0 * min(abs_of(x), 5.0), 1.0);\n"
     "  return with_sign(or_nan(e * inverse_of(e + 2.0), x), x);\n"
     "}\n"
     /* 1 - e^(ln erfc(t)) */
     "float erf_half(float x) {\n"
     "  float t = min(abs_of(x), 2.75), p = fma(-0.0020766831, t, 0.0206537303);\n"
     "  p = fma(fma(fma(p, t, -0.103235081), t, -0.636570096), t, -1.12837994);\n"
     "  return with_sign(or_nan(exp_less(t * p, 1.0), x), x);\n"
     "}\n"
     /* max(x, 0) - t e^(ln (erfc(t / sqrt 2) / 2)) */
     "float gelu_half(float x) {\n"
     "  float t = min(abs_of(x), 5.8), p = fma(-1.26758039e-6, t, 4.26250263e-5);\n"
     "  p = fma(fma(fma(p, t, -0.000644521031), t, 0.00589572825), t, -0.0373999029);\n"
     "  p = fma(fma(fma(p, t, -0.317785025), t, -0.797985971), t, -0.693143964);\n"
     "  float q = t * exp_less(p, 0.0);\n"
     "  uint bits = floatBitsToUint(x);\n"
     "  q = int(bits) >= 0 ? x - q : neg_of(q);\n"
     "  return is_nan(x) || bits == 0xff800000u ? nan_value() : q;\n"
     "}\n"},
    {WEBNN_VK__PART(BITS),
     /* |x| = quadrant pi/2 + r + low, |r| <= pi/4. Of small angles pi/2 is taken away in parts
        of 11 bits; of others x 2/pi is computed in integers, of which the quadrant and 64 more
        bits are kept. */
     "uint two_over_pi(uint i) {\n"
     "  uvec4 four = i < 4u ? uvec4(0u, 0u, 0xa2f9836eu, 0x4e441529u)\n"
     "                      : uvec4(0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u);\n"
     "  return i > 7u ? 0xfe5163abu : four[i & 3u];\n"
     "}\n"
     "float large_angle(uint bits, out float low, out int quadrant) {\n"
     "  uint m = bits & 0x7fffffu | 0x800000u, e = bits >> 23;\n"
     "  uint at = e - 88u, word = at >> 5, shift = at & 31u;\n"
     "  uint a = two_over_pi(word), b = two_over_pi(word + 1u), c = two_over_pi(word + 2u);\n"
     "  uint d = two_over_pi(word + 3u);\n"
     "  if (shift > 0u) {\n"
     "    a = a << shift | b >> (32u - shift);\n"
     "    b = b << shift | c >> (32u - shift);\n"
     "    c = c << shift | d >> (32u - shift);\n"
     "  }\n"
     "  uint h, l, h2, l2, middle, bottom;\n"
     "  umulExtended(c, m, h, l);\n"
     "  umulExtended(b, m, h2, l2);\n"
     "  bottom = l2 + h;\n"
     "  h2 += bottom < h ? 1u : 0u;\n"
     "  middle = a * m + h2;\n"
     "  quadrant = int(middle >> 30);\n"
     "  uint f = middle << 2 | bottom >> 30, g = bottom << 2 | l >> 30;\n"
     "  bool up = (f & 0x80000000u) != 0u;\n"
     "  if (up) { quadrant++; f = ~f; g = ~g; }\n"
     "  if (f == 0u && g == 0u) { low = 0.0; return 0.0; }\n"
     "  int zeros = f != 0u ? 31 - findMSB(f) : 63 - findMSB(g);\n"
     "  if (zeros >= 32) { f = g << uint(zeros - 32); g = 0u; }\n"
     "  else if (zeros > 0) { f = f << uint(zeros) | g >> uint(32 - zeros); g <<= uint(zeros); }\n"
     "  float scale = uintBitsToFloat(uint(127 - zeros) << 23 | (up ? 0x80000000u : 0u));\n"
     "  float hi = float(f >> 8) * 5.9604644775390625e-8;\n"
     "  float lo = float((f & 255u) << 16 | g >> 16) * 3.552713678800501e-15;\n"
     "  float c1 = 4097.0 * hi, hh = c1 - (c1 - hi), hl = hi - hh;\n"
     "  float r = hi * 1.57079637, p = 0.000483870506;\n"
     "  low = ((hh * 1.5703125 - r) + hh * p + hl * 1.5703125) + hl * p;\n"
     "  low = (low + (lo * 1.57079637 + hi * -4.37113883e-8)) * scale;\n"
     "  return r * scale;\n"
     "}\n"},
    {WEBNN_VK__PART(BITS) | WEBNN_VK__PART(LARGE_ANGLE),
     "float angle_of(float x, out float low, out int quadrant) {\n"
     "  float size = abs_of(x);\n"
     "  low = 0.0;\n"
     "  quadrant = 0;\n"
     "  if (is_nan(x) || is_infinite(x)) { return nan_value(); }\n"
     "  if (size < 8192.0) {\n"
     "    float n = roundEven(size * 0.636619747), a = size - n * 1.5703125 - n * 0.000483751297;\n"
     "    float r = a - n * 7.54953362e-8;\n"
     "    low = (a - r) - n * 7.54953362e-8 - n * 2.56334407e-12;\n"
     "    quadrant = int(n);\n"
     "    return r;\n"
     "  }\n"
     "  return large_angle(floatBitsToUint(size), low, quadrant);\n"
     "}\n"},
    {WEBNN_VK__PART(BITS) | WEBNN_VK__PART(LARGE_ANGLE) | WEBNN_VK__PART(ANGLE),
     "float sine_of(float x, int quadrants) {\n"
     "  float low;\n"
     "  int quadrant;\n"
     "  float r = angle_of(x, low, quadrant), q = r * r, s = -0.000195180721, c = 2.44323383e-5;\n"
     "  quadrant += quadrants;\n"
     "  s = (s * q + 0.00833218824) * q - 0.166666552;\n"
     "  s = r + (r * q * s + low);\n"
     "  c = (c * q - 0.00138873095) * q + 0.0416666456;\n"
     "  c = (c * q - 0.5) * q + 1.0;\n"
     "  float y = (quadrant & 1) == 0 ? s : c - r * low;\n"
     "  return (quadrant & 2) == 0 ? y : neg_of(y);\n"
     "}\n"
     "float sin_of(float x) {\n"
     "  float y = sine_of(x, 0);\n"
     "  return floatBitsToInt(x) < 0 ? neg_of(y) : y;\n"
     "}\n"
     "float cos_of(float x) { return sine_of(x, 1); }\n"},
    {WEBNN_VK__PART(BITS) | WEBNN_VK__PART(LARGE_ANGLE) | WEBNN_VK__PART(ANGLE),
     "float tan_of(float x) {\n"
     "  float low;\n"
     "  int quadrant;\n"
     "  float r = angle_of(x, low, quadrant), q = r * r, p = 0.0043778792;\n"
     "  p = ((p * q + 8.88027207e-5) * q + 0.0108339321) * q + 0.0212841406;\n"
     "  p = ((p * q + 0.0540592112) * q + 0.133326739) * q + 0.333333492;\n"
     "  p = r + (r * q * p + low);\n"
     "  p = (quadrant & 1) == 0 ? p : -1.0 / p;\n"
     "  return floatBitsToInt(x) < 0 ? neg_of(p) : p;\n"
     "}\n"},
    {WEBNN_VK__PART(BITS) | WEBNN_VK__PART(TWO) | WEBNN_VK__PART(EXP) | WEBNN_VK__PART(LOG),
     /* log2 x as the sum of the result and low, for finite x > 0. */
     "float log2_in_two(float x, out float low) {\n"
     "  float k, f = split_of(x, k), d = 2.0 + f, d_low = f - (d - 2.0), s = f / d;\n"
     "  float p_low, p = two_product(s, d, p_low), s_low = (((f - p) - p_low) - s * d_low) / d;\n"
     "  float q_low, q = two_product(s, s, q_low);\n"
     "  q_low = (s + s) * s_low + q_low;\n"
     "  float t = (0.117096946 * q + 0.142735481) * q + 0.200000763, t_low = t * q - "
     "9.93410776e-9;\n"
     "  t = 0.333333343 + t_low;\n"
     "  t_low = t_low - (t - 0.333333343);\n"
     "  float u_low, u = two_product(q, t, u_low);\n"
     "  u_low = u_low + (q * t_low + q_low * t);\n"
     "  float v_low, v = two_product(s, u, v_low);\n"
     "  v_low = v_low + (s * u_low + s_low * u);\n"
     "  float l = s + v, l_low = (v - (l - s)) + (v_low + s_low);\n"
     "  float g_low, g = two_product(l, 2.88539004, g_low);\n"
     "  g_low = g_low + (l * 3.85192607e-8 + l_low * 2.88539004);\n"
     "  float h = k + g;\n"
     "  low = (g - (h - k)) + g_low;\n"
     "  return h;\n"
     "}\n"
     "float finite_power(float x, float y) {\n"
     "  float size = abs_of(x), half_y = y * 0.5, z = max(min(y, 4.0e9), -4.0e9);\n"
     "  bool whole = roundEven(y) == y, odd = whole && roundEven(half_y) != half_y;\n"
     "  float g = y < 0.0 ? infinity() : y == 0.0 ? 1.0 : 0.0;\n"
     "  if (floatBitsToUint(size) != 0u) {\n"
     "    float log_low, e_low, l = log2_in_two(size, log_low), e = two_product(z, l, e_low);\n"
     "    e_low = abs_of(e) < 160.0 ? z * log_low + e_low : 0.0;\n"
     "    e = e > 130.0 ? 130.0 : e < -160.0 ? -160.0 : e;\n"
     "    float n = roundEven(e), f = (e - n) + e_low;\n"
     "    g = f * 0.000155034199 + 0.00133920729;\n"
     "    g = ((g * f + 0.00961790327) * f + 0.0555035733) * f + 0.240226522;\n"
     "    g = g * f + 0.693147182;\n"
     "    g = scale_of(g * f + 1.0, int(n));\n"
     "  }\n"
     "  g = odd ? with_sign(g, x) : g;\n"
     "  return floatBitsToInt(x) < 0 && floatBitsToUint(size) != 0u && !whole ? nan_value() : g;\n"
     "}\n"
     "float pow_of(float x, float y) {\n"
     "  if (floatBitsToUint(y) << 1 == 0u || floatBitsToUint(x) == 0x3f800000u) { return 1.0; }\n"
     "  if (is_nan(x) || is_nan(y)) { return nan_value(); }\n"
     "  float t = abs_of(x);\n"
     "  if (is_infinite(y)) { return t == 1.0 ? 1.0 : t > 1.0 == y > 0.0 ? infinity() : 0.0; }\n"
     "  if (is_infinite(x)) {\n"
     "    float half_y = y * 0.5, g = y > 0.0 ? infinity() : 0.0;\n"
     "    bool odd = roundEven(y) == y && roundEven(half_y) != half_y;\n"
     "    return odd ? with_sign(g, x) : g;\n"
     "  }\n"
     "  return finite_power(x, y);\n"
     "}\n"},
    {0,
     "uvec2 i64_add(uvec2 a, uvec2 b) {\n"
     "  uint low = a.x + b.x;\n"
     "  return uvec2(low, a.y + b.y + (low < a.x ? 1u : 0u));\n"
     "}\n"
     "uvec2 i64_neg(uvec2 a) { return uvec2(0u - a.x, ~a.y + (a.x == 0u ? 1u : 0u)); }\n"
     "uvec2 i64_sub(uvec2 a, uvec2 b) { return uvec2(a.x - b.x, a.y - b.y - (a.x < b.x ? 1u : "
     "0u)); }\n"
     "uvec2 i64_mul(uvec2 a, uvec2 b) {\n"
     "  uint high, low;\n"
     "  umulExtended(a.x, b.x, high, low);\n"
     "  return uvec2(low, high + a.x * b.y + a.y * b.x);\n"
     "}\n"
     "bool i64_equal(uvec2 a, uvec2 b) { return a.x == b.x && a.y == b.y; }\n"
     "bool u64_less(uvec2 a, uvec2 b) { return a.y < b.y || a.y == b.y && a.x < b.x; }\n"
     "bool i64_less(uvec2 a, uvec2 b) { return int(a.y) < int(b.y) || a.y == b.y && a.x < b.x; }\n"
     "uvec2 i64_choose(bool first, uvec2 a, uvec2 b) { return first ? a : b; }\n"
     "uvec2 i64_max(uvec2 a, uvec2 b) { return i64_choose(i64_less(a, b), b, a); }\n"
     "uvec2 i64_min(uvec2 a, uvec2 b) { return i64_choose(i64_less(b, a), b, a); }\n"
     "uvec2 u64_max(uvec2 a, uvec2 b) { return i64_choose(u64_less(a, b), b, a); }\n"
     "uvec2 u64_min(uvec2 a, uvec2 b) { return i64_choose(u64_less(b, a), b, a); }\n"
     "uvec2 i64_abs(uvec2 a) { return i64_choose(int(a.y) < 0, i64_neg(a), a); }\n"
     "uvec2 i64_of_int(int a) { return uvec2(uint(a), uint(a >> 31)); }\n"
     "uvec2 u64_shift_left(uvec2 v, uint n) {\n"
     "  if (n >= 32u) { return uvec2(0u, v.x << (n - 32u)); }\n"
     "  return n == 0u ? v : uvec2(v.x << n, v.y << n | v.x >> (32u - n));\n"
     "}\n"},
    {WEBNN_VK__PART(LONG),
     /* Bit after bit; of b = 0 nothing is expected. */
     "uvec2 u64_divide(uvec2 a, uvec2 b, out uvec2 rest) {\n"
     "  uvec2 quotient = uvec2(0u, 0u);\n"
     "  rest = uvec2(0u, 0u);\n"
     "  if (a.y == 0u && b.y == 0u && b.x != 0u) {\n"
     "    rest.x = a.x % b.x;\n"
     "    return uvec2(a.x / b.x, 0u);\n"
     "  }\n"
     "  for (int i = 0; i < 64; i++) {\n"
     "    bool carry = (rest.y & 0x80000000u) != 0u;\n"
     "    rest = uvec2(rest.x << 1 | a.y >> 31, rest.y << 1 | rest.x >> 31);\n"
     "    a = uvec2(a.x << 1, a.y << 1 | a.x >> 31);\n"
     "    quotient = uvec2(quotient.x << 1, quotient.y << 1 | quotient.x >> 31);\n"
     "    if (carry || !u64_less(rest, b)) {\n"
     "      rest = i64_sub(rest, b);\n"
     "      quotient.x |= 1u;\n"
     "    }\n"
     "  }\n"
     "  return quotient;\n"
     "}\n"
     /* Truncated; x / 0 is 0. */
     "uvec2 u64_div(uvec2 a, uvec2 b) {\n"
     "  uvec2 rest;\n"
     "  if (b.x == 0u && b.y == 0u) { return b; }\n"
     "  return u64_divide(a, b, rest);\n"
     "}\n"
     "uvec2 i64_div(uvec2 a, uvec2 b) {\n"
     "  uvec2 q = u64_div(i64_abs(a), i64_abs(b));\n"
     "  return i64_choose(int(a.y ^ b.y) < 0, i64_neg(q), q);\n"
     "}\n"},
    {WEBNN_VK__PART(LONG),
     /* Rounded to nearest, ties to even. */
     "float u64_to_float(uvec2 v) {\n"
     "  if (v.y == 0u && v.x < 16777216u) { return float(v.x); }\n"
     "  int zeros = v.y != 0u ? 31 - findMSB(v.y) : 63 - findMSB(v.x);\n"
     "  uvec2 t = u64_shift_left(v, uint(zeros));\n"
     "  uint kept = t.y >> 8, gone = t.y << 24 | t.x >> 8 | t.x & 255u;\n"
     "  if (gone > 0x80000000u - (kept & 1u)) { kept++; }\n"
     "  return uintBitsToFloat((uint(189 - zeros) << 23) + kept);\n"
     "}\n"
     "float i64_to_float(uvec2 v) {\n"
     "  float y = u64_to_float(i64_abs(v));\n"
     "  return int(v.y) < 0 ? -y : y;\n"
     "}\n"
     /* Truncated and saturated; NaN gives 0. */
     "uvec2 float_to_u64(float x) {\n"
     "  uint bits = floatBitsToUint(x), m = bits & 0x7fffffu | 0x800000u;\n"
     "  int e = int(bits >> 23 & 255u) - 150;\n"
     "  if (!(x >= 0.0)) { return uvec2(0u, 0u); }\n"
     "  if (e >= 41) { return uvec2(0xffffffffu, 0xffffffffu); }\n"
     "  if (e >= 0) { return u64_shift_left(uvec2(m, 0u), uint(e)); }\n"
     "  return uvec2(e <= -24 ? 0u : m >> uint(-e), 0u);\n"
     "}\n"
     "uvec2 float_to_i64(float x) {\n"
     "  uint b = floatBitsToUint(x);\n"
     "  uvec2 v = float_to_u64(uintBitsToFloat(b & 0x7fffffffu));\n"
     "  if (int(b) < 0) { return i64_choose(int(v.y) < 0, uvec2(0u, 0x80000000u), i64_neg(v)); }\n"
     "  return i64_choose(int(v.y) < 0, uvec2(0xffffffffu, 0x7fffffffu), v);\n"
     "}\n"},
    {0,
     /* Truncated and saturated to what lies between; NaN gives 0. */
     "int float_to_int(float x, int least, int most) {\n"
     "  if ((floatBitsToUint(x) & 0x7fffffffu) > 0x7f800000u) { return 0; }\n"
     "  if (x >= 2147483648.0) { return most; }\n"
     "  if (x < -2147483648.0) { return least; }\n"
     "  int i = int(x);\n"
     "  return i < least ? least : i > most ? most : i;\n"
     "}\n"
     "uint float_to_uint(float x, uint most) {\n"
     "  if (!(x >= 1.0)) { return 0u; }\n"
     "  uint i = x >= 4294967296.0 ? 0xffffffffu : uint(x);\n"
     "  return i > most ? most : i;\n"
     "}\n"},
    {0, "uint u32_pow(uint x, uint n) {\n"
        "  uint y = 1u;\n"
        "  for (; n > 0u; n >>= 1) {\n"
        "    if ((n & 1u) != 0u) { y *= x; }\n"
        "    x *= x;\n"
        "  }\n"
        "  return y;\n"
        "}\n"
        /* A negative exponent leaves something only of 1 and -1. */
        "int i32_pow(int x, int n) {\n"
        "  if (n < 0) { return x == 1 ? 1 : x == -1 ? ((n & 1) == 0 ? 1 : -1) : 0; }\n"
        "  return int(u32_pow(uint(x), uint(n)));\n"
        "}\n"},
    {WEBNN_VK__PART(LONG),
     "uvec2 u64_pow(uvec2 x, uvec2 n) {\n"
     "  uvec2 y = uvec2(1u, 0u);\n"
     "  for (; (n.x | n.y) != 0u; n = uvec2(n.x >> 1 | n.y << 31, n.y >> 1)) {\n"
     "    if ((n.x & 1u) != 0u) { y = i64_mul(y, x); }\n"
     "    x = i64_mul(x, x);\n"
     "  }\n"
     "  return y;\n"
     "}\n"
     "uvec2 i64_pow(uvec2 x, uvec2 n) {\n"
     "  if (int(n.y) < 0) {\n"
     "    if (x.x == 1u && x.y == 0u) { return x; }\n"
     "    if ((x.x & x.y) != 0xffffffffu) { return uvec2(0u, 0u); }\n"
     "    return i64_choose((n.x & 1u) == 0u, uvec2(1u, 0u), x);\n"
     "  }\n"
     "  return u64_pow(x, n);\n"
     "}\n"},
    {WEBNN_VK__PART(BITS) | WEBNN_VK__PART(TWO),
     /* roundEven(x / scale) + zero, saturated; NaN gives 0. Where the rounded quotient is half an
        integer, the sign of x - quotient scale tells on which side the exact one is. */
     "int quantize_of(float x, float scale, int zero, int least, int most) {\n"
     "  float q = x / scale, low;\n"
     "  if (is_nan(q)) { return 0; }\n"
     "  q = q > 1024.0 ? 1024.0 : q < -1024.0 ? -1024.0 : q;\n"
     "  float k = roundEven(q);\n"
     "  if (abs(q - k) == 0.5) {\n"
     "    float p = two_product(q, scale, low), rest = (x - p) - low;\n"
     "    rest = floatBitsToInt(scale) < 0 ? -rest : rest;\n"
     "    k = rest == 0.0 ? k : rest > 0.0 ? ceil(q) : floor(q);\n"
     "  }\n"
     "  int y = int(k) + zero;\n"
     "  return y < least ? least : y > most ? most : y;\n"
     "}\n"},
    {WEBNN_VK__PART(LONG) | WEBNN_VK__PART(LONG_DIVIDE),
     /* |x| = m 2^e, 2^23 <= m < 2^24, for finite x that is not 0. */
     "uint mantissa_of(uint bits, out int e) {\n"
     "  uint m = bits & 0x7fffffu, field = bits >> 23 & 255u;\n"
     "  if (field != 0u) { e = int(field) - 150; return m | 0x800000u; }\n"
     "  int shift = 23 - findMSB(m);\n"
     "  e = -149 - shift;\n"
     "  return m << uint(shift);\n"
     "}\n"
     /* roundEven(x / scale) by integers, or 2^40 with its sign; false: NaN. */
     "bool rounded_quotient(float x, float scale, out uvec2 y) {\n"
     "  uint a = floatBitsToUint(x), b = floatBitsToUint(scale), negative = (a ^ b) >> 31;\n"
     "  int ea, eb;\n"
     "  a &= 0x7fffffffu;\n"
     "  b &= 0x7fffffffu;\n"
     "  y = uvec2(0u, 0u);\n"
     "  if (a > 0x7f800000u || b > 0x7f800000u || a == b && (a == 0u || a == 0x7f800000u)) {\n"
     "    return false;\n"
     "  }\n"
     "  if (a == 0u || b == 0x7f800000u) { return true; }\n"
     "  y = uvec2(0u, 256u);\n"
     "  if (a < 0x7f800000u && b > 0u) {\n"
     "    uint ma = mantissa_of(a, ea), mb = mantissa_of(b, eb);\n"
     "    int shift = ea - eb;\n"
     "    if (shift < -2) {\n"
     "      y = uvec2(0u, 0u);\n"
     "    } else if (shift <= 36) {\n"
     "      uvec2 rest, divisor = uvec2(mb << 2, 0u);\n"
     "      y = u64_divide(u64_shift_left(uvec2(ma, 0u), uint(shift + 2)), divisor, rest);\n"
     "      if (2u * rest.x + (y.x & 1u) > divisor.x) { y = i64_add(y, uvec2(1u, 0u)); }\n"
     "    }\n"
     "  }\n"
     "  if (negative != 0u) { y = i64_neg(y); }\n"
     "  return true;\n"
     "}\n"
     "int quantize_int(float x, float scale, int zero) {\n"
     "  uvec2 y;\n"
     "  if (!rounded_quotient(x, scale, y)) { return 0; }\n"
     "  y = i64_add(y, i64_of_int(zero));\n"
     "  return i64_less(y, uvec2(0x80000000u, 0xffffffffu)) ? int(0x80000000u)\n"
     "         : i64_less(uvec2(0x7fffffffu, 0u), y)        ? 0x7fffffff\n"
     "                                                      : int(y.x);\n"
     "}\n"
     "uint quantize_uint(float x, float scale, uint zero) {\n"
     "  uvec2 y;\n"
     "  if (!rounded_quotient(x, scale, y)) { return 0u; }\n"
     "  y = i64_add(y, uvec2(zero, 0u));\n"
     "  return int(y.y) < 0 ? 0u : y.y > 0u ? 0xffffffffu : y.x;\n"
     "}\n"},
    {0, /* i / d; webnn_vk__reciprocal_of has the numbers. */
     "uint quotient_of(uint i, uint reciprocal, uint shift) {\n"
     "  uint high, low;\n"
     "  umulExtended(i, reciprocal, high, low);\n"
     "  return high >> shift;\n"
     "}\n"},
};

/* ---- How a kernel is made -----------------------------------------------------------------------

   A plan function of an operator writes a kernel's text and says what it is bound to:

       webnn_vk__kernel k;
       webnn_vk__begin(planner, node, &k);
       webnn_vk__reads(&k, "x", x);
       webnn_vk__writes(&k, "y", y);
       webnn_vk__push(&k, "rows", rows);
       webnn_vk__text(&k, "float element(uint i) { return load_x(i) + float(rows); }\n");
       return webnn_vk__map(&k, count);

   Once something has failed the other calls do nothing, and the last one says so. Numbers that
   differ from node to node are push constants, so that many nodes share one kernel; what changes
   the code is a constant of the text. Devices have room for 32 words of push constants; further
   ones are constants of the text, too.

   A device may have as few as four storage buffers for a kernel. Kernels keep to that: what is
   small they bring together in scratch memory, and chains and concat have fewer operands there. */

enum {
  WEBNN_VK__BINDINGS, /* buffers and names */
  WEBNN_VK__PUSH_BLOCK,
  WEBNN_VK__ACCESSORS, /* load_x and pack_y */
  WEBNN_VK__BODY,
  WEBNN_VK__WHOLE_TEXT
};

/* How an invocation of a map that makes several elements gets an operand's. */
typedef enum webnn_vk__access {
  WEBNN_VK__ONE_BY_ONE,
  WEBNN_VK__IN_VECTORS, /* at once: they are neighbours */
  WEBNN_VK__AS_ONE      /* they are the same */
} webnn_vk__access;

typedef struct webnn_vk__kernel {
  webnn_vk__planner *planner;
  webnn_vk__step step;    /* as far as it is known */
  uint64_t library;       /* bits of what the text uses */
  uint32_t local;         /* invocations of a workgroup */
  uint64_t cost;          /* of one invocation or group */
  webnn_data_type type;   /* of what was declared as written last */
  char name[40];          /* the last that webnn_vk__named has made */
  const char *extensions; /* lines of the text, or NULL */
  /* A map whose invocations make `each` elements at a time, in vectors; 0: a word at a time. Then
     it says of each operand, in the order of their bindings, how they read it. */
  uint32_t each;
  webnn_vk__access access[WEBNN_VK__OPERANDS];
  uint32_t moved_bits; /* of a unit that raw operands are moved by; 0: of an element */
  bool failed;
} webnn_vk__kernel;

/* ---- Texts ---- */

static bool webnn_vk__kernel_fails(webnn_vk__kernel *k, const char *reason) {
  if (!k->failed) {
    k->failed = true;
    (void)webnn_vk__plan_fails(k->planner, k->step.node, reason);
  }
  return false;
}

static void webnn_vk__add_text(webnn_vk__kernel *k, uint32_t part, const char *text,
                               size_t length) {
  webnn_vk__text_buffer *buffer = &k->planner->texts[part];
  if (k->failed) {
    return;
  }
  if (buffer->length + length + 1 > buffer->room) {
    const uint64_t room = (buffer->length + length + 1) * 2;
    char *longer = (char *)webnn_vk__longer(k->planner, buffer->bytes, buffer->length, room, 1);
    if (longer == NULL) {
      k->failed = true;
      return;
    }
    buffer->bytes = longer;
    buffer->room = room;
  }
  memcpy(buffer->bytes + buffer->length, text, length);
  buffer->length += length;
  buffer->bytes[buffer->length] = 0;
}

#if defined(__GNUC__) || defined(__clang__)
#define WEBNN_VK__PRINTS(at, first) __attribute__((format(printf, at, first)))
#else
#define WEBNN_VK__PRINTS(at, first)
#endif

/* Each call adds at most some hundred characters. */
WEBNN_VK__PRINTS(3, 4)
static void webnn_vk__put(webnn_vk__kernel *k, uint32_t part, const char *format, ...) {
  char text[1024];
  va_list arguments;
  int length;
  va_start(arguments, format);
  length = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (length < 0 || (size_t)length >= sizeof text) {
    (void)webnn_vk__kernel_fails(k, "a part of the kernel is too long");
    return;
  }
  webnn_vk__add_text(k, part, text, (size_t)length);
}

/* More of the body. */
static void webnn_vk__text(webnn_vk__kernel *k, const char *text) {
  webnn_vk__add_text(k, WEBNN_VK__BODY, text, strlen(text));
}

#define webnn_vk__format(k, ...) webnn_vk__put(k, WEBNN_VK__BODY, __VA_ARGS__)

/* A name with a number, until the next one. */
static const char *webnn_vk__named(webnn_vk__kernel *k, const char *name, uint32_t number) {
  (void)snprintf(k->name, sizeof k->name, "%s%u", name, number);
  return k->name;
}

/* ---- Beginning; numbers ---- */

/* The invocations of a workgroup, where a kernel has no reason for others. */
static uint32_t webnn_vk__local_of(const webnn_vk__traits *traits) {
  const uint32_t local = traits->is_cpu ? 64 : 128, most = traits->max_invocations;
  return local > most && most > 0 ? most : local;
}

static void webnn_vk__begin(webnn_vk__planner *planner, uint32_t node, webnn_vk__kernel *k) {
  uint32_t i;
  memset(k, 0, sizeof *k);
  k->planner = planner;
  k->step.node = node;
  k->cost = 1;
  k->local = webnn_vk__local_of(planner->traits);
  for (i = 0; i < WEBNN_VK__TEXT_PARTS; i++) {
    planner->texts[i].length = 0;
    webnn_vk__add_text(k, i, "", 0);
  }
}

/* The text uses a part of the library: WEBNN_VK__LIB_EXP and so on. */
static void webnn_vk__uses(webnn_vk__kernel *k, webnn_vk__library_part part) {
  k->library |= webnn_vk__library[part].needs | UINT64_C(1) << part;
}

/* All parts of a set of WEBNN_VK__PART. */
static void webnn_vk__use_parts(webnn_vk__kernel *k, uint64_t parts) {
  uint32_t i;
  for (i = 0; i < WEBNN_VK__LIBRARY_COUNT; i++) {
    if ((parts >> i & 1) != 0) {
      webnn_vk__uses(k, (webnn_vk__library_part)i);
    }
  }
}

/* A word that the text knows as `name`, a uint. */
static void webnn_vk__push(webnn_vk__kernel *k, const char *name, uint32_t word) {
  if (k->step.push_count < WEBNN_VK__PUSHES) {
    k->step.push[k->step.push_count++] = word;
    webnn_vk__put(k, WEBNN_VK__PUSH_BLOCK, "  uint %s;\n", name);
  } else {
    webnn_vk__put(k, WEBNN_VK__BINDINGS, "const uint %s = %uu;\n", name, word);
  }
}

/* The same as what `type` makes of the word's bits. */
static void webnn_vk__push_as(webnn_vk__kernel *k, const char *name, const char *type,
                              uint32_t word) {
  char bits[40];
  (void)snprintf(bits, sizeof bits, "%s_bits", name);
  webnn_vk__push(k, bits, word);
  webnn_vk__put(k, WEBNN_VK__BINDINGS, "#define %s %s(%s)\n", name, type, bits);
}

static void webnn_vk__push_float(webnn_vk__kernel *k, const char *name, float number) {
  webnn_vk__push_as(k, name, "uintBitsToFloat", webnn__bits_of_float(number));
}

static void webnn_vk__push_int(webnn_vk__kernel *k, const char *name, int32_t number) {
  webnn_vk__push_as(k, name, "int", (uint32_t)number);
}

/* A number of the text: each value makes another kernel. */
static void webnn_vk__constant(webnn_vk__kernel *k, const char *name, uint32_t number) {
  webnn_vk__put(k, WEBNN_VK__BODY, "const uint %s = %uu;\n", name, number);
}

/* Constants of the text, or push constants: a uint32_t for each name of a list with blanks. */
static void webnn_vk__numbers(webnn_vk__kernel *k, bool constant, const char *names, ...) {
  char name[40];
  va_list numbers;
  va_start(numbers, names);
  while (*names != 0) {
    const int length = (int)strcspn(names, " ");
    const uint32_t number = va_arg(numbers, uint32_t);
    (void)snprintf(name, sizeof name, "%.*s", length, names);
    if (constant) {
      webnn_vk__constant(k, name, number);
    } else {
      webnn_vk__push(k, name, number);
    }
    names += length + (names[length] == ' ');
  }
  va_end(numbers);
}

#define WEBNN_VK__PUT_CONSTANTS(k, ...) webnn_vk__numbers(k, true, __VA_ARGS__)
#define WEBNN_VK__PUT_PUSHES(k, ...) webnn_vk__numbers(k, false, __VA_ARGS__)

/* ---- Operands ---- */

static const webnn__value *webnn_vk__value_at(const webnn_vk__planner *planner, uint32_t value) {
  return &planner->program->values[value];
}

static webnn_data_type webnn_vk__type_of(const webnn_vk__planner *planner, uint32_t value) {
  return planner->program->values[value].data_type;
}

/* Operand i of a node, or WEBNN__NONE. */
static uint32_t webnn_vk__input_of(const webnn__node *node, uint32_t i) {
  return i < node->input_count ? node->inputs[i] : WEBNN__NONE;
}

/* How a type is computed with. */
typedef enum webnn_vk__class {
  WEBNN_VK__OF_FLOAT,
  WEBNN_VK__OF_INT,
  WEBNN_VK__OF_UINT,
  WEBNN_VK__OF_I64,
  WEBNN_VK__OF_U64
} webnn_vk__class;

static webnn_vk__class webnn_vk__class_of(webnn_data_type type) {
  switch (type) {
  case WEBNN_FLOAT32:
  case WEBNN_FLOAT16:
    return WEBNN_VK__OF_FLOAT;
  case WEBNN_INT32:
  case WEBNN_INT8:
  case WEBNN_INT4:
    return WEBNN_VK__OF_INT;
  case WEBNN_INT64:
    return WEBNN_VK__OF_I64;
  case WEBNN_UINT64:
    return WEBNN_VK__OF_U64;
  default:
    return WEBNN_VK__OF_UINT;
  }
}

/* What the language calls an element of a type. 64 bits are uvec2(low, high). */
static const char *webnn_vk__type_name(webnn_data_type type) {
  static const char *const names[] = {"float", "int", "uint", "uvec2", "uvec2"};
  return names[webnn_vk__class_of(type)];
}

/* uint, or a vector of so many. */
static const char *webnn_vk__words_name(uint32_t words) {
  return words == 1 ? "uint" : words == 2 ? "uvec2" : "uvec4";
}

/* The bits of what is moved at once: of an element, or of a unit of neighbouring ones. */
static uint32_t webnn_vk__raw_bits(const webnn_vk__kernel *k, webnn_data_type type) {
  return k->moved_bits != 0 ? k->moved_bits : webnn_data_type_bits(type);
}

/* What the language calls a raw element, which is moved as bits. */
static const char *webnn_vk__raw_name_of(const webnn_vk__kernel *k, webnn_data_type type) {
  const uint32_t bits = webnn_vk__raw_bits(k, type);
  return webnn_vk__words_name(bits < 32 ? 1 : bits / 32);
}

/* A buffer of elements of the type `element`, such as `uint NAME_words[]`. */
static void webnn_vk__bind_as(webnn_vk__kernel *k, const char *name,
                              const webnn_vk__operand *operand, const char *element,
                              const char *what) {
  const uint32_t most = k->planner->traits->max_operands;
  if (k->failed) {
    return;
  }
  if (k->step.operand_count >= WEBNN_VK__OPERANDS || k->step.operand_count >= most) {
    char reason[100];
    (void)snprintf(reason, sizeof reason,
                   "a kernel needs more than the %u storage buffers of this device", most);
    (void)webnn_vk__kernel_fails(k, reason);
    return;
  }
  webnn_vk__put(k, WEBNN_VK__BINDINGS,
                "layout(std430, set = 0, binding = %u) %sbuffer Buffer%u { %s %s_%s[]; };\n",
                k->step.operand_count, operand->written ? "" : "readonly ", k->step.operand_count,
                element, name, what);
  k->step.operands[k->step.operand_count++] = *operand;
}

/* How many words of this type an invocation of a map that makes several elements has. */
static uint32_t webnn_vk__words_of(const webnn_vk__kernel *k, webnn_data_type type) {
  return k->each * webnn_data_type_bits(type) / 32;
}

/* A buffer `T NAME_vectors[]`, of what an invocation reads or writes at once, and NAME_words, its
   own. */
static void webnn_vk__bind_vectors(webnn_vk__kernel *k, const char *name,
                                   const webnn_vk__operand *operand) {
  const char *words = webnn_vk__words_name(webnn_vk__words_of(k, operand->type));
  webnn_vk__bind_as(k, name, operand, words, "vectors");
  webnn_vk__put(k, WEBNN_VK__BINDINGS, "%s %s_words;\n", words, name);
}

/* T load_NAME(uint i): element i; `word` is the word of NAME_words that has it. */
static void webnn_vk__put_load_from(webnn_vk__kernel *k, const char *n, webnn_data_type type,
                                    const char *word) {
  const uint32_t a = WEBNN_VK__ACCESSORS;
  const unsigned bits = webnn_data_type_bits(type), each = bits < 32 ? 32 / bits : 1;
  const char *name = webnn_vk__type_name(type);
  webnn_vk__put(k, a, "%s load_%s(uint i) { return ", name, n);
  if (bits == 64) {
    webnn_vk__put(k, a, "uvec2(%s_words[2u * i], %s_words[2u * i + 1u])", n, n);
  } else if (bits == 32) {
    webnn_vk__put(k, a, "%s(%s_words%s)", type == WEBNN_FLOAT32 ? "uintBitsToFloat" : name, n,
                  word);
  } else if (type == WEBNN_FLOAT16) {
    webnn_vk__uses(k, WEBNN_VK__LIB_HALF);
    webnn_vk__put(
        k, a, k->each > 0 ? "half_of(%s_words%s, i)" : "from_half(%s_words%s >> ((i & 1u) << 4))",
        n, word);
  } else if (name[0] == 'i') {
    webnn_vk__put(k, a, "int(%s_words%s << (%uu - i %% %uu * %uu)) >> %u", n, word, 32 - bits, each,
                  bits, 32 - bits);
  } else {
    webnn_vk__put(k, a, "%s_words%s >> (i %% %uu * %uu) & %uu", n, word, each, bits,
                  (1u << bits) - 1);
  }
  webnn_vk__put(k, a, "; }\n");
}

static const char *webnn_vk__word_index(uint32_t bits) {
  return bits >= 32 ? "[i]" : bits == 16 ? "[i >> 1]" : bits == 8 ? "[i / 4u]" : "[i / 8u]";
}

static void webnn_vk__put_load(webnn_vk__kernel *k, const char *n, webnn_data_type type) {
  webnn_vk__put_load_from(k, n, type, webnn_vk__word_index(webnn_data_type_bits(type)));
}

/* The same for raw elements. */
static void webnn_vk__put_raw_load(webnn_vk__kernel *k, const char *n, webnn_data_type type) {
  const uint32_t bits = webnn_vk__raw_bits(k, type);
  webnn_vk__put(k, WEBNN_VK__ACCESSORS, "%s load_%s(uint i) { return %s_words%s",
                webnn_vk__raw_name_of(k, type), n, n, webnn_vk__word_index(bits));
  if (bits < 32) {
    webnn_vk__put(k, WEBNN_VK__ACCESSORS, " >> (i %% %uu * %uu) & %uu", 32 / bits, bits,
                  (1u << bits) - 1);
  }
  webnn_vk__put(k, WEBNN_VK__ACCESSORS, "; }\n");
}

/* uint pack_NAME(T v): the bits of one element, but for 64 bits. */
static void webnn_vk__put_pack(webnn_vk__kernel *k, const char *n, webnn_data_type type) {
  const uint32_t a = WEBNN_VK__ACCESSORS;
  const uint32_t bits = webnn_data_type_bits(type);
  const char *name = webnn_vk__type_name(type);
  if (bits == 64) {
    return;
  }
  webnn_vk__put(k, a, "uint pack_%s(%s v) { return ", n, name);
  if (name[0] == 'f') {
    webnn_vk__put(k, a, bits == 32 ? "floatBitsToUint(v); }\n" : "to_half(v); }\n");
    k->library |= bits == 32 ? 0 : WEBNN_VK__PART(HALF);
  } else {
    webnn_vk__put(k, a, "uint(v) & %uu; }\n", (0xffffffffu >> (32 - bits)));
  }
}

/* store_NAME(uint i, T v), which for less than 32 bits needs zeros to be there. */
static void webnn_vk__put_store(webnn_vk__kernel *k, const char *n, webnn_data_type type) {
  const uint32_t a = WEBNN_VK__ACCESSORS, bits = webnn_data_type_bits(type);
  webnn_vk__put(k, a, "void store_%s(uint i, %s v) { ", n, webnn_vk__type_name(type));
  if (bits == 64) {
    webnn_vk__put(k, a, "%s_words[2u * i] = v.x; %s_words[2u * i + 1u] = v.y; }\n", n, n);
  } else if (bits == 32) {
    webnn_vk__put(k, a, "%s_words[i] = pack_%s(v); }\n", n, n);
  } else {
    webnn_vk__put(k, a, "atomicOr(%s_words%s, pack_%s(v) << (i %% %uu * %uu)); }\n", n,
                  webnn_vk__word_index(bits), n, 32 / bits, bits);
  }
}

/* All of a value. */
static webnn_vk__operand webnn_vk__value_part(const webnn_vk__planner *planner, uint32_t value) {
  webnn_vk__operand operand = WEBNN_ZERO;
  operand.kind = WEBNN_VK__VALUE;
  operand.value = value;
  operand.type = webnn_vk__type_of(planner, value);
  return operand;
}

/* Room for `count` elements of 32 bits, floats, of the node's scratch memory. */
static webnn_vk__operand webnn_vk__scratch_part(webnn_vk__planner *planner, uint32_t node,
                                                uint64_t count) {
  webnn_vk__operand operand = WEBNN_ZERO;
  operand.kind = WEBNN_VK__SCRATCH;
  operand.byte_length = webnn__round_up(count * 4, 16);
  operand.offset = webnn_vk__take_scratch(planner, node, operand.byte_length);
  operand.type = WEBNN_FLOAT32;
  return operand;
}

/* A buffer `uint NAME_words[]` and load_NAME. */
static void webnn_vk__reads_part(webnn_vk__kernel *k, const char *name, webnn_vk__operand operand) {
  operand.written = false;
  webnn_vk__bind_as(k, name, &operand, "uint", "words");
  webnn_vk__put_load(k, name, operand.type);
}

static void webnn_vk__reads(webnn_vk__kernel *k, const char *name, uint32_t value) {
  webnn_vk__reads_part(k, name, webnn_vk__value_part(k->planner, value));
}

/* Elements as their bits, or units of several: k->moved_bits. */
static void webnn_vk__reads_raw(webnn_vk__kernel *k, const char *name, uint32_t value) {
  const webnn_vk__operand operand = webnn_vk__value_part(k->planner, value);
  webnn_vk__bind_as(k, name, &operand, webnn_vk__raw_name_of(k, operand.type), "words");
  webnn_vk__put_raw_load(k, name, operand.type);
}

/* An operand of which an invocation of a map has neighbours, number 0, 1, ... for load_NAME. */
static void webnn_vk__reads_vectors(webnn_vk__kernel *k, const char *name, uint32_t value) {
  const webnn_vk__operand operand = webnn_vk__value_part(k->planner, value);
  webnn_vk__bind_vectors(k, name, &operand);
  webnn_vk__put_load_from(k, name, operand.type,
                          webnn_vk__words_of(k, operand.type) == 1
                              ? ""
                              : webnn_vk__word_index(webnn_data_type_bits(operand.type)));
}

/* A buffer `uint NAME_words[]` that is written, and may be read; pack_NAME and store_NAME. A map
   writes the one that was declared last. */
static void webnn_vk__writes_part(webnn_vk__kernel *k, const char *name,
                                  webnn_vk__operand operand) {
  operand.written = true;
  if (k->each > 0) {
    webnn_vk__bind_vectors(k, name, &operand);
  } else {
    webnn_vk__bind_as(k, name, &operand, "uint", "words");
  }
  webnn_vk__put_pack(k, name, operand.type);
  if (k->each == 0 || webnn_data_type_bits(operand.type) >= 32) {
    webnn_vk__put_store(k, name, operand.type);
  }
  k->type = operand.type;
}

static void webnn_vk__writes(webnn_vk__kernel *k, const char *name, uint32_t value) {
  webnn_vk__writes_part(k, name, webnn_vk__value_part(k->planner, value));
}

/* The same of raw elements, of a map. */
static void webnn_vk__writes_raw_part(webnn_vk__kernel *k, const char *name,
                                      webnn_vk__operand operand) {
  const char *unit = webnn_vk__raw_name_of(k, operand.type);
  operand.written = true;
  webnn_vk__bind_as(k, name, &operand, unit, "words");
  if (webnn_vk__raw_bits(k, operand.type) >= 32) {
    webnn_vk__put(k, WEBNN_VK__ACCESSORS, "void store_%s(uint i, %s v) { %s_words[i] = v; }\n",
                  name, unit, name);
  } else {
    webnn_vk__put(k, WEBNN_VK__ACCESSORS, "uint pack_%s(uint v) { return v; }\n", name);
  }
  k->type = operand.type;
}

static void webnn_vk__writes_raw(webnn_vk__kernel *k, const char *name, uint32_t value) {
  webnn_vk__writes_raw_part(k, name, webnn_vk__value_part(k->planner, value));
}

/* ---- Finishing ---- */

/* The first lines. */
static void webnn_vk__put_head(webnn_vk__kernel *k, bool device_half) {
  const char *extensions = k->extensions != NULL ? k->extensions : "";
  const bool halves = device_half && strstr(extensions, WEBNN_VK__HALF_EXTENSION) == NULL;
  webnn_vk__put(k, WEBNN_VK__WHOLE_TEXT, "#version 450\n%s%slayout(local_size_x = %u) in;\n",
                extensions, halves ? WEBNN_VK__HALF_EXTENSION : "", k->local);
}

/* Puts the parts together. */
static void webnn_vk__join_text(webnn_vk__kernel *k) {
  static const uint32_t parts[] = {WEBNN_VK__ACCESSORS, WEBNN_VK__BODY};
  const uint32_t whole = WEBNN_VK__WHOLE_TEXT;
  const webnn_vk__text_buffer *texts = k->planner->texts;
  const bool device_half =
      k->planner->traits->converts_halves && (k->library & WEBNN_VK__PART(HALF)) != 0;
  uint32_t i;
  webnn_vk__put_head(k, device_half);
  if (k->step.push_count > 0) {
    webnn_vk__put(k, whole, "layout(push_constant) uniform Pushes {\n");
    webnn_vk__add_text(k, whole, texts[WEBNN_VK__PUSH_BLOCK].bytes,
                       (size_t)texts[WEBNN_VK__PUSH_BLOCK].length);
    webnn_vk__put(k, whole, "};\n");
  }
  webnn_vk__add_text(k, whole, texts[WEBNN_VK__BINDINGS].bytes,
                     (size_t)texts[WEBNN_VK__BINDINGS].length);
  for (i = 0; i < WEBNN_VK__LIBRARY_COUNT; i++) {
    if ((k->library >> i & 1) != 0) {
      const char *text = i == WEBNN_VK__LIB_HALF && device_half ? webnn_vk__device_half
                                                                : webnn_vk__library[i].text;
      webnn_vk__add_text(k, whole, text, strlen(text));
    }
  }
  for (i = 0; i < 2; i++) {
    webnn_vk__add_text(k, whole, texts[parts[i]].bytes, (size_t)texts[parts[i]].length);
  }
}

/* A step of `groups` workgroups in one line, which is folded where it is too long. */
static bool webnn_vk__dispatch(webnn_vk__kernel *k, uint64_t groups) {
  const uint64_t width = k->planner->traits->max_groups[0];
  const uint64_t rows = (groups + width - 1) / width;
  const webnn_vk__text_buffer *text = &k->planner->texts[WEBNN_VK__WHOLE_TEXT];
  if (groups == 0 || rows > k->planner->traits->max_groups[1]) {
    return webnn_vk__kernel_fails(k, "too many workgroups");
  }
  webnn_vk__join_text(k);
  if (k->failed) {
    return false;
  }
  k->step.kernel =
      webnn_vk__add_kernel(k->planner, text->bytes, (size_t)text->length, k->step.operand_count);
  k->step.groups[0] = (uint32_t)(groups < width ? groups : width);
  k->step.groups[1] = (uint32_t)rows;
  k->step.groups[2] = 1;
  k->step.cost = groups * k->local * k->cost;
  if (k->step.kernel == WEBNN__NONE || !webnn_vk__add_step(k->planner, &k->step)) {
    k->failed = true;
    return webnn_vk__plan_lacks_memory(k->planner);
  }
  return true;
}

/* The linear number of this workgroup, in any main. */
#define WEBNN_VK__GROUP "gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x"

/* The text has `void run(uint group)`, which a workgroup does for each number below group_count. */
static bool webnn_vk__groups(webnn_vk__kernel *k, uint64_t group_count) {
  if (group_count > UINT32_MAX) {
    return webnn_vk__kernel_fails(k, "too many workgroups");
  }
  webnn_vk__push(k, "group_count", (uint32_t)group_count);
  webnn_vk__text(k, "void main() {\n"
                    "  uint group = " WEBNN_VK__GROUP ";\n"
                    "  if (group < group_count) { run(group); }\n"
                    "}\n");
  return webnn_vk__dispatch(k, group_count);
}

/* The text has `void run(uint i)`, done once for each i below count by an invocation of its own. */
static bool webnn_vk__each(webnn_vk__kernel *k, uint64_t count) {
  if (count > UINT32_MAX - 65536) {
    return webnn_vk__kernel_fails(k, "too many elements");
  }
  webnn_vk__push(k, "each_count", (uint32_t)count);
  webnn_vk__format(k,
                   "void main() {\n"
                   "  uint i = (" WEBNN_VK__GROUP ") * %uu + gl_LocalInvocationID.x;\n"
                   "  if (i < each_count) { run(i); }\n"
                   "}\n",
                   k->local);
  return webnn_vk__dispatch(k, (count + k->local - 1) / k->local);
}

/* The word of y that begins with number `first` of an invocation's elements. */
static void webnn_vk__put_word(webnn_vk__kernel *k, uint32_t first, uint32_t bits) {
  uint32_t at, i;
  if (k->type == WEBNN_FLOAT16) {
    webnn_vk__format(k, "to_halves(element(%uu * w + %uu, %uu),\n", k->each, first, first);
    webnn_vk__format(k, "      element(%uu * w + %uu, %uu))", k->each, first + 1, first + 1);
    return;
  }
  for (i = first, at = 0; at < 32; i++, at += bits) {
    webnn_vk__text(k, at > 0 ? " |\n      " : "");
    webnn_vk__format(k, "pack_y(element(%uu * w + %uu, %uu))", k->each, i, i);
    if (at > 0) {
      webnn_vk__format(k, " << %uu", at);
    }
  }
}

/* A map whose invocations make vectors: of operands x0, x1, ..., as k->access says, and of y.
   `count` is a multiple of k->each. */
static bool webnn_vk__map_vectors(webnn_vk__kernel *k, uint64_t count) {
  const uint32_t bits = webnn_data_type_bits(k->type);
  const uint32_t words = webnn_vk__words_of(k, k->type);
  uint32_t i;
  webnn_vk__text(k, "void run(uint w) {\n");
  for (i = 0; i < k->step.operand_count; i++) {
    if (k->access[i] == WEBNN_VK__IN_VECTORS) {
      webnn_vk__format(k, "  x%u_words = x%u_vectors[at_x%u(w)];\n", i, i, i);
    } else if (k->access[i] == WEBNN_VK__AS_ONE) {
      webnn_vk__format(k, "  x%u_one = load_x%u(at_x%u(w));\n", i, i, i);
    }
  }
  for (i = 0; i < (bits == 64 ? k->each : words); i++) {
    if (bits >= 32) {
      webnn_vk__format(k, "  store_y(%uu, element(%uu * w + %uu, %uu));\n", i, k->each, i, i);
    } else {
      webnn_vk__format(k, words == 1 ? "  y_words = " : "  y_words[%u] = ", i);
      webnn_vk__put_word(k, i * (32 / bits), bits);
      webnn_vk__text(k, ";\n");
    }
  }
  webnn_vk__text(k, "  y_vectors[w] = y_words;\n}\n");
  k->cost *= k->each;
  return webnn_vk__each(k, count / k->each);
}

/* The text has `T element(uint i)`, element i of y, which was declared last as written, and has
   `count` elements or units. An invocation makes a word of y, 1, 2, 4 or 8 elements, or a whole
   larger one; or vectors, if the plan has said so: then it has `T element(uint i, uint j)`, element
   i and number j of the invocation. */
static bool webnn_vk__map(webnn_vk__kernel *k, uint64_t count) {
  const unsigned bits = webnn_vk__raw_bits(k, k->type), each = bits > 32 ? 1 : 32 / bits;
  if (count > UINT32_MAX - 65536) {
    return webnn_vk__kernel_fails(k, "too many elements");
  }
  if (k->each > 0) {
    return webnn_vk__map_vectors(k, count);
  }
  if (each == 1) {
    webnn_vk__text(k, "void run(uint i) { store_y(i, element(i)); }\n");
    return webnn_vk__each(k, count);
  }
  webnn_vk__push(k, "map_count", (uint32_t)count);
  webnn_vk__format(k,
                   "void run(uint w) {\n"
                   "  uint i = w * %uu, bits = 0u;\n"
                   "  for (uint j = 0u; j < %uu && i + j < map_count; j++) {\n"
                   "    bits |= pack_y(element(i + j)) << (j * %uu);\n"
                   "  }\n"
                   "  y_words[w] = bits;\n"
                   "}\n",
                   each, each, bits);
  return webnn_vk__each(k, (count + each - 1) / each);
}

/* ---- Indices ------------------------------------------------------------------------------------

   An operand that is read in an order of its own: its element for element i of the result is
   start + sum of c[d] strides[d], c the coordinates of i. Dimensions of 1 are left out, and
   neighbours that go on in steps of the same size are one dimension; what remains are push
   constants, so the text depends on the number of dimensions only. */

#define WEBNN_VK__MOST_AXES 16

typedef struct webnn_vk__walk {
  uint32_t rank;
  uint32_t sizes[WEBNN_VK__MOST_AXES];
  int64_t strides[WEBNN_VK__MOST_AXES];
  int64_t start;
} webnn_vk__walk;

/* One more dimension, inside the others. */
static void webnn_vk__add_axis(webnn_vk__walk *walk, uint32_t size, int64_t stride) {
  if (size == 1) {
    return;
  }
  if (walk->rank > 0 && walk->strides[walk->rank - 1] == stride * (int64_t)size) {
    walk->sizes[walk->rank - 1] *= size;
    walk->strides[walk->rank - 1] = stride;
  } else if (walk->rank < WEBNN_VK__MOST_AXES) {
    walk->sizes[walk->rank] = size;
    walk->strides[walk->rank++] = stride;
  }
}

static webnn_vk__walk webnn_vk__walk_of(const webnn__shape *shape, const int64_t *strides,
                                        int64_t start) {
  webnn_vk__walk walk = WEBNN_ZERO;
  uint32_t d;
  walk.start = start;
  for (d = 0; d < shape->rank; d++) {
    webnn_vk__add_axis(&walk, shape->dimensions[d], strides[d]);
  }
  return walk;
}

/* Makes the walk one over units of `each` neighbours, if all of them are whole. */
static bool webnn_vk__unite(webnn_vk__walk *walk, uint32_t each) {
  const uint32_t last = walk->rank - 1;
  bool whole = walk->rank > 0 && walk->strides[last] == 1 && walk->sizes[last] % each == 0 &&
               walk->start % (int64_t)each == 0;
  uint32_t d;
  for (d = 0; whole && d < last; d++) {
    whole = walk->strides[d] % (int64_t)each == 0;
  }
  if (whole) {
    walk->start /= (int64_t)each;
    for (d = 0; d < last; d++) {
      walk->strides[d] /= (int64_t)each;
    }
    walk->sizes[last] /= each;
    walk->rank -= walk->sizes[last] == 1;
  }
  return whole;
}

/* i / d is the upper word of i times the reciprocal, shifted, for d > 1 and i < 2^31: the
   reciprocal is 2^(31 + n) / d rounded up, 2^n the least power of two that is no less than d, so
   that it is too large by less than 2^n 2^-(31 + n), and i times that is less than 1 / d. */
static uint32_t webnn_vk__reciprocal_of(uint32_t d, uint32_t *shift) {
  uint32_t n = 1;
  while (n < 32 && UINT64_C(1) << n < d) {
    n++;
  }
  *shift = n - 1;
  return (uint32_t)(((UINT64_C(1) << (31 + n)) + d - 1) / d);
}

/* Is an index that counts all coordinates less than 2^31? */
static bool webnn_vk__has_reciprocals(const webnn_vk__walk *walk) {
  uint64_t count = 1;
  uint32_t d;
  for (d = 0; d < walk->rank; d++) {
    count *= walk->sizes[d];
    if (count > UINT64_C(1) << 31) {
      return false;
    }
  }
  return true;
}

/* The shifts of six dimensions, five bits each. */
static void webnn_vk__push_shifts(webnn_vk__kernel *k, const char *name,
                                  const webnn_vk__walk *walk) {
  char word[40];
  uint32_t d, shift, shifts = 0;
  for (d = 1; d < walk->rank; d++) {
    (void)webnn_vk__reciprocal_of(walk->sizes[d], &shift);
    shifts |= shift << (d - 1) % 6 * 5;
    if (d % 6 == 0 || d + 1 == walk->rank) {
      (void)snprintf(word, sizeof word, "%s_shifts%u", name, ((d - 1) / 6));
      webnn_vk__push(k, word, shifts);
      shifts = 0;
    }
  }
}

/* The text gets `uint at_NAME(uint i)`, which divides i by one size after the other, from the
   innermost on. With c[d] = i[d] - i[d - 1] sizes[d], where i[d] is i without the dimensions inside
   d, the sum of c[d] strides[d] is that of i[d] (strides[d] - sizes[d + 1] strides[d + 1]): so
   nothing but the quotients is needed. */
static void webnn_vk__add_index(webnn_vk__kernel *k, const char *name, const webnn_vk__walk *walk) {
  const bool is_plain = walk->rank == 1 && (walk->strides[0] == 0 || walk->strides[0] == 1);
  const bool multiplies = webnn_vk__has_reciprocals(walk);
  char number[40];
  uint32_t d, shift;
  webnn_vk__format(k, "uint at_%s(uint i) {\n  uint at = %s;\n", name,
                   is_plain && walk->strides[0] == 1 ? "i" : "0u");
  if (multiplies && walk->rank > 1) {
    webnn_vk__uses(k, WEBNN_VK__LIB_QUOTIENT);
    webnn_vk__push_shifts(k, name, walk);
  }
  for (d = is_plain ? 0 : walk->rank; d-- > 0;) {
    int64_t stride = walk->strides[d];
    if (d + 1 < walk->rank) {
      stride -= walk->sizes[d + 1] * walk->strides[d + 1];
    }
    (void)snprintf(number, sizeof number, "%s_s%u", name, d);
    webnn_vk__push(k, number, (uint32_t)stride);
    webnn_vk__format(k, "  at += i * %s;\n", number);
    if (d == 0) {
      continue;
    }
    (void)snprintf(number, sizeof number, "%s_d%u", name, d);
    webnn_vk__push(k, number,
                   multiplies ? webnn_vk__reciprocal_of(walk->sizes[d], &shift) : walk->sizes[d]);
    if (multiplies) {
      webnn_vk__format(k, "  i = quotient_of(i, %s, %s_shifts%u >> %uu & 31u);\n", number, name,
                       ((d - 1) / 6), ((d - 1) % 6 * 5));
    } else {
      webnn_vk__format(k, "  i /= %s;\n", number);
    }
  }
  if (walk->start != 0) {
    (void)snprintf(number, sizeof number, "%s_start", name);
    webnn_vk__push(k, number, (uint32_t)walk->start);
    webnn_vk__format(k, "  at += %s;\n", number);
  }
  webnn_vk__text(k, "  return at;\n}\n");
}

/* The number d, called NAME, and in the text `uint by_NAME(uint i)`, which is i / d for i <
   count. */
static void webnn_vk__push_divisor(webnn_vk__kernel *k, const char *name, uint32_t d,
                                   uint64_t count) {
  char part[40];
  uint32_t shift;
  webnn_vk__push(k, name, d);
  webnn_vk__format(k, "uint by_%s(uint i) { return ", name);
  if (d == 1) {
    webnn_vk__text(k, "i; }\n");
  } else if (count > UINT64_C(1) << 31) {
    webnn_vk__format(k, "i / %s; }\n", name);
  } else {
    webnn_vk__uses(k, WEBNN_VK__LIB_QUOTIENT);
    (void)snprintf(part, sizeof part, "%s_reciprocal", name);
    webnn_vk__push(k, part, webnn_vk__reciprocal_of(d, &shift));
    (void)snprintf(part, sizeof part, "%s_shift", name);
    webnn_vk__push(k, part, shift);
    webnn_vk__format(k, "quotient_of(i, %s_reciprocal, %s_shift); }\n", name, name);
  }
}

/* ==============================================================================================
   3  kernels                                                                    >>vulkan_kernels

   The text of each kernel and the function that plans it: types and shapes of a node become a text,
   its operands and numbers, and so many workgroups. The last section is the table of all operators.
   ============================================================================================== */

/* ---- Kernels: element by element ----------------------------------------------------------------

   Formulas for float, int (int32, int8), uint (uint32, uint8), and 64 bits, signed and unsigned.
   $x, $y, $z are the operands, $a and $b the operator's options, $h is `half` where a function of
   float16 need not be as close as one of float32, else `of`. Bytes are computed in 32 bits and
   wrapped. */

typedef struct webnn_vk__formula {
  webnn_op op;
  uint64_t needs;    /* of the library, for floats */
  const char *of[5]; /* by webnn_vk__class */
} webnn_vk__formula;

/* A row of an operator that only floats have, and one of a comparison; NaN compares
   with nothing. */
#define WEBNN_VK__OF_FLOATS(op, part, formula)                                                     \
  {                                                                                                \
    WEBNN_OP_##op, WEBNN_VK__PART(part), {                                                         \
      formula, NULL, NULL, NULL, NULL                                                              \
    }                                                                                              \
  }
#define WEBNN_VK__COMPARED(op, sign, of_i64, of_u64)                                               \
  {                                                                                                \
    WEBNN_OP_##op, WEBNN_VK__PART(BITS), {                                                         \
      "!is_nan($x) && !is_nan($y) && zero_key($x) " sign " zero_key($y) ? 1u : 0u",                \
          "$x " sign " $y ? 1u : 0u", "$x " sign " $y ? 1u : 0u", of_i64, of_u64                   \
    }                                                                                              \
  }

static const webnn_vk__formula webnn_vk__formulas[] = {
    {WEBNN_OP_ABS,
     WEBNN_VK__PART(BITS),
     {"abs_of($x)", "$x < 0 ? -$x : $x", NULL, "i64_abs($x)", NULL}},
    WEBNN_VK__OF_FLOATS(CEIL, BITS, "ceil_of($x)"),
    {WEBNN_OP_CLAMP,
     WEBNN_VK__PART(BITS),
     {"min_nan(max_nan($x, $a), $b)", "min(max($x, $a), $b)", "min(max($x, $a), $b)",
      "i64_min(i64_max($x, $a), $b)", "u64_min(u64_max($x, $a), $b)"}},
    WEBNN_VK__OF_FLOATS(COS, SIN, "cos_of($x)"),
    WEBNN_VK__OF_FLOATS(ELU, EXP, "max_nan(0.0, $x) + $a * expm1_$h(min_nan(0.0, $x))"),
    WEBNN_VK__OF_FLOATS(ERF, ERF, "erf_$h($x)"),
    WEBNN_VK__OF_FLOATS(EXP, EXP, "exp_$h($x)"),
    WEBNN_VK__OF_FLOATS(FLOOR, BITS, "floor_of($x)"),
    WEBNN_VK__OF_FLOATS(GELU, GELU, "gelu_$h($x)"),
    WEBNN_VK__OF_FLOATS(HARD_SIGMOID, BITS, "max_nan(0.0, min_nan(1.0, $a * $x + $b))"),
    WEBNN_VK__OF_FLOATS(HARD_SWISH, BITS, "$x * (max_nan(0.0, min_nan(6.0, $x + 3.0)) / 6.0)"),
    {WEBNN_OP_IDENTITY, 0, {"$x", "$x", "$x", "$x", "$x"}},
    WEBNN_VK__OF_FLOATS(IS_INFINITE, BITS, "is_infinite($x) ? 1u : 0u"),
    WEBNN_VK__OF_FLOATS(IS_NAN, BITS, "is_nan($x) ? 1u : 0u"),
    WEBNN_VK__OF_FLOATS(LEAKY_RELU, BITS, "max_nan(0.0, $x) + $a * min_nan(0.0, $x)"),
    WEBNN_VK__OF_FLOATS(LINEAR, LINEAR, "linear_of($x, $a, $b)"),
    WEBNN_VK__OF_FLOATS(LOG, LOG, "log_of($x)"),
    {WEBNN_OP_LOGICAL_NOT, 0, {NULL, NULL, "$x == 0u ? 1u : 0u", NULL, NULL}},
    {WEBNN_OP_NEG, WEBNN_VK__PART(BITS), {"neg_of($x)", "-$x", NULL, "i64_neg($x)", NULL}},
    {WEBNN_OP_RECIPROCAL, 0, {"1.0 / $x", NULL, NULL, NULL, NULL}},
    {WEBNN_OP_RELU,
     WEBNN_VK__PART(BITS),
     {"is_nan($x) || floatBitsToInt($x) > 0 ? $x : 0.0", "max($x, 0)", NULL,
      "i64_max($x, uvec2(0u, 0u))", NULL}},
    WEBNN_VK__OF_FLOATS(ROUND_EVEN, BITS, "with_sign(roundEven($x), $x)"),
    WEBNN_VK__OF_FLOATS(SIGMOID, SIGMOID, "sigmoid_$h($x)"),
    {WEBNN_OP_SIGN,
     WEBNN_VK__PART(BITS),
     {"sign_of($x)", "$x < 0 ? -1 : $x > 0 ? 1 : 0", NULL,
      "i64_of_int(int($x.y) < 0 ? -1 : ($x.x | $x.y) != 0u ? 1 : 0)", NULL}},
    WEBNN_VK__OF_FLOATS(SIN, SIN, "sin_of($x)"),
    WEBNN_VK__OF_FLOATS(SOFTPLUS, SOFTPLUS, "softplus_$h($x)"),
    WEBNN_VK__OF_FLOATS(SOFTSIGN, BITS, "$x / (1.0 + abs_of($x))"),
    WEBNN_VK__OF_FLOATS(SQRT, SQRT, "sqrt_of($x)"),
    WEBNN_VK__OF_FLOATS(TAN, TAN, "tan_of($x)"),
    WEBNN_VK__OF_FLOATS(TANH, TANH, "tanh_$h($x)"),
    {WEBNN_OP_ADD, 0, {"$x + $y", "$x + $y", "$x + $y", "i64_add($x, $y)", "i64_add($x, $y)"}},
    {WEBNN_OP_SUB, 0, {"$x - $y", "$x - $y", "$x - $y", "i64_sub($x, $y)", "i64_sub($x, $y)"}},
    {WEBNN_OP_MUL, 0, {"$x * $y", "$x * $y", "$x * $y", "i64_mul($x, $y)", "i64_mul($x, $y)"}},
    {WEBNN_OP_DIV,
     0,
     {"$x / $y", "$y == 0 ? 0 : $y == -1 ? -$x : $x / ($y == 0 ? 1 : $y)",
      "$y == 0u ? 0u : $x / ($y == 0u ? 1u : $y)", "i64_div($x, $y)", "u64_div($x, $y)"}},
    {WEBNN_OP_MAX,
     WEBNN_VK__PART(BITS),
     {"max_nan($x, $y)", "max($x, $y)", "max($x, $y)", "i64_max($x, $y)", "u64_max($x, $y)"}},
    {WEBNN_OP_MIN,
     WEBNN_VK__PART(BITS),
     {"min_nan($x, $y)", "min($x, $y)", "min($x, $y)", "i64_min($x, $y)", "u64_min($x, $y)"}},
    {WEBNN_OP_POW,
     WEBNN_VK__PART(POW),
     {"pow_of($x, $y)", "i32_pow($x, $y)", "u32_pow($x, $y)", "i64_pow($x, $y)",
      "u64_pow($x, $y)"}},
    {WEBNN_OP_PRELU,
     WEBNN_VK__PART(BITS),
     {"max_nan(0.0, $x) + $y * min_nan(0.0, $x)", "$x < 0 ? $x * $y : $x", NULL,
      "i64_choose(int($x.y) < 0, i64_mul($x, $y), $x)", NULL}},
    WEBNN_VK__COMPARED(EQUAL, "==", "i64_equal($x, $y) ? 1u : 0u", "i64_equal($x, $y) ? 1u : 0u"),
    {WEBNN_OP_NOT_EQUAL,
     WEBNN_VK__PART(BITS),
     {"is_nan($x) || is_nan($y) || zero_key($x) != zero_key($y) ? 1u : 0u", "$x != $y ? 1u : 0u",
      "$x != $y ? 1u : 0u", "i64_equal($x, $y) ? 0u : 1u", "i64_equal($x, $y) ? 0u : 1u"}},
    WEBNN_VK__COMPARED(GREATER, ">", "i64_less($y, $x) ? 1u : 0u", "u64_less($y, $x) ? 1u : 0u"),
    WEBNN_VK__COMPARED(GREATER_OR_EQUAL, ">=", "i64_less($x, $y) ? 0u : 1u",
                       "u64_less($x, $y) ? 0u : 1u"),
    WEBNN_VK__COMPARED(LESSER, "<", "i64_less($x, $y) ? 1u : 0u", "u64_less($x, $y) ? 1u : 0u"),
    WEBNN_VK__COMPARED(LESSER_OR_EQUAL, "<=", "i64_less($y, $x) ? 0u : 1u",
                       "u64_less($y, $x) ? 0u : 1u"),
    {WEBNN_OP_LOGICAL_AND, 0, {NULL, NULL, "$x != 0u && $y != 0u ? 1u : 0u", NULL, NULL}},
    {WEBNN_OP_LOGICAL_OR, 0, {NULL, NULL, "$x != 0u || $y != 0u ? 1u : 0u", NULL, NULL}},
    {WEBNN_OP_LOGICAL_XOR, 0, {NULL, NULL, "($x != 0u) != ($y != 0u) ? 1u : 0u", NULL, NULL}},
};

/* An operator in a kernel: what its operands, options and result are called there. */
typedef struct webnn_vk__formula_call {
  webnn_op op;
  webnn_data_type from[3], to;
  const char *x[3], *alpha, *beta;
} webnn_vk__formula_call;

/* Is it an operator whose integer formula needs a part of the library beyond LONG? */
static void webnn_vk__use_integers(webnn_vk__kernel *k, webnn_op op, bool is_long) {
  if (is_long) {
    webnn_vk__uses(k, WEBNN_VK__LIB_LONG);
  }
  if (op == WEBNN_OP_DIV && is_long) {
    webnn_vk__uses(k, WEBNN_VK__LIB_LONG_DIVIDE);
  } else if (op == WEBNN_OP_POW) {
    webnn_vk__uses(k, is_long ? WEBNN_VK__LIB_LONG_POW : WEBNN_VK__LIB_INT_POW);
  }
}

/* 8.9.7 cast: float to integer is truncated and saturates, integer to integer keeps the low bits.
   Integers of 32 bits become floats by way of 64, since drivers may round as they like. */
static const char *webnn_vk__cast_formula(webnn_vk__kernel *k, webnn_data_type from,
                                          webnn_data_type to) {
  static const char *const formulas[5][5] = {
      {"$x", "float_to_int($x, int(0x80000000u), 0x7fffffff)", "float_to_uint($x, 0xffffffffu)",
       "float_to_i64($x)", "float_to_u64($x)"},
      {"i64_to_float(i64_of_int($x))", "int($x)", "uint($x)", "i64_of_int($x)", "i64_of_int($x)"},
      {"u64_to_float(uvec2($x, 0u))", "int($x)", "uint($x)", "uvec2($x, 0u)", "uvec2($x, 0u)"},
      {"i64_to_float($x)", "int($x.x)", "$x.x", "$x", "$x"},
      {"u64_to_float($x)", "int($x.x)", "$x.x", "$x", "$x"}};
  const webnn_vk__class a = webnn_vk__class_of(from), b = webnn_vk__class_of(to);
  if (a == WEBNN_VK__OF_FLOAT ? b >= WEBNN_VK__OF_I64 : b == WEBNN_VK__OF_FLOAT) {
    webnn_vk__uses(k, WEBNN_VK__LIB_LONG_FLOAT);
  } else if (a >= WEBNN_VK__OF_I64 || b >= WEBNN_VK__OF_I64) {
    webnn_vk__uses(k, WEBNN_VK__LIB_LONG);
  }
  if (a == WEBNN_VK__OF_FLOAT && b != WEBNN_VK__OF_FLOAT) {
    webnn_vk__uses(k, WEBNN_VK__LIB_INT_FLOAT);
  }
  if (a == WEBNN_VK__OF_FLOAT && (to == WEBNN_INT8 || to == WEBNN_UINT8)) {
    return to == WEBNN_INT8 ? "float_to_int($x, -128, 127)" : "float_to_uint($x, 255u)";
  }
  return b == WEBNN_VK__OF_FLOAT && a != b && webnn_data_type_bits(from) <= 8 ? "float($x)"
                                                                              : formulas[a][b];
}

/* 8.9.16: (x - zeroPoint) scale. */
static const char *webnn_vk__dequantize_formula(webnn_vk__kernel *k, webnn_data_type from) {
  if (webnn_data_type_bits(from) <= 8) {
    return "float(int($x) - int($z)) * $y";
  }
  webnn_vk__uses(k, WEBNN_VK__LIB_LONG_FLOAT);
  return from == WEBNN_INT32 ? "i64_to_float(i64_sub(i64_of_int($x), i64_of_int($z))) * $y"
                             : "i64_to_float(i64_sub(uvec2($x, 0u), uvec2($z, 0u))) * $y";
}

/* 8.9.17: roundEven(x / scale) + zeroPoint. */
static const char *webnn_vk__quantize_formula(webnn_vk__kernel *k, webnn_data_type to) {
  webnn_vk__uses(k, webnn_data_type_bits(to) <= 8 ? WEBNN_VK__LIB_QUANTIZE
                                                  : WEBNN_VK__LIB_QUANTIZE_LONG);
  switch (to) {
  case WEBNN_INT8:
    return "quantize_of($x, $y, $z, -128, 127)";
  case WEBNN_UINT8:
    return "uint(quantize_of($x, $y, int($z), 0, 255))";
  case WEBNN_INT4:
    return "quantize_of($x, $y, $z, -8, 7)";
  case WEBNN_UINT4:
    return "uint(quantize_of($x, $y, int($z), 0, 15))";
  case WEBNN_INT32:
    return "quantize_int($x, $y, $z)";
  default:
    return "quantize_uint($x, $y, $z)";
  }
}

/* Its row; NULL: there is none. */
static const webnn_vk__formula *webnn_vk__find_formula(webnn_op op) {
  size_t i;
  for (i = 0; i < sizeof webnn_vk__formulas / sizeof *webnn_vk__formulas; i++) {
    if (webnn_vk__formulas[i].op == op) {
      return &webnn_vk__formulas[i];
    }
  }
  return NULL;
}

/* The formula for these types; NULL if there is none. */
static const char *webnn_vk__formula_of(webnn_vk__kernel *k, const webnn_vk__formula_call *call) {
  const webnn_vk__class c = webnn_vk__class_of(call->from[0]);
  const webnn_vk__formula *f = webnn_vk__find_formula(call->op);
  const char *of = f != NULL ? f->of[c] : NULL;
  switch (call->op) {
  case WEBNN_OP_CAST:
    return webnn_vk__cast_formula(k, call->from[0], call->to);
  case WEBNN_OP_DEQUANTIZE_LINEAR:
    return webnn_vk__dequantize_formula(k, call->from[0]);
  case WEBNN_OP_QUANTIZE_LINEAR:
    return webnn_vk__quantize_formula(k, call->to);
  case WEBNN_OP_WHERE:
    return "$x != 0u ? $y : $z";
  default:
    break;
  }
  if (c == WEBNN_VK__OF_FLOAT) {
    const bool half = call->from[0] == WEBNN_FLOAT16 && of != NULL && strstr(of, "$h") != NULL;
    webnn_vk__use_parts(k, half ? WEBNN_VK__PART(NEAR) : f != NULL ? f->needs : 0);
  } else {
    webnn_vk__use_integers(k, call->op, c >= WEBNN_VK__OF_I64);
  }
  return of;
}

/* The text gets `T NAME = the operator's formula;`, rounded or wrapped to its type. */
static void webnn_vk__write_call(webnn_vk__kernel *k, const webnn_vk__formula_call *call,
                                 const char *name, bool last) {
  const char *formula = webnn_vk__formula_of(k, call), *p;
  const char *half = call->from[0] == WEBNN_FLOAT16 ? "half" : "of";
  const bool rounds = call->to == WEBNN_FLOAT16 && !last;
  if (formula == NULL) {
    (void)webnn_vk__kernel_fails(k, "no kernel for this data type");
    return;
  }
  if (rounds) {
    webnn_vk__uses(k, WEBNN_VK__LIB_HALF);
  }
  webnn_vk__format(k, "  %s %s = %s(", webnn_vk__type_name(call->to), name,
                   rounds ? "round_half" : "");
  for (p = formula; *p != 0; p++) {
    if (*p == '$') {
      const char *const option = *++p == 'a' ? call->alpha : *p == 'b' ? call->beta : half;
      webnn_vk__text(k, *p >= 'x' ? call->x[*p - 'x'] : option);
    } else {
      webnn_vk__add_text(k, WEBNN_VK__BODY, p, 1);
    }
  }
  webnn_vk__text(k, call->to == WEBNN_INT8    ? ") << 24 >> 24;\n"
                    : call->to == WEBNN_UINT8 ? ") & 255u;\n"
                                              : ");\n");
}

/* An option of an operator as a number of the operand's type, called NAME in the text. */
static void webnn_vk__push_option(webnn_vk__kernel *k, const char *name, webnn_data_type type,
                                  uint64_t bits) {
  uint32_t word = (uint32_t)bits;
  char half[40];
  if (webnn_data_type_bits(type) == 64) {
    (void)snprintf(half, sizeof half, "%s_low", name);
    webnn_vk__push(k, half, word);
    (void)snprintf(half, sizeof half, "%s_high", name);
    webnn_vk__push(k, half, (uint32_t)(bits >> 32));
    webnn_vk__put(k, WEBNN_VK__BINDINGS, "#define %s uvec2(%s_low, %s_high)\n", name, name, name);
    return;
  }
  if (type == WEBNN_FLOAT16) {
    word = webnn__bits_of_float(webnn_float16_to_float32((uint16_t)bits));
  } else if (type == WEBNN_INT8) {
    word = (word & 255) - ((word & 128) << 1);
  } else if (type == WEBNN_UINT8) {
    word &= 255;
  }
  webnn_vk__push_as(k, name, webnn__is_float(type) ? "uintBitsToFloat" : webnn_vk__type_name(type),
                    word);
}

/* An option of a chain's operator. */
static void webnn_vk__push_number(webnn_vk__kernel *k, const char *name, webnn_data_type type,
                                  float number) {
  if (webnn__is_float(type)) {
    webnn_vk__push_float(k, name, number);
  } else {
    webnn_vk__push_option(k, name, type, (uint64_t)(int64_t)number);
  }
}

/* Which options an operator has: 0, 1 or 2, as the formula for floats names them. */
static uint32_t webnn_vk__option_count(webnn_op op) {
  const webnn_vk__formula *f = webnn_vk__find_formula(op);
  const char *formula = f != NULL && f->of[0] != NULL ? f->of[0] : "";
  return strstr(formula, "$b") != NULL ? 2 : strstr(formula, "$a") != NULL;
}

/* scale and zeroPoint of 8.9.16 and 8.9.17: each of their elements serves a block. */
static webnn_vk__walk webnn_vk__block_walk(const webnn__shape *blocks, const webnn__shape *shape) {
  int64_t strides[WEBNN_MAX_RANK] = {0};
  webnn_vk__walk walk = WEBNN_ZERO;
  uint32_t d;
  webnn__row_major(blocks, strides);
  for (d = 0; d < shape->rank; d++) {
    webnn_vk__add_axis(&walk, blocks->dimensions[d], strides[d]);
    webnn_vk__add_axis(&walk, shape->dimensions[d] / blocks->dimensions[d], 0);
  }
  return walk;
}

/* The operator of a node as a chain of one. */
static webnn__chain_ops webnn_vk__chain_of_one(const webnn_vk__planner *planner,
                                               const webnn__node *node) {
  const webnn__value *values = planner->program->values;
  const bool has_blocks =
      node->op == WEBNN_OP_DEQUANTIZE_LINEAR || node->op == WEBNN_OP_QUANTIZE_LINEAR;
  webnn__chain_ops ops = WEBNN_ZERO;
  uint32_t i;
  ops.count = 1;
  ops.shape = values[node->outputs[0]].shape;
  ops.outputs[0] = WEBNN__CHAIN_INPUTS;
  ops.ops[0].op = node->op;
  ops.ops[0].from = values[node->inputs[0]].data_type;
  ops.ops[0].to = values[node->outputs[0]].data_type;
  ops.ops[0].count = node->input_count;
  for (i = 0; i < node->input_count && i < 3; i++) {
    ops.ops[0].x[i] = (uint8_t)i;
    ops.is_block[i] = has_blocks && i > 0;
  }
  return ops;
}

static const char *const webnn_vk__value_names[WEBNN__CHAIN_INPUTS + WEBNN__CHAIN_OPS] = {
    "v0",  "v1",  "v2",  "v3",  "v4",  "v5",  "v6",  "v7",  "v8",  "v9",  "v10", "v11",
    "v12", "v13", "v14", "v15", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23"};

/* How an invocation that makes `each` neighbours at a time reads an operand's. If not one by one,
   `walk` becomes that of vectors, or of what is the same for all of one. */
static webnn_vk__access webnn_vk__divide_walk(webnn_vk__walk *walk, uint32_t each, uint32_t bits) {
  const uint32_t last = walk->rank - 1;
  if (each == 0 || walk->rank == 0) {
    return WEBNN_VK__ONE_BY_ONE;
  }
  if (walk->strides[last] == 0 && walk->sizes[last] % each == 0) {
    walk->sizes[last] /= each;
    walk->rank -= walk->sizes[last] == 1;
    return WEBNN_VK__AS_ONE;
  }
  return each * bits >= 32 && each * bits <= 128 && webnn_vk__unite(walk, each)
             ? WEBNN_VK__IN_VECTORS
             : WEBNN_VK__ONE_BY_ONE;
}

static webnn_vk__walk webnn_vk__chain_walk(const webnn_vk__planner *planner,
                                           const webnn__node *node, const webnn__chain_ops *ops,
                                           uint32_t i) {
  const webnn__shape *x = &webnn_vk__value_at(planner, node->inputs[i])->shape;
  int64_t strides[WEBNN_MAX_RANK] = {0};
  if (ops->is_block[i]) {
    return webnn_vk__block_walk(x, &ops->shape);
  }
  webnn__broadcast_strides(x, &ops->shape, strides);
  return webnn_vk__walk_of(&ops->shape, strides, 0);
}

/* How many elements an invocation makes: as many as the widest type among those that it reads and
   writes in vectors has in 16 bytes, or in 8 where these do not divide the result. 0: a word's.
   Only GPUs gain. */
static uint32_t webnn_vk__chain_each(const webnn_vk__planner *planner, const webnn__node *node,
                                     const webnn__chain_ops *ops) {
  const webnn__value *y = webnn_vk__value_at(planner, node->outputs[0]);
  const uint32_t y_bits = webnn_data_type_bits(y->data_type);
  uint32_t widest = y_bits, each, i;
  for (i = 0; i < node->input_count && i < WEBNN__CHAIN_INPUTS; i++) {
    const webnn_data_type type = webnn_vk__type_of(planner, node->inputs[i]);
    const webnn_vk__walk walk = webnn_vk__chain_walk(planner, node, ops, i);
    if (walk.rank > 0 && walk.strides[walk.rank - 1] == 1 && webnn_data_type_bits(type) > widest) {
      widest = webnn_data_type_bits(type);
    }
  }
  each = 128 / widest;
  each = webnn__element_count(&y->shape) % each == 0 ? each : each / 2;
  return planner->traits->is_cpu || each < 2 || each * y_bits < 32 ||
                 webnn__element_count(&y->shape) % each != 0
             ? 0
             : each;
}

/* Operand i of a chain: load_xN, and at_xN unless it is the same for all. */
static void webnn_vk__declare_chain_operand(webnn_vk__kernel *k, const webnn__node *node,
                                            const webnn__chain_ops *ops, uint32_t i) {
  const webnn_data_type type = webnn_vk__type_of(k->planner, node->inputs[i]);
  const char *name = webnn_vk__named(k, "x", i);
  webnn_vk__walk walk = webnn_vk__chain_walk(k->planner, node, ops, i);
  k->access[i] = webnn_vk__divide_walk(&walk, k->each, webnn_data_type_bits(type));
  if (k->access[i] == WEBNN_VK__IN_VECTORS) {
    webnn_vk__reads_vectors(k, name, node->inputs[i]);
  } else {
    webnn_vk__reads(k, name, node->inputs[i]);
  }
  if (k->access[i] == WEBNN_VK__AS_ONE) {
    webnn_vk__put(k, WEBNN_VK__BINDINGS, "%s %s_one;\n", webnn_vk__type_name(type), name);
  }
  webnn_vk__add_index(k, name, &walk);
}

/* The operands and options of a chain: load_xN, at_xN, aN and bN. `attributes` has the options of a
   chain of one. */
static void webnn_vk__declare_chain(webnn_vk__kernel *k, const webnn__node *node,
                                    const webnn__chain_ops *ops,
                                    const webnn__attributes *attributes) {
  uint32_t i, j;
  for (i = 0; i < node->input_count && i < WEBNN__CHAIN_INPUTS; i++) {
    webnn_vk__declare_chain_operand(k, node, ops, i);
  }
  for (i = 0; i < ops->count; i++) {
    const webnn__chain_op *op = &ops->ops[i];
    for (j = 0; j < webnn_vk__option_count(op->op); j++) {
      char name[16];
      (void)snprintf(name, sizeof name, "%c%u", j == 0 ? 'a' : 'b', i);
      if (attributes != NULL) {
        webnn_vk__push_option(k, name, op->from, j == 0 ? attributes->alpha : attributes->beta);
      } else {
        webnn_vk__push_number(k, name, op->from, j == 0 ? op->alpha : op->beta);
      }
    }
  }
}

/* The statements that compute a chain's values for element i. Returns the name of the result. If it
   is `packed`, its rounding is left to that. */
static const char *webnn_vk__write_chain(webnn_vk__kernel *k, const webnn__node *node,
                                         const webnn__chain_ops *ops, bool packed) {
  webnn_data_type types[WEBNN__CHAIN_INPUTS + WEBNN__CHAIN_OPS];
  uint32_t i, j;
  for (i = 0; i < node->input_count && i < WEBNN__CHAIN_INPUTS; i++) {
    types[i] = webnn_vk__type_of(k->planner, node->inputs[i]);
    webnn_vk__format(k,
                     k->access[i] == WEBNN_VK__AS_ONE       ? "  %s v%u = x%u_one;\n"
                     : k->access[i] == WEBNN_VK__IN_VECTORS ? "  %s v%u = load_x%u(j);\n"
                                                            : "  %s v%u = load_x%u(at_x%u(i));\n",
                     webnn_vk__type_name(types[i]), i, i, i);
  }
  for (i = 0; i < ops->count; i++) {
    const webnn__chain_op *op = &ops->ops[i];
    webnn_vk__formula_call call;
    char alpha[16], beta[16];
    memset(&call, 0, sizeof call);
    (void)snprintf(alpha, sizeof alpha, "a%u", i);
    (void)snprintf(beta, sizeof beta, "b%u", i);
    call.op = op->op;
    call.to = op->to;
    call.alpha = alpha;
    call.beta = beta;
    for (j = 0; j < 3; j++) {
      const uint32_t x = op->x[j < op->count ? j : 0];
      call.from[j] = types[x];
      call.x[j] = webnn_vk__value_names[x];
    }
    types[WEBNN__CHAIN_INPUTS + i] = op->to;
    webnn_vk__write_call(k, &call, webnn_vk__value_names[WEBNN__CHAIN_INPUTS + i],
                         packed && i + 1 == ops->count);
  }
  return webnn_vk__value_names[ops->outputs[0]];
}

static uint64_t webnn_vk__count(const webnn_vk__planner *planner, uint32_t value) {
  return webnn__element_count(&webnn_vk__value_at(planner, value)->shape);
}

/* An element-wise operator, or a chain of them. */
static bool webnn_vk__plan_chain(webnn_vk__planner *planner, uint32_t index) {
  const webnn__node *node = &planner->program->nodes[index];
  const webnn__chain_ops *fused = webnn__chain_in(node);
  const webnn__chain_ops one = webnn_vk__chain_of_one(planner, node);
  const webnn__chain_ops *ops = fused != NULL ? fused : &one;
  const webnn__value *y = webnn_vk__value_at(planner, node->outputs[0]);
  webnn_vk__kernel k;
  const char *result;
  webnn_vk__begin(planner, index, &k);
  k.each = webnn_vk__chain_each(planner, node, ops);
  webnn_vk__declare_chain(&k, node, ops, fused != NULL ? NULL : &node->attributes);
  webnn_vk__writes(&k, "y", node->outputs[0]);
  webnn_vk__format(&k, k.each > 0 ? "%s element(uint i, uint j) {\n" : "%s element(uint i) {\n",
                   webnn_vk__type_name(y->data_type));
  result = webnn_vk__write_chain(&k, node, ops, true);
  webnn_vk__format(&k, "  return %s;\n}\n", result);
  k.cost = ops->count * 4;
  planner->nodes[index].overwrites = true;
  return webnn_vk__map(&k, webnn_vk__count(planner, node->outputs[0]));
}

#define webnn_vk__plan_unary webnn_vk__plan_chain
#define webnn_vk__plan_binary webnn_vk__plan_chain
#define webnn_vk__plan_compare webnn_vk__plan_chain
#define webnn_vk__plan_predicate webnn_vk__plan_chain
#define webnn_vk__plan_cast webnn_vk__plan_chain
#define webnn_vk__plan_where webnn_vk__plan_chain
#define webnn_vk__plan_dequantize_linear webnn_vk__plan_chain
#define webnn_vk__plan_quantize_linear webnn_vk__plan_chain

/* ---- Kernels: moving elements ------------------------------------------------------------------

   Elements are moved as bits. */

static const char *webnn_vk__raw_name(const webnn_vk__kernel *k) {
  return webnn_vk__raw_name_of(k, k->type);
}

/* A raw element of which every bit is 0. */
static const char *webnn_vk__raw_zero(const webnn_vk__kernel *k) {
  const uint32_t bits = webnn_vk__raw_bits(k, k->type);
  return bits == 128 ? "uvec4(0u)" : bits == 64 ? "uvec2(0u)" : "0u";
}

static const webnn__shape *webnn_vk__shape_in(const webnn_vk__planner *planner,
                                              const webnn__node *node, uint32_t i) {
  return &webnn_vk__value_at(planner, node->inputs[i])->shape;
}

static const webnn__shape *webnn_vk__shape_out(const webnn_vk__planner *planner,
                                               const webnn__node *node, uint32_t i) {
  return &webnn_vk__value_at(planner, node->outputs[i])->shape;
}

/* Units of up to 16 bytes in which x and y of the walk can be moved: their bits. The walk becomes
   one over them. */
static uint32_t webnn_vk__unit_bits(webnn_vk__walk *walk, webnn_data_type type) {
  uint32_t bits = webnn_data_type_bits(type);
  while (bits < 128 && webnn_vk__unite(walk, 2)) {
    bits *= 2;
  }
  return bits;
}

/* A transpose: dimension `inner`, along which y is contiguous, and dimension `other`, along which x
   is. */
typedef struct webnn_vk__swap {
  uint32_t inner, other;   /* their sizes */
  uint32_t x_step, y_step; /* of x along `inner`, of y along `other` */
  webnn_vk__walk x, y;     /* over the other dimensions */
  uint64_t count;          /* of these */
} webnn_vk__swap;

/* Is the walk such a transpose, with a dimension that is contiguous in x, but not in y, of enough
   elements, and are rows of x and y whole words of `each` units? */
static bool webnn_vk__is_swap(const webnn_vk__walk *walk, uint32_t each, webnn_vk__swap *swap) {
  const uint32_t least = 8;
  int64_t y_stride[WEBNN_VK__MOST_AXES], all = 1;
  bool whole = walk->start % (int64_t)each == 0;
  uint32_t other = 0, d;
  memset(swap, 0, sizeof *swap);
  while (other + 1 < walk->rank && walk->strides[other] != 1) {
    other++;
  }
  if (other + 1 >= walk->rank) {
    return false;
  }
  for (d = walk->rank; d-- > 0; all *= walk->sizes[d]) {
    y_stride[d] = all;
  }
  swap->count = 1;
  swap->x.start = walk->start;
  for (d = 0; d < walk->rank; d++) {
    whole = whole && (d == other || walk->strides[d] % (int64_t)each == 0) &&
            (d + 1 == walk->rank || y_stride[d] % (int64_t)each == 0);
    if (d != other && d + 1 < walk->rank) {
      webnn_vk__add_axis(&swap->x, walk->sizes[d], walk->strides[d]);
      webnn_vk__add_axis(&swap->y, walk->sizes[d], y_stride[d]);
      swap->count *= walk->sizes[d];
    }
  }
  swap->inner = walk->sizes[walk->rank - 1];
  swap->other = walk->sizes[other];
  swap->x_step = (uint32_t)walk->strides[walk->rank - 1];
  swap->y_step = (uint32_t)y_stride[other];
  return whole && swap->inner >= least && swap->other >= least && all <= UINT32_MAX - 65536;
}

/* A workgroup turns a square of SIDE x SIDE units, EACH of which are a word: rows of x come into
   shared memory, WORDS words each, and rows of y are put together there, so that neighbours read
   and write neighbours. Rows from which neighbours take their first units stand next to each other,
   one unused word behind each, so that they are in different banks. */
static const char *const webnn_vk__swap_text =
    "const uint WORDS = SIDE / EACH;\n"
    "shared WORD square[SIDE * (WORDS + 1u)];\n"
    "uint place(uint row, uint word) {\n"
    "  return (row % EACH * WORDS + row / EACH) * (WORDS + 1u) + word;\n"
    "}\n";
static const char *const webnn_vk__swap_run_text =
    "void run(uint group) {\n"
    "  uint squares = (inner + SIDE - 1u) / SIDE;\n"
    "  uint first = group % squares * SIDE;\n"
    "  uint rest = group / squares;\n"
    "  squares = (other + SIDE - 1u) / SIDE;\n"
    "  uint other_first = rest % squares * SIDE;\n"
    "  uint batch = rest / squares;\n"
    "  uint from = at_x(batch) + first * x_step + other_first;\n"
    "  uint to = at_y(batch) + other_first * y_step + first;\n"
    "  [[unroll]] for (uint e = gl_LocalInvocationID.x; e < SIDE * WORDS; e += INVOCATIONS) {\n"
    "    uint row = e / WORDS;\n"
    "    uint word = e % WORDS;\n"
    "    if (first + row < inner && other_first + word * EACH < other) {\n"
    "      square[place(row, word)] = x_words[(from + row * x_step) / EACH + word];\n"
    "    }\n"
    "  }\n"
    "  barrier();\n"
    "  [[unroll]] for (uint e = gl_LocalInvocationID.x; e < SIDE * WORDS; e += INVOCATIONS) {\n"
    "    uint row = e / WORDS;\n"
    "    uint word = e % WORDS;\n"
    "    if (other_first + row < other && first + word * EACH < inner) {\n"
    "      y_words[(to + row * y_step) / EACH + word] = turned(row, word * EACH);\n"
    "    }\n"
    "  }\n"
    "}\n";

/* WORD turned(uint column, uint row): the word of y that begins with this element of the square. */
static void webnn_vk__put_turned(webnn_vk__kernel *k, uint32_t bits) {
  uint32_t i;
  webnn_vk__text(k, "WORD turned(uint column, uint row) {\n");
  if (bits >= 32) {
    webnn_vk__text(k, "  return square[place(row, column)];\n}\n");
    return;
  }
  webnn_vk__format(k, "  uint bits = 0u, shift = column %% EACH * %uu;\n", bits);
  for (i = 0; i < 32 / bits; i++) {
    webnn_vk__format(k,
                     "  bits |= (square[place(row + %uu, column / EACH)] >> shift & %uu) << %uu;\n",
                     i, (1u << bits) - 1, (i * bits));
  }
  webnn_vk__text(k, "  return bits;\n}\n");
}

static bool webnn_vk__plan_swap(webnn_vk__kernel *k, const webnn_vk__swap *swap) {
  const uint32_t bits = webnn_vk__raw_bits(k, k->type), each = bits < 32 ? 32 / bits : 1;
  const uint32_t side = bits < 32 ? 64 : 32;
  const uint64_t squares =
      (uint64_t)((swap->inner + side - 1) / side) * ((swap->other + side - 1) / side);
  k->local = k->planner->traits->max_invocations < 256 ? k->local : 256;
  k->extensions = "#extension GL_EXT_control_flow_attributes : require\n";
  WEBNN_VK__PUT_PUSHES(k, "inner other x_step y_step", swap->inner, swap->other, swap->x_step,
                       swap->y_step);
  webnn_vk__add_index(k, "x", &swap->x);
  webnn_vk__add_index(k, "y", &swap->y);
  WEBNN_VK__PUT_CONSTANTS(k, "EACH SIDE INVOCATIONS", each, side, k->local);
  webnn_vk__format(k, "#define WORD %s\n", webnn_vk__raw_name(k));
  webnn_vk__text(k, webnn_vk__swap_text);
  webnn_vk__put_turned(k, bits);
  webnn_vk__text(k, webnn_vk__swap_run_text);
  k->cost = side * side / each / k->local;
  return webnn_vk__groups(k, squares * swap->count);
}

/* y[i] = x[at(i)]. Neighbours that stay neighbours are moved together. */
static bool webnn_vk__plan_walk(webnn_vk__planner *planner, uint32_t index, uint32_t output,
                                const webnn_vk__walk *elements) {
  const webnn_data_type type = webnn_vk__type_of(planner, output);
  const uint32_t bits = webnn_data_type_bits(type);
  webnn_vk__walk walk = *elements;
  webnn_vk__swap swap;
  webnn_vk__kernel k;
  webnn_vk__begin(planner, index, &k);
  k.moved_bits = webnn_vk__unit_bits(&walk, type);
  webnn_vk__reads_raw(&k, "x", planner->program->nodes[index].inputs[0]);
  webnn_vk__writes_raw(&k, "y", output);
  if (!planner->traits->is_cpu && k.moved_bits >= 8 && k.moved_bits <= 64 &&
      webnn_vk__is_swap(&walk, k.moved_bits < 32 ? 32 / k.moved_bits : 1, &swap)) {
    return webnn_vk__plan_swap(&k, &swap);
  }
  webnn_vk__add_index(&k, "x", &walk);
  webnn_vk__format(&k, "%s element(uint i) { return load_x(at_x(i)); }\n", webnn_vk__raw_name(&k));
  return webnn_vk__map(&k, webnn_vk__count(planner, output) * bits / k.moved_bits);
}

/* The same bytes. */
static bool webnn_vk__plan_identity(webnn_vk__planner *planner, uint32_t index) {
  const webnn__node *node = &planner->program->nodes[index];
  const uint64_t bytes = webnn__value_bytes(webnn_vk__value_at(planner, node->outputs[0]));
  webnn_vk__kernel k;
  webnn_vk__begin(planner, index, &k);
  k.moved_bits = bytes % 16 == 0 ? 128 : 32;
  webnn_vk__reads_raw(&k, "x", node->inputs[0]);
  webnn_vk__writes_raw(&k, "y", node->outputs[0]);
  webnn_vk__format(&k, "%s element(uint i) { return load_x(i); }\n", webnn_vk__raw_name(&k));
  planner->nodes[index].overwrites = true;
  return webnn_vk__map(&k, (bytes * 8 + k.moved_bits - 1) / k.moved_bits);
}

#define webnn_vk__plan_reshape webnn_vk__plan_identity

/* Dimension d of y as a walk over x, whose strides are `own`: transposed, a slice, backwards, or
   each time that x is repeated. */
static void webnn_vk__move_axis(webnn_vk__walk *walk, const webnn__node *node,
                                const webnn__shape *x, const webnn__shape *y, const int64_t *own,
                                uint32_t d) {
  const webnn__attributes *t = &node->attributes;
  const uint32_t missing = y->rank - x->rank, from = d < missing ? 1 : x->dimensions[d - missing];
  const int64_t stride = d < missing ? 0 : own[d - missing];
  uint32_t i;
  switch (node->op) {
  case WEBNN_OP_TRANSPOSE:
    webnn_vk__add_axis(walk, y->dimensions[d], own[t->axes.dimensions[d]]);
    return;
  case WEBNN_OP_SLICE:
    walk->start += stride * (int64_t)t->starts.dimensions[d];
    webnn_vk__add_axis(walk, y->dimensions[d], stride * (int64_t)t->strides.dimensions[d]);
    return;
  case WEBNN_OP_REVERSE:
    for (i = 0; i < t->axes.rank && t->axes.dimensions[i] != d; i++) {
    }
    walk->start += i < t->axes.rank ? stride * ((int64_t)from - 1) : 0;
    webnn_vk__add_axis(walk, from, i < t->axes.rank ? -stride : stride);
    return;
  default: /* expand, tile: its repetitions, which do not move, and itself */
    webnn_vk__add_axis(walk, y->dimensions[d] / from, 0);
    webnn_vk__add_axis(walk, from, stride);
  }
}

/* expand, reverse, slice, tile, transpose: elements of x in another order. */
static bool webnn_vk__plan_moved(webnn_vk__planner *planner, uint32_t index) {
  const webnn__node *node = &planner->program->nodes[index];
  const webnn__shape *x = webnn_vk__shape_in(planner, node, 0);
  const webnn__shape *y = webnn_vk__shape_out(planner, node, 0);
  int64_t strides[WEBNN_MAX_RANK] = {0};
  webnn_vk__walk walk = WEBNN_ZERO;
  uint32_t d;
  webnn__row_major(x, strides);
  for (d = 0; d < y->rank; d++) {
    webnn_vk__move_axis(&walk, node, x, y, strides, d);
  }
  return webnn_vk__plan_walk(planner, index, node->outputs[0], &walk);
}

#define webnn_vk__plan_expand webnn_vk__plan_moved
#define webnn_vk__plan_reverse webnn_vk__plan_moved
#define webnn_vk__plan_slice webnn_vk__plan_moved
#define webnn_vk__plan_tile webnn_vk__plan_moved
#define webnn_vk__plan_transpose webnn_vk__plan_moved

/* split: each output is a slice. */
static bool webnn_vk__plan_split(webnn_vk__planner *planner, uint32_t index) {
  const webnn__node *node = &planner->program->nodes[index];
  const uint32_t axis = node->attributes.axis;
  int64_t strides[WEBNN_MAX_RANK] = {0}, start = 0;
  uint32_t i;
  webnn__row_major(webnn_vk__shape_in(planner, node, 0), strides);
  for (i = 0; i < node->output_count; i++) {
    const webnn__shape *part = webnn_vk__shape_out(planner, node, i);
    const webnn_vk__walk walk = webnn_vk__walk_of(part, strides, start);
    if (!webnn_vk__plan_walk(planner, index, node->outputs[i], &walk)) {
      return false;
    }
    start += strides[axis] * (int64_t)part->dimensions[axis];
  }
  return true;
}

/* Elements of the dimensions first ... end - 1. */
static uint32_t webnn_vk__product(const webnn__shape *shape, uint32_t first, uint32_t end) {
  uint32_t product = 1, d;
  for (d = first; d < end; d++) {
    product *= shape->dimensions[d];
  }
  return product;
}

/* Units of up to 16 bytes in which rows of all these elements can be moved: their bits. */
static uint32_t webnn_vk__row_unit(webnn_data_type type, uint64_t elements) {
  uint32_t bits = webnn_data_type_bits(type);
  for (; bits < 128 && elements % 2 == 0; elements /= 2) {
    bits *= 2;
  }
  return bits;
}

/* Elements of a row of input i, of what concat puts next to each other. */
static uint32_t webnn_vk__row_of(const webnn_vk__planner *planner, const webnn__node *node,
                                 uint32_t i) {
  const webnn__shape *shape = webnn_vk__shape_in(planner, node, i);
  return webnn_vk__product(shape, node->attributes.axis, shape->rank);
}

/* concat: some of the inputs, from `first` on, whose rows begin at *start in those of y. What the
   others fill keeps its bits. Lengths are in units of `each` elements. */
static bool webnn_vk__plan_parts(webnn_vk__planner *planner, uint32_t index, uint32_t first,
                                 uint32_t count, uint32_t each, uint32_t *start) {
  const webnn__node *node = &planner->program->nodes[index];
  const webnn__shape *shape = webnn_vk__shape_out(planner, node, 0);
  const uint32_t row = webnn_vk__product(shape, node->attributes.axis, shape->rank) / each;
  const uint64_t units = webnn__element_count(shape) / each;
  webnn_vk__kernel k;
  uint32_t i;
  webnn_vk__begin(planner, index, &k);
  k.moved_bits = each * webnn_data_type_bits(webnn_vk__type_of(planner, node->inputs[0]));
  for (i = 0; i <= count; i++) {
    webnn_vk__push(&k, webnn_vk__named(&k, "start", i), *start);
    if (i < count) {
      webnn_vk__reads_raw(&k, webnn_vk__named(&k, "x", i), node->inputs[first + i]);
      *start += webnn_vk__row_of(planner, node, first + i) / each;
    }
  }
  webnn_vk__push_divisor(&k, "row", row, units);
  webnn_vk__writes_raw(&k, "y", node->outputs[0]);
  webnn_vk__put_raw_load(&k, "y", k.type);
  webnn_vk__format(&k,
                   "%s element(uint i) {\n"
                   "  uint outer = by_row(i);\n"
                   "  uint at = i - outer * row;\n",
                   webnn_vk__raw_name(&k));
  for (i = 0; i < count; i++) {
    webnn_vk__format(&k,
                     "  if (at >= start%u && at < start%u) {\n"
                     "    return load_x%u(outer * (start%u - start%u) + at - start%u);\n"
                     "  }\n",
                     i, i + 1, i, i + 1, i, i);
  }
  webnn_vk__text(&k, "  return load_y(i);\n}\n");
  return webnn_vk__map(&k, units);
}

#define WEBNN_VK__CONCAT_PARTS 7 /* operands that one kernel puts together */

static bool webnn_vk__plan_concat(webnn_vk__planner *planner, uint32_t index) {
  const webnn__node *node = &planner->program->nodes[index];
  const uint32_t most = planner->traits->max_operands - 1;
  const uint32_t room = most < WEBNN_VK__CONCAT_PARTS ? most : WEBNN_VK__CONCAT_PARTS;
  const webnn_data_type type = webnn_vk__type_of(planner, node->inputs[0]);
  const uint32_t bits = webnn_data_type_bits(type);
  uint32_t first, start = 0, rows = 0;
  for (first = 0; first < node->input_count; first++) { /* a factor of all is one of their bits */
    rows |= webnn_vk__row_of(planner, node, first);
  }
  for (first = 0; first < node->input_count; first += room) {
    const uint32_t rest = node->input_count - first;
    if (!webnn_vk__plan_parts(planner, index, first, rest < room ? rest : room,
                              webnn_vk__row_unit(type, rows) / bits, &start)) {
      return false;
    }
  }
  return true;
}

/* The first of the dimensions that pad leaves as they are, and all behind it, too. */
static uint32_t webnn_vk__unpadded(const webnn__shape *from, const webnn__shape *to) {
  uint32_t d = to->rank;
  while (d > 0 && from->dimensions[d - 1] == to->dimensions[d - 1]) {
    d--;
  }
  return d;
}

/* A raw unit whose elements are all this number: `filling` in the text. */
static void webnn_vk__push_filling(webnn_vk__kernel *k, uint64_t number, uint32_t bits) {
  uint32_t low = (uint32_t)number, high = (uint32_t)(number >> 32), unit;
  for (unit = bits; unit < 32; unit *= 2) {
    low = (low & ((1u << unit) - 1)) << unit | (low & ((1u << unit) - 1));
  }
  low &= k->moved_bits < 32 ? (1u << k->moved_bits) - 1 : UINT32_MAX;
  WEBNN_VK__PUT_PUSHES(k, "filling_low filling_high", low, bits == 64 ? high : low);
  webnn_vk__put(k, WEBNN_VK__BINDINGS, "#define filling %s\n",
                k->moved_bits == 128 ? "uvec4(filling_low, filling_high, filling_low, filling_high)"
                : k->moved_bits == 64 ? "uvec2(filling_low, filling_high)"
                                      : "filling_low");
}

/* pad: a unit finds its coordinates in x, or is the value. */
static bool webnn_vk__plan_pad(webnn_vk__planner *planner, uint32_t index) {
  static const struct {
    uint32_t mode;
    const char *outside; /* which element, of n, takes the place of element k */
  } modes[] = {{WEBNN_PADDING_EDGE, "k < 0 ? 0 : n - 1"},
               {WEBNN_PADDING_REFLECTION, "k < 0 ? -k : 2 * (n - 1) - k"},
               {WEBNN_PADDING_SYMMETRIC, "k < 0 ? -k - 1 : 2 * n - 1 - k"}};
  const webnn__node *node = &planner->program->nodes[index];
  const webnn__attributes *t = &node->attributes;
  const webnn__shape *from = webnn_vk__shape_in(planner, node, 0);
  const webnn__shape *to = webnn_vk__shape_out(planner, node, 0);
  const char *outside = "-1";
  const webnn_data_type type = webnn_vk__type_of(planner, node->inputs[0]);
  const uint32_t bits = webnn_data_type_bits(type);
  const uint32_t inner = webnn_vk__unpadded(from, to);
  webnn_vk__kernel k;
  uint64_t count;
  uint32_t d, length = webnn_vk__product(to, inner, to->rank);
  for (d = 0; d < 3; d++) {
    outside = modes[d].mode == (uint32_t)t->mode ? modes[d].outside : outside;
  }
  webnn_vk__begin(planner, index, &k);
  k.moved_bits = webnn_vk__row_unit(type, length);
  length /= k.moved_bits / bits;
  count = webnn_vk__count(planner, node->outputs[0]) * bits / k.moved_bits;
  webnn_vk__reads_raw(&k, "x", node->inputs[0]);
  webnn_vk__writes_raw(&k, "y", node->outputs[0]);
  webnn_vk__push_filling(&k, t->alpha, bits);
  for (d = 0; d < inner; d++) {
    webnn_vk__push(&k, webnn_vk__named(&k, "from", d), from->dimensions[d]);
    webnn_vk__push(&k, webnn_vk__named(&k, "start", d), t->starts.dimensions[d]);
    webnn_vk__push_divisor(&k, webnn_vk__named(&k, "to", d), to->dimensions[d], count);
  }
  webnn_vk__push_divisor(&k, "inner", length, count);
  webnn_vk__format(&k,
                   "int padded(int k, int n) { return k >= 0 && k < n ? k : %s; }\n"
                   "%s element(uint i) {\n"
                   "  uint outer = by_inner(i);\n"
                   "  uint at = i - outer * inner, stride = inner;\n"
                   "  bool inside = true;\n"
                   "  int k;\n",
                   outside, webnn_vk__raw_name(&k));
  for (d = inner; d-- > 0;) {
    const unsigned n = d;
    webnn_vk__format(&k,
                     "  i = by_to%u(outer);\n"
                     "  k = padded(int(outer - i * to%u) - int(start%u), int(from%u));\n"
                     "  inside = inside && k >= 0;\n"
                     "  at += uint(k) * stride;\n"
                     "  stride *= from%u;\n"
                     "  outer = i;\n",
                     n, n, n, n, n);
  }
  webnn_vk__text(&k, "  if (inside) { return load_x(at); }\n  return filling;\n}\n");
  return webnn_vk__map(&k, count);
}

/* triangular: x where column >= row + diagonal (upper) or <= (lower), else 0. */
static bool webnn_vk__plan_triangular(webnn_vk__planner *planner, uint32_t index) {
  const webnn__node *node = &planner->program->nodes[index];
  const webnn__shape *shape = webnn_vk__shape_in(planner, node, 0);
  const uint32_t rows = shape->dimensions[shape->rank - 2];
  const uint32_t columns = shape->dimensions[shape->rank - 1];
  const int64_t wanted = node->attributes.diagonal;
  const int64_t diagonal = wanted > (int64_t)columns     ? (int64_t)columns
                           : wanted < -(int64_t)rows - 1 ? -(int64_t)rows - 1
                                                         : wanted;
  webnn_vk__kernel k;
  uint64_t count;
  webnn_vk__begin(planner, index, &k);
  webnn_vk__reads_raw(&k, "x", node->inputs[0]);
  webnn_vk__writes_raw(&k, "y", node->outputs[0]);
  count = webnn_vk__count(planner, node->outputs[0]);
  webnn_vk__push_divisor(&k, "rows", rows, count);
  webnn_vk__push_divisor(&k, "columns", columns, count);
  webnn_vk__push_int(&k, "diagonal", (int32_t)diagonal);
  webnn_vk__format(&k,
                   "%s element(uint i) {\n"
                   "  uint row = by_columns(i);\n"
                   "  int border = int(row - by_rows(row) * rows) + diagonal;\n"
                   "  if (int(i - row * columns) %s border) { return load_x(i); }\n"
                   "  return %s;\n"
                   "}\n",
                   webnn_vk__raw_name(&k),
                   node->attributes.upper ? ">=" : "<=", webnn_vk__raw_zero(&k));
  planner->nodes[index].overwrites = true;
  return webnn_vk__map(&k, count);
}

/* ---- Kernels: gathering and scattering ---------------------------------------------------------

   The five operators move slices between a large tensor, x of a gather and y of a scatter, and a
   small one, y of a gather and the updates of a scatter. place(k) is which slice of the large one
   slice k of the small one stands for. A gather takes slice place(k) for each k. A scatter finds
   for each slice of y the last update that has its place: updates leave their numbers there by
   atomicMax, so that the order in which they run does not matter. */

/* uint index_of(uint j, uint size): element j of indices, clamped to -size ... size - 1; negative
   ones count from the end. */
static void webnn_vk__reads_indices(webnn_vk__kernel *k, uint32_t value) {
  const webnn_vk__class c = webnn_vk__class_of(webnn_vk__type_of(k->planner, value));
  webnn_vk__reads(k, "indices", value);
  webnn_vk__uses(k, WEBNN_VK__LIB_LONG);
  webnn_vk__format(k,
                   "uint index_of(uint j, uint size) {\n"
                   "  uvec2 v = %s;\n"
                   "  if (int(v.y) >= 0) { return v.y > 0u ? size - 1u : min(v.x, size - 1u); }\n"
                   "  uint back = 0u - v.x;\n"
                   "  return v.y != 0xffffffffu || v.x == 0u || back > size ? 0u : size - back;\n"
                   "}\n",
                   c == WEBNN_VK__OF_INT    ? "i64_of_int(load_indices(j))"
                   : c == WEBNN_VK__OF_UINT ? "uvec2(load_indices(j), 0u)"
                                            : "load_indices(j)");
}

/* The number of leading dimensions of `large` in which slices are counted; what follows is in one.
   gatherND and scatterND say it by their last dimension, the Elements move single elements. */
static uint32_t webnn_vk__place_rank(const webnn__node *node, const webnn__shape *large,
                                     const webnn__shape *indices) {
  switch (node->op) {
  case WEBNN_OP_GATHER:
    return node->attributes.axis + 1;
  case WEBNN_OP_GATHER_ND:
  case WEBNN_OP_SCATTER_ND:
    return indices->dimensions[indices->rank - 1];
  default:
    return large->rank;
  }
}

/* uint place(uint k), from the indices, operand 1. Returns the elements of a slice. */
static uint32_t webnn_vk__put_place(webnn_vk__kernel *k, const webnn__node *node) {
  const webnn__shape *large = webnn_vk__shape_in(k->planner, node, 0);
  const webnn__shape *indices = webnn_vk__shape_in(k->planner, node, 1);
  const uint32_t rank = webnn_vk__place_rank(node, large, indices);
  const uint32_t slice = webnn_vk__product(large, rank, large->rank);
  const uint32_t axis = node->attributes.axis;
  const uint64_t count = webnn__element_count(indices);
  uint32_t d;
  webnn_vk__reads_indices(k, node->inputs[1]);
  if (node->op == WEBNN_OP_GATHER_ND || node->op == WEBNN_OP_SCATTER_ND) {
    webnn_vk__text(k, "uint place(uint k) {\n  uint at = 0u;\n");
    for (d = 0; d < rank; d++) {
      const unsigned n = d;
      webnn_vk__push(k, webnn_vk__named(k, "size", d), large->dimensions[d]);
      webnn_vk__format(k, "  at = at * size%u + index_of(k * %uu + %uu, size%u);\n", n, rank, n, n);
    }
    webnn_vk__text(k, "  return at;\n}\n");
    return slice;
  }
  webnn_vk__push(k, "size", large->dimensions[axis]);
  if (node->op == WEBNN_OP_GATHER) { /* y[p, j, slice] = x[p, indices[j], slice] */
    webnn_vk__push_divisor(k, "count", (uint32_t)count, webnn_vk__product(large, 0, axis) * count);
    webnn_vk__text(k, "uint place(uint k) {\n"
                      "  uint p = by_count(k);\n"
                      "  return p * size + index_of(k - p * count, size);\n"
                      "}\n");
  } else { /* small[p, a, r] stands for large[p, indices[p, a, r], r] */
    webnn_vk__push_divisor(k, "inner", webnn_vk__product(large, axis + 1, large->rank), count);
    webnn_vk__push_divisor(k, "rows", indices->dimensions[axis], count);
    webnn_vk__text(k, "uint place(uint k) {\n"
                      "  uint row = by_inner(k);\n"
                      "  return (by_rows(row) * size + index_of(k, size)) * inner + k - row * "
                      "inner;\n"
                      "}\n");
  }
  return slice;
}

static bool webnn_vk__plan_gather(webnn_vk__planner *planner, uint32_t index) {
  const webnn__node *node = &planner->program->nodes[index];
  const webnn_data_type type = webnn_vk__type_of(planner, node->inputs[0]);
  uint64_t count = webnn_vk__count(planner, node->outputs[0]);
  webnn_vk__kernel k;
  uint32_t slice, each;
  webnn_vk__begin(planner, index, &k);
  slice = webnn_vk__put_place(&k, node);
  k.moved_bits = webnn_vk__row_unit(type, slice);
  each = k.moved_bits / webnn_data_type_bits(type);
  count /= each;
  webnn_vk__reads_raw(&k, "x", node->inputs[0]);
  webnn_vk__push_divisor(&k, "slice", slice / each, count);
  webnn_vk__writes_raw(&k, "y", node->outputs[0]);
  webnn_vk__format(&k,
                   "%s element(uint i) {\n"
                   "  uint k = by_slice(i);\n"
                   "  return load_x(place(k) * slice + i - k * slice);\n"
                   "}\n",
                   webnn_vk__raw_name(&k));
  return webnn_vk__map(&k, count);
}

#define webnn_vk__plan_gather_elements webnn_vk__plan_gather
#define webnn_vk__plan_gather_nd webnn_vk__plan_gather

/* Zeros: an invocation writes one word. */
static bool webnn_vk__plan_zeros(webnn_vk__planner *planner, uint32_t index,
                                 webnn_vk__operand memory, uint64_t words) {
  webnn_vk__kernel k;
  webnn_vk__begin(planner, index, &k);
  memory.type = WEBNN_UINT32;
  webnn_vk__writes_part(&k, "y", memory);
  webnn_vk__text(&k, "uint element(uint i) { return 0u; }\n");
  return webnn_vk__map(&k, words);
}

/* The places of a part of y: `count` of them, from `first` on. */
typedef struct webnn_vk__place_range {
  uint32_t first, count;
} webnn_vk__place_range;

/* An invocation for each update, which leaves its number, counted from 1, at its place in `last`,
   if that is one of these. */
static bool webnn_vk__plan_last_updates(webnn_vk__planner *planner, uint32_t index,
                                        const webnn_vk__operand *last,
                                        webnn_vk__place_range places) {
  const webnn__node *node = &planner->program->nodes[index];
  webnn_vk__kernel k;
  uint32_t slice;
  webnn_vk__begin(planner, index, &k);
  slice = webnn_vk__put_place(&k, node);
  webnn_vk__writes_part(&k, "last", *last);
  WEBNN_VK__PUT_PUSHES(&k, "first places", places.first, places.count);
  webnn_vk__text(&k, "void run(uint k) {\n"
                     "  uint at = place(k) - first;\n"
                     "  if (at < places) { atomicMax(last_words[at], k + 1u); }\n"
                     "}\n");
  return webnn_vk__each(&k, webnn_vk__count(planner, node->inputs[2]) / slice);
}

/* Writes the slices of y at these places. */
static bool webnn_vk__plan_placed(webnn_vk__planner *planner, uint32_t index,
                                  const webnn_vk__operand *last, webnn_vk__place_range places,
                                  uint32_t slice) {
  const webnn__node *node = &planner->program->nodes[index];
  const webnn_data_type type = webnn_vk__type_of(planner, node->outputs[0]);
  const uint64_t bits = webnn_data_type_bits(type) * (uint64_t)slice;
  webnn_vk__operand y = webnn_vk__value_part(planner, node->outputs[0]);
  webnn_vk__kernel k;
  y.offset = places.first * bits / 8;
  y.byte_length = (places.count * bits + 7) / 8;
  webnn_vk__begin(planner, index, &k);
  k.moved_bits = webnn_vk__row_unit(type, slice);
  slice /= k.moved_bits / webnn_data_type_bits(type);
  webnn_vk__reads_raw(&k, "x", node->inputs[0]);
  webnn_vk__reads_raw(&k, "updates", node->inputs[2]);
  webnn_vk__reads_part(&k, "last", *last);
  webnn_vk__writes_raw_part(&k, "y", y);
  webnn_vk__push_divisor(&k, "slice", slice, (uint64_t)places.count * slice);
  webnn_vk__push(&k, "first", places.first * slice);
  webnn_vk__format(&k,
                   "%s element(uint i) {\n"
                   "  uint at = by_slice(i);\n"
                   "  uint k = load_last(at);\n"
                   "  if (k == 0u) { return load_x(first + i); }\n"
                   "  return load_updates((k - 1u) * slice + i - at * slice);\n"
                   "}\n",
                   webnn_vk__raw_name(&k));
  return webnn_vk__map(&k, (uint64_t)places.count * slice);
}

/* Place after place of y, as many at once as have room for their numbers in what can be bound.
   Parts of y begin where an operand may. */
static bool webnn_vk__plan_scatter(webnn_vk__planner *planner, uint32_t index) {
  const webnn__node *node = &planner->program->nodes[index];
  const webnn__shape *shape = webnn_vk__shape_in(planner, node, 0);
  const uint32_t rank = webnn_vk__place_rank(node, shape, webnn_vk__shape_in(planner, node, 1));
  const uint32_t slice = webnn_vk__product(shape, rank, shape->rank);
  const uint32_t count = webnn_vk__product(shape, 0, rank);
  const uint64_t boundary = planner->traits->alignment * 2; /* elements of 4 bits */
  const uint64_t room = planner->traits->max_range / 4 / boundary * boundary;
  const uint64_t each = count <= room ? count : room > boundary ? room : boundary;
  uint64_t first;
  webnn_vk__operand last = webnn_vk__scratch_part(planner, index, each);
  last.type = WEBNN_UINT32;
  for (first = 0; first < count; first += each) {
    webnn_vk__place_range places;
    places.first = (uint32_t)first;
    places.count = (uint32_t)(count - first < each ? count - first : each);
    last.byte_length = (uint64_t)places.count * 4;
    if (!webnn_vk__plan_zeros(planner, index, last, places.count) ||
        !webnn_vk__plan_last_updates(planner, index, &last, places) ||
        !webnn_vk__plan_placed(planner, index, &last, places, slice)) {
      return false;
    }
  }
  return true;
}

#define webnn_vk__plan_scatter_elements webnn_vk__plan_scatter
#define webnn_vk__plan_scatter_nd webnn_vk__plan_scatter

/* ---- Kernels: reductions, normalizations -------------------------------------------------------

   A tensor is seen as groups, one for each coordinate of the dimensions that are kept. What is
   found out about a group is its state: a sum or a product in two floats, the largest element, mean
   and squares of deviations. A reduction's text has, S being the type of its states,

       S part(uint begin, uint end, float by)  the state of elements begin ... end - 1 of the group
                                               at `start`, each multiplied by `by`
       S join(S a, S b)                        that of two neighbouring parts together

   part() is run by one invocation where groups are small, else by a workgroup, whose lanes take
   every LANES-th element and fold in shared memory what they have. Columns are groups that are
   neighbours in memory, with elements that are not: on GPUs an invocation takes one, so that
   neighbours read together what is together. Large groups, if there are too few of them to make all
   of the device work, are cut into parts: a first kernel leaves the state of each in scratch
   memory, and a second one joins them. All of that is in an order that depends only on shapes and
   the device. Sums that leave the range of floats are computed again, of scaled elements. */

#define WEBNN_VK__SERIAL_SIZE 48 /* elements of a group that one invocation takes */
#define WEBNN_VK__PART_SIZE 4096 /* elements of a part at least */
#define WEBNN_VK__MOST_PARTS 64  /* of a group */
#define WEBNN_VK__COLUMNS 32     /* neighbours whose elements fill a line of a cache, or more */

typedef struct webnn_vk__groups_of {
  webnn__fibers fibers;
  uint64_t count; /* of groups */
  bool parallel;
  uint32_t parts, part_size; /* into which each group is cut */
} webnn_vk__groups_of;

static bool webnn_vk__are_columns(const webnn__fibers *fibers) {
  uint32_t last = fibers->kept.rank;
  while (last > 0 && fibers->kept.dimensions[last - 1] == 1) {
    last--;
  }
  return last > 0 && fibers->kept_strides[last - 1] == 1 &&
         fibers->kept.dimensions[last - 1] >= WEBNN_VK__COLUMNS;
}

static webnn_vk__groups_of webnn_vk__group(const webnn_vk__traits *traits,
                                           const webnn__shape *shape, const uint32_t *axes,
                                           uint32_t axis_count) {
  /* Workers (workgroups, or invocations if they take a part each) that make all of the device work;
     how many parts there may be, and elements of a part at least. */
  uint64_t workers = traits->is_cpu ? 16 : 512, most = WEBNN_VK__MOST_PARTS, least, parts;
  webnn_vk__groups_of g;
  g.fibers = webnn__fibers_of(shape, axes, axis_count);
  g.count = webnn__element_count(&g.fibers.kept);
  g.parallel = g.fibers.size > WEBNN_VK__SERIAL_SIZE;
  least = WEBNN_VK__PART_SIZE;
  if (!traits->is_cpu && webnn_vk__are_columns(&g.fibers)) {
    g.parallel = false;
    workers *= 512;
    most *= 4;
    least = WEBNN_VK__SERIAL_SIZE;
  }
  parts = workers / g.count;
  parts = parts < most ? parts : most;
  if (parts > g.fibers.size / least) {
    parts = g.fibers.size / least;
  }
  parts = parts > 0 ? parts : 1;
  g.part_size = (uint32_t)((g.fibers.size + parts - 1) / parts);
  g.parts = (uint32_t)((g.fibers.size + g.part_size - 1) / g.part_size);
  return g;
}

/* at_kept(worker), at_inner(j), start, size; LANE of LANES; ID, its number in the workgroup. */
static void webnn_vk__declare_groups(webnn_vk__kernel *k, const webnn_vk__groups_of *g) {
  const webnn_vk__walk kept = webnn_vk__walk_of(&g->fibers.kept, g->fibers.kept_strides, 0);
  const webnn_vk__walk inner = webnn_vk__walk_of(&g->fibers.inner, g->fibers.inner_strides, 0);
  if (g->fibers.size > UINT32_MAX - 65536) {
    (void)webnn_vk__kernel_fails(k, "too many elements");
  }
  webnn_vk__push(k, "size", (uint32_t)g->fibers.size);
  webnn_vk__add_index(k, "kept", &kept);
  webnn_vk__add_index(k, "inner", &inner);
  webnn_vk__put(k, WEBNN_VK__BINDINGS, "#define LANE %s\n#define LANES %uu\n#define ID LANE\n",
                g->parallel ? "gl_LocalInvocationID.x" : "0u", g->parallel ? k->local : 1);
  webnn_vk__text(k, "uint start;\n");
  k->cost = g->fibers.size / g->parts / (g->parallel ? k->local : 1) + 1;
}

static bool webnn_vk__run_workers(webnn_vk__kernel *k, const webnn_vk__groups_of *g,
                                  uint64_t count) {
  return g->parallel ? webnn_vk__groups(k, count) : webnn_vk__each(k, count);
}

/* S combineOF(S a): the a of all lanes of a group, put together by foldOF(a, b), in each lane. */
static void webnn_vk__put_combine(webnn_vk__kernel *k, bool parallel, const char *type,
                                  const char *of) {
  if (!parallel) {
    webnn_vk__format(k, "%s combine%s(%s a) { return a; }\n", type, of, type);
    return;
  }
  webnn_vk__format(k,
                   "shared %s lanes%s[%uu];\n"
                   "%s combine%s(%s a) {\n"
                   "  lanes%s[ID] = a;\n"
                   "  barrier();\n"
                   "  for (uint n = LANES / 2u; n > 0u; n >>= 1) {\n"
                   "    if (LANE < n) { lanes%s[ID] = fold%s(lanes%s[ID], lanes%s[ID + n]); }\n"
                   "    barrier();\n"
                   "  }\n"
                   "  a = lanes%s[ID - LANE];\n"
                   "  barrier();\n"
                   "  return a;\n"
                   "}\n",
                   type, of, k->local, type, of, type, of, of, of, of, of, of);
}

typedef struct webnn_vk__reduction {
  uint32_t index;
  const webnn__node *node;
  webnn_vk__groups_of g;
  const char *state;  /* the type of states */
  const char *result; /* the type of what it becomes */
  /* Writes part and join, from load_x and the groups. */
  void (*put)(webnn_vk__kernel *k, const struct webnn_vk__reduction *r);
} webnn_vk__reduction;

/* Words of a state: the number at the end of its type, or one. */
static uint32_t webnn_vk__state_words(const char *state) {
  const char last = state[strlen(state) - 1];
  return last >= '2' && last <= '4' ? (uint32_t)(last - '0') : 1;
}

/* void keep(uint i, S a) and S kept(uint i): states in the words of `states`. */
static void webnn_vk__put_keep(webnn_vk__kernel *k, const char *state, bool writes) {
  const uint32_t words = webnn_vk__state_words(state);
  const bool is_float = state[0] == 'f' || state[0] == 'v';
  uint32_t i;
  webnn_vk__format(k, writes ? "void keep(uint i, %s a) {\n" : "%s kept(uint i) {\n  return ",
                   state);
  webnn_vk__text(k, writes ? "" : state);
  for (i = 0; i < words; i++) {
    const char component[3] = {'.', "xyzw"[i], 0};
    if (writes) {
      webnn_vk__format(k, "  states_words[%uu * i + %uu] = %s(a%s);\n", words, i,
                       is_float ? "floatBitsToUint" : "uint", words > 1 ? component : "");
    } else {
      webnn_vk__format(k, "%s%s(states_words[%uu * i + %uu])", i > 0 ? ", " : "(",
                       is_float ? "uintBitsToFloat" : "", words, i);
    }
  }
  webnn_vk__text(k, writes ? "}\n" : ");\n}\n");
}

/* The type of what is reduced: the operand, or what a chain of operators makes. */
static webnn_data_type webnn_vk__reduced_type(const webnn_vk__planner *planner,
                                              const webnn__node *node) {
  const webnn__chain_ops *ops = webnn__chain_in(node);
  return ops != NULL ? ops->ops[ops->outputs[0] - WEBNN__CHAIN_INPUTS].to
                     : webnn_vk__type_of(planner, node->inputs[0]);
}

/* load_x: the operand, or what a chain of operators makes of operands. */
static void webnn_vk__begin_states(webnn_vk__planner *planner, const webnn_vk__reduction *r,
                                   webnn_vk__kernel *k) {
  const webnn__chain_ops *ops = webnn__chain_in(r->node);
  webnn_vk__begin(planner, r->index, k);
  webnn_vk__declare_groups(k, &r->g);
  if (ops == NULL) {
    webnn_vk__reads(k, "x", r->node->inputs[0]);
  } else {
    const webnn_data_type type = webnn_vk__reduced_type(planner, r->node);
    webnn_vk__declare_chain(k, r->node, ops, NULL);
    webnn_vk__format(k, "%s load_x(uint i) {\n", webnn_vk__type_name(type));
    webnn_vk__format(k, "  return %s;\n}\n", webnn_vk__write_chain(k, r->node, ops, false));
  }
  r->put(k, r);
}

/* Begins the kernel of which a worker has all of a group. Its text gets S state_of(uint worker),
   which sets `start`, too. If groups are cut, the kernel that makes the states of parts is planned
   before: a workgroup of it is a part, the parts of a group following each other; or an invocation,
   with the parts of neighbouring columns behind each other. */
static bool webnn_vk__begin_reduction(webnn_vk__planner *planner, const webnn_vk__reduction *r,
                                      webnn_vk__kernel *k) {
  const uint64_t workers = r->g.count * r->g.parts;
  webnn_vk__operand states;
  if (r->g.parts > 1) {
    states = webnn_vk__scratch_part(planner, r->index, workers * webnn_vk__state_words(r->state));
    states.type = WEBNN_UINT32;
    webnn_vk__begin_states(planner, r, k);
    webnn_vk__writes_part(k, "states", states);
    webnn_vk__push(k, r->g.parallel ? "parts" : "columns",
                   r->g.parallel ? r->g.parts : (uint32_t)r->g.count);
    webnn_vk__push(k, "part_size", r->g.part_size);
    webnn_vk__put_keep(k, r->state, true);
    webnn_vk__format(k,
                     "void run(uint worker) {\n"
                     "  uint begin = worker %s * part_size;\n"
                     "  start = at_kept(worker %s);\n"
                     "  %s a = part(begin, min(begin + part_size, size), 1.0);\n"
                     "  if (LANE == 0u) { keep(worker, a); }\n"
                     "}\n",
                     r->g.parallel ? "% parts" : "/ columns",
                     r->g.parallel ? "/ parts" : "% columns", r->state);
    if (!webnn_vk__run_workers(k, &r->g, workers)) {
      return false;
    }
  }
  webnn_vk__begin_states(planner, r, k);
  if (r->g.parts == 1) {
    webnn_vk__format(k,
                     "%s state_of(uint worker) {\n"
                     "  start = at_kept(worker);\n"
                     "  return part(0u, size, 1.0);\n"
                     "}\n",
                     r->state);
    return true;
  }
  webnn_vk__reads_part(k, "states", states);
  webnn_vk__push(k, "parts", r->g.parts);
  webnn_vk__put_keep(k, r->state, false);
  if (!r->g.parallel) {
    webnn_vk__push(k, "columns", (uint32_t)r->g.count);
  }
  webnn_vk__format(
      k,
      "%s state_of(uint worker) {\n"
      "  uint first = worker%s, apart = %s;\n"
      "  start = at_kept(worker);\n"
      "  %s a = kept(first);\n"
      "  uint p = 1u;\n"
      "  for (; p + 3u < parts; p += 4u) {\n"
      "    %s b = kept(first + p * apart), c = kept(first + (p + 1u) * apart);\n"
      "    %s d = kept(first + (p + 2u) * apart), e = kept(first + (p + 3u) * apart);\n"
      "    a = join(join(join(join(a, b), c), d), e);\n"
      "  }\n"
      "  for (; p < parts; p++) { a = join(a, kept(first + p * apart)); }\n"
      "  return a;\n"
      "}\n",
      r->state, r->g.parallel ? " * parts" : "", r->g.parallel ? "1u" : "columns", r->state,
      r->state, r->state);
  k->cost = r->g.parts;
  return true;
}

/* Makes a value of a narrow type zeros, before a kernel stores its elements one by one. */
static bool webnn_vk__clear_narrow(webnn_vk__planner *planner, uint32_t index, uint32_t value) {
  const webnn__value *y = webnn_vk__value_at(planner, value);
  return webnn_data_type_bits(y->data_type) >= 32 ||
         webnn_vk__plan_zeros(planner, index, webnn_vk__value_part(planner, value),
                              (webnn__value_bytes(y) + 3) / 4);
}

/* ---- 8.9.39 the reductions ---- */

/* Sums in two floats, the second what rounding has taken from the first. */
static void webnn_vk__put_sums(webnn_vk__kernel *k, bool parallel) {
  webnn_vk__uses(k, WEBNN_VK__LIB_SUM);
  webnn_vk__text(k, "vec2 fold(vec2 a, vec2 b) {\n"
                    "  float s = a.x, c = a.y;\n"
                    "  add_to(s, c, b.x);\n"
                    "  return vec2(s, c + b.y);\n"
                    "}\n");
  webnn_vk__put_combine(k, parallel, "vec2", "");
}

/* Of each reduction that is a sum of floats: a term, and what the sum s becomes. */
static const struct webnn_vk__float_sum {
  webnn_op op;
  uint64_t needs;
  const char *term, *result;
} webnn_vk__float_sums[] = {
    {WEBNN_OP_REDUCE_L1, WEBNN_VK__PART(BITS), "abs_of(x)", "s * by"},
    {WEBNN_OP_REDUCE_L2, WEBNN_VK__PART(SQRT), "x * x", "sqrt_of(s) * by"},
    {WEBNN_OP_REDUCE_LOG_SUM, WEBNN_VK__PART(LOG), "x", "log_of(s) + log_of(by)"},
    {WEBNN_OP_REDUCE_MEAN, 0, "x", "s / float(size) * by"},
    {WEBNN_OP_REDUCE_SUM, 0, "x", "s * by"},
    {WEBNN_OP_REDUCE_SUM_SQUARE, 0, "x * x", "s * by * by"}};

static const char *const webnn_vk__begin_sum_text = "vec2 part(uint begin, uint end, float by) {\n"
                                                    "  float s = 0.0, c = 0.0;\n"
                                                    "  uint j = begin + LANE;\n";
/* Of four elements all are read before one is added. */
static const char *const webnn_vk__sum_by_fours_text =
    "  for (; j + 3u * LANES < end; j += 4u * LANES) {\n"
    "    float first = load_x(start + at_inner(j));\n"
    "    float second = load_x(start + at_inner(j + LANES));\n"
    "    float third = load_x(start + at_inner(j + 2u * LANES));\n"
    "    float fourth = load_x(start + at_inner(j + 3u * LANES));\n"
    "    add_to(s, c, term(first * by));\n"
    "    add_to(s, c, term(second * by));\n"
    "    add_to(s, c, term(third * by));\n"
    "    add_to(s, c, term(fourth * by));\n"
    "  }\n";
static const char *const webnn_vk__float_sum_text =
    "  for (; j < end; j += LANES) {\n"
    "    add_to(s, c, term(load_x(start + at_inner(j)) * by));\n"
    "  }\n"
    "  return combine(vec2(s, c));\n"
    "}\n"
    "float total(float by) {\n"
    "  vec2 a = part(0u, size, by);\n"
    "  return total_of(a.x, a.y);\n"
    "}\n"
    "float finished(vec2 a) {\n"
    "  const float up = 1.2089258196146292e24, down = 8.271806125530277e-25;\n"
    "  float s = total_of(a.x, a.y);\n"
    "  if (!is_finite(s)) { return result(total(down), up); }\n";

/* Sums of elements that are scaled by 2^-80 if the sum is infinite or NaN, or by 2^80 if it is so
   small that squares may have vanished. */
static void webnn_vk__put_float_sum(webnn_vk__kernel *k, const webnn_vk__reduction *r) {
  const struct webnn_vk__float_sum *sum = webnn_vk__float_sums;
  while (sum->op != r->node->op) {
    sum++;
  }
  webnn_vk__use_parts(k, sum->needs);
  webnn_vk__put_sums(k, r->g.parallel);
  webnn_vk__format(k,
                   "#define join fold\n"
                   "float term(float x) { return %s; }\n"
                   "float result(float s, float by) { return %s; }\n",
                   sum->term, sum->result);
  webnn_vk__text(k, webnn_vk__begin_sum_text);
  if (!k->planner->traits->is_cpu && webnn__chain_in(r->node) == NULL) { /* little code */
    webnn_vk__text(k, webnn_vk__sum_by_fours_text);
  }
  webnn_vk__text(k, webnn_vk__float_sum_text);
  if (strcmp(sum->term, "x * x") == 0) {
    webnn_vk__text(k, "  if (s < 1.0e-20) { return result(total(up), down); }\n");
  }
  webnn_vk__text(k, "  return result(s, 1.0);\n}\n");
}

/* The largest element m of a part, and the sum of e^(x - m). */
static void webnn_vk__put_exp_sums(webnn_vk__kernel *k, const webnn_vk__reduction *r) {
  webnn_vk__uses(k, WEBNN_VK__LIB_EXP);
  webnn_vk__put_sums(k, r->g.parallel);
  webnn_vk__text(k, "float fold_largest(float a, float b) { return max_nan(a, b); }\n");
  webnn_vk__put_combine(k, r->g.parallel, "float", "_largest");
  webnn_vk__text(k, "vec2 part(uint begin, uint end, float by) {\n"
                    "  float m = load_x(start + at_inner(begin)), s = 0.0, c = 0.0;\n"
                    "  for (uint j = begin + LANE; j < end; j += LANES) {\n"
                    "    m = max_nan(m, load_x(start + at_inner(j)));\n"
                    "  }\n"
                    "  m = combine_largest(m);\n"
                    "  for (uint j = begin + LANE; j < end; j += LANES) {\n"
                    "    add_to(s, c, exp_of(load_x(start + at_inner(j)) - m));\n"
                    "  }\n"
                    "  vec2 a = combine(vec2(s, c));\n"
                    "  return vec2(m, total_of(a.x, a.y));\n"
                    "}\n"
                    "float scaled(vec2 a, float m) {\n"
                    "  if (a.x == m) { return a.y; }\n"
                    "  return is_infinite(a.x) ? 0.0 : a.y * exp_of(a.x - m);\n"
                    "}\n"
                    "vec2 join(vec2 a, vec2 b) {\n"
                    "  float m = max_nan(a.x, b.x);\n"
                    "  return vec2(m, scaled(a, m) + scaled(b, m));\n"
                    "}\n");
}

/* A product as (p + rest) 2^e with 1 <= |p| < 2, so that no part of it leaves the range of floats;
   zeros, infinities and NaN have e = 0. */
static void webnn_vk__put_float_product(webnn_vk__kernel *k, const webnn_vk__reduction *r) {
  webnn_vk__uses(k, WEBNN_VK__LIB_SUM);
  webnn_vk__uses(k, WEBNN_VK__LIB_EXP);
  webnn_vk__text(
      k, "vec3 factor_of(float x) {\n"
         "  float tiny = abs_of(x) < 1.17549435e-38 ? 1.0 : 0.0;\n"
         "  uint bits = floatBitsToUint(tiny != 0.0 ? x * 16777216.0 : x);\n"
         "  uint e = bits & 0x7f800000u;\n"
         "  if (e == 0u || e == 0x7f800000u) { return vec3(x, 0.0, 0.0); }\n"
         "  return vec3(uintBitsToFloat(bits ^ e | 0x3f800000u), 0.0,\n"
         "              float(int(e >> 23) - 127) - tiny * 24.0);\n"
         "}\n"
         "vec3 fold(vec3 a, vec3 b) {\n"
         "  float low, p = two_product(a.x, b.x, low), rest = a.x * b.y + a.y * b.x + low;\n"
         "  if (!(abs_of(p) >= 2.0 && is_finite(p))) { return vec3(p, rest, a.z + b.z); }\n"
         "  return vec3(p * 0.5, rest * 0.5, a.z + b.z + 1.0);\n"
         "}\n"
         "#define join fold\n"
         "float finished(vec3 a) {\n"
         "  return scale_of(total_of(a.x, a.y), int(max(min(a.z, 250.0), -250.0)));\n"
         "}\n");
  webnn_vk__put_combine(k, r->g.parallel, "vec3", "");
  webnn_vk__text(k, "vec3 part(uint begin, uint end, float by) {\n"
                    "  vec3 p = vec3(1.0, 0.0, 0.0);\n"
                    "  for (uint j = begin + LANE; j < end; j += LANES) {\n"
                    "    p = fold(p, factor_of(load_x(start + at_inner(j))));\n"
                    "  }\n"
                    "  return combine(p);\n"
                    "}\n");
}

/* T fold(T a, T b) by the formula of an operator. */
static void webnn_vk__put_fold(webnn_vk__kernel *k, webnn_op op, webnn_data_type type) {
  const char *name = webnn_vk__type_name(type);
  webnn_vk__formula_call call = WEBNN_ZERO;
  call.op = op;
  call.from[0] = call.from[1] = call.to = type;
  call.x[0] = "a";
  call.x[1] = "b";
  webnn_vk__format(k, "%s fold(%s a, %s b) {\n", name, name, name);
  webnn_vk__write_call(k, &call, "c", true);
  webnn_vk__text(k, "  return c;\n}\n");
}

/* What goes from element to element: integers, and the largest and smallest. */
static void webnn_vk__put_elements(webnn_vk__kernel *k, const webnn_vk__reduction *r,
                                   webnn_data_type type) {
  const webnn_op op = r->node->op;
  const char *name = webnn_vk__type_name(type), *first, *term = "x";
  const bool is_long = webnn_data_type_bits(type) == 64;
  if (op == WEBNN_OP_REDUCE_MAX || op == WEBNN_OP_REDUCE_MIN) {
    webnn_vk__put_fold(k, op == WEBNN_OP_REDUCE_MAX ? WEBNN_OP_MAX : WEBNN_OP_MIN, type);
    first = "load_x(start + at_inner(begin))";
  } else if (op == WEBNN_OP_REDUCE_PRODUCT) {
    webnn_vk__put_fold(k, WEBNN_OP_MUL, type);
    first = is_long ? "uvec2(1u, 0u)" : "1";
  } else {
    webnn_vk__put_fold(k, WEBNN_OP_ADD, type);
    first = is_long ? "uvec2(0u, 0u)" : "0";
  }
  if (op == WEBNN_OP_REDUCE_SUM_SQUARE) {
    term = is_long ? "i64_mul(x, x)" : "x * x";
  } else if (op == WEBNN_OP_REDUCE_L1 && type == WEBNN_INT64) {
    term = "i64_abs(x)";
  } else if (op == WEBNN_OP_REDUCE_L1 && type == WEBNN_INT32) {
    term = "x < 0 ? -x : x";
  }
  webnn_vk__put_combine(k, r->g.parallel, name, "");
  webnn_vk__format(k,
                   "%s part(uint begin, uint end, float by) {\n"
                   "  %s a = %s(%s);\n"
                   "  for (uint j = begin + LANE; j < end; j += LANES) {\n"
                   "    %s x = load_x(start + at_inner(j));\n"
                   "    a = fold(a, %s);\n"
                   "  }\n"
                   "  return combine(a);\n"
                   "}\n"
                   "#define join fold\n"
                   "%s finished(%s a) { return a; }\n",
                   name, name, name, first, name, term, name, name);
}

/* Can only a sum or product of two floats hold what is reduced? */
static bool webnn_vk__is_float_sum(const webnn__node *node, webnn_data_type type) {
  return webnn__is_float(type) && node->op != WEBNN_OP_REDUCE_MAX &&
         node->op != WEBNN_OP_REDUCE_MIN;
}

/* 8.9.5: the state is the index of the smallest (largest) x or of the first NaN, the first of
   several. better(): is element i, which is x, to be taken rather than element j, which is y? */
static void webnn_vk__put_arg_min_max(webnn_vk__kernel *k, const webnn_vk__reduction *r,
                                      webnn_data_type type) {
  static const char *const comparisons[] = {
      "  if (is_nan(x) || is_nan(y)) { return is_nan(x) && (!is_nan(y) || i < j); }\n"
      "  int a = zero_key(x), b = zero_key(y);\n"
      "  bool same = a == b, smaller = a < b;\n",
      "  bool same = x == y, smaller = x < y;\n", "  bool same = x == y, smaller = x < y;\n",
      "  bool same = i64_equal(x, y), smaller = i64_less(x, y);\n",
      "  bool same = i64_equal(x, y), smaller = u64_less(x, y);\n"};
  const char *name = webnn_vk__type_name(type);
  webnn_vk__uses(k, WEBNN_VK__LIB_BITS);
  webnn_vk__uses(k, WEBNN_VK__LIB_LONG);
  webnn_vk__format(
      k,
      "bool better(%s x, uint i, %s y, uint j) {\n"
      "%s"
      "  return same ? i < j : smaller == %s;\n"
      "}\n"
      "uint fold(uint i, uint j) {\n"
      "  return better(load_x(start + at_inner(j)), j, load_x(start + at_inner(i)), i) ? j : i;\n"
      "}\n"
      "#define join fold\n",
      name, name, comparisons[webnn_vk__class_of(type)],
      r->node->op == WEBNN_OP_ARG_MIN ? "true" : "false");
  webnn_vk__put_combine(k, r->g.parallel, "uint", "");
  webnn_vk__format(k,
                   "uint part(uint begin, uint end, float by) {\n"
                   "  uint at = begin;\n"
                   "  for (uint j = begin + LANE; j < end; j += LANES) { at = fold(at, j); }\n"
                   "  return combine(at);\n"
                   "}\n"
                   "%s finished(uint at) { return %s; }\n",
                   r->result, strcmp(r->result, "int") == 0 ? "int(at)" : "uvec2(at, 0u)");
}

static bool webnn_vk__finds_index(const webnn__node *node) {
  return node->op == WEBNN_OP_ARG_MIN || node->op == WEBNN_OP_ARG_MAX;
}

/* part, join, and finished(state), the element of y. */
static void webnn_vk__put_reduction(webnn_vk__kernel *k, const webnn_vk__reduction *r) {
  const webnn_data_type type = webnn_vk__reduced_type(k->planner, r->node);
  if (webnn_vk__finds_index(r->node)) {
    webnn_vk__put_arg_min_max(k, r, type);
  } else if (!webnn_vk__is_float_sum(r->node, type)) {
    webnn_vk__put_elements(k, r, type);
  } else if (r->node->op == WEBNN_OP_REDUCE_PRODUCT) {
    webnn_vk__put_float_product(k, r);
  } else if (r->node->op == WEBNN_OP_REDUCE_LOG_SUM_EXP) {
    webnn_vk__uses(k, WEBNN_VK__LIB_LOG);
    webnn_vk__put_exp_sums(k, r);
    webnn_vk__text(k,
                   "float finished(vec2 a) { return is_finite(a.x) ? a.x + log_of(a.y) : a.x; }\n");
  } else {
    webnn_vk__put_float_sum(k, r);
  }
}

/* A worker makes an element of y. */
static bool webnn_vk__plan_reduce(webnn_vk__planner *planner, uint32_t index) {
  const webnn__node *node = &planner->program->nodes[index];
  const webnn__attributes *t = &node->attributes;
  const webnn__chain_ops *ops = webnn__chain_in(node);
  const webnn_data_type type = webnn_vk__reduced_type(planner, node);
  const bool finds_index = webnn_vk__finds_index(node);
  webnn_vk__reduction r;
  webnn_vk__kernel k;
  r.index = index;
  r.node = node;
  r.g = webnn_vk__group(
      planner->traits, ops != NULL ? &ops->shape : webnn_vk__shape_in(planner, node, 0),
      finds_index ? &t->axis : t->axes.dimensions, finds_index ? 1 : t->axes.rank);
  if (r.g.parts > 1 && node->input_count + 2 > planner->traits->max_operands) {
    r.g.parts = 1; /* no binding is left for states */
    r.g.parallel = true;
  }
  r.state = finds_index                           ? "uint"
            : !webnn_vk__is_float_sum(node, type) ? webnn_vk__type_name(type)
            : node->op == WEBNN_OP_REDUCE_PRODUCT ? "vec3"
                                                  : "vec2";
  r.result = webnn_vk__type_name(webnn_vk__type_of(planner, node->outputs[0]));
  r.put = webnn_vk__put_reduction;
  if (!webnn_vk__clear_narrow(planner, index, node->outputs[0]) ||
      !webnn_vk__begin_reduction(planner, &r, &k)) {
    return false;
  }
  webnn_vk__writes(&k, "y", node->outputs[0]);
  webnn_vk__format(&k,
                   "void run(uint worker) {\n"
                   "  %s a = finished(state_of(worker));\n"
                   "  if (LANE == 0u) { store_y(worker, a); }\n"
                   "}\n",
                   r.result);
  return webnn_vk__run_workers(&k, &r.g, r.g.count);
}

#define webnn_vk__plan_arg_min_max webnn_vk__plan_reduce

/* ---- 8.9.12 cumulativeSum ---- */

/* Each lane adds up EACH neighbouring elements of a block; from what the lanes before it have, and
   the blocks before, it makes its running sums. S before_lane(S own, out S block): what the lanes
   before this one have together, and all lanes. */
static const char *const webnn_vk__scan_text =
    "shared S lanes[LANES];\n"
    "S before_lane(S own, out S block) {\n"
    "  lanes[LANE] = own;\n"
    "  barrier();\n"
    "  for (uint n = 1u; n < LANES; n <<= 1) {\n"
    "    if (LANE >= n) { own = fold(lanes[LANE - n], own); }\n"
    "    barrier();\n"
    "    lanes[LANE] = own;\n"
    "    barrier();\n"
    "  }\n"
    "  block = lanes[LANES - 1u];\n"
    "  if (LANE > 0u) { own = lanes[LANE - 1u]; } else { own = none; }\n"
    "  barrier();\n"
    "  return own;\n"
    "}\n";

static const char *const webnn_vk__scan_line_text =
    "void run(uint worker) {\n"
    "  S carry = none, block;\n"
    "  start = at_kept(worker);\n"
    "  for (uint from = 0u; from < size; from += LANES * EACH) {\n"
    "    uint begin = min(from + LANE * EACH, size), end = min(begin + EACH, size);\n"
    "    S before = before_lane(sums(none, begin, end, false), block);\n"
    "    sums(fold(carry, before), begin, end, true);\n"
    "    carry = fold(carry, block);\n"
    "  }\n"
    "}\n";

/* Lines of neighbours, in vectors of PER elements, of which a lane has QUADS of a block. */
static const char *const webnn_vk__scan_vectors_text =
    "void run(uint worker) {\n"
    "  S carry = none, block;\n"
    "  for (uint from = 0u; from < VECTORS; from += LANES * QUADS) {\n"
    "    uint first = from + LANE * QUADS;\n"
    "    S own = none;\n"
    "    ELEMENT x[QUADS * PER];\n"
    "    [[unroll]] for (uint q = 0u; q < QUADS; q++) {\n"
    "      if (first + q < VECTORS) {\n"
    "        x0_words = x0_vectors[worker * VECTORS + first + q];\n"
    "        [[unroll]] for (uint e = 0u; e < PER; e++) {\n"
    "          x[q * PER + e] = load_x0(e);\n"
    "          own = fold(own, of(x[q * PER + e]));\n"
    "        }\n"
    "      }\n"
    "    }\n"
    "    S s = before_lane(own, block), next;\n"
    "    s = fold(carry, s);\n"
    "    carry = fold(carry, block);\n"
    "    [[unroll]] for (uint q = 0u; q < QUADS; q++) {\n"
    "      if (first + q < VECTORS) {\n"
    "        [[unroll]] for (uint e = 0u; e < PER; e++) {\n"
    "          next = fold(s, of(x[q * PER + e]));\n"
    "          x[q * PER + e] = value_of(EXCLUSIVE ? s : next);\n"
    "          s = next;\n"
    "        }\n"
    "        [[unroll]] for (uint w = 0u; w < 4u; w++) { y_words[w] = WORD; }\n"
    "        y_vectors[worker * VECTORS + first + q] = y_words;\n"
    "      }\n"
    "    }\n"
    "  }\n"
    "}\n";

/* What running sums from s on become over elements begin ... end - 1 of a line. Of four elements
   all are read before one is written, on GPUs. */
static const char *const webnn_vk__running_sums_text =
    "S add(S s, uint at, ELEMENT x, bool writes) {\n"
    "  S next = fold(s, of(x));\n"
    "  if (EXCLUSIVE && writes) { store_y(at, value_of(s)); }\n"
    "  if (!EXCLUSIVE && writes) { store_y(at, value_of(next)); }\n"
    "  return next;\n"
    "}\n"
    "uint place(uint j) { return start + at_inner(REVERSED ? size - 1u - j : j); }\n"
    "S sums(S s, uint begin, uint end, bool writes) {\n"
    "  uint j = begin;\n";
static const char *const webnn_vk__running_by_fours_text =
    "  for (; j + 3u < end; j += 4u) {\n"
    "    uint a = place(j), b = place(j + 1u), c = place(j + 2u), d = place(j + 3u);\n"
    "    ELEMENT x = load_x(a), y = load_x(b), z = load_x(c), w = load_x(d);\n"
    "    s = add(s, a, x, writes);\n"
    "    s = add(s, b, y, writes);\n"
    "    s = add(s, c, z, writes);\n"
    "    s = add(s, d, w, writes);\n"
    "  }\n";
static const char *const webnn_vk__end_running_text =
    "  for (; j < end; j++) { s = add(s, place(j), load_x(place(j)), writes); }\n"
    "  return s;\n"
    "}\n";

/* Of floats the running sum is kept in two floats, and once more scaled by 2^-64, for sums that
   leave the range of floats and come back. */
static const char *const webnn_vk__float_sums_text =
    "vec4 fold(vec4 a, vec4 b) {\n"
    "  float s = a.x, c = a.y, t = a.z, d = a.w;\n"
    "  add_to(s, c, b.x);\n"
    "  add_to(t, d, b.z);\n"
    "  return vec4(s, c + b.y, t, d + b.w);\n"
    "}\n"
    "vec4 of(float x) { return vec4(x, 0.0, x * 5.421010862427522e-20, 0.0); }\n"
    "float value_of(vec4 a) {\n"
    "  float s = total_of(a.x, a.y);\n"
    "  return is_finite(s) ? s : total_of(a.z, a.w) * 1.8446744073709552e19;\n"
    "}\n";

typedef struct webnn_vk__running_plan {
  uint32_t index;
  const webnn__node *node;
  webnn_data_type type;
  webnn_vk__groups_of g;
  const char *state;
} webnn_vk__running_plan;

/* The names that the texts have for types and options, and how sums are made. */
static void webnn_vk__put_running_names(webnn_vk__kernel *k, const webnn_vk__running_plan *p) {
  const bool is_float = webnn__is_float(p->type), is_long = webnn_data_type_bits(p->type) == 64;
  webnn_vk__format(k,
                   "#define S %s\n#define ELEMENT %s\n#define none %s\n"
                   "const bool EXCLUSIVE = %s, REVERSED = %s;\nconst uint EACH = 4u;\n",
                   p->state, webnn_vk__type_name(p->type),
                   is_float  ? "vec4(0.0, 0.0, 0.0, 0.0)"
                   : is_long ? "uvec2(0u, 0u)"
                             : "S(0)",
                   p->node->attributes.exclusive ? "true" : "false",
                   p->node->attributes.reversed ? "true" : "false");
  if (is_float) {
    webnn_vk__uses(k, WEBNN_VK__LIB_SUM);
    webnn_vk__text(k, webnn_vk__float_sums_text);
  } else {
    webnn_vk__put_fold(k, WEBNN_OP_ADD, p->type);
    webnn_vk__text(k, "#define of S\n#define value_of S\n");
  }
}

static void webnn_vk__put_running_sums(webnn_vk__kernel *k) {
  webnn_vk__text(k, webnn_vk__running_sums_text);
  if (!k->planner->traits->is_cpu) {
    webnn_vk__text(k, webnn_vk__running_by_fours_text);
  }
  webnn_vk__text(k, webnn_vk__end_running_text);
}

/* Lines of floats that are neighbours in memory, in whole vectors, go in vectors. */
static bool webnn_vk__runs_in_vectors(const webnn_vk__planner *planner,
                                      const webnn_vk__running_plan *p) {
  const webnn__fibers *fibers = &p->g.fibers;
  const webnn_vk__walk kept = webnn_vk__walk_of(&fibers->kept, fibers->kept_strides, 0);
  const webnn_vk__walk inner = webnn_vk__walk_of(&fibers->inner, fibers->inner_strides, 0);
  return !planner->traits->is_cpu && webnn__is_float(p->type) && !p->node->attributes.reversed &&
         fibers->size > WEBNN_VK__SERIAL_SIZE &&
         fibers->size % (128 / webnn_data_type_bits(p->type)) == 0 && inner.rank == 1 &&
         inner.strides[0] == 1 &&
         (kept.rank == 0 || (kept.rank == 1 && kept.strides[0] == (int64_t)fibers->size));
}

static bool webnn_vk__plan_running_vectors(webnn_vk__planner *planner, webnn_vk__running_plan *p) {
  const uint32_t each = 128 / webnn_data_type_bits(p->type);
  webnn_vk__kernel k;
  webnn_vk__begin(planner, p->index, &k);
  k.extensions = "#extension GL_EXT_control_flow_attributes : require\n";
  k.each = each;
  webnn_vk__reads_vectors(&k, "x0", p->node->inputs[0]);
  webnn_vk__writes(&k, "y", p->node->outputs[0]);
  k.each = 0;
  webnn_vk__push(&k, "VECTORS", (uint32_t)(p->g.fibers.size / each));
  WEBNN_VK__PUT_CONSTANTS(&k, "PER QUADS LANES", each, 8 / each, k.local);
  webnn_vk__text(&k, "#define LANE gl_LocalInvocationID.x\n");
  webnn_vk__format(&k, "#define WORD %s\n",
                   p->type == WEBNN_FLOAT16
                       ? "to_halves(x[q * PER + 2u * w], x[q * PER + 2u * w + 1u])"
                       : "pack_y(x[q * PER + w])");
  webnn_vk__put_running_names(&k, p);
  webnn_vk__text(&k, webnn_vk__scan_text);
  webnn_vk__text(&k, webnn_vk__scan_vectors_text);
  k.cost = p->g.fibers.size / k.local * 40 + 1;
  return webnn_vk__groups(&k, p->g.count);
}

/* Lines of a workgroup each. */
static bool webnn_vk__plan_running_lines(webnn_vk__planner *planner,
                                         const webnn_vk__running_plan *p) {
  webnn_vk__kernel k;
  webnn_vk__begin(planner, p->index, &k);
  webnn_vk__reads(&k, "x", p->node->inputs[0]);
  webnn_vk__writes(&k, "y", p->node->outputs[0]);
  webnn_vk__declare_groups(&k, &p->g);
  webnn_vk__put_running_names(&k, p);
  webnn_vk__put_running_sums(&k);
  webnn_vk__text(&k, webnn_vk__scan_text);
  webnn_vk__text(&k, webnn_vk__scan_line_text);
  return webnn_vk__run_workers(&k, &p->g, p->g.count);
}

/* The sums of the parts of lines that invocations have, or, if `last`, the results, from what the
   parts before have together. */
static bool webnn_vk__plan_running_parts(webnn_vk__planner *planner,
                                         const webnn_vk__running_plan *p, webnn_vk__operand states,
                                         bool last) {
  webnn_vk__kernel k;
  webnn_vk__begin(planner, p->index, &k);
  webnn_vk__reads(&k, "x", p->node->inputs[0]);
  if (p->g.parts > 1 && last) {
    webnn_vk__reads_part(&k, "states", states);
    webnn_vk__put_keep(&k, p->state, false);
  }
  if (last) {
    webnn_vk__writes(&k, "y", p->node->outputs[0]);
  } else {
    webnn_vk__writes_part(&k, "states", states);
    webnn_vk__put_keep(&k, p->state, true);
    webnn_vk__format(&k, "void store_y(uint i, %s v) {}\n", webnn_vk__type_name(p->type));
  }
  webnn_vk__declare_groups(&k, &p->g);
  WEBNN_VK__PUT_PUSHES(&k, "columns part_size", (uint32_t)p->g.count, p->g.part_size);
  webnn_vk__put_running_names(&k, p);
  webnn_vk__put_running_sums(&k);
  webnn_vk__text(&k, "void run(uint worker) {\n"
                     "  uint line = worker % columns, part = worker / columns;\n"
                     "  uint begin = part * part_size, end = min(begin + part_size, size);\n"
                     "  S s = none;\n"
                     "  start = at_kept(line);\n");
  if (p->g.parts > 1 && last) {
    webnn_vk__text(&k, "  for (uint q = 0u; q < part; q++) {\n"
                       "    s = fold(s, kept(q * columns + line));\n"
                       "  }\n");
  }
  webnn_vk__text(&k, last ? "  sums(s, begin, end, true);\n}\n"
                          : "  keep(worker, sums(s, begin, end, false));\n}\n");
  return webnn_vk__each(&k, p->g.count * p->g.parts);
}

/* Into how many parts lines that are columns of a GPU are cut. */
static void webnn_vk__cut_running_lines(const webnn_vk__traits *traits, webnn_vk__running_plan *p) {
  const uint64_t workers = 131072, size = p->g.fibers.size, most = WEBNN_VK__MOST_PARTS;
  const uint64_t bytes = p->g.count * webnn_vk__state_words(p->state) * 4;
  uint64_t parts = workers / p->g.count;
  parts = parts < most ? parts : most;
  parts = parts < size / WEBNN_VK__SERIAL_SIZE ? parts : size / WEBNN_VK__SERIAL_SIZE;
  parts = parts < traits->max_range / bytes ? parts : traits->max_range / bytes;
  parts = parts > 0 ? parts : 1;
  p->g.part_size = (uint32_t)((size + parts - 1) / parts);
  p->g.parts = (uint32_t)((size + p->g.part_size - 1) / p->g.part_size);
}

/* A worker is a line along the axis: of a workgroup, or where lines are short or many, and on
   software drivers if they are not very long, of one invocation. Columns are cut. */
static bool webnn_vk__plan_cumulative_sum(webnn_vk__planner *planner, uint32_t index) {
  const webnn_vk__traits *traits = planner->traits;
  webnn_vk__operand states = WEBNN_ZERO;
  webnn_vk__running_plan p;
  bool columns;
  p.index = index;
  p.node = &planner->program->nodes[index];
  p.type = webnn_vk__type_of(planner, p.node->inputs[0]);
  p.g =
      webnn_vk__group(traits, webnn_vk__shape_in(planner, p.node, 0), &p.node->attributes.axis, 1);
  p.state = webnn__is_float(p.type) ? "vec4" : webnn_vk__type_name(p.type);
  if (webnn_vk__runs_in_vectors(planner, &p)) {
    return webnn_vk__plan_running_vectors(planner, &p);
  }
  if (!webnn_vk__clear_narrow(planner, index, p.node->outputs[0])) {
    return false;
  }
  columns = !traits->is_cpu && webnn_vk__are_columns(&p.g.fibers);
  p.g.parts = 1;
  p.g.part_size = (uint32_t)p.g.fibers.size;
  p.g.parallel = traits->is_cpu
                     ? p.g.fibers.size > 32768
                     : !columns && p.g.fibers.size > WEBNN_VK__SERIAL_SIZE && p.g.count < 8192;
  if (p.g.parallel) {
    return webnn_vk__plan_running_lines(planner, &p);
  }
  if (columns) {
    webnn_vk__cut_running_lines(traits, &p);
  }
  if (p.g.parts > 1) {
    states = webnn_vk__scratch_part(planner, index,
                                    p.g.count * p.g.parts * webnn_vk__state_words(p.state));
    states.type = WEBNN_UINT32;
  }
  return (p.g.parts == 1 || webnn_vk__plan_running_parts(planner, &p, states, false)) &&
         webnn_vk__plan_running_parts(planner, &p, states, true);
}

/* ---- Operands of normalizations ----

   One number for each channel, or for each element of a group. Where the device has not enough
   bindings they are brought together in scratch memory, as floats. */

#define WEBNN_VK__MOST_FACTORS 4

typedef struct webnn_vk__factors {
  uint32_t count, values[WEBNN_VK__MOST_FACTORS]; /* WEBNN__NONE: absent */
  const char *names[WEBNN_VK__MOST_FACTORS];
  bool together;
  webnn_vk__operand memory;
  uint64_t row; /* elements from one to the next there */
} webnn_vk__factors;

static void webnn_vk__add_factor(webnn_vk__factors *f, const webnn__node *node, uint32_t i,
                                 const char *name) {
  f->values[f->count] = webnn_vk__input_of(node, i);
  f->names[f->count++] = name;
}

/* Brings them together if the kernel, which has `others` beside them, needs that. */
static bool webnn_vk__plan_factors(webnn_vk__planner *planner, uint32_t index, webnn_vk__factors *f,
                                   uint32_t others) {
  const uint64_t boundary = planner->traits->alignment / 4;
  uint32_t i;
  for (i = 0; i < f->count; i++) {
    if (f->values[i] != WEBNN__NONE) {
      const uint64_t count = webnn_vk__count(planner, f->values[i]);
      const uint64_t row = (count + boundary - 1) / boundary * boundary;
      f->row = row > f->row ? row : f->row;
      others++;
    }
  }
  f->together = others > planner->traits->max_operands;
  if (f->together) {
    f->memory = webnn_vk__scratch_part(planner, index, f->count * f->row);
  }
  for (i = 0; i < f->count && f->together; i++) {
    if (f->values[i] != WEBNN__NONE) {
      const uint64_t count = webnn_vk__count(planner, f->values[i]);
      webnn_vk__operand y = f->memory;
      webnn_vk__kernel k;
      y.offset += i * f->row * 4;
      y.byte_length = count * 4;
      webnn_vk__begin(planner, index, &k);
      webnn_vk__reads(&k, "x", f->values[i]);
      webnn_vk__writes_part(&k, "y", y);
      webnn_vk__text(&k, "float element(uint i) { return load_x(i); }\n");
      if (!webnn_vk__map(&k, count)) {
        return false;
      }
    }
  }
  return true;
}

/* float load_NAME(uint i) for each. */
static void webnn_vk__reads_factors(webnn_vk__kernel *k, const webnn_vk__factors *f) {
  uint32_t i;
  if (f->together) {
    webnn_vk__reads_part(k, "factors", f->memory);
  }
  for (i = 0; i < f->count; i++) {
    if (f->values[i] != WEBNN__NONE && !f->together) {
      webnn_vk__reads(k, f->names[i], f->values[i]);
    } else if (f->values[i] != WEBNN__NONE) {
      webnn_vk__push(k, f->names[i], (uint32_t)(i * f->row));
      webnn_vk__format(k, "float load_%s(uint i) { return load_factors(%s + i); }\n", f->names[i],
                       f->names[i]);
    }
  }
}

/* ---- Softmax and normalizations: a kernel that finds some numbers of a group, and elements of y
   that are made of them ---- */

typedef struct webnn_vk__normalization {
  webnn_vk__reduction r;  /* first, as r.put gets it */
  uint32_t count;         /* of the numbers */
  const char *numbers[4]; /* their names */
  const char *find;       /* statements that make them of state_of(worker) */
  /* float value(uint i, float, ...): element i of y from x[i] and the numbers. */
  void (*put_value)(webnn_vk__kernel *k, const struct webnn_vk__normalization *n);
  /* run(group) where rows are held (below). */
  void (*put_held)(webnn_vk__kernel *k, const struct webnn_vk__normalization *n);
  webnn_vk__factors factors;
  webnn_vk__walk factor_walk;
} webnn_vk__normalization;

/* Do the results of a group fill words? */
static bool webnn_vk__fills_words(const webnn_vk__planner *planner, const webnn_vk__reduction *r) {
  const webnn_vk__walk inner = webnn_vk__walk_of(&r->g.fibers.inner, r->g.fibers.inner_strides, 0);
  return webnn_vk__type_of(planner, r->node->inputs[0]) == WEBNN_FLOAT32 ||
         (r->g.fibers.size % 2 == 0 && inner.rank == 1 && inner.strides[0] == 1);
}

/* Does the kernel that finds a group's numbers write its results, too? Those that do not fill words
   it puts into zeros, which is slower than another kernel: only where the numbers of all groups are
   more than can be bound. */
static bool webnn_vk__is_one_step(const webnn_vk__planner *planner,
                                  const webnn_vk__normalization *n) {
  return n->r.g.parts == 1 && (webnn_vk__fills_words(planner, &n->r) ||
                               n->count * (uint64_t)n->r.g.count * 4 > planner->traits->max_range);
}

/* NUMBERS, the last arguments of value(): by name, or from `found`, from `group` on. */
static void webnn_vk__put_numbers(webnn_vk__kernel *k, const webnn_vk__normalization *n,
                                  bool found) {
  uint32_t i;
  webnn_vk__text(k, "#define NUMBERS ");
  for (i = 0; i < n->count; i++) {
    if (found) {
      webnn_vk__format(k, ", load_found(group + %uu)", i);
    } else {
      webnn_vk__format(k, ", %s", n->numbers[i]);
    }
  }
  webnn_vk__text(k, "\n");
}

/* y[i] = value(i, numbers) for the elements i of the group, those of 16 bits in pairs. */
static const char *const webnn_vk__rows_text = "  for (uint j = LANE; j < size; j += LANES) {\n"
                                               "    uint at = start + at_inner(j);\n"
                                               "    store_y(at, value(at NUMBERS));\n"
                                               "  }\n";

static const char *const webnn_vk__half_rows_text =
    "  for (uint j = LANE * 2u; j < size; j += LANES * 2u) {\n"
    "    uint at = start + j, low = pack_y(value(at NUMBERS));\n"
    "    y_words[at >> 1] = low | pack_y(value(at + 1u NUMBERS)) << 16;\n"
    "  }\n";

/* Where in row-major order of the groups the group of an element stands: 0 along the axes. */
static webnn_vk__walk webnn_vk__group_walk(const webnn__shape *shape, const uint32_t *axes,
                                           uint32_t axis_count) {
  int64_t strides[WEBNN_MAX_RANK] = {0}, stride = 1;
  uint32_t set = 0, d;
  for (d = 0; d < axis_count; d++) {
    set |= 1u << axes[d];
  }
  for (d = shape->rank; d-- > 0;) {
    if ((set >> d & 1) == 0) {
      strides[d] = stride;
      stride *= (int64_t)shape->dimensions[d];
    }
  }
  return webnn_vk__walk_of(shape, strides, 0);
}

/* An element of y takes the numbers of its group from `found`. */
static bool webnn_vk__plan_values(webnn_vk__planner *planner, const webnn_vk__normalization *n,
                                  const webnn_vk__operand *found, const uint32_t *axes,
                                  uint32_t axis_count) {
  const webnn__node *node = n->r.node;
  const webnn_vk__walk walk =
      webnn_vk__group_walk(webnn_vk__shape_in(planner, node, 0), axes, axis_count);
  webnn_vk__kernel k;
  webnn_vk__begin(planner, n->r.index, &k);
  webnn_vk__reads(&k, "x", node->inputs[0]);
  webnn_vk__reads_part(&k, "found", *found);
  n->put_value(&k, n);
  webnn_vk__writes(&k, "y", node->outputs[0]);
  webnn_vk__add_index(&k, "group", &walk);
  webnn_vk__put_numbers(&k, n, true);
  webnn_vk__format(&k,
                   "float element(uint i) {\n"
                   "  uint group = at_group(i) * %uu;\n"
                   "  return value(i NUMBERS);\n"
                   "}\n",
                   n->count);
  k.cost = 20;
  return webnn_vk__map(&k, webnn_vk__count(planner, node->outputs[0]));
}

/* Rows that are held: groups of neighbours, so small that the lanes which share a row keep its
   elements in registers. It is read once, in vectors, and a workgroup has several of short rows. */
typedef struct webnn_vk__held_rows {
  uint32_t each, lanes, vectors; /* elements of a vector; lanes and vectors of a row */
} webnn_vk__held_rows;

#define WEBNN_VK__HELD 32 /* elements of a lane at most, and half as many where lanes are left */

static bool webnn_vk__holds_rows(const webnn_vk__planner *planner, const webnn_vk__normalization *n,
                                 webnn_vk__held_rows *h) {
  const webnn__fibers *fibers = &n->r.g.fibers;
  const webnn_vk__walk kept = webnn_vk__walk_of(&fibers->kept, fibers->kept_strides, 0);
  const webnn_vk__walk inner = webnn_vk__walk_of(&fibers->inner, fibers->inner_strides, 0);
  const uint32_t bits = webnn_data_type_bits(webnn_vk__type_of(planner, n->r.node->inputs[0]));
  const uint32_t local = webnn_vk__local_of(planner->traits);
  h->each = 128 / bits;
  h->lanes = 1;
  while (h->lanes < local && (uint64_t)h->lanes * WEBNN_VK__HELD / 2 < fibers->size) {
    h->lanes *= 2;
  }
  h->vectors = (uint32_t)(fibers->size / h->each);
  return !planner->traits->is_cpu && n->r.g.parts == 1 && fibers->size % h->each == 0 &&
         fibers->size <= (uint64_t)h->lanes * WEBNN_VK__HELD && local % h->lanes == 0 &&
         inner.rank == 1 && inner.strides[0] == 1 &&
         (kept.rank == 0 || (kept.rank == 1 && kept.strides[0] == (int64_t)fibers->size));
}

/* Around statements for each element held[e] of a lane. */
#define WEBNN_VK__EACH_HELD                                                                        \
  "  [[unroll]] for (uint e = 0u; e < HELD; e++) {\n"                                              \
  "    if (has(e)) {\n"
#define WEBNN_VK__END_HELD "    }\n  }\n"

/* Of sums; take_row and put_row. */
static void webnn_vk__put_held_rows(webnn_vk__kernel *k, const webnn_vk__held_rows *h) {
  const uint32_t chunks = (h->vectors + h->lanes - 1) / h->lanes;
  WEBNN_VK__PUT_CONSTANTS(k, "SIZE VECTORS PER LANES CHUNKS HELD ROWS", h->vectors * h->each,
                          h->vectors, h->each, h->lanes, chunks, chunks * h->each,
                          k->local / h->lanes);
  webnn_vk__format(k,
                   "#define ID gl_LocalInvocationID.x\n"
                   "#define LANE (ID %% LANES)\n"
                   "float held[HELD];\n"
                   "bool has(uint e) { return %s; }\n",
                   h->vectors % h->lanes == 0 ? "true" : "e / PER * LANES + LANE < VECTORS");
  webnn_vk__text(k, "void take_row(uint row) {\n"
                    "  [[unroll]] for (uint c = 0u; c < CHUNKS; c++) {\n"
                    "    if (has(c * PER)) {\n"
                    "      x0_words = x0_vectors[row * VECTORS + c * LANES + LANE];\n"
                    "      [[unroll]] for (uint e = 0u; e < PER; e++) {\n"
                    "        held[c * PER + e] = load_x0(e);\n"
                    "      }\n"
                    "    }\n"
                    "  }\n"
                    "}\n"
                    "void put_row(uint row) {\n"
                    "  [[unroll]] for (uint c = 0u; c < CHUNKS; c++) {\n"
                    "    if (has(c * PER)) {\n"
                    "      [[unroll]] for (uint w = 0u; w < 4u; w++) {\n");
  webnn_vk__text(k, k->type == WEBNN_FLOAT16
                        ? "        uint e = c * PER + 2u * w;\n"
                          "        y_words[w] = to_halves(held[e], held[e + 1u]);\n"
                        : "        y_words[w] = pack_y(held[c * PER + w]);\n");
  webnn_vk__text(k, "      }\n"
                    "      y_vectors[row * VECTORS + c * LANES + LANE] = y_words;\n"
                    "    }\n"
                    "  }\n"
                    "}\n");
  webnn_vk__put_sums(k, true);
}

/* The one kernel of held rows. A workgroup whose last rows are not there computes the last one in
   their place, since all its invocations meet at barriers. */
static bool webnn_vk__plan_held_rows(webnn_vk__planner *planner, webnn_vk__normalization *n,
                                     const webnn_vk__held_rows *h) {
  const uint32_t rows = webnn_vk__local_of(planner->traits) / h->lanes;
  webnn_vk__kernel k;
  if (!webnn_vk__plan_factors(planner, n->r.index, &n->factors, 2)) {
    return false;
  }
  webnn_vk__begin(planner, n->r.index, &k);
  k.extensions = "#extension GL_EXT_control_flow_attributes : require\n";
  k.each = h->each;
  webnn_vk__reads_vectors(&k, "x0", n->r.node->inputs[0]);
  webnn_vk__writes(&k, "y", n->r.node->outputs[0]);
  k.each = 0;
  webnn_vk__push(&k, "row_count", (uint32_t)n->r.g.count);
  webnn_vk__put_held_rows(&k, h);
  n->put_held(&k, n);
  webnn_vk__text(&k, "void run(uint group) {\n"
                     "  uint row = group * ROWS + ID / LANES;\n"
                     "  take_row(min(row, row_count - 1u));\n"
                     "  make_row(min(row, row_count - 1u));\n"
                     "  if (row < row_count) { put_row(row); }\n"
                     "}\n");
  k.cost = n->r.g.fibers.size / h->lanes * 30;
  return webnn_vk__groups(&k, (n->r.g.count + rows - 1) / rows);
}

/* Finds the numbers, and writes the group by the same kernel or leaves them for another. */
static bool webnn_vk__plan_normalization(webnn_vk__planner *planner, webnn_vk__normalization *n,
                                         const uint32_t *axes, uint32_t axis_count) {
  const bool one_step = webnn_vk__is_one_step(planner, n);
  const bool cleared = one_step && !webnn_vk__fills_words(planner, &n->r);
  webnn_vk__operand found = WEBNN_ZERO;
  webnn_vk__held_rows held;
  webnn_vk__kernel k;
  uint32_t i;
  if (webnn_vk__holds_rows(planner, n, &held)) {
    return webnn_vk__plan_held_rows(planner, n, &held);
  }
  if (cleared) {
    planner->nodes[n->r.index].overwrites = false;
    if (!webnn_vk__clear_narrow(planner, n->r.index, n->r.node->outputs[0])) {
      return false;
    }
  }
  if (!webnn_vk__plan_factors(planner, n->r.index, &n->factors, one_step ? 2 : 3) ||
      !webnn_vk__begin_reduction(planner, &n->r, &k)) {
    return false;
  }
  if (one_step) {
    n->put_value(&k, n);
    webnn_vk__writes(&k, "y", n->r.node->outputs[0]);
  } else {
    found = webnn_vk__scratch_part(planner, n->r.index, n->count * n->r.g.count);
    webnn_vk__writes_part(&k, "found", found);
  }
  webnn_vk__put_numbers(&k, n, false);
  webnn_vk__format(&k, "void run(uint worker) {\n%s", n->find);
  for (i = 0; i < n->count && !one_step; i++) {
    webnn_vk__format(&k, "  if (LANE == 0u) { store_found(%uu * worker + %uu, %s); }\n", n->count,
                     i, n->numbers[i]);
  }
  webnn_vk__format(&k, "%s}\n",
                   !one_step                            ? ""
                   : k.type == WEBNN_FLOAT32 || cleared ? webnn_vk__rows_text
                                                        : webnn_vk__half_rows_text);
  k.cost *= 30;
  return webnn_vk__run_workers(&k, &n->r.g, n->r.g.count) &&
         (one_step || webnn_vk__plan_values(planner, n, &found, axes, axis_count));
}

/* A normalization of a node over some axes, which has neither numbers nor operands yet. */
static webnn_vk__normalization webnn_vk__normalization_of(const webnn_vk__planner *planner,
                                                          uint32_t index, const uint32_t *axes,
                                                          uint32_t axis_count) {
  webnn_vk__normalization n = WEBNN_ZERO;
  n.r.index = index;
  n.r.node = &planner->program->nodes[index];
  n.r.g =
      webnn_vk__group(planner->traits, webnn_vk__shape_in(planner, n.r.node, 0), axes, axis_count);
  return n;
}

/* ---- 8.9.48 softmax: e^(x - m) / sum e^(x - m) ---- */

static void webnn_vk__put_softmax_value(webnn_vk__kernel *k, const webnn_vk__normalization *n) {
  (void)n;
  webnn_vk__uses(k, WEBNN_VK__LIB_EXP);
  webnn_vk__text(k,
                 "float value(uint i, float m, float s) { return exp_of(load_x(i) - m) / s; }\n");
}

/* A NaN makes the sum NaN, whatever is taken for the largest. */
/* clang-format off */
static const char webnn_vk__held_softmax_text[] =
    "void make_row(uint row) {\n"
    "  float m = neg_of(infinity()), s = 0.0, c = 0.0;\n"
    WEBNN_VK__EACH_HELD
    "      m = max(m, held[e]);\n"
    WEBNN_VK__END_HELD
    "  m = combine_largest(m);\n"
    WEBNN_VK__EACH_HELD
    "      held[e] = %s(held[e] - m);\n"
    "      add_to(s, c, held[e]);\n"
    WEBNN_VK__END_HELD
    "  vec2 a = combine(vec2(s, c));\n"
    "  float share = 1.0 / total_of(a.x, a.y);\n"
    WEBNN_VK__EACH_HELD
    "      held[e] *= share;\n"
    WEBNN_VK__END_HELD
    "}\n";
/* clang-format on */

static void webnn_vk__put_held_softmax(webnn_vk__kernel *k, const webnn_vk__normalization *n) {
  const bool half = webnn_vk__type_of(k->planner, n->r.node->inputs[0]) == WEBNN_FLOAT16;
  webnn_vk__uses(k, half ? WEBNN_VK__LIB_NEAR : WEBNN_VK__LIB_EXP);
  webnn_vk__text(k, "float fold_largest(float a, float b) { return max(a, b); }\n");
  webnn_vk__put_combine(k, true, "float", "_largest");
  webnn_vk__format(k, webnn_vk__held_softmax_text, half ? "exp_half" : "exp_of");
}

static bool webnn_vk__plan_softmax(webnn_vk__planner *planner, uint32_t index) {
  const uint32_t *axis = &planner->program->nodes[index].attributes.axis;
  webnn_vk__normalization n = webnn_vk__normalization_of(planner, index, axis, 1);
  n.r.state = "vec2";
  n.r.put = webnn_vk__put_exp_sums;
  n.count = 2;
  n.numbers[0] = "m";
  n.numbers[1] = "s";
  n.find = "  vec2 a = state_of(worker);\n  float m = a.x, s = a.y;\n";
  n.put_value = webnn_vk__put_softmax_value;
  n.put_held = webnn_vk__put_held_softmax;
  planner->nodes[index].overwrites = true;
  return webnn_vk__plan_normalization(planner, &n, axis, 1);
}

/* ---- Layer and instance normalization: scale (x - mean) / sqrt(variance + epsilon) + bias ---- */

/* scale and bias, where they are there, applied to z. */
static void webnn_vk__put_scale(webnn_vk__kernel *k, const webnn_vk__factors *f) {
  if (f->values[0] != WEBNN__NONE) {
    webnn_vk__text(k, "  z = load_scale(at_factor(i)) * z;\n");
  }
  if (f->values[1] != WEBNN__NONE) {
    webnn_vk__text(k, "  z = z + load_bias(at_factor(i));\n");
  }
  webnn_vk__text(k, "  return z;\n}\n");
}

static void webnn_vk__put_normal(webnn_vk__kernel *k, const webnn_vk__normalization *n) {
  webnn_vk__reads_factors(k, &n->factors);
  webnn_vk__add_index(k, "factor", &n->factor_walk);
  webnn_vk__text(k, "float value(uint i, float mean, float rest, float deviation, float by) {\n"
                    "  float z = ((load_x(i) * by - mean) - rest) / deviation;\n");
  webnn_vk__put_scale(k, &n->factors);
}

/* The state of elements: their sum in two floats, the sum of the squares of what they are away from
   their mean, and how many they are. The mean is in two floats, too. Where the variance v shows
   that squares overflow or vanish, all is made again of elements times a power of two. */
static const char *const webnn_vk__mean_text =
    "float factor_for(float v) {\n"
    "  if (!is_finite(v)) { return 7.88860905e-31; }\n"
    "  return v < 1.0e-20 && epsilon < 1.0e-20 ? 1.15292150e18 : 1.0;\n"
    "}\n"
    "float deviation_of(float v, float by) {\n"
    "  return v == 0.0 ? sqrt_of(epsilon) * by : sqrt_of(v + epsilon * by * by);\n"
    "}\n"
    "float mean_of(float s, float c, float n, out float rest) {\n"
    "  float low, mean = s / n, p = two_product(mean, n, low);\n"
    "  rest = (((s - p) - low) + c) / n;\n"
    "  rest = is_nan(rest) ? 0.0 : rest;\n"
    "  return mean;\n"
    "}\n";

static const char *const webnn_vk__moments_text =
    "vec4 part(uint begin, uint end, float by) {\n"
    "  float s = 0.0, c = 0.0, q = 0.0, e = 0.0, n = float(end - begin), rest;\n"
    "  for (uint j = begin + LANE; j < end; j += LANES) {\n"
    "    add_to(s, c, load_x(start + at_inner(j)) * by);\n"
    "  }\n"
    "  vec2 sum = combine(vec2(s, c));\n"
    "  float mean = mean_of(sum.x, sum.y, n, rest);\n"
    "  for (uint j = begin + LANE; j < end; j += LANES) {\n"
    "    float d = (load_x(start + at_inner(j)) * by - mean) - rest;\n"
    "    add_to(q, e, d * d);\n"
    "  }\n"
    "  vec2 squares = combine(vec2(q, e));\n"
    "  return vec4(sum.x, sum.y, total_of(squares.x, squares.y), n);\n"
    "}\n"
    "vec4 join(vec4 a, vec4 b) {\n"
    "  float n = a.w + b.w, r, t, m = mean_of(b.x, b.y, b.w, r) - mean_of(a.x, a.y, a.w, t);\n"
    "  float d = m + (r - t);\n"
    "  vec2 sum = fold(vec2(a.x, a.y), vec2(b.x, b.y));\n"
    "  return vec4(sum.x, sum.y, a.z + b.z + d * d * (a.w * (b.w / n)), n);\n"
    "}\n";

static void webnn_vk__put_moments(webnn_vk__kernel *k, const webnn_vk__reduction *r) {
  webnn_vk__push_option(k, "epsilon", webnn_vk__type_of(k->planner, r->node->inputs[0]),
                        r->node->attributes.epsilon);
  webnn_vk__uses(k, WEBNN_VK__LIB_SQRT);
  webnn_vk__put_sums(k, r->g.parallel);
  webnn_vk__text(k, webnn_vk__mean_text);
  webnn_vk__text(k, webnn_vk__moments_text);
}

/* All of a workgroup make the sums again, each row of elements that are scaled as it needs, if one
   row has to. */
/* clang-format off */
static const char *const webnn_vk__held_moments_text =
    "shared uint again;\n"
    "vec4 moments(float by) {\n"
    "  float s = 0.0, c = 0.0, q = 0.0, r = 0.0, rest;\n"
    WEBNN_VK__EACH_HELD
    "      add_to(s, c, held[e] * by);\n"
    WEBNN_VK__END_HELD
    "  vec2 sum = combine(vec2(s, c));\n"
    "  float mean = mean_of(sum.x, sum.y, float(SIZE), rest);\n"
    WEBNN_VK__EACH_HELD
    "      float d = (held[e] * by - mean) - rest;\n"
    "      add_to(q, r, d * d);\n"
    WEBNN_VK__END_HELD
    "  vec2 squares = combine(vec2(q, r));\n"
    "  return vec4(sum.x, sum.y, total_of(squares.x, squares.y), 0.0);\n"
    "}\n"
    "void make_row(uint row) {\n"
    "  if (ID == 0u) { again = 0u; }\n"
    "  vec4 a = moments(1.0);\n"
    "  float v = a.z / float(SIZE), by = factor_for(v);\n"
    "  if (by != 1.0) { again = 1u; }\n"
    "  barrier();\n"
    "  if (again != 0u) {\n"
    "    a = moments(by);\n"
    "    v = a.z / float(SIZE);\n"
    "  }\n"
    "  float rest, mean = mean_of(a.x, a.y, float(SIZE), rest);\n"
    "  float share = 1.0 / deviation_of(v, by);\n"
    WEBNN_VK__EACH_HELD
    "      uint column = (e / PER * LANES + LANE) * PER + e % PER;\n"
    "      held[e] = scaled(FACTOR_AT, ((held[e] * by - mean) - rest) * share);\n"
    WEBNN_VK__END_HELD
    "}\n";
/* clang-format on */

static void webnn_vk__put_held_normal(webnn_vk__kernel *k, const webnn_vk__normalization *n) {
  webnn_vk__walk walk = n->factor_walk;
  const uint32_t last = walk.rank > 0 ? walk.rank - 1 : 0;
  const bool by_column = walk.rank > 0 && walk.strides[last] != 0;
  if (by_column && walk.sizes[last] == n->r.g.fibers.size) { /* whatever the row is */
    walk.rank = 1;
    walk.sizes[0] = walk.sizes[last];
    walk.strides[0] = walk.strides[last];
  }
  webnn_vk__push_option(k, "epsilon", webnn_vk__type_of(k->planner, n->r.node->inputs[0]),
                        n->r.node->attributes.epsilon);
  webnn_vk__uses(k, WEBNN_VK__LIB_SQRT);
  webnn_vk__reads_factors(k, &n->factors);
  webnn_vk__add_index(k, "factor", &walk);
  webnn_vk__format(k, "#define FACTOR_AT %s\n", by_column ? "column" : "row * SIZE");
  webnn_vk__text(k, "float scaled(uint i, float z) {\n");
  webnn_vk__put_scale(k, &n->factors);
  webnn_vk__text(k, webnn_vk__mean_text);
  webnn_vk__text(k, webnn_vk__held_moments_text);
}

static bool webnn_vk__plan_normalize(webnn_vk__planner *planner, uint32_t index,
                                     const uint32_t *axes, uint32_t axis_count,
                                     const webnn_vk__walk *factors) {
  static const char *const numbers[4] = {"mean", "rest", "deviation", "by"};
  webnn_vk__normalization n = webnn_vk__normalization_of(planner, index, axes, axis_count);
  n.r.state = "vec4";
  n.r.put = webnn_vk__put_moments;
  n.count = 4;
  memcpy(n.numbers, numbers, sizeof numbers);
  n.find = "  vec4 a = state_of(worker);\n"
           "  float v = a.z / float(size), by = factor_for(v);\n"
           "  if (by != 1.0) {\n"
           "    a = part(0u, size, by);\n"
           "    v = a.z / float(size);\n"
           "  }\n"
           "  float rest, mean = mean_of(a.x, a.y, float(size), rest);\n"
           "  float deviation = deviation_of(v, by);\n";
  n.put_value = webnn_vk__put_normal;
  n.put_held = webnn_vk__put_held_normal;
  n.factor_walk = *factors;
  webnn_vk__add_factor(&n.factors, n.r.node, 1, "scale");
  webnn_vk__add_factor(&n.factors, n.r.node, 2, "bias");
  planner->nodes[index].overwrites = n.r.g.count > 1; /* else over scale, which is read elsewhere */
  return webnn_vk__plan_normalization(planner, &n, axes, axis_count);
}

/* A stride of 1 along one dimension. */
static webnn_vk__walk webnn_vk__channel_walk(const webnn__shape *shape, uint32_t axis) {
  int64_t strides[WEBNN_MAX_RANK] = {0};
  strides[axis] = 1;
  return webnn_vk__walk_of(shape, strides, 0);
}

/* 8.9.29: an image and channel is a group. */
static bool webnn_vk__plan_instance_normalization(webnn_vk__planner *planner, uint32_t index) {
  const webnn__node *node = &planner->program->nodes[index];
  const uint8_t *axes = webnn__input_axes[node->attributes.input_layout];
  const webnn_vk__walk walk = webnn_vk__channel_walk(webnn_vk__shape_in(planner, node, 0), axes[1]);
  uint32_t spatial[2];
  spatial[0] = axes[2];
  spatial[1] = axes[3];
  return webnn_vk__plan_normalize(planner, index, spatial, 2, &walk);
}

/* 8.9.30: scale and bias have the dimensions of the axes, in their order. */
static bool webnn_vk__plan_layer_normalization(webnn_vk__planner *planner, uint32_t index) {
  const webnn__node *node = &planner->program->nodes[index];
  const webnn__shape *shape = webnn_vk__shape_in(planner, node, 0);
  const webnn__shape *axes = &node->attributes.axes;
  int64_t strides[WEBNN_MAX_RANK] = {0}, stride = 1;
  webnn_vk__walk walk;
  uint32_t i;
  for (i = axes->rank; i-- > 0;) {
    strides[axes->dimensions[i]] = stride;
    stride *= (int64_t)shape->dimensions[axes->dimensions[i]];
  }
  walk = webnn_vk__walk_of(shape, strides, 0);
  return webnn_vk__plan_normalize(planner, index, axes->dimensions, axes->rank, &walk);
}

/* 8.9.6: scale (x - mean) / sqrt(variance + epsilon) + bias of each channel. */
static bool webnn_vk__plan_batch_normalization(webnn_vk__planner *planner, uint32_t index) {
  static const char *const names[4] = {"scale", "bias", "mean", "variance"};
  static const uint32_t inputs[4] = {3, 4, 1, 2};
  const webnn__node *node = &planner->program->nodes[index];
  const webnn__value *x = webnn_vk__value_at(planner, node->inputs[0]);
  const webnn_vk__walk walk = webnn_vk__channel_walk(&x->shape, node->attributes.axis);
  webnn_vk__factors f = WEBNN_ZERO;
  webnn_vk__kernel k;
  uint32_t i;
  for (i = 0; i < 4; i++) {
    webnn_vk__add_factor(&f, node, inputs[i], names[i]);
  }
  if (!webnn_vk__plan_factors(planner, index, &f, 2)) {
    return false;
  }
  webnn_vk__begin(planner, index, &k);
  webnn_vk__reads(&k, "x", node->inputs[0]);
  webnn_vk__reads_factors(&k, &f);
  webnn_vk__writes(&k, "y", node->outputs[0]);
  webnn_vk__add_index(&k, "factor", &walk);
  webnn_vk__push_option(&k, "epsilon", x->data_type, node->attributes.epsilon);
  webnn_vk__uses(&k, WEBNN_VK__LIB_SQRT);
  webnn_vk__text(&k, "float element(uint i) {\n"
                     "  uint c = at_factor(i);\n"
                     "  float x = load_x(i), m = load_mean(c), z = x - m;\n"
                     "  float deviation = sqrt_of(load_variance(c) + epsilon);\n"
                     "  z = is_infinite(z) ? (x * 0.25 - m * 0.25) / deviation * 4.0 : z / "
                     "deviation;\n");
  webnn_vk__put_scale(&k, &f);
  planner->nodes[index].overwrites = true;
  return webnn_vk__map(&k, webnn_vk__count(planner, node->outputs[0]));
}

/* ---- Products, convolutions, pools, resampling, recurrent networks ------------------------------

   Kernels and plans of the operators that add up products of their operands' elements, or walk over
   windows of an image. Sums are made in float32, whatever the type, and rounded once. */

/* Names of sizes and strides in the kernels' texts are written large. They are push constants, so
   that shapes share a pipeline. */

/* The float bits of an attribute of the node, which has the type of operand 0. */
static float webnn_vk__float_attribute(const webnn_vk__planner *planner, const webnn__node *node,
                                       uint64_t bits) {
  return webnn__option_as_float(bits, webnn_vk__type_of(planner, node->inputs[0]));
}

/* Words that the plan has worked out. */
static void webnn_vk__reads_words(webnn_vk__kernel *k, const char *name, const uint32_t *words,
                                  uint32_t count) {
  webnn_vk__operand operand = WEBNN_ZERO;
  operand.kind = WEBNN_VK__PARAMETERS;
  operand.byte_length = (uint64_t)count * 4;
  operand.type = WEBNN_UINT32;
  if (!webnn_vk__put_parameters(k->planner, words, count, &operand.offset)) {
    k->failed = true;
    return;
  }
  webnn_vk__reads_part(k, name, operand);
}

/* ---- Operands of products -----------------------------------------------------------------------

   Floats, or packed integers with scales and zero points, which become floats where they are read:
   (x - zero) scale is never written to memory. All kernels of products read an operand through two
   functions of the text: load_NAME(i) is element i, and NAME_unit(i, v) puts element i and its
   neighbours into v. A unit is 8 elements where rows begin at multiples of 8, else 1. For products
   of bytes elements are integers, and a unit is a word of four bytes, or one byte in a word. */

/* What dequantizeLinear says of an operand: values, and the shape whose blocks they serve. */
typedef struct webnn_vk__scaling {
  uint32_t scale, zero;
  const webnn__shape *shape;
} webnn_vk__scaling;

typedef enum webnn_vk__factor_kind {
  WEBNN_VK__FLOATS,
  WEBNN_VK__SIGNED_BYTES, /* as they are, but uint8 less 128 */
  WEBNN_VK__LESS_ZEROS    /* bytes less their zero points, which are int8 again */
} webnn_vk__factor_kind;

typedef struct webnn_vk__factor {
  webnn_vk__operand part;
  const webnn_vk__scaling *scaling; /* NULL: floats are what is in memory */
  webnn_vk__factor_kind kind;
  bool wide;   /* a unit is 8 floats, or a word */
  bool halves; /* tiles hold float16 */
} webnn_vk__factor;

static uint32_t webnn_vk__unit_of(const webnn_vk__factor *f) {
  return f->wide && f->kind == WEBNN_VK__FLOATS ? 8 : 1;
}

static webnn_vk__walk webnn_vk__scale_walk(const webnn_vk__planner *planner,
                                           const webnn_vk__scaling *s) {
  return webnn_vk__block_walk(&planner->program->values[s->zero].shape, s->shape);
}

/* The step from the scale of an element to that of its neighbour, within units of 8: 0 or 1; 2 if
   they are apart in another way. */
static uint32_t webnn_vk__scale_step(const webnn_vk__planner *planner, const webnn_vk__scaling *s) {
  const webnn_vk__walk walk = webnn_vk__scale_walk(planner, s);
  const uint32_t last = walk.rank - 1;
  if (walk.rank == 0) {
    return 0;
  }
  return walk.sizes[last] % 8 != 0 || walk.strides[last] > 1 ? 2 : (uint32_t)walk.strides[last];
}

/* uint at_NAME(uint i): which of the blocks element i is in. Sizes are numbers of the text. */
static void webnn_vk__put_block_index(webnn_vk__kernel *k, const char *name,
                                      const webnn_vk__walk *walk) {
  uint32_t d;
  webnn_vk__format(k, "uint at_%s(uint i) {\n  uint at = 0u;\n", name);
  for (d = walk->rank; d-- > 0;) {
    if (walk->strides[d] != 0) {
      webnn_vk__format(k, "  at += i %% %uu * %uu;\n", walk->sizes[d], (unsigned)walk->strides[d]);
    }
    webnn_vk__format(k, "  i = i / %uu;\n", walk->sizes[d]);
  }
  webnn_vk__text(k, "  return at;\n}\n");
}

/* A text in which @, $ and # stand for names. */
static void webnn_vk__text_of(webnn_vk__kernel *k, const char *text, const char *at,
                              const char *dollar, const char *hash) {
  size_t length;
  for (; *text != 0; text += length + 1) {
    length = strcspn(text, "@$#");
    webnn_vk__add_text(k, WEBNN_VK__BODY, text, length);
    if (text[length] == 0) {
      return;
    }
    webnn_vk__text(k, text[length] == '@' ? at : text[length] == '$' ? dollar : hash);
  }
}

static void webnn_vk__text_for(webnn_vk__kernel *k, const char *text, const char *name) {
  webnn_vk__text_of(k, text, name, "$", "#");
}

/* A buffer `uvec4 NAME_quads[]`. */
static void webnn_vk__reads_quads(webnn_vk__kernel *k, const char *name,
                                  const webnn_vk__operand *operand) {
  webnn_vk__bind_as(k, name, operand, "uvec4", "quads");
}

static void webnn_vk__put_floats(webnn_vk__kernel *k, const char *name, const webnn_vk__factor *f) {
  if (!f->wide) {
    webnn_vk__reads_part(k, name, f->part);
    webnn_vk__text_for(k, "void @_unit(uint i, out float v[1]) {\n  v[0] = load_@(i);\n}\n", name);
    return;
  }
  webnn_vk__reads_quads(k, name, &f->part);
  webnn_vk__text_for(
      k,
      f->part.type == WEBNN_FLOAT32
          ? "float load_@(uint i) { return uintBitsToFloat(@_quads[i >> 2][i & 3u]); }\n"
            "void @_unit(uint i, out float v[8]) {\n"
            "  uint at = i >> 2;\n"
            "  spread(uintBitsToFloat(@_quads[at]), uintBitsToFloat(@_quads[at + 1u]), v);\n"
            "}\n"
          : "float load_@(uint i) {\n"
            "  vec2 two = unpackHalf2x16(@_quads[i >> 3][i >> 1 & 3u]);\n"
            "  return (i & 1u) == 0u ? two.x : two.y;\n"
            "}\n"
            "void @_unit(uint i, out float v[8]) {\n"
            "  uvec4 p = @_quads[i >> 3];\n"
            "  spread(vec4(unpackHalf2x16(p.x), unpackHalf2x16(p.y)),\n"
            "         vec4(unpackHalf2x16(p.z), unpackHalf2x16(p.w)), v);\n"
            "}\n",
      name);
}

/* Units of packed numbers in two parts, since several units may have the same scales: @_scales for
   that at i, with 2^23 added to zero points, and @_raw. */
static void webnn_vk__put_packed_unit(webnn_vk__kernel *k, const char *name,
                                      const webnn_vk__factor *f) {
  const uint32_t bits = webnn_data_type_bits(f->part.type);
  const bool is_signed = f->part.type == WEBNN_INT8 || f->part.type == WEBNN_INT4;
  const uint32_t flip = !is_signed ? 0 : bits == 8 ? 0x80808080U : 0x88888888U;
  webnn_vk__text_for(k,
                     "void @_scales(uint i, out float s[8], out float z[8]) {\n"
                     "  uint at = at_@_zero(i);\n"
                     "  for (uint j = 0u; j < 8u; j++) {\n",
                     name);
  webnn_vk__text_for(k,
                     webnn_vk__scale_step(k->planner, f->scaling) == 1
                         ? "    s[j] = load_@_scale(at + j);\n"
                           "    z[j] = float(int(load_@_zero(at + j))"
                         : "    s[j] = j == 0u ? load_@_scale(at) : s[0];\n"
                           "    z[j] = j > 0u ? z[0] : float(int(load_@_zero(at))",
                     name);
  webnn_vk__format(k, " + %u);\n  }\n}\n", 8388608U + (!is_signed ? 0 : bits == 8 ? 128 : 8));
  webnn_vk__text_for(k, "void @_raw(uint i, float s[8], float z[8], out float v[8]) {\n", name);
  if (bits == 8) {
    webnn_vk__format(k,
                     "  uint p = %s_packed_words[i >> 2] ^ %uu;\n"
                     "  uint q = %s_packed_words[(i >> 2) + 1u] ^ %uu;\n"
                     "  spread(numbers(uvec4(p, p >> 8, p >> 16, p >> 24) & 255u),\n"
                     "         numbers(uvec4(q, q >> 8, q >> 16, q >> 24) & 255u), v);\n",
                     name, flip, name, flip);
  } else {
    webnn_vk__format(k,
                     "  uint p = %s_packed_words[i >> 3] ^ %uu;\n"
                     "  spread(numbers(uvec4(p, p >> 4, p >> 8, p >> 12) & 15u),\n"
                     "         numbers(uvec4(p >> 16, p >> 20, p >> 24, p >> 28) & 15u), v);\n",
                     name, flip);
  }
  webnn_vk__text_for(k,
                     "  for (uint j = 0u; j < 8u; j++) { v[j] = (v[j] - z[j]) * s[j]; }\n"
                     "}\n"
                     "void @_unit(uint i, out float v[8]) {\n"
                     "  float s[8], z[8];\n"
                     "  @_scales(i, s, z);\n"
                     "  @_raw(i, s, z, v);\n"
                     "}\n",
                     name);
}

/* Units of bytes: four in a word, or one. */
static void webnn_vk__put_bytes(webnn_vk__kernel *k, const char *name, const webnn_vk__factor *f) {
  webnn_vk__text_for(k, "int load_@(uint i) { return less_zero_@(i); }\n", name);
  webnn_vk__text_for(k, "void @_unit(uint i, out uint v[1]) {\n", name);
  if (f->kind == WEBNN_VK__SIGNED_BYTES) {
    webnn_vk__text_for(
        k, f->wide ? "  v[0] = @_packed_words[i >> 2]" : "  v[0] = uint(load_@_packed(i)) & 255u",
        name);
    webnn_vk__text(k, f->part.type != WEBNN_UINT8 ? ";\n}\n"
                      : f->wide                   ? " ^ 0x80808080u;\n}\n"
                                                  : " ^ 128u;\n}\n");
  } else {
    webnn_vk__text_for(
        k,
        f->wide ? "  uint zero = (uint(load_@_zero(at_@_zero(i))) & 255u) * 0x01010101u;\n"
                  "  v[0] = less_bytes(@_packed_words[i >> 2], zero);\n}\n"
                : "  v[0] = uint(less_zero_@(i)) & 255u;\n}\n",
        name);
  }
}

/* Packed numbers as floats, or as integers. */
static void webnn_vk__put_packed(webnn_vk__kernel *k, const char *name, const webnn_vk__factor *f) {
  const webnn_vk__walk walk = webnn_vk__scale_walk(k->planner, f->scaling);
  char packed[32], scale[32], zero[32];
  (void)snprintf(packed, sizeof packed, "%s_packed", name);
  (void)snprintf(scale, sizeof scale, "%s_scale", name);
  (void)snprintf(zero, sizeof zero, "%s_zero", name);
  webnn_vk__reads_part(k, packed, f->part);
  webnn_vk__reads(k, zero, f->scaling->zero);
  webnn_vk__put_block_index(k, zero, &walk);
  webnn_vk__text_for(k,
                     "int less_zero_@(uint i) { return int(load_@_packed(i)) - "
                     "int(load_@_zero(at_@_zero(i))); }\n",
                     name);
  if (f->kind != WEBNN_VK__FLOATS) {
    webnn_vk__put_bytes(k, name, f);
    return;
  }
  webnn_vk__reads(k, scale, f->scaling->scale);
  webnn_vk__text_for(k,
                     "float load_@(uint i) {\n"
                     "  return float(less_zero_@(i)) * load_@_scale(at_@_zero(i));\n"
                     "}\n",
                     name);
  if (f->wide) {
    webnn_vk__put_packed_unit(k, name, f);
  } else {
    webnn_vk__text_for(k, "void @_unit(uint i, out float v[1]) {\n  v[0] = load_@(i);\n}\n", name);
  }
}

/* What tiles load: units as they are, or as float16, 8 in four words or a single one. */
static void webnn_vk__put_loads(webnn_vk__kernel *k, const char *name, const webnn_vk__factor *f) {
  if (!f->halves) {
    webnn_vk__text_for(k, "#define @_load @_unit\n", name);
  } else if (!f->wide) {
    webnn_vk__text_for(k,
                       "void @_load(uint i, out float16_t v[1]) {\n"
                       "  v[0] = float16_t(load_@(i));\n"
                       "}\n",
                       name);
  } else if (f->scaling == NULL && f->part.type == WEBNN_FLOAT16) {
    webnn_vk__text_for(k, "void @_load(uint i, out uvec4 v[1]) {\n  v[0] = @_quads[i >> 3];\n}\n",
                       name);
  } else {
    webnn_vk__text_for(k,
                       "void @_load(uint i, out uvec4 v[1]) {\n"
                       "  float f[8];\n"
                       "  @_unit(i, f);\n"
                       "  v[0] = uvec4(packHalf2x16(vec2(f[0], f[1])),\n"
                       "               packHalf2x16(vec2(f[2], f[3])),\n"
                       "               packHalf2x16(vec2(f[4], f[5])),\n"
                       "               packHalf2x16(vec2(f[6], f[7])));\n"
                       "}\n",
                       name);
  }
}

/* The two operands of a product. */
static void webnn_vk__put_factors(webnn_vk__kernel *k, const char *const *names,
                                  const webnn_vk__factor *factors) {
  uint32_t i;
  webnn_vk__text(k, "void spread(vec4 p, vec4 q, out float v[8]) {\n"
                    "  v[0] = p.x; v[1] = p.y; v[2] = p.z; v[3] = p.w;\n"
                    "  v[4] = q.x; v[5] = q.y; v[6] = q.z; v[7] = q.w;\n"
                    "}\n"
                    /* 2^23 + x for small x: without a conversion, and exact. */
                    "vec4 numbers(uvec4 x) { return uintBitsToFloat(x | 0x4b000000u); }\n"
                    /* Each byte of w less that of z. */
                    "uint less_bytes(uint w, uint z) {\n"
                    "  return (w | 0x80808080u) - (z & 0x7f7f7f7fu) ^ (w ^ ~z) & 0x80808080u;\n"
                    "}\n");
  for (i = 0; i < 2; i++) {
    if (factors[i].scaling != NULL) {
      webnn_vk__put_packed(k, names[i], &factors[i]);
    } else {
      webnn_vk__put_floats(k, names[i], &factors[i]);
    }
    webnn_vk__put_loads(k, names[i], &factors[i]);
  }
}

/* Operand i, 0 or 1, of a node that is a product. `scaling` is filled if it is packed. */
static webnn_vk__factor webnn_vk__factor_of(const webnn_vk__planner *planner,
                                            const webnn__node *node, uint32_t i,
                                            webnn_vk__scaling *scaling) {
  const uint32_t scale = WEBNN__X_SCALE + 2 * i;
  webnn_vk__factor f = WEBNN_ZERO;
  f.part = webnn_vk__value_part(planner, node->inputs[i]);
  if (node->fused != NULL && webnn_vk__input_of(node, scale) != WEBNN__NONE) {
    scaling->scale = node->inputs[scale];
    scaling->zero = node->inputs[scale + 1];
    scaling->shape = &planner->program->values[node->inputs[i]].shape;
    f.scaling = scaling;
    f.kind = !node->fused->quantized ? WEBNN_VK__FLOATS
             : i == 0                ? WEBNN_VK__SIGNED_BYTES
                                     : WEBNN_VK__LESS_ZEROS;
  }
  return f;
}

/* May tiles hold float16? Where results are float16, and in relaxed contexts. */
static bool webnn_vk__are_halves(const webnn_vk__traits *traits, const webnn_vk__factor *factors,
                                 webnn_data_type type) {
  return factors[0].kind == WEBNN_VK__FLOATS && (type == WEBNN_FLOAT16 || traits->relaxed) &&
         (factors[0].scaling != NULL || factors[0].part.type == WEBNN_FLOAT16 || traits->relaxed) &&
         (factors[1].scaling != NULL || factors[1].part.type == WEBNN_FLOAT16 || traits->relaxed);
}

/* Can whole units of the operand be loaded? `neighbours`: elements along the depth, or the columns,
   are neighbours in memory; `strides`: all other strides and their number, or'ed. */
static bool webnn_vk__loads_wide(const webnn_vk__planner *planner, const webnn_vk__factor *f,
                                 bool neighbours, uint64_t strides) {
  if (f->kind != WEBNN_VK__FLOATS) {
    return neighbours && strides % 4 == 0;
  }
  return neighbours && strides % 8 == 0 &&
         (f->scaling == NULL ? !planner->traits->is_cpu
                             : webnn_vk__scale_step(planner, f->scaling) < 2);
}

/* ---- What follows a product of bytes ---- */

/* Number i of constants that are bytes, int32 or floats; the only one if there is but
   one; 0 of none. */
static double webnn_vk__constant_at(const webnn_vk__planner *planner, uint32_t value, uint64_t i) {
  const webnn__value *v = value != WEBNN__NONE ? &planner->program->values[value] : NULL;
  const void *memory = v != NULL ? v->constant->memory : NULL;
  if (v == NULL) {
    return 0;
  }
  i = webnn__element_count(&v->shape) == 1 ? 0 : i;
  return v->data_type == WEBNN_FLOAT32 ? (double)((const float *)memory)[i]
         : v->data_type == WEBNN_INT32 ? (double)((const int32_t *)memory)[i]
         : v->data_type == WEBNN_INT8  ? (double)((const int8_t *)memory)[i]
                                       : (double)((const uint8_t *)memory)[i];
}

/* Adds up the weights of each output channel, less their zero points. */
static void webnn_vk__add_weights(const webnn_vk__planner *planner, const webnn__node *node,
                                  uint32_t axis, uint32_t *words) {
  const webnn__value *w = &planner->program->values[node->inputs[1]];
  const uint64_t count = webnn__element_count(&w->shape), size = w->shape.dimensions[axis];
  uint64_t inner = 1, i;
  uint32_t d;
  for (d = axis + 1; d < w->shape.rank; d++) {
    inner *= w->shape.dimensions[d];
  }
  for (i = 0; i < count; i++) {
    const uint64_t channel = i / inner % size;
    words[channel * 3] +=
        (uint32_t)(int32_t)(webnn_vk__constant_at(planner, node->inputs[1], i) -
                            webnn_vk__constant_at(planner, node->inputs[WEBNN__W_ZERO], channel));
  }
}

/* The axis of the weights along which the outputs lie. */
static uint32_t webnn_vk__output_axis(const webnn_vk__planner *planner, const webnn__node *node) {
  const uint32_t rank = planner->program->values[node->inputs[1]].shape.rank;
  const webnn__attributes *t = &node->attributes;
  return node->op == WEBNN_OP_CONV2D                   ? webnn__filter_axes[t->filter_layout][0]
         : node->op == WEBNN_OP_GEMM && t->b_transpose ? rank - 2
                                                       : rank - 1;
}

/* For each output channel three words: with which number a sum of tiles begins, since there x is
   not less its zero point; and scale and bias, divided by the scale of the result. */
static void webnn_vk__put_channels(webnn_vk__kernel *k, const webnn__node *node) {
  const webnn_vk__planner *planner = k->planner;
  const uint32_t axis = webnn_vk__output_axis(planner, node);
  const uint32_t count = planner->program->values[node->inputs[1]].shape.dimensions[axis];
  const uint32_t y_scale = node->inputs[WEBNN__Y_SCALE];
  const bool flips = webnn_vk__type_of(planner, node->inputs[0]) == WEBNN_UINT8;
  const double to = y_scale != WEBNN__NONE ? webnn_vk__constant_at(planner, y_scale, 0) : 1;
  const int32_t zero =
      (int32_t)webnn_vk__constant_at(planner, node->inputs[WEBNN__X_ZERO], 0) - (flips ? 128 : 0);
  uint32_t *words = (uint32_t *)webnn__arena_take(planner->arena, (uint64_t)count * 12), i;
  if (words == NULL) {
    k->failed = true;
    (void)webnn_vk__plan_lacks_memory(k->planner);
    return;
  }
  webnn_vk__add_weights(planner, node, axis, words);
  for (i = 0; i < count; i++) {
    const double bias = webnn_vk__constant_at(planner, node->inputs[2], i) -
                        webnn_vk__constant_at(planner, node->inputs[WEBNN__BIAS_ZERO], i);
    const double bias_scale =
        node->inputs[WEBNN__BIAS_SCALE] == WEBNN__NONE
            ? 1
            : webnn_vk__constant_at(planner, node->inputs[WEBNN__BIAS_SCALE], i);
    const double scale = webnn_vk__constant_at(planner, node->inputs[WEBNN__X_SCALE], 0) *
                         webnn_vk__constant_at(planner, node->inputs[WEBNN__W_SCALE], i);
    words[3 * i] = 0U - (uint32_t)zero * words[3 * i];
    words[3 * i + 1] = webnn__bits_of_float((float)(scale / to));
    words[3 * i + 2] = webnn__bits_of_float((float)(bias * bias_scale / to));
  }
  webnn_vk__reads_words(k, "channel", words, count * 3);
  webnn_vk__format(k, "const uint X_OUTSIDE = %uu;\n", ((uint32_t)zero & 255) * 0x01010101U);
}

/* finish(sum) is the sum times the scale, plus the bias, within the bounds, in float32; as a byte
   that is rounded, and the zero point added. What leaves the range of bytes is bounded before. */
static void webnn_vk__put_ending_of_bytes(webnn_vk__kernel *k, const webnn__node *node) {
  const webnn_vk__planner *planner = k->planner;
  const webnn_data_type type = webnn_vk__type_of(planner, node->outputs[0]);
  const char *name = webnn_vk__type_name(type);
  float low = node->fused->low, high = node->fused->high;
  int32_t zero = 0;
  if (type != WEBNN_FLOAT32) {
    const float scale = (float)webnn_vk__constant_at(planner, node->inputs[WEBNN__Y_SCALE], 0);
    const int32_t top = type == WEBNN_INT8 ? 128 : 0;
    float least, most;
    zero = (int32_t)webnn_vk__constant_at(planner, node->inputs[WEBNN__Y_ZERO], 0);
    least = (float)(-top - zero);
    most = (float)(255 - top - zero);
    low = low / scale > least ? low / scale : least;
    low = low < most ? low : most;
    high = high / scale < most ? high / scale : most;
    high = high > least ? high : least;
  }
  webnn_vk__put_channels(k, node);
  webnn_vk__push_float(k, "LOW", low);
  webnn_vk__push_float(k, "HIGH", high);
  webnn_vk__push_int(k, "ZERO", zero);
  webnn_vk__format(k,
                   "int start_of(uint channel) { return int(load_channel(3u * channel)); }\n"
                   "%s finish(int sum, uint i, uint row, uint channel) {\n"
                   "  float scale = uintBitsToFloat(load_channel(3u * channel + 1u));\n"
                   "  float bias = uintBitsToFloat(load_channel(3u * channel + 2u));\n"
                   "  float v = fma(float(sum), scale, bias);\n"
                   "  v = v < LOW ? LOW : v > HIGH ? HIGH : v;\n"
                   "  return %s;\n"
                   "}\n",
                   name,
                   type == WEBNN_FLOAT32 ? "v"
                   : type == WEBNN_INT8  ? "int(roundEven(v)) + ZERO"
                                         : "uint(int(roundEven(v)) + ZERO)");
}

/* ---- What follows a product: bias, residual, bounds ---- */

/* finish(sum) = clamp(ALPHA sum + BETA c + residual, LOW, HIGH), with c at row and column, and the
   residual where the result is. Values may be WEBNN__NONE. */
typedef struct webnn_vk__ending {
  uint32_t c, residual;
  uint32_t c_row, c_column; /* strides of c */
  float alpha, beta, low, high;
  const webnn__node *bytes; /* the product is one of bytes */
} webnn_vk__ending;

/* That of a node with product number operands; the strides of c are left 0. */
static webnn_vk__ending webnn_vk__ending_of(const webnn__node *node) {
  webnn_vk__ending f;
  f.c = webnn_vk__input_of(node, 2);
  f.residual = node->fused != NULL ? webnn_vk__input_of(node, 3) : WEBNN__NONE;
  f.c_row = f.c_column = 0;
  f.alpha = f.beta = 1.0f;
  f.low = node->fused != NULL ? node->fused->low : webnn__float_of_bits(0xff800000U);
  f.high = node->fused != NULL ? node->fused->high : webnn__float_of_bits(0x7f800000U);
  f.bytes = node->fused != NULL && node->fused->quantized ? node : NULL;
  return f;
}

/* How many storage buffers it binds. */
static uint32_t webnn_vk__ending_operands(const webnn_vk__ending *f) {
  return f->bytes != NULL
             ? 1
             : (uint32_t)(f->c != WEBNN__NONE) + (uint32_t)(f->residual != WEBNN__NONE);
}

/* float finish(float sum, uint i, uint row, uint column) for element i of the result. */
static void webnn_vk__put_ending(webnn_vk__kernel *k, const webnn_vk__ending *f) {
  if (f->bytes != NULL) {
    webnn_vk__put_ending_of_bytes(k, f->bytes);
    return;
  }
  if (f->c != WEBNN__NONE) {
    webnn_vk__reads(k, "c", f->c);
    WEBNN_VK__PUT_PUSHES(k, "C_ROW C_COLUMN", f->c_row, f->c_column);
  }
  if (f->residual != WEBNN__NONE) {
    webnn_vk__reads(k, "residual", f->residual);
  }
  webnn_vk__text(k, "float finish(float sum, uint i, uint row, uint column) {\n");
  if (f->alpha != 1.0f) {
    webnn_vk__push_float(k, "ALPHA", f->alpha);
    webnn_vk__text(k, "  sum = ALPHA * sum;\n");
  }
  if (f->c != WEBNN__NONE && f->beta != 1.0f) {
    webnn_vk__push_float(k, "BETA", f->beta);
    webnn_vk__text(k, "  sum = sum + BETA * load_c(row * C_ROW + column * C_COLUMN);\n");
  } else if (f->c != WEBNN__NONE) {
    webnn_vk__text(k, "  sum = sum + load_c(row * C_ROW + column * C_COLUMN);\n");
  }
  if (f->residual != WEBNN__NONE) {
    webnn_vk__text(k, "  sum = sum + load_residual(i);\n");
  }
  if (f->low >= -3.402823466e38f) {
    webnn_vk__push_float(k, "LOW", f->low);
    webnn_vk__text(k, "  sum = sum < LOW ? LOW : sum;\n");
  }
  if (f->high <= 3.402823466e38f) {
    webnn_vk__push_float(k, "HIGH", f->high);
    webnn_vk__text(k, "  sum = sum > HIGH ? HIGH : sum;\n");
  }
  webnn_vk__text(k, "  return sum;\n}\n");
}

/* What all kernels compute with: sums are floats, or integers for products of bytes, whose terms in
   tiles are words of four. */
static void webnn_vk__put_arithmetic(webnn_vk__kernel *k, bool bytes, bool matrices) {
  const bool dots = bytes && !matrices && k->planner->traits->dot_products;
  k->extensions = dots ? "#extension GL_EXT_control_flow_attributes : require\n"
                         "#extension GL_EXT_integer_dot_product : require\n"
                       : "#extension GL_EXT_control_flow_attributes : require\n";
  if (!bytes) {
    webnn_vk__text(k, "#define ELEMENT float\n#define QUAD vec4\n#define SUM float\n"
                      "#define FOUR vec4\n"
                      "float add_one(float a, float b, float s) { return fma(a, b, s); }\n"
                      "float add_term(float a, float b, float s) { return fma(a, b, s); }\n");
    return;
  }
  webnn_vk__text(k, "#define ELEMENT uint\n#define QUAD uvec4\n#define SUM int\n"
                    "#define FOUR ivec4\n"
                    "int add_one(int a, int b, int s) { return s + a * b; }\n");
  webnn_vk__text(k, dots ? "int add_term(uint a, uint b, int s) {\n"
                           "  return s + dotPacked4x8EXT(int(a), int(b));\n"
                           "}\n"
                         : "int add_term(uint a, uint b, int s) {\n"
                           "  ivec4 p = ivec4(uvec4(a << 24, a << 16, a << 8, a)) >> 24;\n"
                           "  p *= ivec4(uvec4(b << 24, b << 16, b << 8, b)) >> 24;\n"
                           "  return s + (p.x + p.y + p.z + p.w);\n"
                           "}\n");
  webnn_vk__text(k, "ivec4 add_terms(uint a, uvec4 b, ivec4 s) {\n"
                    "  return ivec4(add_term(a, b.x, s.x), add_term(a, b.y, s.y),\n"
                    "               add_term(a, b.z, s.z), add_term(a, b.w, s.w));\n"
                    "}\n");
}

/* ---- Products in tiles --------------------------------------------------------------------------

   A workgroup computes a tile of TILE_ROWS x TILE_COLUMNS of y in steps of TILE_STEP terms: it
   brings parts of a and b into shared memory, and each invocation adds up ROWS_EACH x COLUMNS_EACH
   sums in registers, in fours of neighbouring rows and of neighbouring columns. GPUs load the next
   step while they compute one. Where the fours of a row of y do not make whole words, y is made
   zeros before, and each element is put into its word by an atomic operation. Where there are too
   few tiles for a device, terms are split among workgroups: sums go to scratch memory, and a second
   kernel adds them up and finishes them. */

/* Where elements of a and b are, and what becomes of a sum, are functions of the text:
   begin_a(batch) and UNIT_A(begin, row, k, v), the same of b, and tile_end. `put` writes them, and
   whatever they read; `put_end` only what tile_end needs, for the kernel that adds up. Of bytes a
   term is a word of four. If a_by_step, begin_a(batch, from, row) is called for each step, with its
   first term and the first row that this invocation loads. A_BEGIN is the type of what it finds. */
typedef struct webnn_vk__tiled {
  uint32_t node, rows, columns, depth;
  uint64_t batches;
  uint32_t y_batch, y_row; /* strides of y */
  bool bytes;
  bool places;                       /* the text has place_of: where element i of y is */
  bool scattered;                    /* neighbouring columns are not neighbours in y */
  bool a_along_depth, b_along_depth; /* neighbouring terms are neighbours in memory */
  bool a_by_step, b_by_step;
  uint32_t a_unit, b_unit;
  webnn_vk__operand y;
  uint64_t elements; /* of y */
  void (*put)(webnn_vk__kernel *k, const void *user);
  void (*put_end)(webnn_vk__kernel *k, const void *user);
  uint32_t end_operands; /* that put_end binds */
  const void *user;
  bool halves; /* cooperative matrices of float16 will do */
  uint32_t tile_rows, tile_columns, rows_each, columns_each; /* the rest is worked out */
  uint32_t tile_step;
  const webnn_vk__matrix_shape *matrix; /* rows_each and columns_each are those of a subgroup */
  uint32_t splits, split_depth;
  bool whole; /* the fours of a row of y make whole words */
} webnn_vk__tiled;

#define WEBNN_VK__TILE_STEP 16

/* The size of a tile, and what of it an invocation has, or with matrices a subgroup. A larger one
   needs fewer loads for a sum, but where there would be fewer than `least`, smaller ones keep more
   of a device busy. */
typedef struct webnn_vk__tile {
  uint16_t rows, columns, rows_each, columns_each, least;
} webnn_vk__tile;

/* Those of GPUs, in the order in which they are tried. The first are of matrices, of which the
   second fits every product; those after it are for devices where they were measured to be faster.
   The last fits everywhere. */
#define WEBNN_VK__MATRIX_TILES 4
static const webnn_vk__tile webnn_vk__tiles[WEBNN_VK__TILES] = {
    {128, 128, 64, 64, 256}, {64, 64, 32, 32, 0}, {128, 256, 64, 64, 200}, {128, 128, 64, 32, 100},
    {128, 128, 8, 8, 96},    {64, 64, 8, 4, 64},  {32, 32, 4, 4, 0}};

static uint64_t webnn_vk__tile_count(const webnn_vk__tiled *p) {
  return p->batches * ((p->rows + p->tile_rows - 1) / p->tile_rows) *
         ((p->columns + p->tile_columns - 1) / p->tile_columns);
}

static void webnn_vk__set_tile(webnn_vk__tiled *p, const webnn_vk__tile *tile) {
  p->tile_rows = tile->rows;
  p->tile_columns = tile->columns;
  p->rows_each = tile->rows_each;
  p->columns_each = tile->columns_each;
}

/* How many elements of y a word has. */
static uint32_t webnn_vk__elements_of_word(const webnn_vk__tiled *p) {
  return 32 / (uint32_t)webnn_data_type_bits(p->y.type);
}

/* One operand's part of a tile, @ in lower and $ in upper case, whose rows or columns are #: unit
   number `unit` of this invocation is loaded by fetch_@ and put into half `side` by keep_@. */
static const char *const webnn_vk__fetch_text =
    "void place_@(uint unit, out uint r, out uint k) {\n"
    "  uint e = unit * INVOCATIONS + gl_LocalInvocationID.x;\n"
    "  if ($_ALONG_DEPTH == 0u) {\n"
    "    r = e % (TILE_# / $_UNIT) * $_UNIT;\n"
    "    k = e / (TILE_# / $_UNIT);\n"
    "  } else {\n"
    "    r = e / (TILE_STEP / $_UNIT);\n"
    "    k = e % (TILE_STEP / $_UNIT) * $_UNIT;\n"
    "  }\n"
    "}\n"
    "void fetch_@(uint unit, $_BEGIN begin, uint first, uint from, uint to,\n"
    "             out $_TYPE v[$_LENGTH]) {\n"
    "  uint r, k;\n"
    "  place_@(unit, r, k);\n"
    "  if (first + r < # && from + k < to) {\n"
    "    UNIT_$(begin, first + r, from + k, v);\n"
    "  } else {\n"
    "    for (uint j = 0u; j < $_LENGTH; j++) { v[j] = $_TYPE(0); }\n"
    "  }\n"
    "}\n";

/* What is put is in fours of neighbouring rows. */
static const char *const webnn_vk__keep_text =
    "shared QUAD @_tile[SIDES * TILE_STEP * TILE_# / 4u];\n"
    "void keep_@(uint unit, uint side, ELEMENT v[$_UNIT]) {\n"
    "  uint r, k;\n"
    "  place_@(unit, r, k);\n"
    "  uint at = (side * TILE_STEP + k) * TILE_# + r;\n"
    "  if ($_UNIT == 1u) {\n"
    "    @_tile[at >> 2][at & 3u] = v[0];\n"
    "  } else if ($_ALONG_DEPTH == 0u) {\n"
    "    for (uint j = 0u; j < $_UNIT; j += 4u) {\n"
    "      @_tile[at + j >> 2] = QUAD(v[j], v[j + 1u], v[j + 2u], v[j + 3u]);\n"
    "    }\n"
    "  } else {\n"
    "    for (uint j = 0u; j < $_UNIT; j++) {\n"
    "      uint i = at + j * TILE_#;\n"
    "      @_tile[i >> 2][i & 3u] = v[j];\n"
    "    }\n"
    "  }\n"
    "}\n";

/* Neighbouring invocations have 4 x 8 parts of the tile: together they read the fewest bytes of
   shared memory. */
static const char *const webnn_vk__owner_text =
    "#define SUMS FOUR\n"
    "#define NO_SUMS FOUR(0)\n"
    "#define ROWS_APART 4u\n"
    "#define COLUMNS_APART 4u\n"
    "uint owner() {\n"
    "  uint across = TILE_COLUMNS / COLUMNS_EACH;\n"
    "  uint block = gl_LocalInvocationID.x / 32u;\n"
    "  uint lane = gl_LocalInvocationID.x % 32u;\n"
    "  uint row = block / (across / 8u) * 4u + lane / 8u;\n"
    "  return row * across + block % (across / 8u) * 8u + lane % 8u;\n"
    "}\n"
    "#define OWNER owner()\n";

/* Where the tile, and this invocation's part of it, are. */
static const char *const webnn_vk__tile_run_text =
    "void run(uint group) {\n"
    "  uint tiles = (COLUMNS + TILE_COLUMNS - 1u) / TILE_COLUMNS;\n"
    "  uint column = group % tiles * TILE_COLUMNS;\n"
    "  uint rest = group / tiles;\n"
    "  tiles = (ROWS + TILE_ROWS - 1u) / TILE_ROWS;\n"
    "  uint row = rest % tiles * TILE_ROWS;\n"
    "  rest = rest / tiles;\n"
    "  uint split = rest % SPLITS;\n"
    "  uint batch = rest / SPLITS;\n"
    "  uint from = split * SPLIT_DEPTH;\n"
    "  uint to = min(DEPTH, from + SPLIT_DEPTH);\n"
    "  uint side = 0u;\n"
    "  uint my_row = OWNER / (TILE_COLUMNS / COLUMNS_EACH) * ROWS_APART;\n"
    "  uint my_column = OWNER % (TILE_COLUMNS / COLUMNS_EACH) * COLUMNS_APART;\n";

/* Units of a step: each is loaded and put into shared memory at once; or only loaded into variables
   of its own, or only put. */
static void webnn_vk__put_units(webnn_vk__kernel *k, const webnn_vk__tiled *p, const char *from,
                                bool loads, bool keeps) {
  uint32_t which, u;
  for (which = 0; which < 2; which++) {
    const char name = which == 0 ? 'a' : 'b', upper = which == 0 ? 'A' : 'B';
    const char *first = which == 0 ? "row" : "column";
    const uint32_t unit = which == 0 ? p->a_unit : p->b_unit;
    const uint32_t count =
        p->tile_step * (which == 0 ? p->tile_rows : p->tile_columns) / unit / k->local;
    if (loads && (which == 0 ? p->a_by_step : p->b_by_step)) {
      webnn_vk__format(k,
                       "    at_%c = begin_%c(batch, %s, %s + gl_LocalInvocationID.x %% (%uu / "
                       "%c_UNIT) * %c_UNIT);\n",
                       name, name, from, first, which == 0 ? p->tile_rows : p->tile_columns, upper,
                       upper);
    }
    if (loads && keeps) {
      webnn_vk__format(k,
                       "    [[dont_unroll]] for (uint u = 0u; u < %uu; u++) {\n"
                       "      %c_TYPE v[%c_LENGTH];\n"
                       "      fetch_%c(u, at_%c, %s, %s, to, v);\n"
                       "      keep_%c(u, side, v);\n"
                       "    }\n",
                       count, upper, upper, name, name, first, from, name);
      continue;
    }
    for (u = 0; u < count; u++) {
      if (loads) {
        webnn_vk__format(k, "    fetch_%c(%uu, at_%c, %s, %s, to, %c%u);\n", name, u, name, first,
                         from, name, u);
      } else if (keeps) {
        webnn_vk__format(k, "    keep_%c(%uu, side, %c%u);\n", name, u, name, u);
      } else {
        webnn_vk__format(k, "  %c_TYPE %c%u[%c_LENGTH];\n", upper, name, u, upper);
      }
    }
  }
}

/* What an invocation adds up of a step: all sums are variables of their own. */
static void webnn_vk__put_tile_sums(webnn_vk__kernel *k, const webnn_vk__tiled *p) {
  const uint32_t rows = p->rows_each / 4, columns = p->columns_each / 4;
  uint32_t i, j;
  webnn_vk__text(k, "    for (uint k = 0u; k < TILE_STEP; k++) {\n"
                    "      uint a_from = ((side * TILE_STEP + k) * TILE_ROWS + my_row) / 4u;\n"
                    "      uint b_from = ((side * TILE_STEP + k) * TILE_COLUMNS + my_column) / "
                    "4u;\n");
  for (i = 0; i < rows; i++) {
    webnn_vk__format(k, "      QUAD p%u = a_tile[a_from + %uu];\n", i,
                     (i * (p->tile_rows / p->rows_each)));
  }
  for (j = 0; j < columns; j++) {
    webnn_vk__format(k, "      QUAD q%u = b_tile[b_from + %uu];\n", j,
                     (j * (p->tile_columns / p->columns_each)));
  }
  for (i = 0; i < 4 * rows; i++) {
    for (j = 0; j < columns; j++) {
      webnn_vk__format(k,
                       p->bytes ? "      s%u_%u = add_terms(p%u.%c, q%u, s%u_%u);\n"
                                : "      s%u_%u = fma(vec4(p%u.%c), q%u, s%u_%u);\n",
                       i, j, (i / 4), "xyzw"[i % 4], j, i, j);
    }
  }
  webnn_vk__text(k, "    }\n");
}

/* ---- Cooperative matrices ----

   With operands of float16, or of bytes, a subgroup has ROWS_EACH x COLUMNS_EACH sums, in matrices
   whose elements its invocations share: a step brings float16, or words of four bytes, into shared
   memory, rows or columns of the tile with 16 unused bytes behind each, and the matrices are loaded
   from there. Words of bytes lie along the terms, whatever the operand does. At the end sums go
   through shared memory one by one, to be finished like others. */

/* The names by which the kernel knows matrices. A test that has none may give others. */
#define WEBNN_VK__COOPERATIVE_NAMES                                                                \
  "#define OWNER gl_SubgroupID\n"                                                                  \
  "#define LANE gl_SubgroupInvocationID\n"                                                         \
  "#define all_lanes subgroupBarrier\n"                                                            \
  "#define LEFT coopmat<FACTOR, gl_ScopeSubgroup, M, FACTORS, gl_MatrixUseA>\n"                    \
  "#define RIGHT coopmat<FACTOR, gl_ScopeSubgroup, FACTORS, N, gl_MatrixUseB>\n"                   \
  "#define SUMS coopmat<SUM, gl_ScopeSubgroup, M, N, gl_MatrixUseAccumulator>\n"                   \
  "#define NO_SUMS SUMS(SUM(0))\n"                                                                 \
  "#define load_left coopMatLoad\n"                                                                \
  "#define load_right coopMatLoad\n"                                                               \
  "#define store_sums coopMatStore\n"                                                              \
  "#define A_TILE a_tile,\n"                                                                       \
  "#define B_TILE b_tile,\n"                                                                       \
  "#define OF_SUMS sums,\n"                                                                        \
  "#define IS =\n"                                                                                 \
  "#define product_sum coopMatMulAdd\n"                                                            \
  "#define BY_ROWS gl_CooperativeMatrixLayoutRowMajor\n"                                           \
  "#define BY_COLUMNS gl_CooperativeMatrixLayoutColumnMajor\n"
#ifndef WEBNN_VK__MATRIX_NAMES
#define WEBNN_VK__MATRIX_NAMES(bytes) WEBNN_VK__COOPERATIVE_NAMES
#endif

static const char *const webnn_vk__matrix_extensions =
    "#extension GL_EXT_control_flow_attributes : require\n" WEBNN_VK__HALF_EXTENSION
    "#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require\n"
    "#extension GL_KHR_memory_scope_semantics : require\n"
    "#extension GL_KHR_shader_subgroup_basic : require\n"
    "#extension GL_KHR_cooperative_matrix : require\n";

static const char *const webnn_vk__matrix_keep_text =
    "const uint $_LINE = ($_BY_DEPTH == 1u ? TILE_STEP : TILE_#) + UNUSED;\n"
    "const uint $_SIDE = ($_BY_DEPTH == 1u ? TILE_# : TILE_STEP) * $_LINE;\n"
    "shared $_TYPE @_tile[SIDES * $_SIDE / $_UNIT];\n"
    "void keep_@(uint unit, uint side, $_TYPE v[$_LENGTH]) {\n"
    "  uint r, k;\n"
    "  place_@(unit, r, k);\n"
    "  uint at = $_BY_DEPTH == 1u ? r * $_LINE + k : k * $_LINE + r;\n"
    "  @_tile[(side * $_SIDE + at) / $_UNIT] = v[0];\n"
    "}\n";

static const char *const webnn_vk__matrix_end_text =
    "void put_sums(uint batch, uint split, uint row, uint column) {\n"
    "  for (uint e = LANE * 4u; e < M * N; e += SUBGROUP * 4u) {\n"
    "    uint at = OWNER * M * N + e;\n"
    "    FOUR four = FOUR(sums[at], sums[at + 1u], sums[at + 2u], sums[at + 3u]);\n"
    "    put_four(batch, split, row + e / N, column + e % N, four);\n"
    "  }\n"
    "}\n";

/* Left matrices are M x K terms, right ones K x N. */
static void webnn_vk__put_matrix_sums(webnn_vk__kernel *k, const webnn_vk__tiled *p) {
  const uint32_t rows = p->rows_each / p->matrix->m, columns = p->columns_each / p->matrix->n;
  const bool a_by_depth = p->bytes || p->a_along_depth, b_by_depth = p->bytes || p->b_along_depth;
  uint32_t i, j;
  webnn_vk__text(k, "    for (uint k = 0u; k < TILE_STEP; k += K) {\n"
                    "      uint p_at = side * A_SIDE;\n"
                    "      p_at += A_BY_DEPTH == 1u ? my_row * A_LINE + k\n"
                    "                               : k * A_LINE + my_row;\n"
                    "      uint q_at = side * B_SIDE;\n"
                    "      q_at += B_BY_DEPTH == 1u ? my_column * B_LINE + k\n"
                    "                               : k * B_LINE + my_column;\n");
  for (i = 0; i < rows; i++) {
    webnn_vk__format(k,
                     "      LEFT p%u;\n"
                     "      load_left(p%u, A_TILE (p_at + %uu%s) / A_UNIT, A_LINE / A_UNIT, %s);\n",
                     i, i, (i * p->matrix->m), a_by_depth ? " * A_LINE" : "",
                     a_by_depth ? "BY_ROWS" : "BY_COLUMNS");
  }
  for (j = 0; j < columns; j++) {
    webnn_vk__format(
        k,
        "      RIGHT q%u;\n"
        "      load_right(q%u, B_TILE (q_at + %uu%s) / B_UNIT, B_LINE / B_UNIT, %s);\n",
        j, j, (j * p->matrix->n), b_by_depth ? " * B_LINE" : "",
        b_by_depth ? "BY_COLUMNS" : "BY_ROWS");
    for (i = 0; i < rows; i++) {
      webnn_vk__format(k, "      s%u_%u IS product_sum(p%u, q%u, s%u_%u);\n", i, j, i, j, i, j);
    }
  }
  webnn_vk__text(k, "    }\n");
}

/* A loop, in which the text of the ending stands once. */
static void webnn_vk__put_matrix_end(webnn_vk__kernel *k, const webnn_vk__tiled *p) {
  const uint32_t rows = p->rows_each / p->matrix->m, columns = p->columns_each / p->matrix->n;
  uint32_t q;
  webnn_vk__format(k, "  [[dont_unroll]] for (uint q = 0u; q < %uu; q++) {\n", rows * columns);
  for (q = 0; q < rows * columns; q++) {
    webnn_vk__format(k,
                     "    if (q == %uu) { store_sums(s%u_%u, OF_SUMS OWNER * M * N, N, BY_ROWS); "
                     "}\n",
                     q, q / columns, q % columns);
  }
  webnn_vk__format(k,
                   "    all_lanes();\n"
                   "    put_sums(batch, split, row + my_row + q / %uu * M,\n"
                   "             column + my_column + q %% %uu * N);\n"
                   "    all_lanes();\n"
                   "  }\n"
                   "}\n",
                   columns, columns);
}

/* The terms of a step with matrices, which are float16 or words of four bytes: 64 bytes. */
static uint32_t webnn_vk__matrix_step(const webnn_vk__tiled *p) {
  return p->bytes ? 16 : 32;
}

/* The largest of the matrices of which a step of a tile has whole ones; NULL: there are none, the
   product is smaller than a tile, or the driver is of software, which has no hardware for them. */
static const webnn_vk__matrix_shape *webnn_vk__matrix_for(const webnn_vk__traits *traits,
                                                          const webnn_vk__tiled *p) {
  const webnn_vk__matrix_shape *best = NULL, *shape = traits->matrix_shapes;
  const uint32_t step = p->bytes ? 64 : 32; /* in elements */
  uint32_t i, most = 0;
  if (traits->is_cpu || !(p->halves || p->bytes) || p->rows < 32 || p->columns < 32 ||
      p->depth < webnn_vk__matrix_step(p)) {
    return NULL;
  }
  for (i = 0; i < traits->matrix_shape_count; i++, shape++) {
    if (shape->bytes == p->bytes && shape->m > 0 && shape->k > 3 && shape->n % 4 == 0 &&
        shape->n > 0 && 32 % shape->m == 0 && 32 % shape->n == 0 && step % shape->k == 0 &&
        shape->m * shape->n * shape->k > most) {
      most = shape->m * shape->n * shape->k;
      best = shape;
    }
  }
  return best;
}

/* How many invocations a workgroup has. */
static uint32_t webnn_vk__tile_invocations(const webnn_vk__traits *traits,
                                           const webnn_vk__tiled *p) {
  return p->tile_rows / p->rows_each * (p->tile_columns / p->columns_each) *
         (p->matrix != NULL ? traits->matrix_subgroup : 1);
}

/* The bytes of shared memory that a step needs, and the end of matrices. */
static uint32_t webnn_vk__shared_bytes(const webnn_vk__tiled *p, uint32_t local, uint32_t subgroup,
                                       uint32_t sides) {
  const uint32_t element = p->bytes ? 4 : 2, unused = 16;
  const uint32_t a = p->bytes || p->a_along_depth
                         ? p->tile_rows * (p->tile_step * element + unused)
                         : p->tile_step * (p->tile_rows * element + unused);
  const uint32_t b = p->bytes || p->b_along_depth
                         ? p->tile_columns * (p->tile_step * element + unused)
                         : p->tile_step * (p->tile_columns * element + unused);
  return p->matrix == NULL ? sides * p->tile_step * 4 * (p->tile_rows + p->tile_columns)
                           : sides * (a + b) + local / subgroup * p->matrix->m * p->matrix->n * 4;
}

/* Are there the invocations, the shared memory and the registers for steps of so many terms?
   Invocations load whole units, and sums, float16 that come one by one, and words of bytes take a
   register. */
static bool webnn_vk__step_fits(const webnn_vk__traits *traits, webnn_vk__tiled *p, uint32_t step,
                                uint32_t sides) {
  const uint32_t subgroup = traits->matrix_subgroup;
  const uint32_t local = webnn_vk__tile_invocations(traits, p);
  const uint32_t a = step * p->tile_rows / p->a_unit, b = step * p->tile_columns / p->b_unit;
  const uint32_t ahead = a * (p->a_unit == 8 ? 4 : 1) + b * (p->b_unit == 8 ? 4 : 1);
  p->tile_step = step;
  return local <= traits->max_invocations && a % local == 0 && b % local == 0 &&
         step % (p->matrix->k / (p->bytes ? 4 : 1)) == 0 &&
         p->rows_each * p->columns_each / subgroup + ahead / local <= traits->registers &&
         webnn_vk__shared_bytes(p, local, subgroup, sides) <= traits->shared_bytes;
}

/* Two sides of shared memory save a barrier in each step, half a step is better than one side. */
static bool webnn_vk__matrix_tile_fits(const webnn_vk__traits *traits, webnn_vk__tiled *p) {
  const uint32_t step = webnn_vk__matrix_step(p);
  return webnn_vk__step_fits(traits, p, step, 2) || webnn_vk__step_fits(traits, p, step / 2, 2) ||
         webnn_vk__step_fits(traits, p, step, 1);
}

/* Gives a product tile `number`, with the largest matrices that there are; has the device room? */
static bool webnn_vk__takes_tile(const webnn_vk__traits *traits, uint32_t number,
                                 webnn_vk__tiled *p) {
  webnn_vk__set_tile(p, &webnn_vk__tiles[number]);
  p->tile_step = WEBNN_VK__TILE_STEP;
  p->matrix = number < WEBNN_VK__MATRIX_TILES ? webnn_vk__matrix_for(traits, p) : NULL;
  return number < WEBNN_VK__MATRIX_TILES
             ? p->matrix != NULL && webnn_vk__matrix_tile_fits(traits, p)
             : webnn_vk__tile_invocations(traits, p) <= traits->max_invocations;
}

/* Sums that tiles of these sizes compute, those outside of y among them. */
static uint64_t webnn_vk__covered(const webnn_vk__tiled *p, uint32_t rows, uint32_t columns) {
  return ((uint64_t)p->rows + rows - 1) / rows * rows *
         (((uint64_t)p->columns + columns - 1) / columns * columns);
}

/* Does at most a third of what the tiles compute lie outside of y, beside the smallest ones? */
static bool webnn_vk__fills_tile(const webnn_vk__tiled *p) {
  return 2 * webnn_vk__covered(p, p->tile_rows, p->tile_columns) <=
         3 * webnn_vk__covered(p, 32, 32);
}

/* How many workgroups a tile would have, where many terms can be split among them. */
static uint64_t webnn_vk__most_groups(const webnn_vk__tiled *p) {
  const uint64_t tiles = webnn_vk__tile_count(p);
  return tiles < 128 && p->depth >= 512 ? tiles * (p->depth / 256) : tiles;
}

/* The first tile of the order (0: as they stand) that the device has room for, that y fills, and of
   which there are enough; or the last. */
static void webnn_vk__choose_gpu_tile(const webnn_vk__traits *traits, uint32_t order,
                                      webnn_vk__tiled *p) {
  uint32_t i;
  for (i = 0; i < WEBNN_VK__TILES; i++) {
    const uint32_t number = order != 0 ? order >> 3 * i & 7 : i;
    if (webnn_vk__takes_tile(traits, number, p) &&
        (webnn_vk__tiles[number].least == 0 ||
         (webnn_vk__fills_tile(p) && webnn_vk__most_groups(p) >= webnn_vk__tiles[number].least))) {
      return;
    }
  }
}

/* The tile that was measured to be the fastest, or is being measured. All tiles add the terms of a
   sum in one order, so that the results keep all their bits. */
static void webnn_vk__choose_measured_tile(const webnn_vk__traits *traits, webnn_vk__tiled *p) {
  const uint32_t kind = p->bytes ? 2 : p->matrix != NULL ? 1 : 0;
  const uint32_t order = WEBNN_VK__ORDER(traits->tile_orders, kind);
  if ((traits->trial == 0 || !webnn_vk__takes_tile(traits, traits->trial - 1, p)) &&
      (traits->trial > 0 || order != 0)) {
    webnn_vk__choose_gpu_tile(traits, order, p);
  }
}

/* Software drivers compile for long, so their kernels are small; with vectors of 8 and more, loads
   from shared memory are what takes time, and more sums for each load pay. */
static void webnn_vk__choose_cpu_tile(const webnn_vk__traits *traits, webnn_vk__tiled *p) {
  static const webnn_vk__tile tiles[2] = {{32, 32, 4, 4, 0}, {64, 64, 8, 8, 0}};
  const uint64_t size = p->batches * p->rows * p->columns * p->depth;
  webnn_vk__set_tile(p, &tiles[size < 1000000 ? 0 : 1]);
  p->tile_step = WEBNN_VK__TILE_STEP;
  if (size > 20000000 && traits->subgroup_size >= 8 && !p->bytes) {
    p->tile_rows = 128;
    p->rows_each = 16;
  }
}

/* Among how many workgroups the terms of a tile are split, at most as many as have room for their
   sums in what can be bound and in indices of 32 bits. */
static uint32_t webnn_vk__split_count(const webnn_vk__traits *traits, const webnn_vk__tiled *p) {
  const uint64_t tiles = webnn_vk__tile_count(p);
  const uint64_t sums = p->batches * p->rows * p->columns;
  const uint64_t room = traits->max_range / 4 < UINT32_MAX ? traits->max_range / 4 : UINT32_MAX;
  uint64_t splits = 1, most = room / sums;
  if (!traits->is_cpu && tiles < 128 && p->depth >= 512) {
    most = most < 32 ? most : 32;
    most = most < p->depth / 128 ? most : p->depth / 128;
    splits = 256 / tiles;
  } else if (traits->is_cpu && p->depth >= 256 && tiles < 4) {
    splits = 2;
  }
  splits = splits < most ? splits : most;
  return splits > 1 && p->end_operands + 2 <= traits->max_operands ? (uint32_t)splits : 1;
}

/* Is the product large enough for tiles? Then it gets their size, and the number of splits. */
static bool webnn_vk__chooses_tiles(const webnn_vk__traits *traits, webnn_vk__tiled *p) {
  const uint64_t size = (uint64_t)p->rows * p->columns * p->depth * (p->bytes ? 4 : 1);
  const uint32_t each = webnn_vk__elements_of_word(p);
  uint32_t step;
  if (p->rows < 16 || p->columns < 16 || p->depth < 8 ||
      p->batches * p->rows * p->columns > UINT32_MAX || size < (traits->is_cpu ? 65536u : 16384u)) {
    return false;
  }
  if (traits->is_cpu) {
    webnn_vk__choose_cpu_tile(traits, p);
  } else {
    webnn_vk__choose_gpu_tile(traits, 0, p);
  }
  p->whole =
      each == 1 || (!p->scattered && ((p->columns | p->y_row | p->y_batch) & (each - 1)) == 0);
  p->splits = webnn_vk__split_count(traits, p);
  p->split_depth = (p->depth + p->splits - 1) / p->splits;
  step = p->matrix != NULL ? webnn_vk__matrix_step(p) : p->tile_step;
  p->split_depth = (p->split_depth + step - 1) / step * step;
  p->splits = (p->depth + p->split_depth - 1) / p->split_depth;
  if (!traits->is_cpu) { /* by other tiles, the same parts */
    webnn_vk__choose_measured_tile(traits, p);
  }
  return true;
}

/* The loop over steps. */
static void webnn_vk__put_tile_loop(webnn_vk__kernel *k, const webnn_vk__tiled *p, bool ahead,
                                    uint32_t sides) {
  const char *const step = "  for (; from < to; from += TILE_STEP) {\n";
  const uint32_t rows = p->matrix != NULL ? p->rows_each / p->matrix->m : p->rows_each;
  const uint32_t columns = p->columns_each / (p->matrix != NULL ? p->matrix->n : 4);
  uint32_t i, j;
  webnn_vk__format(k, "  A_BEGIN at_a%s;\n  B_BEGIN at_b%s;\n",
                   p->a_by_step ? "" : " = begin_a(batch)",
                   p->b_by_step ? "" : " = begin_b(batch)");
  for (i = 0; i < rows; i++) {
    for (j = 0; j < columns; j++) {
      webnn_vk__format(k, "  SUMS s%u_%u = NO_SUMS;\n", i, j);
    }
  }
  if (ahead) {
    webnn_vk__put_units(k, p, "", false, false);
    webnn_vk__put_units(k, p, "from", true, false);
    webnn_vk__text(k, step);
    webnn_vk__put_units(k, p, "", false, true);
    webnn_vk__text(k, "    barrier();\n"
                      "    if (from + TILE_STEP < to) {\n");
    webnn_vk__put_units(k, p, "from + TILE_STEP", true, false);
    webnn_vk__text(k, "    }\n");
  } else {
    webnn_vk__text(k, step);
    webnn_vk__put_units(k, p, "from", true, true);
    webnn_vk__text(k, "    barrier();\n");
  }
  if (p->matrix != NULL) {
    webnn_vk__put_matrix_sums(k, p);
  } else {
    webnn_vk__put_tile_sums(k, p);
  }
  webnn_vk__text(k, sides == 2 ? "    side = 1u - side;\n  }\n" : "    barrier();\n  }\n");
}

/* Four neighbouring sums become elements of y, or go to scratch memory. What follows a product may
   be much code, which a loop has once. Software drivers go through an array; on GPUs that would
   take the sums out of their registers, so each is chosen by its number. */
static void webnn_vk__put_tile_end(webnn_vk__kernel *k, const webnn_vk__tiled *p) {
  const uint32_t columns = p->columns_each / 4, count = p->rows_each * columns;
  const uint32_t rows_apart = p->tile_rows * 4 / p->rows_each;
  const uint32_t columns_apart = p->tile_columns * 4 / p->columns_each;
  const bool is_cpu = k->planner->traits->is_cpu;
  uint32_t q;
  if (is_cpu) {
    webnn_vk__format(k, "  SUMS sums[%u];\n", count);
  }
  for (q = 0; q < count && is_cpu; q++) {
    webnn_vk__format(k, "  sums[%u] = s%u_%u;\n", q, q / columns, q % columns);
  }
  webnn_vk__format(k,
                   "  [[dont_unroll]] for (uint q = 0u; q < %uu; q++) {\n"
                   "    uint r = q / %uu;\n"
                   "    SUMS four = %s;\n",
                   count, columns, is_cpu ? "sums[q]" : "s0_0");
  for (q = 1; q < count && !is_cpu; q++) {
    webnn_vk__format(k, "    if (q == %uu) { four = s%u_%u; }\n", q, q / columns, q % columns);
  }
  webnn_vk__format(k,
                   "    put_four(batch, split, row + my_row + r / 4u * %uu + r %% 4u,\n"
                   "             column + my_column + q %% %uu * %uu, four);\n"
                   "  }\n"
                   "}\n",
                   rows_apart, columns, columns_apart);
}

static const char *const webnn_vk__put_four_text =
    "void put_four(uint batch, uint split, uint row, uint column, FOUR s) {\n"
    "  uint word = 0u;\n"
    "  [[dont_unroll]] for (uint j = 0u; j < 4u; j++) {\n"
    "    uint i;\n"
    "    if (place_of_sum(batch, split, row, column + j, i)) {\n"
    "      word |= bits_of(s[j], i, batch, row, column + j) << (i % Y_EACH * (32u / Y_EACH));\n"
    "      if (Y_WHOLE == 0u) {\n"
    "        atomicOr(y_words[i / Y_EACH], word);\n"
    "        word = 0u;\n"
    "      } else if (i % Y_EACH == Y_EACH - 1u) {\n"
    "        y_words[i / Y_EACH] = word;\n"
    "        word = 0u;\n"
    "      }\n"
    "    }\n"
    "  }\n"
    "}\n";

/* Where a sum of a transposed convolution with strides goes: the grid of a phase may reach beyond
   the image. The functions are those of convolutions, below. */
static const char *const webnn_vk__scattered_place_text =
    "bool place_of_sum(uint batch, uint split, uint row, uint column, out uint i) {\n"
    "  uint pixel = NCHW == 1u ? column : row;\n"
    "  uint channel = group_of(batch) * GROUP_OUTPUTS + (NCHW == 1u ? row : column);\n"
    "  uint image = image_of(batch, pixel);\n"
    "  uint h = row_of(batch, pixel);\n"
    "  uint w = column_of(batch, pixel);\n"
    "  i = NCHW == 1u ? ((image * Y_CHANNELS + channel) * Y_HEIGHT + h) * Y_WIDTH + w\n"
    "                 : ((image * Y_HEIGHT + h) * Y_WIDTH + w) * Y_CHANNELS + channel;\n"
    "  return row < ROWS && column < COLUMNS && h < Y_HEIGHT && w < Y_WIDTH;\n"
    "}\n";

/* Adds up the parts of a sum and finishes it. */
static const char *const webnn_vk__place_text =
    "void place_of(uint i, out uint batch, out uint row, out uint column) {\n"
    "  if (Y_BATCH < Y_ROW) {\n"
    "    row = i / Y_ROW;\n"
    "    batch = i % Y_ROW / COLUMNS;\n"
    "  } else {\n"
    "    row = i / COLUMNS % ROWS;\n"
    "    batch = i / COLUMNS / ROWS;\n"
    "  }\n"
    "  column = i % COLUMNS;\n"
    "}\n";
static const char *const webnn_vk__tile_total_text =
    " element(uint i) {\n"
    "  uint batch, row, column;\n"
    "  place_of(i, batch, row, column);\n"
    "  SUM sum = SUM(0);\n"
    "  uint at = (batch * ROWS + row) * COLUMNS + column;\n"
    "  for (uint split = 0u; split < SPLITS; split++) {\n"
    "    sum += load_parts(split * PRODUCTS + at);\n"
    "  }\n"
    "  return tile_end(sum, i, batch, row, column);\n"
    "}\n";

static void webnn_vk__put_tiled_sizes(webnn_vk__kernel *k, const webnn_vk__tiled *p) {
  WEBNN_VK__PUT_PUSHES(k, "ROWS COLUMNS DEPTH Y_BATCH Y_ROW SPLITS PRODUCTS", p->rows, p->columns,
                       p->depth, p->y_batch, p->y_row, p->splits,
                       (uint32_t)(p->batches * p->rows * p->columns));
  WEBNN_VK__PUT_CONSTANTS(k, "A_UNIT B_UNIT A_LENGTH B_LENGTH", p->a_unit, p->b_unit,
                          p->matrix != NULL ? 1 : p->a_unit, p->matrix != NULL ? 1 : p->b_unit);
  webnn_vk__format(k, "#define A_TYPE %s\n#define B_TYPE %s\n",
                   p->matrix == NULL || p->bytes ? "ELEMENT"
                   : p->a_unit == 8              ? "uvec4"
                                                 : "float16_t",
                   p->matrix == NULL || p->bytes ? "ELEMENT"
                   : p->b_unit == 8              ? "uvec4"
                                                 : "float16_t");
  webnn_vk__put_arithmetic(k, p->bytes, p->matrix != NULL);
  if (p->matrix != NULL) {
    k->extensions = webnn_vk__matrix_extensions;
  }
}

/* The second kernel: a map over y. */
static bool webnn_vk__plan_total(webnn_vk__planner *planner, const webnn_vk__tiled *p,
                                 webnn_vk__operand parts) {
  webnn_vk__kernel k;
  webnn_vk__begin(planner, p->node, &k);
  webnn_vk__put_tiled_sizes(&k, p);
  p->put_end(&k, p->user);
  webnn_vk__reads_part(&k, "parts", parts);
  webnn_vk__writes_part(&k, "y", p->y);
  if (!p->places) {
    webnn_vk__text(&k, webnn_vk__place_text);
  }
  webnn_vk__text(&k, webnn_vk__type_name(p->y.type));
  webnn_vk__text(&k, webnn_vk__tile_total_text);
  return webnn_vk__map(&k, p->elements);
}

/* Numbers of the text that say how a tile is made. */
static void webnn_vk__put_tile_numbers(webnn_vk__kernel *k, const webnn_vk__tiled *p,
                                       uint32_t sides) {
  WEBNN_VK__PUT_CONSTANTS(k, "TILE_ROWS TILE_COLUMNS TILE_STEP SIDES ROWS_EACH COLUMNS_EACH",
                          p->tile_rows, p->tile_columns, p->tile_step, sides, p->rows_each,
                          p->columns_each);
  WEBNN_VK__PUT_CONSTANTS(k, "INVOCATIONS A_ALONG_DEPTH B_ALONG_DEPTH MATRICES", k->local,
                          p->a_along_depth, p->b_along_depth, p->matrix != NULL);
  if (p->matrix != NULL) { /* K in terms */
    WEBNN_VK__PUT_CONSTANTS(k, "SUBGROUP M N K FACTORS UNUSED A_BY_DEPTH B_BY_DEPTH",
                            k->planner->traits->matrix_subgroup, p->matrix->m, p->matrix->n,
                            p->matrix->k / (p->bytes ? 4 : 1), p->matrix->k, p->bytes ? 4 : 8,
                            p->bytes || p->a_along_depth, p->bytes || p->b_along_depth);
    webnn_vk__text(k, p->bytes ? "#define FACTOR int8_t\n" : "#define FACTOR float16_t\n");
  }
}

/* How both operands come into shared memory. */
static void webnn_vk__put_tile_sides(webnn_vk__kernel *k, const webnn_vk__tiled *p) {
  const char *const keep = p->matrix != NULL ? webnn_vk__matrix_keep_text : webnn_vk__keep_text;
  webnn_vk__text_of(k, webnn_vk__fetch_text, "a", "A", "ROWS");
  webnn_vk__text_of(k, keep, "a", "A", "ROWS");
  webnn_vk__text_of(k, webnn_vk__fetch_text, "b", "B", "COLUMNS");
  webnn_vk__text_of(k, keep, "b", "B", "COLUMNS");
}

/* Of a result, or of a part of one: is it there, where it goes, and its bits. */
static void webnn_vk__put_sum_place(webnn_vk__kernel *k, const webnn_vk__tiled *p) {
  const bool whole = p->splits == 1;
  if (whole && p->scattered) {
    webnn_vk__text(k, webnn_vk__scattered_place_text);
  } else {
    webnn_vk__format(k,
                     "bool place_of_sum(uint batch, uint split, uint row, uint column, out uint i) "
                     "{\n"
                     "  i = %s + column;\n"
                     "  return row < ROWS && column < COLUMNS;\n"
                     "}\n",
                     whole ? "batch * Y_BATCH + row * Y_ROW"
                           : "split * PRODUCTS + (batch * ROWS + row) * COLUMNS");
  }
  webnn_vk__format(k,
                   "uint bits_of(SUM s, uint i, uint batch, uint row, uint column) {\n"
                   "  return pack_y(%s);\n"
                   "}\n",
                   whole ? "tile_end(s, i, batch, row, column)" : "s");
}

/* The text of the kernel that writes the tile to `parts`. */
static void webnn_vk__put_tile(webnn_vk__kernel *k, const webnn_vk__tiled *p,
                               webnn_vk__operand parts) {
  const webnn_vk__traits *traits = k->planner->traits;
  const bool ahead = !traits->is_cpu;
  const uint32_t both = webnn_vk__shared_bytes(p, k->local, traits->matrix_subgroup, 2);
  const uint32_t sides = ahead && both <= traits->shared_bytes ? 2 : 1;
  webnn_vk__put_tile_numbers(k, p, sides);
  WEBNN_VK__PUT_CONSTANTS(k, "Y_EACH Y_WHOLE", 32 / (uint32_t)webnn_data_type_bits(parts.type),
                          p->splits > 1 || p->whole);
  webnn_vk__put_tiled_sizes(k, p);
  p->put(k, p->user);
  webnn_vk__push(k, "SPLIT_DEPTH", p->split_depth);
  webnn_vk__writes_part(k, "y", parts);
  webnn_vk__put_tile_sides(k, p);
  webnn_vk__put_sum_place(k, p);
  webnn_vk__text(k, webnn_vk__put_four_text);
  if (p->matrix != NULL) {
    webnn_vk__text(k, "shared SUM sums[INVOCATIONS / SUBGROUP * M * N];\n"
                      "#define ROWS_APART ROWS_EACH\n#define COLUMNS_APART COLUMNS_EACH\n");
    webnn_vk__text(k, WEBNN_VK__MATRIX_NAMES(p->bytes));
    webnn_vk__text(k, webnn_vk__matrix_end_text);
  } else {
    webnn_vk__text(k, webnn_vk__owner_text);
  }
  webnn_vk__text(k, webnn_vk__tile_run_text);
  webnn_vk__put_tile_loop(k, p, ahead, sides);
  if (p->matrix != NULL) {
    webnn_vk__put_matrix_end(k, p);
  } else {
    webnn_vk__put_tile_end(k, p);
  }
}

static bool webnn_vk__plan_tiled(webnn_vk__planner *planner, const webnn_vk__tiled *p) {
  const uint32_t subgroup = p->matrix != NULL ? planner->traits->matrix_subgroup : 1;
  webnn_vk__operand parts = p->y;
  webnn_vk__kernel k;
  if (p->splits > 1) {
    parts = webnn_vk__scratch_part(planner, p->node, p->batches * p->rows * p->columns * p->splits);
    parts.type = p->bytes ? WEBNN_INT32 : WEBNN_FLOAT32;
  } else if (!p->whole && !webnn_vk__clear_narrow(planner, p->node, p->y.value)) {
    return false;
  }
  webnn_vk__begin(planner, p->node, &k);
  k.local = webnn_vk__tile_invocations(planner->traits, p);
  webnn_vk__put_tile(&k, p, parts);
  k.cost = (uint64_t)p->split_depth * p->rows_each * p->columns_each / subgroup;
  if (!webnn_vk__groups(&k, webnn_vk__tile_count(p) * p->splits)) {
    return false;
  }
  if (p->matrix != NULL) {
    planner->kernels[planner->steps[planner->step_count - 1].kernel].subgroup_size = subgroup;
  }
  return p->splits == 1 || webnn_vk__plan_total(planner, p, parts);
}

/* ---- Products of few rows -----------------------------------------------------------------------

   With few rows nothing is used twice but a, and the time is that of reading b. A workgroup
   computes GROUP_COLUMNS columns of all rows. Each of its invocations has EACH columns and adds up
   every LANES-th unit of terms; lanes are added up in shared memory. Neighbouring invocations read
   neighbours in memory: lanes of a column where terms are, else columns. */

#define WEBNN_VK__FEW_ROWS 8

static const char *const webnn_vk__few_rows_text =
    "shared SUM parts[INVOCATIONS * EACH];\n"
    "shared SUM totals[ROWS_EACH * GROUP_COLUMNS];\n"
    /* b of UNIT terms and EACH columns. */
    "void bring_b(uint begin, uint column, uint k, out ELEMENT b[UNIT * EACH]) {\n"
    "  ELEMENT v[B_UNIT];\n"
    "  if (B_ALONG_DEPTH == 1u || B_UNIT == 1u) {\n"
    "    for (uint e = 0u; e < EACH; e++) {\n"
    "      UNIT_B(begin, min(column + e, COLUMNS - 1u), k, v);\n"
    "      for (uint j = 0u; j < UNIT; j++) { b[j * EACH + e] = v[j]; }\n"
    "    }\n"
    "  } else {\n"
    "    COLUMN_UNITS\n"
    "  }\n"
    "}\n"
    "void add_unit(ELEMENT a[A_UNIT], ELEMENT b[UNIT * EACH], inout SUM s[EACH]) {\n"
    "  for (uint j = 0u; j < UNIT; j++) {\n"
    "    for (uint e = 0u; e < EACH; e++) { s[e] = add_term(a[j], b[j * EACH + e], s[e]); }\n"
    "  }\n"
    "}\n"
    "void add_lanes(uint row, uint c, uint lane, SUM s[EACH]) {\n"
    "  for (uint e = 0u; e < EACH; e++) { parts[(c + e) * LANES + lane] = s[e]; }\n"
    "  barrier();\n"
    "  for (uint width = LANES / 2u; width > 0u; width = width / 2u) {\n"
    "    if (lane < width) {\n"
    "      for (uint e = 0u; e < EACH; e++) {\n"
    "        parts[(c + e) * LANES + lane] += parts[(c + e) * LANES + lane + width];\n"
    "      }\n"
    "    }\n"
    "    barrier();\n"
    "  }\n"
    "  if (lane == 0u) {\n"
    "    for (uint e = 0u; e < EACH; e++) {\n"
    "      totals[row * GROUP_COLUMNS + c + e] = parts[(c + e) * LANES];\n"
    "    }\n"
    "  }\n"
    "  barrier();\n"
    "}\n"
    "void run(uint group) {\n"
    "  uint l = gl_LocalInvocationID.x;\n"
    "  uint groups = (COLUMNS + GROUP_COLUMNS - 1u) / GROUP_COLUMNS;\n"
    "  uint first = group % groups * GROUP_COLUMNS;\n"
    "  uint batch = group / groups;\n"
    "  uint c = (B_ALONG_DEPTH == 1u ? l / LANES : l % (GROUP_COLUMNS / EACH)) * EACH;\n"
    "  uint lane = B_ALONG_DEPTH == 1u ? l % LANES : l / (GROUP_COLUMNS / EACH);\n"
    "  uint column = B_ALONG_DEPTH == 1u ? first + c : min(first + c, COLUMNS - EACH);\n"
    "  uint at_a = begin_a(batch);\n"
    "  uint at_b = begin_b(batch);\n"
    "  ELEMENT a[A_UNIT];\n"
    "  ELEMENT b[UNIT * EACH];\n";

/* Units along columns one after the other. Where the same scales serve all of them, these are read
   once. */
#define WEBNN_VK__COLUMN_UNITS                                                                     \
  "#define COLUMN_UNITS for (uint j = 0u; j < UNIT; j++) { UNIT_B(begin, column, k + j, v); "      \
  "for (uint e = 0u; e < EACH; e++) { b[j * EACH + e] = v[e]; } }\n"
#define WEBNN_VK__SCALED_UNITS                                                                     \
  "#define COLUMN_UNITS uint at = begin + column + k * B_STEP; float s[8]; float z[8]; "           \
  "b_scales(at, s, z); for (uint j = 0u; j < UNIT; j++) { b_raw(at + j * B_STEP, s, z, v); "       \
  "for (uint e = 0u; e < EACH; e++) { b[j * EACH + e] = v[e]; } }\n"

static const char *const webnn_vk__few_rows_end_text =
    "  for (uint e = l; e < ROWS_EACH * GROUP_COLUMNS / Y_EACH; e += INVOCATIONS) {\n"
    "    uint row = e * Y_EACH / GROUP_COLUMNS;\n"
    "    uint at = e * Y_EACH % GROUP_COLUMNS;\n"
    "    if (first + at < COLUMNS) {\n"
    "      uint i = (batch * ROWS + row) * COLUMNS + first + at;\n"
    "      uint word = 0u;\n"
    "      for (uint j = 0u; j < Y_EACH && first + at + j < COLUMNS; j++) {\n"
    "        SUM sum = totals[row * GROUP_COLUMNS + at + j];\n"
    "        word |= pack_y(tile_end(sum, i + j, batch, row, first + at + j))\n"
    "                << (j * (32u / Y_EACH));\n"
    "      }\n"
    "      y_words[i / Y_EACH] = word;\n"
    "    }\n"
    "  }\n"
    "}\n";

/* The middle of run(): the loop, with sums of each row. */
static void webnn_vk__put_few_rows(webnn_vk__kernel *k, uint32_t rows) {
  uint32_t i;
  for (i = 0; i < rows; i++) {
    webnn_vk__format(k,
                     "  SUM s%u[EACH];\n"
                     "  for (uint e = 0u; e < EACH; e++) { s%u[e] = SUM(0); }\n",
                     i, i);
  }
  webnn_vk__text(k, "  for (uint k = lane * UNIT; k < DEPTH; k += LANES * UNIT) {\n"
                    "    bring_b(at_b, column, k, b);\n");
  for (i = 0; i < rows; i++) {
    webnn_vk__format(k,
                     "    UNIT_A(at_a, %uu, k, a);\n"
                     "    add_unit(a, b, s%u);\n",
                     i, i);
  }
  webnn_vk__text(k, "  }\n");
  for (i = 0; i < rows; i++) {
    webnn_vk__format(k, "  add_lanes(%uu, c, lane, s%u);\n", i, i);
  }
}

/* Is it a product of few rows, and of a type whose results are whole words here? */
static bool webnn_vk__is_few_rows(const webnn_vk__traits *traits, const webnn_vk__tiled *p) {
  const uint32_t each = webnn_vk__elements_of_word(p);
  return p->rows <= WEBNN_VK__FEW_ROWS && p->depth >= 64 && (p->columns >= 8 || p->b_along_depth) &&
         (uint64_t)p->columns * p->depth >= (traits->is_cpu ? 16384u : 8192u) &&
         p->batches * p->rows * p->columns < UINT32_MAX / 64 &&
         ((p->columns & (each - 1)) == 0 || p->batches * p->rows == 1);
}

/* `scaled`: several units have the same scales. */
static bool webnn_vk__plan_few_rows(webnn_vk__planner *planner, const webnn_vk__tiled *p,
                                    bool scaled) {
  const uint32_t local =
      planner->traits->is_cpu || planner->traits->max_invocations < 256 ? 64 : 256;
  const bool units = p->a_unit == 8 && p->b_unit == 8;
  const uint32_t each = !units ? 1 : p->b_along_depth ? 2 : 8;
  uint32_t columns = p->b_along_depth ? local / 32 * each : 32 * each;
  webnn_vk__kernel k;
  while (!p->b_along_depth && columns > 16 && columns > 2 * each &&
         p->batches * p->columns / columns < 256) { /* enough workgroups */
    columns /= 2;
  }
  webnn_vk__begin(planner, p->node, &k);
  k.local = local;
  WEBNN_VK__PUT_CONSTANTS(
      &k, "INVOCATIONS ROWS_EACH GROUP_COLUMNS LANES EACH UNIT B_ALONG_DEPTH Y_EACH", local,
      p->rows, columns, local * each / columns, each, units ? 8 : 1, p->b_along_depth,
      webnn_vk__elements_of_word(p));
  webnn_vk__put_tiled_sizes(&k, p);
  p->put(&k, p->user);
  webnn_vk__writes_part(&k, "y", p->y);
  webnn_vk__text(&k, scaled ? WEBNN_VK__SCALED_UNITS : WEBNN_VK__COLUMN_UNITS);
  webnn_vk__text(&k, webnn_vk__few_rows_text);
  webnn_vk__put_few_rows(&k, p->rows);
  webnn_vk__text(&k, webnn_vk__few_rows_end_text);
  k.cost = (uint64_t)p->depth * p->rows * columns / local;
  return webnn_vk__groups(&k, p->batches * ((p->columns + columns - 1) / columns));
}

/* ---- Products of matrices ---- */

/* y[batch, row, column] = finish(sum over k of a[...] b[...]). Strides are in elements. */
typedef struct webnn_vk__matrix_product {
  uint32_t rows, columns, depth;
  uint32_t a_row, a_step, b_step, b_column;
  uint32_t batch_rank; /* dimensions that are no more than one are left out */
  uint32_t batch[WEBNN_MAX_RANK], a_batch[WEBNN_MAX_RANK], b_batch[WEBNN_MAX_RANK];
  uint64_t batches;
  webnn_vk__factor factors[2]; /* a and b */
  webnn_vk__operand y;
  webnn_vk__ending ending;
  bool turned; /* its rows are the columns of y */
} webnn_vk__matrix_product;

/* Adds a batch dimension, the outermost first; one that goes on where the last ends is merged. */
static void webnn_vk__add_batch(webnn_vk__matrix_product *p, uint32_t size, uint32_t a,
                                uint32_t b) {
  const uint32_t last = p->batch_rank - 1;
  p->batches *= size;
  if (size == 1) {
    return;
  }
  if (p->batch_rank > 0 && p->a_batch[last] == a * size && p->b_batch[last] == b * size) {
    p->batch[last] *= size;
    p->a_batch[last] = a;
    p->b_batch[last] = b;
    return;
  }
  p->batch[p->batch_rank] = size;
  p->a_batch[p->batch_rank] = a;
  p->b_batch[p->batch_rank++] = b;
}

/* uint begin_a(uint batch), begin_b: where the matrices of a batch begin. */
static void webnn_vk__put_begin(webnn_vk__kernel *k, const webnn_vk__matrix_product *p, bool is_b) {
  const char *name = is_b ? "B" : "A";
  char word[24];
  uint32_t i;
  webnn_vk__format(k, "uint begin_%s(uint batch) {\n  uint at = 0u;\n", is_b ? "b" : "a");
  for (i = p->batch_rank; i-- > 0;) {
    (void)snprintf(word, sizeof word, "%s_%u", name, i);
    webnn_vk__push(k, word, is_b ? p->b_batch[i] : p->a_batch[i]);
    if (i > 0) {
      (void)snprintf(word, sizeof word, "%s_SIZE_%u", name, i);
      webnn_vk__push(k, word, p->batch[i]);
      webnn_vk__format(k, "  at += batch %% %s * %s_%u;\n  batch = batch / %s;\n", word, name, i,
                       word);
    } else {
      webnn_vk__format(k, "  at += batch * %s_0;\n", name);
    }
  }
  webnn_vk__text(k, "  return at;\n}\n");
}

/* The operands, and where their matrices begin. */
static void webnn_vk__put_matrices(webnn_vk__kernel *k, const webnn_vk__matrix_product *p) {
  static const char *const names[2] = {"a", "b"};
  webnn_vk__put_factors(k, names, p->factors);
  WEBNN_VK__PUT_PUSHES(k, "A_ROW A_STEP B_STEP B_COLUMN", p->a_row, p->a_step, p->b_step,
                       p->b_column);
  webnn_vk__put_begin(k, p, false);
  webnn_vk__put_begin(k, p, true);
}

/* An invocation computes an element (or the elements of a word) of y. Sums of 256 terms are added
   up, which bounds the error of long ones. */
static const char *const webnn_vk__product_text =
    " element(uint i) {\n"
    "  uint column = i % COLUMNS;\n"
    "  uint row = i / COLUMNS % ROWS;\n"
    "  uint at_a = begin_a(i / COLUMNS / ROWS) + row * A_ROW;\n"
    "  uint at_b = begin_b(i / COLUMNS / ROWS) + column * B_COLUMN;\n"
    "  SUM sum = SUM(0);\n"
    "  for (uint from = 0u; from < DEPTH; from += 256u) {\n"
    "    SUM part = SUM(0);\n"
    "    uint to = min(DEPTH, from + 256u);\n"
    "    for (uint k = from; k < to; k++) {\n"
    "      part = add_one(load_a(at_a), load_b(at_b), part);\n"
    "      at_a += A_STEP;\n"
    "      at_b += B_STEP;\n"
    "    }\n"
    "    sum += part;\n"
    "  }\n"
    "  return finish(sum, i, row, column);\n"
    "}\n";

/* UNIT_A and UNIT_B from unit_NAME, whose k counts elements; `name` is that of the operand. Bytes
   that are not four in a word are put into words. */
static void webnn_vk__put_terms(webnn_vk__kernel *k, const char *name, const char *side,
                                const webnn_vk__factor *f) {
  if (f->kind == WEBNN_VK__FLOATS) {
    webnn_vk__format(k, "#define UNIT_%s unit_%s\n", side, name);
  } else if (f->wide) {
    webnn_vk__format(k,
                     "void word_%s(%s_BEGIN begin, uint row, uint k, out uint v[1]) {\n"
                     "  unit_%s(begin, row, 4u * k, v);\n"
                     "}\n"
                     "#define UNIT_%s word_%s\n",
                     name, side, name, side, name);
  } else {
    webnn_vk__text_of(k,
                      "void word_@($_BEGIN begin, uint row, uint k, out uint v[1]) {\n"
                      "  uint word = 0u;\n"
                      "  for (uint j = 0u; j < 4u; j++) {\n"
                      "    if (4u * k + j < TERMS) {\n"
                      "      unit_@(begin, row, 4u * k + j, v);\n"
                      "      word |= (v[0] & 255u) << (8u * j);\n"
                      "    }\n"
                      "  }\n"
                      "  v[0] = word;\n"
                      "}\n",
                      name, side, "");
    webnn_vk__format(k, "#define UNIT_%s word_%s\n", side, name);
  }
}

/* What becomes of a sum of tiles. */
static void webnn_vk__put_end_of_matrices(webnn_vk__kernel *k, const void *user) {
  const webnn_vk__matrix_product *p = (const webnn_vk__matrix_product *)user;
  webnn_vk__put_ending(k, &p->ending);
  webnn_vk__format(k,
                   "%s tile_end(SUM sum, uint i, uint batch, uint row, uint column) {\n"
                   "  return finish(sum%s, i, %s);\n"
                   "}\n",
                   webnn_vk__type_name(p->y.type),
                   p->ending.bytes != NULL ? " + start_of(column)" : "",
                   p->turned ? "column, row" : "row, column");
}

/* What tiles need of two matrices. */
static void webnn_vk__put_tiled_matrices(webnn_vk__kernel *k, const void *user) {
  const webnn_vk__matrix_product *p = (const webnn_vk__matrix_product *)user;
  webnn_vk__put_matrices(k, p);
  webnn_vk__put_end_of_matrices(k, p);
  webnn_vk__push(k, "TERMS", p->depth);
  webnn_vk__text(k, "#define A_BEGIN uint\n#define B_BEGIN uint\n"
                    "void unit_a(uint begin, uint row, uint k, out A_TYPE v[A_LENGTH]) {\n"
                    "  a_load(begin + row * A_ROW + k * A_STEP, v);\n"
                    "}\n"
                    "void unit_b(uint begin, uint column, uint k, out B_TYPE v[B_LENGTH]) {\n"
                    "  b_load(begin + column * B_COLUMN + k * B_STEP, v);\n"
                    "}\n");
  webnn_vk__put_terms(k, "a", "A", &p->factors[0]);
  webnn_vk__put_terms(k, "b", "B", &p->factors[1]);
}

/* Which operands can be loaded in units; both or none if rows are few, whose terms must be
   neighbours. */
static void webnn_vk__widen_matrices(const webnn_vk__planner *planner,
                                     webnn_vk__matrix_product *p) {
  const bool few = p->rows <= WEBNN_VK__FEW_ROWS, floats = p->ending.bytes == NULL;
  webnn_vk__factor *a = &p->factors[0], *b = &p->factors[1];
  uint32_t a_batch = 0, b_batch = 0, i;
  for (i = 0; i < p->batch_rank; i++) {
    a_batch |= p->a_batch[i];
    b_batch |= p->b_batch[i];
  }
  a->wide = p->a_step == 1 ? webnn_vk__loads_wide(planner, a, true, p->depth | p->a_row | a_batch)
                           : webnn_vk__loads_wide(planner, a, p->a_row == 1 && !few && floats,
                                                  p->rows | p->a_step | a_batch);
  b->wide = p->b_step == 1
                ? webnn_vk__loads_wide(planner, b, true, p->depth | p->b_column | b_batch)
                : webnn_vk__loads_wide(planner, b, p->b_column == 1 && floats,
                                       p->columns | p->b_step | b_batch);
  if (few && floats) {
    a->wide = b->wide = a->wide && b->wide;
  }
}

/* Do 8 terms of a column of b have the same scale, in memory where columns are neighbours? */
static bool webnn_vk__shares_scales(const webnn_vk__planner *planner,
                                    const webnn_vk__matrix_product *p) {
  const webnn_vk__scaling *s = p->factors[1].scaling;
  const webnn__shape *blocks;
  uint32_t axis;
  if (s == NULL || !p->factors[1].wide || p->factors[1].kind != WEBNN_VK__FLOATS ||
      p->b_column != 1 || s->shape->rank < 2) {
    return false;
  }
  blocks = &planner->program->values[s->zero].shape;
  axis = s->shape->rank - 2;
  return s->shape->dimensions[axis] == p->depth &&
         s->shape->dimensions[axis] / blocks->dimensions[axis] % 8 == 0;
}

/* A matrix times one column is one row times the transposed matrix, which is a product of few rows.
   That is the same y, as one of its dimensions is 1. */
static void webnn_vk__turn_product(webnn_vk__matrix_product *p) {
  const webnn_vk__matrix_product q = *p;
  p->turned = true;
  p->rows = q.columns;
  p->columns = q.rows;
  p->a_row = q.b_column;
  p->a_step = q.b_step;
  p->b_step = q.a_step;
  p->b_column = q.a_row;
  p->factors[0] = q.factors[1];
  p->factors[1] = q.factors[0];
  memcpy(p->a_batch, q.b_batch, sizeof q.b_batch);
  memcpy(p->b_batch, q.a_batch, sizeof q.a_batch);
}

/* The product by few rows or in tiles, if it is large enough: else *tiled is false. */
static bool webnn_vk__plan_tiled_matrices(webnn_vk__planner *planner, uint32_t node,
                                          webnn_vk__matrix_product *p, bool *tiled) {
  webnn_vk__matrix_product turned = *p;
  webnn_vk__tiled t = WEBNN_ZERO;
  if (p->columns == 1 && p->rows > 1 && p->ending.bytes == NULL && p->factors[0].scaling == NULL &&
      p->factors[1].scaling == NULL) {
    webnn_vk__turn_product(&turned);
    p = &turned;
  }
  webnn_vk__widen_matrices(planner, p);
  t.node = node;
  t.rows = p->rows;
  t.columns = p->columns;
  t.bytes = p->ending.bytes != NULL;
  t.depth = t.bytes ? (p->depth + 3) / 4 : p->depth;
  t.batches = p->batches;
  t.y_batch = p->rows * p->columns;
  t.y_row = p->columns;
  t.a_along_depth = p->a_step == 1;
  t.b_along_depth = p->b_step == 1;
  t.a_unit = webnn_vk__unit_of(&p->factors[0]);
  t.b_unit = webnn_vk__unit_of(&p->factors[1]);
  t.y = p->y;
  t.elements = p->batches * p->rows * p->columns;
  t.put = webnn_vk__put_tiled_matrices;
  t.put_end = webnn_vk__put_end_of_matrices;
  t.end_operands = webnn_vk__ending_operands(&p->ending);
  t.user = p;
  *tiled = webnn_vk__is_few_rows(planner->traits, &t);
  if (*tiled) {
    return webnn_vk__plan_few_rows(planner, &t, webnn_vk__shares_scales(planner, p));
  }
  t.halves = webnn_vk__are_halves(planner->traits, p->factors, p->y.type);
  *tiled = webnn_vk__chooses_tiles(planner->traits, &t);
  p->factors[0].halves = p->factors[1].halves = t.matrix != NULL && !t.bytes;
  return *tiled && webnn_vk__plan_tiled(planner, &t);
}

static bool webnn_vk__plan_product(webnn_vk__planner *planner, uint32_t node,
                                   webnn_vk__matrix_product *p) {
  webnn_vk__kernel k;
  bool tiled;
  const bool planned = webnn_vk__plan_tiled_matrices(planner, node, p, &tiled);
  if (tiled) {
    return planned;
  }
  p->factors[0].wide = p->factors[1].wide = false;
  webnn_vk__begin(planner, node, &k);
  WEBNN_VK__PUT_PUSHES(&k, "ROWS COLUMNS DEPTH", p->rows, p->columns, p->depth);
  webnn_vk__put_arithmetic(&k, p->ending.bytes != NULL, false);
  webnn_vk__put_matrices(&k, p);
  webnn_vk__put_ending(&k, &p->ending);
  webnn_vk__writes_part(&k, "y", p->y);
  webnn_vk__text(&k, webnn_vk__type_name(p->y.type));
  webnn_vk__text(&k, webnn_vk__product_text);
  k.cost = p->depth;
  return webnn_vk__map(&k, p->batches * p->rows * p->columns);
}

/* The stride along a batch dimension of y, of an operand with matrices of `matrix` elements; 0
   where it is broadcast. `from_end` counts dimensions, the last two not among them. */
static uint32_t webnn_vk__batch_stride(const webnn__shape *shape, uint32_t from_end) {
  uint64_t stride = 1;
  uint32_t i;
  if (from_end + 3 > shape->rank || shape->dimensions[shape->rank - 3 - from_end] == 1) {
    return 0;
  }
  for (i = shape->rank - 2 - from_end; i < shape->rank; i++) {
    stride *= shape->dimensions[i];
  }
  return (uint32_t)stride;
}

/* matmul and gemm. */
static bool webnn_vk__plan_matmul(webnn_vk__planner *planner, uint32_t index) {
  const webnn__node *node = &planner->program->nodes[index];
  const webnn__value *values = planner->program->values;
  const webnn__attributes *t = &node->attributes;
  const webnn__shape *a = &values[node->inputs[0]].shape, *b = &values[node->inputs[1]].shape;
  const webnn__shape *y = &values[node->outputs[0]].shape;
  webnn_vk__scaling scalings[2];
  webnn_vk__matrix_product p = WEBNN_ZERO;
  uint32_t i;
  p.rows = y->dimensions[y->rank - 2];
  p.columns = y->dimensions[y->rank - 1];
  p.depth = a->dimensions[a->rank - (t->a_transpose ? 2 : 1)];
  p.a_row = t->a_transpose ? 1 : p.depth;
  p.a_step = t->a_transpose ? p.rows : 1;
  p.b_step = t->b_transpose ? 1 : p.columns;
  p.b_column = t->b_transpose ? p.depth : 1;
  p.batches = 1;
  for (i = 0; i < 2; i++) {
    p.factors[i] = webnn_vk__factor_of(planner, node, i, &scalings[i]);
  }
  for (i = 0; i + 2 < y->rank; i++) { /* packed weights that are one matrix may have any shape */
    const bool one = webnn__element_count(b) == (uint64_t)p.columns * p.depth;
    webnn_vk__add_batch(&p, y->dimensions[i], webnn_vk__batch_stride(a, y->rank - 3 - i),
                        one ? 0 : webnn_vk__batch_stride(b, y->rank - 3 - i));
  }
  p.y = webnn_vk__value_part(planner, node->outputs[0]);
  p.ending = webnn_vk__ending_of(node);
  if (node->op == WEBNN_OP_GEMM && p.ending.bytes == NULL) {
    p.ending.alpha = webnn_vk__float_attribute(planner, node, t->alpha);
    p.ending.beta = webnn_vk__float_attribute(planner, node, t->beta);
  }
  if (p.ending.c != WEBNN__NONE) {
    int64_t strides[WEBNN_MAX_RANK] = {0};
    webnn__broadcast_strides(&values[p.ending.c].shape, y, strides);
    p.ending.c_row = (uint32_t)strides[y->rank - 2];
    p.ending.c_column = (uint32_t)strides[y->rank - 1];
  }
  return webnn_vk__plan_product(planner, index, &p);
}

#define webnn_vk__plan_gemm webnn_vk__plan_matmul

/* ---- Windows over images ---- */

/* Puts the sizes of y and the strides of x, and writes void place(uint i, ...): where element i of
   an image like y is. */
static void webnn_vk__put_image(webnn_vk__kernel *k, bool constant, const webnn__shape *x,
                                const webnn__shape *y, uint32_t layout) {
  static const char *const sizes_of_y[4] = {"", "Y_CHANNELS", "Y_HEIGHT", "Y_WIDTH"};
  static const char *const coordinates[4] = {"image", "channel", "row", "column"};
  const uint8_t *axes = webnn__input_axes[layout];
  int64_t strides[WEBNN_MAX_RANK];
  uint32_t i, d;
  webnn__row_major(x, strides);
  webnn_vk__numbers(k, constant, "X_IMAGE X_CHANNEL Y_CHANNELS X_ROW Y_HEIGHT X_COLUMN Y_WIDTH",
                    (uint32_t)strides[axes[0]], (uint32_t)strides[axes[1]], y->dimensions[axes[1]],
                    (uint32_t)strides[axes[2]], y->dimensions[axes[2]], (uint32_t)strides[axes[3]],
                    y->dimensions[axes[3]]);
  webnn_vk__numbers(k, constant, "X_HEIGHT X_WIDTH", x->dimensions[axes[2]],
                    x->dimensions[axes[3]]);
  webnn_vk__text(k, "void place(uint i, out uint image, out uint channel, out uint row, "
                    "out uint column) {\n");
  for (d = 4; d-- > 1;) { /* from the innermost on */
    for (i = 1; axes[i] != d; i++) {
    }
    webnn_vk__format(k, "  %s = i %% %s;\n  %s = i / %s;\n", coordinates[i], sizes_of_y[i],
                     d > 1 ? "i" : "image", sizes_of_y[i]);
  }
  webnn_vk__text(k, "}\n");
}

/* Puts a window of `size` elements: its strides, dilations and padding at the beginning. False if
   positions in an image of this size do not fit into 31 bits. */
static bool webnn_vk__put_window(webnn_vk__kernel *k, bool constant, const webnn__attributes *t,
                                 const uint32_t *size, const webnn__shape *x) {
  static const char *const names[2] = {"WINDOW_HEIGHT STRIDE_HEIGHT DILATION_HEIGHT TOP",
                                       "WINDOW_WIDTH STRIDE_WIDTH DILATION_WIDTH LEFT"};
  const uint8_t *axes = webnn__input_axes[t->input_layout];
  uint32_t i;
  bool fits = true;
  for (i = 0; i < 2; i++) {
    const uint64_t span = (uint64_t)x->dimensions[axes[2 + i]] + t->padding.dimensions[2 * i] +
                          t->padding.dimensions[2 * i + 1] + t->strides.dimensions[i];
    const uint64_t reach = (uint64_t)(size[i] - 1) * t->dilations.dimensions[i];
    fits = fits && span < INT32_MAX && reach < INT32_MAX && span + reach < INT32_MAX;
    webnn_vk__numbers(k, constant, names[i], size[i], t->strides.dimensions[i],
                      size[i] > 1 ? t->dilations.dimensions[i] : 1, t->padding.dimensions[2 * i]);
  }
  return fits;
}

/* ---- conv2d, convTranspose2d ---- */

/* Is the element of x that window element a, b meets for y at row, column inside of x? Where it is
   in its channel. For conv2d, and for convTranspose2d, where it is the x that reaches this y. */
static const char *const webnn_vk__conv2d_text =
    "bool reaches(uint row, uint column, uint a, uint b, out uint at) {\n"
    "  uint h = row * STRIDE_HEIGHT + a * DILATION_HEIGHT - TOP;\n" /* large where it is negative */
    "  uint v = column * STRIDE_WIDTH + b * DILATION_WIDTH - LEFT;\n"
    "  at = h * X_ROW + v * X_COLUMN;\n"
    "  return h < X_HEIGHT && v < X_WIDTH;\n"
    "}\n";
static const char *const webnn_vk__conv_transpose2d_text =
    "bool reaches(uint row, uint column, uint a, uint b, out uint at) {\n"
    "  int down = int(row + TOP) - int(a * DILATION_HEIGHT);\n"
    "  int right = int(column + LEFT) - int(b * DILATION_WIDTH);\n"
    "  uint h = uint(max(down, 0)) / STRIDE_HEIGHT;\n"
    "  uint v = uint(max(right, 0)) / STRIDE_WIDTH;\n"
    "  at = h * X_ROW + v * X_COLUMN;\n"
    "  return down >= 0 && h * STRIDE_HEIGHT == uint(down) && h < X_HEIGHT &&\n"
    "         right >= 0 && v * STRIDE_WIDTH == uint(right) && v < X_WIDTH;\n"
    "}\n";

/* The sum over the window of an element of y, without what lies outside of x. */
static const char *const webnn_vk__window_text =
    "SUM window(uint image, uint channel, uint row, uint column) {\n"
    "  uint group = channel / GROUP_OUTPUTS;\n"
    "  uint from_x = image * X_IMAGE + group * GROUP_INPUTS * X_CHANNEL;\n"
    "  uint from_w = group * W_GROUP + channel % GROUP_OUTPUTS * W_OUTPUT;\n"
    "  SUM sum = SUM(0);\n"
    "  for (uint a = 0u; a < WINDOW_HEIGHT; a++) {\n"
    "    for (uint b = 0u; b < WINDOW_WIDTH; b++) {\n"
    "      uint at_x;\n"
    "      if (reaches(row, column, a, b, at_x)) {\n"
    "        uint at_w = from_w + a * W_ROW + b * W_COLUMN;\n"
    "        at_x += from_x;\n"
    "        SUM part = SUM(0);\n"
    "        for (uint c = 0u; c < GROUP_INPUTS; c++) {\n"
    "          part = add_one(load_x(at_x), load_w(at_w), part);\n"
    "          at_x += X_CHANNEL;\n"
    "          at_w += W_INPUT;\n"
    "        }\n"
    "        sum += part;\n"
    "      }\n"
    "    }\n"
    "  }\n"
    "  return sum;\n"
    "}\n";

/* A convolution, and what follows from its shapes. */
typedef struct webnn_vk__convolution {
  const webnn__node *node;
  const webnn__attributes *t;
  const webnn__shape *x, *w, *y;
  bool transposed, nchw, constant; /* constant: sizes are numbers of the text */
  uint32_t inputs, outputs;        /* of a group */
  uint32_t window[2], size[2];     /* size: of an image of y */
  uint32_t strides[4];             /* of w: output, input, row, column */
  uint32_t phases[2], grid[2];     /* see below */
  bool taps_inner, in_order;       /* see webnn_vk__order_terms */
  bool one_tap, one_pixel;         /* of a step of a tile; of an invocation in it */
  uint32_t tap_width, taps;        /* of a phase */
  webnn_vk__factor factors[2];     /* x and w */
} webnn_vk__convolution;

/* In which order tiles take the terms of a sum, with the inputs of each tap or the taps of each
   input together: as they are in the filter, though nhwc images have inputs together. Are the terms
   then in memory one after the other, at the stride of the first? */
static void webnn_vk__order_terms(webnn_vk__convolution *c) {
  const uint32_t *s = c->strides;
  c->taps_inner = c->nchw && c->taps > 1 && s[1] > s[3];
  c->in_order = c->phases[0] * c->phases[1] == 1 &&
                (c->window[0] == 1 || s[2] == c->window[1] * s[3]) &&
                (c->taps == 1 ||
                 s[c->taps_inner ? 1 : 3] == (c->taps_inner ? c->taps * s[3] : c->inputs * s[1]));
}

static webnn_vk__convolution webnn_vk__convolution_of(const webnn_vk__planner *planner,
                                                      uint32_t index, webnn_vk__scaling *scalings) {
  const webnn__value *values = planner->program->values;
  const uint8_t *axes, *image_axes;
  int64_t strides[WEBNN_MAX_RANK];
  webnn_vk__convolution c = WEBNN_ZERO;
  uint32_t i;
  c.node = &planner->program->nodes[index];
  c.t = &c.node->attributes;
  c.x = &values[c.node->inputs[0]].shape;
  c.w = &values[c.node->inputs[1]].shape;
  c.y = &values[c.node->outputs[0]].shape;
  c.transposed = c.node->op == WEBNN_OP_CONV_TRANSPOSE2D;
  c.nchw = c.t->input_layout == WEBNN_LAYOUT_NCHW;
  axes = webnn__filter_axes[c.t->filter_layout];
  image_axes = webnn__input_axes[c.t->input_layout];
  c.inputs = c.x->dimensions[image_axes[1]] / c.t->groups;
  c.outputs = c.y->dimensions[image_axes[1]] / c.t->groups;
  webnn__row_major(c.w, strides);
  for (i = 0; i < 4; i++) {
    c.strides[i] = (uint32_t)strides[axes[i]];
  }
  for (i = 0; i < 2; i++) {
    c.window[i] = c.w->dimensions[axes[2 + i]];
    c.size[i] = c.y->dimensions[image_axes[2 + i]];
    c.phases[i] = c.transposed && (c.window[i] == 1 || c.t->dilations.dimensions[i] == 1)
                      ? c.t->strides.dimensions[i]
                      : 1;
    c.grid[i] = (c.size[i] + c.phases[i] - 1) / c.phases[i];
    c.factors[i] = webnn_vk__factor_of(planner, c.node, i, &scalings[i]);
  }
  c.tap_width = (c.window[1] + c.phases[1] - 1) / c.phases[1];
  c.taps = (c.window[0] + c.phases[0] - 1) / c.phases[0] * c.tap_width;
  webnn_vk__order_terms(&c);
  return c;
}

/* The operands and all functions but element(). */
static void webnn_vk__put_convolution(webnn_vk__kernel *k, const webnn_vk__convolution *c) {
  static const char *const names[2] = {"x", "w"};
  webnn_vk__ending ending = webnn_vk__ending_of(c->node);
  webnn_vk__put_factors(k, names, c->factors);
  webnn_vk__numbers(k, c->constant, "W_OUTPUT W_INPUT W_ROW W_COLUMN", c->strides[0], c->strides[1],
                    c->strides[2], c->strides[3]);
  webnn_vk__numbers(k, c->constant, "W_GROUP GROUP_INPUTS GROUP_OUTPUTS",
                    c->transposed ? c->inputs * c->strides[1] : c->outputs * c->strides[0],
                    c->inputs, c->outputs);
  webnn_vk__put_image(k, c->constant, c->x, c->y, c->t->input_layout);
  if (!webnn_vk__put_window(k, c->constant, c->t, c->window, c->transposed ? c->y : c->x)) {
    (void)webnn_vk__kernel_fails(k, "positions need more than 31 bits");
  }
  ending.c_column = 1;
  webnn_vk__put_ending(k, &ending);
  webnn_vk__text(k, c->transposed ? webnn_vk__conv_transpose2d_text : webnn_vk__conv2d_text);
  webnn_vk__text(k, webnn_vk__window_text);
}

/* Tiles over a convolution. Of nhwc images rows are pixels, columns output channels, batches
   groups; of nchw images rows are output channels, columns pixels, batches groups of an image. What
   is outside of x is 0 and adds nothing, unless an infinite weight multiplies it; so a sum that is
   NaN is computed again from what is inside.

   A transposed convolution with strides meets only some elements of the window at each pixel, the
   same ones at pixels that are a stride apart. These pixels are a grid, and there is one for each
   phase, which are batches too: PHASE_HEIGHT x PHASE_WIDTH of them, all of which are computed with
   as many taps as the largest has. Without strides, and for conv2d, there is one phase.

   terms_at(batch, k) says of the terms from k on, as far as they have the same tap: the batch, the
   tap, and what k is less than the channel of x. place_x(terms, pixel) says whether what they are
   multiplied by at a pixel is inside of x, and where it is, less k * X_CHANNEL. If a step has one
   tap, or also an invocation one pixel in it, these are found once a step. */
static const char *const webnn_vk__tiled_pixel_text =
    "uint group_of(uint batch) { return NCHW == 1u ? batch / PHASES % GROUPS : batch / PHASES; }\n"
    "uint image_of(uint batch, uint pixel) {\n"
    "  return NCHW == 1u ? batch / PHASES / GROUPS : pixel / GRID;\n"
    "}\n"
    "uint input_of(uint k) { return TAPS_INNER == 1u ? k / TAPS : k % GROUP_INPUTS; }\n"
    "uint tap_of(uint k) { return TAPS_INNER == 1u ? k % TAPS : k / GROUP_INPUTS; }\n"
    "void place_of(uint i, out uint batch, out uint row, out uint column) {\n"
    "  uint image, channel, h, w;\n"
    "  place(i, image, channel, h, w);\n"
    "  uint pixel = h / PHASE_HEIGHT * GRID_WIDTH + w / PHASE_WIDTH;\n"
    "  batch = channel / GROUP_OUTPUTS * PHASES + (NCHW == 1u ? image * GROUPS * PHASES : 0u);\n"
    "  batch += h % PHASE_HEIGHT * PHASE_WIDTH + w % PHASE_WIDTH;\n"
    "  row = NCHW == 1u ? channel % GROUP_OUTPUTS : pixel + image * GRID;\n"
    "  column = NCHW == 1u ? pixel : channel % GROUP_OUTPUTS;\n"
    "}\n"
    "uint row_of(uint batch, uint pixel) {\n"
    "  return pixel % GRID / GRID_WIDTH * PHASE_HEIGHT + batch % PHASES / PHASE_WIDTH;\n"
    "}\n"
    "uint column_of(uint batch, uint pixel) {\n"
    "  return pixel % GRID_WIDTH * PHASE_WIDTH + batch % PHASE_WIDTH;\n"
    "}\n"
    "uint down_of(uint batch, uint k) {\n"
    "  uint first = (batch % PHASES / PHASE_WIDTH + TOP) % PHASE_HEIGHT;\n"
    "  return first + tap_of(k) / TAPS_WIDTH * PHASE_HEIGHT;\n"
    "}\n"
    "uint right_of(uint batch, uint k) {\n"
    "  uint first = (batch % PHASE_WIDTH + LEFT) % PHASE_WIDTH;\n"
    "  return first + tap_of(k) % TAPS_WIDTH * PHASE_WIDTH;\n"
    "}\n"
    "uvec4 terms_at(uint batch, uint k) {\n"
    "  uint channel = group_of(batch) * GROUP_INPUTS + input_of(k);\n"
    "  return uvec4(batch, down_of(batch, k), right_of(batch, k), channel - k);\n"
    "}\n"
    "uvec2 place_x(uvec4 terms, uint pixel) {\n"
    "  uint batch = terms.x, at;\n"
    "  bool inside = reaches(row_of(batch, pixel), column_of(batch, pixel), terms.y, terms.z, "
    "at);\n"
    "  at += image_of(batch, pixel) * X_IMAGE + terms.w * X_CHANNEL;\n"
    "  return uvec2(inside ? 1u : 0u, at);\n"
    "}\n"
    "void unit_x(X_BEGIN begin, uint pixel, uint k, out X_TYPE v[X_LENGTH]) {\n"
    "  uvec2 place = X_PLACE;\n"
    "  if (place.x != 0u) {\n"
    "    x_load(place.y + k * X_CHANNEL, v);\n"
    "  } else {\n"
    "    for (uint j = 0u; j < X_LENGTH; j++) { v[j] = X_TYPE(X_OUTSIDE); }\n"
    "  }\n"
    "}\n"
    "uint weights_of(uint batch, uint output_) {\n"
    "  return group_of(batch) * W_GROUP + output_ * W_OUTPUT;\n"
    "}\n";
static const char *const webnn_vk__weights_in_order_text =
    "void unit_w(uint batch, uint output_, uint k, out W_TYPE v[W_LENGTH]) {\n"
    "  w_load(weights_of(batch, output_) + k * (TAPS_INNER == 1u ? W_COLUMN : W_INPUT), v);\n"
    "}\n";
static const char *const webnn_vk__scattered_weights_text =
    "void unit_w(uint batch, uint output_, uint k, out W_TYPE v[W_LENGTH]) {\n"
    "  uint a = down_of(batch, k);\n"
    "  uint b = right_of(batch, k);\n"
    "  if (a < WINDOW_HEIGHT && b < WINDOW_WIDTH) {\n"
    "    w_load(weights_of(batch, output_) + input_of(k) * W_INPUT + a * W_ROW + b * W_COLUMN, "
    "v);\n"
    "  } else {\n"
    "    for (uint j = 0u; j < W_LENGTH; j++) { v[j] = W_TYPE(0); }\n"
    "  }\n"
    "}\n";

static void webnn_vk__put_tiled_convolution(webnn_vk__kernel *k, const void *user) {
  const webnn_vk__convolution *c = (const webnn_vk__convolution *)user;
  const bool bytes = c->factors[0].kind != WEBNN_VK__FLOATS, fixed = c->constant;
  webnn_vk__uses(k, WEBNN_VK__LIB_BITS);
  webnn_vk__put_convolution(k, c);
  webnn_vk__numbers(k, fixed, "GROUPS PHASES PHASE_HEIGHT PHASE_WIDTH", c->t->groups,
                    c->phases[0] * c->phases[1], c->phases[0], c->phases[1]);
  webnn_vk__numbers(k, fixed, "GRID GRID_WIDTH", c->grid[0] * c->grid[1], c->grid[1]);
  webnn_vk__numbers(k, fixed, "TAPS TAPS_WIDTH TERMS", c->taps, c->tap_width, c->taps * c->inputs);
  WEBNN_VK__PUT_CONSTANTS(k, "NCHW TAPS_INNER", c->nchw, c->taps_inner);
  webnn_vk__text(k, c->nchw ? "#define X_TYPE B_TYPE\n#define W_TYPE A_TYPE\n"
                              "#define X_LENGTH B_LENGTH\n#define W_LENGTH A_LENGTH\n"
                              "#define B_BEGIN X_BEGIN\n#define A_BEGIN uint\n"
                            : "#define X_TYPE A_TYPE\n#define W_TYPE B_TYPE\n"
                              "#define X_LENGTH A_LENGTH\n#define W_LENGTH B_LENGTH\n"
                              "#define A_BEGIN X_BEGIN\n#define B_BEGIN uint\n");
  webnn_vk__text(k, c->one_pixel ? "#define X_BEGIN uvec2\n#define X_PLACE begin\n"
                    : c->one_tap ? "#define X_BEGIN uvec4\n#define X_PLACE place_x(begin, pixel)\n"
                                 : "#define X_BEGIN uint\n"
                                   "#define X_PLACE place_x(terms_at(begin, k), pixel)\n");
  webnn_vk__text(k, bytes ? "#define MENDED sum + start_of(channel)\n"
                          : "#define X_OUTSIDE 0\n"
                            "#define MENDED !is_nan(sum) ? sum : window(image_of(batch, pixel), "
                            "channel, row_of(batch, pixel), column_of(batch, pixel))\n");
  webnn_vk__text(k, webnn_vk__tiled_pixel_text);
  webnn_vk__text(k,
                 c->in_order ? webnn_vk__weights_in_order_text : webnn_vk__scattered_weights_text);
  webnn_vk__text_of(k,
                    c->one_pixel ? "uvec2 begin_@(uint batch, uint from, uint pixel) {\n"
                                   "  return place_x(terms_at(batch, #from), pixel);\n"
                                   "}\n"
                    : c->one_tap ? "uvec4 begin_@(uint batch, uint from, uint pixel) {\n"
                                   "  return terms_at(batch, #from);\n"
                                   "}\n"
                                 : "uint begin_@(uint batch) { return batch; }\n",
                    c->nchw ? "b" : "a", "", bytes ? "4u * " : "");
  webnn_vk__format(k, "uint begin_%s(uint batch) { return batch; }\n", c->nchw ? "a" : "b");
  webnn_vk__put_terms(k, "x", c->nchw ? "B" : "A", &c->factors[0]);
  webnn_vk__put_terms(k, "w", c->nchw ? "A" : "B", &c->factors[1]);
  webnn_vk__text(k, webnn_vk__type_name(webnn_vk__type_of(k->planner, c->node->outputs[0])));
  webnn_vk__text(k,
                 " tile_end(SUM sum, uint i, uint batch, uint row, uint column) {\n"
                 "  uint pixel = NCHW == 1u ? column : row;\n"
                 "  uint channel = group_of(batch) * GROUP_OUTPUTS + (NCHW == 1u ? row : column);\n"
                 "  return finish(MENDED, i, 0u, channel);\n"
                 "}\n");
}

/* Which operands are loaded in units: terms go along the channels of x, or in nchw along the
   weights of an output. Else outputs may be neighbours. */
static void webnn_vk__widen_convolution(const webnn_vk__planner *planner, webnn_vk__convolution *c,
                                        webnn_vk__tiled *t) {
  const uint32_t *s = c->strides, taps = c->window[0] * c->window[1];
  const bool floats = c->factors[0].kind == WEBNN_VK__FLOATS;
  const bool along = c->taps_inner ? c->in_order && s[1] == taps : s[1] == 1;
  webnn_vk__factor *x = &c->factors[0], *w = &c->factors[1];
  const uint32_t channels = c->inputs * c->t->groups;
  x->wide = webnn_vk__loads_wide(planner, x, !c->nchw, channels | c->inputs);
  w->wide =
      along ? webnn_vk__loads_wide(planner, w, true,
                                   c->taps_inner ? taps * c->inputs | s[0]
                                                 : c->inputs | s[0] | (taps > 1 ? s[2] | s[3] : 0))
            : webnn_vk__loads_wide(planner, w, floats && s[0] == 1,
                                   c->outputs | s[1] | (taps > 1 ? s[2] | s[3] : 0));
  if (c->nchw) {
    t->a_along_depth = along || (!w->wide && (c->taps_inner ? s[3] == 1 : s[1] < s[0]));
    t->b_along_depth = false;
  } else {
    t->a_along_depth = true;
    t->b_along_depth = along;
  }
  t->a_unit = webnn_vk__unit_of(c->nchw ? w : x);
  t->b_unit = webnn_vk__unit_of(c->nchw ? x : w);
}

/* The convolution in tiles, if it is one for them: else *tiled is false. */
static bool webnn_vk__plan_tiled_convolution(webnn_vk__planner *planner, uint32_t index,
                                             webnn_vk__convolution *c, bool *tiled) {
  const uint32_t phases = c->phases[0] * c->phases[1], groups = c->t->groups;
  const uint64_t channels = (uint64_t)c->outputs * groups, images = c->y->dimensions[0];
  const uint64_t pixels = (uint64_t)c->grid[0] * c->grid[1];
  const webnn_vk__ending ending = webnn_vk__ending_of(c->node);
  webnn_vk__tiled t = WEBNN_ZERO;
  *tiled = false;
  if (pixels * images > UINT32_MAX || (uint64_t)c->taps * c->inputs > UINT32_MAX / 4 ||
      (phases > 1 && planner->traits->is_cpu)) { /* these gain nothing, and compile for long */
    return false;
  }
  t.node = index;
  t.bytes = c->factors[0].kind != WEBNN_VK__FLOATS;
  t.rows = c->nchw ? c->outputs : (uint32_t)(pixels * images);
  t.columns = c->nchw ? (uint32_t)pixels : c->outputs;
  t.depth = c->taps * c->inputs;
  t.depth = t.bytes ? (t.depth + 3) / 4 : t.depth;
  t.batches = (uint64_t)groups * phases * (c->nchw ? images : 1);
  t.y_batch = c->nchw ? t.rows * t.columns : c->outputs;
  t.y_row = c->nchw ? t.columns : (uint32_t)channels;
  t.places = true;
  t.scattered = phases > 1;
  t.y = webnn_vk__value_part(planner, c->node->outputs[0]);
  t.elements = webnn__element_count(c->y);
  t.put = t.put_end = webnn_vk__put_tiled_convolution; /* a sum may be computed again */
  t.end_operands = 2 + webnn_vk__ending_operands(&ending);
  t.user = c;
  webnn_vk__widen_convolution(planner, c, &t);
  t.halves = webnn_vk__are_halves(planner->traits, c->factors, t.y.type);
  *tiled = webnn_vk__chooses_tiles(planner->traits, &t);
  if (!*tiled) {
    return false;
  }
  c->one_tap =
      c->taps == 1 || (!c->taps_inner && c->inputs % (t.tile_step * (t.bytes ? 4 : 1)) == 0);
  c->one_pixel = c->one_tap && c->nchw &&
                 webnn_vk__tile_invocations(planner->traits, &t) % t.tile_columns == 0;
  t.a_by_step = c->one_tap && !c->nchw;
  t.b_by_step = c->one_tap && c->nchw;
  c->factors[0].halves = c->factors[1].halves = t.matrix != NULL && !t.bytes;
  return webnn_vk__plan_tiled(planner, &t);
}

/* A convolution of one group and single pixels, all of them in order, is a product of matrices. */
static bool webnn_vk__is_matrix_product(const webnn_vk__convolution *c) {
  const webnn__attributes *t = &c->node->attributes;
  uint32_t i;
  for (i = 0; i < 4; i++) {
    if (t->padding.dimensions[i] != 0) {
      return false;
    }
  }
  return t->groups == 1 && c->window[0] * c->window[1] == 1 && t->strides.dimensions[0] == 1 &&
         t->strides.dimensions[1] == 1 &&
         webnn__element_count(c->y) / c->outputs == webnn__element_count(c->x) / c->inputs;
}

static bool webnn_vk__plan_pixels(webnn_vk__planner *planner, uint32_t index,
                                  const webnn_vk__convolution *c) {
  const uint32_t pixels = c->size[0] * c->size[1], images = c->y->dimensions[0];
  webnn_vk__matrix_product p = WEBNN_ZERO;
  p.rows = c->nchw ? c->outputs : pixels * images;
  p.columns = c->nchw ? pixels : c->outputs;
  p.depth = c->inputs;
  p.batches = 1;
  p.factors[c->nchw] = c->factors[0];
  p.factors[!c->nchw] = c->factors[1];
  p.ending = webnn_vk__ending_of(c->node);
  p.y = webnn_vk__value_part(planner, c->node->outputs[0]);
  if (c->nchw) {
    p.a_row = c->strides[0];
    p.a_step = c->strides[1];
    p.b_step = pixels;
    p.b_column = 1;
    p.ending.c_row = 1;
    webnn_vk__add_batch(&p, images, 0, c->inputs * pixels);
  } else {
    p.a_row = c->inputs;
    p.a_step = 1;
    p.b_step = c->strides[1];
    p.b_column = c->strides[0];
    p.ending.c_column = 1;
  }
  return webnn_vk__plan_product(planner, index, &p);
}

/* ---- Depthwise convolutions ----

   On GPUs an invocation makes several neighbours of y: in nhwc 8 channels of a pixel, which share
   where the window is, in nchw up to 8 pixels of a line, of which each element of x that they share
   is loaded once. What lies outside of x adds nothing. */

/* How many neighbours, and in nhwc how x and w are loaded; 0: it is no such convolution, they are
   not neighbours in whole, or their windows are too far apart to be written out. */
static uint32_t webnn_vk__depthwise_each(const webnn_vk__planner *planner,
                                         webnn_vk__convolution *c) {
  const uint32_t *s = c->strides, channels = c->y->dimensions[3], width = c->size[1];
  const uint32_t most = webnn_data_type_bits(c->factors[0].part.type) == 16 ? 8 : 4, apart = 8;
  uint32_t each = most;
  if (planner->traits->is_cpu || c->transposed || c->inputs != 1 || c->outputs != 1 ||
      c->factors[0].kind != WEBNN_VK__FLOATS || c->window[1] > 8) {
    return 0;
  }
  if (!c->nchw) {
    c->factors[0].wide = webnn_vk__loads_wide(planner, &c->factors[0], true, channels);
    c->factors[1].wide =
        webnn_vk__loads_wide(planner, &c->factors[1], s[0] == 1, channels | s[2] | s[3]);
    return c->factors[0].wide ? 8 : 0;
  }
  while (width % each != 0) {
    each /= 2;
  }
  return each > 1 && c->t->strides.dimensions[1] <= apart &&
                 (c->window[1] == 1 || c->t->dilations.dimensions[1] <= apart)
             ? each
             : 0;
}

/* void add_row(uint from, uint h, uint w_row, uint column): what row h of x adds to the sums s0,
   s1, ... of neighbouring channels, ... */
static void webnn_vk__put_channel_sums(webnn_vk__kernel *k, const webnn_vk__convolution *c) {
  uint32_t j;
  webnn_vk__text(k, "void add_row(uint from, uint h, uint w_row, uint column) {\n"
                    "  for (uint b = 0u; b < WINDOW_WIDTH; b++) {\n"
                    "    uint v = column * STRIDE_WIDTH + b * DILATION_WIDTH - LEFT;\n"
                    "    uint at_w = w_row + b * W_COLUMN;\n"
                    "    if (v < X_WIDTH) {\n"
                    "      float x[8];\n"
                    "      x_unit(from + h * X_ROW + v * X_COLUMN, x);\n");
  if (c->factors[1].wide) {
    webnn_vk__text(k, "      float w[8];\n      w_unit(at_w, w);\n");
  }
  for (j = 0; j < 8; j++) {
    webnn_vk__format(k, "      s%u = fma(x[%u], ", j, j);
    webnn_vk__format(
        k, c->factors[1].wide ? "w[%u], s%u);\n" : "load_w(at_w + %uu * W_GROUP), s%u);\n", j, j);
  }
  webnn_vk__text(k, "    }\n  }\n}\n");
}

/* ... or pixels: element p of the line of x belongs to all windows that have it. */
static void webnn_vk__put_pixel_sums(webnn_vk__kernel *k, const webnn_vk__convolution *c,
                                     uint32_t each) {
  const uint32_t stride = c->t->strides.dimensions[1], taps = c->window[1];
  const uint32_t dilation = taps > 1 ? c->t->dilations.dimensions[1] : 1;
  const uint32_t span = (each - 1) * stride + (taps - 1) * dilation + 1;
  uint32_t p, e, b;
  webnn_vk__text(k, "void add_row(uint from, uint h, uint w_row, uint column) {\n"
                    "  uint v, first = column * STRIDE_WIDTH - LEFT, at = from + h * X_ROW;\n"
                    "  float x;\n");
  for (b = 0; b < taps; b++) {
    webnn_vk__format(k, "  float w%u = load_w(w_row + %uu * W_COLUMN);\n", b, b);
  }
  for (p = 0; p < span; p++) {
    bool loaded = false;
    for (e = 0; e < each; e++) {
      const uint32_t away = p - e * stride; /* large where it is negative */
      if (away % dilation != 0 || away / dilation >= taps) {
        continue;
      }
      if (!loaded) {
        webnn_vk__format(k, "  v = first + %uu;\n  x = load_x(at + min(v, X_WIDTH - 1u));\n", p);
        loaded = true;
      }
      webnn_vk__format(k, "  s%u = v < X_WIDTH ? fma(x, w%u, s%u) : s%u;\n", e, (away / dilation),
                       e, e);
    }
  }
  webnn_vk__text(k, "}\n");
}

/* Neighbours of y from their sums. */
static void webnn_vk__put_neighbours(webnn_vk__kernel *k, bool nchw, uint32_t each) {
  const bool half = k->type == WEBNN_FLOAT16;
  uint32_t e, j;
  for (e = 0; e < each; e += half ? 2 : 1) {
    webnn_vk__format(k,
                     half ? "  y_words[i * %uu + %uu] = to_halves(" : "  store_y(i * %uu + %uu, ",
                     half ? each / 2 : each, half ? e / 2 : e);
    for (j = e; j < e + (half ? 2 : 1); j++) {
      webnn_vk__format(k, "%sfinish(s%u, i * %uu + %uu, 0u, channel + %uu)", j > e ? ", " : "", j,
                       each, j, nchw ? 0 : j);
    }
    webnn_vk__text(k, ");\n");
  }
}

static bool webnn_vk__plan_depthwise(webnn_vk__planner *planner, uint32_t index,
                                     const webnn_vk__convolution *c, uint32_t each) {
  webnn_vk__kernel k;
  uint32_t e;
  webnn_vk__begin(planner, index, &k);
  webnn_vk__put_arithmetic(&k, false, false);
  webnn_vk__put_convolution(&k, c);
  webnn_vk__writes(&k, "y", c->node->outputs[0]);
  for (e = 0; e < each; e++) {
    webnn_vk__format(&k, "float s%u;\n", e);
  }
  if (c->nchw) {
    webnn_vk__put_pixel_sums(&k, c, each);
  } else {
    webnn_vk__put_channel_sums(&k, c);
  }
  webnn_vk__text(&k, "void run(uint i) {\n"
                     "  uint image, channel, row, column;\n");
  webnn_vk__format(&k, "  place(i * %uu, image, channel, row, column);\n", each);
  for (e = 0; e < each; e++) {
    webnn_vk__format(&k, "  s%u = 0.0;\n", e);
  }
  webnn_vk__text(&k, "  for (uint a = 0u; a < WINDOW_HEIGHT; a++) {\n"
                     "    uint h = row * STRIDE_HEIGHT + a * DILATION_HEIGHT - TOP;\n"
                     "    if (h < X_HEIGHT) {\n"
                     "      add_row(image * X_IMAGE + channel * X_CHANNEL, h,\n"
                     "              channel * W_GROUP + a * W_ROW, column);\n"
                     "    }\n"
                     "  }\n");
  webnn_vk__put_neighbours(&k, c->nchw, each);
  webnn_vk__text(&k, "}\n");
  k.cost = (uint64_t)each * c->window[0] * c->window[1];
  return webnn_vk__each(&k, webnn__element_count(c->y) / each);
}

static bool webnn_vk__plan_convolution(webnn_vk__planner *planner, uint32_t index) {
  webnn_vk__scaling scalings[2];
  webnn_vk__convolution c = webnn_vk__convolution_of(planner, index, scalings);
  webnn_vk__kernel k;
  bool tiled, planned;
  uint32_t each;
  if (c.factors[0].kind == WEBNN_VK__FLOATS && webnn_vk__is_matrix_product(&c)) {
    return webnn_vk__plan_pixels(planner, index, &c);
  }
  c.constant = !planner->traits->is_cpu;
  each = webnn_vk__depthwise_each(planner, &c);
  if (each > 0) {
    return webnn_vk__plan_depthwise(planner, index, &c, each);
  }
  planned = webnn_vk__plan_tiled_convolution(planner, index, &c, &tiled);
  if (tiled) {
    return planned;
  }
  c.factors[0].wide = c.factors[1].wide = false;
  webnn_vk__begin(planner, index, &k);
  webnn_vk__put_arithmetic(&k, c.factors[0].kind != WEBNN_VK__FLOATS, false);
  webnn_vk__put_convolution(&k, &c);
  webnn_vk__writes(&k, "y", c.node->outputs[0]);
  webnn_vk__text(&k, webnn_vk__type_name(webnn_vk__type_of(planner, c.node->outputs[0])));
  webnn_vk__text(&k, " element(uint i) {\n"
                     "  uint image, channel, row, column;\n"
                     "  place(i, image, channel, row, column);\n"
                     "  return finish(window(image, channel, row, column), i, 0u, channel);\n"
                     "}\n");
  k.cost = (uint64_t)c.inputs * c.window[0] * c.window[1];
  return webnn_vk__map(&k, webnn__element_count(c.y));
}

#define webnn_vk__plan_conv2d webnn_vk__plan_convolution
#define webnn_vk__plan_conv_transpose2d webnn_vk__plan_convolution

/* ---- averagePool2d, l2Pool2d, maxPool2d ----

   An invocation makes an element of y: take(x) gets each element of x that lies in its window. */

static const char *const webnn_vk__pool_text =
    "void walk(uint i) {\n"
    "  uint image, channel, row, column;\n"
    "  place(i, image, channel, row, column);\n"
    "  uint begin = image * X_IMAGE + channel * X_CHANNEL;\n"
    "  uint h = row * STRIDE_HEIGHT - TOP;\n" /* large where it is negative */
    "  for (uint a = 0u; a < WINDOW_HEIGHT; a++) {\n"
    "    uint v = column * STRIDE_WIDTH - LEFT;\n"
    "    uint at = begin + h * X_ROW + v * X_COLUMN;\n"
    "    for (uint b = 0u; b < WINDOW_WIDTH; b++) {\n"
    "      if (h < X_HEIGHT && v < X_WIDTH) { take(load_x(at)); }\n"
    "      v += DILATION_WIDTH;\n"
    "      at += DILATION_WIDTH * X_COLUMN;\n"
    "    }\n"
    "    h += DILATION_HEIGHT;\n"
    "  }\n"
    "}\n";

/* Sums of x or of its squares, in two floats. They are computed again of scaled elements where they
   leave the range of floats, or where squares may have vanished. */
static const char *const webnn_vk__sum_take_text = "float sum, lost, scale;\n"
                                                   "uint count;\n"
                                                   "void take(float x) {\n"
                                                   "  x *= scale;\n"
                                                   "  add_to(sum, lost, TERM);\n"
                                                   "  count += 1u;\n"
                                                   "}\n";

static const char *const webnn_vk__sum_pool_text =
    "float result(float s) { return RESULT; }\n"
    "float pooled(uint i, float by, float back) {\n"
    "  sum = 0.0;\n"
    "  lost = 0.0;\n"
    "  scale = by;\n"
    "  count = 0u;\n"
    "  walk(i);\n"
    "  return result(total_of(sum, lost)) * back;\n"
    "}\n"
    "float element(uint i) {\n"
    "  float y = pooled(i, 1.0, 1.0);\n"
    "  const float up = 1.2089258196146292e24, down = 8.271806125530277e-25;\n"
    "  if (!is_finite(y)) { return pooled(i, down, up); }\n"
    "  if (y < LEAST) { return pooled(i, up, down); }\n"
    "  return y;\n"
    "}\n";

/* The least element of a type, in the text. */
static const char *webnn_vk__lowest(webnn_data_type type) {
  static const char *const least[] = {"-infinity()", "int(0x80000000u)", "0u",
                                      "uvec2(0u, 0x80000000u)", "uvec2(0u, 0u)"};
  return type == WEBNN_INT8 ? "-128" : least[webnn_vk__class_of(type)];
}

static bool webnn_vk__plan_pool2d(webnn_vk__planner *planner, uint32_t index) {
  const webnn__node *node = &planner->program->nodes[index];
  const webnn__value *x = webnn_vk__value_at(planner, node->inputs[0]);
  const webnn__shape *y = webnn_vk__shape_out(planner, node, 0);
  const webnn__attributes *t = &node->attributes;
  const char *name = webnn_vk__type_name(x->data_type);
  const bool l2 = node->op == WEBNN_OP_L2_POOL2D;
  webnn_vk__kernel k;
  webnn_vk__begin(planner, index, &k);
  webnn_vk__reads(&k, "x", node->inputs[0]);
  webnn_vk__put_image(&k, false, &x->shape, y, t->input_layout);
  if (!webnn_vk__put_window(&k, false, t, t->window.dimensions, &x->shape)) {
    return webnn_vk__plan_fails(planner, index, "positions need more than 31 bits");
  }
  webnn_vk__writes(&k, "y", node->outputs[0]);
  webnn_vk__uses(&k, WEBNN_VK__LIB_SUM);
  webnn_vk__uses(&k, WEBNN_VK__LIB_SQRT);
  if (node->op == WEBNN_OP_MAX_POOL2D) {
    webnn_vk__put_fold(&k, WEBNN_OP_MAX, x->data_type);
    webnn_vk__format(&k, "%s best;\nvoid take(%s x) { best = fold(x, best); }\n", name, name);
    webnn_vk__text(&k, webnn_vk__pool_text);
    webnn_vk__format(&k,
                     "%s element(uint i) {\n"
                     "  best = %s;\n"
                     "  walk(i);\n"
                     "  return best;\n"
                     "}\n",
                     name, webnn_vk__lowest(x->data_type));
  } else {
    webnn_vk__text(&k, l2 ? "#define TERM x * x\n#define LEAST 1.0e-10\n"
                            "#define RESULT sqrt_of(s)\n"
                          : "#define TERM x\n#define LEAST -infinity()\n"
                            "#define RESULT s / float(max(count, 1u))\n");
    webnn_vk__text(&k, webnn_vk__sum_take_text);
    webnn_vk__text(&k, webnn_vk__pool_text);
    webnn_vk__text(&k, webnn_vk__sum_pool_text);
  }
  k.cost = (uint64_t)t->window.dimensions[0] * t->window.dimensions[1] * 4;
  return webnn_vk__map(&k, webnn__element_count(y));
}

/* ---- resample2d ----

   For each coordinate of y along a resampled axis the table has four words: the two neighbours in
   x, and what each of them weighs. place() says where element i of y finds its entries, r and s,
   and where in x is what the other axes decide. */

/* An infinity that weighs nothing does not count. */
static const char *const webnn_vk__linear_text =
    "  float sum = 0.0;\n"
    "  for (uint a = 0u; a < 2u; a++) {\n"
    "    for (uint b = 0u; b < 2u; b++) {\n"
    "      float weight = uintBitsToFloat(load_table(r + 2u + a)) *\n"
    "                     uintBitsToFloat(load_table(s + 2u + b));\n"
    "      if (weight > 0.0) {\n"
    "        sum += weight * load_x(at + load_table(r + a) * X_FIRST +\n"
    "                               load_table(s + b) * X_SECOND);\n"
    "      }\n"
    "    }\n"
    "  }\n"
    "  return sum;\n"
    "}\n";

/* Bytes: weights are integers, numerators of UNIT_0 and UNIT_1, below 2^24. The weighted sum of
   x + BIAS, which is at least 0, is divided by both and rounded to nearest, ties to even. */
static const char *const webnn_vk__linear_bytes_text =
    "  uvec2 sum = uvec2(0u, 0u), rest;\n"
    "  for (uint a = 0u; a < 2u; a++) {\n"
    "    uint line = 0u;\n"
    "    for (uint b = 0u; b < 2u; b++) {\n"
    "      T x = load_x(at + load_table(r + a) * X_FIRST + load_table(s + b) * X_SECOND);\n"
    "      line += uint(int(x) + BIAS) * load_table(s + 2u + b);\n"
    "    }\n"
    "    sum = i64_add(sum, i64_mul(uvec2(line, 0u), uvec2(load_table(r + 2u + a), 0u)));\n"
    "  }\n"
    "  uvec2 unit = i64_mul(uvec2(UNIT_0, 0u), uvec2(UNIT_1, 0u));\n"
    "  uint quotient = u64_divide(sum, unit, rest).x;\n"
    "  rest = i64_add(rest, rest);\n"
    "  if (u64_less(unit, rest) || i64_equal(unit, rest) && (quotient & 1u) == 1u) { quotient++; "
    "}\n"
    "  return T(int(quotient) - BIAS);\n"
    "}\n";

static uint64_t webnn_vk__common_divisor(uint64_t a, uint64_t b) {
  while (b != 0) {
    const uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* The entries of the table for one axis, and the unit of its integer weights. */
static uint64_t webnn_vk__resample_entries(uint32_t mode, uint32_t in, uint32_t out, bool is_float,
                                           uint32_t *words) {
  const uint64_t divisor = webnn_vk__common_divisor(
      2 * (uint64_t)in,
      webnn_vk__common_divisor(in > out ? in - out : out - in, 2 * (uint64_t)out));
  const uint64_t unit = 2 * (uint64_t)out / divisor;
  uint32_t o, i;
  for (o = 0; o < out; o++, words += 4) {
    uint32_t index[2];
    uint64_t weight[2];
    webnn__resample_taps(mode, o, in, out, index, weight);
    for (i = 0; i < 2; i++) {
      const float share = (float)((double)weight[i] / (2.0 * (double)out));
      words[i] = index[i];
      words[2 + i] = (uint32_t)(weight[i] / divisor);
      if (is_float) {
        memcpy(&words[2 + i], &share, sizeof share);
      }
    }
  }
  return unit;
}

static void webnn_vk__put_resampled_place(webnn_vk__kernel *k, const webnn__shape *x,
                                          const webnn__shape *y, const uint32_t *axes) {
  int64_t strides[WEBNN_MAX_RANK];
  uint32_t i;
  webnn__row_major(x, strides);
  WEBNN_VK__PUT_PUSHES(k, "X_FIRST X_SECOND SECOND", (uint32_t)strides[axes[0]],
                       (uint32_t)strides[axes[1]], y->dimensions[axes[0]]);
  webnn_vk__text(k, "void place(uint i, out uint at, out uint r, out uint s) {\n"
                    "  at = 0u;\n");
  for (i = 4; i-- > 0;) {
    webnn_vk__push(k, webnn_vk__named(k, "Y_", i), y->dimensions[i]);
    if (i == axes[0]) {
      webnn_vk__format(k, "  r = i %% Y_%u * 4u;\n", i);
    } else if (i == axes[1]) {
      webnn_vk__format(k, "  s = (SECOND + i %% Y_%u) * 4u;\n", i);
    } else {
      webnn_vk__push(k, webnn_vk__named(k, "X_", i), (uint32_t)strides[i]);
      webnn_vk__format(k, "  at += i %% Y_%u * X_%u;\n", i, i);
    }
    webnn_vk__format(k, "  i = i / Y_%u;\n", i);
  }
  webnn_vk__text(k, "}\n");
}

static bool webnn_vk__plan_resample2d(webnn_vk__planner *planner, uint32_t index) {
  const webnn__node *node = &planner->program->nodes[index];
  const webnn__value *x = webnn_vk__value_at(planner, node->inputs[0]);
  const webnn__shape *y = webnn_vk__shape_out(planner, node, 0);
  const uint32_t *axes = node->attributes.axes.dimensions, mode = node->attributes.mode;
  const bool is_float = webnn__is_float(x->data_type);
  const uint64_t entries = (uint64_t)y->dimensions[axes[0]] + y->dimensions[axes[1]];
  uint32_t *words = (uint32_t *)webnn__arena_take(planner->arena, entries * 16);
  uint64_t unit[2];
  webnn_vk__kernel k;
  uint32_t i;
  if (words == NULL) {
    return webnn_vk__plan_lacks_memory(planner);
  }
  for (i = 0; i < 2; i++) {
    unit[i] = webnn_vk__resample_entries(
        mode, x->shape.dimensions[axes[i]], y->dimensions[axes[i]], is_float,
        words + (i == 0 ? 0 : (uint64_t)y->dimensions[axes[0]] * 4));
  }
  if (entries > UINT32_MAX / 16 || (!is_float && (unit[0] | unit[1]) >> 24 != 0)) {
    return webnn_vk__plan_fails(planner, index, "too many different weights");
  }
  webnn_vk__begin(planner, index, &k);
  webnn_vk__reads(&k, "x", node->inputs[0]);
  webnn_vk__reads_words(&k, "table", words, (uint32_t)entries * 4);
  webnn_vk__put_resampled_place(&k, &x->shape, y, axes);
  webnn_vk__writes(&k, "y", node->outputs[0]);
  webnn_vk__uses(&k, WEBNN_VK__LIB_LONG_DIVIDE);
  WEBNN_VK__PUT_PUSHES(&k, "UNIT_0 UNIT_1", (uint32_t)unit[0], (uint32_t)unit[1]);
  webnn_vk__format(&k, "#define T %s\nconst int BIAS = %d;\n", webnn_vk__type_name(x->data_type),
                   x->data_type == WEBNN_INT8 ? 128 : 0);
  webnn_vk__text(&k, "T element(uint i) {\n"
                     "  uint at, r, s;\n"
                     "  place(i, at, r, s);\n");
  webnn_vk__text(&k,
                 mode == WEBNN_INTERPOLATION_NEAREST_NEIGHBOR
                     ? "  return load_x(at + load_table(r) * X_FIRST + load_table(s) * X_SECOND);\n"
                       "}\n"
                 : is_float ? webnn_vk__linear_text
                            : webnn_vk__linear_bytes_text);
  k.cost = 16;
  return webnn_vk__map(&k, webnn__element_count(y));
}

/* ---- gru, gruCell, lstm, lstmCell ---------------------------------------------------------------

   One product brings all steps' inputs to the gates: gates[step, batch, direction, gate, unit]
   = x W^T + b. Then each step is one kernel, of reset-before gru two, whose workgroups add h
   R^T and make the new state. If there are so few weights that one workgroup reads them in less
   time than a kernel takes to begin, a workgroup makes many steps of a batch entry in one
   kernel, with the state in shared memory. States are floats in one piece of scratch memory,
   rounded to the type as stored ones are: slots of h, [direction, batch, unit], of which with
   return_sequence there is one for each time and one for what is before the first step, else
   two that take turns; two slots of c; and r h of reset-before gru. At last they are copied to
   the results. */

typedef struct webnn_vk__network {
  uint32_t index;
  const webnn__node *node;
  bool lstm, sequence, resets; /* before the candidate's product */
  webnn_data_type type;
  uint32_t gates, steps, directions, batch, inputs, hidden;
  uint32_t bias, initial_hidden, initial_cell; /* values */
  uint32_t lanes;                              /* invocations that share a unit's sums */
  uint32_t at_once;                            /* steps that a kernel makes */
  uint32_t slot;                               /* elements of the state of a time */
  uint32_t cells, reset;                       /* where c and r h are in `state` */
  webnn_vk__operand sums, state;
  webnn_vk__factors factors; /* the recurrent bias, of lstm peephole weights */
} webnn_vk__network;

/* How many steps a kernel makes: with many weights one, else at most what takes some milliseconds,
   so that submissions can be cut. Eight lanes read 32 neighbouring bytes; on software drivers
   barriers cost more. */
static void webnn_vk__choose_steps(const webnn_vk__traits *traits, webnn_vk__network *net) {
  const uint64_t weights = (uint64_t)net->gates * net->hidden * net->hidden;
  const uint64_t steps = ((uint64_t)1 << 22) / (weights + 4096);
  net->at_once = 1;
  if (net->steps > 1 && weights <= 16384) {
    net->at_once = steps < net->steps ? (uint32_t)steps : net->steps;
    net->lanes = traits->is_cpu || net->lanes == 1 ? 1 : 8;
  }
}

/* The network of a node, without memory. */
static webnn_vk__network webnn_vk__network_of(const webnn_vk__planner *planner, uint32_t index) {
  const webnn__node *node = &planner->program->nodes[index];
  const bool cell = node->op == WEBNN_OP_GRU_CELL || node->op == WEBNN_OP_LSTM_CELL;
  const bool lstm = node->op == WEBNN_OP_LSTM || node->op == WEBNN_OP_LSTM_CELL;
  const webnn__shape *x = webnn_vk__shape_in(planner, node, 0);
  const uint32_t bias = cell ? (lstm ? 5 : 4) : 3, initial = cell ? 3 : lstm ? 6 : 5;
  webnn_vk__network net;
  memset(&net, 0, sizeof net);
  net.index = index;
  net.node = node;
  net.lstm = lstm;
  net.sequence = !cell && node->attributes.return_sequence;
  net.resets = !lstm && !node->attributes.reset_after;
  net.type = webnn_vk__type_of(planner, node->inputs[0]);
  net.gates = lstm ? 4 : 3;
  net.steps = cell ? 1 : x->dimensions[0];
  net.directions = cell ? 1 : webnn_vk__shape_in(planner, node, 1)->dimensions[0];
  net.batch = x->dimensions[cell ? 0 : 1];
  net.inputs = x->dimensions[cell ? 1 : 2];
  net.hidden = node->attributes.hidden_size;
  net.bias = webnn_vk__input_of(node, bias);
  net.initial_hidden = webnn_vk__input_of(node, initial);
  net.initial_cell = lstm ? webnn_vk__input_of(node, initial + 1) : WEBNN__NONE;
  webnn_vk__add_factor(&net.factors, node, bias + 1, "rb");
  if (lstm) {
    webnn_vk__add_factor(&net.factors, node, bias + 2, "p");
  }
  net.lanes = net.hidden < 32 ? 1 : planner->traits->is_cpu ? 4 : 32;
  webnn_vk__choose_steps(planner->traits, &net);
  return net;
}

/* sums = x W^T + b, for all steps. */
static bool webnn_vk__plan_network_inputs(webnn_vk__planner *planner,
                                          const webnn_vk__network *net) {
  webnn_vk__matrix_product p;
  memset(&p, 0, sizeof p);
  p.rows = net->steps * net->batch;
  p.columns = net->directions * net->gates * net->hidden;
  p.depth = net->inputs;
  p.a_row = p.b_column = net->inputs;
  p.a_step = p.b_step = 1;
  p.batches = 1;
  p.factors[0].part = webnn_vk__value_part(planner, net->node->inputs[0]);
  p.factors[1].part = webnn_vk__value_part(planner, net->node->inputs[1]);
  p.y = net->sums;
  p.ending.c = net->bias;
  p.ending.residual = WEBNN__NONE;
  p.ending.c_column = 1;
  p.ending.alpha = p.ending.beta = 1.0f;
  p.ending.low = webnn__float_of_bits(0xff800000U);
  p.ending.high = webnn__float_of_bits(0x7f800000U);
  return webnn_vk__plan_product(planner, net->index, &p);
}

/* Writes float activation_NUMBER(float x). */
static void webnn_vk__put_activation(webnn_vk__kernel *k, uint32_t number, uint32_t activation) {
  const bool relu = activation == WEBNN_ACTIVATION_RELU;
  const bool sigmoid = activation == WEBNN_ACTIVATION_SIGMOID;
  webnn_vk__uses(k, sigmoid ? WEBNN_VK__LIB_SIGMOID : WEBNN_VK__LIB_TANH);
  webnn_vk__format(k, "float activation_%u(float x) { return %s; }\n", number,
                   relu      ? "x < 0.0 ? 0.0 : x"
                   : sigmoid ? "sigmoid_of(x)"
                             : "tanh_of(x)");
}

/* Item i of a step is a direction, a batch entry and a hidden unit, which LANES invocations share.
   States are at from + unit, the sums of the inputs at at_sums + gate HIDDEN + unit, rows of
   weights at row(gate). */
static const char *const webnn_vk__step_place_text =
    "uint direction, unit, from, at_sums, item, time;\n"
    "uint row(uint gate) { return (direction * GATES + gate) * HIDDEN + unit; }\n"
    "void begin_unit(uint i, uint step) {\n"
    "  uint entry = i / HIDDEN % BATCH;\n"
    "  unit = i % HIDDEN;\n"
    "  direction = i / HIDDEN / BATCH;\n"
    "  time = direction + BACKWARD > 0u ? TIMES - 1u - step : step;\n"
    "  at_sums = ((time * BATCH + entry) * DIRECTIONS + direction) * GATES * HIDDEN + unit;\n"
    "}\n";

/* A kernel of one step has states in memory. */
static const char *const webnn_vk__one_step_text =
    "uint old_state() { return direction == 0u ? OLD_0 : OLD_1; }\n"
    "uint new_state() { return direction == 0u ? NEW_0 : NEW_1; }\n"
    "#define OLD_CELL C_OLD\n"
    "#define NEW_CELL C_NEW\n"
    "#define RESET_STATE RESET_AT\n";

/* One of many steps has them in shared memory: the old state at `side`, the new one on the other
   side, and behind them c or r h. */
static const char *const webnn_vk__many_steps_text =
    "shared float kept[3u * HIDDEN];\n"
    "uint side;\n"
    "float load_state(uint at) { return kept[at]; }\n"
    "void store_state(uint at, float v) { kept[at] = v; }\n"
    "uint old_state() { return side; }\n"
    "uint new_state() { return HIDDEN - side; }\n"
    "#define OLD_CELL (2u * HIDDEN)\n"
    "#define NEW_CELL OLD_CELL\n"
    "#define RESET_STATE OLD_CELL\n";

/* gate_sum() is both sums of a gate, that of `before` and the recurrent weights being shared. The
   lanes' sums are added up in shared memory; every lane gets the total. */
static const char *const webnn_vk__step_sum_text =
    "float shared_dot(uint gate, uint lane, uint before) {\n"
    "  uint at_r = row(gate) * HIDDEN;\n"
    "  float sum = 0.0;\n"
    "  for (uint j = lane; j < HIDDEN; j += LANES) {\n"
    "    sum = fma(load_state(before + from + j), load_r(at_r + j), sum);\n"
    "  }\n"
    "  return sum;\n"
    "}\n"
    "shared float parts[GROUP];\n"
    "float gate_dot(uint gate, uint lane, uint before) {\n"
    "  float sum = shared_dot(gate, lane, before);\n"
    "  if (LANES > 1u) {\n"
    "    uint l = gl_LocalInvocationID.x;\n"
    "    parts[l] = sum;\n"
    "    barrier();\n"
    "    sum = 0.0;\n"
    "    for (uint j = l - lane; j < l - lane + LANES; j++) { sum += parts[j]; }\n"
    "    barrier();\n"
    "  }\n"
    "  return sum;\n"
    "}\n"
    "float input_sum(uint gate) { return load_sums(at_sums + gate * HIDDEN); }\n"
    "float gate_sum(uint gate, uint lane, uint before) {\n"
    "  return gate_dot(gate, lane, before) + input_sum(gate);\n"
    "}\n";

static const char *const webnn_vk__one_step_run_text =
    "void run(uint group) {\n"
    "  uint i = group * (GROUP / LANES) + gl_LocalInvocationID.x / LANES;\n"
    "  uint lane = gl_LocalInvocationID.x % LANES;\n"
    "  item = min(i, ITEMS - 1u);\n"
    "  begin_unit(item, STEP);\n"
    "  from = item - unit;\n"
    "  make_one(lane, i < ITEMS && lane == 0u);\n"
    "}\n";

/* Steps of a batch entry in a direction. A pass over its units makes r h, a second one states. */
static const char *const webnn_vk__many_steps_run_text =
    "void run(uint group) {\n"
    "  uint l = gl_LocalInvocationID.x;\n"
    "  uint first = group * HIDDEN;\n"
    "  uint old = group / BATCH == 0u ? OLD_0 : OLD_1;\n"
    "  for (uint j = l; j < HIDDEN; j += GROUP) {\n"
    "    kept[j] = load_states(old + first + j);\n"
    "    if (IS_LSTM == 1u) { kept[2u * HIDDEN + j] = load_states(C_OLD + first + j); }\n"
    "  }\n"
    "  side = 0u;\n"
    "  from = 0u;\n"
    "  barrier();\n"
    "  for (uint step = STEP; step < END; step++) {\n"
    "    for (uint pass = 1u - RESETS; pass < 2u; pass++) {\n"
    "      for (uint u = l / LANES; u < HIDDEN + l / LANES; u += GROUP / LANES) {\n"
    "        bool writes = u < HIDDEN && l % LANES == 0u;\n"
    "        item = min(u, HIDDEN - 1u);\n"
    "        begin_unit(first + item, step);\n"
    "        if (pass == 0u) { make_reset(l % LANES, writes); } else { make_state(l % LANES, "
    "writes); }\n"
    "      }\n"
    "      barrier();\n"
    "    }\n"
    "    side = new_state();\n"
    "    for (uint j = l; j < HIDDEN && (SEQUENCE == 1u || step == END - 1u); j += GROUP) {\n"
    "      store_states((SEQUENCE == 1u ? time * ITEMS : NEW_0) + first + j, kept[side + j]);\n"
    "    }\n"
    "  }\n"
    "  for (uint j = l; j < HIDDEN && IS_LSTM == 1u; j += GROUP) {\n"
    "    store_states(C_NEW + first + j, kept[2u * HIDDEN + j]);\n"
    "  }\n"
    "}\n";

/* r h, over which the candidate's dot product is if reset comes before. */
static const char *const webnn_vk__gru_text =
    "void make_reset(uint lane, bool writes) {\n"
    "  float r = gate_sum(RESET, lane, old_state());\n"
    "  if (writes) {\n"
    "    r = activation_0(r + recurrent_bias(RESET));\n"
    "    store_state(RESET_STATE + item, r * load_state(old_state() + item));\n"
    "  }\n"
    "}\n"
    "void make_state(uint lane, bool writes) {\n"
    "  float z = gate_sum(UPDATE, lane, old_state());\n"
    "  float r = 0.0;\n"
    "  if (RESETS == 0u) { r = gate_sum(RESET, lane, old_state()); }\n"
    "  float n = gate_dot(2u, lane, RESETS == 1u ? RESET_STATE : old_state());\n"
    "  if (writes) {\n"
    "    z = activation_0(z + recurrent_bias(UPDATE));\n"
    "    r = RESETS == 1u ? 1.0 : activation_0(r + recurrent_bias(RESET));\n"
    "    n = activation_1(input_sum(2u) + r * (n + recurrent_bias(2u)));\n"
    "    float h = z * load_state(old_state() + item) + (1.0 - z) * n;\n"
    "    store_state(new_state() + item, rounded(h));\n"
    "  }\n"
    "}\n";

static const char *const webnn_vk__lstm_text =
    "void make_reset(uint lane, bool writes) {}\n"
    "void make_state(uint lane, bool writes) {\n"
    "  float i = gate_sum(GATE_I, lane, old_state());\n"
    "  float o = gate_sum(GATE_O, lane, old_state());\n"
    "  float f = gate_sum(GATE_F, lane, old_state());\n"
    "  float g = gate_sum(GATE_G, lane, old_state());\n"
    "  if (writes) {\n"
    "    float c = load_state(OLD_CELL + item);\n"
    "    i = activation_0(i + recurrent_bias(GATE_I) + peephole(0u, c));\n"
    "    o = activation_0(o + recurrent_bias(GATE_O) + peephole(1u, c));\n"
    "    f = activation_0(f + recurrent_bias(GATE_F) + peephole(2u, c));\n"
    "    g = activation_1(g + recurrent_bias(GATE_G));\n"
    "    c = f * c + i * g;\n"
    "    store_state(NEW_CELL + item, rounded(c));\n"
    "    store_state(new_state() + item, rounded(o * activation_2(c)));\n"
    "  }\n"
    "}\n";

/* recurrent_bias(gate) and peephole(block, c). */
static void webnn_vk__put_step_factors(webnn_vk__kernel *k, const webnn_vk__network *net) {
  const webnn_vk__factors *f = &net->factors;
  webnn_vk__reads_factors(k, f);
  webnn_vk__format(k, "float recurrent_bias(uint gate) { return %s; }\n",
                   f->values[0] != WEBNN__NONE ? "load_rb(row(gate))" : "0.0");
  if (net->lstm) {
    webnn_vk__format(k, "float peephole(uint block, float c) { return %s; }\n",
                     f->values[1] != WEBNN__NONE
                         ? "load_p((direction * 3u + block) * HIDDEN + unit) * c"
                         : "0.0");
  }
}

/* The constants of the gates, by their layout. */
static void webnn_vk__put_gates(webnn_vk__kernel *k, const webnn_vk__network *net) {
  const uint32_t layout = net->node->attributes.gate_layout, rzn = layout != WEBNN_GRU_ZRN;
  if (net->lstm) {
    const uint32_t *blocks = webnn__lstm_blocks[layout];
    WEBNN_VK__PUT_CONSTANTS(k, "GATE_I GATE_O GATE_F GATE_G", blocks[0], blocks[1], blocks[2],
                            blocks[3]);
  } else {
    WEBNN_VK__PUT_CONSTANTS(k, "UPDATE RESET", rzn, 1 - rzn);
  }
}

/* The slot of the state after step `step` of a direction that goes backward or not; that before the
   first step is -1. */
static uint32_t webnn_vk__state_slot(const webnn_vk__network *net, int64_t step, bool backward) {
  const int64_t time = backward ? net->steps - 1 - step : step;
  const int64_t slot = !net->sequence ? step & 1 : step < 0 ? (int64_t)net->steps : time;
  return (uint32_t)slot * net->slot;
}

/* Where steps `first` to `last` find the old state, and leave the new one and c. */
static void webnn_vk__push_states(webnn_vk__kernel *k, const webnn_vk__network *net, uint32_t first,
                                  uint32_t last) {
  const bool backward = net->node->attributes.direction == WEBNN_DIRECTION_BACKWARD;
  const int64_t before = (int64_t)first - 1;
  WEBNN_VK__PUT_PUSHES(
      k, "OLD_0 OLD_1 NEW_0 NEW_1 C_OLD C_NEW", webnn_vk__state_slot(net, before, backward),
      webnn_vk__state_slot(net, before, true), webnn_vk__state_slot(net, last, backward),
      webnn_vk__state_slot(net, last, true), net->cells + (first + 1) % 2 * net->slot,
      net->cells + last % 2 * net->slot);
}

/* What all kernels of steps know: sizes, places, biases, `rounded` (to the type of the results). */
static void webnn_vk__put_step(webnn_vk__kernel *k, const webnn_vk__network *net,
                               const char *states) {
  uint32_t i;
  webnn_vk__reads_part(k, "sums", net->sums);
  webnn_vk__reads(k, "r", net->node->inputs[2]);
  webnn_vk__writes_part(k, states, net->state);
  webnn_vk__put_load(k, states, WEBNN_FLOAT32);
  WEBNN_VK__PUT_PUSHES(k, "BATCH DIRECTIONS ITEMS RESET_AT TIMES", net->batch, net->directions,
                       net->slot, net->reset, net->steps);
  WEBNN_VK__PUT_CONSTANTS(k, "HIDDEN GATES LANES GROUP", net->hidden, net->gates, net->lanes,
                          k->local);
  WEBNN_VK__PUT_CONSTANTS(k, "SEQUENCE IS_LSTM RESETS BACKWARD", net->sequence, net->lstm,
                          net->resets, net->node->attributes.direction == WEBNN_DIRECTION_BACKWARD);
  webnn_vk__put_gates(k, net);
  for (i = 0; i < (net->lstm ? 3u : 2u); i++) {
    webnn_vk__put_activation(k, i, net->node->attributes.activations[i]);
  }
  webnn_vk__uses(k, WEBNN_VK__LIB_HALF);
  webnn_vk__format(k, "float rounded(float x) { return %s; }\n",
                   net->type == WEBNN_FLOAT16 ? "round_half(x)" : "x");
  webnn_vk__text(k, webnn_vk__step_place_text);
  webnn_vk__put_step_factors(k, net);
}

/* A kernel of steps `first` to `last`; `make` is what that of one step makes. */
static bool webnn_vk__plan_step(webnn_vk__planner *planner, const webnn_vk__network *net,
                                uint32_t first, uint32_t last, const char *make) {
  const bool many = net->at_once > 1;
  const uint64_t weights = (uint64_t)net->gates * net->hidden * net->hidden;
  const uint32_t unit = planner->traits->is_cpu ? 8 : 32, room = planner->traits->max_invocations;
  const uint32_t local = (net->hidden * net->lanes + unit - 1) / unit * unit;
  const uint32_t most = room < 512 ? room / 8 * 8 : 512;
  webnn_vk__kernel k;
  uint64_t items;
  webnn_vk__begin(planner, net->index, &k);
  k.local = !many ? k.local : local < most ? local : most;
  items = k.local / net->lanes;
  webnn_vk__put_step(&k, net, many ? "states" : "state");
  WEBNN_VK__PUT_PUSHES(&k, "STEP END", first, last + 1);
  webnn_vk__push_states(&k, net, first, last);
  webnn_vk__text(&k, many ? webnn_vk__many_steps_text : webnn_vk__one_step_text);
  webnn_vk__text(&k, webnn_vk__step_sum_text);
  webnn_vk__text(&k, net->lstm ? webnn_vk__lstm_text : webnn_vk__gru_text);
  webnn_vk__format(&k, "#define make_one %s\n", make);
  webnn_vk__text(&k, many ? webnn_vk__many_steps_run_text : webnn_vk__one_step_run_text);
  k.cost = many ? weights / k.local * (last + 1 - first)
                : (uint64_t)net->gates * net->hidden / net->lanes;
  return webnn_vk__groups(&k, many ? (uint64_t)net->directions * net->batch
                                   : (net->slot + items - 1) / items);
}

/* What a state is before the first step, at an element of `state`: zeros, or a value. */
static bool webnn_vk__plan_initial(webnn_vk__planner *planner, const webnn_vk__network *net,
                                   uint32_t value, uint32_t at) {
  webnn_vk__kernel k;
  webnn_vk__begin(planner, net->index, &k);
  if (value != WEBNN__NONE) {
    webnn_vk__reads(&k, "x", value);
  }
  webnn_vk__writes_part(&k, "state", net->state);
  webnn_vk__push(&k, "AT", at);
  webnn_vk__format(&k, "void run(uint i) { store_state(AT + i, %s); }\n",
                   value != WEBNN__NONE ? "load_x(i)" : "0.0");
  return webnn_vk__each(&k, net->slot);
}

/* y = part of the states: of result i in direction d from FROM_d + i on. */
static bool webnn_vk__plan_state_copy(webnn_vk__planner *planner, const webnn_vk__network *net,
                                      uint32_t y, uint32_t from_0, uint32_t from_1) {
  webnn_vk__kernel k;
  webnn_vk__begin(planner, net->index, &k);
  webnn_vk__reads_part(&k, "state", net->state);
  WEBNN_VK__PUT_PUSHES(&k, "FROM_0 FROM_1 FORWARD", from_0, from_1, net->slot / net->directions);
  webnn_vk__writes(&k, "y", y);
  webnn_vk__text(&k, "float element(uint i) {\n"
                     "  return load_state((i < FORWARD ? FROM_0 : FROM_1) + i);\n"
                     "}\n");
  return webnn_vk__map(&k, webnn_vk__count(planner, y));
}

/* Takes scratch memory and puts what comes before the first step. */
static bool webnn_vk__start_network(webnn_vk__planner *planner, webnn_vk__network *net) {
  const uint64_t slot = (uint64_t)net->directions * net->batch * net->hidden;
  const uint64_t sums = net->steps * slot * net->gates;
  const uint64_t slots = net->sequence ? (uint64_t)net->steps + 1 : 2;
  if (sums > UINT32_MAX / 4 || slot * (slots + 3) > UINT32_MAX / 4 ||
      (uint64_t)net->steps * net->batch > UINT32_MAX) {
    return webnn_vk__plan_fails(planner, net->index, "too many hidden units and steps");
  }
  net->slot = (uint32_t)slot;
  net->cells = (uint32_t)(slot * slots);
  net->reset = net->cells; /* a network has one or the other */
  net->sums = webnn_vk__scratch_part(planner, net->index, sums);
  net->state = webnn_vk__scratch_part(planner, net->index, slot * (slots + 2));
  return webnn_vk__plan_network_inputs(planner, net) &&
         webnn_vk__plan_factors(planner, net->index, &net->factors, 3) &&
         webnn_vk__plan_initial(planner, net, net->initial_hidden,
                                webnn_vk__state_slot(net, -1, false)) &&
         (!net->lstm ||
          webnn_vk__plan_initial(planner, net, net->initial_cell, net->cells + net->slot));
}

static bool webnn_vk__plan_steps(webnn_vk__planner *planner, const webnn_vk__network *net) {
  const bool resets = net->at_once == 1 && net->resets;
  uint32_t step, count;
  for (step = 0; step < net->steps; step += count) {
    count = net->steps - step < net->at_once ? net->steps - step : net->at_once;
    if ((resets && !webnn_vk__plan_step(planner, net, step, step, "make_reset")) ||
        !webnn_vk__plan_step(planner, net, step, step + count - 1, "make_state")) {
      return false;
    }
  }
  return true;
}

static bool webnn_vk__plan_recurrent(webnn_vk__planner *planner, uint32_t index) {
  webnn_vk__network net = webnn_vk__network_of(planner, index);
  const uint32_t *y = net.node->outputs;
  const bool backward = net.node->attributes.direction == WEBNN_DIRECTION_BACKWARD;
  uint32_t last, cell;
  if (!webnn_vk__start_network(planner, &net) || !webnn_vk__plan_steps(planner, &net)) {
    return false;
  }
  last = net.steps - 1;
  cell = net.cells + last % 2 * net.slot;
  return webnn_vk__plan_state_copy(planner, &net, y[0], webnn_vk__state_slot(&net, last, backward),
                                   webnn_vk__state_slot(&net, last, true)) &&
         (!net.lstm || webnn_vk__plan_state_copy(planner, &net, y[1], cell, cell)) &&
         (!net.sequence || webnn_vk__plan_state_copy(planner, &net, y[net.lstm ? 2 : 1], 0, 0));
}

/* ---- Attention ----------------------------------------------------------------------------------

   A workgroup computes a block of rows of y, and walks over blocks of keys. An invocation has
   ROWS_EACH rows: it makes their scores with four neighbouring keys, and adds up FOURS fours of
   neighbouring elements of each. LANES invocations share these rows. Queries, keys and values come
   through shared memory. Whenever the largest score of a row grows, what was added up before is
   scaled down, so only the weights of one block of keys are kept.

   With few rows a workgroup has few invocations or more lanes. Where there are too few blocks for a
   device, keys are split among workgroups: sums, largest scores and totals go to scratch memory,
   and a second kernel joins them.

   With cooperative matrices of float16 scores and sums of a block come through shared memory.
   Weights are two float16, whose sum has 21 bits. */
typedef struct webnn_vk__attention_plan {
  const webnn__attention *a;
  const webnn__node *node;
  uint32_t index;
  uint32_t rows_each, lanes, local;
  uint32_t block_rows, block_keys; /* of a workgroup */
  uint32_t fours, value_line;      /* fours of y: of an invocation; of a row, some unused */
  uint32_t depth_step, key_step;   /* what shared memory holds of a block of keys, of values */
  uint32_t splits, split_keys;
  webnn_vk__operand parts;              /* of splits */
  const webnn_vk__matrix_shape *matrix; /* NULL: there are none */
  uint32_t key_line, line;              /* float16 of a row in shared memory: of keys, of values */
} webnn_vk__attention_plan;

/* Are fours of neighbours along `axis`, 2 or 3, whole units of memory? There are `size`. */
static bool webnn_vk__has_fours(const int64_t *strides, uint32_t axis, uint64_t size) {
  const int64_t all = strides[0] | strides[1] | strides[5 - axis] | (int64_t)size;
  return strides[axis] == 1 && all % 4 == 0;
}

/* vec4 four_NAME(at, apart, count): the elements at `at`, at + apart and so on, zeros from `count`
   on. Fours that are whole units of memory are loaded at once. */
static void webnn_vk__reads_fours(webnn_vk__kernel *k, const char *name, uint32_t value,
                                  bool whole) {
  const webnn_vk__operand part = webnn_vk__value_part(k->planner, value);
  if (whole) {
    webnn_vk__reads_quads(k, name, &part);
  } else {
    webnn_vk__reads(k, name, value);
  }
  webnn_vk__text_for(k, "vec4 four_@(uint at, uint apart, uint count) {\n", name);
  webnn_vk__text_for(k,
                     !whole ? "  vec4 v = vec4(0.0);\n"
                              "  LOOP for (uint j = 0u; j < min(count, 4u); j++) {\n"
                              "    v[j] = load_@(at + j * apart);\n"
                              "  }\n"
                              "  return v;\n}\n"
                     : part.type == WEBNN_FLOAT32
                         ? "  return uintBitsToFloat(@_quads[at >> 2]);\n}\n"
                         : "  uvec4 w = @_quads[at >> 3];\n"
                           "  uvec2 two = (at & 4u) == 0u ? uvec2(w.x, w.y) : uvec2(w.z, w.w);\n"
                           "  return vec4(unpackHalf2x16(two.x), unpackHalf2x16(two.y));\n}\n",
                     name);
}

/* Blocks of queries, keys and values in shared memory, with zeros where there are none. Of a QUAD
   of queries or weights each component is a row's; it is a float if there is one row. Neighbouring
   invocations bring 32 bytes of a row, then the next row, so no two put a float into one bank. */
static const char *const webnn_vk__attention_blocks_text =
    "shared QUAD query[DEPTH_STEP * ROW_LINE];\n"
    "shared QUAD weights[BLOCK_KEYS * ROW_LINE];\n"
    "shared vec4 tops[LANES * QUADS];\n"
    "shared vec4 pool[POOL];\n"
    "void place_of(uint unit, uint rows, out uint r, out uint d) {\n"
    "  r = unit / 2u % rows;\n"
    "  d = (unit / (2u * rows) * 2u + unit % 2u) * 4u;\n"
    "}\n"
    "void bring_q(uint begin, uint first, uint from) {\n"
    "  IN_REGISTERS for (uint u = gl_LocalInvocationID.x; u < BLOCK_ROWS * DEPTH_STEP / 4u;\n"
    "                    u += INVOCATIONS) {\n"
    "    uint r;\n"
    "    uint d;\n"
    "    place_of(u, BLOCK_ROWS, r, d);\n"
    "    vec4 v = vec4(0.0);\n"
    "    if (first + r < ROWS && from + d < DEPTH) {\n"
    "      v = four_q(begin + (first + r) * Q_2 + (from + d) * Q_3, Q_3, DEPTH - from - d);\n"
    "    }\n"
    "    uint row = r & 3u;\n"
    "    LOOP for (uint j = 0u; j < 4u; j++) { query[(d + j) * ROW_LINE + r / 4u]OF_ROW = v[j]; }\n"
    "  }\n"
    "}\n"
    "void bring_k(uint begin, uint first, uint from, uint to) {\n"
    "  IN_REGISTERS for (uint u = gl_LocalInvocationID.x; u < BLOCK_KEYS * DEPTH_STEP / 4u;\n"
    "                    u += INVOCATIONS) {\n"
    "    uint r = u % LANES * 4u;\n"
    "    uint d = u / LANES;\n"
    "    if (ALONG_KEYS == 0u) { place_of(u, BLOCK_KEYS, r, d); }\n"
    "    uint at = begin + (first + r) * K_2 + (from + d) * K_3;\n"
    "    vec4 v = vec4(0.0);\n"
    "    if (first + r < to && from + d < DEPTH) {\n"
    "      v = ALONG_KEYS == 1u ? four_k(at, K_2, to - first - r) : four_k(at, K_3, DEPTH - from - "
    "d);\n"
    "    }\n"
    "    if (ALONG_KEYS == 1u) {\n"
    "      pool[d * KEY_LINE + r / 4u] = v;\n"
    "    } else {\n"
    "      uint at = d * KEY_LINE + r / 4u;\n"
    "      pool[at][r & 3u] = v.x;\n"
    "      pool[at + KEY_LINE][r & 3u] = v.y;\n"
    "      pool[at + 2u * KEY_LINE][r & 3u] = v.z;\n"
    "      pool[at + 3u * KEY_LINE][r & 3u] = v.w;\n"
    "    }\n"
    "  }\n"
    "}\n"
    "void bring_v(uint begin, uint first, uint to) {\n"
    "  IN_REGISTERS for (uint u = gl_LocalInvocationID.x; u < KEY_STEP * VALUE_LINE;\n"
    "                    u += INVOCATIONS) {\n"
    "    uint key = first + u / VALUE_LINE;\n"
    "    uint d = u % VALUE_LINE * 4u;\n"
    "    vec4 v = vec4(0.0);\n"
    "    if (key < to && d < VALUE_DEPTH) {\n"
    "      v = four_v(begin + key * V_2 + d * V_3, V_3, VALUE_DEPTH - d);\n"
    "    }\n"
    "    pool[u] = v;\n"
    "  }\n"
    "}\n";

/* The weight of what was largest before is what sums so far are multiplied by. As long as all
   scores are -infinity the weights are 0; if they stay that, the total is 0, and y is 0 / 0. The
   weight of a NaN is NaN whatever is largest, so that max may lose it. */
static const char *const webnn_vk__weight_text =
    "float weight_of(float score, float largest) {\n"
    "  return score == -infinity() ? 0.0 : exp_of(score - largest);\n"
    "}\n";

/* Scores of four keys. */
static const char *const webnn_vk__attention_scores_text =
    "vec4 scores_of(vec4 sums, uint batch, uint head, uint row, uint key, uint to) {\n"
    "  vec4 v = SCALE * sums;\n"
    "  if (MASKED == 1u && row < ROWS && key < to) {\n"
    "    v += mask_of(batch * M_0 + head * M_1 + row * M_2 + key * M_3, to - key);\n"
    "  }\n"
    "  LOOP for (uint j = 0u; j < 4u; j++) { v[j] = key + j < to ? v[j] : -infinity(); }\n"
    "  return v;\n"
    "}\n"
    "float largest_of(vec4 v) {\n"
    "  return max(max(v.x, v.y), max(v.z, v.w));\n"
    "}\n";

/* What a workgroup computes. */
static const char *const webnn_vk__attention_run_text =
    "void run(uint group) {\n"
    "  uint split = group % SPLITS;\n"
    "  uint rest = group / SPLITS;\n"
    "  uint blocks = (ROWS + BLOCK_ROWS - 1u) / BLOCK_ROWS;\n"
    "  uint first = rest % blocks * BLOCK_ROWS;\n"
    "  uint head = rest / blocks % HEADS;\n"
    "  uint batch = rest / blocks / HEADS;\n"
    "  uint at_q = batch * Q_0 + head * Q_1;\n"
    "  uint at_k = batch * K_0 + head * K_1;\n"
    "  uint at_v = batch * V_0 + head * V_1;\n"
    "  uint begin = split * SPLIT_KEYS;\n"
    "  uint to = min(KEYS, begin + SPLIT_KEYS);\n";

/* With matrices: blocks of float16, zeros where there are none, and the product of two. Weights are
   multiplied by 2^15. Both parts are above zero if a weight is, so that infinite values stay what
   they are. */
static const char *const webnn_vk__attention_bring_text =
    "void bring_@(uint begin, uint first, uint end, uint count) {\n"
    "  IN_REGISTERS for (uint u = gl_LocalInvocationID.x; u < count * ($_LINE / 4u - 2u);\n"
    "                    u += INVOCATIONS) {\n"
    "    uint r = $_ALONG == 1u ? u % (count / 4u) * 4u : u / ($_LINE / 4u - 2u);\n"
    "    uint d = $_ALONG == 1u ? u / (count / 4u) : u % ($_LINE / 4u - 2u) * 4u;\n"
    "    uint at = begin + (first + r) * $_2 + d * $_3;\n"
    "    vec4 v = vec4(0.0);\n"
    "    if (first + r < end && d < $_DEPTH) {\n"
    "      v = $_ALONG == 1u ? four_@(at, $_2, end - first - r) : four_@(at, $_3, $_DEPTH - d);\n"
    "    }\n"
    "    LOOP for (uint j = 0u; j < 4u; j++) {\n"
    "      #_tile[$_ALONG == 1u ? (r + j) * $_LINE + d : r * $_LINE + d + j] = float16_t(v[j]);\n"
    "    }\n"
    "  }\n"
    "}\n";
static const char *const webnn_vk__attention_product_text =
    "void multiply_@(uint at) {\n"
    "  for (uint m = OWNER * M; m < BLOCK_ROWS; m += INVOCATIONS / SUBGROUP * M) {\n"
    "    for (uint n = 0u; n < BLOCK_KEYS; n += N) {\n"
    "      SUMS s = NO_SUMS;\n"
    "      for (uint k = 0u; k < TERMS_@; k += K) {\n"
    "        LEFT p;\n"
    "        RIGHT q;\n"
    "        load_left(p, A_TILE $, BY_ROWS);\n"
    "        load_right(q, B_TILE #);\n"
    "        s IS product_sum(p, q, s);\n"
    "      }\n"
    "      store_sums(s, OF_SUMS m * SUM_LINE + n, SUM_LINE, BY_ROWS);\n"
    "    }\n"
    "  }\n"
    "}\n";
static const char *const webnn_vk__attention_halves_text =
    "#define FACTOR float16_t\n"
    "#define A_TYPE FACTOR\n#define B_TYPE FACTOR\n"
    "#define SUM float\n"
    "#define Q_DEPTH DEPTH\n#define K_DEPTH DEPTH\n#define V_DEPTH VALUE_DEPTH\n"
    "#define Q_ALONG 0u\n#define K_ALONG ALONG_KEYS\n#define V_ALONG 0u\n"
    "#define Q_LINE K_LINE\n"
    "#define TERMS_k (K_LINE - 8u)\n"
    "#define TERMS_v (2u * BLOCK_KEYS)\n"
    "#define SUM_LINE (BLOCK_KEYS + 4u)\n"
    "#define WEIGHT_LINE (2u * BLOCK_KEYS + 8u)\n"
    "shared QUAD weights[BLOCK_KEYS * ROW_LINE];\n"
    "shared vec4 tops[LANES * QUADS];\n"
    "shared float16_t a_tile[BLOCK_ROWS * (Q_LINE + WEIGHT_LINE)];\n"
    "shared float16_t b_tile[BLOCK_KEYS * MOST_LINE];\n"
    "shared float sums[BLOCK_ROWS * SUM_LINE];\n"
    "vec4 sums_of(uint row, uint lane) {\n"
    "  uint at = row * SUM_LINE + lane * 4u;\n"
    "  return vec4(sums[at], sums[at + 1u], sums[at + 2u], sums[at + 3u]);\n"
    "}\n"
    "void keep_weight(uint row, uint key, float w) {\n"
    "  float least = w > 0.0 ? uintBitsToFloat(0x33800000u) : 0.0, x = w * 32768.0;\n"
    "  float high = is_nan(w) ? w : max(uintBitsToFloat(floatBitsToUint(x) & 0xffffe000u), "
    "least);\n"
    "  float16_t first = float16_t(high);\n"
    "  uint at = BLOCK_ROWS * Q_LINE + row * WEIGHT_LINE + key;\n"
    "  a_tile[at] = first;\n"
    "  a_tile[at + BLOCK_KEYS] = float16_t(is_nan(w) ? 0.0 : max(x - float(first), least));\n"
    "}\n";
static const char *const webnn_vk__attention_part_text =
    "void put_sum(uint batch, uint head, uint row, uint split, uint d, vec4 sum, float largest,\n"
    "             float total) {\n"
    "  uint at = (((split * BATCH + batch) * HEADS + head) * ROWS + row) * PART_LINE;\n"
    "  LOOP for (uint j = 0u; j < 4u; j++) { store_parts(at + d + j, sum[j]); }\n"
    "  if (d == 0u) {\n"
    "    store_parts(at + 4u * VALUE_LINE, largest);\n"
    "    store_parts(at + 4u * VALUE_LINE + 1u, total);\n"
    "  }\n"
    "}\n";
static const char *const webnn_vk__attention_result_text =
    "void put_sum(uint batch, uint head, uint row, uint split, uint d, vec4 sum, float largest,\n"
    "             float total) {\n"
    "  put_four(batch * Y_0 + head * Y_1 + row * Y_2, d, sum / total);\n"
    "}\n";

/* Joins the splits of four elements of y. */
static const char *const webnn_vk__attention_join_text =
    "void run(uint i) {\n"
    "  uint d = i % VALUE_LINE * 4u;\n"
    "  uint rest = i / VALUE_LINE;\n"
    "  uint lines = BATCH * HEADS * ROWS;\n"
    "  float largest = -infinity();\n"
    "  for (uint split = 0u; split < SPLITS; split++) {\n"
    "    uint at = (split * lines + rest) * PART_LINE;\n"
    "    largest = max(largest, load_parts(at + 4u * VALUE_LINE));\n"
    "  }\n"
    "  vec4 sum = vec4(0.0);\n"
    "  float total = 0.0;\n"
    "  for (uint split = 0u; split < SPLITS; split++) {\n"
    "    uint at = (split * lines + rest) * PART_LINE;\n"
    "    float factor = weight_of(load_parts(at + 4u * VALUE_LINE), largest);\n"
    "    LOOP for (uint j = 0u; j < 4u; j++) { sum[j] += factor * load_parts(at + d + j); }\n"
    "    total += factor * load_parts(at + 4u * VALUE_LINE + 1u);\n"
    "  }\n"
    "  uint row = rest % ROWS;\n"
    "  rest /= ROWS;\n"
    "  if (d < VALUE_DEPTH) {\n"
    "    put_four(rest / HEADS * Y_0 + rest % HEADS * Y_1 + row * Y_2, d, sum / total);\n"
    "  }\n"
    "}\n";

/* How often lines with a mark come, and what they have for @, $ and #: for each row (*) its number,
   which component of its four it is, and the four's number; for each four of rows (%) its number;
   for each four of sums of a row (+) the row, the number of both, and the four's; for each four of
   y (^) its number. Other lines come once. */
static uint32_t webnn_vk__repeats(const webnn_vk__attention_plan *p, char mark) {
  return mark == '*'   ? p->rows_each
         : mark == '%' ? (p->rows_each + 3) / 4
         : mark == '+' ? p->rows_each * p->fours
         : mark == '^' ? p->fours
                       : mark != '\n';
}

/* A text whose lines may begin with marks. Neighbours with the same mark are repeated together, if
   no empty line stands between. */
static void webnn_vk__marked_text(webnn_vk__kernel *k, const webnn_vk__attention_plan *p,
                                  const char *text) {
  static const char *const components[] = {"x", "y", "z", "w"};
  char lines[2048], at[12], dollar[12], hash[12];
  while (*text != 0) {
    const char mark = *text;
    const size_t marked = strchr("*%+^", mark) != NULL;
    size_t length = 0;
    uint32_t i;
    do {
      const size_t end = strcspn(text, "\n") + 1;
      memcpy(lines + length, text + marked, end - marked);
      length += end - marked;
      text += end;
    } while (marked != 0 && *text == mark);
    lines[length] = 0;
    for (i = 0; i < webnn_vk__repeats(p, mark); i++) {
      (void)snprintf(at, sizeof at, "%u", mark == '+' ? i / p->fours : i);
      (void)snprintf(dollar, sizeof dollar, "%u", i);
      (void)snprintf(hash, sizeof hash, "%u", mark == '+' ? i % p->fours : i / 4);
      webnn_vk__text_of(k, lines, at, mark == '*' ? components[i % 4] : dollar, hash);
    }
  }
}

/* The parts of run(). On software drivers loops go over rows and keys, since an exponential is much
   code, as packing float16 is; on GPUs what they read and write by their number would not be in
   registers. */
static const char *const webnn_vk__attention_begin_text =
    "  uint lane = gl_LocalInvocationID.x % LANES;\n"
    "  uint mine = gl_LocalInvocationID.x / LANES * ROWS_EACH;\n"
    "  uint my_quad = mine / 4u;\n"
    "  uint at_weights = lane * 4u * ROW_LINE + my_quad;\n"
    "%  vec4 largest@ = vec4(-infinity());\n"
    "%  vec4 total@ = vec4(0.0);\n"
    "+  vec4 o$ = vec4(0.0);\n"
    "^  uint place@ = min(lane + @u * LANES, VALUE_LINE - 1u);\n"
    "  for (uint from = begin; from < to; from += BLOCK_KEYS) {\n"
    "    uint key = from + lane * 4u;\n";
static const char *const webnn_vk__attention_keys_text =
    "*    vec4 s@ = vec4(0.0);\n"
    "    for (uint d = 0u; d < DEPTH; d += DEPTH_STEP) {\n"
    "      barrier();\n"
    "      if (DEPTH > DEPTH_STEP || from == begin) { bring_q(at_q, first, d); }\n"
    "      bring_k(at_k, from, d, to);\n"
    "      barrier();\n"
    "      uint steps = min(DEPTH_STEP, DEPTH - d);\n"
    "      for (uint t = 0u; t < steps; t++) {\n"
    "%        vec4 q@ = vec4(query[t * ROW_LINE + my_quad + @u]);\n"
    "        vec4 keys = pool[t * KEY_LINE + lane];\n"
    "*        s@ = fma(vec4(q#.$), keys, s@);\n"
    "      }\n"
    "    }\n";
static const char *const webnn_vk__matrix_keys_text =
    "    barrier();\n"
    "    if (from == begin) { bring_q(at_q, first, ROWS, BLOCK_ROWS); }\n"
    "    bring_k(at_k, from, to, BLOCK_KEYS);\n"
    "    barrier();\n"
    "    multiply_k(0u);\n"
    "    barrier();\n"
    "*    vec4 s@ = sums_of(mine + @u, lane);\n";
static const char *const webnn_vk__attention_weights_text =
    "%    vec4 now@ = vec4(-infinity());\n"
    "%    IN_REGISTERS for (uint row = 0u; row < QUAD_ROWS; row++) {\n"
    "%      vec4 v;\n"
    "%      LOOP for (uint c = 0u; c < 4u; c++) {\n"
    "%        v[c] = weights[at_weights + c * ROW_LINE + @u]OF_ROW;\n"
    "%      }\n"
    "%      v = scores_of(v, batch, head, first + mine + @u * 4u + row, key, to);\n"
    "%      LOOP for (uint c = 0u; c < 4u; c++) {\n"
    "%        weights[at_weights + c * ROW_LINE + @u]OF_ROW = v[c];\n"
    "%      }\n"
    "%      now@[row] = largest_of(v);\n"
    "%    }\n"
    "\n"
    "%    tops[lane * QUADS + my_quad + @u] = now@;\n"
    "    barrier();\n"
    "    LOOP for (uint j = 0u; j < LANES; j++) {\n"
    "%      now@ = max(now@, tops[j * QUADS + my_quad + @u]);\n"
    "    }\n"
    "%    now@ = max(largest@, now@);\n"
    "%    vec4 factor@;\n"
    "%    vec4 added@ = vec4(0.0);\n"
    "%    IN_REGISTERS for (uint e = 0u; e < 5u * QUAD_ROWS; e++) {\n"
    "%      uint row = e % QUAD_ROWS;\n"
    "%      uint at = at_weights + e / QUAD_ROWS * ROW_LINE + @u;\n"
    "%      bool is_score = e < 4u * QUAD_ROWS;\n"
    "%      float x = largest@[row];\n"
    "%      if (is_score) { x = weights[at]OF_ROW; }\n"
    "%      x = weight_of(x, now@[row]);\n"
    "%      if (is_score) {\n"
    "%        weights[at]OF_ROW = x;\n"
    "%        added@[row] += x;\n"
    "%      } else {\n"
    "%        factor@[row] = x;\n"
    "%      }\n"
    "%    }\n"
    "%    largest@ = now@;\n"
    "%    total@ = total@ * factor@ + added@;\n"
    "*    vec4 f@ = vec4(factor#.$);\n"
    "+    o$ = o$ * f@;\n";
static const char *const webnn_vk__attention_values_text =
    "    uint count = min(BLOCK_KEYS, to - from);\n"
    "    for (uint j = 0u; j < count; j += KEY_STEP) {\n"
    "      barrier();\n"
    "      bring_v(at_v, from + j, to);\n"
    "      barrier();\n"
    "      uint steps = min(KEY_STEP, count - j);\n"
    "      for (uint t = 0u; t < steps; t++) {\n"
    "%        vec4 w@ = vec4(weights[(j + t) * ROW_LINE + my_quad + @u]);\n"
    "^        vec4 v@ = pool[t * VALUE_LINE + place@];\n"
    "*        vec4 p@ = vec4(w#.$);\n"
    "+        o$ = fma(p@, v#, o$);\n"
    "      }\n"
    "    }\n";
static const char *const webnn_vk__matrix_values_text =
    "    [[dont_unroll]] for (uint i = 0u; i < 4u * ROWS_EACH; i++) {\n"
    "      uint row = i / 4u;\n"
    "      keep_weight(mine + row, lane * 4u + i % 4u, weights[at_weights + i % 4u * ROW_LINE + "
    "row / 4u][row & 3u]);\n"
    "    }\n"
    "    bring_v(at_v, from, to, BLOCK_KEYS);\n"
    "    for (uint e = 0u; e < FOURS; e++) {\n"
    "      barrier();\n"
    "      multiply_v(e * BLOCK_KEYS);\n"
    "      barrier();\n"
    "+      if (e == #u) { o$ = o$ + sums_of(mine + @u, lane) * (1.0 / 32768.0); }\n"
    "    }\n";
static const char *const webnn_vk__attention_end_text =
    "  }\n"
    "%  tops[lane * QUADS + my_quad + @u] = total@;\n"
    "%  total@ = vec4(0.0);\n"
    "  barrier();\n"
    "  LOOP for (uint j = 0u; j < LANES; j++) {\n"
    "%    total@ = total@ + tops[j * QUADS + my_quad + @u];\n"
    "  }\n"
    "  float totals[ROWS_EACH];\n"
    "  float largests[ROWS_EACH];\n"
    "  vec4 sums[ROWS_EACH * FOURS];\n"
    "*  totals[@] = total#.$;\n"
    "*  largests[@] = largest#.$;\n"
    "+  sums[$] = o$;\n"
    "  [[dont_unroll]] for (uint q = 0u; q < ROWS_EACH * FOURS; q++) {\n"
    "    uint r = q / FOURS;\n"
    "    uint row = first + mine + r;\n"
    "    uint d = (lane + q % FOURS * LANES) * 4u;\n"
    "    if (row < ROWS && d < VALUE_DEPTH) {\n"
    "      put_sum(batch, head, row, split, d, sums[q], largests[r], totals[r]);\n"
    "    }\n"
    "  }\n"
    "}\n";

/* What was added up of scores goes to where their weights will be. */
static void webnn_vk__put_attention_scores(webnn_vk__kernel *k, const webnn_vk__attention_plan *p) {
  uint32_t i, c;
  for (i = 0; i < p->rows_each; i += 4) {
    for (c = 0; c < 4; c++) {
      const char component = "xyzw"[c];
      webnn_vk__format(k, "    weights[at_weights + %uu * ROW_LINE + %uu] = QUAD(s%u.%c", c,
                       (i / 4), i, component);
      if (p->rows_each > 1) {
        webnn_vk__format(k, ", s%u.%c, s%u.%c, s%u.%c", i + 1, component, i + 2, component, i + 3,
                         component);
      }
      webnn_vk__text(k, ");\n");
    }
  }
}

static void webnn_vk__push_strides(webnn_vk__kernel *k, char name, const int64_t *strides) {
  const char base[] = {name, '_', 0};
  uint32_t i;
  for (i = 0; i < 4; i++) {
    webnn_vk__push(k, webnn_vk__named(k, base, i), (uint32_t)strides[i]);
  }
}

/* What both kernels know. A LOOP is not unrolled for software drivers, which compile for long. */
static void webnn_vk__put_attention_sizes(webnn_vk__kernel *k, const webnn_vk__attention_plan *p) {
  const webnn__attention *a = p->a;
  k->extensions = "#extension GL_EXT_control_flow_attributes : require\n";
  webnn_vk__uses(k, WEBNN_VK__LIB_BITS);
  webnn_vk__uses(k, WEBNN_VK__LIB_EXP);
  webnn_vk__push_strides(k, 'Y', a->y);
  WEBNN_VK__PUT_PUSHES(k, "BATCH HEADS ROWS VALUE_DEPTH SPLITS", (uint32_t)a->batch,
                       (uint32_t)a->heads, (uint32_t)a->m, (uint32_t)a->value_depth, p->splits);
  webnn_vk__constant(k, "VALUE_LINE", p->value_line);
  webnn_vk__text(k,
                 k->planner->traits->is_cpu ? "#define LOOP [[dont_unroll]]\n" : "#define LOOP\n");
  webnn_vk__text(k, k->planner->traits->unrolls ? "#define IN_REGISTERS [[unroll]]\n"
                                                : "#define IN_REGISTERS [[dont_unroll]]\n");
  webnn_vk__text(k, "#define PART_LINE (4u * VALUE_LINE + 2u)\n");
  webnn_vk__text(k, webnn_vk__weight_text);
}

/* The operands that are read, with their strides. */
static void webnn_vk__put_attention_operands(webnn_vk__kernel *k,
                                             const webnn_vk__attention_plan *p) {
  const webnn__attention *a = p->a;
  const bool along_keys = a->k[2] == 1 && a->k[3] != 1;
  webnn_vk__reads_fours(k, "q", p->node->inputs[0], webnn_vk__has_fours(a->q, 3, a->depth));
  webnn_vk__reads_fours(k, "k", p->node->inputs[1],
                        along_keys ? webnn_vk__has_fours(a->k, 2, a->n)
                                   : webnn_vk__has_fours(a->k, 3, a->depth));
  webnn_vk__reads_fours(k, "v", p->node->inputs[2], webnn_vk__has_fours(a->v, 3, a->value_depth));
  webnn_vk__push_strides(k, 'Q', a->q);
  webnn_vk__push_strides(k, 'K', a->k);
  webnn_vk__push_strides(k, 'V', a->v);
  WEBNN_VK__PUT_PUSHES(k, "KEYS DEPTH SPLIT_KEYS", (uint32_t)a->n, (uint32_t)a->depth,
                       p->split_keys);
  webnn_vk__push_float(k, "SCALE", a->scale);
  webnn_vk__push_strides(k, 'M', a->mask);
  WEBNN_VK__PUT_CONSTANTS(k, "ALONG_KEYS MASKED", along_keys,
                          webnn_vk__input_of(p->node, 3) != WEBNN__NONE);
  if (webnn_vk__input_of(p->node, 3) != WEBNN__NONE) {
    webnn_vk__reads_fours(k, "mask", p->node->inputs[3], webnn_vk__has_fours(a->mask, 3, a->n));
    webnn_vk__text(k, "vec4 mask_of(uint at, uint count) { return four_mask(at, M_3, count); }\n");
  } else {
    webnn_vk__text(k, "vec4 mask_of(uint at, uint count) { return vec4(0.0); }\n");
  }
}

/* A line of QUADs for the rows of a block, with one unused, so that lines begin in other banks. */
static uint32_t webnn_vk__row_line(const webnn_vk__attention_plan *p) {
  return p->rows_each == 1 ? 1 : p->block_rows / 4 + 1;
}

static uint32_t webnn_vk__row_line_bytes(const webnn_vk__attention_plan *p) {
  return webnn_vk__row_line(p) * (p->rows_each == 1 ? 4 : 16);
}

/* Fours of rows, of which the lanes have a number each. */
static uint32_t webnn_vk__row_quads(const webnn_vk__attention_plan *p) {
  return p->rows_each == 1 ? 1 : p->block_rows / 4;
}

/* The bytes of shared memory beside weights and such numbers, and those that a step of a depth
   takes. */
static uint32_t webnn_vk__attention_room(const webnn_vk__attention_plan *p, uint32_t shared) {
  const uint32_t taken =
      p->block_keys * webnn_vk__row_line_bytes(p) + 16 * p->lanes * webnn_vk__row_quads(p);
  return shared > taken ? shared - taken : 0;
}

static uint32_t webnn_vk__depth_bytes(const webnn_vk__attention_plan *p) {
  return webnn_vk__row_line_bytes(p) + 16 * (p->lanes + 1);
}

static void webnn_vk__set_lanes(webnn_vk__attention_plan *p, uint32_t groups, uint32_t lanes) {
  p->lanes = lanes;
  p->local = groups * lanes;
  p->block_rows = groups * p->rows_each;
  p->block_keys = 4 * lanes;
  p->fours = (p->value_line + lanes - 1) / lanes;
}

/* Rows of an invocation, and how many invocations share them: as many as have different elements of
   y, and keys. */
static void webnn_vk__choose_attention_block(const webnn_vk__traits *traits,
                                             webnn_vk__attention_plan *p, uint32_t shared) {
  const webnn__attention *a = p->a;
  const uint32_t most = traits->is_cpu ? 64 : 128; /* invocations, lanes */
  uint32_t least = traits->is_cpu ? 8 : 16, groups = 1, lanes;
  const bool large = !traits->is_cpu && shared >= 32768 && a->value_depth <= 128 &&
                     a->batch * a->heads * ((a->m + 63) / 64) >= 128;
  p->rows_each = a->m == 1 ? 1 : a->m > 32 && large ? 8 : 4;
  while (groups < most / least && groups * p->rows_each < a->m) {
    groups *= 2;
  }
  if (!traits->is_cpu && groups == 1) {
    least = 32;
  }
  lanes = least;
  while (lanes * groups < most && lanes * 4 < a->n && lanes < p->value_line) {
    lanes *= 2;
  }
  webnn_vk__set_lanes(p, groups, lanes);
  while (lanes > least && webnn_vk__attention_room(p, shared) < 8 * webnn_vk__depth_bytes(p)) {
    lanes /= 2;
    webnn_vk__set_lanes(p, groups, lanes);
  }
}

/* Takes matrices of float16, if there are some and room, in blocks of 64 or 32 rows. */
static void webnn_vk__choose_attention_matrices(const webnn_vk__planner *planner,
                                                webnn_vk__attention_plan *p) {
  const uint32_t shared = planner->traits->shared_bytes;
  webnn_vk__tiled product;
  uint32_t groups, bytes;
  memset(&product, 0, sizeof product);
  product.halves =
      webnn_vk__type_of(planner, p->node->inputs[0]) == WEBNN_FLOAT16 || planner->traits->relaxed;
  product.rows = (uint32_t)p->a->m;
  product.columns = product.depth = (uint32_t)p->a->n;
  p->matrix = p->a->value_depth <= 128 ? webnn_vk__matrix_for(planner->traits, &product) : NULL;
  p->rows_each = 4;
  for (groups = 16; p->matrix != NULL; groups /= 2) {
    webnn_vk__set_lanes(p, groups, 8);
    p->key_line = (uint32_t)(p->a->depth + 31) / 32 * 32 + 8;
    p->line = 32 * p->fours + 8;
    bytes = 2 * (p->block_rows * (p->key_line + 72) +
                 32 * (p->key_line > p->line ? p->key_line : p->line)) +
            4 * 36 * p->block_rows;
    if (bytes <= webnn_vk__attention_room(p, shared)) {
      return;
    }
    p->matrix = groups > 8 ? p->matrix : NULL;
  }
}

/* How much of the depth of keys, and how many values, come into shared memory at a time. */
static void webnn_vk__choose_attention_steps(webnn_vk__attention_plan *p, uint32_t shared) {
  const uint32_t room = webnn_vk__attention_room(p, shared), depth = (uint32_t)p->a->depth;
  const uint32_t most = room / webnn_vk__depth_bytes(p) / 8 * 8, unit = most < 16 ? 8 : 16;
  const uint32_t steps = (depth + most / unit * unit - 1) / (most / unit * unit);
  uint32_t step, left;
  p->depth_step = ((depth + steps - 1) / steps + unit - 1) / unit * unit;
  left = (room - p->depth_step * webnn_vk__row_line_bytes(p)) / 16;
  for (step = p->block_keys; step > 1 && step * p->value_line > left; step /= 2) {
  }
  p->key_step = step;
}

/* Among how many workgroups the keys are split, two blocks of them at least for each. */
static void webnn_vk__split_keys(const webnn_vk__traits *traits, webnn_vk__attention_plan *p) {
  const webnn__attention *a = p->a;
  const uint64_t rows = a->batch * a->heads * a->m, line = 4 * (uint64_t)p->value_line + 2;
  const uint64_t blocks = a->batch * a->heads * ((a->m + p->block_rows - 1) / p->block_rows);
  const uint64_t busy = traits->is_cpu ? 4 : (p->rows_each == 1 ? 131072 : 65536) / p->local;
  uint64_t splits = busy / blocks, most = a->n / (2 * p->block_keys);
  most = most < 64 ? most : 64;
  most =
      most < traits->max_range / (rows * line * 4) ? most : traits->max_range / (rows * line * 4);
  splits = splits < most ? splits : most;
  splits = splits > 1 ? splits : 1;
  p->split_keys = (uint32_t)((a->n + splits - 1) / splits);
  p->split_keys = (p->split_keys + p->block_keys - 1) / p->block_keys * p->block_keys;
  p->splits = (uint32_t)((a->n + p->split_keys - 1) / p->split_keys);
}

static webnn_vk__attention_plan webnn_vk__attention_plan_of(const webnn_vk__planner *planner,
                                                            uint32_t index) {
  const webnn_vk__traits *traits = planner->traits;
  webnn_vk__attention_plan p;
  uint32_t shared, most;
  memset(&p, 0, sizeof p);
  p.index = index;
  p.node = &planner->program->nodes[index];
  p.a = p.node->fused->attention;
  p.value_line = (uint32_t)(p.a->value_depth + 15) / 16 * 4;
  /* A GPU has several workgroups at once in a processor, and many of one row, which wait for memory
     all the time. */
  most = p.a->m == 1 && !traits->is_cpu ? 8192 : 32768;
  shared = traits->shared_bytes < most ? traits->shared_bytes : most;
  webnn_vk__choose_attention_matrices(planner, &p);
  if (p.matrix == NULL) {
    webnn_vk__choose_attention_block(traits, &p, shared);
    webnn_vk__choose_attention_steps(&p, shared);
  }
  webnn_vk__split_keys(traits, &p);
  return p;
}

/* Are fours of y whole words? Else y is made zeros before, if it is float16. */
static bool webnn_vk__writes_fours(const webnn_vk__attention_plan *p) {
  return webnn_vk__has_fours(p->a->y, 3, p->a->value_depth);
}

/* void put_four(at, d, v): elements d to d + 3 of the row of y at `at`. */
static void webnn_vk__put_attention_result(webnn_vk__kernel *k, const webnn_vk__attention_plan *p) {
  webnn_vk__writes(k, "y", p->node->outputs[0]);
  webnn_vk__text(k, k->type == WEBNN_FLOAT16 && webnn_vk__writes_fours(p)
                        ? "void put_four(uint at, uint d, vec4 v) {\n"
                          "  y_words[(at + d) / 2u] = pack_y(v.x) | pack_y(v.y) << 16;\n"
                          "  y_words[(at + d) / 2u + 1u] = pack_y(v.z) | pack_y(v.w) << 16;\n"
                          "}\n"
                        : "void put_four(uint at, uint d, vec4 v) {\n"
                          "  LOOP for (uint j = 0u; j < min(VALUE_DEPTH - d, 4u); j++) {\n"
                          "    store_y(at + (d + j) * Y_3, v[j]);\n"
                          "  }\n"
                          "}\n");
}

static void webnn_vk__put_attention_numbers(webnn_vk__kernel *k,
                                            const webnn_vk__attention_plan *p) {
  uint32_t pool = p->depth_step * (p->lanes + 1);
  pool = pool > p->key_step * p->value_line ? pool : p->key_step * p->value_line;
  WEBNN_VK__PUT_CONSTANTS(k, "INVOCATIONS LANES ROWS_EACH FOURS", p->local, p->lanes, p->rows_each,
                          p->fours);
  WEBNN_VK__PUT_CONSTANTS(k, "BLOCK_ROWS BLOCK_KEYS DEPTH_STEP KEY_STEP", p->block_rows,
                          p->block_keys, p->depth_step, p->key_step);
  WEBNN_VK__PUT_CONSTANTS(k, "ROW_LINE KEY_LINE QUADS POOL", webnn_vk__row_line(p), p->lanes + 1,
                          webnn_vk__row_quads(p), pool);
  webnn_vk__text(k, p->rows_each == 1 ? "#define QUAD float\n#define OF_ROW\n"
                                      : "#define QUAD vec4\n#define OF_ROW [row]\n");
  webnn_vk__constant(k, "QUAD_ROWS", p->rows_each == 1 ? 1 : 4);
}

/* The blocks of matrices. */
static void webnn_vk__put_attention_halves(webnn_vk__kernel *k, const webnn_vk__attention_plan *p) {
  k->extensions = webnn_vk__matrix_extensions;
  WEBNN_VK__PUT_CONSTANTS(k, "M N K FACTORS SUBGROUP", p->matrix->m, p->matrix->n, p->matrix->k,
                          p->matrix->k, k->planner->traits->matrix_subgroup);
  WEBNN_VK__PUT_CONSTANTS(k, "K_LINE V_LINE MOST_LINE A_UNIT B_UNIT", p->key_line, p->line,
                          p->key_line > p->line ? p->key_line : p->line, 1, 1);
  webnn_vk__text(k, webnn_vk__attention_halves_text);
  webnn_vk__text(k, WEBNN_VK__MATRIX_NAMES(false));
  webnn_vk__text_of(k, webnn_vk__attention_bring_text, "q", "Q", "a");
  webnn_vk__text_of(k, webnn_vk__attention_bring_text, "k", "K", "b");
  webnn_vk__text_of(k, webnn_vk__attention_bring_text, "v", "V", "b");
  webnn_vk__text_of(k, webnn_vk__attention_product_text, "k", "m * Q_LINE + k, Q_LINE",
                    "n * K_LINE + k, K_LINE, BY_COLUMNS");
  webnn_vk__text_of(k, webnn_vk__attention_product_text, "v",
                    "BLOCK_ROWS * Q_LINE + m * WEIGHT_LINE + k, WEIGHT_LINE",
                    "k % BLOCK_KEYS * V_LINE + at + n, V_LINE, BY_ROWS");
}

static void webnn_vk__put_attention_run(webnn_vk__kernel *k, const webnn_vk__attention_plan *p) {
  const bool matrices = p->matrix != NULL;
  webnn_vk__text(k, webnn_vk__attention_run_text);
  webnn_vk__marked_text(k, p, webnn_vk__attention_begin_text);
  webnn_vk__marked_text(k, p,
                        matrices ? webnn_vk__matrix_keys_text : webnn_vk__attention_keys_text);
  webnn_vk__put_attention_scores(k, p);
  webnn_vk__marked_text(k, p, webnn_vk__attention_weights_text);
  webnn_vk__marked_text(k, p,
                        matrices ? webnn_vk__matrix_values_text : webnn_vk__attention_values_text);
  webnn_vk__marked_text(k, p, webnn_vk__attention_end_text);
}

/* The first kernel: results, or parts of them. */
static bool webnn_vk__plan_attention_blocks(webnn_vk__planner *planner,
                                            const webnn_vk__attention_plan *p) {
  const webnn__attention *a = p->a;
  webnn_vk__kernel k;
  webnn_vk__begin(planner, p->index, &k);
  k.local = p->local;
  webnn_vk__put_attention_sizes(&k, p);
  webnn_vk__put_attention_numbers(&k, p);
  webnn_vk__put_attention_operands(&k, p);
  if (p->matrix != NULL) {
    webnn_vk__put_attention_halves(&k, p);
  } else {
    webnn_vk__text(&k, webnn_vk__attention_blocks_text);
  }
  webnn_vk__text(&k, webnn_vk__attention_scores_text);
  if (p->splits > 1) {
    webnn_vk__writes_part(&k, "parts", p->parts);
    webnn_vk__text(&k, webnn_vk__attention_part_text);
  } else {
    webnn_vk__put_attention_result(&k, p);
    webnn_vk__text(&k, webnn_vk__attention_result_text);
  }
  webnn_vk__put_attention_run(&k, p);
  k.cost = (uint64_t)p->split_keys * p->rows_each * (a->depth / p->lanes + 4 * p->fours + 1);
  if (!webnn_vk__groups(&k, a->batch * a->heads * ((a->m + p->block_rows - 1) / p->block_rows) *
                                p->splits)) {
    return false;
  }
  planner->kernels[planner->steps[planner->step_count - 1].kernel].subgroup_size =
      p->matrix != NULL ? planner->traits->matrix_subgroup : 0;
  return true;
}

/* The second one: an invocation joins a four. */
static bool webnn_vk__plan_attention_join(webnn_vk__planner *planner,
                                          const webnn_vk__attention_plan *p) {
  webnn_vk__kernel k;
  webnn_vk__begin(planner, p->index, &k);
  webnn_vk__put_attention_sizes(&k, p);
  webnn_vk__reads_part(&k, "parts", p->parts);
  webnn_vk__put_attention_result(&k, p);
  webnn_vk__text(&k, webnn_vk__attention_join_text);
  k.cost = (uint64_t)p->splits * 8;
  return webnn_vk__each(&k, p->a->batch * p->a->heads * p->a->m * p->value_line);
}

static bool webnn_vk__plan_attention(webnn_vk__planner *planner, uint32_t index) {
  webnn_vk__attention_plan p = webnn_vk__attention_plan_of(planner, index);
  const uint64_t rows = p.a->batch * p.a->heads * p.a->m;
  if (p.splits > 1) {
    p.parts =
        webnn_vk__scratch_part(planner, index, rows * p.splits * (4 * (uint64_t)p.value_line + 2));
  }
  return (webnn_vk__writes_fours(&p) ||
          webnn_vk__clear_narrow(planner, index, p.node->outputs[0])) &&
         webnn_vk__plan_attention_blocks(planner, &p) &&
         (p.splits == 1 || webnn_vk__plan_attention_join(planner, &p));
}

/* What passes may merge into products. */
static void webnn_vk__set_product_target(const webnn_vk__traits *traits, webnn__target *target) {
  if (traits->max_operands >= 8) {
    target->quantized_taps = UINT64_MAX;
    target->packed_types =
        1u << WEBNN_INT8 | 1u << WEBNN_UINT8 | 1u << WEBNN_INT4 | 1u << WEBNN_UINT4;
  }
  target->mixes_weights = true;
  target->ohwi_inputs = WEBNN_VK__TILE_STEP;
  target->product_types = WEBNN__TYPES_FLOATS;
  target->attention_depth = traits->max_operands >= 6 ? 256 : 0;
  if (traits->max_operands >= 6) {
    target->fuses =
        WEBNN__FUSES_TRANSPOSES | WEBNN__FUSES_BIAS | WEBNN__FUSES_RESIDUAL | WEBNN__FUSES_BOUNDS;
  }
}

/* ---- Planning a node ------------------------------------------------------------------------ */

typedef bool (*webnn_vk__plan_function)(webnn_vk__planner *planner, uint32_t node);

#define webnn_vk__plan_gru webnn_vk__plan_recurrent
#define webnn_vk__plan_gru_cell webnn_vk__plan_recurrent
#define webnn_vk__plan_lstm webnn_vk__plan_recurrent
#define webnn_vk__plan_lstm_cell webnn_vk__plan_recurrent

/* For each operator the function of its family: a family without one does not compile. */
#define WEBNN_VK__PLAN(op, c_name, name, section, family, operands, options)                       \
  {WEBNN_OP_##op, webnn_vk__plan_##family},
static const struct webnn_vk__plan_of {
  webnn_op op;
  webnn_vk__plan_function plan;
} webnn_vk__plans[] = {WEBNN_OPERATORS(WEBNN_VK__PLAN, WEBNN__NOTHING, WEBNN__NOTHING,
                                       WEBNN__NOTHING, WEBNN__NOTHING,
                                       WEBNN__NOTHING){WEBNN__OP_CHAIN, webnn_vk__plan_chain},
                       {WEBNN__OP_ATTENTION, webnn_vk__plan_attention}};

static bool webnn_vk__plan_node(webnn_vk__planner *planner, uint32_t node) {
  const webnn_op op = planner->program->nodes[node].op;
  size_t i;
  for (i = 0; i < sizeof webnn_vk__plans / sizeof *webnn_vk__plans; i++) {
    if (webnn_vk__plans[i].op == op) {
      return webnn_vk__plans[i].plan(planner, node);
    }
  }
  return webnn_vk__plan_fails(planner, node, "no kernel");
}

/* What passes may make of a program for this device. */
static void webnn_vk__set_target(const webnn_vk__traits *traits, webnn__target *target) {
  const uint32_t room = traits->max_operands - 1;
  memset(target, 0, sizeof *target);
  target->chain_ops = WEBNN__CHAIN_OPS;
  target->chain_inputs = room < WEBNN__CHAIN_INPUTS ? room : WEBNN__CHAIN_INPUTS;
  target->chain_outputs = 1;
  target->reduces_chains = true;
  target->chain_types = WEBNN__TYPES_FLOATS_BYTES;
  webnn_vk__set_product_target(traits, target);
}

/* ==============================================================================================
   4  loader and function table                                                   >>vulkan_loader

   Vulkan's loader is a library that is opened at run time. All functions of Vulkan stand in one
   table, which is filled from vkGetInstanceProcAddr, the loader's or the caller's; nothing else of
   this file calls Vulkan.
   ============================================================================================== */

#if defined(_WIN32)
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
#else
#include <dlfcn.h>
#endif

#ifndef VK_KHR_cooperative_matrix
#define VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME "VK_KHR_cooperative_matrix"
#define VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR                          \
  ((VkStructureType)1000506000)
#define VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_KHR ((VkStructureType)1000506001)

typedef struct VkPhysicalDeviceCooperativeMatrixFeaturesKHR {
  VkStructureType sType;
  void *pNext;
  VkBool32 cooperativeMatrix, cooperativeMatrixRobustBufferAccess;
} VkPhysicalDeviceCooperativeMatrixFeaturesKHR;

typedef struct VkCooperativeMatrixPropertiesKHR {
  VkStructureType sType;
  void *pNext;
  uint32_t MSize, NSize, KSize;
  VkComponentTypeKHR AType, BType, CType, ResultType;
  VkBool32 saturatingAccumulation;
  VkScopeNV scope;
} VkCooperativeMatrixPropertiesKHR;

typedef VkResult(VKAPI_PTR *PFN_vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR)(
    VkPhysicalDevice physicalDevice, uint32_t *pPropertyCount,
    VkCooperativeMatrixPropertiesKHR *pProperties);
#endif

/* What a function is asked of: the loader alone, an instance, or a device. */
typedef enum webnn_vk__origin {
  WEBNN_VK__LOADER,
  WEBNN_VK__INSTANCE,
  WEBNN_VK__DEVICE
} webnn_vk__origin;

/* Four functions of one origin, and two pairs: what makes something, and what destroys it. Pairs do
   not go by way of the four, where CreateSemaphore would become the macro that Windows.h has. */
#define WEBNN_VK__FOUR(X, origin, a, b, c, d) X(origin, a) X(origin, b) X(origin, c) X(origin, d)
#define WEBNN_VK__PAIRS(X, a, b)                                                                   \
  X(DEVICE, Create##a) X(DEVICE, Destroy##a) X(DEVICE, Create##b) X(DEVICE, Destroy##b)

/* The functions that must be there. */
#define WEBNN_VK__FUNCTIONS(X)                                                                     \
  X(LOADER, EnumerateInstanceVersion)                                                              \
  X(LOADER, EnumerateInstanceExtensionProperties)                                                  \
  X(LOADER, CreateInstance)                                                                        \
  WEBNN_VK__FOUR(X, INSTANCE, DestroyInstance, EnumeratePhysicalDevices, CreateDevice,             \
                 EnumerateDeviceExtensionProperties)                                               \
  WEBNN_VK__FOUR(X, INSTANCE, GetPhysicalDeviceProperties, GetPhysicalDeviceProperties2,           \
                 GetPhysicalDeviceFeatures2, GetPhysicalDeviceQueueFamilyProperties)               \
  X(INSTANCE, GetPhysicalDeviceMemoryProperties)                                                   \
  X(INSTANCE, GetPhysicalDeviceMemoryProperties2)                                                  \
  X(INSTANCE, GetDeviceProcAddr)                                                                   \
  WEBNN_VK__FOUR(X, DEVICE, DestroyDevice, GetDeviceQueue, QueueSubmit, QueueWaitIdle)             \
  WEBNN_VK__FOUR(X, DEVICE, AllocateMemory, FreeMemory, MapMemory, InvalidateMappedMemoryRanges)   \
  WEBNN_VK__PAIRS(X, Buffer, CommandPool)                                                          \
  WEBNN_VK__PAIRS(X, DescriptorSetLayout, DescriptorPool)                                          \
  WEBNN_VK__PAIRS(X, PipelineLayout, ShaderModule)                                                 \
  WEBNN_VK__PAIRS(X, PipelineCache, Fence)                                                         \
  WEBNN_VK__PAIRS(X, Semaphore, QueryPool)                                                         \
  WEBNN_VK__FOUR(X, DEVICE, GetBufferMemoryRequirements, BindBufferMemory, AllocateDescriptorSets, \
                 UpdateDescriptorSets)                                                             \
  WEBNN_VK__FOUR(X, DEVICE, AllocateCommandBuffers, FreeCommandBuffers, BeginCommandBuffer,        \
                 EndCommandBuffer)                                                                 \
  WEBNN_VK__FOUR(X, DEVICE, CmdPipelineBarrier, CmdCopyBuffer, CmdFillBuffer, CmdDispatch)         \
  WEBNN_VK__FOUR(X, DEVICE, CmdDispatchBase, CmdBindPipeline, CmdBindDescriptorSets,               \
                 CmdPushConstants)                                                                 \
  WEBNN_VK__FOUR(X, DEVICE, CmdResetQueryPool, CmdWriteTimestamp, GetQueryPoolResults,             \
                 GetPipelineCacheData)                                                             \
  WEBNN_VK__FOUR(X, DEVICE, GetFenceStatus, WaitForFences, ResetFences, DestroyPipeline)           \
  X(DEVICE, CreateComputePipelines)

/* Those that need not be there, or only with "KHR" behind their names. */
#define WEBNN_VK__MORE_FUNCTIONS(X)                                                                \
  X(INSTANCE, CreateDebugUtilsMessengerEXT)                                                        \
  X(INSTANCE, DestroyDebugUtilsMessengerEXT)                                                       \
  X(INSTANCE, GetPhysicalDeviceCooperativeMatrixPropertiesKHR)                                     \
  X(DEVICE, WaitSemaphores)                                                                        \
  X(DEVICE, GetSemaphoreCounterValue)

typedef struct webnn_vk__functions {
  PFN_vkGetInstanceProcAddr GetInstanceProcAddr;
#define WEBNN_VK__MEMBER(source, name) PFN_vk##name name;
  WEBNN_VK__FUNCTIONS(WEBNN_VK__MEMBER)
  WEBNN_VK__MORE_FUNCTIONS(WEBNN_VK__MEMBER)
#undef WEBNN_VK__MEMBER
} webnn_vk__functions;

static const struct webnn_vk__entry {
  const char *name;
  size_t offset; /* of the member */
  webnn_vk__origin source;
  bool needed;
} webnn_vk__entries[] = {
#define WEBNN_VK__ROW(source, name, needed)                                                        \
  {"vk" #name, offsetof(webnn_vk__functions, name), WEBNN_VK__##source, needed},
#define WEBNN_VK__NEEDED(source, name) WEBNN_VK__ROW(source, name, true)
#define WEBNN_VK__NOT_NEEDED(source, name) WEBNN_VK__ROW(source, name, false)
    WEBNN_VK__FUNCTIONS(WEBNN_VK__NEEDED) WEBNN_VK__MORE_FUNCTIONS(WEBNN_VK__NOT_NEEDED)
#undef WEBNN_VK__ROW
#undef WEBNN_VK__NEEDED
#undef WEBNN_VK__NOT_NEEDED
};

/* A structure of Vulkan: of its type, and else zero. */
#define WEBNN_VK__INFO(type, name, number)                                                         \
  type name = WEBNN_ZERO;                                                                          \
  name.sType = VK_STRUCTURE_TYPE_##number

/* ---- Errors --------------------------------------------------------------------------------- */

/* A call of webnn.h or of the program that is under way. Functions that it goes through return
   false when they have told it their error. */
typedef struct webnn_vk__request {
  const char *method; /* as its errors name it */
  webnn_error *error; /* may be NULL */
  webnn_status status;
} webnn_vk__request;

/* The call has failed with this status, whose error is filled in already; returns false. */
static bool webnn_vk__fails(webnn_vk__request *call, webnn_status status) {
  call->status = status;
  return false;
}

#define WEBNN_VK__FAIL(call, status, ...)                                                          \
  webnn_vk__fails(call, webnn__fail((call)->error, status, __VA_ARGS__))

static bool webnn_vk__lacks_memory(webnn_vk__request *call) {
  return webnn_vk__fails(call, webnn__out_of_memory(call->error, call->method));
}

/* What Vulkan may say, and the status that an error has by it. */
typedef struct webnn_vk__outcome {
  VkResult result;
  webnn_status status;
  const char *name;
} webnn_vk__outcome;

static const webnn_vk__outcome *webnn_vk__outcome_of(VkResult result) {
#define WEBNN_VK__OUTCOME(result, status)                                                          \
  { result, status, #result }
  static const webnn_vk__outcome outcomes[] = {
      WEBNN_VK__OUTCOME(VK_ERROR_OUT_OF_HOST_MEMORY, WEBNN_UNKNOWN_ERROR),
      WEBNN_VK__OUTCOME(VK_ERROR_OUT_OF_DEVICE_MEMORY, WEBNN_UNKNOWN_ERROR),
      WEBNN_VK__OUTCOME(VK_ERROR_INITIALIZATION_FAILED, WEBNN_NOT_SUPPORTED_ERROR),
      WEBNN_VK__OUTCOME(VK_ERROR_LAYER_NOT_PRESENT, WEBNN_NOT_SUPPORTED_ERROR),
      WEBNN_VK__OUTCOME(VK_ERROR_EXTENSION_NOT_PRESENT, WEBNN_NOT_SUPPORTED_ERROR),
      WEBNN_VK__OUTCOME(VK_ERROR_FEATURE_NOT_PRESENT, WEBNN_NOT_SUPPORTED_ERROR),
      WEBNN_VK__OUTCOME(VK_ERROR_INCOMPATIBLE_DRIVER, WEBNN_NOT_SUPPORTED_ERROR),
      WEBNN_VK__OUTCOME(VK_ERROR_DEVICE_LOST, WEBNN_OPERATION_ERROR),
      WEBNN_VK__OUTCOME(VK_ERROR_MEMORY_MAP_FAILED, WEBNN_OPERATION_ERROR),
      WEBNN_VK__OUTCOME(VK_ERROR_TOO_MANY_OBJECTS, WEBNN_OPERATION_ERROR),
      WEBNN_VK__OUTCOME(VK_ERROR_OUT_OF_POOL_MEMORY, WEBNN_OPERATION_ERROR),
      WEBNN_VK__OUTCOME(VK_ERROR_FRAGMENTED_POOL, WEBNN_OPERATION_ERROR),
      WEBNN_VK__OUTCOME(VK_ERROR_INVALID_EXTERNAL_HANDLE, WEBNN_OPERATION_ERROR),
      WEBNN_VK__OUTCOME(VK_ERROR_NOT_PERMITTED_KHR, WEBNN_OPERATION_ERROR),
      WEBNN_VK__OUTCOME(VK_ERROR_INVALID_SHADER_NV, WEBNN_OPERATION_ERROR),
      {VK_SUCCESS, WEBNN_OPERATION_ERROR, "an unknown result"},
  };
#undef WEBNN_VK__OUTCOME
  const webnn_vk__outcome *outcome = outcomes;
  while (outcome->result != result && outcome->result != VK_SUCCESS) {
    outcome++;
  }
  return outcome;
}

/* Has a function of Vulkan succeeded, on a device or before there is one (NULL)? If not, it is the
   error of the call. */
static bool webnn_vk__succeeds(webnn_vk__request *call, const char *device, const char *name,
                               VkResult result) {
  const webnn_vk__outcome *outcome = webnn_vk__outcome_of(result);
  return result == VK_SUCCESS ||
         WEBNN_VK__FAIL(call, outcome->status,
                        device != NULL ? "%s: %s gives %s on %q" : "%s: %s gives %s", call->method,
                        name, outcome->name, device);
}

/* ---- The loader and instances --------------------------------------------------------------- */

/* An instance, of ours or of the caller. */
typedef struct webnn_vk__instance {
  void *library; /* the loader that we have opened, or NULL */
  VkInstance handle;
  bool owned;
  uint32_t version; /* that may be used */
  VkDebugUtilsMessengerEXT messenger;
  webnn_vulkan_message message;
  void *message_user;
  webnn_vk__functions f;
} webnn_vk__instance;

/* The function vkGetInstanceProcAddr of the first loader there is; NULL if there is none. */
static PFN_vkGetInstanceProcAddr webnn_vk__open_loader(void **library) {
  PFN_vkGetInstanceProcAddr found = NULL;
#if defined(_WIN32)
  const HMODULE module = LoadLibraryA("vulkan-1.dll");
  if (module != NULL) {
    const FARPROC function = GetProcAddress(module, "vkGetInstanceProcAddr");
    *library = (void *)module;
    memcpy(&found, &function, sizeof found);
  }
#else
  /* dlopen of macOS does not look where the SDK and Homebrew put libraries; programs for iOS bring
     frameworks. */
  static const char *const names[] = {"libvulkan.so.1",
                                      "libvulkan.so",
                                      "libvulkan.1.dylib",
                                      "/usr/local/lib/libvulkan.1.dylib",
                                      "/opt/homebrew/lib/libvulkan.1.dylib",
                                      "libMoltenVK.dylib",
                                      "/usr/local/lib/libMoltenVK.dylib",
                                      "/opt/homebrew/lib/libMoltenVK.dylib",
                                      "vulkan.framework/vulkan",
                                      "MoltenVK.framework/MoltenVK"};
  size_t i;
  for (i = 0; i < sizeof names / sizeof *names && found == NULL; i++) {
    void *function;
    *library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (*library != NULL) {
      function = dlsym(*library, "vkGetInstanceProcAddr");
      memcpy(&found, &function, sizeof found);
      if (found == NULL) {
        (void)dlclose(*library);
        *library = NULL;
      }
    }
  }
#endif
  return found;
}

static void webnn_vk__close_loader(void *library) {
  if (library != NULL) {
#if defined(_WIN32)
    (void)FreeLibrary((HMODULE)library);
#else
    (void)dlclose(library);
#endif
  }
}

/* A text in an array of characters: its beginning, and itself when it is complete. */
static webnn__text webnn_vk__begin_name(char *data, size_t size) {
  webnn__text text;
  text.data = data;
  text.capacity = size - 1;
  text.length = 0;
  return text;
}

static const char *webnn_vk__end_name(webnn__text *text) {
  text->data[text->length < text->capacity ? text->length : text->capacity] = 0;
  return text->data;
}

/* Fills in the functions of a source; there is an instance (or not yet), or a device. */
static bool webnn_vk__load_functions(webnn_vk__request *call, webnn_vk__functions *f,
                                     webnn_vk__origin source, VkInstance instance,
                                     VkDevice device) {
  size_t i;
  for (i = 0; i < sizeof webnn_vk__entries / sizeof *webnn_vk__entries; i++) {
    const struct webnn_vk__entry *function = &webnn_vk__entries[i];
    PFN_vkVoidFunction found;
    char name[64];
    webnn__text text;
    if (function->source != source) {
      continue;
    }
    found = device != NULL ? f->GetDeviceProcAddr(device, function->name)
                           : f->GetInstanceProcAddr(instance, function->name);
    if (found == NULL && function->needed) {
      return WEBNN_VK__FAIL(call, WEBNN_NOT_SUPPORTED_ERROR,
                            "%s: the Vulkan loader or driver has no function %s", call->method,
                            function->name);
    }
    if (found == NULL && device != NULL) {
      text = webnn_vk__begin_name(name, sizeof name);
      webnn__put_string(&text, function->name);
      webnn__put_string(&text, "KHR");
      found = f->GetDeviceProcAddr(device, webnn_vk__end_name(&text));
    }
    memcpy((char *)f + function->offset, &found, sizeof found);
  }
  return true;
}

/* The first instance of ours stays until the process ends, and the drivers with it: loaders unload
   drivers with the last instance, and there are some that cannot be loaded again more than some
   thirty times, or have threads that run on. */
static bool webnn_vk__keeps_instance(const webnn_vk__instance *instance) {
  static webnn__atomic closed;
  return instance->owned && instance->library != NULL && instance->messenger == VK_NULL_HANDLE &&
         webnn__atomic_add(&closed, 1) == 1;
}

static void webnn_vk__close_instance(webnn_vk__instance *instance) {
  const bool kept = webnn_vk__keeps_instance(instance);
  if (instance->messenger != VK_NULL_HANDLE) {
    instance->f.DestroyDebugUtilsMessengerEXT(instance->handle, instance->messenger, NULL);
  }
  if (instance->owned && !kept && instance->f.DestroyInstance != NULL) {
    instance->f.DestroyInstance(instance->handle, NULL);
  }
  if (!kept) {
    webnn_vk__close_loader(instance->library);
  }
  memset(instance, 0, sizeof *instance);
}

static VKAPI_ATTR VkBool32 VKAPI_CALL webnn_vk__hear(
    VkDebugUtilsMessageSeverityFlagBitsEXT severity, VkDebugUtilsMessageTypeFlagsEXT types,
    const VkDebugUtilsMessengerCallbackDataEXT *data, void *user) {
  const webnn_vk__instance *instance = (const webnn_vk__instance *)user;
  (void)types;
  if (instance->message != NULL) {
    instance->message(instance->message_user,
                      (severity & VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT) != 0,
                      data->pMessage != NULL ? data->pMessage : "");
  }
  return VK_FALSE;
}

static bool webnn_vk__lists_extension(const VkExtensionProperties *list, uint32_t count,
                                      const char *name) {
  uint32_t i;
  for (i = 0; i < count; i++) {
    if (strcmp(list[i].extensionName, name) == 0) {
      return true;
    }
  }
  return false;
}

#define WEBNN_VK__MOST_EXTENSIONS 1024

/* The extensions of the instance (no device) or a device, up to 1024; NULL after an error. */
static VkExtensionProperties *webnn_vk__list_extensions(webnn_vk__request *call,
                                                        const webnn_allocator *allocator,
                                                        const webnn_vk__functions *f,
                                                        VkPhysicalDevice physical,
                                                        uint32_t *count) {
  const char *name = physical != NULL ? "vkEnumerateDeviceExtensionProperties"
                                      : "vkEnumerateInstanceExtensionProperties";
  VkExtensionProperties *list =
      WEBNN_VK__NEW(allocator, VkExtensionProperties, WEBNN_VK__MOST_EXTENSIONS);
  VkResult result;
  *count = WEBNN_VK__MOST_EXTENSIONS;
  if (list == NULL) {
    (void)webnn_vk__lacks_memory(call);
    return NULL;
  }
  result = physical != NULL ? f->EnumerateDeviceExtensionProperties(physical, NULL, count, list)
                            : f->EnumerateInstanceExtensionProperties(NULL, count, list);
  if (result != VK_INCOMPLETE && !webnn_vk__succeeds(call, NULL, name, result)) {
    webnn__release(allocator, list);
    list = NULL;
  }
  return list;
}

#define WEBNN_VK__VALIDATION_LAYER "VK_LAYER_KHRONOS_validation"

/* Makes an instance with the extensions that `list` has of those wanted. */
static bool webnn_vk__create_instance(webnn_vk__request *call, webnn_vk__instance *instance,
                                      const VkExtensionProperties *list, uint32_t count,
                                      bool validation) {
  static const char *const layers[1] = {WEBNN_VK__VALIDATION_LAYER};
  const char *extensions[2];
  WEBNN_VK__INFO(VkApplicationInfo, application, APPLICATION_INFO);
  WEBNN_VK__INFO(VkInstanceCreateInfo, info, INSTANCE_CREATE_INFO);
  WEBNN_VK__INFO(VkDebugUtilsMessengerCreateInfoEXT, messenger,
                 DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT);
  VkResult result;
  application.pEngineName = "webnn.h";
  application.apiVersion = instance->version;
  info.pApplicationInfo = &application;
  info.ppEnabledExtensionNames = extensions;
#ifdef VK_KHR_portability_enumeration
  if (webnn_vk__lists_extension(list, count, VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME)) {
    extensions[info.enabledExtensionCount++] = VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME;
    info.flags |= VK_INSTANCE_CREATE_ENUMERATE_PORTABILITY_BIT_KHR;
  }
#endif
  messenger.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                              VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  messenger.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT |
                          VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                          VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT;
  messenger.pfnUserCallback = webnn_vk__hear;
  messenger.pUserData = instance;
  if (validation) {
    info.enabledLayerCount = 1;
    info.ppEnabledLayerNames = layers;
    extensions[info.enabledExtensionCount++] = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
    info.pNext = &messenger;
  }
  result = instance->f.CreateInstance(&info, NULL, &instance->handle);
  if (result == VK_ERROR_LAYER_NOT_PRESENT) {
    return WEBNN_VK__FAIL(call, WEBNN_NOT_SUPPORTED_ERROR,
                          "%s: the layer " WEBNN_VK__VALIDATION_LAYER " is not installed",
                          call->method);
  }
  instance->owned = result == VK_SUCCESS;
  if (!webnn_vk__succeeds(call, NULL, "vkCreateInstance", result) ||
      !webnn_vk__load_functions(call, &instance->f, WEBNN_VK__INSTANCE, instance->handle, NULL)) {
    return false;
  }
  if (!validation || instance->f.CreateDebugUtilsMessengerEXT == NULL ||
      instance->f.DestroyDebugUtilsMessengerEXT == NULL) {
    return true;
  }
  result = instance->f.CreateDebugUtilsMessengerEXT(instance->handle, &messenger, NULL,
                                                    &instance->messenger);
  if (result != VK_SUCCESS) {
    instance->messenger = VK_NULL_HANDLE;
  }
  return webnn_vk__succeeds(call, NULL, "vkCreateDebugUtilsMessengerEXT", result);
}

/* An instance of our own. */
static bool webnn_vk__make_instance(webnn_vk__request *call, const webnn_allocator *allocator,
                                    const webnn_vulkan_options *options,
                                    webnn_vk__instance *instance) {
  VkExtensionProperties *list;
  uint32_t count;
  bool made;
  instance->message = options->message;
  instance->message_user = options->message_user;
  if (!webnn_vk__load_functions(call, &instance->f, WEBNN_VK__LOADER, NULL, NULL) ||
      !webnn_vk__succeeds(call, NULL, "vkEnumerateInstanceVersion",
                          instance->f.EnumerateInstanceVersion(&instance->version))) {
    return false;
  }
  if (instance->version < VK_API_VERSION_1_1) {
    return WEBNN_VK__FAIL(call, WEBNN_NOT_SUPPORTED_ERROR,
                          "%s: the Vulkan loader is of version 1.0, not 1.1", call->method);
  }
  if (instance->version > VK_API_VERSION_1_3) {
    instance->version = VK_API_VERSION_1_3;
  }
  list = webnn_vk__list_extensions(call, allocator, &instance->f, NULL, &count);
  made =
      list != NULL && webnn_vk__create_instance(call, instance, list, count, options->validation);
  webnn__release(allocator, list);
  return made;
}

/* Opens the loader and makes an instance, or takes the caller's. */
static bool webnn_vk__open_instance(webnn_vk__request *call, const webnn_allocator *allocator,
                                    const webnn_vulkan_options *options,
                                    webnn_vk__instance *instance) {
  instance->f.GetInstanceProcAddr = options->get_instance_proc_addr != NULL
                                        ? options->get_instance_proc_addr
                                        : webnn_vk__open_loader(&instance->library);
  if (instance->f.GetInstanceProcAddr == NULL) {
    return WEBNN_VK__FAIL(call, WEBNN_NOT_SUPPORTED_ERROR,
                          "%s: there is no Vulkan loader (libvulkan) on this machine",
                          call->method);
  }
  if (options->instance == NULL) {
    return webnn_vk__make_instance(call, allocator, options, instance);
  }
  instance->handle = options->instance;
  instance->version = VK_API_VERSION_1_1;
  return webnn_vk__load_functions(call, &instance->f, WEBNN_VK__INSTANCE, instance->handle, NULL);
}

/* ==============================================================================================
   5  device                                                                      >>vulkan_device

   A physical device is chosen and asked what it can do; a device of Vulkan is made for each
   context, or the caller's is taken. Everything that may be used by several threads is guarded by
   the device's mutex, the queue by the caller's lock, too.
   ============================================================================================== */

#define WEBNN_VK__WAITS 8      /* semaphores of the caller that one submission waits for */
#define WEBNN_VK__BUCKETS 1024 /* of the table of pipelines */

/* What memory is for. */
enum {
  WEBNN_VK__DEVICE_MEMORY, /* tensors, constants, arenas; mapped where that costs nothing */
  WEBNN_VK__UPLOAD_MEMORY, /* written by the host and copied by the device */
  WEBNN_VK__READ_MEMORY,   /* the other way */
  WEBNN_VK__MEMORY_KINDS
};

/* Types of memory for one purpose, the best first, each of another heap: when a heap is full the
   next is taken. */
typedef struct webnn_vk__memory_types {
  uint32_t types[VK_MAX_MEMORY_HEAPS], count;
} webnn_vk__memory_types;

/* A pipeline, found by its text. It is freed with the last plan that uses it. */
typedef struct webnn_vk__pipeline {
  struct webnn_vk__pipeline *next;
  uint64_t hash;
  uint32_t plans;
  uint32_t operand_count, subgroup_size;
  VkPipeline handle;
  double cost, nanoseconds; /* of the largest run that was timed; cost 0: none was */
  char *text;               /* in the same allocation */
} webnn_vk__pipeline;

/* A submission that may be under way; in the list in their order. Values count from 1. */
typedef struct webnn_vk__submission {
  struct webnn_vk__submission *next;
  uint64_t value;
  VkFence fence;          /* where there is no timeline semaphore */
  VkCommandBuffer buffer; /* of this submission alone, or NULL */
} webnn_vk__submission;

/* A run that is timed: one at a time. */
typedef struct webnn_vk__watch {
  struct webnn_vk__plan *plan; /* NULL: none is */
  struct webnn_vk__recording *recording;
  uint64_t last;       /* its last submission */
  uint64_t start, end; /* on the host's clock, of its submission and when it was found completed */
} webnn_vk__watch;

typedef struct webnn_vk__semaphore {
  VkSemaphore semaphore;
  uint64_t value;
} webnn_vk__semaphore;

typedef struct webnn_vk__gpu {
  const webnn_context_options *options;
  const webnn_allocator *allocator;
  webnn_vk__instance instance;
  const webnn_vk__functions *f; /* of the instance */
  VkPhysicalDevice physical;
  VkDevice handle;
  bool owned, loaded; /* the device is ours; its functions are there */
  VkQueue queue;
  uint32_t queue_family;
  void (*lock_queue)(void *user);
  void (*unlock_queue)(void *user);
  void *queue_user;
  webnn_vulkan_device info;
  webnn_vk__traits traits;
  webnn_vk__compile_options compile_options;
  webnn__target target;
  VkPhysicalDeviceMemoryProperties memory;
  webnn_vk__memory_types memory_types[WEBNN_VK__MEMORY_KINDS];
  uint64_t max_allocation; /* bytes of one buffer and its memory */
  uint32_t max_allocations;
  uint64_t memory_limit;
  uint64_t submission_cost; /* the caller's limit, or 0 */
  double assumed_speed;     /* of kernels that were never timed: cost by nanoseconds */
  webnn_vulkan_kernel kernel;
  void *kernel_user;
  unsigned char cache_uuid[VK_UUID_SIZE]; /* of the driver's compiled kernels */
  float timestamp_period;                 /* nanoseconds */
  bool has_timeline, has_budget;
  bool unchecked; /* pipelines are made without robust access to buffers */

  webnn__mutex mutex;      /* guards what follows */
  uint32_t timestamp_bits; /* 0: the device has no clock, or one that is wrong */
  webnn_vk__watch watch;
  webnn_vk__request call; /* of the thread that has it */
  webnn_error lost;       /* status WEBNN_OK: it is not */
  struct webnn_vk__block *blocks;
  uint64_t allocated; /* bytes of the device's memory */
  uint64_t heap_allocated[VK_MAX_MEMORY_HEAPS];
  uint32_t allocations;
  VkDescriptorSetLayout set_layouts[WEBNN_VK__OPERANDS + 1]; /* by number of operands */
  VkPipelineLayout layouts[WEBNN_VK__OPERANDS + 1];
  VkPipelineCache cache;
  webnn_vk__pipeline *pipelines[WEBNN_VK__BUCKETS];
  VkCommandPool pool;
  VkSemaphore timeline;
  uint64_t submitted, completed;
  webnn_vk__submission *first, **last; /* under way */
  webnn_vk__submission *spare;         /* to be used again */
  uint32_t waiting;                    /* threads that wait without the mutex */
  VkSemaphore waits[WEBNN_VK__WAITS];  /* of the caller, for the next submission */
  uint64_t wait_values[WEBNN_VK__WAITS];
  uint32_t wait_count;
  uint64_t staged;                 /* bytes of all staging ranges */
  struct webnn_vk__storage *dying; /* to be released when they have been used */
  struct webnn_vk__storage *stale; /* the caller's memory does not have the results yet */
  uint64_t storages;               /* that were ever made: their numbers */
} webnn_vk__gpu;

/* The properties of a device that follow each other by pNext. */
typedef struct webnn_vk__properties {
  VkPhysicalDeviceProperties2 all;
  VkPhysicalDeviceMaintenance3Properties maintenance3;
  VkPhysicalDeviceSubgroupProperties subgroup;
  VkPhysicalDeviceDriverProperties driver;             /* 1.2 */
  VkPhysicalDeviceMaintenance4Properties maintenance4; /* 1.3 */
  uint32_t version; /* of the device, and no newer than the instance's */
} webnn_vk__properties;

/* Makes a structure of Vulkan the next of a chain. Returns it, as the end of the chain. */
static VkBaseOutStructure *webnn_vk__chain(VkBaseOutStructure *end, void *structure,
                                           VkStructureType type) {
  VkBaseOutStructure *next = (VkBaseOutStructure *)structure;
  next->sType = type;
  next->pNext = NULL;
  if (end != NULL) {
    end->pNext = next;
  }
  return next;
}

#define WEBNN_VK__CHAIN(member, type)                                                              \
  end = webnn_vk__chain(end, member, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##type)

static void webnn_vk__get_properties(const webnn_vk__instance *instance, VkPhysicalDevice physical,
                                     webnn_vk__properties *p) {
  VkBaseOutStructure *end = NULL;
  memset(p, 0, sizeof *p);
  WEBNN_VK__CHAIN(&p->all, PROPERTIES_2);
  instance->f.GetPhysicalDeviceProperties(physical, &p->all.properties);
  p->version = p->all.properties.apiVersion < instance->version ? p->all.properties.apiVersion
                                                                : instance->version;
  if (p->version < VK_API_VERSION_1_1) {
    return;
  }
  WEBNN_VK__CHAIN(&p->maintenance3, MAINTENANCE_3_PROPERTIES);
  WEBNN_VK__CHAIN(&p->subgroup, SUBGROUP_PROPERTIES);
  if (p->version >= VK_API_VERSION_1_2) {
    WEBNN_VK__CHAIN(&p->driver, DRIVER_PROPERTIES);
  }
  if (p->version >= VK_API_VERSION_1_3) {
    WEBNN_VK__CHAIN(&p->maintenance4, MAINTENANCE_4_PROPERTIES);
  }
  instance->f.GetPhysicalDeviceProperties2(physical, &p->all);
}

/* The most bytes of a buffer. */
static uint64_t webnn_vk__max_allocation(const webnn_vk__properties *p) {
  const uint64_t memory = p->maintenance3.maxMemoryAllocationSize;
  const uint64_t buffer = p->maintenance4.maxBufferSize;
  const uint64_t most = memory > 0 ? memory : UINT64_C(1) << 30;
  return (buffer > 0 && buffer < most ? buffer : most) / 256 * 256;
}

/* A queue family that computes: number `wanted`; or, if that is UINT32_MAX, the first without
   graphics, whose work lets the desktop go on, or else the first. UINT32_MAX if there is none. */
static uint32_t webnn_vk__find_family(const webnn_vk__functions *f, VkPhysicalDevice physical,
                                      uint32_t wanted, uint32_t *timestamp_bits) {
  VkQueueFamilyProperties families[16];
  uint32_t count = 16, i, best = UINT32_MAX;
  memset(families, 0, sizeof families);
  f->GetPhysicalDeviceQueueFamilyProperties(physical, &count, families);
  for (i = 0; i < count; i++) {
    const VkQueueFlags flags = families[i].queueFlags;
    const bool draws = (flags & VK_QUEUE_GRAPHICS_BIT) != 0;
    if ((wanted == UINT32_MAX || wanted == i) && families[i].queueCount > 0 &&
        (flags & VK_QUEUE_COMPUTE_BIT) != 0 &&
        (best == UINT32_MAX ||
         (!draws && (families[best].queueFlags & VK_QUEUE_GRAPHICS_BIT) != 0))) {
      best = i;
    }
  }
  if (best != UINT32_MAX) {
    *timestamp_bits = families[best].timestampValidBits;
  }
  return best;
}

static void webnn_vk__describe(const webnn_vk__instance *instance, VkPhysicalDevice physical,
                               const webnn_vk__properties *p, webnn_vulkan_device *device) {
  const VkPhysicalDeviceProperties *all = &p->all.properties;
  const uint64_t range = all->limits.maxStorageBufferRange, most = webnn_vk__max_allocation(p);
  VkPhysicalDeviceMemoryProperties memory = WEBNN_ZERO;
  webnn__text text;
  uint32_t i, bits;
  memset(device, 0, sizeof *device);
  memcpy(device->name, all->deviceName, sizeof device->name - 1);
  text = webnn_vk__begin_name(device->driver, sizeof device->driver);
  webnn__put_string(&text, p->driver.driverName);
  webnn__put_string(&text, *p->driver.driverInfo != 0 && text.length > 0 ? " " : "");
  webnn__put_string(&text, p->driver.driverInfo);
  device->type = all->deviceType;
  device->vendor_id = all->vendorID;
  device->device_id = all->deviceID;
  device->api_version = all->apiVersion;
  device->driver_version = all->driverVersion;
  instance->f.GetPhysicalDeviceMemoryProperties(physical, &memory);
  for (i = 0; i < memory.memoryHeapCount; i++) {
    if ((memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0 &&
        memory.memoryHeaps[i].size > device->memory) {
      device->memory = memory.memoryHeaps[i].size;
    }
  }
  device->max_tensor_byte_length = (range < most ? range : most) / 16 * 16;
  device->max_workgroup_invocations = all->limits.maxComputeWorkGroupInvocations;
  device->shared_memory_bytes = all->limits.maxComputeSharedMemorySize;
  device->subgroup_size = p->subgroup.subgroupSize;
  device->usable = all->apiVersion >= VK_API_VERSION_1_1 &&
                   webnn_vk__find_family(&instance->f, physical, UINT32_MAX, &bits) != UINT32_MAX &&
                   all->limits.maxPerStageDescriptorStorageBuffers >= 4;
}

#define WEBNN_VK__MOST_DEVICES 32

/* All devices of the instance, up to 32. */
static bool webnn_vk__enumerate(webnn_vk__request *call, const webnn_vk__instance *instance,
                                VkPhysicalDevice *physical, uint32_t *count) {
  VkResult result;
  *count = WEBNN_VK__MOST_DEVICES;
  result = instance->f.EnumeratePhysicalDevices(instance->handle, count, physical);
  if (result != VK_INCOMPLETE &&
      !webnn_vk__succeeds(call, NULL, "vkEnumeratePhysicalDevices", result)) {
    *count = 0;
    return false;
  }
  return *count > 0 || WEBNN_VK__FAIL(call, WEBNN_NOT_SUPPORTED_ERROR,
                                      "%s: there is no device with a Vulkan driver", call->method);
}

WEBNN_API webnn_status webnn_vulkan_devices(const webnn_vulkan_options *options,
                                            webnn_vulkan_device *devices, size_t capacity,
                                            size_t *count, webnn_error *error) {
  const webnn_allocator allocator = {webnn__default_allocate, webnn__default_release, NULL};
  VkPhysicalDevice physical[WEBNN_VK__MOST_DEVICES];
  webnn_vulkan_options chosen = WEBNN_ZERO;
  webnn_vk__instance instance = WEBNN_ZERO;
  webnn_vk__request call = {"devices", NULL, WEBNN_OK};
  uint32_t found = 0, i;
  call.error = error;
  if (count == NULL) {
    return webnn__fail(error, WEBNN_TYPE_ERROR, "devices: there is no place for the count");
  }
  chosen.get_instance_proc_addr = options != NULL ? options->get_instance_proc_addr : NULL;
  if (webnn_vk__open_instance(&call, &allocator, &chosen, &instance)) {
    (void)webnn_vk__enumerate(&call, &instance, physical, &found);
  }
  for (i = 0; i < found && devices != NULL && i < capacity; i++) {
    webnn_vk__properties properties;
    webnn_vk__get_properties(&instance, physical[i], &properties);
    webnn_vk__describe(&instance, physical[i], &properties, &devices[i]);
  }
  *count = found;
  webnn_vk__close_instance(&instance);
  return call.status;
}

/* ---- Choosing one --------------------------------------------------------------------------- */

/* How good is a device of this type? More is better. */
static uint32_t webnn_vk__rank(VkPhysicalDeviceType type, webnn_power_preference preference) {
  static const uint32_t ranks[2][5] = {{2, 4, 5, 3, 1},  /* others, integrated, discrete, virtual */
                                       {2, 5, 4, 3, 1}}; /* GPUs, software */
  return (uint32_t)type < 5 ? ranks[preference == WEBNN_POWER_LOW_POWER][type] : 2;
}

/* Sets gpu->physical, and what it is in `p` and gpu->info; and any queue family will do. */
static bool webnn_vk__choose_device(webnn_vk__gpu *gpu, const webnn_vulkan_options *options,
                                    webnn_vk__properties *p) {
  VkPhysicalDevice physical[WEBNN_VK__MOST_DEVICES];
  uint32_t count, i, best = 0;
  if (!webnn_vk__enumerate(&gpu->call, &gpu->instance, physical, &count)) {
    return false;
  }
  if (options->device_number > count) {
    return WEBNN_VK__FAIL(&gpu->call, WEBNN_TYPE_ERROR,
                          "createContext: there are %u Vulkan devices, not %u", count,
                          options->device_number);
  }
  for (i = 0; i < count; i++) {
    webnn_vulkan_device info;
    webnn_vk__properties properties;
    uint32_t rank;
    webnn_vk__get_properties(&gpu->instance, physical[i], &properties);
    webnn_vk__describe(&gpu->instance, physical[i], &properties, &info);
    rank = webnn_vk__rank(info.type, gpu->options->power_preference);
    if (info.usable && rank > best &&
        (options->device_number == 0 || options->device_number == i + 1) &&
        (options->device_name == NULL || strstr(info.name, options->device_name) != NULL)) {
      best = rank;
      gpu->physical = physical[i];
      gpu->info = info;
      *p = properties;
    }
  }
  gpu->queue_family = UINT32_MAX;
  return best > 0 ||
         WEBNN_VK__FAIL(&gpu->call, WEBNN_NOT_SUPPORTED_ERROR,
                        options->device_name != NULL
                            ? "createContext: no usable Vulkan device has %q in its name"
                            : "createContext: no device has Vulkan 1.1 and a queue that "
                              "computes",
                        options->device_name);
}

/* The caller's device. */
static bool webnn_vk__take_device(webnn_vk__gpu *gpu, const webnn_vulkan_options *options,
                                  webnn_vk__properties *p) {
  gpu->physical = options->physical_device;
  gpu->handle = options->device;
  gpu->queue = options->queue;
  gpu->queue_family = options->queue_family;
  gpu->lock_queue = options->lock_queue;
  gpu->unlock_queue = options->unlock_queue;
  gpu->queue_user = options->queue_user;
  if ((options->features & WEBNN_VULKAN_FLOAT_CONTROLS) != 0) {
    gpu->instance.version = VK_API_VERSION_1_2; /* as far as questions go */
  }
  webnn_vk__get_properties(&gpu->instance, gpu->physical, p);
  webnn_vk__describe(&gpu->instance, gpu->physical, p, &gpu->info);
  if (!gpu->info.usable) {
    return WEBNN_VK__FAIL(&gpu->call, WEBNN_NOT_SUPPORTED_ERROR,
                          "createContext: %q has no Vulkan 1.1 or no queue that computes",
                          gpu->info.name);
  }
  return true;
}

/* ---- Making one ----------------------------------------------------------------------------- */

/* Bits of our own. */
#define WEBNN_VK__PIPELINE_ROBUSTNESS ((uint32_t)1 << 29)
#define WEBNN_VK__MEMORY_MODEL ((uint32_t)1 << 30)
#define WEBNN_VK__MEMORY_BUDGET ((uint32_t)1 << 31)

/* Optional parts of Vulkan: their bits, since which version they are in the core, and the extension
   that older devices may have. */
static const struct webnn_vk__part {
  uint32_t bits, core;
  const char *extension;
} webnn_vk__parts[] = {
    {WEBNN_VULKAN_TIMELINE_SEMAPHORE, VK_API_VERSION_1_2, VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME},
    {WEBNN_VULKAN_FLOAT16 | WEBNN_VULKAN_INT8, VK_API_VERSION_1_2,
     VK_KHR_SHADER_FLOAT16_INT8_EXTENSION_NAME},
    {WEBNN_VULKAN_DOT_PRODUCT, VK_API_VERSION_1_3,
     VK_KHR_SHADER_INTEGER_DOT_PRODUCT_EXTENSION_NAME},
    {WEBNN_VULKAN_FLOAT_CONTROLS, VK_API_VERSION_1_2, VK_KHR_SHADER_FLOAT_CONTROLS_EXTENSION_NAME},
    {WEBNN_VULKAN_SUBGROUP_SIZE, VK_API_VERSION_1_3, VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME},
    {WEBNN_VK__MEMORY_MODEL, VK_API_VERSION_1_2, VK_KHR_VULKAN_MEMORY_MODEL_EXTENSION_NAME},
    {WEBNN_VULKAN_COOPERATIVE_MATRIX, UINT32_MAX, VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME},
    {WEBNN_VK__MEMORY_BUDGET, UINT32_MAX, VK_EXT_MEMORY_BUDGET_EXTENSION_NAME},
    {WEBNN_VK__PIPELINE_ROBUSTNESS, UINT32_MAX, VK_EXT_PIPELINE_ROBUSTNESS_EXTENSION_NAME},
    {0, UINT32_MAX, "VK_KHR_portability_subset"}, /* must be switched on where it is */
};

#define WEBNN_VK__PARTS (sizeof webnn_vk__parts / sizeof *webnn_vk__parts)

/* Features, asked and then switched on, that follow each other by pNext. */
typedef struct webnn_vk__features {
  uint32_t bits; /* of webnn_vulkan_features: what is there and used */
  VkPhysicalDeviceFeatures2 all;
  VkPhysicalDeviceTimelineSemaphoreFeatures timeline;
  VkPhysicalDeviceShaderFloat16Int8Features small;
  VkPhysicalDeviceShaderIntegerDotProductFeatures dot;
  VkPhysicalDeviceSubgroupSizeControlFeatures subgroup;
  VkPhysicalDeviceVulkanMemoryModelFeatures memory_model;
  VkPhysicalDeviceCooperativeMatrixFeaturesKHR matrix;
  VkPhysicalDevicePipelineRobustnessFeaturesEXT robustness;
  const char *extensions[WEBNN_VK__PARTS];
  uint32_t extension_count;
} webnn_vk__features;

/* Leaves those features switched on that are used, and their bits set. */
static void webnn_vk__keep_features(webnn_vk__features *features, bool robust) {
  const VkPhysicalDeviceFeatures found = features->all.features;
  const bool sizes = features->subgroup.subgroupSizeControl != VK_FALSE &&
                     features->subgroup.computeFullSubgroups != VK_FALSE;
  const bool matrices = features->matrix.cooperativeMatrix != VK_FALSE &&
                        features->memory_model.vulkanMemoryModel != VK_FALSE &&
                        features->memory_model.vulkanMemoryModelDeviceScope != VK_FALSE;
  uint32_t bits = features->bits & (WEBNN_VULKAN_FLOAT_CONTROLS | WEBNN_VK__MEMORY_BUDGET);
  bits |= features->timeline.timelineSemaphore != VK_FALSE ? WEBNN_VULKAN_TIMELINE_SEMAPHORE : 0;
  bits |= features->small.shaderFloat16 != VK_FALSE ? WEBNN_VULKAN_FLOAT16 : 0;
  bits |= features->dot.shaderIntegerDotProduct != VK_FALSE ? WEBNN_VULKAN_DOT_PRODUCT : 0;
  bits |= sizes ? WEBNN_VULKAN_SUBGROUP_SIZE : 0;
  bits |= matrices ? WEBNN_VULKAN_COOPERATIVE_MATRIX : 0;
  bits |= matrices && features->small.shaderInt8 != VK_FALSE ? WEBNN_VULKAN_INT8 : 0;
  bits |= features->robustness.pipelineRobustness != VK_FALSE ? WEBNN_VK__PIPELINE_ROBUSTNESS : 0;
  features->bits = bits;
  memset(&features->all.features, 0, sizeof found);
  features->all.features.robustBufferAccess = robust ? found.robustBufferAccess : VK_FALSE;
  features->small.shaderInt8 = (bits & WEBNN_VULKAN_INT8) != 0 ? VK_TRUE : VK_FALSE;
  /* Where this model is on, atomics of kernels without it need the scope, too. */
  features->memory_model.vulkanMemoryModel = matrices ? VK_TRUE : VK_FALSE;
  features->memory_model.vulkanMemoryModelDeviceScope = matrices ? VK_TRUE : VK_FALSE;
  features->memory_model.vulkanMemoryModelAvailabilityVisibilityChains = VK_FALSE;
  features->matrix.cooperativeMatrix = matrices ? VK_TRUE : VK_FALSE;
  if (!robust) {
    features->matrix.cooperativeMatrixRobustBufferAccess = VK_FALSE;
  }
}

/* Asks which optional parts there are, by the structures of those whose bits are set. */
static void webnn_vk__find_features(const webnn_vk__gpu *gpu, uint32_t version,
                                    const VkExtensionProperties *list, uint32_t count, bool robust,
                                    webnn_vk__features *features) {
  VkBaseOutStructure *end = NULL;
  uint32_t i;
  memset(features, 0, sizeof *features);
  for (i = 0; i < WEBNN_VK__PARTS; i++) {
    const struct webnn_vk__part *part = &webnn_vk__parts[i];
    if (version >= part->core) {
      features->bits |= part->bits;
    } else if (webnn_vk__lists_extension(list, count, part->extension)) {
      features->bits |= part->bits;
      features->extensions[features->extension_count++] = part->extension;
    }
  }
#define WEBNN_VK__ASK(bit, member, type)                                                           \
  if ((features->bits & (bit)) != 0) {                                                             \
    WEBNN_VK__CHAIN(&features->member, type);                                                      \
  }
  WEBNN_VK__CHAIN(&features->all, FEATURES_2);
  WEBNN_VK__ASK(WEBNN_VULKAN_TIMELINE_SEMAPHORE, timeline, TIMELINE_SEMAPHORE_FEATURES)
  WEBNN_VK__ASK(WEBNN_VULKAN_FLOAT16, small, SHADER_FLOAT16_INT8_FEATURES)
  WEBNN_VK__ASK(WEBNN_VULKAN_DOT_PRODUCT, dot, SHADER_INTEGER_DOT_PRODUCT_FEATURES)
  WEBNN_VK__ASK(WEBNN_VULKAN_SUBGROUP_SIZE, subgroup, SUBGROUP_SIZE_CONTROL_FEATURES)
  WEBNN_VK__ASK(WEBNN_VK__MEMORY_MODEL, memory_model, VULKAN_MEMORY_MODEL_FEATURES)
  WEBNN_VK__ASK(WEBNN_VULKAN_COOPERATIVE_MATRIX, matrix, COOPERATIVE_MATRIX_FEATURES_KHR)
  WEBNN_VK__ASK(WEBNN_VK__PIPELINE_ROBUSTNESS, robustness, PIPELINE_ROBUSTNESS_FEATURES_EXT)
#undef WEBNN_VK__ASK
  gpu->f->GetPhysicalDeviceFeatures2(gpu->physical, &features->all);
  webnn_vk__keep_features(features, robust);
}

/* Makes a device with one queue. */
static bool webnn_vk__create_device(webnn_vk__gpu *gpu, const webnn_vk__features *features) {
  const float priority = 1.0f;
  WEBNN_VK__INFO(VkDeviceQueueCreateInfo, queue, DEVICE_QUEUE_CREATE_INFO);
  WEBNN_VK__INFO(VkDeviceCreateInfo, info, DEVICE_CREATE_INFO);
  VkResult result;
  queue.queueFamilyIndex = gpu->queue_family;
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  info.pNext = &features->all;
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  info.enabledExtensionCount = features->extension_count;
  info.ppEnabledExtensionNames = features->extensions;
  result = gpu->f->CreateDevice(gpu->physical, &info, NULL, &gpu->handle);
  gpu->owned = result == VK_SUCCESS;
  return webnn_vk__succeeds(&gpu->call, gpu->info.name, "vkCreateDevice", result);
}

/* What a device can do, and, without one of the caller, a device that does it. */
static bool webnn_vk__make_device(webnn_vk__gpu *gpu, const webnn_vulkan_options *options,
                                  const webnn_vk__properties *p, webnn_vk__features *features) {
  VkExtensionProperties *list;
  uint32_t count;
  const uint32_t family =
      webnn_vk__find_family(gpu->f, gpu->physical, gpu->queue_family, &gpu->timestamp_bits);
  bool made;
  if (family == UINT32_MAX) {
    return WEBNN_VK__FAIL(&gpu->call, WEBNN_TYPE_ERROR,
                          "createContext: queue family %u of %q does not compute",
                          gpu->queue_family, gpu->info.name);
  }
  gpu->queue_family = family;
  list = webnn_vk__list_extensions(&gpu->call, gpu->allocator, gpu->f, gpu->physical, &count);
  made = list != NULL;
  memset(features, 0, sizeof *features);
  if (made && options->device != NULL) {
    features->bits = options->features;
    if (webnn_vk__lists_extension(list, count, VK_EXT_MEMORY_BUDGET_EXTENSION_NAME)) {
      features->bits |= WEBNN_VK__MEMORY_BUDGET;
    }
  } else if (made) {
    webnn_vk__find_features(gpu, p->version, list, count, !options->not_robust, features);
    made = webnn_vk__create_device(gpu, features);
  }
  webnn__release(gpu->allocator, list);
  return made;
}

/* Fills in the functions of the device, and its queue. */
static bool webnn_vk__load_device(webnn_vk__gpu *gpu, uint32_t bits) {
  if (!webnn_vk__load_functions(&gpu->call, &gpu->instance.f, WEBNN_VK__DEVICE,
                                gpu->instance.handle, gpu->handle)) {
    return false;
  }
  gpu->loaded = true;
  gpu->has_timeline = (bits & WEBNN_VULKAN_TIMELINE_SEMAPHORE) != 0 &&
                      gpu->f->WaitSemaphores != NULL && gpu->f->GetSemaphoreCounterValue != NULL;
  gpu->has_budget = (bits & WEBNN_VK__MEMORY_BUDGET) != 0;
  gpu->unchecked = (bits & WEBNN_VK__PIPELINE_ROBUSTNESS) != 0;
  if (gpu->owned) {
    gpu->f->GetDeviceQueue(gpu->handle, gpu->queue_family, 0, &gpu->queue);
  }
  return true;
}

/* Which sizes of subgroups can be asked for. */
static void webnn_vk__ask_sizes(const webnn_vk__gpu *gpu, webnn_vk__traits *t) {
  VkPhysicalDeviceProperties2 all = WEBNN_ZERO;
  VkPhysicalDeviceSubgroupSizeControlProperties subgroup = WEBNN_ZERO;
  VkBaseOutStructure *end = NULL;
  WEBNN_VK__CHAIN(&all, PROPERTIES_2);
  WEBNN_VK__CHAIN(&subgroup, SUBGROUP_SIZE_CONTROL_PROPERTIES);
  gpu->f->GetPhysicalDeviceProperties2(gpu->physical, &all);
  if ((subgroup.requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT) != 0) {
    t->least_subgroup = subgroup.minSubgroupSize;
    t->most_subgroup = subgroup.maxSubgroupSize;
  }
}

/* The subgroups that cooperative matrices get; 0: none, also where drivers list matrices that are
   known to be slower than other products, or to break: Intel's of subgroups of 8, Qualcomm's, and
   AMD's on GPUs without dot products of mixed signs under that vendor's drivers. */
static uint32_t webnn_vk__matrix_subgroup(const webnn_vk__gpu *gpu, const webnn_vk__properties *p,
                                          const webnn_vk__traits *t) {
  const uint32_t intel = 0x8086, amd = 0x1002, qualcomm = 0x5143, vendor = gpu->info.vendor_id;
  const uint32_t size = vendor == intel ? t->least_subgroup : t->subgroup_size;
  VkPhysicalDeviceProperties2 all = WEBNN_ZERO;
  VkPhysicalDeviceShaderIntegerDotProductProperties dot = WEBNN_ZERO;
  VkBaseOutStructure *end = NULL;
  bool known = vendor == qualcomm || (vendor == intel && size < 16);
  if (vendor == amd && (p->driver.driverID == VK_DRIVER_ID_AMD_PROPRIETARY ||
                        p->driver.driverID == VK_DRIVER_ID_AMD_OPEN_SOURCE)) {
    WEBNN_VK__CHAIN(&all, PROPERTIES_2);
    if (p->version >= VK_API_VERSION_1_3) {
      WEBNN_VK__CHAIN(&dot, SHADER_INTEGER_DOT_PRODUCT_PROPERTIES);
    }
    gpu->f->GetPhysicalDeviceProperties2(gpu->physical, &all);
    known = dot.integerDotProduct4x8BitPackedMixedSignednessAccelerated == VK_FALSE;
  }
  return known || !t->float16 || size < t->least_subgroup || size > t->most_subgroup || size > 64
             ? 0
             : size;
}

/* Are these matrices of one of the kinds that kernels multiply? */
static bool webnn_vk__is_matrix_shape(const VkCooperativeMatrixPropertiesKHR *p, bool has_bytes,
                                      webnn_vk__matrix_shape *shape) {
  const bool halves =
      p->AType == VK_COMPONENT_TYPE_FLOAT16_KHR && p->CType == VK_COMPONENT_TYPE_FLOAT32_KHR;
  shape->m = p->MSize;
  shape->n = p->NSize;
  shape->k = p->KSize;
  shape->bytes = has_bytes && p->AType == VK_COMPONENT_TYPE_SINT8_KHR &&
                 p->CType == VK_COMPONENT_TYPE_SINT32_KHR && p->saturatingAccumulation == VK_FALSE;
  return p->scope == VK_SCOPE_SUBGROUP_KHR && (halves || shape->bytes) && p->BType == p->AType &&
         p->ResultType == p->CType;
}

/* Which cooperative matrices subgroups multiply. A device that cannot say it has none. */
static void webnn_vk__find_matrices(const webnn_vk__gpu *gpu,
                                    const webnn_vk__properties *properties, bool has_bytes,
                                    webnn_vk__traits *t) {
  enum { MOST = 256 };
  VkCooperativeMatrixPropertiesKHR list[MOST];
  uint32_t count = MOST, i;
  VkResult result = VK_ERROR_FEATURE_NOT_PRESENT;
  memset(list, 0, sizeof list);
  for (i = 0; i < MOST; i++) {
    list[i].sType = VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_KHR;
  }
  t->matrix_subgroup = webnn_vk__matrix_subgroup(gpu, properties, t);
  if (t->matrix_subgroup > 0 && gpu->f->GetPhysicalDeviceCooperativeMatrixPropertiesKHR != NULL) {
    result = gpu->f->GetPhysicalDeviceCooperativeMatrixPropertiesKHR(gpu->physical, &count, list);
  }
  if (result != VK_SUCCESS && result != VK_INCOMPLETE) {
    return;
  }
  for (i = 0; i < count && t->matrix_shape_count < WEBNN_VK__MATRIX_SHAPES; i++) {
    t->matrix_shape_count +=
        webnn_vk__is_matrix_shape(&list[i], has_bytes, &t->matrix_shapes[t->matrix_shape_count]);
  }
}

/* Which arithmetic modules may ask for. Where widths cannot have modes of their own, a mode is
   asked for if both have it. */
static void webnn_vk__find_modes(const VkPhysicalDeviceFloatControlsProperties *p, bool float16,
                                 webnn_vk__compile_options *o) {
  const VkShaderFloatControlsIndependence none = VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_NONE;
  o->preserve_32 = p->shaderSignedZeroInfNanPreserveFloat32 != VK_FALSE;
  o->preserve_16 = float16 && p->shaderSignedZeroInfNanPreserveFloat16 != VK_FALSE;
  o->rounding_rte_32 = p->shaderRoundingModeRTEFloat32 != VK_FALSE;
  o->rounding_rte_16 = float16 && p->shaderRoundingModeRTEFloat16 != VK_FALSE;
  if (float16 && p->roundingModeIndependence == none) {
    o->rounding_rte_32 = o->rounding_rte_16 = o->rounding_rte_32 && o->rounding_rte_16;
  }
  o->subnormals_32 = p->shaderDenormPreserveFloat32 != VK_FALSE;
  o->subnormals_16 = float16 && p->shaderDenormPreserveFloat16 != VK_FALSE;
  if (float16 && p->denormBehaviorIndependence == none) {
    o->subnormals_32 = o->subnormals_16 = o->subnormals_32 && o->subnormals_16;
  }
}

/* Which of them a device has that has this part, in the core or as an extension. */
static void webnn_vk__ask_modes(const webnn_vk__gpu *gpu, bool float16,
                                webnn_vk__compile_options *o) {
  VkPhysicalDeviceProperties2 all = WEBNN_ZERO;
  VkPhysicalDeviceFloatControlsProperties modes = WEBNN_ZERO;
  VkBaseOutStructure *end = NULL;
  WEBNN_VK__CHAIN(&all, PROPERTIES_2);
  WEBNN_VK__CHAIN(&modes, FLOAT_CONTROLS_PROPERTIES);
  gpu->f->GetPhysicalDeviceProperties2(gpu->physical, &all);
  webnn_vk__find_modes(&modes, float16, o);
}

/* Cost that a device does in a nanosecond at the least. Discrete ones are as fast as they have
   memory: from 4 with 1 GB to 560 with 140 GB, where bad kernels have been measured to do 200. */
static double webnn_vk__guess_speed(const webnn_vulkan_device *device) {
  const double size = (double)device->memory / 1073741824.0;
  const bool discrete = device->type == VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
  return device->type == VK_PHYSICAL_DEVICE_TYPE_CPU ? 1.0
         : discrete && size > 1.0                    ? 4.0 * size
                                                     : 4.0;
}

/* What planning and compiling may know. */
static void webnn_vk__find_traits(webnn_vk__gpu *gpu, const webnn_vk__properties *p,
                                  const webnn_vk__features *features) {
  const VkPhysicalDeviceLimits *limits = &p->all.properties.limits;
  const uint32_t bits = features->bits;
  const uint32_t buffers = limits->maxPerStageDescriptorStorageBuffers;
  webnn_vk__traits *t = &gpu->traits;
  t->alignment =
      limits->minStorageBufferOffsetAlignment > 256 ? limits->minStorageBufferOffsetAlignment : 256;
  memcpy(t->max_groups, limits->maxComputeWorkGroupCount, sizeof t->max_groups);
  memcpy(t->max_group_size, limits->maxComputeWorkGroupSize, sizeof t->max_group_size);
  t->max_invocations = limits->maxComputeWorkGroupInvocations;
  t->shared_bytes = limits->maxComputeSharedMemorySize;
  t->max_operands = buffers < WEBNN_VK__OPERANDS ? buffers : WEBNN_VK__OPERANDS;
  t->max_range = gpu->info.max_tensor_byte_length;
  t->subgroup_size = p->subgroup.subgroupSize;
  t->is_cpu = gpu->info.type == VK_PHYSICAL_DEVICE_TYPE_CPU;
  t->unrolls = !t->is_cpu;
  t->float16 = (bits & WEBNN_VULKAN_FLOAT16) != 0;
  t->dot_products = (bits & WEBNN_VULKAN_DOT_PRODUCT) != 0;
  if ((bits & WEBNN_VULKAN_SUBGROUP_SIZE) != 0) {
    webnn_vk__ask_sizes(gpu, t);
  }
  if ((bits & WEBNN_VULKAN_COOPERATIVE_MATRIX) != 0) {
    webnn_vk__find_matrices(gpu, p, (bits & WEBNN_VULKAN_INT8) != 0, t);
  }
  t->registers = t->matrix_subgroup < 32 ? 96 : 160; /* Intel's have 128, others 255 and more */
  t->relaxed = gpu->options->numerics == WEBNN_NUMERICS_RELAXED;
  if ((bits & WEBNN_VULKAN_FLOAT_CONTROLS) != 0) {
    webnn_vk__ask_modes(gpu, t->float16, &gpu->compile_options);
    t->converts_halves = gpu->compile_options.rounding_rte_16 && gpu->compile_options.preserve_16 &&
                         gpu->compile_options.subnormals_16;
  }
  gpu->max_allocation = webnn_vk__max_allocation(p);
  gpu->max_allocations = limits->maxMemoryAllocationCount;
  memcpy(gpu->cache_uuid, p->all.properties.pipelineCacheUUID, VK_UUID_SIZE);
  gpu->timestamp_period = limits->timestampPeriod;
  if (!(gpu->timestamp_period > 0.0f) || gpu->timestamp_bits > 64) {
    gpu->timestamp_bits = 0;
  }
  gpu->assumed_speed = webnn_vk__guess_speed(&gpu->info);
  webnn_vk__set_target(t, &gpu->target);
}

static uint64_t webnn_vk__heap_size(const webnn_vk__gpu *gpu, uint32_t type) {
  return gpu->memory.memoryHeaps[gpu->memory.memoryTypes[type].heapIndex].size;
}

/* Do the device and the host share one memory? */
static bool webnn_vk__is_unified(const webnn_vk__gpu *gpu) {
  return gpu->info.type == VK_PHYSICAL_DEVICE_TYPE_CPU ||
         gpu->info.type == VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU;
}

/* How well a type of memory serves a purpose; 0: not at all. For tensors, where device and host
   share one memory, a heap's size (is it more than half of the largest?) counts more than whose it
   is: integrated GPUs may call 256 MB their own. Else the device's own memory comes first, mapped
   if the host sees all of it. */
static uint32_t webnn_vk__rate_memory(const webnn_vk__gpu *gpu, uint32_t kind, uint32_t type,
                                      uint64_t largest) {
  const VkMemoryPropertyFlags flags = gpu->memory.memoryTypes[type].propertyFlags;
  const VkMemoryPropertyFlags known =
      VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
      VK_MEMORY_PROPERTY_HOST_COHERENT_BIT | VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
  const uint32_t visible = (flags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT) != 0;
  const uint32_t coherent = (flags & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT) != 0;
  const uint32_t cached = (flags & VK_MEMORY_PROPERTY_HOST_CACHED_BIT) != 0;
  const uint32_t local = (flags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT) != 0;
  const uint32_t mapped = visible & coherent, large = webnn_vk__heap_size(gpu, type) > largest / 2;
  if ((flags & ~known) != 0) {
    return 0; /* protected, lazy, of one vendor: they need a feature, or are for images */
  }
  switch (kind) {
  case WEBNN_VK__DEVICE_MEMORY:
    return webnn_vk__is_unified(gpu) ? 1 + large * 16 + mapped * 8 + local * 4 + cached
                                     : 1 + local * 16 + large * (8 + mapped * 4) + (1 - cached);
  case WEBNN_VK__UPLOAD_MEMORY:
    return mapped * (1 + (1 - local) * 2 + (1 - cached));
  default:
    return visible * (1 + cached * 4 + coherent * 2 + (1 - local));
  }
}

/* The best type of each heap for a purpose among `allowed`, the best first. */
static void webnn_vk__list_memory(webnn_vk__gpu *gpu, uint32_t kind, uint32_t allowed) {
  webnn_vk__memory_types *list = &gpu->memory_types[kind];
  uint32_t rates[VK_MAX_MEMORY_HEAPS] = {0}, best[VK_MAX_MEMORY_HEAPS] = {0}, i;
  uint64_t largest = 0;
  for (i = 0; i < gpu->memory.memoryHeapCount; i++) {
    const bool local = (gpu->memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0;
    const uint64_t size = gpu->memory.memoryHeaps[i].size;
    largest = (local || webnn_vk__is_unified(gpu)) && size > largest ? size : largest;
  }
  for (i = 0; i < gpu->memory.memoryTypeCount; i++) {
    const uint32_t heap = gpu->memory.memoryTypes[i].heapIndex;
    const uint32_t rate =
        (allowed >> i & 1) != 0 ? webnn_vk__rate_memory(gpu, kind, i, largest) : 0;
    if (rate > rates[heap]) {
      rates[heap] = rate;
      best[heap] = i;
    }
  }
  for (list->count = 0; list->count < gpu->memory.memoryHeapCount; list->count++) {
    uint32_t heap = 0;
    for (i = 1; i < gpu->memory.memoryHeapCount; i++) {
      heap = rates[i] > rates[heap] ? i : heap;
    }
    if (rates[heap] == 0) {
      return;
    }
    list->types[list->count] = best[heap];
    rates[heap] = 0;
  }
}

/* ---- Objects -------------------------------------------------------------------------------- */

static bool webnn_vk__lose(webnn_vk__gpu *gpu, const char *name, VkResult result);

/* Has a function of Vulkan succeeded? If not, it is the error of the call; and only a lost device
   is lost by it. */
static bool webnn_vk__works(webnn_vk__gpu *gpu, const char *name, VkResult result) {
  return result == VK_ERROR_DEVICE_LOST
             ? webnn_vk__lose(gpu, name, result)
             : webnn_vk__succeeds(&gpu->call, gpu->info.name, name, result);
}

/* Calls a function of Vulkan: did it succeed? */
#define WEBNN_VK__DO(gpu, name, ...) webnn_vk__works(gpu, "vk" #name, (gpu)->f->name(__VA_ARGS__))

/* Makes an object by a function of Vulkan that takes a device, information, and a place for the
   object, which is NULL after a failure. */
#define WEBNN_VK__MAKE(gpu, name, info, object)                                                    \
  (WEBNN_VK__DO(gpu, name, (gpu)->handle, info, NULL, object) ||                                   \
   (*(object) = VK_NULL_HANDLE, false))

/* A buffer of any use that we have for one. */
static bool webnn_vk__create_buffer(webnn_vk__gpu *gpu, uint64_t size, VkBuffer *buffer) {
  WEBNN_VK__INFO(VkBufferCreateInfo, info, BUFFER_CREATE_INFO);
  info.size = size;
  info.usage = WEBNN_VULKAN_BUFFER_USAGE;
  info.sharingMode = VK_SHARING_MODE_EXCLUSIVE;
  return WEBNN_VK__MAKE(gpu, CreateBuffer, &info, buffer);
}

/* Finds the types of memory for each purpose, and how much of all that there is. */
static bool webnn_vk__choose_memory(webnn_vk__gpu *gpu) {
  VkMemoryRequirements needs = WEBNN_ZERO;
  VkBuffer buffer;
  uint32_t kind, i, heaps = 0;
  if (!webnn_vk__create_buffer(gpu, 65536, &buffer)) {
    return false;
  }
  gpu->f->GetBufferMemoryRequirements(gpu->handle, buffer, &needs);
  gpu->f->DestroyBuffer(gpu->handle, buffer, NULL);
  gpu->f->GetPhysicalDeviceMemoryProperties(gpu->physical, &gpu->memory);
  for (kind = 0; kind < WEBNN_VK__MEMORY_KINDS; kind++) {
    const webnn_vk__memory_types *list = &gpu->memory_types[kind];
    webnn_vk__list_memory(gpu, kind, needs.memoryTypeBits);
    if (list->count == 0) {
      return WEBNN_VK__FAIL(&gpu->call, WEBNN_NOT_SUPPORTED_ERROR,
                            "createContext: %q has no memory for buffers that the host can write",
                            gpu->info.name);
    }
    for (i = 0; i < list->count; i++) {
      const uint32_t heap = gpu->memory.memoryTypes[list->types[i]].heapIndex;
      gpu->memory_limit += (heaps >> heap & 1) == 0 ? gpu->memory.memoryHeaps[heap].size : 0;
      heaps |= (uint32_t)1 << heap;
    }
  }
  return true;
}

/* What stands before a driver's compiled kernels, so that those that were cut or changed are found
   out. */
typedef struct webnn_vk__cache_header {
  uint64_t mark, size, hash, tile_orders;
} webnn_vk__cache_header;

#define WEBNN_VK__CACHE_MARK UINT64_C(0x3176636e6e626577)

static webnn_vk__cache_header webnn_vk__head_cache(const void *data, size_t size,
                                                   uint64_t tile_orders) {
  webnn_vk__cache_header header = WEBNN_ZERO;
  header.mark = WEBNN_VK__CACHE_MARK;
  header.size = size;
  header.tile_orders = tile_orders;
  header.hash = webnn_vk__hash_text(data, size) ^ tile_orders;
  return header;
}

/* Does each order have every tile, or none? */
static bool webnn_vk__are_orders(uint64_t orders) {
  uint32_t kind, i;
  for (kind = 0; kind < WEBNN_VK__PRODUCT_KINDS; kind++) {
    const uint32_t order = WEBNN_VK__ORDER(orders, kind);
    uint32_t found = 0;
    for (i = 0; i < WEBNN_VK__TILES; i++) {
      found |= (uint32_t)1 << (order >> 3 * i & 7);
    }
    if (order != 0 && found != (1 << WEBNN_VK__TILES) - 1) {
      return false;
    }
  }
  return true;
}

/* Sets the compiled kernels that the driver gets, and the orders of tiles: of the program's bytes
   if they are whole and of this device and driver, else none. */
static void webnn_vk__trust_cache(webnn_vk__gpu *gpu, const webnn_vulkan_options *options,
                                  VkPipelineCacheCreateInfo *info) {
  const size_t head = sizeof(webnn_vk__cache_header);
  const unsigned char *bytes = (const unsigned char *)options->pipeline_cache;
  webnn_vk__cache_header given, right;
  VkPipelineCacheHeaderVersionOne driver;
  if (bytes == NULL || options->pipeline_cache_size < head + sizeof driver) {
    return;
  }
  memcpy(&given, bytes, head);
  memcpy(&driver, bytes + head, sizeof driver);
  right =
      webnn_vk__head_cache(bytes + head, options->pipeline_cache_size - head, given.tile_orders);
  if (memcmp(&given, &right, head) == 0 && driver.headerSize >= sizeof driver &&
      driver.headerVersion == VK_PIPELINE_CACHE_HEADER_VERSION_ONE &&
      driver.vendorID == gpu->info.vendor_id && driver.deviceID == gpu->info.device_id &&
      memcmp(driver.pipelineCacheUUID, gpu->cache_uuid, VK_UUID_SIZE) == 0) {
    info->pInitialData = bytes + head;
    info->initialDataSize = options->pipeline_cache_size - head;
    gpu->traits.tile_orders = webnn_vk__are_orders(given.tile_orders) ? given.tile_orders : 0;
  }
}

/* The objects of the device that every context needs. */
static bool webnn_vk__create_objects(webnn_vk__gpu *gpu, const webnn_vulkan_options *options) {
  WEBNN_VK__INFO(VkCommandPoolCreateInfo, pool, COMMAND_POOL_CREATE_INFO);
  WEBNN_VK__INFO(VkPipelineCacheCreateInfo, cache, PIPELINE_CACHE_CREATE_INFO);
  WEBNN_VK__INFO(VkSemaphoreTypeCreateInfo, type, SEMAPHORE_TYPE_CREATE_INFO);
  WEBNN_VK__INFO(VkSemaphoreCreateInfo, semaphore, SEMAPHORE_CREATE_INFO);
  pool.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
  pool.queueFamilyIndex = gpu->queue_family;
  webnn_vk__trust_cache(gpu, options, &cache);
  type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  semaphore.pNext = &type;
  return WEBNN_VK__MAKE(gpu, CreateCommandPool, &pool, &gpu->pool) &&
         WEBNN_VK__MAKE(gpu, CreatePipelineCache, &cache, &gpu->cache) &&
         (!gpu->has_timeline || WEBNN_VK__MAKE(gpu, CreateSemaphore, &semaphore, &gpu->timeline));
}

/* What is wrong with the options; NULL: nothing. */
static const char *webnn_vk__find_fault(const webnn_vulkan_options *options) {
  const bool any = options->instance != NULL || options->physical_device != NULL ||
                   options->device != NULL || options->queue != NULL;
  const bool all = options->instance != NULL && options->physical_device != NULL &&
                   options->device != NULL && options->queue != NULL;
  if (any != all) {
    return "a device of the caller needs instance, physical_device, device and queue";
  }
  if ((options->lock_queue == NULL) != (options->unlock_queue == NULL)) {
    return "lock_queue and unlock_queue need each other";
  }
  if (any && options->validation) {
    return "validation is for devices that the context makes";
  }
  if (any && (options->device_number > 0 || options->device_name != NULL)) {
    return "a device of the caller needs no number and no name";
  }
  if (options->pipeline_cache == NULL && options->pipeline_cache_size > 0) {
    return "pipeline_cache is NULL";
  }
  return NULL;
}

static bool webnn_vk__start(webnn_vk__gpu *gpu, const webnn_vulkan_options *options) {
  webnn_vk__properties properties;
  webnn_vk__features features;
  if (!webnn_vk__open_instance(&gpu->call, gpu->allocator, options, &gpu->instance) ||
      !(options->device != NULL ? webnn_vk__take_device(gpu, options, &properties)
                                : webnn_vk__choose_device(gpu, options, &properties)) ||
      !webnn_vk__make_device(gpu, options, &properties, &features) ||
      !webnn_vk__load_device(gpu, features.bits)) {
    return false;
  }
  webnn_vk__find_traits(gpu, &properties, &features);
  if (!webnn_vk__choose_memory(gpu) || !webnn_vk__create_objects(gpu, options)) {
    return false;
  }
  if (options->memory_limit > 0 && options->memory_limit < gpu->memory_limit) {
    gpu->memory_limit = options->memory_limit;
  }
  gpu->submission_cost = options->submission_cost;
  gpu->kernel = options->kernel;
  gpu->kernel_user = options->kernel_user;
  return true;
}

static void webnn_vk__close(void *device);

static webnn_status webnn_vk__open(webnn_context *context, void **device, webnn_error *error) {
  static const webnn_vulkan_options defaults = WEBNN_ZERO;
  const webnn_vulkan_options *options =
      context->options.backend_options != NULL
          ? (const webnn_vulkan_options *)context->options.backend_options
          : &defaults;
  const char *fault = webnn_vk__find_fault(options);
  webnn_vk__gpu *gpu;
  webnn_status status = WEBNN_OK;
  if (fault != NULL) {
    return webnn__fail(error, WEBNN_TYPE_ERROR, "createContext: %s", fault);
  }
  gpu = WEBNN_VK__NEW(&context->options.allocator, webnn_vk__gpu, 1);
  if (gpu == NULL) {
    return webnn__out_of_memory(error, "createContext");
  }
  gpu->options = &context->options;
  gpu->allocator = &context->options.allocator;
  gpu->f = &gpu->instance.f;
  gpu->last = &gpu->first;
  gpu->call.method = "createContext";
  gpu->call.error = error;
  if (!webnn__mutex_create(&gpu->mutex)) {
    webnn__release(gpu->allocator, gpu);
    return webnn__fail(error, WEBNN_UNKNOWN_ERROR, "createContext: no mutex");
  }
  if (!webnn_vk__start(gpu, options)) {
    status = gpu->call.status;
    webnn_vk__close(gpu);
    return status;
  }
  *device = gpu;
  return status;
}

static void webnn_vk__limits(void *device, webnn__device_limits *limits) {
  const webnn_vk__gpu *gpu = (const webnn_vk__gpu *)device;
  limits->preferred_input_layout = gpu->target.reads_nhwc ? WEBNN_LAYOUT_NHWC : WEBNN_LAYOUT_NCHW;
  limits->max_tensor_byte_length = gpu->info.max_tensor_byte_length;
}

/* ==============================================================================================
   6  submissions                                                            >>vulkan_submissions

   Work goes to the queue in submissions, which count from 1. A timeline semaphore, or a fence for
   each, tells which have completed. What work under way needs is released when it has. All of this
   is called with the device's mutex held.
   ============================================================================================== */

/* A call takes the device's mutex ... */
static void webnn_vk__lock(webnn_vk__gpu *gpu, const char *method, webnn_error *error) {
  webnn__mutex_lock(&gpu->mutex);
  gpu->call.method = method;
  gpu->call.error = error;
  gpu->call.status = WEBNN_OK;
}

/* ... and gives it back. Returns what has become of it. */
static webnn_status webnn_vk__unlock(webnn_vk__gpu *gpu) {
  const webnn_status status = gpu->call.status;
  webnn__mutex_unlock(&gpu->mutex);
  return status;
}

static void webnn_vk__lock_queue(const webnn_vk__gpu *gpu) {
  if (gpu->lock_queue != NULL) {
    gpu->lock_queue(gpu->queue_user);
  }
}

static void webnn_vk__unlock_queue(const webnn_vk__gpu *gpu) {
  if (gpu->unlock_queue != NULL) {
    gpu->unlock_queue(gpu->queue_user);
  }
}

/* A function has failed on the device while it worked: from now on everything does, and the call is
   the first. Whatever the queue still works at, if it does, is finished first, because all that it
   needs is released now. */
static bool webnn_vk__lose(webnn_vk__gpu *gpu, const char *name, VkResult result) {
  if (gpu->lost.status == WEBNN_OK) {
    webnn_vk__request call = gpu->call;
    call.error = &gpu->lost;
    (void)webnn_vk__succeeds(&call, gpu->info.name, name, result);
    webnn_vk__lock_queue(gpu);
    (void)gpu->f->QueueWaitIdle(gpu->queue);
    webnn_vk__unlock_queue(gpu);
    gpu->completed = gpu->submitted;
  }
  return webnn_vk__succeeds(&gpu->call, gpu->info.name, name, result);
}

/* The device is lost if this has failed. */
static bool webnn_vk__must_work(webnn_vk__gpu *gpu, const char *name, VkResult result) {
  return result == VK_SUCCESS || webnn_vk__lose(gpu, name, result);
}

/* An error if the device is lost. */
static bool webnn_vk__not_lost(webnn_vk__gpu *gpu) {
  return gpu->lost.status == WEBNN_OK ||
         webnn_vk__fails(&gpu->call,
                         webnn__set_error(gpu->call.error, gpu->lost.status, gpu->lost.message));
}

static void webnn_vk__release_used(webnn_vk__gpu *gpu);

/* A record that may be used again. */
static void webnn_vk__return_submission(webnn_vk__gpu *gpu, webnn_vk__submission *submission) {
  submission->next = gpu->spare;
  gpu->spare = submission;
}

/* Submissions up to this one have completed. */
static void webnn_vk__complete(webnn_vk__gpu *gpu, uint64_t value) {
  if (value > gpu->completed) {
    gpu->completed = value;
  }
  if (gpu->watch.plan != NULL && gpu->watch.end == 0 && gpu->watch.last <= gpu->completed) {
    gpu->watch.end = webnn__clock();
  }
  while (gpu->waiting == 0 && gpu->first != NULL && gpu->first->value <= gpu->completed) {
    webnn_vk__submission *done = gpu->first;
    gpu->first = done->next;
    if (gpu->first == NULL) {
      gpu->last = &gpu->first;
    }
    webnn_vk__return_submission(gpu, done);
  }
  webnn_vk__release_used(gpu);
}

/* Finds out what has completed. If it cannot be found out the device is lost, which is not yet an
   error of this call. */
static void webnn_vk__look(webnn_vk__gpu *gpu) {
  const webnn_vk__request call = gpu->call;
  const webnn_vk__submission *s;
  uint64_t value = gpu->completed;
  VkResult result = VK_SUCCESS;
  if (gpu->completed == gpu->submitted || gpu->lost.status != WEBNN_OK) {
    return;
  }
  gpu->call.error = NULL;
  if (gpu->has_timeline) {
    result = gpu->f->GetSemaphoreCounterValue(gpu->handle, gpu->timeline, &value);
  }
  for (s = gpu->first; !gpu->has_timeline && s != NULL && result == VK_SUCCESS; s = s->next) {
    result = gpu->f->GetFenceStatus(gpu->handle, s->fence);
    value = result == VK_SUCCESS ? s->value : value;
  }
  if (webnn_vk__must_work(gpu,
                          gpu->has_timeline ? "vkGetSemaphoreCounterValue" : "vkGetFenceStatus",
                          result == VK_NOT_READY ? VK_SUCCESS : result)) {
    webnn_vk__complete(gpu, value < gpu->submitted ? value : gpu->submitted);
  }
  gpu->call = call;
}

/* Waits until a submission has completed; the mutex is given back meanwhile. */
static bool webnn_vk__wait_for(webnn_vk__gpu *gpu, uint64_t value) {
  const webnn_vk__request call = gpu->call;
  const webnn_vk__submission *s = gpu->first;
  VkFence fence = VK_NULL_HANDLE;
  WEBNN_VK__INFO(VkSemaphoreWaitInfo, info, SEMAPHORE_WAIT_INFO);
  VkResult result;
  if (gpu->completed >= value) {
    return true;
  }
  if (!webnn_vk__not_lost(gpu)) {
    return false;
  }
  while (s != NULL && s->value < value) {
    s = s->next;
  }
  if (s != NULL) {
    fence = s->fence;
  }
  info.semaphoreCount = 1;
  info.pSemaphores = &gpu->timeline;
  info.pValues = &value;
  gpu->waiting++; /* fences stay as they are */
  webnn__mutex_unlock(&gpu->mutex);
  result = gpu->has_timeline ? gpu->f->WaitSemaphores(gpu->handle, &info, UINT64_MAX)
                             : gpu->f->WaitForFences(gpu->handle, 1, &fence, VK_TRUE, UINT64_MAX);
  webnn__mutex_lock(&gpu->mutex);
  gpu->call = call;
  gpu->waiting--;
  if (!webnn_vk__must_work(gpu, gpu->has_timeline ? "vkWaitSemaphores" : "vkWaitForFences",
                           result)) {
    return false;
  }
  webnn_vk__complete(gpu, value);
  return true;
}

/* A record for the next submission, out of those that are not used any more if there is one; NULL
   after an error. */
static webnn_vk__submission *webnn_vk__new_submission(webnn_vk__gpu *gpu) {
  webnn_vk__submission *made = gpu->spare;
  WEBNN_VK__INFO(VkFenceCreateInfo, info, FENCE_CREATE_INFO);
  if (made != NULL) {
    if (made->fence != VK_NULL_HANDLE &&
        !WEBNN_VK__DO(gpu, ResetFences, gpu->handle, 1, &made->fence)) {
      return NULL;
    }
    gpu->spare = made->next;
    made->next = NULL;
    return made;
  }
  made = WEBNN_VK__NEW(gpu->allocator, webnn_vk__submission, 1);
  if (made == NULL) {
    (void)webnn_vk__lacks_memory(&gpu->call);
  } else if (!gpu->has_timeline && !WEBNN_VK__MAKE(gpu, CreateFence, &info, &made->fence)) {
    webnn__release(gpu->allocator, made);
    made = NULL;
  }
  return made;
}

static bool webnn_vk__begin_buffer(webnn_vk__gpu *gpu, VkCommandBuffer buffer,
                                   VkCommandBufferUsageFlags usage) {
  WEBNN_VK__INFO(VkCommandBufferBeginInfo, info, COMMAND_BUFFER_BEGIN_INFO);
  info.flags = usage;
  return WEBNN_VK__DO(gpu, BeginCommandBuffer, buffer, &info);
}

/* New command buffers, which are NULL after a failure. */
static bool webnn_vk__new_buffers(webnn_vk__gpu *gpu, uint32_t count, VkCommandBuffer *buffers) {
  WEBNN_VK__INFO(VkCommandBufferAllocateInfo, info, COMMAND_BUFFER_ALLOCATE_INFO);
  info.commandPool = gpu->pool;
  info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  info.commandBufferCount = count;
  if (!WEBNN_VK__DO(gpu, AllocateCommandBuffers, gpu->handle, &info, buffers)) {
    memset(buffers, 0, count * sizeof *buffers);
    return false;
  }
  return true;
}

/* What was written before is seen by what comes after it; which waits for all before. */
static void webnn_vk__make_seen(const webnn_vk__gpu *gpu, VkCommandBuffer buffer,
                                VkPipelineStageFlags stages, VkAccessFlags accesses) {
  WEBNN_VK__INFO(VkMemoryBarrier, barrier, MEMORY_BARRIER);
  barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = accesses;
  gpu->f->CmdPipelineBarrier(buffer,
                             VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
                             stages, 0, 1, &barrier, 0, NULL, 0, NULL);
}

static void webnn_vk__full_barrier(const webnn_vk__gpu *gpu, VkCommandBuffer buffer) {
  webnn_vk__make_seen(gpu, buffer,
                      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
                      VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT |
                          VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT);
}

/* The host can read it once the submission has completed. */
static void webnn_vk__host_barrier(const webnn_vk__gpu *gpu, VkCommandBuffer buffer) {
  webnn_vk__make_seen(gpu, buffer, VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
}

/* Gives command buffers (or none) to the queue, after the waits that the caller has asked for; and
   signals a semaphore of the caller, if there is one. The submission is used up, or returned after
   a failure, which loses the device. NULL: there was a failure already. */
static bool webnn_vk__submit(webnn_vk__gpu *gpu, webnn_vk__submission *submission,
                             const VkCommandBuffer *buffers, uint32_t count,
                             const webnn_vk__semaphore *signal) {
  VkSemaphore signals[2];
  uint64_t signal_values[2];
  VkPipelineStageFlags stages[WEBNN_VK__WAITS];
  WEBNN_VK__INFO(VkTimelineSemaphoreSubmitInfo, timeline, TIMELINE_SEMAPHORE_SUBMIT_INFO);
  WEBNN_VK__INFO(VkSubmitInfo, info, SUBMIT_INFO);
  VkResult result;
  uint32_t i;
  if (submission == NULL) {
    return false;
  }
  if (!webnn_vk__not_lost(gpu)) { /* nobody would wait for it */
    webnn_vk__return_submission(gpu, submission);
    return false;
  }
  for (i = 0; i < gpu->wait_count; i++) {
    stages[i] = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  }
  signals[0] = gpu->timeline;
  signal_values[0] = gpu->submitted + 1;
  if (signal != NULL) {
    signals[1] = signal->semaphore;
    signal_values[1] = signal->value;
  }
  info.commandBufferCount = count;
  info.pCommandBuffers = buffers;
  if (gpu->has_timeline) {
    timeline.waitSemaphoreValueCount = info.waitSemaphoreCount = gpu->wait_count;
    timeline.pWaitSemaphoreValues = gpu->wait_values;
    timeline.signalSemaphoreValueCount = info.signalSemaphoreCount = signal != NULL ? 2 : 1;
    timeline.pSignalSemaphoreValues = signal_values;
    info.pNext = &timeline;
    info.pWaitSemaphores = gpu->waits;
    info.pWaitDstStageMask = stages;
    info.pSignalSemaphores = signals;
  }
  webnn_vk__lock_queue(gpu);
  result = gpu->f->QueueSubmit(gpu->queue, 1, &info, submission->fence);
  webnn_vk__unlock_queue(gpu);
  if (!webnn_vk__must_work(gpu, "vkQueueSubmit", result)) {
    webnn_vk__return_submission(gpu, submission);
    return false;
  }
  gpu->wait_count = 0;
  submission->value = ++gpu->submitted;
  *gpu->last = submission;
  gpu->last = &submission->next;
  return true;
}

/* A submission with a command buffer of its own, which is being recorded, behind all work before;
   NULL after an error. */
static webnn_vk__submission *webnn_vk__start_copies(webnn_vk__gpu *gpu) {
  webnn_vk__submission *submission = webnn_vk__new_submission(gpu);
  if (submission == NULL) {
    return NULL;
  }
  if ((submission->buffer == NULL && !webnn_vk__new_buffers(gpu, 1, &submission->buffer)) ||
      !webnn_vk__begin_buffer(gpu, submission->buffer,
                              VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT)) {
    webnn_vk__return_submission(gpu, submission);
    return NULL;
  }
  webnn_vk__full_barrier(gpu, submission->buffer);
  return submission;
}

/* Ends and submits its command buffer. */
static bool webnn_vk__submit_copies(webnn_vk__gpu *gpu, webnn_vk__submission *submission) {
  if (!WEBNN_VK__DO(gpu, EndCommandBuffer, submission->buffer)) {
    webnn_vk__return_submission(gpu, submission);
    return false;
  }
  return webnn_vk__submit(gpu, submission, &submission->buffer, 1, NULL);
}

/* ==============================================================================================
   7  memory and tensors                                                          >>vulkan_memory

   Memory comes in large blocks, each with one buffer over all of it; a range is a part of
   one. Where the host can map the device's memory, tensors that no work under way uses are
   written where they are, and read there if the host caches it; else through staging ranges
   and copies on the queue.
   ============================================================================================== */

#define WEBNN_VK__BLOCK UINT64_C(33554432)  /* bytes of a block for several ranges, at most */
#define WEBNN_VK__FIRST UINT64_C(1048576)   /* and at least */
#define WEBNN_VK__CHUNK UINT64_C(16777216)  /* the most bytes of a staging range to write through */
#define WEBNN_VK__PIECE UINT64_C(4194304)   /* and of each of the two to read through */
#define WEBNN_VK__STAGED UINT64_C(67108864) /* the most bytes of all staging ranges */

typedef struct webnn_vk__extent {
  uint64_t offset, size;
} webnn_vk__extent;

typedef struct webnn_vk__block {
  struct webnn_vk__block *next;
  uint32_t kind; /* WEBNN_VK__DEVICE_MEMORY and so on */
  uint32_t type; /* of memory */
  VkDeviceMemory memory;
  VkBuffer buffer;
  uint64_t size;
  unsigned char *data;    /* if it is mapped */
  webnn_vk__extent *used; /* in the order of their offsets */
  uint32_t used_count, used_room;
} webnn_vk__block;

typedef struct webnn_vk__range {
  webnn_vk__block *block; /* NULL: the caller's buffer, or nothing */
  VkBuffer buffer;
  uint64_t offset, size;
  unsigned char *data; /* if it is mapped */
} webnn_vk__range;

/* The memory of a tensor, or a staging range, through which bytes go once. */
typedef struct webnn_vk__storage {
  struct webnn_vk__storage *next;       /* of those that die */
  struct webnn_vk__storage *next_stale; /* of those that are stale */
  uint64_t number;                      /* no two tensors have the same */
  uint64_t byte_length, last_use;
  webnn_vk__range range;
  unsigned char *memory;    /* of the caller, or NULL */
  webnn_vk__range download; /* on its way there, where the range is not read by the host */
  bool stale;               /* the caller's memory does not have yet what was computed */
  uint64_t staged;          /* bytes of a staging range */
} webnn_vk__storage;

/* ---- Blocks --------------------------------------------------------------------------------- */

static void webnn_vk__release_block(webnn_vk__gpu *gpu, webnn_vk__block *block) {
  gpu->f->DestroyBuffer(gpu->handle, block->buffer, NULL);
  if (block->memory != VK_NULL_HANDLE) {
    gpu->f->FreeMemory(gpu->handle, block->memory, NULL);
    gpu->allocated -= block->size;
    gpu->heap_allocated[gpu->memory.memoryTypes[block->type].heapIndex] -= block->size;
    gpu->allocations--;
  }
  webnn__release(gpu->allocator, block->used);
  webnn__release(gpu->allocator, block);
}

static VkMemoryPropertyFlags webnn_vk__memory_flags(const webnn_vk__gpu *gpu, uint32_t type) {
  return gpu->memory.memoryTypes[type].propertyFlags;
}

/* Is memory of a type mapped? All for staging is; for tensors that which needs no flushing. */
static bool webnn_vk__is_mapped(const webnn_vk__gpu *gpu, uint32_t kind, uint32_t type) {
  return kind != WEBNN_VK__DEVICE_MEMORY ||
         (webnn_vk__memory_flags(gpu, type) & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT) != 0;
}

/* Is a range read where it is? Memory that is not cached is slow to read, and a copy to memory that
   is comes before, where there is such memory. */
static bool webnn_vk__is_readable(const webnn_vk__gpu *gpu, const webnn_vk__range *range) {
  const uint32_t staging = gpu->memory_types[WEBNN_VK__READ_MEMORY].types[0];
  const VkMemoryPropertyFlags cached = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
  return range->data != NULL && ((webnn_vk__memory_flags(gpu, range->block->type) & cached) != 0 ||
                                 (webnn_vk__memory_flags(gpu, staging) & cached) == 0);
}

/* The host sees what the device has written to a mapped range. */
static bool webnn_vk__see_range(webnn_vk__gpu *gpu, const webnn_vk__range *range) {
  WEBNN_VK__INFO(VkMappedMemoryRange, mapped, MAPPED_MEMORY_RANGE);
  mapped.memory = range->block->memory;
  mapped.offset = range->offset; /* and size: multiples of 256, which is the largest atom */
  mapped.size = range->size;
  return (webnn_vk__memory_flags(gpu, range->block->type) & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT) !=
             0 ||
         WEBNN_VK__DO(gpu, InvalidateMappedMemoryRanges, gpu->handle, 1, &mapped);
}

/* The memory of a block and its buffer. */
static bool webnn_vk__fill_block(webnn_vk__gpu *gpu, webnn_vk__block *block) {
  WEBNN_VK__INFO(VkMemoryAllocateInfo, info, MEMORY_ALLOCATE_INFO);
  VkMemoryRequirements needs = WEBNN_ZERO;
  VkResult result;
  void *data = NULL;
  if (!webnn_vk__create_buffer(gpu, block->size, &block->buffer)) {
    return false;
  }
  gpu->f->GetBufferMemoryRequirements(gpu->handle, block->buffer, &needs);
  info.allocationSize = needs.size;
  info.memoryTypeIndex = block->type;
  result = gpu->f->AllocateMemory(gpu->handle, &info, NULL, &block->memory);
  if (result != VK_SUCCESS) {
    block->memory = VK_NULL_HANDLE;
    return webnn_vk__works(gpu, "vkAllocateMemory", result) ||
           WEBNN_VK__FAIL(&gpu->call, gpu->call.status,
                          "%s: vkAllocateMemory gives %s for %l bytes on %q: %l of %l bytes "
                          "are in use",
                          gpu->call.method, webnn_vk__outcome_of(result)->name, block->size,
                          gpu->info.name, gpu->allocated, gpu->memory_limit);
  }
  gpu->allocated += block->size;
  gpu->heap_allocated[gpu->memory.memoryTypes[block->type].heapIndex] += block->size;
  gpu->allocations++;
  if (!WEBNN_VK__DO(gpu, BindBufferMemory, gpu->handle, block->buffer, block->memory, 0) ||
      (webnn_vk__is_mapped(gpu, block->kind, block->type) &&
       !WEBNN_VK__DO(gpu, MapMemory, gpu->handle, block->memory, 0, VK_WHOLE_SIZE, 0, &data))) {
    return false;
  }
  block->data = (unsigned char *)data;
  return true;
}

/* How many bytes of a heap the system would give us now, as far as the driver says so. */
static uint64_t webnn_vk__budget(const webnn_vk__gpu *gpu, uint32_t heap) {
  WEBNN_VK__INFO(VkPhysicalDeviceMemoryBudgetPropertiesEXT, budget,
                 PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT);
  WEBNN_VK__INFO(VkPhysicalDeviceMemoryProperties2, memory, PHYSICAL_DEVICE_MEMORY_PROPERTIES_2);
  memory.pNext = &budget;
  if (gpu->has_budget) {
    gpu->f->GetPhysicalDeviceMemoryProperties2(gpu->physical, &memory);
  }
  if (budget.heapBudget[heap] == 0) {
    return UINT64_MAX;
  }
  return budget.heapBudget[heap] > budget.heapUsage[heap]
             ? budget.heapBudget[heap] - budget.heapUsage[heap]
             : 0;
}

/* How many bytes of a type's heap blocks of a kind may have. Tensors that come to the host's heap
   because their own is full leave it room for staging, without which they could not be read. */
static uint64_t webnn_vk__heap_room(const webnn_vk__gpu *gpu, uint32_t kind, uint32_t type) {
  const uint64_t size = webnn_vk__heap_size(gpu, type);
  const uint64_t staged = size / 2 < WEBNN_VK__STAGED ? size / 2 : WEBNN_VK__STAGED;
  return kind == WEBNN_VK__DEVICE_MEMORY && type != gpu->memory_types[kind].types[0] ? size - staged
                                                                                     : size;
}

/* An error if a block of this size must not be allocated. */
static bool webnn_vk__may_allocate(webnn_vk__gpu *gpu, uint32_t kind, uint32_t type,
                                   uint64_t size) {
  const char *method = gpu->call.method;
  const uint32_t heap = gpu->memory.memoryTypes[type].heapIndex;
  const uint64_t most = webnn_vk__heap_room(gpu, kind, type);
  uint64_t left;
  if (size > gpu->max_allocation) {
    return WEBNN_VK__FAIL(&gpu->call, WEBNN_OPERATION_ERROR,
                          "%s: %l bytes are more than the %l that %q has in one piece", method,
                          size, gpu->max_allocation, gpu->info.name);
  }
  if (size > gpu->memory_limit || gpu->allocated > gpu->memory_limit - size ||
      gpu->allocations >= gpu->max_allocations) {
    return WEBNN_VK__FAIL(&gpu->call, WEBNN_UNKNOWN_ERROR,
                          "%s: no memory for %l bytes on %q: %l of %l bytes are in use", method,
                          size, gpu->info.name, gpu->allocated, gpu->memory_limit);
  }
  if (size > most || gpu->heap_allocated[heap] > most - size) {
    return WEBNN_VK__FAIL(&gpu->call, WEBNN_UNKNOWN_ERROR,
                          "%s: no memory for %l bytes on %q: %l of the %l bytes of the last heap "
                          "are in use",
                          method, size, gpu->info.name, gpu->heap_allocated[heap], most);
  }
  left = webnn_vk__budget(gpu, heap);
  return size <= left ||
         WEBNN_VK__FAIL(&gpu->call, WEBNN_UNKNOWN_ERROR,
                        "%s: no memory for %l bytes on %q: %l are left of the program's budget",
                        method, size, gpu->info.name, left);
}

/* A new block of a type of memory, the first in the list, with nothing in it. */
static bool webnn_vk__new_block(webnn_vk__gpu *gpu, uint32_t kind, uint32_t type, uint64_t size) {
  webnn_vk__block *block;
  if (!webnn_vk__may_allocate(gpu, kind, type, size)) {
    return false;
  }
  block = WEBNN_VK__NEW(gpu->allocator, webnn_vk__block, 1);
  if (block == NULL) {
    return webnn_vk__lacks_memory(&gpu->call);
  }
  block->kind = kind;
  block->type = type;
  block->size = size;
  if (!webnn_vk__fill_block(gpu, block)) {
    webnn_vk__release_block(gpu, block);
    return false;
  }
  block->next = gpu->blocks;
  gpu->blocks = block;
  return true;
}

/* Takes a range out of a block: the first gap that is large enough. False if there is none, or no
   memory on the host to remember it. */
static bool webnn_vk__take_from(const webnn_vk__gpu *gpu, webnn_vk__block *block, uint64_t size,
                                webnn_vk__range *range) {
  uint64_t offset = 0;
  uint32_t i = 0;
  while (i < block->used_count && block->used[i].offset - offset < size) {
    offset = block->used[i].offset + block->used[i].size;
    i++;
  }
  if (block->size - offset < size) {
    return false;
  }
  if (block->used_count == block->used_room) {
    const uint32_t room = block->used_room * 2 + 8;
    webnn_vk__extent *longer = WEBNN_VK__NEW(gpu->allocator, webnn_vk__extent, room);
    if (longer == NULL) {
      return false;
    }
    if (block->used_count > 0) {
      memcpy(longer, block->used, block->used_count * sizeof *longer);
    }
    webnn__release(gpu->allocator, block->used);
    block->used = longer;
    block->used_room = room;
  }
  memmove(&block->used[i + 1], &block->used[i], (block->used_count - i) * sizeof *block->used);
  block->used[i].offset = offset;
  block->used[i].size = size;
  block->used_count++;
  range->block = block;
  range->buffer = block->buffer;
  range->offset = offset;
  range->size = size;
  range->data = block->data != NULL ? block->data + offset : NULL;
  return true;
}

/* How large a new block for several ranges of a kind is: as large as all that there are. */
static uint64_t webnn_vk__block_size(const webnn_vk__gpu *gpu, uint32_t kind) {
  const webnn_vk__block *block;
  uint64_t size = 0;
  for (block = gpu->blocks; block != NULL; block = block->next) {
    size += block->kind == kind ? block->size : 0;
  }
  size = size < WEBNN_VK__BLOCK ? size : WEBNN_VK__BLOCK;
  return size > WEBNN_VK__FIRST ? size : WEBNN_VK__FIRST;
}

/* A new block for a range: for several if that is possible, of the first heap that has room for it.
   The error is that of the last. */
static bool webnn_vk__make_room(webnn_vk__gpu *gpu, uint32_t kind, uint64_t size) {
  const webnn_vk__memory_types *list = &gpu->memory_types[kind];
  const uint64_t shared = webnn_vk__block_size(gpu, kind);
  const bool several =
      size < shared / 2 && shared <= gpu->memory_limit / 16 && shared <= gpu->max_allocation;
  const webnn_vk__request call = gpu->call;
  const uint32_t tries = 2 * list->count;
  bool made = false;
  uint32_t i;
  for (i = several ? 0 : 1; i < tries && !made; i += several ? 1 : 2) {
    gpu->call = call;
    if (i + 1 < tries) {
      gpu->call.error = NULL;
    }
    made = webnn_vk__new_block(gpu, kind, list->types[i / 2], i % 2 == 0 ? shared : size);
    if (!made && gpu->lost.status != WEBNN_OK) {
      gpu->call = call;
      return webnn_vk__not_lost(gpu);
    }
  }
  if (made) {
    gpu->call = call;
  }
  return made;
}

/* A range of so many bytes, out of a block that there is or of a new one. */
static bool webnn_vk__find_range(webnn_vk__gpu *gpu, uint32_t kind, uint64_t size,
                                 webnn_vk__range *range) {
  const webnn_vk__memory_types *list = &gpu->memory_types[kind];
  webnn_vk__block *block;
  uint32_t i;
  for (i = 0; i < list->count; i++) {
    for (block = gpu->blocks; block != NULL; block = block->next) {
      if (block->kind == kind && block->type == list->types[i] &&
          webnn_vk__take_from(gpu, block, size, range)) {
        return true;
      }
    }
  }
  return webnn_vk__make_room(gpu, kind, size) &&
         (webnn_vk__take_from(gpu, gpu->blocks, size, range) || webnn_vk__lacks_memory(&gpu->call));
}

/* Memory that nobody has any more: waits for work under way that needs storages which die, and
   frees blocks in which nothing is used. */
static bool webnn_vk__regain_memory(webnn_vk__gpu *gpu) {
  webnn_vk__block **link = &gpu->blocks;
  if (!webnn_vk__not_lost(gpu) ||
      (gpu->dying != NULL && !webnn_vk__wait_for(gpu, gpu->submitted))) {
    return false;
  }
  while (*link != NULL) {
    webnn_vk__block *block = *link;
    if (block->used_count > 0) {
      link = &block->next;
    } else {
      *link = block->next;
      webnn_vk__release_block(gpu, block);
    }
  }
  return true;
}

/* A range of memory of a kind, its size rounded up to the alignment. */
static bool webnn_vk__take_range(webnn_vk__gpu *gpu, uint32_t kind, uint64_t byte_length,
                                 webnn_vk__range *range) {
  const webnn_vk__request call = gpu->call;
  const uint64_t alignment = gpu->traits.alignment;
  uint64_t size;
  bool found;
  if (!webnn_vk__not_lost(gpu)) {
    return false;
  }
  if (byte_length > UINT64_MAX / 4) {
    return webnn_vk__lacks_memory(&gpu->call);
  }
  size = byte_length == 0 ? alignment : (byte_length + alignment - 1) / alignment * alignment;
  gpu->call.error = NULL; /* where there is no room now, there may be soon */
  found = webnn_vk__find_range(gpu, kind, size, range);
  gpu->call = call;
  return found || (webnn_vk__regain_memory(gpu) && webnn_vk__find_range(gpu, kind, size, range));
}

/* Gives a range back; of blocks in which nothing is used one of each kind is kept, if it is not
   large. */
static void webnn_vk__give_range(webnn_vk__gpu *gpu, webnn_vk__range *range) {
  webnn_vk__block *block = range->block, **link = &gpu->blocks, *other;
  uint32_t i = 0;
  bool keep;
  if (block == NULL) {
    return;
  }
  while (block->used[i].offset != range->offset) {
    i++;
  }
  block->used_count--;
  memmove(&block->used[i], &block->used[i + 1], (block->used_count - i) * sizeof *block->used);
  memset(range, 0, sizeof *range);
  keep = block->used_count > 0 || block->size <= WEBNN_VK__BLOCK;
  for (other = gpu->blocks; other != NULL && keep && block->used_count == 0; other = other->next) {
    keep = other == block || other->kind != block->kind || other->used_count > 0;
  }
  if (!keep) {
    while (*link != block) {
      link = &(*link)->next;
    }
    *link = block->next;
    webnn_vk__release_block(gpu, block);
  }
}

/* ---- Copies --------------------------------------------------------------------------------- */

static void webnn_vk__end_storage(webnn_vk__gpu *gpu, webnn_vk__storage *storage) {
  gpu->staged -= storage->staged;
  webnn_vk__give_range(gpu, &storage->range);
  webnn_vk__give_range(gpu, &storage->download);
  webnn__release(gpu->allocator, storage);
}

/* It is released once the submission that uses it last has completed. */
static void webnn_vk__let_die(webnn_vk__gpu *gpu, webnn_vk__storage *storage) {
  storage->next = gpu->dying;
  gpu->dying = storage;
}

/* Releases what no work under way needs any more. */
static void webnn_vk__release_used(webnn_vk__gpu *gpu) {
  webnn_vk__storage **link = &gpu->dying;
  while (*link != NULL) {
    webnn_vk__storage *storage = *link;
    if (storage->last_use <= gpu->completed) {
      *link = storage->next;
      webnn_vk__end_storage(gpu, storage);
    } else {
      link = &storage->next;
    }
  }
}

/* A staging range, mapped; NULL after an error. */
static webnn_vk__storage *webnn_vk__new_staging(webnn_vk__gpu *gpu, uint32_t kind,
                                                uint64_t byte_length) {
  webnn_vk__storage *made;
  if (gpu->staged + byte_length > WEBNN_VK__STAGED && !webnn_vk__wait_for(gpu, gpu->submitted)) {
    return NULL;
  }
  made = WEBNN_VK__NEW(gpu->allocator, webnn_vk__storage, 1);
  if (made == NULL) {
    (void)webnn_vk__lacks_memory(&gpu->call);
    return NULL;
  }
  if (!webnn_vk__take_range(gpu, kind, byte_length, &made->range)) {
    webnn__release(gpu->allocator, made);
    return NULL;
  }
  made->staged = made->range.size;
  gpu->staged += made->staged;
  return made;
}

static void webnn_vk__copy_range(const webnn_vk__gpu *gpu, VkCommandBuffer buffer,
                                 const webnn_vk__range *from, uint64_t from_offset,
                                 const webnn_vk__range *to, uint64_t to_offset, uint64_t size) {
  VkBufferCopy copy;
  copy.srcOffset = from->offset + from_offset;
  copy.dstOffset = to->offset + to_offset;
  copy.size = size;
  gpu->f->CmdCopyBuffer(buffer, from->buffer, to->buffer, 1, &copy);
}

/* Copies bytes of the host to a range on the queue. */
static bool webnn_vk__write_chunk(webnn_vk__gpu *gpu, const webnn_vk__range *range, uint64_t offset,
                                  const void *data, uint64_t size) {
  webnn_vk__storage *staging = webnn_vk__new_staging(gpu, WEBNN_VK__UPLOAD_MEMORY, size);
  webnn_vk__submission *submission;
  bool copied = false;
  if (staging == NULL) {
    return false;
  }
  submission = webnn_vk__start_copies(gpu);
  if (submission != NULL) {
    memcpy(staging->range.data, data, (size_t)size);
    webnn_vk__copy_range(gpu, submission->buffer, &staging->range, 0, range, offset, size);
    copied = webnn_vk__submit_copies(gpu, submission);
  }
  staging->last_use = gpu->submitted;
  webnn_vk__let_die(gpu, staging);
  return copied;
}

/* The data is not needed any more when it returns. */
static bool webnn_vk__write_bytes(webnn_vk__gpu *gpu, const webnn_vk__range *range,
                                  const void *data, uint64_t byte_length) {
  const unsigned char *from = (const unsigned char *)data;
  uint64_t done = 0;
  while (done < byte_length) {
    const uint64_t rest = byte_length - done;
    const uint64_t size = rest < WEBNN_VK__CHUNK ? rest : WEBNN_VK__CHUNK;
    webnn_vk__look(gpu);
    if (!webnn_vk__write_chunk(gpu, range, done, from + done, size)) {
      return false;
    }
    done += size;
  }
  webnn_vk__look(gpu);
  return true;
}

/* The device copies a piece of a range to a staging range. */
static bool webnn_vk__send_piece(webnn_vk__gpu *gpu, const webnn_vk__range *range, uint64_t offset,
                                 uint64_t size, webnn_vk__storage **staging) {
  webnn_vk__submission *submission;
  if (*staging == NULL) {
    *staging = webnn_vk__new_staging(gpu, WEBNN_VK__READ_MEMORY, size);
  }
  submission = *staging != NULL ? webnn_vk__start_copies(gpu) : NULL;
  if (submission == NULL) {
    return false;
  }
  webnn_vk__copy_range(gpu, submission->buffer, range, offset, &(*staging)->range, 0, size);
  webnn_vk__host_barrier(gpu, submission->buffer);
  if (!webnn_vk__submit_copies(gpu, submission)) {
    return false;
  }
  (*staging)->last_use = gpu->submitted;
  return true;
}

/* Copies a range to the host on the queue, by two staging ranges in turn: while the host takes one
   piece out of one, the device copies the next to the other. */
static bool webnn_vk__read_bytes(webnn_vk__gpu *gpu, const webnn_vk__range *range, void *result,
                                 uint64_t byte_length) {
  const uint64_t most = WEBNN_VK__PIECE;
  webnn_vk__storage *staging[2] = {NULL, NULL};
  uint64_t at, sent = 0, size;
  bool works = true;
  uint32_t i;
  webnn_vk__look(gpu);
  for (at = 0; works && at < byte_length; at += most) {
    for (; works && sent < byte_length && sent < at + 2 * most; sent += most) {
      size = byte_length - sent < most ? byte_length - sent : most;
      works = webnn_vk__send_piece(gpu, range, sent, size, &staging[sent / most % 2]);
    }
    i = at / most % 2;
    works = works && webnn_vk__wait_for(gpu, staging[i]->last_use) &&
            webnn_vk__see_range(gpu, &staging[i]->range);
    if (works) {
      size = byte_length - at < most ? byte_length - at : most;
      memcpy((unsigned char *)result + at, staging[i]->range.data, (size_t)size);
    }
  }
  for (i = 0; i < 2; i++) {
    if (staging[i] != NULL) {
      webnn_vk__let_die(gpu, staging[i]);
    }
  }
  webnn_vk__look(gpu);
  return works;
}

/* Zeros all of a new range. */
static bool webnn_vk__clear_range(webnn_vk__gpu *gpu, const webnn_vk__range *range) {
  webnn_vk__submission *submission;
  if (range->data != NULL) {
    memset(range->data, 0, (size_t)range->size);
    return true;
  }
  submission = webnn_vk__start_copies(gpu);
  if (submission == NULL) {
    return false;
  }
  gpu->f->CmdFillBuffer(submission->buffer, range->buffer, range->offset, range->size, 0);
  return webnn_vk__submit_copies(gpu, submission);
}

/* ---- Tensors -------------------------------------------------------------------------------- */

static webnn_status webnn_vk__create_storage(void *device, webnn_data_type type,
                                             uint64_t byte_length, void *memory, void **storage,
                                             webnn_error *error) {
  webnn_vk__gpu *gpu = (webnn_vk__gpu *)device;
  webnn_vk__storage *made = WEBNN_VK__NEW(gpu->allocator, webnn_vk__storage, 1);
  bool done;
  (void)type;
  if (made == NULL) {
    return webnn__out_of_memory(error, "createTensor");
  }
  made->byte_length = byte_length;
  made->memory = (unsigned char *)memory;
  webnn_vk__lock(gpu, "createTensor", error);
  webnn_vk__look(gpu);
  made->number = ++gpu->storages;
  done = webnn_vk__take_range(gpu, WEBNN_VK__DEVICE_MEMORY, byte_length, &made->range);
  if (done && memory == NULL) {
    done = webnn_vk__clear_range(gpu, &made->range);
    made->last_use = made->range.data != NULL ? 0 : gpu->submitted;
  } else if (done && !webnn_vk__is_readable(gpu, &made->range)) {
    done = webnn_vk__take_range(gpu, WEBNN_VK__READ_MEMORY, byte_length, &made->download);
  }
  if (!done) {
    webnn_vk__end_storage(gpu, made);
    made = NULL;
  }
  *storage = made;
  return webnn_vk__unlock(gpu);
}

/* It is not stale any more: what was computed, and has completed, is brought to the caller's
   memory; but not from a lost device. */
static void webnn_vk__refresh(webnn_vk__gpu *gpu, webnn_vk__storage *storage, bool bring) {
  webnn_vk__storage **link = &gpu->stale;
  while (*link != storage) {
    link = &(*link)->next_stale;
  }
  *link = storage->next_stale;
  storage->stale = false;
  if (bring && storage->download.data == NULL) {
    memcpy(storage->memory, storage->range.data, (size_t)storage->byte_length);
  } else if (bring && webnn_vk__see_range(gpu, &storage->download)) {
    memcpy(storage->memory, storage->download.data, (size_t)storage->byte_length);
  }
}

static void webnn_vk__release_storage(void *device, void *pointer) {
  webnn_vk__gpu *gpu = (webnn_vk__gpu *)device;
  webnn_vk__storage *storage = (webnn_vk__storage *)pointer;
  webnn_vk__lock(gpu, "wait", NULL);
  if (storage->stale) {
    const bool completed = webnn_vk__wait_for(gpu, storage->last_use);
    if (storage->stale) { /* still, after the mutex was given back */
      webnn_vk__refresh(gpu, storage, completed);
    }
  }
  webnn_vk__let_die(gpu, storage);
  webnn_vk__look(gpu);
  webnn_vk__release_used(gpu);
  (void)webnn_vk__unlock(gpu);
}

/* Gives waits that the caller has asked for to the queue, if nothing else has taken them there. */
static bool webnn_vk__flush_waits(webnn_vk__gpu *gpu) {
  return gpu->wait_count == 0 ||
         webnn_vk__submit(gpu, webnn_vk__new_submission(gpu), NULL, 0, NULL);
}

/* With the mutex: all work is done, and the caller's memory has its results. */
static bool webnn_vk__finish(webnn_vk__gpu *gpu) {
  if (!webnn_vk__not_lost(gpu) || !webnn_vk__flush_waits(gpu) ||
      !webnn_vk__wait_for(gpu, gpu->submitted)) {
    return false;
  }
  while (gpu->stale != NULL) {
    webnn_vk__refresh(gpu, gpu->stale, true);
  }
  return true;
}

static webnn_status webnn_vk__wait(void *device, webnn_error *error) {
  webnn_vk__gpu *gpu = (webnn_vk__gpu *)device;
  webnn_vk__lock(gpu, "wait", error);
  (void)webnn_vk__finish(gpu);
  return webnn_vk__unlock(gpu);
}

static webnn_status webnn_vk__write_tensor(void *device, void *pointer, const void *data,
                                           uint64_t byte_length, webnn_error *error) {
  webnn_vk__gpu *gpu = (webnn_vk__gpu *)device;
  webnn_vk__storage *storage = (webnn_vk__storage *)pointer;
  webnn_vk__lock(gpu, "writeTensor", error);
  webnn_vk__look(gpu);
  if (!webnn_vk__not_lost(gpu)) {
    return webnn_vk__unlock(gpu);
  }
  if (storage->memory != NULL) {
    if (webnn_vk__finish(gpu)) {
      memmove(storage->memory, data, (size_t)byte_length);
    }
  } else if (storage->range.data != NULL && gpu->wait_count == 0 &&
             storage->last_use <= gpu->completed) {
    memcpy(storage->range.data, data, (size_t)byte_length);
  } else {
    (void)webnn_vk__write_bytes(gpu, &storage->range, data, byte_length);
    storage->last_use = gpu->submitted;
  }
  return webnn_vk__unlock(gpu);
}

/* webnn_vk__wait was called. */
static webnn_status webnn_vk__read_tensor(void *device, void *pointer, void *data,
                                          uint64_t byte_length, webnn_error *error) {
  webnn_vk__gpu *gpu = (webnn_vk__gpu *)device;
  webnn_vk__storage *storage = (webnn_vk__storage *)pointer;
  const unsigned char *memory = storage->memory != NULL ? storage->memory : storage->range.data;
  webnn_vk__lock(gpu, "readTensor", error);
  if (webnn_vk__not_lost(gpu)) {
    if (storage->memory != NULL || webnn_vk__is_readable(gpu, &storage->range)) {
      memmove(data, memory, (size_t)byte_length);
    } else {
      (void)webnn_vk__read_bytes(gpu, &storage->range, data, byte_length);
    }
  }
  return webnn_vk__unlock(gpu);
}

/* ==============================================================================================
   8  plans and runs                                                               >>vulkan_plans

   A plan has the steps of a program, their pipelines, and the memory of everything but tensors. For
   each set of bound tensors its commands are recorded once, in one command buffer for each
   submission, and kept for the next run with the same tensors; a few such recordings are kept.
   ============================================================================================== */

#define WEBNN_VK__RECORDINGS 16
#define WEBNN_VK__RANGES 64            /* that are remembered between barriers */
#define WEBNN_VK__SUBMISSION_TIME 50e6 /* nanoseconds */
#define WEBNN_VK__TIMED_RUNS 4         /* of each plan, by the host's clock */
#define WEBNN_VK__MAKERS 15            /* threads beside the caller's that make pipelines */
#define WEBNN_VK__STACK_BYTES ((size_t)1 << 23) /* theirs: compilers of drivers go deep */

/* How steps are recorded. */
typedef enum webnn_vk__recording_kind {
  WEBNN_VK__WHOLE,
  WEBNN_VK__TIMED,    /* with time stamps around each node */
  WEBNN_VK__EACH_NODE /* each node has a command buffer of its own */
} webnn_vk__recording_kind;

typedef struct webnn_vk__recording {
  webnn_vk__recording_kind kind;
  webnn__arena memory; /* of the host */
  uint64_t *numbers;   /* of the storages, inputs before outputs; NULL: there is no recording */
  uint64_t last_use;
  VkDescriptorPool pool;
  VkDescriptorSet *sets; /* of each step */
  VkCommandBuffer *buffers;
  uint32_t *nodes; /* of each buffer: the node whose step, or part of one, is its last */
  uint32_t buffer_count;
  VkQueryPool queries; /* a time stamp before the first buffer and behind each; or NULL */
  bool outdated;       /* its steps take another time than when they were recorded */
} webnn_vk__recording;

/* How long a kernel of a plan takes. */
typedef struct webnn_vk__pace {
  double nanoseconds;               /* by cost */
  double run_cost, run_nanoseconds; /* of a run that was timed */
} webnn_vk__pace;

typedef struct webnn_vk__plan {
  webnn_vk__gpu *gpu;
  webnn__rewriting rewriting;
  const webnn__program *original, *program;
  webnn__arena memory; /* of the host */
  webnn__placing placing;
  webnn_vk__planner planner;
  webnn_vk__pipeline **pipelines; /* of the planner's kernels */
  webnn_vk__pace *paces;          /* of the planner's kernels */
  uint32_t runs_to_time;
  uint32_t *first_steps;      /* of each node, and the number of all */
  webnn_vk__range parameters; /* of the device */
  webnn_vk__range *ranges;    /* of each value that is a constant or in the arena */
  webnn_vk__range *scratch;   /* of each node */
  webnn_vk__range *owned;     /* in which all these are, to be given back */
  uint32_t owned_count;
  webnn_memory used; /* what is known when the plan is made */
  uint64_t last_use;
  webnn_vk__recording recordings[WEBNN_VK__RECORDINGS];
  VkQueryPool queries;
  webnn_profiled_step *measured; /* of each node */
  bool profiled;
  struct webnn_vk__plan *untouched; /* the program as it was built, for taps */
  webnn_tap tap;
  void *tap_user;
} webnn_vk__plan;

/* ---- Pipelines ------------------------------------------------------------------------------ */

/* With the mutex: the layouts for kernels of so many operands. */
static bool webnn_vk__make_layout(webnn_vk__gpu *gpu, uint32_t count) {
  VkDescriptorSetLayoutBinding bindings[WEBNN_VK__OPERANDS];
  WEBNN_VK__INFO(VkDescriptorSetLayoutCreateInfo, set, DESCRIPTOR_SET_LAYOUT_CREATE_INFO);
  WEBNN_VK__INFO(VkPipelineLayoutCreateInfo, info, PIPELINE_LAYOUT_CREATE_INFO);
  VkPushConstantRange push = WEBNN_ZERO;
  uint32_t i;
  memset(bindings, 0, sizeof bindings);
  for (i = 0; i < count; i++) {
    bindings[i].binding = i;
    bindings[i].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    bindings[i].descriptorCount = 1;
    bindings[i].stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
  }
  set.bindingCount = count;
  set.pBindings = bindings;
  push.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
  push.size = WEBNN_VK__PUSHES * 4;
  info.setLayoutCount = 1;
  info.pSetLayouts = &gpu->set_layouts[count];
  info.pushConstantRangeCount = 1;
  info.pPushConstantRanges = &push;
  return (gpu->set_layouts[count] != VK_NULL_HANDLE ||
          WEBNN_VK__MAKE(gpu, CreateDescriptorSetLayout, &set, &gpu->set_layouts[count])) &&
         (gpu->layouts[count] != VK_NULL_HANDLE ||
          WEBNN_VK__MAKE(gpu, CreatePipelineLayout, &info, &gpu->layouts[count]));
}

/* With the mutex: the pipeline of a text, if there is one. */
static webnn_vk__pipeline *webnn_vk__find_pipeline(const webnn_vk__gpu *gpu,
                                                   const webnn_vk__planned_kernel *kernel) {
  webnn_vk__pipeline *p = gpu->pipelines[kernel->hash % WEBNN_VK__BUCKETS];
  while (p != NULL &&
         (p->hash != kernel->hash || p->operand_count != kernel->operand_count ||
          p->subgroup_size != kernel->subgroup_size || strcmp(p->text, kernel->text) != 0)) {
    p = p->next;
  }
  return p;
}

/* With the mutex: a plan does not use it any more. */
static void webnn_vk__leave_pipeline(webnn_vk__gpu *gpu, webnn_vk__pipeline *pipeline) {
  webnn_vk__pipeline **link = &gpu->pipelines[pipeline->hash % WEBNN_VK__BUCKETS];
  if (--pipeline->plans > 0) {
    return;
  }
  while (*link != pipeline) {
    link = &(*link)->next;
  }
  *link = pipeline->next;
  gpu->f->DestroyPipeline(gpu->handle, pipeline->handle, NULL);
  webnn__release(gpu->allocator, pipeline);
}

/* A pipeline that is to be made. */
typedef struct webnn_vk__making {
  uint32_t kernel;
  webnn_vk__pipeline *pipeline;
  VkPipelineLayout layout;
  VkShaderModule module;
  VkResult result;
} webnn_vk__making;

/* Those for a list of kernels, which threads take one after the other. */
typedef struct webnn_vk__makings {
  webnn_vk__gpu *gpu;
  const webnn_vk__planned_kernel *kernels;
  webnn_vk__pipeline **pipelines; /* of the kernels */
  webnn_vk__making *list;
  uint32_t count;
  webnn__atomic taken;
  webnn_error *error;
} webnn_vk__makings;

/* The driver compiles a kernel. Several threads are here. */
static void webnn_vk__make_pipeline(void *data, size_t index) {
  const webnn_vk__makings *makings = (const webnn_vk__makings *)data;
  const webnn_vk__gpu *gpu = makings->gpu;
  webnn_vk__making *making = &makings->list[index];
  WEBNN_VK__INFO(VkPipelineShaderStageRequiredSubgroupSizeCreateInfo, subgroup,
                 PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO);
  WEBNN_VK__INFO(VkPipelineRobustnessCreateInfoEXT, robustness,
                 PIPELINE_ROBUSTNESS_CREATE_INFO_EXT);
  WEBNN_VK__INFO(VkComputePipelineCreateInfo, info, COMPUTE_PIPELINE_CREATE_INFO);
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = making->module;
  info.stage.pName = "main";
  info.layout = making->layout;
  info.flags = VK_PIPELINE_CREATE_DISPATCH_BASE_BIT;
  if (gpu->unchecked) { /* kernels check their indices themselves */
    robustness.storageBuffers = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED_EXT;
    robustness.uniformBuffers = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED_EXT;
    info.pNext = &robustness;
  }
  if (making->pipeline->subgroup_size > 0) {
    subgroup.requiredSubgroupSize = making->pipeline->subgroup_size;
    info.stage.pNext = &subgroup;
    info.stage.flags = VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
  }
  making->result = gpu->f->CreateComputePipelines(gpu->handle, gpu->cache, 1, &info, NULL,
                                                  &making->pipeline->handle);
}

static void webnn_vk__make_some(void *data) {
  webnn_vk__makings *makings = (webnn_vk__makings *)data;
  uint32_t taken;
  while ((taken = webnn__atomic_add(&makings->taken, 1)) <= makings->count) {
    webnn_vk__make_pipeline(makings, taken - 1);
  }
}

/* All of them, by as many threads as the context works with. */
static void webnn_vk__make_pipelines(webnn_vk__makings *makings) {
  const webnn_context_options *options = makings->gpu->options;
#ifdef WEBNN__THREADS
  webnn__thread threads[WEBNN_VK__MAKERS];
  uint32_t most = options->threads, started = 0;
#endif
  if (options->parallel_for != NULL && options->threads != 1 && makings->count > 1) {
    options->parallel_for(options->parallel_for_user, makings->count, webnn_vk__make_pipeline,
                          makings);
    return;
  }
#ifdef WEBNN__THREADS
  if (most == 0 && makings->count > 1) {
    most = webnn__processor_count();
  }
  most = most < makings->count ? most : makings->count;
  while (
      started < WEBNN_VK__MAKERS && started + 1 < most &&
      webnn__thread_start(&threads[started], WEBNN_VK__STACK_BYTES, webnn_vk__make_some, makings)) {
    started++;
  }
#endif
  webnn_vk__make_some(makings);
#ifdef WEBNN__THREADS
  while (started > 0) {
    webnn__thread_join(&threads[--started]);
  }
#endif
}

/* Compiles the text of a kernel. */
static webnn_status webnn_vk__make_module(webnn_vk__gpu *gpu, const char *text,
                                          VkShaderModule *module, webnn_error *error) {
  WEBNN_VK__INFO(VkShaderModuleCreateInfo, info, SHADER_MODULE_CREATE_INFO);
  uint32_t *words = NULL;
  size_t word_count = 0;
  VkResult result;
  webnn_status status = webnn_vk__compile_kernel(gpu->allocator, text, &gpu->compile_options,
                                                 &words, &word_count, error);
  if (status != WEBNN_OK) {
    return status;
  }
  if (gpu->kernel != NULL) {
    gpu->kernel(gpu->kernel_user, text, words, word_count);
  }
  info.codeSize = word_count * 4;
  info.pCode = words;
  result = gpu->f->CreateShaderModule(gpu->handle, &info, NULL, module);
  webnn__release(gpu->allocator, words);
  webnn_vk__lock(gpu, "build", error);
  if (!webnn_vk__works(gpu, "vkCreateShaderModule", result)) {
    *module = VK_NULL_HANDLE;
  }
  return webnn_vk__unlock(gpu);
}

/* Finds the pipeline of a kernel, or prepares to make it. */
static webnn_status webnn_vk__need_pipeline(webnn_vk__makings *makings, uint32_t kernel) {
  webnn_vk__gpu *gpu = makings->gpu;
  const webnn_vk__planned_kernel *planned = &makings->kernels[kernel];
  const size_t length = strlen(planned->text) + 1;
  webnn_vk__making *making = &makings->list[makings->count];
  webnn_vk__pipeline *found, *made;
  webnn_status status;
  webnn_vk__lock(gpu, "build", makings->error);
  found = webnn_vk__find_pipeline(gpu, planned);
  if (webnn_vk__not_lost(gpu) && found != NULL) {
    found->plans++;
    makings->pipelines[kernel] = found;
  } else if (found == NULL) {
    (void)webnn_vk__make_layout(gpu, planned->operand_count);
  }
  making->layout = gpu->layouts[planned->operand_count];
  status = webnn_vk__unlock(gpu);
  if (status != WEBNN_OK || found != NULL) {
    return status;
  }
  made = (webnn_vk__pipeline *)webnn__allocate_zeroed(gpu->allocator, sizeof *made + length);
  if (made == NULL) {
    return webnn__out_of_memory(makings->error, "build");
  }
  made->hash = planned->hash;
  made->operand_count = planned->operand_count;
  made->subgroup_size = planned->subgroup_size;
  made->text = (char *)(made + 1);
  memcpy(made->text, planned->text, length);
  making->pipeline = made;
  making->kernel = kernel;
  makings->count++;
  return webnn_vk__make_module(gpu, made->text, &making->module, makings->error);
}

/* With the mutex: the kernel gets the pipeline that was made, or what another thread has made
   meanwhile. */
static void webnn_vk__take_made(webnn_vk__makings *makings, webnn_vk__making *making, bool made) {
  webnn_vk__gpu *gpu = makings->gpu;
  webnn_vk__pipeline *pipeline = making->pipeline;
  webnn_vk__pipeline *other = webnn_vk__find_pipeline(gpu, &makings->kernels[making->kernel]);
  gpu->f->DestroyShaderModule(gpu->handle, making->module, NULL);
  if (!made || !webnn_vk__works(gpu, "vkCreateComputePipelines", making->result)) {
    webnn__release(gpu->allocator, pipeline);
    return;
  }
  if (other != NULL) {
    gpu->f->DestroyPipeline(gpu->handle, pipeline->handle, NULL);
    webnn__release(gpu->allocator, pipeline);
    pipeline = other;
  } else {
    pipeline->next = gpu->pipelines[pipeline->hash % WEBNN_VK__BUCKETS];
    gpu->pipelines[pipeline->hash % WEBNN_VK__BUCKETS] = pipeline;
  }
  pipeline->plans++;
  makings->pipelines[making->kernel] = pipeline;
}

/* The pipelines of those kernels that are wanted (NULL: of all), made if there are none. After an
   error, too, those that are not NULL are to be left. */
static webnn_status webnn_vk__get_pipelines(webnn_vk__gpu *gpu,
                                            const webnn_vk__planned_kernel *kernels, uint32_t count,
                                            const bool *wanted, webnn_vk__pipeline **pipelines,
                                            webnn_error *error) {
  webnn_vk__makings makings = WEBNN_ZERO;
  webnn_status status = WEBNN_OK;
  uint32_t i;
  makings.gpu = gpu;
  makings.kernels = kernels;
  makings.pipelines = pipelines;
  makings.error = error;
  makings.list = WEBNN_VK__NEW(gpu->allocator, webnn_vk__making, count);
  if (makings.list == NULL && count > 0) {
    return webnn__out_of_memory(error, "build");
  }
  for (i = 0; i < count && status == WEBNN_OK; i++) {
    if (wanted == NULL || wanted[i]) {
      status = webnn_vk__need_pipeline(&makings, i);
    }
  }
  if (status == WEBNN_OK) {
    webnn_vk__make_pipelines(&makings);
  }
  webnn_vk__lock(gpu, "build", error);
  for (i = 0; i < makings.count; i++) {
    webnn_vk__take_made(&makings, &makings.list[i], status == WEBNN_OK);
  }
  status = status == WEBNN_OK ? gpu->call.status : status;
  (void)webnn_vk__unlock(gpu);
  webnn__release(gpu->allocator, makings.list);
  return status;
}

/* ---- Making plans --------------------------------------------------------------------------- */

/* With the mutex. */
static void webnn_vk__release_recording(webnn_vk__gpu *gpu, webnn_vk__recording *recording) {
  if (gpu->watch.recording == recording) {
    memset(&gpu->watch, 0, sizeof gpu->watch);
  }
  gpu->f->DestroyQueryPool(gpu->handle, recording->queries, NULL);
  if (recording->buffers != NULL && recording->buffers[0] != NULL) {
    gpu->f->FreeCommandBuffers(gpu->handle, gpu->pool, recording->buffer_count, recording->buffers);
  }
  gpu->f->DestroyDescriptorPool(gpu->handle, recording->pool, NULL);
  webnn__arena_release(&recording->memory);
  memset(recording, 0, sizeof *recording);
}

static void webnn_vk__learn(webnn_vk__gpu *gpu);

static void webnn_vk__release_plan(void *device, void *pointer) {
  webnn_vk__gpu *gpu = (webnn_vk__gpu *)device;
  webnn_vk__plan *plan = (webnn_vk__plan *)pointer;
  uint32_t i;
  if (plan->untouched != NULL) {
    webnn_vk__release_plan(device, plan->untouched);
  }
  webnn_vk__lock(gpu, "wait", NULL);
  (void)webnn_vk__wait_for(gpu, plan->last_use);
  webnn_vk__learn(gpu);
  for (i = 0; i < WEBNN_VK__RECORDINGS; i++) {
    webnn_vk__release_recording(gpu, &plan->recordings[i]);
  }
  gpu->f->DestroyQueryPool(gpu->handle, plan->queries, NULL);
  for (i = 0; i < plan->owned_count; i++) {
    webnn_vk__give_range(gpu, &plan->owned[i]);
  }
  for (i = 0; plan->pipelines != NULL && i < plan->planner.kernel_count; i++) {
    if (plan->pipelines[i] != NULL) {
      webnn_vk__leave_pipeline(gpu, plan->pipelines[i]);
    }
  }
  (void)webnn_vk__unlock(gpu);
  webnn__arena_release(&plan->memory);
  webnn__release_rewriting(&plan->rewriting);
  webnn__release(gpu->allocator, plan);
}

static bool webnn_vk__overwrites(void *user, uint32_t index, uint32_t input) {
  (void)input;
  return ((const webnn_vk__plan *)user)->planner.nodes[index].overwrites;
}

static uint64_t webnn_vk__scratch(void *user, uint32_t index) {
  return ((const webnn_vk__plan *)user)->planner.nodes[index].scratch;
}

/* Plans all nodes, then finds places for the values. */
static bool webnn_vk__plan_nodes(webnn_vk__plan *plan, uint32_t disabled_passes) {
  webnn_vk__planner *planner = &plan->planner;
  uint32_t i;
  planner->traits = &plan->gpu->traits;
  planner->program = plan->program;
  planner->arena = &plan->memory;
  planner->nodes = WEBNN_VK__TAKE(&plan->memory, webnn_vk__planned_node, plan->program->node_count);
  if (planner->nodes == NULL) {
    return webnn_vk__plan_lacks_memory(planner);
  }
  for (i = 0; i < plan->program->node_count; i++) {
    if (!webnn_vk__plan_node(planner, i)) {
      return planner->status != WEBNN_OK ? false : webnn_vk__plan_lacks_memory(planner);
    }
  }
  plan->placing.program = plan->program;
  plan->placing.memory = &plan->memory;
  plan->placing.disabled_passes = disabled_passes;
  plan->placing.alignment = plan->gpu->traits.alignment;
  plan->placing.overwrites = webnn_vk__overwrites;
  plan->placing.scratch = webnn_vk__scratch;
  plan->placing.user = plan;
  return webnn__place_values(&plan->placing) || webnn_vk__plan_lacks_memory(planner);
}

/* The bytes that are bound for an operand. */
static uint64_t webnn_vk__bound_bytes(const webnn_vk__plan *plan,
                                      const webnn_vk__operand *operand) {
  const uint64_t bytes = operand->kind == WEBNN_VK__VALUE && operand->byte_length == 0
                             ? webnn__value_bytes(&plan->program->values[operand->value])
                             : operand->byte_length;
  return webnn__round_up(bytes, 16);
}

/* Is this step one that the device can run, and can each of its operands be bound whole? */
static bool webnn_vk__fits(webnn_vk__plan *plan, const webnn_vk__step *step) {
  const webnn_vk__traits *traits = &plan->gpu->traits;
  const webnn__node *node = &plan->program->nodes[step->node];
  bool fits = step->operand_count <= traits->max_operands && step->push_count <= WEBNN_VK__PUSHES &&
              step->operand_count == plan->planner.kernels[step->kernel].operand_count;
  uint32_t i;
  for (i = 0; i < 3; i++) {
    fits = fits && step->groups[i] > 0 && step->groups[i] <= traits->max_groups[i];
  }
  if (!fits) {
    return webnn_vk__plan_fails(&plan->planner, step->node, "is too large for this device");
  }
  for (i = 0; i < step->operand_count; i++) {
    const uint64_t bytes = webnn_vk__bound_bytes(plan, &step->operands[i]);
    if (bytes > traits->max_range) {
      plan->planner.status =
          webnn__fail(plan->planner.error, WEBNN_OPERATION_ERROR,
                      "build: %s %q: a kernel needs a buffer of %l bytes, and this device binds no "
                      "more than %l",
                      webnn_vk__node_name(node), node->label, bytes, traits->max_range);
      return false;
    }
  }
  return true;
}

/* Leaves out the steps of views, and finds the first of each node. Steps come in the order of the
   nodes. */
static bool webnn_vk__order_steps(webnn_vk__plan *plan) {
  webnn_vk__planner *planner = &plan->planner;
  uint32_t node = 0, kept = 0, i;
  plan->first_steps =
      WEBNN_VK__TAKE(&plan->memory, uint32_t, (uint64_t)plan->program->node_count + 1);
  if (plan->first_steps == NULL) {
    return webnn_vk__plan_lacks_memory(planner);
  }
  for (i = 0; i < planner->step_count; i++) {
    const webnn_vk__step *step = &planner->steps[i];
    if (webnn__is_view(&plan->placing, step->node)) {
      continue;
    }
    if (!webnn_vk__fits(plan, step)) {
      return false;
    }
    for (; node <= step->node; node++) {
      plan->first_steps[node] = kept;
    }
    planner->steps[kept++] = *step;
  }
  for (; node <= plan->program->node_count; node++) {
    plan->first_steps[node] = kept;
  }
  planner->step_count = kept;
  return true;
}

/* The pipelines of all steps; those of views are not needed. */
static bool webnn_vk__find_pipelines(webnn_vk__plan *plan) {
  webnn_vk__planner *planner = &plan->planner;
  const uint64_t count = planner->kernel_count;
  bool *wanted = WEBNN_VK__TAKE(&plan->memory, bool, count);
  uint32_t i;
  plan->paces = WEBNN_VK__TAKE(&plan->memory, webnn_vk__pace, count);
  plan->pipelines = WEBNN_VK__TAKE(&plan->memory, webnn_vk__pipeline *, count);
  if (wanted == NULL || plan->paces == NULL || plan->pipelines == NULL) {
    return webnn_vk__plan_lacks_memory(planner);
  }
  for (i = 0; i < planner->step_count; i++) {
    wanted[planner->steps[i].kernel] = true;
  }
  planner->status = webnn_vk__get_pipelines(plan->gpu, planner->kernels, planner->kernel_count,
                                            wanted, plan->pipelines, planner->error);
  return planner->status == WEBNN_OK;
}

/* With the mutex: a range of a plan, with these bytes unless they are NULL. */
static bool webnn_vk__take_bytes(webnn_vk__plan *plan, const void *data, uint64_t byte_length,
                                 webnn_vk__range *range) {
  webnn_vk__gpu *gpu = plan->gpu;
  if (!webnn_vk__take_range(gpu, WEBNN_VK__DEVICE_MEMORY, byte_length, range)) {
    return false;
  }
  plan->owned[plan->owned_count++] = *range;
  if (data == NULL || byte_length == 0) {
    return true;
  }
  plan->used.prepared += range->size;
  if (range->data == NULL) {
    return webnn_vk__write_bytes(gpu, range, data, byte_length);
  }
  memset(range->data + range->size - gpu->traits.alignment, 0, (size_t)gpu->traits.alignment);
  memcpy(range->data, data, (size_t)byte_length);
  return true;
}

/* What is in one place of the arena: a value, or the scratch memory of a node. */
typedef struct webnn_vk__placed {
  uint64_t offset, size;
  webnn_vk__range *range; /* where it will lie; NULL: that is known */
} webnn_vk__placed;

/* Lists what is in the arena. */
static uint32_t webnn_vk__list_placed(webnn_vk__plan *plan, webnn_vk__placed *placed) {
  const webnn__program *program = plan->program;
  uint32_t count = 0, i;
  for (i = 0; i < program->value_count; i++) {
    const webnn__place *place = &plan->placing.places[i];
    if (place->kind == WEBNN__PLACE_ARENA) {
      placed[count].offset = place->offset;
      placed[count].size = place->size;
      placed[count++].range = &plan->ranges[i];
    }
  }
  for (i = 0; i < program->node_count; i++) {
    if (plan->planner.nodes[i].scratch > 0) {
      placed[count].offset = plan->placing.scratch_offsets[i];
      placed[count].size = plan->planner.nodes[i].scratch;
      placed[count++].range = &plan->scratch[i];
    }
  }
  return count;
}

/* With the mutex: takes memory for a piece of the arena: for all whose range is not known, from the
   first of them on, as far as a block can be large. What is there at different times shares memory
   within a piece only, which is as good if the arena is one piece. Returns for how many it was;
   0 after an error. */
static uint32_t webnn_vk__take_piece(webnn_vk__plan *plan, webnn_vk__placed *placed,
                                     uint32_t count) {
  const uint64_t most = plan->gpu->max_allocation;
  uint64_t start = UINT64_MAX, size = 0;
  webnn_vk__range piece;
  uint32_t i, found = 0;
  for (i = 0; i < count; i++) {
    if (placed[i].range != NULL && placed[i].offset < start) {
      start = placed[i].offset;
    }
  }
  for (i = 0; i < count; i++) {
    const uint64_t end = placed[i].offset - start + placed[i].size;
    if (placed[i].range != NULL && end > size && (end <= most || placed[i].offset == start)) {
      size = end;
    }
  }
  if (!webnn_vk__take_bytes(plan, NULL, size, &piece)) {
    return 0;
  }
  for (i = 0; i < count; i++) {
    const uint64_t offset = placed[i].offset - start;
    if (placed[i].range != NULL && offset + placed[i].size <= size) {
      *placed[i].range = piece;
      placed[i].range->offset += offset;
      placed[i].range->size = placed[i].size;
      placed[i].range->data = piece.data != NULL ? piece.data + offset : NULL;
      placed[i].range = NULL;
      found++;
    }
  }
  return found;
}

/* With the mutex: copies all constants; several values may have one block. */
static bool webnn_vk__take_constants(webnn_vk__plan *plan) {
  const webnn__value *values = plan->program->values;
  uint32_t i, j;
  for (i = 0; i < plan->program->value_count; i++) {
    const webnn__block *block = values[i].constant;
    if (block == NULL) {
      continue;
    }
    for (j = 0; values[j].constant != block; j++) {
    }
    if (j < i) {
      plan->ranges[i] = plan->ranges[j];
    } else if (webnn_vk__take_bytes(plan, block->memory, block->byte_length, &plan->ranges[i])) {
      plan->used.constants += block->borrowed ? 0 : block->byte_length;
    } else {
      return false;
    }
  }
  return true;
}

/* With the mutex: takes the memory of a plan. */
static bool webnn_vk__take_memory(webnn_vk__plan *plan) {
  const uint64_t values = plan->program->value_count, nodes = plan->program->node_count;
  webnn_vk__planner *planner = &plan->planner;
  webnn_vk__placed *placed = WEBNN_VK__TAKE(&plan->memory, webnn_vk__placed, values + nodes);
  uint32_t count, left, taken = 1;
  plan->ranges = WEBNN_VK__TAKE(&plan->memory, webnn_vk__range, values + nodes);
  plan->owned = WEBNN_VK__TAKE(&plan->memory, webnn_vk__range, values + nodes + 1);
  if (placed == NULL || plan->ranges == NULL || plan->owned == NULL) {
    return webnn_vk__lacks_memory(&plan->gpu->call);
  }
  plan->scratch = plan->ranges + values;
  plan->used.arena = plan->placing.size;
  plan->used.intermediates = plan->placing.unshared_size;
  webnn_vk__look(plan->gpu);
  count = webnn_vk__list_placed(plan, placed);
  for (left = count; left > 0 && taken > 0; left -= taken) {
    taken = webnn_vk__take_piece(plan, placed, count);
  }
  return taken > 0 &&
         (planner->parameter_count == 0 ||
          webnn_vk__take_bytes(plan, planner->parameters, planner->parameter_count * 4,
                               &plan->parameters)) &&
         webnn_vk__take_constants(plan);
}

/* With the mutex: what is known of the kernels of a plan. */
static void webnn_vk__set_paces(webnn_vk__plan *plan) {
  uint32_t i;
  for (i = 0; i < plan->planner.kernel_count; i++) {
    const webnn_vk__pipeline *p = plan->pipelines[i];
    plan->paces[i].nanoseconds =
        p != NULL && p->cost > 0.0 ? p->nanoseconds / p->cost : 1.0 / plan->gpu->assumed_speed;
  }
}

static webnn_status webnn_vk__make_plan(webnn_vk__gpu *gpu, const webnn__program *program,
                                        uint32_t disabled_passes, webnn_vk__plan **made,
                                        webnn_error *error) {
  webnn_vk__plan *plan = WEBNN_VK__NEW(gpu->allocator, webnn_vk__plan, 1);
  webnn_status status;
  bool rewritten;
  if (plan == NULL) {
    return webnn__out_of_memory(error, "build");
  }
  plan->gpu = gpu;
  plan->original = program;
  plan->memory.allocator = gpu->allocator;
  plan->planner.error = error;
  plan->rewriting.allocator = gpu->allocator;
  plan->rewriting.target = &gpu->target;
  plan->rewriting.disabled_passes = disabled_passes;
  plan->rewriting.program = program;
  plan->runs_to_time = gpu->submission_cost > 0 ? 0 : WEBNN_VK__TIMED_RUNS;
  rewritten = webnn__run_passes(&plan->rewriting) || webnn_vk__plan_lacks_memory(&plan->planner);
  plan->rewriting.target = NULL;
  plan->program = plan->rewriting.program;
  if (rewritten && webnn_vk__plan_nodes(plan, disabled_passes) && webnn_vk__order_steps(plan) &&
      webnn_vk__find_pipelines(plan)) {
    webnn_vk__lock(gpu, "build", error);
    if (webnn_vk__take_memory(plan)) {
      webnn__release_folded(&plan->rewriting);
    }
    plan->last_use = gpu->submitted; /* copies of constants */
    webnn_vk__set_paces(plan);
    plan->planner.status = webnn_vk__unlock(gpu);
  }
  status = plan->planner.status;
  plan->planner.error = NULL;
  if (status != WEBNN_OK) {
    webnn_vk__release_plan(gpu, plan);
    return status;
  }
  *made = plan;
  return WEBNN_OK;
}

static webnn_status webnn_vk__compile(void *device, const webnn__program *program, void **plan,
                                      webnn_error *error) {
  webnn_vk__gpu *gpu = (webnn_vk__gpu *)device;
  webnn_vk__plan *made;
  const webnn_status status =
      webnn_vk__make_plan(gpu, program, gpu->options->disabled_passes, &made, error);
  uint32_t i;
  if (status != WEBNN_OK) {
    return status;
  }
  for (i = 0; i < made->program->value_count; i++) {
    if (made->program->values[i].constant != NULL) {
      webnn__tell_taken(gpu->options, made->program->values[i].constant);
    }
  }
  *plan = made;
  return WEBNN_OK;
}

/* ---- Recording ------------------------------------------------------------------------------ */

/* What a recording is made of. */
typedef struct webnn_vk__recorder {
  webnn_vk__plan *plan;
  webnn_vk__storage *const *inputs, *const *outputs;
  VkCommandBuffer buffer;
  webnn_vk__range written[WEBNN_VK__RANGES], read[WEBNN_VK__RANGES]; /* since the last */
  uint32_t written_count, read_count;                                /* barrier */
} webnn_vk__recorder;

/* Where a value lies. */
static webnn_vk__range webnn_vk__where(const webnn_vk__recorder *r, uint32_t value) {
  const webnn_vk__plan *plan = r->plan;
  const uint32_t root = webnn__root(&plan->placing, value);
  const webnn__place *place = &plan->placing.places[root];
  webnn_vk__range range = place->kind == WEBNN__PLACE_INPUT    ? r->inputs[place->index]->range
                          : place->kind == WEBNN__PLACE_OUTPUT ? r->outputs[place->index]->range
                                                               : plan->ranges[root];
  range.size = webnn__round_up(webnn__value_bytes(&plan->program->values[value]), 16);
  return range;
}

/* Where an operand lies. */
static webnn_vk__range webnn_vk__place_operand(const webnn_vk__recorder *r,
                                               const webnn_vk__step *step,
                                               const webnn_vk__operand *operand) {
  const webnn_vk__plan *plan = r->plan;
  webnn_vk__range range = operand->kind == WEBNN_VK__VALUE     ? webnn_vk__where(r, operand->value)
                          : operand->kind == WEBNN_VK__SCRATCH ? plan->scratch[step->node]
                                                               : plan->parameters;
  range.offset += operand->offset;
  range.size = webnn_vk__bound_bytes(plan, operand);
  return range;
}

/* Is this range among those? */
static bool webnn_vk__overlaps(const webnn_vk__range *ranges, uint32_t count,
                               const webnn_vk__range *range) {
  uint32_t i;
  for (i = 0; i < count; i++) {
    if (ranges[i].buffer == range->buffer && ranges[i].offset < range->offset + range->size &&
        range->offset < ranges[i].offset + ranges[i].size) {
      return true;
    }
  }
  return false;
}

static void webnn_vk__put_barrier(webnn_vk__recorder *r) {
  webnn_vk__full_barrier(r->plan->gpu, r->buffer);
  r->written_count = r->read_count = 0;
}

/* Before a command that reads and writes these: a barrier if it needs one. */
static void webnn_vk__order(webnn_vk__recorder *r, const webnn_vk__range *ranges,
                            const bool *written, uint32_t count) {
  bool needed =
      r->written_count + count > WEBNN_VK__RANGES || r->read_count + count > WEBNN_VK__RANGES;
  uint32_t i;
  for (i = 0; i < count && !needed; i++) {
    needed = webnn_vk__overlaps(r->written, r->written_count, &ranges[i]) ||
             (written[i] && webnn_vk__overlaps(r->read, r->read_count, &ranges[i]));
  }
  if (needed) {
    webnn_vk__put_barrier(r);
  }
  for (i = 0; i < count; i++) {
    if (written[i]) {
      r->written[r->written_count++] = ranges[i];
    } else {
      r->read[r->read_count++] = ranges[i];
    }
  }
}

/* The descriptor sets of all steps. */
static bool webnn_vk__make_sets(webnn_vk__recorder *r, webnn_vk__recording *recording) {
  webnn_vk__gpu *gpu = r->plan->gpu;
  const webnn_vk__planner *planner = &r->plan->planner;
  const uint32_t count = planner->step_count;
  VkDescriptorPoolSize size = WEBNN_ZERO;
  WEBNN_VK__INFO(VkDescriptorPoolCreateInfo, info, DESCRIPTOR_POOL_CREATE_INFO);
  WEBNN_VK__INFO(VkDescriptorSetAllocateInfo, sets, DESCRIPTOR_SET_ALLOCATE_INFO);
  VkDescriptorSetLayout *layouts;
  uint32_t i;
  if (count == 0) {
    return true;
  }
  layouts = WEBNN_VK__TAKE(&recording->memory, VkDescriptorSetLayout, count);
  recording->sets = WEBNN_VK__TAKE(&recording->memory, VkDescriptorSet, count);
  if (layouts == NULL || recording->sets == NULL) {
    return webnn_vk__lacks_memory(&gpu->call);
  }
  size.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  for (i = 0; i < count; i++) {
    layouts[i] = gpu->set_layouts[planner->steps[i].operand_count];
    size.descriptorCount += planner->steps[i].operand_count;
  }
  info.maxSets = count;
  info.poolSizeCount = 1;
  info.pPoolSizes = &size;
  sets.descriptorSetCount = count;
  sets.pSetLayouts = layouts;
  if (!WEBNN_VK__MAKE(gpu, CreateDescriptorPool, &info, &recording->pool)) {
    return false;
  }
  sets.descriptorPool = recording->pool;
  return WEBNN_VK__DO(gpu, AllocateDescriptorSets, gpu->handle, &sets, recording->sets);
}

/* How long a submission may take: nanoseconds, or costs if the caller has limited these. */
static double webnn_vk__most_time(const webnn_vk__plan *plan) {
  return plan->gpu->submission_cost > 0 ? (double)plan->gpu->submission_cost
                                        : WEBNN_VK__SUBMISSION_TIME;
}

/* The size of each part, if `count` is cut into as few parts of at most `most` as do, all of about
   the same size. With a short last part all but one of a software driver's threads would have
   nothing to do: each gets as many neighbouring groups of a row, whether they are there or not. */
static uint64_t webnn_vk__even_part(uint64_t count, uint64_t most) {
  const uint64_t parts = (count - 1) / most + 1;
  return (count - 1) / parts + 1;
}

/* A step as rows of workgroups, so many of them in each part, which takes no longer than a
   submission may. Kernels number their groups along the rows and leave out those behind the last
   one, so a grid may have any width. */
typedef struct webnn_vk__grid {
  uint32_t width, rows, rows_each;
  double row_time;
} webnn_vk__grid;

static webnn_vk__grid webnn_vk__cut_step(const webnn_vk__plan *plan, const webnn_vk__step *step) {
  const uint64_t groups = (uint64_t)step->groups[0] * step->groups[1];
  const uint64_t least = (groups - 1) / plan->gpu->traits.max_groups[1] + 1;
  const double pace = plan->gpu->submission_cost > 0 ? 1.0 : plan->paces[step->kernel].nanoseconds;
  const double time = (double)step->cost * pace, most = webnn_vk__most_time(plan);
  const double fitting = time > most ? (double)groups * (most / time) : (double)groups;
  const uint64_t each =
      webnn_vk__even_part(groups, fitting > (double)least ? (uint64_t)fitting : least);
  webnn_vk__grid grid;
  grid.width = each < step->groups[0] ? (uint32_t)each : step->groups[0];
  grid.rows = (uint32_t)((groups - 1) / grid.width + 1);
  grid.rows_each = (uint32_t)webnn_vk__even_part(grid.rows, each / grid.width);
  grid.row_time = time / (double)grid.rows;
  return grid;
}

/* How many rows the part has that begins at row `first`. */
static uint32_t webnn_vk__part_rows(const webnn_vk__grid *grid, uint32_t first) {
  return grid->rows - first < grid->rows_each ? grid->rows - first : grid->rows_each;
}

/* The descriptors of a step, and before it a barrier if it needs one. */
static void webnn_vk__prepare_step(webnn_vk__recorder *r, const webnn_vk__recording *recording,
                                   uint32_t index) {
  const webnn_vk__gpu *gpu = r->plan->gpu;
  const webnn_vk__step *step = &r->plan->planner.steps[index];
  webnn_vk__range ranges[WEBNN_VK__OPERANDS];
  bool written[WEBNN_VK__OPERANDS];
  VkDescriptorBufferInfo buffers[WEBNN_VK__OPERANDS];
  WEBNN_VK__INFO(VkWriteDescriptorSet, write, WRITE_DESCRIPTOR_SET);
  uint32_t i;
  for (i = 0; i < step->operand_count; i++) {
    ranges[i] = webnn_vk__place_operand(r, step, &step->operands[i]);
    written[i] = step->operands[i].written;
    buffers[i].buffer = ranges[i].buffer;
    buffers[i].offset = ranges[i].offset;
    buffers[i].range = ranges[i].size;
  }
  write.dstSet = recording->sets[index];
  write.descriptorCount = step->operand_count;
  write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  write.pBufferInfo = buffers;
  if (step->operand_count > 0) {
    gpu->f->UpdateDescriptorSets(gpu->handle, 1, &write, 0, NULL);
  }
  webnn_vk__order(r, ranges, written, step->operand_count);
}

/* Some rows of a step. */
static void webnn_vk__record_rows(const webnn_vk__recorder *r, const webnn_vk__recording *recording,
                                  uint32_t index, const webnn_vk__grid *grid, uint32_t first) {
  const webnn_vk__gpu *gpu = r->plan->gpu;
  const webnn_vk__functions *f = gpu->f;
  const webnn_vk__step *step = &r->plan->planner.steps[index];
  const VkPipelineLayout layout = gpu->layouts[step->operand_count];
  const uint32_t rows = webnn_vk__part_rows(grid, first);
  f->CmdBindPipeline(r->buffer, VK_PIPELINE_BIND_POINT_COMPUTE,
                     r->plan->pipelines[step->kernel]->handle);
  f->CmdBindDescriptorSets(r->buffer, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1,
                           &recording->sets[index], 0, NULL);
  if (step->push_count > 0) {
    f->CmdPushConstants(r->buffer, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, step->push_count * 4,
                        step->push);
  }
  if (first == 0) { /* the validation layer does not see dispatches with a base */
    f->CmdDispatch(r->buffer, grid->width, rows, step->groups[2]);
  } else {
    f->CmdDispatchBase(r->buffer, 0, first, 0, grid->width, rows, step->groups[2]);
  }
}

static void webnn_vk__record_copy(webnn_vk__recorder *r, const webnn_vk__range *from,
                                  const webnn_vk__range *to, uint64_t size) {
  static const bool written[2] = {false, true};
  webnn_vk__range ranges[2];
  ranges[0] = *from;
  ranges[1] = *to;
  webnn_vk__order(r, ranges, written, 2);
  webnn_vk__copy_range(r->plan->gpu, r->buffer, from, 0, to, 0, size);
}

/* Donated inputs whose old values are needed once their tensors are written. */
static void webnn_vk__record_inputs(webnn_vk__recorder *r) {
  const webnn__program *program = r->plan->program;
  uint32_t i;
  for (i = 0; i < program->input_count; i++) {
    const webnn_vk__range range = webnn_vk__where(r, program->inputs[i].value);
    if (r->plan->placing.places[program->inputs[i].value].kind == WEBNN__PLACE_ARENA) {
      webnn_vk__record_copy(r, &r->inputs[i]->range, &range, r->inputs[i]->byte_length);
    }
  }
}

/* Outputs that were not computed where they are: further names of one value, inputs, constants; and
   what goes to memory of the caller. */
static void webnn_vk__record_outputs(webnn_vk__recorder *r) {
  const webnn__program *program = r->plan->program;
  uint32_t i;
  for (i = 0; i < program->output_count; i++) {
    const webnn_vk__range range = webnn_vk__where(r, program->outputs[i].value);
    const webnn_vk__range *output = &r->outputs[i]->range;
    if (range.buffer != output->buffer || range.offset != output->offset) {
      webnn_vk__record_copy(r, &range, output, r->outputs[i]->byte_length);
    }
  }
  for (i = 0; i < program->output_count; i++) {
    const webnn_vk__storage *output = r->outputs[i];
    if (output->download.buffer != VK_NULL_HANDLE) {
      webnn_vk__record_copy(r, &output->range, &output->download, output->byte_length);
    }
  }
}

/* Does a command buffer end behind the rows of a step that begin at `first`, since as many again
   would take too long? `time` is what it has so far. */
static bool webnn_vk__ends_buffer(const webnn_vk__plan *plan, webnn_vk__recording_kind kind,
                                  uint32_t index, const webnn_vk__grid *grid, uint32_t first,
                                  double *time) {
  const webnn_vk__step *step = &plan->planner.steps[index];
  const double part = grid->row_time * (double)webnn_vk__part_rows(grid, first);
  const bool last = grid->rows - first <= grid->rows_each;
  const bool ends_node = last && index + 1 == plan->first_steps[step->node + 1];
  const bool ends_all = last && index + 1 == plan->planner.step_count;
  *time += part;
  if ((*time + part <= webnn_vk__most_time(plan) || ends_all) &&
      !(ends_node && kind == WEBNN_VK__EACH_NODE)) {
    return false;
  }
  *time = 0.0;
  return true;
}

/* Returns how many command buffers there will be: one more than ends. `times`, if it is not NULL,
   gets what each is expected to take; with `factors`, by which the buffers of a run took longer
   than that, the paces get what their kernels took. */
static uint32_t webnn_vk__count_buffers(const webnn_vk__plan *plan, webnn_vk__recording_kind kind,
                                        double *times, const double *factors) {
  uint32_t count = 0, i, row;
  double time = 0.0;
  for (i = 0; i < plan->planner.step_count; i++) {
    const webnn_vk__step *step = &plan->planner.steps[i];
    const webnn_vk__grid grid = webnn_vk__cut_step(plan, step);
    webnn_vk__pace *pace = &plan->paces[step->kernel];
    for (row = 0; row < grid.rows; row += grid.rows_each) {
      const double part = grid.row_time * (double)webnn_vk__part_rows(&grid, row);
      if (times != NULL) {
        times[count] += part;
      }
      if (factors != NULL) {
        pace->run_cost += part / pace->nanoseconds;
        pace->run_nanoseconds += part * factors[count];
      }
      count += webnn_vk__ends_buffer(plan, kind, i, &grid, row, &time) ? 1 : 0;
    }
  }
  return count + 1;
}

/* Begins command buffer number `index`. */
static bool webnn_vk__begin_part(webnn_vk__recorder *r, const webnn_vk__recording *recording,
                                 uint32_t index) {
  r->buffer = recording->buffers[index];
  return webnn_vk__begin_buffer(r->plan->gpu, r->buffer,
                                VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
}

static void webnn_vk__stamp(const webnn_vk__recorder *r, VkQueryPool queries, uint32_t query) {
  r->plan->gpu->f->CmdWriteTimestamp(r->buffer, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries,
                                     query);
}

static void webnn_vk__start_stamps(const webnn_vk__recorder *r, VkQueryPool queries,
                                   uint32_t count) {
  r->plan->gpu->f->CmdResetQueryPool(r->buffer, queries, 0, count);
  webnn_vk__stamp(r, queries, 0);
}

/* Ends command buffer number `index`. */
static bool webnn_vk__end_part(const webnn_vk__recorder *r, const webnn_vk__recording *recording,
                               uint32_t index) {
  webnn_vk__host_barrier(r->plan->gpu, r->buffer);
  if (recording->queries != VK_NULL_HANDLE) {
    webnn_vk__stamp(r, recording->queries, index + 1);
  }
  return WEBNN_VK__DO(r->plan->gpu, EndCommandBuffer, r->buffer);
}

/* One step; where it takes too long, in several command buffers. Its parts do not need each other,
   so there is no barrier between them. */
static bool webnn_vk__record_step(webnn_vk__recorder *r, webnn_vk__recording *recording,
                                  uint32_t index, uint32_t *buffer, double *time) {
  const webnn_vk__step *step = &r->plan->planner.steps[index];
  const webnn_vk__grid grid = webnn_vk__cut_step(r->plan, step);
  uint32_t row;
  webnn_vk__prepare_step(r, recording, index);
  for (row = 0; row < grid.rows; row += grid.rows_each) {
    const bool last = grid.rows - row <= grid.rows_each;
    webnn_vk__record_rows(r, recording, index, &grid, row);
    if (recording->kind == WEBNN_VK__TIMED && last &&
        index + 1 == r->plan->first_steps[step->node + 1]) {
      webnn_vk__put_barrier(r);
      webnn_vk__stamp(r, r->plan->queries, step->node + 1);
    }
    recording->nodes[*buffer] = step->node;
    if (webnn_vk__ends_buffer(r->plan, recording->kind, index, &grid, row, time)) {
      if (!webnn_vk__end_part(r, recording, *buffer) ||
          !webnn_vk__begin_part(r, recording, ++*buffer)) {
        return false;
      }
      if (last) {
        webnn_vk__put_barrier(r);
      }
    }
  }
  return true;
}

/* All steps, into command buffers. */
static bool webnn_vk__record_steps(webnn_vk__recorder *r, webnn_vk__recording *recording) {
  double time = 0.0;
  uint32_t buffer = 0, i;
  if (!webnn_vk__begin_part(r, recording, 0)) {
    return false;
  }
  webnn_vk__put_barrier(r);
  if (recording->kind == WEBNN_VK__TIMED) {
    webnn_vk__start_stamps(r, r->plan->queries, r->plan->program->node_count + 1);
  } else if (recording->queries != VK_NULL_HANDLE) {
    webnn_vk__start_stamps(r, recording->queries, recording->buffer_count + 1);
  }
  webnn_vk__record_inputs(r);
  for (i = 0; i < r->plan->planner.step_count; i++) {
    if (!webnn_vk__record_step(r, recording, i, &buffer, &time)) {
      return false;
    }
  }
  recording->nodes[buffer] = WEBNN__NONE;
  webnn_vk__record_outputs(r);
  return webnn_vk__end_part(r, recording, buffer);
}

/* The number of tensor `i`, inputs before outputs. */
static uint64_t webnn_vk__tensor_number(const webnn_vk__recorder *r, uint32_t i) {
  const uint32_t inputs = r->plan->program->input_count;
  return i < inputs ? r->inputs[i]->number : r->outputs[i - inputs]->number;
}

/* With the mutex: makes a place for the time stamps of a recording, if its runs are to be timed by
   the device's clock. Without them the host's has to do. */
static void webnn_vk__take_queries(const webnn_vk__plan *plan, webnn_vk__recording *recording) {
  const webnn_vk__gpu *gpu = plan->gpu;
  WEBNN_VK__INFO(VkQueryPoolCreateInfo, info, QUERY_POOL_CREATE_INFO);
  info.queryType = VK_QUERY_TYPE_TIMESTAMP;
  info.queryCount = recording->buffer_count + 1;
  if (recording->kind == WEBNN_VK__WHOLE && plan->runs_to_time > 0 && gpu->timestamp_bits > 0 &&
      gpu->f->CreateQueryPool(gpu->handle, &info, NULL, &recording->queries) != VK_SUCCESS) {
    recording->queries = VK_NULL_HANDLE;
  }
}

/* With the mutex: records a run over these tensors. */
static bool webnn_vk__record(webnn_vk__recorder *r, webnn_vk__recording_kind kind,
                             webnn_vk__recording *recording) {
  webnn_vk__gpu *gpu = r->plan->gpu;
  const webnn__program *program = r->plan->program;
  const uint32_t tensors = program->input_count + program->output_count;
  const uint64_t count = webnn_vk__count_buffers(r->plan, kind, NULL, NULL);
  uint32_t i;
  recording->kind = kind;
  recording->memory.allocator = gpu->allocator;
  recording->numbers = WEBNN_VK__TAKE(&recording->memory, uint64_t, tensors);
  recording->buffers = WEBNN_VK__TAKE(&recording->memory, VkCommandBuffer, count);
  recording->nodes = WEBNN_VK__TAKE(&recording->memory, uint32_t, count);
  recording->buffer_count = (uint32_t)count;
  if (recording->numbers == NULL || recording->buffers == NULL || recording->nodes == NULL) {
    webnn_vk__release_recording(gpu, recording);
    return webnn_vk__lacks_memory(&gpu->call);
  }
  for (i = 0; i < tensors; i++) {
    recording->numbers[i] = webnn_vk__tensor_number(r, i);
  }
  webnn_vk__take_queries(r->plan, recording);
  if (!webnn_vk__new_buffers(gpu, recording->buffer_count, recording->buffers) ||
      !webnn_vk__make_sets(r, recording) || !webnn_vk__record_steps(r, recording)) {
    webnn_vk__release_recording(gpu, recording);
    return false;
  }
  return true;
}

/* Was this recorded for these tensors? */
static bool webnn_vk__is_for(const webnn_vk__recorder *r, webnn_vk__recording_kind kind,
                             const webnn_vk__recording *recording) {
  const uint32_t tensors = r->plan->program->input_count + r->plan->program->output_count;
  uint32_t i = 0;
  if (recording->numbers == NULL || recording->kind != kind) {
    return false;
  }
  while (i < tensors && recording->numbers[i] == webnn_vk__tensor_number(r, i)) {
    i++;
  }
  return i == tensors;
}

/* With the mutex: the recording of a run over these tensors; a new one takes the place of
   that which was not used for the longest time, once it is not under way any more. NULL
   after an error. */
static webnn_vk__recording *webnn_vk__get_recording(webnn_vk__recorder *r,
                                                    webnn_vk__recording_kind kind) {
  webnn_vk__plan *plan = r->plan;
  webnn_vk__recording *oldest = &plan->recordings[0];
  uint32_t i;
  for (i = 0; i < WEBNN_VK__RECORDINGS; i++) {
    webnn_vk__recording *kept = &plan->recordings[i];
    if (kept->outdated && kept->last_use <= plan->gpu->completed) {
      webnn_vk__release_recording(plan->gpu, kept);
    }
    if (webnn_vk__is_for(r, kind, kept)) {
      return kept;
    }
    if (oldest->numbers != NULL && (kept->numbers == NULL || kept->last_use < oldest->last_use)) {
      oldest = kept;
    }
  }
  if (oldest->numbers != NULL) {
    if (!webnn_vk__wait_for(plan->gpu, oldest->last_use)) {
      return NULL;
    }
    webnn_vk__release_recording(plan->gpu, oldest);
  }
  return webnn_vk__record(r, kind, oldest) ? oldest : NULL;
}

/* ---- Runs ----------------------------------------------------------------------------------- */

/* With the mutex: inputs over memory of the caller are copied from there. */
static bool webnn_vk__bring_inputs(const webnn_vk__recorder *r) {
  webnn_vk__gpu *gpu = r->plan->gpu;
  uint32_t i;
  for (i = 0; i < r->plan->program->input_count; i++) {
    webnn_vk__storage *input = r->inputs[i];
    if (input->memory == NULL || input->stale) {
      continue; /* if it is stale, the device has what is newer */
    }
    if (input->range.data != NULL && input->last_use <= gpu->completed) {
      memcpy(input->range.data, input->memory, (size_t)input->byte_length);
    } else if (webnn_vk__write_bytes(gpu, &input->range, input->memory, input->byte_length)) {
      input->last_use = gpu->submitted;
    } else {
      return false;
    }
  }
  return true;
}

/* With the mutex: command buffer `index` of a recording goes to the queue. */
static bool webnn_vk__submit_part(webnn_vk__plan *plan, webnn_vk__recording *recording,
                                  uint32_t index) {
  webnn_vk__gpu *gpu = plan->gpu;
  if (!webnn_vk__submit(gpu, webnn_vk__new_submission(gpu), &recording->buffers[index], 1, NULL)) {
    return false;
  }
  recording->last_use = plan->last_use = gpu->submitted;
  return true;
}

/* After all was submitted: the tensors are in use until then. */
static void webnn_vk__mark_used(const webnn_vk__recorder *r) {
  webnn_vk__gpu *gpu = r->plan->gpu;
  uint32_t i;
  for (i = 0; i < r->plan->program->input_count; i++) {
    r->inputs[i]->last_use = gpu->submitted;
  }
  for (i = 0; i < r->plan->program->output_count; i++) {
    webnn_vk__storage *output = r->outputs[i];
    output->last_use = gpu->submitted;
    if (output->memory != NULL && !output->stale) {
      output->stale = true;
      output->next_stale = gpu->stale;
      gpu->stale = output;
    }
  }
}

/* Shows output `i` of a node, which has completed, to the caller. */
static bool webnn_vk__show(const webnn_vk__recorder *r, uint32_t index, uint32_t i) {
  const webnn_vk__plan *plan = r->plan;
  webnn_vk__gpu *gpu = plan->gpu;
  const webnn__node *node = &plan->program->nodes[index];
  const webnn__value *value = &plan->program->values[node->outputs[i]];
  const webnn_vk__range range = webnn_vk__where(r, node->outputs[i]);
  const webnn_vk__request call = gpu->call;
  webnn_tapped_value tapped;
  char name[16];
  webnn__text text = webnn_vk__begin_name(name, sizeof name);
  void *data;
  bool done;
  webnn__put_string(&text, "%");
  webnn__put_u64(&text, node->outputs[i]);
  tapped.name = value->name != NULL ? value->name : webnn_vk__end_name(&text);
  tapped.op_name = webnn_op_name(node->op);
  tapped.label = node->label;
  tapped.operator_index = index;
  tapped.output_index = i;
  tapped.descriptor.data_type = value->data_type;
  tapped.descriptor.shape = webnn__list_of(&value->shape);
  tapped.byte_length = (size_t)webnn__value_bytes(value);
  tapped.data = data = webnn__allocate_aligned(gpu->allocator, tapped.byte_length);
  if (data == NULL) {
    return webnn_vk__lacks_memory(&gpu->call);
  }
  done = webnn_vk__read_bytes(gpu, &range, data, tapped.byte_length);
  if (done) {
    webnn__mutex_unlock(&gpu->mutex);
    plan->tap(plan->tap_user, &tapped);
    webnn__mutex_lock(&gpu->mutex);
    gpu->call = call;
  }
  webnn__release_aligned(gpu->allocator, data);
  return done;
}

/* With the mutex: runs node by node, and shows or measures each. */
static bool webnn_vk__run_each(webnn_vk__recorder *r, webnn_vk__recording *recording) {
  webnn_vk__plan *plan = r->plan;
  uint32_t part = 0, i, output;
  for (i = 0; i < plan->program->node_count; i++) {
    const uint64_t start = webnn__clock();
    uint64_t end;
    for (; recording->nodes[part] == i; part++) {
      if (!webnn_vk__submit_part(plan, recording, part)) {
        return false;
      }
    }
    if (!webnn_vk__wait_for(plan->gpu, plan->last_use)) {
      return false;
    }
    end = webnn__clock();
    if (plan->tap == NULL) {
      plan->measured[i].calls++;
      plan->measured[i].nanoseconds += end > start ? end - start : 0;
    }
    for (output = 0; plan->tap != NULL && output < plan->program->nodes[i].output_count; output++) {
      if (!webnn_vk__show(r, i, output)) {
        return false;
      }
    }
  }
  return webnn_vk__submit_part(plan, recording, part);
}

/* Nanoseconds between two time stamps, the second of which may have begun again at 0. */
static double webnn_vk__elapsed(const webnn_vk__gpu *gpu, uint64_t from, uint64_t to) {
  const uint32_t bits = gpu->timestamp_bits;
  const uint64_t mask = bits < 64 ? ((uint64_t)1 << bits) - 1 : UINT64_MAX;
  return (double)((to - from) & mask) * (double)gpu->timestamp_period;
}

/* A time stamp of work that has completed. */
static VkResult webnn_vk__read_stamp(const webnn_vk__gpu *gpu, VkQueryPool queries, uint32_t query,
                                     uint64_t *stamp) {
  return gpu->f->GetQueryPoolResults(gpu->handle, queries, query, 1, sizeof *stamp, stamp,
                                     sizeof *stamp,
                                     VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
}

/* With the mutex, after a timed run: waits for it and adds up what its time stamps say. */
static bool webnn_vk__add_times(webnn_vk__plan *plan) {
  webnn_vk__gpu *gpu = plan->gpu;
  uint64_t last = 0;
  uint32_t i;
  if (!webnn_vk__wait_for(gpu, gpu->submitted)) {
    return false;
  }
  for (i = 0; i <= plan->program->node_count; i++) {
    uint64_t now = last;
    if ((i == 0 || plan->first_steps[i] > plan->first_steps[i - 1]) &&
        !webnn_vk__must_work(gpu, "vkGetQueryPoolResults",
                             webnn_vk__read_stamp(gpu, plan->queries, i, &now))) {
      return false;
    }
    if (i > 0) {
      plan->measured[i - 1].calls++;
      plan->measured[i - 1].nanoseconds += (uint64_t)webnn_vk__elapsed(gpu, last, now);
    }
    last = now;
  }
  return true;
}

/* ---- How long submissions take --------------------------------------------------------------

   The cost of a step is an estimate, and devices differ by a factor of thousands. So the first run
   of a plan, cut for a slow device, is timed: its time stamps say what each command buffer took,
   which its kernels share by their costs. Without a clock of the device, or with one that is wrong,
   the time from submission until the host finds the run completed stands for it. That is never too
   short, and the shortest of a few runs is kept. Later recordings are cut by what was measured. All
   of this is with the mutex. */

/* Sets factors, by which the buffers of the watched run took longer than expected, by the device's
   clock; false if it is wrong: it stands, it is ahead of the host's, or it cannot be read. */
static bool webnn_vk__read_factors(webnn_vk__gpu *gpu, double *factors) {
  const webnn_vk__watch *watch = &gpu->watch;
  const webnn_vk__recording *recording = watch->recording;
  const double longest = 2.0 * (double)(watch->end - watch->start) + 1e6;
  uint64_t last = 0, now = 0;
  double all = 0.0;
  VkResult result = webnn_vk__read_stamp(gpu, recording->queries, 0, &last);
  uint32_t i;
  for (i = 0; i < recording->buffer_count && result == VK_SUCCESS; i++) {
    double elapsed;
    result = webnn_vk__read_stamp(gpu, recording->queries, i + 1, &now);
    elapsed = webnn_vk__elapsed(gpu, last, now);
    all += elapsed;
    factors[i] = factors[i] > 0.0 ? elapsed / factors[i] : 1.0;
    last = now;
  }
  if (result == VK_ERROR_DEVICE_LOST) {
    return webnn_vk__lose(gpu, "vkGetQueryPoolResults", result);
  }
  return result == VK_SUCCESS && all > 0.0 && all <= longest;
}

/* By the host's clock. */
static void webnn_vk__share_factors(const webnn_vk__watch *watch, uint32_t count, double *factors) {
  double expected = 0.0;
  uint32_t i;
  for (i = 0; i < count; i++) {
    expected += factors[i];
  }
  for (i = 0; i < count; i++) {
    factors[i] = expected > 0.0 ? (double)(watch->end - watch->start + 1) / expected : 1.0;
  }
}

/* The kernels of the plan are as fast as they were in its run. */
static void webnn_vk__keep_paces(webnn_vk__plan *plan, bool by_host) {
  uint32_t i;
  for (i = 0; i < plan->planner.kernel_count; i++) {
    webnn_vk__pace *pace = &plan->paces[i];
    webnn_vk__pipeline *p = plan->pipelines[i];
    if (p != NULL && pace->run_cost > 0.0 &&
        (p->cost <= 0.0 ||
         (by_host ? pace->run_nanoseconds * p->cost < p->nanoseconds * pace->run_cost
                  : pace->run_cost >= p->cost))) {
      p->cost = pace->run_cost;
      p->nanoseconds = pace->run_nanoseconds;
    }
    pace->run_cost = pace->run_nanoseconds = 0.0;
  }
  webnn_vk__set_paces(plan);
  for (i = 0; i < WEBNN_VK__RECORDINGS; i++) {
    webnn_vk__recording *recording = &plan->recordings[i];
    recording->outdated =
        recording->numbers != NULL &&
        recording->buffer_count != webnn_vk__count_buffers(plan, recording->kind, NULL, NULL);
  }
}

/* If the watched run has completed, its plan learns from it. Without memory on the host, a later
   run will do. */
static void webnn_vk__learn(webnn_vk__gpu *gpu) {
  webnn_vk__plan *plan = gpu->watch.plan;
  uint32_t count;
  double *factors;
  bool by_device, again;
  if (plan == NULL || gpu->watch.end == 0) {
    return;
  }
  count = webnn_vk__count_buffers(plan, WEBNN_VK__WHOLE, NULL, NULL);
  factors = WEBNN_VK__NEW(gpu->allocator, double, count);
  if (factors == NULL) {
    memset(&gpu->watch, 0, sizeof gpu->watch);
    return;
  }
  (void)webnn_vk__count_buffers(plan, WEBNN_VK__WHOLE, factors, NULL);
  by_device = gpu->timestamp_bits > 0 && gpu->watch.recording->queries != VK_NULL_HANDLE &&
              gpu->watch.recording->buffer_count == count;
  if (by_device && !webnn_vk__read_factors(gpu, factors)) {
    by_device = false;
    gpu->timestamp_bits = 0;
    memset(factors, 0, count * sizeof *factors);
    (void)webnn_vk__count_buffers(plan, WEBNN_VK__WHOLE, factors, NULL);
  }
  if (!by_device) {
    webnn_vk__share_factors(&gpu->watch, count, factors);
  }
  (void)webnn_vk__count_buffers(plan, WEBNN_VK__WHOLE, NULL, factors);
  webnn__release(gpu->allocator, factors);
  webnn_vk__keep_paces(plan, !by_device);
  again = webnn_vk__count_buffers(plan, WEBNN_VK__WHOLE, NULL, NULL) < count;
  plan->runs_to_time = by_device ? (again ? 1 : 0) : plan->runs_to_time - 1;
  memset(&gpu->watch, 0, sizeof gpu->watch);
}

/* A run of a recording begins, and ends with the latest submission, or with a failure. */
static void webnn_vk__start_watch(webnn_vk__plan *plan, webnn_vk__recording *recording) {
  webnn_vk__watch *watch = &plan->gpu->watch;
  if (recording->kind == WEBNN_VK__WHOLE && plan->runs_to_time > 0 && watch->plan == NULL) {
    watch->plan = plan;
    watch->recording = recording;
    watch->last = UINT64_MAX;
    watch->start = webnn__clock();
    watch->end = 0;
  }
}

static void webnn_vk__end_watch(webnn_vk__gpu *gpu, const webnn_vk__recording *recording,
                                bool done) {
  if (gpu->watch.recording == recording && gpu->watch.last == UINT64_MAX) {
    gpu->watch.last = gpu->submitted;
    if (!done) {
      memset(&gpu->watch, 0, sizeof gpu->watch);
    }
  }
}

/* With the mutex. */
static void webnn_vk__run_recorded(webnn_vk__recorder *r) {
  webnn_vk__plan *plan = r->plan;
  const bool timed = plan->profiled && plan->tap == NULL;
  const webnn_vk__recording_kind kind =
      plan->tap != NULL ||
              (timed && (plan->queries == VK_NULL_HANDLE || plan->gpu->timestamp_bits == 0))
          ? WEBNN_VK__EACH_NODE
      : timed ? WEBNN_VK__TIMED
              : WEBNN_VK__WHOLE;
  webnn_vk__recording *recording = webnn_vk__get_recording(r, kind);
  bool done = recording != NULL && webnn_vk__bring_inputs(r);
  uint32_t i;
  if (done && kind == WEBNN_VK__EACH_NODE) {
    done = webnn_vk__run_each(r, recording);
  } else {
    if (done) {
      webnn_vk__start_watch(plan, recording);
    }
    for (i = 0; done && i < recording->buffer_count; i++) {
      done = webnn_vk__submit_part(plan, recording, i);
    }
    webnn_vk__end_watch(plan->gpu, recording, done);
  }
  webnn_vk__mark_used(r);
  if (done && kind == WEBNN_VK__TIMED) {
    (void)webnn_vk__add_times(plan);
  }
}

static webnn_status webnn_vk__run(void *device, void *pointer, void *const *inputs,
                                  void *const *outputs, webnn_error *error) {
  webnn_vk__gpu *gpu = (webnn_vk__gpu *)device;
  webnn_vk__plan *plan = (webnn_vk__plan *)pointer;
  webnn_vk__recorder recorder;
  recorder.plan = plan->tap != NULL && plan->untouched != NULL ? plan->untouched : plan;
  recorder.inputs = (webnn_vk__storage *const *)(const void *)inputs;
  recorder.outputs = (webnn_vk__storage *const *)(const void *)outputs;
  recorder.written_count = recorder.read_count = 0;
  webnn_vk__lock(gpu, "dispatch", error);
  webnn_vk__look(gpu);
  webnn_vk__learn(gpu);
  if (webnn_vk__not_lost(gpu)) {
    webnn_vk__run_recorded(&recorder);
  }
  return webnn_vk__unlock(gpu);
}

/* ---- Looking inside ------------------------------------------------------------------------- */

/* A tap sees every operator of the graph, so while there is one the graph runs as it was
   written. */
static webnn_status webnn_vk__tap(void *device, void *pointer, webnn_tap tap, void *user,
                                  webnn_error *error) {
  webnn_vk__gpu *gpu = (webnn_vk__gpu *)device;
  webnn_vk__plan *plan = (webnn_vk__plan *)pointer;
  if (tap != NULL && plan->rewriting.rewritten != NULL && plan->untouched == NULL) {
    const webnn_status status = webnn_vk__make_plan(
        gpu, plan->original, gpu->options->disabled_passes | WEBNN__REWRITING_PASSES,
        &plan->untouched, error);
    if (status != WEBNN_OK) {
      return status;
    }
  }
  plan->tap = tap;
  plan->tap_user = user;
  if (plan->untouched != NULL) {
    plan->untouched->tap = tap;
    plan->untouched->tap_user = user;
  }
  return WEBNN_OK;
}

/* Makes room for what is measured. */
static webnn_status webnn_vk__start_profile(webnn_vk__plan *plan, webnn_error *error) {
  webnn_vk__gpu *gpu = plan->gpu;
  const uint32_t count = plan->program->node_count;
  webnn_profiled_step *measured = WEBNN_VK__TAKE(&plan->memory, webnn_profiled_step, count);
  WEBNN_VK__INFO(VkQueryPoolCreateInfo, info, QUERY_POOL_CREATE_INFO);
  webnn_status status;
  uint32_t i;
  for (i = 0; measured != NULL && i < count; i++) {
    const webnn__node *node = &plan->program->nodes[i];
    const webnn__value *value = &plan->program->values[node->outputs[0]];
    char name[256];
    webnn__text text = webnn_vk__begin_name(name, sizeof name);
    webnn__name_step(node, &text);
    measured[i].op_name = webnn__arena_string(&plan->memory, webnn_vk__end_name(&text));
    measured[i].label = node->label;
    measured[i].result.data_type = value->data_type;
    measured[i].result.shape = webnn__list_of(&value->shape);
    if (measured[i].op_name == NULL) {
      measured = NULL;
    }
  }
  if (measured == NULL) {
    return webnn__out_of_memory(error, "profile");
  }
  info.queryType = VK_QUERY_TYPE_TIMESTAMP;
  info.queryCount = count + 1;
  webnn_vk__lock(gpu, "profile", error);
  if (webnn_vk__not_lost(gpu) && gpu->timestamp_bits > 0 && plan->queries == VK_NULL_HANDLE) {
    (void)WEBNN_VK__MAKE(gpu, CreateQueryPool, &info, &plan->queries);
  }
  status = webnn_vk__unlock(gpu);
  plan->measured = status == WEBNN_OK ? measured : NULL;
  return status;
}

static webnn_status webnn_vk__profile(void *device, void *pointer, bool on, webnn_error *error) {
  webnn_vk__plan *plan = (webnn_vk__plan *)pointer;
  uint32_t i;
  (void)device;
  if (on && plan->measured == NULL) {
    const webnn_status status = webnn_vk__start_profile(plan, error);
    if (status != WEBNN_OK) {
      return status;
    }
  }
  for (i = 0; on && i < plan->program->node_count; i++) {
    plan->measured[i].calls = plan->measured[i].nanoseconds = 0;
  }
  plan->profiled = on;
  return WEBNN_OK;
}

static size_t webnn_vk__profiled(void *device, const void *pointer, webnn_profiled_step *steps,
                                 size_t capacity) {
  const webnn_vk__plan *plan = (const webnn_vk__plan *)pointer;
  size_t count = 0;
  uint32_t i;
  (void)device;
  for (i = 0; i < plan->program->node_count; i++) {
    if (!webnn__is_view(&plan->placing, i)) {
      if (count < capacity) {
        steps[count] = plan->measured[i];
      }
      count++;
    }
  }
  return count;
}

/* The constants of the program, without the caller's, and what lies on the device for it. */
static webnn_memory webnn_vk__memory(void *device, const void *pointer) {
  (void)device;
  return ((const webnn_vk__plan *)pointer)->used;
}

/* ==============================================================================================
   9  the table that webnn.h calls, and the functions of the interface            >>vulkan_table
   ============================================================================================== */

/* Everything that was made, in the order in which it is not needed any more. Nothing
   is under way. */
static void webnn_vk__release_objects(webnn_vk__gpu *gpu) {
  const webnn_vk__functions *f = gpu->f;
  uint32_t i;
  while (gpu->spare != NULL) {
    webnn_vk__submission *next = gpu->spare->next;
    f->DestroyFence(gpu->handle, gpu->spare->fence, NULL);
    webnn__release(gpu->allocator, gpu->spare); /* its command buffer goes with the pool */
    gpu->spare = next;
  }
  for (i = 0; i <= WEBNN_VK__OPERANDS; i++) {
    f->DestroyPipelineLayout(gpu->handle, gpu->layouts[i], NULL);
    f->DestroyDescriptorSetLayout(gpu->handle, gpu->set_layouts[i], NULL);
  }
  f->DestroyPipelineCache(gpu->handle, gpu->cache, NULL);
  f->DestroySemaphore(gpu->handle, gpu->timeline, NULL);
  f->DestroyCommandPool(gpu->handle, gpu->pool, NULL);
  while (gpu->blocks != NULL) {
    webnn_vk__block *next = gpu->blocks->next;
    webnn_vk__release_block(gpu, gpu->blocks);
    gpu->blocks = next;
  }
}

static void webnn_vk__close(void *device) {
  webnn_vk__gpu *gpu = (webnn_vk__gpu *)device;
  if (gpu->loaded) {
    webnn_vk__lock(gpu, "wait", NULL);
    (void)webnn_vk__flush_waits(gpu);
    (void)webnn_vk__wait_for(gpu, gpu->submitted);
    webnn_vk__complete(gpu, UINT64_MAX); /* of a lost device, too, nothing is needed any more */
    (void)webnn_vk__unlock(gpu);
    webnn_vk__release_objects(gpu);
  }
  if (gpu->owned && gpu->f->DestroyDevice != NULL) {
    gpu->f->DestroyDevice(gpu->handle, NULL);
  }
  webnn_vk__close_instance(&gpu->instance);
  webnn__mutex_destroy(&gpu->mutex);
  webnn__release(gpu->allocator, gpu);
}

WEBNN_API const webnn_backend *webnn_vulkan_backend(void) {
  static const webnn_backend backend = {
      WEBNN__BACKEND_VERSION,
      "vulkan",
      true,
      false,
      webnn_vk__open,
      webnn_vk__close,
      webnn_vk__limits,
      webnn_vk__create_storage,
      webnn_vk__release_storage,
      webnn_vk__write_tensor,
      webnn_vk__read_tensor,
      webnn_vk__wait,
      webnn_vk__compile,
      webnn_vk__release_plan,
      webnn_vk__run,
      webnn_vk__tap,
      webnn_vk__profile,
      webnn_vk__profiled,
      webnn_vk__memory,
      NULL, /* undecided: there are no reference numerics */
      NULL, /* lacks_kernel: none does */
      NULL, /* print_steps */
  };
  return &backend;
}

/* ---- The interface -------------------------------------------------------------------------- */

/* The device of a context; NULL, and an error, if it is not one of Vulkan. */
static webnn_vk__gpu *webnn_vk__gpu_of(webnn_context *context, const char *method,
                                       webnn_error *error) {
  if (webnn__is_missing(context)) {
    (void)webnn__fail_missing(error, method, "context", context);
    return NULL;
  }
  if (context->backend != webnn_vulkan_backend()) {
    (void)webnn__fail(error, WEBNN_TYPE_ERROR, "%s: the context is not one of Vulkan", method);
    return NULL;
  }
  return (webnn_vk__gpu *)context->device;
}

static webnn_status webnn_vk__fail_place(webnn_error *error, const char *method) {
  return webnn__fail(error, WEBNN_TYPE_ERROR, "%s: there is no place for it", method);
}

WEBNN_API webnn_status webnn_vulkan_context_device(webnn_context *context,
                                                   webnn_vulkan_device *device,
                                                   webnn_error *error) {
  const webnn_vk__gpu *gpu = webnn_vk__gpu_of(context, "device", error);
  if (gpu == NULL) {
    return WEBNN_TYPE_ERROR;
  }
  if (device == NULL) {
    return webnn_vk__fail_place(error, "device");
  }
  *device = gpu->info;
  return WEBNN_OK;
}

WEBNN_API webnn_status webnn_vulkan_handles(webnn_context *context, VkInstance *instance,
                                            VkPhysicalDevice *physical_device, VkDevice *device,
                                            VkQueue *queue, uint32_t *queue_family,
                                            webnn_error *error) {
  const webnn_vk__gpu *gpu = webnn_vk__gpu_of(context, "handles", error);
  if (gpu == NULL) {
    return WEBNN_TYPE_ERROR;
  }
#define WEBNN_VK__GIVE(place, value)                                                               \
  if ((place) != NULL) {                                                                           \
    *(place) = value;                                                                              \
  }
  WEBNN_VK__GIVE(instance, gpu->instance.handle)
  WEBNN_VK__GIVE(physical_device, gpu->physical)
  WEBNN_VK__GIVE(device, gpu->handle)
  WEBNN_VK__GIVE(queue, gpu->queue)
  WEBNN_VK__GIVE(queue_family, gpu->queue_family)
#undef WEBNN_VK__GIVE
  return WEBNN_OK;
}

/* Is a part of a buffer one that a tensor can be over? */
static webnn_status webnn_vk__check_buffer(webnn_vk__gpu *gpu, VkBuffer buffer, uint64_t offset,
                                           uint64_t size, webnn_error *error) {
  VkMemoryRequirements needs = WEBNN_ZERO;
  if (buffer == VK_NULL_HANDLE) {
    return webnn__fail(error, WEBNN_TYPE_ERROR, "createTensor: the buffer is VK_NULL_HANDLE");
  }
  if (offset % gpu->traits.alignment != 0 || size % 16 != 0 || size == 0) {
    return webnn__fail(error, WEBNN_TYPE_ERROR,
                       "createTensor: the offset (%l) must be a multiple of %l, the size (%l) of "
                       "16",
                       offset, gpu->traits.alignment, size);
  }
  if (size > gpu->info.max_tensor_byte_length) {
    return webnn__fail(error, WEBNN_TYPE_ERROR,
                       "createTensor: %l bytes are more than the %l that %q binds", size,
                       gpu->info.max_tensor_byte_length, gpu->info.name);
  }
  gpu->f->GetBufferMemoryRequirements(gpu->handle, buffer, &needs);
  if (size > needs.size || offset > needs.size - size) {
    return webnn__fail(error, WEBNN_TYPE_ERROR,
                       "createTensor: the buffer has %l bytes, not %l behind offset %l", needs.size,
                       size, offset);
  }
  return WEBNN_OK;
}

WEBNN_API webnn_status webnn_vulkan_create_tensor(webnn_context *context,
                                                  webnn_tensor_descriptor descriptor,
                                                  VkBuffer buffer, uint64_t offset, uint64_t size,
                                                  webnn_tensor **tensor, webnn_error *error) {
  webnn_vk__gpu *gpu;
  webnn_vk__storage *storage;
  webnn_status status = webnn__check_tensor_place(context, "createTensor", tensor, error);
  gpu = status == WEBNN_OK ? webnn_vk__gpu_of(context, "createTensor", error) : NULL;
  if (gpu == NULL) {
    return WEBNN_TYPE_ERROR;
  }
  status = webnn_vk__check_buffer(gpu, buffer, offset, size, error);
  if (status != WEBNN_OK) {
    return status;
  }
  storage = WEBNN_VK__NEW(gpu->allocator, webnn_vk__storage, 1);
  if (storage == NULL) {
    return webnn__out_of_memory(error, "createTensor");
  }
  storage->range.buffer = buffer;
  storage->range.offset = offset;
  storage->range.size = size;
  webnn__mutex_lock(&gpu->mutex);
  storage->number = ++gpu->storages;
  webnn__mutex_unlock(&gpu->mutex);
  status = webnn__create_tensor_over_storage(context, descriptor, storage, size, tensor, error);
  if (status == WEBNN_OK) {
    storage->byte_length = webnn__tensor_bytes(*tensor);
  }
  return status;
}

WEBNN_API webnn_status webnn_vulkan_tensor_buffer(webnn_tensor *tensor, VkBuffer *buffer,
                                                  uint64_t *offset, uint64_t *size,
                                                  webnn_error *error) {
  const webnn_vk__storage *storage;
  webnn_context *context;
  webnn_status status = WEBNN_OK;
  if (webnn__is_missing(tensor)) {
    return webnn__fail_missing(error, "buffer", "tensor", tensor);
  }
  if (buffer == NULL || offset == NULL || size == NULL) {
    return webnn_vk__fail_place(error, "buffer");
  }
  context = tensor->resource.context;
  if (context->backend != webnn_vulkan_backend() || tensor->is_constant) {
    return webnn__fail(error, WEBNN_TYPE_ERROR, "buffer: the tensor is %s",
                       tensor->is_constant ? "constant" : "not one of Vulkan");
  }
  webnn__lock(context);
  if (tensor->resource.destroyed) {
    status = webnn__fail(error, WEBNN_INVALID_STATE_ERROR, "buffer: the tensor is destroyed");
  } else {
    storage = (const webnn_vk__storage *)tensor->storage;
    *buffer = storage->range.buffer;
    *offset = storage->range.offset;
    *size = webnn__round_up(storage->byte_length, 16);
  }
  webnn__unlock(context);
  return status;
}

/* Begins a call with semaphores: the device of a context that has timeline semaphores, its mutex
   held; or NULL, and an error. `given` is what the caller must not leave NULL, named `what`. */
static webnn_vk__gpu *webnn_vk__lock_timeline(webnn_context *context, const char *method,
                                              bool given, const char *what, webnn_status *status,
                                              webnn_error *error) {
  webnn_vk__gpu *gpu = webnn_vk__gpu_of(context, method, error);
  *status = WEBNN_TYPE_ERROR;
  if (gpu == NULL) {
    return NULL;
  }
  if (!gpu->has_timeline) {
    *status = webnn__fail(error, WEBNN_NOT_SUPPORTED_ERROR, "%s: %q has no timeline semaphores",
                          method, gpu->info.name);
  } else if (webnn__context_is_lost(context)) {
    *status = webnn__fail(error, WEBNN_INVALID_STATE_ERROR, "%s: the context is lost", method);
  } else if (!given) {
    *status = webnn__fail(error, WEBNN_TYPE_ERROR, "%s: %s", method, what);
  } else {
    webnn_vk__lock(gpu, method, error);
    return gpu;
  }
  return NULL;
}

WEBNN_API webnn_status webnn_vulkan_wait_semaphore(webnn_context *context, VkSemaphore semaphore,
                                                   uint64_t value, webnn_error *error) {
  webnn_status status;
  webnn_vk__gpu *gpu =
      webnn_vk__lock_timeline(context, "waitSemaphore", semaphore != VK_NULL_HANDLE,
                              "it is VK_NULL_HANDLE", &status, error);
  if (gpu == NULL) {
    return status;
  }
  if (gpu->wait_count < WEBNN_VK__WAITS || webnn_vk__flush_waits(gpu)) {
    gpu->waits[gpu->wait_count] = semaphore;
    gpu->wait_values[gpu->wait_count++] = value;
  }
  return webnn_vk__unlock(gpu);
}

WEBNN_API webnn_status webnn_vulkan_signal_semaphore(webnn_context *context, VkSemaphore semaphore,
                                                     uint64_t value, webnn_error *error) {
  const webnn_vk__semaphore signal = {semaphore, value};
  webnn_status status;
  webnn_vk__gpu *gpu =
      webnn_vk__lock_timeline(context, "signalSemaphore", semaphore != VK_NULL_HANDLE,
                              "it is VK_NULL_HANDLE", &status, error);
  if (gpu == NULL) {
    return status;
  }
  webnn_vk__look(gpu);
  if (webnn_vk__not_lost(gpu)) {
    (void)webnn_vk__submit(gpu, webnn_vk__new_submission(gpu), NULL, 0, &signal);
  }
  return webnn_vk__unlock(gpu);
}

WEBNN_API webnn_status webnn_vulkan_timeline(webnn_context *context, VkSemaphore *semaphore,
                                             uint64_t *value, webnn_error *error) {
  webnn_status status;
  webnn_vk__gpu *gpu =
      webnn_vk__lock_timeline(context, "timeline", semaphore != NULL && value != NULL,
                              "there is no place for it", &status, error);
  if (gpu == NULL) {
    return status;
  }
  *semaphore = gpu->timeline;
  *value = gpu->submitted;
  return webnn_vk__unlock(gpu);
}

/* With the mutex: copies the compiled kernels, of which there are *size bytes, and makes it the
   size of all. Meanwhile a graph that is being built may add some, which are left out. */
static bool webnn_vk__copy_cache(webnn_vk__gpu *gpu, void *data, size_t *size, size_t room) {
  const size_t head = sizeof(webnn_vk__cache_header);
  webnn_vk__cache_header header;
  VkResult result;
  if (data != NULL && (room < head || room - head < *size)) {
    return WEBNN_VK__FAIL(&gpu->call, WEBNN_TYPE_ERROR, "pipelineCache: it has %l bytes, not %l",
                          (uint64_t)(*size + head), (uint64_t)room);
  }
  if (data != NULL) {
    unsigned char *bytes = (unsigned char *)data + head;
    result = gpu->f->GetPipelineCacheData(gpu->handle, gpu->cache, size, bytes);
    if (result != VK_INCOMPLETE && !webnn_vk__works(gpu, "vkGetPipelineCacheData", result)) {
      return false;
    }
    header = webnn_vk__head_cache(bytes, *size, gpu->traits.tile_orders);
    memcpy(data, &header, head);
  }
  *size += head;
  return true;
}

WEBNN_API webnn_status webnn_vulkan_pipeline_cache(webnn_context *context, void *data, size_t *size,
                                                   webnn_error *error) {
  webnn_vk__gpu *gpu = webnn_vk__gpu_of(context, "pipelineCache", error);
  size_t needed = 0;
  if (gpu == NULL) {
    return WEBNN_TYPE_ERROR;
  }
  if (size == NULL) {
    return webnn_vk__fail_place(error, "pipelineCache");
  }
  webnn_vk__lock(gpu, "pipelineCache", error);
  if (WEBNN_VK__DO(gpu, GetPipelineCacheData, gpu->handle, gpu->cache, &needed, NULL) &&
      webnn_vk__copy_cache(gpu, data, &needed, *size)) {
    *size = needed;
  }
  return webnn_vk__unlock(gpu);
}

/* ---- Measuring tiles ---- */

/* A product that is measured: size x size results. */
typedef struct webnn_vk__trial {
  webnn_context *context;
  uint32_t kind, size, depth;
} webnn_vk__trial;

/* A factor of size x depth: an input, or of bytes a dequantized one, or constants. */
static webnn_operand *webnn_vk__trial_factor(const webnn_vk__trial *t, webnn_builder *b,
                                             const char *name, const void *weights) {
  static const webnn_data_type types[] = {WEBNN_FLOAT32, WEBNN_FLOAT16, WEBNN_INT8};
  static const float scale[1] = {1.0f};
  static const int8_t zero[1] = {0};
  webnn_operand_descriptor d = WEBNN_ZERO, one = WEBNN_ZERO;
  webnn_operand *x, *s;
  d.data_type = types[t->kind];
  d.shape = WEBNN_LIST(t->size, t->depth);
  x = weights != NULL ? webnn_constant(b, d, weights, (size_t)t->size * t->depth)
                      : webnn_input(b, name, d);
  if (t->kind < 2) {
    return x;
  }
  one.data_type = WEBNN_FLOAT32;
  one.shape = WEBNN_LIST(1, 1);
  s = webnn_constant(b, one, scale, sizeof scale);
  one.data_type = WEBNN_INT8;
  return webnn_dequantize_linear(b, x, s, webnn_constant(b, one, zero, sizeof zero), NULL);
}

static webnn_status webnn_vk__build_trial(const webnn_vk__trial *t, const void *weights,
                                          webnn_graph **graph) {
  webnn_gemm_options o = WEBNN_ZERO;
  webnn_named_operand y;
  webnn_builder *b = NULL;
  webnn_status status = webnn_create_builder(t->context, &b, NULL);
  if (status == WEBNN_OK) {
    webnn_operand *x = webnn_vk__trial_factor(t, b, "x", NULL);
    o.b_transpose = true;
    y.name = "y";
    y.operand = webnn_gemm(b, x, webnn_vk__trial_factor(t, b, "w", weights), &o);
    status = webnn_build(b, &y, 1, graph, NULL);
  }
  webnn_free_builder(b);
  return status;
}

static webnn_status webnn_vk__dispatch_trial(const webnn_vk__trial *t, webnn_graph *graph,
                                             const webnn_named_tensor *tensors) {
  const webnn_status status =
      webnn_dispatch(t->context, graph, tensors + 1, t->kind < 2 ? 2 : 1, tensors, 1, NULL);
  return status == WEBNN_OK ? webnn_wait(t->context, NULL) : status;
}

/* Nanoseconds in which a device that had nothing to do raises its clock. */
#define WEBNN_VK__WARM_UP 100000000

/* Nanoseconds of two runs, when the device is warm; UINT64_MAX: it cannot run. */
static uint64_t webnn_vk__run_trial(const webnn_vk__trial *t, webnn_graph *graph) {
  static const char *const names[3] = {"y", "x", "w"};
  const uint32_t count = t->kind < 2 ? 3 : 2;
  const uint64_t start = webnn__clock();
  webnn_named_tensor tensors[3];
  webnn_profiled_step steps[8];
  webnn_status status = WEBNN_OK;
  uint64_t all = 0;
  size_t i, step_count;
  memset(tensors, 0, sizeof tensors);
  for (i = 0; i < count && status == WEBNN_OK; i++) {
    tensors[i].name = names[i];
    status = webnn_create_graph_tensor(graph, names[i], &tensors[i].tensor, NULL);
  }
  while (status == WEBNN_OK && webnn__clock() - start < WEBNN_VK__WARM_UP) {
    status = webnn_vk__dispatch_trial(t, graph, tensors);
  }
  status = status == WEBNN_OK ? webnn_profile_graph(graph, true, NULL) : status;
  for (i = 0; i < 2 && status == WEBNN_OK; i++) {
    status = webnn_vk__dispatch_trial(t, graph, tensors);
  }
  step_count = status == WEBNN_OK ? webnn_graph_profile(graph, steps, 8) : 0;
  for (i = 0; i < step_count && i < 8; i++) {
    all += steps[i].nanoseconds;
  }
  for (i = 0; i < count; i++) {
    webnn_free_tensor(tensors[i].tensor);
  }
  return all > 0 ? all : UINT64_MAX;
}

/* The tiles of a kind of product, the fastest first, as bits of an order. */
static uint64_t webnn_vk__measure_tiles(const webnn_vk__trial *t, const void *weights) {
  webnn_vk__traits *traits = &((webnn_vk__gpu *)t->context->device)->traits;
  uint64_t times[WEBNN_VK__TILES], order = 0;
  uint32_t i, j;
  for (i = 0; i < WEBNN_VK__TILES; i++) {
    webnn_graph *graph = NULL;
    times[i] = UINT64_MAX;
    traits->trial = i + 1;
    if ((t->kind != 1 || i < WEBNN_VK__MATRIX_TILES) &&
        (t->kind > 0 || i >= WEBNN_VK__MATRIX_TILES) &&
        webnn_vk__build_trial(t, weights, &graph) == WEBNN_OK) {
      times[i] = webnn_vk__run_trial(t, graph);
    }
    webnn_free_graph(graph);
  }
  traits->trial = 0;
  for (i = 0; i < WEBNN_VK__TILES; i++) {
    uint32_t place = 0;
    for (j = 0; j < WEBNN_VK__TILES; j++) {
      place += times[j] < times[i] || (times[j] == times[i] && j < i);
    }
    order |= (uint64_t)i << 3 * place;
  }
  return order << 21 * t->kind;
}

/* Measures the tiles of all kinds of products that the device has. */
static webnn_status webnn_vk__measure(webnn_context *context, uint32_t size, uint32_t depth,
                                      webnn_error *error) {
  webnn_vk__gpu *gpu = (webnn_vk__gpu *)context->device;
  void *weights = webnn__allocate_zeroed(gpu->allocator, (uint64_t)size * depth);
  webnn_vk__trial t;
  uint64_t orders = 0;
  if (weights == NULL) {
    return webnn__out_of_memory(error, "tune");
  }
  t.context = context;
  t.size = size;
  t.depth = depth;
  for (t.kind = 0; t.kind < WEBNN_VK__PRODUCT_KINDS; t.kind++) {
    if (t.kind != 1 || gpu->traits.matrix_shape_count > 0) {
      orders |= webnn_vk__measure_tiles(&t, t.kind == 2 ? weights : NULL);
    }
  }
  webnn__release(gpu->allocator, weights);
  gpu->traits.tile_orders = orders;
  return webnn_wait(context, error);
}

WEBNN_API webnn_status webnn_vulkan_tune(webnn_context *context, webnn_error *error) {
  const webnn_vk__gpu *gpu = webnn_vk__gpu_of(context, "tune", error);
  if (gpu == NULL) {
    return WEBNN_TYPE_ERROR;
  }
  return gpu->traits.is_cpu || gpu->traits.tile_orders != 0
             ? webnn_wait(context, error)
             : webnn_vk__measure(context, 4096, 512, error);
}

/* ==============================================================================================
  10  the compiler of kernels                                                   >>vulkan_compiler

   Kernels are texts in a subset of GLSL 4.50, small enough to be compiled here while a graph is
   built, and SPIR-V for the driver comes out. Every text of the subset is one that any other GLSL
   compiler takes, too. The text is read once, from left to right, and instructions are written as
   it is read: there is no tree. Variables are memory with loads and stores; drivers make registers
   of them.

     kernel       #version 450 | #extension NAME : require | #define NAME tokens, to the line's end;
                  then declarations; the last is void main()
     declaration  layout(local_size_x = 64) in;
                  layout(std430, set = 0, binding = 1) [readonly] buffer NAME { T a[]; };
                  layout(push_constant) uniform NAME { T a; ... }; of numbers
                  shared T a; | const T a = constant; | T a; | a function, before its first use
     T            void bool int uint float; ivec2 ... uvec4, vec2 ...; with extensions float16_t,
                  f16vec2 and coopmat<T, scope, rows, columns, use>, also of int8_t; T[N] with
                  N constant, of one dimension, which may also stand behind the name
     function     T name(T a, out T b, inout T c) { statements }, one of each name; the last
                  statement returns a T, unless it is void
     statement    declaration of variables; expression; block; if else; for; return;
                  [[unroll]] and [[dont_unroll]] before a loop
     expression   = and op=; ?:; || && | ^ & == != < > <= >= << >> + - * / %, by
                  precedence; prefix - ! ~; postfix ++ [i] .x; calls; T(...) and
                  T[N](...), no constant; true, false, 12, 12u, 0x1f, 1.5, 1e-3
     built-in     the functions in the table webnn_vk__builtins; words and gl_ names in
                  webnn_vk__given_words

   It has what kernels and their tests use. What GLSL has besides is not part of the language, above
   all functions that drivers compute coarsely (exp, sin and the like: chapter 2 has its own) and
   implicit conversions, but for shifts by an int.

   Beyond what GLSL says: every arithmetic instruction on floats is decorated NoContraction, so that
   drivers neither fuse nor reorder; % of negative numbers is C's; functions that main does not
   reach are left out of the module; of `if (constant)`, ?:, && and || with a constant the dead side
   is checked but not compiled. The extension GL_KHR_cooperative_matrix makes the module one of the
   Vulkan memory model.

   Sections: the compiler's state and its errors; words of a module; tokens; types and constants;
   values; operators; built-in functions; expressions; declarations; statements; functions; the
   module.
   ============================================================================================== */

/* ---- State ----------------------------------------------------------------------------------

   One struct holds everything, all memory is in its arena or in its lists of words, and the first
   error is kept. After an error the text has no more tokens and no words are written, so all loops
   end soon; what is returned then means nothing. */

enum {
  WEBNN_VK__DEEPEST = 160,       /* statements and expressions within each other */
  WEBNN_VK__MACROS_DEEP = 16,    /* macros within each other */
  WEBNN_VK__LONGEST = 65000,     /* of an array: an instruction's length */
  WEBNN_VK__MOST_ARGUMENTS = 16, /* of a call */
  WEBNN_VK__HASHES = 512,        /* of the table of names */
  WEBNN_VK__INTERNED = 4096      /* of that of types and constants, of which half is used */
};

/* A type: what its elements are, how many are in a vector, and the length of an array, 0 for what
   is none. A cooperative matrix has the base of its components, MATRIX, the scope above 4 bits and
   the use above 18; and in place of the width the columns, and the rows above 16 bits. */
typedef struct webnn_vk__type {
  uint32_t base, width, length;
} webnn_vk__type;

enum { WEBNN_VK__VOID, WEBNN_VK__BOOL, WEBNN_VK__INT, WEBNN_VK__UINT, WEBNN_VK__HALF };
enum { WEBNN_VK__FLOAT = WEBNN_VK__HALF + 1, WEBNN_VK__BYTE, WEBNN_VK__MATRIX = 8 };
#define WEBNN_VK__ONE(base) webnn_vk__vector(WEBNN_VK__##base, 1)
#define WEBNN_VK__RUNTIME 0xffffffu /* the length of `T a[]` */

typedef struct webnn_vk__words {
  uint32_t *data;
  size_t count, room;
  size_t last; /* where its last instruction begins */
} webnn_vk__words;

typedef enum webnn_vk__value_kind {
  WEBNN_VK__RESULT,   /* of an instruction: id */
  WEBNN_VK__CONSTANT, /* known here: bits */
  WEBNN_VK__PLACE     /* in memory: a variable, what is selected from it */
} webnn_vk__value_kind;

/* What an expression is. */
typedef struct webnn_vk__value {
  webnn_vk__type type;
  webnn_vk__value_kind kind;
  uint32_t id;       /* of the result, or of the variable */
  uint32_t bits[4];  /* of a constant's components */
  uint32_t storage;  /* the storage class of the place */
  uint32_t chain[3]; /* ids: member, element, component */
  uint32_t chain_count;
  bool read_only;
} webnn_vk__value;

/* A variable or constant, in the scope where it is declared. */
typedef struct webnn_vk__symbol {
  struct webnn_vk__name *name;
  struct webnn_vk__symbol *outer;    /* what the name meant before */
  struct webnn_vk__symbol *previous; /* the last one declared before */
  uint32_t scope;                    /* how many are around it */
  webnn_vk__value value;
} webnn_vk__symbol;

typedef struct webnn_vk__function {
  struct webnn_vk__function *previous; /* the last one defined before */
  webnn_vk__type result;
  uint32_t id, parameter_count;
  webnn_vk__type parameters[WEBNN_VK__MOST_ARGUMENTS];
  uint32_t type_ids[WEBNN_VK__MOST_ARGUMENTS + 1]; /* of the result and the parameters */
  uint32_t copied_in, copied_out; /* a bit for each parameter: in or inout; out or inout */
  size_t begin, end;              /* its words in `functions` */
} webnn_vk__function;

/* What a word is to the language. */
typedef enum webnn_vk__word_kind {
  WEBNN_VK__FREE,     /* for names of the text */
  WEBNN_VK__RESERVED, /* for the grammar */
  WEBNN_VK__TYPE,     /* for this type */
  WEBNN_VK__BUILTIN,  /* number: where in the table of built-in functions */
  WEBNN_VK__INPUT,    /* what the device fills in: its type and number */
  WEBNN_VK__NUMBER    /* for this number, of this type */
} webnn_vk__word_kind;

/* All that a word of the text can mean; found by a hash table, once for each token. */
typedef struct webnn_vk__name {
  struct webnn_vk__name *next; /* with the same hash */
  const char *text;
  uint32_t length;
  webnn_vk__word_kind kind;
  webnn_vk__type type;
  uint32_t number;
  const char *macro, *macro_end; /* what it is defined as, or NULL */
  bool expanding;                /* the macro's text is being read */
  webnn_vk__symbol *symbol;
  const webnn_vk__function *function;
} webnn_vk__name;

enum { WEBNN_VK__END, WEBNN_VK__WORD, WEBNN_VK__LITERAL, WEBNN_VK__SIGN };
typedef struct webnn_vk__token {
  uint32_t kind; /* one of these */
  const char *text;
  uint32_t length;
  webnn_vk__name *name;                /* of a word */
  const struct webnn_vk__operator *op; /* of a sign, or NULL */
  uint32_t precedence;                 /* of the operator, or of op=; 0: it stands between none */
  webnn_vk__value value;               /* of a literal */
} webnn_vk__token;

typedef struct webnn_vk__source {
  const char *at, *end;
  webnn_vk__name *macro; /* NULL: the kernel's text, or a line of it */
} webnn_vk__source;

/* Where the function is written. After what is never run, all of this is what it was before. */
typedef struct webnn_vk__flow {
  webnn_vk__words body;
  uint32_t label;   /* of the block with which the words begin; 0: they are in no block of theirs */
  uint32_t block;   /* the label of the block that is being written */
  uint32_t effects; /* grows where something is written that must not be run in vain */
  bool terminated;  /* that block has its end, and what follows is never run */
} webnn_vk__flow;

typedef struct webnn_vk__compiler {
  const webnn_vk__compile_options *options;
  webnn_error *error;
  webnn_status status; /* of the first error */
  webnn__arena arena;
  /* the text */
  webnn_vk__source sources[WEBNN_VK__MACROS_DEEP];
  uint32_t source_count, line;
  webnn_vk__token token; /* the next one, which is not yet taken */
  webnn_vk__name *names[WEBNN_VK__HASHES], no_name;
  /* what is declared */
  webnn_vk__symbol *symbols;
  webnn_vk__function *functions_defined;
  uint32_t scope, depth, local_size;
  /* the function that is being read */
  const webnn_vk__function *function;
  webnn_vk__flow flow;
  /* the module */
  uint32_t last_id, glsl_set, entry_point, needed;
  webnn_vk__words decorations, globals, functions, parameters, variables, inputs;
  uint32_t interned[WEBNN_VK__INTERNED]; /* types and constants by hashes: where in `globals` + 1 */
  uint32_t interned_count;
} webnn_vk__compiler;

static webnn_vk__type webnn_vk__vector(uint32_t base, uint32_t width) {
  const webnn_vk__type type = {base, width, 0};
  return type;
}

static bool webnn_vk__same(webnn_vk__type a, webnn_vk__type b) {
  return a.base == b.base && a.width == b.width && a.length == b.length;
}

static bool webnn_vk__failed(const webnn_vk__compiler *c) {
  return c->status != WEBNN_OK;
}

/* The first error: no more tokens. */
static void webnn_vk__stop(webnn_vk__compiler *c, webnn_status status) {
  c->status = status;
  c->token.kind = WEBNN_VK__END;
  c->token.length = 0;
}

/* "kernel, line 3: ..." */
static void webnn_vk__complain(webnn_vk__compiler *c, const char *format, ...) {
  char message[200];
  va_list arguments;
  if (webnn_vk__failed(c)) {
    return;
  }
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  webnn_vk__stop(
      c, webnn__fail(c->error, WEBNN_OPERATION_ERROR, "kernel, line %u: %s", c->line, message));
}

static void webnn_vk__complain_of(webnn_vk__compiler *c, const webnn_vk__name *name,
                                  const char *what) {
  const int length = name->length < 40 ? (int)name->length : 40;
  webnn_vk__complain(c, "\"%.*s\" %s", length, name->text, what);
}

/* Complains unless something holds. */
static void webnn_vk__require(webnn_vk__compiler *c, const char *message, bool holds) {
  if (!holds) {
    webnn_vk__complain(c, "%s", message);
  }
}

/* The token is not what the grammar wants here. */
static void webnn_vk__expected(webnn_vk__compiler *c, const char *what) {
  const int length = c->token.length < 40 ? (int)c->token.length : 40;
  if (c->token.kind == WEBNN_VK__END) {
    webnn_vk__complain(c, "found the end, expected %s", what);
  } else {
    webnn_vk__complain(c, "found \"%.*s\", expected %s", length, c->token.text, what);
  }
}

/* Zeroed memory that stays until the kernel is compiled; NULL after an error. */
static void *webnn_vk__take(webnn_vk__compiler *c, uint64_t size) {
  void *memory = webnn_vk__failed(c) ? NULL : webnn__arena_take(&c->arena, size);
  if (memory == NULL && !webnn_vk__failed(c)) {
    webnn_vk__stop(c, webnn__out_of_memory(c->error, "kernel"));
  }
  return memory;
}

/* One level deeper; false, with an error, if that is too deep. c->depth-- comes in both cases. */
static bool webnn_vk__enter(webnn_vk__compiler *c) {
  webnn_vk__require(c, "this is nested too deeply", ++c->depth <= WEBNN_VK__DEEPEST);
  return !webnn_vk__failed(c);
}

/* ---- Words of a module ----------------------------------------------------------------------

   A module is a row of 32-bit words. Its sections are written side by side and put together at the
   end: decorations, globals (types, constants, variables of the module), functions; of the function
   that is being read the parameters, the variables, which must come first, and the body. An
   instruction's first word has its length and number, then come, where it has them, the ids of its
   type and result. */

/* Instructions of SPIR-V, with their numbers there; tables have others. */
/* clang-format off */
enum {
  /* Of a module. */
  WEBNN_SPIRV__EXTENSION = 10, WEBNN_SPIRV__EXT_INST_IMPORT = 11, WEBNN_SPIRV__MEMORY_MODEL = 14,
  WEBNN_SPIRV__ENTRY_POINT = 15, WEBNN_SPIRV__EXECUTION_MODE = 16, WEBNN_SPIRV__CAPABILITY = 17,
  WEBNN_SPIRV__DECORATE = 71, WEBNN_SPIRV__MEMBER_DECORATE = 72,
  /* Types. */
  WEBNN_SPIRV__TYPE_VOID = 19, WEBNN_SPIRV__TYPE_BOOL = 20, WEBNN_SPIRV__TYPE_INT = 21,
  WEBNN_SPIRV__TYPE_FLOAT = 22, WEBNN_SPIRV__TYPE_VECTOR = 23, WEBNN_SPIRV__TYPE_ARRAY = 28,
  WEBNN_SPIRV__TYPE_RUNTIME_ARRAY = 29, WEBNN_SPIRV__TYPE_STRUCT = 30,
  WEBNN_SPIRV__TYPE_POINTER = 32, WEBNN_SPIRV__TYPE_FUNCTION = 33,
  /* Constants. */
  WEBNN_SPIRV__CONSTANT_TRUE = 41, WEBNN_SPIRV__CONSTANT_FALSE = 42, WEBNN_SPIRV__CONSTANT = 43,
  WEBNN_SPIRV__CONSTANT_COMPOSITE = 44,
  /* Functions. */
  WEBNN_SPIRV__FUNCTION = 54, WEBNN_SPIRV__FUNCTION_PARAMETER = 55, WEBNN_SPIRV__FUNCTION_END = 56,
  WEBNN_SPIRV__FUNCTION_CALL = 57, WEBNN_SPIRV__RETURN = 253, WEBNN_SPIRV__RETURN_VALUE = 254,
  /* Blocks, and the ways between them. */
  WEBNN_SPIRV__PHI = 245, WEBNN_SPIRV__LOOP_MERGE = 246, WEBNN_SPIRV__SELECTION_MERGE = 247,
  WEBNN_SPIRV__LABEL = 248, WEBNN_SPIRV__BRANCH = 249, WEBNN_SPIRV__BRANCH_CONDITIONAL = 250,
  /* Memory and vectors. */
  WEBNN_SPIRV__VARIABLE = 59, WEBNN_SPIRV__LOAD = 61, WEBNN_SPIRV__STORE = 62,
  WEBNN_SPIRV__ACCESS_CHAIN = 65, WEBNN_SPIRV__CONSTRUCT = 80, WEBNN_SPIRV__EXTRACT = 81,
  /* Conversions. */
  WEBNN_SPIRV__F_TO_U = 109, WEBNN_SPIRV__F_TO_S = 110, WEBNN_SPIRV__S_TO_F = 111,
  WEBNN_SPIRV__U_TO_F = 112, WEBNN_SPIRV__F_CONVERT = 115, WEBNN_SPIRV__BITCAST = 124,
  /* Arithmetic of numbers and bools. */
  WEBNN_SPIRV__F_NEGATE = 127, WEBNN_SPIRV__F_ADD = 129, WEBNN_SPIRV__F_SUB = 131,
  WEBNN_SPIRV__F_MUL = 133, WEBNN_SPIRV__F_DIV = 136, WEBNN_SPIRV__EXT_INST = 12,
  WEBNN_SPIRV__S_NEGATE = 126, WEBNN_SPIRV__NOT = 200, WEBNN_SPIRV__LOGICAL_NOT = 168,
  WEBNN_SPIRV__LOGICAL_OR = 166, WEBNN_SPIRV__LOGICAL_AND = 167, WEBNN_SPIRV__SELECT = 169,
  /* Others. */
  WEBNN_SPIRV__ATOMIC_MAX = 239, WEBNN_SPIRV__ATOMIC_OR = 241, WEBNN_SPIRV__PACKED_DOT = 4450,
  WEBNN_SPIRV__TYPE_MATRIX = 4456, WEBNN_SPIRV__MATRIX_LOAD = 4457,
  WEBNN_SPIRV__MATRIX_STORE = 4458, WEBNN_SPIRV__MATRIX_MUL_ADD = 4459
};

/* Storage classes: where memory is. */
enum {
  WEBNN_VK__STORAGE_INPUT = 1, WEBNN_VK__STORAGE_SHARED = 4, WEBNN_VK__STORAGE_PRIVATE = 6,
  WEBNN_VK__STORAGE_FUNCTION = 7, WEBNN_VK__STORAGE_PUSH = 9, WEBNN_VK__STORAGE_BUFFER = 12
};

/* Decorations. */
enum {
  WEBNN_VK__IS_BLOCK = 2, WEBNN_VK__HAS_ARRAY_STRIDE = 6, WEBNN_VK__IS_INPUT = 11,
  WEBNN_VK__IS_NON_WRITABLE = 24, WEBNN_VK__HAS_BINDING = 33,
  WEBNN_VK__HAS_SET = 34, WEBNN_VK__HAS_OFFSET = 35, WEBNN_VK__NO_CONTRACTION = 42
};

/* Which invocations something is about. */
enum {
  WEBNN_VK__SCOPE_DEVICE = 1, WEBNN_VK__SCOPE_WORKGROUP = 2, WEBNN_VK__SCOPE_SUBGROUP = 3,
  WEBNN_VK__SCOPE_QUEUES = 5
};
/* clang-format on */

/* What a module can need of the device: a capability, the extension that it comes from, or NULL,
   and a bit for it. */
#define WEBNN_VK__CAPABILITIES(X)                                                                  \
  X(SHADERS, 1, NULL)                                                                              \
  X(HALF, 9, NULL)                                                                                 \
  X(SUBGROUPS, 61, NULL)                                                                           \
  X(SUBNORMALS, 4464, "SPV_KHR_float_controls")                                                    \
  X(PRESERVING, 4466, "SPV_KHR_float_controls")                                                    \
  X(ROUNDING, 4467, "SPV_KHR_float_controls")                                                      \
  X(VULKAN_MEMORY, 5345, "SPV_KHR_vulkan_memory_model")                                            \
  X(PACKED_DOTS, 6018, "SPV_KHR_integer_dot_product")                                              \
  X(DOTS, 6019, "SPV_KHR_integer_dot_product")                                                     \
  X(MATRICES, 6022, "SPV_KHR_cooperative_matrix")                                                  \
  X(BYTES, 39, NULL)
#define WEBNN_VK__NUMBER_OF(name, number, extension) WEBNN_VK__NUMBER_OF_##name,
#define WEBNN_VK__CAPABILITY(name, number, extension) {number, extension},
#define WEBNN_VK__NEEDS(name) ((uint32_t)1 << WEBNN_VK__NUMBER_OF_##name)

enum { WEBNN_VK__CAPABILITIES(WEBNN_VK__NUMBER_OF) WEBNN_VK__CAPABILITY_COUNT };
static const struct webnn_vk__capability {
  uint32_t number;
  const char *extension;
} webnn_vk__capabilities[] = {WEBNN_VK__CAPABILITIES(WEBNN_VK__CAPABILITY)};

static void webnn_vk__append(webnn_vk__compiler *c, webnn_vk__words *words, const uint32_t *data,
                             size_t count) {
  size_t room = words->room;
  uint32_t *longer;
  while (room - words->count < count) {
    room = room > 0 ? 2 * room : 64;
  }
  longer = room > words->room ? (uint32_t *)webnn_vk__take(c, (uint64_t)room * sizeof *data) : NULL;
  if (longer != NULL) {
    if (words->count > 0) {
      memcpy(longer, words->data, words->count * sizeof *data);
    }
    words->data = longer;
    words->room = room;
  }
  if (count > 0 && !webnn_vk__failed(c)) {
    memcpy(words->data + words->count, data, count * sizeof *data);
    words->count += count;
  }
}

/* An instruction with `count` operands, all uint32_t, result type and result among them. */
static void webnn_vk__write(webnn_vk__compiler *c, webnn_vk__words *words, uint32_t op,
                            uint32_t count, ...) {
  uint32_t all[8], i;
  va_list operands;
  all[0] = op | (count + 1) << 16;
  va_start(operands, count);
  for (i = 0; i < count; i++) {
    all[i + 1] = va_arg(operands, uint32_t);
  }
  va_end(operands);
  words->last = words->count;
  webnn_vk__append(c, words, all, count + 1);
}

/* More operands for the last instruction. */
static void webnn_vk__lengthen(webnn_vk__compiler *c, webnn_vk__words *words,
                               const uint32_t *operands, size_t count) {
  webnn_vk__append(c, words, operands, count);
  if (!webnn_vk__failed(c)) {
    words->data[words->last] += (uint32_t)count << 16;
  }
}

/* The same with operands that are a text: its bytes, the lowest first, and a zero. */
static void webnn_vk__lengthen_by_text(webnn_vk__compiler *c, webnn_vk__words *words,
                                       const char *text) {
  uint32_t packed[16] = {0}, i;
  for (i = 0; text[i] != 0; i++) {
    packed[i / 4] |= (uint32_t)(unsigned char)text[i] << i % 4 * 8;
  }
  webnn_vk__lengthen(c, words, packed, i / 4 + 1);
}

static uint32_t webnn_vk__new_id(webnn_vk__compiler *c) {
  return ++c->last_id;
}

/* An instruction with a result, of this type unless that is 0: its id. */
static uint32_t webnn_vk__instruct(webnn_vk__compiler *c, webnn_vk__words *words, uint32_t op,
                                   uint32_t type_id, const uint32_t *operands, size_t count) {
  const uint32_t id = webnn_vk__new_id(c), typed = type_id != 0;
  webnn_vk__write(c, words, op, 1 + typed, typed ? type_id : id, id);
  webnn_vk__lengthen(c, words, operands, count);
  return id;
}

static void webnn_vk__decorate_with(webnn_vk__compiler *c, uint32_t id, uint32_t decoration,
                                    uint32_t number) {
  webnn_vk__write(c, &c->decorations, WEBNN_SPIRV__DECORATE, 3, id, decoration, number);
}

/* The block ends with a jump, if it has no end yet. */
static void webnn_vk__branch(webnn_vk__compiler *c, uint32_t label) {
  if (!c->flow.terminated) {
    webnn_vk__write(c, &c->flow.body, WEBNN_SPIRV__BRANCH, 1, label);
    c->flow.terminated = true;
  }
}

/* A block begins, to which the one before leads if it has no end yet. */
static void webnn_vk__begin_block(webnn_vk__compiler *c, uint32_t label) {
  webnn_vk__branch(c, label);
  webnn_vk__write(c, &c->flow.body, WEBNN_SPIRV__LABEL, 1, label);
  c->flow.block = label;
  c->flow.terminated = false;
}

/* The block ends with a jump on one of two ways. */
static void webnn_vk__branch_on(webnn_vk__compiler *c, uint32_t condition_id, uint32_t if_true,
                                uint32_t if_false) {
  webnn_vk__write(c, &c->flow.body, WEBNN_SPIRV__BRANCH_CONDITIONAL, 3, condition_id, if_true,
                  if_false);
  c->flow.terminated = true;
}

/* What is written from now on goes to another flow, and what is written there now to this one. */
static void webnn_vk__swap_flow(webnn_vk__compiler *c, webnn_vk__flow *other) {
  const webnn_vk__flow written = c->flow;
  c->flow = *other;
  *other = written;
}

/* What another flow has is run here. */
static void webnn_vk__append_flow(webnn_vk__compiler *c, const webnn_vk__flow *other) {
  webnn_vk__append(c, &c->flow.body, other->body.data, other->body.count);
  c->flow.block = other->block;
  c->flow.effects += other->effects;
  c->flow.terminated = other->terminated;
}

/* ---- Tokens ---------------------------------------------------------------------------------

   webnn_vk__next makes the next token of the text. A word is looked up once, and its
   webnn_vk__name says all that it can mean. The text of a macro is read in its place. What the
   grammar wants is named by its text: accept(c, "for"), expect(c, "("). */

static bool webnn_vk__is_digit(char x) {
  return x >= '0' && x <= '9';
}

static bool webnn_vk__is_letter(char x) {
  return (x >= 'a' && x <= 'z') || (x >= 'A' && x <= 'Z') || x == '_';
}

/* The name that is written so, made if it is new; after an error the one for nothing. */
static webnn_vk__name *webnn_vk__find_name(webnn_vk__compiler *c, const char *text, size_t length) {
  webnn_vk__name **name = &c->names[webnn_vk__hash_text(text, length) % WEBNN_VK__HASHES];
  while (*name != NULL && ((*name)->length != length || memcmp((*name)->text, text, length) != 0)) {
    name = &(*name)->next;
  }
  if (*name == NULL) {
    *name = (webnn_vk__name *)webnn_vk__take(c, sizeof **name);
    if (*name != NULL) {
      (*name)->text = text;
      (*name)->length = (uint32_t)length;
    }
  }
  return *name != NULL ? *name : &c->no_name;
}

/* Letters and digits, which are behind the source then. */
static webnn_vk__name *webnn_vk__take_word(webnn_vk__compiler *c, webnn_vk__source *source) {
  const char *const text = source->at;
  while (source->at < source->end &&
         (webnn_vk__is_letter(*source->at) || webnn_vk__is_digit(*source->at))) {
    source->at++;
  }
  return webnn_vk__find_name(c, text, (size_t)(source->at - text));
}

/* A constant, all of whose components have these bits. */
static webnn_vk__value webnn_vk__of_bits(webnn_vk__type type, uint32_t bits) {
  webnn_vk__value value = WEBNN_ZERO;
  value.type = type;
  value.kind = WEBNN_VK__CONSTANT;
  value.bits[0] = value.bits[1] = value.bits[2] = value.bits[3] = bits;
  return value;
}

/* Digits, point, digits, exponent. strtof gets them without the point, whose sign depends on the
   program's locale, and with the exponent that makes up for it. */
static const char *webnn_vk__read_float(webnn_vk__compiler *c, const char *at) {
  const size_t before = strspn(at, "0123456789");
  const char *const fraction = at + before + (at[before] == '.');
  const size_t behind = fraction > at + before ? strspn(fraction, "0123456789") : 0;
  const char *end = fraction + behind;
  char digits[64], *exponent_end;
  long exponent = 0;
  if (*end == 'e' && strspn(end + 1, "+-0123456789") > 0) {
    exponent = strtol(end + 1, &exponent_end, 10);
    end = exponent_end > end + 1 ? exponent_end : end;
  }
  webnn_vk__require(c, "a number has too many digits",
                    before + behind <= 24 && exponent > -1000 && exponent < 1000);
  snprintf(digits, sizeof digits, "%.*s%.*se%ld", before < 24 ? (int)before : 24, at,
           behind < 24 ? (int)behind : 24, fraction, exponent - (long)behind);
  c->token.value =
      webnn_vk__of_bits(WEBNN_VK__ONE(FLOAT), webnn__bits_of_float(strtof(digits, NULL)));
  return end;
}

/* Texts and macros end with a sign that is in no number. */
static const char *webnn_vk__read_number(webnn_vk__compiler *c, const char *at) {
  const char after = at[strspn(at, "0123456789")];
  char *end;
  if (after == '.' || after == 'e') {
    at = webnn_vk__read_float(c, at);
  } else {
    const unsigned long long value = strtoull(at, &end, 0);
    webnn_vk__require(c, "a number is too large", value <= UINT32_MAX);
    c->token.value =
        webnn_vk__of_bits(*end == 'u' ? WEBNN_VK__ONE(UINT) : WEBNN_VK__ONE(INT), (uint32_t)value);
    at = end + (*end == 'u');
  }
  webnn_vk__require(c, "a number ends in something else",
                    !webnn_vk__is_letter(*at) && !webnn_vk__is_digit(*at));
  return at;
}

/* How closely some operators bind. */
enum { WEBNN_VK__ASSIGNMENTS = 1, WEBNN_VK__CHOICES = 2, WEBNN_VK__CONJUNCTIONS = 4 };
enum { WEBNN_VK__EQUALITIES = 8, WEBNN_VK__COMPARISONS = 9, WEBNN_VK__SHIFTS = 10 };
enum { WEBNN_VK__PREFIXES = 13 };

typedef struct webnn_vk__operator {
  const char *sign;
  uint8_t precedence; /* 0: it does not stand between operands */
  int16_t ops[4];     /* of floats, int, uint, bool; 0: there is none */
} webnn_vk__operator;

static const webnn_vk__operator webnn_vk__prefixes[] = {
    {"-", 0, {WEBNN_SPIRV__F_NEGATE, WEBNN_SPIRV__S_NEGATE, WEBNN_SPIRV__S_NEGATE, 0}},
    {"~", 0, {0, WEBNN_SPIRV__NOT, WEBNN_SPIRV__NOT, 0}},
    {"!", 0, {0, 0, 0, WEBNN_SPIRV__LOGICAL_NOT}}};

static const webnn_vk__operator webnn_vk__operators[] = {
    {"++", 0, {129, 128, 128, 0}},
    {"--", 0, {0, 0, 0, 0}}, /* in no expression, so that --x is not -(-x) */
    {"=", WEBNN_VK__ASSIGNMENTS, {0, 0, 0, 0}},
    {"?", WEBNN_VK__CHOICES, {0, 0, 0, 0}},
    {"||", 3, {0, 0, 0, WEBNN_SPIRV__LOGICAL_OR}},
    {"&&", WEBNN_VK__CONJUNCTIONS, {0, 0, 0, WEBNN_SPIRV__LOGICAL_AND}},
    {"|", 5, {0, 197, 197, 0}},
    {"^", 6, {0, 198, 198, 0}},
    {"&", 7, {0, 199, 199, 0}},
    {"==", WEBNN_VK__EQUALITIES, {180, 170, 170, 164}},
    {"!=", WEBNN_VK__EQUALITIES, {183, 171, 171, 165}},
    {"<", WEBNN_VK__COMPARISONS, {184, 177, 176, 0}},
    {">", WEBNN_VK__COMPARISONS, {186, 173, 172, 0}},
    {"<=", WEBNN_VK__COMPARISONS, {188, 179, 178, 0}},
    {">=", WEBNN_VK__COMPARISONS, {190, 175, 174, 0}},
    {"<<", WEBNN_VK__SHIFTS, {0, 196, 196, 0}},
    {">>", WEBNN_VK__SHIFTS, {0, 195, 194, 0}},
    {"+", 11, {129, 128, 128, 0}},
    {"-", 11, {131, 130, 130, 0}},
    {"*", 12, {133, 132, 132, 0}},
    {"/", 12, {136, 135, 134, 0}},
    {"%", 12, {0, 138, 137, 0}}};

static bool webnn_vk__compares(const webnn_vk__operator *op) {
  return op->precedence == WEBNN_VK__EQUALITIES || op->precedence == WEBNN_VK__COMPARISONS;
}

/* The longest sign that begins here; of `op=` the operator. */
static const char *webnn_vk__read_sign(webnn_vk__compiler *c, const char *at) {
  const webnn_vk__operator *op = NULL;
  size_t i;
  for (i = 0; i < sizeof webnn_vk__operators / sizeof *webnn_vk__operators; i++) {
    const char *sign = webnn_vk__operators[i].sign;
    if (sign[0] == at[0] && (sign[1] == at[1] || (sign[1] == 0 && op == NULL))) {
      op = &webnn_vk__operators[i];
    }
  }
  c->token.op = op;
  if (op == NULL) {
    if (strchr("!~;:,.(){}[]", *at) == NULL) {
      webnn_vk__complain(c, "\"%c\" is no sign of the language",
                         *at >= ' ' && *at <= '~' ? *at : '?');
    }
    return at + 1;
  }
  at += strlen(op->sign);
  if (*at == '=' && op->precedence > WEBNN_VK__CONJUNCTIONS && !webnn_vk__compares(op)) {
    c->token.precedence = WEBNN_VK__ASSIGNMENTS;
    return at + 1;
  }
  c->token.precedence = op->precedence;
  return at;
}

static void webnn_vk__directive(webnn_vk__compiler *c, webnn_vk__source *text);

/* Over blanks and directives. */
static void webnn_vk__skip(webnn_vk__compiler *c, webnn_vk__source *source) {
  while (source->at < source->end && !webnn_vk__failed(c)) {
    const char *at = source->at;
    if (*at == '\n') {
      c->line++;
      source->at++;
    } else if (*at == ' ' || *at == '\t' || *at == '\r') {
      source->at++;
    } else if (*at == '#' && c->source_count == 1) {
      webnn_vk__directive(c, source);
    } else {
      return;
    }
  }
}

/* A word, which is in the token then; false if it is a macro, whose text comes next. */
static bool webnn_vk__read_word(webnn_vk__compiler *c, webnn_vk__source *source) {
  webnn_vk__name *name = webnn_vk__take_word(c, source);
  const webnn_vk__source macro = {name->macro, name->macro_end, name};
  c->token.name = name;
  webnn_vk__require(c, "macros are nested too deeply", c->source_count < WEBNN_VK__MACROS_DEEP);
  if (webnn_vk__failed(c) || name->macro == NULL || name->expanding) {
    return true;
  }
  name->expanding = true;
  c->sources[c->source_count++] = macro;
  return false;
}

/* The next token; false where there was only the way into a macro or out of it. */
static bool webnn_vk__read_token(webnn_vk__compiler *c) {
  webnn_vk__source *const source = &c->sources[c->source_count - 1];
  webnn_vk__token *token = &c->token;
  webnn_vk__skip(c, source);
  if (webnn_vk__failed(c)) {
    return true;
  }
  token->kind = WEBNN_VK__END;
  token->text = source->at;
  token->length = 0;
  token->precedence = 0;
  if (source->at == source->end) {
    if (source->macro != NULL) {
      source->macro->expanding = false;
      c->source_count--;
    }
    return source->macro == NULL;
  }
  if (webnn_vk__is_letter(*source->at)) {
    token->kind = WEBNN_VK__WORD;
    if (!webnn_vk__read_word(c, source)) {
      return false;
    }
  } else if (webnn_vk__is_digit(*source->at)) {
    token->kind = WEBNN_VK__LITERAL;
    source->at = webnn_vk__read_number(c, source->at);
  } else {
    token->kind = WEBNN_VK__SIGN;
    source->at = webnn_vk__read_sign(c, source->at);
  }
  token->length = (uint32_t)(source->at - token->text);
  if (webnn_vk__failed(c)) {
    webnn_vk__stop(c, c->status);
  }
  return true;
}

static void webnn_vk__next(webnn_vk__compiler *c) {
  while (!webnn_vk__failed(c) && !webnn_vk__read_token(c)) {
  }
}

/* Is this the next token? The text ends with a blank, too. */
static bool webnn_vk__is(const webnn_vk__compiler *c, const char *text) {
  uint32_t i = 0;
  while (i < c->token.length && text[i] == c->token.text[i]) {
    i++;
  }
  return i > 0 && i == c->token.length && (text[i] == 0 || text[i] == ' ');
}

/* Takes the token if it is this one. */
static bool webnn_vk__accept(webnn_vk__compiler *c, const char *text) {
  if (!webnn_vk__is(c, text)) {
    return false;
  }
  webnn_vk__next(c);
  return true;
}

/* Takes these tokens, which have blanks between them. */
static void webnn_vk__expect(webnn_vk__compiler *c, const char *texts) {
  char what[32];
  while (webnn_vk__accept(c, texts)) {
    texts += strcspn(texts, " ");
    if (*texts == 0) {
      return;
    }
    texts++;
  }
  snprintf(what, sizeof what, "\"%.*s\"", (int)strcspn(texts, " "), texts);
  webnn_vk__expected(c, what);
}

/* A word that may name something. */
static webnn_vk__name *webnn_vk__expect_name(webnn_vk__compiler *c) {
  webnn_vk__name *name = c->token.name;
  if (c->token.kind != WEBNN_VK__WORD || name->kind != WEBNN_VK__FREE) {
    webnn_vk__expected(c, "a name");
    return &c->no_name;
  }
  webnn_vk__next(c);
  return name;
}

/* #define, of which the word is the token, to the line's end. */
static void webnn_vk__define(webnn_vk__compiler *c, webnn_vk__source *line) {
  webnn_vk__name *name;
  webnn_vk__skip(c, line);
  name = webnn_vk__take_word(c, line);
  webnn_vk__require(c, "#define needs a name; macros with parameters are not part of the language",
                    name->length > 0 && webnn_vk__is_letter(*name->text) && *line->at != '(');
  if (name->kind != WEBNN_VK__FREE || name->macro != NULL) {
    webnn_vk__complain_of(c, name, "has a meaning already");
  }
  name->macro = line->at;
  name->macro_end = line->at = line->end;
  webnn_vk__next(c);
}

/* A line that begins with '#', where `text` stands: while it is read, it is all of the text. Of
   extensions only one makes another module. */
static void webnn_vk__directive(webnn_vk__compiler *c, webnn_vk__source *text) {
  const char *const end = text->end;
  text->at++;
  text->end = text->at + strcspn(text->at, "\n");
  webnn_vk__next(c);
  if (webnn_vk__is(c, "define")) {
    webnn_vk__define(c, text);
  } else if (webnn_vk__accept(c, "extension")) {
    c->needed |= webnn_vk__is(c, "GL_KHR_cooperative_matrix") ? WEBNN_VK__NEEDS(VULKAN_MEMORY) : 0;
    webnn_vk__next(c);
    webnn_vk__expect(c, ": require");
  } else {
    webnn_vk__expect(c, "version 450");
  }
  if (c->token.kind != WEBNN_VK__END) {
    webnn_vk__expected(c, "the line's end");
  }
  text->end = end;
}

/* ---- Types and constants --------------------------------------------------------------------

   Equal types and constants are one instruction each, found by a hash table over the words that
   they are written with. Only blocks, and arrays with a stride, are written again each time. */

static bool webnn_vk__is_matrix(webnn_vk__type type) {
  return type.length == 0 && type.base >= WEBNN_VK__MATRIX;
}

/* Scalars and vectors. */
static bool webnn_vk__is_plain(webnn_vk__type type) {
  return type.length == 0 && type.base >= WEBNN_VK__BOOL && type.base <= WEBNN_VK__FLOAT;
}

static bool webnn_vk__is_scalar(webnn_vk__type type) {
  return webnn_vk__is_plain(type) && type.width == 1;
}

static bool webnn_vk__is_floating(uint32_t base) {
  return base == WEBNN_VK__FLOAT || base == WEBNN_VK__HALF;
}

static bool webnn_vk__is_integer(uint32_t base) {
  return base == WEBNN_VK__INT || base == WEBNN_VK__UINT;
}

/* What an array, a matrix or a vector is made of. */
static webnn_vk__type webnn_vk__element(webnn_vk__type type) {
  return type.length > 0 ? webnn_vk__vector(type.base, type.width)
                         : webnn_vk__vector(type.base & (WEBNN_VK__MATRIX - 1), 1);
}

/* The id of a type (type_id 0) or constant, which is written if it is not there yet. */
static uint32_t webnn_vk__intern(webnn_vk__compiler *c, uint32_t op, uint32_t type_id,
                                 const uint32_t *operands, uint32_t count) {
  const uint32_t typed = type_id != 0, head = op | (count + 2 + typed) << 16;
  uint32_t hash = (op * 31 + type_id + 1) * 2654435761u, i;
  for (i = 0; i < count; i++) {
    hash = ((hash ^ hash >> 15) + operands[i]) * 2654435761u;
  }
  for (i = hash ^ hash >> 15; c->interned[i % WEBNN_VK__INTERNED] != 0 && !webnn_vk__failed(c);
       i++) {
    const uint32_t *there = c->globals.data + c->interned[i % WEBNN_VK__INTERNED] - 1;
    if (there[0] == head && (!typed || there[1] == type_id) &&
        (count == 0 || memcmp(there + 2 + typed, operands, count * sizeof *operands) == 0)) {
      return there[1 + typed];
    }
  }
  webnn_vk__require(c, "too many types and constants", c->interned_count < WEBNN_VK__INTERNED / 2);
  if (webnn_vk__failed(c)) {
    return 0;
  }
  c->interned_count++;
  c->interned[i % WEBNN_VK__INTERNED] = (uint32_t)c->globals.count + 1;
  return webnn_vk__instruct(c, &c->globals, op, type_id, operands, count);
}

static uint32_t webnn_vk__type_id(webnn_vk__compiler *c, webnn_vk__type type);

/* The constant with these bits of each component. */
static uint32_t webnn_vk__constant_id(webnn_vk__compiler *c, webnn_vk__type type,
                                      const uint32_t *bits) {
  const uint32_t type_id = webnn_vk__type_id(c, type), width = type.width;
  const bool is_bool = type.base == WEBNN_VK__BOOL;
  uint32_t ids[4], i;
  if (width == 1) { /* true has the number before false */
    return webnn_vk__intern(
        c, is_bool ? WEBNN_SPIRV__CONSTANT_FALSE - *bits : (uint32_t)WEBNN_SPIRV__CONSTANT, type_id,
        bits, !is_bool);
  }
  for (i = 0; i < width && i < 4; i++) {
    ids[i] = webnn_vk__constant_id(c, webnn_vk__vector(type.base, 1), bits + i);
  }
  return webnn_vk__intern(c, WEBNN_SPIRV__CONSTANT_COMPOSITE, type_id, ids, width);
}

static uint32_t webnn_vk__uint_id(webnn_vk__compiler *c, uint32_t number) {
  return webnn_vk__constant_id(c, WEBNN_VK__ONE(UINT), &number);
}

/* The id of a type without a layout in memory. */
static uint32_t webnn_vk__type_id(webnn_vk__compiler *c, webnn_vk__type type) {
  const webnn_vk__type element = webnn_vk__element(type);
  const uint32_t base = type.base, width = type.width;
  uint32_t operands[5] = {0};
  if (!webnn_vk__same(type, element)) {
    operands[0] = webnn_vk__type_id(c, element);
  }
  if (type.length > 0) {
    operands[1] = webnn_vk__uint_id(c, type.length);
    return webnn_vk__intern(c, WEBNN_SPIRV__TYPE_ARRAY, 0, operands, 2);
  }
  if (webnn_vk__is_matrix(type)) {
    operands[1] = webnn_vk__uint_id(c, base >> 4 & 0x3fff);
    operands[2] = webnn_vk__uint_id(c, width >> 16);
    operands[3] = webnn_vk__uint_id(c, width & 0xffff);
    operands[4] = webnn_vk__uint_id(c, base >> 18);
    return webnn_vk__intern(c, WEBNN_SPIRV__TYPE_MATRIX, 0, operands, 5);
  }
  if (width > 1) {
    operands[1] = width;
    return webnn_vk__intern(c, WEBNN_SPIRV__TYPE_VECTOR, 0, operands, 2);
  }
  if (base <= WEBNN_VK__BOOL) { /* their types' numbers follow each other, too */
    return webnn_vk__intern(c, WEBNN_SPIRV__TYPE_VOID + base, 0, NULL, 0);
  }
  c->needed |= base == WEBNN_VK__HALF   ? WEBNN_VK__NEEDS(HALF)
               : base == WEBNN_VK__BYTE ? WEBNN_VK__NEEDS(BYTES)
                                        : 0;
  operands[0] = base == WEBNN_VK__HALF ? 16 : base == WEBNN_VK__BYTE ? 8 : 32;
  operands[1] = base == WEBNN_VK__INT || base == WEBNN_VK__BYTE;
  return webnn_vk__is_floating(base) ? webnn_vk__intern(c, WEBNN_SPIRV__TYPE_FLOAT, 0, operands, 1)
                                     : webnn_vk__intern(c, WEBNN_SPIRV__TYPE_INT, 0, operands, 2);
}

/* The type of pointers to what has this type. */
static uint32_t webnn_vk__pointer_to(webnn_vk__compiler *c, uint32_t storage, uint32_t type_id) {
  const uint32_t operands[] = {storage, type_id};
  return webnn_vk__intern(c, WEBNN_SPIRV__TYPE_POINTER, 0, operands, 2);
}

/* ---- Values ---------------------------------------------------------------------------------

   A constant has no instruction until its id is asked for, and a place is not read until its value
   is. What is selected from a place (members, elements, components) is kept with it, and becomes
   one access chain when it is read or written. */

static webnn_vk__value webnn_vk__of_id(webnn_vk__type type, uint32_t id) {
  webnn_vk__value value = webnn_vk__of_bits(type, 0);
  value.kind = WEBNN_VK__RESULT;
  value.id = id;
  return value;
}

static webnn_vk__value webnn_vk__no_value(void) {
  return webnn_vk__of_id(WEBNN_VK__ONE(VOID), 0);
}

static webnn_vk__value webnn_vk__of_variable(webnn_vk__type type, uint32_t storage, uint32_t id) {
  webnn_vk__value value = webnn_vk__of_id(type, id);
  value.kind = WEBNN_VK__PLACE;
  value.storage = storage;
  return value;
}

static bool webnn_vk__has_vulkan_memory(const webnn_vk__compiler *c) {
  return (c->needed & WEBNN_VK__NEEDS(VULKAN_MEMORY)) != 0;
}

/* The id of a value that is no place. */
static uint32_t webnn_vk__id(webnn_vk__compiler *c, const webnn_vk__value *value) {
  return value->kind == WEBNN_VK__CONSTANT && !webnn_vk__failed(c)
             ? webnn_vk__constant_id(c, value->type, value->bits)
             : value->id;
}

/* An instruction in the body with a result of this type, from ids and numbers. A negative number is
   one of the extended set GLSL.std.450. */
static webnn_vk__value webnn_vk__emit(webnn_vk__compiler *c, int32_t op, webnn_vk__type type,
                                      const uint32_t *operands, uint32_t count) {
  const uint32_t extended[] = {c->glsl_set, 0u - (uint32_t)op}, is_extended = op < 0;
  const uint32_t id = webnn_vk__instruct(
      c, &c->flow.body, is_extended ? (uint32_t)WEBNN_SPIRV__EXT_INST : (uint32_t)op,
      webnn_vk__type_id(c, type), extended, is_extended ? 2 : 0);
  webnn_vk__lengthen(c, &c->flow.body, operands, count);
  return webnn_vk__of_id(type, id);
}

/* As webnn_vk__emit, from up to three values that are no places. */
static webnn_vk__value webnn_vk__apply(webnn_vk__compiler *c, int32_t op, webnn_vk__type type,
                                       const webnn_vk__value *values, uint32_t count) {
  uint32_t ids[3], i;
  for (i = 0; i < count; i++) {
    ids[i] = webnn_vk__id(c, &values[i]);
  }
  return webnn_vk__emit(c, op, type, ids, count);
}

/* The pointer to what a place is. */
static uint32_t webnn_vk__pointer(webnn_vk__compiler *c, const webnn_vk__value *place) {
  const uint32_t operands[] = {place->id, place->chain[0], place->chain[1], place->chain[2]};
  if (place->chain_count == 0) {
    return place->id;
  }
  return webnn_vk__instruct(
      c, &c->flow.body, WEBNN_SPIRV__ACCESS_CHAIN,
      webnn_vk__pointer_to(c, place->storage, webnn_vk__type_id(c, place->type)), operands,
      1 + place->chain_count);
}

/* Memory that others see too: reading it in vain may be out of its bounds. */
static bool webnn_vk__is_common(const webnn_vk__value *place) {
  return place->kind == WEBNN_VK__PLACE &&
         (place->storage == WEBNN_VK__STORAGE_BUFFER || place->storage == WEBNN_VK__STORAGE_SHARED);
}

/* In the Vulkan memory model shared memory is told from what only one invocation sees by an operand
   of loads and stores, of which the last one was of this place. */
static void webnn_vk__tell_shared(webnn_vk__compiler *c, const webnn_vk__value *place) {
  const uint32_t not_private = 32;
  if (webnn_vk__has_vulkan_memory(c) && place->storage == WEBNN_VK__STORAGE_SHARED) {
    webnn_vk__lengthen(c, &c->flow.body, &not_private, 1);
  }
}

/* A component of a vector that is no place. */
static webnn_vk__value webnn_vk__pick(webnn_vk__compiler *c, webnn_vk__value value,
                                      uint32_t component) {
  const webnn_vk__type type = webnn_vk__vector(value.type.base, 1);
  const uint32_t operands[] = {value.id, component};
  return value.kind == WEBNN_VK__CONSTANT ? webnn_vk__of_bits(type, value.bits[component])
         : webnn_vk__same(value.type, type)
             ? value
             : webnn_vk__emit(c, WEBNN_SPIRV__EXTRACT, type, operands, 2);
}

/* A place becomes what is in it; other values stay. */
static webnn_vk__value webnn_vk__load(webnn_vk__compiler *c, webnn_vk__value value) {
  webnn_vk__value loaded;
  uint32_t pointer;
  if (value.kind != WEBNN_VK__PLACE || webnn_vk__failed(c)) {
    return value;
  }
  webnn_vk__require(c, "an array of a block can only be read element by element",
                    value.type.length == 0 || value.storage != WEBNN_VK__STORAGE_BUFFER);
  c->flow.effects += webnn_vk__is_common(&value);
  pointer = webnn_vk__pointer(c, &value);
  loaded = webnn_vk__emit(c, WEBNN_SPIRV__LOAD, value.type, &pointer, 1);
  webnn_vk__tell_shared(c, &value);
  return loaded;
}

/* The place that an index, a constant or an id, selects from a place. */
static webnn_vk__value webnn_vk__select(webnn_vk__value place, uint32_t index_id,
                                        webnn_vk__type type) {
  place.chain[place.chain_count % 3] = index_id; /* there are more only after an error */
  place.chain_count++;
  place.type = type;
  return place;
}

/* Into a place that may be written, a value of its type that is no place. */
static void webnn_vk__store(webnn_vk__compiler *c, const webnn_vk__value *place,
                            const webnn_vk__value *value) {
  const uint32_t id = webnn_vk__id(c, value), pointer = webnn_vk__pointer(c, place);
  c->flow.effects++;
  webnn_vk__write(c, &c->flow.body, WEBNN_SPIRV__STORE, 2, pointer, id);
  webnn_vk__tell_shared(c, place);
}

/* A new variable, of the function, which can have a first value, or of the module. */
static webnn_vk__value webnn_vk__new_variable(webnn_vk__compiler *c, webnn_vk__type type,
                                              uint32_t storage, const webnn_vk__value *first) {
  const uint32_t pointer_id = webnn_vk__pointer_to(c, storage, webnn_vk__type_id(c, type));
  const uint32_t id =
      webnn_vk__instruct(c, storage == WEBNN_VK__STORAGE_FUNCTION ? &c->variables : &c->globals,
                         WEBNN_SPIRV__VARIABLE, pointer_id, &storage, 1);
  const webnn_vk__value variable = webnn_vk__of_variable(type, storage, id);
  if (first != NULL) {
    webnn_vk__store(c, &variable, first);
  }
  return variable;
}

/* ---- Conversions ---------------------------------------------------------------------------- */

/* Of four instructions the one for this type of components; 0: there is none. */
static int32_t webnn_vk__instruction(const int16_t *ops, uint32_t base) {
  return webnn_vk__is_floating(base) ? ops[0]
         : base == WEBNN_VK__INT     ? ops[1]
         : base == WEBNN_VK__UINT    ? ops[2]
         : base == WEBNN_VK__BOOL    ? ops[3]
                                     : 0;
}

/* The number of a scalar constant, which conversions of constants go through. */
static double webnn_vk__double_of(uint32_t base, uint32_t bits) {
  return base == WEBNN_VK__FLOAT  ? (double)webnn__float_of_bits(bits)
         : base == WEBNN_VK__HALF ? (double)webnn_float16_to_float32((uint16_t)bits)
         : base == WEBNN_VK__INT  ? (double)(int32_t)bits
                                  : (double)bits;
}

static uint32_t webnn_vk__bits_of(uint32_t base, double x) {
  const float rounded = (float)x;
  return base == WEBNN_VK__FLOAT                 ? webnn__bits_of_float(rounded)
         : base == WEBNN_VK__HALF                ? webnn_float32_to_float16(rounded)
         : x > -2147483649.0 && x < 4294967296.0 ? (uint32_t)(int64_t)x
                                                 : 0x80000000u;
}

/* A scalar as a vector, all components the same. */
static webnn_vk__value webnn_vk__splat(webnn_vk__compiler *c, webnn_vk__value value,
                                       uint32_t width) {
  const webnn_vk__type type = webnn_vk__vector(value.type.base, width);
  const uint32_t ids[4] = {value.id, value.id, value.id, value.id};
  return width == value.type.width ? value
         : value.kind == WEBNN_VK__CONSTANT
             ? webnn_vk__of_bits(type, value.bits[0])
             : webnn_vk__emit(c, WEBNN_SPIRV__CONSTRUCT, type, ids, width);
}

/* Components of a or of b, as those of a condition say. */
static webnn_vk__value webnn_vk__choose(webnn_vk__compiler *c, webnn_vk__value condition,
                                        webnn_vk__value a, webnn_vk__value b) {
  const webnn_vk__value all[] = {webnn_vk__splat(c, condition, a.type.width), a, b};
  return webnn_vk__apply(c, WEBNN_SPIRV__SELECT, a.type, all, 3);
}

/* A value with another type of components, as a constructor converts it. */
static webnn_vk__value webnn_vk__convert(webnn_vk__compiler *c, webnn_vk__value value,
                                         uint32_t to) {
  static const int16_t ops[3][4] = {
      /* to floats, int, uint */
      {WEBNN_SPIRV__F_CONVERT, WEBNN_SPIRV__S_TO_F, WEBNN_SPIRV__U_TO_F, 0},
      {WEBNN_SPIRV__F_TO_S, WEBNN_SPIRV__BITCAST, WEBNN_SPIRV__BITCAST, 0},
      {WEBNN_SPIRV__F_TO_U, WEBNN_SPIRV__BITCAST, WEBNN_SPIRV__BITCAST, 0}};
  const int16_t *row = ops[webnn_vk__is_floating(to) ? 0 : to == WEBNN_VK__INT ? 1 : 2];
  const uint32_t from = value.type.base;
  const webnn_vk__type type = webnn_vk__vector(to, value.type.width);
  uint32_t i;
  webnn_vk__require(c, "one type does not become the other",
                    webnn_vk__is_plain(value.type) && webnn_vk__is_plain(type) &&
                        (to != WEBNN_VK__BOOL || from == to));
  if (from == to || webnn_vk__failed(c)) {
    return value;
  }
  if (value.kind != WEBNN_VK__CONSTANT) {
    return from == WEBNN_VK__BOOL
               ? webnn_vk__choose(c, value, webnn_vk__of_bits(type, webnn_vk__bits_of(to, 1)),
                                  webnn_vk__of_bits(type, 0))
               : webnn_vk__apply(c, webnn_vk__instruction(row, from), type, &value, 1);
  }
  for (i = 0; i < 4; i++) {
    value.bits[i] = webnn_vk__bits_of(to, webnn_vk__double_of(from, value.bits[i]));
  }
  value.type = type;
  return value;
}

/* What is in a value, which must be of this type. */
static webnn_vk__value webnn_vk__as(webnn_vk__compiler *c, webnn_vk__value value,
                                    webnn_vk__type type) {
  webnn_vk__require(c, "this has another type than what it goes to",
                    webnn_vk__same(value.type, type));
  return webnn_vk__load(c, value);
}

/* The type that two operands become, a vector where one is a scalar; 0: there is none. */
static webnn_vk__type webnn_vk__common(webnn_vk__type a, webnn_vk__type b) {
  const bool fit = webnn_vk__is_plain(a) && webnn_vk__is_plain(b) && a.base == b.base;
  return fit && (a.width == b.width || b.width == 1) ? a
         : fit && a.width == 1                       ? b
                                                     : WEBNN_VK__ONE(VOID);
}

/* ---- Operators ------------------------------------------------------------------------------ */

/* Constants a and b of one type; false where the device has to find the result: of floats,
   divisions by 0, shifts by too much. */
static bool webnn_vk__fold(const webnn_vk__operator *op, const webnn_vk__value *a,
                           const webnn_vk__value *b, webnn_vk__value *result) {
  const char sign = op->sign[0];
  const bool is_int = a->type.base == WEBNN_VK__INT, or_equal = op->sign[1] == '=';
  const bool shifts = op->precedence == WEBNN_VK__SHIFTS;
  uint32_t i;
  for (i = 0; i < a->type.width; i++) {
    const uint32_t u = a->bits[i], v = b->bits[i];
    const int64_t x = is_int ? (int64_t)(int32_t)u : (int64_t)u;
    const int64_t y = is_int ? (int64_t)(int32_t)v : (int64_t)v;
    if (webnn_vk__is_floating(a->type.base) || (shifts && v > 31) ||
        ((sign == '/' || sign == '%') && y == 0)) {
      return false;
    }
    result->bits[i] = sign == '+'   ? u + v
                      : sign == '-' ? u - v
                      : sign == '*' ? u * v
                      : sign == '/' ? (uint32_t)(x / y)
                      : sign == '%' ? (uint32_t)(x % y)
                      : sign == '&' ? u & v
                      : sign == '|' ? u | v
                      : sign == '^' ? u ^ v
                      : sign == '=' ? x == y
                      : sign == '!' ? x != y
                      : shifts ? (sign == '<' ? u << v : (uint32_t)(x < 0 ? ~(~x >> v) : x >> v))
                      : sign == '<' ? x < y || (or_equal && x == y)
                                    : x > y || (or_equal && x == y);
  }
  return true;
}

static bool webnn_vk__may_be_zero(const webnn_vk__value *v) {
  bool may = v->kind != WEBNN_VK__CONSTANT;
  uint32_t i;
  for (i = 0; i < v->type.width; i++) {
    may = may || v->bits[i] == 0;
  }
  return may;
}

/* a op b; comparisons are for scalars. */
static webnn_vk__value webnn_vk__binary(webnn_vk__compiler *c, const webnn_vk__operator *op,
                                        webnn_vk__value a, webnn_vk__value b) {
  const bool compares = webnn_vk__compares(op), divides = strchr("/%", *op->sign) != NULL;
  const bool shifts = op->precedence == WEBNN_VK__SHIFTS && webnn_vk__is_plain(a.type) &&
                      webnn_vk__is_integer(b.type.base) &&
                      (b.type.width == 1 || b.type.width == a.type.width);
  const webnn_vk__type type = shifts ? a.type : webnn_vk__common(a.type, b.type);
  const int32_t instruction = webnn_vk__instruction(op->ops, type.base);
  webnn_vk__value both[2], result;
  webnn_vk__require(c, "these types do not go together", type.base != WEBNN_VK__VOID);
  webnn_vk__require(c, "this operator is not for these types", instruction != 0);
  webnn_vk__require(c, "this operator is for scalars", !compares || webnn_vk__is_scalar(type));
  if (webnn_vk__failed(c)) {
    return a;
  }
  both[0] = webnn_vk__splat(c, a, type.width);
  both[1] = webnn_vk__splat(c, b, type.width);
  result = webnn_vk__of_bits(compares ? WEBNN_VK__ONE(BOOL) : type, 0);
  if (a.kind == WEBNN_VK__CONSTANT && b.kind == WEBNN_VK__CONSTANT &&
      webnn_vk__fold(op, &both[0], &both[1], &result)) {
    return result;
  }
  /* Integers are not divided in vain: some divisors are 0. */
  c->flow.effects += divides && webnn_vk__is_integer(type.base) && webnn_vk__may_be_zero(&both[1]);
  return webnn_vk__apply(c, instruction, result.type, both, 2);
}

/* A place gets a value of its type. */
static void webnn_vk__assign(webnn_vk__compiler *c, const webnn_vk__value *place,
                             webnn_vk__value value) {
  webnn_vk__require(c, "this cannot be written",
                    place->kind == WEBNN_VK__PLACE && !place->read_only);
  value = webnn_vk__as(c, value, place->type);
  webnn_vk__store(c, place, &value);
}

/* ---- Built-in functions ---------------------------------------------------------------------

   One row for each. In most all arguments become one type, and are the instruction's operands; the
   result is of this type, of its width with other components, or always of the same type. Other
   rows have a function of their own. */

typedef struct webnn_vk__builtin {
  const char *name;
  uint8_t count, places;        /* arguments; a bit for each of them that stays a place */
  uint8_t width;                /* that the arguments must have; 0: any */
  uint8_t result, result_width; /* the type: void as the arguments', 0 wide as theirs */
  int16_t ops[4];               /* by the arguments: of floats, int, uint, bool; 0: there is none */
  /* NULL, or what gets the first of ops, and arguments that it has to check */
  webnn_vk__value (*special)(webnn_vk__compiler *c, int32_t op, webnn_vk__value *values);
} webnn_vk__builtin;

/* The instruction that a row says, from values that are no places. */
static webnn_vk__value webnn_vk__by_row(webnn_vk__compiler *c, const webnn_vk__builtin *builtin,
                                        webnn_vk__value *values) {
  const uint32_t bytes_of_a_word = 0;
  webnn_vk__type all = values[0].type, result;
  webnn_vk__value made;
  uint32_t per_word, i;
  int32_t op;
  for (i = 1; i < builtin->count; i++) {
    all = webnn_vk__common(all, values[i].type);
  }
  op = webnn_vk__is_plain(all) ? webnn_vk__instruction(builtin->ops, all.base) : 0;
  result = webnn_vk__vector(builtin->result != WEBNN_VK__VOID ? builtin->result : all.base,
                            builtin->result_width > 0 ? builtin->result_width : all.width);
  per_word = all.base == WEBNN_VK__HALF ? 2 : 1;
  webnn_vk__require(c, "this function is not for these types",
                    op != 0 && (builtin->width == 0 || builtin->width == all.width) &&
                        (op != WEBNN_SPIRV__BITCAST || all.width == per_word * result.width));
  if (op == WEBNN_SPIRV__BITCAST && values[0].kind == WEBNN_VK__CONSTANT) {
    values[0].bits[0] |= per_word == 2 ? values[0].bits[1] << 16 : 0;
    values[0].type = result;
    return values[0];
  }
  for (i = 0; i < builtin->count; i++) {
    values[i] = webnn_vk__splat(c, values[i], all.width);
  }
  made = webnn_vk__apply(c, op, result, values, builtin->count);
  if (op == WEBNN_SPIRV__PACKED_DOT) {
    webnn_vk__lengthen(c, &c->flow.body, &bytes_of_a_word, 1);
  }
  return made;
}

/* The id of an argument that must be a uint. */
static uint32_t webnn_vk__uint_argument(webnn_vk__compiler *c, webnn_vk__value value) {
  value = webnn_vk__as(c, value, WEBNN_VK__ONE(UINT));
  return webnn_vk__id(c, &value);
}

/* umulExtended(x, y, high, low). */
static webnn_vk__value webnn_vk__multiply(webnn_vk__compiler *c, int32_t op,
                                          webnn_vk__value *values) {
  const webnn_vk__type type = WEBNN_VK__ONE(UINT);
  const uint32_t uint_id = webnn_vk__type_id(c, type), types[] = {uint_id, uint_id};
  const uint32_t type_id = webnn_vk__intern(c, WEBNN_SPIRV__TYPE_STRUCT, 0, types, 2);
  const uint32_t id = webnn_vk__new_id(c), low[] = {id, 0}, high[] = {id, 1};
  const uint32_t y = webnn_vk__uint_argument(c, values[1]);
  webnn_vk__write(c, &c->flow.body, (uint32_t)op, 4, type_id, id,
                  webnn_vk__uint_argument(c, values[0]), y);
  webnn_vk__assign(c, &values[2], webnn_vk__emit(c, WEBNN_SPIRV__EXTRACT, type, high, 2));
  webnn_vk__assign(c, &values[3], webnn_vk__emit(c, WEBNN_SPIRV__EXTRACT, type, low, 2));
  return webnn_vk__no_value();
}

/* barrier() of the workgroup and subgroupBarrier(): what is in shared memory becomes known. */
static webnn_vk__value webnn_vk__barrier(webnn_vk__compiler *c, int32_t of_whom,
                                         webnn_vk__value *values) {
  const uint32_t control_barrier = 224, shared = 0x100, ordered = 8;
  const uint32_t available_and_visible = webnn_vk__has_vulkan_memory(c) ? 0x6000 : 0;
  const uint32_t scope = webnn_vk__uint_id(c, (uint32_t)of_whom);
  (void)values;
  c->flow.effects++;
  webnn_vk__write(c, &c->flow.body, control_barrier, 3, scope, scope,
                  webnn_vk__uint_id(c, ordered | available_and_visible | shared));
  return webnn_vk__no_value();
}

/* atomicMax(place, value) and atomicOr, of a uint, for the whole device. */
static webnn_vk__value webnn_vk__atomic(webnn_vk__compiler *c, int32_t op,
                                        webnn_vk__value *values) {
  const uint32_t scope = webnn_vk__has_vulkan_memory(c) ? (uint32_t)WEBNN_VK__SCOPE_QUEUES
                                                        : (uint32_t)WEBNN_VK__SCOPE_DEVICE;
  uint32_t operands[4];
  webnn_vk__require(c, "atomics need a uint of a buffer or of shared memory",
                    webnn_vk__is_common(&values[0]) && !values[0].read_only &&
                        webnn_vk__same(values[0].type, WEBNN_VK__ONE(UINT)));
  c->flow.effects++;
  operands[0] = webnn_vk__pointer(c, &values[0]);
  operands[1] = webnn_vk__uint_id(c, scope);
  operands[2] = webnn_vk__uint_id(c, 0); /* no other memory is made known */
  operands[3] = webnn_vk__uint_argument(c, values[1]);
  return webnn_vk__emit(c, op, WEBNN_VK__ONE(UINT), operands, 4);
}

/* coopMatLoad(matrix, array, element, stride, layout) and coopMatStore. */
static webnn_vk__value webnn_vk__move_matrix(webnn_vk__compiler *c, int32_t op,
                                             webnn_vk__value *values) {
  const bool store = op == WEBNN_SPIRV__MATRIX_STORE;
  webnn_vk__value element = values[1], loaded;
  uint32_t operands[3];
  webnn_vk__require(c, "a matrix, an array in memory, two numbers and a layout are needed",
                    webnn_vk__is_matrix(values[0].type) && webnn_vk__is_common(&element) &&
                        element.type.length > 0 && values[4].kind == WEBNN_VK__CONSTANT &&
                        !(store && element.read_only));
  values[4] = webnn_vk__convert(c, values[4], WEBNN_VK__UINT);
  element = webnn_vk__select(element, webnn_vk__uint_argument(c, values[2]),
                             webnn_vk__element(element.type));
  operands[0] = webnn_vk__pointer(c, &element);
  operands[1] = webnn_vk__uint_argument(c, values[4]);
  operands[2] = webnn_vk__uint_argument(c, values[3]);
  c->flow.effects++;
  if (store) {
    webnn_vk__write(c, &c->flow.body, (uint32_t)op, 4, operands[0], webnn_vk__id(c, &values[0]),
                    operands[1], operands[2]);
    webnn_vk__tell_shared(c, &element);
  } else {
    loaded = webnn_vk__emit(c, op, values[0].type, operands, 3);
    webnn_vk__tell_shared(c, &element);
    webnn_vk__assign(c, &values[0], loaded);
  }
  return webnn_vk__no_value();
}

/* coopMatMulAdd: A * B + C; of bytes with an operand that says that all have signs. */
static webnn_vk__value webnn_vk__multiply_add(webnn_vk__compiler *c, int32_t op,
                                              webnn_vk__value *values) {
  const uint32_t all_signed = 15;
  webnn_vk__value made;
  webnn_vk__require(c, "a matrix is needed",
                    webnn_vk__is_matrix(values[0].type) && webnn_vk__is_matrix(values[1].type) &&
                        webnn_vk__is_matrix(values[2].type));
  made = webnn_vk__apply(c, op, values[2].type, values, 3);
  if (webnn_vk__element(values[0].type).base == WEBNN_VK__BYTE) {
    webnn_vk__lengthen(c, &c->flow.body, &all_signed, 1);
  }
  return made;
}

/* clang-format off */
static const webnn_vk__builtin webnn_vk__builtins[] = {
    {"min", 2, 0, 0, 0, 0, {-37, -39, -38, 0}, NULL},
    {"max", 2, 0, 0, 0, 0, {-40, -42, -41, 0}, NULL},
    {"abs", 1, 0, 0, 0, 0, {-4, -5, 0, 0}, NULL},
    {"roundEven", 1, 0, 0, 0, 0, {-2, 0, 0, 0}, NULL},
    {"floor", 1, 0, 0, 0, 0, {-8, 0, 0, 0}, NULL},
    {"ceil", 1, 0, 0, 0, 0, {-9, 0, 0, 0}, NULL},
    {"sqrt", 1, 0, 0, 0, 0, {-31, 0, 0, 0}, NULL},
    {"fma", 3, 0, 0, 0, 0, {-50, 0, 0, 0}, NULL},
    {"findMSB", 1, 0, 0, WEBNN_VK__INT, 0, {0, 0, -75, 0}, NULL},
    {"floatBitsToUint", 1, 0, 0, WEBNN_VK__UINT, 0, {WEBNN_SPIRV__BITCAST, 0, 0, 0}, NULL},
    {"floatBitsToInt", 1, 0, 0, WEBNN_VK__INT, 0, {WEBNN_SPIRV__BITCAST, 0, 0, 0}, NULL},
    {"uintBitsToFloat", 1, 0, 0, WEBNN_VK__FLOAT, 0, {0, 0, WEBNN_SPIRV__BITCAST, 0}, NULL},
    {"packHalf2x16", 1, 0, 2, WEBNN_VK__UINT, 1, {-58, 0, 0, 0}, NULL},
    {"unpackHalf2x16", 1, 0, 1, WEBNN_VK__FLOAT, 2, {0, 0, -62, 0}, NULL},
    {"packFloat2x16", 1, 0, 2, WEBNN_VK__UINT, 1, {WEBNN_SPIRV__BITCAST, 0, 0, 0}, NULL},
    {"umulExtended", 4, 4 | 8, 0, 0, 0, {151, 0, 0, 0}, webnn_vk__multiply},
    {"barrier", 0, 0, 0, 0, 0, {WEBNN_VK__SCOPE_WORKGROUP, 0, 0, 0}, webnn_vk__barrier},
    {"subgroupBarrier", 0, 0, 0, 0, 0, {WEBNN_VK__SCOPE_SUBGROUP, 0, 0, 0}, webnn_vk__barrier},
    {"atomicMax", 2, 1, 0, 0, 0, {WEBNN_SPIRV__ATOMIC_MAX, 0, 0, 0}, webnn_vk__atomic},
    {"atomicOr", 2, 1, 0, 0, 0, {WEBNN_SPIRV__ATOMIC_OR, 0, 0, 0}, webnn_vk__atomic},
    {"dotPacked4x8EXT", 2, 0, 1, 0, 0, {0, WEBNN_SPIRV__PACKED_DOT, 0, 0}, NULL},
    {"coopMatLoad", 5, 1 | 2, 0, 0, 0, {WEBNN_SPIRV__MATRIX_LOAD, 0, 0, 0}, webnn_vk__move_matrix},
    {"coopMatStore", 5, 2, 0, 0, 0, {WEBNN_SPIRV__MATRIX_STORE, 0, 0, 0}, webnn_vk__move_matrix},
    {"coopMatMulAdd", 3, 0, 0, 0, 0, {WEBNN_SPIRV__MATRIX_MUL_ADD, 0, 0, 0},
     webnn_vk__multiply_add}};
/* clang-format on */

/* ---- Expressions ----------------------------------------------------------------------------

   Operators are read by how closely they bind. Where an operand must not be run in vain (the sides
   of ?:, the right of && and ||) its words have to stand in a block of their own. Whether that is
   so is known after the operand is read; so until then they are kept apart, as a side. */

static webnn_vk__value webnn_vk__expression(webnn_vk__compiler *c, uint32_t least);

/* Reads an expression of this type. */
static webnn_vk__value webnn_vk__expression_of(webnn_vk__compiler *c, webnn_vk__type type) {
  return webnn_vk__as(c, webnn_vk__expression(c, WEBNN_VK__ASSIGNMENTS), type);
}

/* Reads a constant, an integer from `least` to `most`; what it is, for a message. */
static uint32_t webnn_vk__known_number(webnn_vk__compiler *c, uint32_t precedence, uint32_t least,
                                       uint32_t most, const char *what) {
  const webnn_vk__value value = webnn_vk__expression(c, precedence);
  webnn_vk__require(c, what,
                    value.kind == WEBNN_VK__CONSTANT && webnn_vk__is_scalar(value.type) &&
                        webnn_vk__is_integer(value.type.base) && value.bits[0] >= least &&
                        value.bits[0] <= most);
  return webnn_vk__failed(c) ? least : value.bits[0];
}

/* [N], or [] as WEBNN_VK__RUNTIME, if that is next: the type as an array of so many. Variables have
   a known size. */
static webnn_vk__type webnn_vk__array_suffix(webnn_vk__compiler *c, webnn_vk__type type,
                                             bool variable) {
  const bool twice = type.length > 0 && webnn_vk__is(c, "[");
  if (webnn_vk__accept(c, "[")) {
    type.length =
        webnn_vk__is(c, "]")
            ? WEBNN_VK__RUNTIME
            : webnn_vk__known_number(c, WEBNN_VK__CHOICES, 1, WEBNN_VK__LONGEST,
                                     "an array's length must be a constant, and more than 0");
    webnn_vk__expect(c, "]");
  }
  webnn_vk__require(c, "arrays have one dimension", !twice && !webnn_vk__is(c, "["));
  webnn_vk__require(c, "a variable needs a type with a known size",
                    !variable || (type.base != WEBNN_VK__VOID && type.length != WEBNN_VK__RUNTIME));
  return type;
}

static bool webnn_vk__is_type(const webnn_vk__compiler *c) {
  return c->token.kind == WEBNN_VK__WORD && c->token.name->kind == WEBNN_VK__TYPE;
}

/* coopmat<component, scope, rows, columns, use>, of which the word is taken. */
static webnn_vk__type webnn_vk__matrix_type(webnn_vk__compiler *c) {
  webnn_vk__type matrix = webnn_vk__vector(WEBNN_VK__MATRIX, 0);
  uint32_t numbers[4], i;
  webnn_vk__expect(c, "<");
  if (webnn_vk__is_type(c) && c->token.name->type.width == 1) {
    matrix.base |= c->token.name->type.base;
  }
  webnn_vk__next(c);
  for (i = 0; i < 4; i++) {
    webnn_vk__expect(c, ",");
    numbers[i] =
        webnn_vk__known_number(c, WEBNN_VK__SHIFTS, 0, 0x3fff, "what a matrix is must be constant");
  }
  matrix.base |= numbers[0] << 4 | numbers[3] << 18;
  matrix.width = numbers[1] << 16 | numbers[2];
  webnn_vk__expect(c, ">");
  webnn_vk__require(c, "a matrix has numbers", webnn_vk__element(matrix).base > WEBNN_VK__BOOL);
  webnn_vk__require(c, "coopmat needs #extension GL_KHR_cooperative_matrix : require",
                    webnn_vk__has_vulkan_memory(c));
  c->needed |= WEBNN_VK__NEEDS(MATRICES);
  return matrix;
}

/* A type, with its length where that stands here. */
static webnn_vk__type webnn_vk__read_type(webnn_vk__compiler *c) {
  webnn_vk__type type = WEBNN_VK__ONE(VOID);
  if (!webnn_vk__is_type(c)) {
    webnn_vk__expected(c, "a type");
    return type;
  }
  type = c->token.name->type;
  webnn_vk__next(c);
  return webnn_vk__array_suffix(c, webnn_vk__is_matrix(type) ? webnn_vk__matrix_type(c) : type,
                                false);
}

/* T(value): a matrix or a vector of a number, the first number of a vector, a conversion. */
static webnn_vk__value webnn_vk__construct_from_one(webnn_vk__compiler *c, webnn_vk__type type,
                                                    webnn_vk__value value) {
  const uint32_t width = type.width;
  if (webnn_vk__is_matrix(type)) {
    value = webnn_vk__as(c, value, webnn_vk__element(type));
    return webnn_vk__apply(c, WEBNN_SPIRV__CONSTRUCT, type, &value, 1);
  }
  if (webnn_vk__is_scalar(type) && webnn_vk__is_plain(value.type)) {
    value = webnn_vk__pick(c, value, 0);
  }
  webnn_vk__require(c, "one type does not become the other",
                    value.type.width == 1 || value.type.width == width);
  return webnn_vk__splat(c, webnn_vk__convert(c, value, type.base), width);
}

/* T(...) and T[N](...), of which the type is read: of one value, of components, each alone or in
   vectors, or of elements; a constant, if all are, but no array. */
static webnn_vk__value webnn_vk__construct(webnn_vk__compiler *c, webnn_vk__type type) {
  const uint32_t size = type.length > 0 ? type.length : type.width;
  webnn_vk__value made = webnn_vk__of_bits(type, 0), value, part;
  uint32_t ids[WEBNN_VK__MOST_ARGUMENTS], count = 0, parts, i;
  bool known = type.length == 0;
  webnn_vk__expect(c, "(");
  do {
    value = webnn_vk__load(c, webnn_vk__expression(c, WEBNN_VK__ASSIGNMENTS));
    if (type.length == 0 && count == 0 && webnn_vk__accept(c, ")")) {
      return webnn_vk__construct_from_one(c, type, value);
    }
    parts = type.length == 0 && webnn_vk__is_plain(value.type) ? value.type.width : 1;
    for (i = 0; i < parts; i++, count++) {
      part = type.length > 0 ? webnn_vk__as(c, value, webnn_vk__element(type))
                             : webnn_vk__convert(c, webnn_vk__pick(c, value, i), type.base);
      made.bits[count & 3] = part.bits[0];
      ids[count % WEBNN_VK__MOST_ARGUMENTS] = webnn_vk__id(c, &part);
      known = known && part.kind == WEBNN_VK__CONSTANT;
    }
  } while (webnn_vk__accept(c, ","));
  webnn_vk__expect(c, ")");
  webnn_vk__require(c, "a constructor needs as many values as the type has, and no more than 16",
                    type.base < WEBNN_VK__MATRIX && count == size &&
                        count <= WEBNN_VK__MOST_ARGUMENTS);
  return known ? made : webnn_vk__emit(c, WEBNN_SPIRV__CONSTRUCT, type, ids, count);
}

/* A function of the text gets such values. A variable of the function is passed itself, if it is no
   other argument, too. What else comes back is copied into its places after the call, from
   variables of their own. */
static webnn_vk__value webnn_vk__call(webnn_vk__compiler *c, const webnn_vk__function *function,
                                      const webnn_vk__value *values) {
  const uint32_t count = function->parameter_count;
  uint32_t ids[WEBNN_VK__MOST_ARGUMENTS + 1], i, j;
  webnn_vk__value own[WEBNN_VK__MOST_ARGUMENTS], result;
  ids[0] = function->id;
  for (i = 0; i < count; i++) {
    const webnn_vk__value *value = &values[i];
    const webnn_vk__type type = function->parameters[i];
    const bool comes_back = function->copied_out >> i & 1;
    bool itself = value->kind == WEBNN_VK__PLACE && value->chain_count == 0 && !value->read_only &&
                  value->storage == WEBNN_VK__STORAGE_FUNCTION && webnn_vk__same(value->type, type);
    for (j = 0; j < i; j++) {
      itself = itself && (values[j].kind != WEBNN_VK__PLACE || values[j].id != value->id);
    }
    own[i] = comes_back ? *value : webnn_vk__as(c, *value, type);
    if (comes_back && !itself) {
      own[i] = webnn_vk__new_variable(c, type, WEBNN_VK__STORAGE_FUNCTION, NULL);
      if (function->copied_in >> i & 1) {
        webnn_vk__assign(c, &own[i], *value);
      }
    }
    ids[i + 1] = webnn_vk__id(c, &own[i]);
  }
  c->flow.effects++;
  result = webnn_vk__emit(c, WEBNN_SPIRV__FUNCTION_CALL, function->result, ids, count + 1);
  for (i = 0; i < count; i++) {
    if ((function->copied_out >> i & 1) && own[i].id != values[i].id) {
      webnn_vk__assign(c, &values[i], own[i]);
    }
  }
  return result;
}

/* name(...), of which the parenthesis is taken: of a function of the text, or a built-in one. Some
   arguments remain places; others are read at once, before a later one can change them. */
static webnn_vk__value webnn_vk__called(webnn_vk__compiler *c, const webnn_vk__name *name) {
  const webnn_vk__function *function = name->function;
  const webnn_vk__builtin *builtin =
      name->kind == WEBNN_VK__BUILTIN ? &webnn_vk__builtins[name->number] : NULL;
  webnn_vk__value values[WEBNN_VK__MOST_ARGUMENTS], value;
  uint32_t places, count = 0;
  if (function == NULL && builtin == NULL) {
    webnn_vk__complain_of(c, name, "is no function");
    return webnn_vk__no_value();
  }
  places = builtin != NULL ? builtin->places : function->copied_out;
  if (!webnn_vk__accept(c, ")")) {
    do {
      value = webnn_vk__expression(c, WEBNN_VK__ASSIGNMENTS);
      webnn_vk__require(c, "too many arguments", count < WEBNN_VK__MOST_ARGUMENTS);
      values[count % WEBNN_VK__MOST_ARGUMENTS] =
          (places >> count & 1) == 0 ? webnn_vk__load(c, value) : value;
      count++;
    } while (webnn_vk__accept(c, ","));
    webnn_vk__expect(c, ")");
  }
  if (count != (builtin != NULL ? builtin->count : function->parameter_count)) {
    webnn_vk__complain_of(c, name, "has another number of arguments");
  }
  return webnn_vk__failed(c)        ? webnn_vk__no_value()
         : builtin == NULL          ? webnn_vk__call(c, function, values)
         : builtin->special != NULL ? builtin->special(c, builtin->ops[0], values)
                                    : webnn_vk__by_row(c, builtin, values);
}

/* A variable that the device fills in, made when it is first named. */
static webnn_vk__value webnn_vk__input(webnn_vk__compiler *c, webnn_vk__name *name) {
  const uint32_t first_of_subgroups = 36;
  webnn_vk__symbol *symbol = name->symbol;
  if (symbol == NULL) {
    symbol = (webnn_vk__symbol *)webnn_vk__take(c, sizeof *symbol);
    if (symbol == NULL) {
      return webnn_vk__no_value();
    }
    symbol->value = webnn_vk__new_variable(c, name->type, WEBNN_VK__STORAGE_INPUT, NULL);
    symbol->value.read_only = true;
    webnn_vk__decorate_with(c, symbol->value.id, WEBNN_VK__IS_INPUT, name->number);
    webnn_vk__append(c, &c->inputs, &symbol->value.id, 1);
    c->needed |= name->number >= first_of_subgroups ? WEBNN_VK__NEEDS(SUBGROUPS) : 0;
    name->symbol = symbol;
  }
  return symbol->value;
}

static webnn_vk__value webnn_vk__primary(webnn_vk__compiler *c) {
  webnn_vk__name *name = c->token.name;
  webnn_vk__value value = webnn_vk__no_value();
  if (webnn_vk__is_type(c)) {
    value = webnn_vk__construct(c, webnn_vk__read_type(c));
  } else if (c->token.kind == WEBNN_VK__WORD && name->kind != WEBNN_VK__RESERVED) {
    webnn_vk__next(c);
    if (name->kind == WEBNN_VK__INPUT) {
      value = webnn_vk__input(c, name);
    } else if (name->kind == WEBNN_VK__NUMBER) {
      value = webnn_vk__of_bits(name->type, name->number);
    } else if (webnn_vk__accept(c, "(")) {
      value = webnn_vk__called(c, name);
    } else if (name->symbol != NULL) {
      value = name->symbol->value;
    } else {
      webnn_vk__complain_of(c, name, "is not declared");
    }
  } else if (c->token.kind == WEBNN_VK__LITERAL) {
    value = c->token.value;
    webnn_vk__next(c);
  } else if (webnn_vk__accept(c, "(")) {
    value = webnn_vk__expression(c, WEBNN_VK__ASSIGNMENTS);
    webnn_vk__expect(c, ")");
  } else {
    webnn_vk__expected(c, "an expression");
  }
  return value;
}

/* value[index] of an array or vector in memory. */
static webnn_vk__value webnn_vk__index(webnn_vk__compiler *c, webnn_vk__value value,
                                       webnn_vk__value index) {
  const webnn_vk__type type = value.type;
  const uint32_t length = type.length > 0 ? type.length : type.width;
  webnn_vk__require(c, "an index must be an integer",
                    webnn_vk__is_scalar(index.type) && webnn_vk__is_integer(index.type.base));
  webnn_vk__require(c, "only arrays and vectors in variables have elements",
                    value.kind == WEBNN_VK__PLACE &&
                        (type.length > 0 || (length > 1 && webnn_vk__is_plain(type))));
  webnn_vk__require(c, "an index is out of bounds",
                    index.kind != WEBNN_VK__CONSTANT || index.bits[0] < length);
  c->flow.effects += index.kind != WEBNN_VK__CONSTANT;
  return webnn_vk__select(value, webnn_vk__id(c, &index), webnn_vk__element(type));
}

/* .x of a value, of which the point is taken: of a place a place, too. */
static webnn_vk__value webnn_vk__field(webnn_vk__compiler *c, webnn_vk__value value) {
  static const char letters[] = "xyzw";
  const char *at = c->token.length == 1 ? strchr(letters, *c->token.text) : NULL;
  const uint32_t component = at != NULL ? (uint32_t)(at - letters) : UINT32_MAX;
  webnn_vk__next(c);
  webnn_vk__require(c, "this has no such component",
                    webnn_vk__is_plain(value.type) && value.type.width > 1 &&
                        component < value.type.width);
  return webnn_vk__failed(c) ? value
         : value.kind == WEBNN_VK__PLACE
             ? webnn_vk__index(c, value, webnn_vk__of_bits(WEBNN_VK__ONE(UINT), component))
             : webnn_vk__pick(c, value, component);
}

static webnn_vk__value webnn_vk__postfix(webnn_vk__compiler *c) {
  webnn_vk__value value = webnn_vk__primary(c);
  while (!webnn_vk__failed(c)) {
    const webnn_vk__operator *const op = c->token.op;
    if (webnn_vk__accept(c, "[")) {
      const webnn_vk__value index =
          webnn_vk__load(c, webnn_vk__expression(c, WEBNN_VK__ASSIGNMENTS));
      webnn_vk__expect(c, "]");
      value = webnn_vk__index(c, value, index);
    } else if (webnn_vk__accept(c, ".")) {
      value = webnn_vk__field(c, value);
    } else if (webnn_vk__accept(c, "++")) { /* what was there before */
      const uint32_t bits = webnn_vk__bits_of(value.type.base, 1);
      const webnn_vk__value place = value, one = webnn_vk__of_bits(value.type, bits);
      value = webnn_vk__load(c, place);
      webnn_vk__require(c, "this operator is not for this type", webnn_vk__is_scalar(value.type));
      webnn_vk__assign(c, &place, webnn_vk__binary(c, op, value, one));
    } else {
      break;
    }
  }
  return value;
}

/* - ! ~ before an operand, or none. */
static webnn_vk__value webnn_vk__prefix(webnn_vk__compiler *c) {
  const uint32_t count = sizeof webnn_vk__prefixes / sizeof *webnn_vk__prefixes;
  webnn_vk__value value;
  uint32_t flipped, base, i = 0, k;
  int32_t op;
  while (i < count && !webnn_vk__accept(c, webnn_vk__prefixes[i].sign)) {
    i++;
  }
  if (i == count) {
    return webnn_vk__postfix(c);
  }
  value = webnn_vk__load(c, webnn_vk__expression(c, WEBNN_VK__PREFIXES));
  base = value.type.base;
  op = webnn_vk__instruction(webnn_vk__prefixes[i].ops, base);
  webnn_vk__require(c, "this operator is not for this type",
                    op != 0 && webnn_vk__is_plain(value.type));
  if (value.kind != WEBNN_VK__CONSTANT) {
    return webnn_vk__apply(c, op, value.type, &value, 1);
  }
  flipped = base == WEBNN_VK__BOOL    ? 1
            : base == WEBNN_VK__FLOAT ? 0x80000000u
            : base == WEBNN_VK__HALF  ? 0x8000u
                                      : UINT32_MAX;
  for (k = 0; k < 4; k++) { /* of integers, -x is ~x + 1 */
    value.bits[k] = (value.bits[k] ^ flipped) + (op == WEBNN_SPIRV__S_NEGATE);
  }
  return value;
}

/* A flow for what is run only if a condition holds, or only if it does not. Unless that is known
   here, its words begin a block. */
static webnn_vk__flow webnn_vk__new_side(webnn_vk__compiler *c, const webnn_vk__value *condition) {
  webnn_vk__flow side = WEBNN_ZERO;
  side.label = condition->kind == WEBNN_VK__CONSTANT ? 0 : webnn_vk__new_id(c);
  side.block = side.label > 0 ? side.label : c->flow.block;
  return side;
}

/* What is run if the condition holds, and what is if it does not. Where that is known, the other is
   gone; else the ways part here, and meet again behind both. */
static void webnn_vk__run_either(webnn_vk__compiler *c, const webnn_vk__value *condition,
                                 const webnn_vk__flow *sides) {
  uint32_t merge, i;
  if (condition->kind == WEBNN_VK__CONSTANT) {
    webnn_vk__append_flow(c, &sides[condition->bits[0] == 0]);
    return;
  }
  merge = webnn_vk__new_id(c);
  webnn_vk__write(c, &c->flow.body, WEBNN_SPIRV__SELECTION_MERGE, 2, merge, 0u);
  webnn_vk__branch_on(c, webnn_vk__id(c, condition), sides[0].label > 0 ? sides[0].label : merge,
                      sides[1].label > 0 ? sides[1].label : merge);
  for (i = 0; i < 2; i++) {
    if (sides[i].label > 0) {
      webnn_vk__begin_block(c, sides[i].label);
      webnn_vk__append_flow(c, &sides[i]);
      webnn_vk__branch(c, merge);
    }
  }
  webnn_vk__begin_block(c, merge);
}

/* Reads an operand that is not always run, whose words go to a side. */
static webnn_vk__value webnn_vk__read_side(webnn_vk__compiler *c, webnn_vk__flow *side,
                                           uint32_t least) {
  webnn_vk__value value;
  webnn_vk__swap_flow(c, side);
  value = webnn_vk__load(c, webnn_vk__expression(c, least));
  webnn_vk__swap_flow(c, side);
  return value;
}

/* condition ? a : b, condition && b and condition || b, of which the sign is taken: the second is
   condition ? b : false, the third condition ? true : b. */
static webnn_vk__value webnn_vk__choice(webnn_vk__compiler *c, const webnn_vk__operator *op,
                                        webnn_vk__value condition) {
  const bool both = *op->sign == '?', known = condition.kind == WEBNN_VK__CONSTANT;
  const uint32_t block = c->flow.block, first = *op->sign == '|', other = !first;
  webnn_vk__flow sides[2] = WEBNN_ZERO;
  webnn_vk__value values[2];
  uint32_t phi[4];
  sides[first] = webnn_vk__new_side(c, &condition);
  values[first] = webnn_vk__read_side(c, &sides[first],
                                      both ? (uint32_t)WEBNN_VK__ASSIGNMENTS : op->precedence + 1u);
  sides[other].block = block;
  values[other] = webnn_vk__of_bits(WEBNN_VK__ONE(BOOL), first);
  if (both) {
    webnn_vk__expect(c, ":");
    sides[1] = webnn_vk__new_side(c, &condition);
    values[1] = webnn_vk__read_side(c, &sides[1], WEBNN_VK__CHOICES);
  }
  webnn_vk__require(c, "these types do not go together",
                    webnn_vk__same(values[0].type, values[1].type) &&
                        values[0].type.base != WEBNN_VK__VOID);
  if (!known && webnn_vk__is_plain(values[0].type) && sides[0].effects + sides[1].effects == 0) {
    webnn_vk__append_flow(c, &sides[first]);
    webnn_vk__append_flow(c, &sides[other]);
    c->flow.block = block;
    return both ? webnn_vk__choose(c, condition, values[0], values[1])
                : webnn_vk__binary(c, op, condition, values[first]);
  }
  webnn_vk__run_either(c, &condition, sides);
  if (known) {
    return values[condition.bits[0] == 0];
  }
  c->flow.effects++;
  phi[0] = webnn_vk__id(c, &values[0]);
  phi[1] = sides[0].block;
  phi[2] = webnn_vk__id(c, &values[1]);
  phi[3] = sides[1].block;
  return webnn_vk__emit(c, WEBNN_SPIRV__PHI, values[0].type, phi, 4);
}

/* left op ..., or left op= ..., of which the sign is taken. */
static webnn_vk__value webnn_vk__operation(webnn_vk__compiler *c, const webnn_vk__operator *op,
                                           uint32_t precedence, webnn_vk__value left) {
  webnn_vk__value right;
  if (precedence == WEBNN_VK__ASSIGNMENTS) {
    right = webnn_vk__load(c, webnn_vk__expression(c, precedence));
    if (op->precedence != precedence) {
      right = webnn_vk__binary(c, op, webnn_vk__load(c, left), right);
    }
    webnn_vk__assign(c, &left, right);
    return right;
  }
  if (precedence <= WEBNN_VK__CONJUNCTIONS) {
    return webnn_vk__choice(c, op, webnn_vk__as(c, left, WEBNN_VK__ONE(BOOL)));
  }
  left = webnn_vk__load(c, left);
  right = webnn_vk__load(c, webnn_vk__expression(c, precedence + 1));
  return webnn_vk__binary(c, op, left, right);
}

/* An expression with operators that bind at least so closely. */
static webnn_vk__value webnn_vk__expression(webnn_vk__compiler *c, uint32_t least) {
  webnn_vk__value left = webnn_vk__enter(c) ? webnn_vk__prefix(c) : webnn_vk__no_value();
  while (c->token.precedence >= least && !webnn_vk__failed(c)) {
    const webnn_vk__operator *const op = c->token.op;
    const uint32_t precedence = c->token.precedence;
    webnn_vk__next(c);
    left = webnn_vk__operation(c, op, precedence, left);
  }
  c->depth--;
  return left;
}

/* ---- Declarations --------------------------------------------------------------------------- */

/* From now on the name means this, until the scope ends. */
static void webnn_vk__declare(webnn_vk__compiler *c, webnn_vk__name *name,
                              const webnn_vk__value *value) {
  const webnn_vk__symbol made = {name, name->symbol, c->symbols, c->scope, *value};
  webnn_vk__symbol *symbol = (webnn_vk__symbol *)webnn_vk__take(c, sizeof *symbol);
  if (symbol == NULL) {
    return;
  }
  if ((name->symbol != NULL && name->symbol->scope == c->scope) ||
      (name->function != NULL && c->scope == 0)) {
    webnn_vk__complain_of(c, name, "is declared twice");
  }
  *symbol = made;
  name->symbol = symbol;
  c->symbols = symbol;
}

/* The names that were declared in the innermost scope mean what they did before. */
static void webnn_vk__end_scope(webnn_vk__compiler *c) {
  while (c->symbols != NULL && c->symbols->scope == c->scope) {
    c->symbols->name->symbol = c->symbols->outer;
    c->symbols = c->symbols->previous;
  }
  c->scope--;
}

/* One name of a declaration, after its type: [N] = value. What is const and known here is no
   variable at all. */
static void webnn_vk__declare_one(webnn_vk__compiler *c, webnn_vk__name *name, webnn_vk__type type,
                                  bool is_const, uint32_t storage) {
  webnn_vk__value value = webnn_vk__no_value();
  bool has_value, known;
  type = webnn_vk__array_suffix(c, type, true);
  has_value = webnn_vk__accept(c, "=");
  if (has_value) {
    value = webnn_vk__expression_of(c, type);
  }
  known = is_const && value.kind == WEBNN_VK__CONSTANT;
  webnn_vk__require(c, "a constant needs a value", has_value || !is_const);
  webnn_vk__require(c, "outside of functions only constants can have values",
                    known || !has_value || storage == WEBNN_VK__STORAGE_FUNCTION);
  if (!known) {
    value = webnn_vk__new_variable(c, type, storage, has_value ? &value : NULL);
    value.read_only = is_const;
  }
  webnn_vk__declare(c, name, &value);
}

static void webnn_vk__function_definition(webnn_vk__compiler *c, webnn_vk__type result,
                                          webnn_vk__name *name);

/* [const] T a = 1, b[2]; of the function or of the module, or T name(...) { ... } there. */
static void webnn_vk__declaration(webnn_vk__compiler *c, uint32_t storage) {
  const bool is_const = storage != WEBNN_VK__STORAGE_SHARED && webnn_vk__accept(c, "const");
  const webnn_vk__type type = webnn_vk__read_type(c);
  do {
    webnn_vk__name *name = webnn_vk__expect_name(c);
    if (storage == WEBNN_VK__STORAGE_PRIVATE && !is_const && webnn_vk__accept(c, "(")) {
      webnn_vk__function_definition(c, type, name);
      return;
    }
    webnn_vk__declare_one(c, name, type, is_const, storage);
  } while (webnn_vk__accept(c, ","));
  webnn_vk__expect(c, ";");
}

/* T a[]; of a buffer, its elements as far from each other as std430 says: vectors of three like
   those of four; or a number of push constants. Returns the id of the member's type. */
static uint32_t webnn_vk__member(webnn_vk__compiler *c, webnn_vk__value block, uint32_t number) {
  const webnn_vk__type element = webnn_vk__read_type(c);
  webnn_vk__name *name = webnn_vk__expect_name(c);
  const webnn_vk__type type = webnn_vk__array_suffix(c, element, false);
  const uint32_t base = type.base, width = type.width;
  const bool pushed = block.storage == WEBNN_VK__STORAGE_PUSH;
  uint32_t type_id;
  webnn_vk__expect(c, ";");
  webnn_vk__require(c, "this cannot be a member of such a block",
                    (webnn_vk__is_integer(base) || base == WEBNN_VK__FLOAT) &&
                        (pushed ? webnn_vk__is_scalar(type) : type.length == WEBNN_VK__RUNTIME));
  block = webnn_vk__select(block, webnn_vk__uint_id(c, number), type);
  webnn_vk__declare(c, name, &block);
  type_id = webnn_vk__type_id(c, webnn_vk__element(type));
  if (!pushed) {
    type_id = webnn_vk__instruct(c, &c->globals, WEBNN_SPIRV__TYPE_RUNTIME_ARRAY, 0, &type_id, 1);
    webnn_vk__decorate_with(c, type_id, WEBNN_VK__HAS_ARRAY_STRIDE, 4 * (width == 3 ? 4 : width));
  }
  return type_id;
}

/* [readonly] buffer NAME { ... }; or uniform NAME { ... }; after the layout. */
static void webnn_vk__block_declaration(webnn_vk__compiler *c, bool pushed, uint32_t binding) {
  const uint32_t storage = pushed ? WEBNN_VK__STORAGE_PUSH : WEBNN_VK__STORAGE_BUFFER;
  const uint32_t id = webnn_vk__new_id(c);
  webnn_vk__value block = webnn_vk__of_variable(WEBNN_VK__ONE(VOID), storage, id);
  uint32_t type_ids[WEBNN_VK__PUSHES], count = 0, struct_id, i;
  block.read_only = webnn_vk__accept(c, "readonly") || pushed;
  webnn_vk__expect(c, pushed ? "uniform" : "buffer");
  webnn_vk__expect_name(c);
  webnn_vk__expect(c, "{");
  do {
    type_ids[count] = webnn_vk__member(c, block, count);
    count++;
  } while (pushed && count < WEBNN_VK__PUSHES && !webnn_vk__is(c, "}"));
  webnn_vk__expect(c, "} ;");
  struct_id = webnn_vk__instruct(c, &c->globals, WEBNN_SPIRV__TYPE_STRUCT, 0, type_ids, count);
  webnn_vk__write(c, &c->globals, WEBNN_SPIRV__VARIABLE, 3,
                  webnn_vk__pointer_to(c, storage, struct_id), id, storage);
  webnn_vk__write(c, &c->decorations, WEBNN_SPIRV__DECORATE, 2, struct_id,
                  (uint32_t)WEBNN_VK__IS_BLOCK);
  for (i = 0; i < count; i++) {
    webnn_vk__write(c, &c->decorations, WEBNN_SPIRV__MEMBER_DECORATE, 4, struct_id, i,
                    (uint32_t)WEBNN_VK__HAS_OFFSET, 4 * i);
  }
  if (block.read_only && !pushed) {
    webnn_vk__write(c, &c->decorations, WEBNN_SPIRV__MEMBER_DECORATE, 3, struct_id, 0u,
                    (uint32_t)WEBNN_VK__IS_NON_WRITABLE);
  }
  if (!pushed) {
    webnn_vk__decorate_with(c, id, WEBNN_VK__HAS_SET, 0);
    webnn_vk__decorate_with(c, id, WEBNN_VK__HAS_BINDING, binding);
  }
}

/* layout(local_size_x = N) in; layout(push_constant) or layout(std430, set = 0, binding = N) and a
   block. The word is taken. */
static void webnn_vk__layout_declaration(webnn_vk__compiler *c) {
  const char *const what = "a layout needs a number";
  uint32_t binding = 0;
  bool pushed;
  webnn_vk__expect(c, "(");
  if (webnn_vk__accept(c, "local_size_x")) {
    webnn_vk__expect(c, "=");
    c->local_size = webnn_vk__known_number(c, WEBNN_VK__CHOICES, 1, 65535, what);
    webnn_vk__expect(c, ") in ;");
    return;
  }
  pushed = webnn_vk__accept(c, "push_constant");
  if (!pushed) {
    webnn_vk__expect(c, "std430 , set = 0 , binding =");
    binding = webnn_vk__known_number(c, WEBNN_VK__CHOICES, 0, 65535, what);
  }
  webnn_vk__expect(c, ")");
  webnn_vk__block_declaration(c, pushed, binding);
}

/* ---- Statements -----------------------------------------------------------------------------

   Blocks of SPIR-V are structured: where ways part, it is said where they meet again. A block whose
   end is written is `terminated`; what the text has behind that is never run, and left out. */

static void webnn_vk__statement(webnn_vk__compiler *c);

/* A statement with a scope of its own. */
static void webnn_vk__scoped(webnn_vk__compiler *c) {
  c->scope++;
  webnn_vk__statement(c);
  webnn_vk__end_scope(c);
}

/* Statements and "}"; the "{" is taken. */
static void webnn_vk__statements(webnn_vk__compiler *c) {
  c->scope++;
  while (!webnn_vk__is(c, "}") && c->token.kind != WEBNN_VK__END) {
    webnn_vk__statement(c);
  }
  webnn_vk__expect(c, "}");
  webnn_vk__end_scope(c);
}

/* if (...), of which the word is taken. */
static void webnn_vk__if(webnn_vk__compiler *c) {
  webnn_vk__flow sides[2] = WEBNN_ZERO;
  webnn_vk__value condition;
  uint32_t i;
  webnn_vk__expect(c, "(");
  condition = webnn_vk__expression_of(c, WEBNN_VK__ONE(BOOL));
  webnn_vk__expect(c, ")");
  sides[1].block = c->flow.block;
  for (i = 0; i < 2 && (i == 0 || webnn_vk__accept(c, "else")); i++) {
    sides[i] = webnn_vk__new_side(c, &condition);
    webnn_vk__swap_flow(c, &sides[i]);
    webnn_vk__scoped(c);
    webnn_vk__swap_flow(c, &sides[i]);
  }
  webnn_vk__run_either(c, &condition, sides);
}

/* A declaration, an expression or nothing, and ";". */
static void webnn_vk__simple_statement(webnn_vk__compiler *c) {
  if (webnn_vk__is_type(c) || webnn_vk__is(c, "const")) {
    webnn_vk__declaration(c, WEBNN_VK__STORAGE_FUNCTION);
  } else if (!webnn_vk__accept(c, ";")) {
    webnn_vk__expression(c, WEBNN_VK__ASSIGNMENTS);
    webnn_vk__expect(c, ";");
  }
}

/* for (...; ...; ...): the head, which says where the step is and where the loop ends; the test;
   the body; the step, which is read before the body and written behind it. */
static void webnn_vk__loop(webnn_vk__compiler *c, uint32_t control) {
  const uint32_t head = webnn_vk__new_id(c), test = webnn_vk__new_id(c), body = webnn_vk__new_id(c);
  const uint32_t behind = webnn_vk__new_id(c), step = webnn_vk__new_id(c);
  webnn_vk__value condition = webnn_vk__of_bits(WEBNN_VK__ONE(BOOL), 1);
  webnn_vk__flow step_flow = WEBNN_ZERO;
  c->scope++;
  webnn_vk__next(c);
  webnn_vk__expect(c, "(");
  webnn_vk__simple_statement(c);
  webnn_vk__begin_block(c, head);
  webnn_vk__write(c, &c->flow.body, WEBNN_SPIRV__LOOP_MERGE, 3, behind, step, control);
  webnn_vk__begin_block(c, test);
  if (!webnn_vk__is(c, ";")) {
    condition = webnn_vk__expression_of(c, WEBNN_VK__ONE(BOOL));
  }
  webnn_vk__branch_on(c, webnn_vk__id(c, &condition), body, behind);
  webnn_vk__expect(c, ";");
  step_flow.block = step;
  webnn_vk__swap_flow(c, &step_flow);
  if (!webnn_vk__is(c, ")")) {
    webnn_vk__expression(c, WEBNN_VK__ASSIGNMENTS);
  }
  webnn_vk__swap_flow(c, &step_flow);
  webnn_vk__expect(c, ")");
  webnn_vk__begin_block(c, body);
  webnn_vk__scoped(c);
  webnn_vk__begin_block(c, step);
  webnn_vk__append_flow(c, &step_flow);
  webnn_vk__branch(c, head);
  webnn_vk__begin_block(c, behind);
  webnn_vk__end_scope(c);
}

/* return ..., of which the word is taken. */
static void webnn_vk__return(webnn_vk__compiler *c) {
  const webnn_vk__type type = c->function->result;
  if (type.base == WEBNN_VK__VOID) {
    webnn_vk__write(c, &c->flow.body, WEBNN_SPIRV__RETURN, 0);
  } else {
    const webnn_vk__value value = webnn_vk__expression_of(c, type);
    webnn_vk__write(c, &c->flow.body, WEBNN_SPIRV__RETURN_VALUE, 1, webnn_vk__id(c, &value));
  }
  webnn_vk__expect(c, ";");
  c->flow.effects++;
  c->flow.terminated = true;
}

/* A statement; one that is never run is checked, and gone. */
static void webnn_vk__statement(webnn_vk__compiler *c) {
  const webnn_vk__flow before = c->flow;
  const uint32_t unroll = 1, dont_unroll = 2;
  uint32_t control = 0;
  c->flow.terminated = false;
  if (webnn_vk__accept(c, "[")) { /* before a loop */
    webnn_vk__expect(c, "[");
    control = webnn_vk__is(c, "unroll") ? unroll : dont_unroll;
    webnn_vk__expect(c, control == unroll ? "unroll ] ]" : "dont_unroll ] ]");
    webnn_vk__require(c, "what is unrolled must be a loop", webnn_vk__is(c, "for"));
  }
  webnn_vk__enter(c);
  if (webnn_vk__accept(c, "if")) {
    webnn_vk__if(c);
  } else if (webnn_vk__is(c, "for")) {
    webnn_vk__loop(c, control);
  } else if (webnn_vk__accept(c, "return")) {
    webnn_vk__return(c);
  } else if (webnn_vk__accept(c, "{")) {
    webnn_vk__statements(c);
  } else {
    webnn_vk__simple_statement(c);
  }
  c->depth--;
  if (before.terminated) {
    c->flow = before;
  }
}

/* ---- Functions ------------------------------------------------------------------------------ */

/* A parameter. One by value becomes a variable, which the function may change for itself; what
   others are is copied in and out by the caller. */
static void webnn_vk__parameter(webnn_vk__compiler *c, webnn_vk__function *function) {
  const uint32_t index = function->parameter_count;
  const bool out = webnn_vk__accept(c, "out"), inout = !out && webnn_vk__accept(c, "inout");
  webnn_vk__type type = webnn_vk__read_type(c);
  webnn_vk__name *name = webnn_vk__expect_name(c);
  webnn_vk__value place, value;
  uint32_t type_id, id;
  type = webnn_vk__array_suffix(c, type, true);
  webnn_vk__require(c, "too many parameters", index < WEBNN_VK__MOST_ARGUMENTS);
  if (webnn_vk__failed(c)) {
    return;
  }
  type_id = webnn_vk__type_id(c, type);
  if (out || inout) {
    type_id = webnn_vk__pointer_to(c, WEBNN_VK__STORAGE_FUNCTION, type_id);
  }
  id = webnn_vk__instruct(c, &c->parameters, WEBNN_SPIRV__FUNCTION_PARAMETER, type_id, NULL, 0);
  function->parameters[index] = type;
  function->type_ids[1 + index] = type_id;
  function->parameter_count++;
  function->copied_in |= (uint32_t)!out << index;
  function->copied_out |= (uint32_t)(out || inout) << index;
  value = webnn_vk__of_id(type, id);
  place = out || inout ? webnn_vk__of_variable(type, WEBNN_VK__STORAGE_FUNCTION, id)
                       : webnn_vk__new_variable(c, type, WEBNN_VK__STORAGE_FUNCTION, &value);
  webnn_vk__declare(c, name, &place);
}

/* The words of a function, whose parts were kept apart till now. */
static void webnn_vk__write_function(webnn_vk__compiler *c, webnn_vk__function *function) {
  const uint32_t type_id = webnn_vk__intern(c, WEBNN_SPIRV__TYPE_FUNCTION, 0, function->type_ids,
                                            1 + function->parameter_count);
  if (!c->flow.terminated) {
    webnn_vk__require(c, "the function ends without a value",
                      function->result.base == WEBNN_VK__VOID);
    webnn_vk__write(c, &c->flow.body, WEBNN_SPIRV__RETURN, 0);
  }
  function->begin = c->functions.count;
  webnn_vk__write(c, &c->functions, WEBNN_SPIRV__FUNCTION, 4, function->type_ids[0], function->id,
                  0u, type_id);
  webnn_vk__append(c, &c->functions, c->parameters.data, c->parameters.count);
  webnn_vk__append(c, &c->functions, c->variables.data, c->variables.count);
  webnn_vk__append(c, &c->functions, c->flow.body.data, c->flow.body.count);
  webnn_vk__write(c, &c->functions, WEBNN_SPIRV__FUNCTION_END, 0);
  function->end = c->functions.count;
  function->previous = c->functions_defined;
  c->functions_defined = function;
}

/* T name(...) { ... }, of which the parenthesis is taken. */
static void webnn_vk__function_definition(webnn_vk__compiler *c, webnn_vk__type result,
                                          webnn_vk__name *name) {
  webnn_vk__function *function = (webnn_vk__function *)webnn_vk__take(c, sizeof *function);
  const bool is_taken = name->function != NULL || name->symbol != NULL;
  const webnn_vk__flow fresh = WEBNN_ZERO;
  if (function == NULL) {
    return;
  }
  c->flow = fresh;
  c->flow.block = webnn_vk__new_id(c);
  function->result = result;
  function->type_ids[0] = webnn_vk__type_id(c, result);
  function->id = webnn_vk__new_id(c);
  c->function = function;
  c->parameters.count = c->variables.count = 0;
  webnn_vk__write(c, &c->variables, WEBNN_SPIRV__LABEL, 1, c->flow.block);
  c->scope++;
  if (!webnn_vk__accept(c, ")")) {
    do {
      webnn_vk__parameter(c, function);
    } while (webnn_vk__accept(c, ","));
    webnn_vk__expect(c, ")");
  }
  if (is_taken) {
    webnn_vk__complain_of(c, name, "is defined twice");
  }
  webnn_vk__expect(c, "{");
  webnn_vk__statements(c);
  webnn_vk__end_scope(c);
  webnn_vk__write_function(c, function);
  name->function = function;
  if (name->length == 4 && memcmp(name->text, "main", 4) == 0) {
    webnn_vk__require(c, "main must be void main()",
                      result.base == WEBNN_VK__VOID && function->parameter_count == 0);
    c->entry_point = function->id;
  }
}

/* ---- The module ----------------------------------------------------------------------------- */

typedef struct webnn_vk__given_word {
  const char *text; /* one word, or several with blanks between them */
  webnn_vk__word_kind kind;
  webnn_vk__type type; /* of types each word is a vector of one more */
  uint32_t number;     /* of each word one more */
} webnn_vk__given_word;

/* clang-format off */
static const webnn_vk__given_word webnn_vk__given_words[] = {
    {"const in out inout if else for return layout buffer uniform shared readonly",
     WEBNN_VK__RESERVED, {WEBNN_VK__VOID, 0, 0}, 0},
    {"void", WEBNN_VK__TYPE, {WEBNN_VK__VOID, 1, 0}, 0},
    {"bool", WEBNN_VK__TYPE, {WEBNN_VK__BOOL, 1, 0}, 0},
    {"float16_t f16vec2", WEBNN_VK__TYPE, {WEBNN_VK__HALF, 1, 0}, 0},
    {"int8_t", WEBNN_VK__TYPE, {WEBNN_VK__BYTE, 1, 0}, 0},
    {"int ivec2 ivec3 ivec4", WEBNN_VK__TYPE, {WEBNN_VK__INT, 1, 0}, 0},
    {"uint uvec2 uvec3 uvec4", WEBNN_VK__TYPE, {WEBNN_VK__UINT, 1, 0}, 0},
    {"float vec2 vec3 vec4", WEBNN_VK__TYPE, {WEBNN_VK__FLOAT, 1, 0}, 0},
    {"coopmat", WEBNN_VK__TYPE, {WEBNN_VK__MATRIX, 0, 0}, 0},
    {"gl_NumWorkGroups", WEBNN_VK__INPUT, {WEBNN_VK__UINT, 3, 0}, 24},
    {"gl_WorkGroupID gl_LocalInvocationID gl_GlobalInvocationID",
     WEBNN_VK__INPUT, {WEBNN_VK__UINT, 3, 0}, 26},
    {"gl_LocalInvocationIndex", WEBNN_VK__INPUT, {WEBNN_VK__UINT, 1, 0}, 29},
    {"gl_SubgroupID gl_SubgroupInvocationID", WEBNN_VK__INPUT, {WEBNN_VK__UINT, 1, 0}, 40},
    {"false true", WEBNN_VK__NUMBER, {WEBNN_VK__BOOL, 1, 0}, 0},
    {"gl_ScopeSubgroup", WEBNN_VK__NUMBER, {WEBNN_VK__INT, 1, 0}, WEBNN_VK__SCOPE_SUBGROUP},
    {"gl_MatrixUseA gl_MatrixUseB gl_MatrixUseAccumulator",
     WEBNN_VK__NUMBER, {WEBNN_VK__INT, 1, 0}, 0},
    {"gl_CooperativeMatrixLayoutRowMajor gl_CooperativeMatrixLayoutColumnMajor",
     WEBNN_VK__NUMBER, {WEBNN_VK__INT, 1, 0}, 0}};
/* clang-format on */

/* The words mean this from now on. */
static void webnn_vk__add_words(webnn_vk__compiler *c, webnn_vk__given_word given) {
  while (*given.text != 0) {
    const size_t length = strcspn(given.text, " ");
    webnn_vk__name *name = webnn_vk__find_name(c, given.text, length);
    name->kind = given.kind;
    name->type = given.type;
    name->number = given.number++;
    given.text += length + (given.text[length] == ' ');
    given.type.width += given.kind == WEBNN_VK__TYPE;
  }
}

/* Is this arithmetic on floats, which must be done as it is written? Of the extended set fma is. */
static bool webnn_vk__is_arithmetic(const uint32_t *instruction) {
  const uint32_t op = instruction[0] & 0xffff, fma = 50;
  return op == WEBNN_SPIRV__F_NEGATE || op == WEBNN_SPIRV__F_ADD || op == WEBNN_SPIRV__F_SUB ||
         op == WEBNN_SPIRV__F_MUL || op == WEBNN_SPIRV__F_DIV ||
         (op == WEBNN_SPIRV__EXT_INST && instruction[4] == fma);
}

/* The functions that main reaches: what they compute with floats is decorated, and dot products
   need capabilities. All that a function calls is defined before it, so one way back through them
   is enough. */
static void webnn_vk__reach(webnn_vk__compiler *c, webnn_vk__words *functions) {
  uint8_t *reached = (uint8_t *)webnn_vk__take(c, (uint64_t)c->last_id + 1); /* by id */
  const webnn_vk__function *function;
  size_t at;
  if (reached == NULL) {
    return;
  }
  reached[c->entry_point] = 1;
  for (function = c->functions_defined; function != NULL; function = function->previous) {
    const size_t end = reached[function->id] ? function->end : function->begin;
    webnn_vk__append(c, functions, c->functions.data + function->begin, end - function->begin);
    for (at = function->begin; at < end; at += c->functions.data[at] >> 16) {
      const uint32_t *instruction = c->functions.data + at;
      if ((instruction[0] & 0xffff) == WEBNN_SPIRV__FUNCTION_CALL) {
        reached[instruction[3]] = 1;
      } else if ((instruction[0] & 0xffff) == WEBNN_SPIRV__PACKED_DOT) {
        c->needed |= WEBNN_VK__NEEDS(PACKED_DOTS) | WEBNN_VK__NEEDS(DOTS);
      } else if (webnn_vk__is_arithmetic(instruction)) {
        webnn_vk__write(c, &c->decorations, WEBNN_SPIRV__DECORATE, 2, instruction[2],
                        (uint32_t)WEBNN_VK__NO_CONTRACTION);
      }
    }
  }
}

/* How main is run: in groups of which size, and with which arithmetic. */
static void webnn_vk__execution_modes(webnn_vk__compiler *c, webnn_vk__words *modes) {
  static const uint32_t numbers[3] = {4459, 4461, 4462}; /* and so in order what they need */
  const webnn_vk__compile_options *o = c->options;
  const bool wanted[6] = {o->subnormals_32, o->subnormals_16,   o->preserve_32,
                          o->preserve_16,   o->rounding_rte_32, o->rounding_rte_16};
  uint32_t i;
  webnn_vk__write(c, modes, WEBNN_SPIRV__EXECUTION_MODE, 5, c->entry_point, 17u, c->local_size, 1u,
                  1u);
  for (i = 0; i < 6; i++) {
    if (wanted[i] && (i % 2 == 0 || (c->needed & WEBNN_VK__NEEDS(HALF)) != 0)) {
      c->needed |= WEBNN_VK__NEEDS(SUBNORMALS) << i / 2;
      webnn_vk__write(c, modes, WEBNN_SPIRV__EXECUTION_MODE, 3, c->entry_point, numbers[i / 2],
                      i % 2 == 0 ? 32u : 16u);
    }
  }
}

/* The sections together. */
static void webnn_vk__assemble(webnn_vk__compiler *c, webnn_vk__words *module) {
  const uint32_t magic = 0x07230203u, version = 0x00010300u, compute = 5;
  const uint32_t simple = 1, vulkan = 3; /* models of memory */
  const uint32_t header[5] = {magic, version, 0, c->last_id + 1, 0};
  webnn_vk__words modes = WEBNN_ZERO, functions = WEBNN_ZERO;
  const char *extension, *last = "";
  uint32_t i;
  webnn_vk__reach(c, &functions);
  webnn_vk__execution_modes(c, &modes);
  webnn_vk__append(c, module, header, 5);
  for (i = 0; i < WEBNN_VK__CAPABILITY_COUNT; i++) {
    if (c->needed >> i & 1) {
      webnn_vk__write(c, module, WEBNN_SPIRV__CAPABILITY, 1, webnn_vk__capabilities[i].number);
    }
  }
  for (i = 0; i < WEBNN_VK__CAPABILITY_COUNT; i++) {
    extension = webnn_vk__capabilities[i].extension;
    if ((c->needed >> i & 1) && extension != NULL && strcmp(extension, last) != 0) {
      webnn_vk__write(c, module, WEBNN_SPIRV__EXTENSION, 0);
      webnn_vk__lengthen_by_text(c, module, extension);
      last = extension;
    }
  }
  webnn_vk__write(c, module, WEBNN_SPIRV__EXT_INST_IMPORT, 1, c->glsl_set);
  webnn_vk__lengthen_by_text(c, module, "GLSL.std.450");
  webnn_vk__write(c, module, WEBNN_SPIRV__MEMORY_MODEL, 2, 0u,
                  webnn_vk__has_vulkan_memory(c) ? vulkan : simple);
  webnn_vk__write(c, module, WEBNN_SPIRV__ENTRY_POINT, 2, compute, c->entry_point);
  webnn_vk__lengthen_by_text(c, module, "main");
  webnn_vk__lengthen(c, module, c->inputs.data, c->inputs.count);
  webnn_vk__append(c, module, modes.data, modes.count);
  webnn_vk__append(c, module, c->decorations.data, c->decorations.count);
  webnn_vk__append(c, module, c->globals.data, c->globals.count);
  webnn_vk__append(c, module, functions.data, functions.count);
}

static void webnn_vk__read_kernel(webnn_vk__compiler *c, const char *text) {
  uint32_t i;
  c->sources[0].at = text;
  c->sources[0].end = text + strlen(text);
  c->source_count = 1;
  c->line = 1;
  c->local_size = 1;
  c->glsl_set = webnn_vk__new_id(c);
  c->needed = WEBNN_VK__NEEDS(SHADERS);
  for (i = 0; i < sizeof webnn_vk__given_words / sizeof *webnn_vk__given_words; i++) {
    webnn_vk__add_words(c, webnn_vk__given_words[i]);
  }
  for (i = 0; i < sizeof webnn_vk__builtins / sizeof *webnn_vk__builtins; i++) {
    const webnn_vk__given_word word = {
        webnn_vk__builtins[i].name, WEBNN_VK__BUILTIN, {WEBNN_VK__VOID, 0, 0}, i};
    webnn_vk__add_words(c, word);
  }
  webnn_vk__next(c);
  while (c->token.kind != WEBNN_VK__END) {
    if (webnn_vk__accept(c, "layout")) {
      webnn_vk__layout_declaration(c);
    } else {
      webnn_vk__declaration(c, webnn_vk__accept(c, "shared") ? (uint32_t)WEBNN_VK__STORAGE_SHARED
                                                             : (uint32_t)WEBNN_VK__STORAGE_PRIVATE);
    }
  }
  if (c->entry_point == 0) {
    webnn_vk__expected(c, "void main()");
  }
}

static webnn_status webnn_vk__compile_kernel(const webnn_allocator *allocator, const char *text,
                                             const webnn_vk__compile_options *options,
                                             uint32_t **words, size_t *word_count,
                                             webnn_error *error) {
  const uint64_t host = webnn__enter_environment();
  webnn_vk__compiler *c = (webnn_vk__compiler *)webnn__allocate_zeroed(allocator, sizeof *c);
  webnn_vk__words module = WEBNN_ZERO;
  webnn_status status;
  *words = NULL;
  *word_count = 0;
  if (c == NULL) {
    webnn__leave_environment(host);
    return webnn__out_of_memory(error, "kernel");
  }
  c->arena.allocator = allocator;
  c->options = options;
  c->error = error;
  webnn_vk__read_kernel(c, text);
  webnn_vk__assemble(c, &module);
  if (!webnn_vk__failed(c)) {
    *words = (uint32_t *)webnn__allocate(allocator, (uint64_t)module.count * sizeof **words);
  }
  if (*words != NULL) {
    *word_count = module.count;
    memcpy(*words, module.data, module.count * sizeof **words);
  } else if (!webnn_vk__failed(c)) {
    webnn_vk__stop(c, webnn__out_of_memory(error, "kernel"));
  }
  status = c->status;
  webnn__arena_release(&c->arena);
  webnn__release(allocator, c);
  webnn__leave_environment(host);
  return status;
}

#endif /* WEBNN_VULKAN_IMPLEMENTATION */

/* MIT No Attribution

   Copyright 2026 the webnn.h authors

   Permission is hereby granted, free of charge, to any person obtaining a copy of this software and
   associated documentation files (the "Software"), to deal in the Software without restriction,
   including without limitation the rights to use, copy, modify, merge, publish, distribute,
   sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is
   furnished to do so.

   THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT
   NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
   NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM,
   DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
   OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE. */
