# SPDX-License-Identifier: Apache-2.0
# brake, the region of rest, and limits through both: closed forms, drawings, wrong input.
. "$(dirname "$0")/lib.bash"
c=$models/crank.yaml
k=$models/link-mechanism.yaml
p=$models/painleve-klein-plate.yaml

# the arc |sin phi| >= l/(r sqrt(1 + mu^2)) of the crank
run 0 limits "$c" --set r=1 l=1.2 mu=1 --vary phi=0.1:3.1 --of brake.points.crank.class --json
prints '"count": 2'; prints '"at": 1.01319750009'; prints '"at": 2.12839515349'; prints '"from": "debraking", "to": "self-braking"'
# along the cycle of the link: the link angle follows the crank
run 0 limits "$k" --vary phi=0.1:6.2 --of brake.points.carriage.class --json
prints '"count": 4'; prints '"at": 1.97726637'; prints '"at": 4.3059189'
run 0 map "$k" --x phi=0.1:6.2 --y mu=0.1:1 --of brake.points.carriage.class --size 12x6 --json
prints '"self-braking"'; prints '"debraking"'
run 0 map "$p" --x xi=-1:1 --y y=-2:2 --of brake.points.F.psi_deg --size 9x9 --json; silent

# points in every spelling
run 0 brake "$c" --at phi=1 --point "A=crank[r/2, 0]" "[r*cos(phi), r*sin(phi)]" --json
prints '"A": {'; prints '"P": {'; silent
run 0 brake "$c" --at phi=1 --point "A={on: crank, at: [r/2, 0]}" --point B=T --json; prints '"A": {'; prints '"B": {'
run 0 brake "$k" --at phi=1.1; prints "carriage"; prints "stagnation angle"

# a field, and its drawing
run 0 brake "$p" --set mu=1 "phi=atan(3)" --field plate --size 11x11 --range "-1:1,-2:1" --plot field.svg
prints "ambiguous"; prints "off one line every point is debraking"; has_file field.svg; no_leftovers
grep -q "A+" field.svg || fail "the drawing lacks the pole A+"
run 0 brake "$c" --at phi=1.5 --set r=1 l=1.2 mu=1 --field crank --json; prints '"parallel": "everywhere"'

# the region of loads
run 0 rest "$models/painleve-klein.yaml" --set mu=1 "phi=atan(3)" --region P1=-6:6 P2=-2:2 --plot region.svg --json
prints '"how": "exact"'; prints '"vertices"'; has_file region.svg
run 0 rest "$k" --region M=-300:300; prints "rest is possible for"
# what becomes of a solution under compliance is told by contact; rest only says that it does not last
cat >three.yaml <<'MODEL'
amontons: 1
name: r
parameters: {Fx: 0, Fy: 0, Mz: 0}
coordinates: [x, y, f]
bodies: {b: {mass: 1.43, inertia: 0.4, at: [x, y], angle: f}}
gravity: 5.21
loads:
  F: {on: b, force: [Fx, Fy]}
  M: {on: b, moment: Mz}
contacts:
  c0: {guide: {point: {on: b, at: [0.91, 0.17]}, line: {through: [0.91, 0.17], along: -2.45}}, law: {type: coulomb, mu: 1.01}}
  c1: {guide: {point: {on: b, at: [0.05, 0.12]}, line: {through: [0.05, 0.12], along: 2.13}}, law: {type: coulomb, mu: 0.91}}
  c2: {support: {point: {on: b, at: [0.79, 0.66]}, line: {through: [0.79, 0.66], along: -1.29}}, law: {type: coulomb, mu: 0.32}}
initial: {x: 0, y: 0, f: 0}
MODEL
run 0 contact three.yaml --set Fx=-15.9603 Fy=23.9171 Mz=-2.71; prints "no (flutter)"
run 0 rest three.yaml --set Fx=-15.9603 Fy=23.9171 Mz=-2.71; prints "slip and open"; lacks "saddle"
run 0 limits "$models/painleve-klein.yaml" --vary P1=-3:3 --json; prints '"how": "exact"'; prints '"evaluations": 16'
run 0 limits "$models/painleve-klein.yaml" --vary phi=0.5:1.4 --json; prints '"how": "bracketed"'

# wrong input
run 2 brake; says "model"
run 2 brake "$c" --at w=1; says "unknown state"
run 2 brake "$c" --point "A=[phi, w]"; says "w"
run 2 brake "$c" --point "A=[phi]"; says "[x, y]"
run 2 brake "$c" --point "A=[phi, 1, 2, 3]"; says "[x, y]"
run 2 brake "$c" --point "A=crak"; says "did you mean 'crank'"
run 2 brake "$c" --point "A=T[1, 2]"; says "has no axes"
run 2 brake "$c" --point "A=crank[1, phi]"; says "phi"
run 2 brake "$c" --point "A="; says "NAME=VALUE"
run 2 brake "$c" --point "A=[phi,"; says "--point"
run 2 brake "$c" --field T; says "has no axes"
run 2 brake "$c" --field crank --size 3; says "NxM"
run 2 brake "$c" --field crank --range 1:0,0:1; says "ascend"
run 2 brake "$c" --field crank --range 1; says "X0:X1,Y0:Y1"
run 2 brake "$c" --plot x.png; says ".svg"; no_file x.png
run 2 brake "$k" --at "phi=1.1, psi=0.9"; says "do not fit T"
run 1 brake "$c" --set mu=0; says "self-braking is not defined here: no contact has friction"
run 1 brake "$models/block-on-belt.yaml"; says "slides although"
run 2 rest "$k" --region; says "--region"
run 2 rest "$k" --region mu=0.1:1; says "linearly"
run 2 rest "$k" --region phi0=0:1; says "linearly"
run 2 rest "$k" --region M=0:1 P=0:1 m=1:2; says "one or two"
run 2 rest "$k" --region M=1:0; says "ascend"
run 2 rest "$k" --region phi=0:1; says "is a state"
run 2 rest "$k" --plot r.svg; says "--region"; no_file r.svg
finish
