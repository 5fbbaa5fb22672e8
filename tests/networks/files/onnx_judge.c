/* Runs the models that networks/onnx_judge.py writes: each in a process of its own, so that a crash
   is the result of one model and not the end of all.

     onnx_judge [-f] [-d] [-n NUMBER] [-o OUTPUT] FOLDER

   FOLDER/cases has lines "case NUMBER OFFSET LENGTH TITLE" and for each its inputs, "input NAME TYPE
   RANK SIZES... OFFSET LENGTH"; the bytes are in FOLDER/data. Results go to OUTPUT/results and
   OUTPUT/ours (FOLDER) in the same form. -f uses fast contexts, -d runs in sessions,
   which take sizes from the inputs, -n runs the model of this number alone. */
#if !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif
#include "webnn_onnx.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_PORTS 24

typedef struct input {
  char name[64];
  int type;
  uint32_t rank, sizes[WEBNN_MAX_RANK];
  size_t offset, length;
} input;

typedef struct item {
  long number;
  size_t offset, length, input_count;
  input inputs[MAX_PORTS];
} item;

typedef struct run {
  const unsigned char *data;
  FILE *results, *ours;
  webnn_context *context;
  bool dynamic;
} run;

static unsigned char *read_file(const char *folder, const char *name, size_t *length) {
  char path[1024];
  FILE *file;
  unsigned char *bytes;
  long size;
  (void)snprintf(path, sizeof path, "%s/%s", folder, name);
  file = fopen(path, "rb");
  if (file == NULL || fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) < 0) {
    fprintf(stderr, "onnx_judge: %s cannot be read\n", path);
    exit(2);
  }
  rewind(file);
  *length = (size_t)size;
  bytes = (unsigned char *)calloc(*length + 1, 1);
  if (bytes == NULL || fread(bytes, 1, *length, file) != *length) {
    fprintf(stderr, "onnx_judge: %s cannot be read\n", path);
    exit(2);
  }
  (void)fclose(file);
  return bytes;
}

static void read_input(char *line, input *in) {
  uint32_t i;
  memset(in, 0, sizeof *in);
  strtok(line, " ");
  (void)snprintf(in->name, sizeof in->name, "%s", strtok(NULL, " "));
  in->type = atoi(strtok(NULL, " "));
  in->rank = (uint32_t)atoi(strtok(NULL, " "));
  for (i = 0; i < in->rank && i < WEBNN_MAX_RANK; i++) {
    in->sizes[i] = (uint32_t)strtoul(strtok(NULL, " "), NULL, 10);
  }
  in->offset = strtoul(strtok(NULL, " "), NULL, 10);
  in->length = strtoul(strtok(NULL, " "), NULL, 10);
}

/* What is given as an input may have to be known when the graph is built: tried are no input,
   integers, and all. */
enum { WAYS = 3 };

static bool is_known(int way, int type) {
  return way == 2 || (way == 1 && type != WEBNN_ONNX_FLOAT && type != WEBNN_ONNX_FLOAT16);
}

static webnn_status build(const run *r, const item *it, int way, webnn_onnx_model **model,
                          webnn_graph **graph, webnn_error *error) {
  webnn_onnx_options options = WEBNN_ZERO;
  webnn_onnx_known known[MAX_PORTS];
  size_t i;
  memset(known, 0, sizeof known);
  options.known = known;
  options.float64_as_float32 = true;
  for (i = 0; i < it->input_count; i++) {
    const input *in = &it->inputs[i];
    if (is_known(way, in->type)) {
      known[options.known_count].name = in->name;
      memcpy(known[options.known_count].shape.items, in->sizes, sizeof in->sizes);
      known[options.known_count].shape.given = true;
      known[options.known_count].shape.count = in->rank;
      known[options.known_count].data = r->data + in->offset;
      known[options.known_count++].byte_length = in->length;
    }
  }
  if (webnn_onnx_read(r->data + it->offset, it->length, NULL, &options, model, error) != WEBNN_OK) {
    return error->status;
  }
  return webnn_onnx_build(*model, r->context, graph, error);
}

static size_t elements_of(const webnn_operand_descriptor *d) {
  size_t count = 1, i;
  for (i = 0; i < d->shape.count; i++) {
    count *= d->shape.items[i];
  }
  return count;
}

