"""A second verifier of refereed's transcripts, written from the documents alone.

Read in this order: ../verify.py (the command), record.py (the checks, one after the other),
replay.py (what all games have in common), then the game that you like; players.py and table.py are what
is different where the referee does not hold the faces, combats.py where it does not see the board. `ed25519.py`, `tokens.py` and
`seals.py` are what docs/protocol.md says about signatures, tokens and hashes.
"""
