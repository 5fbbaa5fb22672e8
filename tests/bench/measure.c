/* measure.c - times of interleaved runners, and the differences between their results. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>

/* ---- Times -------------------------------------------------------------------------------------
 */

static double time_runs(runner *r, uint32_t runs) {
  double start = seconds();
  for (uint32_t i = 0; i < runs; i++)
    r->run(r->state);
  if (r->finish)
    r->finish(r->state);
  return seconds() - start;
}

double time_once(runner *r) {
  return time_runs(r, 1);
}

typedef struct series {
  double *samples; /* seconds of one run each */
  size_t count, capacity;
  double total;
  uint32_t runs; /* in one sample, so that the time of the clock, or of waiting, is lost in it */
} series;

static void add_sample(series *s, runner *r) {
  double time = time_runs(r, s->runs);
  if (s->count == s->capacity) {
    s->capacity = s->capacity ? 2 * s->capacity : 64;
    s->samples = (double *)realloc(s->samples, s->capacity * sizeof(double));
    if (!s->samples)
      fail("no memory for samples");
  }
  s->samples[s->count++] = time / s->runs;
  s->total += time;
}

/* A turn: some samples after each other, because what ran before has left its traces in the caches
   and its threads spinning. */
static void take_turn(series *s, runner *r, uint32_t threads, double slice) {
  if (!r->finish)
    settle(threads);
  double start = seconds(), total = s->total;
  size_t before = s->count;
  add_sample(s, r);
  if (s->samples[before] * s->runs < slice / 4) { /* cheap enough to warm up with */
    s->count = before;
    s->total = total;
  }
  while (s->count == before || seconds() - start < slice)
    add_sample(s, r);
}

/* A GPU that had nothing to do takes its time to raise its clock: seconds. */
#ifndef WARM_UP
#define WARM_UP 0.25
#endif

static void warm_up(runner *r) {
  double start = seconds();
  while (seconds() - start < WARM_UP)
    time_runs(r, 8);
}

void measure(runner *runners, const double *first, int count, uint32_t threads, patience p,
             double *medians) {
  series *all = (series *)allocate((size_t)count * sizeof *all);
  for (int i = 0; i < count; i++) {
    medians[i] = first[i];
    if (first[i] < 0 || first[i] > p.budget)
      continue;
    if (runners[i].finish)
      warm_up(&runners[i]);
    double time = time_once(&runners[i]); /* the first run was slow for other reasons */
    double least = runners[i].finish ? 2e-3 : 20e-6;
    all[i].runs = time < least ? (uint32_t)(least / (time + 1e-9)) + 1 : 1;
  }
  for (bool more = true; more;) {
    more = false;
    for (int i = 0; i < count; i++)
      if (all[i].runs && all[i].total < p.min_time) {
        take_turn(&all[i], &runners[i], threads, p.min_time / 8);
        more = true;
      }
  }
  for (int i = 0; i < count; i++) {
    if (all[i].count) {
      medians[i] = median(all[i].samples, all[i].count);
      if (p.fastest)
        medians[i] = all[i].samples[0]; /* sorted by now */
    }
    free(all[i].samples);
  }
  free(all);
}

/* ---- Differences -------------------------------------------------------------------------------
 */

static double element(webnn_data_type type, const void *data, size_t i) {
  switch (type) {
  case WEBNN_FLOAT32:
    return (double)((const float *)data)[i];
  case WEBNN_FLOAT16:
    return (double)webnn_float16_to_float32(((const uint16_t *)data)[i]);
  case WEBNN_INT32:
    return ((const int32_t *)data)[i];
  case WEBNN_INT64:
    return (double)((const int64_t *)data)[i];
  case WEBNN_INT8:
    return ((const int8_t *)data)[i];
  default:
    return ((const uint8_t *)data)[i];
  }
}

static bool is_real(webnn_data_type type) {
  return type == WEBNN_FLOAT32 || type == WEBNN_FLOAT16;
}

bool integer_outputs(const graph *g) {
  return !is_real(g->values[g->outputs[0]].type);
}

static double compare_output(const value_info *v, const void *a, const void *b) {
  double difference = 0, largest = 0;
  for (size_t i = 0, count = element_count(&v->shape); i < count; i++) {
    double x = element(v->type, a, i), y = element(v->type, b, i);
    if (!isfinite(x) || !isfinite(y))
      return INFINITY; /* no case has such results */
    difference = fmax(difference, fabs(x - y));
    largest = fmax(largest, fmax(fabs(x), fabs(y)));
  }
  return is_real(v->type) && largest > 0 ? difference / largest : difference;
}

double compare(const graph *g, const runner *a, const runner *b) {
  double worst = 0;
  for (int i = 0; i < g->output_count; i++)
    worst = fmax(worst, compare_output(&g->values[g->outputs[i]], a->outputs[i], b->outputs[i]));
  return worst;
}
