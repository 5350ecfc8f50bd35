#!/bin/bash
# The units of systemd/, as far as they can be tried without systemd as the first process: what its
# own tools say of them; sockets that are handed over, by TCP and by path, also into a network
# namespace with nothing in it; what the daemon tells it; keys that it hands over; and that no
# system call is made, while games are played, kept and backed up, that the units' filters refuse.
# tests/system/package.sh starts them for good. What cannot be tried here is skipped, and said.
. "$(dirname "$0")/lib.sh"
export ASAN_OPTIONS=detect_leaks=0 # who is boxed in or traced cannot look for them
unset $(compgen -e REFEREED_) STATE_DIRECTORY CREDENTIALS_DIRECTORY JOURNAL_STREAM NOTIFY_SOCKET

skipped=
skip() { skipped="$skipped; $1"; echo "skipped: $1"; }
have() { command -v "$1" >/dev/null; }

have curl && have python3 || { echo "curl or python3 is missing"; exit 77; }
have systemd-socket-activate && have systemd-analyze || { echo "systemd's tools are missing"; exit 77; }

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

# Waits until a command succeeds, for 20 s.
until_so() { # what for, command
    local what=$1
    shift
    for _ in $(seq 400); do
        ! "$@" >/dev/null 2>&1 || return 0
        sleep 0.05
    done
    fail "$what"
}

# ---- what systemd says of them ----

DESTDIR='' prefix=$work/usr
mkdir -p "$work/etc"
B=$B DESTDIR=$work/dest prefix=$prefix systemd/install.sh install >"$work/out" || fail "cannot be installed"
mv "$work/dest$prefix" "$prefix"
units=$prefix/lib/systemd/system
said=$(systemd-analyze verify --man=no "$units"/refereed* 2>&1) || fail "systemd-analyze verify: $said"
[ -z "$said" ] || fail "systemd-analyze verify: $said"
for unit in refereed.service refereed-backup.service; do
    said=$(systemd-analyze security --offline=true --no-pager "$units/$unit" 2>"$work/err" | tail -n 1)
    exposure=$(sed -nE 's/.*exposure level for [a-z.-]+: ([0-9.]+) .*/\1/p' <<<"$said")
    [ -n "$exposure" ] || fail "systemd-analyze security says nothing of $unit: $(cat "$work/err")"
    echo "$unit: exposure $exposure"
    awk "BEGIN {exit !($exposure <= 0.3)}" || fail "$unit is exposed: $exposure"
done

# ---- system calls ----

systemd-analyze syscall-filter --no-pager >"$work/groups" 2>/dev/null || fail "systemd-analyze syscall-filter"
cat >"$work/refused.py" <<'P'
"""What a trace calls that the filter of a unit refuses: GROUPS UNIT TRACE. The lines of a filter
count one after the other, '~' takes away; groups are named in groups."""
import re
import sys

groups, name = {}, None
for line in open(sys.argv[1]):
    if line.startswith("@"):
        name = line.strip()
        groups[name] = []
    elif re.fullmatch(r"    [@a-z0-9_-]+\n", line):
        groups[name].append(line.strip())


def calls(word):
    return {c for w in groups[word] for c in calls(w)} if word.startswith("@") else {word}


allowed = calls("@default")
for line in open(sys.argv[2]):
    if line.startswith("SystemCallFilter="):
        words = line.split("=")[1].strip()
        named = {c for w in words.lstrip("~").split() for c in calls(w)}
        allowed = allowed - named if words.startswith("~") else allowed | named
used = set(re.findall(r"^\d+ +([a-z_0-9]+)\(", open(sys.argv[3]).read(), re.M))
print(f"{len(used)} system calls, of a filter that lets {len(allowed)} through", file=sys.stderr)
print(*sorted(used - allowed))
P

# The calls of a trace that the unit refuses, in one line.
refused() { # trace, unit
    python3 "$work/refused.py" "$work/groups" "$2" "$1" 2>"$work/said"
}

# ---- a daemon with sockets that are handed over ----

