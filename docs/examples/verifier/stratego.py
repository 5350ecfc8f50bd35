"""Stratego and Maršál a špión by docs/rules/stratego.md: six variants, all options.

A square is a pair (file, row), both from 0: a1 is (0, 0). The set-ups are read from the transcript's openings
and held against the commitments that were published before play.
"""
import re

from . import seals
from .tokens import need, one_of, same, unhex, within

SIZE = 10
LAKES = {(file, row) for file in (2, 3, 6, 7) for row in (4, 5)}
STRAIGHT = [(0, 1), (1, 0), (0, -1), (-1, 0)]
DIAGONAL = [(1, 1), (1, -1), (-1, -1), (-1, 1)]

# The names in the order of their bytes; how strong a piece is says STRENGTH alone.
CZECH = "flag spy scout miner gunner corporal cadet captain general marshal mine".split()
CLASSIC = "flag spy scout miner sergeant lieutenant captain major colonel general marshal bomb".split()

# Strongest first, of those that move. In marsal-a-spion the scout outranks the miner.
CZECH_ORDER = "marshal general captain cadet corporal gunner scout miner spy".split()
CLASSIC_ORDER = "marshal general colonel major captain lieutenant sergeant miner scout spy".split()

SETS = {
    "marsal-a-spion": dict(marshal=1, general=1, captain=2, cadet=3, corporal=4, gunner=5, scout=8, miner=6,
                           spy=1, mine=8, flag=1),
    "classic": dict(marshal=1, general=1, colonel=2, major=3, captain=4, lieutenant=4, sergeant=4, miner=5,
                    scout=8, spy=1, bomb=6, flag=1),
    "barrage": dict(marshal=1, general=1, miner=1, scout=2, spy=1, bomb=1, flag=1),
    "duel": dict(marshal=1, general=1, miner=2, scout=2, spy=1, bomb=2, flag=1),
    "ultimate": dict(marshal=1, general=1, colonel=1, major=1, captain=2, lieutenant=2, sergeant=2, miner=2,
                     scout=4, spy=1, bomb=2, flag=1),
}
SETS["isf"] = SETS["classic"]


def square(name):
    """The pair of a square's name, or None."""
    if not isinstance(name, str) or not re.fullmatch("[a-j]([1-9]|10)", name):
        return None
    return "abcdefghij".index(name[0]), int(name[1:]) - 1


def slot_square(seat, slot):
    """Where a slot lies, seen from the side's own left back corner."""
    file, row = slot % SIZE, slot // SIZE
    return (file, row) if seat == "red" else (9 - file, 9 - row)


def name_of(at):
    return f"{'abcdefghij'[at[0]]}{at[1] + 1}"


def plus(at, step):
    return at[0] + step[0], at[1] + step[1]


def beside(a, b):
    """Straight, not at a corner."""
    return abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1


def on_board(at):
    return 0 <= at[0] < SIZE and 0 <= at[1] < SIZE


class Piece:
    def __init__(self, seat, rank):
        self.seat, self.rank = seat, rank

    @property
    def moves(self):
        return self.rank not in ("mine", "bomb", "flag")

    @property
    def runs(self):
        return self.rank == "scout"


class Move:
    """A move as the rules that look back see it: SC-6, SC-7."""

    def __init__(self, piece, start, to):
        self.piece, self.start, self.to = piece, start, to

    def borders(self):
        """Between which neighbouring squares it goes."""
        step = tuple((b > a) - (b < a) for a, b in zip(self.start, self.to))
        at, crossed = self.start, set()
        while at != self.to:
            crossed.add(frozenset((at, plus(at, step))))
            at = plus(at, step)
        return crossed


