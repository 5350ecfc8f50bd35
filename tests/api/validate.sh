#!/bin/bash
# Holds every exchange that the API tests have written down against docs/openapi.yaml.
#
#   B=BUILD tests/api/validate.sh
#
# The tests of tests/api must have run before. 77: npm or its packages are not to be had.
set -u
cd "$(dirname "$0")/../.." || exit 1
B=$(realpath "${B:-build}")
node=$(node -p 'process.versions.node.split(".")[0]' 2>/dev/null) && command -v npm >/dev/null ||
    { echo "no node and npm"; exit 77; }
[ "$node" -ge 18 ] || { echo "node $node is too old: 18 is needed"; exit 77; }
ls "$B"/exchanges/*.ndjson >/dev/null 2>&1 ||
    { echo "$B/exchanges is empty: the tests of tests/api have not run"; exit 1; }
cd tests/api/validate || exit 1
[ node_modules/.package-lock.json -nt package-lock.json ] ||
    npm ci --no-audit --no-fund --ignore-scripts >/dev/null 2>&1 ||
    { echo "the packages of package-lock.json could not be fetched"; exit 77; }
exec node validate.js ../../../docs/openapi.yaml "$B"/exchanges/*.ndjson
