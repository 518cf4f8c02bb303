#!/usr/bin/env bash
# Round trip: a damped record of a known law with noise; the law from the record; the critical speed that it predicts, checked by simulation.
set -euo pipefail
M="$AMO_SOURCE_DIR/models/drive-program.yaml"
rig=(c=1e6 m=100 lam=2)
"$AMONTONS" simulate "$M" --set "${rig[@]}" N=5 "speed[1]=2e-4" "speed[2]=4e-4" "speed[3]=6e-4" "speed[4]=8e-4" "speed[5]=1.1e-3" \
  "duration[1]=9" "duration[2]=4" "duration[3]=2" "duration[4]=1.5" "duration[5]=1" --until 17.4 --dt 0.002 --csv clean.csv --quiet >/dev/null
# noise of 0.5 N: the same numbers on every machine
awk -F, 'function u() { s = (s*16807) % 2147483647; return s/2147483647 }
  BEGIN { s = 4711; print "t [s],F [N],v [m/s]" }
  NR == 1 { for (i = 1; i <= NF; i++) { split($i, w, " "); at[w[1]] = i } next }
  $at["t"] != last { last = $at["t"]; printf "%s,%.4f,%s\n", $at["t"], $at["pull"] + 0.5*sqrt(-2*log(u()))*cos(6.283185307179586*u()), $at["drive"] }' clean.csv >record.csv
"$AMONTONS" fit --record record.csv --breakdowns stiffness=1e6 drive=v damping=200 --relation rate --json --quiet \
  --set c=1e6 w=100 lam=2 --predict "v_star = w*A/c/sqrt(exp(2*pi*lam/w) - 1)*exp(-beta*c*v_star)" >fit.json
of() { tr -d '\n ' <fit.json | sed "s/.*\"$1\":{\"value\":\([-0-9.e+]*\),\"se\":\([-0-9.e+]*\).*/\\$2/"; }
for p in "A 420" "beta 0.003" "F0 450" "v_star 0.00145581"; do
  set -- $p
  awk -v x="$(of "$1" 1)" -v se="$(of "$1" 2)" -v truth="$2" 'BEGIN { z = (x - truth)/se; exit !(z*z < 16 && se > 0 && se < 0.01*truth) }' ||
    { echo "$1: $(of "$1" 1) +- $(of "$1" 2), not $2"; exit 1; }
done
# with the fitted law, started from rest: stick-slip goes on below the predicted speed, one break-down and no more above it
law=("A=$(of A 1)" "beta=$(of beta 1)" "F0=$(of F0 1)")
stops() { # PART of the predicted speed
  v=$(awk -v v="$(of v_star 1)" -v part="$1" 'BEGIN { printf "%.9g", part*v }')
  "$AMONTONS" simulate "$M" --set "${rig[@]}" "${law[@]}" "speed[1]=$v" "y0=(F0 - 20)/c" --until 3 --json --quiet | grep -o '"slip-stick"' | wc -l || true
}
[ "$(stops 0.97)" -gt 20 ] && [ "$(stops 1.03)" = 0 ]
