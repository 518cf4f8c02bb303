# SPDX-License-Identifier: Apache-2.0
# Every question has its four doors, and docs/doors.md tells them.
. "$(dirname "$0")/lib.bash"
python3 "$source_dir/scripts/doors" "$amontons" >out 2>err || fail "a question lacks a door"
cmp -s out "$source_dir/docs/doors.md" || fail "docs/doors.md is stale: scripts/doors build/amontons > docs/doors.md"
lacks "|  |"
finish
