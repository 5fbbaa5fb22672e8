/* A Vulkan loader that makes another device of the one behind it, whose limits, features, memory and queues
   a file describes (in profiles/; the format is below). A program finds it as libvulkan.so.1 by
   LD_LIBRARY_PATH; the environment has

     WEBNN_PROFILE          the file
     WEBNN_PROFILE_LOADER   the path of the loader behind it

   What the profile lacks is not listed, and what it has is listed only if the driver has it, too, or if it
   can be pretended: heaps and types of memory, memory that is not coherent (the program sees copies, which
   only flushing and invalidating bring up to date), families of queues, time stamps of fewer than 64 bits
   (which begin again at 0 behind the first of a pool), budgets, robustness of pipelines, sizes of subgroups
   that can be required, a cache of pipelines that has a hash of each module (the latest that was made in the
   process). A call that the described device would not take is refused: a line
   "refused: ..." on stderr, an error if the function can return one, and every later submission fails.
   Unlike the validation layer it knows the described device and not the driver's, and it sees no pointer that
   is wrong and no hazard: the layer is for these.

   Lines of a profile: # a comment; NAME NUMBER... for each of NUMBERS below; and

     name TEXT                       type discrete | integrated
     version 1.1 | 1.2 | 1.3         vendor NUMBER
     heap BYTES local|host [BUDGET]  memory HEAP FLAG...     flags: local visible coherent cached lazy
                                                             protected amd
     buffers MASK                    the types of memory that buffers take
     family FLAG... BITS             of queues: graphics compute transfer other; bits of time stamps
     extension NAME...               feature NAME...         names are in webnn_profile_features below
     expect family N                 expect memory TENSORS UPLOADS READS    for the test profiles.c */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "profile_loader.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>

/* ---- Profiles -------------------------------------------------------------------------------- */

#define NUMBERS(X)                                                                                 \
  X(maxStorageBufferRange, 1)                                                                      \
  X(maxPushConstantsSize, 1)                                                                       \
  X(maxMemoryAllocationCount, 1)                                                                   \
  X(maxMemoryAllocationSize, 1)                                                                    \
  X(maxBufferSize, 1)                                                                              \
  X(maxPerStageDescriptorStorageBuffers, 1)                                                        \
  X(maxComputeSharedMemorySize, 1)                                                                 \
  X(maxComputeWorkGroupCount, 3)                                                                   \
  X(maxComputeWorkGroupInvocations, 1)                                                             \
  X(maxComputeWorkGroupSize, 3)                                                                    \
  X(minStorageBufferOffsetAlignment, 1)                                                            \
  X(nonCoherentAtomSize, 1)                                                                        \
  X(subgroupSize, 3) /* the usual, the least and the most that can be required */

typedef struct numbers {
#define MEMBER(name, count) uint64_t name[count];
  NUMBERS(MEMBER)
} numbers;

enum {
  ROBUST = 1,
  TIMELINE = 2,
  FLOAT16 = 4,
  DOT = 8,
  SIZES = 16,
  MEMORY_MODEL = 32,
  MATRICES = 64,
  PIPELINES = 128,
  ROUNDS_32 = 256,
  ROUNDS_16 = 512,
  PRESERVES_32 = 1024,
  PRESERVES_16 = 2048,
  SUBNORMALS_16 = 4096
};

static const struct {
  const char *name;
  uint32_t bit;
} webnn_profile_features[] = {
    {"robustBufferAccess", ROBUST},
    {"timelineSemaphore", TIMELINE},
    {"shaderFloat16", FLOAT16},
    {"shaderIntegerDotProduct", DOT},
    {"subgroupSizeControl", SIZES}, /* and computeFullSubgroups */
    {"vulkanMemoryModel", MEMORY_MODEL},
    {"cooperativeMatrix", MATRICES},
    {"pipelineRobustness", PIPELINES},
    {"shaderRoundingModeRTEFloat32", ROUNDS_32},
    {"shaderRoundingModeRTEFloat16", ROUNDS_16},
    {"shaderSignedZeroInfNanPreserveFloat32", PRESERVES_32},
    {"shaderSignedZeroInfNanPreserveFloat16", PRESERVES_16},
    {"shaderDenormPreserveFloat16", SUBNORMALS_16}, /* whatever the driver says */
};

enum { MOST_FAMILIES = 8, MOST_NAMES = 64 };

typedef struct profile {
  char name[VK_MAX_PHYSICAL_DEVICE_NAME_SIZE];
  VkPhysicalDeviceType type;
  uint32_t version, vendor, features, buffers;
  numbers n;
  VkPhysicalDeviceMemoryProperties memory;
  uint64_t budgets[VK_MAX_MEMORY_HEAPS]; /* 0: as large as the heap */
  VkQueueFamilyProperties families[MOST_FAMILIES];
  uint32_t family_count, extension_count;
  char extensions[MOST_NAMES][VK_MAX_EXTENSION_NAME_SIZE];
} profile;

static profile now;
static profile_counts counts;
static uint64_t heap_used[VK_MAX_MEMORY_HEAPS]; /* of all devices of the process */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static bool broken; /* a call was refused */

/* Words with their bits. */
typedef struct word {
  const char *name;
  uint32_t bit;
} word;

static const word memory_words[] = {{"local", VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT},
                                    {"visible", VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT},
                                    {"coherent", VK_MEMORY_PROPERTY_HOST_COHERENT_BIT},
                                    {"cached", VK_MEMORY_PROPERTY_HOST_CACHED_BIT},
                                    {"lazy", VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT},
                                    {"protected", VK_MEMORY_PROPERTY_PROTECTED_BIT},
                                    {"amd", VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD |
                                                VK_MEMORY_PROPERTY_DEVICE_UNCACHED_BIT_AMD},
                                    {NULL, 0}};
static const word family_words[] = {{"graphics", VK_QUEUE_GRAPHICS_BIT},
                                    {"compute", VK_QUEUE_COMPUTE_BIT},
                                    {"transfer", VK_QUEUE_TRANSFER_BIT},
                                    {"other", VK_QUEUE_SPARSE_BINDING_BIT},
                                    {NULL, 0}};

static bool find_word(const word *words, const char *name, uint32_t *bits) {
  for (; words->name != NULL; words++) {
    if (strcmp(words->name, name) == 0) {
      *bits |= words->bit;
      return true;
    }
  }
  return false;
}

/* A line, cut into words. */
typedef struct line {
  char *words[24];
  uint32_t count;
} line;

static uint64_t number(const line *l, uint32_t i) {
  return i < l->count ? (uint64_t)strtoull(l->words[i], NULL, 0) : 0;
}

/* `memory HEAP FLAG...`, `family FLAG... BITS` */
static bool read_flags(profile *p, const line *l) {
  const bool is_memory = strcmp(l->words[0], "memory") == 0;
  uint32_t bits = 0, i;
  const uint32_t first = is_memory ? 2 : 1, end = is_memory ? l->count : l->count - 1;
  for (i = first; i < end; i++) {
    if (!find_word(is_memory ? memory_words : family_words, l->words[i], &bits)) {
      return false;
    }
  }
  if (is_memory && p->memory.memoryTypeCount < VK_MAX_MEMORY_TYPES) {
    VkMemoryType *type = &p->memory.memoryTypes[p->memory.memoryTypeCount++];
    type->heapIndex = (uint32_t)number(l, 1);
    type->propertyFlags = bits;
    return type->heapIndex < p->memory.memoryHeapCount;
  }
  if (!is_memory && p->family_count < MOST_FAMILIES) {
    VkQueueFamilyProperties *family = &p->families[p->family_count++];
    family->queueFlags = bits;
    family->queueCount = 1;
    family->timestampValidBits = (uint32_t)number(l, end);
    family->minImageTransferGranularity.width = 1;
    return true;
  }
  return false;
}

static bool read_heap(profile *p, const line *l) {
  const uint32_t i = p->memory.memoryHeapCount;
  if (i == VK_MAX_MEMORY_HEAPS || l->count < 3) {
    return false;
  }
  p->memory.memoryHeapCount++;
  p->memory.memoryHeaps[i].size = number(l, 1);
  p->memory.memoryHeaps[i].flags =
      strcmp(l->words[2], "local") == 0 ? VK_MEMORY_HEAP_DEVICE_LOCAL_BIT : 0;
  p->budgets[i] = number(l, 3);
  return true;
}

