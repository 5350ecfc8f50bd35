#!/bin/bash
# Our tokens in the npm libraries paseto and paseto-ts, theirs in ours: see npm/interop.js.
set -u
cd "$(dirname "$0")/../.." || exit 1
B=${B:-build}
node=$(node -p 'process.versions.node.split(".")[0]' 2>/dev/null) && command -v npm >/dev/null ||
    { echo "no node and npm"; exit 77; }
[ "$node" -ge 20 ] || { echo "node $node is too old: 20 is needed"; exit 77; }
mkdir -p "$B/tests/proof" || exit 1
tool=$(realpath "$B/tests/proof")/token_tool
${CC:-gcc} -std=c17 -O1 -I. tests/proof/token_tool.c api/token.c api/base64.c api/hex.c -lsodium \
    -o "$tool" || exit 1
cd tests/proof/npm || exit 1
[ node_modules/.package-lock.json -nt package-lock.json ] ||
    npm ci --no-audit --no-fund --ignore-scripts >/dev/null 2>&1 ||
    { echo "the packages of package-lock.json could not be fetched"; exit 77; }
TOOL=$tool node interop.js
