# SPDX-License-Identifier: Apache-2.0
# What comes from outside stays what it is: names of files are names, texts of a model are texts.
. "$(dirname "$0")/lib.bash"
m=$models/block-on-belt.yaml

# ---- no file name is a command for gnuplot's shell, neither now nor when the kept script is run again ----
for name in '|touch pwned; cat >x' '<touch pwned; ' '`touch pwned`' '$(touch pwned)' "a'.system('touch pwned').'" '@amo_out {"' '-' \
            '~x' '$data' '"; system "touch pwned'; do
  run 0 simulate "$m" --until 1 --points 20 --plot "$name.svg"; has_file "./$name.svg"
  rm "./$name.svg"
  gnuplot "./$name.gp" >out 2>err || fail "kept script of $name"
  has_file "./$name.svg"
  run 0 map "$m" --x Fs=0.5:2 --y v=0.1:0.2 --size 4x4 --of rest.verdict --plot "$name.svg"; has_file "./$name.svg"
  gnuplot "./$name.gp" >out 2>err || fail "kept script of the map $name"
done
evil=$'evil\nsystem "touch pwned"'
run 2 simulate "$m" --until 1 --plot "$evil.svg"; says "control characters"
touch "$evil"; ln -s "$evil" link.svg
run 2 simulate "$m" --until 1 --plot link.svg; says "control characters"
no_file pwned

# ---- no control character of a model reaches a terminal, a table, a page or a picture ----
cat >esc.yaml <<'EOF2'
amontons: 1
name: "name \e[31m \u202E \x9b \x7f \n <script>{`touch pwned`} $x é"
title: "title \e]0;x\a"
doc: "doc \ec"
parameters: {k: {value: 1, unit: "N\e[0m/m", doc: "doc\ec"}, m: {value: 1, unit: kg}}
coordinates: {x: {unit: "m\e[1m\"q", doc: "\e[1m"}}
particles: {b: {mass: m, at: [x, 0]}}
springs: {s: {along: x, stiffness: k}}
contacts: {c: {pressed: 1, slip: x' - 0.1, law: {type: coulomb, mu: 0.1}}}
outputs: {f: {value: 2*x, unit: "N\e[2m", doc: "\e[1mdoc"}}
EOF2
raw() { LC_ALL=C grep -lP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xaa-\xae]' "$@"; }
plain() { raw out err && fail "raw control characters: $*"; }
for verb in describe simulate evaluate contact rest steady cycle attractor "sensitivity --until 1" "lyapunov --until 10" \
            "poincare --until 50 --section x" "spectrum --of x --until 30" "limits --vary k=0.5:1" brake \
            "sweep --vary k=0.5:1 --points 3 --transient 10" "quasistatic --until 1" "continue --vary k=0.5:1 --of steady" \
            "map --x k=0.5:1 --y m=0.5:1 --size 3x3 --plot m.svg --csv m.csv" "draw --out d.svg" "simulate --csv -" \
            "simulate --plot p.svg --csv p.csv"; do
  set -- $verb
  for json in "" --json; do
    [ -n "$json" ] && [ "${*: -1}" = - ] && continue
    timeout 60 "$amontons" "$1" esc.yaml "${@:2}" $json >out 2>err </dev/null
    plain "$verb $json"
    [ -n "$json" ] && [ -s out ] && { python3 -c 'import json, sys; json.load(open("out"))' || fail "JSON of $verb"; }
  done
done
raw m.svg m.gp m.dat m.csv d.svg p.svg p.gp p.dat p.csv && fail "raw control characters in a file"
run 0 describe esc.yaml; prints 'name \x1B[31m \u202E \u009B \x7F   <script>'; prints 'é'
run 0 describe esc.yaml --json
python3 -c 'import json; assert "\x1b[31m \u202e \x9b \x7f \n" in json.load(open("out"))["name"]' || fail "JSON keeps the name"
gnuplot p.gp; gnuplot m.gp 2>err; no_file pwned
python3 - p.svg m.svg d.svg <<'EOF2' || fail "pictures are XML"
import sys, xml.dom.minidom
for f in sys.argv[1:]: xml.dom.minidom.parse(f)
EOF2
sed "s/stiffness: k/stiffness: \"k\\\\e[31m\"/" esc.yaml >bad.yaml; run 2 describe bad.yaml; plain "an error message"
printf 'amontons: 1\nname: "\xe2\x80\xae" ]\n' >bad.yaml; run 2 describe bad.yaml; plain "a source line"
run 2 simulate esc.yaml --at $'\e[31m=1'; plain "an option"
run 2 $'\e[31m'; plain "a command"

# studies and their page
mkdir gallery
cat >gallery/s.yaml <<'EOF2'
study: "s"
title: "title \e[31m <script>alert(1)</script> \u202E"
source: "\e[31m"
note: "\e[31m <b>"
model: ../esc.yaml
runs: {a: {simulate: {until: 1}}}
expect:
  - {value: a.final.t, equals: 2, source: "\e[31m<i>"}
  - {value: a.model, equals: "\e[31m"}
EOF2
run 1 test gallery/s.yaml; plain "test"; prints 'FAIL'
run 1 test gallery/s.yaml --json; plain "test --json"
run 0 reproduce --gallery gallery --list; plain "list"
run 1 reproduce --gallery gallery --out o --report r; plain "reproduce"; has_file r/index.html
raw r/index.html && fail "raw control characters in the page"
grep -qF '<script>' r/index.html && fail "a script in the page"
finish
