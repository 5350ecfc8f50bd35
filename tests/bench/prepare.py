#!/usr/bin/env python3
"""Prepares a round of moves: prepare.py PORT GAMES PLIES FOLDER

Makes GAMES games of classic Stratego with the same two set-ups, plays one more of them by lot for
PLIES plies, and writes what moves.lua replays in all the others: FOLDER/games (id and the two
credentials, a line a game) and FOLDER/moves (a body a line).
"""
import http.client
import json
import random
import sys
import threading

PORT, GAMES, PLIES, FOLDER = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
SET = {"flag": 1, "spy": 1, "scout": 8, "miner": 5, "sergeant": 4, "lieutenant": 4, "captain": 4,
       "major": 3, "colonel": 2, "general": 1, "marshal": 1, "bomb": 6}
ROWS = {"red": range(1, 5), "blue": range(7, 11)}


class Client:
    def __init__(self):
        self.http = http.client.HTTPConnection("127.0.0.1", PORT)

    def call(self, method, path, body=None, bearer=None):
        headers = {"Content-Type": "application/json"}
        if bearer:
            headers["Authorization"] = "Bearer " + bearer
        self.http.request(method, path, None if body is None else json.dumps(body), headers)
        answer = self.http.getresponse()
        text = answer.read()
        if answer.status not in (200, 201):
            raise SystemExit(f"prepare: {method} {path}: {answer.status} {text[:300]!r}")
        return json.loads(text)


def setups():
    lots = random.Random(1)
    made = {}
    for seat, rows in ROWS.items():
        ranks = [rank for rank, count in SET.items() for _ in range(count)]
        lots.shuffle(ranks)
        squares = [f + str(r) for r in rows for f in "abcdefghij"]
        made[seat] = dict(zip(squares, ranks))
    return made


def make(client, pieces):
    game = client.call("POST", "/v1/games", {"ruleset": "stratego", "variant": "classic",
                                             "options": {"first": "red"}})
    path = "/v1/games/" + game["id"]
    credentials = {}
    for seat in ROWS:
        taken = client.call("POST", f"{path}/seats/{seat}", {}, game["seats"][seat]["invite"])
        credentials[seat] = taken["credential"]
    for seat in ROWS:
        client.call("POST", path + "/setup", {"pieces": pieces[seat]}, credentials[seat])
    return game["id"], credentials


def play(client, pieces):
    lots = random.Random(2)
    moves = []
    gid, credentials = make(client, pieces)
    for ply in range(PLIES):
        bearer = credentials["red" if ply % 2 == 0 else "blue"]
        legal = client.call("GET", f"/v1/games/{gid}/moves", None, bearer)["moves"]
        if not legal:
            break
        moves.append(lots.choice(legal))
        client.call("POST", f"/v1/games/{gid}/moves", {"move": moves[-1]}, bearer)
    return moves


def main():
    pieces = setups()
    with open(FOLDER + "/moves", "w", encoding="ascii") as out:
        for move in play(Client(), pieces):
            out.write(json.dumps({"move": move}, separators=(",", ":")) + "\n")
    lines = []

    def work(count):
        client = Client()
        for _ in range(count):
            gid, credentials = make(client, pieces)
            lines.append(f"{gid} {credentials['red']} {credentials['blue']}\n")

    threads = [threading.Thread(target=work, args=(GAMES // 8,)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if len(lines) < GAMES // 8 * 8:
        raise SystemExit("prepare: not all games were made")
    with open(FOLDER + "/games", "w", encoding="ascii") as out:
        out.writelines(lines)


main()
