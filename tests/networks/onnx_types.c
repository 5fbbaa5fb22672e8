/* webnn_onnx.h: floats of 8 and 4 bits and integers of 2, which wider types hold. Every code is read,
   and numbers at, beside and between any two neighbours are cast, quantized and dequantized; what
   should come out is searched for in a table of all numbers of the type. */
#include "onnx_writer.h"
#include "test.h"
#include "webnn_onnx.h"

#include <float.h>
#include <math.h>

static webnn_context *context;

/* Sign, exponent, fraction as their definitions have them; the largest number, and what there is of
   NaN and infinity. */
typedef struct format {
  webnn_onnx_type type;
  const char *name;
  int bits, fraction, bias;
  double most, least; /* the largest and the smallest above 0 */
  bool has_infinity, has_nan, one_zero;
} format;

static const format formats[] = {
    {WEBNN_ONNX_FLOAT8E4M3FN, "float8e4m3fn", 8, 3, 7, 448, 0.001953125, false, true, false},
    {WEBNN_ONNX_FLOAT8E4M3FNUZ, "float8e4m3fnuz", 8, 3, 8, 240, 0.0009765625, false, true, true},
    {WEBNN_ONNX_FLOAT8E5M2, "float8e5m2", 8, 2, 15, 57344, 0.0000152587890625, true, true, false},
    {WEBNN_ONNX_FLOAT8E5M2FNUZ, "float8e5m2fnuz", 8, 2, 16, 57344, 0.00000762939453125, false, true,
     true},
    {WEBNN_ONNX_FLOAT4E2M1, "float4e2m1", 4, 1, 1, 6, 0.5, false, false, false}};

enum { FORMATS = sizeof formats / sizeof formats[0], MOST = 4096 };

/* The number of a code above 0, by its definition. */
static double value_of(const format *f, int code) {
  const int exponent = code >> f->fraction, part = code & ((1 << f->fraction) - 1);
  return exponent == 0 ? ldexp(part, 1 - f->bias - f->fraction)
                       : ldexp(part + (1 << f->fraction), exponent - f->bias - f->fraction);
}

/* How many codes are finite numbers without a sign. */
static int count_of(const format *f) {
  int code = 0;
  while (code < 1 << (f->bits - 1) && value_of(f, code) <= f->most) {
    code++;
  }
  return code;
}

static bool same(double a, double b) {
  return (a != a && b != b) || (a == b && (signbit(a) != 0) == (signbit(b) != 0));
}

/* All codes, those of 4 bits two in a byte. */
static void put_codes(const format *f, uint8_t *codes) {
  int i;
  for (i = 0; i < 1 << f->bits; i++) {
    if (f->bits == 8) {
      codes[i] = (uint8_t)i;
    } else {
      codes[i / 2] = (uint8_t)(i % 2 == 0 ? i : codes[i / 2] | i << 4);
    }
  }
}

/* Every code is what its definition says. */
static void test_codes(const format *f) {
  uint8_t codes[256];
  float values[256];
  int i;
  const int all = 1 << f->bits, half = all / 2, count = count_of(f);
  test_group c = test_group_begin(f->name);
  put_codes(f, codes);
  CHECK(f->name, webnn_onnx_to_graph_type(f->type, codes, (size_t)all, values), "%s",
        "is not converted");
  CHECK(f->name, strcmp(webnn_onnx_type_name(f->type), f->name) == 0, "is called %s",
        webnn_onnx_type_name(f->type));
  CHECK(f->name, value_of(f, count - 1) == f->most && value_of(f, 1) == f->least, "%s",
        "has other bounds");
  for (i = 0; i < all; i++) {
    const int rest = i % half;
    double expected = rest < count ? value_of(f, rest) : NAN;
    if (f->has_infinity && rest == count) {
      expected = INFINITY;
    }
    expected = i >= half ? -expected : expected;
    expected = f->one_zero && i == half ? NAN : expected;
    SEE(&c, same((double)values[i], expected), "code %d is %g, not %g", i, (double)values[i],
        expected);
  }
  test_group_end(&c);
}

