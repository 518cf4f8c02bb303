#!/usr/bin/env bash
# Records of stick-slip: cycles from a noisy record, as instruments write it; the law from the cycles; what is wrong is told.
set -euo pipefail
R="$AMO_SOURCE_DIR/gallery/records"
value() { tr ',' '\n' <"$1" | sed -n "s/.*\"$2\": *\([-0-9.e+]*\).*/\1/p" | head -1; }
near() { awk -v a="$1" -v b="$2" -v t="$3" 'BEGIN { exit !(a - b <= t && b - a <= t) }' || { echo "$1 is not $2 to $3"; exit 1; }; }

# the law behind a noisy record, with and without knowing mass and drive
for how in "--mass 100 --drive v" ""; do
  # shellcheck disable=SC2086
  "$AMONTONS" breakdowns "$R/anh-R1.csv" --stiffness 7e5 $how --csv cycles.csv --json >out.json
  grep -q '"found": 28' out.json
  near "$(value out.json omega)" 83.666 0.3
  "$AMONTONS" fit --record cycles.csv --relation rate --json >fit.json
  grep -q '"identifiable": true' fit.json
  near "$(sed -n '/"A"/,/value/s/.*"value": *\([-0-9.e+]*\).*/\1/p' fit.json)" 420 1.5
  near "$(sed -n '/"beta"/,/value/s/.*"value": *\([-0-9.e+]*\).*/\1/p' fit.json)" 0.003 3.5e-5
done
# constant speeds tie contact time to loading rate: said, with what would separate them
"$AMONTONS" fit --record cycles.csv --relation rate --relation time >out 2>&1
grep -q "'f' and 'T' are tied in these data" out
grep -q "stop the drive in the stick" out

# the same record as another instrument writes it: kN, ms, semicolons, decimal commas, a gap
awk -F, 'NR == 1 { print "rig 3\r\nt;F\r\nms;kN\r" } NR > 1 { s = sprintf("%.1f;%.6f\r", 1000*$1, NR == 5000 ? 0 : $2/1000); if (NR == 5000) s = sprintf("%.1f;\r", 1000*$1); gsub(/\./, ",", s); print s }' "$R/anh-R1.csv" >other.csv
"$AMONTONS" breakdowns other.csv --stiffness 7e5 --mass 100 --json >other.json 2>err
grep -q '"found": 28' other.json
grep -q '1 rows lack a number (the first in line 5002)' err

fails() { # TEXT ARGUMENTS...
  local status=0 text=$1
  shift
  "$AMONTONS" "$@" >out 2>&1 || status=$?
  [ "$status" != 0 ] && grep -qF -- "$text" out || { echo "status $status, not: $text"; cat out; exit 1; }
}
awk -F, 'NR == 1000 { t = 0.5 } { print (NR == 1000 ? t : $1) "," $2 }' "$R/anh-R1.csv" >back.csv
fails "time goes backwards in line 1000 (1 times in all)" breakdowns back.csv --stiffness 7e5
head -20 "$R/anh-R1.csv" >short.csv
fails "too short: 19 rows" breakdowns short.csv --stiffness 7e5
fails "has no column 'load'" breakdowns "$R/anh-R1.csv" --stiffness 7e5 --force load
fails "the stiffness of the spring must be known" breakdowns "$R/anh-R1.csv"
awk 'BEGIN { print "t,F"; for (i = 0; i < 5000; i++) printf "%g,%g\n", i/500, 100 + 0.01*i }' >ramp.csv
fails "no slip stands out of the noise" breakdowns ramp.csv --stiffness 7e5
awk -F, 'NR == 1 { print } NR > 1 { print $1 "," ($2 > 600 ? 600 : $2) }' <(sed 's/,[^,]*$//' "$R/anh-R1.csv") >clipped.csv
"$AMONTONS" breakdowns clipped.csv --stiffness 7e5 --mass 100 >out 2>&1 || true
grep -q "looks clipped: " out
fails "would overwrite what is read" breakdowns short.csv --stiffness 1 --csv short.csv

# faster than the drive: no stop, so no break-down
awk 'BEGIN { print "t,F"; for (i = 0; i < 5000; i++) printf "%g,%.6f\n", i/500, 100 + 5*sin(20*i/500) }' >smooth.csv
fails "no stop: half range < v/omega" breakdowns smooth.csv --stiffness 1000 --mass 2.5 --speed 1

# slips between two samples: forces from the lines before and after, said
awk 'BEGIN { print "t,F"; for (i = 0; i < 3000; i++) printf "%g,%g\n", i/100, 50 + i%100 }' >saw.csv
"$AMONTONS" breakdowns saw.csv --stiffness 1000 --mass 0.001 --json >saw.json 2>err
grep -q "too few samples for an arc" err
near "$(value saw.json F_plus)" 149.5 1
grep -q '"T": \(0.99\|1\)' saw.json

# relations: mistakes
fails "unknown name" fit --record "$R/anh-D1.csv" --relation "G = F0 + A*exp(-beta*f)"
fails "one equality sign" fit --record "$R/anh-D1.csv" --relation "F0 + A*exp(-beta*f)"
fails "no relation has an unknown 'gamma'" fit --record "$R/anh-D1.csv" --relation rate --vary gamma=1
fails "has no unknown" fit --record "$R/anh-D1.csv" --relation "F = f*T"
# one drive speed: damping and force at rest go together, and that is said
grep -v ',0.002,' "$R/anh-sliding.csv" >one.csv
"$AMONTONS" fit --record one.csv --relation sliding --json >one.json 2>err
grep -q "does not determine its parameters: changing F0 by" err
near "$(sed -n '/"slope"/,/value/s/.*"value": *\([-0-9.e+]*\).*/\1/p' one.json)" -16999.08 2
