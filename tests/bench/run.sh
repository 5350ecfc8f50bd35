#!/bin/bash
# Measures the daemon against floors that are built and run at the same time, and writes the table
# into docs/performance.md. Rounds are interleaved, figures are medians; wrk loads 127.0.0.1 only.
#
#   B=BUILD ROUNDS=3 SECONDS_EACH=4 tests/bench/run.sh
set -eu
cd "$(dirname "$0")/../.."
B=${B:-build} ROUNDS=${ROUNDS:-3} each=${SECONDS_EACH:-4}
GAMES=${GAMES:-1600} PLIES=${PLIES:-150}
CC=${CC:-cc}
work=$(mktemp -d)
running=()

stop() {
    for pid in "${running[@]}"; do
        kill "$pid" 2>/dev/null || true
    done
    wait 2>/dev/null || true
    rm -rf "$work"
}
trap stop EXIT

build() {
    mkdir -p "$B/bench"
    for floor in mhd_floor mhd_durable; do
        $CC -std=c17 -O2 -I. -D_GNU_SOURCE tests/bench/$floor.c tests/bench/floor.c \
            -lmicrohttpd -ljansson -lsqlite3 -lpthread -o "$B/bench/$floor"
    done
    $CC -std=c17 -O2 -I. -D_GNU_SOURCE tests/bench/bench_rules.c "$B/librules.a" -o "$B/bench/bench_rules"
}

port() { # a free one
    python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

answering() { # port
    for _ in $(seq 100); do
        curl -s -o /dev/null "http://127.0.0.1:$1/v1" && return
        sleep 0.05
    done
    echo "nobody answers on port $1" >&2
    exit 1
}

start() {
    floor_port=$(port)
    "$B/bench/mhd_floor" "$floor_port" 2 &
    floor_pid=$!
    durable_port=$(port)
    "$B/bench/mhd_durable" "$durable_port" 2 "$work/floor.db" &
    durable_pid=$!
    our_port=$(port)
    "$B/refereed" --listen "127.0.0.1:$our_port" --state "$work/state" --rate 0 --log-level error \
        2>"$work/log" &
    our_pid=$!
    running=("$floor_pid" "$durable_pid" "$our_pid")
    answering "$floor_port"
    answering "$durable_port"
    answering "$our_port"
}

cpu() { # pid: ticks of 10 ms, the same for all
    awk '{print $14 + $15}' "/proc/$1/stat"
}

memory() { # pid: KiB
    awk '/^VmRSS/ {print $2}' "/proc/$1/status"
}

# Runs wrk once and keeps: rps, p50, p99 and CPU a request in microseconds, in $work/NAME.
load() { # name, pid, port, connections, script, arguments...
    local name=$1 pid=$2 to=$3 connections=$4 script=$5 before after line
    shift 5
    before=$(cpu "$pid")
    line=$(wrk -t1 -c"$connections" -d"${each}s" -s "tests/bench/$script" \
        "http://127.0.0.1:$to/" -- "$@" | grep ^RESULT)
    after=$(cpu "$pid")
    case $line in
    *errors=0*) ;;
    *) echo "$name: $line" >&2 ;;
    esac
    echo "$line" | tr '=' ' ' |
        awk -v ticks=$((after - before)) '{print $3, $5, $7, int(ticks * 10000 / ($11 ? $11 : 1) + 0.5)}' >>"$work/$name"
}

prepare() {
    mkdir -p "$work/plan"
    python3 tests/bench/prepare.py "$our_port" "$GAMES" "$PLIES" "$work/plan"
}

round() {
    load http_floor "$floor_pid" "$floor_port" 64 floor.lua
    load judge "$our_pid" "$our_port" 64 adjudicate.lua minimal
    load judge_signed "$our_pid" "$our_port" 64 adjudicate.lua
    load durable_floor "$durable_pid" "$durable_port" 64 floor.lua
    prepare
    load moves "$our_pid" "$our_port" 64 moves.lua "$work/plan" minimal
    load durable_floor "$durable_pid" "$durable_port" 64 floor.lua
    prepare
    load moves_full "$our_pid" "$our_port" 64 moves.lua "$work/plan"
    load one_floor "$durable_pid" "$durable_port" 1 floor.lua
    prepare
    load one "$our_pid" "$our_port" 1 moves.lua "$work/plan" minimal
    load create "$our_pid" "$our_port" 64 create.lua
}

median() { # name, column
    awk -v c="$2" '{print $c}' "$work/$1" | sort -n | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}'
}

ratio() { # ours, floor, column
    awk -v a="$(median "$1" "$3")" -v b="$(median "$2" "$3")" 'BEGIN {printf "%.2f", b ? a / b : 0}'
}

row() { # what, ours, floor, ratio, wanted
    printf '| %s | %s | %s | %s | %s |\n' "$@"
}

table() {
    echo "Measured $(date -u +%Y-%m-%d) on $(nproc) cores ($(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1)),"
    echo "which the load generator shares: wrk, one thread, medians of $ROUNDS rounds of $each s."
    echo
    echo '| what | refereed | floor | ratio | wanted |'
    echo '| --- | --- | --- | --- | --- |'
    row 'durable moves/s, 64 connections, `return=minimal`' "$(median moves 1)" "$(median durable_floor 1)" \
        "$(ratio moves durable_floor 1)" '>= 0.70'
    row 'the same with token, receipt and view' "$(median moves_full 1)" "$(median durable_floor 1)" \
        "$(ratio moves_full durable_floor 1)" '>= 0.35'
    row '`POST /v1/adjudicate` without token, 64 connections' "$(median judge 1)" "$(median http_floor 1)" \
        "$(ratio judge http_floor 1)" '>= 0.65'
    row 'the same with token' "$(median judge_signed 1)" "$(median http_floor 1)" \
        "$(ratio judge_signed http_floor 1)" ''
    row 'one connection, durable: p50, us' "$(median one 2)" "$(median one_floor 2)" \
        "$(ratio one one_floor 2)" '<= 1.3'
    row '64 connections, durable: p50, us' "$(median moves 2)" "$(median durable_floor 2)" \
        "$(ratio moves durable_floor 2)" '<= 1.6'
    row '64 connections, durable: p99, us' "$(median moves 3)" "$(median durable_floor 3)" \
        "$(ratio moves durable_floor 3)" '<= 8000 us'
    row 'server CPU a durable move, us' "$(median moves 4)" "$(median durable_floor 4)" \
        "$(ratio moves durable_floor 4)" '<= 1.4'
    row 'games made and both seats taken, a second' "$(awk -v r="$(median create 1)" 'BEGIN {printf "%d", r / 3}')" '' '' '>= 10000'
    row 'memory after all rounds, MiB' "$(($(memory "$our_pid") / 1024))" '' '' ''
    echo
    echo 'The rules alone, random plies on one core:'
    echo
    echo '```'
    "$B/bench/bench_rules" 1
    echo '```'
}

build
start
for _ in $(seq "$ROUNDS"); do
    round
done
table >"$work/table"
cat "$work/table"
grep -v 'listening on' "$work/log" | tail -n 5 >&2 || true
awk -v file="$work/table" '/<!-- bench -->/ {print; while ((getline line < file) > 0) print line; skip = 1}
    /<!-- \/bench -->/ {skip = 0}
    !skip' docs/performance.md >"$work/new"
cp "$work/new" docs/performance.md
