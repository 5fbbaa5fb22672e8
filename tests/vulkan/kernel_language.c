/* The compiler of kernels (chapter 10 of webnn_vulkan.h): are its modules valid, do they compute what
   the text says on two drivers and what another compiler makes of the same text, is every float's
   arithmetic decorated, and does malformed text of any kind end in an error or in a valid module?

   Needs glslangValidator and spirv-val for comparisons, the Vulkan loader and lavapipe to run, and
   SwiftShader where WEBNN_SWIFTSHADER names the file of its driver; what is missing is skipped.

     kernel_language [TEXTS]     so many random texts, 1000 by default */
#define _POSIX_C_SOURCE 200809L
#define WEBNN_IMPLEMENTATION
#include "failing_allocator.h"
#define WEBNN_VULKAN_IMPLEMENTATION
#include "webnn_vulkan.h"
#include "runner.h"
#include "kernel_cases.inc"

#include <time.h>
#include <unistd.h>

#define LAVAPIPE "/usr/share/vulkan/icd.d/lvp_icd.x86_64.json"
enum { TEXT_SIZE = 16384, INVOCATIONS = 256 };

static hook memory;
static char folder[64];
static bool has_glslang, has_validator;

static webnn_allocator test_allocator(void) {
  webnn_allocator allocator;
  allocator.allocate = hook_allocate;
  allocator.release = hook_release;
  allocator.user = &memory;
  return allocator;
}

static webnn_status compile(const char *text, uint32_t **words, size_t *count, webnn_error *error) {
  const webnn_allocator allocator = test_allocator();
  webnn_vk__compile_options options;
  memset(&options, 0, sizeof options);
  return webnn_vk__compile_kernel(&allocator, text, &options, words, count, error);
}

static void release(uint32_t *words) {
  if (words != NULL) {
    hook_release(&memory, words);
  }
}

/* ---- Files and commands --------------------------------------------------------------------- */

static const char *path_of(const char *name) {
  static char paths[2][96];
  static int turn;
  turn ^= 1;
  snprintf(paths[turn], sizeof paths[turn], "%s/%s", folder, name);
  return paths[turn];
}

static void write_file(const char *name, const void *data, size_t size) {
  FILE *file = fopen(path_of(name), "wb");
  if (file == NULL || fwrite(data, 1, size, file) != size || fclose(file) != 0) {
    printf("cannot write %s\n", name);
    exit(1);
  }
}

static uint32_t *read_words(const char *name, size_t *count) {
  uint32_t *words = (uint32_t *)test_allocate(1 << 20);
  FILE *file = fopen(path_of(name), "rb");
  if (file == NULL) {
    printf("cannot read %s\n", name);
    exit(1);
  }
  *count = fread(words, 4, 1 << 18, file);
  fclose(file);
  return words;
}

/* Runs a command in the folder; its output is kept in "log". */
static bool runs(const char *command) {
  char line[256];
  snprintf(line, sizeof line, "cd %s && %s >log 2>&1", folder, command);
  return system(line) == 0;
}

static const char *log_text(void) {
  static char text[400];
  FILE *file = fopen(path_of("log"), "rb");
  size_t length = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;
  text[length] = 0;
  if (file != NULL) {
    fclose(file);
  }
  return text;
}

static bool glslang_accepts(const char *text) {
  write_file("t.comp", text, strlen(text));
  return runs("glslangValidator -V --target-env vulkan1.1 -S comp t.comp -o g.spv");
}

static bool is_valid(const uint32_t *words, size_t count) {
  write_file("t.spv", words, count * 4);
  return runs("spirv-val --target-env vulkan1.1 t.spv");
}

/* ---- Texts ---------------------------------------------------------------------------------- */

static char *text_of(const kernel_case *k) {
  static char text[TEXT_SIZE];
  snprintf(text, sizeof text, "#version 450\n%s%s%s", k->extensions ? k->extensions : "", prelude,
           k->text);
  return text;
}

