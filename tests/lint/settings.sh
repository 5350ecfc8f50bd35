#!/bin/bash
# Each row of daemon/config.def has its flag in docs/operations.md, and no other flag of `serve`
# is promised there.
set -u
cd "$(dirname "$0")/../.." || exit 1
[ -e daemon/config.def ] || { echo "there is no daemon/config.def yet"; exit 77; }
rows=$(sed -nE 's/^(LIST|TEXT|SWITCH|NUMBER|WORD)\(([a-z_]+),.*/--\2/p' daemon/config.def | tr '_' '-' | sort -u)
[ -n "$rows" ] || { echo "daemon/config.def has no rows"; exit 1; }
told=$(grep '^| `--' docs/operations.md | cut -d'|' -f2 | grep -oE -- '--[a-z-]+' | grep -vxE -- '--(help|version)' | sort -u)
differ=$(diff <(echo "$rows") <(echo "$told") | sed -n 's/^< \(.*\)/\1 is not in docs\/operations.md/p; s/^> \(.*\)/docs\/operations.md promises \1/p')
[ -z "$differ" ] || { echo "$differ"; exit 1; }
