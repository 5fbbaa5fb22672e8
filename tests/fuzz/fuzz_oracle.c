/* Arbitrary bytes for every reader of webnn-oracle: graphs and numbers as JSON, the interchange
   form, .webnn text, NPY, safetensors, .weights with a manifest, models of arithmetic, examples of pages. Whatever is
   read is also used: built, computed, compared, converted there and back. Sanitizers see what goes
   wrong; besides, what is written has to be readable again. fuzz.sh builds it with the files of
   examples/webnn, whose main it renames; fuzz.h says how it is called. */
#include "../../examples/webnn/command.h"

#include "fuzz.h"

static const char *in_folder(arena *memory, const char *name) {
  return take_text(memory, "%s/%s", fuzz_folder, name);
}

/* ---- One input for one reader -----------------------------------------------------------------
 */

static session new_session(void) {
  static webnn_context *context;
  session s;
  memset(&s, 0, sizeof s);
  s.show = 2;
  s.inline_bytes = 8;
  s.max_bytes = 512; /* and little to compute */
  s.program = "";
  s.format = "json";
  if (!context) {
    if (!open_context(&s))
      stop("no context", "");
    context = s.context;
  }
  s.context = context;
  return s;
}

/* A graph, and all that commands do with it. What `convert` writes, `graph` reads. */
static void try_graph(arena *memory, const char *path) {
  const char *text = in_folder(memory, "out.webnn"), *made = in_folder(memory, "out.json");
  session s = new_session();
  int status;
  s.graph = path;
  s.all = s.verbose = true;
  status = graph_command(&s);
  judge_command(&s);
  s.out = in_folder(memory, "results.json");
  run_exact_command(&s);
  s.dot = true;
  s.format = "webnn";
  s.out = text;
  if (convert_to_text_command(&s) == EXIT_RIGHT) {
    session back = new_session();
    back.graph = text;
    back.format = "json";
    back.out = made;
    if (status != EXIT_RIGHT)
      stop("convert takes what graph refuses", path);
    if (convert_to_text_command(&back) != EXIT_RIGHT)
      stop("convert does not read its own text", text);
    back.graph = made;
    if (graph_command(&back) != EXIT_RIGHT)
      stop("graph does not read what convert wrote", made);
  }
}

/* Numbers beside a graph that is right, as `inputs` and as results. */
static void try_numbers(arena *memory, const char *path) {
  static const char graph[] =
      "{\"name\":\"g\",\"operators\":[{\"name\":\"matmul\",\"arguments\":[{\"operand\":\"x\"},"
      "{\"operand\":\"w\"}],\"outputs\":[\"p\"]},{\"name\":\"relu\",\"arguments\":[{\"operand\":"
      "\"p\"}],\"outputs\":[\"y\"]}],\"inputs\":[{\"name\":\"x\",\"dataType\":\"float32\","
      "\"shape\":[1,2],\"data\":[1,-1]},{\"name\":\"w\",\"dataType\":\"float32\",\"shape\":[2,2],"
      "\"data\":[1,2,1,3]}]}";
  session s = new_session();
  s.graph = in_folder(memory, "graph.json");
  write_file(s.graph, graph, sizeof graph - 1);
  s.actual = path;
  judge_command(&s);
  s.inputs = path;
  s.out = in_folder(memory, "results.json");
  run_exact_command(&s);
}

/* Every type and a few shapes, taken from a file of weights. */
static void take_weights(arena *memory, const weights *w, const char *name) {
  static const uint32_t shapes[][2] = {{2, 2}, {4, 1}, {3, 1}};
  json at = {JSON_STRING, 1, 1, "fuzz", NULL, NULL, 0, NULL, NULL};
  at.text = name;
  at.length = strlen(name);
  for (int type = WEBNN_FLOAT32; type <= WEBNN_UINT4; type++)
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
      const session s = new_session();
      json *stored;
      tensor t;
      memset(&t, 0, sizeof t);
      t.descriptor.data_type = (webnn_data_type)type;
      t.descriptor.shape = webnn_list_of(shapes[i], i == 0 ? 2 : 1);
      stored = tensor_measure(&s, NULL, &t) ? weights_take(&s, memory, w, &at, &t) : NULL;
      if (stored)
        tensor_take_bytes(memory, stored, &t);
    }
}

static void try_weights(arena *memory, const char *path, const char *manifest) {
  session s = new_session();
  weights w;
  memset(&w, 0, sizeof w);
  s.weights = path;
  s.manifest = manifest;
  if (weights_open(&s, memory, "graph.webnn", &w)) {
    take_weights(memory, &w, "a.b");
    for (size_t i = 0; i < w.count; i++)
      take_weights(memory, &w, w.names[i]);
  }
  weights_close(&w);
}

/* What has been read is written, and read again as the same. */
static void try_tensor(arena *memory, const char *path) {
  const char *copy = in_folder(memory, "copy.npy");
  const session s = new_session();
  tensor t, again;
  memset(&t, 0, sizeof t);
  memset(&again, 0, sizeof again);
  if (npy_read(&s, memory, NULL, path, &t)) {
    if (!npy_write(copy, &t) || !npy_read(&s, memory, NULL, copy, &again))
      stop("npy_read does not read what npy_write wrote", copy);
    if (!same_descriptor(&t.descriptor, &again.descriptor) ||
        memcmp(t.data, again.data, t.byte_length) != 0)
      stop("npy_read reads something else than npy_write wrote", copy);
  }
  for (int type = WEBNN_FLOAT32; type <= WEBNN_UINT4; type++) {
    tensor raw;
    memset(&raw, 0, sizeof raw);
    raw.descriptor.data_type = (webnn_data_type)type;
    raw.descriptor.shape = WEBNN_LIST(3, 5);
    if (tensor_measure(&s, NULL, &raw))
      raw_read(&s, memory, NULL, path, &raw);
    npy_read(&s, memory, NULL, path, &raw);
  }
}

