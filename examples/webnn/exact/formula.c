/* What stands beside an element's exact value: the last step of its operator's formula, in the words
   of docs/operators.md, with the elements and letters of the lines above. tests/scripts/formulas.py
   evaluates these texts on the numbers of the examples. */
#include "trace.h"

#include <string.h>

/* {0} is the element of the first operand that was read last, {s} the one that was read last of all,
   {a} the activation of an LSTM's result. Text in brackets is left out if such an element was not
   read. */
typedef struct formula {
  const char *op;
  int output; /* -1: every one */
  const char *text;
} formula;

static const formula formulas[] = {
    {"add", -1, "{0} + {1}"},
    {"sub", -1, "{0} - {1}"},
    {"mul", -1, "{0} · {1}"},
    {"div", -1, "{0} / {1}"},
    {"pow", -1, "{0}^{1}"},
    {"cos", -1, "cos({0})"},
    {"erf", -1, "erf({0})"},
    {"exp", -1, "e^{0}"},
    {"log", -1, "ln({0})"},
    {"reciprocal", -1, "1 / {0}"},
    {"sin", -1, "sin({0})"},
    {"sqrt", -1, "sqrt({0})"},
    {"tan", -1, "tan({0})"},
    {"tanh", -1, "tanh({0})"},
    {"elu", -1, "max(0, {0}) + alpha · (e^min(0, {0}) - 1)"},
    {"gelu", -1, "{0} / 2 · (1 + erf({0} / sqrt(2)))"},
    {"hardSigmoid", -1, "max(0, min(1, alpha · {0} + beta))"},
    {"hardSwish", -1, "{0} · max(0, min(6, {0} + 3)) / 6"},
    {"leakyRelu", -1, "max(0, {0}) + alpha · min(0, {0})"},
    {"linear", -1, "alpha · {0} + beta"},
    {"prelu", -1, "max(0, {0}) + {1} · min(0, {0})"},
    {"sigmoid", -1, "1 / (1 + e^(-{0}))"},
    {"softplus", -1, "ln(1 + e^{0})"},
    {"softsign", -1, "{0} / (1 + abs({0}))"},
    {"dequantizeLinear", -1, "({0} - {2}) · {1}"},
    {"quantizeLinear", -1, "roundEven({0} / {1}) + {2}"},
    {"batchNormalization", -1, "[{3} · ]({0} - {1}) / sqrt({2} + epsilon)[ + {4}]"},
    {"instanceNormalization", -1, "[{1} · ]({0} - mean) / deviation[ + {2}]"},
    {"layerNormalization", -1, "[{1} · ]({0} - mean) / deviation[ + {2}]"},
    {"softmax", -1, "e^({0} - m) / sum"},
    {"gemm", -1, "alpha · sum[ + beta · {2}]"},
    {"averagePool2d", -1, "sum / number of terms"},
    {"l2Pool2d", -1, "sqrt(sum)"},
    {"reduceL2", -1, "sqrt(sum)"},
    {"reduceLogSum", -1, "ln(sum)"},
    {"reduceLogSumExp", -1, "m + ln(1 + sum)"},
    {"reduceMean", -1, "sum / number of terms"},
    {"gruCell", -1, "[z · {s} + ](1 - z) · n"},
    {"gru", -1, "[z · {s} + ](1 - z) · n"},
    {"lstmCell", 0, "o · {a}(c')"},
    {"lstm", 0, "o · {a}(c')"},
    {"lstm", 2, "o · {a}(c')"},
};

/* The element of an operand, or of any with -1, that a line of its own has told last; NULL: none. */
static const trace_event *last_read(const trace_element *e, int operand) {
  for (size_t i = e->line_count; i-- > 0;)
    if (e->lines[i].kind == TRACE_READ && (operand < 0 || e->lines[i].event->at.operand == operand))
      return e->lines[i].event;
  return NULL;
}

/* The activation of an LSTM's result: the third one, tanh by default. */
static const char *last_activation(const trace *t) {
  const json *arguments = json_get(t->operation->node, "arguments");
  for (const json *a = json_items(arguments, JSON_ARRAY); a; a = a->next) {
    const json *names = json_get(json_get(json_get(a, "options"), "activations"), "strings");
    const json *name = json_items(names, JSON_ARRAY);
    for (int i = 0; i < 2 && name; i++)
      name = name->next;
    if (json_string(name))
      return name->text;
  }
  return "tanh";
}

/* One piece of a formula, to `end`, with elements in place of braces; NULL: one was not read. */
static const char *fill_in(const trace *t, arena *memory, const trace_element *e, const char *text,
                           const char *end) {
  const char *result = "";
  while (text < end) {
    const size_t plain = strcspn(text, "{");
    const trace_event *read;
    if (text + plain >= end)
      return take_text(memory, "%s%.*s", result, (int)(end - text), text);
    if (text[plain + 1] == 'a') {
      result = take_text(memory, "%s%.*s%s", result, (int)plain, text, last_activation(t));
      text += plain + 3;
      continue;
    }
    read = last_read(e, text[plain + 1] == 's' ? -1 : text[plain + 1] - '0');
    if (!read)
      return NULL;
    result = take_text(memory, "%s%.*s%s", result, (int)plain, text,
                       trace_place_text(t, memory, read->at));
    text += plain + 3;
  }
  return result;
}

static const char *fill_in_formula(const trace *t, arena *memory, const trace_element *e,
                                   const char *text) {
  const char *result = "";
  while (*text) {
    const bool optional = *text == '[';
    const char *begin = optional ? text + 1 : text;
    const char *end = begin + strcspn(begin, optional ? "]" : "[");
    const char *piece = fill_in(t, memory, e, begin, end);
    if (!piece && !optional)
      return NULL;
    result = take_text(memory, "%s%s", result, piece ? piece : "");
    text = optional ? end + 1 : end;
  }
  return result;
}

const char *trace_formula_text(const trace *t, arena *memory, const trace_element *e) {
  const char *op = webnn_op_name(t->op), *text = NULL;
  for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++)
    if (strcmp(formulas[i].op, op) == 0 &&
        (formulas[i].output < 0 || formulas[i].output + (int)t->input_count == e->operand))
      text = formulas[i].text;
  text = text && e->value && !e->is_sum ? fill_in_formula(t, memory, e, text) : NULL;
  return text ? text : "";
}
