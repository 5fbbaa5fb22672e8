# The reasons for which webnn test does not express models, from its messages: rows of a table in docs/onnx.md.
function count(reason) {
  if (!(reason in counts))
    order[++rows] = reason
  counts[reason]++
}
!/model\.onnx: / { next }
{ reason = substr($0, index($0, "model.onnx: ") + 12) }
reason ~ /is not known, or WebNN cannot express it/ {
  operator = reason
  sub(/\): the operator.*/, "", operator)
  sub(/.*\(/, "", operator)
  operators[operator]++
  count("operators that are not read")
  next
}
reason ~ /must be a tensor; it is a sequence, an optional value/ { count("inputs that are sequences or optional values"); next }
reason ~ /string/ { count("strings"); next }
reason ~ /empty tensor/ { count("tensors without elements"); next }
{
  operator = reason
  sub(/\): .*/, "", operator)
  sub(/.*\(/, "", operator)
  sub(/.*\): /, "", reason)
  gsub(/"[^"]*"/, "a value", reason)
  count(operator ": " reason)
}
END {
  for (i = 1; i <= rows; i++) {
    reason = order[i]
    number = counts[reason]
    if (reason == "operators that are not read") {
      list = ""
      for (operator in operators)
        names[++operator_count] = operator
      for (a = 1; a <= operator_count; a++)
        for (b = a + 1; b <= operator_count; b++)
          if (names[b] < names[a]) { t = names[a]; names[a] = names[b]; names[b] = t }
      for (a = 1; a <= operator_count; a++)
        list = list (a > 1 ? ", " : "") names[a]
      reason = reason ": " list
    }
    print "| " number " | " reason " |"
  }
}
