#!/bin/bash
# Every variant with every combination of its options can be made, and says them back; what a
# variant does not know, and what is out of range, is refused with the reason.
. "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
start
python3 tests/system/variants.py "http://$address" || fail "options went wrong"
stop
