#!/bin/bash
# Clocks in the real daemon: whoever lets his time run out loses, kill -9 or not; the time in which
# the daemon was away, or stood still, is charged to nobody and is on record.
. "$(dirname "$0")/lib.sh"

ask() { # method, path, credential, body
    curl -sS --max-time 90 -X "$1" "http://$address$2" ${3:+-H "Authorization: Bearer $3"} \
        ${4:+-H 'Content-Type: application/json' -d "$4"}
}

# A castle in which yellow begins: $id, $yellow, $red.
game() { # clock
    made=$(ask POST /v1/games '' "{\"ruleset\":\"roquefort\",\"options\":{\"first\":\"yellow\"},\"clock\":$1}")
    id=$(jq -r .id <<<"$made")
    for seat in yellow red; do
        printf -v $seat '%s' "$(ask POST "/v1/games/$id/seats/$seat" "$(jq -r ".seats.$seat.invite" <<<"$made")" '{}' |
            jq -r .credential)"
    done
}

over() { # whether the game is, and who won for what
    ask GET "/v1/games/$id" | jq -r '"\(.status) \(.result.winner) \(.result.reason)"'
}

start
port=${address##*:}

# In time, and then not: the long poll hears of it.
game '{"per_move_s":2}'
ask POST "/v1/games/$id/moves" "$yellow" '{"move":{"type":"enter","tower":"a1"}}' >/dev/null
seq=$(ask GET "/v1/games/$id" | jq .seq)
heard=$(ask GET "/v1/games/$id/events?after=$seq&wait=20" "$yellow" | jq -r '.events[0] | .type + " " + .seat')
[ "$heard" = 'timed_out red' ] || fail "heard: $heard"
[ "$(over)" = 'over yellow time' ] || fail "after two seconds: $(over)"
first=$id

# Killed with three seconds on the clock, away for longer, and back.
game '{"initial_s":4}'
second=$id
kill -9 "$pid"
wait "$pid" 2>/dev/null
sleep 5
start
[ "$(over)" = 'playing null null' ] || fail "charged for the time away: $(over)"
grep -q 'was away for [0-9]* s' "$log" || fail 'the log does not say that it was away'
answer=$(ask POST "/v1/games/$id/moves" "$yellow" '{"move":{"type":"enter","tower":"a1"}}')
ask GET "/v1/games/$id/events" '' >"$work/events"
jq -e '[.events[] | select(.type == "uncharged" and .s >= 4)] | length == 1' "$work/events" >/dev/null ||
    fail "not on record: $(jq -c '[.events[].type]' "$work/events")"
jq -e '.view.clock.running == ["red"]' <<<"$answer" >/dev/null || fail "the wrong clock: $answer"
seq=$(jq .seq <<<"$answer")
heard=$(ask GET "/v1/games/$id/events?after=$seq&wait=20" '' | jq -r '.events[0] | .type + " " + .seat')
[ "$heard" = 'timed_out red' ] || fail "heard: $heard"

# It stood still, as a machine does that sleeps.
game '{"initial_s":9}'
third=$id
sleep 1.2
kill -STOP "$pid"
sleep 10
kill -CONT "$pid"
sleep 1.5
[ "$(over)" = 'playing null null' ] || fail "charged for a standstill: $(over)"
grep -q 'stood still for' "$log" || fail 'the log does not say that it stood still'
ask POST "/v1/games/$id/resign" "$red" '{}' >/dev/null
[ "$(over)" = 'over yellow resigned' ] || fail "resigned: $(over)"

# All that is on record passes both verifiers.
for id in $first $second $third; do
    ask GET "/v1/games/$id/transcript" >"$work/transcript.json"
    "$B/refereed" verify "$work/transcript.json" >"$work/said" || fail "verify: $(cat "$work/said")"
    python3 -B docs/examples/verify.py "$work/transcript.json" >"$work/said" ||
        fail "the second verifier: $(cat "$work/said")"
done
stop
"$B/refereed" check --state "$work/state" >/dev/null || fail 'check'
echo 'clocks.sh: out of time, killed, stood still; nobody was charged for what he could not help'
