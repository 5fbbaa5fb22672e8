#!/bin/sh
# Does a wrong number in webnn.h stop at the compiler? Each case changes one line of a copy, and wants the
# refusal of the check that is there for it (WEBNN__HOLDS, WEBNN__FILLS); the copy as it is must compile.
# Tables that lose an entry are tried together: each has a check of its own, which nothing else can fail.
cd "$(dirname "$0")/.." || exit 1
passed=0 failed=0 skipped=0
out=build/holds
rm -rf $out && mkdir -p $out
flags="-std=c99 -fsyntax-only -Wfatal-errors -DWEBNN_IMPLEMENTATION -DWEBNN_INSTRUCTION_SETS=63"

compiles() { # header, flags
  header=$1
  shift
  ${CC:-cc} $flags "$@" -x c "$header" >$out/log 2>&1
}

fails() {
  failed=$((failed + 1))
  echo "$1"
  head -n 20 $out/log
}

# Changes in the copy the first line with the old text, at or after a line of its own.
change() { # where it begins, the line's old text, its new text
  sed "/$1/,\$ { /$2/ { s/$2/$3/; :rest n; b rest; }; }" $out/webnn.h >$out/changed.h
  changed=$(diff $out/webnn.h $out/changed.h | grep -c '^>')
  mv $out/changed.h $out/webnn.h
  [ "$changed" -eq 1 ] || { fails "$2 after $1: $changed lines changed, not 1"; return 1; }
}

# The check of that name must be the first to refuse the change.
refused() { # where it begins, the line's old text, its new text, check
  cp ../webnn.h $out/webnn.h
  change "$1" "$2" "$3" || return
  if compiles $out/webnn.h; then
    fails "$2 after $1: compiles as $3"
  elif ! grep -q "error: .*\(constant\|divi\)" $out/log || ! grep -q "$4" $out/log; then
    fails "$2 after $1: refused, but not by $4"
  else
    passed=$((passed + 1))
  fi
}

# Changes that are tried together: a line each with what `refused` takes, separated by semicolons.
refused_together() {
  cp ../webnn.h $out/webnn.h
  checks=
  while IFS=';' read -r begin old new check; do
    case " $checks " in *" $check "*) fails "$check is the check of two changes"; continue ;; esac
    change "$begin" "$old" "$new" && checks="$checks $check"
  done
  compiles $out/webnn.h -Wno-fatal-errors && { fails "what lacks entries compiles:$checks"; return; }
  for check in $checks; do
    if grep -q "($check," $out/log; then
      passed=$((passed + 1))
    else
      fails "a table that lacks an entry is not refused by $check"
    fi
  done
}

cp ../webnn.h $out/webnn.h
if compiles $out/webnn.h; then
  passed=$((passed + 1))
else
  fails "webnn.h does not compile as it is"
fi

