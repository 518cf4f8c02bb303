#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Programs of their own (docs/swarm.md): every model is refused in words, or its text is one that a compiler takes.
set -uo pipefail
. "$(dirname "$0")/lib.bash"
command -v cc >/dev/null || { echo "no cc: left out"; exit 0; }

taken=0
for model in "$models"/*.yaml; do
  if "$amontons" emit "$model" --order 8 >text.c 2>err; then
    cc -std=gnu17 -w -fsyntax-only text.c 2>err || fail "$(basename "$model"): the text does not compile"
    taken=$((taken + 1))
  else
    says "this model cannot become a program of its own"
  fi
done
[ "$taken" -ge 40 ] || fail "$taken models become programs, 41 did"
finish
