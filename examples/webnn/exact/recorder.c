/* webnn.h, compiled once, so that a change of the command does not compile it again. With its
   recorder's calls: `trace` computes one operator again, item by item on one thread, and what the
   kernel reads, adds up and writes becomes a list of events. */
#define WEBNN_IMPLEMENTATION
#define WEBNN_OPERATOR_TABLE
#define WEBNN__RECORDER
#include "webnn.h"
#ifdef USE_VULKAN
#define WEBNN_VULKAN_IMPLEMENTATION
#include "webnn_vulkan.h"
#endif

#include "trace.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_EVENTS = 1 << 22 };

static trace *record;              /* while one is made */
static webnn__attributes recorded; /* of the operator that was recorded last */

/* ---- Numbers --------------------------------------------------------------------------------- */

static exact_number number_of(webnn__wide x) {
  exact_number n;
  n.hi = x.hi;
  n.lo = x.lo;
  n.exponent = x.exponent;
  n.negative = x.negative != 0;
  n.inexact = x.error > 0 || (x.kind == WEBNN__KIND_FINITE && (x.lo & 1) != 0);
  n.kind = x.kind == WEBNN__KIND_ZERO       ? NUMBER_ZERO
           : x.kind == WEBNN__KIND_FINITE   ? NUMBER_FINITE
           : x.kind == WEBNN__KIND_INFINITE ? NUMBER_INFINITE
                                            : NUMBER_NAN;
  return n;
}

static webnn__wide wide_of_number(const exact_number *n) {
  webnn__wide x = webnn__wide_zero(n->negative);
  x.hi = n->hi;
  x.lo = n->lo;
  x.exponent = n->exponent;
  x.kind = (uint8_t)(n->kind == NUMBER_ZERO       ? WEBNN__KIND_ZERO
                     : n->kind == NUMBER_FINITE   ? WEBNN__KIND_FINITE
                     : n->kind == NUMBER_INFINITE ? WEBNN__KIND_INFINITE
                                                  : WEBNN__KIND_NAN);
  return x;
}

exact_number number_of_bits(webnn_data_type type, uint64_t bits) {
  return number_of(webnn__wide_of(bits, type));
}

exact_number number_product(const exact_number *a, const exact_number *b) {
  return number_of(webnn__wide_mul(wide_of_number(a), wide_of_number(b)));
}

exact_number number_of_whole(uint64_t n) {
  return number_of(webnn__wide_from_u64(n));
}

exact_number number_quotient(const exact_number *a, const exact_number *b) {
  return number_of(webnn__wide_div(wide_of_number(a), wide_of_number(b)));
}

bool numbers_equal(const exact_number *a, const exact_number *b) {
  const webnn__wide x = wide_of_number(a), y = wide_of_number(b);
  if (webnn__wide_unordered(x, y))
    return x.kind == y.kind;
  return webnn__wide_compare(x, y) == 0;
}

static double double_of(webnn__wide x) {
  double y = x.kind == WEBNN__KIND_ZERO ? 0.0 : (double)x.hi;
  int32_t e = x.exponent + 64;
  if (x.kind == WEBNN__KIND_INFINITE || x.kind == WEBNN__KIND_NAN)
    return x.negative ? -1e300 : 1e300;
  for (; e > 0 && y < 1e290; e--)
    y *= 2;
  for (; e < 0 && y > 0; e++)
    y /= 2;
  return x.negative ? -y : y;
}

double number_double(const exact_number *n) {
  return double_of(wide_of_number(n));
}

/* The pattern of the next float in a direction. */
uint64_t float_neighbour(webnn_data_type type, uint64_t bits, bool up) {
  const webnn__float_format format = webnn__type(type)->format;
  const uint64_t sign = (uint64_t)1 << (format.fraction_bits + format.exponent_bits);
  const uint64_t magnitude = bits & (sign - 1);
  if (magnitude == 0)
    return up ? 1 : sign | 1;
  return ((bits & sign) != 0) == up ? bits - 1 : bits + 1;
}

/* (stored - exact) over the distance of the two floats between which the exact number lies. */
double float_error(webnn_data_type type, uint64_t bits, const exact_number *exact) {
  const webnn__wide stored = webnn__wide_of(bits, type), x = wide_of_number(exact);
  const webnn__wide d = webnn__wide_sub(stored, x);
  const uint64_t next = float_neighbour(type, bits, d.negative != 0);
  const webnn__wide ulp = webnn__wide_sub(webnn__wide_of(next, type), stored);
  if (d.kind != WEBNN__KIND_FINITE || ulp.kind != WEBNN__KIND_FINITE)
    return 0;
  return double_of(webnn__wide_div(d, webnn__wide_abs(ulp)));
}

uint64_t element_bits(webnn_data_type type, const void *data, uint64_t index) {
  return webnn__get_bits(data, type, index);
}

/* ---- Events ---------------------------------------------------------------------------------- */

