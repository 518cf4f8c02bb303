# SPDX-License-Identifier: Apache-2.0
# Mechanisms that do not act on each other have, in one file, the solutions that each has alone.
. "$(dirname "$0")/lib.bash"
python3 "$source_dir/tests/cli/separate.py" >out || fail "separate.py"

# rest: which of several solutions rest is told before how the others move
run 0 rest "$models/painleve-klein.yaml" --set mu=3 phi=1.3 P1=1 P2=0.2
prints "several, it may rest or move: "
lacks "towards"
finish
