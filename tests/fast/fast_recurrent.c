/* The fast gru, gruCell, lstm and lstmCell against the reference, for every instruction set that
   the machine has: random sizes, layouts, directions, activations, biases, peephole weights,
   initial states, weights constant or not, float32 and float16, some with an infinity or a NaN in
   the input; and networks that are large enough for their steps to be divided among threads.
   Allowed is

       |difference| <= (16 + (hidden + inputs) / 10) steps 2^-24 largest

   (twice that without fused multiply-adds) with the largest size of a result, at least 1; for
   float16, whose states are rounded in each step, 2 steps 2^-11 largest instead. The bits must be
   the same for 1, 2 and 40 threads. */
#include "machines.h"
#include "random.h"

enum { X, WEIGHT, RECURRENT, HIDDEN, CELL, BIAS, RECURRENT_BIAS, PEEPHOLE, OPERANDS };

typedef struct problem {
  webnn_op op;
  webnn_data_type type;
  bool lstm, cell, constant, sequence, reset_after, other_layout, given[OPERANDS];
  uint32_t steps, batch, inputs, hidden, directions;
  webnn_recurrent_network_direction direction;
  webnn_recurrent_network_activation activations[3];
  bool choose_activations;
  uint32_t rank[OPERANDS], shape[OPERANDS][4];
} problem;

static void set_shape(problem *p, int k, uint32_t rank, uint32_t a, uint32_t b, uint32_t c) {
  /* the cells have no dimension of directions */
  uint32_t *s = p->shape[k];
  p->rank[k] = rank;
  s[0] = a;
  s[1] = b;
  s[2] = c;
  if (p->cell) {
    s[0] = b;
    s[1] = c;
    p->rank[k]--;
  }
}

static void set_shapes(problem *p) {
  const uint32_t gates = p->lstm ? 4 : 3, h = p->hidden, d = p->directions;
  set_shape(p, X, 3, p->steps, p->batch, p->inputs);
  set_shape(p, WEIGHT, 3, d, gates * h, p->inputs);
  set_shape(p, RECURRENT, 3, d, gates * h, h);
  set_shape(p, HIDDEN, 3, d, p->batch, h);
  set_shape(p, CELL, 3, d, p->batch, h);
  set_shape(p, BIAS, 2, d, gates * h, 0);
  set_shape(p, RECURRENT_BIAS, 2, d, gates * h, 0);
  set_shape(p, PEEPHOLE, 2, d, 3 * h, 0);
}

static void random_problem(problem *p) {
  static const webnn_op ops[4] = {WEBNN_OP_GRU, WEBNN_OP_GRU_CELL, WEBNN_OP_LSTM,
                                  WEBNN_OP_LSTM_CELL};
  const uint32_t which = below(4);
  uint32_t i;
  memset(p, 0, sizeof *p);
  p->op = ops[which];
  p->lstm = which >= 2;
  p->cell = which % 2 != 0;
  p->type = below(3) == 0 ? WEBNN_FLOAT16 : WEBNN_FLOAT32;
  p->steps = p->cell ? 1 : 1 + below(6);
  p->batch = below(3) == 0 ? 1 : 1 + below(35);
  p->inputs = 1 + below(below(4) == 0 ? 300 : 20);
  p->hidden = 1 + below(below(4) == 0 ? 150 : 40);
  p->direction = p->cell ? WEBNN_DIRECTION_FORWARD : (webnn_recurrent_network_direction)below(3);
  p->directions = p->direction == WEBNN_DIRECTION_BOTH ? 2 : 1;
  p->constant = below(2) != 0;
  p->sequence = !p->cell && below(2) != 0;
  p->reset_after = below(2) != 0;
  p->other_layout = below(2) != 0;
  p->choose_activations = below(2) != 0;
  for (i = 0; i < 3; i++) {
    p->activations[i] = (webnn_recurrent_network_activation)below(3);
  }
  for (i = X; i < OPERANDS; i++) {
    p->given[i] = i <= RECURRENT || below(2) != 0 || (p->cell && (i == HIDDEN || i == CELL));
  }
  p->given[CELL] = p->given[CELL] && p->lstm;
  p->given[PEEPHOLE] = p->given[PEEPHOLE] && p->lstm;
  set_shapes(p);
}

/* Large enough for steps that are divided. */
static void large_problem(problem *p, bool lstm, uint32_t hidden, uint32_t batch,
                          bool reset_after) {
  memset(p, 0, sizeof *p);
  p->op = lstm ? WEBNN_OP_LSTM : WEBNN_OP_GRU;
  p->lstm = lstm;
  p->type = WEBNN_FLOAT32;
  p->steps = 2;
  p->batch = batch;
  p->inputs = 5;
  p->hidden = hidden;
  p->direction = WEBNN_DIRECTION_BACKWARD;
  p->directions = 1;
  p->constant = p->sequence = true;
  p->reset_after = reset_after;
  p->given[X] = p->given[WEIGHT] = p->given[RECURRENT] = p->given[BIAS] = true;
  p->given[HIDDEN] = true;
  set_shapes(p);
}