# Starts systemd-socket-activate for a command; its requests go to $address and $socket.
activate() { # variables of the environment, --, what comes before the daemon, --, flags
    local variables=(-E ASAN_OPTIONS=detect_leaks=0) before=()
    while [ "$1" != -- ]; do variables+=(-E "$1"); shift; done
    shift
    while [ "$1" != -- ]; do before+=("$1"); shift; done
    shift
    starts=$((${starts:-0} + 1))
    log=$work/log.$starts
    address=127.0.0.1:$(free_port)
    socket=$work/socket.$starts
    systemd-socket-activate -l "$address" -l "$socket" "${variables[@]}" "${before[@]}" \
        "$prefix/bin/refereed" serve --state "$work/state" --rate 0 "$@" 2>"$log" >"$work/out" &
    pid=$!
    until_so "systemd-socket-activate does not listen" test -S "$socket"
}

# Prints what a daemon tells systemd, a line each.
cat >"$work/listener.py" <<'P'
import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
while True:
    print(s.recv(4096).decode().replace("\n", " "), flush=True)
P
python3 "$work/listener.py" "$work/notify" >"$work/told" &
listener=$!
trap 'kill "$listener" 2>/dev/null; leave' EXIT
until_so "the listener does not listen" test -S "$work/notify"

# Without a network of its own, if that can be had here.
bare=()
if unshare -n true 2>/dev/null; then bare=(unshare -n)
elif unshare -rn true 2>/dev/null; then bare=(unshare -rn)
else skip "no network namespace (unshare -n)"; fi

"$B/refereed" keygen "$work/given" >/dev/null || fail "keygen"
activate "NOTIFY_SOCKET=$work/notify" WATCHDOG_USEC=200000 "CREDENTIALS_DIRECTORY=$work/given" -- "${bare[@]}" --
curl -sf -o "$work/keys" --retry 20 --retry-connrefused "http://$address/v1/keys" || fail "no answer by TCP"
curl -sf -o "$work/keys2" --unix-socket "$socket" http://refereed/v1/keys || fail "no answer by path"
[ "$(grep -c 'listening on inherited socket' "$log")" -eq 2 ] || fail "it does not listen on two sockets"
[ "${#bare[@]}" -eq 0 ] || [ "$(readlink "/proc/$pid/ns/net")" != "$(readlink /proc/self/ns/net)" ] ||
    fail "it has this network"

# Keys that are handed over are those that sign, and no others are made.
[ ! -e "$work/state/keys/signing.key" ] && [ ! -e "$work/state/keys/store.key" ] || fail "keys were made"
curl -sf -H "Authorization: Bearer $(cat "$work/given/operator.token")" "http://$address/metrics" |
    grep -q '^refereed_store_bytes' || fail "the operator's credential does not count"

until_so "READY=1 is not told" grep -qx READY=1 "$work/told"
until_so "WATCHDOG=1 is not told" grep -qx WATCHDOG=1 "$work/told"
[ "$(head -n 1 "$work/told")" = READY=1 ] || fail "READY=1 is not the first that is told"
! grep -q STOPPING "$work/told" || fail "it stops"
stop
until_so "STOPPING=1 is not told" grep -qx STOPPING=1 "$work/told"

# The same keys in the state folder are the same signer; without them it is another.
mkdir "$work/state/keys" 2>/dev/null
cp "$work/given/signing.key" "$work/given/store.key" "$work/state/keys/"
start
curl -sf -o "$work/keys3" "http://$address/v1/keys" && cmp -s "$work/keys" "$work/keys3" || fail "another key signs"
stop
rm "$work/state/keys/signing.key"
start
curl -sf -o "$work/keys4" "http://$address/v1/keys" && ! cmp -s "$work/keys" "$work/keys4" || fail "the key does not matter"
stop

# ---- games, the keeping of them and a backup, call by call ----

backup() { # what comes before it
    STATE_DIRECTORY=$work/state:$work/copies "$@" "$prefix/lib/refereed/backup" >"$work/out" 2>&1 ||
        fail "no backup: $(cat "$work/out")"
}