/* What a number becomes: the nearest in the table, the even code of two. */
static double expected_of(const format *f, double x, bool saturate) {
  const int count = count_of(f);
  const double a = fabs(x), above = 2 * f->most - value_of(f, count - 2);
  double best = 0;
  int i, at = 0;
  if (x != x) {
    return f->has_nan ? NAN : f->most;
  }
  for (i = 1; i < count; i++) {
    const double far = a - value_of(f, at), near = fabs(value_of(f, i) - a);
    at = near < far || (near == far && i % 2 == 0) ? i : at;
  }
  best = value_of(f, at);
  /* beyond the largest number the next one would be nearer */
  if (a - f->most > above - a || (a - f->most == above - a && count % 2 == 0) || a >= above) {
    best = saturate || !f->has_nan ? f->most : f->has_infinity ? INFINITY : NAN;
  }
  best = signbit(x) ? -best : best;
  return f->one_zero && best == 0 ? 0 : best;
}

/* Numbers at, beside and between neighbours, with both signs, and beyond them all. */
static size_t numbers_for(const format *f, float *x) {
  static const float others[] = {0, 1e-30f, 1e-45f, 65504, 1e10f, 3.4e38f, INFINITY, NAN};
  const int count = count_of(f);
  size_t n = 0, i;
  int code;
  for (code = 1; code <= count; code++) {
    const double low = value_of(f, code - 1);
    const double high = code < count ? value_of(f, code) : 2 * low - value_of(f, code - 2);
    const float middle = (float)((low + high) / 2);
    x[n++] = (float)low, x[n++] = nextafterf((float)low, INFINITY);
    x[n++] = nextafterf(middle, 0), x[n++] = middle, x[n++] = nextafterf(middle, INFINITY);
    x[n++] = nextafterf((float)high, 0);
  }
  for (i = 0; i < sizeof others / sizeof others[0]; i++) {
    x[n++] = others[i];
  }
  for (i = 0; i < n; i++) {
    x[n + i] = -x[i];
  }
  return 2 * n;
}

/* Reads, builds and runs a model of one input x and one output y, and frees it; false: a failure. */
static bool run_model(const char *what, message *m, const float *x, size_t count, void *y,
                      size_t bytes) {
  webnn_onnx_model *model = NULL;
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO;
  const bool good = webnn_onnx_read(m->bytes, m->length, NULL, NULL, &model, &error) == WEBNN_OK &&
                    webnn_onnx_build(model, context, &graph, &error) == WEBNN_OK &&
                    webnn_compute(context, graph, WEBNN_INPUTS({"x", x, count * 4}),
                                  WEBNN_OUTPUTS({"y", y, bytes}), &error) == WEBNN_OK;
  CHECK(what, good, "%s", error.message);
  webnn_free_graph(graph);
  webnn_onnx_free(model);
  free(m);
  return good;
}

/* Runs one node y = op(x, ...) on float32, whose results the type holds; false: a failure. */
static bool run(const char *what, message *n, const float *x, size_t count, webnn_onnx_type type,
                const char *constants, const float *scale, void *y, size_t bytes) {
  message *g = new_message();
  char dims[16];
  (void)snprintf(dims, sizeof dims, "%u", (unsigned)count);
  if (constants != NULL) {
    put_tensor(g, constants, 1, "", scale, 4);
  }
  put_and_free(g, 1, n);
  put_input(g, "x", 1, dims);
  put_output(g, "y", (int)type, dims);
  return run_model(what, model_of(g, 25), x, count, y, bytes);
}

static message *cast_to(webnn_onnx_type type, int saturate) {
  message *n = node("Cast", "", "x", "y");
  attribute_int(n, "to", (int)type);
  attribute_int(n, "saturate", saturate);
  return n;
}

