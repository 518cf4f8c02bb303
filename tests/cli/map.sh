# SPDX-License-Identifier: Apache-2.0
# map: counts, files, threads, going on after a kill, wrong input.
. "$(dirname "$0")/lib.bash"
t=$models/trammel.yaml
axes=(--x theta=0.01:1.56 --y "theta'=-3:3" --size 60x41)

run 0 map "$t" "${axes[@]}" --csv a.csv --json; silent; no_file a.csv.part
prints '"counts"'; prints '"file": "a.csv"'; prints '"several"'; prints '"none"'
[ "$(wc -l <a.csv)" -eq $((60 * 41 + 1)) ] || fail "rows of a.csv"
head -1 a.csv | grep -qx "theta,theta',contact.class" || fail "head of a.csv"
# every cell as the verb says it, for the closed form 2 < tan(theta) < 10
awk -F, 'NR > 1 { s = sin($1)/cos($1); p = s > 2 && s < 10 && $2 != 0
  if (p != ($3 == "several" || $3 == "none")) { print; exit 1 } }' a.csv >out || fail "a.csv against the closed form"

# the same for any number of threads, by the fast way and by the verb's JSON
for n in 1 2 5; do
  run 0 map "$t" "${axes[@]}" --threads $n --csv b.csv; cmp -s a.csv b.csv || fail "$n threads"
done
run 0 map "$t" "${axes[@]}" --of contact.mu_L.I --csv m.csv --json; prints '"min"'; prints '"max"'
run 0 map "$t" "${axes[@]}" --of contact.count --json; prints '"0":'; prints '"2":'
run 0 map "$t" --x mu=0.3:0.9 --y m1=0.02:0.2 --at "theta=1.3, theta'=1" --size 12x9 --csv p.csv
for line in 2 30 77; do
  IFS=, read -r mu m1 class <<<"$(sed -n ${line}p p.csv)"
  run 0 contact "$t" --set "mu=$mu" "m1=$m1" --at "theta=1.3, theta'=1" --json; prints "\"class\": \"$class\""
done

# rest has no velocity: a question that states one has no meaning
still=(--x theta=0.01:1.56 --y mu=0.1:3 --size 60x41)
for of in rest.verdict rest.margin brake.class quasistatic.status; do
  run 2 map "$t" "${axes[@]}" --of $of; says "asks about a mechanism at rest, so theta' cannot be varied"
  run 2 limits "$t" --vary "theta'=-1:1" --of $of; says "so theta' cannot be varied"
  run 2 map "$t" "${still[@]}" --at "theta'=1" --of $of; says "asks about a mechanism at rest, but theta' = 1"
  run 2 limits "$t" --vary mu=0.1:1 --at "theta'=1" --of $of; says "but theta' = 1"
  run 2 "${of%%.*}" "$t" --at "theta'=1"; says "but theta' = 1"
done
run 0 limits "$t" --vary mu=0.1:1 --at "theta=1, theta'=0" --of rest.verdict

# going on: rows of a part file of the same map are taken, a broken last line and another map's are not
run 0 map "$t" "${still[@]}" --of rest.verdict --csv r.csv; cp r.csv whole.csv
(ulimit -f 8; "$amontons" map "$t" "${still[@]}" --of rest.verdict --csv r2.csv >out 2>err </dev/null)
rm -f r2.csv
if [ -s r2.csv.part ]; then
  run 0 map "$t" "${still[@]}" --of rest.verdict --csv r2.csv; cmp -s whole.csv r2.csv || fail "resumed map differs"
  no_file r2.csv.part
else
  fail "no part file after the kill"
fi
printf 'amontons map 0123456789abcdef\n0\t"wrong\n' >r3.csv.part
run 0 map "$t" "${still[@]}" --of rest.verdict --csv r3.csv; cmp -s whole.csv r3.csv || fail "rows of another map"
says "'r3.csv.part' was left by another map"
echo "my notes" >r4.csv.part
run 2 map "$t" "${still[@]}" --of rest.verdict --csv r4.csv; says "'r4.csv.part' is in the way"; no_file r4.csv
grep -q "my notes" r4.csv.part || fail "a file that is not ours was touched"

