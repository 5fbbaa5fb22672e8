/* The command test: modules that check themselves. */
#include "command.h"

#include <string.h>

typedef struct result {
  size_t passed, failed, not_expressible;
} result;

/* One file; a failure has been told by the reader. */
static int test_one(const request *r, const char *path, result *sums) {
  arena memory = {NULL, 0};
  model m;
  int status = model_read(&m, r, &memory, path);
  if (status == EXIT_RIGHT && !m.reader->test)
    status = complain(NULL, "%s: a %s has no checks in itself", path, m.reader->name)
                 ? EXIT_RIGHT
                 : EXIT_BAD_INPUT;
  else if (status == EXIT_RIGHT)
    status = m.reader->test(&m);
  sums->passed += status == EXIT_RIGHT;
  sums->failed += status == EXIT_DIFFERS || status == EXIT_BAD_INPUT;
  sums->not_expressible += status == EXIT_NOT_EXPRESSIBLE;
  model_close(&m);
  release(&memory);
  return status;
}

int test_command(const request *r) {
  result sums = {0, 0, 0};
  int worst = EXIT_RIGHT;
  for (size_t i = 0; i < r->model_count; i++) {
    progress_of("file", i + 1, r->model_count);
    worst = graver(worst, test_one(r, r->models[i], &sums));
  }
  progress_of("file", 0, 0);
  say("%lu passed, %lu failed, %lu not expressible\n", (unsigned long)sums.passed,
      (unsigned long)sums.failed, (unsigned long)sums.not_expressible);
  return worst;
}
