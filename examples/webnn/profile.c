/* Times of many runs: percentiles, a table of operators, and memory. */
#include "command.h"

#include <stdlib.h>
#include <string.h>

/* ---- The table ------------------------------------------------------------------------------- */

/* What has one name: graph steps of the same operators, or host steps of a kind. */
typedef struct row {
  const char *name;
  bool host;
  uint64_t nanoseconds, calls;
  uint64_t nanoseconds_before, calls_before; /* of a host step, which counts all runs */
  struct row *next;
} row;

typedef struct table {
  arena *memory;
  row *rows;
  size_t count;
  bool before; /* host steps are looked at before the runs */
} table;

static row *row_of(table *t, const char *name, bool host) {
  row *r = t->rows;
  while (r && (r->host != host || strcmp(r->name, name) != 0))
    r = r->next;
  if (r)
    return r;
  r = (row *)take(t->memory, sizeof(row));
  r->name = take_text(t->memory, "%s", name);
  r->host = host;
  r->next = t->rows;
  t->rows = r;
  t->count++;
  return r;
}

static void start_profile(void *user, webnn_graph *graph, const char *name) {
  webnn_error error = WEBNN_ZERO;
  (void)user, (void)name;
  if (webnn_profile_graph(graph, true, &error) != WEBNN_OK)
    complain(NULL, "note: %s", error.message);
}

static void take_profile(void *user, webnn_graph *graph, const char *name) {
  table *t = (table *)user;
  const size_t count = webnn_graph_profile(graph, NULL, 0);
  webnn_profiled_step *steps =
      (webnn_profiled_step *)take(t->memory, (count + 1) * sizeof(webnn_profiled_step));
  (void)name;
  webnn_graph_profile(graph, steps, count);
  for (size_t i = 0; i < count; i++) {
    row *r = row_of(t, steps[i].op_name, false);
    r->nanoseconds += steps[i].nanoseconds;
    r->calls += steps[i].calls;
  }
}

static void take_host_step(void *user, const webnn_xla_step *step) {
  table *t = (table *)user;
  const char *kind = webnn_xla_step_kind_name(step->kind);
  row *r = row_of(t, take_text(t->memory, "%s: %s", kind, step->name), true);
  if (t->before) {
    r->nanoseconds_before += step->nanoseconds;
    r->calls_before += step->calls;
  } else {
    r->nanoseconds += step->nanoseconds;
    r->calls += step->calls;
  }
}

static int compare_rows(const void *left, const void *right) {
  const row *a = *(row *const *)left, *b = *(row *const *)right;
  return (a->nanoseconds < b->nanoseconds) - (a->nanoseconds > b->nanoseconds);
}

static void print_table(const table *t, size_t runs, uint64_t total) {
  row **sorted = (row **)take(t->memory, (t->count + 1) * sizeof *sorted);
  size_t count = 0;
  for (row *r = t->rows; r; r = r->next) {
    r->nanoseconds -= r->nanoseconds_before;
    r->calls -= r->calls_before;
    if (r->calls > 0)
      sorted[count++] = r;
  }
  qsort(sorted, count, sizeof *sorted, compare_rows);
  say("   ms a run   share  calls a run  operators, or a step of the host (with all that is in "
      "it)\n");
  for (size_t i = 0; i < count; i++)
    say("%11.3f %6.1f%% %12.1f  %s%s\n", (double)sorted[i]->nanoseconds / 1e6 / (double)runs,
        100.0 * (double)sorted[i]->nanoseconds / (double)(total > 0 ? total : 1),
        (double)sorted[i]->calls / (double)runs, sorted[i]->host ? "host " : "", sorted[i]->name);
}

/* ---- Times ----------------------------------------------------------------------------------- */

static int compare_times(const void *left, const void *right) {
  const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return (a > b) - (a < b);
}

bool profile_model(model *m, webnn_xla_array *inputs, webnn_xla_array *outputs) {
  const size_t runs = m->request->repeat;
  uint64_t *times = (uint64_t *)take(m->memory, runs * sizeof *times), total = 0;
  table t = {m->memory, NULL, 0, true};
  model_steps(m, take_host_step, &t);
  t.before = false;
  model_graphs(m, start_profile, NULL);
  for (size_t i = 0; i < runs; i++) {
    const uint64_t start = nanoseconds();
    progress_of("run", i + 1, runs);
    if (!model_run(m, inputs, outputs))
      return false;
    times[i] = nanoseconds() - start;
    total += times[i];
  }
  progress_of("run", 0, 0);
  model_graphs(m, take_profile, &t);
  model_steps(m, take_host_step, &t);
  qsort(times, runs, sizeof *times, compare_times);
  say("%lu runs: median %.3f ms, least %.3f ms\n", (unsigned long)runs,
      ((double)times[(runs - 1) / 2] + (double)times[runs / 2]) / 2e6, (double)times[0] / 1e6);
  print_table(&t, runs, total);
  say("peak memory: %.1f MB\n", (double)peak_bytes() / 1e6);
  return true;
}

int profile_command(const request *r) {
  arena memory = {NULL, 0};
  webnn_xla_array *inputs, *outputs;
  model m;
  int status = model_open(&m, r, &memory, r->models[0]);
  if (status == EXIT_RIGHT) {
    inputs = new_arrays(&memory, m.inputs, m.input_count);
    outputs = new_arrays(&memory, m.outputs, m.output_count);
    if (!fill_inputs(&m, inputs) || !profile_model(&m, inputs, outputs))
      status = EXIT_BAD_INPUT;
  }
  model_close(&m);
  release(&memory);
  return status;
}