static void test_casts(const format *f) {
  static float x[MOST], y[MOST];
  const size_t count = numbers_for(f, x);
  size_t i;
  int saturate;
  for (saturate = 0; saturate < 2; saturate++) {
    test_group c = test_group_begin(f->name);
    if (!run(f->name, cast_to(f->type, saturate), x, count, f->type, NULL, NULL, y, count * 4)) {
      return;
    }
    for (i = 0; i < count; i++) {
      const double expected = expected_of(f, (double)x[i], saturate != 0);
      SEE(&c, same((double)y[i], expected), "%.9g%s is %.9g, not %.9g", (double)x[i],
          saturate ? "" : " (saturate 0)", (double)y[i], expected);
    }
    test_group_end(&c);
  }
}

/* QuantizeLinear divides by the scale, and rounds the quotient. */
static void test_quantized(const format *f) {
  static float x[MOST], y[MOST];
  const float scale = 0.75f;
  const size_t count = numbers_for(f, x);
  message *n = node("QuantizeLinear", "", "x,scale", "y");
  test_group c = test_group_begin(f->name);
  size_t i;
  attribute_int(n, "output_dtype", (int)f->type);
  if (!run(f->name, n, x, count, f->type, "scale", &scale, y, count * 4)) {
    return;
  }
  for (i = 0; i < count; i++) {
    const double expected = expected_of(f, (double)(float)(x[i] / scale), true);
    SEE(&c, same((double)y[i], expected), "%.9g / 0.75 is %.9g, not %.9g", (double)x[i],
        (double)y[i], expected);
  }
  test_group_end(&c);
}

/* y = DequantizeLinear(w, scale), of one weight of each code; x is added so that there is an input. */
static void test_dequantized(webnn_onnx_type type, const char *name, const uint8_t *codes,
                             size_t length, size_t count, const float *values) {
  static float x[256], y[256];
  const float scale = 0.375f;
  message *g = new_message();
  char dims[16];
  test_group c = test_group_begin(name);
  size_t i;
  (void)snprintf(dims, sizeof dims, "%u", (unsigned)count);
  put_tensor(g, "w", (int)type, dims, codes, length);
  put_tensor(g, "scale", 1, "", &scale, 4);
  put_node(g, "DequantizeLinear", "", "w,scale", "v");
  put_node(g, "Add", "", "v,x", "y");
  put_input(g, "x", 1, dims);
  put_output(g, "y", 1, dims);
  if (!run_model(name, model_of(g, 25), x, count, y, count * 4)) {
    return;
  }
  for (i = 0; i < count; i++) {
    const double expected = (double)(values[i] * scale);
    SEE(&c, y[i] == (float)expected || (expected != expected && y[i] != y[i]),
        "code %u times 0.375 is %.9g, not %.9g", (unsigned)i, (double)y[i], expected);
  }
  test_group_end(&c);
}

static void test_weights(const format *f) {
  uint8_t codes[256];
  float values[256];
  const size_t count = (size_t)1 << f->bits;
  put_codes(f, codes);
  (void)webnn_onnx_to_graph_type(f->type, codes, count, values);
  test_dequantized(f->type, f->name, codes, count * (size_t)f->bits / 8, count, values);
}

