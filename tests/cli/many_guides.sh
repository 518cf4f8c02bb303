#!/usr/bin/env bash
# Fifty connected rough guides stop and start together: found without trying 3^50 combinations, and audited.
set -euo pipefail
"$AMONTONS" simulate "$AMO_SOURCE_DIR/bench/driven-guides.yaml" --set m=50 mu=0.3 --until 6 --json >run.json
grep -q '"ok": true' run.json
[ "$(grep -c '"kind": "slip-stick"' run.json)" -ge 50 ]
[ "$(grep -c '"kind": "stick-slip"' run.json)" -ge 50 ]
"$AMONTONS" contact "$AMO_SOURCE_DIR/bench/driven-guides.yaml" --set m=50 mu=0.3 --json >all.json
grep -q '"class": "unique"' all.json
grep -q '"complete": true' all.json
