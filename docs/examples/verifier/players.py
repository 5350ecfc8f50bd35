"""Stratego in the custody of the players: docs/protocol.md, "Custody", and docs/rules/stratego.md, "Players'
custody".

The faces are those that the secrets give; where a secret gives nothing, or there is none, those of the
transcript's openings, which were given in play. Either way a face fits its commitment. A piece is `known` from
the event on in which it was opened to the referee: until then it is judged as a scout.
"""
from collections import Counter

from . import seals
from .stratego import SETS, Move, Piece, Stratego, name_of, slot_square, square
from .tokens import need, same, unhex


class Hidden(Piece):
    def __init__(self, seat, rank, at, opening):
        super().__init__(seat, rank)
        self.home, self.opening = at, opening
        self.known = False          # to the referee
        self.first_move = None      # seq

    @property
    def is_immobile(self):
        return self.rank in ("mine", "bomb", "flag")

    @property
    def moves(self):
        return not (self.known and self.is_immobile)

    @property
    def runs(self):
        return not self.known or self.rank == "scout"


class PlayersStratego(Stratego):
    ACTS = {"moved", "challenge", "combat", "claimed"}
    AUDITED = True

    def __init__(self, replay, starter):
        super().__init__(replay, starter)
        self.pieces = {seat: [] for seat in self.SEATS}     # all that were set up, by slot
        self.mismatch = set()     # seats whose secret does not open all
        self.too_many = {}        # seat: the seq in which it opened more of a rank than there are
        self.is_called_off = False
        self.challenge = None     # the attack that waits, or "claim"
        self.fresh = False        # whether there was a combat since the last claim that failed

    # Set-ups

    def commitments(self, whole, bodies):
        started, self.secrets, opened = self.replay.next(), whole["secrets"], self.by_component(whole)
        need(set(self.secrets) <= set(self.SEATS), "there is a secret of nobody")
        self.started = {name: started.get(name) for name in ("commitments", "setups", "squares")}
        for value in self.started.values():
            need(isinstance(value, dict) and set(value) == set(self.SEATS), "started is not about both sides")
        for number, seat in enumerate(self.SEATS):
            squares, texts = self.started["squares"][seat], self.started["commitments"][seat]
            slots = [slot for slot in range(40) if name_of(slot_square(seat, slot)) in squares]
            need(same(squares, [name_of(slot_square(seat, slot)) for slot in slots]),
                 f"the squares of {seat} are not squares of its own in the order of slots")
            size = sum(SETS[self.replay.variant].values())
            need(len(slots) == size, f"{seat} has set up {len(slots)} pieces and not {size}")
            need(isinstance(texts, list) and len(texts) == size, f"{seat} has not {size} commitments")
            sealed = [unhex(text, f"a commitment of {seat}") for text in texts]
            need(same(self.started["setups"][seat], seals.setup(self.replay.gid, number, sealed).hex()),
                 f"the set-up of {seat} does not fit its commitments")
            for slot, seal in zip(slots, sealed):
                self.put(seat, slot, seal, opened)
            if seat in self.secrets:
                derived = sum(piece.by_secret for piece in self.pieces[seat])
                need(derived, f"the secret of {seat} opens nothing, and so it is none (docs/adr/0012)")
                if derived < size:
                    self.mismatch.add(seat)
        return f"{size} pieces a side, and both set-ups; {len(self.secrets)} secrets"

    def by_component(self, whole):
        found = {}
        for opening in whole["openings"]:
            need(set(opening) == {"component", "face", "nonce"} and isinstance(opening["component"], str),
                 "an opening has not component, face and nonce")
            need(opening["component"] not in found, f"{opening['component']} is opened twice")
            found[opening["component"]] = opening
        return found

    def put(self, seat, slot, seal, opened):
        """The piece of a slot, with the face that fits its commitment, if one is known."""
        gid, at, number = self.replay.gid, slot_square(seat, slot), self.SEATS.index(seat)
        component, rank, opening = f"{seat}/{name_of(at)}", None, None
        if seat in self.secrets:
            secret = unhex(self.secrets[seat], f"the secret of {seat}")
            rank = next((face for n, face in enumerate(self.ranks)
                         if seals.piece(gid, number, slot, n, secret) == seal), None)
        by_secret = rank is not None
        if by_secret:
            opening = seals.opening(component, rank, seals.nonce(secret, gid, 0, slot))
        elif component in opened:
            opening = opened[component]
            rank = opening["face"]
            need(isinstance(rank, str) and rank in self.ranks, f"{component} is no piece")
            nonce = unhex(opening["nonce"], f"the nonce of {component}")
            need(seals.piece_of(gid, number, slot, self.ranks.index(rank), nonce) == seal,
                 f"{component} is opened and does not fit its commitment")
        piece = self.board[at] = Hidden(seat, rank, at, opening)
        piece.by_secret = by_secret
        self.pieces[seat].append(piece)

    def openings(self):
        return [piece.opening for seat in self.SEATS for piece in self.pieces[seat]
                if piece.known or (piece.by_secret and not self.is_called_off)]

    def after_start(self):
        return []

    # What a player opens

    def open(self, piece):
        need(piece.opening, f"{piece.seat}/{name_of(piece.home)} was opened in play, and is not in the transcript")
        piece.known = True

    def open_all(self, seat):
        for piece in self.board.values():
            if piece.seat == seat:
                self.open(piece)

    def count(self, seat):
        """More of a rank opened than there are is cheating at once, whatever else the action came to."""
        if self.has_too_many(piece for piece in self.pieces[seat] if piece.known):
            self.too_many[seat] = self.replay.seq
            self.challenge = None
            self.end("cheat", None, self.other(seat))

    @staticmethod
    def as_seen_by(seat, board):
        """SC-7: own pieces are alike only if the referee knows both."""
        return {at: piece.rank if piece.seat == seat and piece.known else id(piece) for at, piece in board.items()}

    def answerer(self):
        """Who must open something now, if somebody must."""
        return self.other(self.turn) if self.challenge else None

    # Acts

    def act(self, body, after):
        kind = body["type"]
        if self.challenge:
            need(kind == ("claimed" if self.challenge == "claim" else "combat"), "a challenge is to be answered")
            return self.answer_claim() if self.challenge == "claim" else self.settle()
        need(kind != "combat", "a combat comes after a challenge")
        if kind == "claimed" or "claim" in body:
            return self.claim()
        start, to = square(body.get("from")), square(body.get("to"))
        need(start is not None and to is not None, "there is no such square")
        move = self.judged(start, to)
        piece, attack = move.piece, to in self.board
        need(attack == (kind == "challenge"), "an attack is a challenge first, and nothing else is one")
        is_run = max(abs(a - b) for a, b in zip(start, to)) > 1
        if attack or is_run:
            self.open(piece)
            need(not piece.is_immobile, f"a {piece.rank} attacks or runs")
            need(piece.rank == "scout" or not is_run, f"a {piece.rank} runs as only a scout may")
        seat = self.turn
        if attack:
            self.challenge = move
            events = [{"type": "challenge", "seat": seat, "from": name_of(start), "to": name_of(to)}]
        else:
            piece.first_move = piece.first_move or self.replay.seq
            events = [self.carry_out(move)]
        self.count(seat)
        return events

    def settle(self):
        move, self.challenge = self.challenge, None
        defender = self.board[move.to]
        self.open(defender)
        move.piece.first_move = move.piece.first_move or self.replay.seq
        self.fresh = True
        events = [self.carry_out(move)]
        self.count(defender.seat)
        return events

    def judge(self, mover, flag, attack):
        """Only what can be seen; the rest is claimed."""
        if flag:
            self.end("flag", "ST-12" if self.czech else "SC-5", mover)
        elif self.over_limit():
            self.end("limit", "SC-8", None)

    def claim(self):
        """ST-13, ST-14, SC-5: which of them it is follows from the faces."""
        seat = self.turn
        self.open_all(seat)
        holds = not self.can_move(seat)
        movable = any(piece.moves for piece in self.board.values() if piece.seat == seat)
        if self.czech and holds:
            self.end("no_move", "ST-14", None)
        elif self.fresh if self.czech else holds and not movable:
            self.challenge = "claim"
            events = [{"type": "challenge", "seat": seat, "claim": True}]
            self.count(seat)
            return events
        elif holds:
            self.end("no_move", "SC-5", self.other(seat))
        else:
            self.fresh = False
        self.count(seat)
        return [{"type": "claimed", "seat": seat, "holds": holds}]

    def answer_claim(self):
        seat, rival, self.challenge = self.turn, self.other(self.turn), None
        self.open_all(rival)
        holds = not self.czech or self.dead()
        if not holds:
            self.fresh = False
        elif self.czech:
            self.end("dead", "ST-13", None)
        else:
            movable = any(piece.moves for piece in self.board.values())
            self.end("no_move", "SC-5", rival if movable else None)
        self.count(rival)
        return [{"type": "claimed", "seat": seat, "holds": holds}]

    def resign(self, seat):
        self.challenge = None
        return super().resign(seat)

    # The audit

    def called_off(self, audited):
        """An abort: nobody can say whether all was well. It opens what was opened in play."""
        self.is_called_off = True
        self.with_secrets(audited)
        self.ended["audit"] = "pending"

    def with_secrets(self, audited):
        need(set(self.secrets) == set(audited), "the secrets are not those of the sides that were audited")
        self.ended = {"secrets": self.secrets}

    def audit(self, result, audited, late):
        """What `ended` says after it; `late` tells the seq in which a seat was put out. The result."""
        self.with_secrets(audited)
        cheats = []
        for seat in self.SEATS:
            found = [(seq, "no_audit") for who, seq in late.items() if who == seat]
            found += [(seq, "wrong_count") for who, seq in self.too_many.items() if who == seat]
            set_up = self.replay.set_up_at[seat]
            if seat in self.mismatch:
                found.append((set_up, "opening_mismatch"))
            if seat in audited and seat not in self.too_many and self.is_wrong(seat):
                found.append((set_up, "wrong_count"))
            if seat in audited:
                found += [(piece.first_move, "moved_immobile") for piece in self.pieces[seat]
                          if piece.by_secret and piece.is_immobile and piece.first_move]
            cheats += [{"code": code, "seat": seat, "seq": seq} for seq, code in sorted(found)]
        if not cheats:
            return result
        self.ended.update(audit="cheat", cheats=cheats)
        cheaters = {cheat["seat"] for cheat in cheats}
        if len(cheaters) == 2:
            return {"reason": "void", "ruling": None, "winner": None}
        cheater, = cheaters
        codes = {cheat["code"] for cheat in cheats}
        return {"reason": "no_audit" if codes == {"no_audit"} else "cheat", "ruling": None,
                "winner": self.other(cheater)}

    def is_wrong(self, seat):
        """Not the pieces of the variant, as far as the secret opens them."""
        return self.has_too_many(piece for piece in self.pieces[seat] if piece.by_secret)

    def has_too_many(self, pieces):
        counts = Counter(piece.rank for piece in pieces)
        return any(number > SETS[self.replay.variant].get(rank, 0) for rank, number in counts.items())
