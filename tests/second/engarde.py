"""En garde a second time, from docs/rules/engarde.md alone: positions, moves and verdicts.

A position is the `state` of the stateless judge. Nothing here was taken from rules/engarde.
"""
import copy

from refused import Refused

SEATS = ("left", "right")
OTHER = {"left": "right", "right": "left"}
HOME = {"left": 1, "right": 23}
AHEAD = {"left": 1, "right": -1}
VALUES = (1, 2, 3, 4, 5)


class Game:
    """A question without its move: variant, options and a position that is played on."""

    def __init__(self, question):
        options = question.get("options", {})
        self.knizia = question.get("variant") == "knizia"
        self.level = options.get("level", "advanced") if self.knizia else None
        self.levelling = not self.knizia and options.get("counterattack", "level") == "level"
        self.after_parry = options.get("after_parry", "last_attacker")
        self.hits_to_lose = options.get("hits_to_lose", 5)
        self.at = copy.deepcopy(question["state"])
        self.effects = []
        self.end = None     # (status, members that go with it)

    # What can be read off a position

    @property
    def turn(self):
        return self.at["turn"]

    @property
    def exchange(self):
        return self.at["exchange"]

    def hand(self, seat):
        return self.at["hands"][seat]

    def distance(self):
        return self.at["fields"]["right"] - self.at["fields"]["left"]

    def possible(self):
        at, distance = self.at, self.distance()
        cards = at["hands"]["left"] + at["hands"]["right"] + at["deck"]
        played = dict.fromkeys(SEATS, 0)
        if self.exchange:
            played = self.exchange["played"]
            cards = cards + [self.exchange["card"]] * sum(played.values())
        if any(card not in VALUES for card in cards) or any(cards.count(value) > 5 for value in VALUES):
            return False
        if not all(1 <= field <= 23 for field in at["fields"].values()) or distance < 1:
            return False
        if any(hits >= self.hits_to_lose or hits < 0 for hits in at["hits"].values()):
            return False
        if not 1 <= at["round"] <= 255:
            return False
        if self.exchange:
            return self.possible_exchange(played, distance)
        return bool(at["deck"]) and self.possible_sizes() and bool(self.plays())

    def possible_sizes(self):
        """Hands when no attack is on the table."""
        mine, theirs = len(self.hand(self.turn)), len(self.hand(OTHER[self.turn]))
        if not self.knizia or self.level == "basic":
            return mine == theirs == 5
        # EK-3: who has parried lacks those cards, and as many of that value were his who attacked.
        distance = self.distance()
        there = (self.at["hands"]["left"] + self.at["hands"]["right"] + self.at["deck"]).count(distance)
        return theirs == 5 and (mine == 5 or mine < 5 and distance in VALUES and there + 2 * (5 - mine) <= 5)

    def possible_exchange(self, played, distance):
        exchange, turn = self.exchange, self.turn
        attacker = OTHER[turn]
        if exchange["last_attacker"] != attacker or exchange["card"] != distance:
            return False
        if played[attacker] <= played[turn] or min(played.values()) < 0:
            return False
        if not self.levelling and played[turn]:
            return False
        if exchange.get("advanced") and self.level != "advanced":
            return False
        if self.knizia:
            # EK-3: the attacker has filled up, as far as the deck went.
            size = len(self.hand(attacker))
            if len(self.hand(turn)) != 5 or size > 5 or (self.at["deck"] and size != 5):
                return False
            if not self.possible_attack(size):
                return False
        else:
            if not self.at["deck"] or any(len(self.hand(seat)) != 5 - played[seat] for seat in SEATS):
                return False
        return self.can_answer()

    def possible_attack(self, size):
        """EK-3, EK-4: was there a hand from which this attack was laid, and this one drawn?"""
        exchange, attacker = self.exchange, OTHER[self.turn]
        distance, count = exchange["card"], exchange["played"][attacker]
        there = self.at["hands"]["left"] + self.at["hands"]["right"] + self.at["deck"] + [distance] * count
        gone = {value: 5 - there.count(value) for value in VALUES}
        way = abs(self.at["fields"][attacker] - HOME[attacker])
        for parried in (0, 1, 2):                       # what he lacked when his turn began
            for step in [v for v in VALUES if v <= way and gone[v]] if exchange.get("advanced") else [0]:
                drawn = size - (5 - parried - count - bool(step))
                parry_at = distance + step
                if (drawn < 1 or 5 - parried - count - bool(step) < 0
                        or parried and (parry_at not in VALUES or gone[parry_at] < 2 * parried)):
                    continue
                return True
        return False

    def can_answer(self):
        """EG-5, EG-6, EK-5, EK-6."""
        if self.level == "basic":
            return False
        return (self.hand(self.turn).count(self.exchange["card"]) >= self.owed()
                or bool(self.exchange.get("advanced")) and any(self.steps("retreat")))

    def owed(self):
        played = self.exchange["played"]
        return played[OTHER[self.turn]] - played[self.turn]

    def steps(self, kind):
        """The cards with which the seat on turn may move that way (EG-2)."""
        for card in VALUES:
            if card in self.hand(self.turn) and not self.barred_step(kind, card):
                yield card

    def barred_step(self, kind, card):
        """EG-2: the code that forbids a step, or None."""
        if kind == "retreat":
            to = self.at["fields"][self.turn] - AHEAD[self.turn] * card
            return None if 1 <= to <= 23 else "off_strip"
        return None if card < self.distance() else "blocked"

    # Moves

    def plays(self):
        """All that the seat on turn may do."""
        hand = self.hand(self.turn)
        if self.exchange:
            card, owed = self.exchange["card"], self.owed()
            most = hand.count(card) if self.levelling else min(owed, hand.count(card))
            moves = [{"type": "parry", "count": count} for count in range(owed, most + 1)]
            if self.exchange.get("advanced"):
                moves += [{"type": "retreat", "card": step} for step in self.steps("retreat")]
            return moves
        moves = [{"type": kind, "card": card} for kind in ("advance", "retreat") for card in self.steps(kind)]
        distance = self.distance()
        held = hand.count(distance) if distance in VALUES else 0
        most = min(held, 1) if self.level == "basic" else held
        moves += [{"type": "attack", "card": distance, "count": count} for count in range(1, most + 1)]
        if self.level == "advanced":
            for card in self.steps("advance"):
                left = distance - card
                held = hand.count(left) - (card == left)
                if left in VALUES:
                    moves += [{"type": "advance_attack", "move": card, "card": left, "count": count}
                              for count in range(1, held + 1)]
        return moves

    def legal(self):
        return [] if self.end else self.plays()

    def judge(self, move):
        """Raises Refused unless the move is allowed."""
        kind, hand = move["type"], self.hand(self.turn)
        self.judge_held(move, hand)
        if self.exchange:
            if kind == "parry":
                return self.judge_parry(move["count"])
            if kind != "retreat" or not self.exchange.get("advanced"):
                raise Refused("must_parry", "EG-5")
        elif kind == "parry":
            raise Refused("nothing_to_parry", "EG-5")
        if kind in ("advance", "retreat"):
            code = self.barred_step(kind, move["card"])
            if code:
                raise Refused(code, "EG-2")
        elif kind == "attack":
            self.judge_attack(move, self.distance())
        else:
            self.judge_advance_attack(move)
        return None

    def judge_held(self, move, hand):
        kind = move["type"]
        if kind == "parry":
            # Without an attack a parry names no card that could be missing, but for a count of none.
            held = move["count"] >= 1 and (not self.exchange
                                           or hand.count(self.exchange["card"]) >= move["count"])
        elif kind == "advance_attack":
            same = move["move"] == move["card"]
            held = (move["count"] >= 1 and move["move"] in hand
                    and hand.count(move["card"]) >= move["count"] + same)
        else:
            count = move.get("count", 1)
            held = count >= 1 and hand.count(move["card"]) >= count
        if not held:
            raise Refused("not_held", "EG-2")

    def judge_parry(self, count):
        if count < self.owed():
            raise Refused("too_few", "EG-5")
        if count > self.owed() and not self.levelling:
            raise Refused("too_many", "EK-2" if self.knizia else "EG-6")

    def judge_attack(self, move, distance):
        if move["card"] != distance:
            raise Refused("out_of_reach", "EG-4")
        if self.level == "basic" and move["count"] > 1:
            raise Refused("too_many", "EK-2")

    def judge_advance_attack(self, move):
        if self.level != "advanced":
            raise Refused("not_in_variant", "EK-4" if self.knizia else "EG-2")
        if self.barred_step("advance", move["move"]):
            raise Refused("blocked", "EG-2")
        self.judge_attack(move, self.distance() - move["move"])

    # What a move does

    def play(self, move):
        kind = move["type"]
        if kind in ("advance", "retreat"):
            self.step(kind, move["card"])
            if self.exchange:       # EK-5
                self.at["exchange"] = None
            self.fill(self.turn)
            self.begin_turn(OTHER[self.turn])
        elif kind == "parry":
            self.parry(move["count"])
        else:
            if kind == "advance_attack":
                self.step("advance", move["move"])
            self.attack(move)

    def tell(self, kind, **members):
        self.effects.append({"type": kind, **members})

    def spend(self, card, count):
        for _ in range(count):
            self.hand(self.turn).remove(card)

    def step(self, kind, card):
        start = self.at["fields"][self.turn]
        to = start + AHEAD[self.turn] * (card if kind == "advance" else -card)
        self.at["fields"][self.turn] = to
        self.spend(card, 1)
        self.tell("moved", seat=self.turn, **{"from": start, "to": to})

    def fill(self, seat):
        """EG-3, EG-7, EK-3: up to five, as far as the deck goes."""
        hand, deck = self.hand(seat), self.at["deck"]
        count = min(5 - len(hand), len(deck))
        hand.extend(deck[:count])
        del deck[:count]
        if count:
            self.tell("drawn_cards", seat=seat, count=count)

    def attack(self, move):
        card, count, seat = move["card"], move["count"], self.turn
        self.spend(card, count)
        self.tell("attacked", seat=seat, card=card, count=count)
        self.at["exchange"] = {"card": card, "played": {seat: count, OTHER[seat]: 0}, "last_attacker": seat}
        if move["type"] == "advance_attack":
            self.exchange["advanced"] = True
        if self.knizia:
            self.fill(seat)
        self.ask_answer(OTHER[seat])

    def ask_answer(self, seat):
        self.at["turn"] = seat
        if not self.can_answer():
            first = self.exchange["played"][seat] == 0
            self.hit(seat, "EK-6" if self.knizia else "EG-5" if first else "EG-6")

    def parry(self, count):
        seat, exchange = self.turn, self.exchange
        self.spend(exchange["card"], count)
        exchange["played"][seat] += count
        self.tell("parried", seat=seat, card=exchange["card"], count=count)
        if exchange["played"][seat] > exchange["played"][OTHER[seat]]:
            exchange["last_attacker"] = seat
            return self.ask_answer(OTHER[seat])
        last = exchange["last_attacker"]
        self.at["exchange"] = None
        if self.knizia:
            return self.begin_turn(seat)
        self.fill(last)
        self.fill(OTHER[last])
        return self.begin_turn(last if self.after_parry == "last_attacker" else OTHER[last])

    def begin_turn(self, seat):
        if not self.at["deck"]:
            return self.score()
        self.at["turn"] = seat
        if not self.plays():
            self.hit(seat, "EK-6" if self.knizia else "EG-11")
        return None

    def score(self):
        """EG-9, EG-10, EK-7: the deck is empty and nothing is on the table."""
        distance = self.distance()
        held = {seat: self.hand(seat).count(distance) if distance in VALUES and self.level != "basic" else 0
                for seat in SEATS}
        way = {seat: abs(self.at["fields"][seat] - HOME[seat]) for seat in SEATS}
        hands = {seat: sorted(self.hand(seat)) for seat in SEATS}
        for measure, ruling in ((held, "EG-9"), (way, "EG-10")):
            if measure["left"] != measure["right"]:
                return self.hit(min(SEATS, key=measure.get), "EK-7" if self.knizia else ruling, hands=hands)
        ruling = "EK-7" if self.knizia else "EG-10"
        self.tell("round_void", ruling=ruling, hands=hands)
        return self.round_over(None, ruling)

    def hit(self, seat, ruling, **hands):
        self.at["hits"][seat] += 1
        self.tell("hit", seat=seat, hits=self.at["hits"][seat], ruling=ruling, **hands)
        if self.at["hits"][seat] == self.hits_to_lose:
            self.end = "over", {"result": {"winner": OTHER[seat], "reason": "hits", "ruling": "EG-8"}}
        else:
            self.round_over(seat, ruling)

    def round_over(self, seat, ruling):
        if self.at["round"] == 255:
            self.end = "over", {"result": {"winner": None, "reason": "limit", "ruling": None}}
        else:
            self.end = "round_over", {"result": None, "hit": seat, "ruling": ruling}

    # Answers

    def state(self):
        return self.at

    def where(self):
        status, members = self.end or ("playing", {"result": None})
        return {"status": status, "to_act": [] if self.end else [self.turn], **members}


