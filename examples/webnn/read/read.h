/* What all subcommands share: messages and memory, JSON with positions, graphs as text and their
   weights, tensors and their files, the methods of MLGraphBuilder by name, and networks. Read
   ../main.c first. */
#ifndef WEBNN_READ_H
#define WEBNN_READ_H

#define WEBNN_OPERATOR_TABLE
#include "webnn.h"
#include "../../headers/webnn_weights.h"

#include <stdio.h>

/* ---- Messages and memory (base.c) ------------------------------------------------------------ */

/* What main returns: a wrong number is 1, a file or command that makes no sense is 2. */
enum { EXIT_RIGHT = 0, EXIT_DIFFERS = 1, EXIT_BAD_INPUT = 2 };

/* Memory that is released all at once. {0} is an empty arena. */
typedef struct arena {
  union arena_block *blocks;
  size_t used; /* bytes of the newest block that are given away */
} arena;

/* Zeroed; a program without memory says so and ends. */
void *take(arena *memory, size_t size);
char *take_text(arena *memory, const char *format, ...);
void release(arena *memory);

bool ends_with(const char *text, const char *end);
/* "c.mlir" of "a/b/c.mlir". */
const char *file_part(const char *path);

typedef struct json json;

/* "file:line:column: message" of a place in a JSON file (NULL: only the message) to the standard
   error output. Always false, so that a function can return it. */
bool complain(const json *at, const char *format, ...);
/* Complains of a value that is not what it must be ("a number"): `this value must be a number; it
   is a string`. Always false. */
bool must_be(const json *value, const char *what);
/* Complains of a member of `node`, which may be missing (NULL): `"x" must be ...`. Always false. */
bool must_have(const json *node, const json *member, const char *name, const char *what);
/* Complains of what a text has at a place, up to its end: `this must be a digit; it is 'x'`. Always
   false. */
bool must_read(const json *place, const char *what, const char *at, const char *end);
/* Complain of a file, NULL being the standard output, and of one that cannot be opened to be
   written. Always false. */
bool cannot_write(const char *path);
bool cannot_open(const char *path);
/* While quiet, complaints are not shown. Returns whether they were quiet before. */
bool complain_quietly(bool quiet);
/* printf for reports, with control characters (of names) shown as '?'. */
void say(const char *format, ...);
/* While quiet, reports are not shown: JSON stands in their place. */
void say_quietly(bool quiet);

/* "case 12 of 60" on a terminal, nothing elsewhere and nothing of what is soon done; count 0 wipes
   it away. */
void progress(size_t index, size_t count);
/* The same of something else than cases, at most 8 characters. */
void progress_of(const char *what, size_t index, size_t count);

enum { MOST_DIMS = 32, MOST_INPUTS = 256 };

/* Who computes in place of the reference context, or is held against it (`judge`). */
typedef enum computer { COMPUTER_EXACT, COMPUTER_FAST, COMPUTER_VULKAN } computer;

/* What the command line asks for, and what the commands work with. */
typedef struct session {
  const char *graph, *case_name, *inputs, *actual, *out, *format, *docs, *operator_name;
  const char *output, *index;     /* what to trace */
  const char *line, *loops;       /* of an exercise: what the reader has written */
  const char *weights, *manifest; /* beside a graph that is text */
  const char *dims[MOST_DIMS];    /* "name=size" */
  size_t dim_count;
  const char *constants[MOST_DIMS]; /* of ONNX models, "name=value" */
  size_t constant_count;
  const char *given[MOST_INPUTS]; /* of inputs, "name=file" or "name=numbers" */
  size_t given_count;
  const char *mean, *scale; /* of pictures among them */
  bool default_sizes;       /* of ONNX models: dimensions without a size are 1 */
  bool dynamic_sizes;       /* of ONNX models: they stay dynamic */
  bool relaxed;             /* the computer may multiply less exactly */
  size_t inline_bytes;      /* constants of at most so many stand in the graph itself */
  bool weights_absent;      /* may be */
  bool all, dot, verbose, html;
  bool json;               /* the report as JSON */
  bool solution;           /* of an exercise */
  bool float64_as_float32; /* of ONNX models */
  bool has_ulp, has_atol;
  double ulp, atol;
  webnn_arithmetic arithmetic; /* all zero: exact */
  bool has_arithmetic;
  bool try_arithmetic; /* a list of models instead */
  size_t show;         /* how many differing elements to list */
  size_t example;      /* of a page or an entry, from 1; 0: not given */
  size_t max_bytes;    /* of one tensor */
  const char *program;
  computer computer;
  const char *device;     /* of Vulkan: a part of its name; NULL: any */
  webnn_context *context; /* that computes: exact, but for `run` by another computer */
  webnn_context *judged;  /* the other computer's, for `judge`; NULL: numbers are given */
} session;

