# SPDX-License-Identifier: Apache-2.0
# limits: closed forms, changes between samples, wrong input.
. "$(dirname "$0")/lib.bash"

# near NUMBER...: the values of `at` in the last --json, in order, to 1e-12
near() {
  grep -o '"at": [-0-9.e+]*' out | cut -d' ' -f2 >got
  printf '%s\n' "$@" >want
  paste want got | awk 'NF != 2 { exit 1 } { d = $1 - $2; if (d < 0) d = -d; s = $1 < 0 ? -$1 : $1; if (s < 1) s = 1
    if (d > 1e-12 * s) exit 1 }' || fail "limits: expected $*, got $(tr '\n' ' ' <got)"
}

# trammel: paradoxes for 2 < tan(theta) < 10
t=$models/trammel.yaml
run 0 limits "$t" --vary theta=0.01:1.56 --of contact.class --at "theta'=1" --json
near 1.10714871779409050 1.47112767430373459; prints '"from": "unique", "to": "several"'; silent
run 0 limits "$t" --vary theta=0.01:1.56 --of contact.count --at "theta'=-1" --json
near 1.10714871779409050 1.47112767430373459; prints '"from": "1", "to": "0"'
# a band of theta much narrower than the samples: mu just above 2 sqrt(m1/m2) = 0.4472135955 is found,
# just below it is none
run 0 limits "$t" --vary theta=0.01:1.56 --of contact.class --at "theta'=1" --set mu=0.4472136 --points 11 --json
prints '"count": 2'
run 0 limits "$t" --vary theta=0.01:1.56 --of contact.class --at "theta'=1" --set mu=0.4472135 --points 11 --json
prints '"count": 0'; prints '"values": []'
# the same border from the side of mu
run 0 limits "$t" --vary mu=0:1 --of contact.class --at "theta=atan(2), theta'=1" --json; near 0.6
# R0 changes sign with the speed and the classes are exchanged; at rest the class is another
run 0 limits "$t" --vary "theta'=-6:6" --of contact.class --set theta=1.3 --json
prints '"count": 3'; prints '"at": 0,'; prints '"on": "unique"'

# Painleve-Klein: paradoxes begin at mu*M2*tan(phi) = M1 + M2
k=$models/painleve-klein.yaml
run 0 limits "$k" --vary mu=0.2:3 --of contact.class --at "q'=1" --json; near 0.77755913873641100
run 0 limits "$k" --vary phi=0.3:1.5 --of contact.class --at "q'=1" --json; near 1.10714871779409050
run 0 limits "$k" --vary mu=0.2:3 --of contact.mu_L.I --at "q'=1"; prints "positive everywhere"
run 0 limits "$k" --vary P1=-3:3 --json; prints '"of": "rest.verdict"'; prints '"from": "holds", "to": "several"'
run 0 limits "$k" --vary P1=-3:3; prints "2 changes"; prints "several  starts"

# a number that is not whole counts by its sign
run 0 limits "$k" --vary P1=-3:3 --of rest.margin --json; prints '"by_sign": true'; prints '"from": "positive", "to": "negative"'

