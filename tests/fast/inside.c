/* What shows only inside: the texts from which the number of processors is read, a system and a
   device that fail, sizes that no caller can ask for, counts of more than 32 bits, work that is not
   cut for one thread, a rule that gives more for some sizes. */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* popen, in strict C99 */
#endif

#if defined(__linux__) && !defined(WEBNN_NO_THREADS)

/* ---- A system that fails -----------------------------------------------------------------------

   The library is compiled with these in place of the functions of their names. */

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static unsigned system_calls;   /* of those that may fail */
static unsigned system_fail_at; /* this call fails, counted from 1; 0: none */
static bool system_fails_on;    /* and all calls after it */
static int system_live;         /* mutexes and conditions that are not destroyed */
static bool system_has_files;   /* files of the system are in a folder of this program */
static bool system_runs_back;   /* the clock, by more than a second at each look */
static time_t system_seconds = 1000000;
static long system_online; /* processors; 0: as many as there are */

static bool system_fails(void) {
  system_calls++;
  return system_fail_at != 0 &&
         (system_calls == system_fail_at || (system_fails_on && system_calls > system_fail_at));
}

static int system_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes) {
  const int status = system_fails() ? ENOMEM : pthread_mutex_init(mutex, attributes);
  system_live += status == 0;
  return status;
}

static int system_mutex_destroy(pthread_mutex_t *mutex) {
  system_live--;
  return pthread_mutex_destroy(mutex);
}

static int system_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes) {
  const int status = system_fails() ? ENOMEM : pthread_cond_init(condition, attributes);
  system_live += status == 0;
  return status;
}

static int system_cond_destroy(pthread_cond_t *condition) {
  system_live--;
  return pthread_cond_destroy(condition);
}

static int system_attr_init(pthread_attr_t *attributes) {
  return system_fails() ? ENOMEM : pthread_attr_init(attributes);
}

static int system_attr_setstacksize(pthread_attr_t *attributes, size_t size) {
  return system_fails() ? EINVAL : pthread_attr_setstacksize(attributes, size);
}

static int system_create(pthread_t *thread, const pthread_attr_t *attributes,
                         void *(*entry)(void *), void *data) {
  return system_fails() ? EAGAIN : pthread_create(thread, attributes, entry, data);
}

static int system_memalign(void **memory, size_t alignment, size_t size) {
  return system_fails() ? ENOMEM : posix_memalign(memory, alignment, size);
}

static FILE *system_open(const char *path, const char *mode) {
  char name[600];
  if (system_has_files && *path == '/') {
    snprintf(name, sizeof name, "build/system%.580s", path);
    path = name;
  }
  return fopen(path, mode);
}

static int system_gettime(clockid_t clock, struct timespec *now) {
  const int status = clock_gettime(clock, now);
  if (system_runs_back) {
    now->tv_sec = system_seconds--;
  }
  return status;
}

static long system_configuration(int name) {
  return system_online != 0 ? system_online : sysconf(name);
}

#define pthread_mutex_init system_mutex_init
#define pthread_mutex_destroy system_mutex_destroy
#define pthread_cond_init system_cond_init
#define pthread_cond_destroy system_cond_destroy
#define pthread_attr_init system_attr_init
#define pthread_attr_setstacksize system_attr_setstacksize
#define pthread_create system_create
#define posix_memalign system_memalign
#define fopen system_open
#define sysconf system_configuration
#define clock_gettime system_gettime
#include "failing_allocator.h"
#undef pthread_mutex_init
#undef pthread_mutex_destroy
#undef pthread_cond_init
#undef pthread_cond_destroy
#undef pthread_attr_init
#undef pthread_attr_setstacksize
#undef pthread_create
#undef posix_memalign
#undef fopen
#undef sysconf
#undef clock_gettime

static float square_in(webnn_context *context, float x) {
  const webnn_tensor_descriptor descriptor = {WEBNN_FLOAT32, WEBNN_LIST(1), true, true};
  webnn_builder *builder = test_builder(context);
  webnn_operand *operand = webnn_input(builder, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1));
  webnn_tensor *from = NULL, *to = NULL;
  webnn_graph *graph = NULL;
  float y = 0;
  operand = webnn_mul(builder, operand, operand, NULL);
  (void)webnn_build(builder, WEBNN_NAMED_OPERANDS({"y", operand}), &graph, NULL);
  (void)webnn_create_tensor(context, descriptor, &from, NULL);
  (void)webnn_create_tensor(context, descriptor, &to, NULL);
  (void)webnn_write_tensor(context, from, &x, sizeof x, NULL);
  (void)webnn_dispatch(context, graph, WEBNN_NAMED_TENSORS({"x", from}),
                       WEBNN_NAMED_TENSORS({"y", to}), NULL);
  (void)webnn_read_tensor(context, to, &y, sizeof y, NULL);
  webnn_free_tensor(from);
  webnn_free_tensor(to);
  webnn_free_builder(builder);
  webnn_free_graph(graph);
  return y;
}

/* Each call of the system fails, by itself or with all that follow: there is an error and nothing
   is left, or the context works, if with fewer threads. */
static void check_failing_system(bool persistent) {
  static hook memory;
  unsigned failed = 0, worked = 0;
  system_fails_on = persistent;
  for (system_fail_at = 1;; system_fail_at++) {
    webnn_context_options options = WEBNN_ZERO;
    webnn_error error = WEBNN_ZERO;
    webnn_context *context = NULL;
    webnn_status status;
    memset(&memory, 0, sizeof memory);
    options.threads = 3;
    options.allocator.allocate = hook_allocate;
    options.allocator.release = hook_release;
    options.allocator.user = &memory;
    system_calls = 0;
    status = webnn_create_context(&options, &context, &error);
    if (status == WEBNN_OK) {
      worked++;
      CHECK("system", square_in(context, 3) == 9, "call %u: 3 x 3 is not 9", system_fail_at);
      webnn_free_context(context);
    } else {
      failed++;
      CHECK("system",
            status == WEBNN_UNKNOWN_ERROR && context == NULL &&
                strncmp(error.message, "createContext: no ", 18) == 0,
            "call %u: %s", system_fail_at, error.message);
    }
    CHECK("system", memory.live_count == 0 && memory.bad_release == 0,
          "call %u: %u pieces of memory", system_fail_at, (unsigned)memory.live_count);
    CHECK("system", system_live == 0, "call %u: %d mutexes and conditions", system_fail_at,
          system_live);
    if (system_calls < system_fail_at) {
      break;
    }
  }
  system_fail_at = 0;
  CHECK("system", failed == 5 && worked > 5, "%u failures, %u contexts", failed, worked);
}

