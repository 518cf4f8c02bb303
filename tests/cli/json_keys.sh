# SPDX-License-Identifier: Apache-2.0
# Every answer is as the tables of fields say, and docs/json.md is what they make.
. "$(dirname "$0")/lib.bash"
python3 "$source_dir/tests/cli/json_keys.py" "$amontons" "$source_dir" >out 2>err || fail "answers that are not as the schema says"
"$amontons" schema results --format markdown >json.md
cmp -s json.md "$source_dir/docs/json.md" || fail "docs/json.md is stale: amontons schema results --format markdown > docs/json.md"
# Studies hear of fields that a result may have but this one has not.
cat >absent.yaml <<END
model: $models/block-on-belt.yaml
simulate: {until: 2}
expect: [simulate.reason == 1, simulate.long_tme == 1, simulate.xyzzy == 1]
END
run 1 test absent.yaml
prints "no 'reason' here (reason: why it ended early"
prints "no 'long_tme' here; did you mean 'long_time'?"
prints "no 'xyzzy' here (there is: model"
"$amontons" schema results >all.json || fail "schema of all answers"
"$amontons" schema results nothing 2>err && fail "a schema of no question"
grep -q "no question 'nothing'" err || fail "says that there is no such question"
"$amontons" schema 2>/dev/null && fail "schema of nothing"
finish
