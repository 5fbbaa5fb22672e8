/* onnx_start.c - from the start of a process to the results of an ONNX model, by webnn_onnx.h and by ONNX
   Runtime.

     onnx_start [--rounds N] [--threads N] FOLDER NAME...

   FOLDER/NAME is what networks/networks.py writes: model.onnx, `ports` (inputs, outputs and sizes of
   dimensions, a line each), and NAME.bin of each input. Each measurement is a process of its own; the
   libraries take turns, and medians of all rounds are shown, as the table of docs/performance.md. */
#include "bench.h"
#include "ort.h"

#include "../../examples/headers/webnn_onnx.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_PORTS = 64, MOST_SIZES = 8, MOST_ROUNDS = 99, MOST_RUNS = 200, LEAST_RUNS = 5 };
#define STEADY_SECONDS 1.0

/* ---- Models ------------------------------------------------------------------------------------
 */

typedef struct port {
  char *name;
  int type; /* as ONNX numbers them */
  int64_t dimensions[WEBNN_MAX_RANK];
  size_t rank, bytes;
  void *data;
  bool used; /* a graph of webnn.h has only those inputs that its results need */
} port;

typedef struct model {
  char path[1024];
  port inputs[MOST_PORTS], outputs[MOST_PORTS];
  webnn_onnx_dimension sizes[MOST_SIZES];
  size_t input_count, output_count, size_count;
} model;

static char *copy_text(const char *text) {
  char *copy = (char *)allocate(strlen(text) + 1);
  memcpy(copy, text, strlen(text) + 1);
  return copy;
}

static void read_input(port *p, const char *folder, const char *type, char *sizes) {
  char path[1024];
  p->type = strcmp(type, "int64") == 0 ? WEBNN_ONNX_INT64 : WEBNN_ONNX_FLOAT;
  p->bytes = p->type == WEBNN_ONNX_INT64 ? 8 : 4;
  for (char *d = strtok(sizes, ","); d && p->rank < WEBNN_MAX_RANK; d = strtok(NULL, ",")) {
    p->dimensions[p->rank] = atol(d);
    p->bytes *= (size_t)p->dimensions[p->rank++];
  }
  p->data = allocate(p->bytes);
  snprintf(path, sizeof path, "%s/%s.bin", folder, p->name);
  FILE *file = fopen(path, "rb");
  if (!file || fread(p->data, 1, p->bytes, file) != p->bytes)
    fail("%s cannot be read", path);
  fclose(file);
}

static void read_line(model *m, const char *folder, char *line) {
  const char *kind = strtok(line, "\t\n"), *name = strtok(NULL, "\t\n");
  char *third = strtok(NULL, "\t\n"), *fourth = strtok(NULL, "\t\n");
  if (!kind || !name || m->input_count == MOST_PORTS || m->output_count == MOST_PORTS)
    fail("%s/ports: a line that is not understood, or too many", folder);
  if (strcmp(kind, "input") == 0 && third && fourth) {
    port *p = &m->inputs[m->input_count++];
    p->name = copy_text(name);
    read_input(p, folder, third, fourth);
  } else if (strcmp(kind, "output") == 0) {
    m->outputs[m->output_count++].name = copy_text(name);
  } else if (strcmp(kind, "dimension") == 0 && third && m->size_count < MOST_SIZES) {
    m->sizes[m->size_count].name = copy_text(name);
    m->sizes[m->size_count++].size = (uint32_t)atol(third);
  }
}

static model *read_model(const char *folder) {
  model *m = (model *)allocate(sizeof *m);
  char path[1100], line[512];
  snprintf(m->path, sizeof m->path, "%s/model.onnx", folder);
  snprintf(path, sizeof path, "%s/ports", folder);
  FILE *file = fopen(path, "r");
  if (!file)
    fail("%s cannot be read", path);
  while (fgets(line, sizeof line, file))
    read_line(m, folder, line);
  fclose(file);
  return m;
}

/* ---- Who runs them -----------------------------------------------------------------------------
   Load opens and builds a model, run runs it once. */

typedef struct contestant {
  const char *name;
  void (*open)(uint32_t threads);
  void (*load)(model *m, uint32_t threads);
  void (*run)(model *m);
} contestant;

static webnn_context *context;
static webnn_onnx_model *onnx;
static webnn_graph *graph_of_model;

static void our_packed(void *user, const void *data, size_t byte_length) {
  (void)user;
  webnn_onnx_packed(onnx, data, byte_length);
}

static void require(const webnn_error *error) {
  if (error->status != WEBNN_OK)
    fail("webnn: %s", error->message);
}

