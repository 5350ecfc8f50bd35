#!/bin/bash
# A daemon with many games under way is killed: all come back as they were, by their snapshots or
# without, and `refereed check` finds whatever somebody does to the store. GAMES of each ruleset
# (700).
. "$(dirname "$0")/lib.sh"
db=$work/state/games.db
games=${GAMES:-700}

sql() { # statement
    python3 - "$db" "$1" <<'PY' || fail "$1"
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
for row in db.execute(sys.argv[2]):
    print(*row)
db.commit()
PY
}

views() { # file
    "$B/tests/bench/drive" "$address" views "$work/games" 4 >"$1" || fail "a game is gone"
}

crash() {
    kill -9 "$pid"
    wait "$pid" 2>/dev/null
    pid=
}

# What `refereed check` must say of the store as it is now.
finds() { # fault
    "$B/refereed" check --state "$work/state" >"$work/said" 2>&1 &&
        fail "check does not find: $1"
    grep -q "^refereed: game $id, event [0-9]*: $1" "$work/said" ||
        fail "check does not say of $id \"$1\": $(head -n 3 "$work/said")"
    [ "$(grep -c '^refereed: game' "$work/said")" -eq "${2:-1}" ] ||
        fail "more than one game is reported: $(cat "$work/said")"
}

# Does something to the store, lets check find it, and puts the store back.
spoil() { # statement, fault, games
    cp "$db" "$work/good"
    sql "$1"
    finds "$2" "${3:-1}"
    cp "$work/good" "$db"
}

fill() { # games of each ruleset
    rm -rf "$work/state" "$work/games"
    for ruleset in engarde/knizia roquefort stratego/classic; do
        "$B/tests/bench/fill" "$work/state" "$ruleset" "$1" 40 1 >>"$work/games" 2>/dev/null ||
            fail "the store could not be filled"
    done
    "$B/tests/bench/fill" "$work/state" engarde 50 - 1 >>"$work/games" 2>/dev/null ||
        fail "the store could not be filled"
}

fill "$games"

# The same views after a kill, also where no snapshot is left, or only those of another game.
start
views "$work/before"
"$B/tests/bench/drive" "$address" move "$work/games" 4 || fail "no moves"
views "$work/moved"
cmp -s "$work/before" "$work/moved" && fail "the moves changed nothing"
crash
start
views "$work/after"
cmp "$work/moved" "$work/after" || fail "a game came back as another"
crash
sql "UPDATE snapshot SET sealed=(SELECT sealed FROM snapshot s WHERE s.game>snapshot.game LIMIT 1)
     WHERE game%2=0 AND game<(SELECT max(game) FROM snapshot)"
sql "DELETE FROM snapshot WHERE game%3=0"
start
views "$work/after"
cmp "$work/moved" "$work/after" || fail "a game depends on its snapshot"
"$B/tests/bench/drive" "$address" move "$work/games" 4 || fail "no moves"
stop
sql "DELETE FROM snapshot WHERE game%2=0"
"$B/refereed" check --state "$work/state" >"$work/said" 2>&1 ||
    fail "check reports a good store: $(head -n 3 "$work/said")"
grep -q "^$((3 * games + 50)) games, [0-9]* events, 0 faults" "$work/said" ||
    fail "check says: $(cat "$work/said")"

# The 11th game of a smaller store, one under way, in its middle and at its end.
fill 20
id=$(sed -n 11p "$work/games" | cut -d ' ' -f 1)
last=$(sql "SELECT max(first) FROM record WHERE game=11")
spoil "UPDATE record SET claims=CAST(replace(CAST(claims AS TEXT),'moved','mover') AS BLOB)
    WHERE row=(SELECT row FROM record WHERE game=11 AND instr(CAST(claims AS TEXT),'moved') LIMIT 1)" \
    'does not f'
spoil "UPDATE record SET claims=CAST(replace(CAST(claims AS TEXT),'event','evens') AS BLOB)
    WHERE game=11 AND first=$last" 'does not fit what is sealed with it'
spoil "UPDATE record SET sealed=CAST(sealed||x'00' AS BLOB) WHERE game=11 AND first=$last" \
    'does not fit what is sealed with it'
spoil "DELETE FROM record WHERE game=11 AND first=(SELECT first FROM record WHERE game=11 AND first>9 LIMIT 1)" \
    'is missing'
spoil "UPDATE record SET first=first+1 WHERE game=11 AND first=$last" \
    'is missing'
spoil "UPDATE record SET (claims,sealed)=(SELECT claims,sealed FROM record r WHERE r.game=12 AND r.first=1)
    WHERE game=11 AND first=1" 'does not fit what is sealed with it'
spoil "UPDATE record SET (claims,sealed)=(SELECT claims,sealed FROM record r WHERE r.game=11 AND r.first=3)
    WHERE game=11 AND first=2" 'does not fit what is sealed with it'
spoil "UPDATE record SET count=count+1 WHERE game=11 AND first=$last" \
    'stands in a record that holds more or fewer'
spoil "UPDATE game SET status=6 WHERE number=11" 'is listed with another status'
spoil "UPDATE game SET due_ms=1000 WHERE number=11" 'is listed with another term'
spoil "UPDATE game SET open=0 WHERE number=11" 'is listed as another game'
spoil "DELETE FROM record WHERE game=11" 'is missing'
spoil "UPDATE snapshot SET sealed=CAST(substr(sealed,1,60)||x'00'||substr(sealed,62) AS BLOB) WHERE game=11" \
    'has a snapshot that its log does not give'
spoil "UPDATE snapshot SET sealed=(SELECT sealed FROM snapshot s WHERE s.game=13) WHERE game=11" \
    'has a snapshot that its log does not give'
"$B/refereed" check --state "$work/state" >"$work/said" || fail "the store was not put back"
mv "$work/state/keys/store.key" "$work/store.key"
"$B/refereed" check --state "$work/state" >"$work/said" 2>&1 && fail "checked without a key"
[ ! -e "$work/state/keys/store.key" ] || fail "check made a key"
echo "$((3 * games + 50)) games came back, and all that was done to a store was found"
