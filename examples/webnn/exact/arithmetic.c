/* --arithmetic: models of other arithmetic as text, and `judge --arithmetic try`, which holds a
   list of them against another implementation's numbers to see which one explains them. */
#include "exact.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- As text --------------------------------------------------------------------------------- */

enum { ACCUMULATE, ORDER, INTERMEDIATES, SUBNORMALS, KEYS, MOST_VALUES = 3 };

/* The place of a value in its list is its number in webnn.h. */
static const struct {
  const char *name, *values[MOST_VALUES], *takes;
} keys[KEYS] = {
    {"accumulate", {"exact", "float32", "float16"}, "exact, float32 or float16"},
    {"order", {"sequential", "pairwise", NULL}, "sequential, pairwise or blocks:N, N from 1"},
    {"intermediates", {"exact", "float16", "bfloat16"}, "exact, float16 or bfloat16"},
    {"subnormals", {"keep", "flush", NULL}, "keep or flush"}};

/* A part of a text. */
typedef struct part {
  const char *text;
  size_t length;
} part;

static bool is_word(part p, const char *word) {
  return p.length == strlen(word) && memcmp(p.text, word, p.length) == 0;
}

/* The text before the separator; what is after it becomes the rest, NULL if it is not there. */
static part cut_off(const char **rest, const char *end, char separator) {
  const char *found = (const char *)memchr(*rest, separator, (size_t)(end - *rest));
  const part p = {*rest, (size_t)((found ? found : end) - *rest)};
  *rest = found ? found + 1 : NULL;
  return p;
}

/* "blocks:8"; 0 if it is anything else. */
static uint32_t block_size_of(part value) {
  static const char prefix[] = "blocks:";
  const size_t length = sizeof prefix - 1;
  unsigned long long size;
  char *end;
  if (value.length <= length || memcmp(value.text, prefix, length) != 0 ||
      value.text[length] < '0' || value.text[length] > '9')
    return 0;
  errno = 0;
  size = strtoull(value.text + length, &end, 10);
  return end == value.text + value.length && errno == 0 && size <= UINT32_MAX ? (uint32_t)size : 0;
}

static bool set_value(int key, part value, webnn_arithmetic *a) {
  int number = 0;
  a->block_size = key == ORDER ? block_size_of(value) : a->block_size;
  if (key == ORDER && a->block_size > 0) {
    a->order = WEBNN_ORDER_BLOCKS;
    return true;
  }
  while (number < MOST_VALUES && keys[key].values[number] &&
         !is_word(value, keys[key].values[number]))
    number++;
  if (number == MOST_VALUES || !keys[key].values[number])
    return complain(NULL, "--arithmetic: %s takes %s, not \"%.*s\"", keys[key].name,
                    keys[key].takes, (int)value.length, value.text);
  if (key == ACCUMULATE)
    a->accumulate = (webnn_accumulation)number;
  else if (key == ORDER)
    a->order = (webnn_summation_order)number;
  else if (key == INTERMEDIATES)
    a->round_intermediates = (webnn_intermediates)number;
  else
    a->flush_subnormals = number == 1;
  return true;
}

static int find_key(part name) {
  int key = 0;
  while (key < KEYS && !is_word(name, keys[key].name))
    key++;
  return key;
}

bool arithmetic_read(const char *text, webnn_arithmetic *a) {
  const char *end = text + strlen(text), *rest = text;
  bool given[KEYS] = {false};
  memset(a, 0, sizeof *a);
  while (rest) {
    const part setting = cut_off(&rest, end, ',');
    const char *value = setting.text, *setting_end = setting.text + setting.length;
    const part name = cut_off(&value, setting_end, '=');
    const int key = find_key(name);
    if (key == KEYS)
      return complain(NULL,
                      "--arithmetic: \"%.*s\" must be one of accumulate, order, intermediates, "
                      "subnormals",
                      (int)name.length, name.text);
    if (!value)
      return complain(NULL, "--arithmetic: %s must have a value: it takes %s", keys[key].name,
                      keys[key].takes);
    if (given[key])
      return complain(NULL, "--arithmetic: %s is given twice", keys[key].name);
    given[key] = true;
    if (!set_value(key, (part){value, (size_t)(setting_end - value)}, a))
      return false;
  }
  return true;
}

