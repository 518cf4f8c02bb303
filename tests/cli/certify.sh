# SPDX-License-Identifier: Apache-2.0
# simulate --certify: proven, or where not; the exit status is that of the audit.
. "$(dirname "$0")/lib.bash"
m=$models/block-on-belt.yaml

run 0 simulate "$m" --until 60 --certify
prints "proof  every step: local error below"; prints "no condition changes sign between events"
run 0 simulate "$m" --until 60 --certify --json; prints '"proven": true'; prints '"unproven": []'
run 0 simulate "$m" --until 60 --json; lacks '"proven"'
run 0 simulate "$m" --until 60; lacks "proof"
# the dense output of rk8 is not as good as its ends: the proof says so
run 0 simulate "$m" --until 60 --certify --stepper rk8 --tol 1e-9; prints "is only known to be below"

# what cannot be proven is named; that is no failure of the run
run 0 simulate "$models/spatial-mass.yaml" --certify
prints "proof  0 of"; prints "not proven:"; prints "(contact plane is spatial)"
run 0 simulate "$models/spatial-mass.yaml" --certify --json; prints '"proven": false'; prints '"why"'; prints '"ok": true'
run 0 simulate "$models/spatial-circle.yaml" --certify
steps=$(sed -n 's/^proof  0 of \([0-9]*\) steps.*/\1/p' out); prints "and $((steps - 8)) more"

# the other methods approximate the law: there is nothing to prove
run 2 simulate "$m" --certify --method switch; says "certify needs the method event"

cat >study.yaml <<END
study: certified
title: a run with a proof
model: $m
simulate: {until: 20, certify: true}
expect:
  - simulate.audit.proven
  - simulate.audit.proof.largest_error < 1e-11
END
run 0 test study.yaml; prints "simulate.audit.proven"
finish
