/* Prints what docs/onnx.md says of operators: without an argument the list of those that webnn_onnx.h
   reads, by domain and version; with "same" the list of those of WebNN's that webnn_onnx_write.h writes
   as one operator of the same name; with "others" the table of what becomes of the others. */
#include "webnn_onnx.h"
#include "webnn_onnx_write.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 120 }; /* of a line of the page */
static size_t column;

/* Adds a word to an item of a list, on a new line if this one is full. */
static void put(const char *separator, const char *word) {
  if (column + strlen(separator) + 1 + strlen(word) + 1 > WIDTH) {
    printf("%s\n  %s", separator, word);
    column = 2 + strlen(word);
  } else {
    printf("%s %s", separator, word);
    column += strlen(separator) + 1 + strlen(word);
  }
}

static int compare(const void *left, const void *right) {
  const webnn_onnx_operator *a = (const webnn_onnx_operator *)left;
  const webnn_onnx_operator *b = (const webnn_onnx_operator *)right;
  const int domains = strcmp(a->domain, b->domain);
  if (domains != 0) {
    return domains;
  }
  return a->since != b->since ? (a->since > b->since) - (a->since < b->since)
                              : strcmp(a->name, b->name);
}

static void begin_item(const webnn_onnx_operator *operator_) {
  column = (size_t)printf(
      "- **%s, from version %u**:", operator_->domain[0] == '\0' ? "ai.onnx" : operator_->domain,
      (unsigned)operator_->since);
}

/* The operators of a domain that are read from one version on are one item. */
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
    const bool first = i == 0 || strcmp(list[i].domain, list[i - 1].domain) != 0 ||
                       list[i].since != list[i - 1].since;
    if (first) {
      printf("%s", i == 0 ? "" : "\n");
      begin_item(&list[i]);
    }
    put(first ? "" : ",", list[i].name);
  }
  printf("\n");
  free(list);
  return 0;
}

/* Is the operator of ONNX named as WebNN's, but for the capital? */
static bool is_same(const char *name, const char *form) {
  return form[0] == (char)toupper((unsigned char)name[0]) && strcmp(name + 1, form + 1) == 0;
}

static int print_written(bool same) {
  int op;
  bool first = true;
  for (op = 0; op < WEBNN_OP_COUNT; op++) {
    const char *form = webnn_onnx_write_form((webnn_op)op), *name = webnn_op_name((webnn_op)op);
    if (form == NULL) {
      return 1;
    }
    if (!same && !is_same(name, form)) {
      printf("| %s | %s |\n", name, form);
    } else if (same && is_same(name, form)) {
      if (first) {
        column = (size_t)printf("-");
      }
      put(first ? "" : ",", name);
      first = false;
    }
  }
  printf("%s", same ? "\n" : "");
  return 0;
}

int main(int count, char **arguments) {
  return count > 1 ? print_written(strcmp(arguments[1], "same") == 0) : print_read();
}
