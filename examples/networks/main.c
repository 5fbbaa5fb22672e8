/* main.c - webnn: runs, describes and converts models by webnn.h. docs/networks.md is the manual.

   Build:        make -C .. networks, or by hand, here:
                 cc -O2 -I../.. -I. *.c ../oracle/base.c ../oracle/json.c ../oracle/text.c
                   ../oracle/weights.c ../oracle/interchange.c ../oracle/tensor.c ../oracle/npy.c
                   ../oracle/methods.c ../oracle/network.c ../oracle/described.c ../oracle/folder.c
                   ../oracle/stablehlo.c ../oracle/onnx.c -pthread -o webnn
                 with -DUSE_VULKAN and -ldl for --vulkan
   First steps:  webnn run ../oracle/small.json
                 webnn info model.mlir

   This file holds the command line. The others, from below:
     library.c          webnn.h and the headers of this folder, compiled once
     clock.c            time and memory
     array.c            arrays: NPY files, random numbers, text
     model.c            models: which kind, contexts, running, their graphs and steps
     graph_model.c      the kind of .webnn and JSON
     stablehlo_model.c  the kind of StableHLO's text
     onnx_model.c       the kind of ONNX
     onnx_test.c        its models with test data
     picture.c          pictures as inputs, labels of outputs
     run.c              the command run
     describe.c         the commands info, check and dump
     source.c           a graph as C source
     convert.c          the command convert
     test.c             the command test
   Messages, memory and graphs as text are those of ../oracle. */
#include "command.h"

#include <string.h>

static const char usage[] =
    "webnn: runs, describes and converts models\n"
    "\n"
    "  webnn run MODEL                  run it once, write the outputs as text\n"
    "    --input NAME=FILE              an input's data: NPY, or its bytes under another name\n"
    "                                   FILE.ppm, FILE.pgm: a picture, values from 0 to 1\n"
    "    --mean A,B,C --scale A,B,C     of pictures: (value - mean) / scale, by channel\n"
    "    --labels FILE                  of an output [1, N] the five largest, with these names\n"
    "    --inputs FOLDER                of every input: NAME.npy or NAME.bin\n"
    "    --random SEED                  random numbers where there is none (default: seed 0)\n"
    "    --out FOLDER                   NAME.npy of each output; --format raw: NAME.bin\n"
    "    --show N                       elements of an output to print (1000)\n"
    "    --repeat N                     run N times more, and tell times and memory\n"
    "  webnn info MODEL                 inputs, outputs, operations, graphs, parameters\n"
    "  webnn check MODEL...             all that is not covered, with places\n"
    "  webnn dump MODEL --out FOLDER    every value that a run computes, with an index\n"
    "  webnn convert MODEL --out FILE   FILE.webnn and FILE.safetensors; FILE.onnx; FILE.dot; or\n"
    "                                   FILE.c, which builds the graph by webnn.h, and "
    "FILE.weights\n"
    "    --weights FILE                 the file of the weights; those of .onnx are in it without\n"
    "  webnn test MODEL|FOLDER...       run the checks that are in modules; ONNX models with the\n"
    "                                   test data beside them, of all folders in a FOLDER\n"
    "\n"
    "  MODEL is ONNX (.onnx), StableHLO (.mlir), or a graph: .webnn text, webnn-graph's JSON,\n"
    "  webnn-oracle's\n"
    "  --dim NAME=N                     of ONNX: the size of a dimension, which may be many\n"
    "  --float64-as-float32             of ONNX: compute float64 so\n"
    "  --function NAME                  of StableHLO: not main\n"
    "  --reference                      compute exactly (test does by itself)\n"
    "  --fast                           compute by fast kernels (all others do)\n"
    "  --vulkan, --device NAME          on a GPU\n"
    "  --threads N                      0: as many as there are processors\n"
    "  --weights FILE, --manifest FILE, --case NAME, --max-bytes N             as webnn-oracle\n"
    "\n"
    "Exit status: 0; 1 if a check fails; 2 if input is wrong; 3 if a model cannot be expressed.\n";

int graver(int a, int b) {
  static const int rank[] = {0, 2, 3, 1}; /* right, failed, bad input, not expressible */
  return rank[a] >= rank[b] ? a : b;
}

/* ---- Options --------------------------------------------------------------------------------- */

static bool take_input(request *r, const char *text) {
  const char *equals = strchr(text, '=');
  if (!equals || equals == text || !equals[1])
    return complain(NULL, "--input takes NAME=FILE, not \"%s\"", text);
  for (size_t i = 0; i < r->input_count; i++)
    if (strncmp(r->inputs[i], text, (size_t)(equals - text) + 1) == 0)
      return complain(NULL, "--input %s: the input has a file already, %s", text, r->inputs[i]);
  if (r->input_count == MOST_INPUTS)
    return complain(NULL, "--input: at most %d of them; --inputs FOLDER takes any number",
                    MOST_INPUTS);
  r->inputs[r->input_count++] = text;
  return true;
}

/* Options that stand alone. */
static bool take_switch(request *r, const char *option) {
  const struct {
    const char *name;
    bool *to;
  } switches[] = {{"--reference", &r->reference},
                  {"--fast", &r->fast},
                  {"--vulkan", &r->vulkan},
                  {"--float64-as-float32", &r->session.float64_as_float32}};
  for (size_t i = 0; i < sizeof switches / sizeof *switches; i++)
    if (strcmp(switches[i].name, option) == 0)
      return *switches[i].to = true;
  return false;
}

