# SPDX-License-Identifier: Apache-2.0
# simulate: the promised JSON names, numbers known from theory, CSV and HDF5.
. "$(dirname "$0")/lib.bash"
m=$models/block-on-belt.yaml

run 0 simulate "$m" --until 50 --tol 1e-12 --after 15 --json
silent
for name in events final audit stats extrema mean rms stick_fraction episodes returns last_return \
            t contact from to kind state modes ok contact_violation energy_error constraint_violation dissipated \
            supplied energy steps rejected rhs jacobians factorisations min_event_gap; do
  prints "\"$name\":"
done
prints '"kind": "slip-stick"'; prints '"kind": "stick-slip"'; prints '"ok": true'
grep -qiE '(^|[^a-z])(nan|inf)([^a-z]|$)' out && fail "NaN or infinity in JSON"
grep -q '"last_return": {"belt": 12.001031294' out || fail "period of the block"
if command -v python3 >/dev/null; then
  python3 - <<'PY' || fail "JSON values"
import json, math
r = json.load(open('out'))
assert abs(r['last_return']['belt'] - 12.001031294830579) < 1e-11, r['last_return']
assert r['audit']['energy_error'] < 1e-9
assert r['final']['t'] == 50 and set(r['final']['state']) == {'x', "x'"}
e = r['events'][0]
assert e['contact'] == 'belt' and (e['from'], e['to']) == (-1, 0) and abs(e['state']["x'"] - 0.2) < 1e-12
ex = r['extrema']['x']   # an extremum of x is a root of x'; spring force is k*x with k = 1
assert abs(ex['max'] - r['extrema']['spring_force']['max']) < 1e-12
assert r['mean']['x'] > 0 and r['rms']['x'] >= abs(r['mean']['x'])
PY
fi

run 0 simulate "$m" --until 50 --stop-events 3 --json; prints '"ended": "stop-events"'; prints '"events": 3'
run 0 simulate "$m" --until 50; prints "slip- -> stick"; prints "audit  passed"
run 0 simulate "$models/two-blocks.yaml" --until 500; prints "more (use --json)"
run 1 simulate "$m" --until 50 --max-steps 3 --json; says "stopped at t"; prints '"ended": "stopped"'; prints '"reason"'
run 0 simulate "$m" --until 5 --method switch --eta 1e-6 --json; prints '"method": "switch"'
run 0 simulate "$m" --until 5 --method smooth --eps 1e3 --json; prints '"method": "smooth"'
run 0 simulate "$m" --until 5 --stepper rk8 --json
run 0 simulate "$m" --at "x=0.5, x'=0.2" --until 1 --json; prints '"events": []'; prints '"min_event_gap": null'
prints '"min_event_gap_reason"'

run 0 simulate "$m" --until 20 --points 10 --csv a.csv --samples --json
head -1 a.csv | grep -q "^t \[s\],x \[m\],x' \[m/s\]" || fail "CSV header"
prints '"samples"'
# 11 grid points, and two rows for each of the three events
[ "$(wc -l <a.csv)" -eq 18 ] || fail "CSV rows: $(wc -l <a.csv)"
[ "$(cut -d, -f1 a.csv | sort | uniq -d | wc -l)" -eq 3 ] || fail "event points appear twice"
run 0 simulate "$m" --until 20 --points 10 --csv b.csv --steps
[ "$(wc -l <b.csv)" -gt 18 ] || fail "--steps adds rows"

run 0 simulate "$m" --until 20 --h5 a.h5; has_file a.h5
if command -v h5dump >/dev/null; then
  h5dump -d "/trajectory/x'" a.h5 >dump 2>&1 || fail "h5: x'"
  grep -q '"m/s"' dump || fail "h5: unit"
  h5dump -d /events a.h5 | grep -q contact || fail "h5: events"
  h5dump -a model a.h5 | grep -q block-on-belt || fail "h5: model"
fi

