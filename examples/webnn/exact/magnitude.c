/* How large the terms are that an operator adds up. Where they cancel, the sum is small beside its
   terms, and float32's rounding of these is many ULP of the sum: it has to be measured against the
   sum of the terms' magnitudes. Mostly that is the operator itself on the absolute values of its
   operands; what else it may be is in the table below. All of it is computed as a small network. */
#include "exact.h"

#include <stdlib.h>
#include <string.h>

/* A network in the making, beside one operator of another. */
typedef struct formula {
  network *of;
  const operation *operation;
  bool whole;    /* operands are those of the exact run of the whole graph, not theirs */
  size_t behind; /* how many operators the operation is before the one that is judged */
  arena *memory;
  network made;
  size_t room;
} formula;

/* ---- Making a network ------------------------------------------------------------------------ */

/* All of it at the operator, for messages. NULL after a complaint. */
static const json *parse(formula *f, const char *text) {
  const json *at = f->operation->node;
  char *own = take_text(f->memory, "%s", text);
  return json_parse(f->memory, at->file, own, own, strlen(own));
}

static network_value *add_value(formula *f) {
  network *n = &f->made;
  network_value *grown;
  if (n->value_count == f->room) {
    f->room = 2 * f->room + 8;
    grown = (network_value *)take(f->memory, f->room * sizeof *grown);
    if (n->value_count > 0)
      memcpy(grown, n->values, n->value_count * sizeof *grown);
    n->values = grown;
  }
  grown = &n->values[n->value_count];
  grown->name = take_text(f->memory, "m%lu", (unsigned long)n->value_count++);
  grown->node = f->operation->node;
  grown->producer = NOBODY;
  return grown;
}

enum { MOST_OPERATIONS = 64 };

/* Adds a call of an operator; returns the name of its first result. */
static const char *add_call(formula *f, const json *node, const char *name) {
  network *n = &f->made;
  operation *o = &n->operations[n->operation_count];
  network_value *v;
  if (!node || n->operation_count == MOST_OPERATIONS)
    return NULL;
  v = add_value(f);
  o->node = node;
  o->name = name;
  o->method = method_find(name);
  o->first_output = n->value_count - 1;
  o->output_count = 1;
  v->producer = n->operation_count++;
  return v->name;
}

/* name(a, b, options): `b` and `more` (further arguments, options among them) may be NULL. A
   missing `a` is handed on, so that only the last result has to be looked at. */
static const char *call(formula *f, const char *name, const char *a, const char *b,
                        const char *more) {
  const char *second = b ? take_text(f->memory, ",{\"operand\":\"%s\"}", b) : "";
  const char *text = take_text(f->memory,
                               "{\"name\":\"%s\",\"arguments\":[{\"operand\":\"%s\"}%s%s%s],"
                               "\"outputs\":[\"r\"]}",
                               name, a ? a : "", second, more ? "," : "", more ? more : "");
  return a ? add_call(f, parse(f, text), name) : NULL;
}

static const char *take_tensor(formula *f, const tensor *t) {
  network_value *v = t->data ? add_value(f) : NULL;
  if (!v)
    return NULL;
  v->known = *t;
  return v->name;
}

static const char *magnitudes_behind(formula *f, const network_value *v);

/* An operand of the operator as an input, or, if it is not given, what its own terms are where the
   operator hands that on. NULL if nothing is known of it. */
static const char *take_operand(formula *f, const json *name) {
  const network_value *from = json_string(name) ? network_find(f->of, name->text) : NULL;
  const bool result = from && from->producer != NOBODY;
  const char *behind =
      result && !f->whole && !from->theirs.data ? magnitudes_behind(f, from) : NULL;
  if (behind || !from)
    return behind;
  return take_tensor(f, f->whole && result ? &from->exact : &from->known);
}

/* ---- The operator's own call ----------------------------------------------------------------- */

static const json *argument_of(const formula *f, size_t index) {
  const json *item = json_items(json_get(f->operation->node, "arguments"), JSON_ARRAY);
  while (item && index-- > 0)
    item = item->next;
  return item;
}

