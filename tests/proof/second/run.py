"""second_verifier.sh's work: plays, verifies by both verifiers, changes, verifies again.

    run.py REFEREED URL FOLDER

The two must agree. With LENIENT=1 what the first is allowed to overlook is counted and told instead.
"""
import collections
import copy
import functools
import json
import os
import random
import re
import subprocess
import sys
import time
import types

ROOT = os.path.dirname(os.path.abspath(__file__)) + "/../../.."
sys.path[:0] = [os.path.join(ROOT, "docs/examples")]

import custody        # noqa: E402
import forge          # noqa: E402
import games          # noqa: E402
from verifier import ed25519, roquefort, seals, stratego   # noqa: E402
from verifier.record import verify                         # noqa: E402

# The same token stands in many records here; it is enough to look at its signature once.
ed25519.holds = functools.lru_cache(maxsize=None)(ed25519.holds)

REFEREED, URL, FOLDER = sys.argv[1:]
SEED = int(os.environ.get("SEED", random.randrange(10**6)))
CHANGES = int(os.environ.get("CHANGES", 75))
VERIFY = os.path.join(ROOT, "docs/examples/verify.py")

# What a referee is free to write, as far as a record tells: both verifiers must say the same of it.
FREE = {"iat", "name", "spectators", "options", "by"}

# What the second verifier finds and the daemon's does not look at: it replays deeds, and not who was allowed
# them.
LENIENT = re.compile("iat is no time|the seat is taken already|has nothing to set up now|could decline"
                     "|has offered already|offered has (a member|no) accepts|only the operator gives"
                     "|after another was shown|before all seats are taken|nobody sits at")
overlooked = collections.Counter()


def fail(words):
    sys.exit(f"SEED={SEED}: {words}")


def second(text, key=None):
    """Whether the second verifier takes it, and what it finds wrong."""
    found = []
    ok = verify(text.encode(), key, lambda ok, name, words: ok or found.append(f"{name}: {words}"))
    return ok, "; ".join(found)


def both(record, what, key=None):
    """Whether both take it; they must agree. And what the second says."""
    text = record if isinstance(record, str) else forge.text_of(record)
    path = os.path.join(FOLDER, "record.json")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    daemon = subprocess.Popen([REFEREED, "verify", path, *(["--key", key] if key else [])],
                              stdout=subprocess.PIPE, text=True)
    ok, words = second(text, key)
    said, _ = daemon.communicate()
    if daemon.returncode not in (0, 1):
        fail(f"{what}: refereed verify left with {daemon.returncode}")
    ours = daemon.returncode == 0
    if ours and not ok and os.environ.get("LENIENT") and (never_began(text) or LENIENT.search(words)):
        overlooked[re.sub("event [0-9]+: ", "", words)] += 1
    elif ok != ours:
        fail(f"{what}: the daemon's verifier says {ours}, the second {ok}: {words or said}")
    return ok, words


def never_began(text):
    """Of such a game the daemon's verifier reads the end alone."""
    try:
        return "referee" not in json.loads(text)["seeds"]
    except (ValueError, KeyError, TypeError):
        return False


def refuse(record, what, why=""):
    ok, words = both(record, what)
    if ok or why not in words:
        fail(f"{what}: it should be refused for `{why}` and is {'taken' if ok else 'refused for ' + words}")


# Games as they were

def good(records, key):
    ends = collections.Counter()
    for name, record in records:
        ok, words = both(record, name, key)
        if not ok:
            fail(f"{name} does not verify: {words}")
        ends[record["result"]["reason"]] += 1
    missing = {"hits", "flag", "dead", "no_move", "limit", "agreed", "resigned", "aborted"} - set(ends)
    if missing:
        fail(f"no game ended by {missing}")
    return ends


