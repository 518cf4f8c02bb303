# SPDX-License-Identifier: Apache-2.0
# draw: reactions, shapes of the section `draw`, sketches as figures of studies.
. "$(dirname "$0")/lib.bash"
m=$models/block-on-belt.yaml
run 2 draw "$m" --window 1,2,3; says "four numbers"

# R = -F*cos(phi), friction mu*R by hand; several solutions are said, and none
run 0 draw "$models/particle-pushed.yaml" --json; prints '"reaction": 8.775825618903728'; prints ">R = 8.776<"
prints ">F = 2.633<"
run 0 draw "$models/particle-pushed.yaml" --reactions off --json; lacks ">R = "
run 0 draw "$models/painleve-klein.yaml" --set phi=1.3 mu=1 --at "q'=-1" --json; prints "reactions of solution"
run 0 draw "$models/painleve-klein.yaml" --json; prints "no solution of the contact problem"

# nothing has a place: said, and no file that looks like a drawing
cat >void.yaml <<'EOF'
amontons: 1
coordinates: [x]
energy: {kinetic: x'^2/2}
EOF
run 1 draw void.yaml --out e.svg; says "nothing to draw"; no_file e.svg

# every kind of shape
cat >shapes.yaml <<'EOF'
amontons: 1
coordinates: [x, y]
particles: {p: {mass: 1, at: [x, y]}}
gravity: 9.81
contacts: {c: {guide: y, slip: x', law: {type: coulomb, mu: 0.1}}}
draw:
  floor: {line: [[-1, 0], [1, 0]], style: ground, label: "a < b & c"}
  s: {spring: [[-1, 0], p]}
  d: {damper: [[-1, 1], [x, 1]]}
  v: {arrow: [p, [x + 1, y]], label: v}
  o: {circle: p, radius: 0.5, style: dashed}
  k: {curve: [1 + s, s^2], from: 1, to: 3}
  b: {block: p, size: [0.2, 0.1], angle: x}
  O: {point: [0, 0]}
  F: {force: [1, 0], at: p}
  N: {force: [0, 2*c.reaction], at: p}
  M: {moment: -2, at: [0, 0]}
  cc: {contact: c, at: p, along: [1, 0]}
initial: {x: 0.25}
EOF
cat >shapes-study.yaml <<'EOF'
model: shapes.yaml
draw: {}
expect:
  - draw.shapes.k.points[0]: [2, 1]
  - draw.shapes.k.points[1]: [4, 9]
  - draw.shapes.o.points[0]: [0.25, 0]
  - draw.shapes.N.force: [0, 19.62]
  - draw.parts.p: [0.25, 0]
  - draw.reactions.c: {reaction: 9.81, friction: 0}
  - draw.reactions.c.normal: [0, 1]
  - draw.class: unique
EOF
run 0 test shapes-study.yaml; prints "9 passed, 0 failed"
run 0 draw shapes.yaml; silent; prints "a &lt; b"; prints ">N = 19.62<"

# a guide by expression is traced
cat >bead.yaml <<'EOF'
amontons: 1
coordinates: [x, y]
gravity: 9.81
particles: {bead: {mass: 1, at: [x, y]}}
contacts: {wire: {guide: y = 0.3*x, slip: x' + 0.3*y', law: {type: coulomb, mu: 0.2}, on: bead}}
EOF
run 0 draw bead.yaml --reactions off; silent
# the path of the bead: a straight line of slope 0.3, so py = -0.3 px at both ends of the longest path
sed -n 's/^<path d="M\([-0-9.]*\) \([-0-9.]*\) L.* L\([-0-9.]*\) \([-0-9.]*\)".*/\1 \2 \3 \4/p' out | awk '
  $3 - $1 > 150 { d = ($4 - $2) / ($3 - $1) + 0.3; found = d * d < 1e-6 } END { exit !found }' || fail "traced guide"

# what is wrong with shapes, all in one go
cat >wrong.yaml <<'EOF'
amontons: 1
coordinates: [x]
particles: {p: {mass: 1, at: [x, 0]}}
draw:
  a: {line: [[0, 0]]}
  b: {circle: p}
  c: {label: nothing}
  d: {line: [p, [0, 0]], circle: p, radius: 1}
  e: {contact: none, at: p, along: [1, 0]}
  f: {force: [1, 0]}
EOF
run 2 draw wrong.yaml; says "wrong.yaml:5"; says "two or more points"; says "has no 'radius'"
says "does not say what it is"; says "is two things"; says "no contact of this name"; says "has no 'at'"

# a study's figure: one sketch, a strip, an animation
mkdir -p g
for f in "draw: frames, item: 1" "draw: frames, columns: 2" "draw: frames, animate: 2"; do
  cat >g/film.yaml <<EOF
study: film
model: $models/crank.yaml
runs: {frames: {draw: {window: "-0.3,0.7,-0.3,0.3"}, over: {phi: [0, 1, 2]}}}
expect: ["length(frames) == 3"]
figure: {$f}
EOF
  run 0 reproduce film --gallery g --out figures; has_file figures/film.svg
  case $f in
    *item*) n=1 ;;
    *) n=4 ;;
  esac
  [ "$(grep -c '<svg ' figures/film.svg)" = $n ] || fail "$f: drawings in it"
done
grep -q "<animate " figures/film.svg || fail "no animation"
# labels keep clear of each other: letters of 16 px, taken as 7.5 px wide and 13 px high
labels_apart() {
  sed -n 's/^<text x="\([-0-9.]*\)" y="\([-0-9.]*\)" text-anchor="\([a-z]*\)"[^>]*>\(.*\)<\/text>$/\1\t\2\t\3\t\4/p' "$1" |
    awk -F'\t' '{ gsub(/&[a-z]*;/, "x", $4); w = 7.5*length($4); x = $1 - ($3 == "middle" ? w/2 : $3 == "end" ? w : 0)
        for (i = 1; i < NR; i++)
          if (x < right[i] && left[i] < x + w && $2 - 11 < low[i] && low[i] - 13 < $2 + 2) {
            print $4 " covers " text[i]; bad = 1 }
        left[NR] = x; right[NR] = x + w; low[NR] = $2 + 2; text[NR] = $4 }
      END { exit bad || NR == 0 }' >out || fail "labels of $1"
}
for name in epicyclic-pair gear-pair helix-cylinder lecornu-soft painleve-klein-plate particle-on-curve stacker-motor stacker-rigid; do
  run 0 draw "$models/$name.yaml" --out "$name.svg"; labels_apart "$name.svg"
done
for name in epicyclic-pair link-mechanism painleve-klein-plate particle-pushed; do
  run 0 brake "$models/$name.yaml" --plot "$name.svg"; labels_apart "$name.svg"
done
cat >crowd.yaml <<'EOF'
amontons: 1
coordinates: [x]
particles: {p: {mass: 1, at: [x, 0]}}
draw:
  floor: {line: [[-1, -1], [1, 1]]}
  first: {point: [0, 0]}
  second: {point: [0, 0]}
  third: {point: [0.01, 0]}
  fourth: {point: [0, 0.01]}
  fifth: {point: [0.02, 0.01]}
EOF
run 0 draw crowd.yaml --out crowd.svg; labels_apart crowd.svg
finish
