/* main.c - webnn: runs, judges, explains and converts models with webnn.h. docs/command.md is the
   manual; docs/oracle.md is that of the subcommands that compute exactly.

   Build:        make -C .. networks           (networks-vulkan: with --vulkan)
   First steps:  webnn run small.json
                 webnn judge small.json
                 webnn info modules/largest.mlir

   This file has the list of subcommands, and what happens before and after each; options.c has the
   options. Each subcommand is in the file of its name; convert_to_c.c and convert_to_text.c are
   parts of convert. Called as `webnn-oracle`, the program also understands the verbs of that name:
   `run` is then `run --exact`, and `check` is `judge`.

   read/ is shared by all. Files use those above them:
     base.c         messages, memory, the context that computes exactly
     json.c         reading and writing JSON, with positions for messages
     text.c         reading and writing graphs as text, the same tree as JSON
     element.c      types and elements of tensors
     tensor.c       tensors from JSON and to JSON
     npy.c          tensors as bytes, in NPY and raw files
     weights.c      .safetensors, and .weights with a manifest
     methods.c      the methods of MLGraphBuilder by name
     folder.c       what is in a folder, and the tensors in its files
     interchange.c  between the tree of a text and cases of JSON
     network.c      a case of JSON as a graph, built and computed
     cases.c        the cases of a file of any kind
     described.c    a graph that somebody has built, as such a case
     stablehlo.c    the graph of a module in StableHLO's text
     onnx.c         the graph of an ONNX model
     onnx_sizes.c   the sizes of its dimensions
     dimensions.c   dynamic dimensions of graphs as text and as JSON
     clock.c        time and memory
     array.c        arrays as NPY files, text and JSON
     picture.c      pictures as inputs, labels of outputs
     inputs.c       a model's inputs: files, numbers, random ones
     model.c        models that have been read: running, their graphs and steps
     graph_model.c, stablehlo_model.c, onnx_model.c, onnx_reader.c, onnx_test.c   their kinds
     models.c       which kind a file is, and opening it
   exact/ is shared by the subcommands that compute exactly:
     recorder.c     webnn.h, with a recorder for trace
     headers.c      the headers of ../headers, compiled once
     magnitude.c    how large the terms of sums are that may cancel
     theirs.c       another implementation's numbers
     arithmetic.c   models of other arithmetic
     tolerance.c    the tolerances that limits prints
     lines.c, formula.c, html.c   of trace: the lines about an element, formulas, the page
     page.c         docs/operators.md and the examples of a page
     plain.c        the loops in C of a page, as a program
     loops.c        the loops in C of a page, run here */
#include "command.h"
#ifdef USE_VULKAN
#include "webnn_vulkan.h"
#endif

#include <string.h>

/* ---- The subcommands ------------------------------------------------------------------------- */

typedef struct command {
  const char *name;
  const char *second; /* the verb of webnn-oracle, where it is another one */
  const char *takes;  /* what stands after it; NULL: nothing */
  const char *needs;  /* the same as a message says it */
  bool many;
  int (*run)(const request *r);     /* a model of any kind */
  int (*compute)(const session *s); /* what has one graph, in the session's context */
  const char *help;
} command;

static int completion_command(const request *r);

