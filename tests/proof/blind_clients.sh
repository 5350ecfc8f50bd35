#!/bin/bash
# Players' custody with the clients of docs/examples against a real daemon: red is blind.sh, blue is
# refereed.js. They play, refuse, cheat and audit; what is on record passes the verifier.
. "$(dirname "$0")/../system/lib.sh"
for tool in b2sum curl jq; do
    command -v $tool >/dev/null || { echo "no $tool"; exit 77; }
done
node=$(node -p 'process.versions.node.split(".")[0]' 2>/dev/null) || { echo "no node"; exit 77; }
[ "$node" -ge 20 ] || { echo "node $node is too old: 20 is needed"; exit 77; }
json='Content-Type: application/json'
vectors=tests/vectors/protocol.json

red() { docs/examples/blind.sh "$@"; }
blue() { # words of a command
    local said
    said=$(printf '%s\n' "${GAME:-}" "${CREDENTIAL:-}" "${KEPT:-}" "${VARIANT:-}" "$@" | head -c -1 |
        curl -sS -w '%{http_code}' --data-binary @- "http://127.0.0.1:$blues")
    printf '%s' "${said%???}"
    [ "${said: -3}" = 200 ]
}

# The command succeeds and says that; or it fails and says that.
says() { # pattern command...
    local said
    said=$("${@:2}" 2>&1) || fail "${*:2}: $said"
    grep -qE -- "$1" <<<"$said" || fail "${*:2}: not $1 but $said"
}
refuses() { # pattern command...
    local said
    said=$("${@:2}" 2>&1) && fail "${*:2}: done though it should not be: $said"
    grep -qE -- "$1" <<<"$said" || fail "${*:2}: not $1 but $said"
}

# A game with both seats taken; the clients find it in the environment.
game() { # name variant first
    local made id seat credential
    made=$(curl -sS "$games" -H "$json" -d "{\"ruleset\":\"stratego\",\"variant\":\"$2\",
        \"custody\":\"players\",\"options\":{\"first\":\"$3\"}}")
    id=$(jq -r .id <<<"$made")
    GAME=$games/$id KEPT=$work/$1.blue VARIANT=$2
    export BLIND_GAME=$GAME BLIND_FILE=$work/$1.red BLIND_CREDENTIAL_FILE=$work/$1.credential
    for seat in red blue; do
        credential=$(curl -sS -X POST "$GAME/seats/$seat" \
            -H "Authorization: Bearer $(jq -r ".seats.$seat.invite" <<<"$made")" | jq -r .credential)
        if [ $seat = red ]; then echo "$credential" >"$BLIND_CREDENTIAL_FILE"; else CREDENTIAL=$credential; fi
    done
}

begin() { # red's set-up, blue's
    red keep "$1" || fail "red keeps nothing"
    unset BLIND_GAME # from now on it is in what was kept
    blue keep "$2" || fail "blue keeps nothing"
    says setup red setup
    says playing blue setup
}

seq_now() { curl -sS "$GAME" | jq .seq; }

# The last event, and the verifier's word.
ended() { # jq-filter
    curl -sS "$GAME/events" | jq -e ".events[-1] | .type == \"ended\" and ($1)" >/dev/null ||
        fail "the end is not $1: $(curl -sS "$GAME/events" | jq -c '.events[-1]')"
    curl -sS "$GAME/transcript" >"$KEPT.transcript"
    says 'play' "$B/refereed" verify "$KEPT.transcript" --key "$(jq -r .keys[0].id <<<"$keys")"
}

# Vectors.
(
    . docs/examples/blind.sh
    set +e
    id=$(jq -r .id $vectors) gid=$(jq -r .gid $vectors)
    [ "$(gid_of "$id")" = "$gid" ] || fail "gid_of"
    want=$(jq -r '.hashes[] | select(.bits == 256) | .hash' $vectors)
    [ "$(jq -r '.hashes[] | select(.bits == 256) | .preimage' $vectors | while read -r preimage; do
        echo "$(bytes "${preimage:0:32}") ${preimage:32}"
    done | hashes)" = "$want" ] || fail "hashes of blind.sh"
    while read -r want layout args; do
        # shellcheck disable=SC2086 # words
        [ "$($layout $args | hashes)" = "$want" ] || fail "$layout $args"
        count=$((${count:-0} + 1))
    done < <(jq -r '.gid as $gid | .hashes[] | .args as $a | .hash + (
        if .kind == "nonce" and $a.context == 0 then " nonce \($a.secret) \($gid) \($a.index)"
        elif .kind == "piece" then " commitment \($gid) \($a.seat) \($a.slot) \($a.rank) \($a.nonce)"
        elif .kind == "setup" then " setup_hash \($gid) \($a.seat) \($a.commitments | join(" "))"
        else empty end)' $vectors)
    [ "$count" -eq 4 ] || fail "$count layouts"
) || exit 1

start
keys=$(curl -sS "http://$address/v1/keys")
blues=
: >"$work/blues"
KEY=$(jq -r .keys[0].public <<<"$keys") node tests/proof/blind_clients.mjs >"$work/blues" 2>"$work/node" &
server=$!
others=()
trap 'kill $server "${others[@]}" 2>/dev/null; leave' EXIT
for _ in $(seq 500); do
    read -r blues <"$work/blues" && break
    sleep 0.02
done
[ -n "$blues" ] || fail "no node: $(cat "$work/node")"
blue vectors $vectors || fail "hashes of refereed.js"
games=http://$address/v1/games

