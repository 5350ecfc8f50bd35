#!/usr/bin/env python3
"""Faults of the machine against a running daemon: see faults.sh.

    faults.py WHAT ADDRESS [PID] [FILE...]

Each of them has the same promise: whoever asks is told 503 or 507 or what he asked for, the game
is as it was or one move on, what was answered stays, and the service goes on when the fault has
passed. Prints one line of what was seen; leaves with 1 and says why if something is otherwise.
"""
import http.client, json, mmap, os, random, resource, signal, socket, struct, sys, threading, time

WRITE, SYNC, TRUNCATE, OPEN, MEMORY = range(5)
EIO, ENOSPC, EMFILE, ENOMEM, EDQUOT = 5, 28, 24, 12, 122
KIND = {"ruleset": "roquefort", "options": {"first": "yellow"}}


def bad(words):
    sys.exit(f"faults.py {sys.argv[1]}: {words}")


class Shim:
    """The switches of tests/system/faulty.c."""

    def __init__(self, path):
        with open(path, "r+b") as file:
            self.map = mmap.mmap(file.fileno(), 4096)

    def put(self, at, number):
        struct.pack_into("i", self.map, 4 * at, number)

    def get(self, at):
        return struct.unpack_from("i", self.map, 4 * at)[0]

    def arm(self, kind, after, error, count=1):
        self.put(4 * kind + 1, 0)
        self.put(4 * kind, after)
        self.put(4 * kind + 2, error)
        self.put(4 * kind + 3, 0)
        self.put(4 * kind + 1, count)

    def disarm(self, kind):
        """How often it has failed."""
        self.put(4 * kind + 1, 0)
        return self.get(4 * kind + 3)

    def every(self, n):
        self.put(4 * 5, n)

    def clock(self, seconds):
        self.put(4 * 5 + 2, seconds)


class Client:
    """Asks, and knows which answers there may be. `cut`: the connection may break off, too."""

    def __init__(self, address):
        self.address = address
        self.wire = None
        self.cut = False
        self.failed = {}

    def ask(self, method, path, credential=None, body=None, key=None):
        """Status and answer; 0 if there was none."""
        headers = {"Content-Type": "application/json"}
        if credential:
            headers["Authorization"] = "Bearer " + credential
        if key:
            headers["Idempotency-Key"] = key
        try:
            if not self.wire:
                self.wire = http.client.HTTPConnection(self.address, timeout=20)
            self.wire.request(method, "/v1/games" + path, None if body is None else json.dumps(body), headers)
            answer = self.wire.getresponse()
            text = answer.read()
        except (OSError, http.client.HTTPException) as error:
            if self.wire:
                self.wire.close()
            self.wire = None
            if not self.cut:
                bad(f"{method} {path}: {error!r}")
            return 0, {}
        if answer.status >= 500:
            self.failed[answer.status] = self.failed.get(answer.status, 0) + 1
            code = {503: "unavailable", 507: "storage_full"}.get(answer.status)
            try:
                right = json.loads(text)["code"] == code
            except (ValueError, KeyError):
                right = False
            if not right or not answer.headers["Retry-After"]:
                bad(f"{method} {path}: {answer.status} {dict(answer.headers)} {text[:200]}")
            return answer.status, {}
        return answer.status, json.loads(text) if text else {}

    def good(self, *request):
        """What must succeed, now or soon."""
        until = time.monotonic() + 15
        while True:
            status, answer = self.ask(*request)
            if 0 < status < 300:
                return answer
            if 0 < status < 500 or time.monotonic() > until:
                bad(f"{request[:2]}: {status} {answer}")
            time.sleep(0.01)


