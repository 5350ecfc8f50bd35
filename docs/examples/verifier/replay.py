"""What all games have in common: seats, seeds, offers of a draw, resignation, the end.

The events are gone through in order. Each either is an act of somebody (a move, an offer, a seat taken) or
follows from the act before it. For an act the rules say whether it was allowed then, and which events must
follow; these are compared with those that stand there, member by member, before the next act is looked at.
So nothing can be changed, missing or too many. What follows from an act has the act's time.
"""
from . import seals
from .clock import Clock, is_clock, moment
from .combats import CombatsOnly
from .engarde import EnGarde
from .players import PlayersStratego
from .roquefort import Castle
from .stratego import Stratego
from .table import TableCastle, TableEnGarde
from .tokens import Bad, compact, same, unhex, within

GAMES = {"engarde": {"referee": EnGarde, "table": TableEnGarde},
         "roquefort": {"referee": Castle, "table": TableCastle},
         "stratego": {"referee": Stratego, "players": PlayersStratego}}

SEATING = ("seat_taken", "seat_reissued", "seat_renamed")

CREATED = {"type", "ruleset", "variant", "options", "custody", "spectators", "seats", "seed_commitment"}


def decreed(reason, winner=None):
    """A result that rests on no ruling of a game."""
    return {"reason": reason, "ruling": None, "winner": winner}


def is_name(name):
    return name is None or (isinstance(name, str) and 0 < len(name.encode()) <= 40)