static const json *option_of(const formula *f, const char *name) {
  const json *item = json_items(json_get(f->operation->node, "arguments"), JSON_ARRAY);
  while (item && !json_get(item, "options"))
    item = item->next;
  return json_get(json_get(item, "options"), name);
}

static double number_option(const formula *f, const char *name, double otherwise) {
  double number = otherwise;
  json_double(json_get(option_of(f, name), "number"), &number);
  return number;
}

/* The operand that argument `index` names, as an input. */
static const char *operand_argument(formula *f, size_t index) {
  return take_operand(f, json_get(argument_of(f, index), "operand"));
}

/* The absolute value of an optional operand; NULL: it is not given. */
static const char *option_size(formula *f, const char *name) {
  const json *operand = json_get(option_of(f, name), "operand");
  return operand ? call(f, "abs", take_operand(f, operand), NULL, NULL) : NULL;
}

static bool is_named(const json *option, const char *name) {
  return option->name && strcmp(option->name, name) == 0;
}

static json *positive(arena *memory, const json *number) {
  json *copy = json_copy(memory, number);
  if (copy->text && *copy->text == '-') { /* of a number, or of a bigint's string */
    copy->text++;
    copy->length--;
  }
  copy->name = number->name;
  return copy;
}

/* Operands that are subtracted: of these the negative counts. */
static bool is_subtracted(const formula *f, size_t index) {
  return index == 1 && (strcmp(f->operation->name, "sub") == 0 ||
                        strcmp(f->operation->name, "batchNormalization") == 0);
}

/* A copy of an argument or of options whose operands are the absolute values of those named (a
   variance has no other). */
static json *with_sizes(formula *f, const json *node, size_t index) {
  json_list copy = json_start(f->memory, node, node->kind);
  for (const json *m = node->first; m; m = m->next) {
    const bool operand = m->name && strcmp(m->name, "operand") == 0;
    const char *taken = operand ? call(f, "abs", take_operand(f, m), NULL, NULL) : NULL;
    if (is_subtracted(f, index))
      taken = call(f, "neg", taken, NULL, NULL);
    if (operand)
      json_put(&copy, m->name, json_text(f->memory, m, JSON_STRING, taken ? taken : ""));
    else if (m->kind == JSON_OBJECT)
      json_put(&copy, m->name, with_sizes(f, m, SIZE_MAX));
    else if (is_named(node, "alpha") || is_named(node, "beta"))
      json_put(&copy, m->name, positive(f->memory, m));
    else
      json_put(&copy, m->name, json_copy(f->memory, m));
  }
  copy.list->name = node->name;
  return copy.list;
}

/* ---- The magnitudes of each operator --------------------------------------------------------- */

/* The operator on absolute values. */
static const char *of_sizes(formula *f) {
  const json *node = f->operation->node;
  json_list call_node = json_start(f->memory, node, JSON_OBJECT);
  json_list arguments = json_start(f->memory, node, JSON_ARRAY);
  size_t index = 0;
  for (const json *item = json_items(json_get(node, "arguments"), JSON_ARRAY); item;
       item = item->next)
    json_put(&arguments, NULL, with_sizes(f, item, index++));
  json_put(&call_node, "name", json_copy(f->memory, json_get(node, "name")));
  json_put(&call_node, "arguments", arguments.list);
  json_put(&call_node, "outputs", json_copy(f->memory, json_get(node, "outputs")));
  return add_call(f, call_node.list, f->operation->name);
}

static const char *plus(formula *f, const char *x, double beta) {
  return call(f, "linear", x, NULL,
              take_text(f->memory, "{\"options\":{\"beta\":{\"number\":%.17g}}}", beta));
}

/* |x|: of gelu, x / 2 and x erf(x / sqrt(2)) / 2, and what others hand on that enlarge no
   difference much. */
static const char *of_operand(formula *f) {
  return call(f, "abs", operand_argument(f, 0), NULL, NULL);
}

