/* The kernels that a test makes, in files: with WEBNN_KERNELS each text and its module are written to that
   folder, named by a hash of the text; with WEBNN_KERNELS_FROM the driver gets that folder's modules in place
   of the compiler's own. vulkan.sh so hands every text to glslang and has the tests run what it made of them.
   One thread builds graphs in such a test. */
#ifndef WEBNN_TEST_KERNEL_FILES_H
#define WEBNN_TEST_KERNEL_FILES_H

/* A device's own function: with the validation layer it is another than without. */
typedef struct kernel_device {
  VkDevice device;
  PFN_vkCreateShaderModule create;
} kernel_device;

enum { MOST_KERNEL_DEVICES = 64 };

static struct {
  kernel_device devices[MOST_KERNEL_DEVICES];
  uint32_t count;  /* of devices so far: the latest ones are kept */
  char path[1024]; /* of the module that is made next, without its ending */
} kernel_files;

/* The function of a device, of which the latest with this handle is meant. */
static inline PFN_vkCreateShaderModule create_of(VkDevice device) {
  uint32_t i;
  for (i = kernel_files.count; i-- > 0 && kernel_files.count - i <= MOST_KERNEL_DEVICES;) {
    const kernel_device *known = &kernel_files.devices[i % MOST_KERNEL_DEVICES];
    if (known->device == device) {
      return known->create;
    }
  }
  printf("a device whose modules nobody replaces\n");
  exit(1);
}

static inline FILE *kernel_file(const char *ending, const char *mode) {
  char path[1032];
  snprintf(path, sizeof path, "%s.%s", kernel_files.path, ending);
  return fopen(path, mode);
}

static inline void write_kernel_file(const char *ending, const void *bytes, size_t size) {
  FILE *file = kernel_file(ending, "wb");
  if (file == NULL || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) {
    printf("%s.%s: cannot be written\n", kernel_files.path, ending);
    exit(1);
  }
}

static inline void see_kernel(void *user, const char *text, const uint32_t *words,
                              size_t word_count) {
  const char *folder = getenv("WEBNN_KERNELS_FROM");
  const bool replaces = folder != NULL;
  uint64_t hash = UINT64_C(14695981039346656037);
  const char *c;
  (void)user;
  for (c = text; *c != 0; c++) {
    hash = (hash ^ (unsigned char)*c) * UINT64_C(1099511628211);
  }
  snprintf(kernel_files.path, sizeof kernel_files.path, "%s/%08lx%08lx",
           replaces ? folder : getenv("WEBNN_KERNELS"), (unsigned long)(hash >> 32),
           (unsigned long)(hash & 0xffffffff));
  if (!replaces) {
    write_kernel_file("comp", text, strlen(text));
    write_kernel_file("spv", words, word_count * 4);
  }
}

/* Is this an instruction that a driver may contract? */
static inline bool is_float_arithmetic(uint32_t opcode) {
  return opcode == 12 /* OpExtInst */ || opcode == 127 /* OpFNegate */ ||
         opcode == 129 /* OpFAdd */ || opcode == 131 /* OpFSub */ || opcode == 133 /* OpFMul */ ||
         opcode == 136 /* OpFDiv */ || opcode == 142 /* OpVectorTimesScalar */ ||
         opcode == 148 /* OpDot */;
}

/* A copy with the decoration NoContraction on all of these, which GLSL cannot ask for. */
static inline uint32_t *forbid_contraction(const uint32_t *words, size_t *count) {
  uint32_t *made = (uint32_t *)test_allocate(*count * 2 * sizeof *made);
  size_t i = 5, used, j;
  while (i < *count && (words[i] & 0xffff) != 19 /* OpTypeVoid, behind all decorations */) {
    i += words[i] >> 16;
  }
  memcpy(made, words, i * sizeof *made);
  used = i;
  for (j = i; j < *count; j += words[j] >> 16) {
    if (is_float_arithmetic(words[j] & 0xffff)) {
      made[used++] = 3u << 16 | 71; /* OpDecorate */
      made[used++] = words[j + 2];
      made[used++] = 42; /* NoContraction */
    }
  }
  memcpy(made + used, words + i, (*count - i) * sizeof *made);
  *count += used - i;
  return made;
}

static VKAPI_ATTR VkResult VKAPI_CALL create_module_of_file(VkDevice device,
                                                            const VkShaderModuleCreateInfo *info,
                                                            const VkAllocationCallbacks *callbacks,
                                                            VkShaderModule *module) {
  FILE *file = kernel_file("spv", "rb");
  VkShaderModuleCreateInfo other = *info;
  VkResult result;
  uint32_t *words, *strict;
  size_t count;
  long size;
  if (file == NULL) { /* of a text that glslang does not know: vulkan.sh has said so */
    return create_of(device)(device, info, callbacks, module);
  }
  fseek(file, 0, SEEK_END);
  size = ftell(file);
  rewind(file);
  words = (uint32_t *)test_allocate((size_t)size);
  if (fread(words, 1, (size_t)size, file) != (size_t)size) {
    printf("%s.spv: cannot be read\n", kernel_files.path);
    exit(1);
  }
  fclose(file);
  count = (size_t)size / 4;
  strict = forbid_contraction(words, &count);
  other.codeSize = count * 4;
  other.pCode = strict;
  result = create_of(device)(device, &other, callbacks, module);
  free(strict);
  free(words);
  return result;
}

/* Has the context read or write files, if the environment says so; not after its first graph. */
static inline void use_kernel_files(webnn_context *context) {
  webnn_vk__gpu *gpu = (webnn_vk__gpu *)context->device;
  if (getenv("WEBNN_KERNELS") != NULL || getenv("WEBNN_KERNELS_FROM") != NULL) {
    gpu->kernel = see_kernel;
  }
  if (getenv("WEBNN_KERNELS_FROM") != NULL) {
    kernel_device *latest = &kernel_files.devices[kernel_files.count++ % MOST_KERNEL_DEVICES];
    latest->device = gpu->handle;
    latest->create = gpu->instance.f.CreateShaderModule;
    gpu->instance.f.CreateShaderModule = create_module_of_file;
  }
}
#endif
