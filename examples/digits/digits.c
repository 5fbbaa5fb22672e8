/* digits.c - reads pictures of handwritten digits.

   It shows a small network from weights in a file to probabilities on the screen: reading the
   weights, making them constants, building once, then one dispatch for each picture.

   Build and run:   cc -I../.. -pthread digits.c -o digits && ./digits weights.bin images/3.pgm
   Pictures:        PGM (P2, P5) of any size, dark on light or light on dark, one digit in each;
                    IDX with one or many images, such as the files of MNIST
   On the GPU:      compiled with -DUSE_VULKAN (and -ldl with an old C library), the first argument
                    --vulkan; see docs/vulkan.md
   Read next:       network.h, the network; train.c, how it learned; ../lenet/lenet.c, a well-known
                    network with somebody else's weights. */
#define WEBNN_IMPLEMENTATION
#include "webnn.h"

#include "network.h"

/* ---- Pictures as the network wants them ---------------------------------------------------------

   It was trained on digits whose longer side is 20 pixels, light on dark, the centre of mass in the
   middle of 28 x 28 pixels. */

/* The digit becomes 0 (paper) to 1 (ink), whatever the two looked like. The paper is what lies
   along the border. False if the picture is all one colour. */
static bool paper_to_zero(picture *image) {
  size_t w = image->width, h = image->height;
  double border = 0;
  for (size_t x = 0; x < w; x++)
    border += image->pixels[x] + image->pixels[(h - 1) * w + x];
  for (size_t y = 0; y < h; y++)
    border += image->pixels[y * w] + image->pixels[y * w + w - 1];
  float paper = (float)(border / (double)(2 * (w + h))), ink = paper;
  for (size_t i = 0; i < w * h; i++) {
    float v = image->pixels[i];
    if ((v - paper) * (v - paper) > (ink - paper) * (ink - paper))
      ink = v;
  }
  if ((ink - paper) * (ink - paper) < 0.01f)
    return false;
  for (size_t i = 0; i < w * h; i++) {
    float v = (image->pixels[i] - paper) / (ink - paper);
    image->pixels[i] = v < 0.1f ? 0 : v; /* paper is never quite even */
  }
  return true;
}

typedef struct box {
  double x, y, side; /* left, top, length of the longer side */
} box;

/* The square that takes 28 of the network's pixels where the digit's longer side takes 20. */
static box frame_digit(const picture *image) {
  size_t x0 = image->width, x1 = 0, y0 = image->height, y1 = 0;
  for (size_t y = 0; y < image->height; y++)
    for (size_t x = 0; x < image->width; x++)
      if (image->pixels[y * image->width + x] > 0.2f) {
        x0 = x < x0 ? x : x0;
        x1 = x + 1 > x1 ? x + 1 : x1;
        y0 = y < y0 ? y : y0;
        y1 = y + 1;
      }
  double longer = (double)(x1 - x0 > y1 - y0 ? x1 - x0 : y1 - y0);
  double side = longer * IMAGE_SIDE / 20;
  box b = {(double)(x0 + x1) / 2 - side / 2, (double)(y0 + y1) / 2 - side / 2, side};
  return b;
}

/* How much of the pixel from i to i + 1 lies between low and high. */
static double covered(double i, double low, double high) {
  double from = low > i ? low : i, to = high < i + 1 ? high : i + 1;
  return to > from ? to - from : 0;
}

/* The mean of the picture over a rectangle; outside the picture is paper. */
static float mean_over(const picture *image, double x0, double y0, double x1, double y1) {
  double sum = 0;
  for (double y = y0 > 0 ? (double)(size_t)y0 : 0; y < y1 && y < (double)image->height; y++)
    for (double x = x0 > 0 ? (double)(size_t)x0 : 0; x < x1 && x < (double)image->width; x++)
      sum += (double)image->pixels[(size_t)y * image->width + (size_t)x] * covered(y, y0, y1) *
             covered(x, x0, x1);
  return (float)(sum / ((x1 - x0) * (y1 - y0)));
}

static void sample_box(const picture *image, box b, float *pixels) {
  double step = b.side / IMAGE_SIDE;
  for (int y = 0; y < IMAGE_SIDE; y++)
    for (int x = 0; x < IMAGE_SIDE; x++)
      pixels[y * IMAGE_SIDE + x] = mean_over(image, b.x + x * step, b.y + y * step,
                                             b.x + (x + 1) * step, b.y + (y + 1) * step);
}

