/* gru, gruCell, lstm, lstmCell: hidden and cell state are rounded after each step, nothing else. */
#ifndef WEBNN_EXACT_OPERATORS_RECURRENT_H
#define WEBNN_EXACT_OPERATORS_RECURRENT_H

#include "exact_operators_elementwise.h"

enum { MOST_HIDDEN = 6 };

/* The operands and options of a recurrent operator; of a cell, directions and steps are 1. */
typedef struct network {
  bool is_lstm, is_cell, reset_after, both, backward;
  bool algebraic; /* relu only and few weights that are not 0: results are often ties */
  uint32_t steps, batch, in, hidden, gates, directions;
  tensor *x, *weight, *recurrent, *bias, *recurrent_bias, *peephole, *hidden_state, *cell_state;
  int order[4]; /* block of gates z, r, n or i, f, g, o */
  webnn_recurrent_network_activation activations[3];
  webnn_activation_list activation_list;
  uint32_t d, b; /* direction and batch element at hand */
} network;

typedef struct state {
  uint64_t bits[MOST_HIDDEN];
  mpfr_t values[MOST_HIDDEN];
} state;

/* What DEEP bits do not tell apart, 1 - e^-x for different x above 1400; and what the library does
   not, e^-x for different x above 2^20, on which only the sign of a zero can depend. Where a rounding
   depends on them the case is undecided and says nothing. */
static bool saturated, vanished;

static void note_saturation(mpfr_srcptr x) {
  if (mpfr_number_p(x) && (mpfr_cmp_si(x, 1400) > 0 || mpfr_cmp_si(x, -1400) < 0))
    saturated = true;
  if (mpfr_regular_p(x) && mpfr_get_exp(x) > 20)
    vanished = true;
}
/* tanh with the distance from 1 to FINE bits: 1 - 2 / (e^2x + 1). */
static void tanh_of(mpfr_ptr y, mpfr_srcptr x) {
  const bool negative = mpfr_signbit(x) != 0;
  if (!mpfr_number_p(x) || (mpfr_cmp_si(x, 1) < 0 && mpfr_cmp_si(x, -1) > 0)) {
    apply(mpfr_tanh, y, x);
    return;
  }
  mpfr_mul_2ui(y, x, 1, MPFR_RNDZ);
  mpfr_abs(y, y, MPFR_RNDZ);
  apply(mpfr_exp, y, y);
  odd(y, mpfr_add_ui(y, y, 1, MPFR_RNDZ));
  odd(y, mpfr_ui_div(y, 2, y, MPFR_RNDZ));
  odd(y, mpfr_ui_sub(y, 1, y, MPFR_RNDZ));
  mpfr_setsign(y, y, negative, MPFR_RNDZ);
}
static void activate(const network *net, int which, mpfr_ptr y, mpfr_srcptr x) {
  mpfr_t t;
  mpfr_srcptr argument;
  mpfr_init2(t, DEEP);
  mpfr_set(t, x, MPFR_RNDZ);
  argument = t;
  if (net->activations[which] != WEBNN_ACTIVATION_RELU)
    note_saturation(x);
  switch (net->activations[which]) {
  case WEBNN_ACTIVATION_RELU:
    relu_formula(y, &argument);
    break;
  case WEBNN_ACTIVATION_SIGMOID:
    sigmoid_formula(y, &argument);
    break;
  default:
    tanh_of(y, t);
    break;
  }
  mpfr_clear(t);
}
/* Whether y is the middle of two floats but for 2^-400 of it. */
static bool almost_tie(mpfr_srcptr y) {
  mpfr_t middle, difference;
  const uint64_t pattern = round_to(now.type, y);
  bool close = false;
  int side;
  mpfr_init2(middle, ELEMENT);
  mpfr_init2(difference, DEEP);
  for (side = -1; side <= 1 && mpfr_number_p(y); side += 2) {
    load(middle, now.type, pattern);
    load(difference, now.type, pattern + (uint64_t)(int64_t)side);
    mpfr_add(middle, middle, difference, MPFR_RNDZ);
    mpfr_div_2ui(middle, middle, 1, MPFR_RNDZ);
    mpfr_sub(difference, y, middle, MPFR_RNDZ);
    close = close || mpfr_zero_p(difference) ||
            (mpfr_number_p(difference) && mpfr_get_exp(difference) < mpfr_get_exp(y) - 400);
  }
  mpfr_clears(middle, difference, NULL);
  return close;
}
static uint64_t round_state(mpfr_srcptr y) {
  if (vanished && mpfr_number_p(y) && (mpfr_zero_p(y) || mpfr_get_exp(y) < -(INT64_C(1) << 18)))
    now.undecided = true;
  else if (saturated && mpfr_regular_p(y) && (almost_tie(y) || mpfr_get_exp(y) < -1900))
    now.undecided = true;
  return round_to(now.type, y);
}

