/* limits.c - what the machine can do at all, by the smallest loops that reach it. */
#include "bench.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

/* ---- Loops of multiply-adds: each returns how many it did --------------------------------------
 */

typedef double (*loop)(long steps);
static volatile float sink; /* so that results are needed */

/* Twelve independent chains hide the latency of an instruction. */
#define MULTIPLY_ADDS(target, name, vector, zero, STEP, FIRST, elements)                           \
  target static double name(long steps) {                                                          \
    vector x = zero, y = zero, a0 = zero, a1 = zero, a2 = zero, a3 = zero, a4 = zero, a5 = zero,   \
           a6 = zero, a7 = zero, a8 = zero, a9 = zero, a10 = zero, a11 = zero;                     \
    for (long i = 0; i < steps; i++) {                                                             \
      STEP(a0)                                                                                     \
      STEP(a1)                                                                                     \
      STEP(a2) STEP(a3) STEP(a4) STEP(a5) STEP(a6) STEP(a7) STEP(a8) STEP(a9) STEP(a10) STEP(a11)  \
    }                                                                                              \
    sink = FIRST(a0) + FIRST(a1) + FIRST(a2) + FIRST(a3) + FIRST(a4) + FIRST(a5) + FIRST(a6) +     \
           FIRST(a7) + FIRST(a8) + FIRST(a9) + FIRST(a10) + FIRST(a11);                            \
    return (double)steps * 12 * (elements);                                                        \
  }
/* The compiler may not see that the operands are zeros. */
#define HIDE(a) __asm__ volatile("" : "+x"(a));

#if defined(__x86_64__)
#define TARGET(name) __attribute__((target(name)))
#define STEP_512(a) a = _mm512_fmadd_ps(x, y, a);
#define FIRST_512(a) _mm512_cvtss_f32(a)
MULTIPLY_ADDS(TARGET("avx512f"), floats_avx512, __m512, _mm512_set1_ps(sink), STEP_512, FIRST_512,
              16)
#define STEP_256(a) a = _mm256_fmadd_ps(x, y, a);
#define FIRST_256(a) _mm256_cvtss_f32(a)
MULTIPLY_ADDS(TARGET("avx2,fma"), floats_avx2, __m256, _mm256_set1_ps(sink), STEP_256, FIRST_256, 8)
#define STEP_128(a)                                                                                \
  HIDE(x)                                                                                          \
  a = _mm_add_ps(a, _mm_mul_ps(x, y));
#define FIRST_128(a) _mm_cvtss_f32(a)
MULTIPLY_ADDS(TARGET("sse2"), floats_sse, __m128, _mm_set1_ps(sink), STEP_128, FIRST_128, 4)
#define STEP_VNNI(a) a = _mm512_dpbusd_epi32(a, x, y);
#define FIRST_VNNI(a) (float)_mm_cvtsi128_si32(_mm512_castsi512_si128(a))
MULTIPLY_ADDS(TARGET("avx512f,avx512vnni"), integers_avx512, __m512i, _mm512_set1_epi32((int)sink),
              STEP_VNNI, FIRST_VNNI, 64)
#if (defined(__clang__) && __clang_major__ >= 16) || (!defined(__clang__) && __GNUC__ >= 12)
#define HALVES
#define STEP_HALF(a) a = _mm512_fmadd_ph(x, y, a);
#define FIRST_HALF(a) (float)_mm_cvtsi128_si32(_mm512_castsi512_si128(_mm512_castph_si512(a)))
MULTIPLY_ADDS(TARGET("avx512f,avx512fp16"), halves_avx512, __m512h,
              _mm512_castsi512_ph(_mm512_set1_epi32((int)sink)), STEP_HALF, FIRST_HALF, 32)
