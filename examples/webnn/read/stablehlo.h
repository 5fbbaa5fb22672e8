/* Modules of StableHLO: what stablehlo.c gives to stablehlo_model.c. */
#ifndef ORACLE_STABLEHLO_H
#define ORACLE_STABLEHLO_H

#include "../../headers/webnn_stablehlo.h"
#include "../../headers/webnn_xla.h"
#include "onnx.h"
#include "read.h"

/* The names of a program's inputs and outputs, all different: those that the module's function has,
   or numbered ones where it has none. `function` as of webnn_stablehlo_function. */
typedef struct stablehlo_names {
  const char **inputs, **outputs;
  size_t input_count, output_count;
} stablehlo_names;
void stablehlo_take_names(arena *memory, const webnn_stablehlo *module, const char *function,
                          const webnn_xla_program *program, stablehlo_names *names);

/* The shape of what is given for an argument, if it says one. */
typedef onnx_found (*stablehlo_given)(void *user, const webnn_onnx_port *port, size_t element_bytes,
                                      webnn_list *shape);
/* The function as a computation, for the sizes that --dim and what is given for its arguments say where the text
   leaves them open; sizes that are missing are 1, which is noted. `function` as of webnn_stablehlo_function. NULL after an
   error, or after a complaint without one. */
const webnn_xla_computation *stablehlo_computation(const session *s, arena *memory,
                                                   const char *path, webnn_stablehlo *module,
                                                   const char *function, stablehlo_given given,
                                                   void *user, webnn_error *error);

/* The only graph of a program without steps of the host, and what its inputs and outputs are called.
   NULL after a complaint about each step with its place, or a program without a graph. */
const webnn_graph *stablehlo_graph(arena *memory, const char *path,
                                   const webnn_xla_program *program, const stablehlo_names *names,
                                   port_names *ports);

#endif
