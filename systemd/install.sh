#!/bin/sh
# install.sh install|uninstall: all files of refereed below $DESTDIR. Programs, manuals, units and
# documents go to $prefix (/usr/local), settings to /etc. B is the build folder.
#
# Settings that are there already stay; uninstalling takes them only as they were delivered.
set -eu
cd "$(dirname "$0")/.."
B=${B:-build} DESTDIR=${DESTDIR:-} prefix=${prefix:-/usr/local}
conf=$DESTDIR/etc/refereed/refereed.conf
doc=share/doc/refereed

# A line for each file: mode, source, place below the prefix.
files() {
    echo "755 $B/refereed bin/refereed"
    echo "755 systemd/backup lib/refereed/backup"
    for unit in refereed.service refereed.socket refereed-backup.service refereed-backup.timer; do
        echo "644 systemd/$unit lib/systemd/system/$unit"
    done
    echo "644 docs/man/refereed.8 share/man/man8/refereed.8"
    echo "644 docs/man/refereed.conf.5 share/man/man5/refereed.conf.5"
    echo "644 README.md $doc/README.md"
    echo "644 systemd/refereed.conf $doc/examples/refereed.conf"
    find docs -type f ! -path 'docs/man/*' ! -path 'docs/images/*' | LC_ALL=C sort |
        while read -r file; do
            case $file in
            docs/examples/*) echo "644 $file $doc/${file#docs/}" ;;
            *) echo "644 $file $doc/$file" ;;
            esac
        done
}

# Units, manuals and the script name where the rest of it lies.
put() { # mode source target
    mkdir -p "$(dirname "$3")"
    case $2 in
    systemd/refereed*.* | systemd/backup | docs/man/*)
        sed -E "s%/usr/local/(bin|lib|share)/%$prefix/\1/%g" "$2" >"$3.new"
        chmod "$1" "$3.new"
        mv "$3.new" "$3" ;;
    *) install -m "$1" "$2" "$3" ;;
    esac
}

case ${1:-} in
install)
    files | while read -r mode source target; do
        put "$mode" "$source" "$DESTDIR$prefix/$target"
    done
    if [ ! -e "$conf" ]; then
        put 644 systemd/refereed.conf "$conf"
    elif ! cmp -s systemd/refereed.conf "$conf"; then
        echo "$conf is kept as it is; the new sample lies in $prefix/$doc/examples"
    fi ;;
uninstall)
    if cmp -s "$conf" "$DESTDIR$prefix/$doc/examples/refereed.conf"; then
        rm -f "$conf"
    elif [ -e "$conf" ]; then
        echo "$conf was changed and is kept"
    fi
    files | while read -r mode source target; do
        rm -f "$DESTDIR$prefix/$target"
    done
    rm -rf "${DESTDIR:?}$prefix/$doc"
    rmdir "$DESTDIR$prefix/lib/refereed" "$DESTDIR/etc/refereed" 2>/dev/null || true ;;
*)
    echo "usage: install.sh install|uninstall" >&2
    exit 2 ;;
esac
