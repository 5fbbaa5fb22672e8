/* webnn_vulkan.h on devices that are not here: profile_loader.c stands between it and the driver and makes it
   see the device of each profile. On each one a queue and memory are chosen as the profile expects, graphs give
   what the CPU gives, tensors larger than a staging range come back, and no call is refused. The controls
   come first: for each kind of what a device does not take, a call that the loader must refuse.

     profiles LOADER PROFILE...    libvulkan.so.1 that is made of profile_loader.c, and files of profiles/, of
                                   which the first is least.txt */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#define WEBNN_TEST_VULKAN
#include <dlfcn.h>
static void *open_library(const char *name, int flags);
#define dlopen open_library /* of webnn_vulkan.h: see check_names */
#include "test.h"
#undef dlopen
#include "profile_loader.h"
#include <math.h>

static PFN_vkGetInstanceProcAddr loader;
static profile_open_function profile_open;
static profile_take_function profile_take;
static const char *current; /* the profile's file */
static struct {
  const char *only; /* the one name under which there is a library; NULL: as the system has them */
  const char *library; /* that it is */
  uint32_t tried;
} names;

static void *open_library(const char *name, int flags) {
  names.tried++;
  return names.only == NULL              ? dlopen(name, flags)
         : strcmp(names.only, name) == 0 ? dlopen(names.library, flags)
                                         : NULL;
}

static webnn_context *new_context(void) {
  webnn_vulkan_options own = WEBNN_ZERO;
  webnn_context_options options = WEBNN_ZERO;
  webnn_context *context = NULL;
  webnn_error error = WEBNN_ZERO;
  own.get_instance_proc_addr = loader;
  options.backend = webnn_vulkan_backend();
  options.backend_options = &own;
  (void)webnn_create_context(&options, &context, &error);
  CHECK("context", context != NULL, "%s: %s", current, error.message);
  return context;
}

static webnn_vk__gpu *gpu_of(webnn_context *context) {
  return (webnn_vk__gpu *)context->device;
}

/* ---- Controls -------------------------------------------------------------------------------- */

/* The call before this was refused, and for this reason. */
static void expect_refusal(const char *words) {
  profile_counts counts;
  profile_take(&counts);
  CHECK("control", counts.refusals == 1 && strstr(counts.first, words) != NULL,
        "%s: %u refusals, of which the first is \"%s\"", words, (unsigned)counts.refusals,
        counts.first);
}

/* The calls before this were not. */
static void expect_none(const char *what) {
  profile_counts counts;
  profile_take(&counts);
  CHECK("control", counts.refusals == 0, "%s: %s", what, counts.first);
}

static void refuse_memory(webnn_vk__gpu *gpu) {
  VkMemoryAllocateInfo info = WEBNN_ZERO;
  VkMappedMemoryRange range = WEBNN_ZERO;
  VkDeviceMemory memory = VK_NULL_HANDLE, second = VK_NULL_HANDLE;
  VkBuffer buffer = VK_NULL_HANDLE;
  VkMemoryRequirements needs;
  unsigned char *data = NULL;
  PFN_vkFlushMappedMemoryRanges flush;
  PFN_vkInvalidateMappedMemoryRanges invalidate;
  PFN_vkVoidFunction found[2];
  found[0] = gpu->f->GetDeviceProcAddr(gpu->handle, "vkFlushMappedMemoryRanges");
  found[1] = gpu->f->GetDeviceProcAddr(gpu->handle, "vkInvalidateMappedMemoryRanges");
  info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  range.sType = VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE;
  info.allocationSize = 4096;
  info.memoryTypeIndex = 6;
  (void)gpu->f->AllocateMemory(gpu->handle, &info, NULL, &memory);
  expect_refusal("type 6 of 6");
  info.memoryTypeIndex = 5;
  (void)gpu->f->AllocateMemory(gpu->handle, &info, NULL, &memory);
  expect_refusal("type 5 is not for buffers");
  info.memoryTypeIndex = 4;
  info.allocationSize = (32 << 20) + 1;
  (void)gpu->f->AllocateMemory(gpu->handle, &info, NULL, &memory);
  expect_refusal("33554433 bytes of type 4");
  info.allocationSize = 24 << 20;
  CHECK("control", gpu->f->AllocateMemory(gpu->handle, &info, NULL, &memory) == VK_SUCCESS,
        "24 MB");
  CHECK("control",
        gpu->f->AllocateMemory(gpu->handle, &info, NULL, &second) == VK_ERROR_OUT_OF_DEVICE_MEMORY,
        "a full heap gives memory");
  expect_none("a full heap");
  gpu->f->FreeMemory(gpu->handle, memory, NULL);
  info.memoryTypeIndex = 0;
  info.allocationSize = 65536;
  (void)gpu->f->AllocateMemory(gpu->handle, &info, NULL, &memory);
  (void)gpu->f->MapMemory(gpu->handle, memory, 0, VK_WHOLE_SIZE, 0, (void **)&data);
  expect_refusal("cannot see");
  (void)webnn_vk__create_buffer(gpu, 4096, &buffer);
  gpu->f->GetBufferMemoryRequirements(gpu->handle, buffer, &needs);
  CHECK("control", needs.memoryTypeBits == 0x1e, "%x", (unsigned)needs.memoryTypeBits);
  (void)gpu->f->BindBufferMemory(gpu->handle, buffer, memory, 0);
  expect_refusal("not for buffers");
  gpu->f->DestroyBuffer(gpu->handle, buffer, NULL);
  gpu->f->FreeMemory(gpu->handle, memory, NULL);
  (void)webnn_vk__create_buffer(gpu, (UINT64_C(1) << 30) + 4, &buffer);
  expect_refusal("vkCreateBuffer");
  /* Memory that is not coherent: what is written is not there before it is flushed, and not seen again before
     it is invalidated. */
  memcpy(&flush, &found[0], sizeof flush);
  memcpy(&invalidate, &found[1], sizeof invalidate);
  info.memoryTypeIndex = 3;
  (void)gpu->f->AllocateMemory(gpu->handle, &info, NULL, &memory);
  (void)gpu->f->MapMemory(gpu->handle, memory, 0, VK_WHOLE_SIZE, 0, (void **)&data);
  range.memory = memory;
  range.size = 256;
  data[0] = 7;
  (void)flush(gpu->handle, 1, &range);
  data[0] = 8;
  (void)invalidate(gpu->handle, 1, &range);
  CHECK("control", data[0] == 7, "%u", (unsigned)data[0]);
  expect_none("flushing");
  range.size = 100;
  (void)invalidate(gpu->handle, 1, &range);
  expect_refusal("atoms of 256");
  gpu->f->FreeMemory(gpu->handle, memory, NULL);
}

