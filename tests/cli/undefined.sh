# SPDX-License-Identifier: Apache-2.0
# What is not a number stays none: it does not vanish in a choice. And derivatives go through derived parameters.
. "$(dirname "$0")/lib.bash"
model() {  # FORCE [LINES]
  printf 'amontons: 1\nname: m\nparameters: {a: 2, b: a^2, l: 2}\ncoordinates: {x: {}}\n'
  printf 'particles: {p: {mass: 1, at: [x, 0]}}\nforces: {x: "%s"}\ninitial: {x: 1}\n%s\n' "$1" "$2"
}
for f in "max(0.1, sqrt(x))" "min(sqrt(x), 3)" "clamp(sqrt(x), 0, 1)" "if(sqrt(x) < 1, 1, 2)" "if(log(x) >= 1, 1, 2)" "sign(sqrt(x))" \
         "if(not (sqrt(x) > 1), 1, 2)" "if(sqrt(x) < 1 and x > 0, 1, 2)" "table(sqrt(x), 0,1, 1,2, 2,5)"; do
  model "$f" >m.yaml
  run 0 simulate m.yaml --until 0.01
  run 1 simulate m.yaml --at x=-1.5 --until 0.01; says "the force on x has no finite value"
done
# a condition that fails guards what follows it, and a branch that is not taken need not be defined
for f in "if(x > 0 and sqrt(x) < 1, 1, 2)" "if(x <= 0 or sqrt(x) < 1, 1, 2)" "if(x > 0, sqrt(x), 0)"; do
  model "$f" >m.yaml
  run 0 simulate m.yaml --at x=-1 --until 0.01
done
# nor does a rate that is none, or infinite at all times
for rate in "1/0" "1/(z - 1)" "log(z - 1)" "sqrt(-z)" "if(log(-z) > 0, 1, 2)"; do
  model 0 "states: {z: \"$rate\"}" | sed 's/initial: {x: 1}/initial: {x: 1, z: 1}/' >m.yaml
  run 1 simulate m.yaml --until 1; says "stopped at t = 0: "; prints "z = 1"
done

model 0 'require: ["sqrt(l - 1) < 3"]' >m.yaml
run 0 describe m.yaml; run 2 describe m.yaml --set l=0.5; says "the model requires sqrt(l - 1) < 3"

# d/da (b x) with b = a^2 is 2 a x
model 0 'outputs: {d: {value: "diff(b*x, a)"}, e: {value: "diff(b*x, b)"}, f: {value: "diff(diff(b^2*x, a), a)"}, g: {value: "diff(sin(a)*b, a)"}}' >m.yaml
run 0 evaluate m.yaml --at x=1.5 --set a=3 --json
python3 - <<'EOF2' || fail "derivatives by a parameter"
import json, math
o = json.load(open("out"))["outputs"]
assert abs(o["d"] - 9) < 1e-14 and abs(o["e"] - 1.5) < 1e-15 and abs(o["f"] - 12 * 9 * 1.5) < 1e-12, o
assert abs(o["g"] - (math.cos(3) * 9 + math.sin(3) * 6)) < 1e-13, o
EOF2
finish
