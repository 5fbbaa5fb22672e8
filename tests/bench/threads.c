/* threads.c - what a network would take with more threads than this machine has processors.

   Networks are timed step by step with one thread. The plan for P threads says how each step is cut into slices
   and when sleepers are woken (it is webnn.h's own plan), and a model of a machine plays it: P threads that take
   slices one after the other from one counter, count them off on another, spin and sleep, and share the memory's
   speed. With two threads the model is held against the clock. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct options {
  const char *only;
  bool small;
  thread_counts threads;
  patience patience;
} options;

/* The machine of the model: nanoseconds, and bytes a nanosecond. */
typedef struct machine {
  double line;   /* a counter's cache line goes from one processor to another */
  double reader; /* so much longer for each thread that looks at it meanwhile */
  double signal; /* the system is asked to wake a thread */
  double wake;   /* until that thread runs */
  double spin;   /* a thread without work stays awake */
  double memory; /* of all threads together */
  double cache;  /* bytes: weights beyond are read from memory in each run */
} machine;

static machine the = {80, 2, 2500, 30000, 50000, 50, 32e6};

static const char usage[] =
    "usage: threads [options]\n"
    "  --only a,b      these networks (models --help has their names)\n"
    "  --threads 2,64  numbers of threads (default 2,4,8,16,64)\n"
    "  --small         networks of a tiny size\n"
    "  --min-time S    seconds to measure each for (default 1)\n"
    "  --line NS       a counter goes from one processor to another (default 80)\n"
    "  --reader NS     more for each thread that looks at it (default 2)\n"
    "  --signal NS     to ask the system to wake a thread (default 2500)\n"
    "  --wake NS       until it runs (default 30000)\n"
    "  --spin NS       a thread without work stays awake (default 50000, as webnn.h's)\n"
    "  --memory N      gigabytes a second of all threads together (default 50)\n"
    "  --cache N       megabytes of it that are shared (default 32)\n";

/* ---- The model --------------------------------------------------------------------------------- */

/* A thread: when it can take a slice. One that is asleep has no such time. */
typedef struct worker {
  double at;
  bool asleep;
} worker;

typedef struct team {
  worker *threads; /* the first is the caller's */
  uint32_t count;
  double untaken_free, unfinished_free; /* when the lines of the counters are */
  uint32_t missed;
} team;

/* A processor changes a counter that is free from `*free_at` on; returns when it has. */
static double change(const team *p, double at, double *free_at) {
  *free_at = fmax(at, *free_at) + the.line + the.reader * p->count;
  return *free_at;
}

static uint32_t put_to_sleep(team *p, double now) {
  uint32_t sleepers = 0;
  for (uint32_t i = 1; i < p->count; i++) {
    p->threads[i].asleep = p->threads[i].asleep || now - p->threads[i].at > the.spin;
    sleepers += p->threads[i].asleep;
  }
  return sleepers;
}

/* Who has run wakes two sleepers, the caller first. */
static void wake(team *p, double now, uint32_t wanted) {
  double *runs = (double *)allocate(((size_t)wanted + 1) * sizeof *runs);
  uint32_t woken = 0;
  runs[0] = now;
  for (uint32_t i = 1; i < p->count && woken < wanted; i++)
    if (p->threads[i].asleep) {
      const double by = runs[woken / 2];
      woken++;
      runs[woken] = by + the.signal * (woken % 2 == 0 ? 2 : 1) + the.wake;
      p->threads[i].at = runs[woken];
      p->threads[i].asleep = false;
    }
  p->threads[0].at += the.signal * (woken > 1 ? 2 : woken);
  free(runs);
}

static worker *next_worker(team *p) {
  worker *next = &p->threads[0];
  for (uint32_t i = 1; i < p->count; i++)
    if (!p->threads[i].asleep && p->threads[i].at < next->at)
      next = &p->threads[i];
  return next;
}

/* Nanoseconds of one slice while `busy` threads read from memory. */
static double slice_time(const phase_work *w, double busy) {
  const double bytes = w->bytes / w->slices;
  return fmax(w->nanoseconds / w->slices, bytes * busy / the.memory);
}

static void run_work(team *p, const phase_work *w) {
  const uint32_t slices = w->slices > 1 && p->count > 1 ? w->slices : 1;
  worker *caller = &p->threads[0];
  double begin, end = 0;
  uint32_t awake;
  if (slices == 1) {
    caller->at += fmax(w->nanoseconds, w->bytes / the.memory);
    return;
  }
  begin = caller->at = change(p, caller->at, &p->untaken_free);
  p->missed += slices;
  awake = p->count - put_to_sleep(p, begin);
  if (awake < p->count && (w->wake || p->missed >= 64)) {
    p->missed = 0;
    wake(p, begin, slices > awake ? slices - awake : 0);
  }
  for (uint32_t i = 0; i < p->count; i++)
    p->threads[i].at = fmax(p->threads[i].at, begin);
  for (uint32_t left = slices; left > 0; left--) {
    worker *t = next_worker(p);
    t->at = change(p, t->at, &p->untaken_free);
    t->at += slice_time(w, fmin(p->count, slices));
    t->at = change(p, t->at, &p->unfinished_free);
    end = fmax(end, t->at);
  }
  caller->at = fmax(caller->at, end) + the.line;
}

