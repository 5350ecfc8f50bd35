#!/bin/bash
# The daemon under load, as ThreadSanitizer sees it: what it reports is a fault, whatever the
# tests say. B is a build with -fsanitize=thread. It maps code, so the sandbox must be off.
set -u
cd "$(dirname "$0")/.." || exit 1
reports=$(mktemp -d)
trap 'rm -rf "$reports"' EXIT
export REFEREED_SANDBOX=off TSAN_OPTIONS="log_path=$reports/race exitcode=66"
bad=0
for test in matrix hostile crowd tls; do
    tests/system/$test.sh >"$reports/said" 2>&1 || { bad=1; tail -n 20 "$reports/said"; }
    echo "$test: $(tail -n 1 "$reports/said")"
done
if ls "$reports"/race* >/dev/null 2>&1; then
    head -n 60 "$reports"/race*
    bad=1
fi
exit "$bad"
