#!/usr/bin/env python3
"""The figures of a bench as a table and a plot: table.py ROWS TABLE.md PLOT.svg

ROWS has a line for each figure, its columns parted by tabs:
    name, ours, floor, figure, unit, wanted, stretch
`figure` is what counts: the ratio of ours to the floor, or ours alone where there is no floor.
`wanted` and `stretch` are like ">= 0.7", "<= 1.4" or "of 20" (all of them), or empty. Columns that are missing are empty.

Exit 1 if a figure falls short of what is wanted of it, after both files are written.
"""
import math
import re
import sys
from xml.sax.saxutils import escape

WIDTH, LEFT, RIGHT, ROW, TOP = 920, 400, 70, 26, 64
COLUMNS = ("name", "ours", "floor", "figure", "unit", "wanted", "stretch")


def rows_of(path):
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            cells = line.rstrip("\n").split("\t")
            if len(cells) > 3:
                yield dict(zip(COLUMNS, cells + [""] * (len(COLUMNS) - len(cells))))


def bound(text):
    """(">=", 0.7), or None."""
    match = re.fullmatch(r"\s*(>=|<=?|of)\s*([0-9.]+).*", text)
    return match and (match[1], float(match[2]))


def score(row, column):
    """How many times over a bound is reached; 1: just. None: there is no bound."""
    wanted = bound(row[column])
    if not wanted or not row["figure"]:
        return None
    figure = float(row["figure"])
    sign, value = wanted
    if sign in (">=", "of"):
        return figure / value if value else None
    return value / figure if figure else 100.0


def verdict(row):
    reached, beyond = score(row, "wanted"), score(row, "stretch")
    if reached is None:
        return ""
    if reached < 1:
        return "**short**"
    return "stretch" if beyond is not None and beyond >= 1 else "yes"


def table(rows):
    yield "| what | refereed | floor | figure | wanted | stretch | reached |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for row in rows:
        figure = (row["figure"] + " " + row["unit"]).strip()
        cells = [row["name"], row["ours"], row["floor"], figure, row["wanted"], row["stretch"], verdict(row)]
        yield "| " + " | ".join(cells) + " |"


def plot(rows):
    drawn = [row for row in rows if score(row, "wanted") is not None]
    most = max([4.0] + [max(score(r, "wanted"), score(r, "wanted") / (score(r, "stretch") or 1)) for r in drawn])
    low, high = math.log2(0.25), math.log2(min(most, 16)) + 0.2

    def x(value):
        place = min(max(math.log2(max(value, 0.01)), low), high)
        return LEFT + (WIDTH - LEFT - RIGHT) * (place - low) / (high - low)

    height = TOP + ROW * len(drawn) + 30
    yield (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
           f'height="{height}" font-family="sans-serif" font-size="13">')
    yield f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>'
    yield '<text x="16" y="26" font-size="17" font-weight="bold" fill="#222">What is reached of what is wanted</text>'
    yield ('<text x="16" y="46" fill="#555">right of the line: the target is held; '
           'the tick is the stretch; each step doubles</text>')
    for power in range(-2, math.floor(high) + 1):
        at = x(2.0 ** power)
        colour = "#222" if power == 0 else "#ddd"
        yield f'<line x1="{at:.1f}" y1="{TOP - 6}" x2="{at:.1f}" y2="{height - 22}" stroke="{colour}"/>'
        label = {-2: "¼", -1: "½"}.get(power, f"{2 ** max(power, 0)}")
        yield f'<text x="{at:.1f}" y="{height - 8}" text-anchor="middle" fill="#555">{label}×</text>'
    for i, row in enumerate(drawn):
        y = TOP + ROW * i
        reached = score(row, "wanted")
        beyond = score(row, "stretch")
        colour = "#c0392b" if reached < 1 else "#1e8449" if beyond is not None and beyond >= 1 else "#2874a6"
        start, end = sorted((x(1), x(reached)))
        name = re.sub(r"`", "", row["name"])
        yield f'<text x="{LEFT - 12}" y="{y + 15}" text-anchor="end" fill="#222">{escape(name)}</text>'
        yield f'<rect x="{start:.1f}" y="{y + 4}" width="{max(end - start, 2):.1f}" height="{ROW - 10}" fill="{colour}"/>'
        if beyond:
            tick = x(reached / beyond)
            yield (f'<line x1="{tick:.1f}" y1="{y + 1}" x2="{tick:.1f}" y2="{y + ROW - 3}" '
                   'stroke="#e67e22" stroke-width="2"/>')
        yield (f'<text x="{max(end, x(1)) + 6:.1f}" y="{y + 15}" fill="#222">'
               f'{escape((row["figure"] + " " + row["unit"]).strip())}</text>')
    yield "</svg>"


def main():
    rows = list(rows_of(sys.argv[1]))
    with open(sys.argv[2], "w", encoding="utf-8") as out:
        out.write("\n".join(table(rows)) + "\n")
    with open(sys.argv[3], "w", encoding="utf-8") as out:
        out.write("\n".join(plot(rows)) + "\n")
    short = [row for row in rows if verdict(row) == "**short**"]
    for row in short:
        print(f"short of its target: {row['name']}: {row['figure']} {row['unit']}, wanted {row['wanted']}",
              file=sys.stderr)
    sys.exit(1 if short else 0)


main()
