/* pictures.c - the pictures of docs/operators.md and docs/guide.md, as SVG.

   Build:  tests/scripts/pictures.sh does it, with the files of examples/webnn but main.c
   Run:    pictures operators.md examples.json FOLDER
                                               writes FOLDER/conv2d.svg and the others
           pictures operators.md examples.json FOLDER conv2d page.md y
                                               the same of the first example of a page, whose
                                               result y an operator makes that this picture shows

   The examples are blocks of operators.md; those of the curves, which have too many numbers for a
   page, are cases of examples.json. No picture has a formula of its own: each example is computed
   by a reference kernel with the recorder of the command webnn, and what was read for which result,
   with which factor, is laid out. So a picture can be ugly, but not wrong. Layouts are in layouts.c,
   drawing is in draw.c. The guide's pictures come from programs and graphs that are run while they
   are drawn, in graphs.c. */
#include "pictures.h"

#include <stdlib.h>
#include <string.h>

/* ---- Examples -------------------------------------------------------------------------------- */

static session settings;
static const json *examples;
static const char *operators_path, *operators;
static const char *page, *result; /* of an example in place of the table's; NULL: none */

static scene *new_scene(void) {
  scene *s = (scene *)calloc(1, sizeof *s);
  if (!s) {
    fprintf(stderr, "out of memory\n");
    exit(1);
  }
  return s;
}

/* The example number `count` of the page, or of an operator's entry, at the operator that makes the
   result. */
static scene *open_block(scene *s, const char *path, const char *text, const char *entry,
                         uint32_t count, const char *name) {
  session one = settings;
  const network_value *v;
  example e;
  one.example = count;
  if (!text || !example_of_page(&one, &s->memory, path, text, entry, &e))
    exit(1);
  s->network = e.network;
  v = network_find(&s->network, name);
  if (!v || v->producer == NOBODY) {
    fprintf(stderr, "pictures: no operator makes \"%s\"\n", name);
    exit(1);
  }
  if (v->output_index != 0 || !trace_operator(&s->network, v->producer, &s->trace))
    exit(1);
  s->inputs = (int)s->trace.input_count;
  return s;
}

static scene *open_edited(void) {
  scene *s = new_scene();
  size_t length;
  return open_block(s, page, text_read(&s->memory, page, &length), NULL, 1, result);
}

/* "conv2d 2 y": the entry's second example that calls the operator, at the result y. */
static scene *open_entry(const char *reference) {
  char entry[64], name[64];
  unsigned number;
  if (sscanf(reference, "%63s %u %63s", entry, &number, name) != 3) {
    fprintf(stderr, "pictures: \"%s\" is no operator, number and result\n", reference);
    exit(1);
  }
  return open_block(new_scene(), operators_path, operators, entry, number, name);
}

static scene *open_case(const char *name) {
  scene *s = new_scene();
  const json *node = case_of(examples, name);
  if (!node) {
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

scene *open_scene(const char *name) {
  return page ? open_edited() : strchr(name, ' ') ? open_entry(name) : open_case(name);
}

/* ---- Calls ----------------------------------------------------------------------------------- */

/* "[1, 1]", "\"linear\"", "x": a value of an argument, with the names of operands. */
static const char *value_text(arena *memory, const json *value) {
  const char *text = "";
  if (value->kind == JSON_OBJECT)
    return value->first ? value_text(memory, value->first) : "";
  if (value->kind != JSON_ARRAY)
    return value->kind == JSON_STRING && strcmp(value->name ? value->name : "", "string") == 0
               ? take_text(memory, "\"%s\"", value->text)
           : value->kind == JSON_STRING || value->kind == JSON_NUMBER
               ? take_text(memory, "%.*s", (int)value->length, value->text)
               : (json_is_true(value) ? "true" : "false");
  for (const json *item = value->first; item; item = item->next)
    text = take_text(memory, "%s%s%s", text, *text ? ", " : "", value_text(memory, item));
  return take_text(memory, "[%s]", text);
}

const char *scene_call(scene *s) {
  const json *arguments = json_get(s->trace.operation->node, "arguments");
  const char *text = "";
  for (const json *a = json_items(arguments, JSON_ARRAY); a; a = a->next) {
    const json *options = json_get(a, "options");
    if (!options)
      text = take_text(&s->memory, "%s%s%s", text, *text ? ", " : "", value_text(&s->memory, a));
    for (const json *o = options ? options->first : NULL; o; o = o->next)
      text = take_text(&s->memory, "%s%s%s=%s", text, *text ? ", " : "", o->name,
                       value_text(&s->memory, o));
  }
  return take_text(&s->memory, "%s(%s)", s->trace.operation->name, text);
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

/* Shows this example the operator? */
static bool shows_operator(const char *name, const char *operator_name) {
  scene *s = strchr(name, ' ') ? open_entry(name) : open_case(name);
  const bool shows = strcmp(webnn_op_name(s->trace.op), operator_name) == 0;
  close_scene(s);
  return shows;
}

/* A picture of the page's example as the table has one of its operator. */
static bool draw_edited(const picture *p, const char *path) {
  scene *s = open_edited();
  const char *name = webnn_op_name(s->trace.op);
  picture edited = *p;
  bool shown = false;
  for (size_t i = 0; p->parts[i] && p->layout != curves && !shown; i += p->parts[i + 1] ? 2 : 1)
    shown = shows_operator(p->parts[i], name);
  edited.title = edited.parts[0] = name;
  edited.parts[1] = take_text(&s->memory, "%s, as it is written above", name);
  edited.parts[2] = NULL;
  if (!shown)
    fprintf(stderr, "pictures: %s shows no %s\n", p->file, name);
  shown = shown && draw_picture(&edited, path);
  close_scene(s);
  return shown;
}

int main(int count, char **arguments) {
  arena memory = {NULL, 0};
  int status = 0;
  size_t length;
  if (count < 4) {
    fprintf(stderr, "usage: pictures OPERATORS.md EXAMPLES.json FOLDER [NAME [PAGE.md RESULT]]\n");
    return 2;
  }
  settings.max_bytes = (size_t)1 << 24;
  settings.program = arguments[0];
  operators_path = arguments[1];
  operators = text_read(&memory, operators_path, &length);
  examples = json_read(&memory, arguments[2]);
  if (!operators || !examples || !open_context(&settings))
    return 2;
  for (size_t i = 0; i < sizeof pictures / sizeof *pictures && status == 0; i++) {
    const picture *p = &pictures[i];
    if (count > 4 && strcmp(arguments[4], p->file) != 0)
      continue;
    if (count > 6) {
      page = arguments[5];
      result = arguments[6];
    }
    if (!(page ? draw_edited
               : draw_picture)(p, take_text(&memory, "%s/%s.svg", arguments[3], p->file)))
      status = 1;
  }
  webnn_free_context(settings.context);
  release(&memory);
  return status;
}
