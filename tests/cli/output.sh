# SPDX-License-Identifier: Apache-2.0
# Output that cannot be written: a message, status 2 (or 1 without gnuplot), nothing half-written.
. "$(dirname "$0")/lib.bash"
m=$models/block-on-belt.yaml

for option in csv h5; do
  run 2 simulate "$m" --until 1 --$option /no/such/folder/out.x; says "cannot write '/no/such/folder/out.x'"
done
run 2 simulate "$m" --until 1 --plot /no/such/folder/out.svg; says "cannot write"
run 2 draw "$m" --out /no/such/folder/out.svg; says "cannot write"
mkdir folder.csv
run 2 simulate "$m" --until 1 --csv folder.csv; says "folder.csv"
no_leftovers

# an old file survives a run that fails
echo precious >old.csv
run 2 simulate "$m" --set m=-1 --csv old.csv
grep -q precious old.csv || fail "old file was touched"

if [ -w /dev/full ]; then
  for words in "simulate $m --until 1" "simulate $m --until 1 --json" "describe $m" "--help" "man" "simulate --help"; do
    # shellcheck disable=SC2086
    "$amontons" $words >/dev/full 2>err
    [ $? -eq 2 ] || fail "full disk: amontons $words"
    says "No space left on device"
  done
fi

# a reader that has seen enough: no message, no signal
: >err
"$amontons" simulate "$models/two-blocks.yaml" --until 300 --json 2>err | head -c 100 >/dev/null
[ "${PIPESTATUS[0]}" -le 1 ] || fail "broken pipe"
silent

# without gnuplot: script and data stay, status 1
PATH=/nonexistent "$amontons" simulate "$m" --until 1 --plot g.svg >out 2>err
[ $? -eq 1 ] || fail "status without gnuplot"
says "gnuplot was not found"; has_file g.gp; has_file g.dat; no_file g.svg; prints "audit  passed"

# names are not shell text
run 0 simulate "$m" --until 1 --plot 'a b;touch pwned;$(touch pwned)`touch pwned`.svg' --csv '-x.csv'
no_file pwned; has_file ./-x.csv
no_leftovers
finish