static void check_failing_memory(void) {
  void *memory = webnn__default_allocate(NULL, (size_t)4 << 20);
  CHECK("large memory", memory != NULL && (uintptr_t)memory % ((size_t)2 << 20) == 0,
        "4 MB are not in large pages");
  webnn__default_release(NULL, memory);
  system_calls = 0;
  system_fail_at = 1;
  CHECK("large memory", webnn__default_allocate(NULL, (size_t)4 << 20) == NULL, "it did not fail");
  system_fail_at = 0;
}

/* ---- Processors --------------------------------------------------------------------------------
 */

static void check_processor_lists(void) {
  static const struct {
    const char *text;
    uint32_t count;
  } lists[] = {
      {"0", 1},
      {"0-3\n", 4},
      {"0,2,4-7\nMems_allowed:\t1", 6},
      {"5-5", 1},
      {"0-127,256-383\n", 256},
      {"", 0},
      {"\n", 0},
      {"a", 0},
      {"-1", 0},
      {"3-1", 0},
      {"0-", 0},
      {"0,", 0},
      {"0,,1", 0},
      {"0-3x", 0},
      {"0 - 3", 0},
      {"99999999999999999999", 0},
      {"0-99999999999999999999", 0},
      {"0-2147483647,0-2147483647,0", 0},
  };
  size_t i;
  for (i = 0; i < sizeof lists / sizeof *lists; i++) {
    const uint32_t count = webnn__parse_processor_list(lists[i].text);
    CHECK("list", count == lists[i].count, "\"%s\": %u instead of %u", lists[i].text,
          (unsigned)count, (unsigned)lists[i].count);
  }
}

static void check_quotas(void) {
  static const struct {
    const char *quota, *period;
    uint32_t count;
  } quotas[] = {
      {"150000 100000\n", "100000\n", 2},
      {"100000", "100000", 1},
      {"1", "100000", 1},
      {"400000", "100000", 4},
      {"400001", "100000", 5},
      {"max 100000", "100000", 0},
      {"-1\n", "100000\n", 0},
      {"0", "100000", 0},
      {"100000", "0", 0},
      {"", "", 0},
      {"100000", "", 0},
      {"100000", "x", 0},
      {"99999999999999999999", "1", 0},
  };
  size_t i;
  for (i = 0; i < sizeof quotas / sizeof *quotas; i++) {
    const uint32_t count = webnn__parse_quota(quotas[i].quota, quotas[i].period);
    CHECK("quota", count == quotas[i].count, "\"%s\" of \"%s\": %u instead of %u", quotas[i].quota,
          quotas[i].period, (unsigned)count, (unsigned)quotas[i].count);
  }
}

static void check_cgroups(void) {
  static const struct {
    const char *text, *controller, *path; /* NULL: none */
  } cgroups[] = {
      {"0::/a/b\n", "", "/a/b"},
      {"0::/\n", "", "/"},
      {"0::/\n", "cpu", NULL},
      {"3:memory:/m\n2:cpu,cpuacct:/c d\n0::/u\n", "cpu", "/c d"},
      {"3:memory:/m\n2:cpuacct,cpu:/c\n0::/u", "cpu", "/c"},
      {"3:memory:/m\n2:cpu,cpuacct:/c\n0::/u", "", "/u"},
      {"3:cpuset:/s\n", "cpu", NULL},
      {"3:cpuset:/s\n", "", NULL},
      {"3:cpu:relative\n", "cpu", NULL},
      {"3:cpu:\n", "cpu", NULL},
      {"3:cpx:/x\n2:cpu:/c\n", "cpu", "/c"},
      {"3:cpu", "cpu", NULL},
      {"cpu", "cpu", NULL},
      {"", "", NULL},
      {"\n\n::\n:", "", NULL},
      {"0::/a/path/of/more/than/thirty-two/bytes", "", NULL},
  };
  size_t i;
  for (i = 0; i < sizeof cgroups / sizeof *cgroups; i++) {
    char path[32] = "unchanged";
    const bool found =
        webnn__parse_cgroup(cgroups[i].text, cgroups[i].controller, path, sizeof path);
    CHECK("cgroup", found == (cgroups[i].path != NULL), "\"%s\": %sfound", cgroups[i].text,
          found ? "" : "not ");
    CHECK("cgroup", !found || cgroups[i].path == NULL || strcmp(path, cgroups[i].path) == 0,
          "\"%s\": \"%s\"", cgroups[i].text, path);
  }
  CHECK("line", strcmp(webnn__find_line("a:1\nab:2\n", "ab:"), "2\n") == 0, "a line");
  CHECK("line", webnn__find_line("a:1\nab:2", "b:") == NULL, "not at the beginning of a line");
  CHECK("line", webnn__find_line("", "b:") == NULL, "no text");
}

/* Quotas of a control group and of the groups around it, in folders that stand for those of the
   system. */
static void write_file(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  if (file != NULL) {
    fputs(text, file);
    fclose(file);
  }
}

static void check_cgroup_folders(void) {
  char cgroup[64];
  if (system("mkdir -p build/groups/a/b") != 0) {
    test_skip("cgroup folders", "a folder cannot be made");
    return;
  }
  write_file("build/groups/a/cpu.max", "250000 100000\n");
  write_file("build/groups/a/b/cpu.max", "max 100000\n");
  write_file("build/groups/a/cpu.cfs_quota_us", "-1\n");
  write_file("build/groups/a/cpu.cfs_period_us", "100000\n");
  write_file("build/groups/a/b/cpu.cfs_quota_us", "50000\n");
  write_file("build/groups/a/b/cpu.cfs_period_us", "50000\n");
  strcpy(cgroup, "/a/b");
  CHECK("cgroup folders", webnn__cgroup_quota("build/groups", cgroup, true) == 3, "version 2");
  strcpy(cgroup, "/a/b");
  CHECK("cgroup folders", webnn__cgroup_quota("build/groups", cgroup, false) == 1, "version 1");
  strcpy(cgroup, "/");
  CHECK("cgroup folders", webnn__cgroup_quota("build/groups", cgroup, true) == 0, "the root");
  strcpy(cgroup, "/none/such");
  CHECK("cgroup folders", webnn__cgroup_quota("build/groups", cgroup, true) == 0, "no such folder");
  write_file("build/groups/a/b/cpu.max", "900000 100000\n");
  strcpy(cgroup, "/a/b");
  CHECK("cgroup folders", webnn__cgroup_quota("build/groups", cgroup, true) == 3, "the least");
  write_file("build/groups/a/b/cpu.max", "100000 100000\n");
  strcpy(cgroup, "/a/b");
  CHECK("cgroup folders", webnn__cgroup_quota("build/groups", cgroup, true) == 1, "the least");
  write_file("build/groups/cpu.cfs_quota_us", "100000\n");
  strcpy(cgroup, "/");
  CHECK("cgroup folders", webnn__cgroup_quota("build/groups", cgroup, false) == 0, "no period");
  strcpy(cgroup, "a");
  CHECK("cgroup folders", webnn__cgroup_quota("build/groups/", cgroup, true) == 3, "no slash");
}

