/* ONNX models for the commands: what webnn-oracle and webnn share. */
#ifndef ORACLE_ONNX_H
#define ORACLE_ONNX_H

#include "../networks/webnn_onnx.h"
#include "oracle.h"

/* The options that the command line has: sizes of dimensions, float64. The names live in the arena. */
webnn_onnx_options onnx_options(const session *s, arena *memory);
/* Opens the model with them. *model is NULL after a failure, which is complained of and returned. */
webnn_status onnx_open(const session *s, arena *memory, const char *path, webnn_onnx_model **model);
/* Have all dimensions of inputs a size? Complains of those that have none, all of them. */
bool onnx_sizes_given(arena *memory, const char *path, const webnn_onnx_model *model);
/* The inputs, or the outputs, of a model. */
webnn_onnx_port *onnx_ports(arena *memory, const webnn_onnx_model *model, bool outputs,
                            size_t *count);
/* What --dim calls the dimension of a port, "batch" or "x[0]"; NULL: the model has its size. */
const char *onnx_dimension_name(arena *memory, const webnn_onnx_port *port, uint32_t dimension);
/* What webnn_onnx.h says of the model, with its path in place of the name of its file. */
const char *onnx_message(arena *memory, const char *path, const char *message);

#endif
