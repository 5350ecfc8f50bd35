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
mkdir -p "$B"
sources=$(ls rules/*.c rules/*/*.c api/token.c api/commit.c api/base64.c api/hex.c)

run() { # every test program of these sources
    for program in $(make -s B="$B" list-rules-tests); do
        LLVM_PROFILE_FILE="$B/profile/%p.profraw" "$program" >"$B/said" 2>&1 || { cat "$B/said"; exit 1; }
    done
}

build() { # CC, flags
    make --no-print-directory -s B="$B" CC="$1" SAN="$2" OPT="-O0 -g" WARN=-w rules-tests >"$B/said" 2>&1 ||
        { cat "$B/said"; exit 1; }
}

with_clang() {
    build clang-19 "-fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc"
    rm -rf "$B/profile"
    run
    llvm-profdata-19 merge -o "$B/all.profdata" "$B"/profile/*.profraw
    objects=
    for program in $(make -s B="$B" list-rules-tests); do objects="$objects ${objects:+-object }$program"; done
    # shellcheck disable=SC2086
    llvm-cov-19 export -instr-profile "$B/all.profdata" $objects $sources >"$B/coverage.json"
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
