/* The guide's pictures: what a program and its graph did when they were run here. Objects and their
   memory come from an allocator that knows for whom each block was taken, the timeline from the
   calls as they were made, and places in the arena from the pointers that a tap was shown. */
#include "pictures.h"

#include <stdlib.h>
#include <string.h>

static const char grey[] = "#555";

static style small_text(alignment a, const char *fill) {
  style s = text_style(a, fill, false);
  s.small = true;
  return s;
}

/* A picture of something that failed would be a wrong one. */
static void expect(bool right, const char *what) {
  if (!right) {
    fprintf(stderr, "pictures: %s\n", what);
    exit(1);
  }
}

static void expect_success(const webnn_error *error) {
  expect(error->status == WEBNN_OK, error->message);
}

static style frame_style(const char *fill, const char *stroke) {
  style s = fill_style(fill);
  s.stroke = stroke;
  return s;
}

/* ---- Objects: who makes whom, and what lives how long ---------------------------------------- */

enum { CONTEXT, BUILDER, OPERANDS, GRAPH, INPUT_TENSOR, OUTPUT_TENSOR, OBJECTS, MOST_CALLS = 24 };

static const char *const object_names[OBJECTS] = {"context", "builder",  "operands",
                                                  "graph",   "tensor x", "tensor y"};

/* From which call on there is an object, until which one its handle and its memory. */
typedef struct life {
  int begin, handle_end, memory_end;
  long blocks;
} life;

typedef struct story {
  life lives[OBJECTS];
  const char *calls[MOST_CALLS];
  int call_count, maker; /* the object for which blocks are taken now; -1: of no object */
} story;

/* What stands before each block. */
typedef union block_head {
  int owner;
  double alignment;
  void *pointer;
  uint64_t integer;
} block_head;

static void *take_block(void *user, size_t size) {
  story *s = (story *)user;
  block_head *head = (block_head *)malloc(sizeof *head + size);
  if (!head)
    return NULL;
  head->owner = s->maker;
  if (head->owner >= 0)
    s->lives[head->owner].blocks++;
  return head + 1;
}

static void give_block(void *user, void *memory) {
  story *s = (story *)user;
  block_head *head = (block_head *)memory - 1;
  if (!memory)
    return;
  if (head->owner >= 0)
    s->lives[head->owner].blocks--;
  free(head);
}

/* The call was made: whose memory went with it? */
static void made_call(story *s, const char *call) {
  expect(s->call_count < MOST_CALLS, "too many calls");
  for (int i = 0; i < OBJECTS; i++) {
    life *l = &s->lives[i];
    if (l->begin >= 0 && l->memory_end < 0 && l->blocks == 0)
      l->memory_end = s->call_count;
  }
  s->calls[s->call_count++] = call;
  s->maker = -1;
}

static void begins(story *s, int object) {
  s->maker = object;
  s->lives[object].begin = s->call_count;
}

static void ends(story *s, int object) {
  s->lives[object].handle_end = s->call_count;
}

typedef struct handles {
  webnn_context *context;
  webnn_builder *builder;
  webnn_graph *graph;
  webnn_tensor *x, *y;
} handles;

static void make_objects(story *s, handles *h, webnn_error *error) {
  webnn_context_options options = WEBNN_ZERO;
  const webnn_tensor_descriptor four = {WEBNN_FLOAT32, WEBNN_LIST(4), false, true};
  webnn_operand *x, *y;
  options.threads = 1;
  options.allocator.allocate = take_block;
  options.allocator.release = give_block;
  options.allocator.user = s;
  begins(s, CONTEXT);
  webnn_create_context(&options, &h->context, error);
  made_call(s, "webnn_create_context");
  begins(s, BUILDER);
  webnn_create_builder(h->context, &h->builder, error);
  made_call(s, "webnn_create_builder");
  begins(s, OPERANDS);
  s->maker = BUILDER; /* operands have no memory of their own */
  x = webnn_input(h->builder, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 4));
  made_call(s, "webnn_input");
  s->maker = BUILDER;
  y = webnn_relu(h->builder, x, NULL);
  made_call(s, "webnn_relu");
  begins(s, GRAPH);
  webnn_build(h->builder, WEBNN_NAMED_OPERANDS({"y", y}), &h->graph, error);
  made_call(s, "webnn_build");
  ends(s, BUILDER);
  ends(s, OPERANDS);
  webnn_free_builder(h->builder);
  made_call(s, "webnn_free_builder");
  begins(s, INPUT_TENSOR);
  webnn_create_tensor(h->context, four, &h->x, error);
  made_call(s, "webnn_create_tensor");
  begins(s, OUTPUT_TENSOR);
  webnn_create_graph_tensor(h->graph, "y", &h->y, error);
  made_call(s, "webnn_create_graph_tensor");
}