static void our_open(uint32_t threads) {
  webnn_context_options options = WEBNN_ZERO;
  webnn_error error = WEBNN_ZERO;
  options.numerics = WEBNN_NUMERICS_FAST;
  options.threads = threads;
  options.constant_packed = our_packed;
  webnn_create_context(&options, &context, &error);
  require(&error);
}

static void find_used(model *m, const webnn_graph_port *ports, size_t count) {
  for (size_t i = 0; i < m->input_count; i++)
    for (size_t k = 0; k < count; k++)
      m->inputs[i].used = m->inputs[i].used || strcmp(m->inputs[i].name, ports[k].name) == 0;
}

static void our_load(model *m, uint32_t threads) {
  webnn_onnx_options options = WEBNN_ZERO;
  webnn_graph_port ports[MOST_PORTS];
  webnn_error error = WEBNN_ZERO;
  (void)threads;
  options.dimensions = m->sizes;
  options.dimension_count = m->size_count;
  webnn_onnx_open(m->path, &options, &onnx, &error);
  require(&error);
  webnn_onnx_build(onnx, context, &graph_of_model, &error);
  require(&error);
  find_used(m, ports, webnn_graph_inputs(graph_of_model, ports, MOST_PORTS));
  m->output_count = webnn_graph_outputs(graph_of_model, ports, MOST_PORTS);
  for (size_t i = 0; i < m->output_count; i++) {
    m->outputs[i].name = copy_text(ports[i].name);
    m->outputs[i].bytes = (size_t)ports[i].byte_length;
    m->outputs[i].data = allocate(m->outputs[i].bytes);
  }
}

static void our_run(model *m) {
  webnn_named_input inputs[MOST_PORTS];
  webnn_named_output outputs[MOST_PORTS];
  webnn_error error = WEBNN_ZERO;
  size_t count = 0;
  for (size_t i = 0; i < m->input_count; i++) {
    if (!m->inputs[i].used)
      continue;
    inputs[count].name = m->inputs[i].name;
    inputs[count].data = m->inputs[i].data;
    inputs[count++].byte_length = m->inputs[i].bytes;
  }
  for (size_t i = 0; i < m->output_count; i++) {
    outputs[i].name = m->outputs[i].name;
    outputs[i].data = m->outputs[i].data;
    outputs[i].byte_length = m->outputs[i].bytes;
  }
  webnn_compute(context, graph_of_model, inputs, count, outputs, m->output_count, &error);
  require(&error);
}

static void *session;

static void their_open(uint32_t threads) {
  char text[256];
  (void)threads;
  if (!open_ort(text, sizeof text))
    fail("%s", text);
}

static void their_load(model *m, uint32_t threads) {
  ort_check(ort.create_session(ort.env, m->path, ort_options(threads), &session));
}

static void their_run(model *m) {
  const char *input_names[MOST_PORTS], *output_names[MOST_PORTS];
  void *inputs[MOST_PORTS], *outputs[MOST_PORTS] = {NULL};
  for (size_t i = 0; i < m->input_count; i++) {
    const port *p = &m->inputs[i];
    input_names[i] = p->name;
    ort_check(ort.create_tensor_with_data(ort.memory_info, p->data, p->bytes, p->dimensions,
                                          p->rank, p->type, &inputs[i]));
  }
  for (size_t i = 0; i < m->output_count; i++)
    output_names[i] = m->outputs[i].name;
  ort_check(ort.run(session, NULL, input_names, inputs, m->input_count, output_names,
                    m->output_count, outputs));
  for (size_t i = 0; i < m->input_count; i++)
    ort.release_value(inputs[i]);
  for (size_t i = 0; i < m->output_count; i++)
    ort.release_value(outputs[i]);
}

static const contestant contestants[] = {{"webnn", our_open, our_load, our_run},
                                         {"ort", their_open, their_load, their_run}};
enum { CONTESTANTS = sizeof contestants / sizeof *contestants };

/* ---- A process that is measured ----------------------------------------------------------------
 */

enum { LOAD, FIRST, RUN, PEAK, MEASURES }; /* seconds, and bytes */

static double peak_bytes(void) {
  char line[256];
  double kilobytes = 0;
  FILE *file = fopen("/proc/self/status", "r");
  while (file && fgets(line, sizeof line, file))
    if (strncmp(line, "VmHWM:", 6) == 0)
      kilobytes = atof(line + 6);
  if (file)
    fclose(file);
  return kilobytes * 1024;
}

