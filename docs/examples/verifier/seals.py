"""Hashes, lots and shuffles: docs/protocol.md, "Hashes" and "Seeds, lots and shuffles"."""
from hashlib import blake2b

NOTHING = bytes(32)


def _hash(kind, *parts):
    """BLAKE2b over the tag of 16 characters and the parts; numbers are one byte each."""
    data = b"".join(bytes([part]) if isinstance(part, int) else part for part in parts)
    return blake2b(b"refereed/" + kind + b"/1" + data, digest_size=32).digest()


def nonce(secret, gid, context, index):
    return _hash(b"nonce", secret, gid, context, index)


def piece(gid, seat, slot, rank, secret):
    return piece_of(gid, seat, slot, rank, nonce(secret, gid, 0, slot))


def piece_of(gid, seat, slot, rank, nonce_):
    return _hash(b"piece", gid, seat, slot, rank, 0, nonce_)


def card(gid, round_, position, value, seed):
    return _hash(b"cards", gid, round_, position, value, 0, nonce(seed, gid, round_, position))


def tile(gid, number, symbol, seed):
    return _hash(b"tiles", gid, 0, number, symbol, 0, nonce(seed, gid, 0, number))


def setup(gid, seat, commitments):
    return _hash(b"setup", gid, seat, len(commitments), *commitments)


def referee_seed(gid, seed):
    return _hash(b"sseed", gid, 0, seed)


def player_seed(gid, seat, seed):
    return _hash(b"pseed", gid, 0, seat, seed)


def link(claims):
    return _hash(b"event", claims)


def opening(component, face, nonce_):
    return {"component": component, "face": face, "nonce": nonce_.hex()}


class Stream:
    """The unsigned 32-bit words of one round's mixed key, none used twice."""

    def __init__(self, gid, round_, referee, players):
        key = _hash(b"mixed", gid, round_, len(players), referee, *players)
        self.words = self._words(key)

    @staticmethod
    def _words(key):
        block = 0
        while True:
            out = blake2b(b"refereed/deals/1" + key + block.to_bytes(8, "little"), digest_size=64).digest()
            for at in range(0, 64, 4):
                yield int.from_bytes(out[at:at + 4], "little")
            block += 1

    def below(self, n):
        while True:
            word = next(self.words)
            if word < 2**32 - 2**32 % n:
                return word % n

    def shuffle(self, n):
        order = list(range(n))
        for i in range(n - 1, 0, -1):
            j = self.below(i + 1)
            order[i], order[j] = order[j], order[i]
        return order
