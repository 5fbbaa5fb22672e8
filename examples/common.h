/* common.h - what the examples share: stopping with a message, time, a little arithmetic, and
   readers for the simplest file formats there are (IDX, PGM/PPM, WAV; NPY by webnn_weights.h).

   The readers trust nothing they read: a malformed file ends the program with a message that names
   the file and what is wrong with it. Everything here is plain C99 without the math library. */
#ifndef EXAMPLES_COMMON_H
#define EXAMPLES_COMMON_H

#include "webnn.h"
#ifdef USE_VULKAN /* such programs take --vulkan as their first argument, and then use the GPU */
#define WEBNN_VULKAN_IMPLEMENTATION
#include "webnn_vulkan.h"
#endif
#define WEBNN_WEIGHTS_STATIC
#define WEBNN_WEIGHTS_IMPLEMENTATION
#include "headers/webnn_weights.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- Stopping with a message ----------------------------------------------------------------- */

static inline void fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("error: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  exit(EXIT_FAILURE);
}

/* For calls whose failure an example can do nothing about. */
static inline void check(webnn_status status, const webnn_error *error) {
  if (status != WEBNN_OK)
    fail("%s: %s", webnn_status_name(status), error->message);
}

static inline void *allocate(size_t count, size_t size) {
  void *memory = count > SIZE_MAX / size ? NULL : malloc(count * size);
  if (!memory)
    fail("no memory for %.0f bytes", (double)count * (double)size);
  return memory;
}

/* Is the first argument --vulkan? It is taken away. */
static inline bool takes_vulkan(int *argc, char **argv) {
  if (*argc < 2 || strcmp(argv[1], "--vulkan") != 0)
    return false;
  --*argc;
  for (int i = 1; i < *argc; i++)
    argv[i] = argv[i + 1];
  return true;
}

/* On the CPU, or on the best device that Vulkan has. */
static inline webnn_context *open_context(bool on_gpu) {
  webnn_context_options options = WEBNN_ZERO;
  webnn_error error = WEBNN_ZERO;
  webnn_context *context;
#ifdef USE_VULKAN
  options.backend = on_gpu ? webnn_vulkan_backend() : NULL;
#else
  if (on_gpu)
    fail("--vulkan: this program was compiled without -DUSE_VULKAN");
#endif
  check(webnn_create_context(&options, &context, &error), &error);
  return context;
}

/* A float32 tensor that the program writes and reads. */
static inline webnn_tensor *new_tensor(webnn_context *context, webnn_list shape) {
  webnn_error error = WEBNN_ZERO;
  webnn_tensor *tensor;
  webnn_tensor_descriptor descriptor = {WEBNN_FLOAT32, shape, true, true};
  check(webnn_create_tensor(context, descriptor, &tensor, &error), &error);
  return tensor;
}

/* ---- Time and arithmetic --------------------------------------------------------------------- */

/* Seconds from some moment on. Before C11 there is only the processor's time, which counts every
   thread and therefore runs ahead. */
static inline double seconds(void) {
#ifdef TIME_UTC
  struct timespec now;
  if (timespec_get(&now, TIME_UTC) == TIME_UTC)
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
#endif
  return (double)clock() / CLOCKS_PER_SEC;
}

#define PI 3.14159265358979323846

/* By Newton's steps. */
static inline double square_root(double x) {
  if (!(x > 0))
    return 0;
  double y = x > 1 ? x : 1;
  for (double next = (y + x / y) / 2; next < y; next = (y + x / y) / 2)
    y = next;
  return y;
}

/* By the Taylor series, after whole turns are taken away. */
static inline double sine(double x) {
  x -= 2 * PI * (double)(long)(x / (2 * PI));
  double sum = 0, term = x;
  for (int i = 1; i < 40; i += 2) {
    sum += term;
    term *= -x * x / ((i + 1) * (i + 2));
  }
  return sum;
}

