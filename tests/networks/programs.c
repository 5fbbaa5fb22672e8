/* Programs in StableHLO that hold their inputs and what they must compute: each is read, compiled and
   run, and its assertions must hold.

       programs [--fast] [--threads N] [--problems] [--page PAGE] FOLDER-or-FILE ...

   Prints a line for each failure and closes with "N passed, N failed". --fast: in fast contexts, not
   reference ones. --problems: what is not covered is listed, and nothing is run. --page: docs/stablehlo.md,
   where the programs that differ in reference contexts stand with the reason, and for each operation
   how many programs with it pass there; both must be true. */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "webnn_stablehlo.h"

static size_t passed, failed;
static bool only_problems, is_exact;
static webnn_context *context;
static char *page; /* NULL: none */

/* ---- What the page says ---------------------------------------------------------------------- */

enum { MOST_OPERATIONS = 400 };
static size_t with_operation[MOST_OPERATIONS], passed_with[MOST_OPERATIONS];

/* The number of an operation in the reader's table. */
static size_t operation_number(const char *name) {
  size_t i = 0;
  if (strncmp(name, "stablehlo.", 10) == 0)
    name += 10;
  while (i < MOST_OPERATIONS && webnn_stablehlo_operation(i, NULL) &&
         strcmp(webnn_stablehlo_operation(i, NULL), name) != 0)
    i++;
  return i;
}

static void count_operations(const webnn_stablehlo *module, bool good) {
  webnn_stablehlo_operation_count counts[MOST_OPERATIONS];
  const size_t count = webnn_stablehlo_operations(module, counts, MOST_OPERATIONS);
  size_t i;
  for (i = 0; i < count && i < MOST_OPERATIONS; i++) {
    const size_t number = operation_number(counts[i].name);
    if (number < MOST_OPERATIONS) {
      with_operation[number]++;
      passed_with[number] += good;
    }
  }
}

/* Is the program one of those that the page says differ? */
static bool is_listed(const char *name) {
  char row[300];
  snprintf(row, sizeof row, "\n| `%.*s` |", (int)strcspn(name, "."), name);
  return page && strstr(page, row) != NULL;
}

/* The row of each operation that is covered: "| `add` | 248 of 248 |"; "|  |" where no program has it. */
static void check_page(void) {
  size_t i;
  const char *reason;
  for (i = 0; webnn_stablehlo_operation(i, &reason); i++) {
    const char *name = webnn_stablehlo_operation(i, NULL);
    char row[200];
    if (reason)
      snprintf(row, sizeof row, "\n| `%s` | refused |", name);
    else if (with_operation[i])
      snprintf(row, sizeof row, "\n| `%s` | %zu of %zu |", name, passed_with[i], with_operation[i]);
    else
      snprintf(row, sizeof row, "\n| `%s` |  |", name);
    if (strstr(page, row)) {
      passed++;
    } else {
      failed++;
      printf("the page has no row%s\n", row);
    }
  }
}

static void fail(const char *file, const char *what, const char *why) {
  const char *name = strrchr(file, '/');
  name = name ? name + 1 : file;
  if (is_listed(name)) {
    passed++;
    return;
  }
  failed++;
  printf("%s: %s: %s\n", name, what, why);
}

static char *read_file(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  char *text = NULL;
  long size;
  if (!file)
    return NULL;
  if (fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) >= 0 && fseek(file, 0, SEEK_SET) == 0) {
    text = (char *)malloc((size_t)size + 1);
    *length = text ? fread(text, 1, (size_t)size, file) : 0;
    if (text && *length != (size_t)size) {
      free(text);
      text = NULL;
    }
  }
  fclose(file);
  return text;
}

/* Runs a program that takes nothing; its results are thrown away. */
static bool run(webnn_xla_program *program, webnn_error *error) {
  const size_t count = webnn_xla_program_outputs(program, NULL, 0);
  webnn_xla_array *outputs = (webnn_xla_array *)calloc(count + 1, sizeof *outputs);
  bool done = false;
  size_t i;
  if (!outputs)
    return false;
  webnn_xla_program_outputs(program, outputs, count);
  for (i = 0; i < count; i++) {
    outputs[i].byte_length = webnn_xla_byte_length(&outputs[i].shape);
    outputs[i].data = malloc(outputs[i].byte_length + 1);
  }
  if (webnn_xla_program_inputs(program, NULL, 0) != 0) {
    error->status = WEBNN_TYPE_ERROR;
    snprintf(error->message, sizeof error->message, "it has inputs, which nothing gives");
  } else {
    done = webnn_xla_run(program, NULL, 0, outputs, count, error) == WEBNN_OK;
  }
  for (i = 0; i < count; i++)
    free(outputs[i].data);
  free(outputs);
  return done;
}

