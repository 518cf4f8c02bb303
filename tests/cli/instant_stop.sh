# SPDX-License-Identifier: Apache-2.0
# A rod that slides on a rough support may stop at once where the support pushes for it; a stop for which it had to pull is not offered.
set -eu
cat > rod.yaml <<'Y'
amontons: 1
parameters: {l: 1, mu: 4, th0: 1}
coordinates: [x, y, th]
gravity: 9.81
bodies: {rod: {mass: 1, inertia: 1/3, at: [x, y], angle: th}}
contacts: {tip: {support: {point: {on: rod, at: [-l, 0]}, line: {through: [0, 0], along: 0}}, law: {type: coulomb, mu: mu}}}
initial: {y: l*sin(th0), th: th0, x': -1}
Y
"$AMONTONS" contact rod.yaml >told
grep -q "the slip stops at once: impulses 0.34" told
for mu in 4 1000; do  # it runs on: stops at once, pushed by that impulse, and sticks
  "$AMONTONS" simulate rod.yaml --set mu=$mu --until 0.5 --json > run.json
  grep -q '"ended": "until"' run.json
  grep -q '"impulse": 0.340986535' run.json
  grep -q '"why": "the slip has no solution"' run.json
done
for rod in "x'=1" "th0=2.1"; do
  "$AMONTONS" contact rod.yaml --set "$rod" > told
  ! grep -q "instant stop" told || { echo "a pulling stop with $rod"; exit 1; }
done
