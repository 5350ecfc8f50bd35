#!/bin/bash
# The rules against those of tests/second, which were written from the rulings alone: the same verdicts and the
# same positions afterwards? POSITIONS a game; `make differential` asks 100,000.
set -eu
export B=${B:-build}
cd "$(dirname "$0")/../.."
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
[ -x "$B/tests/second/judge" ] || { echo "$B/tests/second/judge is not built"; exit 1; }
said=$(mktemp)
trap 'rm -f "$said"' EXIT
tests/second/differ.py --positions "${POSITIONS:-1000}" --seed "${SEED:-1}" >"$said" || { cat "$said"; exit 1; }
awk '{ n += $2 } END { print n " positions, the same verdicts in all" }' "$said"
