#!/bin/bash
# What many games under way cost: memory of the real daemon, restart after a kill, check, disk.
#
#   B=BUILD GAMES=100000 MOVES=30 tests/bench/memory.sh
#
# A line a figure on standard output: name, value, unit, wanted, stretch, with tabs between. The
# stores are made by tests/bench/fill in a folder that goes again (3 GB for the default sizes).
set -eu
cd "$(dirname "$0")/../.."
B=${B:-build} GAMES=${GAMES:-100000} MOVES=${MOVES:-30}
warm=$((GAMES / 5)) # looked at first, so that the caches of fixed size are full
work=$(mktemp -d)
pid=

leave() {
    [ -z "$pid" ] || kill -9 "$pid" 2>/dev/null || true
    rm -rf "$work"
}
trap leave EXIT
trap 'exit 1' INT TERM

row() { # name, value, unit, wanted, stretch
    printf '%s\t%s\t%s\t%s\t%s\n' "$@"
}

port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
address=127.0.0.1:$port

# Starts the daemon on $state and waits for its first answer about a game.
start() { # path of a game
    "$B/refereed" serve --state "$state" --listen "$address" --rate 0 --log-level error \
        2>"$work/log" >/dev/null &
    pid=$!
    until { exec 3<>"/dev/tcp/127.0.0.1/$port"; } 2>/dev/null; do
        kill -0 "$pid" 2>/dev/null || { cat "$work/log" >&2; exit 1; }
        sleep 0.001
    done
    printf 'GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n' "$1" >&3
    read -r line <&3
    exec 3>&-
    case $line in
    *' 200 '*) ;;
    *) echo "memory.sh: $1: $line" >&2; exit 1 ;;
    esac
}

crash() {
    kill -9 "$pid"
    wait "$pid" 2>/dev/null || true
    pid=
}

rss() { # bytes
    awk '/^VmRSS/ {print $2 * 1024}' "/proc/$pid/status"
}

cpu() { # microseconds
    awk -v hz="$(getconf CLK_TCK)" '{print ($14 + $15) * 1000000 / hz}' "/proc/$pid/stat"
}

now() { # milliseconds
    echo $(($(date +%s%N) / 1000000))
}

drive() {
    "$B/tests/bench/drive" "$address" "$@" 2
}

fill() { # ruleset, moves
    state=$work/$(basename "$1")
    "$B/tests/bench/fill" "$state" "$1" "$GAMES" "$2" 1 >"$work/games" 2>"$work/filled"
    head -n "$warm" "$work/games" >"$work/warm"
    first=/v1/games/$(head -n 1 "$work/games" | cut -d ' ' -f 1)
}

memory() { # name, wanted, stretch
    local before
    start "$first"
    drive look "$work/warm"
    before=$(rss)
    drive look "$work/games"
    row "memory a live game, $1, $GAMES games" $((($(rss) - before) / (GAMES - warm))) bytes "$2" "$3"
}

# In a tenth of the games, after as many rounds as it takes to fill the caches.
growth() {
    local before warm=8 rounds=4 count=$((GAMES / 10))
    head -n "$count" "$work/games" >"$work/some"
    for _ in $(seq "$warm"); do
        drive move "$work/some"
    done
    before=$(rss)
    for _ in $(seq "$rounds"); do
        drive move "$work/some"
    done
    row 'memory growth a move (pages of the allocator aside)' "$(awk -v b="$before" -v a="$(rss)" -v n=$((count * rounds)) \
        'BEGIN {printf "%.1f", (a - b) / n}')" bytes '<= 1' '<= 1'
}

restart() {
    local from to used
    crash
    from=$(now)
    start "$first"
    to=$(now)
    row "ready after kill -9, $GAMES games" $((to - from)) ms "<= 1000" "<= 400"
    used=$(cpu) from=$(now)
    drive look "$work/games"
    row "looking at each of $GAMES games after it" $(($(now) - from)) ms '' ''
    row 'the same: CPU a game' "$(awk -v a="$used" -v b="$(cpu)" -v n="$GAMES" \
        'BEGIN {printf "%.0f", (b - a) / n}')" us '' ''
}

check() {
    local wall user kernel
    TIMEFORMAT='%R %U %S'
    read -r wall user kernel < <({ time "$B/refereed" check --state "$state" >"$work/said"; } 2>&1)
    row "check of $((GAMES * MOVES)) moves, at the reference speed ($wall s here)" \
        "$(awk -v s="$wall" -v speed="${SPEED:-1}" 'BEGIN {printf "%.2f", s * speed}')" s "<= 6" "<= 4"
    row 'the same: CPU' "$(awk -v a="$user" -v b="$kernel" 'BEGIN {print a + b}')" s '' ''
}

# Beyond what api/ gives to be kept: the claims and the sealed notes.
disk() {
    row 'disk a move beyond the payload' "$(python3 - "$state/games.db" <<'PY'
import os, sqlite3, sys
db = sqlite3.connect(sys.argv[1])
rows, payload = db.execute("SELECT count(*), sum(length(claims) + length(sealed)) FROM record").fetchone()
print(round((os.path.getsize(sys.argv[1]) - payload) / rows))
PY
)" bytes "<= 200" "<= 120"
}

fill engarde 4
memory engarde "<= 1024" "<= 512"
crash
rm -rf "$state"
fill roquefort 4
memory roquefort "<= 1536" "<= 768"
growth
crash
rm -rf "$state"
fill stratego/classic "$MOVES"
disk
check
memory stratego "<= 1536" "<= 768"
restart
crash
