/* Every operator with dynamic dimensions beside static graphs of the same sizes: what a static graph
   accepts, the dynamic one runs with the same bits; what it refuses, the dynamic one refuses in the
   same words, when it is built or when sizes are known; no shape that is inferred while sizes are
   open says another than the one with sizes.

     dynamic_operators [all | random SEED [COUNT] | file ...]

   The subjects are the table, which has every operator, random graphs, and the conformance vectors,
   looked for in $WEBNN_WPT, or ../../shared/wpt: one in seven, or all. */
#include "call_by_name.h"
#include "dynamic_random.h"
#include "dynamic_table.h"
#include "every_operator.h"

/* ---- Subjects -------------------------------------------------------------------------------- */

enum {
  MOST_OPERANDS = 64,
  MOST_OUTPUTS = 16,
  MOST_ELEMENTS = 20000,
  MOST_RESULT_ELEMENTS = 50000,
  MOST_DATA = 4096
};

typedef struct source {
  const char *name;
  webnn_data_type type;
  webnn_list shape;
  bool constant;
  void *bytes;
  size_t count; /* elements in `bytes`, repeated where a shape has more */
} source;

/* Inputs and the calls that use them. */
typedef struct subject {
  const char *name;
  source sources[MOST_OPERANDS];
  size_t source_count;
  const json *operators; /* a list of {"name", "arguments", "outputs"} */
  size_t (*calls)(webnn_builder *b, webnn_operand **x, webnn_operand **y); /* or these */
  const char *outputs[MOST_OUTPUTS];
  size_t output_count;
  bool squeezed; /* inputs go through squeeze without axes: while sizes are open no rank is known */
  json_arena arena;
} subject;

/* Sizes of all dimensions of all inputs, by input. */
typedef struct sizes {
  webnn_list of[MOST_OPERANDS];
} sizes;

static void own_sizes(const subject *s, sizes *own) {
  size_t i;
  for (i = 0; i < s->source_count; i++)
    own->of[i] = s->sources[i].shape;
}

/* ---- One graph ------------------------------------------------------------------------------- */

typedef struct making {
  const subject *of;
  webnn_builder *builder;
  bool dynamic;
  const char *names[MOST_OPERANDS];
  webnn_operand *operands[MOST_OPERANDS];
  size_t count;
} making;

typedef struct made {
  bool accepted;
  char message[600];               /* if not */
  webnn_graph *graph;              /* if it was built */
  webnn_list shapes[MOST_OUTPUTS]; /* of the outputs, as the builder inferred them */
} made;

static webnn_operand *find_operand(void *user, const char *name) {
  const making *m = (const making *)user;
  size_t i;
  for (i = m->count; i-- > 0;)
    if (strcmp(m->names[i], name) == 0)
      return m->operands[i];
  return NULL;
}

static void add_operand(making *m, const char *name, webnn_operand *operand) {
  if (!test_must(m->count < MOST_OPERANDS, m->of->name, "too many operands for the test"))
    return;
  m->names[m->count] = name;
  m->operands[m->count++] = operand;
}

/* The bytes of an input of so many elements: its own, repeated. */
static void *fill(const source *from, size_t count, size_t *byte_length) {
  const uint32_t bits = webnn_data_type_bits(from->type);
  unsigned char *bytes;
  size_t i;
  *byte_length = elements_byte_length(from->type, count);
  bytes = (unsigned char *)test_allocate(*byte_length);
  for (i = 0; i < *byte_length; i++) {
    const size_t own = elements_byte_length(from->type, from->count);
    bytes[i] = ((const unsigned char *)
                    from->bytes)[bits < 8 ? i % own : i % (own / (bits / 8) * (bits / 8))];
  }
  return bytes;
}

static void make_sources(making *m, const sizes *at) {
  size_t i;
  for (i = 0; i < m->of->source_count; i++) {
    const source *from = &m->of->sources[i];
    webnn_operand_descriptor descriptor;
    descriptor.data_type = from->type;
    descriptor.shape = at->of[i];
    add_operand(m, from->name,
                from->constant ? webnn_constant(m->builder, descriptor, from->bytes,
                                                elements_byte_length(from->type, from->count))
                               : webnn_input(m->builder, from->name, descriptor));
    if (m->of->squeezed && !from->constant)
      m->operands[m->count - 1] =
          webnn_squeeze(m->builder, m->operands[m->count - 1], dynamic_no_list, NULL);
  }
}

/* False if the call was refused. */
static bool make_call(making *m, const json *description) {
  const json *name = json_first(json_get(description, "outputs"));
  call c;
  size_t i;
  bool ok;
  memset(&c, 0, sizeof c);
  c.builder = m->builder;
  c.lookup = find_operand;
  c.user = m;
  ok = call_by_name(&c, json_string(json_get(description, "name")),
                    json_get(description, "arguments"));
  test_must(ok, m->of->name, "%s", c.problem);
  ok = ok && c.count > 0;
  for (i = 0; ok && i < c.count; i++, name = name->next)
    add_operand(m, json_string(name), c.outputs[i]);
  call_free(&c);
  return ok;
}

