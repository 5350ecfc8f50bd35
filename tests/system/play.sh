#!/bin/bash
# Random games of all rulesets through a daemon on a socket, each replayed by the rules alone;
# then the store is checked, and the daemon stops when it is told to. GAMES a ruleset (60).
. "$(dirname "$0")/lib.sh"

start
for ruleset in engarde roquefort stratego; do
    "$B/tests/system/fleet" --address "$address" --ruleset "$ruleset" --games "${GAMES:-60}" \
        --connections "${CONNECTIONS:-8}" --moves 60 --seed "${SEED:-$RANDOM}" ||
        fail "games of $ruleset failed"
done
stop
"$B/refereed" check --state "$work/state" || fail "the store does not hold"
