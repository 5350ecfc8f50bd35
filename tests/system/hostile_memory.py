"""What is left in the daemon's memory of what it was sent, once it was answered.

    hostile_memory.py HOST:PORT PID

Plays a game of Stratego, and looks for its canaries in all writable memory of the process.
"""
import base64
import hashlib
import http.client
import json
import re
import sys
import time

address, pid = sys.argv[1:3]
RANKS = ("flag spy scout miner gunner corporal cadet captain general marshal mine").split()
COUNTS = (1, 1, 8, 6, 5, 4, 3, 2, 1, 1, 8)
canaries = {}


held = []  # connections that stay open keep what they were last sent, unless it is wiped


def ask(method, path, credential=None, body=None):
    line = http.client.HTTPConnection(address, timeout=20)
    headers = {"Content-Type": "application/json"}
    if credential:
        headers["Authorization"] = "Bearer " + credential
    if len(held) % 2:
        headers["Connection"] = "close"
    line.request(method, path, None if body is None else json.dumps(body), headers)
    held.append(line)
    return json.loads(line.getresponse().read())


def memory():
    """All that can be written, in pieces that are read at once."""
    with open(f"/proc/{pid}/maps") as maps, open(f"/proc/{pid}/mem", "rb", 0) as mem:
        for row in maps:
            start, end, rights = re.match(r"([0-9a-f]+)-([0-9a-f]+) (\S+)", row).groups()
            size = int(end, 16) - int(start, 16)
            if "rw" not in rights or "[v" in row or size > 1 << 33:  # AddressSanitizer's tables are terabytes
                continue
            mem.seek(int(start, 16))
            try:
                yield row.split()[-1], mem.read(size)
            except OSError:
                continue


def found():
    left = {}
    for where, piece in memory():
        for name, needle in canaries.items():
            if needle in piece:
                left[name] = where
    return left


try:
    open(f"/proc/{pid}/mem", "rb").close()
except PermissionError:
    print("the memory of a process that cannot be dumped is its owner's alone")
    sys.exit(0)

game = ask("POST", "/v1/games", None, {"ruleset": "stratego"})
path = f"/v1/games/{game['id']}"
gid = base64.urlsafe_b64decode(game["id"] + "==")
seats = {}
for number, (seat, given) in enumerate(game["seats"].items()):
    seed = hashlib.sha256(b"seed" + seat.encode() + gid).digest()
    commit = hashlib.blake2b(b"refereed/pseed/1" + gid + bytes([0, number]) + seed,
                             digest_size=32).hexdigest()
    seats[seat] = ask("POST", f"{path}/seats/{seat}", given["invite"],
                      {"seed_commit": commit})["credential"]
    canaries[f"the invite of {seat}"] = given["invite"][4:].encode()
    canaries[f"the credential of {seat}"] = seats[seat][4:].encode()
    canaries[f"the credential of {seat}, its bytes"] = base64.urlsafe_b64decode(seats[seat][4:] + "=")
for seat, credential in seats.items():
    seed = hashlib.sha256(b"seed" + seat.encode() + gid).hexdigest()
    ask("POST", f"{path}/seeds", credential, {"seed": seed})
for side, (seat, credential) in enumerate(seats.items()):
    pieces, slot = {}, 0
    for rank, count in zip(RANKS, COUNTS):
        for _ in range(count):
            column, row = slot % 10, slot // 10
            square = f"{'abcdefghij'[column]}{row + 1}" if side == 0 else \
                f"{'jihgfedcba'[column]}{10 - row}"
            pieces[square] = rank
            slot += 1
    done = ask("POST", f"{path}/setup", credential, {"pieces": pieces})
    canaries[f"the set-up of {seat}, as it was sent"] = json.dumps(pieces)[20:80].encode()
    canaries[f"the secret of {seat}, as it was told"] = done["secret"].encode()
canaries["the host's credential"] = game["host"][4:].encode()
view = ask("GET", path, seats["red"])
if view["status"] != "playing" or view["you"] != "red":
    sys.exit(f"the game is not played: {view['status']}")
# What must be there: the daemon's own name, or nothing is found because nothing is read.
canaries["counter-check"] = gid
time.sleep(0.5)
left = found()
if "counter-check" not in left:
    sys.exit("the search does not find the id of the game, which is in memory")
del left["counter-check"]
if left:
    sys.exit("\n".join(f"{name} is left in {where}" for name, where in sorted(left.items())))
print(f"{len(canaries) - 1} canaries, none of them left in memory")
