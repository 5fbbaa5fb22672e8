/* The options of the command line: one table, by which they are taken, listed and completed. */
#include "command.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

/* ---- Values ---------------------------------------------------------------------------------- */

static void *place_of(request *r, const option_row *o) {
  return (char *)r + o->offset;
}

static bool take_switch(request *r, const option_row *o, const char *text) {
  (void)text;
  return *(bool *)place_of(r, o) = true;
}

static bool take_string(request *r, const option_row *o, const char *text) {
  *(const char **)place_of(r, o) = text;
  return true;
}

static bool take_count(request *r, const option_row *o, const char *text) {
  return take_size(o->name, text, SIZE_MAX / 2, (size_t *)place_of(r, o));
}

static bool take_threads(request *r, const option_row *o, const char *text) {
  return take_size(o->name, text, 1024, &r->threads);
}

static bool take_repeat(request *r, const option_row *o, const char *text) {
  return take_size(o->name, text, 1000000, (size_t *)place_of(r, o));
}

static bool take_duration(request *r, const option_row *o, const char *text) {
  return take_number(o->name, text, &r->duration) &&
         (r->duration <= 1e6 || complain(NULL, "--duration takes at most 1000000 seconds"));
}

static bool take_seed(request *r, const option_row *o, const char *text) {
  return r->random = take_whole(o->name, text, UINT64_MAX, &r->seed);
}

static bool take_example(request *r, const option_row *o, const char *text) {
  return take_count(r, o, text) &&
         (r->session.example > 0 || complain(NULL, "--example takes a number from 1"));
}

static bool take_rtol(request *r, const option_row *o, const char *text) {
  return r->has_rtol = take_number(o->name, text, &r->rtol);
}

static bool take_atol(request *r, const option_row *o, const char *text) {
  return r->session.has_atol = take_number(o->name, text, &r->session.atol);
}

static bool take_ulp(request *r, const option_row *o, const char *text) {
  return r->session.has_ulp = take_number(o->name, text, &r->session.ulp);
}

static bool take_the_dim(request *r, const option_row *o, const char *text) {
  (void)o;
  return take_dim(&r->session, text);
}

static bool take_the_constant(request *r, const option_row *o, const char *text) {
  (void)o;
  return take_constant(&r->session, text);
}

static bool take_arithmetic(request *r, const option_row *o, const char *text) {
  session *s = &r->session;
  (void)o;
  s->try_arithmetic = strcmp(text, "try") == 0;
  s->has_arithmetic = !s->try_arithmetic;
  memset(&s->arithmetic, 0, sizeof s->arithmetic);
  return s->try_arithmetic || arithmetic_read(text, &s->arithmetic);
}

static bool take_input(request *r, const option_row *o, const char *text) {
  const char *equals = strchr(text, '=');
  (void)o;
  if (!equals || equals == text || !equals[1])
    return complain(NULL, "--input takes NAME=FILE or NAME=NUMBERS, not \"%s\"", text);
  if (has_named(r->session.given, r->session.given_count, text, (size_t)(equals - text)))
    return complain(NULL, "--input %s: the input is given data twice", text);
  if (r->session.given_count == MOST_INPUTS)
    return complain(NULL, "--input may be given at most %d times; --inputs FOLDER takes any number",
                    MOST_INPUTS);
  r->session.given[r->session.given_count++] = text;
  return true;
}

/* ---- The table ------------------------------------------------------------------------------- */

#define RUN (1u << COMMAND_RUN)
#define PROFILE (1u << COMMAND_PROFILE)
#define INFO (1u << COMMAND_INFO)
#define CHECK (1u << COMMAND_CHECK)
#define DUMP (1u << COMMAND_DUMP)
#define CONVERT (1u << COMMAND_CONVERT)
#define TEST (1u << COMMAND_TEST)
#define EXACT (1u << COMMAND_RUN_EXACT)
#define JUDGE (1u << COMMAND_JUDGE)
#define TRACE (1u << COMMAND_TRACE)
#define GRAPH (1u << COMMAND_GRAPH)
#define TEXT (1u << COMMAND_CONVERT_TO_TEXT)
#define EXPLAIN (1u << COMMAND_EXPLAIN)
#define EXERCISE (1u << COMMAND_EXERCISE)
#define LIMITS (1u << COMMAND_LIMITS)
#define EXAMPLES (1u << COMMAND_EXAMPLES)
/* What runs models of all kinds, and what takes graphs alone. */
#define FEEDS (RUN | PROFILE | DUMP)
#define SIZED (FEEDS | INFO | CHECK | CONVERT) /* an input's data may say a size of ONNX */
#define MODELS (FEEDS | INFO | CHECK | CONVERT | TEST)
#define GRAPHS (EXACT | JUDGE | TRACE | GRAPH | TEXT)

