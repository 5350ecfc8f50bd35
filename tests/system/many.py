"""Players of a service that several daemons give together; many.sh runs it, part by part.

    many.py race A B SEQS         eight clients send each move at once, half of them to each daemon
    many.py keys A B ROUNDS       eight clients make a game under one Idempotency-Key
    many.py list A B GAMES        two readers page through a list that grows on both daemons
    many.py watch A B             a stream and a long poll on A while B is played on
    many.py late A B              a term runs out; it does so once
    many.py load FILE A.. -- B..  plays until FILE is there, by address files, through every break
    many.py outage A FILE         a stream and a player live through the database's end
    many.py begin A FILE          a game in progress, into FILE
    many.py resume A FILE         goes on with it

A and B are HOST:PORT. Every token that a player was sent must be in the transcript in the end.
"""
import http.client
import json
import os
import subprocess
import sys
import threading
import time
import uuid
from concurrent.futures import ThreadPoolExecutor

SETUPS = {s: json.load(open(f"docs/examples/setup-{s}.json")) for s in ("red", "blue")}
program = os.environ["B"] + "/refereed"


def ask(address, method, path, credential=None, body=None, **headers):
    """Status and parsed body of one request."""
    host, port = address.split(":")
    connection = http.client.HTTPConnection(host, int(port), timeout=30)
    head = {name.replace("_", "-"): value for name, value in headers.items()}
    if credential:
        head["Authorization"] = "Bearer " + credential
    if body is not None:
        head["Content-Type"] = "application/json"
    connection.request(method, path, json.dumps(body) if body is not None else None, head)
    answer = connection.getresponse()
    text = answer.read()
    connection.close()
    return answer.status, json.loads(text) if text else None


def must(status, answer):
    if answer[0] != status:
        raise SystemExit(f"many.py: wanted {status}, got {answer}")
    return answer[1]


class Game:
    """A game of Stratego whose sides have set up, asking any of the addresses in turn."""

    def __init__(self, *addresses, **options):
        self.addresses, self.turn, self.tokens = addresses, 0, set()
        made = must(201, self.ask("POST", "/v1/games", None,
                                  {"ruleset": "stratego", "options": {"first": "red", **options}}))
        self.id, self.host = made["id"], made["host"]
        self.path = "/v1/games/" + self.id
        self.seats = {}
        for seat, held in made["seats"].items():
            self.seats[seat] = must(201, self.ask("POST", f"{self.path}/seats/{seat}",
                                                  held["invite"], {}))["credential"]

    def ask(self, *arguments, **headers):
        self.turn += 1
        return ask(self.addresses[self.turn % len(self.addresses)], *arguments, **headers)

    def set_up(self):
        for seat, body in SETUPS.items():
            self.note(must(200, self.ask("POST", self.path + "/setup", self.seats[seat], body)))
        return self

    def note(self, answer):
        if answer and "token" in answer:
            self.tokens.add(answer["token"])
        return answer

    def mover(self):
        # a daemon may be a notification late: all of them must be asked to agree
        while True:
            views = [must(200, self.ask("GET", self.path)) for _ in self.addresses]
            if len({view["seq"] for view in views}) == 1:
                break
        view = views[0]
        return view["to_act"][0] if view["status"] == "playing" else None

    def moves(self, seat):
        return must(200, self.ask("GET", self.path + "/moves", self.seats[seat]))

    def move(self, seat, move, **headers):
        return self.ask("POST", self.path + "/moves", self.seats[seat], {"move": move}, **headers)

    def end(self):
        """Resigns, and holds the transcript against what was told."""
        if self.mover():  # or it was over already, and that was told a notification late
            status, answer = self.ask("POST", self.path + "/resign", self.seats["red"], {},
                                      Idempotency_Key=uuid.uuid4().hex)
            if status != 200 and answer["code"] != "game_over":
                raise SystemExit(f"many.py: resigning: {answer}")
            self.note(answer)
        transcript = must(200, self.ask("GET", self.path + "/transcript"))
        missing = self.tokens - {event["token"] for event in transcript["events"]}
        if missing:
            raise SystemExit(f"many.py: {len(missing)} tokens of {self.id} are not on record")
        done = subprocess.run([program, "verify", "-"], input=json.dumps(transcript),
                              capture_output=True, text=True)
        if done.returncode:
            raise SystemExit("many.py: a transcript does not verify: " + done.stdout)
        return len(transcript["events"])


