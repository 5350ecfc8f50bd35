#!/usr/bin/env python3
"""Holds the rules of the daemon against a second writing of them, position by position.

    differ.py [--positions N] [--seed N] [GAME...]

For each position both say whether it is possible, who is to act, which moves there are, and what comes of
each of them and of others that may not be allowed. The first differences are printed whole, as a
question that the stateless judge can be asked again: SHOWN says how many, CODES=1 counts the refusals,
UNTIL=1 stops at the first.
"""
import argparse
import json
import os
import random
import subprocess
import sys
import time

sys.dont_write_bytecode = True

import engarde  # noqa: E402
import roquefort  # noqa: E402
import stratego  # noqa: E402

GAMES = {"engarde": engarde, "roquefort": roquefort, "stratego": stratego}
SHOWN = int(os.environ.get("SHOWN", "3"))   # differences that are printed
UNTIL = int(os.environ.get("UNTIL", "0"))   # differences that are enough; 0: none are
MOVES = 10          # moves tried in a position
PIPE = 60000        # bytes that surely go into a pipe before anybody reads them


class Judge:
    """The daemon's rules, asked as POST /v1/adjudicate is."""

    def __init__(self, program):
        self.program = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, questions):
        answers, batch, size = [], [], 0
        for question in [*questions, None]:
            line = b"" if question is None else json.dumps(question).encode() + b"\n"
            if batch and (question is None or size + len(line) > PIPE):
                self.program.stdin.write(b"".join(batch))
                self.program.stdin.flush()
                answers += [json.loads(self.program.stdout.readline()) for _ in batch]
                batch, size = [], 0
            batch.append(line)
            size += len(line)
        return answers


def sorted_moves(moves):
    return sorted(json.dumps(move, sort_keys=True) for move in moves)


def wanted(rules, question, move):
    """What the second rules say of a move."""
    game = rules.Game(question)
    try:
        game.judge(move)
    except rules.Refused as refused:
        return refused.verdict
    game.play(move)
    return {"verdict": "legal", "effects": game.effects, "state": rules.plain(game.state()), **game.where()}


def found(rules, answer):
    """What the daemon's rules say of a move, as far as the second ones say it too."""
    if answer.get("verdict") == "illegal":
        return {name: answer[name] for name in ("verdict", "code", "ruling")}
    if "state" in answer:
        answer["state"] = rules.plain(answer["state"])
    return answer


class Comparison:
    def __init__(self, rules, judge, rng):
        self.rules, self.judge, self.rng = rules, judge, rng
        self.positions = self.impossible = self.moves = self.refused = self.differences = 0
        self.codes = {}

    def differ(self, question, mine, theirs):
        self.differences += 1
        if self.differences <= SHOWN:
            print(json.dumps(question))
            if not isinstance(mine, dict):
                mine, theirs = {"position": mine}, {"position": theirs}
            for name in sorted({*mine, *theirs}):
                if mine.get(name) != theirs.get(name):
                    print(f"  {name}\n    second {json.dumps(mine.get(name), sort_keys=True)}\n"
                          f"    daemon {json.dumps(theirs.get(name), sort_keys=True)}", flush=True)

    def position(self, question):
        self.positions += 1
        rules, rng = self.rules, self.rng
        game = rules.Game(question)
        possible = game.possible()
        listed = game.legal() if possible else []
        tried = []
        if possible and not game.end:
            tried = rng.sample(listed, min(len(listed), MOVES // 2))
            tried += rules.moves(rng, game, MOVES - len(tried))
        answers = self.judge.ask([question, *({**question, "move": move} for move in tried)])
        if not self.agree_on_position(question, game, possible, listed, answers[0]):
            return
        for move, answer in zip(tried, answers[1:]):
            self.moves += 1
            mine, theirs = wanted(rules, question, move), found(rules, answer)
            if mine["verdict"] == "illegal":
                self.refused += 1
            self.codes[mine.get("code", "")] = self.codes.get(mine.get("code", ""), 0) + 1
            if mine != theirs:
                self.differ({**question, "move": move}, mine, theirs)

    def agree_on_position(self, question, game, possible, listed, answer):
        if not possible or "moves" not in answer:
            self.impossible += 1
            if possible or answer.get("code") != "impossible_state":
                self.differ(question, "possible" if possible else "impossible", answer)
            return False
        mine = {"moves": sorted_moves(listed), **game.where()}
        answer["moves"] = sorted_moves(answer["moves"])
        theirs = {name: answer.get(name) for name in mine}
        if mine != theirs:
            self.differ(question, mine, theirs)
        return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("games", nargs="*")
    arguments = parser.parse_args()
    judge = Judge(os.path.join(os.environ.get("B", "build"), "tests/second/judge"))
    differences = 0
    for name in arguments.games or GAMES:
        rng = random.Random(f"{name} {arguments.seed}")
        comparison = Comparison(GAMES[name], judge, rng)
        began = time.monotonic()
        for question in GAMES[name].tables(rng):
            if comparison.positions == arguments.positions:
                break
            comparison.position(question)
            if UNTIL and comparison.differences >= UNTIL:
                break
        if os.environ.get("CODES"):
            print(comparison.codes)
        print(f"{name}: {comparison.positions} positions ({comparison.impossible} of them impossible), "
              f"{comparison.moves} moves ({comparison.refused} refused), {comparison.differences} differences, "
              f"{time.monotonic() - began:.0f} s", flush=True)
        differences += comparison.differences
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
