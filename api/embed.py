"""Makes a C source of a file that the daemon serves: `embed.py openapi docs/openapi.yaml`.

YAML becomes compact JSON on the way. The array is const and NUL-terminated.
"""
import json
import sys

import yaml

name, path = sys.argv[1:3]
with open(path, encoding="utf-8") as file:
    data = json.dumps(yaml.safe_load(file), separators=(",", ":"), ensure_ascii=False).encode()
print('#include "api/embedded.h"\n')
print(f"const size_t embedded_{name}_size = {len(data)};")
print(f"const char embedded_{name}[] = {{")
codes = [str(b if b < 128 else b - 256) for b in data] + ["0"]
for at in range(0, len(codes), 24):
    print(", ".join(codes[at:at + 24]) + ",")
print("};")