/* One allocation more than there may be. */
static void refuse_many(webnn_vk__gpu *gpu) {
  enum { MOST = 4096 };
  static VkDeviceMemory memory[MOST];
  VkMemoryAllocateInfo info = WEBNN_ZERO;
  VkDeviceMemory last = VK_NULL_HANDLE;
  uint32_t i, count = 0;
  info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  info.allocationSize = 256;
  info.memoryTypeIndex = 1;
  for (i = gpu->allocations; i < MOST; i++) {
    (void)gpu->f->AllocateMemory(gpu->handle, &info, NULL, &memory[count++]);
  }
  expect_none("4096 allocations");
  (void)gpu->f->AllocateMemory(gpu->handle, &info, NULL, &last);
  expect_refusal("more than 4096");
  for (i = 0; i < count; i++) {
    gpu->f->FreeMemory(gpu->handle, memory[i], NULL);
  }
}

static void refuse_commands(webnn_vk__gpu *gpu) {
  static const uint32_t zeros[64] = {0};
  VkCommandBuffer commands = NULL;
  VkQueryPoolCreateInfo queries = WEBNN_ZERO;
  VkCommandPoolCreateInfo pool = WEBNN_ZERO;
  VkSemaphoreTypeCreateInfo type = WEBNN_ZERO;
  VkSemaphoreCreateInfo semaphore = WEBNN_ZERO;
  VkSubmitInfo submit = WEBNN_ZERO;
  VkQueryPool made = VK_NULL_HANDLE;
  VkCommandPool other = VK_NULL_HANDLE;
  VkSemaphore timeline = VK_NULL_HANDLE;
  VkBuffer buffer = VK_NULL_HANDLE;
  VkQueue queue;
  (void)webnn_vk__new_buffers(gpu, 1, &commands);
  (void)webnn_vk__begin_buffer(gpu, commands, 0);
  (void)webnn_vk__make_layout(gpu, 1);
  (void)webnn_vk__create_buffer(gpu, 4096, &buffer);
  expect_none("commands");
  gpu->f->CmdDispatch(commands, 65536, 0, 1);
  expect_refusal("65536 workgroups from 0 in direction 0");
  gpu->f->CmdDispatchBase(commands, 0, 65535, 0, 1, 1, 0);
  expect_refusal("1 workgroups from 65535 in direction 1");
  gpu->f->CmdPushConstants(commands, gpu->layouts[1], VK_SHADER_STAGE_COMPUTE_BIT, 124, 8, zeros);
  expect_refusal("8 bytes from 124");
  queries.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO;
  queries.queryType = VK_QUERY_TYPE_TIMESTAMP;
  queries.queryCount = 1;
  (void)gpu->f->CreateQueryPool(gpu->handle, &queries, NULL, &made);
  gpu->f->CmdWriteTimestamp(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, made, 0);
  expect_refusal("vkCmdWriteTimestamp");
  gpu->f->DestroyQueryPool(gpu->handle, made, NULL);
  pool.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  pool.queueFamilyIndex = 1;
  (void)gpu->f->CreateCommandPool(gpu->handle, &pool, NULL, &other);
  expect_refusal("vkCreateCommandPool: family 1, not 0");
  gpu->f->GetDeviceQueue(gpu->handle, 1, 0, &queue);
  submit.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  CHECK("control",
        gpu->f->QueueSubmit(gpu->queue, 1, &submit, VK_NULL_HANDLE) == VK_ERROR_DEVICE_LOST,
        "a submission after a refusal");
  expect_refusal("vkGetDeviceQueue: family 1, not 0");
  type.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO;
  type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  semaphore.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO;
  semaphore.pNext = &type;
  (void)gpu->f->CreateSemaphore(gpu->handle, &semaphore, NULL, &timeline);
  expect_refusal("timelineSemaphore is off");
  gpu->f->FreeCommandBuffers(gpu->handle, gpu->pool, 1, &commands);
  gpu->f->DestroyBuffer(gpu->handle, buffer, NULL);
}

