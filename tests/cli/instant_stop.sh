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
"$AMONTONS" contact rod.yaml | grep -q "an instant stop is possible too: impulses 0.34"
for rod in "x'=1" "th0=2.1"; do
  "$AMONTONS" contact rod.yaml --set "$rod" > told
  ! grep -q "instant stop" told || { echo "a pulling stop with $rod"; exit 1; }
done
