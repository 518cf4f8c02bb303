# SPDX-License-Identifier: Apache-2.0
# Shared by the tests of the command line. Each check prints what it saw when it fails, and goes on.
amontons=${AMONTONS:?path of the program}
source_dir=${AMO_SOURCE_DIR:?path of the sources}
models=$source_dir/models
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

# run STATUS ARGS...: exit status must be STATUS; leaves out, err in files.
run() {
  local want=$1
  shift
  timeout 200 "$amontons" "$@" >out 2>err </dev/null
  local got=$?
  if [ "$got" -ne "$want" ]; then
    fail "exit status $got, expected $want: amontons $*"
  fi
}

fail() {
  failures=$((failures + 1))
  echo "FAIL: $*"
  echo "--- stdout"; head -c 2000 out 2>/dev/null
  echo "--- stderr"; head -c 2000 err 2>/dev/null
  echo "---"
}

says() { grep -qF -- "$1" err || fail "stderr lacks: $1"; }
silent() { [ ! -s err ] || fail "stderr should be empty"; }
prints() { grep -qF -- "$1" out || fail "stdout lacks: $1"; }
lacks() { ! grep -qF -- "$1" out || fail "stdout should lack: $1"; }
prints_nothing() { [ ! -s out ] || fail "stdout should be empty"; }
no_file() { [ ! -e "$1" ] || fail "file should not exist: $1"; }
has_file() { [ -s "$1" ] || fail "file should exist: $1"; }
no_leftovers() { [ -z "$(find . -name '*.tmp-*')" ] || fail "leftovers: $(find . -name '*.tmp-*')"; }

finish() {
  [ "$failures" -eq 0 ] && echo "all checks passed"
  exit $((failures > 0))
}
