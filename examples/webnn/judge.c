/* The command judge: another implementation's numbers against the exact ones, tensor by tensor,
   and, where its intermediate values are given, operator by operator, each on the inputs that it
   had there. So an error is found where it is made and not where it shows. */
#include "command.h"

#include <math.h>
#include <string.h>

/* ---- One tensor against another -------------------------------------------------------------- */

enum { BUCKETS = 66 }; /* 0, 1, 2-3, 4-7, ... 2^63 and above, and one side is NaN */

typedef struct difference {
  const tensor *theirs, *exact;
  limit limit;
  bool exact_zeros;
  bool sums; /* `magnitudes` are known */
  magnitudes magnitudes;
  webnn_comparison summary;
  double mean_absolute;
  uint64_t failed, cancelled, histogram[BUCKETS];
  size_t worst_cancelled; /* index of the element that is most ULP of its magnitudes off */
  bool same_form;         /* type and shape; otherwise nothing is compared */
  bool right;
  bool accumulated; /* what is outside of the tolerance is the rounding of right operators */
} difference;

static int bucket_of(uint64_t ulp) {
  int bucket = 0;
  if (ulp == UINT64_MAX)
    return BUCKETS - 1;
  for (; ulp > 0; ulp >>= 1)
    bucket++;
  return bucket;
}

/* |theirs - exact|; -1 where one of them is not finite. */
static double absolute_difference(const difference *d, size_t index) {
  const double a = element_value(d->theirs, index), b = element_value(d->exact, index);
  const double distance = a > b ? a - b : b - a;
  return a - a != 0 || b - b != 0 ? -1.0 : distance;
}

static uint64_t ulp_at(const difference *d, size_t index) {
  return webnn_ulp_distance(d->exact->descriptor.data_type, d->theirs->data, d->exact->data, index);
}

/* One unit in the last place of a number of this size. */
static double ulp_of(webnn_data_type type, double size) {
  const int digits = type == WEBNN_FLOAT32 ? 24 : 11, lowest = type == WEBNN_FLOAT32 ? -149 : -24;
  int exponent = type == WEBNN_FLOAT32 ? 128 : 16; /* of the largest numbers, and infinity */
  if (size - size == 0)
    frexp(size, &exponent);
  return ldexp(1.0, size > 0 && exponent - digits > lowest ? exponent - digits : lowest);
}

/* The difference in ULP of the sum of the magnitudes of the element's terms. */
static double cancelled_ulp(const difference *d, size_t index) {
  return absolute_difference(d, index) /
         ulp_of(d->exact->descriptor.data_type, d->magnitudes.each[index]);
}

typedef enum judgement {
  RIGHT,
  CANCELLED, /* right for a sum of terms that are so much larger */
  WRONG
} judgement;

static judgement judge(const difference *d, size_t index) {
  const uint64_t ulp = ulp_at(d, index);
  const double absolute = absolute_difference(d, index);
  if (d->exact_zeros &&
      element_negative_zero(d->theirs, index) != element_negative_zero(d->exact, index))
    return WRONG;
  if (ulp == 0 || (absolute >= 0.0 && d->limit.atol > 0.0 && absolute <= d->limit.atol) ||
      (ulp != UINT64_MAX && (double)ulp <= d->limit.ulp))
    return RIGHT;
  return d->sums && absolute >= 0.0 && cancelled_ulp(d, index) <= d->magnitudes.ulp ? CANCELLED
                                                                                    : WRONG;
}

static void count_judgements(difference *d) {
  double worst = -1.0;
  d->failed = 0;
  for (size_t i = 0; i < d->exact->count; i++) {
    const judgement j = judge(d, i);
    d->failed += j == WRONG;
    d->cancelled += j == CANCELLED;
    if (j == CANCELLED && cancelled_ulp(d, i) > worst) {
      worst = cancelled_ulp(d, i);
      d->worst_cancelled = i;
    }
  }
}

