/* Prints the table of docs/networks.md: the operators that webnn_onnx.h reads, sorted, and from which
   version on. */
#include "webnn_onnx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *left, const void *right) {
  const webnn_onnx_operator *a = (const webnn_onnx_operator *)left;
  const webnn_onnx_operator *b = (const webnn_onnx_operator *)right;
  const int domains = strcmp(a->domain, b->domain);
  return domains != 0 ? domains : strcmp(a->name, b->name);
}

int main(void) {
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
