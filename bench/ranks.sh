#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A map by one process, by threads, and by the processes of mpirun: wall-clock seconds, the least of three runs, and whether the grid is the
# same bytes.   usage: bench/ranks.sh [PROGRAM] [RANKS...]    writes a table
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "${1:-$here/../build/amontons}")
shift || true
[ $# -gt 0 ] || set -- 1 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
map=("$program" map "$here/../models/block-on-belt.yaml" --x v=0.05:0.6 --y Fs=0.5:1.5 --size 40x50
     --of simulate.final.state.x --with until=1000 --quiet --csv)

least() {  # COMMAND...: of three runs
  local TIMEFORMAT=%R
  for _ in 1 2 3; do { time "$@" >out 2>err; } 2>&1; done | sort -g | head -1
}
row() {  # NAME COMMAND...
  local name=$1 seconds
  shift
  rm -f grid.csv
  seconds=$(least "$@" grid.csv)
  [ -e one.csv ] || { cp grid.csv one.csv; first=$seconds; }
  printf '%-12s  %8s  %8s  %s\n' "$name" "$seconds" "$(awk "BEGIN { printf \"%.2f\", $first / $seconds }")" \
    "$(cmp -s one.csv grid.csv && echo same || echo DIFFERENT)"
}
printf '%-12s  %8s  %8s  %s\n' by 'wall [s]' speed-up grid
row "1 thread" "${map[@]:0:2}" "${map[@]:2:${#map[@]}-3}" --threads 1 --csv
for n; do [ "$n" = 1 ] || row "$n threads" "${map[@]:0:2}" "${map[@]:2:${#map[@]}-3}" --threads "$n" --csv; done
command -v mpirun >/dev/null || exit 0
for n; do row "$n ranks" mpirun -n "$n" "${map[@]}"; done
