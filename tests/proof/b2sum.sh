#!/bin/bash
# Every hash of tests/vectors/protocol.json by b2sum, straight from the preimage.
set -eu
cd "$(dirname "$0")/../.."
for tool in b2sum jq; do
    command -v $tool >/dev/null || { echo "no $tool"; exit 77; }
done
count=0 bad=0
while read -r bits preimage hash; do
    got=$(printf '%b' "$(sed 's/../\\x&/g' <<<"$preimage")" | b2sum -l "$bits" | cut -d' ' -f1)
    count=$((count + 1))
    [ "$got" = "$hash" ] || { bad=$((bad + 1)); echo "$preimage: b2sum says $got, the vector $hash"; }
done < <(jq -r '.hashes[] | "\(.bits) \(.preimage) \(.hash)"' tests/vectors/protocol.json)
echo "b2sum.sh: $count hashes, $bad failed"
[ "$count" -gt 0 ] && [ "$bad" -eq 0 ]