def plain(state):
    """A state as it is compared: hands are sets, an attack that is not advanced needs no word."""
    state = copy.deepcopy(state)
    for hand in state["hands"].values():
        hand.sort()
    if state["exchange"]:
        state["exchange"].setdefault("advanced", False)
    return state


# Positions at random

def variants(rng):
    if rng.random() < 0.5:
        options = {}
        if rng.random() < 0.4:
            options["counterattack"] = rng.choice(["level", "none"])
        if rng.random() < 0.4:
            options["after_parry"] = rng.choice(["last_attacker", "defender"])
        question = {"ruleset": "engarde", "options": options}
        if rng.random() < 0.5:
            question["variant"] = "do-strehu"
    else:
        question = {"ruleset": "engarde", "variant": "knizia", "options": {}}
        if rng.random() < 0.75:
            question["options"]["level"] = rng.choice(["basic", "standard", "advanced"])
    if rng.random() < 0.3:
        question["options"]["hits_to_lose"] = rng.randint(1, 9)
    return question


def start(rng, question):
    """A round as it is dealt."""
    cards = [value for value in VALUES for _ in range(5)]
    rng.shuffle(cards)
    most = question["options"].get("hits_to_lose", 5) - 1
    seat = rng.choice(SEATS)
    return {"fields": dict(HOME), "hits": {seat: rng.randint(0, most) for seat in SEATS},
            "hands": {"left": cards[:5], "right": cards[5:10]}, "deck": cards[10:], "turn": seat,
            "exchange": None, "round": rng.choice([1, 2, 7, 255]), "starter": rng.choice(SEATS)}