static bool read_names(profile *p, const line *l) {
  const size_t known = sizeof webnn_profile_features / sizeof *webnn_profile_features;
  uint32_t i;
  size_t j;
  for (i = 1; i < l->count; i++) {
    if (strcmp(l->words[0], "extension") == 0) {
      if (p->extension_count == MOST_NAMES) {
        return false;
      }
      snprintf(p->extensions[p->extension_count++], VK_MAX_EXTENSION_NAME_SIZE, "%s", l->words[i]);
      continue;
    }
    for (j = 0; j < known && strcmp(webnn_profile_features[j].name, l->words[i]) != 0; j++) {
    }
    if (j == known) {
      return false;
    }
    p->features |= webnn_profile_features[j].bit;
  }
  return true;
}

static bool read_expectation(const line *l) {
  uint32_t i;
  if (l->count == 3 && strcmp(l->words[1], "family") == 0) {
    counts.expected_family = (uint32_t)number(l, 2);
    return true;
  }
  for (i = 0; i < 3 && l->count == 5; i++) {
    counts.expected_types[i] = (uint32_t)number(l, i + 2);
  }
  return i == 3 && strcmp(l->words[1], "memory") == 0;
}

static bool read_number(profile *p, const line *l, uint32_t *given) {
  static const struct {
    const char *name;
    size_t offset;
    uint32_t count;
  } rows[] = {
#define ROW(name, count) {#name, offsetof(numbers, name), count},
      NUMBERS(ROW)};
  uint32_t i, j;
  for (i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (strcmp(rows[i].name, l->words[0]) == 0 && l->count == rows[i].count + 1) {
      uint64_t *values = (uint64_t *)(void *)((char *)&p->n + rows[i].offset);
      for (j = 0; j < rows[i].count; j++) {
        values[j] = number(l, j + 1);
      }
      *given |= 1u << i;
      return true;
    }
  }
  return false;
}

static bool read_line(profile *p, const line *l, const char *rest, uint32_t *given) {
  const char *key = l->words[0];
  if (strcmp(key, "name") == 0) {
    snprintf(p->name, sizeof p->name, "%.255s", rest);
    return true;
  }
  if (strcmp(key, "type") == 0 && l->count == 2) {
    p->type = strcmp(l->words[1], "discrete") == 0 ? VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU
                                                   : VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU;
    return true;
  }
  if (strcmp(key, "version") == 0 && l->count == 2) {
    p->version = VK_MAKE_API_VERSION(0, 1, (uint32_t)atoi(l->words[1] + 2), 0);
    return true;
  }
  if (strcmp(key, "vendor") == 0 || strcmp(key, "buffers") == 0) {
    *(*key == 'v' ? &p->vendor : &p->buffers) = (uint32_t)number(l, 1);
    return true;
  }
  if (strcmp(key, "heap") == 0) {
    return read_heap(p, l);
  }
  if (strcmp(key, "memory") == 0 || strcmp(key, "family") == 0) {
    return read_flags(p, l);
  }
  if (strcmp(key, "extension") == 0 || strcmp(key, "feature") == 0) {
    return read_names(p, l);
  }
  return strcmp(key, "expect") == 0 ? read_expectation(l) : read_number(p, l, given);
}

/* Reads a profile; a line that is none, or a number that is missing, is said. */
bool profile_open(const char *path);
bool profile_open(const char *path) {
  enum { ALL = (1 << 13) - 1 };
  FILE *file = path != NULL ? fopen(path, "r") : NULL;
  char text[512], rest[512];
  profile p;
  uint32_t given = 0;
  memset(&p, 0, sizeof p);
  memset(&counts, 0, sizeof counts);
  memset(heap_used, 0, sizeof heap_used);
  broken = false;
  while (file != NULL && fgets(text, sizeof text, file) != NULL) {
    line l = {{NULL}, 0};
    char *at;
    text[strcspn(text, "#\n")] = 0;
    at = text + strcspn(text, " ");
    snprintf(rest, sizeof rest, "%s", at + strspn(at, " "));
    for (at = strtok(text, " "); at != NULL && l.count < 24; at = strtok(NULL, " ")) {
      l.words[l.count++] = at;
    }
    if (l.count > 0 && !read_line(&p, &l, rest, &given)) {
      fprintf(stderr, "%s: not a line of a profile: %s %s\n", path, l.words[0], rest);
      fclose(file);
      return false;
    }
  }
  if (file != NULL) {
    fclose(file);
  }
  if (given != ALL || p.family_count == 0 || p.memory.memoryTypeCount == 0 || *p.name == 0) {
    fprintf(stderr, "%s: not a whole profile\n", path != NULL ? path : "WEBNN_PROFILE");
    return false;
  }
  now = p;
  counts.may_be_unchecked = (p.features & PIPELINES) != 0;
  return true;
}

void profile_take(profile_counts *taken);
void profile_take(profile_counts *taken) {
  pthread_mutex_lock(&mutex);
  *taken = counts;
  counts.refusals = 0;
  counts.first[0] = 0;
  broken = false;
  pthread_mutex_unlock(&mutex);
}

/* Says that a call is refused; returns the result that the call then has. With the mutex or without. */
static VkResult refuse(const char *format, ...) {
  char text[sizeof counts.first];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (getenv("WEBNN_PROFILE") != NULL) { /* and not a program that reads the counts */
    fprintf(stderr, "refused: %s: %s\n", now.name, text);
  }
  if (counts.refusals++ == 0) {
    memcpy(counts.first, text, sizeof text);
  }
  broken = true;
  return VK_ERROR_UNKNOWN;
}

static bool has_extension(const char *name) {
  uint32_t i;
  for (i = 0; i < now.extension_count; i++) {
    if (strcmp(now.extensions[i], name) == 0) {
      return true;
    }
  }
  return false;
}

/* Can it be pretended, whatever the driver has? */
static bool is_pretended(const char *name) {
  return strcmp(name, VK_EXT_MEMORY_BUDGET_EXTENSION_NAME) == 0 ||
         strcmp(name, VK_EXT_PIPELINE_ROBUSTNESS_EXTENSION_NAME) == 0 ||
         strcmp(name, "VK_KHR_portability_subset") == 0;
}

/* ---- Functions behind this loader -------------------------------------------------------------- */

#define REPLACED(X)                                                                                \
  X(GetPhysicalDeviceProperties)                                                                   \
  X(GetPhysicalDeviceProperties2)                                                                  \
  X(GetPhysicalDeviceFeatures2)                                                                    \
  X(GetPhysicalDeviceMemoryProperties)                                                             \
  X(GetPhysicalDeviceMemoryProperties2)                                                            \
  X(GetPhysicalDeviceQueueFamilyProperties)                                                        \
  X(EnumerateDeviceExtensionProperties)                                                            \
  X(CreateDevice)                                                                                  \
  X(DestroyDevice)                                                                                 \
  X(GetDeviceQueue)                                                                                \
  X(QueueSubmit)                                                                                   \
  X(AllocateMemory)                                                                                \
  X(FreeMemory)                                                                                    \
  X(MapMemory)                                                                                     \
  X(FlushMappedMemoryRanges)                                                                       \
  X(InvalidateMappedMemoryRanges)                                                                  \
  X(CreateBuffer)                                                                                  \
  X(DestroyBuffer)                                                                                 \
  X(GetBufferMemoryRequirements)                                                                   \
  X(BindBufferMemory)                                                                              \
  X(CreateCommandPool)                                                                             \
  X(AllocateCommandBuffers)                                                                        \
  X(CmdDispatch)                                                                                   \
  X(CmdDispatchBase)                                                                               \
  X(CmdFillBuffer)                                                                                 \
  X(CmdPushConstants)                                                                              \
  X(CmdWriteTimestamp)                                                                             \
  X(GetQueryPoolResults)                                                                           \
  X(CreateDescriptorSetLayout)                                                                     \
  X(CreatePipelineLayout)                                                                          \
  X(UpdateDescriptorSets)                                                                          \
  X(CreateShaderModule)                                                                            \
  X(DestroyShaderModule)                                                                           \
  X(CreateComputePipelines)                                                                        \
  X(CreatePipelineCache)                                                                           \
  X(GetPipelineCacheData)                                                                          \
  X(CreateSemaphore)                                                                               \
  X(GetDeviceProcAddr)

static struct {
  PFN_vkGetInstanceProcAddr GetInstanceProcAddr;
#define POINTER(name) PFN_vk##name name;
  REPLACED(POINTER)
} real;

/* ---- Objects ----------------------------------------------------------------------------------- */

typedef enum kind { A_DEVICE, SOME_MEMORY, A_BUFFER, SOME_COMMANDS, A_MODULE } kind;