/* E8M0: a code is the exponent of a power of two. */
static void test_exponents(void) {
  static const char *const modes[] = {"up", "down", "nearest"};
  static float x[MOST], y[MOST], values[256];
  uint8_t codes[256];
  size_t count = 0, i;
  int code, mode, saturate;
  test_group c = test_group_begin("float8e8m0");
  for (code = 0; code < 256; code++) {
    const float power = (float)ldexp(1, code - 127);
    codes[code] = (uint8_t)code;
    if (code < 255) {
      x[count++] = power, x[count++] = power * 1.5f, x[count++] = nextafterf(power, INFINITY);
      x[count++] = nextafterf(power * 1.5f, 0), x[count++] = nextafterf(power * 2, 0);
    }
  }
  x[count++] = INFINITY, x[count++] = NAN, x[count++] = 0, x[count++] = 1e-40f;
  (void)webnn_onnx_to_graph_type(WEBNN_ONNX_FLOAT8E8M0, codes, 256, values);
  for (code = 0; code < 256; code++) {
    SEE(&c, same((double)values[code], code == 255 ? NAN : ldexp(1, code - 127)), "code %d is %g",
        code, (double)values[code]);
  }
  test_group_end(&c);
  test_dequantized(WEBNN_ONNX_FLOAT8E8M0, "float8e8m0", codes, 255, 255, values);
  for (mode = 0; mode < 6; mode++) {
    message *n = cast_to(WEBNN_ONNX_FLOAT8E8M0, saturate = mode / 3);
    message *a = new_message();
    put_text(a, 1, "round_mode");
    put_text(a, 4, modes[mode % 3]);
    put_integer(a, 20, 3);
    put_and_free(n, 5, a);
    if (!run("float8e8m0", n, x, count, WEBNN_ONNX_FLOAT8E8M0, NULL, NULL, y, count * 4)) {
      return;
    }
    c = test_group_begin("float8e8m0");
    for (i = 0; i < count; i++) {
      int exponent = 0;
      const double part = x[i] > 0 && x[i] <= FLT_MAX ? frexp((double)x[i], &exponent) : 1;
      const bool up = part > 0.5 && (mode % 3 == 0 || (mode % 3 == 2 && part >= 0.75));
      double expected = x[i] != x[i] ? NAN : ldexp(1, exponent - 1 + up);
      expected = x[i] > FLT_MAX ? INFINITY : x[i] == 0 ? 0 : expected;
      if (expected < ldexp(1, -127) || expected > ldexp(1, 127)) {
        expected = !saturate ? NAN : ldexp(1, expected > 1 ? 127 : -127);
      }
      SEE(&c, same((double)y[i], expected), "%.9g %s%s is %.9g, not %.9g", (double)x[i],
          modes[mode % 3], saturate ? "" : " (saturate 0)", (double)y[i], expected);
    }
    test_group_end(&c);
  }
}

/* int2 and uint2: read from bytes of four, cast from floats, quantized, dequantized. */
static void test_two_bits(webnn_onnx_type type, const char *name, int low) {
  static const uint8_t codes[2] = {0xE4, 0x1B}; /* 0 1 2 3, 3 2 1 0 */
  static const float x[8] = {-5, -2, -1, 0, 1, 2, 3, 1.75f};
  const float scale = 0.5f;
  int8_t values[8], y[8];
  float numbers[8];
  message *n = node("QuantizeLinear", "", "x,scale", "y");
  test_group c = test_group_begin(name);
  size_t i;
  CHECK(name, webnn_onnx_to_graph_type(type, codes, 8, values), "%s", "is not converted");
  for (i = 0; i < 8; i++) {
    int code = (int)(i < 4 ? i : 7 - i);
    code = low < 0 && code > 1 ? code - 4 : code;
    SEE(&c, values[i] == code, "element %u is %d, not %d", (unsigned)i, values[i], code);
    numbers[i] = (float)code;
  }
  test_group_end(&c);
  test_dequantized(type, name, codes, 2, 8, numbers);
  if (run(name, cast_to(type, 1), x, 8, type, NULL, NULL, y, 8)) {
    c = test_group_begin(name);
    for (i = 0; i < 8; i++) { /* the two low bits of the nearest integer */
      const int low_bits = (int)nearbyint((double)x[i]) & 3;
      const int expected = low < 0 && low_bits > 1 ? low_bits - 4 : low_bits;
      SEE(&c, y[i] == expected, "a cast of %g is %d, not %d", (double)x[i], y[i], expected);
    }
    test_group_end(&c);
  }
  attribute_int(n, "output_dtype", (int)type);
  if (run(name, n, x, 8, type, "scale", &scale, y, 8)) {
    c = test_group_begin(name);
    for (i = 0; i < 8; i++) {
      double expected = nearbyint((double)x[i] / 0.5);
      expected = expected < low ? low : expected > low + 3 ? low + 3 : expected;
      SEE(&c, y[i] == (int)expected, "%g / 0.5 is %d, not %g", (double)x[i], y[i], expected);
    }
    test_group_end(&c);
  }
}