/* The same by the subject's function, whose results are named 0, 1, ... */
static bool make_calls(making *m) {
  webnn_operand *results[MOST_OUTPUTS];
  const size_t count = m->of->calls(m->builder, m->operands, results);
  size_t i;
  for (i = 0; i < count; i++)
    add_operand(m, m->of->outputs[i], results[i]);
  return count > 0;
}

/* Static graphs whose results are too large to compute are not built. */
static bool results_fit(const subject *s, const made *result) {
  size_t i;
  for (i = 0; i < s->output_count; i++)
    if (test_element_count(result->shapes[i]) > MOST_RESULT_ELEMENTS)
      return false;
  return true;
}

/* The graph for inputs of these shapes, which may have dynamic dimensions of the builder. */
static void make_graph(making *m, const sizes *at, bool build, made *result) {
  webnn_named_operand named[MOST_OUTPUTS];
  webnn_error error = WEBNN_ZERO;
  const json *item;
  size_t i;
  bool ok;
  memset(result, 0, sizeof *result);
  make_sources(m, at);
  ok = webnn_builder_status(m->builder) == WEBNN_OK;
  if (ok && m->of->calls != NULL)
    ok = make_calls(m);
  for (item = json_first(m->of->operators); ok && item; item = item->next)
    ok = make_call(m, item);
  result->accepted = ok && webnn_builder_status(m->builder) == WEBNN_OK;
  for (i = 0; result->accepted && i < m->of->output_count; i++) {
    named[i].name = m->of->outputs[i];
    named[i].operand = find_operand(m, named[i].name);
    result->shapes[i] = webnn_operand_shape(named[i].operand);
  }
  snprintf(result->message, sizeof result->message, "%s", webnn_builder_message(m->builder));
  if (result->accepted && build && (m->dynamic || results_fit(m->of, result))) {
    result->accepted =
        webnn_build(m->builder, named, m->of->output_count, &result->graph, &error) == WEBNN_OK;
    snprintf(result->message, sizeof result->message, "%s", error.message);
  }
}

static void make_static(webnn_context *context, const subject *s, const sizes *at, bool build,
                        made *result) {
  making m;
  memset(&m, 0, sizeof m);
  m.of = s;
  m.builder = test_builder(context);
  make_graph(&m, at, build, result);
  webnn_free_builder(m.builder);
}

/* ---- Running --------------------------------------------------------------------------------- */

typedef struct bound {
  webnn_named_tensor items[MOST_OPERANDS];
  size_t count;
} bound;

static void bind(webnn_context *context, bound *list, const char *name, webnn_data_type type,
                 webnn_list shape, const void *bytes, size_t byte_length) {
  webnn_tensor_descriptor descriptor;
  webnn_error error = WEBNN_ZERO;
  webnn_tensor *tensor = NULL;
  memset(&descriptor, 0, sizeof descriptor);
  descriptor.data_type = type;
  descriptor.shape = shape;
  descriptor.readable = true;
  descriptor.writable = true;
  test_must(webnn_create_tensor(context, descriptor, &tensor, &error) == WEBNN_OK, name, "%s",
            error.message);
  if (bytes != NULL)
    test_must(webnn_write_tensor(context, tensor, bytes, byte_length, &error) == WEBNN_OK, name,
              "%s", error.message);
  list->items[list->count].name = name;
  list->items[list->count++].tensor = tensor;
}

static void bind_inputs(webnn_context *context, const subject *s, const webnn_graph *graph,
                        const sizes *at, bound *list) {
  webnn_graph_port ports[MOST_OPERANDS];
  const size_t count = webnn_graph_inputs(graph, ports, MOST_OPERANDS);
  size_t i, j, byte_length;
  for (i = 0; i < count; i++)
    for (j = 0; j < s->source_count; j++)
      if (strcmp(s->sources[j].name, ports[i].name) == 0) {
        void *bytes = fill(&s->sources[j], test_element_count(at->of[j]), &byte_length);
        bind(context, list, ports[i].name, ports[i].descriptor.data_type, at->of[j], bytes,
             byte_length);
        free(bytes);
      }
}

/* Tensors for the outputs of a graph of known sizes. */
static void bind_outputs(webnn_context *context, const webnn_graph *sized, bound *list) {
  webnn_graph_port ports[MOST_OUTPUTS];
  const size_t count = webnn_graph_outputs(sized, ports, MOST_OUTPUTS);
  size_t i;
  for (i = 0; i < count; i++) {
    void *bytes = test_allocate((size_t)ports[i].byte_length);
    memset(bytes, 0xa5, (size_t)ports[i].byte_length);
    bind(context, list, ports[i].name, ports[i].descriptor.data_type, ports[i].descriptor.shape,
         bytes, (size_t)ports[i].byte_length);
    free(bytes);
  }
}

