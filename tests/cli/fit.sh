# SPDX-License-Identifier: Apache-2.0
# fit of models: records with gaps, several of them, noise, priors, bounds; what is wrong is said.
. "$(dirname "$0")/lib.bash"
m=$models/block-on-belt.yaml r=$models/block-on-belt.csv

value() { python3 -c "import json,sys; r=json.load(open('out')); print($1)"; }
holds() { [ "$(value "$1")" = True ] || fail "$1: $(cat out | head -40)"; }

run 0 fit "$m" --record "$r" --vary "k=1.2, Fs=0.8, delta=2.5" --json --out res.csv --report page.html
holds 'all(abs(r["parameters"][n]["value"] - v) < 4*r["parameters"][n]["se"] for n, v in (("k", 1), ("Fs", 1), ("delta", 3)))'
holds 'r["n"] == 601 and abs(r["residual"] - 0.01) < 0.001 and r["records"][0]["gaps"] == 0 and isinstance(r["warnings"], list)'
[ "$(wc -l <res.csv)" = 602 ] || fail "residuals: $(head -2 res.csv)"
grep -q "<svg" page.html && grep -q "Correlation" page.html || fail "report"

# gaps and other spellings: the same answer from what is left
awk -F, 'NR<3 {print} NR>=3 {print (NR%50==0 ? $1 ",nan" : $0)}' "$r" | sed 's/x \[m\]/way [mm]/; /way/!s/,\(.*\)/,\1/' >gaps.csv
awk -F, -v OFS=, 'NR>2 && $2 != "nan" {$2 = $2*1000} {print}' gaps.csv >mm.csv
run 0 fit "$m" --record mm.csv --measure "way=x" --vary "k, Fs, delta" --json; says "rows without a number"
holds 'abs(r["parameters"]["k"]["value"] - 1) < 4*r["parameters"]["k"]["se"] and r["records"][0]["gaps"] == 12 and len(r["warnings"]) >= 1'

# a record cut in two, the second with a start of its own; noise that is known; a prior; a bound; outliers
run 0 fit "$m" --record "$r" --record "$r" --own "2: x=1.0" --each x --vary "k, delta, x=1.05" --json
holds 'abs(r["parameters"]["x#1"]["value"] - r["parameters"]["x#2"]["value"]) < 1e-6 and r["n"] == 1202'
run 0 fit "$m" --record "$r" --vary "k, Fs" --sigma "x=0.01" --json; holds 'r["freedom"] is None and 0.9 < r["residual"] < 1.1'
run 0 fit "$m" --record "$r" --vary "k, Fs" --prior "k=1.05 +- 1e-5" --json; holds 'abs(r["parameters"]["k"]["value"] - 1.05) < 1e-4'
run 0 fit "$m" --record "$r" --vary "k=0.9:0.5..0.95" --json; says "upper bound"; holds 'r["parameters"]["k"]["at_bound"] == "high" and r["parameters"]["k"]["se"] is None'
awk -F, -v OFS=, 'NR>2 && NR%40==0 {$2 = $2 + 2} {print}' "$r" >spikes.csv
run 0 fit "$m" --record spikes.csv --vary "k, delta" --loss tukey --json; holds 'abs(r["parameters"]["k"]["value"] - 1) < 0.005'
run 0 fit "$m" --record "$r" --vary "k, delta" --bootstrap 20 --starts 2 --json
holds '0.3 < r["parameters"]["k"]["bootstrap"]["se"]/r["parameters"]["k"]["se"] < 3'
run 0 fit "$m" --record "$r" --vary "k, m, Fs" --json; says "leaves it as it is"; holds 'r["rank"] == 2'
run 0 fit "$m" --record "$r" --vary "m" --predict "w = sqrt(k/m)" --json; holds 'abs(r["predictions"]["w"]["value"] - 1) < 4*r["predictions"]["w"]["se"]'