static void measure(difference *d) {
  const webnn_tolerance none = {WEBNN_METRIC_ULP, 0.0};
  const tensor *exact = d->exact;
  uint64_t finite = 0;
  d->summary =
      webnn_compare(exact->descriptor.data_type, d->theirs->data, exact->data, exact->count, none);
  for (size_t i = 0; i < exact->count; i++) {
    const double absolute = absolute_difference(d, i);
    d->histogram[bucket_of(ulp_at(d, i))]++;
    d->mean_absolute += absolute > 0.0 ? absolute : 0.0;
    finite += absolute >= 0.0;
  }
  d->mean_absolute = finite > 0 ? d->mean_absolute / (double)finite : 0.0;
}

/* Their numbers of a value beside the exact ones, those of the whole graph or of its operator
   alone. The magnitudes of sums are only computed where something would be wrong without them, and
   not where the tolerance is stated. */
static difference compare(network *n, const network_value *v, limit tolerance, bool whole) {
  difference d;
  memset(&d, 0, sizeof d);
  d.theirs = &v->theirs;
  d.exact = &v->exact;
  d.limit = tolerance;
  d.exact_zeros = n->exact_zeros;
  d.same_form = same_descriptor(&v->theirs.descriptor, &v->exact.descriptor);
  if (!d.same_form)
    return d;
  measure(&d);
  count_judgements(&d);
  d.sums = d.failed > 0 && !tolerance.stated &&
           network_magnitudes(n, v, whole, tolerance.ulp, &d.magnitudes);
  if (d.sums)
    count_judgements(&d);
  d.right = d.failed == 0;
  return d;
}

/* ---- Reporting one tensor -------------------------------------------------------------------- */

static const char *limit_text(arena *memory, limit l) {
  if (l.atol > 0.0 && l.ulp > 0.0)
    return take_text(memory, "%g ULP or %g absolute", l.ulp, l.atol);
  return l.atol > 0.0 ? take_text(memory, "%g absolute", l.atol)
                      : take_text(memory, "%g ULP", l.ulp);
}

static const char *ulp_text(arena *memory, uint64_t ulp) {
  return ulp == UINT64_MAX ? "NaN" : take_text(memory, "%llu", (unsigned long long)ulp);
}

static void print_histogram(const difference *d) {
  uint64_t most = 1;
  int i;
  for (i = 0; i < BUCKETS; i++)
    most = d->histogram[i] > most ? d->histogram[i] : most;
  say("    %-24s %10s\n", "ULP", "elements");
  for (i = 0; i < BUCKETS; i++) {
    const uint64_t low = i > 1 && i <= 64 ? (uint64_t)1 << (i - 1) : (uint64_t)i;
    const uint64_t high = i > 1 && i < 64 ? low * 2 - 1 : i == 64 ? UINT64_MAX : low;
    char range[64];
    if (d->histogram[i] == 0)
      continue;
    if (i == BUCKETS - 1)
      strcpy(range, "one is NaN");
    else if (low == high)
      snprintf(range, sizeof range, "%llu", (unsigned long long)low);
    else
      snprintf(range, sizeof range, "%llu-%llu", (unsigned long long)low, (unsigned long long)high);
    say("    %-24s %10llu %.*s\n", range, (unsigned long long)d->histogram[i],
        (int)(1 + 39 * d->histogram[i] / most), "########################################");
  }
}

/* Which elements are listed: the wrong ones, else those whose terms cancel, else what differs. */
static bool is_listed(const difference *d, size_t index) {
  return d->failed > 0      ? judge(d, index) == WRONG
         : d->cancelled > 0 ? judge(d, index) == CANCELLED
                            : ulp_at(d, index) != 0;
}

static void print_elements(const network *n, const difference *d) {
  const uint64_t count = d->failed > 0      ? d->failed
                         : d->cancelled > 0 ? d->cancelled
                                            : d->summary.different;
  size_t shown = 0;
  if (count == 0 || n->session->show == 0)
    return;
  say("    %-16s %16s %16s %12s   (%s)\n", "index", "theirs",
      n->session->has_arithmetic ? "model" : "exact", "ULP",
      d->failed > 0      ? "outside of the tolerance"
      : d->cancelled > 0 ? "cancelled"
                         : "different, within the tolerance");
  for (size_t i = 0; i < d->exact->count && shown < n->session->show; i++) {
    char theirs[ELEMENT_ROOM], exact[ELEMENT_ROOM];
    if (!is_listed(d, i))
      continue;
    shown++;
    element_text(d->theirs, i, theirs);
    element_text(d->exact, i, exact);
    say("    %-16s %16s %16s %12s\n", element_place(n->memory, d->exact, i), theirs, exact,
        ulp_text(n->memory, ulp_at(d, i)));
  }
  if (count > shown)
    say("    ... and %llu more\n", (unsigned long long)(count - shown));
}