static void unbind(bound *list) {
  while (list->count > 0)
    webnn_free_tensor(list->items[--list->count].tensor);
}

static bool same_bytes(webnn_context *context, webnn_tensor *a, webnn_tensor *b) {
  const webnn_operand_descriptor descriptor = {webnn_tensor_data_type(a), webnn_tensor_shape(a)};
  const size_t length = (size_t)webnn_byte_length(descriptor);
  void *p = test_allocate(length), *q = test_allocate(length);
  const bool same = webnn_read_tensor(context, a, p, length, NULL) == WEBNN_OK &&
                    webnn_read_tensor(context, b, q, length, NULL) == WEBNN_OK &&
                    memcmp(p, q, length) == 0;
  free(p);
  free(q);
  return same;
}

/* ---- A dynamic graph beside static ones ------------------------------------------------------ */

typedef struct beside {
  webnn_context *context;
  const subject *of;
  const char *how;        /* which dimensions are open */
  webnn_builder *builder; /* knows the names */
  sizes open;             /* what the inputs of the dynamic graph have */
  made dynamic;
} beside;

static unsigned long ran, refused, refused_early;

/* The sizes as text, for messages. */
static const char *text_of(const subject *s, const sizes *at) {
  static char text[600];
  size_t i, used = 0;
  text[0] = 0;
  for (i = 0; i < s->source_count && used < sizeof text - 100; i++)
    used += (size_t)snprintf(text + used, sizeof text - used, " %s%s", s->sources[i].name,
                             test_shape_text(at->of[i]));
  return text;
}

/* A size that the builder inferred, beside what it is. */
static bool size_agrees(const beside *b, uint32_t inferred, uint32_t is, const sizes *at) {
  size_t i;
  uint32_t d;
  if (inferred < WEBNN_DYNAMIC_DIMENSION)
    return inferred == is;
  if (inferred == WEBNN_DYNAMIC_DIMENSION)
    return true;
  for (i = 0; i < b->of->source_count; i++)
    for (d = 0; d < at->of[i].count; d++)
      if (b->open.of[i].items[d] == inferred)
        return at->of[i].items[d] == is;
  return false;
}

static void check_shape(const beside *b, size_t output, webnn_list is, const sizes *at) {
  const webnn_list inferred = b->dynamic.shapes[output];
  uint32_t d;
  if (!inferred.given)
    return; /* its rank is not known */
  CHECK(b->of->name, inferred.count == is.count, "%s:%s: rank", b->how, text_of(b->of, at));
  for (d = 0; d < is.count && d < inferred.count; d++)
    CHECK(b->of->name, size_agrees(b, inferred.items[d], is.items[d], at),
          "%s:%s: dimension %u was inferred as %u, is %u", b->how, text_of(b->of, at), (unsigned)d,
          (unsigned)inferred.items[d], (unsigned)is.items[d]);
}

static size_t name_shapes(const beside *b, const sizes *at, webnn_named_shape *shapes) {
  webnn_graph_port ports[MOST_OPERANDS];
  const size_t count = webnn_graph_inputs(b->dynamic.graph, ports, MOST_OPERANDS);
  size_t i, j;
  for (i = 0; i < count; i++)
    for (j = 0; j < b->of->source_count; j++)
      if (strcmp(b->of->sources[j].name, ports[i].name) == 0) {
        shapes[i].name = ports[i].name;
        shapes[i].shape = at->of[j];
      }
  return count;
}

/* Shapes without running. */
static bool check_shapes(const beside *b, const made *fixed, const sizes *at) {
  webnn_named_shape shapes[MOST_OPERANDS], results[MOST_OUTPUTS];
  webnn_error error = WEBNN_ZERO;
  const size_t count = name_shapes(b, at, shapes);
  size_t i;
  if (!CHECK(b->of->name,
             webnn_compute_shapes(b->dynamic.graph, shapes, count, results, MOST_OUTPUTS, &error) ==
                 WEBNN_OK,
             "%s:%s: %s", b->how, text_of(b->of, at), error.message))
    return false;
  for (i = 0; i < b->of->output_count; i++) {
    CHECK(b->of->name, test_same_list(results[i].shape, fixed->shapes[i]), "%s:%s: computed %s",
          b->how, text_of(b->of, at), test_shape_text(results[i].shape));
    check_shape(b, i, fixed->shapes[i], at);
  }
  return true;
}

