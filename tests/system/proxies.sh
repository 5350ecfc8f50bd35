#!/bin/bash
# The settings of docs/examples for nginx and Caddy, as they stand there but for names and addresses:
# a game's calls, a stream and a long poll through each, over TCP and over a unix socket. An event
# arrives when it happens, secrets are not compressed, and the rate goes by the client's address.
. "$(dirname "$0")/lib.sh"

PATH=$PATH:/usr/sbin
found=
for one in nginx caddy; do command -v "$one" >/dev/null && found="$found $one"; done
[ -n "$found" ] || { echo "neither nginx nor caddy is installed"; exit 77; }
command -v curl >/dev/null && command -v jq >/dev/null || { echo "jq or curl is missing"; exit 77; }

json='Content-Type: application/json'
proxy_pid=
trap '[ -z "$proxy_pid" ] || kill "$proxy_pid" 2>/dev/null; kill $(jobs -p) 2>/dev/null; leave' EXIT

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
now_ms() { date +%s%3N; }

# Starts a proxy in front of that address; its own is in $front.
run_proxy() { # nginx|caddy, HOST:PORT or a socket's path
    local way=$1 to=$2 at
    at=127.0.0.1:$(free_port)
    front=http://$at
    case $way in
    nginx)
        [[ $to != /* ]] || to=unix:$to
        mkdir -p "$work/nginx"
        sed -e "s|127.0.0.1:8480|$to|" -e "s|listen 80;|listen $at;|" docs/examples/nginx.conf >"$work/nginx/site.conf"
        {
            [ "$(id -u)" -ne 0 ] || echo 'user root;' # the socket is the daemon's own
            printf 'daemon off;\npid %s/pid;\nevents {}\nhttp {\n' "$work/nginx"
            for one in client_body proxy fastcgi uwsgi scgi; do echo "${one}_temp_path $work/nginx/$one;"; done
            printf 'access_log off;\ninclude %s/site.conf;\n}\n' "$work/nginx"
        } >"$work/nginx/nginx.conf"
        nginx -p "$work/nginx" -c "$work/nginx/nginx.conf" -e "$work/proxy.log" & ;;
    caddy)
        [[ $to != /* ]] || to=unix/$to
        {
            printf '{\n\tadmin off\n\tauto_https off\n}\n'
            sed -e "s|127.0.0.1:8480|$to|" -e "s|^games.example|$front|" docs/examples/Caddyfile
        } >"$work/Caddyfile"
        HOME=$work XDG_DATA_HOME=$work XDG_CONFIG_HOME=$work \
            caddy run --config "$work/Caddyfile" --adapter caddyfile 2>"$work/proxy.log" & ;;
    esac
    proxy_pid=$!
    for _ in $(seq 200); do
        ! curl -s -f -o "$work/none" "$front/healthz" || return 0
        kill -0 "$proxy_pid" 2>/dev/null || break
        sleep 0.05
    done
    cat "$work/proxy.log" >&2
    fail "$way does not answer"
}

end_proxy() {
    kill "$proxy_pid"
    wait "$proxy_pid" 2>/dev/null
    proxy_pid=
}

post() { # path credential [body]
    curl -sS -f -X POST "$front/v1/games/$1" -H "Authorization: Bearer $2" -H "$json" ${3:+-d "$3"}
}

step() { # the first legal move of whoever is to act; the time it was answered into $moved, its seq into $seq
    local mover answer
    mover=$(curl -sS -f "$front/v1/games/$id" | jq -r '.to_act[0]')
    answer=$(post "$id/moves" "${cred[$mover]}" "$(curl -sS -f "$front/v1/games/$id/moves" \
        -H "Authorization: Bearer ${cred[$mover]}" | jq -c '{move: .moves[0]}')") || fail "$name: a move is refused"
    moved=$(now_ms)
    seq=$(jq -r .seq <<<"$answer")
}

# Waits until a file has the line, and says how many ms after the move that was.
arrives() { # file, pattern, what
    for _ in $(seq 100); do
        if grep -q "$2" "$1"; then
            late=$(($(now_ms) - moved))
            [ "$late" -lt 1500 ] || fail "$name: $3 came $late ms after the move"
            return 0
        fi
        sleep 0.02
    done
    fail "$name: $3 does not come"
}

games() {
    local game seat n stream poll
    declare -gA cred=()
    game=$(curl -sS -f "$front/v1/games" -H "$json" -d '{"ruleset":"engarde"}') || fail "$name: no game"
    id=$(jq -r .id <<<"$game")
    for seat in left right; do
        cred[$seat]=$(post "$id/seats/$seat" "$(jq -r ".seats.$seat.invite" <<<"$game")" | jq -r .credential)
    done

    # A stream, and moves that must be seen in it at once.
    curl -sS -N -H 'Accept: text/event-stream' -H "Authorization: Bearer ${cred[left]}" \
        "$front/v1/games/$id/events?after=0" >"$work/stream" &
    stream=$!
    for n in 1 2 3; do
        step
        arrives "$work/stream" "^id: *$seq\$" "an event of the stream"
    done
    kill "$stream"
    wait "$stream" 2>/dev/null

    # A long poll is held, and answered by the move.
    : >"$work/poll"
    curl -sS "$front/v1/games/$id/events?after=$seq&wait=30" -H "Authorization: Bearer ${cred[right]}" >"$work/poll" &
    poll=$!
    sleep 1
    [ ! -s "$work/poll" ] || fail "$name: the long poll did not wait"
    step
    arrives "$work/poll" "\"seq\":$seq" "the answer of the long poll"
    wait "$poll" || fail "$name: the long poll failed"

    # What makes requests conditional and safe to repeat comes through.
    [ "$(curl -sS -o "$work/none" -w '%{http_code}' -X POST "$front/v1/games/$id/resign" -H "$json" \
        -H "Authorization: Bearer ${cred[left]}" -H 'If-Match: "1"')" = 412 ] || fail "$name: If-Match is lost"
    for n in 1 2; do
        curl -sS -f "$front/v1/games" -H "$json" -H "Idempotency-Key: $id-once-and-for-all" -d '{"ruleset":"engarde"}' >"$work/kept.$n"
    done
    cmp -s "$work/kept.1" "$work/kept.2" || fail "$name: Idempotency-Key is lost"
}

packing() {
    local etag
    zipped() { curl -sS -D - -o "$work/body" -H 'Accept-Encoding: gzip' "$@" | grep -qi '^content-encoding: *gzip'; }
    zipped "$front/web/app.js" || fail "$name: /web/ is not compressed"
    gzip -dc "$work/body" | cmp -s - api/web/app.js || fail "$name: /web/app.js is another"
    etag=$(curl -sS -D - -o "$work/none" -H 'Accept-Encoding: gzip' "$front/web/app.js" | tr -d '\r' | sed -nE 's/^etag: *//Ip')
    [ "$(curl -sS -o "$work/none" -w '%{http_code}' -H 'Accept-Encoding: gzip' -H "If-None-Match: $etag" "$front/web/app.js")" = 304 ] ||
        fail "$name: $etag is not known again"
    ! zipped "$front/v1/games/$id" -H "Authorization: Bearer ${cred[left]}" || fail "$name: a view is compressed"
    ! zipped "$front/v1/games" -H "$json" -d '{"ruleset":"engarde"}' || fail "$name: credentials are compressed"
}

# 127.0.0.2 is refused in the end, whatever addresses it makes up; 127.0.0.3 is not.
addresses() {
    local n
    for n in $(seq 60); do
        [ "$n" = 1 ] || echo next
        printf 'url = "%s/v1"\noutput = "%s"\ninterface = "127.0.0.2"\nwrite-out = "%%{http_code}\\n"\n' "$front" "$work/none"
        printf 'header = "X-Forwarded-For: 192.0.2.%d"\n' "$n"
    done >"$work/curlrc"
    curl -sS -K "$work/curlrc" >"$work/codes"
    grep -q 200 "$work/codes" && grep -q 429 "$work/codes" || fail "$name: no limit for an address that makes up others"
    [ "$(curl -sS -o "$work/none" -w '%{http_code}' --interface 127.0.0.3 "$front/v1")" = 200 ] ||
        fail "$name: all clients have one address"
}

for way in $found; do
    start --listen "unix:$work/socket" --trust-proxy on
    for to in "$address" "$work/socket"; do
        name="$way, ${to%%/*}"
        [[ $to != /* ]] || name="$way, unix socket"
        run_proxy "$way" "$to"
        games
        packing
        end_proxy
    done
    stop
    for to in tcp unix; do # each a daemon of its own, whose addresses have asked for nothing yet
        start --listen "unix:$work/socket" --trust-proxy on --rate 1 --rate-burst 10
        name="$way, rate, $to"
        [ $to = unix ] && run_proxy "$way" "$work/socket" || run_proxy "$way" "$address"
        addresses
        end_proxy
        stop
    done
done
echo "through$found: calls, streams and long polls, over TCP and a unix socket"
