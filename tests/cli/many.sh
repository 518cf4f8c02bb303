# SPDX-License-Identifier: Apache-2.0
# Parts of a job array: the same bits as one run, going on, merging, and what is refused.
. "$(dirname "$0")/lib.bash"
t=$models/trammel.yaml
axes=(--x theta=0.01:1.56 --y "theta'=-3:3" --size 60x41)

run 0 map "$t" "${axes[@]}" --csv one.csv --h5 one.h5 --json; no_file one.csv.part
prints '"h5": "one.h5"'
cp out one.json

# parts in any order, one of them interrupted and gone on with; the file of the whole is what the same command goes on from
for i in 3 1 2; do
  run 0 map "$t" "${axes[@]}" --csv g.csv --h5 g.h5 --part $i/3 --json
  prints "\"slice\": \"$i/3\""; prints '"finished": false'; prints "\"part\": \"g.csv.part.$i-of-3\""
  no_file g.csv; no_file g.h5; has_file g.csv.part.$i-of-3
done
head -c "$(($(wc -c <g.csv.part.2-of-3) - 100))" g.csv.part.2-of-3 >cut; mv cut g.csv.part.2-of-3
run 0 map "$t" "${axes[@]}" --csv g.csv --part 2/3; says "1 tile of 'g.csv.part.2-of-3' is damaged"
prints "part 2/3 is done"
[ "$(wc -l <g.csv.part.2-of-3)" -eq 110 ] || fail "109 tiles of 8 points, 8 for each of 41 rows, belong to part 2/3"
run 0 merge g.csv.part.*-of-3 --out g.csv.part; prints "map: 328 of 328 tiles from 3 files in g.csv.part"; silent
touch -d "1 minute ago" g.csv.part
run 0 map "$t" "${axes[@]}" --csv g.csv --h5 g.h5 --json; no_file g.csv.part
cmp -s one.csv g.csv || fail "merged parts differ from one run"
sed 's/one\.\(csv\|h5\)/g.\1/' one.json | cmp -s - out || fail "JSON of merged parts"
if command -v h5dump >/dev/null; then
  h5dump -d number -d verdict -d x -d y one.h5 | tail -n +2 >a
  h5dump -d number -d verdict -d x -d y g.h5 | tail -n +2 >b
  cmp -s a b || fail "HDF5 of merged parts"
  h5dump -A -p one.h5 >out
  for what in CHUNKED 'ATTRIBUTE "unit"' 'ATTRIBUTE "meaning"' 'ATTRIBUTE "command"' '"contact.class"' '"rad' 'ATTRIBUTE "values"' \
              "amontons map" 'ATTRIBUTE "program"' 'ATTRIBUTE "verdicts"'; do
    grep -qF -- "$what" out || fail "one.h5 lacks $what"
  done
fi

# what is missing, twice, different, of another question
run 1 merge g.csv.part.1-of-3 --out some.part; says "218 of 328 tiles are missing: number 1, 2, 4,"; says "no file is of part 2/3, 3/3"
prints "110 of 328 tiles"
run 0 map "$t" "${axes[@]}" --keep some.part --csv s.csv; cmp -s one.csv s.csv || fail "a merged file that lacks parts"; has_file some.part
run 0 merge some.part g.csv.part.1-of-3 --out all.part; says "110 tiles stand in more than one file"
cp all.part other.part
run 2 merge all.part ./all.part --out x; says "is named twice"; no_file x
sed 's/unique/unicum/' other.part >broken.part
run 1 merge broken.part --out x; says "of 'broken.part' are damaged"; rm -f x
python3 - <<END
h = lambda s: __import__("functools").reduce(lambda a, c: ((a ^ c) * 1099511628211) % 2**64, s, 14695981039346656037)
out = []
for i, line in enumerate(open("all.part", "rb").read().split(b"\n")[:-1]):
    if i == 5:
        row = line.rsplit(b"\t", 1)[0].replace(b"unique", b"unicum")
        line = row + b"\t#%016x" % h(row)
    out.append(line + b"\n")
open("other.part", "wb").write(b"".join(out))
END
run 2 merge all.part other.part --out x; says "'all.part' and 'other.part' have different answers of number 4"; no_file x
run 0 map "$t" "${axes[@]}" --set mu=0.3 --part 1/2 --keep mu.part
run 2 merge all.part mu.part --out x; says "are of different questions, models or versions"; says "--set mu=0.3"; no_file x
run 0 map "$t" "${axes[@]}" --keep mu.part --csv m.csv; says "was left by another map"; cmp -s one.csv m.csv || fail "tiles of another map"
echo "my notes" >notes
run 2 merge all.part notes --out x; says "'notes' holds no finished tiles"
run 2 map "$t" "${axes[@]}" --keep notes; says "is in the way"
grep -q "my notes" notes || fail "a file that is not ours was touched"
run 2 merge --out x; says "merge needs files"
run 2 merge all.part; says "--out FILE"
run 2 merge gone.part --out x; says "cannot open 'gone.part'"

# a full disk
(ulimit -f 8; trap '' XFSZ; "$amontons" merge all.part --out full.part >out 2>err </dev/null)
[ $? -eq 2 ] || fail "status of merge on a full disk"
says "cannot write 'full.part'"; no_file full.part
(ulimit -f 8; trap '' XFSZ; "$amontons" map "$t" "${axes[@]}" --keep full.part --csv f.csv >out 2>err </dev/null)
[ $? -eq 2 ] || fail "status of a map on a full disk"
says "cannot write 'full.part'"; no_file f.csv
run 0 map "$t" "${axes[@]}" --keep full.part --csv f.csv; cmp -s one.csv f.csv || fail "gone on after a full disk"

# what cannot be asked
for part in 0/3 4/3 1/0 x 1/3x 1; do
  run 2 map "$t" "${axes[@]}" --csv x.csv --part "$part"; says "--part needs I/N"
done
run 2 map "$t" "${axes[@]}" --part 1/2; says "a part of the answer has to be kept in a file"
run 2 map "$t" "${axes[@]}" --keep - ; says "cannot be read back"

# the fits of a bootstrap
fit=(fit "$models/block-on-belt.yaml" --record "$models/block-on-belt.csv" --vary "k=1.2, Fs=0.8, delta=2.5" --json --quiet)
run 0 "${fit[@]}" --bootstrap 12; cp out whole.json; prints '"bootstrap": {'
for i in 1 2; do
  run 0 "${fit[@]}" --bootstrap 12 --part $i/2 --keep fit.$i; prints '"finished": 6'
done
run 0 merge fit.1 fit.2 --out fit.all; prints "bootstrap: 12 of 12 tiles"
run 0 "${fit[@]}" --bootstrap 12 --keep fit.all; cmp -s whole.json out || fail "bootstrap of merged parts"
run 0 "${fit[@]}" --bootstrap 12 --keep fit.new; cmp -s whole.json out || fail "bootstrap that is kept"
run 0 "${fit[@]}" --bootstrap 12 --seed 2 --keep fit.new --vary "k=1.2, Fs=0.8, delta=2.5"; cmp -s whole.json out && fail "fits of another seed were taken"
run 2 merge fit.1 all.part --out x; says "different questions"
run 2 "${fit[@]}" --keep fit.x; says "there are none"
no_leftovers
finish
