#!/bin/bash
# A ruling is done when it has a row in rulings.def, a line in docs/rules, a comment where it is
# carried out and a test, transcript or case that names it. This counts all four.
set -u
cd "$(dirname "$0")/../.." || exit 1
bad=0

missing() { # id, game, what
    echo "$1 ($2) $3"
    bad=1
}

# The id as a word of its own: EG-1 is not found in EG-11.
named() { # id, files or folders...
    local id=$1
    shift
    grep -rqE "(^|[^A-Za-z0-9])$id([^0-9]|\$)" "$@" 2>/dev/null
}

# The comments of a game's code and of its tables, but for the lists of rulings and refusals.
carried() { # game
    find "rules/$1" -name '*.c' -o -name '*.def' ! -name rulings.def ! -name refusals.def |
        xargs grep -ohE '/\*.*|^ *\*.*|//.*'
}

for def in rules/*/rulings.def; do
    [ -e "$def" ] || { echo "no game has rulings yet"; exit 77; }
    game=$(basename "$(dirname "$def")")
    # The first quoted id of each row is the row's own; further ones are mentions.
    ids=$(sed -nE 's/^ *RULING[A-Z_]*\([^"]*"([A-Z]{2}-[0-9]+)".*/\1/p' "$def" | sort -u)
    [ -n "$ids" ] || missing "$def" "$game" "has no row RULING(…\"XX-1\"…)"
    comments=$(carried "$game")
    for id in $ids; do
        named "$id" "docs/rules/$game.md" || missing "$id" "$game" "has no line in docs/rules/$game.md"
        # A comment only: code lines that quote the id do not count.
        named "$id" - <<<"$comments" ||
            missing "$id" "$game" "is carried out nowhere: no comment names it"
        named "$id" --include='*.c' --include='*.h' --include='*.game' --include='*.json' \
            --include='*.txt' --include='*.py' --include='*.sh' tests --exclude-dir=lint ||
            missing "$id" "$game" "is named by no test, transcript or case"
    done
    # And back: what docs and refusals rest on must be a ruling.
    for id in $(grep -ohE '\b(EG|EK|CR|CB|SC|ST)-[0-9]+' "docs/rules/$game.md" "rules/$game"/*.def 2>/dev/null | sort -u); do
        grep -qF "\"$id\"" rules/*/rulings.def || missing "$id" "$game" "is spoken of but has no row in rulings.def"
    done
done
exit "$bad"
