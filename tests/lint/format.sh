#!/bin/sh
# Sources are laid out as .clang-format says; `make format` does it.
cd "$(dirname "$0")/../.." || exit 1
command -v clang-format >/dev/null || { echo "clang-format is not installed: not checked"; exit 77; }
bad=$(git ls-files '*.[ch]' | while read -r f; do
    [ ! -e "$f" ] || clang-format "$f" | cmp -s - "$f" || echo "$f"
done)
[ -z "$bad" ] || { printf 'not laid out (make format):\n%s\n' "$bad"; exit 1; }