/* Passes and kernels have made of the specialization what they make of the static graph. */
static void check_steps(const beside *b, const made *fixed, const sizes *at) {
  every_text steps = {NULL, 0, 0}, expected = {NULL, 0, 0};
  webnn_print_steps(b->dynamic.graph, every_write, &steps);
  webnn_print_steps(fixed->graph, every_write, &expected);
  if (expected.length > 0)
    CHECK(b->of->name, strstr(steps.data, expected.data) != NULL, "%s:%s: steps\n%s, not\n%s",
          b->how, text_of(b->of, at), steps.data, expected.data);
  free(steps.data);
  free(expected.data);
}

static void check_runs(const beside *b, const made *fixed, const sizes *at) {
  webnn_error error = WEBNN_ZERO;
  bound inputs = WEBNN_ZERO, outputs = WEBNN_ZERO, expected = WEBNN_ZERO;
  size_t i;
  if (!check_shapes(b, fixed, at))
    return;
  bind_inputs(b->context, b->of, fixed->graph, at, &inputs);
  bind_outputs(b->context, fixed->graph, &outputs);
  bind_outputs(b->context, fixed->graph, &expected);
  CHECK(b->of->name,
        webnn_dispatch(b->context, fixed->graph, inputs.items, inputs.count, expected.items,
                       expected.count, &error) == WEBNN_OK,
        "%s", error.message);
  CHECK(b->of->name,
        webnn_dispatch(b->context, b->dynamic.graph, inputs.items, inputs.count, outputs.items,
                       outputs.count, &error) == WEBNN_OK,
        "%s:%s: %s", b->how, text_of(b->of, at), error.message);
  for (i = 0; i < outputs.count; i++)
    CHECK(b->of->name, same_bytes(b->context, outputs.items[i].tensor, expected.items[i].tensor),
          "%s:%s: output %u has other bits", b->how, text_of(b->of, at), (unsigned)i);
  check_steps(b, fixed, at);
  unbind(&inputs);
  unbind(&outputs);
  unbind(&expected);
  ran++;
}

/* ---- The list check --------------------------------------------------------------------------

   Every refusal that depends on sizes must have been left for later at least once. "#" is any number,
   "[]" any list. */

typedef struct step {
  const char *methods, *words;
} step;
static const step later[] = {
#include "dynamic_steps.inc"
};
static uint64_t seen_later[sizeof later / sizeof *later]; /* a bit for each method */

/* Up to the semicolon, without the numbers. */
static void without_numbers(const char *from, char *to, size_t room) {
  const char *start = to, *end = to + room - 2;
  while (*from != 0 && *from != ';' && to < end) {
    if (*from == '[') {
      from += strcspn(from, "]");
      *to++ = '[';
    } else if (json_is_digit(*from) && to > start && (to[-1] == ' ' || to[-1] == '(')) {
      from += strspn(from, "0123456789");
      *to++ = '#';
    } else {
      *to++ = *from++;
    }
  }
  *to = 0;
}

/* Which word of a text this is; 64 if none. */
static uint32_t word_of(const char *text, const char *word, size_t length) {
  uint32_t i;
  for (i = 0; *text != 0; i++) {
    const size_t own = strcspn(text, " ");
    if (own == length && strncmp(text, word, own) == 0)
      return i;
    text += own + strspn(text + own, " ");
  }
  return 64;
}

/* "computeShapes: add: ..." or "computeShapes: add "label": ..." */
static void see_later(const char *message) {
  static const char start[] = "computeShapes: ";
  char words[600];
  size_t i, length;
  message += strncmp(message, start, sizeof start - 1) == 0 ? sizeof start - 1 : 0;
  length = strcspn(message, ": ");
  if (strstr(message, ": ") == NULL)
    return;
  without_numbers(strstr(message, ": ") + 2, words, sizeof words);
  for (i = 0; i < sizeof later / sizeof *later; i++)
    if (strcmp(words, later[i].words) == 0) {
      const uint32_t method = word_of(later[i].methods, message, length);
      seen_later[i] |= method < 64 ? (uint64_t)1 << method : 0;
    }
}

static void check_later(void) {
  size_t i;
  for (i = 0; i < sizeof later / sizeof *later; i++) {
    const char *method = later[i].methods;
    uint32_t j;
    for (j = 0; *method != 0; j++) {
      const size_t length = strcspn(method, " ");
      CHECK("later", (seen_later[i] >> j & 1) != 0, "%.*s has never refused sizes that came: %s",
            (int)length, method, later[i].words);
      method += length + strspn(method + length, " ");
    }
  }
}