def commands(record, key):
    """The command itself: exit codes, standard input, keys."""
    path = os.path.join(FOLDER, "one.json")
    with open(path, "w", encoding="utf-8") as file:
        file.write(forge.text_of(record))
    wrong = forge.KEY
    for words, code in (([path], 0), ([path, "--key", key], 0), (["--key", record["keys"][0], path], 0),
                        (["-"], 0), ([path, "--key", wrong.id], 1), ([path, "--key", wrong.text], 1),
                        ([path, "--key", key[:-1]], 1), ([], 2), ([path, "--key"], 2),
                        ([path, "--key", "x"], 2), ([path, path], 2), ([path + "x"], 2), (["--help"], 2)):
        with open(path, "rb") as file:
            said = subprocess.run([sys.executable, "-B", VERIFY, *words], stdin=file, capture_output=True,
                                  text=True, check=False)
        if said.returncode != code or "Traceback" in said.stderr:
            fail(f"verify.py {words} left with {said.returncode}, not {code}: {said.stdout}{said.stderr}")
        if code == 1 and "BAD  pinned" not in said.stdout:
            fail(f"verify.py {words} does not say that the key is wrong: {said.stdout}")
    for pinned in (wrong.id, wrong.text):
        if both(record, "a wrong key", pinned)[0]:
            fail("any key will do")


# Games that were changed

def bytes_changed(records, chance, count):
    """One byte of the text; what the JSON says must be another then."""
    for _ in range(count):
        name, record = chance.choice(records)
        text = forge.text_of(record)
        place = chance.randrange(len(text))
        bad = text[:place] + chance.choice([c for c in '0aZ_"5}, ' if c != text[place]]) + text[place + 1:]
        try:
            if json.loads(bad) == record:
                continue
        except ValueError:
            pass
        refuse(bad, f"{name}, byte {place}")


def outside_changed(records, chance, count):
    """Something in the transcript that is no token."""
    for _ in range(count):
        name, record = chance.choice(records)
        rest = {member: value for member, value in record.items() if member not in ("events", "keys")}
        path, rest = forge.changed(rest, chance)
        refuse({**rest, "events": record["events"], "keys": record["keys"]}, f"{name}, {path}")


def claims_changed(records, chance, count):
    """One member of one event, linked and signed anew; what is opened at the end goes along with it."""
    for _ in range(count):
        name, record = chance.choice(records)
        claims = forge.claims_of(record)
        number = chance.choice([0, len(claims) - 1, *chance.choices(range(len(claims)), k=6)])
        was = claims[number]
        path, claims[number] = forge.changed(was, chance)
        if forge.tokens.same(was, claims[number]):
            continue
        what = f"{name}, event {number + 1}, {path}"
        bad = forge.forged(record, claims, link=path[0] not in ("seq", "prev"))
        ended = claims[-1]
        if path[0] == "result" and isinstance(ended.get("result"), dict):
            bad["result"] = ended["result"]
        if path[0] == "gid" and chance.random() < 0.5:
            bad["id"] = claims[number].get("gid")
        another_way = was["type"] == "moved" and path == ("to",)     # a scout may have run elsewhere as well
        another_way = another_way or path[0] == "combats"            # and a piece of the same rank have fought
        if path[0] in FREE or another_way or (path[0].endswith("commitment") and "referee" not in record["seeds"]):
            both(bad, what)
        else:
            refuse(bad, what)


def order_changed(records, chance, count):
    """An event left out, told twice or told too early. A draw that was not offered, or a seat that was not given
    anew, leaves a game that could have been; so they only must agree."""
    refused = 0
    for _ in range(count):
        name, record = chance.choice(records)
        claims = forge.claims_of(record)
        number = chance.randrange(1, len(claims) - 1) if len(claims) > 2 else 0
        how = chance.choice(["left out", "twice", "early"])
        if how == "left out":
            del claims[number]
        elif how == "twice":
            claims.insert(number, claims[number])
        else:
            claims[number - 1:number + 1] = reversed(claims[number - 1:number + 1])
        refused += not both(forge.forged(record, claims), f"{name}, event {number + 1} {how}")[0]
    return refused


