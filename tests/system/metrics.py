"""The checks of metrics.sh, one a call: metrics.py CHECK ARGUMENTS."""
import collections
import http.client
import json
import os
import re
import socket
import subprocess
import sys
import time

ALL = {"refereed_build_info", "process_start_time_seconds", "refereed_moves_total",
       "refereed_games_made_total", "refereed_games_ended_total"}
faults = []


def must(what, have, want):
    if have != want:
        faults.append(f"{what}: {have!r} instead of {want!r}")


class Client:
    """Asks, and keeps count of what it was answered."""

    def __init__(self, address):
        self.address = address
        self.requests, self.problems, self.rulings = (collections.Counter() for _ in range(3))
        self.names = []
        self.connection = http.client.HTTPConnection(address, timeout=20)

    def ask(self, method, path, body=None, credential=None, route=None, **headers):
        text = None if body is None else json.dumps(body)
        if text:
            headers["Content-Type"] = "application/json"
        if credential:
            headers["Authorization"] = "Bearer " + credential
        self.connection.request(method, path, text,
                                {name.replace("_", "-"): value for name, value in headers.items()})
        answer = self.connection.getresponse()
        raw = answer.read()
        if answer.getheader("Connection") == "close":
            self.connection.close()
        self.names.append(answer.getheader("X-Request-Id"))
        route = route if route is not None else path
        told = "-" if route == "-" else "GET" if method == "HEAD" else method
        self.requests[told, route, str(answer.status)] += 1
        if "problem" in (answer.getheader("Content-Type") or "") and raw:
            problem = json.loads(raw)
            self.problems[problem["code"]] += 1
            if "ruling" in problem:
                self.rulings[problem["ruling"]] += 1
        return answer.status, raw


def read(raw):
    """Samples by name and labels; what promtool would complain of, if it is not there."""
    samples, kinds = {}, {}
    for line in raw.decode().splitlines():
        if line.startswith("# TYPE "):
            _, _, name, kind = line.split(" ")
            if name in kinds:
                faults.append(f"{name} comes twice")
            kinds[name] = kind
            continue
        if line.startswith("# HELP "):
            continue
        found = re.fullmatch(r"([a-z_]+)(?:\{(.*)\})? ([0-9.e+-]+)", line)
        if not found:
            faults.append(f"not a sample: {line}")
            continue
        labels = tuple(re.findall(r'(\w+)="([^"]*)"', found[2] or ""))
        if (found[1], labels) in samples:
            faults.append(f"{line} comes twice")
        base = re.sub(r"_(bucket|sum|count)$", "", found[1])
        if kinds.get(found[1]) is None and kinds.get(base) != "histogram":
            faults.append(f"{line} has no type")
        samples[found[1], labels] = float(found[3])
    return samples, set(kinds)


def rows(samples, name):
    return {tuple(v for _, v in labels): value for (n, labels), value in samples.items()
            if n == name and value}


def one(samples, name):
    return samples.get((name, ()))


class Game:
    def __init__(self, client):
        self.client = client
        status, raw = client.ask("POST", "/v1/games", {"ruleset": "engarde"})
        made = json.loads(raw)
        self.path = "/v1/games/" + made["id"]
        self.host, self.seat = made["host"], {}
        for seat in ("left", "right"):
            _, raw = self.ask("POST", "/seats/" + seat, {}, made["seats"][seat]["invite"],
                              "/seats/{seat}")
            self.seat[seat] = json.loads(raw)["credential"]

    def ask(self, method, rest, body, credential, pattern=None):
        return self.client.ask(method, self.path + rest, body, credential,
                               "/v1/games/{id}" + (rest if pattern is None else pattern))

    def play(self, count):
        """Legal moves; before each a move out of turn, and one of a card that is not held."""
        moves = 0
        for _ in range(count):
            view = json.loads(self.ask("GET", "", None, None)[1])
            if view["status"] != "playing":
                break
            mover = view["to_act"][0]
            other = "right" if mover == "left" else "left"
            legal = json.loads(self.ask("GET", "/moves", None, self.seat[mover])[1])["moves"]
            must("out of turn", self.ask("POST", "/moves", {"move": legal[0]},
                                         self.seat[other])[0], 409)
            must("a nonsense", self.ask("POST", "/moves", {"move": {"type": "x"}},
                                        self.seat[mover])[0], 422)
            for card in range(1, 6):
                if {"type": "retreat", "card": card} not in legal:
                    must("not held", self.ask("POST", "/moves",
                                              {"move": {"type": "retreat", "card": card}},
                                              self.seat[mover])[0], 422)
                    break
            must("a move", self.ask("POST", "/moves", {"move": legal[0]}, self.seat[mover])[0],
                 200)
            moves += 1
        return moves