/* What the files of the system say, and how many processors that makes. */
static void check_counts(void) {
  static const struct {
    const char *cgroups, *quota, *old_quota, *own_status, *status; /* NULL: no such file */
    long online;
    uint32_t count;
  } cases[] = {
      {NULL, NULL, NULL, NULL, NULL, 8, 8},
      {NULL, NULL, NULL, NULL, NULL, -1, 1},
      {NULL, NULL, NULL, "Cpus_allowed_list:\t0-3\n", NULL, 8, 4},
      {NULL, NULL, NULL, "Cpus_allowed_list:\t0-3\n", NULL, 2, 2},
      {NULL, NULL, NULL, "Cpus_allowed_list:\t0-3\n", "Cpus_allowed_list:\t0\n", 8, 4},
      {NULL, NULL, NULL, NULL, "Name:\tx\nCpus_allowed_list:\t0,2\n", 8, 2},
      {NULL, NULL, NULL, NULL, "Name:\tx\n", 8, 8},
      {NULL, NULL, NULL, "Cpus_allowed_list:\t\n", NULL, 8, 8},
      {"0::/g\n", "300000 100000\n", NULL, NULL, NULL, 8, 3},
      {"0::/g\n", "300000 100000\n", NULL, NULL, NULL, 2, 2},
      {"0::/g\n", "300000 100000\n", NULL, "Cpus_allowed_list:\t0-1\n", NULL, 8, 2},
      {"0::/g\n", "max 100000\n", NULL, NULL, NULL, 8, 8},
      {"0::/g\n", "300000", NULL, NULL, NULL, 8, 8},
      {"0::/g\n", NULL, "100000\n", NULL, NULL, 8, 8},
      {"1:cpu:/g\n0::/g\n", "300000 100000\n", "500000\n", NULL, NULL, 8, 5},
      {"1:cpu:/g\n0::/g\n", "300000 100000\n", NULL, NULL, NULL, 8, 8},
      {"1:memory:/g\n", "300000 100000\n", "500000\n", NULL, NULL, 8, 8},
  };
  static const char *const files[] = {
      "build/system/proc/self/cgroup",
      "build/system/sys/fs/cgroup/g/cpu.max",
      "build/system/sys/fs/cgroup/cpu/g/cpu.cfs_quota_us",
      "build/system/proc/thread-self/status",
      "build/system/proc/self/status",
  };
  size_t i, j;
  if (system("mkdir -p build/system/proc/self build/system/proc/thread-self "
             "build/system/sys/fs/cgroup/g build/system/sys/fs/cgroup/cpu/g") != 0) {
    test_skip("counts of processors", "a folder cannot be made");
    return;
  }
  write_file("build/system/sys/fs/cgroup/cpu/g/cpu.cfs_period_us", "100000\n");
  system_has_files = true;
  for (i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *const texts[] = {cases[i].cgroups, cases[i].quota, cases[i].old_quota,
                                 cases[i].own_status, cases[i].status};
    uint32_t count;
    for (j = 0; j < sizeof files / sizeof *files; j++) {
      remove(files[j]);
      if (texts[j] != NULL) {
        write_file(files[j], texts[j]);
      }
    }
    system_online = cases[i].online;
    count = webnn__processor_count();
    CHECK("counts of processors", count == cases[i].count, "case %u: %u instead of %u", (unsigned)i,
          (unsigned)count, (unsigned)cases[i].count);
  }
  system_online = 0;
  system_has_files = false;
}

/* This program once more, held to one processor. */
static void check_affinity(const char *program) {
  char command[600], line[32] = "";
  FILE *pipe;
  if (webnn__processor_count() < 2) {
    test_skip("affinity", "there is one processor only");
    return;
  }
  snprintf(command, sizeof command, "taskset -c 0 %s count 2>/dev/null", program);
  pipe = popen(command, "r");
  if (pipe == NULL || fgets(line, sizeof line, pipe) == NULL) {
    test_skip("affinity", "there is no taskset");
  } else {
    CHECK("affinity", strcmp(line, "1\n") == 0, "%s processors on one", line);
  }
  if (pipe != NULL) {
    pclose(pipe);
  }
}

static void check_processors(const char *program) {
  check_processor_lists();
  check_quotas();
  check_cgroups();
  check_cgroup_folders();
  check_counts();
  check_affinity(program);
}

#else

#include "failing_allocator.h"

static void check_failing_system(bool persistent) {
  if (persistent) {
    test_skip("system", "its calls cannot be replaced here");
  }
}

static void check_failing_memory(void) {
}

static void check_processors(const char *program) {
  (void)program;
  test_skip("processors", "they are counted otherwise here");
}

#endif

/* ---- Sizes and texts that nobody gives
 * -----------------------------------------------------------
 */

static void check_sizes(void) {
  static hook memory;
  webnn_allocator allocator;
  webnn__arena arena;
  webnn__names names;
  allocator.allocate = hook_allocate;
  allocator.release = hook_release;
  allocator.user = &memory;
  memset(&arena, 0, sizeof arena);
  memset(&names, 0, sizeof names);
  arena.allocator = &allocator;
  CHECK("sizes", webnn__allocate(&allocator, UINT64_MAX) == NULL, "2^64 - 1 bytes");
  CHECK("sizes", webnn__allocate_aligned(&allocator, UINT64_MAX) == NULL, "2^64 - 1 bytes aligned");
  CHECK("sizes", webnn__arena_take(&arena, UINT64_MAX) == NULL, "2^64 - 1 bytes of an arena");
  CHECK("sizes", !webnn__room_for_names(&arena, &names, UINT64_C(1) << 30), "2^30 names");
  CHECK("sizes", memory.calls == 0, "%u calls of the allocator", (unsigned)memory.calls);
}

