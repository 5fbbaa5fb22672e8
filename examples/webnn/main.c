/* main.c - webnn: runs, describes and converts models by webnn.h. docs/networks.md is the manual.

   Build:        make -C .. networks           (networks-vulkan: with --vulkan)
   First steps:  webnn run small.json
                 webnn info model.mlir

   This file holds the command line. The others, from below:
     library.c          webnn.h and the headers of ../headers, compiled once
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
   Messages, memory and graphs as text are in read. */
#include "command.h"

#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "webnn: runs, describes and converts models\n"
    "\n"
    "  webnn run MODEL                  run it once, write the outputs as text\n"
    "    --input NAME=FILE              an input's data: NPY, or its bytes under another name\n"
    "                                   FILE.ppm, FILE.pgm: a picture, values from 0 to 1\n"
    "    --input NAME=NUMBERS           16000, or 1,2,3: one number is that of all elements\n"
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
    "    --rtol X, --atol X             floats may differ by X of the expected ones, and by X\n"
    "\n"
    "  MODEL is ONNX (.onnx), StableHLO (.mlir), or a graph: .webnn text, webnn-graph's JSON,\n"
    "  webnn-oracle's\n"
    "  --dim NAME=N                     of ONNX: the size of a dimension, which may be many;\n"
    "                                   run, check, convert and dump take 1 where there is none\n"
    "  --constant NAME=FILE|NUMBERS     of ONNX: the value of an input that its graph depends on\n"
    "  --plain                          of ONNX: each node by itself, no nodes as one operator\n"
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
    return complain(NULL, "--input takes NAME=FILE or NAME=NUMBERS, not \"%s\"", text);
  if (has_named(r->inputs, r->input_count, text, (size_t)(equals - text)))
    return complain(NULL, "--input %s: the input has data already", text);
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
                  {"--plain", &r->session.plain},
                  {"--float64-as-float32", &r->session.float64_as_float32}};
  for (size_t i = 0; i < sizeof switches / sizeof *switches; i++)
    if (strcmp(switches[i].name, option) == 0)
      return *switches[i].to = true;
  return false;
}

/* Options with a value behind them. False after a complaint. */
static bool take_option(request *r, const char *option, const char *text) {
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
  if (strcmp(option, "--constant") == 0)
    return take_constant(s, text);
  if (strcmp(option, "--random") == 0)
    return r->random = take_whole(option, text, UINT64_MAX, &r->seed);
  if (strcmp(option, "--threads") == 0)
    return take_size(option, text, 1024, &r->threads);
  if (strcmp(option, "--repeat") == 0)
    return take_size(option, text, 1000000, &r->repeat);
  if (strcmp(option, "--show") == 0)
    return take_size(option, text, SIZE_MAX / 2, &r->show);
  if (strcmp(option, "--rtol") == 0)
    return r->has_rtol = take_number(option, text, &r->rtol);
  if (strcmp(option, "--atol") == 0)
    return r->has_atol = take_number(option, text, &r->atol);
  return take_size(option, text, SIZE_MAX / 2, &s->max_bytes); /* --max-bytes */
}

/* All options; those with a value end in "=". */
static const char *const options[] = {"--atol=",
                                      "--case=",
                                      "--constant=",
                                      "--device=",
                                      "--dim=",
                                      "--fast",
                                      "--float64-as-float32",
                                      "--format=",
                                      "--function=",
                                      "--help",
                                      "--input=",
                                      "--inputs=",
                                      "--labels=",
                                      "--manifest=",
                                      "--max-bytes=",
                                      "--mean=",
                                      "--out=",
                                      "--plain",
                                      "--random=",
                                      "--reference",
                                      "--repeat=",
                                      "--rtol=",
                                      "--scale=",
                                      "--show=",
                                      "--threads=",
                                      "--vulkan",
                                      "--weights="};

/* How many letters are to be put in, left out or changed to make one word the other (Levenshtein's
   distance); many if one of them is long. */
static size_t distance(const char *a, const char *b) {
  enum { LONG = 40 };
  const size_t rows = strlen(a), columns = strlen(b);
  size_t row[LONG + 1], corner, next;
  if (rows > LONG || columns > LONG)
    return LONG;
  for (size_t j = 0; j <= columns; j++)
    row[j] = j;
  for (size_t i = 1; i <= rows; i++) {
    corner = row[0];
    row[0] = i;
    for (size_t j = 1; j <= columns; j++) {
      next = corner + (a[i - 1] != b[j - 1]);
      corner = row[j];
      next = next < row[j] + 1 ? next : row[j] + 1;
      row[j] = next < row[j - 1] + 1 ? next : row[j - 1] + 1;
    }
  }
  return row[columns];
}

