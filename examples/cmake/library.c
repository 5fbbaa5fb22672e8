/* The implementation of webnn.h and of the companions that the build asks for. */
#define WEBNN_IMPLEMENTATION
#include "webnn.h"

#ifdef WEBNN_VULKAN_IMPLEMENTATION
#include "webnn_vulkan.h"
#endif
#ifdef WEBNN_XLA_IMPLEMENTATION
#include "webnn_xla.h"
#endif
#ifdef WEBNN_STABLEHLO_IMPLEMENTATION
#include "webnn_stablehlo.h"
#endif
#ifdef WEBNN_ONNX_IMPLEMENTATION
#include "webnn_onnx.h"
#endif
#ifdef WEBNN_ONNX_WRITE_IMPLEMENTATION
#include "webnn_onnx_write.h"
#endif
#ifdef WEBNN_WEIGHTS_IMPLEMENTATION
#include "webnn_weights.h"
#endif