static void check_texts(void) {
  char message[sizeof((webnn_error *)NULL)->message + 8], shown[16] = "";
  webnn_error error = WEBNN_ZERO;
  webnn__text text;
  memset(&text, 0, sizeof text);
  text.data = shown;
  text.capacity = sizeof shown;
  webnn__put_digits(&text, "1\xd9\xab"
                           "5e-07");
  CHECK("decimal point", strcmp(shown, "1.5e-07") == 0, "%s", shown);
  memset(message, 0x80, sizeof message);
  message[sizeof message - 1] = 0;
  (void)webnn__set_error(&error, WEBNN_TYPE_ERROR, message);
  CHECK("no character", error.message[0] == 0, "%s", error.message);
}

/* ---- Exact arithmetic where no operator brings it
 * -------------------------------------------------
 */

static void check_wide_numbers(void) {
  const webnn__wide zero = webnn__wide_zero(false), infinity = webnn__wide_infinity(true);
  webnn__wide long_number = webnn__wide_small(1), root;
  double angle;
  uint32_t quadrant;
  long_number.lo = 1;
  CHECK("wide",
        webnn__wide_div_small(zero, 3).kind == WEBNN__KIND_ZERO &&
            webnn__wide_div_small(infinity, 3).kind == WEBNN__KIND_INFINITE &&
            webnn__wide_div_small(webnn__wide_nan(), 3).kind == WEBNN__KIND_NAN,
        "what is not finite, divided");
  CHECK("wide", webnn__wide_is_integer(zero) && !webnn__wide_is_integer(infinity), "integers");
  CHECK("wide", !webnn__pow_exact(long_number, webnn__wide_scale2(webnn__wide_small(1), -1), &root),
        "the square root of 1 + 2^-127 is no float");
  CHECK("wide",
        webnn__no_angle(webnn__wide_scale2(webnn__wide_small(1), 130)) &&
            webnn__no_angle(infinity) && !webnn__no_angle(webnn__wide_small(1)) &&
            !webnn__no_angle(zero),
        "angles");
  CHECK("wide",
        !webnn__quick_angle(0, webnn__float32_format, &quadrant, &angle) &&
            !webnn__quick_trigonometry(WEBNN_OP_SIN, 0x7f800000, webnn__float32_format,
                                       1e300 * 1e300, &angle),
        "angles that are none");
}

static void check_sums(void) {
  const webnn__wide one = webnn__wide_small(1), large = webnn__wide_scale2(one, 351);
  webnn__sum sum;
  int i;
  webnn__sum_clear(&sum);
  webnn__sum_add_wide(&sum, large);
  CHECK("sum", webnn__wide_compare(webnn__sum_result(&sum), large) == 0, "2^351");
  webnn__sum_add_wide(&sum, webnn__wide_neg(large));
  sum.pending = WEBNN__SUM_PATIENCE - 2;
  for (i = 0; i < 4; i++) {
    webnn__sum_add_wide(&sum, one);
  }
  CHECK("sum", sum.pending < 4, "carries are not moved");
  CHECK("sum", webnn__wide_compare(webnn__sum_result(&sum), webnn__wide_small(4)) == 0, "1 x 4");
}

/* Errors of what has cancelled, of tiny and of infinite numbers. */
static void check_errors(void) {
  const webnn__wide one = webnn__wide_small(1), three = webnn__wide_small(3);
  webnn__wide lost = webnn__wide_zero(false), tiny = webnn__wide_scale2(one, -120);
  webnn__wide infinity = webnn__wide_infinity(false);
  CHECK("errors", webnn__tracked_mul(lost, three).error <= 0, "0 x 3 is exact");
  CHECK("errors", webnn__tracked_mul(three, lost).error <= 0, "3 x 0 is exact");
  CHECK("errors", webnn__tracked_div(lost, three).error <= 0, "0 / 3 is exact");
  CHECK("errors", webnn__tracked_log1p(tiny).error <= 1, "log1p of an exact tiny number");
  lost.error = tiny.error = infinity.error = 5;
  CHECK("errors",
        webnn__tracked_mul(lost, three).error > 1e6f &&
            webnn__tracked_mul(three, lost).error > 1e6f &&
            webnn__tracked_div(lost, three).error > 1e6f &&
            webnn__tracked_add(lost, one).error > 1e6f,
        "a zero that has cancelled");
  CHECK("errors", webnn__tracked_log1p(tiny).error > 5, "log1p of a tiny number");
  CHECK("errors",
        !webnn__is_in_doubt(infinity, webnn__float32_format) &&
            webnn__is_in_doubt(lost, webnn__float32_format) &&
            !webnn__is_in_doubt(one, webnn__float32_format),
        "doubt");
}

/* Sums of the reference, exact and as another machine adds. */
static void check_accumulators(void) {
  webnn_arithmetic machine = WEBNN_ZERO;
  const uint32_t two = 0x40000000, three = 0x40400000;
  webnn__wide third = webnn__wide_div(webnn__wide_small(1), webnn__wide_small(3)), total;
  webnn__accumulator sum;
  webnn__view view;
  float stored = 0;
  third.error = 2;
  machine.accumulate = WEBNN_ACCUMULATE_FLOAT32;
  machine.order = WEBNN_ORDER_PAIRWISE;
  memset(&view, 0, sizeof view);
  view.type = WEBNN_FLOAT32;
  view.data = &stored;
  webnn__start_sum(&sum, &view);
  webnn__add_loose(&sum, third);
  webnn__add_loose(&sum, webnn__wide_neg(third));
  total = webnn__total(&sum);
  CHECK("accumulator", total.error > 1e6f, "what cancels is certain");
  CHECK("accumulator",
        webnn__total_over(third, webnn__wide_small(2)).error > 1 &&
            webnn__root_of_total(third).error > 1,
        "what follows an error is certain");
  CHECK("accumulator", webnn__in_doubt(&view, total), "no doubt");
  webnn__store(&view, 0, total); /* with nobody who counts doubts */
  view.type = WEBNN_INT32;
  CHECK("accumulator", !webnn__in_doubt(&view, total), "integers are in doubt");
  view.type = WEBNN_FLOAT32;
  view.arithmetic = &machine;
  CHECK("accumulator", !webnn__in_doubt(&view, total), "another arithmetic is in doubt");
  webnn__start_sum(&sum, &view);
  CHECK("accumulator", webnn__total(&sum).kind == WEBNN__KIND_ZERO, "a sum of nothing");
  webnn__add_product(&sum, two, three);
  webnn__add_product(&sum, two, two);
  webnn__add_loose(&sum, webnn__wide_small(5));
  CHECK("accumulator", webnn__wide_compare(webnn__total(&sum), webnn__wide_small(15)) == 0,
        "2 x 3 + 2 x 2 + 5");
}

