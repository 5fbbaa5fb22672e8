/* What the test programs share: counters, checks that print only failures, contexts and builders,
   elements of every data type as doubles, a fixed random generator, distances between floats. */
#ifndef WEBNN_TEST_H
#define WEBNN_TEST_H

#if !defined(WEBNN_IMPLEMENTATION) && !defined(WEBNN_TEST_LINKED)
#define WEBNN_IMPLEMENTATION
#endif
#define WEBNN_OPERATOR_TABLE
#include "webnn.h"
#ifdef WEBNN_TEST_VULKAN /* contexts but those with reference numerics are on the GPU */
#ifndef WEBNN_TEST_LINKED
#define WEBNN_VULKAN_IMPLEMENTATION
#endif
#include "webnn_vulkan.h"
#endif

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int test_passed, test_failed, test_skipped;

/* The command that repeats what is being tried now, "" if none is known; printed once, below the first
   failure. A program that draws its cases says it before each: test_repeat("build/passes 1 %lu", seed). */
static char test_repeat_command[256];

static inline void test_repeat(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(test_repeat_command, sizeof test_repeat_command, format, arguments);
  va_end(arguments);
}

static inline void test_print_repeat(void) {
  if (test_repeat_command[0] != '\0') {
    printf("  repeat with: %s\n", test_repeat_command);
    test_repeat_command[0] = '\0';
  }
}

static inline void test_fail(const char *name, const char *format, va_list arguments) {
  test_failed++;
  printf("%s: ", name);
  vprintf(format, arguments);
  printf("\n");
  test_print_repeat();
}

/* Counts one check; a failed one is printed with its name and the explanation. */
static inline bool test_check(bool ok, const char *name, const char *format, ...) {
  va_list arguments;
  if (ok) {
    test_passed++;
    return true;
  }
  va_start(arguments, format);
  test_fail(name, format, arguments);
  va_end(arguments);
  return false;
}

/* The same of a step on the way to what is checked: counts only where it fails. */
static inline bool test_must(bool ok, const char *name, const char *format, ...) {
  va_list arguments;
  if (!ok) {
    va_start(arguments, format);
    test_fail(name, format, arguments);
    va_end(arguments);
  }
  return ok;
}
#define MUST(name, condition, ...) test_must((condition), (name), __VA_ARGS__)
/* CHECK("conv2d/7", condition, "expected %d, got %d", ...) */
#define CHECK(name, condition, ...) test_check((condition), (name), __VA_ARGS__)

/* A case that looks at many things, an array's elements above all, and counts once:

     test_group c = test_group_begin("conv2d/7");
     for (i = 0; i < count; i++)
       SEE(&c, y[i] == z[i], "element %lu is %g, not %g", (unsigned long)i, y[i], z[i]);
     test_group_end(&c);

   Prints the first things that are wrong, and of more only how many. */
typedef struct test_group {
  const char *name;
  size_t seen, wrong;
} test_group;
#define TEST_WRONG_PRINTED 4

static inline test_group test_group_begin(const char *name) {
  test_group c = WEBNN_ZERO;
  c.name = name;
  return c;
}

static inline bool test_group_see(test_group *c, bool ok, const char *format, ...) {
  va_list arguments;
  c->seen++;
  if (!ok && ++c->wrong <= TEST_WRONG_PRINTED) {
    printf("%s: ", c->name);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n");
  }
  return ok;
}
#define SEE(group, condition, ...) test_group_see((group), (condition), __VA_ARGS__)

/* True if nothing was wrong. A case that saw nothing fails: it cannot have found anything. */
static inline bool test_group_end(const test_group *c) {
  if (c->seen != 0 && c->wrong == 0) {
    test_passed++;
    return true;
  }
  test_failed++;
  if (c->seen == 0) {
    printf("%s: nothing was compared\n", c->name);
  } else if (c->wrong > TEST_WRONG_PRINTED) {
    printf("%s: %lu of %lu wrong\n", c->name, (unsigned long)c->wrong, (unsigned long)c->seen);
  }
  test_print_repeat();
  return false;
}

static inline void test_skip(const char *name, const char *reason) {
  test_skipped++;
  printf("%s: skipped: %s\n", name, reason);
}

/* The last line and the exit status of a test program. */
static inline int test_end(void) {
  printf("%d passed, %d failed, %d skipped\n", test_passed, test_failed, test_skipped);
  return test_failed != 0;
}

static inline void *test_allocate(size_t size) {
  void *memory = calloc(size ? size : 1, 1);
  if (!memory) {
    printf("out of memory\n");
    exit(1);
  }
  return memory;
}

/* Moves contexts to the GPU if that is what is tested: without robust access to buffers, so that an
   index that is too large does not go unseen. */
#ifdef WEBNN_TEST_VULKAN
static inline void test_choose_backend(webnn_context_options *options) {
  static webnn_vulkan_options on_gpu;
  if (options->backend == NULL && options->numerics != WEBNN_NUMERICS_REFERENCE) {
    on_gpu.not_robust = true;
    options->backend = webnn_vulkan_backend();
    options->backend_options = &on_gpu;
  }
}
void test_see_kernels_inside(webnn_context *context); /* of vulkan/library.c */
#ifdef WEBNN_TEST_LINKED
static inline void test_see_kernels(webnn_context *context) {
  test_see_kernels_inside(context);
}
#else
#include "../vulkan/kernel_files.h"
static inline void test_see_kernels(webnn_context *context) {
  if (context->backend == webnn_vulkan_backend()) {
    use_kernel_files(context);
  }
}
#endif
#else
static inline void test_choose_backend(webnn_context_options *options) {
  (void)options;
}
static inline void test_see_kernels(webnn_context *context) {
  (void)context;
}
#endif

