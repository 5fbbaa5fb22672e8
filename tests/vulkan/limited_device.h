/* A device that can do less than it can: options.get_instance_proc_addr = limited_instance_proc stands
   between webnn_vulkan.h and the loader. It rewrites limits, and counts what would break them: ranges
   that are larger than one that can be bound, and kernels with more storage buffers. It can leave out
   barriers, which the validation layer must see. */
#ifndef WEBNN_TEST_LIMITED_DEVICE_H
#define WEBNN_TEST_LIMITED_DEVICE_H

static struct {
  uint32_t range,
      buffers;           /* maxStorageBufferRange, maxPerStageDescriptorStorageBuffers; 0: as is */
  uint32_t real_buffers; /* what the device has of the latter */
  uint32_t broken;       /* descriptors and layouts beyond them */
  bool no_barriers;
  PFN_vkGetInstanceProcAddr instance_proc;
  PFN_vkGetDeviceProcAddr device_proc;
  PFN_vkGetPhysicalDeviceProperties2 properties;
  PFN_vkUpdateDescriptorSets update;
  PFN_vkCreateDescriptorSetLayout layout;
  PFN_vkCmdPipelineBarrier barrier;
} limited;

static VKAPI_ATTR void VKAPI_CALL limited_properties(VkPhysicalDevice device,
                                                     VkPhysicalDeviceProperties2 *properties) {
  VkPhysicalDeviceLimits *limits = &properties->properties.limits;
  limited.properties(device, properties);
  limited.real_buffers = limits->maxPerStageDescriptorStorageBuffers;
  limits->maxStorageBufferRange = limited.range > 0 ? limited.range : limits->maxStorageBufferRange;
  limits->maxPerStageDescriptorStorageBuffers =
      limited.buffers > 0 ? limited.buffers : limits->maxPerStageDescriptorStorageBuffers;
}

static VKAPI_ATTR void VKAPI_CALL limited_update(VkDevice device, uint32_t count,
                                                 const VkWriteDescriptorSet *writes,
                                                 uint32_t copy_count,
                                                 const VkCopyDescriptorSet *copies) {
  uint32_t i, j;
  for (i = 0; i < count; i++) {
    for (j = 0; j < writes[i].descriptorCount; j++) {
      limited.broken += limited.range > 0 && writes[i].pBufferInfo[j].range > limited.range ? 1 : 0;
    }
  }
  limited.update(device, count, writes, copy_count, copies);
}

static VKAPI_ATTR VkResult VKAPI_CALL limited_layout(VkDevice device,
                                                     const VkDescriptorSetLayoutCreateInfo *info,
                                                     const VkAllocationCallbacks *callbacks,
                                                     VkDescriptorSetLayout *layout) {
  limited.broken += limited.buffers > 0 && info->bindingCount > limited.buffers ? 1 : 0;
  return limited.layout(device, info, callbacks, layout);
}

static VKAPI_ATTR void VKAPI_CALL
limited_barrier(VkCommandBuffer commands, VkPipelineStageFlags before, VkPipelineStageFlags after,
                VkDependencyFlags flags, uint32_t memory_count, const VkMemoryBarrier *memory,
                uint32_t buffer_count, const VkBufferMemoryBarrier *buffers, uint32_t image_count,
                const VkImageMemoryBarrier *images) {
  if (!limited.no_barriers) {
    limited.barrier(commands, before, after, flags, memory_count, memory, buffer_count, buffers,
                    image_count, images);
  }
}

/* One of those above in place of the function of its name. */
static PFN_vkVoidFunction limited_function(const char *name, PFN_vkVoidFunction found) {
#define LIMITED(function, member)                                                                  \
  if (found != NULL && strcmp(name, "vk" #function) == 0) {                                        \
    limited.member = (PFN_vk##function)found;                                                      \
    return (PFN_vkVoidFunction)limited_##member;                                                   \
  }
  LIMITED(GetPhysicalDeviceProperties2, properties)
  LIMITED(UpdateDescriptorSets, update)
  LIMITED(CreateDescriptorSetLayout, layout)
  LIMITED(CmdPipelineBarrier, barrier)
  return found;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL limited_device_proc(VkDevice device,
                                                                    const char *name) {
  return limited_function(name, limited.device_proc(device, name));
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL limited_instance_proc(VkInstance instance,
                                                                      const char *name) {
  static void *library;
  PFN_vkVoidFunction found;
  if (limited.instance_proc == NULL) {
    limited.instance_proc = webnn_vk__open_loader(&library);
  }
  if (limited.instance_proc == NULL) {
    return NULL;
  }
  found = limited.instance_proc(instance, name);
  if (found != NULL && strcmp(name, "vkGetDeviceProcAddr") == 0) {
    limited.device_proc = (PFN_vkGetDeviceProcAddr)found;
    return (PFN_vkVoidFunction)limited_device_proc;
  }
  return limited_function(name, found);
}
#endif
