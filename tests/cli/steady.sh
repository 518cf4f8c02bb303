# SPDX-License-Identifier: Apache-2.0
# steady and quasistatic: answers, modes, files, what has no answer, wrong input; boundaries of maps.
. "$(dirname "$0")/lib.bash"
belt=$models/block-on-belt.yaml

# ---- steady ----
run 0 steady "$belt" --set v=0.5; silent; prints "unstable"; prints "growth rate 0.24"
run 0 steady "$belt" --set v=0.5 --json; silent; prints '"growth": 0.24'; prints '"stable": false'; prints '"H2": 1'
run 0 steady "$belt" --at "x=5, x'=-1" --set v=0.5 --json; prints '"growth": 0.24'
run 0 steady "$belt" --modes belt=slip-; prints "x = 0.625"
run 1 steady "$belt" --modes belt=stick; says "no steady state"
run 1 steady "$belt" --modes belt=slip+; says "against its direction"
run 0 steady "$belt" --all --search x=-3:3 --points 5 --json; prints '"count": 1'
run 1 steady "$models/forced-coulomb.yaml"; says "loads change in time"
run 2 steady "$belt" --modes rail=slip; says "no contact 'rail'"
run 2 steady "$belt" --modes belt=glued; says "cannot be 'glued'"
run 2 steady "$belt" --search x=1:2; says "--all"
run 2 steady "$belt" --all --search w=1:2; says "no state 'w'"
run 2 steady "$belt" --all --search x=1; says "FROM:TO"
# the critical speed of the hump: where its friction curve has its minimum
run 0 limits "$models/hump.yaml" --of steady.stable --vary v=0.05:3 --json; prints '"values"'

# ---- boundaries traced on a map: the friction curve's slope changes its sign with v only ----
run 0 map "$models/spatial-mass.yaml" --x theta=0:6.28 --y mu=0.05:1.5 --size 30x20 --of steady.criteria.D --contours 0 --contours-csv c.csv --json
prints '"contours"'; prints '"closed": false'; has_file c.csv
# D = d3 - mu*(d1 cos + d2 sin) with d = (0, 1, 1): every point lies on mu sin(theta) = 1
awk -F, 'NR > 1 { d = $4*sin($3) - 1; if (d > 1e-9 || d < -1e-9) { print; exit 1 } }' c.csv >out || fail "c.csv against the closed form"
[ "$(wc -l <c.csv)" -gt 20 ] || fail "points of c.csv"
run 0 map "$models/spatial-mass.yaml" --x theta=0:6.28 --y mu=0.05:1.5 --size 20x12 --of steady.stable --contours all --json; prints '"verdict"'
run 2 map "$models/spatial-mass.yaml" --x theta=0:6.28 --y mu=0.05:1.5 --size 8x6 --of steady.stable --contours maybe; says "does not occur"

# ---- quasistatic ----
k=$models/klarbring-mass.yaml
run 0 quasistatic "$k" --set mu=1.25 C1=-1 C2=-0.9; prints "several (stick+slip-+open)"
run 0 quasistatic "$k" --rate --set mu=1.25 F1=-1.25 F2=-1 C1=-1 C2=0 --json; prints '"class": "none"'
run 0 quasistatic "$k" --sectors C1,C2 --set mu=1.25; prints "218.6598083"; prints "stick+slip-+open"
run 0 quasistatic "$k" --set mu=0.25 C1=1 C2=-1 --until 3 --csv p.csv; has_file p.csv; prints "slip+"
head -1 p.csv | grep -q "^t,u1,u2,plane.normal,plane.force,plane.bound,plane.gap,plane.mode$" || fail "head of p.csv"
run 0 quasistatic "$models/spatial-mass-load.yaml" --set C1=0.5 C2=0.3 mu=0.5 --until 4 --json; prints '"status": "ok"'; prints '"audit"'
if command -v gnuplot >/dev/null; then
  run 0 quasistatic "$k" --set mu=0.25 C1=1 C2=-1 --until 3 --plot p.svg; has_file p.svg; has_file p.gp
fi
run 1 quasistatic "$k" --set k12=2; says "positive definite"
run 0 quasistatic "$k" --set k12=2 --unstable
run 1 quasistatic "$k" --set F1=5 F2=-1 --until 1; says "would need a friction of 5"
run 2 quasistatic "$k" --until 1 --rate; says "ask twice"
run 2 quasistatic "$k" --until -1; says "before the start"
run 2 quasistatic "$k" --sectors C1; says "two parameters"
run 2 quasistatic "$k" --sectors C1,Q; says "no parameter 'Q'"
run 2 quasistatic "$k" --until 1 --plot p.gif; says ".svg"
no_leftovers
finish