# Moved evidence: what a referee that wants to cheat would try

class Missing(Exception):
    """Games at random do not have everything each time."""


def find(records, wanted):
    """The first record and event number for which `wanted(claims, number)` holds."""
    for name, record in records:
        claims = forge.claims_of(record)
        for number in range(len(claims)):
            if wanted(claims, number):
                return name, record, claims, number
    raise Missing("no game has what is looked for")


def a_card(records):
    """Two cards of a deck change places: in the commitments, the openings and the nonces."""
    name, record, claims, number = find(records, lambda claims, n: claims[n]["type"] == "round_started")
    record, round_ = copy.deepcopy(record), claims[number]["round"]
    gid, seed = forge.tokens.unbase64(record["id"]), bytes.fromhex(record["seeds"]["referee"])
    cards = [opening for opening in record["openings"] if opening["component"].startswith(f"card/{round_}/")]
    a = 24
    b = next(n for n in range(24) if cards[n]["face"] != cards[a]["face"])
    cards[a]["face"], cards[b]["face"] = cards[b]["face"], cards[a]["face"]
    claims[number]["commitments"] = [seals.card(gid, round_, n, card["face"], seed).hex()
                                     for n, card in enumerate(cards)]
    refuse(forge.forged(record, claims), f"a card of {name}",
           f"the cards of round {round_} are not those of the seeds")


def a_tile(records):
    name, record, claims, number = find(records, lambda claims, n: claims[n].get("tries"))
    record = copy.deepcopy(record)
    gid, seed = forge.tokens.unbase64(record["id"]), bytes.fromhex(record["seeds"]["referee"])
    tiles = record["openings"]
    b = next(n for n in range(1, 34) if tiles[n]["face"] != tiles[0]["face"])
    tiles[0]["face"], tiles[b]["face"] = tiles[b]["face"], tiles[0]["face"]
    symbols = "blank emmental gouda edam roquefort camembert cheddar brie trapdoor".split()
    claims[number]["commitments"] = [seals.tile(gid, n, symbols.index(tile["face"]), seed).hex()
                                     for n, tile in enumerate(tiles)]
    refuse(forge.forged(record, claims), f"a tile of {name}", "the tiles are not those of the seeds")


def a_piece(records):
    """A piece is another one at the end than it was at the start."""
    name, record, claims, number = find(records, lambda claims, n: claims[n].get("setups"))
    record = copy.deepcopy(record)
    red = [opening for opening in record["openings"] if opening["component"].startswith("red/")]
    b = next(n for n in range(1, len(red)) if red[n]["face"] != red[0]["face"])
    red[0]["face"], red[b]["face"] = red[b]["face"], red[0]["face"]
    refuse(forge.forged(record, claims), f"a piece of {name}", "the commitments of red do not fit what was opened")


def a_combat(records):
    name, record, claims, number = find(records, lambda claims, n: claims[n]["type"] == "combat")
    was = claims[number]["outcome"]
    claims[number]["outcome"] = "attacker_lost" if was != "attacker_lost" else "defender_lost"
    refuse(forge.forged(record, claims), f"a combat of {name}", f"event {number + 1}: combat: outcome is")


def a_starter(records):
    name, record, claims, number = find(records, lambda claims, n: claims[n]["type"] == "started"
                                        and claims[0]["options"]["first"] == "lot")
    seats = claims[0]["seats"]
    claims[number]["starter"] = seats[seats.index(claims[number]["starter"]) - 1]
    refuse(forge.forged(record, claims), f"the lot of {name}", "must begin")


