#!/bin/sh
# The layers (docs/architecture.md): what each may include, call and hold. Allow-lists, not ban
# lists: a new header or function is news. B is the build folder with librules.a and libapi.a.
set -u
cd "$(dirname "$0")/../.." || exit 1
B=${B:-build}
bad=0

say() {
    printf '%s\n' "$*"
    bad=1
}

includes() { # what, allowed regex, files...
    what=$1 allowed=$2
    shift 2
    [ -e "$1" ] || return 0
    found=$(grep -HnE '^[[:space:]]*#[[:space:]]*include' "$@" | grep -vE "[<\"]($allowed)[>\"]")
    [ -z "$found" ] || say "$what may not include:
$found"
}

calls() { # archive, allowed regex
    [ -e "$B/$1" ] || { say "$B/$1 is not built"; return; }
    # Sanitizers and coverage bring calls and data of their own; the plain build is what counts.
    if nm -u "$B/$1" 2>/dev/null | grep -qE '__(asan|ubsan|tsan|gcov|llvm_profile)_'; then
        echo "$1 is instrumented: its calls and data are not judged"
        return
    fi
    own=$(nm --defined-only -g "$B/$1" 2>/dev/null | awk 'NF == 3 {print $3}' | sort -u)
    found=$(nm -u "$B/$1" 2>/dev/null | awk '$1 == "U" || $1 == "w" {print $2}' | sort -u |
        grep -vxE "$2" | grep -vxF "$own")
    [ -z "$found" ] || say "$1 may not call:
$found"
    # Under PIE constant tables with pointers lie in .data.rel.ro, which nobody can write to.
    n=$(size -A -d "$B/$1" | awk '$1 ~ /^\.(data|bss|tdata|tbss)(\.|$)/ && $1 !~ /rel\.ro/ {n += $2}
        END {print n + 0}')
    [ "$n" -eq 0 ] || say "$1 holds $n bytes of mutable globals:
$(objdump -t "$B/$1" | awk '$0 ~ /\.(data|bss|tdata|tbss)[[:space:].]/ && $0 !~ /rel\.ro/ && $3 == "O" || /file format/ && $1 ~ /\.o:/ {
        if ($3 == "O") print object, $NF; else object = $1}')"
}

compiler='__stack_chk_fail|_GLOBAL_OFFSET_TABLE_|__assert_fail|bcmp|mem(cpy|move|set|cmp)|__mem[a-z]+_chk'
c11='(assert|stdbool|stddef|stdint|string)\.h'
libc='(assert|ctype|errno|inttypes|limits|stdalign|stdarg|stdbool|stddef|stdint|stdio|stdlib|string|strings|stdatomic|pthread|threads)\.h'

# rules/: nothing but itself. A game knows ruleset.h, bits.h, the common refusals and its own folder.
includes rules/ "$c11|rules/[a-z_0-9]+\.(h|def)" rules/*.[ch]
for dir in rules/*/; do
    game=$(basename "$dir")
    includes "$dir" "$c11|rules/ruleset\.h|rules/bits\.h|rules/refusals\.def|rules/$game/[a-z_0-9]+\.(h|def)" "$dir"*.[ch]
done
calls librules.a "$compiler"

# api/: no sockets, files, clock or chance; a game's own header only in its codec and notation.
for f in api/*.[ch]; do
    case $f in
    api/codec_* | api/notation_*) game=$(basename "$f" | sed 's/^[a-z]*_\([a-z]*\).*/\1/')
        includes "$f" "$libc|jansson\.h|sodium\.h|(api|rules|gen)/[a-z_0-9]+\.(h|def)|rules/$game/[a-z_0-9]+\.(h|def)" "$f" ;;
    *) includes "$f" "$libc|jansson\.h|sodium\.h|(api|rules|gen)/[a-z_0-9]+\.(h|def)" "$f" ;;
    esac
done
heap='mem(chr|rchr|mem)|malloc|calloc|realloc|free|str(n?dup|[a-z_]+)|abort|qsort|bsearch'
text='__isoc(99|23)_(strto[a-z]+|v?sscanf)|v?sn?printf|__v?sn?printf_chk|__errno_location'
text="$text|__ctype_(b|tolower|toupper)_loc|is[a-z]+|to(lower|upper)"
locks='pthread_(mutex|rwlock|cond|once|mutexattr)[a-z_]*|(mtx|cnd)_[a-z]+|call_once'
libs='jsonp?_[a-z_0-9]+|crypto_[a-z_0-9]+|sodium_[a-z_0-9]+'
games=$(sed -n 's/^GAME(\(.*\))$/\1/p' rules/games.def | paste -sd '|')
below="($games)_[a-z_0-9]+|rulesets?|ruleset_[a-z]+|match_[a-z]+|reason_word|effects_add"
calls libapi.a "$compiler|$heap|$text|$locks|$libs|$below"

# daemon/: each foreign library has one home, and so have the clock and chance.
only() { # regex, what, home regex, files...
    pattern=$1 what=$2 home=$3
    shift 3
    [ -e "$1" ] || return 0
    found=$(grep -HnE "$pattern" "$@" | grep -vE "^daemon/($home)[a-z_]*\.[ch]:" |
        grep -vE ':[[:space:]]*(/\*|\*|//)')
    [ -z "$found" ] || say "$what belongs to daemon/$home alone:
$found"
}
only 'include.*microhttpd\.h' microhttpd 'http' daemon/*.[ch]
only 'include.*sqlite3\.h' sqlite3 'store_sqlite' daemon/*.[ch]
only 'include.*libpq-fe\.h' libpq 'store_postgres' daemon/*.[ch]
only '\b(clock_gettime|gettimeofday|time)\(' 'the clock' 'clock' daemon/*.[ch]
only '\b(randombytes[a-z_]*|getrandom|getentropy|rand|random)\(' 'chance' 'entropy' daemon/*.[ch]
only 'include.*rules/[a-z]+/' 'a game' 'none' daemon/*.[ch]

# jansson's own reader cannot be trusted when memory runs out (docs/adr/0020-a-reader-of-json.md).
found=$(grep -HnE '\bjson_load[a-z]*\(' api/*.[ch] daemon/*.[ch] | grep -vE ':[[:space:]]*(/\*|\*|//)')
[ -z "$found" ] || say "json_read() reads JSON, and nothing else:
$found"

exit "$bad"