/* Makes the session's context, with its arithmetic. False after a complaint. */
bool open_context(session *s);

/* The value of an option on the command line. False after a complaint. */
bool take_whole(const char *option, const char *text, uint64_t most, uint64_t *number);
bool take_size(const char *option, const char *text, size_t most, size_t *size);
bool take_number(const char *option, const char *text, double *number); /* from 0 */
bool take_dim(session *s, const char *text);                            /* "name=size" */
bool take_constant(session *s, const char *text);                       /* "name=value" */
/* Complains of options that are for ONNX models, as `path` is none. */
bool no_onnx_options(const session *s, const char *path);
/* What --input gives for the input of this name; NULL: nothing. */
const char *given_for(const session *s, const char *name);
/* Is there one of this name, "name=...", among `count` of them? */
bool has_named(const char *const *list, size_t count, const char *text, size_t length);
/* `; it has "a", "b"`; nothing of names that are too many to read. */
const char *names_text(arena *memory, const char *const *names, size_t count);

/* ---- Time and memory (clock.c) --------------------------------------------------------------- */

uint64_t nanoseconds(void);
/* The most memory the process has had; 0 where the system does not say. */
uint64_t peak_bytes(void);

/* ---- JSON (json.c) --------------------------------------------------------------------------- */

typedef enum json_kind {
  JSON_NULL,
  JSON_FALSE,
  JSON_TRUE,
  JSON_NUMBER,
  JSON_STRING,
  JSON_BYTES, /* elements of a tensor as they are stored, little-endian; in no JSON file */
  JSON_ARRAY,
  JSON_OBJECT
} json_kind;

struct json {
  json_kind kind;
  uint32_t line, column; /* of the value, from 1 */
  const char *file;
  const char *name;  /* of a member of an object */
  const char *text;  /* string: decoded, ends with a zero; number: its source, ends with no zero;
                        bytes: these */
  size_t length;     /* of text, or the number of items or members */
  const json *first; /* item or member, in the order of the source */
  const json *next;  /* in the same array or object */
};

/* NULL after a complaint. The tree lives in the arena. */
const json *json_read(arena *memory, const char *path);
/* The same of a text that ends with a zero; strings are decoded in place. Columns of its first line
   count from `line_start`. */
const json *json_parse(arena *memory, const char *file, const char *line_start, char *text,
                       size_t length);
/* A whole file with a zero after it; NULL after a complaint. */
char *file_read(arena *memory, const char *path, size_t *length);
/* The same without a byte order mark at its beginning, which some editors write. */
#define BYTE_ORDER_MARK "\xEF\xBB\xBF"
char *text_read(arena *memory, const char *path, size_t *length);
/* The length of the well-formed UTF-8 sequence at `text`, 0 if there is none. */
size_t utf8_length(const char *text, const char *end);

/* False after a complaint: two members of an object have one name. */
bool json_names_differ(arena *memory, const json *object);

/* Looking at a tree; NULL may be passed everywhere and has nothing in it. */
const json *json_get(const json *object, const char *name);
/* What names a tensor: a string alone, or the "name" of an object. */
const json *json_name(const json *node);
const char *json_string(const json *value);
bool json_is_true(const json *value);
size_t json_count(const json *list); /* 0 of what is neither array nor object */
const json *json_items(const json *list, json_kind kind);
/* A number, or "NaN", "Infinity", "-Infinity", "-0". */
bool json_double(const json *value, double *number);
/* An integer written as a number or as a string of decimal digits, if it fits. */
bool json_i64(const json *value, int64_t *number);
bool json_u64(const json *value, uint64_t *number);
bool json_u32(const json *value, uint32_t *number); /* a number only */