static void fail_listed(const char *path) {
  failed++;
  printf("%s: is listed as one that differs, but passes\n", path);
}

static bool run_computation(const char *path, const webnn_xla_computation *computation) {
  bool good = false;
  webnn_stablehlo_checks checks;
  webnn_xla_named_function functions[16];
  webnn_xla_program_options options = WEBNN_ZERO;
  webnn_xla_program *program = NULL;
  webnn_error error = WEBNN_ZERO;
  memset(&checks, 0, sizeof checks);
  options.functions = functions;
  options.function_count = webnn_stablehlo_check_functions(&checks, functions, 16);
  if (webnn_xla_compile(context, computation, &options, &program, &error) != WEBNN_OK)
    fail(path, "compile", error.message);
  else if (!run(program, &error))
    fail(path, "run", error.message);
  else if (checks.failed)
    fail(path, "result", checks.message);
  else if (!checks.passed)
    fail(path, "result", "nothing was checked");
  else if (is_exact && is_listed(strrchr(path, '/') ? strrchr(path, '/') + 1 : path))
    fail_listed(path);
  else
    good = true;
  passed += good;
  webnn_xla_free_program(program);
  return good;
}

static void print_problem(void *user, const webnn_stablehlo_problem *problem) {
  (void)user;
  printf("%s: %s: %s\n", problem->place, problem->operation, problem->reason);
}

static void run_file(const char *path) {
  webnn_error error = WEBNN_ZERO;
  size_t length = 0;
  char *text = read_file(path, &length);
  webnn_stablehlo *module;
  const webnn_xla_computation *computation;
  if (!text) {
    fail(path, "file", "cannot be read");
    return;
  }
  module = webnn_stablehlo_read(text, length, path, &error);
  free(text);
  if (!module) {
    fail(path, "read", error.message);
  } else if (only_problems) {
    if (webnn_stablehlo_problems(module, print_problem, NULL))
      failed++;
    else
      passed++;
  } else {
    computation = webnn_stablehlo_function(module, NULL, &error);
    if (computation)
      count_operations(module, run_computation(path, computation));
    else
      fail(path, "build", error.message);
  }
  webnn_stablehlo_free(module);
}

static int is_program(const struct dirent *entry) {
  const size_t length = strlen(entry->d_name);
  return length > 5 && strcmp(entry->d_name + length - 5, ".mlir") == 0;
}

static void run_folder(const char *folder) {
  struct dirent **entries;
  const int count = scandir(folder, &entries, is_program, alphasort);
  int i;
  if (count <= 0)
    fail(folder, "folder", "it has no programs");
  for (i = 0; i < count; i++) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
    free(entries[i]);
    run_file(path);
  }
  if (count >= 0)
    free(entries);
}

int main(int argc, char **argv) {
  webnn_context_options options = WEBNN_ZERO;
  webnn_error error = WEBNN_ZERO;
  size_t page_length = 0;
  int i;
  options.numerics = WEBNN_NUMERICS_REFERENCE;
  options.threads = 1;
  for (i = 1; i < argc && strncmp(argv[i], "--", 2) == 0; i++) {
    if (strcmp(argv[i], "--fast") == 0)
      options.numerics = WEBNN_NUMERICS_FAST;
    else if (strcmp(argv[i], "--problems") == 0)
      only_problems = true;
    else if (strcmp(argv[i], "--page") == 0 && i + 1 < argc)
      page = read_file(argv[++i], &page_length);
    else if (strcmp(argv[i], "--threads") == 0 && i + 1 < argc)
      options.threads = (uint32_t)strtoul(argv[++i], NULL, 10);
    else
      i = argc;
  }
  if (i >= argc) {
    fprintf(stderr,
            "usage: programs [--fast] [--threads N] [--problems] [--page PAGE] FOLDER-or-FILE "
            "...\n");
    return 2;
  }
  is_exact = options.numerics == WEBNN_NUMERICS_REFERENCE;
  if (webnn_create_context(&options, &context, &error) != WEBNN_OK) {
    fprintf(stderr, "%s\n", error.message);
    return 2;
  }
  for (; i < argc; i++) {
    struct stat status;
    if (stat(argv[i], &status) == 0 && S_ISDIR(status.st_mode))
      run_folder(argv[i]);
    else
      run_file(argv[i]);
  }
  webnn_free_context(context);
  if (page && is_exact)
    check_page();
  free(page);
  printf("%zu passed, %zu failed\n", passed, failed);
  return failed ? 1 : 0;
}
