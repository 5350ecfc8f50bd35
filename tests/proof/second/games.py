"""Plays the games whose transcripts are to be verified: all rulesets, variants and options, and all the ways in
which a game ends. docs/examples/play.py is the client."""
import json
import os
import random
import re
from concurrent.futures import ThreadPoolExecutor

import play

CZECH, CLASSIC = "marsal-a-spion", ("classic", "isf", "barrage", "duel", "ultimate")


class Wish:
    """A game to be played: what it is, how its seats move and how it ends if not by itself."""

    def __init__(self, ruleset, variant, options=None, *, moves=60, end="resign", players=None, chooser=None,
                 setups=None, tag="", result=None, asked=None, length=None):
        self.ruleset, self.variant, self.options = ruleset, variant, options or {}
        self.moves, self.end, self.players = moves, end, players
        self.chooser, self.setups = chooser, setups
        self.result = result    # the end that it must have, if one is known
        self.length = length    # how many moves are written down
        self.asked = asked or {}    # what else is asked for: the custody
        self.name = " ".join(filter(None, [ruleset, variant, tag, str(players or ""), end]))


# How seats choose, so that something happens in few moves. `chance` is the game's own.

def lively(chance):
    """The castle: each kind of move as often as any other, and few turns ended early."""
    def choose(moves, view):
        kinds = {}
        for move in moves:
            kinds.setdefault(move["type"], []).append(move)
        names = [kind for kind in kinds if kind != "end_turn"]
        if not names or (chance.random() < 0.08 and "end_turn" in kinds):
            names = ["end_turn"]
        return chance.choice(kinds[chance.choice(names)])
    return choose


def fierce(chance):
    """Stratego: mostly attacks, else mostly forward."""
    def choose(moves, view):
        pieces, ahead = view["board"]["pieces"], 1 if view["board"]["turn"] == "red" else -1
        moves = sorted(moves, key=lambda move: (move["from"], move["to"]))
        attacks = [move for move in moves if move["to"] in pieces]
        onward = [move for move in moves if (int(move["to"][1:]) - int(move["from"][1:])) * ahead > 0]
        if attacks and chance.random() < 0.9:
            return chance.choice(attacks)
        return chance.choice(onward if onward and chance.random() < 0.4 else moves)
    return choose


def written(moves):
    """Stratego: one move after the other, as they are written down."""
    rest = [re.fullmatch("([a-j][0-9]+)([a-j][0-9]+)", move).groups() for move in moves.split()]
    return lambda chance: lambda moves, view: dict(zip(("from", "to"), rest.pop(0)))


def ended():
    """ended.json: games that end by the rulings at which games at random seldom arrive."""
    with open(os.path.join(os.path.dirname(__file__), "ended.json"), encoding="utf-8") as file:
        for game in json.load(file):
            yield Wish("stratego", game["variant"], game["options"], moves=1000, chooser=written(game["moves"]),
                       setups=game["setups"], tag=game["name"], result=game["result"],
                       length=len(game["moves"].split()))


def plate(chance):
    """Rooms of one's own, in no order: single squares that grow together."""
    squares = [f"{column}{row}" for row in range(1, 8) for column in "abcdefg"
               if f"{column}{row}" not in ("a1", "g1", "a7", "g7")]
    rooms = [[square] for square in squares]
    beside = lambda a, b: abs(ord(a[0]) - ord(b[0])) + abs(int(a[1]) - int(b[1])) == 1
    while len(rooms) > 18:
        room = chance.choice([room for room in rooms if len(room) < 4])
        near = [other for other in rooms if other is not room and any(beside(a, b) for a in room for b in other)]
        other = chance.choice(near)
        rooms.remove(other)
        room += other
        chance.shuffle(room)
    return rooms