/* alpha x and beta before the result is clamped. */
static const char *of_hard_sigmoid(formula *f) {
  const double alpha = number_option(f, "alpha", 0.2), beta = number_option(f, "beta", 0.5);
  return call(f, "linear", call(f, "abs", operand_argument(f, 0), NULL, NULL), NULL,
              take_text(f->memory,
                        "{\"options\":{\"alpha\":{\"number\":%.17g},\"beta\":{\"number\":%.17g}}}",
                        alpha < 0 ? -alpha : alpha, beta < 0 ? -beta : beta));
}

/* The exact result of the operator, as an input. */
static const char *take_result(formula *f) {
  const network_value *result = &f->of->values[f->operation->first_output];
  return take_tensor(f, f->behind ? &result->known : &result->exact);
}

/* alpha (e^x - 1) and log(1 + e^x): the size of the result and of the 1 beside the power. */
static const char *of_elu(formula *f) {
  const double alpha = number_option(f, "alpha", 1.0);
  return plus(f, call(f, "abs", take_result(f), NULL, NULL), alpha < 0 ? -alpha : alpha);
}

static const char *of_softplus(formula *f) {
  return plus(f, call(f, "abs", take_result(f), NULL, NULL), 1.0);
}

/* log S: a sum S of terms with magnitudes M is known to M / |S|, which is e^(log M - log S). */
static const char *of_log_sum(formula *f) {
  const char *log_magnitudes = of_sizes(f), *log_sum = take_result(f);
  const char *ratio = call(f, "exp", call(f, "sub", log_magnitudes, log_sum, NULL), NULL, NULL);
  return call(f, "add", ratio, call(f, "abs", log_sum, NULL, NULL), NULL);
}

/* The largest x is taken out of the sum and added to its logarithm. */
static const char *of_log_sum_exp(formula *f) {
  return plus(f, of_sizes(f), 1.0);
}

static const char *keep_dimensions(formula *f, const char *axes) {
  return take_text(f->memory,
                   "{\"options\":{\"axes\":{\"numbers\":[%s]},\"keepDimensions\":{\"bool\":true}}}",
                   axes);
}

/* The result times 1 + max - x: the exponent x - max is rounded before e is raised to it. */
static const char *of_softmax(formula *f) {
  double axis = 0.0;
  const char *x = operand_argument(f, 0), *over, *largest, *axis_text;
  json_double(json_get(argument_of(f, 1), "number"), &axis);
  axis_text = take_text(f->memory, "%.0f", axis);
  over = keep_dimensions(f, axis_text);
  largest = call(f, "reduceMax", x, NULL, over);
  return call(f, "mul",
              call(f, "softmax", x, NULL, take_text(f->memory, "{\"number\":%s}", axis_text)),
              plus(f, call(f, "sub", largest, x, NULL), 1.0), NULL);
}

/* ---- Normalizations -------------------------------------------------------------------------- */

/* (|x| + mean |x|) / sqrt(variance + epsilon) */
static const char *normalized_sizes(formula *f, const char *x, const char *axes) {
  const char *over = keep_dimensions(f, axes);
  const char *difference = call(f, "sub", x, call(f, "reduceMean", x, NULL, over), NULL);
  const char *square = call(f, "mul", difference, difference, NULL);
  const char *variance = call(f, "reduceMean", square, NULL, over);
  const char *root =
      call(f, "sqrt", plus(f, variance, number_option(f, "epsilon", 1e-5)), NULL, NULL);
  const char *size = call(f, "abs", x, NULL, NULL);
  const char *both = call(f, "add", size, call(f, "reduceMean", size, NULL, over), NULL);
  return root ? call(f, "div", both, root, NULL) : NULL;
}

static const char *in_shape(formula *f, const char *name, const char *shape) {
  return call(f, "reshape", name, NULL, take_text(f->memory, "{\"numbers\":[%s]}", shape));
}

