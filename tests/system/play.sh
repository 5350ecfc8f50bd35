#!/bin/bash
# Random games of all rulesets, each replayed by the rules alone: first in one process, with disks
# that fail and games read back in between; then through a daemon on a socket. The daemon stops
# when it is told to, and its store holds. GAMES a ruleset (60), SEED.
. "$(dirname "$0")/lib.sh"

"$B/tests/system/fleet" --games "${GAMES:-60}" --moves 60 --seed "${SEED:-$RANDOM}" ||
    fail "games without a daemon failed"
start
for ruleset in engarde roquefort stratego; do
    "$B/tests/system/fleet" --address "$address" --ruleset "$ruleset" --games "${GAMES:-60}" \
        --connections "${CONNECTIONS:-8}" --moves 60 --seed "${SEED:-$RANDOM}" ||
        fail "games of $ruleset failed"
done
stop
"$B/refereed" check --state "$work/state" || fail "the store does not hold"
