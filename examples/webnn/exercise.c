/* The command exercise: the loops in C of an entry of docs/operators.md with one line left out, which
   the reader writes. The loops are those of the page, and run in the interpreter of exact/loops.c on
   the numbers of the entry's examples; every result must have the bits of the reference context.
   After them come the same examples with other numbers, where the page's own line has these bits. */
#include "command.h"
#include "exact/loops.h"
#include "exact/trace.h"

#include <string.h>

/* ---- The puzzles ----------------------------------------------------------------------------- */

/* `line` is in one line of the operator's loops, which is the one that is left out. */
typedef struct puzzle {
  const char *name, *line, *question;
} puzzle;

static const puzzle puzzles[] = {
    {"argMax", "if (input[r][c] > input[r][best])",
     "When does c take the place of best? Of equal elements the first one wins."},
    {"batchNormalization", "scale[c] * (input[n][c][h][w] - mean[c])",
     "What is stored? All numbers but the element itself belong to its channel."},
    {"concat", "output[r][c] = c < A",
     "The first A columns come from a. Where do the others come from?"},
    {"conv2d", "int row = p * stride_h",
     "Declare row and column: on which element of input does the tap (a, b) lie?"},
    {"convTranspose2d", "output[o][row][column] +=",
     "An element of input stamps the filter. What does the stamp leave at row, column?"},
    {"cumulativeSum", "output[r][c] = exclusive",
     "sum has all elements before this one. What is stored, with exclusive and without?"},
    {"sub", "output[r][c] = a[r][0]",
     "a is a column and b a row. Which elements of them meet at r, c?"},
    {"dequantizeLinear", "int p = r / (R / P)",
     "Declare p and q: which element of scale serves the element r, c?"},
    {"expand", "output[r][c] = input[r][0]", "Which element of the only column is it?"},
    {"gather", "int c = indices[k]",
     "Declare c, the index within its limits: -C is the least and C - 1 the greatest."},
    {"gatherElements", "output[r][k] = input[r]",
     "c may count from the end. Which element of the row is taken?"},
    {"gatherND", "output[p][q][s] = input[a",
     "a and b may count from the end. Which element of input is it?"},
    {"gelu", "output[n] = (float)(0.5",
     "x times the part of a normal distribution that is less than x. With erf, which is 1 for "
     "large "
     "numbers and -1 for small ones."},
    {"gemm", "output[m][n] = alpha",
     "sum is the product's element. What do alpha, beta and c add?"},
    {"gru", "next[k] = z * h[k]",
     "How much of the old state stays, and how much of the candidate is taken? The reset gate r "
     "acts "
     "on what the state gives."},
    {"gruCell", "float n = tanhf(",
     "Declare n, the candidate: x[2] comes from the input, h[2] from the state, and r resets."},
    {"instanceNormalization", "output[c][p][q] = scale[c]",
     "What becomes of an element, once the mean and the variance of its channel are known?"},
    {"layerNormalization", "variance += (input[n][c] - mean)",
     "Add up the squares of the distances from the mean of one row."},
    {"lstm", "c[k] = f * c[k]",
     "What does the cell keep, and what does it add? f forgets, i lets in, pre[3] is g before its "
     "function."},
    {"lstmCell", "output0[k] = o * tanhf",
     "The output gate o lets the new cell state out. What is the new hidden state?"},
    {"matmul", "sum += a[s][m][k]", "Add up the products of row m of a and column n of b."},
    {"pad", "output[m] = input[k < 0",
     "k is outside of input on either side. A reflection does not repeat the end: where does it "
     "lead?"},
    {"averagePool2d", "output[c][p][q] = count",
     "The mean of what is there; and if a window has no element at all?"},
    {"maxPool2d", "if (row >= 0 && row < H",
     "When does an element become the largest? Taps on the padding do not count."},
    {"prelu", "output[c][p] = input[c][p] > 0",
     "Positive elements stay. What is multiplied by the slope of the channel?"},
    {"reduceSum", "for (int b = 0; b < B; b++)",
     "Which coordinate disappears? Write the loop that adds its elements up."},
    {"resample2d", "(int)ceilf(u - 0.5f)",
     "u and v lie between elements. Which one is the nearest, and of two the lower?"},
    {"resample2d", "output[c][p][q] = (1 - (u - k))",
     "u lies between k and the row below. How much does each of upper and lower count?"},
    {"reverse", "output[m][n] = input[m][N - 1 - n]",
     "Which element of the row comes to column n?"},
    {"scatterElements", "output[m][n] = updates",
     "m is the row that the index names. Which update goes where?"},
    {"scatterND", "int row = indices[k][0] < 0",
     "Declare row: a negative index counts from the end. (The limits come later.)"},
    {"slice", "output[p][q] = input[starts[0]", "Begin at starts, go on by strides."},
    {"softmax", "output[m][n] = expf",
     "The power of e, and what all of the row must add up to. Why is largest taken away?"},
    {"split", "right[m][q] = input",
     "The left part has P columns. Write the loop for the right one."},
    {"tile", "output[p][q] = input[p % H]", "The tiles repeat. Which element of input is it?"},
    {"transpose", "output[i][j][k] = input", "d has the coordinates in input. What is copied?"},
    {"triangular", "output[i][j] = j >= i",
     "Which elements stay above the diagonal, and what becomes of the others?"},
    {"where", "output[n] = condition[n]",
     "Which of the two values, for a condition of 0 and another?"}};