/* Is every result of arithmetic on floats decorated? Counts them. */
static uint32_t check_contraction(const char *name, const uint32_t *words, size_t count) {
  const uint32_t bound = words[3];
  uint8_t *decorated = (uint8_t *)test_allocate(bound);
  uint32_t arithmetic = 0, bare = 0;
  size_t at;
  for (at = 5; at < count; at += words[at] >> 16) {
    const uint32_t op = words[at] & 0xffff;
    if (op == 71 && words[at + 2] == 42) {
      decorated[words[at + 1]] = 1;
    }
    if (op == 127 || op == 129 || op == 131 || op == 133 || op == 136 ||
        (op == 12 && words[at + 4] == 50)) {
      arithmetic++;
      bare += decorated[words[at + 2]] == 0;
    }
  }
  CHECK(name, bare == 0, "%u of %u instructions may be contracted", bare, arithmetic);
  free(decorated);
  return arithmetic;
}

/* The words of a text; NULL: it cannot be compiled. */
static uint32_t *compiled(const char *name, const char *text, size_t *count) {
  uint32_t *words = NULL;
  webnn_error error = WEBNN_ZERO;
  (void)CHECK(name, compile(text, &words, count, &error) == WEBNN_OK, "%s", error.message);
  return words;
}

static void check_valid(const char *name, const uint32_t *words, size_t count) {
  CHECK(name, !has_validator || is_valid(words, count), "spirv-val: %s", log_text());
}

/* One text: compiled, valid, accepted by glslang. */
static void check_text(const char *name, const char *text) {
  size_t count;
  uint32_t *const words = compiled(name, text, &count);
  if (words != NULL) {
    check_contraction(name, words, count);
    check_valid(name, words, count);
    CHECK(name, !has_glslang || glslang_accepts(text), "glslang: %s", log_text());
    release(words);
  }
}

/* ---- Results -------------------------------------------------------------------------------- */

static void fill_input(uint32_t *words, bool floats) {
  uint64_t state = 7;
  size_t i;
  for (i = 0; i < RUNNER_WORDS; i++) {
    words[i] =
        floats ? as_bits((float)test_random_between(&state, -8, 8)) : (uint32_t)test_random(&state);
  }
}

static void check_words(const runner *r, const kernel_case *k, const char *who) {
  uint32_t i, c;
  char name[512];
  snprintf(name, sizeof name, "%s (%s, %s)", k->name, who, r->name);
  for (i = 0; i < INVOCATIONS; i++) {
    uint32_t expected[4];
    k->expect(r->words[0] + 4 * i, expected, i);
    for (c = 0; c < 4; c++) {
      if (r->words[1][4 * i + c] != expected[c]) {
        CHECK(name, false, "word %u of invocation %u: expected %08x, got %08x", c, i, expected[c],
              r->words[1][4 * i + c]);
        return;
      }
    }
  }
  CHECK(name, true, "%s", "");
}

static void check_result(runner *r, const kernel_case *k, bool glslang) {
  const char *text = text_of(k);
  uint32_t *words, *theirs;
  size_t count, their_count;
  webnn_error error = WEBNN_ZERO;
  if (!CHECK(k->name, compile(text, &words, &count, &error) == WEBNN_OK, "%s", error.message)) {
    return;
  }
  fill_input(r->words[0], k->floats);
  runner_run(r, words, count, pushed, INVOCATIONS / 64);
  check_words(r, k, "own");
  release(words);
  if (glslang && has_glslang && CHECK(k->name, glslang_accepts(text), "%s", log_text())) {
    theirs = read_words("g.spv", &their_count);
    runner_run(r, theirs, their_count, pushed, INVOCATIONS / 64);
    check_words(r, k, "glslang");
    free(theirs);
  }
}

static void check_results(runner *r) {
  size_t i;
  for (i = 0; i < sizeof cases / sizeof *cases; i++) {
    check_result(r, &cases[i], true);
  }
  for (i = 0; i < sizeof extended_cases / sizeof *extended_cases; i++) {
    const extended_case *k = &extended_cases[i];
    if ((k->needs & NEEDS_HALF) && !r->has_half) {
      test_skip(k->kernel.name, r->name);
    } else {
      check_result(r, &k->kernel, (k->needs & NO_GLSLANG) == 0);
    }
  }
}

static void check_driver(const char *name, const char *icd) {
  static runner r;
  if (icd == NULL || access(icd, R_OK) != 0) {
    test_skip(name, "no such driver");
    return;
  }
  if (!runner_open(&r, icd)) {
    test_skip(name, "no Vulkan");
    return;
  }
  check_results(&r);
  runner_close(&r);
}

/* ---- Extensions ----------------------------------------------------------------------------- */

