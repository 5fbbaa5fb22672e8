/* Runs a SPIR-V module on a software driver: one input buffer, one output buffer, push constants,
   some workgroups. There is nothing here but what a test of the compiler needs, and any failure of
   Vulkan ends the program. */
#ifndef WEBNN_TEST_RUNNER_H
#define WEBNN_TEST_RUNNER_H

#include <dlfcn.h>
#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>

#define RUNNER_FUNCTIONS(X)                                                                        \
  X(DestroyInstance)                                                                               \
  X(EnumeratePhysicalDevices)                                                                      \
  X(GetPhysicalDeviceProperties)                                                                   \
  X(GetPhysicalDeviceFeatures2)                                                                    \
  X(GetPhysicalDeviceMemoryProperties)                                                             \
  X(CreateDevice)                                                                                  \
  X(DestroyDevice)                                                                                 \
  X(GetDeviceQueue)                                                                                \
  X(CreateBuffer)                                                                                  \
  X(DestroyBuffer)                                                                                 \
  X(GetBufferMemoryRequirements)                                                                   \
  X(AllocateMemory)                                                                                \
  X(FreeMemory)                                                                                    \
  X(BindBufferMemory)                                                                              \
  X(MapMemory)                                                                                     \
  X(CreateShaderModule)                                                                            \
  X(DestroyShaderModule)                                                                           \
  X(CreateDescriptorSetLayout)                                                                     \
  X(CreatePipelineLayout)                                                                          \
  X(CreateComputePipelines)                                                                        \
  X(DestroyPipeline)                                                                               \
  X(CreateDescriptorPool)                                                                          \
  X(DestroyDescriptorPool)                                                                         \
  X(AllocateDescriptorSets)                                                                        \
  X(UpdateDescriptorSets)                                                                          \
  X(CreateCommandPool)                                                                             \
  X(DestroyCommandPool)                                                                            \
  X(AllocateCommandBuffers)                                                                        \
  X(BeginCommandBuffer)                                                                            \
  X(EndCommandBuffer)                                                                              \
  X(ResetCommandBuffer)                                                                            \
  X(CmdBindPipeline)                                                                               \
  X(CmdBindDescriptorSets)                                                                         \
  X(CmdPushConstants)                                                                              \
  X(CmdDispatch)                                                                                   \
  X(QueueSubmit)                                                                                   \
  X(QueueWaitIdle)                                                                                 \
  X(DestroyPipelineLayout)                                                                         \
  X(DestroyDescriptorSetLayout)

enum { RUNNER_WORDS = 65536, RUNNER_PUSH = 64 };

typedef struct runner {
  void *library;
  VkInstance instance;
  VkPhysicalDevice physical;
  VkDevice device;
  VkQueue queue;
  VkBuffer buffers[2];
  VkDeviceMemory memory[2];
  uint32_t *words[2]; /* of the input and of the output */
  VkDescriptorSetLayout set_layout;
  VkPipelineLayout layout;
  VkDescriptorPool pool;
  VkDescriptorSet set;
  VkCommandPool command_pool;
  VkCommandBuffer commands;
  char name[VK_MAX_PHYSICAL_DEVICE_NAME_SIZE];
  bool has_half;
#define RUNNER_MEMBER(f) PFN_vk##f f;
  RUNNER_FUNCTIONS(RUNNER_MEMBER)
} runner;

static inline void runner_check(VkResult result, const char *what) {
  if (result != VK_SUCCESS) {
    printf("Vulkan: %s fails: %d\n", what, (int)result);
    exit(1);
  }
}

static inline void runner_open_device(runner *r) {
  const float priority = 1;
  uint32_t count = 1;
  VkDeviceQueueCreateInfo queue = {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, NULL, 0, 0, 1, NULL};
  VkPhysicalDeviceShaderFloat16Int8Features half = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES, NULL, 0, 0};
  VkPhysicalDevice16BitStorageFeatures storage;
  VkPhysicalDeviceFeatures2 features;
  VkDeviceCreateInfo info;
  VkPhysicalDeviceProperties properties;
  memset(&storage, 0, sizeof storage);
  memset(&features, 0, sizeof features);
  memset(&info, 0, sizeof info);
  storage.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES;
  storage.pNext = &half;
  features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  features.pNext = &storage;
  queue.pQueuePriorities = &priority;
  (void)r->EnumeratePhysicalDevices(r->instance, &count, &r->physical);
  r->GetPhysicalDeviceProperties(r->physical, &properties);
  memcpy(r->name, properties.deviceName, sizeof r->name);
  r->GetPhysicalDeviceFeatures2(r->physical, &features);
  features.features.robustBufferAccess = 0;
  r->has_half = half.shaderFloat16 && storage.storageBuffer16BitAccess;
  info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  info.pNext = &features;
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  runner_check(r->CreateDevice(r->physical, &info, NULL, &r->device), "vkCreateDevice");
  r->GetDeviceQueue(r->device, 0, 0, &r->queue);
}

