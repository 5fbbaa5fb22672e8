/* Every float32 input of every function of one argument: 2^32 results each, compared with an
   independent evaluation. The referee is the C library's long double function (x87: 64 bits, error
   below 2^-60 of the value) or a formula made from those; where its rounding to float32 is in
   doubt, and on a random sample besides, MPFR decides with 200 bits. So the judge shares neither
   algorithm nor code with the header.

     exact_all FUNCTION [FIRST COUNT]    blocks of 2^24 inputs, 0 ... 255; both halves of the signs
     exact_all list                      the functions
     exact_all table                     the rows of docs/numerics.md, of the functions that are done

   Appends a line for each block to the log, build/exact_all.log or $EXACT_LOG: function, block,
   inputs, wrong results, results that MPFR decided, the smallest distance from a midpoint met (as a
   power of two of the value, among those that MPFR decided), seconds. A block in the log is not run
   again, so the work can be interrupted. */
#define WEBNN_IMPLEMENTATION
#include "webnn.h"
#include <stdio.h>
#if !defined(WEBNN_HAVE_MPFR) || !defined(__x86_64__)
int main(void) {
  printf("exact_all: skipped: it needs MPFR and the long double of x86-64\n");
  printf("0 passed, 0 failed, 1 skipped\n");
  return 0;
}
#else
#include <math.h>
#include <mpfr.h>
#include <time.h>

#define BLOCK ((uint32_t)1 << 24)
#define DOUBT 0x1p-56L /* the referee's error is below this share of the value */

typedef struct function {
  const char *name;
  webnn_op op;
  long double (*referee)(long double x);
  void (*judge)(mpfr_t y, mpfr_t x);
  float alpha, beta; /* the defaults of the options, where there are any */
} function;

/* ---- Referees, in long double
 * --------------------------------------------------------------------- */

static long double l_reciprocal(long double x) {
  return 1 / x;
}
static long double l_sigmoid(long double x) {
  return 1 / (1 + expl(-x));
}
static long double l_softplus(long double x) {
  return x > 0 ? x + log1pl(expl(-x)) : log1pl(expl(x));
}
static long double l_softsign(long double x) {
  return x / (1 + fabsl(x));
}
static long double l_gelu(long double x) {
  return x / 2 * erfcl(-x * 0.707106781186547524400844362104849039284835938L);
}
static long double l_elu(long double x) {
  return x > 0 ? x : x < 0 ? expm1l(x) : x + 0; /* max(0, x) is +0 for -0 */
}
static long double l_neg(long double x) {
  return -x;
}
static long double l_sign(long double x) {
  return x > 0 ? 1 : x < 0 ? -1 : 0; /* of NaN too */
}
static long double l_leaky_relu(long double x) {
  return x < 0 ? (long double)0.01f * x : x + 0;
}
static long double l_linear(long double x) {
  return 1 * x + 0; /* +0 for -0 */
}
static long double l_hard_sigmoid(long double x) {
  const long double y = (long double)0.2f * x + 0.5L;
  return y < 0 ? 0 : y > 1 ? 1 : y;
}
static long double l_hard_swish(long double x) {
  const long double gate = x + 3 < 0 ? 0 : x + 3 > 6 ? 6 : x + 3;
  return x * gate / 6;
}

/* ---- Judges, in 200 bits
 * ---------------------------------------------------------------------------- */

