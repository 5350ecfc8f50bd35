#!/bin/bash
# Canaries: hidden faces, nonces, seeds, secrets and credentials are looked for where they must
# not be: in what the other seat and spectators are sent, in the log, in the store's files, in
# the command line and environment of the daemon.
. "$(dirname "$0")/lib.sh"

command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
start --log-level debug
python3 tests/system/secrets.py "$address" "$pid" "$work/state" "$log" || fail "a secret got out"
stop
