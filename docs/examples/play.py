#!/usr/bin/env python3
"""Plays a whole game at random, all seats by one client, and saves the transcript.

    play.py URL RULESET [--variant V] [--options JSON] [--custody C] [--told combats] [--players N] [--moves N]
            [--seed N] [--save FILE]

    $ python3 play.py http://127.0.0.1:8480 engarde --save game.json
    $ python3 verify.py game.json

The standard library is all it takes. Each seat gives a seed of its own, checks nothing and plays
whichever legal move comes first to hand; after --moves of them (default 1000) the seats agree on a
draw. What it shows is the order of the calls: docs/api.md, "A game, from the first call to the last".
With `--custody players` (Stratego) the sides keep their faces, with `table` (En garde, the castle) there are
cards and tiles that the referee never sees; these are the classes Side, Cards and Tiles. With `--told combats`
(Stratego) the referee hears of combats alone: somebody attacks, and the other side says with what it was.
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


# The names in the order of their bytes: docs/protocol.md, "What the numbers mean".
RANKS = {True: "flag spy scout miner gunner corporal cadet captain general marshal mine".split(),
         False: "flag spy scout miner sergeant lieutenant captain major colonel general marshal bomb".split()}
CHEESES = "emmental gouda edam roquefort camembert cheddar brie".split()

# The rooms that are built in, row 7 first: docs/rules/roquefort.md.
PLATES = {"A": "*AAABB* CDEEFFG CDHHFFG IDHHJKG ILLLJKM INNOPPM *QQORR*",
          "B": "*AABBB* CDDEEEF CDDGGHF CIJGGHF KIJLLMN KOOPPMN *QQQRR*"}


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
        self.custody, self.variant = wishes.get("custody", "referee"), self.get()["variant"]
        self.combats_only = wishes.get("options", {}).get("told") == "combats"
        self.sides, self.real = {}, None      # Stratego's sides in their own custody; cards or tiles
        if self.custody == "table":
            self.real = Cards(chance) if ruleset == "engarde" else Tiles(chance, wishes.get("options", {}))

    def get(self, what="", credential=None):
        return self.referee.call("GET", f"/v1/games/{self.id}{what}", credential)

    def post(self, what, credential, body=None):
        return self.referee.call("POST", f"/v1/games/{self.id}{what}", credential, body or {})

    def as_seat(self, seat, what, body=None):
        """What the seat does; the answer has its view of the game after it."""
        answer = self.post(what, self.credentials[seat], body)
        self.view = answer.get("view")
        for event in answer.get("events", []):
            for keeper in [*self.sides.values(), *filter(None, [self.real])]:
                keeper.hear(event)
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

    def set_up(self, seat, variant, pieces=None):
        pieces = pieces or setup(seat, variant, self.chance)
        if self.custody == "players":
            self.sides[seat] = Side(self.id, seat, variant, pieces)
            return self.as_seat(seat, "/setup", {"commitments": self.sides[seat].commitments()})
        return self.as_seat(seat, "/setup", {"pieces": pieces})

    def move(self, choose=None):
        """One move of a seat that is to act, at random or by `choose(moves, view)`; False if none is."""
        self.view = self.view or self.get()
        seats = list(self.view["to_act"])
        if self.combats_only:
            self.chance.shuffle(seats)      # nobody is held to turns
        for seat in seats:
            if self.view["status"] in ("challenge", "audit"):
                self.answer(seat)
                return True
            moves = self.get("/moves", self.credentials[seat])["moves"]
            if self.real:
                self.view = self.get("", self.credentials[seat])
                moves = self.real.true(moves, seat, self.view)
            elif self.combats_only and not moves:
                continue        # nothing of this side's moves any more; on its turn it would have lost
            elif self.custody == "players":
                moves = [move for move in moves if self.sides[seat].can(move)]
                if not moves:
                    self.claim(seat)
                    return True
            move = choose(moves, self.view) if choose else self.chance.choice(moves)
            body = {"move": move}
            if self.custody == "players" and self.sides[seat].must_open(move, self.view["board"]["pieces"]):
                body["open"] = self.sides[seat].opening(move["from"])
            if isinstance(self.real, Tiles):
                self.real.tell(move, self.view["board"])
            self.as_seat(seat, "/moves", body)
            return True
        return False

    # Players' custody, and a board that the referee does not see

    def claim(self, seat):
        return self.as_seat(seat, "/open", {"opens": self.sides[seat].all_left()})

    def answer(self, seat):
        """What the seat owes: a piece, all pieces, the secret."""
        if self.combats_only:
            return self.as_seat(seat, "/defend", {"piece": self.attacked(seat)})
        if self.view["status"] == "audit":
            return self.as_seat(seat, "/audit", {"secret": self.sides[seat].secret.hex()})
        challenge = self.view["board"]["challenge"]
        if "claim" in challenge:
            return self.claim(seat)
        return self.as_seat(seat, "/defend", {"open": self.sides[seat].opening(challenge["to"])})

    def attacked(self, seat):
        """Which piece it was, as the players see on their board; the flag is seldom to be had."""
        pieces = self.get("", self.credentials[seat])["board"]["pieces"]
        others = [at for at in sorted(pieces) if pieces[at][1] != "flag" or self.chance.random() < 0.05]
        return self.chance.choice(others or list(pieces))

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


class Side:
    """A side of Stratego that keeps its faces: the secret, and which slot's piece stands where."""

    def __init__(self, game, seat, variant, pieces):
        self.gid, self.seat, self.number = bytes_of(game), seat, SEATS["stratego"].index(seat)
        self.names = RANKS[variant == "marsal-a-spion"]
        self.secret = secrets.token_bytes(32)
        squares = [f"{file}{row}" for row in range(1, 5) for file in "abcdefghij"]
        if seat == "blue":
            squares = [f"{file}{row}" for row in range(10, 6, -1) for file in "jihgfedcba"]
        self.at = {square: slot for slot, square in enumerate(squares) if square in pieces}
        self.faces = {slot: pieces[square] for square, slot in self.at.items()}
        self.wrong = set()    # slots that are committed to under another nonce than the secret's

    def nonce(self, slot):
        secret = bytes(32) if slot in self.wrong else self.secret
        return hashed(b"nonce", secret + self.gid + bytes([0, slot]))

    def commitments(self):
        found = 40 * [None]
        for slot, face in self.faces.items():
            preimage = self.gid + bytes([self.number, slot, self.names.index(face), 0]) + self.nonce(slot)
            found[slot] = hashed(b"piece", preimage).hex()
        return found

    def opening(self, square):
        slot = self.at[square]
        return {"slot": slot, "face": self.faces[slot], "nonce": self.nonce(slot).hex()}

    def all_left(self):
        return [self.opening(square) for square in self.at]

    def can(self, move):
        """The referee takes what it does not know for a scout."""
        face = self.faces[self.at[move["from"]]]
        return face not in ("flag", "mine", "bomb") and (face == "scout" or not is_run(move))

    def must_open(self, move, pieces):
        return move["to"] in pieces or is_run(move)

    def hear(self, event):
        kind, outcome = event["type"], event.get("outcome")
        if kind not in ("moved", "combat"):
            return
        start, to = event["from"], event["to"]
        if kind == "moved" or outcome == "defender_lost":
            self.at.pop(to, None)
            if start in self.at:
                self.at[to] = self.at.pop(start)
        else:
            self.at.pop(start, None)
            if outcome == "both_lost":
                self.at.pop(to, None)