/* A descriptor of such a range in a buffer of 256 MB. */
static void describe(webnn_vk__gpu *gpu, VkBuffer buffer, VkDescriptorSet set, uint64_t offset,
                     uint64_t size) {
  VkDescriptorBufferInfo info;
  VkWriteDescriptorSet write = WEBNN_ZERO;
  info.buffer = buffer;
  info.offset = offset;
  info.range = size;
  write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
  write.dstSet = set;
  write.descriptorCount = 1;
  write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  write.pBufferInfo = &info;
  gpu->f->UpdateDescriptorSets(gpu->handle, 1, &write, 0, NULL);
}

static void refuse_descriptors(webnn_vk__gpu *gpu) {
  const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
  VkDescriptorPoolCreateInfo pool_info = WEBNN_ZERO;
  VkDescriptorSetAllocateInfo allocation = WEBNN_ZERO;
  VkPipelineLayoutCreateInfo layout_info = WEBNN_ZERO;
  VkPushConstantRange push = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 132};
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkDescriptorPool pool = VK_NULL_HANDLE;
  VkDescriptorSet set = VK_NULL_HANDLE;
  VkBuffer buffer = VK_NULL_HANDLE;
  (void)webnn_vk__make_layout(gpu, 5);
  expect_refusal("5 storage buffers");
  layout_info.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
  layout_info.pushConstantRangeCount = 1;
  layout_info.pPushConstantRanges = &push;
  (void)gpu->f->CreatePipelineLayout(gpu->handle, &layout_info, NULL, &layout);
  expect_refusal("132 bytes of push constants");
  (void)webnn_vk__make_layout(gpu, 1);
  (void)webnn_vk__create_buffer(gpu, 256 << 20, &buffer);
  pool_info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
  pool_info.maxSets = 1;
  pool_info.poolSizeCount = 1;
  pool_info.pPoolSizes = &size;
  (void)gpu->f->CreateDescriptorPool(gpu->handle, &pool_info, NULL, &pool);
  allocation.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
  allocation.descriptorPool = pool;
  allocation.descriptorSetCount = 1;
  allocation.pSetLayouts = &gpu->set_layouts[1];
  (void)gpu->f->AllocateDescriptorSets(gpu->handle, &allocation, &set);
  expect_none("descriptors");
  describe(gpu, buffer, set, 128, 256);
  expect_refusal("offset 128");
  describe(gpu, buffer, set, 0, (128 << 20) + 4);
  expect_refusal("a range of 134217732 bytes");
  describe(gpu, buffer, set, (256 << 20) - 256, 512);
  expect_refusal("are not in the buffer");
  gpu->f->DestroyDescriptorPool(gpu->handle, pool, NULL);
  gpu->f->DestroyBuffer(gpu->handle, buffer, NULL);
}

/* Gives a module a size of its workgroups along y, which the language of kernels lacks. */
static void set_local_size_y(uint32_t *words, size_t count, uint32_t y) {
  enum { OP_EXECUTION_MODE = 16, LOCAL_SIZE = 17 };
  size_t i = 5;
  while (i < count && ((words[i] & 0xffff) != OP_EXECUTION_MODE || words[i + 2] != LOCAL_SIZE)) {
    i += words[i] >> 16;
  }
  if (CHECK("control", i < count, "no local size")) {
    words[i + 4] = y;
  }
}

/* The module of a text, with workgroups of `y` rows. */
static void make_module(webnn_vk__gpu *gpu, const char *text,
                        const webnn_vk__compile_options *options, uint32_t y) {
  VkShaderModuleCreateInfo info = WEBNN_ZERO;
  VkShaderModule module = VK_NULL_HANDLE;
  webnn_error error = WEBNN_ZERO;
  uint32_t *words = NULL;
  size_t count = 0;
  if (!CHECK("control",
             webnn_vk__compile_kernel(gpu->allocator, text, options, &words, &count, &error) ==
                 WEBNN_OK,
             "%s", error.message)) {
    return;
  }
  set_local_size_y(words, count, y);
  info.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
  info.codeSize = count * 4;
  info.pCode = words;
  if (gpu->f->CreateShaderModule(gpu->handle, &info, NULL, &module) == VK_SUCCESS) {
    gpu->f->DestroyShaderModule(gpu->handle, module, NULL);
  }
  webnn__release(gpu->allocator, words);
}

#define BUFFER "layout(std430, set = 0, binding = 0) buffer X { uint x[]; };\n"
#define ONE "layout(local_size_x = 1) in;\n"

