#!/bin/bash
# A ruling is done when it has a row in rulings.def with its sentence in English and Czech, a comment where
# it is carried out, its paragraph and its sentences in docs/rules, and a test: one that is refused or ended
# by it where it refuses or ends anything, else one that names it. Refusals have both languages too, rest on
# a ruling, and their codes stand in docs/rules.
#
#   tests/lint/rulings.sh           says what is missing
#   tests/lint/rulings.sh --write   puts the sentences of the tables into docs/rules
cd "$(dirname "$0")/../.." || exit 1
[ -e rules/ruleset.h ] || { echo "no rules here"; exit 77; }
exec python3 -B - "$@" <<'PY'
import glob, os, re, sys

WRITE = sys.argv[1:] == ["--write"]
BEGIN, END = "<!-- rulings.def -->\n", "<!-- end -->\n"
bad = []


def read(*patterns):
    return "\n".join(open(name, encoding="utf-8").read() for pattern in patterns
                     for name in sorted(glob.glob(pattern, recursive=True)))


def rows(text, macro):
    """The arguments of each row, strings without their quotes."""
    for row in re.finditer(rf'^\s*{macro}\(((?:"(?:[^"\\]|\\.)*"|[^")])*)\)', text, re.M):
        words = re.findall(r'((?:"(?:[^"\\]|\\.)*"\s*)+|[^",\s][^",]*)', row[1])
        yield [re.sub(r'"\s*"|^"|"\s*$', "", word.strip()) if word.startswith('"') else word.strip() for word in words]


def comments(text):
    return "\n".join(re.findall(r"/\*.*?\*/|//[^\n]*", text, re.S))


def named(ruling, text):
    """The id as a word of its own: EG-1 is not found in EG-11."""
    return re.search(rf"(?<![A-Za-z0-9]){ruling}(?![0-9])", text)


def texts(what, english, czech):
    if not english.strip():
        bad.append(f"{what} has no English text")
    if not czech.strip():
        bad.append(f"{what} has no Czech text")
    if english.strip() and english == czech:
        bad.append(f"{what} says the same in both languages")
    bad.extend(f"{what} does not end like a sentence: {text}" for text in (english, czech) if text and text[-1] not in ".!?")
    bad.extend(f"{what} has blanks in a row: {text}" for text in (english, czech) if "  " in text or text != text.strip())


json_tests = read("tests/vectors/cases/*.json", "tests/api/scenarios/*.json")
c_tests = read("tests/unit/**/*.[ch]", "tests/property/**/*.c", "tests/api/*.c")
all_tests = json_tests + c_tests + read("tests/system/*", "tests/proof/*.*", "tests/web/*.mjs")
verdicts = set(re.findall(r'\\?"ruling\\?"\s*:\s*\\?"([A-Z]{2}-\d+)', json_tests + c_tests))
common = list(rows(read("rules/refusals.def"), "REFUSAL"))
everything = set()
for table in sorted(glob.glob("rules/*/rulings.def")):
    folder = os.path.dirname(table)
    game, page = os.path.basename(folder), f"docs/rules/{os.path.basename(folder)}.md"
    rulings = []    # id, enumerator, English, Czech
    for row in rows(read(table), "RULING"):
        at = next((i for i, word in enumerate(row) if re.fullmatch(r"[A-Z]{2}-\d+", word)), None)
        if at is None:
            continue    # the row of none
        # Between the id and the texts En garde has the variants.
        found = [word for word in row[at + 1:] if not re.fullmatch(r"\d+|[A-Z]+", word)] + ["", ""]
        rulings.append((row[at], row[0], found[0], found[1]))
    refusals = list(rows(read(f"{folder}/refusals.def"), "REFUSAL"))
    headers, sources = read(f"{folder}/*.h"), read(f"{folder}/*.c")
    prefix = re.search(r"#define REFUSAL\(name, [^\n]*\) ([A-Z]+_)##name", headers)
    docs = open(page, encoding="utf-8").read() if os.path.exists(page) else ""
    tables = [name for name in glob.glob(f"{folder}/*.def") if os.path.basename(name) not in ("rulings.def", "refusals.def")]
    carried = comments(sources + read(*tables))
    if not rulings:
        bad.append(f"{table} has no row RULING(… \"XX-1\" …)")
    if not prefix:
        bad.append(f"{folder} makes no enumerators of its refusals")
        continue

    for ruling, name, english, czech in rulings:
        if ruling in everything:
            bad.append(f"{ruling} ({game}) stands twice in rulings.def")
        everything.add(ruling)
        texts(f"{ruling} ({game})", english, czech)
        if not named(ruling, carried):
            bad.append(f"{ruling} ({game}) is carried out nowhere: no comment names it")
        if f'<a id="{ruling.lower()}"></a>**{ruling}**' not in docs:
            bad.append(f"{ruling} ({game}) has no paragraph in {page}: <a id=\"{ruling.lower()}\"></a>**{ruling}**")
        if not named(ruling, all_tests):
            bad.append(f"{ruling} ({game}) is named by no test")
        reasons = [prefix[1] + row[0] for row in refusals if row[1] == ruling]
        own = rf"\b(?:{prefix[1]}(?:RULING_)?)?{name}\b"
        ends = re.search(own, re.sub(r"/\*.*?\*/", "", sources, flags=re.S))
        if reasons or ends:
            # In C a test says so by the enumerator of a refusal, or of the ruling that ends the game.
            if ruling not in verdicts and not any(re.search(rf"\b{reason}\b", c_tests) for reason in reasons) \
                    and not (ends and re.search(own, c_tests)):
                bad.append(f"{ruling} ({game}) refuses or ends, and no test is refused or ended by it")
    for row in common if game == "engarde" else []:
        texts(f"rules/refusals.def: {row[0]}", *(row[3:] + ["", ""])[:2])
    for row in refusals:
        texts(f"{folder}/refusals.def: {row[0]}", *(row[3:] + ["", ""])[:2])
        if row[1] not in [ruling for ruling, *_ in rulings]:
            bad.append(f"{folder}/refusals.def: {row[0]} rests on {row[1]}, which is no ruling of the game")
        if f"`{row[2]}`" not in docs:
            bad.append(f"{folder}/refusals.def: the code {row[2]} stands nowhere in {page}")

    # The sentences in the docs are those of the table.
    want = BEGIN + "| | English | Czech |\n| --- | --- | --- |\n" + "".join(
        f"| [{ruling}](#{ruling.lower()}) | {english} | {czech} |\n" for ruling, _, english, czech in rulings) + END
    have = re.search(re.escape(BEGIN) + ".*?" + re.escape(END), docs, re.S)
    if not have:
        bad.append(f"{page} has no place for the sentences: {BEGIN.strip()} and {END.strip()}")
    elif have[0] != want:
        if WRITE:
            with open(page, "w", encoding="utf-8") as file:
                file.write(docs.replace(have[0], want))
        else:
            bad.append(f"{page} has other sentences than {table}: tests/lint/rulings.sh --write")

# And back: what docs and tables speak of must be a ruling.
letters = "|".join(sorted({ruling[:2] for ruling in everything}))
for name in sorted(glob.glob("docs/**/*.md", recursive=True) + glob.glob("rules/*/*.*") + glob.glob("api/*.[ch]")):
    for ruling in sorted(set(re.findall(rf"\b(?:{letters})-[0-9]+\b", read(name))) - everything):
        bad.append(f"{ruling} is spoken of in {name} and has no row in rulings.def")
print("\n".join(bad))
sys.exit(bool(bad))
PY
