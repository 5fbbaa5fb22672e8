/* draw.h - pictures of handwritten digits out of nothing: training data that needs no download.

   Each digit has several styles. A style is what a hand does: strokes through a few points. For
   every picture the points are moved a little, the whole is slanted, turned, squeezed and bent, the
   pen gets a thickness and a softness, and the result is scaled and centred as the MNIST pictures
   are: the longer side of the digit 20 pixels, its centre of mass in the middle of 28 x 28. */
#ifndef EXAMPLES_DRAW_H
#define EXAMPLES_DRAW_H

#include "network.h"

enum { DIGIT_SIDE = 20 };

/* ---- Random numbers -------------------------------------------------------------------------- */

/* xorshift64*: a few lines, the same pictures on every machine. The state must not be 0. */
typedef struct random_state {
  uint64_t state;
} random_state;

static inline random_state random_from_seed(uint64_t seed) {
  random_state r = {seed * 0x9E3779B97F4A7C15u + 0xD1B54A32D192ED03u};
  if (r.state == 0)
    r.state = 1;
  return r;
}

static inline uint32_t random_bits(random_state *r) {
  r->state ^= r->state >> 12;
  r->state ^= r->state << 25;
  r->state ^= r->state >> 27;
  return (uint32_t)((r->state * 0x2545F4914F6CDD1Du) >> 32);
}

/* Evenly distributed between low and high. */
static inline float random_between(random_state *r, float low, float high) {
  return low + (high - low) * ((float)(random_bits(r) >> 8) * (1.0f / 16777216.0f));
}

/* Close to a normal distribution: the sum of uniform numbers, never beyond 3.5 deviations. */
static inline float random_normal(random_state *r, float mean, float deviation) {
  float sum = 0;
  for (int i = 0; i < 4; i++)
    sum += random_between(r, -1, 1);
  return mean + deviation * sum * 0.8660254f;
}

/* ---- Styles ---------------------------------------------------------------------------------- */

/* Points are "x,y" from 0 to 100, x to the right and y down. A smooth curve runs through them; "!"
   makes the point before it a corner, "/" lifts the pen. */
typedef struct draw_style {
  int digit;
  const char *strokes;
} draw_style;

