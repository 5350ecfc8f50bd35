#!/usr/bin/env python3
"""Checks the transcript of a game that refereed has run: that it cheated with nothing.

    python3 verify.py FILE|- [--key k4.public.…|k4.pid.…]

FILE is what `GET /v1/games/{id}/transcript` answers. One line is printed for each check; the exit code is
0 if all is well, 1 if not, 2 if the command was wrong. It shares no line with the referee: it was
written from docs/protocol.md and docs/rules/ alone, and needs Python 3.9 and nothing else.
"""
import sys

sys.dont_write_bytecode = True

from verifier.record import verify

USAGE = "usage: verify.py FILE|- [--key k4.public.…|k4.pid.…]"


def arguments(words):
    """The file and the key, or None if that is no command."""
    file = key = None
    words = list(words)
    while words:
        word = words.pop(0)
        if word == "--key" and words and key is None:
            key = words.pop(0)
            if not key.startswith(("k4.public.", "k4.pid.")):
                return None
        elif file is None and (word == "-" or not word.startswith("-")):
            file = word
        else:
            return None
    return (file, key) if file else None


def say(ok, name, words):
    """One line; a record that lies shall not write on the terminal what it likes."""
    line = f"{'ok ' if ok else 'BAD'}  {name}: {words}"
    print("".join(letter if letter.isprintable() else "?" for letter in line))


def main():
    given = arguments(sys.argv[1:])
    if given is None:
        print(USAGE, file=sys.stderr)
        return 2
    file, key = given
    try:
        if file == "-":
            data = sys.stdin.buffer.read()
        else:
            with open(file, "rb") as stream:
                data = stream.read()
    except OSError as error:
        print(f"verify.py: {file}: {error.strerror}", file=sys.stderr)
        return 2
    return 0 if verify(data, key, say) else 1


if __name__ == "__main__":
    sys.exit(main())
