"""En garde by docs/rules/engarde.md: both variants, all options.

Hands are lists of values; where in the deck a card lay does not matter once it is drawn.
"""
from . import seals
from .tokens import need, one_of, same, within

END = {"left": 1, "right": 23}
FORWARD = {"left": 1, "right": -1}
CARDS = range(1, 6)


class EnGarde:
    SEATS = ["left", "right"]
    VARIANTS = ["do-strehu", "knizia"]
    HAS_SETUP = False
    AUDITED = False
    ACTS = {"moved", "attacked", "parried"}

    @staticmethod
    def options(variant, seats):
        known = {"hits_to_lose": within(1, 9), "first": one_of("lot", *seats), "hand": within(5, 5)}
        if variant == "knizia":
            known["level"] = one_of("basic", "standard", "advanced")
        else:
            known["after_parry"] = one_of("last_attacker", "defender")
            known["counterattack"] = one_of("level", "none")
        return known

    def __init__(self, replay, starter):
        self.replay, self.starter = replay, starter
        options = replay.options
        self.knizia = replay.variant == "knizia"
        self.level = options.get("level")
        self.counterattack = options.get("counterattack") == "level"
        self.after_parry = options.get("after_parry")
        self.hits_to_lose = options["hits_to_lose"]
        self.hits = {"left": 0, "right": 0}
        self.decks = {}
        self.round = 0
        self.result = None
        self.started, self.ended = {}, {}

    # The deal: EG-1

    def deck(self, round_):
        """The values of the 25 cards of a round in shuffled order."""
        if round_ not in self.decks:
            self.decks[round_] = [card // 5 + 1 for card in self.replay.stream(round_).shuffle(25)]
        return self.decks[round_]

    def sealed(self, round_):
        return [seals.card(self.replay.gid, round_, position, value, self.replay.referee_seed).hex()
                for position, value in enumerate(self.deck(round_))]

    def shuffled(self):
        return "; the decks follow from the seeds"

    def commitments(self, whole, bodies):
        rounds = [body for body in bodies if body["type"] == "round_started"]
        for number, body in enumerate(rounds, 1):
            need(same(body.get("round"), number), f"round {number} has another number")
            need(same(body.get("commitments"), self.sealed(number)),
                 f"the cards of round {number} are not those of the seeds")
        return f"all cards of {len(rounds)} rounds"

    def openings(self):
        return [seals.opening(f"card/{round_}/{position}", value,
                              seals.nonce(self.replay.referee_seed, self.replay.gid, round_, position))
                for round_ in range(1, self.round + 1) for position, value in enumerate(self.deck(round_))]

    def after_start(self):
        """What follows `started`."""
        return self.deal(self.starter)

    def deal(self, starter):
        self.round += 1
        deck = self.deck(self.round)
        self.round_starter = self.turn = starter
        self.fields = dict(END)
        self.hands = {"left": deck[0:5], "right": deck[5:10]}
        self.pile = deck[10:]
        self.exchange = None
        return [{"type": "round_started", "round": self.round, "starter": starter,
                 "commitments": self.sealed(self.round)}]

    # What a player may do

    def still_in(self):
        return self.SEATS

    def may_act(self, seat):
        return seat == self.turn

    def answerer(self):
        return None

    def other(self, seat):
        return "right" if seat == "left" else "left"

    @property
    def distance(self):
        return self.fields["right"] - self.fields["left"]

    def travelled(self, seat):
        return abs(self.fields[seat] - END[seat])

    def lands(self, seat, card, direction):
        """Whether a step stays on the strip and before the opponent: EG-2."""
        to = self.fields[seat] + card * direction * FORWARD[seat]
        return 1 <= to <= 23 and (direction < 0 or card < self.distance)

    def can_retreat(self, seat):
        return any(self.lands(seat, card, -1) for card in self.hands[seat])

    def can_play(self, seat):
        """EG-11: an attack is something to play."""
        return any(self.lands(seat, card, 1) for card in self.hands[seat]) or self.can_retreat(seat) \
            or self.distance in self.hands[seat]

    def owed(self):
        """Cards that the seat on turn must lay to level the exchange."""
        played = self.exchange["played"]
        return played[self.other(self.turn)] - played[self.turn]

    def can_answer(self):
        """EG-5, EG-6, EK-2, EK-5, EK-6."""
        if self.level == "basic":
            return False
        enough = self.hands[self.turn].count(self.exchange["card"]) >= self.owed()
        return enough or (self.exchange["advanced"] and self.can_retreat(self.turn))

    def lay(self, seat, card, count=1):
        need(type(card) is int and card in CARDS, "there is no such card")
        need(type(count) is int and count >= 1, "that is no number of cards")
        need(self.hands[seat].count(card) >= count, f"{seat} does not hold {count} cards of {card} (EG-2)")
        for _ in range(count):
            self.hands[seat].remove(card)

    # Acts, each with the events that tell of it

    def act(self, body, after):
        kind = body["type"]
        if kind == "moved":
            return self.move(body, after)
        if kind == "attacked":
            need(self.exchange is None, "an attack is to be answered (EG-5)")
            return self.attack(body, advanced=False)
        return self.parry(body)

    def move(self, body, after):
        seat, start, to = self.turn, body.get("from"), body.get("to")
        need(same(start, self.fields[seat]) and type(to) is int, f"{seat} does not stand on that field")
        card = abs(to - start)
        direction = 1 if (to - start) * FORWARD[seat] > 0 else -1
        escape = self.exchange is not None
        if escape:
            need(self.exchange["advanced"] and direction < 0, "an attack is to be answered (EG-5)")
        need(card in CARDS and self.lands(seat, card, direction), "that step is not possible (EG-2)")
        self.lay(seat, card)
        self.fields[seat] = to
        events = [{"type": "moved", "seat": seat, "from": start, "to": to}]
        if after.get("type") == "attacked" and same(after.get("seat"), seat):
            # EK-4: one turn. After any other move cards are drawn, or the opponent is next.
            need(self.level == "advanced" and not escape and direction > 0,
                 "an attack after a step does not exist here (EK-4)")
            return events + self.attack(after, advanced=True)
        self.exchange = None
        events += self.fill(seat)
        if not self.pile:
            return events + self.compare()
        return events + self.next_turn(self.other(seat))

    def attack(self, body, advanced):
        seat, card, count = self.turn, body.get("card"), body.get("count")
        need(same(card, self.distance), "the card is not the distance (EG-4)")
        self.lay(seat, card, count)
        need(self.level != "basic" or count == 1, "an attack is one card (EK-2)")
        self.exchange = {"card": card, "played": {seat: count, self.other(seat): 0},
                         "last_attacker": seat, "advanced": advanced}
        events = [{"type": "attacked", "seat": seat, "card": card, "count": count}]
        if self.knizia:
            events += self.fill(seat)   # EK-3
        self.turn = self.other(seat)
        if not self.can_answer():
            return events + self.hit(self.turn, "EK-6" if self.knizia else "EG-5")
        return events

    def parry(self, body):
        seat, exchange, count = self.turn, self.exchange, body.get("count")
        need(exchange is not None, "there is nothing to parry (EG-5)")
        need(same(body.get("card"), exchange["card"]), "a parry is of the attack's value (EG-5)")
        owed = self.owed()
        self.lay(seat, exchange["card"], count)
        need(self.level != "basic", "there is no parry (EK-2)")
        need(count >= owed, "that does not level the attack (EG-5, EG-6)")
        need(count == owed or self.counterattack, "there is no counterattack (EG-6, EK-2)")
        exchange["played"][seat] += count
        events = [{"type": "parried", "seat": seat, "card": exchange["card"], "count": count}]
        other = self.other(seat)
        if count > owed:
            exchange["last_attacker"] = seat
            self.turn = other
            return events if self.can_answer() else events + self.hit(other, "EG-6")
        self.exchange = None
        if self.knizia:   # EK-3, EK-7
            return events + (self.next_turn(seat) if self.pile else self.compare())
        last = exchange["last_attacker"]
        for filler in (last, self.other(last)):   # EG-7
            events += self.fill(filler)
            if not self.pile:
                return events + self.compare()
        return events + self.next_turn(last if self.after_parry == "last_attacker" else self.other(last))

    # What follows

    def fill(self, seat):
        """Fills up the hand to five, as far as the deck goes: EG-3, EG-7, EK-3."""
        count = min(5 - len(self.hands[seat]), len(self.pile))
        self.hands[seat] = self.hands[seat] + self.pile[:count]
        self.pile = self.pile[count:]
        return [{"type": "drawn_cards", "seat": seat, "count": count}] if count else []

    def next_turn(self, seat):
        self.turn = seat
        return [] if self.can_play(seat) else self.hit(seat, "EK-6" if self.knizia else "EG-11")

    def compare(self):
        """The last card is drawn: EG-9, EG-10, EK-7."""
        return self.by_hands({seat: sorted(hand) for seat, hand in self.hands.items()})

    def by_hands(self, hands):
        held = {seat: hand.count(self.distance) for seat, hand in hands.items()}
        ways = {seat: self.travelled(seat) for seat in self.SEATS}
        for counts, ruling in ((held, "EG-9"), (ways, "EG-10")):
            if counts is held and self.level == "basic":
                continue
            if counts["left"] != counts["right"]:
                return self.hit(min(self.SEATS, key=counts.get), "EK-7" if self.knizia else ruling, hands)
        void = {"type": "round_void", "ruling": "EK-7" if self.knizia else "EG-10", "hands": hands}
        return [void] + self.next_round()

    def hit(self, seat, ruling, hands=None):
        self.hits[seat] += 1
        event = {"type": "hit", "seat": seat, "hits": self.hits[seat], "ruling": ruling}
        if hands:
            event["hands"] = hands
        if self.hits[seat] == self.hits_to_lose:   # EG-8
            self.result = {"reason": "hits", "ruling": "EG-8", "winner": self.other(seat)}
            return [event]
        return [event] + self.next_round()

    def next_round(self):
        """EG-12; a result by the limit of rounds names no ruling."""
        if self.round == 255:
            self.result = {"reason": "limit", "ruling": None, "winner": None}
            return []
        return self.deal(self.other(self.round_starter))

    def resign(self, seat):
        self.result = {"reason": "resigned", "ruling": None, "winner": self.other(seat)}
        return []
