"""Every route with every credential: who is let in, and who is not.

    matrix.py HOST:PORT OPERATOR [--write]

tests/system/matrix.txt holds a row for each row of api/routes.def and the expected status for each
kind of credential. Each cell has a game of its own, and one that refuses must leave it as it was.
With --write the table is printed as the daemon answers: read it before you believe it.

  none      no credential                      host      that of whoever made the game
  junk      not of the form of a credential    own       the seat's that is to act
  unknown   well formed, and nobody's          other     the other seat's
  foreign   a seat's of another game           invite    one that was not used yet
  over      a seat's of a game that is over    spent     an invite that was used
  operator  the operator's                     revoked   a seat's that was replaced
  p.none p.foreign p.seat  a game without spectators: nobody, another game's seat, its own seat
  e.seat    a seat's, for its own game after the end
"""
import base64
import hashlib
import http.client
import json
import os
import re
import sys

address, operator_file = sys.argv[1:3]
write = "--write" in sys.argv
here = os.path.dirname(os.path.abspath(__file__))
operator = open(operator_file).read().strip()
kinds = ("none junk unknown foreign over operator host own other invite spent revoked "
         "p.none p.foreign p.seat e.seat").split()
bodies = {  # what would be taken, where anything is
    "/v1/games": {"ruleset": "engarde"},
    "/v1/games/{id}/draw": {"action": "offer"},
    "/v1/games/{id}/override": {"result": {"winner": "left", "reason": "time"}, "note": "x"},
    "/v1/games/{id}/seats/{seat}/name": {"name": "x"},
    "/v1/adjudicate": {},
}
line = None


def ask(method, path, credential=None, body=None):
    """Status and answer, of one connection that is kept."""
    global line
    headers = {"Content-Type": "application/json"}
    if credential:
        headers["Authorization"] = "Bearer " + credential
    for again in range(2):
        try:
            line = line or http.client.HTTPConnection(address, timeout=20)
            line.request(method, path, None if body is None else json.dumps(body), headers)
            answer = line.getresponse()
            if answer.getheader("Content-Type", "").startswith("text/event-stream"):
                raise AssertionError(f"{method} {path} streams")
            raw = answer.read()
            return answer.status, raw
        except (http.client.HTTPException, ConnectionError):
            line = None
            if again:
                raise


def must(status, method, path, credential=None, body=None):
    got, raw = ask(method, path, credential, body)
    if got != status:
        raise SystemExit(f"{method} {path}: {got} instead of {status}: {raw[:200]!r}")
    return json.loads(raw)


class Game:
    """A game of En garde: both seats taken, or the right one still free; `seen`: by all."""

    def __init__(self, full=True, seen=True):
        made = must(201, "POST", "/v1/games", None, {"ruleset": "engarde", "spectators": seen})
        self.id, self.host = made["id"], made["host"]
        self.invites = {s: v["invite"] for s, v in made["seats"].items()}
        self.seats = {}
        for seat in ("left", "right") if full else ("left",):
            self.seats[seat] = must(201, "POST", f"/v1/games/{self.id}/seats/{seat}",
                                    self.invites[seat], {})["credential"]
        self.acts = (must(200, "GET", f"/v1/games/{self.id}", self.host)["to_act"] or ["left"])[0]

    def seq(self):
        return must(200, "GET", f"/v1/games/{self.id}", self.host)["seq"]

    def end(self):
        must(200, "POST", f"/v1/games/{self.id}/abort", operator, {})
        return self

    def revoke(self, seat):
        old = self.seats[seat]
        must(201, "POST", f"/v1/games/{self.id}/seats/{seat}/invite", operator, {})
        return old


foreign = Game().seats["left"]
over_game = Game().end()
over = over_game.seats["left"]


def scene(kind, seats):
    """A game and the credential to be tried on it, or None where there is no such thing."""
    game = Game(full=not seats, seen=not kind.startswith("p."))
    me, other = (game.acts, "left" if game.acts == "right" else "right")
    if kind == "e.seat":
        return game.end(), game.seats[me]
    if kind in ("own", "p.seat"):
        return game, game.seats[me]
    if kind == "other":
        return game, game.seats.get(other, game.seats[me])
    if kind == "invite":
        return (game, game.invites["right"]) if seats else (Game(full=False), None)
    if kind == "revoked":
        return game, game.revoke(me)
    if kind == "spent":
        return game, game.invites[me]
    text = {"none": None, "junk": "rfs_junk", "foreign": foreign, "over": over, "host": game.host,
            "operator": operator, "p.none": None, "p.foreign": foreign,
            "unknown": "rfs_" + base64.urlsafe_b64encode(
                hashlib.sha256(game.id.encode()).digest()).decode().rstrip("=")}
    return game, text[kind]


def cell(method, pattern, kind):
    """The status that this kind of credential gets, '-' where the kind does not apply."""
    seats = "{seat}" in pattern and not pattern.endswith("/name")  # one is free; it has no name yet
    if "/games/{id}" not in pattern and kind in ("invite", "spent", "revoked", "p.none",
                                                 "p.foreign", "p.seat", "e.seat"):
        return "-"
    game, credential = scene(kind, seats)
    if kind == "invite" and credential is None:  # where no seat is named: the free seat's
        credential = game.invites["right"]
    path = pattern.replace("{seat}", "right")
    if "/games/{id}" in pattern:
        path = path.replace("{id}", game.id)
    path = path.replace("/rulesets/{id}", "/rulesets/engarde").replace("{id}", "engarde")
    path = path.replace("{folder}/{file}", "lib/utils.js").replace("{file}", "app.js")
    before = game.seq()
    body = bodies.get(pattern, {}) if method == "POST" else None
    if (method, pattern) == ("POST", "/v1/games/{id}/moves"):  # legal, whoever sends it
        status, raw = ask("GET", path, game.seats[game.acts])
        moves = json.loads(raw)["moves"] if status == 200 else None
        body = {"move": moves[0] if moves else {"type": "advance", "card": 1}}
    status = ask(method, path, credential, body)[0]
    if status >= 400 and game.seq() != before:
        faults.append(f"{method} {pattern} with {kind}: {status}, and yet the game went on")
    return str(status)


faults = []
routes = re.findall(r'^ROUTE\("(\w+)",\s*"([^"]+)"', open("api/routes.def").read(), re.M)
rows = {}
for row in open(os.path.join(here, "matrix.txt")) if not write else ():
    if row.strip() and not row.startswith("#"):
        method, pattern, *cells = row.split()
        rows[method, pattern] = cells
if not write:
    faults += [f"matrix.txt has no row for {m} {p}" for m, p in routes if (m, p) not in rows]
    faults += [f"there is no route {m} {p}" for m, p in rows if (m, p) not in routes]
if write:
    print("# " + " ".join(f"{k:>9}" for k in kinds))
cells = 0
for method, pattern in routes:
    got = [cell(method, pattern, kind) for kind in kinds]
    cells += len([g for g in got if g != "-"])
    if write:
        print(f"{method:4} {pattern:34}", " ".join(f"{g:>3}" for g in got))
        continue
    expected = rows.get((method, pattern), [])
    if len(expected) != len(kinds):
        faults.append(f"{method} {pattern}: {len(expected)} columns instead of {len(kinds)}")
    faults += [f"{method} {pattern} with {kind}: {g} instead of {e}"
               for kind, g, e in zip(kinds, got, expected) if g != e]
if faults:
    sys.exit("\n".join(faults))
if not write:
    print(f"{len(routes)} routes, {cells} tries with credentials, and all doors are as they must be")