/* Between integers a cast keeps the low bits: of all numbers of 4 bits, to each integer type but those of 32 and
   64 bits without a sign, which float32 does not hold. */
static void test_integer_casts(webnn_onnx_type from, int low) {
  static const struct {
    webnn_onnx_type type;
    int bits;
    bool is_signed;
  } types[] = {{WEBNN_ONNX_UINT8, 8, false},   {WEBNN_ONNX_INT8, 8, true},
               {WEBNN_ONNX_UINT16, 16, false}, {WEBNN_ONNX_INT16, 16, true},
               {WEBNN_ONNX_INT32, 32, true},   {WEBNN_ONNX_INT64, 64, true},
               {WEBNN_ONNX_UINT4, 4, false},   {WEBNN_ONNX_INT4, 4, true},
               {WEBNN_ONNX_UINT2, 2, false},   {WEBNN_ONNX_INT2, 2, true}};
  static const uint8_t codes[8] = {0x10, 0x32, 0x54, 0x76, 0x98, 0xBA, 0xDC, 0xFE};
  static const float zeros[16];
  float y[16];
  size_t t, i;
  for (t = 0; t < sizeof types / sizeof types[0]; t++) {
    message *g = new_message(), *first = node("Cast", "", "w", "v"), *second;
    char what[64];
    test_group c;
    attribute_int(first, "to", (int)types[t].type);
    second = node("Cast", "", "v", "u");
    attribute_int(second, "to", (int)WEBNN_ONNX_FLOAT);
    put_tensor(g, "w", (int)from, "16", codes, 8);
    put_and_free(g, 1, first);
    put_and_free(g, 1, second);
    put_node(g, "Add", "", "u,x", "y");
    put_input(g, "x", 1, "16");
    put_output(g, "y", 1, "16");
    (void)snprintf(what, sizeof what, "%s to %s", webnn_onnx_type_name(from),
                   webnn_onnx_type_name(types[t].type));
    if (!run_model(what, model_of(g, 25), zeros, 16, y, sizeof y)) {
      continue;
    }
    c = test_group_begin(what);
    for (i = 0; i < 16; i++) {
      const int64_t number = low < 0 && i > 7 ? (int64_t)i - 16 : (int64_t)i;
      int64_t expected = number;
      if (types[t].bits < 32) {
        const int64_t size = (int64_t)1 << types[t].bits;
        expected = (number % size + size) % size;
        expected -= types[t].is_signed && expected >= size / 2 ? size : 0;
      }
      SEE(&c, y[i] == (float)expected, "%d becomes %.9g, not %d", (int)number, (double)y[i],
          (int)expected);
    }
    test_group_end(&c);
  }
}

int main(void) {
  webnn_error error = WEBNN_ZERO;
  webnn_context_options options = WEBNN_ZERO;
  int reference;
  size_t i;
  for (i = 0; i < FORMATS; i++) {
    test_codes(&formats[i]);
  }
  for (reference = 0; reference < 2; reference++) {
    options.numerics = reference ? WEBNN_NUMERICS_REFERENCE : WEBNN_NUMERICS_FAST;
    if (webnn_create_context(&options, &context, &error) != WEBNN_OK) {
      CHECK("a context", false, "%s", error.message);
      continue;
    }
    for (i = 0; i < FORMATS; i++) {
      test_casts(&formats[i]);
      test_quantized(&formats[i]);
      test_weights(&formats[i]);
    }
    test_exponents();
    test_two_bits(WEBNN_ONNX_UINT2, "uint2", 0);
    test_two_bits(WEBNN_ONNX_INT2, "int2", -2);
    test_integer_casts(WEBNN_ONNX_UINT4, 0);
    test_integer_casts(WEBNN_ONNX_INT4, -8);
    webnn_free_context(context);
  }
  return test_end();
}