static const draw_style draw_styles[] = {
    {0, "50,0 15,15 0,50 15,88 50,100 85,86 100,50 85,14 50,0"},
    {0, "50,0 15,15 0,50 15,88 50,100 85,86 100,50 85,14 50,0"},
    {0, "70,5 40,0 10,25 0,60 20,95 55,100 90,75 100,40 85,10 60,0 48,8 62,18"},
    {0, "60,2 20,10 0,55 25,97 65,97 98,60 92,20 70,5"},
    {0, "20,10 55,0 95,25 98,70 60,100 15,90 0,50 10,20 35,5"},

    {1, "50,0 50,100"},
    {1, "50,0 50,100"},
    {1, "56,0 50,50 46,100"},
    {1, "15,24 55,0! 55,100"},
    {1, "20,22 55,0! 55,100 / 10,100 95,100"},
    {1, "50,0 50,100 / 15,100 85,100"},

    {2, "5,25 20,5 50,0 80,10 88,30 70,60 30,85 0,100! 100,100"},
    {2, "5,22 30,2 65,0 88,22 75,55 40,82 10,98 0,88 12,76 35,82 65,98 100,95"},
    {2, "15,15 45,0 80,8 82,35 60,70 30,95 5,98 2,85 20,78 45,85 70,98 95,100"},
    {2, "10,10 60,0 90,25 60,65 5,98! 50,95 100,98"},
    {2, "5,30 25,5 60,0 90,20 80,50 45,78 5,98! 30,90 60,97 100,88"},
    {2, "20,8 55,0 85,15 80,45 50,80 20,96 5,92 8,82 25,82 50,92 60,98 80,100"},

    {3, "5,15 40,0 80,10 80,35 40,47! 85,55 98,78 70,98 30,100 0,88"},
    {3, "5,2 90,2! 40,42! 85,52 98,78 65,100 25,99 0,85"},
    {3, "5,15 45,0 85,12 78,36 45,50 35,46 45,43 82,58 95,80 60,100 20,97 0,85"},
    {3, "10,12 45,0 80,12 75,38 45,47! 78,56 90,78 60,98 10,95"},
    {3, "0,10 40,0 90,8 75,38 35,46! 65,50 85,72 60,98 20,100 0,90"},
    {3, "10,8 60,0 90,15 50,45! 95,65 85,90 40,100 0,95"},

    {4, "10,0 5,50! 95,50 / 75,0 72,100"},
    {4, "15,0 5,40 25,58 85,48 / 85,0 75,50 65,100"},
    {4, "68,100 72,0! 0,65! 100,62"},
    {4, "65,0 0,62! 100,62 / 65,0 65,100"},
    {4, "10,5 5,30 20,45 50,45 75,30 / 85,0 70,45 50,100"},
    {4, "10,0 0,45 40,55 85,40 90,0! 75,50 70,100"},
    {4, "20,0 0,55! 100,45 / 80,20 70,100"},
    {4, "5,12 2,30 20,42 55,36 88,0! 70,45 45,100"},
    {4, "30,0 10,30 15,50 50,50 90,35 / 90,5 70,60 60,100"},

    {5, "95,0 20,0! 12,42! 50,35 90,50 95,80 60,100 5,95"},
    {5, "20,0 12,42! 55,35 95,55 90,85 50,100 0,90 / 20,0 95,0"},
    {5, "90,0 40,2 20,8 12,40 50,42 85,60 80,90 40,100 0,88"},
    {5, "95,0 45,5 35,12 25,38! 60,38 95,55 90,88 50,100 0,82"},
    {5, "100,2 30,0! 15,45! 70,45 90,70 65,98 0,98"},
    {5, "90,2 55,4 35,5! 25,40! 60,45 85,65 75,90 45,100 20,92 0,80"},

    {6, "70,0 35,25 5,65 15,95 50,100 85,90 82,70 50,62 10,78"},
    {6, "60,0 20,35 0,75 30,100 75,95 95,78 70,60 30,65 10,80"},
    {6, "85,0 30,40 0,80 40,100 90,90 80,66 40,66 20,85"},
    {6, "80,10 60,0 25,20 3,60 15,95 55,100 92,85 80,64 40,62 8,76"},
    {6, "60,0 20,40 0,75 20,98 60,98 95,85 90,65 65,70 55,95"},
    {6, "50,0 20,30 5,70 20,98 60,98 80,80 60,66 30,72 15,88"},
    {6, "95,0 40,35 5,75 30,100 75,92 80,70 45,68 35,90"},

    {7, "0,5 95,5! 40,100"},
    {7, "0,5 95,5! 40,100 / 25,52 85,48"},
    {7, "5,25 8,5! 95,3! 55,50 40,100"},
    {7, "0,10 40,8 95,0! 70,40 50,100"},
    {7, "0,15 20,3 60,10 100,0! 60,50 45,100"},
    {7, "0,20 30,15 80,10 90,5! 75,50 60,100"},
    {7, "0,8 60,0 95,10 80,45 45,100"},
    {7, "3,22 8,5! 95,3! 50,100 / 25,50 90,46"},

    {8, "80,15 45,0 15,20 40,45 80,65 90,88 50,100 10,85 25,60 65,40 85,18"},
    {8, "80,15 45,0 15,20 40,45 80,65 90,88 50,100 10,85 25,60 65,40 85,18"},
    {8, "50,0 20,10 20,38 50,48 80,38 80,10 50,0 / 50,48 10,62 8,90 50,100 92,90 90,62 50,48"},
    {8, "10,22 25,3 65,0 98,18 85,40 50,55 15,72 8,94 30,100 48,85 40,66 25,52"},
    {8, "60,42 25,30 30,5 65,0 85,18 55,45 15,70 10,92 50,100 80,82 60,55 30,35"},
    {8, "90,5 50,0 20,15 35,40 75,60 90,85 50,100 8,88 20,62 60,42 95,15"},

    {9, "85,15 50,0 10,12 5,38 40,50 80,35 88,12! 82,100"},
    {9, "88,20 55,0 15,10 8,38 40,50 80,38 90,15 88,60 65,95 20,98"},
    {9, "85,25 60,2 15,10 5,35 40,52 85,25 / 88,5 80,100"},
    {9, "90,20 70,3 30,8 5,35 25,48 65,38 92,10! 75,60 65,100"},
    {9, "70,10 40,5 10,20 15,42 45,45 75,25 80,5! 78,50 80,100"},
    {9, "80,20 45,0 8,20 20,45 60,45 88,10! 70,55 30,100"},
};

enum { STYLE_COUNT = sizeof draw_styles / sizeof draw_styles[0] };

/* ---- From a style to a line of short segments ------------------------------------------------ */

typedef struct draw_point {
  float x, y;
  bool corner; /* in control points: the curve has no tangent here */
  bool last;   /* the pen is lifted after this point */
} draw_point;

enum { CONTROL_POINTS = 32, STEPS = 8, LINE_POINTS = CONTROL_POINTS * STEPS + 1 };

