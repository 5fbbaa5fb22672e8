/* main.c - webnn-oracle: the exact results of a WebNN graph, and another implementation's numbers
   beside them. docs/oracle.md is the manual.

   Build:        make -C ../.. oracle          (oracle-vulkan: with --vulkan)
   First steps:  webnn-oracle run ../small.json
                 webnn-oracle check ../small.json

   This file holds the command line. The others, from below, those that read and write in ../read:
     base.c      messages, memory, the context that computes exactly
     json.c      reading and writing JSON, with positions for messages
     text.c      reading and writing graphs as text, the same tree as JSON
     weights.c   .safetensors, and .weights with a manifest
     interchange.c  between that tree and cases of JSON
     described.c  a graph that somebody has built, as such a case
     stablehlo.c  the graph of a module in StableHLO's text
     onnx.c      the graph of an ONNX model
     tensor.c    tensors and their elements
     npy.c       tensors as bytes, in NPY and raw files
     methods.c   the methods of MLGraphBuilder by name
     folder.c    what is in a folder, and the tensors in its files
     network.c   a case of JSON as a graph, built and computed exactly
     run.c       the commands run and graph
     convert.c   the command convert
     check.c     the command check
     magnitude.c how large the terms of sums are that may cancel
     arithmetic.c  models of other arithmetic
     describe.c  the commands limits and explain
     examples.c  the command examples
     plain.c     the loops in C of a page, as a program
     trace.c     the command trace: how a result comes about
     html.c      the same as a page
     tolerance.c the tolerances that limits tells
     importers.c the headers that read weights, StableHLO and ONNX
     webnn.c     the library, with a recorder for trace */
#include "../read/oracle.h"
#ifdef USE_VULKAN
#include "webnn_vulkan.h"
#endif

#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "webnn-oracle: exact results of WebNN graphs, and other implementations held against them\n"
    "\n"
    "  webnn-oracle run GRAPH           write the exact outputs\n"
    "    --inputs FILE.json|FOLDER      tensors in place of the graph's inputs, or of results\n"
    "    --all                          every operator's results too\n"
    "    --format json|npy|raw          json: one file or the standard output; else a file each\n"
    "    --out FILE.json|FOLDER\n"
    "    --arithmetic KEY=VALUE,...     not exact, but as another machine computes:\n"
    "      accumulate=exact|float32|float16, order=sequential|pairwise|blocks:N,\n"
    "      intermediates=exact|float16|bfloat16, subnormals=keep|flush\n"
    "    --fast, --vulkan               not exact, but by webnn.h's fast kernels, or on a GPU\n"
    "    --device NAME                  with --vulkan: the one that has this in its name\n"
    "  webnn-oracle check GRAPH         compare the \"outputs\" (and \"intermediates\") with them\n"
    "    --actual FILE.json|FOLDER      these in place of the graph's own\n"
    "    --inputs FILE.json|FOLDER\n"
    "    --ulp N, --atol X              tolerance in place of the web-platform-tests'\n"
    "    --show N                       differing elements to list (10)\n"
    "    --verbose                      what is right too\n"
    "    --arithmetic KEY=VALUE,...     as for run\n"
    "    --arithmetic try               which of these explains the numbers best?\n"
    "    --fast, --vulkan, --device     hold these against the exact results, operator by "
    "operator\n"
    "  webnn-oracle graph GRAPH [--dot]\n"
    "  webnn-oracle convert GRAPH --out FILE.webnn|FILE.json\n"
    "    --format webnn|json|graph-json what to write\n"
    "    --weights FILE.safetensors|FILE.weights, --manifest FILE.json   where to\n"
    "    --inline N                     constants of at most N bytes stand in the text (64)\n"
    "  webnn-oracle limits              types, ranks and tolerances of every operator, as JSON\n"
    "  webnn-oracle explain OPERATOR [--docs PATH]\n"
    "  webnn-oracle examples PAGE.md|FILE.h   compute the examples, compare with what they say\n"
    "    --out FILE.c                   the loops in plain C as a program that compares them\n"
    "  webnn-oracle trace GRAPH|OPERATOR|PAGE.md  how a result comes about, read by read\n"
    "    --example N                    which of the page, or of the operator's entry (1)\n"
    "    --output NAME, --index 0,1     which element; else the first ones of it\n"
    "    --all                          every element, as JSON\n"
    "    --html                         every element, as a page to look at\n"
    "    --inputs FILE.json|FOLDER\n"
    "    --out FILE\n"
    "\n"
    "  GRAPH is JSON, text (.webnn), StableHLO that is one graph (.mlir), or ONNX (.onnx); of a "
    "text\n"
    "  --weights FILE  --manifest FILE  are beside it, where no other are named\n"
    "  --dim NAME=N                     is a size, where not the largest is meant; in ONNX any\n"
    "  --float64-as-float32             of ONNX: compute float64 so\n"
    "  --constant NAME=FILE|NUMBERS     of ONNX: the value of an input that its graph depends on\n"
    "  --plain                          of ONNX: each node by itself, no nodes as one operator\n"
    "  --case NAME     one case of a file of many\n"
    "  --max-bytes N   the largest tensor (1073741824)\n"
    "\n"
    "Exit status: 0, 1 if a number is wrong, 2 if the input is.\n";