enum { PUZZLES = sizeof puzzles / sizeof *puzzles };

/* What the page has for a puzzle. */
typedef struct entry {
  const session *session;
  arena *memory;
  const puzzle *puzzle;
  const char *page, *heading;
  example *examples;
  size_t example_count;
  plain_block block;
  const char *gap; /* the line that is left out, in the block, after its indentation */
  size_t gap_length;
} entry;

enum { MOST_EXAMPLES = 64 };

static size_t line_length(const char *line) {
  return strcspn(line, "\n");
}

/* The line that has the text, after its indentation; NULL: none. */
static const char *line_with(const char *block, const char *text) {
  const char *at = strstr(block, text), *line = at;
  if (!at)
    return NULL;
  while (line > block && line[-1] != '\n')
    line--;
  return line + strspn(line, " ");
}

/* Takes a block of the entry: an example, or loops if they are the puzzle's. */
static bool take_block(entry *e, const char *text, uint32_t line, bool is_plain) {
  plain_block b;
  if (!is_plain) {
    if (e->example_count == MOST_EXAMPLES)
      return complain(NULL, "the entry has more than %d examples", MOST_EXAMPLES);
    return example_read(e->session, e->memory, "operators.md", text, line,
                        &e->examples[e->example_count++]);
  }
  memset(&b, 0, sizeof b);
  b.at.file = "operators.md";
  b.at.line = line;
  b.at.column = 1;
  b.text = text;
  b.heading = e->heading;
  if (!e->gap && strcmp(plain_operator(e->session, e->memory, &b), e->puzzle->name) == 0) {
    e->block = b;
    e->gap = line_with(text, e->puzzle->line);
    e->gap_length = e->gap ? line_length(e->gap) : 0;
  }
  return true;
}

static const char *next_line(const char *line) {
  line += line_length(line);
  return *line ? line + 1 : line;
}

/* The blocks between a heading and the next one. */
static bool read_entry(entry *e, const char *line, uint32_t number) {
  e->heading = take_text(e->memory, "%.*s", (int)line_length(line), line);
  for (line = next_line(line), number++; *line && strncmp(line, "##", 2) != 0;
       line = next_line(line), number++) {
    const bool is_plain = strncmp(line, "```c\n/* plain:", 14) == 0;
    const char *begin = next_line(line), *end = strstr(begin, "\n```");
    if (!is_plain && strncmp(line, "```webnn\n", 9) != 0)
      continue;
    if (!end)
      return complain(NULL, "operators.md: a block must end with ```");
    if (!take_block(e, take_text(e->memory, "%.*s", (int)(end - begin), begin), number + 1,
                    is_plain))
      return false;
    for (; line <= end; line = next_line(line))
      number++;
  }
  return true;
}

