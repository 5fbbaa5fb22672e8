/* What fuzz targets share. A target defines LLVMFuzzerTestOneInput, which begins with fuzz_keep,
   and LLVMFuzzerInitialize, which calls fuzz_find_folder. Without libFuzzer its main is fuzz_main:
   the given files, and then mutations of them, the same for the same seed.

     fuzz_NAME FOLDER ROUNDS|SECONDSs SEED FILE...    the files, and then mutations of them
     fuzz_NAME FOLDER 0 0 FILE...                     the files alone, such as one that failed

   The last input is in FOLDER/input. For libFuzzer: -DFUZZ_LIBFUZZER; the folder is $FUZZ_FOLDER.
 */
#ifndef WEBNN_TEST_FUZZ_H
#define WEBNN_TEST_FUZZ_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *count, char ***arguments);

static const char *fuzz_folder = ".";

static void stop(const char *what, const char *about) {
  fprintf(stderr, "fuzz: %s: %s\n", what, about);
  abort();
}

static void fuzz_find_folder(void) {
  const char *given = getenv("FUZZ_FOLDER");
  fuzz_folder = given ? given : fuzz_folder;
}

static void write_file(const char *path, const void *data, size_t size) {
  FILE *file = fopen(path, "wb");
  if (!file || (size > 0 && fwrite(data, 1, size, file) != size) || fclose(file) != 0)
    stop("cannot be written", path);
}

/* So that the input is still there when the program has stopped. */
static void fuzz_keep(const uint8_t *data, size_t size) {
  char path[1024];
  snprintf(path, sizeof path, "%s/input", fuzz_folder);
  write_file(path, data, size);
}

/* ---- Mutations --------------------------------------------------------------------------------
 */

#ifndef FUZZ_LIBFUZZER

enum { LARGEST = 4096 };

typedef struct fuzz_input {
  uint8_t data[LARGEST + 1];
  size_t size;
} fuzz_input;

static uint64_t random_state;

static size_t below(size_t count) { /* xorshift64* */
  random_state ^= random_state >> 12;
  random_state ^= random_state << 25;
  random_state ^= random_state >> 27;
  return count > 0 ? (size_t)((random_state * 2685821657736338717u) >> 33) % count : 0;
}

/* Puts bytes in place of a part, as far as there is room. */
static void replace(fuzz_input *in, size_t at, size_t length, const void *by, size_t size) {
  if (in->size - length + size > LARGEST)
    return;
  memmove(in->data + at + size, in->data + at + length, in->size - at - length);
  memcpy(in->data + at, by, size);
  in->size += size - length;
}

static void mutate_number(fuzz_input *in) {
  static const char *const numbers[] = {"0",     "1",          "3",  "255", "256",
                                        "65536", "2147483648", "-1", "1e9"};
  size_t at = below(in->size), end;
  const char *number = numbers[below(sizeof numbers / sizeof *numbers)];
  while (at < in->size && (in->data[at] < '0' || in->data[at] > '9'))
    at++;
  for (end = at; end < in->size && in->data[end] >= '0' && in->data[end] <= '9';)
    end++;
  replace(in, at, end - at, number, strlen(number));
}

static void mutate(fuzz_input *in, const fuzz_input *other, const char *const *words) {
  const size_t at = below(in->size + 1), left = in->size - at;
  const size_t length = below(left < 32 ? left + 1 : below(4) ? 32 : left);
  const size_t from = below(other->size + 1);
  const char *word;
  size_t count = 0;
  while (words[count])
    count++;
  word = words[below(count)];
  switch (below(8)) {
  case 0:
    if (left > 0)
      in->data[at] ^= (uint8_t)(1u << below(8));
    break;
  case 1:
    if (left > 0)
      in->data[at] = (uint8_t)below(256);
    break;
  case 2:
    replace(in, at, length, "", 0);
    break;
  case 3:
    replace(in, at, below(2) ? length : 0, word, strlen(word));
    break;
  case 4:
    replace(in, at, below(2) ? length : 0, other->data + from, below(other->size - from + 1));
    break;
  case 5: { /* a part of its own again */
    const fuzz_input copy = *in;
    replace(in, below(in->size + 1), 0, copy.data + at, length);
    break;
  }
  case 6:
    in->size = below(8) ? in->size : at;
    break;
  default:
    mutate_number(in);
  }
}

static fuzz_input *read_inputs(int count, char **paths) {
  fuzz_input *inputs = (fuzz_input *)calloc((size_t)count + 1, sizeof *inputs);
  for (int i = 0; inputs && i < count; i++) {
    FILE *file = fopen(paths[i], "rb");
    if (!file)
      stop("cannot be read", paths[i]);
    inputs[i].size = fread(inputs[i].data, 1, LARGEST, file);
    fclose(file);
  }
  if (!inputs)
    stop("no memory", "");
  return inputs;
}

/* The words, up to a NULL, are put into the inputs; after_files, if any, looks at what the given
   files have done. */
static int fuzz_main(const char *name, const char *const *words, void (*after_files)(size_t files),
                     int count, char **arguments) {
  const bool timed = count > 4 && strchr(arguments[2], 's');
  const double most = count > 4 ? strtod(arguments[2], NULL) : 0.0;
  const size_t files = (size_t)(count - 4);
  const time_t began = time(NULL);
  unsigned long rounds = 0;
  fuzz_input *inputs;
  if (count < 5) {
    fprintf(stderr, "%s FOLDER ROUNDS|SECONDSs SEED FILE...\n", name);
    return 2;
  }
  fuzz_folder = arguments[1];
  random_state = strtoull(arguments[3], NULL, 10) * 2 + 1;
  LLVMFuzzerInitialize(&count, &arguments);
  inputs = read_inputs(count - 4, arguments + 4);
  for (size_t i = 0; i < files; i++)
    LLVMFuzzerTestOneInput(inputs[i].data, inputs[i].size);
  if (after_files)
    after_files(files);
  while (timed ? difftime(time(NULL), began) < most : (double)rounds < most) {
    fuzz_input in = inputs[below(files)];
    for (size_t i = below(4) + 1; i > 0; i--)
      mutate(&in, &inputs[below(files)], words);
    LLVMFuzzerTestOneInput(in.data, in.size);
    rounds++;
  }
  free(inputs);
  fprintf(stderr, "%s: %lu files, %lu mutations\n", name, (unsigned long)files, rounds);
  return 0;
}

#endif
#endif