static void refuse_modules(webnn_vk__gpu *gpu) {
  webnn_vk__compile_options plain = WEBNN_ZERO, rounded = WEBNN_ZERO;
  rounded.rounding_rte_32 = true;
  make_module(gpu,
              "#version 450\nlayout(local_size_x = 64) in;\n" BUFFER
              "shared uint s[4096];\nvoid main() { s[x[0]] = 1u; barrier(); x[0] = s[0]; }\n",
              &plain, 2);
  expect_none("a module at the limits");
  make_module(
      gpu, "#version 450\nlayout(local_size_x = 129) in;\n" BUFFER "void main() { x[0] = 1u; }\n",
      &plain, 1);
  expect_refusal("a local size of 129 in direction 0");
  make_module(gpu,
              "#version 450\nlayout(local_size_x = 65) in;\n" BUFFER "void main() { x[0] = 1u; }\n",
              &plain, 2);
  expect_refusal("130 invocations");
  make_module(gpu,
              "#version 450\n" ONE BUFFER "shared uint s[4096]; shared uvec4 t;\n"
              "void main() { s[x[0]] = 1u; t.x = 2u; barrier(); x[0] = s[0] + t.x; }\n",
              &plain, 1);
  expect_refusal("16400 bytes of shared memory");
  make_module(gpu, "#version 450\n" ONE BUFFER "void main() { x[0] = 1u; }\n", &rounded, 1);
  expect_refusal("execution mode 4462");
  make_module(
      gpu,
      "#version 450\n#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require\n" ONE
          BUFFER "void main() { float16_t h = float16_t(uintBitsToFloat(x[0])); "
      "x[0] = floatBitsToUint(float(h)); }\n",
      &plain, 1);
  expect_refusal("capability 9");
}

/* A pipeline that asks for subgroups of a size, or for its own robustness. */
static void refuse_pipelines(webnn_vk__gpu *gpu) {
  static char text[] = "#version 450\n" ONE BUFFER "void main() { x[0] = 1u; }\n";
  webnn_vk__planned_kernel kernel;
  webnn_vk__pipeline *pipelines[2] = {NULL, NULL};
  webnn_error error = WEBNN_ZERO;
  memset(&kernel, 0, sizeof kernel);
  kernel.text = text;
  kernel.operand_count = 1;
  CHECK("control",
        webnn_vk__get_pipelines(gpu, &kernel, 1, NULL, &pipelines[0], &error) == WEBNN_OK, "%s",
        error.message);
  expect_none("a pipeline");
  kernel.subgroup_size = 32;
  (void)webnn_vk__get_pipelines(gpu, &kernel, 1, NULL, &pipelines[1], &error);
  expect_refusal("subgroupSizeControl is off");
  CHECK("control", pipelines[1] == NULL, "it is made");
  webnn_vk__leave_pipeline(gpu, pipelines[0]);
}

/* A device that asks for what is not there. */
static void refuse_devices(webnn_vk__gpu *gpu) {
  static const char *const extensions[1] = {VK_EXT_MEMORY_BUDGET_EXTENSION_NAME};
  const float priority = 1;
  VkDeviceQueueCreateInfo queue = WEBNN_ZERO;
  VkPhysicalDeviceFeatures2 features = WEBNN_ZERO;
  VkPhysicalDeviceTimelineSemaphoreFeatures timeline = WEBNN_ZERO;
  VkDeviceCreateInfo info = WEBNN_ZERO;
  VkDevice device = NULL;
  queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  timeline.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES;
  timeline.timelineSemaphore = VK_TRUE;
  info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  info.ppEnabledExtensionNames = extensions;
  info.enabledExtensionCount = 1;
  (void)gpu->f->CreateDevice(gpu->physical, &info, NULL, &device);
  expect_refusal("the extension VK_EXT_memory_budget is not there");
  info.enabledExtensionCount = 0;
  queue.queueFamilyIndex = 2;
  (void)gpu->f->CreateDevice(gpu->physical, &info, NULL, &device);
  expect_refusal("family 2 of 2");
  queue.queueFamilyIndex = 0;
  info.pNext = &timeline;
  (void)gpu->f->CreateDevice(gpu->physical, &info, NULL, &device);
  expect_refusal("VK_KHR_timeline_semaphore, which is off");
  info.pNext = &features;
  features.features.shaderInt64 = VK_TRUE;
  (void)gpu->f->CreateDevice(gpu->physical, &info, NULL, &device);
  expect_refusal("a feature of Vulkan 1.0");
}

static void check_controls(void) {
  static webnn_error ignored;
  webnn_context *context = new_context();
  webnn_vk__gpu *gpu = context != NULL ? gpu_of(context) : NULL;
  if (gpu == NULL) {
    return;
  }
  gpu->call.error = &ignored;
  expect_none("a context");
  refuse_devices(gpu);
  refuse_memory(gpu);
  refuse_many(gpu);
  refuse_commands(gpu);
  refuse_descriptors(gpu);
  refuse_modules(gpu);
  refuse_pipelines(gpu);
  webnn_free_context(context);
}

/* ---- Devices --------------------------------------------------------------------------------- */

enum { ROWS = 70, TERMS = 130, COLUMNS = 65 };