/* Row of gate q and unit j among the gates' blocks. */
static size_t gate_row(const network *net, int q, uint32_t j) {
  return (size_t)net->d * net->gates * net->hidden + (size_t)net->order[q] * net->hidden + j;
}
static void add_input(const network *net, int q, uint32_t j, uint32_t step, total *s) {
  const size_t row = gate_row(net, q, j);
  uint32_t k;
  for (k = 0; k < net->in; k++)
    total_add_product(s, net->x->values[(step * net->batch + net->b) * net->in + k],
                      net->weight->values[row * net->in + k]);
  if (net->bias)
    total_add(s, net->bias->values[row]);
}
static void add_recurrent(const network *net, int q, uint32_t j, mpfr_t *h, total *s) {
  const size_t row = gate_row(net, q, j);
  uint32_t k;
  for (k = 0; k < net->hidden; k++)
    total_add_product(s, h[k], net->recurrent->values[row * net->hidden + k]);
  if (net->recurrent_bias)
    total_add(s, net->recurrent_bias->values[row]);
}
/* Activation of both sums together, the cell state behind a peephole included. */
static void gate(const network *net, int q, int activation, uint32_t j, uint32_t step, mpfr_t *h,
                 mpfr_srcptr peephole, mpfr_srcptr cell, mpfr_ptr y) {
  total s;
  total_begin(&s);
  add_input(net, q, j, step, &s);
  add_recurrent(net, q, j, h, &s);
  if (peephole)
    total_add_product(&s, peephole, cell);
  activate(net, activation, y, s.value);
  total_end(&s);
}

/* The gate n of gru, with r before or after the recurrent product. */
static void new_gate(const network *net, uint32_t j, uint32_t step, mpfr_t *r, state *h,
                     mpfr_ptr y) {
  total s, t;
  uint32_t k;
  total_begin(&s);
  total_begin(&t);
  add_input(net, 2, j, step, &s);
  if (net->reset_after) {
    add_recurrent(net, 2, j, h->values, &t);
    total_add_product(&s, r[j], t.value);
  } else {
    mpfr_t reset[MOST_HIDDEN];
    for (k = 0; k < net->hidden; k++) {
      mpfr_init2(reset[k], DEEP);
      multiply(reset[k], r[k], h->values[k]);
    }
    add_recurrent(net, 2, j, reset, &s);
    for (k = 0; k < net->hidden; k++)
      mpfr_clear(reset[k]);
  }
  activate(net, 1, y, s.value);
  total_end(&s);
  total_end(&t);
}
/* z h + (1 - z) n */
static void gru_step(const network *net, uint32_t step, state *h, state *next) {
  mpfr_t r[MOST_HIDDEN], z, n, one;
  uint32_t j;
  mpfr_inits2(DEEP, z, n, one, NULL);
  for (j = 0; j < net->hidden; j++) {
    mpfr_init2(r[j], DEEP);
    gate(net, 1, 0, j, step, h->values, NULL, NULL, r[j]);
  }
  for (j = 0; j < net->hidden; j++) {
    gate(net, 0, 0, j, step, h->values, NULL, NULL, z);
    new_gate(net, j, step, r, h, n);
    odd(one, mpfr_ui_sub(one, 1, z, MPFR_RNDZ));
    multiply(n, n, one);
    multiply(z, z, h->values[j]);
    add(z, z, n);
    next->bits[j] = round_state(z);
  }
  for (j = 0; j < net->hidden; j++)
    mpfr_clear(r[j]);
  mpfr_clears(z, n, one, NULL);
}
/* Peephole weights are in the order i, o, f. */
static mpfr_srcptr peephole_of(const network *net, uint32_t block, uint32_t j) {
  return net->peephole ? net->peephole->values[(net->d * 3 + block) * net->hidden + j] : NULL;
}
/* c' = f c + i g, h' = o a(c') */
static void lstm_step(const network *net, uint32_t step, state *h, state *c, state *next_h,
                      state *next_c) {
  mpfr_t i, f, g, o;
  uint32_t j;
  mpfr_inits2(DEEP, i, f, g, o, NULL);
  for (j = 0; j < net->hidden; j++) {
    const mpfr_srcptr cell = c->values[j];
    gate(net, 0, 0, j, step, h->values, peephole_of(net, 0, j), cell, i);
    gate(net, 1, 0, j, step, h->values, peephole_of(net, 2, j), cell, f);
    gate(net, 2, 1, j, step, h->values, NULL, NULL, g);
    gate(net, 3, 0, j, step, h->values, peephole_of(net, 1, j), cell, o);
    multiply(f, f, cell);
    multiply(i, i, g);
    add(f, f, i);
    next_c->bits[j] = round_state(f);
    activate(net, 2, g, f);
    multiply(o, o, g);
    next_h->bits[j] = round_state(o);
  }
  mpfr_clears(i, f, g, o, NULL);
}

