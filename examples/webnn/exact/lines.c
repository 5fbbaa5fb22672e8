/* How each element of a result comes about: the recorder (recorder.c) has everything that the
   reference kernel of one operator read, added up and wrote, in that order. Here the events of one
   element are found among them, and what a line about one of them says. */
#include "trace.h"

#include <stdlib.h>
#include <string.h>

/* ---- Numbers as text ------------------------------------------------------------------------- */

enum { LIMBS = 48, SHOWN_DIGITS = 15, MOST_DIGITS = 20 };

/* A natural number of 32-bit limbs, the lowest first. */
typedef struct natural {
  uint32_t limb[LIMBS];
} natural;

static uint32_t natural_divide(natural *n, uint32_t by) {
  uint64_t rest = 0;
  for (size_t i = LIMBS; i-- > 0;) {
    rest = rest << 32 | n->limb[i];
    n->limb[i] = (uint32_t)(rest / by);
    rest %= by;
  }
  return (uint32_t)rest;
}

static void natural_multiply(natural *n, uint32_t by) {
  uint64_t carry = 0;
  for (size_t i = 0; i < LIMBS; i++) {
    carry += (uint64_t)n->limb[i] * by;
    n->limb[i] = (uint32_t)carry;
    carry >>= 32;
  }
}

static bool natural_is_zero(const natural *n) {
  for (size_t i = 0; i < LIMBS; i++)
    if (n->limb[i])
      return false;
  return true;
}

/* The bits of the number from 2^shift on, of `hi` and `lo`. */
static void natural_put(natural *n, uint64_t hi, uint64_t lo, int shift) {
  memset(n, 0, sizeof *n);
  for (int bit = 0; bit < 128; bit++) {
    const uint64_t word = bit < 64 ? lo : hi;
    const int to = bit + shift;
    if ((word >> bit % 64 & 1) && to >= 0 && to < 32 * LIMBS)
      n->limb[to / 32] |= (uint32_t)1 << to % 32;
  }
}

/* The decimal digits before the point, then (a fraction of 2^(32 (LIMBS - 1))) those after it. */
static void finite_digits(const exact_number *n, char *whole, char *fraction, bool *more) {
  const int point = 32 * (LIMBS - 1);
  natural integer, rest;
  size_t length = 0, leading = 0;
  natural_put(&integer, n->hi, n->lo, n->exponent);
  natural_put(&rest, n->hi, n->lo, n->exponent + point);
  rest.limb[LIMBS - 1] = 0;
  do {
    memmove(whole + 1, whole, ++length);
    whole[0] = (char)('0' + natural_divide(&integer, 10));
  } while (!natural_is_zero(&integer));
  leading = whole[0] == '0' ? 0 : length;
  length = 0;
  while (!natural_is_zero(&rest) && leading < MOST_DIGITS && length < 60) {
    natural_multiply(&rest, 10);
    fraction[length] = (char)('0' + rest.limb[LIMBS - 1]);
    leading += leading > 0 || rest.limb[LIMBS - 1] != 0;
    rest.limb[LIMBS - 1] = 0;
    length++;
  }
  fraction[length] = 0;
  *more = !natural_is_zero(&rest);
}

/* Cuts digits after the point that are more than are shown; what is left is not exact then. */
static void cut_digits(const char *whole, char *fraction) {
  size_t shown = strcmp(whole, "0") == 0 ? 0 : strlen(whole);
  for (size_t i = 0; fraction[i]; i++) {
    if (shown == SHOWN_DIGITS)
      fraction[i] = 0;
    if (!fraction[i])
      break;
    shown += shown > 0 || fraction[i] != '0';
  }
}

/* Has the number more than the 14 digits with which very large and very small ones are shown? */
static bool has_more_digits(const exact_number *n) {
  char whole[64] = "", fraction[64];
  bool more;
  if (n->inexact || n->exponent + 128 < 0 || n->exponent + 128 > 200)
    return true;
  finite_digits(n, whole, fraction, &more);
  return more || *fraction || (strlen(whole) > 14 && strspn(whole + 14, "0") < strlen(whole + 14));
}

