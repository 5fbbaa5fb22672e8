#!/bin/sh
# The lists and tables of docs/onnx.md, as the header and the command give them.
#   sh onnx_page.sh FOLDER PROGRAMS           makes FOLDER/operators, same, others, numbers and reasons, and the page's
#                                             in FOLDER/operators.page, ...; without ONNX's data only three
#   sh onnx_page.sh FOLDER PROGRAMS write     writes them into the page
# PROGRAMS has webnn, onnx_operators and onnx_backend.
cd "$(dirname "$0")/.." || exit 1
out=$1 programs=$2 page=../docs/onnx.md
data=${WEBNN_ONNX_DATA:-/usr/share/libonnx-testdata/data}

# The line of the page two lines above a list or a table, which ends before an empty line.
head_of() {
  case $1 in
  operators) echo 'The operators, by domain and by the version from which on they are read:' ;;
  same) echo 'These operators of WebNN become the operator of ONNX that has the same name:' ;;
  others) echo '| WebNN | ONNX |' ;;
  numbers) echo '| tests | passed | not expressible | wrong |' ;;
  reasons) echo '| not expressible | why |' ;;
  esac
}

"$programs/onnx_operators" >"$out/operators" || exit 1
"$programs/onnx_operators" same >"$out/same" && "$programs/onnx_operators" others >"$out/others" || exit 1
tables="operators same others"
if [ -d "$data" ]; then
  tables="$tables numbers reasons"
  "$programs/webnn" test "$data" >"$out/sums" 2>"$out/messages"
  awk -f scripts/onnx_reasons.awk "$out/messages" | LC_ALL=C sort -t'|' -k2,2nr -k3 >"$out/reasons"
  "$programs/onnx_backend" "$data" |
    sed -n 's/^\([a-z-]*\)  *\([0-9]*\)  *\([0-9]*\)  *\([0-9]*\)$/| \1 | \2 | \3 | \4 |/p' >"$out/numbers"
fi
for table in $tables; do
  head=$(head_of $table)
  if [ "$3" = write ]; then
    awk -v head="$head" -v rows="$out/$table" '
      /^$/ { inside = 0 }
      inside { next }
      { print }
      $0 == head { getline; print; while ((getline row < rows) > 0) print row; inside = 1 }' $page >"$out/page" &&
      cp "$out/page" $page
  fi
  awk -v head="$head" '/^$/ { inside = 0 } inside { print } $0 == head { getline; inside = 1 }' $page >"$out/$table.page"
done
