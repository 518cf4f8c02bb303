# SPDX-License-Identifier: Apache-2.0
# ctest: slow (the sanitizers see the same words in fuzz_options)
# Hostile options for every verb and every option that --help lists: each gets a message and the status that it
# must, soon and in little memory. The tables are in hostile.py; a new verb or option falls under them by itself.
. "$(dirname "$0")/lib.bash"
python3 "$source_dir/tests/cli/hostile.py" "$amontons" "$models" || fail "see above"

# ---- outputs that cannot be written ----
m=$models/block-on-belt.yaml
mkdir folder locked; chmod 555 locked
for verb in "simulate --until 1 --csv" "simulate --until 1 --h5" "simulate --until 1 --plot" "map --x v=0.1:0.2 --y k=1:2 --size 2x2 --csv" \
            "map --x v=0.1:0.2 --y k=1:2 --size 2x2 --of rest.verdict --plot" "draw --out" "spectrum --until 20 --points 64 --csv" \
            "poincare --until 50 --section stick --csv" "poincare --until 50 --section stick --plot" \
            "sweep --vary v=0.1:0.2 --points 2 --transient 20 --csv" "continue --of steady --vary v=0.3:0.4 --plot"; do
  set -- $verb
  ending=csv
  case $verb in *plot | *out) ending=svg ;; *h5) ending=h5 ;; esac
  run 2 "$1" "$m" "${@:2}" "missing/folder/a.$ending"; says "missing/folder"
  run 2 "$1" "$m" "${@:2}" folder; says "folder"
  run 2 "$1" "$m" "${@:2}" ""; says "file name"
  run 2 "$1" "$m" "${@:2}" $'a\tb\n.'"$ending"; says "control characters"
  run 2 "$1" "$m" "${@:2}"; says "needs a value"
  run 2 "$1" "$m" "${@:2}" "$m"; says "would overwrite the model"
  [ "$(id -u)" = 0 ] || { run 2 "$1" "$m" "${@:2}" "locked/a.$ending"; says "locked"; }
  run 0 "$1" "$m" "${@:2}" "a name, 'with' blanks;.$ending"; has_file "a name, 'with' blanks;.$ending"
  if [ -w /dev/full ] && [ $ending = csv ]; then run 2 "$1" "$m" "${@:2}" /dev/full; says "/dev/full"; fi
  no_leftovers
done
for verb in describe simulate evaluate steady "rest --json" "simulate --csv -" "cycle --json" "draw"; do
  set -- $verb
  [ -w /dev/full ] || continue
  timeout 60 "$amontons" "$1" "$m" "${@:2}" >/dev/full 2>err </dev/null
  [ $? -eq 2 ] || fail "standard output that is full: $verb"
  says "No space left on device"
done
finish
