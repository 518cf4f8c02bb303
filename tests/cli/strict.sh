# SPDX-License-Identifier: Apache-2.0
# Studies: every form of expectation has a case in which it fails, and what is not understood is a mistake.
. "$(dirname "$0")/lib.bash"
tells() { cat out err | grep -qF -- "$1" || fail "not said: $1"; }

# study MODEL BODY: one study file
study() { printf 'model: %s/%s.yaml\n%s\n' "$models" "$1" "$2" >one.yaml; }
# fails STATUS STATEMENT SAYS: one expectation of block-on-belt (until 12, two events)
fails() {
  study block-on-belt "simulate: {until: 12}
expect:
  - $2"
  run "$1" test one.yaml
  tells "$3"
}
holds() { fails 0 "$1" "1 passed, 0 failed"; }
# faulty STATUS BODY SAYS: a whole study of block-on-belt
faulty() { study block-on-belt "$2"; run "$1" test one.yaml; tells "$3"; }

# ---- paths, filters, ranges ----
holds 'length(simulate.events[t>=5]) == 1'
holds 'length(simulate.events[kind = stick-slip]) == 1'
holds 'length(simulate.events[kind == "stick-slip"]) == 1'
holds 'simulate.events[kind!=stick-slip].length == 1'
holds 'simulate.events[t>5][t<11].length == 1'
holds 'simulate.events[to=slip].length == 1'
holds 'simulate.events[to=open].length == 0'
holds 'length(simulate.events[kind=jam].state.x) == 0'
holds 'length(simulate.events[:1]) == 1'
fails 1 'length(simulate.events[t>=5]) == 0' 'difference 1'
fails 1 'length(simulate.events[kind = stick-slip]) == 0' 'difference 1'
fails 1 'length(simulate.events[kind=stik-slip]) == 0' "one.yaml:4:33: no item can have kind = 'stik-slip'"
fails 1 'length(simulate.events[knd=stick-slip]) == 0' "no 'knd' here; did you mean 'kind'?"
fails 1 'length(simulate.events[contact=bel]) == 0' "no item can have contact = 'bel'"
fails 1 'length(simulate.events[contact=belt[2]]) == 0' "no item can have contact = 'belt[2]'"
fails 1 'length(simulate.events[kind=jam].tt) == 0' "no 'tt' here"
fails 1 'length(simulate.events[state.y>0]) == 0' "no 'y' here"
fails 1 'length(simulate.events[0:n]) == 0' 'one.yaml:4:28: a range of items is [first:end]'
fails 1 'length(simulate.events[0:9]) == 2' 'leads out of the list'
fails 1 'length(simulate.events[t=3.365]) == 0' 'the nearest has 3.36503261339'
fails 1 'length(simulate.events[t>a]) == 0' 'cannot be compared'
fails 1 'length(simulate.events[kind>3]) == 0' 'cannot be compared'
fails 1 'length(simulate.events[to=hold]) == 0' 'cannot be compared'
fails 1 'length(simulate.events[kind=]) == 0' 'names no value'
fails 1 'length(simulate.events[=jam]) == 0' 'names no key'
fails 1 'length(simulate.events[t>3 and t<4]) == 0' 'one comparison'
fails 1 'length(simulate.events[t!3]) == 0' "'!' without '='"
fails 1 'length(simulate.events)5 == 2' "'5' does not belong"
fails 1 'simulate.final.t. == 12' "'.' does not belong"
fails 1 'simulate.events[0.5].t == 0' 'cannot read the index'
fails 1 'simulate.events[9].t == 0' 'outside the list'
# an empty list is checked against what its items could hold
empty() { study block-on-belt "simulate: {until: 1}
expect:
  - $2"; run "$1" test one.yaml; tells "$3"; }
empty 0 'length(simulate.events[kind=jam].t) == 0' '1 passed'
empty 1 'length(simulate.events[knd=jam]) == 0' "items of 'events' have no 'knd'"
empty 1 'length(simulate.events[kind=jamm]) == 0' "no item can have kind = 'jamm'"
empty 1 'length(simulate.events[contact=bel]) == 0' "no item can have contact = 'bel'"
empty 1 'length(simulate.events[*].tt) == 0' "items of 'events' have no 'tt'"

# ---- conditions ----
holds 'simulate.final.t != 12.2 +- 0.1'
holds 'not simulate.final.t == 12.1'
holds 'simulate.final.t == 11 or simulate.final.t == 12'
holds 'not (simulate.final.t == 12 and simulate.final.t > 12)'
holds 'simulate.final.t is not 13'
fails 1 'simulate.final.t == 12.1' 'difference 0.1'
fails 1 'simulate.final.t != 12 +- 0.1' 'expected not 12'
fails 1 'not simulate.final.t == 12.00000000001' 'expected not'
fails 1 'not simulate.final.t < 13' 'not < 13'
fails 1 'not (simulate.final.t < 13 and simulate.final.t > 11)' 'expected not'
fails 1 'simulate.final.t < 12' 'difference 0'
fails 1 'simulate.final.t > 12' 'difference 0'
fails 1 'simulate.final.t <= 11' 'difference 1'
fails 1 'simulate.final.t >= 13' 'difference -1'
fails 1 'simulate.final.t in [1, 2]' 'expected'
fails 1 'simulate.final.t is 13' 'difference 1'
fails 1 'simulate.final.t is not 12' 'expected not 12'
fails 1 'simulate.final.t == 11 or simulate.final.t == 13' 'expected true'
fails 1 'simulate.final.t == 12 or simulate.final.tt == 12' "no 'tt' here"
fails 1 'simulate.final.t == 12 or 1 < 2' 'nothing in this expectation is a result'
fails 1 'not simulate.audit.ok' 'expected false'
fails 1 '{value: simulate.final.t, equals: 13}' 'difference 1'
fails 1 '{value: simulate.final.t, not: 12}' 'expected not 12'
fails 1 '{value: simulate.final.t, below: 12}' 'difference 0'
fails 1 '{value: simulate.final.t, above: 12}' 'difference 0'
fails 1 '{value: simulate.final.t, at_most: 11}' 'difference 1'
fails 1 '{value: simulate.final.t, at_least: 13}' 'difference -1'
fails 1 '{value: simulate.final.t, between: [13, 14]}' 'difference -1'
fails 1 '{value: simulate.final.t, within: [13, 14]}' 'difference -1'
fails 1 '{value: simulate.model, contains: fool}' 'contains "fool"'
fails 1 '{value: simulate.final.t, contains: "12"}' 'only a text'
fails 1 '{value: "simulate.events[*].to", equals: [0, 1]}' 'item 1 is -1'
fails 1 '{value: "simulate.events[*].to", equals: [0]}' 'the list has 2 items'
fails 1 '{value: simulate.final, equals: {t: 13}}' "'t' differs"
fails 1 'simulate.final.state: {x: 1.1184, "x'"'"'": 3, tolerance: 1e-3}' 'difference'
fails 1 'simulate.final.t: "> 12"' 'difference 0'
fails 1 'simulate.final.t: {value: 12.5, abs: 0.4}' 'allowed 0.4'
fails 1 'simulate.final.t: 13 +- 0.9' 'allowed 0.9'
fails 1 '{simulate.final.t: 12.5, tolerance: 1 %}' 'allowed 0.12'
fails 1 'simulate.last_return.belt: 5' 'expected 5'
fails 1 'simulate.final.t: null' 'expected null'
fails 1 'simulate.final.modes.belt: stick' 'expected stick'
fails 1 'simulate.events[0].kind: stick-slip' 'expected stick-slip'
# ---- what would always hold ----
fails 1 'simulate.events[0].kind != 5' 'can never equal a number'
fails 1 'simulate.events[0].kind != slip-stik' "'kind' can never be 'slip-stik'"
fails 1 'simulate.last_return.belt != 5' 'no value here'
fails 1 'simulate.audit.ok != 3' 'can never equal 3'
fails 1 '{value: "simulate.events[*].t", equals: true}' 'the value is a list and cannot equal a single value'
fails 1 'simulate.final.t: 0 < 5' 'a comparison is no number'
fails 1 'simulate.extrema.x: {min: -0.5, max: 2}' 'is a key of the result and a word of the check'
fails 1 '{value: "simulate.events[*].t", equals: [3.3 +- 0.1, 10.8]}' 'a tolerance cannot stand here'
fails 2 'simulate.final.t == simulate.final.t' 'is compared with itself'
fails 1 'simulate.final.t - simulate.final.t == 0' 'it does not depend on the result'
fails 1 'simulate.final.t*0 < 1' 'it does not depend on the result'
fails 1 'simulate.final.t >= simulate.final.t - 1' 'it does not depend on the result'
fails 1 '{value: simulate.final.t, between: [0, simulate.final.t + 1]}' 'it does not depend on the result'
fails 1 'sqrt(simulate.final.t)^2 == simulate.final.t' 'it does not depend on the result'
study block-on-belt 'simulate: {until: 12}
define: {end: simulate.final.t, later: end + 1}
expect: [end == simulate.final.t, later > end]'
run 1 test one.yaml
[ "$(grep -c 'it does not depend on the result' out)" = 2 ] || fail "definitions hide what is compared"
holds 'simulate.final.t - simulate.events[-1].t > 0'
holds 'max(simulate.final.t, 12) == 12'
holds 'if(simulate.final.t > 5, 1, 0) == 1'
holds 'sign(simulate.final.t) == 1'
holds 'v == 0.2'
# ---- a model where a study is expected: one mistake ----
cp "$models/block-on-belt.yaml" model.yaml
run 2 test model.yaml
tells 'this is a model, not a study'
grep -q 'unknown key' err && fail "each key of a model said to be unknown"
# ---- options as words of the command line ----
study block-on-belt 'limits: {vary: "v=0.1:2", of: simulate.final.state.x, with: [until=2, tol=1e-9], points: 5, level: 0}
expect: [limits.count > 0, limits.by_sign]'
run 0 test one.yaml
fails 2 'simulate.final.t < 12 +- 0.1' 'an order has no tolerance'
fails 2 'simulate.final.t == 1 +- v' 'must be a number'
fails 2 'simulate.final.t in [1, 2, 3]' 'a range of two values'
fails 2 'simulate.final.t <' "'<' has nothing on its right"
fails 2 '{value: simulate.model, contains: [foo, bar]}' 'contains needs one text'
fails 2 '{value: simulate.model, contains: ""}' 'contains needs one text'
fails 2 '{value: "simulate.events[0].kind", not: }' 'nothing to compare with'
fails 2 '{value: simulate.final.t, between: [0, 20], within: [30, 40]}' 'are two ranges'
fails 2 '{value: simulate.final.t, equals: 12, tolerance: inf %}' 'must be a number'
fails 2 '{value: simulate.final.t, equals: 12, tolerance: 2}' 'accepts 0 for any value'
fails 2 '{value: simulate.final.t, equals: 12, tolerance: 100 %}' 'accepts 0 for any value'
fails 2 '{value: simulate.final.t, equals: 12, tolerance: 0.1, abs: 9}' 'a second tolerance'
fails 2 '{value: simulate.final.t, equals: 12, relative: true}' 'none is given'
fails 2 '{value: simulate.final.t, below: 13, tolerance: 0.1}' 'belongs to'
study block-on-belt 'steady: {}
set: {v: 2}
expect:
  - steady.eigenvalues[0]: {re: 0, im: 0.7, abs: 0.9}'
run 2 test one.yaml
tells "'abs' among values"

# ---- the study itself ----
faulty 1 'simulate: {until: 1}' 'nothing was checked'
faulty 2 'simulate: {until: 1}
expect: []' 'says nothing'
faulty 1 'simulate: {until: 1}
define: {a: simulate.final.tt, b: 2*a}
expect: [b == 1, simulate.final.t == 1]' "no 'tt' here"
faulty 2 'simulate: {until: 1}
define: {a: simulate.final.t}
expect: [simulate.final.t == 1]' "'a' is used nowhere"
faulty 2 'simulate: {until: 1}
define: {simulate: 1}
expect: [simulate.final.t == 1]' 'means something else'
faulty 1 'simulate: {until: 1}
define: {final: 1}
expect: [final == 1]' "the result has a 'final' of its own"
faulty 1 'simulate: {until: 1}
shown: [{what: end, ours: simulate.final.tt}]
expect: [simulate.final.t == 1]' "no 'tt' here"
faulty 2 'simulate: {until: 1}
over: {v: []}
expect: [length(simulate) == 0]' 'nothing would be run'
faulty 2 'simulate: {until: 1}
over: {}
expect: [length(simulate) == 0]' 'nothing would be run'
faulty 2 'simulate: {until: 1}
over: {vv: [1, 2]}
expect: [length(simulate) == 2]' 'vv'
faulty 2 'runs: {a: {simulate: {until: 1}, expect: {final.t: 99}}}
expect: [a.final.t == 1]' 'expect'
faulty 2 'runs: {a: {simulate: {until: 1}}}
fails: true
expect: [a.final.t == 1]' "'fails' belongs to no run"
faulty 2 'runs: {a: {simulate: {until: 1}}}
over: {v: [1, 2]}
expect: [a.final.t == 1]' "'over' belongs to no run"
faulty 2 'simulate: {until: 1}
set: {v: {value: 200, unit: mm/s}}
expect: [simulate.final.t == 1]' 'in m/s, not in mm/s'
faulty 2 'studies: {a: {simulate: {until: 1}, expect: [final.t == 1]}}
cases: {b: {simulate: {until: 1}, expect: [final.t == 2]}}' 'mean the same'

# ---- failing on purpose: the question has no answer, not: the study is broken ----
faulty 0 'simulate: {until: 60, max-steps: 3}
fails: true' '1 passed'
faulty 0 'simulate: {until: 1}
set: {m: -1}
fails: true' '1 passed'
faulty 1 'simulate: {until: 1}
fails: true' 'FAIL'
faulty 2 'simulate: {until: 1}
set: {mm: 1}
fails: true' 'a mistake in the study'
faulty 2 'simulate: {until: 1}
set: {mm: 1}
fails: allowed
expect: [simulate.exit == 2]' 'a mistake in the study'
faulty 2 'model: missing.yaml' 'given twice'
printf 'model: missing.yaml\nsimulate: {until: 1}\nfails: true\n' >one.yaml
run 2 test one.yaml; tells 'a mistake in the study'
faulty 1 'limits: {vary: "mm=1:2", of: rest}
fails: true' 'a mistake in the model or the question'
faulty 1 'simulate: {until: 1}
set: {m: -1}
error: no such words' 'FAIL'
faulty 2 'simulate: {until: 1}
error: ""' 'error needs a text'
faulty 2 'simulate: {until: 1}
exit: 3' 'exit must be 0, 1 or 2'
faulty 2 'simulate: {until: 1}
fails: allowed
error: text' "fails is 'allowed'"

# ---- what was meant ----
study block-on-belt 'simulate: {until: 12}
expect:
  - simulate.final.x == 1
  - simulate.events[kind = stick-slip].t > 3
  - simulate.model in [a, b]'
run 1 test one.yaml; tells "did you mean 'state.x'?"; tells "not a number but a list"; tells "not a number but a text"

# ---- mutation: an expectation that cannot fail is found ----
study block-on-belt 'simulate: {until: 12}
expect:
  - simulate.final.t == 12
  - simulate.final.t: 12.2 +- 0.3
  - simulate.events[0].kind == slip-stick
  - simulate.events[0].kind != jam
  - {value: "simulate.events[*].to", equals: [0, -1]}
  - simulate.final.t > 11 and simulate.audit.ok
  - simulate.final.t == 3 or simulate.final.t == 12
  - {value: simulate.final.t, between: [11, 13]}
  - {value: simulate.model, contains: belt}
  - simulate.final.modes.belt: slip-'
run 0 test --mutate one.yaml; tells ", 0 unnoticed"
study block-on-belt 'simulate: {until: 12}
expect:
  - length(simulate.events) >= 0
  - simulate.final.state.x: 1.118 +- 3'
run 1 test --mutate one.yaml; tells "SAME"; tells "never negative"; tells "1 unnoticed"; tells "weak"
finish