/* Moves the box so that the centre of mass of what it shows is in its middle. */
static box center_box(box b, const float *pixels) {
  double mass = 0, x = 0, y = 0;
  for (int i = 0; i < IMAGE_PIXELS; i++) {
    mass += (double)pixels[i];
    x += (double)pixels[i] * (i % IMAGE_SIDE + 0.5);
    y += (double)pixels[i] * (i / IMAGE_SIDE + 0.5);
  }
  if (mass > 0) {
    b.x += (x / mass / IMAGE_SIDE - 0.5) * b.side;
    b.y += (y / mass / IMAGE_SIDE - 0.5) * b.side;
  }
  return b;
}

/* False if there is nothing to see. */
static bool normalize(picture *image, float *pixels) {
  if (!paper_to_zero(image))
    return false;
  box b = frame_digit(image);
  sample_box(image, b, pixels);
  sample_box(image, center_box(b, pixels), pixels);
  return true;
}

/* ---- The network ----------------------------------------------------------------------------- */

typedef struct digit_reader {
  webnn_context *context;
  webnn_graph *graph;
} digit_reader;

static digit_reader open_reader(const char *weights_path, bool on_gpu) {
  digit_reader reader;
  reader.context = open_context(on_gpu);
  reader.graph = load_network(reader.context, weights_path);
  return reader;
}

static void run_reader(const digit_reader *reader, const float *pixels, float *probabilities) {
  webnn_error error = WEBNN_ZERO;
  check(webnn_compute(reader->context, reader->graph,
                      WEBNN_INPUTS({"image", pixels, IMAGE_PIXELS * sizeof *pixels}),
                      WEBNN_OUTPUTS({"probabilities", probabilities, DIGITS * sizeof(float)}),
                      &error),
        &error);
}

static void close_reader(digit_reader *reader) {
  webnn_free_graph(reader->graph);
  webnn_free_context(reader->context);
}

/* ---- The screen ------------------------------------------------------------------------------ */

static void print_chart(const float *probabilities) {
  for (int digit = 0; digit < DIGITS; digit++) {
    int length = (int)(probabilities[digit] * 50 + 0.5f);
    printf("  %d %5.1f%%%s", digit, (double)probabilities[digit] * 100, length > 0 ? " " : "");
    while (length-- > 0)
      putchar('#');
    putchar('\n');
  }
}

/* Reads one digit and prints what was seen. */
static void read_digit(const digit_reader *reader, const char *name, const float *pixels) {
  float probabilities[DIGITS];
  double start = seconds();
  run_reader(reader, pixels, probabilities);
  double time = seconds() - start;
  int best = 0;
  for (int digit = 1; digit < DIGITS; digit++)
    if (probabilities[digit] > probabilities[best])
      best = digit;
  printf("%s: %d (%.2f ms)\n", name, best, time * 1000);
  print_chart(probabilities);
}

static void read_picture(const digit_reader *reader, const char *name, picture *image) {
  float pixels[IMAGE_PIXELS];
  if (normalize(image, pixels))
    read_digit(reader, name, pixels);
  else
    printf("%s: nothing is drawn there\n", name);
}

static void read_pgm_file(const digit_reader *reader, const char *path) {
  picture image = read_pnm(path);
  if (image.channels != 1)
    fail("%s: a picture in colour; convert it to PGM", path);
  read_picture(reader, path, &image);
  free(image.pixels);
}

/* Images of 28 x 28 in IDX files are taken to be centred already. */
static void read_idx_file(const digit_reader *reader, const char *path) {
  idx_images images = read_idx(path);
  size_t count = images.width * images.height;
  picture image = {images.width, images.height, 1, (float *)allocate(count, sizeof(float))};
  for (size_t n = 0; n < images.count; n++) {
    char name[256];
    snprintf(name, sizeof name, images.count > 1 ? "%.200s[%lu]" : "%.200s", path,
             (unsigned long)n);
    for (size_t i = 0; i < count; i++)
      image.pixels[i] = (float)images.bytes[n * count + i] / 255.0f;
    if (images.width == IMAGE_SIDE && images.height == IMAGE_SIDE)
      read_digit(reader, name, image.pixels);
    else
      read_picture(reader, name, &image);
  }
  free(image.pixels);
  free(images.bytes);
}

int main(int argc, char **argv) {
  bool on_gpu = takes_vulkan(&argc, argv);
  if (argc < 3)
    fail("usage: digits [--vulkan] weights.bin picture ... (PGM or IDX)");
  digit_reader reader = open_reader(argv[1], on_gpu);
  for (int i = 2; i < argc; i++)
    if (is_idx_file(argv[i]))
      read_idx_file(&reader, argv[i]);
    else
      read_pgm_file(&reader, argv[i]);
  close_reader(&reader);
  return 0;
}