/* Sums that are near enough for the size of their terms, and not for their own. */
static void print_cancelled(const network *n, const difference *d) {
  const size_t i = d->worst_cancelled;
  if (d->cancelled > 0)
    say("cancelled: %llu element%s, worst %.3g ULP of the sum of its terms' magnitudes (%g are "
        "allowed) at %s, %s ULP of itself\n",
        (unsigned long long)d->cancelled, d->cancelled == 1 ? "" : "s", cancelled_ulp(d, i),
        d->magnitudes.ulp, element_place(n->memory, d->exact, i),
        ulp_text(n->memory, ulp_at(d, i)));
}

static void print_difference(const network *n, const char *name, const difference *d) {
  const webnn_comparison *c = &d->summary;
  if (!d->same_form) {
    say("  %s: WRONG: theirs is %s, the exact one %s\n", name,
        descriptor_text(n->memory, &d->theirs->descriptor),
        descriptor_text(n->memory, &d->exact->descriptor));
    return;
  }
  say("  %s: %s, %lu elements: %s (tolerance %s)\n", name,
      descriptor_text(n->memory, &d->exact->descriptor), (unsigned long)d->exact->count,
      d->right
          ? "right"
          : take_text(n->memory, d->accumulated ? "accumulated rounding in %llu" : "WRONG in %llu",
                      (unsigned long long)d->failed),
      limit_text(n->memory, d->limit));
  if (c->different == 0 && d->right) {
    say("    all are %s\n", n->session->has_arithmetic ? "the model's" : "exact");
    return;
  }
  say("    largest distance %s ULP at %s, mean %g ULP; largest %g absolute, mean %g\n",
      ulp_text(n->memory, c->max_ulp), element_place(n->memory, d->exact, c->max_ulp_index),
      c->mean_ulp, c->max_absolute, d->mean_absolute);
  if (d->cancelled > 0)
    say("    ");
  print_cancelled(n, d);
  print_histogram(d);
  print_elements(n, d);
}

/* ---- The same as JSON ------------------------------------------------------------------------ */

static void put_ulp(arena *memory, json_list *l, const char *name, uint64_t ulp) {
  if (ulp == UINT64_MAX)
    json_put_text(memory, l, name, "NaN");
  else
    json_put_count(memory, l, name, ulp);
}

/* The index is a list as it stands in the text. */
static void put_place(arena *memory, json_list *l, const char *name, const tensor *t, size_t i) {
  json_put(l, name, json_text(memory, NULL, JSON_NUMBER, element_place(memory, t, i)));
}

static void put_tolerance(arena *memory, json_list *l, limit tolerance) {
  json_list list = json_start(memory, NULL, JSON_OBJECT);
  if (tolerance.ulp > 0.0 || tolerance.atol <= 0.0)
    json_put_number(memory, &list, "ulp", tolerance.ulp);
  if (tolerance.atol > 0.0)
    json_put_number(memory, &list, "absolute", tolerance.atol);
  json_put(l, "tolerance", list.list);
}

static void put_distances(const network *n, json_list *l, const difference *d) {
  const webnn_comparison *c = &d->summary;
  arena *memory = n->memory;
  json_list ulp = json_start(memory, NULL, JSON_OBJECT);
  json_list absolute = json_start(memory, NULL, JSON_OBJECT);
  put_ulp(memory, &ulp, "largest", c->max_ulp);
  if (c->different > 0)
    put_place(memory, &ulp, "at", d->exact, c->max_ulp_index);
  json_put_number(memory, &ulp, "mean", c->mean_ulp);
  json_put_number(memory, &absolute, "largest", c->max_absolute);
  json_put_number(memory, &absolute, "mean", d->mean_absolute);
  json_put(l, "ulp", ulp.list);
  json_put(l, "absolute", absolute.list);
}

