/* The command test: models that come with their checks, and folders of such. */
#include "command.h"

#include <string.h>

/* Folders in folders, so that a link to one above has an end. */
enum { MOST_NESTING = 16 };

typedef struct tests {
  const request *request;
  arena memory;
  size_t seen, passed, failed, not_expressible;
  int worst;
} tests;

static int test_model(const request *r, arena *memory, const char *path) {
  model m;
  int status = model_read(&m, r, memory, path);
  if (status == EXIT_RIGHT && !m.reader->test) {
    complain(NULL, "%s: a %s has no checks in itself", path, m.reader->name);
    status = EXIT_BAD_INPUT;
  } else if (status == EXIT_RIGHT) {
    status = m.reader->test(&m);
  }
  model_close(&m);
  return status;
}

/* One file; a failure has been told by the reader. */
static void test_one(tests *t, const char *path) {
  arena memory = {NULL, 0};
  const int status = test_model(t->request, &memory, path);
  t->seen++;
  t->passed += status == EXIT_RIGHT;
  t->failed += status == EXIT_DIFFERS || status == EXIT_BAD_INPUT;
  t->not_expressible += status == EXIT_NOT_EXPRESSIBLE;
  t->worst = graver(t->worst, status);
  release(&memory);
}

/* The model.onnx of a folder, beside which its data lie, or the modules and the folders in it. */
static void test_folder(tests *t, const char *path, int nesting) {
  const char *found = take_text(&t->memory, "%s/model.onnx", path);
  const char **names;
  size_t count;
  if (file_exists(found)) {
    test_one(t, found);
    return;
  }
  names = folder_names(&t->memory, path, &count);
  for (size_t i = 0; i < count; i++) {
    const char *inner = take_text(&t->memory, "%s/%s", path, names[i]);
    progress_of("folder", i + 1, count);
    if (!is_folder(inner) && ends_with(inner, ".mlir"))
      test_one(t, inner);
    else if (is_folder(inner) && nesting < MOST_NESTING)
      test_folder(t, inner, nesting + 1);
  }
  progress_of("folder", 0, 0);
}

static void test_path(tests *t, const char *path) {
  const size_t before = t->seen;
  if (!is_folder(path)) {
    test_one(t, path);
    return;
  }
  test_folder(t, path, 0);
  if (t->seen == before) {
    complain(NULL, "%s: the folder has no model.onnx and no module (.mlir)", path);
    t->failed++;
    t->worst = graver(t->worst, EXIT_BAD_INPUT);
  }
}

int test_command(const request *r) {
  tests t;
  memset(&t, 0, sizeof t);
  t.request = r;
  for (size_t i = 0; i < r->model_count; i++) {
    progress_of("file", i + 1, r->model_count);
    test_path(&t, r->models[i]);
  }
  progress_of("file", 0, 0);
  say("%lu passed, %lu failed, %lu not expressible\n", (unsigned long)t.passed,
      (unsigned long)t.failed, (unsigned long)t.not_expressible);
  release(&t.memory);
  return t.worst;
}
