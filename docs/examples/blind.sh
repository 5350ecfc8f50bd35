#!/bin/bash
# Stratego in players' custody from a shell: the faces stay in a file of yours. The referee gets
# commitments, and an opening only when a combat, a long move or a claim asks for it.
# Needs bash, curl, jq and coreutils (b2sum, od, base64); README.md beside it shows a game.
#
# Nothing secret is ever an argument of another program, where every user of the machine could
# read it: it goes through pipes and bash's own printf.
set -euo pipefail

usage() {
    cat <<'END'
usage: blind.sh COMMAND

  keep SETUP.json   draw a secret; keep it with faces and nonces in BLIND_FILE
  commitments       print the commitments to them, by slot
  setup             send these commitments
  pieces            what you have left, by the square it stands on now
  opening SQUARE    print the opening of your piece that stands there now
  move FROM TO      play; the piece is opened to the referee if it attacks or goes far
  defend            open what was attacked; after a claim, all that you have left
  claim             say that the game is at an end that only open pieces show; opens all of yours
  resign            give up
  audit             send the secret, once the last move is made: no audit, no win
  check             recompute the published commitments, and all openings that you were shown

  BLIND_GAME             the game's address, http://HOST/v1/games/ID; `keep` keeps it
  BLIND_FILE             what `keep` keeps (blind.json)
  BLIND_CREDENTIAL       your seat's credential, or
  BLIND_CREDENTIAL_FILE  a file with it (blind.credential)

BLIND_FILE is the only place where your faces are. Whoever loses it can open nothing more and
cannot audit: he loses the game. Whoever else reads it sees your pieces.
END
}

kept=${BLIND_FILE:-blind.json}
credential=${BLIND_CREDENTIAL:-}
unset BLIND_CREDENTIAL

die() {
    printf 'blind.sh: %s\n' "$*" >&2
    exit 1
}

# Hashes: docs/protocol.md. Bytes are written in hex.