static void use_objects(story *s, const handles *h, webnn_error *error) {
  const float x[4] = {-1, 2, -3, 4};
  float y[4] = {0};
  webnn_write_tensor(h->context, h->x, x, sizeof x, error);
  made_call(s, "webnn_write_tensor");
  webnn_dispatch(h->context, h->graph, WEBNN_NAMED_TENSORS({"x", h->x}),
                 WEBNN_NAMED_TENSORS({"y", h->y}), error);
  made_call(s, "webnn_dispatch");
  ends(s, GRAPH);
  webnn_free_graph(h->graph);
  made_call(s, "webnn_free_graph");
  webnn_read_tensor(h->context, h->y, y, sizeof y, error);
  made_call(s, "webnn_read_tensor");
  expect(y[0] == 0 && y[3] == 4, "the graph of the objects is wrong");
}

/* The context first: the tensors keep it. */
static void free_objects(story *s, const handles *h) {
  ends(s, CONTEXT);
  webnn_free_context(h->context);
  made_call(s, "webnn_free_context");
  ends(s, INPUT_TENSOR);
  webnn_free_tensor(h->x);
  made_call(s, "webnn_free_tensor of x");
  ends(s, OUTPUT_TENSOR);
  webnn_free_tensor(h->y);
  made_call(s, "webnn_free_tensor of y");
}

static story tell_story(void) {
  story s;
  handles h;
  webnn_error error = WEBNN_ZERO;
  memset(&s, 0, sizeof s);
  for (int i = 0; i < OBJECTS; i++)
    s.lives[i].begin = s.lives[i].handle_end = s.lives[i].memory_end = -1;
  s.maker = -1;
  make_objects(&s, &h, &error);
  use_objects(&s, &h, &error);
  free_objects(&s, &h);
  expect_success(&error);
  s.lives[OPERANDS].memory_end = s.lives[BUILDER].memory_end;
  return s;
}

static void name_box(double x, double y, int object, const char *name) {
  rectangle(x, y, 110, 30, frame_style(pale[object % COLOURS], ink[object % COLOURS]));
  text_at(x + 55, y + 20, text_style(CENTRE, ink[object % COLOURS], true), name);
}

static void draw_makers(double y) {
  const style dark = line_style("#222", false);
  name_box(16, y, CONTEXT, "context");
  name_box(330, y, BUILDER, "builder");
  name_box(650, y, OPERANDS, "operands");
  name_box(330, y + 90, GRAPH, "graph");
  name_box(16, y + 180, INPUT_TENSOR, "tensor");
  arrow(128, y + 15, 328, y + 15, dark);
  text_at(228, y + 9, small_text(CENTRE, NULL), "webnn_create_builder");
  arrow(442, y + 15, 648, y + 15, dark);
  text_at(545, y + 9, small_text(CENTRE, NULL), "webnn_input, webnn_relu, ...");
  arrow(385, y + 32, 385, y + 88, dark);
  text_at(395, y + 64, small_text(LEFT, NULL), "webnn_build");
  arrow(71, y + 32, 71, y + 178, dark);
  text_at(81, y + 109, small_text(LEFT, NULL), "webnn_create_tensor");
  arrow(328, y + 112, 128, y + 190, dark);
  text_at(246, y + 166, small_text(LEFT, NULL), "webnn_create_graph_tensor");
  line(648, y + 22, 442, y + 100, dashed_style(grey));
  text_at(560, y + 82, small_text(LEFT, grey), "names the outputs");
}

enum { ROW = 24, FIRST = 250, APART = 92 };