static void j_reciprocal(mpfr_t y, mpfr_t x) {
  mpfr_ui_div(y, 1, x, MPFR_RNDN);
}
static void j_sigmoid(mpfr_t y, mpfr_t x) {
  mpfr_neg(y, x, MPFR_RNDN);
  mpfr_exp(y, y, MPFR_RNDN);
  mpfr_add_ui(y, y, 1, MPFR_RNDN);
  mpfr_ui_div(y, 1, y, MPFR_RNDN);
}
static void j_softplus(mpfr_t y, mpfr_t x) {
  if (mpfr_cmp_ui(x, 1000) > 0) { /* e^x would overflow; it adds nothing */
    mpfr_set(y, x, MPFR_RNDN);
    return;
  }
  mpfr_exp(y, x, MPFR_RNDN);
  mpfr_log1p(y, y, MPFR_RNDN);
}
static void j_softsign(mpfr_t y, mpfr_t x) {
  mpfr_abs(y, x, MPFR_RNDN);
  mpfr_add_ui(y, y, 1, MPFR_RNDN);
  mpfr_div(y, x, y, MPFR_RNDN);
}
static void j_gelu(mpfr_t y, mpfr_t x) {
  mpfr_t root;
  mpfr_init2(root, 240);
  mpfr_sqrt_ui(root, 2, MPFR_RNDN);
  mpfr_div(root, x, root, MPFR_RNDN);
  mpfr_neg(root, root, MPFR_RNDN);
  mpfr_erfc(y, root, MPFR_RNDN);
  mpfr_mul(y, y, x, MPFR_RNDN);
  mpfr_div_2ui(y, y, 1, MPFR_RNDN);
  mpfr_clear(root);
}
static void j_elu(mpfr_t y, mpfr_t x) {
  if (mpfr_sgn(x) > 0)
    mpfr_set(y, x, MPFR_RNDN);
  else
    mpfr_expm1(y, x, MPFR_RNDN);
}
static void j_hard_swish(mpfr_t y, mpfr_t x) {
  mpfr_add_ui(y, x, 3, MPFR_RNDN);
  if (mpfr_sgn(y) < 0)
    mpfr_set_zero(y, 1);
  if (mpfr_cmp_ui(y, 6) > 0)
    mpfr_set_ui(y, 6, MPFR_RNDN);
  mpfr_mul(y, y, x, MPFR_RNDN);
  mpfr_div_ui(y, y, 6, MPFR_RNDN);
}
static void j_leaky_relu(mpfr_t y, mpfr_t x) {
  mpfr_set(y, x, MPFR_RNDN);
  if (mpfr_sgn(x) < 0)
    mpfr_mul_d(y, y, (double)0.01f, MPFR_RNDN);
}
static void j_hard_sigmoid(mpfr_t y, mpfr_t x) {
  mpfr_mul_d(y, x, (double)0.2f, MPFR_RNDN);
  mpfr_add_d(y, y, 0.5, MPFR_RNDN);
  if (mpfr_sgn(y) < 0)
    mpfr_set_zero(y, 1);
  if (mpfr_cmp_ui(y, 1) > 0)
    mpfr_set_ui(y, 1, MPFR_RNDN);
}
#define JUDGE(name)                                                                                \
  static void j_##name(mpfr_t y, mpfr_t x) {                                                       \
    mpfr_##name(y, x, MPFR_RNDN);                                                                  \
  }
JUDGE(exp)
JUDGE(log)
JUDGE(sin)
JUDGE(cos)
JUDGE(tan)
JUDGE(erf)
JUDGE(tanh)
JUDGE(sqrt)

static const function functions[] = {
    {"exp", WEBNN_OP_EXP, expl, j_exp, 0, 0},
    {"log", WEBNN_OP_LOG, logl, j_log, 0, 0},
    {"sin", WEBNN_OP_SIN, sinl, j_sin, 0, 0},
    {"cos", WEBNN_OP_COS, cosl, j_cos, 0, 0},
    {"tan", WEBNN_OP_TAN, tanl, j_tan, 0, 0},
    {"erf", WEBNN_OP_ERF, erfl, j_erf, 0, 0},
    {"tanh", WEBNN_OP_TANH, tanhl, j_tanh, 0, 0},
    {"sigmoid", WEBNN_OP_SIGMOID, l_sigmoid, j_sigmoid, 0, 0},
    {"softplus", WEBNN_OP_SOFTPLUS, l_softplus, j_softplus, 0, 0},
    {"gelu", WEBNN_OP_GELU, l_gelu, j_gelu, 0, 0},
    {"elu", WEBNN_OP_ELU, l_elu, j_elu, 1, 0},
    {"sqrt", WEBNN_OP_SQRT, sqrtl, j_sqrt, 0, 0},
    {"reciprocal", WEBNN_OP_RECIPROCAL, l_reciprocal, j_reciprocal, 0, 0},
    {"softsign", WEBNN_OP_SOFTSIGN, l_softsign, j_softsign, 0, 0},
    {"hardSwish", WEBNN_OP_HARD_SWISH, l_hard_swish, j_hard_swish, 0, 0},
    {"floor", WEBNN_OP_FLOOR, floorl, NULL, 0, 0},
    {"ceil", WEBNN_OP_CEIL, ceill, NULL, 0, 0},
    {"roundEven", WEBNN_OP_ROUND_EVEN, rintl, NULL, 0, 0},
    {"abs", WEBNN_OP_ABS, fabsl, NULL, 0, 0},
    {"neg", WEBNN_OP_NEG, l_neg, NULL, 0, 0},
    {"sign", WEBNN_OP_SIGN, l_sign, NULL, 0, 0},
    {"linear", WEBNN_OP_LINEAR, l_linear, NULL, 1, 0},
    {"leakyRelu", WEBNN_OP_LEAKY_RELU, l_leaky_relu, j_leaky_relu, 0.01f, 0},
    {"hardSigmoid", WEBNN_OP_HARD_SIGMOID, l_hard_sigmoid, j_hard_sigmoid, 0.2f, 0.5f},
};
#define COUNT (sizeof functions / sizeof *functions)