class Game:
    """One game, played by one program that knows what it was told."""

    made = 0
    over = 0  # events told of games before, that came to their end

    def __init__(self, client, kind=KIND):
        self.client, self.kind = client, kind
        self.keys = 0
        self.begin()

    def begin(self):
        client, kind = self.client, self.kind
        Game.made += 1
        made = client.good("POST", "", None, kind, f"a-long-key-for-a-game-{os.getpid()}-{Game.made}-{time.time()}")
        self.id = made["id"]
        self.seats = {}
        for seat, given in made["seats"].items():
            key = f"a-long-key-for-a-seat-{self.id}-{seat}"
            self.seats[seat] = client.good("POST", f"/{self.id}/seats/{seat}", given["invite"], {}, key)["credential"]
        self.told, self.tokens = {}, {}
        self.next = None
        self.look()

    def look(self):
        self.view = self.client.good("GET", f"/{self.id}")
        self.seq = self.view["seq"]

    def hear(self, answer):
        for event in answer.get("events", []):
            self.told[event["seq"]] = {k: v for k, v in event.items() if k not in ("openings", "token", "receipt")}
        if answer.get("token"):
            self.tokens[answer["seq"]] = answer["token"]
        self.seq = answer["seq"]

    def choose(self):
        """Settles on a move, which is the same until it is made."""
        if self.next:
            return
        self.look()
        if not self.view["to_act"]: # played to its end: the next one
            if self.view["status"] != "over":
                bad(f"nobody is to act: {self.view}")
            self.over = self.check()
            self.begin()
            self.choose()
            return
        seat = self.view["to_act"][0]
        moves = self.client.good("GET", f"/{self.id}/moves", self.seats[seat])["moves"]
        self.keys += 1
        self.next = (self.seats[seat], {"move": random.choice(moves)}, f"move-{self.id}-{self.keys}")

    def move(self):
        """One try; its status, 0 for no answer."""
        self.choose()
        credential, body, key = self.next
        status, answer = self.client.ask("POST", f"/{self.id}/moves", credential, body, key)
        if 0 < status < 300:
            self.hear(answer)
            self.next = None
        elif 0 < status < 500:
            bad(f"move {body}: {status} {answer}")
        return status

    def must_move(self, within=15):
        until = time.monotonic() + within
        while not 0 < self.move() < 300:
            if time.monotonic() > until:
                bad("the service does not go on")
            time.sleep(0.01)

    def check(self):
        """All that was told is there, and as it was told."""
        after, events = 0, {}
        while True:
            page = self.client.good("GET", f"/{self.id}/events?after={after}&tokens=1")
            for event in page["events"]:
                events[event["seq"]] = event
            if not page["events"]:
                break
            after = page["next"]
        if sorted(events) != list(range(1, len(events) + 1)):
            bad(f"{self.id} has events {sorted(events)}")
        for seq, told in self.told.items():
            found = {k: v for k, v in events.get(seq, {}).items() if k not in ("openings", "token", "receipt")}
            if told != found:
                bad(f"{self.id}: event {seq} was told as {told}, and is {found}")
        for seq, token in self.tokens.items():
            if events[seq]["token"] != token:
                bad(f"{self.id}: the token of event {seq} is another one")
        return self.over + len(self.told)


def sweep(shim, client, game, kind, error, status, most):
    """The n-th call fails, for n from 0; how many answers were failures."""
    seen = 0
    for n in range(most):
        game.choose()
        before = game.seq
        shim.arm(kind, n, error)
        got = game.move()
        fired = shim.disarm(kind)
        if got >= 500:
            seen += 1
            if got != status or not fired:
                bad(f"call {n} of kind {kind} fails with {error}: answered {got}, {fired} failed")
            game.look()
            if game.seq < before:
                bad(f"the game went back from {before} to {game.seq}")
        game.must_move()
    return seen


def lasting(shim, client, game, kind, error, status):
    """Everything fails for a while: changes are refused, the game can be looked at."""
    game.choose()
    before = game.seq
    shim.arm(kind, 0, error, 1 << 30)
    for _ in range(5):
        got = game.move()
        if got != status:
            bad(f"kind {kind} fails with {error}: answered {got}, not {status}")
        got, view = client.ask("GET", f"/{game.id}")
        if got != 200 or view["seq"] != before:
            bad(f"kind {kind} fails with {error}: the view is {got} {view.get('seq')}, before {before}")
    if not shim.disarm(kind):
        bad("nothing failed")
    game.must_move()