# An honest game. Red's rows 3 and 4, blue's 7 and 8 are those of docs/examples/setup-*.json.
honest() {
    game honest marsal-a-spion red
    jq '.pieces.a1 = "scout"' docs/examples/setup-red.json >"$work/wrong.json"
    refuses 'has not the pieces' red keep "$work/wrong.json"
    refuses 'not red.s' red keep docs/examples/setup-blue.json
    refuses 'not the pieces' blue keep "$work/wrong.json"
    begin docs/examples/setup-red.json docs/examples/setup-blue.json
    [ "$(stat -c %a "$BLIND_FILE")" = 600 ] || fail "others may read what is kept"
    sum=$(b2sum "$BLIND_FILE")
    BLIND_GAME=$GAME refuses 'never overwritten' red keep docs/examples/setup-red.json
    [ "$(b2sum "$BLIND_FILE")" = "$sum" ] || fail "what is kept has changed"
    red commitments >"$work/commitments"
    blue reads "$BLIND_FILE" "$work/commitments" || fail "the two clients disagree"
    says 'ok: both set-ups, 40 faces' red check
    says 'ok: 0 openings' blue check

    refuses 'never moves' red move a1 a2
    refuses 'goes one square' red move b4 b6
    refuses 'no piece on e5' red move e5 e6
    refuses 'no such square' red move e4 e11
    refuses '^usage' red move e4
    refuses 'game is not over' red audit
    refuses 'nothing of yours' red defend
    says '"moved".*"g6"' red move g4 g6 # a long run
    refuses 'never moves' blue move a7 a6
    refuses 'the secret stays here' blue audit
    says '^challenge .*"g7"' blue move g7 g6
    refuses 'not_your_turn|wrong_status' blue claim
    says 'both_lost' red defend
    refuses 'no piece on g6' red opening g6

    # An opening that does not fit is refused and leaves nothing; nor does the other side's lie.
    before=$(seq_now)
    jq '.pieces |= map(.nonce |= (.[1:] + .[:1]))' "$BLIND_FILE" >"$work/forged"
    BLIND_FILE=$work/forged refuses bad_opening red move a4 a7
    [ "$(seq_now)" = "$before" ] || fail "a bad opening is on record"
    says '"challenge".*"a7"' red move a4 a7 # a run into a mine
    refuses bad_opening blue lie
    says 'attacker_lost' blue defend
    says '"challenge".*"claim":true' blue claim
    says '"claimed".*"holds":false' red defend
    says 'ok: both set-ups, 41 faces' red check # red was shown the mine
    jq 'del(.pieces[] | select(.square == "j4")) | .pieces += [{"square":"j4","slot":39,"face":"miner"}]' \
        "$BLIND_FILE" >"$work/forged"
    BLIND_FILE=$work/forged refuses 'red/j4: miner is not' red check

    says '"moved".*"c5"' blue move c7 c5
    says 'challenge' red move c4 c5
    says 'defender_lost' blue defend
    says 'c5.*gunner' red pieces
    says '^playing' blue move c8 c7
    says '"slot":32,.*gunner' red opening c5 # it was set up on c4
    says '^playing' red move c5 c6
    says '^challenge' blue move c7 c6
    says 'defender_lost' red defend
    says '"c6":"corporal"' blue pieces
    says '"challenge".*"claim":true' red claim
    says '"claimed".*"holds":false' blue defend
    says '"moved"' red move i4 i5
    says '^audit' blue resign
    says '^audit' red audit
    says 'ended' blue audit
    ended '.audit == "clean" and .result.winner == "red"'
    says 'ok: both set-ups' red check
    says 'ok: 8[0-9] openings' blue check
}

# Blue moves his flag; only the audit can see it, and it does.
cheat() {
    game cheat marsal-a-spion red
    jq '.pieces.j7 = "flag" | .pieces.b10 = "scout"' docs/examples/setup-blue.json >"$work/cheat.json"
    begin docs/examples/setup-red.json "$work/cheat.json"
    says '"moved"' red move j4 j5
    refuses 'a flag never moves' blue move j7 j6
    cheated=$(($(seq_now) + 1))
    says '"moved"' blue raw j7 j6
    says 'challenge' red move j5 j6
    says 'defender_lost' blue defend
    says 'over|audit' red audit
    says 'ended' blue audit
    ended ".audit == \"cheat\" and .result.winner == \"red\" and .cheats ==
        [{code: \"moved_immobile\", seat: \"blue\", seq: $cheated}]"
}

# Red has walled itself in with bombs, and loses by saying so.
walls() { # rows from the front
    jq -nc --argjson rows "$1" '["flag", "spy", (range(8) | "scout"), (range(5) | "miner"), (range(3) | "major"),
            (range(4) | "sergeant", "lieutenant", "captain"), "colonel", "colonel", "general", "marshal"] as $rest
        | ["a", "b", "e", "f", "i", "j"] as $wall
        | [("c", "d", "g", "h") + $rows[0], ($rows[1:][] as $row | "abcdefghij" | split("")[] + $row)]
        | to_entries | map({(.value): $rest[.key]}) + [$wall[] | {(. + $rows[0]): "bomb"}] | {pieces: add}'
}
walled() {
    walls '["4","3","2","1"]' >"$work/walls.red"
    walls '["7","8","9","10"]' >"$work/walls.blue"
    game walled classic red
    begin "$work/walls.red" "$work/walls.blue"
    says '"claimed".*"holds":true' red claim
    says '^audit' blue audit
    says 'ended' red audit
    ended '.audit == "clean" and .result.winner == "blue" and .result.ruling == "SC-5"'
}

# The referee's custody: every opening of cards, tiles and pieces.
referees() {
    blue fits "$games" || fail "openings in the referee's custody"
}

for play in cheat walled referees; do
    $play &
    others+=($!)
done
honest
for other in "${others[@]}"; do
    wait "$other" || exit 1
done
others=()
stop
echo "blind_clients.sh: 3 games between blind.sh and refereed.js, 4 in the referee's custody"