#endif
#elif defined(__aarch64__)
#define STEP_NEON(a) a = vfmaq_f32(a, x, y);
#define FIRST_NEON(a) vgetq_lane_f32(a, 0)
MULTIPLY_ADDS(, floats_neon, float32x4_t, vdupq_n_f32(sink), STEP_NEON, FIRST_NEON, 4)
#else
#define STEP_SCALAR(a) a += x * (y += a);
#define FIRST_SCALAR(a) a
MULTIPLY_ADDS(, floats_scalar, float, sink, STEP_SCALAR, FIRST_SCALAR, 1)
#endif

#ifdef HALVES
static bool has_half_arithmetic(void) {
  unsigned a, b, c, d;
  return __builtin_cpu_supports("avx512f") && __get_cpuid_count(7, 0, &a, &b, &c, &d) &&
         (d >> 23 & 1);
}
#endif

/* NULL where no instruction for the type is known. */
static loop loop_of(webnn_data_type type) {
#if defined(__x86_64__)
  if (type == WEBNN_INT8)
    return __builtin_cpu_supports("avx512vnni") ? integers_avx512 : NULL;
#ifdef HALVES
  if (type == WEBNN_FLOAT16 && has_half_arithmetic())
    return halves_avx512;
#endif
  if (__builtin_cpu_supports("avx512f"))
    return floats_avx512;
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? floats_avx2 : floats_sse;
#elif defined(__aarch64__)
  return type == WEBNN_INT8 ? NULL : floats_neon;
#else
  return type == WEBNN_INT8 ? NULL : floats_scalar;
#endif
}

/* ---- On several threads ------------------------------------------------------------------------
 */

typedef struct job {
  void (*work)(struct job *j);
  loop multiply_adds;
  long steps;
  double done;
  char *from, *to;
  size_t copied, read, written; /* bytes: first copied, then some more only read or written */
  bool streaming;               /* stores that go round the caches */
  pthread_barrier_t *barrier;
} job;

static void *thread_main(void *argument) {
  job *j = (job *)argument;
  pthread_barrier_wait(j->barrier);
  j->work(j);
  pthread_barrier_wait(j->barrier);
  return NULL;
}

/* Seconds until all have finished; this thread does the first job. */
static double run_jobs(job *jobs, uint32_t threads) {
  pthread_t *others = (pthread_t *)allocate(threads * sizeof *others);
  pthread_barrier_t barrier;
  pthread_barrier_init(&barrier, NULL, threads);
  for (uint32_t i = 0; i < threads; i++)
    jobs[i].barrier = &barrier;
  for (uint32_t i = 1; i < threads; i++)
    if (pthread_create(&others[i], NULL, thread_main, &jobs[i]) != 0)
      fail("no thread");
  pthread_barrier_wait(&barrier);
  double start = seconds();
  jobs[0].work(&jobs[0]);
  pthread_barrier_wait(&barrier);
  double time = seconds() - start;
  for (uint32_t i = 1; i < threads; i++)
    pthread_join(others[i], NULL);
  pthread_barrier_destroy(&barrier);
  free(others);
  return time;
}

static void multiply_adds_work(job *j) {
  j->done = j->multiply_adds(j->steps);
}

static double measured_peak(webnn_data_type type, uint32_t threads) {
  loop l = loop_of(type);
  double best = 0;
  job *jobs = (job *)allocate(threads * sizeof *jobs);
  for (int pass = 0; l && pass < 24; pass++) {
    double done = 0;
    for (uint32_t i = 0; i < threads; i++)
      jobs[i] = (job){.work = multiply_adds_work, .multiply_adds = l, .steps = 500000};
    double time = run_jobs(jobs, threads);
    for (uint32_t i = 0; i < threads; i++)
      done += jobs[i].done;
    best = done / time > best ? done / time : best;
  }
  free(jobs);
  return best;
}

#define MAX_THREADS 64

double peak_multiply_adds(webnn_data_type type, uint32_t threads) {
  static double known[WEBNN_UINT4 + 1][MAX_THREADS];
  if (threads >= MAX_THREADS)
    return measured_peak(type, threads);
  if (known[type][threads] == 0)
    known[type][threads] = measured_peak(type, threads);
  return known[type][threads];
}

