#!/bin/bash
# HTTPS by the daemon itself, and SIGHUP: a game, a stream and a long poll over TLS; a certificate that is
# renewed is there for the next connection, while those that are open go on with theirs; origins and log
# level are taken up; what is wrong changes nothing; what needs a restart is said.
. "$(dirname "$0")/lib.sh"
unset $(compgen -e REFEREED_ | grep -v SANDBOX)
for one in openssl curl jq; do
    command -v $one >/dev/null || { echo "$one is missing"; exit 77; }
done
trap 'kill $(jobs -p) 2>/dev/null; leave' EXIT

# An authority of our own for each name, so that a client can tell who it is that answers.
certify() { # name, further arguments
    local name=$1
    shift
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj "/CN=$name" \
        -addext 'subjectAltName=IP:127.0.0.1' -keyout "$work/$name.key" -out "$work/$name.pem" 2>/dev/null ||
        fail "no certificate $name"
}

use() { # certificate, key
    cp "$work/$1" "$work/tls/now.pem"
    cp "$work/$2" "$work/tls/now.key"
}

said() { # a line of the log, after what was said before
    for _ in $(seq 200); do
        tail -n "+$((marked + 1))" "$log" | grep -qF -- "$1" && return
        sleep 0.02
    done
    fail "it does not say \"$1\""
}

hang_up() {
    marked=$(wc -l <"$log")
    kill -HUP "$pid"
}

subject() { # whose certificate a new connection gets
    openssl s_client -connect "$address" </dev/null 2>/dev/null | sed -n 's/^subject=CN = //p'
}

shown() { # to whom
    [ "$(subject)" = "$1" ] || fail "a new connection is shown \"$(subject)\", not $1"
}

call() { # curl's arguments; by the authority in $by
    curl -sS -f --cacert "$work/$by.pem" "$@"
}

allowed() { # origin: what the answer allows
    call -o "$work/none" -D "$work/head" -H "Origin: $1" "https://$address/healthz" || fail "no answer"
    tr -d '\r' <"$work/head" | sed -n 's/^Access-Control-Allow-Origin: //p'
}

mkdir "$work/tls"
certify old
certify new
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=rsa -addext 'subjectAltName=IP:127.0.0.1' \
    -keyout "$work/rsa.key" -out "$work/rsa.pem" 2>/dev/null || fail "no certificate rsa"
conf=$work/refereed.conf
settings() { # further lines
    printf 'tls_cert = %s/tls/now.pem\ntls_key = %s/tls/now.key\n' "$work" "$work" >"$conf"
    [ $# -eq 0 ] || printf '%s\n' "$@" >>"$conf"
}

# What cannot be used is one line and exit 2, at the start and by check-config.
settings
head -c 70000 /dev/zero | tr '\0' x >"$work/large"
echo nothing >"$work/none"
sed 's/^/ /; 3d' "$work/old.pem" >"$work/torn.pem"
openssl ec -in "$work/old.key" -aes256 -passout pass:x -out "$work/locked.key" 2>/dev/null
wrong() { # certificate, key, what is said
    use "$1" "$2"
    "$B/refereed" serve --config "$conf" --state "$work/state" --listen 127.0.0.1:0 >"$work/out" 2>"$work/err"
    [ $? -eq 2 ] || fail "$1, $2: it does not leave with 2"
    [ "$(grep -v ' info: ' "$work/err")" = "refereed: $work/tls/$3" ] || fail "$1, $2: $(cat "$work/err")"
    "$B/refereed" check-config --config "$conf" >"$work/out" 2>"$work/err" </dev/null
    [ $? -eq 2 ] || fail "$1, $2: check-config finds nothing"
    grep -qF "$work/tls/$3" "$work/err" || fail "check-config: $1, $2: $(cat "$work/err")"
}
wrong none old.key "now.pem: holds no certificate in PEM"
wrong torn.pem old.key "now.pem: holds no certificate in PEM"
wrong old.key old.key "now.pem: holds no certificate in PEM"
wrong large old.key "now.pem: is larger than 64 KiB"
wrong old.pem none "now.key: holds no private key in PEM without a password"
wrong old.pem old.pem "now.key: holds no private key in PEM without a password"
wrong old.pem locked.key "now.key: holds no private key in PEM without a password"
wrong old.pem large "now.key: is larger than 64 KiB"
wrong old.pem new.key "now.key: is not the key of the certificate"
wrong old.pem rsa.key "now.key: is not the key of the certificate"

# A game over HTTPS, watched in both ways.
by=old
use old.pem old.key
settings
start --config "$conf"
grep -q "listening on https://$address" "$log" || fail "it does not say https"
"$B/refereed" check-config --config "$conf" >"$work/out" 2>&1 || fail "check-config: $(cat "$work/out")"
shown old
! curl -s -o "$work/none" --cacert "$work/new.pem" "https://$address/healthz" || fail "anybody is believed"
! curl -s -f -o "$work/none" "http://$address/healthz" || fail "it answers without TLS"
json='Content-Type: application/json'
made=$(call "https://$address/v1/games" -H "$json" -d '{"ruleset":"engarde"}') || fail "no game"
id=$(jq -r .id <<<"$made")
declare -A cred
for seat in left right; do
    cred[$seat]=$(call "https://$address/v1/games/$id/seats/$seat" -H "$json" -d '{}' \
        -H "Authorization: Bearer $(jq -r ".seats.$seat.invite" <<<"$made")" | jq -r .credential)
done
step() { # the first legal move
    local mover seq
    mover=$(call "https://$address/v1/games/$id" | jq -r '.to_act[0]')
    call "https://$address/v1/games/$id/moves" -H "$json" -H "Authorization: Bearer ${cred[$mover]}" -d "$(
        call "https://$address/v1/games/$id/moves" -H "Authorization: Bearer ${cred[$mover]}" |
            jq -c '{move: .moves[0]}')" | jq -r .seq
}
stream() { # into this file
    curl -sSN --cacert "$work/$by.pem" "https://$address/v1/games/$id/events" \
        -H 'Accept: text/event-stream' >"$1" 2>&1 &
}
arrives() { # file, seq
    for _ in $(seq 200); do
        grep -qE "^id: ?$2\b" "$1" && return
        sleep 0.02
    done
    fail "event $2 does not come: $(tail -n 3 "$1")"
}
stream "$work/old.events"
streaming=$!
seq=$(step)
arrives "$work/old.events" "$seq"
call "https://$address/v1/games/$id/events?after=$seq&wait=20" >"$work/polled" &
polling=$!
sleep 0.3
seq=$(step)
wait $polling || fail "the long poll fails"
grep -q "\"seq\": *$seq" "$work/polled" || fail "the long poll brings no event: $(cat "$work/polled")"