def disk(address, pid, path):
    shim, client = Shim(path), Client(address)
    game = Game(client)
    seen = [sweep(shim, client, game, WRITE, EIO, 503, 12), sweep(shim, client, game, WRITE, ENOSPC, 507, 12),
            sweep(shim, client, game, WRITE, EDQUOT, 507, 4), sweep(shim, client, game, SYNC, EIO, 503, 3),
            sweep(shim, client, game, TRUNCATE, EIO, 503, 2), sweep(shim, client, game, OPEN, EMFILE, 503, 2)]
    if not seen[0] or not seen[1] or not seen[3]:
        bad(f"nothing has failed: {seen}")
    lasting(shim, client, game, WRITE, EIO, 503)
    lasting(shim, client, game, WRITE, ENOSPC, 507)
    lasting(shim, client, game, SYNC, EIO, 503)
    print(f"writes, syncs and more failed: {sum(seen)} single ones, three for a while; {game.check()} events told")


def memory(address, pid, path):
    shim, client = Shim(path), Client(address)
    client.cut = True
    games = [Game(client), Game(client, {"ruleset": "engarde", "options": {"hits_to_lose": 9}})]
    for n in [1000, 300, 150, 60, 25, 7, 3, 1]:
        for game in games:
            game.choose()
        shim.every(n)
        until = time.monotonic() + 0.4
        while time.monotonic() < until:
            for game in games:
                credential, body, key = game.next or (None, None, None)
                if not key: # chosen without the luck of good()
                    status, view = client.ask("GET", f"/{game.id}")
                    if status == 200 and view["to_act"]:
                        status, list = client.ask("GET", f"/{game.id}/moves", game.seats[view["to_act"][0]])
                        if status == 200 and list["moves"]:
                            game.keys += 1
                            game.next = (game.seats[view["to_act"][0]], {"move": random.choice(list["moves"])},
                                         f"move-{game.id}-{game.keys}")
                    elif status not in (0, 200, 503):
                        bad(f"GET is answered {status} with each {n}-th allocation failing")
                elif not game.move():
                    time.sleep(0.002)
        shim.every(0)
        for game in games:
            game.must_move()
    for n in range(250): # one that fails, wherever it may be
        shim.arm(MEMORY, n, ENOMEM)
        status = games[0].move() if games[0].next else client.ask("GET", f"/{games[0].id}")[0]
        shim.disarm(MEMORY)
        if status and status >= 400 and status != 503:
            bad(f"allocation {n} fails: {status}")
        games[0].choose()
    client.cut = False
    told = sum(game.check() for game in games)
    if not client.failed.get(503):
        bad("nothing has failed")
    print(f"out of memory: {client.failed[503]} times 503; {told} events told")


def clock(address, pid, path):
    shim, client = Shim(path), Client(address)
    game = Game(client)
    for hours in [0, 3, -3, 30 * 24, 0, -400 * 24, 0, 1]:
        shim.clock(3600 * hours)
        for _ in range(3):
            if not 0 < game.move() < 300:
                bad(f"{hours} hours off: no move")
        time.sleep(0.6) # a tick, which looks for terms that have run out
    shim.clock(0)
    print(f"the clock went back and forth; {game.check()} events told")


def file_size(address, pid):
    """The store may not grow: the limit of a file's size is where it is now."""
    client = Client(address)
    game = Game(client)
    pid = int(pid)
    for _ in range(3):
        soft, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (1024, hard))
        game.choose()
        before = game.seq
        for _ in range(4):
            if game.move() != 507:
                bad("a move is answered over the limit")
        game.look()
        if game.seq != before:
            bad("the game is not as it was")
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (soft, hard))
        game.must_move()
    print(f"limit of file size: {client.failed[507]} times 507; {game.check()} events told")


def full(address, pid, folder):
    """The file system is full: a file of the test's fills it."""
    client = Client(address)
    game = Game(client)
    filler = os.path.join(folder, "filler")
    seen = 0
    for _ in range(3):
        with open(filler, "wb", buffering=0) as file:
            size = 1 << 16
            while size:
                try:
                    if file.write(b"x" * size) < size:
                        size //= 2
                except OSError:
                    size //= 2
        for _ in range(400): # there is some room left in the log of the store
            if game.move() == 507:
                break
        else:
            bad("a full disk is never felt")
        before = game.seq
        for _ in range(4):
            seen += game.move() == 507
        game.look()
        if game.seq != before:
            bad("the game is not as it was")
        os.unlink(filler)
        game.must_move()
    if not seen:
        bad("a full disk is not felt for long")
    print(f"disk full: {client.failed[507]} times 507; {game.check()} events told")


