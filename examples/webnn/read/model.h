/* Models that run, of all kinds: what the command line asks of them, their readers, arrays and
   their files. */
#ifndef WEBNN_MODEL_H
#define WEBNN_MODEL_H

#include "../../headers/webnn_xla.h"
#include "read.h"

/* ---- What the command line asks for ---------------------------------------------------------- */

/* A model that is right but has something that no WebNN graph and no host step expresses. */
enum { EXIT_NOT_EXPRESSIBLE = 3 };

/* A row of the table of options (../options.c). */
typedef struct option_row option_row;

typedef struct request {
  arena memory;        /* of the command line */
  session session;     /* what readers and writers need of a command line */
  const char *command; /* as it was called */
  bool second_name;    /* webnn-oracle */
  const option_row **given;
  size_t given_count;
  char **models;
  size_t model_count;
  const char *folder, *function;
  const char *labels; /* of classes */
  bool random, fast, reference, vulkan, exact, steps;
  bool has_rtol; /* of tests */
  double rtol;
  uint64_t seed;
  size_t threads, repeat, warm_up;
  double duration; /* of many runs, in seconds */
} request;

/* The graver of two exit statuses: bad input, a failed check, not expressible, right. */
int graver(int a, int b);

/* ---- Models (model.c, models.c) -------------------------------------------------------------- */

typedef struct model model;

/* A place in a model and what is wrong there. */
typedef void (*problem_callback)(void *user, const char *place, const char *message);
/* How many operations of a name a model has. */
typedef void (*operation_callback)(void *user, const char *name, size_t count);

/* A kind of file that models come in. A new kind is a new row of the table in models.c. */
typedef struct reader {
  const char *name;
  /* Is this file, whose text is given (it may be binary), of the kind? */
  bool (*is)(const char *path, const char *text, size_t length);
  /* Reads it and makes it ready to run, in model->context. Returns the exit status. */
  int (*open)(model *m);
  void (*close)(model *m);
  /* Calls back for each thing that is not covered, or only reads. Returns the exit status. */
  int (*problems)(model *m, problem_callback call, void *user);
  void (*operations)(const model *m, operation_callback call, void *user);
  /* Reads it, and runs the checks that it has in itself. NULL: it cannot have any. */
  int (*test)(model *m);
  /* Have the checks held of all runs so far? NULL: there are none. */
  bool (*checks_hold)(const model *m);
  /* The graph of a model that is one, and what its inputs and outputs are to be called (NULL: as
     they are). NULL after complaints, which name steps of the host. */
  const webnn_graph *(*only_graph)(const model *m, port_names *ports);
  /* What the command info prints, or (a tree is given) writes as JSON, of a model that has been read.
     NULL: what all have. */
  int (*info)(model *m, json_list *tree);
  bool maps; /* is known by the name of the file, which is not read here */
  /* Weights of the file that the graph has packed may leave memory. NULL: they are not mapped. */
  void (*packed)(model *m, const void *data, size_t byte_length);
} reader;

/* A file that has been read: one graph, or a program of graphs and steps of the host. */
struct model {
  const request *request;
  arena *memory;
  const char *path;
  char *text; /* of the file, with a zero after it */
  size_t length;
  const reader *reader;
  webnn_context *context;
  const char **input_names, **output_names;
  webnn_xla_array *inputs,
      *outputs; /* shapes and bytes; inputs with data that the file has, or NULL */
  size_t input_count, output_count;
  const char **unused;    /* inputs of the file that no result depends on, which the graph lacks */
  const char **constants; /* inputs of the file that are constants of the graph */
  size_t unused_count, constant_count;
  webnn_graph *graph;         /* NULL: there is a program, or no output has elements */
  webnn_xla_program *program; /* NULL: a graph is all */
  void *own;                  /* the reader's */
};

/* Opens it in the context that the command line asks for. Returns the exit status; the model is to
   be closed in any case. */