/* Options with a value behind them; -1: not one of them. */
static int take_option(request *r, const char *option, const char *text) {
  session *s = &r->session;
  const struct {
    const char *name;
    const char **to;
  } texts[] = {
      {"--inputs", &r->folder},     {"--function", &r->function}, {"--out", &r->out},
      {"--format", &r->format},     {"--device", &s->device},     {"--weights", &s->weights},
      {"--manifest", &s->manifest}, {"--case", &s->case_name},    {"--mean", &r->mean},
      {"--scale", &r->scale},       {"--labels", &r->labels}};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    if (strcmp(texts[i].name, option) == 0) {
      *texts[i].to = text;
      return true;
    }
  }
  if (strcmp(option, "--input") == 0)
    return take_input(r, text);
  if (strcmp(option, "--dim") == 0)
    return take_dim(s, text);
  if (strcmp(option, "--random") == 0)
    return r->random = take_whole(option, text, UINT64_MAX, &r->seed);
  if (strcmp(option, "--threads") == 0)
    return take_size(option, text, 1024, &r->threads);
  if (strcmp(option, "--repeat") == 0)
    return take_size(option, text, 1000000, &r->repeat);
  if (strcmp(option, "--show") == 0)
    return take_size(option, text, SIZE_MAX / 2, &r->show);
  if (strcmp(option, "--max-bytes") == 0)
    return take_size(option, text, SIZE_MAX / 2, &s->max_bytes);
  return -1;
}

typedef struct command {
  const char *name;
  int (*run)(const request *r);
  bool many;
} command;

/* Models stay at the beginning of the arguments. */
static bool take_arguments(request *r, const command *c, int count, char **arguments) {
  r->models = arguments + 2;
  for (int i = 2; i < count; i++) {
    int taken;
    if (take_switch(r, arguments[i]))
      continue;
    if (strncmp(arguments[i], "--", 2) != 0) {
      if (r->model_count > 0 && !c->many)
        return complain(NULL, "one argument too many: \"%s\"", arguments[i]);
      r->models[r->model_count++] = arguments[i];
      continue;
    }
    taken = i + 1 < count ? take_option(r, arguments[i], arguments[i + 1]) : -1;
    if (taken < 0)
      return complain(NULL, "%s: an unknown option, or its value is missing", arguments[i]);
    if (!taken)
      return false;
    i++;
  }
  return r->model_count > 0 || complain(NULL, "%s needs a MODEL", c->name);
}

static bool settle_pictures(const request *r, const command *c) {
  bool picture = false;
  for (size_t i = 0; i < r->input_count; i++)
    picture = picture || is_picture(r->inputs[i]);
  if ((r->mean || r->scale) && !picture)
    return complain(NULL, "--mean and --scale are for an --input that is a picture (.ppm, .pgm)");
  return !r->labels || c->run == run_command || complain(NULL, "%s takes no --labels", c->name);
}

static bool settle(request *r, const command *c) {
  if (r->reference + r->fast + r->vulkan > 1)
    return complain(NULL, "--reference, --fast and --vulkan exclude each other");
  if (r->session.device && !r->vulkan)
    return complain(NULL, "--device needs --vulkan");
  if (r->format && c->run != run_command && c->run != dump_command)
    return complain(NULL, "%s takes no --format", c->name);
  if (r->format && strcmp(r->format, "npy") != 0 && strcmp(r->format, "raw") != 0)
    return complain(NULL, "--format takes npy or raw, not \"%s\"", r->format);
  if (!r->out && (c->run == dump_command || c->run == convert_command))
    return complain(NULL, "%s needs --out", c->name);
  if (c->run == test_command && !r->fast && !r->vulkan)
    r->reference = true;
  return settle_pictures(r, c);
}

/* `webnn help`, and --help or -h anywhere. */
static bool asks_for_help(int count, char **arguments) {
  bool asks = count > 1 && strcmp(arguments[1], "help") == 0;
  for (int i = 1; i < count; i++)
    asks = asks || strcmp(arguments[i], "--help") == 0 || strcmp(arguments[i], "-h") == 0;
  return asks;
}

/* The exit status of a command, unless what it printed is lost. */
static int written(int status) {
  if (fflush(stdout) == 0 && !ferror(stdout))
    return status;
  complain(NULL, "the standard output cannot be written");
  return graver(status, EXIT_BAD_INPUT);
}

int main(int count, char **arguments) {
  static const command commands[] = {
      {"run", run_command, false},         {"info", info_command, false},
      {"check", check_command, true},      {"dump", dump_command, false},
      {"convert", convert_command, false}, {"test", test_command, true}};
  static request r;
  r.session.max_bytes = (size_t)1 << 30;
  r.session.inline_bytes = 64;
  r.session.format = "npy";
  r.session.program = arguments[0] ? arguments[0] : "";
  r.show = 1000;
  if (asks_for_help(count, arguments)) {
    fputs(usage, stdout);
    return EXIT_RIGHT;
  }
  for (size_t i = 0; count > 1 && i < sizeof commands / sizeof *commands; i++) {
    if (strcmp(commands[i].name, arguments[1]) != 0)
      continue;
    r.command = commands[i].name;
    return take_arguments(&r, &commands[i], count, arguments) && settle(&r, &commands[i])
               ? written(commands[i].run(&r))
               : EXIT_BAD_INPUT;
  }
  fputs(usage, stderr);
  return EXIT_BAD_INPUT;
}