def wishes(chance):
    """All the games."""
    clubs = [{}, {"after_parry": "defender"}, {"counterattack": "none", "first": "left"}, {"first": "right"}]
    levels = [{"level": level} for level in ("basic", "standard", "advanced")]
    for variant, sets in (("do-strehu", clubs), ("knizia", levels)):
        for options in sets:
            yield Wish("engarde", variant, {"hits_to_lose": 3, **options}, moves=400)
            yield Wish("engarde", variant, options, moves=30, end=chance.choice(["draw", "abort", "resign"]))
    yield Wish("engarde", "knizia", {"hits_to_lose": 9}, moves=400, tag="long")
    for n, variant in enumerate(["chateau-roquefort", "burg-appenzell"] * 6):
        options = {"rooms": ["A", "B", plate(chance)][n % 3], "cheeses_to_win": 4 + n % 3,
                   "first": ["lot", "yellow", "red"][n % 3], "memory": ["strict", "open"][n % 2]}
        yield Wish("roquefort", variant, options, players=2 + n // 4, moves=220 if n % 4 < 2 else 50,
                   end=["draw", "resign", "abort"][n % 3], chooser=lively)
    for variant in CLASSIC:
        yield Wish("stratego", variant, moves=150, chooser=fierce)
        options = {"two_square": chance.choice([1, 2, 3]), "more_square": True, "first": "lot"}
        yield Wish("stratego", variant, options, moves=60, end=chance.choice(["draw", "abort"]))
        options = {"ply_limit": 40, "quiet_limit": chance.choice([9, 20, 40])}
        yield Wish("stratego", variant, options, chooser=fierce)
    options = {"two_square": 1, "more_square": True}
    yield Wish("stratego", "barrage", options, moves=250, chooser=fierce, tag="short")
    for first in ("lot", "red", "blue"):
        options = {"first": first, "captives": chance.choice(["hidden", "shown"])}
        yield Wish("stratego", CZECH, options, moves=100, chooser=fierce,
                   end=chance.choice(["draw", "abort", "resign"]))
    for variant in (CZECH, *CLASSIC):
        yield Wish("stratego", variant, {"told": "combats"}, moves=200, tag="combats")
        options = {"told": "combats", "first": chance.choice(["lot", "red", "blue"])}
        if variant == CZECH:
            options["captives"] = "shown"
        yield Wish("stratego", variant, options, moves=5, tag="combats",
                   end=chance.choice(["draw", "abort", "abort unanswered", "resign unanswered"]))
    yield Wish("stratego", "duel", {"told": "combats"}, moves=3, tag="combats", end="resign unanswered")
    for ruleset, variant in (("engarde", "do-strehu"), ("roquefort", "burg-appenzell"), ("stratego", "duel")):
        for end in ("abort in waiting", "abort in seeding", "seats anew"):
            yield Wish(ruleset, variant, end=end, moves=4)
    for end in ("abort in setup", "resign in setup"):
        yield Wish("stratego", CZECH, end=end)
    yield from ended()


# One game

def offers(game, chance):
    """A draw is offered, and accepted or declined, now and then; never agreed, unless by chance by all."""
    seats = list(game.invites)
    first = chance.choice(seats)
    attempt(game, first, "/draw", {"action": "offer"})
    for seat in seats:
        if seat != first and chance.random() < 0.7:
            attempt(game, seat, "/draw", {"action": chance.choice(["decline", "decline", "accept"])})


def attempt(game, seat, what, body=None):
    try:
        game.as_seat(seat, what, body)
    except play.Refused as refused:
        if refused.problem["status"] != 409:
            raise
    game.view = None


def give_anew(game, seat, operator):
    game.invites[seat] = game.post(f"/seats/{seat}/invite", operator)["invite"]
    game.view = None


def rename(game, seat, operator, name):
    """It may be over by then."""
    try:
        game.post(f"/seats/{seat}/name", operator, {"name": name})
    except play.Refused as refused:
        if refused.problem["code"] != "game_over":
            raise
    game.view = None


