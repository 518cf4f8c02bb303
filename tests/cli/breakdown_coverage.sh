# SPDX-License-Identifier: Apache-2.0
# A small sample of bench/breakdown_coverage.py, from noisy oscillograms to a law of break-down, mass and drive not told: of 60 intervals at
# 95 % at least 51 hold the true value (fewer come once in 3000 times; a fit that takes loading rates for exact leaves some 44).
. "$(dirname "$0")/lib.bash"
for known in --unknown ""; do
  (cd "$source_dir" && AMONTONS=$amontons timeout 100 python3 bench/breakdown_coverage.py --count 60 --seed 3 $known) >out 2>err || fail "bench"
  prints "60 records, noise 0.5 N, 0 failed"
  [ "$(awk '/inside/ && $2 >= 85' out | wc -l)" = 3 ] || fail "coverage ($known)"
done
finish