static inline void runner_make_buffer(runner *r, int which) {
  VkBufferCreateInfo info;
  VkMemoryAllocateInfo allocation;
  VkMemoryRequirements needs;
  void *mapped;
  memset(&info, 0, sizeof info);
  memset(&allocation, 0, sizeof allocation);
  info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  info.size = RUNNER_WORDS * 4;
  info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
  runner_check(r->CreateBuffer(r->device, &info, NULL, &r->buffers[which]), "vkCreateBuffer");
  r->GetBufferMemoryRequirements(r->device, r->buffers[which], &needs);
  allocation.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  allocation.allocationSize = needs.size;
  /* Software drivers have one type of memory, which the host sees. */
  runner_check(r->AllocateMemory(r->device, &allocation, NULL, &r->memory[which]),
               "vkAllocateMemory");
  runner_check(r->BindBufferMemory(r->device, r->buffers[which], r->memory[which], 0),
               "vkBindBufferMemory");
  runner_check(r->MapMemory(r->device, r->memory[which], 0, VK_WHOLE_SIZE, 0, &mapped),
               "vkMapMemory");
  r->words[which] = (uint32_t *)mapped;
}

static inline void runner_make_layouts(runner *r) {
  VkDescriptorSetLayoutBinding bindings[2];
  VkDescriptorSetLayoutCreateInfo set;
  VkPipelineLayoutCreateInfo layout;
  VkPushConstantRange range;
  VkDescriptorPoolSize size;
  VkDescriptorPoolCreateInfo pool;
  VkDescriptorSetAllocateInfo allocation;
  uint32_t i;
  memset(bindings, 0, sizeof bindings);
  memset(&set, 0, sizeof set);
  memset(&layout, 0, sizeof layout);
  memset(&pool, 0, sizeof pool);
  memset(&allocation, 0, sizeof allocation);
  for (i = 0; i < 2; i++) {
    bindings[i].binding = i;
    bindings[i].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    bindings[i].descriptorCount = 1;
    bindings[i].stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
  }
  set.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
  set.bindingCount = 2;
  set.pBindings = bindings;
  runner_check(r->CreateDescriptorSetLayout(r->device, &set, NULL, &r->set_layout), "a layout");
  range.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
  range.offset = 0;
  range.size = RUNNER_PUSH;
  layout.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
  layout.setLayoutCount = 1;
  layout.pSetLayouts = &r->set_layout;
  layout.pushConstantRangeCount = 1;
  layout.pPushConstantRanges = &range;
  runner_check(r->CreatePipelineLayout(r->device, &layout, NULL, &r->layout), "a layout");
  size.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  size.descriptorCount = 2;
  pool.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
  pool.maxSets = 1;
  pool.poolSizeCount = 1;
  pool.pPoolSizes = &size;
  runner_check(r->CreateDescriptorPool(r->device, &pool, NULL, &r->pool), "a pool");
  allocation.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
  allocation.descriptorPool = r->pool;
  allocation.descriptorSetCount = 1;
  allocation.pSetLayouts = &r->set_layout;
  runner_check(r->AllocateDescriptorSets(r->device, &allocation, &r->set), "a set");
  for (i = 0; i < 2; i++) {
    VkDescriptorBufferInfo buffer;
    VkWriteDescriptorSet write;
    memset(&write, 0, sizeof write);
    buffer.buffer = r->buffers[i];
    buffer.offset = 0;
    buffer.range = RUNNER_WORDS * 4;
    write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    write.dstSet = r->set;
    write.dstBinding = i;
    write.descriptorCount = 1;
    write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    write.pBufferInfo = &buffer;
    r->UpdateDescriptorSets(r->device, 1, &write, 0, NULL);
  }
}