def one(url, operator, wish, chance):
    """The transcript of the game."""
    asked = {"variant": wish.variant, "options": wish.options, **wish.asked}
    if wish.players:
        asked["players"] = wish.players
    game = play.Game(play.Referee(url), wish.ruleset, chance, **asked)
    seats = list(game.invites)
    chance.shuffle(seats)
    seeds = [seat for seat in seats if chance.random() < 0.7] or seats[:1]
    early = wish.end.partition(" in ")[2]
    if wish.end == "seats anew":
        give_anew(game, seats[0], game.host)
        game.take(seats[0], "first", seeds=False)
        give_anew(game, seats[0], operator)
    for seat in seats[:1] if early == "waiting" else seats:
        game.take(seat, chance.choice([None, "", seat, "Žofie \"½\" 😀"]), seeds=seat in seeds)
    rename(game, seats[0], operator, "ž" * 20)
    if early in ("waiting", "seeding"):
        game.post("/abort", game.host)
        return game.transcript()
    chance.shuffle(seeds)
    for seat in seeds:
        game.reveal(seat)
    if wish.ruleset == "stratego":
        for seat in seats[:1] if early == "setup" else seats:
            game.set_up(seat, wish.variant, wish.setups and wish.setups[seat])
    if wish.end == "abort in setup":
        game.post("/abort", operator)
        return game.transcript()
    if wish.end == "resign in setup":
        game.as_seat(seats[0], "/resign")
        return game.transcript()
    chooser = wish.chooser(chance) if wish.chooser else None
    number = 0
    while number < wish.moves:
        game.view = game.view or game.get()
        number += game.view["status"] != "challenge"     # an answer is no move of its own
        if not game.move(chooser):
            break
        if number % 30 == 17 and not wish.setups and game.view["status"] == "playing":
            offers(game, chance)
        if number % 50 == 3:
            rename(game, seats[number % 2], operator, "" if number % 4 == 1 else f"{number} \"x\"")
        if number % 90 == 57 and len(seats) > 2:
            attempt(game, seats[-1], "/resign")
    close(game, wish, operator, seats)
    return game.transcript()


def close(game, wish, operator, seats):
    """In players' custody attacks are answered, ends are claimed, and both are audited."""
    game.view = game.get()
    if wish.end.endswith(" unanswered"):
        if game.view["status"] == "playing":
            game.move()
        finish(game, wish.end.split()[0], operator, seats)
        return
    while game.view["status"] == "challenge":
        game.move()
    if game.view["status"] == "playing" and wish.setups:
        game.claim(game.view["board"]["turn"])
        while game.get()["status"] == "challenge":
            game.view = None
            game.move()
    if game.get()["status"] == "playing":
        finish(game, wish.end, operator, seats)
    game.view = None
    while game.get()["status"] == "audit":
        rename(game, seats[1], operator, "in the audit")
        game.move()


def finish(game, end, operator, seats):
    if end == "draw":
        game.view = None
        game.move()     # no offer stands any more
        game.agree()
    elif end == "abort":
        game.post("/abort", operator)
    elif end == "seats anew":
        give_anew(game, seats[1], operator)
        give_anew(game, seats[1], operator)
        game.take(seats[1], "second", seeds=False)
        game.move()
    for seat in seats:
        attempt(game, seat, "/resign")


def all_of(url, operator, seed):
    """(name, transcript) of all games, some at once."""
    chance = random.Random(seed)
    asked = [(wish, random.Random(chance.random())) for wish in wishes(chance)]
    with ThreadPoolExecutor(8) as pool:
        records = pool.map(lambda pair: one(url, operator, *pair), asked)
        played = [(wish, record) for (wish, _), record in zip(asked, records)]
    for wish, record in played:
        if wish.result not in (None, record["result"]):
            raise SystemExit(f"{wish.name}: {record['result']}")
    return [(wish.name, record) for wish, record in played]
