"""A referee that lies: takes a transcript apart, lets its claims be changed, links and signs it anew by a
key of its own. Whatever is wrong with it then is no longer the signature."""
import copy
import functools
import hashlib
import json

from verifier import ed25519, seals, tokens

SEED = hashlib.blake2b(b"a key of the tester's own", digest_size=32).digest()


def _clamped():
    digest = hashlib.sha512(SEED).digest()
    number = int.from_bytes(digest[:32], "little") & (2**254 - 8) | 2**254
    return number, digest[32:]


SECRET, PREFIX = _clamped()
KEY = tokens.Key("k4.public." + tokens.tobase64(ed25519.encode(ed25519.times(SECRET, ed25519.BASE))))


@functools.lru_cache(maxsize=None)
def signature(message):
    """Ed25519, RFC 8032. The events before a changed one are signed again and again."""
    number = lambda *parts: int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little") % ed25519.ORDER
    r = number(PREFIX, message)
    point = ed25519.encode(ed25519.times(r, ed25519.BASE))
    s = (r + number(point, KEY.bytes, message) * SECRET) % ed25519.ORDER
    return point + s.to_bytes(32, "little")


def token(data, typ, footer=KEY.footer):
    assertion = b"refereed/v1/" + typ.encode()
    return sealed(data + signature(tokens.authenticated(b"v4.public.", data, footer, assertion)), footer)


def sealed(signed, footer=KEY.footer):
    return f"v4.public.{tokens.tobase64(signed)}.{tokens.tobase64(footer)}"


def claims_of(record):
    return [tokens.Token(event["token"]).claims for event in record["events"]]


def forged(record, claims, link=True, text=tokens.compact):
    """The record with these claims: numbered, linked and signed anew (`link` False: signed only)."""
    record, prev = copy.deepcopy(record), bytes(32)
    record["keys"], record["events"] = [KEY.text], []
    for number, claim in enumerate(claims, 1):
        if link:
            claim = {**claim, "seq": number, "prev": prev.hex()}
        data = text(claim).encode()
        typ = claim.get("typ")
        record["events"].append({"seq": number, "token": token(data, typ if isinstance(typ, str) else "event")})
        prev = seals.link(data)
    return record


# Changes at random

def leaves(value, path=()):
    """The paths of all that is no object."""
    if isinstance(value, dict):
        for name in sorted(value):
            yield from leaves(value[name], (*path, name))
    else:
        yield path
        if isinstance(value, list):
            for at, item in enumerate(value):
                yield from leaves(item, (*path, at))


def at(value, path):
    for step in path:
        value = value[step]
    return value


def other(value, chance):
    """Another value, of the same form where it can be."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return chance.choice([value + 1, value - 1, -value - 1, True, str(value)])
    if isinstance(value, list):
        if len(set(map(str, value))) > 1:
            return chance.choice([value[:-1], value + value[-1:], value[1:] + value[:1]])
        return chance.choice([value + ["x"], value[:-1] if value else [0]])
    if isinstance(value, str) and value:
        place = chance.randrange(len(value))
        letter = chance.choice([c for c in "0123456789abcdefg" if c != value[place]])
        words = ["left", "right", "yellow", "red", "blue", "moved", "a1", "b7", "attacker_lost", "defender_lost"]
        return chance.choice([value[:place] + letter + value[place + 1:],
                              chance.choice([word for word in words if word != value])])
    return chance.choice(["x", 0])


def changed(value, chance):
    """(path, value) with one thing in it changed, left out or added."""
    value = copy.deepcopy(value)
    path = chance.choice(list(leaves(value)))
    whole = at(value, path[:-1])
    how = chance.random()
    if how < 0.1:
        del whole[path[-1]]
    elif how < 0.2 and isinstance(whole, dict):
        whole[chance.choice(["count", "from", "hands", "seat", "extra"])] = 1
    else:
        whole[path[-1]] = other(whole[path[-1]], chance)
    return path, value


def text_of(record):
    return json.dumps(record, ensure_ascii=False)
