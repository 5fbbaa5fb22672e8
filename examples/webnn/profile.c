/* Times of many runs: percentiles, a table of operators, and memory. */
#include "command.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_TIMES = 1 << 20 };

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

/* The rows that ran, those that took longest first. */
static row **sort_rows(const table *t, size_t *count) {
  row **sorted = (row **)take(t->memory, (t->count + 1) * sizeof *sorted);
  *count = 0;
  for (row *r = t->rows; r; r = r->next) {
    r->nanoseconds -= r->nanoseconds_before;
    r->calls -= r->calls_before;
    if (r->calls > 0)
      sorted[(*count)++] = r;
  }
  qsort(sorted, *count, sizeof *sorted, compare_rows);
  return sorted;
}

static void print_table(const table *t, size_t runs, uint64_t total) {
  size_t count;
  row **sorted = sort_rows(t, &count);
  say("   ms a run   share  calls a run  operators, or a step of the host (with all that is in "
      "it)\n");
  for (size_t i = 0; i < count; i++)
    say("%11.3f %6.1f%% %12.1f  %s%s\n", (double)sorted[i]->nanoseconds / 1e6 / (double)runs,
        100.0 * (double)sorted[i]->nanoseconds / (double)(total > 0 ? total : 1),
        (double)sorted[i]->calls / (double)runs, sorted[i]->host ? "host " : "", sorted[i]->name);
}

static void put_table(const table *t, json_list *tree, size_t runs, uint64_t total) {
  json_list list = json_start(t->memory, NULL, JSON_ARRAY);
  size_t count;
  row **sorted = sort_rows(t, &count);
  for (size_t i = 0; i < count; i++) {
    const row *r = sorted[i];
    json_list item = json_start(t->memory, NULL, JSON_OBJECT);
    json_put_text(t->memory, &item, "name", r->name);
    json_put_bool(t->memory, &item, "host", r->host);
    json_put_number(t->memory, &item, "millisecondsARun",
                    (double)r->nanoseconds / 1e6 / (double)runs);
    json_put_number(t->memory, &item, "share",
                    (double)r->nanoseconds / (double)(total > 0 ? total : 1));
    json_put_number(t->memory, &item, "callsARun", (double)r->calls / (double)runs);
    json_put(&list, NULL, item.list);
  }
  json_put(tree, "steps", list.list);
}

/* ---- Times ----------------------------------------------------------------------------------- */

static int compare_times(const void *left, const void *right) {
  const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return (a > b) - (a < b);
}

/* Of the runs that were measured: of all, and of every stride-th, so that long work needs no more
   memory. The stride doubles whenever the times fill their room. */
typedef struct times {
  uint64_t *each; /* nanoseconds, sorted once all are there */
  size_t kept, room, stride;
  size_t count;
  uint64_t total, least, largest;
} times;

static void grow_times(arena *memory, times *t) {
  const size_t room = t->room > 0 ? 2 * t->room : 64;
  uint64_t *larger = (uint64_t *)take(memory, room * sizeof *larger);
  if (t->kept > 0)
    memcpy(larger, t->each, t->kept * sizeof *larger);
  t->each = larger;
  t->room = room;
}

static void thin_times(times *t) {
  t->stride *= 2;
  t->kept /= 2;
  for (size_t i = 0; i < t->kept; i++)
    t->each[i] = t->each[2 * i];
}

static void add_time(arena *memory, times *t, uint64_t time) {
  if (t->kept == MOST_TIMES)
    thin_times(t);
  if (t->kept == t->room)
    grow_times(memory, t);
  if (t->count % t->stride == 0)
    t->each[t->kept++] = time;
  t->least = t->count == 0 || time < t->least ? time : t->least;
  t->largest = time > t->largest ? time : t->largest;
  t->count++;
  t->total += time;
}

static double milliseconds(uint64_t time) {
  return (double)time / 1e6;
}

static double median_of(const times *t) {
  return (milliseconds(t->each[(t->kept - 1) / 2]) + milliseconds(t->each[t->kept / 2])) / 2;
}

/* The smallest time within which so many percent of the runs lie (nearest rank). */
static double percentile(const times *t, size_t percent) {
  return milliseconds(t->each[(t->kept * percent + 99) / 100 - 1]);
}

static void print_times(const times *t) {
  say("%lu runs: median %.3f ms, least %.3f ms\n", (unsigned long)t->count, median_of(t),
      milliseconds(t->least));
  say("mean %.3f ms, 90 %% within %.3f ms, 99 %% within %.3f ms, largest %.3f ms\n",
      milliseconds(t->total) / (double)t->count, percentile(t, 90), percentile(t, 99),
      milliseconds(t->largest));
}