/* What is remembered of an object; of its device alone it may be nothing else. */
typedef struct object {
  struct object *next;
  kind is;
  uint64_t handle;
  struct object *device;
  uint64_t size;             /* of a module: a hash of it */
  uint32_t type;             /* of memory */
  unsigned char *data;       /* where the driver has mapped it */
  unsigned char *seen;       /* of memory that is not coherent: what the program sees of it */
  uint32_t features, family; /* of a device: what is switched on, and of its one queue */
  uint32_t allocations;
} object;

static object *objects;

enum { MOST_CACHED = 4096 };

/* The cache of pipelines: the driver's header, then a hash of each module. */
static struct {
  VkPipelineCacheHeaderVersionOne header;
  uint64_t hashes[MOST_CACHED];
  uint32_t count;
} cache;

#define HANDLE(h) ((uint64_t)(uintptr_t)(h))

/* With the mutex, as all below. NULL: not one of ours. */
static object *find(kind is, uint64_t handle) {
  object *o = objects;
  while (o != NULL && (o->is != is || o->handle != handle)) {
    o = o->next;
  }
  return o;
}

static object *add(kind is, uint64_t handle, object *device) {
  object *o = (object *)calloc(1, sizeof *o);
  if (o == NULL) {
    abort();
  }
  o->is = is;
  o->handle = handle;
  o->device = device;
  o->next = objects;
  objects = o;
  return o;
}

static void forget(object *o) {
  object **link = &objects;
  while (*link != o) {
    link = &(*link)->next;
  }
  *link = o->next;
  free(o->seen);
  free(o);
}

static object *lock_device(VkDevice device) {
  pthread_mutex_lock(&mutex);
  return find(A_DEVICE, HANDLE(device));
}

static void unlock(void) {
  pthread_mutex_unlock(&mutex);
}

/* ---- The physical device ----------------------------------------------------------------------- */

static void rewrite_properties(VkPhysicalDeviceProperties *p) {
  VkPhysicalDeviceLimits *limits = &p->limits;
  const numbers *n = &now.n;
  uint32_t i;
  memcpy(p->deviceName, now.name, sizeof p->deviceName);
  p->deviceType = now.type;
  p->vendorID = now.vendor;
  p->apiVersion = now.version < p->apiVersion ? now.version : p->apiVersion;
  limits->maxStorageBufferRange = (uint32_t)n->maxStorageBufferRange[0];
  limits->maxPushConstantsSize = (uint32_t)n->maxPushConstantsSize[0];
  limits->maxMemoryAllocationCount = (uint32_t)n->maxMemoryAllocationCount[0];
  limits->maxPerStageDescriptorStorageBuffers = (uint32_t)n->maxPerStageDescriptorStorageBuffers[0];
  limits->maxComputeSharedMemorySize = (uint32_t)n->maxComputeSharedMemorySize[0];
  limits->maxComputeWorkGroupInvocations = (uint32_t)n->maxComputeWorkGroupInvocations[0];
  for (i = 0; i < 3; i++) {
    limits->maxComputeWorkGroupCount[i] = (uint32_t)n->maxComputeWorkGroupCount[i];
    limits->maxComputeWorkGroupSize[i] = (uint32_t)n->maxComputeWorkGroupSize[i];
  }
  limits->minStorageBufferOffsetAlignment = n->minStorageBufferOffsetAlignment[0];
  limits->nonCoherentAtomSize = n->nonCoherentAtomSize[0];
  cache.header.headerSize = sizeof cache.header;
  cache.header.headerVersion = VK_PIPELINE_CACHE_HEADER_VERSION_ONE;
  cache.header.vendorID = p->vendorID;
  cache.header.deviceID = p->deviceID;
  memcpy(cache.header.pipelineCacheUUID, p->pipelineCacheUUID, VK_UUID_SIZE);
}

static VKAPI_ATTR void VKAPI_CALL
its_GetPhysicalDeviceProperties(VkPhysicalDevice device, VkPhysicalDeviceProperties *properties) {
  real.GetPhysicalDeviceProperties(device, properties);
  rewrite_properties(properties);
}

/* What the driver does and the profile lacks is off. */
static void rewrite_float_controls(VkPhysicalDeviceFloatControlsProperties *p) {
  p->shaderRoundingModeRTEFloat32 &= (now.features & ROUNDS_32) != 0;
  p->shaderRoundingModeRTEFloat16 &= (now.features & ROUNDS_16) != 0;
  p->shaderSignedZeroInfNanPreserveFloat32 &= (now.features & PRESERVES_32) != 0;
  p->shaderSignedZeroInfNanPreserveFloat16 &= (now.features & PRESERVES_16) != 0;
  p->shaderDenormPreserveFloat32 = VK_FALSE; /* in no profile */
  p->shaderDenormPreserveFloat16 = (now.features & SUBNORMALS_16) != 0;
  p->denormBehaviorIndependence = VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_ALL;
}

static void rewrite_more_properties(VkBaseOutStructure *s) {
  void *found = s;
  if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES) {
    ((VkPhysicalDeviceMaintenance3Properties *)found)->maxMemoryAllocationSize =
        now.n.maxMemoryAllocationSize[0];
  } else if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_PROPERTIES) {
    ((VkPhysicalDeviceMaintenance4Properties *)found)->maxBufferSize = now.n.maxBufferSize[0];
  } else if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES) {
    ((VkPhysicalDeviceSubgroupProperties *)found)->subgroupSize = (uint32_t)now.n.subgroupSize[0];
  } else if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES) {
    VkPhysicalDeviceSubgroupSizeControlProperties *p =
        (VkPhysicalDeviceSubgroupSizeControlProperties *)found;
    p->minSubgroupSize = (uint32_t)now.n.subgroupSize[1];
    p->maxSubgroupSize = (uint32_t)now.n.subgroupSize[2];
    p->requiredSubgroupSizeStages = VK_SHADER_STAGE_COMPUTE_BIT;
  } else if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES) {
    rewrite_float_controls((VkPhysicalDeviceFloatControlsProperties *)found);
  }
}

static VKAPI_ATTR void VKAPI_CALL
its_GetPhysicalDeviceProperties2(VkPhysicalDevice device, VkPhysicalDeviceProperties2 *properties) {
  VkBaseOutStructure *next = (VkBaseOutStructure *)properties->pNext;
  real.GetPhysicalDeviceProperties2(device, properties);
  rewrite_properties(&properties->properties);
  for (; next != NULL; next = next->pNext) {
    rewrite_more_properties(next);
  }
}

/* Structures of features: the profile's bit of each member, 0 for those that no profile has. */
typedef struct feature_structure {
  VkStructureType type;
  uint32_t count, members[3];
  uint32_t core; /* the version that has them without the extension */
  const char *extension;
} feature_structure;

static const feature_structure feature_structures[] = {
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES,
     1,
     {TIMELINE},
     VK_API_VERSION_1_2,
     "VK_KHR_timeline_semaphore"},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES,
     2,
     {FLOAT16, 0},
     VK_API_VERSION_1_2,
     "VK_KHR_shader_float16_int8"},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_FEATURES,
     1,
     {DOT},
     VK_API_VERSION_1_3,
     "VK_KHR_shader_integer_dot_product"},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES,
     2,
     {SIZES, SIZES},
     VK_API_VERSION_1_3,
     "VK_EXT_subgroup_size_control"},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES,
     3,
     {MEMORY_MODEL, MEMORY_MODEL, 0},
     VK_API_VERSION_1_2,
     "VK_KHR_vulkan_memory_model"},
    {(VkStructureType)1000506000, 2, {MATRICES, 0}, UINT32_MAX, "VK_KHR_cooperative_matrix"},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_ROBUSTNESS_FEATURES_EXT,
     1,
     {PIPELINES},
     UINT32_MAX,
     "VK_EXT_pipeline_robustness"},
};

static const feature_structure *find_structure(VkStructureType type) {
  size_t i;
  for (i = 0; i < sizeof feature_structures / sizeof *feature_structures; i++) {
    if (feature_structures[i].type == type) {
      return &feature_structures[i];
    }
  }
  return NULL;
}

/* The members of such a structure. */
static VkBool32 *members(const VkBaseOutStructure *s) {
  return &((VkPhysicalDeviceTimelineSemaphoreFeatures *)(void *)(uintptr_t)s)->timelineSemaphore;
}

static VKAPI_ATTR void VKAPI_CALL
its_GetPhysicalDeviceFeatures2(VkPhysicalDevice device, VkPhysicalDeviceFeatures2 *features) {
  VkBaseOutStructure *next = (VkBaseOutStructure *)features->pNext;
  real.GetPhysicalDeviceFeatures2(device, features);
  features->features.robustBufferAccess &= (now.features & ROBUST) != 0;
  for (; next != NULL; next = next->pNext) {
    const feature_structure *s = find_structure(next->sType);
    uint32_t i;
    for (i = 0; s != NULL && i < s->count; i++) {
      const VkBool32 has = (now.features & s->members[i]) != 0;
      members(next)[i] = is_pretended(s->extension) ? has : (members(next)[i] & has);
    }
  }
}

