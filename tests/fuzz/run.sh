#!/bin/bash
# Fuzzes every target for FUZZ_SECONDS (default 90) under ASan and UBSan.
#
#   B=BUILD FUZZ_SECONDS=90 tests/fuzz/run.sh [TARGET...]
#
# Inputs that are worth keeping stand in tests/fuzz/corpus/TARGET; what a run finds goes on in the
# build folder. A crash leaves its input there, named in the output: put it into the corpus.
set -eu
cd "$(dirname "$0")/../.."
B=${B:-build}/fuzz
seconds=${FUZZ_SECONDS:-90}
flags='-std=c17 -g -O1 -I. -D_GNU_SOURCE -DREFEREED_VERSION="fuzz" -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all'
targets=${*:-$(basename -a tests/fuzz/fuzz_*.c | sed 's/^fuzz_//; s/\.c$//')}
bad=0

mkdir -p "$B"
for target in $targets; do
    sources=$(ls rules/*.c rules/*/*.c) libraries=
    # The rules alone need nothing; everything else is above api/.
    if [ "$target" != play ]; then
        sources="$sources $(ls api/*.c)" libraries='-ljansson -lsodium -lpthread'
        python3 api/embed.py openapi docs/openapi.yaml >"$B/openapi.c"
        python3 api/embed.py web api/web >"$B/web.c"
        sources="$sources $B/openapi.c $B/web.c"
    fi
    case $target in
    request) sources="$sources tests/support/memory.c" ;;
    open | row) sources="$sources tests/support/memory.c tests/support/client.c tests/support/army.c \
        tests/support/twice.c tests/support/records.c" libraries="$libraries -lcmocka" ;;
    framing) sources=daemon/framing.c libraries= ;;
    esac
    # shellcheck disable=SC2086
    clang $flags $sources "tests/fuzz/fuzz_$target.c" $libraries -o "$B/fuzz_$target"
    mkdir -p "$B/found/$target" "tests/fuzz/corpus/$target"
    dictionary=
    [ ! -e "tests/fuzz/$target.dict" ] || dictionary="-dict=tests/fuzz/$target.dict"
    echo "== $target, $seconds s"
    "$B/fuzz_$target" -max_total_time="$seconds" -max_len=8192 -timeout=10 -print_final_stats=1 \
        -artifact_prefix="$B/crash-$target-" $dictionary "$B/found/$target" "tests/fuzz/corpus/$target" \
        >"$B/$target.log" 2>&1 || { bad=1; tail -n 30 "$B/$target.log"; }
    grep -E '^stat::number_of_executed_units|^Done' "$B/$target.log" || true
done
exit "$bad"