def thrown(rng, question):
    """A position put together at random, close to possible ones; sometimes an impossible one."""
    state = start(rng, question)
    cards = state["hands"]["left"] + state["hands"]["right"] + state["deck"]
    left = rng.randint(1, 22)
    state["fields"] = {"left": left, "right": min(23, left + rng.randint(1, rng.choice([3, 6, 22])))}
    turn, other = state["turn"], OTHER[state["turn"]]
    sizes = {"left": 5, "right": 5}
    distance = state["fields"]["right"] - left
    knizia = question.get("variant") == "knizia"
    deck = rng.choice([1, 1, 2, 3, 4, 6, 9, 13])
    if distance in VALUES and rng.random() < 0.5:
        played = {other: rng.choice([1, 1, 2, 3]), turn: 0}
        if not knizia and rng.random() < 0.3:
            played[turn] = rng.randint(0, played[other])
        state["exchange"] = {"card": distance, "played": played, "last_attacker": other}
        if knizia and rng.random() < 0.5:
            state["exchange"]["advanced"] = rng.random() < 0.9
        if not knizia:
            sizes = {seat: 5 - played[seat] for seat in SEATS}
        elif rng.random() < 0.3:
            deck = 0
            sizes[other] = rng.randint(0, 5)
        for _ in range(sum(played.values())):
            if distance in cards:
                cards.remove(distance)
        # Often the one who must answer can.
        cards.sort(key=lambda card: card != distance if rng.random() < 0.5 else rng.random())
        if rng.random() < 0.5:
            turn = "left"       # whoever gets the first cards
            if state["turn"] != turn:
                mirror(state, sizes)
    elif knizia and rng.random() < 0.3:
        sizes[turn] = rng.randint(2, 5)
    if rng.random() < 0.03:
        sizes[rng.choice(SEATS)] += rng.choice([-1, 1])
    state["hands"]["left"] = cards[:sizes["left"]]
    rest = cards[sizes["left"]:]
    rng.shuffle(rest)
    state["hands"]["right"] = rest[:sizes["right"]]
    state["deck"] = rest[sizes["right"]:][:deck]
    if rng.random() < 0.06:
        spoil(rng, state)
    return state


