/* Wrong text for webnn_stablehlo.h: modules with one mistake and the exact message for it; and the modules
   of a folder cut off at each byte, and with bytes replaced, which must give a module or a message
   with a place, whatever the sanitizers say besides.

       malformed FOLDER [SEED [ROUNDS]] */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "webnn_stablehlo.h"

static size_t passed, failed;

static void check(bool good, const char *name, const char *message) {
  if (good) {
    passed++;
    return;
  }
  failed++;
  printf("%s: %s\n", name, message);
}

/* ---- Mistakes and their messages ------------------------------------------------------------- */

#define HEAD "func.func @main(%a: tensor<2xf32>, %i: tensor<i32>) -> tensor<2xf32> {\n"
#define TAIL "\nreturn %a : tensor<2xf32>\n}\n"
#define IN(operation) HEAD operation TAIL

typedef struct mistake {
  const char *text, *message;
} mistake;

static const mistake mistakes[] = {
#include "malformed_mistakes.inc"
};

static void check_mistake(const mistake *m) {
  webnn_error error = WEBNN_ZERO;
  webnn_stablehlo *module = webnn_stablehlo_read(m->text, strlen(m->text), "t", &error);
  if (module && webnn_stablehlo_function(module, NULL, &error))
    snprintf(error.message, sizeof error.message, "no mistake was found");
  check(strcmp(error.message, m->message) == 0, m->message, error.message);
  webnn_stablehlo_free(module);
}

/* ---- Damaged modules ------------------------------------------------------------------------- */

static void count_problem(void *user, const webnn_stablehlo_problem *problem) {
  size_t *count = (size_t *)user;
  if (strncmp(problem->place, "t:", 2) == 0 && problem->reason[0] && problem->operation[0])
    ++*count;
}

/* Reads and records; every failure must say where it is. */
static void check_text(const char *text, size_t length, const char *name) {
  webnn_error error = WEBNN_ZERO;
  webnn_stablehlo *module = webnn_stablehlo_read(text, length, "t", &error);
  char message[640];
  unsigned line = 0, column = 0;
  size_t told = 0, problems;
  if (!module) {
    snprintf(message, sizeof message, "%zu bytes: no place in '%s'", length, error.message);
    check(sscanf(error.message, "t:%u:%u: ", &line, &column) == 2 && line && column, name, message);
    return;
  }
  problems = webnn_stablehlo_problems(module, count_problem, &told);
  snprintf(message, sizeof message, "%zu bytes: %zu problems, of which %zu are told", length,
           problems, told);
  check(problems == told, name, message);
  if (!webnn_stablehlo_function(module, NULL, &error)) {
    snprintf(message, sizeof message, "%zu bytes: no message, or no problem: '%s'", length,
             error.message);
    check(error.message[0] && (problems || strstr(error.message, "there is no function") ||
                               strstr(error.message, "has no body")),
          name, message);
  } else {
    passed++;
  }
  webnn_stablehlo_free(module);
}

static unsigned long long state;

static size_t random_below(size_t count) {
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return (size_t)((state >> 33) % count);
}

/* A copy with some bytes replaced: by others, by marks of the language, or by bytes from elsewhere in the
   text. */
static void damage(const char *text, size_t length, const char *name) {
  static const char marks[] = "<>(){}[]:,=%#@!\"-x0123456789?^. \n";
  /* Without room behind it, so that a sanitizer sees what reads on. */
  char *copy = (char *)malloc(length);
  size_t times = 1 + random_below(4);
  if (!copy)
    return;
  memcpy(copy, text, length);
  while (times--) {
    const size_t at = random_below(length);
    const size_t from = random_below(length);
    size_t count = 1 + random_below(12);
    if (count > length - at)
      count = length - at;
    if (count > length - from)
      count = length - from;
    switch (random_below(3)) {
    case 0:
      copy[at] = (char)random_below(256);
      break;
    case 1:
      copy[at] = marks[random_below(sizeof marks - 1)];
      break;
    default:
      memcpy(copy + at, text + from, count);
    }
  }
  check_text(copy, length, name);
  free(copy);
}

static void check_file(const char *folder, const char *name, size_t rounds) {
  static char text[1 << 16];
  char path[4096], *part;
  FILE *file;
  size_t length, i;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  file = fopen(path, "rb");
  if (!file) {
    check(false, path, "cannot be read");
    return;
  }
  length = fread(text, 1, sizeof text, file);
  fclose(file);
  check(length && length < sizeof text, path, "has no bytes, or too many");
  for (i = 0; i <= length; i++) {
    part = (char *)malloc(i ? i : 1);
    if (!part)
      continue;
    memcpy(part, text, i);
    check_text(part, i, name);
    free(part);
  }
  for (i = 0; length && i < rounds; i++)
    damage(text, length, name);
}

static int is_program(const struct dirent *entry) {
  const size_t length = strlen(entry->d_name);
  return length > 5 && strcmp(entry->d_name + length - 5, ".mlir") == 0;
}

/* Text that nests, and numbers and lists that are large. */
static void check_extremes(void) {
  static const char *const parts[] = {
      "tensor<",
      "tuple<",
      "[",
      "{a = ",
      "(",
      "module {",
      "({",
      "!quant.uniform<i8<",
      "#stablehlo<a = ",
      "dense<[",
      "array<",
      "tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x"
      "1x1x1x1x1x1x1x1x1x1x1x1x1xf32>,",
      "\"stablehlo.if\"(%i) ({",
      "-",
      "0x",
      "9999999999999999999999"};
  static const char *const heads[] = {"",
                                      "#a = ",
                                      "!a = ",
                                      "module attributes {a = ",
                                      "func.func @main(%i: tensor<i1>) {\n",
                                      "func.func @main(%a: "};
  static char text[1 << 16];
  size_t i, k, n;
  for (i = 0; i < sizeof heads / sizeof heads[0]; i++)
    for (k = 0; k < sizeof parts / sizeof parts[0]; k++) {
      size_t length = (size_t)snprintf(text, sizeof text, "%s", heads[i]);
      for (n = 0; n < 2000 && length < sizeof text - 200; n++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s", parts[k]);
      check_text(text, length, parts[k]);
    }
}

int main(int argc, char **argv) {
  struct dirent **entries;
  size_t i, rounds;
  int count, k;
  if (argc < 2) {
    fprintf(stderr, "usage: malformed FOLDER [SEED [ROUNDS]]\n");
    return 2;
  }
  state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
  rounds = argc > 3 ? (size_t)strtoul(argv[3], NULL, 10) : 2000;
  for (i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++)
    check_mistake(&mistakes[i]);
  check_extremes();
  count = scandir(argv[1], &entries, is_program, alphasort);
  check(count > 0, argv[1], "it has no programs");
  for (k = 0; k < count; k++) {
    check_file(argv[1], entries[k]->d_name, rounds);
    free(entries[k]);
  }
  if (count >= 0)
    free(entries);
  printf("%zu passed, %zu failed\n", passed, failed);
  return failed ? 1 : 0;
}