/* ",order=pairwise" of a rounded sum; nothing where the terms are added one after the other. */
static const char *order_text(arena *memory, const webnn_arithmetic *a) {
  if (a->accumulate == WEBNN_ACCUMULATE_EXACT || a->order == WEBNN_ORDER_SEQUENTIAL)
    return "";
  return a->order == WEBNN_ORDER_PAIRWISE
             ? ",order=pairwise"
             : take_text(memory, ",order=blocks:%lu", (unsigned long)a->block_size);
}

bool arithmetic_is_exact(const webnn_arithmetic *a) {
  return a->accumulate == WEBNN_ACCUMULATE_EXACT &&
         a->round_intermediates == WEBNN_INTERMEDIATES_EXACT && !a->flush_subnormals;
}

const char *arithmetic_text(arena *memory, const webnn_arithmetic *a) {
  const bool sum = a->accumulate != WEBNN_ACCUMULATE_EXACT || arithmetic_is_exact(a);
  const bool middle = a->round_intermediates != WEBNN_INTERMEDIATES_EXACT;
  const char *text = take_text(memory, "%s%s%s%s%s%s", sum ? ",accumulate=" : "",
                               sum ? keys[ACCUMULATE].values[a->accumulate] : "",
                               order_text(memory, a), middle ? ",intermediates=" : "",
                               middle ? keys[INTERMEDIATES].values[a->round_intermediates] : "",
                               a->flush_subnormals ? ",subnormals=flush" : "");
  return text + 1; /* without the first comma */
}

/* ---- One model against their numbers --------------------------------------------------------- */

/* What `try` tries, each with subnormals kept and flushed; what is simpler stands before. */
static const webnn_arithmetic models[] = {
    {WEBNN_ACCUMULATE_EXACT, WEBNN_ORDER_SEQUENTIAL, 0, WEBNN_INTERMEDIATES_EXACT, false},
    {WEBNN_ACCUMULATE_FLOAT32, WEBNN_ORDER_SEQUENTIAL, 0, WEBNN_INTERMEDIATES_EXACT, false},
    {WEBNN_ACCUMULATE_FLOAT32, WEBNN_ORDER_PAIRWISE, 0, WEBNN_INTERMEDIATES_EXACT, false},
    {WEBNN_ACCUMULATE_FLOAT32, WEBNN_ORDER_BLOCKS, 4, WEBNN_INTERMEDIATES_EXACT, false},
    {WEBNN_ACCUMULATE_FLOAT32, WEBNN_ORDER_BLOCKS, 8, WEBNN_INTERMEDIATES_EXACT, false},
    {WEBNN_ACCUMULATE_FLOAT32, WEBNN_ORDER_BLOCKS, 16, WEBNN_INTERMEDIATES_EXACT, false},
    {WEBNN_ACCUMULATE_FLOAT32, WEBNN_ORDER_BLOCKS, 32, WEBNN_INTERMEDIATES_EXACT, false},
    {WEBNN_ACCUMULATE_FLOAT16, WEBNN_ORDER_SEQUENTIAL, 0, WEBNN_INTERMEDIATES_EXACT, false},
    {WEBNN_ACCUMULATE_FLOAT16, WEBNN_ORDER_PAIRWISE, 0, WEBNN_INTERMEDIATES_EXACT, false},
    {WEBNN_ACCUMULATE_EXACT, WEBNN_ORDER_SEQUENTIAL, 0, WEBNN_INTERMEDIATES_FLOAT16, false},
    {WEBNN_ACCUMULATE_EXACT, WEBNN_ORDER_SEQUENTIAL, 0, WEBNN_INTERMEDIATES_BFLOAT16, false}};

enum { TRIALS = 2 * sizeof models / sizeof *models };

