/* nsnet2.c - removes noise from speech with NSNet2, a network with two recurrent layers (GRU).

   It shows a whole signal path in one graph: the Fourier transform and its inverse are products
   with matrices of cosines and sines, and between them the network decides how much of each
   frequency to keep. Sound comes in pieces of half a second; the state of the recurrent layers goes
   from one piece to the next in tensors that the program never has to read.

   Build and run:   cc -O2 -I../.. -pthread nsnet2.c -o nsnet2 && ./nsnet2 FOLDER
                    FOLDER has the .npy files; cleans FOLDER/noisy_16k.wav into clean.wav
                    ./nsnet2 FOLDER in.wav out.wav   for others (16-bit, one channel, 16 kHz)
   Read next:       ../../docs/guide.md */
#define WEBNN_IMPLEMENTATION
#include "webnn.h"

#include "../common.h"

enum {
  RATE = 16000,
  FRAME = 320, /* samples in a frame, 20 ms; each overlaps the next by half */
  HOP = FRAME / 2,
  BINS = FRAME / 2 + 1, /* frequencies from 0 to 8 kHz */
  FRAMES = 50,          /* frames in a piece */
  HIDDEN = 400
};

/* ---- The Fourier transform as matrices ------------------------------------------------------- */

typedef struct fourier {
  float window[FRAME];
  float cosines[FRAME * BINS], sines[FRAME * BINS]; /* [sample, frequency] */
  float inverse[BINS];                              /* weights of the frequencies in the inverse */
} fourier;

/* The frequencies between the first and the last stand for two of the full transform. The window is
   the square root of Hann's, (1 - cos(2a)) / 2 = sin(a)^2: used before and after the transform, it
   adds up to 1 where two frames overlap. */
static void fill_fourier(fourier *f) {
  float table[FRAME];
  for (int i = 0; i < FRAME; i++) {
    table[i] = (float)cosine(2 * PI * i / FRAME);
    f->window[i] = (float)sine(PI * i / (FRAME - 1));
  }
  f->window[FRAME - 1] = 0;
  for (int n = 0; n < FRAME; n++)
    for (int k = 0; k < BINS; k++) {
      f->cosines[n * BINS + k] = table[n * k % FRAME];
      f->sines[n * BINS + k] = table[(n * k + FRAME * 3 / 4) % FRAME]; /* sin x = cos(x - pi/2) */
    }
  for (int k = 0; k < BINS; k++)
    f->inverse[k] = (k == 0 || k == BINS - 1 ? 1.0f : 2.0f) / FRAME;
}

/* ---- The network ----------------------------------------------------------------------------- */

typedef struct model {
  webnn_builder *builder;
  const char *folder;
} model;

static webnn_operand *dense(const model *m, webnn_operand *x, const char *matrix,
                            const char *bias) {
  webnn_builder *b = m->builder;
  x = webnn_matmul(b, x, npy_constant(b, m->folder, matrix), NULL);
  return webnn_add(b, x, npy_constant(b, m->folder, bias), NULL);
}

/* One recurrent layer over [frames, 1, 400]. *state comes in as the hidden state before the piece
   and goes out as that after it. */
static webnn_operand *gru(const model *m, webnn_operand *x, const char *weight,
                          const char *recurrent_weight, const char *bias,
                          const char *recurrent_bias, webnn_operand **state) {
  webnn_builder *b = m->builder;
  webnn_operand *outputs[2]; /* the last state, and the states of all frames */
  webnn_gru_options options = {.bias = npy_constant(b, m->folder, bias),
                               .recurrent_bias = npy_constant(b, m->folder, recurrent_bias),
                               .initial_hidden_state = *state,
                               .return_sequence = true};
  webnn_gru(b, x, npy_constant(b, m->folder, weight), npy_constant(b, m->folder, recurrent_weight),
            FRAMES, HIDDEN, &options, outputs);
  *state = outputs[0];
  return webnn_squeeze(b, outputs[1], WEBNN_LIST(1), NULL); /* without the axis of directions */
}

/* From features [1, frames, frequencies] to gains of the same shape, 0 to 1. */
static webnn_operand *nsnet2(const model *m, webnn_operand *features, webnn_operand **state1,
                             webnn_operand **state2) {
  webnn_builder *b = m->builder;
  webnn_transpose_options swap = {.permutation = WEBNN_LIST(1, 0, 2)};
  webnn_operand *x = webnn_relu(b, dense(m, features, "172.npy", "fc_in_0_bias.npy"), NULL);
  x = webnn_transpose(b, x, &swap); /* webnn_gru wants the frames first */
  x = gru(m, x, "192.npy", "193.npy", "194_0.npy", "194_1.npy", state1);
  x = gru(m, x, "212.npy", "213.npy", "214_0.npy", "214_1.npy", state2);
  x = webnn_transpose(b, x, &swap);
  x = webnn_relu(b, dense(m, x, "215.npy", "fc_out_0_bias.npy"), NULL);
  x = webnn_relu(b, dense(m, x, "216.npy", "fc_out_2_bias.npy"), NULL);
  return webnn_sigmoid(b, dense(m, x, "217.npy", "fc_out_4_bias.npy"), NULL);
}

