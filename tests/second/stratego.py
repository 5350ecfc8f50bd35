"""Stratego and Maršál a špión a second time, from docs/rules/stratego.md alone: positions, moves, verdicts.

A position is the `state` of the stateless judge with its `history`; squares are pairs, a1 is (0, 1).
Nothing here was taken from rules/stratego.
"""
import copy

from refused import Refused

FILES = "abcdefghij"
SEATS = ("red", "blue")
OTHER = {"red": "blue", "blue": "red"}
STRAIGHT = [(0, 1), (1, 0), (0, -1), (-1, 0)]
DIAGONAL = [(1, 1), (1, -1), (-1, -1), (-1, 1)]
LAKES = {(FILES.index(name[0]), int(name[1:])) for name in "c5 d5 c6 d6 g5 h5 g6 h6".split()}
BOARD = [(file, row) for row in range(1, 11) for file in range(10)]
CZECH_STRENGTH = "marshal general captain cadet corporal gunner scout miner spy".split()
STRENGTH = "marshal general colonel major captain lieutenant sergeant miner scout spy".split()
RESTING = ("mine", "bomb", "flag")
NUMBERS = {
    "marsal-a-spion": {"marshal": 1, "general": 1, "captain": 2, "cadet": 3, "corporal": 4, "gunner": 5, "scout": 8,
                       "miner": 6, "spy": 1, "mine": 8, "flag": 1},
    "classic": {"marshal": 1, "general": 1, "colonel": 2, "major": 3, "captain": 4, "lieutenant": 4, "sergeant": 4,
                "miner": 5, "scout": 8, "spy": 1, "bomb": 6, "flag": 1},
    "ultimate": {"marshal": 1, "general": 1, "colonel": 1, "major": 1, "captain": 2, "lieutenant": 2, "sergeant": 2,
                 "miner": 2, "scout": 4, "spy": 1, "bomb": 2, "flag": 1},
    "duel": {"marshal": 1, "general": 1, "miner": 2, "scout": 2, "spy": 1, "bomb": 2, "flag": 1},
    "barrage": {"marshal": 1, "general": 1, "miner": 1, "scout": 2, "spy": 1, "bomb": 1, "flag": 1},
}
NUMBERS["isf"] = NUMBERS["classic"]
FAR = 128       # plies of one chase that SC-7 looks back over


def pair(name):
    """A square's pair; off the board it is some pair that is on none."""
    if name[:1] in FILES and name[1:].isdigit():
        return FILES.index(name[0]), int(name[1:])
    return (-1, -1)


def named(square):
    return f"{FILES[square[0]]}{square[1]}"


def plus(square, step):
    return square[0] + step[0], square[1] + step[1]


def on_board(square):
    return 0 <= square[0] < 10 and 1 <= square[1] <= 10


def straight_beside(a, b):
    return abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1


def way(start, to):
    return to[0] - start[0], to[1] - start[1]


def towards(start, to):
    across, up = way(start, to)
    return (across > 0) - (across < 0), (up > 0) - (up < 0)


def borders(start, to):
    """SC-6: what a straight move crosses."""
    step, crossed = towards(start, to), set()
    while start != to and not all(step):
        crossed.add(frozenset((start, plus(start, step))))
        start = plus(start, step)
    return crossed


