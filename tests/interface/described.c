/* Graphs as data: the graph of every operator beside its text, and of small graphs what was given when
   they were built: constants of each kind, operands that are not given, options, labels, outputs. */
#include "described.h"

static webnn_context *context;

static webnn_graph *build(webnn_builder *builder, const webnn_named_operand *outputs,
                          size_t count) {
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO;
  CHECK("build", webnn_build(builder, outputs, count, &graph, &error) == WEBNN_OK, "%s",
        error.message);
  webnn_free_builder(builder);
  return graph;
}

/* Every operator must be met, as the data has it. */
static void check_every_operator(void) {
  webnn_graph *graph = every_graph(context);
  bool met[WEBNN_OP_COUNT] = {false};
  const size_t count = webnn_graph_operators(graph, NULL, 0);
  webnn_graph_operator *operators =
      (webnn_graph_operator *)test_allocate(count * sizeof *operators);
  size_t i;
  described_check(context, graph);
  webnn_graph_operators(graph, operators, count);
  for (i = 0; i < count; i++) {
    met[operators[i].op] = true;
  }
  for (i = 0; i < WEBNN_OP_COUNT; i++) {
    CHECK("every operator", met[i], "%s was not met", webnn_op_name((webnn_op)i));
  }
  free(operators);
  webnn_free_graph(graph);
}

/* What passes have merged or computed in a fast context is told as it was built. */
static void check_fast(void) {
  static const float two = 2;
  webnn_context *fast = test_context(NULL);
  webnn_builder *b = test_builder(fast);
  webnn_operand *folded =
      webnn_exp(b, webnn_constant(b, WEBNN_SCALAR(WEBNN_FLOAT32), &two, sizeof two), NULL);
  webnn_operand *x = webnn_input(b, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 8, 8));
  webnn_operand *y = webnn_relu(b, webnn_add(b, webnn_matmul(b, x, x, NULL), folded, NULL), NULL);
  webnn_graph *graph = build(b, WEBNN_NAMED_OPERANDS({"y", y}));
  static const webnn_op expected[] = {WEBNN_OP_EXP, WEBNN_OP_MATMUL, WEBNN_OP_ADD, WEBNN_OP_RELU};
  webnn_graph_operator operators[4];
  webnn_graph_value values[6];
  size_t i;
  CHECK("fast",
        webnn_graph_operators(graph, operators, 4) == 4 &&
            webnn_graph_values(graph, values, 6) == 6,
        "the counts");
  for (i = 0; i < 4; i++) {
    CHECK("fast", operators[i].op == expected[i], "%s", operators[i].name);
  }
  CHECK("fast", values[0].data != NULL && *(const float *)values[0].data == 2, "the constant");
  webnn_free_graph(graph);
  webnn_free_context(fast);
}

static void check_constants(void) {
  static const float numbers[3] = {1, -2, 3};
  static float borrowed[2] = {4, 5};
  static const uint8_t nibbles[2] = {0x21, 0x03};
  static const float tensor_data[1] = {7};
  webnn_tensor *tensor = NULL;
  webnn_builder *b = test_builder(context);
  webnn_graph_value v[12];
  webnn_graph_port ports[2];
  webnn_operand *all[5];
  webnn_graph *graph;
  webnn_create_constant_tensor(context, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1), tensor_data,
                               sizeof tensor_data, &tensor, NULL);
  all[0] = webnn_constant(b, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 3), numbers, sizeof numbers);
  all[1] =
      webnn_constant_over_memory(b, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 2), borrowed, sizeof borrowed);
  all[2] = webnn_constant_from_tensor(b, tensor);
  all[3] = webnn_constant_from_number(b, WEBNN_FLOAT32, webnn_f64(0.5));
  all[4] =
      webnn_reshape(b, webnn_constant(b, WEBNN_DESCRIPTOR(WEBNN_INT4, 3), nibbles, sizeof nibbles),
                    WEBNN_LIST(3, 1), NULL);
  (void)webnn_input(b, "unused", WEBNN_SCALAR(WEBNN_INT8));
  all[3] = webnn_reshape(b, all[3], WEBNN_LIST(1), NULL);
  graph = build(b, WEBNN_NAMED_OPERANDS({"y", webnn_concat(b, all, 4, 0, NULL)}, {"z", all[4]}));
  webnn_free_tensor(tensor);
  memset(v, 0xff, sizeof v);
  CHECK("constants", webnn_graph_values(graph, v, 12) == 8, "%u values",
        (unsigned)webnn_graph_values(graph, NULL, 0));
  CHECK("copied",
        v[0].kind == WEBNN_VALUE_CONSTANT && v[0].byte_length == sizeof numbers &&
            v[0].data != numbers && memcmp(v[0].data, numbers, sizeof numbers) == 0 &&
            *v[0].name == 0,
        "differs");
  CHECK("borrowed", v[1].data == borrowed && v[1].descriptor.shape.items[0] == 2, "differs");
  CHECK("of a tensor", *(const float *)v[2].data == 7, "differs");
  CHECK("of a number",
        *(const float *)v[3].data == 0.5f && v[3].descriptor.shape.count == 0 &&
            v[3].descriptor.shape.given,
        "differs");
  CHECK("4 bits",
        v[4].byte_length == 2 && memcmp(v[4].data, nibbles, 2) == 0 &&
            v[4].descriptor.data_type == WEBNN_INT4,
        "differs");
  CHECK("result",
        v[5].kind == WEBNN_VALUE_RESULT && strcmp(v[5].name, "z") == 0 &&
            v[5].operator_index == 0 && v[5].result_index == 0,
        "differs");
  CHECK("outputs",
        webnn_graph_outputs(graph, ports, 2) == 2 && ports[0].value == 7 && ports[1].value == 5,
        "%u and %u", (unsigned)ports[0].value, (unsigned)ports[1].value);
  CHECK("an input that nothing uses", webnn_graph_inputs(graph, ports, 1) == 0, "is told");
  webnn_free_graph(graph);
}

