# SPDX-License-Identifier: Apache-2.0
# steady and quasistatic: answers, modes, files, what has no answer, wrong input; boundaries of maps.
. "$(dirname "$0")/lib.bash"
belt=$models/block-on-belt.yaml

# ---- steady ----
run 0 steady "$belt" --set v=0.5; silent; prints "unstable"; prints "growth rate 0.24"
run 0 steady "$belt" --set v=0.5 --json; silent; prints '"growth": 0.24'; prints '"stable": false'; prints '"H2": 1'
run 0 steady "$belt" --at "x=5, x'=-1" --set v=0.5 --json; prints '"growth": 0.24'
run 0 steady "$belt" --modes belt=slip-; prints "x = 0.625"
run 1 steady "$belt" --modes belt=stick; says "no steady state"
run 1 steady "$belt" --modes belt=slip+; says "against its direction"
run 0 steady "$belt" --all --search x=-3:3 --points 5 --json; prints '"count": 1'
run 1 steady "$models/forced-coulomb.yaml"; says "loads change in time"
run 2 steady "$belt" --modes rail=slip; says "no contact 'rail'"
run 2 steady "$belt" --modes belt=glued; says "cannot be 'glued'"
run 2 steady "$belt" --search x=1:2; says "--all"
run 2 steady "$belt" --all --search w=1:2; says "no state 'w'"
run 2 steady "$belt" --all --search x=1; says "FROM:TO"
# at rest on more contacts than the balance needs: the forces are those that rest and simulate share out
run 0 steady "$models/ladder.yaml" --json; prints '"verdict": "stable"'; prints 96.158168; prints 30.247807
run 0 steady "$models/gate.yaml"; prints "19.42857143  -5.714285714"
run 0 rest "$models/gate.yaml"; prints "19.42857143  -5.714285714"
run 0 steady "$models/sliding-cube.yaml"; prints "y = 0.05"; prints 4.905
# the critical speed of the hump: where its friction curve has its minimum
run 0 limits "$models/hump.yaml" --of steady.stable --vary v=0.05:3 --json; prints '"values"'

# ---- boundaries traced on a map: the friction curve's slope changes its sign with v only ----
run 0 map "$models/spatial-mass.yaml" --x theta=0:6.28 --y mu=0.05:1.5 --size 30x20 --of steady.criteria.D --contours 0 --contours-csv c.csv --json
prints '"contours"'; prints '"closed": false'; has_file c.csv
# D = d3 - mu*(d1 cos + d2 sin) with d = (0, 1, 1): every point lies on mu sin(theta) = 1
awk -F, 'NR > 1 { d = $4*sin($3) - 1; if (d > 1e-9 || d < -1e-9) { print; exit 1 } }' c.csv >out || fail "c.csv against the closed form"
[ "$(wc -l <c.csv)" -gt 20 ] || fail "points of c.csv"
run 0 map "$models/spatial-mass.yaml" --x theta=0:6.28 --y mu=0.05:1.5 --size 20x12 --of steady.stable --contours all --json; prints '"verdict"'
run 2 map "$models/spatial-mass.yaml" --x theta=0:6.28 --y mu=0.05:1.5 --size 8x6 --of steady.stable --contours maybe; says "does not occur"

# ---- quasistatic ----
k=$models/klarbring-mass.yaml
run 0 quasistatic "$k" --set mu=1.25 C1=-1 C2=-0.9; prints "several (stick+slip-+open)"
run 0 quasistatic "$k" --rate --set mu=1.25 F1=-1.25 F2=-1 C1=-1 C2=0 --json; prints '"class": "none"'
run 0 quasistatic "$k" --sectors C1,C2 --set mu=1.25; prints "218.6598083"; prints "stick+slip-+open"
run 0 quasistatic "$k" --set mu=0.25 C1=1 C2=-1 --until 3 --csv p.csv; has_file p.csv; prints "slip+"
head -1 p.csv | grep -q "^t,u1,u2,plane.normal,plane.force,plane.bound,plane.gap,plane.mode$" || fail "head of p.csv"
run 0 quasistatic "$models/spatial-mass-load.yaml" --set C1=0.5 C2=0.3 mu=0.5 --until 4 --json; prints '"status": "ok"'; prints '"audit"'
if command -v gnuplot >/dev/null; then
  run 0 quasistatic "$k" --set mu=0.25 C1=1 C2=-1 --until 3 --plot p.svg; has_file p.svg; has_file p.gp
