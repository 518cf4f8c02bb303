# SPDX-License-Identifier: Apache-2.0
# Large models: the effort must grow with the size, not with its square. Each of these took more than 30 s of a processor
# when something looked at all things for each thing; with linear effort it is about one.
. "$(dirname "$0")/lib.bash"
ulimit -t 25

# head N: coordinates and particles; each N TEXT: a line for each, i replaced
head_of() {
  echo "amontons: 1"; echo "parameters: {m: 1}"
  seq -s ', ' -f 'x%.0f' "$1" | sed 's/^/coordinates: [/; s/$/]/'
  echo "particles:"; each "$1" 'pI: {mass: m, at: [xI, I]}'
}
each() { seq "$1" | sed "s#.*#  $(sed 's/I/\&/g' <<<"$2")#"; }

{ head_of 30000; echo "contacts:"; each 30000 "cI: {pressed: 1, slip: xI', law: {type: coulomb, mu: 0.3}}"; } >contacts.yaml
run 0 describe contacts.yaml --json; silent; prints '"x30000": "m*x30000'"''"' = c30000.force"'

{ echo "amontons: 1"; echo "coordinates: [x]"; echo "particles: {p: {mass: m, at: [x, 0]}}"
  echo "parameters:"; echo "  m: 1"; each 40000 'kI: {value: I, min: m}'; } >bounds.yaml
run 0 describe bounds.yaml; silent; prints "more (use --json)"

{ head_of 40000; echo "loads:"; each 40000 'lI: {on: qI, force: [yI, 0]}'; } >names.yaml
run 2 describe names.yaml; says "there is no particle or body 'q1'; did you mean 'p1'?"; says "more messages"

{ echo "amontons: 1"
  seq 3500 | sed 's/.*/x&, y&/' | paste -sd, | sed 's/^/coordinates: [/; s/$/]/'
  echo "particles:"; each 3500 'pI: {mass: 1, at: [xI, yI]}'
  echo "contacts:"; each 3500 "cI: {guide: yI, slip: xI', law: {type: coulomb, mu: 0.3}}"; } >guides.yaml
run 0 draw guides.yaml --out guides.svg; has_file guides.svg

# blocks that do not act on each other are one small problem each, not one large one
{ echo "amontons: 1"; echo "sizes: {N: 10000}"; echo 'coordinates: ["x[1..N]", "y[1..N]"]'; echo "gravity: 10"
  echo 'particles: {"b[i=1..N]": {mass: i, at: ["x[i]", "y[i]"]}}'
  echo 'loads: {"l[i=1..N]": {on: "b[i]", force: ["i", 0]}}'
  echo "contacts: {\"c[i=1..N]\": {support: \"y[i]\", slip: \"x[i]'\", law: {type: coulomb, mu: 0.3}}}"; } >blocks.yaml
run 0 contact blocks.yaml; silent; prints "unique, 1 solution"
run 0 rest blocks.yaml; silent; prints "c[10000]: needs -10000 of at most 30000 to hold"
run 0 evaluate blocks.yaml --json; silent; prints '"needed": -10000'
finish