static const command commands[] = {
    [COMMAND_RUN] = {"run", NULL, "MODEL", "a MODEL", false, run_command, NULL,
                     "runs it once and writes the outputs as text"},
    [COMMAND_PROFILE] = {"profile", NULL, "MODEL", "a MODEL", false, profile_command, NULL,
                         "runs it many times: times, a table of operators, memory"},
    [COMMAND_INFO] = {"info", NULL, "MODEL", "a MODEL", false, info_command, NULL,
                      "inputs, outputs, operations, graphs, parameters"},
    [COMMAND_CHECK] = {"check", NULL, "MODEL...", "a MODEL", true, check_command, NULL,
                       "everything that is not covered, with places"},
    [COMMAND_TEST] = {"test", NULL, "MODEL|FOLDER...", "a MODEL", true, test_command, NULL,
                      "runs the checks of modules, and ONNX models with their test data, those of "
                      "all folders in a FOLDER, too"},
    [COMMAND_DUMP] = {"dump", NULL, "MODEL", "a MODEL", false, dump_command, NULL,
                      "every value that a run computes, with an index"},
    [COMMAND_CONVERT] = {"convert", NULL, "MODEL", "a MODEL", false, convert_command, NULL,
                         "a model that is one graph as .webnn, .json, .onnx, .dot or .c"},
    [COMMAND_RUN_EXACT] = {"run --exact", "run", "GRAPH", "a GRAPH", false, NULL, run_exact_command,
                           "writes the exact outputs as JSON"},
    [COMMAND_JUDGE] = {"judge", "check", "GRAPH", "a GRAPH", false, NULL, judge_command,
                       "compares the \"outputs\" (and \"intermediates\") with the exact ones"},
    [COMMAND_TRACE] = {"trace", NULL, "GRAPH|OPERATOR|PAGE.md", "a GRAPH", false, NULL,
                       trace_command, "how a result is computed, read by read"},
    [COMMAND_GRAPH] = {"graph", NULL, "GRAPH", "a GRAPH", false, NULL, graph_command,
                       "the graph for people to read"},
    [COMMAND_CONVERT_TO_TEXT] = {"convert (to text)", "convert", "GRAPH", "a GRAPH", false, NULL,
                                 convert_to_text_command, "a graph from JSON to .webnn and back"},
    [COMMAND_EXPLAIN] = {"explain", NULL, "OPERATOR", "an operator", false, NULL, explain_command,
                         "operands, options and rules of an operator"},
    [COMMAND_EXERCISE] = {"exercise", NULL, "OPERATOR", "an operator", false, NULL,
                          exercise_command,
                          "loops of operators.md with a line left out: write it, and it is judged"},
    [COMMAND_LIMITS] = {"limits", NULL, NULL, NULL, false, NULL, limits_command,
                        "types, ranks and tolerances of every operator, as JSON"},
    [COMMAND_EXAMPLES] = {"examples", NULL, "PAGE.md|FILE.h", "a GRAPH", false, NULL,
                          examples_command,
                          "computes the examples and compares with their results"},
    [COMMAND_COMPLETION] = {"completion", NULL, "bash|zsh", "a shell: bash or zsh", false,
                            completion_command, NULL,
                            "a script that makes the shell complete command lines"}};

/* Is it a verb, and not a part of one? */
static bool is_verb(command_id id) {
  return !strchr(commands[id].name, ' ');
}

/* The verb of a command under the name that the program is called by; NULL: it has none. */
static const char *verb_of(const request *r, command_id id) {
  if (r->second_name && commands[id].second)
    return commands[id].second;
  return is_verb(id) ? commands[id].name : NULL;
}

/* COMMANDS: there is none. Verbs of the second name come before others. */
static command_id find_command(const request *r, const char *verb) {
  for (int i = 0; i < COMMANDS && r->second_name; i++)
    if (commands[i].second && strcmp(commands[i].second, verb) == 0)
      return (command_id)i;
  for (int i = 0; i < COMMANDS; i++)
    if (is_verb((command_id)i) && strcmp(commands[i].name, verb) == 0)
      return (command_id)i;
  return COMMANDS;
}

static int completion_command(const request *r) {
  verb_row verbs[COMMANDS];
  for (int i = 0; i < COMMANDS; i++) {
    verbs[i].name = verb_of(r, (command_id)i);
    verbs[i].help = commands[i].help;
  }
  return write_completion(r->models[0], r->second_name ? "webnn-oracle" : "webnn", verbs)
             ? EXIT_RIGHT
             : EXIT_BAD_INPUT;
}

/* ---- Help ------------------------------------------------------------------------------------ */

