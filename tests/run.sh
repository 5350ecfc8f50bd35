#!/bin/bash
# Runs test programs one after another from the root of the project and adds up what they say.
#
#   B=BUILD tests/run.sh PROGRAM...
#
# After the programs come the scripts: tests/system/*.sh, tests/readme.sh and tests/proof/*, as
# far as they exist and are executable, and tests/web/*.mjs by tests/web/run.sh. A cmocka program counts its own tests, a script counts as
# one. Exit code 77 of a script means that it could not run here: skipped, and said. The last
# line is always "N passed, N failed". TEST_SECONDS bounds each program (default 600).
set -u
cd "$(dirname "$0")/.." || exit 1
export B=${B:-build}
seconds=${TEST_SECONDS:-600}
out=$(mktemp)
trap 'rm -f "$out"' EXIT
passed=0 failed=0 skipped=0

# Adds the numbers of the lines of "$out" that begin with [  WORD  ] and have "n test(s)".
sum() {
    sed 's/\x1b\[[0-9;]*m//g' "$out" |
        sed -nE "s/^\[ +$1 +\] ([A-Za-z_].*: )?([0-9]+) test\(s\).*/\2/p" |
        awk '{n += $1} END {print n + 0}'
}

why() { # exit code
    if [ "$1" -eq 124 ]; then echo "no end after $seconds s"
    elif [ "$1" -gt 128 ]; then echo "killed by signal $(($1 - 128))"
    else echo "exit code $1"; fi
}

program() { # path
    timeout -k 5 "$seconds" "$1" >"$out" 2>&1 </dev/null
    local code=$? good bad left
    good=$(sum PASSED) bad=$(sum FAILED) left=$(sum SKIPPED)
    # A crash, or a program that ended without a word of any test, is a failure of its own.
    if [ "$code" -ne 0 ] && [ "$bad" -eq 0 ]; then
        bad=1
        echo "run.sh: $1: $(why "$code")" >>"$out"
    elif [ "$code" -eq 0 ] && [ $((good + bad + left)) -eq 0 ]; then
        bad=1
        echo "run.sh: $1: ran no test" >>"$out"
    fi
    echo "== $1"
    if [ "$bad" -gt 0 ]; then cat "$out"
    else grep -aE '^\[( +(PASSED|SKIPPED|FAILED) +|=+)\]' "$out" | grep -av 'Running'; fi
    passed=$((passed + good)) failed=$((failed + bad)) skipped=$((skipped + left))
}

script() { # path arguments...
    echo "== ${!#}"
    timeout -k 5 "$seconds" "$@" >"$out" 2>&1 </dev/null
    local code=$?
    case $code in
    0) passed=$((passed + 1)); tail -n 1 "$out" ;;
    77) skipped=$((skipped + 1)); echo "skipped: $(tail -n 1 "$out")" ;;
    *) failed=$((failed + 1)); cat "$out"; echo "run.sh: ${!#}: $(why "$code")" ;;
    esac
}

for p in "$@"; do
    program "$p"
done
for s in tests/system/*.sh tests/readme.sh tests/proof/*.sh tests/proof/*.py; do
    [ -x "$s" ] && [ -f "$s" ] && script "$s"
done
for s in tests/web/*.mjs; do
    [ "$s" = tests/web/lib.mjs ] || script tests/web/run.sh "$s"
done

[ "$skipped" -eq 0 ] || echo "$skipped skipped: see above"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
