#!/bin/bash
# Runs every command of README.md's console blocks, in one shell, against a real daemon, and compares
# the answers with what stands below each; "…" matches anything within a line.
set -eu
cd "$(dirname "$0")/.."
build=$(cd "${B:-build}" && pwd)
command -v jq >/dev/null && command -v curl >/dev/null || { echo "jq or curl is missing"; exit 77; }
work=$(mktemp -d)
"$build/refereed" --listen 127.0.0.1:0 --state "$work/state" 2>"$work/log" &
daemon=$!
trap 'kill $daemon 2>/dev/null; wait $daemon 2>/dev/null || true; rm -rf "$work"' EXIT
for _ in $(seq 100); do
    grep -q 'listening on' "$work/log" && break
    sleep 0.05
done
port=$(sed -n 's/.*listening on http:.*:\([0-9]*\)$/\1/p' "$work/log")
[ -n "$port" ] || { cat "$work/log"; exit 1; }
mkdir -p "$work/docs"
cp -r docs/examples "$work/docs/"
PORT=$port WORK=$work python3 - <<'PY'
import os, re, subprocess, sys
text = open("README.md", encoding="utf-8").read()
steps = []
for block in re.findall(r"```console\n(.*?)```", text, re.S):
    more = False
    for line in block.splitlines():
        if line.startswith("$ "):
            steps.append([line[2:], []])
        elif more:
            steps[-1][0] += "\n" + line
        else:
            steps[-1][1].append(line)
            continue
        more = line.endswith("\\") or steps[-1][0].count("'") % 2 == 1
script = "".join(f"{c}\necho; echo '#end {i}'\n" for i, (c, _) in enumerate(steps))
script = script.replace("localhost:8480", "localhost:" + os.environ["PORT"])
out = subprocess.run(["bash"], input=script, capture_output=True, text=True, cwd=os.environ["WORK"])
got = re.split(r"\n#end \d+\n", out.stdout)
bad = 0
for (command, want), have in zip(steps, got):
    have = have.rstrip("\n")
    pattern = "\n".join(".*".join(map(re.escape, line.split("…"))) for line in want)
    if not re.fullmatch(pattern, have):
        bad += 1
        print(f"README: $ {command}\n--- expected\n" + "\n".join(want) + f"\n--- got\n{have}")
if out.stderr:
    print(out.stderr)
print(f"README: {len(steps)} commands, {bad} answers differ")
sys.exit(bad > 0 or len(steps) < 10 or len(got) < len(steps))
PY