/* The static graph was refused with this message. */
static void check_refused(const beside *b, const char *message, const sizes *at) {
  webnn_named_shape shapes[MOST_OPERANDS];
  webnn_error error = WEBNN_ZERO;
  const size_t count = name_shapes(b, at, shapes);
  char start[300];
  CHECK(b->of->name,
        webnn_compute_shapes(b->dynamic.graph, shapes, count, NULL, 0, &error) ==
                WEBNN_TYPE_ERROR ||
            error.status == WEBNN_OPERATION_ERROR,
        "%s:%s: expected '%s', got '%s'", b->how, text_of(b->of, at), message, error.message);
  snprintf(start, sizeof start, "%.299s", message); /* a long one is cut */
  CHECK(b->of->name, *start != 0 && strstr(error.message, start) != NULL,
        "%s:%s: expected '%s' in '%s'", b->how, text_of(b->of, at), start, error.message);
  see_later(error.message);
  refused++;
}

static bool small_enough(const subject *s, const sizes *at) {
  size_t i;
  for (i = 0; i < s->source_count; i++)
    if (test_element_count(at->of[i]) > MOST_ELEMENTS)
      return false;
  return true;
}

/* The dynamic graph, if there is one, must do what the static graph of these sizes does. Where those
   are too large for this machine only shapes are compared. */
static void compare(const beside *b, const sizes *at) {
  const bool runs = small_enough(b->of, at);
  made fixed;
  make_static(b->context, b->of, at, runs, &fixed);
  if (!b->dynamic.accepted) {
    CHECK(b->of->name, !fixed.accepted, "%s:%s: refused with open sizes: %s", b->how,
          text_of(b->of, at), b->dynamic.message);
    refused_early++;
  } else if (!fixed.accepted) {
    check_refused(b, fixed.message, at);
  } else if (fixed.graph != NULL) {
    check_runs(b, &fixed, at);
  } else {
    check_shapes(b, &fixed, at);
  }
  webnn_free_graph(fixed.graph);
}

static void begin(beside *b, webnn_context *context, const subject *s, const char *how) {
  memset(b, 0, sizeof *b);
  b->context = context;
  b->of = s;
  b->how = how;
  b->builder = test_builder(context);
  own_sizes(s, &b->open);
}

static void make_dynamic(beside *b) {
  making m;
  memset(&m, 0, sizeof m);
  m.of = b->of;
  m.builder = b->builder;
  m.dynamic = true;
  random_first = true;
  make_graph(&m, &b->open, true, &b->dynamic);
  random_first = false;
}

static void end(beside *b) {
  webnn_free_graph(b->dynamic.graph);
  webnn_free_builder(b->builder);
}

/* ---- Which dimensions are open, and the sizes that come -------------------------------------- */

enum { OTHERS = 5 };

/* Sizes to try in place of `size`, as many as there are. */
static size_t other_sizes(uint32_t size, uint32_t *others) {
  size_t count = 0;
  if (size != 1)
    others[count++] = 1;
  others[count++] = size + 1;
  if (size > 1)
    others[count++] = size * 2;
  others[count++] = 60000;
  others[count++] = INT32_MAX;
  return count;
}

/* One dimension is open, alone; another one may have another size. */
static void open_one(webnn_context *context, const subject *s, size_t i, uint32_t d, bool named,
                     size_t j, uint32_t e) {
  const uint32_t size = s->sources[i].shape.items[d];
  uint32_t others[OTHERS];
  size_t k, count = other_sizes(size, others);
  sizes at;
  beside b;
  begin(&b, context, s, named ? "one dimension with a name" : "one dimension");
  own_sizes(s, &at);
  if (j < s->source_count) {
    b.how = "one dimension, and another size";
    b.open.of[j].items[e]++;
    at.of[j].items[e]++;
  }
  b.open.of[i].items[d] = named ? webnn_dynamic_dimension(b.builder, "n") : WEBNN_DYNAMIC_DIMENSION;
  make_dynamic(&b);
  compare(&b, &at);
  for (k = 0; k < count; k++) {
    at.of[i].items[d] = others[k];
    compare(&b, &at);
  }
  end(&b);
}

/* Puts a size in place of another in all open dimensions. */
static void replace(const subject *s, sizes *at, uint32_t size, uint32_t by) {
  size_t i;
  uint32_t d;
  for (i = 0; i < s->source_count; i++)
    for (d = 0; !s->sources[i].constant && d < at->of[i].count; d++)
      at->of[i].items[d] = at->of[i].items[d] == size ? by : at->of[i].items[d];
}

static void scale(const subject *s, sizes *at, uint32_t by) {
  size_t i;
  uint32_t d;
  for (i = 0; i < s->source_count; i++)
    for (d = 0; !s->sources[i].constant && d < at->of[i].count; d++)
      at->of[i].items[d] *= by;
}