const char *number_text(arena *memory, const exact_number *n) {
  char whole[64] = "", fraction[64];
  const char *sign = n->negative ? "-" : "";
  bool more;
  if (n->kind == NUMBER_NAN)
    return "NaN";
  if (n->kind == NUMBER_INFINITE)
    return n->negative ? "-Infinity" : "Infinity";
  if (n->kind == NUMBER_ZERO)
    return n->negative ? "-0" : "0";
  if (n->exponent + 128 > 64 || n->exponent + 128 < -60)
    return take_text(memory, "%.14g%s", number_double(n), has_more_digits(n) ? "..." : "");
  finite_digits(n, whole, fraction, &more);
  if (more || n->inexact) {
    cut_digits(whole, fraction);
    return take_text(memory, "%s%s%s%s...", sign, whole, *fraction ? "." : "", fraction);
  }
  return take_text(memory, "%s%s%s%s", sign, whole, *fraction ? "." : "", fraction);
}

/* ---- Who wrote an element -------------------------------------------------------------------- */

static bool writes(const trace_event *e) {
  return e->kind == TRACE_WRITE || e->kind == TRACE_COPY;
}

static uint64_t bytes_of_type(webnn_data_type type) {
  return type == WEBNN_INT64 || type == WEBNN_UINT64                            ? 8
         : type == WEBNN_FLOAT32 || type == WEBNN_INT32 || type == WEBNN_UINT32 ? 4
         : type == WEBNN_FLOAT16                                                ? 2
                                                                                : 1;
}

/* How many elements `place` lies after the one where the event begins to write; false: it does not
   write there. */
static bool is_written(const trace_event *e, trace_place place, uint64_t *behind) {
  if (!writes(e) || e->at.operand != place.operand || place.index < e->at.index)
    return false;
  *behind = (place.index - e->at.index) / (place.operand < 0 ? bytes_of_type(e->type) : 1);
  return *behind < (e->kind == TRACE_COPY ? e->length : 1);
}

/* The last event before `end` that writes the place; `end` if there is none. */
static size_t find_write(const trace *t, trace_place place, size_t end, uint64_t *behind) {
  for (size_t i = end; i-- > 0;)
    if (is_written(&t->events[i], place, behind))
      return i;
  return end;
}

/* Where the element came from that is number `behind` after the first of a copy. */
static trace_place copied_from(const trace_event *e, uint64_t behind) {
  trace_place from = e->from;
  from.index += behind * (from.operand < 0 ? bytes_of_type(e->type) : 1);
  return from;
}

/* ---- Recording ------------------------------------------------------------------------------- */

static bool take_operand(network *n, const webnn_graph *graph, trace *t, size_t index) {
  trace_operand *o = &t->operands[index];
  const bool input = index < t->input_count;
  const char *name;
  const network_value *v;
  if (!trace_describe(t, graph, index, &o->tensor.descriptor, &name))
    return true;
  v = input ? (name ? network_find(n, name) : NULL)
            : &n->values[t->operation->first_output + (index - t->input_count)];
  if (!v || !tensor_measure(n->session, n->node, &o->tensor))
    return complain(n->node, "an operand of %s cannot be traced", t->operation->name);
  o->name = v->name;
  o->tensor.data = take(n->memory, o->tensor.byte_length + sizeof(uint64_t));
  if (input)
    memcpy(o->tensor.data, v->known.data, o->tensor.byte_length);
  return true;
}

static bool trace_graph(network *n, const webnn_graph *graph) {
  trace *t = n->trace;
  if (!trace_open(t, graph))
    return complain(t->operation->node, "%s is not one operator", t->operation->name);
  t->operands = (trace_operand *)take(n->memory, (t->operand_count + 1) * sizeof *t->operands);
  for (size_t i = 0; i < t->operand_count; i++)
    if (!take_operand(n, graph, t, i))
      return false;
  if (!trace_run(t, graph))
    return complain(NULL, "out of memory");
  return !t->overflows ||
         complain(t->operation->node, "%s is too large to be traced", t->operation->name);
}

/* A state in the kernel's own memory is the operand it was copied from, or the result that it was
   copied to. */
