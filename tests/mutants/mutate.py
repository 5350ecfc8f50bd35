#!/usr/bin/env python3
"""Changes the rules, the tokens and the commitments in one place at a time and looks whether a test sees it.

    mutate.py [--sample N] [--seed N] [--jobs N] [--only TEXT] [--list]

Each mutant is one source compiled anew and linked into a shared library, so that the test programs need
not be built again. A test that fails, crashes or does not end kills it. What no test has seen is
printed; what stands in equivalent.txt beside this file, with the reason why nobody can see it, is not
tried. --only takes the mutants whose place begins with TEXT (rules/engarde, api/token.c:40:), or with one of several, a comma between them.
"""
import argparse
import collections
import concurrent.futures
import glob
import os
import queue
import random
import re
import resource
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
os.chdir(os.path.join(HERE, "..", ".."))
B = os.path.join(os.environ.get("B", "build"), "mutants")
SOURCES = sorted(glob.glob("rules/*.c") + glob.glob("rules/*/*.c")) + [
    "api/base64.c", "api/commit.c", "api/token.c"]
# What is undefined traps, as it is reported by `make asan`.
FLAGS = ("-std=c17 -O1 -fPIC -fsanitize=undefined -fsanitize-undefined-trap-on-error -w -I. -D_GNU_SOURCE -DREFEREED_VERSION=\"0\" -I" + B).split()
MEMORY = 4 << 30

# A test may let malloc() fail; where none does there is this one.
WRAP = "-Wl,--wrap=malloc,--wrap=free"
SPARE = """#include <stddef.h>
void *__real_malloc(size_t size);
void __real_free(void *memory);
__attribute__((weak)) void *__wrap_malloc(size_t size) { return __real_malloc(size); }
__attribute__((weak)) void __wrap_free(void *memory) { __real_free(memory); }
"""
DIFFERENTIAL = 2000     # positions of the differential test, which comes last

# What is put in the place of an operator.
SWAPS = {
    "==": ["!="], "!=": ["=="], "<": ["<=", ">"], "<=": ["<", ">"], ">": [">=", "<"], ">=": [">", "<"],
    "&&": ["||"], "||": ["&&"], "+": ["-"], "-": ["+"], "*": ["+"], "/": ["*"], "%": ["/"],
    "&": ["|"], "|": ["&"], "^": ["&"], "<<": [">>"], ">>": ["<<"],
    "+=": ["-="], "-=": ["+="], "|=": ["&="], "&=": ["|="], "++": ["--"], "--": ["++"],
}
TOKEN = re.compile(r"""(?P<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|(?P<word>[A-Za-z_]\w*)
                       |(?P<number>0[xX][0-9a-fA-F]+|\d+)(?P<suffix>[uUlL]*)
                       |(?P<operator>->|<<=|>>=|\+\+|--|\+=|-=|\*=|\|=|&=|\^=|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^<>!?:=~])
                       |(?P<other>[\[\](){};,.#])|(?P<space>\s+)""", re.VERBOSE)
TYPES = set("""bool char int unsigned signed long short size_t ssize_t int8_t uint8_t int16_t uint16_t int32_t
    uint32_t int64_t uint64_t void const static struct enum ruling_t extern typedef union inline""".split())
STATEMENT = re.compile(r"^\s*(?!assert\b|return\b|break\b|continue\b|case\b|default\b|else\b|for\b|if\b|while\b|do\b)"
                       r"(\(void\)\s*)?[A-Za-z_*(][^;{}]*;$")


Mutant = collections.namedtuple("Mutant", "file line column start end new what")


