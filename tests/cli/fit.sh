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
finish
