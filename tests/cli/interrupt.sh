# SPDX-License-Identifier: Apache-2.0
# Ctrl-C: the run stops, says so, tells what it has, writes no file that looks whole.
. "$(dirname "$0")/lib.bash"
interrupted() { python3 "$source_dir/tests/cli/interrupted.py" "$@"; }  # SIGNAL SECONDS COMMAND...: after so much work
m=$models/block-on-belt.yaml

interrupted INT 0.4 "$amontons" simulate "$m" --until 1e9 --stop-events 100000000 --csv out.csv --dt 1e6 \
  --json >out 2>err
status=$?
[ $status -eq 1 ] || fail "status $status after SIGINT"
says "interrupted"
prints '"ended": "interrupted"'
tail -c 3 out | grep -q '}' || fail "JSON is whole"
no_file out.csv
no_leftovers

interrupted TERM 0.4 "$amontons" simulate "$m" --until 1e9 >out 2>err
[ $? -eq 1 ] || fail "status after SIGTERM"

# limits: the changes that are known, as brackets where they were not narrowed down
interrupted INT 0.4 "$amontons" limits "$m" --vary v=0.11075:1.5 --of simulate.events.length --with until=100 \
  --points 100000 --json >out 2>err
[ $? -eq 1 ] || fail "status of limits after SIGINT"
says "interrupted"; prints '"finished": false'; prints '"reached"'
python3 - out <<'EOF' || fail "limits so far"
import json, sys
r = json.load(open(sys.argv[1]))
assert r["count"] == len(r["values"]) > 0
for v in r["values"]:
    low, high = v["between"]
    assert v["how"] == "open" and low < v["at"] < high <= r["reached"] and high - low < 2e-5
# event number 12 goes beyond t = 100 at this speed (found by limits that ran to their end)
assert r["values"][0]["between"][0] <= 0.110760830710354 <= r["values"][0]["between"][1]
EOF
interrupted INT 0.4 "$amontons" limits "$m" --vary v=0.11075:1.5 --of simulate.events.length --with until=100 \
  --points 100000 >out 2>err
prints "so far"; prints " .. "; prints "NOT FINISHED: looked at v up to"

# long looks at a motion: what was seen until then, or that there is nothing
interrupted INT 0.4 "$amontons" sweep "$m" --vary v=0.1:0.9 --points 2000 --transient 1e3 --csv out.csv --json >out 2>err
[ $? -eq 1 ] || fail "status of sweep after SIGINT"
says "what was known"; prints '"finished": false'; prints '"at": 0.1,'; no_file out.csv
interrupted INT 0.4 "$amontons" poincare "$m" --until 1e9 --returns 10000000 --section "x' = 0" >out 2>err
[ $? -eq 1 ] || fail "status of poincare after SIGINT"
says "what was known"; prints "passes of the section"
interrupted INT 0.4 "$amontons" lyapunov "$m" --until 1e7 --after 10 --blocks 100000 --json >out 2>err
[ $? -eq 1 ] || fail "status of lyapunov after SIGINT"
says "what was known"; prints '"finished": false'; prints '"exponents"'
interrupted INT 0.4 "$amontons" cycle "$m" --transient 1e9 >out 2>err
[ $? -eq 1 ] || fail "status of cycle after SIGINT"
says "there is no result yet"
interrupted INT 0.4 "$amontons" continue "$m" --vary v=0.2:1 --stride 1e-6 --max-stride 1e-6 --points 100000 --json >out 2>err
[ $? -eq 1 ] || fail "status of continue after SIGINT"
says "what was known"; prints '"finished": false'; prints '"ended": "interrupted"'; prints '"sequence"'

# a map whose readings were cut short: they are read again, and the whole is as if nothing had happened
slow=(--x v=0.1:0.9 --y Fs=0.8:1.2 --size 9x6 --of simulate.final.state.x --with "until=25000" --threads 2)
"$amontons" map "$m" "${slow[@]}" --csv whole.csv >out 2>err || fail "the map"
for after in 0.3 0.5; do
  interrupted INT $after "$amontons" map "$m" "${slow[@]}" --csv cut.csv >out 2>err
  [ $? -eq 1 ] || fail "status of map after SIGINT"
  says "interrupted"; no_file cut.csv
  grep -q "no answer" cut.csv.part 2>/dev/null && fail "a reading that was cut short is kept"
done
interrupted KILL 0.4 "$amontons" map "$m" "${slow[@]}" --csv cut.csv >out 2>err
run 0 map "$m" "${slow[@]}" --csv cut.csv; cmp -s whole.csv cut.csv || fail "resumed map differs"

# whatever does not look up is ended all the same, within a second; while a model is read, at once
python3 -c '
print("amontons: 1\nsizes: {N: 40000}\ncoordinates: {\"x[i=1..N]\": {}}\nparticles: {\"b[i=1..N]\": {mass: 1, at: [\"x[i]\", 0]}}")
print("energy: {potential: \"sum(i=1..N, sin(x[i])^2*cos(i*x[i]))\"}")' >large.yaml
ends_within() {  # SECONDS ARGS...: after SIGINT, however many threads work
  local limit=$1
  shift
  interrupted INT 0.2 "$amontons" "$@" >out 2>err
  local status=$?
  [ $status -eq 1 ] || fail "status $status of $1 after SIGINT"
  says "interrupted"
  python3 -c "import os; assert float(open('after').read()) < $limit*os.cpu_count() + 0.3" || fail "$1 went on for $(cat after) s"
}
ends_within 1 simulate large.yaml
for verb in "simulate --until 1e9" "limits --vary v=0.1:1 --of simulate.final.state.x --with until=1e6" "cycle --transient 1e9" \
            "lyapunov --until 1e8" "poincare --until 1e9 --section x' --returns 10000000" \
            "spectrum --of x --until 1e8" "sweep --vary v=0.1:0.2 --transient 1e8" "sensitivity --until 1e8" \
            "map --x v=0.1:1 --y Fs=0.5:1 --of simulate.final.state.x --with until=1e7" "simulate --until 1e9 --method switch --tol 1e-8" \
            "simulate --until 1e9 --method smooth" "simulate --until 1e6 --method euler --max-step 1e-5"; do
  set -- $verb
  ends_within 1 "$1" "$m" "${@:2}"
done

# studies: what was not run is said, and not counted
cat >long.yaml <<EOF
model: $m
runs: {short: {simulate: {until: 1}}, long: {simulate: {until: 1e9, stop-events: 100000000}}}
expect: [short.audit.ok]
EOF
interrupted INT 0.4 "$amontons" test long.yaml >out 2>err
[ $? -eq 1 ] || fail "status of test after SIGINT"
says "interrupted"; prints "0 passed, 0 failed"

# the same while a large file is written: nothing is left, by one signal or by two in a row
for signals in "TERM" "HUP" "TERM TERM" "TERM 0 TERM"; do
  "$amontons" simulate "$m" --until 50 --points 3000000 --csv big.csv >out 2>err &
  pid=$!
  for _ in $(seq 200); do sleep 0.05; compgen -G "big.csv.tmp-*" >/dev/null && break; done
  for s in $signals; do kill -s "$s" $pid 2>/dev/null; [ "$s" = 0 ] && sleep 0.3; done
  wait $pid && fail "status 0 after $signals"
  no_file big.csv; no_leftovers
done
finish