/* ---- The command line ------------------------------------------------------------------------ */

/* Options that stand alone. */
static bool take_switch(session *s, const char *option) {
  if (strcmp(option, "--all") == 0)
    return s->all = true;
  if (strcmp(option, "--dot") == 0)
    return s->dot = true;
  if (strcmp(option, "--verbose") == 0)
    return s->verbose = true;
  if (strcmp(option, "--float64-as-float32") == 0)
    return s->float64_as_float32 = true;
  if (strcmp(option, "--plain") == 0)
    return s->plain = true;
  if (strcmp(option, "--html") == 0)
    return s->html = true;
  if (strcmp(option, "--fast") == 0)
    return (s->computer = COMPUTER_FAST) != COMPUTER_EXACT;
  if (strcmp(option, "--vulkan") == 0)
    return (s->computer = COMPUTER_VULKAN) != COMPUTER_EXACT;
  return false;
}

static bool take_arithmetic(session *s, const char *text) {
  s->try_arithmetic = strcmp(text, "try") == 0;
  s->has_arithmetic = !s->try_arithmetic;
  memset(&s->arithmetic, 0, sizeof s->arithmetic);
  return s->try_arithmetic || arithmetic_read(text, &s->arithmetic);
}

/* Options with a value behind them; -1: not one of them. */
static int take_option(session *s, const char *option, const char *text) {
  const struct {
    const char *name;
    const char **to;
  } texts[] = {{"--case", &s->case_name},  {"--inputs", &s->inputs},     {"--actual", &s->actual},
               {"--out", &s->out},         {"--format", &s->format},     {"--docs", &s->docs},
               {"--weights", &s->weights}, {"--manifest", &s->manifest}, {"--device", &s->device},
               {"--output", &s->output},   {"--index", &s->index}};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    if (strcmp(texts[i].name, option) == 0) {
      *texts[i].to = text;
      return true;
    }
  }
  if (strcmp(option, "--arithmetic") == 0)
    return take_arithmetic(s, text);
  if (strcmp(option, "--dim") == 0)
    return take_dim(s, text);
  if (strcmp(option, "--constant") == 0)
    return take_constant(s, text);
  if (strcmp(option, "--inline") == 0)
    return take_size(option, text, SIZE_MAX / 2, &s->inline_bytes);
  if (strcmp(option, "--ulp") == 0)
    return s->has_ulp = take_number(option, text, &s->ulp);
  if (strcmp(option, "--atol") == 0)
    return s->has_atol = take_number(option, text, &s->atol);
  if (strcmp(option, "--show") == 0)
    return take_size(option, text, SIZE_MAX / 2, &s->show);
  if (strcmp(option, "--example") == 0)
    return take_size(option, text, SIZE_MAX / 2, &s->example) &&
           (s->example > 0 || complain(NULL, "--example takes a number from 1"));
  if (strcmp(option, "--max-bytes") == 0)
    return take_size(option, text, SIZE_MAX / 2, &s->max_bytes);
  return -1;
}

typedef struct command {
  const char *name;
  int (*run)(const session *s);
  bool takes_graph, takes_operator;
} command;

static bool take_arguments(session *s, const command *c, int count, char **arguments) {
  const char **plain = c->takes_operator ? &s->operator_name : &s->graph;
  for (int i = 2; i < count; i++) {
    int taken;
    if (take_switch(s, arguments[i]))
      continue;
    if (strncmp(arguments[i], "--", 2) != 0) {
      if (*plain || (!c->takes_graph && !c->takes_operator))
        return complain(NULL, "one argument too many: \"%s\"", arguments[i]);
      *plain = arguments[i];
      continue;
    }
    taken = i + 1 < count ? take_option(s, arguments[i], arguments[i + 1]) : -1;
    if (taken < 0)
      return complain(NULL, "%s: an unknown option, or its value is missing", arguments[i]);
    if (!taken)
      return false;
    i++;
  }
  if ((c->takes_graph || c->takes_operator) && !*plain)
    return complain(NULL, "%s needs %s", c->name, c->takes_graph ? "a GRAPH" : "an operator");
  return true;
}

/* Models of arithmetic are for the commands that compute, a list of them for `check`. */
static bool settle_arithmetic(const session *s, const command *c) {
  if ((s->has_arithmetic || s->try_arithmetic) && c->run != command_run && c->run != command_check)
    return complain(NULL, "%s takes no --arithmetic", c->name);
  return !s->try_arithmetic || c->run == command_check ||
         complain(NULL, "--arithmetic try is for check, not for %s", c->name);
}

