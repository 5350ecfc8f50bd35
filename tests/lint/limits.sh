#!/bin/bash
# Each bound of api/limits.h is used by the program, and named by a test that includes it.
set -u
cd "$(dirname "$0")/../.." || exit 1
limits=$(sed -nE 's/^    ([A-Z_]+) = .*/\1/p' api/limits.h)
[ "$(wc -w <<<"$limits")" -gt 20 ] || { echo "api/limits.h cannot be read"; exit 1; }
tests=$(grep -lF '#include "api/limits.h"' -r tests/unit tests/api --include='*.c')
bad=0
for limit in $limits; do
    # shellcheck disable=SC2086
    grep -qw "$limit" $tests || { echo "$limit has no test one over it"; bad=1; }
    grep -qwr "$limit" api daemon --include='*.c' --include='api.h' --include='game.h' ||
        { echo "$limit bounds nothing"; bad=1; }
done
exit "$bad"
