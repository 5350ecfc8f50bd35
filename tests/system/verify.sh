#!/bin/bash
# A transcript verifies with no network and no store; no single changed byte goes unnoticed.
. "$(dirname "$0")/lib.sh"

"$B/refereed" keygen "$work/operator" >/dev/null || fail "no keys"
start --operator-token-file "$work/operator/operator.token"
games=http://$address/v1/games
json='Content-Type: application/json'
post() { # path credential [body]
    curl -sS -X POST "$games/$1" -H "Authorization: Bearer $2" -H "$json" ${3:+-d "$3"}
}

# A game of that body, played for some moves, then given up; its transcript into $work/$1.json.
play() { # name body moves
    local game id seat n mover
    declare -A cred=()
    game=$(curl -sS "$games" -H "$json" -d "$2")
    id=$(jq -r .id <<<"$game")
    for seat in $(jq -r '.seats | keys[]' <<<"$game"); do
        cred[$seat]=$(post "$id/seats/$seat" "$(jq -r ".seats.$seat.invite" <<<"$game")" | jq -r .credential)
    done
    case $1 in stratego)
        for seat in red blue; do
            post "$id/setup" "${cred[$seat]}" "$(cat docs/examples/setup-$seat.json)" >/dev/null
        done ;;
    esac
    for ((n = 0; n < $3; n++)); do
        mover=$(curl -sS "$games/$id" | jq -r '.to_act[0] // empty')
        [ -n "$mover" ] || break
        post "$id/moves" "${cred[$mover]}" "$(curl -sS "$games/$id/moves" \
            -H "Authorization: Bearer ${cred[$mover]}" | jq -c "{move: .moves[$n % (.moves | length)]}")" >/dev/null
    done
    if [ "$3" -eq 0 ]; then post "$id/abort" "$(jq -r .host <<<"$game")" >/dev/null
    else for seat in "${!cred[@]}"; do post "$id/resign" "${cred[$seat]}" >/dev/null; done; fi
    curl -sS -f "$games/$id/transcript" >"$work/$1.json" || fail "no transcript of $1"
}

play engarde '{"ruleset":"engarde"}' 12
play roquefort '{"ruleset":"roquefort","players":3}' 20
play stratego '{"ruleset":"stratego"}' 12
play aborted '{"ruleset":"stratego"}' 0

# Given up before anything was dealt: nothing is opened, and that is right.
game=$(curl -sS "$games" -H "$json" -d '{"ruleset":"stratego"}')
id=$(jq -r .id <<<"$game")
for seat in red blue; do
    cred=$(post "$id/seats/$seat" "$(jq -r ".seats.$seat.invite" <<<"$game")" | jq -r .credential)
done
post "$id/resign" "$cred" >/dev/null
curl -sS -f "$games/$id/transcript" >"$work/early.json" || fail "no transcript of early"

# A seat given anew, to somebody without a name.
game=$(curl -sS "$games" -H "$json" -d '{"ruleset":"engarde"}')
id=$(jq -r .id <<<"$game")
post "$id/seats/left" "$(jq -r .seats.left.invite <<<"$game")" '{"name":"Ann"}' >/dev/null
again=$(post "$id/seats/left/invite" "$(cat "$work/operator/operator.token")" | jq -r .invite)
post "$id/seats/left" "$again" '{"name":""}' >/dev/null
cred=$(post "$id/seats/right" "$(jq -r .seats.right.invite <<<"$game")" | jq -r .credential)
post "$id/resign" "$cred" >/dev/null
curl -sS -f "$games/$id/transcript" >"$work/reissued.json" || fail "no transcript of reissued"

# A seat renamed before the game began, and again in play, to no name.
game=$(curl -sS "$games" -H "$json" -d '{"ruleset":"engarde"}')
id=$(jq -r .id <<<"$game")
post "$id/seats/left" "$(jq -r .seats.left.invite <<<"$game")" '{"name":"Rude"}' >/dev/null
rename() { post "$id/seats/left/name" "$(cat "$work/operator/operator.token")" "{\"name\":\"$1\"}" >/dev/null; }
called() { curl -sS "$games/$id" | jq -r .seats.left.name; }
rename Ann
cred=$(post "$id/seats/right" "$(jq -r .seats.right.invite <<<"$game")" | jq -r .credential)
rename ""
[ "$(called)" = null ] || fail "a seat without a name is called $(called)"
rename Cyril
stop
"$B/refereed" check --state "$work/state" >"$work/said" || fail "the store: $(cat "$work/said")"
start --operator-token-file "$work/operator/operator.token"
games=http://$address/v1/games
[ "$(called)" = Cyril ] || fail "after a start the seat is called $(called)"
post "$id/resign" "$cred" >/dev/null
curl -sS -f "$games/$id/transcript" >"$work/renamed.json" || fail "no transcript of renamed"
key=$(curl -sS "http://$address/v1/keys" | jq -r '.keys[0].id')
stop

for name in engarde roquefort stratego aborted early reissued renamed; do
    "$B/refereed" verify "$work/$name.json" --key "$key" >"$work/said" ||
        fail "$name does not verify: $(cat "$work/said")"
    "$B/refereed" verify - --key k4.pid.AAAA <"$work/$name.json" >/dev/null && fail "$name: any key will do"
    python3 docs/examples/verify.py "$work/$name.json" --key "$key" >"$work/said" ||
        fail "$name does not verify by the second verifier: $(cat "$work/said")"
done
BYTES=${BYTES:-20} SEED=${SEED:-$RANDOM} python3 - "$B/refereed" "$work" "$key" <<'PY' || fail "see above"
import json, os, random, subprocess, sys
refereed, work, key = sys.argv[1:]
chance = random.Random(int(os.environ["SEED"]))
for name in ("engarde", "roquefort", "stratego", "aborted", "early", "reissued", "renamed"):
    good = open(f"{work}/{name}.json").read()
    whole = json.loads(good)
    for _ in range(int(os.environ["BYTES"])):
        at = chance.randrange(len(good.rstrip()))
        bad = good[:at] + chance.choice([c for c in "0aZ_\"5}" if c != good[at]]) + good[at + 1:]
        try:
            if json.loads(bad) == whole:
                continue
        except ValueError:
            pass
        said = subprocess.run([refereed, "verify", "-", "--key", key], input=bad, text=True, capture_output=True)
        if said.returncode == 0 or said.returncode < 0:
            sys.exit(f"seed {os.environ['SEED']}: {name}, byte {at} ({good[at-20:at+20]!r}): {said.stdout}")
PY
echo "seven transcripts verify, by both verifiers; every changed byte was found"
