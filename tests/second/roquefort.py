"""Chateau Roquefort a second time, from docs/rules/roquefort.md alone: positions, moves and verdicts.

A position is the `state` of the stateless judge; squares are their names throughout. Nothing here was
taken from rules/roquefort.
"""
import copy

from refused import Refused

COLUMNS, ROWS = "abcdefg", "1234567"
SEATS = ["yellow", "red", "blue", "green"]
SQUARES = [column + row for row in ROWS for column in COLUMNS]
TOWERS = ["a1", "g1", "a7", "g7"]
CASTLE = [square for square in SQUARES if square not in TOWERS]
FLOOR = [square for square in CASTLE if square[0] in "bdf" or square[1] in "246"]
CHEESES = "emmental gouda edam roquefort camembert cheddar brie".split()
BOX = {**dict.fromkeys(CHEESES, 3), "blank": 10, "trapdoor": 3}
PLATES = {
    "A": """* A A A B B *
            C D E E F F G
            C D H H F F G
            I D H H J K G
            I L L L J K M
            I N N O P P M
            * Q Q O R R *""",
    "B": """* A A B B B *
            C D D E E E F
            C D D G G H F
            C I J G G H F
            K I J L L M N
            K O O P P M N
            * Q Q Q R R *""",
}


def lines():
    """The squares of each slot, from where the spare is pushed in."""
    slots = {}
    for column in "bdf":
        file = [column + row for row in ROWS]
        slots["S" + column], slots["N" + column] = file, file[::-1]
    for row in "246":
        rank = [column + row for column in COLUMNS]
        slots["W" + row], slots["E" + row] = rank, rank[::-1]
    return slots


LINES = lines()


def way(start, to):
    return COLUMNS.index(to[0]) - COLUMNS.index(start[0]), ROWS.index(to[1]) - ROWS.index(start[1])


def beside(square, across, up):
    column, row = COLUMNS.index(square[0]) + across, ROWS.index(square[1]) + up
    return COLUMNS[column] + ROWS[row] if 0 <= column < 7 and 0 <= row < 7 else None


STRAIGHT = [(0, 1), (0, -1), (1, 0), (-1, 0)]
AROUND = STRAIGHT + [(1, 1), (1, -1), (-1, 1), (-1, -1)]
TOUCHING = {square: {beside(square, *step) for step in AROUND} - {None} for square in SQUARES}


def letters(plate):
    rows = [line.split() for line in PLATES[plate].splitlines()]
    return [[square for square in CASTLE if rows[7 - int(square[1])][COLUMNS.index(square[0])] == letter]
            for letter in "ABCDEFGHIJKLMNOPQR"]


PRINTED = {plate: letters(plate) for plate in PLATES}


def rooms_of(state, options):
    rooms = state.get("rooms", options.get("rooms", "A"))
    return PRINTED[rooms] if isinstance(rooms, str) else [sorted(room, key=SQUARES.index) for room in rooms]