static bool open_entry(const session *s, arena *memory, const puzzle *p, entry *e) {
  uint32_t number = 1;
  const char *line;
  memset(e, 0, sizeof *e);
  e->session = s;
  e->memory = memory;
  e->puzzle = p;
  e->page = read_docs(s, memory);
  e->examples = (example *)take(memory, MOST_EXAMPLES * sizeof *e->examples);
  if (!e->page)
    return complain(NULL, "docs/operators.md, which has the loops, is not there: --docs PATH");
  for (line = e->page; *line && !heading_has(line, p->name); line = next_line(line))
    number++;
  return read_entry(e, line, number) &&
         (e->gap || complain(NULL, "operators.md: the loops of %s have no line with \"%s\"",
                             p->name, p->line));
}

/* The puzzles of an operator; of one without, those of its entry. */
static size_t find_puzzles(const char *name, const char *page, const puzzle **found) {
  size_t count = 0;
  for (size_t i = 0; i < PUZZLES; i++)
    if (strcmp(puzzles[i].name, name) == 0)
      found[count++] = &puzzles[i];
  for (const char *line = count || !page ? "" : page; *line; line = next_line(line))
    for (size_t i = 0; heading_has(line, name) && i < PUZZLES; i++)
      if (heading_has(line, puzzles[i].name))
        found[count++] = &puzzles[i];
  return count;
}

static const puzzle *choose_puzzle(const session *s, arena *memory) {
  const puzzle *found[PUZZLES];
  const size_t wanted = s->example > 0 ? s->example : 1,
               count = find_puzzles(s->operator_name, read_docs(s, memory), found);
  const char *names = "";
  if (count >= wanted)
    return found[wanted - 1];
  if (count > 0) {
    complain(NULL, "%s has %lu puzzle%s", s->operator_name, (unsigned long)count,
             count == 1 ? "" : "s");
    return NULL;
  }
  for (size_t i = 0; i < PUZZLES; i++)
    if (i == 0 || strcmp(puzzles[i].name, puzzles[i - 1].name) != 0)
      names = take_text(memory, "%s%s%s", names, i ? ", " : "", puzzles[i].name);
  complain(NULL, "there is no puzzle of \"%s\", but of %s", s->operator_name, names);
  return NULL;
}

/* The loops with a line in place of the one that is left out. */
static const char *loops_with(const entry *e, const char *line) {
  return take_text(e->memory, "%.*s%s%s\n", (int)(e->gap - e->block.text), e->block.text, line,
                   e->gap + e->gap_length);
}

static const char *own_line(const entry *e) {
  return take_text(e->memory, "%.*s", (int)e->gap_length, e->gap);
}

/* ---- Judging --------------------------------------------------------------------------------- */

/* What came of some loops on one run: the first element that is wrong. */
typedef enum outcome { CAME_RIGHT, CAME_WRONG, CAME_NOT } outcome;
typedef struct finding {
  const plain_result *result;
  loops_array array;
  size_t index;
} finding;

static bool is_nan(const void *bits, webnn_data_type type) {
  float real;
  if (type != WEBNN_FLOAT32)
    return false;
  memcpy(&real, bits, sizeof real);
  return real != real;
}

/* Bit by bit, but one NaN is as good as another. */
static bool is_same(const loops_array *a, const tensor *exact, size_t index) {
  const size_t size = webnn_data_type_bits(a->type) / 8;
  const char *came = (const char *)a->elements + index * size;
  const char *expected = (const char *)exact->data + index * size;
  return a->given[index] && (memcmp(came, expected, size) == 0 ||
                             (is_nan(came, a->type) && is_nan(expected, a->type)));
}

static bool result_is_right(const loops *l, const plain_result *r, finding *f) {
  f->result = r;
  if (!loops_find(l, r->name, &f->array) || f->array.count != r->exact->count)
    return false;
  for (f->index = 0; f->index < f->array.count; f->index++)
    if (!is_same(&f->array, r->exact, f->index))
      return false;
  return true;
}

