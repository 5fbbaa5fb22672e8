/* util.c - messages, memory, time, lists, the machine. */
#include "bench.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

void fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fflush(stdout);
  fputs("error: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  exit(2);
}

void *allocate(size_t bytes) {
  void *memory = NULL;
  bytes = (bytes + 127) / 64 * 64; /* some kernels read a little too far */
  if (posix_memalign(&memory, 64, bytes) != 0)
    fail("no memory for %.0f bytes", (double)bytes);
  memset(memory, 0, bytes);
  return memory;
}

double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Whether a thread of this process other than the caller is running or wants to. (The process's
   clock would not tell: it learns of another processor's time only at that processor's tick.) */
static bool others_run(void) {
  char path[64], state = 'S';
  DIR *tasks = opendir("/proc/self/task");
  bool run = false;
  for (struct dirent *e; tasks && !run && (e = readdir(tasks));) {
    long id = atol(e->d_name);
    snprintf(path, sizeof path, "/proc/self/task/%ld/stat", id);
    FILE *file = id > 0 && id != (long)syscall(SYS_gettid) ? fopen(path, "r") : NULL;
    if (file) {
      run = fscanf(file, "%*d (%*[^)]) %c", &state) == 1 && state == 'R';
      fclose(file);
    }
  }
  if (tasks)
    closedir(tasks);
  return run;
}

void settle(uint32_t threads) {
  const struct timespec millisecond = {0, 1000000};
  for (int i = 0, quiet = 0; threads > 1 && i < 1000 && quiet < 3; i++) {
    nanosleep(&millisecond, NULL);
    quiet = others_run() ? 0 : quiet + 1;
  }
}

bool listed(const char *list, const char *word) {
  size_t length = strlen(word);
  for (const char *p = list; p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL)
    if (strncmp(p, word, length) == 0 && (p[length] == ',' || p[length] == 0))
      return true;
  return list == NULL;
}

static int compare_numbers(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double median(double *numbers, size_t count) {
  qsort(numbers, count, sizeof *numbers, compare_numbers);
  return (numbers[(count - 1) / 2] + numbers[count / 2]) / 2;
}

void print_json_string(FILE *file, const char *text) {
  fputc('"', file);
  for (; *text; text++) {
    if (*text == '"' || *text == '\\')
      fputc('\\', file);
    if ((unsigned char)*text >= ' ')
      fputc(*text, file);
  }
  fputc('"', file);
}

thread_counts default_threads(void) {
  return (thread_counts){{1, 2}, sysconf(_SC_NPROCESSORS_ONLN) > 1 ? 2 : 1};
}

thread_counts parse_threads(const char *text) {
  thread_counts t = {{0}, 0};
  while (*text && t.count < 8) {
    char *end;
    long number = strtol(text, &end, 10);
    if (end == text || number < 1 || number > 1024)
      fail("--threads takes numbers: %s", text);
    t.items[t.count++] = (uint32_t)number;
    text = *end == ',' ? end + 1 : end;
  }
  return t;
}

const char *machine_name(void) {
  static char text[256];
  FILE *file = fopen("/proc/cpuinfo", "r");
  while (file && fgets(text, sizeof text, file)) {
    char *colon = strchr(text, ':');
    if (strncmp(text, "model name", 10) == 0 && colon) {
      fclose(file);
      text[strcspn(text, "\n")] = 0;
      return colon + 2;
    }
  }
  if (file)
    fclose(file);
  return "unknown processor";
}

void print_machine(void) {
  double load;
  printf("%s\n", machine_name());
  if (getloadavg(&load, 1) == 1 && load > 0.5)
    printf("the machine is busy (load %.1f): the times will be off\n", load);
}
