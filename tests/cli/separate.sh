# SPDX-License-Identifier: Apache-2.0
# Mechanisms that do not act on each other have, in one file, the solutions that each has alone.
. "$(dirname "$0")/lib.bash"
python3 "$source_dir/tests/cli/separate.py" >out || fail "separate.py"
finish