static void *in_graph_type(const run *r, const item *it, const webnn_graph_port *port) {
  void *data = calloc((size_t)port->byte_length + 8, 1);
  size_t i;
  for (i = 0; i < it->input_count; i++) {
    if (strcmp(it->inputs[i].name, port->name) == 0) {
      (void)webnn_onnx_to_graph_type((webnn_onnx_type)it->inputs[i].type,
                                     r->data + it->inputs[i].offset, elements_of(&port->descriptor),
                                     data);
    }
  }
  return data;
}

static void put_output(const run *r, const webnn_graph_port *port, const void *data) {
  const long offset = ftell(r->ours);
  size_t i;
  (void)fwrite(data, 1, (size_t)port->byte_length, r->ours);
  fprintf(r->results, "output %s %s %u", port->name,
          webnn_data_type_name(port->descriptor.data_type), (unsigned)port->descriptor.shape.count);
  for (i = 0; i < port->descriptor.shape.count; i++) {
    fprintf(r->results, " %u", (unsigned)port->descriptor.shape.items[i]);
  }
  fprintf(r->results, " %ld %" PRIu64 "\n", offset, (uint64_t)port->byte_length);
}

/* The outputs of the model in its order: those of the graph with their data, and the empty ones, which the
   graph lacks. */
static void put_outputs(const run *r, const webnn_onnx_model *model, const webnn_graph_port *outs,
                        const webnn_named_output *outputs, size_t count) {
  webnn_onnx_port all[MAX_PORTS];
  const size_t total = webnn_onnx_outputs(model, all, MAX_PORTS);
  size_t i, k;
  for (i = 0; i < total && i < MAX_PORTS; i++) {
    webnn_graph_port port = WEBNN_ZERO;
    port.name = all[i].name;
    port.descriptor = all[i].descriptor;
    for (k = 0; k < count && strcmp(outs[k].name, port.name) != 0; k++) {
    }
    if (k < count) {
      put_output(r, &outs[k], outputs[k].data);
    } else if (all[i].is_empty) {
      put_output(r, &port, "");
    }
  }
}

/* Without a graph (NULL) all outputs are empty. */
static void compute(const run *r, const item *it, const webnn_onnx_model *model, webnn_graph *graph,
                    webnn_error *error) {
  webnn_graph_port ins[MAX_PORTS], outs[MAX_PORTS];
  webnn_named_input inputs[MAX_PORTS];
  webnn_named_output outputs[MAX_PORTS];
  const size_t in_count = webnn_graph_inputs(graph, ins, MAX_PORTS);
  const size_t out_count = webnn_graph_outputs(graph, outs, MAX_PORTS);
  size_t i;
  for (i = 0; i < in_count; i++) {
    inputs[i].name = ins[i].name;
    inputs[i].byte_length = (size_t)ins[i].byte_length;
    inputs[i].data = in_graph_type(r, it, &ins[i]);
  }
  for (i = 0; i < out_count; i++) {
    outputs[i].name = outs[i].name;
    outputs[i].byte_length = (size_t)outs[i].byte_length;
    outputs[i].data = calloc(outputs[i].byte_length + 8, 1);
  }
  if (graph == NULL ||
      webnn_compute(r->context, graph, inputs, in_count, outputs, out_count, error) == WEBNN_OK) {
    put_outputs(r, model, outs, outputs, out_count);
  }
  for (i = 0; i < in_count; i++) {
    free((void *)(uintptr_t)inputs[i].data);
  }
  for (i = 0; i < out_count; i++) {
    free(outputs[i].data);
  }
}

static void run_case(const run *r, const item *it) {
  webnn_onnx_model *model = NULL;
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO, first = WEBNN_ZERO;
  int way;
  for (way = 0; way < WAYS; way++) {
    if (build(r, it, way, &model, &graph, &error) == WEBNN_OK) {
      break;
    }
    if (way == 0) {
      first = error;
    }
    webnn_onnx_free(model);
    model = NULL;
  }
  if (model == NULL) {
    fprintf(r->results, "refused %d %s\n", (int)first.status, first.message);
  } else {
    memset(&error, 0, sizeof error);
    fprintf(r->results, "built %d %s\n", way, way > 0 ? first.message : "");
    compute(r, it, model, graph, &error);
    if (error.status != WEBNN_OK) {
      fprintf(r->results, "failed %s\n", error.message);
    }
  }
  webnn_free_graph(graph);
  webnn_onnx_free(model);
}