class Replay:
    def __init__(self, gid, bodies, times):
        self.gid, self.bodies, self.times = gid, bodies, times
        self.at = 0             # the next event to be looked at
        self.now = times[0]     # when the act was that is looked at
        self.taken = {}         # seat: whether somebody sits there now
        self.promised = {}      # seat: the commitment to its seed
        self.revealed = {}      # seat: its seed
        self.set_up = []        # seats that have set up (Stratego)
        self.set_up_at = {}     # seat: the seq of that
        self.since = {}         # when terms began: `seeds`, `setup`, `answer`
        self.offered = set()    # seats that have offered a draw or accepted one
        self.declined = set()   # seats whose offer was declined since the last move
        self.has_begun = False
        self.referee_seed = None
        self.game = None
        self.clock = None
        self.result = None

    # Going through the events

    @property
    def seq(self):
        return self.at + 1

    def fail(self, words):
        raise Bad(f"event {self.seq}: {words}")

    def need(self, condition, words):
        if not condition:
            self.fail(words)

    def next(self):
        """The event that is looked at now."""
        if self.at >= len(self.bodies):
            raise Bad("the record stops before the game is over")
        return self.bodies[self.at]

    def members(self, body, *names):
        """The values of exactly these members."""
        self.need(set(body) == {"type", *names}, f"{body['type']} has not the members {', '.join(names)}")
        return [body[name] for name in names]

    def seat(self, body):
        seat = body.get("seat")
        self.need(isinstance(seat, str) and seat in self.seats, f"{body['type']} names no seat of this game")
        return seat

    def expect(self, events):
        """These events come next, and look so."""
        for event in events:
            found = self.next()
            self.need(found["type"] == event["type"], f"{found['type']} stands where {event['type']} must")
            for name in sorted(set(event) | set(found)):
                self.need(name in found, f"{event['type']} has no {name}")
                self.need(name in event, f"{event['type']} has a member {name} that it must not have")
                self.need(same(found[name], event[name]),
                          f"{event['type']}: {name} is {short(found[name])} and must be {short(event[name])}")
            self.need(self.times[self.at] == self.now,
                      f"{event['type']} has another time than what it follows from")
            self.at += 1

    def unhex(self, text, what="a hash"):
        try:
            return unhex(text, what)
        except Bad as bad:
            return self.fail(str(bad))

    # Before play

    def beginning(self):
        """From `created` to the last event before `started`, or before `ended` if play never began."""
        self.created()
        while True:
            body = self.next()
            if body["type"] == "started":
                self.need(self.ready(), "the game starts before seats, seeds and set-ups are in")
                self.has_begun = True
                return f"{len(self.seats)} seats, {len(self.promised)} seeds; play begins at event {self.seq}"
            self.need(not self.ready(), f"{body['type']} stands where started must")
            if body["type"] == "ended":
                self.abort_unless_over()
                return f"over at event {self.seq}, before play began"
            self.need(self.result is None, f"{body['type']} stands where ended must")
            self.before_play(body)

    def created(self):
        body = self.next()
        self.need(set(body) - {"clock"} == CREATED, "created has not its members")
        ruleset, variant, custody = body["ruleset"], body["variant"], body["custody"]
        self.need(isinstance(ruleset, str) and ruleset in GAMES, "there is no such ruleset")
        self.need(isinstance(custody, str) and custody in GAMES[ruleset], f"{ruleset} has no such custody")
        kind = GAMES[ruleset][custody]
        self.need(isinstance(variant, str) and variant in kind.VARIANTS, f"{ruleset} has no such variant")
        self.seats = body["seats"]
        self.need(isinstance(self.seats, list) and kind.SEATS[:len(self.seats)] == self.seats
                  and len(self.seats) >= 2, f"these are no seats of {ruleset}")
        self.need(isinstance(body["spectators"], bool), "spectators is no true or false")
        self.options = body["options"]
        if kind is Stratego and isinstance(self.options, dict) and "told" in self.options:
            kind = CombatsOnly
        self.check_options(kind, variant)
        self.need("clock" not in body or (kind is not CombatsOnly and is_clock(body["clock"])),
                  "there is no such clock")
        self.seed_commitment = self.unhex(body["seed_commitment"])
        self.taken = dict.fromkeys(self.seats, False)
        if "clock" in body:
            self.clock = Clock(body["clock"], self.seats)
        self.kind, self.variant = kind, variant
        self.at += 1

    def check_options(self, kind, variant):
        known = {"answer_s": within(1, 31622400), **kind.options(variant, self.seats)}
        self.need(isinstance(self.options, dict) and set(self.options) == set(known),
                  f"the options are not {', '.join(sorted(known))}")
        for name, fits in known.items():
            self.need(fits(self.options[name]), f"option {name} has no such value")

    def overridden(self, body):
        """The arbiter's word ends the game, and the record says that it did."""
        note, result = self.members(body, "note", "result")
        self.need(isinstance(note, str) and len(note.encode()) <= 240, "that is no note")
        self.need(isinstance(result, dict) and set(result) == {"reason", "winner"}, "that is no verdict")
        reason, winner = result["reason"], result["winner"]
        still_in = self.game.still_in() if self.game else self.seats
        self.need(reason in (("agreed", "void") if winner is None else ("resigned", "time", "cheat")),
                  "no arbiter ends a game for that reason")
        self.need(winner is None or winner in still_in, "that seat is not in the game")
        self.result = decreed(reason, winner)
        self.at += 1

    def abort_unless_over(self):
        """An end that no act has brought about is the host's or the operator's."""
        if self.result is None:
            self.result, self.now = decreed("aborted"), self.times[self.at]

    def before_play(self, body):
        self.now = self.times[self.at]
        self.deed_before_play(body)
        if all(self.taken.values()):
            self.since.setdefault("seeds", self.now)
        if self.seeds_are_in():
            self.since.setdefault("setup", self.now)

    def deed_before_play(self, body):
        kind = body["type"]
        if kind in SEATING:
            self.seating(body)
        elif kind == "seed_revealed":
            self.seed_revealed(body)
        elif kind == "setup_done":
            self.setup_done(body)
        elif kind == "resigned" and self.in_setup():
            self.members(body, "seat")
            self.at += 1
            self.result = decreed("resigned", self.other(self.seat(body)))
        elif kind == "overridden":
            self.overridden(body)
        elif kind == "timed_out":
            self.need(all(self.taken.values()), "nobody is late before all seats are taken")
            owe = self.set_up if self.in_setup() else [*self.revealed, *(set(self.seats) - set(self.promised))]
            late = [seat for seat in self.seats if seat not in owe]
            self.time_out(late, self.since["setup" if self.in_setup() else "seeds"])
            left = [seat for seat in self.seats if seat not in late]
            self.result = decreed("time", left[0]) if len(left) == 1 else decreed("void")
        else:
            self.fail(f"{kind} cannot happen now")

    def time_out(self, late, since):
        """All who are late lose at once, and not before their term is over: docs/adr/0012."""
        self.need((moment(self.now) - moment(since)).total_seconds() >= self.options["answer_s"],
                  "somebody is put out before his term is over")
        self.expect([{"type": "timed_out", "seat": seat} for seat in late])

    def seating(self, body):
        """A seat is taken, for the first time or again, given anew or renamed; this may happen in play too."""
        seat = self.seat(body)
        if body["type"] == "seat_reissued":
            _, by = self.members(body, "seat", "by")
            self.need(by == "operator" or (by == "host" and not self.taken[seat]),
                      "only the operator gives a seat anew that is taken")
            self.taken[seat] = False
            self.at += 1
            return
        if body["type"] == "seat_renamed":
            _, name, by = self.members(body, "seat", "name", "by")
            self.need(by == "operator", "only the operator gives a seat another name")
            self.need(self.taken[seat], "nobody sits there who could be renamed")
            self.need(is_name(name), "that is no name")
            self.at += 1
            return
        _, name, seeds = self.members(body, "seat", "name", "seeds")
        self.need(not self.taken[seat], "the seat is taken already")
        self.need(is_name(name), "that is no name")
        self.need(isinstance(seeds, bool), "seeds is no true or false")
        self.taken[seat] = True
        self.at += 1
        if seeds:
            self.need(not self.has_begun, "a seed is promised in play")
            self.need(seat not in self.promised, "the seat has promised a seed already")
            self.need(not self.revealed, "a seed is promised after another was shown")
            commitment = self.unhex(self.next().get("commitment"))
            self.expect([{"type": "seed_committed", "seat": seat, "commitment": commitment.hex()}])
            self.promised[seat] = commitment

    def seed_revealed(self, body):
        self.need(all(self.taken.values()), "a seed is shown before all seats are taken")
        seat = self.seat(body)
        _, text = self.members(body, "seat", "seed")
        seed = self.unhex(text, "a seed")
        self.need(seat in self.promised and seat not in self.revealed, "the seat owes no seed")
        number = self.kind.SEATS.index(seat)
        self.need(seals.player_seed(self.gid, number, seed) == self.promised[seat],
                  "the seed does not fit its commitment")
        self.revealed[seat] = seed
        self.at += 1

    def seeds_are_in(self):
        return all(self.taken.values()) and set(self.revealed) == set(self.promised)

    def in_setup(self):
        return self.kind.HAS_SETUP and self.seeds_are_in() and len(self.set_up) < len(self.seats)

    def setup_done(self, body):
        self.members(body, "seat")
        seat = self.seat(body)
        self.need(self.in_setup() and seat not in self.set_up, "the seat has nothing to set up now")
        self.set_up.append(seat)
        self.set_up_at[seat] = self.seq
        self.at += 1

    def ready(self):
        return self.seeds_are_in() and (not self.kind.HAS_SETUP or len(self.set_up) == len(self.seats))

    # Chance

    def stream(self, round_):
        """The words of a round; a seat that promised no seed counts as zero bytes."""
        players = [self.revealed.get(seat, seals.NOTHING) for seat in self.seats]
        return seals.Stream(self.gid, round_, self.referee_seed, players)

    def chance(self):
        first = self.options["first"]
        starter = first if first in self.seats else self.seats[self.stream(0).below(len(self.seats))]
        self.need(same(self.next().get("starter"), starter), f"{starter} must begin")
        self.game = self.kind(self, starter)
        return f"{starter} begins" + (", by lot" if first != starter else "") + self.game.shuffled()

    # Play

    def play(self):
        if self.has_begun:
            self.expect([{"type": "started", "starter": self.game.starter, **self.game.started}])
            self.expect(self.game.after_start())
            self.result = self.game.result
            self.settle()
            while self.result is None and self.next()["type"] != "ended":
                self.act(self.next())
            if self.game.AUDITED:
                self.audit()
            self.abort_unless_over()
            self.game.openings()
        ended = {"type": "ended", "audit": "clean", "result": self.result}
        if self.has_begun:
            ended["referee_seed"] = self.referee_seed.hex()
            ended.update(self.game.ended)
        self.expect([ended])
        self.need(self.at == len(self.bodies), "something comes after the end")
        return f"{len(self.bodies)} events are those that the rules demand"

    def audit(self):
        """Players' custody: after the last move each side gives its secret, in time."""
        owing, late, since, over = list(self.seats), {}, self.now, self.result is not None
        while over and owing and self.next()["type"] != "ended":
            body, self.now = self.next(), self.times[self.at]
            if body["type"] in SEATING:
                self.seating(body)
            elif body["type"] == "timed_out":
                late = {seat: self.seq + n for n, seat in enumerate(owing)}
                self.time_out(owing, since)
                owing = []
            else:
                self.need(body["type"] == "audited", f"{body['type']} stands where audited must")
                self.members(body, "seat")
                seat = self.seat(body)
                self.need(self.taken[seat], f"nobody sits at {seat} now")
                self.need(seat in owing, f"{seat} is audited twice")
                owing.remove(seat)
                self.at += 1
        if not over or owing:
            self.result = None     # called off
            self.game.called_off([seat for seat in self.seats if over and seat not in owing])
        else:
            self.result = self.game.audit(self.result, [seat for seat in self.seats if seat not in late], late)

    def settle(self, moved=None):
        if self.clock and self.result is None:
            answerer = self.game.answerer()
            runs = [answerer] if answerer else [s for s in self.game.still_in() if self.game.may_act(s)]
            self.clock.settle(self.now, runs, moved)

    def uncharged(self, body):
        """Seconds in which nobody could reach the referee, by its own word: no more than have passed."""
        (seconds,) = self.members(body, "s")
        self.need(self.clock and within(1, self.clock.passed(self.now))(seconds), "that cannot be left out of account")
        self.clock.uncharge(seconds, self.now)
        self.at += 1

    def flags_fall(self):
        """Those who have no time left go out or lose, all of them at once; both of two: nobody wins."""
        late = self.clock.late(self.now)
        self.need(late, "nobody is out of time")
        if len(self.seats) > 2:
            for seat in late:
                if self.result is None:
                    self.expect([{"type": "timed_out", "seat": seat}])
                    self.expect(self.game.resign(seat))
                    self.result = self.game.result
            if self.result is None:
                self.agree_if_all()
                self.settle()
            return
        self.expect([{"type": "timed_out", "seat": seat} for seat in late])
        self.result = decreed("time", self.other(late[0])) if len(late) == 1 else decreed("void")

    def act(self, body):
        kind, self.now = body["type"], self.times[self.at]
        if kind == "uncharged":
            return self.uncharged(body)
        if kind == "overridden":
            return self.overridden(body)
        if kind in SEATING:
            return self.seating(body)
        seat = self.seat(body)
        if kind == "timed_out" and self.clock:
            return self.flags_fall()
        if kind == "timed_out":
            self.need(self.game.answerer(), "nobody has to answer now")
            self.time_out([self.game.answerer()], self.since["answer"])
            self.result = decreed("time", self.other(self.game.answerer()))
            return None
        actor = self.game.answerer() if self.game.answerer() and kind in self.game.ACTS else seat
        self.need(self.taken[actor], f"nobody sits at {actor} now")
        self.need(seat in self.game.still_in(), f"{seat} is out of the game")
        self.need(not self.game.answerer() or kind not in ("offered", "declined"),
                  f"{kind} while something is to be opened")
        if kind == "offered":
            return self.offer(body, seat)
        if kind == "declined":
            self.members(body, "seat")
            self.need(self.offered and seat not in self.offered,
                      "there is no offer that this seat could decline")
            self.declined |= self.offered
            self.offered = set()
            self.at += 1
            return None
        if kind == "resigned":
            self.members(body, "seat")
            self.at += 1
            self.expect(self.game.resign(seat))
            self.result = self.game.result
            if self.result is None:
                self.agree_if_all()
            self.settle()
            return None
        self.need(kind in self.game.ACTS, f"{kind} is nothing that a player does")
        self.need(self.game.may_act(seat), f"{seat} is not on turn")
        after = self.bodies[self.at + 1] if self.at + 1 < len(self.bodies) else {}
        try:
            events = self.game.act(body, after)
        except Bad as bad:
            self.fail(str(bad))
        self.offered, self.declined = set(), set()
        self.expect(events)
        self.since["answer"] = self.now
        self.result = self.game.result
        self.settle(seat if actor == seat else None)
        return None

    def offer(self, body, seat):
        """A draw is agreed when every seat still in has offered or accepted; a move cancels the offer. Who
        was declined offers again after the next move only."""
        self.need(seat not in self.offered, "the seat has offered already")
        if self.offered:
            self.expect([{"type": "offered", "seat": seat, "accepts": True}])
        else:
            self.need(seat not in self.declined, "the seat's offer was declined, and nobody has moved since")
            self.expect([{"type": "offered", "seat": seat}])
        self.offered.add(seat)
        self.agree_if_all()

    def agree_if_all(self):
        """Also when the last one who had not accepted is out."""
        if self.offered and self.offered >= set(self.game.still_in()):
            self.result = decreed("agreed")

    def other(self, seat):
        return self.seats[1 - self.seats.index(seat)]


def short(value):
    text = compact(value)
    return text if len(text) <= 60 else text[:57] + "..."