case $(${CC:-cc} -dumpmachine) in
x86_64*)
  tile='^#undef WEBNN__COLUMNS'
  heights='^   are left to the next one. Both lists rise'
  # rows: more or fewer than the heights, of AVX-512, of scalar code, of SSE2 and AVX2
  refused "$tile" 'WEBNN__ROWS 14$' 'WEBNN__ROWS 16' heights_end_with_rows
  refused "$tile" 'WEBNN__ROWS 14$' 'WEBNN__ROWS 13' heights_end_with_rows
  refused "$tile" 'WEBNN__ROWS 4$' 'WEBNN__ROWS 5' heights_end_with_rows
  refused "$tile" 'WEBNN__ROWS 6$' 'WEBNN__ROWS 8' heights_end_with_rows
  refused "$tile" 'WEBNN__ROWS 6$' 'WEBNN__ROWS 4' heights_end_with_rows
  # columns: more than rooms have, and one, which is the thin tile
  refused "$tile" 'WEBNN__COLUMNS 2$' 'WEBNN__COLUMNS 3' columns_fit
  refused "$tile" 'WEBNN__COLUMNS 2$' 'WEBNN__COLUMNS 1' columns_fit
  # heights: the last one is missing, they do not rise
  refused "$heights" ' X(13) X(14)$' ' X(13)' heights_end_with_rows
  refused "$heights" ' X(12) X(14)$' ' X(12)' thin_heights_end_with_rows
  refused "$heights" 'X(7) X(8) X(10)' 'X(8) X(7) X(10)' is_above
  refused "$heights" 'X(1) X(4) X(6) X(8) X(10) X(12) X(14)$' 'X(4) X(1) X(6) X(8) X(10) X(12) X(14)' thin_is_above
  # the rooms themselves
  refused '^#define WEBNN__MOST_ROWS' 'MOST_ROWS 14$' 'MOST_ROWS 13' rows_fit
  refused '^#define WEBNN__MOST_ROWS' 'MOST_COLUMNS 32$' 'MOST_COLUMNS 31' columns_fit
  refused '^#define WEBNN__MOST_ROWS' 'FEW_ROWS 4 ' 'FEW_ROWS 3 ' few_rows_have_functions
  refused '^#define WEBNN__MOST_ROWS' 'MOST_TILES 28 ' 'MOST_TILES 33 ' kept_rows_fit
  refused '^typedef struct webnn__tiling' 'BAND_FLOATS = 7680,' 'BAND_FLOATS = 7679,' sums_and_edges_fit
  refused '^typedef struct webnn__tiling' 'MOST_OWN = 256,' 'MOST_OWN = 239,' kept_rows_fit
  # quantized tiles
  refused '^#if defined(WEBNN__DOT4) && V_WIDTH == 16' 'QUANTIZED_ROWS 4$' 'QUANTIZED_ROWS 3' quantized_rows_have_functions
  refused '^#if defined(WEBNN__DOT4) && V_WIDTH == 16' 'QUANTIZED_ROWS 14$' 'QUANTIZED_ROWS 15' quantized_rows_fit
  refused '^#if defined(WEBNN__DOT4) && V_WIDTH == 16' 'QUANTIZED_COLUMNS 2$' 'QUANTIZED_COLUMNS 1' quantized_columns_fit
  ;;
*)
  skipped=1
  echo "holds: tiles: skipped: not an x86-64 compiler"
  ;;
esac

# Enumerators and their tables: an enumerator more before the last, which is the one that is asked about.
refused '^typedef enum webnn_data_type' '^  WEBNN_UINT4$' '  WEBNN_UINT2, WEBNN_UINT4' types_have_all
refused '^typedef enum webnn_padding_mode' '^  WEBNN_PADDING_SYMMETRIC$' '  WEBNN_PADDING_WRAP, WEBNN_PADDING_SYMMETRIC' modes_have_all
refused '^  WEBNN_OP_ARG_MIN = 0' 'WEBNN_OP_SOFTSIGN = 88,' 'WEBNN_OP_SOFTSIGN = 89,' SOFTSIGN_is_its_row
refused '^  WEBNN_OP_ARG_MIN = 0' 'WEBNN_OP_WHERE = 94,' 'WEBNN_OP_WHERE = 94, WEBNN_OP_XOR,' operators_have_rows
refused '^  WEBNN__FILTER_OIHW' 'WEBNN__FILTER_OHWI,$' 'WEBNN__FILTER_WOHI, WEBNN__FILTER_OHWI,' filters_are_those_of_conv2d
# An entry less.
refused 'webnn_status_name(webnn_status status) {' '"TypeError", ' '' names_have_all
refused_together <<'T'
webnn__input_axes\[;, {0, 3, 1, 2}};};webnn__input_axes_have_all
webnn__filter_axes\[;, {2, 3, 0, 1}};};webnn__filter_axes_have_all
webnn__enum_text(webnn__option_kind;{"nchw", "nhwc"};{"nchw"};layouts_have_all
webnn__enum_text(webnn__option_kind;"oihw", ;;filters_have_all
webnn__enum_text(webnn__option_kind;"zrn", ;;gru_has_all
webnn__enum_text(webnn__option_kind;"iofg", ;;lstm_has_all
webnn__enum_text(webnn__option_kind;"forward", ;;directions_have_all
webnn__enum_text(webnn__option_kind;"nearest-neighbor", ;;interpolations_have_all
webnn__enum_text(webnn__option_kind;"relu", ;;activations_have_all
 webnn__gru_blocks\[;, {1, 0, 2}};};webnn__gru_blocks_have_all
 webnn__lstm_blocks\[;, {0, 3, 1, 2}};};webnn__lstm_blocks_have_all
webnn_pass_name(uint32_t index) {;"chains", ;;names_have_all
 webnn__rules\[;webnn__rule_folding,;;webnn__rules_have_all
 best_first\[;WEBNN_ISA_SSE2, ;;best_first_has_all
 tables\[;webnn__segments_of_int8_t, ;;tables_have_all
T

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