def race(a, b, seqs):
    seqs, done, refused = int(seqs), 0, {}
    game = Game(a, b).set_up()
    with ThreadPoolExecutor(8) as pool:
        while done < seqs:
            seat = game.mover()
            if not seat:
                game.end()
                game = Game(a, b).set_up()
                continue
            listed = game.moves(seat)
            # every other round says for which seq it is meant; the others only lose
            headers = {"If_Match": f'"{listed["seq"]}"'} if done % 2 else {}
            move = listed["moves"][done * 7 % len(listed["moves"])]
            sent = [pool.submit(ask, (a, b)[i % 2], "POST", game.path + "/moves",
                                game.seats[seat], {"move": move}, **headers) for i in range(8)]
            answers = [one.result() for one in sent]
            won = [body for status, body in answers if status == 200]
            if len(won) != 1:
                raise SystemExit(f"many.py: {len(won)} of 8 won seq {listed['seq'] + 1}: {answers}")
            game.note(won[0])
            for status, body in answers:
                if status == 200:
                    continue
                if status not in (409, 412) or body["seq"] < won[0]["seq"]:
                    raise SystemExit(f"many.py: a loser was told {status} {body}")
                refused[status] = refused.get(status, 0) + 1
            done += 1
    game.end()
    if not refused.get(412):
        raise SystemExit(f"many.py: nobody was stale: {refused}")
    print(f"{done} seqs raced for, losers: {refused}")


def keys(a, b, rounds):
    with ThreadPoolExecutor(8) as pool:
        for _ in range(int(rounds)):
            key = uuid.uuid4().hex
            sent = [pool.submit(ask, (a, b)[i % 2], "POST", "/v1/games", None,
                                {"ruleset": "engarde"}, Idempotency_Key=key) for i in range(8)]
            made = [must(201, one.result()) for one in sent]
            if len({json.dumps(one) for one in made}) != 1:
                raise SystemExit(f"many.py: one key made {len({one['id'] for one in made})} games")
    listed, after = 0, 0
    while page := must(200, ask(a, "GET", f"/v1/games?after={after}"))["games"]:
        listed += len(page)
        after = must(200, ask(a, "GET", f"/v1/games?after={after}"))["next"]
    print(f"{rounds} keys, {listed} games")


def read_list(address, done, seen):
    after = 0
    while True:
        last = done.is_set()
        page = must(200, ask(address, "GET", f"/v1/games?after={after}"))
        seen += [game["id"] for game in page["games"]]
        after = page["next"]
        if last and not page["games"]:
            return


def list_(a, b, games):
    done, seen, made = threading.Event(), ([], []), []
    readers = [threading.Thread(target=read_list, args=(address, done, into))
               for address, into in zip((a, b), seen)]
    for reader in readers:
        reader.start()
    with ThreadPoolExecutor(8) as pool:
        for body in pool.map(lambda i: must(201, ask((a, b)[i % 2], "POST", "/v1/games", None,
                                                     {"ruleset": "engarde"})), range(int(games))):
            made.append(body["id"])
    done.set()
    for reader in readers:
        reader.join()
    for ids in seen:
        if len(ids) != len(set(ids)) or not set(made) <= set(ids):
            raise SystemExit(f"many.py: {len(set(made) - set(ids))} games were never listed")
    print(f"{games} games, each listed once to each reader")


class Stream(threading.Thread):
    """Server-sent events of a game, as they come in."""

    def __init__(self, address, game, credential):
        super().__init__(daemon=True)
        host, port = address.split(":")
        self.connection = http.client.HTTPConnection(host, int(port), timeout=60)
        self.connection.request("GET", f"{game.path}/events?after=0", None, {
            "Accept": "text/event-stream", "Authorization": "Bearer " + credential})
        self.answer = self.connection.getresponse()
        self.seqs, self.changed = [], threading.Condition()
        self.start()

    def run(self):
        for line in self.answer:
            if line.startswith(b"id: "):
                with self.changed:
                    self.seqs.append(int(line[4:]))
                    self.changed.notify_all()
        with self.changed:
            self.seqs.append(-1)
            self.changed.notify_all()

    def wait(self, seq, seconds):
        with self.changed:
            if not self.changed.wait_for(lambda: self.seqs and
                                         (self.seqs[-1] >= seq or self.seqs[-1] < 0), seconds):
                raise SystemExit(f"many.py: the stream never came to {seq}: {self.seqs[-5:]}")
            if self.seqs[-1] < 0:
                raise SystemExit("many.py: the stream broke off")
            if self.seqs != list(range(1, self.seqs[-1] + 1)):
                raise SystemExit(f"many.py: the stream has gaps: {self.seqs}")


