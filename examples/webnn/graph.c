/* The command graph: a graph for people to read, or for Graphviz. */
#include "command.h"

int graph_command(const session *s) {
  arena memory = {NULL, 0};
  session without = *s;
  case_list list;
  int status = EXIT_BAD_INPUT;
  without.weights_absent = true;
  if (cases_read(&without, &memory, s->graph, &list)) {
    status = EXIT_RIGHT;
    for (size_t i = 0; i < list.count; i++) {
      network n;
      if (list.count > 1 && !s->dot)
        say("%s\n", case_name(list.cases[i]));
      if (!network_read(s, &memory, list.cases[i], &n) || !network_print(&n, s->dot))
        status = EXIT_BAD_INPUT;
    }
  }
  release(&memory);
  return status;
}
