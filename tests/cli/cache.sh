#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Compiled code: the answers of the interpreter, bit for bit; whatever is wrong with compiler or cache, the interpreter goes on, nothing wrong
# is loaded and nothing is said.
set -euo pipefail
fail() { echo "cache.sh: $1" >&2; exit 1; }
model=$AMO_SOURCE_DIR/models/block-on-belt.yaml
export AMONTONS_CACHE=$PWD/cache
unset CC || true
if ! command -v cc >/dev/null; then echo "no cc: left out"; exit 0; fi

ask() { "$AMONTONS" simulate "$model" --until 40 --json "$@"; }  # one question
libraries() { find "$AMONTONS_CACHE" -name '*.so' | wc -l; }
ask --compile never > plain.json
[ ! -e cache ] || fail "--compile never made a cache"

# ---- the same bits, from a compiler and out of the cache ----
same() {  # WHAT LIBRARIES [COMMAND...]: the answer, without a word, and how many libraries there are then
  local what=$1 count=$2
  shift 2
  "$@" ask --compile wait > out.json 2> err.txt || fail "$what: status $?"
  cmp -s plain.json out.json || fail "$what: another answer"
  [ ! -s err.txt ] || fail "$what: says $(cat err.txt)"
  [ "$(libraries 2>/dev/null)" = "$count" ] || fail "$what: $(libraries) libraries, expected $count"
}
same "compiled" 1
[ "$(stat -c %a cache)" = 700 ] || fail "others may look into the cache"
[ "$(find cache -type f | wc -l)" = 1 ] || fail "something was left behind: $(ls cache)"
library=$(find "$AMONTONS_CACHE" -name '*.so')
cp "$library" good.so
touch -d 2001-01-01 "$library"; before=$(stat -c %i "$library")
same "from the cache" 1
[ "$(stat -c %i "$library")" = "$before" ] || fail "compiled again"
[ "$(stat -c %Y "$library")" -gt 1000000000 ] || fail "it does not count as used"

# ---- what is not what it should be is not loaded, but made anew ----
head -c 3000 good.so > "$library"
same "cut off" 1; cmp -s good.so "$library" || fail "a cut-off library stays"
printf 'not a library at all\n' > "$library"
same "no library" 1; cmp -s good.so "$library" || fail "what is no library stays"
sed 's/amo_emitted/amo_emittex/' good.so > "$library"
same "changed" 1; cmp -s good.so "$library" || fail "a changed library stays"
"$AMONTONS" simulate "$AMO_SOURCE_DIR/models/duffing.yaml" --until 5 --compile wait --quiet > /dev/null
other=$(find "$AMONTONS_CACHE" -name '*.so' ! -path "$library")
cp "$other" "$library"
same "another model's" 2; cmp -s good.so "$library" || fail "another model's library stays"
rm "$other"
chmod 666 "$library"
same "others may write to it" 1; [ "$(stat -c %a "$library")" = 600 ] || fail "a library that others may write to is used"
rm "$library"; ln -s "$PWD/good.so" "$library"
same "a link" 1; [ ! -L "$library" ] || fail "a link is followed"

# ---- compilers ----
make_cc() { printf '#!/bin/sh\n%s\n' "$1" > "$PWD/my cc"; chmod +x "$PWD/my cc"; mkdir -p bin; cp "my cc" bin/mycc; }
with_cc() { CC=$PWD/bin/mycc "$@"; }
rm -rf cache
make_cc 'exit 1'
same "a compiler that fails" 0 with_cc
make_cc 'case "$*" in *-dM*) exec cc "$@";; *) exit 0;; esac'
same "a compiler that makes nothing" 0 with_cc
make_cc 'case "$*" in *-dM*) exec cc "$@";; *) cc "$@"; kill -SEGV $$;; esac'
same "a compiler that crashes" 0 with_cc
make_cc 'case "$*" in *-dM*) exec cc "$@";; esac
for a; do [ "$last" = -o ] && out=$a; last=$a; done; echo "int main(void){return 0;}" | cc -shared -fPIC -x c - -o "$out"'
same "a compiler that makes something else" 0 with_cc
[ -z "$(find cache -type f)" ] || fail "left behind: $(ls cache)"
make_cc 'echo noise; echo noise >&2; exec cc "$@"'
same "a compiler that talks" 1 with_cc
with_nothing() { CC=/nowhere/cc "$@"; }
same "no compiler" 1 with_nothing
with_flags() { CC=" cc  -g0 " "$@"; }
same "a compiler with flags" 2 with_flags

