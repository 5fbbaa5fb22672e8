/* The command limits: opSupportLimits() as JSON, and tolerances. */
#include "command.h"

static void print_limits(const char *indent, const webnn_tensor_limits *l, bool last) {
  const char *separator = "";
  printf("%s\"%s\": {\"dataTypes\": [", indent, l->name);
  for (int type = WEBNN_FLOAT32; type <= WEBNN_UINT4; type++) {
    if (l->data_types >> type & 1) {
      printf("%s\"%s\"", separator, webnn_data_type_name((webnn_data_type)type));
      separator = ", ";
    }
  }
  printf("], \"rankRange\": {\"min\": %lu, \"max\": %lu}%s%s}%s\n", (unsigned long)l->min_rank,
         (unsigned long)l->max_rank, l->optional ? ", \"optional\": true" : "",
         l->output ? ", \"output\": true" : "", last ? "" : ",");
}

int limits_command(const session *s) {
  webnn_limits limits;
  webnn_context_limits(s->context, &limits);
  printf("{\n  \"preferredInputLayout\": \"%s\",\n  \"maxTensorByteLength\": %llu,\n",
         limits.preferred_input_layout == WEBNN_LAYOUT_NHWC ? "nhwc" : "nchw",
         (unsigned long long)limits.max_tensor_byte_length);
  limits.input.name = "input";
  limits.constant.name = "constant";
  limits.output.name = "output";
  print_limits("  ", &limits.input, false);
  print_limits("  ", &limits.constant, false);
  print_limits("  ", &limits.output, false);
  for (int op = 0; op < WEBNN_OP_COUNT; op++) {
    webnn_operator_limits o;
    webnn_op_limits(s->context, (webnn_op)op, &o);
    printf("  \"%s\": {\n", o.name);
    for (uint32_t i = 0; i < o.operand_count; i++)
      print_limits("    ", &o.operands[i], false);
    print_tolerance(s, o.name);
    printf("  }%s\n", op + 1 == WEBNN_OP_COUNT ? "" : ",");
  }
  printf("}\n");
  return EXIT_RIGHT;
}
