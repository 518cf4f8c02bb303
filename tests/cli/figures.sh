# SPDX-License-Identifier: Apache-2.0
# Figures: units on axes, names with primes, texts of marks apart, tics apart, maps in studies.
. "$(dirname "$0")/lib.bash"
b=$models/block-on-belt.yaml

# a map with its legend, in a result and in a study
run 0 map "$models/painleve-klein.yaml" --x mu=0.1:3 --y phi=0.5:1.4 --size 12x9 --of contact.class --draw --json
prints '"svg"'; prints 'unique</text>'; prints 'phi [rad]'

command -v gnuplot >/dev/null || { echo "gnuplot is missing: figures are not drawn"; finish; exit; }

# names with primes: as label, title and curve
run 0 simulate "$b" --until 3 --plot a.svg --plot-y "x''"; has_file a.svg
run 0 simulate "$b" --until 3 --plot "it's.svg" --plot-y "x'', x'"; has_file "it's.svg"
run 0 spectrum "$b" --of "x''" --until 60 --plot s.svg; has_file s.svg

# units
run 0 sweep "$b" --vary v=0.1:0.4 --points 3 --plot w.svg
grep -q 'v \[m/s\]' w.gp || fail "no unit of the parameter: sweep"
grep -q 'x \[m\]' w.gp || fail "no unit of the quantity: sweep"
run 0 continue "$b" --vary v=0.1:0.3 --plot c.svg
grep -q 'v \[m/s\]' c.gp || fail "no unit of the parameter: continue"
grep -q 'period \[s\]' c.gp || fail "no unit of the period"
grep -q 'amplitude of x \[m\]' c.gp || fail "no unit of the amplitude"

# numbers of tics have room: far from zero they are long
run 0 simulate "$b" --until 3 --plot t.svg --plot-x "t + 123456.5" --plot-y x
step=$(sed -n 's/^set xtics \([0-9.e+-]*\)$/\1/p' t.gp)
awk -v s="$step" 'BEGIN { exit !(s >= 0.5) }' || fail "tics every $step run together"

# a branch in a study: unstable parts dashed, branches apart
sed -e "s,\.\./\.\./models,$models," "$source_dir/gallery/others/bouncing-table.yaml" >dashed.yaml
mkdir g && mv dashed.yaml g/
run 0 reproduce --gallery g --out figures
grep -q "dt (8,5)" figures/bouncing-table.gp || fail "no dashed part in a branch with unstable cycles"
no_leftovers
finish