static trace_place known_place(const trace *t, size_t read) {
  const trace_place place = t->events[read].at;
  uint64_t behind = 0;
  const size_t write = find_write(t, place, read, &behind);
  size_t i = write;
  if (write == read)
    return place;
  if (t->events[write].kind == TRACE_COPY)
    return copied_from(&t->events[write], behind);
  while (++i < t->count && !is_written(&t->events[i], place, &behind)) {
    const trace_event *e = &t->events[i];
    const uint64_t from = e->from.index, size = bytes_of_type(e->type);
    trace_place to = e->at;
    if (e->kind != TRACE_COPY || e->from.operand >= 0 || place.index < from ||
        place.index >= from + e->length * size)
      continue;
    to.index += (place.index - from) / size;
    return to;
  }
  return place;
}

static void settle_states(trace *t) {
  for (size_t i = 0; i < t->count; i++)
    if (t->events[i].kind == TRACE_READ && t->events[i].at.operand < 0)
      t->events[i].at = known_place(t, i);
}

/* The sums of resample2d are in units of the product of its weights' denominators; the formula's
   are not. */
static void settle_units(trace *t) {
  const trace_resampled rows = trace_resample(t, 0, 0), columns = trace_resample(t, 1, 0);
  const exact_number unit = number_of_whole(rows.unit * columns.unit);
  for (size_t i = 0; i < t->count; i++)
    if (t->events[i].kind == TRACE_TERM || t->events[i].kind == TRACE_TOTAL)
      t->events[i].value = number_quotient(&t->events[i].value, &unit);
}

/* What the recorded run gives must be what the graph gives. */
static bool agrees(const network *n, const trace *t) {
  for (size_t i = t->input_count; i < t->operand_count; i++) {
    const network_value *v = &n->values[t->operation->first_output + (i - t->input_count)];
    if (t->operands[i].name &&
        memcmp(v->exact.data, t->operands[i].tensor.data, v->exact.byte_length) != 0)
      return complain(v->node, "the recorded \"%s\" differs from the computed one", v->name);
  }
  return true;
}

bool trace_operator(network *n, size_t operation_index, trace *t) {
  bool right;
  for (size_t i = 0; i < n->value_count; i++) {
    network_value *v = &n->values[i];
    v->constant = false; /* an input has a name */
    if (v->producer != NOBODY)
      v->known = v->exact;
  }
  t->operation = &n->operations[operation_index];
  n->trace = t;
  n->trace_graph = trace_graph;
  right = network_compute_operator(n, operation_index) && agrees(n, t);
  settle_states(t);
  if (right && t->op == WEBNN_OP_RESAMPLE2D)
    settle_units(t);
  n->trace = NULL;
  return right;
}

void trace_release(trace *t) {
  free(t->events);
  t->events = NULL;
}

/* ---- The events of one element --------------------------------------------------------------- */

/* Which events before `write` the element has come from. */
typedef struct selection {
  const trace *trace;
  size_t scope, shared_end, own, write;
} selection;

/* Is anything done in events begin ... end - 1? */
static bool works(const trace *t, size_t begin, size_t end) {
  for (; begin < end; begin++)
    if (t->events[begin].kind == TRACE_READ || t->events[begin].kind == TRACE_TERM)
      return true;
  return false;
}

/* After the last event of this kind among begin ... end - 1; `begin` if there is none. */
static size_t last_of_kind(const trace *t, size_t begin, size_t end, trace_kind kind) {
  while (end > begin && t->events[end - 1].kind != kind)
    end--;
  return end;
}

/* An item may write many elements: what stands before the first of them serves all, to where the
   kernel says so or to its last sum; the rest is each one's own, after the element before. */
static selection select_events(const trace *t, size_t write) {
  selection s = {t, write, 0, write, write};
  bool has_value = false;
  size_t first;
  while (s.scope > 0 && t->events[s.scope - 1].kind != TRACE_ITEM)
    s.scope--;
  do {
    while (s.own > s.scope && !writes(&t->events[s.own - 1]))
      has_value = t->events[--s.own].kind == TRACE_VALUE || has_value;
    if (works(t, s.own, write) || s.own == s.scope)
      break;
    s.own--;
  } while (true);
  if (!has_value)
    s.own = s.scope;
  for (first = s.scope; first < s.own && !writes(&t->events[first]);)
    first++;
  s.shared_end = last_of_kind(t, s.scope, first, TRACE_SHARED);
  if (s.shared_end == s.scope) {
    const size_t total = last_of_kind(t, s.scope, first, TRACE_TOTAL);
    s.shared_end = last_of_kind(t, total, first, TRACE_NAME);
  }
  return s;
}