def watch(a, b):
    game = Game(b).set_up()
    stream = Stream(a, game, game.seats["blue"])
    slowest = 0.0
    for i in range(20):
        seat = game.mover()
        listed = game.moves(seat)
        with ThreadPoolExecutor(1) as pool:
            poll = pool.submit(ask, a, "GET", f"{game.path}/events?after={listed['seq']}&wait=20",
                               game.seats["blue"])
            time.sleep(0.02)  # so that it waits in most rounds
            began = time.monotonic()
            move = listed["moves"][i * 5 % len(listed["moves"])]
            answer = game.note(must(200, game.move(seat, move)))
            stream.wait(answer["seq"], 10)
            events = must(200, poll.result())["events"]
            slowest = max(slowest, time.monotonic() - began)
        if [event["seq"] for event in events] != list(range(listed["seq"] + 1, answer["seq"] + 1)):
            raise SystemExit(f"many.py: the poll told {events}")
        # whoever knows of a seq must not be told that it is not so, whomever he asks
        for address in (a, b):
            seat = game.mover()
            status, body = ask(address, "POST", game.path + "/draw", game.seats[seat],
                               {"action": "decline"}, If_Match=f'"{answer["seq"]}"')
            if status != 409 or body["code"] != "wrong_status":
                raise SystemExit(f"many.py: told of seq {answer['seq']}: {status} {body}")
    # a seat that was taken here is known there at once
    for _ in range(20):
        fresh = Game(a, b)
        must(200, ask(a, "GET", fresh.path))
        must(200, ask(b, "GET", fresh.path))
        for address in (a, b):
            must(409, ask(address, "GET", fresh.path + "/setup", fresh.seats["red"]))
    game.end()
    print(f"20 moves seen on the other daemon, the slowest after {slowest * 1000:.0f} ms")


def late(a, b):
    games = [Game(a, b, answer_s=2) for _ in range(6)]
    for game in games:
        ask(a, "GET", game.path), ask(b, "GET", game.path)
    for game in games:
        until = time.monotonic() + 15
        while must(200, game.ask("GET", game.path))["status"] == "setup":
            if time.monotonic() > until:
                raise SystemExit("many.py: a term does not end")
            time.sleep(0.1)
        events = must(200, game.ask("GET", game.path + "/events"))["events"]
        if [event["type"] for event in events].count("timed_out") != 2:
            raise SystemExit(f"many.py: a term ended more than once: {events}")
        game.end()
    print(f"{len(games)} terms ended once each")


class Loader(threading.Thread):
    """Plays one game through whatever happens, half of it by each daemon."""

    def __init__(self, files, end, number):
        super().__init__()
        self.files, self.end, self.number = files, end, number
        self.answered = self.broken = 0
        self.fault = None

    def ask(self, *arguments, **headers):
        """Asks one daemon after another until one answers; a break tells nothing of a change."""
        for _ in range(400):
            self.number += 1
            try:
                address = open(self.files[self.number % len(self.files)]).read().strip()
                answer = ask(address, *arguments, **headers)
                if answer[0] != 503:
                    return answer
            except (OSError, http.client.HTTPException, ValueError):
                pass
            self.broken += 1
            time.sleep(0.01)
        raise SystemExit("many.py: nobody answers")

    def run(self):
        try:
            self.play()
        except BaseException as fault:
            self.fault = fault

    def play(self):
        class Survivor(Game):
            ask = lambda _, *arguments, **headers: self.ask(*arguments, **headers)
        start = time.monotonic()
        while not os.path.exists(self.end) and time.monotonic() < start + 60:
            game = Survivor.__new__(Survivor)
            # a credential whose answer is lost is lost, so the making of a game is asked by key
            game.addresses, game.tokens = (None,), set()
            made = must(201, self.ask("POST", "/v1/games", None,
                                      {"ruleset": "stratego", "options": {"first": "red"}},
                                      Idempotency_Key=uuid.uuid4().hex))
            game.id, game.path, game.seats = made["id"], "/v1/games/" + made["id"], {}
            for seat, held in made["seats"].items():
                game.seats[seat] = must(201, self.ask(
                    "POST", f"{game.path}/seats/{seat}", held["invite"], {},
                    Idempotency_Key=uuid.uuid4().hex))["credential"]
            for seat, body in SETUPS.items():
                game.note(must(200, self.ask("POST", game.path + "/setup", game.seats[seat], body,
                                             Idempotency_Key=uuid.uuid4().hex)))
            for _ in range(60):
                seat = game.mover()
                if not seat:
                    break
                listed = game.moves(seat)
                if not listed["moves"]:
                    continue  # one of the two answers was a notification late
                move = listed["moves"][self.number * 11 % len(listed["moves"])]
                game.note(must(200, game.move(seat, move, Idempotency_Key=uuid.uuid4().hex,
                                              If_Match=f'"{listed["seq"]}"')))
                self.answered += 1
                if os.path.exists(self.end):
                    break
            game.end()