def a_move(records):
    """One move too many, one too few: in the middle of a game of Stratego, where each event is a move."""
    def middle(claims, n):
        return claims[0]["ruleset"] == "stratego" and 20 < n < len(claims) - 3 and all(
            claim["type"] == "moved" for claim in claims[n - 2:n + 3])

    name, record, claims, number = find(records, middle)
    refuse(forge.forged(record, claims[:number] + claims[number + 1:]), f"a move of {name} left out",
           f"event {number + 1}: {claims[number + 1]['seat']} is not on turn")
    refuse(forge.forged(record, claims[:number] + [claims[number]] + claims[number:]), f"a move of {name} twice",
           f"event {number + 2}: {claims[number]['seat']} is not on turn")
    back = {**claims[number], "from": claims[number]["to"], "to": claims[number]["from"]}
    refuse(forge.forged(record, claims[:number + 1] + [back] + claims[number + 1:]), f"a move of {name} taken back",
           f"event {number + 2}: {back['seat']} is not on turn")


def a_result(records):
    name, record, claims, number = find(records, lambda claims, n: claims[n]["type"] == "ended"
                                        and claims[n]["result"]["winner"])
    record, seats = copy.deepcopy(record), claims[0]["seats"]
    winner = seats[seats.index(record["result"]["winner"]) - 1]
    claims[number]["result"] = record["result"] = {**record["result"], "winner": winner}
    refuse(forge.forged(record, claims), f"the winner of {name}", "ended: result is")
    again = {"type": "resigned", "typ": "event", "seat": winner}
    claims.insert(number, {**{member: claims[number][member] for member in ("gid", "iat")}, **again})
    refuse(forge.forged(record, claims), f"somebody resigns after {name}", "stands where ended must")


def a_text(records):
    """The same claims in another text: spaces, another order, a number with a point, a name twice."""
    name, record = records[0]
    claims = forge.claims_of(record)
    for text in (lambda claim: json.dumps(claim, sort_keys=True, ensure_ascii=False),
                 lambda claim: json.dumps(dict(reversed(claim.items())), separators=(",", ":"), ensure_ascii=False),
                 lambda claim: forge.tokens.compact(claim).replace('"seq":2,', '"seq":2.0,'),
                 lambda claim: forge.tokens.compact(claim).replace('"seq":2,', '"seq":2,"seq":2,')):
        refuse(forge.forged(record, claims, text=text), f"another text of {name}", "claims: ")


def a_custody(records):
    """A game is not to be told as one in another custody."""
    for ruleset in ("stratego", "engarde", "roquefort"):
        name, record, claims, _ = find(records, lambda claims, n: claims[0]["ruleset"] == ruleset)
        for custody in ("players", "table"):
            claims[0]["custody"] = custody
            refuse(forge.forged(record, claims), f"{custody} custody of {name}")


def in_custody(custody_, kind, wanted=lambda claim: True):
    return lambda claims, n: (claims[0]["custody"] == custody_ and claims[n]["type"] == kind
                              and wanted(claims[n]))


def what_players_opened(records):
    """Players' custody: a combat, an attack without its challenge, a claim, commitments and their squares."""
    name, record, claims, number = find(records, in_custody("players", "combat"))
    was = claims[number]["outcome"]
    claims[number]["outcome"] = "attacker_lost" if was != "attacker_lost" else "defender_lost"
    refuse(forge.forged(record, claims), f"a combat of {name}", "combat: outcome is")
    claims[number]["outcome"] = was
    del claims[number - 1]
    refuse(forge.forged(record, claims), f"a combat of {name} unchallenged", "comes after a challenge")
    for holds in (True, False):
        name, record, claims, number = find(records, in_custody("players", "claimed", lambda c: c["holds"] is holds))
        claims[number]["holds"] = not holds
        refuse(forge.forged(record, claims), f"a claim of {name}", "claimed: holds is")
    for member in ("commitments", "squares"):
        name, record, claims, number = find(records, in_custody("players", "started"))
        values = claims[number][member]["red"]
        values[0], values[1] = values[1], values[0]
        refuse(forge.forged(record, claims), f"{member} of {name} change places")
    name, record, claims, number = find(records, in_custody("players", "ended", lambda c: c["audit"] == "pending"))
    claims[number]["audit"] = "clean"
    refuse(forge.forged(record, claims), f"the audit of {name}", "ended: audit is")