class Game:
    """A question without its move: variant, options and a position that is played on."""

    def __init__(self, question):
        options = question.get("options", {})
        self.appenzell = question.get("variant") == "burg-appenzell"
        self.to_win = options.get("cheeses_to_win", 4)
        self.at = copy.deepcopy(question["state"])
        self.at.setdefault("rooms", options.get("rooms", "A"))
        self.rooms = rooms_of(self.at, options)
        self.room_at = {square: room for room in self.rooms for square in room}
        self.open = {square for named in self.at["uncovered"] for square in self.room_at[named]}
        self.players = self.at["players"]
        self.order = self.at["order"]
        self.effects = []
        self.end = None
        self.judge_end(set(), posted=True)

    # What can be read off a position

    @property
    def turn(self):
        return self.at["turn"]

    def mice(self):
        return {mouse: seat for seat in self.order for mouse in self.players[seat]["mice"]}

    def setting_up(self):
        return self.players[self.turn]["reserve"] == 4

    def is_out(self, seat):
        return self.players[seat].get("out", False)

    def left(self):
        return [seat for seat in self.order if not self.is_out(seat)]

    def face(self, square):
        """A cheese, "blank" or "trapdoor"; None where nobody knows. Solid squares are as good as blank."""
        return self.at["tiles"].get(square) if square in FLOOR else "blank"

    def due(self, seat):
        """CR-10"""
        under = [self.face(mouse) for mouse in self.players[seat]["mice"]]
        return [cheese for cheese in CHEESES
                if under.count(cheese) >= 2 and cheese not in self.players[seat]["cheeses"]]

    def possible(self):
        tiles = [*(self.face(square) for square in FLOOR), self.at["spare"]]
        if any(tiles.count(kind) > number for kind, number in BOX.items()):
            return False
        mice = [mouse for seat in self.order for mouse in self.players[seat]["mice"]]
        if len(set(mice)) < len(mice):
            return False
        for seat in self.order:
            if not self.possible_player(seat):
                return False
        return bool(self.end) or self.possible_turn()

    def possible_player(self, seat):
        player = self.players[seat]
        if len(player["mice"]) + player["reserve"] + player["cellar"] != 4:
            return False
        if self.is_out(seat) and player["mice"] or player["cellar"] >= 3 and not self.is_out(seat):
            return False
        for mouse in player["mice"]:
            if mouse not in TOWERS and mouse not in self.open:
                return False
            if self.face(mouse) in ("trapdoor", None):
                return False
        return not self.due(seat)

    def possible_turn(self):
        """Somebody who is out has no turn, and whoever has yet to enter needs a tower (CR-2)."""
        waiting = [seat for seat in self.left() if self.players[seat]["reserve"] == 4]
        return not self.is_out(self.turn) and len(waiting) <= len(set(TOWERS) - set(self.mice()))

    # Moves

    def cost(self, move):
        kind = move["type"]
        if kind == "jump":
            return max(2, self.reach(move)) if self.appenzell else 2
        return 0 if kind == "end_turn" else 1

    @staticmethod
    def reach(move):
        if move["from"] not in SQUARES or move["to"] not in SQUARES:
            return 0
        across, up = way(move["from"], move["to"])
        return abs(across) + abs(up) if not across or not up else 0

    def judge(self, move):
        """Raises Refused unless the move is allowed."""
        kind = move["type"]
        if self.setting_up():
            if kind != "enter":
                raise Refused("must_enter", "CR-2")
        elif self.cost(move) > self.at["actions_left"]:
            raise Refused("too_many_actions", "CR-3")
        if kind != "end_turn":
            getattr(self, "judge_" + kind)(move)

    def judge_enter(self, move):
        if not self.players[self.turn]["reserve"]:
            raise Refused("no_reserve", "CR-7")
        if move["tower"] not in TOWERS:
            raise Refused("no_such_tower", "CR-7")
        if move["tower"] in self.mice():
            raise Refused("tower_taken", "CR-7")

    def judge_uncover(self, move):
        room = self.room_at.get(move["square"])
        if not room:
            raise Refused("no_such_room", "CR-4")
        if not any(TOUCHING[mouse] & set(room) or mouse in room for mouse in self.players[self.turn]["mice"]):
            raise Refused("not_adjacent", "CR-4")
        if room[0] in self.open:
            raise Refused("already_uncovered", "CR-4")

    def judge_step(self, move):
        self.judge_way(move, 1)
        self.judge_landing(move["to"])

    def judge_jump(self, move):
        self.judge_way(move, 7 if self.appenzell else 2)
        start, to, mice = move["from"], move["to"], self.mice()
        across, up = ((length > 0) - (length < 0) for length in way(start, to))
        over = beside(start, across, up)
        if over == to:
            raise Refused("nothing_to_jump", "CR-6")
        while over != to:
            if over not in mice:
                raise Refused("nothing_to_jump", "CR-6")
            over = beside(over, across, up)
        self.judge_landing(to)

    def judge_way(self, move, most):
        start, to = move["from"], move["to"]
        if self.mice().get(start) != self.turn:
            raise Refused("no_mouse", "CR-5")
        if to not in SQUARES:
            raise Refused("too_far", "CR-5")
        across, up = way(start, to)
        if start == to:
            raise Refused("occupied", "CR-5")
        if across and up:
            raise Refused("diagonal", "CR-5")
        if abs(across) + abs(up) > most:
            raise Refused("too_far", "CR-5")

    def judge_landing(self, to):
        if to in TOWERS:
            raise Refused("tower", "CR-5")
        if to not in self.open:
            raise Refused("covered", "CR-5")
        if to in self.mice():
            raise Refused("occupied", "CR-5")
        if self.face(to) == "trapdoor":
            raise Refused("trapdoor", "CR-5")
        if self.face(to) is None:
            raise Refused("unknown_face", "CR-5")

    def judge_shift(self, move):
        if self.at["shifted"]:
            raise Refused("already_shifted", "CR-8")
        if move["slot"] not in LINES:
            raise Refused("no_such_slot", "CR-8")
        line = LINES[move["slot"]]
        coming = [self.at["spare"], *(self.face(square) for square in line)]
        if any(square in self.mice() and face is None for square, face in zip(line, coming)):
            raise Refused("unknown_face", "CR-9")

    def legal(self):
        return [] if self.end else [move for move in self.thinkable() if self.allows(move)]

    def allows(self, move):
        try:
            self.judge(move)
        except Refused:
            return False
        return True

    def thinkable(self):
        for tower in TOWERS:
            yield {"type": "enter", "tower": tower}
        for room in self.rooms:
            yield {"type": "uncover", "square": room[0]}
        for mouse in self.players[self.turn]["mice"]:
            for step in STRAIGHT:
                to = beside(mouse, *step)
                if to:
                    yield {"type": "step", "from": mouse, "to": to}
                    to = beside(to, *step)
                while to:
                    yield {"type": "jump", "from": mouse, "to": to}
                    to = beside(to, *step)
        for slot in LINES:
            yield {"type": "shift", "slot": slot}
        yield {"type": "end_turn"}

    # What a move does

    def play(self, move):
        kind, entering = move["type"], self.setting_up()
        if kind == "end_turn":
            return self.end_turn()
        if not entering:
            self.at["actions_left"] -= self.cost(move)
        getattr(self, "play_" + kind)(move)
        if self.end:
            return None
        if entering:
            self.next_turn()
        elif self.is_out(self.turn) or not self.at["actions_left"] and kind != "uncover":
            self.end_turn()
        return None

    def tell(self, kind, **members):
        self.effects.append({"type": kind, **members})

    def play_enter(self, move):
        player = self.players[self.turn]
        player["reserve"] -= 1
        player["mice"].append(move["tower"])
        self.tell("moved", seat=self.turn, to=move["tower"])

    def play_uncover(self, move):
        room = self.room_at[move["square"]]
        self.open.update(room)
        self.tell("uncovered", seat=self.turn, squares=room)

    def play_step(self, move):
        mice = self.players[self.turn]["mice"]
        mice[mice.index(move["from"])] = move["to"]
        self.tell("moved", seat=self.turn, **{"from": move["from"], "to": move["to"]})
        self.take_cheese()
        self.judge_end(set())

    play_jump = play_step

    def play_shift(self, move):
        line, tiles = LINES[move["slot"]], self.at["tiles"]
        coming = [self.at["spare"], *(tiles.get(square) for square in line)]
        self.at["spare"] = coming.pop()
        tiles.update(zip(line, coming))
        self.at["shifted"] = True
        self.tell("shifted", seat=self.turn, slot=move["slot"], spare=self.at["spare"])
        self.fall()
        gone = [seat for seat in self.by_seat() if not self.is_out(seat) and self.players[seat]["cellar"] >= 3]
        for seat in gone:
            self.put_out(seat)
        self.take_cheese()
        self.judge_end(gone)

    def turns_from(self, seat):
        at = self.order.index(seat)
        return self.order[at:] + self.order[:at]

    def by_seat(self):
        return sorted(self.order, key=SEATS.index)

    def fall(self):
        """CR-9"""
        for seat in self.by_seat():
            for square in sorted(self.players[seat]["mice"], key=SQUARES.index):
                if self.face(square) == "trapdoor":
                    self.players[seat]["mice"].remove(square)
                    self.players[seat]["cellar"] += 1
                    self.tell("fell", seat=seat, square=square)

    def put_out(self, seat):
        """CR-13"""
        player = self.players[seat]
        self.tell("out", seat=seat, squares=sorted(player["mice"], key=SQUARES.index))
        player["reserve"] += len(player["mice"])
        player["mice"], player["out"] = [], True

    def take_cheese(self):
        """CR-10"""
        for seat in self.by_seat():
            for cheese in self.due(seat):
                self.players[seat]["cheeses"].append(cheese)
                self.tell("cheese_taken", seat=seat, cheese=cheese)

    def end_turn(self):
        """CR-11"""
        mice = self.mice()
        covered = [square for room in self.rooms if room[0] in self.open and not any(s in mice for s in room)
                   for square in room]
        self.open.difference_update(covered)
        self.tell("covered", seat=self.turn, squares=sorted(covered, key=SQUARES.index))
        self.next_turn()

    def next_turn(self):
        self.at["turn"] = next(seat for seat in self.turns_from(self.turn)[1:] if not self.is_out(seat))
        self.at["actions_left"], self.at["shifted"] = 4, False

    # The end

    def judge_end(self, gone, posted=False):
        """CR-12, CR-13, CB-1; `gone` have gone out just now. A posted state does not say who they are."""
        left = self.left()
        if posted:
            gone = {seat for seat in self.order if self.is_out(seat) and self.players[seat]["cellar"] >= 3}
        if not left:
            self.most_cheeses(gone, "all_out", "CR-13")
        elif self.appenzell and gone:
            self.most_cheeses(left, "third_fall", "CB-1")
        elif len(left) == 1:
            self.over(left[0], "last_left", "CR-13")
        else:
            for seat in self.turns_from(self.turn):
                if not self.is_out(seat) and len(self.players[seat]["cheeses"]) >= self.to_win:
                    return self.over(seat, "cheeses", "CR-12")
        return None

    def most_cheeses(self, seats, reason, ruling):
        counts = {seat: len(self.players[seat]["cheeses"]) for seat in seats}
        best = [seat for seat in seats if counts[seat] == max(counts.values())]
        self.over(best[0] if len(best) == 1 else None, reason, ruling)

    def over(self, winner, reason, ruling):
        self.end = {"winner": winner, "reason": reason, "ruling": ruling}

    # Answers

    def where(self):
        return {"status": "over" if self.end else "playing", "to_act": [] if self.end else [self.turn],
                "result": self.end}

    def state(self):
        return {**self.at, "uncovered": [room[0] for room in self.rooms if room[0] in self.open]}


