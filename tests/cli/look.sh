# SPDX-License-Identifier: Apache-2.0
# describe, evaluate and draw on every model; equations and numbers that can be told by hand.
. "$(dirname "$0")/lib.bash"
m=$models/block-on-belt.yaml

for f in "$models"/*.yaml; do
  run 0 describe "$f"; silent
  if grep -q '^particles\|^bodies\|kinetic:' "$f"; then prints "equations of motion"; else prints "0 degrees of freedom"; fi
  run 0 describe "$f" --json; silent; prints '"equations"'
  if "$amontons" contact "$f" 2>err | grep -q ": none, "; then  # a paradox at the start
    run 1 evaluate "$f"; says "no acceleration exists at this state"
  else
    run 0 evaluate "$f"; silent; prints "energy:"
    run 0 evaluate "$f" --json; silent; prints '"rates"'
  fi
  if grep -q -E '^(particles|bodies|draw):' "$f"; then
    run 0 draw "$f" --out d.svg; has_file d.svg
    head -1 d.svg | grep -q '^<svg ' || fail "svg of $f"
  else  # coefficients alone have no places
    run 1 draw "$f" --out d.svg; says "nothing to draw"
  fi
done

run 0 describe "$m"; prints "m*x'' = "; prints "k*x"; prints "slip velocity"; prints "x' - v"; prints "s/m"
run 0 describe "$m" --set k=7 --json; prints '"k": {"value": 7'

# stick: the force balances the spring; slip: F = Fs/(1 + delta*|slip|)
run 0 evaluate "$m" --at "x=0.3, x'=0.2" --json; prints '"mode": 0'; prints '"force": 0.3'; prints '"needed": 0.3'
run 0 evaluate "$m" --at "x=0, x'=0" --json; prints '"mode": -1'; prints '"force": 0.625'
run 0 evaluate "$m" --at "x=0, x'=0" --method smooth --eps 1e3 --json; prints '"method": "smooth"'
run 0 evaluate "$m" --at "x=0, x'=0" --method switch --json; prints '"method": "switch"'
run 2 evaluate "$m" --until 3; says "unknown option"
run 0 draw "$m"; prints "<svg"
run 2 draw "$m" --out d.png; says ".svg"; no_file d.png

# signs are folded, a model without a name goes by its file's
cat >weights.yaml <<'EOF'
amontons: 1
coordinates: [x, y]
parameters: {m: 1}
energy: {kinetic: m*(x'^2 + y'^2)/2, potential: 9.81*m*y - 3*x - (-2)*x*y}
outputs: {a: -x*(-3) - (-y), b: x - -2*y*m}
initial: {x: 1, y: 0}
EOF
run 0 describe weights.yaml; prints "weights"
grep -q -e '--' -e '- -' -e '+ -' out && fail "two signs in a row"

# a state inside a support is refused, given either way
run 2 simulate "$models/klarbring-mass.yaml" --at "u2=-0.1"; says "penetrate support plane"
run 2 simulate "$models/klarbring-mass.yaml" --set u2=-0.1; says "penetrates support plane"
finish