/* The points of a style; each is moved a little, as no hand hits the same spot twice. */
static inline int draw_control_points(const char *text, random_state *r, float wobble,
                                      draw_point *points) {
  int count = 0;
  while (*text && count < CONTROL_POINTS) {
    char *end;
    draw_point p = {0, 0, false, false};
    p.x = (float)strtol(text, &end, 10) + random_normal(r, 0, wobble);
    p.y = (float)strtol(end + 1, &end, 10) + random_normal(r, 0, wobble);
    p.corner = *end == '!';
    end += strspn(end, "! ");
    p.last = *end == '/' || *end == 0;
    text = end + strspn(end, "/ ");
    points[count++] = p;
  }
  return count;
}

/* The tangent at point i of a Catmull-Rom curve: parallel to the line between its neighbours. At
   the ends and at corners it points to the only neighbour on that side. */
static inline draw_point draw_tangent(const draw_point *p, int i, bool first, bool leaving) {
  const draw_point *before = first || (leaving && p[i].corner) ? &p[i] : &p[i - 1];
  const draw_point *after = p[i].last || (!leaving && p[i].corner) ? &p[i] : &p[i + 1];
  draw_point t = {(after->x - before->x) * 0.5f, (after->y - before->y) * 0.5f, false, false};
  return t;
}

/* Hermite's cubic between each two control points, in STEPS straight pieces. */
static inline int draw_curve(const draw_point *p, int count, draw_point *line) {
  int n = 0;
  bool first = true;
  for (int i = 0; i < count; i++) {
    line[n++] = p[i];
    if (!p[i].last) {
      draw_point a = draw_tangent(p, i, first, true), b = draw_tangent(p, i + 1, false, false);
      for (int k = 1; k < STEPS; k++) {
        float t = (float)k / STEPS, u = 1 - t;
        float from = u * u * (1 + 2 * t), to = t * t * (3 - 2 * t), out = t * u * u,
              in = -t * t * u;
        draw_point q = {from * p[i].x + to * p[i + 1].x + out * a.x + in * b.x,
                        from * p[i].y + to * p[i + 1].y + out * a.y + in * b.y, false, false};
        line[n++] = q;
      }
    }
    first = p[i].last;
  }
  return n;
}

/* Squeezes, slants, turns and bends the line. */
static inline void draw_distort(draw_point *line, int count, random_state *r) {
  float width = random_between(r, 0.5f, 0.95f);
  float slant = random_normal(r, 0.2f, 0.22f), turn = random_normal(r, 0, 0.08f);
  float across = (float)cosine(turn), along = (float)sine(turn);
  float bend_x = random_normal(r, 0, 4), phase_x = random_between(r, 0, 6.28f);
  float bend_y = random_normal(r, 0, 4), phase_y = random_between(r, 0, 6.28f);
  float swell = random_normal(r, 0, 0.12f); /* the upper half larger or smaller than the lower */
  for (int i = 0; i < count; i++) {
    float x = line[i].x - 50, y = line[i].y - 50;
    float grow = 1 + swell * y / 50;
    x = (x * grow + bend_x * (float)sine(y * 0.05f + phase_x)) * width;
    y += bend_y * (float)sine(x * 0.05f + phase_y) + swell * 0.25f * (y * y / 50 - 50);
    x -= slant * y;
    line[i].x = x * across - y * along;
    line[i].y = x * along + y * across;
  }
}

/* Scales the line so that the inked box has the given longer side, in the middle of the picture. */
static inline void draw_fit(draw_point *line, int count, float side, float thickness) {
  float x0 = line[0].x, x1 = x0, y0 = line[0].y, y1 = y0;
  for (int i = 1; i < count; i++) {
    x0 = line[i].x < x0 ? line[i].x : x0;
    x1 = line[i].x > x1 ? line[i].x : x1;
    y0 = line[i].y < y0 ? line[i].y : y0;
    y1 = line[i].y > y1 ? line[i].y : y1;
  }
  float longer = x1 - x0 > y1 - y0 ? x1 - x0 : y1 - y0;
  float scale = (side - thickness) / (longer > 1 ? longer : 1);
  for (int i = 0; i < count; i++) {
    line[i].x = (line[i].x - (x0 + x1) / 2) * scale + IMAGE_SIDE / 2.0f;
    line[i].y = (line[i].y - (y0 + y1) / 2) * scale + IMAGE_SIDE / 2.0f;
  }
}

/* ---- From the line to pixels ----------------------------------------------------------------- */

/* The squared distance from (x, y) to the segment ab. */
static inline float draw_distance(float x, float y, const draw_point *a, const draw_point *b) {
  float dx = b->x - a->x, dy = b->y - a->y, length = dx * dx + dy * dy;
  float t = length > 0 ? ((x - a->x) * dx + (y - a->y) * dy) / length : 0;
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  float ex = a->x + t * dx - x, ey = a->y + t * dy - y;
  return ex * ex + ey * ey;
}

