#!/bin/bash
# A store that an earlier version wrote is upgraded at the start, and its games go on; whoever
# only reads leaves it alone, and a later version is refused in one line.
. "$(dirname "$0")/lib.sh"

db() { # python, with db and out
    python3 - "$work/state/games.db" "$1" <<'PY' || fail "$1"
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
exec(sys.argv[2])
db.commit()
PY
}

lay_out() { # folder of a store as it was
    rm -rf "$work/state"
    mkdir -m 700 "$work/state"
    install -D -m 600 -t "$work/state/keys" "$1"/keys/*
    db "db.executescript(open('$1/games.sql').read())"
}

refused() { # words, command...
    local words=$1
    shift
    "$@" >"$work/said" 2>&1 && fail "$2 is not refused"
    [ "$(wc -l <"$work/said")" -eq 1 ] && grep -q "$words" "$work/said" || fail "$2 says: $(cat "$work/said")"
}

# As it was left, and with half of it in the indexes that are filled late.
for old in tests/vectors/store-v*; do
    for indexed in '' "
db.executescript('''INSERT INTO place SELECT game,first,row FROM record WHERE row<=40;
    INSERT INTO game_of SELECT gid,number FROM game WHERE number<=4;
    INSERT INTO credential SELECT id,game FROM issued WHERE row<=20;
    UPDATE indexed SET record=40,game=4,issued=20''')"; do
        lay_out "$old"
        db "$indexed"
        refused 'of an earlier version' "$B/refereed" check --state "$work/state"
        refused 'of an earlier version' "$B/refereed" backup --state "$work/state" "$work/copy"
        start
        python3 tests/system/keep.py go-on "$address" "$old/games.json" || fail "$old does not go on"
        rm -rf "$work/archive"
        "$B/refereed" archive "$work/archive" --state "$work/state" >"$work/said" || fail "no archive"
        [ "$(ls "$work/archive" | wc -l)" -eq 7 ] || fail "the archive lacks games: $(cat "$work/said")"
        for file in "$work/archive"/*; do
            "$B/refereed" verify "$file" >"$work/said" || fail "$file does not verify: $(cat "$work/said")"
        done
        stop
        "$B/refereed" check --state "$work/state" >"$work/said" 2>&1 || fail "check: $(cat "$work/said")"
        grep -q '^7 games, .* 0 faults' "$work/said" || fail "check says: $(cat "$work/said")"
    done
done

# An upgrade that fails leaves what there was.
lay_out tests/vectors/store-v3
db "db.execute('CREATE TABLE given(x)')"
refused 'given' "$B/refereed" serve --state "$work/state" --listen 127.0.0.1:0
db "assert db.execute('PRAGMA user_version').fetchone()[0] == 3
assert 'ended_ms' not in db.execute('SELECT sql FROM sqlite_schema WHERE name=\"game\"').fetchone()[0]
db.execute('DROP TABLE given')"
start
stop

db "db.execute('PRAGMA user_version=99')"
refused 'later version' "$B/refereed" serve --state "$work/state" --listen 127.0.0.1:0
refused 'later version' "$B/refereed" check --state "$work/state"
echo "stores of earlier versions go on"