def plain(state):
    """A state as it is compared: what is a set is sorted, what is null is left out."""
    state = copy.deepcopy(state)
    state["tiles"] = {square: face for square, face in state["tiles"].items() if face}
    state["uncovered"].sort()
    for player in state["players"].values():
        player["mice"].sort()
        player["cheeses"].sort()
        player.setdefault("out", False)
    if not isinstance(state["rooms"], str):
        state["rooms"] = sorted(sorted(room) for room in state["rooms"])
    return state


# Positions at random

def own_plate(rng):
    """A castle cut into rooms at random."""
    free, rooms = set(CASTLE), []
    for square in CASTLE:
        if square not in free:
            continue
        room, size = [square], rng.choice([1, 2, 2, 2, 3, 4, 7])
        free.discard(square)
        while len(room) < size:
            edge = [to for part in room for step in STRAIGHT for to in [beside(part, *step)] if to in free]
            if not edge:
                break
            room.append(rng.choice(edge))
            free.discard(room[-1])
        rooms.append(room)
    return rooms


def variants(rng):
    question = {"ruleset": "roquefort", "options": {}}
    if rng.random() < 0.75:
        question["variant"] = rng.choice(["chateau-roquefort", "burg-appenzell", "burg-appenzell"])
    if rng.random() < 0.3:
        question["options"]["cheeses_to_win"] = rng.choice([4, 5, 6])
    if rng.random() < 0.1:
        question["options"]["rooms"] = rng.choice(["A", "B", own_plate(rng)])
    return question