# in a study, on an inline model: a block holds up to mu*N
cat >study.yaml <<'END'
title: pushed block
model:
  amontons: 1
  name: pushed
  parameters: {mu: 0.3, N: 10, F: 0}
  coordinates: [x]
  particles: {b: {mass: 1, at: [x, 0]}}
  forces: {x: F}
  contacts: {floor: {pressed: mu*N, slip: x', law: {type: coulomb, mu: 1}}}
cases:
  - case: limits
    limits: {vary: "F=-8:8"}
    expect: {"values[0].at": -3, "values[1].at": 3, "values[1].from": holds, "values[1].to": starts}
END
run 0 test study.yaml

run 2 limits "$k"; says "--vary NAME=FROM:TO"
run 2 limits "$k" --vary mu; says "NAME=FROM:TO"
run 2 limits "$k" --vary mu=1:0; says "ascend"
run 2 limits "$k" --vary nu=0:1; says "did you mean"
run 2 limits "$t" --vary mu=-1:1; says "must be >= 0"
run 2 limits "$k" --vary mu=0.1:1 --of rest.verdit; says "did you mean 'verdict'"
run 2 limits "$k" --vary mu=0.1:1 --of simulate; says "VERB.VALUE"
run 0 limits "$k" --vary mu=0.1:1 --of rest; prints "starts"; prints "holds"
run 2 limits "$k" --vary mu=0.1:1 --of rest.contacts; says "a list or a group"
run 2 limits "$k" --vary mu=0.1:1 --of limits.count; says "parameter to vary"
run 2 limits "$k" --vary mu=0.1:1 --with nonsense=1; says "unknown option"

# levels and extrema of a number: a spring's pull against its closed form, with a corner that no slope can tell
cat >wave.yaml <<'END'
amontons: 1
name: wave
parameters: {a: 1}
coordinates: [x]
particles: {p: {mass: 1, at: [x, 0]}}
outputs: {wave: "3 + sin(a)", corner: "abs(a - 0.7)", flat: 2.5 + 0*a}
END
run 0 limits wave.yaml --vary a=0:9 --points 31 --of evaluate.outputs.wave --level 3.5 --json; silent
near 0.523598775598298873 2.61799387799149437 6.80678408277788536 8.90117918517108085
run 0 limits wave.yaml --vary a=0:9 --points 31 --of evaluate.outputs.wave --extrema --json
near 1.57079632679489662 4.71238898038468986 7.85398163397448310; prints '"kind": "least"'; prints '"first": "positive"'
run 0 limits wave.yaml --vary a=0:9 --points 31 --of evaluate.outputs.wave --extrema
prints "largest 4 at a = 1.570796326"; prints "least 2 at a = 4.712388980"
run 0 limits wave.yaml --vary a=0:2 --points 8 --of evaluate.outputs.corner --level 0.1 --extrema; prints "at a = 0.7"
run 0 limits wave.yaml --vary a=0:2 --points 8 --of evaluate.outputs.flat --extrema --json; prints '"extrema": []'
run 2 limits "$k" --vary mu=0.1:1 --extrema; says "is no number anywhere"
run 2 limits "$k" --vary mu=0.1:1 --level 1; says "is no number anywhere"
run 0 limits wave.yaml --vary a=0:9 --points 5 --of simulate.ended --with until=1 max-steps=100; prints "until everywhere"

# limits of limits: the inertia from which the link has no paradoxes; one level, no map inside
run 0 limits "$models/link-mechanism.yaml" --set w0=0.001 P=0 --vary J=3:5 --points 3 --of limits.count \
  --with vary=phi0=0.02:3.12 of=contact.class points=100
prints "3.7305845954"
run 2 limits "$models/link-mechanism.yaml" --vary J=3:5 --of map.counts; says "cannot be asked here"
run 2 limits "$models/link-mechanism.yaml" --vary J=3:5 --of limits.count --with vary=phi0=1:2 of=limits.count; says "cannot be asked here"
# a value that does not exist is told before the samples are taken: they would take hours
timeout 60 "$amontons" limits "$models/block-on-belt.yaml" --vary v=0.1:0.3 --of cycle.perod --points 100000 >out 2>err
[ $? -eq 2 ] || fail "a wrong --of is told at once"
says "did you mean 'period'"

# slip that is driven: on a belt rest goes along with it, and the limit is the spring's pull of 1.1 N
run 0 limits "$models/block-on-belt.yaml" --vary Fs=0.1:2.6 --json; near 1.1
prints '"from": "starts", "to": "holds"'; prints '"how": "exact"'
run 0 limits "$models/chain.yaml" --vary Fs=0.1:4 --json; near 1.17
run 0 limits "$models/hump.yaml" --vary F0=0.1:3 --json; near 1.204

# a measured number that is whole at all samples is still a number; a count is a verdict
run 0 limits "$models/block-on-belt.yaml" --vary x=-3:3 --points 7 --of evaluate.outputs.spring_force --json
near 0; prints '"by_sign": true'
run 0 limits "$models/block-on-belt.yaml" --vary x=-3:3 --points 7 --of evaluate.outputs.spring_force --level 1 --json
near 1
timeout 60 "$amontons" limits "$models/spatial-mass-load.yaml" --vary mu=0.01:100 --of quasistatic.D_min \
  --set k11=1e8 k12=1e8 k22=2e8 k13=-1e8 k23=-2e8 k33=3e8 --json >out 2>err || fail "large numbers take a while"
near 1

# between two samples the number passes its level and comes back
run 0 limits wave.yaml --vary a=0:9 --points 12 --of evaluate.outputs.wave --level 3.999 --json
prints '"count": 4'

# where the model refuses there is no answer, also in a range that no sample meets; the initial time moves along
cat >refused.yaml <<'END'
amontons: 1
name: refused
parameters: {F: 0, a: 0}
require: ["abs(F - 1.2345) > 1e-2"]
coordinates: [x]
particles: {b: {mass: 1, at: [x, 0]}}
forces: {x: F + 8*sin(t)}
contacts: {floor: {pressed: 3, slip: x', law: {type: coulomb, mu: 1}}}
initial: {time: a}
outputs: {late: t - 1}
END
run 0 limits refused.yaml --vary F=-8:8 --points 11 --json; near -3 1.2245 1.2445 3
run 0 limits refused.yaml --vary a=0:3 --of evaluate.outputs.late --json; near 1
run 0 limits refused.yaml --vary a=0:3 --json; near 0.384396774495638748 2.75719587909415442

# what a search cannot settle is no limit: sign of a number that is noise
cat >noise.yaml <<'END'
amontons: 1
name: noise
parameters: {a: 1}
coordinates: [x]
particles: {p: {mass: 1, at: [x, 0]}}
outputs: {rounding: "sin(1e17*a)", fast: "sin(300*a)"}
END
run 0 limits noise.yaml --vary a=0:1 --points 20 --of evaluate.outputs.rounding
prints "not settled"; prints "come and go"
run 0 limits noise.yaml --vary a=0.001:1 --of evaluate.outputs.fast --json; prints '"count": 95'; prints '"unsettled": []'
run 2 limits noise.yaml --vary a=0:1 --points 300000 --of evaluate.outputs.fast; says "200000"
finish