/* Making trees. The new values stand where `at` does. */
json *json_new(arena *memory, const json *at, json_kind kind);
json *json_text(arena *memory, const json *at, json_kind kind, const char *text);
json *json_size(arena *memory, const json *at, size_t number);
/* A value alone, which may then be put into another list; lists share their items with it. */
json *json_copy(arena *memory, const json *value);
typedef struct json_list {
  json *list;
  const json **end; /* where the next item is linked */
} json_list;
json_list json_start(arena *memory, const json *at, json_kind kind);
void json_put(json_list *l, const char *name, json *item); /* the name of a member, or NULL */
/* The same of what comes from no file. A number that is not finite is a string. */
void json_put_text(arena *memory, json_list *l, const char *name, const char *text);
void json_put_count(arena *memory, json_list *l, const char *name, uint64_t count);
void json_put_number(arena *memory, json_list *l, const char *name, double number);
void json_put_bool(arena *memory, json_list *l, const char *name, bool value);
void json_put_sizes(arena *memory, json_list *l, const char *name, const webnn_list *sizes);

void json_write(FILE *file, const json *value);
void json_write_string(FILE *file, const char *text);

/* ---- Graphs as text (text.c, interchange.c, weights.c) --------------------------------------- */

typedef struct network network;
typedef struct network_value network_value;

/* The interchange form of webnn-graph is a tree that its JSON files ("webnn-graph-json") hold as it
   is, and its .webnn files as text: inputs, consts, nodes, outputs. */

/* Is a file of this name, with this content, text? */
bool text_is(const char *path, const char *text);
/* The tree of a text that ends with a zero; NULL after a complaint. It may have two things that a
   JSON file lacks: positional arguments that are no operands, and JSON_BYTES. */
const json *text_parse(arena *memory, const char *file, const char *text, size_t length);
void text_write(FILE *file, const json *graph);

/* An example of a page: operands with their elements ("data" or "fill"), operators, and what comes
   out: a list of tensors, of which "dataType" and "shape" may be absent. Calls that the builder
   refuses are the nodes of the graph's member "refused". The text ends with a zero and begins at
   the beginning of a line of the file. False after a complaint. */
bool text_parse_example(arena *memory, const char *file, const char *text, size_t length,
                        uint32_t line, const json **graph, const json **expected);
/* "[3], [4] == split([3, 4], splits=2)" and anything after it: the values before ==, and a node
   with "op", "inputs" and "options", operands being lists. */
bool text_parse_equation(arena *memory, const char *file, const char *text, size_t length,
                         uint32_t line, const json **node, const json **results);
/* The numbers of lists in lists as one list. */
json *text_flatten(arena *memory, const json *value);

bool interchange_is(const json *root);
/* The case that the tree describes, with its weights; NULL after a complaint. */
const json *interchange_case(const session *s, arena *memory, const char *path, const json *graph);

/* Constants that a graph only names. */
typedef struct stored_list {
  const network_value **values;
  const char **names;
  size_t count;
} stored_list;
/* The tree of a network that can be built. Constants of more than s->inline_bytes are `stored`. */
const json *interchange_of(const session *s, arena *memory, network *n, stored_list *stored);

/* A file of weights: one that webnn_weights.h reads, or .weights with its manifest. */
typedef struct weights {
  const char *path;    /* NULL: none */
  webnn_weights *file; /* NULL: there is a manifest */
  const char *bytes;   /* of the whole file with a manifest */
  size_t length;
  const json **entries; /* of the manifest */
  const char **names;   /* of all tensors */
  size_t count;
} weights;

