#!/bin/sh
# Each header compiles alone, in any order, as whoever includes it first will find it.
set -u
cd "$(dirname "$0")/../.." || exit 1
B=${B:-build} CC=${CC:-cc}
bad=0
for h in $(git ls-files '*.h'); do
    printf '#include "%s"\n#include "%s"\n' "$h" "$h" |
        $CC -std=c17 -Wall -Wextra -Wpedantic -Werror -Wno-unused-function -D_GNU_SOURCE \
            -I. "-I$B" -fsyntax-only -x c - || { echo "$h does not compile alone"; bad=1; }
    want=$(echo "$h" | tr 'a-z/.' 'A-Z__')
    grep -q "^#ifndef $want\$" "$h" || { echo "$h: its guard is not $want"; bad=1; }
    head -n 1 "$h" | grep -q '^/\* ' || { echo "$h: the first line must say what it is for"; bad=1; }
done
exit "$bad"