def blank_comments(text):
    """Comments and what belongs to the preprocessor become spaces, so that places stay."""
    text = re.sub(r"/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=re.DOTALL)
    text = re.sub(r"//[^\n]*", lambda m: " " * len(m.group()), text)
    return re.sub(r"(?m)^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", lambda m: re.sub(r"[^\n]", " ", m.group()), text)


def mutants_of(path):
    with open(path, encoding="utf-8") as file:
        text = blank_comments(file.read())
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))

    def at(start, end, new, what):
        line = next(i for i in range(len(starts) - 1, -1, -1) if starts[i] <= start)
        return Mutant(path, line + 1, start - starts[line] + 1, start, end, new, what)

    tokens = [(m.lastgroup if m.lastgroup != "suffix" else "number", m.group(), m.start(), m.end())
              for m in TOKEN.finditer(text) if m.lastgroup != "space"]
    depth, asserted = 0, None
    for i, (kind, word, start, end) in enumerate(tokens):
        if word in "({":
            depth += 1
        elif word in ")}":
            depth -= 1
            if asserted is not None and depth <= asserted:
                asserted = None
        if word in ("_Static_assert", "assert"):    # these stand for nothing that runs
            asserted = depth
        if asserted is None and depth:
            yield from token_mutants(tokens, i, at)
    yield from statement_mutants(text, at, starts)


def token_mutants(tokens, i, at):
    kind, word, start, end = tokens[i]
    before = tokens[i - 1] if i else ("", "", 0, 0)
    after = tokens[i + 1] if i + 1 < len(tokens) else ("", "", 0, 0)
    if kind == "operator" and word in SWAPS:
        binary = before[0] in ("word", "number") or before[1] in (")", "]")
        named = before[1] in TYPES or (tokens[i - 2][1] in ("struct", "enum", "union") if i > 1 else False)
        if word in "+-*&" and (not binary or named or before[1] == "return" or after[1] in ")*"):
            return
        for new in SWAPS[word]:
            yield at(start, end, new, f"{word} -> {new}")
    elif word == "!":
        yield at(start, end, "", "! gone")
    elif kind == "number":
        value = int(re.match(r"0[xX][0-9a-fA-F]+|\d+", word).group(), 0)
        yield at(start, end, str(value + 1), f"{word} -> {value + 1}")
        if value > 1:
            yield at(start, end, str(value - 1), f"{word} -> {value - 1}")
    elif word in ("true", "false"):
        new = "false" if word == "true" else "true"
        yield at(start, end, new, f"{word} -> {new}")
    elif word in ("if", "while") and after[1] == "(":
        depth, j = 0, i + 1
        while True:
            depth += (tokens[j][1] == "(") - (tokens[j][1] == ")")
            if not depth:
                break
            j += 1
        yield at(after[2], after[3], "(!(", f"{word} not")._replace(end=-1 - tokens[j][2])


def statement_mutants(text, at, starts):
    depth = 0
    for number, line in enumerate(text.splitlines()):
        if depth and STATEMENT.match(line):
            first = re.match(r"\s*(\w*)", line).group(1)
            second = re.match(r"\s*\w+\s+\**(\w+)\s*[=;\[,]", line)
            if first not in TYPES and not second and line.count("(") == line.count(")"):
                indent = len(line) - len(line.lstrip())
                yield at(starts[number] + indent, starts[number] + len(line), ";", "statement gone")
        depth += line.count("{") - line.count("}")


def changed(mutant, text):
    if mutant.end < 0:      # a condition: both parentheses
        close = -1 - mutant.end
        return text[:mutant.start] + "(!(" + text[mutant.start + 1:close] + "))" + text[close + 1:]
    return text[:mutant.start] + mutant.new + text[mutant.end:]


def name(mutant, text):
    """How a mutant is known when lines move: its source, the line itself and what was done to it."""
    line = text.splitlines()[mutant.line - 1].strip()
    return f"{mutant.file}: {line}: {mutant.column - len(text.splitlines()[mutant.line - 1]) + len(line)}: {mutant.what}"


def named(mutants, texts):
    """Lines that are alike are told apart by their number in the source, from the second on."""
    names, met = {}, collections.Counter()
    for mutant in mutants:
        one = name(mutant, texts[mutant.file])
        met[one] += 1
        names[mutant] = one if met[one] == 1 else f"{one} ({met[one]})"
    return names


