/* bench.c - single operators: the table of times of webnn.h and of every library found. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const peer *const peers[] = {&ours,
                                    &ours_on_cpu,
                                    &peer_ort,
                                    &peer_openblas,
                                    &peer_blis,
                                    &peer_onednn,
                                    &peer_onednn_reorder,
                                    &peer_onednn_blocked,
                                    &peer_xnnpack};
enum { PEERS = sizeof peers / sizeof peers[0] };

typedef struct options {
  const char *substring, *peers, *json;
  bool skip_ours, check;
  thread_counts threads;
  patience patience;
} options;

static int passed, failed, skipped, alone; /* alone: cases without anyone to compare with */
static bool found[PEERS];
static FILE *json;

/* ---- Options and peers -------------------------------------------------------------------------
 */

static const char usage[] =
    "usage: bench [options]\n"
    "  --case TEXT       only cases whose group/name holds the text\n"
    "  --threads 1,2     numbers of threads (default: 1 and, on such a machine, 2)\n"
    "  --peers a,b       only these of ours, ort, openblas, blis, onednn, onednn-reord, "
    "onednn-blk,\n"
    "                    xnnpack\n"
    "  --skip-ours       only the others\n"
    "  --backend B       where ours run: cpu or vulkan (then without peers unless --peers)\n"
    "  --numerics N      how ours compute: fast or relaxed\n"
    "  --instructions I  of ours: best, scalar, sse2, avx2, avx512, neon or wasm\n"
    "  --json FILE       writes the results there too\n"
    "  --min-time S      seconds to measure each for (default 0.25)\n"
    "  --budget S        what takes longer for one run is not run again (default 1)\n"
    "  --fastest         the fastest run in place of the median: for a machine that others use\n"
    "  --quick           --min-time 0.02 --budget 0.1\n"
    "  --check           the tiny cases: do all compute the same?\n";

static options parse(int argc, char **argv) {
  options o = {.threads = default_threads(), .patience = {0.25, 1, false}};
  for (int i = 1; i < argc; i++) {
    const char *name = argv[i];
    bool plain = true;
    if (strcmp(name, "--skip-ours") == 0)
      o.skip_ours = true;
    else if (strcmp(name, "--quick") == 0)
      o.patience = (patience){0.02, 0.1, o.patience.fastest};
    else if (strcmp(name, "--fastest") == 0)
      o.patience.fastest = true;
    else if (strcmp(name, "--check") == 0)
      o.check = true;
    else
      plain = false;
    if (plain)
      continue;
    const char *text = i + 1 < argc ? argv[++i] : NULL;
    if (text && strcmp(name, "--case") == 0)
      o.substring = text;
    else if (text && strcmp(name, "--threads") == 0)
      o.threads = parse_threads(text);
    else if (text && strcmp(name, "--peers") == 0)
      o.peers = text;
    else if (text && strcmp(name, "--backend") == 0)
      choose_backend(text);
    else if (text && strcmp(name, "--numerics") == 0)
      choose_numerics(text);
    else if (text && strcmp(name, "--instructions") == 0)
      choose_instructions(text);
    else if (text && strcmp(name, "--json") == 0)
      o.json = text;
    else if (text && strcmp(name, "--min-time") == 0)
      o.patience.min_time = atof(text);
    else if (text && strcmp(name, "--budget") == 0)
      o.patience.budget = atof(text);
    else
      fail("%s: unknown or without its value\n%s", name, usage);
  }
  if (on_vulkan()) {
    o.peers = o.peers ? o.peers : "ours,cpu";
    o.threads = (thread_counts){{1}, 1};
  }
  return o;
}

static void open_peers(const options *o) {
  bool first = true;
  for (int i = 0; i < PEERS; i++) {
    char text[256];
    if (!listed(o->peers, peers[i]->name) || (i == 0 && o->skip_ours) ||
        (peers[i]->once && !on_vulkan()))
      continue;
    found[i] = peers[i]->open(text, sizeof text);
    printf("%s%-13s %s\n", found[i] ? "" : "skipped: ", peers[i]->name, text);
    skipped += !found[i];
    if (json && found[i]) {
      fprintf(json, "%s\n    ", first ? "" : ",");
      first = false;
      print_json_string(json, peers[i]->name);
      fputs(": ", json);
      print_json_string(json, text);
    }
  }
}