class Cards:
    """En garde's cards on a real table."""

    def __init__(self, chance):
        self.chance, self.hands, self.deck = chance, {}, []

    def hear(self, event):
        kind, seat = event["type"], event.get("seat")
        if kind == "round_started":
            self.deck = [value for value in range(1, 6) for _ in range(5)]
            self.chance.shuffle(self.deck)
            self.hands = {side: [self.deck.pop() for _ in range(5)] for side in SEATS["engarde"]}
        elif kind == "drawn_cards":
            self.hands[seat] += [self.deck.pop() for _ in range(event["count"])]
        elif kind == "moved":
            self.hands[seat].remove(abs(event["to"] - event["from"]))
        elif kind in ("attacked", "parried"):
            for _ in range(event["count"]):
                self.hands[seat].remove(event["card"])

    def true(self, moves, seat, view):
        """The moves that the hand allows; what else there is to say if it allows none."""
        board, hand = view["board"], self.hands[seat]
        if board["deck"] == 0 and board["exchange"] is None:
            cards = list(hand)
            self.chance.shuffle(cards)
            return [{"type": "show", "cards": cards}]
        found = []
        for move in moves:
            if move["type"] in ("advance", "retreat"):
                cards = [move["card"]]
            elif move["type"] == "attack":
                cards = move["count"] * [move["card"]]
            elif move["type"] == "parry":
                cards = move["count"] * [board["exchange"]["card"]]
            elif move["type"] == "advance_attack":
                cards = [move["move"]] + move["count"] * [move["card"]]
            else:
                continue
            if all(hand.count(card) >= cards.count(card) for card in cards):
                found.append(move)
        return found or [{"type": "yield" if board["exchange"] else "stuck"}]