class Game:
    """A question without its move: variant, options, a position that is played on, what came before."""

    def __init__(self, question):
        options = question.get("options", {})
        self.variant = question.get("variant", "marsal-a-spion")
        self.czech = self.variant == "marsal-a-spion"
        self.lakes = set() if self.czech else LAKES
        isf = self.variant == "isf"
        self.two_square = 0 if self.czech else options.get("two_square", 3 if isf else 0)
        self.more_square = not self.czech and options.get("more_square", isf)
        self.limits = {"plies": options.get("ply_limit", 0), "quiet": options.get("quiet_limit", 0)}
        state = question["state"]
        self.board = {pair(name): tuple(piece) for name, piece in state["pieces"].items()}
        self.turn = state.get("turn")
        self.plies, self.quiet = state.get("plies", 0), state.get("quiet", 0)
        self.effects = []
        self.end = None
        history = question.get("history", []) if self.two_square or self.more_square else []
        self.past = [(pair(ply["from"]), pair(ply["to"]), ply.get("attack", False)) for ply in history]
        self.recalled = self.recall()
        if self.turn and self.recalled:
            self.judge_mobility()

    # What came before

    def recall(self):
        """Counts the chases of the history (SC-7); False if it cannot have led here."""
        self.chase = dict.fromkeys(SEATS, 0)
        self.positions = []         # the board after each ply since the last attack
        boards = self.walk_back()
        if boards is None:
            return False
        seat = self.turn if len(self.past) % 2 == 0 else OTHER[self.turn]
        for number, ply in enumerate(self.past):
            self.count_chase(seat, ply, self.past[number - 1] if number else None, boards[number])
            seat = OTHER[seat]
        return True

    def walk_back(self):
        """The boards after each ply; None for those before the last attack, which nobody can know. Pieces
        are told apart by where they went, so each carries the number of its square in the given position."""
        if not all(self.sound(start, to) for start, to, _ in self.past):
            return None
        board = {square: (*piece, square) for square, piece in self.board.items()}
        boards, seat = [None] * len(self.past), OTHER[self.turn]
        for number in range(len(self.past) - 1, -1, -1):
            boards[number] = board
            start, to, attack = self.past[number]
            if attack:      # whoever attacked has left his square, whatever came of it
                return boards if start not in board and start not in self.lakes else None
            piece = board.get(to)
            board = dict(board)
            board.pop(to, None)
            if piece is None or piece[0] != seat or not self.could_go(board, piece[1], start, to):
                return None
            board[start] = piece
            seat = OTHER[seat]
        return boards

    @staticmethod
    def sound(start, to):
        return on_board(start) and on_board(to) and start != to and 0 in way(start, to)

    def could_go(self, board, rank, start, to):
        """A move without attack, on a board from which the piece was taken."""
        if rank in RESTING or start in board or start in self.lakes:
            return False
        if rank != "scout":
            return straight_beside(start, to)
        at, step = plus(start, towards(start, to)), towards(start, to)
        while at != to:
            if at in board or at in self.lakes:
                return False
            at = plus(at, step)
        return True

    def count_chase(self, seat, ply, before, board):
        """SC-7, after a ply; `before` is the opponent's last one, `board` None where nobody knows it."""
        start, to, attack = ply
        other = OTHER[seat]
        self.chase[other] = self.chase[other] + 1 if before and straight_beside(start, before[1]) else 0
        if attack:
            self.chase = dict.fromkeys(SEATS, 0)
            self.positions = []
        threat = board is not None and self.threatens(board, seat, to)
        self.chase[seat] = self.chase[seat] + 1 if threat else 0
        self.positions.append(board)

    @staticmethod
    def threatens(board, seat, square):
        near = (board.get(plus(square, step)) for step in STRAIGHT)
        return any(piece and piece[0] != seat for piece in near)

    # What can be read off a position

    def possible(self):
        counts = {}
        for square, piece in self.board.items():
            if not on_board(square) or square in self.lakes:
                return False
            counts[piece] = counts.get(piece, 0) + 1
        if any(counts.get((seat, "flag"), 0) != 1 for seat in SEATS):
            return False
        if any(count > NUMBERS[self.variant].get(rank, 0) for (_, rank), count in counts.items()):
            return False
        return self.recalled

    def open_to(self, square):
        return on_board(square) and square not in self.lakes and square not in self.board

    def reach(self, start):
        """The squares that a piece may go to or attack, but for SC-6 and SC-7."""
        seat, rank = self.board[start]
        if rank in RESTING:
            return
        for step in STRAIGHT:
            at = plus(start, step)
            while self.open_to(at):
                yield at
                at = plus(at, step)
                if rank != "scout":
                    break
            else:
                if at in self.board and self.board[at][0] != seat:
                    yield at
        if self.czech:
            yield from (to for to in (plus(start, step) for step in DIAGONAL) if self.open_to(to))

    def legal(self):
        if self.end or not self.turn:
            return []
        return [{"from": named(start), "to": named(to)}
                for start, piece in self.board.items() if piece[0] == self.turn
                for to in self.reach(start) if not self.barred(start, to)]

    # Moves

    def judge(self, move):
        """Raises Refused unless the move is allowed."""
        start, to = pair(move["from"]), pair(move["to"])
        seat, rank = self.board.get(start, (None, None))
        moves_by = ("ST-5" if rank == "scout" else "ST-3") if self.czech else "SC-2"
        if not on_board(start):
            raise Refused("off_board", "ST-3" if self.czech else "SC-2")
        if seat != self.turn:
            raise Refused("no_piece", "ST-3")
        if rank in RESTING:
            raise Refused("immobile", "ST-3")
        if not on_board(to):
            raise Refused("off_board", moves_by)
        if to == start or self.board.get(to, (None,))[0] == seat:
            raise Refused("own_piece", moves_by)
        if to in self.lakes:
            raise Refused("lake", "SC-1")
        if to not in self.reach(start):
            self.refuse_way(start, to, rank, moves_by)
        by = self.barred(start, to)
        if by:
            raise Refused(by, "SC-6" if by == "two_square" else "SC-7")

    def refuse_way(self, start, to, rank, moves_by):
        across, up = way(start, to)
        if abs(across) == abs(up) == 1 and to in self.board:
            raise Refused("diagonal_attack", "ST-4" if self.czech else "SC-2")
        if rank == "scout" and not (across and up):
            at, step = plus(start, towards(start, to)), towards(start, to)
            while self.open_to(at):
                at = plus(at, step)
            raise Refused("lake", "SC-1") if at in self.lakes else Refused("blocked", moves_by)
        raise Refused("too_far", moves_by)

    def barred(self, start, to):
        """The code of what SC-6 or SC-7 has against a move, or None."""
        if self.two_square and self.crosses_again(start, to):
            return "two_square"
        if self.more_square and self.chases(start, to):
            return "more_square"
        return None

    def own_past(self):
        return self.past[-2::-2]

    def crosses_again(self, start, to):
        last = self.own_past()[:self.two_square]
        if len(last) < self.two_square:
            return False
        shared, at = borders(start, to), start
        for before_start, before_to, _ in last:
            if before_to != at:         # another piece
                return False
            at = before_start
            shared &= borders(before_start, before_to)
        return bool(shared)

    def chases(self, start, to):
        count, last = self.chase[self.turn], self.own_past()[:1]
        board = {square: piece for square, piece in self.tagged().items() if square != start}
        if to in self.board or not count or not self.threatens(board, self.turn, to):
            return False
        if last and last[0][:2] == (to, start):
            return False
        board[to] = self.tagged()[start]
        made = self.as_seen(board)
        return any(seen is not None and self.as_seen(seen) == made for seen in self.positions[-min(count, FAR):])

    def tagged(self):
        """The board with pieces as walk_back() writes them, also after plies that were played on."""
        return self.positions[-1] if self.positions and self.positions[-1] is not None else {
            square: (*piece, square) for square, piece in self.board.items()}

    def as_seen(self, board):
        """Own pieces of one rank are alike, enemy pieces are each their own."""
        return {square: piece[:2] if piece[0] == self.turn else piece[2] for square, piece in board.items()}

    # What a move does

    def play(self, move):
        start, to = pair(move["from"]), pair(move["to"])
        seat, rank = self.board[start]
        defender = self.board.get(to)
        board = dict(self.tagged())
        told = {"type": "moved", "seat": seat, "from": move["from"], "to": move["to"]}
        mover = board.pop(start)
        if defender:
            outcome = self.combat(rank, defender[1])
            told.update(type="combat", attacker=rank, defender=defender[1], outcome=outcome)
            if outcome != "attacker_lost":
                del board[to]
            if outcome == "defender_lost":
                board[to] = mover
        else:
            board[to] = mover
        self.effects.append(told)
        ply = (start, to, bool(defender))
        self.count_chase(seat, ply, self.past[-1] if self.past else None, board)
        self.past.append(ply)
        self.board = {square: piece[:2] for square, piece in board.items()}
        self.plies, self.quiet = self.plies + 1, 0 if defender else self.quiet + 1
        self.turn = OTHER[seat]
        self.judge_end(seat, defender)

    def combat(self, attacker, defender):
        """ST-7 to ST-10, SC-4"""
        if defender == "flag":
            return "defender_lost"
        if defender in ("mine", "bomb"):
            return "defender_lost" if attacker == "miner" else "attacker_lost"
        if attacker == defender:
            return "both_lost"
        if (attacker, defender) == ("spy", "marshal"):
            return "defender_lost"
        if self.czech and (attacker, defender) == ("marshal", "spy"):
            return "attacker_lost"
        order = CZECH_STRENGTH if self.czech else STRENGTH
        return "defender_lost" if order.index(attacker) < order.index(defender) else "attacker_lost"

    # The end

    def judge_end(self, seat, defender):
        if defender and defender[1] == "flag":
            self.over("flag", seat, "ST-12" if self.czech else "SC-5")
        elif self.czech and defender and self.dead():
            self.over("dead", None, "ST-13")
        elif any(limit and count > limit for limit, count in ((self.limits["plies"], self.plies),
                                                              (self.limits["quiet"], self.quiet))):
            self.over("limit", None, "SC-8")
        else:
            self.judge_mobility()

    def judge_mobility(self):
        """ST-14, SC-5"""
        if self.legal():
            return
        movable = any(rank not in RESTING for _, rank in self.board.values())
        if self.czech:
            self.over("no_move", None, "ST-14")
        else:
            self.over("no_move", OTHER[self.turn] if movable else None, "SC-5")

    def over(self, reason, winner, ruling):
        self.end = {"reason": reason, "winner": winner, "ruling": ruling}

    def dead(self):
        """ST-13"""
        walls = {square: piece for square, piece in self.board.items() if piece[1] in RESTING}
        while True:
            miners = {seat: self.spread(seat, walls, ("miner",)) for seat in SEATS}
            mined = [square for square, (seat, rank) in walls.items()
                     if rank == "mine" and self.stands_beside(square, miners[OTHER[seat]])]
            if not mined:
                break
            for square in mined:
                del walls[square]
        return not any(rank == "flag" and self.stands_beside(square, self.spread(OTHER[seat], walls))
                       for square, (seat, rank) in walls.items())

    @staticmethod
    def stands_beside(square, squares):
        return any(plus(square, step) in squares for step in STRAIGHT)

    def spread(self, seat, walls, ranks=CZECH_STRENGTH):
        found = [square for square, piece in self.board.items() if piece[0] == seat and piece[1] in ranks]
        seen = set(found)
        while found:
            at = found.pop()
            for step in STRAIGHT + DIAGONAL:
                to = plus(at, step)
                if on_board(to) and to not in walls and to not in seen:
                    seen.add(to)
                    found.append(to)
        return seen

    # Answers

    def where(self):
        return {"status": "over" if self.end else "playing", "result": self.end,
                "to_act": [] if self.end or not self.turn else [self.turn]}

    def state(self):
        state = {"pieces": {named(square): list(piece) for square, piece in self.board.items()}}
        if not self.end:
            state["turn"] = self.turn
        state.update({name: count for name, count in (("plies", self.plies), ("quiet", self.quiet))
                      if self.limits[name]})
        return state


