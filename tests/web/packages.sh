#!/bin/bash
# Installs what the tests in other languages and in the browser need and this machine has not:
# node, npm, Chromium. Without them those tests are skipped, so a failure is said and no more.
set -u
missing=
command -v node >/dev/null || missing="$missing nodejs"
command -v npm >/dev/null || missing="$missing npm"
command -v "${CHROMIUM:-chromium}" >/dev/null || missing="$missing chromium"
[ -n "$missing" ] || exit 0
as=
[ "$(id -u)" = 0 ] || as=sudo
echo "installing as root:$missing"
$as apt-get update -q
for package in $missing; do # one by one: one that cannot be had is no reason to go without the others
    $as env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$package" ||
        echo "without $package: the tests that need it will be skipped"
done
exit 0