/* Normalized magnitudes times |scale|, plus |bias|, both brought to a shape that fits x. */
static const char *scaled(formula *f, const char *sizes, const char *permutation,
                          const char *shape) {
  static const char *const names[] = {"scale", "bias"};
  static const char *const operators[] = {"mul", "add"};
  const char *turn =
      take_text(f->memory, "{\"options\":{\"permutation\":{\"numbers\":[%s]}}}", permutation);
  for (int i = 0; i < 2; i++) {
    const char *factor = option_size(f, names[i]);
    if (factor && *permutation)
      factor = call(f, "transpose", factor, NULL, turn);
    if (factor)
      sizes = call(f, operators[i], sizes, in_shape(f, factor, shape), NULL);
  }
  return sizes;
}

static const webnn_list *shape_of_input(const formula *f, const char *x) {
  return &network_find(&f->made, x)->known.descriptor.shape;
}

static const char *of_instance_normalization(formula *f) {
  const char *layout = json_string(json_get(option_of(f, "layout"), "string"));
  const bool last = layout && strcmp(layout, "nhwc") == 0;
  const char *x = operand_argument(f, 0);
  const char *sizes = normalized_sizes(f, x, last ? "1,2" : "2,3");
  const uint32_t *shape = x ? shape_of_input(f, x)->items : NULL;
  if (!sizes)
    return NULL;
  return scaled(f, sizes, "",
                last ? take_text(f->memory, "1,1,1,%lu", (unsigned long)shape[3])
                     : take_text(f->memory, "1,%lu,1,1", (unsigned long)shape[1]));
}

/* The axes of layerNormalization; without the option all but the first. Returns how many. */
static size_t axes_of(const formula *f, size_t rank, uint32_t *axes) {
  const json *given = json_get(option_of(f, "axes"), "numbers");
  size_t count = 0;
  if (!given)
    for (size_t i = 1; i < rank; i++)
      axes[count++] = (uint32_t)i;
  for (const json *item = json_items(given, JSON_ARRAY); item && count < rank; item = item->next)
    count += json_u32(item, &axes[count]);
  return count;
}

static size_t place_of(const uint32_t *axes, size_t count, size_t axis) {
  size_t place = 0;
  while (place < count && axes[place] != axis)
    place++;
  return place;
}

/* The dimensions of scale and bias are those of x in the order of the axes. */
static const char *of_layer_normalization(formula *f) {
  const char *x = operand_argument(f, 0), *text = "", *permutation = "", *shape = "";
  const webnn_list *dimensions = x ? shape_of_input(f, x) : NULL;
  const size_t rank = x ? dimensions->count : 0;
  uint32_t axes[WEBNN_MAX_RANK];
  const size_t count = axes_of(f, rank, axes);
  if (!x || count == 0)
    return NULL;
  for (size_t i = 0; i < rank; i++) {
    const size_t place = place_of(axes, count, i);
    const char *comma = *text ? "," : "";
    const uint32_t size = dimensions->items[i];
    shape = take_text(f->memory, "%s%s%lu", shape, i ? "," : "",
                      place < count ? (unsigned long)size : 1ul);
    if (place < count) {
      permutation = take_text(f->memory, "%s%s%lu", permutation, comma, (unsigned long)place);
      text = take_text(f->memory, "%s%s%lu", text, comma, (unsigned long)i);
    }
  }
  x = normalized_sizes(f, x, text);
  return x ? scaled(f, x, permutation, shape) : NULL;
}

/* How many elements a normalization takes together. */
static double normalized_ulp(const formula *f, const tensor *exact) {
  const webnn_list *shape = &exact->descriptor.shape;
  const char *layout = json_string(json_get(option_of(f, "layout"), "string"));
  const bool last = layout && strcmp(layout, "nhwc") == 0;
  uint32_t axes[WEBNN_MAX_RANK];
  double count = 1.0;
  if (strcmp(f->operation->name, "instanceNormalization") == 0)
    return (double)shape->items[last ? 1 : 2] * shape->items[last ? 2 : 3];
  for (size_t i = axes_of(f, shape->count, axes); i-- > 0;)
    count *= shape->items[axes[i]];
  return count;
}