def start(rng, question):
    tiles = [kind for kind, number in BOX.items() for _ in range(number)]
    rng.shuffle(tiles)
    seats = SEATS[:rng.randint(2, 4)]
    first = rng.randrange(len(seats))
    state = {"order": seats[first:] + seats[:first], "turn": seats[first], "actions_left": 4, "shifted": False,
             "tiles": dict(zip(FLOOR, tiles)), "spare": tiles[-1], "uncovered": [],
             "players": {seat: {"mice": [], "reserve": 4, "cellar": 0, "cheeses": []} for seat in seats}}
    if "rooms" not in question["options"] or rng.random() < 0.5:
        state["rooms"] = rng.choice(["A", "A", "B", "B", own_plate(rng)])
    return state


def thrown(rng, question):
    """A position put together at random, nearly always a possible one."""
    state = start(rng, question)
    rooms = rooms_of(state, question["options"])
    lifted = rng.choice([0.1, 0.4, 0.8])
    opened = [room for room in rooms if rng.random() < lifted]
    state["uncovered"] = [rng.choice(room) for room in opened]
    for square in FLOOR:
        if rng.random() < rng.choice([0, 0, 0.1]):
            state["tiles"][square] = None
    if rng.random() < 0.05:
        state["spare"] = None
    if rng.random() < 0.3:      # some cheese lies near the mice
        lie_together(rng, state)
    free = TOWERS + [square for room in opened for square in room
                     if square not in FLOOR or state["tiles"][square] not in ("trapdoor", None)]
    rng.shuffle(free)
    for seat in state["order"]:
        deal_mice(rng, state["players"][seat], free)
    state["turn"] = rng.choice(state["order"])
    state["actions_left"] = rng.choice([0, 1, 1, 2, 3, 4, 4])
    state["shifted"] = rng.random() < 0.2
    take_due(rng, question, state)
    if rng.random() < 0.1:
        spoil(rng, state)
    return state