static void draw_life(const story *s, int object, double y) {
  const life *l = &s->lives[object];
  const double x = FIRST + object * (double)APART;
  const double begin = y + l->begin * ROW + 12.0, handle = y + l->handle_end * ROW + 12.0;
  const double memory = y + l->memory_end * ROW + 12.0;
  style rest = frame_style("#fff", ink[object % COLOURS]);
  expect(l->handle_end > l->begin && l->memory_end >= l->handle_end, "an object has no end");
  rest.dashed = true;
  text_at(x + 17, y - 8, text_style(CENTRE, ink[object % COLOURS], true), object_names[object]);
  if (memory > handle)
    rectangle(x, handle, 34, memory - handle, rest);
  rectangle(x, begin, 34, handle - begin,
            frame_style(pale[object % COLOURS], ink[object % COLOURS]));
}

void object_lives(const picture *p) {
  const story s = tell_story();
  const double y = 352;
  text_at(16, 60, text_style(LEFT, NULL, false), p->parts[0]);
  draw_makers(74);
  text_at(16, y - 36, text_style(LEFT, NULL, false), p->parts[1]);
  for (int i = 0; i < s.call_count; i++) {
    if (i % 2 == 0)
      rectangle(16, y + i * ROW, FIRST + OBJECTS * APART - 32, ROW, fill_style("#f5f5f5"));
    text_at(20, y + i * ROW + 16.5, small_text(LEFT, NULL), s.calls[i]);
  }
  for (int i = 0; i < OBJECTS; i++)
    draw_life(&s, i, y);
  text_at(16, y + s.call_count * ROW + 22, small_text(LEFT, grey),
          "filled: the handle is valid; dashed: the handle is gone, and others keep the memory");
}

/* ---- Timeline: two frames under way ---------------------------------------------------------- */

enum { SLOTS = 2, FRAMES = 4, LANES = 2 * SLOTS };

/* Lanes are the tensors: input and output of each slot. */
typedef struct timed_call {
  char text[40];
  int reads, writes; /* a lane; -1: none */
  int waits;         /* for the work of this call, -1: for none */
  bool dispatch;
  char operators[48]; /* that a tap saw during the call */
} timed_call;

typedef struct timeline_record {
  webnn_context *context;
  webnn_graph *graph;
  webnn_tensor *lanes[LANES];
  timed_call calls[MOST_CALLS];
  int call_count, done; /* the last call whose work is known to be done */
} timeline_record;

static timed_call *next_call(timeline_record *r, int reads, int writes) {
  timed_call *c = &r->calls[r->call_count];
  expect(r->call_count < MOST_CALLS, "too many calls");
  memset(c, 0, sizeof *c);
  c->reads = reads;
  c->writes = writes;
  c->waits = -1;
  return c;
}

/* A call from the host has to wait for the work on its tensor that may still go on; all work
   before that is done then as well. */
static void finish_call(timeline_record *r, int lane) {
  timed_call *c = &r->calls[r->call_count];
  for (int i = r->done + 1; i < r->call_count && !c->dispatch; i++)
    if (r->calls[i].dispatch && (r->calls[i].reads == lane || r->calls[i].writes == lane))
      c->waits = i;
  r->done = c->waits > r->done ? c->waits : r->done;
  r->call_count++;
}

static void note_operator(void *user, const webnn_tapped_value *value) {
  timeline_record *r = (timeline_record *)user;
  timed_call *c = &r->calls[r->call_count];
  const size_t used = strlen(c->operators);
  snprintf(c->operators + used, sizeof c->operators - used, "%s%s", used ? ", " : "",
           value->op_name);
}

static void write_frame(timeline_record *r, int frame, webnn_error *error) {
  const int lane = 2 * (frame % SLOTS);
  const float x = (float)frame;
  timed_call *c = next_call(r, -1, lane);
  snprintf(c->text, sizeof c->text, "write frame %d: %g", frame, (double)x);
  webnn_write_tensor(r->context, r->lanes[lane], &x, sizeof x, error);
  finish_call(r, lane);
}

static void dispatch_frame(timeline_record *r, int frame, webnn_error *error) {
  const int lane = 2 * (frame % SLOTS);
  timed_call *c = next_call(r, lane, lane + 1);
  snprintf(c->text, sizeof c->text, "dispatch frame %d", frame);
  c->dispatch = true;
  webnn_dispatch(r->context, r->graph, WEBNN_NAMED_TENSORS({"x", r->lanes[lane]}),
                 WEBNN_NAMED_TENSORS({"y", r->lanes[lane + 1]}), error);
  finish_call(r, lane);
}

