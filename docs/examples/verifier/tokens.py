"""JSON, base64url and PASETO v4.public tokens: docs/protocol.md, "Encoding" and "Tokens"."""
import base64
import hashlib
import json
import re

from . import ed25519


class Bad(Exception):
    """What is wrong, in words."""


def need(condition, words):
    if not condition:
        raise Bad(words)


# JSON

def _no(text):
    raise Bad(f"{text[:20]} is no whole number")


def _whole(text):
    need(len(text) <= 20, f"the number {text[:20]}... is too long")
    return int(text)


def _object(pairs):
    found = dict(pairs)
    need(len(found) == len(pairs), "a name stands twice in one object")
    return found


def parse(data):
    """The value of JSON text in UTF-8: whole numbers only, no name twice in one object."""
    try:
        return json.loads(data.decode("utf-8"), parse_float=_no, parse_constant=_no, parse_int=_whole,
                          object_pairs_hook=_object)
    except (ValueError, RecursionError) as error:
        raise Bad(f"no JSON: {error}") from None


def compact(value):
    """The one text of a value: sorted keys and no spaces. Two values are the same if these are;
    Python's own == takes true for 1."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def same(a, b):
    return compact(a) == compact(b)


def one_of(*values):
    """A test for words."""
    return lambda value: isinstance(value, str) and value in values


def within(low, high):
    """A test for numbers; true and false are none."""
    return lambda value: type(value) is int and low <= value <= high


# Binary values in text

def unbase64(text):
    """The bytes of base64url without padding, in its one form."""
    need(isinstance(text, str) and re.fullmatch("[A-Za-z0-9_-]*", text), "no base64url")
    need(len(text) % 4 != 1, "no base64url of that length")
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    need(tobase64(data) == text, "base64url with stray bits")
    return data


def tobase64(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def unhex(text, what="a hash"):
    need(isinstance(text, str) and re.fullmatch("[0-9a-f]{64}", text),
         f"{what} is not 32 bytes in lower-case hex")
    return bytes.fromhex(text)


# Keys and tokens

class Key:
    """A public key, from its PASERK text `k4.public.…`."""

    def __init__(self, text):
        need(isinstance(text, str) and text.startswith("k4.public."), "no k4.public key")
        self.text = text
        self.bytes = unbase64(text[len("k4.public."):])
        need(len(self.bytes) == 32 and ed25519.usable(self.bytes), f"{text} is no key of Ed25519")
        digest = hashlib.blake2b(b"k4.pid." + text.encode(), digest_size=33).digest()
        self.id = "k4.pid." + tobase64(digest)
        self.footer = b'{"kid":"' + self.id.encode() + b'"}'


def authenticated(*pieces):
    """PAE: what is signed."""
    size = lambda n: n.to_bytes(8, "little")
    return size(len(pieces)) + b"".join(size(len(piece)) + piece for piece in pieces)


class Token:
    """A token taken apart, not yet checked: `data` are the claims as bytes, `claims` what they say."""

    def __init__(self, text):
        parts = text.split(".") if isinstance(text, str) else []
        need(len(parts) == 4 and parts[:2] == ["v4", "public"], "no v4.public token with a footer")
        signed, self.footer = unbase64(parts[2]), unbase64(parts[3])
        need(len(signed) > 64, "no claims")
        self.data, self.signature = signed[:-64], signed[-64:]
        self.claims = parse(self.data)
        need(isinstance(self.claims, dict), "the claims are no object")
        one_form = compact(self.claims).encode("utf-8", "replace")
        need(one_form == self.data, "the claims are not in their one form")

    def signed_by(self, key):
        typ = self.claims.get("typ")
        need(isinstance(typ, str), "no typ")
        assertion = b"refereed/v1/" + typ.encode("utf-8", "replace")
        message = authenticated(b"v4.public.", self.data, self.footer, assertion)
        return self.footer == key.footer and ed25519.holds(key.bytes, message, self.signature)