static const char about[] =
    "\n"
    "A MODEL is ONNX (.onnx), StableHLO (.mlir), or a graph: .webnn text, webnn-graph's JSON, or\n"
    "cases as JSON (docs/oracle.md). A GRAPH is a model that is one graph.\n"
    "\n"
    "Exit status: 0; 1 if a check fails or a number is wrong; 2 if input is wrong; 3 if a model\n"
    "cannot be expressed.\n";

static const char *program_name(const request *r) {
  return r->second_name ? "webnn-oracle" : "webnn";
}

/* "webnn run MODEL" */
static const char *call_text(request *r, command_id id) {
  const char *verb = verb_of(r, id) ? verb_of(r, id) : commands[id].name;
  return take_text(&r->memory, "%s %s%s%s", program_name(r), verb, commands[id].takes ? " " : "",
                   commands[id].takes ? commands[id].takes : "");
}

/* The second name lists only the subcommands that compute exactly. */
static void print_usage(request *r, FILE *file) {
  fprintf(file, "%s: %s\n\n", program_name(r),
          r->second_name ? "exact results of WebNN graphs, and other implementations compared with "
                           "them; a second name of webnn"
                         : "runs, judges, explains and converts models");
  for (int i = 0; i < COMMANDS; i++)
    if (r->second_name ? commands[i].compute != NULL : i != COMMAND_CONVERT_TO_TEXT)
      print_help_line(file, call_text(r, (command_id)i), commands[i].help);
  print_help_line(file, take_text(&r->memory, "%s COMMAND --help", program_name(r)),
                  "the options of a command");
  print_help_line(file, take_text(&r->memory, "%s --version", program_name(r)),
                  "version, compiler, instruction set");
  fputs(about, file);
}

static void print_command(request *r, command_id id) {
  printf("%s [OPTION...]\n  %s\n\n", call_text(r, id), commands[id].help);
  print_options(&r->memory, id);
  fputs(about, stdout);
}

/* `webnn help`, and --help or -h anywhere. */
static bool asks_for_help(int count, char **arguments) {
  bool asks = count > 1 && strcmp(arguments[1], "help") == 0;
  for (int i = 1; i < count; i++)
    asks = asks || strcmp(arguments[i], "--help") == 0 || strcmp(arguments[i], "-h") == 0;
  return asks;
}

static int help(request *r, int count, char **arguments) {
  command_id id = COMMANDS;
  for (int i = 1; i < count && id == COMMANDS; i++)
    id = find_command(r, arguments[i]);
  for (int i = 1; i < count && id == COMMAND_RUN; i++)
    if (strcmp(arguments[i], "--exact") == 0)
      id = COMMAND_RUN_EXACT;
  if (id == COMMANDS)
    print_usage(r, stdout);
  else
    print_command(r, id);
  return EXIT_RIGHT;
}

/* ---- Version --------------------------------------------------------------------------------- */

#define AS_TEXT(x) #x
#define TEXT_OF(x) AS_TEXT(x)
#if defined(__VERSION__) && defined(__clang__)
#define COMPILER __VERSION__
#elif defined(__VERSION__)
#define COMPILER "gcc " __VERSION__
#elif defined(_MSC_VER)
#define COMPILER "MSVC " TEXT_OF(_MSC_VER)
#else
#define COMPILER "unknown"
#endif

/* That of the fast kernels: a context can be made only for an instruction set that the machine has. */
static const char *instruction_set(void) {
  static const struct {
    webnn_instruction_set set;
    const char *name;
  } best_first[] = {{WEBNN_ISA_AVX512, "AVX-512"},
                    {WEBNN_ISA_AVX2, "AVX2"},
                    {WEBNN_ISA_SSE2, "SSE2"},
                    {WEBNN_ISA_NEON, "NEON"},
                    {WEBNN_ISA_WASM_SIMD, "WebAssembly SIMD"}};
  for (size_t i = 0; i < sizeof best_first / sizeof *best_first; i++) {
    webnn_context_options options = WEBNN_ZERO;
    webnn_context *context = NULL;
    bool made;
    options.numerics = WEBNN_NUMERICS_FAST;
    options.threads = 1;
    options.instruction_set = best_first[i].set;
    made = webnn_create_context(&options, &context, NULL) == WEBNN_OK;
    webnn_free_context(context);
    if (made)
      return best_first[i].name;
  }
  return "none";
}

