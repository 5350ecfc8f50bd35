#!/bin/bash
# Each decision of docs/adr has its number, a title, and a line of the index that leads to it; and what the
# documents and the sources name as one is there.
set -u
cd "$(dirname "$0")/../.." || exit 1
index=docs/adr/README.md
bad=0
number=0
for file in docs/adr/[0-9]*.md; do
    number=$((number + 1))
    name=$(basename "$file")
    title=$(sed -n '1s/^# //p' "$file")
    [ "${name%%-*}" = "$(printf '%04d' "$number")" ] || { echo "$file: number $number is missing, or there twice"; bad=1; }
    [ "${title%%.*}" = "$number" ] || { echo "$file: its title begins with another number"; bad=1; }
    grep -qF "| [$title]($name) | " "$index" || { echo "$index has no line | [$title]($name) | …"; bad=1; }
done
[ "$(grep -c '^| \[' "$index")" -eq "$number" ] || { echo "$index has lines of decisions that are not there"; bad=1; }
# adr/0012, adr/0012-terms-and-custody.md
while IFS=: read -r file name; do
    compgen -G "docs/$name*" >/dev/null || { echo "$file names docs/$name, which is not there"; bad=1; }
done < <(git grep -oE 'adr/[0-9]{4}[a-z0-9-]*(\.md)?' -- '*.md' '*.[ch]' '*.def' '*.sh' '*.py' '*.js' '*.yaml' Makefile)
exit "$bad"