/* ---- Recurrent operators --------------------------------------------------------------------- */

/* Of gru, lstm and their cells: the largest size of a result, at least 1. */
static void fill_largest(const tensor *exact, double *each) {
  double largest = 1.0;
  for (size_t i = 0; i < exact->count; i++) {
    const double value = element_value(exact, i), size = value < 0 ? -value : value;
    largest = size > largest && size - size == 0 ? size : largest;
  }
  for (size_t i = 0; i < exact->count; i++)
    each[i] = largest;
}

/* Twice what webnn.h's own kernels are tested with: for n inputs and hidden units together
   16 + n / 10 in each step, of float16 2. */
static double recurrent_ulp(const formula *f, const tensor *exact) {
  double steps = 1.0, n = 0.0;
  json_double(json_get(argument_of(f, 3), "number"), &steps); /* a cell has an operand there */
  for (size_t i = 1; i <= 2; i++) { /* weight and recurrentWeight have them last */
    const json *name = json_get(argument_of(f, i), "operand");
    const webnn_list *shape = &network_find(f->of, name->text)->known.descriptor.shape;
    n += shape->count > 0 ? (double)shape->items[shape->count - 1] : 0.0;
  }
  return steps * (exact->descriptor.data_type == WEBNN_FLOAT16 ? 4.0 : 32.0 + n / 5.0);
}

/* ---- Which operator has which ---------------------------------------------------------------- */

/* What an operator does with what is added up in an operand that is not given. One that only hands
   it on has no sum itself, or one of two operands, which is rounded once. */
typedef enum handing { KEEPS, HANDS_ON, ONLY_HANDS_ON } handing;

static const struct row {
  const char *name;
  const char *(*make)(formula *f); /* NULL: the largest size of a result, at least 1 */
  /* How many ULP of the magnitudes, where these are more than the suite's. */
  double (*ulp)(const formula *f, const tensor *exact);
  handing handing;
} rows[] = {{"conv2d", of_sizes, NULL, KEEPS},
            {"convTranspose2d", of_sizes, NULL, KEEPS},
            {"matmul", of_sizes, NULL, KEEPS},
            {"gemm", of_sizes, NULL, KEEPS},
            {"averagePool2d", of_sizes, NULL, HANDS_ON},
            {"cumulativeSum", of_sizes, NULL, KEEPS},
            {"reduceSum", of_sizes, NULL, KEEPS},
            {"reduceMean", of_sizes, NULL, HANDS_ON},
            {"resample2d", of_sizes, NULL, HANDS_ON},
            {"linear", of_sizes, NULL, HANDS_ON},
            {"batchNormalization", of_sizes, NULL, HANDS_ON},
            {"instanceNormalization", of_instance_normalization, normalized_ulp, KEEPS},
            {"layerNormalization", of_layer_normalization, normalized_ulp, KEEPS},
            {"softmax", of_softmax, NULL, KEEPS},
            {"reduceLogSum", of_log_sum, NULL, KEEPS},
            {"reduceLogSumExp", of_log_sum_exp, NULL, KEEPS},
            {"hardSigmoid", of_hard_sigmoid, NULL, HANDS_ON},
            {"gelu", of_operand, NULL, HANDS_ON},
            {"elu", of_elu, NULL, KEEPS},
            {"softplus", of_softplus, NULL, KEEPS},
            {"gru", NULL, recurrent_ulp, KEEPS},
            {"gruCell", NULL, recurrent_ulp, KEEPS},
            {"lstm", NULL, recurrent_ulp, KEEPS},
            {"lstmCell", NULL, recurrent_ulp, KEEPS},
            {"add", of_sizes, NULL, ONLY_HANDS_ON},
            {"sub", of_sizes, NULL, ONLY_HANDS_ON},
            {"identity", of_sizes, NULL, ONLY_HANDS_ON},
            {"reshape", of_sizes, NULL, ONLY_HANDS_ON},
            {"transpose", of_sizes, NULL, ONLY_HANDS_ON},
            {"abs", of_operand, NULL, ONLY_HANDS_ON},
            {"neg", of_operand, NULL, ONLY_HANDS_ON},
            {"relu", of_operand, NULL, ONLY_HANDS_ON},
            {"leakyRelu", of_operand, NULL, ONLY_HANDS_ON},
            {"clamp", of_operand, NULL, ONLY_HANDS_ON},
            {"sigmoid", of_operand, NULL, ONLY_HANDS_ON},
            {"tanh", of_operand, NULL, ONLY_HANDS_ON}};