# forces as columns: in outputs as by name, in slip as in stick, and of contacts that slide in a plane
cat >plane.yaml <<'END'
amontons: 1
name: plane
parameters: {m: 1, k: 20, mu: 0.3, w: 3, F: 8}
coordinates: [x, y]
energy: {kinetic: "m*(x'^2 + y'^2)/2"}
springs: {sx: {along: x, stiffness: k}, sy: {along: y, stiffness: 2*k}}
forces: {x: F*sin(w*t), y: 0.7*F*cos(0.7*w*t)}
contacts:
  plane: {pressed: 10, slip: ["x'", "y'"], law: {type: coulomb, mu: mu}}
  guide: {pressed: "10 + x", slip: "y' - 0.3*x'", law: {type: coulomb, mu: mu/3}}
outputs: {f1: plane.force1 + 0.1*plane.force2, g: guide.force}
END
run 0 simulate plane.yaml --until 3 --dt 0.02 --csv all.csv
awk -F, 'NR==1 || (50*$1 - int(50*$1 + 0.5))^2 < 1e-18' all.csv >plane.csv  # without the rows of events, where forces jump
for columns in "f1=f1, g=g" "f1=plane.force1 + 0.1*plane.force2, g=guide.force"; do
  run 0 fit plane.yaml --record plane.csv --measure "$columns" --vary "mu=0.28, k=19" --json
  holds 'abs(r["parameters"]["mu"]["value"] - 0.3) < 1e-9 and abs(r["parameters"]["k"]["value"] - 20) < 1e-7'
done

# a valley beside the right one: the residuals tell, other starts find it
g=$source_dir/models/giving-belt.yaml
run 0 simulate "$g" --until 30 --dt 0.05 --csv made.csv
awk -F, 'BEGIN {srand(7)} NR==1 {print "t,x"} NR>1 {print $1 "," $2 + 0.005*(rand() + rand() + rand() - 1.5)}' made.csv >giving.csv
run 0 fit "$g" --record giving.csv --vary "kt=40, ct=1.2, Fs=1.1" --json; says "keep their sign"
holds 'r["records"][0]["runs"] < -5 and abs(r["parameters"]["kt"]["value"] - 50) > 5'
run 0 fit "$g" --record giving.csv --vary "kt=40, ct=1.2, Fs=1.1" --starts 20 --json
holds 'r["records"][0]["runs"] > -4 and abs(r["parameters"]["kt"]["value"] - 50) < 1 and not r["warnings"]'

# what is wrong
run 2 fit "$m" --record "$r"; says "needs --vary"
run 2 fit "$m" --vary k; says "needs a record"
run 2 fit "$m" --record none.csv --vary k; says "none.csv"
run 2 fit "$m" --record "$r" --vary "kk"; says "the model has no 'kk'"
run 2 fit "$m" --record "$r" --vary "k, k"; says "twice"
run 2 fit "$m" --record "$r" --vary "k:2..1"; says "wrong way"
run 2 fit "$m" --record "$r" --vary "k=3:0..1"; says "outside its bounds"
run 2 fit "$m" --record "$r" --vary "k" --measure "y=x"; says "y"
run 2 fit "$m" --record "$r" --vary "k" --measure "x=q + 1"; says "unknown name 'q'"
run 2 fit "$m" --record "$r" --vary "k" --prior "Fs=1 +- 1"; says "not varied"
run 2 fit "$m" --record "$r" --vary "k" --prior "k=1"; says "standard deviation"
run 2 fit "$m" --record "$r" --vary "k" --own "3: v=1"; says "names no record"
run 2 fit "$m" --record "$r" --vary "k" --set time=5; says "before the motion"
{ sed -n 1,30p "$r"; sed -n 10,12p "$r"; } >back.csv
run 2 fit "$m" --record back.csv --vary "k"; says "time goes backwards"
head -3 "$r" >short.csv
run 2 fit "$m" --record short.csv --vary "k"; says "fewer than two rows"
# a record that the model itself has made: what is left is rounding, and no reason to doubt
run 0 simulate "$m" --until 20 --csv made.csv --quiet
cut -d, -f1,2 made.csv >exact.csv
run 0 fit "$m" --record exact.csv --vary "k=1.1, delta=2.8" --json
grep -q "keep their sign" err && fail "rounding is said to be no noise"
holds 'abs(r["parameters"]["k"]["value"] - 1) < 1e-9 and abs(r["parameters"]["delta"]["value"] - 3) < 1e-8'
finish