/* The file that --weights names, or the one beside the graph; none at all is no error yet. */
bool weights_open(const session *s, arena *memory, const char *graph_path, weights *w);
void weights_close(weights *w);
/* The elements of one tensor; NULL after a complaint. */
typedef struct tensor tensor;
json *weights_take(const session *s, arena *memory, const weights *w, const json *name,
                   const tensor *declared);
bool weights_write_safetensors(FILE *file, const stored_list *stored);
bool weights_write_blob(FILE *file, const stored_list *stored);
bool weights_write_manifest(FILE *file, const stored_list *stored);
/* "folder/name" of "folder/name.webnn". */
const char *path_stem(arena *memory, const char *path);
bool file_exists(const char *path);

/* ---- Tensors (element.c, tensor.c, npy.c) ---------------------------------------------------- */

struct tensor {
  webnn_operand_descriptor descriptor;
  const json *shape; /* of a declaration with dynamic dimensions; else NULL */
  size_t count, byte_length;
  void *data; /* in the byte order of the machine; NULL: none */
};

/* Sets count and byte_length from the descriptor; complains if it has more bytes than allowed. */
bool tensor_measure(const session *s, const json *at, tensor *t);
/* {"dataType", "shape"} and, unless it has none, its elements: "data", "fill" or "file". */
bool tensor_read(const session *s, arena *memory, const json *node, tensor *t);
void tensor_write(FILE *file, const char *name, const tensor *t);
/* The same without the closing brace, for more members; without data, no "data". */
void tensor_write_open(FILE *file, const char *name, const tensor *t);
/* The elements as little-endian bytes. */
void tensor_write_bytes(FILE *file, const tensor *t);
/* Takes elements that are stored so: 4-bit types packed or each in a byte. */
bool tensor_take_bytes(arena *memory, const json *stored, tensor *t);
json *tensor_bytes(arena *memory, const json *at, const tensor *t);
bool data_type_named(const char *name, webnn_data_type *type);
/* Has a shape a dimension without a size? */
bool is_open_shape(const webnn_list *shape);
/* [2,3] of a shape, of dynamic dimensions as they are declared. */
json *tensor_shape(arena *memory, const json *at, const tensor *t);
bool is_float_type(webnn_data_type type);
bool is_signed_type(webnn_data_type type);

enum { ELEMENT_ROOM = 32 };
/* An element as shortest decimal text that gives it back; its value; where it stands, "[1,2]". */
void element_text(const tensor *t, size_t index, char text[ELEMENT_ROOM]);
double element_value(const tensor *t, size_t index);
uint16_t float16_of(double number);
/* The nearest bfloat16, ties to even, of a float32 by its bits. */
uint16_t bfloat16_of(uint32_t bits);
bool element_negative_zero(const tensor *t, size_t index);
const char *element_place(arena *memory, const tensor *t, size_t index);
/* "float32 [2,3]" */
const char *descriptor_text(arena *memory, const webnn_operand_descriptor *descriptor);
bool same_descriptor(const webnn_operand_descriptor *a, const webnn_operand_descriptor *b);

/* One element of a 4-bit type, in and out. */
void nibble_set(void *data, size_t index, uint32_t nibble);
uint32_t nibble_get(const void *data, size_t index);

/* Both complain about the file, at `at` if the name of the file stands there. A tensor whose
   descriptor has no type yet takes both from an NPY file; otherwise they must be the same. */
bool npy_read(const session *s, arena *memory, const json *at, const char *path, tensor *t);
bool raw_read(const session *s, arena *memory, const json *at, const char *path, tensor *t);
bool npy_write(const char *path, const tensor *t);
/* The same with the element type of the file, as webnn_weights.h names it: "int16" for a tensor of
   int32. */
bool npy_read_type(const session *s, arena *memory, const json *at, const char *path, tensor *t,
                   const char **type);
bool npy_write_type(const char *path, const tensor *t, const char *type);
/* A tensor by its name, under the same rules; `type` may be NULL. */
bool tensor_of_weights(const session *s, arena *memory, const json *at, webnn_weights *from,
                       const char *path, const char *name, tensor *t, const char **type);
