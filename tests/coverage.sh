#!/bin/bash
# How much of the rules, the tokens and the commitments their own tests come through.
#
#   B=BUILD tests/coverage.sh [--show]
#
# Counts lines, branches and MC/DC (each condition of a decision shown to decide it) with clang-19, or
# without it lines and branches with gcov. --show lists what is left. Fails if a line, a branch or
# a condition is left.
set -eu
cd "$(dirname "$0")/.."
B=${B:-build}/coverage
show=${1:-}
rm -rf "$B" # make does not see that flags have changed, and a program of other flags spoils the count
mkdir -p "$B"
sources=$(ls rules/*.[ch] rules/*/*.[ch] api/token.c api/commit.c api/base64.c api/hex.c)

run_one() { "$1" >"$1.said" 2>&1 || { cat "$1.said"; return 255; }; }
export -f run_one

run() { # every test program of these sources, two at a time
    LLVM_PROFILE_FILE="$B/profile/%p.profraw" xargs -n 1 -P 2 bash -c 'run_one "$1"' run <"$B/programs"
}

build() { # CC, flags
    make --no-print-directory -s -j 2 B="$B" CC="$1" SAN="$2" OPT="-O1 -g" WARN=-w rules-tests >"$B/said" 2>&1 ||
        { cat "$B/said"; exit 1; }
    make -s B="$B" list-rules-tests | tr ' ' '\n' | tac >"$B/programs"
}

with_clang() {
    # An assert is no decision: what it says never fails. Static functions are counted under the name of
    # their file without its folder, so check.c of one game would count for check.c of another.
    # shellcheck disable=SC2016
    build clang-19 '-DNDEBUG -fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc -Xclang -main-file-name -Xclang $<'
    run
    llvm-profdata-19 merge -o "$B/all.profdata" "$B"/profile/*.profraw
    # shellcheck disable=SC2046,SC2086
    llvm-cov-19 export -instr-profile "$B/all.profdata" $(sed '1!s/^/-object /' "$B/programs") $sources \
        >"$B/coverage.json"
    python3 tests/coverage.py "$B/coverage.json" $show
}

with_gcov() {
    echo "there is no clang-19: lines and branches only, by gcov"
    build gcc --coverage
    find "$B" -name '*.gcda' -delete
    run
    for source in $sources; do
        gcov -b -n -o "$B/${source%.c}.o" "$source" 2>/dev/null |
            awk -v file="$source" '$0 ~ "^File .*" file { on = 1 } /^$/ { on = 0 }
                on && /^(Lines|Taken)/ { split($0, p, ":"); printf "%-8s %-34s %s\n", p[1], file, p[2] }'
    done
}

if command -v clang-19 >/dev/null; then with_clang; else with_gcov; fi
