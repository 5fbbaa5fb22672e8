/* The runtime of webnn_vulkan.h on each driver of WEBNN_VULKAN_DRIVERS (a list of icd files with
   absolute paths, separated by colons; lavapipe if it is not set), else on what the loader finds:
   devices are listed and chosen, contexts come and go, bindings change with work under way, graphs
   of additions give what the CPU gives, a caller's buffers and semaphores go round; whatever function
   of Vulkan fails, whatever is lost, whichever allocation fails, there is an error, nothing is left,
   and the validation layer is silent.

     runtime [CONTEXTS]    so many contexts, 1000 by default */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#define WEBNN_IMPLEMENTATION
#include "counting_allocator.h"
#include "failing_allocator.h"
#include "layer.h"
#define WEBNN_VULKAN_IMPLEMENTATION
#include "webnn_vulkan.h"
#include <math.h>

#if defined(__SANITIZE_ADDRESS__)
/* Drivers leak a little with every instance. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
  return "leak:libvulkan_lvp\nleak:libvk_swiftshader\nleak:libLLVM\n";
}
#endif

/* ---- Vulkan with faults ---------------------------------------------------------------------- */

typedef enum clock_kind {
  CLOCK_OF_DRIVER,
  CLOCK_EVEN,    /* `ticks` of a nanosecond between time stamps */
  CLOCK_WRAPS,   /* likewise, and has only 36 bits, which have begun again with the second stamp */
  CLOCK_NONE,    /* no bits */
  CLOCK_NO_UNIT, /* a tick takes 0 nanoseconds */
  CLOCK_FAILS    /* it cannot be read */
} clock_kind;

/* What the functions below do beside their work. */
typedef struct faults {
  uint32_t calls, fail_at; /* of functions that can fail; counted from 1, 0: none fails */
  bool persistent;         /* all behind it fail, too */
  VkResult result;
  const char *failed;  /* the first that did */
  const char *missing; /* a function that the loader does not know */
  uint32_t barriers, submissions, dispatches, later_rows; /* calls; of dispatches not from row 0 */
  uint32_t groups;       /* the most workgroups of a dispatch, if it is not 0 */
  uint32_t buffers;      /* likewise, storage buffers of a kernel */
  uint64_t largest;      /* likewise, bytes of a buffer */
  uint64_t budget, used; /* likewise, bytes of memory for this program, and what it has of them */
  bool matrices;         /* it has cooperative matrices */
  bool no_bytes;         /* it lacks int8 in shaders */
  bool busy;             /* it is asked what has completed, and says: nothing */
  bool no_barriers;      /* they are left out */
  bool no_timeline;      /* the device has no timeline semaphores */
  bool separate;         /* and its memory is not the host's */
  clock_kind clock;      /* what the device's clock is like */
  uint64_t ticks;        /* likewise, between two time stamps */
  uint32_t sleep;        /* milliseconds that a submission takes longer */
  uint32_t stamps;       /* calls that write time stamps */
  uint32_t waits_ahead;  /* waits for a submission that is not the last */
  int pipelines;         /* that are made and not destroyed */
  bool slow_makers;      /* making one takes at least 50 ms */
  uint32_t makers;       /* threads that make one now */
  uint32_t most_makers;
  int live; /* objects that are created and not destroyed */
} faults;

static faults state;
static webnn_vk__functions real;

static pthread_mutex_t state_mutex = PTHREAD_MUTEX_INITIALIZER; /* pipelines are made by threads */

static bool fails(const char *name) {
  bool failed;
  pthread_mutex_lock(&state_mutex);
  state.calls++;
  failed = state.fail_at > 0 && state.calls >= state.fail_at &&
           (state.calls == state.fail_at || state.persistent);
  if (failed && state.failed == NULL) {
    state.failed = name;
  }
  pthread_mutex_unlock(&state_mutex);
  return failed;
}

static void count_live(int change) {
  pthread_mutex_lock(&state_mutex);
  state.live += change;
  pthread_mutex_unlock(&state_mutex);
}

/* A function that makes nothing, or something that need not be destroyed. */
#define CALL(name, parameters, arguments)                                                          \
  static VKAPI_ATTR VkResult VKAPI_CALL fake_##name parameters {                                   \
    return fails("vk" #name) ? state.result : real.name arguments;                                 \
  }
#define CREATE(name, parameters, arguments)                                                        \
  static VKAPI_ATTR VkResult VKAPI_CALL fake_##name parameters {                                   \
    const VkResult result = fails("vk" #name) ? state.result : real.name arguments;                \
    count_live(result == VK_SUCCESS ? 1 : 0);                                                      \
    return result;                                                                                 \
  }
#define DESTROY(name, type)                                                                        \
  static VKAPI_ATTR void VKAPI_CALL fake_##name(VkDevice device, type object,                      \
                                                const VkAllocationCallbacks *callbacks) {          \
    count_live(object != VK_NULL_HANDLE ? -1 : 0);                                                 \
    real.name(device, object, callbacks);                                                          \
  }
#define MAKE(name, info, type)                                                                     \
  CREATE(                                                                                          \
      name,                                                                                        \
      (VkDevice device, const info *about, const VkAllocationCallbacks *callbacks, type *object),  \
      (device, about, callbacks, object))

CALL(EnumerateInstanceVersion, (uint32_t * version), (version))
CALL(EnumerateInstanceExtensionProperties,
     (const char *layer, uint32_t *count, VkExtensionProperties *list), (layer, count, list))
CALL(EnumeratePhysicalDevices, (VkInstance instance, uint32_t *count, VkPhysicalDevice *list),
     (instance, count, list))
CALL(MapMemory,
     (VkDevice device, VkDeviceMemory memory, VkDeviceSize offset, VkDeviceSize size,
      VkMemoryMapFlags flags, void **data),
     (device, memory, offset, size, flags, data))
CALL(InvalidateMappedMemoryRanges,
     (VkDevice device, uint32_t count, const VkMappedMemoryRange *ranges), (device, count, ranges))
CALL(BindBufferMemory,
     (VkDevice device, VkBuffer buffer, VkDeviceMemory memory, VkDeviceSize offset),
     (device, buffer, memory, offset))
CALL(AllocateCommandBuffers,
     (VkDevice device, const VkCommandBufferAllocateInfo *info, VkCommandBuffer *buffers),
     (device, info, buffers))
CALL(BeginCommandBuffer, (VkCommandBuffer buffer, const VkCommandBufferBeginInfo *info),
     (buffer, info))
CALL(EndCommandBuffer, (VkCommandBuffer buffer), (buffer))
CALL(AllocateDescriptorSets,
     (VkDevice device, const VkDescriptorSetAllocateInfo *info, VkDescriptorSet *sets),
     (device, info, sets))
CALL(GetPipelineCacheData, (VkDevice device, VkPipelineCache cache, size_t *size, void *data),
     (device, cache, size, data))
CALL(WaitForFences,
     (VkDevice device, uint32_t count, const VkFence *list, VkBool32 all, uint64_t timeout),
     (device, count, list, all, timeout))
CALL(ResetFences, (VkDevice device, uint32_t count, const VkFence *list), (device, count, list))
CREATE(CreateInstance,
       (const VkInstanceCreateInfo *info, const VkAllocationCallbacks *callbacks,
        VkInstance *instance),
       (info, callbacks, instance))
MAKE(CreateBuffer, VkBufferCreateInfo, VkBuffer)
MAKE(CreateCommandPool, VkCommandPoolCreateInfo, VkCommandPool)
MAKE(CreateDescriptorSetLayout, VkDescriptorSetLayoutCreateInfo, VkDescriptorSetLayout)
MAKE(CreateDescriptorPool, VkDescriptorPoolCreateInfo, VkDescriptorPool)
MAKE(CreatePipelineLayout, VkPipelineLayoutCreateInfo, VkPipelineLayout)
MAKE(CreateShaderModule, VkShaderModuleCreateInfo, VkShaderModule)
MAKE(CreatePipelineCache, VkPipelineCacheCreateInfo, VkPipelineCache)
MAKE(CreateFence, VkFenceCreateInfo, VkFence)
MAKE(CreateSemaphore, VkSemaphoreCreateInfo, VkSemaphore)
MAKE(CreateQueryPool, VkQueryPoolCreateInfo, VkQueryPool)
DESTROY(FreeMemory, VkDeviceMemory)
DESTROY(DestroyBuffer, VkBuffer)
DESTROY(DestroyCommandPool, VkCommandPool)
DESTROY(DestroyDescriptorSetLayout, VkDescriptorSetLayout)
DESTROY(DestroyDescriptorPool, VkDescriptorPool)
DESTROY(DestroyPipelineLayout, VkPipelineLayout)
DESTROY(DestroyShaderModule, VkShaderModule)
DESTROY(DestroyPipelineCache, VkPipelineCache)
DESTROY(DestroyFence, VkFence)
DESTROY(DestroySemaphore, VkSemaphore)
DESTROY(DestroyQueryPool, VkQueryPool)

static VKAPI_ATTR VkResult VKAPI_CALL
fake_CreateComputePipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
                            const VkComputePipelineCreateInfo *infos,
                            const VkAllocationCallbacks *callbacks, VkPipeline *pipelines) {
  const struct timespec pause = {0, 50000000};
  VkResult result = fails("vkCreateComputePipelines") ? state.result : VK_SUCCESS;
  pthread_mutex_lock(&state_mutex);
  state.makers += 1;
  state.most_makers = state.makers > state.most_makers ? state.makers : state.most_makers;
  pthread_mutex_unlock(&state_mutex);
  if (state.slow_makers) {
    (void)nanosleep(&pause, NULL);
  }
  if (result == VK_SUCCESS) {
    result = real.CreateComputePipelines(device, cache, count, infos, callbacks, pipelines);
  }
  pthread_mutex_lock(&state_mutex);
  state.makers -= 1;
  state.pipelines += result == VK_SUCCESS ? 1 : 0;
  state.live += result == VK_SUCCESS ? 1 : 0;
  pthread_mutex_unlock(&state_mutex);
  return result;
}

static VKAPI_ATTR void VKAPI_CALL fake_DestroyPipeline(VkDevice device, VkPipeline pipeline,
                                                       const VkAllocationCallbacks *callbacks) {
  count_live(pipeline != VK_NULL_HANDLE ? -1 : 0);
  state.pipelines -= pipeline != VK_NULL_HANDLE ? 1 : 0;
  real.DestroyPipeline(device, pipeline, callbacks);
}

/* Submissions are counted from the first of a context, as its timeline does. */
static VKAPI_ATTR VkResult VKAPI_CALL fake_WaitSemaphores(VkDevice device,
                                                          const VkSemaphoreWaitInfo *info,
                                                          uint64_t timeout) {
  if (info->pValues[0] < state.submissions) {
    state.waits_ahead++;
  }
  return fails("vkWaitSemaphores") ? state.result : real.WaitSemaphores(device, info, timeout);
}

static VKAPI_ATTR VkResult VKAPI_CALL fake_GetQueryPoolResults(VkDevice device, VkQueryPool pool,
                                                               uint32_t first, uint32_t count,
                                                               size_t size, void *data,
                                                               VkDeviceSize stride,
                                                               VkQueryResultFlags flags) {
  const uint64_t begin = state.clock == CLOCK_WRAPS ? (UINT64_C(1) << 36) - 1 : 1000;
  const VkResult result =
      fails("vkGetQueryPoolResults") ? state.result
      : state.clock == CLOCK_FAILS
          ? VK_ERROR_OUT_OF_HOST_MEMORY
          : real.GetQueryPoolResults(device, pool, first, count, size, data, stride, flags);
  uint32_t i;
  for (i = 0; i < count && (state.clock == CLOCK_EVEN || state.clock == CLOCK_WRAPS); i++) {
    uint64_t now = begin + state.ticks * (first + i);
    now = state.clock == CLOCK_WRAPS ? now % (UINT64_C(1) << 36) : now;
    memcpy((char *)data + i * stride, &now, sizeof now);
  }
  return result;
}

static VKAPI_ATTR void VKAPI_CALL fake_CmdWriteTimestamp(VkCommandBuffer buffer,
                                                         VkPipelineStageFlagBits stage,
                                                         VkQueryPool pool, uint32_t query) {
  state.stamps++;
  real.CmdWriteTimestamp(buffer, stage, pool, query);
}

static VKAPI_ATTR void VKAPI_CALL fake_GetPhysicalDeviceQueueFamilyProperties(
    VkPhysicalDevice device, uint32_t *count, VkQueueFamilyProperties *families) {
  uint32_t i;
  real.GetPhysicalDeviceQueueFamilyProperties(device, count, families);
  for (i = 0; i < *count && families != NULL; i++) {
    families[i].timestampValidBits = state.clock == CLOCK_NONE    ? 0
                                     : state.clock == CLOCK_WRAPS ? 36
                                                                  : families[i].timestampValidBits;
  }
}

static VKAPI_ATTR void VKAPI_CALL fake_DestroyInstance(VkInstance instance,
                                                       const VkAllocationCallbacks *callbacks) {
  state.live--;
  real.DestroyInstance(instance, callbacks);
}

static VKAPI_ATTR void VKAPI_CALL fake_DestroyDevice(VkDevice device,
                                                     const VkAllocationCallbacks *callbacks) {
  state.live--;
  real.DestroyDevice(device, callbacks);
}

/* Submissions that fail; else they are as they are. */
static VKAPI_ATTR VkResult VKAPI_CALL fake_QueueSubmit(VkQueue queue, uint32_t count,
                                                       const VkSubmitInfo *infos, VkFence fence) {
  const struct timespec pause = {0, (long)state.sleep * 1000000};
  state.submissions++;
  (void)nanosleep(&pause, NULL);
  return fails("vkQueueSubmit") ? state.result : real.QueueSubmit(queue, count, infos, fence);
}

static VKAPI_ATTR void VKAPI_CALL fake_CmdPipelineBarrier(
    VkCommandBuffer buffer, VkPipelineStageFlags before, VkPipelineStageFlags after,
    VkDependencyFlags flags, uint32_t memory_count, const VkMemoryBarrier *memory,
    uint32_t buffer_count, const VkBufferMemoryBarrier *buffers, uint32_t image_count,
    const VkImageMemoryBarrier *images) {
  state.barriers++;
  if (!state.no_barriers) {
    real.CmdPipelineBarrier(buffer, before, after, flags, memory_count, memory, buffer_count,
                            buffers, image_count, images);
  }
}

static VKAPI_ATTR void VKAPI_CALL fake_CmdDispatch(VkCommandBuffer buffer, uint32_t x, uint32_t y,
                                                   uint32_t z) {
  state.dispatches++;
  real.CmdDispatch(buffer, x, y, z);
}

static VKAPI_ATTR void VKAPI_CALL fake_CmdDispatchBase(VkCommandBuffer buffer, uint32_t first_x,
                                                       uint32_t first_y, uint32_t first_z,
                                                       uint32_t x, uint32_t y, uint32_t z) {
  state.dispatches++;
  state.later_rows += first_y > 0 ? 1 : 0;
  real.CmdDispatchBase(buffer, first_x, first_y, first_z, x, y, z);
}

static VKAPI_ATTR void VKAPI_CALL
fake_GetPhysicalDeviceFeatures2(VkPhysicalDevice device, VkPhysicalDeviceFeatures2 *features) {
  VkBaseOutStructure *next = (VkBaseOutStructure *)features->pNext;
  real.GetPhysicalDeviceFeatures2(device, features);
  for (; next != NULL; next = next->pNext) {
    if (state.matrices &&
        next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR) {
      ((VkPhysicalDeviceCooperativeMatrixFeaturesKHR *)(void *)next)->cooperativeMatrix = VK_TRUE;
    }
    if (state.no_bytes &&
        next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES) {
      ((VkPhysicalDeviceShaderFloat16Int8Features *)(void *)next)->shaderInt8 = VK_FALSE;
    }
    if (state.no_timeline &&
        next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES) {
      ((VkPhysicalDeviceTimelineSemaphoreFeatures *)(void *)next)->timelineSemaphore = VK_FALSE;
    }
  }
}

