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
  WEBNN_VULKAN_TIMELINE_SEMAPHORE = 1, /* the feature timelineSemaphore, of Vulkan 1.2 or of
                                          VK_KHR_timeline_semaphore */
  WEBNN_VULKAN_FLOAT16 = 2,            /* shaderFloat16 */
  WEBNN_VULKAN_INT64 = 4,              /* shaderInt64 */
  WEBNN_VULKAN_DOT_PRODUCT = 8,        /* shaderIntegerDotProduct */
  WEBNN_VULKAN_FLOAT_CONTROLS = 16     /* Vulkan 1.2, or VK_KHR_shader_float_controls */
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

#include "webnn_vulkan_compiler.inc"
#include "webnn_vulkan_shared.inc"
#include "webnn_vulkan_library.inc"
#include "webnn_vulkan_frame.inc"
#include "webnn_vulkan_kernels.inc"
#include "webnn_vulkan_products.inc"
#include "webnn_vulkan_runtime.inc"

#endif /* WEBNN_VULKAN_IMPLEMENTATION */
