"""The clocks of a game, counted from the times of its events: whole seconds, from one event to the next."""
import datetime

from .tokens import within

LIMIT = within(1, 31622400)


def moment(time):
    return datetime.datetime.strptime(time, "%Y-%m-%dT%H:%M:%SZ")


def is_clock(terms):
    """So long for each move, or a bank of time with an increment for each move."""
    if not isinstance(terms, dict):
        return False
    if set(terms) == {"per_move_s"}:
        return LIMIT(terms["per_move_s"])
    return (set(terms) == {"initial_s", "increment_s"} and LIMIT(terms["initial_s"])
            and within(0, 31622400)(terms["increment_s"]))


class Clock:
    def __init__(self, terms, seats):
        self.per_move, self.increment = terms.get("per_move_s"), terms.get("increment_s", 0)
        self.left = dict.fromkeys(seats, self.per_move or terms["initial_s"])
        self.running, self.since = set(), None

    def passed(self, now):
        return max(0, int((moment(now) - self.since).total_seconds())) if self.since else 0

    def late(self, now):
        """Whose time runs and is over."""
        return [seat for seat in self.left if seat in self.running and self.left[seat] <= self.passed(now)]

    def settle(self, now, runs, moved=None):
        """What has passed is taken off; who has moved gets his increment, who begins or has moved a new term."""
        for seat in self.running:
            self.left[seat] = max(0, self.left[seat] - self.passed(now))
        if moved and not self.per_move:
            self.left[moved] += self.increment
        for seat in runs:
            if self.per_move and (seat not in self.running or seat == moved):
                self.left[seat] = self.per_move
        self.running, self.since = set(runs), moment(now) if runs else None

    def uncharge(self, seconds, now):
        self.since = min(self.since + datetime.timedelta(seconds=seconds), moment(now))
