"""Prints the totals of llvm-cov's export, and with --show what is left."""
import json
import sys

COUNTED = ("lines", "branches", "mcdc")


def left(file):
    """Lines never run, branches never taken, decisions with a condition that never decided."""
    found = set()
    for line, column, count, has_count, entry, gap in file["segments"]:
        if has_count and count == 0 and entry and not gap:
            found.add((line, column, "never run"))
    for branch in file["branches"]:
        line, column, taken, not_taken = branch[0], branch[1], branch[4], branch[5]
        if not taken or not not_taken:
            found.add((line, column, "never true" if not taken else "never false"))
    for decision in file.get("mcdc_records", []):
        shown = decision[-1]
        if not all(shown):
            found.add((decision[0], decision[1], "conditions that never decided: "
                       + ", ".join(str(number) for number, ok in enumerate(shown, 1) if not ok)))
    return sorted(found)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        data = json.load(file)["data"][0]
    whole = 0
    for file in data["files"]:
        name = file["filename"]
        name = name[max(name.find("/rules/"), name.find("/api/")) + 1:]
        counts = [file["summary"][kind] for kind in COUNTED]
        missing = sum(count["count"] - count["covered"] for count in counts)
        whole += missing
        if missing:
            print(f"{name}: " + ", ".join(f"{kind} {count['covered']}/{count['count']}"
                                          for kind, count in zip(COUNTED, counts)))
            if "--show" in sys.argv:
                for line, column, words in left(file):
                    print(f"  {name}:{line}:{column}: {words}")
    totals = [data["totals"][kind] for kind in COUNTED]
    print(", ".join(f"{kind} {count['covered']}/{count['count']} ({count['percent']:.2f} %)"
                    for kind, count in zip(COUNTED, totals)))
    return 1 if whole else 0


if __name__ == "__main__":
    sys.exit(main())
