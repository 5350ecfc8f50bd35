#!/bin/bash
# The tests of the store against a real PostgreSQL.
. "$(dirname "$0")/lib.sh"
. tests/support/postgres.sh

pg_make
export REFEREED_TEST_DATABASE=$database PATH="$pg_bin:$PATH"
"$B/tests/unit/daemon/test_store" >"$work/out" 2>&1 ||
    fail "$(grep -vE 'RUN|  OK' "$work/out"; grep -E 'ERROR|PANIC' "$work/pg.log" | tail -n 5)"
pg_stop
grep -aE 'PASSED' "$work/out"