def plain(state):
    return state


# Positions at random

def variants(rng):
    variant = rng.choice(["marsal-a-spion", "marsal-a-spion", "marsal-a-spion", "classic", "isf", "isf", "isf",
                          "barrage", "duel", "ultimate"])
    question = {"ruleset": "stratego", "options": {}}
    if variant != "marsal-a-spion" or rng.random() < 0.5:
        question["variant"] = variant
    options = question["options"]
    if variant == "marsal-a-spion":
        if rng.random() < 0.1:
            options["captives"] = rng.choice(["hidden", "shown"])
        return question
    if rng.random() < 0.4:
        options["two_square"] = rng.randint(0, 5)
    if rng.random() < 0.4:
        options["more_square"] = rng.random() < 0.7
    if rng.random() < 0.15:
        options["ply_limit"] = rng.choice([3, 10, 40])
    if rng.random() < 0.15:
        options["quiet_limit"] = rng.choice([2, 6, 20])
    return question


def army(rng, variant, small):
    """Some of a side's pieces, its flag among them."""
    pieces = [rank for rank, number in NUMBERS[variant].items() for _ in range(number) if rank != "flag"]
    rng.shuffle(pieces)
    if small:
        pieces = pieces[:rng.choice([0, 1, 1, 2, 2, 3, 5, 8])]
        if rng.random() < 0.3:      # so that few of them move
            pieces += ["mine" if variant == "marsal-a-spion" else "bomb"] * 2
            pieces = [rank for number, rank in enumerate(pieces)
                      if pieces[:number].count(rank) < NUMBERS[variant].get(rank, 0)]
    return ["flag", *pieces]


