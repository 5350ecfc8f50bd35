#!/usr/bin/env python3
"""Checks tests/vectors/protocol.json against docs/protocol.md with hashlib alone: a second
implementation of every preimage, of the stream and of the shuffle. And docs/protocol.md against the
vectors: each value that it shows is one of them, and the code that it shows deals the same cards."""
import base64
import hashlib
import json
import os
import re
import sys

VECTORS = "tests/vectors/protocol.json"
DOCUMENT = "docs/protocol.md"


def blake(preimage, bits=256):
    return hashlib.blake2b(preimage, digest_size=bits // 8).digest()


def preimage(kind, gid, a):
    """The bytes of docs/protocol.md, table "Preimages", for the arguments `a` of one vector."""
    h = {k: bytes.fromhex(v) for k, v in a.items() if isinstance(v, str) and k != "claims"}
    n = {k: v for k, v in a.items() if isinstance(v, int)}
    layout = {
        "nonce": lambda: h["secret"] + gid + bytes([n["context"], n["index"]]),
        "piece": lambda: gid + bytes([n["seat"], n["slot"], n["rank"], 0]) + h["nonce"],
        "setup": lambda: gid + bytes([n["seat"], len(a["commitments"])])
        + b"".join(map(bytes.fromhex, a["commitments"])),
        "sseed": lambda: gid + bytes([n["round"]]) + h["seed"],
        "pseed": lambda: gid + bytes([n["round"], n["seat"]]) + h["seed"],
        "mixed": lambda: gid + bytes([n["round"], len(a["players"])]) + h["referee"]
        + b"".join(map(bytes.fromhex, a["players"])),
        "deals": lambda: h["key"] + n["block"].to_bytes(8, "little"),
        "cards": lambda: gid + bytes([n["round"], n["position"], n["value"], 0]) + h["nonce"],
        "tiles": lambda: gid + bytes([0, n["tile"], n["symbol"], 0]) + h["nonce"],
        "event": lambda: a["claims"].encode(),
        "authn": lambda: h["secret"],
    }[kind]
    return b"refereed/" + kind.encode() + b"/1" + layout()


def words(key):
    block = 0
    while True:
        out = blake(b"refereed/deals/1" + key + block.to_bytes(8, "little"), 512)
        for i in range(0, 64, 4):
            yield int.from_bytes(out[i:i + 4], "little")
        block += 1


def below(stream, n):
    limit = 2**32 - 2**32 % n
    while True:
        word = next(stream)
        if word < limit:
            return word % n


def shuffle(stream, n):
    order = list(range(n))
    for i in range(n - 1, 0, -1):
        j = below(stream, i + 1)
        order[i], order[j] = order[j], order[i]
    return order


def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def names(public):
    paserk = "k4.public." + b64(public)
    pid = hashlib.blake2b(b"k4.pid." + paserk.encode(), digest_size=33).digest()
    return paserk, "k4.pid." + b64(pid)


class Checks:
    def __init__(self):
        self.count = self.bad = 0

    def same(self, name, got, wanted):
        self.count += 1
        if got != wanted:
            self.bad += 1
            print(f"{name}: got {got}, the vector says {wanted}")


def check_document(checks, text, vectors):
    with open(DOCUMENT, encoding="utf-8") as f:
        document = f.read()
    shown = set(re.findall(r"\b[0-9a-f]{64}\b|\bv4\.public\.[\w.-]{80,}|\bk4\.p\w+\.[\w-]{43,}", document))
    for value in sorted(shown):
        checks.same("a value in " + DOCUMENT, value in text, True)
    for v in vectors["hashes"]:
        tag = "`refereed/%s/1`" % v["kind"]
        checks.same(DOCUMENT + " lays down " + tag, tag in document, True)
    code = re.search(r"```python\n(def words.*?)```", document, re.S)
    scope = {"blake2b": hashlib.blake2b}
    exec(code.group(1), scope)
    for v in vectors["shuffles"]:
        stream = scope["words"](bytes.fromhex(v["key"]))
        for order in v["orders"]:
            checks.same(DOCUMENT + " shuffles", scope["shuffle"](stream, v["n"]), order)


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
    with open(VECTORS, encoding="utf-8") as f:
        text = f.read()
    vectors = json.loads(text)
    checks = Checks()
    gid = bytes.fromhex(vectors["gid"])
    checks.same("id", b64(gid), vectors["id"])
    for v in vectors["hashes"]:
        made = preimage(v["kind"], gid, v["args"])
        checks.same(v["name"] + " preimage", made.hex(), v["preimage"])
        checks.same(v["name"], blake(made, v["bits"]).hex(), v["hash"])
    for v in vectors["shuffles"]:
        stream = words(bytes.fromhex(v["key"]))
        for order in v["orders"]:
            checks.same(v["name"], shuffle(stream, v["n"]), order)
        if "deck" in v:
            checks.same(v["name"], "".join(str(i // 5 + 1) for i in v["orders"][0]), v["deck"])
    for v in vectors["lots"]:
        stream = words(bytes.fromhex(v["key"]))
        checks.same(v["name"], [below(stream, v["n"]) for _ in v["drawn"]], v["drawn"])
    token = vectors["token"]
    paserk, pid = names(bytes.fromhex(token["public"]))
    checks.same("k4.public", paserk, token["paserk"])
    checks.same("k4.pid", pid, token["pid"])
    head, payload, footer = token["token"].rsplit(".", 2)
    checks.same("header", head, "v4.public")
    checks.same("footer", footer, b64(b'{"kid":"%s"}' % pid.encode()))
    raw = base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4))
    checks.same("claims", raw[:-64].decode(), token["claims"])
    checks.same("claims sorted", json.dumps(json.loads(token["claims"]), sort_keys=True,
                                            separators=(",", ":")), token["claims"])
    check_document(checks, text, vectors)
    print(f"vectors.py: {checks.count} checks, {checks.bad} failed")
    return 1 if checks.bad else 0


if __name__ == "__main__":
    sys.exit(main())
