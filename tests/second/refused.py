"""What the second rules raise for a move that is not allowed."""


class Refused(Exception):
    def __init__(self, code, ruling):
        super().__init__(code)
        self.verdict = {"verdict": "illegal", "code": code, "ruling": ruling}
