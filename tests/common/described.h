/* A graph as data beside the same graph as text: what webnn_graph_values, webnn_graph_operators and
   webnn_graph_options tell is looked for in the text of webnn_print_graph, word by word, and nothing
   else may stand there but which operators lack a fast kernel. */
#ifndef WEBNN_TEST_DESCRIBED_H
#define WEBNN_TEST_DESCRIBED_H

#include "every_operator.h"

/* The text, and how far it agrees. */
typedef struct described {
  const char *at, *line;
  bool wrong;
} described;

static inline void described_text(described *d, const char *expected) {
  const size_t length = strlen(expected);
  if (d->wrong) {
    return;
  }
  if (strncmp(d->at, expected, length) != 0) {
    d->wrong = true;
    CHECK("described", false, "\"%s\" expected at \"%.60s\" of \"%.120s\"", expected, d->at,
          d->line);
    return;
  }
  d->at += length;
  d->line = length > 0 && expected[length - 1] == '\n' ? d->at : d->line;
}

static inline void described_integer(described *d, uint64_t number) {
  char text[24];
  snprintf(text, sizeof text, "%llu", (unsigned long long)number);
  described_text(d, text);
}

/* Names and labels here have only these characters that are escaped. */
static inline void described_quoted(described *d, const char *name) {
  char text[256] = "\"", *to = text + 1;
  for (; *name; name++) {
    if (*name == '"' || *name == '\\') {
      *to++ = '\\';
    }
    to += *name == '\n' ? sprintf(to, "\\x0a") : sprintf(to, "%c", *name);
  }
  strcpy(to, "\"");
  described_text(d, text);
}

static inline void described_list(described *d, webnn_list list) {
  uint32_t i;
  described_text(d, "[");
  for (i = 0; i < list.count; i++) {
    described_text(d, i > 0 ? ", " : "");
    described_integer(d, list.items[i]);
  }
  described_text(d, "]");
  if (!list.given) {
    d->wrong = !CHECK("described", false, "a list that is not given in \"%.120s\"", d->line);
  }
}

static inline void described_number(described *d, webnn_number number) {
  char *end;
  if (number.kind == WEBNN_NUMBER_DOUBLE) {
    const float value = strtof(d->at, &end);
    if (end == d->at || ((double)value < number.f64) || ((double)value > number.f64)) {
      d->wrong = !CHECK("described", false, "%g expected at \"%.60s\"", number.f64, d->at);
      return;
    }
    d->at = end;
    return;
  }
  if (number.kind == WEBNN_NUMBER_INT64 && (int64_t)number.integer < 0) {
    described_text(d, "-");
    number.integer = 0 - number.integer;
  }
  described_integer(d, number.integer);
}

static inline void described_option(described *d, const webnn_graph_option *option) {
  uint32_t i;
  described_text(d, ", ");
  described_text(d, option->name);
  described_text(d, "=");
  switch (option->kind) {
  case WEBNN_OPTION_BOOL:
    described_text(d, option->boolean ? "true" : "false");
    break;
  case WEBNN_OPTION_NUMBER:
    described_number(d, option->number);
    break;
  case WEBNN_OPTION_LIST:
    described_list(d, option->list);
    break;
  case WEBNN_OPTION_TEXT:
    CHECK("described", option->text_count == 1, "%u texts", (unsigned)option->text_count);
    described_text(d, option->texts[0]);
    break;
  case WEBNN_OPTION_TEXTS:
    for (i = 0; i < option->text_count; i++) {
      described_text(d, i == 0 ? "[" : ", ");
      described_text(d, option->texts[i]);
    }
    described_text(d, "]");
    break;
  case WEBNN_OPTION_FLOATS:
    for (i = 0; i < option->floats.count; i++) {
      described_text(d, i == 0 ? "[" : ", ");
      described_number(d, webnn_f64(option->floats.items[i]));
    }
    described_text(d, "]");
    break;
  }
}

/* " float32 [2, 3]" */
static inline void described_descriptor(described *d, const webnn_operand_descriptor *descriptor) {
  described_text(d, " ");
  described_text(d, webnn_data_type_name(descriptor->data_type));
  described_text(d, " ");
  described_list(d, descriptor->shape);
}

static inline void described_operands(described *d, const webnn_graph_operator *o,
                                      const webnn_graph_value *values,
                                      const webnn_operator_limits *limits) {
  const char *separator = "";
  size_t i;
  for (i = 0; i < o->operand_count; i++) {
    const uint32_t value = o->operands[i];
    if (value == WEBNN_NO_VALUE) {
      continue;
    }
    described_text(d, separator);
    separator = ", ";
    if (o->op != WEBNN_OP_CONCAT && limits->operands[i].optional) {
      described_text(d, limits->operands[i].name);
      described_text(d, "=");
    }
    if (values[value].kind == WEBNN_VALUE_INPUT) {
      described_quoted(d, values[value].name);
    } else {
      described_text(d, "%");
      described_integer(d, value);
    }
  }
}