static trace_event *add_event(trace_kind kind) {
  trace_event *e;
  if (record->count == MOST_EVENTS) {
    record->overflows = true;
    return &record->events[record->count - 1];
  }
  if (record->count == record->room) {
    record->room = record->room > 0 ? 2 * record->room : 256;
    record->events = (trace_event *)realloc(record->events, record->room * sizeof *e);
    if (!record->events) {
      fprintf(stderr, "out of memory\n");
      exit(EXIT_BAD_INPUT);
    }
  }
  e = &record->events[record->count++];
  memset(e, 0, sizeof *e);
  e->kind = kind;
  return e;
}

/* An element by its tensor's memory; what lies in no tensor is a kernel's own, and its index an
   address. */
static trace_place place_of(const void *data, webnn_data_type type, uint64_t index) {
  const uint32_t bits = webnn__type(type)->bits;
  trace_place place = {-1, 0};
  for (size_t i = 0; i < record->operand_count; i++) {
    if (record->operands[i].tensor.data == data) {
      place.operand = (int)i;
      place.index = index;
      return place;
    }
  }
  place.index = (uint64_t)(uintptr_t)data + index * bits / 8;
  return place;
}

static void webnn__record_read(const void *data, webnn_data_type type, uint64_t index) {
  trace_event *e = add_event(TRACE_READ);
  e->at = place_of(data, type, index);
  webnn__recording = false;
  e->bits = webnn__get_bits(data, type, index);
  webnn__recording = true;
  e->type = type;
  e->value = number_of(webnn__wide_of(e->bits, type));
}

static void webnn__record_write(const void *data, webnn_data_type type, uint64_t index,
                                uint64_t bits) {
  trace_event *e = add_event(TRACE_WRITE);
  const uint32_t size = webnn__type(type)->bits;
  e->at = place_of(data, type, index);
  e->type = type;
  e->bits = size < 64 ? bits & (((uint64_t)1 << size) - 1) : bits;
}

static void webnn__record_item(void) {
  add_event(TRACE_ITEM);
}

static void webnn__record_shared(void) {
  add_event(TRACE_SHARED);
}

static void webnn__record_value(webnn__wide value) {
  add_event(TRACE_VALUE)->value = number_of(value);
}

static void webnn__record_name(const char *letter, webnn__wide value) {
  trace_event *e = add_event(TRACE_NAME);
  e->name = letter;
  e->value = number_of(value);
}

static void webnn__record_start(const webnn__accumulator *sum) {
  add_event(TRACE_START)->sum = sum;
}

static void webnn__record_term(const webnn__accumulator *sum, webnn__wide term) {
  trace_event *e = add_event(TRACE_TERM);
  e->sum = sum;
  e->value = number_of(term);
}

static void webnn__record_product(const webnn__accumulator *sum, uint32_t a, uint32_t b) {
  webnn__record_term(sum, webnn__wide_mul(webnn__wide_from_float_bits(a, webnn__float32_format),
                                          webnn__wide_from_float_bits(b, webnn__float32_format)));
}

static void webnn__record_total(const webnn__accumulator *sum, webnn__wide total) {
  trace_event *e = add_event(TRACE_TOTAL);
  e->sum = sum;
  e->value = number_of(total);
}

static void webnn__record_index(int64_t index) {
  add_event(TRACE_INDEX)->bits = (uint64_t)index;
}

static void webnn__record_taps(uint32_t inside, uint32_t window) {
  trace_event *e = add_event(TRACE_TAPS);
  e->length = inside;
  e->bits = window;
}

static void webnn__record_copy(const webnn__view *to, uint64_t to_index, const webnn__view *from,
                               uint64_t from_index, uint64_t count) {
  trace_event *e = add_event(TRACE_COPY);
  e->at = place_of(to->data, to->type, to_index);
  e->from = place_of(from->data, from->type, from_index);
  e->length = count;
  e->type = to->type;
}

/* ---- One operator ---------------------------------------------------------------------------- */

bool trace_open(trace *t, const webnn_graph *graph) {
  const webnn__program *program = graph->program;
  const webnn__node *node = program->nodes;
  t->op = program->node_count == 1 ? node->op : WEBNN_OP_COUNT;
  t->input_count = node->input_count;
  t->operand_count = node->input_count + node->output_count;
  return program->node_count == 1;
}

bool trace_describe(const trace *t, const webnn_graph *graph, size_t operand,
                    webnn_operand_descriptor *descriptor, const char **name) {
  const webnn__program *program = graph->program;
  const webnn__node *node = program->nodes;
  const bool input = operand < t->input_count;
  const uint32_t value = input ? node->inputs[operand] : node->outputs[operand - t->input_count];
  const webnn__value *v = program->values + (value == WEBNN__NONE ? 0 : value);
  memset(descriptor, 0, sizeof *descriptor);
  descriptor->data_type = v->data_type;
  descriptor->shape.count = v->shape.rank;
  memcpy(descriptor->shape.items, v->shape.dimensions, v->shape.rank * sizeof(uint32_t));
  *name = v->name;
  return value != WEBNN__NONE;
}

