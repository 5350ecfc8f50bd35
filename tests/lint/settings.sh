#!/bin/bash
# Settings, commands and their documents are the same everywhere: each row of daemon/config.def is in
# `refereed --help`, refereed(8), refereed.conf(5), the sample systemd/refereed.conf and
# docs/operations.md, and nothing is promised there that does not exist. In the sample the value is
# the preset. B is the build folder (default build).
set -u
cd "$(dirname "$0")/../.." || exit 1
B=${B:-build}
[ -e daemon/config.def ] || { echo "there is no daemon/config.def yet"; exit 77; }
[ -x "$B/refereed" ] || { echo "there is no $B/refereed: make all"; exit 1; }
ops=docs/operations.md page=docs/man/refereed.8 conf=docs/man/refereed.conf.5 sample=systemd/refereed.conf
bad=0

# What the program has and a document tells must be the same lines.
same() { # what, where, has, tells
    local differ
    differ=$(diff <(sort -u <<<"$3") <(sort -u <<<"$4") |
        sed -n "s|^< \(.*\)|$1 \1 is not in $2|p; s|^> \(.*\)|$2 tells of $1 \1, which does not exist|p")
    [ -z "$differ" ] || { echo "$differ"; bad=1; }
}
flags() { tr '_' '-' | sed 's/^/--/'; }

keys=$(sed -nE 's/^(LIST|TEXT|SWITCH|NUMBER|WORD)\(([a-z_]+),.*/\2/p' daemon/config.def)
[ -n "$keys" ] || { echo "daemon/config.def has no rows"; exit 1; }
# flags and commands that are no settings, from the tables of the program
own=$(sed -nE 's/.*read_own\("--([a-z-]+)".*/\1/p' daemon/config.c)
commands=$(grep -oE '\{"[a-z-]+", COMMAND_' daemon/config.c | cut -d'"' -f2 | sed 's/^--//')
[ -n "$own" ] && [ -n "$commands" ] || { echo "daemon/config.c has no commands"; exit 1; }
all=$(printf '%s\n' "$keys" | flags; printf '%s\n' $own config help version | flags)
verbs=$(grep -vxE 'help|version' <<<"$commands")

help=$("$B/refereed" --help)
same flag "refereed --help" "$all" "$(grep -oE -- '(^|[^a-z-])--[a-z][a-z-]+' <<<"$help" | grep -oE -- '--.*')"
same command "refereed --help" "$verbs" "$(grep -oE 'refereed \[?[a-z][a-z-]+' <<<"$help" | sed 's/.* \[\?//')"

same flag $page "$all" "$(grep -oE 'Fl -[a-z][a-z-]+( \| -version)?' $page | grep -oE -- '-[a-z][a-z-]+' | sed 's/^/-/')"
same setting "$page, FLAGS," "$(flags <<<"$keys"; echo --config)" \
    "$(sed -n '/^.Sh FLAGS/,/^.Sh SIGNALS/s/^\.It Fl -\([a-z-]*\).*/--\1/p' $page)"
same command $page "$verbs" "$(sed -n '/^.Sh DESCRIPTION/,/^.Sh FLAGS/s/^\.It Cm //p' $page)"

same key $conf "$keys" "$(sed -nE '/^\.Sh EXAMPLES/q; s/^\.It (Ic.*)/\1/p' $conf | grep -oE 'Ic [a-z_]+' | sed 's/Ic //')"
same key $sample "$keys" "$(sed -nE 's/^#([a-z_]+) = .*/\1/p' $sample)"

told=$(grep '^| `--' $ops | cut -d'|' -f2 | grep -oE -- '--[a-z-]+' | grep -vxE -- '--(help|version)')
same flag "$ops, Settings," "$(flags <<<"$keys")" "$told"
same command $ops "$verbs" "$(grep '^| `refereed' $ops | cut -d'|' -f2 | grep -oE '`refereed [a-z][a-z-]+' | sed 's/.* //')"
# anywhere else in it: a flag that somebody may copy
same flag "$ops, elsewhere," "$all" "$(
    { grep -E '^    .*refereed |`refereed' $ops | grep -oE 'refereed [^|`]*' | grep -oE -- ' --[a-z][a-z-]+' | tr -d ' '
    grep -oE '`--[a-z][a-z-]+' $ops | tr -d '`'
    printf '%s\n' "$all"; } | grep .)"

# presets: TEXT and WORD without one, and lists without one, show an example
while IFS='|' read -r key preset; do
    grep -qxF "#$key = $preset" $sample || { echo "$sample: $key is not shown with its preset, $preset"; bad=1; }
    sed -n "/^\.It .*Ic $key No/,/^\.It\|^\.El/p" $conf | grep -qE "^Default: ${preset//./\\.}([.,; ]|$)" ||
        { echo "$conf: the default of $key is not $preset"; bad=1; }
done < <(sed -nE 's/^(LIST|TEXT|SWITCH|WORD)\(([a-z_]+), *"([^"]*)".*/\2|\3/p; s/^NUMBER\(([a-z_]+), *([0-9]+),.*/\1|\2/p' daemon/config.def)

if command -v mandoc >/dev/null; then
    said=$(mandoc -Tlint -Wwarning $page $conf) || { echo "$said"; bad=1; }
fi
exit $bad
