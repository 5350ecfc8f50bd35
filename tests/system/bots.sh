#!/bin/bash
# The bots of docs/examples/bots against each other, through a real daemon: every game to its end, by each
# mind; what they say of it is what the transcripts say, which verify. Greedy beats random.
# They go on where the daemon was killed and comes back, and one plays by an invite against somebody else.
. "$(dirname "$0")/lib.sh"
export PYTHONDONTWRITEBYTECODE=1
bots=docs/examples/bots
jobs=()
trap 'for job in "${jobs[@]}"; do kill -- "$job" 2>/dev/null; done; leave' EXIT

match() { # ruleset minds... options...
    rm -rf "$work/saved" && mkdir "$work/saved"
    timeout 120 python3 "$bots/match.py" "http://$address" "$@" --save "$work/saved" >"$work/said" 2>&1 ||
        fail "match.py $*: $(cat "$work/said")"
}

# The first line that match.py printed must be what the transcripts come to, by the names on the seats.
agrees() { # games minds...
    python3 - "$work/said" "$work/saved" "$@" <<'PY' || fail "match.py says otherwise than the transcripts"
import base64, json, os, sys
said, folder, games, *minds = sys.argv[1:]

def event(token):
    payload = token.split(".")[2]
    return json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4))[:-64])

won = dict.fromkeys(minds, 0)
drawn = 0
for name in os.listdir(folder):
    record = json.load(open(os.path.join(folder, name), encoding="utf-8"))
    events = [event(row["token"]) for row in record["events"]]
    names = {event["seat"]: event["name"] for event in events if event["type"] == "seat_taken"}
    winner = record["result"]["winner"]
    if winner:
        won[names[winner]] += 1
    else:
        drawn += 1
want = ": " + ", ".join(f"{name} {count}" for name, count in won.items()) + f", drawn {drawn}\n"
line = open(said, encoding="utf-8").readline()
if not line.endswith(want) or sum(won.values()) + drawn != int(games):
    sys.exit(f"{line}is not {want}")
PY
}

verified() {
    for record in "$work/saved"/*.json; do
        "$B/refereed" verify "$record" >"$work/verified" || fail "$(cat "$work/verified")"
    done
}

beats() { # at least so many games, by greedy
    local won
    won=$(sed -nE '1s/.*greedy ([0-9]+),.*/\1/p' "$work/said")
    [ "$won" -ge "$1" ] || fail "greedy has won only $won: $(cat "$work/said")"
}