fi
run 1 quasistatic "$k" --set k12=2; says "positive definite"
run 0 quasistatic "$k" --set k12=2 --unstable
run 1 quasistatic "$k" --set F1=5 F2=-1 --until 1; says "would need a friction of 5"
run 1 quasistatic "$k" --set k11=1 k12=1 k22=1; says "singular: nothing holds what would move"
# ten masses that no spring joins are ten questions, not 3^10
python3 - >masses.yaml <<'END'
n = range(10)
print("amontons: 1\ncoordinates: [%s]" % ", ".join("x%d, y%d, z%d" % (i, i, i) for i in n))
print("energy:\n  kinetic: " + " + ".join("(x%d'^2 + y%d'^2 + z%d'^2)/2" % (i, i, i) for i in n))
print("  potential: " + " + ".join("(x%d^2 + 2*y%d^2 + 3*z%d^2)/2 - x%d*z%d/3" % (i, i, i, i, i) for i in n))
print("forces: {%s}" % ", ".join("x%d: %g*t, z%d: -t" % (i, 0.09 * i, i) for i in n))
print("contacts:")
for i in n:
    print("  c%d: {support: z%d, slip: [x%d', y%d'], law: {type: coulomb, mu: 0.5}}" % (i, i, i, i))
END
run 0 quasistatic masses.yaml --rate; prints "unique (c0:stick c1:stick c2:stick c3:stick c4:stick c5:"; prints "c6:slip c7:slip c8:slip c9:slip"
run 2 quasistatic "$k" --until 1 --rate; says "ask twice"
run 2 quasistatic "$k" --until -1; says "until must be later than the start"
run 2 quasistatic "$k" --sectors C1; says "two parameters"
run 2 quasistatic "$k" --sectors C1,Q; says "no parameter 'Q'"
run 2 quasistatic "$k" --until 1 --plot p.gif; says ".svg"
no_leftovers

