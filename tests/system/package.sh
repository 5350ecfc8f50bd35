#!/bin/bash
# `make install` and `make deb`: the package is the same wherever and whenever it is built, lintian
# finds no error in it, and it does what is promised: installed in a layer over this system, with a
# systemd of its own as the first process, one command starts it. There the units are on trial for
# good, box and filters and all: a game, a backup, credentials, reload, a kill, an upgrade, removal, purge.
# Where that cannot be had (root, overlay, cgroup2) it is skipped, and said.
. "$(dirname "$0")/lib.sh"
unset $(compgen -e REFEREED_) STATE_DIRECTORY CREDENTIALS_DIRECTORY

skipped=
skip() { skipped="$skipped; $1"; echo "skipped: $1"; }
have() { command -v "$1" >/dev/null; }
B=$(realpath "$B")

have dpkg-deb && have dpkg-shlibdeps && have curl || { echo "dpkg-dev or curl is missing"; exit 77; }

# ---- make install, make uninstall ----

for prefix in /usr/local /usr /opt/games; do
    to=$work/dest$prefix
    make -s install B="$B" DESTDIR="$work/dest" prefix=$prefix >"$work/out" 2>&1 || fail "install: $(cat "$work/out")"
    [ "$("$to/bin/refereed" --version)" = "$("$B/refereed" --version)" ] || fail "another program was installed"
    grep -qx "ExecStart=$prefix/bin/refereed" "$to/lib/systemd/system/refereed.service" || fail "$prefix: ExecStart is wrong"
    grep -qx "ExecStart=$prefix/lib/refereed/backup" "$to/lib/systemd/system/refereed-backup.service" || fail "$prefix: ExecStart is wrong"
    for file in share/man/man8/refereed.8 share/man/man5/refereed.conf.5 share/doc/refereed/examples/nginx.conf \
        share/doc/refereed/docs/operations.md lib/systemd/system/refereed.socket lib/systemd/system/refereed-backup.timer; do
        [ -s "$to/$file" ] || fail "$prefix: there is no $file"
    done
    [ $prefix = /usr/local ] || ! grep -rlE '/usr/local/(bin|share|lib/r)' "$to/lib" "$to/share/man" | grep . || fail "$prefix: looks for itself in /usr/local"
    "$to/bin/refereed" check-config --config "$work/dest/etc/refereed/refereed.conf" >"$work/out" 2>&1 || fail "the sample has mistakes"
    # settings of the administrator stay, those of the sample go
    [ $prefix != /usr ] || echo 'rate = 7' >>"$work/dest/etc/refereed/refereed.conf"
    make -s install B="$B" DESTDIR="$work/dest" prefix=$prefix >"$work/out" 2>&1 || fail "install over install"
    make -s uninstall B="$B" DESTDIR="$work/dest" prefix=$prefix >"$work/out" 2>&1 || fail "uninstall"
    [ $prefix != /usr ] || grep -qx 'rate = 7' "$work/dest/etc/refereed/refereed.conf" || fail "settings were lost"
    [ $prefix != /usr ] || rm -r "$work/dest/etc/refereed"
    left=$(find "$work/dest" ! -type d -o -name '*refereed*')
    [ -z "$left" ] || fail "uninstall leaves $left"
done
echo "install and uninstall: for three prefixes"

# ---- the package, twice ----

# The same sources in another folder, of other times, under other masks, zones and languages.
mkdir -p "$work/a-longer-name/of-another" && copy="$work/a-longer-name/of-another/folder" && mkdir "$copy"
if [ -e .git ]; then git ls-files -z | xargs -0 cp --parents -t "$copy"
else tar -c --exclude=./build --exclude=./var . | tar -x -C "$copy"; fi
find "$copy" -exec touch -d '2021-03-04 05:06:07' {} +
first=$(make -s deb B="$work/first" 2>"$work/out") || fail "deb: $(tail -n 5 "$work/out")"
ln -s "a-longer-name/of-another/folder" "$work/copy"
second=$(umask 077 && cd "$work/copy" && TZ=Asia/Tokyo LANG=C.UTF-8 make -s deb B=other 2>"$work/out") ||
    fail "deb, elsewhere: $(tail -n 5 "$work/out")"