static void read_frame(timeline_record *r, int frame, webnn_error *error) {
  const int lane = 2 * (frame % SLOTS) + 1;
  float y = 0;
  timed_call *c = next_call(r, lane, -1);
  webnn_read_tensor(r->context, r->lanes[lane], &y, sizeof y, error);
  snprintf(c->text, sizeof c->text, "read frame %d: %g", frame, (double)y);
  expect(y == (float)(10 * frame + 1), "a frame was read that is not the one");
  finish_call(r, lane);
}

static void make_timeline(timeline_record *r, webnn_error *error) {
  const webnn_tensor_descriptor in = {WEBNN_FLOAT32, WEBNN_LIST(1), false, true};
  const webnn_tensor_descriptor out = {WEBNN_FLOAT32, WEBNN_LIST(1), true, false};
  webnn_builder *builder;
  webnn_operand *x;
  webnn_create_context(NULL, &r->context, error);
  webnn_create_builder(r->context, &builder, error);
  x = webnn_input(builder, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1));
  x = webnn_mul(builder, x, webnn_constant_from_number(builder, WEBNN_FLOAT32, webnn_f64(10)),
                NULL);
  x = webnn_add(builder, x, webnn_constant_from_number(builder, WEBNN_FLOAT32, webnn_f64(1)), NULL);
  webnn_build(builder, WEBNN_NAMED_OPERANDS({"y", x}), &r->graph, error);
  webnn_free_builder(builder);
  for (int i = 0; i < LANES; i++)
    webnn_create_tensor(r->context, i % 2 == 0 ? in : out, &r->lanes[i], error);
  webnn_tap_graph(r->graph, note_operator, r, error);
}

/* The guide's loop over frames. */
static void run_timeline(timeline_record *r) {
  webnn_error error = WEBNN_ZERO;
  memset(r, 0, sizeof *r);
  r->done = -1;
  make_timeline(r, &error);
  for (int frame = 0; frame < FRAMES + SLOTS; frame++) {
    if (frame >= SLOTS)
      read_frame(r, frame - SLOTS, &error);
    if (frame < FRAMES) {
      write_frame(r, frame, &error);
      dispatch_frame(r, frame, &error);
    }
  }
  for (int i = 0; i < LANES; i++)
    webnn_free_tensor(r->lanes[i]);
  webnn_free_graph(r->graph);
  webnn_free_context(r->context);
  expect_success(&error);
}

enum { LINE = 28, FIRST_LANE = 210, LANE = 86, BARS = FIRST_LANE + LANES * LANE };

static double lane_x(int lane) {
  return FIRST_LANE + lane * (double)LANE + 20;
}

static void draw_dot(double x, double y, const char *colour) {
  rectangle(x - 6, y - 6, 12, 12, frame_style(colour, colour));
}

static void draw_call(const timeline_record *r, int index, double top) {
  const timed_call *c = &r->calls[index];
  const double y = top + index * (double)LINE + LINE / 2;
  const int lane = c->reads >= 0 ? c->reads : c->writes;
  const char *colour = ink[lane / 2];
  if (index % 2 == 0)
    rectangle(16, y - 14, BARS + 176, LINE, fill_style("#f5f5f5"));
  text_at(24, y + 5, text_style(LEFT, colour, c->dispatch), c->text);
  if (c->dispatch) {
    arrow(lane_x(c->reads) + 8, y, lane_x(c->writes) - 8, y, line_style(colour, true));
    text_at((lane_x(c->reads) + lane_x(c->writes)) / 2, y - 4, small_text(CENTRE, NULL),
            c->operators);
  }
  if (c->reads >= 0)
    draw_dot(lane_x(c->reads), y, colour);
  if (c->writes >= 0)
    draw_dot(lane_x(c->writes), y, colour);
}

/* From the dispatch to the call that waits for it. */
static void draw_bar(const timeline_record *r, int index, double top) {
  const int slot = r->calls[index].reads / 2;
  const double x = BARS + 30 + slot * 86.0, begin = top + index * (double)LINE + LINE / 2;
  for (int i = index + 1; i < r->call_count; i++) {
    const double end = top + i * (double)LINE + LINE / 2;
    if (r->calls[i].waits != index)
      continue;
    rectangle(x, begin, 30, end - begin, frame_style(pale[slot], ink[slot]));
    arrow(lane_x(r->calls[index].writes), begin + 8, lane_x(r->calls[index].writes), end - 8,
          line_style(ink[slot], true));
    text_at(x + 36, end + 4, small_text(LEFT, ink[slot]), "waits");
    return;
  }
  expect(false, "nothing waits for a dispatch");
}

