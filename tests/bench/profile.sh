#!/bin/bash
# Where the instructions of a request go, without sockets and disk: a table a kind of request.
#
#   B=BUILD tests/bench/profile.sh [moves|full|judge|create ...]
#
# valgrind counts the same for the same program and input, however busy the machine is.
set -eu
cd "$(dirname "$0")/../.."
B=${B:-build} COUNT=${COUNT:-640}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

[ $# -gt 0 ] || set -- moves full judge create
for kind in "$@"; do
    valgrind --tool=callgrind --toggle-collect=measured --callgrind-out-file="$out/$kind" \
        "$B/tests/bench/bench_api" "$kind" "$COUNT" >"$out/log" 2>&1 || { cat "$out/log" >&2; exit 1; }
    callgrind_annotate --inclusive=yes --threshold=100 "$out/$kind" 2>"$out/log" |
        awk -v kind="$kind" -v count="$COUNT" '
            function number(text) { gsub(",", "", text); return text + 0 }
            /PROGRAM TOTALS/ { all = number($1); printf "%s: %d instructions a request\n", kind, all / count }
            $0 ~ /(api|rules)\/[a-z_\/]+\.c:[a-z_]+ |:(json_loadb|json_delete|crypto_[a-z0-9_]+|malloc|free) / && all && ++n <= 40 {
                split($0, part, /:/)
                name = $0; sub(/^[^:]*:/, "", name); sub(/ .*/, "", name)
                if (!seen[name]++) printf "  %6.1f %%  %s\n", 100 * number($1) / all, name
            }'
done
