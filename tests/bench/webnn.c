/* webnn.c - the implementation, by itself, so that it is compiled once. */
#define WEBNN_IMPLEMENTATION
#include "webnn.h"
#ifdef HAVE_VULKAN
#define WEBNN_VULKAN_IMPLEMENTATION
#include "webnn_vulkan.h"

#include "bench.h"
#include <stdlib.h>

uint32_t *compile_kernel(const char *text, size_t *count) {
  const webnn_allocator allocator = {webnn__default_allocate, webnn__default_release, NULL};
  const webnn_vk__compile_options options = WEBNN_ZERO;
  webnn_error error = WEBNN_ZERO;
  uint32_t *words, *copy;
  if (webnn_vk__compile_kernel(&allocator, text, &options, &words, count, &error) != WEBNN_OK)
    fail("%s", error.message);
  copy = (uint32_t *)allocate(*count * sizeof *copy);
  memcpy(copy, words, *count * sizeof *copy);
  webnn__release(&allocator, words);
  return copy;
}
#endif
