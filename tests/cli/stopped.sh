# SPDX-License-Identifier: Apache-2.0
# A run that cannot go on says which condition failed.
. "$(dirname "$0")/lib.bash"

cat >mass.yaml <<'END'
amontons: 1
coordinates: [x, y]
energy: {kinetic: "(if(t < 1, 1, -1)*x'^2 + y'^2 + x'*y')/2"}
contacts: {c: {pressed: 1, slip: x' - y', law: {type: coulomb, mu: 0.3}}}
initial: {x': 1}
END
run 1 simulate mass.yaml --until 2; says "at t = 1 the mass matrix is not positive definite"

run 1 simulate "$models/gear-pair-driven.yaml"; says "no combination of modes satisfies the contact conditions"
! grep -q "mass matrix" err || fail "both reasons at once"

# a support that is not there while it is open says so, as every other verb does
run 0 evaluate "$models/bouncing-ball.yaml" --json; prints '"modes": {"floor": "open"}'
run 0 evaluate "$models/bouncing-ball.yaml"; prints open
finish
