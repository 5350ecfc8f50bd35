#!/bin/bash
# Every input of every fuzz target's corpus, as this build was built: what was found once stays
# found. `make fuzz` looks for more.
. "$(dirname "$0")/lib.sh"

targets=0
for source in tests/fuzz/fuzz_*.c; do
    target=$(basename "$source" .c)
    corpus=tests/fuzz/corpus/${target#fuzz_}
    [ -d "$corpus" ] || fail "$target has no corpus"
    "$B/tests/fuzz/$target" "$corpus" >"$work/said" 2>"$work/why" ||
        { tail -n 5 "$work/why"; fail "$target: $(grep -a "^$corpus/" "$work/why" | tail -n 1)"; }
    targets=$((targets + 1))
done
size=$(du -sk --apparent-size tests/fuzz/corpus | cut -f 1)
[ "$size" -le 1024 ] || fail "the corpora take $size KiB: keep them small"
echo "$targets fuzz targets and their corpora, $size KiB"
