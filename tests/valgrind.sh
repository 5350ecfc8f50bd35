#!/bin/bash
# Test programs under valgrind's memcheck: no invalid access, nothing uninitialised, nothing lost.
#
#   B=BUILD tests/valgrind.sh PROGRAM...
set -u
cd "$(dirname "$0")/.." || exit 1
export B=${B:-build}
command -v valgrind >/dev/null || { echo "valgrind is not installed"; exit 1; }
said=$(mktemp)
trap 'rm -f "$said"' EXIT
bad=0
for program in "$@"; do
    case $program in
    # a filter of calls that valgrind itself needs; thousands of games, minutes even without it
    */test_sandbox | */property/* | */blind | */players | */one_token | */real_table | */test_golden | \
        */several | */test_perft | */cases) continue ;;
    esac
    if timeout "${VALGRIND_SECONDS:-600}" valgrind -q --leak-check=full --errors-for-leak-kinds=definite \
        --error-exitcode=99 "$program" >"$said" 2>&1; then
        echo "ok $program"
    else
        bad=1
        echo "FAILED $program"
        grep -E '^==|ERROR|FAILED' "$said" | head -n 40
    fi
done
exit "$bad"