rm -rf "$work/state"
mkdir "$work/copies" "$work/state" "$work/state/archive"
trace=(strace -f -q)
if [ "$(id -u)" -eq 0 ]; then # who is root calls more
    trace+=(-u nobody)
    chmod 711 "$work"
    chmod 666 "$work/notify"
    chown -R nobody "$work/copies" "$work/state"
fi
if ! have strace || ! "${trace[@]}" -D -o "$work/trace" true 2>/dev/null; then
    skip "no trace of system calls (strace)"
else
    activate "NOTIFY_SOCKET=$work/notify" WATCHDOG_USEC=200000 -- "${trace[@]}" -D -o "$work/trace" --
    curl -sf -o "$work/keys" --retry 20 --retry-connrefused "http://$address/v1/keys" || fail "no answer under strace"
    for ruleset in engarde roquefort stratego; do
        "$B/tests/system/fleet" --address "$address" --ruleset $ruleset --games 1 --connections 2 \
            --moves $([ $ruleset = engarde ] && echo 200 || echo 30) --seed 5 >"$work/out" 2>&1 || fail "games of $ruleset failed: $(tail -n 3 "$work/out")"
    done
    backup "${trace[@]}" -o "$work/trace.backup"
    for path in readyz metrics '' v1/games; do
        curl -sfL -o "$work/out" "http://$address/$path" || fail "$path is not answered"
    done
    kill -HUP "$pid"
    until_so "it is not reloaded" grep -q 'refereed: info: reloaded' "$log"
    stop
    # what is over leaves, but not while somebody plays it
    activate -- "${trace[@]}" -D -o "$work/trace.keep" -- --keep-ended 1s --archive "$work/state/archive"
    curl -sf -o "$work/keys" --retry 20 --retry-connrefused "http://$address/v1/keys" || fail "no answer of a second start"
    until_so "no game is kept" sh -c "ls '$work/state/archive' | grep -q json"
    stop
    # strace lives on until it has written all
    for trace in trace trace.keep; do
        until_so "the trace has no end" grep -q '+++ exited with 0 +++' "$work/$trace"
    done
    for row in refereed.service:trace refereed.service:trace.keep refereed-backup.service:trace.backup; do
        unit=${row%%:*}
        bad=$(refused "$work/${row##*:}" "$units/$unit")
        [ -z "$bad" ] || fail "$unit refuses what is called: $bad"
        echo "$unit, ${row##*:}: $(cat "$work/said")"
    done
    # this check sees what a filter refuses
    { cat "$units/refereed.service"; echo 'SystemCallFilter=~@network-io fdatasync'; } >"$work/narrow.service"
    bad=" $(refused "$work/trace" "$work/narrow.service") "
    [[ $bad = *" accept4 "* && $bad = *" fdatasync "* ]] || fail "a filter that is too narrow is not seen:$bad"
fi

# ---- backups: as many as wanted, each of them whole ----

[ -e "$work/state/games.db" ] || { start; stop; }
rm -f "$work/copies"/*
for day in 01 02 03; do : >"$work/copies/games-2026-01-${day}T000000Z.db"; done
: >"$work/copies/.new.db" # of one that was killed
REFEREED_BACKUPS=3 backup env
[ "$(ls -A "$work/copies" | wc -l)" -eq 3 ] && [ ! -e "$work/copies/games-2026-01-01T000000Z.db" ] ||
    fail "not the newest three are kept: $(ls -A "$work/copies")"
mkdir -p "$work/restored/keys"
cp "$(ls "$work/copies"/games-*.db | tail -n 1)" "$work/restored/games.db"
cp "$work/state/keys"/*.key "$work/restored/keys/"
"$B/refereed" check --state "$work/restored" >"$work/out" 2>&1 || fail "the copy does not hold: $(cat "$work/out")"
STATE_DIRECTORY=$work/none:$work/copies "$prefix/lib/refereed/backup" >"$work/out" 2>&1 && fail "a backup of nothing"
[ "$(ls -A "$work/copies" | wc -l)" -eq 3 ] || fail "a backup that failed leaves something: $(ls -A "$work/copies")"

[ -z "$skipped" ] || { echo "all went well but for${skipped#;}"; exit 77; }
echo "the units, their sockets, keys, filters and backups hold"