#define IN_REQUEST(member) offsetof(request, member)
#define IN_SESSION(member) offsetof(request, session.member)

static const option_row options[] = {
    {"--input", "NAME=FILE|NUMBERS", SIZED | EXACT | JUDGE | TRACE, take_input, 0,
     "an input's data: NPY, bytes, a picture (.ppm, .pgm); 16000, or 1,2,3, or [[1,2],[3,4]]"},
    {"--inputs", "FOLDER", SIZED, take_string, IN_SESSION(inputs),
     "the data of every input: NAME.npy or NAME.bin"},
    {"--inputs", "FILE.json|FOLDER", EXACT | JUDGE | TRACE, take_string, IN_SESSION(inputs),
     "tensors in place of the graph's inputs, or of results"},
    {"--random", "SEED", FEEDS, take_seed, 0,
     "random inputs (the seed of inputs without data is 0)"},
    {"--mean", "A,B,C", FEEDS | EXACT | JUDGE | TRACE, take_string, IN_SESSION(mean),
     "for pictures: (value - mean) / scale, by channel"},
    {"--scale", "A,B,C", FEEDS | EXACT | JUDGE | TRACE, take_string, IN_SESSION(scale),
     "see --mean"},
    {"--labels", "FILE", RUN, take_string, IN_REQUEST(labels),
     "print the five largest of an output [1, N], with these names"},
    {"--out", "FOLDER|FILE.json", RUN, take_string, IN_SESSION(out),
     "a file for each output, NAME.npy or NAME.bin; or one file of JSON"},
    {"--out", "FOLDER", DUMP, take_string, IN_SESSION(out),
     "a file for each value: NAME.npy, NAME.bin"},
    {"--out", "FILE.json|FOLDER", EXACT, take_string, IN_SESSION(out),
     "one file, or a file for each value"},
    {"--out", "FILE", CONVERT, take_string, IN_SESSION(out),
     "x.webnn or x.json; x.onnx; x.dot; or x.c, which builds the graph by webnn.h"},
    {"--out", "FILE.webnn|FILE.json", TEXT, take_string, IN_SESSION(out), "the file to write"},
    {"--out", "FILE", TRACE, take_string, IN_SESSION(out),
     "write there, not to the standard output"},
    {"--out", "FILE.c", EXAMPLES, take_string, IN_SESSION(out),
     "the loops in plain C as a program that compares them"},
    {"--format", "npy|raw", RUN | DUMP, take_string, IN_SESSION(format),
     "the format of the files in --out"},
    {"--format", "json|npy|raw", EXACT, take_string, IN_SESSION(format),
     "json: one file or the standard output; others: a file for each value"},
    {"--format", "webnn|json|graph-json", CONVERT | TEXT, take_string, IN_SESSION(format),
     "the format of text: .webnn, cases, or webnn-graph's JSON"},
    {"--show", "N", RUN, take_count, IN_SESSION(show), "elements of an output to print (1000)"},
    {"--show", "N", JUDGE | TRACE, take_count, IN_SESSION(show), "elements to list (10)"},
    {"--repeat", "N", RUN, take_repeat, IN_REQUEST(repeat),
     "run N more times, and print times and memory"},
    {"--repeat", "N", PROFILE, take_repeat, IN_REQUEST(repeat), "the number of measured runs (10)"},
    {"--duration", "SECONDS", RUN | PROFILE, take_duration, 0,
     "measure for that long, but at most --repeat runs"},
    {"--warm-up", "N", RUN | PROFILE, take_repeat, IN_REQUEST(warm_up),
     "runs before the measured ones (profile: 1)"},
    {"--json", NULL, INFO | RUN | PROFILE | EXACT | JUDGE, take_switch, IN_SESSION(json),
     "write the report as JSON to the standard output"},
    {"--steps", NULL, INFO, take_switch, IN_REQUEST(steps),
     "how it runs: the kernel of each step, its phases, and why other kernels do not run it"},
    {"--json", NULL, EXERCISE, take_switch, IN_SESSION(json),
     "the loops, the line and the question as JSON"},
    {"--exact", NULL, RUN, take_switch, IN_REQUEST(exact),
     "the exact results of a graph, as JSON; allows --all, --arithmetic and similar options"},
    {"--all", NULL, RUN | EXACT, take_switch, IN_SESSION(all), "every operator's results, too"},
    {"--all", NULL, TRACE, take_switch, IN_SESSION(all), "every element, as JSON"},
    {"--arithmetic", "KEY=VALUE,...", RUN | EXACT, take_arithmetic, 0,
     "not exact, but in another machine's arithmetic: accumulate=exact|float32|float16, "
     "order=sequential|pairwise|blocks:N, intermediates=exact|float16|bfloat16, "
     "subnormals=keep|flush"},
    {"--arithmetic", "KEY=VALUE,...|try", JUDGE, take_arithmetic, 0,
     "as for run --exact; try: which of these explains the numbers best?"},
    {"--actual", "FILE.json|FOLDER", JUDGE, take_string, IN_SESSION(actual),
     "numbers to judge in place of the graph's own"},
    {"--ulp", "N", JUDGE, take_ulp, 0, "a tolerance in place of the web-platform-tests'"},
    {"--atol", "X", JUDGE, take_atol, 0, "the same, as an absolute difference"},
    {"--verbose", NULL, JUDGE, take_switch, IN_SESSION(verbose), "list right results, too"},
    {"--rtol", "X", TEST, take_rtol, 0, "floats may differ by X of the expected ones"},
    {"--atol", "X", TEST, take_atol, 0, "floats may differ by X"},
    {"--dot", NULL, GRAPH, take_switch, IN_SESSION(dot), "write text for Graphviz"},
    {"--docs", "PATH", EXPLAIN | EXERCISE | TRACE, take_string, IN_SESSION(docs),
     "operators.md, or its folder"},
    {"--example", "N", TRACE, take_example, IN_SESSION(example),
     "the number of the example in the page, or in the operator's entry (1)"},
    {"--example", "N", EXERCISE, take_example, IN_SESSION(example),
     "the number of the operator's puzzle (1)"},
    {"--line", "TEXT", EXERCISE, take_string, IN_SESSION(line), "your line, to be judged"},
    {"--loops", "FILE.c", EXERCISE, take_string, IN_SESSION(loops),
     "the loops with your line in them"},
    {"--solution", NULL, EXERCISE, take_switch, IN_SESSION(solution), "the line of the page"},
    {"--output", "NAME", TRACE, take_string, IN_SESSION(output), "the result to trace"},
    {"--index", "0,1", TRACE, take_string, IN_SESSION(index),
     "the element to trace; without it the first elements"},
    {"--html", NULL, TRACE, take_switch, IN_SESSION(html), "every element, as a page for browsers"},
    {"--reference", NULL, MODELS | EXACT, take_switch, IN_REQUEST(reference),
     "compute by the exact reference kernels (test always does)"},
    {"--fast", NULL, MODELS | EXACT, take_switch, IN_REQUEST(fast),
     "compute by webnn.h's fast kernels"},
    {"--relaxed", NULL, MODELS | EXACT, take_switch, IN_SESSION(relaxed),
     "compute products in lower precision, if that is faster"},
    {"--vulkan", NULL, MODELS | EXACT, take_switch, IN_REQUEST(vulkan), "compute on a GPU"},
    {"--fast", NULL, JUDGE, take_switch, IN_REQUEST(fast),
     "judge webnn.h's fast kernels, operator by operator"},
    {"--relaxed", NULL, JUDGE, take_switch, IN_SESSION(relaxed),
     "judge those of relaxed contexts, operator by operator"},
    {"--vulkan", NULL, JUDGE, take_switch, IN_REQUEST(vulkan), "judge a GPU, operator by operator"},
    {"--device", "NAME", MODELS | EXACT | JUDGE, take_string, IN_SESSION(device),
     "with --vulkan: the device with this in its name"},
    {"--threads", "N", MODELS, take_threads, 0, "the number of threads; 0: one for each processor"},
    {"--function", "NAME", MODELS, take_string, IN_REQUEST(function),
     "of StableHLO: the function to run in place of main"},
    {"--dim", "NAME=N", MODELS | GRAPHS, take_the_dim, 0,
     "the size of a dimension of ONNX, StableHLO (x[0]=N) or .webnn; may be repeated"},
    {"--constant", "NAME=FILE|NUMBERS", MODELS | GRAPHS, take_the_constant, 0,
     "of ONNX: the value of an input that the graph depends on"},
    {"--float64-as-float32", NULL, MODELS | GRAPHS, take_switch, IN_SESSION(float64_as_float32),
     "of ONNX: compute float64 in float32"},
    {"--case", "NAME", MODELS | GRAPHS, take_string, IN_SESSION(case_name),
     "one case of a file of many"},
    {"--weights", "FILE", MODELS | GRAPHS, take_string, IN_SESSION(weights),
     "the weights of a .webnn text; for convert the file to write"},
    {"--manifest", "FILE.json", MODELS | GRAPHS, take_string, IN_SESSION(manifest),
     "the manifest of .weights"},
    {"--inline", "N", CONVERT | TEXT, take_count, IN_SESSION(inline_bytes),
     "write constants of at most N bytes into the text (64)"},
    {"--max-bytes", "N", MODELS | GRAPHS | LIMITS, take_count, IN_SESSION(max_bytes),
     "the largest tensor (1073741824)"}};