def load(end, *rest):
    split = rest.index("--")
    loaders = [Loader(files, end, i * 1000) for i, files in enumerate(
        [rest[:split], rest[split + 1:], rest[:split] + rest[split + 1:]] * 2)]
    for loader in loaders:
        loader.start()
    for loader in loaders:
        loader.join()
    for loader in loaders:
        if loader.fault:
            raise loader.fault
    print(f"{sum(one.answered for one in loaders)} moves answered, "
          f"{sum(one.broken for one in loaders)} breaks felt")


def outage(a, b, folder):
    """`folder`/down appears when the database is gone, `folder`/up when it is back."""
    game = Game(a, b).set_up()
    streams = [Stream(address, game, game.seats["red"]) for address in (a, b)]
    seat = game.mover()
    listed = game.moves(seat)
    for stream in streams:
        stream.wait(listed["seq"], 10)
    open(folder + "/ready", "w").close()
    while not os.path.exists(folder + "/down"):
        time.sleep(0.01)
    for address in (a, b):
        for method, path, body in (("POST", "/moves", {"move": listed["moves"][0]}),
                                   ("GET", "", None)):
            answer = ask(address, method, game.path + path, game.seats[seat], body)
            if answer[0] != 503:
                raise SystemExit(f"many.py: without a database: {answer}")
        must(503, ask(address, "GET", "/readyz"))
        must(200, ask(address, "GET", "/healthz"))
    open(folder + "/asked", "w").close()
    while not os.path.exists(folder + "/up"):
        time.sleep(0.01)
    began = time.monotonic()
    while ask(a, "GET", "/readyz")[0] != 200 or ask(b, "GET", "/readyz")[0] != 200:
        if time.monotonic() > began + 20:
            raise SystemExit("many.py: it does not come back")
        time.sleep(0.02)
    while (answer := game.move(seat, listed["moves"][0]))[0] == 503:
        time.sleep(0.02)
    game.note(must(200, answer))
    for stream in streams:
        stream.wait(answer[1]["seq"], 16)
    game.end()
    print(f"back {time.monotonic() - began:.1f} s after the database")


def begin(a, file):
    game = Game(a).set_up()
    for i in range(6):
        seat = game.mover()
        game.note(must(200, game.move(seat, game.moves(seat)["moves"][i])))
    key = uuid.uuid4().hex
    seat = game.mover()
    move = game.moves(seat)["moves"][0]
    told = game.note(must(200, game.move(seat, move, Idempotency_Key=key)))
    json.dump([game.id, game.seats, list(game.tokens), key, seat, move, told], open(file, "w"))


def resume(a, file):
    game = Game.__new__(Game)
    game.addresses, game.turn = (a,), 0
    game.id, game.seats, tokens, key, seat, move, told = json.load(open(file))
    game.path, game.tokens = "/v1/games/" + game.id, set(tokens)
    if must(200, game.move(seat, move, Idempotency_Key=key)) != told:
        raise SystemExit("many.py: the kept answer has changed")
    for i in range(6):
        seat = game.mover()
        game.note(must(200, game.move(seat, game.moves(seat)["moves"][i])))
    print(f"a game went on and ended after {game.end()} events")


globals()["list_" if sys.argv[1] == "list" else sys.argv[1]](*sys.argv[2:])