/* False where there is no loader or no driver. `icd` names the driver's file. */
static inline bool runner_open(runner *r, const char *icd) {
  const VkApplicationInfo application = {
      VK_STRUCTURE_TYPE_APPLICATION_INFO, NULL, NULL, 0, NULL, 0, VK_API_VERSION_1_1};
  const VkInstanceCreateInfo info = {
      VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, NULL, 0, &application, 0, NULL, 0, NULL};
  VkCommandPoolCreateInfo pool;
  VkCommandBufferAllocateInfo allocation;
  PFN_vkGetInstanceProcAddr get;
  PFN_vkCreateInstance create;
  memset(r, 0, sizeof *r);
  setenv("VK_ICD_FILENAMES", icd, 1);
  r->library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
  if (r->library == NULL) {
    return false;
  }
  *(void **)&get = dlsym(r->library, "vkGetInstanceProcAddr");
  *(PFN_vkVoidFunction *)&create = get(NULL, "vkCreateInstance");
  if (create(&info, NULL, &r->instance) != VK_SUCCESS) {
    return false;
  }
#define RUNNER_FIND(f) *(PFN_vkVoidFunction *)&r->f = get(r->instance, "vk" #f);
  RUNNER_FUNCTIONS(RUNNER_FIND)
  runner_open_device(r);
  runner_make_buffer(r, 0);
  runner_make_buffer(r, 1);
  runner_make_layouts(r);
  memset(&pool, 0, sizeof pool);
  memset(&allocation, 0, sizeof allocation);
  pool.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  pool.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
  runner_check(r->CreateCommandPool(r->device, &pool, NULL, &r->command_pool), "a pool");
  allocation.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
  allocation.commandPool = r->command_pool;
  allocation.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  allocation.commandBufferCount = 1;
  runner_check(r->AllocateCommandBuffers(r->device, &allocation, &r->commands), "commands");
  return true;
}

/* Runs the module over what is in words[0], with an output that begins as 0xdeadbeef everywhere. */
static inline void runner_run(runner *r, const uint32_t *module, size_t count, const uint32_t *push,
                              uint32_t groups) {
  VkShaderModuleCreateInfo shader;
  VkComputePipelineCreateInfo info;
  VkCommandBufferBeginInfo begin;
  VkSubmitInfo submit;
  VkShaderModule made;
  VkPipeline pipeline;
  size_t i;
  memset(&shader, 0, sizeof shader);
  memset(&info, 0, sizeof info);
  memset(&begin, 0, sizeof begin);
  memset(&submit, 0, sizeof submit);
  for (i = 0; i < RUNNER_WORDS; i++) {
    r->words[1][i] = 0xdeadbeefu;
  }
  shader.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
  shader.codeSize = count * 4;
  shader.pCode = module;
  runner_check(r->CreateShaderModule(r->device, &shader, NULL, &made), "vkCreateShaderModule");
  info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = made;
  info.stage.pName = "main";
  info.layout = r->layout;
  runner_check(r->CreateComputePipelines(r->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline),
               "vkCreateComputePipelines");
  begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  runner_check(r->BeginCommandBuffer(r->commands, &begin), "vkBeginCommandBuffer");
  r->CmdBindPipeline(r->commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  r->CmdBindDescriptorSets(r->commands, VK_PIPELINE_BIND_POINT_COMPUTE, r->layout, 0, 1, &r->set, 0,
                           NULL);
  r->CmdPushConstants(r->commands, r->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, RUNNER_PUSH, push);
  r->CmdDispatch(r->commands, groups, 1, 1);
  runner_check(r->EndCommandBuffer(r->commands), "vkEndCommandBuffer");
  submit.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &r->commands;
  runner_check(r->QueueSubmit(r->queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
  runner_check(r->QueueWaitIdle(r->queue), "vkQueueWaitIdle");
  r->DestroyPipeline(r->device, pipeline, NULL);
  r->DestroyShaderModule(r->device, made, NULL);
}

static inline void runner_close(runner *r) {
  int i;
  r->DestroyCommandPool(r->device, r->command_pool, NULL);
  r->DestroyDescriptorPool(r->device, r->pool, NULL);
  r->DestroyPipelineLayout(r->device, r->layout, NULL);
  r->DestroyDescriptorSetLayout(r->device, r->set_layout, NULL);
  for (i = 0; i < 2; i++) {
    r->DestroyBuffer(r->device, r->buffers[i], NULL);
    r->FreeMemory(r->device, r->memory[i], NULL);
  }
  r->DestroyDevice(r->device, NULL);
  r->DestroyInstance(r->instance, NULL);
}

#endif
