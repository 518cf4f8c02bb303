# SPDX-License-Identifier: Apache-2.0
# Where output goes: links and pipes stay what they are, inputs are never overwritten, names are harmless.
. "$(dirname "$0")/lib.bash"
m=$models/block-on-belt.yaml

# a link stays a link, its target is replaced; the temporary file lies beside the target
mkdir there; echo old >there/real.csv; ln -s there/real.csv link.csv; chmod 640 there/real.csv
run 0 simulate "$m" --until 1 --csv link.csv
[ -L link.csv ] || fail "link was replaced"
grep -q '^t ' there/real.csv || fail "target of the link"
[ "$(stat -c %a there/real.csv)" = 640 ] || fail "mode of the old file"
ln -s nowhere.csv lost.csv; run 2 simulate "$m" --until 1 --csv lost.csv; says "leads nowhere"
: >there/real.svg; ln -s there/real.svg link.svg
run 0 simulate "$m" --until 1 --plot link.svg
[ -L link.svg ] || fail "link to a figure was replaced"
grep -q '<svg' there/real.svg || fail "figure behind a link"
: >there/real.h5; ln -s there/real.h5 link.h5
run 0 simulate "$m" --until 1 --h5 link.h5
[ -L link.h5 ] && has_file there/real.h5

# a pipe takes CSV, and nothing that must be whole
mkfifo pipe pipe.svg
cat pipe >got & reader=$!
run 0 simulate "$m" --until 1 --csv pipe
wait $reader
[ -p pipe ] || fail "pipe was replaced"
head -1 got | grep -q '^t ' || fail "CSV through a pipe"
run 2 simulate "$m" --until 1 --h5 pipe; says "not a plain file"
run 2 simulate "$m" --until 1 --plot pipe.svg; says "not a plain file"
run 2 draw "$m" --out pipe.svg; says "not a plain file"
[ -p pipe.svg ] || fail "pipe.svg was replaced"

# standard output
run 0 simulate "$m" --until 1 --points 3 --csv -; prints "t [s],x [m]"; says "audit  passed"
[ "$(wc -l <out)" -eq 5 ] || fail "only CSV on standard output"
run 2 simulate "$m" --until 1 --csv - --json; says "mixed up"
if [ -c /dev/full ]; then run 2 simulate "$m" --until 1 --csv /dev/full; says "No space left"; [ -c /dev/full ] || fail "device"; fi

# inputs and one file twice
cp "$m" b.yaml; ln b.yaml hard.csv
for f in b.yaml ./b.yaml hard.csv; do run 2 simulate b.yaml --until 1 --csv $f; says "overwrite the model"; done
cmp -s "$m" b.yaml || fail "the model was touched"
run 2 simulate "$m" --until 1 --csv same --h5 ./same; says "the same file"; no_file same
run 2 map "$models/trammel.yaml" --x theta=0:1 --y m1=1:2 --csv m.csv --contours-csv ./m.csv; says "the same file"
run 2 simulate "$m" --until 1 --csv p.dat --plot p.svg; says "the same file"; no_file p.dat  # a figure's data lies there
cp "$m" q.gp; run 2 simulate q.gp --until 1 --plot q.svg; says "overwrite the model"

# "-" is standard output for every text, and for nothing else; the summary then goes to stderr
first_line() { run 0 "${@:2}"; head -1 out | grep -qF -- "$1" || fail "first line is not $1: ${*:2}"; no_file ./-; }
t=$models/trammel.yaml
first_line "t [s],x [m]" simulate "$m" --until 1 --csv -; says "audit  passed"
first_line "theta,theta'" map "$t" --x theta=0:1 --y "theta'=-1:1" --size 5x4 --csv -; says "5 x 4 points"
first_line "curve,level" map "$t" --x theta=0.1:1.5 --y "theta'=-1:1" --size 9x8 --contours-csv -
first_line "frequency" spectrum "$m" --of x --until 100 --csv -
first_line "t" poincare "$m" --section "x'" --until 60 --csv -
first_line "<svg" draw "$m" --out -
first_line "<svg" brake "$models/crank.yaml" --plot -
run 2 simulate "$m" --until 1 --h5 -; says "name a file"; no_file ./-
run 2 simulate "$m" --until 1 --plot -; says ".svg"; no_file ./-
run 2 simulate "$m" --until 1 --csv - --json; says "mixed up"
run 0 simulate "$m" --until 1 --csv ./-; has_file ./-

# control characters: in file names refused, in texts harmless
run 2 simulate "$m" --until 1 --plot $'a\nsystem "touch pwned"\n.svg'; says "control characters"
run 2 simulate "$m" --until 1 --csv $'a\tb.csv'; says "control characters"
run 2 reproduce leine-fig4b --out $'a\nb'; says "control characters"
{ printf 'amontons: 1\nname: "a\\nsystem \x27touch pwned\x27\\n"\n'; sed -e '/^amontons:/d' -e '/^name:/d' -e '/^title:/d' "$m"; } >evil.yaml
"$amontons" simulate evil.yaml --until 1 --plot e.svg >out 2>err
no_file pwned
no_leftovers
finish