/* Two extensions that the device may not have are listed behind those that it has. */
static VKAPI_ATTR VkResult VKAPI_CALL fake_EnumerateDeviceExtensionProperties(
    VkPhysicalDevice device, const char *layer, uint32_t *count, VkExtensionProperties *list) {
  const uint32_t room = *count;
  VkResult result = state.result;
  if (!fails("vkEnumerateDeviceExtensionProperties")) {
    result = real.EnumerateDeviceExtensionProperties(device, layer, count, list);
    if (result == VK_SUCCESS && list != NULL && *count + 2 <= room) {
      memset(&list[*count], 0, 2 * sizeof *list);
      if (state.matrices) {
        memcpy(list[*count].extensionName, VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME,
               sizeof VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME);
      }
      if (state.budget > 0) {
        memcpy(list[*count + 1].extensionName, VK_EXT_MEMORY_BUDGET_EXTENSION_NAME,
               sizeof VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);
      }
    }
    *count += 2;
  }
  return result;
}

/* The device is made without these two. */
static VKAPI_ATTR VkResult VKAPI_CALL fake_CreateDevice(VkPhysicalDevice physical,
                                                        const VkDeviceCreateInfo *info,
                                                        const VkAllocationCallbacks *callbacks,
                                                        VkDevice *device) {
  const char *kept[32];
  VkDeviceCreateInfo less = *info;
  VkBaseOutStructure *last = (VkBaseOutStructure *)info->pNext;
  VkResult result = state.result;
  uint32_t i;
  less.ppEnabledExtensionNames = kept;
  less.enabledExtensionCount = 0;
  for (i = 0; i < info->enabledExtensionCount && i < 32; i++) {
    const char *name = info->ppEnabledExtensionNames[i];
    if (strcmp(name, VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME) != 0 &&
        strcmp(name, VK_EXT_MEMORY_BUDGET_EXTENSION_NAME) != 0) {
      kept[less.enabledExtensionCount++] = name;
    }
  }
  for (; state.matrices && last != NULL && last->pNext != NULL; last = last->pNext) {
    if (last->pNext->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR) {
      last->pNext = last->pNext->pNext;
    }
  }
  if (!fails("vkCreateDevice")) {
    result = real.CreateDevice(physical, &less, callbacks, device);
    state.live += result == VK_SUCCESS ? 1 : 0;
  }
  return result;
}

/* One cooperative matrix of a subgroup, one of a workgroup, and bytes, with sums that saturate and
   with sums that do not. */
