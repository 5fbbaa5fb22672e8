/* Prints tables of docs/networks.md: the operators that webnn_onnx.h reads, sorted, and from which
   version on; with the argument "write" what webnn_onnx_write.h makes of WebNN's. */
#include "webnn_onnx.h"
#include "webnn_onnx_write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *left, const void *right) {
  const webnn_onnx_operator *a = (const webnn_onnx_operator *)left;
  const webnn_onnx_operator *b = (const webnn_onnx_operator *)right;
  const int domains = strcmp(a->domain, b->domain);
  return domains != 0 ? domains : strcmp(a->name, b->name);
}

static int print_written(void) {
  int op;
  for (op = 0; op < WEBNN_OP_COUNT; op++) {
    const char *form = webnn_onnx_write_form((webnn_op)op);
    if (form == NULL) {
      return 1;
    }
    printf("| %s | %s |\n", webnn_op_name((webnn_op)op), form);
  }
  return 0;
}

static int print_read(void) {
  const size_t count = webnn_onnx_known_operators(NULL, 0);
  webnn_onnx_operator *list = (webnn_onnx_operator *)calloc(count + 1, sizeof *list);
  size_t i;
  if (list == NULL) {
    return 1;
  }
  (void)webnn_onnx_known_operators(list, count);
  qsort(list, count, sizeof *list, compare);
  for (i = 0; i < count; i++) {
    printf("| `%s%s%s` | %u |\n", list[i].domain, list[i].domain[0] == '\0' ? "" : ".",
           list[i].name, (unsigned)list[i].since);
  }
  free(list);
  return 0;
}

int main(int count, char **arguments) {
  return count > 1 && strcmp(arguments[1], "write") == 0 ? print_written() : print_read();
}