/* log10 of the power, at least -12. */
static webnn_operand *log_power(webnn_builder *b, webnn_operand *re, webnn_operand *im) {
  webnn_clamp_options floor = {.min_value = webnn_f64(1e-12)};
  webnn_linear_options to_base_10 = {.alpha = webnn_f64(0.43429448190325182765)};
  webnn_operand *power = webnn_add(b, webnn_mul(b, re, re, NULL), webnn_mul(b, im, im, NULL), NULL);
  return webnn_linear(b, webnn_log(b, webnn_clamp(b, power, &floor), NULL), &to_base_10);
}

/* From frames of sound to frames of cleaner sound, [frames, samples]. */
static webnn_graph *build_cleaner(webnn_context *context, const char *folder) {
  webnn_error error = WEBNN_ZERO;
  webnn_graph *graph;
  model m = {NULL, folder};
  fourier *f = (fourier *)allocate(1, sizeof *f);
  fill_fourier(f);
  check(webnn_create_builder(context, &m.builder, &error), &error);
  webnn_builder *b = m.builder;
  webnn_operand *samples =
      webnn_input(b, "samples", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, FRAMES, FRAME));
  webnn_operand *state1 = webnn_input(b, "state1", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1, 1, HIDDEN));
  webnn_operand *state2 = webnn_input(b, "state2", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1, 1, HIDDEN));
  const webnn_operand_descriptor matrix = WEBNN_DESCRIPTOR(WEBNN_FLOAT32, FRAME, BINS);
  webnn_operand *cosines = webnn_constant(b, matrix, f->cosines, sizeof f->cosines);
  webnn_operand *sines = webnn_constant(b, matrix, f->sines, sizeof f->sines);
  webnn_operand *window =
      webnn_constant(b, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, FRAME), f->window, sizeof f->window);
  webnn_operand *inverse =
      webnn_constant(b, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, BINS), f->inverse, sizeof f->inverse);

  webnn_operand *windowed = webnn_mul(b, samples, window, NULL);
  webnn_operand *re = webnn_matmul(b, windowed, cosines, NULL);
  webnn_operand *im = webnn_matmul(b, windowed, sines, NULL);
  webnn_operand *features =
      webnn_reshape(b, log_power(b, re, im), WEBNN_LIST(1, FRAMES, BINS), NULL);
  webnn_operand *gain = nsnet2(&m, features, &state1, &state2);
  webnn_clamp_options range = {.min_value = webnn_f64(1e-4),
                               .max_value = webnn_f64(1)}; /* -80 dB */
  gain = webnn_reshape(b, webnn_clamp(b, gain, &range), WEBNN_LIST(FRAMES, BINS), NULL);
  webnn_operand *scale = webnn_mul(b, gain, inverse, NULL);
  webnn_gemm_options back = {.b_transpose = true};
  webnn_operand *clean =
      webnn_add(b, webnn_gemm(b, webnn_mul(b, re, scale, NULL), cosines, &back),
                webnn_gemm(b, webnn_mul(b, im, scale, NULL), sines, &back), NULL);
  clean = webnn_mul(b, clean, window, NULL);
  check(webnn_build(
            b,
            WEBNN_NAMED_OPERANDS({"clean", clean}, {"new state1", state1}, {"new state2", state2}),
            &graph, &error),
        &error);
  webnn_free_builder(b);
  free(f);
  return graph;
}

/* ---- Sound in pieces ------------------------------------------------------------------------- */

/* Frame f holds the samples from (f - 1) HOP on; beyond both ends there is silence. */
static void cut_frames(const sound *s, size_t first_frame, float *frames) {
  for (size_t f = 0; f < FRAMES; f++)
    for (size_t i = 0; i < FRAME; i++) {
      size_t at = (first_frame + f) * HOP + i; /* one hop too far, as a size_t cannot be negative */
      frames[f * FRAME + i] = at >= HOP && at - HOP < s->count ? s->samples[at - HOP] : 0;
    }
}

static void add_frames(sound *s, size_t first_frame, const float *frames) {
  for (size_t f = 0; f < FRAMES; f++)
    for (size_t i = 0; i < FRAME; i++) {
      size_t at = (first_frame + f) * HOP + i;
      if (at >= HOP && at - HOP < s->count)
        s->samples[at - HOP] += frames[f * FRAME + i];
    }
}

