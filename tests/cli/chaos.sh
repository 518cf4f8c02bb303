# SPDX-License-Identifier: Apache-2.0
# spectrum, poincare, lyapunov, attractor, sweep, map --of attractor: results, files, wrong input.
. "$(dirname "$0")/lib.bash"
b=$models/block-on-belt.yaml
s=$models/violin-string.yaml

number() { # number KEY: first value of KEY in out
  sed -n "s/.*\"$1\": \([-0-9.e+]*\).*/\1/p" out | head -1
}
close() { # close NAME WANT TOLERANCE
  local got
  got=$(number "$1")
  awk -v a="$got" -v b="$2" -v t="$3" 'BEGIN { d = a - b; exit !(a != "" && d <= t && -d <= t) }' ||
    fail "$1 = $got, expected $2 within $3"
}

# ---- spectrum: the fundamental is one over the period, and the file holds the sum rule
run 0 spectrum "$b" --after 60 --until 660 --points 8192 --segment 4096 --csv p.csv --json; silent
close strongest 0.083326172179119 1e-9
prints '"window": "hann"'; prints '"parseval_error"'; prints '"segments": 3'; prints '"audit"'
head -1 p.csv | grep -qx 'frequency \[Hz\],psd \[m^2/Hz\]' || fail "head of p.csv: $(head -1 p.csv)"
[ "$(wc -l <p.csv)" -eq 2050 ] || fail "rows of p.csv"
power=$(number power)
awk -F, -v p="$power" 'NR > 1 { sum += $2; if (NR == 3) df = $1 }
  END { d = sum*df/p - 1; exit !(d < 1e-9 && d > -1e-9) }' p.csv || fail "sum of p.csv against the power"
run 0 spectrum "$b" --until 100 --points 1024 --of "belt.force - 2*x" --samples --json; prints '"psd": ['
run 0 spectrum "$b" --until 100 --points 32; says "folded"     # the second line lies beyond half the rate
run 0 spectrum "$b" --until 100 --csv -; prints "frequency [Hz],psd"
run 2 spectrum "$b" --segment 1000; says "power of two"
run 2 spectrum "$b" --points 100 --segment 128; says "longer than the record"
run 2 spectrum "$b" --points 100 --rate 3 --until 5; says "two of points"
run 2 spectrum "$b" --of "x + q"; says "--of"; says "q"
run 2 spectrum "$b" --band 5; says "FROM:TO"
run 2 spectrum "$b" --window hat; says "hann"
run 2 spectrum "$b" --until 10 --after 20; says "later than after"
run 1 spectrum "$b" --of "1/x*0 + log(x)" --until 50; says "not a finite number"

# ---- poincare
run 0 poincare "$b" --after 30 --returns 12 --section slip --csv q.csv --json; silent
close period 12.00103129483 1e-8; prints '"turns": 1'; prints '"return_map"'
head -1 q.csv | grep -qx "t,x,x',value" || fail "head of q.csv"
[ "$(wc -l <q.csv)" -eq 13 ] || fail "rows of q.csv"
run 0 poincare "$b" --after 30 --returns 9 --section "x' = 0" --direction down --json; close max 1.133944676442 1e-9
run 0 poincare "$models/forced-coulomb.yaml" --set w=0.7 --every "2*pi/0.7" --after 400 --returns 9 --json
close period 8.975979010256552 1e-9
run 0 poincare "$s" --set d=0.25e-3 --after 0.1 --returns 300 --json; prints '"turns_reason": "no period'
run 1 poincare "$b" --until 20 --section crossing; says "no pass"
run 2 poincare "$b" --section "x'' +"; says "--section"
run 2 poincare "$b" --contact bell; says "did you mean 'belt'"

