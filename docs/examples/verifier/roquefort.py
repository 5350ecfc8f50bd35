"""The castle by docs/rules/roquefort.md: both variants, all plates, two to four seats.

A square is its name. Floor squares are numbered row by row from b1; a tile has the number of the square where
it lay at the start, the first spare 33.
"""
from . import seals
from .tokens import need, one_of, same, within

COLUMNS = "abcdefg"
SQUARES = [f"{column}{row}" for row in range(1, 8) for column in COLUMNS]
TOWERS = {"a1", "g1", "a7", "g7"}
CASTLE = [square for square in SQUARES if square not in TOWERS]
FLOOR = [square for square in CASTLE if square[0] in "bdf" or square[1] in "246"]
CHEESES = ["emmental", "gouda", "edam", "roquefort", "camembert", "cheddar", "brie"]
SYMBOLS = ["blank", *CHEESES, "trapdoor"]
SPARE = 33
TILES = [cheese for cheese in CHEESES for _ in range(3)] + 10 * ["blank"] + 3 * ["trapdoor"]

# Row 7 first, as in the document.
PLATES = {
    "A": "*AAABB* CDEEFFG CDHHFFG IDHHJKG ILLLJKM INNOPPM *QQORR*",
    "B": "*AABBB* CDDEEEF CDDGGHF CIJGGHF KIJLLMN KOOPPMN *QQQRR*",
}


def place(square):
    return COLUMNS.index(square[0]), int(square[1])


def name(column, row):
    return f"{COLUMNS[column]}{row}" if 0 <= column < 7 and 1 <= row <= 7 else None


def apart(a, b):
    (column, row), (other_column, other_row) = place(a), place(b)
    return abs(column - other_column), abs(row - other_row)


def touch(a, b):
    """Also at a corner."""
    return max(apart(a, b)) == 1


def beside(a, b):
    return sum(apart(a, b)) == 1


def in_order(squares):
    return sorted(squares, key=SQUARES.index)


def rooms_of(option):
    """The rooms of a plate, each a list of squares, or None if that is no plate. A record has the rooms in
    the order of their first squares, and the squares of each in order."""
    if isinstance(option, str):
        if option not in PLATES:
            return None
        rooms = {}
        for row, letters in zip(range(7, 0, -1), PLATES[option].split()):
            for column, letter in enumerate(letters):
                rooms.setdefault(letter, []).append(name(column, row))
        del rooms["*"]
        return [in_order(squares) for squares in rooms.values()]
    if not isinstance(option, list) or not all(isinstance(room, list) and room for room in option):
        return None
    squares = [square for room in option for square in room]
    if not all(isinstance(square, str) for square in squares) or sorted(squares) != sorted(CASTLE):
        return None
    rooms = sorted(map(in_order, option), key=lambda room: SQUARES.index(room[0]))
    return rooms if rooms == option and all(map(hangs_together, rooms)) else None


def hangs_together(room):
    reached = [room[0]]
    for square in reached:
        reached += [other for other in room if other not in reached and beside(square, other)]
    return len(reached) == len(room)


def line(slot):
    """The seven squares of a slot's line, from where the spare is pushed in: CR-8."""
    side, at = slot
    if side in "NS":
        squares = [f"{at}{row}" for row in range(1, 8)]
    else:
        squares = [f"{column}{at}" for column in COLUMNS]
    return squares if side in "SW" else squares[::-1]


SLOTS = {slot: line(slot) for slot in "Nb Nd Nf Sb Sd Sf W2 W4 W6 E2 E4 E6".split()}


class Player:
    def __init__(self):
        self.mice, self.reserve, self.cellar = set(), 4, 0
        self.cheeses, self.out = set(), False


