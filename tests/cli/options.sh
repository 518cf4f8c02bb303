# SPDX-License-Identifier: Apache-2.0
# Options: good ones work in every spelling, bad ones get a clear message and status 2.
. "$(dirname "$0")/lib.bash"
m=$models/block-on-belt.yaml

run 2; says "usage: amontons COMMAND"
run 2 simulat "$m"; says "unknown command 'simulat'; did you mean 'simulate'?"
run 2 xyzzy; says "unknown command 'xyzzy'"
run 0 --version; prints "amontons 0."

run 2 simulate; says "simulate needs a model file"
run 2 simulate "$m" "$m"; says "takes one model file"
run 2 simulate "$m" --untill 5; says "unknown option '--untill'; did you mean '--until'?"
run 2 simulate "$m" --until; says "--until needs a value"
run 2 simulate "$m" --until --json; says "--until needs a value"
run 2 simulate "$m" --until five; says "five"
run 2 simulate "$m" --until nan; says "finite"
run 2 simulate "$m" --until inf; says "finite"
run 2 simulate "$m" --until 1e999; says "finite"
run 2 simulate "$m" --until .inf --tol 0x10 --max-steps .nan
says "--until:1:1: error: '.inf' is not a value"; says "--tol:1:1: error: '0x10' is not a decimal number"
says "--max-steps:1:1: error: '.nan' is not a value"; says "1 | 0x10"
run 2 simulate "$m" --set k=0x10; says "'0x10' is not a decimal number"
run 2 draw "$m" --window=0,inf,0,1; says "'inf' is not a value"
run 2 draw "$m" --window=0,0x10,0,1; says "not a decimal number"
run 2 spectrum "$m" --of x --band 1:inf; says "'inf' is not a value"
for t in "simulate.final.t == 1 +- -1" "simulate.final.t == 1 +- 1e999" "{value: simulate.final.t, equals: 1, tolerance: .nan}" \
  "{value: simulate.final.t, equals: 1, tolerance: 0x10}"; do
  printf 'id: a\nmodel: %s\nsimulate: {until: 1}\nexpect:\n  - %s\n' "$m" "$t" >margin.yaml
  run 2 test margin.yaml
  case $t in
    *-1) says "margin.yaml:5:30: error: the tolerance after +- must be >= 0, got -1" ;;
    *999) says "the tolerance after +- is too large: '1e999'" ;;
    *nan*) says "tolerance must be a number, not '.nan'"; says "it must be finite" ;;
    *) says "numbers are decimal" ;;
  esac
done
run 2 simulate "$m" --until -1; says "until must be later than the start"
run 2 simulate "$m" --tol 2; says "--tol must be between"
run 2 simulate "$m" --tol 0; says "--tol must be between"
run 2 simulate "$m" --points 0; says "--points must be between"
run 2 simulate "$m" --points 2.5; says "--points must be a whole number"
run 2 simulate "$m" --method magic; says "--method must be one of event|switch|smooth|euler, got 'magic'"
run 2 simulate "$m" --stepper rk8 --method smooth; says "stepper rk8 does not fit method smooth"
run 2 simulate "$m" --json=maybe; says "takes no value"
run 2 simulate "$m" -j; says "options start with two dashes"
run 2 simulate "$m" --dt 0.1 --points 5; says "points or dt, not both"
run 2 simulate "$m" --until 5 --after 6; says "after must be earlier"
run 2 simulate "$m" --csv ""; says "--csv needs a file name"
run 2 simulate "$m" --plot picture.jpg --until 1; says ".svg, .png or .pdf"

# several mistakes in one run
run 2 simulate "$m" --tol 2 --points 0 --methd event
says "--tol must be between"; says "--points must be between"; says "did you mean '--method'?"

run 2 simulate "$m" --set; says "--set needs a value"
run 2 simulate "$m" --set k; says "--set expects NAME=VALUE, got 'k'"
run 2 simulate "$m" --set k= ; says "NAME=VALUE"
run 2 simulate "$m" --set =3; says "NAME=VALUE"
run 2 simulate "$m" --set kk=2; says "kk"
run 2 simulate "$m" --at y=1; says "unknown state 'y'"
run 2 simulate "$m" --at "x=1/"; says "error"
run 2 simulate no-such-file.yaml; says "no-such-file.yaml"
run 2 simulate .; says "directory"

# twice is a question, not an answer
run 2 simulate "$m" --set v=1 v=2; says "more than once"
run 2 simulate "$m" --set v=1 --set v=2; says "more than once"
run 2 simulate "$m" --at "x=1, x=2"; says "more than once"

# numbers that no run could serve
run 2 simulate "$m" --max-step 1e-300; says "max-step must be at least"
run 2 simulate "$m" --method switch --eta 1e-300; says "--eta must be at least 1e-14"
run 2 simulate "$m" --from 1e16; says "until must be later"
run 2 simulate "$m" --from 1e16 --until 1e16+4; says "too short"

# the figure is judged before the run
run 2 simulate "$m" --until 1e9 --plot p.jpg; says ".svg, .png or .pdf"
run 2 simulate "$m" --until 1e9 --plot p.svg --plot-y "x, nonsense"; says "nonsense"
run 2 simulate "$m" --until 1 --plot-x t; says "give --plot too"

# a limit while reading is bad input
{ printf 'amontons: 1\na: '; printf '[%.0s' $(seq 80); printf ']%.0s' $(seq 80); echo; } >deep.yaml
run 2 simulate deep.yaml

# every spelling gives the same
for words in "--set v=0.3 k=2 --until 5" "--set v=0.3 --set k=2 --until=5" "--set v=0.3,k=2 --until 5" \
             "--until 10/2 --set=v=0.3 k=2" "--until 5*m --set v=0.3 k=4/2"; do
  # shellcheck disable=SC2086
  run 0 simulate "$m" $words --json
  silent
  if [ -e first ]; then cmp -s first out || fail "differs: $words"; else cp out first; fi
done
run 0 simulate --set v=0.3 k=2 "$m" --until 5 --json; cmp -s first out || fail "model after --set"
run 0 simulate --until 5 --set v=0.3 k=2 --json -- "$m"; cmp -s first out || fail "model after --"
cat "$m" | "$amontons" simulate - --set v=0.3 k=2 --until 5 --json >out 2>err || fail "model from a pipe"
cmp -s first out || fail "model from a pipe differs"

run 0 simulate "$m" --until 1 --until 2 --json; says "more than once"; prints '"t": 2'
run 0 simulate "$m" --until 1 --eta 1e-3 ; says "has no effect with method event"
run 0 simulate "$m" --until 1 --eta 1e-3 --quiet; silent
finish