static uint32_t count_ops(const uint32_t *words, size_t count, uint32_t op, uint32_t operand) {
  uint32_t found = 0;
  size_t at;
  for (at = 5; at < count; at += words[at] >> 16) {
    found += (words[at] & 0xffff) == op && (operand == 0 || words[at + 1] == operand);
  }
  return found;
}

/* Has the module one product of matrices, which says that all its operands have signs? */
static bool all_signed(const uint32_t *words, size_t count) {
  size_t at;
  for (at = 5; at < count; at += words[at] >> 16) {
    if ((words[at] & 0xffff) == 4459) {
      return words[at] >> 16 == 7 && words[at + 6] == 15;
    }
  }
  return false;
}

/* The value of a constant of the module; UINT32_MAX: there is none. */
static uint32_t constant_of(const uint32_t *words, size_t count, uint32_t id) {
  size_t at;
  for (at = 5; at < count; at += words[at] >> 16) {
    if ((words[at] & 0xffff) == 43 && words[at + 2] == id) {
      return words[at + 3];
    }
  }
  return UINT32_MAX;
}

/* Has the module a type of matrices with these numbers? */
static bool has_matrix(const uint32_t *words, size_t count, uint32_t rows, uint32_t columns,
                       uint32_t use) {
  const uint32_t subgroup = 3, numbers[4] = {subgroup, rows, columns, use};
  bool has = false;
  uint32_t i;
  size_t at;
  for (at = 5; at < count && !has; at += words[at] >> 16) {
    has = (words[at] & 0xffff) == 4456;
    for (i = 0; i < 4 && has; i++) {
      has = constant_of(words, count, words[at + 3 + i]) == numbers[i];
    }
  }
  return has;
}

static void check_matrices(void) {
  const char *const name = "cooperative matrices";
  size_t count;
  uint32_t *words = compiled(name, matrix_kernel, &count);
  if (words != NULL) {
    CHECK(name, count_ops(words, count, 17, 6022) == 1 && count_ops(words, count, 17, 5345) == 1,
          "capabilities are missing");
    CHECK(name,
          count_ops(words, count, 4456, 0) == 3 && count_ops(words, count, 4457, 0) == 2 &&
              count_ops(words, count, 4458, 0) == 1 && count_ops(words, count, 4459, 0) == 1,
          "not the instructions that were expected");
    check_contraction(name, words, count);
    release(words);
  }
  words = compiled(name, byte_matrix_kernel, &count);
  if (words != NULL) {
    CHECK(name, count_ops(words, count, 17, 39) == 1 && count_ops(words, count, 17, 9) == 0,
          "not the capabilities of bytes");
    CHECK(name, all_signed(words, count), "not the products of bytes with signs");
    CHECK(name,
          has_matrix(words, count, 16, 32, 0) && has_matrix(words, count, 32, 16, 1) &&
              has_matrix(words, count, 16, 16, 2),
          "not the scopes, sizes and uses");
    release(words);
  }
  test_skip(name, "only looked at: spirv-val and glslang here do not know them");
}

/* What the device allows becomes execution modes, for 16 bits where there are such floats. */
static void check_float_controls(void) {
  const webnn_allocator allocator = test_allocator();
  const webnn_vk__compile_options options = {true, true, true, true, true, true};
  size_t i;
  for (i = 0; i < 2; i++) {
    const char *const name = i == 0 ? "float controls" : "float controls, 16 bits";
    const char *text = text_of(i == 0 ? &cases[1] : &extended_cases[0].kernel);
    uint32_t *words;
    size_t count;
    webnn_error error = WEBNN_ZERO;
    if (!CHECK(name,
               webnn_vk__compile_kernel(&allocator, text, &options, &words, &count, &error) ==
                   WEBNN_OK,
               "%s", error.message)) {
      continue;
    }
    CHECK(name, count_ops(words, count, 16, 0) == (i == 0 ? 4 : 7), "other execution modes");
    check_valid(name, words, count);
    release(words);
  }
}