/* ln (e^0 + e^0) where another machine adds. */
static void check_log_sum_exp(void) {
  const webnn_tensor_descriptor pair = {WEBNN_FLOAT32, WEBNN_LIST(2), true, true};
  const webnn_tensor_descriptor single = {WEBNN_FLOAT32, WEBNN_EMPTY_LIST, true, true};
  webnn_context_options options = WEBNN_ZERO;
  webnn_tensor *from = NULL, *to = NULL;
  webnn_graph *graph = NULL;
  webnn_builder *builder;
  webnn_context *context;
  webnn_operand *x;
  float y = 0;
  options.numerics = WEBNN_NUMERICS_REFERENCE;
  options.arithmetic.accumulate = WEBNN_ACCUMULATE_FLOAT32;
  context = test_context(&options);
  builder = test_builder(context);
  x = webnn_input(builder, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 2));
  (void)webnn_build(builder,
                    WEBNN_NAMED_OPERANDS({"y", webnn_reduce_log_sum_exp(builder, x, NULL)}), &graph,
                    NULL);
  (void)webnn_create_tensor(context, pair, &from, NULL);
  (void)webnn_create_tensor(context, single, &to, NULL);
  (void)webnn_dispatch(context, graph, WEBNN_NAMED_TENSORS({"x", from}),
                       WEBNN_NAMED_TENSORS({"y", to}), NULL);
  (void)webnn_read_tensor(context, to, &y, sizeof y, NULL);
  CHECK("reduceLogSumExp", y == 0.693147180559945f, "%.9g", (double)y);
  webnn_free_tensor(from);
  webnn_free_tensor(to);
  webnn_free_graph(graph);
  webnn_free_builder(builder);
  webnn_free_context(context);
}

/* ---- A device that fails ----------------------------------------------------------------------
 */

static webnn_status fail_to_run(void *device, void *plan, void *const *inputs, void *const *outputs,
                                webnn_error *error) {
  (void)device;
  (void)plan;
  (void)inputs;
  (void)outputs;
  return webnn__fail(error, WEBNN_OPERATION_ERROR, "the device has caught fire");
}

static void check_failing_device(bool with_error) {
  const webnn_tensor_descriptor descriptor = {WEBNN_FLOAT32, WEBNN_LIST(2), true, true};
  webnn_backend backend = webnn__cpu_backend;
  webnn_context_options options = WEBNN_ZERO;
  webnn_error error = WEBNN_ZERO, lost = WEBNN_ZERO;
  float data[2] = {0};
  webnn_tensor *x = NULL, *y = NULL;
  webnn_graph *graph = NULL;
  webnn_builder *builder;
  webnn_context *context;
  webnn_operand *operand;
  backend.run = fail_to_run;
  options.backend = &backend;
  context = test_context(&options);
  builder = test_builder(context);
  operand =
      webnn_relu(builder, webnn_input(builder, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 2)), NULL);
  (void)webnn_build(builder, WEBNN_NAMED_OPERANDS({"y", operand}), &graph, &error);
  (void)webnn_create_tensor(context, descriptor, &x, &error);
  (void)webnn_create_tensor(context, descriptor, &y, &error);
  CHECK("failing device",
        webnn_dispatch(context, graph, WEBNN_NAMED_TENSORS({"x", x}), WEBNN_NAMED_TENSORS({"y", y}),
                       with_error ? &error : NULL) == WEBNN_OPERATION_ERROR,
        "it did not fail");
  CHECK("failing device", !with_error || strcmp(error.message, "the device has caught fire") == 0,
        "%s", error.message);
  CHECK("failing device", webnn_context_lost(context, &lost), "the context is not lost");
  CHECK("failing device", strcmp(lost.message, "the device has caught fire") == 0, "%s",
        lost.message);
  CHECK("failing device",
        webnn_read_tensor(context, x, data, sizeof data, NULL) == WEBNN_TYPE_ERROR,
        "its tensors are not destroyed");
  CHECK("failing device",
        webnn_dispatch(context, graph, WEBNN_NAMED_TENSORS({"x", x}), WEBNN_NAMED_TENSORS({"y", y}),
                       NULL) == WEBNN_INVALID_STATE_ERROR,
        "its graphs are not destroyed");
  webnn_destroy_context(context);
  CHECK("failing device", webnn_context_lost(context, &lost), "not lost");
  CHECK("failing device", strcmp(lost.message, "the device has caught fire") == 0,
        "the first cause is gone: %s", lost.message);
  webnn_free_builder(builder);
  webnn_free_tensor(x);
  webnn_free_graph(graph);
  webnn_free_context(context);
  webnn_free_tensor(y);
}

/* ---- A device that is not the CPU --------------------------------------------------------------
 */

static webnn_status fail_to_write(void *device, void *storage, const void *data,
                                  uint64_t byte_length, webnn_error *error) {
  (void)device;
  (void)storage;
  (void)data;
  (void)byte_length;
  return webnn__fail(error, WEBNN_OPERATION_ERROR, "the device is full");
}

static const webnn__fast_kernel *const *choose_none(webnn_op op) {
  (void)op;
  return &webnn__no_kernel;
}

/* As the CPU's, but without fast kernels. */
static webnn_status open_without_kernels(webnn_context *context, void **device,
                                         webnn_error *error) {
  const webnn_status status = webnn__cpu_backend.open(context, device, error);
  if (status == WEBNN_OK) {
    ((webnn__cpu *)*device)->machine.choices = choose_none;
  }
  return status;
}

static void append_text(void *user, const char *text, size_t length) {
  strncat((char *)user, text, length < 3000 - strlen((char *)user) ? length : 0);
}