/* `; is "--inputs" meant?`: the nearest of the words, if it is near. */
static const char *near_text(arena *memory, const char *word, const char *const *words,
                             size_t count) {
  size_t best = 3;
  const char *found = NULL;
  for (size_t i = 0; i < count; i++) {
    const char *name = take_text(memory, "%.*s", (int)strcspn(words[i], "="), words[i]);
    const size_t far = distance(word, name);
    if (far < best) {
      best = far;
      found = name;
    }
  }
  return found ? take_text(memory, "; is \"%s\" meant?", found) : "";
}

/* The word of an option in the list; NULL: there is none. */
static const char *find_option(const char *name, size_t length) {
  for (size_t i = 0; i < sizeof options / sizeof *options; i++)
    if (strncmp(options[i], name, length) == 0 &&
        options[i][length + (options[i][length] == '=')] == 0)
      return options[i];
  return NULL;
}

/* Takes the option, and the value that stands in it or behind it. Returns how many arguments these are; 0
   after a complaint. */
static int take_argument(request *r, int count, char **arguments) {
  arena *memory = &r->memory;
  const size_t length = strcspn(arguments[0], "=");
  const char *name = take_text(memory, "%.*s", (int)length, arguments[0]);
  const char *found = find_option(name, length);
  const bool has_value = arguments[0][length] == '=';
  if (!found)
    return complain(NULL, "%s: an unknown option%s", name,
                    near_text(memory, name, options, sizeof options / sizeof *options));
  if (!strchr(found, '='))
    return has_value ? complain(NULL, "%s takes no value", name) : take_switch(r, name);
  if (!has_value && count < 2)
    return complain(NULL, "%s: its value is missing", name);
  if (!take_option(r, name, has_value ? arguments[0] + length + 1 : arguments[1]))
    return 0;
  return has_value ? 1 : 2;
}

typedef struct command {
  const char *name;
  int (*run)(const request *r);
  bool many;
} command;

/* Models stay at the beginning of the arguments. */
static bool take_arguments(request *r, const command *c, int count, char **arguments) {
  r->models = arguments + 2;
  for (int i = 2, taken = 1; i < count; i += taken) {
    if (strncmp(arguments[i], "--", 2) != 0) {
      if (r->model_count > 0 && !c->many)
        return complain(NULL, "one argument too many: \"%s\"", arguments[i]);
      r->models[r->model_count++] = arguments[i];
      taken = 1;
    } else {
      taken = take_argument(r, count - i, arguments + i);
      if (taken == 0)
        return false;
    }
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
  if ((r->has_rtol || r->has_atol) && c->run != test_command)
    return complain(NULL, "%s takes no --rtol and --atol", c->name);
  if (c->run == test_command && !r->fast && !r->vulkan)
    r->reference = true;
  r->session.default_sizes = c->run != test_command && c->run != info_command;
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

static const command commands[] = {
    {"run", run_command, false},         {"info", info_command, false},
    {"check", check_command, true},      {"dump", dump_command, false},
    {"convert", convert_command, false}, {"test", test_command, true}};

enum { COMMANDS = sizeof commands / sizeof *commands };

static int unknown_command(request *r, const char *word) {
  const char *names[COMMANDS];
  const char *list = "";
  for (size_t i = 0; i < COMMANDS; i++) {
    names[i] = commands[i].name;
    list = take_text(&r->memory, "%s%s%s", list,
                     i == 0             ? ""
                     : i + 1 < COMMANDS ? ", "
                                        : " and ",
                     names[i]);
  }
  complain(NULL, "%s: an unknown command%s; there are %s (webnn --help)", word,
           near_text(&r->memory, word, names, COMMANDS), list);
  return EXIT_BAD_INPUT;
}

static int run_line(request *r, int count, char **arguments) {
  for (size_t i = 0; i < COMMANDS; i++) {
    if (strcmp(commands[i].name, arguments[1]) != 0)
      continue;
    r->command = commands[i].name;
    return take_arguments(r, &commands[i], count, arguments) && settle(r, &commands[i])
               ? written(commands[i].run(r))
               : EXIT_BAD_INPUT;
  }
  return unknown_command(r, arguments[1]);
}

int main(int count, char **arguments) {
  static request r;
  int status = EXIT_BAD_INPUT;
  r.session.max_bytes = (size_t)1 << 30;
  r.session.inline_bytes = 64;
  r.session.format = "npy";
  r.session.program = arguments[0] ? arguments[0] : "";
  r.show = 1000;
  if (asks_for_help(count, arguments)) {
    fputs(usage, stdout);
    return EXIT_RIGHT;
  }
  if (count > 1)
    status = run_line(&r, count, arguments);
  else
    fputs(usage, stderr);
  release(&r.memory);
  return status;
}