def which_pieces_fought(records):
    """Combats alone: pieces that cannot have fought, or not so, and combats that nobody has seen."""
    name, record, claims, number = find(
        records, lambda claims, n: claims[0]["options"].get("told") and len(claims[n].get("combats", [])) > 3
        and all(len(pair) == 2 for pair in claims[n]["combats"]))
    faces = {opening["component"].split("/")[1]: opening["face"] for opening in record["openings"]}
    seats = [claim["seat"] for claim in claims if claim["type"] == "challenge"]
    outcomes = [claim["outcome"] for claim in claims if claim["type"] == "combat"]
    ended, pairs = claims[number], claims[number]["combats"]
    of = lambda seat, ranks: next(at for at, rank in faces.items() if rank in ranks
                                  and (int(at[1:]) <= 4) == (seat == "red"))

    def said(pairs_, why=""):
        refuse(forge.forged(record, [*claims[:-1], {**ended, "combats": pairs_}]), f"{pairs_} in {name}", why)

    said(pairs[:-1], "does not say which piece")
    said(pairs[:-1] + [pairs[-1][:1]], "does not say which piece")
    said([*pairs, [of("red", ["scout"])]])
    said([pair[::-1] for pair in pairs], "has no piece of")
    said([[of(seats[0], ["mine", "bomb"]), pairs[0][1]], *pairs[1:]], "attacks (ST-3)")
    said([[of(seats[0], ["flag"]), pairs[0][1]], *pairs[1:]], "attacks (ST-3)")
    said([["e5", pairs[0][1]], *pairs[1:]])
    said([["k1", pairs[0][1]], *pairs[1:]])
    said([[None, pairs[0][1]], *pairs[1:]])
    lost = 0 if outcomes[0] != "defender_lost" else 1     # what fell first fights again
    loser = seats[0] if lost == 0 else next(seat for seat in claims[0]["seats"] if seat != seats[0])
    at = next((n for n in range(1, len(pairs)) if (seats[n] == loser)), None)
    if at is not None:
        said([*pairs[:at], [pairs[0][lost], pairs[at][1]], *pairs[at + 1:]], "has no piece of")
    said(None)
    claims[0]["options"].pop("told")
    refuse(forge.forged(record, claims), f"{name} told as a game of moves")
    name, record, claims, number = find(
        records, lambda claims, n: claims[n].get("combats") and len(claims[n]["combats"][-1]) == 1)
    ended, pairs = claims[number], claims[number]["combats"]
    said(pairs[:-1])
    said([*pairs[:-1], [*pairs[-1], of("red", ["scout"])]])
    name, record, claims, number = find(
        records, lambda claims, n: claims[0]["ruleset"] == "stratego" and "referee" in record_of(records, claims)
        ["seeds"] and claims[n]["type"] == "ended" and "combats" not in claims[n])
    claims[number]["combats"] = []
    refuse(forge.forged(record, claims), f"combats of {name}, which has moves")


def record_of(records, claims):
    return next(record for _, record in records if record["id"] == claims[0]["gid"])