/* All dimensions of all inputs are open; those of equal sizes have one name, and change together. */
static void open_all(webnn_context *context, const subject *s, bool named) {
  uint32_t seen[64], d;
  size_t i, k, seen_count = 0;
  sizes at;
  beside b;
  begin(&b, context, s, named ? "all dimensions with names" : "all dimensions");
  for (i = 0; i < s->source_count; i++)
    for (d = 0; !s->sources[i].constant && d < b.open.of[i].count; d++) {
      const uint32_t size = b.open.of[i].items[d];
      char name[16];
      snprintf(name, sizeof name, "n%u", (unsigned)size);
      b.open.of[i].items[d] =
          named ? webnn_dynamic_dimension(b.builder, name) : WEBNN_DYNAMIC_DIMENSION;
      for (k = 0; k < seen_count && seen[k] != size; k++) {
      }
      if (k == seen_count && seen_count < 64)
        seen[seen_count++] = size;
    }
  make_dynamic(&b);
  own_sizes(s, &at);
  compare(&b, &at);
  for (k = 0; k < seen_count; k++) {
    uint32_t others[OTHERS];
    const size_t count = other_sizes(seen[k], others);
    for (i = 0; i < count; i++) {
      own_sizes(s, &at);
      replace(s, &at, seen[k], others[i]);
      compare(&b, &at);
    }
  }
  own_sizes(s, &at);
  scale(s, &at, 2);
  compare(&b, &at);
  end(&b);
}

/* Each pair of dimensions: one open, the other of another size. */
static void open_beside_others(webnn_context *context, const subject *s, size_t i, uint32_t d) {
  size_t j;
  uint32_t e;
  for (j = 0; j < s->source_count; j++)
    for (e = 0; !s->sources[j].constant && e < s->sources[j].shape.count; e++)
      if (j != i || e != d)
        open_one(context, s, i, d, false, j, e);
}

/* The same with inputs whose rank is not known; they have a dimension of 1 more. (splitDynamic has to
   know how many splits there are.) */
static void play_squeezed(webnn_context *context, const subject *s) {
  static subject squeezed;
  size_t i;
  if (strncmp(s->name, "split_dynamic", strlen("split_dynamic")) == 0)
    return;
  squeezed = *s;
  squeezed.squeezed = true;
  for (i = 0; i < s->source_count; i++) {
    webnn_list *shape = &squeezed.sources[i].shape;
    if (squeezed.sources[i].constant || shape->count == WEBNN_MAX_RANK)
      continue;
    memmove(shape->items + 1, shape->items, shape->count * sizeof *shape->items);
    shape->items[0] = 1;
    shape->count++;
  }
  open_all(context, &squeezed, true);
  open_all(context, &squeezed, false);
  for (i = 0; i < s->source_count; i++)
    if (!squeezed.sources[i].constant && squeezed.sources[i].shape.count > 0)
      open_one(context, &squeezed, i, 0, false, s->source_count, 0);
}

static void play(webnn_context *context, const subject *s, bool pairs) {
  size_t i;
  uint32_t d;
  play_squeezed(context, s);
  open_all(context, s, true);
  open_all(context, s, false);
  for (i = 0; i < s->source_count; i++)
    for (d = 0; !s->sources[i].constant && d < s->sources[i].shape.count; d++) {
      open_one(context, s, i, d, true, s->source_count, 0);
      open_one(context, s, i, d, false, s->source_count, 0);
      if (pairs)
        open_beside_others(context, s, i, d);
    }
}

/* ---- The table ------------------------------------------------------------------------------- */

#define ROW(name, inputs, ...)                                                                     \
  static size_t call_row_##name(webnn_builder *b, webnn_operand **x, webnn_operand **y) {          \
    return __VA_ARGS__;                                                                            \
  }
DYNAMIC_TABLE
#undef ROW

typedef struct row {
  const char *name, *inputs;
  size_t (*calls)(webnn_builder *b, webnn_operand **x, webnn_operand **y);
} row;

static const row rows[] = {
#define ROW(name, inputs, ...) {#name, inputs, call_row_##name},
    DYNAMIC_TABLE
#undef ROW
};

static webnn_data_type type_of(const char *text) {
  static const char *const names[] = {"f32", "f16", "i32", "u32", "i64",
                                      "u64", "i8",  "u8",  "i4",  "u4"};
  int i = 0;
  while (strncmp(names[i], text, strlen(names[i])) != 0)
    i++;
  return (webnn_data_type)(WEBNN_FLOAT32 + i);
}

/* Floats are multiples of 1/64 from -2 to 2; integers are 0 and 1, which are indices, too. */
static void make_data(subject *s, source *from) {
  uint64_t state = 7 + s->source_count;
  size_t i;
  from->count = test_element_count(from->shape);
  from->count = from->count < MOST_DATA ? from->count : MOST_DATA;
  from->bytes = json_allocate(&s->arena, elements_byte_length(from->type, from->count));
  for (i = 0; i < elements_byte_length(from->type, from->count) * 8 /
                      (webnn_data_type_bits(from->type) < 8 ? 8 : webnn_data_type_bits(from->type));
       i++)
    if (webnn_data_type_bits(from->type) < 8)
      ((uint8_t *)from->bytes)[i] = (uint8_t)test_random(&state);
    else
      test_set(from->type, from->bytes, i,
               test_is_float(from->type) ? (int)test_random_between(&state, -128, 128) / 64.0
                                         : (int)test_random_between(&state, 0, 2));
}

