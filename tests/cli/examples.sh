# SPDX-License-Identifier: Apache-2.0
# The models that come with the program: listed, copied, never overwritten.
. "$(dirname "$0")/lib.bash"
run 0 models
prints "block-on-belt"
prints "Block on a moving belt"
prints "supports: contacts that open"
run 0 models --json
python3 - <<'END' || fail "the list as JSON"
import json
models = json.load(open("out"))
assert len(models) > 100 and all(m["title"] and m["group"] and m["file"] for m in models)
END
run 2 models belt
run 0 new block-on-belt mine.yaml
has_file mine.yaml
run 0 simulate mine.yaml --until 5
cp mine.yaml before.yaml
run 2 new trammel mine.yaml
says "is there already"
cmp -s mine.yaml before.yaml || fail "a file that was there has changed"
run 0 new models/trammel.yaml
has_file trammel.yaml
run 0 describe trammel.yaml
run 0 new trammel -
prints "name: trammel"
run 2 new tramel
says "did you mean 'trammel'?"
run 2 new
run 2 new a b c
no_leftovers
finish
