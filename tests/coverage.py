"""Prints the totals of llvm-cov's export, and with --show what is left.

A function of a header is compiled into many programs, and llvm-cov counts the one that came through
best. Here it counts what all of them came through together.
"""
import collections
import json
import sys

COUNTED = ("lines", "branches", "mcdc")


def lines_of(segments):
    """How often each line with code was run: the most of what begins in it, and of what is running where
    it begins. A segment is what holds from its place to the next one's."""
    starts = collections.defaultdict(list)
    for line, _, count, counted, entry, gap in segments:
        starts[line].append((count, counted, entry, gap))
    runs, running = {}, None
    for line in range(min(starts), max(starts) + 1):
        entries = [count for count, counted, entry, gap in starts[line] if counted and entry and not gap]
        skipped = bool(starts[line]) and not starts[line][0][1] and starts[line][0][2]
        if entries or (running is not None and not skipped):
            runs[line] = max(entries + ([running] if running is not None else []))
        for count, counted, _, _ in starts[line]:
            running = count if counted else None
    return runs


class Source:
    """What is known of one file, by place."""

    def __init__(self, segments):
        self.lines = lines_of(segments)
        self.branches = {}
        self.decisions = {}

    def add(self, function, number):
        """Adds what `function` says of its file of this number."""
        for *place, taken, not_taken, where, _, _ in function["branches"]:
            if where == number:
                before = self.branches.get(tuple(place), (0, 0))
                self.branches[tuple(place)] = (before[0] + taken, before[1] + not_taken)
        for record in function.get("mcdc_records", []):
            place, where, shown = tuple(record[:4]), record[4], record[-1]
            if where == number:
                before = self.decisions.get(place, [False] * len(shown))
                self.decisions[place] = [a or b for a, b in zip(before, shown)]

    def counts(self):
        """Covered and all, of each kind."""
        lines = self.lines.values()
        taken = [count for pair in self.branches.values() for count in pair]
        shown = [one for decision in self.decisions.values() for one in decision]
        return [(sum(map(bool, kind)), len(kind)) for kind in (lines, taken, shown)]

    def left(self):
        """Lines never run, branches never taken, decisions with a condition that never decided."""
        found = [(line, 1, "never run") for line, runs in self.lines.items() if not runs]
        for place, (taken, not_taken) in self.branches.items():
            if not taken or not not_taken:
                found.append((*place[:2], "never true" if not taken else "never false"))
        for place, shown in self.decisions.items():
            if not all(shown):
                found.append((*place[:2], "conditions that never decided: "
                              + ", ".join(str(number) for number, ok in enumerate(shown, 1) if not ok)))
        return sorted(found)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        data = json.load(file)["data"][0]
    sources = {file["filename"]: Source(file["segments"]) for file in data["files"] if file["segments"]}
    for function in data["functions"]:
        for number, name in enumerate(function["filenames"]):
            if name in sources:
                sources[name].add(function, number)
    totals = [(0, 0)] * len(COUNTED)
    for name, source in sorted(sources.items()):
        counts = source.counts()
        totals = [(a + c, b + d) for (a, b), (c, d) in zip(totals, counts)]
        if all(covered == count for covered, count in counts):
            continue
        name = name[max(name.find("/rules/"), name.find("/api/")) + 1:]
        print(f"{name}: " + ", ".join(f"{kind} {covered}/{count}"
                                      for kind, (covered, count) in zip(COUNTED, counts)))
        if "--show" in sys.argv:
            for line, column, words in source.left():
                print(f"  {name}:{line}:{column}: {words}")
    print(", ".join(f"{kind} {covered}/{count} ({100 * covered / count:.2f} %)"
                    for kind, (covered, count) in zip(COUNTED, totals)))
    return 0 if all(covered == count for covered, count in totals) else 1


if __name__ == "__main__":
    sys.exit(main())
