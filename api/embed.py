"""Makes a C source of files that the daemon serves.

    embed.py openapi docs/openapi.yaml     YAML becomes compact JSON on the way
    embed.py web api/web                   all files below it that a browser asks for

Arrays are const and NUL-terminated. The same files give the same source.
"""
import hashlib
import json
import pathlib
import sys

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
}


def array(name, data, kind):
    print(f"{kind}const char {name}[] = {{")
    codes = [str(b if b < 128 else b - 256) for b in data] + ["0"]
    for at in range(0, len(codes), 24):
        print(", ".join(codes[at:at + 24]) + ",")
    print("};")


def openapi(path):
    import yaml

    data = json.dumps(yaml.safe_load(path.read_text("utf-8")), separators=(",", ":"),
                      ensure_ascii=False).encode()
    print(f"const size_t embedded_openapi_size = {len(data)};")
    array("embedded_openapi", data, "")


def web(folder):
    files = sorted(path for path in folder.rglob("*") if path.suffix in TYPES)
    rows = []
    for i, path in enumerate(files):
        data = path.read_bytes()
        digest = hashlib.blake2b(data, digest_size=12).hexdigest()
        array(f"file_{i}", data, "static ")
        rows.append(f'    {{"{path.relative_to(folder).as_posix()}", "{TYPES[path.suffix]}", '
                    f'"\\"{digest}\\"", file_{i}, {len(data)}}},')
    print("const struct embedded_file embedded_web[] = {")
    print("\n".join(rows))
    print("};")
    print("const size_t embedded_web_count = sizeof embedded_web / sizeof *embedded_web;")


print('#include "api/embedded.h"\n')
{"openapi": openapi, "web": web}[sys.argv[1]](pathlib.Path(sys.argv[2]))