/* ---- Sessions: the sizes are those of the inputs. */

static void feed_inputs(const run *r, const item *it, const webnn_onnx_model *model,
                        webnn_onnx_feed *feeds, size_t *count) {
  webnn_onnx_port ports[MAX_PORTS];
  const size_t total = webnn_onnx_inputs(model, ports, MAX_PORTS);
  size_t i, k;
  *count = 0;
  for (i = 0; i < it->input_count; i++) {
    const input *in = &it->inputs[i];
    webnn_onnx_feed *feed = &feeds[*count];
    webnn_graph_port port = WEBNN_ZERO;
    for (k = 0; k < total && strcmp(ports[k].name, in->name) != 0; k++) {
    }
    if (k == total) {
      continue;
    }
    port.name = in->name;
    port.descriptor.data_type = webnn_onnx_graph_type((webnn_onnx_type)in->type);
    port.descriptor.shape.given = true;
    port.descriptor.shape.count = in->rank;
    memcpy(port.descriptor.shape.items, in->sizes, sizeof in->sizes);
    port.byte_length =
        (elements_of(&port.descriptor) * webnn_data_type_bits(port.descriptor.data_type) + 7) / 8;
    memset(feed, 0, sizeof *feed);
    feed->name = in->name;
    feed->shape = port.descriptor.shape;
    feed->data = in_graph_type(r, it, &port);
    feed->byte_length = (size_t)port.byte_length;
    ++*count;
  }
}

static void run_session(const run *r, const item *it, const webnn_onnx_model *model,
                        webnn_onnx_session *session) {
  webnn_onnx_feed feeds[MAX_PORTS];
  webnn_onnx_port ports[MAX_PORTS];
  webnn_graph_port outs[MAX_PORTS];
  webnn_named_output outputs[MAX_PORTS];
  webnn_error error = WEBNN_ZERO;
  const size_t total = webnn_onnx_outputs(model, NULL, 0);
  size_t feed_count, i;
  feed_inputs(r, it, model, feeds, &feed_count);
  if (webnn_onnx_compute_shapes(session, feeds, feed_count, ports, &error) != WEBNN_OK) {
    fprintf(r->results, "refused %d %s\n", (int)error.status, error.message);
  } else {
    fprintf(r->results, "built 0 \n");
    for (i = 0; i < total; i++) {
      memset(&outs[i], 0, sizeof outs[i]);
      outs[i].name = outputs[i].name = ports[i].name;
      outs[i].descriptor = ports[i].descriptor;
      outs[i].byte_length = ports[i].is_empty ? 0 : webnn_byte_length(ports[i].descriptor);
      outputs[i].byte_length = (size_t)outs[i].byte_length;
      outputs[i].data = calloc(outputs[i].byte_length + 8, 1);
    }
    if (webnn_onnx_run(session, feeds, feed_count, outputs, total, &error) == WEBNN_OK) {
      for (i = 0; i < total; i++) {
        put_output(r, &outs[i], outputs[i].data);
      }
    } else {
      fprintf(r->results, "failed %s\n", error.message);
    }
    for (i = 0; i < total; i++) {
      free(outputs[i].data);
    }
  }
  for (i = 0; i < feed_count; i++) {
    free((void *)(uintptr_t)feeds[i].data);
  }
}

static void run_dynamic(const run *r, const item *it) {
  webnn_onnx_options options = WEBNN_ZERO;
  webnn_onnx_model *model = NULL;
  webnn_onnx_session *session = NULL;
  webnn_error error = WEBNN_ZERO;
  options.float64_as_float32 = true;
  if (webnn_onnx_read(r->data + it->offset, it->length, NULL, &options, &model, &error) ==
          WEBNN_OK &&
      webnn_onnx_create_session(model, r->context, NULL, &session, &error) == WEBNN_OK) {
    run_session(r, it, model, session);
  } else {
    fprintf(r->results, "refused %d %s\n", (int)error.status, error.message);
  }
  webnn_onnx_free_session(session);
  webnn_onnx_free(model);
}