/* What is never run is not in the module: functions that nobody calls, sides that are dead. */
static void check_dead(void) {
  static const char text[] =
      "#version 450\n#extension GL_EXT_integer_dot_product : require\n"
      "layout(std430, set = 0, binding = 0) buffer B { uint b[]; };\nconst bool SMALL = 2 * 3 < "
      "5;\n"
      "uint unused(uint x) { return x * 7u; }\nuint used(uint x) { return x + 1u; }\n"
      "uint dead(uint x) { return unused(x); }\n"
      "void main() { if (SMALL) { atomicOr(b[0], dead(1u)); } else b[0] = used(1u);\n"
      " uint y = SMALL ? uint(dotPacked4x8EXT(1, 2))\n"
      "                : SMALL && dotPacked4x8EXT(1, 3) == 1 ? 3u : 4u;\n"
      " b[2] = y; return; b[3] = dead(2u); }\n";
  const char *const name = "dead code";
  size_t count;
  uint32_t *const words = compiled(name, text, &count);
  if (words != NULL) {
    check_valid(name, words, count);
    CHECK(name, count_ops(words, count, 54, 0) == 2, "functions are left that nobody calls");
    CHECK(name, count_ops(words, count, 241, 0) == 0 && count_ops(words, count, 4450, 0) == 0,
          "a dead side is left");
    CHECK(name, count_ops(words, count, 17, 0) == 1, "more capabilities than needed");
    CHECK(name, count_ops(words, count, 62, 0) == 4, "stores behind return are left");
    release(words);
  }
}

/* What a known side has within it counts for the choice around it: the blocks, and that they must
   not be run in vain. */
static void check_known_sides(void) {
  static const char text[] =
      "#version 450\nlayout(std430, set = 0, binding = 0) buffer B { uint b[]; };\n"
      "void main() { bool c = b[0] > 1u, d = b[1] > 1u;\n"
      " b[2] = c ? (true ? (d ? b[3] : b[4]) : 0u) : 5u; }\n";
  static const char division[] =
      "#version 450\nlayout(std430, set = 0, binding = 0) buffer B { uint b[]; };\n"
      "void main() { bool c = b[0] > 1u; uvec2 v = uvec2(b[1], b[2]);\n"
      " b[3] = c ? (v / uvec2(4u, 2u)).y : 5u;\n"
      " b[4] = c ? (v / uvec2(4u, 0u)).y : 5u; }\n";
  const char *const name = "known sides";
  size_t count;
  uint32_t *words = compiled(name, text, &count);
  if (words != NULL) {
    check_valid(name, words, count);
    CHECK(name, count_ops(words, count, 250, 0) == 2, "not two branches");
    release(words);
  }
  words = compiled(name, division, &count);
  if (words != NULL) {
    check_valid(name, words, count);
    CHECK(name, count_ops(words, count, 250, 0) == 1, "not only divisors with a zero branch");
    release(words);
  }
}

static void check_extensions(void) {
  size_t i;
  for (i = 0; i < sizeof extended_cases / sizeof *extended_cases; i++) {
    const extended_case *k = &extended_cases[i];
    if (k->needs & NO_GLSLANG) {
      const bool had = has_glslang;
      has_glslang = false;
      check_text(k->kernel.name, text_of(&k->kernel));
      has_glslang = had;
      test_skip(k->kernel.name, "glslang here does not know them");
    } else {
      check_text(k->kernel.name, text_of(&k->kernel));
    }
  }
  check_dead();
  check_known_sides();
  check_matrices();
  check_float_controls();
}

/* ---- Malformed texts ------------------------------------------------------------------------ */

static const char long_kernel[] =
    "#version 450\n#extension GL_EXT_control_flow_attributes : require\n#define WIDTH (4u * 2u)\n"
    "layout(local_size_x = 8) in;\n"
    "layout(std430, set = 0, binding = 0) readonly buffer A { float a[]; };\n"
    "layout(std430, set = 0, binding = 1) buffer B { uint b[]; };\n"
    "layout(push_constant) uniform P { uint n; uint t; float v; int q; };\n"
    "const vec3 fixed_ = vec3(1.0, -0.5, 3e-2);\nshared vec4 s[WIDTH];\n"
    "float f(inout uint x, float y[2]) { x++; vec3 z = fixed_; return y[x & 1u] * z[x % 3u]; }\n"
    "float g(float x) { if (x < 0.0) { return -x; } return x + 1.0; }\n"
    "void main() {\n  uint i = gl_GlobalInvocationID.x, k = 0u;\n  float y[2]; y[0] = 1.0;\n"
    "  y[1] = uintBitsToFloat(t); if (i >= n || n == 0u) return;\n"
    "  [[unroll]] for (uint j = 0u; j < 3u; j++) { k += t; if (k > 9u) k = 0u; else k++; }\n"
    "  for (k = 9u; k > 2u && a[k] > 1.0;) { k -= 1u; y[k & 1u] -= a[k] * 2.0; }\n"
    "  s[i & 7u].z = y[0]; s[i & 7u].x = f(i, y); barrier();\n"
    "  uint h, l; umulExtended(k, 0x9E3779B9u, h, l); atomicOr(b[0], ~h);\n"
    "  vec4 r = i > 3u ? s[0] : vec4(g(y[1]), a[0], vec2(a[1], 2.0));\n"
    "  uvec4 w = floatBitsToUint(max(r, s[1] * a[2])); b[i] = w[i & 3u] + uint(r.x < 1.0);\n"
    "  b[i] |= l << 3 ^ (k != 0u ? i / k : 1u);\n}\n";