static void check_other_device(void) {
  const webnn_tensor_descriptor descriptor = {WEBNN_FLOAT32, WEBNN_LIST(2), true, true};
  webnn_backend backend = webnn__cpu_backend;
  webnn_context_options options = WEBNN_ZERO;
  webnn_error error = WEBNN_ZERO;
  char *text = (char *)test_allocate(4000);
  float data[2] = {0};
  webnn_tensor *x = NULL;
  webnn_graph *graph = NULL;
  webnn_builder *builder;
  webnn_context *context;
  webnn_operand *operand;
  backend.accelerated = true;
  backend.write = fail_to_write;
  backend.open = open_without_kernels;
  options.backend = &backend;
  context = test_context(&options);
  CHECK("other device", webnn_context_accelerated(context), "it is not accelerated");
  CHECK("other device", !webnn_context_accelerated(NULL), "none is accelerated");
  builder = test_builder(context);
  operand =
      webnn_relu(builder, webnn_input(builder, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 2)), NULL);
  operand = webnn_neg(builder, webnn_reshape(builder, operand, WEBNN_LIST(2, 1), NULL), NULL);
  (void)webnn_build(builder, WEBNN_NAMED_OPERANDS({"y", operand}), &graph, &error);
  (void)webnn_create_tensor(context, descriptor, &x, &error);
  webnn_print_graph(graph, append_text, text);
  CHECK("other device", strstr(text, "relu(\"x\") (reference kernel)") != NULL, "%s", text);
  CHECK("other device", webnn_profile_graph(graph, true, &error) == WEBNN_OK, "%s", error.message);
  *text = 0;
  webnn_print_profile(graph, append_text, text);
  CHECK("other device", strstr(text, "(reference kernel)") != NULL, "%s", text);
  CHECK("other device",
        webnn_write_tensor(context, x, data, sizeof data, &error) == WEBNN_OPERATION_ERROR &&
            strcmp(error.message, "the device is full") == 0,
        "%s", error.message);
  CHECK("other device",
        webnn_context_lost(context, &error) && strcmp(error.message, "the device is full") == 0,
        "a failing write does not lose the context: %s", error.message);
  webnn_free_tensor(x);
  webnn_free_graph(graph);
  webnn_free_builder(builder);
  webnn_free_context(context);
  free(text);
}

/* A clock that is set back while steps are measured: they took no time. */
static void check_clock(void) {
#if defined(__linux__) && !defined(WEBNN_NO_THREADS)
  webnn_context *context = test_context(NULL);
  const webnn_tensor_descriptor descriptor = {WEBNN_FLOAT32, WEBNN_LIST(2), true, true};
  webnn_builder *builder = test_builder(context);
  webnn_operand *x = webnn_input(builder, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 2));
  webnn_profiled_step step;
  webnn_tensor *from = NULL, *to = NULL;
  webnn_graph *graph = NULL;
  (void)webnn_build(builder, WEBNN_NAMED_OPERANDS({"y", webnn_relu(builder, x, NULL)}), &graph,
                    NULL);
  (void)webnn_create_tensor(context, descriptor, &from, NULL);
  (void)webnn_create_tensor(context, descriptor, &to, NULL);
  (void)webnn_profile_graph(graph, true, NULL);
  system_runs_back = true;
  (void)webnn_dispatch(context, graph, WEBNN_NAMED_TENSORS({"x", from}),
                       WEBNN_NAMED_TENSORS({"y", to}), NULL);
  system_runs_back = false;
  CHECK("clock",
        webnn_graph_profile(graph, &step, 1) == 1 && step.calls == 1 && step.nanoseconds == 0,
        "%u calls, %lu ns", (unsigned)step.calls, (unsigned long)step.nanoseconds);
  webnn_free_tensor(from);
  webnn_free_tensor(to);
  webnn_free_graph(graph);
  webnn_free_builder(builder);
  webnn_free_context(context);
#endif
}

#ifdef WEBNN__THREADS

enum { SLEEPERS = 9 };

/* A slice ends when as many threads as there are slices have come, or after ten seconds. */
static void meet_others(void *data, size_t index) {
  webnn__atomic *come = (webnn__atomic *)data;
  const uint64_t start = webnn__clock();
  (void)index;
  (void)webnn__atomic_add(come, 1);
  while (webnn__atomic_load(come) < SLEEPERS && webnn__clock() - start < UINT64_C(10000000000)) {
    webnn__pause();
  }
}

/* Each thread that wakes wakes others, until there is one for each slice. */
static void check_waking(void) {
  webnn_context_options options = WEBNN_ZERO;
  webnn_context *context;
  webnn__pool *pool;
  bool together = true;
  int i;
  options.threads = SLEEPERS;
  options.spin_microseconds = -1;
  context = test_context(&options);
  pool = &((webnn__cpu *)context->device)->pool;
  for (i = 0; i < 20 && together; i++) {
    webnn__atomic come = 0;
    const uint64_t start = webnn__clock();
    webnn__pool_run(pool, SLEEPERS, meet_others, &come, true);
    together = come == SLEEPERS && webnn__clock() - start < UINT64_C(10000000000);
    CHECK("waking", together, "run %d: not all of %d threads came within ten seconds", i, SLEEPERS);
  }
  webnn_free_context(context);
}

#else

static void check_waking(void) {
  test_skip("waking", "the library is compiled without threads");
}

#endif

/* Work whose cost is more than 64 bits is cut into as many slices as there can be. */
static void check_slices(void) {
  webnn_context_options options = WEBNN_ZERO;
  webnn_context *context;
  webnn__view result;
  webnn__phase phase;
  webnn__step step;
  webnn__cpu *cpu;
  options.threads = 3;
  context = test_context(&options);
  cpu = (webnn__cpu *)context->device;
  memset(&result, 0, sizeof result);
  memset(&phase, 0, sizeof phase);
  memset(&step, 0, sizeof step);
  phase.cost = UINT64_MAX / 2;
  phase.items = 1000;
  result.type = WEBNN_FLOAT32;
  step.call.y = &result;
  CHECK("slices", webnn__cut_phase(cpu, &step, &phase) > 0 || cpu->machine.threads == 1,
        "one slice");
  CHECK("slices",
        phase.slices ==
            (cpu->machine.threads == 1 ? 1 : WEBNN__SLICES_PER_THREAD * cpu->machine.threads),
        "%u slices", (unsigned)phase.slices);
  webnn_free_context(context);
}

/* Rows times panels of the items that one of some threads has, if all are equally fast. */
static uint64_t share_of(const webnn__tiling *t, uint64_t threads, uint64_t thread) {
  const uint64_t items = t->bands * t->splits;
  uint64_t item = items * thread / threads, sum = 0;
  for (; item < items * (thread + 1) / threads; item++) {
    uint64_t split;
    const uint64_t band = webnn__band_of(t, item, &split);
    const uint64_t first = webnn__part(t->tiles, t->bands, band);
    const uint64_t end = webnn__part(t->tiles, t->bands, band + 1);
    sum +=
        (webnn__tile_row(t, end) - webnn__tile_row(t, first)) *
        (webnn__part(t->panels, t->splits, split + 1) - webnn__part(t->panels, t->splits, split));
  }
  return sum;
}

