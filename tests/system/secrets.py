"""Plays a game of each kind and looks for what is hidden where it must not be.

    secrets.py HOST:PORT PID STATE LOG

What a viewer was sent is kept byte by byte, and with it the claims inside the tokens. Each secret
is looked for raw, in hex and in base64 of all three alignments. A search that finds nothing must
have found what is there: each kind has a counter-check.
"""
import base64
import glob
import hashlib
import http.client
import json
import os
import random
import re
import socket
import sys

address, pid, state, log = sys.argv[1:5]
chance = random.Random(7)
faults, searches = [], 0


def forms(secret):
    """A secret of 16 bytes or more, as it could stand somewhere."""
    found = {secret, secret.hex().encode(), secret.hex().upper().encode()}
    for skip in range(3):
        whole = base64.b64encode(b"\0" * skip + secret)
        inner = whole[4 if skip else 0:len(whole) // 4 * 4 - 4]
        found.add(inner)
        found.add(inner.replace(b"+", b"-").replace(b"/", b"_"))
    return found


def has(where, secret):
    global searches
    searches += 1
    return any(form in where for form in forms(secret))


def absent(where, name, secrets):
    for what, secret in secrets:
        if has(where, secret):
            faults.append(f"{what} is in {name}")


def present(where, name, what, secret):
    if not has(where, secret):
        faults.append(f"the search does not find {what} in {name}, where it is")


def opened_tokens(body):
    """The claims of all tokens in an answer."""
    out = b""
    for token in re.findall(rb"v4\.public\.([A-Za-z0-9_-]+)", body):
        out += base64.urlsafe_b64decode(token + b"=" * (-len(token) % 4))[:-64] + b"\n"
    return out


class Viewer:
    """One who looks on: his credential, all bytes that he was sent, and what was opened to him."""

    def __init__(self, game, seat=None, credential=None):
        self.game, self.seat, self.credential = game, seat, credential
        self.sent, self.openings = b"", {}

    def headers(self, more=()):
        headers = dict(more)
        if self.credential:
            headers["Authorization"] = "Bearer " + self.credential
        return headers

    def ask(self, path, body=None):
        connection = http.client.HTTPConnection(address, timeout=20)
        text = None if body is None else json.dumps(body)
        more = {"Content-Type": "application/json"} if text else {}
        connection.request("GET" if body is None else "POST", f"/v1/games/{self.game.id}{path}",
                           text, self.headers(more))
        answer = connection.getresponse()
        raw = str(answer.headers).encode() + answer.read()
        connection.close()
        self.keep(raw)
        value = json.loads(raw.split(b"\n\n", 1)[1])
        return answer.status, value

    def keep(self, raw):
        self.sent += raw + opened_tokens(raw)
        for one in re.findall(rb'\{"component":"[^}]*\}', raw + opened_tokens(raw)):
            opening = json.loads(one)
            self.openings[opening["component"]] = opening

    def stream(self, accept):
        """What a stream says within a moment."""
        host, port = address.rsplit(":", 1)
        with socket.create_connection((host, int(port)), 5) as s:
            lines = [f"GET /v1/games/{self.game.id}/events?tokens=1 HTTP/1.1", "Host: x",
                     f"Accept: {accept}"]
            lines += [f"{k}: {v}" for k, v in self.headers().items()]
            s.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
            s.settimeout(0.3)
            raw = b""
            try:
                while piece := s.recv(65536):
                    raw += piece
            except TimeoutError:
                pass
        # Chunks may cut a value in two: their frames are taken out.
        head, _, body = raw.partition(b"\r\n\r\n")
        self.keep(re.sub(rb"(?:^|\r\n)[0-9a-fA-F]+\r\n", b"", body) + head)
        if b'"created"' not in raw:
            faults.append("a stream said nothing")

    def look(self):
        view = self.ask("")[1]
        self.ask("/events?tokens=1")
        self.ask("/head")
        self.ask("/transcript")
        self.ask("/moves")
        self.ask("/setup")
        self.stream("text/event-stream")
        self.stream("application/x-ndjson")
        return view


class Game:
    def __init__(self, ruleset, seats, options=None):
        connection = http.client.HTTPConnection(address, timeout=20)
        body = {"ruleset": ruleset, "options": options or {}}
        connection.request("POST", "/v1/games", json.dumps(body),
                           {"Content-Type": "application/json"})
        made = json.loads(connection.getresponse().read())
        self.id, self.names = made["id"], seats
        self.gid = base64.urlsafe_b64decode(self.id + "==")
        self.host = made["host"]
        self.credentials = [self.host] + [made["seats"][s]["invite"] for s in seats]
        self.spectator = Viewer(self)
        self.seats = {s: Viewer(self, s, made["seats"][s]["invite"]) for s in seats}
        self.seeds, self.secrets = {}, {}
        for number, seat in enumerate(seats):
            self.seeds[seat] = chance.randbytes(32)
            commit = hashlib.blake2b(b"refereed/pseed/1" + self.gid + bytes([0, number]) +
                                     self.seeds[seat], digest_size=32).hexdigest()
            viewer = self.seats[seat]
            taken = viewer.ask(f"/seats/{seat}", {"name": f"Canary {seat}",
                                                  "seed_commit": commit})[1]
            viewer.credential = taken["credential"]
            self.credentials.append(viewer.credential)

    def tell_seeds(self):
        for seat, viewer in self.seats.items():
            viewer.ask("/seeds", {"seed": self.seeds[seat].hex()})

    def play(self, moves):
        for _ in range(moves):
            view = self.spectator.ask("")[1]
            if view["status"] != "playing":
                return
            viewer = self.seats[view["to_act"][0]]
            listed = viewer.ask("/moves")[1]["moves"]
            viewer.ask("/moves", {"move": chance.choice(listed)})
            viewer.ask("/moves", {"move": {"type": "nonsense"}})

    def end(self):
        next(iter(self.seats.values())).ask("/resign", {})
        return self.spectator.ask("/events?tokens=1")[1]["events"]

    def credential_bytes(self):
        return [("a credential", base64.urlsafe_b64decode(c[4:] + "=")) for c in self.credentials]


def nonce(secret, gid, context, index):
    return hashlib.blake2b(b"refereed/nonce/1" + secret + gid + bytes([context, index]),
                           digest_size=32).digest()


def files():
    out = {}
    for path in glob.glob(os.path.join(state, "*")):
        if os.path.isfile(path):
            out[os.path.basename(path)] = open(path, "rb").read()
    return out


def process():
    out = {"the log": open(log, "rb").read()}
    for name in ("cmdline", "environ"):
        out[name] = open(f"/proc/{pid}/{name}", "rb").read()
    return out


def check_spectators(game, secrets):
    """Nobody else's credential, no seed or secret, is in what anyone was sent."""
    for viewer in [game.spectator, *game.seats.values()]:
        own = viewer.credential or ""
        for secret in game.credentials:
            if secret != own and secret.encode() in viewer.sent and viewer.seat is None:
                faults.append("a credential was sent to a spectator")
    absent(game.spectator.sent, "what a spectator was sent", secrets)


def check_rest(game, secrets, words=()):
    """What lies on the disk and what the log says while the game goes on."""
    secrets = secrets + game.credential_bytes()
    for name, content in {**files(), **process()}.items():
        absent(content, name, secrets)
        for word in words:
            if word in content:
                faults.append(f"{word[:20]!r} is in {name}")
    logged = process()["the log"]
    for word in (b"Canary", b"nonsense", b"Bearer", b"rfs_", b'"move"'):
        if word in logged:
            faults.append(f"{word!r} is in the log")


def check_end(game, stolen):
    """The end opens the referee's seed; what was on the disk before must not hold it."""
    ended = game.end()[-1]
    seed = bytes.fromhex(ended["referee_seed"])
    for name, content in stolen.items():
        absent(content, name + " before the end", [("the referee's seed", seed)])
    present(b"".join(files().values()), "the store", "the opened seed", seed)
    return seed


RANKS = ("flag spy scout miner gunner corporal cadet captain general marshal mine").split()
COUNTS = (1, 1, 8, 6, 5, 4, 3, 2, 1, 1, 8)


def home(side, slot):
    column, row = slot % 10, slot // 10
    return f"{'abcdefghij'[column]}{row + 1}" if side == 0 else \
        f"{'jihgfedcba'[column]}{10 - row}"


def stratego():
    game = Game("stratego", ["red", "blue"])
    game.tell_seeds()
    ranks = {}
    for side, (seat, viewer) in enumerate(game.seats.items()):
        mine = [r for r, n in enumerate(COUNTS) for _ in range(n)]
        chance.shuffle(mine)
        ranks[seat] = bytes(mine)
        pieces = {home(side, slot): RANKS[rank] for slot, rank in enumerate(mine)}
        done = viewer.ask("/setup", {"pieces": pieces})[1]
        game.secrets[seat] = bytes.fromhex(done["secret"])
    game.play(60)
    views = {viewer.seat: viewer.look() for viewer in [game.spectator, *game.seats.values()]}
    secrets = [(f"the secret of {s}", game.secrets[s]) for s in game.seats]
    everything = secrets + [(f"a set-up of {s}", ranks[s]) for s in game.seats]
    for side, seat in enumerate(game.seats):
        other = game.seats[game.names[1 - side]]
        hidden = [(f"the nonce of {seat}/{home(side, slot)}",
                   nonce(game.secrets[seat], game.gid, 0, slot)) for slot in range(40)
                  if f"{seat}/{home(side, slot)}" not in other.openings]
        everything += hidden
        absent(other.sent, f"what {other.seat} was sent", hidden + [secrets[side]])
        seen = {o["face"] for c, o in other.openings.items() if c.startswith(seat)}
        told = [p for p in views[other.seat]["board"]["pieces"].values() if p[0] == seat and p[1]]
        if len(told) > len(other.openings) or any(p[1] not in seen for p in told):
            faults.append(f"{other.seat} sees ranks that no combat has opened: {told}")
        for component in other.openings:
            if not component.startswith(seat + "/"):
                faults.append(f"{component} was opened to {other.seat}")
        present(game.seats[seat].sent, f"what {seat} was sent", "its own secret",
                game.secrets[seat])
    if any(p[1] for p in views[None]["board"]["pieces"].values()) or game.spectator.openings:
        faults.append("a spectator sees ranks")
    for word in RANKS:
        # A rank's name may stand in the options or nowhere; never beside a square.
        if re.search(rb'"(red|blue)","' + word.encode(), game.spectator.sent):
            faults.append(f"a spectator was told of a {word}")
    check_spectators(game, secrets)
    words = [w for s in game.seats for w in (b'"a1":"' + RANKS[ranks[s][0]].encode(),)]
    check_rest(game, everything, words)
    stolen = files()
    check_end(game, stolen)
    opened = game.spectator.ask("")[1]["board"]["pieces"]
    if not all(p[1] for p in opened.values()):
        faults.append("the end did not open the pieces")


def engarde():
    game = Game("engarde", ["left", "right"])
    game.tell_seeds()
    game.play(7)
    left, right = game.seats.values()
    views = {viewer.seat: viewer.look() for viewer in (game.spectator, left, right)}
    over = views[None]["board"]["round"] > 1
    for viewer, other in ((left, right), (right, left), (game.spectator, left)):
        hands = views[viewer.seat]["board"]["hands"]
        if not isinstance(hands[other.seat], int):
            faults.append(f"{viewer.seat} sees the hand of {other.seat}")
        hidden = [(f"the nonce of {c}", bytes.fromhex(o["nonce"])) for c, o in
                  other.openings.items() if over or c not in viewer.openings]
        absent(viewer.sent, f"what {viewer.seat} was sent", hidden)
        if not over and set(viewer.openings) & set(other.openings):
            faults.append(f"{viewer.seat} was shown a card of {other.seat}")
        present(other.sent, f"what {other.seat} was sent", "its own nonce", hidden[0][1])
    nonces = [("a nonce", bytes.fromhex(o["nonce"])) for v in (left, right)
              for o in v.openings.values()]
    check_spectators(game, nonces)
    check_rest(game, nonces)
    stolen = files()
    seed = check_end(game, stolen)
    decks = [(f"the nonce of card {i}", nonce(seed, game.gid, 1, i)) for i in range(25)]
    for name, content in stolen.items():
        absent(content, name, decks)


def roquefort():
    game = Game("roquefort", ["yellow", "red"])
    game.tell_seeds()
    game.play(12)
    view = game.spectator.look()
    board = view["board"]
    known = {s for s, face in board["tiles"].items() if face}
    if len(known) > 4 * len(board["uncovered"]):
        faults.append(f"more tiles are told than lie open: {known}")
    stolen = files()
    seen = dict(game.spectator.openings)
    check_spectators(game, [])
    check_rest(game, [])
    seed = check_end(game, stolen)
    covered = [(f"the nonce of tile {i}", nonce(seed, game.gid, 0, i)) for i in range(34)
               if f"tile/{i}" not in seen]
    for name, content in stolen.items():
        absent(content, name, covered)


def keys():
    """The keys lie in files that nobody else may read, and nowhere else."""
    secrets = []
    for path in glob.glob(os.path.join(state, "keys", "*.key")):
        content = open(path, "rb").read()
        if os.stat(path).st_mode & 0o077:
            faults.append(f"{path} can be read by others")
        raw = content if len(content) == 32 else None
        text = content.strip()
        if raw is None and re.fullmatch(rb"[0-9a-f]{64}", text):
            raw = bytes.fromhex(text.decode())
        if raw is None:
            raw = text
        secrets.append((os.path.basename(path), raw))
    if len(secrets) < 2:
        faults.append("the keys were not found")
    for name, content in {**files(), **process()}.items():
        absent(content, name, secrets)


stratego()
engarde()
roquefort()
keys()
print("\n".join(sorted(set(faults))) or f"{searches} searches, nothing found that is hidden")
sys.exit(bool(faults))