/* As print_elements lists them. */
static void put_elements(const network *n, json_list *l, const difference *d) {
  arena *memory = n->memory;
  json_list list = json_start(memory, NULL, JSON_ARRAY);
  for (size_t i = 0; i < d->exact->count && list.list->length < n->session->show; i++) {
    json_list item = json_start(memory, NULL, JSON_OBJECT);
    char theirs[ELEMENT_ROOM], exact[ELEMENT_ROOM];
    if (!is_listed(d, i))
      continue;
    element_text(d->theirs, i, theirs);
    element_text(d->exact, i, exact);
    put_place(memory, &item, "index", d->exact, i);
    json_put_text(memory, &item, "theirs", take_text(memory, "%s", theirs));
    json_put_text(memory, &item, "exact", take_text(memory, "%s", exact));
    put_ulp(memory, &item, "ulp", ulp_at(d, i));
    json_put(&list, NULL, item.list);
  }
  json_put(l, "elements", list.list);
}

static void put_form(arena *memory, json_list *l, const char *name, const tensor *t) {
  json_list form = json_start(memory, NULL, JSON_OBJECT);
  json_put_text(memory, &form, "dataType", webnn_data_type_name(t->descriptor.data_type));
  json_put_sizes(memory, &form, "shape", &t->descriptor.shape);
  json_put(l, name, form.list);
}

static void put_difference(const network *n, json_list *list, const char *name,
                           const difference *d) {
  arena *memory = n->memory;
  json_list item = json_start(memory, NULL, JSON_OBJECT);
  if (!n->session->json)
    return;
  json_put_text(memory, &item, "name", name);
  json_put_text(memory, &item, "verdict",
                d->right         ? "right"
                : d->accumulated ? "accumulated"
                                 : "wrong");
  put_form(memory, &item, "exact", d->exact);
  put_form(memory, &item, "theirs", d->theirs);
  if (d->same_form) {
    put_tolerance(memory, &item, d->limit);
    json_put_count(memory, &item, "count", d->exact->count);
    json_put_count(memory, &item, "different", d->summary.different);
    json_put_count(memory, &item, "wrong", d->failed);
    json_put_count(memory, &item, "cancelled", d->cancelled);
    put_distances(n, &item, d);
    put_elements(n, &item, d);
  }
  json_put(list, NULL, item.list);
}

/* ---- Tolerances ------------------------------------------------------------------------------ */

/* The tensor's own "tolerance" if it has one. False after a complaint. */
static bool read_tolerance(const json *tolerance, limit *l) {
  const char *metric = json_string(json_get(tolerance, "metric"));
  double number;
  if (!tolerance)
    return true;
  if (!metric || (strcmp(metric, "ULP") != 0 && strcmp(metric, "ATOL") != 0) ||
      !json_double(json_get(tolerance, "value"), &number) || !(number >= 0.0))
    return must_be(tolerance, "{\"metric\": \"ULP\" or \"ATOL\", \"value\": a number from 0 on}");
  l->ulp = *metric == 'U' ? number : 0.0;
  l->atol = *metric == 'A' ? number : 0.0;
  l->stated = true;
  return true;
}

/* What the command line says, else the tensor, else the operators. */
static bool choose_limit(const session *s, const network_value *v, limit *l) {
  if (!s->has_ulp && !s->has_atol)
    return read_tolerance(v->tolerance, l);
  l->ulp = s->has_ulp ? s->ulp : 0.0;
  l->atol = s->has_atol ? s->atol : 0.0;
  l->stated = true;
  return true;
}

/* ---- Operators, each on their own inputs ----------------------------------------------------- */

typedef struct verdict {
  size_t compared, wrong, accumulated; /* tensors */
  size_t operators_compared, operators_wrong;
  size_t first_wrong; /* an operator; NOBODY: none */
  bool bad;           /* something could not be computed */
  json_list operators, outputs;
} verdict;

