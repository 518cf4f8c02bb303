# SPDX-License-Identifier: Apache-2.0
# continue: special points, both directions, figures, what is refused.
. "$(dirname "$0")/lib.bash"
b=$models/block-on-belt.yaml

run 0 continue "$b" --vary v=0.3:1; prints "0.6419889457"; prints "crossing"; prints "end of its range"; silent
run 0 continue "$b" --vary v=1:0.3 --points 30; prints "0.6419889457"
run 0 continue "$b" --vary v=0.2:0.3 --points 3 --json; prints '"points": 3'; prints "as many points"
run 0 continue "$models/hump.yaml" --of steady --vary c=0.02:0.1 --at "x=1, x'=0"; prints "0.073575888234"; prints "hopf"
run 0 continue "$models/hump.yaml" --of steady --vary c=0.1:0.02 --branches --plot h.svg; prints "hopf, supercritical"; prints "branch 1:"
has_file h.svg
run 2 continue "$models/forced-coulomb.yaml" --of steady --vary w=1:0.2; says "depends on time"
run 0 continue "$models/block-aging-ideal.yaml" --vary a=0.05:0.07 --branches --plot b.svg --json
prints '"period-doubling"'; prints '"branches": 2'; has_file b.svg; no_leftovers

run 0 continue "$b" --vary v=0.5:0.8 --locus delta=2.5 --locus-points 2; prints "locus of crossing"; prints "0.6930034"
run 2 continue "$b" --vary v=0.5:0.8 --locus v=2; says "not a second parameter"
run 2 continue "$b" --vary v=0.5:0.8 --locus delta; says "NAME=TO"

run 2 continue "$b"; says "NAME=FROM:TO"
run 2 continue "$b" --vary v=1; says "NAME=FROM:TO"
run 2 continue "$b" --vary delt=1:2; says "did you mean 'delta'"
run 2 continue "$b" --vary v=1:1; says "empty"
run 2 continue "$b" --vary v=0.2:1 --method smooth; says "event method"
run 2 continue "$models/violin-string.yaml" --vary m=1:2; says "follows from others"
run 2 continue "$b" --of steady --vary v=0.1:1 --at "x=0.5, x'=0.1"; says "sticks at the start"
# started in the wrong direction of slip: the steady state slides the other way, and that one is followed
run 0 continue "$b" --of steady --vary v=0.1:1 --at "x=0.5, x'=0.2" --json; prints '"sequence": "-"'
run 1 continue "$b" --vary v=0:1 --set v=0
finish
