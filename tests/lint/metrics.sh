#!/bin/bash
# The metrics of daemon/metrics.def, those that docs/operations.md tells of and those of the board
# in docs/grafana.json are the same ones; alarms ask for no others.
set -u
cd "$(dirname "$0")/../.." || exit 1
exec python3 - <<'PY'
import json, re, sys

kinds = dict(re.findall(r'^METRIC\("(\w+)",\s*(\w+)', open("daemon/metrics.def").read(), re.M))
if not kinds:
    sys.exit("daemon/metrics.def has no rows")
parts = {name + end: name for name, kind in kinds.items() if kind == "HISTOGRAM"
         for end in ("_bucket", "_sum", "_count")}
bad = []


def named(text):
    return set(re.findall(r"\b(?:refereed|process)_[a-z_]+\b", text))


docs = open("docs/operations.md", encoding="utf-8").read()
section = docs.split("\n## Metrics\n")[1].split("\n## ")[0]
table = {name for line in section.splitlines() if line.startswith("| `") for name in named(line)}
board = json.load(open("docs/grafana.json", encoding="utf-8"))
drawn = named(" ".join(t["expr"] for p in board["panels"] for t in p["targets"]))
alarms = named("\n".join(re.findall(r"^ +expr: (.*)", docs, re.M)))
for what, names, all_of_them in (("docs/operations.md", table, True),
                                 ("docs/grafana.json", drawn, True), ("an alarm", alarms, False)):
    known = {parts.get(name, name) for name in names}
    bad += [f"{what} tells of {name}, which there is not" for name in sorted(known - set(kinds))]
    # a histogram has no series of its bare name
    if what != "docs/operations.md":
        bad += [f"{what} asks for {name} without _bucket, _sum or _count"
                for name in sorted(names) if kinds.get(name) == "HISTOGRAM"]
    if all_of_them:
        bad += [f"{what} does not tell of {name}" for name in sorted(set(kinds) - known)]
if not alarms:
    bad.append("docs/operations.md has no alarms")
print("\n".join(bad))
sys.exit(bool(bad))
PY