/* Who computes is for the commands that compute, and is no model of an arithmetic. */
static bool settle_computer(const session *s, const command *c) {
  const char *option = s->computer == COMPUTER_FAST ? "--fast" : "--vulkan";
  if (s->device && s->computer != COMPUTER_VULKAN)
    return complain(NULL, "--device needs --vulkan");
  if (s->computer == COMPUTER_EXACT)
    return true;
  if (c->run != command_run && c->run != command_check)
    return complain(NULL, "%s takes no %s", c->name, option);
  if (s->has_arithmetic || s->try_arithmetic)
    return complain(NULL, "%s and --arithmetic exclude each other", option);
  return !s->actual || complain(NULL, "%s and --actual exclude each other", option);
}

static bool is_one_of(const char *text, const char *const *words) {
  while (*words && strcmp(*words, text) != 0)
    words++;
  return *words != NULL;
}

/* The format that the name of the output asks for, unless one is given. */
static bool settle_format(session *s, const command *c) {
  static const char *const tensors[] = {"json", "npy", "raw", NULL};
  static const char *const graphs[] = {"webnn", "json", "graph-json", NULL};
  if (c->run == command_convert) {
    if (!s->format)
      s->format = s->out && ends_with(s->out, ".webnn") ? "webnn" : "json";
    return is_one_of(s->format, graphs) ||
           complain(NULL, "--format takes webnn, json or graph-json, not \"%s\"", s->format);
  }
  if (!s->format)
    s->format = s->out && !ends_with(s->out, ".json") ? "npy" : "json";
  return is_one_of(s->format, tensors) ||
         complain(NULL, "--format takes json, npy or raw, not \"%s\"", s->format);
}

#ifdef USE_VULKAN
static bool choose_device(const session *s, webnn_context_options *options) {
  static webnn_vulkan_options device;
  device.device_name = s->device;
  options->backend = webnn_vulkan_backend();
  options->backend_options = &device;
  return true;
}

static void print_device(const session *s, webnn_context *context) {
  webnn_vulkan_device device;
  if (s->computer == COMPUTER_VULKAN &&
      webnn_vulkan_context_device(context, &device, NULL) == WEBNN_OK)
    say("device: %s, %s\n", device.name, device.driver);
}
#else
static bool choose_device(const session *s, webnn_context_options *options) {
  (void)s, (void)options;
  return complain(NULL, "--vulkan: this webnn-oracle was compiled without -DUSE_VULKAN");
}

static void print_device(const session *s, webnn_context *context) {
  (void)s, (void)context;
}
#endif

/* The context of another computer: in place of the session's own, or beside it to be judged. */
static bool open_other_context(const command *c, session *s) {
  webnn_context_options options = WEBNN_ZERO;
  webnn_error error = WEBNN_ZERO;
  webnn_context **context = c->run == command_check ? &s->judged : &s->context;
  options.numerics = WEBNN_NUMERICS_FAST;
  options.max_tensor_byte_length = s->max_bytes;
  if (s->computer == COMPUTER_VULKAN && !choose_device(s, &options))
    return false;
  if (webnn_create_context(&options, context, &error) != WEBNN_OK)
    return complain(NULL, "%s", error.message);
  if (c->run == command_check)
    print_device(s, *context);
  return true;
}

static int run_command(const command *c, session *s) {
  int status = EXIT_BAD_INPUT;
  if ((s->computer == COMPUTER_EXACT || open_other_context(c, s)) &&
      (s->context || open_context(s)))
    status = c->run(s);
  webnn_free_context(s->judged);
  webnn_free_context(s->context);
  return status;
}

int main(int count, char **arguments) {
  static const command commands[] = {
      {"run", command_run, true, false},           {"check", command_check, true, false},
      {"graph", command_graph, true, false},       {"convert", command_convert, true, false},
      {"limits", command_limits, false, false},    {"explain", command_explain, false, true},
      {"examples", command_examples, true, false}, {"trace", command_trace, true, false}};
  session s;
  memset(&s, 0, sizeof s);
  s.show = 10;
  s.inline_bytes = 64;
  s.max_bytes = (size_t)1 << 30;
  s.program = arguments[0] ? arguments[0] : "";
  if (count > 1 && (strcmp(arguments[1], "--help") == 0 || strcmp(arguments[1], "help") == 0)) {
    fputs(usage, stdout);
    return EXIT_RIGHT;
  }
  for (size_t i = 0; count > 1 && i < sizeof commands / sizeof *commands; i++)
    if (strcmp(commands[i].name, arguments[1]) == 0)
      return take_arguments(&s, &commands[i], count, arguments) &&
                     settle_format(&s, &commands[i]) && settle_arithmetic(&s, &commands[i]) &&
                     settle_computer(&s, &commands[i])
                 ? run_command(&commands[i], &s)
                 : EXIT_BAD_INPUT;
  if (count > 1)
    complain(NULL, "\"%s\" is no command: webnn-oracle --help lists them", arguments[1]);
  else
    fputs(usage, stderr);
  return EXIT_BAD_INPUT;
}
