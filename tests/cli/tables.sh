#!/usr/bin/env bash
# Measured input: a pull that is a record is as good as the pull itself, ends with the record, and mistakes are told by their place.
set -euo pipefail
model() { # NAME FORCE: a block on a rough plane
  printf 'amontons: 1\nname: pulled\ncoordinates: [x]\n%s\nparticles: {block: {mass: 1, at: [x, 0]}}\nforces: {x: "%s"}\ncontacts: {plane: {pressed: 1, slip: "x'"'"'", law: {type: coulomb, mu: 0.5}}}\n' \
    "${3:-}" "$2" >"$1"
}
table() { # FILE COLUMNS INTERPOLATION
  echo "definitions: {pull: {table: {file: $1, columns: [$2], of: t, interpolation: $3}, unit: N}}"
}
final() { "$AMONTONS" simulate "$1" --until 10 --json | tr ',' '\n' | sed -n '/"final"/,/"modes"/s/.*"x": *//p'; }
near() { awk -v a="$1" -v b="$2" -v t="$3" 'BEGIN { exit !(a - b <= t && b - a <= t) }' || { echo "$1 is not $2 to $3"; exit 1; }; }

mkdir deeper
awk 'BEGIN { print "# a record\ntime [s]; force [N]"; for (i = 0; i <= 200; i++) printf "%.17g; %.17g\n", 0.05*i, 2*sin(0.03*i) }' >deeper/pull.csv
model whole.yaml "2*sin(0.6*t)"
truth=$(final whole.yaml)
model deeper/cubic.yaml pull "$(table pull.csv "time, force" cubic)"
near "$(final deeper/cubic.yaml)" "$truth" 1e-6        # beside the model, not beside the caller
model deeper/linear.yaml pull "$(table pull.csv "1, 2" linear)"
near "$(final deeper/linear.yaml)" "$truth" 5e-3
# a pull of steps, exactly: 1 N for 2 s, then 0.25 N, against 0.5 N of friction
printf '0 1\n2 0.25\n10 0\n' >steps.txt
model steps.yaml pull "$(table steps.txt "1, 2" hold)"
near "$(final steps.yaml)" 3 1e-12                       # 1 + 1^2/(2*0.25)

# as a spreadsheet writes it: a mark, quotes, ends of lines of another system
printf '\xef\xbb\xbf"time [s]";"force"\r\n0;1\r\n2;0.25\r\n10;0\r\n' >sheet.csv
model sheet.yaml pull "$(table sheet.csv "time, force" hold)"
near "$(final sheet.yaml)" 3 1e-12

! "$AMONTONS" simulate deeper/cubic.yaml --until 11 >out 2>&1
grep -q "stopped at t = 10" out                          # never beyond the record
fails() { # MODEL TEXT
  local status=0
  "$AMONTONS" simulate "$1" --until 1 >out 2>&1 || status=$?
  [ "$status" = 2 ] && grep -qF "$2" out || { cat out; exit 1; }
}
printf 'time,force\n0,1\n1,abc\n' >bad.csv
model bad.yaml pull "$(table bad.csv "time, force" linear)"
fails bad.yaml "bad.csv:3:3: error: 'abc' is not a number of column 'force'"
model bad.yaml pull "$(table bad.csv "time, load" linear)"
fails bad.yaml "bad.csv has no column 'load'"
printf '0 1\n1 2\n0.5 3\n' >back.csv
model bad.yaml pull "$(table back.csv "1, 2" linear)"
fails bad.yaml "must grow from row to row, but 0.5 follows 1"
printf '0 1\n' >one.csv
model bad.yaml pull "$(table one.csv "1, 2" linear)"
fails bad.yaml "a table needs two"
model bad.yaml pull "$(table none.csv "1, 2" linear)"
fails bad.yaml "bad.yaml:4:36: error: the table cannot be read"
fails bad.yaml "cannot open 'none.csv'"
model bad.yaml pull "definitions: {pull: {table: {file: one.csv, columns: [1, 2], of: t}}}"
fails bad.yaml "the table has no 'interpolation'"
