"""Plays a game of each kind and looks for what is hidden where it must not be.

    secrets.py HOST:PORT PID STATE LOG REFEREED OPERATOR

REFEREED is the program, for a backup in mid-game, OPERATOR the file with the operator's credential.

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
import subprocess
import sys

address, pid, state, log, program, operator_file = sys.argv[1:7]
operator = open(operator_file).read().strip()
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

    def ask(self, path, body=None, key=None):
        connection = http.client.HTTPConnection(address, timeout=20)
        text = None if body is None else json.dumps(body)
        more = {"Content-Type": "application/json"} if text else {}
        if key:
            more["Idempotency-Key"] = key
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


def fresh_key():
    """An Idempotency-Key: the answer is kept, credentials and secrets in it included."""
    return "canary-key-" + chance.randbytes(16).hex()


class Game:
    def __init__(self, ruleset, seats, **more):
        connection = http.client.HTTPConnection(address, timeout=20)
        body = {"ruleset": ruleset, **more}
        connection.request("POST", "/v1/games", json.dumps(body),
                           {"Content-Type": "application/json", "Idempotency-Key": fresh_key(),
                            "Authorization": "Bearer " + operator})
        made = json.loads(connection.getresponse().read())
        self.id, self.names = made["id"], seats
        self.gid = base64.urlsafe_b64decode(self.id + "==")
        self.host = made["host"]
        self.credentials = [self.host] + [made["seats"][s]["invite"] for s in seats]
        self.spectator = Viewer(self)
        self.seats = {s: Viewer(self, s, made["seats"][s]["invite"]) for s in seats}
        self.seeds, self.secrets, self.lies = {}, {}, []
        for number, seat in enumerate(seats):
            self.seeds[seat] = chance.randbytes(32)
            commit = hashlib.blake2b(b"refereed/pseed/1" + self.gid + bytes([0, number]) +
                                     self.seeds[seat], digest_size=32).hexdigest()
            viewer = self.seats[seat]
            taken = viewer.ask(f"/seats/{seat}", {"name": f"Canary {seat}",
                                                  "seed_commit": commit}, fresh_key())[1]
            viewer.credential = taken["credential"]
            self.credentials.append(viewer.credential)

    def tell_seeds(self):
        for seat, viewer in self.seats.items():
            lie = chance.randbytes(32)
            viewer.ask("/seeds", {"seed": lie.hex()})
            self.lies.append(("a seed that was refused", lie))
            viewer.ask("/seeds", {"seed": self.seeds[seat].hex()})

    def misplace_credentials(self):
        """What is sent where it does not belong is refused, and not written down on the way."""
        for credential in [*self.credentials, operator]:
            for path in (f"/v1/games/{self.id}?token={credential}",
                         f"/v1/games/{credential}", f"/{credential}",
                         f"/v1/games/{self.id}/seats/{credential}"):
                connection = http.client.HTTPConnection(address, timeout=20)
                connection.request("GET", path, None, {"Authorization": credential,
                                                       "Last-Event-ID": credential,
                                                       "X-Request-Id": credential})
                connection.getresponse().read()
                connection.close()

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

    def credential_bytes(self, but=None):
        return [("a credential", base64.urlsafe_b64decode(c[4:] + "="))
                for c in [*self.credentials, operator] if c != but]


def nonce(secret, gid, context, index):
    return hashlib.blake2b(b"refereed/nonce/1" + secret + gid + bytes([context, index]),
                           digest_size=32).digest()


def files():
    """All that lies in the state folder but the keys, and what a backup makes of it."""
    out, copy = {}, os.path.join(os.path.dirname(state), "backup.db")
    if os.path.exists(copy):
        os.remove(copy)
    subprocess.run([program, "backup", copy, "--state", state], check=True,
                   stdout=subprocess.DEVNULL)
    for folder, _, names in os.walk(state):
        for name in names:
            path = os.path.join(folder, name)
            if os.path.basename(folder) != "keys" and os.path.isfile(path):
                out[os.path.relpath(path, state)] = open(path, "rb").read()
    out["the backup"] = open(copy, "rb").read()
    for name in ("games.db-wal", "games.db", "the backup"):
        if not out.get(name):
            faults.append(f"{name} is not there to be searched")
    return out


def process():
    """The log, and what /proc tells of the process besides its memory."""
    out = {"the log": open(log, "rb").read()}
    for path in glob.glob(f"/proc/{pid}/*") + glob.glob(f"/proc/{pid}/task/*/*"):
        if os.path.basename(path) in ("mem", "pagemap", "clear_refs") or os.path.islink(path) or \
                not os.path.isfile(path):
            continue
        try:
            with open(path, "rb") as file:
                out[path] = file.read(1 << 22)
        except OSError:
            continue
    for path in glob.glob(f"/proc/{pid}/fd/*"):
        try:
            out[path] = os.readlink(path).encode()
        except OSError:
            continue
    for name in ("cmdline", "environ", "maps", "status"):
        if f"/proc/{pid}/{name}" not in out:
            faults.append(f"{name} is not there to be searched")
    if b"Max core file size        0                    0 " not in out[f"/proc/{pid}/limits"]:
        faults.append("the process may leave a core")
    return out


def everywhere(game):
    """All places where nobody may find what is hidden from all."""
    sent = {f"what {v.seat or 'a spectator'} was sent": v.sent
            for v in [game.spectator, *game.seats.values()]}
    return {**sent, **files(), **process()}


def check_viewers(game, secrets):
    """No other's credential, and no seed or secret, is in what anyone was sent."""
    for viewer in [game.spectator, *game.seats.values()]:
        absent(viewer.sent, f"what {viewer.seat or 'a spectator'} was sent",
               game.credential_bytes(viewer.credential) + game.lies)
    absent(game.spectator.sent, "what a spectator was sent", secrets)
    if game.credentials and not all(has(v.sent, base64.urlsafe_b64decode(v.credential[4:] + "="))
                                    for v in game.seats.values()):
        faults.append("the search does not find the credential that a seat was given")