static VKAPI_ATTR VkResult VKAPI_CALL fake_GetPhysicalDeviceCooperativeMatrixPropertiesKHR(
    VkPhysicalDevice device, uint32_t *count, VkCooperativeMatrixPropertiesKHR *list) {
  uint32_t i;
  (void)device;
  *count = 5;
  for (i = 0; i < 5; i++) {
    list[i].MSize = 16;
    list[i].NSize = 8;
    list[i].KSize = 16 + 16 * i;
    list[i].AType = list[i].BType =
        i % 2 == 1 || i == 0 ? VK_COMPONENT_TYPE_FLOAT16_KHR : VK_COMPONENT_TYPE_SINT8_KHR;
    list[i].CType = list[i].ResultType =
        i < 2 ? VK_COMPONENT_TYPE_FLOAT32_KHR : VK_COMPONENT_TYPE_SINT32_KHR;
    list[i].scope = VK_SCOPE_SUBGROUP_NV;
    list[i].saturatingAccumulation = i == 2;
  }
  list[1].scope = VK_SCOPE_WORKGROUP_NV;
  list[3].CType = list[3].ResultType = VK_COMPONENT_TYPE_FLOAT16_KHR;
  return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL fake_GetPhysicalDeviceMemoryProperties2(
    VkPhysicalDevice device, VkPhysicalDeviceMemoryProperties2 *memory) {
  VkPhysicalDeviceMemoryBudgetPropertiesEXT *budget =
      (VkPhysicalDeviceMemoryBudgetPropertiesEXT *)memory->pNext;
  uint32_t i;
  if (state.budget == 0) {
    real.GetPhysicalDeviceMemoryProperties2(device, memory);
  }
  for (i = 0; i < VK_MAX_MEMORY_HEAPS && state.budget > 0; i++) {
    budget->heapBudget[i] = state.budget;
    budget->heapUsage[i] = state.used;
  }
}

static VKAPI_ATTR VkResult VKAPI_CALL fake_GetFenceStatus(VkDevice device, VkFence fence) {
  if (fails("vkGetFenceStatus")) {
    return state.result;
  }
  return state.busy ? VK_NOT_READY : real.GetFenceStatus(device, fence);
}

static VKAPI_ATTR VkResult VKAPI_CALL fake_GetSemaphoreCounterValue(VkDevice device,
                                                                    VkSemaphore semaphore,
                                                                    uint64_t *value) {
  if (fails("vkGetSemaphoreCounterValue")) {
    return state.result;
  }
  *value = 0;
  return state.busy ? VK_SUCCESS : real.GetSemaphoreCounterValue(device, semaphore, value);
}

/* Memory of its own, the host's, and the host's that must be invalidated: all of the one type of the driver
   that does everything. */
static uint32_t one_type;

static VKAPI_ATTR void VKAPI_CALL fake_GetPhysicalDeviceMemoryProperties(
    VkPhysicalDevice device, VkPhysicalDeviceMemoryProperties *memory) {
  const VkMemoryPropertyFlags host =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  real.GetPhysicalDeviceMemoryProperties(device, memory);
  if (state.separate) {
    VkMemoryType *types = memory->memoryTypes;
    one_type = 0;
    while ((types[one_type].propertyFlags & host) != host) {
      one_type++;
    }
    types[0].heapIndex = types[1].heapIndex = types[2].heapIndex = types[one_type].heapIndex;
    types[0].propertyFlags = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
    types[1].propertyFlags = host;
    types[2].propertyFlags =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
    memory->memoryTypeCount = 3;
  }
}

static VKAPI_ATTR void VKAPI_CALL fake_GetBufferMemoryRequirements(VkDevice device, VkBuffer buffer,
                                                                   VkMemoryRequirements *needs) {
  real.GetBufferMemoryRequirements(device, buffer, needs);
  needs->memoryTypeBits = state.separate ? 7 : needs->memoryTypeBits;
}

static VKAPI_ATTR VkResult VKAPI_CALL fake_AllocateMemory(VkDevice device,
                                                          const VkMemoryAllocateInfo *info,
                                                          const VkAllocationCallbacks *callbacks,
                                                          VkDeviceMemory *memory) {
  VkMemoryAllocateInfo changed = *info;
  VkResult result = state.result;
  changed.memoryTypeIndex = state.separate ? one_type : info->memoryTypeIndex;
  if (!fails("vkAllocateMemory")) {
    result = real.AllocateMemory(device, &changed, callbacks, memory);
    state.live += result == VK_SUCCESS ? 1 : 0;
  }
  return result;
}

static VKAPI_ATTR void VKAPI_CALL fake_GetPhysicalDeviceProperties2(
    VkPhysicalDevice device, VkPhysicalDeviceProperties2 *properties) {
  VkBaseOutStructure *next = (VkBaseOutStructure *)properties->pNext;
  real.GetPhysicalDeviceProperties2(device, properties);
  if (state.separate) {
    properties->properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
  }
  if (state.clock == CLOCK_EVEN || state.clock == CLOCK_WRAPS) {
    properties->properties.limits.timestampPeriod = 1.0f;
  } else if (state.clock == CLOCK_NO_UNIT) {
    properties->properties.limits.timestampPeriod = 0.0f;
  }
  if (state.groups > 0) {
    properties->properties.limits.maxComputeWorkGroupCount[0] = state.groups;
  }
  if (state.buffers > 0) {
    properties->properties.limits.maxPerStageDescriptorStorageBuffers = state.buffers;
  }
  for (; next != NULL && state.largest > 0; next = next->pNext) {
    if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES) {
      ((VkPhysicalDeviceMaintenance3Properties *)(void *)next)->maxMemoryAllocationSize =
          state.largest;
    }
  }
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_device(VkDevice device, const char *name);

typedef struct row {
  const char *name;
  PFN_vkVoidFunction fake;
  void *real;
} row;

#define ROW(name) {"vk" #name, (PFN_vkVoidFunction)fake_##name, &real.name},
static const row rows[] = {
    ROW(EnumerateInstanceVersion) ROW(EnumerateInstanceExtensionProperties) ROW(
        EnumeratePhysicalDevices) ROW(EnumerateDeviceExtensionProperties) ROW(MapMemory)
        ROW(InvalidateMappedMemoryRanges) ROW(GetBufferMemoryRequirements) ROW(
            BindBufferMemory) ROW(AllocateCommandBuffers) ROW(BeginCommandBuffer)
            ROW(EndCommandBuffer) ROW(AllocateDescriptorSets) ROW(GetPipelineCacheData) ROW(
                GetFenceStatus) ROW(WaitForFences) ROW(ResetFences) ROW(WaitSemaphores)
                ROW(GetSemaphoreCounterValue) ROW(GetQueryPoolResults) ROW(CreateInstance) ROW(
                    CreateDevice) ROW(CreateComputePipelines) ROW(AllocateMemory) ROW(CreateBuffer)
                    ROW(CreateCommandPool) ROW(CreateDescriptorSetLayout) ROW(CreateDescriptorPool)
                        ROW(CreatePipelineLayout) ROW(CreateShaderModule) ROW(CreatePipelineCache)
                            ROW(CreateFence) ROW(CreateSemaphore) ROW(CreateQueryPool)
                                ROW(FreeMemory) ROW(DestroyBuffer) ROW(DestroyCommandPool) ROW(
                                    DestroyDescriptorSetLayout) ROW(DestroyDescriptorPool)
                                    ROW(DestroyPipelineLayout) ROW(DestroyShaderModule) ROW(
                                        DestroyPipeline) ROW(DestroyPipelineCache) ROW(DestroyFence)
                                        ROW(DestroySemaphore) ROW(DestroyQueryPool)
                                            ROW(DestroyInstance) ROW(DestroyDevice) ROW(QueueSubmit)
                                                ROW(CmdPipelineBarrier) ROW(CmdDispatch) ROW(
                                                    CmdDispatchBase) ROW(GetPhysicalDeviceFeatures2)
                                                    ROW(GetPhysicalDeviceMemoryProperties) ROW(
                                                        GetPhysicalDeviceMemoryProperties2)
                                                        ROW(GetPhysicalDeviceProperties2) ROW(
                                                            GetPhysicalDeviceQueueFamilyProperties)
                                                            ROW(CmdWriteTimestamp){
                                                                "vkGetDeviceProcAddr",
                                                                (PFN_vkVoidFunction)get_device,
                                                                &real.GetDeviceProcAddr},
};

/* The function of a name in place of the one that was found. */
static PFN_vkVoidFunction replace(const char *name, PFN_vkVoidFunction found) {
  size_t i;
  if (state.missing != NULL && strcmp(state.missing, name) == 0) {
    return NULL;
  }
  if (state.matrices && strcmp(name, "vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR") == 0) {
    return (PFN_vkVoidFunction)fake_GetPhysicalDeviceCooperativeMatrixPropertiesKHR;
  }
  for (i = 0; i < sizeof rows / sizeof *rows && found != NULL; i++) {
    if (strcmp(rows[i].name, name) == 0) {
      memcpy(rows[i].real, &found, sizeof found);
      return rows[i].fake;
    }
  }
  return found;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_device(VkDevice device, const char *name) {
  return replace(name, real.GetDeviceProcAddr(device, name));
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_instance(VkInstance instance,
                                                             const char *name) {
  return replace(name, real.GetInstanceProcAddr(instance, name));
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_nothing(VkInstance instance, const char *name) {
  (void)instance;
  (void)name;
  return NULL;
}

/* From here on no function fails. */
static void forget_faults(void) {
  memset(&state, 0, sizeof state);
}

/* ---- Contexts and graphs --------------------------------------------------------------------- */

static const char *driver = ""; /* the one under test, for messages */
static uint32_t messages;       /* of the validation layer */
static uint32_t hazards;        /* those of them that say what is not in order */

static void note_message(void *user, bool is_error, const char *text) {
  (void)user;
  hazards += strstr(text, "SYNC-HAZARD") != NULL ? 1 : 0;
  if (is_about_the_name(is_error, text) || is_about_the_profile(text)) {
    return;
  }
  if (messages++ < 5 && !state.no_barriers) {
    printf("validation%s: %s\n", is_error ? "" : " (warning)", text);
  }
}

static webnn_status try_context(const webnn_vulkan_options *own, webnn_context_options options,
                                webnn_context **context, webnn_error *error) {
  options.backend = webnn_vulkan_backend();
  options.backend_options = own;
  return webnn_create_context(&options, context, error);
}

static webnn_context *new_context(const webnn_vulkan_options *own) {
  const webnn_context_options options = WEBNN_ZERO;
  webnn_context *context = NULL;
  webnn_error error = WEBNN_ZERO;
  if (try_context(own, options, &context, &error) != WEBNN_OK) {
    printf("no context: %s\n", error.message);
    exit(1);
  }
  return context;
}

/* Outputs "s" = x + y, and "t" = x + y + x, of n elements. */
static webnn_graph *sum_graph(webnn_context *context, uint32_t n, webnn_error *error) {
  const webnn_operand_descriptor type = {WEBNN_FLOAT32, WEBNN_LIST(n)};
  webnn_builder *builder = NULL;
  webnn_graph *graph = NULL;
  webnn_operand *x, *y, *s, *t;
  (void)webnn_create_builder(context, &builder, error);
  x = webnn_input(builder, "x", type);
  y = webnn_input(builder, "y", type);
  s = webnn_add(builder, x, y, NULL);
  t = webnn_add(builder, s, x, NULL);
  (void)webnn_build(builder, WEBNN_NAMED_OPERANDS({"s", s}, {"t", t}), &graph, error);
  webnn_free_builder(builder);
  return graph;
}

/* A graph of additions over n elements, made by `seed`: one input, constants, further names. */
static webnn_graph *random_graph(webnn_context *context, uint64_t seed, uint32_t n,
                                 uint32_t *outputs, webnn_error *error) {
  const webnn_operand_descriptor type = {WEBNN_FLOAT32, WEBNN_LIST(n)};
  static const char *const names[8] = {"a", "b", "c", "d", "e", "f", "g", "h"};
  webnn_named_operand results[8];
  webnn_operand *values[48];
  webnn_builder *builder = NULL;
  webnn_graph *graph = NULL;
  uint32_t count = 0, i;
  float *numbers = (float *)test_allocate(n * sizeof *numbers);
  (void)webnn_create_builder(context, &builder, error);
  values[count++] = webnn_input(builder, "x", type);
  for (i = 0; i < n; i++) {
    numbers[i] = (float)(i % 7);
  }
  values[count++] = webnn_constant(builder, type, numbers, n * sizeof *numbers);
  values[count++] = webnn_constant(builder, type, numbers, n * sizeof *numbers);
  free(numbers);
  values[count] = webnn_add(builder, values[0], values[1], NULL);
  count++;
  while (count < 16 + seed % 32) {
    const uint32_t reach = count < 6 || test_random(&seed) % 4 == 0 ? count : 6;
    webnn_operand *a = values[count - 1 - test_random(&seed) % reach];
    webnn_operand *b = values[count - 1 - test_random(&seed) % reach];
    values[count++] = test_random(&seed) % 8 == 0   ? webnn_identity(builder, a, NULL)
                      : test_random(&seed) % 8 == 0 ? webnn_reshape(builder, a, WEBNN_LIST(n), NULL)
                                                    : webnn_add(builder, a, b, NULL);
  }
  *outputs = 1 + (uint32_t)(test_random(&seed) % 8);
  for (i = 0; i < *outputs; i++) {
    results[i].name = names[i];
    results[i].operand = i == 0 ? webnn_add(builder, values[0], values[count - 1], NULL)
                                : values[count - 1 - test_random(&seed) % (count - 3)];
    if (i == 1) {
      results[1].operand = results[0].operand;
    }
  }
  (void)webnn_build(builder, results, *outputs, &graph, error);
  webnn_free_builder(builder);
  return graph;
}

/* Runs it: the bits of all outputs, one after another. */
static void run_random(webnn_context *context, webnn_graph *graph, uint32_t n, uint32_t outputs,
                       float *results, webnn_error *error) {
  static const char *const names[8] = {"a", "b", "c", "d", "e", "f", "g", "h"};
  webnn_named_output bindings[8];
  float *x = (float *)test_allocate(n * sizeof *x);
  uint32_t i;
  for (i = 0; i < n; i++) {
    x[i] = (float)(i % 5);
  }
  for (i = 0; i < outputs; i++) {
    bindings[i].name = names[i];
    bindings[i].data = results + (size_t)i * n;
    bindings[i].byte_length = n * sizeof *x;
  }
  (void)webnn_compute(context, graph, WEBNN_INPUTS({"x", x, n * sizeof *x}), bindings, outputs,
                      error);
  free(x);
}

static webnn_tensor *new_tensor(webnn_context *context, uint32_t n, webnn_error *error) {
  const webnn_tensor_descriptor type = {WEBNN_FLOAT32, WEBNN_LIST(n), true, true};
  webnn_tensor *tensor = NULL;
  (void)webnn_create_tensor(context, type, &tensor, error);
  return tensor;
}

/* ---- Devices --------------------------------------------------------------------------------- */

/* What some checks need of a device, and not every device has. */
static struct {
  bool timeline, clock;
  uint32_t buffers; /* of a kernel, as far as webnn_vulkan.h takes them */
} its;

static void look_at_device(void) {
  webnn_context *context = new_context(NULL);
  const webnn_vk__gpu *gpu = (const webnn_vk__gpu *)context->device;
  its.timeline = gpu->has_timeline;
  its.clock = gpu->timestamp_bits > 0;
  its.buffers = gpu->traits.max_operands;
  webnn_free_context(context);
  if (!its.timeline) {
    test_skip("semaphores", "the device has no timeline semaphores");
  }
  if (!its.clock) {
    test_skip("time", "the device has no clock");
  }
}

static void check_devices(void) {
  webnn_vulkan_device devices[8], one;
  webnn_vulkan_options own = WEBNN_ZERO;
  webnn_context_options options = WEBNN_ZERO;
  webnn_context *context = NULL;
  webnn_limits limits = WEBNN_ZERO;
  webnn_error error = WEBNN_ZERO;
  size_t count = 0, i, size = 0, room;
  void *cache;
  CHECK("devices", webnn_vulkan_devices(NULL, devices, 8, &count, &error) == WEBNN_OK && count > 0,
        "%s", error.message);
  for (i = 0; i < count && i < 8; i++) {
    CHECK("devices",
          devices[i].name[0] != 0 && devices[i].memory > 0 &&
              devices[i].max_tensor_byte_length >= 1 << 27 && devices[i].usable,
          "%s: %lu bytes", devices[i].name, (unsigned long)devices[i].memory);
    printf("%s: device %u: %s (%s)\n", driver, (unsigned)i + 1, devices[i].name, devices[i].driver);
  }
  CHECK("devices", webnn_vulkan_devices(NULL, NULL, 0, NULL, &error) == WEBNN_TYPE_ERROR, "%s",
        error.message);
  own.device_name = devices[0].name;
  context = new_context(&own);
  CHECK("by name",
        webnn_vulkan_context_device(context, &one, &error) == WEBNN_OK &&
            strcmp(one.name, devices[0].name) == 0,
        "%s", one.name);
  CHECK("limits",
        webnn_context_limits(context, &limits) &&
            limits.max_tensor_byte_length == one.max_tensor_byte_length,
        "%lu", (unsigned long)limits.max_tensor_byte_length);
  CHECK("cache", webnn_vulkan_pipeline_cache(context, NULL, &size, &error) == WEBNN_OK, "%s",
        error.message);
  cache = test_allocate(size);
  room = size;
  CHECK("cache", webnn_vulkan_pipeline_cache(context, cache, &room, &error) == WEBNN_OK, "%s",
        error.message);
  room = size - 1;
  CHECK("cache", webnn_vulkan_pipeline_cache(context, cache, &room, &error) == WEBNN_TYPE_ERROR,
        "%s", error.message);
  webnn_free_context(context);
  memset(&own, 0, sizeof own);
  own.device_number = 1;
  own.pipeline_cache = cache;
  own.pipeline_cache_size = size;
  own.not_robust = true;
  webnn_free_context(new_context(&own));
  free(cache);
  memset(&own, 0, sizeof own);
  own.device_number = 100;
  CHECK("by number", try_context(&own, options, &context, &error) == WEBNN_TYPE_ERROR, "%s",
        error.message);
  own.device_number = 0;
  own.device_name = "no such GPU";
  CHECK("by name",
        try_context(&own, options, &context, &error) == WEBNN_NOT_SUPPORTED_ERROR &&
            strstr(error.message, "no such GPU") != NULL,
        "%s", error.message);
  own.device_name = NULL;
  own.queue = (VkQueue)(void *)&own;
  CHECK("half a device", try_context(&own, options, &context, &error) == WEBNN_TYPE_ERROR, "%s",
        error.message);
  own.queue = NULL;
  own.get_instance_proc_addr = get_nothing;
  CHECK("no loader", try_context(&own, options, &context, &error) == WEBNN_NOT_SUPPORTED_ERROR,
        "%s", error.message);
  CHECK("no loader",
        webnn_vulkan_devices(&own, NULL, 0, &count, &error) == WEBNN_NOT_SUPPORTED_ERROR &&
            count == 0,
        "%s", error.message);
  own.get_instance_proc_addr = NULL;
  options.numerics = WEBNN_NUMERICS_REFERENCE;
  CHECK("reference", try_context(&own, options, &context, &error) == WEBNN_NOT_SUPPORTED_ERROR,
        "%s", error.message);
  context = test_context(NULL);
  CHECK("the CPU", webnn_vulkan_context_device(context, &one, &error) == WEBNN_TYPE_ERROR, "%s",
        error.message);
  webnn_free_context(context);
}

/* Each function of the interface without what it needs, and with what is not its own. */
static void check_wrong_calls(void) {
#define REFUSED(call, expected, words)                                                             \
  do {                                                                                             \
    memset(&error, 0, sizeof error);                                                               \
    CHECK("wrong calls", (call) == (expected) && strstr(error.message, words) != NULL,             \
          #call ": %s", error.message);                                                            \
  } while (0)
  webnn_context *context = new_context(NULL), *cpu = test_context(NULL);
  webnn_context *const strangers[] = {NULL, cpu};
  const char *const words[] = {"NULL", "not one of Vulkan"};
  const char *const none = "has no timeline semaphores";
  const webnn_status timeline_error = its.timeline ? WEBNN_TYPE_ERROR : WEBNN_NOT_SUPPORTED_ERROR;
  webnn_tensor_descriptor type = WEBNN_ZERO;
  webnn_tensor *tensor = NULL, *other = NULL, *bad = NULL;
  webnn_error error = WEBNN_ZERO;
  VkBuffer buffer = VK_NULL_HANDLE;
  VkSemaphore semaphore = VK_NULL_HANDLE;
  uint64_t offset, bytes;
  size_t size = 0, i;
  type.data_type = WEBNN_FLOAT32;
  type.shape = WEBNN_LIST(4);
  for (i = 0; i < 2; i++) {
    webnn_context *const c = strangers[i];
    REFUSED(webnn_vulkan_context_device(c, NULL, &error), WEBNN_TYPE_ERROR, words[i]);
    REFUSED(webnn_vulkan_handles(c, NULL, NULL, NULL, NULL, NULL, &error), WEBNN_TYPE_ERROR,
            words[i]);
    REFUSED(webnn_vulkan_create_tensor(c, type, buffer, 0, 16, &bad, &error), WEBNN_TYPE_ERROR,
            words[i]);
    REFUSED(webnn_vulkan_wait_semaphore(c, semaphore, 1, &error), WEBNN_TYPE_ERROR, words[i]);
    REFUSED(webnn_vulkan_signal_semaphore(c, semaphore, 1, &error), WEBNN_TYPE_ERROR, words[i]);
    REFUSED(webnn_vulkan_timeline(c, &semaphore, &bytes, &error), WEBNN_TYPE_ERROR, words[i]);
    REFUSED(webnn_vulkan_pipeline_cache(c, NULL, &size, &error), WEBNN_TYPE_ERROR, words[i]);
    REFUSED(webnn_vulkan_tune(c, &error), WEBNN_TYPE_ERROR, words[i]);
  }
  REFUSED(webnn_vulkan_context_device(context, NULL, &error), WEBNN_TYPE_ERROR, "no place");
  REFUSED(webnn_vulkan_pipeline_cache(context, NULL, NULL, &error), WEBNN_TYPE_ERROR, "no place");
  REFUSED(webnn_vulkan_timeline(context, NULL, &bytes, &error), timeline_error,
          its.timeline ? "no place" : none);
  REFUSED(webnn_vulkan_timeline(context, &semaphore, NULL, &error), timeline_error,
          its.timeline ? "no place" : none);
  REFUSED(webnn_vulkan_wait_semaphore(context, VK_NULL_HANDLE, 1, &error), timeline_error,
          its.timeline ? "VK_NULL_HANDLE" : none);
  REFUSED(webnn_vulkan_signal_semaphore(context, VK_NULL_HANDLE, 1, &error), timeline_error,
          its.timeline ? "VK_NULL_HANDLE" : none);
  REFUSED(webnn_vulkan_create_tensor(context, type, buffer, 0, 16, &bad, &error), WEBNN_TYPE_ERROR,
          "VK_NULL_HANDLE");
  REFUSED(webnn_vulkan_create_tensor(context, type, buffer, 0, 16, NULL, &error), WEBNN_TYPE_ERROR,
          "createTensor");
  CHECK("wrong calls",
        webnn_vulkan_handles(context, NULL, NULL, NULL, NULL, NULL, &error) == WEBNN_OK, "%s",
        error.message);
  (void)webnn_create_tensor(context, type, &tensor, &error);
  (void)webnn_create_tensor(cpu, type, &other, &error);
  REFUSED(webnn_vulkan_tensor_buffer(NULL, &buffer, &offset, &bytes, &error), WEBNN_TYPE_ERROR,
          "NULL");
  REFUSED(webnn_vulkan_tensor_buffer(tensor, NULL, &offset, &bytes, &error), WEBNN_TYPE_ERROR,
          "no place");
  REFUSED(webnn_vulkan_tensor_buffer(tensor, &buffer, NULL, &bytes, &error), WEBNN_TYPE_ERROR,
          "no place");
  REFUSED(webnn_vulkan_tensor_buffer(tensor, &buffer, &offset, NULL, &error), WEBNN_TYPE_ERROR,
          "no place");
  REFUSED(webnn_vulkan_tensor_buffer(other, &buffer, &offset, &bytes, &error), WEBNN_TYPE_ERROR,
          "not one of Vulkan");
  CHECK("wrong calls",
        webnn_vulkan_tensor_buffer(tensor, &buffer, &offset, &bytes, &error) == WEBNN_OK, "%s",
        error.message);
  REFUSED(webnn_vulkan_create_tensor(context, type, buffer, 1, 16, &bad, &error), WEBNN_TYPE_ERROR,
          "multiple");
  REFUSED(webnn_vulkan_create_tensor(context, type, buffer, 0, 0, &bad, &error), WEBNN_TYPE_ERROR,
          "multiple");
  REFUSED(webnn_vulkan_create_tensor(context, type, buffer, 0, (uint64_t)1 << 60, &bad, &error),
          WEBNN_TYPE_ERROR, "more than");
  webnn_destroy_tensor(tensor);
  REFUSED(webnn_vulkan_tensor_buffer(tensor, &buffer, &offset, &bytes, &error),
          WEBNN_INVALID_STATE_ERROR, "destroyed");
  webnn_destroy_context(context);
  REFUSED(webnn_vulkan_wait_semaphore(context, VK_NULL_HANDLE, 1, &error),
          its.timeline ? WEBNN_INVALID_STATE_ERROR : WEBNN_NOT_SUPPORTED_ERROR,
          its.timeline ? "lost" : none);
  webnn_free_tensor(tensor);
  webnn_free_tensor(other);
  webnn_free_context(context);
  webnn_free_context(cpu);
#undef REFUSED
}

static void check_many_contexts(uint32_t count) {
  uint32_t i;
  for (i = 0; i < count; i++) {
    webnn_free_context(new_context(NULL));
  }
  CHECK("many contexts", i == count, "%u", (unsigned)i);
}

/* Larger than the limit, and than one piece of memory. */
static void check_limits(bool separate) {
  webnn_vulkan_options own = WEBNN_ZERO;
  webnn_context *context;
  webnn_error error = WEBNN_ZERO;
  webnn_tensor *a, *b;
  forget_faults();
  state.separate = separate;
  own.get_instance_proc_addr = get_instance;
  own.memory_limit = 1 << 20;
  context = new_context(&own);
  a = new_tensor(context, 200000, &error);
  CHECK("memory limit", a != NULL, "%s", error.message);
  b = new_tensor(context, 200000, &error);
  CHECK("memory limit",
        b == NULL && error.status == WEBNN_UNKNOWN_ERROR &&
            strstr(error.message, "1048576 bytes are in use") != NULL,
        "%s", error.message);
  memset(&error, 0, sizeof error);
  /* What was freed is there again, for more as for less: as soon as no work needs it. */
  state.busy = true;
  webnn_free_tensor(a);
  a = new_tensor(context, 200000, &error);
  CHECK("memory limit", a != NULL && error.status == WEBNN_OK, "%s", error.message);
  webnn_free_tensor(a);
  a = new_tensor(context, 220000, &error);
  CHECK("memory limit", a != NULL && error.status == WEBNN_OK, "%s", error.message);
  webnn_free_tensor(a);
  webnn_free_context(context);
  CHECK("memory limit", state.live == 0, "%d objects are left", state.live);
  forget_faults();
}

/* Beyond what the system gives the program nothing is allocated, and smaller blocks are where there is
   room for no large one. */
static void check_budget(void) {
  webnn_vulkan_options own = WEBNN_ZERO;
  webnn_context *context;
  webnn_error error = WEBNN_ZERO;
  webnn_tensor *a, *b, *c;
  forget_faults();
  own.get_instance_proc_addr = get_instance;
  state.budget = 64 << 20;
  context = new_context(&own);
  a = new_tensor(context, 2 << 20, &error);
  CHECK("budget", a != NULL, "%s", error.message);
  state.used = state.budget - (4 << 20);
  b = new_tensor(context, 2 << 20, &error);
  CHECK("budget",
        b == NULL && error.status == WEBNN_UNKNOWN_ERROR &&
            strstr(error.message, "4194304 are left of the program's budget") != NULL,
        "%s", error.message);
  state.used = state.budget - (1 << 20);
  b = new_tensor(context, 1 << 17, &error);
  CHECK("budget", b != NULL, "%s", error.message);
  state.used = state.budget + 1;
  c = new_tensor(context, 1 << 19, &error);
  CHECK("budget", c == NULL && error.status == WEBNN_UNKNOWN_ERROR, "%s", error.message);
  webnn_free_tensor(a);
  webnn_free_tensor(b);
  webnn_free_context(context);
  CHECK("budget", state.live == 0, "%d objects are left", state.live);
  forget_faults();
}

/* Which subgroups get matrices, by vendor, driver and sizes. */
static void check_matrix_subgroups(const webnn_vk__gpu *gpu) {
  static const struct {
    uint32_t vendor, size, least, most;
    VkDriverId driver;
    uint32_t expected;
  } cases[] = {{0x10de, 32, 32, 32, VK_DRIVER_ID_NVIDIA_PROPRIETARY, 32},
               {0x10de, 32, 0, 0, VK_DRIVER_ID_NVIDIA_PROPRIETARY, 0},
               {0x8086, 32, 8, 32, VK_DRIVER_ID_INTEL_OPEN_SOURCE_MESA, 0},
               {0x8086, 32, 16, 32, VK_DRIVER_ID_INTEL_OPEN_SOURCE_MESA, 16},
               {0x1002, 64, 32, 64, VK_DRIVER_ID_MESA_RADV, 64},
               {0x1002, 64, 32, 64, VK_DRIVER_ID_AMD_PROPRIETARY, 0},
               {0x5143, 64, 64, 128, VK_DRIVER_ID_QUALCOMM_PROPRIETARY, 0},
               {0x13b5, 128, 16, 128, VK_DRIVER_ID_ARM_PROPRIETARY, 0}};
  size_t i;
  for (i = 0; i < sizeof cases / sizeof *cases * 2; i++) {
    webnn_vk__gpu other = *gpu;
    webnn_vk__properties p = WEBNN_ZERO;
    webnn_vk__traits t = WEBNN_ZERO;
    uint32_t found;
    other.info.vendor_id = cases[i / 2].vendor;
    p.driver.driverID = cases[i / 2].driver;
    t.subgroup_size = cases[i / 2].size;
    t.least_subgroup = cases[i / 2].least;
    t.most_subgroup = cases[i / 2].most;
    t.float16 = i % 2 == 1;
    found = webnn_vk__matrix_subgroup(&other, &p, &t);
    CHECK("matrices", found == (t.float16 ? cases[i / 2].expected : 0), "case %u: %u", (unsigned)i,
          (unsigned)found);
  }
}

/* Modes of arithmetic are asked for where the device has them; of both widths or of none where they go together. */
static void check_modes(void) {
  static const struct {
    bool has_32, has_16, float16;
    VkShaderFloatControlsIndependence independence;
    bool asks_32, asks_16;
  } cases[] = {{true, true, true, VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_NONE, true, true},
               {true, false, true, VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_NONE, false, false},
               {false, true, true, VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_NONE, false, false},
               {true, false, false, VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_NONE, true, false},
               {true, false, true, VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_32_BIT_ONLY, true, false},
               {false, true, true, VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_ALL, false, true},
               {true, true, false, VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_ALL, true, false}};
  size_t i;
  for (i = 0; i < sizeof cases / sizeof *cases; i++) {
    VkPhysicalDeviceFloatControlsProperties p = WEBNN_ZERO;
    webnn_vk__compile_options o = WEBNN_ZERO;
    p.shaderRoundingModeRTEFloat32 = p.shaderDenormPreserveFloat32 = cases[i].has_32;
    p.shaderRoundingModeRTEFloat16 = p.shaderDenormPreserveFloat16 = cases[i].has_16;
    p.roundingModeIndependence = p.denormBehaviorIndependence = cases[i].independence;
    webnn_vk__find_modes(&p, cases[i].float16, &o);
    CHECK("modes", o.rounding_rte_32 == cases[i].asks_32 && o.rounding_rte_16 == cases[i].asks_16,
          "rounding, case %u", (unsigned)i);
    CHECK("modes", o.subnormals_32 == cases[i].asks_32 && o.subnormals_16 == cases[i].asks_16,
          "subnormal numbers, case %u", (unsigned)i);
    CHECK("modes", !o.preserve_32 && !o.preserve_16, "what is not there, case %u", (unsigned)i);
  }
}

/* How many of the pretended matrices a device may use: of float16, where it has the model of memory and
   subgroups whose size can be required, and of bytes, where it has int8, too. */
static uint32_t usable_matrices(const webnn_vk__gpu *gpu) {
  const webnn_vk__properties unknown = WEBNN_ZERO;
  VkPhysicalDeviceFeatures2 all = WEBNN_ZERO;
  VkPhysicalDeviceVulkanMemoryModelFeatures model = WEBNN_ZERO;
  VkPhysicalDeviceShaderFloat16Int8Features small = WEBNN_ZERO;
  all.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  all.pNext = &model;
  model.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES;
  model.pNext = &small;
  small.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES;
  gpu->f->GetPhysicalDeviceFeatures2(gpu->physical, &all);
  if (!model.vulkanMemoryModel || !model.vulkanMemoryModelDeviceScope ||
      webnn_vk__matrix_subgroup(gpu, &unknown, &gpu->traits) == 0) {
    return 0;
  }
  return small.shaderInt8 ? 2 : 1;
}

/* What products may use of a device is found: cooperative matrices of subgroups alone, sizes of
   subgroups, which a kernel gets if it asks for one. */
static void check_parts(webnn_vulkan_options own, bool matrices, bool bytes) {
  static char text[] = "#version 450\n"
                       "layout(local_size_x = 64) in;\n"
                       "layout(std430, set = 0, binding = 0) buffer X { uint x[]; };\n"
                       "void main() { x[gl_GlobalInvocationID.x] = 1u; }\n";
  webnn_vk__planned_kernel kernel;
  webnn_vk__pipeline *pipelines[2] = {NULL, NULL};
  webnn_error error = WEBNN_ZERO;
  webnn_context *context;
  webnn_vk__gpu *gpu;
  const webnn_vk__traits *t;
  uint32_t i;
  if (matrices) {
    own.get_instance_proc_addr = get_instance;
    forget_faults();
    state.matrices = true;
    state.no_bytes = !bytes;
  }
  context = new_context(&own);
  gpu = (webnn_vk__gpu *)context->device;
  t = &gpu->traits;
  CHECK("matrices", t->matrix_shape_count == (matrices ? usable_matrices(gpu) : 0), "%u",
        (unsigned)t->matrix_shape_count);
  CHECK("matrices",
        t->matrix_shape_count < 2 || (t->matrix_shapes[1].bytes && t->matrix_shapes[1].k == 80),
        "%u", (unsigned)t->matrix_shapes[1].k);
  CHECK("matrices",
        t->matrix_shape_count == 0 || (t->matrix_shapes[0].m == 16 && t->matrix_shapes[0].n == 8 &&
                                       t->matrix_shapes[0].k == 16),
        "%u", (unsigned)t->matrix_shapes[0].k);
  check_matrix_subgroups(gpu);
  memset(&kernel, 0, sizeof kernel);
  kernel.text = text;
  kernel.operand_count = 1;
  CHECK("subgroups",
        webnn_vk__get_pipelines(gpu, &kernel, 1, NULL, &pipelines[0], &error) == WEBNN_OK, "%s",
        error.message);
  kernel.subgroup_size = t->most_subgroup;
  CHECK("subgroups",
        t->least_subgroup <= t->most_subgroup &&
            webnn_vk__get_pipelines(gpu, &kernel, 1, NULL, &pipelines[1], &error) == WEBNN_OK &&
            (pipelines[0] == pipelines[1]) == (t->most_subgroup == 0),
        "%u to %u: %s", (unsigned)t->least_subgroup, (unsigned)t->most_subgroup, error.message);
  for (i = 0; i < 2; i++) {
    webnn_vk__leave_pipeline(gpu, pipelines[i]);
  }
  webnn_free_context(context);
  forget_faults();
}

/* A device with few storage buffers runs the operators whose kernels need no more; others are errors
   that name them. */
static void check_few_buffers(void) {
  const webnn_operand_descriptor image = WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1, 4, 3, 3);
  const webnn_operand_descriptor channels = WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 4);
  webnn_vulkan_options own = WEBNN_ZERO;
  webnn_batch_normalization_options all = WEBNN_ZERO;
  uint32_t buffers;
  own.get_instance_proc_addr = get_instance;
  for (buffers = 1; buffers <= 8 && buffers <= its.buffers; buffers++) {
    webnn_context *context;
    webnn_builder *builder = NULL;
    webnn_graph *graph = NULL;
    webnn_error error = WEBNN_ZERO;
    webnn_operand *y;
    forget_faults();
    state.buffers = 4;
    context = new_context(&own);
    ((webnn_vk__gpu *)context->device)->traits.max_operands = buffers;
    (void)webnn_create_builder(context, &builder, &error);
    all.scale = webnn_input(builder, "scale", channels);
    all.bias = webnn_input(builder, "bias", channels);
    y = webnn_batch_normalization(builder, webnn_input(builder, "x", image),
                                  webnn_input(builder, "mean", channels),
                                  webnn_input(builder, "variance", channels), &all);
    (void)webnn_build(builder, WEBNN_NAMED_OPERANDS({"y", y}), &graph, &error);
    CHECK("few buffers",
          graph != NULL || (buffers < 7 && error.status == WEBNN_OPERATION_ERROR &&
                            strstr(error.message, "batchNormalization") != NULL),
          "%u: %s", (unsigned)buffers, error.message);
    CHECK("few buffers", buffers > 2 || graph == NULL, "%u are enough", (unsigned)buffers);
    webnn_free_graph(graph);
    webnn_free_builder(builder);
    webnn_free_context(context);
    CHECK("few buffers", state.live == 0, "%d objects are left", state.live);
  }
  forget_faults();
}

/* ---- Running --------------------------------------------------------------------------------- */

/* t[i + 1] = t[i] + c, over more sets of tensors than are kept recorded, three times, with c written
   and tensors read, made and freed in between. */
static void check_bindings(const webnn_vulkan_options *own, uint32_t n) {
  enum { LINKS = 24 };
  webnn_context *context = new_context(own);
  webnn_error error = WEBNN_ZERO;
  webnn_graph *graph = sum_graph(context, n, &error);
  webnn_tensor *t[LINKS + 1], *c = new_tensor(context, n, &error), *rest;
  float *data = (float *)test_allocate(n * sizeof *data), expected = 0;
  uint32_t round, i, wrong = 0;
  for (i = 0; i <= LINKS; i++) {
    t[i] = new_tensor(context, n, &error);
  }
  for (round = 0; round < 3; round++) {
    for (i = 0; i < LINKS; i++) {
      if (i % 6 == 0) {
        uint32_t j;
        for (j = 0; j < n; j++) {
          data[j] = (float)(i / 6 + round + 1);
        }
        (void)webnn_write_tensor(context, c, data, n * sizeof *data, &error);
      }
      rest = new_tensor(context, n, &error);
      (void)webnn_dispatch(context, graph, WEBNN_NAMED_TENSORS({"x", c}, {"y", t[i]}),
                           WEBNN_NAMED_TENSORS({"s", t[i + 1]}, {"t", rest}), &error);
      webnn_free_tensor(rest); /* which the work under way still needs */
    }
  }
  for (i = 0; i <= LINKS; i++) {
    uint32_t j;
    (void)webnn_read_tensor(context, t[i], data, n * sizeof *data, &error);
    for (j = 0; j < n; j++) {
      wrong += data[j] != expected ? 1 : 0;
    }
    expected += (float)(i / 6 + 3);
  }
  CHECK("bindings", error.status == WEBNN_OK && wrong == 0, "%s: %u elements are wrong %s", driver,
        (unsigned)wrong, error.message);
  for (i = 0; i <= LINKS; i++) {
    webnn_free_tensor(t[i]);
  }
  webnn_free_tensor(c);
  webnn_free_graph(graph);
  webnn_free_context(context);
  free(data);
}

/* The same outputs with other inputs; and a tensor made where one was that work under way still
   writes is zero. */
static void check_reuse(const webnn_vulkan_options *own) {
  enum { N = 200000 };
  webnn_context *context = new_context(own);
  webnn_error error = WEBNN_ZERO;
  webnn_graph *graph = sum_graph(context, N, &error);
  webnn_tensor *a = new_tensor(context, N, &error), *b = new_tensor(context, N, &error);
  webnn_tensor *s = new_tensor(context, N, &error), *t = new_tensor(context, N, &error), *fresh;
  float *data = (float *)test_allocate(N * sizeof *data);
  uint32_t i, wrong = 0;
  for (i = 0; i < N; i++) {
    data[i] = 1;
  }
  (void)webnn_write_tensor(context, a, data, N * sizeof *data, &error);
  for (i = 0; i < 20; i++) {
    (void)webnn_dispatch(context, graph, WEBNN_NAMED_TENSORS({"x", b}, {"y", a}),
                         WEBNN_NAMED_TENSORS({"s", s}, {"t", t}), &error);
  }
  (void)webnn_dispatch(context, graph, WEBNN_NAMED_TENSORS({"x", a}, {"y", b}),
                       WEBNN_NAMED_TENSORS({"s", s}, {"t", t}), &error);
  webnn_free_tensor(s);
  fresh = new_tensor(context, N, &error);
  (void)webnn_read_tensor(context, t, data, N * sizeof *data, &error);
  CHECK("reuse", error.status == WEBNN_OK && data[N - 1] == 2, "%s: %g %s", driver,
        (double)data[N - 1], error.message);
  (void)webnn_read_tensor(context, fresh, data, N * sizeof *data, &error);
  for (i = 0; i < N; i++) {
    wrong += data[i] != 0 ? 1 : 0;
  }
  CHECK("reuse", wrong == 0, "%s: %u elements of a new tensor are not 0", driver, (unsigned)wrong);
  webnn_free_tensor(a);
  webnn_free_tensor(b);
  webnn_free_tensor(t);
  webnn_free_tensor(fresh);
  webnn_free_graph(graph);
  webnn_free_context(context);
  free(data);
}

/* s = x + x, of n elements. */
static webnn_graph *double_graph(webnn_context *context, uint32_t n, webnn_error *error) {
  const webnn_operand_descriptor type = {WEBNN_FLOAT32, WEBNN_LIST(n)};
  webnn_builder *builder = NULL;
  webnn_graph *graph = NULL;
  webnn_operand *x;
  (void)webnn_create_builder(context, &builder, error);
  x = webnn_input(builder, "x", type);
  (void)webnn_build(builder, WEBNN_NAMED_OPERANDS({"s", webnn_add(builder, x, x, NULL)}), &graph,
                    error);
  webnn_free_builder(builder);
  return graph;
}

/* A tensor that work under way needs, its input or its output, is released when the work has completed,
   and then it is. Its size makes it a block of memory of its own, two objects. */
static void check_release(const webnn_vulkan_options *own, bool input, bool destroy) {
  enum { N = 9 << 20 };
  webnn_context *context = new_context(own);
  webnn_error error = WEBNN_ZERO;
  webnn_graph *graph = double_graph(context, N, &error);
  webnn_tensor *x = new_tensor(context, N, &error), *s = new_tensor(context, N, &error);
  webnn_tensor *released = input ? x : s, *kept = input ? s : x;
  float *data = (float *)test_allocate(N * sizeof *data);
  uint32_t i, wrong = 0;
  int live;
  for (i = 0; i < N; i++) {
    data[i] = 3;
  }
  (void)webnn_write_tensor(context, x, data, N * sizeof *data, &error);
  (void)webnn_wait(context, &error);
  state.busy = true;
  (void)webnn_dispatch(context, graph, WEBNN_NAMED_TENSORS({"x", x}), WEBNN_NAMED_TENSORS({"s", s}),
                       &error);
  live = state.live;
  if (destroy) {
    webnn_destroy_tensor(released);
  } else {
    webnn_free_tensor(released);
  }
  CHECK("release", state.live == live, "%s: %d objects are released under the work", driver,
        live - state.live);
  state.busy = false;
  (void)webnn_wait(context, &error);
  CHECK("release", state.live == live - 2, "%s: %d objects are released, not 2", driver,
        live - state.live);
  (void)webnn_read_tensor(context, kept, data, N * sizeof *data, &error);
  for (i = 0; i < N; i++) {
    wrong += data[i] != (input ? 6 : 3) ? 1 : 0;
  }
  CHECK("release", error.status == WEBNN_OK && wrong == 0, "%s: %u elements are wrong: %s", driver,
        (unsigned)wrong, error.message);
  if (destroy) {
    webnn_free_tensor(released);
  }
  webnn_free_tensor(kept);
  webnn_free_graph(graph);
  webnn_free_context(context);
  free(data);
}

/* Intermediates of five megabytes and scratch memory, where no buffer has more than one. */
static void check_pieces(webnn_vulkan_options own) {
  enum { N = 100000, VALUES = 12 };
  const webnn_operand_descriptor type = {WEBNN_FLOAT32, WEBNN_LIST(N)};
  static float x[N], y[2][N], d[2];
  uint32_t kind, i;
  for (i = 0; i < N; i++) {
    x[i] = (float)(i % 3);
  }
  own.submission_cost = 0;
  for (kind = 0; kind < 2; kind++) {
    webnn_context_options options = WEBNN_ZERO;
    webnn_context *context = NULL;
    webnn_builder *builder = NULL;
    webnn_graph *graph = NULL;
    webnn_error error = WEBNN_ZERO;
    webnn_operand *values[VALUES], *sum, *product;
    options.disabled_passes = WEBNN__REWRITING_PASSES; /* so that there are as many values */
    if (kind == 0) {
      context = test_context(NULL);
    } else {
      state.largest = 1 << 20;
      (void)try_context(&own, options, &context, &error);
    }
    (void)webnn_create_builder(context, &builder, &error);
    values[0] = webnn_input(builder, "x", type);
    for (i = 1; i < VALUES; i++) {
      values[i] = webnn_add(builder, values[i - 1], values[0], NULL);
    }
    sum = values[VALUES - 1];
    for (i = VALUES - 1; i > 0; i--) {
      sum = webnn_sub(builder, values[i - 1], sum, NULL);
    }
    product = webnn_matmul(builder, webnn_reshape(builder, values[1], WEBNN_LIST(1, N), NULL),
                           webnn_reshape(builder, values[2], WEBNN_LIST(N, 1), NULL), NULL);
    (void)webnn_build(builder, WEBNN_NAMED_OPERANDS({"y", sum}, {"d", product}), &graph, &error);
    CHECK("pieces", graph != NULL, "%s: %s", driver, error.message);
    if (graph != NULL) {
      (void)webnn_compute(
          context, graph, WEBNN_INPUTS({"x", x, sizeof x}),
          WEBNN_OUTPUTS({"y", y[kind], sizeof y[kind]}, {"d", &d[kind], sizeof d[kind]}), &error);
    }
    CHECK("pieces", error.status == WEBNN_OK, "%s: %s", driver, error.message);
    CHECK("pieces", kind == 0 || webnn_graph_memory(graph).arena > (uint64_t)state.largest * 3,
          "%lu bytes", (unsigned long)webnn_graph_memory(graph).arena);
    webnn_free_graph(graph);
    webnn_free_builder(builder);
    webnn_free_context(context);
    state.largest = 0;
  }
  CHECK("pieces", memcmp(y[0], y[1], sizeof y[0]) == 0 && d[0] == d[1], "%s: %g, not %g", driver,
        (double)d[1], (double)d[0]);
}

/* Tensors over memory of the caller: results of work under way are what later work reads, the memory
   has them after waiting and when the tensor is freed, and what the caller writes there is seen. */
static void check_memory(const webnn_vulkan_options *own) {
  const webnn_tensor_descriptor type = {WEBNN_FLOAT32, WEBNN_LIST(3), true, true};
  webnn_context *context = new_context(own);
  webnn_error error = WEBNN_ZERO;
  webnn_graph *graph = sum_graph(context, 3, &error);
  webnn_tensor *t[6];
  float memory[6][3], data[3] = {0};
  int round, i;
  for (i = 0; i < 6; i++) {
    memory[i][0] = memory[i][1] = memory[i][2] = i == 1 ? 10.0f : 0.0f;
    t[i] = NULL;
    (void)webnn_create_tensor_over_memory(context, type, memory[i], sizeof memory[i], &t[i],
                                          &error);
  }
  for (round = 1; round < 4; round++) {
    memory[0][2] = (float)round; /* s = x + 10, then s = x + 20 and t = 2 x + 30 */
    (void)webnn_dispatch(context, graph, WEBNN_NAMED_TENSORS({"x", t[0]}, {"y", t[1]}),
                         WEBNN_NAMED_TENSORS({"s", t[2]}, {"t", t[3]}), &error);
    (void)webnn_dispatch(context, graph, WEBNN_NAMED_TENSORS({"x", t[2]}, {"y", t[1]}),
                         WEBNN_NAMED_TENSORS({"s", t[4]}, {"t", t[5]}), &error);
    if (round == 2) {
      (void)webnn_read_tensor(context, t[5], data, sizeof data, &error);
    } else if (round == 1) {
      (void)webnn_wait(context, &error);
    } else {
      webnn_free_tensor(t[4]);
      webnn_free_tensor(t[5]);
    }
    CHECK("memory",
          error.status == WEBNN_OK && memory[4][2] == (float)round + 20 &&
              memory[5][2] == 2 * (float)round + 30 && (round != 2 || data[2] == 34),
          "%s, round %d: %g, %g %s", driver, round, (double)memory[4][2], (double)memory[5][2],
          error.message);
  }
  data[2] = 7;
  CHECK("memory",
        webnn_write_tensor(context, t[2], data, sizeof data, &error) == WEBNN_OK &&
            memory[2][2] == 7,
        "%g %s", (double)memory[2][2], error.message);
  for (i = 0; i < 4; i++) {
    webnn_free_tensor(t[i]);
  }
  webnn_free_graph(graph);
  webnn_free_context(context);
}

typedef struct seen {
  uint32_t count, wrong;
} seen;

static void count_values(void *user, const webnn_tapped_value *value) {
  ((seen *)user)->count += value->byte_length > 0 ? 1 : 0;
}

/* Random graphs give the CPU's bits, whatever is switched off and however work is cut. */
static void check_graphs(webnn_vulkan_options own, uint32_t graphs) {
  static float expected[8 * 300], got[8 * 300];
  webnn_context *cpu = test_context(NULL);
  uint64_t seed;
  for (seed = 1; seed <= graphs; seed++) {
    webnn_context_options options = WEBNN_ZERO;
    webnn_context *context = NULL;
    webnn_error error = WEBNN_ZERO;
    const uint32_t n = 1 + (uint32_t)(seed * 37 % 300);
    uint32_t outputs;
    webnn_graph *graph = random_graph(cpu, seed, n, &outputs, &error);
    run_random(cpu, graph, n, outputs, expected, &error);
    webnn_free_graph(graph);
    own.submission_cost = seed % 3 == 0 ? 1 : seed % 3 == 1 ? 0 : 700;
    options.disabled_passes = seed % 4 == 0 ? (uint32_t)(seed * UINT64_C(2654435761)) : 0;
    memset(got, 0x55, sizeof got);
    if (try_context(&own, options, &context, &error) == WEBNN_OK) {
      graph = random_graph(context, seed, n, &outputs, &error);
      if (graph != NULL) {
        run_random(context, graph, n, outputs, got, &error);
        memset(got, 0x55, sizeof got);
        run_random(context, graph, n, outputs, got, &error);
      }
      webnn_free_graph(graph);
      webnn_free_context(context);
    }
    CHECK("graphs",
          error.status == WEBNN_OK && memcmp(expected, got, outputs * n * sizeof *got) == 0,
          "%s: seed %u: %s", driver, (unsigned)seed, error.message);
  }
  webnn_free_context(cpu);
}

/* Bytes of the host for a graph that convolves an image of ones with a constant filter of ones. */
static size_t host_bytes(webnn_conv2d_filter_operand_layout layout) {
  enum { CHANNELS = 64, TERMS = CHANNELS * 9 };
  static float ones[CHANNELS * TERMS], y[CHANNELS * 4];
  const bool oihw = layout == WEBNN_CONV2D_OIHW;
  const webnn_operand_descriptor image = WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1, CHANNELS, 4, 4);
  const webnn_operand_descriptor filter = {WEBNN_FLOAT32,
                                           oihw ? WEBNN_LIST(CHANNELS, CHANNELS, 3, 3)
                                                : WEBNN_LIST(CHANNELS, 3, 3, CHANNELS)};
  webnn_context_options options = WEBNN_ZERO;
  webnn_conv2d_options conv = WEBNN_ZERO;
  webnn_builder *builder;
  webnn_context *context;
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO;
  size_t bytes, before, i;
  options.backend = webnn_vulkan_backend();
  options.threads = 1;
  options.allocator.allocate = counting_allocate;
  options.allocator.release = counting_release;
  context = test_context(&options);
  before = counted_bytes;
  for (i = 0; i < sizeof ones / sizeof *ones; i++) {
    ones[i] = 1;
  }
  conv.filter_layout = layout;
  builder = test_builder(context);
  (void)webnn_build(
      builder,
      WEBNN_NAMED_OPERANDS(
          {"y", webnn_conv2d(builder, webnn_input(builder, "x", image),
                             webnn_constant(builder, filter, ones, sizeof ones), &conv)}),
      &graph, &error);
  webnn_free_builder(builder);
  bytes = counted_bytes - before;
  (void)webnn_compute(context, graph, WEBNN_INPUTS({"x", ones, CHANNELS * 16 * sizeof *ones}),
                      WEBNN_OUTPUTS({"y", y, sizeof y}), &error);
  CHECK("host", error.status == WEBNN_OK && y[0] == TERMS && y[CHANNELS * 4 - 1] == TERMS,
        "%g ... %g %s", (double)y[0], (double)y[CHANNELS * 4 - 1], error.message);
  webnn_free_graph(graph);
  webnn_free_context(context);
  return bytes;
}

/* A filter that becomes ohwi lies on the device; the host has only the graph's own. */
static void check_host_memory(void) {
  const size_t turned = host_bytes(WEBNN_CONV2D_OIHW), plain = host_bytes(WEBNN_CONV2D_OHWI);
  CHECK("host", turned < plain + 65536, "%zu bytes, %zu if nothing is turned", turned, plain);
  CHECK("host", counted_bytes == 0, "%zu bytes are left", counted_bytes);
}

/* A dispatch that costs more than a submission may is cut into several, of a line of workgroups as of
   one that is folded, and gives the same; and so it does when it is measured or tapped. */
static void check_cuts(webnn_vulkan_options own, uint32_t groups) {
  enum { N = 30000 };
  const webnn_operand_descriptor type = {WEBNN_FLOAT32, WEBNN_LIST(N)};
  static float x[N], y[N];
  webnn_error error = WEBNN_ZERO;
  uint32_t kind, i, wrong, dispatches = 0;
  for (i = 0; i < N; i++) {
    x[i] = (float)i;
  }
  for (kind = 0; kind < 4; kind++) { /* whole, cut, cut and measured, cut and tapped */
    const webnn_context_options options = WEBNN_ZERO;
    webnn_context *context = NULL;
    webnn_builder *builder = NULL;
    webnn_graph *graph = NULL;
    webnn_operand *input;
    seen tapped = {0, 0};
    forget_faults();
    state.groups = groups;
    own.get_instance_proc_addr = get_instance;
    own.submission_cost = kind == 0 ? 0 : 2000;
    (void)try_context(&own, options, &context, &error);
    (void)webnn_create_builder(context, &builder, &error);
    input = webnn_input(builder, "x", type);
    (void)webnn_build(builder, WEBNN_NAMED_OPERANDS({"y", webnn_add(builder, input, input, NULL)}),
                      &graph, &error);
    (void)webnn_profile_graph(graph, kind == 2, &error);
    (void)webnn_tap_graph(graph, kind == 3 ? count_values : NULL, &tapped, &error);
    memset(y, 0, sizeof y);
    state.submissions = state.dispatches = state.later_rows = 0;
    (void)webnn_compute(context, graph, WEBNN_INPUTS({"x", x, sizeof x}),
                        WEBNN_OUTPUTS({"y", y, sizeof y}), &error);
    for (i = 0, wrong = 0; i < N; i++) {
      wrong += y[i] != 2 * (float)i ? 1 : 0;
    }
    CHECK("cuts", error.status == WEBNN_OK && wrong == 0 && tapped.count == (kind == 3 ? 1 : 0),
          "%u groups, kind %u: %u are wrong: %s", (unsigned)groups, (unsigned)kind, (unsigned)wrong,
          error.message);
    CHECK("cuts",
          kind == 0 ? state.dispatches == 1 && state.later_rows == 0
                    : state.dispatches >= 8 && state.later_rows == state.dispatches - 1 &&
                          state.submissions >= state.dispatches / 2,
          "%u groups, kind %u: %u dispatches, %u submissions", (unsigned)groups, (unsigned)kind,
          (unsigned)state.dispatches, (unsigned)state.submissions);
    CHECK("cuts", kind < 2 || state.dispatches == dispatches, "%u dispatches, not %u",
          (unsigned)state.dispatches, (unsigned)dispatches);
    dispatches = state.dispatches;
    webnn_free_graph(graph);
    webnn_free_builder(builder);
    webnn_free_context(context);
    CHECK("cuts", state.live == 0, "%d objects are left", state.live);
  }
  forget_faults();
}

/* The submissions of one run over tensors, whose results must be right. */
static uint32_t count_submissions(webnn_context *context, webnn_graph *graph, webnn_tensor *x,
                                  webnn_tensor *y, uint32_t n) {
  webnn_error error = WEBNN_ZERO;
  float *data = (float *)test_allocate((size_t)n * n * sizeof *data);
  uint32_t submissions, i, wrong = 0;
  state.submissions = 0;
  (void)webnn_dispatch(context, graph, WEBNN_NAMED_TENSORS({"x", x}), WEBNN_NAMED_TENSORS({"y", y}),
                       &error);
  submissions = state.submissions;
  (void)webnn_read_tensor(context, y, data, (size_t)n * n * sizeof *data, &error);
  for (i = 0; i < n * n; i++) {
    wrong += data[i] != (float)n ? 1 : 0;
  }
  CHECK("time", error.status == WEBNN_OK && wrong == 0, "%s: %u are wrong: %s", driver,
        (unsigned)wrong, error.message);
  free(data);
  return submissions;
}

/* A product of more than two hundred million multiplications goes to the queue in parts of 50 ms once
   a run has told how long they take: by the device's clock if it has one that can be right, else by
   the host's. The second run has `least` to `most` submissions if each of the first took `sleep`
   milliseconds. `most` is 0 where the time that the first run really took counts, which depends on
   what else the machine does: of that a submission then has at least 25 ms, since workgroups and
   their rows are whole. By the device's clock a second run in fewer submissions is timed again. */
static void check_time(clock_kind clock, uint64_t ticks, uint32_t sleep, uint32_t least,
                       uint32_t most) {
  enum { N = 600 };
  const webnn_operand_descriptor type = {WEBNN_FLOAT32, WEBNN_LIST(N, N)};
  const webnn_tensor_descriptor place = {WEBNN_FLOAT32, WEBNN_LIST(N, N), true, true};
  webnn_vulkan_options own = WEBNN_ZERO;
  webnn_context *context;
  webnn_builder *builder = NULL;
  webnn_graph *graph = NULL;
  webnn_tensor *x = NULL, *y = NULL;
  webnn_error error = WEBNN_ZERO;
  webnn_operand *input;
  float *data = (float *)test_allocate(N * N * sizeof *data);
  const bool has_clock = its.clock && clock != CLOCK_NONE && clock != CLOCK_NO_UNIT;
  uint32_t first, second, third, later, stamps, i;
  uint64_t start;
  bool again;
  for (i = 0; i < N * N; i++) {
    data[i] = 1;
  }
  forget_faults();
  state.clock = clock;
  state.ticks = ticks;
  own.get_instance_proc_addr = get_instance;
  context = new_context(&own);
  ((webnn_vk__gpu *)context->device)->assumed_speed = 1.0; /* whatever the device is */
  (void)webnn_create_builder(context, &builder, &error);
  input = webnn_input(builder, "x", type);
  (void)webnn_build(builder, WEBNN_NAMED_OPERANDS({"y", webnn_matmul(builder, input, input, NULL)}),
                    &graph, &error);
  (void)webnn_create_tensor(context, place, &x, &error);
  (void)webnn_create_tensor(context, place, &y, &error);
  (void)webnn_write_tensor(context, x, data, N * N * sizeof *data, &error);
  (void)webnn_wait(context, &error);
  state.sleep = sleep;
  start = webnn__clock();
  first = count_submissions(context, graph, x, y, N);
  most = most > 0 ? most : 4 + (uint32_t)((webnn__clock() - start) / 25000000);
  state.sleep = 0;
  start = webnn__clock();
  second = count_submissions(context, graph, x, y, N);
  again = has_clock && second < first;
  later = again ? 4 + (uint32_t)((webnn__clock() - start) / 25000000) : second;
  third = count_submissions(context, graph, x, y, N);
  CHECK("time", error.status == WEBNN_OK && first >= 3 && second >= least && second <= most,
        "%s: clock %d: %u submissions, then %u, not %u to %u: %s", driver, (int)clock,
        (unsigned)first, (unsigned)second, (unsigned)least, (unsigned)most, error.message);
  CHECK("time", third <= later, "%s: clock %d: %u submissions, then %u", driver, (int)clock,
        (unsigned)second, (unsigned)third);
  stamps = first + 1 + (again ? second + 1 : 0) + (again && third < second ? third + 1 : 0);
  CHECK("time", state.stamps == (has_clock ? stamps : 0),
        "%s: clock %d: %u time stamps; %u, %u, %u submissions", driver, (int)clock,
        (unsigned)state.stamps, (unsigned)first, (unsigned)second, (unsigned)third);
  webnn_free_tensor(x);
  webnn_free_tensor(y);
  webnn_free_graph(graph);
  webnn_free_builder(builder);
  webnn_free_context(context);
  free(data);
  CHECK("time", state.live == 0, "%d objects are left", state.live);
  forget_faults();
}

/* Large tensors are read by two staging ranges: while the host waits for one, the device has work for the
   other. All bytes come, of one piece and of several, whole and not. */
static void check_reads(const webnn_vulkan_options *own) {
  const uint32_t piece = (uint32_t)WEBNN_VK__PIECE / 4;
  const uint32_t counts[] = {1,         piece - 1,     piece,         piece + 1,
                             2 * piece, 2 * piece + 1, 3 * piece + 7, 5 * piece};
  uint32_t *data = (uint32_t *)test_allocate((size_t)piece * 5 * 4);
  webnn_context *context;
  webnn_error error = WEBNN_ZERO;
  uint32_t i, j, wrong;
  forget_faults();
  state.separate = true;
  context = new_context(own);
  for (i = 0; i < sizeof counts / sizeof *counts; i++) {
    const uint32_t n = counts[i], pieces = (n - 1) / piece + 1;
    webnn_tensor *tensor = new_tensor(context, n, &error);
    for (j = 0; j < n; j++) {
      data[j] = j * 2654435761u + i;
    }
    (void)webnn_write_tensor(context, tensor, data, (size_t)n * 4, &error);
    memset(data, 0, (size_t)n * 4);
    state.waits_ahead = 0;
    (void)webnn_read_tensor(context, tensor, data, (size_t)n * 4, &error);
    for (j = 0, wrong = 0; j < n; j++) {
      wrong += data[j] != j * 2654435761u + i ? 1 : 0;
    }
    CHECK("reads", error.status == WEBNN_OK && wrong == 0, "%s: %u of %u are wrong: %s", driver,
          (unsigned)wrong, (unsigned)n, error.message);
    CHECK("reads", !its.timeline || state.waits_ahead == pieces - 1,
          "%s: %u pieces, %u waits with work ahead", driver, (unsigned)pieces,
          (unsigned)state.waits_ahead);
    webnn_free_tensor(tensor);
  }
  webnn_free_context(context);
  free(data);
  CHECK("reads", state.live == 0, "%d objects are left", state.live);
  forget_faults();
}

/* Was what failed a part of an allocation? That is tried again, unless the device is lost. */
static bool is_tried_again(void) {
  static const char *const parts[] = {"vkCreateBuffer", "vkAllocateMemory", "vkBindBufferMemory",
                                      "vkMapMemory"};
  size_t i;
  for (i = 0; i < sizeof parts / sizeof *parts; i++) {
    if (state.failed != NULL && strcmp(state.failed, parts[i]) == 0) {
      return state.result != VK_ERROR_DEVICE_LOST;
    }
  }
  return false;
}

/* Each call that reading several pieces takes fails: there is an error, and nothing is left. */
static void check_failing_reads(const webnn_vulkan_options *own, VkResult result) {
  const uint32_t n = (uint32_t)WEBNN_VK__PIECE / 4 * 3 + 1;
  uint32_t *data = (uint32_t *)test_allocate((size_t)n * 4);
  uint32_t i;
  bool ended = false;
  for (i = 1; !ended; i++) {
    webnn_error error = WEBNN_ZERO;
    webnn_context *context;
    webnn_tensor *tensor;
    forget_faults();
    state.separate = true;
    context = new_context(own);
    tensor = new_tensor(context, n, &error);
    (void)webnn_wait(context, &error);
    state.fail_at = state.calls + i;
    state.result = result;
    (void)webnn_read_tensor(context, tensor, data, (size_t)n * 4, &error);
    ended = state.failed == NULL;
    CHECK("reads", (error.status == WEBNN_OK) == (ended || is_tried_again()), "%s: call %u, %s: %s",
          driver, (unsigned)i, ended ? "none" : state.failed, error.message);
    webnn_free_tensor(tensor);
    webnn_free_context(context);
    CHECK("reads", state.live == 0, "%s: call %u: %d objects are left", driver, (unsigned)i,
          state.live);
  }
  CHECK("reads", i > 10, "only %u calls", (unsigned)i);
  free(data);
  forget_faults();
}

/* ---- Pipelines ------------------------------------------------------------------------------- */

/* A graph of several kernels: y = softmax(x + x), z = its sums, and their products. */
static webnn_graph *many_kernels(webnn_context *context, webnn_error *error) {
  const webnn_operand_descriptor type = WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 5, 5);
  webnn_builder *builder = NULL;
  webnn_graph *graph = NULL;
  webnn_operand *x, *y, *z, *w;
  if (webnn_create_builder(context, &builder, error) == WEBNN_OK) {
    x = webnn_input(builder, "x", type);
    y = webnn_softmax(builder, webnn_add(builder, x, x, NULL), 1, NULL);
    z = webnn_reduce_sum(builder, webnn_transpose(builder, y, NULL), NULL);
    w = webnn_cumulative_sum(builder, webnn_matmul(builder, y, x, NULL), 0, NULL);
    (void)webnn_build(builder, WEBNN_NAMED_OPERANDS({"w", w}, {"z", z}), &graph, error);
  }
  webnn_free_builder(builder);
  return graph;
}

/* Columns of x that are alike give rows of w: its last is the number of rows times x. */
static void check_many_kernels(webnn_context *context, webnn_graph *graph) {
  float x[25], w[25] = {0}, z = 0;
  webnn_error error = WEBNN_ZERO;
  uint32_t i, wrong = 0;
  for (i = 0; i < 25; i++) {
    x[i] = (float)(i % 5);
  }
  (void)webnn_compute(context, graph, WEBNN_INPUTS({"x", x, sizeof x}),
                      WEBNN_OUTPUTS({"w", w, sizeof w}, {"z", &z, sizeof z}), &error);
  for (i = 0; i < 25; i++) {
    wrong += fabs((double)w[i] - (i / 5 + 1) * (double)(i % 5)) > 1e-4 ? 1 : 0;
  }
  CHECK("pipelines", error.status == WEBNN_OK && wrong == 0 && fabs((double)z - 5) < 1e-4,
        "%s: %u are wrong, and %g: %s", driver, (unsigned)wrong, (double)z, error.message);
}

static void lend_nothing(void *user, size_t count, webnn_task task, void *data) {
  while (count > 0) {
    task(data, --count);
    *(size_t *)user += 1;
  }
}

/* They are made by the threads of the context, or the program's, and live as long as a graph that uses
   them. */
static void check_pipelines(void) {
  webnn_vulkan_options own = WEBNN_ZERO;
  uint32_t kind;
  own.get_instance_proc_addr = get_instance;
  for (kind = 0; kind < 3; kind++) { /* one thread, four, those of the program */
    webnn_context_options options = WEBNN_ZERO;
    webnn_context *context = NULL;
    webnn_graph *graph, *other;
    webnn_error error = WEBNN_ZERO;
    size_t lent = 0;
    int pipelines;
    forget_faults();
    state.slow_makers = true;
    options.threads = kind == 0 ? 1 : kind == 1 ? 4 : 0;
    options.parallel_for = kind < 2 ? NULL : lend_nothing;
    options.parallel_for_user = &lent;
    (void)try_context(&own, options, &context, &error);
    graph = many_kernels(context, &error);
    pipelines = state.pipelines;
    CHECK("pipelines", graph != NULL && pipelines >= 4, "%s: %d: %s", driver, pipelines,
          error.message);
    CHECK("pipelines", kind == 1 ? state.most_makers > 1 : state.most_makers == 1,
          "%s: kind %u: %u threads", driver, (unsigned)kind, (unsigned)state.most_makers);
    CHECK("pipelines", lent == (kind == 2 ? (size_t)pipelines : 0), "%s: %u are lent", driver,
          (unsigned)lent);
    other = many_kernels(context, &error);
    CHECK("pipelines", other != NULL && state.pipelines == pipelines, "%s: %d, not %d", driver,
          state.pipelines, pipelines);
    check_many_kernels(context, graph);
    webnn_free_graph(graph);
    CHECK("pipelines", state.pipelines == pipelines, "%s: %d are left of %d", driver,
          state.pipelines, pipelines);
    check_many_kernels(context, other);
    webnn_free_graph(other);
    CHECK("pipelines", state.pipelines == 0, "%s: %d are left", driver, state.pipelines);
    graph = many_kernels(context, &error);
    check_many_kernels(context, graph);
    webnn_free_graph(graph);
    webnn_free_context(context);
    CHECK("pipelines", state.live == 0, "%s: %d objects are left", driver, state.live);
  }
  forget_faults();
}

static void check_times(void) {
  if (its.clock) {
    check_time(CLOCK_EVEN, 1000000, 0, 1, 1);      /* faster than assumed */
    check_time(CLOCK_EVEN, 100000000, 100, 6, 13); /* slower; rows of workgroups are whole */
    check_time(CLOCK_WRAPS, 1000000, 0, 1, 1);
  }
  check_time(CLOCK_EVEN, 0, 100, 6, 0);                 /* it stands */
  check_time(CLOCK_EVEN, UINT64_C(1) << 40, 100, 6, 0); /* it is ahead of the host's */
  check_time(CLOCK_FAILS, 0, 100, 6, 0);
  check_time(CLOCK_NONE, 0, 100, 6, 0);
  check_time(CLOCK_NO_UNIT, 0, 100, 6, 0);
  check_time(CLOCK_OF_DRIVER, 0, 0, 1, 0);
}

static void see(void *user, const webnn_tapped_value *value) {
  seen *s = (seen *)user;
  const float expected = s->count % 2 == 0 ? 3.0f : 4.0f;
  s->wrong += value->byte_length != 12 || ((const float *)value->data)[2] != expected ? 1 : 0;
  s->wrong += strcmp(value->op_name, "add") != 0 ? 1 : 0;
  s->count++;
}

/* Taps, profiles, memory, printing; x = 1, y = 2. */
static void check_inside(const webnn_vulkan_options *own) {
  static const float ones[3] = {1, 1, 1}, twos[3] = {2, 2, 2};
  webnn_context *context = new_context(own);
  webnn_error error = WEBNN_ZERO;
  webnn_graph *graph = sum_graph(context, 3, &error);
  webnn_profiled_step steps[4];
  seen tapped = {0, 0};
  float s[3], t[3];
  size_t count = 0, i, calls = 0;
  int round;
  for (round = 0; round < 4; round++) {
    (void)webnn_tap_graph(graph, round == 1 ? see : NULL, &tapped, &error);
    if (round > 1) {
      (void)webnn_profile_graph(graph, round == 2, &error);
    }
    memset(t, 0, sizeof t);
    (void)webnn_compute(context, graph,
                        WEBNN_INPUTS({"x", ones, sizeof ones}, {"y", twos, sizeof twos}),
                        WEBNN_OUTPUTS({"s", s, sizeof s}, {"t", t, sizeof t}), &error);
    CHECK("inside", error.status == WEBNN_OK && s[2] == 3 && t[0] == 4, "%d: %g %s", round,
          (double)t[0], error.message);
  }
  CHECK("tap", tapped.count == 2 && tapped.wrong == 0, "%u values, %u wrong",
        (unsigned)tapped.count, (unsigned)tapped.wrong);
  count = webnn_graph_profile(graph, steps, 4);
  for (i = 0; i < count && i < 4; i++) {
    calls += (size_t)steps[i].calls;
  }
  CHECK("profile", count >= 1 && count <= 2 && calls == count, "%u steps, %u calls",
        (unsigned)count, (unsigned)calls);
  CHECK("profile", count > 0 && strstr(steps[0].op_name, "add") != NULL, "%s", steps[0].op_name);
  webnn_free_graph(graph);
  webnn_free_context(context);
}

/* ---- Threads --------------------------------------------------------------------------------- */

typedef struct worker {
  webnn_context *context; /* NULL: one of its own */
  uint32_t wrong;
} worker;

static void work(void *data) {
  worker *w = (worker *)data;
  webnn_context *context = w->context != NULL ? w->context : new_context(NULL);
  static const float ones[100] = {1, 1, 1};
  float s[100], t[100];
  int i;
  for (i = 0; i < 20; i++) {
    webnn_error error = WEBNN_ZERO;
    webnn_graph *graph = sum_graph(context, 100, &error);
    webnn_tensor *tensor = new_tensor(context, 1000, &error);
    memset(t, 0, sizeof t);
    (void)webnn_compute(context, graph,
                        WEBNN_INPUTS({"x", ones, sizeof ones}, {"y", ones, sizeof ones}),
                        WEBNN_OUTPUTS({"s", s, sizeof s}, {"t", t, sizeof t}), &error);
    w->wrong += error.status != WEBNN_OK || t[2] != 3 || t[3] != 0 ? 1 : 0;
    webnn_free_tensor(tensor);
    webnn_free_graph(graph);
  }
  if (w->context == NULL) {
    webnn_free_context(context);
  }
}

static void check_threads(bool shared) {
  webnn_context *context = shared ? new_context(NULL) : NULL;
  webnn__thread threads[3];
  worker workers[3];
  int i;
  for (i = 0; i < 3; i++) {
    workers[i].context = context;
    workers[i].wrong = 0;
    if (!webnn__thread_create(&threads[i], work, &workers[i])) {
      printf("no thread\n");
      exit(1);
    }
  }
  for (i = 0; i < 3; i++) {
    webnn__thread_join(&threads[i]);
    CHECK("threads", workers[i].wrong == 0, "%u of 20 went wrong", (unsigned)workers[i].wrong);
  }
  webnn_free_context(context);
}

/* ---- A caller's device, buffers, semaphores -------------------------------------------------- */

/* y = 2 x + k */
static const char own_shader[] = "#version 450\n"
                                 "layout(local_size_x = 64) in;\n"
                                 "layout(std430, set = 0, binding = 0) buffer X { uint x[]; };\n"
                                 "layout(push_constant) uniform P { float k; };\n"
                                 "void main() {\n"
                                 "  uint i = gl_GlobalInvocationID.x;\n"
                                 "  x[i] = floatBitsToUint(uintBitsToFloat(x[i]) * 2.0 + k);\n"
                                 "}\n";

typedef struct own_world {
  webnn_vk__gpu *gpu; /* whose device it is */
  VkBuffer buffer;
  VkDeviceMemory memory;
  float *data;
  VkSemaphore semaphore;
  VkPipeline pipeline;
  VkDescriptorPool pool;
  VkDescriptorSet sets[2];
  VkCommandBuffer commands[2];
  uint32_t locks, unlocks;
} own_world;

static void lock_own(void *user) {
  ((own_world *)user)->locks++;
}

static void unlock_own(void *user) {
  ((own_world *)user)->unlocks++;
}

#define OWN(expression) CHECK("caller's device", (expression) == VK_SUCCESS, #expression)
#define OWN_BYTES 1024 /* of each of the two tensors in the buffer */

static void make_own_memory(own_world *w) {
  const webnn_vk__functions *f = w->gpu->f;
  const VkDevice device = w->gpu->handle;
  VkMemoryRequirements needs;
  VkMemoryAllocateInfo allocate;
  VkSemaphoreTypeCreateInfo type;
  VkSemaphoreCreateInfo semaphore;
  void *data = NULL;
  memset(&allocate, 0, sizeof allocate);
  memset(&type, 0, sizeof type);
  memset(&semaphore, 0, sizeof semaphore);
  CHECK("caller's device", webnn_vk__create_buffer(w->gpu, 2 * OWN_BYTES, &w->buffer), "no %s",
        "buffer");
  f->GetBufferMemoryRequirements(device, w->buffer, &needs);
  allocate.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  allocate.allocationSize = needs.size;
  allocate.memoryTypeIndex = w->gpu->memory_types[WEBNN_VK__UPLOAD_MEMORY].types[0]; /* coherent */
  OWN(f->AllocateMemory(device, &allocate, NULL, &w->memory));
  OWN(f->BindBufferMemory(device, w->buffer, w->memory, 0));
  OWN(f->MapMemory(device, w->memory, 0, VK_WHOLE_SIZE, 0, &data));
  w->data = (float *)data;
  type.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO;
  type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  semaphore.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO;
  semaphore.pNext = &type;
  OWN(f->CreateSemaphore(device, &semaphore, NULL, &w->semaphore));
}

/* Two command buffers: the shader over either half of the buffer. */
static void make_own_commands(own_world *w) {
  const webnn_vk__functions *f = w->gpu->f;
  const VkDevice device = w->gpu->handle;
  const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2};
  VkDescriptorSetLayout layouts[2];
  VkDescriptorPoolCreateInfo pool;
  VkDescriptorSetAllocateInfo sets;
  webnn_error error = WEBNN_ZERO;
  webnn_vk__pipeline made = WEBNN_ZERO;
  webnn_vk__making making = WEBNN_ZERO;
  webnn_vk__makings makings = WEBNN_ZERO;
  uint32_t i;
  CHECK("caller's device",
        webnn_vk__make_module(w->gpu, own_shader, &making.module, &error) == WEBNN_OK, "%s",
        error.message);
  memset(&pool, 0, sizeof pool);
  memset(&sets, 0, sizeof sets);
  webnn_vk__lock(w->gpu, "test", &error);
  CHECK("caller's device", webnn_vk__make_layout(w->gpu, 1), "%s", error.message);
  making.pipeline = &made;
  making.layout = w->gpu->layouts[1];
  makings.gpu = w->gpu;
  makings.list = &making;
  webnn_vk__make_pipeline(&makings, 0);
  OWN(making.result);
  w->pipeline = made.handle;
  f->DestroyShaderModule(device, making.module, NULL);
  pool.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
  pool.maxSets = 2;
  pool.poolSizeCount = 1;
  pool.pPoolSizes = &size;
  OWN(f->CreateDescriptorPool(device, &pool, NULL, &w->pool));
  layouts[0] = layouts[1] = w->gpu->set_layouts[1];
  sets.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
  sets.descriptorPool = w->pool;
  sets.descriptorSetCount = 2;
  sets.pSetLayouts = layouts;
  OWN(f->AllocateDescriptorSets(device, &sets, w->sets));
  CHECK("caller's device", webnn_vk__new_buffers(w->gpu, 2, w->commands), "%s", error.message);
  for (i = 0; i < 2; i++) {
    const VkDescriptorBufferInfo buffer = {w->buffer, i * OWN_BYTES, OWN_BYTES};
    const float k = (float)(i + 1);
    VkWriteDescriptorSet write;
    memset(&write, 0, sizeof write);
    write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    write.dstSet = w->sets[i];
    write.descriptorCount = 1;
    write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    write.pBufferInfo = &buffer;
    f->UpdateDescriptorSets(device, 1, &write, 0, NULL);
    (void)webnn_vk__begin_buffer(w->gpu, w->commands[i], 0);
    webnn_vk__full_barrier(w->gpu, w->commands[i]);
    f->CmdBindPipeline(w->commands[i], VK_PIPELINE_BIND_POINT_COMPUTE, w->pipeline);
    f->CmdBindDescriptorSets(w->commands[i], VK_PIPELINE_BIND_POINT_COMPUTE, w->gpu->layouts[1], 0,
                             1, &w->sets[i], 0, NULL);
    f->CmdPushConstants(w->commands[i], w->gpu->layouts[1], VK_SHADER_STAGE_COMPUTE_BIT, 0, 4, &k);
    f->CmdDispatchBase(w->commands[i], 0, 0, 0, OWN_BYTES / 4 / 64, 1, 1);
    webnn_vk__host_barrier(w->gpu, w->commands[i]);
    OWN(f->EndCommandBuffer(w->commands[i]));
  }
  (void)webnn_vk__unlock(w->gpu);
}