start
port=${address##*:}

# Stratego with a side that begins and bots with a seed: every game goes as it did last time.
for times in 1 2; do
    match stratego greedy random --variant barrage --options '{"first":"red"}' --games 8 --parallel 2 --seed 5
    agrees 8 greedy random
    beats 6
    sed -n 1p "$work/said" >"$work/match.$times"
done
cmp -s "$work/match.1" "$work/match.2" || fail "the same seed, and another match: $(cat "$work"/match.?)"
verified

# The shuffle is the referee's too, so these differ each time; greedy wins nearly all of them.
for ruleset in engarde roquefort; do
    match "$ruleset" greedy random --games 5 --parallel 2
    agrees 5 greedy random
    beats 3
    verified
done
match stratego greedy random --variant duel --custody players --games 4 --parallel 2 --seed 1
agrees 4 greedy random
verified
[ "$(cat "$work/saved"/*.json | jq -s 'map(.secrets | length) | add')" -eq 8 ] || fail "not all sides came to the audit"
match stratego random greedy --games 2 --parallel 2 --moves 150 --seed 1
agrees 2 random greedy
match roquefort greedy random random greedy --variant burg-appenzell --moves 100
grep -qE '"(last_left|all_out|third_fall|cheeses|agreed)"' "$work/saved"/*.json || fail "four at the castle come to no end"
# One that is tired offers a draw, the other takes it.
match engarde random random --moves 3 --seed 1 --options '{"hits_to_lose":9}'
grep -q '"agreed"' "$work/saved"/*.json || fail "two tired bots go on"

# The daemon is killed in the middle, and later stopped and started: the bots know nothing of it.
rm -rf "$work/saved" && mkdir "$work/saved"
timeout 120 python3 "$bots/match.py" "http://$address" roquefort greedy random --games 8 --parallel 2 --seed 3 \
    --save "$work/saved" >"$work/said" 2>&1 &
match_pid=$!
jobs+=("$match_pid")
until [ "$(find "$work/saved" -name '*.json' | wc -l)" -ge 2 ]; do
    kill -0 "$match_pid" 2>/dev/null || fail "the match ended early: $(cat "$work/said")"
    sleep 0.05
done
kill -9 "$pid"
wait "$pid" 2>/dev/null
sleep 0.3
start
sleep 0.5
kill -0 "$match_pid" 2>/dev/null || fail "the match was over before the daemon came back"
stop
start
wait "$match_pid" || fail "the match does not go on: $(cat "$work/said")"
agrees 8 greedy random
verified

# A bot that makes a game and plays it; what it says is in host's file, the invite first.
host() { # game seat [options]
    : >"$work/host" # that of the bot before
    timeout 60 python3 "$bots/bot.py" host "http://$address" "$@" >"$work/host" &
    host=$!
    jobs+=("$host")
    for _ in $(seq 250); do
        [ ! -s "$work/host" ] || return 0
        sleep 0.02
    done
    fail "the bot makes no game"
}

# One seat by an invite, the other by a bot that made the game.
host engarde left --name Host --seed 1
link=$(head -n 1 "$work/host")
timeout 60 python3 "$bots/bot.py" join "$link" --mind random --name Guest >"$work/guest" || fail "no guest"
wait "$host" || fail "no host"
[ "$(sed -E 's/^[a-z]+: [0-9]+ moves, //' "$work/guest")" = "$(sed -nE '2s/^[a-z]+: [0-9]+ moves, //p' "$work/host")" ] ||
    fail "host and guest do not agree: $(cat "$work/host" "$work/guest")"
grep -q '^right: [1-9][0-9]* moves, over, {"reason": "hits", "ruling": "EG-8", "winner": "[a-z]*"}$' "$work/guest" ||
    fail "the guest says: $(cat "$work/guest")"
python3 "$bots/bot.py" join "$link" >"$work/again" 2>&1 && fail "an invite is taken twice"
grep -q '^bot.py: 401 unauthorized' "$work/again" || fail "a spent invite: $(cat "$work/again")"

# Against somebody who resigns.
host stratego red --variant duel
IFS=/ read -r _ _ _ _ _ game seat invite < <(sed 's/?.*//' "$work/host")
python3 - "$address" "$game" "$seat" "$invite" <<'PY' || fail "somebody could not play against the bot"
import json, sys, time, urllib.request
address, game, seat, invite = sys.argv[1:]
sys.path.append("docs/examples")
import play

def call(what, credential, body=None):
    request = urllib.request.Request(f"http://{address}/v1/games/{game}{what}", json.dumps(body or {}).encode(), {
        "Authorization": f"Bearer {credential}", "Content-Type": "application/json"})
    return json.load(urllib.request.urlopen(request, timeout=30))

me = call(f"/seats/{seat}", invite, {"name": "Ann"})["credential"]
# The bot gives a seed, and pieces are set up only then.
while json.load(urllib.request.urlopen(f"http://{address}/v1/games/{game}", timeout=30))["status"] != "setup":
    time.sleep(0.05)
call("/setup", me, {"pieces": play.setup(seat, "duel")})
call("/resign", me)
PY
wait "$host" || fail "the bot did not see the end"
grep -q '"resigned", "ruling": null, "winner": "red"' "$work/host" || fail "the bot says: $(cat "$work/host")"
stop
echo "bots: the seeded match: $(cat "$work/match.1")"
