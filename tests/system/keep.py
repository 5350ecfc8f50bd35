#!/usr/bin/env python3
"""Games of all three kinds for tests of what is kept: some end, some stay under way.

    keep.py begin ADDRESS FILE        plays; writes ids, credentials and digests of transcripts
    keep.py go-on ADDRESS FILE        all is as FILE says; what was under way is played to its end
    keep.py gone ADDRESS FILE         all that ended is 404, and its credentials are 401
    keep.py load ADDRESS STOP         plays until the file STOP is there; prints the slowest move
"""
import hashlib, http.client, json, os, sys, time

KINDS = [{"ruleset": "engarde"}, {"ruleset": "roquefort", "players": 3}, {"ruleset": "stratego"}]


class Referee:
    def __init__(self, address):
        self.address = address
        self.wire = http.client.HTTPConnection(address, timeout=20)

    def ask(self, method, path, credential=None, body=None):
        headers = {"Content-Type": "application/json"}
        if credential:
            headers["Authorization"] = "Bearer " + credential
        text = None if body is None else json.dumps(body)
        try:
            self.wire.request(method, "/v1/games" + path, text, headers)
            answer = self.wire.getresponse()
            return answer.status, answer.read()
        except (OSError, http.client.HTTPException):
            self.wire.close()
            self.wire = http.client.HTTPConnection(self.address, timeout=20)
            raise

    def good(self, *request):
        status, text = self.ask(*request)
        if status >= 300:
            sys.exit(f"{request[:2]}: {status} {text[:300]}")
        return json.loads(text) if text else None

    def make(self, kind):
        game = self.good("POST", "", None, kind)
        seats = {}
        for seat, given in game["seats"].items():
            seats[seat] = self.good("POST", f"/{game['id']}/seats/{seat}", given["invite"], {})["credential"]
        if kind["ruleset"] == "stratego":
            for seat, credential in seats.items():
                with open(f"docs/examples/setup-{seat}.json") as file:
                    self.good("POST", f"/{game['id']}/setup", credential, json.load(file))
        return {"id": game["id"], "host": game["host"], "seats": seats,
                "invites": {seat: given["invite"] for seat, given in game["seats"].items()}}

    def play(self, game, moves):
        """At most so many moves; the longest time that one took."""
        slowest = 0
        for n in range(moves):
            to_act = self.good("GET", f"/{game['id']}")["to_act"]
            if not to_act:
                break
            credential = game["seats"][to_act[0]]
            may = self.good("GET", f"/{game['id']}/moves", credential)["moves"]
            began = time.monotonic()
            self.good("POST", f"/{game['id']}/moves", credential, {"move": may[7 * n % len(may)]})
            slowest = max(slowest, time.monotonic() - began)
        return slowest

    def give_up(self, game):
        for credential in game["seats"].values():
            self.ask("POST", f"/{game['id']}/resign", credential, {})

    def digest(self, game):
        status, text = self.ask("GET", f"/{game['id']}/transcript")
        return hashlib.sha256(text).hexdigest() if status == 200 else str(status)


def begin(referee, file):
    games = []
    for kind in KINDS:
        for moves, ends in ((9, True), (14, False)):
            game = referee.make(kind)
            referee.play(game, moves)
            if ends:
                referee.give_up(game)
            games.append(game)
    game = referee.good("POST", "", None, {"ruleset": "stratego"})
    referee.good("POST", f"/{game['id']}/abort", game["host"])
    games.append({"id": game["id"], "host": game["host"], "seats": {},
                  "invites": {seat: given["invite"] for seat, given in game["seats"].items()}})
    for game in games:
        game["transcript"] = referee.digest(game)
        game["seq"] = referee.good("GET", f"/{game['id']}")["seq"]
    with open(file, "w") as out:
        json.dump(games, out, indent=1)
        out.write("\n")


def go_on(referee, games):
    for game in games:
        if referee.digest(game) != game["transcript"]:
            sys.exit(f"{game['id']} has another transcript: {referee.digest(game)}")
        if referee.good("GET", f"/{game['id']}")["seq"] != game["seq"]:
            sys.exit(f"{game['id']} stands at another event")
    for game in games:
        if game["transcript"] == "409":
            referee.play(game, 10)
            referee.give_up(game)
            if len(referee.digest(game)) < 64:
                sys.exit(f"{game['id']} does not end")


def gone(referee, games):
    for game in games:
        for path in ("", "/events", "/transcript"):
            status, text = referee.ask("GET", f"/{game['id']}{path}")
            if status != 404:
                sys.exit(f"{game['id']}{path} is still there: {status} {text[:200]}")
        for credential in (game["host"], *game["seats"].values(), *game["invites"].values()):
            status, text = referee.ask("POST", "", credential, {"ruleset": "engarde"})
            if status != 401:
                sys.exit(f"a credential of {game['id']} is still known: {status} {text[:200]}")


def load(referee, stop):
    count, slowest = 0, 0
    while not os.path.exists(stop):
        game = referee.make(KINDS[count % 3])
        slowest = max(slowest, referee.play(game, 12))
        referee.give_up(game)
        count += 1
    print(f"{count} games, the slowest move took {1000 * slowest:.0f} ms")


if __name__ == "__main__":
    command, address, file = sys.argv[1:]
    if command in ("begin", "load"):
        {"begin": begin, "load": load}[command](Referee(address), file)
    else:
        with open(file) as text:
            {"go-on": go_on, "gone": gone}[command](Referee(address), json.load(text))