def who_cheated(records):
    """A cheat is hidden, somebody else's, or invented."""
    wanted = lambda claim: claim["audit"] == "cheat" and claim["result"]["reason"] == "cheat"
    name, record, claims, number = find(records, in_custody("players", "ended", wanted))
    was = claims[number]
    honest = {member: value for member, value in was.items() if member != "cheats"}
    loser = was["cheats"][0]["seat"]
    result = {"reason": "resigned", "ruling": None, "winner": loser}
    claims[number] = {**honest, "audit": "clean", "result": result}
    refuse({**forge.forged(record, claims), "result": result}, f"the cheat of {name} is hidden", "ended: ")
    other = "blue" if loser == "red" else "red"
    for cheats, winner in (([{**was["cheats"][0], "seat": other}], loser),
                           (was["cheats"] + [{**was["cheats"][0], "seat": other}], None), ([], other)):
        result = {**was["result"], "winner": winner}
        claims[number] = {**was, "cheats": cheats, "result": result}
        refuse({**forge.forged(record, claims), "result": result}, f"cheats of {name}: {cheats}", "ended: ")
    name, record, claims, number = find(records, in_custody("players", "ended", lambda c: c["audit"] == "clean"))
    result = {"reason": "cheat", "ruling": None, "winner": "blue"}
    cheats = [{"code": "moved_immobile", "seat": "red", "seq": number}]
    claims[number] = {**claims[number], "audit": "cheat", "cheats": cheats, "result": result}
    refuse({**forge.forged(record, claims), "result": result}, f"a cheat of {name} is invented", "ended: ")


def who_was_late(records):
    """Put out at once, before the term is over; and one of two who were late."""
    for reason in ("time", "void", "no_audit"):
        name, record, claims, number = find(records, lambda claims, n: claims[n]["type"] == "timed_out"
                                            and claims[-1]["result"]["reason"] == reason)
        for claim in claims:
            claim["iat"] = claims[0]["iat"]
        refuse(forge.forged(record, claims), f"too early: {name}", "before his term is over")
    name, record, claims, number = find(records, lambda claims, n: n + 1 < len(claims) and claims[n]["type"] ==
                                        claims[n + 1]["type"] == "timed_out"
                                        and claims[n]["iat"] == claims[n + 1]["iat"])
    del claims[number]
    refuse(forge.forged(record, claims), f"one late of {name}")


def what_was_said_at_the_table(records):
    """Real cards and tiles: what contradicts itself."""
    name, record, claims, number = find(     # not a hand that its owner has shown anew
        records, lambda claims, n: claims[n]["type"] == claims[n + 1]["type"] == "shown"
        and claims[n]["seat"] != claims[n + 1]["seat"] if n + 1 < len(claims) else False)
    cards = claims[number]["cards"]
    for changed in (cards[:-1], sorted(cards[:-1] + [cards[-1] % 5 + 1]), cards + [1], [0] + cards[1:]):
        claims[number]["cards"] = changed
        refuse(forge.forged(record, claims), f"cards shown in {name}")
    name, record, claims, number = find(records, in_custody("table", "hit", lambda c: c["ruling"] in ("EG-5", "EG-6")))
    claims[number]["ruling"] = "EG-6" if claims[number]["ruling"] == "EG-5" else "EG-5"
    refuse(forge.forged(record, claims), f"the ruling of a hit of {name}", "hit: ruling is")
    name, record, claims, number = find(records, in_custody("table", "ended", lambda c: "faces" in c))
    record, faces = copy.deepcopy(record), claims[number]["faces"]
    for face in ("trapdoor", "brie", None):
        bad = copy.deepcopy(record)
        faces[33] = face if face != claims[0]["options"]["spare"] else "gouda"
        bad["openings"] = [{"component": f"tile/{n}", "face": face} for n, face in enumerate(faces) if face]
        refuse(forge.forged(bad, claims), f"the spare of {name}")