static int print_version(void) {
  printf("webnn %d.%d.%d\ncompiler: %s\ninstruction set: %s\nVulkan: %s\n", WEBNN_VERSION_MAJOR,
         WEBNN_VERSION_MINOR, WEBNN_VERSION_PATCH, COMPILER, instruction_set(),
#ifdef USE_VULKAN
         "compiled in (--vulkan)"
#else
         "not compiled in"
#endif
  );
  return EXIT_RIGHT;
}

/* ---- What options need of each other --------------------------------------------------------- */

static bool settle_pictures(const session *s) {
  bool picture = false;
  for (size_t i = 0; i < s->given_count; i++)
    picture = picture || is_picture(s->given[i]);
  if ((s->mean || s->scale) && !picture)
    return complain(NULL, "--mean and --scale are for an --input that is a picture (.ppm, .pgm)");
  return true;
}

static bool is_one_of(const char *text, const char *const *words) {
  while (*words && strcmp(*words, text) != 0)
    words++;
  return *words != NULL;
}

/* The format that the name of the output asks for, unless one is given. */
static bool settle_format(session *s, command_id id) {
  static const char *const arrays[] = {"npy", "raw", NULL};
  static const char *const tensors[] = {"json", "npy", "raw", NULL};
  static const char *const graphs[] = {"webnn", "json", "graph-json", NULL};
  if (id == COMMAND_CONVERT_TO_TEXT || id == COMMAND_CONVERT) {
    if (!s->format)
      s->format = s->out && ends_with(s->out, ".webnn") ? "webnn" : "json";
    return is_one_of(s->format, graphs) ||
           complain(NULL, "--format takes webnn, json or graph-json, not \"%s\"", s->format);
  }
  if (id != COMMAND_RUN_EXACT)
    return !s->format || is_one_of(s->format, arrays) ||
           complain(NULL, "--format takes npy or raw, not \"%s\"", s->format);
  if (!s->format)
    s->format = s->out && !ends_with(s->out, ".json") ? "npy" : "json";
  return is_one_of(s->format, tensors) ||
         complain(NULL, "--format takes json, npy or raw, not \"%s\"", s->format);
}

/* What computes the results. A model of another arithmetic, and results that are given, exclude other
   computers. */
static bool settle_computer(request *r) {
  session *s = &r->session;
  const char *option = r->fast ? "--fast" : r->vulkan ? "--vulkan" : "--relaxed";
  if (r->reference + r->fast + r->vulkan > 1)
    return complain(NULL, "--reference, --fast and --vulkan exclude each other");
  if (s->relaxed && (r->reference || r->fast))
    return complain(NULL, "--relaxed and %s exclude each other",
                    r->fast ? "--fast" : "--reference");
  if (s->device && !r->vulkan)
    return complain(NULL, "--device needs --vulkan");
  if (r->exact && (r->fast || r->vulkan || s->relaxed))
    return complain(NULL, "%s and --exact exclude each other", option);
  s->computer = r->vulkan               ? COMPUTER_VULKAN
                : r->fast || s->relaxed ? COMPUTER_FAST
                                        : COMPUTER_EXACT;
  if (s->computer == COMPUTER_EXACT)
    return true;
  if (s->has_arithmetic || s->try_arithmetic)
    return complain(NULL, "%s and --arithmetic exclude each other", option);
  return !s->actual || complain(NULL, "%s and --actual exclude each other", option);
}

/* JSON is one text: it goes to the standard output, or of `run` to a file. */
static bool settle_json(const request *r, command_id id) {
  const session *s = &r->session;
  const bool file = s->out && ends_with(s->out, ".json");
  if (id == COMMAND_RUN_EXACT && s->json && s->format && strcmp(s->format, "json") != 0)
    return complain(NULL, "--json and --format %s exclude each other", s->format);
  if (id != COMMAND_RUN || !(s->json || file))
    return true;
  if (s->json && s->out && !file)
    return complain(NULL, "--json and --out FOLDER exclude each other");
  if (s->format || r->labels)
    return complain(NULL, "JSON and %s exclude each other", s->format ? "--format" : "--labels");
  return true;
}