static float from_bits(uint32_t bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static uint32_t to_bits(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return (bits & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : bits;
}

/* The exact value rounded to float32 by MPFR; notes how near a midpoint it lies. */
static uint32_t decide(const function *f, uint32_t bits, int *nearest) {
  mpfr_t x, y, z;
  uint32_t result;
  mpfr_init2(x, 24);
  mpfr_init2(y, 200);
  mpfr_init2(z, 200);
  mpfr_set_flt(x, from_bits(bits), MPFR_RNDN);
  f->judge(y, x);
  result = to_bits(mpfr_get_flt(y, MPFR_RNDN)); /* handles subnormals, rounds once */
  if (mpfr_regular_p(y)) {
    const float below = mpfr_get_flt(y, MPFR_RNDD), above = mpfr_get_flt(y, MPFR_RNDU);
    mpfr_set_d(z, ((double)below + (double)above) / 2, MPFR_RNDN);
    if (below != above && isfinite(below) && isfinite(above)) {
      mpfr_sub(z, y, z, MPFR_RNDN);
      mpfr_div(z, z, y, MPFR_RNDN);
      if (mpfr_regular_p(z) && mpfr_get_exp(z) < *nearest)
        *nearest = (int)mpfr_get_exp(z);
    }
  }
  mpfr_clear(x);
  mpfr_clear(y);
  mpfr_clear(z);
  return result;
}

/* The referee's rounding, if it is beyond doubt. */
static bool referee(const function *f, uint32_t bits, uint32_t *result) {
  const long double y = f->referee((long double)from_bits(bits));
  const float low = (float)(y - y * DOUBT), high = (float)(y + y * DOUBT);
  *result = to_bits((float)y);
  if (f->judge == NULL || isnan(y) || isinf(y) || y == 0)
    return true;
  return to_bits(low) == to_bits(high);
}

static long run_block(const function *f, uint32_t block, FILE *log) {
  static uint32_t x[65536], y[65536];
  webnn__view vx, vy;
  webnn__node node;
  webnn__kernel_call call;
  const clock_t start = clock();
  long wrong = 0, decided = 0;
  int nearest = 0;
  uint32_t chunk, i;
  memset(&vx, 0, sizeof vx);
  memset(&node, 0, sizeof node);
  memset(&call, 0, sizeof call);
  vx.type = WEBNN_FLOAT32;
  vx.shape.rank = 1;
  vx.shape.dimensions[0] = 65536;
  vx.count = 65536;
  vy = vx;
  vx.data = x;
  vy.data = y;
  node.op = f->op;
  node.attributes.alpha = to_bits(f->alpha);
  node.attributes.beta = to_bits(f->beta);
  call.node = &node;
  call.attributes = &node.attributes;
  call.x = &vx;
  call.y = &vy;
  for (chunk = 0; chunk < BLOCK / 65536; chunk++) {
    for (i = 0; i < 65536; i++)
      x[i] = block * BLOCK + chunk * 65536 + i;
    webnn__run_unary(&call, 0, 65536);
    for (i = 0; i < 65536; i++) {
      uint32_t expected;
      if (!referee(f, x[i], &expected) || (f->judge != NULL && (x[i] * 2654435761u) >> 20 == 0)) {
        expected = decide(f, x[i], &nearest);
        decided++;
      }
      if (to_bits(from_bits(y[i])) != expected && wrong++ < 5)
        printf("%s(%a, bits %08x): expected %a, got %a\n", f->name, (double)from_bits(x[i]), x[i],
               (double)from_bits(expected), (double)from_bits(y[i]));
    }
  }
  fprintf(log, "%s %u %u wrong %ld decided %ld nearest 2^%d seconds %.1f\n", f->name, block, BLOCK,
          wrong, decided, nearest, (double)(clock() - start) / CLOCKS_PER_SEC);
  fflush(log);
  return wrong;
}

/* A line of the log. */
typedef struct entry {
  char name[40];
  unsigned block, inputs;
  long wrong, decided;
  int nearest;
  double seconds;
} entry;

static bool read_entry(FILE *log, entry *e) {
  return log != NULL &&
         fscanf(log, "%39s %u %u wrong %ld decided %ld nearest 2^%d seconds %lf", e->name,
                &e->block, &e->inputs, &e->wrong, &e->decided, &e->nearest, &e->seconds) == 7;
}

/* Is the block in the log already? Its number of wrong results then; -1 if not. */
static long logged(const char *path, const char *name, uint32_t block) {
  FILE *log = fopen(path, "r");
  entry e;
  long result = -1;
  while (read_entry(log, &e))
    if (strcmp(e.name, name) == 0 && e.block == block)
      result = e.wrong;
  if (log != NULL)
    fclose(log);
  return result;
}

/* 1,048,576. */
static void print_grouped(long number) {
  if (number < 1000)
    printf("%ld", number);
  else {
    print_grouped(number / 1000);
    printf(",%03ld", number % 1000);
  }
}

/* Prints the row of a function whose blocks are all in the log. */
static void print_row(const char *path, const char *name) {
  FILE *log = fopen(path, "r");
  entry e, sum = {"", 0, 0, 0, 0, 0, 0};
  while (read_entry(log, &e))
    if (strcmp(e.name, name) == 0) {
      sum.block++;
      sum.wrong += e.wrong;
      sum.decided += e.decided;
      sum.nearest = e.nearest < sum.nearest ? e.nearest : sum.nearest;
      sum.seconds += e.seconds;
    }
  if (log != NULL)
    fclose(log);
  if (sum.block != 256)
    return;
  printf("| %s | 4,294,967,296 | %ld | ", name, sum.wrong);
  print_grouped(sum.decided);
  printf(" | ");
  if (sum.decided > 0)
    printf("2^%d", sum.nearest);
  else
    printf("exact function");
  printf(" | %.0f |\n", sum.seconds);
}

int main(int argc, char **argv) {
  const char *path = getenv("EXACT_LOG") != NULL ? getenv("EXACT_LOG") : "build/exact_all.log";
  const uint32_t first = argc > 2 ? (uint32_t)atoi(argv[2]) : 0;
  const uint32_t count = argc > 3 ? (uint32_t)atoi(argv[3]) : 256 - first;
  long passed = 0, failed = 0;
  size_t f;
  uint32_t block;
  for (f = 0; f < COUNT; f++) {
    if (argc > 1 && strcmp(argv[1], "list") == 0) {
      printf("%s\n", functions[f].name);
      continue;
    }
    if (argc > 1 && strcmp(argv[1], "table") == 0) {
      print_row(path, functions[f].name);
      continue;
    }
    if (argc > 1 && strcmp(argv[1], functions[f].name) != 0)
      continue;
    for (block = first; block < first + count && block < 256; block++) {
      long wrong = logged(path, functions[f].name, block);
      if (wrong < 0) {
        FILE *log = fopen(path, "a");
        if (log == NULL) {
          printf("%s cannot be written\n", path);
          return 2;
        }
        wrong = run_block(&functions[f], block, log);
        fclose(log);
        fprintf(stderr, "\r%s block %u of 256 ", functions[f].name, block + 1);
      }
      failed += wrong > 0;
      passed += wrong == 0;
    }
  }
  if (argc < 2 || (strcmp(argv[1], "list") != 0 && strcmp(argv[1], "table") != 0))
    printf("%ld passed, %ld failed, 0 skipped\n", passed, failed);
  return failed != 0;
}
#endif