/* y = softmax(relu(x w + b)) and its transposed sums, of numbers that are given. */
static bool run_graph(webnn_context *context, const float *x, const float *w, float *y, float *z,
                      webnn_error *error) {
  const webnn_operand_descriptor rows = WEBNN_DESCRIPTOR(WEBNN_FLOAT32, ROWS, TERMS);
  const webnn_operand_descriptor weights = WEBNN_DESCRIPTOR(WEBNN_FLOAT32, TERMS, COLUMNS);
  const webnn_operand_descriptor bias = WEBNN_DESCRIPTOR(WEBNN_FLOAT32, COLUMNS);
  webnn_builder *builder = NULL;
  webnn_graph *graph = NULL;
  webnn_operand *product, *result, *sums;
  webnn_reduce_options columns = WEBNN_ZERO;
  bool done = false;
  columns.axes = WEBNN_LIST(0);
  if (webnn_create_builder(context, &builder, error) == WEBNN_OK) {
    product = webnn_matmul(builder, webnn_input(builder, "x", rows),
                           webnn_constant(builder, weights, w, TERMS * COLUMNS * sizeof *w), NULL);
    product =
        webnn_add(builder, product, webnn_constant(builder, bias, w, COLUMNS * sizeof *w), NULL);
    result = webnn_softmax(builder, webnn_relu(builder, product, NULL), 1, NULL);
    sums = webnn_reduce_sum(builder, webnn_transpose(builder, result, NULL), &columns);
    (void)webnn_build(builder, WEBNN_NAMED_OPERANDS({"y", result}, {"z", sums}), &graph, error);
  }
  if (graph != NULL) {
    done = webnn_compute(
               context, graph, WEBNN_INPUTS({"x", x, ROWS * TERMS * sizeof *x}),
               WEBNN_OUTPUTS({"y", y, ROWS * COLUMNS * sizeof *y}, {"z", z, ROWS * sizeof *z}),
               error) == WEBNN_OK;
  }
  webnn_free_graph(graph);
  webnn_free_builder(builder);
  return done;
}

static void check_graph(webnn_context *context) {
  static float x[ROWS * TERMS], w[TERMS * COLUMNS], y[2][ROWS * COLUMNS], z[2][ROWS];
  webnn_error error = WEBNN_ZERO;
  webnn_context_options options = WEBNN_ZERO;
  webnn_context *cpu = NULL;
  uint64_t seed = 5;
  uint32_t i, wrong = 0;
  for (i = 0; i < ROWS * TERMS; i++) {
    x[i] = (float)(test_random(&seed) % 200) / 100 - 1;
  }
  for (i = 0; i < TERMS * COLUMNS; i++) {
    w[i] = (float)(test_random(&seed) % 200) / 100 - 1;
  }
  options.numerics = WEBNN_NUMERICS_REFERENCE;
  (void)webnn_create_context(&options, &cpu, &error);
  CHECK("graph", run_graph(cpu, x, w, y[0], z[0], &error), "%s", error.message);
  CHECK("graph", run_graph(context, x, w, y[1], z[1], &error), "%s: %s", current, error.message);
  for (i = 0; i < ROWS * COLUMNS; i++) {
    wrong += !(fabs((double)y[0][i] - (double)y[1][i]) <= 1e-5) ? 1 : 0;
  }
  for (i = 0; i < ROWS; i++) {
    wrong += !(fabs((double)z[0][i] - (double)z[1][i]) <= 1e-5) ? 1 : 0;
  }
  CHECK("graph", wrong == 0, "%s: %u results are wrong", current, (unsigned)wrong);
  webnn_free_context(cpu);
}

static webnn_tensor *new_tensor(webnn_context *context, uint32_t n, webnn_error *error) {
  const webnn_tensor_descriptor type = {WEBNN_FLOAT32, WEBNN_LIST(n), true, true};
  webnn_tensor *tensor = NULL;
  (void)webnn_create_tensor(context, type, &tensor, error);
  return tensor;
}

/* A tensor of this many elements gets bytes, and has them. */
static void check_bytes(webnn_context *context, webnn_tensor *tensor, uint32_t n) {
  webnn_error error = WEBNN_ZERO;
  uint32_t *data = (uint32_t *)test_allocate(n * sizeof *data);
  uint32_t i, wrong = 0;
  for (i = 0; i < n; i++) {
    data[i] = i * 2654435761u;
  }
  (void)webnn_write_tensor(context, tensor, data, n * sizeof *data, &error);
  memset(data, 0, n * sizeof *data);
  (void)webnn_read_tensor(context, tensor, data, n * sizeof *data, &error);
  for (i = 0; i < n; i++) {
    wrong += data[i] != i * 2654435761u ? 1 : 0;
  }
  CHECK("bytes", error.status == WEBNN_OK && wrong == 0, "%s: %u are wrong: %s", current,
        (unsigned)wrong, error.message);
  free(data);
}

