#!/bin/bash
# Clients that mean no good: malformed requests, requests inside requests, slow clients, floods,
# ten thousand who do nothing, too many requests, too many connections. Each is refused, closed or
# waited for no longer than its limit, and whoever plays meanwhile does not feel it.
. "$(dirname "$0")/lib.sh"

command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
"$B/refereed" keygen "$work/operator" >/dev/null || fail "no keys"
operator=$work/operator/operator.token

if nm "$B/refereed" | grep -qE '__(asan|tsan)_init'; then export INEXACT=1; fi

run() { # part
    python3 tests/system/hostile.py "$address" "$pid" "$operator" "$1" >>"$work/said" 2>"$work/why" ||
        { cat "$work/why"; fail "$1: see above"; }
}

begin() { # settings
    start --log-level error --operator-token-file "$operator" "$@"
}

begin --header-timeout 2 --body-timeout 2 --send-timeout 2
for part in framing slow floods; do run $part; done
stop
begin --max-connections 12000
run idle
stop
begin --rate 4 --rate-burst 40 --seat-rate 2 --seat-burst 20 --create-rate 6 --create-burst 5
run rates
stop
begin --threads 1 --max-connections 8
run limits
stop
paste -sd ';' "$work/said"