static void put_suspects(const network *n, size_t index, json_list *l) {
  bool *suspect = (bool *)take(n->memory, n->operation_count);
  json_list list = json_start(n->memory, NULL, JSON_ARRAY);
  network_mark_behind(n, index, true, suspect);
  for (size_t i = 0; i < n->operation_count; i++)
    if (suspect[i])
      json_put_text(n->memory, &list, NULL, n->values[n->operations[i].first_output].name);
  json_put(l, "suspects", list.list);
}

/* An operator whose results, a list of JSON, were judged. */
static void put_operator(const network *n, size_t index, bool wrong, json *results, verdict *sum) {
  const operation *o = &n->operations[index];
  arena *memory = n->memory;
  json_list item = json_start(memory, NULL, JSON_OBJECT);
  if (!n->session->json)
    return;
  json_put_text(memory, &item, "operator", o->name);
  json_put_text(memory, &item, "name", n->values[o->first_output].name);
  json_put_count(memory, &item, "index", index);
  json_put_text(memory, &item, "place",
                take_text(memory, "%s:%lu:%lu", o->node->file, (unsigned long)o->node->line,
                          (unsigned long)o->node->column));
  json_put_text(memory, &item, "verdict", wrong ? "wrong" : "right");
  if (wrong)
    put_suspects(n, index, &item);
  json_put(&item, "results", results);
  json_put(&sum->operators, NULL, item.list);
}

/* Operators that may be to blame besides: those without a given result on the way to this one. */
static void print_suspects(const network *n, size_t index) {
  bool *suspect = (bool *)take(n->memory, n->operation_count);
  const char *separator = "  or, their results not being given, ";
  network_mark_behind(n, index, true, suspect);
  for (size_t i = 0; i < n->operation_count; i++) {
    if (suspect[i]) {
      say("%s%s \"%s\"", separator, n->operations[i].name,
          n->values[n->operations[i].first_output].name);
      separator = ", ";
    }
  }
  if (*separator == ',')
    say("\n");
}

static void print_operator(const network *n, size_t index, const char *title) {
  const operation *o = &n->operations[index];
  say("%s: %s \"%s\" (operator %lu, %s:%lu:%lu)\n", title, o->name, n->values[o->first_output].name,
      (unsigned long)index, o->node->file, (unsigned long)o->node->line,
      (unsigned long)o->node->column);
  print_suspects(n, index);
}

/* Where print_difference does not say so. */
static void print_cancelled_operator(const network *n, const network_value *v,
                                     const difference *d) {
  if (!d->right || d->cancelled == 0 || n->session->verbose)
    return;
  say("%s \"%s\": ", n->operations[v->producer].name, v->name);
  print_cancelled(n, d);
}

/* The results of one operator have been computed from their inputs. */
static bool judge_operator(network *n, size_t index, verdict *sum) {
  const operation *o = &n->operations[index];
  json_list results = json_start(n->memory, NULL, JSON_ARRAY);
  bool compared = false, wrong = false;
  for (size_t i = 0; i < o->output_count; i++) {
    network_value *v = &n->values[o->first_output + i];
    limit l = network_limit(n, v, true);
    difference d;
    v->known = v->theirs.data ? v->theirs : v->exact;
    if (!v->theirs.data)
      continue;
    if (!v->is_output || n->operation_count == 1 || n->session->has_ulp || n->session->has_atol)
      if (!choose_limit(n->session, v, &l))
        return false;
    d = compare(n, v, l, false);
    print_cancelled_operator(n, v, &d);
    put_difference(n, &results, v->name, &d);
    compared = true;
    if (!d.right || n->session->verbose) {
      if (!wrong)
        print_operator(n, index,
                       d.right                      ? "  operator"
                       : sum->first_wrong == NOBODY ? "FIRST WRONG OPERATOR"
                                                    : "wrong operator");
      print_difference(n, v->name, &d);
    }
    wrong = wrong || !d.right;
    if (!d.same_form) /* those after it could not be built from this */
      v->known = v->exact;
  }
  if (compared)
    put_operator(n, index, wrong, results.list, sum);
  sum->operators_compared += compared;
  sum->operators_wrong += wrong;
  if (wrong && sum->first_wrong == NOBODY)
    sum->first_wrong = index;
  return true;
}