/* Tensors over memory of the program: what is computed is in it after webnn_wait. */
static void check_memory_of_caller(webnn_context *context) {
  static float x[1000], y[1000];
  const webnn_operand_descriptor type = WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1000);
  const webnn_tensor_descriptor tensor = {WEBNN_FLOAT32, WEBNN_LIST(1000), true, true};
  webnn_builder *builder = NULL;
  webnn_graph *graph = NULL;
  webnn_tensor *input = NULL, *output = NULL;
  webnn_error error = WEBNN_ZERO;
  uint32_t i, wrong = 0;
  for (i = 0; i < 1000; i++) {
    x[i] = (float)i;
    y[i] = 0;
  }
  (void)webnn_create_builder(context, &builder, &error);
  (void)webnn_build(
      builder,
      WEBNN_NAMED_OPERANDS({"y", webnn_neg(builder, webnn_input(builder, "x", type), NULL)}),
      &graph, &error);
  (void)webnn_create_tensor_over_memory(context, tensor, x, sizeof x, &input, &error);
  (void)webnn_create_tensor_over_memory(context, tensor, y, sizeof y, &output, &error);
  if (CHECK("caller's memory", graph != NULL && input != NULL && output != NULL, "%s: %s", current,
            error.message)) {
    (void)webnn_dispatch(context, graph, WEBNN_NAMED_TENSORS({"x", input}),
                         WEBNN_NAMED_TENSORS({"y", output}), &error);
    (void)webnn_wait(context, &error);
  }
  for (i = 0; i < 1000; i++) {
    wrong += y[i] != -(float)i ? 1 : 0;
  }
  CHECK("caller's memory", wrong == 0, "%s: %u are wrong: %s", current, (unsigned)wrong,
        error.message);
  webnn_free_tensor(input);
  webnn_free_tensor(output);
  webnn_free_graph(graph);
  webnn_free_builder(builder);
}

/* Modes of arithmetic are asked for wherever the device has them, in the core of Vulkan or by an extension. */
static void check_modes(const webnn_vk__gpu *gpu) {
  const webnn_vk__compile_options *asked = &gpu->compile_options;
  VkPhysicalDeviceProperties2 all = WEBNN_ZERO;
  VkPhysicalDeviceFloatControlsProperties modes = WEBNN_ZERO;
  webnn_vk__compile_options expected = WEBNN_ZERO;
  all.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  all.pNext = &modes;
  modes.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES;
  gpu->f->GetPhysicalDeviceProperties2(gpu->physical, &all);
  webnn_vk__find_modes(&modes, gpu->traits.float16, &expected);
  CHECK(
      "modes",
      asked->rounding_rte_32 == expected.rounding_rte_32 &&
          asked->rounding_rte_16 == expected.rounding_rte_16 &&
          asked->preserve_32 == expected.preserve_32 && asked->preserve_16 == expected.preserve_16,
      "%s: rounding %d %d, NaN %d %d; the device has %d %d, %d %d", current, asked->rounding_rte_32,
      asked->rounding_rte_16, asked->preserve_32, asked->preserve_16, expected.rounding_rte_32,
      expected.rounding_rte_16, expected.preserve_32, expected.preserve_16);
}

/* Types of memory are those that the profile expects, pipelines are without robust access where one may ask
   for that, and what is not coherent is invalidated. */
static void check_choices(webnn_context *context) {
  const webnn_vk__gpu *gpu = gpu_of(context);
  profile_counts counts;
  const uint32_t read = gpu->memory_types[WEBNN_VK__READ_MEMORY].types[0];
  const VkMemoryPropertyFlags flags = gpu->memory.memoryTypes[read].propertyFlags;
  uint32_t kind;
  profile_take(&counts);
  for (kind = 0; kind < WEBNN_VK__MEMORY_KINDS; kind++) {
    CHECK("memory", gpu->memory_types[kind].types[0] == counts.expected_types[kind],
          "%s: type %u, not %u, for purpose %u", current,
          (unsigned)gpu->memory_types[kind].types[0], (unsigned)counts.expected_types[kind],
          (unsigned)kind);
  }
  CHECK("family", counts.family == counts.expected_family, "%s: %u, not %u", current,
        (unsigned)counts.family, (unsigned)counts.expected_family);
  CHECK("robustness",
        counts.pipelines > 0 &&
            counts.unchecked_pipelines == (counts.may_be_unchecked ? counts.pipelines : 0),
        "%s: %u of %u pipelines", current, (unsigned)counts.unchecked_pipelines,
        (unsigned)counts.pipelines);
  CHECK("invalidation",
        (counts.invalidations > 0) == ((flags & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT) == 0),
        "%s: %u", current, (unsigned)counts.invalidations);
  CHECK("refusals", counts.refusals == 0, "%s: %u, of which the first is: %s", current,
        (unsigned)counts.refusals, counts.first);
}

/* What is chosen on a device is what the profile expects, and all calls are taken. */
static void check_device(void) {
  enum { BIG = 5000001 };
  webnn_context *context = new_context();
  webnn_error error = WEBNN_ZERO;
  webnn_tensor *tensor;
  uint32_t bits;
  if (context == NULL) {
    return;
  }
  bits = ((const webnn_vk__gpu *)context->device)->timestamp_bits;
  check_graph(context); /* which has timed the kernels */
  CHECK("clock", ((const webnn_vk__gpu *)context->device)->timestamp_bits == bits,
        "%s: the clock of %u bits is not believed", current, (unsigned)bits);
  tensor = new_tensor(context, BIG, &error);
  CHECK("tensor", tensor != NULL, "%s: %s", current, error.message);
  if (tensor != NULL) {
    check_bytes(context, tensor, BIG);
  }
  webnn_free_tensor(tensor);
  check_memory_of_caller(context);
  check_modes((const webnn_vk__gpu *)context->device);
  check_choices(context);
  webnn_free_context(context);
}

/* Tensors fill one heap after another: the device's own, what it shares, the host's. Each of them computes, all
   of them together are an error, and what is freed can be had again. */