# eigenvalues eighteen powers of ten apart: a fault with rate-and-state friction, stable above k = 3.125e7 N/m
cat >fault.yaml <<'END'
amontons: 1
name: fault
parameters: {m: 1e4, eta: 4.6e6, k: 1.5e7, sig: 50e6, mu0: 0.6, a: 0.01, b: 0.015, Dc: 0.008, V0: 1e-6, V: 1e-9}
coordinates: [z]
energy: {kinetic: m*z'^2/2, potential: k*z^2/2}
forces: {z: -eta*(z' + V)}
contacts:
  fault:
    pressed: sig
    slip: z' + V
    law:
      type: general
      static: 0
      kinetic: a*log(s/(2*V0)*exp((mu0 + b*log(V0*theta/Dc))/a) + sqrt(1 + (s/(2*V0)*exp((mu0 + b*log(V0*theta/Dc))/a))^2))
      states: {theta: {stick: 1, slip: 1 - s*theta/Dc, initial: Dc/V}}
initial: {z: -mu0*sig/k + 0.01}
END
run 0 steady fault.yaml --set k=5e7 z=-0.6; prints "is stable, growth rate -1.87500004"; prints "1.10219949"
run 0 limits fault.yaml --set z=-0.6 --vary k=1e7:1e8 --of steady.verdict --points 40; prints "1 change"; prints "31249999.42"

# a coin that rolls upright: zeros of positions and of conserved quantities stay zeros; one change at sqrt(g/(3 R))
cat >coin.yaml <<'END'
amontons: 1
name: coin
parameters: {m: 1, R: 0.1, g: 9.81, mu: 0.8, w: 4}
coordinates: [X, Y, Z, psi, th, phi]
energy:
  kinetic: "m*(X'^2 + Y'^2 + Z'^2)/2 + m*R^2/8*(th'^2 + psi'^2*cos(th)^2) + m*R^2/4*(phi' + psi'*sin(th))^2"
  potential: m*g*Z
contacts:
  floor:
    support: Z - R*cos(th)
    slip: ["X'*cos(psi) + Y'*sin(psi) - R*(phi' + psi'*sin(th))", "-X'*sin(psi) + Y'*cos(psi) + R*th'*cos(th)"]
    law: {type: coulomb, mu: mu}
initial: {Z: R, X': R*w, phi': w}
END
run 0 limits coin.yaml --vary w=1:20 --of steady.verdict --points 20; prints "1 change"; prints "5.718391"

# two undamped frequencies meet at mu = 0.14433756730: flutter; with the belt the other way they never do
cat >coupling.yaml <<'END'
amontons: 1
name: coupling
parameters: {m: 1, k1: 2*pi, k2: 1.3333333333*2*pi, k3: 2*pi*4/3, mu: 0.3, v: 1, P: 1, a1: 150*pi/180, a2: 30*pi/180}
coordinates: [x, y]
particles: {mass: {mass: m, at: [x, y]}}
springs:
  s1: {along: x*cos(a1) + y*sin(a1), stiffness: k1}
  s2: {along: x*cos(a2) + y*sin(a2), stiffness: k2}
forces: {y: -P}
contacts:
  belt: {support: y, stiffness: k3, slip: x' - v, law: {type: coulomb, mu: mu}}
initial: {x: 0, y: -0.01}
END
run 0 continue coupling.yaml --of steady --set v=-1 --vary mu=0.01:0.5; prints "0.14433756729"; prints "flutter"
run 0 continue coupling.yaml --of steady --vary mu=0.1:1.5; prints "nothing special"
run 0 limits coupling.yaml --of steady.verdict --set v=-1 --vary mu=0.01:0.5 --points 30; prints "0.14433756729"

# a disc that turns is followed; where the pad begins to squeal has a closed form for the pair of the pad
cat >disc.yaml <<'END'
amontons: 1
name: disc
parameters: {J: 1, m: 1, k: 1, mu: 0.3, N: 1, c: 0.05, T: 0.5, s1: -0.02, d: 0.1}
coordinates: [x, phi]
energy: {kinetic: m*x'^2/2 + J*phi'^2/2, potential: k*x^2/2}
dampers: {c: {along: x, damping: c}, d: {along: phi, damping: d}}
forces: {phi: T}
contacts: {pad: {pressed: N, slip: x' - phi', law: {type: curve, static: mu, kinetic: mu + s1*s}}}
initial: {phi': 2}
END
run 0 continue disc.yaml --of steady --vary s1=-0.02:-0.09; prints "hopf"; prints "0.04987531637"
run 0 limits disc.yaml --of steady.verdict --vary s1=-0.09:-0.02 --points 20; prints "0.04987531637"

# a path tells how well it meets the laws, and nothing of events where there are none
run 0 quasistatic "$models/klarbring-mass.yaml" --set mu=0.25 C1=1 C2=-1 --until 3; prints "no event"; prints "audit  passed"
run 0 quasistatic "$models/spatial-mass-load.yaml" --set C1=0.5 C2=0.3 mu=0.5 --until 4; prints "audit  passed"

# the search finds the same steady motions from any start
for v in 0 0.5 0.97 -3; do
  run 0 steady "$models/hump.yaml" --all --at "x'=$v"; prints "x = 1.0147151776468"
done
run 0 limits "$models/generic-pair.yaml" --of steady.verdict --set A22=1.8237 --vary p=0.4699:1.574 --points 100
prints "2 changes"; prints "0.75  stable"

# the switch method draws slips to zero at the lowest natural frequency: sqrt(3/2), and 3 of a pair of 3 and 10
run 0 evaluate "$models/block-on-belt.yaml" --set m=2 k=3 v=0.4 Fs=1.5 delta=2 --at "x=0.3, x'=0.400003" --method switch --eta 1e-5
prints "-3.67423461"
finish
