/* ONNX models that are read and built (onnx_model.c), for onnx_reader.c and onnx_test.c. */
#ifndef WEBNN_ONNX_MODEL_H
#define WEBNN_ONNX_MODEL_H

#include "onnx.h"
#include "model.h"

typedef struct onnx_model {
  onnx_file file;
} onnx_model;

/* What a command ends with that has met this refusal. */
int onnx_exit_status(webnn_status status);
/* Reads the model, with what the command line says of dimensions and constants. Returns the exit
   status. */
int onnx_read(model *m);
/* Its graph in the model's context. onnx_model_settle takes sizes and constants of the command line
   before it, and may be called alone; onnx_model_open does all. They return the exit status. */
int onnx_model_settle(model *m);
int onnx_model_build(model *m);
int onnx_model_open(model *m);
/* Weights that the graph has packed may leave memory. */
void onnx_model_packed(model *m, const void *data, size_t byte_length);
/* The model that has been read. */
onnx_file *onnx_file_of(const model *m);
const webnn_onnx_model *onnx_of(const model *m);
void onnx_close(model *m);
/* Runs the data sets beside a model, test_data_set_0 and so on (onnx_test.c). */
int onnx_test(model *m);

#endif
