# SPDX-License-Identifier: Apache-2.0
# Every key that a verb prints with --json is named in docs/json.md.
. "$(dirname "$0")/lib.bash"
python3 "$source_dir/tests/cli/json_keys.py" "$amontons" "$source_dir" >out 2>err || fail "keys that docs/json.md does not name"
finish