static webnn_list shape_of(const problem *p, int k) {
  return webnn_list_of(p->shape[k], p->rank[k]);
}

/* The outputs into y[3]; how many there are. */
static uint32_t connect(webnn_builder *b, const problem *p, webnn_operand **x, webnn_operand **y) {
  const webnn_gru_weight_layout gru_layout = p->other_layout ? WEBNN_GRU_RZN : WEBNN_GRU_ZRN;
  const webnn_lstm_weight_layout lstm_layout = p->other_layout ? WEBNN_LSTM_IFGO : WEBNN_LSTM_IOFG;
  webnn_activation_list activations = WEBNN_ZERO;
  if (p->choose_activations) {
    activations.given = true;
    activations.count = p->lstm ? 3 : 2;
    memcpy(activations.items, p->activations, sizeof p->activations);
  }
  if (p->op == WEBNN_OP_GRU) {
    webnn_gru_options o;
    memset(&o, 0, sizeof o);
    o.bias = x[BIAS];
    o.recurrent_bias = x[RECURRENT_BIAS];
    o.initial_hidden_state = x[HIDDEN];
    o.reset_before = !p->reset_after;
    o.return_sequence = p->sequence;
    o.direction = p->direction;
    o.layout = gru_layout;
    o.activations = activations;
    webnn_gru(b, x[X], x[WEIGHT], x[RECURRENT], p->steps, p->hidden, &o, y);
    return p->sequence ? 2 : 1;
  }
  if (p->op == WEBNN_OP_GRU_CELL) {
    webnn_gru_cell_options o;
    memset(&o, 0, sizeof o);
    o.bias = x[BIAS];
    o.recurrent_bias = x[RECURRENT_BIAS];
    o.reset_before = !p->reset_after;
    o.layout = gru_layout;
    o.activations = activations;
    y[0] = webnn_gru_cell(b, x[X], x[WEIGHT], x[RECURRENT], x[HIDDEN], p->hidden, &o);
    return 1;
  }
  if (p->op == WEBNN_OP_LSTM) {
    webnn_lstm_options o;
    memset(&o, 0, sizeof o);
    o.bias = x[BIAS];
    o.recurrent_bias = x[RECURRENT_BIAS];
    o.peephole_weight = x[PEEPHOLE];
    o.initial_hidden_state = x[HIDDEN];
    o.initial_cell_state = x[CELL];
    o.return_sequence = p->sequence;
    o.direction = p->direction;
    o.layout = lstm_layout;
    o.activations = activations;
    webnn_lstm(b, x[X], x[WEIGHT], x[RECURRENT], p->steps, p->hidden, &o, y);
    return p->sequence ? 3 : 2;
  } else {
    webnn_lstm_cell_options o;
    memset(&o, 0, sizeof o);
    o.bias = x[BIAS];
    o.recurrent_bias = x[RECURRENT_BIAS];
    o.peephole_weight = x[PEEPHOLE];
    o.layout = lstm_layout;
    o.activations = activations;
    webnn_lstm_cell(b, x[X], x[WEIGHT], x[RECURRENT], x[HIDDEN], x[CELL], p->hidden, &o, y);
    return 2;
  }
}

typedef struct results {
  size_t count; /* of all outputs, one after the other */
  char *data;
} results;

/* false if anything is refused. */
static bool compute(webnn_context *context, const problem *p, void *const *data, results *r) {
  static const char *const names[] = {"x", "w", "r", "h", "c", "b", "rb", "p", "y0", "y1", "y2"};
  const size_t size = webnn_data_type_bits(p->type) / 8;
  webnn_builder *builder = test_builder(context);
  webnn_named_tensor in[OPERANDS], out[3];
  webnn_named_operand result[3];
  webnn_operand *x[OPERANDS] = {NULL}, *y[3] = {NULL};
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO;
  webnn_tensor_descriptor storage;
  size_t bound = 0, at = 0;
  uint32_t i, count, made;
  bool good;
  memset(&storage, 0, sizeof storage);
  storage.data_type = p->type;
  storage.readable = storage.writable = true;
  for (i = 0; i < OPERANDS; i++) {
    webnn_operand_descriptor d;
    const size_t bytes = test_element_count(shape_of(p, (int)i)) * size;
    d.data_type = p->type;
    d.shape = storage.shape = shape_of(p, (int)i);
    if (!p->given[i]) {
      continue;
    }
    if (i > X && i != HIDDEN && i != CELL && p->constant) {
      x[i] = webnn_constant(builder, d, data[i], bytes);
      continue;
    }
    x[i] = webnn_input(builder, names[i], d);
    in[bound].name = names[i];
    (void)webnn_create_tensor(context, storage, &in[bound].tensor, &error);
    (void)webnn_write_tensor(context, in[bound++].tensor, data[i], bytes, &error);
  }
  count = connect(builder, p, x, y);
  r->count = 0;
  for (i = 0; i < count && y[i] != NULL; i++) {
    result[i].name = out[i].name = names[OPERANDS + i];
    result[i].operand = y[i];
    storage.shape = webnn_operand_shape(y[i]);
    r->count += test_element_count(storage.shape);
    (void)webnn_create_tensor(context, storage, &out[i].tensor, &error);
  }
  made = i;
  good = CHECK(webnn_op_name(p->op), webnn_build(builder, result, made, &graph, &error) == WEBNN_OK,
               "%s", error.message);
  good = good && CHECK(webnn_op_name(p->op),
                       webnn_dispatch(context, graph, in, bound, out, made, &error) == WEBNN_OK,
                       "%s", error.message);
  r->data = (char *)test_allocate(r->count * size);
  for (i = 0; i < made; i++) {
    const size_t bytes = test_element_count(webnn_tensor_shape(out[i].tensor)) * size;
    good =
        good && webnn_read_tensor(context, out[i].tensor, r->data + at, bytes, &error) == WEBNN_OK;
    at += bytes;
    webnn_free_tensor(out[i].tensor);
  }
  while (bound > 0) {
    webnn_free_tensor(in[--bound].tensor);
  }
  webnn_free_builder(builder);
  webnn_free_graph(graph);
  return good;
}

