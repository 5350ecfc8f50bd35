"""Stratego of which only combats are told: docs/protocol.md, "The games", and docs/rules/stratego.md, "Only combats
are told".

The board is on a table, and the referee does not see it. Pieces go by the square of their set-up, to the end of the
game; which of them fought is read from `ended`, and everything that the events say must follow from it.
"""
from .stratego import Stratego, name_of, square
from .tokens import need, one_of, within


class CombatsOnly(Stratego):
    ACTS = {"challenge", "combat"}

    @staticmethod
    def options(variant, seats):
        known = {**Stratego.options(variant, seats), "told": one_of("combats")}
        known.update({limit: within(0, 0) for limit in ("ply_limit", "quiet_limit") if limit in known})
        return known

    def commitments(self, whole, bodies):
        words = super().commitments(whole, bodies)
        self.told = bodies[-1].get("combats")     # by the referee's word
        need(isinstance(self.told, list) and all(isinstance(pair, list) for pair in self.told),
             "ended has no list of the combats")
        self.fought = self.ended["combats"] = []  # as far as they were held against the events
        self.challenge = False
        return words

    def after_start(self):
        return []

    # Who may act: nobody is held to turns

    def may_act(self, seat):
        return not self.challenge or seat == self.turn

    def answerer(self):
        return self.other(self.turn) if self.challenge else None

    # Acts

    def act(self, body, after):
        kind, seat = body["type"], body["seat"]
        need(kind == ("combat" if self.challenge else "challenge"),
             "an attack is to be answered" if self.challenge else "a combat comes after a challenge")
        if kind == "challenge":
            at = self.listed(seat, len(self.fought), 0)
            need(self.board[at].moves, f"a {self.board[at].rank} attacks (ST-3)")
            self.turn, self.challenge = seat, True
            self.fought.append([name_of(at)])
            return [{"type": "challenge", "seat": seat}]
        self.challenge = False
        defender = self.listed(self.other(seat), len(self.fought) - 1, 1)
        attacker = square(self.fought[-1][0])
        self.fought[-1].append(name_of(defender))
        return [{"type": "combat", "seat": seat, "outcome": self.settle(attacker, defender)}]

    def listed(self, seat, number, which):
        """The square of the piece that fought, by the list in `ended`: one of the side's, and still in the game."""
        need(number < len(self.told) and which < len(self.told[number]),
             f"ended does not say which piece of {seat} was in combat {number + 1}")
        at = square(self.told[number][which])
        need(at is not None, f"combat {number + 1} names no square")
        piece = self.board.get(at)
        need(piece is not None and piece.seat == seat,
             f"combat {number + 1}: {seat} has no piece of {name_of(at)} in the game (ST-3)")
        return at

    def settle(self, attacker, defender):
        outcome = self.combat(self.board[attacker], self.board[defender])
        flag = self.board[defender].rank == "flag"
        mover, self.turn = self.turn, self.other(self.turn)
        if outcome != "attacker_lost":
            del self.board[defender]
        if outcome != "defender_lost":
            del self.board[attacker]
        self.judge(mover, flag, attack=True)
        return outcome

    # The end

    def can_move(self, seat):
        """Where pieces stand is the table's."""
        return any(piece.moves for piece in self.board.values() if piece.seat == seat)

    def dead(self):
        """ST-13 without a board: nothing that moves is left."""
        return not any(self.can_move(seat) for seat in self.SEATS)