static bool selects(const selection *s, size_t i) {
  return (i >= s->scope && i < s->shared_end) || i >= s->own;
}

/* The last total of this sum before the end of the selection; events.count if there is none. Sums
   start again in the same memory. */
static size_t last_total(const selection *s, size_t from) {
  const trace *t = s->trace;
  size_t found = t->count;
  for (size_t i = from; i < s->write; i++) {
    if (t->events[i].sum != t->events[from].sum)
      continue;
    if (t->events[i].kind == TRACE_START)
      break;
    if (t->events[i].kind == TRACE_TOTAL && selects(s, i))
      found = i;
  }
  return found;
}

/* ---- Lines ----------------------------------------------------------------------------------- */

typedef struct builder {
  const trace *trace;
  trace_element *element;
  const trace_event **reads; /* that no line has told yet */
  size_t read_count;
} builder;

static trace_line *add_line(builder *b, const trace_event *e) {
  trace_line *line = &b->element->lines[b->element->line_count++];
  line->kind = e->kind;
  line->event = e;
  return line;
}

/* Arguments of a call may be read from the last to the first: in the order of the operands. */
static void sort_reads(builder *b) {
  for (size_t i = 1; i < b->read_count; i++) {
    const trace_event *e = b->reads[i];
    size_t at = i;
    for (; at > 0 && b->reads[at - 1]->at.operand > e->at.operand; at--)
      b->reads[at] = b->reads[at - 1];
    b->reads[at] = e;
  }
}

/* Tells all reads but the last `keep` ones as lines of their own. */
static void flush(builder *b, size_t keep) {
  size_t i = 0;
  if (keep == 0)
    sort_reads(b);
  for (; i + keep < b->read_count; i++)
    add_line(b, b->reads[i]);
  for (size_t j = 0; j < keep && i < b->read_count; j++)
    b->reads[j] = b->reads[i++];
  b->read_count = b->read_count < keep ? b->read_count : keep;
}

static void take_reads(builder *b, trace_line *line) {
  sort_reads(b);
  for (size_t i = 0; i < b->read_count && i < 4; i++)
    line->reads[line->read_count++] = b->reads[i];
  b->read_count = 0;
}

static void settle_factors(trace_line *line) {
  const exact_number *a, *term = &line->event->value;
  exact_number product;
  if (line->read_count == 0 || line->read_count > 2)
    return;
  a = &line->reads[0]->value;
  product = number_product(a, &line->reads[line->read_count - 1]->value);
  if (line->read_count == 1 && numbers_equal(a, term))
    line->factors = FACTOR_ITSELF;
  else if (numbers_equal(&product, term))
    line->factors = line->read_count == 1 ? FACTOR_SQUARE : FACTOR_PRODUCT;
}