static void check_full_heaps(void) {
  enum { BYTES = 8 << 20, MOST = 64 };
  webnn_context *context = new_context();
  webnn_tensor *tensors[MOST];
  webnn_error error = WEBNN_ZERO;
  profile_counts before, counts;
  uint32_t count = 0, i;
  if (context == NULL) {
    return;
  }
  profile_take(&before);
  while (count < MOST && (tensors[count] = new_tensor(context, BYTES / 4, &error)) != NULL) {
    count++;
  }
  profile_take(&counts);
  /* 64 and 32 MB, of which the second leaves half to staging, and half of 128 MB. */
  CHECK("heaps", count >= 16 && count <= 18, "%u tensors: %s", (unsigned)count, error.message);
  CHECK("heaps", error.status == WEBNN_UNKNOWN_ERROR && strstr(error.message, "no memory") != NULL,
        "%s", error.message);
  for (i = 1; i <= 4; i++) { /* of the heaps 0, 1 and 2 */
    const uint32_t new_ones = counts.allocations[i] - before.allocations[i];
    CHECK("heaps", i == 3 || new_ones > 0, "type %u is not used", (unsigned)i);
  }
  CHECK("heaps", counts.refusals == 0, "%s", counts.first);
  for (i = 0; i < count; i += 5) {
    check_bytes(context, tensors[i], BYTES / 4);
  }
  for (i = 0; i < count; i++) {
    webnn_free_tensor(tensors[i]);
  }
  tensors[0] = new_tensor(context, BYTES / 4, &error);
  CHECK("heaps", tensors[0] != NULL, "%s", error.message);
  webnn_free_tensor(tensors[0]);
  webnn_free_context(context);
}

/* ---- The cache of pipelines ------------------------------------------------------------------ */

/* A context with these bytes, which computes; *counts says what it compiled. */
static webnn_context *use_cache(const void *bytes, size_t size, profile_counts *counts) {
  const webnn_vulkan_options plain = WEBNN_ZERO;
  webnn_vulkan_options own = plain;
  webnn_context_options options = WEBNN_ZERO;
  webnn_context *context = NULL;
  webnn_error error = WEBNN_ZERO;
  profile_counts before;
  own.get_instance_proc_addr = loader;
  own.pipeline_cache = bytes;
  own.pipeline_cache_size = size;
  options.backend = webnn_vulkan_backend();
  options.backend_options = &own;
  profile_take(&before);
  if (CHECK("cache", webnn_create_context(&options, &context, &error) == WEBNN_OK, "%s",
            error.message)) {
    check_graph(context);
  }
  profile_take(counts);
  counts->compiled -= before.compiled;
  counts->cached -= before.cached;
  return context;
}

/* What a process does whose cache is a file: it reads it if it is there, computes, writes it, and prints how
   many pipelines were compiled and how many the cache had. */
static int run_with_cache(const char *path) {
  static unsigned char bytes[1 << 16];
  FILE *file = fopen(path, "rb");
  size_t size = file != NULL ? fread(bytes, 1, sizeof bytes, file) : 0;
  profile_counts counts;
  webnn_context *context = use_cache(size > 0 ? bytes : NULL, size, &counts);
  if (file != NULL) {
    fclose(file);
  }
  size = sizeof bytes;
  file = fopen(path, "wb");
  if (file == NULL || webnn_vulkan_pipeline_cache(context, bytes, &size, NULL) != WEBNN_OK ||
      fwrite(bytes, 1, size, file) != size || fclose(file) != 0) {
    return 1;
  }
  webnn_free_context(context);
  printf("%u %u %u\n", (unsigned)counts.compiled, (unsigned)counts.cached,
         (unsigned)counts.refusals);
  return test_failed > 0;
}

/* The numbers that such a process prints. */
static bool start_process(char *const *argv, const char *profile, const char *path,
                          unsigned numbers[3]) {
  char command[2048];
  FILE *output;
  bool done;
  snprintf(command, sizeof command, "'%s' '%s' --cache '%s' '%s'", argv[0], argv[1], profile, path);
  output = popen(command, "r");
  done = output != NULL && fscanf(output, "%u %u %u", &numbers[0], &numbers[1], &numbers[2]) == 3;
  return (output != NULL && pclose(output) == 0) && done;
}

/* A process compiles nothing that an earlier one of the same device has compiled. */
static void check_processes(char *const *argv) {
  char path[1024];
  unsigned first[3] = {0, 0, 0}, second[3] = {0, 0, 0}, other[3] = {0, 0, 0};
  snprintf(path, sizeof path, "%s.cache", argv[0]);
  (void)remove(path);
  CHECK("cache", start_process(argv, argv[2], path, first) && first[0] > 2 && first[1] == 0,
        "%u compiled, %u cached", first[0], first[1]);
  CHECK("cache",
        start_process(argv, argv[2], path, second) && second[0] == 0 && second[1] == first[0],
        "%u compiled, %u cached, not %u", second[0], second[1], first[0]);
  CHECK("cache", start_process(argv, argv[3], path, other) && other[0] > 2 && other[1] == 0,
        "another device: %u compiled, %u cached", other[0], other[1]);
  CHECK("cache", first[2] + second[2] + other[2] == 0, "%u, %u and %u calls are refused", first[2],
        second[2], other[2]);
  (void)remove(path);
}