/* An error with a line, or a module that is valid. */
static void check_any(const char *name, const char *text) {
  uint32_t *words;
  size_t count;
  webnn_error error = WEBNN_ZERO;
  if (compile(text, &words, &count, &error) == WEBNN_OK) {
    if (has_validator) {
      CHECK(name, is_valid(words, count), "not valid: %s\n%s", log_text(), text);
    }
    release(words);
  } else {
    CHECK(name, strncmp(error.message, "kernel, line ", 13) == 0, "error without a line: %s",
          error.message);
  }
}

static void check_prefixes(const char *kernel) {
  static char text[TEXT_SIZE];
  const size_t length = strlen(kernel);
  size_t i;
  for (i = 0; i < length; i++) {
    memcpy(text, kernel, i);
    text[i] = 0;
    check_any("prefix", text);
  }
}

/* Where the token that begins at `at` ends, roughly. */
static size_t token_end(const char *text, size_t at) {
  size_t end = at + 1;
  if (strchr(" \n", text[at]) == NULL && strchr("(){}[];,.+-*/%<>=!&|^~?:#", text[at]) == NULL) {
    while (text[end] != 0 && strchr(" \n(){}[];,.+-*/%<>=!&|^~?:#", text[end]) == NULL) {
      end++;
    }
  }
  return end;
}

static void check_tokens(const char *kernel) {
  const size_t length = strlen(kernel);
  static char text[TEXT_SIZE];
  size_t at, end;
  for (at = 0; at < length; at = end) {
    end = token_end(kernel, at);
    snprintf(text, sizeof text, "%.*s%s", (int)at, kernel, kernel + end);
    check_any("deleted", text);
    snprintf(text, sizeof text, "%.*s%s", (int)end, kernel, kernel + at);
    check_any("doubled", text);
  }
}

/* Each token in the place of the one before. */
static void check_replacements(const char *kernel) {
  const size_t length = strlen(kernel);
  static char text[TEXT_SIZE];
  size_t at = 0, end, next;
  for (end = token_end(kernel, 0); end < length; at = end, end = next) {
    next = token_end(kernel, end);
    snprintf(text, sizeof text, "%.*s%.*s%s", (int)at, kernel, (int)(next - end), kernel + end,
             kernel + end);
    check_any("replaced", text);
  }
}

/* The beginning of some random token of a text. */
static size_t random_token(const char *text, uint64_t *state) {
  const size_t goal = (size_t)(test_random(state) % strlen(text));
  size_t at = 0, end = 0;
  while (end <= goal) {
    at = end;
    end = token_end(text, at);
  }
  return at;
}

/* Texts with some tokens in the place of others, from anywhere in the kernels. */
static void check_random_texts(uint32_t count) {
  static char text[TEXT_SIZE], changed[TEXT_SIZE];
  uint64_t state = 11;
  uint32_t n, k;
  for (n = 0; n < count; n++) {
    const size_t kernels = sizeof cases / sizeof *cases;
    snprintf(text, sizeof text, "%s", n % 8 == 0 ? long_kernel : text_of(&cases[n % kernels]));
    for (k = 0; k < 1 + n % 3; k++) {
      const char *other = text_of(&cases[test_random(&state) % kernels]);
      const size_t to = random_token(text, &state), from = random_token(other, &state);
      size_t end = to, other_end = from, tokens = (size_t)(test_random(&state) % 3);
      if (test_random(&state) & 1) {
        end = token_end(text, to);
      }
      for (tokens++; tokens > 0 && other[other_end] != 0; tokens--) {
        other_end = token_end(other, other_end);
      }
      snprintf(changed, sizeof changed, "%.*s %.*s %s", (int)to, text, (int)(other_end - from),
               other + from, text + end);
      memcpy(text, changed, sizeof text);
    }
    check_any("random", text);
  }
}

