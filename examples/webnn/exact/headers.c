/* The headers of ../../headers, compiled once and apart from the library, so
   that a change of one does not compile the other again. */
#define WEBNN_WEIGHTS_IMPLEMENTATION
#include "../../headers/webnn_weights.h"
#define WEBNN_XLA_IMPLEMENTATION
#include "../../headers/webnn_xla.h"
#define WEBNN_STABLEHLO_IMPLEMENTATION
#include "../../headers/webnn_stablehlo.h"
#define WEBNN_ONNX_IMPLEMENTATION
#include "../../headers/webnn_onnx.h"
#define WEBNN_ONNX_WRITE_IMPLEMENTATION
#include "../../headers/webnn_onnx_write.h"