static bool settle(request *r, command_id id) {
  session *s = &r->session;
  if (!settle_computer(r) || !settle_json(r, id) || !settle_format(s, id) || !settle_pictures(s))
    return false;
  if (id == COMMAND_RUN && r->warm_up > 0 && r->warm_up != WARM_UP_AS_USUAL && r->repeat == 0 &&
      r->duration <= 0.0)
    return complain(NULL, "--warm-up needs --repeat or --duration");
  if (s->try_arithmetic && id != COMMAND_JUDGE)
    return complain(NULL, "--arithmetic try is for %s, not for %s", verb_of(r, COMMAND_JUDGE),
                    r->command);
  if (!s->out && (id == COMMAND_DUMP || id == COMMAND_CONVERT))
    return complain(NULL, "%s needs --out", r->command);
  if (id == COMMAND_TEST && !r->fast && !r->vulkan && !s->relaxed)
    r->reference = true;
  s->dynamic_sizes = id == COMMAND_GRAPH || id == COMMAND_CONVERT_TO_TEXT;
  if (commands[id].compute)
    return true;
  s->default_sizes = id != COMMAND_TEST && id != COMMAND_INFO;
  s->dynamic_sizes = id == COMMAND_CONVERT && says_dynamic_sizes(s->out);
  r->folder = s->inputs; /* readers take constants of ONNX from the other */
  s->inputs = NULL;
  return true;
}

/* ---- Computing graphs ------------------------------------------------------------------------ */

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
  return complain(NULL, "--vulkan: this webnn was compiled without -DUSE_VULKAN");
}

static void print_device(const session *s, webnn_context *context) {
  (void)s, (void)context;
}
#endif

/* The context of another computer: in place of the session's own, or beside it to be judged. */
static bool open_other_context(command_id id, session *s) {
  webnn_context_options options = WEBNN_ZERO;
  webnn_error error = WEBNN_ZERO;
  webnn_context **context = id == COMMAND_JUDGE ? &s->judged : &s->context;
  options.numerics = s->relaxed ? WEBNN_NUMERICS_RELAXED : WEBNN_NUMERICS_FAST;
  options.max_tensor_byte_length = s->max_bytes;
  if (s->computer == COMPUTER_VULKAN && !choose_device(s, &options))
    return false;
  if (webnn_create_context(&options, context, &error) != WEBNN_OK)
    return complain(NULL, "%s", error.message);
  if (id == COMMAND_JUDGE)
    print_device(s, *context);
  return true;
}

static int compute(command_id id, session *s) {
  int status = EXIT_BAD_INPUT;
  if ((s->computer == COMPUTER_EXACT || open_other_context(id, s)) &&
      (s->context || open_context(s)))
    status = commands[id].compute(s);
  webnn_free_context(s->judged);
  webnn_free_context(s->context);
  return status;
}

/* ---- The command line ------------------------------------------------------------------------ */

/* Models stay at the beginning of the arguments. */
static bool take_arguments(request *r, command_id id, int count, char **arguments) {
  const command *c = &commands[id];
  r->models = arguments + 2;
  for (int i = 2, taken = 1; i < count; i += taken) {
    if (arguments[i][0] != '-' || !arguments[i][1]) {
      if (!c->takes || (r->model_count > 0 && !c->many))
        return complain(NULL, "%s takes %s; \"%s\" is one too many", r->command,
                        c->takes ? c->needs : "no arguments", arguments[i]);
      r->models[r->model_count++] = arguments[i];
      taken = 1;
    } else {
      taken = take_argument(r, id, count - i, arguments + i);
      if (taken == 0)
        return false;
    }
  }
  r->session.graph = r->session.operator_name = r->model_count > 0 ? r->models[0] : NULL;
  return !c->takes || r->model_count > 0 || complain(NULL, "%s needs %s", r->command, c->needs);
}

