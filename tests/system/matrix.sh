#!/bin/bash
# Every route of the real daemon with every kind of credential.
. "$(dirname "$0")/lib.sh"

command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
"$B/refereed" keygen "$work/operator" >/dev/null || fail "no keys"
start --log-level warning --operator-token-file "$work/operator/operator.token"
python3 tests/system/matrix.py "$address" "$work/operator/operator.token" "$@" >"$work/said" 2>&1 ||
    { cat "$work/said"; fail "somebody was let in, or kept out"; }
cat "$work/said"