class Tiles:
    """The castle's real box: which face has which tile, by its number."""

    def __init__(self, chance, options):
        spare = options.get("spare", "blank")
        self.faces = [cheese for cheese in CHEESES for _ in range(3)] + 10 * ["blank"] + 3 * ["trapdoor"]
        self.faces.remove(spare)
        chance.shuffle(self.faces)
        self.faces.append(spare)
        self.rooms = options.get("rooms", "A")
        if isinstance(self.rooms, str):
            rooms = {}
            for row, letters in zip(range(7, 0, -1), PLATES[self.rooms].split()):
                for column, letter in zip("abcdefg", letters):
                    rooms.setdefault(letter, []).append(f"{column}{row}")
            self.rooms = [squares for letter, squares in rooms.items() if letter != "*"]

    def hear(self, event):
        pass

    def true(self, moves, seat, view):
        return moves

    def tell(self, move, board):
        """Adds to the move what everybody at the table sees by it."""
        ids, seen = dict(board["ids"]), []
        if move["type"] == "uncover":
            seen = next(room for room in self.rooms if move["square"] in room)
        elif move["type"] == "shift":
            side, at = move["slot"]
            line = [f"{at}{row}" for row in range(1, 8)] if side in "NS" else [f"{file}{at}" for file in "abcdefg"]
            if side in "NE":
                line.reverse()
            tiles = [board["spare_id"]] + [ids[square] for square in line]
            move["out"] = self.faces[tiles.pop()]
            ids.update(zip(line, tiles))
            seen = [square for room in self.rooms if set(room) & set(board["uncovered"]) for square in room]
            seen = [square for square in seen if square in line]
        shows = {square: self.faces[ids[square]] for square in seen if square in ids}
        if shows:
            move["shows"] = shows


def hashed(kind, data):
    return hashlib.blake2b(b"refereed/" + kind + b"/1" + data, digest_size=32).digest()


def is_run(move):
    """More than one square."""
    start, to = move["from"], move["to"]
    return max(abs(ord(start[0]) - ord(to[0])), abs(int(start[1:]) - int(to[1:]))) > 1


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
    parser.add_argument("--custody", choices=["referee", "players", "table"])
    parser.add_argument("--told", choices=["combats"], help="Stratego: what the referee hears of")
    parser.add_argument("--players", type=int, help="seats of the castle")
    parser.add_argument("--moves", type=int, default=1000)
    parser.add_argument("--seed", type=int, help="of this client's own dice")
    parser.add_argument("--save", help="file for the transcript; default: standard output")
    args = parser.parse_args()

    wishes = {"options": args.options}
    if args.variant:
        wishes["variant"] = args.variant
    if args.told:
        wishes["options"] = {**args.options, "told": args.told}
    if args.custody:
        wishes["custody"] = args.custody
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
        while game.get()["status"] == "challenge":
            game.move()
        game.agree()
    while game.get()["status"] == "audit":
        game.move()
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