# ---- lyapunov
run 0 lyapunov "$models/hump.yaml" --after 628.8395340 --until 1886.518602 --json; silent
close divergence -0.0750190086 1e-6; prints '"verdict": "regular"'; prints '"lost": 0'
run 0 lyapunov "$b" --until 200 --json; prints '"lost": 1'; prints '"value": null'; prints '"divergence_reason"'
run 0 lyapunov "$s" --set d=0.25e-3 --after 0.05 --until 0.25 --json; prints '"verdict": "chaos"'
run 2 lyapunov "$b" --method switch; says "method event"
run 0 lyapunov "$models/klarbring-mass.yaml" --until 1 --json; prints '"lost": 2'  # of a closed support: its gap and the rate of it
run 0 lyapunov "$models/crank.yaml" --until 5 --json; prints '"verdict": "regular"'  # past dead points
run 0 lyapunov "$models/bouncing-table.yaml" --until 60 --set A=0.05 --json; prints '"verdict": "chaos"'; prints '"autonomous": false'

# ---- attractor
run 0 attractor "$b" --until 200 --json; prints '"kind": "cycle"'; close period 12.00103129483 1e-8; prints '"sticks": 1'
run 0 attractor "$b" --until 30 --quick --json; prints '"kind": "undecided"'; prints '"why"'
run 0 attractor "$b" --set v=0 --json; prints '"kind": "rest"'
run 0 attractor "$models/hump.yaml" --set c=0.2 --json; prints '"kind": "sliding"'
run 0 attractor "$models/pid.yaml" --set Fst=1 --json; prints '"kind": "rest"'

# ---- the plane of starts: both cycles of the slow drive, the same for any number of threads
j=$models/drive-spring-slider-jump.yaml
plane=(--of attractor --set v=0.00175 --x z=-4.9e-4:-4.1e-4 --y "z'=-0.002:0.002" --size 7x5 --with until=300 quick=true)
run 0 map "$j" "${plane[@]}" --csv a.csv --json; prints '"fractions"'
[ "$(sed 1d a.csv | cut -d, -f3- | sort -u | wc -l)" -eq 2 ] || fail "two attractors expected: $(cut -d, -f3- a.csv | sort | uniq -c)"
run 0 map "$j" "${plane[@]}" --threads 1 --csv c.csv; cmp -s a.csv c.csv || fail "threads change the map"
run 2 map "$j" --of simulate --x z=0:1 --y "z'=0:1"; says "VERB.VALUE"

# ---- sweep
run 0 sweep "$j" --vary v=0.0017:0.00182 --points 7 --section "z' = 0" --transient 40 --duration 2 --returns 20 --csv w.csv --json
silent; prints '"found": true'; prints '"up": ['; prints '"down": ['
close from 0.00172 1e-12; close to 0.0018 1e-12
head -1 w.csv | grep -qx "way,v,value,min,max" || fail "head of w.csv"
run 0 sweep "$b" --vary v=0.2:0.4 --points 3 --way down --section slip --json; prints '"found": null'; prints '"kind": "cycle"'
run 2 sweep "$b"; says "--vary"
# the section follows the period of the forcing: one pass a period at every frequency
run 0 sweep "$models/forced-coulomb.yaml" --vary w=0.7:0.9 --points 3 --section forcing; prints "cycle of 1"
run 2 sweep "$b" --vary v=0.2:0.4 --section forcing; says "does not depend on time"
run 0 sweep "$models/forced-coulomb.yaml" --vary w=0.7:0.9 --points 2; says "never passes the section 'stick'"
run 2 sweep "$b" --vary x=0:1; says "not a parameter"
run 2 sweep "$b" --vary v=1:0; says "ascend"

# a study may walk values (`sweep: {v: [...]}`, the same as `over`) and may ask the verb of that name
cat >a.yaml <<EOF
model: $b
runs:
  walked: {simulate: {until: 5}, sweep: {v: [0.1, 0.2]}}
  asked: {sweep: {vary: "v=0.2:0.4", points: 3, way: up, section: slip, transient: 50, duration: 60}}
expect: {"length(walked)": 2, "length(asked.up)": 3, "asked.up[0].period": {value: 12.00103129483, tolerance: 1e-8}}
EOF
run 0 test a.yaml

if command -v gnuplot >/dev/null; then
  run 0 spectrum "$b" --until 200 --plot f.svg; has_file f.svg
  run 0 poincare "$b" --returns 20 --plot g.svg; has_file g.svg
  run 0 sweep "$b" --vary v=0.2:0.3 --points 3 --transient 30 --duration 40 --plot h.svg; has_file h.svg
  run 2 spectrum "$b" --plot f.gif; says ".svg"
fi
no_leftovers
finish
