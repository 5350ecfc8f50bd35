#!/bin/bash
# Do the tests still come through every line, branch and condition of the rules, the tokens and the
# commitments? As `make coverage`, in a build of its own: once is enough, and it takes a compiler that counts.
set -eu
cd "$(dirname "$0")/../.."
B=${B:-build}
command -v clang-19 >/dev/null || { echo "no clang-19"; exit 77; }
[ "${B##*/}" != asan ] || { echo "is counted without sanitizers"; exit 77; }
unset MAKEFLAGS
B=$B tests/coverage.sh --show
