"""One seat of a game, played through the interface alone (../../api.md), from the invite to the end.

A Link asks and, where an answer is lost or the referee is away, asks again. A Player takes the seat, gives its
seed, sets up, waits for its turn by long poll, asks a mind which of the legal moves to play, opens its pieces
in players' custody and follows the audit. Minds are in minds.py.
"""
import hashlib
import http.client
import json
import os
import secrets
import sys
import time
import urllib.parse

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir))
from play import Refused, Side, bytes_of  # noqa: E402 players' custody is the same for all clients

# What may happen to a call because others act too: somebody resigned, a clock ran out, a draw was agreed.
OVERTAKEN = ("not_your_turn", "wrong_status", "game_over", "stale")


class Link:
    """One connection. A call is repeated until it is answered, for `patience` seconds."""

    def __init__(self, url, patience=60):
        parts = urllib.parse.urlsplit(url)
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self.url, self.patience = f"{parts.scheme}://{parts.netloc}", patience
        self.connection = kind(parts.netloc, timeout=90)

    def call(self, method, path, credential=None, body=None):
        headers = {"Accept": "application/json"}
        if credential:
            headers["Authorization"] = f"Bearer {credential}"
        if method == "POST":
            headers["Content-Type"] = "application/json"
            # With the same key a change is made once, however often it is sent.
            headers["Idempotency-Key"] = secrets.token_hex(16)
        text = json.dumps(body or {}) if method == "POST" else None
        until, pause = time.monotonic() + self.patience, 0.05
        while True:
            try:
                self.connection.request(method, path, text, headers)
                answer = self.connection.getresponse()
                found = json.loads(answer.read())
                if answer.status < 400:
                    return found
                if answer.status not in (429, 503) or time.monotonic() > until:
                    raise Refused(found)
                pause = float(answer.headers.get("Retry-After", 1))
            except (OSError, http.client.HTTPException):
                self.connection.close()
                if time.monotonic() > until:
                    raise
            time.sleep(pause)
            pause = min(2 * pause, 2)


class Player:
    """A seat of ours. After `moves` own moves it offers draws, and takes them from half of that on."""

    def __init__(self, link, game, seat, mind, moves=400):
        self.link, self.id, self.seat, self.mind, self.most = link, game, seat, mind, moves
        self.credential = self.seed = self.side = None
        self.after = self.moves = self.offered = 0

    def get(self, what=""):
        return self.link.call("GET", f"/v1/games/{self.id}{what}", self.credential)

    def post(self, what, body=None):
        """What the seat does; returns the view after it."""
        answer = self.link.call("POST", f"/v1/games/{self.id}{what}", self.credential, body)
        if answer["events"] and answer["events"][0]["seq"] == self.after + 1:
            self.hear(answer["events"])
        return answer["view"]

    def take(self, invite, name):
        """Takes the seat, with a commitment to 32 bytes of our own for the shuffle (docs/protocol.md)."""
        game = self.link.call("GET", f"/v1/games/{self.id}", invite)
        seats = self.link.call("GET", f"/v1/rulesets/{game['ruleset']}")["seats"]
        self.seed = secrets.token_bytes(32)
        preimage = b"refereed/pseed/1" + bytes_of(self.id) + bytes([0, seats.index(self.seat)]) + self.seed
        body = {"name": name, "seed_commit": hashlib.blake2b(preimage, digest_size=32).hexdigest()}
        taken = self.link.call("POST", f"/v1/games/{self.id}/seats/{self.seat}", invite, body)
        self.credential = taken["credential"]

    def play(self):
        """To the end of the game; returns the last view."""
        view = self.get()
        while view["status"] not in ("over", "aborted"):
            try:
                view = self.answer_draw(view) or self.act(view) if self.seat in view["to_act"] else \
                    self.answer_draw(view) or self.wait() or view
            except Refused as refused:
                if refused.problem["code"] not in OVERTAKEN:
                    raise
                view = self.get()
        return view

    def wait(self, seconds=30):
        """Until something happens; the new view, or None."""
        return self.get() if self.listen(seconds) else None

    def listen(self, seconds=0):
        """Reads on in the events; how many there were."""
        count = 0
        while True:
            page = self.get(f"/events?after={self.after}&wait={seconds}")
            self.hear(page["events"])
            count += len(page["events"])
            if len(page["events"]) < 500:
                return count
            seconds = 0

    def hear(self, events):
        for event in events:
            self.after = event["seq"]
            self.mind.hear(event)
            if self.side:
                self.side.hear(event)

    def act(self, view):
        """What the seat owes as things are; returns the view after it."""
        if self.after < view["seq"]:
            self.listen()
        return getattr(self, view["status"])(view)

    # What a seat owes, by the status of the game.

    def seeding(self, view):
        return self.post("/seeds", {"seed": self.seed.hex()})

    def setup(self, view):
        pieces = self.mind.setup(self.seat, view["variant"])
        if view["custody"] != "players":
            return self.post("/setup", {"pieces": pieces})
        self.side = Side(self.id, self.seat, view["variant"], pieces)
        return self.post("/setup", {"commitments": self.side.commitments()})

    def playing(self, view):
        if self.moves >= self.most and self.moves >= self.offered:
            self.offered = self.moves + 20
            return self.offer_draw()
        moves = self.get("/moves")["moves"]
        if self.side:
            moves = [move for move in moves if self.side.can(move)]
            if not moves:
                return self.post("/open", {"opens": self.side.all_left()})    # a claim
            for square, slot in self.side.at.items():    # the referee does not know them
                view["board"]["pieces"][square] = [self.seat, self.side.faces[slot]]
        if not moves:    # the game has ended since
            return self.get()
        move = self.mind.choose(moves, view)
        body = {"move": move}
        if self.side and self.side.must_open(move, view["board"]["pieces"]):
            body["open"] = self.side.opening(move["from"])
        view = self.post("/moves", body)
        self.moves += 1
        return view

    def challenge(self, view):
        asked = view["board"]["challenge"]
        if "claim" in asked:
            return self.post("/open", {"opens": self.side.all_left()})
        return self.post("/defend", {"open": self.side.opening(asked["to"])})

    def audit(self, view):
        return self.post("/audit", {"secret": self.side.secret.hex()})

    # Draws, so that no game of two bots lasts for ever.

    def offer_draw(self):
        self.draw("offer")
        return self.wait(5) or self.get()

    def answer_draw(self, view):
        others = [seat for seat in view["draw_offered"] if seat != self.seat]
        if others and self.seat not in view["draw_offered"] and 2 * self.moves >= self.most:
            return self.draw("accept")
        return None

    def draw(self, action):
        try:
            return self.post("/draw", {"action": action})
        except Refused as refused:
            # Another offer or a refusal came first, or a move.
            if refused.problem["code"] not in OVERTAKEN:
                raise
            return self.get()
