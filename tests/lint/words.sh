#!/bin/sh
# No tracked file knows one developer's machine or asks a package registry by name. The brackets
# keep this file from finding itself.
cd "$(dirname "$0")/../.." || exit 1
paths='(^|[^a-zA-Z0-9_.-])/(home|Users)/[a-z]|(^|[^a-zA-Z0-9_./-])/wor[k](/|$)|/roo[t]/[a-z.]'
hosts='registry\.[a-z]+\.(org|com|io|dev)|npm[j]s\.(org|com)|py[p]i\.org|pythonhos[t]ed\.org'
hosts="$hosts|crate[s]\.io|proxy\.golan[g]\.org|deb\.debia[n]\.org|docke[r]\.io"
if git grep -InE "$paths|$hosts" -- . ':!LICENSE'; then
    echo "a machine's own path, or the host of a package registry"
    exit 1
fi
