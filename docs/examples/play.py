#!/usr/bin/env python3
"""Plays a whole game at random, all seats by one client, and saves the transcript.

    play.py URL RULESET [--variant V] [--options JSON] [--players N] [--moves N] [--seed N] [--save FILE]

    $ python3 play.py http://127.0.0.1:8480 engarde --save game.json
    $ python3 verify.py game.json

The standard library is all it takes. Each seat gives a seed of its own, checks nothing and plays
whichever legal move comes first to hand; after --moves of them (default 1000) the seats agree on a
draw. What it shows is the order of the calls: docs/api.md, "A game, from the first call to the last".
"""
import argparse
import base64
import hashlib
import http.client
import json
import random
import secrets
import sys
import urllib.parse

SEATS = {"engarde": ["left", "right"], "stratego": ["red", "blue"],
         "roquefort": ["yellow", "red", "blue", "green"]}

# What each side of Stratego sets up: docs/rules/stratego.md, "Pieces".
SETS = {
    "marsal-a-spion": "flag mine*8 marshal general captain*2 cadet*3 corporal*4 gunner*5 scout*8 miner*6 spy",
    "classic": "flag bomb*6 marshal general colonel*2 major*3 captain*4 lieutenant*4 sergeant*4 miner*5"
               " scout*8 spy",
    "barrage": "flag bomb marshal general miner scout*2 spy",
    "duel": "flag bomb*2 marshal general miner*2 scout*2 spy",
    "ultimate": "flag bomb*2 marshal general colonel major captain*2 lieutenant*2 sergeant*2 miner*2"
                " scout*4 spy",
}
SETS["isf"] = SETS["classic"]


class Refused(Exception):
    """The referee answered with a problem; `problem` is its body."""

    def __init__(self, problem):
        super().__init__(f"{problem.get('status')} {problem.get('code')}: {problem.get('detail')}")
        self.problem = problem


class Referee:
    """One connection to a referee."""

    def __init__(self, url):
        parts = urllib.parse.urlsplit(url)
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self.connection = kind(parts.netloc, timeout=60)

    def call(self, method, path, credential=None, body=None):
        headers = {"Accept": "application/json"}
        if credential:
            headers["Authorization"] = f"Bearer {credential}"
        if body is not None:
            headers["Content-Type"] = "application/json"
        self.connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = self.connection.getresponse()
        text = answer.read()
        if answer.status >= 400:
            raise Refused(json.loads(text))
        return json.loads(text)


class Game:
    """A game whose seats are all ours."""

    def __init__(self, referee, ruleset, chance=random, **wishes):
        self.referee, self.ruleset, self.chance = referee, ruleset, chance
        made = referee.call("POST", "/v1/games", None, {"ruleset": ruleset, **wishes})
        self.id, self.host = made["id"], made["host"]
        self.invites = {seat: given["invite"] for seat, given in made["seats"].items()}
        self.credentials, self.seeds, self.view = {}, {}, None

    def get(self, what="", credential=None):
        return self.referee.call("GET", f"/v1/games/{self.id}{what}", credential)

    def post(self, what, credential, body=None):
        return self.referee.call("POST", f"/v1/games/{self.id}{what}", credential, body or {})

    def as_seat(self, seat, what, body=None):
        """What the seat does; the answer has its view of the game after it."""
        answer = self.post(what, self.credentials[seat], body)
        self.view = answer.get("view")
        return answer

    def take(self, seat, name=None, seeds=True):
        """Takes the seat; with `seeds` it commits to 32 bytes of its own (docs/protocol.md)."""
        body = {} if name is None else {"name": name}
        if seeds:
            self.seeds[seat] = seed = secrets.token_bytes(32)
            number = SEATS[self.ruleset].index(seat)
            preimage = b"refereed/pseed/1" + bytes_of(self.id) + bytes([0, number]) + seed
            body["seed_commit"] = hashlib.blake2b(preimage, digest_size=32).hexdigest()
        self.credentials[seat] = self.post(f"/seats/{seat}", self.invites[seat], body)["credential"]
        self.view = None

    def reveal(self, seat):
        return self.as_seat(seat, "/seeds", {"seed": self.seeds[seat].hex()})

    def set_up(self, seat, variant):
        return self.as_seat(seat, "/setup", {"pieces": setup(seat, variant, self.chance)})

    def move(self, choose=None):
        """One move of a seat that is to act, at random or by `choose(moves, view)`; False if none is."""
        self.view = self.view or self.get()
        for seat in self.view["to_act"]:
            moves = self.get("/moves", self.credentials[seat])["moves"]
            move = choose(moves, self.view) if choose else self.chance.choice(moves)
            self.as_seat(seat, "/moves", {"move": move})
            return True
        return False

    def agree(self):
        """All seats that are still in agree on a draw."""
        first = True
        for seat in self.credentials:
            try:
                self.as_seat(seat, "/draw", {"action": "offer" if first else "accept"})
                first = False
            except Refused as refused:
                if refused.problem["code"] not in ("wrong_status", "game_over", "forbidden", "not_your_turn"):
                    raise

    def transcript(self):
        return self.get("/transcript")


def bytes_of(text):
    """The bytes of base64url without padding."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def setup(seat, variant, chance=random):
    """A random set-up; the flag stays on the back row, so that games do not end at once."""
    pieces = []
    for word in SETS[variant].split():
        name, _, number = word.partition("*")
        pieces += int(number or 1) * [name]
    rows = range(1, 5) if seat == "red" else range(7, 11)
    squares = [f"{file}{row}" for row in rows for file in "abcdefghij"]
    chance.shuffle(squares)
    back = next(square for square in squares if square[1:] == ("1" if seat == "red" else "10"))
    squares.remove(back)
    return dict(zip([back] + squares, pieces))


def main():
    parser = argparse.ArgumentParser(description="plays a game at random and saves its transcript")
    parser.add_argument("url")
    parser.add_argument("ruleset", choices=sorted(SEATS))
    parser.add_argument("--variant")
    parser.add_argument("--options", type=json.loads, default={})
    parser.add_argument("--players", type=int, help="seats of the castle")
    parser.add_argument("--moves", type=int, default=1000)
    parser.add_argument("--seed", type=int, help="of this client's own dice")
    parser.add_argument("--save", help="file for the transcript; default: standard output")
    args = parser.parse_args()

    wishes = {"options": args.options}
    if args.variant:
        wishes["variant"] = args.variant
    if args.players:
        wishes["players"] = args.players
    game = Game(Referee(args.url), args.ruleset, random.Random(args.seed), **wishes)
    view = game.get()
    seats = list(game.invites)
    for seat in seats:
        game.take(seat, f"player {seat}")
    for seat in seats:
        game.reveal(seat)
    if args.ruleset == "stratego":
        for seat in seats:
            game.set_up(seat, view["variant"])
    moves = 0
    while moves < args.moves and game.move():
        moves += 1
    if moves == args.moves:
        game.agree()
    record = game.transcript()
    text = json.dumps(record, indent=1)
    if args.save:
        with open(args.save, "w", encoding="utf-8") as file:
            file.write(text + "\n")
    else:
        print(text)
    print(f"{moves} moves, {len(record['events'])} events: {json.dumps(record['result'])}", file=sys.stderr)


if __name__ == "__main__":
    main()
