/* webnn.c - the implementation, by itself, so that it is compiled once. */
#define WEBNN_IMPLEMENTATION
#include "webnn.h"
#ifdef HAVE_VULKAN
#define WEBNN_VULKAN_IMPLEMENTATION
#include "webnn_vulkan.h"
#endif