/* How far their numbers are from those of one model. */
typedef struct trial {
  size_t index; /* in the order in which the models are tried */
  webnn_arithmetic arithmetic;
  uint64_t elements, different, largest; /* UINT64_MAX: one of the two is NaN */
  uint64_t numbers;                      /* elements that have a distance */
  double sum;                            /* of their distances */
} trial;

static void start_trials(trial *trials) {
  memset(trials, 0, TRIALS * sizeof *trials);
  for (size_t i = 0; i < TRIALS; i++) {
    trials[i].index = i;
    trials[i].arithmetic = models[i / 2];
    trials[i].arithmetic.flush_subnormals = i % 2 == 1;
  }
}

static void add_tensor(trial *t, const tensor *theirs, const tensor *model) {
  for (size_t i = 0; i < model->count; i++) {
    const uint64_t ulp =
        webnn_ulp_distance(model->descriptor.data_type, theirs->data, model->data, i);
    t->elements++;
    t->different += ulp > 0;
    t->largest = ulp > t->largest ? ulp : t->largest;
    t->numbers += ulp != UINT64_MAX;
    t->sum += ulp != UINT64_MAX ? (double)ulp : 0.0;
  }
}

/* As `check` does it, each operator computes on their values, as far as these are given. */
static bool try_operator(network *n, size_t index, trial *t) {
  const operation *o = &n->operations[index];
  if (!network_compute_operator(n, index))
    return false;
  for (size_t i = 0; i < o->output_count; i++) {
    network_value *v = &n->values[o->first_output + i];
    v->known = v->theirs.data ? v->theirs : v->exact;
    if (v->theirs.data)
      add_tensor(t, &v->theirs, &v->exact);
  }
  return true;
}

static bool try_model(network *n, trial *t) {
  const session *whole = n->session;
  arena *const kept = n->memory;
  arena memory = {NULL, 0}; /* many models in one arena would fill it with what is used once */
  session s = *whole;
  bool right = true;
  s.arithmetic = t->arithmetic;
  if (!open_context(&s))
    return false;
  n->session = &s;
  n->memory = &memory;
  for (size_t i = 0; i < n->operation_count && right; i++)
    right = try_operator(n, i, t);
  n->session = whole;
  n->memory = kept;
  release(&memory);
  webnn_free_context(s.context);
  return right;
}

/* ---- All models ------------------------------------------------------------------------------ */

/* Everything must be of the right form. */
static bool can_compare(const network *n) {
  for (size_t i = 0; i < n->value_count; i++) {
    const network_value *v = &n->values[i];
    const json *at = v->theirs_node ? v->theirs_node : v->node;
    if (v->theirs.data && !same_descriptor(&v->theirs.descriptor, &v->exact.descriptor))
      return complain(at, "\"%s\" must be %s; it is %s", v->name,
                      descriptor_text(n->memory, &v->exact.descriptor),
                      descriptor_text(n->memory, &v->theirs.descriptor));
  }
  return true;
}

/* Adds one case to the trials. A case that fails adds nothing to any of them. */
static bool try_case(const session *s, arena *memory, const json *node, check_sources *given,
                     bool many, trial *trials) {
  trial sums[TRIALS];
  network n;
  memcpy(sums, trials, sizeof sums);
  if (!check_read(s, memory, node, given, many, &n) || !check_outputs_given(&n) || !can_compare(&n))
    return false;
  for (size_t i = 0; i < TRIALS; i++)
    if (!try_model(&n, &sums[i]))
      return false;
  memcpy(trials, sums, sizeof sums);
  return true;
}

static double mean_of(const trial *t) {
  return t->numbers > 0 ? t->sum / (double)t->numbers : 0.0;
}

/* The fewest elements that differ, then the smallest mean, then the smallest largest distance. */
static int distance_order(const trial *a, const trial *b) {
  const double mean_a = mean_of(a), mean_b = mean_of(b);
  if (a->different != b->different)
    return a->different < b->different ? -1 : 1;
  if (mean_a < mean_b || mean_a > mean_b)
    return mean_a < mean_b ? -1 : 1;
  return (a->largest > b->largest) - (a->largest < b->largest);
}