static void clean_sound(webnn_context *context, webnn_graph *graph, const sound *noisy,
                        sound *clean) {
  static float frames[FRAMES * FRAME];
  webnn_error error = WEBNN_ZERO;
  webnn_tensor *in = new_tensor(context, WEBNN_LIST(FRAMES, FRAME));
  webnn_tensor *out = new_tensor(context, WEBNN_LIST(FRAMES, FRAME));
  webnn_tensor *state1[2], *state2[2]; /* a piece reads one and writes the other; 0 at first */
  for (int i = 0; i < 2; i++) {
    state1[i] = new_tensor(context, WEBNN_LIST(1, 1, HIDDEN));
    state2[i] = new_tensor(context, WEBNN_LIST(1, 1, HIDDEN));
  }
  int old = 0;
  for (size_t first = 0; first * HOP < noisy->count + HOP; first += FRAMES, old = 1 - old) {
    cut_frames(noisy, first, frames);
    check(webnn_write_tensor(context, in, frames, sizeof frames, &error), &error);
    check(webnn_dispatch(context, graph,
                         WEBNN_NAMED_TENSORS({"samples", in}, {"state1", state1[old]},
                                             {"state2", state2[old]}),
                         WEBNN_NAMED_TENSORS({"clean", out}, {"new state1", state1[1 - old]},
                                             {"new state2", state2[1 - old]}),
                         &error),
          &error);
    check(webnn_read_tensor(context, out, frames, sizeof frames, &error), &error);
    add_frames(clean, first, frames);
  }
  for (int i = 0; i < 2; i++) {
    webnn_free_tensor(state1[i]);
    webnn_free_tensor(state2[i]);
  }
  webnn_free_tensor(in);
  webnn_free_tensor(out);
}

/* ---- How much quieter? ----------------------------------------------------------------------- */

/* 10 log10(x), from ln x = 2 (z + z^3/3 + z^5/5 + ...) with z = (x - 1) / (x + 1). */
static double decibels(double x) {
  double result = 0, sum = 0;
  if (x < 1e-12)
    return -120;
  for (; x < 0.5; x *= 2)
    result -= 0.69314718055994530942;
  for (; x > 1.5; x /= 2)
    result += 0.69314718055994530942;
  double z = (x - 1) / (x + 1), power = z;
  for (int i = 1; i < 40; i += 2, power *= z * z)
    sum += power / i;
  return 4.3429448190325182765 * (result + 2 * sum);
}

typedef struct loudness {
  double before, after;
} loudness;

static int by_loudness(const void *a, const void *b) {
  double x = ((const loudness *)a)->before, y = ((const loudness *)b)->before;
  return (x > y) - (x < y);
}

/* Prints the mean power of `count` parts before and after. */
static void print_loudness(const char *what, const loudness *parts, size_t count) {
  loudness sum = {0, 0};
  for (size_t i = 0; i < count; i++) {
    sum.before += parts[i].before;
    sum.after += parts[i].after;
  }
  double before = decibels(sum.before / (double)count);
  double after = decibels(sum.after / (double)count);
  printf("%s: %.1f dB before, %.1f dB after: %+.1f dB\n", what, before, after, after - before);
}

/* Speech pauses, noise does not: the quietest fifth of the sound is noise, the loudest is speech.
 */
static void compare(const sound *noisy, const sound *clean) {
  size_t count = noisy->count / HOP, fifth = count / 5;
  if (fifth == 0)
    return;
  loudness *parts = (loudness *)allocate(count, sizeof *parts);
  for (size_t p = 0; p < count; p++) {
    loudness sum = {0, 0};
    for (size_t i = p * HOP; i < (p + 1) * HOP; i++) {
      sum.before += (double)noisy->samples[i] * (double)noisy->samples[i] / HOP;
      sum.after += (double)clean->samples[i] * (double)clean->samples[i] / HOP;
    }
    parts[p] = sum;
  }
  qsort(parts, count, sizeof *parts, by_loudness);
  print_loudness("pauses (quietest fifth)", parts, fifth);
  print_loudness("speech (loudest fifth) ", parts + count - fifth, fifth);
  free(parts);
}

int main(int argc, char **argv) {
  bool on_gpu = takes_vulkan(&argc, argv);
  if (argc != 2 && argc != 4)
    fail("usage: nsnet2 [--vulkan] FOLDER [in.wav out.wav]");
  char path[512];
  snprintf(path, sizeof path, argc == 4 ? "%.480s" : "%.480s/noisy_16k.wav",
           argv[argc == 4 ? 2 : 1]);
  sound noisy = read_wav(path);
  if (noisy.rate != RATE)
    fail("%s: %.0f samples per second, not 16000", path, (double)noisy.rate);
  sound clean = {RATE, noisy.count, (float *)allocate(noisy.count, sizeof(float))};
  memset(clean.samples, 0, clean.count * sizeof(float));

  double start = seconds();
  webnn_context *context = open_context(on_gpu);
  webnn_graph *graph = build_cleaner(context, argv[1]);
  double built = seconds();
  clean_sound(context, graph, &noisy, &clean);
  double done = seconds();
  write_wav(argc == 4 ? argv[3] : "clean.wav", &clean);
  compare(&noisy, &clean);
  printf("built in %.2f s; %.1f s of sound cleaned in %.2f s\n", built - start,
         (double)noisy.count / RATE, done - built);

  webnn_free_graph(graph);
  webnn_free_context(context);
  free(noisy.samples);
  free(clean.samples);
  return 0;
}