/* The shader over half `i`, after `wait` has a value, if there is one; then the own semaphore gets
   one. */
static void submit_own(own_world *w, int i, VkSemaphore wait, uint64_t wait_value,
                       uint64_t signal_value) {
  const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  VkTimelineSemaphoreSubmitInfo timeline;
  VkSubmitInfo info;
  memset(&timeline, 0, sizeof timeline);
  memset(&info, 0, sizeof info);
  timeline.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO;
  timeline.waitSemaphoreValueCount = wait != VK_NULL_HANDLE ? 1 : 0;
  timeline.pWaitSemaphoreValues = &wait_value;
  timeline.signalSemaphoreValueCount = 1;
  timeline.pSignalSemaphoreValues = &signal_value;
  info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  info.pNext = &timeline;
  info.waitSemaphoreCount = timeline.waitSemaphoreValueCount;
  info.pWaitSemaphores = &wait;
  info.pWaitDstStageMask = &stage;
  info.commandBufferCount = 1;
  info.pCommandBuffers = &w->commands[i];
  info.signalSemaphoreCount = 1;
  info.pSignalSemaphores = &w->semaphore;
  OWN(w->gpu->f->QueueSubmit(w->gpu->queue, 1, &info, VK_NULL_HANDLE));
}

/* The own shader makes x, the network adds, the own shader goes on with its result. */
static void go_round(own_world *w, webnn_context *context, webnn_graph *graph, webnn_tensor *x,
                     webnn_tensor *t) {
  webnn_error error = WEBNN_ZERO;
  webnn_tensor *y = new_tensor(context, OWN_BYTES / 4, &error);
  webnn_tensor *s = new_tensor(context, OWN_BYTES / 4, &error);
  float result[OWN_BYTES / 4];
  VkSemaphore timeline = VK_NULL_HANDLE;
  VkBuffer buffer = VK_NULL_HANDLE;
  uint64_t value = 0, offset = 0, size = 0;
  uint32_t i, wrong = 0;
  for (i = 0; i < OWN_BYTES / 4; i++) {
    w->data[i] = (float)i;
    result[i] = 1000;
  }
  (void)webnn_write_tensor(context, y, result, sizeof result, &error);
  submit_own(w, 0, VK_NULL_HANDLE, 0, 1);
  CHECK("round", webnn_vulkan_wait_semaphore(context, w->semaphore, 1, &error) == WEBNN_OK, "%s",
        error.message);
  (void)webnn_dispatch(context, graph, WEBNN_NAMED_TENSORS({"x", x}, {"y", y}),
                       WEBNN_NAMED_TENSORS({"s", s}, {"t", t}), &error);
  CHECK("round", webnn_vulkan_timeline(context, &timeline, &value, &error) == WEBNN_OK, "%s",
        error.message);
  CHECK("round", webnn_vulkan_signal_semaphore(context, w->semaphore, 2, &error) == WEBNN_OK, "%s",
        error.message);
  submit_own(w, 1, value % 2 == 0 ? timeline : w->semaphore, value % 2 == 0 ? value : 2, 3);
  (void)webnn_vulkan_wait_semaphore(context, w->semaphore, 3, &error);
  CHECK("round", webnn_wait(context, &error) == WEBNN_OK, "%s", error.message);
  for (i = 0; i < OWN_BYTES / 4; i++) { /* t = x + y + x */
    const float made = 2.0f * (float)i + 1, t_is = made + 1000 + made;
    wrong += w->data[i] != made || w->data[OWN_BYTES / 4 + i] != 2 * t_is + 2 ? 1 : 0;
  }
  CHECK("round", wrong == 0, "%s: %u elements are wrong", driver, (unsigned)wrong);
  CHECK("round",
        webnn_read_tensor(context, t, result, sizeof result, &error) == WEBNN_OK &&
            memcmp(result, w->data + OWN_BYTES / 4, sizeof result) == 0,
        "reading gives something else %s", error.message);
  memset(result, 0, sizeof result);
  CHECK("round",
        webnn_write_tensor(context, x, result, sizeof result, &error) == WEBNN_OK &&
            webnn_wait(context, &error) == WEBNN_OK && w->data[255] == 0,
        "writing: %s", error.message);
  CHECK("round",
        webnn_vulkan_tensor_buffer(t, &buffer, &offset, &size, &error) == WEBNN_OK &&
            buffer == w->buffer && offset == OWN_BYTES && size == OWN_BYTES,
        "another buffer: %s", error.message);
  CHECK("round",
        webnn_vulkan_tensor_buffer(y, &buffer, &offset, &size, &error) == WEBNN_OK &&
            buffer != VK_NULL_HANDLE && offset % 256 == 0 && size == OWN_BYTES,
        "a wrong buffer: %s", error.message);
  webnn_destroy_tensor(y);
  CHECK("round",
        webnn_vulkan_tensor_buffer(y, &buffer, &offset, &size, &error) == WEBNN_INVALID_STATE_ERROR,
        "%s", error.message);
  webnn_free_tensor(y);
  webnn_free_tensor(s);
}

