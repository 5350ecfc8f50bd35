# A PostgreSQL of one's own, for tests; sourced after lib.sh. It has its folder in $work, listens
# on a socket there and nowhere else, and goes with the test. $database is its address.
#
# PostgreSQL refuses to run as root: then it runs as nobody.
pg_bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)
pg_home=$work/pg
database="postgresql://refereed:s3cr3t@/games?host=$pg_home"
pg_pid=

[ -x "${pg_bin:-}/initdb" ] || { echo "there is no PostgreSQL on this machine"; exit 77; }

pg_as() {
    if [ "$(id -u)" -eq 0 ]; then
        setpriv --reuid 65534 --regid 65534 --clear-groups env HOME="$pg_home" "$@"
    else
        "$@"
    fi
}

pg_make() {
    mkdir -p "$pg_home"
    chmod 711 "$work"
    [ "$(id -u)" -ne 0 ] || chown 65534:65534 "$pg_home"
    (cd "$pg_home" && pg_as "$pg_bin/initdb" -D "$pg_home/data" -U refereed -A trust -N \
        --no-locale -E UTF8 >"$work/initdb.log" 2>&1) || fail "initdb: $(tail -n 3 "$work/initdb.log")"
    pg_start
    pg_sql postgres -c 'CREATE DATABASE games' >/dev/null || fail "no database"
}

pg_start() {
    (cd "$pg_home" && exec_as_postgres) &
    pg_pid=$!
    for _ in $(seq 500); do
        "$pg_bin/pg_isready" -q -h "$pg_home" && return
        sleep 0.02
    done
    fail "PostgreSQL did not start: $(tail -n 3 "$work/pg.log")"
}

exec_as_postgres() {
    set -- "$pg_bin/postgres" -D "$pg_home/data" -k "$pg_home" -c listen_addresses= -c fsync=off \
        -c max_connections=60 -c deadlock_timeout=100ms
    if [ "$(id -u)" -eq 0 ]; then
        exec setpriv --reuid 65534 --regid 65534 --clear-groups env HOME="$pg_home" "$@" \
            >>"$work/pg.log" 2>&1
    fi
    exec "$@" >>"$work/pg.log" 2>&1
}

# Fast by default (INT); QUIT: at once, as if the machine had gone.
pg_stop() {
    [ -n "$pg_pid" ] || return 0
    kill "-${1:-INT}" "$pg_pid" 2>/dev/null
    wait "$pg_pid" 2>/dev/null
    pg_pid=
}

pg_sql() { # database, further arguments of psql
    "$pg_bin/psql" -X -q -A -t -h "$pg_home" -U refereed -d "$@"
}