def set_up(rng, variant):
    board = {}
    for seat, rows in (("red", range(1, 5)), ("blue", range(7, 11))):
        squares = [(file, row) for row in rows for file in range(10)]
        rng.shuffle(squares)
        board.update({named(square): [seat, rank] for square, rank in zip(squares, army(rng, variant, False))})
    return {"pieces": board, "turn": rng.choice(SEATS)}


def thrown(rng, question):
    """A position put together at random, nearly always a possible one."""
    variant = question.get("variant", "marsal-a-spion")
    lakes = set() if variant == "marsal-a-spion" else LAKES
    if rng.random() < 0.2:          # everything close together
        left, low = rng.randint(0, 6), rng.randint(1, 7)
        squares = [(left + x, low + y) for x in range(4) for y in range(4)]
    elif rng.random() < 0.3:        # in a corner: many are shut in
        squares = [(file, row) for file in range(3) for row in range(1, rng.choice([3, 4, 6]))]
    else:
        squares = list(BOARD)
    squares = [square for square in squares if square not in lakes]
    rng.shuffle(squares)
    small = len(squares) < 30 or rng.random() < 0.7
    pieces = [[seat, rank] for seat in SEATS for rank in army(rng, variant, small)]
    flags = [piece for piece in pieces if piece[1] == "flag"]
    others = [piece for piece in pieces if piece[1] != "flag"]
    rng.shuffle(others)
    state = {"pieces": {named(square): piece for square, piece in zip(squares, flags + others)},
             "turn": rng.choice(SEATS)}
    if rng.random() < 0.15:
        wall_in(rng, question, state)
    if "ply_limit" in question["options"] or "quiet_limit" in question["options"]:
        if rng.random() < 0.9:
            quiet = rng.randint(0, 3)
            state["quiet"], state["plies"] = quiet, quiet + rng.randint(0, 3)
            cap(question, state)
    if rng.random() < 0.05:
        spoil(rng, question, state)
    return state


