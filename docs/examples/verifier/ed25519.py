"""Ed25519 signatures (RFC 8032): checking them, in plain Python.

The curve is -x^2 + y^2 = 1 + d x^2 y^2 over the integers modulo P. A point is kept as (X, Y, Z, T) with
x = X/Z, y = Y/Z, xy = T/Z, so that adding needs no division. A signature (R, s) of a message by
the key A holds if s*B = R + h*A, where h is SHA-512 of R, A and the message. Here s*B - h*A is
computed and compared with R byte for byte, as libsodium does it.

Both B and A are multiplied many times, so each gets a table: entry [i][j] is j * 256^i times the
point, and a product is then 32 additions.
"""
import functools
import hashlib

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT_OF_MINUS_1 = pow(2, (P - 1) // 4, P)
NEUTRAL = (0, 1, 1, 0)


def add(p, q):
    a = (p[1] - p[0]) * (q[1] - q[0]) % P
    b = (p[1] + p[0]) * (q[1] + q[0]) % P
    c = 2 * p[3] * q[3] * D % P
    d = 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def negative(p):
    return (-p[0] % P, p[1], p[2], -p[3] % P)


def encode(p):
    inverse = pow(p[2], -1, P)
    x, y = p[0] * inverse % P, p[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def decode(data):
    """The point of 32 bytes, or None if they are none or not its one form."""
    number = int.from_bytes(data, "little")
    sign, y = number >> 255, number & (2**255 - 1)
    if y >= P:
        return None
    u, v = (y * y - 1) % P, (D * y * y + 1) % P
    x = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    if (v * x * x - u) % P:
        x = x * ROOT_OF_MINUS_1 % P
    if (v * x * x - u) % P or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = P - x
    return (x, y, 1, x * y % P)


def of_small_order(point):
    """Whether eight times the point is nothing: such a key has everybody's signature."""
    for _ in range(3):
        point = add(point, point)
    return point[0] % P == 0 and (point[1] - point[2]) % P == 0


@functools.lru_cache(maxsize=16)
def table(data):
    """The multiples of the point of these 32 bytes."""
    point = decode(data)
    rows = []
    for _ in range(32):
        row = [NEUTRAL]
        for _ in range(255):
            row.append(add(row[-1], point))
        rows.append(row)
        point = add(row[-1], point)
    return rows


def times(number, data):
    """`number` times the point of these 32 bytes, 0 <= number < 2^256."""
    total = NEUTRAL
    for row, digit in zip(table(data), number.to_bytes(32, "little")):
        if digit:
            total = add(total, row[digit])
    return total


# The base point: y = 4/5, x even.
BASE = (4 * pow(5, P - 2, P) % P).to_bytes(32, "little")


def usable(key):
    """Whether 32 bytes are a public key that says anything."""
    point = decode(key)
    return point is not None and not of_small_order(point)


def holds(key, message, signature):
    """Whether the 64 bytes are the signature of the message by a key that is usable()."""
    r, s = signature[:32], int.from_bytes(signature[32:], "little")
    if len(signature) != 64 or s >= ORDER:
        return False
    h = int.from_bytes(hashlib.sha512(r + key + message).digest(), "little") % ORDER
    point = add(times(s, BASE), negative(times(h, key)))
    return encode(point) == r and not of_small_order(point)
