#!/bin/bash
# Endurance: MOVES moves (a million) in one run, by 32 players at once. Fails if memory,
# descriptors, the write-ahead log or the time of a move grow with them. B is the build folder.
. "$(dirname "$0")/../system/lib.sh"

start --log-level error
STATE=$work/state "$B/tests/system/crowd" "${address##*:}" "$pid" soak "${MOVES:-1000000}" ||
    fail "it grows"
stop
"$B/refereed" check --state "$work/state" || fail "the store does not hold"