/* What was measured of tiles is kept beside the kernels, if it is an order of all tiles. */
static void check_kept_tiles(void) {
  enum { HEAD = sizeof(webnn_vk__cache_header) };
  static const uint64_t orders[2] = {UINT64_C(06543102) << 21, UINT64_C(06543112) << 21};
  static unsigned char bytes[1 << 16];
  size_t i;
  for (i = 0; i < 2; i++) {
    profile_counts counts;
    webnn_context *context = use_cache(NULL, 0, &counts);
    webnn_error error = WEBNN_ZERO;
    size_t size = sizeof bytes;
    uint64_t kept;
    ((webnn_vk__gpu *)context->device)->traits.tile_orders = orders[i];
    CHECK("tiles", webnn_vulkan_pipeline_cache(context, bytes, &size, &error) == WEBNN_OK, "%s",
          error.message);
    webnn_free_context(context);
    context = use_cache(bytes, size, &counts);
    kept = ((webnn_vk__gpu *)context->device)->traits.tile_orders;
    CHECK("tiles", kept == (i == 0 ? orders[0] : 0) && counts.compiled == 0, "%llo, %u compiled",
          (unsigned long long)kept, (unsigned)counts.compiled);
    webnn_free_context(context);
  }
}

/* Bytes that are cut, changed, too many, of another device, or the driver's alone are not used; those that
   are right are. */
static void check_bad_caches(void) {
  enum { HEAD = sizeof(webnn_vk__cache_header) };
  static unsigned char right[1 << 16], bytes[1 << 16];
  const webnn_vk__cache_header *header = (const webnn_vk__cache_header *)(const void *)right;
  webnn_vk__cache_header changed;
  profile_counts counts;
  webnn_context *context = use_cache(NULL, 0, &counts);
  const uint32_t pipelines = counts.compiled;
  webnn_error error = WEBNN_ZERO;
  size_t size = sizeof right, i;
  CHECK("cache", webnn_vulkan_pipeline_cache(context, right, &size, &error) == WEBNN_OK, "%s",
        error.message);
  webnn_free_context(context);
  CHECK("cache", header->size == size - HEAD && pipelines > 2, "%u bytes", (unsigned)size);
  webnn_free_context(use_cache(right, size, &counts));
  CHECK("cache", counts.compiled == 0 && counts.cached == pipelines, "%u compiled",
        (unsigned)counts.compiled);
  for (i = 0; i < 13; i++) {
    const size_t ends[13] = {1,    HEAD - 1, HEAD, HEAD + 31, HEAD + 32, size - 8, size + 8,
                             size, size,     size, size,      size,      size};
    size_t first = 0;
    memcpy(bytes, right, sizeof bytes);
    if (i >= 7 && i < 10) {
      bytes[i == 7 ? 0 : i == 8 ? HEAD + 3 : size - 1] ^= 1;
    } else if (i == 10) { /* of another driver, and whole */
      bytes[HEAD + 16] ^= 1;
      changed = webnn_vk__head_cache(bytes + HEAD, size - HEAD, 0);
      memcpy(bytes, &changed, HEAD);
    } else if (i == 11) {
      first = HEAD;
    } else if (i == 12) { /* of other tiles */
      bytes[HEAD - 8] ^= 1;
    }
    webnn_free_context(use_cache(bytes + first, ends[i] - first, &counts));
    CHECK("cache", counts.compiled == pipelines && counts.cached == 0 && counts.refusals == 0,
          "kind %u: %u compiled, %u cached: %s", (unsigned)i, (unsigned)counts.compiled,
          (unsigned)counts.cached, counts.first);
  }
}

/* The loader is found wherever a system keeps it. */
static void check_names(void) {
  static const char *const all[] = {"libvulkan.so.1",
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
  for (i = 0; i < sizeof all / sizeof *all; i++) {
    void *library = NULL;
    names.only = all[i];
    names.tried = 0;
    CHECK("names", webnn_vk__open_loader(&library) != NULL && names.tried == i + 1, "%s: %u tried",
          all[i], (unsigned)names.tried);
    webnn_vk__close_loader(library);
  }
  names.only = NULL;
}

int main(int argc, char **argv) {
  void *library = argc > 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL, *found;
  int i;
  if (library == NULL) {
    printf("profiles LOADER PROFILE...: %s\n", argc > 2 ? dlerror() : "what is missing?");
    return 1;
  }
  found = dlsym(library, "vkGetInstanceProcAddr");
  memcpy(&loader, &found, sizeof found);
  found = dlsym(library, "profile_open");
  memcpy(&profile_open, &found, sizeof found);
  found = dlsym(library, "profile_take");
  memcpy(&profile_take, &found, sizeof found);
  names.library = argv[1];
  if (argc == 5 && strcmp(argv[2], "--cache") == 0) {
    current = argv[3];
    return profile_open(current) ? run_with_cache(argv[4]) : 1;
  }
  check_names();
  for (i = 2; i < argc; i++) {
    current = argv[i];
    if (!CHECK("profile", profile_open(current), "%s cannot be read", current)) {
      continue;
    }
    if (i == 2) {
      check_controls();
      check_full_heaps();
      check_bad_caches();
      check_kept_tiles();
    }
    check_device();
  }
  if (argc > 3) {
    check_processes(argv);
  }
  return test_end();
}
