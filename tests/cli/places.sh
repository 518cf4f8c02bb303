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
run 2 simulate "$m" --until 1 --csv same --h5 ./same; says "same file"; no_file same

# control characters: in file names refused, in texts harmless
run 2 simulate "$m" --until 1 --plot $'a\nsystem "touch pwned"\n.svg'; says "control characters"
run 2 simulate "$m" --until 1 --csv $'a\tb.csv'; says "control characters"
run 2 reproduce leine-fig4b --out $'a\nb'; says "control characters"
{ printf 'amontons: 1\nname: "a\\nsystem \x27touch pwned\x27\\n"\n'; sed -e '/^amontons:/d' -e '/^name:/d' -e '/^title:/d' "$m"; } >evil.yaml
"$amontons" simulate evil.yaml --until 1 --plot e.svg >out 2>err
no_file pwned
no_leftovers
finish