def equivalents():
    found = {}
    path = os.path.join(HERE, "equivalent.txt")
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            reason = ""
            for line in file:
                line = line.rstrip("\n")
                if line.startswith("# "):
                    reason = line[2:]
                elif reason and line:
                    found[line] = reason
    return found


# Building and running

def run(command, seconds=60, **more):
    return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
                          timeout=seconds, check=False, **more).returncode


def object_of(source):
    return os.path.join(B, source[:-2] + ".so.o")


def prepare():
    """Everything but the mutants: the tests, linked to shared libraries."""
    everything = sorted(glob.glob("rules/*.c") + glob.glob("rules/*/*.c") + glob.glob("api/*.c")
                        + glob.glob("tests/support/*.c"))
    make = ["make", "-s", f"B={B}"]
    subprocess.run([*make, f"{B}/gen/openapi.c", f"{B}/gen/web.c"], check=True, stdout=subprocess.DEVNULL)
    everything += [f"{B}/gen/openapi.c", f"{B}/gen/web.c"]
    listed = subprocess.run([*make, "list-rules-tests"], check=True, capture_output=True, text=True).stdout.split()
    tests = [test.removeprefix(B + "/") + ".c" for test in listed] + ["tests/second/judge.c"]

    def compile_one(source):
        target = os.path.join(B, source.removeprefix(B + "/")[:-2] + ".so.o")
        os.makedirs(os.path.dirname(target), exist_ok=True)
        subprocess.run(["gcc", *FLAGS, "-c", source, "-o", target], check=True)
        return target

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        objects = dict(zip(everything + tests, pool.map(compile_one, everything + tests)))
    spare = os.path.join(B, "spare.c")
    with open(spare, "w", encoding="utf-8") as file:
        file.write(SPARE)
    library = [o for s, o in objects.items() if s not in tests] + [compile_one(spare)]
    link(library, os.path.join(B, "lib"))
    for test in tests:
        subprocess.run(["gcc", WRAP, "-rdynamic", objects[test], "-o", program(test), f"-L{B}/lib", "-lmutant",
                        "-lcmocka", "-ljansson", "-lsodium", "-lpthread"], check=True)
    return library, tests


def program(test):
    return os.path.join(B, test[:-2])


def link(objects, folder):
    os.makedirs(folder, exist_ok=True)
    return run(["gcc", "-shared", WRAP, *objects, "-o", os.path.join(folder, "libmutant.so"), "-ljansson", "-lsodium",
                "-lpthread"])


def tests_for(source, tests):
    """Those that concern a source, the quickest first."""
    part = source.split("/")[1] if source.count("/") == 2 else None
    if source.startswith("api/"):
        chosen = [test for test in tests if "/unit/api/" in test]
    elif part:
        others = {"engarde", "roquefort", "stratego"} - {part}
        chosen = [test for test in tests if "/rules/" in test and not any(other in test for other in others)]
        chosen.append("tests/api/cases.c")
    else:
        chosen = [test for test in tests if "/rules/" in test] + ["tests/api/cases.c"]
    return sorted(set(chosen), key=lambda test: times[test])


def limits():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def passes(test, folder):
    environment = {**os.environ, "LD_LIBRARY_PATH": folder, "B": os.path.join(folder, "out")}
    os.makedirs(environment["B"], exist_ok=True)
    began = time.monotonic()
    try:
        code = run([os.path.abspath(program(test))], seconds=5 + 10 * times.get(test, 10), env=environment,
                   preexec_fn=limits)
    except subprocess.TimeoutExpired:
        return False
    if test not in times:
        times[test] = time.monotonic() - began
    return code == 0