def cap(question, state):
    """Nothing goes beyond a limit before it is over."""
    options = question["options"]
    if options.get("ply_limit"):
        state["plies"] = min(state["plies"], options["ply_limit"])
    if options.get("quiet_limit"):
        state["quiet"] = min(state["quiet"], options["quiet_limit"])
    state["plies"] = max(state["plies"], state["quiet"])


def wall_in(rng, question, state):
    """Puts mines or bombs round a flag, as far as there are any."""
    variant = question.get("variant", "marsal-a-spion")
    wall = "mine" if variant == "marsal-a-spion" else "bomb"
    pieces = state["pieces"]
    for name, (seat, rank) in list(pieces.items()):
        if rank != "flag" or rng.random() < 0.3:
            continue
        for step in STRAIGHT + (DIAGONAL if rng.random() < 0.5 else []):
            square = plus(pair(name), step)
            have = sum(piece == [seat, wall] for piece in pieces.values())
            if (on_board(square) and named(square) not in pieces and have < NUMBERS[variant][wall]
                    and not (variant != "marsal-a-spion" and square in LAKES)):
                pieces[named(square)] = [seat, wall]


def spoil(rng, question, state):
    """One thing that may make the position impossible."""
    pieces = state["pieces"]
    what = rng.randrange(4)
    if what == 0:
        pieces[named(rng.choice(BOARD))] = [rng.choice(SEATS), "flag"]
    elif what == 1:
        pieces[rng.choice(["c5", "h6", "e5", "g5"])] = [rng.choice(SEATS), "scout"]
    elif what == 2:
        rank = rng.choice(list(NUMBERS[question.get("variant", "marsal-a-spion")]))
        seat = rng.choice(SEATS)
        for _ in range(rng.randint(1, 4)):
            pieces[named(rng.choice(BOARD))] = [seat, rank]
    else:
        pieces.pop(rng.choice(list(pieces)))