# A connection that waits in the middle of the renewal, by the former certificate.
exec {asking}<> <(:)
mkfifo "$work/asks"
openssl s_client -quiet -connect "$address" -CAfile "$work/old.pem" -verify_return_error \
    <"$work/asks" >"$work/answers" 2>/dev/null &
exec {asking}>"$work/asks"
ask() { # n: and wait for as many answers
    printf 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n' >&$asking
    for _ in $(seq 200); do
        [ "$(grep -c '^HTTP/1.1 200' "$work/answers")" -lt "$1" ] || return 0
        sleep 0.02
    done
    fail "an open connection is not answered any more"
}
ask 1

# Renewed: for those who come, and only for them.
use new.pem new.key
shown old
hang_up
said reloaded
shown new
by=new
ask 2
seq=$(step)
arrives "$work/old.events" "$seq"
kill -0 $streaming || fail "the renewal ends streams"
use rsa.pem rsa.key
hang_up
said reloaded
shown rsa
use old.pem old.key
hang_up
said reloaded
shown old
by=old
ask 3

# What is wrong changes nothing, neither certificate nor origins nor level.
[ -z "$(allowed https://one.example)" ] || fail "an origin nobody named is allowed"
settings 'cors_origin = https://one.example' 'log_level = error'
for pair in 'new.pem old.key' 'none old.key' 'old.pem none' 'torn.pem old.key'; do
    use $pair
    hang_up
    said 'not reloaded: '
done
rm "$work/tls/now.key"
hang_up
said "not reloaded: $work/tls/now.key: No such file or directory"
use old.pem old.key
settings 'cors_origin = https://one.example' 'log_level = error' 'threads = many'
hang_up
said "not reloaded: $conf:5: threads: must be a number from 1 to 64"
shown old
[ -z "$(allowed https://one.example)" ] || fail "origins of a configuration that was refused"
call -o "$work/none" "https://$address/v1/rulesets" || fail "no rules"
said "/v1/rulesets"

# Origins, the level; and what must wait.
settings 'cors_origin = https://one.example' 'cors_origin = https://two.example' 'threads = 3'
hang_up
said 'threads: holds from the next start on'
said reloaded
[ "$(grep -c 'holds from the next start' "$log")" -eq 1 ] || fail "more is said to wait: $(cat "$log")"
for origin in https://one.example https://two.example; do
    [ "$(allowed $origin)" = $origin ] || fail "$origin is not allowed"
done
settings 'cors_origin = https://two.example' 'log_level = warning'
hang_up
for _ in $(seq 200); do
    [ -n "$(allowed https://one.example)" ] || break
    sleep 0.02
done
[ -z "$(allowed https://one.example)" ] || fail "an origin that was taken away is allowed"
[ "$(allowed https://two.example)" = https://two.example ] || fail "an origin that stayed is not allowed"
marked=$(wc -l <"$log")
call -o "$work/none" "https://$address/v1/rulesets"
[ "$(wc -l <"$log")" -eq "$marked" ] || fail "the level is not taken up: $(tail -n 1 "$log")"
echo 'log_level = warning' >"$conf"
hang_up
said 'tls_cert: holds from the next start on'
said 'tls_key: holds from the next start on'
shown old
ask 4

# Many renewals under load: every call is answered, nothing grows.
settings 'log_level = warning'
files=$(find "/proc/$pid/fd" | wc -l)
for _ in 1 2 3; do
    while [ ! -e "$work/enough" ]; do
        curl -sS -f --cacert <(cat "$work/old.pem" "$work/new.pem") -o "$work/none" "https://$address/healthz" ||
            { echo refused >>"$work/refusals"; break; }
    done &
    callers="${callers:-} $!"
done
for i in $(seq 100); do
    [ $((i % 2)) -eq 0 ] && use old.pem old.key || use new.pem new.key
    kill -HUP "$pid"
    sleep 0.03
done
touch "$work/enough"
wait $callers
[ ! -e "$work/refusals" ] || fail "a call fails while the certificate is renewed"
sleep 0.5
[ "$(find "/proc/$pid/fd" | wc -l)" -le $((files + 4)) ] || fail "descriptors grow"
stop
echo "a game over HTTPS; 100 renewals; ten pairs of files that cannot be used"
