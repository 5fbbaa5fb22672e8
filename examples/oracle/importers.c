/* The headers that read weights, StableHLO and ONNX, compiled once and apart from the library, so
   that a change of one does not compile the other again. */
#define WEBNN_WEIGHTS_IMPLEMENTATION
#include "../networks/webnn_weights.h"
#define WEBNN_XLA_IMPLEMENTATION
#include "../networks/webnn_xla.h"
#define WEBNN_STABLEHLO_IMPLEMENTATION
#include "../networks/webnn_stablehlo.h"
#define WEBNN_ONNX_IMPLEMENTATION
#include "../networks/webnn_onnx.h"
