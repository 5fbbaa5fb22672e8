/* onnx.c - webnn_onnx.h, by itself, since its names are also those of bench.h. */
#define WEBNN_ONNX_IMPLEMENTATION
#include "../../examples/headers/webnn_onnx.h"
