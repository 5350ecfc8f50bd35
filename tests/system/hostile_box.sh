#!/bin/bash
# The sandbox as it looks from outside: every thread of the daemon is under the filter and can gain
# no privileges, whatever the store's folder; and what it was sent is not left in its memory.
. "$(dirname "$0")/lib.sh"

command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
start --log-level warning
python3 tests/system/hostile_memory.py "$address" "$pid" >"$work/said" 2>&1 ||
    { cat "$work/said"; fail "something is left"; }
if [ "${REFEREED_SANDBOX:-on}" != off ]; then
    threads=0
    for status in /proc/"$pid"/task/*/status; do
        threads=$((threads + 1))
        grep -q '^NoNewPrivs:[[:space:]]*1$' "$status" || fail "$status: it may gain privileges"
        grep -q '^Seccomp:[[:space:]]*2$' "$status" || fail "$status: no filter"
    done
    [ "$threads" -gt 4 ] || fail "it has $threads threads only"
    ! grep -q 'are not kept from' "$log" || fail "$(cat "$log")"
fi
[ "$(stat -c %U "/proc/$pid/environ")" = root ] || fail "it can be dumped and traced"
stop
start --log-level warning --sandbox off
own=$(awk '/^Seccomp:/ {print $2}' /proc/self/status)
grep -q "^Seccomp:[[:space:]]*$own$" "/proc/$pid/status" || fail "--sandbox off is not off"
stop

# The same where nothing covers up what was given back without being wiped.
hoarder=$work/hoarder.so
${CC:-cc} -O2 -shared -fPIC -fno-builtin -D_GNU_SOURCE -Wall -Wextra -Werror tests/system/hoarder.c -o "$hoarder" ||
    fail "no hoarder"
if ! nm "$B/refereed" | grep -q __asan_init; then # which hoards by itself
    LD_PRELOAD=$hoarder start --log-level warning
    python3 tests/system/hostile_memory.py "$address" "$pid" >"$work/hoarded" 2>&1 ||
        { cat "$work/hoarded"; fail "something is given back as it was"; }
    stop
fi
cat "$work/said"