static inline double cosine(double x) {
  return sine(x + PI / 2);
}

/* ---- Files as bytes -------------------------------------------------------------------------- */

typedef struct file_reader {
  const char *path;
  unsigned char *bytes; /* the whole file, to be freed */
  size_t size, position;
} file_reader;

static inline file_reader read_file(const char *path) {
  file_reader r = {path, NULL, 0, 0};
  size_t capacity = 0;
  FILE *file = fopen(path, "rb");
  if (!file)
    fail("%s: cannot be opened", path);
  do {
    if (r.size == capacity) {
      capacity = capacity ? capacity * 2 : 1 << 16;
      r.bytes = (unsigned char *)realloc(r.bytes, capacity);
      if (!r.bytes)
        fail("%s: no memory for %.0f bytes", path, (double)capacity);
    }
    r.size += fread(r.bytes + r.size, 1, capacity - r.size, file);
  } while (!feof(file) && !ferror(file));
  if (ferror(file))
    fail("%s: cannot be read", path);
  fclose(file);
  return r;
}

/* "folder/name", to be freed. */
static inline char *path_in(const char *folder, const char *name) {
  size_t length = strlen(folder) + strlen(name) + 2;
  char *path = (char *)allocate(length, 1);
  snprintf(path, length, "%s/%s", folder, name);
  return path;
}

/* The file `folder/name`. */
static inline file_reader read_file_in(const char *folder, const char *name) {
  char *path = path_in(folder, name);
  file_reader r = read_file(path);
  free(path);
  r.path = name;
  return r;
}

/* The next `count` bytes. */
static inline const unsigned char *take(file_reader *r, size_t count) {
  if (count > r->size - r->position)
    fail("%s: ends too early: %.0f bytes are needed at byte %.0f, there are %.0f", r->path,
         (double)count, (double)r->position, (double)(r->size - r->position));
  r->position += count;
  return r->bytes + r->position - count;
}

static inline uint32_t little_endian(const unsigned char *p, int bytes) {
  uint32_t value = 0;
  for (int i = 0; i < bytes; i++)
    value |= (uint32_t)p[i] << (8 * i);
  return value;
}

static inline uint32_t big_endian(const unsigned char *p, int bytes) {
  uint32_t value = 0;
  for (int i = 0; i < bytes; i++)
    value = value << 8 | p[i];
  return value;
}

/* The next `count` little-endian float32 numbers as the machine's own; to be freed. */
static inline float *take_floats(file_reader *r, size_t count) {
  const unsigned char *p = take(r, count > SIZE_MAX / 4 ? SIZE_MAX : count * 4);
  float *numbers = (float *)allocate(count, sizeof *numbers);
  for (size_t i = 0; i < count; i++) {
    uint32_t bits = little_endian(p + 4 * i, 4);
    memcpy(&numbers[i], &bits, 4);
  }
  return numbers;
}

/* Dimensions multiplied, or a message if a file claims more than memory can hold. */
static inline size_t checked_product(const char *path, size_t a, size_t b) {
  if (b != 0 && a > SIZE_MAX / 16 / b)
    fail("%s: claims impossible dimensions", path);
  return a * b;
}

/* ---- NPY: one array (numpy.save) ------------------------------------------------------------- */

/* An NPY file as a constant of a network, in the file's type and shape. */
static inline webnn_operand *npy_constant(webnn_builder *builder, const char *folder,
                                          const char *name) {
  webnn_error error = WEBNN_ZERO;
  webnn_weights *file;
  webnn_weights_tensor array;
  char *path = path_in(folder, name);
  check(webnn_weights_open(path, &file, &error), &error);
  check(webnn_weights_get(file, NULL, WEBNN_WEIGHTS_ANY, &array, &error), &error);
  webnn_operand *constant =
      webnn_constant(builder, array.descriptor, array.data, array.byte_length);
  webnn_weights_free(file); /* the builder has its own copy */
  free(path);
  return constant;
}

