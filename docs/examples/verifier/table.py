"""En garde and the castle with real cards and tiles: docs/protocol.md, "Custody", docs/rules/engarde.md and
roquefort.md, "At a real table". Nobody has committed to anything; what was said is held against itself.
"""
from collections import Counter

from .engarde import CARDS, EnGarde
from .roquefort import SPARE, SYMBOLS, TILES, Castle
from .tokens import need, one_of, same

KINDS = Counter(TILES)     # how many there are of each face


class TableEnGarde(EnGarde):
    """Hands and deck are lists of None: only how many there are is known."""
    ACTS = {"moved", "attacked", "parried", "hit", "shown"}

    def shuffled(self):
        return "; the cards are the players' own"

    def commitments(self, whole, bodies):
        return "there are none: real cards"

    def openings(self):
        return []

    def deal(self, starter):
        self.round += 1
        self.round_starter = self.turn = starter
        self.fields = {"left": 1, "right": 23}
        self.hands = {"left": 5 * [None], "right": 5 * [None]}
        self.pile = 15 * [None]
        self.exchange = None
        self.left = dict.fromkeys(CARDS, 5)      # not yet played, of each value
        self.showing = False
        self.shown, self.times_shown = {}, {"left": 0, "right": 0}
        return [{"type": "round_started", "round": self.round, "starter": starter}]

    # What can be true

    def lay(self, seat, card, count=1):
        need(type(card) is int and card in CARDS, "there is no such card")
        need(type(count) is int and count >= 1, "that is no number of cards")
        need(count <= len(self.hands[seat]), f"{seat} does not hold {count} cards (EG-2)")
        need(count <= self.left[card], f"there are not {count} cards of {card} left (EG-2, EG-4, EG-5)")
        self.left[card] -= count
        self.hands[seat] = self.hands[seat][count:]

    def can_play(self, seat):
        return True

    def can_answer(self):
        return self.level != "basic"

    def may_act(self, seat):
        return self.showing or seat == self.turn

    def can_be(self, useless):
        """Whether the hand on turn can be of so many cards of each value."""
        return sum(min(self.left[card], useless(card)) for card in CARDS) >= len(self.hands[self.turn])

    # Acts

    def act(self, body, after):
        kind = body["type"]
        need(self.showing == (kind == "shown"), "hands are to be shown now, or nothing is (EG-9, EK-7)")
        if kind == "shown":
            return self.show(body["seat"], body.get("cards"))
        if kind == "hit":
            return self.give_up()
        events = super().act(body, after)
        if kind == "parried" and self.exchange:
            self.exchange["countered"] = True
        return events

    def give_up(self):
        """`yield` and `stuck`."""
        seat, exchange = self.turn, self.exchange
        if exchange is None:
            need(self.can_be(lambda card: 0 if card == self.distance or self.lands(seat, card, 1)
                             or self.lands(seat, card, -1) else 5),
                 f"{seat} must have something to play (EG-11)")
            return self.hit(seat, "EK-6" if self.knizia else "EG-11")
        if exchange["advanced"]:
            need(self.can_be(lambda card: 0 if self.lands(seat, card, -1)
                             else self.owed() - 1 if card == exchange["card"] else 5),
                 f"{seat} must be able to answer (EK-6)")
        return self.hit(seat, "EK-6" if self.knizia else "EG-6" if exchange.get("countered") else "EG-5")

    def compare(self):
        """The last card is drawn: both show their hands, unless only the way counts."""
        if self.level == "basic":
            return self.scored(None)
        self.showing = True
        return []

    def show(self, seat, cards):
        other = self.other(seat)
        need(isinstance(cards, list) and all(type(card) is int and card in CARDS for card in cards)
             and cards == sorted(cards), "these are no cards, or not in order")
        need(len(cards) == len(self.hands[seat]), f"{seat} holds {len(self.hands[seat])} cards")
        others = self.shown.get(other, [])
        need(all(cards.count(card) <= self.left[card] - others.count(card) for card in CARDS),
             "there are not so many cards of a value left (EG-9, EK-7)")
        self.times_shown[seat] += 1
        need(self.times_shown[seat] <= 9, f"{seat} shows more than nine times")
        self.shown[seat] = cards
        events = [{"type": "shown", "seat": seat, "cards": cards}]
        if len(self.shown) == 2:
            self.showing = False
            events += self.scored({side: self.shown[side] for side in self.SEATS})
        return events

    def scored(self, hands):
        """EG-9, EG-10, EK-7."""
        events = self.by_hands(hands or {side: [] for side in self.SEATS})
        if hands is None:
            events[0].pop("hands")
        return events


class TableCastle(Castle):
    @staticmethod
    def options(variant, seats):
        return {**Castle.options(variant, seats), "spare": one_of(*SYMBOLS)}

    def lay(self):
        """Faces come from what the transcript opens, and count from when they were seen."""
        self.faces, self.seen, self.started = 34 * [None], set(), {}

    def shuffled(self):
        return "; the tiles are the players' own"

    def commitments(self, whole, bodies):
        for opening in whole["openings"]:
            need(set(opening) == {"component", "face"}, "a tile is opened by component and face alone")
            kind, _, number = str(opening["component"]).partition("/")
            need(kind == "tile" and number in map(str, range(34)), f"{opening['component']} is no tile")
            need(self.faces[int(number)] is None, f"{opening['component']} is opened twice")
            need(opening["face"] in SYMBOLS, f"{opening['component']} has no such face")
            self.faces[int(number)] = opening["face"]
        need(same(self.faces[SPARE], self.replay.options["spare"]), "the spare is not that of the options")
        counts = Counter(face for face in self.faces if face)
        need(all(number <= KINDS[face] for face, number in counts.items()),
             "there are not so many tiles of a kind (CR-1)")
        self.see(SPARE)
        return "there are none: real tiles"

    def openings(self):
        self.ended = {"faces": self.faces}
        return [{"component": f"tile/{number}", "face": self.faces[number]} for number in sorted(self.seen)]

    def see(self, number):
        need(self.faces[number] is not None, f"tile {number} was seen, and the transcript does not open it")
        self.seen.add(number)

    def see_rooms(self):
        for number in self.uncovered:
            for square in self.rooms[number]:
                if square in self.ids:
                    self.see(self.ids[square])

    def uncover(self, player, body):
        events = super().uncover(player, body)
        self.see_rooms()
        return events

    def slide(self, slot):
        pushed = super().slide(slot)
        self.see_rooms()
        self.see(self.spare)
        return pushed
