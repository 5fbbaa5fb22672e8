/* The table of data types in operators.md must stay true: every operator of WEBNN_OPERATORS stands
   in the row of its data types. (validation.c, shapes.c and conformance.c check in the same way that
   they leave none out.) */
#include "test.h"

static char *read_whole(const char *path) {
  FILE *file = fopen(path, "rb");
  char *text = NULL;
  long size;
  if (file == NULL) {
    return NULL;
  }
  if (fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) >= 0 && fseek(file, 0, SEEK_SET) == 0) {
    text = (char *)malloc((size_t)size + 1);
    if (text != NULL) {
      text[fread(text, 1, (size_t)size, file)] = 0;
    }
  }
  fclose(file);
  return text;
}

/* The data types of a set in the order of the enumeration: "float32, float16". */
static void type_list(uint32_t set, char *text, size_t size) {
  int type;
  *text = 0;
  for (type = WEBNN_FLOAT32; type <= WEBNN_UINT4; type++) {
    if ((set >> type & 1) != 0) {
      const size_t length = strlen(text);
      snprintf(text + length, size - length, "%s%s", length > 0 ? ", " : "",
               webnn_data_type_name((webnn_data_type)type));
    }
  }
}

/* Does the line that begins at `line` contain `word` between separators? */
static bool line_has_word(const char *line, const char *word) {
  const char *end = strchr(line, '\n');
  const size_t length = strlen(word);
  const char *at = line;
  while ((at = strstr(at, word)) != NULL && (end == NULL || at < end)) {
    if (at[-1] == ' ' && (at[length] == ',' || at[length] == ' ')) {
      return true;
    }
    at += length;
  }
  return false;
}

static void check_table(webnn_context *context) {
  char *page = read_whole("../docs/operators.md");
  int op;
  if (page == NULL) {
    CHECK("operators.md", false, "cannot be read");
    return;
  }
  for (op = 0; op < WEBNN_OP_COUNT; op++) {
    webnn_operator_limits limits;
    char types[128], row[140];
    const char *line;
    (void)webnn_op_limits(context, (webnn_op)op, &limits);
    type_list(limits.operands[0].data_types, types, sizeof types);
    snprintf(row, sizeof row, "\n| %s |", types);
    line = strstr(page, row);
    CHECK(limits.name, line != NULL && line_has_word(line + 1, limits.name),
          "operators.md must list it in the row of %s", types);
  }
  free(page);
}

int main(void) {
  webnn_context *context = test_context(NULL);
  check_table(context);
  webnn_free_context(context);
  return test_end();
}