/* ---- Pictures -------------------------------------------------------------------------------- */

/* Rows from the top, pixels from the left, channels next to each other, 0 (black) to 1 (white). */
typedef struct picture {
  size_t width, height, channels;
  float *pixels; /* to be freed */
} picture;

/* A number of a PNM file's header, or of its body if that is text; # starts a comment. */
static inline uint32_t pnm_number(file_reader *r) {
  unsigned char c;
  while ((c = *take(r, 1)) == '#' || c == ' ' || (c >= '\t' && c <= '\r'))
    while (c == '#' && *take(r, 1) != '\n')
      continue;
  uint32_t value = 0;
  for (; c >= '0' && c <= '9'; c = *take(r, 1)) {
    value = value * 10 + (uint32_t)(c - '0');
    if (value > 1000000)
      fail("%s: a number is too large at byte %.0f", r->path, (double)r->position);
    if (r->position == r->size) /* the last number of a text body may end the file */
      return value;
  }
  if (c != ' ' && (c < '\t' || c > '\r'))
    fail("%s: expected a number at byte %.0f", r->path, (double)r->position - 1);
  return value;
}

/* PGM and PPM, as bytes (P5, P6) or as text (P2, P3), of 8 or 16 bits. */
static inline picture read_pnm(const char *path) {
  file_reader r = read_file(path);
  const unsigned char *magic = r.size < 2 ? (const unsigned char *)"  " : take(&r, 2);
  if (magic[0] != 'P' || !strchr("2356", magic[1]) || magic[1] == 0)
    fail("%s: not a PGM or PPM picture (P2, P3, P5 or P6)", path);
  bool text = magic[1] < '5';
  picture image = {0, 0, magic[1] == '2' || magic[1] == '5' ? 1 : 3, NULL};
  image.width = pnm_number(&r);
  image.height = pnm_number(&r);
  uint32_t largest = pnm_number(&r);
  if (image.width == 0 || image.height == 0 || largest == 0 || largest > 65535)
    fail("%s: the header's numbers make no sense: %.0f x %.0f pixels up to %.0f", path,
         (double)image.width, (double)image.height, (double)largest);
  size_t count = checked_product(path, image.width * image.channels, image.height);
  int bytes = largest > 255 ? 2 : 1;
  if (count > r.size - r.position)
    fail("%s: too short for %.0f x %.0f pixels", path, (double)image.width, (double)image.height);
  image.pixels = (float *)allocate(count, sizeof *image.pixels);
  for (size_t i = 0; i < count; i++) {
    uint32_t value = text ? pnm_number(&r) : big_endian(take(&r, (size_t)bytes), bytes);
    if (value > largest)
      fail("%s: pixel %.0f is larger than the header allows", path, (double)i);
    image.pixels[i] = (float)value / (float)largest;
  }
  free(r.bytes);
  return image;
}

/* ---- IDX: the format of the MNIST files ------------------------------------------------------ */

typedef struct idx_images {
  size_t count, height, width;
  unsigned char *bytes; /* to be freed */
} idx_images;

/* IDX files begin with two zero bytes. */
static inline bool is_idx_file(const char *path) {
  FILE *file = fopen(path, "rb");
  bool zeros = file && fgetc(file) == 0 && fgetc(file) == 0;
  if (file)
    fclose(file);
  return zeros;
}

static inline idx_images read_idx(const char *path) {
  file_reader r = read_file(path);
  uint32_t magic = r.size < 4 ? 0 : big_endian(take(&r, 4), 4);
  if (magic != 0x00000803 && magic != 0x00000802)
    fail("%s: not an IDX file of images of bytes", path);
  idx_images images = {1, 0, 0, NULL};
  if (magic == 0x00000803)
    images.count = big_endian(take(&r, 4), 4);
  images.height = big_endian(take(&r, 4), 4);
  images.width = big_endian(take(&r, 4), 4);
  size_t pixels = checked_product(path, images.height, images.width);
  size_t size = checked_product(path, images.count, pixels);
  if (size == 0)
    fail("%s: has no images", path);
  const unsigned char *data = take(&r, size);
  images.bytes = (unsigned char *)allocate(size, 1);
  memcpy(images.bytes, data, size);
  free(r.bytes);
  return images;
}