enum { OPTIONS = sizeof options / sizeof *options };

const option_row *option_rows(size_t *count) {
  *count = OPTIONS;
  return options;
}

/* ---- Near names ------------------------------------------------------------------------------ */

/* How many letters are to be put in, left out or changed to make one word the other (Levenshtein's
   distance), upper case or not; many if one of them is long. */
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
      next = corner + (tolower((unsigned char)a[i - 1]) != tolower((unsigned char)b[j - 1]));
      corner = row[j];
      next = next < row[j] + 1 ? next : row[j] + 1;
      row[j] = next < row[j - 1] + 1 ? next : row[j - 1] + 1;
    }
  }
  return row[columns];
}

/* `; is "--inputs" meant?`: the nearest of the words, if it is near. */
const char *near_text(arena *memory, const char *word, const char *const *words, size_t count) {
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

const char *near_operator(arena *memory, const char *word) {
  const char *names[WEBNN_OP_COUNT];
  for (int op = 0; op < WEBNN_OP_COUNT; op++)
    names[op] = webnn_op_name((webnn_op)op);
  return near_text(memory, word, names, WEBNN_OP_COUNT);
}

/* The nearest option that this command takes. */
static const char *near_option(arena *memory, const char *name, command_id command) {
  const char *names[OPTIONS];
  size_t count = 0;
  for (size_t i = 0; i < OPTIONS; i++)
    if (options[i].commands >> command & 1)
      names[count++] = options[i].name;
  return near_text(memory, name, names, count);
}

/* ---- Taking ---------------------------------------------------------------------------------- */

/* The option's row for a command; else any row of this name; NULL: there is none. */
static const option_row *find_option(const char *name, command_id command) {
  const option_row *found = NULL;
  for (size_t i = 0; i < OPTIONS; i++) {
    if (strcmp(options[i].name, name) != 0)
      continue;
    if (options[i].commands >> command & 1)
      return &options[i];
    found = &options[i];
  }
  return found;
}

int take_argument(request *r, command_id command, int count, char **arguments) {
  const size_t length = strcspn(arguments[0], "=");
  const char *name = take_text(&r->memory, "%.*s", (int)length, arguments[0]);
  const option_row *o = find_option(name, command);
  const bool has_value = arguments[0][length] == '=';
  if (!o)
    return complain(NULL, "there is no option %s%s", name, near_option(&r->memory, name, command));
  if (!(o->commands >> command & 1))
    return complain(NULL, "%s takes no %s", r->command, name);
  r->given[r->given_count++] = o;
  if (!o->value)
    return has_value ? (int)complain(NULL, "%s takes no value", name) : (int)o->take(r, o, NULL);
  if (!has_value && count < 2)
    return complain(NULL, "%s must have a value, %s", name, o->value);
  if (!o->take(r, o, has_value ? arguments[0] + length + 1 : arguments[1]))
    return 0;
  return has_value ? 1 : 2;
}

bool options_fit(const request *r, command_id command, const char *name) {
  for (size_t i = 0; i < r->given_count; i++) {
    const option_row *o = find_option(r->given[i]->name, command);
    if (!(o->commands >> command & 1) && o->offset != IN_REQUEST(exact))
      return complain(NULL, "%s takes no %s", name, o->name);
  }
  return true;
}

/* ---- Listing --------------------------------------------------------------------------------- */

enum { HELP_COLUMN = 36, LINE_LENGTH = 100 };

/* Words from a column on, on as many lines as they need. */
static void print_words(FILE *file, const char *text, int at) {
  while (*text) {
    const int length = (int)strcspn(text, " ");
    if (at > HELP_COLUMN && at + 1 + length > LINE_LENGTH) {
      fputc('\n', file);
      at = 0;
    }
    at += at < HELP_COLUMN ? fprintf(file, "%*s%.*s", HELP_COLUMN - at, "", length, text)
                           : fprintf(file, " %.*s", length, text);
    text += length;
    text += strspn(text, " ");
  }
  fputc('\n', file);
}

void print_help_line(FILE *file, const char *what, const char *help) {
  int at = fprintf(file, "  %s", what);
  if (at >= HELP_COLUMN) {
    fputc('\n', file);
    at = 0;
  }
  print_words(file, help, at);
}

void print_options(arena *memory, command_id command) {
  for (size_t i = 0; i < OPTIONS; i++) {
    const option_row *o = &options[i];
    if (o->commands >> command & 1)
      print_help_line(
          stdout,
          take_text(memory, "%s%s%s", o->name, o->value ? " " : "", o->value ? o->value : ""),
          o->help);
  }
}
