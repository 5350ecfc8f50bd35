#!/bin/bash
# The verifier of docs/examples against the one of the daemon: both read dozens of games of all kinds and
# say the same; both refuse whatever was changed in them, also where it was signed anew. SEED, CHANGES.
. "$(dirname "$0")/../system/lib.sh"

command -v python3 >/dev/null || { echo "no python3"; exit 77; }
"$B/refereed" keygen "$work/operator" >/dev/null || fail "no keys"
start --operator-token-file "$work/operator/operator.token"
python3 -B tests/proof/second/run.py "$B/refereed" "http://$address" "$work" || fail "see above"
stop
tail -n 1 "$work/said"
