/* ONNX models: what onnx.c gives to onnx_model.c. */
#ifndef ORACLE_ONNX_H
#define ORACLE_ONNX_H

#include "../../headers/webnn_onnx.h"
#include "read.h"

/* A model and the options that it was opened with, which grow while it is made ready. */
typedef struct onnx_file {
  const session *session;
  arena *memory; /* of names and values */
  const char *path;
  webnn_onnx_model *model;
  webnn_onnx_options options;
  webnn_onnx_dimension *dimensions;
  const char **origins; /* of each of them: "--dim batch=1", or what is given for an input */
  webnn_onnx_known *known;
  size_t dimension_room, known_room;
} onnx_file;

/* Values that are given for inputs, from which sizes follow, and which a model may need before its graph
   can be built. */
typedef enum onnx_found { ONNX_NONE, ONNX_FOUND, ONNX_WRONG /* and complained of */ } onnx_found;
typedef struct onnx_values {
  onnx_found (*value)(void *user, const webnn_onnx_port *port, webnn_onnx_tensor *value);
  /* Its shape alone, where it says one; *what is how messages call it. */
  onnx_found (*shape)(void *user, const webnn_onnx_port *port, const char **what,
                      webnn_list *shape);
  void *user;
} onnx_values;

/* Opens the model with the options of the command line. A failure is complained of and returned; the file
   is to be closed in any case. */
webnn_status onnx_open(const session *s, arena *memory, const char *path, onnx_file *file);
void onnx_close_file(onnx_file *file);
/* Opens the model again, with the options as they are now. */
webnn_status onnx_open_again(onnx_file *file);
/* The sizes that values have, then those that are missing (as the session says: 1, or complained of), and
   the values that are given in place of initializers. `values` may be NULL. */
webnn_status onnx_settle(onnx_file *file, const onnx_values *values);
/* Builds the model that is settled; without a graph (NULL) if all outputs are empty tensors. Inputs whose values it needs, and which are given, become constants,
   which is noted. */
webnn_status onnx_build_graph(onnx_file *file, const onnx_values *values, webnn_context *context,
                              webnn_graph **graph);
/* False after a complaint: the model was built, and all its outputs are empty tensors. */
bool onnx_has_graph(const char *path, const webnn_graph *graph);
/* Complains of the value that a build, or webnn_onnx_problems, asked for, if there is one. */
void onnx_tell_way_out(const onnx_file *file);
void onnx_note(const char *text);

/* Numbers of the command line, in a list or in lists of lists: 1,2,3 and [[1,2],[3,4]]. */
bool onnx_is_numbers(const char *text);
/* The shape of the lists; one dimension of numbers without brackets. */
webnn_list onnx_numbers_shape(const char *text);
/* Numbers as elements of a type in ONNX's form; one number is that of all elements. A shape that is not
   given is a list's. False after a complaint that begins with `what`. */
bool onnx_read_numbers(arena *memory, const char *what, const char *text, webnn_onnx_tensor *t);
/* The value of a port: numbers, an NPY file, or the bytes of another file. There is none where sizes of the
   port are not known, and the value does not say them. */
onnx_found onnx_read_value(const session *s, arena *memory, const char *what, const char *text,
                           const webnn_onnx_port *port, webnn_onnx_tensor *t);

/* ---- Sizes (onnx_sizes.c) -------------------------------------------------------------------- */

/* The inputs, or the outputs, of a model. */
typedef size_t (*onnx_port_lister)(const webnn_onnx_model *, webnn_onnx_port *, size_t);
webnn_onnx_port *onnx_list_ports(arena *memory, const webnn_onnx_model *model, onnx_port_lister of,
                                 size_t *count);
webnn_onnx_port *onnx_ports(arena *memory, const webnn_onnx_model *model, bool outputs,
                            size_t *count);
/* What --dim calls the dimension of a port, "batch" or "x[0]"; NULL: the model has its size. */
const char *onnx_dimension_name(arena *memory, const webnn_onnx_port *port, uint32_t dimension);
/* The names of the dimensions without a size, each once. */
const char **onnx_open_dimensions(arena *memory, const webnn_onnx_model *model, size_t *count);
/* What webnn_onnx.h says of the model, with its path in place of the name of its file. */
const char *onnx_message(arena *memory, const char *path, const char *message);

/* Has the model a dimension for each size of the command line? False after a complaint. */
bool onnx_dimensions_exist(const onnx_file *file);
void onnx_add_dimension(onnx_file *file, const char *name, uint32_t size, const char *origin);
/* The sizes that the inputs' values have. */
webnn_status onnx_take_sizes(onnx_file *file, const onnx_values *values);
/* Sizes that are still missing are 1, or complained of. */
webnn_status onnx_default_sizes(onnx_file *file);
/* Complains that sizes may be what a graph with dynamic dimensions lacks, if it has such. */
void onnx_tell_sizes(const onnx_file *file);
/* The shape of what the command line gives for a port: that of numbers, of an NPY file or of a picture; bytes
   and flat lists of numbers say the size of a dimension that is the only open one. An element has so many
   bytes in a file of bytes. */
onnx_found onnx_read_shape(arena *memory, const char *text, const webnn_onnx_port *port,
                           size_t element_bytes, webnn_list *shape);
/* As in a graph; 4 bits take a byte. */
size_t onnx_element_bytes(const webnn_onnx_port *port);
/* float32[batch,3,224,224]: a dimension without a size has the name that --dim takes. */
const char *onnx_port_text(arena *memory, const webnn_onnx_port *port);
/* [2,3] */
const char *onnx_shape_text(arena *memory, const webnn_list *shape);

#endif