static outcome run_loops(arena *memory, const plain_run *run, const char *file, const char *text,
                         finding *f) {
  loops *l = loops_begin(memory);
  if (!loops_run(l, "declarations", 1, run->declarations) || !loops_run(l, file, 1, text))
    return CAME_NOT;
  for (size_t i = 0; i < run->result_count; i++)
    if (!result_is_right(l, &run->results[i], f))
      return CAME_WRONG;
  return CAME_RIGHT;
}

/* Which example of the operator it is, as --example of trace counts them. */
static unsigned long example_number(const entry *e, const plain_run *run) {
  unsigned long number = 0;
  for (const example *x = e->examples; x <= run->example; x++)
    number += example_calls(x, e->puzzle->name);
  return number;
}

/* "output[0,1] is 5, not 4", then how the right one comes about. */
static bool show_finding(const entry *e, const plain_run *run, const finding *f, bool other) {
  network *n = (network *)&run->example->network;
  const operation *o = &n->operations[run->operation];
  char right[ELEMENT_ROOM], came[ELEMENT_ROOM];
  tensor theirs = *f->result->exact;
  size_t output = 0;
  while (&n->values[o->first_output + output].exact != f->result->exact)
    output++;
  element_text(f->result->exact, f->index, right);
  theirs.data = (void *)(size_t)f->array.elements;
  if (f->array.given[f->index])
    element_text(&theirs, f->index, came);
  else
    strcpy(came, "never written");
  say("wrong: %s%s is %s, not %s, in example %lu of %s%s\n\n", f->result->name,
      element_place(e->memory, f->result->exact, f->index), came, right, example_number(e, run),
      e->puzzle->name, other ? " with other numbers" : "");
  return trace_print(stdout, n, run->operation, output, f->index);
}

/* Loops on every run. `own`: where they must be right, too, for the run to count; NULL: all do.
   Adds to the count of runs. */
static outcome judge(const entry *e, const char *file, const char *text, const char *own,
                     size_t *counted) {
  plain_run runs[MOST_PLAIN_RUNS];
  size_t count;
  finding f;
  outcome came = CAME_RIGHT;
  if (!plain_runs(e->session, e->memory, &e->block, e->examples, e->example_count, runs,
                  MOST_PLAIN_RUNS, &count))
    return CAME_NOT;
  for (size_t i = 0; i < count && came == CAME_RIGHT; i++) {
    const bool quiet = complain_quietly(own != NULL);
    const bool counts = !own || run_loops(e->memory, &runs[i], file, own, &f) == CAME_RIGHT;
    complain_quietly(quiet);
    if (!counts)
      continue;
    ++*counted;
    came = run_loops(e->memory, &runs[i], file, text, &f);
    if (came == CAME_WRONG && !show_finding(e, &runs[i], &f, own != NULL))
      came = CAME_NOT;
  }
  return came;
}

/* ---- Other numbers --------------------------------------------------------------------------- */

enum { VARIATIONS = 4 };

/* A small number in place of an element, of every sign; indices may lie outside. */
static void store_small(tensor *t, size_t index, int variation) {
  const int number = (int)((index * (variation == 2 ? 7 : 5) + 3) % 11) - 5;
  const float real = (float)number * (variation == 2 ? 1.0f : 0.5f);
  const int64_t wide = number;
  const int32_t word = number;
  const int8_t byte = (int8_t)number;
  switch (t->descriptor.data_type) {
  case WEBNN_FLOAT32:
    memcpy((float *)t->data + index, &real, sizeof real);
    break;
  case WEBNN_INT64:
    memcpy((int64_t *)t->data + index, &wide, sizeof wide);
    break;
  case WEBNN_INT32:
    memcpy((int32_t *)t->data + index, &word, sizeof word);
    break;
  case WEBNN_INT8:
    memcpy((int8_t *)t->data + index, &byte, sizeof byte);
    break;
  default:
    break;
  }
}

