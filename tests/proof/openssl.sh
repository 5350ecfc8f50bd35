#!/bin/bash
# The token of tests/vectors/protocol.json taken apart by hand, its signature checked by OpenSSL.
set -eu
cd "$(dirname "$0")/../.."
for tool in openssl jq basenc; do
    command -v $tool >/dev/null || { echo "no $tool"; exit 77; }
done
openssl pkeyutl -help 2>&1 | grep -q rawin || { echo "this openssl knows no -rawin"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

vector() { jq -rj ".token.$1" tests/vectors/protocol.json; }
bytes() { printf '%b' "$(sed 's/../\\x&/g')"; }
unbase64() { # text; the padding that PASETO leaves out is put back
    local pad=$(((4 - ${#1} % 4) % 4))
    printf '%s%.*s' "$1" $pad === | basenc -d --base64url
}
le64() { # number below 2^16
    bytes <<<"$(printf '%02x%02x000000000000' $(($1 & 255)) $(($1 >> 8)))"
}
piece() { # file
    le64 "$(stat -c %s "$1")"
    cat "$1"
}

IFS=. read -r version purpose payload footer < <(vector token; echo)
printf '%s.%s.' "$version" "$purpose" >"$dir/header"
unbase64 "$payload" >"$dir/payload"
unbase64 "$footer" >"$dir/footer"
head -c -64 "$dir/payload" >"$dir/claims"
tail -c 64 "$dir/payload" >"$dir/signature"
vector assertion >"$dir/assertion"
{
    le64 4
    for part in header claims footer assertion; do
        piece "$dir/$part"
    done
} >"$dir/signed"
# An Ed25519 public key in DER: a fixed head and the 32 bytes.
{ bytes <<<302a300506032b6570032100; vector public | bytes; } >"$dir/key"

holds() { # file
    openssl pkeyutl -verify -pubin -keyform DER -inkey "$dir/key" -rawin -in "$1" \
        -sigfile "$dir/signature" >/dev/null 2>&1
}
cmp "$dir/claims" <(vector claims)
cmp "$dir/footer" <(vector footer)
holds "$dir/signed" || { echo "the signature does not hold"; exit 1; }
sed 's/left/righ/' "$dir/signed" >"$dir/forged"
if holds "$dir/forged"; then
    echo "a forged claim holds"
    exit 1
fi
echo "openssl.sh: the token holds, a forged one does not"
