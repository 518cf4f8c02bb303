# SPDX-License-Identifier: Apache-2.0
# reproduce: folders, ids, interrupts.
. "$(dirname "$0")/lib.bash"
export AMONTONS_GALLERY=$source_dir/gallery

run 2 reproduce leine-fig4; says "these begin so: "; says "leine-fig4b"
run 0 reproduce leine-fig4b --no-figures; no_file reproduce
run 0 reproduce leine-fig4b --out figures --report page; has_file figures/verdicts.json; has_file page/index.html
grep -q '<time>20' page/index.html || fail "the report has no date"
link=$(grep -o 'href="[^"#]*leine-fig4b.yaml"' page/index.html | sed 's/href="//; s/"//')
[ -n "$link" ] && [ -f "page/$link" ] || fail "the report has no link to its study"
no_leftovers

# an id must not lead out of the folder
mkdir -p bad/inner
{ printf 'study: ../escaped\n'; sed -e '/^study:/d' "$source_dir/gallery/leine/leine-fig4b.yaml"; } >bad/inner/x.yaml
ln -s "$models" models; ln -s "$models" bad/models
"$amontons" reproduce --gallery bad/inner --out figures2 >out 2>err && fail "an id with a slash"
[ -z "$(find . -name 'escaped*')" ] || fail "a figure outside of the folder"

# interrupted: said, nothing that looks whole
timeout --preserve-status -s INT 1 "$amontons" reproduce --out f3 --report r3 >out 2>err
if [ $? -eq 0 ]; then echo "the whole gallery took less than a second"; else
  says "interrupted"; no_file r3/index.html; no_file f3/verdicts.json
fi
no_leftovers
finish