static void check_own_device(webnn_vulkan_options first) {
  const webnn_tensor_descriptor type = {WEBNN_FLOAT32, WEBNN_LIST(OWN_BYTES / 4), true, true};
  webnn_context *owner = new_context(&first), *context;
  webnn_vulkan_options own = WEBNN_ZERO;
  webnn_error error = WEBNN_ZERO;
  webnn_graph *graph;
  webnn_tensor *x = NULL, *t = NULL, *bad = NULL;
  own_world w;
  memset(&w, 0, sizeof w);
  w.gpu = (webnn_vk__gpu *)owner->device;
  (void)webnn_vulkan_handles(owner, &own.instance, &own.physical_device, &own.device, &own.queue,
                             &own.queue_family, &error);
  own.features = WEBNN_VULKAN_TIMELINE_SEMAPHORE | WEBNN_VULKAN_FLOAT_CONTROLS;
  own.lock_queue = lock_own;
  own.unlock_queue = unlock_own;
  own.queue_user = &w;
  context = new_context(&own);
  make_own_memory(&w);
  make_own_commands(&w);
  graph = sum_graph(context, OWN_BYTES / 4, &error);
  CHECK("caller's buffer",
        webnn_vulkan_create_tensor(context, type, w.buffer, 0, OWN_BYTES, &x, &error) == WEBNN_OK,
        "%s", error.message);
  CHECK("caller's buffer",
        webnn_vulkan_create_tensor(context, type, w.buffer, OWN_BYTES, OWN_BYTES, &t, &error) ==
            WEBNN_OK,
        "%s", error.message);
  CHECK("caller's buffer",
        webnn_vulkan_create_tensor(context, type, w.buffer, 64, OWN_BYTES, &bad, &error) ==
                WEBNN_TYPE_ERROR &&
            webnn_vulkan_create_tensor(context, type, w.buffer, 1 << 20, OWN_BYTES, &bad, &error) ==
                WEBNN_TYPE_ERROR &&
            webnn_vulkan_create_tensor(context, type, w.buffer, 0, OWN_BYTES - 16, &bad, &error) ==
                WEBNN_TYPE_ERROR &&
            bad == NULL,
        "a wrong part of the buffer: %s", error.message);
  go_round(&w, context, graph, x, t);
  CHECK("lock", w.locks > 0 && w.locks == w.unlocks, "%u locks, %u unlocks", (unsigned)w.locks,
        (unsigned)w.unlocks);
  webnn_free_tensor(x);
  webnn_free_tensor(t);
  webnn_free_graph(graph);
  webnn_free_context(context);
  w.gpu->f->DestroyPipeline(own.device, w.pipeline, NULL);
  w.gpu->f->DestroyDescriptorPool(own.device, w.pool, NULL);
  w.gpu->f->DestroySemaphore(own.device, w.semaphore, NULL);
  w.gpu->f->DestroyBuffer(own.device, w.buffer, NULL);
  w.gpu->f->FreeMemory(own.device, w.memory, NULL);
  webnn_free_context(owner);
}