/* ---- WAV: 16-bit, one channel ---------------------------------------------------------------- */

typedef struct sound {
  uint32_t rate;
  size_t count;
  float *samples; /* -1 to 1; to be freed */
} sound;

/* The body of the chunk with this name; *size gets its length. */
static inline const unsigned char *wav_chunk(file_reader *r, const char *name, size_t *size) {
  r->position = 12;
  for (;;) {
    if (r->size - r->position < 8)
      fail("%s: has no chunk \"%s\"", r->path, name);
    const unsigned char *header = take(r, 8);
    *size = little_endian(header + 4, 4);
    if (memcmp(header, name, 4) == 0)
      return take(r, *size);
    take(r, *size);
    if (*size % 2 == 1 && r->position < r->size) /* chunks start at even bytes */
      take(r, 1);
  }
}

static inline sound read_wav(const char *path) {
  file_reader r = read_file(path);
  if (r.size < 12 || memcmp(r.bytes, "RIFF", 4) != 0 || memcmp(r.bytes + 8, "WAVE", 4) != 0)
    fail("%s: not a WAV file", path);
  size_t size;
  const unsigned char *format = wav_chunk(&r, "fmt ", &size);
  if (size < 16 || little_endian(format, 2) != 1 || little_endian(format + 2, 2) != 1 ||
      little_endian(format + 14, 2) != 16)
    fail("%s: not 16-bit PCM with one channel", path);
  sound s = {little_endian(format + 4, 4), 0, NULL};
  const unsigned char *data = wav_chunk(&r, "data", &size);
  s.count = size / 2;
  if (s.count == 0)
    fail("%s: has no samples", path);
  s.samples = (float *)allocate(s.count, sizeof *s.samples);
  for (size_t i = 0; i < s.count; i++) {
    int32_t value = (int32_t)little_endian(data + 2 * i, 2);
    s.samples[i] = (float)(value >= 32768 ? value - 65536 : value) / 32768.0f;
  }
  free(r.bytes);
  return s;
}

static inline void put_little_endian(FILE *file, uint32_t value, int bytes) {
  for (int i = 0; i < bytes; i++)
    fputc((int)(value >> (8 * i) & 255), file);
}

static inline void write_wav(const char *path, const sound *s) {
  FILE *file = fopen(path, "wb");
  if (!file)
    fail("%s: cannot be written", path);
  uint32_t size = (uint32_t)(s->count * 2);
  fputs("RIFF", file);
  put_little_endian(file, size + 36, 4);
  fputs("WAVEfmt ", file);
  put_little_endian(file, 16, 4);
  put_little_endian(file, 1, 2); /* PCM */
  put_little_endian(file, 1, 2); /* channels */
  put_little_endian(file, s->rate, 4);
  put_little_endian(file, s->rate * 2, 4); /* bytes per second */
  put_little_endian(file, 2, 2);           /* bytes per frame */
  put_little_endian(file, 16, 2);
  fputs("data", file);
  put_little_endian(file, size, 4);
  for (size_t i = 0; i < s->count; i++) {
    float scaled = s->samples[i] * 32768.0f;
    scaled = scaled > 32767 ? 32767 : scaled < -32768 ? -32768 : scaled;
    put_little_endian(file, (uint32_t)(int32_t)(scaled + (scaled < 0 ? -0.5f : 0.5f)), 2);
  }
  if (ferror(file) || fclose(file) != 0)
    fail("%s: cannot be written", path);
}

#endif