def lie_together(rng, state):
    order = sorted(FLOOR, key=lambda square: str(state["tiles"][square]))
    faces = [state["tiles"][square] for square in order]
    state["tiles"] = dict(zip(sorted(FLOOR, key=lambda square: rng.random() + FLOOR.index(square) / 8), faces))


def deal_mice(rng, player, free):
    player["cellar"] = rng.choice([0, 0, 1, 2, 2])
    if rng.random() < 0.06:
        player["cellar"] = rng.choice([0, 1, 3, 4])
        player["reserve"] = 4 - player["cellar"]
        player["out"] = True
    else:
        on = rng.randint(1, 4 - player["cellar"])
        player["mice"] = [free.pop() for _ in range(min(on, len(free)))]
        player["reserve"] = 4 - player["cellar"] - len(player["mice"])
    player["cheeses"] = rng.sample(CHEESES, rng.choice([0, 1, 2, 3, 3, 3, 4]))


def take_due(rng, question, state):
    if rng.random() < 0.04:
        return
    game = Game({**question, "state": state})
    for seat in state["order"]:
        state["players"][seat]["cheeses"] += game.due(seat)


def spoil(rng, state):
    """One thing that may make the position impossible."""
    player = state["players"][rng.choice(state["order"])]
    what = rng.randrange(7)
    if what == 0 and player["mice"]:
        player["mice"][0] = rng.choice(SQUARES)
    elif what == 1:
        state["tiles"][rng.choice(FLOOR)] = rng.choice(list(BOX))
    elif what == 2:
        player["reserve"] = rng.randint(0, 4)
    elif what == 3:
        player["out"] = not player.get("out", False)
    elif what == 4:
        state["spare"] = rng.choice(list(BOX))
    elif what == 5 and state["uncovered"]:
        state["uncovered"].pop()
    elif what == 6:
        player["cellar"] = rng.randint(0, 4)


def moves(rng, game, count):
    """Moves at random, allowed or not."""
    mice = list(game.mice()) or ["a1"]
    mine = game.players[game.turn]["mice"] or mice
    for _ in range(count):
        kind = rng.choice(["enter", "uncover", "step", "step", "jump", "jump", "jump", "shift"])
        if kind == "enter":
            yield {"type": kind, "tower": rng.choice(TOWERS if rng.random() < 0.9 else SQUARES)}
        elif kind == "uncover":
            yield {"type": kind, "square": rng.choice(SQUARES if rng.random() < 0.95 else ["h3", "a8"])}
        elif kind == "shift":
            yield {"type": kind, "slot": rng.choice(list(LINES) if rng.random() < 0.9 else ["Na", "W3", "X1"])}
        else:
            at = rng.choice(mine) if rng.random() < 0.9 else rng.choice(mice + SQUARES[:3])
            yield {"type": kind, "from": at, "to": target(rng, kind, at, mice)}


def target(rng, kind, at, mice):
    if rng.random() < 0.1:
        return rng.choice(SQUARES)
    steps = STRAIGHT if rng.random() < 0.9 else AROUND
    near = [step for step in steps if beside(at, *step) in mice]
    step = rng.choice(near if kind == "jump" and near else steps)
    far = 1 if kind == "step" else rng.choice([2, 2, 2, 3, 4])
    return beside(at, step[0] * far, step[1] * far) or rng.choice(SQUARES)


def tables(rng):
    """Endless positions: some thrown together, and games played on from some of them."""
    while True:
        question = variants(rng)
        for _ in range(4):
            yield {**question, "state": thrown(rng, question)}
        question["state"] = start(rng, question) if rng.random() < 0.3 else thrown(rng, question)
        game = Game(question)
        if not game.possible():
            continue
        for _ in range(30):
            if game.end:
                break
            yield {**question, "state": copy.deepcopy(game.state())}
            options = game.legal()
            bold = [move for move in options if move["type"] in ("shift", "jump")]
            game.play(rng.choice(bold if bold and rng.random() < 0.3 else options))