def moves(rng, game, count):
    """Moves at random, allowed or not."""
    mine = [square for square, piece in game.board.items() if piece[0] == game.turn]
    barred = [(start, to) for start in mine for to in game.reach(start) if game.barred(start, to)]
    for _ in range(count):
        if barred and rng.random() < 0.4:
            start, to = rng.choice(barred)
            yield {"from": named(start), "to": named(to)}
            continue
        start = rng.choice(mine if rng.random() < 0.85 else BOARD)
        kind = rng.random()
        if kind < 0.45:
            step = rng.choice(STRAIGHT + DIAGONAL)
            to = plus(start, step)
        elif kind < 0.75:
            step, far = rng.choice(STRAIGHT), rng.randint(1, 9)
            to = plus(start, (step[0] * far, step[1] * far))
        elif kind < 0.9:
            to = rng.choice(list(game.board))
        else:
            to = rng.choice(BOARD)
        names = [named(square) if on_board(square) else rng.choice(["k1", "a11", "a0", "j12"])
                 for square in (start, to)]
        if rng.random() < 0.01:
            names[0] = "k5"
        yield {"from": names[0], "to": names[1]}


def choose(rng, game, options):
    """One of the legal moves; often one that goes to and fro or chases."""
    last = game.own_past()[:1]
    if last and rng.random() < 0.5:
        goes_on = [move for move in options if pair(move["from"]) == last[0][1]]
        back = [move for move in goes_on if pair(move["to"]) == last[0][0]]
        if back and rng.random() < 0.6:
            return back[0]
        near = [move for move in goes_on if game.threatens(game.board, game.turn, pair(move["to"]))]
        if near or goes_on:
            return rng.choice(near or goes_on)
    attacks = [move for move in options if pair(move["to"]) in game.board]
    return rng.choice(attacks if attacks and rng.random() < 0.3 else options)


def written(past):
    return [{"from": named(start), "to": named(to), **({"attack": True} if attack else {})}
            for start, to, attack in past]


def spoil_history(rng, history):
    if history:
        ply = rng.choice(history[-3:])
        what = rng.randrange(3)
        if what == 0:
            ply["from"] = named(rng.choice(BOARD))
        elif what == 1:
            ply["to"] = named(rng.choice(BOARD))
        else:
            history.pop()


