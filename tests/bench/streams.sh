#!/bin/bash
# Watchers and many connections, for the bench: lines of name, value, unit, what is wanted and
# what would be better still, with tabs between. B is the build folder.
. "$(dirname "$0")/../system/lib.sh"

scene() { # name, count
    start --log-level error --max-connections 12000
    "$B/tests/system/crowd" "${address##*:}" "$pid" "$1" "$2" >>"$work/found" 2>"$work/why"
    local code=$?
    stop
    rm -rf "$work/state"
    [ $code -eq 0 ] || sed "s/^/$1 $2: /" "$work/why" >&2
    return $code
}

found() { # name, divisor
    awk -v name="$1" -v by="${2:-1}" '$1 == name {printf by == 1 ? "%d" : "%.1f", $2 / by}' "$work/found"
}

row() {
    printf '%s\t%s\t%s\t%s\t%s\n' "$@"
}

scene memory_sse 10000
row 'memory a watcher, 10,000 streams (SSE)' "$(found sse_bytes)" bytes '<= 6144' '<= 5120'
scene memory_poll 10000
row 'memory a watcher, 10,000 long polls' "$(found poll_bytes)" bytes '<= 6144' '<= 5120'
scene idle 10000
row '10,000 idle connections: p99 of a request' "$(found idle_p99_us 1000)" ms '< 100' ''
row '10,000 idle connections: memory in all' "$(found idle_memory_kib 1024)" MiB '< 128' ''
scene spread_sse 1000
row 'a move to 1,000 streams: p99' "$(found sse_spread_p99_us 1000)" ms '<= 50' ''
scene spread_poll 1000
row 'a move to 1,000 long polls: p99' "$(found poll_spread_p99_us 1000)" ms '<= 50' ''
for count in 256 1024; do
    scene stall $count
    row "$count connections at once: answered" "$(found stall_${count}_answered)" of $((count * 20)) ''
done