static void state_begin(state *s, const network *net, const tensor *initial) {
  uint32_t j;
  for (j = 0; j < net->hidden; j++) {
    s->bits[j] = initial ? initial->bits[(net->d * net->batch + net->b) * net->hidden + j] : 0;
    mpfr_init2(s->values[j], ELEMENT);
    load(s->values[j], now.type, s->bits[j]);
  }
}
static void state_take(state *s, const network *net, const state *next) {
  uint32_t j;
  for (j = 0; j < net->hidden; j++) {
    s->bits[j] = next->bits[j];
    load(s->values[j], now.type, s->bits[j]);
  }
}
static void state_end(state *s, const network *net) {
  uint32_t j;
  for (j = 0; j < net->hidden; j++)
    mpfr_clear(s->values[j]);
}

/* All steps of one direction and batch element; outputs that are not asked for are NULL. */
static void run_direction(const network *net, tensor *last_h, tensor *last_c, tensor *sequence) {
  const bool backward = net->backward || net->d == 1;
  const size_t place = (size_t)(net->d * net->batch + net->b) * net->hidden;
  state h, c, next_h, next_c;
  uint32_t t;
  state_begin(&h, net, net->hidden_state);
  state_begin(&c, net, net->cell_state);
  for (t = 0; t < net->steps; t++) {
    const uint32_t step = backward ? net->steps - 1 - t : t;
    if (net->is_lstm) {
      lstm_step(net, step, &h, &c, &next_h, &next_c);
      state_take(&c, net, &next_c);
    } else {
      gru_step(net, step, &h, &next_h);
    }
    state_take(&h, net, &next_h);
    if (sequence)
      memcpy(sequence->bits + (size_t)step * net->directions * net->batch * net->hidden + place,
             h.bits, net->hidden * sizeof *h.bits);
  }
  memcpy(last_h->bits + place, h.bits, net->hidden * sizeof *h.bits);
  if (last_c)
    memcpy(last_c->bits + place, c.bits, net->hidden * sizeof *c.bits);
  state_end(&h, net);
  state_end(&c, net);
}
static void run_network(network *net, tensor *last_h, tensor *last_c, tensor *sequence) {
  saturated = vanished = false;
  for (net->d = 0; net->d < net->directions; net->d++)
    for (net->b = 0; net->b < net->batch; net->b++)
      run_direction(net, last_h, last_c, sequence);
}

/* ---- Random operands and options
 * ------------------------------------------------------------------------- */