[ -s "$first" ] && [ -s "$second" ] || fail "there is no package: $first, $second"
if ! cmp -s "$first" "$second"; then
    mkdir "$work/x" "$work/y"
    dpkg-deb -R "$first" "$work/x" && dpkg-deb -R "$second" "$work/y"
    fail "two builds differ: $(diff -rq "$work/x" "$work/y")"
fi
sum=$(sha256sum "$first")
echo "the same twice: ${first##*/} ${sum%% *}"
! strings -n 6 "$work/first/refereed" 2>/dev/null | grep -F "$work" || fail "a path of this machine is in it"

if have lintian; then
    lintian --allow-root --fail-on error "$first" >"$work/out" 2>&1 || fail "lintian: $(cat "$work/out")"
    echo "lintian: no errors, $(grep -c '^W:' "$work/out") warnings"
else
    skip "lintian is not installed"
fi

dpkg-deb -x "$first" "$work/unpacked" || fail "cannot be unpacked"
[ "$("$work/unpacked/usr/bin/refereed" --version)" = "$("$B/refereed" --version)" ] || fail "another version is in it"
dpkg-deb -f "$first" Depends | grep -q 'libsqlite3-0.*libc6\|libc6.*libsqlite3-0' || fail "depends on nothing"
[ "$(dpkg-deb --ctrl-tarfile "$first" | tar -xO ./conffiles)" = /etc/refereed/refereed.conf ] || fail "no settings of its own"

# ---- with a systemd of its own ----

