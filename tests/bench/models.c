/* models.c - whole networks: webnn.h and ONNX Runtime on the same graph and weights.

   The program starts itself for each part of the work: once to write a network's files, once to
   measure both interleaved in one process, and once more for each of the two alone, for the time
   from the start of a process to its first result and for the most memory it had. */
#include "bench.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const peer *const peers[] = {&ours, &peer_ort};
enum { OURS, ORT, PEERS };

typedef struct options {
  const char *only, *json;
  bool skip_ours, small, profile;
  thread_counts threads;
  patience patience;
} options;

static const char usage[] =
    "usage: models [options]\n"
    "  --only a,b        these of resnet50, mobilenetv2, mobilenetv2-int8, bert-base, gpt2-step,\n"
    "                    unet, lstm256, chain200\n"
    "  --threads 1,2     numbers of threads (default: 1 and, on such a machine, 2)\n"
    "  --skip-ours       only ONNX Runtime\n"
    "  --backend B       where ours run: cpu or vulkan\n"
    "  --numerics N      how ours compute: fast or relaxed\n"
    "  --profile         no times of both, but where the time of ours goes\n"
    "  --json FILE       writes the results there too\n"
    "  --min-time S      seconds to measure each for (default 1)\n"
    "  --budget S        what takes longer for one run is not run again (default 2)\n"
    "  --fastest         the fastest run in place of the median: for a machine that others use\n"
    "  --quick           --min-time 0.1 --budget 0.2\n"
    "  --small           the same networks in a tiny size: do both compute the same?\n";

/* ---- Files: the weights, mapped by both, and the ONNX model that names them --------------------
 */

static const char *folder(void) {
  const char *named = getenv("WEBNN_BENCH");
  return named ? named : ".";
}

static void path_of(char *path, size_t size, const network *n, bool small, const char *ending) {
  snprintf(path, size, "%s/%s%s.%s", folder(), n->name, small ? "-small" : "", ending);
}

/* The network over the mapped weights file. */
static void map_network(graph *g, const network *n, bool small) {
  char path[1024];
  struct stat status;
  path_of(path, sizeof path, n, small, "weights");
  int file = open(path, O_RDONLY);
  if (file < 0 || fstat(file, &status) != 0)
    fail("%s: cannot be opened", path);
  start_graph(g);
  g->weights_size = (size_t)status.st_size;
  void *map = mmap(NULL, g->weights_size, PROT_READ, MAP_PRIVATE, file, 0);
  if (map == MAP_FAILED)
    fail("%s: cannot be mapped", path);
  close(file);
  g->weights_map = (const unsigned char *)map;
  n->build(g, small);
}

static void write_file(const char *path, const void *data, size_t size) {
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0)
    fail("%s: cannot be written", path);
}

static void prepare(const network *n, bool small) {
  char path[1024], weights[128];
  graph g;
  size_t size;
  start_graph(&g);
  path_of(path, sizeof path, n, small, "weights");
  g.weights_file = fopen(path, "wb");
  if (!g.weights_file)
    fail("%s: cannot be written", path);
  n->build(&g, small);
  if (fclose(g.weights_file) != 0)
    fail("%s: cannot be written", path);
  free_graph(&g);
  map_network(&g, n, small);
  snprintf(weights, sizeof weights, "%s%s.weights", n->name, small ? "-small" : "");
  unsigned char *model = write_onnx(&g, weights, &size);
  path_of(path, sizeof path, n, small, "onnx");
  write_file(path, model, size);
  free(model);
}

/* Files older than this program may hold another network. */
static bool is_prepared(const network *n, bool small) {
  char path[1024];
  struct stat program, file;
  path_of(path, sizeof path, n, small, "onnx");
  return stat("/proc/self/exe", &program) == 0 && stat(path, &file) == 0 &&
         file.st_mtime >= program.st_mtime;
}

/* ---- What the children do ----------------------------------------------------------------------
 */

static bool create_runner(const peer *p, graph *g, const network *n, bool small, uint32_t threads,
                          runner *r) {
  static char path[1024];
  char text[256];
  path_of(path, sizeof path, n, small, "onnx");
  g->onnx_path = path;
  memset(r, 0, sizeof *r);
  return p->open(text, sizeof text) && p->create(g, threads, r);
}

