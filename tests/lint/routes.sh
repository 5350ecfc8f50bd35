#!/bin/bash
# Each row of api/routes.def stands in docs/openapi.yaml and docs/api.md, and nothing else does;
# tests/system/matrix.txt says who may and who may not.
set -u
cd "$(dirname "$0")/../.." || exit 1
[ -e api/routes.def ] || { echo "there is no api/routes.def yet"; exit 77; }
[ -e docs/openapi.yaml ] || { echo "there is no docs/openapi.yaml yet"; exit 77; }
exec python3 - <<'PY'
import os, re, sys, yaml

bad = []
rows = set()
for line in open("api/routes.def", encoding="utf-8"):
    found = re.match(r'\s*ROUTE\w*\(.*?\b(GET|POST|PUT|PATCH|DELETE)\b.*?"(/[^"]*)"', line)
    if found:
        rows.add((found[1], re.sub(r"\{\w+\}", "{}", found[2]), found[2]))
if not rows:
    sys.exit('api/routes.def has no row ROUTE(GET, "/…", …)')

spec = yaml.safe_load(open("docs/openapi.yaml", encoding="utf-8"))
described = {(method.upper(), re.sub(r"\{\w+\}", "{}", path))
             for path, item in spec["paths"].items() for method in item
             if method in ("get", "post", "put", "patch", "delete")}
for method, shape, path in sorted(rows):
    if (method, shape) not in described:
        bad.append(f"{method} {path} is not in docs/openapi.yaml")
for method, shape in sorted(described - {(m, s) for m, s, _ in rows}):
    bad.append(f"docs/openapi.yaml has {method} {shape}, api/routes.def has not")

if os.path.exists("docs/api.md"):
    text = re.sub(r"\{\w+\}", "{}", open("docs/api.md", encoding="utf-8").read())
    for method, shape, path in sorted(rows):
        # `GET /v1` or a list that shares the method: `GET /healthz`, `/readyz`
        if not re.search(re.escape(shape) + r"(?![\w/{])", text):
            bad.append(f"{method} {path} is not in docs/api.md")
doors = {tuple(line.split()[:2]) for line in open("tests/system/matrix.txt", encoding="utf-8")
         if line[0] not in "#\n"}
bad += [f"{method} {path} has no row in tests/system/matrix.txt"
        for method, _, path in sorted(rows) if (method, path) not in doors]
print("\n".join(bad))
sys.exit(bool(bad))
PY
