#!/bin/bash
# `refereed check-config`: every value with its origin, every mistake with its place, no password.
. "$(dirname "$0")/lib.sh"
unset $(compgen -e REFEREED_) STATE_DIRECTORY JOURNAL_STREAM

has() { # file line
    grep -qxF -- "$2" "$1" || fail "it does not say \"$2\": $(cat "$1")"
}

review() { # exit code, arguments
    local code=$1
    shift
    "$B/refereed" check-config "$@" >"$work/out" 2>"$work/err"
    local was=$?
    [ "$was" -eq "$code" ] || fail "$*: exit $was: $(cat "$work/err")"
}

# Each setting has its row, and each row its origin.
conf=$work/good.conf
printf '# a remark\nrate = 7\nthreads = 3\nlisten = 127.0.0.1:1\nlisten = unix:/run/x\n' >"$conf"
REFEREED_THREADS=4 STATE_DIRECTORY=/var/lib/x review 0 --config "$conf" --log-level debug
sed -E 's/ +/ /g' "$work/out" >"$work/rows"
has "$work/rows" "rate = 7 ($conf:2)"
has "$work/rows" "threads = 4 (environment)"
has "$work/rows" "listen = 127.0.0.1:1 ($conf:4)"
has "$work/rows" "listen = unix:/run/x ($conf:5)"
has "$work/rows" "log_level = debug (flag)"
has "$work/rows" "state = /var/lib/x (environment)"
has "$work/rows" "body_timeout = 20 (default)"
has "$work/rows" "tls_cert = (none)"
diff <(sed -nE 's/^(LIST|TEXT|SWITCH|NUMBER|WORD)\(([a-z_]+),.*/\2/p' daemon/config.def) \
    <(cut -d ' ' -f 1 "$work/rows" | uniq) || fail "rows and settings differ"
[ ! -s "$work/err" ] || fail "mistakes where there are none: $(cat "$work/err")"

# All mistakes, each on its line, where it was made.
conf=$work/bad.conf
printf 'rate = many\nspeed = 3\nlisten = here\ntls_cert = /nonexistent\nno value\nthreads=0\n' >"$conf"
REFEREED_MAX_GAMES=none review 2 --config "$conf" --nonsense=1 --store mysql://u:hush@x
cut -d ' ' -f 2- "$work/err" >"$work/rows"
has "$work/rows" "$conf:1: rate: must be a number from 0 to 1000000"
has "$work/rows" "$conf:2: no such key"
has "$work/rows" "$conf:3: listen: here: is not HOST:PORT, [::1]:PORT or unix:PATH"
has "$work/rows" "$conf:4: tls_cert: needs tls_key, and the other way round"
has "$work/rows" "$conf:4: tls_cert: /nonexistent: No such file or directory"
has "$work/rows" "$conf:5: is not \`key = value\`"
has "$work/rows" "$conf:6: threads: must be a number from 1 to 64"
has "$work/rows" "environment: max_games: must be a number from 1 to 100000000"
has "$work/rows" "--nonsense: no such flag; see --help"
has "$work/rows" "store: only sqlite: and postgresql://... are known"
[ "$(wc -l <"$work/err")" -eq 10 ] || fail "not one line each: $(cat "$work/err")"
review 2 --config /nonexistent/file
has "$work/err" "refereed: /nonexistent/file: No such file or directory"

# No password, whatever the address looks like.
for url in postgresql://u:hush@h/d 'postgresql://h/d?password=hush' 'postgresql://h/d?password=a@hush' \
    'postgresql://u:a?hush@h/d' 'postgresql://u:a/hush@h/d' postgresql://u:x@hush@h/d \
    postgresql://u:hush/d postgres://u:hush postgresql:hush 'postgresql:///d?pass%77ord=hush' \
    'postgresql://u@h/d?password=hush' 'postgresql://u@[::1]:5/d?sslpassword=hush&x=@'; do
    REFEREED_STORE=$url "$B/refereed" check-config >"$work/out" 2>&1
    ! grep -q hush "$work/out" || fail "$url: $(grep hush "$work/out")"
    ! { "$B/refereed" check-config "$url" --stor="$url" "--store=$url"; } 2>&1 | grep hush ||
        fail "$url: is shown"
done
for url in sqlite: postgresql://u@h:5432,g:1/d postgresql:///d 'postgresql://[::1]:5/d' postgresql://h:5/d; do
    review 0 "--store=$url"
    grep -q "^store *= $(sed 's/[][]/\\&/g' <<<"$url")  (flag)" "$work/out" || fail "$url: $(grep ^store "$work/out")"
done
echo "every value has its origin, every mistake its place, no password is shown"