static double worst[2]; /* of float32, float16: the largest part of what is allowed */

static double size_of(double x) {
  return x < 0 ? -x : x;
}

static void compare(const problem *p, const machine *m, const results *exact, const results *y) {
  const bool half = p->type == WEBNN_FLOAT16;
  double largest = 1, allowed;
  size_t i;
  for (i = 0; i < exact->count; i++) {
    const double size = size_of(test_get(p->type, exact->data, i));
    largest = size > largest && size < 1e30 ? size : largest;
  }
  allowed = half ? 2.0 * 0x1p-11 * p->steps * largest
                 : (16 + 0.1 * (p->hidden + p->inputs)) * 0x1p-24 * p->steps * largest;
  allowed *= m->fused || half ? 1 : 2;
  for (i = 0; i < exact->count; i++) {
    const double want = test_get(p->type, exact->data, i), got = test_get(p->type, y->data, i);
    const double part = size_of(got - want) / allowed;
    if (part <= 1) {
      worst[half] = part > worst[half] ? part : worst[half];
    } else if (!(want != want && got != got) && want != got) {
      break;
    }
  }
  CHECK(webnn_op_name(p->op), i == exact->count,
        "%s, %s, steps %u batch %u inputs %u hidden %u: element %lu: expected %.9g, got %.9g",
        m->name, webnn_data_type_name(p->type), (unsigned)p->steps, (unsigned)p->batch,
        (unsigned)p->inputs, (unsigned)p->hidden, (unsigned long)i,
        i < exact->count ? test_get(p->type, exact->data, i) : 0,
        i < exact->count ? test_get(p->type, y->data, i) : 0);
}

static void check_problem(const problem *p) {
  /* few hidden units: where infinities meet, the reference looks at everything twice */
  const uint32_t special = p->hidden <= 12 ? below(4) : 4;
  void *data[OPERANDS];
  results exact, first, y;
  size_t i;
  int k;
  first.data = NULL;
  for (k = 0; k < OPERANDS; k++) {
    const size_t count = test_element_count(shape_of(p, k));
    const double n = k == RECURRENT ? p->hidden : k == WEIGHT ? p->inputs : 0;
    const double size = n > 0       ? 2 / (3 + 0.04 * n)
                        : k >= BIAS ? 0.25
                                    : 1; /* states do not explode */
    data[k] = test_allocate(count * sizeof(float));
    for (i = 0; i < count; i++) {
      test_set(p->type, data[k], i, test_random_between(&random_state, -size, size));
    }
    if (k == X && special < 2) {
      const double infinity = 1e300 * 1e300;
      test_set(p->type, data[k], below((uint32_t)count), special == 0 ? -infinity : 0 * infinity);
    }
  }
  if (compute(reference, p, data, &exact)) {
    for (i = 0; i < machine_count; i++) {
      if (!compute(machines[i].context, p, data, &y)) {
        continue;
      }
      compare(p, &machines[i], &exact, &y);
      if (machines[i].threads == 1) {
        free(first.data);
        first = y;
      } else {
        CHECK(webnn_op_name(p->op),
              memcmp(first.data, y.data, y.count * webnn_data_type_bits(p->type) / 8) == 0,
              "%s: not the bits of 1 thread", machines[i].name);
        free(y.data);
      }
    }
    free(exact.data);
  }
  free(first.data);
  for (k = 0; k < OPERANDS; k++) {
    free(data[k]);
  }
}

int main(int argc, char **argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 45;
  problem p;
  int round;
  open_machines();
  for (round = 0; round < rounds; round++) {
    random_problem(&p);
    check_problem(&p);
  }
  large_problem(&p, true, 741, 1, true);
  check_problem(&p);
  large_problem(&p, false, 500, 17, true);
  check_problem(&p);
  large_problem(&p, false, 745, 2, false);
  p.choose_activations = true; /* relu, relu: the reference is slow with others */
  check_problem(&p);
  if (argc > 1) {
    printf("of what is allowed: float32 %.3f, float16 %.3f\n", worst[0], worst[1]);
  }
  close_machines();
  return test_end();
}