/* Lowers the pixels' squared distances near one segment. */
static inline void draw_segment(float *distances, const draw_point *a, const draw_point *b,
                                float reach) {
  int x0 = (int)((a->x < b->x ? a->x : b->x) - reach),
      x1 = (int)((a->x > b->x ? a->x : b->x) + reach);
  int y0 = (int)((a->y < b->y ? a->y : b->y) - reach),
      y1 = (int)((a->y > b->y ? a->y : b->y) + reach);
  for (int y = y0 < 0 ? 0 : y0; y <= y1 && y < IMAGE_SIDE; y++)
    for (int x = x0 < 0 ? 0 : x0; x <= x1 && x < IMAGE_SIDE; x++) {
      float d = draw_distance((float)x + 0.5f, (float)y + 0.5f, a, b);
      float *least = &distances[y * IMAGE_SIDE + x];
      *least = d < *least ? d : *least;
    }
}

/* The pen: full inside the radius, falling to 0 over `softness` pixels. */
static inline void draw_ink(const draw_point *line, int count, float radius, float softness,
                            float *pixels) {
  float reach = radius + softness;
  for (int i = 0; i < IMAGE_PIXELS; i++)
    pixels[i] = reach * reach;
  for (int i = 0; i < count; i++)
    if (!line[i].last)
      draw_segment(pixels, &line[i], &line[i + 1], reach);
  for (int i = 0; i < IMAGE_PIXELS; i++) {
    float ink = (radius - (float)square_root(pixels[i])) / softness + 0.5f;
    pixels[i] = ink < 0 ? 0 : ink > 1 ? 1 : ink;
  }
}

/* Moves the picture by whole pixels so that its centre of mass is in the middle. */
static inline void center_by_mass(float *pixels) {
  float mass = 0, mass_x = 0, mass_y = 0;
  for (int i = 0; i < IMAGE_PIXELS; i++) {
    mass += pixels[i];
    mass_x += pixels[i] * ((float)(i % IMAGE_SIDE) + 0.5f);
    mass_y += pixels[i] * ((float)(i / IMAGE_SIDE) + 0.5f);
  }
  if (mass <= 0)
    return;
  /* + 0.5 and + 64 - 64 round to nearest without a call, also below 0. */
  int shift_x = (int)(IMAGE_SIDE / 2.0f - mass_x / mass + 64.5f) - 64;
  int shift_y = (int)(IMAGE_SIDE / 2.0f - mass_y / mass + 64.5f) - 64;
  float moved[IMAGE_PIXELS] = {0};
  for (int y = 0; y < IMAGE_SIDE; y++)
    for (int x = 0; x < IMAGE_SIDE; x++) {
      int from_x = x - shift_x, from_y = y - shift_y;
      if (from_x >= 0 && from_x < IMAGE_SIDE && from_y >= 0 && from_y < IMAGE_SIDE)
        moved[y * IMAGE_SIDE + x] = pixels[from_y * IMAGE_SIDE + from_x];
    }
  memcpy(pixels, moved, sizeof moved);
}

/* Uneven ink and a little noise on it; the paper stays clean, as in MNIST. */
static inline void draw_noise(float *pixels, random_state *r) {
  float strength = random_between(r, 0, 0.15f);
  for (int i = 0; i < IMAGE_PIXELS; i++)
    if (pixels[i] > 0) {
      float ink = pixels[i] + random_normal(r, 0, strength) * pixels[i];
      pixels[i] = ink < 0 ? 0 : ink > 1 ? 1 : ink;
    }
}

/* One picture in the given style, 0 (paper) to 1 (ink). */
static inline void draw_in_style(const draw_style *style, random_state *r, float *pixels) {
  draw_point points[CONTROL_POINTS], line[LINE_POINTS];
  int count = draw_control_points(style->strokes, r, random_between(r, 1, 7), points);
  count = draw_curve(points, count, line);
  draw_distort(line, count, r);
  float thickness = random_between(r, 1.5f, 4.2f);
  draw_fit(line, count, random_between(r, DIGIT_SIDE - 1.0f, DIGIT_SIDE + 0.5f), thickness);
  draw_ink(line, count, thickness / 2, random_between(r, 0.8f, 2.0f), pixels);
  draw_noise(pixels, r);
  center_by_mass(pixels);
}

/* One picture of a digit in one of its styles. */
static inline void draw_digit(int digit, random_state *r, float *pixels) {
  int style;
  do
    style = (int)(random_bits(r) % STYLE_COUNT);
  while (draw_styles[style].digit != digit);
  draw_in_style(&draw_styles[style], r, pixels);
}

#endif