static VKAPI_ATTR void VKAPI_CALL its_GetPhysicalDeviceMemoryProperties(
    VkPhysicalDevice device, VkPhysicalDeviceMemoryProperties *memory) {
  (void)device;
  *memory = now.memory;
}

static VKAPI_ATTR void VKAPI_CALL its_GetPhysicalDeviceMemoryProperties2(
    VkPhysicalDevice device, VkPhysicalDeviceMemoryProperties2 *memory) {
  VkBaseOutStructure *next = (VkBaseOutStructure *)memory->pNext;
  uint32_t i;
  (void)device;
  memory->memoryProperties = now.memory;
  for (; next != NULL; next = next->pNext) {
    if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT) {
      VkPhysicalDeviceMemoryBudgetPropertiesEXT *budget =
          (VkPhysicalDeviceMemoryBudgetPropertiesEXT *)(void *)next;
      pthread_mutex_lock(&mutex);
      for (i = 0; i < now.memory.memoryHeapCount; i++) {
        budget->heapBudget[i] =
            now.budgets[i] > 0 ? now.budgets[i] : now.memory.memoryHeaps[i].size;
        budget->heapUsage[i] = heap_used[i];
      }
      unlock();
    }
  }
}

static VKAPI_ATTR void VKAPI_CALL its_GetPhysicalDeviceQueueFamilyProperties(
    VkPhysicalDevice device, uint32_t *count, VkQueueFamilyProperties *families) {
  (void)device;
  if (families != NULL) {
    *count = *count < now.family_count ? *count : now.family_count;
    memcpy(families, now.families, *count * sizeof *families);
  } else {
    *count = now.family_count;
  }
}

/* The extensions of both, and those that are pretended. */
static VKAPI_ATTR VkResult VKAPI_CALL its_EnumerateDeviceExtensionProperties(
    VkPhysicalDevice device, const char *layer, uint32_t *count, VkExtensionProperties *list) {
  static VkExtensionProperties all[1024];
  uint32_t found = 1024, i, j, kept = 0;
  VkResult result;
  pthread_mutex_lock(&mutex);
  result = real.EnumerateDeviceExtensionProperties(device, layer, &found, all);
  for (i = 0; i < now.extension_count && result == VK_SUCCESS; i++) {
    for (j = 0; j < found && strcmp(all[j].extensionName, now.extensions[i]) != 0; j++) {
    }
    if (j == found && !is_pretended(now.extensions[i])) {
      continue;
    }
    if (list != NULL && kept < *count) {
      memset(&list[kept], 0, sizeof *list);
      memcpy(list[kept].extensionName, now.extensions[i], sizeof list[kept].extensionName);
      list[kept].specVersion = 1;
    }
    kept++;
  }
  unlock();
  result = result == VK_SUCCESS && list != NULL && kept > *count ? VK_INCOMPLETE : result;
  *count = list != NULL && kept > *count ? *count : kept;
  return result;
}

/* ---- The device -------------------------------------------------------------------------------- */

static bool enables(const VkDeviceCreateInfo *info, const char *name) {
  uint32_t i;
  for (i = 0; i < info->enabledExtensionCount; i++) {
    if (strcmp(info->ppEnabledExtensionNames[i], name) == 0) {
      return true;
    }
  }
  return false;
}

/* The features of one structure that are switched on; refuses those that the profile lacks. */
static VkResult check_structure(const VkDeviceCreateInfo *info, const VkBaseOutStructure *s,
                                uint32_t *on) {
  const feature_structure *known = find_structure(s->sType);
  uint32_t i;
  if (known == NULL) {
    return refuse("vkCreateDevice: a structure of type %d", (int)s->sType);
  }
  if (now.version < known->core && !enables(info, known->extension)) {
    return refuse("vkCreateDevice: features of %s, which is off", known->extension);
  }
  for (i = 0; i < known->count; i++) {
    const uint32_t bit = known->members[i];
    if (members(s)[i] != VK_FALSE && (now.features & bit) == 0) {
      return refuse("vkCreateDevice: a feature of %s that is not there", known->extension);
    }
    *on |= members(s)[i] != VK_FALSE ? bit : 0;
  }
  return VK_SUCCESS;
}

static VkResult check_features(const VkDeviceCreateInfo *info, uint32_t *on) {
  const VkBaseOutStructure *s = (const VkBaseOutStructure *)info->pNext;
  VkResult result = VK_SUCCESS;
  *on = 0;
  for (; s != NULL && result == VK_SUCCESS; s = s->pNext) {
    if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2) {
      VkPhysicalDeviceFeatures all = ((const VkPhysicalDeviceFeatures2 *)(const void *)s)->features;
      static const VkPhysicalDeviceFeatures none;
      *on |= all.robustBufferAccess ? ROBUST : 0;
      if (all.robustBufferAccess && (now.features & ROBUST) == 0) {
        result = refuse("vkCreateDevice: robustBufferAccess is not there");
      }
      all.robustBufferAccess = VK_FALSE;
      if (memcmp(&all, &none, sizeof all) != 0) {
        result = refuse("vkCreateDevice: a feature of Vulkan 1.0 that no profile has");
      }
    } else {
      result = check_structure(info, s, on);
    }
  }
  return result;
}

static VkResult check_device(const VkDeviceCreateInfo *info, uint32_t *on) {
  uint32_t i;
  for (i = 0; i < info->enabledExtensionCount; i++) {
    if (!has_extension(info->ppEnabledExtensionNames[i])) {
      return refuse("vkCreateDevice: the extension %s is not there",
                    info->ppEnabledExtensionNames[i]);
    }
  }
  if (has_extension("VK_KHR_portability_subset") && !enables(info, "VK_KHR_portability_subset")) {
    return refuse("vkCreateDevice: VK_KHR_portability_subset is there, and must be on");
  }
  for (i = 0; i < info->queueCreateInfoCount; i++) {
    if (info->pQueueCreateInfos[i].queueFamilyIndex >= now.family_count) {
      return refuse("vkCreateDevice: family %u of %u",
                    (unsigned)info->pQueueCreateInfos[i].queueFamilyIndex,
                    (unsigned)now.family_count);
    }
  }
  return check_features(info, on);
}

/* Makes the driver's device, of its family 0, without what is only pretended. The structures of the program
   are as they were when this returns. */