/* ---- What fails ------------------------------------------------------------------------------ */

/* Everything once: a context, a graph, runs over tensors and over memory of the caller, tapped,
   measured. True if all went well and was right. The first error is kept. */
static bool run_scenario(const webnn_vulkan_options *own, const webnn_allocator *allocator,
                         webnn_error *first) {
  static const float ones[3] = {1, 1, 1}, twos[3] = {2, 2, 2};
  webnn_context_options options = WEBNN_ZERO;
  webnn_context *context = NULL;
  webnn_graph *graph = NULL;
  webnn_tensor *x = NULL, *y = NULL, *u = NULL, *v = NULL;
  seen tapped = {0, 0};
  float s[3] = {0}, t[3] = {0}, read[3] = {0};
  size_t size = 0;
  bool done = true;
#define STEP(call)                                                                                 \
  do {                                                                                             \
    webnn_error error = WEBNN_ZERO;                                                                \
    if ((call) != WEBNN_OK) {                                                                      \
      done = false;                                                                                \
      if (first->status == WEBNN_OK) {                                                             \
        *first = error;                                                                            \
      }                                                                                            \
    }                                                                                              \
  } while (false)
  if (allocator != NULL) {
    options.allocator = *allocator;
  }
  STEP(try_context(own, options, &context, &error));
  if (context != NULL) {
    STEP((graph = sum_graph(context, 3, &error)) != NULL ? WEBNN_OK : WEBNN_UNKNOWN_ERROR);
    STEP((x = new_tensor(context, 3, &error)) != NULL ? WEBNN_OK : WEBNN_UNKNOWN_ERROR);
    STEP((y = new_tensor(context, 3, &error)) != NULL ? WEBNN_OK : WEBNN_UNKNOWN_ERROR);
    STEP((u = new_tensor(context, 3, &error)) != NULL ? WEBNN_OK : WEBNN_UNKNOWN_ERROR);
    STEP((v = new_tensor(context, 3, &error)) != NULL ? WEBNN_OK : WEBNN_UNKNOWN_ERROR);
    STEP(webnn_vulkan_pipeline_cache(context, NULL, &size, &error));
  }
  if (done) {
    STEP(webnn_write_tensor(context, x, ones, sizeof ones, &error));
    STEP(webnn_write_tensor(context, y, twos, sizeof twos, &error));
    STEP(webnn_dispatch(context, graph, WEBNN_NAMED_TENSORS({"x", x}, {"y", y}),
                        WEBNN_NAMED_TENSORS({"s", u}, {"t", v}), &error));
    STEP(webnn_dispatch(context, graph, WEBNN_NAMED_TENSORS({"x", v}, {"y", y}),
                        WEBNN_NAMED_TENSORS({"s", u}, {"t", x}), &error));
    STEP(webnn_write_tensor(context, y, ones, sizeof ones, &error));
    STEP(webnn_read_tensor(context, x, read, sizeof read, &error));
    STEP(webnn_profile_graph(graph, true, &error));
    STEP(webnn_compute(context, graph,
                       WEBNN_INPUTS({"x", ones, sizeof ones}, {"y", twos, sizeof twos}),
                       WEBNN_OUTPUTS({"s", s, sizeof s}, {"t", t, sizeof t}), &error));
    STEP(webnn_tap_graph(graph, see, &tapped, &error));
    STEP(webnn_compute(context, graph,
                       WEBNN_INPUTS({"x", ones, sizeof ones}, {"y", twos, sizeof twos}),
                       WEBNN_OUTPUTS({"s", s, sizeof s}, {"t", t, sizeof t}), &error));
    STEP(webnn_tap_graph(graph, NULL, NULL, &error));
    STEP(webnn_dispatch(context, graph, WEBNN_NAMED_TENSORS({"x", x}, {"y", y}),
                        WEBNN_NAMED_TENSORS({"s", u}, {"t", v}), &error));
  }
#undef STEP
  webnn_free_tensor(v); /* with work under way */
  webnn_free_graph(graph);
  webnn_free_tensor(u);
  webnn_free_tensor(x);
  webnn_free_tensor(y);
  webnn_free_context(context);
  return done && read[1] == 10 && s[2] == 3 && t[0] == 4 && tapped.wrong == 0;
}

