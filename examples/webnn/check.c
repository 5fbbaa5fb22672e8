/* The command check: what of a model is not covered. */
#include "command.h"

static void print_problem(void *user, const char *place, const char *message) {
  ++*(size_t *)user;
  say("%s: %s\n", place, message);
}

int check_command(const request *r) {
  int worst = EXIT_RIGHT;
  for (size_t i = 0; i < r->model_count; i++) {
    arena memory = {NULL, 0};
    size_t problems = 0;
    model m;
    int status;
    progress_of("file", i + 1, r->model_count);
    status = model_read(&m, r, &memory, r->models[i]);
    if (status == EXIT_RIGHT)
      status = m.reader->problems(&m, print_problem, &problems);
    progress_of("file", 0, 0);
    if (status == EXIT_RIGHT)
      say("%s: covered\n", m.path);
    else if (problems > 0)
      say("%s: %lu not covered\n", m.path, (unsigned long)problems);
    worst = graver(worst, status);
    model_close(&m);
    release(&memory);
  }
  return worst;
}