enum { DESCRIBED_OPTIONS = 16 };

static inline void described_operator(described *d, webnn_context *context,
                                      const webnn_graph *graph, size_t index,
                                      const webnn_graph_operator *o,
                                      const webnn_graph_value *values) {
  webnn_graph_option options[DESCRIBED_OPTIONS];
  const size_t count = webnn_graph_options(graph, index, options, DESCRIBED_OPTIONS);
  webnn_operator_limits limits;
  size_t i;
  CHECK("described", webnn_op_limits(context, o->op, &limits) && count <= DESCRIBED_OPTIONS,
        "%u options", (unsigned)count);
  for (i = 0; i < o->result_count; i++) {
    const webnn_graph_value *value = &values[o->results[i]];
    CHECK("described",
          value->kind == WEBNN_VALUE_RESULT && value->operator_index == index &&
              value->result_index == i && value->data == NULL,
          "%s: result %u", o->name, (unsigned)i);
    described_text(d, i > 0 ? ", %" : "%");
    described_integer(d, o->results[i]);
    described_descriptor(d, &value->descriptor);
  }
  CHECK("described", strcmp(o->name, webnn_op_name(o->op)) == 0, "%s", o->name);
  described_text(d, " = ");
  described_text(d, o->name);
  described_text(d, "(");
  described_operands(d, o, values, &limits);
  for (i = 0; i < count; i++) {
    described_option(d, &options[i]);
  }
  if (*o->label) {
    described_text(d, ", label=");
    described_quoted(d, o->label);
  }
  described_text(d, ")");
  described_text(d, strncmp(d->at, " (reference", 11) == 0 ? " (reference kernel)\n" : "\n");
}

static inline void described_values(described *d, const webnn_graph_value *values, size_t count) {
  size_t i;
  for (i = 0; i < count; i++) {
    const webnn_graph_value *value = &values[i];
    CHECK("described",
          value->byte_length == (size_t)webnn_byte_length(value->descriptor) &&
              (value->data != NULL) == (value->kind == WEBNN_VALUE_CONSTANT),
          "value %u", (unsigned)i);
    if (value->kind == WEBNN_VALUE_INPUT) {
      described_text(d, "input ");
      described_quoted(d, value->name);
    } else if (value->kind == WEBNN_VALUE_CONSTANT) {
      described_text(d, "%");
      described_integer(d, i);
      described_text(d, " = constant");
    } else {
      continue;
    }
    described_descriptor(d, &value->descriptor);
    described_text(d, "\n");
  }
}

static inline void described_outputs(described *d, const webnn_graph *graph) {
  const size_t count = webnn_graph_outputs(graph, NULL, 0);
  webnn_graph_port *ports = (webnn_graph_port *)test_allocate(count * sizeof *ports);
  size_t i;
  webnn_graph_outputs(graph, ports, count);
  for (i = 0; i < count; i++) {
    described_text(d, "output ");
    described_quoted(d, ports[i].name);
    described_text(d, " = %");
    described_integer(d, ports[i].value);
    described_text(d, "\n");
  }
  free(ports);
}

static inline void described_check(webnn_context *context, const webnn_graph *graph) {
  const size_t value_count = webnn_graph_values(graph, NULL, 0);
  const size_t operator_count = webnn_graph_operators(graph, NULL, 0);
  webnn_graph_value *values = (webnn_graph_value *)test_allocate(value_count * sizeof *values);
  webnn_graph_operator *operators =
      (webnn_graph_operator *)test_allocate(operator_count * sizeof *operators);
  every_text text = {NULL, 0, 0};
  described d;
  size_t i;
  webnn_print_graph(graph, every_write, &text);
  d.at = d.line = text.data;
  d.wrong = false;
  CHECK("described",
        webnn_graph_values(graph, values, value_count) == value_count &&
            webnn_graph_operators(graph, operators, operator_count) == operator_count,
        "the counts change");
  described_values(&d, values, value_count);
  for (i = 0; i < operator_count; i++) {
    described_operator(&d, context, graph, i, &operators[i], values);
  }
  described_outputs(&d, graph);
  CHECK("described", d.wrong || *d.at == 0, "also in the text: \"%.120s\"", d.at);
  free(values);
  free(operators);
  free(text.data);
}

#endif
