"""The checks of a whole transcript, one after the other: docs/protocol.md, "How to verify"."""
import datetime
import re

from . import seals
from .replay import Replay
from .tokens import Bad, Key, Token, need, parse, same, unbase64, unhex

FORMAT = "refereed-transcript/1"
MEMBERS = {"format", "id", "keys", "events", "seeds", "secrets", "openings", "result"}
CHAIN = {"gid", "iat", "prev", "seq", "typ"}
TYPS = {"created": "game", "started": "commit", "round_started": "commit", "ended": "result"}


class Transcript:
    """What each check leaves for the next."""

    def __init__(self, data, pinned=None):
        self.data, self.pinned = data, pinned
        self.whole = None     # the transcript as JSON
        self.gid = None       # 16 bytes
        self.keys = []        # of tokens.Key
        self.tokens = []      # of tokens.Token, in order
        self.replay = None    # replay.Replay

    def checks(self):
        """Names, what to do, and the names of those that it rests on."""
        return [
            ("format", self.format, ()),
            ("keys", self.read_keys, ("format",)),
            ("pinned", self.pin, ("keys",)),
            ("claims", self.read_tokens, ("format",)),
            ("signatures", self.signatures, ("keys", "claims")),
            ("chain", self.chain, ("claims",)),
            ("beginning", self.beginning, ("chain",)),
            ("seeds", self.seeds, ("beginning",)),
            ("chance", self.chance, ("seeds",)),
            ("commitments", self.commitments, ("chance",)),
            ("play", self.play, ("commitments",)),
            ("openings", self.openings, ("play",)),
            ("result", self.result, ("play",)),
        ]

    # What is written down

    def format(self):
        whole = self.whole = parse(self.data)
        need(isinstance(whole, dict) and whole.get("format") == FORMAT, f"this is no {FORMAT}")
        need(set(whole) == MEMBERS, f"the members are not {', '.join(sorted(MEMBERS))}")
        self.gid = unbase64(whole["id"])
        need(len(self.gid) == 16, "the id is not 16 bytes")
        need(isinstance(whole["events"], list) and len(whole["events"]) >= 2, "there are no events")
        for number, event in enumerate(whole["events"], 1):
            need(isinstance(event, dict) and set(event) == {"seq", "token"} and same(event["seq"], number),
                 f"event {number} has not that seq and a token")
        seeds = whole["seeds"]
        need(isinstance(seeds, dict) and set(seeds) <= {"referee", "seats"}
             and isinstance(seeds.get("seats"), dict) and isinstance(whole["secrets"], dict)
             and isinstance(whole["openings"], list), "seeds, secrets or openings have not their form")
        return FORMAT

    def read_keys(self):
        texts = self.whole["keys"]
        need(isinstance(texts, list) and texts, "no key is named")
        self.keys = [Key(text) for text in texts]
        need(len({key.id for key in self.keys}) == len(texts), "a key is named twice")
        return ", ".join(key.id for key in self.keys)

    def pin(self):
        """A key that comes with the record proves nothing about who signed."""
        if self.pinned is None:
            return "no key was given: compare the one above with one that you trust, or give it with --key"
        for key in self.keys:
            need(self.pinned in (key.id, key.text), f"{key.id} is not the key that was asked for")
        return "the key that was asked for"

    def read_tokens(self):
        for event in self.whole["events"]:
            try:
                self.tokens.append(Token(event["token"]))
            except Bad as bad:
                raise Bad(f"event {event['seq']}: {bad}") from None
        return f"{len(self.tokens)} tokens, each with its claims in their one form"

    def signatures(self):
        used = set()
        for number, token in enumerate(self.tokens, 1):
            by = [key for key in self.keys if token.signed_by(key)]
            need(by, f"event {number}: no named key has signed it, with that footer and typ")
            used.add(by[0].id)
        need(len(used) == len(self.keys), "a key is named that has signed nothing")
        return f"all {len(self.tokens)} hold"

    def chain(self):
        link, last = bytes(32), len(self.tokens)
        for number, token in enumerate(self.tokens, 1):
            claims, where = token.claims, f"event {number}: "
            need(CHAIN | {"type"} <= set(claims), where + "gid, iat, prev, seq, typ or type is missing")
            need(claims["gid"] == self.whole["id"], where + "it belongs to another game")
            need(same(claims["seq"], number), where + "its seq is another")
            need(claims["prev"] == link.hex(), where + "prev is not the link of the event before")
            need(isinstance(claims["type"], str), where + "it has no type")
            typ = claims["typ"]
            need(typ == TYPS.get(claims["type"], "event"), where + f"typ is not that of {claims['type']}")
            need((number == 1) == (typ == "game"), where + "created is the first event, and no other")
            need((number == last) == (typ == "result"), where + "ended is the last event, and no other")
            need(a_time(claims["iat"]), where + "iat is no time")
            link = seals.link(token.data)
        return f"{last} events, each linked to the one before"

    # What happened

    def beginning(self):
        claims = [token.claims for token in self.tokens]
        bodies = [{name: value for name, value in claim.items() if name not in CHAIN} for claim in claims]
        self.replay = Replay(self.gid, bodies, [claim["iat"] for claim in claims])
        return self.replay.beginning()

    def seeds(self):
        replay, seeds = self.replay, self.whole["seeds"]
        given = {seat: seed.hex() for seat, seed in replay.revealed.items()}
        need(same(seeds["seats"], given), "the seats' seeds are not those of the record")
        if not replay.has_begun:
            need("referee" not in seeds and not self.whole["secrets"],
                 "it never began, and yet something is opened")
            return "each fits its commitment; the referee's stays closed, for the game never began"
        ended = replay.bodies[-1]
        seed = unhex(ended.get("referee_seed"), "the referee's seed")
        need(seeds.get("referee") == ended["referee_seed"], "the referee's seed is not the one of `ended`")
        need(seals.referee_seed(self.gid, seed) == replay.seed_commitment,
             "the referee's seed does not fit its commitment")
        need(same(self.whole["secrets"], ended.get("secrets", {})), "the secrets are not those of `ended`")
        replay.referee_seed = seed
        return f"the referee's and {len(given)} of {len(replay.seats)} seats' fit their commitments"

    def chance(self):
        if not self.replay.has_begun:
            return "the game was over before it began"
        return self.replay.chance()

    def commitments(self):
        if not self.replay.has_begun:
            return "the game was over before it began"
        return self.replay.game.commitments(self.whole, self.replay.bodies)

    def play(self):
        return self.replay.play()

    def openings(self):
        """All faces, in order; Stratego's were read from here and held against the commitments."""
        should = self.replay.game.openings() if self.replay.has_begun else []
        found = self.whole["openings"]
        need(len(found) == len(should), f"there are {len(found)} openings and not {len(should)}")
        for opening, expected in zip(found, should):
            need(same(opening, expected), f"{expected['component']} is not opened as it lay")
        return f"{len(should)}, all that there are"

    def result(self):
        need(same(self.whole["result"], self.replay.result), "the result is not the one that the game gives")
        result = self.replay.result
        ruling = f" ({result['ruling']})" if result["ruling"] else ""
        return f"{result['winner'] or 'nobody'} has won: {result['reason']}{ruling}"


def a_time(text):
    if not isinstance(text, str) or not re.fullmatch("[0-9]{4}(-[0-9]{2}){2}T([0-9]{2}:){2}[0-9]{2}Z", text):
        return False
    try:
        datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ")
    except ValueError:
        return False
    return True


def verify(data, pinned, say):
    """Runs all checks on the bytes of a transcript; `say(ok, name, words)` hears of each. Whether all is well."""
    done, checks = set(), Transcript(data, pinned).checks()
    for name, check, rests_on in checks:
        if not done.issuperset(rests_on):
            continue
        try:
            words = check()
        except Bad as bad:
            say(False, name, str(bad))
            continue
        except (TypeError, ValueError, LookupError, AttributeError, RecursionError) as error:
            say(False, name, f"something has not its form ({type(error).__name__}: {error})")
            continue
        done.add(name)
        say(True, name, words)
    return len(done) == len(checks)