static VkResult make_device(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                            const VkAllocationCallbacks *callbacks, VkDevice *device) {
  const char *names[MOST_NAMES];
  VkDeviceCreateInfo changed = *info;
  VkDeviceQueueCreateInfo queue = info->pQueueCreateInfos[0];
  VkBaseOutStructure *s = (VkBaseOutStructure *)(uintptr_t)info->pNext, *skipped = NULL;
  VkResult result;
  uint32_t i;
  changed.enabledExtensionCount = 0;
  changed.ppEnabledExtensionNames = names;
  for (i = 0; i < info->enabledExtensionCount && i < MOST_NAMES; i++) {
    if (!is_pretended(info->ppEnabledExtensionNames[i])) {
      names[changed.enabledExtensionCount++] = info->ppEnabledExtensionNames[i];
    }
  }
  queue.queueFamilyIndex = 0;
  changed.pQueueCreateInfos = &queue;
  changed.queueCreateInfoCount = 1;
  for (; s != NULL && s->pNext != NULL; s = s->pNext) {
    if (s->pNext->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_ROBUSTNESS_FEATURES_EXT) {
      skipped = s->pNext;
      s->pNext = skipped->pNext;
      break;
    }
  }
  result = real.CreateDevice(physical, &changed, callbacks, device);
  if (skipped != NULL) {
    s->pNext = skipped;
  }
  return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL its_CreateDevice(VkPhysicalDevice physical,
                                                       const VkDeviceCreateInfo *info,
                                                       const VkAllocationCallbacks *callbacks,
                                                       VkDevice *device) {
  uint32_t on = 0;
  VkResult result;
  pthread_mutex_lock(&mutex);
  result = check_device(info, &on);
  result = result == VK_SUCCESS ? make_device(physical, info, callbacks, device) : result;
  if (result == VK_SUCCESS) {
    object *made = add(A_DEVICE, HANDLE(*device), NULL);
    made->features = on;
    made->family = counts.family = info->pQueueCreateInfos[0].queueFamilyIndex;
  }
  unlock();
  return result;
}

static VKAPI_ATTR void VKAPI_CALL its_DestroyDevice(VkDevice device,
                                                    const VkAllocationCallbacks *callbacks) {
  object *made = lock_device(device), *o = objects;
  while (o != NULL) { /* command buffers go with their device */
    object *next = o->next;
    if (o->device == made && made != NULL) {
      forget(o);
    }
    o = next;
  }
  if (made != NULL) {
    forget(made);
  }
  unlock();
  real.DestroyDevice(device, callbacks);
}

static VKAPI_ATTR void VKAPI_CALL its_GetDeviceQueue(VkDevice device, uint32_t family,
                                                     uint32_t index, VkQueue *queue) {
  const object *made = lock_device(device);
  if (made != NULL && family != made->family) {
    (void)refuse("vkGetDeviceQueue: family %u, not %u", (unsigned)family, (unsigned)made->family);
  }
  unlock();
  real.GetDeviceQueue(device, 0, index, queue);
}

static VKAPI_ATTR VkResult VKAPI_CALL its_QueueSubmit(VkQueue queue, uint32_t count,
                                                      const VkSubmitInfo *infos, VkFence fence) {
  return broken ? VK_ERROR_DEVICE_LOST : real.QueueSubmit(queue, count, infos, fence);
}

static VKAPI_ATTR VkResult VKAPI_CALL its_CreateSemaphore(VkDevice device,
                                                          const VkSemaphoreCreateInfo *info,
                                                          const VkAllocationCallbacks *callbacks,
                                                          VkSemaphore *semaphore) {
  const object *made = lock_device(device);
  VkResult result = VK_SUCCESS;
  if (made != NULL && info->pNext != NULL && (made->features & TIMELINE) == 0) {
    result = refuse("vkCreateSemaphore: timelineSemaphore is off");
  }
  unlock();
  return result == VK_SUCCESS ? real.CreateSemaphore(device, info, callbacks, semaphore) : result;
}

/* ---- Memory ------------------------------------------------------------------------------------ */

static VkMemoryPropertyFlags flags_of(uint32_t type) {
  return now.memory.memoryTypes[type].propertyFlags;
}

static VkResult check_allocation(const object *device, const VkMemoryAllocateInfo *info) {
  const VkMemoryPropertyFlags closed = VK_MEMORY_PROPERTY_PROTECTED_BIT |
                                       VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD |
                                       VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT;
  const uint64_t size = info->allocationSize;
  const uint32_t type = info->memoryTypeIndex;
  if (type >= now.memory.memoryTypeCount) {
    return refuse("vkAllocateMemory: type %u of %u", (unsigned)type,
                  (unsigned)now.memory.memoryTypeCount);
  }
  if ((flags_of(type) & closed) != 0) {
    return refuse("vkAllocateMemory: type %u is not for buffers", (unsigned)type);
  }
  if (size > now.n.maxMemoryAllocationSize[0] ||
      size > now.memory.memoryHeaps[now.memory.memoryTypes[type].heapIndex].size) {
    return refuse("vkAllocateMemory: %lu bytes of type %u", (unsigned long)size, (unsigned)type);
  }
  if (device->allocations >= now.n.maxMemoryAllocationCount[0]) {
    return refuse("vkAllocateMemory: more than %lu allocations",
                  (unsigned long)now.n.maxMemoryAllocationCount[0]);
  }
  return VK_SUCCESS;
}

/* A full heap is no refusal, but an error as any device gives it. Software drivers have one type of memory,
   number 0, that does everything. */
static VKAPI_ATTR VkResult VKAPI_CALL its_AllocateMemory(VkDevice device,
                                                         const VkMemoryAllocateInfo *info,
                                                         const VkAllocationCallbacks *callbacks,
                                                         VkDeviceMemory *memory) {
  object *made = lock_device(device);
  VkMemoryAllocateInfo changed = *info;
  VkResult result = check_allocation(made, info);
  if (result == VK_SUCCESS) {
    const uint32_t heap = now.memory.memoryTypes[info->memoryTypeIndex].heapIndex;
    changed.memoryTypeIndex = 0;
    result = heap_used[heap] + info->allocationSize > now.memory.memoryHeaps[heap].size
                 ? VK_ERROR_OUT_OF_DEVICE_MEMORY
                 : real.AllocateMemory(device, &changed, callbacks, memory);
    if (result == VK_SUCCESS) {
      object *o = add(SOME_MEMORY, HANDLE(*memory), made);
      o->size = info->allocationSize;
      o->type = info->memoryTypeIndex;
      heap_used[heap] += o->size;
      counts.allocations[o->type]++;
      made->allocations++;
    }
  }
  unlock();
  return result;
}

static VKAPI_ATTR void VKAPI_CALL its_FreeMemory(VkDevice device, VkDeviceMemory memory,
                                                 const VkAllocationCallbacks *callbacks) {
  object *o;
  pthread_mutex_lock(&mutex);
  o = find(SOME_MEMORY, HANDLE(memory));
  if (o != NULL) {
    heap_used[now.memory.memoryTypes[o->type].heapIndex] -= o->size;
    o->device->allocations--;
    forget(o);
  }
  unlock();
  real.FreeMemory(device, memory, callbacks);
}

/* Memory that is not coherent is seen through a copy, which begins as nonsense. */
static VKAPI_ATTR VkResult VKAPI_CALL its_MapMemory(VkDevice device, VkDeviceMemory memory,
                                                    VkDeviceSize offset, VkDeviceSize size,
                                                    VkMemoryMapFlags flags, void **data) {
  object *o;
  VkResult result = VK_SUCCESS;
  pthread_mutex_lock(&mutex);
  o = find(SOME_MEMORY, HANDLE(memory));
  if (o == NULL || (flags_of(o->type) & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT) == 0) {
    result = refuse("vkMapMemory: memory that the host cannot see");
  } else if (offset != 0 || size != VK_WHOLE_SIZE) {
    result = refuse("vkMapMemory: a part, which this loader does not know");
  } else {
    result = real.MapMemory(device, memory, offset, size, flags, data);
  }
  if (result == VK_SUCCESS && (flags_of(o->type) & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT) == 0) {
    o->data = (unsigned char *)*data;
    o->seen = (unsigned char *)malloc((size_t)o->size);
    if (o->seen == NULL) {
      abort();
    }
    memset(o->seen, 0xa5, (size_t)o->size);
    *data = o->seen;
  }
  unlock();
  return result;
}

/* Copies ranges between what the program sees and what the device does. */
static VkResult copy_ranges(const char *name, uint32_t count, const VkMappedMemoryRange *ranges,
                            bool to_device) {
  const uint64_t atom = now.n.nonCoherentAtomSize[0];
  uint32_t i;
  for (i = 0; i < count; i++) {
    const VkMappedMemoryRange *range = &ranges[i];
    const object *o = find(SOME_MEMORY, HANDLE(range->memory));
    uint64_t size = range->size;
    if (o == NULL || range->offset > o->size) {
      return refuse("%s: no such range", name);
    }
    size = size == VK_WHOLE_SIZE ? o->size - range->offset : size;
    if (range->offset % atom != 0 || size > o->size - range->offset ||
        (size % atom != 0 && range->offset + size != o->size)) {
      return refuse("%s: %lu bytes from %lu, with atoms of %lu", name, (unsigned long)size,
                    (unsigned long)range->offset, (unsigned long)atom);
    }
    if (o->seen != NULL) {
      memcpy((to_device ? o->data : o->seen) + range->offset,
             (to_device ? o->seen : o->data) + range->offset, (size_t)size);
    }
  }
  return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL
its_FlushMappedMemoryRanges(VkDevice device, uint32_t count, const VkMappedMemoryRange *ranges) {
  VkResult result;
  (void)device;
  pthread_mutex_lock(&mutex);
  counts.flushes++;
  result = copy_ranges("vkFlushMappedMemoryRanges", count, ranges, true);
  unlock();
  return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL its_InvalidateMappedMemoryRanges(
    VkDevice device, uint32_t count, const VkMappedMemoryRange *ranges) {
  VkResult result;
  (void)device;
  pthread_mutex_lock(&mutex);
  counts.invalidations++;
  result = copy_ranges("vkInvalidateMappedMemoryRanges", count, ranges, false);
  unlock();
  return result;
}

/* ---- Buffers ----------------------------------------------------------------------------------- */

static VKAPI_ATTR VkResult VKAPI_CALL its_CreateBuffer(VkDevice device,
                                                       const VkBufferCreateInfo *info,
                                                       const VkAllocationCallbacks *callbacks,
                                                       VkBuffer *buffer) {
  object *made = lock_device(device);
  VkResult result = VK_SUCCESS;
  if (info->size > now.n.maxBufferSize[0]) {
    result = refuse("vkCreateBuffer: %lu bytes, not %lu", (unsigned long)info->size,
                    (unsigned long)now.n.maxBufferSize[0]);
  } else {
    result = real.CreateBuffer(device, info, callbacks, buffer);
  }
  if (result == VK_SUCCESS) {
    add(A_BUFFER, HANDLE(*buffer), made)->size = info->size;
  }
  unlock();
  return result;
}

static VKAPI_ATTR void VKAPI_CALL its_DestroyBuffer(VkDevice device, VkBuffer buffer,
                                                    const VkAllocationCallbacks *callbacks) {
  object *o;
  pthread_mutex_lock(&mutex);
  o = find(A_BUFFER, HANDLE(buffer));
  if (o != NULL) {
    forget(o);
  }
  unlock();
  real.DestroyBuffer(device, buffer, callbacks);
}

static VKAPI_ATTR void VKAPI_CALL its_GetBufferMemoryRequirements(VkDevice device, VkBuffer buffer,
                                                                  VkMemoryRequirements *needs) {
  real.GetBufferMemoryRequirements(device, buffer, needs);
  needs->memoryTypeBits = now.buffers;
}

static VKAPI_ATTR VkResult VKAPI_CALL its_BindBufferMemory(VkDevice device, VkBuffer buffer,
                                                           VkDeviceMemory memory,
                                                           VkDeviceSize offset) {
  const object *o;
  VkResult result = VK_SUCCESS;
  pthread_mutex_lock(&mutex);
  o = find(SOME_MEMORY, HANDLE(memory));
  if (o == NULL || (now.buffers >> o->type & 1) == 0) {
    result = refuse("vkBindBufferMemory: a type of memory that is not for buffers");
  }
  unlock();
  return result == VK_SUCCESS ? real.BindBufferMemory(device, buffer, memory, offset) : result;
}

/* ---- Commands ---------------------------------------------------------------------------------- */

static VKAPI_ATTR VkResult VKAPI_CALL its_CreateCommandPool(VkDevice device,
                                                            const VkCommandPoolCreateInfo *info,
                                                            const VkAllocationCallbacks *callbacks,
                                                            VkCommandPool *pool) {
  const object *made = lock_device(device);
  VkCommandPoolCreateInfo changed = *info;
  VkResult result = VK_SUCCESS;
  if (made != NULL && info->queueFamilyIndex != made->family) {
    result = refuse("vkCreateCommandPool: family %u, not %u", (unsigned)info->queueFamilyIndex,
                    (unsigned)made->family);
  }
  unlock();
  changed.queueFamilyIndex = 0;
  return result == VK_SUCCESS ? real.CreateCommandPool(device, &changed, callbacks, pool) : result;
}

static VKAPI_ATTR VkResult VKAPI_CALL its_AllocateCommandBuffers(
    VkDevice device, const VkCommandBufferAllocateInfo *info, VkCommandBuffer *buffers) {
  const VkResult result = real.AllocateCommandBuffers(device, info, buffers);
  object *made = lock_device(device);
  uint32_t i;
  for (i = 0; i < info->commandBufferCount && result == VK_SUCCESS; i++) {
    object *o = find(SOME_COMMANDS, HANDLE(buffers[i])); /* of an earlier one with this handle */
    if (o == NULL) {
      o = add(SOME_COMMANDS, HANDLE(buffers[i]), made);
    }
    o->device = made;
  }
  unlock();
  return result;
}

static void check_groups(const uint32_t first[3], const uint32_t groups[3]) {
  uint32_t i;
  for (i = 0; i < 3; i++) {
    if ((uint64_t)first[i] + groups[i] > now.n.maxComputeWorkGroupCount[i]) {
      (void)refuse("vkCmdDispatch: %u workgroups from %u in direction %u, not %lu",
                   (unsigned)groups[i], (unsigned)first[i], (unsigned)i,
                   (unsigned long)now.n.maxComputeWorkGroupCount[i]);
    }
  }
}

static VKAPI_ATTR void VKAPI_CALL its_CmdDispatch(VkCommandBuffer commands, uint32_t x, uint32_t y,
                                                  uint32_t z) {
  const uint32_t first[3] = {0, 0, 0};
  uint32_t groups[3];
  groups[0] = x;
  groups[1] = y;
  groups[2] = z;
  check_groups(first, groups);
  real.CmdDispatch(commands, x, y, z);
}

static VKAPI_ATTR void VKAPI_CALL its_CmdDispatchBase(VkCommandBuffer commands, uint32_t first_x,
                                                      uint32_t first_y, uint32_t first_z,
                                                      uint32_t x, uint32_t y, uint32_t z) {
  uint32_t first[3], groups[3];
  first[0] = first_x;
  first[1] = first_y;
  first[2] = first_z;
  groups[0] = x;
  groups[1] = y;
  groups[2] = z;
  check_groups(first, groups);
  real.CmdDispatchBase(commands, first_x, first_y, first_z, x, y, z);
}

static VKAPI_ATTR void VKAPI_CALL its_CmdFillBuffer(VkCommandBuffer commands, VkBuffer buffer,
                                                    VkDeviceSize offset, VkDeviceSize size,
                                                    uint32_t data) {
  if (offset % 4 != 0 || (size % 4 != 0 && size != VK_WHOLE_SIZE)) {
    (void)refuse("vkCmdFillBuffer: %lu bytes from %lu", (unsigned long)size, (unsigned long)offset);
  }
  real.CmdFillBuffer(commands, buffer, offset, size, data);
}

static VKAPI_ATTR void VKAPI_CALL its_CmdPushConstants(VkCommandBuffer commands,
                                                       VkPipelineLayout layout,
                                                       VkShaderStageFlags stages, uint32_t offset,
                                                       uint32_t size, const void *values) {
  if ((uint64_t)offset + size > now.n.maxPushConstantsSize[0] || offset % 4 != 0 || size % 4 != 0) {
    (void)refuse("vkCmdPushConstants: %u bytes from %u", (unsigned)size, (unsigned)offset);
  }
  real.CmdPushConstants(commands, layout, stages, offset, size, values);
}

static VKAPI_ATTR void VKAPI_CALL its_CmdWriteTimestamp(VkCommandBuffer commands,
                                                        VkPipelineStageFlagBits stage,
                                                        VkQueryPool pool, uint32_t query) {
  const object *o;
  pthread_mutex_lock(&mutex);
  o = find(SOME_COMMANDS, HANDLE(commands));
  if (o != NULL && o->device != NULL && now.families[o->device->family].timestampValidBits == 0) {
    (void)refuse("vkCmdWriteTimestamp: family %u has none", (unsigned)o->device->family);
  }
  unlock();
  real.CmdWriteTimestamp(commands, stage, pool, query);
}

/* Time stamps have the bits of the family, and all but the first of those that a program reads have begun
   again at 0. */
static VKAPI_ATTR VkResult VKAPI_CALL its_GetQueryPoolResults(VkDevice device, VkQueryPool pool,
                                                              uint32_t first, uint32_t count,
                                                              size_t size, void *data,
                                                              VkDeviceSize stride,
                                                              VkQueryResultFlags flags) {
  static uint64_t base;
  const VkResult result =
      real.GetQueryPoolResults(device, pool, first, count, size, data, stride, flags);
  const object *o = lock_device(device);
  const uint32_t bits = o != NULL ? now.families[o->family].timestampValidBits : 64;
  uint64_t stamp;
  uint32_t i;
  for (i = 0; i < count && bits < 64 && result == VK_SUCCESS; i++) {
    memcpy(&stamp, (char *)data + i * stride, sizeof stamp);
    base = first + i == 0 ? stamp + 1 : base;
    stamp = (stamp - base) & (((uint64_t)1 << bits) - 1);
    memcpy((char *)data + i * stride, &stamp, sizeof stamp);
  }
  unlock();
  return result;
}

/* ---- Descriptors ------------------------------------------------------------------------------- */

static VKAPI_ATTR VkResult VKAPI_CALL its_CreateDescriptorSetLayout(
    VkDevice device, const VkDescriptorSetLayoutCreateInfo *info,
    const VkAllocationCallbacks *callbacks, VkDescriptorSetLayout *layout) {
  uint64_t buffers = 0;
  uint32_t i;
  for (i = 0; i < info->bindingCount; i++) {
    buffers += info->pBindings[i].descriptorCount;
  }
  return buffers > now.n.maxPerStageDescriptorStorageBuffers[0]
             ? refuse("vkCreateDescriptorSetLayout: %lu storage buffers", (unsigned long)buffers)
             : real.CreateDescriptorSetLayout(device, info, callbacks, layout);
}

static VKAPI_ATTR VkResult VKAPI_CALL
its_CreatePipelineLayout(VkDevice device, const VkPipelineLayoutCreateInfo *info,
                         const VkAllocationCallbacks *callbacks, VkPipelineLayout *layout) {
  uint32_t i;
  for (i = 0; i < info->pushConstantRangeCount; i++) {
    const VkPushConstantRange *range = &info->pPushConstantRanges[i];
    if ((uint64_t)range->offset + range->size > now.n.maxPushConstantsSize[0]) {
      return refuse("vkCreatePipelineLayout: %u bytes of push constants",
                    (unsigned)(range->offset + range->size));
    }
  }
  return real.CreatePipelineLayout(device, info, callbacks, layout);
}

static void check_range(const VkDescriptorBufferInfo *info) {
  const object *buffer = find(A_BUFFER, HANDLE(info->buffer));
  if (info->offset % now.n.minStorageBufferOffsetAlignment[0] != 0) {
    (void)refuse("vkUpdateDescriptorSets: offset %lu", (unsigned long)info->offset);
  }
  if (info->range > now.n.maxStorageBufferRange[0]) {
    (void)refuse("vkUpdateDescriptorSets: a range of %lu bytes", (unsigned long)info->range);
  }
  if (buffer == NULL || info->offset > buffer->size || info->range > buffer->size - info->offset) {
    (void)refuse("vkUpdateDescriptorSets: %lu bytes from %lu are not in the buffer",
                 (unsigned long)info->range, (unsigned long)info->offset);
  }
}

static VKAPI_ATTR void VKAPI_CALL its_UpdateDescriptorSets(VkDevice device, uint32_t count,
                                                           const VkWriteDescriptorSet *writes,
                                                           uint32_t copy_count,
                                                           const VkCopyDescriptorSet *copies) {
  uint32_t i, j;
  pthread_mutex_lock(&mutex);
  for (i = 0; i < count; i++) {
    for (j = 0; j < writes[i].descriptorCount; j++) {
      check_range(&writes[i].pBufferInfo[j]);
    }
  }
  unlock();
  real.UpdateDescriptorSets(device, count, writes, copy_count, copies);
}

/* ---- Modules ----------------------------------------------------------------------------------- */

/* The bytes that types take in shared memory, by id. */
typedef struct sizes {
  uint64_t *bytes; /* of a type; of a constant, its value; of a pointer, of what it points to */
  uint32_t bound;
  uint64_t shared; /* of all variables */
} sizes;

static uint64_t size_of(const sizes *s, uint32_t id) {
  return id < s->bound ? s->bytes[id] : 0;
}

static void add_size(sizes *s, uint32_t opcode, const uint32_t *w, uint32_t length) {
  const uint32_t made = w[opcode == 43 || opcode == 59 ? 2 : 1];
  uint64_t bytes = 0;
  uint32_t i;
  if (made >= s->bound) {
    return;
  }
  switch (opcode) {
  case 20: /* OpTypeBool */
    bytes = 4;
    break;
  case 21: /* OpTypeInt */
  case 22: /* OpTypeFloat */
    bytes = w[2] / 8;
    break;
  case 23: /* OpTypeVector */
    bytes = size_of(s, w[2]) * w[3];
    break;
  case 28: /* OpTypeArray */
    bytes = size_of(s, w[2]) * size_of(s, w[3]);
    break;
  case 30: /* OpTypeStruct */
    for (i = 2; i < length; i++) {
      bytes += size_of(s, w[i]);
    }
    break;
  case 32: /* OpTypePointer */
    bytes = size_of(s, w[3]);
    break;
  case 43: /* OpConstant */
    bytes = w[3];
    break;
  default: /* OpVariable; 4: of workgroups */
    s->shared += w[3] == 4 ? size_of(s, w[1]) : 0;
    return;
  }
  s->bytes[made] = bytes;
}

/* The features that a capability needs; UINT32_MAX: no profile has what it needs. */
static uint32_t needs_of(uint32_t capability) {
  switch (capability) {
  case 1:    /* Shader */
  case 61:   /* GroupNonUniform, which Vulkan 1.1 has */
  case 4433: /* StorageBuffer16BitAccess is asked of no device, and of no kernel */
    return capability == 4433 ? UINT32_MAX : 0;
  case 9: /* Float16 */
    return FLOAT16;
  case 5345: /* VulkanMemoryModel */
    return MEMORY_MODEL;
  case 5346: /* its Device scope */
    return MEMORY_MODEL;
  case 6018:
  case 6019: /* DotProduct */
    return DOT;
  case 6022: /* CooperativeMatrixKHR */
    return MATRICES;
  case 4464: /* DenormPreserve, SignedZeroInfNanPreserve, RoundingModeRTE: see the execution modes */
  case 4466:
  case 4467:
    return 0;
  default:
    return UINT32_MAX;
  }
}

static VkResult check_local_size(const uint32_t size[3]) {
  uint32_t i;
  for (i = 0; i < 3; i++) {
    if (size[i] > now.n.maxComputeWorkGroupSize[i]) {
      return refuse("vkCreateShaderModule: a local size of %u in direction %u", (unsigned)size[i],
                    (unsigned)i);
    }
  }
  return (uint64_t)size[0] * size[1] * size[2] > now.n.maxComputeWorkGroupInvocations[0]
             ? refuse("vkCreateShaderModule: %lu invocations of a workgroup",
                      (unsigned long)size[0] * size[1] * size[2])
             : VK_SUCCESS;
}

static VkResult check_mode(const uint32_t *w, uint32_t length) {
  uint32_t bit = 0;
  if (w[2] == 17 /* LocalSize */) {
    return check_local_size(w + 3);
  }
  if (length > 3 && w[2] == 4461 /* SignedZeroInfNanPreserve */) {
    bit = w[3] == 32 ? PRESERVES_32 : PRESERVES_16;
  } else if (length > 3 && w[2] == 4462 /* RoundingModeRTE */) {
    bit = w[3] == 32 ? ROUNDS_32 : ROUNDS_16;
  } else if (length > 3 && w[2] == 4459 /* DenormPreserve */) {
    bit = w[3] == 32 ? 0 : SUBNORMALS_16;
  }
  return bit == 0 || (now.features & bit) == 0
             ? refuse("vkCreateShaderModule: execution mode %u", (unsigned)w[2])
             : VK_SUCCESS;
}

static VkResult check_word(const object *device, sizes *s, const uint32_t *w, uint32_t length) {
  const uint32_t opcode = w[0] & 0xffff;
  if (opcode == 17 /* OpCapability */) {
    const uint32_t needs = needs_of(w[1]);
    return needs == UINT32_MAX || (needs & ~device->features) != 0
               ? refuse("vkCreateShaderModule: capability %u", (unsigned)w[1])
               : VK_SUCCESS;
  }
  if (opcode == 16 /* OpExecutionMode */) {
    return check_mode(w, length);
  }
  if ((opcode >= 20 && opcode <= 32) || opcode == 43 || opcode == 59) {
    add_size(s, opcode, w, length);
  }
  return VK_SUCCESS;
}

static VkResult check_module(const object *device, const uint32_t *words, size_t count) {
  const uint32_t newest = now.version >= VK_API_VERSION_1_3   ? 0x10600
                          : now.version >= VK_API_VERSION_1_2 ? 0x10500
                                                              : 0x10300;
  VkResult result = VK_SUCCESS;
  sizes s;
  size_t i;
  if (words[1] > newest) {
    return refuse("vkCreateShaderModule: SPIR-V of version %x", (unsigned)words[1]);
  }
  s.bound = words[3];
  s.shared = 0;
  s.bytes = (uint64_t *)calloc(s.bound, sizeof *s.bytes);
  for (i = 5; i < count && result == VK_SUCCESS && s.bytes != NULL; i += words[i] >> 16) {
    result = check_word(device, &s, words + i, words[i] >> 16);
  }
  free(s.bytes);
  return result == VK_SUCCESS && s.shared > now.n.maxComputeSharedMemorySize[0]
             ? refuse("vkCreateShaderModule: %lu bytes of shared memory", (unsigned long)s.shared)
             : result;
}

static VKAPI_ATTR VkResult VKAPI_CALL its_CreateShaderModule(VkDevice device,
                                                             const VkShaderModuleCreateInfo *info,
                                                             const VkAllocationCallbacks *callbacks,
                                                             VkShaderModule *module) {
  object *made = lock_device(device), *known;
  VkResult result = made != NULL ? check_module(made, info->pCode, info->codeSize / 4) : VK_SUCCESS;
  size_t i;
  result = result == VK_SUCCESS ? real.CreateShaderModule(device, info, callbacks, module) : result;
  known = result == VK_SUCCESS ? add(A_MODULE, HANDLE(*module), made) : NULL;
  if (known != NULL) {
    known->size = UINT64_C(14695981039346656037);
    for (i = 0; i < info->codeSize / 4; i++) {
      known->size = (known->size ^ info->pCode[i]) * UINT64_C(1099511628211);
    }
  }
  unlock();
  return result;
}

static VKAPI_ATTR void VKAPI_CALL its_DestroyShaderModule(VkDevice device, VkShaderModule module,
                                                          const VkAllocationCallbacks *callbacks) {
  object *known;
  pthread_mutex_lock(&mutex);
  known = module != VK_NULL_HANDLE ? find(A_MODULE, HANDLE(module)) : NULL;
  if (known != NULL) {
    forget(known);
  }
  unlock();
  real.DestroyShaderModule(device, module, callbacks);
}

/* ---- The cache of pipelines -------------------------------------------------------------------- */

/* With the mutex. */
static void note_pipeline(const object *module) {
  uint32_t i = 0;
  if (module == NULL) {
    return;
  }
  while (i < cache.count && cache.hashes[i] != module->size) {
    i++;
  }
  counts.cached += i < cache.count;
  counts.compiled += i == cache.count;
  if (i == cache.count && i < MOST_CACHED) {
    cache.hashes[cache.count++] = module->size;
  }
}

/* It refuses what no cache of this device has returned, which real drivers may take for one. */
static VKAPI_ATTR VkResult VKAPI_CALL
its_CreatePipelineCache(VkDevice device, const VkPipelineCacheCreateInfo *info,
                        const VkAllocationCallbacks *callbacks, VkPipelineCache *made) {
  const size_t head = sizeof cache.header, size = info->initialDataSize;
  VkPipelineCacheCreateInfo empty = *info;
  bool right;
  empty.initialDataSize = 0;
  empty.pInitialData = NULL;
  pthread_mutex_lock(&mutex);
  cache.count = 0;
  right =
      size == 0 || (size >= head && (size - head) % 8 == 0 && size - head <= sizeof cache.hashes &&
                    memcmp(info->pInitialData, &cache.header, head) == 0);
  if (size > 0 && right) {
    cache.count = (uint32_t)((size - head) / 8);
    memcpy(cache.hashes, (const char *)info->pInitialData + head, size - head);
  }
  if (!right) {
    (void)refuse("vkCreatePipelineCache: %u bytes that are none", (unsigned)size);
  }
  unlock();
  return real.CreatePipelineCache(device, &empty, callbacks, made);
}

static VKAPI_ATTR VkResult VKAPI_CALL its_GetPipelineCacheData(VkDevice device,
                                                               VkPipelineCache handle, size_t *size,
                                                               void *data) {
  const size_t head = sizeof cache.header;
  size_t count;
  VkResult result = VK_SUCCESS;
  (void)device;
  (void)handle;
  pthread_mutex_lock(&mutex);
  count = cache.count;
  if (data != NULL && *size < head + count * 8) {
    count = *size < head ? 0 : (*size - head) / 8;
    result = VK_INCOMPLETE;
  }
  if (data != NULL && *size >= head) {
    memcpy(data, &cache.header, head);
    memcpy((char *)data + head, cache.hashes, count * 8);
  }
  *size = head + count * 8;
  unlock();
  return result;
}

/* ---- Pipelines --------------------------------------------------------------------------------- */

static VkResult check_subgroup_size(const object *device,
                                    const VkPipelineShaderStageCreateInfo *stage) {
  const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo *wanted =
      (const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo *)stage->pNext;
  const uint32_t size = wanted != NULL ? wanted->requiredSubgroupSize : 0;
  if ((wanted != NULL || stage->flags != 0) && (device->features & SIZES) == 0) {
    return refuse("vkCreateComputePipelines: subgroupSizeControl is off");
  }
  return wanted != NULL && (size < now.n.subgroupSize[1] || size > now.n.subgroupSize[2] ||
                            (size & (size - 1)) != 0)
             ? refuse("vkCreateComputePipelines: subgroups of %u", (unsigned)size)
             : VK_SUCCESS;
}

static VkResult check_robustness(const object *device, const VkComputePipelineCreateInfo *info) {
  const VkPipelineRobustnessCreateInfoEXT *wanted =
      (const VkPipelineRobustnessCreateInfoEXT *)info->pNext;
  if (wanted == NULL) {
    counts.unchecked_pipelines += (device->features & ROBUST) == 0;
    return VK_SUCCESS;
  }
  if ((device->features & PIPELINES) == 0) {
    return refuse("vkCreateComputePipelines: pipelineRobustness is off");
  }
  counts.unchecked_pipelines +=
      wanted->storageBuffers == VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED_EXT;
  return VK_SUCCESS;
}

/* The driver gets neither: it has its own size of subgroups. */
static VKAPI_ATTR VkResult VKAPI_CALL
its_CreateComputePipelines(VkDevice device, VkPipelineCache handle, uint32_t count,
                           const VkComputePipelineCreateInfo *infos,
                           const VkAllocationCallbacks *callbacks, VkPipeline *pipelines) {
  VkComputePipelineCreateInfo changed = *infos;
  const object *made = lock_device(device);
  VkResult result =
      count == 1 ? VK_SUCCESS : refuse("vkCreateComputePipelines: %u at once", (unsigned)count);
  if (made != NULL && result == VK_SUCCESS) {
    counts.pipelines++;
    result = check_subgroup_size(made, &infos->stage);
    result = result == VK_SUCCESS ? check_robustness(made, infos) : result;
    note_pipeline(find(A_MODULE, HANDLE(infos->stage.module)));
  }
  unlock();
  changed.pNext = NULL;
  changed.stage.pNext = NULL;
  changed.stage.flags = 0;
  return result == VK_SUCCESS
             ? real.CreateComputePipelines(device, handle, count, &changed, callbacks, pipelines)
             : result;
}

/* ---- Functions by name ------------------------------------------------------------------------- */

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL its_GetDeviceProcAddr(VkDevice device,
                                                                      const char *name);

static const struct {
  const char *name;
  PFN_vkVoidFunction its;
  void *real;
} replaced[] = {
#define REPLACE(name) {"vk" #name, (PFN_vkVoidFunction)its_##name, &real.name},
    REPLACED(REPLACE)};

/* The function of this loader in place of the one behind it, which is kept: those of an instance do for any
   device. */
static PFN_vkVoidFunction replace(const char *name, PFN_vkVoidFunction found, bool keep) {
  size_t i;
  for (i = 0; i < sizeof replaced / sizeof *replaced && found != NULL; i++) {
    if (strcmp(replaced[i].name, name) == 0) {
      if (keep) {
        memcpy(replaced[i].real, &found, sizeof found);
      }
      return replaced[i].its;
    }
  }
  return found;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL its_GetDeviceProcAddr(VkDevice device,
                                                                      const char *name) {
  return replace(name, real.GetDeviceProcAddr(device, name), false);
}

/* With the mutex: the functions behind this loader, once there is an instance. */
static void find_all(VkInstance instance) {
  size_t i;
  for (i = 0; i < sizeof replaced / sizeof *replaced; i++) {
    (void)replace(replaced[i].name, real.GetInstanceProcAddr(instance, replaced[i].name), true);
  }
}

/* Opens the loader behind this one, and the profile of the environment if none was opened. */
static void open_real(void) {
  void *library = dlopen(getenv("WEBNN_PROFILE_LOADER"), RTLD_NOW | RTLD_LOCAL);
  void *found = library != NULL ? dlsym(library, "vkGetInstanceProcAddr") : NULL;
  if (found == NULL || (now.family_count == 0 && !profile_open(getenv("WEBNN_PROFILE")))) {
    fprintf(stderr, "WEBNN_PROFILE_LOADER and WEBNN_PROFILE do not name a loader and a profile\n");
    return;
  }
  memcpy(&real.GetInstanceProcAddr, &found, sizeof found);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vkGetInstanceProcAddr(VkInstance instance,
                                                               const char *name);
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vkGetInstanceProcAddr(VkInstance instance,
                                                               const char *name) {
  PFN_vkVoidFunction found;
  pthread_mutex_lock(&mutex);
  if (real.GetInstanceProcAddr == NULL) {
    open_real();
  }
  if (real.GetInstanceProcAddr != NULL && instance != NULL && real.CreateDevice == NULL) {
    find_all(instance);
  }
  unlock();
  found = real.GetInstanceProcAddr != NULL ? real.GetInstanceProcAddr(instance, name) : NULL;
  return replace(name, found, false);
}