static bool run_apart(const run *r, const item *it) {
  int status = 0;
  pid_t child;
  fprintf(r->results, "case %ld\n", it->number);
  (void)fflush(r->results);
  child = fork();
  if (child == 0) {
    (void)alarm(60);
    (void)fseek(r->ours, 0, SEEK_END);
    if (r->dynamic) {
      run_dynamic(r, it);
    } else {
      run_case(r, it);
    }
    (void)fclose(r->results);
    (void)fclose(r->ours);
    webnn_free_context(r->context);
    _exit(0);
  }
  if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
    fprintf(r->results, "\ncrashed %d\n", status);
    (void)fflush(r->results);
    return false;
  }
  return true;
}

static FILE *create(const char *folder, const char *name) {
  char path[1024];
  FILE *file;
  (void)snprintf(path, sizeof path, "%s/%s", folder, name);
  (void)remove(path);
  file = fopen(path, "ab");
  if (file == NULL) {
    fprintf(stderr, "onnx_judge: %s cannot be written\n", path);
    exit(2);
  }
  return file;
}

/* What the command line says; returns false where it says something else. */
typedef struct arguments {
  const char *folder, *output;
  long only; /* a case's number, or -1 */
  bool fast, dynamic;
} arguments;

static bool read_arguments(int argc, char **argv, arguments *args) {
  int a;
  memset(args, 0, sizeof *args);
  args->only = -1;
  for (a = 1; a < argc - 1; a++) {
    if (strcmp(argv[a], "-f") == 0) {
      args->fast = true;
    } else if (strcmp(argv[a], "-d") == 0) {
      args->dynamic = true;
    } else if (strcmp(argv[a], "-n") == 0 && a + 1 < argc - 1) {
      args->only = atol(argv[++a]);
    } else if (strcmp(argv[a], "-o") == 0 && a + 1 < argc - 1) {
      args->output = argv[++a];
    } else {
      return false;
    }
  }
  args->folder = argv[argc - 1];
  args->output = args->output == NULL ? args->folder : args->output;
  return argc > 1;
}

int main(int argc, char **argv) {
  webnn_context_options options = WEBNN_ZERO;
  arguments args;
  run r = WEBNN_ZERO;
  item it = WEBNN_ZERO;
  size_t length, crashed = 0, count = 0;
  char *cases, *line, *next;
  if (!read_arguments(argc, argv, &args)) {
    fputs("usage: onnx_judge [-f] [-d] [-n NUMBER] [-o OUTPUT] FOLDER\n", stderr);
    return 2;
  }
  options.numerics = args.fast ? WEBNN_NUMERICS_FAST : WEBNN_NUMERICS_REFERENCE;
  options.threads = 1;
  r.dynamic = args.dynamic;
  if (webnn_create_context(&options, &r.context, NULL) != WEBNN_OK) {
    fputs("onnx_judge: no context\n", stderr);
    return 2;
  }
  cases = (char *)read_file(args.folder, "cases", &length);
  r.data = read_file(args.folder, "data", &length);
  r.results = create(args.output, "results");
  r.ours = create(args.output, "ours");
  fprintf(r.results, "setting%s%s\n", args.fast ? " -f" : "", args.dynamic ? " -d" : "");
  for (line = cases; *line != '\0'; line = next) {
    next = line + strcspn(line, "\n");
    if (*next != '\0') {
      *next++ = '\0';
    }
    if (strncmp(line, "case ", 5) == 0) {
      memset(&it, 0, sizeof it);
      (void)sscanf(line, "case %ld %zu %zu", &it.number, &it.offset, &it.length);
    } else if (strncmp(line, "input ", 6) == 0 && it.input_count < MAX_PORTS) {
      read_input(line, &it.inputs[it.input_count++]);
    } else if (strcmp(line, "end") == 0 && (args.only < 0 || args.only == it.number)) {
      crashed += !run_apart(&r, &it);
      count++;
    }
  }
  (void)fclose(r.results);
  (void)fclose(r.ours);
  webnn_free_context(r.context);
  free(cases);
  free((void *)(uintptr_t)r.data);
  printf("%u models, %u crashed\n", (unsigned)count, (unsigned)crashed);
  return crashed != 0;
}
