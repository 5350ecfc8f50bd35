"""What the bots think with. A mind sees what its seat sees: views, events, the list of its legal moves.

    choose(moves, view)   one of the moves
    setup(seat, variant)  Stratego: which piece stands where
    hear(event)           everything that happens, in order

Random takes any move. The greedy ones look at what a move brings at once and at nothing after that; each is a
page of arithmetic, meant to be read and bettered. `chance` is a random.Random: with the same seed and the same
game a mind plays the same.
"""
import math

import player  # noqa: F401 which finds ../play.py
from play import CHEESES, PLATES, RANKS, SETS, setup


class Random:
    def __init__(self, chance):
        self.chance = chance

    def choose(self, moves, view):
        return self.chance.choice(moves)

    def setup(self, seat, variant):
        return setup(seat, variant, self.chance)

    def hear(self, event):
        pass


class Greedy(Random):
    """Takes the move of the highest score, by lot among equal ones."""

    def choose(self, moves, view):
        self.look(view)
        scores = [self.score(move) for move in moves]
        best = max(scores)
        return self.chance.choice([move for move, score in zip(moves, scores) if score > best - 1e-9])

    def look(self, view):
        """Remembers what score() needs of the view."""

    def score(self, move):
        raise NotImplementedError


class GreedyEngarde(Greedy):
    """Counts cards: what is neither played nor in the own hand is in the other's, or in the deck."""

    def look(self, view):
        board, self.me = view["board"], view["you"]
        self.other = next(seat for seat in board["fields"] if seat != self.me)
        self.distance = board["fields"]["right"] - board["fields"]["left"]
        self.hand, self.exchange = board["hands"][self.me], board["exchange"]
        seen = board["played"] + self.hand
        self.unseen = [0] + [5 - seen.count(value) for value in range(1, 6)]
        self.held = board["hands"][self.other]
        self.held = self.held if isinstance(self.held, int) else len(self.held)

    def likely(self, value, count):
        """How likely the other holds at least `count` cards of the value."""
        good, every, held = self.unseen[value], sum(self.unseen), self.held
        if count <= 0 or every == 0:
            return float(count <= 0)
        ways = sum(math.comb(good, n) * math.comb(every - good, held - n) for n in range(count, min(good, held) + 1)
                   if held - n <= every - good)
        return ways / math.comb(every, min(held, every))

    def blow(self, value, count, kept):
        """An attack with `count` cards, `kept` being held back: he misses it, or strikes back harder."""
        return 1 - self.likely(value, count) - self.likely(value, count + kept + 1)

    def stand(self, distance, hand):
        """How bad it is to leave the other at this distance with this hand."""
        if distance > 5:
            return -0.02 * (distance < 11)
        return -self.likely(distance, hand.count(distance) + 1)

    def score(self, move):
        kind = move["type"]
        if kind == "parry":
            spare = move["count"] + self.exchange["played"][self.me] - self.exchange["played"][self.other]
            kept = self.hand.count(self.exchange["card"]) - move["count"]
            return self.blow(self.exchange["card"], spare, kept) if spare else 0.1 * kept
        rest = list(self.hand)
        for card in [move[name] for name in ("move", "card") if name in move]:
            for _ in range(move.get("count", 1) if card == move["card"] else 1):
                if card in rest:
                    rest.remove(card)
        if kind in ("attack", "advance_attack"):
            return self.blow(move["card"], move["count"], rest.count(move["card"]))
        gone = move["card"] if kind == "advance" else -move["card"]
        return self.stand(self.distance - gone, rest) + 0.01 * gone