/* Both interleaved: prints their seconds, the difference of their results, and the limit. */
static void measure_both(const network *n, bool small, uint32_t threads, bool skip_ours,
                         patience p) {
  graph g;
  runner runners[PEERS];
  double first[PEERS], time[PEERS], error = -1;
  map_network(&g, n, small);
  for (int i = 0; i < PEERS; i++) {
    bool runs =
        !(i == OURS && skip_ours) && create_runner(peers[i], &g, n, small, threads, &runners[i]);
    first[i] = runs ? time_once(&runners[i]) : -1;
    if (runs && runners[i].fetch)
      runners[i].fetch(runners[i].state);
  }
  if (first[OURS] >= 0 && first[ORT] >= 0)
    error = compare(&g, &runners[OURS], &runners[ORT]);
  measure(runners, first, PEERS, threads, p, time);
  printf("%.9g %.9g %.9g %.9g\n", time[OURS], time[ORT], error,
         small ? 0 : graph_limit(&g, threads));
}

static double peak_megabytes(void) {
  char line[256];
  double kilobytes = 0;
  FILE *file = fopen("/proc/self/status", "r");
  while (file && fgets(line, sizeof line, file))
    if (strncmp(line, "VmHWM:", 6) == 0)
      kilobytes = atof(line + 6);
  if (file)
    fclose(file);
  return kilobytes / 1024;
}

/* One alone: a line at the first result, for the parent's clock, then another with the memory. */
static void run_alone(const network *n, bool small, uint32_t threads, const peer *p) {
  graph g;
  runner r;
  map_network(&g, n, small);
  if (!create_runner(p, &g, n, small, threads, &r))
    fail("%s is missing", p->name);
  double time = time_once(&r);
  puts("first");
  fflush(stdout);
  for (int i = 0; i < 2 && time < 0.5; i++)
    time_once(&r);
  printf("%.9g\n", peak_megabytes());
}

/* ---- Starting them -----------------------------------------------------------------------------
 */

/* Runs this program with the arguments. text gets the last line, *first the seconds until the first
   one. False if it fails. */
