"""Asks `refereed judge` and a daemon about recorded games: judge.py REFEREED URL FOLDER."""
import json
import re
import subprocess
import sys
import urllib.error
import urllib.request

refereed, url, folder = sys.argv[1:]
FORMS = ("notation", "json", "gsn", "xml")
NAMES = ("bomb", "spy", "scout", "miner", "sergeant", "lieutenant", "captain", "major", "colonel",
         "general", "marshal", "flag")
bad = []


def judge(text, *flags):
    """Exit status, what was said, what was written."""
    data = text if isinstance(text, bytes) else text.encode()
    run = subprocess.run([refereed, "judge", "-", *flags], input=data, capture_output=True,
                         timeout=60)
    said = run.stderr if flags or run.returncode == 2 else run.stdout
    return run.returncode, said.decode(), run.stdout.decode()


def ask(record):
    body = json.dumps({"record": record}).encode()
    request = urllib.request.Request(url + "/v1/adjudicate", body,
                                     {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as problem:
        return json.load(problem)


def expect(what, got, wanted):
    if got != wanted:
        bad.append(f"{what}: {got!r}, not {wanted!r}")


def letters(side, pieces):
    out, first = ["A"] * 40, 0 if side == "red" else 60
    for square, rank in pieces.items():
        at = (int(square[1:]) - 1) * 10 + ord(square[0]) - ord("a") - first
        out[at] = chr(ord("B" if side == "red" else "N") + NAMES.index(rank))
    return "".join(out)


def squares(move):
    return re.fullmatch(r"([a-j]\d+)([a-j]\d+)", move).groups()


def recorded(game, chase):
    lines = [f"game stratego {game['variant']}", "option two_square 3",
             f"option more_square {chase}"]
    lines += [f"setup {side} {letters(side, game['setup'][side])}" for side in ("red", "blue")]
    lines += ["-".join(squares(move)) for move in game["moves"]]
    return "\n".join(lines) + "\n"


def archived(game):
    """The same without options, made here once more: the tenth file is K, row 10 a colon."""
    def name(square):
        return square[0].upper().replace("J", "K") + square[1:].replace("10", ":")

    kind = {"classic": 0, "barrage": 1, "ultimate": 3, "duel": 4}[game["variant"]]
    field = (letters("red", game["setup"]["red"]) + "AA__AA__AAAA__AA__AA" +
             letters("blue", game["setup"]["blue"]))
    moves = ["-".join(map(name, squares(move))) for move in game["moves"]]
    return "\n".join(["#X38FA11 Stratego-Notation v2", f"type{kind}", field, *moves, "END",
                      "Ann vs Bob & son result 10 winner 2"]) + "\n"


# SC-6 SC-7
games = json.load(open("tests/vectors/isf-games/games.json"))
expect("games", len(games), 36)
for game in games:
    source, count = game["source"], len(game["moves"])
    last = "-".join(squares(game["moves"][-1]))
    side = ("blue", "red")[count % 2]
    status, said, _ = judge(recorded(game, "true"))
    expect(source, (status, said.split(": The ")[0]),
           (1, f"line {count + 5}: move {count}, {side} {last}: SC-7 more_square"))
    status, said, _ = judge(recorded(game, "false"))
    expect(source, (status, said), (0, f"{count} moves, all legal; the game is not over\n"))
    answer = ask(recorded(game, "true"))
    expect(source, [answer.get(key) for key in ("verdict", "played", "seat", "broken", "ruling")],
           ["illegal", count - 1, side, last, "SC-7"])
    expect(source, ask(recorded(game, "false")).get("played"), count)

# Each form says the same, and written twice it is the same.
for game in games[:3]:
    source, gsn = game["source"], archived(game)
    for form in FORMS:
        status, said, first = judge(gsn, "--write", form)
        expect(f"{source} {form}", (status, judge(first)[:2]),
               (0, (0, f"{len(game['moves'])} moves, all legal; nobody wins: void\n")))
        expect(f"{source} {form}", judge(first, "--write", form)[2], first)
        expect(f"{source} {form}", judge(first, "--write", "gsn")[2], gsn)

# Games of the others, to an end and beyond it.
DEAL = "1234512345123451234512345"
CASTLE = "EEEGGGDDDRRRCCCHHHBBB.........XXX"
LINES = "+5 +4 +4 +3 +3"
for text, status, said in (
    (f"game engarde\noption first left\ndeal {DEAL}\n{LINES}\n", 0,
     "5 moves, all legal; the game is not over"),
    (f"game engarde\noption first left\ndeal {DEAL}\n{LINES} +5 # too far\n", 1,
     "line 4: move 6, right +5: EG-2 blocked: "),
    (f"game engarde\noption first left\ndeal {DEAL}\n{LINES}\nresigns left\n", 0,
     "5 moves, all legal; right wins: resigned"),
    (f"game engarde\noption first left\ndeal {DEAL}\n{LINES}\nresigns left\n+1\n", 1,
     "line 6: move 6, right +1: game_over: "),
    (f"game engarde\noption first left\ndeal {DEAL}\nresult left hits\n", 1,
     "0 moves, all legal; the game is not over, but the record says left wins: hits"),
    (f"game engarde\ndeal {DEAL}\n", 2, "line 2: who begins is not said"),
    ("game engarde knizia\noption level basic\nposition 10/13 0/4 12335/33344 1245 l - 3r\nx3\n"
     f"deal {DEAL}\n", 1, "line 5: deal: game_over"),
    ("game engarde\noption hits_to_lose 9\nposition 10/13 0/4 12335/12344 1245 l - 3r\nx3*2\n"
     f"deal {DEAL}\n+5\n", 0, "2 moves, all legal; the game is not over"),
    (f"game roquefort\noption first red\nplayers 3\ndeal {CASTLE}\n+a1 +g7 +a7\n?d4 a1-b1 .\n", 1,
     "line 6: move 4, red ?d4: CR-4 not_adjacent"),
    (f"game roquefort burg-appenzell\noption first yellow\ndeal {CASTLE}\n+a1 +g7\n?b1 a1-b1 Nd"
     "\n.\nresigns red\n", 0, "6 moves, all legal; yellow wins: "),
    ("game roquefort\nposition A yr y3s HR..GDB.XCH.EGXDERC.BX.D.R.C.HE.G/B c4 y:a1/3/0/- "
     "r:-/3/1/-\nNd\n", 1, "line 3: move 1, yellow Nd: CR-8 already_shifted"),
    ("game stratego\noption first red\nsetup red LBBBBBBBBCDDDDDDEEEEEEEEFFFFFGGGGHHHIIJK\n", 0,
     "0 moves, all legal; the game is not over"),
    ("game stratego ultimate\noption captives shown\n", 2,
     "line 2: The variant ultimate has no such option."),
):
    code, heard, _ = judge(text)
    expect(text, (code, heard[:len(said)]), (status, said))
    answer = ask(text)
    expect(text, answer.get("verdict", answer.get("pointer")),
           {0: "legal", 1: "illegal", 2: "/record"}[status] if "but the" not in said else "legal")

# Junk is told for what it is, on one line without a byte that a terminal would obey.
huge = "game engarde\n" + "# \n" * 400000
for junk in ("", "\0", "{", "{}\n", '{"move":{}}\n', "[1]", "<", "<a", "<!DOCTYPE a>", "<game>",
             '<game type="chess"/>', '<game type="classicfree"/>', "<a b='&x;'/>",
             '<game type="classic"/><move source="J:" target="A10"/><move/>',
             "#X38FA11 Stratego-Notation v3\n", "#X38FA11 Stratego-Notation v1\ntype9\n",
             "#X38FA11 Stratego-Notation v1\ntype3\nEND\n", "\x1b[31m", "game \x1b[31m",
             "game engarde\n\x1b[31m\xff", b"\xff\xfe", "game engarde\nplayers 5\n",
             "game engarde\ngame engarde\n", "a4-a5\n", huge, b"{" * 300000,
             "game stratego\noption first red\n" + "a4-a5 " * 40000):
    code, heard, out = judge(junk)
    expect(junk[:40], (code, out, heard.count("\n"), heard.isprintable() or heard[:-1].isprintable()),
           (2, "", 1, True))
for flags in (("--write", "pgn"), ("--write",), ("--write", "gsn", "more")):
    expect(flags, judge("game engarde\n", *flags)[0], 2)
expect("no such file", subprocess.run([refereed, "judge", folder + "/none"],
                                      capture_output=True).returncode, 2)
print("\n".join(bad[:12]))
sys.exit(bool(bad))