/* The elements of an input in another order, and from the third variation on other ones. */
static void vary(tensor *t, int variation) {
  const size_t size = webnn_data_type_bits(t->descriptor.data_type) / 8, count = t->count;
  arena memory = {NULL, 0};
  char *before;
  if (size == 0 || !t->data)
    return;
  before = (char *)take(&memory, count * size);
  memcpy(before, t->data, count * size);
  for (size_t i = 0; i < count; i++) {
    const size_t from = variation == 0 ? (i + 1) % count : count - 1 - i;
    memcpy((char *)t->data + i * size, before + from * size, size);
    if (variation >= 2)
      store_small(t, i, variation);
  }
  release(&memory);
}

/* False: these numbers cannot be computed. Examples are varied from what they are. */
static bool vary_examples(const entry *e, int variation) {
  bool computed = true;
  for (size_t i = 0; i < e->example_count; i++) {
    network *n = &e->examples[i].network;
    for (size_t j = 0; j < n->value_count; j++)
      if (n->values[j].producer == NOBODY)
        vary(&n->values[j].known, variation);
    computed = computed && network_compute(n, true);
  }
  return computed;
}

static outcome judge_all(const entry *e, const char *file, const char *text) {
  const char *own = loops_with(e, own_line(e));
  size_t counted = 0, others = 0;
  outcome came = judge(e, file, text, NULL, &counted);
  for (int i = 0; i < VARIATIONS && came == CAME_RIGHT; i++)
    if (vary_examples(e, i))
      came = judge(e, file, text, own, &others);
  if (came == CAME_RIGHT)
    say("right: the bits of the reference context, on %lu example%s of the entry and %lu with "
        "other "
        "numbers\n",
        (unsigned long)counted, counted == 1 ? "" : "s", (unsigned long)others);
  return came;
}

/* ---- The command ----------------------------------------------------------------------------- */

static void write_json(const entry *e) {
  fputs("{\"operator\": ", stdout);
  json_write_string(stdout, e->puzzle->name);
  fputs(", \"question\": ", stdout);
  json_write_string(stdout, e->puzzle->question);
  fputs(", \"before\": ", stdout);
  json_write_string(stdout,
                    take_text(e->memory, "%.*s", (int)(e->gap - e->block.text), e->block.text));
  fputs(", \"line\": ", stdout);
  json_write_string(stdout, own_line(e));
  fputs(", \"after\": ", stdout);
  json_write_string(stdout, e->gap + e->gap_length);
  fputs("}\n", stdout);
}

/* The text of the loops that are to be judged, and its name; NULL after a complaint. */
static const char *answer_text(const entry *e, const char **file) {
  size_t length;
  *file = take_text(e->memory, "%s.c", e->puzzle->name);
  if (e->session->line)
    return loops_with(e, e->session->line);
  *file = e->session->loops;
  return text_read(e->memory, *file, &length);
}

static int judge_answer(const entry *e) {
  const char *file, *text = answer_text(e, &file);
  const outcome came = text ? judge_all(e, file, text) : CAME_NOT;
  return came == CAME_RIGHT ? EXIT_RIGHT : came == CAME_WRONG ? EXIT_DIFFERS : EXIT_BAD_INPUT;
}

static int exercise(const session *s, arena *memory) {
  const puzzle *p = choose_puzzle(s, memory);
  entry e;
  if (!p || !open_entry(s, memory, p, &e))
    return EXIT_BAD_INPUT;
  if (s->line && s->loops)
    return complain(NULL, "--line and --loops exclude each other") ? EXIT_RIGHT : EXIT_BAD_INPUT;
  if (s->line || s->loops)
    return judge_answer(&e);
  if (s->json)
    write_json(&e);
  else if (s->solution)
    say("%s\n", own_line(&e));
  else
    printf("%s\n/* %s\n   webnn exercise %s --line 'YOUR LINE' judges it, --loops FILE this text "
           "with your line. */\n",
           loops_with(&e, "/* your line */"), p->question, s->operator_name);
  return EXIT_RIGHT;
}

int exercise_command(const session *s) {
  arena memory = {NULL, 0};
  const int status = exercise(s, &memory);
  release(&memory);
  return status;
}