static const struct row *row_of(const operation *o) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strcmp(rows[i].name, o->name) == 0)
      return &rows[i];
  return NULL;
}

enum { MOST_BEHIND = 16 };

/* What is handed on from the operator before. One that keeps it ends the way back, so that the
   magnitudes are those of one sum and not of a whole network's. */
static const char *magnitudes_behind(formula *f, const network_value *v) {
  const struct row *row = row_of(&f->of->operations[v->producer]);
  const operation *before = f->operation;
  const char *made;
  if (!row || !row->make || row_of(before)->handing == KEEPS || f->behind == MOST_BEHIND ||
      f->made.operation_count == MOST_OPERATIONS)
    return NULL;
  f->operation = &f->of->operations[v->producer];
  f->behind++;
  made = row->make(f);
  f->operation = before;
  f->behind--;
  return made;
}

/* Is an operand the result of an operator, and not given? */
static bool has_missing_operand(const network *n, const operation *o) {
  const size_t count = method_operands(o->node, NULL, 0);
  const json **names = (const json **)take(n->memory, (count + 1) * sizeof *names);
  method_operands(o->node, names, count);
  for (size_t i = 0; i < count; i++) {
    const network_value *v = network_find(n, names[i]->text);
    if (v && v->producer != NOBODY && !v->theirs.data)
      return true;
  }
  return false;
}

static bool compute(formula *f, const struct row *row, size_t count, double *each) {
  network *n = &f->made;
  const tensor *result;
  const char *name;
  n->session = f->of->session;
  n->memory = f->memory;
  n->node = f->operation->node;
  n->name = "";
  n->operations = (operation *)take(f->memory, MOST_OPERATIONS * sizeof *n->operations);
  n->outputs = (size_t *)take(f->memory, sizeof *n->outputs);
  name = row->make(f);
  if (!name)
    return false;
  n->outputs[0] = (size_t)(network_find(n, name) - n->values);
  n->output_count = 1;
  n->values[n->outputs[0]].is_output = true;
  if (!network_compute(n, false))
    return false;
  result = &n->values[n->outputs[0]].exact;
  for (size_t i = 0; i < count && result->count == count; i++)
    each[i] = element_value(result, i);
  return result->count == count;
}

bool network_magnitudes(network *n, const network_value *v, bool whole, double ulp, magnitudes *m) {
  const struct row *row = row_of(&n->operations[v->producer]);
  arena memory = {NULL, 0};
  bool right = true, quiet;
  double own;
  formula f;
  if (!row || !is_float_type(v->exact.descriptor.data_type) ||
      (row->handing == ONLY_HANDS_ON &&
       (whole || !has_missing_operand(n, &n->operations[v->producer]))))
    return false;
  memset(&f, 0, sizeof f);
  f.of = n;
  f.operation = &n->operations[v->producer];
  f.whole = whole;
  f.memory = &memory;
  m->each = (double *)take(n->memory, v->exact.count * sizeof *m->each);
  quiet = complain_quietly(true);
  if (row->make)
    right = compute(&f, row, v->exact.count, m->each);
  else
    fill_largest(&v->exact, m->each);
  complain_quietly(quiet);
  own = row->ulp ? row->ulp(&f, &v->exact) : 0.0;
  m->ulp = own > ulp ? own : ulp;
  release(&memory);
  return right;
}