def tables(rng):
    """Endless positions: some thrown together, and games played on from some of them."""
    while True:
        question = variants(rng)
        for _ in range(4):
            yield {**question, "state": thrown(rng, question)}
        small = rng.random() < 0.8
        variant = question.get("variant", "marsal-a-spion")
        question["state"] = thrown(rng, question) if small else set_up(rng, variant)
        game = Game(question)
        if not game.possible():
            continue
        shuttle = chase_pair(rng, game) if rng.random() < 0.4 else None
        if variant != "marsal-a-spion" and rng.random() < 0.4:
            question["state"], shuttle = chase_round(rng, question)
            game = Game(question)
        for _ in range(50):
            options = game.legal()
            if not options:
                break
            table = {**question, "state": copy.deepcopy(game.state())}
            if game.past or rng.random() < 0.5:
                table["history"] = written(game.past)
                if rng.random() < 0.1:
                    del table["history"][:rng.randint(1, len(table["history"]) or 1)]
                if rng.random() < 0.03:
                    spoil_history(rng, table["history"])
            yield table
            game.play(shuttle(options) if shuttle else choose(rng, game, options))


def chase_pair(rng, game):
    """A way to choose moves by which one piece of each side runs about near the other."""
    hero = {}

    def pick(options):
        seat = game.turn
        where = {square: piece for square, piece in game.board.items()}
        mine = [move for move in options if pair(move["from"]) == hero.get(seat)
                and pair(move["to"]) not in where]
        if not mine:
            mine = [move for move in options if pair(move["to"]) not in where] or options
        enemy = hero.get(OTHER[seat])
        if enemy and rng.random() < 0.8:
            def gap(move):
                across, up = way(pair(move["to"]), enemy)
                return abs(across) + abs(up)
            chaser = seat == "red"
            best = (min if chaser else max)(map(gap, mine))
            mine = [move for move in mine if gap(move) == best] if rng.random() < 0.8 else mine
        move = rng.choice(mine)
        hero[seat] = pair(move["to"])
        return move

    return pick


def chase_round(rng, question):
    """A position in which one piece can run after another round a block of squares, and how they do."""
    state = thrown(rng, question)
    width, height = rng.choice([(2, 2), (2, 2), (3, 2), (2, 3)])
    left, low = rng.choice([(0, 1), (4, 4), (8, 5), (0, 5), (4, 1), (7, 7)])
    left = min(left, 10 - width)
    loop = ([(left + x, low) for x in range(width)] + [(left + width - 1, low + y) for y in range(1, height)]
            + [(left + x, low + height - 1) for x in range(width - 2, -1, -1)]
            + [(left, low + y) for y in range(height - 2, 0, -1)])
    chaser, runner = rng.sample(SEATS, 2)
    pieces = {name: piece for name, piece in state["pieces"].items() if pair(name) not in loop}
    for seat in SEATS:
        if not any(piece == [seat, "flag"] for piece in pieces.values()):
            free = [square for square in BOARD if named(square) not in pieces and square not in loop
                    and square not in LAKES]
            pieces[named(rng.choice(free))] = [seat, "flag"]
    most = NUMBERS[question["variant"]]
    for seat, at in ((chaser, 0), (runner, rng.choice([1, 2]))):
        ranks = [rank for rank, number in most.items() if rank not in RESTING
                 and sum(piece == [seat, rank] for piece in pieces.values()) < number]
        if ranks:
            pieces[named(loop[at])] = [seat, rng.choice(ranks)]
    state["pieces"], state["turn"] = pieces, runner
    if rng.random() < 0.8:
        question["options"]["more_square"] = True

    def pick(options):
        if rng.random() < 0.97:
            for move in options:
                start, to = pair(move["from"]), pair(move["to"])
                if start in loop and to == loop[(loop.index(start) + 1) % len(loop)]:
                    return move
        return rng.choice(options)

    return state, pick