static bool check_operator(network *n, size_t index, verdict *sum) {
  const operation *o = &n->operations[index];
  tensor *whole = (tensor *)take(n->memory, o->output_count * sizeof *whole);
  bool right;
  for (size_t i = 0; i < o->output_count; i++) /* those of the whole graph stay for later */
    whole[i] = n->values[o->first_output + i].exact;
  right = network_compute_operator(n, index) && judge_operator(n, index, sum);
  for (size_t i = 0; i < o->output_count; i++)
    n->values[o->first_output + i].exact = whole[i];
  return right;
}

static bool intermediates_given(const network *n) {
  for (size_t i = 0; i < n->value_count; i++)
    if (!n->values[i].is_output && n->values[i].theirs.data)
      return true;
  return false;
}

static void check_operators(network *n, verdict *sum) {
  for (size_t i = 0; i < n->operation_count && !sum->bad; i++) {
    progress_of("operator", i + 1, n->operation_count);
    sum->bad = !check_operator(n, i, sum);
  }
  progress_of("operator", 0, 0);
  if (!sum->bad)
    say("each operator on their inputs: %lu of %lu compared, %lu wrong\n",
        (unsigned long)sum->operators_compared, (unsigned long)n->operation_count,
        (unsigned long)sum->operators_wrong);
}

/* ---- The whole graph ------------------------------------------------------------------------- */

/* Where each operator is right on their own inputs, an output of the right form has nothing wrong
   but their rounding, however much of it comes together, unless its tolerance is stated. */
static bool check_output(network *n, const network_value *v, bool operators, bool quiet,
                         verdict *sum) {
  limit tolerance = network_limit(n, v, false);
  difference d;
  if (!choose_limit(n->session, v, &tolerance))
    return false;
  d = compare(n, v, tolerance, true);
  d.accumulated =
      !d.right && operators && sum->operators_wrong == 0 && d.same_form && !tolerance.stated;
  sum->compared++;
  sum->accumulated += d.accumulated;
  sum->wrong += !d.right && !d.accumulated;
  put_difference(n, &sum->outputs, v->name, &d);
  if (!d.right || !quiet)
    print_difference(n, v->name, &d);
  return true;
}

static void explain_outcome(const network *n, const verdict *sum, bool operators) {
  if ((sum->wrong > 0 || sum->accumulated > 0) && operators && sum->operators_wrong == 0)
    say("each operator is right on its own inputs: the difference is their rounding, "
        "accumulated\n");
  else if (sum->wrong > 0 && !operators && n->operation_count > 1)
    say("with \"intermediates\" the operator where this begins could be named\n");
}

/* False if something is missing or malformed. With `quiet` only what is wrong is shown. */
static bool check_case(network *n, bool many, verdict *sum) {
  const bool quiet = many && !n->session->verbose;
  const bool operators = intermediates_given(n);
  if (operators)
    check_operators(n, sum);
  if (operators && n->session->judged) /* as it computes without being watched */
    sum->bad = sum->bad || !network_compute_theirs(n, false);
  sum->bad = sum->bad || !check_outputs_given(n);
  if (operators && !sum->bad)
    say("the whole graph, from its inputs:\n");
  for (size_t i = 0; i < n->output_count && !sum->bad; i++)
    sum->bad = !check_output(n, &n->values[n->outputs[i]], operators, quiet, sum);
  if (!sum->bad)
    explain_outcome(n, sum, operators);
  return !sum->bad;
}

static const char *status_text(int status) {
  return status == EXIT_RIGHT ? "right" : status == EXIT_DIFFERS ? "wrong" : "refused";
}

