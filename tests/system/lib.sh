# What the system tests share; sourced, not run. B is the build folder (default build).
#
# A test has a folder of its own in $work, which goes with it, and stops what it started.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
B=${B:-build}
work=$(mktemp -d)
pid=
trap 'leave' EXIT
trap 'exit 1' INT TERM

leave() {
    [ -z "${pg_pid:-}" ] || { kill -QUIT "$pg_pid"; wait "$pg_pid"; } 2>/dev/null
    [ -z "$pid" ] || kill -9 "$pid" 2>/dev/null
    rm -rf "$work"
}

fail() {
    printf '%s: %s\n' "$(basename "$0")" "$*" >&2
    [ ! -s "${log:-}" ] || tail -n 5 "$log" >&2
    exit 1
}

# Starts the daemon on the state folder $work/state and waits until it listens; its address is
# in $address and in the file $work/address, what it logs in $log. Further settings are passed
# on; $port keeps one port over several starts.
start() {
    starts=$((${starts:-0} + 1))
    log=$work/log.$starts
    : >"$log"
    "$B/refereed" serve --state "$work/state" --listen "127.0.0.1:${port:-0}" --rate 0 "$@" \
        2>>"$log" >"$work/out" &
    pid=$!
    for _ in $(seq 500); do
        address=$(sed -nE 's|.*listening on https?://([^/ ]+).*|\1|p' "$log" | head -n 1)
        [ -z "$address" ] || break
        kill -0 "$pid" 2>/dev/null || break
        sleep 0.02
    done
    [ -n "$address" ] || fail "the daemon did not start"
    echo "$address" >"$work/address.new" && mv "$work/address.new" "$work/address"
}

# Stops it by SIGTERM; it must leave with 0.
stop() {
    kill -TERM "$pid"
    wait "$pid"
    local code=$?
    pid=
    [ "$code" -eq 0 ] || fail "the daemon left with $code"
}
