#!/bin/bash
# Several daemons on one PostgreSQL: of those who race for a seq one wins, what one writes the
# others show, and neither the death of a daemon nor that of the database loses anything.
. "$(dirname "$0")/lib.sh"
. tests/support/postgres.sh
export B

daemons=
stop_all() {
    [ -z "$daemons" ] || kill -9 $daemons 2>/dev/null
    daemons=
    [ -z "$pg_pid" ] || { kill -QUIT "$pg_pid"; wait "$pg_pid"; } 2>/dev/null
    rm -rf "$work"
}
trap stop_all EXIT

# One daemon: its address in the file $work/NAME.address, its number in $work/NAME.pid.
serve() { # name, further settings
    local name=$1
    shift
    log=$work/$name.log
    local old
    old=$(sed 's/.*://' "$work/$name.address" 2>/dev/null)
    : >"$log"
    "$B/refereed" serve --state "$work/$name" --store "$database" --rate 0 \
        --listen "127.0.0.1:${old:-0}" "$@" 2>"$log" &
    echo $! >"$work/$name.pid"
    daemons="$daemons $!"
    for _ in $(seq 500); do
        grep -q 'listening on' "$log" && break
        kill -0 "$!" 2>/dev/null || break
        sleep 0.02
    done
    sed -nE 's|.*listening on http://([^/ ]+).*|\1|p' "$log" | head -n 1 >"$work/address.new"
    [ -s "$work/address.new" ] || fail "daemon $name did not start"
    mv "$work/address.new" "$work/$name.address"
}
end() { # name: by SIGTERM; it must leave with 0
    kill -TERM "$(cat "$work/$1.pid")" && wait "$(cat "$work/$1.pid")" || fail "$1 left with $?"
}
many() {
    timeout 100 python3 tests/system/many.py "$@" || fail "many.py $1"
}
# A command that must fail with that status and one line that has these words, and no password.
refused() { # status, words, command...
    local want=$1 words=$2 said code
    shift 2
    said=$("$@" 2>&1)
    code=$?
    [ "$code" -eq "$want" ] || fail "$1 $2 left with $code, not $want: $said"
    [ "$(wc -l <<<"$said")" -eq 1 ] && grep -q "$words" <<<"$said" || fail "$1 $2 said: $said"
    ! grep -q s3cr3t <<<"$said" || fail "$1 $2 told the password: $said"
}

pg_make
serve a
mkdir -m 700 "$work/b" && cp -rp "$work/a/keys" "$work/b/keys"
serve b
a=$(cat "$work/a.address") b=$(cat "$work/b.address")

refused 2 'another store key' "$B/refereed" serve --state "$work/c" --store "$database" --listen 127.0.0.1:0
refused 2 'no address of a database' "$B/refereed" serve --state "$work/a" --store 'postgresql://u:s3cr3t@/g?nonsense=1'
refused 2 'store' "$B/refereed" serve --state "$work/a" --store 'mysql://u:s3cr3t@h/g'
refused 2 'not understood' "$B/refereed" serve 'postgresql://u:s3cr3t@h/g'
refused 1 'cannot be reached' "$B/refereed" serve --state "$work/a" --listen 127.0.0.1:0 \
    --store "postgresql://u:s3cr3t@/games?host=$work/nowhere"
refused 2 'pg_dump' "$B/refereed" backup --state "$work/a" --store "$database" "$work/copy"

many late "$a" "$b" & # waits for most of its time
late=$!
many keys "$a" "$b" 30
many race "$a" "$b" "${SEQS:-200}"
many list "$a" "$b" 300
many watch "$a" "$b"
wait "$late" || exit 1

# Daemon A is killed again and again under load; the others take over, and nothing is lost.
many load "$work/enough" "$work/a.address" -- "$work/b.address" >"$work/load" &
load=$!
for _ in $(seq "${ROUNDS:-5}"); do
    sleep "0.$((RANDOM % 6 + 3))"
    kill -9 "$(cat "$work/a.pid")"
    wait "$(cat "$work/a.pid")" 2>/dev/null
    serve a
done
touch "$work/enough"
wait "$load" || fail "under kills: $(cat "$work/load")"
cat "$work/load"
"$B/refereed" check --state "$work/a" --store "$database" || fail "the database does not hold"

# The database goes, as if its machine had, and comes back.
mkdir "$work/outage"
many outage "$a" "$b" "$work/outage" &
outage=$!
await() {
    until [ -e "$1" ]; do
        kill -0 "$outage" 2>/dev/null || exit 1
        sleep 0.02
    done
}
await "$work/outage/ready"
pg_stop QUIT
touch "$work/outage/down"
await "$work/outage/asked"
pg_start
touch "$work/outage/up"
wait "$outage" || exit 1
grep -q 'is heard again' "$work/a.log" || fail "nobody was told that the database is back"
! grep -q s3cr3t "$work"/*.log || fail "a password is in the log"
end a
end b

# An SQLite store with games in progress moves into a database of its own.
pg_sql postgres -c 'CREATE DATABASE moved' || fail "no second database"
moved=${database/\/games/\/moved}
start
refused 2 'needs --store' "$B/refereed" migrate --state "$work/state"
refused 2 'another daemon' "$B/refereed" migrate --state "$work/state" --store "$moved"
many begin "$address" "$work/game"
"$B/tests/system/fleet" --address "$address" --games 20 --connections 4 --moves 30 \
    --seed "${SEED:-$RANDOM}" >"$work/fleet" || fail "the fleet: $(cat "$work/fleet")"
stop
had=$("$B/refereed" check --state "$work/state") || fail "the store does not hold"
"$B/refereed" migrate --state "$work/state" --store "$moved" || fail "nothing was moved"
got=$("$B/refereed" check --state "$work/state" --store "$moved") || fail "the copy does not hold"
[ "$had" = "$got" ] || fail "moved $had, found $got"
refused 2 'holds games already' "$B/refereed" migrate --state "$work/state" --store "$moved"
database=$moved
mv "$work/state" "$work/d"
serve d
many resume "$(cat "$work/d.address")" "$work/game"
end d
echo "several daemons are one service"
