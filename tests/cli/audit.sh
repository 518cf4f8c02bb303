# SPDX-License-Identifier: Apache-2.0
# A failed audit is told by every verb that rests on motions: text, JSON, the reason, exit status 1. The switch model with a wide
# stick band creeps where it should stick, and its energy balance shows it.
. "$(dirname "$0")/lib.bash"
m=$models/block-on-belt.yaml
wide=(--method switch --eta 0.05)

told() { # verb and options
  run 1 "$@" "${wide[@]}"; prints "audit  FAILED"; says "audit, do not trust it"
  run 1 "$@" "${wide[@]}" --json; prints '"audit": {'; prints '"ok": false'; says "audit, do not trust it"
  run 0 "$@"; prints "audit  passed"; silent
}
told cycle "$m" --accuracy 1e-5 --at "x=1.1, x'=0" --period-guess 12
told attractor "$m" --until 100 --quick --repeat-tol 1e-3
told poincare "$m" --section "x' = 0" --until 60
told spectrum "$m" --until 60 --points 512
told sweep "$m" --vary v=0.2:0.4 --points 2 --transient 20 --duration 40
run 1 sweep "$m" --vary v=0.2:0.4 --points 2 --transient 20 --duration 40 "${wide[@]}" --json
says "at v = 0.2 on the way up"; says "on the way down"; prints '"finished": true'

run 1 limits "$m" --vary v=0.2:0.4 --points 3 --of simulate.final.state.x --with until=20 method=switch eta=0.05 --json
says "fail their audit, first at v = 0.2"; prints '"ok": false'
run 0 limits "$m" --vary v=0.2:0.4 --points 3 --of simulate.final.state.x --with until=20 --json; silent
run 1 map "$m" --x v=0.2:0.4 --y k=1:2 --size 3x2 --of simulate.final.state.x --with until=20 method=switch eta=0.05
says "the motions of 6 of 6 cells fail their audit"; prints "audit failed"
run 0 map "$m" --x v=0.2:0.4 --y k=1:2 --size 3x2 --of simulate.audit.ok --with until=20 method=switch eta=0.05
prints "false"

# the event method: every point of a branch and the motion of exponents
run 0 continue "$m" --vary v=0.2:0.3 --json; prints '"audit": {'; prints '"ok": true'
run 0 continue "$m" --vary v=0.2:0.3; prints "audit  passed"
run 0 lyapunov "$m" --until 100; prints "audit  passed"
finish
