# SPDX-License-Identifier: Apache-2.0
# cycle and sensitivity: results, methods, what is refused.
. "$(dirname "$0")/lib.bash"
b=$models/block-on-belt.yaml

run 0 cycle "$b"; prints "period 12.0010312948, stable"; prints "multipliers: 1, 0"; silent
run 0 cycle "$b" --json; prints '"stable": true'; prints '"stick_fraction"'; prints '"iterates"'; prints '"work"'
run 0 cycle "$b" --at "x=1.1, x'=0" --period-guess 24; prints "2 times as long"
run 0 cycle "$b" --segments 4; prints "period 12.0010312948"
run 0 cycle "$b" --method switch --tol 1e-8 --accuracy 1e-5 --at "x=1.1, x'=0" --period-guess 12; prints "period 12.00"
run 0 cycle "$b" --method smooth --tol 1e-8 --accuracy 1e-5 --at "x=1.1, x'=0" --period-guess 12; prints "period 11.989"
run 0 cycle "$models/forced-coulomb.yaml" --set w=0.7 --json; prints '"forced": true'

# no answer: 1; bad input: 2
run 1 cycle "$b" --at "x=0.625, x'=0" --period-guess 12; says "equilibrium"; prints_nothing
run 1 cycle "$b" --set v=0; says "comes to rest"
run 2 cycle "$b" --period-guess 0
run 2 cycle "$b" --period-guess -3
run 2 cycle "$b" --accuracy 0
run 2 cycle "$b" --forcing 3; says "does not depend on time"
run 2 cycle "$b" --perturbation 0 --method switch; says "must not be 0"
run 2 cycle "$b" --at "y=1"; says "unknown state"
run 2 cycle "$b" --stepper bdf; says "does not fit"
run 1 cycle "$b" --method smooth --eps 1e6 --set v=0
cat >ramp.yaml <<'END'
amontons: 1
name: ramp
coordinates: [x]
particles: {b: {mass: 1, at: [x, 0]}}
energy: {potential: x^2/2}
forces: {x: "-x' + if(sin(t) > 0.5, 1, 0)*cos(t^2)"}
END
run 2 cycle ramp.yaml; says "period is not known"

run 0 sensitivity "$b" --until 8 --for "k, v"; prints "with respect to v"; prints "eigenvalues"; silent
run 2 sensitivity "$b" --until 8 --for zz; says "no parameter 'zz'"
run 2 sensitivity "$b" --until -1; says "later than the start"
run 2 sensitivity "$models/violin-string.yaml" --until 0.001 --for m; says "follows from other parameters"
run 0 sensitivity "$models/violin-string.yaml" --until 0.001 --for d --json; prints '"rank"'
finish