def mirror(state, sizes):
    """The same position with the seats changed."""
    fields = state["fields"]
    state["fields"] = {"left": 24 - fields["right"], "right": 24 - fields["left"]}
    state["turn"] = OTHER[state["turn"]]
    sizes["left"], sizes["right"] = sizes["right"], sizes["left"]
    played = state["exchange"]["played"]
    played["left"], played["right"] = played["right"], played["left"]
    state["exchange"]["last_attacker"] = OTHER[state["exchange"]["last_attacker"]]


def spoil(rng, state):
    """One thing that may make the position impossible."""
    seat = rng.choice(SEATS)
    what = rng.randrange(8)
    if what == 0:
        state["fields"][seat] = rng.choice([0, 1, 12, 23, 24])
    elif what == 1:
        state["hits"][seat] = rng.choice([0, 4, 5, 8, 9])
    elif what == 2:
        hand = rng.choice([state["hands"][seat], state["deck"]])
        hand[:1] = [rng.choice([0, 1, 3, 5, 6])]
    elif what == 3:
        state["deck"] = []
    elif what == 4:
        state["round"] = rng.choice([0, 1, 255, 256])
    elif what == 5 and state["exchange"]:
        state["exchange"]["card"] = rng.randint(1, 5)
    elif what == 6 and state["exchange"]:
        state["exchange"]["last_attacker"] = seat
    elif what == 7 and state["exchange"]:
        state["exchange"]["played"][seat] = rng.randint(0, 3)


