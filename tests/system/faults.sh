#!/bin/bash
# What machines do to a daemon: writes, syncs and allocations fail, the disk is full, files may not
# grow, the clock jumps, descriptors run out, signals come. Each time whoever asks is told so (503
# or 507), the game is as before, what was answered stays, and the service goes on afterwards. And a
# start that fails leaves with one line, not with a crash. kill.sh has kill -9, many.sh a database
# that goes.
. "$(dirname "$0")/lib.sh"
nm "$B/refereed" 2>/dev/null | grep -q __asan_init && { echo 'faults.sh: not with a sanitizer'; exit 77; }
shim=$work/faulty.so
${CC:-cc} -O2 -shared -fPIC -D_GNU_SOURCE -Wall -Wextra -Werror tests/system/faulty.c -o "$shim" || fail 'no shim'

switches() { head -c 4096 /dev/zero >"$work/faulty"; }

faults() { # what, further arguments
    timeout 200 python3 -B tests/system/faults.py "$1" "$address" "$pid" "${@:2}" >"$work/said" 2>&1 ||
        fail "$1: $(tail -n 3 "$work/said")"
    kill -0 "$pid" 2>/dev/null || fail "$1: the daemon is gone"
    ! grep -qi 'assert\|corrupt' "$log" || fail "$1: the log says $(grep -i 'assert\|corrupt' "$log" | head -n 2)"
    tail -n 1 "$work/said"
}

sound() { # the store holds, after a stop
    stop
    "$B/refereed" check --state "$work/state" >"$work/said" 2>&1 || fail "$1: check: $(head -n 3 "$work/said")"
}

# Under the shim.
switches
FAULTY=$work/faulty LD_PRELOAD=$shim start
for what in disk clock memory; do
    faults $what "$work/faulty"
done
sound 'under the shim'

# Limits and signals; no shim.
start
faults file_size
faults descriptors
faults signals
sound 'limits'

# SIGTERM in the middle of games: it leaves with 0, and all that was answered is there.
for round in 1 2; do
    start
    rm -f "$work/enough" "$work/moving"
    timeout 60 python3 -B tests/system/faults.py load "$work/address" "$work/enough" "$work/ledger" \
        "$work/moving" 2>"$work/said" &
    load=$!
    for _ in $(seq 100); do # until there is something to lose
        [ -s "$work/moving" ] && break
        sleep 0.1
    done
    sleep "0.$((RANDOM % 5 + 1))"
    port=${address##*:}
    stop
    start
    touch "$work/enough"
    wait "$load" || fail "SIGTERM: $(cat "$work/said")"
    python3 -B tests/system/faults.py check "$address" "$work/ledger" >"$work/said" 2>&1 ||
        fail "after SIGTERM: $(cat "$work/said")"
    stop
done
echo "SIGTERM under load, $round times: $(cat "$work/said")"
sound_again=$("$B/refereed" check --state "$work/state" 2>&1) || fail "check: $sound_again"

# A disk that is full in truth.
if [ "$(id -u)" = 0 ] && mkdir "$work/small" && mount -t tmpfs -o size=2m,mode=700 small "$work/small" 2>/dev/null; then
    kept=$work
    trap 'kill -9 $pid 2>/dev/null; wait 2>/dev/null; umount "$kept/small"; leave' EXIT
    rm -rf "$work/state" && ln -s small "$work/state"
    start
    faults full "$work/small"
    sound 'a full disk'
    umount "$work/small"
    trap leave EXIT
    rm "$work/state"
    partly=
else
    partly=' (but for a disk that is full: needs root and mount)'
fi

# A start in which the n-th open, write or allocation fails: it starts, or it says why in one line.
starts() { # kind, error, most, step
    local n code
    for ((n = 0; n < $3; n += $4)); do
        rm -rf "$work/state"
        switches
        python3 - "$work/faulty" "$1" "$n" "$2" <<'PY'
import struct, sys
path, kind, after, error = sys.argv[1], *map(int, sys.argv[2:])
with open(path, "r+b") as file:
    file.seek(16 * kind)
    file.write(struct.pack("iiii", after, 1, error, 0))
PY
        : >"$work/log"
        FAULTY=$work/faulty LD_PRELOAD=$shim "$B/refereed" serve --state "$work/state" \
            --listen 127.0.0.1:0 2>"$work/log" >/dev/null &
        pid=$!
        for _ in $(seq 250); do
            grep -q 'listening on' "$work/log" && break
            kill -0 "$pid" 2>/dev/null || break
            sleep 0.02
        done
        kill -TERM "$pid" 2>/dev/null
        wait "$pid"
        code=$?
        pid=
        case $code in
        0) began=$((began + 1)) ;;
        1 | 2) [ -s "$work/log" ] || fail "kind $1, call $n: left with $code and said nothing"
            refused=$((refused + 1)) ;;
        *) fail "kind $1, call $n: a start left with $code: $(tail -n 3 "$work/log")" ;;
        esac
    done
}
began=0 refused=0
every=${EVERY:-4} # EVERY=1: each of them, for some minutes
starts 0 28 12 "$every"
starts 1 5 6 "$every"
starts 3 24 24 "$((2 * every))"
starts 4 12 1500 "$((60 * every))"
[ "$began" -gt 0 ] && [ "$refused" -gt 0 ] || fail "$began starts, $refused refused"
echo "faults.sh: all as promised$partly; $((began + refused)) starts with a fault, $refused refused"
