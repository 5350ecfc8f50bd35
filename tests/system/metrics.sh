#!/bin/bash
# Figures, logs and readiness of a real daemon. What a game leaves in /metrics is exactly what its
# players were answered; no client makes a label; names of requests lead to their log lines in all
# formats, and nothing secret does; a disk that is full is told by /readyz.
. "$(dirname "$0")/lib.sh"

command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
"$B/refereed" keygen "$work/operator" >/dev/null || fail "no keys"
operator=$work/operator/operator.token
ask() { python3 tests/system/metrics.py "$@" || fail "$1: see above"; }

# All at the main address: who is told what, and what is counted.
NOTIFY_SOCKET=$work/nobody WATCHDOG_USEC=400000 start --operator-token-file "$operator"
ask counts "$address" "$log" "$operator" "$work/metrics"
if command -v promtool >/dev/null; then
    promtool check metrics <"$work/metrics" || fail "promtool does not like it"
fi

# A disk that is full: what was answered holds, and readiness says it, by and by.
prlimit --pid "$pid" --fsize=4096: || fail "no limit could be set"
ask full "$address"
prlimit --pid "$pid" --fsize=unlimited:
ask ready "$address"
stop

# A clock that stands before what was written last: the files are of tomorrow.
touch -d tomorrow "$work"/state/games.db*
start
ask early "$address"
stop
touch "$work"/state/games.db*

# An address of their own.
start --operator-token-file "$operator" --metrics-listen 127.0.0.1:0
own=$(sed -nE 's|.*metrics on http://([^/ ]+).*|\1|p' "$log")
[ -n "$own" ] || fail "the figures have no address"
ask separate "$address" "$own" "$operator"
stop
ask inherited "$B/refereed" "$work/inherited"

# Each format, and the level at which requests are quiet.
for format in text json journal; do
    start --log-format "$format" --log-level info
    ask logs "$address" "$log" "$format"
    stop
    start --log-format "$format" --log-level warning
    ask quiet "$address" "$log" "$format"
    stop
done
echo "figures, logs and readiness are as they should be"
