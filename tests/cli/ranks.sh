# SPDX-License-Identifier: Apache-2.0
# Several processes under mpirun: the same bits for any number of them, killed ranks, and programs without MPI.
# ctest: serial slow (libraries of MPI leak, which sanitizers would tell)
. "$(dirname "$0")/lib.bash"
m=$models/block-on-belt.yaml
plane=(map "$m" --x v=0.05:0.6 --y Fs=0.5:1.5 --size 12x24 --of simulate.final.state.x)
map=("${plane[@]}" --with until=600)
folder=$(dirname "$(realpath "$amontons")")

# a program that does not find its module, under a launcher: each process would do all of the work
cp "$amontons" alone
for launcher in OMPI_COMM_WORLD_SIZE PMI_SIZE; do
  env $launcher=4 ./alone "${map[@]}" --csv x.csv >out 2>err
  [ $? -eq 1 ] || fail "status without MPI under $launcher"
  says "4 processes were started together, but this build does not know MPI"; no_file x.csv
  env $launcher=1 ./alone "${map[@]}" --size 3x3 >out 2>err || fail "one process"
  env $launcher=4 ./alone "${map[@]}" --size 3x3 --part 1/2 --keep p.part >out 2>err || fail "a part needs no MPI"
  env $launcher=4 ./alone describe "$m" >out 2>err || fail "describe needs no MPI"
done
if [ ! -e "$folder/amontons-mpi.so" ] || ! command -v mpirun >/dev/null; then
  echo "built without MPI, or no mpirun: the rest is left out"
  finish
fi
if command -v ldd >/dev/null; then ldd "$amontons" >out; lacks libmpi; fi

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
mpirun --version >out 2>&1
grep -q "Open MPI" out && open=1 || open=0
many=(); [ $open = 1 ] && many=(--oversubscribe)
ranks() {  # NUMBER ARGS...
  local n=$1
  shift
  timeout 100 mpirun "${many[@]}" -n "$n" "$amontons" "$@" >out 2>err </dev/null
}

run 0 "${map[@]}" --csv one.csv --json; sed 's/one.csv/g.csv/' out >one.json
for n in 1 2 3 4; do
  ranks $n "${map[@]}" --csv g.csv --json || fail "status of $n ranks"
  cmp -s one.csv g.csv || fail "$n ranks"; cmp -s one.json out || fail "what $n ranks tell"
  no_file g.csv.part; rm -f g.csv
done
ranks 2 "${map[@]}" --threads 2 --csv g.csv || fail "ranks with threads"
cmp -s one.csv g.csv || fail "ranks with threads"
fit=(fit "$m" --record "$models/block-on-belt.csv" --vary "k=1.2, Fs=0.8, delta=2.5" --bootstrap 12 --json --quiet)
run 0 "${fit[@]}"; cp out whole.json
ranks 3 "${fit[@]}" --out fit.csv || fail "bootstrap"
cmp -s whole.json out || fail "bootstrap of 3 ranks"; has_file fit.csv

# mistakes are told once, by rank 0
ranks 3 "${plane[@]}" --with no=1 && fail "a mistake is one for ranks too"
[ "$(grep -c "^error" err)" -eq 1 ] || fail "a mistake is told once"

# A rank is killed. Without more the launcher ends the job: rank 0 has kept what was done, and any number of ranks goes on.
long=("${plane[@]}" --with until=5000)
run 0 "${long[@]}" --csv whole.csv
kill_one() {  # RANK PATTERN: of the processes that run it
  local pid
  for _ in $(seq 200); do
    [ "$(cat "$2.part" 2>/dev/null | wc -l)" -gt 4 ] && break
    sleep 0.02
  done
  for pid in $(pgrep -f "$amontons map .*$2"); do
    if tr '\0' '\n' <"/proc/$pid/environ" 2>/dev/null | grep -qxE "(OMPI_COMM_WORLD_RANK|PMI_RANK)=$1" &&
       [ "$(cat "/proc/$pid/comm")" = "$(basename "$amontons")" ]; then
      kill -9 "$pid"
      return
    fi
  done
  fail "no rank $1 to kill"
}
ranks 3 "${long[@]}" --csv "$work/killed.csv" &
kill_one 1 "$work/killed.csv"
wait $! && fail "status of a job that was killed"
no_file killed.csv; has_file killed.csv.part
before=$(wc -l <killed.csv.part)
ranks 2 "${long[@]}" --csv "$work/killed.csv" || fail "going on after a kill"
cmp -s whole.csv killed.csv || fail "gone on after a kill"
[ "$before" -gt 4 ] || fail "rows were kept: $before"

# Where the launcher lets the others live, they finish: only the tile of the killed one is computed again.
if [ $open = 1 ]; then
  many+=(--enable-recovery)
  ranks 3 "${long[@]}" --csv "$work/lost.csv" &
  kill_one 2 "$work/lost.csv"
  wait $! || fail "status of a job that lost a rank"
  cmp -s whole.csv lost.csv || fail "a job that lost a rank"
  says "rank 2 was lost or very slow"
fi
finish