/* The report of a case, of which a refused one has only its name. */
static void write_report(arena *memory, const json *node, const network *n, const verdict *sum,
                         int status) {
  json_list report = json_start(memory, NULL, JSON_OBJECT);
  json_put_text(memory, &report, "name", case_name(node));
  json_put_text(memory, &report, "verdict", status_text(status));
  if (status != EXIT_BAD_INPUT) {
    json_put(&report, "firstWrong",
             sum->first_wrong == NOBODY
                 ? json_new(memory, NULL, JSON_NULL)
                 : json_text(memory, NULL, JSON_STRING,
                             n->values[n->operations[sum->first_wrong].first_output].name));
    json_put(&report, "operators", sum->operators.list);
    json_put(&report, "outputs", sum->outputs.list);
  }
  json_write(stdout, report.list);
}

/* Returns the case's exit status. */
static int check_one(const session *s, const json *node, check_sources *given, bool many) {
  verdict sum;
  arena memory = {NULL, 0};
  network n;
  memset(&sum, 0, sizeof sum);
  sum.first_wrong = NOBODY;
  sum.operators = json_start(&memory, NULL, JSON_ARRAY);
  sum.outputs = json_start(&memory, NULL, JSON_ARRAY);
  const bool done = check_read(s, &memory, node, given, many, &n) && check_case(&n, many, &sum);
  const int status = !done                                 ? EXIT_BAD_INPUT
                     : sum.wrong + sum.operators_wrong > 0 ? EXIT_DIFFERS
                                                           : EXIT_RIGHT;
  if (s->json)
    write_report(&memory, node, &n, &sum, status);
  if (many && (status != EXIT_RIGHT || s->verbose))
    say("%s: %s\n\n",
        status == EXIT_RIGHT     ? "right"
        : status == EXIT_DIFFERS ? "WRONG"
                                 : "REFUSED",
        case_name(node));
  release(&memory);
  return status;
}

static void write_head(arena *memory, const session *s) {
  fputs("{\"format\":\"webnn-judge/1\",", stdout);
  if (s->has_arithmetic)
    printf("\"arithmetic\":\"%s\",", arithmetic_text(memory, &s->arithmetic));
  fputs("\n\"cases\":[", stdout);
}

static int check_cases(const session *s, const case_list *list, check_sources *given) {
  size_t count[3] = {0, 0, 0};
  arena memory = {NULL, 0};
  say_quietly(s->json);
  if (s->json)
    write_head(&memory, s);
  if (s->has_arithmetic)
    say("arithmetic: %s\n", arithmetic_text(&memory, &s->arithmetic));
  release(&memory);
  for (size_t i = 0; i < list->count; i++) {
    progress(i + 1, list->count);
    if (s->json)
      fputs(i ? ",\n" : "\n", stdout);
    count[check_one(s, list->cases[i], given, list->count > 1)]++;
  }
  progress(0, 0);
  say("%lu case%s: %lu right, %lu wrong, %lu refused\n", (unsigned long)list->count,
      list->count == 1 ? "" : "s", (unsigned long)count[EXIT_RIGHT],
      (unsigned long)count[EXIT_DIFFERS], (unsigned long)count[EXIT_BAD_INPUT]);
  say_quietly(false);
  if (s->json)
    printf("],\n\"right\":%lu,\"wrong\":%lu,\"refused\":%lu}\n", (unsigned long)count[EXIT_RIGHT],
           (unsigned long)count[EXIT_DIFFERS], (unsigned long)count[EXIT_BAD_INPUT]);
  return count[EXIT_BAD_INPUT] ? EXIT_BAD_INPUT : count[EXIT_DIFFERS] ? EXIT_DIFFERS : EXIT_RIGHT;
}

int judge_command(const session *s) {
  arena memory = {NULL, 0};
  case_list list;
  check_sources given;
  int status = EXIT_BAD_INPUT;
  if (source_open(&memory, s->inputs, &given.inputs) &&
      source_open(&memory, s->actual, &given.actual) && cases_read(s, &memory, s->graph, &list)) {
    status = s->try_arithmetic ? check_try(s, &list, &given) : check_cases(s, &list, &given);
    if (list.count > 1 && !source_close(&memory, &given.inputs))
      status = EXIT_BAD_INPUT;
    if (!source_close(&memory, &given.actual))
      status = EXIT_BAD_INPUT;
  }
  release(&memory);
  return status;
}