int model_open(model *m, const request *r, arena *memory, const char *path);
/* The same without making it ready to run: its kind is found. */
int model_read(model *m, const request *r, arena *memory, const char *path);
void model_close(model *m);
/* One array for each input and output. False after a complaint. */
bool model_run(model *m, webnn_xla_array *inputs, webnn_xla_array *outputs);
/* Every graph with what it is called, "" if there is only one. */
typedef void (*graph_callback)(void *user, webnn_graph *graph, const char *name);
void model_graphs(const model *m, graph_callback call, void *user);
/* Every step of the host, those of loops and branches included. */
typedef void (*step_callback)(void *user, const webnn_xla_step *step);
void model_steps(const model *m, step_callback call, void *user);
/* Letters, digits and _ of a name, and not a digit at first: for names in C. */
const char *plain_word(arena *memory, const char *name);
const char *model_name(const model *m);

/* The inputs and outputs of model->graph. */
void model_take_ports(model *m);

extern const reader onnx_reader;      /* onnx_reader.c */
extern const reader graph_reader;     /* graph_model.c: .webnn and JSON */
extern const reader stablehlo_reader; /* stablehlo_model.c */

/* ---- Arrays (array.c) ------------------------------------------------------------------------ */

/* "f32[2,3]" */
const char *shape_text(arena *memory, const webnn_xla_shape *shape);
size_t element_count(const webnn_xla_shape *shape);
/* Arrays of these shapes with memory of their own. */
webnn_xla_array *new_arrays(arena *memory, const webnn_xla_array *like, size_t count);
/* NPY, whose types the array's become; or its bytes. */
bool write_array(const request *r, arena *memory, const char *name, const webnn_xla_array *a);
/* The name of its file, without the ending. */
const char *array_file(arena *memory, const char *name);
/* How an element type is stored in NPY files, and the tensor type that has the same numbers. */
const char *stored_type(webnn_xla_type type);
webnn_data_type wide_type(webnn_xla_type type);
/* The array as a tensor of the wide type. */
void widen(arena *memory, const webnn_xla_array *a, tensor *t);
/* All elements as JSON, in the type that a graph has. */
void write_array_json(FILE *file, arena *memory, const char *name, const webnn_xla_array *a);
/* "bfloat16" */
const char *type_word(webnn_xla_type type);
/* The first elements as text, to the standard output. */
void print_array(const request *r, arena *memory, const char *name, const webnn_xla_array *a);
/* The element type of a tensor. */
webnn_xla_type type_of_data_type(webnn_data_type type);
webnn_xla_shape shape_of_descriptor(const webnn_operand_descriptor *descriptor);

/* ---- Inputs (inputs.c) ------------------------------------------------------------------------ */

/* What the command line gives for an input, numbers or a file; NULL: nothing. */
const char *input_given(const model *m, const char *name);
/* The elements of an array of known shape and type, of a file or of numbers. False after a complaint. */
bool input_read(const session *s, arena *memory, const char *name, const char *text,
                webnn_xla_array *a);
/* What the command line says: files, numbers, or random ones. False after a complaint. */
bool fill_inputs(const model *m, webnn_xla_array *inputs);

/* ---- Pictures and labels (picture.c) --------------------------------------------------------- */

bool is_picture(const char *path);
/* Is it one by its name that is not read? */
bool is_other_picture(const char *path);
typedef enum picture_fit {
  PICTURE_IS_NONE, /* and complained of */
  PICTURE_FITS,
  PICTURE_DOES_NOT_FIT
} picture_fit;
/* Fills in the sizes of an array for the picture that are 0; others must agree, and stay if they do not. An array
   of which nothing is known has channels first. */
picture_fit picture_shape(arena *memory, const char *path, webnn_list *shape);
/* PGM or PPM as (value / largest - mean) / scale. False after a complaint. */
bool picture_take(const session *s, arena *memory, const char *path, webnn_xla_array *a);
/* The lines of the file of the command line; NULL after a complaint. */
char **read_labels(const request *r, arena *memory, size_t *count);
/* Is it an output [1, N] of floats? */
bool has_classes(const webnn_xla_array *a);
/* Its largest elements with their labels, of which there are N. */
void print_classes(arena *memory, const char *name, const webnn_xla_array *a, char **labels);

#endif
