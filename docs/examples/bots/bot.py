#!/usr/bin/env python3
"""A bot that plays one seat: by an invite that somebody sends, or in a game that it makes for others.

    bot.py join LINK [--mind greedy|random] [--name NAME] [--moves N] [--seed N]
    bot.py host URL RULESET SEAT [--variant V] [--options JSON] [--custody players] [--players N]
           [--mind greedy|random] [--name NAME] [--moves N] [--seed N]

LINK is what the web table shows beside the code to scan, `http://HOST/#/join/GAME/SEAT/INVITE?RULESET`, in
quotes. `host` prints such links for the other seats. The bot ends when the game does and says how it ended.
"""
import argparse
import json
import random
import re
import sys

from minds import GREEDY, MINDS, mind
from player import Link, Player, Refused


def arguments():
    parser = argparse.ArgumentParser(description="plays one seat of a game")
    call = parser.add_subparsers(dest="call", required=True)
    join = call.add_parser("join", help="take a seat by an invite")
    join.add_argument("link")
    host = call.add_parser("host", help="make a game and print invites for the others")
    host.add_argument("url")
    host.add_argument("ruleset", choices=sorted(GREEDY))
    host.add_argument("seat")
    host.add_argument("--variant")
    host.add_argument("--options", type=json.loads)
    host.add_argument("--custody", choices=["referee", "players"])
    host.add_argument("--players", type=int)
    for one in (join, host):
        one.add_argument("--mind", choices=sorted(MINDS), default="greedy")
        one.add_argument("--name", default="Bot")
        one.add_argument("--moves", type=int, default=400, help="own moves before it offers a draw")
        one.add_argument("--seed", type=int, help="of the bot's own dice")
    return parser.parse_args()


def invited(text):
    """Where, which game, which seat and by what invite."""
    found = re.fullmatch(r"(https?://[^/#]+)/?#/join/([\w-]{22})/(\w+)/(rfs_[\w-]{43})(\?.*)?", text)
    if not found:
        sys.exit("bot.py: that is no link to a seat: http://HOST/#/join/GAME/SEAT/INVITE")
    return found.groups()[:4]


def hosted(args):
    """Makes a game, prints the others' links, and returns the bot's own invitation."""
    wishes = {name: getattr(args, name) for name in ("variant", "options", "custody", "players") if getattr(args, name)}
    link = Link(args.url)
    made = link.call("POST", "/v1/games", None, {"ruleset": args.ruleset, **wishes})
    if args.seat not in made["seats"]:
        sys.exit(f"bot.py: the seats are {', '.join(made['seats'])}")
    for seat, given in made["seats"].items():
        if seat != args.seat:
            print(f"{link.url}/#/join/{made['id']}/{seat}/{given['invite']}?{args.ruleset}", flush=True)
    return link.url, made["id"], args.seat, made["seats"][args.seat]["invite"]


def main():
    args = arguments()
    url, game, seat, invite = invited(args.link) if args.call == "join" else hosted(args)
    link = Link(url)
    found = link.call("GET", f"/v1/games/{game}", invite)
    if found["custody"] == "table":
        sys.exit("bot.py: that is a game at a real table, and the bot has no hands")
    bot = Player(link, game, seat, mind(args.mind, found["ruleset"], random.Random(args.seed)), args.moves)
    bot.take(invite, args.name)
    view = bot.play()
    print(f"{seat}: {bot.moves} moves, {view['status']}, {json.dumps(view['result'])}")


if __name__ == "__main__":
    try:
        main()
    except Refused as refused:
        sys.exit(f"bot.py: {refused}")
    except OSError as fault:
        sys.exit(f"bot.py: the referee is not there: {fault}")
    except KeyboardInterrupt:
        sys.exit(130)