/* A page with examples and loops, or comments with lines that are examples. */
static void try_examples(arena *memory, const char *path) {
  session s = new_session();
  s.graph = path;
  examples_command(&s);
  s.out = in_folder(memory, "loops.c");
  examples_command(&s);
  s.docs = path;
  s.operator_name = "relu";
  if (ends_with(path, ".md"))
    explain_command(&s);
}

/* What --arithmetic takes; what is read is written so that it is read again as the same. */
static void try_arithmetic(arena *memory, const char *text) {
  webnn_arithmetic a, again;
  memset(&a, 0, sizeof a);
  memset(&again, 0, sizeof again);
  if (!arithmetic_read(text, &a))
    return;
  text = arithmetic_text(memory, &a);
  if (!arithmetic_read(text, &again) || strcmp(text, arithmetic_text(memory, &again)) != 0)
    stop("arithmetic_read does not read", text);
}

static const char *input_as(arena *memory, const char *name, const uint8_t *data, size_t size) {
  const char *path = in_folder(memory, name);
  write_file(path, data, size);
  return path;
}

/* ---- One input for all of them ----------------------------------------------------------------
 */

static bool begins(const uint8_t *data, size_t size, const char *text) {
  return size >= strlen(text) && memcmp(data, text, strlen(text)) == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char elements[] = "WGWT\1\0\0\0elements of tensors, 40 bytes of them..";
  arena memory = {NULL, 0};
  char *text = (char *)take(&memory, size + 1);
  size_t first = 0;
  if (size > 0)
    memcpy(text, data, size);
  while (first < size && data[first] <= ' ')
    first++;
  fuzz_keep(data, size);
  if (begins(data, size, "\x93NUMPY")) {
    try_tensor(&memory, input_as(&memory, "input.npy", data, size));
  } else if (begins(data, size, "## ") || begins(data, size, "### ")) {
    try_examples(&memory, input_as(&memory, "page.md", data, size));
  } else if (begins(data, size, "/*")) {
    try_examples(&memory, input_as(&memory, "lines.h", data, size));
  } else if (text_is("", text)) {
    try_graph(&memory, input_as(&memory, "input.webnn", data, size));
  } else if (first < size && (data[first] == '{' || data[first] == '[' || data[first] == 0xEF)) {
    const char *path = input_as(&memory, "input.json", data, size);
    try_graph(&memory, path);
    try_numbers(&memory, path);
    try_weights(&memory,
                input_as(&memory, "elements.weights", (const uint8_t *)elements, sizeof elements),
                path);
  } else {
    try_weights(&memory, input_as(&memory, "input.safetensors", data, size), NULL);
    try_arithmetic(&memory, text);
  }
  release(&memory);
  return 0;
}

int LLVMFuzzerInitialize(int *count, char ***arguments) {
  (void)count;
  (void)arguments;
  fuzz_find_folder();
  complain_quietly(true);
  if (!freopen("/dev/null", "w", stdout))
    stop("cannot be silenced", "the standard output");
  return 0;
}

#ifndef FUZZ_LIBFUZZER

static const char *const words[] = {"0",
                                    "-1",
                                    "1",
                                    "2",
                                    "4294967295",
                                    "4294967296",
                                    "18446744073709551615",
                                    "1e999",
                                    "-0",
                                    "0.5",
                                    "\"NaN\"",
                                    "null",
                                    "true",
                                    "[]",
                                    "{}",
                                    "[1,2]",
                                    "{\"a\":1}",
                                    "\"\"",
                                    "\"x\"",
                                    "\"y\"",
                                    "\\u0000",
                                    "\\ud800",
                                    "\\",
                                    "\"",
                                    "\xEF\xBB\xBF",
                                    "\xFF",
                                    ",",
                                    ":",
                                    "\"name\"",
                                    "\"data\"",
                                    "\"shape\"",
                                    "\"fill\"",
                                    "\"bits\"",
                                    "\"file\"",
                                    "\"dataType\"",
                                    "float32",
                                    "float16",
                                    "int4",
                                    "uint64",
                                    "\"inputs\"",
                                    "\"outputs\"",
                                    "\"operators\"",
                                    "relu",
                                    "matmul",
                                    "softmax",
                                    "split",
                                    "lstmCell",
                                    "conv2d",
                                    "\"options\"",
                                    "i4[3]",
                                    "f32[]",
                                    "@scalar(1)",
                                    "@weights(\"a.b\")",
                                    "@bytes([0])",
                                    "dyn(\"n\", 2)",
                                    "dyn(\"n\")",
                                    "dyn()",
                                    "{\"name\":\"n\"}",
                                    "sliceDynamic",
                                    "squeeze",
                                    "nodes {",
                                    "'descr'",
                                    "'<f4'",
                                    "'>i2'",
                                    "True",
                                    "(2,)",
                                    "a.b",
                                    "data_offsets",
                                    NULL};

int main(int count, char **arguments) {
  const int status = fuzz_main("fuzz_oracle", words, NULL, count, arguments);
  webnn_free_context(new_session().context);
  return status;
}

#endif