def wait_for(what, value, want):
    for _ in range(200):
        if value() == want:
            return
        time.sleep(0.02)
    must(what, value(), want)


def junk(client):
    """Paths and methods of the client's own making."""
    for i in range(150):
        client.ask("GET", f"/junk/{i}", route="-")
        client.ask("GET", f"/v1/games/{'A' * 20}{i:02x}"[:32], route="/v1/games/{id}")
        client.ask(f"BREW{i % 40}X", "/v1", route="-")
        client.ask("POST", "/v1/keys", {}, route="-")
        client.ask("GET", f"/v1/rulesets/g{i}", route="/v1/rulesets/{id}")
    client.ask("OPTIONS", "/v1/games", route="-")
    client.ask("HEAD", "/v1")


def label_sets(samples):
    return {(name, tuple(k for k, _ in labels)) for name, labels in samples}, len(samples)


def counts(address, log, operator_file, out):
    client, looker = Client(address), Client(address)
    operator = open(operator_file).read().strip()

    def look():
        status, raw = looker.ask("GET", "/metrics", None, operator)
        must("the operator", status, 200)
        return read(raw)

    game = Game(client)
    # what the others are told
    for credential in (None, game.seat["left"], game.host):
        samples, names = read(looker.ask("GET", "/metrics", None, credential)[1])
        must("names for all", names, ALL)
        if not {n for n, _ in samples} <= ALL:
            faults.append("more is told to all than is for all")
    before = look()[0]
    quiet = looker.ask("GET", "/metrics")[1]
    view = json.loads(game.ask("GET", "", None, None)[1])
    mover = view["to_act"][0]
    for card in (0, 9):
        game.ask("POST", "/moves", {"move": {"type": "advance", "card": card}}, game.seat[mover])
    must("for all, before and after what was in vain", looker.ask("GET", "/metrics")[1], quiet)

    moves = game.play(6)
    if moves < 4:
        faults.append("there were too few moves")
    must("resigned", game.ask("POST", "/resign", {}, game.seat["left"])[0], 200)
    aborted = Game(client)
    must("aborted", aborted.ask("POST", "/abort", {}, operator)[0], 200)
    junk(client)
    samples, names = look()
    must("for all are a part", ALL <= names and len(names) > len(ALL), True)
    mine = {k: v for k, v in rows(samples, "refereed_requests_total").items()
            if k[1] != "/metrics"}
    must("requests", mine, dict(client.requests))
    must("problems", {k[0]: v for k, v in rows(samples, "refereed_problems_total").items()},
         dict(client.problems))
    must("refusals", {k[1]: v for k, v in rows(samples, "refereed_refusals_total").items()},
         dict(client.rulings))
    if len(client.rulings) < 1 or client.problems["illegal_move"] < 4:
        faults.append(f"there was not much refused: {client.rulings}")
    must("moves", rows(samples, "refereed_moves_total"), {("engarde",): moves})
    must("made", rows(samples, "refereed_games_made_total"), {("engarde",): 2})
    must("ended", rows(samples, "refereed_games_ended_total"),
         {("engarde", "resigned"): 1, ("engarde", "aborted"): 1})
    must("in memory", one(samples, "refereed_games_in_memory"), 2)
    must("failures", one(samples, "refereed_commit_failures_total"), 0)
    must("queue", one(samples, "refereed_queue_changes"), 0)
    must("snapshots", one(samples, "refereed_snapshots_total"), 2)
    must("rate", one(samples, "refereed_rate_limited_total"), 0)
    taken = sum(rows(samples, "refereed_requests_total").values())
    timed = sum(rows(samples, "refereed_request_seconds_count").values())
    must("times", timed, taken)
    changes = one(samples, "refereed_commit_changes_sum")
    must("changes", changes, sum(n for (m, _, s), n in client.requests.items()
                                 if m == "POST" and s in ("200", "201")))
    for file in ("database", "log"):
        if not samples.get(("refereed_store_bytes", (("file", file),))):
            faults.append(f"the size of the {file} is not told")

    # no client makes a label
    sets = label_sets(samples)
    junk(client)
    must("label sets", label_sets(look()[0]), sets)
    for (_, labels) in samples:
        for _, value in labels:
            if re.search("junk|BREW|AAAA", value) or any(g.path[10:] in value for g in (game, aborted)):
                faults.append(f"a label holds {value}")

    # who watches
    stream = socket.create_connection(tuple(address.split(":")), 10)
    stream.sendall(f"GET {game.path}/events HTTP/1.1\r\nHost: x\r\nX-Request-Id: a-stream\r\n"
                   "Accept: text/event-stream\r\n\r\n".encode())
    if b"X-Request-Id: a-stream\r\n" not in stream.recv(4096):
        faults.append("a stream does not tell its name")
    poll = socket.create_connection(tuple(address.split(":")), 10)
    third = Game(client)
    poll.sendall(f"GET {third.path}/events?wait=30&after=99 HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    wait_for("a poll", lambda: one(look()[0], "refereed_long_polls"), 1)
    stream.close()
    poll.close()
    third.ask("POST", "/abort", {}, operator)
    wait_for("no poll", lambda: one(look()[0], "refereed_long_polls"), 0)
    wait_for("no stream", lambda: one(look()[0], "refereed_streams"), 0)
    live = Game(client)
    stream = socket.create_connection(tuple(address.split(":")), 10)
    stream.sendall(f"GET {live.path}/events HTTP/1.1\r\nHost: x\r\n"
                   "Accept: text/event-stream\r\n\r\n".encode())
    wait_for("a stream", lambda: one(look()[0], "refereed_streams"), 1)
    stream.close()
    if not one(look()[0], "refereed_watchdog_pings_total"):
        faults.append("no ping was counted")
    if before[("process_start_time_seconds", ())] > time.time():
        faults.append("it was started in the future")
    with open(out, "wb") as file:
        file.write(looker.ask("GET", "/metrics", None, operator)[1])


def full(address):
    client = Client(address)
    for _ in range(40):
        status, raw = client.ask("GET", "/readyz")
        if status == 503:
            break
        time.sleep(0.25)
    must("readiness on a full disk", status, 503)
    must("its words", json.loads(raw)["detail"], "The store cannot be written: the disk is full.")
    must("health on a full disk", client.ask("GET", "/healthz")[0], 200)
    must("a game on a full disk", client.ask("POST", "/v1/games", {"ruleset": "engarde"})[0], 507)


def ready(address):
    client = Client(address)
    for _ in range(40):
        status, _ = client.ask("GET", "/readyz")
        if status == 200:
            break
        time.sleep(0.25)
    must("readiness after it", status, 200)


def early(address):
    status, raw = Client(address).ask("GET", "/readyz")
    must("readiness before its time", status, 503)
    must("its words", json.loads(raw)["detail"], "The clock stands before what was written last.")


def separate(address, own, operator_file):
    client, operator = Client(address), open(operator_file).read().strip()
    must("the main address", client.ask("GET", "/metrics")[0], 404)
    must("the main address, to the operator", client.ask("GET", "/metrics", None, operator)[0], 404)
    figures = Client(own)
    status, raw = figures.ask("GET", "/metrics")
    must("the own address", status, 200)
    samples, names = read(raw)
    must("all of it", len(names) > len(ALL), True)
    # junk and metrics on both are told, the games are not there
    for path in ("/v1", "/healthz", "/", "/v1/games", "/metrics/", "/metrics?x=1"):
        must(path, figures.ask("GET", path)[0], 200 if "?" in path else 404)
    must("a head", figures.ask("HEAD", "/metrics")[0], 200)
    must("a post", figures.ask("POST", "/v1/games", {"ruleset": "engarde"})[0], 404)
    asks = rows(read(figures.ask("GET", "/metrics")[1])[0], "refereed_requests_total")
    must("asked here", asks[("GET", "/metrics", "200")], 3)
    must("asked there", asks[("GET", "/metrics", "404")], 2)


def inherited(program, state):
    """Sockets as systemd hands them over, the second one by name."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
    ports = [s.getsockname()[1] for s in sockets]

    def place():
        kept = [os.dup(s.fileno()) for s in sockets]
        high = [os.dup2(fd, 20 + i) for i, fd in enumerate(kept)]
        for i, fd in enumerate(high):
            os.dup2(fd, 3 + i)

    daemon = subprocess.Popen(
        ["sh", "-c", f'LISTEN_PID=$$ exec "{program}" serve --state "{state}"'],
        close_fds=False, preexec_fn=place, stderr=subprocess.DEVNULL,
        env={**os.environ, "LISTEN_FDS": "2", "LISTEN_FDNAMES": "refereed.socket:metrics"})
    try:
        main, own = (Client(f"127.0.0.1:{port}") for port in ports)
        must("/v1 of the first", main.ask("GET", "/v1")[0], 200)
        must("figures of the first", main.ask("GET", "/metrics")[0], 404)
        must("figures of the second", own.ask("GET", "/metrics")[0], 200)
        must("/v1 of the second", own.ask("GET", "/v1")[0], 404)
    finally:
        daemon.terminate()
        must("its end", daemon.wait(20), 0)


SECRET = "rfs_" + "Q7" * 21 + "A"


def some_requests(address):
    """Requests of each kind; returns method, route, status and name of each."""
    client, told = Client(address), []

    def ask(method, path, route, name=None, **more):
        if name is not None:
            more["X_Request_Id"] = name
        status, _ = client.ask(method, path, route=route, **more)
        told.append((method, route, status, client.names[-1]))
        return client.names[-1]

    must("own name", ask("GET", "/v1", "/v1", "mine.1_2-3"), "mine.1_2-3")
    must("longest name", ask("GET", "/v1", "/v1", "x" * 64), "x" * 64)
    for bad in (SECRET, "a " + SECRET, "x" * 65, 'a"b', "a b", "", "a=b"):
        name = ask("GET", "/v1/keys", "/v1/keys", bad)
        if not re.fullmatch("[0-9a-f]{16}", name or ""):
            faults.append(f"{bad!r} was answered by {name!r}")
    ask("GET", "/nowhere", "-")
    ask("GET", f"/v1/games/{SECRET}", "-", credential=SECRET)
    ask("GET", "/v1/games/" + "A" * 22, "/v1/games/{id}", credential=SECRET)
    ask("POST", "/v1/games", "/v1/games", body={"ruleset": "engarde"})
    ask("POST", "/v1/games", "/v1/games", body={"ruleset": SECRET})
    ask("GET", "/v1?a=" + SECRET, "-")
    # what never comes as far as a handler
    with socket.create_connection(tuple(address.split(":")), 10) as s:
        s.sendall(b"GET /v1 HTTP/1.1\r\nHost: x\r\nX-Request-Id: bare\r\n" +
                  b"A: b\r\n" * 60 + b"\r\n")
        first = s.recv(4096).decode()
        told.append(("GET", "-", int(first.split(" ")[1]), "bare"))
        if "X-Request-Id: bare\r\n" not in first:
            faults.append("a header that is too large has no name: " + first[:200])
    if len({name for *_, name in told}) != len(told):
        faults.append("names come twice")
    return told


def logged(log, told):
    for _ in range(100):
        with open(log, encoding="utf-8") as file:
            text = file.read()
        if all(name in text for *_, name in told):
            break
        time.sleep(0.02)
    for word in (SECRET, SECRET[4:], "rfs_", "Bearer", "ruleset"):
        if word in text:
            faults.append(f"{word} is in the log")
    return text


def logs(address, log, form):
    told = some_requests(address)
    text = logged(log, told)
    for method, route, status, name in told:
        lines = [line for line in text.splitlines() if name in line]
        if len(lines) != 1:
            faults.append(f"{len(lines)} lines of {name}")
            continue
        level = "warning" if status >= 500 else "info"
        if form == "json":
            line = json.loads(lines[0])
            must("a line", (line["level"], line["method"], line["route"], line["status"],
                            line["id"]), (level, method, route, status, name))
            continue
        lead = {"text": f"refereed: {level}: ", "journal": "<6>" if level == "info" else "<4>"}[form]
        if not re.fullmatch(re.escape(f"{lead}{method} {route} {status} ") +
                            r"\d+us( [0-9a-f]{8})?" + re.escape(f" id={name}"), lines[0]):
            faults.append(f"a line of {name}: {lines[0]}")


def quiet(address, log, form):
    told = some_requests(address)
    time.sleep(0.1)
    text = logged(log, [])
    for *_, status, name in told:
        if status < 500 and name in text:
            faults.append(f"{name} is in the log of level warning")


globals()[sys.argv[1]](*sys.argv[2:])
print("\n".join(faults), end="\n" if faults else "")
sys.exit(bool(faults))