webnn_weights_tensor weights_tensor(const char *name, const char *type, const tensor *t);
bool raw_write(const char *path, const tensor *t);

/* ---- Methods of MLGraphBuilder (methods.c) --------------------------------------------------- */

typedef struct method method;

/* One call: the JSON of an operator, and where its operands come from and go to. */
typedef struct method_call {
  const json *operator_node;
  webnn_builder *builder;
  webnn_operand *(*lookup)(void *user, const json *name); /* NULL after a complaint */
  /* The size of a dynamic dimension among numbers, or what the builder has for it; NULL: numbers
     only. False after a complaint. */
  bool (*dimension)(void *user, const json *item, uint32_t *size);
  void *user;
  arena *memory;
  const char *label;
  webnn_operand **outputs;
  size_t output_count; /* as many as the JSON names; filled so many or none */
  bool any_count;      /* whether it is refused matters, and not how many results there are */
  bool refused;        /* by the builder; else the call could not be made */
} method_call;

const method *method_find(const char *name);
/* False after a complaint: arguments that cannot be passed, or that the builder refuses. */
bool method_make(const method *m, method_call *c);
/* The names of the operands that an operator takes, in the order of the JSON. */
size_t method_operands(const json *operator_node, const json **names, size_t room);
const char *method_signature(const method *m);
void method_print_options(const method *m);
/* The specification's name of an argument before the options, and the kind of its value in JSON;
   NULL after the last. */
const char *method_argument(arena *memory, const method *m, size_t index, const char **kind);
/* Is the argument an operand whose elements are sizes, which no input may hold? */
bool method_holds_sizes(const method *m, size_t index);
/* Is it the draft's, which opSupportLimits does not list? */
bool method_is_draft(const method *m);
/* The kind of an option's value in JSON; NULL: there is no such option. */
const char *method_option(const method *m, const char *name);
/* An optional operand, in the order of the specification; NULL after the last. */
const char *method_optional_operand(const session *s, const method *m, size_t index);
/* How C writes a method: "conv2d" of webnn_conv2d and of webnn_conv2d_options, and the member that
   is an option. False: there is no such option. */
typedef struct method_member {
  const char *name;
  bool is_number; /* a webnn_number */
  bool opposite;  /* of a boolean: `upper` is `lower` */
} method_member;
const char *method_c_name(const method *m);
const char *method_c_options(const method *m);
bool method_c_option(const method *m, const char *name, method_member *found);
/* The enumerator of an option's word, WEBNN_LAYOUT_NHWC, or a data type's where there is no such
   option. */
const char *method_c_word(const method *m, const char *option, const char *text);
/* Was the option given? A graph reports all options of operators whose sizes are dynamic. */
bool option_is_given(const webnn_graph_option *option);
/* Its result is a sequence, even where that has only one item. */
bool method_gives_sequence(const method *m);

/* ---- Folders and the tensors in them (folder.c) ---------------------------------------------- */

bool is_folder(const char *path);
/* Makes it, and those that it is in, where they are missing. False after a complaint. */
bool make_folder(arena *memory, const char *path);
/* What is in it, sorted, without names that begin with a dot. */
const char **folder_names(arena *memory, const char *path, size_t *count);
/* "folder/case.tensor.npy", characters that files cannot have as %XX. */
const char *tensor_path(arena *memory, const char *folder, const char *case_prefix,
                        const char *name, const char *extension);

/* Tensors that --inputs or --actual names: a file of JSON, or a folder of NPY and raw files. */
typedef struct tensor_source {
  const char *path;   /* NULL: none */
  const json *root;   /* of a file; NULL: a folder */
  const char **files; /* of the folder, that end with .npy or .bin */
  bool *used;         /* of each file */
  size_t count;
} tensor_source;

/* False after a complaint: the path is neither a folder nor JSON that can be read. */
bool source_open(arena *memory, const char *path, tensor_source *s);
/* The raw file of a value in a folder; NULL: there is none, or an NPY file. */
const char *source_raw(const network *n, const tensor_source *from, bool many,
                       const network_value *v);
