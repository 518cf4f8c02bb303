# SPDX-License-Identifier: Apache-2.0
# Help, manual page, completion and docs/cli.md come from one table; the examples in it work.
. "$(dirname "$0")/lib.bash"

run 0 --help; prints "commands:"; silent
commands=$(sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' out)
[ "$(echo "$commands" | wc -w)" -ge 8 ] || fail "commands: $commands"
run 0 help simulate; cp out help1; run 0 simulate --help; cmp -s help1 out || fail "help simulate"
run 0 simulate nonsense --untill --help; prints "usage: amontons simulate"

mkdir -p examples && ln -s "$models" examples/models && ln -s "$source_dir/gallery" examples/gallery
ln -s "$amontons" examples/amontons 2>/dev/null
for c in $commands; do
  run 0 "$c" --help
  prints "usage: amontons $c"; prints "options"; prints "example:"
  awk 'length > 100 && !/^  amontons/ { exit 1 }' out || fail "$c --help: lines over 100 columns"
  case $c in test | reproduce) continue ;; esac  # the gallery has a test of its own
  sed -n '/^example:/,$s/^  //p' out >lines
  while read -r line; do
    (cd examples && PATH=$PWD:$PATH timeout 200 bash -c "$line" >../out 2>../err) || fail "example of $c: $line"
  done <lines
done

run 0 man; prints ".TH AMONTONS 1"
if command -v groff >/dev/null; then
  groff -man -Tutf8 -ww out >/dev/null 2>err; silent
fi
for o in until method set json csv; do prints "\\-\\-$o"; done

for s in bash zsh fish; do
  run 0 completion $s; cp out completion.$s; prints until; prints simulate
  command -v $s >/dev/null && { $s -n completion.$s 2>err || fail "completion $s"; }
done
run 2 completion tcsh; says "bash|zsh|fish"
complete_bash() {
  bash -c ". ./completion.bash; COMP_WORDS=($1); COMP_CWORD=$2; _amontons; echo \${COMPREPLY[@]}" >out 2>err
}
complete_bash "amontons sim" 1; prints simulate
complete_bash "amontons simulate --unt" 2; prints "--until"
complete_bash "amontons simulate --method ''" 3; prints "event switch smooth"

run 0 man --format markdown
cmp -s out "$source_dir/docs/cli.md" || fail "docs/cli.md is stale: amontons man --format markdown > docs/cli.md"
finish
