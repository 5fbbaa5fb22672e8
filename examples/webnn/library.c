/* The libraries, compiled once, so that a change of the command does not compile them again. */
#define WEBNN_IMPLEMENTATION
#define WEBNN_OPERATOR_TABLE
#include "webnn.h"
#define WEBNN_WEIGHTS_IMPLEMENTATION
#include "../headers/webnn_weights.h"
#define WEBNN_XLA_IMPLEMENTATION
#include "../headers/webnn_xla.h"
#define WEBNN_STABLEHLO_IMPLEMENTATION
#include "../headers/webnn_stablehlo.h"
#define WEBNN_ONNX_IMPLEMENTATION
#include "../headers/webnn_onnx.h"
#define WEBNN_ONNX_WRITE_IMPLEMENTATION
#include "../headers/webnn_onnx_write.h"
#ifdef USE_VULKAN
#define WEBNN_VULKAN_IMPLEMENTATION
#include "webnn_vulkan.h"
#endif