class Stratego:
    SEATS = ["red", "blue"]
    VARIANTS = list(SETS)
    HAS_SETUP = True
    AUDITED = False
    ACTS = {"moved", "combat"}

    @staticmethod
    def options(variant, seats):
        known = {"first": one_of("lot", *seats)}
        if variant == "marsal-a-spion":
            known["captives"] = one_of("hidden", "shown")
        else:
            known.update(two_square=within(0, 5), more_square=lambda value: isinstance(value, bool),
                         ply_limit=within(0, 32767), quiet_limit=within(0, 32767))
        return known

    def __init__(self, replay, starter):
        self.replay, self.starter, self.turn = replay, starter, starter
        self.czech = replay.variant == "marsal-a-spion"
        self.ranks = CZECH if self.czech else CLASSIC
        self.order = CZECH_ORDER if self.czech else CLASSIC_ORDER
        self.lakes = set() if self.czech else LAKES
        options = replay.options
        self.two_square, self.more_square = options.get("two_square", 0), options.get("more_square", False)
        self.limits = options.get("ply_limit", 0), options.get("quiet_limit", 0)
        self.plies = self.quiet = 0
        self.board = {}                                   # square: piece
        self.moves = {seat: [] for seat in self.SEATS}    # all moves of a side, in order
        self.chase = {seat: 0 for seat in self.SEATS}     # the counters of SC-7
        self.positions = []                               # the board after each of the last plies (SC-7)
        self.result = None

    # Set-ups and commitments

    def shuffled(self):
        return ""

    def commitments(self, whole, bodies):
        gid, openings = self.replay.gid, list(whole["openings"])
        secrets = whole["secrets"]
        need(set(secrets) == set(self.SEATS), "there are not two secrets")
        lists, setups, self.faces_opened = {}, {}, []
        for number, seat in enumerate(self.SEATS):
            secret = unhex(secrets[seat], f"the secret of {seat}")
            slots = {name_of(slot_square(seat, slot)): slot for slot in range(40)}
            faces = {}
            for opening in openings:
                component = opening.get("component") if isinstance(opening, dict) else None
                side, _, at = component.partition("/") if isinstance(component, str) else ("", "", "")
                if side == seat:
                    need(at in slots, f"{component} is no square of {seat}'s set-up")
                    need(slots[at] not in faces, f"{component} is opened twice")
                    face = opening.get("face")
                    need(isinstance(face, str) and face in self.ranks, f"{component} is no piece")
                    faces[slots[at]] = face
            counts = {rank: list(faces.values()).count(rank) for rank in self.ranks}
            need({rank: n for rank, n in counts.items() if n} == SETS[self.replay.variant],
                 f"{seat} has not the pieces of the variant")
            sealed = []
            for slot, rank in sorted(faces.items()):
                at = slot_square(seat, slot)
                self.board[at] = Piece(seat, rank)
                sealed.append(seals.piece(gid, number, slot, self.ranks.index(rank), secret))
                nonce = seals.nonce(secret, gid, 0, slot)
                self.faces_opened.append(seals.opening(f"{seat}/{name_of(at)}", rank, nonce))
            lists[seat] = [seal.hex() for seal in sealed]
            setups[seat] = seals.setup(gid, number, sealed).hex()
        self.started = {"commitments": lists, "setups": setups}
        self.ended = {"secrets": secrets}
        for name, value in self.started.items():
            found = self.replay.next().get(name)
            for seat in self.SEATS:
                need(isinstance(found, dict) and same(found.get(seat), value[seat]),
                     f"the {name} of {seat} do not fit what was opened")
        return f"{len(lists['red'])} and {len(lists['blue'])} pieces, and both set-ups"

    def openings(self):
        return self.faces_opened

    def answerer(self):
        """Who must open something now: nobody, in the referee's custody."""
        return None

    def after_start(self):
        """What follows `started`: nothing, unless whoever begins cannot move."""
        self.judge_mobility()
        return []

    # Who may go where

    def may_act(self, seat):
        return seat == self.turn

    def still_in(self):
        return self.SEATS

    def other(self, seat):
        return "blue" if seat == "red" else "red"

    def free(self, at):
        return on_board(at) and at not in self.lakes and at not in self.board

    def reach(self, start):
        """The squares that the piece on `start` may go to or attack by ST-3 to ST-5, SC-1, SC-2."""
        piece = self.board[start]
        if not piece.moves:
            return
        for step in STRAIGHT:
            at = plus(start, step)
            while self.free(at):
                yield at
                at = plus(at, step)
                if not piece.runs:
                    break
            else:
                if at in self.board and self.board[at].seat != piece.seat:
                    yield at
        if self.czech:
            for step in DIAGONAL:
                if self.free(plus(start, step)):
                    yield plus(start, step)

    def barred(self, move):
        """By which ruling a move is refused for what came before, if by any."""
        if self.two_square and self.goes_to_and_fro(move):
            return "SC-6"
        if self.more_square and self.chases(move):
            return "SC-7"
        return None

    def goes_to_and_fro(self, move):
        """SC-6: a border that this move and each of the last N of the side cross, all with one piece."""
        last = self.moves[move.piece.seat][-self.two_square:]
        if len(last) < self.two_square or any(other.piece is not move.piece for other in last):
            return False
        borders = move.borders()
        for other in last:
            borders &= other.borders()
        return bool(borders)

    def enemy_beside(self, seat, at):
        near = [self.board.get(plus(at, step)) for step in STRAIGHT]
        return any(piece is not None and piece.seat != seat for piece in near)

    def chases(self, move):
        """SC-7."""
        seat = move.piece.seat
        count = self.chase[seat]
        if move.to in self.board or count == 0 or not self.enemy_beside(seat, move.to):
            return False
        last = self.moves[seat][-1]
        if (last.start, last.to) == (move.to, move.start):
            return False
        board = dict(self.board)
        board[move.to] = board.pop(move.start)
        seen = self.positions[-min(count, 128):]
        return self.as_seen_by(seat, board) in [self.as_seen_by(seat, position) for position in seen]

    @staticmethod
    def as_seen_by(seat, board):
        """Own pieces of one rank are the same, enemy pieces each their own."""
        return {at: piece.rank if piece.seat == seat else id(piece) for at, piece in board.items()}

    # Acts

    def act(self, body, after):
        start, to = square(body.get("from")), square(body.get("to"))
        need(start is not None and to is not None, "there is no such square")
        return [self.carry_out(self.judged(start, to))]

    def judged(self, start, to):
        """The move, if it is one that the side on turn may make."""
        seat, piece = self.turn, self.board.get(start)
        need(piece is not None and piece.seat == seat, f"nothing of {seat} stands on {name_of(start)} (ST-3)")
        need(to in self.reach(start), f"the {piece.rank} cannot go from {name_of(start)} to {name_of(to)}"
             " (ST-3 to ST-5, SC-1, SC-2)")
        move = Move(piece, start, to)
        by = self.barred(move)
        need(by is None, f"that move is barred by {by}")
        return move

    def carry_out(self, move):
        """Plays it; the event that tells of it."""
        seat, piece, start, to = self.turn, move.piece, move.start, move.to
        told = {"type": "moved", "seat": seat, "from": name_of(start), "to": name_of(to)}
        flag = False
        defender = self.board.get(to)
        if defender:
            flag = defender.rank == "flag"
            told["type"], told["outcome"] = "combat", self.combat(piece, defender)
            if told["outcome"] != "attacker_lost":
                del self.board[to]
            if told["outcome"] != "defender_lost":
                del self.board[start]
        if piece is self.board.get(start) and to not in self.board:
            self.board[to] = self.board.pop(start)
        self.look_back(move, attack=defender is not None)
        self.turn = self.other(seat)
        self.judge(seat, flag, attack=defender is not None)
        return told

    def combat(self, attacker, defender):
        """ST-7 to ST-10, SC-4."""
        a, d = attacker.rank, defender.rank
        if d == "flag":
            return "defender_lost"
        if d in ("mine", "bomb"):
            return "defender_lost" if a == "miner" else "attacker_lost"
        if a == d:
            return "both_lost"
        if (a, d) == ("spy", "marshal"):
            return "defender_lost"
        if (a, d) == ("marshal", "spy") and self.czech:
            return "attacker_lost"
        return "defender_lost" if self.order.index(a) < self.order.index(d) else "attacker_lost"

    def look_back(self, move, attack):
        """Keeps what SC-6, SC-7 and SC-8 ask for."""
        seat, other = move.piece.seat, self.other(move.piece.seat)
        theirs = self.moves[other]
        self.chase[other] = self.chase[other] + 1 if theirs and beside(move.start, theirs[-1].to) else 0
        if attack:
            self.chase = dict.fromkeys(self.SEATS, 0)
        self.chase[seat] = self.chase[seat] + 1 if self.enemy_beside(seat, move.to) else 0
        self.moves[seat].append(move)
        if self.more_square:
            self.positions = self.positions[-127:] + [dict(self.board)]
        self.plies += 1
        self.quiet = 0 if attack else self.quiet + 1

    # The end

    def judge(self, mover, flag, attack):
        if flag:
            self.end("flag", "ST-12" if self.czech else "SC-5", mover)
        elif self.czech and attack and self.dead():
            self.end("dead", "ST-13", None)
        elif self.over_limit():
            self.end("limit", "SC-8", None)
        else:
            self.judge_mobility()

    def over_limit(self):
        return any(limit and count > limit for limit, count in zip(self.limits, (self.plies, self.quiet)))

    def judge_mobility(self):
        """ST-14, SC-5: the side to move cannot."""
        if self.can_move(self.turn):
            return
        if self.czech:
            self.end("no_move", "ST-14", None)
        else:
            movable = any(piece.moves for piece in self.board.values())
            self.end("no_move", "SC-5", self.other(self.turn) if movable else None)

    def can_move(self, seat):
        return any(not self.barred(Move(piece, start, to))
                   for start, piece in list(self.board.items()) if piece.seat == seat
                   for to in self.reach(start))

    def end(self, reason, ruling, winner):
        self.result = {"reason": reason, "ruling": ruling, "winner": winner}

    def dead(self):
        """ST-13: neither side could ever capture the other's flag."""
        walls = {at: piece for at, piece in self.board.items() if not piece.moves}
        while True:
            spread = {seat: self.spread(seat, walls, "any") for seat in self.SEATS}
            miners = {seat: self.spread(seat, walls, "miner") for seat in self.SEATS}
            gone = [at for at, piece in walls.items() if piece.rank == "mine"
                    and any(plus(at, step) in miners[self.other(piece.seat)] for step in STRAIGHT)]
            if not gone:
                break
            for at in gone:
                del walls[at]
        return not any(plus(at, step) in spread[self.other(piece.seat)] for step in STRAIGHT
                       for at, piece in walls.items() if piece.rank == "flag")

    def spread(self, seat, walls, rank):
        """The squares that the side's pieces (of a rank) come to, if all that moves gives way."""
        reached = [at for at, piece in self.board.items() if piece.seat == seat and piece.moves
                   and rank in ("any", piece.rank)]
        seen = set(reached)
        for at in reached:
            for step in STRAIGHT + DIAGONAL:
                to = plus(at, step)
                if on_board(to) and to not in walls and to not in seen:
                    seen.add(to)
                    reached.append(to)
        return seen

    def resign(self, seat):
        self.end("resigned", None, self.other(seat))
        return []