# Run in a mount namespace: makes the layer, goes into a cgroup of its own and becomes systemd.
cat >"$work/boot.sh" <<'B'
set -e
work=$1 deb=$2 fleet=$3
mount --make-rprivate /
mkdir -p "$work/layer" "$work/cgroup"
mount -t tmpfs tmpfs "$work/layer"
mkdir "$work/layer/up" "$work/layer/work" "$work/layer/root"
root=$work/layer/root
mount -t overlay overlay -o "lowerdir=/,upperdir=$work/layer/up,workdir=$work/layer/work" "$root"
cp "$deb" "$root/refereed.deb"
cp "$fleet" "$root/fleet"
mount -t cgroup2 cgroup2 "$work/cgroup"
mkdir "$work/cgroup/refereed-test.$$"
echo $$ >"$work/cgroup/refereed-test.$$/cgroup.procs"
echo "$work/cgroup/refereed-test.$$" >"$work/cgroup-name"
cd "$root"
# nothing of this machine is started but the log
rm -rf etc/systemd/system/* etc/fstab {usr/lib,lib}/systemd/system/{sysinit,basic,local-fs,multi-user,sockets,timers}.target.wants
rm -rf usr/sbin/policy-rc.d var/lib/refereed* var/lib/private/refereed* etc/refereed etc/credstore/refereed*
printf '[Unit]\nWants=systemd-journald.socket sysinit.target\n' >etc/systemd/system/trial.target
exec unshare --pid --fork --kill-child --cgroup --uts --ipc --net bash -ec '
mount -t proc proc proc
mount -t sysfs -o ro sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs run
mount -t tmpfs -o mode=1777 tmpfs tmp
mount -t tmpfs -o mode=755 tmpfs dev
for one in null zero full random urandom tty; do : >dev/$one; mount --bind /dev/$one dev/$one; done
mkdir dev/pts dev/shm old
mount -t devpts -o newinstance,ptmxmode=666 devpts dev/pts
mount -t tmpfs tmpfs dev/shm
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
pivot_root . old
umount -l /old
mount --make-rshared / # or credentials would not be seen
export container=lxc
exec /lib/systemd/systemd --system --unit=trial.target
'
B

boot() {
    [ "$(id -u)" -eq 0 ] && have unshare && have nsenter && [ -x /lib/systemd/systemd ] && have deb-systemd-helper || return 1
    setsid unshare --mount bash "$work/boot.sh" "$work" "$first" "$B/tests/system/fleet" >"$work/boot.log" 2>&1 </dev/null &
    outer=$!
    for _ in $(seq 300); do
        first_process=$(pgrep -P "$outer" | head -n 1)
        [ -z "$first_process" ] || ! inside test -S /run/systemd/private 2>/dev/null ||
            [ "$(inside systemctl is-active trial.target 2>/dev/null)" != active ] || return 0
        kill -0 "$outer" 2>/dev/null || return 1
        sleep 0.1
    done
    return 1
}
inside() { nsenter -t "$first_process" -a env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"; }
end_boot() {
    [ -z "${first_process:-}" ] || kill -9 "$first_process" 2>/dev/null
    [ -z "${outer:-}" ] || { kill -9 "$outer" && wait "$outer"; } 2>/dev/null
    if [ -s "$work/cgroup-name" ]; then
        # as seen from a namespace that still has it mounted
        unshare --mount bash -c 'mount -t cgroup2 cgroup2 "$1"; for _ in 1 2 3 4 5; do
            find "$2" -depth -type d -exec rmdir {} + && break; sleep 0.2; done' _ "$work/cgroup" "$(cat "$work/cgroup-name")" 2>/dev/null
    fi
}
trap 'end_boot; leave' EXIT

told() { inside journalctl --no-pager -o cat -u 'refereed*' -n 8 2>/dev/null; }
must() { # command
    inside "$@" >"$work/out" 2>&1 || fail "$*: $(tail -n 5 "$work/out"); $(told)"
}
sh_must() { must sh -c "$1"; }
main_pid() { inside systemctl show -p MainPID --value refereed.service; }
ask() { # path, flags of curl
    inside curl -s -f --retry 20 --retry-connrefused --retry-delay 1 "${@:2}" "http://127.0.0.1:8480/$1" || fail "$1 is not answered: $(told)"
}
until_so() { # what for, command
    local what=$1
    shift
    for _ in $(seq 200); do
        ! inside "$@" >/dev/null 2>&1 || return 0
        sleep 0.1
    done
    fail "$what: $(told)"
}

if ! boot; then
    skip "no systemd of its own here: $(tail -n 1 "$work/boot.log" 2>/dev/null || echo "not root")"
else
    must ip link set lo up
    must dpkg --no-triggers -i /refereed.deb
    [ "$(inside systemctl is-enabled refereed.socket)" = disabled ] || fail "it starts without being asked for"
    must systemctl enable --now refereed.socket
    ask readyz >"$work/out"
    must curl -s -f --unix-socket /run/refereed/refereed.sock http://refereed/healthz
    [ "$(inside systemctl is-active refereed.service)" = active ] || fail "it is not active"

    # its own user, no capability, filtered
    status=$(inside cat "/proc/$(main_pid)/status")
    grep -qE '^Uid:\s+6[1-5][0-9]{3}\s' <<<"$status" && grep -qE '^CapBnd:\s+0+$' <<<"$status" &&
        grep -qE '^Seccomp:\s+2$' <<<"$status" || fail "it is not boxed in: $status"

    # settings, and a game within the box
    sh_must 'sed -i "s/^#rate = 50/rate = 0/" /etc/refereed/refereed.conf && systemctl restart refereed'
    ask readyz >"$work/out"
    must /fleet --address 127.0.0.1:8480 --ruleset engarde --games 1 --connections 2 --seed 5
    games=$(ask v1/games) && [ -n "$games" ] || fail "there is no game"
    inside journalctl --no-pager -o json -u refereed REFEREED_STATUS=201 REFEREED_METHOD=POST 'REFEREED_ROUTE=/v1/games' |
        grep -q '"PRIORITY":"6"' || fail "the journal has no fields of the request: $(told)"
    must systemctl reload refereed
    until_so "it is not reloaded" sh -c 'journalctl --no-pager -o cat -u refereed | grep -qx reloaded'

    # keys of the administrator's
    keys=$(ask v1/keys)
    sh_must 'mkdir -p -m 700 /etc/credstore && refereed keygen /etc/credstore/made && cd /etc/credstore &&
        mv made/signing.key refereed.signing.key && mv made/operator.token refereed.operator.token && systemctl restart refereed'
    [ "$(ask v1/keys)" != "$keys" ] || fail "the key in /etc/credstore is not used"
    ask metrics -H "Authorization: Bearer $(inside cat /etc/credstore/refereed.operator.token)" | grep -q '^refereed_store_bytes' ||
        fail "the operator in /etc/credstore is not known"
    sh_must 'rm -r /etc/credstore && systemctl restart refereed'
    [ "$(ask v1/keys)" = "$keys" ] || fail "its own key is lost"
    sh_must 'refereed rotate --state /var/lib/refereed && systemctl restart refereed'
    [ "$(ask v1/keys | grep -o k4.public | wc -l)" -eq 2 ] || fail "the key is not rotated"

    # a backup beside it, and back
    must systemctl enable --now refereed-backup.timer
    must systemctl start refereed-backup.service
    copy=$(inside sh -c 'ls /var/lib/refereed-backups/games-*.db') || fail "there is no copy: $(told)"
    sh_must "systemctl stop refereed.socket refereed.service && cd /var/lib/refereed && rm games.db-wal games.db-shm games.db;
        install -m 600 -o \$(stat -c %u .) -g \$(stat -c %g .) $copy games.db && refereed check --state . && systemctl start refereed.socket"
    [ "$(ask v1/games)" = "$games" ] || fail "the copy holds other games"

    # killed, it is there again; upgraded, too, and with the settings as they were
    was=$(main_pid)
    must systemctl kill -s KILL refereed.service
    ask healthz >"$work/out"
    [ "$(main_pid)" != "$was" ] || fail "it was not killed"
    was=$(main_pid)
    must dpkg --no-triggers --force-confold -i /refereed.deb
    [ "$(ask v1/games)" = "$games" ] || fail "an upgrade loses games"
    [ "$(main_pid)" != "$was" ] || fail "an upgrade does not start it again"
    [ "$(inside systemctl is-enabled refereed.socket)" = enabled ] || fail "an upgrade disables it"
    sh_must 'grep -qx "rate = 0" /etc/refereed/refereed.conf'

    # gone, but for the games
    must dpkg --no-triggers -r refereed
    ! inside systemctl is-active refereed.socket refereed.service refereed-backup.timer >"$work/out" 2>&1 ||
        fail "removed, it still runs"
    must dpkg --no-triggers -P refereed
    grep -q 'games are left in /var/lib/refereed;' "$work/out" || fail "a purge does not say what it leaves"
    left=$(inside find /etc /usr /lib /var /run -xdev -name '*refereed*' ! -path '/var/log/*' 2>/dev/null | grep -v '^/var/lib/\(private/\)\?refereed\(-backups\)\?$')
    left=$(grep -vFx "$(find /etc /usr /lib /var -xdev -name '*refereed*' 2>/dev/null; echo)" <<<"$left")
    [ -z "$left" ] || fail "a purge leaves $left"
    sh_must 'test -e /var/lib/refereed/games.db && test -e /var/lib/refereed/keys/store.key'
    echo "under a systemd of its own: installed, started, played, backed up, restored, killed, upgraded, removed, purged"
fi

[ -z "$skipped" ] || { echo "all went well but for${skipped#;}"; exit 77; }
echo "the package is the same twice and does what is promised"