typedef struct wrong_text {
  const char *text, *message;
} wrong_text;

static const wrong_text wrong_texts[] = {
    {"", "line 1: found the end, expected void main()"},
    {"#version 440\n", "found \"440\", expected \"450\""},
    {"#extension GL_KHR_shader_subgroup_basic : enable\n", "expected \"require\""},
    {"#if 1\n", "found \"if\", expected \"version\""},
    {"#define f(x) x\n", "macros with parameters"},
    {"#define\n", "#define needs a name"},
    {"#define 1a 2\n", "#define needs a name"},
    {"#define int 3\n", "has a meaning already"},
    {"#define A 1\n#define A 2\n", "line 2: \"A\" has a meaning already"},
    {"void main() {\n x = 1; }", "line 2: \"x\" is not declared"},
    {"void main() {\n f(1); }", "line 2: \"f\" is no function"},
    {"void main() { int x = 1; int x = 2; }", "\"x\" is declared twice"},
    {"void main() { int x = 1.0; }", "another type than"},
    {"void main() { int x = 1u; }", "another type than"},
    {"void main() { bool x = 1; }", "another type than"},
    {"void main() { vec3 x = vec2(1.0); }", "another type than"},
    {"void main() { vec3 x = vec3(1.0, 2.0); }", "as many values"},
    {"void main() { vec3 x; x.w = 1.0; }", "no such component"},
    {"void main() { vec3 x; x.xy = vec2(1.0); }", "no such component"},
    {"void main() { float x; x.x = 1.0; }", "no such component"},
    {"void main() { const int x = 1; x = 2; }", "cannot be written"},
    {"void main() { gl_LocalInvocationID.x = 2u; }", "cannot be written"},
    {"layout(push_constant) uniform P { uint n; }; void main() { n = 1u; }", "cannot be written"},
    {"layout(std430, set = 0, binding = 0) readonly buffer A { uint a[]; }; void main() { a[0] = "
     "1u; }",
     "cannot be written"},
    {"layout(std430, set = 0, binding = 0) buffer A { uint a[]; uint b; };", "expected \"}\""},
    {"layout(push_constant) uniform P { vec2 x; };", "a member of such a block"},
    {"layout(std430, set = 0, binding = 0) buffer A { bool a[]; };", "cannot be a member"},
    {"void main() { 1 = 2; }", "cannot be written"},
    {"void main() { float x[0]; }", "more than 0"},
    {"void main() { int n = 3; float x[n]; }", "must be a constant"},
    {"void main() { float x[2][3]; }", "one dimension"},
    {"void main() { float x[2]; x[2] = 1.0; }", "out of bounds"},
    {"void main() { float x[2]; x[1.0] = 1.0; }", "an index must be an integer"},
    {"void main() { if (1) {} }", "another type than"},
    {"void main() { break; }", "\"break\" is not declared"},
    {"void main() { return 1; }", "expected \";\""},
    {"int f() { return; } void main() {}", "expected an expression"},
    {"int f() { return f(); } void main() {}", "is no function"},
    {"int f(int x) { return 1; } int f(int y) { return 2; }", "\"f\" is defined twice"},
    {"const int f = 1; int f(int x) { return 1; }", "\"f\" is defined twice"},
    {"void main() { int x = 6, y = --x; }", "\"--\""},
    {"void main() { int x = 6, y = x--1; }", "\"--\""},
    {"int f(int x) { if (x > 1) { return 1; } } void main() {}", "ends without a value"},
    {"int f(int x) { return 1; }\nvoid main() { f(1, 2); }",
     "line 2: \"f\" has another number of arguments"},
    {"void f(out int x) { x = 1; } void main() { f(3); }", "cannot be written"},
    {"int main() { return 1; }", "void main()"},
    {"void main() { float x = 1.0 % 2.0; }", "not for these types"},
    {"void main() { float x = ~1.0; }", "not for this type"},
    {"void main() { bool x = !1; }", "not for this type"},
    {"void main() { int x = 1 + true; }", "do not go together"},
    {"void main() { vec2 x = vec2(1.0) + vec3(1.0); }", "do not go together"},
    {"void main() { bool x = vec2(1.0) < vec2(2.0); }", "is for scalars"},
    {"void main() { float x = min(1.0); }", "another number of arguments"},
    {"void main() { int x = sqrt(true); }", "not for these types"},
    {"void main() { float x = true ? 1.0 : 2.0 }", "expected \";\""},
    {"void main() { uint x = 4294967296; }", "too large"},
    {"void main() { uint x = 99999999999999999999999; }", "too large"},
    {"void main() { float x = 2.0hf; }", "ends in something else"},
    {"void main() { int64_t x; }", "\"int64_t\" is not declared"},
    {"void main() { do {} while (true); }", "\"do\" is not declared"},
    {"void main() { float x = exp(1.0); }", "\"exp\" is no function"},
    {"void main() { int x = 1; float y = x > 0 ? x : 1.5; }", "do not go together"},
    {"void main() { float x = 1.00000000000000000000000000001; }", "too many digits"},
    {"void main() { uint x = 0x; }", "ends in something else"},
    {"void main() { uint x = 1abc; }", "ends in something else"},
    {"void main() { float x = 1e; }", "ends in something else"},
    {"void main() { uint x = @; }", "is no sign"},
    {"void main() { /* ", "expected an expression"},
    {"void main() { float16_t x = float16_t(1.0), y = x[0]; }", "have elements"},
    {"void main() { uint x = packFloat2x16(vec2(1.0)); }", "not for these types"},
    {"void main() { float16_t x; uint y = floatBitsToUint(x); }", "not for these types"},
    {"shared uint s; void main() { atomicOr(3u, 1u); }", "atomics need"},
    {"void main() { coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> m; }",
     "GL_KHR_cooperative_matrix"},
    {"void main() { int8_t x = int8_t(1); }", "one type does not become the other"},
    {"uint x = 1u; void main() {}", "only constants can have values"},
    {"const uint x; void main() {}", "a constant needs a value"},
    {"void main() { void x; }", "needs a type"},
    {"void f(int a, int a) {} void main() {}", "declared twice"}};