# a part file that is whole, then damaged in every way: what is wrong is computed again, and said
slow=(--x theta=0.01:1.56 --y mu=0.1:3 --size 60x400 --threads 1)
"$amontons" map "$t" "${slow[@]}" --of rest.margin --csv d.csv >out 2>err &
pid=$!
while [ "$(cat d.csv.part 2>/dev/null | wc -l)" -lt 8 ]; do sleep 0.01; done
kill -s INT $pid; wait $pid; [ $? -eq 1 ] || fail "status of an interrupted map"
says "interrupted"; prints "NOT FINISHED"; prints "kept in d.csv.part; the same command goes on"; no_file d.csv
cp d.csv.part whole.part
run 0 map "$t" "${slow[@]}" --of rest.margin --csv d.csv; silent; cp d.csv whole.csv
run 0 map "$t" "${slow[@]}" --of rest.margin --csv d.csv; silent; cmp -s whole.csv d.csv || fail "resumed rows differ"
damage() {
  sed "$1" whole.part >d.csv.part; rm -f d.csv
  run 0 map "$t" "${slow[@]}" --of rest.margin --csv d.csv; says "$2"; cmp -s whole.csv d.csv || fail "damage: $1"
}
damage '3s/\(=[^\t]*\)[0-9]\t/\17\t/' "1 tile of 'd.csv.part' is damaged"  # one digit
damage '3s/^[0-9]*/399/' "1 tile of"                                          # of another row
damage '2,3s/=[^\t]*\t#/\t#/' "2 tiles of 'd.csv.part' are damaged"
damage '4s/\t#.*//' "1 tile of"                                              # without its sum
damage '4s/5/\x00/' "1 tile of"
head -c "$(($(wc -c <whole.part) - 40))" whole.part >d.csv.part; rm d.csv
run 0 map "$t" "${slow[@]}" --of rest.margin --csv d.csv; says "1 tile of"; cmp -s whole.csv d.csv || fail "cut off"

if command -v gnuplot >/dev/null; then
  for e in svg png; do
    run 0 map "$t" "${axes[@]}" --plot f.$e; has_file f.$e; has_file f.gp; has_file f.dat
  done
  run 0 map "$t" "${axes[@]}" --of contact.mu_L.I --plot g.svg; has_file g.svg
fi
no_leftovers

run 2 map "$t" --x theta=0:1; says "two axes"
run 2 map "$t" --x theta=0:1 --y theta=0:1; says "both vary"
run 2 map "$t" "${axes[@]}" --size 10; says "NXxNY"
run 2 map "$t" "${axes[@]}" --of contact.klass; says "no 'klass' here"
run 2 map "$t" "${axes[@]}" --plot f.gif; says ".svg"
# where a derived parameter has no value there is no answer, used or not
cat >derived.yaml <<'EOF2'
amontons: 1
name: m
parameters: {a: 2, b: sqrt(a), c: 1}
coordinates: {x: {}}
particles: {p: {mass: 1, at: [x, 0]}}
forces: {x: c}
contacts: {floor: {pressed: 1, slip: x', law: {type: coulomb, mu: 0.3}}}
EOF2
run 0 map derived.yaml --x a=-1:1 --y c=0.1:1 --size 4x2 --csv derived.csv
awk -F, 'NR > 1 && ($1 < 0) != ($3 == "no answer") { print; exit 1 }' derived.csv >out || fail "a derived parameter without a value"
# the cells of a coarse map have edges and stay within the axes
if command -v gnuplot >/dev/null; then
  run 0 map "$t" --x theta=0.1:1.5 --y "theta'=-3:3" --size 4x3 --plot coarse.svg
  sed -n "s/.* d='M\([0-9.]*\),\([0-9.]*\) L[0-9.,]* L\([0-9.]*\),\([0-9.]*\) .*/axes \1 \2 \3 \4/p
    s/.*<polygon.*points *= *'\(.*\)'.*/cell \1/p" coarse.svg | tr ',' ' ' | awk '
    $1 == "axes" { axes = $0; x0 = $2; y0 = $3; x1 = $4; y1 = $5 }
    $1 == "cell" { cells++
      for (i = 2; i < 9; i += 2)
        if ($i < x0 - 1 || $i > x1 + 1 || $(i + 1) < y0 - 1 || $(i + 1) > y1 + 1) bad = 1 }
    END { print axes, cells, bad; exit bad || !axes || cells != 12 }' >out || fail "cells of coarse.svg"
fi
finish