void timelines(const picture *p) {
  static timeline_record r;
  static const char *const names[LANES] = {"image A", "result A", "image B", "result B"};
  const double top = 90;
  run_timeline(&r);
  text_at(16, 58, text_style(LEFT, NULL, false), p->parts[0]);
  for (int i = 0; i < r.call_count; i++)
    draw_call(&r, i, top);
  for (int i = 0; i < LANES; i++) {
    text_at(lane_x(i), top - 8, text_style(CENTRE, ink[i / 2], true), names[i]);
    line(lane_x(i), top, lane_x(i), top + r.call_count * LINE, dashed_style("#999"));
  }
  text_at(BARS + 100, top - 8, text_style(CENTRE, NULL, true), "may be computed");
  for (int i = 0; i < r.call_count; i++)
    if (r.calls[i].dispatch)
      draw_bar(&r, i, top);
}

/* ---- Memory: how values share an arena ------------------------------------------------------- */

/* A small network with a shortcut; inputs are positions in the list, -1 being the graph's input. */
typedef struct planned_node {
  const char *name;
  int input, other; /* -2: none */
} planned_node;

static const planned_node nodes[] = {
    {"a", -1, -2}, /* conv2d */
    {"b", 0, -2},  /* relu */
    {"c", 1, -2},  /* conv2d */
    {"d", 2, 1},   /* add */
    {"e", 3, -2},  /* relu */
    {"f", 4, -2},  /* averagePool2d */
    {"g", 5, -2},  /* reshape */
    {"h", 6, -2},  /* matmul */
    {"y", 7, -2},  /* softmax */
};
enum { NODES = sizeof nodes / sizeof *nodes };

/* Where each value was when it had just been computed. */
typedef struct arena_map {
  const char *op_names[NODES];
  const char *data[NODES];
  size_t sizes[NODES];
  webnn_memory memory;
} arena_map;

static void note_place(void *user, const webnn_tapped_value *value) {
  arena_map *m = (arena_map *)user;
  m->op_names[value->operator_index] = value->op_name;
  m->data[value->operator_index] = (const char *)value->data;
  m->sizes[value->operator_index] = value->byte_length;
}

static webnn_operand *constant_of(webnn_builder *b, webnn_operand_descriptor descriptor) {
  static const float zeros[128 * 128] = {0};
  return webnn_constant(b, descriptor, zeros, (size_t)webnn_byte_length(descriptor));
}

static webnn_operand *make_node(webnn_builder *b, int index, webnn_operand *x,
                                webnn_operand *other) {
  const webnn_operand_descriptor first = WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 8, 2, 3, 3);
  const webnn_operand_descriptor second = WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 8, 8, 3, 3);
  webnn_conv2d_options same = WEBNN_ZERO;
  webnn_pool2d_options halves = WEBNN_ZERO;
  same.padding = WEBNN_LIST(1, 1, 1, 1);
  halves.window_dimensions = halves.strides = WEBNN_LIST(2, 2);
  switch (index) {
  case 0:
    return webnn_conv2d(b, x, constant_of(b, first), &same);
  case 2:
    return webnn_conv2d(b, x, constant_of(b, second), &same);
  case 3:
    return webnn_add(b, x, other, NULL);
  case 5:
    return webnn_average_pool2d(b, x, &halves);
  case 6:
    return webnn_reshape(b, x, WEBNN_LIST(1, 128), NULL);
  case 7:
    return webnn_matmul(b, x, constant_of(b, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 128, 128)), NULL);
  case 8:
    return webnn_softmax(b, x, 1, NULL);
  default:
    return webnn_relu(b, x, NULL);
  }
}

static uint32_t pass_bit(const char *name) {
  for (uint32_t i = 0; webnn_pass_name(i); i++)
    if (strcmp(webnn_pass_name(i), name) == 0)
      return (uint32_t)1 << i;
  expect(false, "no such pass");
  return 0;
}

