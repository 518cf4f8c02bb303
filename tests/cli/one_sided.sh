# SPDX-License-Identifier: Apache-2.0
# Derivatives where they hold to one side only, where a coordinate moves only by rounding, and exactly at a steady motion.
set -eu

# A load that begins at the limit of friction: right for changes along the slip, and said to be one-sided.
cat > ramp.yaml <<'M'
amontons: 1
name: ramp
coordinates: [x]
parameters: {c: 0.5, mu: 1}
particles: {block: {mass: 1, at: [x, 0]}}
springs: {s: {along: x, stiffness: 1}}
forces: {x: mu + c*t}
contacts: {floor: {pressed: 1, slip: x', law: {type: coulomb, mu: mu}}}
M
"$AMONTONS" sensitivity ramp.yaml --until 10 --json > ramp.json 2> ramp.err
grep -q '"one_sided": true' ramp.json
grep -q 'one-sided' ramp.err
grep -q '0.54402111088' ramp.json  # (sin 10, cos 10)
grep -q '"rank": 2' ramp.json

# A load above the limit: from rest friction would turn with a velocity of the other sign, so that start is a border too; in motion it is none.
sed 's/mu + c\*t/2*mu + c*t/' ramp.yaml > above.yaml
"$AMONTONS" sensitivity above.yaml --until 10 --json 2>&1 | grep -q '"one_sided": true'
"$AMONTONS" sensitivity above.yaml --until 10 --set "x'=0.1" --json 2>&1 | grep -q '"one_sided": false'

# A slip that touches zero: one-sided, whatever the tolerance.
cat > touch.yaml <<'M'
amontons: 1
name: touch
coordinates: [x]
particles: {b: {mass: 1, at: [x, 0]}}
forces: {x: 2*sin(t) + 0.7}
contacts: {c: {pressed: 1, slip: x', law: {type: coulomb, mu: 0.7}}}
initial: {x': 2*(1 - cos(1)), time: 1}
M
for tol in 1e-8 1e-12 1e-14; do
  "$AMONTONS" sensitivity touch.yaml --until 10 --tol $tol --json 2>&1 | grep -q '"grazing": true'
done

# Steady sliding, started exactly there: x'' + 0.3 x' + x = mu, exponents -0.15.
cat > belt.yaml <<'M'
amontons: 1
name: belt
parameters: {v: 1, mu: 0.5}
coordinates: [x]
particles: {b: {mass: 1, at: [x, 0]}}
springs: {s: {along: x, stiffness: 1}}
energy: {dissipation: 0.15*x'^2}
contacts: {c: {pressed: 1, slip: "x' - v", law: {type: coulomb, mu: mu}}}
initial: {x: mu}
M
"$AMONTONS" lyapunov belt.yaml --until 10000 > belt.txt
[ "$(grep -c '^ *-0\.1[45]' belt.txt)" = 2 ]

# A parallelogram: the coupler turns only by rounding. As the pendulum that it is.
cat > parallelogram.yaml <<'M'
amontons: 1
name: parallelogram
coordinates: [a, b, p]
particles: {l: {mass: 1, at: [sin(a), -cos(a)]}, r: {mass: 1, at: [2 + sin(b), -cos(b)]}}
energy: {potential: "-9.81*(cos(a) + cos(b))"}
constraints: {x: "sin(a) + 2*cos(p) - 2 - sin(b)", y: "-cos(a) + 2*sin(p) + cos(b)"}
initial: {a: 0.3, b: 0.3}
M
"$AMONTONS" sensitivity parallelogram.yaml --until 5 > parallelogram.txt
! grep -q singular parallelogram.txt
