#!/bin/bash
# Many at once: everybody at 256 and at 1,024 connections is answered; a reader who stops reading
# is cut off and nobody waits for him; a watcher costs no more than he may; and MOVES moves
# (20,000) leave memory, descriptors, log and latency where they were.
. "$(dirname "$0")/lib.sh"

scene() { # name, count
    STATE=$work/state "$B/tests/system/crowd" "${address##*:}" "$pid" "$1" "$2" \
        >>"$work/found" 2>"$work/why" || fail "$1 $2: $(cat "$work/why")"
}

found() { # name
    awk -v name="$1" '$1 == name {print $2}' "$work/found"
}

within() { # name, most
    [ "$(found "$1")" -le "$2" ] || fail "$1 is $(found "$1"), and may be $2"
}

# Sanitizers have memory of their own, which says nothing of the daemon's.
exact=yes
if nm "$B/refereed" | grep -qE '__(asan|tsan)_init'; then
    exact=no
    export SLACK_KIB=1048576
fi
start --send-timeout 2
scene stall 256
scene stall 1024
scene slow 2
stop
start
scene memory_sse 2000
scene memory_poll 2000
if [ $exact = yes ]; then
    within sse_bytes 2048
    within poll_bytes 7168
fi
within sse_left_ms 10000
stop
rm -rf "$work/state"
start
scene soak "${MOVES:-20000}"
stop
"$B/refereed" check --state "$work/state" || fail "the store does not hold"
echo "a watcher costs $(found sse_bytes) bytes, one who polls $(found poll_bytes)"
