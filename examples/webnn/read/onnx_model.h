/* What the reader of ONNX models (onnx_model.c) and their tests (onnx_test.c) share. */
#ifndef NETWORKS_ONNX_MODEL_H
#define NETWORKS_ONNX_MODEL_H

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
/* The model that has been read. */
const webnn_onnx_model *onnx_of(const model *m);
void onnx_close(model *m);
/* Runs the data sets beside a model, test_data_set_0 and so on (onnx_test.c). */
int onnx_test(model *m);

#endif
