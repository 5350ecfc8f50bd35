#!/bin/bash
# One test of the web table in node, with a daemon of its own and, but for client.mjs, in Chromium:
#
#   B=BUILD tests/web/run.sh tests/web/home.mjs
#
# 77: node, npm, the packages of package-lock.json or Chromium are not to be had.
set -u
cd "$(dirname "$0")/../.." || exit 1
test=$(basename "$1")
B=$(realpath "${B:-build}")
export B
node=$(node -p 'process.versions.node.split(".")[0]' 2>/dev/null) && command -v npm >/dev/null ||
    { echo "no node and npm"; exit 77; }
[ "$node" -ge 20 ] || { echo "node $node is too old: 20 is needed"; exit 77; }
CHROMIUM=$(command -v "${CHROMIUM:-chromium}") || [ "$test" = client.mjs ] ||
    { echo "no chromium"; exit 77; }
export CHROMIUM
cd tests/web || exit 1
[ node_modules/.package-lock.json -nt package-lock.json ] ||
    npm ci --no-audit --no-fund --ignore-scripts >/dev/null 2>&1 ||
    { echo "the packages of package-lock.json could not be fetched"; exit 77; }
exec node "$test"
