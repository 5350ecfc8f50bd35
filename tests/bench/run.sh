#!/bin/bash
# Measures the daemon against floors that are built and run at the same time, writes the table into
# docs/performance.md and the plot beside it, and fails where a target is not held. Rounds are
# interleaved, figures are medians; wrk loads 127.0.0.1 only.
#
#   B=BUILD ROUNDS=5 SECONDS_EACH=4 PARTS="http memory streams rules" tests/bench/run.sh
set -eu
cd "$(dirname "$0")/../.."
B=${B:-build} ROUNDS=${ROUNDS:-5} each=${SECONDS_EACH:-4}
PARTS=${PARTS:-http memory streams rules}
GAMES=${GAMES:-1600} PLIES=${PLIES:-150}
CC=${CC:-cc}
work=$(mktemp -d)
running=()

halt() {
    for pid in "${running[@]}"; do
        kill "$pid" 2>/dev/null || true
    done
    running=()
    wait 2>/dev/null || true
}

stop() {
    halt
    rm -rf "$work"
}
trap stop EXIT

build() {
    mkdir -p "$B/bench"
    for floor in mhd_floor mhd_durable; do
        $CC -std=c17 -O2 -I. -D_GNU_SOURCE tests/bench/$floor.c tests/bench/floor.c \
            -lmicrohttpd -ljansson -lsqlite3 -lpthread -o "$B/bench/$floor"
    done
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

# Each floor stands right beside what is divided by it.
round() {
    load http_floor "$floor_pid" "$floor_port" 64 floor.lua
    load judge "$our_pid" "$our_port" 64 adjudicate.lua minimal
    prepare
    load floor_a "$durable_pid" "$durable_port" 64 floor.lua
    load moves "$our_pid" "$our_port" 64 moves.lua "$work/plan" minimal
    prepare
    load floor_b "$durable_pid" "$durable_port" 64 floor.lua
    load full "$our_pid" "$our_port" 64 moves.lua "$work/plan"
    prepare
    load one_floor "$durable_pid" "$durable_port" 1 floor.lua
    load one "$our_pid" "$our_port" 1 moves.lua "$work/plan" minimal
    load create "$our_pid" "$our_port" 64 create.lua
}

median() { # name, column
    awk -v c="$2" '{print $c}' "$work/$1" | sort -n | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}'
}

ratio() { # ours, floor, column: the median of the rounds' own ratios, each of neighbours in time
    paste "$work/$1" "$work/$2" | awk -v c="$3" '{print $(c + 4) ? $c / $(c + 4) : 0}' |
        sort -n | awk '{v[NR] = $1} END {printf "%.2f", v[int((NR + 1) / 2)]}'
}

# How fast this machine is beside the one that the absolute targets were set on, by a floor that was
# measured on both; never more than 1, so that a faster machine has to be faster.
speed() { # floor, its requests a second there
    awk -v here="$(median "$1" 1)" -v there="$2" 'BEGIN {s = here / there; printf "%.3f", s < 1 ? s : 1}'
}

row() { # name, ours, floor, figure, unit, wanted, stretch
    local IFS=$'\t'
    echo "$*" >>"$work/rows"
}

against() { # name, ours, floor, column, unit, wanted, stretch
    row "$1" "$(median "$2" "$4") $5" "$(median "$3" "$4") $5" "$(ratio "$2" "$3" "$4")" '' "$6" "$7"
}

http_rows() {
    local games
    against 'durable moves, 64 connections, `return=minimal`' moves floor_a 1 /s '>= 0.70' '>= 0.85'
    against 'the same with token, receipt and view' full floor_b 1 /s '>= 0.35' '>= 0.50'
    against '`POST /v1/adjudicate`, no token, 64 connections' judge http_floor 1 /s '>= 0.65' '>= 0.80'
    against 'one connection, durable: p50' one one_floor 2 us '<= 1.3' '<= 1.1'
    against '64 connections, durable: p50' moves floor_a 2 us '<= 1.6' ''
    row '64 connections, durable: p99, at the reference speed' "$(median moves 3) us" "$(median floor_a 3) us" \
        "$(awk -v us="$(median moves 3)" -v speed="$(speed floor_a 65000)" 'BEGIN {printf "%.1f", us / 1000 * speed}')" ms '<= 8' ''
    against 'server CPU a durable move' moves floor_a 4 us '<= 1.4' '<= 1.2'
    games=$(awk -v r="$(median create 1)" 'BEGIN {printf "%d", r / 3}')
    row 'games made, both seats taken, at the reference speed' "$games /s" "$(median floor_a 1) /s" \
        "$(awk -v n="$games" -v speed="$(speed floor_a 65000)" 'BEGIN {printf "%d", n / speed}')" /s '>= 10000' '>= 15000'
}

# What the other parts print: name, value, unit, wanted, stretch.
take_rows() {
    awk -F '\t' -v OFS='\t' 'NF > 2 {print $1, "", "", $2, $3, $4, $5}' >>"$work/rows"
}

part() { # name: is it asked for?
    case " $PARTS " in *" $1 "*) ;; *) return 1 ;; esac
}

write_down() { # the table goes between its marks
    {
        echo "Measured $(date -u +%Y-%m-%d) on $(nproc) cores ($(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1)),"
        echo "which the load generator shares: wrk, one thread, medians of $ROUNDS rounds of $each s."
        echo
        cat "$work/table"
        echo
        echo '![What is reached of what is wanted](performance.svg)'
    } >"$work/text"
    awk -v file="$work/text" '/<!-- bench -->/ {print; while ((getline line < file) > 0) print line; skip = 1}
        /<!-- \/bench -->/ {skip = 0}
        !skip' docs/performance.md >"$work/new"
    cp "$work/new" docs/performance.md
    cp "$work/plot.svg" docs/performance.svg
}

build
if part http; then
    start
    for _ in $(seq "$ROUNDS"); do
        round
    done
    http_rows
    grep -v 'listening on' "$work/log" | tail -n 5 >&2 || true
    halt
fi
if part memory; then SPEED=$(part http && speed http_floor 128000 || echo 1) B=$B tests/bench/memory.sh | tee /dev/stderr | take_rows; fi
if part streams; then B=$B tests/bench/streams.sh | tee /dev/stderr | take_rows; fi
if part rules; then "$B/tests/bench/bench_rules" --tsv | take_rows; fi
held=0
python3 tests/bench/table.py "$work/rows" "$work/table" "$work/plot.svg" || held=1
cat "$work/table"
[ "$PARTS" != 'http memory streams rules' ] || write_down
exit $held