def a_name(records):
    """A name that nobody may have given, or that is none."""
    for name, record in records:
        claims = forge.claims_of(record)
        places = [n for n, claim in enumerate(claims) if claim["type"] == "seat_renamed"]
        taken = {claim["seat"]: n for n, claim in enumerate(claims) if claim["type"] == "seat_taken"}
        if places and len(taken) > 1:
            break
    else:
        raise Missing("nobody is renamed")
    at, free = places[0], max(taken, key=taken.get)
    for change, why in (({"by": "host"}, "only the operator"), ({"by": None}, "only the operator"),
                        ({"name": "x" * 41}, "that is no name"), ({"name": "ž" * 21}, "that is no name"),
                        ({"name": ""}, "that is no name"), ({"name": 1}, "that is no name"),
                        ({"name": ["x"]}, "that is no name"), ({"seat": "nowhere"}, "names no seat"),
                        ({"seat": None}, "names no seat"), ({"old": "x"}, "has not the members")):
        refuse(forge.forged(record, [*claims[:at], {**claims[at], **change}, *claims[at + 1:]]),
               f"{change} of a renamed seat in {name}", why)
    for member in ("by", "name", "seat"):
        less = {key: value for key, value in claims[at].items() if key != member}
        refuse(forge.forged(record, [*claims[:at], less, *claims[at + 1:]]), f"a renamed seat without {member}")
    renamed = {**claims[at], "seat": free, "iat": claims[taken[free]]["iat"]}
    early, late = claims[:taken[free]], claims[taken[free]:]
    refuse(forge.forged(record, [*early, renamed, *late]), f"a free seat renamed in {name}", "nobody sits there")
    refuse(forge.forged(record, [*claims, {**renamed, "iat": claims[-1]["iat"]}]), f"renamed after {name}")
    for one in ("x" * 40, "another", None):     # what nobody can tell from the record: the referee's word
        said = [*claims[:at], {**claims[at], "name": one}, *claims[at + 1:]]
        if not both(forge.forged(record, said), f"another name in {name}")[0]:
            fail(f"a seat of {name} cannot be called {one}")


def a_seal(record):
    """Signed for another kind of token, under the footer of another key, or as only a lax verifier takes it."""
    claims = forge.claims_of(record)
    bad = forge.forged(record, claims)
    data = forge.tokens.compact(forge.claims_of(bad)[1]).encode()
    good = forge.tokens.unbase64(bad["events"][1]["token"].split(".")[2])
    more = int.from_bytes(good[-32:], "little") + ed25519.ORDER     # the same number, written longer
    for token in (forge.token(data, "receipt"), forge.token(data, "event", b'{"kid":"k4.pid.x"}'),
                  forge.token(data, "event", b""), forge.sealed(good[:-32] + more.to_bytes(32, "little")),
                  forge.sealed(data + ed25519.encode(ed25519.NEUTRAL) + bytes(32))):
        copied = copy.deepcopy(bad)
        copied["events"][1]["token"] = token
        refuse(copied, "a token of another kind")
    copied = copy.deepcopy(bad)
    copied["keys"].append(record["keys"][0])
    refuse(copied, "a key that has signed nothing", "signed nothing")


def written_down():
    """written.json: games of the castle that nobody has played, for an end that chance hardly brings about. The
    referee's seed deals as the game needs it; no seat gives one."""
    with open(os.path.join(os.path.dirname(__file__), "written.json"), encoding="utf-8") as file:
        games_ = json.load(file)
    for game in games_:
        gid, seed, seats = bytes([game["seed"] % 256]) * 16, game["seed"].to_bytes(32, "big"), game["seats"]
        replay = types.SimpleNamespace(
            gid=gid, referee_seed=seed, seats=seats, variant=game["variant"], options=game["options"],
            stream=lambda round_: seals.Stream(gid, round_, seed, [seals.NOTHING] * len(seats)))
        starter = seats[replay.stream(0).below(len(seats))]
        castle = roquefort.Castle(replay, starter)
        claims = [{"type": "created", "typ": "game", "ruleset": "roquefort", "variant": game["variant"],
                   "options": game["options"], "custody": "referee", "spectators": True, "seats": seats,
                   "seed_commitment": seals.referee_seed(gid, seed).hex()},
                  *({"type": "seat_taken", "seat": seat, "name": None, "seeds": False} for seat in seats),
                  {"type": "started", "typ": "commit", "starter": starter, **castle.started}, *game["events"],
                  {"type": "ended", "typ": "result", "audit": "clean", "result": game["result"],
                   "referee_seed": seed.hex()}]
        claims = [{"typ": "event", "iat": "2026-01-02T03:04:05Z", "gid": forge.tokens.tobase64(gid), **claim}
                  for claim in claims]
        record = {"format": "refereed-transcript/1", "id": forge.tokens.tobase64(gid), "secrets": {},
                  "seeds": {"referee": seed.hex(), "seats": {}}, "openings": castle.openings(),
                  "result": game["result"]}
        ok, words = both(forge.forged(record, claims), game["name"])
        if not ok:
            fail(f"{game['name']}: {words}")


