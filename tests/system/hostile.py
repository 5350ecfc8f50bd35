"""Clients that mean no good, at the real daemon by raw sockets.

    hostile.py HOST:PORT PID OPERATOR framing|slow|floods|idle|rates|limits

Each case says what the answer's status must be; refused ones must be closed, with a problem as body,
and nothing that follows on the connection may be done.
"""
import json
import os
import re
import resource
import select
import socket
import sys
import threading
import time

address, pid, operator_file, what = sys.argv[1:5]
host, port = address.rsplit(":", 1)
operator = open(operator_file).read().strip()
faults = []
exact = not os.environ.get("INEXACT")  # sanitizers have memory of their own
H = b"Host: x\r\n"
JSON = b"Content-Type: application/json\r\n"
GOOD = b'{"ruleset":"engarde"}'
# Would make a game, if the bytes before it were taken for the end of a request.
SMUGGLED = (b"POST /v1/games HTTP/1.1\r\nHost: x\r\n" + JSON +
            b"Content-Length: 21\r\n\r\n" + GOOD)


def connect(timeout=5.0, receive=None):
    s = socket.socket()
    if receive:
        s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive)
    s.settimeout(timeout)
    s.connect((host, int(port)))
    return s


def hear(s):
    """All that is said, and whether the other side has closed."""
    said = b""
    try:
        while piece := s.recv(65536):
            said += piece
    except TimeoutError:
        return said, False
    except ConnectionError:
        pass
    return said, True


def exchange(raw, timeout=5.0):
    with connect(timeout) as s:
        try:
            s.sendall(raw)
        except ConnectionError:
            pass
        return hear(s)


def get(path, *headers, timeout=20.0):
    said, _ = exchange(b"GET " + path + b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" +
                       b"".join(h + b"\r\n" for h in headers) + b"\r\n", timeout)
    return said.partition(b"\r\n\r\n")[2].decode()


def figure(name):
    text = get(b"/metrics", b"Authorization: Bearer " + operator.encode())
    return sum(float(v) for v in re.findall(rf"^{name}(?:{{[^}}]*}})? ([0-9.e+]+)$", text, re.M))


def games():
    return figure("refereed_games_made_total")


def statuses(said):
    return [int(s) for s in re.findall(rb"HTTP/1\.1 (\d{3}) ", said)]


# ---- framing ----

def post(fields, body=b"", line=b"POST /v1/games HTTP/1.1\r\n"):
    return line + H + JSON + fields + b"\r\n" + body


def line(first, fields=H):
    return first + b"\r\n" + fields + b"\r\n"


def field(name):
    return b"GET /v1 HTTP/1.1\r\n" + H + name + b"\r\n\r\n"


