/* webnn_vulkan.h: WebNN graphs on any device with a Vulkan driver.

   A companion of webnn.h. In one file of the program:

       #define WEBNN_IMPLEMENTATION
       #include "webnn.h"
       #define WEBNN_VULKAN_IMPLEMENTATION
       #include "webnn_vulkan.h"

   Other files that use what is declared here include it after webnn.h without the macros. To
   compile it needs the Vulkan headers (1.3.239 or newer), to run a driver for Vulkan 1.1; nothing is
   linked, the loader is opened when a context is created. Then

       webnn_context_options options = WEBNN_ZERO;
       options.backend = webnn_vulkan_backend();
       webnn_create_context(&options, &context, &error);

   is all that a program says to compute on the GPU. Everything else is webnn.h's interface. */
#ifndef WEBNN_VULKAN_H
#define WEBNN_VULKAN_H

#ifndef WEBNN_H
#error "webnn_vulkan.h comes after webnn.h"
#elif WEBNN_VERSION_MAJOR == 0 && WEBNN_VERSION_MINOR < 2
#error "webnn_vulkan.h needs webnn.h 0.2 or newer"
#endif

/* The file with the implementation calls Vulkan through its own table. One that wants to call it by
   prototypes includes <vulkan/vulkan.h> before this. */
#if defined(WEBNN_VULKAN_IMPLEMENTATION) && !defined(VK_NO_PROTOTYPES)
#define VK_NO_PROTOTYPES
#endif
#include <vulkan/vulkan_core.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The value of webnn_context_options.backend. It has no reference numerics: such contexts are a
   NotSupportedError. Any thread. */
WEBNN_API const webnn_backend *webnn_vulkan_backend(void);

/* Optional parts of Vulkan that the caller has switched on in a device of its own. What is not
   named here is not used. */
typedef enum webnn_vulkan_features {
  WEBNN_VULKAN_TIMELINE_SEMAPHORE = 1,  /* the feature timelineSemaphore, of Vulkan 1.2 or of
                                          VK_KHR_timeline_semaphore */
  WEBNN_VULKAN_FLOAT16 = 2,             /* shaderFloat16 */
  WEBNN_VULKAN_INT64 = 4,               /* shaderInt64 */
  WEBNN_VULKAN_DOT_PRODUCT = 8,         /* shaderIntegerDotProduct */
  WEBNN_VULKAN_FLOAT_CONTROLS = 16,     /* Vulkan 1.2, or VK_KHR_shader_float_controls */
  WEBNN_VULKAN_INT8 = 32,               /* shaderInt8 */
  WEBNN_VULKAN_STORAGE_16BIT = 64,      /* storageBuffer16BitAccess */
  WEBNN_VULKAN_SUBGROUP_SIZE = 128,     /* subgroupSizeControl and computeFullSubgroups, of Vulkan
                                          1.3 or of VK_EXT_subgroup_size_control */
  WEBNN_VULKAN_COOPERATIVE_MATRIX = 256 /* VK_KHR_cooperative_matrix with cooperativeMatrix, and
                                           vulkanMemoryModel, of Vulkan 1.2 or of
                                           VK_KHR_vulkan_memory_model */
} webnn_vulkan_features;

/* A message of the validation layer, or of the loader. `text` lives during the call. On the thread
   whose call caused it; it must not call into webnn.h or Vulkan. */
typedef void (*webnn_vulkan_message)(void *user, bool is_error, const char *text);

/* What webnn_context_options.backend_options may point to. It is needed until the context is
   created; the objects of the caller, and what `user` points to, until it is freed. NULL, and all
   zero, is the best device there is, with everything of the context's own. */
typedef struct webnn_vulkan_options {
  /* Which device, by what webnn_vulkan_devices lists. With neither, power_preference decides:
     discrete GPUs come first, with WEBNN_POWER_LOW_POWER integrated ones, software last. */
  uint32_t device_number;  /* counted from 1; 0: any. TypeError if there are not as many */
  const char *device_name; /* a part of its name, as it is written; NULL: any. NotSupportedError
                              if there is none */

  /* Where all functions of Vulkan come from; NULL: the system's loader. */
  PFN_vkGetInstanceProcAddr get_instance_proc_addr;

  /* A device of the caller: all five, and an instance and a device of Vulkan 1.1 or newer. The queue
     must be able to compute. TypeError if only some are given. */
  VkInstance instance;
  VkPhysicalDevice physical_device;
  VkDevice device;
  VkQueue queue;
  uint32_t queue_family;
  uint32_t features; /* that the caller has switched on: webnn_vulkan_features */
  /* Called around each use of the queue, if the caller uses it, too; both or neither. */
  void (*lock_queue)(void *user);
  void (*unlock_queue)(void *user);
  void *queue_user;

  /* What webnn_vulkan_pipeline_cache has given in an earlier run of the program; bytes of another
     driver are ignored. Copied. */
  const void *pipeline_cache;
  size_t pipeline_cache_size;

  /* Switches VK_LAYER_KHRONOS_validation on, which must be installed (else NotSupportedError), and
     hands its warnings and errors to `message`. Not with a device of the caller. */
  bool validation;
  webnn_vulkan_message message;
  void *message_user;

  bool not_robust;          /* without robustBufferAccess: for tests of kernels */
  uint64_t memory_limit;    /* bytes of the device's memory that this context may take; 0: all */
  uint64_t submission_cost; /* estimated scalar operations after which work goes to the queue in a
                               submission of its own, so that no watchdog fires; 0: a default */
} webnn_vulkan_options;

/* A device, as webnn_vulkan_devices lists it. */
typedef struct webnn_vulkan_device {
  char name[256];
  char driver[256]; /* its name and version in words, "" where it does not say */
  VkPhysicalDeviceType type;
  uint32_t vendor_id, device_id;
  uint32_t api_version, driver_version; /* as Vulkan packs them */
  uint64_t memory;                      /* bytes of the largest heap that is local to the device */
  uint64_t max_tensor_byte_length;
  uint32_t max_workgroup_invocations, shared_memory_bytes, subgroup_size; /* 0: not known */
  bool usable; /* Vulkan 1.1, a queue that computes, four storage buffers */
} webnn_vulkan_device;

/* Lists the devices in the order of Vulkan's own list: the first `capacity` go to `devices` (may be
   NULL), *count is how many there are. Of the options (may be NULL) only get_instance_proc_addr is
   read. NotSupportedError, and a count of 0, without a loader or a driver. Any thread. */
WEBNN_API webnn_status webnn_vulkan_devices(const webnn_vulkan_options *options,
                                            webnn_vulkan_device *devices, size_t capacity,
                                            size_t *count, webnn_error *error);

/* The device of a context, as listed. TypeError if the context is not one of Vulkan. Any thread. */
WEBNN_API webnn_status webnn_vulkan_context_device(webnn_context *context,
                                                   webnn_vulkan_device *device, webnn_error *error);

/* The usage flags that a buffer needs to become a tensor, and that those of tensors have. */
#define WEBNN_VULKAN_BUFFER_USAGE                                                                  \
  (VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |                         \
   VK_BUFFER_USAGE_TRANSFER_DST_BIT)

/* A tensor over a part of a buffer of the caller's device. The buffer was created with at least
   WEBNN_VULKAN_BUFFER_USAGE for the context's queue family, or to be shared by several, is bound to
   memory, and stays until the tensor is freed and webnn_wait has returned. `offset` is a multiple of
   256 and of the device's minStorageBufferOffsetAlignment; `size`, a multiple of 16, is at least
   the tensor's bytes. Kernels may write the bytes behind the tensor's last up to the next multiple
   of 16. TypeError if offset or size are wrong or the end is behind the buffer's; how the buffer was
   created cannot be asked of Vulkan, so a wrong flag is only seen by the validation layer. Any
   thread. */
WEBNN_API webnn_status webnn_vulkan_create_tensor(webnn_context *context,
                                                  webnn_tensor_descriptor descriptor,
                                                  VkBuffer buffer, uint64_t offset, uint64_t size,
                                                  webnn_tensor **tensor, webnn_error *error);

/* Where a tensor lies: at offset bytes of a buffer of the context's device, whose usage flags are
   WEBNN_VULKAN_BUFFER_USAGE; size is what may be bound, the tensor's bytes rounded up to 16. Elements
   are packed as webnn_read_tensor gives them. They stay there until the tensor is destroyed.
   TypeError for constant tensors and those of other backends, InvalidStateError for destroyed ones.
   Any thread. */
WEBNN_API webnn_status webnn_vulkan_tensor_buffer(webnn_tensor *tensor, VkBuffer *buffer,
                                                  uint64_t *offset, uint64_t *size,
                                                  webnn_error *error);

/* All work of the context that is called for after this waits until the timeline semaphore has the
   value. NotSupportedError where the device has no timeline semaphores; InvalidStateError if the
   context is lost. The semaphore stays until that work has finished. Any thread. */
WEBNN_API webnn_status webnn_vulkan_wait_semaphore(webnn_context *context, VkSemaphore semaphore,
                                                   uint64_t value, webnn_error *error);

/* The caller's timeline semaphore gets the value when all work of the context that was called for
   before this has finished. Errors as above. Any thread. */
WEBNN_API webnn_status webnn_vulkan_signal_semaphore(webnn_context *context, VkSemaphore semaphore,
                                                     uint64_t value, webnn_error *error);

/* The context's own timeline semaphore, and the value that it has when all work called for so far
   has finished: for waiting in other submissions, without one for signalling. It belongs to the
   context. Errors as above. Any thread. */
WEBNN_API webnn_status webnn_vulkan_timeline(webnn_context *context, VkSemaphore *semaphore,
                                             uint64_t *value, webnn_error *error);

/* Vulkan's handles behind a context, for programs that let it make them and then use them, too: the
   queue only while no call of the context is under way. Parts may be NULL. TypeError if the context
   is not one of Vulkan. Any thread. */
WEBNN_API webnn_status webnn_vulkan_handles(webnn_context *context, VkInstance *instance,
                                            VkPhysicalDevice *physical_device, VkDevice *device,
                                            VkQueue *queue, uint32_t *queue_family,
                                            webnn_error *error);

/* The bytes of the driver's compiled kernels, for webnn_vulkan_options.pipeline_cache. *size is how
   many there are; with data not NULL it is the room there on entry, and TypeError if that is too
   little. Any thread. */
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
#elif WEBNN__BACKEND_VERSION != 1
#error "this webnn_vulkan.h was written for another webnn.h: take both from one version"
#endif

/* ==============================================================================================
   THE IMPLEMENTATION

   A graph's program is rewritten by the passes of webnn.h for what chapter 4 can fuse; chapter 4
   plans each node, as steps that each run one kernel; chapter 1 compiles the texts of kernels;
   chapter 9 makes pipelines of them, places values in memory, records the steps for the tensors of
   a dispatch and hands them to the queue.

      1  the compiler of kernels    >>vulkan_compiler      a subset of GLSL becomes SPIR-V
      2  what planning and          >>vulkan_steps         steps, operands, kernels by text
         execution share
      3  how kernels are written    >>vulkan_frame         functions for texts; bindings, grids
      4  kernels                    >>vulkan_kernels       a text and a plan for each operator
      5  loader and function table  >>vulkan_loader        all that calls Vulkan
      6  device                     >>vulkan_device        choosing and making one
      7  submissions                >>vulkan_submissions   command buffers, the queue, waiting
      8  memory and tensors         >>vulkan_memory        blocks of memory, staging
      9  plans and runs             >>vulkan_plans         pipelines, recordings, dispatches
     10  the table                  >>vulkan_table         what webnn.h calls; the interface
   ============================================================================================== */

/* ==============================================================================================
   1  the compiler of kernels                                                   >>vulkan_compiler

   Kernels are texts in a subset of GLSL 4.50, small enough to be compiled here while a graph is
   built, and SPIR-V for the driver comes out. Every text of the subset is one that any other GLSL
   compiler takes, too. The text is read once, from left to right, and instructions are written as
   it is read: there is no tree. Variables are memory with loads and stores; drivers make registers
   of them.

     kernel       #version 450 | #extension NAME : require | #define NAME tokens, to the line's end;
                  then declarations; the last is void main()
     declaration  layout(local_size_x = 64, ...) in;
                  layout(std430, set = 0, binding = 1) [readonly | writeonly | coherent | restrict]
                    buffer NAME { members, the last may be T a[] };
                  layout(push_constant) uniform NAME { members };
                  shared T a[N]; | const T a = constant; | T a; | a function, before its first use
     T            void bool int uint float, vec2 ... uvec4, bvec2 ...; T[N] with N constant, of one
                  dimension; with extensions float16_t, f16vec2 ..., int64_t, uint64_t, i64vec2 ...,
                  u64vec2 ..., coopmat<T, scope, rows, columns, use>
     function     T name(in T a, out T b, inout T c) { statements }, overloaded by parameters
     statement    declaration of variables; expression; block; if else; for; while; do; break;
                  continue; return; [[unroll]] and [[dont_unroll]] before a loop
     expression   everything that GLSL has, but for structures, matrices and images; the comma
     built-in     what the table webnn_vulkan__builtins lists, and the gl_ names after it

   Beyond what GLSL says: every arithmetic instruction on floats is decorated NoContraction, so that
   drivers neither fuse nor reorder; isnan and isinf look at bits; % of negative numbers is C's; what
   main does not reach is left out of the module; of `if (constant)`, ?:, && and || with a constant
   the dead side is checked but not compiled. The extension GL_KHR_cooperative_matrix makes the
   module one of the Vulkan memory model.

   Sections: the compiler's state and its errors; words of a module; names and tokens; types and
   constants; values; folding; operators; built-in functions; expressions; declarations; statements;
   functions; the module. A section calls only what stands above it, expressions excepted.
   ============================================================================================== */

/* ---- State ----------------------------------------------------------------------------------

   One struct holds everything, all memory is in its arena or in its lists of words, and the first
   error is kept. After an error the text has no more tokens and no words are written, so all loops
   end soon; what is returned then means nothing. */

/* What the device lets a module ask for: rounding to nearest even, and signed zeros, infinities and
   NaNs as IEEE 754 has them; for 32 bits and for 16. */
typedef struct webnn_vulkan__compile_options {
  bool rounding_rte_32, rounding_rte_16, preserve_32, preserve_16;
} webnn_vulkan__compile_options;

enum {
  WEBNN_VULKAN__DEEPEST = 160,       /* statements and expressions: four for a parenthesis */
  WEBNN_VULKAN__MACROS_DEEP = 16,    /* macros within each other */
  WEBNN_VULKAN__MOST_ARGUMENTS = 16, /* of a call */
  WEBNN_VULKAN__MOST_VALUES = 256,   /* arguments of calls within each other */
  WEBNN_VULKAN__MOST_ELEMENTS =
      65000,                        /* of an array with an initializer: an instruction's length */
  WEBNN_VULKAN__MOST_MATRICES = 16, /* types of cooperative matrices in a kernel */
  WEBNN_VULKAN__MOST_CAPABILITIES = 24,
  WEBNN_VULKAN__MOST_EXTENSIONS = 8
};

/* A type: what its elements are, how many are in a vector (of a cooperative matrix: which of
   webnn_vulkan__compiler.matrices), and the length of an array, 0 for what is none. */
typedef uint32_t webnn_vulkan__type;

enum { /* in the order in which GLSL converts implicitly, as far as it does */
       WEBNN_VULKAN__VOID,
       WEBNN_VULKAN__BOOL,
       WEBNN_VULKAN__INT,
       WEBNN_VULKAN__UINT,
       WEBNN_VULKAN__INT64,
       WEBNN_VULKAN__UINT64,
       WEBNN_VULKAN__HALF,
       WEBNN_VULKAN__FLOAT,
       WEBNN_VULKAN__MATRIX
};
#define WEBNN_VULKAN__VECTOR(base, width) ((uint32_t)(base) | (uint32_t)(width) << 4)
#define WEBNN_VULKAN__SCALAR(base) WEBNN_VULKAN__VECTOR(base, 1)
#define WEBNN_VULKAN__ONE_VOID WEBNN_VULKAN__SCALAR(WEBNN_VULKAN__VOID)
#define WEBNN_VULKAN__ONE_BOOL WEBNN_VULKAN__SCALAR(WEBNN_VULKAN__BOOL)
#define WEBNN_VULKAN__ONE_INT WEBNN_VULKAN__SCALAR(WEBNN_VULKAN__INT)
#define WEBNN_VULKAN__ONE_UINT WEBNN_VULKAN__SCALAR(WEBNN_VULKAN__UINT)
#define WEBNN_VULKAN__RUNTIME 0xffffffu /* the length of `T a[]` at the end of a buffer */

typedef struct webnn_vulkan__words {
  uint32_t *data;
  size_t count, room;
} webnn_vulkan__words;

typedef enum webnn_vulkan__value_kind {
  WEBNN_VULKAN__RESULT,   /* of an instruction: id */
  WEBNN_VULKAN__CONSTANT, /* known here: bits */
  WEBNN_VULKAN__PLACE     /* in memory: a variable, what is selected from it */
} webnn_vulkan__value_kind;

/* What an expression is. */
typedef struct webnn_vulkan__value {
  webnn_vulkan__type type;
  webnn_vulkan__value_kind kind;
  uint32_t id;              /* of the result, or of the variable */
  uint64_t bits[4];         /* of a constant's components, zeros above their width */
  const uint64_t *elements; /* of a constant array, as many as length times width */
  webnn_vulkan__type whole; /* of a place, what lies in memory: type without the swizzle */
  uint32_t storage;         /* the storage class of the place */
  uint32_t chain[3];        /* ids: member, element, component */
  uint8_t chain_count, swizzle_count, swizzle[4];
  bool read_only, write_only, coherent;
  uint32_t member; /* of a block: its number */
} webnn_vulkan__value;

typedef struct webnn_vulkan__symbol {
  struct webnn_vulkan__name *name;
  struct webnn_vulkan__symbol *outer;    /* what the name meant before */
  struct webnn_vulkan__symbol *previous; /* the last one declared before */
  uint32_t scope;                        /* how many are around it */
  webnn_vulkan__value value;
} webnn_vulkan__symbol;

enum { WEBNN_VULKAN__IN = 1, WEBNN_VULKAN__OUT = 2, WEBNN_VULKAN__INOUT = 3 };

typedef struct webnn_vulkan__function {
  struct webnn_vulkan__function *next;     /* of the same name */
  struct webnn_vulkan__function *previous; /* the last one defined before */
  webnn_vulkan__type result;
  uint32_t id, type_id, parameter_count;
  webnn_vulkan__type parameters[WEBNN_VULKAN__MOST_ARGUMENTS];
  uint8_t directions[WEBNN_VULKAN__MOST_ARGUMENTS];
  size_t begin, end; /* its words in `functions` */
} webnn_vulkan__function;

/* All that a word of the text can mean; found by a hash table, once for each token. */
typedef struct webnn_vulkan__name {
  const char *text;
  uint32_t length, hash;
  uint32_t kind, data; /* of a word of the language */
  const char *macro;   /* what it is defined as, or NULL */
  const char *macro_end;
  bool expanding; /* this macro's text is being read */
  webnn_vulkan__symbol *symbol;
  webnn_vulkan__function *functions;
} webnn_vulkan__name;

enum {
  WEBNN_VULKAN__END, /* of the text */
  WEBNN_VULKAN__WORD,
  WEBNN_VULKAN__NUMBER,
  WEBNN_VULKAN__SIGN
};

/* A sign as a number: its characters. */
#define WEBNN_VULKAN__SIGN1(a) ((uint32_t)(a))
#define WEBNN_VULKAN__SIGN2(a, b) ((uint32_t)(a) | (uint32_t)(b) << 8)
#define WEBNN_VULKAN__SIGN3(a, b, c) (WEBNN_VULKAN__SIGN2(a, b) | (uint32_t)(c) << 16)

typedef struct webnn_vulkan__token {
  uint32_t kind, sign;
  webnn_vulkan__name *name; /* of a word */
  webnn_vulkan__type type;  /* of a number, whose bits follow */
  uint64_t bits;
  const char *text;
  uint32_t length;
} webnn_vulkan__token;

typedef struct webnn_vulkan__source {
  const char *at, *end;
  webnn_vulkan__name *macro; /* NULL: the kernel's text */
} webnn_vulkan__source;

/* What the words of the language are, for the parser. */
typedef enum webnn_vulkan__word_kind {
  WEBNN_VULKAN__IS_TYPE = 1, /* data: the type */
  WEBNN_VULKAN__IS_COOPMAT,
  WEBNN_VULKAN__IS_FUNCTION, /* data: which built-in one */
  WEBNN_VULKAN__IS_INPUT,    /* data: the type, and above 8 bits the number of the input */
  WEBNN_VULKAN__IS_NUMBER,   /* data: an int */
  WEBNN_VULKAN__IS_GROUP_SIZE,
  WEBNN_VULKAN__IS_TRUE,
  WEBNN_VULKAN__IS_FALSE,
  WEBNN_VULKAN__IS_CONST,
  WEBNN_VULKAN__IS_IN,
  WEBNN_VULKAN__IS_OUT,
  WEBNN_VULKAN__IS_INOUT,
  WEBNN_VULKAN__IS_IF,
  WEBNN_VULKAN__IS_ELSE,
  WEBNN_VULKAN__IS_FOR,
  WEBNN_VULKAN__IS_WHILE,
  WEBNN_VULKAN__IS_DO,
  WEBNN_VULKAN__IS_BREAK,
  WEBNN_VULKAN__IS_CONTINUE,
  WEBNN_VULKAN__IS_RETURN,
  WEBNN_VULKAN__IS_LAYOUT,
  WEBNN_VULKAN__IS_BUFFER,
  WEBNN_VULKAN__IS_UNIFORM,
  WEBNN_VULKAN__IS_SHARED,
  WEBNN_VULKAN__IS_READONLY,
  WEBNN_VULKAN__IS_WRITEONLY,
  WEBNN_VULKAN__IS_COHERENT_WORD,
  WEBNN_VULKAN__IS_RESTRICT_WORD
} webnn_vulkan__word_kind;

typedef struct webnn_vulkan__loop {
  uint32_t break_label, continue_label;
} webnn_vulkan__loop;

typedef struct webnn_vulkan__matrix {
  uint32_t component, scope, rows, columns, use;
} webnn_vulkan__matrix;

/* A constant array that is read with an index: a variable of its own. */
typedef struct webnn_vulkan__table {
  struct webnn_vulkan__table *next;
  const uint64_t *elements;
  uint32_t id;
} webnn_vulkan__table;

typedef struct webnn_vulkan__binding {
  struct webnn_vulkan__binding *next;
  uint32_t set, number, id;
} webnn_vulkan__binding;

typedef struct webnn_vulkan__compiler {
  const webnn_allocator *allocator;
  const webnn_vulkan__compile_options *options;
  webnn_error *error;
  webnn_status status; /* of the first error */
  webnn__arena arena;
  /* the text */
  webnn_vulkan__source sources[WEBNN_VULKAN__MACROS_DEEP];
  uint32_t source_count, line;
  bool at_line_start;
  webnn_vulkan__token token; /* the next one, which is not yet taken */
  webnn_vulkan__name **names;
  uint32_t name_count, name_room; /* room is a power of two */
  /* what is declared */
  webnn_vulkan__symbol *symbols;
  webnn_vulkan__function *functions_defined;
  uint32_t scope, depth;
  webnn_vulkan__matrix matrices[WEBNN_VULKAN__MOST_MATRICES];
  uint32_t matrix_count, local_size[3];
  webnn_vulkan__table *tables;
  webnn_vulkan__binding *bindings;
  /* the function that is being read */
  const webnn_vulkan__function *function;
  const webnn_vulkan__loop *loop; /* the innermost */
  uint32_t block;                 /* the label of the block that is being written */
  bool terminated;                /* that block has its end, and what follows is never run */
  uint32_t dead;                  /* how many dead statements or operands are around this one */
  uint32_t effects; /* grows where something is written that must not be run in vain */
  /* the module */
  uint32_t last_id, extended, entry_point;
  uint32_t capabilities[WEBNN_VULKAN__MOST_CAPABILITIES], capability_count;
  const char *extensions[WEBNN_VULKAN__MOST_EXTENSIONS];
  uint32_t extension_count;
  bool vulkan_memory, uses_half;
  webnn_vulkan__words decorations, globals, functions, variables, body, inputs;
  uint32_t *interned; /* where in `globals` types and constants are, plus 1: a hash table */
  uint32_t interned_count, interned_room;
  uint32_t type_ids[256];
  webnn_vulkan__value arguments[WEBNN_VULKAN__MOST_VALUES]; /* of calls within each other */
  uint32_t argument_count;
} webnn_vulkan__compiler;

static bool webnn_vulkan__failed(const webnn_vulkan__compiler *c) {
  return c->status != WEBNN_OK;
}

/* No more tokens. */
static void webnn_vulkan__stop(webnn_vulkan__compiler *c, webnn_status status) {
  c->status = status;
  c->token.kind = WEBNN_VULKAN__END;
  c->token.length = 0;
  c->source_count = 0;
}

static void webnn_vulkan__no_memory(webnn_vulkan__compiler *c) {
  if (!webnn_vulkan__failed(c)) {
    webnn_vulkan__stop(c, webnn__out_of_memory(c->error, "kernel"));
  }
}

/* "kernel, line 3: what" */
static void webnn_vulkan__complain(webnn_vulkan__compiler *c, const char *what) {
  if (!webnn_vulkan__failed(c)) {
    webnn_vulkan__stop(
        c, webnn__fail(c->error, WEBNN_OPERATION_ERROR, "kernel, line %u: %s", c->line, what));
  }
}

/* The same about a piece of text, which is cut if it is long. */
static void webnn_vulkan__complain_of(webnn_vulkan__compiler *c, const char *text, uint32_t length,
                                      const char *what) {
  char piece[48];
  const uint32_t most = (uint32_t)sizeof piece - 1;
  if (webnn_vulkan__failed(c)) {
    return;
  }
  length = length < most ? length : most;
  memcpy(piece, text, length);
  piece[length] = 0;
  webnn_vulkan__stop(c, webnn__fail(c->error, WEBNN_OPERATION_ERROR, "kernel, line %u: %q %s",
                                    c->line, piece, what));
}

/* The token is not what the grammar wants here. */
static void webnn_vulkan__expected(webnn_vulkan__compiler *c, const char *what) {
  char piece[48], found[64];
  uint32_t length = c->token.length < sizeof piece - 1 ? c->token.length : sizeof piece - 1;
  if (webnn_vulkan__failed(c)) {
    return;
  }
  memcpy(piece, c->token.kind == WEBNN_VULKAN__END ? "" : c->token.text,
         c->token.kind == WEBNN_VULKAN__END ? (length = 0) : length);
  piece[length] = 0;
  memcpy(found, "the end", 8);
  webnn_vulkan__stop(c, webnn__fail(c->error, WEBNN_OPERATION_ERROR,
                                    c->token.kind == WEBNN_VULKAN__END
                                        ? "kernel, line %u: found the end%s, expected %s"
                                        : "kernel, line %u: found %q, expected %s",
                                    c->line, piece, what));
}

/* Zeroed memory that stays until the kernel is compiled; NULL after an error. */
static void *webnn_vulkan__take(webnn_vulkan__compiler *c, uint64_t size) {
  void *memory = webnn__arena_take(&c->arena, size);
  if (memory == NULL) {
    webnn_vulkan__no_memory(c);
  }
  return memory;
}

/* One level deeper; false, with an error, if that is too deep. webnn_vulkan__leave comes in both
   cases. */
static bool webnn_vulkan__enter(webnn_vulkan__compiler *c) {
  if (++c->depth > WEBNN_VULKAN__DEEPEST) {
    webnn_vulkan__complain(c, "this is nested too deeply");
    return false;
  }
  return !webnn_vulkan__failed(c);
}

static void webnn_vulkan__leave(webnn_vulkan__compiler *c) {
  c->depth--;
}

/* ---- Words of a module ----------------------------------------------------------------------

   A module is a row of 32-bit words. Its sections are written side by side and put together at the
   end: decorations, globals (types, constants, variables of the module), functions; of the function
   that is being read the variables, which must come first, and the body. An instruction's first
   word has its length and number, then come, where it has them, the ids of its type and result. */

enum { /* instructions of SPIR-V, with their numbers there */
       WEBNN_VULKAN__OP_EXTENSION = 10,
       WEBNN_VULKAN__OP_EXT_INST_IMPORT = 11,
       WEBNN_VULKAN__OP_EXT_INST = 12,
       WEBNN_VULKAN__OP_MEMORY_MODEL = 14,
       WEBNN_VULKAN__OP_ENTRY_POINT = 15,
       WEBNN_VULKAN__OP_EXECUTION_MODE = 16,
       WEBNN_VULKAN__OP_CAPABILITY = 17,
       WEBNN_VULKAN__OP_TYPE_VOID = 19,
       WEBNN_VULKAN__OP_TYPE_BOOL = 20,
       WEBNN_VULKAN__OP_TYPE_INT = 21,
       WEBNN_VULKAN__OP_TYPE_FLOAT = 22,
       WEBNN_VULKAN__OP_TYPE_VECTOR = 23,
       WEBNN_VULKAN__OP_TYPE_ARRAY = 28,
       WEBNN_VULKAN__OP_TYPE_RUNTIME_ARRAY = 29,
       WEBNN_VULKAN__OP_TYPE_STRUCT = 30,
       WEBNN_VULKAN__OP_TYPE_POINTER = 32,
       WEBNN_VULKAN__OP_TYPE_FUNCTION = 33,
       WEBNN_VULKAN__OP_CONSTANT_TRUE = 41,
       WEBNN_VULKAN__OP_CONSTANT_FALSE = 42,
       WEBNN_VULKAN__OP_CONSTANT = 43,
       WEBNN_VULKAN__OP_CONSTANT_COMPOSITE = 44,
       WEBNN_VULKAN__OP_CONSTANT_NULL = 46,
       WEBNN_VULKAN__OP_FUNCTION = 54,
       WEBNN_VULKAN__OP_FUNCTION_PARAMETER = 55,
       WEBNN_VULKAN__OP_FUNCTION_END = 56,
       WEBNN_VULKAN__OP_FUNCTION_CALL = 57,
       WEBNN_VULKAN__OP_VARIABLE = 59,
       WEBNN_VULKAN__OP_LOAD = 61,
       WEBNN_VULKAN__OP_STORE = 62,
       WEBNN_VULKAN__OP_ACCESS_CHAIN = 65,
       WEBNN_VULKAN__OP_ARRAY_LENGTH = 68,
       WEBNN_VULKAN__OP_DECORATE = 71,
       WEBNN_VULKAN__OP_MEMBER_DECORATE = 72,
       WEBNN_VULKAN__OP_VECTOR_EXTRACT_DYNAMIC = 77,
       WEBNN_VULKAN__OP_VECTOR_SHUFFLE = 79,
       WEBNN_VULKAN__OP_COMPOSITE_CONSTRUCT = 80,
       WEBNN_VULKAN__OP_COMPOSITE_EXTRACT = 81,
       WEBNN_VULKAN__OP_CONVERT_F_TO_U = 109,
       WEBNN_VULKAN__OP_CONVERT_F_TO_S = 110,
       WEBNN_VULKAN__OP_CONVERT_S_TO_F = 111,
       WEBNN_VULKAN__OP_CONVERT_U_TO_F = 112,
       WEBNN_VULKAN__OP_U_CONVERT = 113,
       WEBNN_VULKAN__OP_S_CONVERT = 114,
       WEBNN_VULKAN__OP_F_CONVERT = 115,
       WEBNN_VULKAN__OP_BITCAST = 124,
       WEBNN_VULKAN__OP_S_NEGATE = 126,
       WEBNN_VULKAN__OP_F_NEGATE = 127,
       WEBNN_VULKAN__OP_F_ADD = 129,
       WEBNN_VULKAN__OP_F_SUB = 131,
       WEBNN_VULKAN__OP_F_MUL = 133,
       WEBNN_VULKAN__OP_F_DIV = 136,
       WEBNN_VULKAN__OP_F_MOD = 141,
       WEBNN_VULKAN__OP_MATRIX_TIMES_SCALAR = 143,
       WEBNN_VULKAN__OP_DOT = 148,
       WEBNN_VULKAN__OP_ANY = 154,
       WEBNN_VULKAN__OP_ALL = 155,
       WEBNN_VULKAN__OP_LOGICAL_OR = 166,
       WEBNN_VULKAN__OP_LOGICAL_AND = 167,
       WEBNN_VULKAN__OP_LOGICAL_NOT = 168,
       WEBNN_VULKAN__OP_SELECT = 169,
       WEBNN_VULKAN__OP_I_NOT_EQUAL = 171,
       WEBNN_VULKAN__OP_F_NOT_EQUAL = 183,
       WEBNN_VULKAN__OP_NOT = 200,
       WEBNN_VULKAN__OP_CONTROL_BARRIER = 224,
       WEBNN_VULKAN__OP_MEMORY_BARRIER = 225,
       WEBNN_VULKAN__OP_PHI = 245,
       WEBNN_VULKAN__OP_LOOP_MERGE = 246,
       WEBNN_VULKAN__OP_SELECTION_MERGE = 247,
       WEBNN_VULKAN__OP_LABEL = 248,
       WEBNN_VULKAN__OP_BRANCH = 249,
       WEBNN_VULKAN__OP_BRANCH_CONDITIONAL = 250,
       WEBNN_VULKAN__OP_RETURN = 253,
       WEBNN_VULKAN__OP_RETURN_VALUE = 254,
       WEBNN_VULKAN__OP_UNREACHABLE = 255,
       WEBNN_VULKAN__OP_S_DOT = 4450, /* then U, SU, and with saturating addition S, U, SU */
       WEBNN_VULKAN__OP_TYPE_MATRIX = 4456,
       WEBNN_VULKAN__OP_MATRIX_LOAD = 4457,
       WEBNN_VULKAN__OP_MATRIX_STORE = 4458,
       WEBNN_VULKAN__OP_MATRIX_MUL_ADD = 4459,
       WEBNN_VULKAN__OP_MATRIX_LENGTH = 4460
};

enum { /* storage classes */
       WEBNN_VULKAN__STORAGE_INPUT = 1,
       WEBNN_VULKAN__STORAGE_WORKGROUP = 4,
       WEBNN_VULKAN__STORAGE_PRIVATE = 6,
       WEBNN_VULKAN__STORAGE_FUNCTION = 7,
       WEBNN_VULKAN__STORAGE_PUSH = 9,
       WEBNN_VULKAN__STORAGE_BUFFER = 12
};

enum { /* decorations */
       WEBNN_VULKAN__IS_BLOCK = 2,
       WEBNN_VULKAN__HAS_ARRAY_STRIDE = 6,
       WEBNN_VULKAN__IS_BUILTIN = 11,
       WEBNN_VULKAN__IS_RESTRICT = 19,
       WEBNN_VULKAN__IS_ALIASED = 20,
       WEBNN_VULKAN__IS_COHERENT = 23,
       WEBNN_VULKAN__IS_NON_WRITABLE = 24,
       WEBNN_VULKAN__IS_NON_READABLE = 25,
       WEBNN_VULKAN__HAS_BINDING = 33,
       WEBNN_VULKAN__HAS_SET = 34,
       WEBNN_VULKAN__HAS_OFFSET = 35,
       WEBNN_VULKAN__NO_CONTRACTION = 42
};

/* Capabilities, and the extensions that some come from. */
enum {
  WEBNN_VULKAN__CAN_SHADER = 1,
  WEBNN_VULKAN__CAN_FLOAT16 = 9,
  WEBNN_VULKAN__CAN_INT64 = 11,
  WEBNN_VULKAN__CAN_SUBGROUP = 61,
  WEBNN_VULKAN__CAN_SUBGROUP_VOTE = 62,
  WEBNN_VULKAN__CAN_SUBGROUP_ARITHMETIC = 63,
  WEBNN_VULKAN__CAN_SUBGROUP_BALLOT = 64,
  WEBNN_VULKAN__CAN_SUBGROUP_SHUFFLE = 65,
  WEBNN_VULKAN__CAN_BUFFERS_OF_16_BITS = 4433,
  WEBNN_VULKAN__CAN_PRESERVE = 4466,
  WEBNN_VULKAN__CAN_ROUND_TO_EVEN = 4467,
  WEBNN_VULKAN__CAN_VULKAN_MEMORY = 5345,
  WEBNN_VULKAN__CAN_DOT_PACKED = 6018,
  WEBNN_VULKAN__CAN_DOT = 6019,
  WEBNN_VULKAN__CAN_MATRIX = 6022
};

enum {
  WEBNN_VULKAN__SCOPE_DEVICE = 1,
  WEBNN_VULKAN__SCOPE_WORKGROUP = 2,
  WEBNN_VULKAN__SCOPE_SUBGROUP = 3,
  WEBNN_VULKAN__SCOPE_QUEUES = 5,
  WEBNN_VULKAN__ORDERED = 0x8,     /* what is before a barrier, is before it for all */
  WEBNN_VULKAN__OF_BUFFERS = 0x40, /* the memory that a barrier is about */
  WEBNN_VULKAN__OF_SHARED = 0x100,
  WEBNN_VULKAN__MADE_KNOWN = 0x6000 /* in the Vulkan memory model: available and visible */
};

/* Room for more words; false without memory. */
static bool webnn_vulkan__room(webnn_vulkan__compiler *c, webnn_vulkan__words *words, size_t more) {
  size_t room = words->room < 512 ? 512 : words->room;
  uint32_t *data;
  if (webnn_vulkan__failed(c)) {
    return false;
  }
  if (more <= words->room - words->count) {
    return true;
  }
  if (more > SIZE_MAX / 16 || words->count > SIZE_MAX / 16) {
    webnn_vulkan__no_memory(c);
    return false;
  }
  while (room - words->count < more) {
    room *= 2;
  }
  data = (uint32_t *)webnn__allocate(c->allocator, (uint64_t)room * sizeof *data);
  if (data == NULL) {
    webnn_vulkan__no_memory(c);
    return false;
  }
  if (words->count > 0) {
    memcpy(data, words->data, words->count * sizeof *data);
  }
  webnn__release(c->allocator, words->data);
  words->data = data;
  words->room = room;
  return true;
}

static void webnn_vulkan__append(webnn_vulkan__compiler *c, webnn_vulkan__words *words,
                                 const uint32_t *data, size_t count) {
  if (count > 0 && webnn_vulkan__room(c, words, count)) {
    memcpy(words->data + words->count, data, count * sizeof *data);
    words->count += count;
  }
}

/* Words between others, which move up. */
static void webnn_vulkan__insert(webnn_vulkan__compiler *c, webnn_vulkan__words *words, size_t at,
                                 const uint32_t *data, size_t count) {
  if (webnn_vulkan__room(c, words, count)) {
    memmove(words->data + at + count, words->data + at, (words->count - at) * sizeof *data);
    memcpy(words->data + at, data, count * sizeof *data);
    words->count += count;
  }
}

static uint32_t webnn_vulkan__head(uint32_t op, uint32_t operands) {
  return op | (operands + 1) << 16;
}

/* An instruction with `count` operands, all uint32_t, result type and result among them. */
static void webnn_vulkan__write(webnn_vulkan__compiler *c, webnn_vulkan__words *words, uint32_t op,
                                uint32_t count, ...) {
  va_list operands;
  uint32_t i;
  if (!webnn_vulkan__room(c, words, (size_t)count + 1)) {
    return;
  }
  words->data[words->count++] = webnn_vulkan__head(op, count);
  va_start(operands, count);
  for (i = 0; i < count; i++) {
    words->data[words->count++] = va_arg(operands, uint32_t);
  }
  va_end(operands);
}

/* Text in an instruction: bytes, the lowest first, with a zero. */
static void webnn_vulkan__append_text(webnn_vulkan__compiler *c, webnn_vulkan__words *words,
                                      const char *text) {
  const size_t length = strlen(text);
  size_t i;
  for (i = 0; i <= length; i += 4) {
    uint32_t word = 0, k;
    for (k = 0; k < 4 && i + k < length; k++) {
      word |= (uint32_t)(unsigned char)text[i + k] << 8 * k;
    }
    webnn_vulkan__append(c, words, &word, 1);
  }
}

static uint32_t webnn_vulkan__new_id(webnn_vulkan__compiler *c) {
  return ++c->last_id;
}

/* An instruction in the body whose result has the type with this id; the result's id. */
static uint32_t webnn_vulkan__result(webnn_vulkan__compiler *c, uint32_t op, uint32_t type_id,
                                     const uint32_t *operands, uint32_t count) {
  const uint32_t id = webnn_vulkan__new_id(c), head = webnn_vulkan__head(op, count + 2);
  webnn_vulkan__append(c, &c->body, &head, 1);
  webnn_vulkan__append(c, &c->body, &type_id, 1);
  webnn_vulkan__append(c, &c->body, &id, 1);
  webnn_vulkan__append(c, &c->body, operands, count);
  return id;
}

static void webnn_vulkan__decorate(webnn_vulkan__compiler *c, uint32_t id, uint32_t decoration) {
  webnn_vulkan__write(c, &c->decorations, WEBNN_VULKAN__OP_DECORATE, 2, id, decoration);
}

static void webnn_vulkan__decorate_with(webnn_vulkan__compiler *c, uint32_t id, uint32_t decoration,
                                        uint32_t number) {
  webnn_vulkan__write(c, &c->decorations, WEBNN_VULKAN__OP_DECORATE, 3, id, decoration, number);
}

/* The module needs this of the device. */
static void webnn_vulkan__needs(webnn_vulkan__compiler *c, uint32_t capability) {
  uint32_t i = 0;
  while (i < c->capability_count && c->capabilities[i] != capability) {
    i++;
  }
  if (i == c->capability_count && i < WEBNN_VULKAN__MOST_CAPABILITIES) {
    c->capabilities[c->capability_count++] = capability;
  }
}

static void webnn_vulkan__needs_extension(webnn_vulkan__compiler *c, const char *extension) {
  uint32_t i = 0;
  while (i < c->extension_count && strcmp(c->extensions[i], extension) != 0) {
    i++;
  }
  if (i == c->extension_count && i < WEBNN_VULKAN__MOST_EXTENSIONS) {
    c->extensions[c->extension_count++] = extension;
  }
}

/* A block begins, and what is written from now on is in it. */
static void webnn_vulkan__begin_block(webnn_vulkan__compiler *c, uint32_t label) {
  webnn_vulkan__write(c, &c->body, WEBNN_VULKAN__OP_LABEL, 1, label);
  c->block = label;
  c->terminated = false;
}

/* The block ends with a jump, if it has no end yet. */
static void webnn_vulkan__branch(webnn_vulkan__compiler *c, uint32_t label) {
  if (!c->terminated) {
    webnn_vulkan__write(c, &c->body, WEBNN_VULKAN__OP_BRANCH, 1, label);
    c->terminated = true;
  }
}

/* ---- Names and tokens -----------------------------------------------------------------------

   webnn_vulkan__next makes the next token of the text. A word is looked up once, and its
   webnn_vulkan__name says all that it can mean. The text of a macro is read in its place. */

static bool webnn_vulkan__is_digit(char x) {
  return x >= '0' && x <= '9';
}

static bool webnn_vulkan__is_letter(char x) {
  return (x >= 'a' && x <= 'z') || (x >= 'A' && x <= 'Z') || x == '_';
}

static bool webnn_vulkan__more_names(webnn_vulkan__compiler *c) {
  const uint32_t room = c->name_room == 0 ? 1024 : c->name_room * 2;
  webnn_vulkan__name **names =
      (webnn_vulkan__name **)webnn_vulkan__take(c, (uint64_t)room * sizeof *names);
  uint32_t i;
  if (names == NULL) {
    return false;
  }
  for (i = 0; i < c->name_room; i++) {
    if (c->names[i] != NULL) {
      uint32_t at = c->names[i]->hash & (room - 1);
      while (names[at] != NULL) {
        at = (at + 1) & (room - 1);
      }
      names[at] = c->names[i];
    }
  }
  c->names = names;
  c->name_room = room;
  return true;
}

/* The name that is written so, made if it is new; NULL after an error. */
static webnn_vulkan__name *webnn_vulkan__find_name(webnn_vulkan__compiler *c, const char *text,
                                                   uint32_t length) {
  uint32_t hash = 2166136261u, at, i;
  webnn_vulkan__name *name;
  for (i = 0; i < length; i++) {
    hash = (hash ^ (unsigned char)text[i]) * 16777619u;
  }
  hash ^= hash >> 15;
  if (2 * c->name_count >= c->name_room && !webnn_vulkan__more_names(c)) {
    return NULL;
  }
  for (at = hash & (c->name_room - 1); (name = c->names[at]) != NULL;
       at = (at + 1) & (c->name_room - 1)) {
    if (name->hash == hash && name->length == length && memcmp(name->text, text, length) == 0) {
      return name;
    }
  }
  name = (webnn_vulkan__name *)webnn_vulkan__take(c, sizeof *name);
  if (name != NULL) {
    name->text = text;
    name->length = length;
    name->hash = hash;
    c->names[at] = name;
    c->name_count++;
  }
  return name;
}

/* The float32 nearest to digits times 10^exponent, for exponents in -80 ... 60, and ties to even. The
   number is made in 768 bits with 384 of them behind the point: what division loses there is less
   than any float's last bit and only told apart from nothing. */
static uint32_t webnn_vulkan__decimal(uint64_t digits, int exponent) {
  enum { WORDS = 24, POINT = 384 };
  uint32_t n[WORDS] = {0}, lost = 0, bits;
  int i, top, low, shift;
  n[POINT / 32] = (uint32_t)digits;
  n[POINT / 32 + 1] = (uint32_t)(digits >> 32);
  for (; exponent > 0; exponent--) {
    uint64_t carry = 0;
    for (i = 0; i < WORDS; i++) {
      carry += (uint64_t)n[i] * 10;
      n[i] = (uint32_t)carry;
      carry >>= 32;
    }
  }
  for (; exponent < 0; exponent++) {
    uint64_t rest = 0;
    for (i = WORDS - 1; i >= 0; i--) {
      rest = rest << 32 | n[i];
      n[i] = (uint32_t)(rest / 10);
      rest %= 10;
    }
    lost |= (uint32_t)rest;
  }
  top = WORDS * 32 - 1;
  while (top >= 0 && (n[top / 32] >> top % 32 & 1) == 0) {
    top--;
  }
  if (top < 0) {
    return 0;
  }
  if (top - POINT > 127) {
    return 0x7f800000u;
  }
  /* `low` is the last bit that the float has; subnormal ones have theirs at 2^-149. */
  low = top - 23 > POINT - 149 ? top - 23 : POINT - 149;
  bits = 0;
  for (i = top; i >= low; i--) {
    bits = bits << 1 | (n[i / 32] >> i % 32 & 1);
  }
  for (i = 0; i < low - 1; i++) {
    lost |= n[i / 32] >> i % 32 & 1;
  }
  shift = n[(low - 1) / 32] >> (low - 1) % 32 & 1;
  bits += (uint32_t)(shift && (lost != 0 || (bits & 1)));
  return low == POINT - 149 ? bits : bits + ((uint32_t)(low - (POINT - 149)) << 23);
}

static uint32_t webnn_vulkan__digit_of(char x) {
  return webnn_vulkan__is_digit(x) ? (uint32_t)(x - '0')
         : x >= 'a' && x <= 'f'    ? (uint32_t)(x - 'a' + 10)
         : x >= 'A' && x <= 'F'    ? (uint32_t)(x - 'A' + 10)
                                   : 99;
}

/* What stands behind a literal's digits: its type. */
static const char *webnn_vulkan__read_suffix(const char *at, const char *end, bool is_float,
                                             uint32_t *base) {
  *base = is_float ? WEBNN_VULKAN__FLOAT : WEBNN_VULKAN__INT;
  if (end - at >= 2 && ((at[0] == 'h' && at[1] == 'f') || (at[0] == 'H' && at[1] == 'F'))) {
    *base = WEBNN_VULKAN__HALF;
    return at + 2;
  }
  if (at < end && (*at == 'f' || *at == 'F') && is_float) {
    return at + 1;
  }
  if (at < end && (*at == 'u' || *at == 'U') && !is_float) {
    *base = WEBNN_VULKAN__UINT;
    at++;
  }
  if (at < end && (*at == 'l' || *at == 'L') && !is_float) {
    *base = *base == WEBNN_VULKAN__UINT ? WEBNN_VULKAN__UINT64 : WEBNN_VULKAN__INT64;
    at++;
  }
  return at;
}

/* The digits of an integer in a base of 8, 10 or 16. */
static const char *webnn_vulkan__read_digits(webnn_vulkan__compiler *c, const char *at,
                                             const char *end, uint32_t radix) {
  uint64_t value = 0;
  for (; at < end && webnn_vulkan__digit_of(*at) < (radix == 16 ? 16u : 10u); at++) {
    const uint32_t digit = webnn_vulkan__digit_of(*at);
    if (digit >= radix || value > (UINT64_MAX - digit) / radix) {
      webnn_vulkan__complain(c, "a number has too many digits, or wrong ones");
      return at;
    }
    value = value * radix + digit;
  }
  c->token.bits = value;
  return at;
}

/* Digits, point, digits, exponent. */
static const char *webnn_vulkan__read_decimal(webnn_vulkan__compiler *c, const char *at,
                                              const char *end) {
  uint64_t digits = 0;
  int exponent = 0, written = 0, sign = 1;
  bool point = false;
  for (; at < end && (webnn_vulkan__is_digit(*at) || (*at == '.' && !point)); at++) {
    if (*at == '.') {
      point = true;
    } else if (digits > (UINT64_MAX - 9) / 10) {
      webnn_vulkan__complain(c, "a number has too many digits");
      return at;
    } else {
      digits = digits * 10 + (uint64_t)(*at - '0');
      exponent -= point;
    }
  }
  if (at < end && (*at == 'e' || *at == 'E')) {
    at++;
    if (at < end && (*at == '+' || *at == '-')) {
      sign = *at++ == '-' ? -1 : 1;
    }
    if (at == end || !webnn_vulkan__is_digit(*at)) {
      webnn_vulkan__complain(c, "an exponent has no digits");
    }
    for (; at < end && webnn_vulkan__is_digit(*at); at++) {
      written = written < 1000 ? written * 10 + (*at - '0') : written;
    }
  }
  exponent += sign * written;
  /* Beyond these the number is 0 or too large, however many digits it has. */
  c->token.bits = webnn_vulkan__decimal(exponent < -80 ? 0 : digits, exponent > 60    ? 60
                                                                     : exponent < -80 ? 0
                                                                                      : exponent);
  return at;
}

static const char *webnn_vulkan__read_number(webnn_vulkan__compiler *c, const char *at,
                                             const char *end) {
  const char *look = at;
  bool is_float = false, large;
  uint32_t base;
  if (end - at >= 2 && at[0] == '0' && (at[1] == 'x' || at[1] == 'X')) {
    at = webnn_vulkan__read_digits(c, look = at + 2, end, 16);
    if (at == look) {
      webnn_vulkan__complain(c, "a number has no digits");
    }
  } else {
    while (look < end && webnn_vulkan__is_digit(*look)) {
      look++;
    }
    is_float = look < end && (*look == '.' || *look == 'e' || *look == 'E');
    at = is_float ? webnn_vulkan__read_decimal(c, at, end)
                  : webnn_vulkan__read_digits(c, at, end, *at == '0' ? 8 : 10);
  }
  at = webnn_vulkan__read_suffix(at, end, is_float, &base);
  if (at < end && (webnn_vulkan__is_letter(*at) || webnn_vulkan__is_digit(*at))) {
    webnn_vulkan__complain(c, "a number ends in something else");
  }
  large = base == WEBNN_VULKAN__INT || base == WEBNN_VULKAN__UINT;
  if (large && c->token.bits > UINT32_MAX) {
    webnn_vulkan__complain(c, "a number is too large for its type");
  }
  if (base == WEBNN_VULKAN__HALF) {
    c->token.bits = webnn_float32_to_float16(webnn__float_of_bits((uint32_t)c->token.bits));
  }
  c->token.kind = WEBNN_VULKAN__NUMBER;
  c->token.type = WEBNN_VULKAN__SCALAR(base);
  return at;
}

/* The longest sign that begins here; 0 where none does. */
static uint32_t webnn_vulkan__read_sign(const char *at, const char *end, uint32_t *length) {
  const char a = *at, b = end - at > 1 ? at[1] : 0, d = end - at > 2 ? at[2] : 0;
  if ((a == '<' || a == '>') && b == a && d == '=') {
    *length = 3;
    return WEBNN_VULKAN__SIGN3(a, b, d);
  }
  *length = 2;
  if ((b == '=' && strchr("<>=!+-*/%&|^", a) != NULL) || (b == a && strchr("<>&|^+-", a) != NULL)) {
    return WEBNN_VULKAN__SIGN2(a, b);
  }
  *length = 1;
  return strchr("+-*/%<>=!&|^~?:;,.(){}[]", a) != NULL ? WEBNN_VULKAN__SIGN1(a) : 0;
}

static const char *webnn_vulkan__word_end(const char *at, const char *end) {
  while (at < end && (webnn_vulkan__is_letter(*at) || webnn_vulkan__is_digit(*at))) {
    at++;
  }
  return at;
}

static const char *webnn_vulkan__skip_blanks(const char *at, const char *end) {
  while (at < end && (*at == ' ' || *at == '\t' || *at == '\r')) {
    at++;
  }
  return at;
}

static bool webnn_vulkan__same_text(const char *text, size_t length, const char *expected) {
  return strlen(expected) == length && memcmp(text, expected, length) == 0;
}

static void webnn_vulkan__define(webnn_vulkan__compiler *c, const char *at, const char *end) {
  const char *name_end = webnn_vulkan__word_end(at, end), *comment;
  webnn_vulkan__name *name;
  if (name_end == at || webnn_vulkan__is_digit(*at)) {
    webnn_vulkan__complain(c, "#define needs a name");
    return;
  }
  if (name_end < end && *name_end == '(') {
    webnn_vulkan__complain(c, "macros with parameters are not in the language");
    return;
  }
  name = webnn_vulkan__find_name(c, at, (uint32_t)(name_end - at));
  if (name == NULL) {
    return;
  }
  for (comment = name_end; end - comment >= 2 && !(comment[0] == '/' && comment[1] == '/');) {
    comment++;
  }
  end = end - comment >= 2 ? comment : end;
  if (name->macro != NULL && !((end - name_end) == (name->macro_end - name->macro) &&
                               memcmp(name_end, name->macro, (size_t)(end - name_end)) == 0)) {
    webnn_vulkan__complain_of(c, name->text, name->length, "is defined twice");
  }
  if (name->kind != 0) {
    webnn_vulkan__complain_of(c, name->text, name->length, "is a word of the language");
  }
  name->macro = name_end;
  name->macro_end = end;
}

static void webnn_vulkan__extension(webnn_vulkan__compiler *c, const char *at, const char *end) {
  static const char *const known[] = {"GL_EXT_shader_explicit_arithmetic_types",
                                      "GL_EXT_shader_explicit_arithmetic_types_float16",
                                      "GL_EXT_shader_explicit_arithmetic_types_int64",
                                      "GL_EXT_shader_16bit_storage",
                                      "GL_EXT_control_flow_attributes",
                                      "GL_KHR_shader_subgroup_basic",
                                      "GL_KHR_shader_subgroup_vote",
                                      "GL_KHR_shader_subgroup_arithmetic",
                                      "GL_KHR_shader_subgroup_ballot",
                                      "GL_KHR_shader_subgroup_shuffle",
                                      "GL_KHR_memory_scope_semantics",
                                      "GL_EXT_integer_dot_product",
                                      "GL_KHR_cooperative_matrix"};
  const char *name_end = webnn_vulkan__word_end(at, end), *behind;
  const size_t length = (size_t)(name_end - at);
  size_t i = 0;
  while (i < sizeof known / sizeof *known && !webnn_vulkan__same_text(at, length, known[i])) {
    i++;
  }
  if (i == sizeof known / sizeof *known) {
    webnn_vulkan__complain_of(c, at, (uint32_t)length, "is no extension of the language");
    return;
  }
  behind = webnn_vulkan__skip_blanks(name_end, end);
  behind = webnn_vulkan__skip_blanks(behind < end && *behind == ':' ? behind + 1 : end, end);
  if (!webnn_vulkan__same_text(behind, (size_t)(webnn_vulkan__word_end(behind, end) - behind),
                               "require")) {
    webnn_vulkan__complain(c, "#extension must end in \": require\"");
  }
  if (webnn_vulkan__same_text(at, length, "GL_KHR_cooperative_matrix")) {
    c->vulkan_memory = true;
  }
}

/* A line that begins with '#'; `at` stands behind it. Returns where the line ends. */
static const char *webnn_vulkan__directive(webnn_vulkan__compiler *c, const char *at,
                                           const char *end) {
  const char *line_end = at, *word, *rest;
  size_t length;
  while (line_end < end && *line_end != '\n') {
    if (*line_end++ == '\\') {
      webnn_vulkan__complain(c, "lines that go on are not in the language");
    }
  }
  word = webnn_vulkan__skip_blanks(at, line_end);
  length = (size_t)(webnn_vulkan__word_end(word, line_end) - word);
  rest = webnn_vulkan__skip_blanks(word + length, line_end);
  if (webnn_vulkan__same_text(word, length, "define")) {
    webnn_vulkan__define(c, rest, line_end);
  } else if (webnn_vulkan__same_text(word, length, "extension")) {
    webnn_vulkan__extension(c, rest, line_end);
  } else if (!webnn_vulkan__same_text(word, length, "version")) {
    webnn_vulkan__complain_of(c, word, (uint32_t)length, "is no directive of the language");
  } else if (!webnn_vulkan__same_text(rest, (size_t)(webnn_vulkan__word_end(rest, line_end) - rest),
                                      "450")) {
    webnn_vulkan__complain(c, "the version must be 450");
  }
  return line_end;
}

/* Behind a comment that begins here with two characters. */
static const char *webnn_vulkan__skip_comment(webnn_vulkan__compiler *c, const char *at,
                                              const char *end) {
  const bool whole_line = at[1] == '/';
  for (at += 2; at < end; at++) {
    if (whole_line && *at == '\n') {
      return at;
    }
    if (!whole_line && at[0] == '*' && end - at > 1 && at[1] == '/') {
      return at + 2;
    }
    c->line += *at == '\n';
  }
  if (!whole_line) {
    webnn_vulkan__complain(c, "a comment has no end");
  }
  return at;
}

/* Behind blanks, comments and directives. */
static const char *webnn_vulkan__skip(webnn_vulkan__compiler *c, const char *at, const char *end) {
  while (at < end && !webnn_vulkan__failed(c)) {
    if (*at == '\n') {
      c->line++;
      c->at_line_start = true;
      at++;
    } else if (*at == ' ' || *at == '\t' || *at == '\r') {
      at++;
    } else if (*at == '/' && end - at > 1 && (at[1] == '/' || at[1] == '*')) {
      at = webnn_vulkan__skip_comment(c, at, end);
    } else if (*at == '#' && c->at_line_start && c->source_count == 1) {
      at = webnn_vulkan__directive(c, at + 1, end);
    } else {
      break;
    }
  }
  return at;
}

static void webnn_vulkan__next(webnn_vulkan__compiler *c) {
  for (;;) {
    webnn_vulkan__source *source;
    const char *at, *end;
    uint32_t length;
    if (c->source_count == 0) {
      return; /* an error was before */
    }
    source = &c->sources[c->source_count - 1];
    end = source->end;
    at = webnn_vulkan__skip(c, source->at, end);
    if (webnn_vulkan__failed(c)) {
      return;
    }
    c->token.text = at;
    if (at == end) {
      if (source->macro == NULL) {
        c->token.kind = WEBNN_VULKAN__END;
        c->token.length = 0;
        return;
      }
      source->macro->expanding = false;
      c->source_count--;
      continue;
    }
    c->at_line_start = false;
    if (webnn_vulkan__is_letter(*at)) {
      webnn_vulkan__name *name;
      source->at = webnn_vulkan__word_end(at, end);
      name = webnn_vulkan__find_name(c, at, (uint32_t)(source->at - at));
      if (name != NULL && name->macro != NULL && !name->expanding) {
        if (c->source_count == WEBNN_VULKAN__MACROS_DEEP) {
          webnn_vulkan__complain(c, "macros are nested too deeply");
          return;
        }
        name->expanding = true;
        source = &c->sources[c->source_count++];
        source->at = name->macro;
        source->end = name->macro_end;
        source->macro = name;
        continue;
      }
      if (name == NULL) {
        return;
      }
      c->token.kind = WEBNN_VULKAN__WORD;
      c->token.name = name;
    } else if (webnn_vulkan__is_digit(*at) ||
               (*at == '.' && end - at > 1 && webnn_vulkan__is_digit(at[1]))) {
      source->at = webnn_vulkan__read_number(c, at, end);
    } else {
      c->token.sign = webnn_vulkan__read_sign(at, end, &length);
      c->token.kind = WEBNN_VULKAN__SIGN;
      source->at = at + length;
      if (c->token.sign == 0) {
        webnn_vulkan__complain_of(c, at, 1, "is no sign of the language");
      }
    }
    if (!webnn_vulkan__failed(c)) {
      c->token.length = (uint32_t)(source->at - at);
    }
    return;
  }
}

static bool webnn_vulkan__is(const webnn_vulkan__compiler *c, uint32_t sign) {
  return c->token.kind == WEBNN_VULKAN__SIGN && c->token.sign == sign;
}

/* Takes the sign if it is the next token. */
static bool webnn_vulkan__accept(webnn_vulkan__compiler *c, uint32_t sign) {
  if (!webnn_vulkan__is(c, sign)) {
    return false;
  }
  webnn_vulkan__next(c);
  return true;
}

static void webnn_vulkan__expect(webnn_vulkan__compiler *c, char sign) {
  if (!webnn_vulkan__accept(c, (uint32_t)sign)) {
    char what[4] = {'"', 0, '"', 0};
    what[1] = sign;
    webnn_vulkan__expected(c, what);
  }
}

/* What the next token is as a word of the language; 0 where it is none. */
static uint32_t webnn_vulkan__keyword(const webnn_vulkan__compiler *c) {
  return c->token.kind == WEBNN_VULKAN__WORD ? c->token.name->kind : 0;
}

static bool webnn_vulkan__accept_word(webnn_vulkan__compiler *c, uint32_t kind) {
  if (webnn_vulkan__keyword(c) != kind) {
    return false;
  }
  webnn_vulkan__next(c);
  return true;
}

static void webnn_vulkan__expect_word(webnn_vulkan__compiler *c, uint32_t kind, const char *what) {
  if (!webnn_vulkan__accept_word(c, kind)) {
    webnn_vulkan__expected(c, what);
  }
}

/* A word that is none of the language's, so that it may name something; NULL after an error. */
static webnn_vulkan__name *webnn_vulkan__expect_name(webnn_vulkan__compiler *c) {
  webnn_vulkan__name *name = c->token.name;
  if (c->token.kind != WEBNN_VULKAN__WORD || name->kind != 0) {
    webnn_vulkan__expected(c, "a name");
    return NULL;
  }
  webnn_vulkan__next(c);
  return webnn_vulkan__failed(c) ? NULL : name;
}

/* ---- Types and constants --------------------------------------------------------------------

   Equal types and constants are one instruction each, found by a hash table over the words that
   they are written with. Only structs, and arrays with a stride, are written anew each time. */

static uint32_t webnn_vulkan__base(webnn_vulkan__type type) {
  return type & 15;
}

static uint32_t webnn_vulkan__width(webnn_vulkan__type type) {
  return type >> 4 & 15;
}

static uint32_t webnn_vulkan__length(webnn_vulkan__type type) {
  return type >> 8;
}

static webnn_vulkan__type webnn_vulkan__element(webnn_vulkan__type type) {
  return type & 255;
}

static bool webnn_vulkan__is_array(webnn_vulkan__type type) {
  return type >> 8 != 0;
}

static bool webnn_vulkan__is_matrix(webnn_vulkan__type type) {
  return !webnn_vulkan__is_array(type) && webnn_vulkan__base(type) == WEBNN_VULKAN__MATRIX;
}

/* Scalars and vectors. */
static bool webnn_vulkan__is_plain(webnn_vulkan__type type) {
  return !webnn_vulkan__is_array(type) && webnn_vulkan__base(type) != WEBNN_VULKAN__VOID &&
         webnn_vulkan__base(type) != WEBNN_VULKAN__MATRIX;
}

static bool webnn_vulkan__is_scalar(webnn_vulkan__type type) {
  return webnn_vulkan__is_plain(type) && webnn_vulkan__width(type) == 1;
}

static bool webnn_vulkan__is_floating(uint32_t base) {
  return base == WEBNN_VULKAN__FLOAT || base == WEBNN_VULKAN__HALF;
}

static bool webnn_vulkan__is_signed(uint32_t base) {
  return base == WEBNN_VULKAN__INT || base == WEBNN_VULKAN__INT64;
}

static bool webnn_vulkan__is_integer(uint32_t base) {
  return base >= WEBNN_VULKAN__INT && base <= WEBNN_VULKAN__UINT64;
}

static bool webnn_vulkan__is_wide(uint32_t base) {
  return base == WEBNN_VULKAN__INT64 || base == WEBNN_VULKAN__UINT64;
}

static bool webnn_vulkan__more_interned(webnn_vulkan__compiler *c);

/* Does this instruction stand at `at` among the globals, but for its result? */
static bool webnn_vulkan__is_there(const uint32_t *at, uint32_t op, uint32_t type_id,
                                   const uint32_t *operands, uint32_t count) {
  const uint32_t typed = type_id != 0;
  return at[0] == webnn_vulkan__head(op, count + 1 + typed) && (!typed || at[1] == type_id) &&
         (count == 0 || memcmp(at + 2 + typed, operands, count * sizeof *operands) == 0);
}

static uint32_t webnn_vulkan__hash(uint32_t op, uint32_t type_id, const uint32_t *operands,
                                   uint32_t count) {
  uint32_t hash = (op * 31 + type_id + 1) * 2654435761u, i;
  for (i = 0; i < count; i++) {
    hash = ((hash ^ hash >> 15) + operands[i]) * 2654435761u;
  }
  return hash ^ hash >> 15;
}

/* The id of a type (type_id 0) or constant, which is written if it is not there yet. */
static uint32_t webnn_vulkan__intern(webnn_vulkan__compiler *c, uint32_t op, uint32_t type_id,
                                     const uint32_t *operands, uint32_t count) {
  const uint32_t typed = type_id != 0, hash = webnn_vulkan__hash(op, type_id, operands, count);
  const uint32_t head = webnn_vulkan__head(op, count + 1 + typed);
  uint32_t at, id;
  if (webnn_vulkan__failed(c) ||
      (2 * c->interned_count >= c->interned_room && !webnn_vulkan__more_interned(c))) {
    return 0;
  }
  for (at = hash & (c->interned_room - 1); c->interned[at] != 0;
       at = (at + 1) & (c->interned_room - 1)) {
    const uint32_t *there = c->globals.data + c->interned[at] - 1;
    if (webnn_vulkan__is_there(there, op, type_id, operands, count)) {
      return there[1 + typed];
    }
  }
  c->interned[at] = (uint32_t)c->globals.count + 1;
  c->interned_count++;
  id = webnn_vulkan__new_id(c);
  webnn_vulkan__append(c, &c->globals, &head, 1);
  webnn_vulkan__append(c, &c->globals, &type_id, typed);
  webnn_vulkan__append(c, &c->globals, &id, 1);
  webnn_vulkan__append(c, &c->globals, operands, count);
  return id;
}

static bool webnn_vulkan__more_interned(webnn_vulkan__compiler *c) {
  const uint32_t room = c->interned_room == 0 ? 256 : c->interned_room * 2;
  uint32_t *interned = (uint32_t *)webnn_vulkan__take(c, (uint64_t)room * sizeof *interned);
  uint32_t i;
  if (interned == NULL) {
    return false;
  }
  for (i = 0; i < c->interned_room; i++) {
    if (c->interned[i] != 0) {
      const uint32_t *there = c->globals.data + c->interned[i] - 1;
      const uint32_t op = there[0] & 0xffff, typed = op >= WEBNN_VULKAN__OP_CONSTANT_TRUE &&
                                                     op <= WEBNN_VULKAN__OP_CONSTANT_NULL;
      uint32_t at = webnn_vulkan__hash(op, typed ? there[1] : 0, there + 2 + typed,
                                       (there[0] >> 16) - 2 - typed) &
                    (room - 1);
      while (interned[at] != 0) {
        at = (at + 1) & (room - 1);
      }
      interned[at] = c->interned[i];
    }
  }
  c->interned = interned;
  c->interned_room = room;
  return true;
}

static uint32_t webnn_vulkan__constant_id(webnn_vulkan__compiler *c, webnn_vulkan__type type,
                                          const uint64_t *bits);

static uint32_t webnn_vulkan__uint_id(webnn_vulkan__compiler *c, uint32_t number) {
  const uint64_t bits = number;
  return webnn_vulkan__constant_id(c, WEBNN_VULKAN__ONE_UINT, &bits);
}

static uint32_t webnn_vulkan__scalar_type_id(webnn_vulkan__compiler *c, uint32_t base) {
  uint32_t operands[2] = {32, 0};
  switch (base) {
  case WEBNN_VULKAN__VOID:
    return webnn_vulkan__intern(c, WEBNN_VULKAN__OP_TYPE_VOID, 0, operands, 0);
  case WEBNN_VULKAN__BOOL:
    return webnn_vulkan__intern(c, WEBNN_VULKAN__OP_TYPE_BOOL, 0, operands, 0);
  case WEBNN_VULKAN__HALF:
  case WEBNN_VULKAN__FLOAT:
    operands[0] = base == WEBNN_VULKAN__HALF ? 16 : 32;
    if (base == WEBNN_VULKAN__HALF) {
      webnn_vulkan__needs(c, WEBNN_VULKAN__CAN_FLOAT16);
      c->uses_half = true;
    }
    return webnn_vulkan__intern(c, WEBNN_VULKAN__OP_TYPE_FLOAT, 0, operands, 1);
  default:
    if (webnn_vulkan__is_wide(base)) {
      webnn_vulkan__needs(c, WEBNN_VULKAN__CAN_INT64);
    }
    operands[0] = webnn_vulkan__is_wide(base) ? 64 : 32;
    operands[1] = webnn_vulkan__is_signed(base);
    return webnn_vulkan__intern(c, WEBNN_VULKAN__OP_TYPE_INT, 0, operands, 2);
  }
}

static uint32_t webnn_vulkan__matrix_type_id(webnn_vulkan__compiler *c, uint32_t index) {
  const webnn_vulkan__matrix *matrix = &c->matrices[index];
  uint32_t operands[5];
  operands[0] = webnn_vulkan__scalar_type_id(c, matrix->component);
  operands[1] = webnn_vulkan__uint_id(c, matrix->scope);
  operands[2] = webnn_vulkan__uint_id(c, matrix->rows);
  operands[3] = webnn_vulkan__uint_id(c, matrix->columns);
  operands[4] = webnn_vulkan__uint_id(c, matrix->use);
  return webnn_vulkan__intern(c, WEBNN_VULKAN__OP_TYPE_MATRIX, 0, operands, 5);
}

/* The id of a type without a layout in memory. */
static uint32_t webnn_vulkan__type_id(webnn_vulkan__compiler *c, webnn_vulkan__type type) {
  const uint32_t base = webnn_vulkan__base(type), element = webnn_vulkan__element(type);
  uint32_t operands[2];
  if (c->type_ids[element] == 0) {
    uint32_t id = base == WEBNN_VULKAN__MATRIX
                      ? webnn_vulkan__matrix_type_id(c, webnn_vulkan__width(type))
                      : webnn_vulkan__scalar_type_id(c, base);
    if (base != WEBNN_VULKAN__MATRIX && webnn_vulkan__width(type) > 1) {
      operands[0] = id;
      operands[1] = webnn_vulkan__width(type);
      id = webnn_vulkan__intern(c, WEBNN_VULKAN__OP_TYPE_VECTOR, 0, operands, 2);
    }
    c->type_ids[element] = id;
  }
  if (!webnn_vulkan__is_array(type)) {
    return c->type_ids[element];
  }
  operands[0] = c->type_ids[element];
  operands[1] = webnn_vulkan__uint_id(c, webnn_vulkan__length(type));
  return webnn_vulkan__intern(c, WEBNN_VULKAN__OP_TYPE_ARRAY, 0, operands, 2);
}

static uint32_t webnn_vulkan__pointer_to(webnn_vulkan__compiler *c, uint32_t storage,
                                         uint32_t type_id) {
  uint32_t operands[2];
  operands[0] = storage;
  operands[1] = type_id;
  return webnn_vulkan__intern(c, WEBNN_VULKAN__OP_TYPE_POINTER, 0, operands, 2);
}

static uint32_t webnn_vulkan__pointer_id(webnn_vulkan__compiler *c, uint32_t storage,
                                         webnn_vulkan__type type) {
  return webnn_vulkan__pointer_to(c, storage, webnn_vulkan__type_id(c, type));
}

/* The constant with these bits of each component, of each element. */
static uint32_t webnn_vulkan__constant_id(webnn_vulkan__compiler *c, webnn_vulkan__type type,
                                          const uint64_t *bits) {
  const uint32_t type_id = webnn_vulkan__type_id(c, type), base = webnn_vulkan__base(type);
  const uint32_t width = webnn_vulkan__width(type), length = webnn_vulkan__length(type);
  const webnn_vulkan__type part =
      length > 0 ? webnn_vulkan__element(type) : WEBNN_VULKAN__SCALAR(base);
  const uint32_t count = length > 0 ? length : width, step = length > 0 ? width : 1;
  uint32_t few[4], *ids = few, i;
  if (webnn_vulkan__is_scalar(type)) {
    few[0] = (uint32_t)*bits;
    few[1] = (uint32_t)(*bits >> 32);
    return base == WEBNN_VULKAN__BOOL
               ? webnn_vulkan__intern(c,
                                      *bits ? (uint32_t)WEBNN_VULKAN__OP_CONSTANT_TRUE
                                            : (uint32_t)WEBNN_VULKAN__OP_CONSTANT_FALSE,
                                      type_id, few, 0)
               : webnn_vulkan__intern(c, WEBNN_VULKAN__OP_CONSTANT, type_id, few,
                                      webnn_vulkan__is_wide(base) ? 2 : 1);
  }
  if (count > 4) {
    ids = (uint32_t *)webnn_vulkan__take(c, (uint64_t)count * sizeof *ids);
  }
  for (i = 0; i < count && ids != NULL; i++) {
    ids[i] = webnn_vulkan__constant_id(c, part, bits + i * step);
  }
  return ids == NULL
             ? 0
             : webnn_vulkan__intern(c, WEBNN_VULKAN__OP_CONSTANT_COMPOSITE, type_id, ids, count);
}

/* ---- Values ---------------------------------------------------------------------------------

   A constant has no instruction until its id is asked for, and a place is not read until its value
   is. What is selected from a place (members, elements, components) is kept with it, and becomes
   one access chain when it is read or written. */

static webnn_vulkan__value webnn_vulkan__no_value(void) {
  webnn_vulkan__value value;
  memset(&value, 0, sizeof value);
  return value;
}

static webnn_vulkan__value webnn_vulkan__of_id(webnn_vulkan__type type, uint32_t id) {
  webnn_vulkan__value value = webnn_vulkan__no_value();
  value.type = type;
  value.kind = WEBNN_VULKAN__RESULT;
  value.id = id;
  return value;
}

static webnn_vulkan__value webnn_vulkan__of_bits(webnn_vulkan__type type, uint64_t bits) {
  webnn_vulkan__value value = webnn_vulkan__no_value();
  value.type = type;
  value.kind = WEBNN_VULKAN__CONSTANT;
  value.bits[0] = bits;
  return value;
}

static bool webnn_vulkan__is_constant(const webnn_vulkan__value *value) {
  return value->kind == WEBNN_VULKAN__CONSTANT;
}

/* A variable, or a parameter by reference, as a place. */
static webnn_vulkan__value webnn_vulkan__of_variable(webnn_vulkan__type type, uint32_t storage,
                                                     uint32_t id) {
  webnn_vulkan__value value = webnn_vulkan__of_id(type, id);
  value.kind = WEBNN_VULKAN__PLACE;
  value.whole = type;
  value.storage = storage;
  return value;
}

/* A new variable of the function. */
static webnn_vulkan__value webnn_vulkan__new_variable(webnn_vulkan__compiler *c,
                                                      webnn_vulkan__type type) {
  const uint32_t id = webnn_vulkan__new_id(c);
  webnn_vulkan__write(c, &c->variables, WEBNN_VULKAN__OP_VARIABLE, 3,
                      webnn_vulkan__pointer_id(c, WEBNN_VULKAN__STORAGE_FUNCTION, type), id,
                      (uint32_t)WEBNN_VULKAN__STORAGE_FUNCTION);
  return webnn_vulkan__of_variable(type, WEBNN_VULKAN__STORAGE_FUNCTION, id);
}

static uint32_t webnn_vulkan__composite(webnn_vulkan__compiler *c, webnn_vulkan__type type,
                                        const uint32_t *ids, uint32_t count) {
  return webnn_vulkan__result(c, WEBNN_VULKAN__OP_COMPOSITE_CONSTRUCT,
                              webnn_vulkan__type_id(c, type), ids, count);
}

static webnn_vulkan__value webnn_vulkan__pick(webnn_vulkan__compiler *c, webnn_vulkan__value value,
                                              const uint8_t *components, uint32_t count);

/* The pointer to what a place is, without its swizzle. */
static uint32_t webnn_vulkan__pointer(webnn_vulkan__compiler *c, const webnn_vulkan__value *place) {
  uint32_t operands[4], i;
  if (place->chain_count == 0) {
    return place->id;
  }
  operands[0] = place->id;
  for (i = 0; i < place->chain_count; i++) {
    operands[i + 1] = place->chain[i];
  }
  return webnn_vulkan__result(c, WEBNN_VULKAN__OP_ACCESS_CHAIN,
                              webnn_vulkan__pointer_id(c, place->storage, place->whole), operands,
                              place->chain_count + 1u);
}

/* The memory operands of a load or store, after `operands`; how many there are. Without the Vulkan
   memory model there are none, and decorations say it all. */
static uint32_t webnn_vulkan__memory_operands(webnn_vulkan__compiler *c,
                                              const webnn_vulkan__value *place, bool store,
                                              uint32_t *operands) {
  const uint32_t made_available = 8, made_visible = 16, not_private = 32;
  if (!c->vulkan_memory ||
      (place->storage != WEBNN_VULKAN__STORAGE_WORKGROUP && !place->coherent)) {
    return 0;
  }
  operands[0] = not_private;
  if (!place->coherent) {
    return 1;
  }
  operands[0] |= store ? made_available : made_visible;
  operands[1] = webnn_vulkan__uint_id(c, WEBNN_VULKAN__SCOPE_QUEUES);
  return 2;
}

/* Memory that others see too: reading it in vain may be out of its bounds. */
static bool webnn_vulkan__is_common(const webnn_vulkan__value *place) {
  return place->storage == WEBNN_VULKAN__STORAGE_BUFFER ||
         place->storage == WEBNN_VULKAN__STORAGE_WORKGROUP;
}

/* A place becomes what is in it; other values stay. */
static webnn_vulkan__value webnn_vulkan__load(webnn_vulkan__compiler *c,
                                              webnn_vulkan__value value) {
  uint32_t operands[3], count;
  webnn_vulkan__value loaded;
  if (value.kind != WEBNN_VULKAN__PLACE || webnn_vulkan__failed(c)) {
    return value;
  }
  if (webnn_vulkan__is_array(value.whole) && (value.storage == WEBNN_VULKAN__STORAGE_BUFFER ||
                                              value.storage == WEBNN_VULKAN__STORAGE_PUSH)) {
    webnn_vulkan__complain(c, "an array of a block can only be read element by element");
  }
  if (value.write_only) {
    webnn_vulkan__complain(c, "this buffer is writeonly");
  }
  c->effects += webnn_vulkan__is_common(&value);
  operands[0] = webnn_vulkan__pointer(c, &value);
  count = 1 + webnn_vulkan__memory_operands(c, &value, false, operands + 1);
  loaded = webnn_vulkan__of_id(
      value.whole, webnn_vulkan__result(c, WEBNN_VULKAN__OP_LOAD,
                                        webnn_vulkan__type_id(c, value.whole), operands, count));
  return value.swizzle_count == 0
             ? loaded
             : webnn_vulkan__pick(c, loaded, value.swizzle, value.swizzle_count);
}

/* The id of a value that is no place. */
static uint32_t webnn_vulkan__id(webnn_vulkan__compiler *c, const webnn_vulkan__value *value) {
  if (webnn_vulkan__is_constant(value) && !webnn_vulkan__failed(c)) {
    return webnn_vulkan__constant_id(c, value->type,
                                     value->elements != NULL ? value->elements : value->bits);
  }
  return value->id;
}

/* Components of a vector: one, or a vector of several. */
static webnn_vulkan__value webnn_vulkan__pick(webnn_vulkan__compiler *c, webnn_vulkan__value value,
                                              const uint8_t *components, uint32_t count) {
  const webnn_vulkan__type type = WEBNN_VULKAN__VECTOR(webnn_vulkan__base(value.type), count);
  uint32_t operands[6], i;
  if (webnn_vulkan__is_constant(&value)) {
    webnn_vulkan__value picked = webnn_vulkan__of_bits(type, 0);
    for (i = 0; i < count; i++) {
      picked.bits[i] = value.bits[components[i]];
    }
    return picked;
  }
  operands[0] = operands[1] = value.id;
  for (i = 0; i < count; i++) {
    operands[i + 2] = components[i];
  }
  if (count == 1) { /* one vector and a number, in place of two vectors and numbers */
    return webnn_vulkan__of_id(type, webnn_vulkan__result(c, WEBNN_VULKAN__OP_COMPOSITE_EXTRACT,
                                                          webnn_vulkan__type_id(c, type),
                                                          operands + 1, 2));
  }
  return webnn_vulkan__of_id(type, webnn_vulkan__result(c, WEBNN_VULKAN__OP_VECTOR_SHUFFLE,
                                                        webnn_vulkan__type_id(c, type), operands,
                                                        count + 2));
}

/* One component of a vector that is no place; of a scalar, itself. */
static webnn_vulkan__value webnn_vulkan__component(webnn_vulkan__compiler *c,
                                                   webnn_vulkan__value value, uint32_t index) {
  const uint8_t component = (uint8_t)index;
  return webnn_vulkan__width(value.type) == 1 ? value : webnn_vulkan__pick(c, value, &component, 1);
}

static void webnn_vulkan__select(webnn_vulkan__compiler *c, webnn_vulkan__value *place,
                                 uint32_t index_id, webnn_vulkan__type part) {
  if (place->chain_count == 3) {
    webnn_vulkan__complain(c, "too many selections");
    return;
  }
  place->chain[place->chain_count++] = index_id;
  place->type = place->whole = part;
}

/* Into a place that may be written, a value of its type that is no place. A swizzle is written
   component by component, so that no other component is touched. */
static void webnn_vulkan__store(webnn_vulkan__compiler *c, const webnn_vulkan__value *place,
                                const webnn_vulkan__value *value) {
  uint32_t operands[5], i;
  webnn_vulkan__words *body = &c->body;
  if (place->swizzle_count > 0) {
    for (i = 0; i < place->swizzle_count; i++) {
      const webnn_vulkan__value part = webnn_vulkan__component(c, *value, i);
      webnn_vulkan__value target = *place;
      target.swizzle_count = 0;
      webnn_vulkan__select(c, &target, webnn_vulkan__uint_id(c, place->swizzle[i]),
                           WEBNN_VULKAN__SCALAR(webnn_vulkan__base(place->type)));
      webnn_vulkan__store(c, &target, &part);
    }
    return;
  }
  if (webnn_vulkan__is_array(place->whole) && place->storage == WEBNN_VULKAN__STORAGE_BUFFER) {
    webnn_vulkan__complain(c, "an array of a block can only be written element by element");
  }
  c->effects++;
  operands[1] = webnn_vulkan__id(c, value);
  operands[0] = webnn_vulkan__pointer(c, place);
  i = 2 + webnn_vulkan__memory_operands(c, place, true, operands + 2);
  operands[4] = webnn_vulkan__head(WEBNN_VULKAN__OP_STORE, i);
  webnn_vulkan__append(c, body, &operands[4], 1);
  webnn_vulkan__append(c, body, operands, i);
}

/* ---- Folding --------------------------------------------------------------------------------

   What constants give, component by component. Floats are computed in double precision and rounded
   once more, which for one operation on float32 or float16 gives what they would give themselves. */

static double webnn_vulkan__as_double(uint32_t base, uint64_t bits) {
  switch (base) {
  case WEBNN_VULKAN__FLOAT:
    return (double)webnn__float_of_bits((uint32_t)bits);
  case WEBNN_VULKAN__HALF:
    return (double)webnn_float16_to_float32((uint16_t)bits);
  case WEBNN_VULKAN__INT:
    return (double)(int32_t)(uint32_t)bits;
  case WEBNN_VULKAN__INT64:
    return (double)(int64_t)bits;
  default:
    return (double)bits;
  }
}

static uint64_t webnn_vulkan__of_double(uint32_t base, double x) {
  const uint32_t bits = x != x ? 0x7fc00000u : webnn__bits_of_float((float)x);
  return base == WEBNN_VULKAN__FLOAT ? bits : webnn_float32_to_float16(webnn__float_of_bits(bits));
}

/* Only the bits that the type has. */
static uint64_t webnn_vulkan__wrap(uint32_t base, uint64_t bits) {
  return webnn_vulkan__is_wide(base) ? bits : bits & UINT32_MAX;
}

static int64_t webnn_vulkan__as_signed(uint32_t base, uint64_t bits) {
  return base == WEBNN_VULKAN__INT ? (int64_t)(int32_t)(uint32_t)bits : (int64_t)bits;
}

static uint64_t webnn_vulkan__fold_conversion(uint32_t from, uint32_t to, uint64_t bits) {
  const double x = webnn_vulkan__as_double(from, bits);
  if (to == WEBNN_VULKAN__BOOL) {
    return webnn_vulkan__is_floating(from) ? x != 0 : bits != 0;
  }
  if (webnn_vulkan__is_floating(to)) {
    return from == to ? bits : webnn_vulkan__of_double(to, x);
  }
  if (!webnn_vulkan__is_floating(from)) {
    return webnn_vulkan__wrap(to, (uint64_t)webnn_vulkan__as_signed(from, bits));
  }
  if (!(x > -9.2e18 && x < 9.2e18)) {
    return webnn_vulkan__wrap(to, UINT64_C(0x8000000080000000));
  }
  return webnn_vulkan__wrap(to, (uint64_t)(int64_t)x);
}

/* A comparison of numbers of which this is known; of a NaN nothing holds. */
static bool webnn_vulkan__fold_comparison(uint32_t sign, bool less, bool greater, bool equal,
                                          uint64_t *result) {
  switch (sign) {
  case '<':
    *result = less;
    return true;
  case '>':
    *result = greater;
    return true;
  case WEBNN_VULKAN__SIGN2('<', '='):
    *result = less || equal;
    return true;
  case WEBNN_VULKAN__SIGN2('>', '='):
    *result = greater || equal;
    return true;
  case WEBNN_VULKAN__SIGN2('=', '='):
    *result = equal;
    return true;
  case WEBNN_VULKAN__SIGN2('!', '='):
    *result = !equal;
    return true;
  default:
    return false;
  }
}

static bool webnn_vulkan__fold_floats(uint32_t sign, uint32_t base, uint64_t a, uint64_t b,
                                      uint64_t *result) {
  const double x = webnn_vulkan__as_double(base, a), y = webnn_vulkan__as_double(base, b);
  switch (sign) {
  case '+':
    *result = webnn_vulkan__of_double(base, x + y);
    return true;
  case '-':
    *result = webnn_vulkan__of_double(base, x - y);
    return true;
  case '*':
    *result = webnn_vulkan__of_double(base, x * y);
    return true;
  case '/':
    if (y == 0) {
      return false;
    }
    *result = webnn_vulkan__of_double(base, x / y);
    return true;
  default:
    return webnn_vulkan__fold_comparison(sign, x<y, x> y, x == y, result);
  }
}

/* Division and remainder; false by 0. */
static bool webnn_vulkan__fold_division(bool remainder, uint32_t base, uint64_t a, uint64_t b,
                                        uint64_t *result) {
  const int64_t x = webnn_vulkan__as_signed(base, a), y = webnn_vulkan__as_signed(base, b);
  if (b == 0) {
    return false;
  }
  if (!webnn_vulkan__is_signed(base)) {
    *result = remainder ? a % b : a / b;
  } else if (y == -1) {
    *result = remainder ? 0 : (uint64_t)0 - a;
  } else {
    *result = (uint64_t)(remainder ? x % y : x / y);
  }
  return true;
}

/* Shifts by less than the type has bits. */
static bool webnn_vulkan__fold_shift(bool left, uint32_t base, uint64_t a, uint64_t by,
                                     uint64_t *result) {
  if (by >= (webnn_vulkan__is_wide(base) ? 64u : 32u)) {
    return false;
  }
  *result = left ? a << by : a >> by;
  if (!left && webnn_vulkan__as_signed(base, a) < 0 && webnn_vulkan__is_signed(base)) {
    *result = ~(~(uint64_t)webnn_vulkan__as_signed(base, a) >> by);
  }
  return true;
}

static bool webnn_vulkan__fold_integers(uint32_t sign, uint32_t base, uint64_t a, uint64_t b,
                                        uint64_t *result) {
  const bool is_signed = webnn_vulkan__is_signed(base);
  const int64_t x = webnn_vulkan__as_signed(base, a), y = webnn_vulkan__as_signed(base, b);
  switch (sign) {
  case '+':
    *result = a + b;
    return true;
  case '-':
    *result = a - b;
    return true;
  case '*':
    *result = a * b;
    return true;
  case '/':
    return webnn_vulkan__fold_division(false, base, a, b, result);
  case '%':
    return webnn_vulkan__fold_division(true, base, a, b, result);
  case WEBNN_VULKAN__SIGN2('<', '<'):
    return webnn_vulkan__fold_shift(true, base, a, b, result);
  case WEBNN_VULKAN__SIGN2('>', '>'):
    return webnn_vulkan__fold_shift(false, base, a, b, result);
  case '&':
    *result = a & b;
    return true;
  case '|':
    *result = a | b;
    return true;
  case '^':
  case WEBNN_VULKAN__SIGN2('^', '^'):
    *result = a ^ b;
    return true;
  default:
    return webnn_vulkan__fold_comparison(sign, is_signed ? x < y : a < b, is_signed ? x > y : a > b,
                                         a == b, result);
  }
}

/* ---- Operators ------------------------------------------------------------------------------ */

typedef struct webnn_vulkan__operator {
  uint32_t sign;
  uint8_t precedence; /* the higher, the closer */
  bool gives_bool;
  uint16_t of_floats, of_signed, of_unsigned, of_bools; /* SPIR-V's number; 0: there is none */
} webnn_vulkan__operator;

static const webnn_vulkan__operator webnn_vulkan__operators[] = {
    {WEBNN_VULKAN__SIGN2('|', '|'), 1, true, 0, 0, 0, 166},
    {WEBNN_VULKAN__SIGN2('^', '^'), 2, true, 0, 0, 0, 165},
    {WEBNN_VULKAN__SIGN2('&', '&'), 3, true, 0, 0, 0, 167},
    {'|', 4, false, 0, 197, 197, 0},
    {'^', 5, false, 0, 198, 198, 0},
    {'&', 6, false, 0, 199, 199, 0},
    {WEBNN_VULKAN__SIGN2('=', '='), 7, true, 180, 170, 170, 164},
    {WEBNN_VULKAN__SIGN2('!', '='), 7, true, 183, 171, 171, 165},
    {'<', 8, true, 184, 177, 176, 0},
    {'>', 8, true, 186, 173, 172, 0},
    {WEBNN_VULKAN__SIGN2('<', '='), 8, true, 188, 179, 178, 0},
    {WEBNN_VULKAN__SIGN2('>', '='), 8, true, 190, 175, 174, 0},
    {WEBNN_VULKAN__SIGN2('<', '<'), 9, false, 0, 196, 196, 0},
    {WEBNN_VULKAN__SIGN2('>', '>'), 9, false, 0, 195, 194, 0},
    {'+', 10, false, 129, 128, 128, 0},
    {'-', 10, false, 131, 130, 130, 0},
    {'*', 11, false, 133, 132, 132, 0},
    {'/', 11, false, 136, 135, 134, 0},
    {'%', 11, false, 0, 138, 137, 0}};

static const webnn_vulkan__operator *webnn_vulkan__find_operator(uint32_t sign) {
  uint32_t i;
  for (i = 0; i < sizeof webnn_vulkan__operators / sizeof *webnn_vulkan__operators; i++) {
    if (webnn_vulkan__operators[i].sign == sign) {
      return &webnn_vulkan__operators[i];
    }
  }
  return NULL;
}

static uint32_t webnn_vulkan__instruction(const webnn_vulkan__operator *op, uint32_t base) {
  return webnn_vulkan__is_floating(base)  ? op->of_floats
         : base == WEBNN_VULKAN__BOOL     ? op->of_bools
         : webnn_vulkan__is_signed(base)  ? op->of_signed
         : webnn_vulkan__is_integer(base) ? op->of_unsigned
                                          : 0;
}

/* Does GLSL convert by itself? */
static bool webnn_vulkan__converts(uint32_t from, uint32_t to) {
  switch (from) {
  case WEBNN_VULKAN__INT:
    return to == WEBNN_VULKAN__UINT || to == WEBNN_VULKAN__FLOAT || webnn_vulkan__is_wide(to);
  case WEBNN_VULKAN__UINT:
    return to == WEBNN_VULKAN__FLOAT || webnn_vulkan__is_wide(to);
  case WEBNN_VULKAN__INT64:
    return to == WEBNN_VULKAN__UINT64;
  case WEBNN_VULKAN__HALF:
    return to == WEBNN_VULKAN__FLOAT;
  default:
    return false;
  }
}

static webnn_vulkan__value webnn_vulkan__zero_or(webnn_vulkan__type type, uint32_t number) {
  const uint32_t base = webnn_vulkan__base(type), width = webnn_vulkan__width(type);
  webnn_vulkan__value value = webnn_vulkan__of_bits(type, 0);
  uint32_t i;
  for (i = 0; i < width && i < 4; i++) {
    value.bits[i] = webnn_vulkan__fold_conversion(WEBNN_VULKAN__UINT, base, number);
  }
  return value;
}

/* A scalar as a vector, all components the same. */
static webnn_vulkan__value webnn_vulkan__splat(webnn_vulkan__compiler *c, webnn_vulkan__value value,
                                               uint32_t width) {
  const webnn_vulkan__type type = WEBNN_VULKAN__VECTOR(webnn_vulkan__base(value.type), width);
  uint32_t ids[4], i;
  if (width == webnn_vulkan__width(value.type)) {
    return value;
  }
  for (i = 0; i < 4; i++) {
    value.bits[i] = i < width ? value.bits[0] : 0;
    ids[i] = value.id;
  }
  value.type = type;
  if (!webnn_vulkan__is_constant(&value)) {
    value.id = webnn_vulkan__composite(c, type, ids, width);
  }
  return value;
}

static webnn_vulkan__value webnn_vulkan__one_operand(webnn_vulkan__compiler *c, uint32_t op,
                                                     webnn_vulkan__type type,
                                                     const webnn_vulkan__value *value) {
  const uint32_t id = webnn_vulkan__id(c, value);
  return webnn_vulkan__of_id(type,
                             webnn_vulkan__result(c, op, webnn_vulkan__type_id(c, type), &id, 1));
}

static webnn_vulkan__value webnn_vulkan__two_operands(webnn_vulkan__compiler *c, uint32_t op,
                                                      webnn_vulkan__type type,
                                                      const webnn_vulkan__value *a,
                                                      const webnn_vulkan__value *b) {
  uint32_t ids[2];
  ids[0] = webnn_vulkan__id(c, a);
  ids[1] = webnn_vulkan__id(c, b);
  return webnn_vulkan__of_id(type,
                             webnn_vulkan__result(c, op, webnn_vulkan__type_id(c, type), ids, 2));
}

static webnn_vulkan__value webnn_vulkan__three_operands(webnn_vulkan__compiler *c, uint32_t op,
                                                        webnn_vulkan__type type,
                                                        const webnn_vulkan__value *a,
                                                        const webnn_vulkan__value *b,
                                                        const webnn_vulkan__value *d) {
  uint32_t ids[3];
  ids[0] = webnn_vulkan__id(c, a);
  ids[1] = webnn_vulkan__id(c, b);
  ids[2] = webnn_vulkan__id(c, d);
  return webnn_vulkan__of_id(type,
                             webnn_vulkan__result(c, op, webnn_vulkan__type_id(c, type), ids, 3));
}

/* Components of a or of b, as those of a condition say. */
static webnn_vulkan__value webnn_vulkan__choose(webnn_vulkan__compiler *c,
                                                webnn_vulkan__value condition,
                                                webnn_vulkan__value a, webnn_vulkan__value b) {
  condition = webnn_vulkan__splat(c, condition, webnn_vulkan__width(a.type));
  return webnn_vulkan__three_operands(c, WEBNN_VULKAN__OP_SELECT, a.type, &condition, &a, &b);
}

/* The instruction that converts numbers; 0 where bits stay. */
static uint32_t webnn_vulkan__conversion(uint32_t from, uint32_t to) {
  if (webnn_vulkan__is_floating(from)) {
    return webnn_vulkan__is_floating(to) ? WEBNN_VULKAN__OP_F_CONVERT
           : webnn_vulkan__is_signed(to) ? WEBNN_VULKAN__OP_CONVERT_F_TO_S
                                         : WEBNN_VULKAN__OP_CONVERT_F_TO_U;
  }
  if (webnn_vulkan__is_floating(to)) {
    return webnn_vulkan__is_signed(from) ? WEBNN_VULKAN__OP_CONVERT_S_TO_F
                                         : WEBNN_VULKAN__OP_CONVERT_U_TO_F;
  }
  return webnn_vulkan__is_wide(from) == webnn_vulkan__is_wide(to) ? WEBNN_VULKAN__OP_BITCAST
         : webnn_vulkan__is_signed(from)                          ? WEBNN_VULKAN__OP_S_CONVERT
                                                                  : WEBNN_VULKAN__OP_U_CONVERT;
}

/* A value with another type of components, as a constructor converts it. */
static webnn_vulkan__value webnn_vulkan__convert(webnn_vulkan__compiler *c,
                                                 webnn_vulkan__value value, uint32_t to) {
  const uint32_t from = webnn_vulkan__base(value.type), width = webnn_vulkan__width(value.type);
  const webnn_vulkan__type type = WEBNN_VULKAN__VECTOR(to, width);
  uint32_t i, op;
  if (from == to || webnn_vulkan__failed(c)) {
    return value;
  }
  if (!webnn_vulkan__is_plain(value.type)) {
    webnn_vulkan__complain(c, "this cannot be converted");
    return value;
  }
  if (webnn_vulkan__is_constant(&value)) {
    for (i = 0; i < width; i++) {
      value.bits[i] = webnn_vulkan__fold_conversion(from, to, value.bits[i]);
    }
    value.type = type;
    return value;
  }
  if (to == WEBNN_VULKAN__BOOL) {
    const webnn_vulkan__value zero = webnn_vulkan__zero_or(value.type, 0);
    return webnn_vulkan__two_operands(c,
                                      webnn_vulkan__is_floating(from)
                                          ? (uint32_t)WEBNN_VULKAN__OP_F_NOT_EQUAL
                                          : (uint32_t)WEBNN_VULKAN__OP_I_NOT_EQUAL,
                                      type, &value, &zero);
  }
  if (from == WEBNN_VULKAN__BOOL) {
    return webnn_vulkan__choose(c, value, webnn_vulkan__zero_or(type, 1),
                                webnn_vulkan__zero_or(type, 0));
  }
  op = webnn_vulkan__conversion(from, to);
  if ((op == WEBNN_VULKAN__OP_S_CONVERT || op == WEBNN_VULKAN__OP_U_CONVERT) &&
      webnn_vulkan__is_signed(from) != webnn_vulkan__is_signed(to)) {
    /* These change the width alone, so the sign comes first. */
    const uint32_t step = webnn_vulkan__is_wide(to)
                              ? (webnn_vulkan__is_signed(from) ? (uint32_t)WEBNN_VULKAN__INT64
                                                               : (uint32_t)WEBNN_VULKAN__UINT64)
                              : (webnn_vulkan__is_signed(from) ? (uint32_t)WEBNN_VULKAN__INT
                                                               : (uint32_t)WEBNN_VULKAN__UINT);
    value = webnn_vulkan__one_operand(c, op, WEBNN_VULKAN__VECTOR(step, width), &value);
    op = WEBNN_VULKAN__OP_BITCAST;
  }
  return webnn_vulkan__one_operand(c, op, type, &value);
}

/* "float", "uvec4[3]" into a text of 32 characters. */
static const char *webnn_vulkan__type_text(webnn_vulkan__type type, char *text) {
  static const char *const scalars[] = {"void",     "bool",      "int",   "uint",   "int64_t",
                                        "uint64_t", "float16_t", "float", "coopmat"};
  static const char *const vectors[] = {"", "b", "i", "u", "i64", "u64", "f16", ""};
  const uint32_t base = webnn_vulkan__base(type), width = webnn_vulkan__width(type);
  webnn_error made;
  if (width > 1 && base != WEBNN_VULKAN__MATRIX) {
    webnn__fail(&made, WEBNN_OK, webnn_vulkan__is_array(type) ? "%svec%u[%u]" : "%svec%u",
                vectors[base], width, webnn_vulkan__length(type));
  } else {
    webnn__fail(&made, WEBNN_OK, webnn_vulkan__is_array(type) ? "%s[%u]" : "%s", scalars[base],
                webnn_vulkan__length(type));
  }
  memcpy(text, made.message, 31);
  text[31] = 0;
  return text;
}

/* Two types that do not go together. */
static void webnn_vulkan__mismatch(webnn_vulkan__compiler *c, const char *what,
                                   webnn_vulkan__type a, webnn_vulkan__type b) {
  char texts[2][32];
  if (!webnn_vulkan__failed(c)) {
    webnn_vulkan__stop(c, webnn__fail(c->error, WEBNN_OPERATION_ERROR,
                                      "kernel, line %u: %s: %s and %s", c->line, what,
                                      webnn_vulkan__type_text(a, texts[0]),
                                      webnn_vulkan__type_text(b, texts[1])));
  }
}

/* A value as one of this type, by what GLSL converts implicitly. */
static webnn_vulkan__value webnn_vulkan__as(webnn_vulkan__compiler *c, webnn_vulkan__value value,
                                            webnn_vulkan__type type) {
  value = webnn_vulkan__load(c, value);
  if (value.type == type || webnn_vulkan__failed(c)) {
    return value;
  }
  if (!webnn_vulkan__is_plain(type) || !webnn_vulkan__is_plain(value.type) ||
      webnn_vulkan__width(type) != webnn_vulkan__width(value.type) ||
      !webnn_vulkan__converts(webnn_vulkan__base(value.type), webnn_vulkan__base(type))) {
    webnn_vulkan__mismatch(c, "one type does not become the other", value.type, type);
    return value;
  }
  return webnn_vulkan__convert(c, value, webnn_vulkan__base(type));
}

/* The same type for both: of components, and of vectors where one is a scalar. */
static bool webnn_vulkan__unify(webnn_vulkan__compiler *c, webnn_vulkan__value *a,
                                webnn_vulkan__value *b) {
  const uint32_t of_a = webnn_vulkan__base(a->type), of_b = webnn_vulkan__base(b->type);
  const uint32_t base = webnn_vulkan__converts(of_a, of_b) ? of_b : of_a;
  const uint32_t wide_a = webnn_vulkan__width(a->type), wide_b = webnn_vulkan__width(b->type);
  if (webnn_vulkan__failed(c)) {
    return false;
  }
  if (!webnn_vulkan__is_plain(a->type) || !webnn_vulkan__is_plain(b->type) ||
      !(of_a == of_b || webnn_vulkan__converts(of_a, of_b) || webnn_vulkan__converts(of_b, of_a)) ||
      !(wide_a == wide_b || wide_a == 1 || wide_b == 1)) {
    webnn_vulkan__mismatch(c, "these types do not go together", a->type, b->type);
    return false;
  }
  *a =
      webnn_vulkan__splat(c, webnn_vulkan__convert(c, *a, base), wide_a > wide_b ? wide_a : wide_b);
  *b =
      webnn_vulkan__splat(c, webnn_vulkan__convert(c, *b, base), wide_a > wide_b ? wide_a : wide_b);
  return !webnn_vulkan__failed(c);
}

/* Constants a and b of one type; false where the device has to find the result. */
static bool webnn_vulkan__fold(const webnn_vulkan__operator *op, const webnn_vulkan__value *a,
                               const webnn_vulkan__value *b, webnn_vulkan__value *result) {
  const uint32_t base = webnn_vulkan__base(a->type), width = webnn_vulkan__width(a->type);
  uint32_t i;
  *result = webnn_vulkan__of_bits(
      op->gives_bool ? WEBNN_VULKAN__VECTOR(WEBNN_VULKAN__BOOL, width) : a->type, 0);
  for (i = 0; i < width; i++) {
    if (webnn_vulkan__is_floating(base)
            ? !webnn_vulkan__fold_floats(op->sign, base, a->bits[i], b->bits[i], &result->bits[i])
            : !webnn_vulkan__fold_integers(op->sign, base, a->bits[i], b->bits[i],
                                           &result->bits[i])) {
      return false;
    }
    if (!webnn_vulkan__is_floating(base)) {
      result->bits[i] = webnn_vulkan__wrap(base, result->bits[i]);
    }
  }
  return true;
}

/* Operators on cooperative matrices: with another of the same type, or times a scalar. */
static webnn_vulkan__value webnn_vulkan__matrix_operator(webnn_vulkan__compiler *c,
                                                         const webnn_vulkan__operator *op,
                                                         webnn_vulkan__value a,
                                                         webnn_vulkan__value b) {
  const uint32_t component = c->matrices[webnn_vulkan__width(a.type)].component;
  if (a.type == b.type && op->precedence >= 10 && webnn_vulkan__instruction(op, component) != 0) {
    return webnn_vulkan__two_operands(c, webnn_vulkan__instruction(op, component), a.type, &a, &b);
  }
  if (webnn_vulkan__is_matrix(a.type) && op->sign == '*' &&
      b.type == WEBNN_VULKAN__SCALAR(component)) {
    return webnn_vulkan__two_operands(c, WEBNN_VULKAN__OP_MATRIX_TIMES_SCALAR, a.type, &a, &b);
  }
  webnn_vulkan__mismatch(c, "these types do not go together", a.type, b.type);
  return a;
}

/* a op b, of values that are no places. Vectors are compared component by component. */
static webnn_vulkan__value webnn_vulkan__componentwise(webnn_vulkan__compiler *c,
                                                       const webnn_vulkan__operator *op,
                                                       webnn_vulkan__value a,
                                                       webnn_vulkan__value b) {
  const bool shift = op->precedence == 9;
  webnn_vulkan__value result;
  uint32_t instruction;
  if (webnn_vulkan__is_matrix(a.type) && !webnn_vulkan__failed(c)) {
    return webnn_vulkan__matrix_operator(c, op, a, b);
  }
  if (shift && webnn_vulkan__is_plain(a.type) && webnn_vulkan__is_plain(b.type) &&
      webnn_vulkan__is_integer(webnn_vulkan__base(b.type))) {
    if (webnn_vulkan__width(b.type) == 1) {
      b = webnn_vulkan__splat(c, b, webnn_vulkan__width(a.type));
    }
    if (webnn_vulkan__width(a.type) != webnn_vulkan__width(b.type)) {
      webnn_vulkan__mismatch(c, "these types do not go together", a.type, b.type);
    }
  } else if (!webnn_vulkan__unify(c, &a, &b)) {
    return a;
  }
  instruction = webnn_vulkan__instruction(op, webnn_vulkan__base(a.type));
  if (instruction == 0) {
    webnn_vulkan__mismatch(c, "this operator is not for these types", a.type, b.type);
  }
  if (webnn_vulkan__failed(c)) {
    return a;
  }
  if (webnn_vulkan__is_constant(&a) && webnn_vulkan__is_constant(&b) &&
      webnn_vulkan__fold(op, &a, &b, &result)) {
    return result;
  }
  /* Integers are not divided in vain: some divisors are 0. */
  c->effects += op->precedence == 11 && op->sign != '*' &&
                !webnn_vulkan__is_floating(webnn_vulkan__base(a.type)) &&
                !(webnn_vulkan__is_constant(&b) && b.bits[0] != 0);
  return webnn_vulkan__two_operands(
      c, instruction,
      op->gives_bool ? WEBNN_VULKAN__VECTOR(WEBNN_VULKAN__BOOL, webnn_vulkan__width(a.type))
                     : a.type,
      &a, &b);
}

/* Do any, or all, of a vector's components hold? */
static webnn_vulkan__value webnn_vulkan__any_or_all(webnn_vulkan__compiler *c, uint32_t op,
                                                    const webnn_vulkan__value *value) {
  const webnn_vulkan__type type = WEBNN_VULKAN__ONE_BOOL;
  if (webnn_vulkan__width(value->type) == 1) {
    return *value;
  }
  if (webnn_vulkan__is_constant(value)) {
    const uint32_t width = webnn_vulkan__width(value->type);
    uint32_t i, hold = 0;
    for (i = 0; i < width; i++) {
      hold += value->bits[i] != 0;
    }
    return webnn_vulkan__of_bits(type, op == WEBNN_VULKAN__OP_ANY ? hold > 0 : hold == width);
  }
  return webnn_vulkan__one_operand(c, op, type, value);
}

/* a op b as GLSL has it: == and != of vectors are one bool, < and its like are of scalars. */
static webnn_vulkan__value webnn_vulkan__binary(webnn_vulkan__compiler *c,
                                                const webnn_vulkan__operator *op,
                                                webnn_vulkan__value a, webnn_vulkan__value b) {
  if (op->precedence == 7 && !webnn_vulkan__failed(c)) {
    if (webnn_vulkan__width(a.type) != webnn_vulkan__width(b.type)) {
      webnn_vulkan__mismatch(c, "these types do not go together", a.type, b.type);
    }
    a = webnn_vulkan__componentwise(c, op, a, b);
    return webnn_vulkan__failed(c)
               ? a
               : webnn_vulkan__any_or_all(c,
                                          op->sign == WEBNN_VULKAN__SIGN2('=', '=')
                                              ? (uint32_t)WEBNN_VULKAN__OP_ALL
                                              : (uint32_t)WEBNN_VULKAN__OP_ANY,
                                          &a);
  }
  if (op->gives_bool && !webnn_vulkan__failed(c) &&
      !(webnn_vulkan__is_scalar(a.type) && webnn_vulkan__is_scalar(b.type))) {
    webnn_vulkan__mismatch(c, "this operator is for scalars", a.type, b.type);
  }
  return webnn_vulkan__componentwise(c, op, a, b);
}

/* - ! ~ */
static webnn_vulkan__value webnn_vulkan__unary(webnn_vulkan__compiler *c, uint32_t sign,
                                               webnn_vulkan__value value) {
  const uint32_t base = webnn_vulkan__is_matrix(value.type)
                            ? c->matrices[webnn_vulkan__width(value.type)].component
                            : webnn_vulkan__base(value.type);
  const bool integer = webnn_vulkan__is_integer(base);
  uint32_t op = 0, i;
  if (webnn_vulkan__failed(c)) {
    return value;
  }
  if (sign == '-' && !webnn_vulkan__is_array(value.type)) {
    op = webnn_vulkan__is_floating(base) ? (uint32_t)WEBNN_VULKAN__OP_F_NEGATE
         : integer                       ? (uint32_t)WEBNN_VULKAN__OP_S_NEGATE
                                         : 0u;
  } else if (sign == '~' && webnn_vulkan__is_plain(value.type)) {
    op = integer ? (uint32_t)WEBNN_VULKAN__OP_NOT : 0u;
  } else if (webnn_vulkan__is_plain(value.type)) {
    op = base == WEBNN_VULKAN__BOOL ? (uint32_t)WEBNN_VULKAN__OP_LOGICAL_NOT : 0u;
  }
  if (op == 0) {
    webnn_vulkan__mismatch(c, "this operator is not for this type", value.type, value.type);
    return value;
  }
  if (!webnn_vulkan__is_constant(&value)) {
    return webnn_vulkan__one_operand(c, op, value.type, &value);
  }
  for (i = 0; i < webnn_vulkan__width(value.type); i++) {
    const uint64_t x = value.bits[i];
    value.bits[i] = op == WEBNN_VULKAN__OP_LOGICAL_NOT ? x ^ 1
                    : op == WEBNN_VULKAN__OP_NOT       ? webnn_vulkan__wrap(base, ~x)
                    : op == WEBNN_VULKAN__OP_S_NEGATE  ? webnn_vulkan__wrap(base, (uint64_t)0 - x)
                    : base == WEBNN_VULKAN__HALF       ? x ^ 0x8000u
                                                       : x ^ 0x80000000u;
  }
  return value;
}

/* A place gets a value, which is converted if need be. */
static void webnn_vulkan__assign(webnn_vulkan__compiler *c, const webnn_vulkan__value *place,
                                 webnn_vulkan__value value) {
  uint32_t i, seen = 0;
  if (webnn_vulkan__failed(c)) {
    return;
  }
  for (i = 0; i < place->swizzle_count; i++) {
    seen |= 1u << place->swizzle[i];
  }
  if (place->kind != WEBNN_VULKAN__PLACE || place->read_only ||
      place->storage == WEBNN_VULKAN__STORAGE_PUSH ||
      place->storage == WEBNN_VULKAN__STORAGE_INPUT) {
    webnn_vulkan__complain(c, "this cannot be written");
    return;
  }
  for (i = 0; seen != 0; i++) {
    seen &= seen - 1;
  }
  if (i != place->swizzle_count) {
    webnn_vulkan__complain(c, "a component is written twice");
    return;
  }
  value = webnn_vulkan__as(c, value, place->type);
  if (!webnn_vulkan__failed(c)) {
    webnn_vulkan__store(c, place, &value);
  }
}

/* ---- Built-in functions ---------------------------------------------------------------------

   One row for each. Most are one instruction that depends on the type of the operands, whose types
   are made equal first, or one of the extended set GLSL.std.450; the others have a kind each. */

typedef enum webnn_vulkan__builtin_kind {
  WEBNN_VULKAN__EXTENDED, /* operands of one type and a result of it, GLSL.std.450 */
  WEBNN_VULKAN__PLAIN,    /* the same, an instruction */
  WEBNN_VULKAN__FIND,     /* an integer; int */
  WEBNN_VULKAN__COUNT,    /* the same, an instruction */
  WEBNN_VULKAN__MIX,
  WEBNN_VULKAN__LDEXP,
  WEBNN_VULKAN__DOT,
  WEBNN_VULKAN__HOLD, /* any, all: of bools */
  WEBNN_VULKAN__NEGATION,
  WEBNN_VULKAN__COMPARE,     /* component by component; of_floats is the sign */
  WEBNN_VULKAN__CLASSIFY,    /* isnan, isinf */
  WEBNN_VULKAN__REINTERPRET, /* of_floats bases: to, of_signed: from; of_unsigned: their widths */
  WEBNN_VULKAN__PACK,        /* the same by GLSL.std.450; detail is the instruction */
  WEBNN_VULKAN__CARRY,       /* a result and another through a place */
  WEBNN_VULKAN__MULTIPLY,    /* two results through places */
  WEBNN_VULKAN__EXTRACT,
  WEBNN_VULKAN__INSERT,
  WEBNN_VULKAN__BARRIER,
  WEBNN_VULKAN__MEMORY_BARRIER, /* detail: of which scope; of_floats: of which memory */
  WEBNN_VULKAN__ATOMIC,
  WEBNN_VULKAN__SUBGROUP, /* detail is the group operation, or 9: none */
  WEBNN_VULKAN__SUBGROUP_BARRIER,
  WEBNN_VULKAN__PACKED_DOT,
  WEBNN_VULKAN__LOAD_MATRIX,
  WEBNN_VULKAN__STORE_MATRIX,
  WEBNN_VULKAN__MULTIPLY_ADD
} webnn_vulkan__builtin_kind;

typedef struct webnn_vulkan__builtin {
  const char *name;
  uint8_t kind, count, places; /* how many arguments, and which are places: a bit each */
  uint8_t detail;
  uint16_t of_floats, of_signed, of_unsigned; /* instructions, 0 where there is none */
  uint16_t needs;                             /* a capability */
} webnn_vulkan__builtin;

static const webnn_vulkan__builtin webnn_vulkan__builtins[] = {
    {"min", WEBNN_VULKAN__EXTENDED, 2, 0, 0, 37, 39, 38, 0},
    {"max", WEBNN_VULKAN__EXTENDED, 2, 0, 0, 40, 42, 41, 0},
    {"clamp", WEBNN_VULKAN__EXTENDED, 3, 0, 0, 43, 45, 44, 0},
    {"abs", WEBNN_VULKAN__EXTENDED, 1, 0, 0, 4, 5, 0, 0},
    {"sign", WEBNN_VULKAN__EXTENDED, 1, 0, 0, 6, 7, 0, 0},
    {"round", WEBNN_VULKAN__EXTENDED, 1, 0, 0, 1, 0, 0, 0},
    {"roundEven", WEBNN_VULKAN__EXTENDED, 1, 0, 0, 2, 0, 0, 0},
    {"trunc", WEBNN_VULKAN__EXTENDED, 1, 0, 0, 3, 0, 0, 0},
    {"floor", WEBNN_VULKAN__EXTENDED, 1, 0, 0, 8, 0, 0, 0},
    {"ceil", WEBNN_VULKAN__EXTENDED, 1, 0, 0, 9, 0, 0, 0},
    {"fract", WEBNN_VULKAN__EXTENDED, 1, 0, 0, 10, 0, 0, 0},
    {"sin", WEBNN_VULKAN__EXTENDED, 1, 0, 0, 13, 0, 0, 0},
    {"cos", WEBNN_VULKAN__EXTENDED, 1, 0, 0, 14, 0, 0, 0},
    {"tanh", WEBNN_VULKAN__EXTENDED, 1, 0, 0, 21, 0, 0, 0},
    {"pow", WEBNN_VULKAN__EXTENDED, 2, 0, 0, 26, 0, 0, 0},
    {"exp", WEBNN_VULKAN__EXTENDED, 1, 0, 0, 27, 0, 0, 0},
    {"log", WEBNN_VULKAN__EXTENDED, 1, 0, 0, 28, 0, 0, 0},
    {"exp2", WEBNN_VULKAN__EXTENDED, 1, 0, 0, 29, 0, 0, 0},
    {"log2", WEBNN_VULKAN__EXTENDED, 1, 0, 0, 30, 0, 0, 0},
    {"sqrt", WEBNN_VULKAN__EXTENDED, 1, 0, 0, 31, 0, 0, 0},
    {"inversesqrt", WEBNN_VULKAN__EXTENDED, 1, 0, 0, 32, 0, 0, 0},
    {"fma", WEBNN_VULKAN__EXTENDED, 3, 0, 0, 50, 0, 0, 0},
    {"step", WEBNN_VULKAN__EXTENDED, 2, 0, 0, 48, 0, 0, 0},
    {"mod", WEBNN_VULKAN__PLAIN, 2, 0, 0, 141, 0, 0, 0},
    {"mix", WEBNN_VULKAN__MIX, 3, 0, 0, 46, 0, 0, 0},
    {"ldexp", WEBNN_VULKAN__LDEXP, 2, 0, 0, 53, 0, 0, 0},
    {"dot", WEBNN_VULKAN__DOT, 2, 0, 0, 0, 0, 0, 0},
    {"any", WEBNN_VULKAN__HOLD, 1, 0, 154, 0, 0, 0, 0},
    {"all", WEBNN_VULKAN__HOLD, 1, 0, 155, 0, 0, 0, 0},
    {"not", WEBNN_VULKAN__NEGATION, 1, 0, 0, 0, 0, 0, 0},
    {"lessThan", WEBNN_VULKAN__COMPARE, 2, 0, 0, '<', 0, 0, 0},
    {"greaterThan", WEBNN_VULKAN__COMPARE, 2, 0, 0, '>', 0, 0, 0},
    {"lessThanEqual", WEBNN_VULKAN__COMPARE, 2, 0, 0, WEBNN_VULKAN__SIGN2('<', '='), 0, 0, 0},
    {"greaterThanEqual", WEBNN_VULKAN__COMPARE, 2, 0, 0, WEBNN_VULKAN__SIGN2('>', '='), 0, 0, 0},
    {"equal", WEBNN_VULKAN__COMPARE, 2, 0, 0, WEBNN_VULKAN__SIGN2('=', '='), 0, 0, 0},
    {"notEqual", WEBNN_VULKAN__COMPARE, 2, 0, 0, WEBNN_VULKAN__SIGN2('!', '='), 0, 0, 0},
    {"isnan", WEBNN_VULKAN__CLASSIFY, 1, 0, '>', 0, 0, 0, 0},
    {"isinf", WEBNN_VULKAN__CLASSIFY, 1, 0, '=', 0, 0, 0, 0},
    {"floatBitsToUint", WEBNN_VULKAN__REINTERPRET, 1, 0, 0, WEBNN_VULKAN__UINT, WEBNN_VULKAN__FLOAT,
     0, 0},
    {"floatBitsToInt", WEBNN_VULKAN__REINTERPRET, 1, 0, 0, WEBNN_VULKAN__INT, WEBNN_VULKAN__FLOAT,
     0, 0},
    {"uintBitsToFloat", WEBNN_VULKAN__REINTERPRET, 1, 0, 0, WEBNN_VULKAN__FLOAT, WEBNN_VULKAN__UINT,
     0, 0},
    {"intBitsToFloat", WEBNN_VULKAN__REINTERPRET, 1, 0, 0, WEBNN_VULKAN__FLOAT, WEBNN_VULKAN__INT,
     0, 0},
    {"packFloat2x16", WEBNN_VULKAN__REINTERPRET, 1, 0, 0, WEBNN_VULKAN__UINT, WEBNN_VULKAN__HALF,
     0x12, 0},
    {"unpackFloat2x16", WEBNN_VULKAN__REINTERPRET, 1, 0, 0, WEBNN_VULKAN__HALF, WEBNN_VULKAN__UINT,
     0x21, 0},
    {"packUint2x32", WEBNN_VULKAN__REINTERPRET, 1, 0, 0, WEBNN_VULKAN__UINT64, WEBNN_VULKAN__UINT,
     0x12, 0},
    {"unpackUint2x32", WEBNN_VULKAN__REINTERPRET, 1, 0, 0, WEBNN_VULKAN__UINT, WEBNN_VULKAN__UINT64,
     0x21, 0},
    {"packHalf2x16", WEBNN_VULKAN__PACK, 1, 0, 58, WEBNN_VULKAN__UINT, WEBNN_VULKAN__FLOAT, 0x12,
     0},
    {"unpackHalf2x16", WEBNN_VULKAN__PACK, 1, 0, 62, WEBNN_VULKAN__FLOAT, WEBNN_VULKAN__UINT, 0x21,
     0},
    {"findLSB", WEBNN_VULKAN__FIND, 1, 0, 0, 0, 73, 73, 0},
    {"findMSB", WEBNN_VULKAN__FIND, 1, 0, 0, 0, 74, 75, 0},
    {"bitCount", WEBNN_VULKAN__COUNT, 1, 0, 0, 0, 205, 205, 0},
    {"bitfieldReverse", WEBNN_VULKAN__PLAIN, 1, 0, 0, 0, 204, 204, 0},
    {"bitfieldExtract", WEBNN_VULKAN__EXTRACT, 3, 0, 0, 0, 202, 203, 0},
    {"bitfieldInsert", WEBNN_VULKAN__INSERT, 4, 0, 0, 0, 201, 201, 0},
    {"uaddCarry", WEBNN_VULKAN__CARRY, 3, 4, 0, 0, 0, 149, 0},
    {"usubBorrow", WEBNN_VULKAN__CARRY, 3, 4, 0, 0, 0, 150, 0},
    {"umulExtended", WEBNN_VULKAN__MULTIPLY, 4, 12, WEBNN_VULKAN__UINT, 0, 0, 151, 0},
    {"imulExtended", WEBNN_VULKAN__MULTIPLY, 4, 12, WEBNN_VULKAN__INT, 0, 152, 0, 0},
    {"barrier", WEBNN_VULKAN__BARRIER, 0, 0, 0, 0, 0, 0, 0},
    {"memoryBarrier", WEBNN_VULKAN__MEMORY_BARRIER, 0, 0, WEBNN_VULKAN__SCOPE_DEVICE,
     WEBNN_VULKAN__OF_BUFFERS | WEBNN_VULKAN__OF_SHARED, 0, 0, 0},
    {"memoryBarrierBuffer", WEBNN_VULKAN__MEMORY_BARRIER, 0, 0, WEBNN_VULKAN__SCOPE_DEVICE,
     WEBNN_VULKAN__OF_BUFFERS, 0, 0, 0},
    {"memoryBarrierShared", WEBNN_VULKAN__MEMORY_BARRIER, 0, 0, WEBNN_VULKAN__SCOPE_DEVICE,
     WEBNN_VULKAN__OF_SHARED, 0, 0, 0},
    {"groupMemoryBarrier", WEBNN_VULKAN__MEMORY_BARRIER, 0, 0, WEBNN_VULKAN__SCOPE_WORKGROUP,
     WEBNN_VULKAN__OF_BUFFERS | WEBNN_VULKAN__OF_SHARED, 0, 0, 0},
    {"atomicAdd", WEBNN_VULKAN__ATOMIC, 2, 1, 0, 0, 234, 234, 0},
    {"atomicMin", WEBNN_VULKAN__ATOMIC, 2, 1, 0, 0, 236, 237, 0},
    {"atomicMax", WEBNN_VULKAN__ATOMIC, 2, 1, 0, 0, 238, 239, 0},
    {"atomicAnd", WEBNN_VULKAN__ATOMIC, 2, 1, 0, 0, 240, 240, 0},
    {"atomicOr", WEBNN_VULKAN__ATOMIC, 2, 1, 0, 0, 241, 241, 0},
    {"atomicXor", WEBNN_VULKAN__ATOMIC, 2, 1, 0, 0, 242, 242, 0},
    {"atomicExchange", WEBNN_VULKAN__ATOMIC, 2, 1, 0, 0, 229, 229, 0},
    {"atomicCompSwap", WEBNN_VULKAN__ATOMIC, 3, 1, 0, 0, 230, 230, 0},
    {"subgroupElect", WEBNN_VULKAN__SUBGROUP, 0, 0, 9, 333, 333, 333, WEBNN_VULKAN__CAN_SUBGROUP},
    {"subgroupAll", WEBNN_VULKAN__SUBGROUP, 1, 0, 9, 334, 334, 334,
     WEBNN_VULKAN__CAN_SUBGROUP_VOTE},
    {"subgroupAny", WEBNN_VULKAN__SUBGROUP, 1, 0, 9, 335, 335, 335,
     WEBNN_VULKAN__CAN_SUBGROUP_VOTE},
    {"subgroupAdd", WEBNN_VULKAN__SUBGROUP, 1, 0, 0, 350, 349, 349,
     WEBNN_VULKAN__CAN_SUBGROUP_ARITHMETIC},
    {"subgroupMul", WEBNN_VULKAN__SUBGROUP, 1, 0, 0, 352, 351, 351,
     WEBNN_VULKAN__CAN_SUBGROUP_ARITHMETIC},
    {"subgroupMin", WEBNN_VULKAN__SUBGROUP, 1, 0, 0, 355, 353, 354,
     WEBNN_VULKAN__CAN_SUBGROUP_ARITHMETIC},
    {"subgroupMax", WEBNN_VULKAN__SUBGROUP, 1, 0, 0, 358, 356, 357,
     WEBNN_VULKAN__CAN_SUBGROUP_ARITHMETIC},
    {"subgroupAnd", WEBNN_VULKAN__SUBGROUP, 1, 0, 0, 0, 359, 359,
     WEBNN_VULKAN__CAN_SUBGROUP_ARITHMETIC},
    {"subgroupOr", WEBNN_VULKAN__SUBGROUP, 1, 0, 0, 0, 360, 360,
     WEBNN_VULKAN__CAN_SUBGROUP_ARITHMETIC},
    {"subgroupInclusiveAdd", WEBNN_VULKAN__SUBGROUP, 1, 0, 1, 350, 349, 349,
     WEBNN_VULKAN__CAN_SUBGROUP_ARITHMETIC},
    {"subgroupExclusiveAdd", WEBNN_VULKAN__SUBGROUP, 1, 0, 2, 350, 349, 349,
     WEBNN_VULKAN__CAN_SUBGROUP_ARITHMETIC},
    {"subgroupBroadcastFirst", WEBNN_VULKAN__SUBGROUP, 1, 0, 9, 338, 338, 338,
     WEBNN_VULKAN__CAN_SUBGROUP_BALLOT},
    {"subgroupBroadcast", WEBNN_VULKAN__SUBGROUP, 2, 0, 9, 337, 337, 337,
     WEBNN_VULKAN__CAN_SUBGROUP_BALLOT},
    {"subgroupShuffle", WEBNN_VULKAN__SUBGROUP, 2, 0, 9, 345, 345, 345,
     WEBNN_VULKAN__CAN_SUBGROUP_SHUFFLE},
    {"subgroupShuffleXor", WEBNN_VULKAN__SUBGROUP, 2, 0, 9, 346, 346, 346,
     WEBNN_VULKAN__CAN_SUBGROUP_SHUFFLE},
    {"subgroupBarrier", WEBNN_VULKAN__SUBGROUP_BARRIER, 0, 0, 0, 0, 0, 0,
     WEBNN_VULKAN__CAN_SUBGROUP},
    {"dotPacked4x8EXT", WEBNN_VULKAN__PACKED_DOT, 2, 0, 0, 0, 0, 0, WEBNN_VULKAN__CAN_DOT},
    {"dotPacked4x8AccSatEXT", WEBNN_VULKAN__PACKED_DOT, 3, 0, 3, 0, 0, 0, WEBNN_VULKAN__CAN_DOT},
    {"coopMatLoad", WEBNN_VULKAN__LOAD_MATRIX, 5, 3, 0, 0, 0, 0, 0},
    {"coopMatStore", WEBNN_VULKAN__STORE_MATRIX, 5, 2, 0, 0, 0, 0, 0},
    {"coopMatMulAdd", WEBNN_VULKAN__MULTIPLY_ADD, 3, 0, 0, 0, 0, 0, 0}};

static uint32_t webnn_vulkan__builtin_op(const webnn_vulkan__builtin *builtin, uint32_t base) {
  return webnn_vulkan__is_floating(base)  ? builtin->of_floats
         : webnn_vulkan__is_signed(base)  ? builtin->of_signed
         : webnn_vulkan__is_integer(base) ? builtin->of_unsigned
                                          : 0;
}

/* An instruction of GLSL.std.450. */
static webnn_vulkan__value webnn_vulkan__extended(webnn_vulkan__compiler *c, uint32_t op,
                                                  webnn_vulkan__type type,
                                                  const webnn_vulkan__value *values,
                                                  uint32_t count) {
  uint32_t operands[6], i;
  operands[0] = c->extended;
  operands[1] = op;
  for (i = 0; i < count; i++) {
    operands[i + 2] = webnn_vulkan__id(c, &values[i]);
  }
  return webnn_vulkan__of_id(type, webnn_vulkan__result(c, WEBNN_VULKAN__OP_EXT_INST,
                                                        webnn_vulkan__type_id(c, type), operands,
                                                        count + 2));
}

/* All arguments get the type that all can become; float where there is nothing for integers. */
static void webnn_vulkan__unify_all(webnn_vulkan__compiler *c, const webnn_vulkan__builtin *builtin,
                                    webnn_vulkan__value *values, uint32_t count) {
  uint32_t i;
  if (webnn_vulkan__is_integer(webnn_vulkan__base(values[0].type)) && builtin->of_signed == 0 &&
      builtin->of_unsigned == 0) {
    values[0] = webnn_vulkan__convert(c, values[0], WEBNN_VULKAN__FLOAT);
  }
  for (i = 1; i < count; i++) {
    webnn_vulkan__unify(c, &values[0], &values[i]);
  }
  for (i = 1; i < count; i++) {
    webnn_vulkan__unify(c, &values[0], &values[i]);
  }
}

/* min and max of constants, which sizes of arrays are made of; false for all else. */
static bool webnn_vulkan__fold_extreme(uint32_t op, const webnn_vulkan__value *values,
                                       webnn_vulkan__value *result) {
  const uint32_t base = webnn_vulkan__base(values[0].type);
  const uint32_t sign = op >= 40 ? '>' : '<';
  uint64_t first;
  if (op < 37 || op > 42 || !webnn_vulkan__is_constant(&values[0]) ||
      !webnn_vulkan__is_constant(&values[1]) || !webnn_vulkan__is_scalar(values[0].type) ||
      webnn_vulkan__is_floating(base)) {
    return false;
  }
  webnn_vulkan__fold_integers(sign, base, values[0].bits[0], values[1].bits[0], &first);
  *result = first ? values[0] : values[1];
  return true;
}

/* Operands of one type. */
static webnn_vulkan__value webnn_vulkan__same_types(webnn_vulkan__compiler *c,
                                                    const webnn_vulkan__builtin *builtin,
                                                    webnn_vulkan__value *values) {
  webnn_vulkan__value result = values[0];
  webnn_vulkan__type type;
  uint32_t op, base;
  webnn_vulkan__unify_all(c, builtin, values, builtin->count);
  base = webnn_vulkan__base(values[0].type);
  op = webnn_vulkan__is_plain(values[0].type) ? webnn_vulkan__builtin_op(builtin, base) : 0;
  if (op == 0) {
    webnn_vulkan__mismatch(c, "this function is not for these types", values[0].type,
                           values[builtin->count - 1].type);
  }
  if (webnn_vulkan__failed(c)) {
    return result;
  }
  type = builtin->kind == WEBNN_VULKAN__FIND || builtin->kind == WEBNN_VULKAN__COUNT
             ? WEBNN_VULKAN__VECTOR(WEBNN_VULKAN__INT, webnn_vulkan__width(values[0].type))
             : values[0].type;
  if (builtin->kind == WEBNN_VULKAN__EXTENDED || builtin->kind == WEBNN_VULKAN__FIND) {
    return builtin->kind == WEBNN_VULKAN__EXTENDED && builtin->count == 2 &&
                   webnn_vulkan__fold_extreme(op, values, &result)
               ? result
               : webnn_vulkan__extended(c, op, type, values, builtin->count);
  }
  return builtin->count == 1 ? webnn_vulkan__one_operand(c, op, type, &values[0])
                             : webnn_vulkan__two_operands(c, op, type, &values[0], &values[1]);
}

static webnn_vulkan__value webnn_vulkan__mix(webnn_vulkan__compiler *c,
                                             const webnn_vulkan__builtin *builtin,
                                             webnn_vulkan__value *values) {
  if (webnn_vulkan__base(values[2].type) == WEBNN_VULKAN__BOOL) {
    if (!webnn_vulkan__unify(c, &values[0], &values[1]) ||
        webnn_vulkan__width(values[0].type) != webnn_vulkan__width(values[2].type)) {
      webnn_vulkan__mismatch(c, "these types do not go together", values[0].type, values[2].type);
      return values[0];
    }
    return webnn_vulkan__choose(c, values[2], values[1], values[0]);
  }
  webnn_vulkan__unify_all(c, builtin, values, 3);
  if (!webnn_vulkan__failed(c) && !webnn_vulkan__is_floating(webnn_vulkan__base(values[0].type))) {
    webnn_vulkan__mismatch(c, "this function is not for these types", values[0].type,
                           values[2].type);
  }
  return webnn_vulkan__failed(c)
             ? values[0]
             : webnn_vulkan__extended(c, builtin->of_floats, values[0].type, values, 3);
}

static webnn_vulkan__value webnn_vulkan__reinterpret(webnn_vulkan__compiler *c,
                                                     const webnn_vulkan__builtin *builtin,
                                                     webnn_vulkan__value value) {
  const uint32_t from = builtin->of_signed, to = builtin->of_floats;
  const uint32_t width =
      builtin->of_unsigned ? builtin->of_unsigned & 15u : webnn_vulkan__width(value.type);
  const uint32_t result_width = builtin->of_unsigned ? builtin->of_unsigned >> 4 : width;
  const webnn_vulkan__type type = WEBNN_VULKAN__VECTOR(to, result_width);
  value = webnn_vulkan__as(c, value, WEBNN_VULKAN__VECTOR(from, width));
  if (webnn_vulkan__failed(c)) {
    return value;
  }
  if (builtin->kind == WEBNN_VULKAN__PACK) {
    return webnn_vulkan__extended(c, builtin->detail, type, &value, 1);
  }
  if (webnn_vulkan__is_constant(&value) && width == result_width) {
    value.type = type;
    return value;
  }
  return webnn_vulkan__one_operand(c, WEBNN_VULKAN__OP_BITCAST, type, &value);
}

/* isnan and isinf: without sign, more than an infinity's bits, or the same. */
static webnn_vulkan__value webnn_vulkan__classify(webnn_vulkan__compiler *c, uint32_t sign,
                                                  webnn_vulkan__value value) {
  const uint32_t width = webnn_vulkan__width(value.type);
  const webnn_vulkan__type type = WEBNN_VULKAN__VECTOR(WEBNN_VULKAN__UINT, width);
  if (!webnn_vulkan__is_plain(value.type) ||
      !webnn_vulkan__is_floating(webnn_vulkan__base(value.type))) {
    webnn_vulkan__mismatch(c, "this function is for floats", value.type, value.type);
    return value;
  }
  value = webnn_vulkan__convert(c, value, WEBNN_VULKAN__FLOAT);
  value = webnn_vulkan__one_operand(c, WEBNN_VULKAN__OP_BITCAST, type, &value);
  value = webnn_vulkan__componentwise(c, webnn_vulkan__find_operator('&'), value,
                                      webnn_vulkan__of_bits(WEBNN_VULKAN__ONE_UINT, 0x7fffffffu));
  return webnn_vulkan__componentwise(
      c, webnn_vulkan__find_operator(sign == '=' ? WEBNN_VULKAN__SIGN2('=', '=') : '>'), value,
      webnn_vulkan__of_bits(WEBNN_VULKAN__ONE_UINT, 0x7f800000u));
}

/* Instructions with two results: uaddCarry(x, y, carry) and umulExtended(x, y, high, low). */
static webnn_vulkan__value webnn_vulkan__two_results(webnn_vulkan__compiler *c,
                                                     const webnn_vulkan__builtin *builtin,
                                                     webnn_vulkan__value *values) {
  const bool multiplies = builtin->kind == WEBNN_VULKAN__MULTIPLY;
  const uint32_t base = multiplies ? builtin->detail : (uint32_t)WEBNN_VULKAN__UINT;
  const webnn_vulkan__type type = WEBNN_VULKAN__VECTOR(base, webnn_vulkan__width(values[0].type));
  uint32_t parts[2], both[2], struct_id;
  webnn_vulkan__value low, high;
  values[0] = webnn_vulkan__as(c, values[0], type);
  values[1] = webnn_vulkan__as(c, values[1], type);
  if (webnn_vulkan__failed(c)) {
    return values[0];
  }
  parts[0] = parts[1] = webnn_vulkan__type_id(c, type);
  struct_id = webnn_vulkan__intern(c, WEBNN_VULKAN__OP_TYPE_STRUCT, 0, parts, 2);
  both[0] = webnn_vulkan__id(c, &values[0]);
  both[1] = webnn_vulkan__id(c, &values[1]);
  both[0] = webnn_vulkan__result(c, webnn_vulkan__builtin_op(builtin, base), struct_id, both, 2);
  both[1] = 0;
  low = webnn_vulkan__of_id(
      type, webnn_vulkan__result(c, WEBNN_VULKAN__OP_COMPOSITE_EXTRACT, parts[0], both, 2));
  both[1] = 1;
  high = webnn_vulkan__of_id(
      type, webnn_vulkan__result(c, WEBNN_VULKAN__OP_COMPOSITE_EXTRACT, parts[0], both, 2));
  webnn_vulkan__assign(c, &values[2], high);
  if (!multiplies) {
    return low;
  }
  webnn_vulkan__assign(c, &values[3], low);
  return webnn_vulkan__no_value();
}

/* bitfieldExtract(value, offset, bits) and bitfieldInsert(value, insert, offset, bits). */
static webnn_vulkan__value webnn_vulkan__bit_field(webnn_vulkan__compiler *c,
                                                   const webnn_vulkan__builtin *builtin,
                                                   webnn_vulkan__value *values) {
  const webnn_vulkan__type number = WEBNN_VULKAN__ONE_INT;
  const uint32_t base = webnn_vulkan__base(values[0].type), count = builtin->count;
  uint32_t ids[4], i;
  if (!webnn_vulkan__is_plain(values[0].type) || !webnn_vulkan__is_integer(base)) {
    webnn_vulkan__mismatch(c, "this function is for integers", values[0].type, values[0].type);
    return values[0];
  }
  values[count - 3] = webnn_vulkan__as(c, values[count - 3], values[0].type);
  values[count - 2] = webnn_vulkan__as(c, values[count - 2], number);
  values[count - 1] = webnn_vulkan__as(c, values[count - 1], number);
  for (i = 0; i < count; i++) {
    ids[i] = webnn_vulkan__id(c, &values[i]);
  }
  return webnn_vulkan__of_id(
      values[0].type, webnn_vulkan__result(c, webnn_vulkan__builtin_op(builtin, base),
                                           webnn_vulkan__type_id(c, values[0].type), ids, count));
}

static void webnn_vulkan__barrier(webnn_vulkan__compiler *c, uint32_t scope, bool control,
                                  uint32_t memory) {
  memory |= WEBNN_VULKAN__ORDERED | (c->vulkan_memory ? (uint32_t)WEBNN_VULKAN__MADE_KNOWN : 0u);
  if (c->vulkan_memory && scope == WEBNN_VULKAN__SCOPE_DEVICE) {
    scope = WEBNN_VULKAN__SCOPE_QUEUES;
  }
  c->effects++;
  if (control) {
    webnn_vulkan__write(c, &c->body, WEBNN_VULKAN__OP_CONTROL_BARRIER, 3,
                        webnn_vulkan__uint_id(c, scope), webnn_vulkan__uint_id(c, scope),
                        webnn_vulkan__uint_id(c, memory));
  } else {
    webnn_vulkan__write(c, &c->body, WEBNN_VULKAN__OP_MEMORY_BARRIER, 2,
                        webnn_vulkan__uint_id(c, scope), webnn_vulkan__uint_id(c, memory));
  }
}

static webnn_vulkan__value webnn_vulkan__atomic(webnn_vulkan__compiler *c,
                                                const webnn_vulkan__builtin *builtin,
                                                webnn_vulkan__value *values) {
  const webnn_vulkan__type type = values[0].type;
  const uint32_t base = webnn_vulkan__base(type);
  uint32_t operands[6], count = 3;
  if (values[0].kind != WEBNN_VULKAN__PLACE || !webnn_vulkan__is_common(&values[0]) ||
      values[0].read_only || !webnn_vulkan__is_scalar(type) ||
      (base != WEBNN_VULKAN__INT && base != WEBNN_VULKAN__UINT)) {
    webnn_vulkan__complain(c, "atomics need an int or uint of a buffer or of shared memory");
    return values[0];
  }
  operands[0] = webnn_vulkan__pointer(c, &values[0]);
  operands[1] = webnn_vulkan__uint_id(c, c->vulkan_memory ? WEBNN_VULKAN__SCOPE_QUEUES
                                                          : WEBNN_VULKAN__SCOPE_DEVICE);
  operands[2] = webnn_vulkan__uint_id(c, 0);
  if (builtin->count == 3) { /* (memory, expected, new) */
    values[2] = webnn_vulkan__as(c, values[2], type);
    operands[count++] = operands[2];
    operands[count++] = webnn_vulkan__id(c, &values[2]);
  }
  values[1] = webnn_vulkan__as(c, values[1], type);
  operands[count++] = webnn_vulkan__id(c, &values[1]);
  c->effects++;
  return webnn_vulkan__of_id(type,
                             webnn_vulkan__result(c, webnn_vulkan__builtin_op(builtin, base),
                                                  webnn_vulkan__type_id(c, type), operands, count));
}

static webnn_vulkan__value webnn_vulkan__subgroup(webnn_vulkan__compiler *c,
                                                  const webnn_vulkan__builtin *builtin,
                                                  webnn_vulkan__value *values) {
  const bool votes = builtin->count == 0 || builtin->needs == WEBNN_VULKAN__CAN_SUBGROUP_VOTE;
  const webnn_vulkan__type boolean = WEBNN_VULKAN__ONE_BOOL;
  const webnn_vulkan__type type = votes ? boolean : values[0].type;
  const uint32_t base = webnn_vulkan__base(type);
  uint32_t operands[4], count = 1;
  uint32_t op = votes ? builtin->of_floats : webnn_vulkan__builtin_op(builtin, base);
  if (op == 0 || !webnn_vulkan__is_plain(type)) {
    webnn_vulkan__mismatch(c, "this function is not for this type", type, type);
    return values[0];
  }
  operands[0] = webnn_vulkan__uint_id(c, WEBNN_VULKAN__SCOPE_SUBGROUP);
  if (builtin->detail != 9) {
    operands[count++] = builtin->detail;
  }
  if (builtin->count > 0) {
    values[0] = webnn_vulkan__as(c, values[0], type);
    operands[count++] = webnn_vulkan__id(c, &values[0]);
  }
  if (builtin->count > 1) {
    values[1] = webnn_vulkan__as(c, values[1], WEBNN_VULKAN__ONE_UINT);
    operands[count++] = webnn_vulkan__id(c, &values[1]);
  }
  c->effects++;
  return webnn_vulkan__of_id(
      type, webnn_vulkan__result(c, op, webnn_vulkan__type_id(c, type), operands, count));
}

/* Products of four bytes each, added; in the words' bytes. */
static webnn_vulkan__value webnn_vulkan__packed_dot(webnn_vulkan__compiler *c,
                                                    const webnn_vulkan__builtin *builtin,
                                                    webnn_vulkan__value *values) {
  const webnn_vulkan__type is = WEBNN_VULKAN__ONE_INT;
  const webnn_vulkan__type iu = WEBNN_VULKAN__ONE_UINT;
  const webnn_vulkan__type type = values[0].type == iu && values[1].type == iu ? iu : is;
  uint32_t op = WEBNN_VULKAN__OP_S_DOT + (values[1].type == is ? 0u : type == iu ? 1u : 2u);
  uint32_t operands[4], count = 0;
  if ((values[0].type != is && values[0].type != iu) ||
      (values[1].type != is && values[1].type != iu) ||
      (values[0].type == iu && values[1].type == is)) {
    webnn_vulkan__mismatch(c, "this function is not for these types", values[0].type,
                           values[1].type);
    return values[0];
  }
  operands[count++] = webnn_vulkan__id(c, &values[0]);
  operands[count++] = webnn_vulkan__id(c, &values[1]);
  if (builtin->count == 3) {
    values[2] = webnn_vulkan__as(c, values[2], type);
    operands[count++] = webnn_vulkan__id(c, &values[2]);
    op += builtin->detail;
  }
  operands[count++] = 0; /* four bytes in a word */
  if (c->dead == 0) {
    webnn_vulkan__needs(c, WEBNN_VULKAN__CAN_DOT_PACKED);
    webnn_vulkan__needs_extension(c, "SPV_KHR_integer_dot_product");
  }
  return webnn_vulkan__of_id(
      type, webnn_vulkan__result(c, op, webnn_vulkan__type_id(c, type), operands, count));
}

/* coopMatLoad(matrix, array, element, stride, layout) and coopMatStore. */
static void webnn_vulkan__move_matrix(webnn_vulkan__compiler *c, bool store,
                                      webnn_vulkan__value *values) {
  const webnn_vulkan__type number = WEBNN_VULKAN__ONE_UINT;
  webnn_vulkan__value array = values[1];
  uint32_t operands[8], count = 2;
  if (!webnn_vulkan__is_matrix(values[0].type) || array.kind != WEBNN_VULKAN__PLACE ||
      !webnn_vulkan__is_common(&array) || !webnn_vulkan__is_array(array.type) ||
      !webnn_vulkan__is_constant(&values[4]) || (store && array.read_only)) {
    webnn_vulkan__complain(c, "a matrix, an array in memory, two numbers and a layout are needed");
    return;
  }
  values[2] = webnn_vulkan__as(c, values[2], number);
  values[3] = webnn_vulkan__as(c, values[3], number);
  values[4] = webnn_vulkan__as(c, values[4], number);
  webnn_vulkan__select(c, &array, webnn_vulkan__id(c, &values[2]),
                       webnn_vulkan__element(array.type));
  operands[0] = operands[1] = webnn_vulkan__pointer(c, &array);
  if (store) {
    values[0] = webnn_vulkan__load(c, values[0]);
    operands[1] = webnn_vulkan__id(c, &values[0]);
  } else {
    count = 1;
  }
  operands[count++] = webnn_vulkan__id(c, &values[4]);
  operands[count++] = webnn_vulkan__id(c, &values[3]);
  count += webnn_vulkan__memory_operands(c, &array, store, operands + count);
  c->effects++;
  if (store) {
    const uint32_t head = webnn_vulkan__head(WEBNN_VULKAN__OP_MATRIX_STORE, count);
    webnn_vulkan__append(c, &c->body, &head, 1);
    webnn_vulkan__append(c, &c->body, operands, count);
  } else {
    const webnn_vulkan__type type = values[0].type;
    webnn_vulkan__assign(
        c, &values[0],
        webnn_vulkan__of_id(type,
                            webnn_vulkan__result(c, WEBNN_VULKAN__OP_MATRIX_LOAD,
                                                 webnn_vulkan__type_id(c, type), operands, count)));
  }
}

/* A * B + C */
static webnn_vulkan__value webnn_vulkan__multiply_add(webnn_vulkan__compiler *c,
                                                      const webnn_vulkan__value *values) {
  uint32_t operands[4], count = 3, i, is_signed = 0;
  for (i = 0; i < 3; i++) {
    if (!webnn_vulkan__is_matrix(values[i].type)) {
      webnn_vulkan__mismatch(c, "a matrix is needed", values[i].type, values[i].type);
      return values[2];
    }
    operands[i] = webnn_vulkan__id(c, &values[i]);
    is_signed |= (uint32_t)webnn_vulkan__is_signed(
                     c->matrices[webnn_vulkan__width(values[i].type)].component)
                 << i;
  }
  if (is_signed != 0) {
    operands[count++] = is_signed | (is_signed & 4) << 1; /* the result's is that of C */
  }
  return webnn_vulkan__of_id(values[2].type,
                             webnn_vulkan__result(c, WEBNN_VULKAN__OP_MATRIX_MUL_ADD,
                                                  webnn_vulkan__type_id(c, values[2].type),
                                                  operands, count));
}

/* x 2^n, n as wide as x. */
static webnn_vulkan__value webnn_vulkan__ldexp(webnn_vulkan__compiler *c,
                                               const webnn_vulkan__builtin *builtin,
                                               webnn_vulkan__value *values) {
  const webnn_vulkan__type integers =
      WEBNN_VULKAN__VECTOR(WEBNN_VULKAN__INT, webnn_vulkan__width(values[0].type));
  values[1] = webnn_vulkan__as(c, values[1], integers);
  if (!webnn_vulkan__is_floating(webnn_vulkan__base(values[0].type))) {
    values[0] = webnn_vulkan__convert(c, values[0], WEBNN_VULKAN__FLOAT);
  }
  return webnn_vulkan__extended(c, builtin->of_floats, values[0].type, values, 2);
}

static webnn_vulkan__value webnn_vulkan__dot(webnn_vulkan__compiler *c,
                                             webnn_vulkan__value *values) {
  if (!webnn_vulkan__unify(c, &values[0], &values[1]) || webnn_vulkan__width(values[0].type) == 1 ||
      !webnn_vulkan__is_floating(webnn_vulkan__base(values[0].type))) {
    webnn_vulkan__mismatch(c, "dot is for vectors of floats", values[0].type, values[1].type);
    return values[0];
  }
  return webnn_vulkan__two_operands(c, WEBNN_VULKAN__OP_DOT,
                                    WEBNN_VULKAN__SCALAR(webnn_vulkan__base(values[0].type)),
                                    &values[0], &values[1]);
}

/* any, all, not. */
static webnn_vulkan__value webnn_vulkan__of_bools(webnn_vulkan__compiler *c,
                                                  const webnn_vulkan__builtin *builtin,
                                                  webnn_vulkan__value *values) {
  if (!webnn_vulkan__is_plain(values[0].type) || webnn_vulkan__width(values[0].type) == 1 ||
      webnn_vulkan__base(values[0].type) != WEBNN_VULKAN__BOOL) {
    webnn_vulkan__mismatch(c, "this is for vectors of bools", values[0].type, values[0].type);
    return values[0];
  }
  return builtin->kind == WEBNN_VULKAN__HOLD
             ? webnn_vulkan__any_or_all(c, builtin->detail, &values[0])
             : webnn_vulkan__unary(c, '!', values[0]);
}

/* lessThan and its kin. */
static webnn_vulkan__value webnn_vulkan__compare_vectors(webnn_vulkan__compiler *c,
                                                         const webnn_vulkan__builtin *builtin,
                                                         webnn_vulkan__value *values) {
  if (webnn_vulkan__width(values[0].type) != webnn_vulkan__width(values[1].type) ||
      !webnn_vulkan__is_plain(values[0].type) || webnn_vulkan__width(values[0].type) == 1) {
    webnn_vulkan__mismatch(c, "this is for vectors", values[0].type, values[1].type);
    return values[0];
  }
  return webnn_vulkan__componentwise(c, webnn_vulkan__find_operator(builtin->of_floats), values[0],
                                     values[1]);
}

/* The call of a built-in function: as many values as it takes, all loaded but its places. */
static webnn_vulkan__value webnn_vulkan__call_builtin(webnn_vulkan__compiler *c,
                                                      const webnn_vulkan__builtin *builtin,
                                                      webnn_vulkan__value *values) {
  if (builtin->needs != 0 && c->dead == 0) {
    webnn_vulkan__needs(c, builtin->needs);
    if (builtin->needs > WEBNN_VULKAN__CAN_SUBGROUP &&
        builtin->needs <= WEBNN_VULKAN__CAN_SUBGROUP_SHUFFLE) {
      webnn_vulkan__needs(c, WEBNN_VULKAN__CAN_SUBGROUP);
    }
  }
  switch ((webnn_vulkan__builtin_kind)builtin->kind) {
  case WEBNN_VULKAN__EXTENDED:
  case WEBNN_VULKAN__PLAIN:
  case WEBNN_VULKAN__FIND:
  case WEBNN_VULKAN__COUNT:
    return webnn_vulkan__same_types(c, builtin, values);
  case WEBNN_VULKAN__MIX:
    return webnn_vulkan__mix(c, builtin, values);
  case WEBNN_VULKAN__LDEXP:
    return webnn_vulkan__ldexp(c, builtin, values);
  case WEBNN_VULKAN__DOT:
    return webnn_vulkan__dot(c, values);
  case WEBNN_VULKAN__HOLD:
  case WEBNN_VULKAN__NEGATION:
    return webnn_vulkan__of_bools(c, builtin, values);
  case WEBNN_VULKAN__COMPARE:
    return webnn_vulkan__compare_vectors(c, builtin, values);
  case WEBNN_VULKAN__CLASSIFY:
    return webnn_vulkan__classify(c, builtin->detail, values[0]);
  case WEBNN_VULKAN__REINTERPRET:
  case WEBNN_VULKAN__PACK:
    return webnn_vulkan__reinterpret(c, builtin, values[0]);
  case WEBNN_VULKAN__CARRY:
  case WEBNN_VULKAN__MULTIPLY:
    return webnn_vulkan__two_results(c, builtin, values);
  case WEBNN_VULKAN__EXTRACT:
  case WEBNN_VULKAN__INSERT:
    return webnn_vulkan__bit_field(c, builtin, values);
  case WEBNN_VULKAN__BARRIER:
    webnn_vulkan__barrier(c, WEBNN_VULKAN__SCOPE_WORKGROUP, true, WEBNN_VULKAN__OF_SHARED);
    return webnn_vulkan__no_value();
  case WEBNN_VULKAN__SUBGROUP_BARRIER:
    webnn_vulkan__barrier(c, WEBNN_VULKAN__SCOPE_SUBGROUP, true,
                          WEBNN_VULKAN__OF_SHARED | WEBNN_VULKAN__OF_BUFFERS);
    return webnn_vulkan__no_value();
  case WEBNN_VULKAN__MEMORY_BARRIER:
    webnn_vulkan__barrier(c, builtin->detail, false, builtin->of_floats);
    return webnn_vulkan__no_value();
  case WEBNN_VULKAN__ATOMIC:
    return webnn_vulkan__atomic(c, builtin, values);
  case WEBNN_VULKAN__SUBGROUP:
    return webnn_vulkan__subgroup(c, builtin, values);
  case WEBNN_VULKAN__PACKED_DOT:
    return webnn_vulkan__packed_dot(c, builtin, values);
  case WEBNN_VULKAN__LOAD_MATRIX:
  case WEBNN_VULKAN__STORE_MATRIX:
    webnn_vulkan__move_matrix(c, builtin->kind == WEBNN_VULKAN__STORE_MATRIX, values);
    return webnn_vulkan__no_value();
  default:
    return webnn_vulkan__multiply_add(c, values);
  }
}

/* ---- Expressions ----------------------------------------------------------------------------

   One function for each level of the grammar; binary operators share one, by precedence. Where an
   operand must not be run in vain (the sides of ?:, the right of && and ||) its words have to stand
   in a block of their own. Whether that is so is known after the operand is read, and the branches
   are then inserted before it; operands without effects stay where they are. */

static webnn_vulkan__value webnn_vulkan__expression(webnn_vulkan__compiler *c);
static webnn_vulkan__value webnn_vulkan__assignment(webnn_vulkan__compiler *c);
static webnn_vulkan__value webnn_vulkan__conditional(webnn_vulkan__compiler *c);
static webnn_vulkan__value webnn_vulkan__operation(webnn_vulkan__compiler *c, uint32_t least);

/* Where the body stood, to go back to: what is read in between is checked and leaves nothing. */
typedef struct webnn_vulkan__mark {
  size_t words;
  uint32_t block, effects;
  bool terminated;
} webnn_vulkan__mark;

static webnn_vulkan__mark webnn_vulkan__begin_dead(webnn_vulkan__compiler *c) {
  webnn_vulkan__mark mark;
  mark.words = c->body.count;
  mark.block = c->block;
  mark.effects = c->effects;
  mark.terminated = c->terminated;
  c->terminated = false;
  c->dead++;
  return mark;
}

static void webnn_vulkan__end_dead(webnn_vulkan__compiler *c, const webnn_vulkan__mark *mark) {
  c->dead--;
  c->body.count = mark->words;
  c->block = mark->block;
  c->effects = mark->effects;
  c->terminated = mark->terminated;
}

/* A constant, an integer from 0 or 1 to `most`; what it is, for a message. */
static uint32_t webnn_vulkan__number_of(webnn_vulkan__compiler *c, webnn_vulkan__value value,
                                        uint32_t least, uint32_t most, const char *what) {
  if (!webnn_vulkan__is_constant(&value) || !webnn_vulkan__is_scalar(value.type) ||
      !webnn_vulkan__is_integer(webnn_vulkan__base(value.type)) || value.bits[0] < least ||
      value.bits[0] > most) {
    webnn_vulkan__complain(c, what);
    return least;
  }
  return (uint32_t)value.bits[0];
}

/* [N], or [] as WEBNN_VULKAN__RUNTIME, if that is next: the type as an array of so many. */
static webnn_vulkan__type webnn_vulkan__array_suffix(webnn_vulkan__compiler *c,
                                                     webnn_vulkan__type type) {
  uint32_t length = WEBNN_VULKAN__RUNTIME;
  if (!webnn_vulkan__accept(c, '[')) {
    return type;
  }
  if (webnn_vulkan__is_array(type) || type == WEBNN_VULKAN__ONE_VOID) {
    webnn_vulkan__complain(c, "arrays have one dimension, and elements");
  }
  if (!webnn_vulkan__is(c, ']')) {
    length = webnn_vulkan__number_of(c, webnn_vulkan__conditional(c), 1, WEBNN_VULKAN__RUNTIME - 1,
                                     "an array's length must be a constant, and more than 0");
  }
  webnn_vulkan__expect(c, ']');
  if (webnn_vulkan__is(c, '[')) {
    webnn_vulkan__complain(c, "arrays have one dimension, and elements");
  }
  return webnn_vulkan__element(type) | length << 8;
}

/* coopmat<component, scope, rows, columns, use>, of which the word is taken. */
static webnn_vulkan__type webnn_vulkan__matrix_type(webnn_vulkan__compiler *c) {
  const char *const what = "a matrix needs constants for scope, rows, columns and use";
  webnn_vulkan__matrix matrix;
  uint32_t numbers[4], i;
  webnn_vulkan__expect(c, '<');
  matrix.component = webnn_vulkan__keyword(c) == WEBNN_VULKAN__IS_TYPE
                         ? webnn_vulkan__base(c->token.name->data)
                         : 0u;
  if (webnn_vulkan__keyword(c) != WEBNN_VULKAN__IS_TYPE ||
      webnn_vulkan__width(c->token.name->data) != 1 || matrix.component <= WEBNN_VULKAN__BOOL) {
    webnn_vulkan__expected(c, "a type of numbers");
  }
  webnn_vulkan__next(c);
  for (i = 0; i < 4; i++) {
    webnn_vulkan__expect(c, ',');
    numbers[i] = webnn_vulkan__number_of(c, webnn_vulkan__operation(c, 9), 0, 65535, what);
  }
  webnn_vulkan__expect(c, '>');
  matrix.scope = numbers[0];
  matrix.rows = numbers[1];
  matrix.columns = numbers[2];
  matrix.use = numbers[3];
  if (!c->vulkan_memory) {
    webnn_vulkan__complain(c, "coopmat needs #extension GL_KHR_cooperative_matrix : require");
  }
  for (i = 0; i < c->matrix_count; i++) {
    if (memcmp(&c->matrices[i], &matrix, sizeof matrix) == 0) {
      return WEBNN_VULKAN__VECTOR(WEBNN_VULKAN__MATRIX, i);
    }
  }
  if (i == WEBNN_VULKAN__MOST_MATRICES) {
    webnn_vulkan__complain(c, "too many types of matrices");
    return 0;
  }
  c->matrices[c->matrix_count++] = matrix;
  return WEBNN_VULKAN__VECTOR(WEBNN_VULKAN__MATRIX, i);
}

static bool webnn_vulkan__is_type(const webnn_vulkan__compiler *c) {
  const uint32_t kind = webnn_vulkan__keyword(c);
  return kind == WEBNN_VULKAN__IS_TYPE || kind == WEBNN_VULKAN__IS_COOPMAT;
}

/* A type, with its length where that stands here. */
static webnn_vulkan__type webnn_vulkan__read_type(webnn_vulkan__compiler *c) {
  webnn_vulkan__type type = WEBNN_VULKAN__ONE_VOID;
  if (webnn_vulkan__accept_word(c, WEBNN_VULKAN__IS_COOPMAT)) {
    type = webnn_vulkan__matrix_type(c);
  } else if (webnn_vulkan__is_type(c)) {
    type = c->token.name->data;
    webnn_vulkan__next(c);
  } else {
    webnn_vulkan__expected(c, "a type");
  }
  return webnn_vulkan__array_suffix(c, type);
}

/* T[N](element, ...), of which the type is read. Elements are kept until all are there: the id of
   each, or 0 and the bits where it is a constant. */
static webnn_vulkan__value webnn_vulkan__construct_array(webnn_vulkan__compiler *c,
                                                         webnn_vulkan__type type) {
  const webnn_vulkan__type part = webnn_vulkan__element(type);
  const uint32_t width =
      webnn_vulkan__base(part) == WEBNN_VULKAN__MATRIX ? 1 : webnn_vulkan__width(part);
  uint32_t *ids = NULL, count = 0, room = 0, known = 0, i;
  uint64_t *bits = NULL;
  webnn_vulkan__value made = webnn_vulkan__of_bits(type, 0);
  webnn_vulkan__expect(c, '(');
  do {
    webnn_vulkan__value value;
    if (count == room) {
      uint32_t *more_ids;
      uint64_t *more_bits;
      room = room == 0 ? 16 : room * 2;
      more_ids = (uint32_t *)webnn_vulkan__take(c, (uint64_t)room * sizeof *ids);
      more_bits = (uint64_t *)webnn_vulkan__take(c, (uint64_t)room * width * sizeof *bits);
      if (more_ids == NULL || more_bits == NULL) {
        return webnn_vulkan__no_value();
      }
      if (count > 0) {
        memcpy(more_ids, ids, count * sizeof *ids);
        memcpy(more_bits, bits, (size_t)count * width * sizeof *bits);
      }
      ids = more_ids;
      bits = more_bits;
    }
    value = webnn_vulkan__as(c, webnn_vulkan__assignment(c), part);
    ids[count] = webnn_vulkan__is_constant(&value) ? 0 : value.id;
    known += webnn_vulkan__is_constant(&value);
    memcpy(bits + (size_t)count * width, value.bits, width * sizeof *bits);
    count++;
  } while (count < WEBNN_VULKAN__MOST_ELEMENTS && webnn_vulkan__accept(c, ','));
  webnn_vulkan__expect(c, ')');
  if (webnn_vulkan__length(type) != WEBNN_VULKAN__RUNTIME && webnn_vulkan__length(type) != count) {
    webnn_vulkan__complain(c, "an array's constructor needs as many values as it has elements");
  }
  made.type = part | count << 8;
  made.elements = bits;
  if (known == count || webnn_vulkan__failed(c)) {
    return made;
  }
  for (i = 0; i < count; i++) {
    ids[i] = ids[i] != 0 ? ids[i] : webnn_vulkan__constant_id(c, part, bits + (size_t)i * width);
  }
  return webnn_vulkan__of_id(made.type, webnn_vulkan__composite(c, made.type, ids, count));
}

/* Arguments between parentheses, of which the first is taken; as many as `count` says then, which
   stay where they are until the next expression is read. Those that a bit of `places` says remain
   places; others are read at once, before a later argument can change them. */
static webnn_vulkan__value *webnn_vulkan__arguments(webnn_vulkan__compiler *c, uint32_t places,
                                                    uint32_t *count) {
  const uint32_t first = c->argument_count;
  *count = 0;
  if (!webnn_vulkan__accept(c, ')')) {
    do {
      webnn_vulkan__value value = webnn_vulkan__assignment(c);
      if ((places >> *count & 1) == 0) {
        value = webnn_vulkan__load(c, value);
      }
      if (*count == WEBNN_VULKAN__MOST_ARGUMENTS ||
          c->argument_count == WEBNN_VULKAN__MOST_VALUES) {
        webnn_vulkan__complain(c, "too many arguments");
        break;
      }
      c->arguments[c->argument_count++] = value;
      (*count)++;
    } while (webnn_vulkan__accept(c, ','));
    webnn_vulkan__expect(c, ')');
  }
  c->argument_count = first;
  return c->arguments + first;
}

/* T(...) of scalars, vectors and matrices, of which the type is read. */
static webnn_vulkan__value webnn_vulkan__construct(webnn_vulkan__compiler *c,
                                                   webnn_vulkan__type type) {
  const uint32_t base = webnn_vulkan__base(type), width = webnn_vulkan__width(type);
  webnn_vulkan__value *values, made;
  uint32_t count, known = 0, used = 0, ids[4] = {0, 0, 0, 0}, i, k;
  webnn_vulkan__expect(c, '(');
  values = webnn_vulkan__arguments(c, 0, &count);
  if (webnn_vulkan__failed(c)) {
    return webnn_vulkan__no_value();
  }
  if (base == WEBNN_VULKAN__MATRIX && count == 1) {
    const uint32_t component = c->matrices[width].component;
    if (webnn_vulkan__is_scalar(values[0].type)) {
      values[0] = webnn_vulkan__convert(c, values[0], component);
      return webnn_vulkan__one_operand(c, WEBNN_VULKAN__OP_COMPOSITE_CONSTRUCT, type, &values[0]);
    }
    if (webnn_vulkan__is_matrix(values[0].type)) {
      const uint32_t from = c->matrices[webnn_vulkan__width(values[0].type)].component;
      return values[0].type == type
                 ? values[0]
                 : webnn_vulkan__one_operand(c, webnn_vulkan__conversion(from, component), type,
                                             &values[0]);
    }
  }
  if (!webnn_vulkan__is_plain(type) || count == 0) {
    webnn_vulkan__complain(c, "this cannot be made from these values");
    return webnn_vulkan__no_value();
  }
  if (count == 1 && webnn_vulkan__is_scalar(values[0].type)) {
    return webnn_vulkan__splat(c, webnn_vulkan__convert(c, values[0], base), width);
  }
  made = webnn_vulkan__of_bits(type, 0);
  for (i = 0; i < count && used < width; i++) {
    if (!webnn_vulkan__is_plain(values[i].type)) {
      webnn_vulkan__mismatch(c, "one type does not become the other", values[i].type, type);
      return made;
    }
    for (k = 0; k < webnn_vulkan__width(values[i].type) && used < width; k++) {
      const webnn_vulkan__value part =
          webnn_vulkan__convert(c, webnn_vulkan__component(c, values[i], k), base);
      known += webnn_vulkan__is_constant(&part);
      made.bits[used] = part.bits[0];
      ids[used++] = webnn_vulkan__is_constant(&part) ? 0 : part.id;
    }
  }
  if (used < width || i < count) {
    webnn_vulkan__complain(c, "a constructor needs as many components as the type has");
  }
  if (known == width || webnn_vulkan__failed(c)) {
    return made;
  }
  for (k = 0; k < width; k++) {
    ids[k] = ids[k] != 0 ? ids[k]
                         : webnn_vulkan__constant_id(c, WEBNN_VULKAN__SCALAR(base), &made.bits[k]);
  }
  return width == 1 ? webnn_vulkan__of_id(type, ids[0])
                    : webnn_vulkan__of_id(type, webnn_vulkan__composite(c, type, ids, width));
}

/* Can each argument become the parameter, and how many are it already? -1: they cannot. */
static int webnn_vulkan__matches(const webnn_vulkan__function *function,
                                 const webnn_vulkan__value *values, uint32_t count) {
  int same = 0;
  uint32_t i;
  if (function->parameter_count != count) {
    return -1;
  }
  for (i = 0; i < count; i++) {
    const webnn_vulkan__type from = values[i].type, to = function->parameters[i];
    if (from == to) {
      same++;
    } else if (function->directions[i] != WEBNN_VULKAN__IN || !webnn_vulkan__is_plain(from) ||
               !webnn_vulkan__is_plain(to) ||
               webnn_vulkan__width(from) != webnn_vulkan__width(to) ||
               !webnn_vulkan__converts(webnn_vulkan__base(from), webnn_vulkan__base(to))) {
      return -1;
    }
  }
  return same;
}

/* The function of this name for these arguments: the one with the most types that fit. */
static const webnn_vulkan__function *webnn_vulkan__find_function(webnn_vulkan__compiler *c,
                                                                 const webnn_vulkan__name *name,
                                                                 const webnn_vulkan__value *values,
                                                                 uint32_t count) {
  const webnn_vulkan__function *function, *best = NULL;
  int best_match = -1, others = 0;
  for (function = name->functions; function != NULL; function = function->next) {
    const int match = webnn_vulkan__matches(function, values, count);
    others = match > best_match ? 0 : others + (match >= 0 && match == best_match);
    if (match > best_match) {
      best_match = match;
      best = function;
    }
  }
  if (best == NULL || others > 0) {
    webnn_vulkan__complain_of(c, name->text, name->length,
                              best == NULL ? "is no function that takes these arguments"
                                           : "has several functions that take these arguments");
    return NULL;
  }
  return best;
}

/* A variable of the function can be passed itself, if it is no other argument, too. */
static bool webnn_vulkan__goes_itself(const webnn_vulkan__value *values, uint32_t index) {
  uint32_t i;
  for (i = 0; i < index; i++) {
    if (values[i].kind == WEBNN_VULKAN__PLACE && values[i].id == values[index].id) {
      return false;
    }
  }
  return values[index].storage == WEBNN_VULKAN__STORAGE_FUNCTION &&
         values[index].chain_count == 0 && values[index].swizzle_count == 0 &&
         !values[index].read_only;
}

/* name(...), of which the parenthesis is taken. What comes back is copied into its places after the
   call, from variables of their own. */
static webnn_vulkan__value webnn_vulkan__call(webnn_vulkan__compiler *c,
                                              const webnn_vulkan__name *name) {
  uint32_t ids[WEBNN_VULKAN__MOST_ARGUMENTS + 1], count, places = 0, copied = 0, i, id;
  webnn_vulkan__value *values, own;
  const webnn_vulkan__function *function;
  for (function = name->functions; function != NULL; function = function->next) {
    for (i = 0; i < function->parameter_count; i++) {
      places |= (uint32_t)(function->directions[i] != WEBNN_VULKAN__IN) << i;
    }
  }
  values = webnn_vulkan__arguments(c, places, &count);
  function = webnn_vulkan__failed(c) ? NULL : webnn_vulkan__find_function(c, name, values, count);
  if (function == NULL) {
    return webnn_vulkan__no_value();
  }
  ids[0] = function->id;
  for (i = 0; i < count; i++) {
    if (function->directions[i] == WEBNN_VULKAN__IN) {
      values[i] = webnn_vulkan__as(c, values[i], function->parameters[i]);
      ids[i + 1] = webnn_vulkan__id(c, &values[i]);
      continue;
    }
    if (values[i].kind == WEBNN_VULKAN__PLACE && webnn_vulkan__goes_itself(values, i)) {
      ids[i + 1] = values[i].id;
      continue;
    }
    own = webnn_vulkan__new_variable(c, function->parameters[i]);
    ids[i + 1] = own.id;
    copied |= 1u << i;
    if (function->directions[i] == WEBNN_VULKAN__INOUT) {
      webnn_vulkan__assign(c, &own, values[i]);
    }
  }
  c->effects++;
  id = webnn_vulkan__result(c, WEBNN_VULKAN__OP_FUNCTION_CALL,
                            webnn_vulkan__type_id(c, function->result), ids, count + 1);
  for (i = 0; i < count; i++) {
    if (copied >> i & 1) {
      own = webnn_vulkan__of_variable(function->parameters[i], WEBNN_VULKAN__STORAGE_FUNCTION,
                                      ids[i + 1]);
      webnn_vulkan__assign(c, &values[i], webnn_vulkan__load(c, own));
    }
  }
  return webnn_vulkan__of_id(function->result, id);
}

/* A variable that the device fills in, made when it is first named. */
static webnn_vulkan__value webnn_vulkan__input(webnn_vulkan__compiler *c,
                                               webnn_vulkan__name *name) {
  const webnn_vulkan__type type = name->data & 255;
  const uint32_t number = name->data >> 8, first_of_subgroups = 36;
  webnn_vulkan__symbol *symbol = name->symbol;
  if (symbol == NULL) {
    const uint32_t pointer_id = webnn_vulkan__pointer_id(c, WEBNN_VULKAN__STORAGE_INPUT, type);
    const uint32_t id = webnn_vulkan__new_id(c);
    symbol = (webnn_vulkan__symbol *)webnn_vulkan__take(c, sizeof *symbol);
    if (symbol == NULL) {
      return webnn_vulkan__no_value();
    }
    webnn_vulkan__write(c, &c->globals, WEBNN_VULKAN__OP_VARIABLE, 3, pointer_id, id,
                        (uint32_t)WEBNN_VULKAN__STORAGE_INPUT);
    webnn_vulkan__decorate_with(c, id, WEBNN_VULKAN__IS_BUILTIN, number);
    webnn_vulkan__append(c, &c->inputs, &id, 1);
    if (number >= first_of_subgroups) {
      webnn_vulkan__needs(c, WEBNN_VULKAN__CAN_SUBGROUP);
    }
    symbol->value = webnn_vulkan__of_variable(type, WEBNN_VULKAN__STORAGE_INPUT, id);
    symbol->value.read_only = true;
    name->symbol = symbol;
  }
  return symbol->value;
}

/* An expression that begins with a word. */
static webnn_vulkan__value webnn_vulkan__word(webnn_vulkan__compiler *c) {
  webnn_vulkan__name *name = c->token.name;
  webnn_vulkan__value value, *values;
  webnn_vulkan__type type;
  uint32_t count, i;
  switch (name->kind) {
  case WEBNN_VULKAN__IS_TYPE:
  case WEBNN_VULKAN__IS_COOPMAT:
    type = webnn_vulkan__read_type(c);
    return webnn_vulkan__is_array(type) ? webnn_vulkan__construct_array(c, type)
                                        : webnn_vulkan__construct(c, type);
  case WEBNN_VULKAN__IS_FUNCTION: {
    const webnn_vulkan__builtin *builtin = &webnn_vulkan__builtins[name->data];
    webnn_vulkan__next(c);
    webnn_vulkan__expect(c, '(');
    values = webnn_vulkan__arguments(c, builtin->places, &count);
    if (count != builtin->count) {
      webnn_vulkan__complain_of(c, name->text, name->length, "has another number of arguments");
    }
    return webnn_vulkan__failed(c) ? webnn_vulkan__no_value()
                                   : webnn_vulkan__call_builtin(c, builtin, values);
  }
  case WEBNN_VULKAN__IS_INPUT:
    webnn_vulkan__next(c);
    return webnn_vulkan__input(c, name);
  case WEBNN_VULKAN__IS_NUMBER:
    webnn_vulkan__next(c);
    return webnn_vulkan__of_bits(WEBNN_VULKAN__ONE_INT, name->data);
  case WEBNN_VULKAN__IS_GROUP_SIZE:
    webnn_vulkan__next(c);
    value = webnn_vulkan__of_bits(WEBNN_VULKAN__VECTOR(WEBNN_VULKAN__UINT, 3), 0);
    for (i = 0; i < 3; i++) {
      value.bits[i] = c->local_size[i];
    }
    return value;
  case WEBNN_VULKAN__IS_TRUE:
  case WEBNN_VULKAN__IS_FALSE:
    webnn_vulkan__next(c);
    return webnn_vulkan__of_bits(WEBNN_VULKAN__ONE_BOOL, name->kind == WEBNN_VULKAN__IS_TRUE);
  case 0:
    webnn_vulkan__next(c);
    if (webnn_vulkan__accept(c, '(')) {
      return webnn_vulkan__call(c, name);
    }
    if (name->symbol == NULL) {
      webnn_vulkan__complain_of(c, name->text, name->length, "is not declared");
      return webnn_vulkan__no_value();
    }
    return name->symbol->value;
  default:
    webnn_vulkan__expected(c, "an expression");
    return webnn_vulkan__no_value();
  }
}

static webnn_vulkan__value webnn_vulkan__primary(webnn_vulkan__compiler *c) {
  webnn_vulkan__value value = webnn_vulkan__no_value();
  if (c->token.kind == WEBNN_VULKAN__WORD) {
    return webnn_vulkan__word(c);
  }
  if (c->token.kind == WEBNN_VULKAN__NUMBER) {
    value = webnn_vulkan__of_bits(c->token.type, c->token.bits);
    webnn_vulkan__next(c);
  } else if (webnn_vulkan__accept(c, '(')) {
    value = webnn_vulkan__expression(c);
    webnn_vulkan__expect(c, ')');
  } else {
    webnn_vulkan__expected(c, "an expression");
  }
  return value;
}

/* A constant array as a place, for elements whose number is not known here. */
static webnn_vulkan__value webnn_vulkan__table_of(webnn_vulkan__compiler *c,
                                                  const webnn_vulkan__value *array) {
  webnn_vulkan__table *table = c->tables;
  webnn_vulkan__value place;
  while (table != NULL && table->elements != array->elements) {
    table = table->next;
  }
  if (table == NULL) {
    const uint32_t constant_id = webnn_vulkan__id(c, array);
    const uint32_t pointer_id =
        webnn_vulkan__pointer_id(c, WEBNN_VULKAN__STORAGE_PRIVATE, array->type);
    table = (webnn_vulkan__table *)webnn_vulkan__take(c, sizeof *table);
    if (table == NULL) {
      return webnn_vulkan__no_value();
    }
    table->elements = array->elements;
    table->id = webnn_vulkan__new_id(c);
    table->next = c->tables;
    c->tables = table;
    webnn_vulkan__write(c, &c->globals, WEBNN_VULKAN__OP_VARIABLE, 4, pointer_id, table->id,
                        (uint32_t)WEBNN_VULKAN__STORAGE_PRIVATE, constant_id);
  }
  place = webnn_vulkan__of_variable(array->type, WEBNN_VULKAN__STORAGE_PRIVATE, table->id);
  place.read_only = true;
  return place;
}

/* An element of a vector that is no place, or of one that is a swizzle. */
static webnn_vulkan__value webnn_vulkan__dynamic_component(webnn_vulkan__compiler *c,
                                                           webnn_vulkan__value value,
                                                           const webnn_vulkan__value *index) {
  value = webnn_vulkan__load(c, value);
  if (webnn_vulkan__is_constant(index)) {
    return webnn_vulkan__component(c, value, (uint32_t)index->bits[0]);
  }
  return webnn_vulkan__two_operands(c, WEBNN_VULKAN__OP_VECTOR_EXTRACT_DYNAMIC,
                                    WEBNN_VULKAN__SCALAR(webnn_vulkan__base(value.type)), &value,
                                    index);
}

/* value[index] */
static webnn_vulkan__value webnn_vulkan__index(webnn_vulkan__compiler *c, webnn_vulkan__value value,
                                               webnn_vulkan__value index) {
  const bool array = webnn_vulkan__is_array(value.type),
             matrix = webnn_vulkan__is_matrix(value.type);
  const uint32_t length =
      array ? webnn_vulkan__length(value.type) : webnn_vulkan__width(value.type);
  const webnn_vulkan__type part =
      array    ? webnn_vulkan__element(value.type)
      : matrix ? WEBNN_VULKAN__SCALAR(c->matrices[webnn_vulkan__width(value.type)].component)
               : WEBNN_VULKAN__SCALAR(webnn_vulkan__base(value.type));
  if (webnn_vulkan__failed(c)) {
    return value;
  }
  if (!webnn_vulkan__is_scalar(index.type) ||
      (webnn_vulkan__base(index.type) != WEBNN_VULKAN__INT &&
       webnn_vulkan__base(index.type) != WEBNN_VULKAN__UINT)) {
    webnn_vulkan__mismatch(c, "an index must be an integer", index.type, index.type);
    return value;
  }
  if (!array && !matrix && (!webnn_vulkan__is_plain(value.type) || length == 1)) {
    webnn_vulkan__mismatch(c, "this has no elements", value.type, value.type);
    return value;
  }
  if (webnn_vulkan__is_constant(&index) && !matrix && index.bits[0] >= length) {
    webnn_vulkan__complain(c, "an index is out of bounds");
    return value;
  }
  if (array && webnn_vulkan__is_constant(&value)) {
    if (webnn_vulkan__is_constant(&index)) {
      const uint32_t width = webnn_vulkan__width(part);
      webnn_vulkan__value picked = webnn_vulkan__of_bits(part, 0);
      memcpy(picked.bits, value.elements + index.bits[0] * width, width * sizeof *picked.bits);
      return picked;
    }
    value = webnn_vulkan__table_of(c, &value);
  } else if (value.kind != WEBNN_VULKAN__PLACE && (array || matrix)) {
    webnn_vulkan__value place = webnn_vulkan__new_variable(c, value.type);
    webnn_vulkan__store(c, &place, &value);
    place.read_only = true;
    value = place;
  } else if (value.kind != WEBNN_VULKAN__PLACE || value.swizzle_count > 0) {
    return webnn_vulkan__dynamic_component(c, value, &index);
  }
  c->effects += !webnn_vulkan__is_constant(&index);
  webnn_vulkan__select(c, &value, webnn_vulkan__id(c, &index), part);
  return value;
}

/* value.length(), of which the word is taken. */
static webnn_vulkan__value webnn_vulkan__length_of(webnn_vulkan__compiler *c,
                                                   const webnn_vulkan__value *value) {
  const webnn_vulkan__type number = WEBNN_VULKAN__ONE_INT;
  const webnn_vulkan__type positive = WEBNN_VULKAN__ONE_UINT;
  webnn_vulkan__value length;
  uint32_t operands[2], op = WEBNN_VULKAN__OP_ARRAY_LENGTH, count = 2;
  webnn_vulkan__expect(c, '(');
  webnn_vulkan__expect(c, ')');
  operands[0] = value->id;
  operands[1] = value->member;
  if (webnn_vulkan__is_matrix(value->type)) {
    op = WEBNN_VULKAN__OP_MATRIX_LENGTH;
    operands[0] = webnn_vulkan__type_id(c, value->type);
    count = 1;
  } else if (!webnn_vulkan__is_array(value->type)) {
    webnn_vulkan__complain(c, "length() is for arrays");
  } else if (webnn_vulkan__length(value->type) != WEBNN_VULKAN__RUNTIME) {
    return webnn_vulkan__of_bits(number, webnn_vulkan__length(value->type));
  }
  length = webnn_vulkan__of_id(
      positive, webnn_vulkan__result(c, op, webnn_vulkan__type_id(c, positive), operands, count));
  return webnn_vulkan__convert(c, length, WEBNN_VULKAN__INT);
}

/* Which component a letter names, in which of three sets; 99: none. */
static uint32_t webnn_vulkan__letter(char letter) {
  const char *const letters = "xyzwrgbastpq", *at = letter != 0 ? strchr(letters, letter) : NULL;
  return at == NULL ? 99 : (uint32_t)(at - letters);
}

/* .xyz or .length() of a value, of which the point is taken. */
static webnn_vulkan__value webnn_vulkan__field(webnn_vulkan__compiler *c,
                                               webnn_vulkan__value value) {
  const webnn_vulkan__name *name = c->token.name;
  const uint32_t width = webnn_vulkan__width(value.type), base = webnn_vulkan__base(value.type);
  uint8_t components[4];
  uint32_t count, i;
  if (c->token.kind != WEBNN_VULKAN__WORD) {
    webnn_vulkan__expected(c, "a component");
    return value;
  }
  webnn_vulkan__next(c);
  if (webnn_vulkan__same_text(name->text, name->length, "length")) {
    return webnn_vulkan__length_of(c, &value);
  }
  count = name->length;
  for (i = 0; i < count && i < 4; i++) {
    const uint32_t letter = webnn_vulkan__letter(name->text[i]);
    components[i] = (uint8_t)(letter & 3);
    if (letter == 99 || letter / 4 != webnn_vulkan__letter(name->text[0]) / 4 ||
        (letter & 3) >= width) {
      break;
    }
  }
  if (!webnn_vulkan__is_plain(value.type) || width == 1 || count > 4 || i < count) {
    webnn_vulkan__complain_of(c, name->text, name->length, "are no components of this");
    return value;
  }
  if (value.kind != WEBNN_VULKAN__PLACE) {
    return webnn_vulkan__pick(c, value, components, count);
  }
  for (i = 0; i < count && value.swizzle_count > 0; i++) {
    components[i] = value.swizzle[components[i]];
  }
  value.swizzle_count = 0;
  if (count == 1) {
    webnn_vulkan__select(c, &value, webnn_vulkan__uint_id(c, components[0]),
                         WEBNN_VULKAN__SCALAR(base));
    return value;
  }
  memcpy(value.swizzle, components, count);
  value.swizzle_count = (uint8_t)count;
  value.type = WEBNN_VULKAN__VECTOR(base, count);
  return value;
}

/* ++ and -- : what the place has before and after. */
static webnn_vulkan__value webnn_vulkan__increment(webnn_vulkan__compiler *c,
                                                   const webnn_vulkan__value *place, bool up,
                                                   webnn_vulkan__value *after) {
  const webnn_vulkan__value before = webnn_vulkan__load(c, *place);
  if (!webnn_vulkan__failed(c) && !webnn_vulkan__is_plain(before.type)) {
    webnn_vulkan__mismatch(c, "this operator is not for this type", before.type, before.type);
  }
  if (webnn_vulkan__failed(c)) {
    *after = before;
    return before;
  }
  *after = webnn_vulkan__componentwise(c, webnn_vulkan__find_operator(up ? '+' : '-'), before,
                                       webnn_vulkan__zero_or(before.type, 1));
  webnn_vulkan__assign(c, place, *after);
  return before;
}

static webnn_vulkan__value webnn_vulkan__postfix(webnn_vulkan__compiler *c) {
  webnn_vulkan__value value = webnn_vulkan__primary(c), after;
  while (!webnn_vulkan__failed(c)) {
    if (webnn_vulkan__accept(c, '[')) {
      const webnn_vulkan__value index = webnn_vulkan__load(c, webnn_vulkan__expression(c));
      webnn_vulkan__expect(c, ']');
      value = webnn_vulkan__index(c, value, index);
    } else if (webnn_vulkan__accept(c, '.')) {
      value = webnn_vulkan__field(c, value);
    } else if (webnn_vulkan__accept(c, WEBNN_VULKAN__SIGN2('+', '+'))) {
      value = webnn_vulkan__increment(c, &value, true, &after);
    } else if (webnn_vulkan__accept(c, WEBNN_VULKAN__SIGN2('-', '-'))) {
      value = webnn_vulkan__increment(c, &value, false, &after);
    } else {
      break;
    }
  }
  return value;
}

static webnn_vulkan__value webnn_vulkan__prefix(webnn_vulkan__compiler *c) {
  const uint32_t sign = c->token.kind == WEBNN_VULKAN__SIGN ? c->token.sign : 0;
  webnn_vulkan__value value = webnn_vulkan__no_value();
  if (!webnn_vulkan__enter(c)) {
    webnn_vulkan__leave(c);
    return value;
  }
  switch (sign) {
  case '+':
    webnn_vulkan__next(c);
    value = webnn_vulkan__load(c, webnn_vulkan__prefix(c));
    break;
  case '-':
  case '!':
  case '~':
    webnn_vulkan__next(c);
    value = webnn_vulkan__unary(c, sign, webnn_vulkan__load(c, webnn_vulkan__prefix(c)));
    if (sign == '!' && !webnn_vulkan__failed(c) && webnn_vulkan__width(value.type) != 1) {
      webnn_vulkan__mismatch(c, "this operator is for scalars", value.type, value.type);
    }
    break;
  case WEBNN_VULKAN__SIGN2('+', '+'):
  case WEBNN_VULKAN__SIGN2('-', '-'): {
    webnn_vulkan__value place;
    webnn_vulkan__next(c);
    place = webnn_vulkan__prefix(c);
    webnn_vulkan__increment(c, &place, sign == WEBNN_VULKAN__SIGN2('+', '+'), &value);
    break;
  }
  default:
    value = webnn_vulkan__postfix(c);
  }
  webnn_vulkan__leave(c);
  return value;
}

/* Before the words from `at` on, which become a block with the label `begun`: a branch on the
   condition, and where both ways meet again. */
static void webnn_vulkan__insert_branch(webnn_vulkan__compiler *c, size_t at,
                                        const webnn_vulkan__value *condition, uint32_t if_true,
                                        uint32_t if_false, uint32_t merge, uint32_t begun) {
  uint32_t words[9];
  words[0] = webnn_vulkan__head(WEBNN_VULKAN__OP_SELECTION_MERGE, 2);
  words[1] = merge;
  words[2] = 0;
  words[3] = webnn_vulkan__head(WEBNN_VULKAN__OP_BRANCH_CONDITIONAL, 3);
  words[4] = webnn_vulkan__id(c, condition);
  words[5] = if_true;
  words[6] = if_false;
  words[7] = webnn_vulkan__head(WEBNN_VULKAN__OP_LABEL, 1);
  words[8] = begun;
  webnn_vulkan__insert(c, &c->body, at, words, 9);
}

/* Where two blocks meet: the value that was made in the one or the other. */
static webnn_vulkan__value webnn_vulkan__meet(webnn_vulkan__compiler *c, webnn_vulkan__type type,
                                              uint32_t a, uint32_t block_a, uint32_t b,
                                              uint32_t block_b, uint32_t merge) {
  uint32_t operands[4];
  webnn_vulkan__branch(c, merge);
  webnn_vulkan__begin_block(c, merge);
  operands[0] = a;
  operands[1] = block_a;
  operands[2] = b;
  operands[3] = block_b;
  return webnn_vulkan__of_id(
      type,
      webnn_vulkan__result(c, WEBNN_VULKAN__OP_PHI, webnn_vulkan__type_id(c, type), operands, 4));
}

/* The right side of && or ||, and the result. */
static webnn_vulkan__value webnn_vulkan__short_circuit(webnn_vulkan__compiler *c,
                                                       const webnn_vulkan__operator *op,
                                                       webnn_vulkan__value left) {
  const bool conjunction = op->of_bools == WEBNN_VULKAN__OP_LOGICAL_AND;
  const webnn_vulkan__type boolean = WEBNN_VULKAN__ONE_BOOL;
  const uint64_t skipped = conjunction ? 0 : 1;
  const uint32_t before = c->block, effects = c->effects;
  const size_t at = c->body.count;
  uint32_t begun, merge;
  webnn_vulkan__value right;
  left = webnn_vulkan__as(c, left, boolean);
  if (webnn_vulkan__is_constant(&left) && left.bits[0] == skipped) {
    const webnn_vulkan__mark mark = webnn_vulkan__begin_dead(c);
    webnn_vulkan__as(c, webnn_vulkan__operation(c, op->precedence + 1u), boolean);
    webnn_vulkan__end_dead(c, &mark);
    return left;
  }
  begun = webnn_vulkan__new_id(c);
  c->block = begun;
  right = webnn_vulkan__as(c, webnn_vulkan__operation(c, op->precedence + 1u), boolean);
  if (webnn_vulkan__failed(c)) {
    return left;
  }
  if (webnn_vulkan__is_constant(&left) && effects == c->effects) {
    c->block = before;
    return right;
  }
  if (effects == c->effects) {
    c->block = before;
    return webnn_vulkan__componentwise(c, op, left, right);
  }
  merge = webnn_vulkan__new_id(c);
  webnn_vulkan__insert_branch(c, at, &left, conjunction ? begun : merge,
                              conjunction ? merge : begun, merge, begun);
  return webnn_vulkan__meet(c, boolean, webnn_vulkan__constant_id(c, boolean, &skipped), before,
                            webnn_vulkan__id(c, &right), c->block, merge);
}

/* Operators of a precedence of at least so much, with their operands. */
static webnn_vulkan__value webnn_vulkan__operation(webnn_vulkan__compiler *c, uint32_t least) {
  webnn_vulkan__value left = webnn_vulkan__no_value(), right;
  if (webnn_vulkan__enter(c)) {
    left = webnn_vulkan__prefix(c);
  }
  while (c->token.kind == WEBNN_VULKAN__SIGN && !webnn_vulkan__failed(c)) {
    const webnn_vulkan__operator *op = webnn_vulkan__find_operator(c->token.sign);
    if (op == NULL || op->precedence < least) {
      break;
    }
    webnn_vulkan__next(c);
    left = webnn_vulkan__load(c, left);
    if (op->of_bools == WEBNN_VULKAN__OP_LOGICAL_AND ||
        op->of_bools == WEBNN_VULKAN__OP_LOGICAL_OR) {
      left = webnn_vulkan__short_circuit(c, op, left);
    } else {
      right = webnn_vulkan__load(c, webnn_vulkan__operation(c, op->precedence + 1u));
      left = webnn_vulkan__binary(c, op, left, right);
    }
  }
  webnn_vulkan__leave(c);
  return left;
}

/* condition ? a : b with a constant condition; the question mark is taken. */
static webnn_vulkan__value webnn_vulkan__known_condition(webnn_vulkan__compiler *c, bool holds) {
  webnn_vulkan__value sides[2];
  uint32_t i;
  for (i = 0; i < 2; i++) {
    const bool dead = holds == (i == 1);
    webnn_vulkan__mark mark = {0, 0, 0, false};
    if (dead) {
      mark = webnn_vulkan__begin_dead(c);
    }
    sides[i] =
        webnn_vulkan__load(c, i == 0 ? webnn_vulkan__expression(c) : webnn_vulkan__conditional(c));
    if (dead) {
      webnn_vulkan__end_dead(c, &mark);
    }
    if (i == 0) {
      webnn_vulkan__expect(c, ':');
    }
  }
  if (webnn_vulkan__is_plain(sides[0].type) && webnn_vulkan__is_plain(sides[1].type) &&
      webnn_vulkan__converts(webnn_vulkan__base(sides[!holds].type),
                             webnn_vulkan__base(sides[holds].type))) {
    return webnn_vulkan__convert(c, sides[!holds], webnn_vulkan__base(sides[holds].type));
  }
  return sides[!holds];
}

/* The first side of ?: gets the type of the second: its conversion is written behind the second,
   and moved to the first's end at `middle`. Returns the words that moved. */
static size_t webnn_vulkan__convert_first(webnn_vulkan__compiler *c, webnn_vulkan__value *first,
                                          uint32_t base, size_t middle) {
  uint32_t moved[32];
  const size_t end = c->body.count;
  size_t count;
  *first = webnn_vulkan__convert(c, *first, base);
  count = c->body.count - end;
  if (webnn_vulkan__failed(c) || count > sizeof moved / sizeof *moved) {
    webnn_vulkan__complain(c, "too much to convert");
    return 0;
  }
  if (count > 0) {
    memcpy(moved, c->body.data + end, count * sizeof *moved);
    c->body.count = end;
    webnn_vulkan__insert(c, &c->body, middle, moved, count);
  }
  return count;
}

/* condition ? a : b, of which the question mark is taken. */
static webnn_vulkan__value webnn_vulkan__choice(webnn_vulkan__compiler *c,
                                                const webnn_vulkan__value *condition) {
  const uint32_t before = c->block, effects = c->effects;
  const size_t at = c->body.count;
  const uint32_t first = webnn_vulkan__new_id(c), second = webnn_vulkan__new_id(c);
  const uint32_t merge = webnn_vulkan__new_id(c);
  uint32_t first_end, words[4];
  size_t middle;
  webnn_vulkan__value a, b;
  c->block = first;
  a = webnn_vulkan__load(c, webnn_vulkan__expression(c));
  webnn_vulkan__expect(c, ':');
  first_end = c->block;
  middle = c->body.count;
  c->block = second;
  b = webnn_vulkan__load(c, webnn_vulkan__conditional(c));
  if (webnn_vulkan__failed(c)) {
    return a;
  }
  if (a.type != b.type && webnn_vulkan__is_plain(a.type) && webnn_vulkan__is_plain(b.type) &&
      webnn_vulkan__converts(webnn_vulkan__base(a.type), webnn_vulkan__base(b.type))) {
    middle += webnn_vulkan__convert_first(c, &a, webnn_vulkan__base(b.type), middle);
  } else {
    b = webnn_vulkan__as(c, b, a.type);
  }
  if (a.type != b.type || webnn_vulkan__base(a.type) == WEBNN_VULKAN__VOID) {
    webnn_vulkan__mismatch(c, "these types do not go together", a.type, b.type);
    return a;
  }
  if (effects == c->effects && webnn_vulkan__is_plain(a.type)) {
    c->block = before;
    return webnn_vulkan__choose(c, *condition, a, b);
  }
  words[0] = webnn_vulkan__head(WEBNN_VULKAN__OP_BRANCH, 1);
  words[1] = merge;
  words[2] = webnn_vulkan__head(WEBNN_VULKAN__OP_LABEL, 1);
  words[3] = second;
  webnn_vulkan__insert(c, &c->body, middle, words, 4);
  webnn_vulkan__insert_branch(c, at, condition, first, second, merge, first);
  c->effects++;
  return webnn_vulkan__meet(c, a.type, webnn_vulkan__id(c, &a), first_end, webnn_vulkan__id(c, &b),
                            c->block, merge);
}

static webnn_vulkan__value webnn_vulkan__conditional(webnn_vulkan__compiler *c) {
  webnn_vulkan__value value = webnn_vulkan__no_value();
  if (webnn_vulkan__enter(c)) {
    value = webnn_vulkan__operation(c, 1);
    if (webnn_vulkan__accept(c, '?')) {
      value = webnn_vulkan__as(c, value, WEBNN_VULKAN__ONE_BOOL);
      value = webnn_vulkan__is_constant(&value)
                  ? webnn_vulkan__known_condition(c, value.bits[0] != 0)
                  : webnn_vulkan__choice(c, &value);
    }
  }
  webnn_vulkan__leave(c);
  return value;
}

/* The operator of += and its like; 0 where the sign is none of them. */
static uint32_t webnn_vulkan__assigned_operator(uint32_t sign) {
  const uint32_t first = sign & 255, second = sign >> 8 & 255, third = sign >> 16;
  if (third == '=') {
    return sign & 0xffff;
  }
  return second == '=' && first != '=' && first != '!' && first != '<' && first != '>' ? first : 0;
}

static webnn_vulkan__value webnn_vulkan__assignment(webnn_vulkan__compiler *c) {
  webnn_vulkan__value place = webnn_vulkan__no_value(), value;
  uint32_t sign;
  if (!webnn_vulkan__enter(c)) {
    webnn_vulkan__leave(c);
    return place;
  }
  place = webnn_vulkan__conditional(c);
  sign = c->token.kind == WEBNN_VULKAN__SIGN ? c->token.sign : 0;
  if (sign == '=' || webnn_vulkan__assigned_operator(sign) != 0) {
    webnn_vulkan__next(c);
    value = webnn_vulkan__load(c, webnn_vulkan__assignment(c));
    if (sign != '=' && !webnn_vulkan__failed(c)) {
      value = webnn_vulkan__binary(
          c, webnn_vulkan__find_operator(webnn_vulkan__assigned_operator(sign)),
          webnn_vulkan__load(c, place), value);
    }
    value = webnn_vulkan__as(c, value, place.type);
    webnn_vulkan__assign(c, &place, value);
    place = value;
  }
  webnn_vulkan__leave(c);
  return place;
}

/* Assignments with commas between them: the last one's value. */
static webnn_vulkan__value webnn_vulkan__expression(webnn_vulkan__compiler *c) {
  webnn_vulkan__value value = webnn_vulkan__assignment(c);
  while (webnn_vulkan__accept(c, ',')) {
    value = webnn_vulkan__assignment(c);
  }
  return value;
}

/* ---- Declarations --------------------------------------------------------------------------- */

/* From now on the name means this, until the scope ends. */
static void webnn_vulkan__declare(webnn_vulkan__compiler *c, webnn_vulkan__name *name,
                                  const webnn_vulkan__value *value) {
  webnn_vulkan__symbol *symbol;
  if (webnn_vulkan__failed(c) || name == NULL) {
    return;
  }
  if ((name->symbol != NULL && name->symbol->scope == c->scope) ||
      (name->functions != NULL && c->scope == 0)) {
    webnn_vulkan__complain_of(c, name->text, name->length, "is declared twice");
    return;
  }
  symbol = (webnn_vulkan__symbol *)webnn_vulkan__take(c, sizeof *symbol);
  if (symbol != NULL) {
    symbol->name = name;
    symbol->outer = name->symbol;
    symbol->previous = c->symbols;
    symbol->scope = c->scope;
    symbol->value = *value;
    name->symbol = symbol;
    c->symbols = symbol;
  }
}

/* The names that were declared in the innermost scope mean what they did before. */
static void webnn_vulkan__end_scope(webnn_vulkan__compiler *c) {
  while (c->symbols != NULL && c->symbols->scope == c->scope) {
    c->symbols->name->symbol = c->symbols->outer;
    c->symbols = c->symbols->previous;
  }
  c->scope--;
}

/* A variable of the module. */
static webnn_vulkan__value webnn_vulkan__global_variable(webnn_vulkan__compiler *c,
                                                         webnn_vulkan__type type,
                                                         uint32_t storage) {
  const uint32_t pointer_id = webnn_vulkan__pointer_id(c, storage, type);
  const uint32_t id = webnn_vulkan__new_id(c);
  webnn_vulkan__write(c, &c->globals, WEBNN_VULKAN__OP_VARIABLE, 3, pointer_id, id, storage);
  return webnn_vulkan__of_variable(type, storage, id);
}

/* One name of a declaration, after its type: [N] = value. What is const and known here is no
   variable at all. */
static void webnn_vulkan__declare_one(webnn_vulkan__compiler *c, webnn_vulkan__name *name,
                                      webnn_vulkan__type type, bool is_const, uint32_t storage) {
  webnn_vulkan__value value = webnn_vulkan__no_value(), place;
  bool has_value;
  type = webnn_vulkan__array_suffix(c, type);
  has_value = webnn_vulkan__accept(c, '=');
  if (has_value) {
    value = webnn_vulkan__load(c, webnn_vulkan__assignment(c));
    if (webnn_vulkan__length(type) == WEBNN_VULKAN__RUNTIME && webnn_vulkan__is_array(value.type)) {
      type = webnn_vulkan__element(type) | webnn_vulkan__length(value.type) << 8;
    }
    value = webnn_vulkan__as(c, value, type);
  }
  if (type == WEBNN_VULKAN__ONE_VOID || webnn_vulkan__length(type) == WEBNN_VULKAN__RUNTIME) {
    webnn_vulkan__complain(c, "a variable needs a type with a known size");
  }
  if (is_const && !has_value) {
    webnn_vulkan__expected(c, "\"=\" and the constant's value");
  }
  if (has_value && storage != WEBNN_VULKAN__STORAGE_FUNCTION &&
      !(is_const && webnn_vulkan__is_constant(&value))) {
    webnn_vulkan__complain(c, "outside of functions only constants can have values");
  }
  if (webnn_vulkan__failed(c)) {
    return;
  }
  if (is_const && webnn_vulkan__is_constant(&value)) {
    webnn_vulkan__declare(c, name, &value);
    return;
  }
  place = storage == WEBNN_VULKAN__STORAGE_FUNCTION
              ? webnn_vulkan__new_variable(c, type)
              : webnn_vulkan__global_variable(c, type, storage);
  if (has_value) {
    webnn_vulkan__store(c, &place, &value);
  }
  place.read_only = is_const;
  webnn_vulkan__declare(c, name, &place);
}

/* const T a = 1, b[2] = ...; in a function. */
static void webnn_vulkan__declaration(webnn_vulkan__compiler *c) {
  const bool is_const = webnn_vulkan__accept_word(c, WEBNN_VULKAN__IS_CONST);
  const webnn_vulkan__type type = webnn_vulkan__read_type(c);
  do {
    webnn_vulkan__name *name = webnn_vulkan__expect_name(c);
    webnn_vulkan__declare_one(c, name, type, is_const, WEBNN_VULKAN__STORAGE_FUNCTION);
  } while (webnn_vulkan__accept(c, ','));
  webnn_vulkan__expect(c, ';');
}

/* What stands in layout(...). */
typedef struct webnn_vulkan__layout {
  bool push_constant;
  uint32_t set, binding, local_size[3];
} webnn_vulkan__layout;

static void webnn_vulkan__read_layout(webnn_vulkan__compiler *c, webnn_vulkan__layout *layout) {
  static const char *const names[] = {"local_size_x", "local_size_y", "local_size_z", "binding",
                                      "set"};
  uint32_t *const numbers[] = {&layout->local_size[0], &layout->local_size[1],
                               &layout->local_size[2], &layout->binding, &layout->set};
  memset(layout, 0, sizeof *layout);
  webnn_vulkan__expect(c, '(');
  do {
    const char *text = c->token.text;
    const uint32_t length = c->token.kind == WEBNN_VULKAN__WORD ? c->token.name->length : 0;
    uint32_t i = 0;
    if (length > 0) {
      text = c->token.name->text;
    }
    webnn_vulkan__next(c);
    while (i < 5 && !webnn_vulkan__same_text(text, length, names[i])) {
      i++;
    }
    if (i < 5) {
      webnn_vulkan__expect(c, '=');
      *numbers[i] = webnn_vulkan__number_of(c, webnn_vulkan__conditional(c), i < 3, 65535,
                                            "a layout needs a constant that is not negative");
    } else if (webnn_vulkan__same_text(text, length, "push_constant")) {
      layout->push_constant = true;
    } else if (!webnn_vulkan__same_text(text, length, "std430")) {
      webnn_vulkan__complain_of(c, text, length, "is no layout of the language");
    }
  } while (webnn_vulkan__accept(c, ','));
  webnn_vulkan__expect(c, ')');
}

/* Bytes of a scalar or vector in a buffer, and what its offset is a multiple of. */
static uint32_t webnn_vulkan__size(webnn_vulkan__type type, uint32_t *alignment) {
  const uint32_t base = webnn_vulkan__base(type), width = webnn_vulkan__width(type);
  const uint32_t size = base == WEBNN_VULKAN__HALF ? 2 : webnn_vulkan__is_wide(base) ? 8 : 4;
  *alignment = size * (width == 3 ? 4 : width);
  return size * width;
}

/* An array in a block: its type with the distance of its elements. */
static uint32_t webnn_vulkan__strided(webnn_vulkan__compiler *c, webnn_vulkan__type type,
                                      uint32_t stride) {
  const uint32_t element_id = webnn_vulkan__type_id(c, webnn_vulkan__element(type));
  const uint32_t length = webnn_vulkan__length(type);
  const uint32_t length_id = length == WEBNN_VULKAN__RUNTIME ? 0 : webnn_vulkan__uint_id(c, length);
  const uint32_t id = webnn_vulkan__new_id(c);
  if (length == WEBNN_VULKAN__RUNTIME) {
    webnn_vulkan__write(c, &c->globals, WEBNN_VULKAN__OP_TYPE_RUNTIME_ARRAY, 2, id, element_id);
  } else {
    webnn_vulkan__write(c, &c->globals, WEBNN_VULKAN__OP_TYPE_ARRAY, 3, id, element_id, length_id);
  }
  webnn_vulkan__decorate_with(c, id, WEBNN_VULKAN__HAS_ARRAY_STRIDE, stride);
  return id;
}

typedef struct webnn_vulkan__member {
  webnn_vulkan__name *name;
  webnn_vulkan__type type;
} webnn_vulkan__member;

enum { WEBNN_VULKAN__MOST_MEMBERS = 64 };

/* { T a; T b[N]; T d[]; }; how many. */
static uint32_t webnn_vulkan__read_members(webnn_vulkan__compiler *c, webnn_vulkan__member *members,
                                           bool is_buffer) {
  uint32_t count = 0;
  webnn_vulkan__expect(c, '{');
  do {
    webnn_vulkan__type type = webnn_vulkan__read_type(c);
    do {
      webnn_vulkan__member *member = &members[count];
      if (count == WEBNN_VULKAN__MOST_MEMBERS) {
        webnn_vulkan__complain(c, "a block has too many members");
        return 0;
      }
      if (count > 0 && webnn_vulkan__length(member[-1].type) == WEBNN_VULKAN__RUNTIME) {
        webnn_vulkan__complain(c, "only the last member can have no length");
      }
      member->name = webnn_vulkan__expect_name(c);
      member->type = webnn_vulkan__array_suffix(c, type);
      if (webnn_vulkan__base(member->type) <= WEBNN_VULKAN__BOOL ||
          webnn_vulkan__base(member->type) == WEBNN_VULKAN__MATRIX ||
          (!is_buffer && webnn_vulkan__length(member->type) == WEBNN_VULKAN__RUNTIME)) {
        webnn_vulkan__complain(c, "this cannot be a member of such a block");
      }
      count++;
    } while (webnn_vulkan__accept(c, ','));
    webnn_vulkan__expect(c, ';');
  } while (!webnn_vulkan__is(c, '}') && !webnn_vulkan__failed(c));
  webnn_vulkan__expect(c, '}');
  webnn_vulkan__expect(c, ';');
  return webnn_vulkan__failed(c) ? 0 : count;
}

/* The struct that a block is, laid out by std430. */
static uint32_t webnn_vulkan__block_type(webnn_vulkan__compiler *c,
                                         const webnn_vulkan__member *members, uint32_t count,
                                         const uint32_t *decorations, uint32_t decoration_count) {
  uint32_t ids[WEBNN_VULKAN__MOST_MEMBERS + 1], i, k, head;
  uint64_t offset = 0;
  for (i = 0; i < count; i++) {
    const webnn_vulkan__type type = members[i].type;
    uint32_t alignment = 4, size = webnn_vulkan__size(webnn_vulkan__element(type), &alignment);
    const uint32_t stride = (size + alignment - 1) / alignment * alignment;
    ids[i + 1] = webnn_vulkan__is_array(type) ? webnn_vulkan__strided(c, type, stride)
                                              : webnn_vulkan__type_id(c, type);
    if (webnn_vulkan__base(type) == WEBNN_VULKAN__HALF) {
      webnn_vulkan__needs(c, WEBNN_VULKAN__CAN_BUFFERS_OF_16_BITS);
    }
  }
  ids[0] = webnn_vulkan__new_id(c);
  for (i = 0; i < count; i++) {
    const webnn_vulkan__type type = members[i].type;
    uint32_t alignment = 4, size = webnn_vulkan__size(webnn_vulkan__element(type), &alignment);
    const uint32_t stride = (size + alignment - 1) / alignment * alignment;
    offset = (offset + alignment - 1) / alignment * alignment;
    if (offset > UINT32_MAX) {
      webnn_vulkan__complain(c, "a block is too large");
    }
    webnn_vulkan__write(c, &c->decorations, WEBNN_VULKAN__OP_MEMBER_DECORATE, 4, ids[0], i,
                        (uint32_t)WEBNN_VULKAN__HAS_OFFSET, (uint32_t)offset);
    for (k = 0; k < decoration_count; k++) {
      webnn_vulkan__write(c, &c->decorations, WEBNN_VULKAN__OP_MEMBER_DECORATE, 3, ids[0], i,
                          decorations[k]);
    }
    offset += webnn_vulkan__is_array(type) ? (uint64_t)stride * webnn_vulkan__length(type) : size;
  }
  webnn_vulkan__decorate(c, ids[0], WEBNN_VULKAN__IS_BLOCK);
  head = webnn_vulkan__head(WEBNN_VULKAN__OP_TYPE_STRUCT, count + 1);
  webnn_vulkan__append(c, &c->globals, &head, 1);
  webnn_vulkan__append(c, &c->globals, ids, count + 1);
  return ids[0];
}

/* Two blocks on one binding are two views of one memory, which the driver must know. */
static void webnn_vulkan__bind(webnn_vulkan__compiler *c, const webnn_vulkan__layout *layout,
                               uint32_t id) {
  webnn_vulkan__binding *other = c->bindings, *binding;
  webnn_vulkan__decorate_with(c, id, WEBNN_VULKAN__HAS_SET, layout->set);
  webnn_vulkan__decorate_with(c, id, WEBNN_VULKAN__HAS_BINDING, layout->binding);
  while (other != NULL && (other->set != layout->set || other->number != layout->binding)) {
    other = other->next;
  }
  if (other != NULL) {
    if (other->id != 0) {
      webnn_vulkan__decorate(c, other->id, WEBNN_VULKAN__IS_ALIASED);
    }
    other->id = 0;
    webnn_vulkan__decorate(c, id, WEBNN_VULKAN__IS_ALIASED);
    return;
  }
  binding = (webnn_vulkan__binding *)webnn_vulkan__take(c, sizeof *binding);
  if (binding != NULL) {
    binding->next = c->bindings;
    binding->set = layout->set;
    binding->number = layout->binding;
    binding->id = id;
    c->bindings = binding;
  }
}

/* readonly buffer NAME { ... }; or uniform NAME { ... }; after the layout. */
static void webnn_vulkan__block_declaration(webnn_vulkan__compiler *c,
                                            const webnn_vulkan__layout *layout) {
  webnn_vulkan__member members[WEBNN_VULKAN__MOST_MEMBERS];
  uint32_t decorations[4], decoration_count = 0, count, type_id, pointer_id, id, i, storage;
  bool read_only = false, write_only = false, coherent = false, restricted = false;
  memset(members, 0, sizeof *members);
  for (;; webnn_vulkan__next(c)) {
    const uint32_t kind = webnn_vulkan__keyword(c);
    if (kind == WEBNN_VULKAN__IS_READONLY) {
      read_only = true;
    } else if (kind == WEBNN_VULKAN__IS_WRITEONLY) {
      write_only = true;
    } else if (kind == WEBNN_VULKAN__IS_COHERENT_WORD) {
      coherent = true;
    } else if (kind == WEBNN_VULKAN__IS_RESTRICT_WORD) {
      restricted = true;
    } else {
      break;
    }
  }
  storage = layout->push_constant ? WEBNN_VULKAN__STORAGE_PUSH : WEBNN_VULKAN__STORAGE_BUFFER;
  if (layout->push_constant) {
    webnn_vulkan__expect_word(c, WEBNN_VULKAN__IS_UNIFORM, "\"uniform\"");
  } else {
    webnn_vulkan__expect_word(c, WEBNN_VULKAN__IS_BUFFER, "\"buffer\" or \"in\"");
  }
  webnn_vulkan__expect_name(c);
  count = webnn_vulkan__read_members(c, members, !layout->push_constant);
  if (count == 0) {
    return;
  }
  if (read_only) {
    decorations[decoration_count++] = WEBNN_VULKAN__IS_NON_WRITABLE;
  }
  if (write_only) {
    decorations[decoration_count++] = WEBNN_VULKAN__IS_NON_READABLE;
  }
  if (coherent && !c->vulkan_memory) {
    decorations[decoration_count++] = WEBNN_VULKAN__IS_COHERENT;
  }
  type_id = webnn_vulkan__block_type(c, members, count, decorations, decoration_count);
  pointer_id = webnn_vulkan__pointer_to(c, storage, type_id);
  id = webnn_vulkan__new_id(c);
  webnn_vulkan__write(c, &c->globals, WEBNN_VULKAN__OP_VARIABLE, 3, pointer_id, id, storage);
  if (!layout->push_constant) {
    webnn_vulkan__bind(c, layout, id);
    if (restricted) {
      webnn_vulkan__decorate(c, id, WEBNN_VULKAN__IS_RESTRICT);
    }
  }
  for (i = 0; i < count; i++) {
    webnn_vulkan__value place = webnn_vulkan__of_variable(members[i].type, storage, id);
    webnn_vulkan__select(c, &place, webnn_vulkan__uint_id(c, i), members[i].type);
    place.read_only = read_only || layout->push_constant;
    place.write_only = write_only;
    place.coherent = coherent;
    place.member = i;
    webnn_vulkan__declare(c, members[i].name, &place);
  }
}

/* layout(...) in; or a block. */
static void webnn_vulkan__layout_declaration(webnn_vulkan__compiler *c) {
  webnn_vulkan__layout layout;
  uint32_t i;
  webnn_vulkan__next(c);
  webnn_vulkan__read_layout(c, &layout);
  if (!webnn_vulkan__accept_word(c, WEBNN_VULKAN__IS_IN)) {
    webnn_vulkan__block_declaration(c, &layout);
    return;
  }
  webnn_vulkan__expect(c, ';');
  for (i = 0; i < 3; i++) {
    c->local_size[i] = layout.local_size[i] > 0 ? layout.local_size[i] : c->local_size[i];
  }
}

/* ---- Statements -----------------------------------------------------------------------------

   Blocks of SPIR-V are structured: where ways part, it is said where they meet again, and a loop
   names where `break` and `continue` lead. A block whose end is written is `terminated`; what the
   text has behind that is never run, and left out. */

static void webnn_vulkan__statement(webnn_vulkan__compiler *c);

/* A statement that is never run: checked, and gone. */
static void webnn_vulkan__dead_statement(webnn_vulkan__compiler *c) {
  const webnn_vulkan__mark mark = webnn_vulkan__begin_dead(c);
  webnn_vulkan__statement(c);
  webnn_vulkan__end_dead(c, &mark);
}

/* Statements and "}"; the "{" is taken. */
static void webnn_vulkan__statements(webnn_vulkan__compiler *c) {
  c->scope++;
  while (!webnn_vulkan__is(c, '}') && !webnn_vulkan__failed(c) &&
         c->token.kind != WEBNN_VULKAN__END) {
    if (c->terminated) {
      webnn_vulkan__dead_statement(c);
    } else {
      webnn_vulkan__statement(c);
    }
  }
  webnn_vulkan__expect(c, '}');
  webnn_vulkan__end_scope(c);
}

/* A statement with a scope of its own. */
static void webnn_vulkan__scoped(webnn_vulkan__compiler *c) {
  c->scope++;
  webnn_vulkan__statement(c);
  webnn_vulkan__end_scope(c);
}

/* ( expression ) of a bool. */
static webnn_vulkan__value webnn_vulkan__condition(webnn_vulkan__compiler *c) {
  webnn_vulkan__value value;
  webnn_vulkan__expect(c, '(');
  value = webnn_vulkan__as(c, webnn_vulkan__expression(c), WEBNN_VULKAN__ONE_BOOL);
  webnn_vulkan__expect(c, ')');
  return value;
}

/* if with a constant: only one side stays. */
static void webnn_vulkan__known_if(webnn_vulkan__compiler *c, bool holds) {
  c->scope++;
  if (holds) {
    webnn_vulkan__statement(c);
  } else {
    webnn_vulkan__dead_statement(c);
  }
  webnn_vulkan__end_scope(c);
  if (webnn_vulkan__accept_word(c, WEBNN_VULKAN__IS_ELSE)) {
    c->scope++;
    if (holds) {
      webnn_vulkan__dead_statement(c);
    } else {
      webnn_vulkan__statement(c);
    }
    webnn_vulkan__end_scope(c);
  }
}

static void webnn_vulkan__branch_on(webnn_vulkan__compiler *c, const webnn_vulkan__value *condition,
                                    uint32_t if_true, uint32_t if_false) {
  webnn_vulkan__write(c, &c->body, WEBNN_VULKAN__OP_BRANCH_CONDITIONAL, 3,
                      webnn_vulkan__id(c, condition), if_true, if_false);
  c->terminated = true;
}

static void webnn_vulkan__if(webnn_vulkan__compiler *c) {
  const webnn_vulkan__value condition = webnn_vulkan__condition(c);
  uint32_t then_label, merge;
  size_t patch;
  bool ends;
  if (webnn_vulkan__is_constant(&condition)) {
    webnn_vulkan__known_if(c, condition.bits[0] != 0);
    return;
  }
  then_label = webnn_vulkan__new_id(c);
  merge = webnn_vulkan__new_id(c);
  webnn_vulkan__write(c, &c->body, WEBNN_VULKAN__OP_SELECTION_MERGE, 2, merge, 0u);
  webnn_vulkan__branch_on(c, &condition, then_label, merge);
  patch = c->body.count - 1; /* where it leads if the condition does not hold */
  webnn_vulkan__begin_block(c, then_label);
  webnn_vulkan__scoped(c);
  ends = c->terminated;
  webnn_vulkan__branch(c, merge);
  if (webnn_vulkan__accept_word(c, WEBNN_VULKAN__IS_ELSE)) {
    const uint32_t else_label = webnn_vulkan__new_id(c);
    if (!webnn_vulkan__failed(c)) {
      c->body.data[patch] = else_label;
    }
    webnn_vulkan__begin_block(c, else_label);
    webnn_vulkan__scoped(c);
    ends = ends && c->terminated;
    webnn_vulkan__branch(c, merge);
  } else {
    ends = false;
  }
  webnn_vulkan__begin_block(c, merge);
  if (ends) { /* nobody comes here */
    webnn_vulkan__write(c, &c->body, WEBNN_VULKAN__OP_UNREACHABLE, 0);
    c->terminated = true;
  }
}

/* The loop's head, which says where `break` and `continue` lead, and goes on at `next`. */
static void webnn_vulkan__loop_head(webnn_vulkan__compiler *c, uint32_t head,
                                    const webnn_vulkan__loop *loop, uint32_t control,
                                    uint32_t next) {
  webnn_vulkan__branch(c, head);
  webnn_vulkan__begin_block(c, head);
  webnn_vulkan__write(c, &c->body, WEBNN_VULKAN__OP_LOOP_MERGE, 3, loop->break_label,
                      loop->continue_label, control);
  webnn_vulkan__branch(c, next);
  webnn_vulkan__begin_block(c, next);
}

static void webnn_vulkan__loop_body(webnn_vulkan__compiler *c, const webnn_vulkan__loop *loop) {
  const webnn_vulkan__loop *const outer = c->loop;
  c->loop = loop;
  webnn_vulkan__scoped(c);
  c->loop = outer;
  webnn_vulkan__branch(c, loop->continue_label);
  webnn_vulkan__begin_block(c, loop->continue_label);
}

static webnn_vulkan__loop webnn_vulkan__new_loop(webnn_vulkan__compiler *c) {
  webnn_vulkan__loop loop;
  loop.break_label = webnn_vulkan__new_id(c);
  loop.continue_label = webnn_vulkan__new_id(c);
  return loop;
}

static void webnn_vulkan__while(webnn_vulkan__compiler *c, uint32_t control) {
  const webnn_vulkan__loop loop = webnn_vulkan__new_loop(c);
  const uint32_t head = webnn_vulkan__new_id(c), test = webnn_vulkan__new_id(c);
  const uint32_t body = webnn_vulkan__new_id(c);
  webnn_vulkan__value condition;
  webnn_vulkan__loop_head(c, head, &loop, control, test);
  condition = webnn_vulkan__condition(c);
  webnn_vulkan__branch_on(c, &condition, body, loop.break_label);
  webnn_vulkan__begin_block(c, body);
  webnn_vulkan__loop_body(c, &loop);
  webnn_vulkan__branch(c, head);
  webnn_vulkan__begin_block(c, loop.break_label);
}

static void webnn_vulkan__do(webnn_vulkan__compiler *c, uint32_t control) {
  const webnn_vulkan__loop loop = webnn_vulkan__new_loop(c);
  const uint32_t head = webnn_vulkan__new_id(c), body = webnn_vulkan__new_id(c);
  webnn_vulkan__value condition;
  webnn_vulkan__loop_head(c, head, &loop, control, body);
  webnn_vulkan__loop_body(c, &loop);
  webnn_vulkan__expect_word(c, WEBNN_VULKAN__IS_WHILE, "\"while\"");
  condition = webnn_vulkan__condition(c);
  webnn_vulkan__expect(c, ';');
  webnn_vulkan__branch_on(c, &condition, head, loop.break_label);
  webnn_vulkan__begin_block(c, loop.break_label);
}

static bool webnn_vulkan__is_declaration(const webnn_vulkan__compiler *c) {
  return webnn_vulkan__is_type(c) || webnn_vulkan__keyword(c) == WEBNN_VULKAN__IS_CONST;
}

/* The step of `for`, which is read before the body and run after it: its words, taken away. */
static uint32_t *webnn_vulkan__read_step(webnn_vulkan__compiler *c, uint32_t label, size_t *count) {
  const size_t at = c->body.count;
  uint32_t *words = NULL;
  *count = 0;
  c->block = label;
  if (!webnn_vulkan__is(c, ')')) {
    webnn_vulkan__expression(c);
  }
  if (!webnn_vulkan__failed(c) && c->body.count > at) {
    words = (uint32_t *)webnn_vulkan__take(c, (uint64_t)(c->body.count - at) * sizeof *words);
    if (words != NULL) {
      *count = c->body.count - at;
      memcpy(words, c->body.data + at, *count * sizeof *words);
      c->body.count = at;
    }
  }
  return words;
}

static void webnn_vulkan__for(webnn_vulkan__compiler *c, uint32_t control) {
  const webnn_vulkan__loop loop = webnn_vulkan__new_loop(c);
  const uint32_t head = webnn_vulkan__new_id(c), test = webnn_vulkan__new_id(c);
  const uint32_t body = webnn_vulkan__new_id(c);
  uint32_t *step, step_end;
  size_t step_count;
  c->scope++;
  webnn_vulkan__expect(c, '(');
  if (webnn_vulkan__is_declaration(c)) {
    webnn_vulkan__declaration(c);
  } else {
    if (!webnn_vulkan__is(c, ';')) {
      webnn_vulkan__expression(c);
    }
    webnn_vulkan__expect(c, ';');
  }
  webnn_vulkan__loop_head(c, head, &loop, control, test);
  if (webnn_vulkan__is(c, ';')) {
    webnn_vulkan__branch(c, body);
  } else {
    const webnn_vulkan__value condition =
        webnn_vulkan__as(c, webnn_vulkan__expression(c), WEBNN_VULKAN__ONE_BOOL);
    webnn_vulkan__branch_on(c, &condition, body, loop.break_label);
  }
  webnn_vulkan__expect(c, ';');
  step = webnn_vulkan__read_step(c, loop.continue_label, &step_count);
  step_end = c->block;
  webnn_vulkan__expect(c, ')');
  webnn_vulkan__begin_block(c, body);
  webnn_vulkan__loop_body(c, &loop);
  webnn_vulkan__append(c, &c->body, step, step_count);
  c->block = step_end;
  webnn_vulkan__branch(c, head);
  webnn_vulkan__begin_block(c, loop.break_label);
  webnn_vulkan__end_scope(c);
}

static void webnn_vulkan__return(webnn_vulkan__compiler *c) {
  const webnn_vulkan__type type = c->function->result;
  if (type == WEBNN_VULKAN__ONE_VOID) {
    webnn_vulkan__write(c, &c->body, WEBNN_VULKAN__OP_RETURN, 0);
  } else {
    const webnn_vulkan__value value = webnn_vulkan__as(c, webnn_vulkan__expression(c), type);
    webnn_vulkan__write(c, &c->body, WEBNN_VULKAN__OP_RETURN_VALUE, 1, webnn_vulkan__id(c, &value));
  }
  webnn_vulkan__expect(c, ';');
  c->effects++;
  c->terminated = true;
}

static void webnn_vulkan__jump(webnn_vulkan__compiler *c, bool breaks) {
  webnn_vulkan__next(c);
  webnn_vulkan__expect(c, ';');
  if (c->loop == NULL) {
    webnn_vulkan__complain(c, "break and continue stand in loops");
    return;
  }
  webnn_vulkan__branch(c, breaks ? c->loop->break_label : c->loop->continue_label);
}

/* [[unroll]] or [[dont_unroll]]: the loop's control, 1 or 2; 0 where nothing is said. */
static uint32_t webnn_vulkan__loop_control(webnn_vulkan__compiler *c) {
  uint32_t control = 0;
  if (!webnn_vulkan__accept(c, '[')) {
    return 0;
  }
  webnn_vulkan__expect(c, '[');
  if (c->token.kind == WEBNN_VULKAN__WORD) {
    const webnn_vulkan__name *name = c->token.name;
    control = webnn_vulkan__same_text(name->text, name->length, "unroll")        ? 1u
              : webnn_vulkan__same_text(name->text, name->length, "dont_unroll") ? 2u
                                                                                 : 0u;
  }
  if (control == 0) {
    webnn_vulkan__expected(c, "unroll or dont_unroll");
  }
  webnn_vulkan__next(c);
  webnn_vulkan__expect(c, ']');
  webnn_vulkan__expect(c, ']');
  return control;
}

static void webnn_vulkan__statement(webnn_vulkan__compiler *c) {
  const uint32_t control = webnn_vulkan__loop_control(c), kind = webnn_vulkan__keyword(c);
  if (!webnn_vulkan__enter(c)) {
    webnn_vulkan__leave(c);
    return;
  }
  if (control != 0 && kind != WEBNN_VULKAN__IS_FOR && kind != WEBNN_VULKAN__IS_WHILE &&
      kind != WEBNN_VULKAN__IS_DO) {
    webnn_vulkan__expected(c, "a loop");
  }
  if (webnn_vulkan__accept_word(c, WEBNN_VULKAN__IS_IF)) {
    webnn_vulkan__if(c);
  } else if (webnn_vulkan__accept_word(c, WEBNN_VULKAN__IS_FOR)) {
    webnn_vulkan__for(c, control);
  } else if (webnn_vulkan__accept_word(c, WEBNN_VULKAN__IS_WHILE)) {
    webnn_vulkan__while(c, control);
  } else if (webnn_vulkan__accept_word(c, WEBNN_VULKAN__IS_DO)) {
    webnn_vulkan__do(c, control);
  } else if (webnn_vulkan__accept_word(c, WEBNN_VULKAN__IS_RETURN)) {
    webnn_vulkan__return(c);
  } else if (kind == WEBNN_VULKAN__IS_BREAK || kind == WEBNN_VULKAN__IS_CONTINUE) {
    webnn_vulkan__jump(c, kind == WEBNN_VULKAN__IS_BREAK);
  } else if (webnn_vulkan__is_declaration(c)) {
    webnn_vulkan__declaration(c);
  } else if (webnn_vulkan__accept(c, '{')) {
    webnn_vulkan__statements(c);
  } else if (!webnn_vulkan__accept(c, ';')) {
    webnn_vulkan__expression(c);
    webnn_vulkan__expect(c, ';');
  }
  webnn_vulkan__leave(c);
}

/* ---- Functions ------------------------------------------------------------------------------ */

/* in, out or inout, with const before or after. */
static uint8_t webnn_vulkan__read_direction(webnn_vulkan__compiler *c, bool *is_const) {
  uint8_t direction = WEBNN_VULKAN__IN;
  *is_const = webnn_vulkan__accept_word(c, WEBNN_VULKAN__IS_CONST);
  if (webnn_vulkan__accept_word(c, WEBNN_VULKAN__IS_OUT)) {
    direction = WEBNN_VULKAN__OUT;
  } else if (webnn_vulkan__accept_word(c, WEBNN_VULKAN__IS_INOUT)) {
    direction = WEBNN_VULKAN__INOUT;
  } else {
    webnn_vulkan__accept_word(c, WEBNN_VULKAN__IS_IN);
  }
  if (direction != WEBNN_VULKAN__IN && *is_const) {
    webnn_vulkan__complain(c, "what a function writes cannot be const");
  }
  return direction;
}

/* A parameter: by value it becomes a variable, which the function may change for itself. */
static void webnn_vulkan__parameter(webnn_vulkan__compiler *c, webnn_vulkan__function *function) {
  const uint32_t index = function->parameter_count;
  const uint32_t id = webnn_vulkan__new_id(c);
  webnn_vulkan__value place, value;
  webnn_vulkan__name *name;
  webnn_vulkan__type type;
  uint8_t direction;
  bool is_const;
  if (index == WEBNN_VULKAN__MOST_ARGUMENTS) {
    webnn_vulkan__complain(c, "too many parameters");
    return;
  }
  direction = webnn_vulkan__read_direction(c, &is_const);
  type = webnn_vulkan__read_type(c);
  name = webnn_vulkan__expect_name(c);
  type = webnn_vulkan__array_suffix(c, type);
  if (type == WEBNN_VULKAN__ONE_VOID || webnn_vulkan__length(type) == WEBNN_VULKAN__RUNTIME) {
    webnn_vulkan__complain(c, "a parameter needs a type with a known size");
  }
  function->parameters[index] = type;
  function->directions[index] = direction;
  function->parameter_count++;
  webnn_vulkan__write(c, &c->functions, WEBNN_VULKAN__OP_FUNCTION_PARAMETER, 2,
                      direction == WEBNN_VULKAN__IN
                          ? webnn_vulkan__type_id(c, type)
                          : webnn_vulkan__pointer_id(c, WEBNN_VULKAN__STORAGE_FUNCTION, type),
                      id);
  if (direction == WEBNN_VULKAN__IN) {
    place = webnn_vulkan__new_variable(c, type);
    value = webnn_vulkan__of_id(type, id);
    webnn_vulkan__store(c, &place, &value);
    place.read_only = is_const;
  } else {
    place = webnn_vulkan__of_variable(type, WEBNN_VULKAN__STORAGE_FUNCTION, id);
  }
  webnn_vulkan__declare(c, name, &place);
}

static uint32_t webnn_vulkan__function_type_id(webnn_vulkan__compiler *c,
                                               const webnn_vulkan__function *function) {
  uint32_t operands[WEBNN_VULKAN__MOST_ARGUMENTS + 1], i;
  operands[0] = webnn_vulkan__type_id(c, function->result);
  for (i = 0; i < function->parameter_count; i++) {
    operands[i + 1] =
        function->directions[i] == WEBNN_VULKAN__IN
            ? webnn_vulkan__type_id(c, function->parameters[i])
            : webnn_vulkan__pointer_id(c, WEBNN_VULKAN__STORAGE_FUNCTION, function->parameters[i]);
  }
  return webnn_vulkan__intern(c, WEBNN_VULKAN__OP_TYPE_FUNCTION, 0, operands,
                              function->parameter_count + 1);
}

/* The end of a function that does not return by itself: where it should give a value, 0. */
static void webnn_vulkan__end_function(webnn_vulkan__compiler *c,
                                       const webnn_vulkan__function *function) {
  if (!c->terminated && function->result == WEBNN_VULKAN__ONE_VOID) {
    webnn_vulkan__write(c, &c->body, WEBNN_VULKAN__OP_RETURN, 0);
  } else if (!c->terminated) {
    const uint32_t type_id = webnn_vulkan__type_id(c, function->result);
    webnn_vulkan__write(c, &c->body, WEBNN_VULKAN__OP_RETURN_VALUE, 1,
                        webnn_vulkan__intern(c, WEBNN_VULKAN__OP_CONSTANT_NULL, type_id, NULL, 0));
  }
  webnn_vulkan__append(c, &c->functions, c->variables.data, c->variables.count);
  webnn_vulkan__append(c, &c->functions, c->body.data, c->body.count);
  webnn_vulkan__write(c, &c->functions, WEBNN_VULKAN__OP_FUNCTION_END, 0);
}

static bool webnn_vulkan__same_parameters(const webnn_vulkan__function *a,
                                          const webnn_vulkan__function *b) {
  return a->parameter_count == b->parameter_count &&
         memcmp(a->parameters, b->parameters, a->parameter_count * sizeof *a->parameters) == 0;
}

/* result name(...) { ... }, of which the parenthesis is taken. It is known after its end, so that
   none can call itself. */
static void webnn_vulkan__function_definition(webnn_vulkan__compiler *c, webnn_vulkan__type result,
                                              webnn_vulkan__name *name) {
  webnn_vulkan__function *function =
      (webnn_vulkan__function *)webnn_vulkan__take(c, sizeof *function);
  const webnn_vulkan__function *other;
  const uint32_t label = webnn_vulkan__new_id(c);
  if (function == NULL || name == NULL) {
    return;
  }
  function->result = result;
  function->id = webnn_vulkan__new_id(c);
  function->begin = c->functions.count;
  c->function = function;
  c->variables.count = c->body.count = 0;
  c->scope++;
  webnn_vulkan__write(c, &c->functions, WEBNN_VULKAN__OP_FUNCTION, 4,
                      webnn_vulkan__type_id(c, result), function->id, 0u, 0u);
  if (!webnn_vulkan__accept(c, ')')) {
    do {
      webnn_vulkan__parameter(c, function);
    } while (webnn_vulkan__accept(c, ','));
    webnn_vulkan__expect(c, ')');
  }
  for (other = name->functions; other != NULL; other = other->next) {
    if (webnn_vulkan__same_parameters(function, other)) {
      webnn_vulkan__complain_of(c, name->text, name->length, "is defined twice");
    }
  }
  webnn_vulkan__write(c, &c->functions, WEBNN_VULKAN__OP_LABEL, 1, label);
  c->block = label;
  c->terminated = false;
  webnn_vulkan__expect(c, '{');
  webnn_vulkan__statements(c);
  webnn_vulkan__end_scope(c);
  if (webnn_vulkan__failed(c)) {
    return;
  }
  webnn_vulkan__end_function(c, function);
  c->functions.data[function->begin + 4] = webnn_vulkan__function_type_id(c, function);
  function->end = c->functions.count;
  function->next = name->functions;
  name->functions = function;
  function->previous = c->functions_defined;
  c->functions_defined = function;
  if (webnn_vulkan__same_text(name->text, name->length, "main")) {
    if (result != WEBNN_VULKAN__ONE_VOID || function->parameter_count > 0) {
      webnn_vulkan__complain(c, "main must be void main()");
    }
    c->entry_point = function->id;
  }
}

/* What stands outside of functions. */
static void webnn_vulkan__global(webnn_vulkan__compiler *c) {
  const bool is_shared = webnn_vulkan__accept_word(c, WEBNN_VULKAN__IS_SHARED);
  const bool is_const = !is_shared && webnn_vulkan__accept_word(c, WEBNN_VULKAN__IS_CONST);
  const uint32_t storage =
      is_shared ? WEBNN_VULKAN__STORAGE_WORKGROUP : WEBNN_VULKAN__STORAGE_PRIVATE;
  webnn_vulkan__type type;
  webnn_vulkan__name *name;
  if (!is_shared && !is_const && webnn_vulkan__keyword(c) == WEBNN_VULKAN__IS_LAYOUT) {
    webnn_vulkan__layout_declaration(c);
    return;
  }
  if (!is_shared && !is_const && webnn_vulkan__accept(c, ';')) {
    return;
  }
  type = webnn_vulkan__read_type(c);
  name = webnn_vulkan__expect_name(c);
  if (!is_shared && !is_const && webnn_vulkan__accept(c, '(')) {
    webnn_vulkan__function_definition(c, type, name);
    return;
  }
  webnn_vulkan__declare_one(c, name, type, is_const, storage);
  while (webnn_vulkan__accept(c, ',')) {
    name = webnn_vulkan__expect_name(c);
    webnn_vulkan__declare_one(c, name, type, is_const, storage);
  }
  webnn_vulkan__expect(c, ';');
}

/* ---- The module ----------------------------------------------------------------------------- */

typedef struct webnn_vulkan__given_word {
  const char *name;
  uint32_t kind, data;
} webnn_vulkan__given_word;

#define WEBNN_VULKAN__GIVEN_TYPES(prefix, scalar, base)                                            \
  {scalar, WEBNN_VULKAN__IS_TYPE, WEBNN_VULKAN__SCALAR(base)},                                     \
      {prefix "vec2", WEBNN_VULKAN__IS_TYPE, WEBNN_VULKAN__VECTOR(base, 2)},                       \
      {prefix "vec3", WEBNN_VULKAN__IS_TYPE, WEBNN_VULKAN__VECTOR(base, 3)}, {                     \
    prefix "vec4", WEBNN_VULKAN__IS_TYPE, WEBNN_VULKAN__VECTOR(base, 4)                            \
  }

static const webnn_vulkan__given_word webnn_vulkan__given_words[] = {
    {"void", WEBNN_VULKAN__IS_TYPE, WEBNN_VULKAN__ONE_VOID},
    WEBNN_VULKAN__GIVEN_TYPES("b", "bool", WEBNN_VULKAN__BOOL),
    WEBNN_VULKAN__GIVEN_TYPES("i", "int", WEBNN_VULKAN__INT),
    WEBNN_VULKAN__GIVEN_TYPES("u", "uint", WEBNN_VULKAN__UINT),
    WEBNN_VULKAN__GIVEN_TYPES("", "float", WEBNN_VULKAN__FLOAT),
    WEBNN_VULKAN__GIVEN_TYPES("f16", "float16_t", WEBNN_VULKAN__HALF),
    WEBNN_VULKAN__GIVEN_TYPES("i64", "int64_t", WEBNN_VULKAN__INT64),
    WEBNN_VULKAN__GIVEN_TYPES("u64", "uint64_t", WEBNN_VULKAN__UINT64),
    {"coopmat", WEBNN_VULKAN__IS_COOPMAT, 0},
    {"true", WEBNN_VULKAN__IS_TRUE, 0},
    {"false", WEBNN_VULKAN__IS_FALSE, 0},
    {"const", WEBNN_VULKAN__IS_CONST, 0},
    {"in", WEBNN_VULKAN__IS_IN, 0},
    {"out", WEBNN_VULKAN__IS_OUT, 0},
    {"inout", WEBNN_VULKAN__IS_INOUT, 0},
    {"if", WEBNN_VULKAN__IS_IF, 0},
    {"else", WEBNN_VULKAN__IS_ELSE, 0},
    {"for", WEBNN_VULKAN__IS_FOR, 0},
    {"while", WEBNN_VULKAN__IS_WHILE, 0},
    {"do", WEBNN_VULKAN__IS_DO, 0},
    {"break", WEBNN_VULKAN__IS_BREAK, 0},
    {"continue", WEBNN_VULKAN__IS_CONTINUE, 0},
    {"return", WEBNN_VULKAN__IS_RETURN, 0},
    {"layout", WEBNN_VULKAN__IS_LAYOUT, 0},
    {"buffer", WEBNN_VULKAN__IS_BUFFER, 0},
    {"uniform", WEBNN_VULKAN__IS_UNIFORM, 0},
    {"shared", WEBNN_VULKAN__IS_SHARED, 0},
    {"readonly", WEBNN_VULKAN__IS_READONLY, 0},
    {"writeonly", WEBNN_VULKAN__IS_WRITEONLY, 0},
    {"coherent", WEBNN_VULKAN__IS_COHERENT_WORD, 0},
    {"restrict", WEBNN_VULKAN__IS_RESTRICT_WORD, 0},
    {"gl_WorkGroupSize", WEBNN_VULKAN__IS_GROUP_SIZE, 0},
    {"gl_NumWorkGroups", WEBNN_VULKAN__IS_INPUT,
     24u << 8 | WEBNN_VULKAN__VECTOR(WEBNN_VULKAN__UINT, 3)},
    {"gl_WorkGroupID", WEBNN_VULKAN__IS_INPUT,
     26u << 8 | WEBNN_VULKAN__VECTOR(WEBNN_VULKAN__UINT, 3)},
    {"gl_LocalInvocationID", WEBNN_VULKAN__IS_INPUT,
     27u << 8 | WEBNN_VULKAN__VECTOR(WEBNN_VULKAN__UINT, 3)},
    {"gl_GlobalInvocationID", WEBNN_VULKAN__IS_INPUT,
     28u << 8 | WEBNN_VULKAN__VECTOR(WEBNN_VULKAN__UINT, 3)},
    {"gl_LocalInvocationIndex", WEBNN_VULKAN__IS_INPUT, 29u << 8 | WEBNN_VULKAN__ONE_UINT},
    {"gl_SubgroupSize", WEBNN_VULKAN__IS_INPUT, 36u << 8 | WEBNN_VULKAN__ONE_UINT},
    {"gl_NumSubgroups", WEBNN_VULKAN__IS_INPUT, 38u << 8 | WEBNN_VULKAN__ONE_UINT},
    {"gl_SubgroupID", WEBNN_VULKAN__IS_INPUT, 40u << 8 | WEBNN_VULKAN__ONE_UINT},
    {"gl_SubgroupInvocationID", WEBNN_VULKAN__IS_INPUT, 41u << 8 | WEBNN_VULKAN__ONE_UINT},
    {"gl_ScopeWorkgroup", WEBNN_VULKAN__IS_NUMBER, WEBNN_VULKAN__SCOPE_WORKGROUP},
    {"gl_ScopeSubgroup", WEBNN_VULKAN__IS_NUMBER, WEBNN_VULKAN__SCOPE_SUBGROUP},
    {"gl_MatrixUseA", WEBNN_VULKAN__IS_NUMBER, 0},
    {"gl_MatrixUseB", WEBNN_VULKAN__IS_NUMBER, 1},
    {"gl_MatrixUseAccumulator", WEBNN_VULKAN__IS_NUMBER, 2},
    {"gl_CooperativeMatrixLayoutRowMajor", WEBNN_VULKAN__IS_NUMBER, 0},
    {"gl_CooperativeMatrixLayoutColumnMajor", WEBNN_VULKAN__IS_NUMBER, 1}};

static void webnn_vulkan__add_word(webnn_vulkan__compiler *c, const char *text, uint32_t kind,
                                   uint32_t data) {
  webnn_vulkan__name *name = webnn_vulkan__find_name(c, text, (uint32_t)strlen(text));
  if (name != NULL) {
    name->kind = kind;
    name->data = data;
  }
}

static void webnn_vulkan__add_words(webnn_vulkan__compiler *c) {
  const uint32_t words = sizeof webnn_vulkan__given_words / sizeof *webnn_vulkan__given_words;
  const uint32_t functions = sizeof webnn_vulkan__builtins / sizeof *webnn_vulkan__builtins;
  uint32_t i;
  for (i = 0; i < words && !webnn_vulkan__failed(c); i++) {
    const webnn_vulkan__given_word *word = &webnn_vulkan__given_words[i];
    webnn_vulkan__add_word(c, word->name, word->kind, word->data);
  }
  for (i = 0; i < functions && !webnn_vulkan__failed(c); i++) {
    webnn_vulkan__add_word(c, webnn_vulkan__builtins[i].name, WEBNN_VULKAN__IS_FUNCTION, i);
  }
}

/* Is this arithmetic on floats, which must be done as it is written? */
static bool webnn_vulkan__is_arithmetic(const uint32_t *instruction) {
  switch (instruction[0] & 0xffff) {
  case WEBNN_VULKAN__OP_F_NEGATE:
  case WEBNN_VULKAN__OP_F_ADD:
  case WEBNN_VULKAN__OP_F_SUB:
  case WEBNN_VULKAN__OP_F_MUL:
  case WEBNN_VULKAN__OP_F_DIV:
  case WEBNN_VULKAN__OP_F_MOD:
  case WEBNN_VULKAN__OP_DOT:
  case WEBNN_VULKAN__OP_MATRIX_TIMES_SCALAR:
    return true;
  case WEBNN_VULKAN__OP_EXT_INST: /* all but those on integers and bits */
    return instruction[4] <= 53 && instruction[4] != 5 && instruction[4] != 7 &&
           instruction[4] != 38 && instruction[4] != 39 && instruction[4] != 41 &&
           instruction[4] != 42 && instruction[4] != 44 && instruction[4] != 45;
  default:
    return false;
  }
}

/* Which functions main reaches, a byte for each id; what they compute with floats is decorated. All
   that a function calls is defined before it, so one way back through them is enough. */
static uint8_t *webnn_vulkan__reach(webnn_vulkan__compiler *c) {
  uint8_t *reached = (uint8_t *)webnn_vulkan__take(c, (uint64_t)c->last_id + 1);
  const webnn_vulkan__function *function;
  if (reached == NULL) {
    return NULL;
  }
  reached[c->entry_point] = 1;
  for (function = c->functions_defined; function != NULL; function = function->previous) {
    size_t at;
    for (at = function->begin; at < function->end && reached[function->id];
         at += c->functions.data[at] >> 16) {
      const uint32_t *instruction = c->functions.data + at;
      if ((instruction[0] & 0xffff) == WEBNN_VULKAN__OP_FUNCTION_CALL) {
        reached[instruction[3]] = 1;
      } else if (webnn_vulkan__is_arithmetic(instruction)) {
        webnn_vulkan__decorate(c, instruction[2], WEBNN_VULKAN__NO_CONTRACTION);
      }
    }
  }
  return reached;
}

static void webnn_vulkan__float_controls(webnn_vulkan__compiler *c, webnn_vulkan__words *modes) {
  const webnn_vulkan__compile_options *options = c->options;
  const bool round_16 = options->rounding_rte_16 && c->uses_half;
  const bool preserve_16 = options->preserve_16 && c->uses_half;
  const bool wanted[4] = {options->preserve_32, preserve_16, options->rounding_rte_32, round_16};
  uint32_t i;
  for (i = 0; i < 4; i++) {
    if (wanted[i]) {
      webnn_vulkan__needs(c, i < 2 ? WEBNN_VULKAN__CAN_PRESERVE : WEBNN_VULKAN__CAN_ROUND_TO_EVEN);
      webnn_vulkan__needs_extension(c, "SPV_KHR_float_controls");
      webnn_vulkan__write(c, modes, WEBNN_VULKAN__OP_EXECUTION_MODE, 3, c->entry_point,
                          i < 2 ? 4461u : 4462u, i % 2 == 0 ? 32u : 16u);
    }
  }
}

/* An instruction that ends in text: the words of its operands, then the text. */
static void webnn_vulkan__write_text(webnn_vulkan__compiler *c, webnn_vulkan__words *words,
                                     uint32_t op, const uint32_t *operands, uint32_t count,
                                     const char *text) {
  const uint32_t head = webnn_vulkan__head(op, count + (uint32_t)strlen(text) / 4 + 1);
  webnn_vulkan__append(c, words, &head, 1);
  webnn_vulkan__append(c, words, operands, count);
  webnn_vulkan__append_text(c, words, text);
}

/* Everything before the decorations. The entry point's words get longer by its interface. */
static void webnn_vulkan__write_head(webnn_vulkan__compiler *c, webnn_vulkan__words *module,
                                     const webnn_vulkan__words *modes) {
  const uint32_t header[5] = {0x07230203u, 0x00010300u, 0, c->last_id + 1, 0};
  uint32_t operands[2], i;
  size_t entry;
  webnn_vulkan__append(c, module, header, 5);
  for (i = 0; i < c->capability_count; i++) {
    webnn_vulkan__write(c, module, WEBNN_VULKAN__OP_CAPABILITY, 1, c->capabilities[i]);
  }
  for (i = 0; i < c->extension_count; i++) {
    webnn_vulkan__write_text(c, module, WEBNN_VULKAN__OP_EXTENSION, NULL, 0, c->extensions[i]);
  }
  operands[0] = c->extended;
  webnn_vulkan__write_text(c, module, WEBNN_VULKAN__OP_EXT_INST_IMPORT, operands, 1,
                           "GLSL.std.450");
  webnn_vulkan__write(c, module, WEBNN_VULKAN__OP_MEMORY_MODEL, 2, 0u, c->vulkan_memory ? 3u : 1u);
  entry = module->count;
  operands[0] = 5; /* compute */
  operands[1] = c->entry_point;
  webnn_vulkan__write_text(c, module, WEBNN_VULKAN__OP_ENTRY_POINT, operands, 2, "main");
  webnn_vulkan__append(c, module, c->inputs.data, c->inputs.count);
  if (!webnn_vulkan__failed(c)) {
    module->data[entry] += (uint32_t)c->inputs.count << 16;
  }
  webnn_vulkan__append(c, module, modes->data, modes->count);
}

static void webnn_vulkan__write_functions(webnn_vulkan__compiler *c, webnn_vulkan__words *module,
                                          const uint8_t *reached) {
  const webnn_vulkan__function *function;
  for (function = c->functions_defined; function != NULL; function = function->previous) {
    if (reached[function->id]) {
      webnn_vulkan__append(c, module, c->functions.data + function->begin,
                           function->end - function->begin);
    }
  }
}

/* The sections together. */
static void webnn_vulkan__assemble(webnn_vulkan__compiler *c, webnn_vulkan__words *module) {
  webnn_vulkan__words *modes = &c->body; /* which is free now */
  const uint8_t *reached = webnn_vulkan__reach(c);
  modes->count = 0;
  webnn_vulkan__write(c, modes, WEBNN_VULKAN__OP_EXECUTION_MODE, 5, c->entry_point, 17u,
                      c->local_size[0], c->local_size[1], c->local_size[2]);
  webnn_vulkan__float_controls(c, modes);
  if (c->vulkan_memory) {
    webnn_vulkan__needs(c, WEBNN_VULKAN__CAN_VULKAN_MEMORY);
    webnn_vulkan__needs_extension(c, "SPV_KHR_vulkan_memory_model");
  }
  if (c->matrix_count > 0) {
    webnn_vulkan__needs(c, WEBNN_VULKAN__CAN_MATRIX);
    webnn_vulkan__needs_extension(c, "SPV_KHR_cooperative_matrix");
  }
  webnn_vulkan__write_head(c, module, modes);
  webnn_vulkan__append(c, module, c->decorations.data, c->decorations.count);
  webnn_vulkan__append(c, module, c->globals.data, c->globals.count);
  if (!webnn_vulkan__failed(c)) {
    webnn_vulkan__write_functions(c, module, reached);
  }
}

static void webnn_vulkan__read_kernel(webnn_vulkan__compiler *c, const char *text) {
  uint32_t i;
  c->sources[0].at = text;
  c->sources[0].end = text + strlen(text);
  c->source_count = 1;
  c->line = 1;
  c->at_line_start = true;
  for (i = 0; i < 3; i++) {
    c->local_size[i] = 1;
  }
  c->extended = webnn_vulkan__new_id(c);
  webnn_vulkan__needs(c, WEBNN_VULKAN__CAN_SHADER);
  webnn_vulkan__add_words(c);
  webnn_vulkan__next(c);
  while (c->token.kind != WEBNN_VULKAN__END && !webnn_vulkan__failed(c)) {
    webnn_vulkan__global(c);
  }
  if (c->entry_point == 0) {
    webnn_vulkan__expected(c, "void main()");
  }
}

/* Compiles a text to SPIR-V 1.3, as Vulkan 1.1 has it. The words are released by webnn__release. On
   failure there are none, and the error says the line, what was found and what expected. */
static webnn_status webnn_vulkan__compile_kernel(const webnn_allocator *allocator, const char *text,
                                                 const webnn_vulkan__compile_options *options,
                                                 uint32_t **words, size_t *word_count,
                                                 webnn_error *error) {
  const uint64_t host = webnn__enter_environment();
  webnn_vulkan__words module = {NULL, 0, 0};
  webnn_vulkan__compiler *c;
  webnn_status status = WEBNN_OK;
  *words = NULL;
  *word_count = 0;
  c = (webnn_vulkan__compiler *)webnn__allocate_zeroed(allocator, sizeof *c);
  if (c == NULL) {
    webnn__leave_environment(host);
    return webnn__out_of_memory(error, "kernel");
  }
  c->allocator = c->arena.allocator = allocator;
  c->options = options;
  c->error = error;
  webnn_vulkan__read_kernel(c, text);
  if (!webnn_vulkan__failed(c)) {
    webnn_vulkan__assemble(c, &module);
  }
  status = c->status;
  if (status == WEBNN_OK) {
    *words = module.data;
    *word_count = module.count;
  } else {
    webnn__release(allocator, module.data);
  }
  webnn__release(allocator, c->decorations.data);
  webnn__release(allocator, c->globals.data);
  webnn__release(allocator, c->functions.data);
  webnn__release(allocator, c->variables.data);
  webnn__release(allocator, c->body.data);
  webnn__release(allocator, c->inputs.data);
  webnn__arena_release(&c->arena);
  webnn__release(allocator, c);
  webnn__leave_environment(host);
  return status;
}

/* ==============================================================================================
   2  what planning and execution share                                            >>vulkan_steps

   Planning turns each node of a program into steps: one dispatch of one kernel each. A kernel is a
   text of chapter 1's language, and its operands are its storage buffers, operand i at binding i.
   Execution makes pipelines of the texts, finds where each operand lies, and records the steps.
   ============================================================================================== */

#define WEBNN_VULKAN__OPERANDS 16
#define WEBNN_VULKAN__PUSHES 32 /* words of push constants: the 128 bytes that every device has */
#define WEBNN_VULKAN__MATRIX_SHAPES 32

/* Numbers of Vulkan, and below some structures, that headers before 1.3.255 do not have. */
#ifndef VK_KHR_cooperative_matrix
typedef VkComponentTypeNV VkComponentTypeKHR;
#define VK_COMPONENT_TYPE_FLOAT16_KHR VK_COMPONENT_TYPE_FLOAT16_NV
#define VK_COMPONENT_TYPE_FLOAT32_KHR VK_COMPONENT_TYPE_FLOAT32_NV
#define VK_COMPONENT_TYPE_SINT8_KHR VK_COMPONENT_TYPE_SINT8_NV
#define VK_COMPONENT_TYPE_SINT32_KHR VK_COMPONENT_TYPE_SINT32_NV
#define VK_COMPONENT_TYPE_UINT8_KHR VK_COMPONENT_TYPE_UINT8_NV
#define VK_COMPONENT_TYPE_UINT32_KHR VK_COMPONENT_TYPE_UINT32_NV
#define VK_SCOPE_SUBGROUP_KHR VK_SCOPE_SUBGROUP_NV
#endif

/* Cooperative matrices that a subgroup can multiply: A (m x k) times B (k x n) plus C is the result
   (m x n). */
typedef struct webnn_vulkan__matrix_shape {
  uint32_t m, n, k;
  VkComponentTypeKHR a, b, c, result; /* the types of their elements */
  bool saturates;                     /* integer sums stop at the ends of their range */
} webnn_vulkan__matrix_shape;

/* What planning may know of a device. */
typedef struct webnn_vulkan__traits {
  uint64_t alignment;              /* of operands in memory: at least 256 */
  uint32_t max_groups[3];          /* of one dispatch */
  uint32_t max_group_size[3];      /* of local_size */
  uint32_t max_invocations;        /* of one workgroup */
  uint32_t shared_bytes;           /* of one workgroup */
  uint32_t max_operands;           /* of one kernel: at most WEBNN_VULKAN__OPERANDS */
  uint32_t subgroup_size;          /* 0: not known */
  bool is_cpu;                     /* a software driver: small tiles, no large kernels */
  bool rounds_32, rounds_16;       /* RoundingModeRTE can be asked for */
  bool preserves_32, preserves_16; /* SignedZeroInfNanPreserve can be asked for */
  bool subgroup_basic, subgroup_arithmetic, subgroup_shuffle; /* in compute shaders */
  bool float16, int64, int8;                                  /* arithmetic of these in shaders */
  bool storage_16;                                            /* buffers of 16-bit elements */
  bool dot_products; /* integer dot products of four bytes can be written */
  bool fast_dot_signed, fast_dot_unsigned, fast_dot_mixed; /* and are instructions, packed */
  bool relaxed;                                            /* the context's numerics */
  /* Sizes of subgroups that a kernel can ask for, with whole subgroups, by
     webnn_vulkan__planned_kernel.subgroup_size: powers of two from the least to the most; 0: none. */
  uint32_t least_subgroup, most_subgroup;
  /* Cooperative matrices, with the memory model of Vulkan that they need; none: 0. Bytes in them
     need int8, float16 numbers float16. */
  uint32_t matrix_shape_count;
  webnn_vulkan__matrix_shape matrix_shapes[WEBNN_VULKAN__MATRIX_SHAPES];
} webnn_vulkan__traits;

typedef enum webnn_vulkan__memory_kind {
  WEBNN_VULKAN__VALUE,     /* a value of the rewritten program, wherever it is placed */
  WEBNN_VULKAN__SCRATCH,   /* the node's scratch memory, from `offset` */
  WEBNN_VULKAN__PARAMETERS /* words that planning has put, from `offset` */
} webnn_vulkan__memory_kind;

/* What a kernel reads or writes. Offsets are multiples of traits.alignment. Of a value all is bound
   if byte_length is 0. The buffer that the kernel sees is rounded up to 16 bytes. */
typedef struct webnn_vulkan__operand {
  webnn_vulkan__memory_kind kind;
  uint32_t value;
  uint64_t offset, byte_length;
  bool written;
} webnn_vulkan__operand;

typedef struct webnn_vulkan__step {
  uint32_t node, kernel, operand_count;
  webnn_vulkan__operand operands[WEBNN_VULKAN__OPERANDS];
  uint32_t push_count, push[WEBNN_VULKAN__PUSHES];
  uint32_t groups[3];
  uint64_t cost; /* estimated scalar operations, for cutting submissions */
} webnn_vulkan__step;

/* A kernel that some step of a plan runs. */
typedef struct webnn_vulkan__planned_kernel {
  char *text; /* in the planner's arena */
  uint64_t hash;
  uint32_t operand_count;
  /* That it asks for; 0: any. Whoever has added the kernel sets it, for one text always the same. */
  uint32_t subgroup_size;
} webnn_vulkan__planned_kernel;

/* What planning of a node may say beside its steps. */
typedef struct webnn_vulkan__planned_node {
  uint64_t scratch; /* bytes */
  bool overwrites;  /* the last result may lie over any operand of as many elements of its size */
} webnn_vulkan__planned_node;

/* A text that grows. */
typedef struct webnn_vulkan__text_buffer {
  char *bytes;
  uint64_t length, room;
} webnn_vulkan__text_buffer;

#define WEBNN_VULKAN__TEXT_PARTS 5

/* The planning of one program. Lists grow; all memory is the arena's. */
typedef struct webnn_vulkan__planner {
  const webnn_vulkan__traits *traits;
  const webnn__program *program;
  webnn__arena *arena;
  webnn_vulkan__planned_node *nodes; /* of each node of the program */
  webnn_vulkan__step *steps;
  uint32_t step_count, step_room;
  webnn_vulkan__planned_kernel *kernels;
  uint32_t kernel_count, kernel_room;
  uint32_t *slots; /* kernels by hash: index + 1, or 0; slot_count is a power of two */
  uint32_t slot_count;
  uint32_t *parameters;
  uint64_t parameter_count, parameter_room;                  /* words */
  webnn_vulkan__text_buffer texts[WEBNN_VULKAN__TEXT_PARTS]; /* of the kernel that is being made */
  webnn_status status;                                       /* of the first failure */
  webnn_error *error;
} webnn_vulkan__planner;

/* Chapter 4. Plans a node that is not fused away; false after webnn_vulkan__plan_fails or
   webnn_vulkan__plan_lacks_memory. Called for each node in order, also for those that turn out to
   be nothing but views of their operand, whose steps are dropped. */
static bool webnn_vulkan__plan_node(webnn_vulkan__planner *planner, uint32_t node);

/* Chapter 4. What passes may make of a program for this device. */
static void webnn_vulkan__set_target(const webnn_vulkan__traits *traits, webnn__target *target);

/* ---- What planning calls ---- */

static bool webnn_vulkan__plan_lacks_memory(webnn_vulkan__planner *planner) {
  if (planner->status == WEBNN_OK) {
    planner->status = webnn__out_of_memory(planner->error, "build");
  }
  return false;
}

/* The node cannot be run; `reason` is words, such as "no kernel for these types". */
static bool webnn_vulkan__plan_fails(webnn_vulkan__planner *planner, uint32_t index,
                                     const char *reason) {
  const webnn__node *node = &planner->program->nodes[index];
  const char *name = (unsigned)node->op < WEBNN_OP_COUNT ? webnn_op_name(node->op) : "fused";
  if (planner->status == WEBNN_OK) {
    planner->status = webnn__fail(planner->error, WEBNN_OPERATION_ERROR, "build: %s %q: %s",
                                  name != NULL ? name : "", node->label, reason);
  }
  return false;
}

/* A list twice as long, at least `least`; NULL without memory. */
static void *webnn_vulkan__longer(webnn_vulkan__planner *planner, const void *old, uint64_t count,
                                  uint64_t room, size_t size) {
  void *list = webnn__arena_take(planner->arena, room * size);
  if (list == NULL) {
    (void)webnn_vulkan__plan_lacks_memory(planner);
  } else if (count > 0) {
    memcpy(list, old, (size_t)count * size);
  }
  return list;
}

static uint64_t webnn_vulkan__hash_text(const void *bytes, size_t length) {
  const unsigned char *p = (const unsigned char *)bytes;
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  size_t i;
  for (i = 0; i < length; i++) {
    hash = (hash ^ p[i]) * UINT64_C(0x100000001b3);
  }
  return hash ^ hash >> 29;
}

/* Makes the table of kernels twice as large. */
static bool webnn_vulkan__grow_slots(webnn_vulkan__planner *planner) {
  const uint32_t count = planner->slot_count > 0 ? planner->slot_count * 2 : 64;
  uint32_t *slots = (uint32_t *)webnn_vulkan__longer(planner, NULL, 0, count, sizeof *slots);
  uint32_t i, at;
  if (slots == NULL) {
    return false;
  }
  memset(slots, 0, count * sizeof *slots);
  for (i = 0; i < planner->kernel_count; i++) {
    for (at = (uint32_t)planner->kernels[i].hash & (count - 1); slots[at] != 0;
         at = (at + 1) & (count - 1)) {
    }
    slots[at] = i + 1;
  }
  planner->slots = slots;
  planner->slot_count = count;
  return true;
}

/* The number of the kernel with this text, which is copied; WEBNN__NONE without memory. */
static uint32_t webnn_vulkan__add_kernel(webnn_vulkan__planner *planner, const char *text,
                                         size_t length, uint32_t operand_count) {
  const uint64_t hash = webnn_vulkan__hash_text(text, length);
  webnn_vulkan__planned_kernel *kernel;
  uint32_t at;
  if (planner->kernel_count * 2 >= planner->slot_count && !webnn_vulkan__grow_slots(planner)) {
    return WEBNN__NONE;
  }
  for (at = (uint32_t)hash & (planner->slot_count - 1); planner->slots[at] != 0;
       at = (at + 1) & (planner->slot_count - 1)) {
    kernel = &planner->kernels[planner->slots[at] - 1];
    if (kernel->hash == hash && strlen(kernel->text) == length &&
        memcmp(kernel->text, text, length) == 0) {
      return planner->slots[at] - 1;
    }
  }
  if (planner->kernel_count == planner->kernel_room) {
    const uint32_t room = planner->kernel_room > 0 ? planner->kernel_room * 2 : 16;
    kernel = (webnn_vulkan__planned_kernel *)webnn_vulkan__longer(
        planner, planner->kernels, planner->kernel_count, room, sizeof *kernel);
    if (kernel == NULL) {
      return WEBNN__NONE;
    }
    planner->kernels = kernel;
    planner->kernel_room = room;
  }
  kernel = &planner->kernels[planner->kernel_count];
  kernel->text = (char *)webnn__arena_take(planner->arena, (uint64_t)length + 1);
  if (kernel->text == NULL) {
    (void)webnn_vulkan__plan_lacks_memory(planner);
    return WEBNN__NONE;
  }
  memcpy(kernel->text, text, length);
  kernel->text[length] = 0;
  kernel->hash = hash;
  kernel->operand_count = operand_count;
  kernel->subgroup_size = 0;
  planner->slots[at] = ++planner->kernel_count;
  return planner->kernel_count - 1;
}

/* A cleared step of a node, after all others; NULL without memory. It is valid until the next
   one. */
static webnn_vulkan__step *webnn_vulkan__add_step(webnn_vulkan__planner *planner, uint32_t node,
                                                  uint32_t kernel) {
  webnn_vulkan__step *step;
  if (planner->step_count == planner->step_room) {
    const uint32_t room = planner->step_room > 0 ? planner->step_room * 2 : 16;
    step = (webnn_vulkan__step *)webnn_vulkan__longer(planner, planner->steps, planner->step_count,
                                                      room, sizeof *step);
    if (step == NULL) {
      return NULL;
    }
    planner->steps = step;
    planner->step_room = room;
  }
  step = &planner->steps[planner->step_count++];
  memset(step, 0, sizeof *step);
  step->node = node;
  step->kernel = kernel;
  return step;
}

/* Scratch memory for a node: where in it these bytes lie. It is shared by the node's steps. */
WEBNN__OFFERED uint64_t webnn_vulkan__take_scratch(webnn_vulkan__planner *planner, uint32_t node,
                                                   uint64_t byte_length) {
  const uint64_t alignment = planner->traits->alignment;
  const uint64_t offset = planner->nodes[node].scratch;
  planner->nodes[node].scratch = offset + (byte_length + alignment - 1) / alignment * alignment;
  return offset;
}

/* Words that kernels read from a buffer: their offset there, in bytes. False without memory. */
WEBNN__OFFERED bool webnn_vulkan__put_parameters(webnn_vulkan__planner *planner,
                                                 const uint32_t *words, uint32_t count,
                                                 uint64_t *offset) {
  const uint64_t unit = planner->traits->alignment / 4;
  const uint64_t needed = (count + unit - 1) / unit * unit;
  if (planner->parameter_count + needed > planner->parameter_room) {
    const uint64_t room = (planner->parameter_count + needed) * 2;
    uint32_t *longer = (uint32_t *)webnn_vulkan__longer(
        planner, planner->parameters, planner->parameter_count, room, sizeof *longer);
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
   3  how kernels are written                                                      >>vulkan_frame

   A library of functions in the language of chapter 1, and the frame around the kernels of chapter
   4: bindings, numbers, how many invocations there are and which element each of them computes.
   ============================================================================================== */

/* ---- The library of kernels ---------------------------------------------------------------------

   Functions that texts use, in parts: a text gets those parts that it asks for, and those which they
   need. Nothing here uses a driver's functions beyond + - * / sqrt, rounding to integers and
   operations on bits, so that all drivers give the same results. The compiler of kernels lets no
   driver fuse or reorder. */

typedef enum webnn_vulkan__library_part {
  WEBNN_VULKAN__LIB_HALF, /* to_half, from_half, round_half */
  WEBNN_VULKAN__LIB_BITS, /* is_nan, with_sign, abs_of, neg_of, float_key, max_nan, min_nan */
  WEBNN_VULKAN__LIB_SQRT,
  WEBNN_VULKAN__LIB_TWO, /* two_sum, two_product */
  WEBNN_VULKAN__LIB_LINEAR,
  WEBNN_VULKAN__LIB_SUM, /* add_to, total_of: sums with what rounding takes away */
  WEBNN_VULKAN__LIB_EXP, /* exp_of, expm1_of, and the parts of others */
  WEBNN_VULKAN__LIB_LOG, /* log_of, log1p_of */
  WEBNN_VULKAN__LIB_SIGMOID,
  WEBNN_VULKAN__LIB_SOFTPLUS,
  WEBNN_VULKAN__LIB_TANH,
  WEBNN_VULKAN__LIB_ERF,
  WEBNN_VULKAN__LIB_GELU,
  WEBNN_VULKAN__LIB_ANGLE,
  WEBNN_VULKAN__LIB_SIN, /* sin_of, cos_of */
  WEBNN_VULKAN__LIB_TAN,
  WEBNN_VULKAN__LIB_POW,
  WEBNN_VULKAN__LIB_LONG,        /* 64-bit integers: add, sub, neg, mul, compare, shift */
  WEBNN_VULKAN__LIB_LONG_DIVIDE, /* u64_divide, i64_divide */
  WEBNN_VULKAN__LIB_LONG_FLOAT,  /* from and to float */
  WEBNN_VULKAN__LIB_INT_FLOAT,   /* float_to_int, float_to_uint */
  WEBNN_VULKAN__LIB_INT_POW,     /* i32_pow, u32_pow */
  WEBNN_VULKAN__LIB_LONG_POW,
  WEBNN_VULKAN__LIB_QUANTIZE,
  WEBNN_VULKAN__LIB_QUANTIZE_LONG,
  WEBNN_VULKAN__LIBRARY_COUNT
} webnn_vulkan__library_part;

#define WEBNN_VULKAN__PART(part) (UINT64_C(1) << WEBNN_VULKAN__LIB_##part)

typedef struct webnn_vulkan__library_text {
  uint64_t needs; /* parts that stand before it */
  const char *text, *more;
} webnn_vulkan__library_text;

/* In the order of the enumerators. */
static const webnn_vulkan__library_text webnn_vulkan__library[WEBNN_VULKAN__LIBRARY_COUNT] = {
    {0,
     /* The bits of a float16: rounded to nearest, ties to even. */
     "uint to_half(float x) {\n"
     "  uint bits = floatBitsToUint(x), top = bits >> 16 & 0x8000u, m = bits & 0x7fffffffu;\n"
     "  if (m > 0x7f800000u) { return top | 0x7e00u; }\n"
     "  if (m >= 0x47800000u) { return top | 0x7c00u; }\n"
     "  if (m >= 0x38800000u) { return top | (m - 0x38000000u + 0xfffu + (m >> 13 & 1u)) >> 13; }\n"
     "  if (m < 0x33000000u) { return top; }\n"
     "  uint shift = 126u - (m >> 23), fraction = m & 0x7fffffu | 0x800000u;\n"
     "  uint kept = fraction >> shift, gone = fraction << (32u - shift);\n"
     "  if (gone > 0x80000000u || gone == 0x80000000u && (kept & 1u) != 0u) { kept++; }\n"
     "  return top | kept;\n"
     "}\n"
     "float from_half(uint bits) { return unpackHalf2x16(bits & 65535u).x; }\n"
     "float round_half(float x) { return from_half(to_half(x)); }\n",
     NULL},
    {0,
     "bool is_nan(float x) { return (floatBitsToUint(x) & 0x7fffffffu) > 0x7f800000u; }\n"
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
     "}\n",
     NULL},
    {WEBNN_VULKAN__PART(BITS),
     "float sqrt_of(float x) {\n"
     "  uint bits = floatBitsToUint(x);\n"
     "  if (bits == 0u || bits == 0x80000000u || bits == 0x7f800000u) { return x; }\n"
     "  if (bits < 0x800000u) { return sqrt(float(2u * bits)) * 2.64697796e-23; }\n"
     "  return bits > 0x7f800000u ? nan_value() : sqrt(x);\n"
     "}\n",
     NULL},
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
     "}\n",
     NULL},
    {WEBNN_VULKAN__PART(BITS) | WEBNN_VULKAN__PART(TWO),
     /* a x + b, rounded nearly once; where a part overflows, twice. */
     "float linear_of(float x, float a, float b) {\n"
     "  if (is_infinite(b) && abs_of(x) < infinity() && abs_of(a) < infinity()) { return b; }\n"
     "  float low, rest, s = two_sum(two_product(a, x, low), b, rest);\n"
     "  rest += low;\n"
     "  return is_nan(rest) || is_infinite(rest) ? a * x + b : rest == 0.0 ? s : s + rest;\n"
     "}\n",
     NULL},
    {WEBNN_VULKAN__PART(BITS) | WEBNN_VULKAN__PART(TWO),
     /* A sum in two floats. */
     "void add_to(inout float s, inout float c, float x) {\n"
     "  float low;\n"
     "  s = two_sum(s, x, low);\n"
     "  c += low;\n"
     "}\n"
     "float total_of(float s, float c) { return is_nan(c) || is_infinite(c) || c == 0.0 ? s : s + "
     "c; }\n"
     "bool is_finite(float x) { return (floatBitsToUint(x) & 0x7fffffffu) < 0x7f800000u; }\n",
     NULL},
    {WEBNN_VULKAN__PART(BITS),
     /* x 2^n for -252 <= n <= 254. */
     "float scale_of(float x, int n) {\n"
     "  int first = n >> 1;\n"
     "  return x * uintBitsToFloat(uint(first + 127) << 23) *\n"
     "         uintBitsToFloat(uint(n - first + 127) << 23);\n"
     "}\n"
     /* e^r - 1 for |r| <= 0.35. */
     "float small_expm1(float r) {\n"
     "  float q = 0.00138662185;\n"
     "  q = q * r + 0.00836715009;\n"
     "  q = q * r + 0.0416674949;\n"
     "  q = q * r + 0.16666539;\n"
     "  q = q * r + 0.49999997;\n"
     "  return r * r * q + r;\n"
     "}\n"
     /* x = n ln 2 + r. */
     "float minus_n_ln2(float x, out int n) {\n"
     "  float k = roundEven(x * 1.44269504);\n"
     "  n = int(k);\n"
     "  return x - k * 0.693145752 - k * 1.42860677e-6;\n"
     "}\n"
     /* e^(x + low), and what the last rounding took away. */
     "float exp_and_rest(float x, float low, out float rest) {\n"
     "  int n;\n"
     "  float t = x > 89.0 ? 89.0 : x < -105.0 ? -105.0 : x;\n"
     "  float p = small_expm1(minus_n_ln2(t, n) + low), y = 1.0 + p;\n"
     "  rest = scale_of(p - (y - 1.0), n);\n"
     "  return is_nan(x) ? x : scale_of(y, n);\n"
     "}\n"
     "float exp_of(float x) {\n"
     "  float rest;\n"
     "  return exp_and_rest(x, 0.0, rest);\n"
     "}\n"
     /* e^x - 1 for x <= 0. */
     "float expm1_of(float x) {\n"
     "  int n;\n"
     "  float r = small_expm1(minus_n_ln2(x < -20.0 ? -20.0 : x, n));\n"
     "  float p = uintBitsToFloat(uint(n + 127) << 23);\n"
     "  return is_nan(x) ? x : p * r + (p - 1.0);\n"
     "}\n",
     NULL},
    {WEBNN_VULKAN__PART(BITS) | WEBNN_VULKAN__PART(EXP),
     /* x = 2^k (1 + f), sqrt(1/2) <= 1 + f < sqrt 2, for finite x > 0. */
     "float split_of(float x, out float k) {\n"
     "  uint bits = floatBitsToUint(x);\n"
     "  int tiny = 0;\n"
     "  if (bits < 0x800000u) {\n"
     "    int shift = 23 - findMSB(bits);\n"
     "    bits <<= uint(shift);\n"
     "    tiny = shift;\n"
     "  }\n"
     "  int offset = int(bits) - 0x3f3504f3, exponent = offset >> 23;\n"
     "  k = float(exponent - tiny);\n"
     "  return uintBitsToFloat(uint(offset - (exponent << 23) + 0x3f3504f3)) - 1.0;\n"
     "}\n"
     /* ln 2^k (1 + f), smallest terms first. */
     "float log_of_parts(float k, float f) {\n"
     "  float p = -0.0763603225, square = f * f;\n"
     "  p = p * f + 0.127631783;\n"
     "  p = p * f - 0.131602481;\n"
     "  p = p * f + 0.142014667;\n"
     "  p = p * f - 0.166233227;\n"
     "  p = p * f + 0.200012445;\n"
     "  p = p * f - 0.250008225;\n"
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
     "}\n"
     /* ln(1 + u) for u >= 0. */
     "float log1p_of(float u) {\n"
     "  float y = 1.0 + u, rest = u - (y - 1.0);\n"
     "  return u > 1.0e30 || is_nan(u) ? log_of(u) : log_of(y) + rest / y;\n"
     "}\n",
     NULL},
    {WEBNN_VULKAN__PART(BITS) | WEBNN_VULKAN__PART(EXP),
     "float sigmoid_of(float x) {\n"
     "  float e = exp_of(neg_of(abs_of(x)));\n"
     "  return is_nan(x) ? x : floatBitsToInt(x) < 0 ? e / (1.0 + e) : 1.0 / (1.0 + e);\n"
     "}\n",
     NULL},
    {WEBNN_VULKAN__PART(BITS) | WEBNN_VULKAN__PART(EXP),
     /* max(x, 0) + ln(1 + e^-|x|). */
     "float softplus_of(float x) {\n"
     "  float rest, u = exp_and_rest(neg_of(abs_of(x)), 0.0, rest), q = -0.00331055722;\n"
     "  q = q * u + 0.0201679971;\n"
     "  q = q * u - 0.0575936884;\n"
     "  q = q * u + 0.1067314;\n"
     "  q = q * u - 0.153508395;\n"
     "  q = q * u + 0.196937442;\n"
     "  q = q * u - 0.249582469;\n"
     "  q = q * u + 0.333304763;\n"
     "  q = q * u - 0.499999315;\n"
     "  return is_nan(x) ? x : u + (u * u * q + (rest * 0.75 + (x > 0.0 ? x : 0.0)));\n"
     "}\n",
     NULL},
    {WEBNN_VULKAN__PART(BITS) | WEBNN_VULKAN__PART(EXP),
     /* t + t^3 p(t^2) to 0.6, and 1 - 2 / (e^2t + 1). */
     "float tanh_of(float x) {\n"
     "  float t = abs_of(x), q = t * t, p = 0.00237076564, y;\n"
     "  if (is_nan(x)) { return x; }\n"
     "  if (t < 0.6) {\n"
     "    p = p * q - 0.0084100708;\n"
     "    p = p * q + 0.021788322;\n"
     "    p = p * q - 0.0539615518;\n"
     "    p = p * q + 0.133333129;\n"
     "    p = p * q - 0.333333332;\n"
     "    y = t + t * q * p;\n"
     "    return with_sign(q == 0.0 ? t : y, x);\n"
     "  }\n"
     "  return with_sign(1.0 - 2.0 / (exp_of(t > 20.0 ? 40.0 : 2.0 * t) + 1.0), x);\n"
     "}\n",
     NULL},
    {WEBNN_VULKAN__PART(BITS) | WEBNN_VULKAN__PART(EXP),
     /* t + t p(t^2) to 0.875, and 1 - e^p(t). */
     "float erf_of(float x) {\n"
     "  float t = abs_of(x), q = t * t, p;\n"
     "  if (is_nan(x)) { return x; }\n"
     "  if (t < 1.0e-8) { return with_sign(t * 1.12837917, x); }\n"
     "  if (t < 0.875) {\n"
     "    p = 8.6582785e-5;\n"
     "    p = p * q - 0.000820776258;\n"
     "    p = p * q + 0.0052065115;\n"
     "    p = p * q - 0.0268615122;\n"
     "    p = p * q + 0.112837321;\n"
     "    p = p * q - 0.37612636;\n"
     "    p = p * q + 0.128379167;\n"
     "    return with_sign(t + t * p, x);\n"
     "  }\n"
     "  t = t > 3.95 ? 3.95 : t;\n"
     "  p = 1.65537488e-6;\n"
     "  p = p * t - 4.63790458e-5;\n"
     "  p = p * t + 0.000599156866;\n"
     "  p = p * t - 0.00476882734;\n"
     "  p = p * t + 0.0264419216;\n"
     "  p = p * t - 0.110106409;\n"
     "  p = p * t - 0.631809716;\n"
     "  p = p * t - 1.13023577;\n"
     "  p = p * t + 0.000318843817;\n"
     "  return with_sign(1.0 - exp_of(p), x);\n"
     "}\n",
     NULL},
    {WEBNN_VULKAN__PART(BITS) | WEBNN_VULKAN__PART(TWO) | WEBNN_VULKAN__PART(EXP),
     /* max(x, 0) - t h(t) e^(-t^2/2), t = |x|, h(t) = erfc(t / sqrt 2) e^(t^2/2) / 2: a polynomial of */
     /* 1 / (1 + 0.35 t). The exponent is taken with its rounding error, because it is large. */
     "float gelu_of(float x) {\n"
     "  float t = abs_of(x), low, rest, p = 0.017867673;\n"
     "  if (is_nan(x)) { return x; }\n"
     "  if (is_infinite(x)) { return x > 0.0 ? x : nan_value(); }\n"
     "  t = t > 14.9375 ? 14.9375 : t;\n"
     "  float u = 1.0 / (1.0 + 0.35 * t), w = u - 0.5, high = two_product(t, -0.5 * t, low);\n"
     "  p = p * w - 0.00905244239;\n"
     "  p = p * w - 0.0354999075;\n"
     "  p = p * w + 0.0304172862;\n"
     "  p = p * w + 0.0449990803;\n"
     "  p = p * w - 0.0564725458;\n"
     "  p = p * w - 0.0817893025;\n"
     "  p = p * w + 0.0818841324;\n"
     "  p = p * w + 0.284396928;\n"
     "  p = p * w + 0.342991472;\n"
     "  p = p * w + 0.253244272;\n"
     "  float e = exp_and_rest(high, low, rest), h = u * p;\n"
     "  float q = t == 0.0 ? 0.5 * abs_of(x) : t * h * e;\n"
     "  return x > 0.0 ? x - q : neg_of(q);\n"
     "}\n",
     NULL},
    {WEBNN_VULKAN__PART(BITS),
     /* |x| = quadrant pi/2 + r + low, |r| <= pi/4. Of small angles pi/2 is taken away in parts of 11 */
     /* bits; of others x 2/pi is computed in integers, of which the quadrant and 64 more bits are kept. */
     "const uint two_over_pi[8] = uint[8](0u, 0u, 0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, "
     "0xf534ddc0u,\n"
     "                                    0xdb629599u, 0x3c439041u);\n"
     "float large_angle(uint bits, out float low, out int quadrant) {\n"
     "  uint m = bits & 0x7fffffu | 0x800000u, e = bits >> 23;\n"
     "  uint at = e - 88u, word = at >> 5, shift = at & 31u;\n"
     "  uint a = two_over_pi[word], b = two_over_pi[word + 1u], c = two_over_pi[word + 2u];\n"
     "  uint d = word + 3u < 8u ? two_over_pi[word + 3u] : 0xfe5163abu;\n"
     "  if (shift > 0u) {\n"
     "    a = a << shift | b >> (32u - shift);\n"
     "    b = b << shift | c >> (32u - shift);\n"
     "    c = c << shift | d >> (32u - shift);\n"
     "  }\n"
     "  uint h, l, h2, l2, top, middle, bottom;\n"
     "  umulExtended(c, m, h, l);\n"
     "  umulExtended(b, m, h2, l2);\n"
     "  bottom = l2 + h;\n"
     "  h2 += bottom < h ? 1u : 0u;\n"
     "  middle = a * m + h2;\n"
     " \n"
     "  top = middle;\n"
     "  quadrant = int(top >> 30);\n"
     "  uint f = top << 2 | bottom >> 30, g = bottom << 2 | l >> 30;\n"
     "  bool up = (f & 0x80000000u) != 0u;\n"
     "  if (up) {\n"
     "    quadrant++;\n"
     "    f = ~f;\n"
     "    g = ~g;\n"
     "  }\n"
     " \n"
     "  if (f == 0u && g == 0u) { low = 0.0; return 0.0; }\n"
     "  int zeros = f != 0u ? 31 - findMSB(f) : 63 - findMSB(g);\n"
     "  if (zeros >= 32) { f = g << uint(zeros - 32); g = 0u; }\n"
     "  else if (zeros > 0) { f = f << uint(zeros) | g >> uint(32 - zeros); g = g << uint(zeros); "
     "}\n"
     "  float scale = uintBitsToFloat(uint(127 - zeros) << 23);\n"
     "  float hi = float(f >> 8) * 5.9604644775390625e-8;\n"
     "  float lo = float((f & 255u) << 16 | g >> 16) * 3.552713678800501e-15;\n"
     "  float c1 = 4097.0 * hi, hh = c1 - (c1 - hi), hl = hi - hh;\n"
     "  float r = hi * 1.57079637;\n"
     "  low = ((hh * 1.5703125 - r) + hh * 0.000483870506 + hl * 1.5703125) + hl * "
     "0.000483870506;\n"
     "  low += lo * 1.57079637 + hi * -4.37113883e-8;\n"
     "  r *= scale;\n"
     "  low *= scale;\n"
     "  if (up) { r = -r; low = -low; }\n"
     "  return r;\n"
     "}\n",
     "float angle_of(float x, out float low, out int quadrant) {\n"
     "  float size = abs_of(x);\n"
     "  low = 0.0;\n"
     "  quadrant = 0;\n"
     "  if (is_nan(x) || is_infinite(x)) { return nan_value(); }\n"
     "  if (size < 8192.0) {\n"
     "    float n = roundEven(size * 0.636619747), first = size - n * 1.5703125 - n * "
     "0.000483751297;\n"
     "    float r = first - n * 7.54953362e-8;\n"
     "    low = (first - r) - n * 7.54953362e-8 - n * 2.56334407e-12;\n"
     "    quadrant = int(n);\n"
     "    return r;\n"
     "  }\n"
     "  return large_angle(floatBitsToUint(size), low, quadrant);\n"
     "}\n"},
    {WEBNN_VULKAN__PART(BITS) | WEBNN_VULKAN__PART(ANGLE),
     "float sine_in(float r, float low, int quadrant) {\n"
     "  float q = r * r, s = -0.000195180721, c = 2.44323383e-5;\n"
     "  s = s * q + 0.00833218824;\n"
     "  s = s * q - 0.166666552;\n"
     "  s = r + (r * q * s + low);\n"
     "  c = c * q - 0.00138873095;\n"
     "  c = c * q + 0.0416666456;\n"
     "  c = (c * q - 0.5) * q + 1.0;\n"
     "  float y = (quadrant & 1) == 0 ? s : c - r * low;\n"
     "  return (quadrant & 2) == 0 ? y : neg_of(y);\n"
     "}\n"
     "float sin_of(float x) {\n"
     "  float low;\n"
     "  int quadrant;\n"
     "  float r = angle_of(x, low, quadrant);\n"
     "  float y = sine_in(r, low, quadrant);\n"
     "  return floatBitsToInt(x) < 0 ? neg_of(y) : y;\n"
     "}\n"
     "float cos_of(float x) {\n"
     "  float low;\n"
     "  int quadrant;\n"
     "  float r = angle_of(x, low, quadrant);\n"
     "  return sine_in(r, low, quadrant + 1);\n"
     "}\n",
     NULL},
    {WEBNN_VULKAN__PART(BITS) | WEBNN_VULKAN__PART(ANGLE),
     "float tan_of(float x) {\n"
     "  float low;\n"
     "  int quadrant;\n"
     "  float r = angle_of(x, low, quadrant), q = r * r, p = 0.0043778792;\n"
     "  p = p * q + 8.88027207e-5;\n"
     "  p = p * q + 0.0108339321;\n"
     "  p = p * q + 0.0212841406;\n"
     "  p = p * q + 0.0540592112;\n"
     "  p = p * q + 0.133326739;\n"
     "  p = p * q + 0.333333492;\n"
     "  p = r + (r * q * p + low);\n"
     "  p = (quadrant & 1) == 0 ? p : -1.0 / p;\n"
     "  return floatBitsToInt(x) < 0 ? neg_of(p) : p;\n"
     "}\n",
     NULL},
    {WEBNN_VULKAN__PART(BITS) | WEBNN_VULKAN__PART(TWO) | WEBNN_VULKAN__PART(EXP) |
         WEBNN_VULKAN__PART(LOG),
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
     "  float size = abs_of(x), half_y = y * 0.5, z = y > 4.0e9 ? 4.0e9 : y < -4.0e9 ? -4.0e9 : "
     "y;\n"
     "  bool whole = roundEven(y) == y, odd = whole && roundEven(half_y) != half_y;\n"
     "  float g;\n"
     "  if (size == 0.0 && (floatBitsToUint(x) & 0x7fffffffu) == 0u) {\n"
     "    g = y < 0.0 ? infinity() : y == 0.0 ? 1.0 : 0.0;\n"
     "  } else {\n"
     "    float log_low, e_low, l = log2_in_two(size, log_low), e = two_product(z, l, e_low);\n"
     "    e_low = abs_of(e) < 160.0 ? z * log_low + e_low : 0.0;\n"
     "    e = e > 130.0 ? 130.0 : e < -160.0 ? -160.0 : e;\n"
     "    float n = roundEven(e), f = (e - n) + e_low;\n"
     "    g = f * 0.000155034199 + 0.00133920729;\n"
     "    g = g * f + 0.00961790327;\n"
     "    g = g * f + 0.0555035733;\n"
     "    g = g * f + 0.240226522;\n"
     "    g = g * f + 0.693147182;\n"
     "    g = scale_of(g * f + 1.0, int(n));\n"
     "  }\n"
     "  g = odd ? with_sign(g, x) : g;\n"
     "  return floatBitsToInt(x) < 0 && floatBitsToUint(size) != 0u && !whole ? nan_value() : g;\n"
     "}\n"
     "float pow_of(float x, float y) {\n"
     "  if (floatBitsToUint(y) << 1 == 0u || floatBitsToUint(x) == 0x3f800000u) { return 1.0; }\n"
     "  if (is_nan(x) || is_nan(y)) { return nan_value(); }\n"
     "  float size = abs_of(x);\n"
     "  if (is_infinite(y)) {\n"
     "    return size == 1.0 ? 1.0 : size > 1.0 == y > 0.0 ? infinity() : 0.0;\n"
     "  }\n"
     "  if (is_infinite(x)) {\n"
     "    float half_y = y * 0.5, g = y > 0.0 ? infinity() : 0.0;\n"
     "    bool odd = roundEven(y) == y && roundEven(half_y) != half_y;\n"
     "    return odd ? with_sign(g, x) : g;\n"
     "  }\n"
     "  return finite_power(x, y);\n"
     "}\n",
     NULL},
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
     "  if (n == 0u) { return v; }\n"
     "  return n >= 32u ? uvec2(0u, v.x << (n - 32u)) : uvec2(v.x << n, v.y << n | v.x >> (32u - "
     "n));\n"
     "}\n",
     NULL},
    {WEBNN_VULKAN__PART(LONG),
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
     "}\n",
     NULL},
    {WEBNN_VULKAN__PART(LONG),
     /* Rounded to nearest, ties to even. */
     "float u64_to_float(uvec2 v) {\n"
     "  if (v.y == 0u && v.x < 16777216u) { return float(v.x); }\n"
     "  int zeros = v.y != 0u ? 31 - findMSB(v.y) : 63 - findMSB(v.x);\n"
     "  uvec2 t = u64_shift_left(v, uint(zeros));\n"
     "  uint kept = t.y >> 8, gone = t.y << 24 | t.x >> 8;\n"
     "  if (gone > 0x80000000u || gone == 0x80000000u && ((t.x & 255u) != 0u || (kept & 1u) != "
     "0u)) {\n"
     "    kept++;\n"
     "  }\n"
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
     "  if ((bits & 0x7fffffffu) > 0x7f800000u || (bits & 0x80000000u) != 0u) { return uvec2(0u, "
     "0u); }\n"
     "  if (e >= 41) { return uvec2(0xffffffffu, 0xffffffffu); }\n"
     "  if (e >= 0) { return u64_shift_left(uvec2(m, 0u), uint(e)); }\n"
     "  return uvec2(e <= -24 ? 0u : m >> uint(-e), 0u);\n"
     "}\n"
     "uvec2 float_to_i64(float x) {\n"
     "  uint bits = floatBitsToUint(x);\n"
     "  uvec2 v = float_to_u64(uintBitsToFloat(bits & 0x7fffffffu));\n"
     "  if (int(bits) < 0) { return i64_choose(int(v.y) < 0, uvec2(0u, 0x80000000u), i64_neg(v)); "
     "}\n"
     "  return i64_choose(int(v.y) < 0, uvec2(0xffffffffu, 0x7fffffffu), v);\n"
     "}\n",
     NULL},
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
     "}\n",
     NULL},
    {0,
     "uint u32_pow(uint x, uint n) {\n"
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
     "}\n",
     NULL},
    {WEBNN_VULKAN__PART(LONG),
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
     "}\n",
     NULL},
    {WEBNN_VULKAN__PART(BITS) | WEBNN_VULKAN__PART(TWO),
     /* roundEven(x / scale) + zero, saturated; NaN gives 0. Where the rounded quotient is half an */
     /* integer, the sign of x - quotient scale tells on which side the exact one is. */
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
     "}\n",
     NULL},
    {WEBNN_VULKAN__PART(LONG) | WEBNN_VULKAN__PART(LONG_DIVIDE),
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
     "      rest.x <<= 1;\n"
     "      if (rest.x > divisor.x || rest.x == divisor.x && (y.x & 1u) != 0u) {\n"
     "        y = i64_add(y, uvec2(1u, 0u));\n"
     "      }\n"
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
     "}\n",
     NULL},
};

/* ---- How a kernel is made -----------------------------------------------------------------------

   A plan function of an operator writes a kernel's text and says what it is bound to:

       webnn_vulkan__kernel k;
       webnn_vulkan__begin(planner, node, &k);
       webnn_vulkan__reads(&k, "x", x);
       webnn_vulkan__writes(&k, "y", y);
       webnn_vulkan__push(&k, "rows", rows);
       webnn_vulkan__text(&k, "float element(uint i) { return load_x(i) + float(rows); }\n");
       return webnn_vulkan__map(&k, count);

   Once something has failed the other calls do nothing, and the last one says so. Numbers that
   differ from node to node are push constants, so that many nodes share one kernel; what changes
   the code is a constant of the text. There is room for 32 words of push constants; more go to a
   buffer of parameters, and the text names them in the same way. */

enum {
  WEBNN_VULKAN__BINDINGS, /* buffers and names */
  WEBNN_VULKAN__PUSH_BLOCK,
  WEBNN_VULKAN__ACCESSORS, /* load_x and pack_y */
  WEBNN_VULKAN__BODY,
  WEBNN_VULKAN__WHOLE_TEXT
};

#define WEBNN_VULKAN__LONG_PUSHES 96

typedef struct webnn_vulkan__kernel {
  webnn_vulkan__planner *planner;
  uint32_t node;
  uint32_t operand_count;
  webnn_vulkan__operand operands[WEBNN_VULKAN__OPERANDS];
  uint32_t push_count, push[WEBNN_VULKAN__PUSHES];
  uint32_t long_count, longer[WEBNN_VULKAN__LONG_PUSHES]; /* those that have no room there */
  uint64_t library;                                       /* bits of what the text uses */
  uint32_t local;                                         /* invocations of a workgroup */
  uint64_t cost;                                          /* of one invocation or group */
  webnn_data_type type;                                   /* of what was declared as written last */
  const char *extensions;                                 /* lines of the text, or NULL */
  bool raw, failed;
} webnn_vulkan__kernel;

/* ---- Texts ---- */

static bool webnn_vulkan__kernel_fails(webnn_vulkan__kernel *k, const char *reason) {
  if (!k->failed) {
    k->failed = true;
    (void)webnn_vulkan__plan_fails(k->planner, k->node, reason);
  }
  return false;
}

static void webnn_vulkan__add_text(webnn_vulkan__kernel *k, uint32_t part, const char *text,
                                   size_t length) {
  webnn_vulkan__text_buffer *buffer = &k->planner->texts[part];
  if (k->failed) {
    return;
  }
  if (buffer->length + length + 1 > buffer->room) {
    const uint64_t room = (buffer->length + length + 1) * 2;
    char *longer = (char *)webnn_vulkan__longer(k->planner, buffer->bytes, buffer->length, room, 1);
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
#define WEBNN_VULKAN__PRINTS(at, first) __attribute__((format(printf, at, first)))
#else
#define WEBNN_VULKAN__PRINTS(at, first)
#endif

/* Each call adds at most some hundred characters. */
static void webnn_vulkan__append_format(webnn_vulkan__kernel *k, uint32_t part, const char *format,
                                        va_list arguments) {
  char text[1024];
  const int length = vsnprintf(text, sizeof text, format, arguments);
  if (length < 0 || (size_t)length >= sizeof text) {
    (void)webnn_vulkan__kernel_fails(k, "a part of the kernel is too long");
    return;
  }
  webnn_vulkan__add_text(k, part, text, (size_t)length);
}

WEBNN_VULKAN__PRINTS(3, 4)
static void webnn_vulkan__put(webnn_vulkan__kernel *k, uint32_t part, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  webnn_vulkan__append_format(k, part, format, arguments);
  va_end(arguments);
}

/* More of the body. */
static void webnn_vulkan__text(webnn_vulkan__kernel *k, const char *text) {
  webnn_vulkan__add_text(k, WEBNN_VULKAN__BODY, text, strlen(text));
}

WEBNN_VULKAN__PRINTS(2, 3)
static void webnn_vulkan__format(webnn_vulkan__kernel *k, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  webnn_vulkan__append_format(k, WEBNN_VULKAN__BODY, format, arguments);
  va_end(arguments);
}

/* ---- Beginning; numbers ---- */

static void webnn_vulkan__begin(webnn_vulkan__planner *planner, uint32_t node,
                                webnn_vulkan__kernel *k) {
  uint32_t i;
  memset(k, 0, sizeof *k);
  k->planner = planner;
  k->node = node;
  k->cost = 1;
  k->local = planner->traits->is_cpu ? 64 : 128;
  if (k->local > planner->traits->max_invocations && planner->traits->max_invocations > 0) {
    k->local = planner->traits->max_invocations;
  }
  for (i = 0; i < WEBNN_VULKAN__TEXT_PARTS; i++) {
    planner->texts[i].length = 0;
    webnn_vulkan__add_text(k, i, "", 0);
  }
}

/* Invocations of a workgroup; the text knows them as gl_WorkGroupSize.x too. */
WEBNN__OFFERED void webnn_vulkan__local_size(webnn_vulkan__kernel *k, uint32_t local) {
  k->local = local;
}

/* The text uses a part of the library: WEBNN_VULKAN__LIB_EXP and so on. */
static void webnn_vulkan__uses(webnn_vulkan__kernel *k, webnn_vulkan__library_part part) {
  k->library |= webnn_vulkan__library[part].needs | UINT64_C(1) << part;
}

/* A word that the text knows as `name`, a uint. */
static void webnn_vulkan__push(webnn_vulkan__kernel *k, const char *name, uint32_t word) {
  if (k->push_count < WEBNN_VULKAN__PUSHES) {
    k->push[k->push_count++] = word;
    webnn_vulkan__put(k, WEBNN_VULKAN__PUSH_BLOCK, "  uint %s;\n", name);
  } else if (k->long_count < WEBNN_VULKAN__LONG_PUSHES) {
    webnn_vulkan__put(k, WEBNN_VULKAN__BINDINGS, "#define %s long_pushes[%uu]\n", name,
                      (unsigned)k->long_count);
    k->longer[k->long_count++] = word;
  } else {
    (void)webnn_vulkan__kernel_fails(k, "too many numbers for one kernel");
  }
}

/* The same as a float, an int. */
static void webnn_vulkan__push_float(webnn_vulkan__kernel *k, const char *name, float number) {
  char bits[40];
  (void)snprintf(bits, sizeof bits, "%s_bits", name);
  webnn_vulkan__push(k, bits, webnn__bits_of_float(number));
  webnn_vulkan__put(k, WEBNN_VULKAN__BINDINGS, "#define %s uintBitsToFloat(%s_bits)\n", name, name);
}

static void webnn_vulkan__push_int(webnn_vulkan__kernel *k, const char *name, int32_t number) {
  char bits[40];
  (void)snprintf(bits, sizeof bits, "%s_bits", name);
  webnn_vulkan__push(k, bits, (uint32_t)number);
  webnn_vulkan__put(k, WEBNN_VULKAN__BINDINGS, "#define %s int(%s_bits)\n", name, name);
}

/* A number of the text: each value makes another kernel. */
WEBNN__OFFERED void webnn_vulkan__constant(webnn_vulkan__kernel *k, const char *name,
                                           uint32_t number) {
  webnn_vulkan__put(k, WEBNN_VULKAN__BODY, "const uint %s = %uu;\n", name, (unsigned)number);
}

/* ---- Operands ---- */

static const webnn__value *webnn_vulkan__value_at(const webnn_vulkan__planner *planner,
                                                  uint32_t value) {
  return &planner->program->values[value];
}

/* What the language calls an element of a type. 64 bits are uvec2(low, high). */
static const char *webnn_vulkan__type_name(webnn_data_type type) {
  switch (type) {
  case WEBNN_FLOAT32:
  case WEBNN_FLOAT16:
    return "float";
  case WEBNN_INT32:
  case WEBNN_INT8:
  case WEBNN_INT4:
    return "int";
  case WEBNN_INT64:
  case WEBNN_UINT64:
    return "uvec2";
  default:
    return "uint";
  }
}

/* The unsigned type of as many bits: as which elements are moved. */
static webnn_data_type webnn_vulkan__raw_type(webnn_data_type type) {
  switch (webnn_data_type_bits(type)) {
  case 64:
    return WEBNN_UINT64;
  case 32:
    return WEBNN_UINT32;
  case 16:
    return WEBNN_FLOAT16; /* with `raw` */
  case 8:
    return WEBNN_UINT8;
  default:
    return WEBNN_UINT4;
  }
}

static void webnn_vulkan__bind_operand(webnn_vulkan__kernel *k, const char *name,
                                       const webnn_vulkan__operand *operand) {
  if (k->failed) {
    return;
  }
  if (k->operand_count >= WEBNN_VULKAN__OPERANDS ||
      k->operand_count >= k->planner->traits->max_operands) {
    (void)webnn_vulkan__kernel_fails(k, "too many operands for one kernel");
    return;
  }
  webnn_vulkan__put(k, WEBNN_VULKAN__BINDINGS,
                    "layout(std430, set = 0, binding = %u) %sbuffer Buffer%u { uint %s_words[]; "
                    "};\n",
                    (unsigned)k->operand_count, operand->written ? "" : "readonly ",
                    (unsigned)k->operand_count, name);
  k->operands[k->operand_count++] = *operand;
}

/* T load_NAME(uint i): element i. With raw a float16 is its bits, a uint. */
static void webnn_vulkan__put_load(webnn_vulkan__kernel *k, const char *n, webnn_data_type type,
                                   bool raw) {
  const uint32_t a = WEBNN_VULKAN__ACCESSORS;
  const unsigned bits = (unsigned)webnn_data_type_bits(type), each = bits > 0 ? 32 / bits : 1;
  switch (type) {
  case WEBNN_FLOAT32:
    webnn_vulkan__put(k, a, "float load_%s(uint i) { return uintBitsToFloat(%s_words[i]); }\n", n,
                      n);
    break;
  case WEBNN_FLOAT16:
    if (!raw) {
      webnn_vulkan__uses(k, WEBNN_VULKAN__LIB_HALF);
      webnn_vulkan__put(
          k, a,
          "float load_%s(uint i) { return from_half(%s_words[i >> 1] >> ((i & 1u) << 4)); }\n", n,
          n);
      break;
    }
    webnn_vulkan__put(
        k, a, "uint load_%s(uint i) { return %s_words[i >> 1] >> ((i & 1u) << 4) & 65535u; }\n", n,
        n);
    break;
  case WEBNN_INT32:
    webnn_vulkan__put(k, a, "int load_%s(uint i) { return int(%s_words[i]); }\n", n, n);
    break;
  case WEBNN_UINT32:
    webnn_vulkan__put(k, a, "uint load_%s(uint i) { return %s_words[i]; }\n", n, n);
    break;
  case WEBNN_INT64:
  case WEBNN_UINT64:
    webnn_vulkan__put(k, a,
                      "uvec2 load_%s(uint i) { return uvec2(%s_words[2u * i], %s_words[2u * i + "
                      "1u]); }\n",
                      n, n, n);
    break;
  case WEBNN_INT8:
  case WEBNN_INT4:
    webnn_vulkan__put(k, a,
                      "int load_%s(uint i) { return int(%s_words[i / %uu] << (%uu - i %% %uu * "
                      "%uu)) >> %u; }\n",
                      n, n, each, 32 - bits, each, bits, 32 - bits);
    break;
  default:
    webnn_vulkan__put(k, a,
                      "uint load_%s(uint i) { return %s_words[i / %uu] >> (i %% %uu * %uu) & %uu; "
                      "}\n",
                      n, n, each, each, bits, (1u << bits) - 1);
  }
}

/* uint pack_NAME(T v): the bits of one element; for 64 bits store_NAME(uint i, uvec2 v). Types of
   32 bits have store_NAME, too. */
static void webnn_vulkan__put_pack(webnn_vulkan__kernel *k, const char *n, webnn_data_type type,
                                   bool raw) {
  const uint32_t a = WEBNN_VULKAN__ACCESSORS;
  const unsigned bits = (unsigned)webnn_data_type_bits(type);
  const char *name = raw && bits < 64 ? "uint" : webnn_vulkan__type_name(type);
  if (bits == 64) {
    webnn_vulkan__put(k, a,
                      "void store_%s(uint i, uvec2 v) { %s_words[2u * i] = v.x; %s_words[2u * i + "
                      "1u] = v.y; }\n",
                      n, n, n);
    return;
  }
  if (type == WEBNN_FLOAT32) {
    webnn_vulkan__put(k, a, "uint pack_%s(float v) { return floatBitsToUint(v); }\n", n);
  } else if (type == WEBNN_FLOAT16 && !raw) {
    webnn_vulkan__uses(k, WEBNN_VULKAN__LIB_HALF);
    webnn_vulkan__put(k, a, "uint pack_%s(float v) { return to_half(v); }\n", n);
  } else if (bits == 32) {
    webnn_vulkan__put(k, a, "uint pack_%s(%s v) { return uint(v); }\n", n, name);
  } else {
    webnn_vulkan__put(k, a, "uint pack_%s(%s v) { return uint(v) & %uu; }\n", n, name,
                      (1u << bits) - 1);
  }
  if (bits == 32) {
    webnn_vulkan__put(k, a, "void store_%s(uint i, %s v) { %s_words[i] = pack_%s(v); }\n", n, name,
                      n, n);
  }
}

/* All of a value. */
static webnn_vulkan__operand webnn_vulkan__whole_value(uint32_t value, bool written) {
  webnn_vulkan__operand operand;
  memset(&operand, 0, sizeof operand);
  operand.kind = WEBNN_VULKAN__VALUE;
  operand.value = value;
  operand.written = written;
  return operand;
}

/* Scratch memory of the kernel's node, which webnn_vulkan__take_scratch gave. */
WEBNN__OFFERED webnn_vulkan__operand webnn_vulkan__scratch_operand(uint64_t offset,
                                                                   uint64_t byte_length,
                                                                   bool written) {
  webnn_vulkan__operand operand;
  memset(&operand, 0, sizeof operand);
  operand.kind = WEBNN_VULKAN__SCRATCH;
  operand.offset = offset;
  operand.byte_length = byte_length;
  operand.written = written;
  return operand;
}

/* A buffer `uint NAME_words[]` and load_NAME, for a value of the program. */
static void webnn_vulkan__reads(webnn_vulkan__kernel *k, const char *name, uint32_t value) {
  const webnn_vulkan__operand operand = webnn_vulkan__whole_value(value, false);
  webnn_vulkan__bind_operand(k, name, &operand);
  webnn_vulkan__put_load(k, name, webnn_vulkan__value_at(k->planner, value)->data_type, false);
}

/* The same for memory that is no value. */
WEBNN__OFFERED void webnn_vulkan__reads_memory(webnn_vulkan__kernel *k, const char *name,
                                               const webnn_vulkan__operand *operand,
                                               webnn_data_type type) {
  webnn_vulkan__bind_operand(k, name, operand);
  webnn_vulkan__put_load(k, name, type, false);
}

/* Elements as their bits: uint, or uvec2. */
static void webnn_vulkan__reads_raw(webnn_vulkan__kernel *k, const char *name, uint32_t value) {
  const webnn_vulkan__operand operand = webnn_vulkan__whole_value(value, false);
  webnn_vulkan__bind_operand(k, name, &operand);
  webnn_vulkan__put_load(
      k, name, webnn_vulkan__raw_type(webnn_vulkan__value_at(k->planner, value)->data_type), true);
}

/* A buffer `uint NAME_words[]` that is written, and may be read; pack_NAME. A map writes the one
   that was declared last. */
static void webnn_vulkan__writes_memory(webnn_vulkan__kernel *k, const char *name,
                                        const webnn_vulkan__operand *operand,
                                        webnn_data_type type) {
  webnn_vulkan__bind_operand(k, name, operand);
  webnn_vulkan__put_pack(k, name, type, false);
  k->type = type;
  k->raw = false;
}

static void webnn_vulkan__writes(webnn_vulkan__kernel *k, const char *name, uint32_t value) {
  const webnn_vulkan__operand operand = webnn_vulkan__whole_value(value, true);
  webnn_vulkan__writes_memory(k, name, &operand,
                              webnn_vulkan__value_at(k->planner, value)->data_type);
}

static void webnn_vulkan__writes_raw(webnn_vulkan__kernel *k, const char *name, uint32_t value) {
  const webnn_vulkan__operand operand = webnn_vulkan__whole_value(value, true);
  const webnn_data_type type =
      webnn_vulkan__raw_type(webnn_vulkan__value_at(k->planner, value)->data_type);
  webnn_vulkan__bind_operand(k, name, &operand);
  webnn_vulkan__put_pack(k, name, type, true);
  k->type = type;
  k->raw = true;
}

/* ---- Finishing ---- */

/* Puts the parts together. */
static void webnn_vulkan__join_text(webnn_vulkan__kernel *k) {
  const uint32_t whole = WEBNN_VULKAN__WHOLE_TEXT;
  webnn_vulkan__text_buffer *texts = k->planner->texts;
  uint32_t i;
  webnn_vulkan__put(k, whole, "#version 450\n%slayout(local_size_x = %u) in;\n",
                    k->extensions != NULL ? k->extensions : "", (unsigned)k->local);
  if (k->push_count > 0) {
    webnn_vulkan__put(k, whole, "layout(push_constant) uniform Pushes {\n");
    webnn_vulkan__add_text(k, whole, texts[WEBNN_VULKAN__PUSH_BLOCK].bytes,
                           (size_t)texts[WEBNN_VULKAN__PUSH_BLOCK].length);
    webnn_vulkan__put(k, whole, "};\n");
  }
  webnn_vulkan__add_text(k, whole, texts[WEBNN_VULKAN__BINDINGS].bytes,
                         (size_t)texts[WEBNN_VULKAN__BINDINGS].length);
  for (i = 0; i < WEBNN_VULKAN__LIBRARY_COUNT; i++) {
    if ((k->library >> i & 1) != 0) {
      const webnn_vulkan__library_text *part = &webnn_vulkan__library[i];
      webnn_vulkan__add_text(k, whole, part->text, strlen(part->text));
      if (part->more != NULL) {
        webnn_vulkan__add_text(k, whole, part->more, strlen(part->more));
      }
    }
  }
  webnn_vulkan__add_text(k, whole, texts[WEBNN_VULKAN__ACCESSORS].bytes,
                         (size_t)texts[WEBNN_VULKAN__ACCESSORS].length);
  webnn_vulkan__add_text(k, whole, texts[WEBNN_VULKAN__BODY].bytes,
                         (size_t)texts[WEBNN_VULKAN__BODY].length);
}

/* The parameters that push constants have no room for. */
static void webnn_vulkan__bind_long_pushes(webnn_vulkan__kernel *k) {
  webnn_vulkan__operand operand;
  memset(&operand, 0, sizeof operand);
  if (k->failed || k->long_count == 0) {
    return;
  }
  operand.kind = WEBNN_VULKAN__PARAMETERS;
  operand.byte_length = k->long_count * 4;
  if (!webnn_vulkan__put_parameters(k->planner, k->longer, k->long_count, &operand.offset)) {
    k->failed = true;
    return;
  }
  webnn_vulkan__bind_operand(k, "long", &operand);
  webnn_vulkan__put(k, WEBNN_VULKAN__BINDINGS, "#define long_pushes long_words\n");
}

/* A step of `groups` workgroups in one line, which is folded where it is too long. */
static bool webnn_vulkan__dispatch(webnn_vulkan__kernel *k, uint64_t groups) {
  const uint64_t width = k->planner->traits->max_groups[0];
  const uint64_t rows = (groups + width - 1) / width;
  webnn_vulkan__step *step;
  uint32_t kernel;
  if (groups == 0 || rows > k->planner->traits->max_groups[1]) {
    return webnn_vulkan__kernel_fails(k, "too many workgroups");
  }
  webnn_vulkan__bind_long_pushes(k);
  webnn_vulkan__join_text(k);
  if (k->failed) {
    return false;
  }
  kernel = webnn_vulkan__add_kernel(k->planner, k->planner->texts[WEBNN_VULKAN__WHOLE_TEXT].bytes,
                                    (size_t)k->planner->texts[WEBNN_VULKAN__WHOLE_TEXT].length,
                                    k->operand_count);
  step = kernel != WEBNN__NONE ? webnn_vulkan__add_step(k->planner, k->node, kernel) : NULL;
  if (step == NULL) {
    k->failed = true;
    return webnn_vulkan__plan_lacks_memory(k->planner);
  }
  step->operand_count = k->operand_count;
  memcpy(step->operands, k->operands, k->operand_count * sizeof *k->operands);
  step->push_count = k->push_count;
  memcpy(step->push, k->push, k->push_count * sizeof *k->push);
  step->groups[0] = (uint32_t)(groups < width ? groups : width);
  step->groups[1] = (uint32_t)rows;
  step->groups[2] = 1;
  step->cost = groups * k->local * k->cost;
  return true;
}

/* The linear number of this workgroup, in any main. */
#define WEBNN_VULKAN__GROUP "gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x"

/* The text has `void run(uint group)`, which a workgroup does for each number below group_count. */
WEBNN__OFFERED bool webnn_vulkan__groups(webnn_vulkan__kernel *k, uint64_t group_count) {
  if (group_count > UINT32_MAX) {
    return webnn_vulkan__kernel_fails(k, "too many workgroups");
  }
  webnn_vulkan__push(k, "group_count", (uint32_t)group_count);
  webnn_vulkan__text(k, "void main() {\n"
                        "  uint group = " WEBNN_VULKAN__GROUP ";\n"
                        "  if (group < group_count) { run(group); }\n"
                        "}\n");
  return webnn_vulkan__dispatch(k, group_count);
}

/* The text has `void run(uint i)`, done once for each i below count by an invocation of its own. */
WEBNN__OFFERED bool webnn_vulkan__each(webnn_vulkan__kernel *k, uint64_t count) {
  if (count > UINT32_MAX - 65536) {
    return webnn_vulkan__kernel_fails(k, "too many elements");
  }
  webnn_vulkan__push(k, "each_count", (uint32_t)count);
  webnn_vulkan__format(k,
                       "void main() {\n"
                       "  uint i = (" WEBNN_VULKAN__GROUP ") * %uu + gl_LocalInvocationID.x;\n"
                       "  if (i < each_count) { run(i); }\n"
                       "}\n",
                       (unsigned)k->local);
  return webnn_vulkan__dispatch(k, (count + k->local - 1) / k->local);
}

/* The text has `T element(uint i)`, element i of y, which was declared last as written, and has
   `count` elements. An invocation makes a word of y: 1, 2, 4 or 8 elements; of 64 bits two
   words. */
static bool webnn_vulkan__map(webnn_vulkan__kernel *k, uint64_t count) {
  const unsigned bits = (unsigned)webnn_data_type_bits(k->type), each = bits > 32 ? 1 : 32 / bits;
  const uint64_t words = (count + each - 1) / each;
  if (count > UINT32_MAX - 65536) {
    return webnn_vulkan__kernel_fails(k, "too many elements");
  }
  webnn_vulkan__push(k, "map_count", (uint32_t)count);
  webnn_vulkan__format(k,
                       "void main() {\n"
                       "  uint w = (" WEBNN_VULKAN__GROUP ") * %uu + gl_LocalInvocationID.x;\n",
                       (unsigned)k->local);
  if (each == 1) {
    webnn_vulkan__text(k, "  if (w < map_count) { store_y(w, element(w)); }\n}\n");
  } else {
    webnn_vulkan__format(k,
                         "  uint i = w * %uu;\n"
                         "  if (i < map_count) {\n"
                         "    uint bits = 0u;\n"
                         "    for (uint j = 0u; j < %uu; j++) {\n"
                         "      if (i + j < map_count) {\n"
                         "        bits |= pack_y(element(i + j)) << (j * %uu);\n"
                         "      }\n"
                         "    }\n"
                         "    y_words[w] = bits;\n"
                         "  }\n"
                         "}\n",
                         each, each, bits);
  }
  return webnn_vulkan__dispatch(k, (words + k->local - 1) / k->local);
}

/* ---- Indices ------------------------------------------------------------------------------------

   An operand that is read in an order of its own: its element for element i of the result is
   start + sum of c[d] strides[d], c the coordinates of i. Dimensions of 1 are left out, and
   neighbours that go on in steps of the same size are one dimension; what remains are push
   constants, so the text depends on the number of dimensions only. */

#define WEBNN_VULKAN__MOST_AXES 16

typedef struct webnn_vulkan__walk {
  uint32_t rank;
  uint32_t sizes[WEBNN_VULKAN__MOST_AXES];
  int64_t strides[WEBNN_VULKAN__MOST_AXES];
  int64_t start;
} webnn_vulkan__walk;

/* One more dimension, inside the others. */
static void webnn_vulkan__add_axis(webnn_vulkan__walk *walk, uint32_t size, int64_t stride) {
  if (size == 1) {
    return;
  }
  if (walk->rank > 0 && walk->strides[walk->rank - 1] == stride * (int64_t)size) {
    walk->sizes[walk->rank - 1] *= size;
    walk->strides[walk->rank - 1] = stride;
  } else if (walk->rank < WEBNN_VULKAN__MOST_AXES) {
    walk->sizes[walk->rank] = size;
    walk->strides[walk->rank++] = stride;
  }
}

static webnn_vulkan__walk webnn_vulkan__walk_of(const webnn__shape *shape, const int64_t *strides,
                                                int64_t start) {
  webnn_vulkan__walk walk;
  uint32_t d;
  memset(&walk, 0, sizeof walk);
  walk.start = start;
  for (d = 0; d < shape->rank; d++) {
    webnn_vulkan__add_axis(&walk, shape->dimensions[d], strides[d]);
  }
  return walk;
}

/* `from` broadcast to `to`. */
static webnn_vulkan__walk webnn_vulkan__broadcast_walk(const webnn__shape *from,
                                                       const webnn__shape *to) {
  int64_t strides[WEBNN_MAX_RANK] = {0};
  webnn__broadcast_strides(from, to, strides);
  return webnn_vulkan__walk_of(to, strides, 0);
}

/* The text gets `uint at_NAME(uint i)`. */
static void webnn_vulkan__add_index(webnn_vulkan__kernel *k, const char *name,
                                    const webnn_vulkan__walk *walk) {
  char word[40];
  uint32_t d;
  if (walk->start != 0) {
    (void)snprintf(word, sizeof word, "%s_start", name);
    webnn_vulkan__push(k, word, (uint32_t)walk->start);
  }
  for (d = 0; d < walk->rank; d++) {
    (void)snprintf(word, sizeof word, "%s_d%u", name, (unsigned)d);
    if (d > 0) {
      webnn_vulkan__push(k, word, walk->sizes[d]);
    }
    (void)snprintf(word, sizeof word, "%s_s%u", name, (unsigned)d);
    if (walk->rank > 1 || (walk->strides[0] != 1 && walk->strides[0] != 0)) {
      webnn_vulkan__push(k, word, (uint32_t)walk->strides[d]);
    }
  }
  webnn_vulkan__format(k, "uint at_%s(uint i) {\n", name);
  if (walk->start != 0) {
    webnn_vulkan__format(k, "  uint at = %s_start;\n", name);
  } else {
    webnn_vulkan__text(k, "  uint at = 0u;\n");
  }
  for (d = walk->rank; d-- > 1;) {
    webnn_vulkan__format(k, "  at += i %% %s_d%u * %s_s%u;\n  i /= %s_d%u;\n", name, (unsigned)d,
                         name, (unsigned)d, name, (unsigned)d);
  }
  if (walk->rank == 1 && walk->strides[0] == 1) {
    webnn_vulkan__text(k, "  at += i;\n");
  } else if (walk->rank > 1 || (walk->rank == 1 && walk->strides[0] != 0)) {
    webnn_vulkan__format(k, "  at += i * %s_s0;\n", name);
  }
  webnn_vulkan__text(k, "  return at;\n}\n");
}

/* ==============================================================================================
   4  kernels                                                                    >>vulkan_kernels

   The text of each kernel and the function that plans it: types and shapes of a node become a text,
   its operands and numbers, and so many workgroups. The last section of the first half is the table
   of all operators.
   ============================================================================================== */

/* ---- Kernels: element by element ----------------------------------------------------------------

   Formulas for float, int (int32, int8), uint (uint32, uint8), and 64 bits, signed and unsigned.
   $x, $y, $z are the operands, $a and $b the operator's options. Bytes are computed in 32 bits and
   wrapped. */

typedef struct webnn_vulkan__formula {
  webnn_op op;
  uint64_t needs; /* of the library, for floats */
  const char *of_float, *of_int, *of_uint, *of_i64, *of_u64;
} webnn_vulkan__formula;

static const webnn_vulkan__formula webnn_vulkan__formulas[] = {
    {WEBNN_OP_ABS, WEBNN_VULKAN__PART(BITS), "abs_of($x)", "$x < 0 ? -$x : $x", NULL, "i64_abs($x)",
     NULL},
    {WEBNN_OP_CEIL, WEBNN_VULKAN__PART(BITS), "ceil_of($x)", NULL, NULL, NULL, NULL},
    {WEBNN_OP_CLAMP, WEBNN_VULKAN__PART(BITS), "min_nan(max_nan($x, $a), $b)",
     "min(max($x, $a), $b)", "min(max($x, $a), $b)", "i64_min(i64_max($x, $a), $b)",
     "u64_min(u64_max($x, $a), $b)"},
    {WEBNN_OP_COS, WEBNN_VULKAN__PART(SIN), "cos_of($x)", NULL, NULL, NULL, NULL},
    {WEBNN_OP_ELU, WEBNN_VULKAN__PART(EXP), "max_nan(0.0, $x) + $a * expm1_of(min_nan(0.0, $x))",
     NULL, NULL, NULL, NULL},
    {WEBNN_OP_ERF, WEBNN_VULKAN__PART(ERF), "erf_of($x)", NULL, NULL, NULL, NULL},
    {WEBNN_OP_EXP, WEBNN_VULKAN__PART(EXP), "exp_of($x)", NULL, NULL, NULL, NULL},
    {WEBNN_OP_FLOOR, WEBNN_VULKAN__PART(BITS), "floor_of($x)", NULL, NULL, NULL, NULL},
    {WEBNN_OP_GELU, WEBNN_VULKAN__PART(GELU), "gelu_of($x)", NULL, NULL, NULL, NULL},
    {WEBNN_OP_HARD_SIGMOID, WEBNN_VULKAN__PART(BITS), "max_nan(0.0, min_nan(1.0, $a * $x + $b))",
     NULL, NULL, NULL, NULL},
    {WEBNN_OP_HARD_SWISH, WEBNN_VULKAN__PART(BITS),
     "$x * (max_nan(0.0, min_nan(6.0, $x + 3.0)) / 6.0)", NULL, NULL, NULL, NULL},
    {WEBNN_OP_IDENTITY, 0, "$x", "$x", "$x", "$x", "$x"},
    {WEBNN_OP_IS_INFINITE, WEBNN_VULKAN__PART(BITS), "is_infinite($x) ? 1u : 0u", NULL, NULL, NULL,
     NULL},
    {WEBNN_OP_IS_NAN, WEBNN_VULKAN__PART(BITS), "is_nan($x) ? 1u : 0u", NULL, NULL, NULL, NULL},
    {WEBNN_OP_LEAKY_RELU, WEBNN_VULKAN__PART(BITS), "max_nan(0.0, $x) + $a * min_nan(0.0, $x)",
     NULL, NULL, NULL, NULL},
    {WEBNN_OP_LINEAR, WEBNN_VULKAN__PART(LINEAR), "linear_of($x, $a, $b)", NULL, NULL, NULL, NULL},
    {WEBNN_OP_LOG, WEBNN_VULKAN__PART(LOG), "log_of($x)", NULL, NULL, NULL, NULL},
    {WEBNN_OP_LOGICAL_NOT, 0, NULL, NULL, "$x == 0u ? 1u : 0u", NULL, NULL},
    {WEBNN_OP_NEG, WEBNN_VULKAN__PART(BITS), "neg_of($x)", "-$x", NULL, "i64_neg($x)", NULL},
    {WEBNN_OP_RECIPROCAL, 0, "1.0 / $x", NULL, NULL, NULL, NULL},
    {WEBNN_OP_RELU, WEBNN_VULKAN__PART(BITS), "max_nan(0.0, $x)", "max($x, 0)", NULL,
     "i64_max($x, uvec2(0u, 0u))", NULL},
    {WEBNN_OP_ROUND_EVEN, WEBNN_VULKAN__PART(BITS), "with_sign(roundEven($x), $x)", NULL, NULL,
     NULL, NULL},
    {WEBNN_OP_SIGMOID, WEBNN_VULKAN__PART(SIGMOID), "sigmoid_of($x)", NULL, NULL, NULL, NULL},
    {WEBNN_OP_SIGN, WEBNN_VULKAN__PART(BITS), "sign_of($x)", "$x < 0 ? -1 : $x > 0 ? 1 : 0", NULL,
     "i64_of_int(int($x.y) < 0 ? -1 : ($x.x | $x.y) != 0u ? 1 : 0)", NULL},
    {WEBNN_OP_SIN, WEBNN_VULKAN__PART(SIN), "sin_of($x)", NULL, NULL, NULL, NULL},
    {WEBNN_OP_SOFTPLUS, WEBNN_VULKAN__PART(SOFTPLUS), "softplus_of($x)", NULL, NULL, NULL, NULL},
    {WEBNN_OP_SOFTSIGN, WEBNN_VULKAN__PART(BITS), "$x / (1.0 + abs_of($x))", NULL, NULL, NULL,
     NULL},
    {WEBNN_OP_SQRT, WEBNN_VULKAN__PART(SQRT), "sqrt_of($x)", NULL, NULL, NULL, NULL},
    {WEBNN_OP_TAN, WEBNN_VULKAN__PART(TAN), "tan_of($x)", NULL, NULL, NULL, NULL},
    {WEBNN_OP_TANH, WEBNN_VULKAN__PART(TANH), "tanh_of($x)", NULL, NULL, NULL, NULL},
    {WEBNN_OP_ADD, 0, "$x + $y", "$x + $y", "$x + $y", "i64_add($x, $y)", "i64_add($x, $y)"},
    {WEBNN_OP_SUB, 0, "$x - $y", "$x - $y", "$x - $y", "i64_sub($x, $y)", "i64_sub($x, $y)"},
    {WEBNN_OP_MUL, 0, "$x * $y", "$x * $y", "$x * $y", "i64_mul($x, $y)", "i64_mul($x, $y)"},
    {WEBNN_OP_DIV, 0, "$x / $y", "$y == 0 ? 0 : $y == -1 ? -$x : $x / ($y == 0 ? 1 : $y)",
     "$y == 0u ? 0u : $x / ($y == 0u ? 1u : $y)", "i64_div($x, $y)", "u64_div($x, $y)"},
    {WEBNN_OP_MAX, WEBNN_VULKAN__PART(BITS), "max_nan($x, $y)", "max($x, $y)", "max($x, $y)",
     "i64_max($x, $y)", "u64_max($x, $y)"},
    {WEBNN_OP_MIN, WEBNN_VULKAN__PART(BITS), "min_nan($x, $y)", "min($x, $y)", "min($x, $y)",
     "i64_min($x, $y)", "u64_min($x, $y)"},
    {WEBNN_OP_POW, WEBNN_VULKAN__PART(POW), "pow_of($x, $y)", "i32_pow($x, $y)", "u32_pow($x, $y)",
     "i64_pow($x, $y)", "u64_pow($x, $y)"},
    {WEBNN_OP_PRELU, WEBNN_VULKAN__PART(BITS), "max_nan(0.0, $x) + $y * min_nan(0.0, $x)",
     "$x < 0 ? $x * $y : $x", NULL, "i64_choose(int($x.y) < 0, i64_mul($x, $y), $x)", NULL},
    {WEBNN_OP_EQUAL, WEBNN_VULKAN__PART(BITS),
     "!is_nan($x) && !is_nan($y) && zero_key($x) == zero_key($y) ? 1u : 0u", "$x == $y ? 1u : 0u",
     "$x == $y ? 1u : 0u", "i64_equal($x, $y) ? 1u : 0u", "i64_equal($x, $y) ? 1u : 0u"},
    {WEBNN_OP_NOT_EQUAL, WEBNN_VULKAN__PART(BITS),
     "is_nan($x) || is_nan($y) || zero_key($x) != zero_key($y) ? 1u : 0u", "$x != $y ? 1u : 0u",
     "$x != $y ? 1u : 0u", "i64_equal($x, $y) ? 0u : 1u", "i64_equal($x, $y) ? 0u : 1u"},
    {WEBNN_OP_GREATER, WEBNN_VULKAN__PART(BITS),
     "!is_nan($x) && !is_nan($y) && zero_key($x) > zero_key($y) ? 1u : 0u", "$x > $y ? 1u : 0u",
     "$x > $y ? 1u : 0u", "i64_less($y, $x) ? 1u : 0u", "u64_less($y, $x) ? 1u : 0u"},
    {WEBNN_OP_GREATER_OR_EQUAL, WEBNN_VULKAN__PART(BITS),
     "!is_nan($x) && !is_nan($y) && zero_key($x) >= zero_key($y) ? 1u : 0u", "$x >= $y ? 1u : 0u",
     "$x >= $y ? 1u : 0u", "i64_less($x, $y) ? 0u : 1u", "u64_less($x, $y) ? 0u : 1u"},
    {WEBNN_OP_LESSER, WEBNN_VULKAN__PART(BITS),
     "!is_nan($x) && !is_nan($y) && zero_key($x) < zero_key($y) ? 1u : 0u", "$x < $y ? 1u : 0u",
     "$x < $y ? 1u : 0u", "i64_less($x, $y) ? 1u : 0u", "u64_less($x, $y) ? 1u : 0u"},
    {WEBNN_OP_LESSER_OR_EQUAL, WEBNN_VULKAN__PART(BITS),
     "!is_nan($x) && !is_nan($y) && zero_key($x) <= zero_key($y) ? 1u : 0u", "$x <= $y ? 1u : 0u",
     "$x <= $y ? 1u : 0u", "i64_less($y, $x) ? 0u : 1u", "u64_less($y, $x) ? 0u : 1u"},
    {WEBNN_OP_LOGICAL_AND, 0, NULL, NULL, "$x != 0u && $y != 0u ? 1u : 0u", NULL, NULL},
    {WEBNN_OP_LOGICAL_OR, 0, NULL, NULL, "$x != 0u || $y != 0u ? 1u : 0u", NULL, NULL},
    {WEBNN_OP_LOGICAL_XOR, 0, NULL, NULL, "($x != 0u) != ($y != 0u) ? 1u : 0u", NULL, NULL},
};

/* How a type is computed with. */
typedef enum webnn_vulkan__class {
  WEBNN_VULKAN__OF_FLOAT,
  WEBNN_VULKAN__OF_INT,
  WEBNN_VULKAN__OF_UINT,
  WEBNN_VULKAN__OF_I64,
  WEBNN_VULKAN__OF_U64
} webnn_vulkan__class;

static webnn_vulkan__class webnn_vulkan__class_of(webnn_data_type type) {
  switch (type) {
  case WEBNN_FLOAT32:
  case WEBNN_FLOAT16:
    return WEBNN_VULKAN__OF_FLOAT;
  case WEBNN_INT32:
  case WEBNN_INT8:
  case WEBNN_INT4:
    return WEBNN_VULKAN__OF_INT;
  case WEBNN_INT64:
    return WEBNN_VULKAN__OF_I64;
  case WEBNN_UINT64:
    return WEBNN_VULKAN__OF_U64;
  default:
    return WEBNN_VULKAN__OF_UINT;
  }
}

/* An operator in a kernel: what its operands, options and result are called there. */
typedef struct webnn_vulkan__formula_call {
  webnn_op op;
  webnn_data_type from[3], to;
  const char *x[3], *alpha, *beta;
} webnn_vulkan__formula_call;

/* Is it an operator whose integer formula needs a part of the library beyond LONG? */
static void webnn_vulkan__use_integers(webnn_vulkan__kernel *k, webnn_op op, bool is_long) {
  if (is_long) {
    webnn_vulkan__uses(k, WEBNN_VULKAN__LIB_LONG);
  }
  if (op == WEBNN_OP_DIV && is_long) {
    webnn_vulkan__uses(k, WEBNN_VULKAN__LIB_LONG_DIVIDE);
  } else if (op == WEBNN_OP_POW) {
    webnn_vulkan__uses(k, is_long ? WEBNN_VULKAN__LIB_LONG_POW : WEBNN_VULKAN__LIB_INT_POW);
  }
}

/* 8.9.7 cast: float to integer is truncated and saturates, integer to integer keeps the low
   bits. */
static const char *webnn_vulkan__cast_formula(webnn_vulkan__kernel *k, webnn_data_type from,
                                              webnn_data_type to) {
  const webnn_vulkan__class a = webnn_vulkan__class_of(from), b = webnn_vulkan__class_of(to);
  const bool is_byte = webnn_data_type_bits(to) <= 8;
  if (a >= WEBNN_VULKAN__OF_I64 || b >= WEBNN_VULKAN__OF_I64) {
    webnn_vulkan__uses(k, WEBNN_VULKAN__LIB_LONG);
  }
  if (a == WEBNN_VULKAN__OF_FLOAT && b >= WEBNN_VULKAN__OF_I64) {
    webnn_vulkan__uses(k, WEBNN_VULKAN__LIB_LONG_FLOAT);
    return b == WEBNN_VULKAN__OF_I64 ? "float_to_i64($x)" : "float_to_u64($x)";
  }
  if (a == WEBNN_VULKAN__OF_FLOAT && b != WEBNN_VULKAN__OF_FLOAT) {
    webnn_vulkan__uses(k, WEBNN_VULKAN__LIB_INT_FLOAT);
    return b == WEBNN_VULKAN__OF_INT
               ? (is_byte ? "float_to_int($x, -128, 127)"
                          : "float_to_int($x, int(0x80000000u), 0x7fffffff)")
               : (is_byte ? "float_to_uint($x, 255u)" : "float_to_uint($x, 0xffffffffu)");
  }
  if (a == WEBNN_VULKAN__OF_FLOAT) {
    return "$x";
  }
  if (b == WEBNN_VULKAN__OF_FLOAT && webnn_data_type_bits(from) <= 8) {
    return "float($x)";
  }
  if (b == WEBNN_VULKAN__OF_FLOAT) { /* drivers may round as they like: this does it by integers */
    webnn_vulkan__uses(k, WEBNN_VULKAN__LIB_LONG_FLOAT);
    return a == WEBNN_VULKAN__OF_I64   ? "i64_to_float($x)"
           : a == WEBNN_VULKAN__OF_U64 ? "u64_to_float($x)"
           : a == WEBNN_VULKAN__OF_INT ? "i64_to_float(i64_of_int($x))"
                                       : "u64_to_float(uvec2($x, 0u))";
  }
  if (b >= WEBNN_VULKAN__OF_I64) {
    return a >= WEBNN_VULKAN__OF_I64   ? "$x"
           : a == WEBNN_VULKAN__OF_INT ? "i64_of_int($x)"
                                       : "uvec2($x, 0u)";
  }
  if (a >= WEBNN_VULKAN__OF_I64) {
    return b == WEBNN_VULKAN__OF_INT ? "int($x.x)" : "$x.x";
  }
  return b == WEBNN_VULKAN__OF_INT ? "int($x)" : "uint($x)";
}

/* 8.9.16: (x - zeroPoint) scale. */
static const char *webnn_vulkan__dequantize_formula(webnn_vulkan__kernel *k, webnn_data_type from) {
  if (webnn_data_type_bits(from) <= 8) {
    return "float(int($x) - int($z)) * $y";
  }
  webnn_vulkan__uses(k, WEBNN_VULKAN__LIB_LONG_FLOAT);
  return from == WEBNN_INT32 ? "i64_to_float(i64_sub(i64_of_int($x), i64_of_int($z))) * $y"
                             : "i64_to_float(i64_sub(uvec2($x, 0u), uvec2($z, 0u))) * $y";
}

/* 8.9.17: roundEven(x / scale) + zeroPoint. */
static const char *webnn_vulkan__quantize_formula(webnn_vulkan__kernel *k, webnn_data_type to) {
  webnn_vulkan__uses(k, webnn_data_type_bits(to) <= 8 ? WEBNN_VULKAN__LIB_QUANTIZE
                                                      : WEBNN_VULKAN__LIB_QUANTIZE_LONG);
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

/* The formula for these types; NULL if there is none. */
static const char *webnn_vulkan__formula_of(webnn_vulkan__kernel *k,
                                            const webnn_vulkan__formula_call *call) {
  const webnn_vulkan__class c = webnn_vulkan__class_of(call->from[0]);
  const webnn_vulkan__formula *f = webnn_vulkan__formulas;
  const webnn_vulkan__formula *const end =
      f + sizeof webnn_vulkan__formulas / sizeof *webnn_vulkan__formulas;
  switch (call->op) {
  case WEBNN_OP_CAST:
    return webnn_vulkan__cast_formula(k, call->from[0], call->to);
  case WEBNN_OP_DEQUANTIZE_LINEAR:
    return webnn_vulkan__dequantize_formula(k, call->from[0]);
  case WEBNN_OP_QUANTIZE_LINEAR:
    return webnn_vulkan__quantize_formula(k, call->to);
  case WEBNN_OP_WHERE:
    return "$x != 0u ? $y : $z";
  default:
    break;
  }
  for (; f < end && f->op != call->op; f++) {
  }
  if (f == end) {
    return NULL;
  }
  if (c == WEBNN_VULKAN__OF_FLOAT) {
    uint32_t i;
    for (i = 0; i < WEBNN_VULKAN__LIBRARY_COUNT; i++) {
      if ((f->needs >> i & 1) != 0) {
        webnn_vulkan__uses(k, (webnn_vulkan__library_part)i);
      }
    }
    return f->of_float;
  }
  webnn_vulkan__use_integers(k, call->op, c >= WEBNN_VULKAN__OF_I64);
  return c == WEBNN_VULKAN__OF_INT    ? f->of_int
         : c == WEBNN_VULKAN__OF_UINT ? f->of_uint
         : c == WEBNN_VULKAN__OF_I64  ? f->of_i64
                                      : f->of_u64;
}

/* The text gets `T NAME = the operator's formula;`, rounded or wrapped to its type. */
static void webnn_vulkan__write_call(webnn_vulkan__kernel *k,
                                     const webnn_vulkan__formula_call *call, const char *name,
                                     bool last) {
  const char *formula = webnn_vulkan__formula_of(k, call), *p;
  const bool rounds = call->to == WEBNN_FLOAT16 && !last;
  if (formula == NULL) {
    (void)webnn_vulkan__kernel_fails(k, "no kernel for this data type");
    return;
  }
  if (rounds) {
    webnn_vulkan__uses(k, WEBNN_VULKAN__LIB_HALF);
  }
  webnn_vulkan__format(k, "  %s %s = %s(", webnn_vulkan__type_name(call->to), name,
                       rounds ? "round_half" : "");
  for (p = formula; *p != 0; p++) {
    if (*p == '$') {
      p++;
      webnn_vulkan__text(k, *p == 'a' ? call->alpha : *p == 'b' ? call->beta : call->x[*p - 'x']);
    } else {
      webnn_vulkan__add_text(k, WEBNN_VULKAN__BODY, p, 1);
    }
  }
  webnn_vulkan__text(k, call->to == WEBNN_INT8    ? ") << 24 >> 24;\n"
                        : call->to == WEBNN_UINT8 ? ") & 255u;\n"
                                                  : ");\n");
}

/* An option of an operator as a number of the operand's type, called NAME in the text. */
static void webnn_vulkan__push_option(webnn_vulkan__kernel *k, const char *name,
                                      webnn_data_type type, uint64_t bits) {
  char word[40];
  switch (type) {
  case WEBNN_FLOAT32:
    webnn_vulkan__push_float(k, name, webnn__float_of_bits((uint32_t)bits));
    break;
  case WEBNN_FLOAT16:
    webnn_vulkan__push_float(k, name, webnn_float16_to_float32((uint16_t)bits));
    break;
  case WEBNN_INT32:
    webnn_vulkan__push_int(k, name, (int32_t)(uint32_t)bits);
    break;
  case WEBNN_INT8:
    webnn_vulkan__push_int(k, name, (int32_t)(bits & 255) - ((bits & 128) != 0 ? 256 : 0));
    break;
  case WEBNN_INT64:
  case WEBNN_UINT64:
    (void)snprintf(word, sizeof word, "%s_low", name);
    webnn_vulkan__push(k, word, (uint32_t)bits);
    (void)snprintf(word, sizeof word, "%s_high", name);
    webnn_vulkan__push(k, word, (uint32_t)(bits >> 32));
    webnn_vulkan__put(k, WEBNN_VULKAN__BINDINGS, "#define %s uvec2(%s_low, %s_high)\n", name, name,
                      name);
    break;
  default:
    webnn_vulkan__push(k, name, (uint32_t)(type == WEBNN_UINT8 ? bits & 255 : bits));
  }
}

/* An option of a chain's operator. */
static void webnn_vulkan__push_number(webnn_vulkan__kernel *k, const char *name,
                                      webnn_data_type type, float number) {
  if (webnn__is_float(type)) {
    webnn_vulkan__push_float(k, name, number);
  } else {
    webnn_vulkan__push_option(k, name, type, (uint64_t)(int64_t)number);
  }
}

/* Which options an operator has: 0, 1 or 2. */
static uint32_t webnn_vulkan__option_count(webnn_op op) {
  switch (op) {
  case WEBNN_OP_CLAMP:
  case WEBNN_OP_HARD_SIGMOID:
  case WEBNN_OP_LINEAR:
    return 2;
  case WEBNN_OP_ELU:
  case WEBNN_OP_LEAKY_RELU:
    return 1;
  default:
    return 0;
  }
}

/* scale and zeroPoint of 8.9.16 and 8.9.17: each of their elements serves a block. */
static webnn_vulkan__walk webnn_vulkan__block_walk(const webnn__shape *blocks,
                                                   const webnn__shape *shape) {
  int64_t strides[WEBNN_MAX_RANK] = {0};
  webnn_vulkan__walk walk;
  uint32_t d;
  memset(&walk, 0, sizeof walk);
  webnn__row_major(blocks, strides);
  for (d = 0; d < shape->rank; d++) {
    webnn_vulkan__add_axis(&walk, blocks->dimensions[d], strides[d]);
    webnn_vulkan__add_axis(&walk, shape->dimensions[d] / blocks->dimensions[d], 0);
  }
  return walk;
}

/* The operator of a node as a chain of one. */
static webnn__chain_ops webnn_vulkan__chain_of_one(const webnn_vulkan__planner *planner,
                                                   const webnn__node *node) {
  const webnn__value *values = planner->program->values;
  const bool has_blocks =
      node->op == WEBNN_OP_DEQUANTIZE_LINEAR || node->op == WEBNN_OP_QUANTIZE_LINEAR;
  webnn__chain_ops ops;
  uint32_t i;
  memset(&ops, 0, sizeof ops);
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

static const char *const webnn_vulkan__operand_names[WEBNN__CHAIN_INPUTS] = {
    "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7"};
static const char *const webnn_vulkan__value_names[WEBNN__CHAIN_INPUTS + WEBNN__CHAIN_OPS] = {
    "v0",  "v1",  "v2",  "v3",  "v4",  "v5",  "v6",  "v7",  "v8",  "v9",  "v10", "v11",
    "v12", "v13", "v14", "v15", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23"};

/* The operands and options of a chain: load_xN, at_xN, aN and bN. `attributes` has the options of a
   chain of one. */
static void webnn_vulkan__declare_chain(webnn_vulkan__kernel *k, const webnn__node *node,
                                        const webnn__chain_ops *ops,
                                        const webnn__attributes *attributes) {
  uint32_t i, j;
  for (i = 0; i < node->input_count && i < WEBNN__CHAIN_INPUTS; i++) {
    const webnn__value *x = webnn_vulkan__value_at(k->planner, node->inputs[i]);
    const webnn_vulkan__walk walk = ops->is_block[i]
                                        ? webnn_vulkan__block_walk(&x->shape, &ops->shape)
                                        : webnn_vulkan__broadcast_walk(&x->shape, &ops->shape);
    webnn_vulkan__reads(k, webnn_vulkan__operand_names[i], node->inputs[i]);
    webnn_vulkan__add_index(k, webnn_vulkan__operand_names[i], &walk);
  }
  for (i = 0; i < ops->count; i++) {
    const webnn__chain_op *op = &ops->ops[i];
    for (j = 0; j < webnn_vulkan__option_count(op->op); j++) {
      char name[16];
      (void)snprintf(name, sizeof name, "%c%u", j == 0 ? 'a' : 'b', (unsigned)i);
      if (attributes != NULL) {
        webnn_vulkan__push_option(k, name, op->from, j == 0 ? attributes->alpha : attributes->beta);
      } else {
        webnn_vulkan__push_number(k, name, op->from, j == 0 ? op->alpha : op->beta);
      }
    }
  }
}

/* The statements that compute a chain's values for element i. Returns the name of the result. If it
   is `packed`, its rounding is left to that. */
static const char *webnn_vulkan__write_chain(webnn_vulkan__kernel *k, const webnn__node *node,
                                             const webnn__chain_ops *ops, bool packed) {
  webnn_data_type types[WEBNN__CHAIN_INPUTS + WEBNN__CHAIN_OPS];
  uint32_t i, j;
  for (i = 0; i < node->input_count && i < WEBNN__CHAIN_INPUTS; i++) {
    types[i] = webnn_vulkan__value_at(k->planner, node->inputs[i])->data_type;
    webnn_vulkan__format(k, "  %s v%u = load_x%u(at_x%u(i));\n", webnn_vulkan__type_name(types[i]),
                         (unsigned)i, (unsigned)i, (unsigned)i);
  }
  for (i = 0; i < ops->count; i++) {
    const webnn__chain_op *op = &ops->ops[i];
    webnn_vulkan__formula_call call;
    char alpha[16], beta[16];
    memset(&call, 0, sizeof call);
    (void)snprintf(alpha, sizeof alpha, "a%u", (unsigned)i);
    (void)snprintf(beta, sizeof beta, "b%u", (unsigned)i);
    call.op = op->op;
    call.to = op->to;
    call.alpha = alpha;
    call.beta = beta;
    for (j = 0; j < 3; j++) {
      const uint32_t x = op->x[j < op->count ? j : 0];
      call.from[j] = types[x];
      call.x[j] = webnn_vulkan__value_names[x];
    }
    types[WEBNN__CHAIN_INPUTS + i] = op->to;
    webnn_vulkan__write_call(k, &call, webnn_vulkan__value_names[WEBNN__CHAIN_INPUTS + i],
                             packed && i + 1 == ops->count);
  }
  return webnn_vulkan__value_names[ops->outputs[0]];
}

static uint64_t webnn_vulkan__count(const webnn_vulkan__planner *planner, uint32_t value) {
  return webnn__element_count(&webnn_vulkan__value_at(planner, value)->shape);
}

/* An element-wise operator, or a chain of them: an invocation makes a word of the result. */
static bool webnn_vulkan__plan_chain(webnn_vulkan__planner *planner, uint32_t index) {
  const webnn__node *node = &planner->program->nodes[index];
  const webnn__chain_ops *fused = webnn__chain_in(node);
  const webnn__chain_ops one = webnn_vulkan__chain_of_one(planner, node);
  const webnn__chain_ops *ops = fused != NULL ? fused : &one;
  const webnn__value *y = webnn_vulkan__value_at(planner, node->outputs[0]);
  webnn_vulkan__kernel k;
  const char *result;
  webnn_vulkan__begin(planner, index, &k);
  webnn_vulkan__declare_chain(&k, node, ops, fused != NULL ? NULL : &node->attributes);
  webnn_vulkan__writes(&k, "y", node->outputs[0]);
  webnn_vulkan__format(&k, "%s element(uint i) {\n", webnn_vulkan__type_name(y->data_type));
  result = webnn_vulkan__write_chain(&k, node, ops, true);
  webnn_vulkan__format(&k, "  return %s;\n}\n", result);
  k.cost = ops->count * 4;
  planner->nodes[index].overwrites = true;
  return webnn_vulkan__map(&k, webnn_vulkan__count(planner, node->outputs[0]));
}

#define webnn_vulkan__plan_unary webnn_vulkan__plan_chain
#define webnn_vulkan__plan_binary webnn_vulkan__plan_chain
#define webnn_vulkan__plan_compare webnn_vulkan__plan_chain
#define webnn_vulkan__plan_predicate webnn_vulkan__plan_chain
#define webnn_vulkan__plan_cast webnn_vulkan__plan_chain
#define webnn_vulkan__plan_where webnn_vulkan__plan_chain
#define webnn_vulkan__plan_dequantize_linear webnn_vulkan__plan_chain
#define webnn_vulkan__plan_quantize_linear webnn_vulkan__plan_chain

/* ---- Kernels: moving elements ------------------------------------------------------------------

   Elements are moved as bits. */

static const char *webnn_vulkan__raw_name(const webnn_vulkan__kernel *k) {
  return webnn_data_type_bits(k->type) == 64 ? "uvec2" : "uint";
}

/* y[i] = x[at(i)]. */
static bool webnn_vulkan__plan_walk(webnn_vulkan__planner *planner, uint32_t index, uint32_t output,
                                    const webnn_vulkan__walk *walk) {
  const webnn__node *node = &planner->program->nodes[index];
  webnn_vulkan__kernel k;
  webnn_vulkan__begin(planner, index, &k);
  webnn_vulkan__reads_raw(&k, "x", node->inputs[0]);
  webnn_vulkan__writes_raw(&k, "y", output);
  webnn_vulkan__add_index(&k, "x", walk);
  webnn_vulkan__format(&k, "%s element(uint i) { return load_x(at_x(i)); }\n",
                       webnn_vulkan__raw_name(&k));
  return webnn_vulkan__map(&k, webnn_vulkan__count(planner, output));
}

/* The same bytes: word for word. */
static bool webnn_vulkan__plan_identity(webnn_vulkan__planner *planner, uint32_t index) {
  const webnn__node *node = &planner->program->nodes[index];
  const webnn_vulkan__operand x = webnn_vulkan__whole_value(node->inputs[0], false);
  const webnn_vulkan__operand y = webnn_vulkan__whole_value(node->outputs[0], true);
  const uint64_t bytes = webnn__value_bytes(webnn_vulkan__value_at(planner, node->outputs[0]));
  webnn_vulkan__kernel k;
  webnn_vulkan__begin(planner, index, &k);
  webnn_vulkan__reads_memory(&k, "x", &x, WEBNN_UINT32);
  webnn_vulkan__writes_memory(&k, "y", &y, WEBNN_UINT32);
  webnn_vulkan__text(&k, "uint element(uint i) { return load_x(i); }\n");
  planner->nodes[index].overwrites = true;
  return webnn_vulkan__map(&k, (bytes + 3) / 4);
}

#define webnn_vulkan__plan_reshape webnn_vulkan__plan_identity

static const webnn__shape *webnn_vulkan__shape_in(const webnn_vulkan__planner *planner,
                                                  const webnn__node *node, uint32_t i) {
  return &webnn_vulkan__value_at(planner, node->inputs[i])->shape;
}

static const webnn__shape *webnn_vulkan__shape_out(const webnn_vulkan__planner *planner,
                                                   const webnn__node *node, uint32_t i) {
  return &webnn_vulkan__value_at(planner, node->outputs[i])->shape;
}

/* expand: repeated dimensions do not move. */
static bool webnn_vulkan__plan_expand(webnn_vulkan__planner *planner, uint32_t index) {
  const webnn__node *node = &planner->program->nodes[index];
  const webnn_vulkan__walk walk = webnn_vulkan__broadcast_walk(
      webnn_vulkan__shape_in(planner, node, 0), webnn_vulkan__shape_out(planner, node, 0));
  return webnn_vulkan__plan_walk(planner, index, node->outputs[0], &walk);
}

/* reverse: along the axes, from the last element backwards. */
static bool webnn_vulkan__plan_reverse(webnn_vulkan__planner *planner, uint32_t index) {
  const webnn__node *node = &planner->program->nodes[index];
  const webnn__shape *axes = &node->attributes.axes;
  const webnn__shape *shape = webnn_vulkan__shape_in(planner, node, 0);
  int64_t strides[WEBNN_MAX_RANK] = {0}, start = 0;
  webnn_vulkan__walk walk;
  uint32_t i;
  webnn__row_major(shape, strides);
  for (i = 0; i < axes->rank; i++) {
    const uint32_t axis = axes->dimensions[i];
    start += strides[axis] * ((int64_t)shape->dimensions[axis] - 1);
    strides[axis] = -strides[axis];
  }
  walk = webnn_vulkan__walk_of(shape, strides, start);
  return webnn_vulkan__plan_walk(planner, index, node->outputs[0], &walk);
}

/* slice: x[starts + c strides]. */
static bool webnn_vulkan__plan_slice(webnn_vulkan__planner *planner, uint32_t index) {
  const webnn__node *node = &planner->program->nodes[index];
  const webnn__shape *shape = webnn_vulkan__shape_in(planner, node, 0);
  int64_t strides[WEBNN_MAX_RANK] = {0}, start = 0;
  webnn_vulkan__walk walk;
  uint32_t d;
  webnn__row_major(shape, strides);
  for (d = 0; d < shape->rank; d++) {
    start += strides[d] * (int64_t)node->attributes.starts.dimensions[d];
    strides[d] *= (int64_t)node->attributes.strides.dimensions[d];
  }
  walk = webnn_vulkan__walk_of(webnn_vulkan__shape_out(planner, node, 0), strides, start);
  return webnn_vulkan__plan_walk(planner, index, node->outputs[0], &walk);
}

/* transpose: dimension j of y is dimension permutation[j] of x. */
static bool webnn_vulkan__plan_transpose(webnn_vulkan__planner *planner, uint32_t index) {
  const webnn__node *node = &planner->program->nodes[index];
  const webnn__shape *shape = webnn_vulkan__shape_in(planner, node, 0);
  int64_t own[WEBNN_MAX_RANK] = {0}, strides[WEBNN_MAX_RANK] = {0};
  webnn_vulkan__walk walk;
  uint32_t d;
  webnn__row_major(shape, own);
  for (d = 0; d < shape->rank; d++) {
    strides[d] = own[node->attributes.axes.dimensions[d]];
  }
  walk = webnn_vulkan__walk_of(webnn_vulkan__shape_out(planner, node, 0), strides, 0);
  return webnn_vulkan__plan_walk(planner, index, node->outputs[0], &walk);
}

/* tile: y[c] = x[c mod shape]: each dimension is its repetitions, which do not move, and itself. */
static bool webnn_vulkan__plan_tile(webnn_vulkan__planner *planner, uint32_t index) {
  const webnn__node *node = &planner->program->nodes[index];
  const webnn__shape *from = webnn_vulkan__shape_in(planner, node, 0);
  const webnn__shape *to = webnn_vulkan__shape_out(planner, node, 0);
  int64_t strides[WEBNN_MAX_RANK] = {0};
  webnn_vulkan__walk walk;
  uint32_t d;
  memset(&walk, 0, sizeof walk);
  webnn__row_major(from, strides);
  for (d = 0; d < from->rank; d++) {
    webnn_vulkan__add_axis(&walk, to->dimensions[d] / from->dimensions[d], 0);
    webnn_vulkan__add_axis(&walk, from->dimensions[d], strides[d]);
  }
  return webnn_vulkan__plan_walk(planner, index, node->outputs[0], &walk);
}

/* split: each output is a slice. */
static bool webnn_vulkan__plan_split(webnn_vulkan__planner *planner, uint32_t index) {
  const webnn__node *node = &planner->program->nodes[index];
  const webnn__shape *shape = webnn_vulkan__shape_in(planner, node, 0);
  const uint32_t axis = node->attributes.axis;
  int64_t strides[WEBNN_MAX_RANK] = {0}, start = 0;
  uint32_t i;
  webnn__row_major(shape, strides);
  for (i = 0; i < node->output_count; i++) {
    const webnn__shape *part = webnn_vulkan__shape_out(planner, node, i);
    const webnn_vulkan__walk walk = webnn_vulkan__walk_of(part, strides, start);
    if (!webnn_vulkan__plan_walk(planner, index, node->outputs[i], &walk)) {
      return false;
    }
    start += strides[axis] * (int64_t)part->dimensions[axis];
  }
  return true;
}

/* Elements of the dimensions first ... end - 1. */
static uint32_t webnn_vulkan__product(const webnn__shape *shape, uint32_t first, uint32_t end) {
  uint32_t product = 1, d;
  for (d = first; d < end; d++) {
    product *= shape->dimensions[d];
  }
  return product;
}

#define WEBNN_VULKAN__CONCAT_PARTS 7 /* operands that one kernel puts together */

/* concat: some of the inputs, from `first` on, whose rows begin at `start` along the axis. What the
   others fill keeps its bits. */
static bool webnn_vulkan__plan_parts(webnn_vulkan__planner *planner, uint32_t index, uint32_t first,
                                     uint32_t count, uint32_t start) {
  const webnn__node *node = &planner->program->nodes[index];
  const webnn__shape *shape = webnn_vulkan__shape_out(planner, node, 0);
  const uint32_t axis = node->attributes.axis;
  const uint32_t inner = webnn_vulkan__product(shape, axis + 1, shape->rank);
  webnn_vulkan__kernel k;
  uint32_t i;
  webnn_vulkan__begin(planner, index, &k);
  for (i = 0; i < count; i++) {
    char name[16];
    const webnn__shape *part = webnn_vulkan__shape_in(planner, node, first + i);
    webnn_vulkan__reads_raw(&k, webnn_vulkan__operand_names[i], node->inputs[first + i]);
    (void)snprintf(name, sizeof name, "start%u", (unsigned)i);
    webnn_vulkan__push(&k, name, start * inner);
    start += part->dimensions[axis];
  }
  webnn_vulkan__push(&k, "stop", start * inner);
  webnn_vulkan__push(&k, "row", inner * shape->dimensions[axis]);
  webnn_vulkan__writes_raw(&k, "y", node->outputs[0]);
  webnn_vulkan__put_load(&k, "y", k.type, true);
  webnn_vulkan__format(&k,
                       "%s element(uint i) {\n"
                       "  uint at = i %% row, outer = i / row;\n"
                       "  if (at < start0 || at >= stop) { return load_y(i); }\n",
                       webnn_vulkan__raw_name(&k));
  for (i = count; i-- > 0;) {
    char end[16] = "stop";
    if (i + 1 < count) {
      (void)snprintf(end, sizeof end, "start%u", (unsigned)(i + 1));
    }
    if (i > 0) {
      webnn_vulkan__format(&k, "  if (at >= start%u) {\n  ", (unsigned)i);
    }
    webnn_vulkan__format(&k, "  return load_x%u(outer * (%s - start%u) + at - start%u);\n}\n",
                         (unsigned)i, end, (unsigned)i, (unsigned)i);
  }
  return webnn_vulkan__map(&k, webnn_vulkan__count(planner, node->outputs[0]));
}

static bool webnn_vulkan__plan_concat(webnn_vulkan__planner *planner, uint32_t index) {
  const webnn__node *node = &planner->program->nodes[index];
  uint32_t first = 0, start = 0, room = planner->traits->max_operands - 2, i;
  room = room < WEBNN_VULKAN__CONCAT_PARTS ? room : WEBNN_VULKAN__CONCAT_PARTS;
  for (first = 0; first < node->input_count; first += room) {
    const uint32_t rest = node->input_count - first, count = rest < room ? rest : room;
    if (!webnn_vulkan__plan_parts(planner, index, first, count, start)) {
      return false;
    }
    for (i = 0; i < count; i++) {
      start += webnn_vulkan__shape_in(planner, node, first + i)->dimensions[node->attributes.axis];
    }
  }
  return true;
}

/* pad: an element finds its coordinates in x, or is the value. */
static bool webnn_vulkan__plan_pad(webnn_vulkan__planner *planner, uint32_t index) {
  static const char *const modes[] = {"-1", "k < 0 ? 0 : n - 1", "k < 0 ? -k : 2 * (n - 1) - k",
                                      "k < 0 ? -k - 1 : 2 * n - 1 - k"};
  const webnn__node *node = &planner->program->nodes[index];
  const webnn__attributes *t = &node->attributes;
  const webnn__shape *from = webnn_vulkan__shape_in(planner, node, 0);
  const webnn__shape *to = webnn_vulkan__shape_out(planner, node, 0);
  const uint32_t mode = t->mode == WEBNN_PADDING_EDGE         ? 1
                        : t->mode == WEBNN_PADDING_REFLECTION ? 2
                        : t->mode == WEBNN_PADDING_SYMMETRIC  ? 3
                                                              : 0;
  webnn_vulkan__kernel k;
  uint32_t d;
  webnn_vulkan__begin(planner, index, &k);
  webnn_vulkan__reads_raw(&k, "x", node->inputs[0]);
  webnn_vulkan__writes_raw(&k, "y", node->outputs[0]);
  webnn_vulkan__push(&k, "value_low", (uint32_t)t->alpha);
  webnn_vulkan__push(&k, "value_high", (uint32_t)(t->alpha >> 32));
  for (d = 0; d < to->rank; d++) {
    char name[16];
    (void)snprintf(name, sizeof name, "to%u", (unsigned)d);
    webnn_vulkan__push(&k, name, to->dimensions[d]);
    (void)snprintf(name, sizeof name, "from%u", (unsigned)d);
    webnn_vulkan__push(&k, name, from->dimensions[d]);
    (void)snprintf(name, sizeof name, "start%u", (unsigned)d);
    webnn_vulkan__push(&k, name, t->starts.dimensions[d]);
  }
  webnn_vulkan__format(&k,
                       "int padded(int k, int n) {\n"
                       "  if (k >= 0 && k < n) { return k; }\n"
                       "  return %s;\n"
                       "}\n"
                       "%s element(uint i) {\n"
                       "  uint at = 0u, stride = 1u;\n"
                       "  bool inside = true;\n"
                       "  int k;\n",
                       modes[mode], webnn_vulkan__raw_name(&k));
  for (d = to->rank; d-- > 0;) {
    const unsigned n = (unsigned)d;
    webnn_vulkan__format(&k,
                         "  k = padded(int(i %% to%u) - int(start%u), int(from%u));\n"
                         "  inside = inside && k >= 0;\n"
                         "  at += uint(k) * stride;\n"
                         "  stride *= from%u;\n"
                         "  i /= to%u;\n",
                         n, n, n, n, n);
  }
  webnn_vulkan__format(&k, "  if (inside) { return load_x(at); }\n  return %s;\n}\n",
                       webnn_data_type_bits(k.type) == 64 ? "uvec2(value_low, value_high)"
                                                          : "value_low");
  return webnn_vulkan__map(&k, webnn_vulkan__count(planner, node->outputs[0]));
}

/* triangular: x where column >= row + diagonal (upper) or <= (lower), else 0. */
static bool webnn_vulkan__plan_triangular(webnn_vulkan__planner *planner, uint32_t index) {
  const webnn__node *node = &planner->program->nodes[index];
  const webnn__shape *shape = webnn_vulkan__shape_in(planner, node, 0);
  const uint32_t rows = shape->dimensions[shape->rank - 2];
  const uint32_t columns = shape->dimensions[shape->rank - 1];
  const int64_t wanted = node->attributes.diagonal;
  const int64_t diagonal = wanted > (int64_t)columns     ? (int64_t)columns
                           : wanted < -(int64_t)rows - 1 ? -(int64_t)rows - 1
                                                         : wanted;
  webnn_vulkan__kernel k;
  webnn_vulkan__begin(planner, index, &k);
  webnn_vulkan__reads_raw(&k, "x", node->inputs[0]);
  webnn_vulkan__writes_raw(&k, "y", node->outputs[0]);
  webnn_vulkan__push(&k, "rows", rows);
  webnn_vulkan__push(&k, "columns", columns);
  webnn_vulkan__push_int(&k, "diagonal", (int32_t)diagonal);
  webnn_vulkan__format(&k,
                       "%s element(uint i) {\n"
                       "  int border = int(i / columns %% rows) + diagonal;\n"
                       "  if (int(i %% columns) %s border) { return load_x(i); }\n"
                       "  return %s;\n"
                       "}\n",
                       webnn_vulkan__raw_name(&k), node->attributes.upper ? ">=" : "<=",
                       webnn_data_type_bits(k.type) == 64 ? "uvec2(0u, 0u)" : "0u");
  planner->nodes[index].overwrites = true;
  return webnn_vulkan__map(&k, webnn_vulkan__count(planner, node->outputs[0]));
}

/* ---- Kernels: gathering and scattering ---------------------------------------------------------

   index_of(j, size): element j of indices, clamped to -size ... size - 1; negative ones count from
   the end. */

static void webnn_vulkan__reads_indices(webnn_vulkan__kernel *k, uint32_t value) {
  webnn_vulkan__reads(k, "indices", value);
  switch (webnn_vulkan__value_at(k->planner, value)->data_type) {
  case WEBNN_INT32:
    webnn_vulkan__text(k, "uint index_of(uint j, uint size) {\n"
                          "  int v = load_indices(j), n = int(size);\n"
                          "  v = v < -n ? -n : v >= n ? n - 1 : v;\n"
                          "  return uint(v < 0 ? v + n : v);\n"
                          "}\n");
    break;
  case WEBNN_UINT32:
    webnn_vulkan__text(
        k, "uint index_of(uint j, uint size) { return min(load_indices(j), size - 1u); }\n");
    break;
  default:
    webnn_vulkan__text(
        k, "uint index_of(uint j, uint size) {\n"
           "  uvec2 v = load_indices(j);\n"
           "  if (int(v.y) >= 0) { return v.y > 0u ? size - 1u : min(v.x, size - 1u); }\n"
           "  uint back = 0u - v.x;\n"
           "  return v.y != 0xffffffffu || v.x == 0u || back > size ? 0u : size - back;\n"
           "}\n");
  }
}

/* gather: y[p, j, r] = x[p, indices[j], r]. */
static bool webnn_vulkan__plan_gather(webnn_vulkan__planner *planner, uint32_t index) {
  const webnn__node *node = &planner->program->nodes[index];
  const webnn__shape *shape = webnn_vulkan__shape_in(planner, node, 0);
  const uint32_t axis = node->attributes.axis;
  webnn_vulkan__kernel k;
  webnn_vulkan__begin(planner, index, &k);
  webnn_vulkan__reads_raw(&k, "x", node->inputs[0]);
  webnn_vulkan__reads_indices(&k, node->inputs[1]);
  webnn_vulkan__writes_raw(&k, "y", node->outputs[0]);
  webnn_vulkan__push(&k, "size", shape->dimensions[axis]);
  webnn_vulkan__push(&k, "slice", webnn_vulkan__product(shape, axis + 1, shape->rank));
  webnn_vulkan__push(&k, "count", (uint32_t)webnn_vulkan__count(planner, node->inputs[1]));
  webnn_vulkan__format(&k,
                       "%s element(uint i) {\n"
                       "  uint r = i %% slice, j = i / slice %% count, p = i / slice / count;\n"
                       "  return load_x((p * size + index_of(j, size)) * slice + r);\n"
                       "}\n",
                       webnn_vulkan__raw_name(&k));
  return webnn_vulkan__map(&k, webnn_vulkan__count(planner, node->outputs[0]));
}

/* gatherElements: y[p, a, r] = x[p, indices[p, a, r], r]. */
static bool webnn_vulkan__plan_gather_elements(webnn_vulkan__planner *planner, uint32_t index) {
  const webnn__node *node = &planner->program->nodes[index];
  const webnn__shape *shape = webnn_vulkan__shape_in(planner, node, 0);
  const uint32_t axis = node->attributes.axis;
  webnn_vulkan__kernel k;
  webnn_vulkan__begin(planner, index, &k);
  webnn_vulkan__reads_raw(&k, "x", node->inputs[0]);
  webnn_vulkan__reads_indices(&k, node->inputs[1]);
  webnn_vulkan__writes_raw(&k, "y", node->outputs[0]);
  webnn_vulkan__push(&k, "size", shape->dimensions[axis]);
  webnn_vulkan__push(&k, "inner", webnn_vulkan__product(shape, axis + 1, shape->rank));
  webnn_vulkan__push(&k, "rows", webnn_vulkan__shape_in(planner, node, 1)->dimensions[axis]);
  webnn_vulkan__format(&k,
                       "%s element(uint i) {\n"
                       "  uint r = i %% inner, p = i / inner / rows;\n"
                       "  return load_x((p * size + index_of(i, size)) * inner + r);\n"
                       "}\n",
                       webnn_vulkan__raw_name(&k));
  return webnn_vulkan__map(&k, webnn_vulkan__count(planner, node->outputs[0]));
}

/* named(k): which slice of the first operand the k-th coordinates of indices name. Returns the
   number of elements of a slice. */
static uint32_t webnn_vulkan__reads_coordinates(webnn_vulkan__kernel *k, const webnn__node *node) {
  const webnn__shape *shape = webnn_vulkan__shape_in(k->planner, node, 0);
  const webnn__shape *indices = webnn_vulkan__shape_in(k->planner, node, 1);
  const uint32_t length = indices->dimensions[indices->rank - 1];
  const uint32_t slice = webnn_vulkan__product(shape, length, shape->rank);
  uint32_t d;
  webnn_vulkan__reads_indices(k, node->inputs[1]);
  webnn_vulkan__push(k, "slice", slice);
  for (d = 0; d < length; d++) {
    char name[16];
    (void)snprintf(name, sizeof name, "size%u", (unsigned)d);
    webnn_vulkan__push(k, name, shape->dimensions[d]);
  }
  webnn_vulkan__text(k, "uint named(uint k) {\n  uint at = 0u;\n");
  for (d = 0; d < length; d++) {
    webnn_vulkan__format(k, "  at = at * size%u + index_of(k * %uu + %uu, size%u);\n", (unsigned)d,
                         (unsigned)length, (unsigned)d, (unsigned)d);
  }
  webnn_vulkan__text(k, "  return at;\n}\n");
  return slice;
}

/* gatherND: slice k of y is the slice of x that the k-th coordinates name. */
static bool webnn_vulkan__plan_gather_nd(webnn_vulkan__planner *planner, uint32_t index) {
  const webnn__node *node = &planner->program->nodes[index];
  webnn_vulkan__kernel k;
  webnn_vulkan__begin(planner, index, &k);
  webnn_vulkan__reads_raw(&k, "x", node->inputs[0]);
  webnn_vulkan__writes_raw(&k, "y", node->outputs[0]);
  (void)webnn_vulkan__reads_coordinates(&k, node);
  webnn_vulkan__format(&k,
                       "%s element(uint i) {\n"
                       "  return load_x(named(i / slice) * slice + i %% slice);\n"
                       "}\n",
                       webnn_vulkan__raw_name(&k));
  return webnn_vulkan__map(&k, webnn_vulkan__count(planner, node->outputs[0]));
}

/* scatterElements: an element of y looks for the last update of its own place. */
static bool webnn_vulkan__plan_scatter_elements(webnn_vulkan__planner *planner, uint32_t index) {
  const webnn__node *node = &planner->program->nodes[index];
  const webnn__shape *shape = webnn_vulkan__shape_in(planner, node, 0);
  const uint32_t axis = node->attributes.axis;
  webnn_vulkan__kernel k;
  webnn_vulkan__begin(planner, index, &k);
  webnn_vulkan__reads_raw(&k, "x", node->inputs[0]);
  webnn_vulkan__reads_indices(&k, node->inputs[1]);
  webnn_vulkan__reads_raw(&k, "updates", node->inputs[2]);
  webnn_vulkan__writes_raw(&k, "y", node->outputs[0]);
  webnn_vulkan__push(&k, "size", shape->dimensions[axis]);
  webnn_vulkan__push(&k, "inner", webnn_vulkan__product(shape, axis + 1, shape->rank));
  webnn_vulkan__push(&k, "rows", webnn_vulkan__shape_in(planner, node, 1)->dimensions[axis]);
  webnn_vulkan__format(&k,
                       "%s element(uint i) {\n"
                       "  uint r = i %% inner, a = i / inner %% size, p = i / inner / size;\n"
                       "  for (uint j = rows; j > 0u; j--) {\n"
                       "    uint at = (p * rows + j - 1u) * inner + r;\n"
                       "    if (index_of(at, size) == a) { return load_updates(at); }\n"
                       "  }\n"
                       "  return load_x(i);\n"
                       "}\n",
                       webnn_vulkan__raw_name(&k));
  k.cost = webnn_vulkan__shape_in(planner, node, 1)->dimensions[axis];
  return webnn_vulkan__map(&k, webnn_vulkan__count(planner, node->outputs[0]));
}

/* scatterND: an element of y looks for the last update of its slice. */
static bool webnn_vulkan__plan_scatter_nd(webnn_vulkan__planner *planner, uint32_t index) {
  const webnn__node *node = &planner->program->nodes[index];
  const webnn__shape *indices = webnn_vulkan__shape_in(planner, node, 1);
  const uint32_t count = webnn_vulkan__product(indices, 0, indices->rank - 1);
  webnn_vulkan__kernel k;
  webnn_vulkan__begin(planner, index, &k);
  webnn_vulkan__reads_raw(&k, "x", node->inputs[0]);
  webnn_vulkan__reads_raw(&k, "updates", node->inputs[2]);
  webnn_vulkan__writes_raw(&k, "y", node->outputs[0]);
  (void)webnn_vulkan__reads_coordinates(&k, node);
  webnn_vulkan__push(&k, "count", count);
  webnn_vulkan__format(&k,
                       "%s element(uint i) {\n"
                       "  uint s = i / slice;\n"
                       "  for (uint j = count; j > 0u; j--) {\n"
                       "    if (named(j - 1u) == s) {\n"
                       "      return load_updates((j - 1u) * slice + i %% slice);\n"
                       "    }\n"
                       "  }\n"
                       "  return load_x(i);\n"
                       "}\n",
                       webnn_vulkan__raw_name(&k));
  k.cost = count;
  return webnn_vulkan__map(&k, webnn_vulkan__count(planner, node->outputs[0]));
}

/* ---- Kernels: reductions, normalizations -------------------------------------------------------

   A tensor is seen as groups, one for each coordinate of the dimensions that are kept. `run(unit)`
   computes what a group needs: by one invocation where groups are small, else by a workgroup, whose
   lanes take every LANES-th element and put together in shared memory what they have. Each group
   makes elements of 32 or 64 bits; results of narrow types are packed by a second step. */

#define WEBNN_VULKAN__SERIAL_SIZE 48 /* elements of a group that one invocation takes */

typedef struct webnn_vulkan__groups_of {
  webnn__fibers fibers;
  uint64_t count; /* of groups */
  bool parallel;
} webnn_vulkan__groups_of;

static webnn_vulkan__groups_of webnn_vulkan__group(const webnn__shape *shape, const uint32_t *axes,
                                                   uint32_t axis_count) {
  webnn_vulkan__groups_of g;
  g.fibers = webnn__fibers_of(shape, axes, axis_count);
  g.count = webnn__element_count(&g.fibers.kept);
  g.parallel = g.fibers.size > WEBNN_VULKAN__SERIAL_SIZE;
  return g;
}

/* at_kept(unit), at_inner(j), size, LANE and LANES. */
static void webnn_vulkan__declare_groups(webnn_vulkan__kernel *k,
                                         const webnn_vulkan__groups_of *g) {
  const webnn_vulkan__walk kept = webnn_vulkan__walk_of(&g->fibers.kept, g->fibers.kept_strides, 0);
  const webnn_vulkan__walk inner =
      webnn_vulkan__walk_of(&g->fibers.inner, g->fibers.inner_strides, 0);
  if (g->fibers.size > UINT32_MAX) {
    (void)webnn_vulkan__kernel_fails(k, "too many elements");
  }
  webnn_vulkan__push(k, "size", (uint32_t)g->fibers.size);
  webnn_vulkan__add_index(k, "kept", &kept);
  webnn_vulkan__add_index(k, "inner", &inner);
  if (g->parallel) {
    webnn_vulkan__put(k, WEBNN_VULKAN__BINDINGS,
                      "#define LANE gl_LocalInvocationID.x\n#define LANES %uu\n",
                      (unsigned)k->local);
  } else {
    webnn_vulkan__put(k, WEBNN_VULKAN__BINDINGS, "#define LANE 0u\n#define LANES 1u\n");
  }
  k->cost = g->parallel ? g->fibers.size / k->local + 1 : g->fibers.size;
}

static bool webnn_vulkan__run_units(webnn_vulkan__kernel *k, const webnn_vulkan__groups_of *g) {
  return g->parallel ? webnn_vulkan__groups(k, g->count) : webnn_vulkan__each(k, g->count);
}

/* void combine_sum(inout float s, inout float c): the sum over the lanes, in all lanes. */
static void webnn_vulkan__write_combine_sum(webnn_vulkan__kernel *k, bool parallel) {
  webnn_vulkan__uses(k, WEBNN_VULKAN__LIB_SUM);
  webnn_vulkan__text(k, parallel ? "shared float shared_sum[LANES];\n"
                                   "shared float shared_rest[LANES];\n"
                                   "void combine_sum(inout float s, inout float c) {\n"
                                   "  shared_sum[LANE] = s;\n"
                                   "  shared_rest[LANE] = c;\n"
                                   "  barrier();\n"
                                   "  for (uint n = LANES / 2u; n > 0u; n >>= 1) {\n"
                                   "    if (LANE < n) {\n"
                                   "      float a = shared_sum[LANE], b = shared_rest[LANE];\n"
                                   "      add_to(a, b, shared_sum[LANE + n]);\n"
                                   "      shared_sum[LANE] = a;\n"
                                   "      shared_rest[LANE] = b + shared_rest[LANE + n];\n"
                                   "    }\n"
                                   "    barrier();\n"
                                   "  }\n"
                                   "  s = shared_sum[0];\n"
                                   "  c = shared_rest[0];\n"
                                   "  barrier();\n"
                                   "}\n"
                                 : "void combine_sum(inout float s, inout float c) {}\n");
}

/* T combine(T a): all lanes' a, put together by fold(a, b), in all lanes. `more` and `too` are a
   parameter and an argument for fold, or "". */
static void webnn_vulkan__write_combine_with(webnn_vulkan__kernel *k, const char *type,
                                             bool parallel, const char *more, const char *too) {
  if (!parallel) {
    webnn_vulkan__format(k, "%s combine(%s a%s) { return a; }\n", type, type, more);
    return;
  }
  webnn_vulkan__format(
      k,
      "shared %s shared_fold[LANES];\n"
      "%s combine(%s a%s) {\n"
      "  shared_fold[LANE] = a;\n"
      "  barrier();\n"
      "  for (uint n = LANES / 2u; n > 0u; n >>= 1) {\n"
      "    if (LANE < n) {\n"
      "      shared_fold[LANE] = fold(shared_fold[LANE], shared_fold[LANE + n]%s);\n"
      "    }\n"
      "    barrier();\n"
      "  }\n"
      "  a = shared_fold[0];\n"
      "  barrier();\n"
      "  return a;\n"
      "}\n",
      type, type, type, more, too);
}

static void webnn_vulkan__write_combine(webnn_vulkan__kernel *k, const char *type, bool parallel) {
  webnn_vulkan__write_combine_with(k, type, parallel, "", "");
}

/* The type of 32 or 64 bits in which elements of a type are kept until they are packed. */
static webnn_data_type webnn_vulkan__wide_type(webnn_data_type type) {
  switch (webnn_vulkan__class_of(type)) {
  case WEBNN_VULKAN__OF_FLOAT:
    return WEBNN_FLOAT32;
  case WEBNN_VULKAN__OF_INT:
    return WEBNN_INT32;
  case WEBNN_VULKAN__OF_UINT:
    return WEBNN_UINT32;
  default:
    return type;
  }
}

static bool webnn_vulkan__is_narrow(const webnn_vulkan__kernel *k, uint32_t value) {
  return webnn_data_type_bits(webnn_vulkan__value_at(k->planner, value)->data_type) < 32;
}

/* store_y for units: of the value, or where its type is narrow, of scratch memory. */
static void webnn_vulkan__writes_units(webnn_vulkan__kernel *k, uint32_t value,
                                       webnn_vulkan__operand *scratch) {
  const webnn_data_type type = webnn_vulkan__value_at(k->planner, value)->data_type;
  const uint64_t bytes = webnn_vulkan__count(k->planner, value) * 4;
  if (!webnn_vulkan__is_narrow(k, value)) {
    webnn_vulkan__writes(k, "y", value);
    return;
  }
  *scratch = webnn_vulkan__scratch_operand(webnn_vulkan__take_scratch(k->planner, k->node, bytes),
                                           bytes, true);
  webnn_vulkan__writes_memory(k, "y", scratch, webnn_vulkan__wide_type(type));
}

/* The second step: packs what the first one has left in scratch memory, if it has. */
static bool webnn_vulkan__pack_units(webnn_vulkan__kernel *k, uint32_t value,
                                     webnn_vulkan__operand *scratch) {
  const webnn_data_type type = webnn_vulkan__value_at(k->planner, value)->data_type;
  webnn_vulkan__kernel pack;
  if (!webnn_vulkan__is_narrow(k, value)) {
    return true;
  }
  scratch->written = false;
  webnn_vulkan__begin(k->planner, k->node, &pack);
  webnn_vulkan__reads_memory(&pack, "x", scratch, webnn_vulkan__wide_type(type));
  webnn_vulkan__writes(&pack, "y", value);
  webnn_vulkan__format(&pack, "%s element(uint i) { return load_x(i); }\n",
                       webnn_vulkan__type_name(type));
  return webnn_vulkan__map(&pack, webnn_vulkan__count(k->planner, value));
}

/* Sums of float: term(x), what the sum becomes, and what it becomes when x was scaled by 2^-64 (or
   2^-80, or 2^80) because the sum was infinite or, of squares, tiny. */
static void webnn_vulkan__write_float_sum(webnn_vulkan__kernel *k, webnn_op op, bool parallel) {
  const bool square = op == WEBNN_OP_REDUCE_L2 || op == WEBNN_OP_REDUCE_SUM_SQUARE;
  webnn_vulkan__write_combine_sum(k, parallel);
  webnn_vulkan__format(k,
                       "float total(uint start, float by) {\n"
                       "  float s = 0.0, c = 0.0;\n"
                       "  for (uint j = LANE; j < size; j += LANES) {\n"
                       "    float x = load_x(start + at_inner(j)) * by;\n"
                       "    add_to(s, c, %s);\n"
                       "  }\n"
                       "  combine_sum(s, c);\n"
                       "  return total_of(s, c);\n"
                       "}\n",
                       square                     ? "x * x"
                       : op == WEBNN_OP_REDUCE_L1 ? "abs_of(x)"
                                                  : "x");
  if (square) {
    const bool root = op == WEBNN_OP_REDUCE_L2;
    webnn_vulkan__uses(k, WEBNN_VULKAN__LIB_SQRT);
    webnn_vulkan__format(k,
                         "const float up = 1.2089258196146292e24, down = 8.271806125530277e-25;\n"
                         "float reduced(uint start) {\n"
                         "  float s = total(start, 1.0);\n"
                         "  if (!is_finite(s)) { s = total(start, down); return %s; }\n"
                         "  if (s < 1.0e-20) { s = total(start, up); return %s; }\n"
                         "  return %s;\n"
                         "}\n",
                         root ? "sqrt_of(s) * up" : "s * up * up",
                         root ? "sqrt_of(s) * down" : "s * down * down", root ? "sqrt_of(s)" : "s");
    return;
  }
  if (op == WEBNN_OP_REDUCE_LOG_SUM) {
    webnn_vulkan__uses(k, WEBNN_VULKAN__LIB_LOG);
  }
  webnn_vulkan__format(k,
                       "float reduced(uint start) {\n"
                       "  float s = total(start, 1.0);\n"
                       "  if (is_finite(s)) { return %s; }\n"
                       "  s = total(start, 5.421010862427522e-20);\n"
                       "  return %s;\n"
                       "}\n",
                       op == WEBNN_OP_REDUCE_LOG_SUM ? "log_of(s)"
                       : op == WEBNN_OP_REDUCE_MEAN  ? "s / float(size)"
                                                     : "s",
                       op == WEBNN_OP_REDUCE_LOG_SUM ? "log_of(s) + 44.3614197"
                       : op == WEBNN_OP_REDUCE_MEAN  ? "s / float(size) * 1.84467441e19"
                                                     : "s * 1.84467441e19");
}

/* ln sum e^x = m + ln sum e^(x - m), m the largest. */
static void webnn_vulkan__write_log_sum_exp(webnn_vulkan__kernel *k, bool parallel) {
  webnn_vulkan__uses(k, WEBNN_VULKAN__LIB_LOG);
  webnn_vulkan__write_combine_sum(k, parallel);
  webnn_vulkan__text(k, "float fold(float a, float b) { return max_nan(a, b); }\n");
  webnn_vulkan__write_combine(k, "float", parallel);
  webnn_vulkan__text(k, "float reduced(uint start) {\n"
                        "  float m = load_x(start), s = 0.0, c = 0.0;\n"
                        "  for (uint j = LANE; j < size; j += LANES) {\n"
                        "    m = fold(m, load_x(start + at_inner(j)));\n"
                        "  }\n"
                        "  m = combine(m);\n"
                        "  if (!is_finite(m)) { return m; }\n"
                        "  for (uint j = LANE; j < size; j += LANES) {\n"
                        "    add_to(s, c, exp_of(load_x(start + at_inner(j)) - m));\n"
                        "  }\n"
                        "  combine_sum(s, c);\n"
                        "  return m + log_of(total_of(s, c));\n"
                        "}\n");
}

/* The product in two floats, the second what rounding has taken from the first. */
static void webnn_vulkan__write_float_product(webnn_vulkan__kernel *k, bool parallel) {
  webnn_vulkan__uses(k, WEBNN_VULKAN__LIB_SUM);
  webnn_vulkan__text(k, "vec2 fold(vec2 a, vec2 b) {\n"
                        "  float low, p = two_product(a.x, b.x, low);\n"
                        "  return vec2(p, a.x * b.y + a.y * b.x + low);\n"
                        "}\n");
  webnn_vulkan__write_combine(k, "vec2", parallel);
  webnn_vulkan__text(k, "float reduced(uint start) {\n"
                        "  vec2 p = vec2(1.0, 0.0);\n"
                        "  for (uint j = LANE; j < size; j += LANES) {\n"
                        "    p = fold(p, vec2(load_x(start + at_inner(j)), 0.0));\n"
                        "  }\n"
                        "  p = combine(p);\n"
                        "  return total_of(p.x, p.y);\n"
                        "}\n");
}

/* What goes from element to element: integers, and the largest and smallest. */
static void webnn_vulkan__write_fold(webnn_vulkan__kernel *k, webnn_op op, webnn_data_type type,
                                     bool parallel) {
  const char *name = webnn_vulkan__type_name(type);
  const bool is_long = webnn_data_type_bits(type) == 64;
  const bool extreme = op == WEBNN_OP_REDUCE_MAX || op == WEBNN_OP_REDUCE_MIN;
  const char *term = "x";
  webnn_vulkan__formula_call call;
  memset(&call, 0, sizeof call);
  call.op = op == WEBNN_OP_REDUCE_MAX       ? WEBNN_OP_MAX
            : op == WEBNN_OP_REDUCE_MIN     ? WEBNN_OP_MIN
            : op == WEBNN_OP_REDUCE_PRODUCT ? WEBNN_OP_MUL
                                            : WEBNN_OP_ADD;
  call.from[0] = call.from[1] = type;
  call.to = type;
  call.x[0] = "a";
  call.x[1] = "b";
  webnn_vulkan__format(k, "%s fold(%s a, %s b) {\n", name, name, name);
  webnn_vulkan__write_call(k, &call, "c", true);
  webnn_vulkan__text(k, "  return c;\n}\n");
  webnn_vulkan__write_combine(k, name, parallel);
  if (op == WEBNN_OP_REDUCE_SUM_SQUARE) {
    term = is_long ? "i64_mul(x, x)" : "x * x";
  } else if (op == WEBNN_OP_REDUCE_L1 && type == WEBNN_INT64) {
    term = "i64_abs(x)";
  } else if (op == WEBNN_OP_REDUCE_L1 && type == WEBNN_INT32) {
    term = "x < 0 ? -x : x";
  }
  webnn_vulkan__format(k,
                       "%s reduced(uint start) {\n"
                       "  %s a = %s;\n"
                       "  for (uint j = LANE; j < size; j += LANES) {\n"
                       "    %s x = load_x(start + at_inner(j));\n"
                       "    a = fold(a, %s);\n"
                       "  }\n"
                       "  return combine(a);\n"
                       "}\n",
                       name, name,
                       extreme                         ? "load_x(start)"
                       : op == WEBNN_OP_REDUCE_PRODUCT ? (is_long               ? "uvec2(1u, 0u)"
                                                          : type == WEBNN_INT32 ? "1"
                                                                                : "1u")
                       : is_long                       ? "uvec2(0u, 0u)"
                       : type == WEBNN_INT32           ? "0"
                                                       : "0u",
                       name, term);
}

/* load_x and the type of what is reduced: the operand, or what a chain of operators makes. */
static webnn_data_type webnn_vulkan__reads_reduced(webnn_vulkan__kernel *k,
                                                   const webnn__node *node) {
  const webnn__chain_ops *ops = webnn__chain_in(node);
  const webnn_data_type first = webnn_vulkan__value_at(k->planner, node->inputs[0])->data_type;
  webnn_data_type type;
  if (ops == NULL) {
    webnn_vulkan__reads(k, "x", node->inputs[0]);
    return first;
  }
  type = ops->ops[ops->outputs[0] - WEBNN__CHAIN_INPUTS].to;
  webnn_vulkan__declare_chain(k, node, ops, NULL);
  webnn_vulkan__format(k, "%s load_x(uint i) {\n", webnn_vulkan__type_name(type));
  webnn_vulkan__format(k, "  return %s;\n}\n", webnn_vulkan__write_chain(k, node, ops, false));
  return type;
}

/* 8.9.39: a unit makes an element of y. */
static bool webnn_vulkan__plan_reduce(webnn_vulkan__planner *planner, uint32_t index) {
  const webnn__node *node = &planner->program->nodes[index];
  const webnn__chain_ops *ops = webnn__chain_in(node);
  const webnn_vulkan__groups_of g =
      webnn_vulkan__group(ops != NULL ? &ops->shape : webnn_vulkan__shape_in(planner, node, 0),
                          node->attributes.axes.dimensions, node->attributes.axes.rank);
  const bool extreme = node->op == WEBNN_OP_REDUCE_MAX || node->op == WEBNN_OP_REDUCE_MIN;
  webnn_vulkan__operand scratch;
  webnn_vulkan__kernel k;
  webnn_data_type type;
  webnn_vulkan__begin(planner, index, &k);
  type = webnn_vulkan__reads_reduced(&k, node);
  webnn_vulkan__writes_units(&k, node->outputs[0], &scratch);
  webnn_vulkan__declare_groups(&k, &g);
  if (extreme || !webnn__is_float(type)) {
    webnn_vulkan__write_fold(&k, node->op, type, g.parallel);
  } else if (node->op == WEBNN_OP_REDUCE_PRODUCT) {
    webnn_vulkan__write_float_product(&k, g.parallel);
  } else if (node->op == WEBNN_OP_REDUCE_LOG_SUM_EXP) {
    webnn_vulkan__write_log_sum_exp(&k, g.parallel);
  } else {
    webnn_vulkan__write_float_sum(&k, node->op, g.parallel);
  }
  webnn_vulkan__format(&k,
                       "void run(uint unit) {\n"
                       "  %s a = reduced(at_kept(unit));\n"
                       "  if (LANE == 0u) { store_y(unit, a); }\n"
                       "}\n",
                       webnn_vulkan__type_name(type));
  return webnn_vulkan__run_units(&k, &g) &&
         webnn_vulkan__pack_units(&k, node->outputs[0], &scratch);
}

/* 8.9.5: a unit makes an element of y, the first index of the smallest (largest) x or of the first
   NaN. better(): is element i, which is x, to be taken rather than element j, which is y? */
static bool webnn_vulkan__plan_arg_min_max(webnn_vulkan__planner *planner, uint32_t index) {
  const webnn__node *node = &planner->program->nodes[index];
  const webnn__value *x = webnn_vulkan__value_at(planner, node->inputs[0]);
  const webnn_vulkan__groups_of g = webnn_vulkan__group(&x->shape, &node->attributes.axis, 1);
  const webnn_vulkan__class c = webnn_vulkan__class_of(x->data_type);
  const char *name = webnn_vulkan__type_name(x->data_type);
  const bool least = node->op == WEBNN_OP_ARG_MIN;
  webnn_vulkan__kernel k;
  webnn_vulkan__begin(planner, index, &k);
  webnn_vulkan__reads(&k, "x", node->inputs[0]);
  webnn_vulkan__writes(&k, "y", node->outputs[0]);
  webnn_vulkan__declare_groups(&k, &g);
  webnn_vulkan__uses(&k, WEBNN_VULKAN__LIB_BITS);
  webnn_vulkan__uses(&k, WEBNN_VULKAN__LIB_LONG);
  webnn_vulkan__format(&k, "bool better(%s x, uint i, %s y, uint j) {\n", name, name);
  if (c == WEBNN_VULKAN__OF_FLOAT) {
    webnn_vulkan__text(
        &k, "  if (is_nan(x) || is_nan(y)) { return is_nan(x) && (!is_nan(y) || i < j); }\n"
            "  int a = zero_key(x), b = zero_key(y);\n"
            "  bool same = a == b, smaller = a < b;\n");
  } else if (c == WEBNN_VULKAN__OF_I64 || c == WEBNN_VULKAN__OF_U64) {
    webnn_vulkan__format(&k, "  bool same = i64_equal(x, y), smaller = %s_less(x, y);\n",
                         c == WEBNN_VULKAN__OF_I64 ? "i64" : "u64");
  } else {
    webnn_vulkan__text(&k, "  bool same = x == y, smaller = x < y;\n");
  }
  webnn_vulkan__format(&k, "  return same ? i < j : smaller == %s;\n}\n", least ? "true" : "false");
  webnn_vulkan__format(
      &k, "uint fold(uint i, uint j, uint base) {\n"
          "  return better(load_x(base + at_inner(j)), j, load_x(base + at_inner(i)), i) ? j : i;\n"
          "}\n");
  webnn_vulkan__write_combine_with(&k, "uint", g.parallel, ", uint base", ", base");
  webnn_vulkan__format(&k,
                       "void run(uint unit) {\n"
                       "  uint base = at_kept(unit), at = 0u;\n"
                       "  for (uint j = LANE; j < size; j += LANES) { at = fold(at, j, base); }\n"
                       "  at = combine(at, base);\n"
                       "  if (LANE == 0u) { store_y(unit, %s); }\n"
                       "}\n",
                       webnn_vulkan__value_at(planner, node->outputs[0])->data_type == WEBNN_INT64
                           ? "uvec2(at, 0u)"
                           : "int(at)");
  return webnn_vulkan__run_units(&k, &g);
}

/* 8.9.12: a unit is a line along the axis, whose running sums one invocation makes. */
static bool webnn_vulkan__plan_cumulative_sum(webnn_vulkan__planner *planner, uint32_t index) {
  const webnn__node *node = &planner->program->nodes[index];
  const webnn__value *x = webnn_vulkan__value_at(planner, node->inputs[0]);
  const char *name = webnn_vulkan__type_name(x->data_type);
  const bool is_float = webnn__is_float(x->data_type);
  const bool is_long = webnn_data_type_bits(x->data_type) == 64;
  webnn_vulkan__groups_of g = webnn_vulkan__group(&x->shape, &node->attributes.axis, 1);
  webnn_vulkan__operand scratch;
  webnn_vulkan__kernel k;
  g.parallel = false;
  webnn_vulkan__begin(planner, index, &k);
  webnn_vulkan__reads(&k, "x", node->inputs[0]);
  webnn_vulkan__writes_units(&k, node->outputs[0], &scratch);
  webnn_vulkan__declare_groups(&k, &g);
  if (is_float) {
    webnn_vulkan__uses(&k, WEBNN_VULKAN__LIB_SUM);
  } else if (is_long) {
    webnn_vulkan__uses(&k, WEBNN_VULKAN__LIB_LONG);
  }
  webnn_vulkan__format(&k,
                       "void run(uint unit) {\n"
                       "  uint start = at_kept(unit);\n"
                       "  %s s = %s;\n"
                       "%s"
                       "  for (uint j = 0u; j < size; j++) {\n"
                       "    uint at = start + at_inner(%s);\n"
                       "    %s v = load_x(at);\n",
                       name,
                       is_float                      ? "0.0"
                       : is_long                     ? "uvec2(0u, 0u)"
                       : x->data_type == WEBNN_INT32 ? "0"
                                                     : "0u",
                       is_float ? "  float c = 0.0;\n" : "",
                       node->attributes.reversed ? "size - 1u - j" : "j", name);
  if (node->attributes.exclusive) {
    webnn_vulkan__format(&k, "    store_y(at, %s);\n", is_float ? "total_of(s, c)" : "s");
  }
  webnn_vulkan__format(&k, "    %s;\n",
                       is_float  ? "add_to(s, c, v)"
                       : is_long ? "s = i64_add(s, v)"
                                 : "s += v");
  if (!node->attributes.exclusive) {
    webnn_vulkan__format(&k, "    store_y(at, %s);\n", is_float ? "total_of(s, c)" : "s");
  }
  webnn_vulkan__text(&k, "  }\n}\n");
  return webnn_vulkan__run_units(&k, &g) &&
         webnn_vulkan__pack_units(&k, node->outputs[0], &scratch);
}

/* Where in row-major order of the groups the group of an element stands: 0 along the axes. */
static webnn_vulkan__walk webnn_vulkan__group_walk(const webnn__shape *shape, const uint32_t *axes,
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
  return webnn_vulkan__walk_of(shape, strides, 0);
}

/* Scratch memory for some floats of each group. */
static webnn_vulkan__operand webnn_vulkan__group_scratch(webnn_vulkan__planner *planner,
                                                         uint32_t index, uint64_t count) {
  return webnn_vulkan__scratch_operand(webnn_vulkan__take_scratch(planner, index, count * 4),
                                       count * 4, true);
}

/* Can the kernel that finds what a group needs write its results, too? Those of narrow types must
   fill words. Of large groups there may be too few to make all of the device work. */
static bool webnn_vulkan__is_one_step(const webnn_vulkan__planner *planner, const webnn__node *node,
                                      const webnn_vulkan__groups_of *g) {
  const webnn_vulkan__walk inner =
      webnn_vulkan__walk_of(&g->fibers.inner, g->fibers.inner_strides, 0);
  if (g->fibers.size > 65536) {
    return false;
  }
  return webnn_vulkan__value_at(planner, node->inputs[0])->data_type == WEBNN_FLOAT32 ||
         (g->fibers.size % 2 == 0 && inner.rank == 1 && inner.strides[0] == 1);
}

/* y[i] = value(i, arguments) for the elements i of the group at `start`. */
static void webnn_vulkan__write_rows(webnn_vulkan__kernel *k, const char *arguments) {
  if (k->type == WEBNN_FLOAT32) {
    webnn_vulkan__format(k,
                         "  for (uint j = LANE; j < size; j += LANES) {\n"
                         "    uint at = start + at_inner(j);\n"
                         "    store_y(at, value(at, %s));\n"
                         "  }\n",
                         arguments);
    return;
  }
  webnn_vulkan__format(k,
                       "  for (uint j = LANE * 2u; j < size; j += LANES * 2u) {\n"
                       "    uint at = start + j, low = pack_y(value(at, %s));\n"
                       "    y_words[at >> 1] = low | pack_y(value(at + 1u, %s)) << 16;\n"
                       "  }\n",
                       arguments, arguments);
}

/* 8.9.48 softmax, y = e^(x - m) / sum e^(x - m): a unit finds the largest of a line and the sum, and
   writes the line, or leaves both for the second step if `sums` is not NULL. */
static bool webnn_vulkan__plan_exp_sums(webnn_vulkan__planner *planner, uint32_t index,
                                        const webnn_vulkan__groups_of *g,
                                        const webnn_vulkan__operand *sums) {
  const webnn__node *node = &planner->program->nodes[index];
  webnn_vulkan__kernel k;
  webnn_vulkan__begin(planner, index, &k);
  webnn_vulkan__reads(&k, "x", node->inputs[0]);
  if (sums != NULL) {
    webnn_vulkan__writes_memory(&k, "sums", sums, WEBNN_FLOAT32);
  } else {
    webnn_vulkan__writes(&k, "y", node->outputs[0]);
  }
  webnn_vulkan__declare_groups(&k, g);
  webnn_vulkan__uses(&k, WEBNN_VULKAN__LIB_EXP);
  webnn_vulkan__write_combine_sum(&k, g->parallel);
  webnn_vulkan__text(&k, "float fold(float a, float b) { return max_nan(a, b); }\n");
  webnn_vulkan__write_combine(&k, "float", g->parallel);
  webnn_vulkan__text(&k, "float value(uint i, float m, float s) {\n"
                         "  return exp_of(load_x(i) - m) / s;\n"
                         "}\n"
                         "void run(uint unit) {\n"
                         "  uint start = at_kept(unit);\n"
                         "  float m = load_x(start), s = 0.0, c = 0.0;\n"
                         "  for (uint j = LANE; j < size; j += LANES) {\n"
                         "    m = fold(m, load_x(start + at_inner(j)));\n"
                         "  }\n"
                         "  m = combine(m);\n"
                         "  for (uint j = LANE; j < size; j += LANES) {\n"
                         "    add_to(s, c, exp_of(load_x(start + at_inner(j)) - m));\n"
                         "  }\n"
                         "  combine_sum(s, c);\n"
                         "  s = total_of(s, c);\n");
  if (sums != NULL) {
    webnn_vulkan__text(&k, "  if (LANE == 0u) {\n"
                           "    store_sums(2u * unit, m);\n"
                           "    store_sums(2u * unit + 1u, s);\n"
                           "  }\n");
  } else {
    webnn_vulkan__write_rows(&k, "m, s");
  }
  webnn_vulkan__text(&k, "}\n");
  k.cost *= 30;
  return webnn_vulkan__run_units(&k, g);
}

static bool webnn_vulkan__plan_softmax(webnn_vulkan__planner *planner, uint32_t index) {
  const webnn__node *node = &planner->program->nodes[index];
  const webnn__shape *shape = webnn_vulkan__shape_in(planner, node, 0);
  const webnn_vulkan__groups_of g = webnn_vulkan__group(shape, &node->attributes.axis, 1);
  const webnn_vulkan__walk walk = webnn_vulkan__group_walk(shape, &node->attributes.axis, 1);
  webnn_vulkan__operand sums;
  webnn_vulkan__kernel k;
  if (webnn_vulkan__is_one_step(planner, node, &g)) {
    planner->nodes[index].overwrites = true;
    return webnn_vulkan__plan_exp_sums(planner, index, &g, NULL);
  }
  sums = webnn_vulkan__group_scratch(planner, index, 2 * g.count);
  if (!webnn_vulkan__plan_exp_sums(planner, index, &g, &sums)) {
    return false;
  }
  sums.written = false;
  webnn_vulkan__begin(planner, index, &k);
  webnn_vulkan__reads(&k, "x", node->inputs[0]);
  webnn_vulkan__reads_memory(&k, "sums", &sums, WEBNN_FLOAT32);
  webnn_vulkan__writes(&k, "y", node->outputs[0]);
  webnn_vulkan__add_index(&k, "group", &walk);
  webnn_vulkan__uses(&k, WEBNN_VULKAN__LIB_EXP);
  webnn_vulkan__text(&k, "float element(uint i) {\n"
                         "  uint g = at_group(i) * 2u;\n"
                         "  return exp_of(load_x(i) - load_sums(g)) / load_sums(g + 1u);\n"
                         "}\n");
  k.cost = 20;
  return webnn_vulkan__map(&k, webnn__element_count(shape));
}

/* Operand i of a node, or WEBNN__NONE. */
static uint32_t webnn_vulkan__input_of(const webnn__node *node, uint32_t i) {
  return i < node->input_count ? node->inputs[i] : WEBNN__NONE;
}

/* scale and bias of a normalization, operands `first` and `first` + 1, at at_factor(i), which
   must be declared: the statement that applies them to z. */
static void webnn_vulkan__write_scale(webnn_vulkan__kernel *k, const webnn__node *node,
                                      uint32_t first) {
  if (webnn_vulkan__input_of(node, first) != WEBNN__NONE) {
    webnn_vulkan__text(k, "  z = load_scale(at_factor(i)) * z;\n");
  }
  if (webnn_vulkan__input_of(node, first + 1) != WEBNN__NONE) {
    webnn_vulkan__text(k, "  z = z + load_bias(at_factor(i));\n");
  }
}

static void webnn_vulkan__reads_scale(webnn_vulkan__kernel *k, const webnn__node *node,
                                      uint32_t first) {
  if (webnn_vulkan__input_of(node, first) != WEBNN__NONE) {
    webnn_vulkan__reads(k, "scale", node->inputs[first]);
  }
  if (webnn_vulkan__input_of(node, first + 1) != WEBNN__NONE) {
    webnn_vulkan__reads(k, "bias", node->inputs[first + 1]);
  }
}

/* A stride of 1 along one dimension. */
static webnn_vulkan__walk webnn_vulkan__channel_walk(const webnn__shape *shape, uint32_t axis) {
  int64_t strides[WEBNN_MAX_RANK] = {0};
  strides[axis] = 1;
  return webnn_vulkan__walk_of(shape, strides, 0);
}

/* 8.9.6: scale (x - mean) / sqrt(variance + epsilon) + bias of each channel. */
static bool webnn_vulkan__plan_batch_normalization(webnn_vulkan__planner *planner, uint32_t index) {
  const webnn__node *node = &planner->program->nodes[index];
  const webnn__value *x = webnn_vulkan__value_at(planner, node->inputs[0]);
  const webnn_vulkan__walk walk = webnn_vulkan__channel_walk(&x->shape, node->attributes.axis);
  webnn_vulkan__kernel k;
  webnn_vulkan__begin(planner, index, &k);
  webnn_vulkan__reads(&k, "x", node->inputs[0]);
  webnn_vulkan__reads(&k, "mean", node->inputs[1]);
  webnn_vulkan__reads(&k, "variance", node->inputs[2]);
  webnn_vulkan__reads_scale(&k, node, 3);
  webnn_vulkan__writes(&k, "y", node->outputs[0]);
  webnn_vulkan__add_index(&k, "factor", &walk);
  webnn_vulkan__push_option(&k, "epsilon", x->data_type, node->attributes.epsilon);
  webnn_vulkan__uses(&k, WEBNN_VULKAN__LIB_SQRT);
  webnn_vulkan__text(&k, "float element(uint i) {\n"
                         "  uint c = at_factor(i);\n"
                         "  float x = load_x(i), m = load_mean(c), z = x - m;\n"
                         "  float deviation = sqrt_of(load_variance(c) + epsilon);\n"
                         "  z = is_infinite(z) ? (x * 0.25 - m * 0.25) / deviation * 4.0 : z / "
                         "deviation;\n");
  webnn_vulkan__write_scale(&k, node, 3);
  webnn_vulkan__text(&k, "  return z;\n}\n");
  planner->nodes[index].overwrites = true;
  return webnn_vulkan__map(&k, webnn_vulkan__count(planner, node->outputs[0]));
}

/* float value(i, mean, rest, deviation, by): scale (x - mean) / deviation + bias. */
static void webnn_vulkan__write_normal(webnn_vulkan__kernel *k, const webnn__node *node,
                                       const webnn_vulkan__walk *factors) {
  webnn_vulkan__reads_scale(k, node, 1);
  webnn_vulkan__add_index(k, "factor", factors);
  webnn_vulkan__text(k, "float value(uint i, float mean, float rest, float deviation, float by) {\n"
                        "  float z = ((load_x(i) * by - mean) - rest) / deviation;\n");
  webnn_vulkan__write_scale(k, node, 1);
  webnn_vulkan__text(k, "  return z;\n}\n");
}

/* Layer and instance normalization: a unit finds the mean of a group, in two floats, and
   sqrt(variance + epsilon), of elements that are scaled where their squares would overflow or
   vanish. Then it writes the group, or leaves them for the second step if `moments` is not NULL. */
static bool webnn_vulkan__plan_moments(webnn_vulkan__planner *planner, uint32_t index,
                                       const webnn_vulkan__groups_of *g,
                                       const webnn_vulkan__walk *factors,
                                       const webnn_vulkan__operand *moments) {
  const webnn__node *node = &planner->program->nodes[index];
  const webnn_data_type type = webnn_vulkan__value_at(planner, node->inputs[0])->data_type;
  webnn_vulkan__kernel k;
  webnn_vulkan__begin(planner, index, &k);
  webnn_vulkan__reads(&k, "x", node->inputs[0]);
  if (moments != NULL) {
    webnn_vulkan__writes_memory(&k, "moments", moments, WEBNN_FLOAT32);
  } else {
    webnn_vulkan__write_normal(&k, node, factors);
    webnn_vulkan__writes(&k, "y", node->outputs[0]);
  }
  webnn_vulkan__declare_groups(&k, g);
  webnn_vulkan__push_option(&k, "epsilon", type, node->attributes.epsilon);
  webnn_vulkan__uses(&k, WEBNN_VULKAN__LIB_SQRT);
  webnn_vulkan__write_combine_sum(&k, g->parallel);
  webnn_vulkan__text(&k,
                     "float moments_of(uint start, float by, out float mean, out float rest) {\n"
                     "  float s = 0.0, c = 0.0, q = 0.0, e = 0.0, low, n = float(size);\n"
                     "  for (uint j = LANE; j < size; j += LANES) {\n"
                     "    add_to(s, c, load_x(start + at_inner(j)) * by);\n"
                     "  }\n"
                     "  combine_sum(s, c);\n"
                     "  s = two_sum(s, c, c);\n"
                     "  mean = s / n;\n"
                     "  float p = two_product(mean, n, low);\n"
                     "  rest = (((s - p) - low) + c) / n;\n"
                     "  rest = is_nan(rest) ? 0.0 : rest;\n"
                     "  for (uint j = LANE; j < size; j += LANES) {\n"
                     "    float d = (load_x(start + at_inner(j)) * by - mean) - rest;\n"
                     "    add_to(q, e, d * d);\n"
                     "  }\n"
                     "  combine_sum(q, e);\n"
                     "  return total_of(q, e) / n;\n"
                     "}\n"
                     "void run(uint unit) {\n"
                     "  uint start = at_kept(unit);\n"
                     "  float mean, rest, by = 1.0, v = moments_of(start, by, mean, rest);\n"
                     "  if (!is_finite(v)) {\n"
                     "    by = 8.47032947e-22;\n"
                     "    v = moments_of(start, by, mean, rest);\n"
                     "  } else if (v < 1.0e-20 && epsilon < 1.0e-20) {\n"
                     "    by = 1.15292150e18;\n"
                     "    v = moments_of(start, by, mean, rest);\n"
                     "  }\n"
                     "  float deviation = sqrt_of(v + epsilon * by * by);\n");
  if (moments != NULL) {
    webnn_vulkan__text(&k, "  if (LANE == 0u) {\n"
                           "    store_moments(4u * unit, mean);\n"
                           "    store_moments(4u * unit + 1u, rest);\n"
                           "    store_moments(4u * unit + 2u, deviation);\n"
                           "    store_moments(4u * unit + 3u, by);\n"
                           "  }\n");
  } else {
    webnn_vulkan__write_rows(&k, "mean, rest, deviation, by");
  }
  webnn_vulkan__text(&k, "}\n");
  k.cost *= 20;
  return webnn_vulkan__run_units(&k, g);
}

/* y = scale (x - mean) / deviation + bias. */
static bool webnn_vulkan__plan_normalize(webnn_vulkan__planner *planner, uint32_t index,
                                         const uint32_t *axes, uint32_t axis_count,
                                         const webnn_vulkan__walk *factors) {
  const webnn__node *node = &planner->program->nodes[index];
  const webnn__shape *shape = webnn_vulkan__shape_in(planner, node, 0);
  const webnn_vulkan__groups_of g = webnn_vulkan__group(shape, axes, axis_count);
  const webnn_vulkan__walk walk = webnn_vulkan__group_walk(shape, axes, axis_count);
  webnn_vulkan__operand moments;
  webnn_vulkan__kernel k;
  if (webnn_vulkan__is_one_step(planner, node, &g)) {
    planner->nodes[index].overwrites = g.count > 1; /* else over scale, which is read elsewhere */
    return webnn_vulkan__plan_moments(planner, index, &g, factors, NULL);
  }
  moments = webnn_vulkan__group_scratch(planner, index, 4 * g.count);
  if (!webnn_vulkan__plan_moments(planner, index, &g, factors, &moments)) {
    return false;
  }
  moments.written = false;
  webnn_vulkan__begin(planner, index, &k);
  webnn_vulkan__reads(&k, "x", node->inputs[0]);
  webnn_vulkan__reads_memory(&k, "moments", &moments, WEBNN_FLOAT32);
  webnn_vulkan__write_normal(&k, node, factors);
  webnn_vulkan__writes(&k, "y", node->outputs[0]);
  webnn_vulkan__add_index(&k, "group", &walk);
  webnn_vulkan__text(&k, "float element(uint i) {\n"
                         "  uint g = at_group(i) * 4u;\n"
                         "  return value(i, load_moments(g), load_moments(g + 1u), "
                         "load_moments(g + 2u), load_moments(g + 3u));\n"
                         "}\n");
  k.cost = 8;
  return webnn_vulkan__map(&k, webnn_vulkan__count(planner, node->outputs[0]));
}

/* 8.9.29: an image and channel is a group. */
static bool webnn_vulkan__plan_instance_normalization(webnn_vulkan__planner *planner,
                                                      uint32_t index) {
  const webnn__node *node = &planner->program->nodes[index];
  const uint8_t *axes = webnn__input_axes[node->attributes.input_layout];
  const webnn_vulkan__walk walk =
      webnn_vulkan__channel_walk(webnn_vulkan__shape_in(planner, node, 0), axes[1]);
  uint32_t spatial[2];
  spatial[0] = axes[2];
  spatial[1] = axes[3];
  return webnn_vulkan__plan_normalize(planner, index, spatial, 2, &walk);
}

/* 8.9.30: scale and bias have the dimensions of the axes, in their order. */
static bool webnn_vulkan__plan_layer_normalization(webnn_vulkan__planner *planner, uint32_t index) {
  const webnn__node *node = &planner->program->nodes[index];
  const webnn__shape *shape = webnn_vulkan__shape_in(planner, node, 0);
  const webnn__shape *axes = &node->attributes.axes;
  int64_t strides[WEBNN_MAX_RANK] = {0}, stride = 1;
  webnn_vulkan__walk walk;
  uint32_t i;
  for (i = axes->rank; i-- > 0;) {
    strides[axes->dimensions[i]] = stride;
    stride *= (int64_t)shape->dimensions[axes->dimensions[i]];
  }
  walk = webnn_vulkan__walk_of(shape, strides, 0);
  return webnn_vulkan__plan_normalize(planner, index, axes->dimensions, axes->rank, &walk);
}

/* ---- Planning a node --------------------------------------------------------------------------- */

typedef bool (*webnn_vulkan__plan_function)(webnn_vulkan__planner *planner, uint32_t node);

/* Those of the next file. */
static bool webnn_vulkan__plan_conv2d(webnn_vulkan__planner *planner, uint32_t node);
static bool webnn_vulkan__plan_conv_transpose2d(webnn_vulkan__planner *planner, uint32_t node);
static bool webnn_vulkan__plan_gemm(webnn_vulkan__planner *planner, uint32_t node);
static bool webnn_vulkan__plan_gru(webnn_vulkan__planner *planner, uint32_t node);
static bool webnn_vulkan__plan_gru_cell(webnn_vulkan__planner *planner, uint32_t node);
static bool webnn_vulkan__plan_lstm(webnn_vulkan__planner *planner, uint32_t node);
static bool webnn_vulkan__plan_lstm_cell(webnn_vulkan__planner *planner, uint32_t node);
static bool webnn_vulkan__plan_matmul(webnn_vulkan__planner *planner, uint32_t node);
static bool webnn_vulkan__plan_pool2d(webnn_vulkan__planner *planner, uint32_t node);
static bool webnn_vulkan__plan_resample2d(webnn_vulkan__planner *planner, uint32_t node);
static bool webnn_vulkan__plan_attention(webnn_vulkan__planner *planner, uint32_t node);
static void webnn_vulkan__set_product_target(const webnn_vulkan__traits *traits,
                                             webnn__target *target);

/* For each operator the function of its family: a family without one does not compile. */
#define WEBNN_VULKAN__PLAN(op, c_name, name, section, family, operands, options)                   \
  {WEBNN_OP_##op, webnn_vulkan__plan_##family},
static const struct webnn_vulkan__plan_of {
  webnn_op op;
  webnn_vulkan__plan_function plan;
} webnn_vulkan__plans[] = {
    WEBNN_OPERATORS(WEBNN_VULKAN__PLAN, WEBNN__NOTHING, WEBNN__NOTHING, WEBNN__NOTHING,
                    WEBNN__NOTHING, WEBNN__NOTHING){WEBNN__OP_CHAIN, webnn_vulkan__plan_chain},
    {WEBNN__OP_ATTENTION, webnn_vulkan__plan_attention}};

static bool webnn_vulkan__plan_node(webnn_vulkan__planner *planner, uint32_t node) {
  const webnn_op op = planner->program->nodes[node].op;
  size_t i;
  for (i = 0; i < sizeof webnn_vulkan__plans / sizeof *webnn_vulkan__plans; i++) {
    if (webnn_vulkan__plans[i].op == op) {
      return webnn_vulkan__plans[i].plan(planner, node);
    }
  }
  return webnn_vulkan__plan_fails(planner, node, "no kernel");
}

/* What passes may make of a program for this device. */
static void webnn_vulkan__set_target(const webnn_vulkan__traits *traits, webnn__target *target) {
  const uint32_t room = traits->max_operands > 2 ? traits->max_operands - 2 : 0;
  memset(target, 0, sizeof *target);
  target->chain_ops = WEBNN__CHAIN_OPS;
  target->chain_inputs = room < WEBNN__CHAIN_INPUTS ? room : WEBNN__CHAIN_INPUTS;
  target->chain_outputs = 1;
  target->reduces_chains = true;
  target->chain_types = WEBNN__TYPES_FLOATS_BYTES;
  webnn_vulkan__set_product_target(traits, target);
}

/* ---- Products, convolutions, pools, resampling, recurrent networks ------------------------------

   Kernels and plans of the operators that add up products of their operands' elements, or walk over
   windows of an image. Sums are made in float32, whatever the type, and rounded once. */

/* Names of sizes and strides in the kernels' texts are written large. They are push constants, so
   that shapes share a pipeline. */

/* The float bits of an attribute of the node, which has the type of operand 0. */
static float webnn_vulkan__float_attribute(const webnn_vulkan__planner *planner,
                                           const webnn__node *node, uint64_t bits) {
  return webnn__option_as_float(bits, planner->program->values[node->inputs[0]].data_type);
}

/* Operand i of a node, WEBNN__NONE if it is absent. */
static uint32_t webnn_vulkan__operand_of(const webnn__node *node, uint32_t i) {
  return i < node->input_count ? node->inputs[i] : WEBNN__NONE;
}

/* Memory and what its elements are: a value, or scratch memory of the node. */
typedef struct webnn_vulkan__memory_part {
  webnn_vulkan__operand operand;
  webnn_data_type type;
} webnn_vulkan__memory_part;

static webnn_vulkan__memory_part webnn_vulkan__value_part(const webnn_vulkan__planner *planner,
                                                          uint32_t value) {
  webnn_vulkan__memory_part source;
  source.operand = webnn_vulkan__whole_value(value, false);
  source.type = planner->program->values[value].data_type;
  return source;
}

/* Room for `count` elements of 32 bits of the node's scratch memory. */
static webnn_vulkan__memory_part webnn_vulkan__scratch_part(webnn_vulkan__planner *planner,
                                                            uint32_t node, uint64_t count) {
  const uint64_t bytes = (count * 4 + 15) / 16 * 16;
  webnn_vulkan__memory_part source;
  source.operand =
      webnn_vulkan__scratch_operand(webnn_vulkan__take_scratch(planner, node, bytes), bytes, false);
  source.type = WEBNN_FLOAT32;
  return source;
}

static void webnn_vulkan__reads_part(webnn_vulkan__kernel *k, const char *name,
                                     webnn_vulkan__memory_part source) {
  webnn_vulkan__reads_memory(k, name, &source.operand, source.type);
}

static void webnn_vulkan__writes_part(webnn_vulkan__kernel *k, const char *name,
                                      webnn_vulkan__memory_part source) {
  source.operand.written = true;
  webnn_vulkan__writes_memory(k, name, &source.operand, source.type);
}

/* Words that the plan has worked out. */
static void webnn_vulkan__reads_words(webnn_vulkan__kernel *k, const char *name,
                                      const uint32_t *words, uint32_t count) {
  webnn_vulkan__operand operand;
  memset(&operand, 0, sizeof operand);
  operand.kind = WEBNN_VULKAN__PARAMETERS;
  operand.byte_length = (uint64_t)count * 4;
  if (!webnn_vulkan__put_parameters(k->planner, words, count, &operand.offset)) {
    k->failed = true;
    return;
  }
  webnn_vulkan__reads_memory(k, name, &operand, WEBNN_UINT32);
}

/* ---- Operands of products ------------------------------------------------------------------------

   Floats, or packed integers with scales and zero points, which become floats where they are read:
   (x - zero) scale is never written to memory. All kernels of products read an operand through two
   functions of the text: load_NAME(i) is element i, and NAME_unit(i, v) puts element i and its
   neighbours into v. A unit is 8 elements where rows begin at multiples of 8, else 1. For products
   of bytes elements are integers, and a unit is a word of four bytes, or one byte in a word. */

/* What dequantizeLinear says of an operand: values, and the shape whose blocks they serve. */
typedef struct webnn_vulkan__scaling {
  uint32_t scale, zero;
  const webnn__shape *shape;
} webnn_vulkan__scaling;

typedef enum webnn_vulkan__factor_kind {
  WEBNN_VULKAN__FLOATS,
  WEBNN_VULKAN__SIGNED_BYTES, /* as they are, but uint8 less 128 */
  WEBNN_VULKAN__LESS_ZEROS    /* bytes less their zero points, which are int8 again */
} webnn_vulkan__factor_kind;

typedef struct webnn_vulkan__factor {
  webnn_vulkan__memory_part part;
  const webnn_vulkan__scaling *scaling; /* NULL: floats are what is in memory */
  webnn_vulkan__factor_kind kind;
  bool wide;   /* a unit is 8 floats, or a word */
  bool halves; /* tiles hold float16 */
} webnn_vulkan__factor;

static uint32_t webnn_vulkan__unit_of(const webnn_vulkan__factor *f) {
  return f->wide && f->kind == WEBNN_VULKAN__FLOATS ? 8 : 1;
}

static webnn_vulkan__walk webnn_vulkan__scale_walk(const webnn_vulkan__planner *planner,
                                                   const webnn_vulkan__scaling *s) {
  return webnn_vulkan__block_walk(&planner->program->values[s->zero].shape, s->shape);
}

/* The step from the scale of an element to that of its neighbour, within units of 8: 0 or 1; 2 if
   they are apart in another way. */
static uint32_t webnn_vulkan__scale_step(const webnn_vulkan__planner *planner,
                                         const webnn_vulkan__scaling *s) {
  const webnn_vulkan__walk walk = webnn_vulkan__scale_walk(planner, s);
  const uint32_t last = walk.rank - 1;
  if (walk.rank == 0) {
    return 0;
  }
  return walk.sizes[last] % 8 != 0 || walk.strides[last] > 1 ? 2 : (uint32_t)walk.strides[last];
}

/* uint at_NAME(uint i): which of the blocks element i is in. Sizes are numbers of the text. */
static void webnn_vulkan__put_block_index(webnn_vulkan__kernel *k, const char *name,
                                          const webnn_vulkan__walk *walk) {
  uint32_t d;
  webnn_vulkan__format(k, "uint at_%s(uint i) {\n  uint at = 0u;\n", name);
  for (d = walk->rank; d-- > 0;) {
    if (walk->strides[d] != 0) {
      webnn_vulkan__format(k, "  at += i %% %uu * %uu;\n", (unsigned)walk->sizes[d],
                           (unsigned)walk->strides[d]);
    }
    webnn_vulkan__format(k, "  i = i / %uu;\n", (unsigned)walk->sizes[d]);
  }
  webnn_vulkan__text(k, "  return at;\n}\n");
}

/* A text in which @, $ and # stand for names. */
static void webnn_vulkan__text_of(webnn_vulkan__kernel *k, const char *text, const char *at,
                                  const char *dollar, const char *hash) {
  size_t length;
  for (; *text != 0; text += length + 1) {
    length = strcspn(text, "@$#");
    webnn_vulkan__add_text(k, WEBNN_VULKAN__BODY, text, length);
    if (text[length] == 0) {
      return;
    }
    webnn_vulkan__text(k, text[length] == '@' ? at : text[length] == '$' ? dollar : hash);
  }
}

static void webnn_vulkan__text_for(webnn_vulkan__kernel *k, const char *text, const char *name) {
  webnn_vulkan__text_of(k, text, name, "$", "#");
}

/* A buffer `uvec4 NAME_quads[]`. */
static void webnn_vulkan__reads_quads(webnn_vulkan__kernel *k, const char *name,
                                      const webnn_vulkan__operand *operand) {
  if (k->operand_count >= WEBNN_VULKAN__OPERANDS ||
      k->operand_count >= k->planner->traits->max_operands) {
    (void)webnn_vulkan__kernel_fails(k, "too many operands for one kernel");
    return;
  }
  webnn_vulkan__put(k, WEBNN_VULKAN__BINDINGS,
                    "layout(std430, set = 0, binding = %u) readonly buffer Buffer%u { uvec4 "
                    "%s_quads[]; };\n",
                    (unsigned)k->operand_count, (unsigned)k->operand_count, name);
  k->operands[k->operand_count++] = *operand;
}

static const char *const webnn_vulkan__unit_text =
    "void spread(vec4 p, vec4 q, out float v[8]) {\n"
    "  v[0] = p.x; v[1] = p.y; v[2] = p.z; v[3] = p.w;\n"
    "  v[4] = q.x; v[5] = q.y; v[6] = q.z; v[7] = q.w;\n"
    "}\n"
    /* 2^23 + x for small x: without a conversion, and exact. */
    "vec4 numbers(uvec4 x) { return uintBitsToFloat(x | 0x4b000000u); }\n"
    /* Each byte of w less that of z. */
    "uint less_bytes(uint w, uint z) {\n"
    "  return (w | 0x80808080u) - (z & 0x7f7f7f7fu) ^ (w ^ ~z) & 0x80808080u;\n"
    "}\n";

static void webnn_vulkan__put_floats(webnn_vulkan__kernel *k, const char *name,
                                     const webnn_vulkan__factor *f) {
  if (!f->wide) {
    webnn_vulkan__reads_part(k, name, f->part);
    webnn_vulkan__text_for(k, "void @_unit(uint i, out float v[1]) {\n  v[0] = load_@(i);\n}\n",
                           name);
    return;
  }
  webnn_vulkan__reads_quads(k, name, &f->part.operand);
  webnn_vulkan__text_for(
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
static void webnn_vulkan__put_packed_unit(webnn_vulkan__kernel *k, const char *name,
                                          const webnn_vulkan__factor *f) {
  const uint32_t bits = (uint32_t)webnn_data_type_bits(f->part.type);
  const bool is_signed = f->part.type == WEBNN_INT8 || f->part.type == WEBNN_INT4;
  const uint32_t flip = !is_signed ? 0 : bits == 8 ? 0x80808080U : 0x88888888U;
  webnn_vulkan__text_for(k,
                         "void @_scales(uint i, out float s[8], out float z[8]) {\n"
                         "  uint at = at_@_zero(i);\n"
                         "  for (uint j = 0u; j < 8u; j++) {\n",
                         name);
  webnn_vulkan__text_for(k,
                         webnn_vulkan__scale_step(k->planner, f->scaling) == 1
                             ? "    s[j] = load_@_scale(at + j);\n"
                               "    z[j] = float(int(load_@_zero(at + j))"
                             : "    s[j] = j == 0u ? load_@_scale(at) : s[0];\n"
                               "    z[j] = j > 0u ? z[0] : float(int(load_@_zero(at))",
                         name);
  webnn_vulkan__format(k, " + %u);\n  }\n}\n", 8388608U + (!is_signed ? 0 : bits == 8 ? 128 : 8));
  webnn_vulkan__text_for(k, "void @_raw(uint i, float s[8], float z[8], out float v[8]) {\n", name);
  if (bits == 8) {
    webnn_vulkan__format(k,
                         "  uint p = %s_packed_words[i >> 2] ^ %uu;\n"
                         "  uint q = %s_packed_words[(i >> 2) + 1u] ^ %uu;\n"
                         "  spread(numbers(uvec4(p, p >> 8, p >> 16, p >> 24) & 255u),\n"
                         "         numbers(uvec4(q, q >> 8, q >> 16, q >> 24) & 255u), v);\n",
                         name, (unsigned)flip, name, (unsigned)flip);
  } else {
    webnn_vulkan__format(k,
                         "  uint p = %s_packed_words[i >> 3] ^ %uu;\n"
                         "  spread(numbers(uvec4(p, p >> 4, p >> 8, p >> 12) & 15u),\n"
                         "         numbers(uvec4(p >> 16, p >> 20, p >> 24, p >> 28) & 15u), v);\n",
                         name, (unsigned)flip);
  }
  webnn_vulkan__text_for(k,
                         "  for (uint j = 0u; j < 8u; j++) { v[j] = (v[j] - z[j]) * s[j]; }\n"
                         "}\n"
                         "void @_unit(uint i, out float v[8]) {\n"
                         "  float s[8];\n"
                         "  float z[8];\n"
                         "  @_scales(i, s, z);\n"
                         "  @_raw(i, s, z, v);\n"
                         "}\n",
                         name);
}

/* Units of bytes: four in a word, or one. */
static void webnn_vulkan__put_bytes(webnn_vulkan__kernel *k, const char *name,
                                    const webnn_vulkan__factor *f) {
  webnn_vulkan__text_for(k, "int load_@(uint i) { return less_zero_@(i); }\n", name);
  webnn_vulkan__text_for(k, "void @_unit(uint i, out uint v[1]) {\n", name);
  if (f->kind == WEBNN_VULKAN__SIGNED_BYTES) {
    webnn_vulkan__text_for(
        k, f->wide ? "  v[0] = @_packed_words[i >> 2]" : "  v[0] = uint(load_@_packed(i)) & 255u",
        name);
    webnn_vulkan__text(k, f->part.type != WEBNN_UINT8 ? ";\n}\n"
                          : f->wide                   ? " ^ 0x80808080u;\n}\n"
                                                      : " ^ 128u;\n}\n");
  } else {
    webnn_vulkan__text_for(
        k,
        f->wide ? "  uint zero = (uint(load_@_zero(at_@_zero(i))) & 255u) * 0x01010101u;\n"
                  "  v[0] = less_bytes(@_packed_words[i >> 2], zero);\n}\n"
                : "  v[0] = uint(less_zero_@(i)) & 255u;\n}\n",
        name);
  }
}

/* Packed numbers as floats, or as integers. */
static void webnn_vulkan__put_packed(webnn_vulkan__kernel *k, const char *name,
                                     const webnn_vulkan__factor *f) {
  const webnn_vulkan__walk walk = webnn_vulkan__scale_walk(k->planner, f->scaling);
  char packed[32], scale[32], zero[32];
  (void)snprintf(packed, sizeof packed, "%s_packed", name);
  (void)snprintf(scale, sizeof scale, "%s_scale", name);
  (void)snprintf(zero, sizeof zero, "%s_zero", name);
  webnn_vulkan__reads_part(k, packed, f->part);
  webnn_vulkan__reads(k, zero, f->scaling->zero);
  webnn_vulkan__put_block_index(k, zero, &walk);
  webnn_vulkan__text_for(k,
                         "int less_zero_@(uint i) { return int(load_@_packed(i)) - "
                         "int(load_@_zero(at_@_zero(i))); }\n",
                         name);
  if (f->kind != WEBNN_VULKAN__FLOATS) {
    webnn_vulkan__put_bytes(k, name, f);
    return;
  }
  webnn_vulkan__reads(k, scale, f->scaling->scale);
  webnn_vulkan__text_for(k,
                         "float load_@(uint i) {\n"
                         "  return float(less_zero_@(i)) * load_@_scale(at_@_zero(i));\n"
                         "}\n",
                         name);
  if (f->wide) {
    webnn_vulkan__put_packed_unit(k, name, f);
  } else {
    webnn_vulkan__text_for(k, "void @_unit(uint i, out float v[1]) {\n  v[0] = load_@(i);\n}\n",
                           name);
  }
}

/* What tiles load: units as they are, or as float16, 8 in four words or a single one. */
static void webnn_vulkan__put_loads(webnn_vulkan__kernel *k, const char *name,
                                    const webnn_vulkan__factor *f) {
  if (!f->halves) {
    webnn_vulkan__text_for(k, "#define @_load @_unit\n", name);
  } else if (!f->wide) {
    webnn_vulkan__text_for(k,
                           "void @_load(uint i, out float16_t v[1]) {\n"
                           "  v[0] = float16_t(load_@(i));\n"
                           "}\n",
                           name);
  } else if (f->scaling == NULL && f->part.type == WEBNN_FLOAT16) {
    webnn_vulkan__text_for(
        k, "void @_load(uint i, out uvec4 v[1]) {\n  v[0] = @_quads[i >> 3];\n}\n", name);
  } else {
    webnn_vulkan__text_for(k,
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
static void webnn_vulkan__put_factors(webnn_vulkan__kernel *k, const char *const *names,
                                      const webnn_vulkan__factor *factors) {
  uint32_t i;
  webnn_vulkan__text(k, webnn_vulkan__unit_text);
  for (i = 0; i < 2; i++) {
    if (factors[i].scaling != NULL) {
      webnn_vulkan__put_packed(k, names[i], &factors[i]);
    } else {
      webnn_vulkan__put_floats(k, names[i], &factors[i]);
    }
    webnn_vulkan__put_loads(k, names[i], &factors[i]);
  }
}

/* Operand i, 0 or 1, of a node that is a product. `scaling` is filled if it is packed. */
static webnn_vulkan__factor webnn_vulkan__factor_of(const webnn_vulkan__planner *planner,
                                                    const webnn__node *node, uint32_t i,
                                                    webnn_vulkan__scaling *scaling) {
  const uint32_t scale = WEBNN__X_SCALE + 2 * i;
  webnn_vulkan__factor f;
  memset(&f, 0, sizeof f);
  f.part = webnn_vulkan__value_part(planner, node->inputs[i]);
  if (node->fused != NULL && webnn_vulkan__operand_of(node, scale) != WEBNN__NONE) {
    scaling->scale = node->inputs[scale];
    scaling->zero = node->inputs[scale + 1];
    scaling->shape = &planner->program->values[node->inputs[i]].shape;
    f.scaling = scaling;
    f.kind = !node->fused->quantized ? WEBNN_VULKAN__FLOATS
             : i == 0                ? WEBNN_VULKAN__SIGNED_BYTES
                                     : WEBNN_VULKAN__LESS_ZEROS;
  }
  return f;
}

/* May tiles hold float16? Where results are float16, and in relaxed contexts. */
static bool webnn_vulkan__are_halves(const webnn_vulkan__traits *traits,
                                     const webnn_vulkan__factor *factors, webnn_data_type type) {
  return factors[0].kind == WEBNN_VULKAN__FLOATS && (type == WEBNN_FLOAT16 || traits->relaxed) &&
         (factors[0].scaling != NULL || factors[0].part.type == WEBNN_FLOAT16 || traits->relaxed) &&
         (factors[1].scaling != NULL || factors[1].part.type == WEBNN_FLOAT16 || traits->relaxed);
}

/* Can whole units of the operand be loaded? `neighbours`: elements along the depth, or the columns,
   are neighbours in memory; `strides`: all other strides and their number, or'ed. */
static bool webnn_vulkan__loads_wide(const webnn_vulkan__planner *planner,
                                     const webnn_vulkan__factor *f, bool neighbours,
                                     uint64_t strides) {
  if (f->kind != WEBNN_VULKAN__FLOATS) {
    return neighbours && strides % 4 == 0;
  }
  return neighbours && strides % 8 == 0 &&
         (f->scaling == NULL ? !planner->traits->is_cpu
                             : webnn_vulkan__scale_step(planner, f->scaling) < 2);
}

/* ---- What follows a product of bytes ---- */

/* Number i of constants that are bytes, int32 or floats; the only one if there is but one; 0 of none. */
static double webnn_vulkan__constant_at(const webnn_vulkan__planner *planner, uint32_t value,
                                        uint64_t i) {
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
static void webnn_vulkan__add_weights(const webnn_vulkan__planner *planner, const webnn__node *node,
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
        (uint32_t)(int32_t)(webnn_vulkan__constant_at(planner, node->inputs[1], i) -
                            webnn_vulkan__constant_at(planner, node->inputs[WEBNN__W_ZERO],
                                                      channel));
  }
}

/* The axis of the weights along which the outputs lie. */
static uint32_t webnn_vulkan__output_axis(const webnn_vulkan__planner *planner,
                                          const webnn__node *node) {
  const uint32_t rank = planner->program->values[node->inputs[1]].shape.rank;
  const webnn__attributes *t = &node->attributes;
  return node->op == WEBNN_OP_CONV2D                   ? webnn__filter_axes[t->filter_layout][0]
         : node->op == WEBNN_OP_GEMM && t->b_transpose ? rank - 2
                                                       : rank - 1;
}

/* For each output channel three words: with which number a sum of tiles begins, since there x is
   not less its zero point; and scale and bias in units of the result. */
static void webnn_vulkan__put_channels(webnn_vulkan__kernel *k, const webnn__node *node) {
  const webnn_vulkan__planner *planner = k->planner;
  const uint32_t axis = webnn_vulkan__output_axis(planner, node);
  const uint32_t count = planner->program->values[node->inputs[1]].shape.dimensions[axis];
  const uint32_t y_scale = node->inputs[WEBNN__Y_SCALE];
  const bool flips = planner->program->values[node->inputs[0]].data_type == WEBNN_UINT8;
  const double unit = y_scale != WEBNN__NONE ? webnn_vulkan__constant_at(planner, y_scale, 0) : 1;
  const int32_t zero = (int32_t)webnn_vulkan__constant_at(planner, node->inputs[WEBNN__X_ZERO], 0) -
                       (flips ? 128 : 0);
  uint32_t *words = (uint32_t *)webnn__arena_take(planner->arena, (uint64_t)count * 12), i;
  if (words == NULL) {
    k->failed = true;
    (void)webnn_vulkan__plan_lacks_memory(k->planner);
    return;
  }
  webnn_vulkan__add_weights(planner, node, axis, words);
  for (i = 0; i < count; i++) {
    const double bias = webnn_vulkan__constant_at(planner, node->inputs[2], i) -
                        webnn_vulkan__constant_at(planner, node->inputs[WEBNN__BIAS_ZERO], i);
    const double bias_scale =
        node->inputs[WEBNN__BIAS_SCALE] == WEBNN__NONE
            ? 1
            : webnn_vulkan__constant_at(planner, node->inputs[WEBNN__BIAS_SCALE], i);
    const double scale = webnn_vulkan__constant_at(planner, node->inputs[WEBNN__X_SCALE], 0) *
                         webnn_vulkan__constant_at(planner, node->inputs[WEBNN__W_SCALE], i);
    words[3 * i] = 0U - (uint32_t)zero * words[3 * i];
    words[3 * i + 1] = webnn__bits_of_float((float)(scale / unit));
    words[3 * i + 2] = webnn__bits_of_float((float)(bias * bias_scale / unit));
  }
  webnn_vulkan__reads_words(k, "channel", words, count * 3);
  webnn_vulkan__format(k, "const uint X_OUTSIDE = %uu;\n", ((uint32_t)zero & 255) * 0x01010101U);
}

/* finish(sum) is the sum times the scale, plus the bias, within the bounds, in float32; as a byte
   that is rounded, and the zero point added. What leaves the range of bytes is bounded before. */
static void webnn_vulkan__put_ending_of_bytes(webnn_vulkan__kernel *k, const webnn__node *node) {
  const webnn_vulkan__planner *planner = k->planner;
  const webnn_data_type type = planner->program->values[node->outputs[0]].data_type;
  const char *name = webnn_vulkan__type_name(type);
  float low = node->fused->low, high = node->fused->high;
  int32_t zero = 0;
  if (type != WEBNN_FLOAT32) {
    const float unit = (float)webnn_vulkan__constant_at(planner, node->inputs[WEBNN__Y_SCALE], 0);
    const int32_t top = type == WEBNN_INT8 ? 128 : 0;
    float least, most;
    zero = (int32_t)webnn_vulkan__constant_at(planner, node->inputs[WEBNN__Y_ZERO], 0);
    least = (float)(-top - zero);
    most = (float)(255 - top - zero);
    low = low / unit > least ? low / unit : least;
    low = low < most ? low : most;
    high = high / unit < most ? high / unit : most;
    high = high > least ? high : least;
  }
  webnn_vulkan__put_channels(k, node);
  webnn_vulkan__push_float(k, "LOW", low);
  webnn_vulkan__push_float(k, "HIGH", high);
  webnn_vulkan__push_int(k, "ZERO", zero);
  webnn_vulkan__format(k,
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
typedef struct webnn_vulkan__ending {
  uint32_t c, residual;
  uint32_t c_row, c_column; /* strides of c */
  float alpha, beta, low, high;
  const webnn__node *bytes; /* the product is one of bytes */
} webnn_vulkan__ending;

static bool webnn_vulkan__is_of_bytes(const webnn__node *node) {
  return node->fused != NULL && node->fused->quantized;
}

/* That of a node with product number operands; the strides of c are left 0. */
static webnn_vulkan__ending webnn_vulkan__ending_of(const webnn__node *node) {
  webnn_vulkan__ending f;
  f.c = webnn_vulkan__operand_of(node, 2);
  f.residual = node->fused != NULL ? webnn_vulkan__operand_of(node, 3) : WEBNN__NONE;
  f.c_row = f.c_column = 0;
  f.alpha = f.beta = 1.0f;
  f.low = node->fused != NULL ? node->fused->low : webnn__float_of_bits(0xff800000U);
  f.high = node->fused != NULL ? node->fused->high : webnn__float_of_bits(0x7f800000U);
  f.bytes = webnn_vulkan__is_of_bytes(node) ? node : NULL;
  return f;
}

/* float finish(float sum, uint i, uint row, uint column) for element i of the result. */
static void webnn_vulkan__put_ending(webnn_vulkan__kernel *k, const webnn_vulkan__ending *f) {
  if (f->bytes != NULL) {
    webnn_vulkan__put_ending_of_bytes(k, f->bytes);
    return;
  }
  if (f->c != WEBNN__NONE) {
    webnn_vulkan__reads(k, "c", f->c);
    webnn_vulkan__push(k, "C_ROW", f->c_row);
    webnn_vulkan__push(k, "C_COLUMN", f->c_column);
  }
  if (f->residual != WEBNN__NONE) {
    webnn_vulkan__reads(k, "residual", f->residual);
  }
  webnn_vulkan__text(k, "float finish(float sum, uint i, uint row, uint column) {\n");
  if (f->alpha != 1.0f) {
    webnn_vulkan__push_float(k, "ALPHA", f->alpha);
    webnn_vulkan__text(k, "  sum = ALPHA * sum;\n");
  }
  if (f->c != WEBNN__NONE && f->beta != 1.0f) {
    webnn_vulkan__push_float(k, "BETA", f->beta);
    webnn_vulkan__text(k, "  sum = sum + BETA * load_c(row * C_ROW + column * C_COLUMN);\n");
  } else if (f->c != WEBNN__NONE) {
    webnn_vulkan__text(k, "  sum = sum + load_c(row * C_ROW + column * C_COLUMN);\n");
  }
  if (f->residual != WEBNN__NONE) {
    webnn_vulkan__text(k, "  sum = sum + load_residual(i);\n");
  }
  if (f->low >= -3.402823466e38f) {
    webnn_vulkan__push_float(k, "LOW", f->low);
    webnn_vulkan__text(k, "  sum = sum < LOW ? LOW : sum;\n");
  }
  if (f->high <= 3.402823466e38f) {
    webnn_vulkan__push_float(k, "HIGH", f->high);
    webnn_vulkan__text(k, "  sum = sum > HIGH ? HIGH : sum;\n");
  }
  webnn_vulkan__text(k, "  return sum;\n}\n");
}

/* What all kernels compute with: sums are floats, or integers for products of bytes, whose terms in
   tiles are words of four. */
static void webnn_vulkan__put_arithmetic(webnn_vulkan__kernel *k, bool bytes) {
  const bool dots = bytes && k->planner->traits->dot_products;
  k->extensions = dots ? "#extension GL_EXT_control_flow_attributes : require\n"
                         "#extension GL_EXT_integer_dot_product : require\n"
                       : "#extension GL_EXT_control_flow_attributes : require\n";
  if (!bytes) {
    webnn_vulkan__text(k, "#define ELEMENT float\n#define QUAD vec4\n#define SUM float\n"
                          "#define FOUR vec4\n"
                          "float add_one(float a, float b, float s) { return fma(a, b, s); }\n"
                          "float add_term(float a, float b, float s) { return fma(a, b, s); }\n");
    return;
  }
  webnn_vulkan__text(k, "#define ELEMENT uint\n#define QUAD uvec4\n#define SUM int\n"
                        "#define FOUR ivec4\n"
                        "int add_one(int a, int b, int s) { return s + a * b; }\n");
  webnn_vulkan__text(k, dots ? "int add_term(uint a, uint b, int s) {\n"
                               "  return s + dotPacked4x8EXT(int(a), int(b));\n"
                               "}\n"
                             : "int add_term(uint a, uint b, int s) {\n"
                               "  ivec4 p = ivec4(uvec4(a << 24, a << 16, a << 8, a)) >> 24;\n"
                               "  p *= ivec4(uvec4(b << 24, b << 16, b << 8, b)) >> 24;\n"
                               "  return s + (p.x + p.y + p.z + p.w);\n"
                               "}\n");
  webnn_vulkan__text(k, "ivec4 add_terms(uint a, uvec4 b, ivec4 s) {\n"
                        "  return ivec4(add_term(a, b.x, s.x), add_term(a, b.y, s.y),\n"
                        "               add_term(a, b.z, s.z), add_term(a, b.w, s.w));\n"
                        "}\n");
}

/* ---- Products in tiles ----------------------------------------------------------------------------

   A workgroup computes a tile of TILE_ROWS x TILE_COLUMNS of y in steps of TILE_STEP terms: it
   brings parts of a and b into shared memory, and each invocation adds up ROWS_EACH x COLUMNS_EACH
   sums in registers, in fours of neighbouring rows and of neighbouring columns. GPUs load the next
   step while they compute one. Where the fours of a row of y do not make whole words, or where there
   are too few tiles for a device, terms are split among workgroups: sums go to scratch memory, and a
   second kernel adds them up and finishes them. */

/* Where elements of a and b are, and what becomes of a sum, are functions of the text: begin_a(batch)
   and UNIT_A(begin, row, k, v), the same of b, and tile_end. `put` writes them, and whatever they
   read. Of bytes a term is a word of four. */
typedef struct webnn_vulkan__tiled {
  uint32_t node, rows, columns, depth;
  uint64_t batches;
  uint32_t y_batch, y_row; /* strides of y */
  bool bytes;
  bool places;                       /* the text has place_of: where element i of y is */
  bool scattered;                    /* neighbouring columns are not neighbours in y */
  bool a_along_depth, b_along_depth; /* neighbouring terms are neighbours in memory */
  uint32_t a_unit, b_unit;
  webnn_vulkan__memory_part y;
  uint64_t elements; /* of y */
  void (*put)(webnn_vulkan__kernel *k, const void *user);
  const void *user;
  bool halves; /* cooperative matrices of float16 will do */
  uint32_t tile_rows, tile_columns, rows_each, columns_each; /* the rest is worked out */
  uint32_t tile_step;
  const webnn_vulkan__matrix_shape *matrix; /* rows_each and columns_each are those of a subgroup */
  uint32_t splits, split_depth;
} webnn_vulkan__tiled;

#define WEBNN_VULKAN__TILE_STEP 16

static uint64_t webnn_vulkan__tile_count(const webnn_vulkan__tiled *p) {
  return p->batches * ((p->rows + p->tile_rows - 1) / p->tile_rows) *
         ((p->columns + p->tile_columns - 1) / p->tile_columns);
}

static void webnn_vulkan__set_tile(webnn_vulkan__tiled *p, uint32_t size, uint32_t each) {
  p->tile_rows = p->tile_columns = size;
  p->rows_each = p->columns_each = each;
}

/* How many elements of y a word has. */
static uint32_t webnn_vulkan__elements_of_word(const webnn_vulkan__tiled *p) {
  return 32 / (uint32_t)webnn_data_type_bits(p->y.type);
}

/* One operand's part of a tile, @ in lower and $ in upper case, whose rows or columns are #: unit
   number `unit` of this invocation is loaded by fetch_@ and put into half `side` by keep_@. */
static const char *const webnn_vulkan__fetch_text =
    "void place_@(uint unit, out uint r, out uint k) {\n"
    "  uint e = unit * INVOCATIONS + gl_LocalInvocationID.x;\n"
    "  if ($_ALONG_DEPTH == 0u) {\n"
    "    r = e % (TILE_# / $_UNIT) * $_UNIT;\n"
    "    k = e / (TILE_# / $_UNIT);\n"
    "  } else if ($_UNIT == 1u || MATRICES == 1u) {\n"
    "    r = e / (TILE_STEP / $_UNIT);\n"
    "    k = e % (TILE_STEP / $_UNIT) * $_UNIT;\n"
    "  } else {\n"
    "    r = e % TILE_#;\n"
    "    k = e / TILE_# * $_UNIT;\n"
    "  }\n"
    "}\n"
    "void fetch_@(uint unit, uint begin, uint first, uint from, uint to,\n"
    "             out $_TYPE v[$_LENGTH]) {\n"
    "  uint r;\n"
    "  uint k;\n"
    "  place_@(unit, r, k);\n"
    "  if (first + r < # && from + k < to) {\n"
    "    UNIT_$(begin, first + r, from + k, v);\n"
    "  } else {\n"
    "    for (uint j = 0u; j < $_LENGTH; j++) { v[j] = $_TYPE(0); }\n"
    "  }\n"
    "}\n";

/* What is put is in fours of neighbouring rows. */
static const char *const webnn_vulkan__keep_text =
    "shared QUAD @_tile[HALVES * TILE_STEP * TILE_# / 4u];\n"
    "void keep_@(uint unit, uint side, ELEMENT v[$_UNIT]) {\n"
    "  uint r;\n"
    "  uint k;\n"
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

/* Where the tile, and this invocation's part of it, are. */
static const char *const webnn_vulkan__tile_run_text =
    "void run(uint group) {\n"
    "  uint tiles = (COLUMNS + TILE_COLUMNS - 1u) / TILE_COLUMNS;\n"
    "  uint column = group % tiles * TILE_COLUMNS;\n"
    "  uint rest = group / tiles;\n"
    "  tiles = (ROWS + TILE_ROWS - 1u) / TILE_ROWS;\n"
    "  uint row = rest % tiles * TILE_ROWS;\n"
    "  rest = rest / tiles;\n"
    "  uint split = rest % SPLITS;\n"
    "  uint batch = rest / SPLITS;\n"
    "  uint at_a = begin_a(batch);\n"
    "  uint at_b = begin_b(batch);\n"
    "  uint from = split * SPLIT_DEPTH;\n"
    "  uint to = min(DEPTH, from + SPLIT_DEPTH);\n"
    "  uint side = 0u;\n"
    "  uint my_row = OWNER / (TILE_COLUMNS / COLUMNS_EACH) * ROWS_APART;\n"
    "  uint my_column = OWNER % (TILE_COLUMNS / COLUMNS_EACH) * COLUMNS_APART;\n";

/* Units of a step: each is loaded and put into shared memory at once; or only loaded into variables
   of its own, or only put. */
static void webnn_vulkan__put_units(webnn_vulkan__kernel *k, const webnn_vulkan__tiled *p,
                                    const char *from, bool loads, bool keeps) {
  uint32_t which, u;
  for (which = 0; which < 2; which++) {
    const char name = which == 0 ? 'a' : 'b', upper = which == 0 ? 'A' : 'B';
    const char *first = which == 0 ? "row" : "column";
    const uint32_t unit = which == 0 ? p->a_unit : p->b_unit;
    const uint32_t count =
        p->tile_step * (which == 0 ? p->tile_rows : p->tile_columns) / unit / k->local;
    if (loads && keeps) {
      webnn_vulkan__format(k,
                           "    [[dont_unroll]] for (uint u = 0u; u < %uu; u++) {\n"
                           "      %c_TYPE v[%c_LENGTH];\n"
                           "      fetch_%c(u, at_%c, %s, %s, to, v);\n"
                           "      keep_%c(u, side, v);\n"
                           "    }\n",
                           (unsigned)count, upper, upper, name, name, first, from, name);
      continue;
    }
    for (u = 0; u < count; u++) {
      if (loads) {
        webnn_vulkan__format(k, "    fetch_%c(%uu, at_%c, %s, %s, to, %c%u);\n", name, (unsigned)u,
                             name, first, from, name, (unsigned)u);
      } else if (keeps) {
        webnn_vulkan__format(k, "    keep_%c(%uu, side, %c%u);\n", name, (unsigned)u, name,
                             (unsigned)u);
      } else {
        webnn_vulkan__format(k, "  %c_TYPE %c%u[%c_LENGTH];\n", upper, name, (unsigned)u, upper);
      }
    }
  }
}

/* What an invocation adds up of a step: all sums are variables of their own. */
static void webnn_vulkan__put_tile_sums(webnn_vulkan__kernel *k, const webnn_vulkan__tiled *p) {
  const uint32_t rows = p->rows_each / 4, columns = p->columns_each / 4;
  uint32_t i, j;
  webnn_vulkan__text(k, "    for (uint k = 0u; k < TILE_STEP; k++) {\n"
                        "      uint a_from = ((side * TILE_STEP + k) * TILE_ROWS + my_row) / 4u;\n"
                        "      uint b_from = ((side * TILE_STEP + k) * TILE_COLUMNS + my_column) / "
                        "4u;\n");
  for (i = 0; i < rows; i++) {
    webnn_vulkan__format(k, "      QUAD p%u = a_tile[a_from + %uu];\n", (unsigned)i,
                         (unsigned)(i * (p->tile_rows / p->rows_each)));
  }
  for (j = 0; j < columns; j++) {
    webnn_vulkan__format(k, "      QUAD q%u = b_tile[b_from + %uu];\n", (unsigned)j,
                         (unsigned)(j * (p->tile_columns / p->columns_each)));
  }
  for (i = 0; i < 4 * rows; i++) {
    for (j = 0; j < columns; j++) {
      webnn_vulkan__format(k,
                           p->bytes ? "      s%u_%u = add_terms(p%u.%c, q%u, s%u_%u);\n"
                                    : "      s%u_%u = fma(vec4(p%u.%c), q%u, s%u_%u);\n",
                           (unsigned)i, (unsigned)j, (unsigned)(i / 4), "xyzw"[i % 4], (unsigned)j,
                           (unsigned)i, (unsigned)j);
    }
  }
  webnn_vulkan__text(k, "    }\n");
}

/* ---- Cooperative matrices ----

   With float16 operands a subgroup has ROWS_EACH x COLUMNS_EACH sums, in matrices whose elements
   its invocations share: a step brings float16 into shared memory, rows or columns of the tile with
   8 unused elements behind each, and the matrices are loaded from there. At the end they go through
   shared memory one by one, to be finished like other sums. */

/* The names by which the kernel knows matrices. A test that has none may give others. */
#define WEBNN_VULKAN__COOPERATIVE_NAMES                                                            \
  "#define LEFT coopmat<float16_t, gl_ScopeSubgroup, M, K, gl_MatrixUseA>\n"                       \
  "#define RIGHT coopmat<float16_t, gl_ScopeSubgroup, K, N, gl_MatrixUseB>\n"                      \
  "#define SUMS coopmat<float, gl_ScopeSubgroup, M, N, gl_MatrixUseAccumulator>\n"                 \
  "#define NO_SUMS SUMS(0.0)\n"                                                                    \
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
#ifndef WEBNN_VULKAN__MATRIX_NAMES
#define WEBNN_VULKAN__MATRIX_NAMES WEBNN_VULKAN__COOPERATIVE_NAMES
#endif

static const char *const webnn_vulkan__matrix_extensions =
    "#extension GL_EXT_control_flow_attributes : require\n"
    "#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require\n"
    "#extension GL_KHR_memory_scope_semantics : require\n"
    "#extension GL_KHR_shader_subgroup_basic : require\n"
    "#extension GL_KHR_cooperative_matrix : require\n";

static const char *const webnn_vulkan__matrix_keep_text =
    "const uint $_LINE = ($_ALONG_DEPTH == 1u ? TILE_STEP : TILE_#) + 8u;\n"
    "const uint $_SIDE = ($_ALONG_DEPTH == 1u ? TILE_# : TILE_STEP) * $_LINE;\n"
    "shared $_TYPE @_tile[HALVES * $_SIDE / $_UNIT];\n"
    "void keep_@(uint unit, uint side, $_TYPE v[$_LENGTH]) {\n"
    "  uint r;\n"
    "  uint k;\n"
    "  place_@(unit, r, k);\n"
    "  uint at = $_ALONG_DEPTH == 1u ? r * $_LINE + k : k * $_LINE + r;\n"
    "  @_tile[(side * $_SIDE + at) / $_UNIT] = v[0];\n"
    "}\n";

static const char *const webnn_vulkan__matrix_end_text =
    "shared float sums[INVOCATIONS / SUBGROUP * M * N];\n"
    "void put_sums(uint batch, uint split, uint row, uint column) {\n"
    "  for (uint e = gl_SubgroupInvocationID * 4u; e < M * N; e += SUBGROUP * 4u) {\n"
    "    uint at = gl_SubgroupID * M * N + e;\n"
    "    vec4 four = vec4(sums[at], sums[at + 1u], sums[at + 2u], sums[at + 3u]);\n"
    "    put_four(batch, split, row + e / N, column + e % N, four);\n"
    "  }\n"
    "}\n";

/* Left matrices are M x K, right ones K x N. */
static void webnn_vulkan__put_matrix_sums(webnn_vulkan__kernel *k, const webnn_vulkan__tiled *p) {
  const uint32_t rows = p->rows_each / p->matrix->m, columns = p->columns_each / p->matrix->n;
  uint32_t i, j;
  webnn_vulkan__text(k, "    for (uint k = 0u; k < TILE_STEP; k += K) {\n"
                        "      uint p_at = side * A_SIDE;\n"
                        "      p_at += A_ALONG_DEPTH == 1u ? my_row * A_LINE + k\n"
                        "                                  : k * A_LINE + my_row;\n"
                        "      uint q_at = side * B_SIDE;\n"
                        "      q_at += B_ALONG_DEPTH == 1u ? my_column * B_LINE + k\n"
                        "                                  : k * B_LINE + my_column;\n");
  for (i = 0; i < rows; i++) {
    webnn_vulkan__format(
        k,
        "      LEFT p%u;\n"
        "      load_left(p%u, A_TILE (p_at + %uu%s) / A_UNIT, A_LINE / A_UNIT, %s);\n",
        (unsigned)i, (unsigned)i, (unsigned)(i * p->matrix->m), p->a_along_depth ? " * A_LINE" : "",
        p->a_along_depth ? "BY_ROWS" : "BY_COLUMNS");
  }
  for (j = 0; j < columns; j++) {
    webnn_vulkan__format(
        k,
        "      RIGHT q%u;\n"
        "      load_right(q%u, B_TILE (q_at + %uu%s) / B_UNIT, B_LINE / B_UNIT, %s);\n",
        (unsigned)j, (unsigned)j, (unsigned)(j * p->matrix->n), p->b_along_depth ? " * B_LINE" : "",
        p->b_along_depth ? "BY_COLUMNS" : "BY_ROWS");
  }
  for (i = 0; i < rows; i++) {
    for (j = 0; j < columns; j++) {
      webnn_vulkan__format(k, "      s%u_%u IS product_sum(p%u, q%u, s%u_%u);\n", (unsigned)i,
                           (unsigned)j, (unsigned)i, (unsigned)j, (unsigned)i, (unsigned)j);
    }
  }
  webnn_vulkan__text(k, "    }\n");
}

static void webnn_vulkan__put_matrix_end(webnn_vulkan__kernel *k, const webnn_vulkan__tiled *p) {
  const uint32_t rows = p->rows_each / p->matrix->m, columns = p->columns_each / p->matrix->n;
  uint32_t i, j;
  for (i = 0; i < rows; i++) {
    for (j = 0; j < columns; j++) {
      webnn_vulkan__format(k,
                           "  store_sums(s%u_%u, OF_SUMS gl_SubgroupID * M * N, N, BY_ROWS);\n"
                           "  barrier();\n"
                           "  put_sums(batch, split, row + my_row + %uu, column + my_column + "
                           "%uu);\n"
                           "  barrier();\n",
                           (unsigned)i, (unsigned)j, (unsigned)(i * p->matrix->m),
                           (unsigned)(j * p->matrix->n));
    }
  }
  webnn_vulkan__text(k, "}\n");
}

/* Are there matrices for this product? Those of 16 x 16 x 16 only: where a device has them, in
   subgroups whose size can be asked for, they are faster than its other units; devices that only
   have smaller ones are known where they are not. */
static const webnn_vulkan__matrix_shape *
webnn_vulkan__matrix_for(const webnn_vulkan__traits *traits, const webnn_vulkan__tiled *p) {
  const uint32_t size = traits->subgroup_size;
  uint32_t i;
  if (!p->halves || !traits->float16 || size == 0 || size < traits->least_subgroup ||
      size > traits->most_subgroup || p->rows < 32 || p->columns < 32 || p->depth < 32) {
    return NULL;
  }
  for (i = 0; i < traits->matrix_shape_count; i++) {
    const webnn_vulkan__matrix_shape *shape = &traits->matrix_shapes[i];
    if (shape->a == VK_COMPONENT_TYPE_FLOAT16_KHR && shape->b == VK_COMPONENT_TYPE_FLOAT16_KHR &&
        shape->c == VK_COMPONENT_TYPE_FLOAT32_KHR &&
        shape->result == VK_COMPONENT_TYPE_FLOAT32_KHR && shape->m == 16 && shape->n == 16 &&
        shape->k == 16) {
      return shape;
    }
  }
  return NULL;
}

/* Tiles of 8 subgroups, or of 4 where there would be few; the step is twice as deep. */
static bool webnn_vulkan__choose_matrix_tile(const webnn_vulkan__traits *traits,
                                             webnn_vulkan__tiled *p) {
  p->matrix = webnn_vulkan__matrix_for(traits, p);
  if (p->matrix == NULL) {
    return false;
  }
  webnn_vulkan__set_tile(p, 128, 32);
  p->rows_each = 64;
  if (webnn_vulkan__tile_count(p) < 100 || traits->subgroup_size * 8 > traits->max_invocations) {
    webnn_vulkan__set_tile(p, 64, 32);
  }
  p->tile_step = 32;
  if (traits->subgroup_size * 4 > traits->max_invocations) {
    p->matrix = NULL;
  }
  return p->matrix != NULL;
}

/* Software drivers compile for long, so their kernels are small; with vectors of 8 and more, loads
   from shared memory are what takes time, and more sums for each load pay. */
static void webnn_vulkan__choose_tile(const webnn_vulkan__traits *traits, webnn_vulkan__tiled *p) {
  const uint64_t size = p->batches * p->rows * p->columns * p->depth;
  if (webnn_vulkan__choose_matrix_tile(traits, p)) {
    return;
  }
  webnn_vulkan__set_tile(p, 128, 8);
  p->tile_step = WEBNN_VULKAN__TILE_STEP;
  if (traits->is_cpu) {
    webnn_vulkan__set_tile(p, size < 1000000 ? 32 : 64, size < 1000000 ? 4 : 8);
    if (size > 20000000 && traits->subgroup_size >= 8 && !p->bytes) {
      p->tile_rows = 128;
      p->rows_each = 16;
    }
  } else if (webnn_vulkan__tile_count(p) < 100 || traits->max_invocations < 256) {
    webnn_vulkan__set_tile(p, 64, 8);
    if (webnn_vulkan__tile_count(p) < 64) {
      webnn_vulkan__set_tile(p, 32, 4);
    }
  }
}

/* Is the product large enough for tiles? Then it gets their size, and the number of splits. */
static bool webnn_vulkan__chooses_tiles(const webnn_vulkan__traits *traits,
                                        webnn_vulkan__tiled *p) {
  const uint64_t size = (uint64_t)p->rows * p->columns * p->depth * (p->bytes ? 4 : 1);
  const uint32_t each = webnn_vulkan__elements_of_word(p);
  const bool whole = !p->scattered && ((p->columns | p->y_row | p->y_batch) & (each - 1)) == 0;
  uint64_t tiles;
  if (p->rows < 16 || p->columns < 16 || p->depth < 8 ||
      p->batches * p->rows * p->columns > UINT32_MAX / 64 ||
      size < (traits->is_cpu ? 65536u : 16384u)) {
    return false;
  }
  webnn_vulkan__choose_tile(traits, p);
  tiles = webnn_vulkan__tile_count(p);
  p->splits = 1;
  if (!traits->is_cpu && tiles < 128 && p->depth >= 512) {
    p->splits = (uint32_t)(256 / tiles);
    p->splits = p->splits < p->depth / 128 ? p->splits : p->depth / 128;
    p->splits = p->splits < 32 ? p->splits : 32;
  } else if (traits->is_cpu && p->depth >= 256 && tiles < 4) {
    p->splits = 2;
  }
  p->split_depth = (p->depth + p->splits - 1) / p->splits;
  p->split_depth = (p->split_depth + p->tile_step - 1) / p->tile_step * p->tile_step;
  p->splits = (p->depth + p->split_depth - 1) / p->split_depth;
  if (p->splits == 1 && !whole) {
    p->splits = 0; /* one, by way of scratch memory */
  }
  return true;
}

/* The loop over steps. */
static void webnn_vulkan__put_tile_loop(webnn_vulkan__kernel *k, const webnn_vulkan__tiled *p,
                                        bool ahead, uint32_t halves) {
  const char *const step = "  for (; from < to; from += TILE_STEP) {\n";
  const uint32_t rows = p->matrix != NULL ? p->rows_each / p->matrix->m : p->rows_each;
  const uint32_t columns = p->columns_each / (p->matrix != NULL ? p->matrix->n : 4);
  uint32_t i, j;
  for (i = 0; i < rows; i++) {
    for (j = 0; j < columns; j++) {
      webnn_vulkan__format(k, "  SUMS s%u_%u = NO_SUMS;\n", (unsigned)i, (unsigned)j);
    }
  }
  if (ahead) {
    webnn_vulkan__put_units(k, p, "", false, false);
    webnn_vulkan__put_units(k, p, "from", true, false);
    webnn_vulkan__text(k, step);
    webnn_vulkan__put_units(k, p, "", false, true);
    webnn_vulkan__text(k, "    barrier();\n"
                          "    if (from + TILE_STEP < to) {\n");
    webnn_vulkan__put_units(k, p, "from + TILE_STEP", true, false);
    webnn_vulkan__text(k, "    }\n");
  } else {
    webnn_vulkan__text(k, step);
    webnn_vulkan__put_units(k, p, "from", true, true);
    webnn_vulkan__text(k, "    barrier();\n");
  }
  if (p->matrix != NULL) {
    webnn_vulkan__put_matrix_sums(k, p);
  } else {
    webnn_vulkan__put_tile_sums(k, p);
  }
  webnn_vulkan__text(k, halves == 2 ? "    side = 1u - side;\n  }\n" : "    barrier();\n  }\n");
}

/* Four neighbouring sums become elements of y, or go to scratch memory. Sums are gone through in a
   loop, because what follows a product may be much code. */
static void webnn_vulkan__put_tile_end(webnn_vulkan__kernel *k, const webnn_vulkan__tiled *p) {
  const uint32_t columns = p->columns_each / 4;
  uint32_t i, j;
  webnn_vulkan__format(k, "  SUMS sums[%u];\n", (unsigned)(p->rows_each * columns));
  for (i = 0; i < p->rows_each; i++) {
    for (j = 0; j < columns; j++) {
      webnn_vulkan__format(k, "  sums[%u] = s%u_%u;\n", (unsigned)(i * columns + j), (unsigned)i,
                           (unsigned)j);
    }
  }
  webnn_vulkan__format(k,
                       "  [[dont_unroll]] for (uint q = 0u; q < %uu; q++) {\n"
                       "    uint r = q / %uu;\n"
                       "    put_four(batch, split, row + my_row + r / 4u * %uu + r %% 4u,\n"
                       "             column + my_column + q %% %uu * %uu, sums[q]);\n"
                       "  }\n"
                       "}\n",
                       (unsigned)(p->rows_each * columns), (unsigned)columns,
                       (unsigned)(p->tile_rows * 4 / p->rows_each), (unsigned)columns,
                       (unsigned)(p->tile_columns * 4 / p->columns_each));
}

static const char *const webnn_vulkan__put_four_text =
    "void put_four(uint batch, uint split, uint row, uint column, FOUR s) {\n"
    "  uint word = 0u;\n"
    "  [[dont_unroll]] for (uint j = 0u; j < 4u; j++) {\n"
    "    if (row < ROWS && column + j < COLUMNS) {\n"
    "      uint i = place_of_sum(batch, split, row, column + j);\n"
    "      word |= bits_of(s[j], i, batch, row, column + j) << (i % Y_EACH * (32u / Y_EACH));\n"
    "      if (i % Y_EACH == Y_EACH - 1u) {\n"
    "        y_words[i / Y_EACH] = word;\n"
    "        word = 0u;\n"
    "      }\n"
    "    }\n"
    "  }\n"
    "}\n";

/* Of a result and of a part of one: where it goes, and its bits. */
static const char *const webnn_vulkan__result_text =
    "uint place_of_sum(uint batch, uint split, uint row, uint column) {\n"
    "  return batch * Y_BATCH + row * Y_ROW + column;\n"
    "}\n"
    "uint bits_of(SUM s, uint i, uint batch, uint row, uint column) {\n"
    "  return pack_y(tile_end(s, i, batch, row, column));\n"
    "}\n";
static const char *const webnn_vulkan__part_text =
    "uint place_of_sum(uint batch, uint split, uint row, uint column) {\n"
    "  return split * PRODUCTS + (batch * ROWS + row) * COLUMNS + column;\n"
    "}\n"
    "uint bits_of(SUM s, uint i, uint batch, uint row, uint column) { return pack_y(s); }\n";

/* Adds up the parts of a sum and finishes it. */
static const char *const webnn_vulkan__place_text =
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
static const char *const webnn_vulkan__tile_total_text =
    " element(uint i) {\n"
    "  uint batch;\n"
    "  uint row;\n"
    "  uint column;\n"
    "  place_of(i, batch, row, column);\n"
    "  SUM sum = SUM(0);\n"
    "  uint at = (batch * ROWS + row) * COLUMNS + column;\n"
    "  for (uint split = 0u; split < SPLITS; split++) {\n"
    "    sum += load_parts(split * PRODUCTS + at);\n"
    "  }\n"
    "  return tile_end(sum, i, batch, row, column);\n"
    "}\n";

static void webnn_vulkan__put_tiled_sizes(webnn_vulkan__kernel *k, const webnn_vulkan__tiled *p) {
  webnn_vulkan__push(k, "ROWS", p->rows);
  webnn_vulkan__push(k, "COLUMNS", p->columns);
  webnn_vulkan__push(k, "DEPTH", p->depth);
  webnn_vulkan__push(k, "Y_BATCH", p->y_batch);
  webnn_vulkan__push(k, "Y_ROW", p->y_row);
  webnn_vulkan__push(k, "SPLITS", p->splits > 0 ? p->splits : 1);
  webnn_vulkan__push(k, "PRODUCTS", (uint32_t)(p->batches * p->rows * p->columns));
  webnn_vulkan__constant(k, "A_UNIT", p->a_unit);
  webnn_vulkan__constant(k, "B_UNIT", p->b_unit);
  webnn_vulkan__constant(k, "A_LENGTH", p->matrix != NULL ? 1 : p->a_unit);
  webnn_vulkan__constant(k, "B_LENGTH", p->matrix != NULL ? 1 : p->b_unit);
  webnn_vulkan__format(k, "#define A_TYPE %s\n#define B_TYPE %s\n",
                       p->matrix == NULL ? "ELEMENT"
                       : p->a_unit == 8  ? "uvec4"
                                         : "float16_t",
                       p->matrix == NULL ? "ELEMENT"
                       : p->b_unit == 8  ? "uvec4"
                                         : "float16_t");
  webnn_vulkan__put_arithmetic(k, p->bytes);
  if (p->matrix != NULL) {
    k->extensions = webnn_vulkan__matrix_extensions;
  }
  p->put(k, p->user);
}

/* The second kernel: a map over y. */
static bool webnn_vulkan__plan_total(webnn_vulkan__planner *planner, const webnn_vulkan__tiled *p,
                                     webnn_vulkan__memory_part parts) {
  webnn_vulkan__kernel k;
  webnn_vulkan__begin(planner, p->node, &k);
  webnn_vulkan__put_tiled_sizes(&k, p);
  webnn_vulkan__reads_part(&k, "parts", parts);
  webnn_vulkan__writes_part(&k, "y", p->y);
  if (!p->places) {
    webnn_vulkan__text(&k, webnn_vulkan__place_text);
  }
  webnn_vulkan__text(&k, webnn_vulkan__type_name(p->y.type));
  webnn_vulkan__text(&k, webnn_vulkan__tile_total_text);
  return webnn_vulkan__map(&k, p->elements);
}

/* Numbers of the text that say how a tile is made. */
static void webnn_vulkan__put_tile_numbers(webnn_vulkan__kernel *k, const webnn_vulkan__tiled *p,
                                           uint32_t halves) {
  webnn_vulkan__constant(k, "TILE_ROWS", p->tile_rows);
  webnn_vulkan__constant(k, "TILE_COLUMNS", p->tile_columns);
  webnn_vulkan__constant(k, "TILE_STEP", p->tile_step);
  webnn_vulkan__constant(k, "HALVES", halves);
  webnn_vulkan__constant(k, "ROWS_EACH", p->rows_each);
  webnn_vulkan__constant(k, "COLUMNS_EACH", p->columns_each);
  webnn_vulkan__constant(k, "INVOCATIONS", k->local);
  webnn_vulkan__constant(k, "A_ALONG_DEPTH", p->a_along_depth);
  webnn_vulkan__constant(k, "B_ALONG_DEPTH", p->b_along_depth);
  webnn_vulkan__constant(k, "MATRICES", p->matrix != NULL);
  if (p->matrix != NULL) {
    webnn_vulkan__constant(k, "SUBGROUP", k->planner->traits->subgroup_size);
    webnn_vulkan__constant(k, "M", p->matrix->m);
    webnn_vulkan__constant(k, "N", p->matrix->n);
    webnn_vulkan__constant(k, "K", p->matrix->k);
  }
}

/* How both operands come into shared memory. */
static void webnn_vulkan__put_tile_sides(webnn_vulkan__kernel *k, const webnn_vulkan__tiled *p) {
  const char *const keep =
      p->matrix != NULL ? webnn_vulkan__matrix_keep_text : webnn_vulkan__keep_text;
  webnn_vulkan__text_of(k, webnn_vulkan__fetch_text, "a", "A", "ROWS");
  webnn_vulkan__text_of(k, keep, "a", "A", "ROWS");
  webnn_vulkan__text_of(k, webnn_vulkan__fetch_text, "b", "B", "COLUMNS");
  webnn_vulkan__text_of(k, keep, "b", "B", "COLUMNS");
}

/* The bytes of shared memory that a step needs, and the end of matrices. */
static uint32_t webnn_vulkan__shared_bytes(const webnn_vulkan__tiled *p, uint32_t local,
                                           uint32_t subgroup, uint32_t halves) {
  const uint32_t a =
      p->a_along_depth ? p->tile_rows * (p->tile_step + 8) : p->tile_step * (p->tile_rows + 8);
  const uint32_t b = p->b_along_depth ? p->tile_columns * (p->tile_step + 8)
                                      : p->tile_step * (p->tile_columns + 8);
  return p->matrix == NULL
             ? halves * p->tile_step * 4 * (p->tile_rows + p->tile_columns)
             : halves * 2 * (a + b) + local / subgroup * p->matrix->m * p->matrix->n * 4;
}

/* The text of the kernel that writes the tile to `parts`. */
static void webnn_vulkan__put_tile(webnn_vulkan__kernel *k, const webnn_vulkan__tiled *p,
                                   webnn_vulkan__memory_part parts) {
  const webnn_vulkan__traits *traits = k->planner->traits;
  const bool ahead = !traits->is_cpu;
  const uint32_t both = webnn_vulkan__shared_bytes(p, k->local, traits->subgroup_size, 2);
  const uint32_t halves = ahead && both <= traits->shared_bytes ? 2 : 1;
  webnn_vulkan__put_tile_numbers(k, p, halves);
  webnn_vulkan__constant(k, "Y_EACH", 32 / (uint32_t)webnn_data_type_bits(parts.type));
  webnn_vulkan__put_tiled_sizes(k, p);
  webnn_vulkan__push(k, "SPLIT_DEPTH", p->split_depth);
  webnn_vulkan__writes_part(k, "y", parts);
  webnn_vulkan__put_tile_sides(k, p);
  webnn_vulkan__text(k, p->splits == 1 ? webnn_vulkan__result_text : webnn_vulkan__part_text);
  webnn_vulkan__text(k, webnn_vulkan__put_four_text);
  if (p->matrix != NULL) {
    webnn_vulkan__text(k, webnn_vulkan__matrix_end_text);
    webnn_vulkan__text(k, "#define OWNER gl_SubgroupID\n"
                          "#define ROWS_APART ROWS_EACH\n#define COLUMNS_APART COLUMNS_EACH\n");
    webnn_vulkan__text(k, WEBNN_VULKAN__MATRIX_NAMES);
  } else {
    webnn_vulkan__text(k, "#define SUMS FOUR\n#define NO_SUMS FOUR(0)\n"
                          "#define OWNER gl_LocalInvocationID.x\n"
                          "#define ROWS_APART 4u\n#define COLUMNS_APART 4u\n");
  }
  webnn_vulkan__text(k, webnn_vulkan__tile_run_text);
  webnn_vulkan__put_tile_loop(k, p, ahead, halves);
  if (p->matrix != NULL) {
    webnn_vulkan__put_matrix_end(k, p);
  } else {
    webnn_vulkan__put_tile_end(k, p);
  }
}

static bool webnn_vulkan__plan_tiled(webnn_vulkan__planner *planner, const webnn_vulkan__tiled *p) {
  const uint32_t splits = p->splits > 0 ? p->splits : 1;
  const uint32_t subgroup = p->matrix != NULL ? planner->traits->subgroup_size : 1;
  webnn_vulkan__memory_part parts = p->y;
  webnn_vulkan__kernel k;
  if (p->splits != 1) {
    parts =
        webnn_vulkan__scratch_part(planner, p->node, p->batches * p->rows * p->columns * splits);
    parts.type = p->bytes ? WEBNN_INT32 : WEBNN_FLOAT32;
  }
  webnn_vulkan__begin(planner, p->node, &k);
  k.local = p->tile_rows / p->rows_each * (p->tile_columns / p->columns_each) * subgroup;
  webnn_vulkan__put_tile(&k, p, parts);
  k.cost = (uint64_t)p->split_depth * p->rows_each * p->columns_each / subgroup;
  if (!webnn_vulkan__groups(&k, webnn_vulkan__tile_count(p) * splits)) {
    return false;
  }
  if (p->matrix != NULL) {
    planner->kernels[planner->steps[planner->step_count - 1].kernel].subgroup_size = subgroup;
  }
  return p->splits == 1 || webnn_vulkan__plan_total(planner, p, parts);
}

/* ---- Products of few rows -------------------------------------------------------------------------

   With few rows nothing is used twice but a, and the time is that of reading b. A workgroup computes
   GROUP_COLUMNS columns of all rows. Each of its invocations has EACH columns and adds up every
   LANES-th unit of terms; lanes are added up in shared memory. Neighbouring invocations read
   neighbours in memory: lanes of a column where terms are, else columns. */

#define WEBNN_VULKAN__FEW_ROWS 8

static const char *const webnn_vulkan__few_rows_text =
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
    "}\n";

/* Units along columns one after the other. Where the same scales serve all of them, these are read
   once. */
#define WEBNN_VULKAN__COLUMN_UNITS                                                                 \
  "#define COLUMN_UNITS for (uint j = 0u; j < UNIT; j++) { UNIT_B(begin, column, k + j, v); "      \
  "for (uint e = 0u; e < EACH; e++) { b[j * EACH + e] = v[e]; } }\n"
#define WEBNN_VULKAN__SCALED_UNITS                                                                 \
  "#define COLUMN_UNITS uint at = begin + column + k * B_STEP; float s[8]; float z[8]; "           \
  "b_scales(at, s, z); for (uint j = 0u; j < UNIT; j++) { b_raw(at + j * B_STEP, s, z, v); "       \
  "for (uint e = 0u; e < EACH; e++) { b[j * EACH + e] = v[e]; } }\n"

static const char *const webnn_vulkan__few_rows_run_text =
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

static const char *const webnn_vulkan__few_rows_end_text =
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
static void webnn_vulkan__put_few_rows(webnn_vulkan__kernel *k, uint32_t rows) {
  uint32_t i;
  for (i = 0; i < rows; i++) {
    webnn_vulkan__format(k,
                         "  SUM s%u[EACH];\n"
                         "  for (uint e = 0u; e < EACH; e++) { s%u[e] = SUM(0); }\n",
                         (unsigned)i, (unsigned)i);
  }
  webnn_vulkan__text(k, "  for (uint k = lane * UNIT; k < DEPTH; k += LANES * UNIT) {\n"
                        "    bring_b(at_b, column, k, b);\n");
  for (i = 0; i < rows; i++) {
    webnn_vulkan__format(k,
                         "    UNIT_A(at_a, %uu, k, a);\n"
                         "    add_unit(a, b, s%u);\n",
                         (unsigned)i, (unsigned)i);
  }
  webnn_vulkan__text(k, "  }\n");
  for (i = 0; i < rows; i++) {
    webnn_vulkan__format(k, "  add_lanes(%uu, c, lane, s%u);\n", (unsigned)i, (unsigned)i);
  }
}

/* Is it a product of few rows, and of a type whose results are whole words here? */
static bool webnn_vulkan__is_few_rows(const webnn_vulkan__traits *traits,
                                      const webnn_vulkan__tiled *p) {
  const uint32_t each = webnn_vulkan__elements_of_word(p);
  return p->rows <= WEBNN_VULKAN__FEW_ROWS && p->depth >= 64 && p->columns >= 8 &&
         (uint64_t)p->columns * p->depth >= (traits->is_cpu ? 16384u : 8192u) &&
         p->batches * p->rows * p->columns < UINT32_MAX / 64 &&
         ((p->columns & (each - 1)) == 0 || p->batches * p->rows == 1);
}

/* So many columns for a workgroup that there are enough workgroups. `each` is what an invocation
   has, `most` the most. */
static uint32_t webnn_vulkan__group_columns(const webnn_vulkan__tiled *p, uint32_t each,
                                            uint32_t most) {
  while (most > 16 && most > 2 * each && p->batches * p->columns / most < 256) {
    most /= 2;
  }
  return most;
}

/* `scaled`: several units have the same scales. */
static bool webnn_vulkan__plan_few_rows(webnn_vulkan__planner *planner,
                                        const webnn_vulkan__tiled *p, bool scaled) {
  const uint32_t local =
      planner->traits->is_cpu || planner->traits->max_invocations < 256 ? 64 : 256;
  const bool units = p->a_unit == 8 && p->b_unit == 8;
  const uint32_t each = !units ? 1 : p->b_along_depth ? 2 : 8;
  const uint32_t columns =
      p->b_along_depth ? local / 32 * each : webnn_vulkan__group_columns(p, each, 32 * each);
  webnn_vulkan__kernel k;
  webnn_vulkan__begin(planner, p->node, &k);
  k.local = local;
  webnn_vulkan__constant(&k, "INVOCATIONS", local);
  webnn_vulkan__constant(&k, "ROWS_EACH", p->rows);
  webnn_vulkan__constant(&k, "GROUP_COLUMNS", columns);
  webnn_vulkan__constant(&k, "LANES", local * each / columns);
  webnn_vulkan__constant(&k, "EACH", each);
  webnn_vulkan__constant(&k, "UNIT", units ? 8 : 1);
  webnn_vulkan__constant(&k, "B_ALONG_DEPTH", p->b_along_depth);
  webnn_vulkan__constant(&k, "Y_EACH", webnn_vulkan__elements_of_word(p));
  webnn_vulkan__put_tiled_sizes(&k, p);
  webnn_vulkan__writes_part(&k, "y", p->y);
  webnn_vulkan__text(&k, scaled ? WEBNN_VULKAN__SCALED_UNITS : WEBNN_VULKAN__COLUMN_UNITS);
  webnn_vulkan__text(&k, webnn_vulkan__few_rows_text);
  webnn_vulkan__text(&k, webnn_vulkan__few_rows_run_text);
  webnn_vulkan__put_few_rows(&k, p->rows);
  webnn_vulkan__text(&k, webnn_vulkan__few_rows_end_text);
  k.cost = (uint64_t)p->depth * p->rows * columns / local;
  return webnn_vulkan__groups(&k, p->batches * ((p->columns + columns - 1) / columns));
}

/* ---- Products of matrices ---- */

/* y[batch, row, column] = finish(sum over k of a[...] b[...]). Strides are in elements. */
typedef struct webnn_vulkan__matrix_product {
  uint32_t rows, columns, depth;
  uint32_t a_row, a_step, b_step, b_column;
  uint32_t batch_rank; /* dimensions that are no more than one are left out */
  uint32_t batch[WEBNN_MAX_RANK], a_batch[WEBNN_MAX_RANK], b_batch[WEBNN_MAX_RANK];
  uint64_t batches;
  webnn_vulkan__factor factors[2]; /* a and b */
  webnn_vulkan__memory_part y;
  webnn_vulkan__ending ending;
} webnn_vulkan__matrix_product;

/* Adds a batch dimension, the outermost first; one that goes on where the last ends is merged. */
static void webnn_vulkan__add_batch(webnn_vulkan__matrix_product *p, uint32_t size, uint32_t a,
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
static void webnn_vulkan__put_begin(webnn_vulkan__kernel *k, const webnn_vulkan__matrix_product *p,
                                    bool is_b) {
  const char *name = is_b ? "B" : "A";
  char word[24];
  uint32_t i;
  webnn_vulkan__format(k, "uint begin_%s(uint batch) {\n  uint at = 0u;\n", is_b ? "b" : "a");
  for (i = p->batch_rank; i-- > 0;) {
    (void)snprintf(word, sizeof word, "%s_%u", name, (unsigned)i);
    webnn_vulkan__push(k, word, is_b ? p->b_batch[i] : p->a_batch[i]);
    if (i > 0) {
      (void)snprintf(word, sizeof word, "%s_SIZE_%u", name, (unsigned)i);
      webnn_vulkan__push(k, word, p->batch[i]);
      webnn_vulkan__format(k, "  at += batch %% %s * %s_%u;\n  batch = batch / %s;\n", word, name,
                           (unsigned)i, word);
    } else {
      webnn_vulkan__format(k, "  at += batch * %s_0;\n", name);
    }
  }
  webnn_vulkan__text(k, "  return at;\n}\n");
}

/* The operands, where their matrices begin, and the ending. */
static void webnn_vulkan__put_matrices(webnn_vulkan__kernel *k,
                                       const webnn_vulkan__matrix_product *p) {
  static const char *const names[2] = {"a", "b"};
  webnn_vulkan__put_factors(k, names, p->factors);
  webnn_vulkan__push(k, "A_ROW", p->a_row);
  webnn_vulkan__push(k, "A_STEP", p->a_step);
  webnn_vulkan__push(k, "B_STEP", p->b_step);
  webnn_vulkan__push(k, "B_COLUMN", p->b_column);
  webnn_vulkan__put_begin(k, p, false);
  webnn_vulkan__put_begin(k, p, true);
  webnn_vulkan__put_ending(k, &p->ending);
}

/* An invocation computes an element (or the elements of a word) of y. Sums of 256 terms are added
   up, which bounds the error of long ones. */
static const char *const webnn_vulkan__product_text =
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

/* Words of terms from bytes that are not four in a word: UNIT_@ from units that are a byte each. */
static const char *const webnn_vulkan__word_text =
    "void word_@(uint begin, uint row, uint k, out uint v[1]) {\n"
    "  uint word = 0u;\n"
    "  for (uint j = 0u; j < 4u; j++) {\n"
    "    if (4u * k + j < TERMS) {\n"
    "      unit_@(begin, row, 4u * k + j, v);\n"
    "      word |= (v[0] & 255u) << (8u * j);\n"
    "    }\n"
    "  }\n"
    "  v[0] = word;\n"
    "}\n";

/* UNIT_A and UNIT_B from unit_NAME, whose k counts elements; `name` is that of the operand. */
static void webnn_vulkan__put_terms(webnn_vulkan__kernel *k, const char *name, const char *side,
                                    const webnn_vulkan__factor *f) {
  if (f->kind == WEBNN_VULKAN__FLOATS) {
    webnn_vulkan__format(k, "#define UNIT_%s unit_%s\n", side, name);
  } else if (f->wide) {
    webnn_vulkan__format(k,
                         "void word_%s(uint begin, uint row, uint k, out uint v[1]) {\n"
                         "  unit_%s(begin, row, 4u * k, v);\n"
                         "}\n"
                         "#define UNIT_%s word_%s\n",
                         name, name, side, name);
  } else {
    webnn_vulkan__text_for(k, webnn_vulkan__word_text, name);
    webnn_vulkan__format(k, "#define UNIT_%s word_%s\n", side, name);
  }
}

/* What tiles need of two matrices. */
static void webnn_vulkan__put_tiled_matrices(webnn_vulkan__kernel *k, const void *user) {
  const webnn_vulkan__matrix_product *p = (const webnn_vulkan__matrix_product *)user;
  webnn_vulkan__put_matrices(k, p);
  webnn_vulkan__push(k, "TERMS", p->depth);
  webnn_vulkan__format(k,
                       "void unit_a(uint begin, uint row, uint k, out A_TYPE v[A_LENGTH]) {\n"
                       "  a_load(begin + row * A_ROW + k * A_STEP, v);\n"
                       "}\n"
                       "void unit_b(uint begin, uint column, uint k, out B_TYPE v[B_LENGTH]) {\n"
                       "  b_load(begin + column * B_COLUMN + k * B_STEP, v);\n"
                       "}\n"
                       "%s tile_end(SUM sum, uint i, uint batch, uint row, uint column) {\n"
                       "  return finish(sum%s, i, row, column);\n"
                       "}\n",
                       webnn_vulkan__type_name(p->y.type),
                       p->ending.bytes != NULL ? " + start_of(column)" : "");
  webnn_vulkan__put_terms(k, "a", "A", &p->factors[0]);
  webnn_vulkan__put_terms(k, "b", "B", &p->factors[1]);
}

/* Which operands can be loaded in units; both or none if rows are few, whose terms must be
   neighbours. */
static void webnn_vulkan__widen_matrices(const webnn_vulkan__planner *planner,
                                         webnn_vulkan__matrix_product *p) {
  const bool few = p->rows <= WEBNN_VULKAN__FEW_ROWS, floats = p->ending.bytes == NULL;
  webnn_vulkan__factor *a = &p->factors[0], *b = &p->factors[1];
  uint32_t a_batch = 0, b_batch = 0, i;
  for (i = 0; i < p->batch_rank; i++) {
    a_batch |= p->a_batch[i];
    b_batch |= p->b_batch[i];
  }
  a->wide = p->a_step == 1
                ? webnn_vulkan__loads_wide(planner, a, true, p->depth | p->a_row | a_batch)
                : webnn_vulkan__loads_wide(planner, a, p->a_row == 1 && !few && floats,
                                           p->rows | p->a_step | a_batch);
  b->wide = p->b_step == 1
                ? webnn_vulkan__loads_wide(planner, b, true, p->depth | p->b_column | b_batch)
                : webnn_vulkan__loads_wide(planner, b, p->b_column == 1 && floats,
                                           p->columns | p->b_step | b_batch);
  if (few && floats) {
    a->wide = b->wide = a->wide && b->wide;
  }
}

/* Do 8 terms of a column of b have the same scale, in memory where columns are neighbours? */
static bool webnn_vulkan__shares_scales(const webnn_vulkan__planner *planner,
                                        const webnn_vulkan__matrix_product *p) {
  const webnn_vulkan__scaling *s = p->factors[1].scaling;
  const webnn__shape *blocks;
  uint32_t axis;
  if (s == NULL || !p->factors[1].wide || p->factors[1].kind != WEBNN_VULKAN__FLOATS ||
      p->b_column != 1 || s->shape->rank < 2) {
    return false;
  }
  blocks = &planner->program->values[s->zero].shape;
  axis = s->shape->rank - 2;
  return s->shape->dimensions[axis] == p->depth &&
         s->shape->dimensions[axis] / blocks->dimensions[axis] % 8 == 0;
}

/* The product by few rows or in tiles, if it is large enough: else *tiled is false. */
static bool webnn_vulkan__plan_tiled_matrices(webnn_vulkan__planner *planner, uint32_t node,
                                              webnn_vulkan__matrix_product *p, bool *tiled) {
  webnn_vulkan__tiled t;
  memset(&t, 0, sizeof t);
  webnn_vulkan__widen_matrices(planner, p);
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
  t.a_unit = webnn_vulkan__unit_of(&p->factors[0]);
  t.b_unit = webnn_vulkan__unit_of(&p->factors[1]);
  t.y = p->y;
  t.elements = p->batches * p->rows * p->columns;
  t.put = webnn_vulkan__put_tiled_matrices;
  t.user = p;
  *tiled = webnn_vulkan__is_few_rows(planner->traits, &t);
  if (*tiled) {
    return webnn_vulkan__plan_few_rows(planner, &t, webnn_vulkan__shares_scales(planner, p));
  }
  t.halves = webnn_vulkan__are_halves(planner->traits, p->factors, p->y.type);
  *tiled = webnn_vulkan__chooses_tiles(planner->traits, &t);
  p->factors[0].halves = p->factors[1].halves = t.matrix != NULL;
  return *tiled && webnn_vulkan__plan_tiled(planner, &t);
}

static bool webnn_vulkan__plan_product(webnn_vulkan__planner *planner, uint32_t node,
                                       webnn_vulkan__matrix_product *p) {
  webnn_vulkan__kernel k;
  bool tiled;
  const bool planned = webnn_vulkan__plan_tiled_matrices(planner, node, p, &tiled);
  if (tiled) {
    return planned;
  }
  p->factors[0].wide = p->factors[1].wide = false;
  webnn_vulkan__begin(planner, node, &k);
  webnn_vulkan__push(&k, "ROWS", p->rows);
  webnn_vulkan__push(&k, "COLUMNS", p->columns);
  webnn_vulkan__push(&k, "DEPTH", p->depth);
  webnn_vulkan__put_arithmetic(&k, p->ending.bytes != NULL);
  webnn_vulkan__put_matrices(&k, p);
  webnn_vulkan__writes_part(&k, "y", p->y);
  webnn_vulkan__text(&k, webnn_vulkan__type_name(p->y.type));
  webnn_vulkan__text(&k, webnn_vulkan__product_text);
  k.cost = p->depth;
  return webnn_vulkan__map(&k, p->batches * p->rows * p->columns);
}

/* The stride along a batch dimension of y, of an operand with matrices of `matrix` elements; 0 where
   it is broadcast. `from_end` counts dimensions, the last two not among them. */
static uint32_t webnn_vulkan__batch_stride(const webnn__shape *shape, uint32_t from_end) {
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
static bool webnn_vulkan__plan_matmul(webnn_vulkan__planner *planner, uint32_t index) {
  const webnn__node *node = &planner->program->nodes[index];
  const webnn__value *values = planner->program->values;
  const webnn__attributes *t = &node->attributes;
  const webnn__shape *a = &values[node->inputs[0]].shape, *b = &values[node->inputs[1]].shape;
  const webnn__shape *y = &values[node->outputs[0]].shape;
  webnn_vulkan__scaling scalings[2];
  webnn_vulkan__matrix_product p;
  uint32_t i;
  memset(&p, 0, sizeof p);
  p.rows = y->dimensions[y->rank - 2];
  p.columns = y->dimensions[y->rank - 1];
  p.depth = a->dimensions[a->rank - (t->a_transpose ? 2 : 1)];
  p.a_row = t->a_transpose ? 1 : p.depth;
  p.a_step = t->a_transpose ? p.rows : 1;
  p.b_step = t->b_transpose ? 1 : p.columns;
  p.b_column = t->b_transpose ? p.depth : 1;
  p.batches = 1;
  for (i = 0; i < 2; i++) {
    p.factors[i] = webnn_vulkan__factor_of(planner, node, i, &scalings[i]);
  }
  for (i = 0; i + 2 < y->rank; i++) { /* packed weights that are one matrix may have any shape */
    const bool one = webnn__element_count(b) == (uint64_t)p.columns * p.depth;
    webnn_vulkan__add_batch(&p, y->dimensions[i], webnn_vulkan__batch_stride(a, y->rank - 3 - i),
                            one ? 0 : webnn_vulkan__batch_stride(b, y->rank - 3 - i));
  }
  p.y = webnn_vulkan__value_part(planner, node->outputs[0]);
  p.ending = webnn_vulkan__ending_of(node);
  if (node->op == WEBNN_OP_GEMM && p.ending.bytes == NULL) {
    p.ending.alpha = webnn_vulkan__float_attribute(planner, node, t->alpha);
    p.ending.beta = webnn_vulkan__float_attribute(planner, node, t->beta);
  }
  if (p.ending.c != WEBNN__NONE) {
    int64_t strides[WEBNN_MAX_RANK] = {0};
    webnn__broadcast_strides(&values[p.ending.c].shape, y, strides);
    p.ending.c_row = (uint32_t)strides[y->rank - 2];
    p.ending.c_column = (uint32_t)strides[y->rank - 1];
  }
  return webnn_vulkan__plan_product(planner, index, &p);
}

static bool webnn_vulkan__plan_gemm(webnn_vulkan__planner *planner, uint32_t index) {
  return webnn_vulkan__plan_matmul(planner, index);
}

/* ---- Windows over images ---- */

/* A number of the text, or a push constant. */
static void webnn_vulkan__number(webnn_vulkan__kernel *k, bool constant, const char *name,
                                 uint32_t number) {
  if (constant) {
    webnn_vulkan__constant(k, name, number);
  } else {
    webnn_vulkan__push(k, name, number);
  }
}

/* Puts the sizes of y and the strides of x, and writes void place(uint i, ...): where element i of
   an image like y is. */
static void webnn_vulkan__put_image(webnn_vulkan__kernel *k, bool constant, const webnn__shape *x,
                                    const webnn__shape *y, uint32_t layout) {
  static const char *const strides_of_x[4] = {"X_IMAGE", "X_CHANNEL", "X_ROW", "X_COLUMN"};
  static const char *const sizes_of_y[4] = {"", "Y_CHANNELS", "Y_HEIGHT", "Y_WIDTH"};
  const uint8_t *axes = webnn__input_axes[layout];
  int64_t strides[WEBNN_MAX_RANK];
  uint32_t i;
  webnn__row_major(x, strides);
  for (i = 0; i < 4; i++) {
    webnn_vulkan__number(k, constant, strides_of_x[i], (uint32_t)strides[axes[i]]);
    if (i > 0) {
      webnn_vulkan__number(k, constant, sizes_of_y[i], y->dimensions[axes[i]]);
    }
  }
  webnn_vulkan__number(k, constant, "X_HEIGHT", x->dimensions[axes[2]]);
  webnn_vulkan__number(k, constant, "X_WIDTH", x->dimensions[axes[3]]);
  webnn_vulkan__text(k, "void place(uint i, out uint image, out uint channel, out uint row, "
                        "out uint column) {\n");
  webnn_vulkan__text(k, layout == WEBNN_LAYOUT_NCHW ? "  column = i % Y_WIDTH;\n"
                                                      "  i = i / Y_WIDTH;\n"
                                                      "  row = i % Y_HEIGHT;\n"
                                                      "  i = i / Y_HEIGHT;\n"
                                                      "  channel = i % Y_CHANNELS;\n"
                                                      "  image = i / Y_CHANNELS;\n"
                                                      "}\n"
                                                    : "  channel = i % Y_CHANNELS;\n"
                                                      "  i = i / Y_CHANNELS;\n"
                                                      "  column = i % Y_WIDTH;\n"
                                                      "  i = i / Y_WIDTH;\n"
                                                      "  row = i % Y_HEIGHT;\n"
                                                      "  image = i / Y_HEIGHT;\n"
                                                      "}\n");
}

/* Puts a window of `size` elements: its strides, dilations and padding at the beginning. False if
   positions in an image of this size do not fit into 31 bits. */
static bool webnn_vulkan__put_window(webnn_vulkan__kernel *k, bool constant,
                                     const webnn__attributes *t, const uint32_t *size,
                                     const webnn__shape *x) {
  static const char *const names[4][2] = {{"WINDOW_HEIGHT", "WINDOW_WIDTH"},
                                          {"STRIDE_HEIGHT", "STRIDE_WIDTH"},
                                          {"DILATION_HEIGHT", "DILATION_WIDTH"},
                                          {"TOP", "LEFT"}};
  const uint8_t *axes = webnn__input_axes[t->input_layout];
  uint32_t i;
  bool fits = true;
  for (i = 0; i < 2; i++) {
    const uint64_t span = (uint64_t)x->dimensions[axes[2 + i]] + t->padding.dimensions[2 * i] +
                          t->padding.dimensions[2 * i + 1] + t->strides.dimensions[i];
    const uint64_t reach = (uint64_t)(size[i] - 1) * t->dilations.dimensions[i];
    fits = fits && span < INT32_MAX && reach < INT32_MAX && span + reach < INT32_MAX;
    webnn_vulkan__number(k, constant, names[0][i], size[i]);
    webnn_vulkan__number(k, constant, names[1][i], t->strides.dimensions[i]);
    webnn_vulkan__number(k, constant, names[2][i], size[i] > 1 ? t->dilations.dimensions[i] : 1);
    webnn_vulkan__number(k, constant, names[3][i], t->padding.dimensions[2 * i]);
  }
  return fits;
}

/* ---- conv2d, convTranspose2d ---- */

/* Is the element of x that window element a, b meets for y at row, column inside of x? Where it is
   in its channel. For conv2d, and for convTranspose2d, where it is the x that reaches this y. */
static const char *const webnn_vulkan__conv2d_text =
    "bool reaches(uint row, uint column, uint a, uint b, out uint at) {\n"
    "  int h = int(row * STRIDE_HEIGHT + a * DILATION_HEIGHT) - int(TOP);\n"
    "  int v = int(column * STRIDE_WIDTH + b * DILATION_WIDTH) - int(LEFT);\n"
    "  at = uint(h) * X_ROW + uint(v) * X_COLUMN;\n"
    "  return h >= 0 && h < int(X_HEIGHT) && v >= 0 && v < int(X_WIDTH);\n"
    "}\n";
static const char *const webnn_vulkan__conv_transpose2d_text =
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
static const char *const webnn_vulkan__window_text =
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

/* An invocation computes an element (or the elements of a word) of y. */
static const char *const webnn_vulkan__convolved_text =
    " element(uint i) {\n"
    "  uint image;\n"
    "  uint channel;\n"
    "  uint row;\n"
    "  uint column;\n"
    "  place(i, image, channel, row, column);\n"
    "  return finish(window(image, channel, row, column), i, 0u, channel);\n"
    "}\n";

/* A convolution, and what follows from its shapes. */
typedef struct webnn_vulkan__convolution {
  const webnn__node *node;
  const webnn__attributes *t;
  const webnn__shape *x, *w, *y;
  bool transposed, nchw, constant; /* constant: sizes are numbers of the text */
  uint32_t inputs, outputs;        /* of a group */
  uint32_t window[2], size[2];     /* size: of an image of y */
  uint32_t strides[4];             /* of w: output, input, row, column */
  uint32_t phases[2], grid[2];     /* see below */
  webnn_vulkan__factor factors[2]; /* x and w */
} webnn_vulkan__convolution;

static webnn_vulkan__convolution webnn_vulkan__convolution_of(const webnn_vulkan__planner *planner,
                                                              uint32_t index,
                                                              webnn_vulkan__scaling *scalings) {
  const webnn__value *values = planner->program->values;
  const uint8_t *axes, *image_axes;
  int64_t strides[WEBNN_MAX_RANK];
  webnn_vulkan__convolution c;
  uint32_t i;
  memset(&c, 0, sizeof c);
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
    c.factors[i] = webnn_vulkan__factor_of(planner, c.node, i, &scalings[i]);
  }
  return c;
}

/* The operands and all functions but element(). */
static void webnn_vulkan__put_convolution(webnn_vulkan__kernel *k,
                                          const webnn_vulkan__convolution *c) {
  static const char *const strides_of_w[4] = {"W_OUTPUT", "W_INPUT", "W_ROW", "W_COLUMN"};
  static const char *const names[2] = {"x", "w"};
  webnn_vulkan__ending ending = webnn_vulkan__ending_of(c->node);
  uint32_t i;
  webnn_vulkan__put_factors(k, names, c->factors);
  for (i = 0; i < 4; i++) {
    webnn_vulkan__number(k, c->constant, strides_of_w[i], c->strides[i]);
  }
  webnn_vulkan__number(k, c->constant, "W_GROUP",
                       c->transposed ? c->inputs * c->strides[1] : c->outputs * c->strides[0]);
  webnn_vulkan__number(k, c->constant, "GROUP_INPUTS", c->inputs);
  webnn_vulkan__number(k, c->constant, "GROUP_OUTPUTS", c->outputs);
  webnn_vulkan__put_image(k, c->constant, c->x, c->y, c->t->input_layout);
  if (!webnn_vulkan__put_window(k, c->constant, c->t, c->window, c->transposed ? c->y : c->x)) {
    (void)webnn_vulkan__kernel_fails(k, "positions need more than 31 bits");
  }
  ending.c_column = 1;
  webnn_vulkan__put_ending(k, &ending);
  webnn_vulkan__text(k, c->transposed ? webnn_vulkan__conv_transpose2d_text
                                      : webnn_vulkan__conv2d_text);
  webnn_vulkan__text(k, webnn_vulkan__window_text);
}

/* Tiles over a convolution. Of nhwc images rows are pixels, columns output channels, batches groups;
   of nchw images rows are output channels, columns pixels, batches groups of an image. What is
   outside of x is 0 and adds nothing, unless it meets an infinite weight; so a sum that is NaN is
   computed again from what is inside.

   A transposed convolution with strides meets only some elements of the window at each pixel, the
   same ones at pixels that are a stride apart. These pixels are a grid, and there is one for each
   phase, which are batches too: PHASE_HEIGHT x PHASE_WIDTH of them, all of which are computed with
   as many taps as the largest has. Without strides, and for conv2d, there is one phase. */
static const char *const webnn_vulkan__tiled_nhwc_text =
    "uint group_of(uint batch) { return batch / PHASES; }\n"
    "uint image_of(uint batch, uint pixel) { return pixel / GRID; }\n"
    "uint input_of(uint k) { return k % GROUP_INPUTS; }\n"
    "uint tap_of(uint k) { return k / GROUP_INPUTS; }\n"
    "void place_of(uint i, out uint batch, out uint pixel, out uint output_) {\n"
    "  uint image;\n"
    "  where_is(i, image, batch, pixel, output_);\n"
    "  pixel += image * GRID;\n"
    "}\n";
static const char *const webnn_vulkan__tiled_nchw_text =
    "uint group_of(uint batch) { return batch / PHASES % GROUPS; }\n"
    "uint image_of(uint batch, uint pixel) { return batch / PHASES / GROUPS; }\n"
    "uint input_of(uint k) { return k / TAPS; }\n"
    "uint tap_of(uint k) { return k % TAPS; }\n"
    "void place_of(uint i, out uint batch, out uint output_, out uint pixel) {\n"
    "  uint image;\n"
    "  where_is(i, image, batch, pixel, output_);\n"
    "  batch += image * GROUPS * PHASES;\n"
    "}\n";

static const char *const webnn_vulkan__tiled_place_text =
    "void where_is(uint i, out uint image, out uint batch, out uint pixel, out uint output_) {\n"
    "  uint channel;\n"
    "  uint row;\n"
    "  uint column;\n"
    "  place(i, image, channel, row, column);\n"
    "  batch = channel / GROUP_OUTPUTS * PHASES;\n"
    "  batch += row % PHASE_HEIGHT * PHASE_WIDTH + column % PHASE_WIDTH;\n"
    "  pixel = row / PHASE_HEIGHT * GRID_WIDTH + column / PHASE_WIDTH;\n"
    "  output_ = channel % GROUP_OUTPUTS;\n"
    "}\n";

static const char *const webnn_vulkan__tiled_pixel_text =
    "uint begin_a(uint batch) { return batch; }\n"
    "uint begin_b(uint batch) { return batch; }\n"
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
    "void unit_x(uint batch, uint pixel, uint k, out X_TYPE v[X_LENGTH]) {\n"
    "  uint channel = group_of(batch) * GROUP_INPUTS + input_of(k);\n"
    "  uint at;\n"
    "  if (reaches(row_of(batch, pixel), column_of(batch, pixel), down_of(batch, k),\n"
    "              right_of(batch, k), at)) {\n"
    "    x_load(image_of(batch, pixel) * X_IMAGE + channel * X_CHANNEL + at, v);\n"
    "  } else {\n"
    "    for (uint j = 0u; j < X_LENGTH; j++) { v[j] = X_TYPE(X_OUTSIDE); }\n"
    "  }\n"
    "}\n"
    "void unit_w(uint batch, uint output_, uint k, out W_TYPE v[W_LENGTH]) {\n"
    "  uint a = down_of(batch, k);\n"
    "  uint b = right_of(batch, k);\n"
    "  if (a < WINDOW_HEIGHT && b < WINDOW_WIDTH) {\n"
    "    w_load(group_of(batch) * W_GROUP + output_ * W_OUTPUT + input_of(k) * W_INPUT +\n"
    "           a * W_ROW + b * W_COLUMN, v);\n"
    "  } else {\n"
    "    for (uint j = 0u; j < W_LENGTH; j++) { v[j] = W_TYPE(0); }\n"
    "  }\n"
    "}\n";

static const char *const webnn_vulkan__tiled_end_text =
    " tile_end(SUM sum, uint i, uint batch, uint row, uint column) {\n"
    "  uint pixel = NCHW == 1u ? column : row;\n"
    "  uint channel = group_of(batch) * GROUP_OUTPUTS + (NCHW == 1u ? row : column);\n"
    "  return finish(MENDED, i, 0u, channel);\n"
    "}\n";

static void webnn_vulkan__put_tiled_convolution(webnn_vulkan__kernel *k, const void *user) {
  const webnn_vulkan__convolution *c = (const webnn_vulkan__convolution *)user;
  const bool bytes = c->factors[0].kind != WEBNN_VULKAN__FLOATS, fixed = c->constant;
  const uint32_t width = (c->window[1] + c->phases[1] - 1) / c->phases[1];
  const uint32_t taps = (c->window[0] + c->phases[0] - 1) / c->phases[0] * width;
  webnn_vulkan__uses(k, WEBNN_VULKAN__LIB_BITS);
  webnn_vulkan__put_convolution(k, c);
  webnn_vulkan__number(k, fixed, "GROUPS", c->t->groups);
  webnn_vulkan__number(k, fixed, "PHASES", c->phases[0] * c->phases[1]);
  webnn_vulkan__number(k, fixed, "PHASE_HEIGHT", c->phases[0]);
  webnn_vulkan__number(k, fixed, "PHASE_WIDTH", c->phases[1]);
  webnn_vulkan__number(k, fixed, "GRID", c->grid[0] * c->grid[1]);
  webnn_vulkan__number(k, fixed, "GRID_WIDTH", c->grid[1]);
  webnn_vulkan__number(k, fixed, "TAPS", taps);
  webnn_vulkan__number(k, fixed, "TAPS_WIDTH", width);
  webnn_vulkan__number(k, fixed, "TERMS", taps * c->inputs);
  webnn_vulkan__constant(k, "NCHW", c->nchw);
  webnn_vulkan__text(k, c->nchw ? "#define X_TYPE B_TYPE\n#define W_TYPE A_TYPE\n"
                                  "#define X_LENGTH B_LENGTH\n#define W_LENGTH A_LENGTH\n"
                                : "#define X_TYPE A_TYPE\n#define W_TYPE B_TYPE\n"
                                  "#define X_LENGTH A_LENGTH\n#define W_LENGTH B_LENGTH\n");
  webnn_vulkan__text(k, bytes
                            ? "#define MENDED sum + start_of(channel)\n"
                            : "#define X_OUTSIDE 0\n"
                              "#define MENDED !is_nan(sum) ? sum : window(image_of(batch, pixel), "
                              "channel, row_of(batch, pixel), column_of(batch, pixel))\n");
  webnn_vulkan__text(k, webnn_vulkan__tiled_place_text);
  webnn_vulkan__text(k, c->nchw ? webnn_vulkan__tiled_nchw_text : webnn_vulkan__tiled_nhwc_text);
  webnn_vulkan__text(k, webnn_vulkan__tiled_pixel_text);
  webnn_vulkan__put_terms(k, "x", c->nchw ? "B" : "A", &c->factors[0]);
  webnn_vulkan__put_terms(k, "w", c->nchw ? "A" : "B", &c->factors[1]);
  webnn_vulkan__text(k, webnn_vulkan__type_name(
                            webnn_vulkan__value_at(k->planner, c->node->outputs[0])->data_type));
  webnn_vulkan__text(k, webnn_vulkan__tiled_end_text);
}

/* Which operands are loaded in units: terms go along the channels of x, or in nchw along the weights
   of an output. Else outputs may be neighbours. */
static void webnn_vulkan__widen_convolution(const webnn_vulkan__planner *planner,
                                            webnn_vulkan__convolution *c, webnn_vulkan__tiled *t) {
  const uint32_t *s = c->strides, taps = c->window[0] * c->window[1];
  const bool one = c->phases[0] * c->phases[1] == 1;
  const bool floats = c->factors[0].kind == WEBNN_VULKAN__FLOATS;
  const bool in_order = one && (s[3] == 1 || c->window[1] == 1) &&
                        (s[2] == c->window[1] || c->window[0] == 1) && s[1] == taps;
  const bool along = c->nchw ? in_order : s[1] == 1;
  webnn_vulkan__factor *x = &c->factors[0], *w = &c->factors[1];
  const uint32_t channels = c->inputs * c->t->groups;
  x->wide = webnn_vulkan__loads_wide(planner, x, !c->nchw, channels | c->inputs);
  w->wide =
      along ? webnn_vulkan__loads_wide(planner, w, true,
                                       c->nchw ? taps * c->inputs | s[0]
                                               : c->inputs | s[0] | (taps > 1 ? s[2] | s[3] : 0))
            : webnn_vulkan__loads_wide(planner, w, floats && s[0] == 1,
                                       c->outputs | s[1] | (taps > 1 ? s[2] | s[3] : 0));
  if (c->nchw) {
    t->a_along_depth = along || (!w->wide && s[3] == 1);
    t->b_along_depth = false;
  } else {
    t->a_along_depth = true;
    t->b_along_depth = along;
  }
  t->a_unit = webnn_vulkan__unit_of(c->nchw ? w : x);
  t->b_unit = webnn_vulkan__unit_of(c->nchw ? x : w);
}

/* The convolution in tiles, if it is one for them: else *tiled is false. */
static bool webnn_vulkan__plan_tiled_convolution(webnn_vulkan__planner *planner, uint32_t index,
                                                 webnn_vulkan__convolution *c, bool *tiled) {
  const uint32_t phases = c->phases[0] * c->phases[1], groups = c->t->groups;
  const uint64_t channels = (uint64_t)c->outputs * groups, images = c->y->dimensions[0];
  const uint64_t pixels = (uint64_t)c->grid[0] * c->grid[1];
  const uint64_t taps = (uint64_t)((c->window[0] + c->phases[0] - 1) / c->phases[0]) *
                        ((c->window[1] + c->phases[1] - 1) / c->phases[1]);
  webnn_vulkan__tiled t;
  memset(&t, 0, sizeof t);
  *tiled = false;
  if (pixels * images > UINT32_MAX || taps * c->inputs > UINT32_MAX / 4 ||
      (phases > 1 && planner->traits->is_cpu)) { /* these gain nothing, and compile for long */
    return false;
  }
  t.node = index;
  t.bytes = c->factors[0].kind != WEBNN_VULKAN__FLOATS;
  t.rows = c->nchw ? c->outputs : (uint32_t)(pixels * images);
  t.columns = c->nchw ? (uint32_t)pixels : c->outputs;
  t.depth = (uint32_t)(taps * c->inputs);
  t.depth = t.bytes ? (t.depth + 3) / 4 : t.depth;
  t.batches = (uint64_t)groups * phases * (c->nchw ? images : 1);
  t.y_batch = c->nchw ? t.rows * t.columns : c->outputs;
  t.y_row = c->nchw ? t.columns : (uint32_t)channels;
  t.places = true;
  t.scattered = phases > 1;
  t.y = webnn_vulkan__value_part(planner, c->node->outputs[0]);
  t.elements = webnn__element_count(c->y);
  t.put = webnn_vulkan__put_tiled_convolution;
  t.user = c;
  webnn_vulkan__widen_convolution(planner, c, &t);
  t.halves = webnn_vulkan__are_halves(planner->traits, c->factors, t.y.type);
  *tiled = webnn_vulkan__chooses_tiles(planner->traits, &t);
  c->factors[0].halves = c->factors[1].halves = t.matrix != NULL;
  return *tiled && webnn_vulkan__plan_tiled(planner, &t);
}

/* A convolution of one group and single pixels, all of them in order, is a product of matrices. */
static bool webnn_vulkan__is_matrix_product(const webnn_vulkan__convolution *c) {
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

static bool webnn_vulkan__plan_pixels(webnn_vulkan__planner *planner, uint32_t index,
                                      const webnn_vulkan__convolution *c) {
  const uint32_t pixels = c->size[0] * c->size[1], images = c->y->dimensions[0];
  webnn_vulkan__matrix_product p;
  memset(&p, 0, sizeof p);
  p.rows = c->nchw ? c->outputs : pixels * images;
  p.columns = c->nchw ? pixels : c->outputs;
  p.depth = c->inputs;
  p.batches = 1;
  p.factors[c->nchw] = c->factors[0];
  p.factors[!c->nchw] = c->factors[1];
  p.ending = webnn_vulkan__ending_of(c->node);
  p.y = webnn_vulkan__value_part(planner, c->node->outputs[0]);
  if (c->nchw) {
    p.a_row = c->strides[0];
    p.a_step = c->strides[1];
    p.b_step = pixels;
    p.b_column = 1;
    p.ending.c_row = 1;
    webnn_vulkan__add_batch(&p, images, 0, c->inputs * pixels);
  } else {
    p.a_row = c->inputs;
    p.a_step = 1;
    p.b_step = c->strides[1];
    p.b_column = c->strides[0];
    p.ending.c_column = 1;
  }
  return webnn_vulkan__plan_product(planner, index, &p);
}

static bool webnn_vulkan__plan_convolution(webnn_vulkan__planner *planner, uint32_t index) {
  webnn_vulkan__scaling scalings[2];
  webnn_vulkan__convolution c = webnn_vulkan__convolution_of(planner, index, scalings);
  webnn_vulkan__kernel k;
  bool tiled, planned;
  if (c.factors[0].kind == WEBNN_VULKAN__FLOATS && webnn_vulkan__is_matrix_product(&c)) {
    return webnn_vulkan__plan_pixels(planner, index, &c);
  }
  c.constant = !planner->traits->is_cpu;
  planned = webnn_vulkan__plan_tiled_convolution(planner, index, &c, &tiled);
  if (tiled) {
    return planned;
  }
  c.constant = false;
  c.factors[0].wide = c.factors[1].wide = false;
  webnn_vulkan__begin(planner, index, &k);
  webnn_vulkan__put_arithmetic(&k, c.factors[0].kind != WEBNN_VULKAN__FLOATS);
  webnn_vulkan__put_convolution(&k, &c);
  webnn_vulkan__writes(&k, "y", c.node->outputs[0]);
  webnn_vulkan__text(
      &k, webnn_vulkan__type_name(webnn_vulkan__value_at(planner, c.node->outputs[0])->data_type));
  webnn_vulkan__text(&k, webnn_vulkan__convolved_text);
  k.cost = (uint64_t)c.inputs * c.window[0] * c.window[1];
  return webnn_vulkan__map(&k, webnn__element_count(c.y));
}

static bool webnn_vulkan__plan_conv2d(webnn_vulkan__planner *planner, uint32_t index) {
  return webnn_vulkan__plan_convolution(planner, index);
}

static bool webnn_vulkan__plan_conv_transpose2d(webnn_vulkan__planner *planner, uint32_t index) {
  return webnn_vulkan__plan_convolution(planner, index);
}

/* ---- averagePool2d, l2Pool2d, maxPool2d ---- */

/* The loops over the elements of x that lie in the window of element i of y; `term` is a macro of
   each. */
static const char *const webnn_vulkan__pool_text =
    "void begin_window(uint i, out int top, out int left, out uint begin) {\n"
    "  uint image;\n"
    "  uint channel;\n"
    "  uint row;\n"
    "  uint column;\n"
    "  place(i, image, channel, row, column);\n"
    "  top = int(row * STRIDE_HEIGHT) - int(TOP);\n"
    "  left = int(column * STRIDE_WIDTH) - int(LEFT);\n"
    "  begin = image * X_IMAGE + channel * X_CHANNEL;\n"
    "}\n"
    "bool inside(int h, int v) {\n"
    "  return h >= 0 && h < int(X_HEIGHT) && v >= 0 && v < int(X_WIDTH);\n"
    "}\n";

/* max: what is better than the best so far takes its place; NaN is better than numbers. */
static const char *const webnn_vulkan__max_pool_text =
    "element_type element(uint i) {\n"
    "  int top;\n"
    "  int left;\n"
    "  uint begin;\n"
    "  begin_window(i, top, left, begin);\n"
    "  element_type best = lowest();\n"
    "  for (uint a = 0u; a < WINDOW_HEIGHT; a++) {\n"
    "    int h = top + int(a * DILATION_HEIGHT);\n"
    "    for (uint b = 0u; b < WINDOW_WIDTH; b++) {\n"
    "      int v = left + int(b * DILATION_WIDTH);\n"
    "      if (inside(h, v)) {\n"
    "        best = better(load_x(begin + uint(h) * X_ROW + uint(v) * X_COLUMN), best);\n"
    "      }\n"
    "    }\n"
    "  }\n"
    "  return best;\n"
    "}\n";

/* Sums of x or of its squares, first scaled by a power of two. They are kept in two numbers, the
   second of which is what rounding the first has lost. */
static const char *const webnn_vulkan__sum_pool_text =
    "float pooled(int top, int left, uint begin, float scale, out uint count) {\n"
    "  float sum = 0.0;\n"
    "  float lost = 0.0;\n"
    "  count = 0u;\n"
    "  for (uint a = 0u; a < WINDOW_HEIGHT; a++) {\n"
    "    int h = top + int(a * DILATION_HEIGHT);\n"
    "    for (uint b = 0u; b < WINDOW_WIDTH; b++) {\n"
    "      int v = left + int(b * DILATION_WIDTH);\n"
    "      if (inside(h, v)) {\n"
    "        float x = scale * load_x(begin + uint(h) * X_ROW + uint(v) * X_COLUMN);\n"
    "        x = term(x);\n"
    "        float next = sum + x;\n"
    "        float back = next - sum;\n"
    "        lost += (sum - (next - back)) + (x - back);\n"
    "        sum = next;\n"
    "        count += 1u;\n"
    "      }\n"
    "    }\n"
    "  }\n"
    "  return is_infinite(sum) ? sum : sum + lost;\n"
    "}\n";

/* The sum over the count. One that is too large for a float is made of smaller terms. */
static const char *const webnn_vulkan__average_pool_text =
    "float element(uint i) {\n"
    "  int top;\n"
    "  int left;\n"
    "  uint begin;\n"
    "  uint count;\n"
    "  begin_window(i, top, left, begin);\n"
    "  float sum = pooled(top, left, begin, 1.0, count);\n"
    "  if (is_infinite(sum) || is_nan(sum)) {\n"
    "    sum = pooled(top, left, begin, exp2_of(-64), count);\n"
    "    return sum / float(max(count, 1u)) * exp2_of(64);\n"
    "  }\n"
    "  return sum / float(max(count, 1u));\n"
    "}\n";

/* The square root of the sum of squares; with scaled terms where squares are too large or small. */
static const char *const webnn_vulkan__l2_pool_text =
    "float element(uint i) {\n"
    "  int top;\n"
    "  int left;\n"
    "  uint begin;\n"
    "  uint count;\n"
    "  begin_window(i, top, left, begin);\n"
    "  float sum = pooled(top, left, begin, 1.0, count);\n"
    "  if (is_nan(sum) || sum > exp2_of(100)) {\n"
    "    sum = pooled(top, left, begin, exp2_of(-80), count);\n"
    "    return sqrt(sum) * exp2_of(80);\n"
    "  }\n"
    "  if (sum < exp2_of(-80)) {\n"
    "    sum = pooled(top, left, begin, exp2_of(80), count);\n"
    "    return sqrt(sum) * exp2_of(-80);\n"
    "  }\n"
    "  return sqrt(sum);\n"
    "}\n";

/* lowest(), and better(): the larger one, or NaN. Numbers of 64 bits are words, the low one first. */
static const char *webnn_vulkan__better_text(webnn_data_type type) {
  switch (type) {
  case WEBNN_FLOAT32:
  case WEBNN_FLOAT16:
    return "#define element_type float\n"
           "float lowest() { return uintBitsToFloat(0xff800000u); }\n"
           "float better(float x, float best) { return x > best || is_nan(x) ? x : best; }\n";
  case WEBNN_INT64:
    return "#define element_type uvec2\n"
           "uvec2 lowest() { return uvec2(0u, 0x80000000u); }\n"
           "uvec2 better(uvec2 x, uvec2 best) {\n"
           "  bool larger = x.y == best.y ? x.x > best.x : int(x.y) > int(best.y);\n"
           "  return larger ? x : best;\n"
           "}\n";
  case WEBNN_UINT64:
    return "#define element_type uvec2\n"
           "uvec2 lowest() { return uvec2(0u, 0u); }\n"
           "uvec2 better(uvec2 x, uvec2 best) {\n"
           "  bool larger = x.y == best.y ? x.x > best.x : x.y > best.y;\n"
           "  return larger ? x : best;\n"
           "}\n";
  case WEBNN_UINT32:
  case WEBNN_UINT8:
    return "#define element_type uint\n"
           "uint lowest() { return 0u; }\n"
           "uint better(uint x, uint best) { return max(x, best); }\n";
  case WEBNN_INT8:
    return "#define element_type int\n"
           "int lowest() { return -128; }\n"
           "int better(int x, int best) { return max(x, best); }\n";
  default:
    return "#define element_type int\n"
           "int lowest() { return int(0x80000000u); }\n"
           "int better(int x, int best) { return max(x, best); }\n";
  }
}

static bool webnn_vulkan__plan_pool2d(webnn_vulkan__planner *planner, uint32_t index) {
  const webnn__node *node = &planner->program->nodes[index];
  const webnn__value *x = &planner->program->values[node->inputs[0]];
  const webnn__value *y = &planner->program->values[node->outputs[0]];
  const webnn__attributes *t = &node->attributes;
  webnn_vulkan__kernel k;
  webnn_vulkan__begin(planner, index, &k);
  webnn_vulkan__reads(&k, "x", node->inputs[0]);
  webnn_vulkan__put_image(&k, false, &x->shape, &y->shape, t->input_layout);
  if (!webnn_vulkan__put_window(&k, false, t, t->window.dimensions, &x->shape)) {
    return webnn_vulkan__plan_fails(planner, index, "positions need more than 31 bits");
  }
  webnn_vulkan__writes(&k, "y", node->outputs[0]);
  webnn_vulkan__uses(&k, WEBNN_VULKAN__LIB_BITS);
  webnn_vulkan__text(&k, webnn_vulkan__pool_text);
  if (node->op == WEBNN_OP_MAX_POOL2D) {
    webnn_vulkan__text(&k, webnn_vulkan__better_text(x->data_type));
    webnn_vulkan__text(&k, webnn_vulkan__max_pool_text);
  } else {
    webnn_vulkan__text(&k,
                       "float exp2_of(int n) { return uintBitsToFloat(uint(n + 127) << 23); }\n");
    webnn_vulkan__text(&k, node->op == WEBNN_OP_L2_POOL2D
                               ? "float term(float x) { return x * x; }\n"
                               : "float term(float x) { return x; }\n");
    webnn_vulkan__text(&k, webnn_vulkan__sum_pool_text);
    webnn_vulkan__text(&k, node->op == WEBNN_OP_L2_POOL2D ? webnn_vulkan__l2_pool_text
                                                          : webnn_vulkan__average_pool_text);
  }
  k.cost = (uint64_t)t->window.dimensions[0] * t->window.dimensions[1] * 4;
  return webnn_vulkan__map(&k, webnn__element_count(&y->shape));
}

/* ---- resample2d ---- */

/* For each coordinate of y along a resampled axis four words of the table: the two neighbours in x,
   and what each of them weighs. */
static const char *const webnn_vulkan__nearest_text =
    "element_type element(uint i) {\n"
    "  uint at;\n"
    "  uint r;\n"
    "  uint s;\n"
    "  place(i, at, r, s);\n"
    "  return load_x(at + load_table(r) * X_FIRST + load_table(s) * X_SECOND);\n"
    "}\n";

/* An infinity that weighs nothing does not count. */
static const char *const webnn_vulkan__linear_text =
    "float element(uint i) {\n"
    "  uint at;\n"
    "  uint r;\n"
    "  uint s;\n"
    "  place(i, at, r, s);\n"
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
   x + BIAS, which is at least 0, is divided by both, bit by bit, and rounded to nearest, ties to
   even. */
static const char *const webnn_vulkan__linear_bytes_text =
    "bool reaches(uvec2 a, uvec2 b) {\n"
    "  return a.y == b.y ? a.x >= b.x : a.y > b.y;\n"
    "}\n"
    "uvec2 less(uvec2 a, uvec2 b) {\n"
    "  return uvec2(a.x - b.x, a.y - b.y - (a.x < b.x ? 1u : 0u));\n"
    "}\n"
    "element_type element(uint i) {\n"
    "  uint at;\n"
    "  uint r;\n"
    "  uint s;\n"
    "  place(i, at, r, s);\n"
    "  uvec2 sum = uvec2(0u, 0u);\n"
    "  for (uint a = 0u; a < 2u; a++) {\n"
    "    uint line = 0u;\n"
    "    for (uint b = 0u; b < 2u; b++) {\n"
    "      element_type x = load_x(at + load_table(r + a) * X_FIRST +\n"
    "                              load_table(s + b) * X_SECOND);\n"
    "      line += uint(int(x) + BIAS) * load_table(s + 2u + b);\n"
    "    }\n"
    "    uint high;\n"
    "    uint low;\n"
    "    umulExtended(line, load_table(r + 2u + a), high, low);\n"
    "    sum.x += low;\n"
    "    sum.y += high + (sum.x < low ? 1u : 0u);\n"
    "  }\n"
    "  uint unit_high;\n"
    "  uint unit_low;\n"
    "  umulExtended(UNIT_0, UNIT_1, unit_high, unit_low);\n"
    "  uvec2 unit = uvec2(unit_low << 8, unit_high << 8 | unit_low >> 24);\n"
    "  uint quotient = 0u;\n"
    "  for (uint bit = 0u; bit < 8u; bit++) {\n"
    "    unit = uvec2(unit.x >> 1 | unit.y << 31, unit.y >> 1);\n"
    "    quotient = quotient << 1;\n"
    "    if (reaches(sum, unit)) {\n"
    "      sum = less(sum, unit);\n"
    "      quotient += 1u;\n"
    "    }\n"
    "  }\n"
    "  uvec2 twice = uvec2(sum.x << 1, sum.y << 1 | sum.x >> 31);\n"
    "  if (reaches(twice, unit) && (!reaches(unit, twice) || (quotient & 1u) == 1u)) {\n"
    "    quotient += 1u;\n"
    "  }\n"
    "  return element_type(int(quotient) - BIAS);\n"
    "}\n";

static uint64_t webnn_vulkan__common_divisor(uint64_t a, uint64_t b) {
  while (b != 0) {
    const uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* The entries of the table for one axis, and the unit of its integer weights. */
static uint64_t webnn_vulkan__resample_entries(uint32_t mode, uint32_t in, uint32_t out,
                                               bool is_float, uint32_t *words) {
  const uint64_t divisor = webnn_vulkan__common_divisor(
      2 * (uint64_t)in,
      webnn_vulkan__common_divisor(in > out ? in - out : out - in, 2 * (uint64_t)out));
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

/* Writes void place(uint i, ...): where the part of x's index that does not depend on the resampled
   axes is, and where the entries of the other two are. */
static void webnn_vulkan__put_resampled_place(webnn_vulkan__kernel *k, const webnn__shape *x,
                                              const webnn__shape *y, const uint32_t *axes) {
  static const char *const names[4][2] = {
      {"Y_0", "X_0"}, {"Y_1", "X_1"}, {"Y_2", "X_2"}, {"Y_3", "X_3"}};
  int64_t strides[WEBNN_MAX_RANK];
  uint32_t i;
  webnn__row_major(x, strides);
  webnn_vulkan__push(k, "X_FIRST", (uint32_t)strides[axes[0]]);
  webnn_vulkan__push(k, "X_SECOND", (uint32_t)strides[axes[1]]);
  webnn_vulkan__push(k, "SECOND", y->dimensions[axes[0]]);
  webnn_vulkan__text(k, "void place(uint i, out uint at, out uint r, out uint s) {\n"
                        "  uint c;\n"
                        "  at = 0u;\n");
  for (i = 4; i-- > 0;) {
    webnn_vulkan__push(k, names[i][0], y->dimensions[i]);
    webnn_vulkan__format(k, "  c = i %% Y_%u;\n  i = i / Y_%u;\n", i, i);
    if (i == axes[0]) {
      webnn_vulkan__text(k, "  r = c * 4u;\n");
    } else if (i == axes[1]) {
      webnn_vulkan__text(k, "  s = (SECOND + c) * 4u;\n");
    } else {
      webnn_vulkan__push(k, names[i][1], (uint32_t)strides[i]);
      webnn_vulkan__format(k, "  at += c * X_%u;\n", i);
    }
  }
  webnn_vulkan__text(k, "}\n");
}

static bool webnn_vulkan__plan_resample2d(webnn_vulkan__planner *planner, uint32_t index) {
  const webnn__node *node = &planner->program->nodes[index];
  const webnn__value *x = &planner->program->values[node->inputs[0]];
  const webnn__shape *y = &planner->program->values[node->outputs[0]].shape;
  const uint32_t *axes = node->attributes.axes.dimensions, mode = node->attributes.mode;
  const bool is_float = webnn__is_float(x->data_type);
  const uint64_t entries = (uint64_t)y->dimensions[axes[0]] + y->dimensions[axes[1]];
  uint32_t *words = (uint32_t *)webnn__arena_take(planner->arena, entries * 16);
  uint64_t unit[2];
  webnn_vulkan__kernel k;
  if (words == NULL) {
    return webnn_vulkan__plan_lacks_memory(planner);
  }
  unit[0] = webnn_vulkan__resample_entries(mode, x->shape.dimensions[axes[0]],
                                           y->dimensions[axes[0]], is_float, words);
  unit[1] =
      webnn_vulkan__resample_entries(mode, x->shape.dimensions[axes[1]], y->dimensions[axes[1]],
                                     is_float, words + (uint64_t)y->dimensions[axes[0]] * 4);
  if (entries > UINT32_MAX / 16 || (!is_float && (unit[0] | unit[1]) >> 24 != 0)) {
    return webnn_vulkan__plan_fails(planner, index, "too many different weights");
  }
  webnn_vulkan__begin(planner, index, &k);
  webnn_vulkan__reads(&k, "x", node->inputs[0]);
  webnn_vulkan__reads_words(&k, "table", words, (uint32_t)entries * 4);
  webnn_vulkan__put_resampled_place(&k, &x->shape, y, axes);
  webnn_vulkan__writes(&k, "y", node->outputs[0]);
  webnn_vulkan__text(&k, is_float                      ? "#define element_type float\n"
                         : x->data_type == WEBNN_UINT8 ? "#define element_type uint\n"
                                                       : "#define element_type int\n");
  if (mode == WEBNN_INTERPOLATION_NEAREST_NEIGHBOR) {
    webnn_vulkan__text(&k, webnn_vulkan__nearest_text);
  } else if (is_float) {
    webnn_vulkan__text(&k, webnn_vulkan__linear_text);
  } else {
    webnn_vulkan__push(&k, "UNIT_0", (uint32_t)unit[0]);
    webnn_vulkan__push(&k, "UNIT_1", (uint32_t)unit[1]);
    webnn_vulkan__text(&k, x->data_type == WEBNN_UINT8 ? "const int BIAS = 0;\n"
                                                       : "const int BIAS = 128;\n");
    webnn_vulkan__text(&k, webnn_vulkan__linear_bytes_text);
  }
  k.cost = 16;
  return webnn_vulkan__map(&k, webnn__element_count(y));
}

/* ---- gru, gruCell, lstm, lstmCell ----------------------------------------------------------------

   One product brings all steps' inputs to the gates: gates[step, batch, direction, gate, unit] =
   x W^T + b. Then each step is one kernel, of reset-before gru two, whose workgroups add h R^T and
   make the new state. States are kept as floats in scratch memory, [slot, direction, batch, unit],
   rounded to the type as stored ones are. With return_sequence there is a slot for each time, else
   two that take turns. At last they are copied to the results. */

typedef struct webnn_vulkan__network {
  uint32_t node;
  bool lstm, sequence;
  webnn_data_type type;
  uint32_t gates, steps, directions, batch, inputs, hidden;
  uint32_t x, weight, recurrent_weight, bias, recurrent_bias, peephole; /* values */
  uint32_t initial_hidden, initial_cell;
  uint32_t lanes; /* invocations that share a unit's sums */
  uint64_t slot;  /* elements of the state of a time */
  webnn_vulkan__memory_part sums, reset, h, c, zeros;
} webnn_vulkan__network;

/* The network of a node, without memory. */
static webnn_vulkan__network webnn_vulkan__network_of(const webnn_vulkan__planner *planner,
                                                      uint32_t index) {
  const webnn__node *node = &planner->program->nodes[index];
  const webnn__value *values = planner->program->values;
  const bool cell = node->op == WEBNN_OP_GRU_CELL || node->op == WEBNN_OP_LSTM_CELL;
  const bool lstm = node->op == WEBNN_OP_LSTM || node->op == WEBNN_OP_LSTM_CELL;
  const webnn__shape *x = &values[node->inputs[0]].shape;
  const uint32_t states = lstm ? 2 : 1, bias = cell ? 3 + states : 3;
  const uint32_t initial = cell ? 3 : lstm ? 6 : 5;
  webnn_vulkan__network net;
  memset(&net, 0, sizeof net);
  net.node = index;
  net.lstm = lstm;
  net.sequence = !cell && node->attributes.return_sequence;
  net.type = values[node->inputs[0]].data_type;
  net.gates = lstm ? 4 : 3;
  net.steps = cell ? 1 : x->dimensions[0];
  net.directions = cell ? 1 : values[node->inputs[1]].shape.dimensions[0];
  net.batch = x->dimensions[cell ? 0 : 1];
  net.inputs = x->dimensions[cell ? 1 : 2];
  net.hidden = node->attributes.hidden_size;
  net.x = node->inputs[0];
  net.weight = node->inputs[1];
  net.recurrent_weight = node->inputs[2];
  net.bias = webnn_vulkan__operand_of(node, bias);
  net.recurrent_bias = webnn_vulkan__operand_of(node, bias + 1);
  net.peephole = lstm ? webnn_vulkan__operand_of(node, bias + 2) : WEBNN__NONE;
  net.initial_hidden = webnn_vulkan__operand_of(node, initial);
  net.initial_cell = lstm ? webnn_vulkan__operand_of(node, initial + 1) : WEBNN__NONE;
  net.slot = (uint64_t)net.directions * net.batch * net.hidden;
  net.lanes = net.hidden < 32 ? 1 : planner->traits->is_cpu ? 4 : 32;
  return net;
}

/* sums = x W^T + b, for all steps. */
static bool webnn_vulkan__plan_network_inputs(webnn_vulkan__planner *planner,
                                              const webnn_vulkan__network *net) {
  webnn_vulkan__matrix_product p;
  memset(&p, 0, sizeof p);
  p.rows = net->steps * net->batch;
  p.columns = net->directions * net->gates * net->hidden;
  p.depth = net->inputs;
  p.a_row = p.b_column = net->inputs;
  p.a_step = p.b_step = 1;
  p.batches = 1;
  p.factors[0].part = webnn_vulkan__value_part(planner, net->x);
  p.factors[1].part = webnn_vulkan__value_part(planner, net->weight);
  p.y = net->sums;
  p.ending.c = net->bias;
  p.ending.residual = WEBNN__NONE;
  p.ending.c_column = 1;
  p.ending.alpha = p.ending.beta = 1.0f;
  p.ending.low = webnn__float_of_bits(0xff800000U);
  p.ending.high = webnn__float_of_bits(0x7f800000U);
  return webnn_vulkan__plan_product(planner, net->node, &p);
}

/* Writes float activation_NUMBER(float x). */
static void webnn_vulkan__put_activation(webnn_vulkan__kernel *k, uint32_t number,
                                         uint32_t activation) {
  const unsigned i = (unsigned)number;
  if (activation == WEBNN_ACTIVATION_RELU) {
    webnn_vulkan__format(k, "float activation_%u(float x) { return x < 0.0 ? 0.0 : x; }\n", i);
  } else if (activation == WEBNN_ACTIVATION_SIGMOID) {
    webnn_vulkan__uses(k, WEBNN_VULKAN__LIB_SIGMOID);
    webnn_vulkan__format(k, "float activation_%u(float x) { return sigmoid_of(x); }\n", i);
  } else {
    webnn_vulkan__uses(k, WEBNN_VULKAN__LIB_TANH);
    webnn_vulkan__format(k, "float activation_%u(float x) { return tanh_of(x); }\n", i);
  }
}

/* Item i of a step is a direction, a batch entry and a hidden unit, which LANES invocations share.
   The state is at from + unit, the sums of the inputs at at_sums + gate HIDDEN + unit, rows of
   weights at row(gate). */
static const char *const webnn_vulkan__step_place_text =
    "uint direction;\n"
    "uint unit;\n"
    "uint from;\n"
    "uint at_sums;\n"
    "uint item;\n"
    "void begin_step(uint i) {\n"
    "  item = i;\n"
    "  unit = i % HIDDEN;\n"
    "  uint entry = i / HIDDEN % BATCH;\n"
    "  direction = i / HIDDEN / BATCH;\n"
    "  from = i - unit;\n"
    "  uint time = direction == 0u ? TIME_0 : TIME_1;\n"
    "  at_sums = ((time * BATCH + entry) * DIRECTIONS + direction) * GATES * HIDDEN + unit;\n"
    "}\n"
    "uint row(uint gate) {\n"
    "  return (direction * GATES + gate) * HIDDEN + unit;\n"
    "}\n"
    "uint old_slot() {\n"
    "  return direction == 0u ? OLD_0 : OLD_1;\n"
    "}\n"
    "uint new_slot() {\n"
    "  return direction == 0u ? NEW_0 : NEW_1;\n"
    "}\n"
    "float shared_dot(uint gate, uint lane) {\n"
    "  uint at_r = row(gate) * HIDDEN;\n"
    "  uint slot = old_slot();\n"
    "  float sum = 0.0;\n"
    "  for (uint j = lane; j < HIDDEN; j += LANES) {\n"
    "    sum = fma(state(slot, from + j), load_r(at_r + j), sum);\n"
    "  }\n"
    "  return sum;\n"
    "}\n";

/* The lanes' sums are added up in shared memory; every lane gets the total. */
static const char *const webnn_vulkan__step_sum_text =
    "shared float parts[GROUP];\n"
    "float gate_dot(uint gate, uint lane) {\n"
    "  uint l = gl_LocalInvocationID.x;\n"
    "  parts[l] = shared_dot(gate, lane);\n"
    "  barrier();\n"
    "  for (uint width = LANES / 2u; width > 0u; width = width / 2u) {\n"
    "    if (lane < width) {\n"
    "      parts[l] += parts[l + width];\n"
    "    }\n"
    "    barrier();\n"
    "  }\n"
    "  float sum = parts[l - lane];\n"
    "  barrier();\n"
    "  return sum;\n"
    "}\n";

static const char *const webnn_vulkan__step_run_text =
    "void run(uint group) {\n"
    "  uint i = group * (GROUP / LANES) + gl_LocalInvocationID.x / LANES;\n"
    "  uint lane = gl_LocalInvocationID.x % LANES;\n"
    "  begin_step(min(i, ITEMS - 1u));\n"
    "  make_state(lane, i < ITEMS && lane == 0u);\n"
    "}\n";

/* r h, for the candidate of reset-before gru. */
static const char *const webnn_vulkan__gru_reset_text =
    "void make_state(uint lane, bool writes) {\n"
    "  float r = gate_dot(RESET, lane) + load_sums(at_sums + RESET * HIDDEN);\n"
    "  if (writes) {\n"
    "    r = activation_0(r + recurrent_bias(RESET));\n"
    "    store_reset(item, r * load_h(old_slot() + item));\n"
    "  }\n"
    "}\n";

static const char *const webnn_vulkan__gru_text =
    "void make_state(uint lane, bool writes) {\n"
    "  float z = gate_dot(UPDATE, lane) + load_sums(at_sums + UPDATE * HIDDEN);\n"
    "  float r = gate_dot(RESET, lane) + load_sums(at_sums + RESET * HIDDEN);\n"
    "  float n = gate_dot(2u, lane);\n"
    "  if (writes) {\n"
    "    z = activation_0(z + recurrent_bias(UPDATE));\n"
    "    r = activation_0(r + recurrent_bias(RESET));\n"
    "    n = load_sums(at_sums + 2u * HIDDEN) + r * (n + recurrent_bias(2u));\n"
    "    n = activation_1(n);\n"
    "    float h = z * load_h(old_slot() + item) + (1.0 - z) * n;\n"
    "    store_new_h(new_slot() + item, rounded(h));\n"
    "  }\n"
    "}\n";

/* The dot product of the candidate is over r h, which `state` gives there. */
static const char *const webnn_vulkan__gru_after_reset_text =
    "float reset_dot(uint gate, uint lane) {\n"
    "  use_reset = true;\n"
    "  float sum = gate_dot(gate, lane);\n"
    "  use_reset = false;\n"
    "  return sum;\n"
    "}\n"
    "void make_state(uint lane, bool writes) {\n"
    "  use_reset = false;\n"
    "  float z = gate_dot(UPDATE, lane) + load_sums(at_sums + UPDATE * HIDDEN);\n"
    "  float n = reset_dot(2u, lane) + load_sums(at_sums + 2u * HIDDEN);\n"
    "  if (writes) {\n"
    "    z = activation_0(z + recurrent_bias(UPDATE));\n"
    "    n = activation_1(n + recurrent_bias(2u));\n"
    "    float h = z * load_h(old_slot() + item) + (1.0 - z) * n;\n"
    "    store_new_h(new_slot() + item, rounded(h));\n"
    "  }\n"
    "}\n";

static const char *const webnn_vulkan__lstm_text =
    "void make_state(uint lane, bool writes) {\n"
    "  float i = gate_dot(GATE_I, lane) + load_sums(at_sums + GATE_I * HIDDEN);\n"
    "  float o = gate_dot(GATE_O, lane) + load_sums(at_sums + GATE_O * HIDDEN);\n"
    "  float f = gate_dot(GATE_F, lane) + load_sums(at_sums + GATE_F * HIDDEN);\n"
    "  float g = gate_dot(GATE_G, lane) + load_sums(at_sums + GATE_G * HIDDEN);\n"
    "  if (writes) {\n"
    "    float c = load_c(C_OLD + item);\n"
    "    i = activation_0(i + recurrent_bias(GATE_I) + peephole(0u, c));\n"
    "    o = activation_0(o + recurrent_bias(GATE_O) + peephole(1u, c));\n"
    "    f = activation_0(f + recurrent_bias(GATE_F) + peephole(2u, c));\n"
    "    g = activation_1(g + recurrent_bias(GATE_G));\n"
    "    c = f * c + i * g;\n"
    "    store_new_c(C_NEW + item, rounded(c));\n"
    "    store_new_h(new_slot() + item, rounded(o * activation_2(c)));\n"
    "  }\n"
    "}\n";

/* What all kernels of a step have: sizes, places, biases, `state` (what is multiplied by the
   recurrent weights), `rounded` (to the type of the results). */
static void webnn_vulkan__put_step(webnn_vulkan__kernel *k, const webnn_vulkan__network *net,
                                   const uint32_t *times, const char *state) {
  const webnn__attributes *t = &k->planner->program->nodes[net->node].attributes;
  uint32_t i;
  webnn_vulkan__reads_part(k, "sums", net->sums);
  webnn_vulkan__reads(k, "r", net->recurrent_weight);
  webnn_vulkan__push(k, "HIDDEN", net->hidden);
  webnn_vulkan__push(k, "BATCH", net->batch);
  webnn_vulkan__push(k, "DIRECTIONS", net->directions);
  webnn_vulkan__push(k, "ITEMS", (uint32_t)net->slot);
  webnn_vulkan__push(k, "TIME_0", times[0]);
  webnn_vulkan__push(k, "TIME_1", times[1]);
  webnn_vulkan__push(k, "OLD_0", times[2]);
  webnn_vulkan__push(k, "OLD_1", times[3]);
  webnn_vulkan__push(k, "NEW_0", times[4]);
  webnn_vulkan__push(k, "NEW_1", times[5]);
  webnn_vulkan__constant(k, "GATES", net->gates);
  webnn_vulkan__constant(k, "LANES", net->lanes);
  webnn_vulkan__constant(k, "GROUP", k->local);
  if (!net->lstm) {
    webnn_vulkan__constant(k, "UPDATE", t->gate_layout == WEBNN_GRU_ZRN ? 0 : 1);
    webnn_vulkan__constant(k, "RESET", t->gate_layout == WEBNN_GRU_ZRN ? 1 : 0);
  }
  for (i = 0; i < (net->lstm ? 3u : 2u); i++) {
    webnn_vulkan__put_activation(k, i, t->activations[i]);
  }
  if (net->type == WEBNN_FLOAT16) {
    webnn_vulkan__uses(k, WEBNN_VULKAN__LIB_HALF);
  }
  webnn_vulkan__text(k, net->type == WEBNN_FLOAT16
                            ? "float rounded(float x) { return round_half(x); }\n"
                            : "float rounded(float x) { return x; }\n");
  webnn_vulkan__text(k, state);
  webnn_vulkan__text(k, webnn_vulkan__step_place_text);
  if (net->lanes > 1) {
    webnn_vulkan__text(k, webnn_vulkan__step_sum_text);
  } else {
    webnn_vulkan__text(k, "float gate_dot(uint gate, uint lane) {\n"
                          "  return shared_dot(gate, lane);\n"
                          "}\n");
  }
  if (net->recurrent_bias != WEBNN__NONE) {
    webnn_vulkan__reads(k, "rb", net->recurrent_bias);
    webnn_vulkan__text(k, "float recurrent_bias(uint gate) { return load_rb(row(gate)); }\n");
  } else {
    webnn_vulkan__text(k, "float recurrent_bias(uint gate) { return 0.0; }\n");
  }
}

static bool webnn_vulkan__run_step(webnn_vulkan__kernel *k, const webnn_vulkan__network *net,
                                   const char *text) {
  const uint64_t items = k->local / net->lanes;
  webnn_vulkan__text(k, text);
  webnn_vulkan__text(k, webnn_vulkan__step_run_text);
  k->cost = (uint64_t)net->gates * net->hidden / net->lanes;
  return webnn_vulkan__groups(k, (net->slot + items - 1) / items);
}

static bool webnn_vulkan__plan_gru_step(webnn_vulkan__planner *planner,
                                        const webnn_vulkan__network *net,
                                        webnn_vulkan__memory_part h, const uint32_t *times) {
  static const char *const plain = "float state(uint slot, uint i) { return load_h(slot + i); }\n";
  static const char *const both = "bool use_reset;\n"
                                  "float state(uint slot, uint i) {\n"
                                  "  if (use_reset) {\n"
                                  "    return load_reset(i);\n"
                                  "  }\n"
                                  "  return load_h(slot + i);\n"
                                  "}\n";
  const bool after = planner->program->nodes[net->node].attributes.reset_after;
  webnn_vulkan__kernel k;
  if (!after) {
    webnn_vulkan__begin(planner, net->node, &k);
    webnn_vulkan__reads_part(&k, "h", h);
    webnn_vulkan__put_step(&k, net, times, plain);
    webnn_vulkan__writes_part(&k, "reset", net->reset);
    if (!webnn_vulkan__run_step(&k, net, webnn_vulkan__gru_reset_text)) {
      return false;
    }
  }
  webnn_vulkan__begin(planner, net->node, &k);
  webnn_vulkan__reads_part(&k, "h", h);
  if (!after) {
    webnn_vulkan__reads_part(&k, "reset", net->reset);
  }
  webnn_vulkan__put_step(&k, net, times, after ? plain : both);
  webnn_vulkan__writes_part(&k, "new_h", net->h);
  return webnn_vulkan__run_step(
      &k, net, after ? webnn_vulkan__gru_text : webnn_vulkan__gru_after_reset_text);
}

static bool webnn_vulkan__plan_lstm_step(webnn_vulkan__planner *planner,
                                         const webnn_vulkan__network *net,
                                         webnn_vulkan__memory_part h, webnn_vulkan__memory_part c,
                                         const uint32_t *times) {
  static const char *const names[4] = {"GATE_I", "GATE_O", "GATE_F", "GATE_G"};
  const uint32_t *block =
      webnn__lstm_blocks[planner->program->nodes[net->node].attributes.gate_layout];
  webnn_vulkan__kernel k;
  uint32_t i;
  webnn_vulkan__begin(planner, net->node, &k);
  webnn_vulkan__reads_part(&k, "h", h);
  webnn_vulkan__reads_part(&k, "c", c);
  webnn_vulkan__push(&k, "C_OLD", times[6]);
  webnn_vulkan__push(&k, "C_NEW", times[7]);
  webnn_vulkan__put_step(&k, net, times,
                         "float state(uint slot, uint i) { return load_h(slot + i); }\n");
  for (i = 0; i < 4; i++) {
    webnn_vulkan__constant(&k, names[i], block[i]);
  }
  if (net->peephole != WEBNN__NONE) {
    webnn_vulkan__reads(&k, "p", net->peephole);
    webnn_vulkan__text(&k, "float peephole(uint block, float c) {\n"
                           "  return load_p((direction * 3u + block) * HIDDEN + unit) * c;\n"
                           "}\n");
  } else {
    webnn_vulkan__text(&k, "float peephole(uint block, float c) { return 0.0; }\n");
  }
  webnn_vulkan__writes_part(&k, "new_c", net->c);
  webnn_vulkan__writes_part(&k, "new_h", net->h);
  return webnn_vulkan__run_step(&k, net, webnn_vulkan__lstm_text);
}

/* y = part of x: of result i in direction d from FROM_d + i on. */
static bool webnn_vulkan__plan_state_copy(webnn_vulkan__planner *planner,
                                          const webnn_vulkan__network *net,
                                          webnn_vulkan__memory_part x, uint32_t y, uint64_t from_0,
                                          uint64_t from_1) {
  webnn_vulkan__kernel k;
  webnn_vulkan__begin(planner, net->node, &k);
  webnn_vulkan__reads_part(&k, "x", x);
  webnn_vulkan__push(&k, "FROM_0", (uint32_t)from_0);
  webnn_vulkan__push(&k, "FROM_1", (uint32_t)from_1);
  webnn_vulkan__push(&k, "FORWARD", (uint32_t)(net->slot / net->directions));
  webnn_vulkan__writes(&k, "y", y);
  webnn_vulkan__text(&k, "float element(uint i) {\n"
                         "  return load_x((i < FORWARD ? FROM_0 : FROM_1) + i);\n"
                         "}\n");
  return webnn_vulkan__map(&k, webnn__element_count(&planner->program->values[y].shape));
}

/* Zeros, where there is no initial state. */
static bool webnn_vulkan__plan_zero_state(webnn_vulkan__planner *planner,
                                          const webnn_vulkan__network *net) {
  webnn_vulkan__kernel k;
  webnn_vulkan__begin(planner, net->node, &k);
  webnn_vulkan__writes_part(&k, "y", net->zeros);
  webnn_vulkan__text(&k, "float element(uint i) { return 0.0; }\n");
  return webnn_vulkan__map(&k, net->slot);
}

/* Takes scratch memory and puts what comes before the first step. */
static bool webnn_vulkan__start_network(webnn_vulkan__planner *planner,
                                        webnn_vulkan__network *net) {
  const uint64_t sums = (uint64_t)net->steps * net->slot * net->gates;
  const uint64_t slots = net->sequence ? net->steps : 2;
  if (sums > UINT32_MAX / 4 || net->slot * slots > UINT32_MAX / 4 ||
      (uint64_t)net->steps * net->batch > UINT32_MAX) {
    return webnn_vulkan__plan_fails(planner, net->node, "too many hidden units and steps");
  }
  net->sums = webnn_vulkan__scratch_part(planner, net->node, sums);
  net->h = webnn_vulkan__scratch_part(planner, net->node, net->slot * slots);
  if (net->lstm) {
    net->c = webnn_vulkan__scratch_part(planner, net->node, net->slot * 2);
  } else if (!planner->program->nodes[net->node].attributes.reset_after) {
    net->reset = webnn_vulkan__scratch_part(planner, net->node, net->slot);
  }
  if (!webnn_vulkan__plan_network_inputs(planner, net)) {
    return false;
  }
  if (net->initial_hidden == WEBNN__NONE || (net->lstm && net->initial_cell == WEBNN__NONE)) {
    net->zeros = webnn_vulkan__scratch_part(planner, net->node, net->slot);
    return webnn_vulkan__plan_zero_state(planner, net);
  }
  return true;
}

/* The slot of the state after step `step` of a direction that goes backward or not. */
static uint32_t webnn_vulkan__state_slot(const webnn_vulkan__network *net, uint32_t step,
                                         bool backward) {
  const uint32_t time = backward ? net->steps - 1 - step : step;
  return (net->sequence ? time : step % 2) * (uint32_t)net->slot;
}

static bool webnn_vulkan__plan_recurrent(webnn_vulkan__planner *planner, uint32_t index) {
  const webnn__node *node = &planner->program->nodes[index];
  webnn_vulkan__network net = webnn_vulkan__network_of(planner, index);
  const bool first_backward = node->attributes.direction == WEBNN_DIRECTION_BACKWARD;
  webnn_vulkan__memory_part h, c;
  uint32_t step, d, last[2];
  bool good = webnn_vulkan__start_network(planner, &net);
  for (step = 0; step < net.steps && good; step++) {
    uint32_t times[8];
    for (d = 0; d < 2; d++) {
      const bool backward = d == 1 || first_backward;
      times[d] = backward ? net.steps - 1 - step : step;
      times[2 + d] = step == 0 ? 0 : webnn_vulkan__state_slot(&net, step - 1, backward);
      times[4 + d] = last[d] = webnn_vulkan__state_slot(&net, step, backward);
    }
    times[6] = step == 0 ? 0 : (step - 1) % 2 * (uint32_t)net.slot;
    times[7] = step % 2 * (uint32_t)net.slot;
    h = step > 0                            ? net.h
        : net.initial_hidden == WEBNN__NONE ? net.zeros
                                            : webnn_vulkan__value_part(planner, net.initial_hidden);
    if (net.lstm) {
      c = step > 0                          ? net.c
          : net.initial_cell == WEBNN__NONE ? net.zeros
                                            : webnn_vulkan__value_part(planner, net.initial_cell);
      good = webnn_vulkan__plan_lstm_step(planner, &net, h, c, times);
    } else {
      good = webnn_vulkan__plan_gru_step(planner, &net, h, times);
    }
  }
  good = good &&
         webnn_vulkan__plan_state_copy(planner, &net, net.h, node->outputs[0], last[0], last[1]);
  if (good && net.lstm) {
    const uint32_t from = (net.steps - 1) % 2 * (uint32_t)net.slot;
    good = webnn_vulkan__plan_state_copy(planner, &net, net.c, node->outputs[1], from, from);
  }
  if (good && net.sequence) {
    good =
        webnn_vulkan__plan_state_copy(planner, &net, net.h, node->outputs[net.lstm ? 2 : 1], 0, 0);
  }
  return good;
}

static bool webnn_vulkan__plan_gru(webnn_vulkan__planner *planner, uint32_t index) {
  return webnn_vulkan__plan_recurrent(planner, index);
}

static bool webnn_vulkan__plan_gru_cell(webnn_vulkan__planner *planner, uint32_t index) {
  return webnn_vulkan__plan_recurrent(planner, index);
}

static bool webnn_vulkan__plan_lstm(webnn_vulkan__planner *planner, uint32_t index) {
  return webnn_vulkan__plan_recurrent(planner, index);
}

static bool webnn_vulkan__plan_lstm_cell(webnn_vulkan__planner *planner, uint32_t index) {
  return webnn_vulkan__plan_recurrent(planner, index);
}

/* ---- Attention ------------------------------------------------------------------------------------

   A workgroup computes a row of y. It walks over blocks of as many keys as it has invocations: each
   makes the score of one key, then all add up their elements of the values with the weights of the
   block. Whenever the largest score grows, what was added up before is scaled down, so scores are
   never written. */
static const char *const webnn_vulkan__attention_text =
    "shared float query[MOST_DEPTH];\n"
    "shared float weights[INVOCATIONS];\n"
    "shared float parts[INVOCATIONS];\n"
    "float largest_of(float x) {\n"
    "  uint l = gl_LocalInvocationID.x;\n"
    "  parts[l] = x;\n"
    "  barrier();\n"
    "  for (uint width = INVOCATIONS / 2u; width > 0u; width = width / 2u) {\n"
    "    if (l < width) {\n"
    "      float other = parts[l + width];\n"
    "      parts[l] = other > parts[l] || is_nan(other) ? other : parts[l];\n"
    "    }\n"
    "    barrier();\n"
    "  }\n"
    "  float result = parts[0];\n"
    "  barrier();\n"
    "  return result;\n"
    "}\n"
    "float sum_of(float x) {\n"
    "  uint l = gl_LocalInvocationID.x;\n"
    "  parts[l] = x;\n"
    "  barrier();\n"
    "  for (uint width = INVOCATIONS / 2u; width > 0u; width = width / 2u) {\n"
    "    if (l < width) {\n"
    "      parts[l] += parts[l + width];\n"
    "    }\n"
    "    barrier();\n"
    "  }\n"
    "  float result = parts[0];\n"
    "  barrier();\n"
    "  return result;\n"
    "}\n"
    "float weight_of(float score, float largest) {\n"
    "  return score == largest ? 1.0 : exp_of(score - largest);\n"
    "}\n";

static const char *const webnn_vulkan__attention_run_text =
    "void run(uint group) {\n"
    "  uint l = gl_LocalInvocationID.x;\n"
    "  uint row = group % ROWS;\n"
    "  uint head = group / ROWS % HEADS;\n"
    "  uint batch = group / ROWS / HEADS;\n"
    "  uint at_q = batch * Q_0 + head * Q_1 + row * Q_2;\n"
    "  uint at_k = batch * K_0 + head * K_1;\n"
    "  uint at_v = batch * V_0 + head * V_1;\n"
    "  uint at_y = batch * Y_0 + head * Y_1 + row * Y_2;\n"
    "  float sums[EACH];\n"
    "  for (uint e = 0u; e < EACH; e++) {\n"
    "    sums[e] = 0.0;\n"
    "  }\n"
    "  for (uint d = l; d < DEPTH; d += INVOCATIONS) {\n"
    "    query[d] = load_q(at_q + d * Q_3);\n"
    "  }\n"
    "  barrier();\n"
    "  float largest = -infinity();\n"
    "  float total = 0.0;\n"
    "  for (uint from = 0u; from < KEYS; from += INVOCATIONS) {\n"
    "    uint key = from + l;\n"
    "    float score = -infinity();\n"
    "    if (key < KEYS) {\n"
    "      float sum = 0.0;\n"
    "      for (uint d = 0u; d < DEPTH; d++) {\n"
    "        sum = fma(query[d], load_k(at_k + key * K_2 + d * K_3), sum);\n"
    "      }\n"
    "      score = masked(SCALE * sum, batch, head, row, key);\n"
    "    }\n"
    "    float now = largest_of(score);\n"
    "    now = largest > now || is_nan(largest) ? largest : now;\n"
    "    float factor = now == largest ? 1.0 : exp_of(largest - now);\n"
    "    float weight = key < KEYS && now > -infinity() ? weight_of(score, now) : 0.0;\n"
    "    weight = is_nan(now) ? now : weight;\n"
    "    weights[l] = weight;\n"
    "    total = total * factor + sum_of(weight);\n"
    "    largest = now;\n"
    "    uint count = min(INVOCATIONS, KEYS - from);\n"
    "    for (uint e = 0u; e < EACH; e++) {\n"
    "      uint d = l + e * INVOCATIONS;\n"
    "      if (d < VALUE_DEPTH) {\n"
    "        float sum = sums[e] * factor;\n"
    "        uint at = at_v + from * V_2 + d * V_3;\n"
    "        for (uint j = 0u; j < count; j++) {\n"
    "          sum = fma(weights[j], load_v(at + j * V_2), sum);\n"
    "        }\n"
    "        sums[e] = sum;\n"
    "      }\n"
    "    }\n"
    "    barrier();\n"
    "  }\n"
    "  for (uint e = 0u; e < EACH; e++) {\n"
    "    uint d = l + e * INVOCATIONS;\n"
    "    if (d < VALUE_DEPTH) {\n"
    "      store_y(at_y + d * Y_3, sums[e] / total);\n"
    "    }\n"
    "  }\n"
    "}\n";

static void webnn_vulkan__push_strides(webnn_vulkan__kernel *k, const char *const *names,
                                       const int64_t *strides) {
  uint32_t i;
  for (i = 0; i < 4; i++) {
    webnn_vulkan__push(k, names[i], (uint32_t)strides[i]);
  }
}

/* The operands, sizes and strides. */
static void webnn_vulkan__put_attention(webnn_vulkan__kernel *k, const webnn__node *node,
                                        const webnn__attention *a) {
  static const char *const names[5][4] = {{"Q_0", "Q_1", "Q_2", "Q_3"},
                                          {"K_0", "K_1", "K_2", "K_3"},
                                          {"V_0", "V_1", "V_2", "V_3"},
                                          {"Y_0", "Y_1", "Y_2", "Y_3"},
                                          {"M_0", "M_1", "M_2", "M_3"}};
  webnn_vulkan__reads(k, "q", node->inputs[0]);
  webnn_vulkan__reads(k, "k", node->inputs[1]);
  webnn_vulkan__reads(k, "v", node->inputs[2]);
  webnn_vulkan__push_strides(k, names[0], a->q);
  webnn_vulkan__push_strides(k, names[1], a->k);
  webnn_vulkan__push_strides(k, names[2], a->v);
  webnn_vulkan__push_strides(k, names[3], a->y);
  webnn_vulkan__push(k, "HEADS", (uint32_t)a->heads);
  webnn_vulkan__push(k, "ROWS", (uint32_t)a->m);
  webnn_vulkan__push(k, "KEYS", (uint32_t)a->n);
  webnn_vulkan__push(k, "DEPTH", (uint32_t)a->depth);
  webnn_vulkan__push(k, "VALUE_DEPTH", (uint32_t)a->value_depth);
  webnn_vulkan__push_float(k, "SCALE", a->scale);
  webnn_vulkan__text(k, "float masked(float score, uint batch, uint head, uint row, uint key) {\n");
  if (webnn_vulkan__operand_of(node, 3) != WEBNN__NONE) {
    webnn_vulkan__reads(k, "mask", node->inputs[3]);
    webnn_vulkan__push_strides(k, names[4], a->mask);
    webnn_vulkan__text(k, "  return score + load_mask(batch * M_0 + head * M_1 + row * M_2 + "
                          "key * M_3);\n}\n");
  } else {
    webnn_vulkan__text(k, "  return score;\n}\n");
  }
}

static bool webnn_vulkan__plan_attention(webnn_vulkan__planner *planner, uint32_t index) {
  const webnn__node *node = &planner->program->nodes[index];
  const webnn__attention *a = node->fused->attention;
  const webnn_vulkan__memory_part y = webnn_vulkan__value_part(planner, node->outputs[0]);
  const uint64_t count = webnn__element_count(&planner->program->values[node->outputs[0]].shape);
  const bool direct = y.type == WEBNN_FLOAT32;
  const webnn_vulkan__memory_part made =
      direct ? y : webnn_vulkan__scratch_part(planner, index, count);
  webnn_vulkan__kernel k;
  webnn_vulkan__begin(planner, index, &k);
  k.local = 64;
  webnn_vulkan__uses(&k, WEBNN_VULKAN__LIB_BITS);
  webnn_vulkan__uses(&k, WEBNN_VULKAN__LIB_EXP);
  webnn_vulkan__constant(&k, "INVOCATIONS", 64);
  webnn_vulkan__constant(&k, "MOST_DEPTH", (uint32_t)(a->depth + 63) / 64 * 64);
  webnn_vulkan__constant(&k, "EACH", (uint32_t)(a->value_depth + 63) / 64);
  webnn_vulkan__put_attention(&k, node, a);
  webnn_vulkan__writes_part(&k, "y", made);
  webnn_vulkan__text(&k, webnn_vulkan__attention_text);
  webnn_vulkan__text(&k, webnn_vulkan__attention_run_text);
  k.cost = a->n * (a->depth + a->value_depth) / 64;
  if (!webnn_vulkan__groups(&k, a->batch * a->heads * a->m) || direct) {
    return !k.failed;
  }
  webnn_vulkan__begin(planner, index, &k);
  webnn_vulkan__reads_part(&k, "x", made);
  webnn_vulkan__writes_part(&k, "y", y);
  webnn_vulkan__text(&k, "float element(uint i) { return load_x(i); }\n");
  return webnn_vulkan__map(&k, count);
}

/* What passes may merge into products. */
static void webnn_vulkan__set_product_target(const webnn_vulkan__traits *traits,
                                             webnn__target *target) {
  target->quantized_taps = UINT64_MAX;
  target->packed_types = traits->max_operands >= 8 ? 1u << WEBNN_INT8 | 1u << WEBNN_UINT8 |
                                                         1u << WEBNN_INT4 | 1u << WEBNN_UINT4
                                                   : 0;
  target->mixes_weights = true;
  target->product_types = WEBNN__TYPES_FLOATS;
  target->attention_depth = traits->max_operands >= 6 ? 256 : 0;
  if (traits->max_operands >= 6) {
    target->fuses =
        WEBNN__FUSES_TRANSPOSES | WEBNN__FUSES_BIAS | WEBNN__FUSES_RESIDUAL | WEBNN__FUSES_BOUNDS;
  }
}

/* ==============================================================================================
   5  loader and function table                                                   >>vulkan_loader

   Vulkan's loader is a library that is opened at run time. All functions of Vulkan stand in one
   table, which is filled from vkGetInstanceProcAddr, the loader's or the caller's; nothing else of
   this file calls Vulkan.
   ============================================================================================== */

#if defined(_WIN32)
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>
#else
#include <dlfcn.h>
#endif

#define WEBNN_VULKAN__GLOBAL_FUNCTIONS(X)                                                          \
  X(EnumerateInstanceVersion)                                                                      \
  X(EnumerateInstanceExtensionProperties)                                                          \
  X(EnumerateInstanceLayerProperties)                                                              \
  X(CreateInstance)

#define WEBNN_VULKAN__INSTANCE_FUNCTIONS(X)                                                        \
  X(DestroyInstance)                                                                               \
  X(EnumeratePhysicalDevices)                                                                      \
  X(GetPhysicalDeviceProperties)                                                                   \
  X(GetPhysicalDeviceProperties2)                                                                  \
  X(GetPhysicalDeviceFeatures2)                                                                    \
  X(GetPhysicalDeviceMemoryProperties)                                                             \
  X(GetPhysicalDeviceQueueFamilyProperties)                                                        \
  X(EnumerateDeviceExtensionProperties)                                                            \
  X(CreateDevice)                                                                                  \
  X(GetDeviceProcAddr)

#define WEBNN_VULKAN__DEVICE_FUNCTIONS(X)                                                          \
  X(DestroyDevice)                                                                                 \
  X(GetDeviceQueue)                                                                                \
  X(QueueSubmit)                                                                                   \
  X(QueueWaitIdle)                                                                                 \
  X(AllocateMemory)                                                                                \
  X(FreeMemory)                                                                                    \
  X(MapMemory)                                                                                     \
  X(CreateBuffer)                                                                                  \
  X(DestroyBuffer)                                                                                 \
  X(GetBufferMemoryRequirements)                                                                   \
  X(BindBufferMemory)                                                                              \
  X(CreateCommandPool)                                                                             \
  X(DestroyCommandPool)                                                                            \
  X(AllocateCommandBuffers)                                                                        \
  X(FreeCommandBuffers)                                                                            \
  X(BeginCommandBuffer)                                                                            \
  X(EndCommandBuffer)                                                                              \
  X(CmdPipelineBarrier)                                                                            \
  X(CmdCopyBuffer)                                                                                 \
  X(CmdFillBuffer)                                                                                 \
  X(CmdDispatch)                                                                                   \
  X(CmdBindPipeline)                                                                               \
  X(CmdBindDescriptorSets)                                                                         \
  X(CmdPushConstants)                                                                              \
  X(CmdResetQueryPool)                                                                             \
  X(CmdWriteTimestamp)                                                                             \
  X(CreateDescriptorSetLayout)                                                                     \
  X(DestroyDescriptorSetLayout)                                                                    \
  X(CreateDescriptorPool)                                                                          \
  X(DestroyDescriptorPool)                                                                         \
  X(AllocateDescriptorSets)                                                                        \
  X(UpdateDescriptorSets)                                                                          \
  X(CreatePipelineLayout)                                                                          \
  X(DestroyPipelineLayout)                                                                         \
  X(CreateShaderModule)                                                                            \
  X(DestroyShaderModule)                                                                           \
  X(CreateComputePipelines)                                                                        \
  X(DestroyPipeline)                                                                               \
  X(CreatePipelineCache)                                                                           \
  X(DestroyPipelineCache)                                                                          \
  X(GetPipelineCacheData)                                                                          \
  X(CreateFence)                                                                                   \
  X(DestroyFence)                                                                                  \
  X(GetFenceStatus)                                                                                \
  X(WaitForFences)                                                                                 \
  X(ResetFences)                                                                                   \
  X(CreateSemaphore)                                                                               \
  X(DestroySemaphore)                                                                              \
  X(CreateQueryPool)                                                                               \
  X(DestroyQueryPool)                                                                              \
  X(GetQueryPoolResults)

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

typedef struct webnn_vulkan__functions {
  PFN_vkGetInstanceProcAddr GetInstanceProcAddr;
#define WEBNN_VULKAN__MEMBER(name) PFN_vk##name name;
  WEBNN_VULKAN__GLOBAL_FUNCTIONS(WEBNN_VULKAN__MEMBER)
  WEBNN_VULKAN__INSTANCE_FUNCTIONS(WEBNN_VULKAN__MEMBER)
  WEBNN_VULKAN__DEVICE_FUNCTIONS(WEBNN_VULKAN__MEMBER)
#undef WEBNN_VULKAN__MEMBER
  /* Optional ones. */
  PFN_vkCreateDebugUtilsMessengerEXT CreateDebugUtilsMessenger;
  PFN_vkDestroyDebugUtilsMessengerEXT DestroyDebugUtilsMessenger;
  PFN_vkWaitSemaphores WaitSemaphores;
  PFN_vkGetSemaphoreCounterValue GetSemaphoreCounterValue;
  PFN_vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR
      GetPhysicalDeviceCooperativeMatrixPropertiesKHR;
} webnn_vulkan__functions;

/* An instance, of ours or of the caller. */
typedef struct webnn_vulkan__instance {
  void *library; /* the loader that we have opened, or NULL */
  VkInstance handle;
  bool owned;
  uint32_t version; /* that may be used */
  VkDebugUtilsMessengerEXT messenger;
  webnn_vulkan_message message;
  void *message_user;
  webnn_vulkan__functions f;
} webnn_vulkan__instance;

static const char *webnn_vulkan__result_name(VkResult result) {
  switch ((int)result) {
#define WEBNN_VULKAN__NAME(name)                                                                   \
  case name:                                                                                       \
    return #name;
    WEBNN_VULKAN__NAME(VK_NOT_READY)
    WEBNN_VULKAN__NAME(VK_TIMEOUT)
    WEBNN_VULKAN__NAME(VK_INCOMPLETE)
    WEBNN_VULKAN__NAME(VK_ERROR_OUT_OF_HOST_MEMORY)
    WEBNN_VULKAN__NAME(VK_ERROR_OUT_OF_DEVICE_MEMORY)
    WEBNN_VULKAN__NAME(VK_ERROR_INITIALIZATION_FAILED)
    WEBNN_VULKAN__NAME(VK_ERROR_DEVICE_LOST)
    WEBNN_VULKAN__NAME(VK_ERROR_MEMORY_MAP_FAILED)
    WEBNN_VULKAN__NAME(VK_ERROR_LAYER_NOT_PRESENT)
    WEBNN_VULKAN__NAME(VK_ERROR_EXTENSION_NOT_PRESENT)
    WEBNN_VULKAN__NAME(VK_ERROR_FEATURE_NOT_PRESENT)
    WEBNN_VULKAN__NAME(VK_ERROR_INCOMPATIBLE_DRIVER)
    WEBNN_VULKAN__NAME(VK_ERROR_TOO_MANY_OBJECTS)
    WEBNN_VULKAN__NAME(VK_ERROR_FRAGMENTED_POOL)
    WEBNN_VULKAN__NAME(VK_ERROR_OUT_OF_POOL_MEMORY)
    WEBNN_VULKAN__NAME(VK_ERROR_INVALID_EXTERNAL_HANDLE)
    WEBNN_VULKAN__NAME(VK_ERROR_FRAGMENTATION)
    WEBNN_VULKAN__NAME(VK_ERROR_NOT_PERMITTED_KHR)
    WEBNN_VULKAN__NAME(VK_ERROR_INVALID_SHADER_NV)
#undef WEBNN_VULKAN__NAME
  default:
    return "an unknown result";
  }
}

/* The error of a function of Vulkan that has failed on a device, or before there is one (NULL). */
static webnn_status webnn_vulkan__fail(webnn_error *error, const char *method, const char *name,
                                       VkResult result, const char *device) {
  webnn_status status = WEBNN_OPERATION_ERROR;
  if (result == VK_ERROR_OUT_OF_HOST_MEMORY || result == VK_ERROR_OUT_OF_DEVICE_MEMORY) {
    status = WEBNN_UNKNOWN_ERROR;
  } else if (result == VK_ERROR_INITIALIZATION_FAILED || result == VK_ERROR_LAYER_NOT_PRESENT ||
             result == VK_ERROR_EXTENSION_NOT_PRESENT || result == VK_ERROR_FEATURE_NOT_PRESENT ||
             result == VK_ERROR_INCOMPATIBLE_DRIVER) {
    status = WEBNN_NOT_SUPPORTED_ERROR;
  }
  return device != NULL ? webnn__fail(error, status, "%s: %s gives %s on %q", method, name,
                                      webnn_vulkan__result_name(result), device)
                        : webnn__fail(error, status, "%s: %s gives %s", method, name,
                                      webnn_vulkan__result_name(result));
}

/* The function vkGetInstanceProcAddr of the first loader there is; NULL if there is none. */
static PFN_vkGetInstanceProcAddr webnn_vulkan__open_loader(void **library) {
  PFN_vkGetInstanceProcAddr found = NULL;
#if defined(_WIN32)
  const HMODULE module = LoadLibraryA("vulkan-1.dll");
  if (module != NULL) {
    const FARPROC function = GetProcAddress(module, "vkGetInstanceProcAddr");
    *library = (void *)module;
    memcpy(&found, &function, sizeof found);
  }
#else
  static const char *const names[] = {"libvulkan.so.1", "libvulkan.so", "libvulkan.1.dylib",
                                      "libMoltenVK.dylib"};
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

static void webnn_vulkan__close_loader(void *library) {
#if defined(_WIN32)
  if (library != NULL) {
    (void)FreeLibrary((HMODULE)library);
  }
#else
  if (library != NULL) {
    (void)dlclose(library);
  }
#endif
}

static webnn_status webnn_vulkan__lacks(webnn_error *error, const char *method, const char *name) {
  return webnn__fail(error, WEBNN_NOT_SUPPORTED_ERROR,
                     "%s: the Vulkan loader or driver has no function %s", method, name);
}

#define WEBNN_VULKAN__LOAD(name)                                                                   \
  f->name = (PFN_vk##name)f->GetInstanceProcAddr(handle, "vk" #name);                              \
  if (f->name == NULL && missing == NULL) {                                                        \
    missing = "vk" #name;                                                                          \
  }

/* Opens the loader, unless the caller has one, and fills in what needs no instance. */
static webnn_status webnn_vulkan__load_globals(webnn_vulkan__instance *instance,
                                               const webnn_vulkan_options *options,
                                               const char *method, webnn_error *error) {
  webnn_vulkan__functions *f = &instance->f;
  const VkInstance handle = NULL;
  const char *missing = NULL;
  f->GetInstanceProcAddr = options->get_instance_proc_addr != NULL
                               ? options->get_instance_proc_addr
                               : webnn_vulkan__open_loader(&instance->library);
  if (f->GetInstanceProcAddr == NULL) {
    return webnn__fail(error, WEBNN_NOT_SUPPORTED_ERROR,
                       "%s: there is no Vulkan loader (libvulkan) on this machine", method);
  }
  if (options->instance != NULL) {
    return WEBNN_OK;
  }
  WEBNN_VULKAN__GLOBAL_FUNCTIONS(WEBNN_VULKAN__LOAD)
  return missing == NULL ? WEBNN_OK : webnn_vulkan__lacks(error, method, missing);
}

static webnn_status webnn_vulkan__load_instance(webnn_vulkan__instance *instance,
                                                const char *method, webnn_error *error) {
  webnn_vulkan__functions *f = &instance->f;
  const VkInstance handle = instance->handle;
  const char *missing = NULL;
  WEBNN_VULKAN__INSTANCE_FUNCTIONS(WEBNN_VULKAN__LOAD)
  f->CreateDebugUtilsMessenger = (PFN_vkCreateDebugUtilsMessengerEXT)f->GetInstanceProcAddr(
      handle, "vkCreateDebugUtilsMessengerEXT");
  f->DestroyDebugUtilsMessenger = (PFN_vkDestroyDebugUtilsMessengerEXT)f->GetInstanceProcAddr(
      handle, "vkDestroyDebugUtilsMessengerEXT");
  f->GetPhysicalDeviceCooperativeMatrixPropertiesKHR =
      (PFN_vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR)f->GetInstanceProcAddr(
          handle, "vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR");
  return missing == NULL ? WEBNN_OK : webnn_vulkan__lacks(error, method, missing);
}
#undef WEBNN_VULKAN__LOAD

static void webnn_vulkan__close_instance(webnn_vulkan__instance *instance) {
  if (instance->messenger != VK_NULL_HANDLE) {
    instance->f.DestroyDebugUtilsMessenger(instance->handle, instance->messenger, NULL);
  }
  if (instance->owned && instance->handle != NULL && instance->f.DestroyInstance != NULL) {
    instance->f.DestroyInstance(instance->handle, NULL);
  }
  webnn_vulkan__close_loader(instance->library);
  memset(instance, 0, sizeof *instance);
}

static VKAPI_ATTR VkBool32 VKAPI_CALL webnn_vulkan__hear(
    VkDebugUtilsMessageSeverityFlagBitsEXT severity, VkDebugUtilsMessageTypeFlagsEXT types,
    const VkDebugUtilsMessengerCallbackDataEXT *data, void *user) {
  const webnn_vulkan__instance *instance = (const webnn_vulkan__instance *)user;
  (void)types;
  if (instance->message != NULL) {
    instance->message(instance->message_user,
                      (severity & VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT) != 0,
                      data->pMessage != NULL ? data->pMessage : "");
  }
  return VK_FALSE;
}

static bool webnn_vulkan__lists_extension(const VkExtensionProperties *list, uint32_t count,
                                          const char *name) {
  uint32_t i;
  for (i = 0; i < count; i++) {
    if (strcmp(list[i].extensionName, name) == 0) {
      return true;
    }
  }
  return false;
}

/* The extensions of the instance (no device) or a device, and of a layer or NULL. To be released,
   also after a failure. */
static webnn_status webnn_vulkan__list_extensions(const webnn_allocator *allocator,
                                                  const webnn_vulkan__functions *f,
                                                  VkPhysicalDevice physical, const char *layer,
                                                  const char *method, VkExtensionProperties **list,
                                                  uint32_t *count, webnn_error *error) {
  const char *name = physical != NULL ? "vkEnumerateDeviceExtensionProperties"
                                      : "vkEnumerateInstanceExtensionProperties";
  VkResult result = VK_INCOMPLETE;
  while (result == VK_INCOMPLETE) {
    webnn__release(allocator, *list);
    *list = NULL;
    *count = 0;
    result = physical != NULL ? f->EnumerateDeviceExtensionProperties(physical, layer, count, NULL)
                              : f->EnumerateInstanceExtensionProperties(layer, count, NULL);
    if (result != VK_SUCCESS && result != VK_INCOMPLETE) {
      break;
    }
    *list = (VkExtensionProperties *)webnn__allocate_zeroed(allocator,
                                                            (uint64_t)*count * sizeof **list);
    if (*list == NULL) {
      return webnn__out_of_memory(error, method);
    }
    result = physical != NULL ? f->EnumerateDeviceExtensionProperties(physical, layer, count, *list)
                              : f->EnumerateInstanceExtensionProperties(layer, count, *list);
  }
  return result == VK_SUCCESS ? WEBNN_OK : webnn_vulkan__fail(error, method, name, result, NULL);
}

#define WEBNN_VULKAN__VALIDATION_LAYER "VK_LAYER_KHRONOS_validation"

/* Makes an instance with the extensions that `list` has of those wanted. */
static webnn_status webnn_vulkan__create_instance(webnn_vulkan__instance *instance,
                                                  const VkExtensionProperties *list, uint32_t count,
                                                  bool validation, const char *method,
                                                  webnn_error *error) {
  static const char *const layers[1] = {WEBNN_VULKAN__VALIDATION_LAYER};
  const char *extensions[2];
  VkApplicationInfo application;
  VkInstanceCreateInfo info;
  VkDebugUtilsMessengerCreateInfoEXT messenger;
  VkResult result;
  memset(&application, 0, sizeof application);
  memset(&info, 0, sizeof info);
  memset(&messenger, 0, sizeof messenger);
  application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
  application.pEngineName = "webnn.h";
  application.apiVersion = instance->version;
  info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  info.pApplicationInfo = &application;
  info.ppEnabledExtensionNames = extensions;
#ifdef VK_KHR_portability_enumeration
  if (webnn_vulkan__lists_extension(list, count, VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME)) {
    extensions[info.enabledExtensionCount++] = VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME;
    info.flags |= VK_INSTANCE_CREATE_ENUMERATE_PORTABILITY_BIT_KHR;
  }
#endif
  messenger.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT;
  messenger.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                              VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  messenger.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT |
                          VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                          VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT;
  messenger.pfnUserCallback = webnn_vulkan__hear;
  messenger.pUserData = instance;
  if (validation) {
    info.enabledLayerCount = 1;
    info.ppEnabledLayerNames = layers;
    extensions[info.enabledExtensionCount++] = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
    info.pNext = &messenger;
  }
  result = instance->f.CreateInstance(&info, NULL, &instance->handle);
  if (result != VK_SUCCESS) {
    instance->handle = NULL;
    return webnn_vulkan__fail(error, method, "vkCreateInstance", result, NULL);
  }
  instance->owned = true;
  if (webnn_vulkan__load_instance(instance, method, error) != WEBNN_OK) {
    return WEBNN_NOT_SUPPORTED_ERROR;
  }
  if (validation && instance->f.CreateDebugUtilsMessenger != NULL &&
      instance->f.DestroyDebugUtilsMessenger != NULL) {
    result = instance->f.CreateDebugUtilsMessenger(instance->handle, &messenger, NULL,
                                                   &instance->messenger);
    if (result != VK_SUCCESS) {
      instance->messenger = VK_NULL_HANDLE;
      return webnn_vulkan__fail(error, method, "vkCreateDebugUtilsMessengerEXT", result, NULL);
    }
  }
  return WEBNN_OK;
}

/* Is the validation layer installed? */
static webnn_status webnn_vulkan__find_layer(const webnn_allocator *allocator,
                                             const webnn_vulkan__functions *f, const char *method,
                                             webnn_error *error) {
  VkLayerProperties *layers;
  uint32_t count = 0, i;
  VkResult result = f->EnumerateInstanceLayerProperties(&count, NULL);
  bool found = false;
  if (result != VK_SUCCESS) {
    return webnn_vulkan__fail(error, method, "vkEnumerateInstanceLayerProperties", result, NULL);
  }
  layers = (VkLayerProperties *)webnn__allocate_zeroed(allocator, (uint64_t)count * sizeof *layers);
  if (layers == NULL) {
    return webnn__out_of_memory(error, method);
  }
  result = f->EnumerateInstanceLayerProperties(&count, layers);
  for (i = 0; i < count && !found && (result == VK_SUCCESS || result == VK_INCOMPLETE); i++) {
    found = strcmp(layers[i].layerName, WEBNN_VULKAN__VALIDATION_LAYER) == 0;
  }
  webnn__release(allocator, layers);
  return found ? WEBNN_OK
               : webnn__fail(error, WEBNN_NOT_SUPPORTED_ERROR,
                             "%s: the layer " WEBNN_VULKAN__VALIDATION_LAYER " is not installed",
                             method);
}

/* Opens the loader and makes an instance, or takes the caller's. After a failure it is closed. */
static webnn_status webnn_vulkan__open_instance(const webnn_allocator *allocator,
                                                const webnn_vulkan_options *options,
                                                webnn_vulkan__instance *instance,
                                                const char *method, webnn_error *error) {
  VkExtensionProperties *list = NULL;
  uint32_t count = 0;
  webnn_status status = webnn_vulkan__load_globals(instance, options, method, error);
  if (status == WEBNN_OK && options->instance != NULL) {
    instance->handle = options->instance;
    instance->version = VK_API_VERSION_1_1;
    status = webnn_vulkan__load_instance(instance, method, error);
  } else if (status == WEBNN_OK) {
    VkResult result;
    instance->message = options->message;
    instance->message_user = options->message_user;
    result = instance->f.EnumerateInstanceVersion(&instance->version);
    if (result != VK_SUCCESS) {
      status = webnn_vulkan__fail(error, method, "vkEnumerateInstanceVersion", result, NULL);
    } else if (instance->version < VK_API_VERSION_1_1) {
      status = webnn__fail(error, WEBNN_NOT_SUPPORTED_ERROR,
                           "%s: the Vulkan loader is of version 1.0, not 1.1", method);
    }
    if (instance->version > VK_API_VERSION_1_3) {
      instance->version = VK_API_VERSION_1_3;
    }
    if (status == WEBNN_OK && options->validation) {
      status = webnn_vulkan__find_layer(allocator, &instance->f, method, error);
    }
    if (status == WEBNN_OK) {
      status = webnn_vulkan__list_extensions(allocator, &instance->f, NULL, NULL, method, &list,
                                             &count, error);
    }
    if (status == WEBNN_OK) {
      status =
          webnn_vulkan__create_instance(instance, list, count, options->validation, method, error);
    }
    webnn__release(allocator, list);
  }
  if (status != WEBNN_OK) {
    webnn_vulkan__close_instance(instance);
  }
  return status;
}

/* ==============================================================================================
   6  device                                                                      >>vulkan_device

   A physical device is chosen and asked what it can do; a device of Vulkan is made for each context,
   or the caller's is taken. Everything that may be used by several threads is guarded by the device's
   mutex, the queue by the caller's lock, too.
   ============================================================================================== */

#define WEBNN_VULKAN__WAITS 8      /* semaphores of the caller that one submission waits for */
#define WEBNN_VULKAN__BUCKETS 1024 /* of the table of pipelines */

/* What memory is for. */
enum {
  WEBNN_VULKAN__DEVICE_MEMORY, /* tensors, constants, arenas; mapped where that costs nothing */
  WEBNN_VULKAN__UPLOAD_MEMORY, /* written by the host and copied by the device */
  WEBNN_VULKAN__READ_MEMORY,   /* the other way */
  WEBNN_VULKAN__MEMORY_KINDS
};

/* A pipeline, found by its text. */
typedef struct webnn_vulkan__pipeline {
  struct webnn_vulkan__pipeline *next;
  uint64_t hash;
  uint32_t operand_count, subgroup_size;
  VkPipeline handle;
  char *text; /* in the same allocation */
} webnn_vulkan__pipeline;

/* A submission that may be under way; in the list in their order. Values count from 1. */
typedef struct webnn_vulkan__submission {
  struct webnn_vulkan__submission *next;
  uint64_t value;
  VkFence fence;          /* where there is no timeline semaphore */
  VkCommandBuffer buffer; /* of this submission alone, or NULL */
} webnn_vulkan__submission;

typedef struct webnn_vulkan__semaphore {
  VkSemaphore semaphore;
  uint64_t value;
} webnn_vulkan__semaphore;

typedef struct webnn_vulkan__gpu {
  const webnn_context_options *options;
  const webnn_allocator *allocator;
  webnn_vulkan__instance instance;
  const webnn_vulkan__functions *f; /* of the instance */
  VkPhysicalDevice physical;
  VkDevice handle;
  bool owned; /* the device is ours */
  VkQueue queue;
  uint32_t queue_family, timestamp_bits;
  void (*lock_queue)(void *user);
  void (*unlock_queue)(void *user);
  void *queue_user;
  webnn_vulkan_device info;
  webnn_vulkan__traits traits;
  webnn_vulkan__compile_options compile_options;
  webnn__target target;
  VkPhysicalDeviceMemoryProperties memory;
  uint32_t memory_types[WEBNN_VULKAN__MEMORY_KINDS];
  uint64_t max_allocation; /* bytes of one buffer and its memory */
  uint32_t max_allocations;
  uint64_t memory_limit;
  uint64_t submission_cost;
  float timestamp_period; /* nanoseconds */
  bool has_timeline;

  webnn__mutex mutex; /* guards what follows */
  webnn_error lost;   /* status WEBNN_OK: it is not */
  struct webnn_vulkan__block *blocks;
  uint64_t allocated; /* bytes of the device's memory */
  uint32_t allocations;
  VkDescriptorSetLayout set_layouts[WEBNN_VULKAN__OPERANDS + 1]; /* by number of operands */
  VkPipelineLayout layouts[WEBNN_VULKAN__OPERANDS + 1];
  VkPipelineCache cache;
  webnn_vulkan__pipeline *pipelines[WEBNN_VULKAN__BUCKETS];
  VkCommandPool pool;
  VkSemaphore timeline;
  uint64_t submitted, completed;
  webnn_vulkan__submission *first, **last; /* under way */
  webnn_vulkan__submission *spare;         /* to be used again */
  uint32_t waiting;                        /* threads that wait without the mutex */
  webnn_vulkan__semaphore waits[WEBNN_VULKAN__WAITS];
  uint32_t wait_count;
  struct webnn_vulkan__staging *stagings; /* to be released when they have been used */
  uint64_t staged;                        /* their bytes */
  struct webnn_vulkan__storage *dying;    /* likewise */
  struct webnn_vulkan__storage *stale;    /* the caller's memory does not have the results yet */
  uint64_t storages;                      /* that were ever made: their numbers */
} webnn_vulkan__gpu;

/* The properties of a device that follow each other by pNext. */
typedef struct webnn_vulkan__properties {
  VkPhysicalDeviceProperties2 all;
  VkPhysicalDeviceMaintenance3Properties maintenance3;
  VkPhysicalDeviceSubgroupProperties subgroup;
  VkPhysicalDeviceDriverProperties driver;                /* 1.2 */
  VkPhysicalDeviceFloatControlsProperties float_controls; /* 1.2 */
  VkPhysicalDeviceMaintenance4Properties maintenance4;    /* 1.3 */
  uint32_t version; /* of the device, and no newer than the instance's */
} webnn_vulkan__properties;

static void webnn_vulkan__get_properties(const webnn_vulkan__instance *instance,
                                         VkPhysicalDevice physical, webnn_vulkan__properties *p) {
  VkPhysicalDeviceProperties first;
  memset(p, 0, sizeof *p);
  memset(&first, 0, sizeof first);
  instance->f.GetPhysicalDeviceProperties(physical, &first);
  p->version = first.apiVersion < instance->version ? first.apiVersion : instance->version;
  p->all.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  p->maintenance3.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES;
  p->subgroup.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES;
  p->driver.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES;
  p->float_controls.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES;
  p->maintenance4.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_PROPERTIES;
  if (first.apiVersion < VK_API_VERSION_1_1) {
    p->all.properties = first;
    return;
  }
  p->all.pNext = &p->maintenance3;
  p->maintenance3.pNext = &p->subgroup;
  if (p->version >= VK_API_VERSION_1_2) {
    p->subgroup.pNext = &p->driver;
    p->driver.pNext = &p->float_controls;
  }
  if (p->version >= VK_API_VERSION_1_3) {
    p->float_controls.pNext = &p->maintenance4;
  }
  instance->f.GetPhysicalDeviceProperties2(physical, &p->all);
}

/* The most bytes of a buffer. */
static uint64_t webnn_vulkan__max_allocation(const webnn_vulkan__properties *p) {
  const uint64_t memory = p->maintenance3.maxMemoryAllocationSize;
  const uint64_t buffer = p->maintenance4.maxBufferSize;
  uint64_t most = UINT64_C(1) << 30;
  if (memory > 0) {
    most = memory;
  }
  if (buffer > 0 && buffer < most) {
    most = buffer;
  }
  return most / 256 * 256;
}

static uint64_t webnn_vulkan__max_tensor(const webnn_vulkan__properties *p) {
  const uint64_t range = p->all.properties.limits.maxStorageBufferRange;
  const uint64_t most = webnn_vulkan__max_allocation(p);
  return (range < most ? range : most) / 16 * 16;
}

/* The first queue family that computes; UINT32_MAX if there is none. */
static uint32_t webnn_vulkan__find_family(const webnn_vulkan__functions *f,
                                          VkPhysicalDevice physical, uint32_t *timestamp_bits) {
  VkQueueFamilyProperties families[16];
  uint32_t count = 16, i;
  memset(families, 0, sizeof families);
  f->GetPhysicalDeviceQueueFamilyProperties(physical, &count, families);
  for (i = 0; i < count && i < 16; i++) {
    if ((families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) != 0 && families[i].queueCount > 0) {
      *timestamp_bits = families[i].timestampValidBits;
      return i;
    }
  }
  return UINT32_MAX;
}

static void webnn_vulkan__describe(const webnn_vulkan__instance *instance,
                                   VkPhysicalDevice physical, const webnn_vulkan__properties *p,
                                   webnn_vulkan_device *device) {
  const VkPhysicalDeviceProperties *all = &p->all.properties;
  VkPhysicalDeviceMemoryProperties memory;
  webnn__text text;
  uint32_t i, bits;
  memset(device, 0, sizeof *device);
  memset(&memory, 0, sizeof memory);
  memcpy(device->name, all->deviceName, sizeof device->name - 1);
  text.data = device->driver;
  text.capacity = sizeof device->driver - 1;
  text.length = 0;
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
  device->max_tensor_byte_length = webnn_vulkan__max_tensor(p);
  device->max_workgroup_invocations = all->limits.maxComputeWorkGroupInvocations;
  device->shared_memory_bytes = all->limits.maxComputeSharedMemorySize;
  device->subgroup_size = p->subgroup.subgroupSize;
  device->usable = all->apiVersion >= VK_API_VERSION_1_1 &&
                   webnn_vulkan__find_family(&instance->f, physical, &bits) != UINT32_MAX &&
                   all->limits.maxPerStageDescriptorStorageBuffers >= 4;
}

#define WEBNN_VULKAN__MOST_DEVICES 32

/* All devices of the instance, up to 32. */
static webnn_status webnn_vulkan__enumerate(const webnn_vulkan__instance *instance,
                                            VkPhysicalDevice *physical, uint32_t *count,
                                            const char *method, webnn_error *error) {
  VkResult result;
  *count = WEBNN_VULKAN__MOST_DEVICES;
  result = instance->f.EnumeratePhysicalDevices(instance->handle, count, physical);
  if (result != VK_SUCCESS && result != VK_INCOMPLETE) {
    *count = 0;
    return webnn_vulkan__fail(error, method, "vkEnumeratePhysicalDevices", result, NULL);
  }
  if (*count == 0) {
    return webnn__fail(error, WEBNN_NOT_SUPPORTED_ERROR,
                       "%s: there is no device with a Vulkan driver", method);
  }
  return WEBNN_OK;
}

WEBNN_API webnn_status webnn_vulkan_devices(const webnn_vulkan_options *options,
                                            webnn_vulkan_device *devices, size_t capacity,
                                            size_t *count, webnn_error *error) {
  static const char method[] = "devices";
  const webnn_allocator allocator = {webnn__default_allocate, webnn__default_release, NULL};
  VkPhysicalDevice physical[WEBNN_VULKAN__MOST_DEVICES];
  webnn_vulkan_options chosen;
  webnn_vulkan__instance instance;
  webnn_vulkan__properties properties;
  webnn_status status;
  uint32_t found = 0, i;
  if (count == NULL) {
    return webnn__fail(error, WEBNN_TYPE_ERROR, "%s: there is no place for the count", method);
  }
  *count = 0;
  memset(&chosen, 0, sizeof chosen);
  chosen.get_instance_proc_addr = options != NULL ? options->get_instance_proc_addr : NULL;
  memset(&instance, 0, sizeof instance);
  status = webnn_vulkan__open_instance(&allocator, &chosen, &instance, method, error);
  if (status != WEBNN_OK) {
    return status;
  }
  status = webnn_vulkan__enumerate(&instance, physical, &found, method, error);
  for (i = 0; i < found && devices != NULL && i < capacity; i++) {
    webnn_vulkan__get_properties(&instance, physical[i], &properties);
    webnn_vulkan__describe(&instance, physical[i], &properties, &devices[i]);
  }
  *count = found;
  webnn_vulkan__close_instance(&instance);
  return status;
}

/* ---- Choosing one --------------------------------------------------------------------------- */

/* How good is a device of this type? More is better. */
static uint32_t webnn_vulkan__rank(VkPhysicalDeviceType type, webnn_power_preference preference) {
  const bool low = preference == WEBNN_POWER_LOW_POWER;
  switch (type) {
  case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
    return low ? 4 : 5;
  case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
    return low ? 5 : 4;
  case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
    return 3;
  case VK_PHYSICAL_DEVICE_TYPE_CPU:
    return 1;
  default:
    return 2;
  }
}

/* Sets gpu->physical, and what it is in `p` and gpu->info. */
static webnn_status webnn_vulkan__choose_device(webnn_vulkan__gpu *gpu,
                                                const webnn_vulkan_options *options,
                                                webnn_vulkan__properties *p, webnn_error *error) {
  VkPhysicalDevice physical[WEBNN_VULKAN__MOST_DEVICES];
  uint32_t count, i, best = 0;
  const webnn_status status =
      webnn_vulkan__enumerate(&gpu->instance, physical, &count, "createContext", error);
  if (status != WEBNN_OK) {
    return status;
  }
  if (options->device_number > count) {
    return webnn__fail(error, WEBNN_TYPE_ERROR,
                       "createContext: there are %u Vulkan devices, not %u", count,
                       options->device_number);
  }
  for (i = 0; i < count; i++) {
    webnn_vulkan_device info;
    webnn_vulkan__properties properties;
    uint32_t rank;
    webnn_vulkan__get_properties(&gpu->instance, physical[i], &properties);
    webnn_vulkan__describe(&gpu->instance, physical[i], &properties, &info);
    rank = webnn_vulkan__rank(info.type, gpu->options->power_preference);
    if (info.usable && rank > best &&
        (options->device_number == 0 || options->device_number == i + 1) &&
        (options->device_name == NULL || strstr(info.name, options->device_name) != NULL)) {
      best = rank;
      gpu->physical = physical[i];
      gpu->info = info;
      *p = properties;
    }
  }
  if (best > 0) {
    return WEBNN_OK;
  }
  return options->device_name != NULL
             ? webnn__fail(error, WEBNN_NOT_SUPPORTED_ERROR,
                           "createContext: no usable Vulkan device has %q in its name",
                           options->device_name)
             : webnn__fail(error, WEBNN_NOT_SUPPORTED_ERROR,
                           "createContext: no device has Vulkan 1.1 and a queue that computes");
}

/* ---- Making one ----------------------------------------------------------------------------- */

/* Optional parts of Vulkan: their bits, since which version they are in the core, and the extension
   that older devices may have. */
typedef struct webnn_vulkan__part {
  uint32_t bits, core;
  const char *extension;
} webnn_vulkan__part;

#define WEBNN_VULKAN__MEMORY_MODEL ((uint32_t)1 << 31) /* a bit of our own */

static const webnn_vulkan__part webnn_vulkan__parts[] = {
    {WEBNN_VULKAN_TIMELINE_SEMAPHORE, VK_API_VERSION_1_2, VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME},
    {WEBNN_VULKAN_FLOAT16 | WEBNN_VULKAN_INT8, VK_API_VERSION_1_2,
     VK_KHR_SHADER_FLOAT16_INT8_EXTENSION_NAME},
    {WEBNN_VULKAN_INT64 | WEBNN_VULKAN_STORAGE_16BIT, VK_API_VERSION_1_1, ""},
    {WEBNN_VULKAN_DOT_PRODUCT, VK_API_VERSION_1_3,
     VK_KHR_SHADER_INTEGER_DOT_PRODUCT_EXTENSION_NAME},
    {WEBNN_VULKAN_FLOAT_CONTROLS, VK_API_VERSION_1_2, VK_KHR_SHADER_FLOAT_CONTROLS_EXTENSION_NAME},
    {WEBNN_VULKAN_SUBGROUP_SIZE, VK_API_VERSION_1_3, VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME},
    {WEBNN_VULKAN__MEMORY_MODEL, VK_API_VERSION_1_2, VK_KHR_VULKAN_MEMORY_MODEL_EXTENSION_NAME},
    {WEBNN_VULKAN_COOPERATIVE_MATRIX, UINT32_MAX, VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME},
    {0, UINT32_MAX, "VK_KHR_portability_subset"}, /* must be switched on where it is */
};

#define WEBNN_VULKAN__PARTS (sizeof webnn_vulkan__parts / sizeof *webnn_vulkan__parts)

/* Features, asked and then switched on, that follow each other by pNext. */
typedef struct webnn_vulkan__features {
  uint32_t bits; /* of webnn_vulkan_features: what is there and used */
  VkPhysicalDeviceFeatures2 all;
  VkPhysicalDeviceTimelineSemaphoreFeatures timeline;
  VkPhysicalDeviceShaderFloat16Int8Features small;
  VkPhysicalDeviceShaderIntegerDotProductFeatures dot;
  VkPhysicalDevice16BitStorageFeatures storage;
  VkPhysicalDeviceSubgroupSizeControlFeatures subgroup;
  VkPhysicalDeviceVulkanMemoryModelFeatures memory_model;
  VkPhysicalDeviceCooperativeMatrixFeaturesKHR matrix;
  const char *extensions[WEBNN_VULKAN__PARTS];
  uint32_t extension_count;
} webnn_vulkan__features;

/* Makes a structure of Vulkan the next of a chain. Returns it, as the end of the chain. */
static VkBaseOutStructure *webnn_vulkan__chain(VkBaseOutStructure *end, void *structure,
                                               VkStructureType type) {
  VkBaseOutStructure *next = (VkBaseOutStructure *)structure;
  next->sType = type;
  next->pNext = NULL;
  if (end != NULL) {
    end->pNext = next;
  }
  return next;
}

/* Chains the structures of those parts whose bits are set. */
static void webnn_vulkan__chain_features(webnn_vulkan__features *features) {
  VkBaseOutStructure *end =
      webnn_vulkan__chain(NULL, &features->all, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
#define WEBNN_VULKAN__ASK(bit, member, type)                                                       \
  if ((features->bits & (bit)) != 0) {                                                             \
    end = webnn_vulkan__chain(end, &features->member, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##type);   \
  }
  WEBNN_VULKAN__ASK(WEBNN_VULKAN_TIMELINE_SEMAPHORE, timeline, TIMELINE_SEMAPHORE_FEATURES)
  WEBNN_VULKAN__ASK(WEBNN_VULKAN_FLOAT16, small, SHADER_FLOAT16_INT8_FEATURES)
  WEBNN_VULKAN__ASK(WEBNN_VULKAN_DOT_PRODUCT, dot, SHADER_INTEGER_DOT_PRODUCT_FEATURES)
  WEBNN_VULKAN__ASK(WEBNN_VULKAN_STORAGE_16BIT, storage, 16BIT_STORAGE_FEATURES)
  WEBNN_VULKAN__ASK(WEBNN_VULKAN_SUBGROUP_SIZE, subgroup, SUBGROUP_SIZE_CONTROL_FEATURES)
  WEBNN_VULKAN__ASK(WEBNN_VULKAN__MEMORY_MODEL, memory_model, VULKAN_MEMORY_MODEL_FEATURES)
  WEBNN_VULKAN__ASK(WEBNN_VULKAN_COOPERATIVE_MATRIX, matrix, COOPERATIVE_MATRIX_FEATURES_KHR)
#undef WEBNN_VULKAN__ASK
}

/* Leaves those features switched on that are used, and their bits set. */
static void webnn_vulkan__keep_features(webnn_vulkan__features *features, bool robust) {
  const VkPhysicalDeviceFeatures found = features->all.features;
  const bool sizes = features->subgroup.subgroupSizeControl != VK_FALSE &&
                     features->subgroup.computeFullSubgroups != VK_FALSE;
  const bool matrices = features->matrix.cooperativeMatrix != VK_FALSE &&
                        features->memory_model.vulkanMemoryModel != VK_FALSE;
  uint32_t bits = features->bits & WEBNN_VULKAN_FLOAT_CONTROLS;
  bits |= features->timeline.timelineSemaphore != VK_FALSE ? WEBNN_VULKAN_TIMELINE_SEMAPHORE : 0;
  bits |= features->small.shaderFloat16 != VK_FALSE ? WEBNN_VULKAN_FLOAT16 : 0;
  bits |= features->small.shaderInt8 != VK_FALSE ? WEBNN_VULKAN_INT8 : 0;
  bits |= found.shaderInt64 != VK_FALSE ? WEBNN_VULKAN_INT64 : 0;
  bits |= features->dot.shaderIntegerDotProduct != VK_FALSE ? WEBNN_VULKAN_DOT_PRODUCT : 0;
  bits |= features->storage.storageBuffer16BitAccess != VK_FALSE ? WEBNN_VULKAN_STORAGE_16BIT : 0;
  bits |= sizes ? WEBNN_VULKAN_SUBGROUP_SIZE : 0;
  bits |= matrices ? WEBNN_VULKAN_COOPERATIVE_MATRIX : 0;
  features->bits = bits;
  memset(&features->all.features, 0, sizeof found);
  features->all.features.robustBufferAccess = robust ? found.robustBufferAccess : VK_FALSE;
  features->all.features.shaderInt64 = found.shaderInt64;
  features->storage.uniformAndStorageBuffer16BitAccess = VK_FALSE;
  features->storage.storagePushConstant16 = VK_FALSE;
  features->storage.storageInputOutput16 = VK_FALSE;
  features->memory_model.vulkanMemoryModelDeviceScope = VK_FALSE;
  features->memory_model.vulkanMemoryModelAvailabilityVisibilityChains = VK_FALSE;
  if (!robust) {
    features->matrix.cooperativeMatrixRobustBufferAccess = VK_FALSE;
  }
}

/* Asks which optional parts there are. */
static void webnn_vulkan__find_features(const webnn_vulkan__gpu *gpu, uint32_t version,
                                        const VkExtensionProperties *list, uint32_t count,
                                        bool robust, webnn_vulkan__features *features) {
  uint32_t i;
  memset(features, 0, sizeof *features);
  for (i = 0; i < WEBNN_VULKAN__PARTS; i++) {
    const webnn_vulkan__part *part = &webnn_vulkan__parts[i];
    if (version >= part->core) {
      features->bits |= part->bits;
    } else if (webnn_vulkan__lists_extension(list, count, part->extension)) {
      features->bits |= part->bits;
      features->extensions[features->extension_count++] = part->extension;
    }
  }
  webnn_vulkan__chain_features(features);
  gpu->f->GetPhysicalDeviceFeatures2(gpu->physical, &features->all);
  webnn_vulkan__keep_features(features, robust);
}

/* Makes a device with one queue. */
static webnn_status webnn_vulkan__create_device(webnn_vulkan__gpu *gpu,
                                                const webnn_vulkan__features *features,
                                                webnn_error *error) {
  const float priority = 1.0f;
  VkDeviceQueueCreateInfo queue;
  VkDeviceCreateInfo info;
  VkResult result;
  memset(&queue, 0, sizeof queue);
  memset(&info, 0, sizeof info);
  queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
  queue.queueFamilyIndex = gpu->queue_family;
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  info.pNext = &features->all;
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  info.enabledExtensionCount = features->extension_count;
  info.ppEnabledExtensionNames = features->extensions;
  result = gpu->f->CreateDevice(gpu->physical, &info, NULL, &gpu->handle);
  if (result != VK_SUCCESS) {
    gpu->handle = NULL;
    return webnn_vulkan__fail(error, "createContext", "vkCreateDevice", result, gpu->info.name);
  }
  gpu->owned = true;
  return WEBNN_OK;
}

/* Fills in the functions of the device. */
static webnn_status webnn_vulkan__load_device(webnn_vulkan__gpu *gpu, webnn_error *error) {
  webnn_vulkan__functions *f = &gpu->instance.f;
  const char *missing = NULL;
#define WEBNN_VULKAN__LOAD(name)                                                                   \
  f->name = (PFN_vk##name)f->GetDeviceProcAddr(gpu->handle, "vk" #name);                           \
  if (f->name == NULL && missing == NULL) {                                                        \
    missing = "vk" #name;                                                                          \
  }
  WEBNN_VULKAN__DEVICE_FUNCTIONS(WEBNN_VULKAN__LOAD)
#undef WEBNN_VULKAN__LOAD
  f->WaitSemaphores = (PFN_vkWaitSemaphores)f->GetDeviceProcAddr(gpu->handle, "vkWaitSemaphores");
  f->GetSemaphoreCounterValue = (PFN_vkGetSemaphoreCounterValue)f->GetDeviceProcAddr(
      gpu->handle, "vkGetSemaphoreCounterValue");
  if (f->WaitSemaphores == NULL || f->GetSemaphoreCounterValue == NULL) {
    f->WaitSemaphores =
        (PFN_vkWaitSemaphores)f->GetDeviceProcAddr(gpu->handle, "vkWaitSemaphoresKHR");
    f->GetSemaphoreCounterValue = (PFN_vkGetSemaphoreCounterValue)f->GetDeviceProcAddr(
        gpu->handle, "vkGetSemaphoreCounterValueKHR");
  }
  if (f->WaitSemaphores == NULL || f->GetSemaphoreCounterValue == NULL) {
    gpu->has_timeline = false;
  }
  return missing == NULL ? WEBNN_OK : webnn_vulkan__lacks(error, "createContext", missing);
}

/* A device for the context. */
static webnn_status webnn_vulkan__make_device(webnn_vulkan__gpu *gpu,
                                              const webnn_vulkan_options *options,
                                              const webnn_vulkan__properties *p,
                                              webnn_vulkan__features *features,
                                              webnn_error *error) {
  VkExtensionProperties *list = NULL;
  uint32_t count = 0;
  webnn_status status = webnn_vulkan__list_extensions(gpu->allocator, gpu->f, gpu->physical, NULL,
                                                      "createContext", &list, &count, error);
  gpu->queue_family = webnn_vulkan__find_family(gpu->f, gpu->physical, &gpu->timestamp_bits);
  if (status == WEBNN_OK) {
    webnn_vulkan__find_features(gpu, p->version, list, count, !options->not_robust, features);
    gpu->has_timeline = (features->bits & WEBNN_VULKAN_TIMELINE_SEMAPHORE) != 0;
    status = webnn_vulkan__create_device(gpu, features, error);
  }
  webnn__release(gpu->allocator, list);
  return status;
}

/* The caller's device. */
static webnn_status webnn_vulkan__take_device(webnn_vulkan__gpu *gpu,
                                              const webnn_vulkan_options *options,
                                              webnn_vulkan__properties *p,
                                              webnn_vulkan__features *features,
                                              webnn_error *error) {
  VkQueueFamilyProperties families[16];
  uint32_t count = 16;
  gpu->physical = options->physical_device;
  gpu->handle = options->device;
  gpu->queue = options->queue;
  gpu->queue_family = options->queue_family;
  gpu->lock_queue = options->lock_queue;
  gpu->unlock_queue = options->unlock_queue;
  gpu->queue_user = options->queue_user;
  gpu->has_timeline = (options->features & WEBNN_VULKAN_TIMELINE_SEMAPHORE) != 0;
  features->bits = options->features;
  if ((features->bits & WEBNN_VULKAN_FLOAT_CONTROLS) != 0) {
    gpu->instance.version = VK_API_VERSION_1_2; /* as far as questions go */
  }
  webnn_vulkan__get_properties(&gpu->instance, gpu->physical, p);
  webnn_vulkan__describe(&gpu->instance, gpu->physical, p, &gpu->info);
  memset(families, 0, sizeof families);
  gpu->f->GetPhysicalDeviceQueueFamilyProperties(gpu->physical, &count, families);
  if (!gpu->info.usable) {
    return webnn__fail(error, WEBNN_NOT_SUPPORTED_ERROR,
                       "createContext: %q has no Vulkan 1.1 or no queue that computes",
                       gpu->info.name);
  }
  if (gpu->queue_family >= count || gpu->queue_family >= 16 ||
      (families[gpu->queue_family].queueFlags & VK_QUEUE_COMPUTE_BIT) == 0) {
    return webnn__fail(error, WEBNN_TYPE_ERROR,
                       "createContext: queue family %u of %q does not compute", gpu->queue_family,
                       gpu->info.name);
  }
  gpu->timestamp_bits = families[gpu->queue_family].timestampValidBits;
  return WEBNN_OK;
}

/* Which sizes of subgroups can be asked for, and which dot products are fast. */
static void webnn_vulkan__ask_more(const webnn_vulkan__gpu *gpu, uint32_t bits,
                                   webnn_vulkan__traits *t) {
  VkPhysicalDeviceProperties2 all;
  VkPhysicalDeviceShaderIntegerDotProductProperties dot;
  VkPhysicalDeviceSubgroupSizeControlProperties subgroup;
  VkBaseOutStructure *end;
  memset(&all, 0, sizeof all);
  memset(&dot, 0, sizeof dot);
  memset(&subgroup, 0, sizeof subgroup);
  end = webnn_vulkan__chain(NULL, &all, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2);
  if ((bits & WEBNN_VULKAN_DOT_PRODUCT) != 0) {
    end = webnn_vulkan__chain(
        end, &dot, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_PROPERTIES);
  }
  if ((bits & WEBNN_VULKAN_SUBGROUP_SIZE) != 0) {
    (void)webnn_vulkan__chain(end, &subgroup,
                              VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES);
  }
  gpu->f->GetPhysicalDeviceProperties2(gpu->physical, &all);
  t->fast_dot_signed = dot.integerDotProduct4x8BitPackedSignedAccelerated != VK_FALSE;
  t->fast_dot_unsigned = dot.integerDotProduct4x8BitPackedUnsignedAccelerated != VK_FALSE;
  t->fast_dot_mixed = dot.integerDotProduct4x8BitPackedMixedSignednessAccelerated != VK_FALSE;
  if ((subgroup.requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT) != 0) {
    t->least_subgroup = subgroup.minSubgroupSize;
    t->most_subgroup = subgroup.maxSubgroupSize;
  }
}

/* Which cooperative matrices subgroups multiply, those with elements of a size that kernels use. A
   device that cannot say it has none. */
static void webnn_vulkan__find_matrices(const webnn_vulkan__gpu *gpu, webnn_vulkan__traits *t) {
  enum { MOST = 256 };
  VkCooperativeMatrixPropertiesKHR list[MOST];
  uint32_t count = MOST, i;
  VkResult result = VK_ERROR_FEATURE_NOT_PRESENT;
  memset(list, 0, sizeof list);
  for (i = 0; i < MOST; i++) {
    list[i].sType = VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_KHR;
  }
  if (gpu->f->GetPhysicalDeviceCooperativeMatrixPropertiesKHR != NULL) {
    result = gpu->f->GetPhysicalDeviceCooperativeMatrixPropertiesKHR(gpu->physical, &count, list);
  }
  if (result != VK_SUCCESS && result != VK_INCOMPLETE) {
    return;
  }
  for (i = 0; i < count && t->matrix_shape_count < WEBNN_VULKAN__MATRIX_SHAPES; i++) {
    const VkCooperativeMatrixPropertiesKHR *p = &list[i];
    webnn_vulkan__matrix_shape *shape = &t->matrix_shapes[t->matrix_shape_count];
    const bool floats = p->AType == VK_COMPONENT_TYPE_FLOAT16_KHR && p->BType == p->AType;
    const bool bytes =
        (p->AType == VK_COMPONENT_TYPE_SINT8_KHR || p->AType == VK_COMPONENT_TYPE_UINT8_KHR) &&
        (p->BType == VK_COMPONENT_TYPE_SINT8_KHR || p->BType == VK_COMPONENT_TYPE_UINT8_KHR);
    if (p->scope == VK_SCOPE_SUBGROUP_KHR && ((floats && t->float16) || (bytes && t->int8))) {
      shape->m = p->MSize;
      shape->n = p->NSize;
      shape->k = p->KSize;
      shape->a = p->AType;
      shape->b = p->BType;
      shape->c = p->CType;
      shape->result = p->ResultType;
      shape->saturates = p->saturatingAccumulation != VK_FALSE;
      t->matrix_shape_count++;
    }
  }
}

/* What planning and compiling may know. */
static void webnn_vulkan__find_traits(webnn_vulkan__gpu *gpu, const webnn_vulkan__properties *p,
                                      const webnn_vulkan__features *features) {
  const VkPhysicalDeviceLimits *limits = &p->all.properties.limits;
  const VkPhysicalDeviceFloatControlsProperties *floats = &p->float_controls;
  const VkSubgroupFeatureFlags operations = p->subgroup.supportedOperations;
  const bool subgroups = (p->subgroup.supportedStages & VK_SHADER_STAGE_COMPUTE_BIT) != 0 &&
                         (operations & VK_SUBGROUP_FEATURE_BASIC_BIT) != 0;
  const uint32_t bits = features->bits;
  const bool controls =
      (bits & WEBNN_VULKAN_FLOAT_CONTROLS) != 0 && p->version >= VK_API_VERSION_1_2;
  const uint32_t buffers = limits->maxPerStageDescriptorStorageBuffers;
  webnn_vulkan__traits *t = &gpu->traits;
  t->alignment =
      limits->minStorageBufferOffsetAlignment > 256 ? limits->minStorageBufferOffsetAlignment : 256;
  memcpy(t->max_groups, limits->maxComputeWorkGroupCount, sizeof t->max_groups);
  memcpy(t->max_group_size, limits->maxComputeWorkGroupSize, sizeof t->max_group_size);
  t->max_invocations = limits->maxComputeWorkGroupInvocations;
  t->shared_bytes = limits->maxComputeSharedMemorySize;
  t->max_operands = buffers < WEBNN_VULKAN__OPERANDS ? buffers : WEBNN_VULKAN__OPERANDS;
  t->subgroup_size = p->subgroup.subgroupSize;
  t->is_cpu = gpu->info.type == VK_PHYSICAL_DEVICE_TYPE_CPU;
  t->rounds_32 = controls && floats->shaderRoundingModeRTEFloat32 != VK_FALSE;
  t->rounds_16 = controls && floats->shaderRoundingModeRTEFloat16 != VK_FALSE;
  t->preserves_32 = controls && floats->shaderSignedZeroInfNanPreserveFloat32 != VK_FALSE;
  t->preserves_16 = controls && floats->shaderSignedZeroInfNanPreserveFloat16 != VK_FALSE;
  t->subgroup_basic = subgroups;
  t->subgroup_arithmetic = subgroups && (operations & VK_SUBGROUP_FEATURE_ARITHMETIC_BIT) != 0;
  t->subgroup_shuffle = subgroups && (operations & VK_SUBGROUP_FEATURE_SHUFFLE_BIT) != 0;
  t->float16 = (bits & WEBNN_VULKAN_FLOAT16) != 0;
  t->int64 = (bits & WEBNN_VULKAN_INT64) != 0;
  t->int8 = (bits & WEBNN_VULKAN_INT8) != 0;
  t->storage_16 = (bits & WEBNN_VULKAN_STORAGE_16BIT) != 0;
  t->dot_products = (bits & WEBNN_VULKAN_DOT_PRODUCT) != 0;
  webnn_vulkan__ask_more(gpu, bits, t);
  if ((bits & WEBNN_VULKAN_COOPERATIVE_MATRIX) != 0) {
    webnn_vulkan__find_matrices(gpu, t);
  }
  t->relaxed = gpu->options->numerics == WEBNN_NUMERICS_RELAXED;
  gpu->compile_options.rounding_rte_32 = t->rounds_32;
  gpu->compile_options.rounding_rte_16 = t->rounds_16 && t->float16;
  gpu->compile_options.preserve_32 = t->preserves_32;
  gpu->compile_options.preserve_16 = t->preserves_16 && t->float16;
  gpu->max_allocation = webnn_vulkan__max_allocation(p);
  gpu->max_allocations = limits->maxMemoryAllocationCount;
  gpu->timestamp_period = limits->timestampPeriod;
  gpu->submission_cost = t->is_cpu ? UINT64_C(4000000000) : UINT64_C(20000000000);
  webnn_vulkan__set_target(t, &gpu->target);
}

/* The best memory type among `allowed` that has all wanted flags: the one with most of the liked
   ones and fewest of the others. UINT32_MAX if there is none. */
static uint32_t webnn_vulkan__find_memory(const webnn_vulkan__gpu *gpu, uint32_t allowed,
                                          VkMemoryPropertyFlags wanted, VkMemoryPropertyFlags liked,
                                          VkMemoryPropertyFlags disliked) {
  uint32_t i, best = UINT32_MAX;
  int most = -100;
  for (i = 0; i < gpu->memory.memoryTypeCount; i++) {
    const VkMemoryPropertyFlags flags = gpu->memory.memoryTypes[i].propertyFlags;
    int score = 0;
    uint32_t bit;
    if ((allowed >> i & 1) == 0 || (flags & wanted) != wanted) {
      continue;
    }
    for (bit = 1; bit < 512; bit *= 2) {
      score += (flags & liked & bit) != 0 ? 1 : 0;
      score -= (flags & disliked & bit) != 0 ? 1 : 0;
    }
    if (score > most) {
      most = score;
      best = i;
    }
  }
  return best;
}

/* A buffer of any use that we have for one. */
static VkResult webnn_vulkan__create_buffer(const webnn_vulkan__gpu *gpu, uint64_t size,
                                            VkBuffer *buffer) {
  VkBufferCreateInfo info;
  memset(&info, 0, sizeof info);
  info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  info.size = size;
  info.usage = WEBNN_VULKAN_BUFFER_USAGE;
  info.sharingMode = VK_SHARING_MODE_EXCLUSIVE;
  return gpu->f->CreateBuffer(gpu->handle, &info, NULL, buffer);
}

/* Types of memory: on devices that share the host's memory tensors are mapped. */
static webnn_status webnn_vulkan__choose_memory(webnn_vulkan__gpu *gpu, webnn_error *error) {
  const VkMemoryPropertyFlags local = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
  const VkMemoryPropertyFlags host =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  const VkMemoryPropertyFlags cached = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
  const VkMemoryPropertyFlags strange =
      ~(VkMemoryPropertyFlags)(local | host | cached); /* protected, lazy, of one vendor */
  const bool shared = gpu->info.type == VK_PHYSICAL_DEVICE_TYPE_CPU ||
                      gpu->info.type == VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU;
  VkMemoryRequirements needs;
  VkBuffer buffer;
  uint32_t type = UINT32_MAX;
  const VkResult result = webnn_vulkan__create_buffer(gpu, 65536, &buffer);
  if (result != VK_SUCCESS) {
    return webnn_vulkan__fail(error, "createContext", "vkCreateBuffer", result, gpu->info.name);
  }
  memset(&needs, 0, sizeof needs);
  gpu->f->GetBufferMemoryRequirements(gpu->handle, buffer, &needs);
  gpu->f->DestroyBuffer(gpu->handle, buffer, NULL);
  gpu->f->GetPhysicalDeviceMemoryProperties(gpu->physical, &gpu->memory);
  if (shared) {
    type = webnn_vulkan__find_memory(gpu, needs.memoryTypeBits, local | host, cached, strange);
  }
  if (type == UINT32_MAX) {
    type = webnn_vulkan__find_memory(gpu, needs.memoryTypeBits, local, 0, host | cached | strange);
  }
  if (type == UINT32_MAX) {
    type = webnn_vulkan__find_memory(gpu, needs.memoryTypeBits, 0, local, strange);
  }
  gpu->memory_types[WEBNN_VULKAN__DEVICE_MEMORY] = type;
  gpu->memory_types[WEBNN_VULKAN__UPLOAD_MEMORY] = webnn_vulkan__find_memory(
      gpu, needs.memoryTypeBits, host, 0, shared ? strange : local | cached | strange);
  gpu->memory_types[WEBNN_VULKAN__READ_MEMORY] = webnn_vulkan__find_memory(
      gpu, needs.memoryTypeBits, host, cached, shared ? strange : local | strange);
  if (type == UINT32_MAX || gpu->memory_types[WEBNN_VULKAN__UPLOAD_MEMORY] == UINT32_MAX) {
    return webnn__fail(error, WEBNN_NOT_SUPPORTED_ERROR,
                       "createContext: %q has no memory for buffers that the host can write",
                       gpu->info.name);
  }
  gpu->memory_limit = gpu->memory.memoryHeaps[gpu->memory.memoryTypes[type].heapIndex].size;
  return WEBNN_OK;
}

/* The objects of the device that every context needs. */
static webnn_status webnn_vulkan__create_objects(webnn_vulkan__gpu *gpu,
                                                 const webnn_vulkan_options *options,
                                                 webnn_error *error) {
  const char *name = "vkCreateCommandPool";
  VkCommandPoolCreateInfo pool;
  VkPipelineCacheCreateInfo cache;
  VkSemaphoreTypeCreateInfo type;
  VkSemaphoreCreateInfo semaphore;
  VkResult result;
  memset(&pool, 0, sizeof pool);
  memset(&cache, 0, sizeof cache);
  memset(&type, 0, sizeof type);
  memset(&semaphore, 0, sizeof semaphore);
  pool.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  pool.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
  pool.queueFamilyIndex = gpu->queue_family;
  cache.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO;
  cache.initialDataSize = options->pipeline_cache != NULL ? options->pipeline_cache_size : 0;
  cache.pInitialData = options->pipeline_cache;
  type.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO;
  type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  semaphore.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO;
  semaphore.pNext = &type;
  result = gpu->f->CreateCommandPool(gpu->handle, &pool, NULL, &gpu->pool);
  if (result == VK_SUCCESS) {
    name = "vkCreatePipelineCache";
    result = gpu->f->CreatePipelineCache(gpu->handle, &cache, NULL, &gpu->cache);
  } else {
    gpu->pool = VK_NULL_HANDLE;
  }
  if (result == VK_SUCCESS && gpu->has_timeline) {
    name = "vkCreateSemaphore";
    result = gpu->f->CreateSemaphore(gpu->handle, &semaphore, NULL, &gpu->timeline);
    if (result != VK_SUCCESS) {
      gpu->timeline = VK_NULL_HANDLE;
    }
  } else if (result != VK_SUCCESS) {
    gpu->cache = VK_NULL_HANDLE;
  }
  return result == VK_SUCCESS
             ? WEBNN_OK
             : webnn_vulkan__fail(error, "createContext", name, result, gpu->info.name);
}

static webnn_status webnn_vulkan__check_options(const webnn_vulkan_options *options,
                                                webnn_error *error) {
  const bool any = options->instance != NULL || options->physical_device != NULL ||
                   options->device != NULL || options->queue != NULL;
  const bool all = options->instance != NULL && options->physical_device != NULL &&
                   options->device != NULL && options->queue != NULL;
  if (any != all) {
    return webnn__fail(error, WEBNN_TYPE_ERROR,
                       "createContext: a device of the caller needs instance, physical_device, "
                       "device and queue");
  }
  if ((options->lock_queue == NULL) != (options->unlock_queue == NULL)) {
    return webnn__fail(error, WEBNN_TYPE_ERROR,
                       "createContext: lock_queue and unlock_queue need each other");
  }
  if (any && options->validation) {
    return webnn__fail(error, WEBNN_TYPE_ERROR,
                       "createContext: validation is for devices that the context makes");
  }
  if (any && (options->device_number > 0 || options->device_name != NULL)) {
    return webnn__fail(error, WEBNN_TYPE_ERROR,
                       "createContext: a device of the caller needs no number and no name");
  }
  if (options->pipeline_cache == NULL && options->pipeline_cache_size > 0) {
    return webnn__fail(error, WEBNN_TYPE_ERROR, "createContext: pipeline_cache is NULL");
  }
  return WEBNN_OK;
}

static void webnn_vulkan__close(void *device);

static webnn_status webnn_vulkan__start(webnn_vulkan__gpu *gpu, const webnn_vulkan_options *options,
                                        webnn_error *error) {
  webnn_vulkan__properties properties;
  webnn_vulkan__features features;
  webnn_status status =
      webnn_vulkan__open_instance(gpu->allocator, options, &gpu->instance, "createContext", error);
  if (status == WEBNN_OK && options->device != NULL) {
    status = webnn_vulkan__take_device(gpu, options, &properties, &features, error);
  } else if (status == WEBNN_OK) {
    status = webnn_vulkan__choose_device(gpu, options, &properties, error);
    if (status == WEBNN_OK) {
      status = webnn_vulkan__make_device(gpu, options, &properties, &features, error);
    }
  }
  if (status == WEBNN_OK) {
    status = webnn_vulkan__load_device(gpu, error);
  }
  if (status == WEBNN_OK) {
    if (gpu->owned) {
      gpu->f->GetDeviceQueue(gpu->handle, gpu->queue_family, 0, &gpu->queue);
    }
    webnn_vulkan__find_traits(gpu, &properties, &features);
    status = webnn_vulkan__choose_memory(gpu, error);
  }
  if (status == WEBNN_OK) {
    status = webnn_vulkan__create_objects(gpu, options, error);
  }
  if (options->memory_limit > 0 && options->memory_limit < gpu->memory_limit) {
    gpu->memory_limit = options->memory_limit;
  }
  if (options->submission_cost > 0) {
    gpu->submission_cost = options->submission_cost;
  }
  return status;
}

static webnn_status webnn_vulkan__open(webnn_context *context, void **device, webnn_error *error) {
  static const webnn_vulkan_options defaults = WEBNN_ZERO;
  const webnn_vulkan_options *options =
      context->options.backend_options != NULL
          ? (const webnn_vulkan_options *)context->options.backend_options
          : &defaults;
  webnn_vulkan__gpu *gpu;
  webnn_status status = webnn_vulkan__check_options(options, error);
  if (status != WEBNN_OK) {
    return status;
  }
  gpu = (webnn_vulkan__gpu *)webnn__allocate_zeroed(&context->options.allocator, sizeof *gpu);
  if (gpu == NULL) {
    return webnn__out_of_memory(error, "createContext");
  }
  gpu->options = &context->options;
  gpu->allocator = &context->options.allocator;
  gpu->f = &gpu->instance.f;
  gpu->last = &gpu->first;
  if (!webnn__mutex_create(&gpu->mutex)) {
    webnn__release(gpu->allocator, gpu);
    return webnn__fail(error, WEBNN_UNKNOWN_ERROR, "createContext: no mutex");
  }
  status = webnn_vulkan__start(gpu, options, error);
  if (status != WEBNN_OK) {
    webnn_vulkan__close(gpu);
    return status;
  }
  *device = gpu;
  return WEBNN_OK;
}

static void webnn_vulkan__limits(void *device, webnn__device_limits *limits) {
  const webnn_vulkan__gpu *gpu = (const webnn_vulkan__gpu *)device;
  limits->preferred_input_layout = gpu->target.reads_nhwc ? WEBNN_LAYOUT_NHWC : WEBNN_LAYOUT_NCHW;
  limits->max_tensor_byte_length = gpu->info.max_tensor_byte_length;
}

/* ==============================================================================================
   7  submissions                                                            >>vulkan_submissions

   Work goes to the queue in submissions, which count from 1. A timeline semaphore, or a fence for
   each, tells which have completed. What work under way needs is released when it has. All of this
   is called with the device's mutex held.
   ============================================================================================== */

static void webnn_vulkan__lock_queue(const webnn_vulkan__gpu *gpu) {
  if (gpu->lock_queue != NULL) {
    gpu->lock_queue(gpu->queue_user);
  }
}

static void webnn_vulkan__unlock_queue(const webnn_vulkan__gpu *gpu) {
  if (gpu->unlock_queue != NULL) {
    gpu->unlock_queue(gpu->queue_user);
  }
}

/* A function has failed on the device while it worked: from now on everything does. Whatever the
   queue still works at, if it does, is finished first, because all that it needs is released now. */
static webnn_status webnn_vulkan__lose(webnn_vulkan__gpu *gpu, const char *method, const char *name,
                                       VkResult result, webnn_error *error) {
  if (gpu->lost.status == WEBNN_OK) {
    (void)webnn_vulkan__fail(&gpu->lost, method, name, result, gpu->info.name);
    webnn_vulkan__lock_queue(gpu);
    (void)gpu->f->QueueWaitIdle(gpu->queue);
    webnn_vulkan__unlock_queue(gpu);
    gpu->completed = gpu->submitted;
  }
  return webnn_vulkan__fail(error, method, name, result, gpu->info.name);
}

/* The error of a function of Vulkan; only a lost device is lost by it. */
static webnn_status webnn_vulkan__device_fails(webnn_vulkan__gpu *gpu, const char *method,
                                               const char *name, VkResult result,
                                               webnn_error *error) {
  return result == VK_ERROR_DEVICE_LOST
             ? webnn_vulkan__lose(gpu, method, name, result, error)
             : webnn_vulkan__fail(error, method, name, result, gpu->info.name);
}

/* An error if the device is lost. */
static webnn_status webnn_vulkan__check_lost(const webnn_vulkan__gpu *gpu, webnn_error *error) {
  return gpu->lost.status == WEBNN_OK
             ? WEBNN_OK
             : webnn__set_error(error, gpu->lost.status, gpu->lost.message);
}

static void webnn_vulkan__release_used(webnn_vulkan__gpu *gpu);

/* Submissions up to this one have completed. */
static void webnn_vulkan__complete(webnn_vulkan__gpu *gpu, uint64_t value) {
  if (value > gpu->completed) {
    gpu->completed = value;
  }
  while (gpu->waiting == 0 && gpu->first != NULL && gpu->first->value <= gpu->completed) {
    webnn_vulkan__submission *done = gpu->first;
    gpu->first = done->next;
    if (gpu->first == NULL) {
      gpu->last = &gpu->first;
    }
    done->next = gpu->spare;
    gpu->spare = done;
  }
  webnn_vulkan__release_used(gpu);
}

/* Finds out what has completed. */
static void webnn_vulkan__look(webnn_vulkan__gpu *gpu) {
  uint64_t value = gpu->completed;
  VkResult result = VK_SUCCESS;
  if (gpu->completed == gpu->submitted || gpu->lost.status != WEBNN_OK) {
    return;
  }
  if (gpu->has_timeline) {
    result = gpu->f->GetSemaphoreCounterValue(gpu->handle, gpu->timeline, &value);
    if (result != VK_SUCCESS) {
      (void)webnn_vulkan__lose(gpu, "wait", "vkGetSemaphoreCounterValue", result, NULL);
      return;
    }
  } else {
    const webnn_vulkan__submission *s;
    for (s = gpu->first; s != NULL && result == VK_SUCCESS; s = s->next) {
      result = gpu->f->GetFenceStatus(gpu->handle, s->fence);
      value = result == VK_SUCCESS ? s->value : value;
    }
    if (result != VK_SUCCESS && result != VK_NOT_READY) {
      (void)webnn_vulkan__lose(gpu, "wait", "vkGetFenceStatus", result, NULL);
      return;
    }
  }
  webnn_vulkan__complete(gpu, value < gpu->submitted ? value : gpu->submitted);
}

/* Waits until a submission has completed; the mutex is given back meanwhile. */
static webnn_status webnn_vulkan__wait_for(webnn_vulkan__gpu *gpu, uint64_t value,
                                           const char *method, webnn_error *error) {
  const webnn_vulkan__submission *s = gpu->first;
  VkFence fence = VK_NULL_HANDLE;
  VkSemaphoreWaitInfo info;
  VkResult result;
  if (gpu->completed >= value) {
    return WEBNN_OK;
  }
  if (gpu->lost.status != WEBNN_OK) {
    return webnn_vulkan__check_lost(gpu, error);
  }
  while (s != NULL && s->value < value) {
    s = s->next;
  }
  if (s != NULL) {
    fence = s->fence;
  }
  memset(&info, 0, sizeof info);
  info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO;
  info.semaphoreCount = 1;
  info.pSemaphores = &gpu->timeline;
  info.pValues = &value;
  gpu->waiting++; /* fences stay as they are */
  webnn__mutex_unlock(&gpu->mutex);
  result = gpu->has_timeline ? gpu->f->WaitSemaphores(gpu->handle, &info, UINT64_MAX)
                             : gpu->f->WaitForFences(gpu->handle, 1, &fence, VK_TRUE, UINT64_MAX);
  webnn__mutex_lock(&gpu->mutex);
  gpu->waiting--;
  if (result != VK_SUCCESS) {
    return webnn_vulkan__lose(
        gpu, method, gpu->has_timeline ? "vkWaitSemaphores" : "vkWaitForFences", result, error);
  }
  webnn_vulkan__complete(gpu, value);
  return WEBNN_OK;
}

/* A record for the next submission, out of those that are not used any more if there is one. */
static webnn_status webnn_vulkan__new_submission(webnn_vulkan__gpu *gpu, const char *method,
                                                 webnn_vulkan__submission **submission,
                                                 webnn_error *error) {
  webnn_vulkan__submission *made = gpu->spare;
  VkResult result = VK_SUCCESS;
  if (made != NULL) {
    if (made->fence != VK_NULL_HANDLE) {
      result = gpu->f->ResetFences(gpu->handle, 1, &made->fence);
      if (result != VK_SUCCESS) {
        return webnn_vulkan__device_fails(gpu, method, "vkResetFences", result, error);
      }
    }
    gpu->spare = made->next;
    made->next = NULL;
    *submission = made;
    return WEBNN_OK;
  }
  made = (webnn_vulkan__submission *)webnn__allocate_zeroed(gpu->allocator, sizeof *made);
  if (made == NULL) {
    return webnn__out_of_memory(error, method);
  }
  if (!gpu->has_timeline) {
    VkFenceCreateInfo info;
    memset(&info, 0, sizeof info);
    info.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO;
    result = gpu->f->CreateFence(gpu->handle, &info, NULL, &made->fence);
    if (result != VK_SUCCESS) {
      webnn__release(gpu->allocator, made);
      return webnn_vulkan__device_fails(gpu, method, "vkCreateFence", result, error);
    }
  }
  *submission = made;
  return WEBNN_OK;
}

/* A record that was not submitted after all. */
static void webnn_vulkan__return_submission(webnn_vulkan__gpu *gpu,
                                            webnn_vulkan__submission *submission) {
  submission->next = gpu->spare;
  gpu->spare = submission;
}

static webnn_status webnn_vulkan__begin_buffer(webnn_vulkan__gpu *gpu, VkCommandBuffer buffer,
                                               VkCommandBufferUsageFlags usage, const char *method,
                                               webnn_error *error) {
  VkCommandBufferBeginInfo info;
  VkResult result;
  memset(&info, 0, sizeof info);
  info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  info.flags = usage;
  result = gpu->f->BeginCommandBuffer(buffer, &info);
  return result == VK_SUCCESS
             ? WEBNN_OK
             : webnn_vulkan__device_fails(gpu, method, "vkBeginCommandBuffer", result, error);
}

static webnn_status webnn_vulkan__end_buffer(webnn_vulkan__gpu *gpu, VkCommandBuffer buffer,
                                             const char *method, webnn_error *error) {
  const VkResult result = gpu->f->EndCommandBuffer(buffer);
  return result == VK_SUCCESS
             ? WEBNN_OK
             : webnn_vulkan__device_fails(gpu, method, "vkEndCommandBuffer", result, error);
}

static webnn_status webnn_vulkan__new_buffers(webnn_vulkan__gpu *gpu, uint32_t count,
                                              VkCommandBuffer *buffers, const char *method,
                                              webnn_error *error) {
  VkCommandBufferAllocateInfo info;
  VkResult result;
  memset(&info, 0, sizeof info);
  info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
  info.commandPool = gpu->pool;
  info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  info.commandBufferCount = count;
  result = gpu->f->AllocateCommandBuffers(gpu->handle, &info, buffers);
  if (result != VK_SUCCESS) {
    memset(buffers, 0, count * sizeof *buffers);
    return webnn_vulkan__device_fails(gpu, method, "vkAllocateCommandBuffers", result, error);
  }
  return WEBNN_OK;
}

/* A submission with a command buffer of its own, which is being recorded. */
static webnn_status webnn_vulkan__start_copies(webnn_vulkan__gpu *gpu, const char *method,
                                               webnn_vulkan__submission **submission,
                                               webnn_error *error) {
  webnn_status status = webnn_vulkan__new_submission(gpu, method, submission, error);
  if (status != WEBNN_OK) {
    return status;
  }
  if ((*submission)->buffer == NULL) {
    status = webnn_vulkan__new_buffers(gpu, 1, &(*submission)->buffer, method, error);
  }
  if (status == WEBNN_OK) {
    status = webnn_vulkan__begin_buffer(gpu, (*submission)->buffer,
                                        VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT, method, error);
  }
  if (status != WEBNN_OK) {
    webnn_vulkan__return_submission(gpu, *submission);
    *submission = NULL;
  }
  return status;
}

/* Everything before is finished, and seen by everything after it. */
static void webnn_vulkan__full_barrier(const webnn_vulkan__gpu *gpu, VkCommandBuffer buffer) {
  const VkPipelineStageFlags stages =
      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
  VkMemoryBarrier barrier;
  memset(&barrier, 0, sizeof barrier);
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT |
                          VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  gpu->f->CmdPipelineBarrier(buffer, stages, stages, 0, 1, &barrier, 0, NULL, 0, NULL);
}

/* What was written before can be read by the host once the submission has completed. */
static void webnn_vulkan__host_barrier(const webnn_vulkan__gpu *gpu, VkCommandBuffer buffer) {
  VkMemoryBarrier barrier;
  memset(&barrier, 0, sizeof barrier);
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
  gpu->f->CmdPipelineBarrier(buffer,
                             VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
                             VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
}

/* Gives command buffers (or none) to the queue, after the waits that the caller has asked for; and
   signals a semaphore of the caller, if there is one. The submission is used up, or returned after
   a failure, which loses the device. */
static webnn_status webnn_vulkan__submit(webnn_vulkan__gpu *gpu,
                                         webnn_vulkan__submission *submission,
                                         const VkCommandBuffer *buffers, uint32_t count,
                                         const webnn_vulkan__semaphore *signal, const char *method,
                                         webnn_error *error) {
  VkSemaphore waits[WEBNN_VULKAN__WAITS], signals[2];
  uint64_t wait_values[WEBNN_VULKAN__WAITS], signal_values[2];
  VkPipelineStageFlags stages[WEBNN_VULKAN__WAITS];
  VkTimelineSemaphoreSubmitInfo timeline;
  VkSubmitInfo info;
  VkResult result;
  uint32_t i;
  for (i = 0; i < gpu->wait_count; i++) {
    waits[i] = gpu->waits[i].semaphore;
    wait_values[i] = gpu->waits[i].value;
    stages[i] = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  }
  signals[0] = gpu->timeline;
  signal_values[0] = gpu->submitted + 1;
  if (signal != NULL) {
    signals[1] = signal->semaphore;
    signal_values[1] = signal->value;
  }
  memset(&timeline, 0, sizeof timeline);
  memset(&info, 0, sizeof info);
  info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  info.commandBufferCount = count;
  info.pCommandBuffers = buffers;
  if (gpu->has_timeline) {
    timeline.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO;
    timeline.waitSemaphoreValueCount = info.waitSemaphoreCount = gpu->wait_count;
    timeline.pWaitSemaphoreValues = wait_values;
    timeline.signalSemaphoreValueCount = info.signalSemaphoreCount = signal != NULL ? 2 : 1;
    timeline.pSignalSemaphoreValues = signal_values;
    info.pNext = &timeline;
    info.pWaitSemaphores = waits;
    info.pWaitDstStageMask = stages;
    info.pSignalSemaphores = signals;
  }
  webnn_vulkan__lock_queue(gpu);
  result = gpu->f->QueueSubmit(gpu->queue, 1, &info, submission->fence);
  webnn_vulkan__unlock_queue(gpu);
  if (result != VK_SUCCESS) {
    webnn_vulkan__return_submission(gpu, submission);
    return webnn_vulkan__lose(gpu, method, "vkQueueSubmit", result, error);
  }
  gpu->wait_count = 0;
  submission->value = ++gpu->submitted;
  *gpu->last = submission;
  gpu->last = &submission->next;
  return WEBNN_OK;
}

/* Ends and submits the command buffer that webnn_vulkan__start_copies has begun. */
static webnn_status webnn_vulkan__submit_copies(webnn_vulkan__gpu *gpu,
                                                webnn_vulkan__submission *submission,
                                                const char *method, webnn_error *error) {
  const webnn_status status = webnn_vulkan__end_buffer(gpu, submission->buffer, method, error);
  if (status != WEBNN_OK) {
    webnn_vulkan__return_submission(gpu, submission);
    return status;
  }
  return webnn_vulkan__submit(gpu, submission, &submission->buffer, 1, NULL, method, error);
}

/* ==============================================================================================
   8  memory and tensors                                                          >>vulkan_memory

   Memory comes in large blocks, each with one buffer over all of it; a range is a part of one. Where
   the host shares memory with the device, blocks are mapped, and tensors that no work under way
   uses are read and written where they are; else through staging ranges and copies on the queue.
   ============================================================================================== */

#define WEBNN_VULKAN__BLOCK UINT64_C(33554432)  /* bytes of a block for several ranges, at most */
#define WEBNN_VULKAN__FIRST UINT64_C(1048576)   /* and at least */
#define WEBNN_VULKAN__CHUNK UINT64_C(16777216)  /* the most bytes of one staging range */
#define WEBNN_VULKAN__STAGED UINT64_C(67108864) /* the most bytes of all staging ranges */

typedef struct webnn_vulkan__free_range {
  uint64_t offset, size;
} webnn_vulkan__free_range;

typedef struct webnn_vulkan__block {
  struct webnn_vulkan__block *next;
  uint32_t kind; /* WEBNN_VULKAN__DEVICE_MEMORY and so on */
  VkDeviceMemory memory;
  VkBuffer buffer;
  uint64_t size;
  unsigned char *data;            /* if it is mapped */
  webnn_vulkan__free_range *free; /* in the order of their offsets */
  uint32_t free_count, free_room; /* there is room for one more than there are ranges in use */
  uint32_t used;                  /* ranges */
} webnn_vulkan__block;

typedef struct webnn_vulkan__range {
  webnn_vulkan__block *block; /* NULL: the caller's buffer, or nothing */
  VkBuffer buffer;
  uint64_t offset, size;
  unsigned char *data; /* if it is mapped */
} webnn_vulkan__range;

/* A range through which bytes go once. */
typedef struct webnn_vulkan__staging {
  struct webnn_vulkan__staging *next;
  webnn_vulkan__range range;
  uint64_t last_use;
} webnn_vulkan__staging;

typedef struct webnn_vulkan__storage {
  struct webnn_vulkan__storage *next;       /* of those that die */
  struct webnn_vulkan__storage *next_stale; /* of those that are stale */
  uint64_t number;                          /* no two have the same */
  uint64_t byte_length, last_use;
  webnn_vulkan__range range;
  unsigned char *memory;        /* of the caller, or NULL */
  webnn_vulkan__range download; /* on its way there, where the range is not mapped */
  bool stale;                   /* the caller's memory does not have yet what was computed */
} webnn_vulkan__storage;

static void webnn_vulkan__release_block(webnn_vulkan__gpu *gpu, webnn_vulkan__block *block) {
  if (block->buffer != VK_NULL_HANDLE) {
    gpu->f->DestroyBuffer(gpu->handle, block->buffer, NULL);
  }
  if (block->memory != VK_NULL_HANDLE) {
    gpu->f->FreeMemory(gpu->handle, block->memory, NULL);
    gpu->allocated -= block->size;
    gpu->allocations--;
  }
  webnn__release(gpu->allocator, block->free);
  webnn__release(gpu->allocator, block);
}

/* The memory of a block and its buffer. */
static webnn_status webnn_vulkan__fill_block(webnn_vulkan__gpu *gpu, webnn_vulkan__block *block,
                                             const char *method, webnn_error *error) {
  const uint32_t type = gpu->memory_types[block->kind];
  VkMemoryAllocateInfo info;
  VkMemoryRequirements needs;
  const char *name = "vkCreateBuffer";
  VkResult result = webnn_vulkan__create_buffer(gpu, block->size, &block->buffer);
  memset(&needs, 0, sizeof needs);
  memset(&info, 0, sizeof info);
  if (result == VK_SUCCESS) {
    gpu->f->GetBufferMemoryRequirements(gpu->handle, block->buffer, &needs);
    info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
    info.allocationSize = needs.size;
    info.memoryTypeIndex = type;
    name = "vkAllocateMemory";
    result = gpu->f->AllocateMemory(gpu->handle, &info, NULL, &block->memory);
    if (result == VK_SUCCESS) {
      gpu->allocated += block->size;
      gpu->allocations++;
      name = "vkBindBufferMemory";
      result = gpu->f->BindBufferMemory(gpu->handle, block->buffer, block->memory, 0);
    } else {
      block->memory = VK_NULL_HANDLE;
    }
  } else {
    block->buffer = VK_NULL_HANDLE;
  }
  if (result == VK_SUCCESS &&
      (gpu->memory.memoryTypes[type].propertyFlags & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT) != 0 &&
      (block->kind != WEBNN_VULKAN__DEVICE_MEMORY ||
       (gpu->memory.memoryTypes[type].propertyFlags & VK_MEMORY_PROPERTY_HOST_CACHED_BIT) != 0 ||
       gpu->info.type == VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU)) {
    void *data = NULL;
    name = "vkMapMemory";
    result = gpu->f->MapMemory(gpu->handle, block->memory, 0, VK_WHOLE_SIZE, 0, &data);
    block->data = (unsigned char *)data;
  }
  if (result == VK_ERROR_DEVICE_LOST) {
    return webnn_vulkan__lose(gpu, method, name, result, error);
  }
  if (result != VK_SUCCESS) {
    return webnn__fail(error,
                       result == VK_ERROR_OUT_OF_HOST_MEMORY ||
                               result == VK_ERROR_OUT_OF_DEVICE_MEMORY
                           ? WEBNN_UNKNOWN_ERROR
                           : WEBNN_OPERATION_ERROR,
                       "%s: %s gives %s for %l bytes on %q, of whose %l bytes %l are in use",
                       method, name, webnn_vulkan__result_name(result), block->size, gpu->info.name,
                       gpu->memory_limit, gpu->allocated);
  }
  return WEBNN_OK;
}

/* A new block, all of it free. */
static webnn_status webnn_vulkan__new_block(webnn_vulkan__gpu *gpu, uint32_t kind, uint64_t size,
                                            const char *method, webnn_error *error) {
  webnn_vulkan__block *block;
  webnn_status status;
  if (size > gpu->max_allocation) {
    return webnn__fail(error, WEBNN_OPERATION_ERROR,
                       "%s: %l bytes are more than the %l that %q has in one piece", method, size,
                       gpu->max_allocation, gpu->info.name);
  }
  if (size > gpu->memory_limit || gpu->allocated > gpu->memory_limit - size ||
      gpu->allocations >= gpu->max_allocations) {
    return webnn__fail(error, WEBNN_UNKNOWN_ERROR,
                       "%s: no memory for %l bytes on %q: %l of %l bytes are in use", method, size,
                       gpu->info.name, gpu->allocated, gpu->memory_limit);
  }
  block = (webnn_vulkan__block *)webnn__allocate_zeroed(gpu->allocator, sizeof *block);
  if (block != NULL) {
    block->free_room = 16;
    block->free = (webnn_vulkan__free_range *)webnn__allocate(
        gpu->allocator, block->free_room * sizeof *block->free);
  }
  if (block == NULL || block->free == NULL) {
    webnn__release(gpu->allocator, block);
    return webnn__out_of_memory(error, method);
  }
  block->kind = kind;
  block->size = size;
  block->free[0].offset = 0;
  block->free[0].size = size;
  block->free_count = 1;
  status = webnn_vulkan__fill_block(gpu, block, method, error);
  if (status != WEBNN_OK) {
    webnn_vulkan__release_block(gpu, block);
    return status;
  }
  block->next = gpu->blocks;
  gpu->blocks = block;
  return WEBNN_OK;
}

/* Takes a range out of a block; false if there is no room for it, or none on the host. */
static bool webnn_vulkan__take_from(const webnn_vulkan__gpu *gpu, webnn_vulkan__block *block,
                                    uint64_t size, webnn_vulkan__range *range) {
  uint32_t i = 0;
  while (i < block->free_count && block->free[i].size < size) {
    i++;
  }
  if (i == block->free_count) {
    return false;
  }
  if (block->used + 2 > block->free_room) { /* so that releasing needs no memory */
    const uint32_t room = block->free_room * 2;
    webnn_vulkan__free_range *longer = (webnn_vulkan__free_range *)webnn__allocate(
        gpu->allocator, (uint64_t)room * sizeof *longer);
    if (longer == NULL) {
      return false;
    }
    memcpy(longer, block->free, block->free_count * sizeof *longer);
    webnn__release(gpu->allocator, block->free);
    block->free = longer;
    block->free_room = room;
  }
  range->block = block;
  range->buffer = block->buffer;
  range->offset = block->free[i].offset;
  range->size = size;
  range->data = block->data != NULL ? block->data + range->offset : NULL;
  block->free[i].offset += size;
  block->free[i].size -= size;
  if (block->free[i].size == 0) {
    block->free_count--;
    memmove(&block->free[i], &block->free[i + 1], (block->free_count - i) * sizeof *block->free);
  }
  block->used++;
  return true;
}

/* How large a new block for several ranges of a kind is: as large as all that there are. */
static uint64_t webnn_vulkan__block_size(const webnn_vulkan__gpu *gpu, uint32_t kind) {
  const webnn_vulkan__block *block;
  uint64_t size = 0;
  for (block = gpu->blocks; block != NULL; block = block->next) {
    size += block->kind == kind ? block->size : 0;
  }
  size = size < WEBNN_VULKAN__BLOCK ? size : WEBNN_VULKAN__BLOCK;
  return size > WEBNN_VULKAN__FIRST ? size : WEBNN_VULKAN__FIRST;
}

/* A range of memory of a kind, its size rounded up to the alignment. */
static webnn_status webnn_vulkan__take_range(webnn_vulkan__gpu *gpu, uint32_t kind,
                                             uint64_t byte_length, const char *method,
                                             webnn_vulkan__range *range, webnn_error *error) {
  const uint64_t alignment = gpu->traits.alignment;
  uint64_t size, shared;
  webnn_vulkan__block *block;
  webnn_status status = webnn_vulkan__check_lost(gpu, error);
  if (status != WEBNN_OK) {
    return status;
  }
  if (byte_length > UINT64_MAX / 4) {
    return webnn__out_of_memory(error, method);
  }
  size = byte_length == 0 ? alignment : (byte_length + alignment - 1) / alignment * alignment;
  for (block = gpu->blocks; block != NULL; block = block->next) {
    if (block->kind == kind && webnn_vulkan__take_from(gpu, block, size, range)) {
      return WEBNN_OK;
    }
  }
  status = WEBNN_UNKNOWN_ERROR;
  shared = webnn_vulkan__block_size(gpu, kind);
  if (size < shared / 2 && shared <= gpu->memory_limit / 16 && shared <= gpu->max_allocation) {
    status = webnn_vulkan__new_block(gpu, kind, shared, method, NULL);
  }
  if (status != WEBNN_OK) { /* a smaller one */
    status = webnn_vulkan__check_lost(gpu, error);
    status = status == WEBNN_OK ? webnn_vulkan__new_block(gpu, kind, size, method, error) : status;
  }
  if (status == WEBNN_OK && !webnn_vulkan__take_from(gpu, gpu->blocks, size, range)) {
    status = webnn__out_of_memory(error, method);
  }
  return status;
}

/* Gives a range back; of blocks in which nothing is used one of each kind is kept, if it is not
   large. */
static void webnn_vulkan__give_range(webnn_vulkan__gpu *gpu, webnn_vulkan__range *range) {
  webnn_vulkan__block *block = range->block, **link, *other;
  webnn_vulkan__free_range *list;
  uint32_t i = 0;
  bool keep;
  if (block == NULL) {
    return;
  }
  list = block->free;
  while (i < block->free_count && list[i].offset < range->offset) {
    i++;
  }
  if (i > 0 && list[i - 1].offset + list[i - 1].size == range->offset) {
    list[--i].size += range->size;
  } else {
    memmove(&list[i + 1], &list[i], (block->free_count - i) * sizeof *list);
    list[i].offset = range->offset;
    list[i].size = range->size;
    block->free_count++;
  }
  if (i + 1 < block->free_count && list[i].offset + list[i].size == list[i + 1].offset) {
    list[i].size += list[i + 1].size;
    block->free_count--;
    memmove(&list[i + 1], &list[i + 2], (block->free_count - i - 1) * sizeof *list);
  }
  memset(range, 0, sizeof *range);
  if (--block->used > 0) {
    return;
  }
  keep = block->size <= WEBNN_VULKAN__BLOCK;
  for (other = gpu->blocks; other != NULL && keep; other = other->next) {
    keep = other == block || other->kind != block->kind || other->used > 0;
  }
  for (link = &gpu->blocks; !keep && *link != NULL; link = &(*link)->next) {
    if (*link == block) {
      *link = block->next;
      webnn_vulkan__release_block(gpu, block);
      break;
    }
  }
}

/* A staging range, mapped; once it has been submitted it is released by itself. */
static webnn_status webnn_vulkan__new_staging(webnn_vulkan__gpu *gpu, uint32_t kind,
                                              uint64_t byte_length, const char *method,
                                              webnn_vulkan__staging **staging, webnn_error *error) {
  webnn_vulkan__staging *made;
  webnn_status status = WEBNN_OK;
  if (gpu->staged + byte_length > WEBNN_VULKAN__STAGED) {
    status = webnn_vulkan__wait_for(gpu, gpu->submitted, method, error);
  }
  if (status != WEBNN_OK) {
    return status;
  }
  made = (webnn_vulkan__staging *)webnn__allocate_zeroed(gpu->allocator, sizeof *made);
  if (made == NULL) {
    return webnn__out_of_memory(error, method);
  }
  status = webnn_vulkan__take_range(gpu, kind, byte_length, method, &made->range, error);
  if (status != WEBNN_OK) {
    webnn__release(gpu->allocator, made);
    return status;
  }
  gpu->staged += made->range.size;
  *staging = made;
  return WEBNN_OK;
}

static void webnn_vulkan__release_staging(webnn_vulkan__gpu *gpu, webnn_vulkan__staging *staging) {
  gpu->staged -= staging->range.size;
  webnn_vulkan__give_range(gpu, &staging->range);
  webnn__release(gpu->allocator, staging);
}

/* A staging range is released once what was submitted last has completed. */
static void webnn_vulkan__leave_staging(webnn_vulkan__gpu *gpu, webnn_vulkan__staging *staging) {
  staging->last_use = gpu->submitted;
  staging->next = gpu->stagings;
  gpu->stagings = staging;
}

static void webnn_vulkan__copy_range(const webnn_vulkan__gpu *gpu, VkCommandBuffer buffer,
                                     const webnn_vulkan__range *from, uint64_t from_offset,
                                     const webnn_vulkan__range *to, uint64_t to_offset,
                                     uint64_t size) {
  VkBufferCopy copy;
  copy.srcOffset = from->offset + from_offset;
  copy.dstOffset = to->offset + to_offset;
  copy.size = size;
  gpu->f->CmdCopyBuffer(buffer, from->buffer, to->buffer, 1, &copy);
}

/* Copies bytes of the host to a range on the queue, in chunks. The data is not needed any more when
   it returns. */
static webnn_status webnn_vulkan__upload(webnn_vulkan__gpu *gpu, const webnn_vulkan__range *range,
                                         const void *data, uint64_t byte_length, const char *method,
                                         webnn_error *error) {
  uint64_t done = 0;
  while (done < byte_length) {
    const uint64_t rest = byte_length - done;
    const uint64_t size = rest < WEBNN_VULKAN__CHUNK ? rest : WEBNN_VULKAN__CHUNK;
    webnn_vulkan__staging *staging;
    webnn_vulkan__submission *submission;
    webnn_status status;
    webnn_vulkan__look(gpu);
    status =
        webnn_vulkan__new_staging(gpu, WEBNN_VULKAN__UPLOAD_MEMORY, size, method, &staging, error);
    if (status != WEBNN_OK) {
      return status;
    }
    memcpy(staging->range.data, (const unsigned char *)data + done, (size_t)size);
    status = webnn_vulkan__start_copies(gpu, method, &submission, error);
    if (status == WEBNN_OK) {
      webnn_vulkan__full_barrier(gpu, submission->buffer);
      webnn_vulkan__copy_range(gpu, submission->buffer, &staging->range, 0, range, done, size);
      status = webnn_vulkan__submit_copies(gpu, submission, method, error);
    }
    webnn_vulkan__leave_staging(gpu, staging);
    if (status != WEBNN_OK) {
      return status;
    }
    done += size;
  }
  return WEBNN_OK;
}

/* The other way; waits for it. */
static webnn_status webnn_vulkan__download(webnn_vulkan__gpu *gpu, const webnn_vulkan__range *range,
                                           void *data, uint64_t byte_length, const char *method,
                                           webnn_error *error) {
  uint64_t done = 0;
  while (done < byte_length) {
    const uint64_t rest = byte_length - done;
    const uint64_t size = rest < WEBNN_VULKAN__CHUNK ? rest : WEBNN_VULKAN__CHUNK;
    webnn_vulkan__staging *staging;
    webnn_vulkan__submission *submission;
    webnn_status status =
        webnn_vulkan__new_staging(gpu, WEBNN_VULKAN__READ_MEMORY, size, method, &staging, error);
    if (status != WEBNN_OK) {
      return status;
    }
    status = webnn_vulkan__start_copies(gpu, method, &submission, error);
    if (status == WEBNN_OK) {
      webnn_vulkan__full_barrier(gpu, submission->buffer);
      webnn_vulkan__copy_range(gpu, submission->buffer, range, done, &staging->range, 0, size);
      webnn_vulkan__host_barrier(gpu, submission->buffer);
      status = webnn_vulkan__submit_copies(gpu, submission, method, error);
    }
    if (status == WEBNN_OK) {
      status = webnn_vulkan__wait_for(gpu, gpu->submitted, method, error);
    }
    if (status == WEBNN_OK) {
      memcpy((unsigned char *)data + done, staging->range.data, (size_t)size);
    }
    webnn_vulkan__leave_staging(gpu, staging);
    if (status != WEBNN_OK) {
      return status;
    }
    done += size;
  }
  webnn_vulkan__look(gpu);
  return WEBNN_OK;
}

/* Zeros all of a new range. */
static webnn_status webnn_vulkan__clear_range(webnn_vulkan__gpu *gpu,
                                              const webnn_vulkan__range *range, const char *method,
                                              webnn_error *error) {
  webnn_vulkan__submission *submission;
  webnn_status status;
  if (range->data != NULL) {
    memset(range->data, 0, (size_t)range->size);
    return WEBNN_OK;
  }
  status = webnn_vulkan__start_copies(gpu, method, &submission, error);
  if (status == WEBNN_OK) {
    webnn_vulkan__full_barrier(gpu, submission->buffer);
    gpu->f->CmdFillBuffer(submission->buffer, range->buffer, range->offset, range->size, 0);
    status = webnn_vulkan__submit_copies(gpu, submission, method, error);
  }
  return status;
}

static void webnn_vulkan__end_storage(webnn_vulkan__gpu *gpu, webnn_vulkan__storage *storage) {
  webnn_vulkan__give_range(gpu, &storage->range);
  webnn_vulkan__give_range(gpu, &storage->download);
  webnn__release(gpu->allocator, storage);
}

/* Releases what no work under way needs any more. */
static void webnn_vulkan__release_used(webnn_vulkan__gpu *gpu) {
  webnn_vulkan__staging **staging = &gpu->stagings;
  webnn_vulkan__storage **storage = &gpu->dying;
  while (*staging != NULL) {
    webnn_vulkan__staging *used = *staging;
    if (used->last_use <= gpu->completed) {
      *staging = used->next;
      webnn_vulkan__release_staging(gpu, used);
    } else {
      staging = &used->next;
    }
  }
  while (*storage != NULL) {
    webnn_vulkan__storage *used = *storage;
    if (used->last_use <= gpu->completed) {
      *storage = used->next;
      webnn_vulkan__end_storage(gpu, used);
    } else {
      storage = &used->next;
    }
  }
}

/* ---- Tensors -------------------------------------------------------------------------------- */

static webnn_status webnn_vulkan__create_storage(void *device, webnn_data_type type,
                                                 uint64_t byte_length, void *memory, void **storage,
                                                 webnn_error *error) {
  webnn_vulkan__gpu *gpu = (webnn_vulkan__gpu *)device;
  webnn_vulkan__storage *made =
      (webnn_vulkan__storage *)webnn__allocate_zeroed(gpu->allocator, sizeof *made);
  webnn_status status;
  (void)type;
  if (made == NULL) {
    return webnn__out_of_memory(error, "createTensor");
  }
  made->byte_length = byte_length;
  made->memory = (unsigned char *)memory;
  webnn__mutex_lock(&gpu->mutex);
  webnn_vulkan__look(gpu);
  made->number = ++gpu->storages;
  status = webnn_vulkan__take_range(gpu, WEBNN_VULKAN__DEVICE_MEMORY, byte_length, "createTensor",
                                    &made->range, error);
  if (status == WEBNN_OK && memory == NULL) {
    status = webnn_vulkan__clear_range(gpu, &made->range, "createTensor", error);
    made->last_use = made->range.data != NULL ? 0 : gpu->submitted;
  } else if (status == WEBNN_OK && made->range.data == NULL) {
    status = webnn_vulkan__take_range(gpu, WEBNN_VULKAN__READ_MEMORY, byte_length, "createTensor",
                                      &made->download, error);
  }
  if (status != WEBNN_OK) {
    webnn_vulkan__end_storage(gpu, made);
  }
  webnn__mutex_unlock(&gpu->mutex);
  if (status == WEBNN_OK) {
    *storage = made;
  }
  return status;
}

/* Brings what was computed to the caller's memory. It has completed. */
static void webnn_vulkan__refresh(webnn_vulkan__gpu *gpu, webnn_vulkan__storage *storage) {
  webnn_vulkan__storage **link = &gpu->stale;
  const unsigned char *data =
      storage->range.data != NULL ? storage->range.data : storage->download.data;
  while (*link != NULL && *link != storage) {
    link = &(*link)->next_stale;
  }
  if (*link == storage) {
    *link = storage->next_stale;
  }
  storage->stale = false;
  memcpy(storage->memory, data, (size_t)storage->byte_length);
}

static void webnn_vulkan__release_storage(void *device, void *pointer) {
  webnn_vulkan__gpu *gpu = (webnn_vulkan__gpu *)device;
  webnn_vulkan__storage *storage = (webnn_vulkan__storage *)pointer;
  webnn__mutex_lock(&gpu->mutex);
  if (storage->stale && webnn_vulkan__wait_for(gpu, storage->last_use, "wait", NULL) == WEBNN_OK &&
      storage->stale) {
    webnn_vulkan__refresh(gpu, storage);
  } else if (storage->stale) { /* of a lost device: it is not brought any more */
    webnn_vulkan__storage **link = &gpu->stale;
    while (*link != storage) {
      link = &(*link)->next_stale;
    }
    *link = storage->next_stale;
  }
  webnn_vulkan__look(gpu);
  storage->next = gpu->dying;
  gpu->dying = storage;
  webnn_vulkan__release_used(gpu);
  webnn__mutex_unlock(&gpu->mutex);
}

/* Gives waits that the caller has asked for to the queue, if nothing else has taken them there. */
static webnn_status webnn_vulkan__flush_waits(webnn_vulkan__gpu *gpu, const char *method,
                                              webnn_error *error) {
  webnn_vulkan__submission *submission;
  webnn_status status;
  if (gpu->wait_count == 0) {
    return WEBNN_OK;
  }
  status = webnn_vulkan__new_submission(gpu, method, &submission, error);
  return status == WEBNN_OK ? webnn_vulkan__submit(gpu, submission, NULL, 0, NULL, method, error)
                            : status;
}

/* With the mutex: all work is done, and the caller's memory has its results. */
static webnn_status webnn_vulkan__finish(webnn_vulkan__gpu *gpu, const char *method,
                                         webnn_error *error) {
  webnn_status status = webnn_vulkan__check_lost(gpu, error);
  if (status == WEBNN_OK) {
    status = webnn_vulkan__flush_waits(gpu, method, error);
  }
  if (status == WEBNN_OK) {
    status = webnn_vulkan__wait_for(gpu, gpu->submitted, method, error);
  }
  while (status == WEBNN_OK && gpu->stale != NULL) {
    webnn_vulkan__refresh(gpu, gpu->stale);
  }
  return status;
}

static webnn_status webnn_vulkan__wait(void *device, webnn_error *error) {
  webnn_vulkan__gpu *gpu = (webnn_vulkan__gpu *)device;
  webnn_status status;
  webnn__mutex_lock(&gpu->mutex);
  status = webnn_vulkan__finish(gpu, "wait", error);
  webnn__mutex_unlock(&gpu->mutex);
  return status;
}

static webnn_status webnn_vulkan__write_tensor(void *device, void *pointer, const void *data,
                                               uint64_t byte_length, webnn_error *error) {
  webnn_vulkan__gpu *gpu = (webnn_vulkan__gpu *)device;
  webnn_vulkan__storage *storage = (webnn_vulkan__storage *)pointer;
  webnn_status status;
  webnn__mutex_lock(&gpu->mutex);
  webnn_vulkan__look(gpu);
  status = webnn_vulkan__check_lost(gpu, error);
  if (status == WEBNN_OK && storage->memory != NULL) {
    status = webnn_vulkan__finish(gpu, "writeTensor", error);
    if (status == WEBNN_OK) {
      memmove(storage->memory, data, (size_t)byte_length);
    }
  } else if (status == WEBNN_OK && storage->range.data != NULL && gpu->wait_count == 0 &&
             storage->last_use <= gpu->completed) {
    memcpy(storage->range.data, data, (size_t)byte_length);
  } else if (status == WEBNN_OK) {
    status = webnn_vulkan__upload(gpu, &storage->range, data, byte_length, "writeTensor", error);
    storage->last_use = gpu->submitted;
  }
  webnn__mutex_unlock(&gpu->mutex);
  return status;
}

/* webnn_vulkan__wait was called. */
static webnn_status webnn_vulkan__read_tensor(void *device, void *pointer, void *data,
                                              uint64_t byte_length, webnn_error *error) {
  webnn_vulkan__gpu *gpu = (webnn_vulkan__gpu *)device;
  webnn_vulkan__storage *storage = (webnn_vulkan__storage *)pointer;
  webnn_status status;
  webnn__mutex_lock(&gpu->mutex);
  status = webnn_vulkan__check_lost(gpu, error);
  if (status == WEBNN_OK && (storage->memory != NULL || storage->range.data != NULL)) {
    memmove(data, storage->memory != NULL ? storage->memory : storage->range.data,
            (size_t)byte_length);
  } else if (status == WEBNN_OK) {
    status = webnn_vulkan__download(gpu, &storage->range, data, byte_length, "readTensor", error);
  }
  webnn__mutex_unlock(&gpu->mutex);
  return status;
}

/* ==============================================================================================
   9  plans and runs                                                               >>vulkan_plans

   A plan has the steps of a program, their pipelines, and the memory of everything but tensors. For
   each set of bound tensors its commands are recorded once, in one command buffer for each
   submission, and kept for the next run with the same tensors; a few such recordings are kept.
   ============================================================================================== */

#define WEBNN_VULKAN__RECORDINGS 16
#define WEBNN_VULKAN__RANGES 64 /* that are remembered between barriers */

/* How steps are recorded. */
typedef enum webnn_vulkan__recording_kind {
  WEBNN_VULKAN__WHOLE,
  WEBNN_VULKAN__TIMED,    /* with time stamps around each node */
  WEBNN_VULKAN__EACH_NODE /* each node has a command buffer of its own */
} webnn_vulkan__recording_kind;

typedef struct webnn_vulkan__recording {
  webnn_vulkan__recording_kind kind;
  uint64_t *numbers; /* of the storages, inputs before outputs; NULL: there is no recording */
  uint64_t last_use;
  VkDescriptorPool pool;
  VkDescriptorSet *sets; /* of each step */
  VkCommandBuffer *buffers;
  uint32_t buffer_count;
} webnn_vulkan__recording;

typedef struct webnn_vulkan__measured {
  const char *op_name;
  uint64_t calls, nanoseconds;
} webnn_vulkan__measured;

typedef struct webnn_vulkan__plan {
  webnn_vulkan__gpu *gpu;
  webnn__rewriting rewriting;
  const webnn__program *original, *program;
  webnn__arena memory; /* of the host */
  webnn__placing placing;
  webnn_vulkan__planner planner;
  webnn_vulkan__pipeline **pipelines;    /* of the planner's kernels */
  uint32_t *first_steps;                 /* of each node, and the number of all */
  webnn_vulkan__range arena, parameters; /* of the device */
  webnn_vulkan__range *constants;        /* of each value */
  uint64_t last_use;
  webnn_vulkan__recording recordings[WEBNN_VULKAN__RECORDINGS];
  VkQueryPool queries;
  uint64_t *stamps;
  webnn_vulkan__measured *measured;
  bool profiled;
  struct webnn_vulkan__plan *untouched; /* the program as it was built, for taps */
  webnn_tap tap;
  void *tap_user;
} webnn_vulkan__plan;

/* ---- Pipelines ------------------------------------------------------------------------------ */

/* With the mutex: the layouts for kernels of so many operands. */
static webnn_status webnn_vulkan__make_layout(webnn_vulkan__gpu *gpu, uint32_t count,
                                              webnn_error *error) {
  VkDescriptorSetLayoutBinding bindings[WEBNN_VULKAN__OPERANDS];
  VkDescriptorSetLayoutCreateInfo set;
  VkPipelineLayoutCreateInfo info;
  VkPushConstantRange push;
  VkResult result;
  uint32_t i;
  if (gpu->layouts[count] != VK_NULL_HANDLE) {
    return WEBNN_OK;
  }
  memset(bindings, 0, sizeof bindings);
  for (i = 0; i < count; i++) {
    bindings[i].binding = i;
    bindings[i].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    bindings[i].descriptorCount = 1;
    bindings[i].stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
  }
  memset(&set, 0, sizeof set);
  set.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
  set.bindingCount = count;
  set.pBindings = bindings;
  if (gpu->set_layouts[count] == VK_NULL_HANDLE) {
    result = gpu->f->CreateDescriptorSetLayout(gpu->handle, &set, NULL, &gpu->set_layouts[count]);
    if (result != VK_SUCCESS) {
      gpu->set_layouts[count] = VK_NULL_HANDLE;
      return webnn_vulkan__device_fails(gpu, "build", "vkCreateDescriptorSetLayout", result, error);
    }
  }
  memset(&push, 0, sizeof push);
  push.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
  push.size = WEBNN_VULKAN__PUSHES * 4;
  memset(&info, 0, sizeof info);
  info.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
  info.setLayoutCount = 1;
  info.pSetLayouts = &gpu->set_layouts[count];
  info.pushConstantRangeCount = 1;
  info.pPushConstantRanges = &push;
  result = gpu->f->CreatePipelineLayout(gpu->handle, &info, NULL, &gpu->layouts[count]);
  if (result != VK_SUCCESS) {
    gpu->layouts[count] = VK_NULL_HANDLE;
    return webnn_vulkan__device_fails(gpu, "build", "vkCreatePipelineLayout", result, error);
  }
  return WEBNN_OK;
}

/* With the mutex: the pipeline of a text, if there is one. */
static webnn_vulkan__pipeline *
webnn_vulkan__find_pipeline(const webnn_vulkan__gpu *gpu,
                            const webnn_vulkan__planned_kernel *kernel) {
  webnn_vulkan__pipeline *p = gpu->pipelines[kernel->hash % WEBNN_VULKAN__BUCKETS];
  while (p != NULL &&
         (p->hash != kernel->hash || p->operand_count != kernel->operand_count ||
          p->subgroup_size != kernel->subgroup_size || strcmp(p->text, kernel->text) != 0)) {
    p = p->next;
  }
  return p;
}

/* Makes a pipeline of SPIR-V. Several threads may be here. */
static VkResult webnn_vulkan__create_pipeline(const webnn_vulkan__gpu *gpu, const uint32_t *words,
                                              size_t word_count, uint32_t subgroup_size,
                                              VkPipelineLayout layout, VkPipeline *pipeline,
                                              const char **name) {
  VkPipelineShaderStageRequiredSubgroupSizeCreateInfo subgroup;
  VkShaderModuleCreateInfo module_info;
  VkComputePipelineCreateInfo info;
  VkShaderModule module;
  VkResult result;
  memset(&module_info, 0, sizeof module_info);
  module_info.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
  module_info.codeSize = word_count * 4;
  module_info.pCode = words;
  *name = "vkCreateShaderModule";
  result = gpu->f->CreateShaderModule(gpu->handle, &module_info, NULL, &module);
  if (result != VK_SUCCESS) {
    return result;
  }
  memset(&info, 0, sizeof info);
  info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module;
  info.stage.pName = "main";
  info.layout = layout;
  if (subgroup_size > 0) {
    memset(&subgroup, 0, sizeof subgroup);
    subgroup.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO;
    subgroup.requiredSubgroupSize = subgroup_size;
    info.stage.pNext = &subgroup;
    info.stage.flags = VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
  }
  *name = "vkCreateComputePipelines";
  result = gpu->f->CreateComputePipelines(gpu->handle, gpu->cache, 1, &info, NULL, pipeline);
  gpu->f->DestroyShaderModule(gpu->handle, module, NULL);
  return result;
}

/* Without the mutex: the pipeline of a kernel, made if there is none. */
static webnn_status webnn_vulkan__get_pipeline(webnn_vulkan__gpu *gpu,
                                               const webnn_vulkan__planned_kernel *kernel,
                                               webnn_vulkan__pipeline **pipeline,
                                               webnn_error *error) {
  const size_t length = strlen(kernel->text) + 1;
  webnn_vulkan__pipeline *made, *other;
  VkPipelineLayout layout;
  uint32_t *words = NULL;
  size_t word_count = 0;
  const char *name = "";
  webnn_status status;
  VkResult result;
  webnn__mutex_lock(&gpu->mutex);
  status = webnn_vulkan__check_lost(gpu, error);
  *pipeline = webnn_vulkan__find_pipeline(gpu, kernel);
  if (status == WEBNN_OK && *pipeline == NULL) {
    status = webnn_vulkan__make_layout(gpu, kernel->operand_count, error);
  }
  layout = gpu->layouts[kernel->operand_count];
  webnn__mutex_unlock(&gpu->mutex);
  if (status != WEBNN_OK || *pipeline != NULL) {
    return status;
  }
  made = (webnn_vulkan__pipeline *)webnn__allocate_zeroed(gpu->allocator, sizeof *made + length);
  if (made == NULL) {
    return webnn__out_of_memory(error, "build");
  }
  made->hash = kernel->hash;
  made->operand_count = kernel->operand_count;
  made->subgroup_size = kernel->subgroup_size;
  made->text = (char *)(made + 1);
  memcpy(made->text, kernel->text, length);
  status = webnn_vulkan__compile_kernel(gpu->allocator, kernel->text, &gpu->compile_options, &words,
                                        &word_count, error);
  if (status != WEBNN_OK) {
    webnn__release(gpu->allocator, made);
    return status;
  }
  result = webnn_vulkan__create_pipeline(gpu, words, word_count, made->subgroup_size, layout,
                                         &made->handle, &name);
  webnn__release(gpu->allocator, words);
  webnn__mutex_lock(&gpu->mutex);
  if (result != VK_SUCCESS) {
    webnn__release(gpu->allocator, made);
    status = webnn_vulkan__device_fails(gpu, "build", name, result, error);
  } else {
    other = webnn_vulkan__find_pipeline(gpu, kernel);
    if (other != NULL) { /* another thread was faster */
      gpu->f->DestroyPipeline(gpu->handle, made->handle, NULL);
      webnn__release(gpu->allocator, made);
      made = other;
    } else {
      made->next = gpu->pipelines[made->hash % WEBNN_VULKAN__BUCKETS];
      gpu->pipelines[made->hash % WEBNN_VULKAN__BUCKETS] = made;
    }
    *pipeline = made;
  }
  webnn__mutex_unlock(&gpu->mutex);
  return status;
}

/* ---- Making plans --------------------------------------------------------------------------- */

/* With the mutex. */
static void webnn_vulkan__release_recording(webnn_vulkan__gpu *gpu,
                                            webnn_vulkan__recording *recording) {
  if (recording->buffers != NULL && recording->buffers[0] != NULL) {
    gpu->f->FreeCommandBuffers(gpu->handle, gpu->pool, recording->buffer_count, recording->buffers);
  }
  if (recording->pool != VK_NULL_HANDLE) {
    gpu->f->DestroyDescriptorPool(gpu->handle, recording->pool, NULL);
  }
  webnn__release(gpu->allocator, recording->numbers);
  webnn__release(gpu->allocator, recording->sets);
  webnn__release(gpu->allocator, recording->buffers);
  memset(recording, 0, sizeof *recording);
}

static void webnn_vulkan__release_plan(void *device, void *pointer) {
  webnn_vulkan__gpu *gpu = (webnn_vulkan__gpu *)device;
  webnn_vulkan__plan *plan = (webnn_vulkan__plan *)pointer;
  uint32_t i, j;
  if (plan->untouched != NULL) {
    webnn_vulkan__release_plan(device, plan->untouched);
  }
  webnn__mutex_lock(&gpu->mutex);
  (void)webnn_vulkan__wait_for(gpu, plan->last_use, "wait", NULL);
  for (i = 0; i < WEBNN_VULKAN__RECORDINGS; i++) {
    webnn_vulkan__release_recording(gpu, &plan->recordings[i]);
  }
  if (plan->queries != VK_NULL_HANDLE) {
    gpu->f->DestroyQueryPool(gpu->handle, plan->queries, NULL);
  }
  for (i = 0; plan->constants != NULL && i < plan->program->value_count; i++) {
    webnn_vulkan__range *range = &plan->constants[i];
    for (j = i + 1; range->block != NULL && j < plan->program->value_count; j++) {
      webnn_vulkan__range *other = &plan->constants[j];
      if (other->block == range->block && other->offset == range->offset) {
        memset(other, 0, sizeof *other); /* one block of the program under two names */
      }
    }
    webnn_vulkan__give_range(gpu, range);
  }
  webnn_vulkan__give_range(gpu, &plan->arena);
  webnn_vulkan__give_range(gpu, &plan->parameters);
  webnn__mutex_unlock(&gpu->mutex);
  webnn__arena_release(&plan->memory);
  webnn__release_rewriting(&plan->rewriting);
  webnn__release(gpu->allocator, plan);
}

static bool webnn_vulkan__overwrites(void *user, uint32_t index) {
  return ((const webnn_vulkan__plan *)user)->planner.nodes[index].overwrites;
}

static uint64_t webnn_vulkan__scratch(void *user, uint32_t index) {
  return ((const webnn_vulkan__plan *)user)->planner.nodes[index].scratch;
}

/* Plans all nodes, then finds places for the values. */
static webnn_status webnn_vulkan__plan_nodes(webnn_vulkan__plan *plan, uint32_t disabled_passes,
                                             webnn_error *error) {
  webnn_vulkan__planner *planner = &plan->planner;
  uint32_t i;
  planner->traits = &plan->gpu->traits;
  planner->program = plan->program;
  planner->arena = &plan->memory;
  planner->error = error;
  planner->nodes = (webnn_vulkan__planned_node *)webnn__arena_take(
      &plan->memory, (uint64_t)plan->program->node_count * sizeof *planner->nodes);
  if (planner->nodes == NULL) {
    return webnn__out_of_memory(error, "build");
  }
  for (i = 0; i < plan->program->node_count; i++) {
    if (!webnn_vulkan__plan_node(planner, i)) {
      return planner->status != WEBNN_OK ? planner->status : webnn__out_of_memory(error, "build");
    }
  }
  plan->placing.program = plan->program;
  plan->placing.memory = &plan->memory;
  plan->placing.disabled_passes = disabled_passes;
  plan->placing.alignment = plan->gpu->traits.alignment;
  plan->placing.overwrites = webnn_vulkan__overwrites;
  plan->placing.scratch = webnn_vulkan__scratch;
  plan->placing.user = plan;
  return webnn__place_values(&plan->placing) ? WEBNN_OK : webnn__out_of_memory(error, "build");
}

/* Is this step one that the device can run? */
static bool webnn_vulkan__fits(const webnn_vulkan__plan *plan, const webnn_vulkan__step *step) {
  const webnn_vulkan__traits *traits = &plan->gpu->traits;
  uint32_t i;
  for (i = 0; i < 3; i++) {
    if (step->groups[i] == 0 || step->groups[i] > traits->max_groups[i]) {
      return false;
    }
  }
  return step->operand_count <= traits->max_operands && step->push_count <= WEBNN_VULKAN__PUSHES &&
         step->operand_count == plan->planner.kernels[step->kernel].operand_count;
}

/* Leaves out the steps of views, and finds the first of each node. Steps come in the order of the
   nodes. */
static webnn_status webnn_vulkan__order_steps(webnn_vulkan__plan *plan, webnn_error *error) {
  webnn_vulkan__planner *planner = &plan->planner;
  uint32_t node = 0, kept = 0, i;
  plan->first_steps = (uint32_t *)webnn__arena_take(
      &plan->memory, ((uint64_t)plan->program->node_count + 1) * sizeof(uint32_t));
  if (plan->first_steps == NULL) {
    return webnn__out_of_memory(error, "build");
  }
  for (i = 0; i < planner->step_count; i++) {
    const webnn_vulkan__step *step = &planner->steps[i];
    if (webnn__is_view(&plan->placing, step->node)) {
      continue;
    }
    if (!webnn_vulkan__fits(plan, step)) {
      (void)webnn_vulkan__plan_fails(planner, step->node, "is too large for this device");
      return planner->status;
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
  return WEBNN_OK;
}

static webnn_status webnn_vulkan__get_pipelines(webnn_vulkan__plan *plan, webnn_error *error) {
  webnn_vulkan__planner *planner = &plan->planner;
  webnn_status status = WEBNN_OK;
  uint32_t i;
  plan->pipelines = (webnn_vulkan__pipeline **)webnn__arena_take(
      &plan->memory, (uint64_t)planner->kernel_count * sizeof *plan->pipelines);
  if (plan->pipelines == NULL) {
    return webnn__out_of_memory(error, "build");
  }
  for (i = 0; i < planner->step_count && status == WEBNN_OK; i++) {
    const uint32_t kernel = planner->steps[i].kernel; /* those of views are not needed */
    if (plan->pipelines[kernel] == NULL) {
      status = webnn_vulkan__get_pipeline(plan->gpu, &planner->kernels[kernel],
                                          &plan->pipelines[kernel], error);
    }
  }
  return status;
}

/* With the mutex: a range with these bytes. */
static webnn_status webnn_vulkan__take_bytes(webnn_vulkan__gpu *gpu, const void *data,
                                             uint64_t byte_length, webnn_vulkan__range *range,
                                             webnn_error *error) {
  const webnn_status status = webnn_vulkan__take_range(gpu, WEBNN_VULKAN__DEVICE_MEMORY,
                                                       byte_length, "build", range, error);
  if (status != WEBNN_OK || byte_length == 0) {
    return status;
  }
  if (range->data != NULL) {
    memset(range->data + range->size - gpu->traits.alignment, 0, (size_t)gpu->traits.alignment);
    memcpy(range->data, data, (size_t)byte_length);
    return WEBNN_OK;
  }
  return webnn_vulkan__upload(gpu, range, data, byte_length, "build", error);
}

typedef struct webnn_vulkan__taken {
  const webnn__block *block;
  uint32_t value;
} webnn_vulkan__taken;

static int webnn_vulkan__compare_taken(const void *left, const void *right) {
  const webnn_vulkan__taken *a = (const webnn_vulkan__taken *)left;
  const webnn_vulkan__taken *b = (const webnn_vulkan__taken *)right;
  const uintptr_t p = (uintptr_t)a->block, q = (uintptr_t)b->block;
  return p != q ? (p < q ? -1 : 1) : a->value < b->value ? -1 : a->value > b->value;
}

/* With the mutex: copies all constants; several values may have one block. */
static webnn_status webnn_vulkan__take_constants(webnn_vulkan__plan *plan, webnn_error *error) {
  const webnn__program *program = plan->program;
  webnn_vulkan__taken *taken = (webnn_vulkan__taken *)webnn__arena_take(
      &plan->memory, (uint64_t)program->value_count * sizeof *taken);
  webnn_status status = WEBNN_OK;
  uint32_t count = 0, i;
  plan->constants = (webnn_vulkan__range *)webnn__arena_take(
      &plan->memory, (uint64_t)program->value_count * sizeof *plan->constants);
  if (taken == NULL || plan->constants == NULL) {
    plan->constants = NULL;
    return webnn__out_of_memory(error, "build");
  }
  for (i = 0; i < program->value_count; i++) {
    if (program->values[i].constant != NULL) {
      taken[count].block = program->values[i].constant;
      taken[count++].value = i;
    }
  }
  qsort(taken, count, sizeof *taken, webnn_vulkan__compare_taken);
  for (i = 0; i < count && status == WEBNN_OK; i++) {
    webnn_vulkan__range *range = &plan->constants[taken[i].value];
    if (i > 0 && taken[i].block == taken[i - 1].block) {
      *range = plan->constants[taken[i - 1].value];
    } else {
      status = webnn_vulkan__take_bytes(plan->gpu, taken[i].block->memory,
                                        taken[i].block->byte_length, range, error);
    }
  }
  return status;
}

/* With the mutex: takes the memory of a plan. */
static webnn_status webnn_vulkan__take_memory(webnn_vulkan__plan *plan, webnn_error *error) {
  webnn_vulkan__gpu *gpu = plan->gpu;
  webnn_status status = webnn_vulkan__check_lost(gpu, error);
  webnn_vulkan__look(gpu);
  if (status == WEBNN_OK && plan->placing.size > 0) {
    status = webnn_vulkan__take_range(gpu, WEBNN_VULKAN__DEVICE_MEMORY, plan->placing.size, "build",
                                      &plan->arena, error);
  }
  if (status == WEBNN_OK && plan->planner.parameter_count > 0) {
    status = webnn_vulkan__take_bytes(gpu, plan->planner.parameters,
                                      plan->planner.parameter_count * 4, &plan->parameters, error);
  }
  if (status == WEBNN_OK) {
    status = webnn_vulkan__take_constants(plan, error);
  }
  plan->last_use = gpu->submitted; /* copies of constants */
  return status;
}

static webnn_status webnn_vulkan__make_plan(webnn_vulkan__gpu *gpu, const webnn__program *program,
                                            uint32_t disabled_passes, webnn_vulkan__plan **made,
                                            webnn_error *error) {
  webnn_vulkan__plan *plan =
      (webnn_vulkan__plan *)webnn__allocate_zeroed(gpu->allocator, sizeof *plan);
  webnn_status status;
  bool rewritten;
  if (plan == NULL) {
    return webnn__out_of_memory(error, "build");
  }
  plan->gpu = gpu;
  plan->original = program;
  plan->memory.allocator = gpu->allocator;
  plan->rewriting.allocator = gpu->allocator;
  plan->rewriting.target = &gpu->target;
  plan->rewriting.disabled_passes = disabled_passes;
  plan->rewriting.program = program;
  rewritten = webnn__run_passes(&plan->rewriting);
  plan->rewriting.target = NULL;
  plan->program = plan->rewriting.program;
  status = rewritten ? webnn_vulkan__plan_nodes(plan, disabled_passes, error)
                     : webnn__out_of_memory(error, "build");
  if (status == WEBNN_OK) {
    status = webnn_vulkan__order_steps(plan, error);
  }
  if (status == WEBNN_OK) {
    status = webnn_vulkan__get_pipelines(plan, error);
  }
  if (status == WEBNN_OK) {
    webnn__mutex_lock(&gpu->mutex);
    status = webnn_vulkan__take_memory(plan, error);
    webnn__mutex_unlock(&gpu->mutex);
  }
  plan->planner.error = NULL;
  if (status != WEBNN_OK) {
    webnn_vulkan__release_plan(gpu, plan);
    return status;
  }
  *made = plan;
  return WEBNN_OK;
}

static webnn_status webnn_vulkan__compile(void *device, const webnn__program *program, void **plan,
                                          webnn_error *error) {
  webnn_vulkan__gpu *gpu = (webnn_vulkan__gpu *)device;
  webnn_vulkan__plan *made;
  const webnn_status status =
      webnn_vulkan__make_plan(gpu, program, gpu->options->disabled_passes, &made, error);
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
typedef struct webnn_vulkan__recorder {
  webnn_vulkan__plan *plan;
  webnn_vulkan__storage *const *inputs, *const *outputs;
  VkCommandBuffer buffer;
  webnn_vulkan__range written[WEBNN_VULKAN__RANGES],
      read[WEBNN_VULKAN__RANGES];     /* since the last */
  uint32_t written_count, read_count; /* barrier */
} webnn_vulkan__recorder;

/* Where a value lies. */
static webnn_vulkan__range webnn_vulkan__where(const webnn_vulkan__recorder *r, uint32_t value) {
  const webnn_vulkan__plan *plan = r->plan;
  const uint32_t root = webnn__root(&plan->placing, value);
  const webnn__place *place = &plan->placing.places[root];
  webnn_vulkan__range range;
  switch (place->kind) {
  case WEBNN__PLACE_INPUT:
    range = r->inputs[place->index]->range;
    break;
  case WEBNN__PLACE_OUTPUT:
    range = r->outputs[place->index]->range;
    break;
  case WEBNN__PLACE_CONSTANT:
    range = plan->constants[root];
    break;
  default:
    range = plan->arena;
    range.offset += place->offset;
    range.data = range.data != NULL ? range.data + place->offset : NULL;
    break;
  }
  range.size = webnn__round_up(webnn__value_bytes(&plan->program->values[value]), 16);
  return range;
}

/* Where an operand lies. */
static webnn_vulkan__range webnn_vulkan__place_operand(const webnn_vulkan__recorder *r,
                                                       const webnn_vulkan__step *step,
                                                       const webnn_vulkan__operand *operand) {
  const webnn_vulkan__plan *plan = r->plan;
  webnn_vulkan__range range;
  switch (operand->kind) {
  case WEBNN_VULKAN__VALUE:
    range = webnn_vulkan__where(r, operand->value);
    range.offset += operand->offset;
    range.size -= operand->offset;
    break;
  case WEBNN_VULKAN__SCRATCH:
    range = plan->arena;
    range.offset += plan->placing.scratch_offsets[step->node] + operand->offset;
    range.size = plan->planner.nodes[step->node].scratch - operand->offset;
    break;
  default:
    range = plan->parameters;
    range.offset += operand->offset;
    range.size = plan->planner.parameter_count * 4 - operand->offset;
    break;
  }
  if (operand->byte_length > 0) {
    range.size = webnn__round_up(operand->byte_length, 16);
  }
  if (range.size > plan->gpu->info.max_tensor_byte_length) {
    range.size = plan->gpu->info.max_tensor_byte_length; /* no more can be bound */
  }
  return range;
}

/* Is this range among those? */
static bool webnn_vulkan__overlaps(const webnn_vulkan__range *ranges, uint32_t count,
                                   const webnn_vulkan__range *range) {
  uint32_t i;
  for (i = 0; i < count; i++) {
    if (ranges[i].buffer == range->buffer && ranges[i].offset < range->offset + range->size &&
        range->offset < ranges[i].offset + ranges[i].size) {
      return true;
    }
  }
  return false;
}

static void webnn_vulkan__put_barrier(webnn_vulkan__recorder *r) {
  webnn_vulkan__full_barrier(r->plan->gpu, r->buffer);
  r->written_count = r->read_count = 0;
}

/* Before a command that reads and writes these: a barrier if it needs one. */
static void webnn_vulkan__order(webnn_vulkan__recorder *r, const webnn_vulkan__range *ranges,
                                const bool *written, uint32_t count) {
  bool needed = r->written_count + count > WEBNN_VULKAN__RANGES ||
                r->read_count + count > WEBNN_VULKAN__RANGES;
  uint32_t i;
  for (i = 0; i < count && !needed; i++) {
    needed = webnn_vulkan__overlaps(r->written, r->written_count, &ranges[i]) ||
             (written[i] && webnn_vulkan__overlaps(r->read, r->read_count, &ranges[i]));
  }
  if (needed) {
    webnn_vulkan__put_barrier(r);
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
static webnn_status webnn_vulkan__make_sets(webnn_vulkan__recorder *r,
                                            webnn_vulkan__recording *recording,
                                            webnn_error *error) {
  webnn_vulkan__gpu *gpu = r->plan->gpu;
  const webnn_vulkan__planner *planner = &r->plan->planner;
  const uint32_t count = planner->step_count;
  VkDescriptorPoolSize size;
  VkDescriptorPoolCreateInfo info;
  VkDescriptorSetAllocateInfo sets;
  VkDescriptorSetLayout *layouts;
  VkResult result;
  uint32_t i;
  if (count == 0) {
    return WEBNN_OK;
  }
  memset(&size, 0, sizeof size);
  memset(&info, 0, sizeof info);
  memset(&sets, 0, sizeof sets);
  layouts =
      (VkDescriptorSetLayout *)webnn__allocate(gpu->allocator, (uint64_t)count * sizeof *layouts);
  recording->sets = (VkDescriptorSet *)webnn__allocate_zeroed(
      gpu->allocator, (uint64_t)count * sizeof *recording->sets);
  if (layouts == NULL || recording->sets == NULL) {
    webnn__release(gpu->allocator, layouts);
    return webnn__out_of_memory(error, "dispatch");
  }
  size.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  for (i = 0; i < count; i++) {
    layouts[i] = gpu->set_layouts[planner->steps[i].operand_count];
    size.descriptorCount += planner->steps[i].operand_count;
  }
  info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
  info.maxSets = count;
  info.poolSizeCount = 1;
  info.pPoolSizes = &size;
  result = gpu->f->CreateDescriptorPool(gpu->handle, &info, NULL, &recording->pool);
  if (result != VK_SUCCESS) {
    recording->pool = VK_NULL_HANDLE;
    webnn__release(gpu->allocator, layouts);
    return webnn_vulkan__device_fails(gpu, "dispatch", "vkCreateDescriptorPool", result, error);
  }
  sets.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
  sets.descriptorPool = recording->pool;
  sets.descriptorSetCount = count;
  sets.pSetLayouts = layouts;
  result = gpu->f->AllocateDescriptorSets(gpu->handle, &sets, recording->sets);
  webnn__release(gpu->allocator, layouts);
  return result == VK_SUCCESS ? WEBNN_OK
                              : webnn_vulkan__device_fails(
                                    gpu, "dispatch", "vkAllocateDescriptorSets", result, error);
}

/* One dispatch. */
static void webnn_vulkan__record_step(webnn_vulkan__recorder *r,
                                      const webnn_vulkan__recording *recording, uint32_t index) {
  const webnn_vulkan__gpu *gpu = r->plan->gpu;
  const webnn_vulkan__functions *f = gpu->f;
  const webnn_vulkan__step *step = &r->plan->planner.steps[index];
  const VkPipelineLayout layout = gpu->layouts[step->operand_count];
  webnn_vulkan__range ranges[WEBNN_VULKAN__OPERANDS];
  bool written[WEBNN_VULKAN__OPERANDS];
  VkDescriptorBufferInfo buffers[WEBNN_VULKAN__OPERANDS];
  VkWriteDescriptorSet write;
  uint32_t i;
  for (i = 0; i < step->operand_count; i++) {
    ranges[i] = webnn_vulkan__place_operand(r, step, &step->operands[i]);
    written[i] = step->operands[i].written;
    buffers[i].buffer = ranges[i].buffer;
    buffers[i].offset = ranges[i].offset;
    buffers[i].range = ranges[i].size;
  }
  memset(&write, 0, sizeof write);
  write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
  write.dstSet = recording->sets[index];
  write.descriptorCount = step->operand_count;
  write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  write.pBufferInfo = buffers;
  if (step->operand_count > 0) {
    f->UpdateDescriptorSets(gpu->handle, 1, &write, 0, NULL);
  }
  webnn_vulkan__order(r, ranges, written, step->operand_count);
  f->CmdBindPipeline(r->buffer, VK_PIPELINE_BIND_POINT_COMPUTE,
                     r->plan->pipelines[step->kernel]->handle);
  f->CmdBindDescriptorSets(r->buffer, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1,
                           &recording->sets[index], 0, NULL);
  if (step->push_count > 0) {
    f->CmdPushConstants(r->buffer, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, step->push_count * 4,
                        step->push);
  }
  f->CmdDispatch(r->buffer, step->groups[0], step->groups[1], step->groups[2]);
}

/* Outputs that were not computed where they are: further names of one value, inputs, constants; and
   what goes to memory of the caller. */
static void webnn_vulkan__record_outputs(webnn_vulkan__recorder *r) {
  static const bool written[2] = {false, true};
  const webnn_vulkan__gpu *gpu = r->plan->gpu;
  const webnn__program *program = r->plan->program;
  webnn_vulkan__range ranges[2];
  uint32_t i;
  for (i = 0; i < program->output_count; i++) {
    const webnn_vulkan__storage *output = r->outputs[i];
    ranges[0] = webnn_vulkan__where(r, program->outputs[i].value);
    ranges[1] = output->range;
    if (ranges[0].buffer != ranges[1].buffer || ranges[0].offset != ranges[1].offset) {
      webnn_vulkan__order(r, ranges, written, 2);
      webnn_vulkan__copy_range(gpu, r->buffer, &ranges[0], 0, &ranges[1], 0, output->byte_length);
    }
  }
  for (i = 0; i < program->output_count; i++) {
    const webnn_vulkan__storage *output = r->outputs[i];
    if (output->download.buffer != VK_NULL_HANDLE) {
      ranges[0] = output->range;
      ranges[1] = output->download;
      webnn_vulkan__order(r, ranges, written, 2);
      webnn_vulkan__copy_range(gpu, r->buffer, &ranges[0], 0, &ranges[1], 0, output->byte_length);
    }
  }
}

/* Does a command buffer end behind this step? `cost` is what it has so far. */
static bool webnn_vulkan__ends_buffer(const webnn_vulkan__plan *plan,
                                      webnn_vulkan__recording_kind kind, uint32_t index,
                                      uint64_t *cost) {
  const webnn_vulkan__step *step = &plan->planner.steps[index];
  const uint64_t most = plan->gpu->submission_cost;
  if (kind == WEBNN_VULKAN__EACH_NODE) {
    return index + 1 == plan->first_steps[step->node + 1];
  }
  *cost = step->cost < most - (*cost < most ? *cost : most) ? *cost + step->cost : most;
  if (*cost < most || index + 1 == plan->planner.step_count) {
    return false;
  }
  *cost = 0;
  return true;
}

/* How many command buffers there will be: one more than ends. */
static uint32_t webnn_vulkan__count_buffers(const webnn_vulkan__plan *plan,
                                            webnn_vulkan__recording_kind kind) {
  uint32_t count = 1, i;
  uint64_t cost = 0;
  for (i = 0; i < plan->planner.step_count; i++) {
    count += webnn_vulkan__ends_buffer(plan, kind, i, &cost) ? 1 : 0;
  }
  return count;
}

/* Begins command buffer number `index`, behind whatever was there before. */
static webnn_status webnn_vulkan__begin_part(webnn_vulkan__recorder *r,
                                             const webnn_vulkan__recording *recording,
                                             uint32_t index, webnn_error *error) {
  const webnn_status status =
      webnn_vulkan__begin_buffer(r->plan->gpu, recording->buffers[index],
                                 VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT, "dispatch", error);
  r->buffer = recording->buffers[index];
  if (status == WEBNN_OK) {
    webnn_vulkan__put_barrier(r);
  }
  return status;
}

static void webnn_vulkan__stamp(const webnn_vulkan__recorder *r, uint32_t query) {
  r->plan->gpu->f->CmdWriteTimestamp(r->buffer, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT,
                                     r->plan->queries, query);
}

/* All steps, into command buffers. */
static webnn_status webnn_vulkan__record_steps(webnn_vulkan__recorder *r,
                                               const webnn_vulkan__recording *recording,
                                               webnn_error *error) {
  webnn_vulkan__gpu *gpu = r->plan->gpu;
  const webnn_vulkan__planner *planner = &r->plan->planner;
  const bool timed = recording->kind == WEBNN_VULKAN__TIMED;
  uint64_t cost = 0;
  uint32_t part = 0, i;
  webnn_status status = webnn_vulkan__begin_part(r, recording, 0, error);
  if (status == WEBNN_OK && timed) {
    gpu->f->CmdResetQueryPool(r->buffer, r->plan->queries, 0, r->plan->program->node_count + 1);
    webnn_vulkan__stamp(r, 0);
  }
  for (i = 0; i < planner->step_count && status == WEBNN_OK; i++) {
    const uint32_t node = planner->steps[i].node;
    webnn_vulkan__record_step(r, recording, i);
    if (timed && i + 1 == r->plan->first_steps[node + 1]) {
      webnn_vulkan__put_barrier(r);
      webnn_vulkan__stamp(r, node + 1);
    }
    if (webnn_vulkan__ends_buffer(r->plan, recording->kind, i, &cost)) {
      webnn_vulkan__host_barrier(gpu, r->buffer);
      status = webnn_vulkan__end_buffer(gpu, r->buffer, "dispatch", error);
      if (status == WEBNN_OK) {
        status = webnn_vulkan__begin_part(r, recording, ++part, error);
      }
    }
  }
  if (status == WEBNN_OK) {
    webnn_vulkan__record_outputs(r);
    webnn_vulkan__host_barrier(gpu, r->buffer);
    status = webnn_vulkan__end_buffer(gpu, r->buffer, "dispatch", error);
  }
  return status;
}

/* With the mutex: records a run over these tensors. */
static webnn_status webnn_vulkan__record(webnn_vulkan__recorder *r,
                                         webnn_vulkan__recording_kind kind,
                                         webnn_vulkan__recording *recording, webnn_error *error) {
  webnn_vulkan__gpu *gpu = r->plan->gpu;
  const webnn__program *program = r->plan->program;
  const uint64_t tensors = (uint64_t)program->input_count + program->output_count;
  const uint32_t count = webnn_vulkan__count_buffers(r->plan, kind);
  webnn_status status;
  uint32_t i;
  recording->kind = kind;
  recording->numbers =
      (uint64_t *)webnn__allocate(gpu->allocator, tensors * sizeof *recording->numbers);
  recording->buffers = (VkCommandBuffer *)webnn__allocate_zeroed(
      gpu->allocator, (uint64_t)count * sizeof *recording->buffers);
  if (recording->numbers == NULL || recording->buffers == NULL) {
    webnn_vulkan__release_recording(gpu, recording);
    return webnn__out_of_memory(error, "dispatch");
  }
  for (i = 0; i < tensors; i++) {
    recording->numbers[i] = i < program->input_count ? r->inputs[i]->number
                                                     : r->outputs[i - program->input_count]->number;
  }
  recording->buffer_count = count;
  status = webnn_vulkan__new_buffers(gpu, count, recording->buffers, "dispatch", error);
  if (status == WEBNN_OK) {
    status = webnn_vulkan__make_sets(r, recording, error);
  }
  if (status == WEBNN_OK) {
    status = webnn_vulkan__record_steps(r, recording, error);
  }
  if (status != WEBNN_OK) {
    webnn_vulkan__release_recording(gpu, recording);
  }
  return status;
}

/* Was this recorded for these tensors? */
static bool webnn_vulkan__is_for(const webnn_vulkan__recorder *r, webnn_vulkan__recording_kind kind,
                                 const webnn_vulkan__recording *recording) {
  const webnn__program *program = r->plan->program;
  uint32_t i;
  if (recording->numbers == NULL || recording->kind != kind) {
    return false;
  }
  for (i = 0; i < program->input_count; i++) {
    if (recording->numbers[i] != r->inputs[i]->number) {
      return false;
    }
  }
  for (i = 0; i < program->output_count; i++) {
    if (recording->numbers[program->input_count + i] != r->outputs[i]->number) {
      return false;
    }
  }
  return true;
}

/* With the mutex: the recording of a run over these tensors; a new one takes the place of that which
   was not used for the longest time, once it is not under way any more. */
static webnn_status webnn_vulkan__get_recording(webnn_vulkan__recorder *r,
                                                webnn_vulkan__recording_kind kind,
                                                webnn_vulkan__recording **recording,
                                                webnn_error *error) {
  webnn_vulkan__plan *plan = r->plan;
  webnn_vulkan__recording *oldest = &plan->recordings[0];
  webnn_status status;
  uint32_t i;
  for (i = 0; i < WEBNN_VULKAN__RECORDINGS; i++) {
    webnn_vulkan__recording *kept = &plan->recordings[i];
    if (webnn_vulkan__is_for(r, kind, kept)) {
      *recording = kept;
      return WEBNN_OK;
    }
    if (oldest->numbers != NULL && (kept->numbers == NULL || kept->last_use < oldest->last_use)) {
      oldest = kept;
    }
  }
  if (oldest->numbers != NULL) {
    status = webnn_vulkan__wait_for(plan->gpu, oldest->last_use, "dispatch", error);
    if (status != WEBNN_OK) {
      return status;
    }
    webnn_vulkan__release_recording(plan->gpu, oldest);
  }
  *recording = oldest;
  return webnn_vulkan__record(r, kind, oldest, error);
}

/* ---- Runs ----------------------------------------------------------------------------------- */

/* With the mutex: inputs over memory of the caller are copied from there. */
static webnn_status webnn_vulkan__bring_inputs(const webnn_vulkan__recorder *r,
                                               webnn_error *error) {
  webnn_vulkan__gpu *gpu = r->plan->gpu;
  webnn_status status = WEBNN_OK;
  uint32_t i;
  for (i = 0; i < r->plan->program->input_count && status == WEBNN_OK; i++) {
    webnn_vulkan__storage *input = r->inputs[i];
    if (input->memory == NULL || input->stale) {
      continue; /* if it is stale, the device has what is newer */
    }
    if (input->range.data != NULL && input->last_use <= gpu->completed) {
      memcpy(input->range.data, input->memory, (size_t)input->byte_length);
    } else {
      status = webnn_vulkan__upload(gpu, &input->range, input->memory, input->byte_length,
                                    "dispatch", error);
      input->last_use = gpu->submitted;
    }
  }
  return status;
}

/* With the mutex: command buffer `index` of a recording goes to the queue. */
static webnn_status webnn_vulkan__submit_part(webnn_vulkan__plan *plan,
                                              webnn_vulkan__recording *recording, uint32_t index,
                                              webnn_error *error) {
  webnn_vulkan__gpu *gpu = plan->gpu;
  webnn_vulkan__submission *submission;
  webnn_status status = webnn_vulkan__new_submission(gpu, "dispatch", &submission, error);
  if (status == WEBNN_OK) {
    status = webnn_vulkan__submit(gpu, submission, &recording->buffers[index], 1, NULL, "dispatch",
                                  error);
  }
  if (status == WEBNN_OK) {
    recording->last_use = plan->last_use = gpu->submitted;
  }
  return status;
}

/* After all was submitted: the tensors are in use until then. */
static void webnn_vulkan__mark_used(const webnn_vulkan__recorder *r) {
  webnn_vulkan__gpu *gpu = r->plan->gpu;
  uint32_t i;
  for (i = 0; i < r->plan->program->input_count; i++) {
    r->inputs[i]->last_use = gpu->submitted;
  }
  for (i = 0; i < r->plan->program->output_count; i++) {
    webnn_vulkan__storage *output = r->outputs[i];
    output->last_use = gpu->submitted;
    if (output->memory != NULL && !output->stale) {
      output->stale = true;
      output->next_stale = gpu->stale;
      gpu->stale = output;
    }
  }
}

/* Shows the outputs of a node, which has completed, to the caller. */
static webnn_status webnn_vulkan__show(const webnn_vulkan__recorder *r, uint32_t index,
                                       webnn_error *error) {
  const webnn_vulkan__plan *plan = r->plan;
  const webnn__node *node = &plan->program->nodes[index];
  uint32_t i;
  for (i = 0; i < node->output_count; i++) {
    const uint32_t number = node->outputs[i];
    const webnn__value *value = &plan->program->values[number];
    const webnn_vulkan__range range = webnn_vulkan__where(r, number);
    webnn_tapped_value tapped;
    char name[16];
    webnn__text text;
    void *data;
    webnn_status status = WEBNN_OK;
    text.data = name;
    text.capacity = sizeof name - 1;
    text.length = 0;
    webnn__put_string(&text, "%");
    webnn__put_u64(&text, number);
    name[text.length] = 0;
    tapped.name = value->name != NULL ? value->name : name;
    tapped.op_name = webnn_op_name(node->op);
    tapped.label = node->label;
    tapped.operator_index = index;
    tapped.output_index = i;
    tapped.descriptor.data_type = value->data_type;
    tapped.descriptor.shape = webnn__list_of(&value->shape);
    tapped.byte_length = (size_t)webnn__value_bytes(value);
    data = webnn__allocate_aligned(plan->gpu->allocator, tapped.byte_length);
    if (data == NULL) {
      return webnn__out_of_memory(error, "dispatch");
    }
    status = webnn_vulkan__download(plan->gpu, &range, data, tapped.byte_length, "dispatch", error);
    tapped.data = data;
    if (status == WEBNN_OK) {
      webnn__mutex_unlock(&plan->gpu->mutex);
      plan->tap(plan->tap_user, &tapped);
      webnn__mutex_lock(&plan->gpu->mutex);
    }
    webnn__release_aligned(plan->gpu->allocator, data);
    if (status != WEBNN_OK) {
      return status;
    }
  }
  return WEBNN_OK;
}

/* With the mutex: runs node by node, and shows or measures each. */
static webnn_status webnn_vulkan__run_each(webnn_vulkan__recorder *r,
                                           webnn_vulkan__recording *recording, webnn_error *error) {
  webnn_vulkan__plan *plan = r->plan;
  webnn_vulkan__gpu *gpu = plan->gpu;
  webnn_status status = WEBNN_OK;
  uint32_t part = 0, i;
  for (i = 0; i < plan->program->node_count && status == WEBNN_OK; i++) {
    const uint64_t start = webnn__clock();
    if (plan->first_steps[i + 1] > plan->first_steps[i]) {
      status = webnn_vulkan__submit_part(plan, recording, part++, error);
      if (status == WEBNN_OK) {
        status = webnn_vulkan__wait_for(gpu, gpu->submitted, "dispatch", error);
      }
    }
    if (status == WEBNN_OK && plan->tap != NULL) {
      status = webnn_vulkan__show(r, i, error);
    } else if (status == WEBNN_OK) {
      const uint64_t end = webnn__clock();
      plan->measured[i].calls++;
      plan->measured[i].nanoseconds += end > start ? end - start : 0;
    }
  }
  return status == WEBNN_OK ? webnn_vulkan__submit_part(plan, recording, part, error) : status;
}

/* With the mutex, after a timed run: waits for it and adds up what its time stamps say. */
static webnn_status webnn_vulkan__add_times(webnn_vulkan__plan *plan, webnn_error *error) {
  webnn_vulkan__gpu *gpu = plan->gpu;
  const uint32_t count = plan->program->node_count;
  const uint64_t mask =
      gpu->timestamp_bits < 64 ? ((uint64_t)1 << gpu->timestamp_bits) - 1 : UINT64_MAX;
  uint64_t last;
  uint32_t i;
  webnn_status status = webnn_vulkan__wait_for(gpu, gpu->submitted, "dispatch", error);
  for (i = 0; i <= count && status == WEBNN_OK; i++) {
    if (i == 0 || plan->first_steps[i] > plan->first_steps[i - 1]) {
      const VkResult result = gpu->f->GetQueryPoolResults(
          gpu->handle, plan->queries, i, 1, sizeof *plan->stamps, &plan->stamps[i],
          sizeof *plan->stamps, VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
      if (result != VK_SUCCESS) {
        status = webnn_vulkan__lose(gpu, "dispatch", "vkGetQueryPoolResults", result, error);
      }
    } else {
      plan->stamps[i] = plan->stamps[i - 1];
    }
  }
  last = plan->stamps[0];
  for (i = 0; i < count && status == WEBNN_OK; i++) {
    const uint64_t ticks = (plan->stamps[i + 1] - last) & mask;
    plan->measured[i].calls++;
    plan->measured[i].nanoseconds += (uint64_t)((double)ticks * (double)gpu->timestamp_period);
    last = plan->stamps[i + 1];
  }
  return status;
}

/* With the mutex. */
static webnn_status webnn_vulkan__run_recorded(webnn_vulkan__recorder *r, webnn_error *error) {
  webnn_vulkan__plan *plan = r->plan;
  const bool timed = plan->profiled && plan->tap == NULL;
  const webnn_vulkan__recording_kind kind =
      plan->tap != NULL || (timed && plan->queries == VK_NULL_HANDLE) ? WEBNN_VULKAN__EACH_NODE
      : timed                                                         ? WEBNN_VULKAN__TIMED
                                                                      : WEBNN_VULKAN__WHOLE;
  webnn_vulkan__recording *recording = NULL;
  webnn_status status = webnn_vulkan__get_recording(r, kind, &recording, error);
  uint32_t i;
  if (status == WEBNN_OK) {
    status = webnn_vulkan__bring_inputs(r, error);
  }
  if (status == WEBNN_OK && kind == WEBNN_VULKAN__EACH_NODE) {
    status = webnn_vulkan__run_each(r, recording, error);
  } else {
    for (i = 0; i < (status == WEBNN_OK ? recording->buffer_count : 0); i++) {
      status = webnn_vulkan__submit_part(plan, recording, i, error);
      if (status != WEBNN_OK) {
        break;
      }
    }
  }
  webnn_vulkan__mark_used(r);
  if (status == WEBNN_OK && kind == WEBNN_VULKAN__TIMED) {
    status = webnn_vulkan__add_times(plan, error);
  }
  return status;
}

static webnn_status webnn_vulkan__run(void *device, void *pointer, void *const *inputs,
                                      void *const *outputs, webnn_error *error) {
  webnn_vulkan__gpu *gpu = (webnn_vulkan__gpu *)device;
  webnn_vulkan__plan *plan = (webnn_vulkan__plan *)pointer;
  webnn_vulkan__recorder recorder;
  webnn_status status;
  recorder.plan = plan->tap != NULL && plan->untouched != NULL ? plan->untouched : plan;
  recorder.inputs = (webnn_vulkan__storage *const *)(const void *)inputs;
  recorder.outputs = (webnn_vulkan__storage *const *)(const void *)outputs;
  recorder.written_count = recorder.read_count = 0;
  webnn__mutex_lock(&gpu->mutex);
  webnn_vulkan__look(gpu);
  status = webnn_vulkan__check_lost(gpu, error);
  if (status == WEBNN_OK) {
    status = webnn_vulkan__run_recorded(&recorder, error);
  }
  webnn__mutex_unlock(&gpu->mutex);
  return status;
}

/* ---- Looking inside ------------------------------------------------------------------------- */

/* A tap sees every operator of the graph, so while there is one the graph runs as it was
   written. */
static webnn_status webnn_vulkan__tap(void *device, void *pointer, webnn_tap tap, void *user,
                                      webnn_error *error) {
  webnn_vulkan__gpu *gpu = (webnn_vulkan__gpu *)device;
  webnn_vulkan__plan *plan = (webnn_vulkan__plan *)pointer;
  if (tap != NULL && plan->rewriting.rewritten != NULL && plan->untouched == NULL) {
    const webnn_status status = webnn_vulkan__make_plan(
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
static webnn_status webnn_vulkan__start_profile(webnn_vulkan__plan *plan, webnn_error *error) {
  webnn_vulkan__gpu *gpu = plan->gpu;
  const uint32_t count = plan->program->node_count;
  webnn_vulkan__measured *measured = (webnn_vulkan__measured *)webnn__arena_take(
      &plan->memory, (uint64_t)count * sizeof *measured);
  webnn_status status = WEBNN_OK;
  uint32_t i;
  plan->stamps =
      (uint64_t *)webnn__arena_take(&plan->memory, ((uint64_t)count + 1) * sizeof *plan->stamps);
  if (measured == NULL || plan->stamps == NULL) {
    return webnn__out_of_memory(error, "profile");
  }
  for (i = 0; i < count; i++) {
    char name[256];
    webnn__text text;
    text.data = name;
    text.capacity = sizeof name - 1;
    text.length = 0;
    webnn__name_step(&plan->program->nodes[i], &text);
    name[text.length < text.capacity ? text.length : text.capacity] = 0;
    measured[i].op_name = webnn__arena_string(&plan->memory, name);
    if (measured[i].op_name == NULL) {
      return webnn__out_of_memory(error, "profile");
    }
  }
  webnn__mutex_lock(&gpu->mutex);
  status = webnn_vulkan__check_lost(gpu, error);
  if (status == WEBNN_OK && gpu->timestamp_bits > 0 && plan->queries == VK_NULL_HANDLE) {
    VkQueryPoolCreateInfo info;
    VkResult result;
    memset(&info, 0, sizeof info);
    info.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO;
    info.queryType = VK_QUERY_TYPE_TIMESTAMP;
    info.queryCount = count + 1;
    result = gpu->f->CreateQueryPool(gpu->handle, &info, NULL, &plan->queries);
    if (result != VK_SUCCESS) {
      plan->queries = VK_NULL_HANDLE;
      status = webnn_vulkan__device_fails(gpu, "profile", "vkCreateQueryPool", result, error);
    }
  }
  webnn__mutex_unlock(&gpu->mutex);
  if (status == WEBNN_OK) {
    plan->measured = measured;
  }
  return status;
}

static webnn_status webnn_vulkan__profile(void *device, void *pointer, bool on,
                                          webnn_error *error) {
  webnn_vulkan__plan *plan = (webnn_vulkan__plan *)pointer;
  uint32_t i;
  (void)device;
  if (on && plan->measured == NULL) {
    const webnn_status status = webnn_vulkan__start_profile(plan, error);
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

static size_t webnn_vulkan__profiled(void *device, const void *pointer, webnn_profiled_step *steps,
                                     size_t capacity) {
  const webnn_vulkan__plan *plan = (const webnn_vulkan__plan *)pointer;
  size_t count = 0;
  uint32_t i;
  (void)device;
  for (i = 0; i < plan->program->node_count; i++) {
    const webnn__node *node = &plan->program->nodes[i];
    const webnn__value *value = &plan->program->values[node->outputs[0]];
    if (webnn__is_view(&plan->placing, i)) {
      continue;
    }
    if (count < capacity) {
      steps[count].op_name = plan->measured[i].op_name;
      steps[count].label = node->label;
      steps[count].result.data_type = value->data_type;
      steps[count].result.shape = webnn__list_of(&value->shape);
      steps[count].calls = plan->measured[i].calls;
      steps[count].nanoseconds = plan->measured[i].nanoseconds;
      steps[count].reference_kernel = false;
    }
    count++;
  }
  return count;
}

/* The constants of the program, without the caller's, and what lies on the device for it. */
static webnn_memory webnn_vulkan__memory(void *device, const void *pointer) {
  const webnn_vulkan__plan *plan = (const webnn_vulkan__plan *)pointer;
  const webnn__value *values = plan->program->values;
  webnn_memory memory;
  uint32_t i;
  (void)device;
  memset(&memory, 0, sizeof memory);
  memory.arena = plan->placing.size;
  memory.intermediates = plan->placing.unshared_size;
  memory.prepared = plan->parameters.size;
  for (i = 0; i < plan->program->value_count; i++) {
    if (values[i].constant != NULL) {
      values[i].constant->met = false;
    }
  }
  for (i = 0; i < plan->program->value_count; i++) {
    webnn__block *constant = values[i].constant;
    if (constant != NULL && !constant->met) {
      constant->met = true;
      memory.constants += constant->borrowed ? 0 : constant->byte_length;
      memory.prepared += plan->constants[i].size;
    }
  }
  return memory;
}

/* ==============================================================================================
   10  the table that webnn.h calls, and the functions of the interface            >>vulkan_table
   ============================================================================================== */

/* Everything that was made, in the order in which it is not needed any more. Nothing is under way. */
static void webnn_vulkan__release_objects(webnn_vulkan__gpu *gpu) {
  const webnn_vulkan__functions *f = gpu->f;
  uint32_t i;
  while (gpu->first != NULL) {
    webnn_vulkan__submission *next = gpu->first->next;
    webnn_vulkan__return_submission(gpu, gpu->first);
    gpu->first = next;
  }
  while (gpu->spare != NULL) {
    webnn_vulkan__submission *next = gpu->spare->next;
    if (gpu->spare->fence != VK_NULL_HANDLE) {
      f->DestroyFence(gpu->handle, gpu->spare->fence, NULL);
    }
    webnn__release(gpu->allocator, gpu->spare); /* its command buffer goes with the pool */
    gpu->spare = next;
  }
  for (i = 0; i < WEBNN_VULKAN__BUCKETS; i++) {
    while (gpu->pipelines[i] != NULL) {
      webnn_vulkan__pipeline *next = gpu->pipelines[i]->next;
      f->DestroyPipeline(gpu->handle, gpu->pipelines[i]->handle, NULL);
      webnn__release(gpu->allocator, gpu->pipelines[i]);
      gpu->pipelines[i] = next;
    }
  }
  for (i = 0; i <= WEBNN_VULKAN__OPERANDS; i++) {
    if (gpu->layouts[i] != VK_NULL_HANDLE) {
      f->DestroyPipelineLayout(gpu->handle, gpu->layouts[i], NULL);
    }
    if (gpu->set_layouts[i] != VK_NULL_HANDLE) {
      f->DestroyDescriptorSetLayout(gpu->handle, gpu->set_layouts[i], NULL);
    }
  }
  if (gpu->cache != VK_NULL_HANDLE) {
    f->DestroyPipelineCache(gpu->handle, gpu->cache, NULL);
  }
  if (gpu->timeline != VK_NULL_HANDLE) {
    f->DestroySemaphore(gpu->handle, gpu->timeline, NULL);
  }
  if (gpu->pool != VK_NULL_HANDLE) {
    f->DestroyCommandPool(gpu->handle, gpu->pool, NULL);
  }
  while (gpu->blocks != NULL) {
    webnn_vulkan__block *next = gpu->blocks->next;
    webnn_vulkan__release_block(gpu, gpu->blocks);
    gpu->blocks = next;
  }
}

static void webnn_vulkan__close(void *device) {
  webnn_vulkan__gpu *gpu = (webnn_vulkan__gpu *)device;
  webnn__mutex_lock(&gpu->mutex);
  (void)webnn_vulkan__flush_waits(gpu, "wait", NULL);
  (void)webnn_vulkan__wait_for(gpu, gpu->submitted, "wait", NULL);
  gpu->completed = UINT64_MAX; /* of a lost device, too, nothing is needed any more */
  webnn_vulkan__release_used(gpu);
  webnn__mutex_unlock(&gpu->mutex);
  webnn_vulkan__release_objects(gpu);
  if (gpu->owned && gpu->f->DestroyDevice != NULL) {
    gpu->f->DestroyDevice(gpu->handle, NULL);
  }
  webnn_vulkan__close_instance(&gpu->instance);
  webnn__mutex_destroy(&gpu->mutex);
  webnn__release(gpu->allocator, gpu);
}

WEBNN_API const webnn_backend *webnn_vulkan_backend(void) {
  static const webnn_backend backend = {
      WEBNN__BACKEND_VERSION,
      "vulkan",
      true,
      false,
      webnn_vulkan__open,
      webnn_vulkan__close,
      webnn_vulkan__limits,
      webnn_vulkan__create_storage,
      webnn_vulkan__release_storage,
      webnn_vulkan__write_tensor,
      webnn_vulkan__read_tensor,
      webnn_vulkan__wait,
      webnn_vulkan__compile,
      webnn_vulkan__release_plan,
      webnn_vulkan__run,
      webnn_vulkan__tap,
      webnn_vulkan__profile,
      webnn_vulkan__profiled,
      webnn_vulkan__memory,
      NULL, /* undecided: there are no reference numerics */
      NULL, /* lacks_kernel: none does */
  };
  return &backend;
}

/* ---- The interface -------------------------------------------------------------------------- */

/* The device of a context; NULL, and an error, if it is not one of Vulkan. */
static webnn_vulkan__gpu *webnn_vulkan__gpu_of(webnn_context *context, const char *method,
                                               webnn_error *error) {
  if (webnn__is_missing(context)) {
    (void)webnn__fail_missing(error, method, "context", context);
    return NULL;
  }
  if (context->backend != webnn_vulkan_backend()) {
    (void)webnn__fail(error, WEBNN_TYPE_ERROR, "%s: the context is not one of Vulkan", method);
    return NULL;
  }
  return (webnn_vulkan__gpu *)context->device;
}

WEBNN_API webnn_status webnn_vulkan_context_device(webnn_context *context,
                                                   webnn_vulkan_device *device,
                                                   webnn_error *error) {
  const webnn_vulkan__gpu *gpu = webnn_vulkan__gpu_of(context, "device", error);
  if (gpu == NULL) {
    return WEBNN_TYPE_ERROR;
  }
  if (device == NULL) {
    return webnn__fail(error, WEBNN_TYPE_ERROR, "device: there is no place for it");
  }
  *device = gpu->info;
  return WEBNN_OK;
}

WEBNN_API webnn_status webnn_vulkan_handles(webnn_context *context, VkInstance *instance,
                                            VkPhysicalDevice *physical_device, VkDevice *device,
                                            VkQueue *queue, uint32_t *queue_family,
                                            webnn_error *error) {
  const webnn_vulkan__gpu *gpu = webnn_vulkan__gpu_of(context, "handles", error);
  if (gpu == NULL) {
    return WEBNN_TYPE_ERROR;
  }
  if (instance != NULL) {
    *instance = gpu->instance.handle;
  }
  if (physical_device != NULL) {
    *physical_device = gpu->physical;
  }
  if (device != NULL) {
    *device = gpu->handle;
  }
  if (queue != NULL) {
    *queue = gpu->queue;
  }
  if (queue_family != NULL) {
    *queue_family = gpu->queue_family;
  }
  return WEBNN_OK;
}

/* Is a part of a buffer one that a tensor can be over? */
static webnn_status webnn_vulkan__check_buffer(webnn_vulkan__gpu *gpu, VkBuffer buffer,
                                               uint64_t offset, uint64_t size, webnn_error *error) {
  VkMemoryRequirements needs;
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
  memset(&needs, 0, sizeof needs);
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
  webnn_vulkan__gpu *gpu;
  webnn_vulkan__storage *storage;
  webnn_status status = webnn__check_tensor_place(context, "createTensor", tensor, error);
  gpu = status == WEBNN_OK ? webnn_vulkan__gpu_of(context, "createTensor", error) : NULL;
  if (gpu == NULL) {
    return WEBNN_TYPE_ERROR;
  }
  status = webnn_vulkan__check_buffer(gpu, buffer, offset, size, error);
  if (status != WEBNN_OK) {
    return status;
  }
  storage = (webnn_vulkan__storage *)webnn__allocate_zeroed(gpu->allocator, sizeof *storage);
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
  const webnn_vulkan__storage *storage;
  webnn_context *context;
  webnn_status status = WEBNN_OK;
  if (webnn__is_missing(tensor)) {
    return webnn__fail_missing(error, "buffer", "tensor", tensor);
  }
  if (buffer == NULL || offset == NULL || size == NULL) {
    return webnn__fail(error, WEBNN_TYPE_ERROR, "buffer: there is no place for it");
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
    storage = (const webnn_vulkan__storage *)tensor->storage;
    *buffer = storage->range.buffer;
    *offset = storage->range.offset;
    *size = webnn__round_up(storage->byte_length, 16);
  }
  webnn__unlock(context);
  return status;
}

/* The device of a context with timeline semaphores, and its mutex held; NULL, and an error, without
   the mutex. */
static webnn_vulkan__gpu *webnn_vulkan__lock_timeline(webnn_context *context, const char *method,
                                                      webnn_status *status, webnn_error *error) {
  webnn_vulkan__gpu *gpu = webnn_vulkan__gpu_of(context, method, error);
  *status = WEBNN_TYPE_ERROR;
  if (gpu == NULL) {
    return NULL;
  }
  if (!gpu->has_timeline) {
    *status = webnn__fail(error, WEBNN_NOT_SUPPORTED_ERROR, "%s: %q has no timeline semaphores",
                          method, gpu->info.name);
    return NULL;
  }
  if (webnn__context_is_lost(context)) {
    *status = webnn__fail(error, WEBNN_INVALID_STATE_ERROR, "%s: the context is lost", method);
    return NULL;
  }
  webnn__mutex_lock(&gpu->mutex);
  *status = WEBNN_OK;
  return gpu;
}

WEBNN_API webnn_status webnn_vulkan_wait_semaphore(webnn_context *context, VkSemaphore semaphore,
                                                   uint64_t value, webnn_error *error) {
  webnn_status status;
  webnn_vulkan__gpu *gpu = webnn_vulkan__lock_timeline(context, "waitSemaphore", &status, error);
  if (gpu == NULL) {
    return status;
  }
  if (semaphore == VK_NULL_HANDLE) {
    status = webnn__fail(error, WEBNN_TYPE_ERROR, "waitSemaphore: it is VK_NULL_HANDLE");
  } else if (gpu->wait_count == WEBNN_VULKAN__WAITS) {
    status = webnn_vulkan__flush_waits(gpu, "waitSemaphore", error);
  }
  if (status == WEBNN_OK) {
    gpu->waits[gpu->wait_count].semaphore = semaphore;
    gpu->waits[gpu->wait_count++].value = value;
  }
  webnn__mutex_unlock(&gpu->mutex);
  return status;
}

WEBNN_API webnn_status webnn_vulkan_signal_semaphore(webnn_context *context, VkSemaphore semaphore,
                                                     uint64_t value, webnn_error *error) {
  webnn_status status;
  webnn_vulkan__semaphore signal;
  webnn_vulkan__submission *submission = NULL;
  webnn_vulkan__gpu *gpu = webnn_vulkan__lock_timeline(context, "signalSemaphore", &status, error);
  if (gpu == NULL) {
    return status;
  }
  signal.semaphore = semaphore;
  signal.value = value;
  webnn_vulkan__look(gpu);
  if (semaphore == VK_NULL_HANDLE) {
    status = webnn__fail(error, WEBNN_TYPE_ERROR, "signalSemaphore: it is VK_NULL_HANDLE");
  } else {
    status = webnn_vulkan__check_lost(gpu, error);
  }
  if (status == WEBNN_OK) {
    status = webnn_vulkan__new_submission(gpu, "signalSemaphore", &submission, error);
  }
  if (status == WEBNN_OK) {
    status = webnn_vulkan__submit(gpu, submission, NULL, 0, &signal, "signalSemaphore", error);
  }
  webnn__mutex_unlock(&gpu->mutex);
  return status;
}

WEBNN_API webnn_status webnn_vulkan_timeline(webnn_context *context, VkSemaphore *semaphore,
                                             uint64_t *value, webnn_error *error) {
  webnn_status status;
  webnn_vulkan__gpu *gpu = webnn_vulkan__lock_timeline(context, "timeline", &status, error);
  if (gpu == NULL) {
    return status;
  }
  if (semaphore == NULL || value == NULL) {
    status = webnn__fail(error, WEBNN_TYPE_ERROR, "timeline: there is no place for it");
  } else {
    *semaphore = gpu->timeline;
    *value = gpu->submitted;
  }
  webnn__mutex_unlock(&gpu->mutex);
  return status;
}

WEBNN_API webnn_status webnn_vulkan_pipeline_cache(webnn_context *context, void *data, size_t *size,
                                                   webnn_error *error) {
  webnn_vulkan__gpu *gpu = webnn_vulkan__gpu_of(context, "pipelineCache", error);
  webnn_status status = WEBNN_OK;
  size_t needed = 0;
  VkResult result;
  if (gpu == NULL) {
    return WEBNN_TYPE_ERROR;
  }
  if (size == NULL) {
    return webnn__fail(error, WEBNN_TYPE_ERROR, "pipelineCache: there is no place for the size");
  }
  webnn__mutex_lock(&gpu->mutex);
  result = gpu->f->GetPipelineCacheData(gpu->handle, gpu->cache, &needed, NULL);
  if (result == VK_SUCCESS && data != NULL && needed > *size) {
    status = webnn__fail(error, WEBNN_TYPE_ERROR, "pipelineCache: it has %l bytes, not %l",
                         (uint64_t)needed, (uint64_t)*size);
  } else if (result == VK_SUCCESS && data != NULL) {
    result = gpu->f->GetPipelineCacheData(gpu->handle, gpu->cache, &needed, data);
  }
  if (result != VK_SUCCESS) {
    status =
        webnn_vulkan__device_fails(gpu, "pipelineCache", "vkGetPipelineCacheData", result, error);
  }
  if (status == WEBNN_OK) {
    *size = needed;
  }
  webnn__mutex_unlock(&gpu->mutex);
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
