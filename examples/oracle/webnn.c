/* The library, compiled once, so that a change of the tool does not compile it again. */
#define WEBNN_IMPLEMENTATION
#include "webnn.h"
#ifdef USE_VULKAN
#define WEBNN_VULKAN_IMPLEMENTATION
#include "webnn_vulkan.h"
#endif