def check_rest(game, secrets, words=()):
    """What lies on the disk and what the log says while the game goes on."""
    game.misplace_credentials()
    secrets = secrets + game.credential_bytes() + game.lies
    for name, content in {**files(), **process()}.items():
        absent(content, name, secrets)
        for word in (b'"nonce"', b'"face"', b'"opens"', b"canary-key", *words):
            if word in content:
                faults.append(f"{word[:20]!r} is in {name}")
    logged = process()["the log"]
    for word in (b"Canary", b"nonsense", b"Bearer", b"rfs_", b'"move"', b"marshal"):
        if word in logged:
            faults.append(f"{word!r} is in the log")
    if b"/v1/games/{id}" not in logged:
        faults.append("the log says nothing of requests")


def check_end(game, before):
    """The end opens the referee's seed; nothing held it before."""
    ended = game.end()[-1]
    seed = bytes.fromhex(ended["referee_seed"])
    check_seed(before, seed)
    return seed


def check_seed(before, seed):
    for name, content in before.items():
        absent(content, name + " before the end", [("the referee's seed", seed)])
    present(b"".join(files().values()), "the store", "the opened seed", seed)


def hashed(tag, *parts):
    return hashlib.blake2b(tag + b"".join(parts), digest_size=32).digest()


def shuffles(game, seed, number, count):
    """The shuffles of one round, one behind the other (docs/protocol.md, "Shuffle of n")."""
    key = hashed(b"refereed/mixed/1", game.gid, bytes([number, len(game.names)]), seed,
                 *(game.seeds[s] for s in game.names))

    def words():
        block = 0
        while True:
            out = hashlib.blake2b(b"refereed/deals/1" + key + block.to_bytes(8, "little")).digest()
            yield from (int.from_bytes(out[i:i + 4], "little") for i in range(0, 64, 4))
            block += 1

    stream = words()
    while True:
        order = list(range(count))
        for i in range(count - 1, 0, -1):
            word = next(w for w in stream if w < 2**32 - 2**32 % (i + 1))
            j = word % (i + 1)
            order[i], order[j] = order[j], order[i]
        yield bytes(order)


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
        done = viewer.ask("/setup", {"pieces": pieces}, fresh_key())[1]
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
    check_viewers(game, secrets)
    words = [w for s in game.seats for w in (b'"a1":"' + RANKS[ranks[s][0]].encode(),)]
    check_rest(game, everything, words)
    check_end(game, everywhere(game))
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
        if hidden:
            present(other.sent, f"what {other.seat} was sent", "its own nonce", hidden[0][1])
    nonces = [("a nonce", bytes.fromhex(o["nonce"])) for v in (left, right)
              for o in v.openings.values()]
    check_viewers(game, nonces)
    check_rest(game, nonces)
    before, stolen = everywhere(game), files()
    seed = check_end(game, before)
    deck = next(shuffles(game, seed, 1, 25))
    values = bytes(card // 5 + 1 for card in deck)
    cards = [(f"the nonce of card {i}", nonce(seed, game.gid, 1, i)) for i in range(25)]
    told = [e for e in game.spectator.ask("/events")[1]["events"] if e["type"] == "round_started"]
    if told[0]["commitments"] != [hashed(b"refereed/cards/1", game.gid, bytes([1, i, values[i], 0]),
                                         cards[i][1]).hex() for i in range(25)]:
        faults.append("the deck that is searched for is not the one that was dealt")
    for name, content in {**before, **stolen}.items():
        absent(content, name, [("the deck", deck), ("the deck's values", values)])
    for name, content in stolen.items():
        absent(content, name, cards)


def roquefort():
    game = Game("roquefort", ["yellow", "red"])
    game.tell_seeds()
    game.play(12)
    view = game.spectator.look()
    board = view["board"]
    known = {s for s, face in board["tiles"].items() if face}
    if len(known) > 4 * len(board["uncovered"]):
        faults.append(f"more tiles are told than lie open: {known}")
    check_viewers(game, [])
    check_rest(game, [])
    before = everywhere(game)
    seen = {c for v in [game.spectator, *game.seats.values()] for c in v.openings}
    seed = check_end(game, before)
    covered = [(f"the nonce of tile {i}", nonce(seed, game.gid, 0, i)) for i in range(34)
               if f"tile/{i}" not in seen]
    started = [e for e in game.spectator.ask("/events")[1]["events"] if e["type"] == "started"]
    castle = [order for order, _ in zip(shuffles(game, seed, 1, 34), range(started[0]["tries"]))]
    for name, content in before.items():
        absent(content, name, covered + [("the castle", castle[-1])])


class Side:
    """A side in players' custody: its faces never leave it but for what it opens."""

    def __init__(self, game, number):
        self.seat, self.number = game.names[number], number
        self.viewer, self.secret = game.seats[self.seat], chance.randbytes(32)
        self.ranks = [r for r, n in enumerate(COUNTS) for _ in range(n)]
        chance.shuffle(self.ranks)
        # Scouts stand in front, where they soon meet somebody.
        for slot in (31, 34, 38):
            scout = self.ranks.index(2)
            self.ranks[slot], self.ranks[scout] = self.ranks[scout], self.ranks[slot]
        self.nonces = [nonce(self.secret, game.gid, 0, slot) for slot in range(40)]
        self.at = {home(number, slot): slot for slot in range(40)}
        commitments = [hashed(b"refereed/piece/1", game.gid, bytes([number, slot, rank, 0]),
                              self.nonces[slot]).hex() for slot, rank in enumerate(self.ranks)]
        self.viewer.ask("/setup", {"commitments": commitments}, fresh_key())

    def name(self, slot):
        return f"{self.seat}/{home(self.number, slot)}"

    def open(self, slot, false_nonce=None):
        return {"slot": slot, "face": RANKS[self.ranks[slot]],
                "nonce": (false_nonce or self.nonces[slot]).hex()}

    def open_all(self):
        return {"opens": [self.open(slot) for slot in self.at.values()]}

    def hidden(self):
        return [(f"the nonce of {self.name(slot)}", n) for slot, n in enumerate(self.nonces)]


def is_long(move):
    rows = int(move["from"][1:]) - int(move["to"][1:])
    return abs(ord(move["from"][0]) - ord(move["to"][0])) > 1 or abs(rows) > 1


class Blind:
    """A game in players' custody, with lies on the way, and who should have seen what."""

    def __init__(self):
        self.game = Game("stratego", ["red", "blue"], custody="players")
        self.game.tell_seeds()
        self.sides = [Side(self.game, number) for number in range(2)]
        self.shown = {"red": set(), "blue": set()}

    def lie(self, what):
        lie = chance.randbytes(32)
        self.game.lies.append((what, lie))
        return lie

    def refused(self, viewer, path, body):
        status, _ = viewer.ask(path, body, fresh_key())
        if status != 422:
            faults.append(f"a lie was answered by {status}")

    def choose(self, side, other):
        moves = [m for m in side.viewer.ask("/moves")[1]["moves"]
                 if self.may(side.ranks[side.at[m["from"]]], m)]
        fights = [m for m in moves if m["to"] in other.at]
        far = [m for m in moves if is_long(m)]
        return chance.choice(fights or far or moves) if moves else None

    @staticmethod
    def may(rank, move):
        return rank not in (0, 10) and (rank == 2 or not is_long(move))

    def move(self):
        """One move, with a lie before it and before its answer; true if it was a combat, None if
        there is no move left."""
        seat = self.game.spectator.ask("")[1]["to_act"][0]
        side = self.sides[self.game.names.index(seat)]
        other = self.sides[1 - side.number]
        move = self.choose(side, other)
        if not move:
            return None
        slot, fights = side.at[move["from"]], move["to"] in other.at
        body = {"move": move}
        if fights or is_long(move):
            self.refused(side.viewer, "/moves",
                         {"move": move, "open": side.open(slot, self.lie("a false nonce"))})
            body["open"] = side.open(slot)
        answer = side.viewer.ask("/moves", body, fresh_key())[1]
        if fights:
            defender = other.at[move["to"]]
            self.refused(other.viewer, "/defend",
                         {"open": other.open(defender, self.lie("a false nonce"))})
            answer = other.viewer.ask("/defend", {"open": other.open(defender)}, fresh_key())[1]
            self.shown[seat].add(other.name(defender))
        self.follow(answer["events"][0], side, other)
        return fights

    @staticmethod
    def follow(event, side, other):
        slot = side.at.pop(event["from"])
        outcome = event.get("outcome", "defender_lost")
        if outcome != "attacker_lost":
            other.at.pop(event["to"], None)
        if outcome == "defender_lost":
            side.at[event["to"]] = slot

    def claim(self):
        """All that is left is opened to the referee, and to nobody else."""
        for _ in range(2):
            view = self.game.spectator.ask("")[1]
            side = self.sides[self.game.names.index(view["to_act"][0])]
            answer = side.viewer.ask("/open", side.open_all(), fresh_key())[1]
            if answer["status"] != "challenge":
                return
        faults.append("the claim was not settled")

    def check(self, extra=()):
        """While it goes on: no nonce but those of seen combats, and nothing at rest."""
        game, hidden = self.game, []
        views = {v.seat: v.look()["board"]["pieces"]
                 for v in [game.spectator, *game.seats.values()]}
        for side in self.sides:
            other = self.sides[1 - side.number].viewer
            shown = self.shown[other.seat]
            unseen = [(f"the nonce of {side.name(i)}", n) for i, n in enumerate(side.nonces)
                      if side.name(i) not in shown]
            absent(other.sent, f"what {other.seat} was sent",
                   unseen + [(f"the secret of {side.seat}", side.secret)])
            for component in other.openings:
                if component not in shown:
                    faults.append(f"{component} was opened to {other.seat}")
            for slot, n in enumerate(side.nonces):
                if side.name(slot) in shown:
                    present(other.sent, f"what {other.seat} was sent", "what combat opened", n)
            hidden += side.hidden() + [(f"the faces of {side.seat}", bytes(side.ranks)),
                                       (f"the secret of {side.seat}", side.secret)]
        if game.spectator.openings:
            faults.append("a spectator was opened a piece")
        if any(p[1] for p in views[None].values()):
            faults.append("a spectator sees ranks")
        for side in self.sides:
            other = self.sides[1 - side.number]
            for square, piece in views[side.seat].items():
                if piece[0] != side.seat and piece[1] and \
                        other.name(other.at[square]) not in self.shown[side.seat]:
                    faults.append(f"{side.seat} sees the rank on {square}")
        check_viewers(game, hidden)
        check_rest(game, hidden + list(extra))


def players():
    """Stratego in players' custody, from the commitments to the audit."""
    blind = Blind()
    game, (red, blue) = blind.game, blind.sides
    combats = 0
    for number in range(60):
        fought = blind.move()
        if fought is None:
            break
        combats += fought
        if number in (20, 41):
            blind.claim()
    blind.check()
    if combats < 6 or not all(blind.shown.values()):
        faults.append("there was not much to be seen")
    before = everywhere(game)
    blue.viewer.ask("/resign", {})
    blind.refused(red.viewer, "/audit", {"secret": blind.lie("a false secret").hex()})
    red.viewer.ask("/audit", {"secret": red.secret.hex()}, fresh_key())
    blind.check()
    between = everywhere(game)
    blue.viewer.ask("/audit", {"secret": blue.secret.hex()})
    ended = game.spectator.ask("/events?tokens=1")[1]["events"][-1]
    seed = bytes.fromhex(ended["referee_seed"])
    check_seed({**before, **{k + ", in the audit,": v for k, v in between.items()}}, seed)
    for side in blind.sides:
        present(game.spectator.sent, "what a spectator was sent", f"the secret of {side.seat}",
                side.secret)
    for name, content in {**files(), **process()}.items():
        absent(content, name + " after the end", game.lies + game.credential_bytes())
    if ended["audit"] != "clean":
        faults.append(f"the audit says {ended['audit']}")


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
    secrets.append(("the operator's credential",
                    base64.urlsafe_b64decode(operator[4:] + "=")))
    if len(secrets) < 3:
        faults.append("the keys were not found")
    for name, content in {**files(), **process()}.items():
        absent(content, name, secrets)


stratego()
engarde()
roquefort()
players()
keys()
print("\n".join(sorted(set(faults))) or f"{searches} searches, nothing found that is hidden")
sys.exit(bool(faults))