def descriptors(address, pid):
    """No more descriptors: who is connected is served, others are when there are some again."""
    client = Client(address)
    game = Game(client)
    pid = int(pid)
    host, port = address.rsplit(":", 1)
    before = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    open_now = len(os.listdir(f"/proc/{pid}/fd"))
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (open_now + 8, before[1]))
    crowd = []
    for _ in range(60):
        one = socket.socket()
        one.settimeout(2)
        try:
            one.connect((host, int(port)))
        except OSError:
            pass
        crowd.append(one)
    for _ in range(20):
        game.must_move()
    for one in crowd:
        one.close()
    game.must_move()
    late = Client(address)
    late.cut = True
    for _ in range(10):
        late.good("GET", f"/{game.id}")
    resource.prlimit(pid, resource.RLIMIT_NOFILE, before)
    late.good("GET", f"/{game.id}")
    print(f"descriptors: 60 connections for 8; {game.check()} events told")


def load(address_file, stop, ledger, moving, threads="4"):
    """Plays over restarts and kills until the file `stop` is there, and writes down each event and
    token that it was told: `check` holds the store against it. `moving` is a file that has
    something in it once there is something to lose."""
    told = []

    def address():
        with open(address_file) as file:
            return file.read().strip()

    def one():
        client = Client(address())
        client.cut = True
        games = []
        while not os.path.exists(stop):
            client.address = address()
            if not games or len(games[-1].told) > 60:
                games.append(Game(client))
                told.append(games[-1])
            game = games[-1]
            if not game.next:
                status, view = client.ask("GET", f"/{game.id}")
                if status != 200:
                    time.sleep(0.01)
                    continue
                if not view["to_act"]:
                    games.append(Game(client))
                    told.append(games[-1])
                    continue
                seat = view["to_act"][0]
                status, list = client.ask("GET", f"/{game.id}/moves", game.seats[seat])
                if status != 200 or not list["moves"]:
                    continue
                game.keys += 1
                game.next = (game.seats[seat], {"move": random.choice(list["moves"])}, f"move-{game.id}-{game.keys}")
            if not game.move():
                time.sleep(0.01)
            elif game.tokens and not os.path.exists(moving):
                with open(moving, "w") as file:
                    file.write("yes")

    workers = [threading.Thread(target=worker, args=(one,), daemon=True) for _ in range(int(threads))]
    for each in workers:
        each.start()
    for each in workers:
        each.join()
    if wrong:
        sys.exit(1)
    with open(ledger, "w") as file:
        json.dump([{"id": game.id, "told": game.told, "tokens": game.tokens} for game in told], file)


wrong = []


def worker(run):
    try:
        run()
    except SystemExit as error:
        wrong.append(error)
        print(error, file=sys.stderr)
        os._exit(1)


def check(address, ledger):
    client = Client(address)
    with open(ledger) as file:
        games = json.load(file)
    events = tokens = 0
    for kept in games:
        game = Game.__new__(Game)
        game.client, game.id = client, kept["id"]
        game.told = {int(seq): event for seq, event in kept["told"].items()}
        game.tokens = {int(seq): token for seq, token in kept["tokens"].items()}
        events += game.check()
        tokens += len(game.tokens)
    if not tokens:
        bad("no token was ever told")
    print(f"{len(games)} games, {events} events and {tokens} tokens told, all there")


def signals(address, pid):
    """Signals that mean nothing to it, or little, while it works."""
    client = Client(address)
    game = Game(client)
    for _ in range(25):
        for name in ("SIGHUP", "SIGPIPE", "SIGXFSZ", "SIGUSR1", "SIGUSR2", "SIGCONT"):
            os.kill(int(pid), getattr(signal, name))
            game.must_move() if random.random() < 0.2 else None
    print(f"signals: 150 of them; {game.check()} events told")


if __name__ == "__main__":
    random.seed(int(os.environ.get("SEED", "1")))
    {"disk": disk, "memory": memory, "clock": clock, "file_size": file_size, "full": full, "descriptors": descriptors,
     "load": load, "check": check, "signals": signals}[sys.argv[1]](*sys.argv[2:])