/* ---- Memory ------------------------------------------------------------------------------------
 */

static void copy_streaming(char *to, const char *from, size_t size) {
#if defined(__x86_64__)
  for (size_t i = 0; i < size; i += 16)
    _mm_stream_si128((__m128i *)(void *)(to + i),
                     _mm_load_si128((const __m128i *)(const void *)(from + i)));
  _mm_sfence();
#else
  memcpy(to, from, size);
#endif
}

/* Something of all the bytes, by the widest loads. */
#if defined(__x86_64__)
TARGET("avx2") static uint64_t read_avx2(const char *from, size_t size) {
  __m256i a = _mm256_setzero_si256(), b = a, c = a, d = a;
  const __m256i *p = (const __m256i *)(const void *)from;
  for (size_t i = 0; i + 4 <= size / 32; i += 4) {
    a = _mm256_or_si256(a, _mm256_load_si256(p + i));
    b = _mm256_or_si256(b, _mm256_load_si256(p + i + 1));
    c = _mm256_or_si256(c, _mm256_load_si256(p + i + 2));
    d = _mm256_or_si256(d, _mm256_load_si256(p + i + 3));
  }
  a = _mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d));
  return (uint64_t)_mm_cvtsi128_si64(_mm256_castsi256_si128(a));
}
#endif

typedef uint64_t words __attribute__((vector_size(16)));

static uint64_t read_all(const char *from, size_t size) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2"))
    return read_avx2(from, size);
#endif
  words a = {0}, b = a, c = a, d = a;
  const words *p = (const words *)(const void *)from;
  for (size_t i = 0; i + 4 <= size / 16; i += 4) {
    a |= p[i];
    b |= p[i + 1];
    c |= p[i + 2];
    d |= p[i + 3];
  }
  a |= b | c | d;
  return a[0];
}

static void memory_work(job *j) {
  for (long i = 0; i < j->steps; i++) {
    if (j->streaming)
      copy_streaming(j->to, j->from, j->copied);
    else
      memcpy(j->to, j->from, j->copied);
    sink = (float)read_all(j->from + j->copied, j->read);
    memset(j->to + j->copied, (int)i, j->written);
  }
}

double memory_seconds(double read, double written, uint32_t threads) {
  size_t r = (size_t)(read / threads / 64) * 64, w = (size_t)(written / threads / 64) * 64;
  size_t both = r < w ? r : w;
  double best = 0;
  job *jobs = (job *)allocate(threads * sizeof *jobs);
  long steps = (long)(2e7 / (double)(r + w + 1)) + 1;
  for (uint32_t i = 0; i < threads; i++)
    jobs[i] = (job){.work = memory_work,
                    .steps = steps,
                    .from = (char *)allocate(r),
                    .to = (char *)allocate(w),
                    .copied = both,
                    .read = r - both,
                    .written = w - both};
  for (int pass = 0; pass < 12; pass++) {
    for (uint32_t i = 0; i < threads; i++)
      jobs[i].streaming = pass % 2 == 1;
    double time = run_jobs(jobs, threads) / (double)steps;
    best = best == 0 || time < best ? time : best;
  }
  for (uint32_t i = 0; i < threads; i++) {
    free(jobs[i].from);
    free(jobs[i].to);
  }
  free(jobs);
  return best;
}

/* ---- A graph -----------------------------------------------------------------------------------
 */

double graph_limit(const graph *g, uint32_t threads) {
  cost c = graph_cost(g);
  if (on_vulkan()) /* the peaks of types other than float32 are not known: memory alone limits them */
    return fmax(c.type == WEBNN_FLOAT32 ? c.multiply_adds / vulkan_multiply_adds() : 0,
                (c.read + c.written) / vulkan_bandwidth());
  double peak = peak_multiply_adds(c.type, threads);
  double operations = peak > 0 ? c.multiply_adds / peak : 0;
  return fmax(operations, memory_seconds(c.read, c.written, threads));
}