static void map_arena(arena_map *m, uint32_t disabled) {
  static const float x[2 * 8 * 8] = {0};
  float y[128];
  webnn_error error = WEBNN_ZERO;
  webnn_context *context;
  webnn_builder *builder;
  webnn_graph *graph;
  webnn_operand *input, *made[NODES];
  webnn_context_options options = WEBNN_ZERO;
  options.numerics = WEBNN_NUMERICS_REFERENCE;
  options.disabled_passes = disabled;
  memset(m, 0, sizeof *m);
  webnn_create_context(&options, &context, &error);
  webnn_create_builder(context, &builder, &error);
  input = webnn_input(builder, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1, 2, 8, 8));
  for (int i = 0; i < NODES; i++)
    made[i] = make_node(builder, i, nodes[i].input < 0 ? input : made[nodes[i].input],
                        nodes[i].other < 0 ? NULL : made[nodes[i].other]);
  webnn_build(builder, WEBNN_NAMED_OPERANDS({"y", made[NODES - 1]}), &graph, &error);
  m->memory = webnn_graph_memory(graph);
  webnn_tap_graph(graph, note_place, m, &error);
  webnn_compute(context, graph, WEBNN_INPUTS({"x", x, sizeof x}), WEBNN_OUTPUTS({"y", y, sizeof y}),
                &error);
  webnn_free_graph(graph);
  webnn_free_builder(builder);
  webnn_free_context(context);
  expect_success(&error);
}

/* The last step that reads a value, through views of it as well. */
static int last_reader(const arena_map *m, int index) {
  int last = index;
  for (int i = index + 1; i < NODES; i++) {
    if (nodes[i].input != index && nodes[i].other != index)
      continue;
    last = i;
    if (m->data[i] == m->data[index] && m->sizes[i] == m->sizes[index])
      last = last_reader(m, i);
  }
  return last;
}

static bool is_view(const arena_map *m, int index) {
  const int of = nodes[index].input;
  return of >= 0 && m->data[of] == m->data[index];
}

enum { STEP_WIDTH = 80, ARENA_X = 72 };

static void draw_value(const arena_map *m, int index, const char *base, double y, double scale) {
  const int last = last_reader(m, index), view = last > index && is_view(m, index + 1);
  const double x = ARENA_X + index * (double)STEP_WIDTH;
  const double top = y + (double)(m->data[index] - base) * scale;
  const double width = (last - index + 1) * (double)STEP_WIDTH - 4;
  const double height = (double)m->sizes[index] * scale;
  char text[64];
  snprintf(text, sizeof text, "%s%s%s: %lu", nodes[index].name, view ? ", " : "",
           view ? nodes[index + 1].name : "", (unsigned long)m->sizes[index]);
  rectangle(x + 2, top, width, height, frame_style(pale[index % COLOURS], ink[index % COLOURS]));
  text_at(x + 8,
          top + (height > 20  ? 17
                 : height > 8 ? height / 2 + 4.5
                              : -3),
          text_style(LEFT, ink[index % COLOURS], height > 8), text);
}

static double draw_arena(const char *caption, uint32_t disabled, double y) {
  static arena_map m;
  const double scale = 34.0 / 1024;
  double height;
  char text[96];
  map_arena(&m, disabled);
  height = (double)m.memory.arena * scale;
  snprintf(text, sizeof text, "%s: %lu bytes", caption, (unsigned long)m.memory.arena);
  text_at(16, y - 28, text_style(LEFT, NULL, false), text);
  for (int i = 0; i < NODES; i++)
    text_at(ARENA_X + (i + 0.5) * STEP_WIDTH, y - 7, small_text(CENTRE, NULL), m.op_names[i]);
  rectangle(ARENA_X, y, NODES * STEP_WIDTH, height, frame_style("#f7f7f7", "#222"));
  for (uint64_t at = 0; at <= m.memory.arena; at += 2048) {
    snprintf(text, sizeof text, "%lu", (unsigned long)at);
    text_at(ARENA_X - 6, y + (double)at * scale + 4, small_text(RIGHT, grey), text);
  }
  for (int i = 0; i < NODES - 1; i++) { /* the last is the output: its memory is the caller's */
    expect(m.data[i] >= m.data[0] &&
               (uint64_t)(m.data[i] - m.data[0]) + m.sizes[i] <= m.memory.arena,
           "a value lies outside of the arena");
    if (!is_view(&m, i))
      draw_value(&m, i, m.data[0], y, scale);
  }
  return y + height + 66;
}

void arenas(const picture *p) {
  double y = 92;
  y = draw_arena(p->parts[0], 0, y);
  y = draw_arena(p->parts[1], pass_bit("sharing"), y);
  text_at(16, y - 40, small_text(LEFT, grey), p->parts[2]);
}
