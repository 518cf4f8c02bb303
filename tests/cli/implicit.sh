# SPDX-License-Identifier: Apache-2.0
# Implicit steps: asked for, told, and refused where they do not belong.
. "$(dirname "$0")/lib.bash"
m=$models/van-der-pol.yaml

run 0 simulate "$m" --until 2000 --stepper radau --json; prints '"implicit": '; prints '"x": 1.70616773'
grep -q '"implicit": 0,' out && fail "no implicit step"
run 0 simulate "$m" --until 2000 --stepper radau; prints " implicit, "; prints "audit  passed"
run 0 simulate "$m" --until 2000 --json; prints '"x": 1.70616773'  # chosen by itself
grep -q '"implicit": 0,' out && fail "no implicit step by itself"
run 0 simulate "$models/block-on-belt.yaml" --until 500 --json; prints '"implicit": 0,'
run 0 simulate "$m" --until 2 --stepper taylor --json; prints '"implicit": 0,'
run 0 simulate "$models/block-on-belt.yaml" --until 50 --stepper radau; prints "slip- -> stick"; prints "audit  passed"
run 2 simulate "$m" --until 2 --method smooth --stepper radau; says "does not fit"