static void work(const contestant *c, const char *folder, uint32_t threads, double start) {
  double m[MEASURES], times[MOST_RUNS];
  size_t runs = 0;
  model *read = read_model(folder);
  c->open(threads);
  double now = seconds();
  c->load(read, threads);
  m[LOAD] = seconds() - now;
  c->run(read);
  m[FIRST] = seconds() - start;
  double begin = now = seconds();
  while (runs < LEAST_RUNS || (now - begin < STEADY_SECONDS && runs < MOST_RUNS)) {
    const double before = now;
    c->run(read);
    now = seconds();
    times[runs++] = now - before;
  }
  m[RUN] = median(times, runs);
  m[PEAK] = peak_bytes();
  printf("%.9f %.9f %.9f %.0f\n", m[LOAD], m[FIRST], m[RUN], m[PEAK]);
}

/* ---- All of them -------------------------------------------------------------------------------
 */

/* Starts this program as a worker, and takes what it prints. */
static void measure_process(const char *name, const char *folder, uint32_t threads, double *m) {
  char count[16], start[32];
  int ends[2], status;
  if (pipe(ends) != 0)
    fail("no pipe");
  snprintf(count, sizeof count, "%u", threads);
  snprintf(start, sizeof start, "%.9f", seconds());
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    execl("/proc/self/exe", "onnx_start", "--worker", name, folder, count, start, (char *)NULL);
    _exit(127);
  }
  close(ends[1]);
  FILE *file = fdopen(ends[0], "r");
  const int taken =
      file ? fscanf(file, "%lf %lf %lf %lf", &m[LOAD], &m[FIRST], &m[RUN], &m[PEAK]) : 0;
  if (file)
    fclose(file);
  if (child < 0 || waitpid(child, &status, 0) != child || taken != MEASURES)
    fail("%s does not run %s", name, folder);
}

static void print_pair(double a, double b) {
  printf(" %.*f | %.*f | %.2f |", a < 10, a, b < 10, b, b / a);
}

static void measure_model(const char *folder, const char *name, int rounds, uint32_t threads) {
  static double numbers[CONTESTANTS][MEASURES][MOST_ROUNDS];
  static const double units[MEASURES] = {1e3, 1e3, 1e3, 1e-6};
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  for (int round = -1; round < rounds; round++) { /* one to bring the files into memory */
    for (int c = 0; c < CONTESTANTS; c++) {
      double m[MEASURES];
      measure_process(contestants[c].name, path, threads, m);
      for (int i = 0; i < MEASURES && round >= 0; i++)
        numbers[c][i][round] = m[i];
    }
  }
  printf("| %s |", name);
  for (int i = 0; i < MEASURES; i++)
    print_pair(units[i] * median(numbers[0][i], (size_t)rounds),
               units[i] * median(numbers[1][i], (size_t)rounds));
  printf("\n");
  fflush(stdout);
}

static void print_head(uint32_t threads, int rounds) {
  char text[256];
  print_machine();
  if (!open_ort(text, sizeof text))
    fail("%s", text);
  printf("beside %s, %u threads, medians of %d processes each, and theirs divided by those of "
         "webnn.h\n\n"
         "| network | load and build, ms | theirs | ratio | start to first result, ms | theirs | "
         "ratio "
         "| a run, ms | theirs | ratio | most memory, MB | theirs | ratio |\n|",
         text, threads, rounds);
  for (int i = 0; i < 1 + 3 * MEASURES; i++)
    printf(" --- |");
  printf("\n");
}

int main(int count, char **arguments) {
  int rounds = 5, i = 1;
  uint32_t threads = 2;
  if (count == 6 && strcmp(arguments[1], "--worker") == 0) {
    for (size_t c = 0; c < CONTESTANTS; c++)
      if (strcmp(contestants[c].name, arguments[2]) == 0)
        work(&contestants[c], arguments[3], (uint32_t)atoi(arguments[4]), atof(arguments[5]));
    return 0;
  }
  for (; i + 1 < count && strncmp(arguments[i], "--", 2) == 0; i += 2) {
    if (strcmp(arguments[i], "--rounds") == 0)
      rounds = atoi(arguments[i + 1]);
    else if (strcmp(arguments[i], "--threads") == 0)
      threads = parse_threads(arguments[i + 1]).items[0];
    else
      fail("%s: an unknown option", arguments[i]);
  }
  if (i + 1 >= count || rounds < 1 || rounds > MOST_ROUNDS)
    fail("usage: onnx_start [--rounds N] [--threads N] FOLDER NAME...");
  print_head(threads, rounds);
  for (int n = i + 1; n < count; n++)
    measure_model(arguments[i], arguments[n], rounds, threads);
  return 0;
}