/* Of convolutions of 3x3 no thread has more than a tile more than the mean of all. */
static void check_shares(void) {
  static const uint64_t sides[] = {28, 32, 56, 64, 112, 128, 256}, channels[] = {32, 64, 128};
  webnn_context *context = test_context(NULL);
  webnn__kernel_call call;
  uint64_t i, j, thread;
  memset(&call, 0, sizeof call);
  call.kernels = ((webnn__cpu *)context->device)->machine.kernels;
  for (call.threads = 2; call.threads <= 4; call.threads++) {
    for (i = 0; i < sizeof sides / sizeof *sides * 3; i++) {
      const uint64_t rows = sides[i / 3] * sides[i / 3], columns = channels[i % 3];
      const webnn__tiling t =
          webnn__tiling_of(&call, rows, columns, 1, 9, columns, 4 * columns * sizeof(float),
                           call.kernels->product_rows, WEBNN__MOST_TILES);
      for (j = thread = 0; thread < call.threads; thread++) {
        const uint64_t share = share_of(&t, call.threads, thread);
        j += share;
        CHECK("shares",
              t.bands <= 2 * call.threads ||
                  share <= rows * t.panels / call.threads + t.height * t.panels,
              "%u rows, %u columns: %u of %u for thread %u of %u", (unsigned)rows,
              (unsigned)columns, (unsigned)share, (unsigned)(rows * t.panels), (unsigned)thread,
              (unsigned)call.threads);
      }
      CHECK("shares", j == rows * t.panels, "%u rows, %u columns: %u of %u", (unsigned)rows,
            (unsigned)columns, (unsigned)j, (unsigned)(rows * t.panels));
    }
  }
  webnn_free_context(context);
}

/* Parts are one longer than others at most, of any whole and any number of them; and so are halves
   of the parts. */
static void check_parts(void) {
  static const uint64_t wholes[] = {0, 1, 5, 74, 293, 1171, UINT32_MAX, UINT64_MAX / 4};
  static const uint64_t counts[] = {1, 2, 3, 10, 34, 1 << 20, UINT32_MAX, UINT64_C(1) << 33};
  size_t i, j;
  for (i = 0; i < sizeof wholes / sizeof *wholes; i++) {
    for (j = 0; j < sizeof counts / sizeof *counts; j++) {
      const uint64_t whole = wholes[i], parts = counts[j], half = parts / 2;
      const uint64_t numbers[] = {0, half, parts - 1};
      uint64_t k;
      for (k = 0; k < 3; k++) {
        const uint64_t n = numbers[k];
        const uint64_t size = webnn__part(whole, parts, n + 1) - webnn__part(whole, parts, n);
        CHECK("parts", size == whole / parts || size == whole / parts + (whole % parts > 0 ? 1 : 0),
              "part %.0f of %.0f of %.0f: %.0f", (double)n, (double)parts, (double)whole,
              (double)size);
      }
      CHECK("parts", webnn__part(whole, parts, 0) == 0 && webnn__part(whole, parts, parts) == whole,
            "%.0f parts of %.0f", (double)parts, (double)whole);
      CHECK("parts",
            parts % 2 != 0 || parts > UINT32_MAX || webnn__part(whole, parts, half) == whole / 2,
            "half of %.0f parts of %.0f", (double)parts, (double)whole);
    }
  }
}

/* Of steps that took as long as each other, the first to run is the first. */
static void check_ranks(void) {
  webnn__ranked_step a, b;
  memset(&a, 0, sizeof a);
  memset(&b, 0, sizeof b);
  CHECK("ranks", webnn__compare_ranked(&a, &b) == 0, "the same step");
  b.index = 1;
  CHECK("ranks", webnn__compare_ranked(&a, &b) < 0 && webnn__compare_ranked(&b, &a) > 0, "places");
  b.step.nanoseconds = 1;
  CHECK("ranks", webnn__compare_ranked(&a, &b) > 0 && webnn__compare_ranked(&b, &a) < 0, "times");
}

/* ---- Counts, and work for one thread -----------------------------------------------------------
 */

static void check_counter(void) {
  webnn__counter counter;
  memset(&counter, 0, sizeof counter);
  counter.low = UINT32_MAX - 1;
  webnn__count(&counter);
  CHECK("counter", webnn__counted(&counter) == UINT32_MAX, "before 2^32");
  webnn__count(&counter);
  webnn__count(&counter);
  CHECK("counter", webnn__counted(&counter) == (uint64_t)UINT32_MAX + 2, "after 2^32");
}

static void count_calls(void *user, size_t count, webnn_task task, void *data) {
  size_t i;
  ++*(size_t *)user;
  for (i = 0; i < count; i++) {
    task(data, i);
  }
}

/* With one thread parallel_for has nothing to do; with several or none given, it has. */
static void check_lent_threads(void) {
  enum { N = 1 << 20 };
  uint32_t threads;
  for (threads = 0; threads <= 3; threads++) {
    const webnn_tensor_descriptor descriptor = {WEBNN_FLOAT32, WEBNN_LIST(N), true, true};
    webnn_context_options options = WEBNN_ZERO;
    size_t calls = 0;
    webnn_tensor *x = NULL, *y = NULL;
    webnn_graph *graph = NULL;
    webnn_builder *builder;
    webnn_context *context;
    webnn_operand *operand;
    options.threads = threads;
    options.parallel_for = count_calls;
    options.parallel_for_user = &calls;
    context = test_context(&options);
    builder = test_builder(context);
    operand =
        webnn_exp(builder, webnn_input(builder, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, N)), NULL);
    (void)webnn_build(builder, WEBNN_NAMED_OPERANDS({"y", operand}), &graph, NULL);
    (void)webnn_create_tensor(context, descriptor, &x, NULL);
    (void)webnn_create_tensor(context, descriptor, &y, NULL);
    CHECK("lent threads",
          webnn_dispatch(context, graph, WEBNN_NAMED_TENSORS({"x", x}),
                         WEBNN_NAMED_TENSORS({"y", y}), NULL) == WEBNN_OK,
          "dispatch");
    CHECK("lent threads", (calls == 0) == (threads == 1), "threads = %u: %u calls",
          (unsigned)threads, (unsigned)calls);
    webnn_free_builder(builder);
    webnn_free_tensor(x);
    webnn_free_tensor(y);
    webnn_free_graph(graph);
    webnn_free_context(context);
  }
}

