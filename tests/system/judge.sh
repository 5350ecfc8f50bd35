#!/bin/bash
# Whole recorded games by `refereed judge` and through the daemon: the 36 games of
# tests/vectors/isf-games, each refused at its very last move by SC-7 and legal without it, in all
# four forms; games of all rulesets and variants; and junk.
. "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
start
python3 tests/system/judge.py "$B/refereed" "http://$address" "$work" || fail "a record was misjudged"
stop