bytes() { # hex
    local i text=
    for ((i = 0; i < ${#1}; i += 2)); do text+="\\x${1:i:2}"; done
    printf '%b' "$text"
}

unbytes() { # stdin to hex
    od -An -v -tx1 | tr -d ' \n'
}

# The hashes of lines of tag and hex on stdin, by one b2sum for all.
hashes() {
    local tag text fd files=()
    while read -r tag text; do
        exec {fd}< <(printf '%s' "$tag"; bytes "$text")
        files+=("/dev/fd/$fd")
    done
    [ ${#files[@]} -eq 0 ] || b2sum -l 256 "${files[@]}" | cut -d ' ' -f 1
}

# Such lines.

nonce() { # secret gid slot
    printf 'refereed/nonce/1 %s%s00%02x\n' "$@"
}

commitment() { # gid seat slot rank nonce
    printf 'refereed/piece/1 %s%02x%02x%02x00%s\n' "$@"
}

setup_hash() { # gid seat commitment...
    printf 'refereed/setup/1 %s%02x%02x' "$1" "$2" $(($# - 2))
    printf '%s' "${@:3}" $'\n'
}

gid_of() { # game id
    printf '%s==' "$1" | tr -- '-_' '+/' | base64 -d | unbytes
}

declare -A byte=([red]=0 [blue]=1) # of seats and ranks

# Ranks in the order of their bytes, and how many of each a side has.
ranks_of() { # variant
    local i
    local classic='flag spy scout miner sergeant lieutenant captain major colonel general marshal bomb'
    case $1 in
    marsal-a-spion)
        ranks=(flag spy scout miner gunner corporal cadet captain general marshal mine)
        counts=(1 1 8 6 5 4 3 2 1 1 8) ;;
    classic | isf) read -ra ranks <<<"$classic"; counts=(1 1 8 5 4 4 4 3 2 1 1 6) ;;
    barrage) read -ra ranks <<<"$classic"; counts=(1 1 2 1 0 0 0 0 0 1 1 1) ;;
    duel) read -ra ranks <<<"$classic"; counts=(1 1 2 2 0 0 0 0 0 1 1 2) ;;
    ultimate) read -ra ranks <<<"$classic"; counts=(1 1 4 2 2 2 2 1 1 1 1 2) ;;
    *) die "the variant $1 is not known here" ;;
    esac
    for i in "${!ranks[@]}"; do byte[${ranks[i]}]=$i; done
}

full_set() {
    local i n
    for i in "${!ranks[@]}"; do
        for ((n = 0; n < counts[i]; n++)); do echo "${ranks[i]}"; done
    done
}

# The referee.

# A square's slot: 0 is the side's own left back corner, then row by row.
slot='def slot: (explode[0] - 97) as $x | (.[1:] | tonumber) as $y
    | if $y < 5 then ($y - 1) * 10 + $x else (10 - $y) * 10 + 9 - $x end;'

# What it answers; a body comes on stdin. A problem ends the command.
ask() { # method path
    local answer file=${BLIND_CREDENTIAL_FILE:-blind.credential}
    [ -n "$credential" ] || [ ! -r "$file" ] || read -r credential <"$file" || true
    [[ $credential =~ ^rfs_[A-Za-z0-9_-]{43}$ ]] || die "no credential in BLIND_CREDENTIAL or $file"
    local body=()
    [ "$1" = GET ] || body=(-H 'Content-Type: application/json' --data-binary @-)
    answer=$(curl -sS -X "$1" -w '\n%{http_code}' "${body[@]}" "$url$2" \
        --config <(printf 'header = "Authorization: Bearer %s"\n' "$credential"))
    local status=${answer##*$'\n'}
    answer=${answer%$'\n'*}
    [[ $status == 2?? ]] || die "$(jq -r '"\(.code): \(.detail)"' <<<"$answer" 2>/dev/null || echo "$status")"
    printf '%s\n' "$answer"
}

# Does what the body on stdin says; prints the new status and the events.
act() { # path
    local answer
    answer=$(ask POST "/$1")
    jq -r '.status, (.events[] | del(.prev, .at) | tojson)' <<<"$answer"
}

events() { # all, one a line
    local page after=0 count=500
    while [ "$count" -eq 500 ]; do # at most so many come at once
        page=$(ask GET "/events?after=$after" | jq -r '"\(.events | length) \(.next)", (.events[] | tojson)')
        read -r count after <<<"${page%%$'\n'*}"
        [ "$count" -eq 0 ] || printf '%s\n' "${page#*$'\n'}"
    done
}

# Which piece stands where: {"c5": "red/c4"}, by the square on which it was set up.
board='reduce inputs as $e ({};
    if $e.type == "started" then
        [$e.squares | to_entries[] | .key as $seat | .value[] | {(.): "\($seat)/\(.)"}] | add
    elif $e.type == "moved" or $e.outcome == "defender_lost" then
        .[$e.to] = .[$e.from] | del(.[$e.from])
    elif $e.outcome == "attacker_lost" then del(.[$e.from])
    elif $e.type == "combat" then del(.[$e.from], .[$e.to])
    else . end)'
# From there: the own piece on a square, and all that are left.
mine='$kept[0] as $k | def own: ltrimstr("\($k.seat)/") as $home | $k.pieces[] | select(.square == $home);
    def on($square): [.[$square] // empty | own][0];
    def all: [to_entries[] | .key as $now | .value | own | . + {now: $now}];
    def opening: {slot, face, nonce};'

# Runs a filter on the board as the events tell it.
look() { # jq-arguments... filter
    local all
    all=$(events)
    printf '%s\n' "$all" | jq -cn --slurpfile kept "$kept" "${@:1:$#-1}" "$board | $mine ${*: -1}"
}

opening() { # square
    look --arg at "$1" 'on($at) // ("blind.sh: you have no piece on \($at)\n" | halt_error(1)) | opening'
}

# Commands.

keep() { # set-up
    local view id gid secret seat variant number face nonce rows nonces sums made
    [ ! -e "$kept" ] || die "$kept is there: a game's secret is never overwritten"
    view=$(ask GET "")
    read -r id seat variant < <(jq -r 'select(.custody == "players") | "\(.id) \(.you) \(.variant)"' <<<"$view") ||
        die "that game is not in players' custody"
    [ "$seat" != null ] || die "that credential is no seat's"
    ranks_of "$variant"
    gid=$(gid_of "$id")
    # The referee cannot see a wrong set-up before the audit, and then it is a lost game.
    jq -e --arg seat "$seat" '.pieces | all(keys[]; test("^[a-j]([1-9]|10)$") and
        (.[1:] | tonumber | if $seat == "red" then . < 5 else . > 6 end))' "$1" >/dev/null ||
        die "$1 has a square that is not $seat's"
    [ "$(jq -r '.pieces[]' "$1" | sort)" = "$(full_set | sort)" ] || die "$1 has not the pieces of $variant"
    secret=$(head -c 32 /dev/urandom | unbytes)
    rows=$(jq -r "$slot"' .pieces | to_entries[] | "\(.key | slot) \(.key) \(.value)"' "$1" | sort -n)
    nonces=$(while read -r number _; do
        nonce "$secret" "$gid" "$number"
    done <<<"$rows" | hashes)
    sums=$(while read -r number _ face nonce; do
        commitment "$gid" "${byte[$seat]}" "$number" "${byte[$face]}" "$nonce"
    done < <(paste -d ' ' - <(printf '%s\n' "$nonces") <<<"$rows") | hashes)
    made=$({ printf '%s\n' "$secret"
        paste -d ' ' - <(printf '%s\n' "$nonces") <(printf '%s\n' "$sums") <<<"$rows"
    } | jq -Rn --arg url "$url" --arg game "$id" --arg seat "$seat" --arg variant "$variant" '
        {$game, $url, $seat, $variant, secret: input, pieces: [inputs | split(" ")
            | {slot: (.[0] | tonumber), square: .[1], face: .[2], nonce: .[3], commitment: .[4]}]}')
    jq -e 'all(.secret, .pieces[].nonce, .pieces[].commitment; test("^[0-9a-f]{64}$"))' <<<"$made" >/dev/null ||
        die "the hashes could not be computed"
    (umask 077; set -C; printf '%s\n' "$made" >"$kept") || die "$kept could not be made"
    sync "$kept"
}

commitments() {
    jq -c '{commitments: (reduce .pieces[] as $p ([range(40) | null]; .[$p.slot] = $p.commitment))}' "$kept"
}

move() { # from to
    local body
    # A mine that moves is not seen by the referee either: the audit would find it, and lose.
    body=$(look --arg from "$1" --arg to "$2" '
        def no($why): "blind.sh: \($why)\n" | halt_error(1);
        def far(f): ($from | f) - ($to | f) | . * . > 1;
        (far(explode[0]) or far(.[1:] | tonumber)) as $far
        | (.[$to] // "" | length > 0 and (startswith($k.seat) | not)) as $attack
        | on($from) // no("you have no piece on \($from)")
        | if .face | IN("mine", "bomb", "flag") then no("a \(.face) never moves") else . end
        | if $far and .face != "scout" then no("a \(.face) goes one square") else . end
        | {move: {$from, $to}} + if $far or $attack then {open: opening} else {} end')
    printf '%s\n' "$body" | act moves
}

# Whether the rival waits for an opening is in the events, not only in what the referee says now.
defend() {
    local asked body
    asked=$(events | jq -cn --slurpfile kept "$kept" '
        last(inputs | select(.type | IN("challenge", "combat", "claimed")))
        | select(.type == "challenge" and .seat != $kept[0].seat)')
    [ -n "$asked" ] || die "nothing of yours is to be opened"
    [ "$(jq .claim <<<"$asked")" != true ] || { claim; return; }
    body=$(opening "$(jq -r .to <<<"$asked")")
    printf '{"open":%s}\n' "$body" | act defend
}

claim() {
    local body
    body=$(look '{opens: [all[] | opening]}')
    printf '%s\n' "$body" | act open
}

audit() {
    local view
    view=$(ask GET "")
    [ "$(jq -r .status <<<"$view")" = audit ] || die "the game is not over: the secret stays here"
    jq -c '{secret}' "$kept" | act audit
}

# A row a face: seat, square, slot, face, published commitment, nonce; my own nonces are computed.
check() {
    local all started secret game gid seat square number face published nonce list rows nonces sum bad=0
    all=$(events)
    started=$(grep -F '"type":"started"' <<<"$all") || die "the game has not started"
    read -r secret game < <(jq -r '"\(.secret) \(.game)"' "$kept")
    gid=$(gid_of "$game")
    rows=$(jq -r --slurpfile kept "$kept" --argjson started "$started" -n "$slot"' $kept[0] as $k
        | ($k.pieces[] | [$k.seat, .square, .face]),
          (inputs | .openings // [] | .[] | (.component | split("/")) + [.face, .nonce])
        | . as [$seat, $at, $face, $nonce]
        | $started.commitments[$seat][$started.squares[$seat] | index($at) // 99] as $published
        | "\($seat) \($at) \($at | slot) \($face) \($published) \($nonce // "")"' <<<"$all")
    nonces=$(while read -r _ _ number _ _ nonce; do
        [ -n "$nonce" ] || nonce "$secret" "$gid" "$number"
    done <<<"$rows" | hashes)
    while read -r sum seat square face published; do
        [ "$sum" = "$published" ] || { echo "$seat/$square: $face is not what was committed to"; bad=1; }
    done < <(paste -d ' ' <(while read -r seat _ number face _ nonce; do
        commitment "$gid" "${byte[$seat]}" "$number" "${byte[$face]}" "$nonce"
    done < <(paste -d ' ' - <(printf '%s\n' "$nonces") <<<"$rows") | hashes) <(cut -d ' ' -f 1,2,4,5 <<<"$rows"))
    while read -r seat published list; do
        # shellcheck disable=SC2086 # one word a commitment
        sum=$(setup_hash "$gid" "${byte[$seat]}" $list | hashes)
        [ "$sum" = "$published" ] || { echo "$seat: the hash of the set-up does not fit"; bad=1; }
    done < <(jq -r '.commitments as $all | .setups | to_entries[]
        | "\(.key) \(.value) \($all[.key] | join(" "))"' <<<"$started")
    [ "$bad" -eq 0 ] || exit 1
    echo "ok: both set-ups, $(wc -l <<<"$rows") faces"
}

# Sourced, it only defines all this.
[ "${BASH_SOURCE[0]}" = "$0" ] || return 0

need() { # how-many of these...
    [ $(($# - 1)) -eq "$1" ] || { usage >&2; exit 2; }
}

squares() { # squares...
    local square
    for square; do [[ $square =~ ^[a-j]([1-9]|10)$ ]] || die "no such square: $square"; done
}

case ${1:-} in
-h | --help | help) usage; exit ;;
keep) need 1 "${@:2}" ;;
opening) need 1 "${@:2}"; squares "${@:2}" ;;
move) need 2 "${@:2}"; squares "${@:2}" ;;
commitments | setup | pieces | defend | claim | resign | audit | check) need 0 "${@:2}" ;;
*) usage >&2; exit 2 ;;
esac
url=
if [ "$1" != keep ]; then
    [ -r "$kept" ] || die "$kept cannot be read: BLIND_FILE says what was kept"
    read -r variant url < <(jq -r '"\(.variant) \(.url // "")"' "$kept")
    ranks_of "$variant"
fi
url=${BLIND_GAME:-$url}
[ -n "$url" ] || die "BLIND_GAME is not set"
case $1 in
setup) commitments | act setup ;;
pieces) look -r 'all | sort_by(.now)[] | "\(.now) \(.face)"' ;;
resign) act resign <<<'{}' ;;
*) "$@" ;;
esac