/* ---- A rule that gives more for some sizes than for others -----------------------------------

   No method of the interface has one, so the nodes of a graph are given one here. */

static webnn__inference rule_of_relu;

/* relu of the operand: of an odd number of rows by two operators; of a multiple of three by one, of
   two operands. */
static bool infer_by_rows(webnn__call *call, webnn_operand **output) {
  const uint32_t rows = call->fixed[0]->shape.dimensions[0];
  if (rows % 3 == 0) {
    *output = webnn_max(call->builder, call->fixed[0], call->fixed[0], NULL);
    return *output != NULL;
  }
  if (!rule_of_relu(call, output)) {
    return false;
  }
  *output = rows % 2 != 0 ? webnn_relu(call->builder, *output, NULL) : *output;
  return *output != NULL;
}

/* relu(x) + w, of open rows. */
static webnn_graph *graph_by_rows(webnn_context *context) {
  webnn_builder *builder = test_builder(context);
  const uint32_t n = webnn_dynamic_dimension(builder, "n");
  webnn_operand *x = webnn_input(builder, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, n, 2));
  webnn_operand *w = webnn_input(builder, "w", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 2));
  webnn_operand *y = webnn_add(builder, webnn_relu(builder, x, NULL), w, NULL);
  webnn_graph *graph = NULL;
  uint32_t i;
  (void)webnn_build(builder, WEBNN_NAMED_OPERANDS({"y", y}), &graph, NULL);
  webnn_free_builder(builder);
  for (i = 0; i < graph->program->node_count; i++) {
    webnn__node *node = &graph->program->nodes[i];
    if (node->op == WEBNN_OP_RELU) {
      rule_of_relu = node->infer;
      node->infer = infer_by_rows;
    }
  }
  return graph;
}

/* Runs it; the elements of x are not negative, so that all that the rule gives is the same. */
static webnn_error run_by_rows(webnn_context *context, webnn_graph *graph, uint32_t rows) {
  static const float x[14] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}, w[2] = {0.5f, -1};
  float y[14];
  webnn_error error = WEBNN_ZERO;
  uint32_t i, wrong = 0;
  if (webnn_compute(context, graph,
                    WEBNN_INPUTS({"x", x, rows * 2 * sizeof *x}, {"w", w, sizeof w}),
                    WEBNN_OUTPUTS({"y", y, rows * 2 * sizeof *y}), &error) == WEBNN_OK) {
    for (i = 0; i < rows * 2; i++) {
      wrong += y[i] == x[i] + w[i % 2] ? 0 : 1;
    }
    CHECK("outgrown", wrong == 0, "%u rows: %u elements are wrong", (unsigned)rows,
          (unsigned)wrong);
  }
  return error;
}

/* The operators of the specialization that was used last, and the operands of the first. */
static void count_by_rows(const webnn_graph *graph, uint32_t *nodes, uint32_t *operands) {
  const webnn__specializations *special = graph->special;
  const webnn__specialization *last = &special->items[0];
  uint32_t i;
  for (i = 0; i < special->room; i++) {
    last = special->items[i].used > last->used ? &special->items[i] : last;
  }
  *nodes = last->graph->program->node_count;
  *operands = last->graph->program->nodes[0].input_count;
}

static void check_outgrown(void) {
  static const uint32_t rows[] = {2, 4, 5, 7, 2, 3, 6, 1, 3, 4};
  hook memory;
  webnn_context_options options = WEBNN_ZERO;
  webnn_context *context;
  webnn_graph *graph;
  webnn_error error;
  uint32_t nodes, operands;
  size_t i, failed = 0;
  bool more = true;
  memset(&memory, 0, sizeof memory);
  options.allocator.allocate = hook_allocate;
  options.allocator.release = hook_release;
  options.allocator.user = &memory;
  options.threads = options.specializations = 1;
  context = test_context(&options);
  graph = graph_by_rows(context);
  for (i = 0; i < sizeof rows / sizeof *rows; i++) {
    error = run_by_rows(context, graph, rows[i]);
    CHECK("outgrown", error.status == WEBNN_OK, "%u rows: %s", (unsigned)rows[i], error.message);
    count_by_rows(graph, &nodes, &operands);
    CHECK("outgrown",
          nodes == (rows[i] % 3 != 0 && rows[i] % 2 != 0 ? 3u : 2u) &&
              operands == (rows[i] % 3 == 0 ? 2u : 1u),
          "%u rows: %u operators, the first of %u operands", (unsigned)rows[i], (unsigned)nodes,
          (unsigned)operands);
  }
  webnn_free_graph(graph);
  for (i = 1; more; i++) { /* each allocation fails */
    graph = graph_by_rows(context);
    (void)run_by_rows(context, graph, 4);
    memory.fail_at = memory.calls + i;
    memory.failures = 0;
    error = run_by_rows(context, graph, 5);
    more = memory.failures > 0;
    memory.fail_at = 0;
    failed += more ? 1 : 0;
    CHECK("outgrown", (error.status == WEBNN_OK) == !more, "allocation %u: %s", (unsigned)i,
          error.message);
    CHECK("outgrown", run_by_rows(context, graph, 4).status == WEBNN_OK, "after %u", (unsigned)i);
    CHECK("outgrown", run_by_rows(context, graph, 5).status == WEBNN_OK, "after %u", (unsigned)i);
    webnn_free_graph(graph);
  }
  CHECK("outgrown", failed > 20, "only %u allocations", (unsigned)failed);
  webnn_free_context(context);
  CHECK("outgrown", memory.live_count == 0 && memory.bad_release == 0, "%u left, %u bad",
        (unsigned)memory.live_count, (unsigned)memory.bad_release);
}

int main(int argc, char **argv) {
  if (argc > 1) {
    printf("%u\n", (unsigned)webnn__processor_count());
    return 0;
  }
  check_processors(argv[0]);
  check_failing_system(false);
  check_failing_system(true);
  check_failing_memory();
  check_failing_device(true);
  check_failing_device(false);
  check_wide_numbers();
  check_sums();
  check_errors();
  check_accumulators();
  check_log_sum_exp();
  check_sizes();
  check_texts();
  check_other_device();
  check_clock();
  check_slices();
  check_parts();
  check_shares();
  check_waking();
  check_ranks();
  check_counter();
  check_lent_threads();
  check_outgrown();
  return test_end();
}