/* For qsort, which is not stable. */
static int trial_order(const void *first, const void *second) {
  const trial *a = (const trial *)first, *b = (const trial *)second;
  const int order = distance_order(a, b);
  return order != 0 ? order : a->index < b->index ? -1 : 1;
}

static void print_trials(arena *memory, const trial *trials) {
  say("%-52s %12s %20s %12s\n", "arithmetic", "different", "largest ULP", "mean ULP");
  for (size_t i = 0; i < TRIALS; i++) {
    const trial *t = &trials[i];
    say("%-52s %12llu %20s %12g\n", arithmetic_text(memory, &t->arithmetic),
        (unsigned long long)t->different,
        t->largest == UINT64_MAX ? "NaN"
                                 : take_text(memory, "%llu", (unsigned long long)t->largest),
        mean_of(t));
  }
}

/* The same as JSON, the best first. */
static void write_trials(arena *memory, const trial *trials, size_t count, size_t bad) {
  json_list tree = json_start(memory, NULL, JSON_OBJECT);
  json_list list = json_start(memory, NULL, JSON_ARRAY);
  json_put_text(memory, &tree, "format", "webnn-judge/1");
  for (size_t i = 0; i < TRIALS && bad < count; i++) {
    json_list item = json_start(memory, NULL, JSON_OBJECT);
    json_put_text(memory, &item, "arithmetic", arithmetic_text(memory, &trials[i].arithmetic));
    json_put_count(memory, &item, "different", trials[i].different);
    if (trials[i].largest == UINT64_MAX)
      json_put_text(memory, &item, "largestUlp", "NaN");
    else
      json_put_count(memory, &item, "largestUlp", trials[i].largest);
    json_put_number(memory, &item, "meanUlp", mean_of(&trials[i]));
    json_put(&list, NULL, item.list);
  }
  json_put(&tree, "trials", list.list);
  json_put_count(memory, &tree, "elements", trials[0].elements);
  json_put_count(memory, &tree, "cases", count);
  json_put_count(memory, &tree, "refused", bad);
  json_write(stdout, tree.list);
  fputc('\n', stdout);
}

static void print_outcome(arena *memory, const trial *trials) {
  const char *best = arithmetic_text(memory, &trials[0].arithmetic);
  size_t equal = 0;
  while (equal + 1 < TRIALS && distance_order(&trials[0], &trials[equal + 1]) == 0)
    equal++;
  if (trials[0].different == 0)
    say("all %llu elements are those of %s", (unsigned long long)trials[0].elements, best);
  else
    say("no model gives all %llu elements; the nearest is %s",
        (unsigned long long)trials[0].elements, best);
  if (equal > 0)
    say(trials[0].different == 0 ? ", and of %lu more" : ", and %lu more are as near",
        (unsigned long)equal);
  say("\n");
}

int check_try(const session *s, const case_list *list, check_sources *given) {
  arena texts = {NULL, 0};
  trial trials[TRIALS];
  size_t bad = 0;
  start_trials(trials);
  for (size_t i = 0; i < list->count; i++) {
    arena memory = {NULL, 0};
    progress(i + 1, list->count);
    bad += !try_case(s, &memory, list->cases[i], given, list->count > 1, trials);
    release(&memory);
  }
  progress(0, 0);
  if (bad < list->count)
    qsort(trials, TRIALS, sizeof *trials, trial_order);
  if (s->json) {
    write_trials(&texts, trials, list->count, bad);
  } else if (bad < list->count) {
    print_trials(&texts, trials);
    print_outcome(&texts, trials);
  }
  release(&texts);
  if (bad > 0 && !s->json)
    say("%lu of %lu cases refused\n", (unsigned long)bad, (unsigned long)list->count);
  return bad > 0 ? EXIT_BAD_INPUT : trials[0].different > 0 ? EXIT_DIFFERS : EXIT_RIGHT;
}