/* "f32 2 3, f32! 4" */
static void read_inputs(subject *s, const char *text) {
  static const char *const names[] = {"a", "b", "c", "d", "e", "f"};
  while (*text != 0) {
    source *from = &s->sources[s->source_count];
    const size_t length = strcspn(text, " !");
    from->name = names[s->source_count++];
    from->type = type_of(text);
    from->constant = text[length] == '!';
    from->shape = webnn_list_of(NULL, 0);
    text += length + (from->constant ? 1 : 0);
    while (*text == ' ') {
      char *after;
      from->shape.items[from->shape.count++] = (uint32_t)strtoul(text, &after, 10);
      text = after;
    }
    make_data(s, from);
    text += strspn(text, ", ");
  }
}

static void play_row(webnn_context *context, const row *r) {
  static const char *const names[] = {"0", "1", "2", "3"};
  static subject s;
  webnn_operand *results[MOST_OUTPUTS];
  sizes own;
  making m;
  memset(&s, 0, sizeof s);
  memset(&m, 0, sizeof m);
  s.name = r->name;
  s.calls = r->calls;
  read_inputs(&s, r->inputs);
  own_sizes(&s, &own);
  m.of = &s;
  m.builder = test_builder(context);
  make_sources(&m, &own);
  s.output_count = r->calls(m.builder, m.operands, results);
  memcpy(s.outputs, names, sizeof names);
  s.output_count = s.output_count > 0 ? s.output_count : 1; /* refused as it stands */
  play(context, &s, true);
  webnn_free_builder(m.builder);
  json_release(&s.arena, false);
}

/* Is arg_min the C name of argMin? */
static bool same_method(const char *c_name, const char *name) {
  for (; *c_name != 0 && *name != 0; c_name++) {
    if (*c_name == '_')
      continue;
    if ((*c_name | 32) != (*name | 32))
      return false;
    name++;
  }
  return *c_name == 0 && *name == 0;
}

static void check_rows(void) {
  int op;
  for (op = 0; op < WEBNN_OP_COUNT; op++) {
    const char *name = webnn_op_name((webnn_op)op);
    bool found = false;
    size_t i;
    for (i = 0; i < sizeof rows / sizeof *rows; i++)
      found = found || same_method(rows[i].name, name);
    CHECK(name, found, "the table has no row for it");
  }
}

static void play_table(webnn_context *context) {
  size_t i;
  check_rows();
  memset(seen_later, 0, sizeof seen_later); /* of this context */
  for (i = 0; i < sizeof rows / sizeof *rows; i++)
    play_row(context, &rows[i]);
}

/* ---- Random graphs --------------------------------------------------------------------------- */

static void play_random(webnn_context *context, uint64_t seed) {
  static const char *const names[] = {"0", "1", "2",  "3",  "4",  "5",  "6", "7",
                                      "8", "9", "10", "11", "12", "13", "14"};
  static const char *const inputs[] = {"f32 2 3 6 5, f32 2 3 6 5, f32 5 3",
                                       "f32 4 5, f32 5 4, f32 4 1", "f32 3 4 5, f32 5 3, f32 1 4 5",
                                       "f32 1 3 4 4, f32 3, f32 4 4"};
  static subject s;
  memset(&s, 0, sizeof s);
  s.name = "random";
  s.calls = random_calls;
  s.output_count = RANDOM_RESULTS;
  memcpy(s.outputs, names, sizeof names);
  read_inputs(&s, inputs[seed % 4]);
  random_seed = seed * 1000003 + 17;
  test_repeat("build/dynamic_operators random %lu", (unsigned long)seed);
  open_all(context, &s, true);
  open_all(context, &s, false);
  open_one(context, &s, seed % 2, 0, false, s.source_count, 0);
  open_one(context, &s, seed % 2, 1, true, s.source_count, 0);
  json_release(&s.arena, false);
}

static void play_random_graphs(webnn_context *context, uint64_t first, uint64_t count) {
  uint64_t seed;
  for (seed = first; seed < first + count; seed++)
    play_random(context, seed);
}

/* ---- The conformance vectors ----------------------------------------------------------------- */

