#!/bin/bash
# What is over is archived beside a running daemon, and leaves its store in time: whole or not at
# all, under load, wherever the daemon is killed, and with two daemons on one database. GAMES that
# are over (300), ROUNDS of kills (6).
. "$(dirname "$0")/lib.sh"
games=${GAMES:-300}

sql() { # statement
    python3 - "$work/state/games.db" "$1" <<'PY' || fail "$1"
import sqlite3, sys
for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2]):
    print(*row)
PY
}

await() { # seconds, command that comes true
    local until=$((SECONDS + $1))
    shift
    until "$@" 2>/dev/null; do
        [ "$SECONDS" -lt "$until" ] || fail "not in time: $*"
        sleep 0.1
    done
}

check() { # further arguments
    "$B/refereed" check --state "$work/state" "$@" >"$work/said" 2>&1 || fail "check: $(cat "$work/said")"
}

whole() { # nothing is left of what is gone
    for table in record place credential snapshot; do
        [ "$(sql "SELECT count(*) FROM $table WHERE game NOT IN (SELECT number FROM game)")" = 0 ] ||
            fail "$table holds something of games that are gone"
    done
}

ended() { jq -r '.[] | select(.transcript != "409") | .id' "$1"; }

# The archive, beside a daemon: what GET gives, once, and never over something else.
start
python3 tests/system/keep.py begin "$address" "$work/games.json" || fail "no games"
archive() {
    "$B/refereed" archive "$@" --state "$work/state" >"$work/said" 2>&1
}
archive "$work/young" --older-than 1d || fail "$(cat "$work/said")"
[ -z "$(ls -A "$work/young")" ] || fail "games of today are older than a day"
for _ in 1 2; do
    archive "$work/archive" --older-than 0 || fail "$(cat "$work/said")"
    grep -q ': 4 transcripts, 0 ' "$work/said" || fail "archive says: $(cat "$work/said")"
done
[ "$(ls -A "$work/archive" | wc -l)" -eq 4 ] || fail "the archive holds $(ls -A "$work/archive")"
key=$(curl -sS "http://$address/v1/keys" | jq -r '.keys[0].id')
for id in $(ended "$work/games.json"); do
    curl -sS "http://$address/v1/games/$id/transcript" | cmp - "$work/archive/$id.json" || fail "$id differs"
    "$B/refereed" verify "$work/archive/$id.json" --key "$key" >"$work/said" || fail "$id: $(cat "$work/said")"
done
cp "$work/archive/$id.json" "$work/good"
echo >>"$work/archive/$id.json"
archive "$work/archive" && fail "another transcript is none of its business"
grep -qF -- "$id: another transcript" "$work/said" || fail "archive says: $(cat "$work/said")"
stop

