/* pictures.c - the pictures of docs/operators.md and docs/guide.md, as SVG.

   Build:  tests/scripts/pictures.sh does it, with the files of examples/webnn but main.c
   Run:    pictures examples.json FOLDER       writes FOLDER/conv2d.svg and the others

   No picture has a formula of its own: each example is computed by a reference kernel with the recorder
   of the command webnn, and what was read for which result, with which factor, is laid out. So a picture
   can be ugly, but not wrong. Layouts are in layouts.c, drawing is in draw.c. The guide's pictures
   come from programs and graphs that are run while they are drawn, in graphs.c. */
#include "pictures.h"

#include <stdlib.h>
#include <string.h>

/* ---- Examples -------------------------------------------------------------------------------- */

static session settings;
static const json *examples;

scene *open_scene(const char *name) {
  scene *s = (scene *)calloc(1, sizeof *s);
  const json *node = case_of(examples, name);
  if (!s || !node) {
    fprintf(stderr, "pictures: no example \"%s\"\n", name);
    exit(1);
  }
  if (!network_read(&settings, &s->memory, node, &s->network) ||
      !network_compute(&s->network, true) ||
      !trace_operator(&s->network, s->network.operation_count - 1, &s->trace))
    exit(1);
  s->inputs = (int)s->trace.input_count;
  return s;
}

void close_scene(scene *s) {
  trace_release(&s->trace);
  release(&s->memory);
  free(s);
}

const tensor *scene_tensor(const scene *s, int operand) {
  return &s->trace.operands[operand].tensor;
}

uint32_t size_of(const scene *s, int operand, int from_last) {
  const webnn_list *shape = &scene_tensor(s, operand)->descriptor.shape;
  return (int)shape->count > from_last ? shape->items[(int)shape->count - 1 - from_last] : 1;
}

const char *value_of(scene *s, int operand, uint64_t index) {
  char text[ELEMENT_ROOM];
  element_text(scene_tensor(s, operand), (size_t)index, text);
  return take_text(&s->memory, "%s", text);
}

trace_element element_of(scene *s, uint64_t index) {
  return trace_element_of(&s->trace, &s->memory, s->inputs, index);
}

/* ---- What was read --------------------------------------------------------------------------- */

size_t sources_of(const trace_element *e, source *sources, size_t room) {
  size_t count = 0;
  for (size_t i = 0; i < e->line_count; i++) {
    const trace_line *line = &e->lines[i];
    const bool plain = line->kind == TRACE_READ || line->kind == TRACE_INDEX;
    const size_t reads = plain ? 1 : line->read_count;
    for (size_t j = 0; j < reads && count < room; j++, count++) {
      sources[count].line = line;
      sources[count].at = plain ? line->event->at : line->reads[j]->at;
      sources[count].other = !plain && reads == 2 ? line->reads[1 - j] : NULL;
    }
  }
  return count;
}

bool reads_element(const trace_element *e, int operand, uint64_t index) {
  source sources[MOST_SOURCES];
  const size_t count = sources_of(e, sources, MOST_SOURCES);
  for (size_t i = 0; i < count; i++)
    if (sources[i].at.operand == operand && sources[i].at.index == index)
      return true;
  return false;
}

/* ---- The pictures ---------------------------------------------------------------------------- */

static const picture pictures[] = {
#define PICTURE(file, layout, title, ...) {file, layout, title, {__VA_ARGS__, NULL}},
#include "list.inc"
#undef PICTURE
};

int main(int count, char **arguments) {
  arena memory = {NULL, 0};
  int status = 0;
  if (count < 3) {
    fprintf(stderr, "usage: pictures EXAMPLES.json FOLDER [NAME]\n");
    return 2;
  }
  settings.max_bytes = (size_t)1 << 24;
  settings.program = arguments[0];
  examples = json_read(&memory, arguments[1]);
  if (!examples || !open_context(&settings))
    return 2;
  for (size_t i = 0; i < sizeof pictures / sizeof *pictures && status == 0; i++) {
    const picture *p = &pictures[i];
    if (count > 3 && strcmp(arguments[3], p->file) != 0)
      continue;
    if (!draw_picture(p, take_text(&memory, "%s/%s.svg", arguments[2], p->file)))
      status = 1;
  }
  webnn_free_context(settings.context);
  release(&memory);
  return status;
}