static const webnn_graph_option *option_named(const webnn_graph_option *options, size_t count,
                                              const char *name) {
  static const webnn_graph_option none = WEBNN_ZERO;
  size_t i;
  for (i = 0; i < count; i++) {
    if (strcmp(options[i].name, name) == 0) {
      return &options[i];
    }
  }
  CHECK(name, false, "is no option");
  return &none;
}

/* lstm with two optional operands of five, its results, and every kind of option. */
static void check_operator(void) {
  static const float weights[24] = {0};
  webnn_builder *b = test_builder(context);
  webnn_lstm_options lstm = WEBNN_ZERO;
  webnn_operand *outputs[3], *x, *w, *r, *state;
  webnn_graph_operator operators[2];
  webnn_graph_option o[8];
  webnn_graph *graph;
  size_t count;
  x = webnn_input(b, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 2, 1, 3));
  w = webnn_constant(b, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1, 8, 3), weights, sizeof weights);
  r = webnn_constant(b, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1, 8, 2), weights, 64);
  state = webnn_constant(b, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1, 1, 2), weights, 8);
  lstm.label = "cell";
  lstm.initial_cell_state = state;
  lstm.bias = webnn_constant(b, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1, 8), weights, 32);
  lstm.return_sequence = true;
  lstm.direction = WEBNN_DIRECTION_BACKWARD;
  lstm.activations =
      WEBNN_ACTIVATIONS(WEBNN_ACTIVATION_RELU, WEBNN_ACTIVATION_TANH, WEBNN_ACTIVATION_SIGMOID);
  webnn_lstm(b, x, w, r, 2, 2, &lstm, outputs);
  graph = build(b, WEBNN_NAMED_OPERANDS({"h", outputs[0]}, {"all", outputs[2]}));
  memset(operators, 0xff, sizeof operators);
  CHECK("operators", webnn_graph_operators(graph, operators, 2) == 1, "not one");
  CHECK("operator",
        operators->op == WEBNN_OP_LSTM && strcmp(operators->name, "lstm") == 0 &&
            strcmp(operators->label, "cell") == 0 && operators->operand_count == 8 &&
            operators->result_count == 3,
        "differs");
  CHECK("operands",
        operators->operands[0] == 0 && operators->operands[1] == 1 && operators->operands[2] == 2 &&
            operators->operands[3] == 4 && operators->operands[4] == WEBNN_NO_VALUE &&
            operators->operands[5] == WEBNN_NO_VALUE && operators->operands[6] == WEBNN_NO_VALUE &&
            operators->operands[7] == 3,
        "differ");
  CHECK("results",
        operators->results[0] == 5 && operators->results[1] == 6 && operators->results[2] == 7,
        "differ");
  count = webnn_graph_options(graph, 0, o, 8);
  CHECK("options", count == 6, "%u", (unsigned)count);
  CHECK("steps",
        option_named(o, count, "steps")->number.kind == WEBNN_NUMBER_UINT64 &&
            option_named(o, count, "steps")->number.integer == 2,
        "differ");
  CHECK("returnSequence", option_named(o, count, "returnSequence")->boolean, "differs");
  CHECK("direction", strcmp(option_named(o, count, "direction")->texts[0], "backward") == 0,
        "differs");
  CHECK("layout", strcmp(option_named(o, count, "layout")->texts[0], "iofg") == 0, "differs");
  CHECK("activations",
        option_named(o, count, "activations")->text_count == 3 &&
            strcmp(option_named(o, count, "activations")->texts[0], "relu") == 0 &&
            strcmp(option_named(o, count, "activations")->texts[2], "sigmoid") == 0,
        "differ");
  CHECK("options", webnn_graph_options(graph, 1, o, 8) == 0, "of no operator");
  memset(o, 0, sizeof o);
  CHECK("capacity",
        webnn_graph_options(graph, 0, o, 2) == 6 && o[1].name != NULL && o[2].name == NULL,
        "not kept to");
  webnn_destroy_graph(graph);
  CHECK("destroyed",
        webnn_graph_values(graph, NULL, 0) == 0 &&
            webnn_graph_operators(graph, operators, 1) == 0 &&
            webnn_graph_options(graph, 0, o, 8) == 0,
        "it tells something");
  webnn_free_graph(graph);
  CHECK("NULL",
        webnn_graph_values(NULL, NULL, 0) == 0 && webnn_graph_operators(NULL, operators, 1) == 0 &&
            webnn_graph_options(NULL, 0, o, 8) == 0,
        "it tells something");
}