# Games leave under load; one whose file is another stays, and the others do not wait for it.
start --keep-ended 1s --archive "$work/archive"
python3 tests/system/keep.py load "$address" "$work/enough" >"$work/load" &
load=$!
gone() { [ "$(curl -s -o /dev/null -w '%{http_code}' "http://$address/v1/games/$1")" = 404 ]; }
for other in $(ended "$work/games.json"); do
    [ "$other" = "$id" ] || await 20 gone "$other"
done
gone "$id" && fail "a game has left though its transcript could not be written"
grep -q 'is kept on: another transcript' "$log" || fail "nothing is said of the game that stays"
for _ in 1 2 3; do check; done # beside it
touch "$work/enough"
wait "$load" || fail "the load: $(cat "$work/load")"
[ "$(sed -E 's/.*took ([0-9]+) ms/\1/' "$work/load")" -lt 1000 ] || fail "moves were held up: $(cat "$work/load")"
cp "$work/good" "$work/archive/$id.json"
stop
start --keep-ended 1s --archive "$work/archive"
await 20 gone "$id"
jq '[.[] | select(.transcript != "409")]' "$work/games.json" >"$work/over.json"
python3 tests/system/keep.py gone "$address" "$work/over.json" || fail "not gone"
stop
jq '[.[] | select(.transcript == "409")]' "$work/games.json" >"$work/running.json"
start
python3 tests/system/keep.py go-on "$address" "$work/running.json" || fail "the others do not go on"
stop
check
whole
[ "$(sql 'PRAGMA freelist_count')" -gt 0 ] || fail "no page is free for what comes"
for file in "$work/archive"/*; do
    "$B/refereed" verify "$file" --key "$key" >"$work/said" || fail "$file: $(cat "$work/said")"
done

# Killed while games leave: each is there or gone, and who is gone is in the archive.
rm -rf "$work/state" "$work/archive"
"$B/tests/bench/fill" "$work/state" engarde "$games" - 1 >"$work/filled" 2>/dev/null || fail "no store"
"$B/tests/bench/fill" "$work/state" stratego 3 30 2 >"$work/stays" 2>/dev/null || fail "no store"
sleep 1.1
left=$((games + 3))
for _ in $(seq "${ROUNDS:-6}"); do
    start --keep-ended 1s --archive "$work/archive"
    sleep "1.$((RANDOM % 5))"
    kill -9 "$pid"
    wait "$pid" 2>/dev/null
    pid=
    check
    whole
    now=$(sed -nE 's/^([0-9]+) games.*/\1/p' "$work/said")
    [ "$now" -lt "$left" ] || [ "$now" -eq 3 ] || fail "no game has left before the kill"
    left=$now
    sql 'SELECT hex(gid) FROM game' | python3 -c '
import base64, sys
for line in sys.stdin:
    print(base64.urlsafe_b64encode(bytes.fromhex(line)).decode().rstrip("="))' | sort >"$work/there"
    cut -d ' ' -f 1 "$work/filled" | sort | comm -23 - "$work/there" | while read -r id; do
        [ -s "$work/archive/$id.json" ] || echo "$id"
    done >"$work/lost"
    [ ! -s "$work/lost" ] || fail "gone and not archived: $(head -n 3 "$work/lost")"
done
start --keep-ended 1s --archive "$work/archive"
all_gone() { [ "$(sql 'SELECT count(*) FROM game')" = 3 ]; }
await 30 all_gone
stop
check
whole
[ "$(find "$work/archive" -name '*.json' | wc -l)" -eq "$games" ] || fail "the archive lacks games"

# Two daemons on one database remove the same games.
if ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1; then
    . tests/support/postgres.sh
    rm -rf "$work/state"
    pg_make
    start --store "$database"
    python3 tests/system/keep.py begin "$address" "$work/games.json" || fail "no games"
    for _ in $(seq 10); do python3 tests/system/keep.py begin "$address" "$work/more.json" || fail "no games"; done
    archive "$work/shared" --store "$database" || fail "$(cat "$work/said")"
    [ "$(ls "$work/shared" | wc -l)" -eq 44 ] || fail "archive says $(cat "$work/said")"
    stop
    start --store "$database" --keep-ended 1s
    one=$pid first=$address first_log=$log
    start --store "$database" --keep-ended 1s --archive "$work/shared"
    jq '[.[] | select(.transcript != "409")]' "$work/games.json" >"$work/over.json"
    for id in $(ended "$work/games.json"); do await 20 gone "$id"; done
    for where in "$first" "$address"; do
        python3 tests/system/keep.py gone "$where" "$work/over.json" || fail "not gone at $where"
    done
    none_over() { [ "$(pg_sql games -c 'SELECT count(*) FROM refereed_game WHERE ended_ms>0')" = 0 ]; }
    await 20 none_over
    grep -qE 'kept on|could not' "$first_log" "$log" && fail "$(cat "$first_log" "$log")"
    jq '[.[] | select(.transcript == "409")]' "$work/games.json" >"$work/running.json"
    python3 tests/system/keep.py go-on "$first" "$work/running.json" || fail "the others do not go on"
    kill -TERM "$one"
    wait "$one" || fail "the first daemon left with $?"
    stop
    check --store "$database"
    for table in record snapshot credential; do
        [ "$(pg_sql games -c "SELECT count(*) FROM refereed_$table WHERE game NOT IN (SELECT gid FROM refereed_game)")" = 0 ] ||
            fail "refereed_$table holds something of games that are gone"
    done
    pg_stop
fi
echo "what is over is archived and leaves; $(cat "$work/load")"