def agrees(source, folder):
    """The differential test of the game that the source belongs to."""
    games = [source.split("/")[1]] if source.count("/") == 2 else []
    environment = {**os.environ, "LD_LIBRARY_PATH": folder, "B": B, "SHOWN": "0", "UNTIL": "1"}
    try:
        return run([sys.executable, "tests/second/differ.py", "--positions", str(DIFFERENTIAL), *games],
                   seconds=300, env=environment) == 0
    except subprocess.TimeoutExpired:
        return False


def survives(mutant, library, tests, folder):
    """None if the mutant does not compile, else whether no test saw it."""
    with open(mutant.file, encoding="utf-8") as file:
        text = changed(mutant, file.read())
    source, target = os.path.join(folder, os.path.basename(mutant.file)), os.path.join(folder, "mutant.o")
    with open(source, "w", encoding="utf-8") as file:
        file.write(text)
    if run(["gcc", *FLAGS, "-I", os.path.dirname(mutant.file), "-c", source, "-o", target]):
        return None
    own = object_of(mutant.file)
    if same(own, target):
        return "same"
    link([target if o == own else o for o in library], folder)
    for test in tests_for(mutant.file, tests):
        if not passes(test, folder):
            return False
    return mutant.file.startswith("api/") or agrees(mutant.file, folder)


def same(one, other):
    """Did the compiler make the same code of both?"""
    codes = [subprocess.run(["objdump", "-d", "-r", "-s", "-j", ".text", "-j", ".rodata", "-j", ".data.rel.ro.local",
                             "--no-show-raw-insn", path], capture_output=True, check=False).stdout.split(b"\n", 3)[-1]
             for path in (one, other)]
    return codes[0] == codes[1]


times = {}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="")
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()
    texts = {}
    for source in SOURCES:
        with open(source, encoding="utf-8") as file:
            texts[source] = file.read()
    known = equivalents()
    everything = [mutant for source in SOURCES for mutant in mutants_of(source)]
    mutants = [mutant for mutant in everything
               if f"{mutant.file}:{mutant.line}:".startswith(tuple(arguments.only.split(",")))]
    names = named(everything, texts)
    stale = set(known) - set(names.values())
    for line in sorted(stale):
        print("equivalent.txt names what is no mutant:", line)
    left = [mutant for mutant in mutants if names[mutant] not in known]
    print(f"{len(mutants)} mutants, {len(mutants) - len(left)} of them known to be equivalent", flush=True)
    if arguments.sample and arguments.sample < len(left):
        left = random.Random(arguments.seed).sample(left, arguments.sample)
    if arguments.list:
        print("\n".join(names[mutant] for mutant in left))
        return 0
    return try_all(left, names, arguments.jobs)


def try_all(left, names, jobs):
    library, tests = prepare()
    for test in tests:
        if not test.startswith("tests/second/") and not passes(test, os.path.join(B, "lib")):
            print("fails without any mutant:", test)
            return 1
    folders = queue.Queue()
    for job in range(jobs):
        folders.put(os.path.join(B, f"job{job}"))

    def attempt(mutant):
        folder = folders.get()
        os.makedirs(folder, exist_ok=True)
        try:
            return survives(mutant, library, tests, folder)
        finally:
            folders.put(folder)

    counts, survivors = collections.Counter(), []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for mutant, lives in zip(left, pool.map(attempt, left)):
            what = {None: "did not compile", "same": "made no difference to the code",
                    True: "survived", False: "killed"}[lives]
            counts[what] += 1
            if lives is True:
                survivors.append(mutant)
                print(f"survived: {mutant.line}: {names[mutant]}", flush=True)
    tried = counts["killed"] + counts["survived"]
    print(", ".join(f"{count} {what}" for what, count in sorted(counts.items())))
    print(f"{counts['killed']} of {tried} killed: {100 * counts['killed'] / max(tried, 1):.1f} %")
    return 0 if counts["killed"] >= 0.95 * tried and tried else 1


if __name__ == "__main__":
    shutil.rmtree(os.path.join(B, "out"), ignore_errors=True)
    sys.exit(main())