/* run and convert have a second half, for what is one graph: other options lead there. */
static command_id half_of(const request *r, command_id id) {
  const session *s = &r->session;
  if (id == COMMAND_RUN && (r->exact || s->all || s->has_arithmetic || s->try_arithmetic))
    return COMMAND_RUN_EXACT;
  if (id == COMMAND_CONVERT && s->out &&
      (s->format || s->manifest || ends_with(s->out, ".json") ||
       (ends_with(s->out, ".webnn") && s->weights && !ends_with(s->weights, ".safetensors"))))
    return COMMAND_CONVERT_TO_TEXT;
  return id;
}

/* The exit status of a command, unless what it printed is lost. */
static int written(int status) {
  if (fflush(stdout) == 0 && !ferror(stdout))
    return status;
  cannot_write(NULL);
  return graver(status, EXIT_BAD_INPUT);
}

static int unknown_command(request *r, const char *word) {
  const char *names[COMMANDS + 2]; /* and two that are options */
  const char *list = "";
  size_t count = 0;
  for (int i = 0; i < COMMANDS; i++)
    if (verb_of(r, (command_id)i) && find_command(r, verb_of(r, (command_id)i)) == (command_id)i)
      names[count++] = verb_of(r, (command_id)i);
  for (size_t i = 0; i < count; i++)
    list = take_text(&r->memory, "%s%s%s", list,
                     i == 0          ? ""
                     : i + 1 < count ? ", "
                                     : " and ",
                     names[i]);
  names[count] = "--help";
  names[count + 1] = "--version";
  complain(NULL, "there is no command %s%s; the commands are %s (%s --help)", word,
           near_text(&r->memory, word, names, count + 2), list, program_name(r));
  return EXIT_BAD_INPUT;
}

static int run_line(request *r, int count, char **arguments) {
  const command_id id = find_command(r, arguments[1]);
  command_id half;
  if (id == COMMANDS)
    return unknown_command(r, arguments[1]);
  r->command = arguments[1];
  r->given = (const option_row **)take(&r->memory, (size_t)count * sizeof *r->given);
  if (!take_arguments(r, id, count, arguments))
    return EXIT_BAD_INPUT;
  half = half_of(r, id);
  if (half == COMMAND_RUN_EXACT && id == COMMAND_RUN && !r->exact && !r->vulkan &&
      !r->session.relaxed)
    r->fast = !r->reference && !r->session.has_arithmetic && !r->session.try_arithmetic;
  if (!options_fit(r, half, commands[half].name) || !settle(r, half))
    return EXIT_BAD_INPUT;
  if (r->warm_up == WARM_UP_AS_USUAL)
    r->warm_up = half == COMMAND_PROFILE; /* run has run once before it is measured */
  if (r->session.show == SHOW_AS_USUAL)
    r->session.show = commands[half].compute ? 10 : 1000;
  return written(commands[half].run ? commands[half].run(r) : compute(half, &r->session));
}

/* Is the program called webnn-oracle, in any folder, and with anything after it? */
static bool is_second_name(const char *program) {
  return strncmp(file_part(program), "webnn-oracle", 12) == 0;
}

int main(int count, char **arguments) {
  static request r;
  int status = EXIT_BAD_INPUT;
  r.session.max_bytes = (size_t)1 << 30;
  r.session.inline_bytes = 64;
  r.session.program = arguments[0] ? arguments[0] : "";
  r.session.show = SHOW_AS_USUAL;
  r.warm_up = WARM_UP_AS_USUAL;
  r.second_name = is_second_name(r.session.program);
  if (asks_for_help(count, arguments))
    status = help(&r, count, arguments);
  else if (count > 1 && strcmp(arguments[1], "--version") == 0)
    status = print_version();
  else if (count > 1)
    status = run_line(&r, count, arguments);
  else
    print_usage(&r, stderr);
  release(&r.memory);
  return status;
}
