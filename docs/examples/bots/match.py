#!/usr/bin/env python3
"""Bots against each other: a match, and a load for a referee.

    match.py URL RULESET MIND MIND... [--games N] [--parallel P] [--variant V] [--options JSON]
             [--custody players] [--moves N] [--seed N] [--save FOLDER]

    $ python3 match.py http://127.0.0.1:8480 stratego greedy random --variant barrage --games 20 --seed 1

One mind a seat (the castle takes up to four) by its name in minds.py; they change seats from game to game. Each
seat is a client of its own that plays through the interface, as if the others were far away. --parallel games
run at once, each in a process of its own. --save keeps the transcripts, for verify.py.
"""
import argparse
import json
import multiprocessing
import os
import random
import sys
import threading
import time

from minds import GREEDY, MINDS, mind
from player import Link, Player


class Failed(Exception):
    """A bot stopped before the end of its game."""


def one_game(args, number):
    """Plays one game; returns the winner's place in args.minds (None: drawn), and how many moves it took."""
    link = Link(args.url)
    wishes = {"ruleset": args.ruleset, "options": args.options}
    for name in ("variant", "custody"):
        if getattr(args, name):
            wishes[name] = getattr(args, name)
    if args.ruleset == "roquefort":
        wishes["players"] = len(args.minds)
    made = link.call("POST", "/v1/games", None, wishes)
    places = [(place + number) % len(args.minds) for place in range(len(args.minds))]
    players, faults = [], []
    for place, (seat, given) in zip(places, made["seats"].items()):
        chance = random.Random(f"{args.seed}/{number}/{seat}")
        bot = Player(Link(args.url), made["id"], seat, mind(args.minds[place], args.ruleset, chance), args.moves)
        bot.take(given["invite"], args.minds[place])
        players.append(bot)

    def run(bot):
        try:
            bot.play()
        except Exception as fault:  # whatever it is, the match has failed
            faults.append(f"{made['id']} {bot.seat}: {type(fault).__name__} {fault}")
            link.call("POST", f"/v1/games/{made['id']}/resign", bot.credential)
    threads = [threading.Thread(target=run, args=(bot,)) for bot in players]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if faults:
        raise Failed("; ".join(faults))
    winner = link.call("GET", f"/v1/games/{made['id']}")["result"]["winner"]
    if args.save:
        with open(os.path.join(args.save, f"{made['id']}.json"), "w", encoding="utf-8") as file:
            json.dump(link.call("GET", f"/v1/games/{made['id']}/transcript"), file)
    seats = [bot.seat for bot in players]
    return None if winner is None else places[seats.index(winner)], sum(bot.moves for bot in players)


def arguments():
    parser = argparse.ArgumentParser(description="bots against each other")
    parser.add_argument("url")
    parser.add_argument("ruleset", choices=sorted(GREEDY))
    parser.add_argument("minds", nargs="+", choices=sorted(MINDS), metavar="MIND")
    parser.add_argument("--games", type=int, default=1)
    parser.add_argument("--parallel", type=int, default=1)
    parser.add_argument("--variant")
    parser.add_argument("--options", type=json.loads, default={})
    parser.add_argument("--custody", choices=["referee", "players"])
    parser.add_argument("--moves", type=int, default=400, help="of each bot, before it offers a draw")
    parser.add_argument("--seed", default=str(random.randrange(2 ** 32)), help="of the bots' own dice")
    parser.add_argument("--save", help="folder for the transcripts")
    args = parser.parse_args()
    if len(args.minds) < 2 or len(args.minds) > (4 if args.ruleset == "roquefort" else 2):
        parser.error("a mind for each seat: two, in the castle up to four")
    return args


def main():
    args = arguments()
    begun, won, drawn, moves = time.monotonic(), [0] * len(args.minds), 0, 0
    with multiprocessing.Pool(min(args.parallel, args.games)) as pool:
        try:
            for winner, count in pool.starmap(one_game, [(args, number) for number in range(args.games)], 1):
                moves += count
                if winner is None:
                    drawn += 1
                else:
                    won[winner] += 1
        except Failed as fault:
            sys.exit(f"match.py: {fault} (--seed {args.seed})")
    took = time.monotonic() - begun
    print(f"{args.ruleset}: " + ", ".join(f"{name} {count}" for name, count in zip(args.minds, won)) + f", drawn {drawn}")
    print(f"{args.games} games, {moves} moves in {took:.1f} s: {args.games / took:.1f} games/s, {moves / took:.0f} moves/s"
          f" (--seed {args.seed})")


if __name__ == "__main__":
    main()