static void print_limits(const options *o) {
  if (on_vulkan()) {
    printf("float32 %.0f Gop/s, memory %.0f GB/s\n", 2e-9 * vulkan_multiply_adds(),
           1e-9 * vulkan_bandwidth());
    return;
  }
  static const struct {
    const char *name;
    webnn_data_type type;
  } types[] = {{"float32", WEBNN_FLOAT32}, {"float16", WEBNN_FLOAT16}, {"int8", WEBNN_INT8}};
  for (int t = 0; t < o->threads.count; t++) {
    uint32_t threads = o->threads.items[t];
    printf("%u thread%s:", threads, threads > 1 ? "s" : "");
    for (int i = 0; i < 3; i++) {
      double peak = peak_multiply_adds(types[i].type, threads) * 2e-9;
      if (peak > 0)
        printf(" %s %.0f Gop/s,", types[i].name, peak);
    }
    double cache = memory_seconds(5e5, 5e5, threads), memory = memory_seconds(64e6, 64e6, threads);
    printf(" copying 1 MB %.0f GB/s, 128 MB %.0f GB/s\n", 1e-3 / cache, 0.128 / memory);
  }
}

/* ---- One case ----------------------------------------------------------------------------------
 */

typedef struct result {
  double first[PEERS], time[PEERS]; /* negative: nothing */
  double limit;
  double error; /* the largest difference between results; negative: nothing to compare */
  int best;     /* the fastest peer, or NONE */
} result;

/* All against the first that is not ours; with ours alone there is nothing to compare. */
static void compare_all(const bench_case *c, const graph *g, runner *runners, result *r) {
  double tolerance = c->tolerance > 0     ? relaxed_tolerance(c->tolerance)
                     : integer_outputs(g) ? 1
                                          : relaxed_tolerance(2e-5);
  int base = NONE;
  r->error = -1;
  for (int i = 1; i < PEERS && base == NONE; i++)
    base = r->first[i] >= 0 ? i : NONE;
  for (int i = 0; i < PEERS && base != NONE; i++)
    if (r->first[i] >= 0 && runners[i].fetch)
      runners[i].fetch(runners[i].state);
  for (int i = 0; i < PEERS && base != NONE; i++) {
    if (i == base || r->first[i] < 0)
      continue;
    double error = compare(g, &runners[i], &runners[base]);
    r->error = fmax(r->error, error);
    if (error <= tolerance) {
      passed++;
      continue;
    }
    failed++;
    printf("MISMATCH %s: %s and %s differ by %g, expected at most %g\n", c->name, peers[i]->name,
           peers[base]->name, error, tolerance);
  }
  alone += r->error < 0;
}

static result run_case(const bench_case *c, uint32_t threads, const options *o) {
  graph g;
  runner runners[PEERS];
  result r = {.best = NONE};
  double waits[PEERS];
  memset(runners, 0, sizeof runners);
  start_graph(&g);
  c->build(&g, c->p);
  for (int i = 0; i < PEERS; i++) {
    bool has_graphs = peers[i] == &ours || peers[i] == &peer_ort;
    bool runs = found[i] && (has_graphs || strcmp(c->group, "overhead") != 0) &&
                peers[i]->create(&g, threads, &runners[i]);
    r.first[i] = runs ? time_once(&runners[i]) : -1;
  }
  compare_all(c, &g, runners, &r);
  if (o->check)
    memcpy(r.time, r.first, sizeof r.time);
  else {
    for (int i = 0; i < PEERS; i++)
      waits[i] = peers[i]->once ? -1 : r.first[i];
    measure(runners, waits, PEERS, threads, o->patience, r.time);
    for (int i = 0; i < PEERS; i++)
      r.time[i] = peers[i]->once ? r.first[i] : r.time[i];
  }
  r.limit = o->check ? 0 : graph_limit(&g, threads);
  for (int i = 0; i < PEERS; i++)
    if (r.first[i] >= 0) {
      runners[i].release(runners[i].state);
      for (int k = 0; k < g.output_count; k++)
        free(runners[i].outputs[k]);
    }
  free_graph(&g);
  return r;
}

/* What one more operator costs: (this case - the one before) / how many more. */
static void subtract(result *r, const result *before, uint32_t per) {
  for (int i = 0; i < PEERS; i++)
    if (r->time[i] >= 0)
      r->time[i] = fmax(0, r->time[i] - before->time[i]) / per;
  r->limit = 0;
}

static void find_best(result *r) {
  for (int i = 1; i < PEERS; i++)
    if (r->time[i] >= 0 && !peers[i]->aside && (r->best == NONE || r->time[i] < r->time[r->best]))
      r->best = i;
}

/* ---- The table ---------------------------------------------------------------------------------
 */

static void print_time(double time) {
  if (time < 0)
    printf(" %9s", "");
  else
    printf(time < 1e-5 ? " %9.6f" : time < 0.1 ? " %9.4f" : " %9.3f", time * 1e3);
}