/* The tensor of a value from its file in a folder; without data if there is none. An NPY file may
   have any type and shape if `t` has none yet; raw elements have those of `form`. */
bool source_take(const network *n, tensor_source *from, bool many, const network_value *v,
                 const tensor *form, tensor *t);
/* Names the files of a folder that no value has taken. False after this complaint if no file was
   used at all. */
bool source_close(arena *memory, const tensor_source *s);

/* ---- Networks (network.c) -------------------------------------------------------------------- */

/* A named value of a network: an input, a constant or a result of an operator. */
struct network_value {
  const char *name;
  const json *node; /* where it is named */
  size_t producer;  /* the operator; NOBODY: an input or constant */
  size_t output_index;
  bool constant;
  bool cut; /* given in place of what the operator makes */
  bool is_output;
  tensor known;  /* what operators that take it are given, once there is data */
  tensor exact;  /* what the exact run gave */
  tensor theirs; /* what another implementation gave */
  const json *theirs_node;
  const json *tolerance; /* as the file has it; NULL: none */
};

#define NOBODY ((size_t)-1)

/* How far results may be from the exact ones: within one of the two. */
typedef struct limit {
  double ulp, atol;
  bool stated; /* by the command line or the file; nothing else counts then */
} limit;

typedef struct operation {
  const json *node;
  const method *method;
  const char *name;
  size_t first_output; /* in values; they stand one after the other */
  size_t output_count;
  uint32_t graph_index; /* in the graph that was computed last */
  limit limit;          /* of web-platform-tests, once it has been computed */
} operation;

typedef struct trace trace;

/* A dynamic dimension with a name: its size by --dim or by an input. */
typedef struct network_dimension {
  const char *name;
  uint32_t size; /* 0: not known */
  bool by_dim;
  struct network_dimension *next;
} network_dimension;

struct network {
  const session *session;
  trace *trace; /* makes one of the next operator that is computed alone; or NULL */
  /* Records the operator of a graph, which has only one, on the known values. */
  bool (*trace_graph)(struct network *n, const webnn_graph *graph);
  arena *memory;
  const char *name; /* of the case, "" if it has none */
  const json *node;
  network_value *values;
  size_t value_count;
  operation *operations;
  size_t operation_count;
  size_t *outputs; /* values */
  size_t output_count;
  network_dimension *dimensions;
  bool exact_zeros;
};

bool network_read(const session *s, arena *memory, const json *node, network *n);
network_value *network_find(const network *n, const char *name);
/* Gives inputs (and, with `cuts`, results of operators) the data of these tensors. */
bool network_feed(network *n, const json *tensors, bool cuts);
/* What --inputs says for this case, if anything. Of the only case it must be something: see
   source_close, which the caller calls after many cases. */
bool network_feed_inputs(network *n, tensor_source *from, bool many, bool cuts);
/* What --input gives for an input says its shape, or the size that is open. False after a
   complaint. (inputs.c) */
bool network_take_given_shape(network *n, network_value *v, const char *given);
/* Gives inputs the data that --input says. (inputs.c) */
bool network_feed_given(network *n);
/* Is every --input that of one of these? False after a complaint. */
bool every_input_exists(const session *s, arena *memory, const char *path, const char *const *names,
                        size_t count);
/* Builds the whole graph and computes its outputs into their `exact`; with `all` every operator's
   results. */
bool network_compute(network *n, bool all);
/* Has the session's other context compute the outputs or, with `all`, every operator's results: they
   become `theirs`. */
bool network_compute_theirs(network *n, bool all);
/* One operator alone, on the `known` values of its inputs. */
bool network_compute_operator(network *n, size_t index);
/* The tolerance of web-platform-tests for a result of the whole graph, which has been computed with
   `all`: for floats the sum over the operators that lead to it, for integers the last operator's.
   With `given` only those that are reached through results that they did not give. */
limit network_limit(network *n, const network_value *v, bool given);
/* Marks the operators that lead to this one; with `given` only through results that they did not
   give. */
