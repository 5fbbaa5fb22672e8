/* Mutated ONNX models through webnn_onnx.h, for the sanitizers: bytes are changed, cut out, repeated and
   exchanged between models, and what can still be read is built. With ONNX_LIBFUZZER only the entry
   for libFuzzer is here; otherwise

     onnx_fuzz SECONDS SEED MODEL.onnx ... */
#if !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif
#define WEBNN_IMPLEMENTATION
#include "webnn.h"
#define WEBNN_ONNX_IMPLEMENTATION
#include "../../examples/networks/webnn_onnx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static size_t built, refused;

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
  static webnn_context *context;
  webnn_onnx_options options = WEBNN_ZERO;
  webnn_context_options reference = WEBNN_ZERO;
  webnn_onnx_model *model = NULL;
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO;
  const char *problems[4];
  if (context == NULL) {
    reference.numerics = WEBNN_NUMERICS_REFERENCE;
    reference.threads = 1;
    reference.max_tensor_byte_length = 1 << 18;
    (void)webnn_create_context(&reference, &context, &error);
  }
  options.max_iterations = 8;
  options.float64_as_float32 = length % 2 == 0;
  if (webnn_onnx_read(bytes, length, NULL, &options, &model, &error) == WEBNN_OK &&
      webnn_onnx_build(model, context, &graph, &error) == WEBNN_OK) {
    built++;
  } else {
    refused++;
    if (error.message[0] == '\0') {
      abort();
    }
    (void)webnn_onnx_problems(model, problems, 4);
  }
  webnn_free_graph(graph);
  webnn_onnx_free(model);
  return 0;
}

#ifndef ONNX_LIBFUZZER

#define MAX_LENGTH 65536

typedef struct seed {
  uint8_t *bytes;
  size_t length;
} seed;

static uint64_t state;

static uint32_t next_random(uint32_t below) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(state >> 33) % (below == 0 ? 1 : below);
}

static bool read_seed(const char *path, seed *s) {
  FILE *stream = fopen(path, "rb");
  if (stream == NULL) {
    return false;
  }
  s->bytes = (uint8_t *)malloc(MAX_LENGTH);
  s->length = s->bytes == NULL ? 0 : fread(s->bytes, 1, MAX_LENGTH, stream);
  (void)fclose(stream);
  return s->length != 0 && s->length < MAX_LENGTH / 2;
}

/* One change of the bytes, which have room for twice their length. */
static size_t change(uint8_t *bytes, size_t length, const seed *other) {
  static const uint8_t special[] = {0, 1, 2, 127, 128, 255};
  const size_t at = next_random((uint32_t)length), size = next_random(16) + 1;
  const size_t from = next_random((uint32_t)other->length);
  switch (next_random(5)) {
  case 0:
    bytes[at] = (uint8_t)next_random(256);
    return length;
  case 1:
    bytes[at] = special[next_random(sizeof special)];
    return length;
  case 2: /* cut out */
    if (at + size < length) {
      memmove(bytes + at, bytes + at + size, length - at - size);
      return length - size;
    }
    return length;
  case 3: /* repeat */
    if (length + size < MAX_LENGTH && at + size < length) {
      memmove(bytes + at + size, bytes + at, length - at);
      return length + size;
    }
    return length;
  default: /* from the other */
    if (at + size < length && from + size < other->length) {
      memcpy(bytes + at, other->bytes + from, size);
    }
    return length;
  }
}

int main(int argc, char **argv) {
  const time_t end = time(NULL) + (argc > 1 ? strtol(argv[1], NULL, 10) : 10);
  seed *seeds;
  size_t count = 0, runs = 0;
  int i;
  state = argc > 2 ? (uint64_t)strtoll(argv[2], NULL, 10) : 1;
  seeds = (seed *)calloc((size_t)argc + 1, sizeof *seeds);
  for (i = 3; i < argc && seeds != NULL; i++) {
    count += read_seed(argv[i], &seeds[count]);
  }
  if (seeds == NULL || count == 0) {
    puts("onnx_fuzz SECONDS SEED MODEL.onnx ...");
    return 2;
  }
  while (time(NULL) < end) {
    const seed *s = &seeds[next_random((uint32_t)count)];
    uint8_t *bytes = (uint8_t *)malloc(MAX_LENGTH), *exact;
    size_t length = s->length;
    uint32_t changes = next_random(6) + 1;
    if (bytes == NULL) {
      return 2;
    }
    memcpy(bytes, s->bytes, s->length);
    while (changes-- > 0) {
      length = change(bytes, length, &seeds[next_random((uint32_t)count)]);
    }
    exact = (uint8_t *)malloc(length + (length == 0)); /* its end is the sanitizer's */
    if (exact != NULL) {
      memcpy(exact, bytes, length);
      (void)LLVMFuzzerTestOneInput(exact, length);
    }
    free(exact);
    free(bytes);
    runs++;
  }
  for (i = 0; (size_t)i < count; i++) {
    free(seeds[i].bytes);
  }
  free(seeds);
  printf("%u models: %u built, %u refused\n", (unsigned)runs, (unsigned)built, (unsigned)refused);
  return runs == 0;
}

#endif
