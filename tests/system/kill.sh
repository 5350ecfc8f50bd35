#!/bin/bash
# The daemon is killed in the middle of games, again and again, and started on the same store:
# what it had answered must be so, credentials must work, streams go on where they broke off, and
# each game in the end is what the rules make of it. Besides, every event and token that clients
# were ever told is written down by them, and held against the store in the end. ROUNDS kills (10).
. "$(dirname "$0")/lib.sh"

start
port=${address##*:}
"$B/tests/system/fleet" --address "$work/address" --games 1000000 --connections 6 --moves 80 \
    --seed "${SEED:-$RANDOM}" --survive --until "$work/enough" >"$work/fleet" 2>&1 &
fleet=$!
timeout "${TEST_SECONDS:-600}" python3 -B tests/system/faults.py load "$work/address" "$work/enough" "$work/ledger" \
    "$work/moving" 3 2>"$work/load" &
load=$!
for round in $(seq "${ROUNDS:-10}"); do
    sleep "0.$((RANDOM % 8 + 1))"
    kill -0 "$fleet" 2>/dev/null && kill -0 "$load" 2>/dev/null || break
    kill -9 "$pid"
    wait "$pid" 2>/dev/null
    start
done
touch "$work/enough"
wait "$fleet" || fail "after kill $round: $(cat "$work/fleet")"
wait "$load" || fail "after kill $round: $(cat "$work/load")"
grep -q 'connections broke' "$work/fleet" || fail "no kill was felt: $(cat "$work/fleet")"
python3 -B tests/system/faults.py check "$address" "$work/ledger" >"$work/said" 2>&1 ||
    fail "after $round kills: $(cat "$work/said")"
stop
"$B/refereed" check --state "$work/state" || fail "the store does not hold"
tr '\n' ' ' <"$work/fleet"
echo "($round kills; $(cat "$work/said"))"