# an output that is not a number everywhere has no extrema
cat >pole.yaml <<'EOF'
amontons: 1
coordinates: [x]
energy: {kinetic: x'^2/2, potential: x^2/2}
outputs: {odd: 1/(x - 1), even: 1/(x - 1)^2, root: sqrt(-x), fine: 1/(x - 3), corner: abs(x)}
initial: {x: 2}
EOF
run 0 simulate pole.yaml --until 20 --json
for q in odd even root; do
  says "no extrema and no mean of '$q'"
  tr -d ' \n' <out | grep -q "\"$q\":{\"min\":null,\"max\":null,\"t_min\":null,\"t_max\":null,\"reason\"" || fail "extrema of $q"
done
grep -q '"fine": {"min": -1,\|"fine": {"min": -0.99999999999\|"fine": {"min": -1.00000000000' out || fail "extrema of fine"
run 0 simulate pole.yaml --until 20; grep -qi nan out && fail "nan in the table"

# a contact without friction neither sticks nor slips
cat >smooth.yaml <<'EOF'
amontons: 1
coordinates: [x, y]
particles: {ball: {mass: 1, at: [x, y]}}
gravity: 10
contacts: {wire: {guide: x}, stop: {support: y, restitution: 0.5}}
initial: {y: 5}
EOF
run 0 simulate smooth.yaml --until 2.2; prints "wire: closed all the time"; prints "touched 2 times"
prints "dissipated by friction and impacts"; lacks stick; lacks stop.slip
# two supports that close on a body from both sides leave it no way out
sed -e "s/wire: {guide: x}/lid: {support: 5.5 - t - y}/" -e "s/restitution: 0.5/restitution: 0/" smooth.yaml >press.yaml
run 1 simulate press.yaml --until 9; says "stopped at t = 5.5: an impact leaves no velocity"

cat >margin.yaml <<EOF
model: $m
simulate: {until: 1}
expect: [simulate.final.t == 1 +- -1]
EOF
run 2 test margin.yaml; says "the tolerance after +- must be >= 0"

run 0 simulate "$m" --until 20 --plot p.svg; for e in svg gp dat; do has_file p.$e; done
run 0 simulate "$m" --until 20 --plot q.png --plot-x t --plot-y "x, belt.force, x'-v"; has_file q.png
run 2 simulate "$m" --until 20 --plot r.svg --plot-y "x, belt.farce"; says "belt.farce"; no_file r.svg

# of a chain: some columns, rows that are even, the events as a table
chain="$source_dir/models/chain.yaml"
run 0 simulate "$chain" --set N=40 --until 5 --points 5 --even --columns "x[1], belt[40].slip, x[1]" --csv c.csv --events e.csv --json
[ "$(head -1 c.csv)" = "t [s],x[1] [m],belt[40].slip [m/s]" ] || fail "columns: $(head -1 c.csv)"
[ "$(wc -l <c.csv)" = 7 ] || fail "rows at events: $(wc -l <c.csv)"
[ "$(head -1 e.csv)" = "t,kind,contact,from,to,slip,force" ] || fail "head of events"
[ $(($(wc -l <e.csv) - 1)) = "$(grep -c '"kind":' out)" ] || fail "events in the table: $(wc -l <e.csv)"
run 0 simulate "$chain" --set N=40 --until 5 --points 5 --csv all.csv --h5 all.h5
awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) if ($i == "belt[40].slip [m/s]") c = i} {print $1 "," $2 "," $c}' all.csv >same.csv
while read -r row; do grep -qxF "$row" same.csv || fail "not among all columns: $row"; done <c.csv
run 2 simulate "$chain" --columns "x[1],x[4]" --csv n.csv; says "there is no column 'x[4]'; did you mean"; no_file n.csv
run 2 simulate "$chain" --columns "x[1]"; says "give one of them too"
run 2 simulate "$chain" --events no/such/e.csv; says "no/such"
no_leftovers
finish