/* Without a context or a builder there is nothing to test. */
static inline webnn_context *test_context(const webnn_context_options *options) {
  webnn_context *context = NULL;
  webnn_error error = WEBNN_ZERO;
  webnn_context_options all = WEBNN_ZERO;
  if (options != NULL) {
    all = *options;
  }
  test_choose_backend(&all);
  if (webnn_create_context(&all, &context, &error) != WEBNN_OK) {
    printf("no context: %s\n", error.message);
    exit(1);
  }
  test_see_kernels(context);
  return context;
}

static inline webnn_builder *test_builder(webnn_context *context) {
  webnn_builder *builder = NULL;
  webnn_error error = WEBNN_ZERO;
  if (webnn_create_builder(context, &builder, &error) != WEBNN_OK) {
    printf("no builder: %s\n", error.message);
    exit(1);
  }
  return builder;
}

/* How many items of a list are there: its count may be larger. */
static inline size_t test_item_count(webnn_list list) {
  return list.count < WEBNN_MAX_RANK ? list.count : WEBNN_MAX_RANK;
}

static inline size_t test_element_count(webnn_list shape) {
  size_t count = 1, i;
  for (i = 0; i < test_item_count(shape); i++)
    count *= shape.items[i];
  return count;
}

static inline bool test_same_list(webnn_list a, webnn_list b) {
  return a.count == b.count && memcmp(a.items, b.items, test_item_count(a) * sizeof *a.items) == 0;
}

/* "[2, 3]"; two texts may be in use at once. */
static inline const char *test_shape_text(webnn_list shape) {
  static char texts[2][128];
  static int turn;
  char *text = texts[turn ^= 1];
  size_t i;
  int used = snprintf(text, sizeof texts[0], "[");
  for (i = 0; i < test_item_count(shape) && used < 100; i++)
    used += snprintf(text + used, sizeof texts[0] - (size_t)used, i ? ", %lu" : "%lu",
                     (unsigned long)shape.items[i]);
  snprintf(text + used, sizeof texts[0] - (size_t)used, shape.count > i ? ", ...]" : "]");
  return text;
}

static inline bool test_is_float(webnn_data_type type) {
  return type == WEBNN_FLOAT32 || type == WEBNN_FLOAT16;
}

/* Element i as a double (64-bit integers beyond 2^53 are rounded). Not for 4-bit types. */
static inline double test_get(webnn_data_type type, const void *data, size_t i) {
  switch (type) {
  case WEBNN_FLOAT32:
    return (double)((const float *)data)[i];
  case WEBNN_FLOAT16:
    return (double)webnn_float16_to_float32(((const uint16_t *)data)[i]);
  case WEBNN_INT32:
    return (double)((const int32_t *)data)[i];
  case WEBNN_UINT32:
    return (double)((const uint32_t *)data)[i];
  case WEBNN_INT64:
    return (double)((const int64_t *)data)[i];
  case WEBNN_UINT64:
    return (double)((const uint64_t *)data)[i];
  case WEBNN_INT8:
    return (double)((const int8_t *)data)[i];
  default:
    return (double)((const uint8_t *)data)[i];
  }
}

/* Stores a value. Floats are rounded, of unsigned types what is below 0 is 0, 8 bits saturate; else
   the type can hold it. Not for 4-bit types. */
static inline void test_set(webnn_data_type type, void *data, size_t i, double value) {
  switch (type) {
  case WEBNN_FLOAT32:
    ((float *)data)[i] = (float)value;
    break;
  case WEBNN_FLOAT16:
    ((uint16_t *)data)[i] = webnn_float32_to_float16((float)value);
    break;
  case WEBNN_INT32:
    ((int32_t *)data)[i] = (int32_t)value;
    break;
  case WEBNN_UINT32:
    ((uint32_t *)data)[i] = value > 0 ? (uint32_t)value : 0;
    break;
  case WEBNN_INT64:
    ((int64_t *)data)[i] = (int64_t)value;
    break;
  case WEBNN_UINT64:
    ((uint64_t *)data)[i] = value > 0 ? (uint64_t)value : 0;
    break;
  case WEBNN_INT8:
    ((int8_t *)data)[i] = (int8_t)(value < -128 ? -128 : value > 127 ? 127 : value);
    break;
  default:
    ((uint8_t *)data)[i] = (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
    break;
  }
}

/* A xorshift64* generator: the same numbers on every machine. */
static inline uint64_t test_random(uint64_t *state) {
  uint64_t x = *state;
  x ^= x >> 12;
  x ^= x << 25;
  x ^= x >> 27;
  *state = x;
  return x * UINT64_C(0x2545F4914F6CDD1D);
}

/* Evenly from [low, high). */
static inline double test_random_between(uint64_t *state, double low, double high) {
  double unit = (double)(test_random(state) >> 11) / 9007199254740992.0;
  return low + (high - low) * unit;
}

#endif
