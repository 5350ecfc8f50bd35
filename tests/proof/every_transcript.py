#!/usr/bin/env python3
"""Holds every transcript that the tests of the interface have fetched against the second verifier.

They stand in $B/exchanges, where the tests write down what they asked and were told. Each of them is
of a real game, so each must be found in order.
"""
import glob
import json
import os
import sys

sys.dont_write_bytecode = True
root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(root, "docs", "examples"))

from verifier.record import verify  # noqa: E402


def transcripts():
    build = os.environ.get("B", os.path.join(root, "build"))
    for file in sorted(glob.glob(os.path.join(build, "exchanges", "*.ndjson"))):
        with open(file, encoding="utf-8") as lines:
            for line in lines:
                if "/transcript" not in line:
                    continue
                told = json.loads(line)
                if told["route"].endswith("/transcript") and told["status"] == 200:
                    yield os.path.basename(file), told["body"]


def main():
    seen, bad = set(), 0
    for file, transcript in transcripts():
        data = json.dumps(transcript).encode()
        if data in seen:
            continue
        seen.add(data)
        said = []
        if not verify(data, None, lambda ok, name, words: said.append((ok, name, words))):
            bad += 1
            print(f"{file}, game {transcript['id']}:")
            for ok, name, words in said:
                if not ok:
                    print(f"  BAD {name}: {words}")
    if not seen:
        print("there is no transcript: the tests of tests/api have not run")
        return 1
    print(f"{len(seen)} transcripts of the tests, {bad} refused by the second verifier")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