def moves(rng, game, count):
    """Moves at random, most of them with cards that are held; allowed or not."""
    hand = game.hand(game.turn)

    def card():
        return rng.choice(hand) if hand and rng.random() < 0.85 else rng.randint(1, 5)

    def many():
        return rng.choice([1, 1, 1, 2, 2, 3, 4, 5])

    for _ in range(count):
        kind = rng.choice(["advance", "retreat", "attack", "parry", "advance_attack"])
        if kind == "parry":
            yield {"type": kind, "count": many()}
        elif kind in ("advance", "retreat"):
            yield {"type": kind, "card": card()}
        elif kind == "attack":
            yield {"type": kind, "card": card() if rng.random() < 0.5 else min(5, game.distance()),
                   "count": many()}
        else:
            yield {"type": kind, "move": card(), "card": card(), "count": many()}


def tables(rng):
    """Endless positions: some of rounds played at random, some thrown together."""
    while True:
        question = variants(rng)
        if rng.random() < 0.5:
            for _ in range(4):
                yield {**question, "state": thrown(rng, question)}
            continue
        question["state"] = start(rng, question)
        game = Game(question)
        for _ in range(60):
            if game.end or not game.plays():
                break
            yield {**question, "state": copy.deepcopy(game.at)}
            options = game.plays()
            # Whoever attacks by chance alone seldom sees an exchange.
            blows = [move for move in options if "count" in move]
            game.play(rng.choice(blows if blows and rng.random() < 0.5 else options))