static bool start_child(const char *const *arguments, char *text, int size, double *first) {
  int ends[2];
  double start = seconds();
  if (pipe(ends) != 0)
    fail("no pipe");
  fflush(stdout);
  pid_t child = fork();
  if (child < 0)
    fail("no process");
  if (child == 0) {
    dup2(ends[1], 1);
    close(ends[0]);
    close(ends[1]);
    execv("/proc/self/exe", (char *const *)(uintptr_t)arguments);
    _exit(127);
  }
  close(ends[1]);
  FILE *from = fdopen(ends[0], "r");
  *first = -1;
  text[0] = 0;
  while (from && fgets(text, size, from))
    if (*first < 0)
      *first = seconds() - start;
  fclose(from);
  int status;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* mode, network, "small" or "", threads, and what the mode needs besides. */
static bool child_of(const char *mode, const network *n, const options *o, uint32_t threads,
                     const char *extra, char *text, int size, double *first) {
  char number[16], min_time[32], budget[32];
  snprintf(number, sizeof number, "%u", threads);
  snprintf(min_time, sizeof min_time, "%g", o->patience.min_time);
  snprintf(budget, sizeof budget, "%g", o->patience.budget);
  const char *which = o->patience.fastest ? "fastest" : "median";
  const char *const arguments[] = {"models", mode,  n->name,  o->small ? "small" : "",
                                   number,   extra, min_time, budget,
                                   which,    NULL};
  return start_child(arguments, text, size, first);
}

/* A child's part; never returns. */
static void be_child(char **argv) {
  const network *n = networks;
  for (size_t i = 0; i < network_count; i++)
    if (strcmp(networks[i].name, argv[2]) == 0)
      n = &networks[i];
  bool small = argv[3][0] != 0;
  uint32_t threads = (uint32_t)atoi(argv[4]);
  patience p = {atof(argv[6]), atof(argv[7]), strcmp(argv[8], "fastest") == 0};
  if (strcmp(argv[1], "prepare") == 0)
    prepare(n, small);
  else if (strcmp(argv[1], "measure") == 0)
    measure_both(n, small, threads, strcmp(argv[5], "skip-ours") == 0, p);
  else
    run_alone(n, small, threads, strcmp(argv[5], "ours") == 0 ? &ours : &peer_ort);
  exit(0);
}

/* ---- One network -------------------------------------------------------------------------------
 */

typedef struct result {
  double time[PEERS], first[PEERS], megabytes[PEERS]; /* negative: nothing */
  double error, limit;
} result;

static int passed, failed, skipped;

static void measure_alone(const network *n, const options *o, uint32_t threads, int who,
                          result *r) {
  enum { STARTS = 5 };
  char text[256];
  double starts[STARTS];
  size_t count = 0;
  do {
    if (!child_of("alone", n, o, threads, peers[who]->name, text, sizeof text, &starts[count])) {
      printf("%s: %s does not run\n", n->name, peers[who]->name);
      failed++;
      return;
    }
  } while (++count < STARTS && starts[0] < 1 && o->patience.min_time > 0.5);
  r->first[who] = median(starts, count);
  r->megabytes[who] = atof(text);
}

static result run_network(const network *n, const options *o, uint32_t threads) {
  const double tolerance = relaxed_tolerance(n->tolerance);
  result r = {{-1, -1}, {-1, -1}, {-1, -1}, -1, 0};
  char text[256];
  double first;
  if (!child_of("measure", n, o, threads, o->skip_ours ? "skip-ours" : "", text, sizeof text,
                &first) ||
      sscanf(text, "%lf %lf %lf %lf", &r.time[OURS], &r.time[ORT], &r.error, &r.limit) != 4) {
    printf("%s: does not run\n", n->name);
    failed++;
    return r;
  }
  for (int i = 0; i < PEERS; i++)
    if (r.time[i] >= 0 && !o->small)
      measure_alone(n, o, threads, i, &r);
  if (r.error < 0)
    skipped++; /* only one of them runs, as the table shows */
  else if (r.error <= tolerance)
    passed++;
  else {
    failed++;
    printf("MISMATCH %s: ours and ort differ by %g, expected at most %g\n", n->name, r.error,
           tolerance);
  }
  return r;
}

/* ---- The table ---------------------------------------------------------------------------------
 */

static void print_number(const char *format, double number) {
  if (number < 0)
    printf(" %9s", "");
  else
    printf(format, number);
}

static void print_row(const network *n, uint32_t threads, const result *r) {
  printf("%-17s %3u", n->name, threads);
  for (int i = 0; i < PEERS; i++)
    print_number(" %9.3f", r->time[i] < 0 ? -1 : r->time[i] * 1e3);
  print_number(" %9.3f", r->time[OURS] > 0 && r->time[ORT] > 0 ? r->time[ORT] / r->time[OURS] : -1);
  for (int i = 0; i < PEERS; i++)
    print_number(" %9.1f", r->megabytes[i]);
  for (int i = 0; i < PEERS; i++)
    print_number(" %9.1f", r->first[i] < 0 ? -1 : r->first[i] * 1e3);
  print_number(" %8.0f%%", r->limit > 0 && r->time[OURS] > 0 ? 100 * r->limit / r->time[OURS] : -1);
  if (r->error >= 0)
    printf("   %.1e", r->error);
  printf("\n");
  fflush(stdout);
}

static void print_json_row(FILE *json, const network *n, uint32_t threads, const result *r,
                           bool first_row) {
  fprintf(json, "%s\n    {\"network\": \"%s\", \"threads\": %u", first_row ? "" : ",", n->name,
          threads);
  for (int i = 0; i < PEERS; i++)
    if (r->time[i] >= 0)
      fprintf(json, ", \"%s\": {\"ms\": %.6g, \"peak_mb\": %.6g, \"first_result_ms\": %.6g}",
              peers[i]->name, r->time[i] * 1e3, r->megabytes[i], r->first[i] * 1e3);
  fprintf(json, ", \"error\": %.3g, \"limit_ms\": %.6g}", isfinite(r->error) ? r->error : -1,
          r->limit * 1e3);
}

/* ---- The program -------------------------------------------------------------------------------
 */

static bool parse_plain(options *o, const char *name) {
  if (strcmp(name, "--skip-ours") == 0)
    o->skip_ours = true;
  else if (strcmp(name, "--small") == 0)
    o->small = true;
  else if (strcmp(name, "--profile") == 0)
    o->profile = true;
  else if (strcmp(name, "--fastest") == 0)
    o->patience.fastest = true;
  else if (strcmp(name, "--quick") == 0)
    o->patience = (patience){0.1, 0.2, o->patience.fastest};
  else
    return false;
  return true;
}

static options parse(int argc, char **argv) {
  options o = {.threads = default_threads(), .patience = {1, 2, false}};
  for (int i = 1; i < argc; i++) {
    const char *name = argv[i];
    if (parse_plain(&o, name))
      continue;
    const char *text = i + 1 < argc ? argv[++i] : NULL;
    if (text && strcmp(name, "--only") == 0)
      o.only = text;
    else if (text && strcmp(name, "--threads") == 0)
      o.threads = parse_threads(text);
    else if (text && strcmp(name, "--backend") == 0)
      choose_backend(text);
    else if (text && strcmp(name, "--numerics") == 0)
      choose_numerics(text);
    else if (text && strcmp(name, "--json") == 0)
      o.json = text;
    else if (text && strcmp(name, "--min-time") == 0)
      o.patience.min_time = atof(text);
    else if (text && strcmp(name, "--budget") == 0)
      o.patience.budget = atof(text);
    else
      fail("%s: unknown or without its value\n%s", name, usage);
  }
  if (on_vulkan())
    o.threads = (thread_counts){{1}, 1};
  return o;
}

static void profile_ours(const network *n, bool small, uint32_t threads) {
  graph g;
  runner r;
  printf("%s, %u threads\n", n->name, (unsigned)threads);
  map_network(&g, n, small);
  if (create_runner(&ours, &g, n, small, threads, &r))
    print_our_profile(&r, 30);
}

static void run_networks(const options *o, FILE *json) {
  double logarithms = 0;
  int ratios = 0;
  bool first_row = true;
  for (size_t i = 0; i < network_count; i++) {
    const network *n = &networks[i];
    char text[256];
    double first;
    if (!listed(o->only, n->name))
      continue;
    if (!is_prepared(n, o->small) && !child_of("prepare", n, o, 1, "", text, sizeof text, &first))
      fail("%s: its files cannot be written", n->name);
    for (int t = 0; t < o->threads.count; t++) {
      if (o->profile) {
        profile_ours(n, o->small, o->threads.items[t]);
        continue;
      }
      result r = run_network(n, o, o->threads.items[t]);
      print_row(n, o->threads.items[t], &r);
      if (json)
        print_json_row(json, n, o->threads.items[t], &r, first_row);
      first_row = false;
      if (r.time[OURS] > 0 && r.time[ORT] > 0) {
        logarithms += log(r.time[ORT] / r.time[OURS]);
        ratios++;
      }
    }
  }
  if (ratios)
    printf("geometric mean of %d ratios: %.3f\n", ratios, exp(logarithms / ratios));
}

int main(int argc, char **argv) {
  if (argc == 9 && argv[1][0] != '-')
    be_child(argv);
  options o = parse(argc, argv);
  char text[256];
  FILE *json = o.json ? fopen(o.json, "w") : NULL;
  if (o.json && !json)
    fail("%s: cannot be written", o.json);
  peer_ort.open(text, sizeof text);
  print_machine();
  printf("ort: %s\n", text);
  printf("\nMedian of a run; ratio: ort / ours; peak memory; from the start of a process to its "
         "first result\n%-17s thr   ours ms    ort ms     ratio   ours MB    ort MB  ours 1st   "
         "ort 1st  of limit error\n",
         "network");
  if (json) {
    fputs("{\n  \"machine\": ", json);
    print_json_string(json, machine_name());
    fputs(",\n  \"ort\": ", json);
    print_json_string(json, text);
    fputs(",\n  \"networks\": [", json);
  }
  run_networks(&o, json);
  if (json) {
    fputs("\n  ]\n}\n", json);
    if (ferror(json) || fclose(json) != 0)
      fail("%s: cannot be written", o.json);
  }
  printf("%d passed, %d failed, %d skipped\n", passed, failed, skipped);
  return failed > 0;
}