# ---- folders ----
no_cache() {  # WHY: the folder is refused, and cache says why
  same "$1" "$2"
  "$AMONTONS" cache > /dev/null 2> err.txt && fail "$1: cache finds nothing wrong"
  grep "$3" err.txt > /dev/null || fail "$1: $(cat err.txt)"
}
rm -rf cache; mkdir -m 777 cache; chmod 777 cache
no_cache "a folder of everybody's" 0 "mode must be 0700"
rm -rf cache; mkdir -m 700 real; ln -s real cache
no_cache "a link to a folder" 0 "a link"
[ -z "$(ls real)" ] || fail "written through a link"
rm cache; echo > cache
no_cache "a file" 0 "not a folder"
rm cache; mkdir -m 500 cache
no_cache "a folder that may not be written to" 0 "may not be written"
rmdir cache; mkdir open; chmod 777 open
AMONTONS_CACHE=$PWD/open/cache
no_cache "a folder that others may exchange" 0 "leads to it"
AMONTONS_CACHE=/proc/nowhere/cache
"$AMONTONS" simulate "$model" --until 40 --json --compile wait | cmp -s plain.json - || fail "a folder that cannot be made"
AMONTONS_CACHE=off
ask --compile wait | cmp -s plain.json - || fail "off"
"$AMONTONS" cache | grep "switched off" > /dev/null || fail "cache does not say that it is off"
unset AMONTONS_CACHE
XDG_CACHE_HOME=$PWD/xdg/deep "$AMONTONS" simulate "$model" --until 40 --json --compile wait | cmp -s plain.json - || fail "XDG"
[ "$(find xdg/deep/amontons -name '*.so' | wc -l)" = 1 ] || fail "XDG_CACHE_HOME is not used"
HOME=$PWD/home XDG_CACHE_HOME= "$AMONTONS" simulate "$model" --until 40 --json --compile wait | cmp -s plain.json - || fail "HOME"
[ "$(find home/.cache/amontons -name '*.so' | wc -l)" = 1 ] || fail "HOME is not used"

# ---- full: no file may grow ----
export AMONTONS_CACHE=$PWD/full
(ulimit -f 8; trap '' XFSZ; ask --compile wait > /dev/null 2> "$PWD/err.txt") || fail "a full disk: status $?"
[ "$(find full -name '*.so' | wc -l)" = 0 ] || fail "a library on a full disk"

# ---- the command, and the bounds of the folder ----
export AMONTONS_CACHE=$PWD/bounds
ask --compile wait > /dev/null
"$AMONTONS" cache | grep "1 compiled library" > /dev/null || fail "cache: $("$AMONTONS" cache)"
old=00000000000000000000000000000000.so
head -c 70000000 /dev/zero > bounds/$old; touch -d 2001-01-01 bounds/$old
touch -d 2001-01-01 bounds/tmp-abcdef; echo mine > bounds/mine.txt
"$AMONTONS" simulate "$AMO_SOURCE_DIR/models/duffing.yaml" --until 5 --compile wait --quiet > /dev/null
[ ! -e bounds/$old ] || fail "the oldest stays in a folder that is too large"
[ ! -e bounds/tmp-abcdef ] || fail "what a broken-off run has left stays"
[ "$("$AMONTONS" cache --json | tr -d ' \n' | sed 's/.*"libraries":\([0-9]*\).*/\1/')" = 2 ] || fail "cache --json"
"$AMONTONS" cache clear | grep "0 compiled libraries" > /dev/null || fail "clear"
[ "$(ls bounds)" = mine.txt ] || fail "clear: $(ls bounds)"
"$AMONTONS" cache empty 2> err.txt && fail "cache empty is no command"
grep "usage: amontons cache" err.txt > /dev/null || fail "$(cat err.txt)"

# ---- in the background: a run that is over does not wait for a compiler ----
make_cc 'sleep 60; exec cc "$@"'
start=$SECONDS
CC=$PWD/bin/mycc timeout 50 "$AMONTONS" simulate "$model" --until 30000 --compile auto --quiet > /dev/null || fail "auto: status $?"
[ $((SECONDS - start)) -lt 40 ] || fail "waits for the compiler"
