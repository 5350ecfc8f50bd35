#!/bin/bash
# Builds refereed_VERSION_ARCH.deb in the build folder B (default build) and prints its path.
#
# The same sources give the same bytes, wherever and whenever they are built: times are that of the
# changelog's last entry (or SOURCE_DATE_EPOCH), owners are root, no path of this machine goes in.
set -eu
cd "$(dirname "$0")/../.."
export LC_ALL=C TZ=UTC
umask 022
here=systemd/deb
out=$(realpath -m "${B:-build}")
work=$out/deb
root=$work/root
doc=$root/usr/share/doc/refereed
version=$(sed -n '1s/.*(\(.*\)).*/\1/p' $here/changelog)
arch=$(dpkg --print-architecture)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(date -d "$(sed -n 's/^ -- .*>  //p' $here/changelog | head -n 1)" +%s)}
export SOURCE_DATE_EPOCH

say() { echo "refereed.deb: $*" >&2; }

rm -rf "$work"
mkdir -p "$root/DEBIAN" "$work/debian"
# Debian's own flags; the environment's would make another package.
env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u SAN -u OPT \
    CFLAGS="-D_FORTIFY_SOURCE=2 -fstack-clash-protection -ffile-prefix-map=$PWD=. -ffile-prefix-map=$work/build=build" \
    LDFLAGS="-Wl,-z,relro -Wl,-z,now" \
    make --no-print-directory -j"$(nproc)" B="$work/build" all >&2
told=$("$work/build/refereed" --version)
[ "$told" = "refereed $version" ] || { say "the program is $told, the changelog says $version"; exit 1; }

B=$work/build DESTDIR=$root prefix=/usr systemd/install.sh install
strip --remove-section=.comment --remove-section=.note "$root/usr/bin/refereed"
gzip -9n "$root"/usr/share/man/man?/*
cp $here/copyright "$doc/copyright"
gzip -9n <$here/changelog >"$doc/changelog.gz"

# What the program needs, from the libraries that it was linked with.
printf 'Source: refereed\n\nPackage: refereed\nArchitecture: any\n' >"$work/debian/control"
depends=$(cd "$work" && dpkg-shlibdeps -O root/usr/bin/refereed | sed -n 's/^shlibs:Depends=//p')
[ -n "$depends" ] || { say "dpkg-shlibdeps found nothing"; exit 1; }

cd "$root"
find . -type f ! -path './DEBIAN/*' -printf '%P\n' | sort | xargs md5sum >DEBIAN/md5sums
# As Debian's tools count it: a KiB for each folder, whole ones for each file.
size=$(find . ! -path './DEBIAN*' -printf '%y %s\n' | awk '$1 == "f" {n += int(($2 + 1023) / 1024)} $1 == "d" {n++} END {print n}')
cd - >/dev/null
sed -e "s/@version@/$version/; s/@arch@/$arch/; s/@size@/$size/; s/@depends@/$depends, init-system-helpers (>= 1.52)/" \
    $here/control.in >"$root/DEBIAN/control"
echo /etc/refereed/refereed.conf >"$root/DEBIAN/conffiles"
install -m 755 $here/postinst $here/prerm $here/postrm "$root/DEBIAN"
find "$root" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
file=$out/refereed_${version}_$arch.deb
dpkg-deb --root-owner-group -Zxz --threads-max=1 --build "$root" "$file" >/dev/null
rm -rf "$work"
echo "$file"