class Castle:
    SEATS = ["yellow", "red", "blue", "green"]
    VARIANTS = ["chateau-roquefort", "burg-appenzell"]
    HAS_SETUP = False
    AUDITED = False
    ACTS = {"moved", "uncovered", "shifted", "covered"}

    @staticmethod
    def options(variant, seats):
        return {"cheeses_to_win": within(4, 6), "first": one_of("lot", *Castle.SEATS),
                "rooms": lambda value: rooms_of(value) is not None, "memory": one_of("strict", "open")}

    def __init__(self, replay, starter):
        self.replay, self.starter = replay, starter
        seats, at = replay.seats, replay.seats.index(starter)
        self.order = seats[at:] + seats[:at]
        self.rooms = rooms_of(replay.options["rooms"])
        self.room_of = {square: number for number, room in enumerate(self.rooms) for square in room}
        self.cheeses_to_win = replay.options["cheeses_to_win"]
        self.burg = replay.variant == "burg-appenzell"
        self.players = {seat: Player() for seat in seats}
        self.uncovered = set()                       # numbers of rooms
        self.ids = {square: number for number, square in enumerate(FLOOR)}
        self.spare = SPARE
        self.lay()
        self.result = None
        self.turn, self.actions_left, self.has_shifted = starter, 4, False
        self.ended, self.just_out = {}, []

    # The deal: CR-1

    def lay(self):
        stream = self.replay.stream(1)
        for tries in range(1, 1001):
            faces = [TILES[number] for number in stream.shuffle(34)]
            faces.remove("blank")                    # the first one is the spare
            if not self.equals_touch(faces):
                break
        self.faces, self.tries = faces + ["blank"], tries
        self.started = {"tries": tries, "commitments": self.sealed()}

    @staticmethod
    def equals_touch(faces):
        return any(faces[a] == faces[b] != "blank" for a, b in TOUCHING)

    def sealed(self):
        return [seals.tile(self.replay.gid, number, SYMBOLS.index(face), self.replay.referee_seed).hex()
                for number, face in enumerate(self.faces)]

    def shuffled(self):
        return f"; the castle was laid in {self.tries} tries"

    def commitments(self, whole, bodies):
        started = self.replay.next()
        need(same(started.get("tries"), self.tries), f"the castle was laid in {self.tries} tries")
        need(same(started.get("commitments"), self.started["commitments"]),
             "the tiles are not those of the seeds")
        return "all 34 tiles"

    def openings(self):
        seed, gid = self.replay.referee_seed, self.replay.gid
        return [seals.opening(f"tile/{number}", face, seals.nonce(seed, gid, 0, number))
                for number, face in enumerate(self.faces)]

    def after_start(self):
        return []

    # The position

    def may_act(self, seat):
        return seat == self.turn

    def answerer(self):
        return None

    def still_in(self):
        return [seat for seat in self.order if not self.players[seat].out]

    def face(self, square):
        """What lies there; None on solid ground and in towers."""
        return self.faces[self.ids[square]] if square in self.ids else None

    def mice(self):
        return {square for player in self.players.values() for square in player.mice}

    # Acts

    def act(self, body, after):
        player, kind = self.players[self.turn], body["type"]
        if player.reserve == 4:
            need(kind == "moved" and "from" not in body, "in the set-up a mouse is put on a tower (CR-2)")
            events = self.enter(player, body)
            self.next_player()
            return events
        if kind == "covered":
            return self.end_turn()
        if kind == "uncovered":
            events, cost = self.uncover(player, body), 1
        elif kind == "shifted":
            events, cost = self.shift(body), 1
        elif "from" in body:
            events, cost = self.walk(player, body)
        else:
            events, cost = self.enter(player, body), 1
        need(cost <= self.actions_left, "there are not so many actions left (CR-3)")
        self.actions_left -= cost
        events += self.cheese()
        self.judge()
        if self.result is None and (player.out or (self.actions_left == 0 and kind != "uncovered")):
            events += self.end_turn()
        return events

    def enter(self, player, body):
        tower = body.get("to")
        need(isinstance(tower, str) and tower in TOWERS, "there is no such tower (CR-7)")
        need(player.reserve > 0, "no mouse is in reserve (CR-7)")
        need(tower not in self.mice(), "the tower is taken (CR-7)")
        player.reserve -= 1
        player.mice.add(tower)
        return [{"type": "moved", "seat": self.turn, "to": tower}]

    def uncover(self, player, body):
        squares = body.get("squares")
        first = squares[0] if isinstance(squares, list) and squares else None
        need(isinstance(first, str) and first in self.room_of, "there is no such room (CR-4)")
        number = self.room_of[first]
        need(number not in self.uncovered, "the room is uncovered already (CR-4)")
        room = self.rooms[number]
        need(any(touch(square, mouse) for square in room for mouse in player.mice),
             "no mouse is beside the room (CR-4)")
        self.uncovered.add(number)
        return [{"type": "uncovered", "seat": self.turn, "squares": room}]

    def walk(self, player, body):
        """CR-5, CR-6, CB-2; the events and what it costs."""
        start, to = body["from"], body.get("to")
        need(isinstance(start, str) and start in player.mice, "no mouse of the player stands there (CR-5)")
        need(isinstance(to, str) and to in SQUARES and to != start, "there is no such square (CR-5)")
        columns, rows = apart(start, to)
        need(columns == 0 or rows == 0, "a mouse goes straight (CR-5)")
        length = columns + rows
        (column, row), (to_column, to_row) = place(start), place(to)
        over = [name(column + (to_column - column) * n // length, row + (to_row - row) * n // length)
                for n in range(1, length)]
        need(length <= 2 or self.burg, "that is too far (CR-5)")
        need(all(square in self.mice() for square in over), "there is no mouse to jump over (CR-6, CB-2)")
        need(to not in TOWERS, "a mouse never goes into a tower (CR-5)")
        need(self.room_of[to] in self.uncovered, "the square is covered (CR-5)")
        need(to not in self.mice(), "the square is taken (CR-5)")
        need(self.face(to) != "trapdoor", "there is a trapdoor (CR-5)")
        player.mice.remove(start)
        player.mice.add(to)
        return [{"type": "moved", "seat": self.turn, "from": start, "to": to}], length

    def shift(self, body):
        """CR-8, and what falls by it: CR-9, CR-13."""
        slot = body.get("slot")
        need(isinstance(slot, str) and slot in SLOTS, "there is no such slot (CR-8)")
        need(not self.has_shifted, "the player has shifted in this turn (CR-8)")
        self.has_shifted = True
        pushed = self.slide(slot)
        events = [{"type": "shifted", "seat": self.turn, "slot": slot, "in": pushed, "out": self.spare}]
        for seat in self.replay.seats:
            player = self.players[seat]
            for square in in_order(player.mice):
                if self.face(square) == "trapdoor":
                    player.mice.remove(square)
                    player.cellar += 1
                    events.append({"type": "fell", "seat": seat, "square": square})
        self.just_out = [seat for seat in self.replay.seats
                         if self.players[seat].cellar >= 3 and not self.players[seat].out]
        return events + [self.take_off(seat) for seat in self.just_out]

    def slide(self, slot):
        """Moves the tiles; the number of the one that was pushed in."""
        squares, pushed = SLOTS[slot], self.spare
        tiles = [pushed] + [self.ids[square] for square in squares]
        self.spare = tiles.pop()
        self.ids.update(zip(squares, tiles))
        return pushed

    # What follows

    def take_off(self, seat):
        """The player is out, and his mice go back to the reserve: CR-13."""
        player = self.players[seat]
        squares, player.out = in_order(player.mice), True
        player.reserve += len(player.mice)
        player.mice = set()
        return {"type": "out", "seat": seat, "squares": squares}

    def cheese(self):
        """CR-10."""
        events = []
        for seat in self.replay.seats:
            player = self.players[seat]
            stands_on = [self.face(square) for square in player.mice]
            for kind in CHEESES:
                if stands_on.count(kind) >= 2 and kind not in player.cheeses:
                    player.cheeses.add(kind)
                    events.append({"type": "cheese_taken", "seat": seat, "cheese": kind})
        return events

    def judge(self):
        """CR-12, CR-13, CB-1; the last player left before the cheeses."""
        left, just_out = self.still_in(), self.just_out
        self.just_out = []
        if not left:
            self.end("all_out", "CR-13", self.most_cheeses(just_out))
        elif self.burg and just_out:
            self.end("third_fall", "CB-1", self.most_cheeses(left))
        elif len(left) == 1:
            self.end("last_left", "CR-13", left[0])
        else:
            at = self.order.index(self.turn)
            for seat in self.order[at:] + self.order[:at]:
                if seat in left and len(self.players[seat].cheeses) >= self.cheeses_to_win:
                    return self.end("cheeses", "CR-12", seat)
        return None

    def end(self, reason, ruling, winner):
        self.result = {"reason": reason, "ruling": ruling, "winner": winner}

    def most_cheeses(self, seats):
        """Who has the most of them; None if two have."""
        numbers = sorted((len(self.players[seat].cheeses) for seat in seats), reverse=True)
        if len(numbers) > 1 and numbers[0] == numbers[1]:
            return None
        return max(seats, key=lambda seat: len(self.players[seat].cheeses))

    def end_turn(self):
        """Rooms without a mouse get their roofs back: CR-11."""
        lived_in = {self.room_of[square] for square in self.mice() if square not in TOWERS}
        covered = self.uncovered - lived_in
        self.uncovered &= lived_in
        event = {"type": "covered", "seat": self.turn,
                 "squares": in_order(square for number in covered for square in self.rooms[number])}
        self.next_player()
        return [event]

    def next_player(self):
        at = self.order.index(self.turn) + 1
        self.turn = next(seat for seat in self.order[at:] + self.order[:at] if not self.players[seat].out)
        self.actions_left, self.has_shifted = 4, False

    def resign(self, seat):
        if len(self.order) == 2:
            self.end("resigned", None, next(other for other in self.order if other != seat))
            return []
        in_setup = self.players[self.turn].reserve == 4
        events = [self.take_off(seat)]
        if len(self.still_in()) == 1:
            self.end("last_left", "CR-13", self.still_in()[0])
        elif seat == self.turn and in_setup:
            self.next_player()
        elif seat == self.turn:
            events += self.end_turn()
        return events


TOUCHING = [(a, b) for a in range(33) for b in range(a) if touch(FLOOR[a], FLOOR[b])]