class GreedyStratego(Greedy):
    """Attacks what it beats, asks the odds where it does not know, and else comes nearer."""

    def __init__(self, chance):
        super().__init__(chance)
        self.last = None

    def setup(self, seat, variant):
        """The flag on the back row, mines or bombs beside it, the rest by lot."""
        pieces = setup(seat, variant, self.chance)
        flag = next(square for square, name in pieces.items() if name == "flag")
        rows = range(1, 5) if seat == "red" else range(7, 11)
        beside = [square for square in around(flag) if "a" <= square[0] <= "j" and int(square[1:]) in rows]
        walls = ("mine", "bomb")
        spare = [square for square, name in pieces.items() if name in walls and square not in beside]
        for square in beside:
            if spare and pieces.get(square) not in walls:
                other = spare.pop()
                name = pieces.pop(square, None)
                pieces[square] = pieces.pop(other)
                if name:
                    pieces[other] = name
        return pieces

    def look(self, view):
        self.house = view["variant"] == "marsal-a-spion"
        self.me, board = view["you"], view["board"]
        self.pieces, self.moved = board["pieces"], set(board["moved"])
        self.enemies = {square: rank for square, (side, rank) in self.pieces.items() if side != self.me}
        left = [rank for rank in board["lost"]["enemy"]["known"] for _ in range(board["lost"]["enemy"]["known"][rank])]
        left += [rank for rank in self.enemies.values() if rank]
        self.hidden, self.attacks = {}, {}
        for word in SETS[view["variant"]].split():
            name, _, number = word.partition("*")
            self.hidden[name] = max(0, int(number or 1) - left.count(name))

    def worth(self, rank):
        order = RANKS[self.house]
        return {"flag": 100, "mine": 2, "bomb": 3, "spy": 4, "miner": 5}.get(rank, order.index(rank))

    def outcome(self, mine, theirs):
        """What an attack on that rank brings."""
        order = RANKS[self.house]
        if theirs == "flag" or (mine, theirs) in (("miner", "mine"), ("miner", "bomb"), ("spy", "marshal")):
            return self.worth(theirs)
        if theirs in ("mine", "bomb") or (self.house and (mine, theirs) == ("marshal", "spy")):
            return -self.worth(mine)
        gain = (order.index(mine) > order.index(theirs)) - (order.index(mine) < order.index(theirs))
        return {1: self.worth(theirs), -1: -self.worth(mine), 0: self.worth(theirs) - self.worth(mine)}[gain]

    def attack(self, mine, square):
        """What an attack on that square brings, as far as one can know."""
        if (mine, square) not in self.attacks:
            self.attacks[mine, square] = self.odds(mine, square)
        return self.attacks[mine, square]

    def odds(self, mine, square):
        rank = self.enemies[square]
        if rank:
            return self.outcome(mine, rank)
        odds = {name: number for name, number in self.hidden.items()
                if number and not (square in self.moved and name in ("flag", "mine", "bomb"))}
        every = sum(odds.values())
        return sum(self.outcome(mine, name) * number for name, number in odds.items()) / every if every else 0

    def danger(self, mine, square):
        """Known and stronger enemies beside the square."""
        return sum(self.worth(mine) for near in around(square)
                   if self.enemies.get(near) and self.enemies[near] not in ("mine", "bomb", "flag")
                   and self.outcome(mine, self.enemies[near]) < 0)

    def choose(self, moves, view):
        move = super().choose(moves, view)
        self.last = move
        return move

    def score(self, move):
        start, to = move["from"], move["to"]
        mine = self.pieces[start][1]
        if to in self.enemies:
            return self.attack(mine, to) + 0.2
        back = self.last and (self.last["to"], self.last["from"]) == (start, to)
        prey = [square for square, rank in self.enemies.items()
                if self.attack(mine, square) > 0] or list(self.enemies)
        nearer = min(apart(start, square) for square in prey) - min(apart(to, square) for square in prey)
        return 0.1 * nearer + self.danger(mine, start) - self.danger(mine, to) - 0.5 * bool(back)