static void put_times(arena *memory, json_list *tree, const times *t) {
  json_list list = json_start(memory, NULL, JSON_OBJECT);
  json_put_number(memory, &list, "least", milliseconds(t->least));
  json_put_number(memory, &list, "median", median_of(t));
  json_put_number(memory, &list, "mean", milliseconds(t->total) / (double)t->count);
  json_put_number(memory, &list, "p90", percentile(t, 90));
  json_put_number(memory, &list, "p99", percentile(t, 99));
  json_put_number(memory, &list, "largest", milliseconds(t->largest));
  json_put(tree, "milliseconds", list.list);
}

/* ---- Runs ------------------------------------------------------------------------------------ */

static bool run_once(model *m, webnn_xla_array *inputs, webnn_xla_array *outputs, uint64_t *time) {
  const uint64_t start = nanoseconds();
  const bool right = model_run(m, inputs, outputs);
  *time = nanoseconds() - start;
  return right;
}

/* As many as --repeat says, or for as long as --duration; what comes first. */
static bool measure(model *m, webnn_xla_array *inputs, webnn_xla_array *outputs, times *t) {
  const request *r = m->request;
  const size_t most = r->repeat > 0 ? r->repeat : r->duration > 0.0 ? SIZE_MAX : 10;
  const uint64_t start = nanoseconds();
  while (t->count < most && (r->duration <= 0.0 || t->count == 0 ||
                             (double)(nanoseconds() - start) < r->duration * 1e9)) {
    uint64_t time;
    if (r->repeat > 0 || r->duration <= 0.0)
      progress_of("run", t->count + 1, most);
    else
      progress_of("second", (size_t)((nanoseconds() - start) / 1000000000u) + 1,
                  (size_t)r->duration);
    if (!run_once(m, inputs, outputs, &time))
      return false;
    add_time(m->memory, t, time);
  }
  progress_of("run", 0, 0);
  qsort(t->each, t->kept, sizeof *t->each, compare_times);
  return true;
}

static bool warm_up(model *m, webnn_xla_array *inputs, webnn_xla_array *outputs) {
  for (size_t i = 0; i < m->request->warm_up; i++)
    if (!model_run(m, inputs, outputs))
      return false;
  return true;
}

bool is_measured(const request *r) {
  return r->repeat > 0 || r->duration > 0.0;
}

static void write_profile(model *m, const table *steps, const times *t, FILE *file) {
  json_list tree = json_start(m->memory, NULL, JSON_OBJECT);
  json_put_text(m->memory, &tree, "format", "webnn-profile/1");
  json_put_text(m->memory, &tree, "model", m->path);
  json_put_text(m->memory, &tree, "kind", m->reader->name);
  json_put_count(m->memory, &tree, "warmUp", m->request->warm_up);
  json_put_count(m->memory, &tree, "runs", t->count);
  put_times(m->memory, &tree, t);
  put_table(steps, &tree, t->count, t->total);
  json_put_count(m->memory, &tree, "peakBytes", peak_bytes());
  json_write(file, tree.list);
}

bool profile_model(model *m, webnn_xla_array *inputs, webnn_xla_array *outputs, FILE *to) {
  table steps = {m->memory, NULL, 0, true};
  times t = {NULL, 0, 0, 1, 0, 0, 0, 0};
  if (!warm_up(m, inputs, outputs))
    return false;
  model_steps(m, take_host_step, &steps);
  steps.before = false;
  model_graphs(m, start_profile, NULL);
  if (!measure(m, inputs, outputs, &t))
    return false;
  model_graphs(m, take_profile, &steps);
  model_steps(m, take_host_step, &steps);
  if (to) {
    write_profile(m, &steps, &t, to);
    return true;
  }
  print_times(&t);
  print_table(&steps, t.count, t.total);
  say("peak memory: %.1f MB\n", (double)peak_bytes() / 1e6);
  return true;
}

/* ---- The command ----------------------------------------------------------------------------- */

int profile_command(const request *r) {
  arena memory = {NULL, 0};
  webnn_xla_array *inputs, *outputs;
  model m;
  int status = model_open(&m, r, &memory, r->models[0]);
  if (status == EXIT_RIGHT) {
    inputs = new_arrays(&memory, m.inputs, m.input_count);
    outputs = new_arrays(&memory, m.outputs, m.output_count);
    if (!fill_inputs(&m, inputs) ||
        !profile_model(&m, inputs, outputs, r->session.json ? stdout : NULL))
      status = EXIT_BAD_INPUT;
    else if (r->session.json)
      fputc('\n', stdout);
  }
  model_close(&m);
  release(&memory);
  return status;
}
