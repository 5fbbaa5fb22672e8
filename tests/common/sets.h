/* Contexts of each instruction set. A set that the library was asked to have compiled in, and that
   this processor has, must be there: a library compiled without it would leave its kernels untested. */
#ifndef WEBNN_TEST_SETS_H
#define WEBNN_TEST_SETS_H

#include "test.h"

static inline const char *test_set_name(int set) {
  static const char *const names[] = {"best",    "scalar", "SSE2",     "AVX2",
                                      "AVX-512", "NEON",   "WASM SIMD"};
  return names[set];
}

/* Its kernels fuse multiply-adds. */
static inline bool test_set_fuses(int set) {
  return set == WEBNN_ISA_AVX2 || set == WEBNN_ISA_AVX512 || set == WEBNN_ISA_NEON;
}

static inline bool test_set_is_expected(int set) {
#if !defined(WEBNN_INSTRUCTION_SETS) || defined(WEBNN_NO_FAST_KERNELS)
  return set == WEBNN_ISA_BEST;
#else
  const bool asked = set == WEBNN_ISA_BEST || ((WEBNN_INSTRUCTION_SETS) >> (set - 1) & 1) != 0;
#ifdef WEBNN_NO_SIMD
  return asked && set <= WEBNN_ISA_SCALAR;
#elif defined(__x86_64__) && defined(__GNUC__)
  __builtin_cpu_init();
  return asked && (set <= WEBNN_ISA_SSE2 ||
                   (set == WEBNN_ISA_AVX2 && __builtin_cpu_supports("avx2") &&
                    __builtin_cpu_supports("fma")) ||
                   (set == WEBNN_ISA_AVX512 && __builtin_cpu_supports("avx512vl") &&
                    __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq")));
#elif defined(__aarch64__) && !defined(__ARM_BIG_ENDIAN)
  return asked && (set <= WEBNN_ISA_SCALAR || set == WEBNN_ISA_NEON);
#elif defined(__wasm_simd128__)
  return asked && (set <= WEBNN_ISA_SCALAR || set == WEBNN_ISA_WASM_SIMD);
#else
  return asked && set <= WEBNN_ISA_SCALAR;
#endif
#endif
}

/* The processor has dot products of bytes beside this set, as the compiler's library or the system
   says; false where neither does. */
static inline bool test_has_dot4(int set) {
#if defined(__x86_64__) && defined(__GNUC__)
  __builtin_cpu_init();
#if !defined(__clang__) && __GNUC__ >= 12
  if (set == WEBNN_ISA_AVX2) {
    return __builtin_cpu_supports("avxvnni") != 0;
  }
#endif
  return set == WEBNN_ISA_AVX512 && __builtin_cpu_supports("avx512vnni") != 0;
#else
  return set < 0;
#endif
}

/* A context with these options, or NULL where there is none of options->instruction_set. */
static inline webnn_context *test_set_context(const webnn_context_options *options) {
  const int set = (int)options->instruction_set;
  webnn_error error = WEBNN_ZERO;
  webnn_context *context = NULL;
  if (webnn_create_context(options, &context, &error) == WEBNN_OK) {
    return context;
  }
  CHECK("instruction sets", !test_set_is_expected(set), "%s: %s", test_set_name(set),
        error.message);
  return NULL;
}

#endif