void network_mark_behind(const network *n, size_t index, bool given, bool *marks);
/* The graph alone, without data: prints it, or sees whether the builder takes it, or tells the
   tolerance and data type of the result of its only operator. */
bool network_print(network *n, bool dot);
bool network_builds(network *n);
/* The same for the caller, who frees it before the arena. Its constants are borrowed. */
bool network_build(network *n, webnn_graph **graph);
/* Whether the builder refuses the graph, however many results its operators name; false after a
   complaint about something that does not come to the builder. */
bool network_refuses(network *n, bool *refuses);
bool network_tolerance(network *n, webnn_tolerance *tolerance, webnn_data_type *type);

/* ---- Dynamic dimensions (dimensions.c) ------------------------------------------------------- */

/* Has the list of JSON a dynamic dimension? */
bool is_dynamic_shape(const json *shape);
/* A size, or WEBNN_DYNAMIC_DIMENSION of one that is not known. False after a complaint. */
bool dimension_read(network *n, const json *item, uint32_t *size);
/* The type and shape of a declaration, and its elements, if it has some. False after a complaint. */
bool network_declare(network *n, const json *node, network_value *v);
/* Reads those in arguments and options. False after a complaint. */
bool dimensions_of_arguments(network *n, const json *value);
/* A copy of what is in arguments, in which sizes that are known are numbers. */
json *sized_arguments(network *n, const json *value);
/* False after a complaint: an option --dim names no dimension of the network, and another program has
   not built it. */
bool every_dim_is_used(const network *n);
/* Gives the dynamic dimensions of an input these sizes, which `what` has; then the other inputs
   have theirs. False after a complaint. */
bool network_take_shape(network *n, network_value *v, const webnn_list *sizes, const json *at,
                        const char *what);
/* The same by the length of a file of raw elements, if only one size is not known. */
bool network_take_bytes(network *n, network_value *v, const char *path);
/* The names of dimensions without a size, "input[1]" of one without a name; then all are `size`. */
const char *network_settle_dimensions(network *n, uint32_t size);

/* The cases of a file, or the one that --case selects. */
typedef struct case_list {
  const json *root;
  const json **cases;
  size_t count;
} case_list;
bool cases_read(const session *s, arena *memory, const char *path, case_list *list);
const char *case_name(const json *node);
/* The object of a further file that belongs to this case; NULL if there is none. */
const json *case_of(const json *root, const char *name);

/* Names for a graph's inputs and outputs in place of its own. An output may be one that another is,
   or an input. */
typedef struct port_name {
  const char *port, *name;
} port_name;
typedef struct port_names {
  port_name *inputs, *outputs;
  size_t input_count, output_count;
} port_names;

/* What a graph reports of itself, under these names (NULL: its own). */
typedef struct graph_view {
  const webnn_graph *graph;
  webnn_graph_value *values;
  webnn_graph_operator *operators;
  webnn_graph_port *outputs;
  size_t value_count, operator_count, output_count;
  uint32_t *leaves; /* values: the inputs in their order, then constants */
  size_t leaf_count;
} graph_view;
/* False after a complaint: something that is an output of no graph. */
bool graph_view_take(arena *memory, const webnn_graph *graph, const port_names *names,
                     graph_view *v);

/* A graph as a case of JSON, whoever has built it (described.c). Its operators stand where their
   labels say, "file:line:column", and else in `file`; a second name of a value is an identity. NULL
   after a complaint. */
const json *described_case(const session *s, arena *memory, const char *file, const char *name,
                           const webnn_graph *graph, const port_names *names);

/* Is this file, whose text ends with a zero, a module of StableHLO? And the graph that its main
   function becomes, as a case; NULL after a complaint, as for a module that has steps of the host
   (stablehlo.c). */
bool stablehlo_is(const char *path, const char *text);
const json *stablehlo_case(const session *s, arena *memory, const char *path, const char *text,
                           size_t length);

/* Is this an ONNX model? And the graph that it becomes, as a case; NULL after a complaint (onnx.c). */
bool onnx_is(const char *path);
const json *onnx_case(const session *s, arena *memory, const char *path);

#endif