static void set_order(network *net, int a, int b, int c, int d) {
  net->order[0] = a;
  net->order[1] = b;
  net->order[2] = c;
  net->order[3] = d;
}
/* An operand [directions, second, third], without directions for a cell; third 0: none. */
static tensor *network_input(const network *net, const char *name, uint32_t second, uint32_t third,
                             bool optional) {
  const uint32_t shape[3] = {net->directions, second, third};
  tensor *t;
  size_t i;
  if (optional && one_in(2))
    return NULL;
  t = unconnected(name, now.type, net->is_cell ? shape + 1 : shape,
                  (net->is_cell ? 1u : 2u) + (third ? 1 : 0));
  if (net->algebraic && strstr(name, "State") && one_in(2))
    fill(t, ORDINARY);
  for (i = 0; net->algebraic && strstr(name, "eight") && i < t->count; i++)
    if (!one_in(4))
      t->bits[i] = 0;
  return connect(t);
}
static void random_activations(network *net) {
  const uint32_t count = net->is_lstm ? 3 : 2;
  uint32_t k;
  for (k = 0; k < 3; k++)
    net->activations[k] = k ? WEBNN_ACTIVATION_TANH : WEBNN_ACTIVATION_SIGMOID;
  if (!net->algebraic && one_in(3))
    return;
  for (k = 0; k < count; k++)
    net->activations[k] =
        net->algebraic ? WEBNN_ACTIVATION_RELU : (webnn_recurrent_network_activation)below(3);
  net->activation_list.given = true;
  net->activation_list.count = count;
  memcpy(net->activation_list.items, net->activations, sizeof net->activations);
  note(" activations=%d,%d,%d", (int)net->activations[0], (int)net->activations[1],
       (int)net->activations[2]);
}
static void random_network(network *net, bool is_lstm, bool is_cell) {
  const uint32_t directions = one_in(3) ? 2 : 1;
  uint32_t shape[3];
  memset(net, 0, sizeof *net);
  net->algebraic = one_in(3);
  if (net->algebraic)
    now.style = (int)between(COARSE, SCATTERED);
  net->is_lstm = is_lstm;
  net->is_cell = is_cell;
  net->gates = is_lstm ? 4 : 3;
  net->directions = is_cell ? 1 : directions;
  net->both = net->directions == 2;
  net->backward = !is_cell && !net->both && one_in(2);
  net->steps = is_cell ? 1 : between(1, 4);
  net->batch = between(1, 3);
  net->in = between(1, 5);
  net->hidden = between(1, 4);
  shape[0] = net->steps;
  shape[1] = net->batch;
  shape[2] = net->in;
  net->x = input("input", now.type, is_cell ? shape + 1 : shape, is_cell ? 2 : 3);
  net->weight = network_input(net, "weight", net->gates * net->hidden, net->in, false);
  net->recurrent =
      network_input(net, "recurrentWeight", net->gates * net->hidden, net->hidden, false);
  net->hidden_state = network_input(net, "hiddenState", net->batch, net->hidden, !is_cell);
  if (is_lstm)
    net->cell_state = network_input(net, "cellState", net->batch, net->hidden, !is_cell);
  net->bias = network_input(net, "bias", net->gates * net->hidden, 0, true);
  net->recurrent_bias = network_input(net, "recurrentBias", net->gates * net->hidden, 0, true);
  if (is_lstm)
    net->peephole = network_input(net, "peepholeWeight", 3 * net->hidden, 0, true);
  random_activations(net);
  note(" direction=%s", net->both ? "both" : net->backward ? "backward" : "forward");
}
static webnn_recurrent_network_direction direction_of(const network *net) {
  return net->both       ? WEBNN_DIRECTION_BOTH
         : net->backward ? WEBNN_DIRECTION_BACKWARD
                         : WEBNN_DIRECTION_FORWARD;
}
/* The outputs [directions, batch, hidden], of a cell [batch, hidden]. */
static tensor *network_output(const network *net, webnn_operand *operand) {
  const uint32_t shape[3] = {net->directions, net->batch, net->hidden};
  return output(operand, now.type, net->is_cell ? shape + 1 : shape, net->is_cell ? 2 : 3);
}
static tensor *network_sequence(const network *net, webnn_operand *operand) {
  const uint32_t shape[4] = {net->steps, net->directions, net->batch, net->hidden};
  return output(operand, now.type, shape, 4);
}