/* Numbers are exact in the type of the operator's first operand. */
static void check_numbers(void) {
  static const struct {
    webnn_data_type type;
    webnn_number low, high;
  } rows[] = {{WEBNN_FLOAT32, {-0.1, 0, WEBNN_NUMBER_DOUBLE}, {0, 0, WEBNN_NUMBER_ABSENT}},
              {WEBNN_FLOAT16, {-0.1, 0, WEBNN_NUMBER_DOUBLE}, {0, 0, WEBNN_NUMBER_ABSENT}},
              {WEBNN_INT64,
               {0, (uint64_t)INT64_MIN, WEBNN_NUMBER_INT64},
               {0, INT64_MAX - 1, WEBNN_NUMBER_INT64}},
              {WEBNN_UINT64, {0, 1, WEBNN_NUMBER_INT64}, {0, UINT64_MAX, WEBNN_NUMBER_UINT64}}};
  size_t i;
  for (i = 0; i < sizeof rows / sizeof *rows; i++) {
    const bool real = rows[i].low.kind == WEBNN_NUMBER_DOUBLE;
    webnn_builder *b = test_builder(context);
    webnn_clamp_options clamp = WEBNN_ZERO;
    webnn_graph_option o[2];
    webnn_operand_descriptor descriptor;
    webnn_graph *graph;
    descriptor.data_type = rows[i].type;
    descriptor.shape = WEBNN_LIST(2);
    clamp.min_value = rows[i].low;
    clamp.max_value = rows[i].high;
    graph = build(
        b, WEBNN_NAMED_OPERANDS({"y", webnn_clamp(b, webnn_input(b, "x", descriptor), &clamp)}));
    CHECK("clamp", webnn_graph_options(graph, 0, o, 2) == 2 && o[0].kind == WEBNN_OPTION_NUMBER,
          "no options");
    if (real) {
      const double low = rows[i].type == WEBNN_FLOAT32 ? (double)-0.1f : -0.0999755859375;
      CHECK("clamp",
            o[0].number.kind == WEBNN_NUMBER_DOUBLE && !(o[0].number.f64 < low) &&
                !(o[0].number.f64 > low),
            "%.17g in place of %.17g", o[0].number.f64, low);
      CHECK("clamp", o[1].number.f64 > 1e300, "%g in place of infinity", o[1].number.f64);
    } else {
      CHECK("clamp",
            o[0].number.integer == rows[i].low.integer &&
                o[1].number.integer == rows[i].high.integer,
            "%s", webnn_data_type_name(rows[i].type));
    }
    webnn_free_graph(graph);
  }
}

int main(void) {
  webnn_context_options options = WEBNN_ZERO;
  options.numerics = WEBNN_NUMERICS_REFERENCE;
  context = test_context(&options);
  check_every_operator();
  check_fast();
  check_constants();
  check_operator();
  check_numbers();
  webnn_free_context(context);
  return test_end();
}
