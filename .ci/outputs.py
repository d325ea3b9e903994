#!/usr/bin/env python3
"""Runs the commands that articles show, and compares what they print with what the articles show.

The first JSON block of an article is a whole document. Each other JSON block with members of a document changes it: a member replaces the one
before; of `features` and `segments` each entry by its name, of `experiments` and `configurationBundle` each by its `id` or `namespace`; an
empty list or object removes all of them. `rollout` is not kept from the block before. Each section begins with the first document.

A code block whose first line begins with `$ tracker-config ` is run. `shop.json` is the document before the last JSON block of its section,
`next.json` the document with it. Both must be valid, without warnings, if a command compares them.

Also compares the figures of README.md with those of Benchmarks/README.md, which `Benchmarks/figures` writes.

    outputs.py [--write] [.build/debug/tracker-config]    --write writes the outputs and the figures into the texts

Exits with 1 if an output or a figure differs.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
ARTICLES = [ROOT / "Sources/TrackerConfig/TrackerConfig.docc/Writing-The-Document.md"]
# The lists and objects whose entries a block changes one by one, and the key that names an entry of a list.
NAMED = {"configurationBundle": "namespace", "experiments": "id", "features": None, "segments": None}
KNOWN = {"$schema", "configurationVersion", "meta", "requires", "rollout", *NAMED}
# The figures of README.md: where each is, and where it comes from in the tables of the benchmarks.
FIGURES = [
    (r"median call of `track\(\)` takes ([\d.]+) µs", r"^\| `track\(\)` call by call, median .*durable: ([\d.]+) µs"),
    (r"a pipeline on disk delivers ([\d,]+)\s+events", r"^\| until drained, 500 a request .*durable: ([\d,]+)/s"),
    (r"lost none of ([\d,]+) events", r"^\| … of so many .* ([\d,]+) events \|.*\| plain \|"),
]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$|^#{2,3} .*?$", re.M | re.S)


def merged(document: dict, change: dict) -> dict:
    """The document with the members of a block."""
    result = {key: value for key, value in document.items() if key != "rollout"}
    for key, value in change.items():
        if key not in NAMED or not value:
            result[key] = value
        elif NAMED[key] is None:
            result[key] = result.get(key, {}) | value
        else:
            entries = {entry[NAMED[key]]: entry for entry in [*result.get(key, []), *value]}
            result[key] = list(entries.values())
    return result


def members(text: str) -> dict | None:
    """The members of a document that a block has; nil if it has others."""
    try:
        value = json.loads(text)
    except ValueError:
        value = json.loads("{" + text.rstrip().removesuffix(",") + "}")
    return value if isinstance(value, dict) and value and set(value) <= KNOWN else None


def printed(text: str, tool: str, folder: pathlib.Path) -> str:
    """The commands of a block, each with what it prints."""
    lines = []
    for command in re.findall(r"^\$ (?:.*\\\n)*.*$", text, re.M):
        result = subprocess.run(
            command[2:].replace("tracker-config", tool, 1), shell=True, cwd=folder, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        lines += [command, *result.stdout.rstrip("\n").split("\n")]
    return "\n".join(lines) + "\n"


def follow(path: pathlib.Path, tool: str, folder: pathlib.Path, differing: list[str], invalid: list[str]) -> str:
    """The article as it should be; adds the outputs that differ, and the documents that are not valid."""
    text = path.read_text()
    base = previous = current = None
    result, end = [], 0
    for match in BLOCK.finditer(text):
        language, content = match[1], match[2]
        if content is None:
            previous = current = base
        elif language == "json" and (change := members(content)) is not None:
            previous, current = (current, merged(current, change)) if base else (change, change)
            base = base or change
        elif content.startswith("$ tracker-config "):
            place = f"{path.relative_to(ROOT)}:{text.count(chr(10), 0, match.start()) + 2}: error: "
            for name, document in (("shop.json", previous), ("next.json", current)):
                (folder / name).write_text(json.dumps(document, indent=2) + "\n")
                if " diff " in content:
                    check = subprocess.run([tool, "validate", "--strict", str(folder / name)], capture_output=True, text=True)
                    if check.returncode != 0:
                        invalid.append(f"{place}{name} is not valid: {check.stdout}{check.stderr}")
            seen = printed(content, tool, folder)
            if seen != content:
                differing.append(f"{place}the command prints something else:\n{seen}")
            result += [text[end:match.start(2)], seen]
            end = match.end(2)
    if not result:
        invalid.append(f"{path.relative_to(ROOT)}: error: no command was found")
    return "".join([*result, text[end:]])


def main() -> int:
    words = sys.argv[1:]
    writes = words[:1] == ["--write"]
    tool = str(pathlib.Path((words[writes:] or [ROOT / ".build/debug/tracker-config"])[0]).resolve())
    differing, invalid = [], []
    for path in ARTICLES:
        with tempfile.TemporaryDirectory() as folder:
            text = follow(path, tool, pathlib.Path(folder), differing, invalid)
        if writes:
            path.write_text(text)
    readme, benchmarks = (ROOT / "README.md").read_text(), (ROOT / "Benchmarks/README.md").read_text()
    for place, source in FIGURES:
        found, measured = re.search(place, readme), re.search(source, benchmarks, re.M)
        if not found or not measured:
            invalid.append(f"README.md: error: no figure is found by '{source if found else place}'")
        elif found[1] not in (measured[1], measured[1][:len(found[1])]):
            differing.append(f"README.md: error: {found[1]} is {measured[1]} in Benchmarks/README.md")
            readme = readme[:found.start(1)] + measured[1] + readme[found.end(1):]
    if writes:
        (ROOT / "README.md").write_text(readme)
        differing = []
    faults = differing + invalid
    print(*faults, f"outputs of articles and figures: {len(faults)} errors", sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