static void check_wrong_texts(void) {
  size_t i;
  for (i = 0; i < sizeof wrong_texts / sizeof *wrong_texts; i++) {
    uint32_t *words;
    size_t count;
    webnn_error error = WEBNN_ZERO;
    const webnn_status status = compile(wrong_texts[i].text, &words, &count, &error);
    CHECK("wrong text", status != WEBNN_OK && words == NULL && count == 0, "compiled: %s",
          wrong_texts[i].text);
    CHECK("wrong text", strstr(error.message, wrong_texts[i].message) != NULL,
          "%s\n  expected \"%s\", got \"%s\"", wrong_texts[i].text, wrong_texts[i].message,
          error.message);
    release(words);
  }
}

/* begin, then so many times `more`, and an end. */
static void check_deep(const char *begin, const char *more, const char *end) {
  static char text[400000];
  static const size_t depths[] = {10, 50, 200, 1000, 50000};
  size_t i, k;
  for (i = 0; i < sizeof depths / sizeof *depths; i++) {
    char *at = text;
    at += sprintf(at, "%s", begin);
    for (k = 0; k < depths[i] && at < text + sizeof text - 500; k++) {
      at += sprintf(at, "%s", more);
    }
    sprintf(at, "%s", end);
    check_any("deep", text);
  }
}

static void check_depths(void) {
  check_deep("void main() { int x = ", "(", "");
  check_deep("void main() { int x = 1; x = ", "x = ", "1; }");
  check_deep("void main() { int x = 1; x = ", "x + ", "1; }");
  check_deep("void main() { int x = ", "- ", "1; }");
  check_deep("void main() { bool x = true; int y = ", "x ? 1 : ", "1; }");
  check_deep("void main() { bool x = true; int y = ", "x ? ", "1; }");
  check_deep("void main() { bool x = true; ", "if (x) {} else ", "; }");
  check_deep("void main() { ", "{", "");
  check_deep("void main() { ", "for (;;) ", "break; }");
  check_deep("void main() { int x[2]; x[0] = ", "x[", "0");
  check_deep("void main() { float x = ", "abs(", "0");
  check_deep("void main() { float x = ", "a||b&&d|e^f&g==h<i<<j+k*(", "0");
  check_deep("#define A A A\nvoid main() { int x = ", "A", "0");
  check_deep("const vec4 x = vec4(", "1.0, ", "1.0); void main() { }");
  check_deep("layout(push_constant) uniform P { ", "uint a; ", "}; void main() { }");
}