/* Each call of a function that can fail does so, alone or with all that follow. */
static void check_faults(uint32_t mode, VkResult result, bool persistent) {
  webnn_vulkan_options own = WEBNN_ZERO;
  uint32_t n, errors = 0;
  bool ended = false;
  own.get_instance_proc_addr = get_instance;
  own.submission_cost = (mode & 4) != 0 ? 1 : 0;
  for (n = 1; !ended; n++) {
    webnn_error error = WEBNN_ZERO;
    bool right;
    forget_faults();
    state.no_timeline = (mode & 1) != 0;
    state.separate = (mode & 2) != 0;
    state.fail_at = n;
    state.result = result;
    state.persistent = persistent;
    right = run_scenario(&own, NULL, &error);
    ended = state.failed == NULL;
    errors += error.status != WEBNN_OK ? 1 : 0;
    CHECK("faults", right || (!ended && error.status != WEBNN_OK), "%s: mode %u, call %u, %s: %s",
          driver, (unsigned)mode, (unsigned)n, ended ? "none" : state.failed, error.message);
    CHECK("faults",
          error.status == WEBNN_OK || strstr(error.message, state.failed) != NULL ||
              strstr(error.message, "is lost") != NULL ||
              (persistent && strstr(error.message, webnn_vk__outcome_of(result)->name) != NULL),
          "%s: mode %u, call %u, %s: %s", driver, (unsigned)mode, (unsigned)n, state.failed,
          error.message);
    CHECK("faults", state.live == 0, "%s: mode %u, call %u, %s: %d objects are left", driver,
          (unsigned)mode, (unsigned)n, ended ? "none" : state.failed, state.live);
  }
  CHECK("faults", n > 60 && errors > n / 2, "only %u calls, %u errors", (unsigned)n,
        (unsigned)errors);
  forget_faults();
}