class GreedyRoquefort(Greedy):
    """Wants two mice on the same cheese. It remembers the tiles it has seen, and follows them by number."""

    def __init__(self, chance):
        super().__init__(chance)
        self.seen = {}

    def hear(self, event):
        for opening in event.get("openings", []):
            self.seen[int(opening["component"].split("/")[1])] = opening["face"]

    def look(self, view):
        self.me, board = view["you"], view["board"]
        self.ids, self.spare, self.players = board["ids"], board["spare_id"], board["players"]
        self.seen.update({self.ids[square]: face for square, face in board["tiles"].items() if face})
        self.seen[self.spare] = board["spare"]
        self.rooms = rooms_of(board["rooms"])
        self.before = self.value(self.ids, self.players[self.me]["mice"])

    def faces(self, ids):
        return {square: self.seen.get(tile) for square, tile in ids.items()}

    def value(self, ids, mice):
        """How near these mice are to cheese; tiles by number."""
        faces, worth = self.faces(ids), 0
        for cheese in set(CHEESES) - set(self.players[self.me]["cheeses"]):
            steps = sorted(min((apart(mouse, square) for square, face in faces.items() if face == cheese), default=9)
                           for mouse in mice)
            if len(steps) > 1:
                worth += (100 if steps[1] == 0 and self.two_on(cheese, faces, mice) else 0) + 12 / (1 + steps[0] + steps[1])
        return worth + sum(1 for mouse in mice if mouse[0] not in "ag" or mouse[1] not in "17") + 2 * len(mice)

    def two_on(self, cheese, faces, mice):
        return sum(faces.get(mouse) == cheese for mouse in mice) > 1

    def score(self, move):
        mice, kind = list(self.players[self.me]["mice"]), move["type"]
        noise = 0.3 * self.chance.random()
        if kind == "end_turn":
            return 0
        if kind == "uncover":
            room = next(room for room in self.rooms if move["square"] in room)
            return sum(square in self.ids and self.ids[square] not in self.seen for square in room) + noise
        if kind == "shift":
            return self.shift(move["slot"]) + noise - 0.2
        if kind == "enter":
            mice.append(move["tower"])
        else:
            mice[mice.index(move["from"])] = move["to"]
        return self.value(self.ids, mice) - self.before + noise - 0.1

    def shift(self, slot):
        """What pushing the spare in there brings, as far as the tiles are known."""
        side, at = slot
        line = [f"{at}{row}" for row in range(1, 8)] if side in "NS" else [f"{file}{at}" for file in "abcdefg"]
        if side in "NE":
            line.reverse()
        ids = dict(self.ids)
        ids.update(zip(line, [self.spare] + [self.ids[square] for square in line]))
        faces, gain = self.faces(ids), 0
        for seat, player in self.players.items():
            fallen = sum(faces.get(mouse) == "trapdoor" for mouse in player["mice"])
            pairs = sum(self.two_on(cheese, faces, player["mice"]) for cheese in CHEESES if cheese not in player["cheeses"])
            gain += (30 * fallen - 60 * pairs) * (-2 if seat == self.me else 1)
        return gain + self.value(ids, self.players[self.me]["mice"]) - self.before


def around(square):
    """The squares straight beside, whether they exist or not."""
    file, row = ord(square[0]), int(square[1:])
    return [f"{chr(file)}{row + 1}", f"{chr(file)}{row - 1}", f"{chr(file + 1)}{row}", f"{chr(file - 1)}{row}"]


def apart(one, other):
    return abs(ord(one[0]) - ord(other[0])) + abs(int(one[1:]) - int(other[1:]))


def rooms_of(rooms):
    """The rooms as lists of squares; a plate that is built in by its letter."""
    if not isinstance(rooms, str):
        return rooms
    found = {}
    for row, letters in zip(range(7, 0, -1), PLATES[rooms].split()):
        for column, letter in zip("abcdefg", letters):
            found.setdefault(letter, []).append(f"{column}{row}")
    return list(found.values())


# By name: one for all games, or one for each.
GREEDY = {"engarde": GreedyEngarde, "stratego": GreedyStratego, "roquefort": GreedyRoquefort}
MINDS = {"random": dict.fromkeys(GREEDY, Random), "greedy": GREEDY}


def mind(name, ruleset, chance):
    return MINDS[name][ruleset](chance)
