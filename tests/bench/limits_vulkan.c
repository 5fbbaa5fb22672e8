/* limits_vulkan.c - what the GPU can do at all, by the smallest kernels that reach it. They are compiled by the
   compiler of webnn_vulkan.h and run beside it, on the queue of a context of their own. */
#include "bench.h"

#ifdef HAVE_VULKAN
#include "webnn_vulkan.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum { INVOCATIONS = 128, MULTIPLY_ADDS = 8 * 4, STEPS = 512 };

#define FUNCTIONS(X)                                                                               \
  X(CreateShaderModule)                                                                            \
  X(CreateDescriptorSetLayout)                                                                     \
  X(CreatePipelineLayout)                                                                          \
  X(CreateComputePipelines)                                                                        \
  X(CreateDescriptorPool)                                                                          \
  X(AllocateDescriptorSets)                                                                        \
  X(UpdateDescriptorSets)                                                                          \
  X(CreateCommandPool)                                                                             \
  X(AllocateCommandBuffers)                                                                        \
  X(BeginCommandBuffer)                                                                            \
  X(EndCommandBuffer)                                                                              \
  X(CmdBindPipeline)                                                                               \
  X(CmdBindDescriptorSets)                                                                         \
  X(CmdDispatch)                                                                                   \
  X(QueueSubmit)                                                                                   \
  X(QueueWaitIdle)

/* What is made here stays to the end of the program. */
typedef struct device {
  webnn_context *context;
  webnn_vulkan_device about;
  VkDevice handle;
  VkQueue queue;
  uint32_t queue_family;
#define MEMBER(name) PFN_vk##name name;
  FUNCTIONS(MEMBER)
#undef MEMBER
} device;

static void check(VkResult result, const char *what) {
  if (result != VK_SUCCESS)
    fail("Vulkan: %s fails: %d", what, (int)result);
}

static device *open_device(void) {
  static device d;
  webnn_context_options options = {.backend = webnn_vulkan_backend()};
  webnn_error error = WEBNN_ZERO;
  VkInstance instance;
  PFN_vkGetInstanceProcAddr get;
  if (d.context)
    return &d;
  if (webnn_create_context(&options, &d.context, &error) != WEBNN_OK ||
      webnn_vulkan_handles(d.context, &instance, NULL, &d.handle, &d.queue, &d.queue_family,
                           &error) != WEBNN_OK ||
      webnn_vulkan_context_device(d.context, &d.about, &error) != WEBNN_OK)
    fail("webnn_vulkan.h: %s", error.message);
  *(void **)&get = dlsym(dlopen("libvulkan.so.1", RTLD_NOW), "vkGetInstanceProcAddr");
#define FIND(name) d.name = (PFN_vk##name)get(instance, "vk" #name);
  FUNCTIONS(FIND)
#undef FIND
  return &d;
}

bool vulkan_is_software(void) {
  return open_device()->about.type == VK_PHYSICAL_DEVICE_TYPE_CPU;
}

/* ---- Running a kernel over two buffers ---------------------------------------------------------- */

typedef struct work {
  VkPipelineLayout layout;
  VkPipeline pipeline;
  VkDescriptorSet set;
  VkCommandBuffer commands;
} work;

static webnn_tensor *make_tensor(device *d, uint64_t bytes) {
  const uint32_t count = (uint32_t)(bytes / 4);
  webnn_tensor_descriptor descriptor = {WEBNN_UINT32, webnn_list_of(&count, 1), true, true};
  webnn_error error = WEBNN_ZERO;
  webnn_tensor *tensor;
  if (webnn_create_tensor(d->context, descriptor, &tensor, &error) != WEBNN_OK)
    fail("webnn_vulkan.h: %s", error.message);
  return tensor;
}

static void bind_tensors(device *d, VkDescriptorSet set, webnn_tensor *const tensors[2]) {
  for (uint32_t i = 0; i < 2; i++) {
    VkDescriptorBufferInfo info;
    VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .dstSet = set,
                                  .dstBinding = i,
                                  .descriptorCount = 1,
                                  .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                  .pBufferInfo = &info};
    webnn_error error = WEBNN_ZERO;
    if (webnn_vulkan_tensor_buffer(tensors[i], &info.buffer, &info.offset, &info.range, &error) !=
        WEBNN_OK)
      fail("webnn_vulkan.h: %s", error.message);
    d->UpdateDescriptorSets(d->handle, 1, &write, 0, NULL);
  }
}

static void make_set(device *d, work *w, webnn_tensor *const tensors[2]) {
  VkDescriptorSetLayoutBinding bindings[2];
  VkDescriptorSetLayout layout;
  VkDescriptorPool pool;
  for (uint32_t i = 0; i < 2; i++)
    bindings[i] = (VkDescriptorSetLayoutBinding){i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                 VK_SHADER_STAGE_COMPUTE_BIT, NULL};
  VkDescriptorSetLayoutCreateInfo about_set = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
      .bindingCount = 2,
      .pBindings = bindings};
  check(d->CreateDescriptorSetLayout(d->handle, &about_set, NULL, &layout), "a layout");
  VkPipelineLayoutCreateInfo about_layout = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                             .setLayoutCount = 1,
                                             .pSetLayouts = &layout};
  check(d->CreatePipelineLayout(d->handle, &about_layout, NULL, &w->layout), "a layout");
  VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2};
  VkDescriptorPoolCreateInfo about_pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                           .maxSets = 1,
                                           .poolSizeCount = 1,
                                           .pPoolSizes = &size};
  check(d->CreateDescriptorPool(d->handle, &about_pool, NULL, &pool), "a pool");
  VkDescriptorSetAllocateInfo about = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                       .descriptorPool = pool,
                                       .descriptorSetCount = 1,
                                       .pSetLayouts = &layout};
  check(d->AllocateDescriptorSets(d->handle, &about, &w->set), "a set");
  bind_tensors(d, w->set, tensors);
}