/* Each function is not there. */
static void check_missing_functions(void) {
  size_t i;
  for (i = 0; i < sizeof webnn_vk__entries / sizeof *webnn_vk__entries; i++) {
    const char *name = webnn_vk__entries[i].name;
    const webnn_context_options options = WEBNN_ZERO;
    webnn_vulkan_options own = WEBNN_ZERO;
    webnn_context *context = NULL;
    webnn_error error = WEBNN_ZERO;
    own.get_instance_proc_addr = get_instance;
    if (!webnn_vk__entries[i].needed) {
      continue;
    }
    forget_faults();
    state.missing = name;
    CHECK("missing",
          try_context(&own, options, &context, &error) == WEBNN_NOT_SUPPORTED_ERROR &&
              strstr(error.message, name) != NULL,
          "%s: %s", name, error.message);
    CHECK("missing",
          state.live == 0 || strcmp(name, "vkDestroyDevice") == 0 ||
              strcmp(name, "vkDestroyInstance") == 0,
          "%s: %d objects are left", name, state.live);
  }
  forget_faults();
}

/* Each allocation on the host fails. */
static void check_allocations(uint32_t mode) {
  static hook memory;
  const webnn_allocator allocator = {hook_allocate, hook_release, &memory};
  webnn_vulkan_options own = WEBNN_ZERO;
  size_t n;
  bool ended = false;
  own.get_instance_proc_addr = get_instance;
  forget_faults();
  state.no_timeline = (mode & 1) != 0;
  state.separate = (mode & 2) != 0;
  for (n = 1; !ended; n++) {
    webnn_error error = WEBNN_ZERO;
    bool right;
    memory.calls = memory.failures = 0;
    memory.fail_at = n;
    right = run_scenario(&own, &allocator, &error);
    ended = memory.failures == 0;
    CHECK("allocations", right || (!ended && error.status == WEBNN_UNKNOWN_ERROR),
          "%s: mode %u, allocation %u: %s: %s", driver, (unsigned)mode, (unsigned)n,
          webnn_status_name(error.status), error.message);
    CHECK("allocations", memory.live_count == 0 && memory.bad_release == 0 && state.live == 0,
          "%s: allocation %u: %u are not released, %d objects", driver, (unsigned)n,
          (unsigned)memory.live_count, state.live);
  }
  CHECK("allocations", n > 40, "only %u allocations", (unsigned)n);
  forget_faults();
}

/* What depends on nothing needs no barrier: as many of them as depths. */
static void check_barriers(void) {
  const webnn_operand_descriptor type = WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 4);
  webnn_vulkan_options own = WEBNN_ZERO;
  webnn_context_options options = WEBNN_ZERO;
  webnn_context *context = NULL;
  webnn_builder *builder = NULL;
  webnn_graph *graph = NULL;
  webnn_operand *x, *y[8];
  webnn_named_operand results[8];
  webnn_named_tensor bindings[8];
  webnn_tensor *input;
  webnn_error error = WEBNN_ZERO;
  static const char *const names[8] = {"a", "b", "c", "d", "e", "f", "g", "h"};
  uint32_t i;
  own.get_instance_proc_addr = get_instance;
  forget_faults();
  options.disabled_passes = UINT32_MAX; /* every addition is a dispatch */
  (void)try_context(&own, options, &context, &error);
  (void)webnn_create_builder(context, &builder, &error);
  x = webnn_input(builder, "x", type);
  for (i = 0; i < 8; i++) {
    y[i] = webnn_add(builder, i < 4 ? x : y[i - 4], x, NULL);
    results[i].name = names[i];
    results[i].operand = y[i];
  }
  (void)webnn_build(builder, results, 8, &graph, &error);
  input = new_tensor(context, 4, &error);
  for (i = 0; i < 8; i++) {
    bindings[i].name = names[i];
    bindings[i].tensor = new_tensor(context, 4, &error);
  }
  (void)webnn_wait(context, &error);
  state.barriers = 0;
  (void)webnn_dispatch(context, graph, WEBNN_NAMED_TENSORS({"x", input}), bindings, 8, &error);
  CHECK("barriers", error.status == WEBNN_OK && state.barriers == 3, "%u barriers, not 3: %s",
        (unsigned)state.barriers, error.message);
  state.barriers = 0;
  (void)webnn_dispatch(context, graph, WEBNN_NAMED_TENSORS({"x", input}), bindings, 8, &error);
  CHECK("recordings", error.status == WEBNN_OK && state.barriers == 0,
        "it is recorded again: %u %s", (unsigned)state.barriers, error.message);
  for (i = 0; i < 8; i++) {
    webnn_free_tensor(bindings[i].tensor);
  }
  webnn_free_tensor(input);
  webnn_free_graph(graph);
  webnn_free_builder(builder);
  webnn_free_context(context);
  CHECK("barriers", state.live == 0, "%d objects are left", state.live);
  forget_faults();
}

/* The layer sees work that is not in order: of sums that need each other, without their barriers. */
static void check_hazards(webnn_vulkan_options own) {
  webnn_context_options options = WEBNN_ZERO;
  webnn_context *context = NULL;
  webnn_graph *graph;
  webnn_error error = WEBNN_ZERO;
  float results[8 * 3];
  uint32_t outputs;
  own.get_instance_proc_addr = get_instance;
  forget_faults();
  state.no_barriers = true;
  messages = hazards = 0;
  options.disabled_passes = UINT32_MAX; /* every addition is a dispatch */
  (void)try_context(&own, options, &context, &error);
  graph = random_graph(context, 1, 3, &outputs, &error);
  run_random(context, graph, 3, outputs, results, &error);
  CHECK("hazards", error.status == WEBNN_OK && hazards > 0,
        "the layer does not see that barriers are missing: %s", error.message);
  webnn_free_graph(graph);
  webnn_free_context(context);
  forget_faults();
}

/* The layer sees everything, whether all that needs each other is in order, too, and says nothing. */
static void check_validation(void) {
  const webnn_context_options options = WEBNN_ZERO;
  webnn_vulkan_options own = WEBNN_ZERO;
  webnn_context *context = NULL;
  webnn_error error = WEBNN_ZERO;
  own.validation = true;
  own.message = note_message;
  if (try_context(&own, options, &context, &error) == WEBNN_NOT_SUPPORTED_ERROR) {
    test_skip("validation", error.message);
    return;
  }
  CHECK("validation", context != NULL, "%s", error.message);
  webnn_free_context(context);
  CHECK("validation", run_scenario(&own, NULL, &error), "%s", error.message);
  check_bindings(&own, 100);
  check_parts(own, false, false);
  check_graphs(own, 12);
  if (its.timeline) {
    check_own_device(own);
  }
  check_cuts(own, 0);
  CHECK("validation", messages == 0, "%s: %u messages", driver, (unsigned)messages);
  check_hazards(own);
}

/* ---- All of it on one driver ----------------------------------------------------------------- */

static void check_driver(uint32_t contexts) {
  const webnn_vulkan_options plain = WEBNN_ZERO;
  webnn_vulkan_options hooked = WEBNN_ZERO;
  uint32_t mode;
  hooked.get_instance_proc_addr = get_instance;
  check_modes();
  look_at_device();
  check_devices();
  check_wrong_calls();
  check_limits(false);
  check_limits(true);
  check_budget();
  check_parts(plain, false, false);
  check_parts(plain, true, false);
  check_parts(plain, true, true);
  check_few_buffers();
  check_barriers();
  check_cuts(plain, 0);
  check_cuts(plain, 7);
  check_host_memory();
  check_times();
  check_pipelines();
  check_reads(&hooked);
  check_failing_reads(&hooked, VK_ERROR_DEVICE_LOST);
  check_failing_reads(&hooked, VK_ERROR_OUT_OF_DEVICE_MEMORY);
  for (mode = 0; mode < 4; mode++) {
    forget_faults();
    state.no_timeline = (mode & 1) != 0;
    state.separate = (mode & 2) != 0;
    check_bindings(&hooked, mode < 2 ? 100 : 100000);
    check_reuse(&hooked);
    check_release(&hooked, true, mode % 2 == 0);
    check_release(&hooked, false, mode % 2 == 0);
    check_pieces(hooked);
    check_memory(&hooked);
    check_inside(&hooked);
    check_graphs(hooked, 16);
    CHECK("objects", state.live == 0, "%d are left", state.live);
  }
  forget_faults();
  if (its.timeline) {
    check_own_device(plain);
  }
  check_threads(false);
  check_threads(true);
  check_missing_functions();
  for (mode = 0; mode < 4; mode++) {
    check_allocations(mode);
    check_faults(mode | 4, VK_ERROR_DEVICE_LOST, false);
    check_faults(mode, mode % 2 == 0 ? VK_ERROR_OUT_OF_DEVICE_MEMORY : VK_ERROR_DEVICE_LOST, true);
  }
  check_validation();
  check_many_contexts(contexts);
}

/* Keeps the library of a driver in the program until it ends: loading it again for each context takes
   long, and what it leaks itself would be a leak of an unknown module. */
static void keep_library(const char *path) {
  char text[4096], *name, *end;
  FILE *file = fopen(path, "r");
  size_t length;
  if (file == NULL) {
    return;
  }
  length = fread(text, 1, sizeof text - 1, file);
  (void)fclose(file);
  text[length] = 0;
  name = strstr(text, "\"library_path\"");
  name = name != NULL ? strchr(name + 14, '"') : NULL;
  end = name != NULL ? strchr(name + 1, '"') : NULL;
  if (end != NULL) {
    *end = 0;
    (void)dlopen(name + 1, RTLD_NOW | RTLD_LOCAL);
  }
}

/* Is there a device, with this driver? */
static bool is_there(void) {
  size_t count = 0;
  return webnn_vulkan_devices(NULL, NULL, 0, &count, NULL) == WEBNN_OK && count > 0;
}

int main(int argc, char **argv) {
  const uint32_t contexts = argc > 1 ? (uint32_t)atoi(argv[1]) : 1000;
  const char *list = getenv("WEBNN_VULKAN_DRIVERS");
  char path[1024];
  void *library = NULL;
  uint32_t found = 0;
  ask_for_order();
  real.GetInstanceProcAddr = webnn_vk__open_loader(&library);
  list = list != NULL ? list : "/usr/share/vulkan/icd.d/lvp_icd.x86_64.json";
  while (*list != 0 && real.GetInstanceProcAddr != NULL) {
    size_t length = strcspn(list, ":");
    const size_t kept = length < sizeof path ? length : sizeof path - 1;
    memcpy(path, list, kept);
    path[kept] = 0;
    driver = path;
    if (strcmp(path, "system") != 0) {
      (void)setenv("VK_ICD_FILENAMES", path, 1);
      (void)setenv("VK_DRIVER_FILES", path, 1);
      keep_library(path);
    }
    if (is_there()) {
      found++;
      check_driver(strstr(path, "lvp") != NULL ? contexts / 10 : contexts);
    } else {
      test_skip(path, "there is no such driver");
    }
    list += length + (list[length] == ':' ? 1 : 0);
  }
  if (found == 0) {
    (void)unsetenv("VK_ICD_FILENAMES");
    (void)unsetenv("VK_DRIVER_FILES");
    driver = "any driver";
    if (real.GetInstanceProcAddr != NULL && is_there()) {
      check_driver(contexts / 10);
    } else {
      test_skip("vulkan", "there is no Vulkan driver");
    }
  }
  return test_end();
}