static void print_head(void) {
  printf("\nMilliseconds; ratio: the best peer's time / ours; share: the machine's limit / ours "
         "(or / the best peer's, in brackets)\n%-30s thr",
         "case");
  for (int i = 0; i < PEERS; i++)
    if (found[i])
      printf(" %9.9s", peers[i]->name);
  printf(" %9s  %-9s ratio   share   error\n", "limit", "best");
}

static void print_row(const char *name, uint32_t threads, const result *r) {
  printf("%-30s %3u", name, threads);
  for (int i = 0; i < PEERS; i++)
    if (found[i])
      print_time(r->time[i]);
  print_time(r->limit > 0 ? r->limit : -1);
  printf("  %-9.9s", r->best == NONE ? "" : peers[r->best]->name);
  if (r->best != NONE && r->time[0] > 0)
    printf(" %5.3f", r->time[r->best] / r->time[0]);
  else
    printf(" %5s", "");
  if (r->limit > 0 && r->time[0] > 0)
    printf("  %5.1f%%", 100 * r->limit / r->time[0]);
  else if (r->limit > 0 && r->best != NONE)
    printf(" (%5.1f%%)", 100 * r->limit / r->time[r->best]);
  else
    printf("  %6s", "");
  if (r->error >= 0)
    printf("  %.1e", r->error);
  printf("\n");
  fflush(stdout);
}

static void print_json_row(const bench_case *c, uint32_t threads, const result *r, bool first) {
  fprintf(json, "%s\n    {\"group\": \"%s\", \"case\": \"%s\", \"threads\": %u", first ? "" : ",",
          c->group, c->name, threads);
  fprintf(json, ", \"limit_ms\": %.6g, \"error\": %.3g, \"ms\": {", r->limit * 1e3,
          isfinite(r->error) ? r->error : -1);
  for (int i = 0, many = 0; i < PEERS; i++)
    if (r->time[i] >= 0)
      fprintf(json, "%s\"%s\": %.6g", many++ ? ", " : "", peers[i]->name, r->time[i] * 1e3);
  fprintf(json, "}, \"best\": ");
  print_json_string(json, r->best == NONE ? "" : peers[r->best]->name);
  fputc('}', json);
}

/* ---- The program -------------------------------------------------------------------------------
 */

/* Without --case a GPU gets what is large enough for it, software drivers the rest. */
static bool wanted(const bench_case *c, const options *o) {
  char name[128];
  bool for_gpu = strncmp(c->group, "gpu", 3) == 0;
  snprintf(name, sizeof name, "%s/%s", c->group, c->name);
  if (on_vulkan() && !o->check ? !o->substring && for_gpu == vulkan_is_software() : for_gpu)
    return false;
  return (strcmp(c->group, "check") == 0) == o->check &&
         (!o->substring || strstr(name, o->substring));
}

static void run_cases(const options *o) {
  double logarithms = 0;
  int ratios = 0;
  bool first = true;
  for (size_t i = 0; i < bench_case_count + gpu_case_count; i++)
    for (int t = 0; t < o->threads.count; t++) {
      const bench_case *c =
          i < bench_case_count ? &bench_cases[i] : &gpu_cases[i - bench_case_count];
      if (!wanted(c, o))
        continue;
      result r = run_case(c, o->threads.items[t], o);
      if (c->per) {
        result before = run_case(c - 1, o->threads.items[t], o);
        subtract(&r, &before, c->per);
      }
      find_best(&r);
      if (!o->check)
        print_row(c->name, o->threads.items[t], &r);
      if (json)
        print_json_row(c, o->threads.items[t], &r, first);
      first = false;
      if (r.best != NONE && r.time[0] > 0 && r.time[r.best] > 0) {
        logarithms += log(r.time[r.best] / r.time[0]);
        ratios++;
      }
    }
  if (ratios && !o->check)
    printf("geometric mean of %d ratios: %.3f\n", ratios, exp(logarithms / ratios));
}

int main(int argc, char **argv) {
  options o = parse(argc, argv);
  if (o.json && !(json = fopen(o.json, "w")))
    fail("%s: cannot be written", o.json);
  if (json) {
    fputs("{\n  \"machine\": ", json);
    print_json_string(json, machine_name());
    fputs(",\n  \"peers\": {", json);
  }
  print_machine();
  open_peers(&o);
  if (!o.check)
    print_limits(&o);
  if (json)
    fputs("\n  },\n  \"cases\": [", json);
  if (!o.check)
    print_head();
  run_cases(&o);
  if (json) {
    fputs("\n  ]\n}\n", json);
    if (ferror(json) || fclose(json) != 0)
      fail("%s: cannot be written", o.json);
  }
  if (alone)
    printf("skipped: comparing the results of %d cases that only one library runs\n", alone);
  printf("%d passed, %d failed, %d skipped\n", passed, failed, skipped + alone);
  return failed > 0;
}