static void take_view(const trace_operand *o, webnn__view *view) {
  const webnn_list *shape = &o->tensor.descriptor.shape;
  view->data = o->tensor.data;
  view->type = o->tensor.descriptor.data_type;
  view->shape.rank = shape->count;
  memcpy(view->shape.dimensions, shape->items, shape->count * sizeof(uint32_t));
  view->count = o->tensor.count;
}

/* Has an event since `begin` written the only element that is wanted? */
static bool writes_wanted(size_t begin) {
  const int wanted = (int)(record->input_count + record->wanted_output);
  for (size_t i = begin; i < record->count; i++) {
    const trace_event *e = &record->events[i];
    const uint64_t length = e->kind == TRACE_WRITE ? 1 : e->kind == TRACE_COPY ? e->length : 0;
    if (e->at.operand == wanted && record->wanted_index >= e->at.index &&
        record->wanted_index - e->at.index < length)
      return true;
  }
  return false;
}

/* Item by item; if only one element is wanted, what other items have done is forgotten. Identity and reshape, whose items are bytes, are one. */
static void run_items(const webnn__kernel *kernel, const webnn__kernel_call *call) {
  const bool bytes = kernel->items == webnn__byte_count;
  const uint64_t items = bytes ? 1 : kernel->items ? kernel->items(call) : call->y->count;
  for (uint64_t i = 0; i < items; i++) {
    const size_t before = record->count;
    add_event(TRACE_ITEM);
    kernel->run(call, i, bytes ? webnn__byte_count(call) : i + 1);
    if (record->only && !record->overflows && !writes_wanted(before))
      record->count = before;
  }
}

bool trace_run(trace *t, const webnn_graph *graph) {
  static const webnn_arithmetic exact; /* unary functions try doubles first, unless there is one */
  const webnn__node *node = graph->program->nodes;
  const webnn__kernel *kernel = webnn__reference_kernel(node->op);
  webnn__view *views = (webnn__view *)calloc(t->operand_count + 1, sizeof *views);
  webnn__kernel_call call;
  uint64_t host;
  memset(&call, 0, sizeof call);
  if (!views)
    return false;
  for (size_t i = 0; i < t->operand_count; i++)
    if (t->operands[i].name)
      take_view(&t->operands[i], &views[i]);
  views->arithmetic = kernel == &webnn__reference_unary ? &exact : NULL;
  recorded = node->attributes;
  call.node = node;
  call.attributes = &node->attributes;
  call.x = views;
  call.y = views + t->input_count;
  call.scratch = calloc(kernel->scratch ? (size_t)kernel->scratch(&call) + 1 : 1, 1);
  if (call.scratch) {
    record = t;
    host = webnn__enter_environment();
    webnn__recording = true;
    run_items(kernel, &call);
    webnn__recording = false;
    webnn__leave_environment(host);
  }
  free(call.scratch);
  free(views);
  return call.scratch != NULL;
}

/* From the operator table, as chapter 11 finds its kernels. */
const char *trace_kernel_name(webnn_op op) {
#define NOTHING(...)
#define KERNEL(name, c_name, text, section, family, operands, options)                             \
  case WEBNN_OP_##name:                                                                            \
    return (void)&webnn__reference_##family, "webnn__reference_" #family;
  switch (op) {
    WEBNN_OPERATORS(KERNEL, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING)
  default:
    return "";
  }
#undef KERNEL
#undef NOTHING
}

int64_t trace_window_start(uint32_t axis, uint32_t position) {
  return webnn__window_start(&recorded, axis, position);
}

uint32_t trace_window_step(uint32_t axis) {
  return recorded.dilations.dimensions[axis];
}

uint32_t trace_window_taps(uint32_t axis) {
  return recorded.window.dimensions[axis];
}

bool trace_image_is_last(void) {
  return recorded.input_layout == WEBNN_LAYOUT_NCHW;
}

trace_resampled trace_resample(const trace *t, uint32_t axis, uint64_t index) {
  const webnn_list *y = &t->operands[t->input_count].tensor.descriptor.shape;
  trace_resampled r;
  int64_t wanted;
  r.dimension = recorded.axes.dimensions[axis];
  for (size_t d = y->count; d-- > r.dimension + (size_t)1;)
    index /= y->items[d];
  r.out = y->items[r.dimension];
  r.in = t->operands[0].tensor.descriptor.shape.items[r.dimension];
  r.o = (uint32_t)(index % r.out);
  r.unit = 2 * (uint64_t)r.out;
  r.u = webnn__resample_position(r.o, r.in, r.out);
  r.linear = recorded.mode != WEBNN_INTERPOLATION_NEAREST_NEIGHBOR;
  wanted = (2 * (int64_t)r.o + 1) * (int64_t)r.in - (int64_t)r.out;
  r.clamped = wanted < 0 || (uint64_t)wanted != r.u;
  return r;
}