static uint64_t common_divisor(uint64_t a, uint64_t b) {
  while (b > 0) {
    const uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* Where the element read lies along a dimension. */
static uint64_t coordinate_of(const trace *t, trace_place place, uint32_t dimension) {
  const webnn_list *shape = &t->operands[place.operand].tensor.descriptor.shape;
  uint64_t index = place.index;
  for (size_t d = shape->count; d-- > dimension + (size_t)1;)
    index /= shape->items[d];
  return index % shape->items[dimension];
}

/* The weight with which resample2d has added the line's element, if that gives the term. */
static void settle_weight(const builder *b, trace_line *line) {
  const exact_number *x = &line->reads[0]->value;
  exact_number weight, whole, product;
  line->weight[0] = line->weight[1] = 1;
  for (uint32_t axis = 0; axis < 2; axis++) {
    const trace_resampled r = trace_resample(b->trace, axis, b->element->index);
    const bool first = coordinate_of(b->trace, line->reads[0]->at, r.dimension) == r.u / r.unit;
    line->weight[0] *= first ? r.unit - r.u % r.unit : r.u % r.unit;
    line->weight[1] *= r.unit;
  }
  weight = number_of_whole(line->weight[0]);
  whole = number_of_whole(line->weight[1]);
  product = number_product(x, &weight);
  product = number_quotient(&product, &whole);
  if (numbers_equal(&product, &line->event->value) && line->weight[0] > 0) {
    const uint64_t common = common_divisor(line->weight[0], line->weight[1]);
    line->factors = FACTOR_WEIGHT;
    line->weight[0] /= common;
    line->weight[1] /= common;
  }
}

static void tell_term(builder *b, const trace_event *e) {
  trace_line *line;
  if (b->trace->op == WEBNN_OP_RESAMPLE2D && b->read_count > 1) { /* of weight 0 were the others */
    b->reads[0] = b->reads[b->read_count - 1];
    b->read_count = 1;
  }
  flush(b, 3);
  line = add_line(b, e);
  take_reads(b, line);
  settle_factors(line);
  if (b->trace->op == WEBNN_OP_RESAMPLE2D && line->read_count > 0)
    settle_weight(b, line);
}

static void tell(builder *b, const trace_event *e, bool is_last_total) {
  switch (e->kind) {
  case TRACE_READ:
    b->reads[b->read_count++] = e;
    return;
  case TRACE_INDEX:
    if (b->read_count > 0) {
      flush(b, 1);
      add_line(b, e)->meaning = (int64_t)e->bits;
      b->element->lines[b->element->line_count - 1].event = b->reads[0];
      b->read_count = 0;
    }
    return;
  case TRACE_TAPS: /* of rows, then of columns */
    b->element->window[b->element->taps > 0] = (uint32_t)e->bits;
    b->element->inside = e->length * (b->element->taps > 0 ? b->element->inside : 1);
    b->element->taps = e->bits * (b->element->taps > 0 ? b->element->taps : 1);
    return;
  case TRACE_TERM:
    tell_term(b, e);
    return;
  case TRACE_TOTAL:
    if (is_last_total)
      add_line(b, e);
    return;
  case TRACE_NAME:
    if (b->read_count > 4)
      flush(b, 0);
    take_reads(b, add_line(b, e));
    return;
  case TRACE_VALUE:
    b->element->value = e;
    return;
  case TRACE_START: /* what was read before belongs to no term of this sum */
    flush(b, 0);
    return;
  default:
    return;
  }
}

/* Lines of all selected events, and of the terms of the sums that are totalled among them. */
static void tell_selection(builder *b, const selection *s) {
  const trace *t = s->trace;
  size_t pending = s->scope; /* reads from here on may be a term's */
  for (size_t i = s->scope; i < s->write; i++) {
    const trace_event *e = &t->events[i];
    const bool total = e->kind == TRACE_TOTAL && last_total(s, i) == i;
    if (selects(s, i)) {
      tell(b, e, total);
    } else if (e->kind == TRACE_TERM && last_total(s, i) < t->count) {
      for (size_t j = pending; j < i; j++)
        if (t->events[j].kind == TRACE_READ && !selects(s, j))
          tell(b, &t->events[j], false);
      tell(b, e, false);
    }
    if (e->kind != TRACE_READ)
      pending = i + 1;
  }
  if (t->op == WEBNN_OP_RESAMPLE2D && b->element->line_count > 0 &&
      b->element->lines[b->element->line_count - 1].kind != TRACE_NAME) /* neighbours of weight 0 */
    b->read_count = 0;
  flush(b, 0);
}

/* Where an element of resample2d lies in x. */
static void tell_position(builder *b, arena *memory) {
  static const char *const words[] = {"first", "second"};
  for (uint32_t axis = 0; axis < 2; axis++) {
    const trace_resampled r = trace_resample(b->trace, axis, b->element->index);
    const exact_number u = number_of_whole(r.u), unit = number_of_whole(r.unit);
    trace_event *e = (trace_event *)take(memory, sizeof *e);
    e->kind = TRACE_NAME;
    e->name = "u";
    e->value = number_quotient(&u, &unit);
    add_line(b, e)->note = take_text(
        memory, "its middle along the %s axis of x: (%lu + 1/2) \302\267 %lu / %lu - 1/2%s",
        words[axis], (unsigned long)r.o, (unsigned long)r.in, (unsigned long)r.out,
        r.clamped ? ", clamped" : "");
  }
}

/* A sum that is the value needs no line. */
static void drop_total(trace_element *e) {
  const trace_line *last = e->line_count > 0 ? &e->lines[e->line_count - 1] : NULL;
  if (!last || last->kind != TRACE_TOTAL || !e->value ||
      !numbers_equal(&last->event->value, &e->value->value))
    return;
  e->is_sum = true;
  e->line_count--;
}

/* The element that was copied, as if it had been read. */
static trace_event *copied_element(const trace *t, arena *memory, trace_place from) {
  const tensor *data = &t->operands[from.operand].tensor;
  trace_event *e = (trace_event *)take(memory, sizeof *e);
  e->kind = TRACE_READ;
  e->at = from;
  e->type = data->descriptor.data_type;
  e->bits = element_bits(e->type, data->data, from.index);
  e->value = number_of_bits(e->type, e->bits);
  return e;
}

/* The event that computed the element at `place`, back through whole copies; t->count: none, the
   element was there before. `place` becomes where a copy of an operand came from. */
static size_t first_write(const trace *t, trace_place *place) {
  uint64_t offset = 0;
  size_t end = t->count, write = find_write(t, *place, end, &offset);
  while (write < end && t->events[write].kind == TRACE_COPY) {
    *place = copied_from(&t->events[write], offset);
    if (place->operand >= 0)
      return write;
    end = write;
    write = find_write(t, *place, end, &offset);
  }
  return write == end ? t->count : write;
}

trace_element trace_element_of(const trace *t, arena *memory, int operand, uint64_t index) {
  const tensor *result = &t->operands[operand].tensor;
  trace_element element;
  trace_place place = {operand, index};
  size_t write = first_write(t, &place), begin;
  builder b = {t, &element, NULL, 0};
  selection s;
  memset(&element, 0, sizeof element);
  element.operand = operand;
  element.index = index;
  element.bits = element_bits(result->descriptor.data_type, result->data, index);
  element.initial = write == t->count;
  if (element.initial)
    return element;
  s = select_events(t, write);
  begin = s.scope;
  element.lines = (trace_line *)take(memory, (write - begin + 4) * sizeof *element.lines);
  b.reads = (const trace_event **)take(memory, (write - begin + 2) * sizeof *b.reads);
  if (t->op == WEBNN_OP_RESAMPLE2D)
    tell_position(&b, memory);
  if (t->events[write].kind == TRACE_WRITE) {
    tell_selection(&b, &s);
    drop_total(&element);
    return element;
  }
  while (write > begin && !writes(&t->events[write - 1]))
    write--;
  for (; !writes(&t->events[write]); write++)
    tell(&b, &t->events[write], false);
  flush(&b, 0);
  element.copied = true;
  add_line(&b, copied_element(t, memory, place));
  return element;
}

const char *trace_place_text(const trace *t, arena *memory, trace_place place) {
  const trace_operand *o = place.operand >= 0 ? &t->operands[place.operand] : NULL;
  if (!o)
    return "state";
  return take_text(memory, "%s%s", o->name,
                   o->tensor.descriptor.shape.count > 0
                       ? element_place(memory, &o->tensor, (size_t)place.index)
                       : "");
}

/* ---- As text --------------------------------------------------------------------------------- */

const char *trace_bits_text(arena *memory, webnn_data_type type, uint64_t bits) {
  union {
    uint64_t wide;
    unsigned char bytes[8];
  } element;
  const uint32_t narrow = (uint32_t)bits;
  const uint16_t half = (uint16_t)bits;
  tensor t;
  char text[ELEMENT_ROOM];
  memset(&t, 0, sizeof t);
  memset(&element, 0, sizeof element);
  t.descriptor.data_type = type;
  t.count = 1;
  t.data = element.bytes;
  if (bytes_of_type(type) == 8)
    memcpy(element.bytes, &bits, 8);
  else if (bytes_of_type(type) == 4)
    memcpy(element.bytes, &narrow, 4);
  else if (bytes_of_type(type) == 2)
    memcpy(element.bytes, &half, 2);
  else
    element.bytes[0] = (unsigned char)bits;
  element_text(&t, 0, text);
  return take_text(memory, "%s", text);
}

/* The number itself, where the fewest digits that give a float back are another one. */
static const char *digits_text(arena *memory, webnn_data_type type, uint64_t bits) {
  const exact_number n = number_of_bits(type, bits);
  return is_float_type(type) ? number_text(memory, &n) : trace_bits_text(memory, type, bits);
}

const char *trace_read_text(const trace *t, arena *memory, const trace_event *e) {
  return take_text(memory, "%s = %s", trace_place_text(t, memory, e->at),
                   digits_text(memory, e->type, e->bits));
}

const char *trace_line_word(const trace_line *line) {
  switch (line->kind) {
  case TRACE_TERM:
    return "term";
  case TRACE_TOTAL:
    return "sum";
  case TRACE_NAME:
    return line->event->name;
  case TRACE_INDEX:
    return "index";
  default:
    return "read";
  }
}

const char *trace_line_value(const trace_line *line, arena *memory) {
  if (line->kind == TRACE_INDEX)
    return take_text(memory, "%ld", (long)line->meaning);
  if (line->kind == TRACE_READ)
    return digits_text(memory, line->event->type, line->event->bits);
  return number_text(memory, &line->event->value);
}

/* What the letters of formulas stand for. */
static const char *meaning_of(const char *letter) {
  static const char *const letters[][2] = {
      {"m", "the largest"},
      {"mean", "the sum over the number of terms"},
      {"variance", "the sum of the squared distances from the mean, over their number"},
      {"deviation", "sqrt(variance + epsilon)"},
      {"z", "update gate: how much of the old state stays"},
      {"r", "reset gate: how much of the old state the candidate sees"},
      {"n", "candidate: the new state, if nothing of the old one stays"},
      {"i", "input gate: how much of the candidate comes in"},
      {"o", "output gate: how much of the cell state shows"},
      {"f", "forget gate: how much of the old cell state stays"},
      {"g", "candidate: what may come into the cell state"},
      {"c'", "new cell state: f c + i g"}};
  for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
    if (strcmp(letters[i][0], letter) == 0)
      return letters[i][1];
  return "";
}

/* "x[0,0,1,1] · w[0,0,1,0] = 7 · 4 = 28" */
static const char *product_text(const trace *t, arena *memory, const trace_line *line) {
  const trace_event *a = line->reads[0], *b = line->reads[line->read_count - 1];
  const char *first = trace_place_text(t, memory, a->at);
  const char *second = trace_place_text(t, memory, b->at);
  const char *value = digits_text(memory, b->type, b->bits);
  if (line->factors == FACTOR_WEIGHT)
    second = value =
        take_text(memory, line->weight[1] > 1 ? "%llu/%llu" : "%llu",
                  (unsigned long long)line->weight[0], (unsigned long long)line->weight[1]);
  return take_text(memory, "%s \302\267 %s = %s \302\267 %s = %s", first, second,
                   digits_text(memory, a->type, a->bits), value, trace_line_value(line, memory));
}

const char *trace_line_source(const trace *t, arena *memory, const trace_line *line) {
  const char *text = "";
  if (line->kind == TRACE_NAME)
    text = line->note ? line->note : meaning_of(line->event->name);
  if (*text && line->read_count > 0)
    text = take_text(memory, "%s; ", text);
  if (line->kind == TRACE_READ)
    return trace_place_text(t, memory, line->event->at);
  if (line->kind == TRACE_INDEX)
    return trace_read_text(t, memory, line->event);
  if (line->factors >= FACTOR_SQUARE)
    return take_text(memory, "%s%s", text, product_text(t, memory, line));
  for (size_t i = 0; i < line->read_count; i++)
    text = take_text(memory, "%s%s%s", text, i == 0 ? "" : ", ",
                     trace_read_text(t, memory, line->reads[i]));
  if (line->read_count > 0 && line->factors == FACTOR_NONE && line->kind == TRACE_TERM)
    return take_text(memory, "from %s", text);
  return text;
}

/* Half way between two floats, of which the one whose last bit is 0 is stored. */
static bool is_tie(const exact_number *exact, double size) {
  return !exact->inexact && size >= 0.5 && size <= 0.5;
}

/* "0.21 ULP below exact" */
const char *trace_error_text(arena *memory, webnn_data_type type, const trace_element *e) {
  const exact_number *exact = &e->value->value;
  const exact_number stored = number_of_bits(type, e->bits);
  const double error = float_error(type, e->bits, exact);
  const double size = error < 0 ? -error : error;
  if (!exact->inexact && numbers_equal(exact, &stored))
    return "exact";
  if (stored.kind == NUMBER_NAN || exact->kind != NUMBER_FINITE || stored.kind == NUMBER_INFINITE)
    return "rounded";
  return take_text(memory, "%.2f ULP %s exact%s", size, error < 0 ? "below" : "above",
                   is_tie(exact, size) ? ", exactly in the middle, rounded to the even one"
                   : size > 0.45       ? ", near the middle"
                                       : "");
}

const char *trace_stored_text(const trace *t, arena *memory, const trace_element *e) {
  const webnn_data_type type = t->operands[e->operand].tensor.descriptor.data_type;
  const uint64_t bytes = bytes_of_type(type);
  const char *text = take_text(memory, "0x%0*llx", (int)(2 * bytes), (unsigned long long)e->bits);
  const exact_number stored = number_of_bits(type, e->bits);
  if (e->copied)
    return take_text(memory, "%s, copied", text);
  if (e->initial)
    return take_text(memory, "%s, where nothing was written", text);
  if (e->line_count == 0)
    return take_text(memory, "%s, no element is read", text);
  if (!e->value)
    return text;
  if (!is_float_type(type))
    return take_text(memory, "%s, %s", text,
                     numbers_equal(&stored, &e->value->value) ? "exact" : "brought to the type");
  text = take_text(memory, "%s, %s", text, trace_error_text(memory, type, e));
  if (stored.kind == NUMBER_NAN || stored.kind == NUMBER_INFINITE)
    return text;
  return take_text(memory, "%s;   neighbours %s  %s", text,
                   digits_text(memory, type, float_neighbour(type, e->bits, false)),
                   digits_text(memory, type, float_neighbour(type, e->bits, true)));
}

const char *trace_element_text(const trace *t, arena *memory, const trace_element *e) {
  return trace_bits_text(memory, t->operands[e->operand].tensor.descriptor.data_type, e->bits);
}

const char *trace_element_digits(const trace *t, arena *memory, const trace_element *e) {
  return digits_text(memory, t->operands[e->operand].tensor.descriptor.data_type, e->bits);
}

/* Does the exact value say more than the last line or what is stored? */
bool trace_shows_exact(const trace *t, const trace_element *e) {
  const webnn_data_type type = t->operands[e->operand].tensor.descriptor.data_type;
  const exact_number stored = number_of_bits(type, e->bits);
  return e->value && !numbers_equal(&stored, &e->value->value);
}

/* "conv2d(x, w, padding=[1,1,1,1])" */
static void print_value(FILE *file, const json *argument) {
  const json *value = argument->kind == JSON_OBJECT ? argument->first : argument;
  if (value && value->name && strcmp(value->name, "operand") == 0 && json_string(value)) {
    fputs(value->text, file);
  } else if (value && value->name && strcmp(value->name, "operands") == 0) {
    fputc('[', file);
    for (const json *item = value->first; item; item = item->next)
      fprintf(file, "%s%s", item == value->first ? "" : ", ",
              json_string(item)                        ? item->text
              : json_string(json_get(item, "operand")) ? json_get(item, "operand")->text
                                                       : "?");
    fputc(']', file);
  } else if (value) {
    json_write(file, value);
  }
}

void trace_print_call(FILE *file, const trace *t) {
  const json *arguments = json_get(t->operation->node, "arguments");
  const char *separator = "";
  fprintf(file, "%s(", t->operation->name);
  for (const json *a = json_items(arguments, JSON_ARRAY); a; a = a->next) {
    const json *options = json_get(a, "options");
    if (!options) {
      fputs(separator, file);
      print_value(file, a);
      separator = ", ";
    }
    for (const json *o = options ? options->first : NULL; o; o = o->next) {
      fprintf(file, "%s%s=", separator, o->name);
      print_value(file, o);
      separator = ", ";
    }
  }
  fputs(")", file);
}