# The library's own words where it refuses before we are asked: no problem, but closed.
LIBRARY = "library"
MALFORMED = [
    # lengths
    (post(b"Content-Length: 21\r\nContent-Length: 21\r\n", GOOD), 400),
    (post(b"Content-Length: 21\r\ncontent-length: 22\r\n", GOOD), 400),
    (post(b"Content-Length: 0\r\nContent-Length: 21\r\n", GOOD), 400),
    (post(b"Content-Length: -1\r\n", GOOD), 400, LIBRARY),
    (post(b"Content-Length: +21\r\n", GOOD), 400, LIBRARY),
    (post(b"Content-Length: 0x15\r\n", GOOD), 400, LIBRARY),
    (post(b"Content-Length: 21, 21\r\n", GOOD), 400, LIBRARY),
    (post(b"Content-Length: 2 1\r\n", GOOD), 400, LIBRARY),
    (post(b"Content-Length: 21abc\r\n", GOOD), 400, LIBRARY),
    (post(b"Content-Length: 18446744073709551616\r\n", GOOD), 413, LIBRARY),
    (post(b"Content-Length: 18446744073709551637\r\n", GOOD), 413, LIBRARY),
    (post(b"Content-Length: 9223372036854775808\r\n", GOOD), 400),
    (post(b"Content-Length: 4294967317\r\n", GOOD), 413),
    (post(b"Content-Length: 65537\r\n"), 413),
    (post(b"Content-Length: \r\n", GOOD), 400, LIBRARY),
    # lengths and codings
    (post(b"Content-Length: 21\r\nTransfer-Encoding: chunked\r\n", b"0\r\n\r\n"), 400),
    (post(b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", b"0\r\n\r\n"), 400),
    (post(b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", b"0\r\n\r\n"), 400),
    (post(b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n", b"0\r\n\r\n"), 400),
    (post(b"Transfer-Encoding: identity\r\n"), 501),
    (post(b"Transfer-Encoding: gzip\r\n"), 501),
    (post(b"Transfer-Encoding: gzip, chunked\r\n", b"0\r\n\r\n"), 501),
    (post(b"Transfer-Encoding: chunked, chunked\r\n", b"0\r\n\r\n"), 501),
    (post(b"Transfer-Encoding: chunked;q=1\r\n", b"0\r\n\r\n"), 501),
    (post(b"Transfer-Encoding: xchunked\r\n", b"0\r\n\r\n"), 501),
    (post(b"Transfer-Encoding: \x0bchunked\r\n", b"0\r\n\r\n"), 400),
    (post(b"Transfer-Encoding : chunked\r\n", b"0\r\n\r\n"), 400),
    (post(b"Transfer-Encoding: chunked\r\n", b"0\r\n\r\n", b"POST /v1/games HTTP/1.0\r\n"), 400),
    # bodies where there are none
    (line(b"GET /v1 HTTP/1.1", H + b"Content-Length: 2\r\n") + b"{}", 400),
    (line(b"GET /v1 HTTP/1.1", H + b"Transfer-Encoding: chunked\r\n") + b"0\r\n\r\n", 400),
    (line(b"HEAD /v1 HTTP/1.1", H + b"Content-Length: 2\r\n") + b"{}", 400, "head"),
    # request lines
    (line(b"FOO /v1 HTTP/1.1"), 501),
    (line(b"get /v1 HTTP/1.1"), 501),
    (line(b"G\x00ET /v1 HTTP/1.1"), 501),
    (line(b"GET\t/v1 HTTP/1.1"), (400, 501), LIBRARY),
    (line(b"GET  /v1 HTTP/1.1"), 400),
    (line(b"GET /v1  HTTP/1.1"), (400, 505)),
    (line(b"GET /v1 x HTTP/1.1"), 400),
    (line(b"GET http://x/v1 HTTP/1.1"), 400),
    (line(b"GET //x/v1 HTTP/1.1"), 404),
    (line(b"GET x HTTP/1.1"), 400),
    (line(b"GET * HTTP/1.1"), 400),
    (line(b"OPTIONS * HTTP/1.1"), 400),
    (line(b"CONNECT x:80 HTTP/1.1"), 400),
    (line(b"GET /v1%00 HTTP/1.1"), 400),
    (line(b"GET /v1\x00/keys HTTP/1.1"), 400),
    (line(b"GET /v1\x01 HTTP/1.1"), 400),
    (line(b"GET /v1\x7f HTTP/1.1"), 400),
    (line(b"GET /v1\xff HTTP/1.1"), 400),
    (line(b"GET /v1#a HTTP/1.1"), 400),
    (line(b"GET /v1\rX: y HTTP/1.1"), 400),
    (line(b"GET /v1?a=%zz HTTP/1.1"), 400),
    (line(b"GET /v1?a=%0 HTTP/1.1"), 400),
    (line(b"GET /v1?a=%00 HTTP/1.1"), 400),
    # versions
    (line(b"GET /v1 HTTP/1.9"), 505),
    (line(b"GET /v1 HTTP/1.10"), (400, 505), LIBRARY),
    (line(b"GET /v1 HTTP/0.9"), (400, 505), LIBRARY),
    (line(b"GET /v1 HTTP/2.0"), 505, LIBRARY),
    (line(b"GET /v1 http/1.1"), (400, 505), LIBRARY),
    (line(b"GET /v1 XTTP/1.1"), (400, 505), LIBRARY),
    (line(b"GET /v1"), (400, 505), LIBRARY),
    (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", (400, 505), LIBRARY),
    # hosts
    (line(b"GET /v1 HTTP/1.1", b""), 400),
    (line(b"GET /v1 HTTP/1.1", H + H), 400),
    (line(b"GET /v1 HTTP/1.1", H + b"host: y\r\n"), 400),
    (line(b"GET /v1 HTTP/1.1", H + b" folded\r\n"), 400),
    # header names
    (field(b"A b: x"), 400),
    (field(b"A : x"), 400),
    (field(b": x"), 400),
    (field(b"A\xc3\xa9: x"), 400),
    (field(b"A(b): x"), 400),
    (field(b"A\x00: x"), 400, LIBRARY),
    (field(b"A\x01: x"), 400),
    (field(b"A\x7f: x"), 400),
    (field(b"A\"b: x"), 400),
    (field(b"no colon"), 400, LIBRARY),
    (field(b" A: x"), 400),
    # header values
    (field(b"A: x\x01y"), 400),
    (field(b"A: x\x00y"), 400),
    (field(b"A: x\x1by"), 400),
    (field(b"A: x\x7fy"), 400),
    (field(b"A: x\rB: y"), 400),
    (field(b"A: x\r B: y"), 400),
    (field(b"A: x\r\n folded"), 400),
    (field(b"A: x\r\n\tfolded"), 400),
    # ends of lines
    (b"GET /v1 HTTP/1.1\nHost: x\n\n", 400),
    (b"GET /v1 HTTP/1.1\r\nHost: x\nA: b\r\n\r\n", 400),
    (b"GET /v1 HTTP/1.1\r\nHost: x\rA: b\r\n\r\n", 400),
    (b"GET /v1 HTTP/1.1\r\nHost: x\r\n\n", 400),
    (field(b"A: x\x00\x00\x00\x00"), 400),
    # twice what must be once
    (field(b"Authorization: Bearer a\r\nAuthorization: Bearer b"), 400),
    (field(b"If-Match: \"1\"\r\nIf-Match: \"2\""), 400),
    (post(b"Content-Type: text/plain\r\nContent-Length: 21\r\n", GOOD), 400),
]
CHUNKS = b"Transfer-Encoding: chunked\r\n"
# Broken in the middle of a body: nothing can be said any more, but it must end, and not be done.
BROKEN = [
    post(CHUNKS, b"zz\r\n" + GOOD + b"\r\n0\r\n\r\n"),
    post(CHUNKS, b"-15\r\n" + GOOD + b"\r\n0\r\n\r\n"),
    post(CHUNKS, b"0x15\r\n" + GOOD + b"\r\n0\r\n\r\n"),
    post(CHUNKS, b"15\r\n" + GOOD + b"XX0\r\n\r\n"),
    post(CHUNKS, b"14\r\n" + GOOD + b"\r\n0\r\n\r\n"),
    post(CHUNKS, b"FFFFFFFFFFFFFFFFF\r\n" + GOOD),
    post(CHUNKS, b"\r\n" + GOOD),
]


def refused(raw, expected, kind=None):
    said, closed = exchange(raw + SMUGGLED)
    got = statuses(said)
    wanted = expected if isinstance(expected, tuple) else (expected,)
    problem = b"application/problem+json" in said or kind in (LIBRARY, "head")
    # Where it refuses by itself, the library sends its header twice: it closes, and that is it.
    if not got or (len(got) > 1 and kind != LIBRARY) or not set(got) <= set(wanted) or not closed or not problem:
        faults.append(f"{raw[:90]!r}: {said[:160]!r}{'' if closed else ' (left open)'}")


def framing():
    before = games()
    for case in MALFORMED:
        if case[1] != 404:
            refused(*case)
    for raw in BROKEN:
        said, closed = exchange(raw + SMUGGLED)
        if not closed or any(s < 400 for s in statuses(said)):
            faults.append(f"{raw[:120]!r}: {said[:160]!r}{'' if closed else ' (left open)'}")
    # The other way round: what is well formed is answered in order, however it is cut.
    two = (line(b"GET /v1/keys HTTP/1.1") + b"GET /healthz HTTP/1.1\r\nHost: x\r\n"
           b"Connection: close\r\n\r\n")
    for cut in (1, 3, 20, len(two) - 1, len(two)):
        with connect() as s:
            s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            s.sendall(two[:cut])
            time.sleep(0.02)
            s.sendall(two[cut:])
            said, closed = hear(s)
        if statuses(said) != [200, 200] or not closed or b'"status":"ok"' not in said:
            faults.append(f"two good requests cut at {cut}: {said[:200]!r}")
    for raw in (b"A:", b"A: ", b"A:\t \tx", b"A: x \t ", b"A: x y\tz", b"A: \xc3\xa9", b"A: x\r\nA: y",
                b"A: " + b"x" * 3000, b"Cookie: a=b; c", b"Accept: a/b\r\nAccept: c/d"):
        said, _ = exchange(field(raw + b"\r\nConnection: close"))
        if statuses(said) != [200]:
            faults.append(f"a good header {raw[:40]!r}: {said[:200]!r}")
    said, _ = exchange(b"\r\n\r\n" + field(b"Connection: close"))
    if statuses(said) != [200]:
        faults.append(f"empty lines before a request: {said[:200]!r}")
    if games() != before:
        faults.append(f"{games() - before} games were smuggled in")
    # And a game can be made in all ways that are allowed.
    for raw in (post(b"Content-Length: 21\r\nConnection: close\r\n", GOOD),
                post(CHUNKS + b"Connection: close\r\n", b"15\r\n" + GOOD + b"\r\n0\r\n\r\n"),
                post(CHUNKS + b"Connection: close\r\n", b"1;a=b\r\n{\r\n14\r\n" + GOOD[1:] +
                     b"\r\n0\r\n\r\n"),
                b"POST /v1/games HTTP/1.0\r\n" + JSON + b"Content-Length: 21\r\n\r\n" + GOOD):
        said, closed = exchange(raw)
        if statuses(said) != [201] and b" 201 " not in said[:20]:
            faults.append(f"{raw!r}: {said[:200]!r}")
    return f"{len(MALFORMED) + len(BROKEN)} malformed requests"


# ---- slow clients ----

LIMIT = 2.0  # as the script sets all three
LATE = 1.6   # a second, and a busy machine


def in_time(name, began, end):
    took = end - began
    if not LIMIT - 0.2 <= took <= LIMIT + LATE:
        faults.append(f"{name}: cut off after {took:.2f} s, and the limit is {LIMIT} s")


def trickle(name, start, drop):
    with connect(0.1) as s:
        s.sendall(start)
        began = time.monotonic()
        while time.monotonic() < began + LIMIT + 4:
            try:
                s.sendall(drop)
                if select.select([s], [], [], 0.1)[0] and not s.recv(65536):
                    break
            except ConnectionError:
                break
        in_time(name, began, time.monotonic())


def silent(name, start):
    with connect(LIMIT + 5) as s:
        s.sendall(start)
        began = time.monotonic()
        hear(s)
        in_time(name, began, time.monotonic())


def reader(name, pause):
    """Asks for much, and reads a byte now and then or nothing: its connection is counted."""
    before = figure("refereed_connections")
    s = connect(5, receive=4096)
    try:
        s.sendall(line(b"GET /openapi.json HTTP/1.1") * 100)
    except TimeoutError:
        pass
    began = time.monotonic()
    while time.monotonic() < began + LIMIT + 5:
        if figure("refereed_connections") <= before:
            break
        if pause:
            try:
                s.recv(1)
            except (TimeoutError, ConnectionError):
                pass
        time.sleep(pause or 0.1)
    in_time(name, began, time.monotonic())
    s.close()


def slow():
    jobs = [
        (silent, "nothing said", b""),
        (silent, "half a line", b"GET /v1"),
        (silent, "half a header", b"GET /v1 HTTP/1.1\r\nHost: x\r\nA: "),
        (silent, "half a body", post(b"Content-Length: 1000\r\n", b"{")),
        (silent, "half a chunk", post(CHUNKS, b"15\r\n{")),
        (trickle, "a line by drops", b"G", b"a"),
        (trickle, "a header by drops", b"GET /v1 HTTP/1.1\r\nHost: x\r\nA: ", b"a"),
        (trickle, "headers by drops", b"GET /v1 HTTP/1.1\r\nHost: x\r\n", b"A: b\r\n"),
        (trickle, "the second header by drops", line(b"GET /v1 HTTP/1.1") + b"GET /v1 HTTP", b"a"),
        (trickle, "a body by drops", post(b"Content-Length: 60000\r\n", b"{"), b"a"),
        (trickle, "chunks by drops", post(CHUNKS), b"1\r\na\r\n"),
        (trickle, "empty lines", b"", b"\r\n"),
    ]
    threads = [threading.Thread(target=f, args=a) for f, *a in jobs]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    reader("who reads nothing", 0)
    reader("who reads a byte now and then", 0.1)
    return f"{len(jobs) + 2} slow clients"


# ---- many ----

def p99(seconds):
    """Of one live client's requests, in ms; the machine may be busy, so the best of three."""
    best = 1e9
    for _ in range(3):
        took = []
        with connect(20) as s:
            end = time.monotonic() + seconds / 3
            while time.monotonic() < end:
                began = time.monotonic()
                s.sendall(line(b"GET /v1/keys HTTP/1.1"))
                answer = s.recv(65536)
                if b"200 OK" not in answer[:20]:
                    faults.append(f"the live client was told {answer[:80]!r}")
                    return 0
                took.append(time.monotonic() - began)
                time.sleep(0.002)
        took.sort()
        best = min(best, took[len(took) * 99 // 100] * 1000)
    return best


def memory_mb():
    for row in open(f"/proc/{pid}/status"):
        if row.startswith("VmRSS"):
            return int(row.split()[1]) / 1024
    raise SystemExit("no VmRSS")


def bounded(name, value, most):
    if value > most:
        faults.append(f"{name}: {value:.1f}, and may be {most}")


def floods():
    """Connections that are opened and left, and junk as fast as it goes, beside a live client."""
    stops = threading.Event()
    junk = [b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + os.urandom(200), os.urandom(4000),
            b"GET " + b"/" * 3000, post(CHUNKS, b"zz\r\n"), b"\r\n" * 500, b"A" * 8000]

    def flood(number):
        while not stops.is_set():
            try:
                with connect(1) as s:
                    s.sendall(junk[number % len(junk)])
                    if number % 2:
                        s.shutdown(socket.SHUT_WR)
                        hear(s)
                number += 1
            except OSError:
                pass
            time.sleep(0.001)

    threads = [threading.Thread(target=flood, args=(i,)) for i in range(6)]
    for t in threads:
        t.start()
    slowest = p99(3)
    stops.set()
    for t in threads:
        t.join()
    bounded("p99 under a flood, ms", slowest, 100)
    bounded("memory after a flood, MB", memory_mb() if exact else 0, 128)
    end = time.monotonic() + LIMIT + 3
    while figure("refereed_connections") > 1 and time.monotonic() < end:
        time.sleep(0.1)
    bounded("connections left by a flood", figure("refereed_connections"), 1)
    return f"p99 {slowest:.1f} ms under a flood"


def idle():
    count = int(os.environ.get("IDLE", "10000"))
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    if hard < count + 100:
        count = hard - 100
    held = []
    for _ in range(count):
        s = connect(20)
        s.sendall(line(b"GET /healthz HTTP/1.1"))
        held.append(s)
        if len(held) >= 64:
            held[-64].recv(4096)
    for s in held[-63:]:
        s.recv(4096)
    bounded("too few connections", count - figure("refereed_connections"), 0)
    slowest = p99(3)
    used = memory_mb() if exact else 0
    bounded(f"p99 beside {count} idle connections, ms", slowest, 100)
    bounded(f"memory with {count} idle connections, MB", used, 128)
    for s in held:
        s.close()
    return f"{count} idle connections: p99 {slowest:.1f} ms, {used:.0f} MB"


# ---- rates ----

def ask(method, path, credential=None, body=None, s=None):
    head = f"{method} {path} HTTP/1.1\r\nHost: x\r\n"
    if credential:
        head += f"Authorization: Bearer {credential}\r\n"
    raw = b""
    if body is not None:
        raw = json.dumps(body).encode()
        head += f"Content-Type: application/json\r\nContent-Length: {len(raw)}\r\n"
    said, _ = exchange(head.encode() + b"Connection: close\r\n\r\n" + raw, 20)
    top, _, rest = said.partition(b"\r\n\r\n")
    after = re.search(rb"(?i)retry-after: (\d+)", top)
    return statuses(said)[0], int(after[1]) if after else None, rest


def rates():
    """As set: 4 requests a second, 40 at once; seats 2 and 20; games 6 a minute, 5 at once."""
    made = [ask("POST", "/v1/games", None, {"ruleset": "engarde"}) for _ in range(7)]
    if [m[0] for m in made] != [201] * 5 + [429] * 2:
        faults.append(f"seven games: {[m[0] for m in made]}")
    if not all(m[1] and 5 <= m[1] <= 10 for m in made[5:]):
        faults.append(f"Retry-After of games is {[m[1] for m in made]}")
    if b'"rate_limited"' not in made[5][2]:
        faults.append(f"no problem: {made[5][2]!r}")
    if ask("GET", "/v1/keys")[0] != 200:
        faults.append("who may make no games may not look either")
    game = json.loads(made[0][2])
    seats = {s: json.loads(ask("POST", f"/v1/games/{game['id']}/seats/{s}", v["invite"], {})[2])
             ["credential"] for s, v in game["seats"].items()}
    path = f"/v1/games/{game['id']}"

    def turn():  # whoever is to act does; his credential is known from then on
        return json.loads(ask("GET", path, seats["left"])[2])["to_act"][0]

    first = turn()
    moves = json.loads(ask("GET", path + "/moves", seats[first])[2])["moves"]
    if ask("POST", path + "/moves", seats[first], {"move": moves[0]})[0] != 200:
        faults.append("no move")
    other = "right" if first == "left" else "left"
    got = 0
    while got < 100 and ask("GET", "/v1/keys")[0] == 200:
        got += 1
    status, after, _ = ask("GET", "/v1/keys")
    if status != 429 or after != 1:
        faults.append(f"the address is not limited after {got}: {status}, Retry-After {after}")
    if ask("GET", path, seats[other])[0] != 429:
        faults.append("a credential that did nothing has a budget of its own")
    if ask("GET", path, "rfs_made-up")[0] != 429:
        faults.append("a credential that is none has a budget of its own")
    mine = [ask("GET", path, seats[first]) for _ in range(40)]
    good = [m[0] for m in mine].count(200)
    if not 15 <= good <= 30 or {m[0] for m in mine} != {200, 429} or \
            any(m[1] != 1 for m in mine if m[0] == 429):
        faults.append(f"the player's budget: {[m[:2] for m in mine]}")
    time.sleep(1.2)
    if ask("GET", "/v1/keys")[0] != 200:
        faults.append("Retry-After was not true")
    return "budgets of addresses, players and games"


# ---- how many there may be ----

def limits():
    """As set: 8 connections, of one thread; the ninth is not served, and goes on when one ends."""
    held = [connect(5) for _ in range(8)]
    for s in held:
        s.sendall(line(b"GET /healthz HTTP/1.1"))
        s.recv(4096)
    ninth = connect(1)
    try:
        ninth.sendall(line(b"GET /healthz HTTP/1.1"))
        if ninth.recv(4096):
            faults.append("one connection more than there may be is served")
    except (TimeoutError, ConnectionError):
        pass
    ninth.close()
    for s in held[:2]:
        s.close()
    time.sleep(0.3)
    if ask("GET", "/healthz")[0] != 200:
        faults.append("a connection that is free again is not given to the next")
    return "as many connections as there may be"


print(globals()[what]())
if faults:
    sys.exit("\n".join(faults))