static void check_memory(void) {
  uint32_t *words;
  size_t count, n, live;
  webnn_error error = WEBNN_ZERO;
  webnn_status status = WEBNN_UNKNOWN_ERROR;
  for (n = 1; status != WEBNN_OK && n < 100000; n++) {
    memset(&memory, 0, sizeof memory);
    memory.fail_at = n;
    status = compile(long_kernel, &words, &count, &error);
    live = memory.live_count - (status == WEBNN_OK);
    CHECK("memory", live == 0 && memory.bad_release == 0, "allocation %lu: %lu are left",
          (unsigned long)n, (unsigned long)live);
    CHECK("memory", status == WEBNN_OK || strstr(error.message, "out of memory") != NULL, "%s",
          error.message);
  }
  CHECK("memory", status == WEBNN_OK && memory.failures == 0 && n > 5, "%lu allocations",
        (unsigned long)n);
  release(words);
  memset(&memory, 0, sizeof memory);
}

/* ---- Time ----------------------------------------------------------------------------------- */

static void *plain_allocate(void *user, size_t size) {
  (void)user;
  return malloc(size);
}

static void plain_release(void *user, void *block) {
  (void)user;
  free(block);
}

static void print_time(const char *name) {
  webnn_allocator allocator;
  webnn_vk__compile_options options;
  struct timespec begin, end;
  const char *text = long_kernel;
  size_t i, count = 0;
  uint32_t *words;
  double best = 1e9;
  for (i = 0; i < sizeof cases / sizeof *cases; i++) {
    if (strcmp(cases[i].name, name) == 0) {
      text = text_of(&cases[i]);
    }
  }
  allocator.allocate = plain_allocate;
  allocator.release = plain_release;
  allocator.user = NULL;
  memset(&options, 0, sizeof options);
  for (i = 0; i < 100; i++) {
    clock_gettime(CLOCK_MONOTONIC, &begin);
    if (webnn_vk__compile_kernel(&allocator, text, &options, &words, &count, NULL) == WEBNN_OK) {
      free(words);
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    if ((double)(end.tv_sec - begin.tv_sec) * 1e6 + (double)(end.tv_nsec - begin.tv_nsec) / 1e3 <
        best) {
      best =
          (double)(end.tv_sec - begin.tv_sec) * 1e6 + (double)(end.tv_nsec - begin.tv_nsec) / 1e3;
    }
  }
  printf("%s: %lu characters, %lu words, %.0f microseconds\n", name, (unsigned long)strlen(text),
         (unsigned long)count, best);
}

int main(int argument_count, char **arguments) {
  size_t i;
  snprintf(folder, sizeof folder, "/tmp/webnn_kernels_XXXXXX");
  if (mkdtemp(folder) == NULL) {
    printf("no folder\n");
    return 1;
  }
  has_glslang = runs("command -v glslangValidator");
  has_validator = runs("command -v spirv-val");
  if (!has_glslang) {
    test_skip("glslang", "not installed");
  }
  if (!has_validator) {
    test_skip("spirv-val", "not installed");
  }
  for (i = 0; i < sizeof cases / sizeof *cases; i++) {
    check_text(cases[i].name, text_of(&cases[i]));
  }
  check_text("long kernel", long_kernel);
  check_extensions();
  check_driver("lavapipe", LAVAPIPE);
  check_driver("SwiftShader", getenv("WEBNN_SWIFTSHADER"));
  check_wrong_texts();
  check_depths();
  check_memory();
  check_prefixes(long_kernel);
  check_tokens(long_kernel);
  check_replacements(long_kernel);
  check_random_texts(argument_count > 1 ? (uint32_t)strtoul(arguments[1], NULL, 10) : 1000);
  has_validator = false; /* which does not know what follows */
  check_prefixes(byte_matrix_kernel);
  check_tokens(byte_matrix_kernel);
  check_prefixes(matrix_kernel);
  check_tokens(matrix_kernel);
  check_replacements(matrix_kernel);
  CHECK("memory", memory.live_count == 0 && memory.bad_release == 0, "%lu blocks are left",
        (unsigned long)memory.live_count);
  print_time("vectors");
  print_time("shared");
  print_time("matmul");
  print_time("long kernel");
  runs("rm -f t.comp t.spv g.spv log");
  if (rmdir(folder) != 0) {
    runs("rm -f *");
    rmdir(folder);
  }
  return test_end();
}
