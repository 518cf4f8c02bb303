#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The cost of m connected rough guides: one answer of `contact`, and a run of 60 s in which they stop and start together.
# usage: bench/guides.sh [PROGRAM] [M...]    writes a table
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
program=${1:-$here/../build/amontons}
shift || true
[ $# -gt 0 ] || set -- 2 5 10 20 30 50

# processor seconds of a command, its output in $out
out=$(mktemp)
trap 'rm -f "$out"' EXIT
seconds() {
  local TIMEFORMAT=%U
  { time "$@" >"$out"; } 2>&1
}
field() { sed -n "s/^ \{2,4\}\"$1\": *\"\{0,1\}\([^][\",]\{1,\}\)\"\{0,1\},\{0,1\}$/\1/p" "$out" | head -1; }

printf '%4s  %12s  %-8s  %8s  %10s  %7s  %7s  %s\n' m 'contact [s]' class complete 'run [s]' steps events audit
for m; do
  one=$(seconds "$program" contact "$here/driven-guides.yaml" --set "m=$m" mu=0.3 --json)
  class=$(field class) complete=$(field complete)
  run=$(seconds "$program" simulate "$here/driven-guides.yaml" --set "m=$m" mu=0.3 --until 60 --json)
  printf '%4d  %12s  %-8s  %8s  %10s  %7s  %7s  %s\n' "$m" "$one" "$class" "$complete" "$run" "$(field steps)" \
    "$(field events)" "$(field ok)"
done