def recorded_chases():
    """tests/vectors/isf-games: SC-7 refuses the last move of each, and no other."""
    with open(os.path.join(ROOT, "tests/vectors/isf-games/games.json"), encoding="utf-8") as file:
        recorded = json.load(file)
    for game in recorded:
        for chase in (True, False):
            options = {"two_square": 3, "more_square": chase, "ply_limit": 0, "quiet_limit": 0}
            replay = type("Replay", (), {"variant": game["variant"], "options": options})()
            board = stratego.Stratego(replay, "red")
            for seat, pieces in game["setup"].items():
                board.board.update((stratego.square(at), stratego.Piece(seat, rank)) for at, rank in pieces.items())
            refused = None
            for number, move in enumerate(game["moves"], 1):
                start, to = move[:2 + (move[2] == "0")], move[2 + (move[2] == "0"):]
                try:
                    board.act({"from": start, "to": to}, {})
                except forge.tokens.Bad as bad:
                    refused = number, str(bad)
                    break
            if refused != ((len(game["moves"]), "that move is barred by SC-7") if chase else None):
                fail(f"{game['source']}: {refused}")
    return len(recorded)


def main():
    started = time.time()
    chance = random.Random(SEED)
    with open(os.path.join(FOLDER, "operator/operator.token"), encoding="utf-8") as file:
        operator = file.read().strip()
    key = games.play.Referee(URL).call("GET", "/v1/keys")["keys"][0]["id"]
    records = games.all_of(URL, operator, SEED) + custody.all_of(URL, operator, SEED)
    played = time.time()
    ends = good(records, key)
    verified = time.time()
    commands(min((record for _, record in records), key=lambda record: len(record["events"])), key)
    recorded_chases()
    written_down()
    short = [(name, record) for name, record in records if len(record["events"]) < 100]
    began = [(name, record) for name, record in records if "referee" in record["seeds"]]
    for evidence in (a_card, a_tile, a_piece, a_combat, a_starter, a_move, a_result, a_text, a_custody,
                     what_players_opened, which_pieces_fought, who_cheated, what_was_said_at_the_table, a_name):
        try:
            evidence(began)
        except Missing as missing:
            print(f"{evidence.__name__}: {missing}")
    who_was_late(records)
    a_seal(short[0][1])
    bytes_changed(short, chance, CHANGES // 3)
    outside_changed(short, chance, CHANGES // 3)
    claims_changed(short, chance, CHANGES)
    refused = order_changed(short, chance, CHANGES // 3)
    print(f"played in {played - started:.0f} s, verified in {verified - played:.0f} s, "
          f"changed in {time.time() - verified:.0f} s")
    words = ", ".join(f"{count} {reason}" for reason, count in ends.most_common())
    with open(os.path.join(FOLDER, "said"), "w", encoding="utf-8") as file:
        file.write(f"{len(records)} games verify by both ({words}); {CHANGES * 5 // 3} changes were refused by both, "
                   f"or by neither; {refused} of {CHANGES // 3} events out of place were refused; "
                   f"{sum(overlooked.values())} were seen by the second alone\n")
    for words, count in overlooked.most_common():
        print(f"overlooked by the daemon's verifier: {count} x {words}")


if __name__ == "__main__":
    main()