/* Nanoseconds of one run of many, so that it begins with threads as the run before has left them. */
static double play(const phase_work *list, size_t count, uint32_t threads) {
  team p = {(worker *)allocate(threads * sizeof(worker)), threads, 0, 0, 0};
  double begin = 0;
  for (int run = 0; run < 4; run++) {
    begin = p.threads[0].at;
    for (size_t i = 0; i < count; i++)
      run_work(&p, &list[i]);
  }
  begin = p.threads[0].at - begin;
  free(p.threads);
  return begin;
}

/* ---- Networks ---------------------------------------------------------------------------------- */

/* The work of a plan for so many threads, with the times that `timed` has of the same steps. */
static phase_work *work_of(const graph *g, uint32_t threads, const phase_work *timed,
                           size_t *count) {
  runner r;
  phase_work *list;
  memset(&r, 0, sizeof r);
  if (!ours.create(g, threads, &r))
    fail("webnn.h does not run the network");
  list = our_work(&r, timed == NULL ? 20 : 0, count);
  for (size_t i = 0; timed != NULL && i < *count; i++)
    list[i].nanoseconds = timed[i].nanoseconds;
  r.release(r.state);
  return list;
}

/* Weights stay in a cache that has room for them all. */
static void keep_in_cache(phase_work *list, size_t count) {
  double all = 0;
  for (size_t i = 0; i < count; i++)
    all += list[i].bytes;
  for (size_t i = 0; i < count && all <= the.cache; i++)
    list[i].bytes = 0;
}

static double measured(const graph *g, uint32_t threads, patience p) {
  runner r;
  double first, time;
  memset(&r, 0, sizeof r);
  if (!ours.create(g, threads, &r))
    fail("webnn.h does not run the network");
  first = time_once(&r);
  measure(&r, &first, 1, threads, p, &time);
  r.release(r.state);
  return time * 1e9;
}

static void show_network(const network *n, const options *o) {
  graph g;
  size_t count, same;
  phase_work *one;
  double time = 0, alone;
  start_graph(&g);
  n->build(&g, o->small);
  one = work_of(&g, 1, NULL, &count);
  for (size_t i = 0; i < count; i++)
    time += one[i].nanoseconds;
  alone = measured(&g, 1, o->patience);
  printf("%-17s %8.3f %8.3f", n->name, alone / 1e6, time / 1e6);
  for (int i = 0; i < o->threads.count; i++) {
    const uint32_t threads = o->threads.items[i];
    phase_work *list = work_of(&g, threads, one, &same);
    if (same != count)
      fail("%s: %lu pieces of work, and %lu with %u threads", n->name, (unsigned long)count,
           (unsigned long)same, (unsigned)threads);
    keep_in_cache(list, count);
    printf(" %7.2f", time / play(list, count, threads));
    if (threads == 2)
      printf(" (%.2f)", alone / measured(&g, 2, o->patience));
    fflush(stdout);
    free(list);
  }
  printf("\n");
  free(one);
  free_graph(&g);
}

/* ---- The command line -------------------------------------------------------------------------- */

static bool parse_machine(const char *name, const char *number) {
  static const struct {
    const char *name;
    double *to, unit;
  } rows[] = {{"--line", &the.line, 1},     {"--reader", &the.reader, 1},
              {"--signal", &the.signal, 1}, {"--wake", &the.wake, 1},
              {"--spin", &the.spin, 1},     {"--memory", &the.memory, 1},
              {"--cache", &the.cache, 1e6}};
  char *end;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strcmp(name, rows[i].name) == 0) {
      *rows[i].to = strtod(number, &end) * rows[i].unit;
      return *end == 0 && end != number && *rows[i].to >= 0;
    }
  return false;
}

static options parse(int argc, char **argv) {
  options o = {NULL, false, parse_threads("2,4,8,16,64"), {1, 2, false}};
  for (int i = 1; i < argc; i++) {
    const char *name = argv[i], *text = i + 1 < argc ? argv[i + 1] : "";
    if (strcmp(name, "--small") == 0) {
      o.small = true;
      continue;
    }
    if (strcmp(name, "--only") == 0)
      o.only = text;
    else if (strcmp(name, "--threads") == 0)
      o.threads = parse_threads(text);
    else if (strcmp(name, "--min-time") == 0)
      o.patience.min_time = atof(text);
    else if (!parse_machine(name, text)) {
      fputs(usage, stderr);
      exit(2);
    }
    i++;
  }
  return o;
}

int main(int argc, char **argv) {
  const options o = parse(argc, argv);
  print_machine();
  printf("\nHow many times as fast as one thread, by the model; in brackets as measured\n"
         "%-17s %8s %8s",
         "network", "ms", "steps ms");
  for (int i = 0; i < o.threads.count; i++)
    printf(" %7u%s", (unsigned)o.threads.items[i], o.threads.items[i] == 2 ? "       " : "");
  printf("\n");
  for (size_t i = 0; i < network_count; i++)
    if (listed(o.only, networks[i].name))
      show_network(&networks[i], &o);
  return 0;
}