static bool read_sources(subject *s, const json *test_case) {
  const json *item;
  for (item = json_first(json_get(test_case, "inputs")); item; item = item->next) {
    source *from = &s->sources[s->source_count];
    webnn_operand_descriptor descriptor;
    if (!elements_descriptor(item, &descriptor) || s->source_count == MOST_OPERANDS)
      return false;
    s->source_count++;
    from->name = json_string(json_get(item, "name"));
    from->type = descriptor.data_type;
    from->shape = descriptor.shape;
    from->constant = json_is_true(json_get(item, "constant"));
    from->count = test_element_count(from->shape);
    from->bytes = json_allocate(&s->arena, elements_byte_length(from->type, from->count));
    if (!elements_read(item, from->type, from->bytes, from->count))
      return false;
  }
  for (item = json_first(json_get(test_case, "outputs")); item; item = item->next) {
    if (s->output_count == MOST_OUTPUTS)
      return false;
    s->outputs[s->output_count++] = json_string(json_get(item, "name"));
  }
  return true;
}

/* Cases older than a rule, which the methods refuse as they stand, are passed over. */
static void play_vector(webnn_context *context, const json *test_case, unsigned long *passed_over) {
  static subject s;
  made fixed;
  sizes own;
  memset(&s, 0, sizeof s);
  s.name = json_string(json_get(test_case, "name"));
  s.operators = json_get(test_case, "operators");
  if (CHECK(s.name, read_sources(&s, test_case), "the test cannot read the case")) {
    own_sizes(&s, &own);
    make_static(context, &s, &own, true, &fixed);
    webnn_free_graph(fixed.graph);
    if (fixed.graph != NULL)
      play(context, &s, true);
    else
      ++*passed_over;
  }
  json_release(&s.arena, false);
}

/* clang-format off */
static const char *const all_files[] = {
  "abs", "add", "arg_min_max", "batch_normalization", "cast", "cast-storage", "clamp", "concat",
  "constant-reshape-optimization", "conv2d", "conv_transpose2d", "cumulative_sum",
  "dequantizeLinear", "elu", "equal", "expand", "gather", "gatherElements", "gatherND", "gelu",
  "gemm", "gru", "gru_cell", "hard_sigmoid", "instance-normalization-affine-layout",
  "instance_normalization", "is_nan", "layer_normalization", "leaky_relu", "linear",
  "logical_and", "lstm", "lstm_cell", "matmul", "optimize_graph", "pad", "pooling", "prelu",
  "qdq_subgraph", "quantizeLinear", "reduce_l1", "reduce_mean", "reduce_max", "reduce_log_sum_exp",
  "resample2d", "resample2d-nearest-half-pixel", "reshape", "reverse", "scatterElements",
  "scatterND", "slice", "softmax", "split", "subgraph", "tile", "transpose", "triangular", "where"};
/* clang-format on */

static void play_file(webnn_context *context, const char *name, uint32_t every) {
  unsigned long passed_over = 0;
  json_document document;
  const json *item;
  char path[1024];
  uint32_t i = 0;
  vectors_path(path, sizeof path, "conformance", name);
  if (!test_must(json_read_file(&document, path), name, "cannot read %s", path))
    return;
  for (item = json_first(json_get(document.root, "cases")); item; item = item->next)
    if (i++ % every == 0)
      play_vector(context, item, &passed_over);
  json_free(&document);
  if (passed_over > 0)
    printf("  %s: %lu cases older than a rule are passed over\n", name, passed_over);
}

static void play_vectors(webnn_context *context, int argc, char **argv, uint32_t every) {
  size_t i;
  int a;
  if (!vectors_present("conformance", "abs")) {
    test_skip("vectors", "no conformance vectors");
    return;
  }
  for (a = 1; a < argc; a++) {
    char name[64];
    vectors_name(name, sizeof name, argv[a]);
    play_file(context, name, every);
  }
  for (i = 0; argc <= 1 && i < sizeof all_files / sizeof *all_files; i++)
    play_file(context, all_files[i], every);
}

/* One context's share. */
static void play_all(webnn_context *context, int argc, char **argv) {
  const bool all = argc > 1 && strcmp(argv[1], "all") == 0;
  if (argc > 2 && strcmp(argv[1], "random") == 0) {
    play_random_graphs(context, strtoul(argv[2], NULL, 10),
                       argc > 3 ? strtoul(argv[3], NULL, 10) : 1);
  } else if (all || argc <= 1) {
    play_table(context);
    check_later();
    play_random_graphs(context, 0, all ? 5000 : 300);
    play_vectors(context, 0, NULL, all ? 1 : 7);
  } else {
    play_vectors(context, argc, argv, 1);
  }
}

int main(int argc, char **argv) {
  int i;
  for (i = 0; i < 2; i++) {
    webnn_context_options options = WEBNN_ZERO;
    webnn_context *context;
    options.numerics = i == 0 ? WEBNN_NUMERICS_FAST : WEBNN_NUMERICS_REFERENCE;
    context = test_context(&options);
    play_all(context, argc, argv);
    webnn_free_context(context);
  }
  printf("  %lu sizes ran, %lu were refused when they came, %lu when the graph was built\n", ran,
         refused, refused_early);
  CHECK("dynamic_operators", ran > 0, "nothing was compared");
  return test_end();
}
