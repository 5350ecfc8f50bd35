#!/bin/bash
# Canaries: hidden faces, nonces, seeds, secrets and credentials are looked for where they must
# not be: in what other viewers are sent, in the log, in the store's files and a backup, in all
# that /proc tells of the daemon but its memory, and in no core, for there is none.
. "$(dirname "$0")/lib.sh"

command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
"$B/refereed" keygen "$work/operator" >/dev/null || fail "no keys"
ulimit -c unlimited 2>/dev/null
start --log-level debug --operator-token-file "$work/operator/operator.token"
python3 tests/system/secrets.py "$address" "$pid" "$work/state" "$log" "$B/refereed" \
    "$work/operator/operator.token" >"$work/said" || { cat "$work/said"; fail "a secret got out"; }

# It dies of a signal that leaves a core of other programs, and leaves none.
touch "$work/died"
kill -ABRT "$pid"
wait "$pid" 2>/dev/null
pid=
cores=$(find . "$work" -maxdepth 3 -name 'core*' -type f -newer "$work/died" ! -path './.git/*')
[ -z "$cores" ] || { rm -f $cores; fail "a core was left: $cores"; }
cat "$work/said"