static void make_pipeline(device *d, work *w, const char *text) {
  size_t count;
  uint32_t *words = compile_kernel(text, &count);
  VkShaderModuleCreateInfo about = {
      .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = count * 4, .pCode = words};
  VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                      .layout = w->layout};
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.pName = "main";
  check(d->CreateShaderModule(d->handle, &about, NULL, &info.stage.module), "a module");
  check(d->CreateComputePipelines(d->handle, VK_NULL_HANDLE, 1, &info, NULL, &w->pipeline),
        "a pipeline");
  free(words);
}

/* Of a kernel in one submission, so that the time of submitting is lost in a GPU's. */
static uint32_t repeats(void) {
  return vulkan_is_software() ? 1 : 32;
}

static void record(device *d, work *w, uint32_t groups) {
  VkCommandPoolCreateInfo about_pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                        .queueFamilyIndex = d->queue_family};
  VkCommandPool pool;
  check(d->CreateCommandPool(d->handle, &about_pool, NULL, &pool), "a pool");
  VkCommandBufferAllocateInfo about = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                       .commandPool = pool,
                                       .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                       .commandBufferCount = 1};
  VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  check(d->AllocateCommandBuffers(d->handle, &about, &w->commands), "a command buffer");
  check(d->BeginCommandBuffer(w->commands, &begin), "vkBeginCommandBuffer");
  d->CmdBindPipeline(w->commands, VK_PIPELINE_BIND_POINT_COMPUTE, w->pipeline);
  d->CmdBindDescriptorSets(w->commands, VK_PIPELINE_BIND_POINT_COMPUTE, w->layout, 0, 1, &w->set, 0,
                           NULL);
  for (uint32_t i = 0; i < repeats(); i++)
    d->CmdDispatch(w->commands, groups, 1, 1);
  check(d->EndCommandBuffer(w->commands), "vkEndCommandBuffer");
}

/* Seconds of the fastest of some runs, the first one being for the driver's compiler. */
static double run_kernel(const char *text, uint64_t read, uint64_t written, uint32_t groups) {
  device *d = open_device();
  work w;
  webnn_tensor *const tensors[2] = {make_tensor(d, read), make_tensor(d, written)};
  double best = 0;
  make_set(d, &w, tensors);
  make_pipeline(d, &w, text);
  record(d, &w, groups);
  webnn_wait(d->context, NULL);
  for (int i = 0; i < 6; i++) {
    VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                           .commandBufferCount = 1,
                           .pCommandBuffers = &w.commands};
    double start = seconds();
    check(d->QueueSubmit(d->queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
    check(d->QueueWaitIdle(d->queue), "vkQueueWaitIdle");
    double time = seconds() - start;
    best = i == 1 || (i > 1 && time < best) ? time : best;
  }
  webnn_free_tensor(tensors[0]);
  webnn_free_tensor(tensors[1]);
  return best / repeats();
}

/* ---- The kernels -------------------------------------------------------------------------------- */

/* Eight chains of multiply-adds of four floats. */
static const char float_text[] =
    "#version 450\n"
    "layout(local_size_x = 128) in;\n"
    "layout(std430, set = 0, binding = 0) readonly buffer A { vec4 a[]; };\n"
    "layout(std430, set = 0, binding = 1) buffer B { vec4 b[]; };\n"
    "void main() {\n"
    "  vec4 x = a[0], y = a[1], s[8];\n"
    "  for (uint i = 0u; i < 8u; i++) { s[i] = a[i]; }\n"
    "  for (uint n = 0u; n < 512u; n++) {\n"
    "    s[0] = fma(s[0], x, y); s[1] = fma(s[1], x, y); s[2] = fma(s[2], x, y);\n"
    "    s[3] = fma(s[3], x, y); s[4] = fma(s[4], x, y); s[5] = fma(s[5], x, y);\n"
    "    s[6] = fma(s[6], x, y); s[7] = fma(s[7], x, y);\n"
    "  }\n"
    "  b[gl_GlobalInvocationID.x] = s[0] + s[1] + s[2] + s[3] + s[4] + s[5] + s[6] + s[7];\n"
    "}\n";

static const char copy_text[] =
    "#version 450\n"
    "layout(local_size_x = 128) in;\n"
    "layout(std430, set = 0, binding = 0) readonly buffer A { uvec4 a[]; };\n"
    "layout(std430, set = 0, binding = 1) buffer B { uvec4 b[]; };\n"
    "void main() { b[gl_GlobalInvocationID.x] = a[gl_GlobalInvocationID.x]; }\n";

double vulkan_multiply_adds(void) {
  static double rate;
  const uint32_t groups = vulkan_is_software() ? 256 : 65535;
  if (rate == 0)
    rate = (double)groups * INVOCATIONS * MULTIPLY_ADDS * STEPS /
           run_kernel(float_text, 128, (uint64_t)groups * INVOCATIONS * 16, groups);
  return rate;
}

/* Bytes read and written in a second together. */
double vulkan_bandwidth(void) {
  static double rate;
  const uint32_t groups = vulkan_is_software() ? 8192 : 65535;
  const uint64_t bytes = (uint64_t)groups * INVOCATIONS * 16;
  if (rate == 0)
    rate = 2.0 * (double)bytes / run_kernel(copy_text, bytes, bytes, groups);
  return rate;
}

#else
double vulkan_multiply_adds(void) {
  return 0;
}

double vulkan_bandwidth(void) {
  return 1;
}

bool vulkan_is_software(void) {
  return true;
}
#endif