static webnn_gru_weight_layout random_gru_options(network *net) {
  const bool rzn = one_in(2);
  net->reset_after = one_in(2);
  set_order(net, rzn ? 1 : 0, rzn ? 0 : 1, 2, 0);
  note(" layout=%s resetAfter=%d", rzn ? "rzn" : "zrn", net->reset_after);
  return rzn ? WEBNN_GRU_RZN : WEBNN_GRU_ZRN;
}
static void gru_case(void) {
  network net;
  webnn_gru_options o = WEBNN_ZERO;
  webnn_operand *outputs[2] = {NULL, NULL};
  tensor *last;
  random_network(&net, false, false);
  o.layout = random_gru_options(&net);
  o.reset_before = !net.reset_after;
  o.bias = operand_of(net.bias);
  o.recurrent_bias = operand_of(net.recurrent_bias);
  o.initial_hidden_state = operand_of(net.hidden_state);
  o.return_sequence = one_in(2);
  o.direction = direction_of(&net);
  o.activations = net.activation_list;
  webnn_gru(now.builder, net.x->operand, net.weight->operand, net.recurrent->operand, net.steps,
            net.hidden, &o, outputs);
  last = network_output(&net, outputs[0]);
  run_network(&net, last, NULL, o.return_sequence ? network_sequence(&net, outputs[1]) : NULL);
}
static void gru_cell_case(void) {
  network net;
  webnn_gru_cell_options o = WEBNN_ZERO;
  random_network(&net, false, true);
  o.layout = random_gru_options(&net);
  o.reset_before = !net.reset_after;
  o.bias = operand_of(net.bias);
  o.recurrent_bias = operand_of(net.recurrent_bias);
  o.activations = net.activation_list;
  run_network(&net,
              network_output(&net, webnn_gru_cell(now.builder, net.x->operand, net.weight->operand,
                                                  net.recurrent->operand, net.hidden_state->operand,
                                                  net.hidden, &o)),
              NULL, NULL);
}

static webnn_lstm_weight_layout random_lstm_layout(network *net) {
  const bool ifgo = one_in(2);
  if (ifgo)
    set_order(net, 0, 1, 2, 3);
  else
    set_order(net, 0, 2, 3, 1);
  note(" layout=%s", ifgo ? "ifgo" : "iofg");
  return ifgo ? WEBNN_LSTM_IFGO : WEBNN_LSTM_IOFG;
}
static void lstm_case(void) {
  network net;
  webnn_lstm_options o = WEBNN_ZERO;
  webnn_operand *outputs[3] = {NULL, NULL, NULL};
  tensor *last_h, *last_c;
  random_network(&net, true, false);
  o.layout = random_lstm_layout(&net);
  o.bias = operand_of(net.bias);
  o.recurrent_bias = operand_of(net.recurrent_bias);
  o.peephole_weight = operand_of(net.peephole);
  o.initial_hidden_state = operand_of(net.hidden_state);
  o.initial_cell_state = operand_of(net.cell_state);
  o.return_sequence = one_in(2);
  o.direction = direction_of(&net);
  o.activations = net.activation_list;
  webnn_lstm(now.builder, net.x->operand, net.weight->operand, net.recurrent->operand, net.steps,
             net.hidden, &o, outputs);
  last_h = network_output(&net, outputs[0]);
  last_c = network_output(&net, outputs[1]);
  run_network(&net, last_h, last_c, o.return_sequence ? network_sequence(&net, outputs[2]) : NULL);
}
static void lstm_cell_case(void) {
  network net;
  webnn_lstm_cell_options o = WEBNN_ZERO;
  webnn_operand *outputs[2] = {NULL, NULL};
  tensor *last_h, *last_c;
  random_network(&net, true, true);
  o.layout = random_lstm_layout(&net);
  o.bias = operand_of(net.bias);
  o.recurrent_bias = operand_of(net.recurrent_bias);
  o.peephole_weight = operand_of(net.peephole);
  o.activations = net.activation_list;
  webnn_lstm_cell(now.builder, net.x->operand, net.weight->operand, net.recurrent->operand,
                  net.hidden_state->operand, net.cell_state->operand, net.hidden, &o, outputs);
  last_h = network_output(&net, outputs[0]);
  last_c = network_output(&net, outputs[1]);
  run_network(&net, last_h, last_c, NULL);
}

#endif
